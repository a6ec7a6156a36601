//! Reading and writing files and the terminal, with failures for the command line.
use super::failure::Failure;
use crate::files::{self, reason, write_atomic};
use std::io::{self, Write};
use std::path::Path;

/// Reads a whole file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    files::read(path).map_err(|error| Failure::file(path, reason(&error)))
}

/// [`write_atomic`] with the path in the error.
pub(super) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomic(path, bytes).map_err(|error| Failure::file(path, reason(&error)))
}

/// Writes a file with what `fill` writes, atomically.
pub(super) fn save_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    fill(&mut bytes).map_err(|error| Failure::file(path, reason(&error)))?;
    save(path, &bytes)
}

/// Writes a line to stdout; [`Failure::Closed`] when its reader is gone.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(|error| stdout_failure(&error))
}

/// The failure of a write to stdout.
pub(super) fn stdout_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Other(format!("cannot write the output: {}", reason(error))),
    }
}

/// Writes a line to stderr; ignores a closed stderr.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_and_a_folder_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = read(&folder.path().join("none.map")).expect_err("missing");
        assert!(
            missing
                .message()
                .is_some_and(|m| m.ends_with("none.map: no such file or folder"))
        );
        let is_folder = read(folder.path()).expect_err("a folder");
        assert!(
            is_folder
                .message()
                .is_some_and(|m| m.ends_with(": is a folder"))
        );
    }
}
