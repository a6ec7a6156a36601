//! Writing files so that a failure leaves the old one whole: a new file in the same folder, synced, then renamed.
use std::io::Write;
use std::path::Path;

/// Replaces `path` by `bytes`, or leaves it as it was. The error is a sentence for people.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), String> {
    // A rename would replace a link itself; what it points at is meant.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |what: &str, e: std::io::Error| format!("{}: {what}: {e}", path.display());
    if target.is_dir() {
        return Err(format!("{}: is a folder", path.display()));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".breach-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a plain new file would have; an existing file keeps its own.
        let permissions = std::fs::metadata(&target).map(|m| m.permissions());
        builder.permissions(permissions.unwrap_or_else(|_| std::fs::Permissions::from_mode(0o666)));
    }
    let mut file = builder.tempfile_in(folder).map_err(|e| failed("cannot write in its folder", e))?;
    file.write_all(bytes).map_err(|e| failed("cannot write", e))?;
    file.as_file().sync_all().map_err(|e| failed("cannot write to the disk", e))?;
    file.persist(&target).map_err(|e| failed("cannot replace the old file", e.error))?;
    // The rename itself reaches the disk with the folder; where folders cannot be synced, it follows later.
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_replaces_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a.map");
        write_atomic(&path, b"one").expect("first");
        write_atomic(&path, b"two").expect("second");
        assert_eq!(std::fs::read(&path).expect("read"), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("list").count(), 1);
    }

    #[test]
    fn a_failed_save_names_the_file_and_leaves_the_old_one() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let missing = folder.path().join("no/such/a.map");
        assert!(write_atomic(&missing, b"x").expect_err("no folder").contains("a.map"));
        assert!(write_atomic(folder.path(), b"x").expect_err("a folder").contains("folder"));
        assert_eq!(std::fs::read_dir(folder.path()).expect("list").count(), 0);
    }
}
