//! Files in, files out, and what is said when that fails.
use crate::files::{self, reason, write_atomic};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a command ends early.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    /// A file that was refused or could not be read or written; `what` carries its line and column where known.
    File { file: String, what: String },
    /// A failed check or something missing on this machine.
    Other(String),
    /// Wrong usage that only shows after parsing.
    Usage(String),
    /// Said already; only the exit code is left.
    Said,
    /// Whoever read our output is gone.
    Closed,
    /// An assertion failed, and said so; this recording shows it, where one does.
    Fault(Option<PathBuf>),
}

impl Failure {
    /// With the path that it is about.
    pub(super) fn file(path: &Path, what: impl ToString) -> Self {
        Failure::File {
            file: path.display().to_string(),
            what: what.to_string(),
        }
    }

    /// The line for stderr; nothing where all is said.
    pub(super) fn message(&self) -> Option<String> {
        match self {
            Failure::File { file, what } => {
                // `FILE:LINE:COLUMN: text` where the reason starts with a place, else `FILE: text`.
                let gap = if what.starts_with(|c: char| c.is_ascii_digit()) {
                    ":"
                } else {
                    ": "
                };
                Some(format!("{file}{gap}{what}"))
            }
            Failure::Other(text) => Some(format!("breach: {text}")),
            Failure::Usage(text) => Some(format!(
                "error: {text}\n\nFor more information, try '--help'."
            )),
            Failure::Fault(recording) => Some(match recording {
                Some(path) => format!(
                    "breach: playing {} reproduces it; please report it with that file",
                    path.display()
                ),
                None => "breach: please report it with the command and its files".into(),
            }),
            Failure::Said | Failure::Closed => None,
        }
    }

    /// 0, 1, 2 or 101.
    pub(super) fn code(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Usage(_) => 2,
            Failure::Fault(_) => super::fault::EXIT_CODE,
            Failure::File { .. } | Failure::Other(_) | Failure::Said => 1,
        }
    }
}

/// Everything in a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    files::read(path).map_err(|error| Failure::file(path, reason(&error)))
}

/// [`write_atomic`] with the path in the error.
pub(super) fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomic(path, bytes).map_err(|error| Failure::file(path, reason(&error)))
}

/// Writes a file that a writer function fills, atomically.
pub(super) fn save_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    fill(&mut bytes).map_err(|error| Failure::file(path, reason(&error)))?;
    save(path, &bytes)
}

/// A line on stdout; `Closed` when nobody reads any more.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(|error| stdout_failure(&error))
}

/// What a failed write to stdout means.
pub(super) fn stdout_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Other(format!("cannot write the output: {}", reason(error))),
    }
}

/// A line on stderr; a closed stderr is no reason to stop.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_follows_the_file_without_a_gap() {
        let place = Failure::file(Path::new("a.map"), "3:7: what");
        assert_eq!(place.message().as_deref(), Some("a.map:3:7: what"));
        let whole = Failure::file(Path::new("a.map"), "no such file");
        assert_eq!(whole.message().as_deref(), Some("a.map: no such file"));
    }

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
