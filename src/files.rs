//! File access of the window and the command line: saving that leaves the old file whole on failure, and opening that never
//! blocks.
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Replaces a file atomically: writes a new file in the same folder, syncs it, renames it over the old one.
///
/// # Errors
/// The file system's; then the old file is unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = Replacement::begin(path)?;
    new.write_all(bytes)?;
    new.finish()
}

/// A file that is written in pieces and replaces another once it is complete. Dropped before that, it leaves nothing; a crash
/// leaves a `.breach-*.new` in the folder.
#[derive(Debug)]
pub struct Replacement {
    new: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// Opens a new file beside `path`.
    ///
    /// # Errors
    /// The file system's, or that `path` is something other than a file.
    pub fn begin(path: &Path) -> io::Result<Self> {
        // A link stays: its target is replaced.
        let target: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if target.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        // Otherwise a device would be replaced by a file.
        if std::fs::metadata(&target).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a file"));
        }
        let new = temporary_beside(&target)?;
        Ok(Self { new, target })
    }

    /// Syncs the new file and renames it over the old one.
    ///
    /// # Errors
    /// The file system's; then the old file is unchanged.
    pub fn finish(self) -> io::Result<()> {
        self.new.as_file().sync_all()?;
        self.new
            .persist(&self.target)
            .map_err(|error| error.error)?;
        // The folder holds the rename. Not every system can sync folders, and the file is whole either way.
        if let Ok(folder) = File::open(folder_of(&self.target)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.as_file_mut().flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.new.as_file_mut().seek(to)
    }
}

/// Largest size of a file that is read, bytes: far above any level, and all of it stays in memory.
pub const LARGEST: u64 = 512 << 20;

/// Opens a regular file for reading. Refuses pipes, which would block until somebody writes, devices, which may never end,
/// and folders.
///
/// # Errors
/// The file system's, or that it is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Checks that a path leads to a regular file, without opening it.
///
/// # Errors
/// The file system's, or that it is not a regular file.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let there = std::fs::metadata(path)?;
    if there.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !there.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a file"));
    }
    Ok(())
}

/// Reads a whole regular file.
///
/// # Errors
/// As [`open`], or that it is larger than [`LARGEST`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, LARGEST)
}

/// [`read`] with another limit, bytes.
///
/// # Errors
/// As [`open`], or that it is larger.
pub fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open(path)?;
    // It may grow while it is read.
    let is_large = file.metadata()?.len() > most;
    if !is_large {
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if is_large || bytes.len() as u64 > most {
        let why = format!("larger than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(bytes)
}

/// Creates a temporary file beside `path`, with the same permissions, to be renamed to it once it is complete. Dropping it
/// removes it; a crash leaves a `.breach-*.new`.
///
/// # Errors
/// The file system's.
pub fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let new = tempfile::Builder::new()
        .prefix(".breach-")
        .suffix(".new")
        .tempfile_in(folder_of(path))?;
    keep_permissions(new.as_file(), path)?;
    Ok(new)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Gives the new file the permissions of the old one; without an old one the usual ones, not a private file's.
#[cfg(unix)]
fn keep_permissions(new: &File, old: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match std::fs::metadata(old) {
        Ok(old) => old.permissions().mode() & 0o777,
        Err(_) => 0o644,
    };
    new.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_permissions(_new: &File, _old: &Path) -> io::Result<()> {
    Ok(())
}

/// The first free name of `stem-0001.extension`, `stem-0002.extension` ... in a folder, which is created.
///
/// # Errors
/// The folder cannot be created, with its path.
pub fn unused(folder: &Path, stem: &str, extension: &str) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|e| refused(folder, &e))?;
    (1..100_000)
        .map(|n| folder.join(format!("{stem}-{n:04}.{extension}")))
        .find(|path| !path.exists())
        .ok_or_else(|| format!("{}: too many files", folder.display()))
}

/// An error message with the path.
pub fn refused(path: &Path, error: &io::Error) -> String {
    format!("{}: {}", path.display(), reason(error))
}

/// The system's error message without its number; common errors have the same lower-case words on every system.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "is a folder".into(),
        io::ErrorKind::StorageFull => "no space left".into(),
        io::ErrorKind::FileTooLarge => "too large for this disk".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_replaces_the_whole_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("level.map");
        write_atomic(&path, b"first, and longer").expect("saved");
        write_atomic(&path, b"second").expect("saved");
        assert_eq!(std::fs::read(&path).expect("there"), b"second");
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            1
        );
    }

    #[test]
    fn names_that_are_taken_are_skipped() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let first = unused(folder.path(), "picture", "png").expect("a name");
        std::fs::write(&first, b"").expect("write");
        let second = unused(folder.path(), "picture", "png").expect("a name");
        assert_ne!(first, second);
    }

    #[test]
    fn a_failed_save_leaves_the_old_file_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("inner");
        std::fs::create_dir(&path).expect("made");
        assert!(write_atomic(&path, b"x").is_err());
        assert!(path.is_dir());
        assert!(write_atomic(&folder.path().join("none/level.map"), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened_and_the_rest_is_refused_at_once() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let mut mkfifo = std::process::Command::new("mkfifo");
        let made = mkfifo.arg(path("pipe.map")).status().expect("mkfifo");
        assert!(made.success());
        let _socket = std::os::unix::net::UnixListener::bind(path("socket.map")).expect("bound");
        std::fs::write(path("level.map"), b"text").expect("written");
        for (name, target) in [
            ("pipe", "pipe.map"),
            ("zero", "/dev/zero"),
            ("folder", "."),
            ("none", "nothing"),
            ("level", "level.map"),
        ] {
            symlink(target, path(name)).expect("linked");
        }
        for (name, why) in [
            ("pipe.map", "is not a file"),
            ("socket.map", "is not a file"),
            ("pipe", "is not a file"),
            ("zero", "is not a file"),
            ("folder", "is a folder"),
            ("none", "no such file or folder"),
        ] {
            let refused = read(&path(name)).expect_err(name);
            assert_eq!(reason(&refused), why, "{name}");
            assert_eq!(reason(&open(&path(name)).expect_err(name)), why, "{name}");
        }
        for name in ["level.map", "level"] {
            assert_eq!(read(&path(name)).expect("a file"), b"text");
        }
    }

    #[test]
    fn a_file_too_large_is_refused_without_reading_all_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large.map");
        // Sparse: it takes no room on the disk.
        File::create(&path)
            .and_then(|file| file.set_len(LARGEST * 1000))
            .expect("made");
        let refused = read(&path).expect_err("too large");
        assert_eq!(reason(&refused), "larger than 512 MiB");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced_by_a_file() {
        let why = write_atomic(Path::new("/dev/null"), b"x").expect_err("refused");
        assert_eq!(why.to_string(), "is not a file");
        assert!(!Path::new("/dev/null").is_file());
    }
}
