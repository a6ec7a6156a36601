//! What the system refuses: no right to read or write, no room on the disk. Each time the file is named with the reason,
//! and what was there before is there still.
#![cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Command, Output};

const LEVEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/range.map");

/// Runs a line of shell in which `$breach` is the program, in a folder.
fn sh(folder: &Path, line: &str) -> Output {
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("breach", env!("CARGO_BIN_EXE_breach"))
        .env("level", LEVEL)
        .output()
        .expect("a shell")
}

/// As the user who may do anything these tests would see no refusal: then as one who may do nothing.
fn as_nobody(line: &str) -> String {
    format!(
        "if [ \"$(id -u)\" = 0 ]; then exec setpriv --reuid=65534 --regid=65534 --clear-groups {line}; else exec {line}; fi"
    )
}

/// Exit code 1, and a line on stderr that begins so.
fn check(output: &Output, start: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.lines().any(|line| line.starts_with(start)), "{said}");
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_disk_without_room_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    for (flag, name) in [
        ("--save", "old.map"),
        ("--timings", "old.csv"),
        ("--trace", "old.json"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, b"what was there").expect("written");
        // A file may have no more than one block: the first write beyond it fails, as on a full disk.
        let line = format!(
            "trap '' XFSZ; ulimit -f 1; exec \"$breach\" soak \"$level\" --rockets 5 --ticks 60 {flag} {name}"
        );
        check(&sh(folder.path(), &line), &format!("{name}: "));
        assert_eq!(std::fs::read(&path).expect("there"), b"what was there");
    }
    assert_eq!(names(folder.path()), ["old.csv", "old.json", "old.map"]);
}

#[test]
fn what_may_not_be_read_or_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let mode = |path: &Path, mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, rights).expect("ours");
    };
    mode(folder.path(), 0o755);
    let secret = folder.path().join("secret.map");
    std::fs::copy(LEVEL, &secret).expect("copied");
    mode(&secret, 0o000);
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).expect("made");
    std::fs::write(closed.join("old.map"), b"what was there").expect("written");
    mode(&closed.join("old.map"), 0o644);
    mode(&closed, 0o555);
    // Those who may do nothing may still have to reach the program and the level.
    std::fs::copy(env!("CARGO_BIN_EXE_breach"), folder.path().join("breach")).expect("copied");
    std::fs::copy(LEVEL, folder.path().join("open.map")).expect("copied");
    mode(&folder.path().join("open.map"), 0o644);
    let denied = "permission denied";
    for (line, start) in [
        ("./breach check secret.map", "secret.map: "),
        ("./breach replay secret.map", "secret.map: "),
        (
            "./breach soak open.map --rockets 1 --ticks 1 --save closed/old.map",
            "closed/old.map: ",
        ),
        (
            "./breach soak open.map --rockets 1 --ticks 1 --timings closed/new.csv",
            "closed/new.csv: ",
        ),
    ] {
        check(
            &sh(folder.path(), &as_nobody(line)),
            &format!("{start}{denied}"),
        );
    }
    assert_eq!(names(&closed), ["old.map"]);
    assert_eq!(
        std::fs::read(closed.join("old.map")).expect("there"),
        b"what was there"
    );
    mode(&closed, 0o755);
}
