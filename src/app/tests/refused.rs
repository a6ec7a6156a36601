//! Refused operations: the reason is shown, and nothing is lost.
use super::*;
use crate::sim::recording::{LevelSource, Recorder as Tape};
use crate::ui::{CompareCommand, TimelineCommand};

/// Checks for a single error with this start and end.
fn check_refused(said: &[(NoticeKind, String)], start: &str, end: &str) {
    match said {
        [(NoticeKind::Error | NoticeKind::Refused, text)]
            if text.starts_with(start) && text.contains(end) => {}
        _ => panic!("{said:?} is not {start} ... {end}"),
    }
}

#[test]
fn what_cannot_be_opened_is_told_with_its_reason_and_the_open_level_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("open.map"), LEVEL).expect("written");
    let mut app = opened(folder);
    let before = (open_level(&app), state(&app));
    let mut of_another_level = Vec::new();
    let source = LevelSource::refer("open.map", &LEVEL[1..]);
    Tape::start(&mut of_another_level, &source, 1, &Settings::default()).expect("a Vec takes all");
    let later = b"{\"breach\":2,\"level\":{\"text\":\"\"},\"seed\":1}\n";
    std::fs::create_dir(folder.join("folder.map")).expect("made");
    for (name, bytes, why) in [
        (
            "picture.map",
            &b"\x89PNG\r\n\x1a\n"[..],
            ": this is a picture",
        ),
        (
            "compiled.bsp",
            b"\x1d\0\0\0\0",
            ": this is a compiled level",
        ),
        ("notes.txt", b"no level\n", ":1:"),
        ("picture.breach", b"\x89PNG\r\n\x1a\n", ":1:"),
        ("level.breach", LEVEL, ":1:"),
        (
            "later.breach",
            later,
            ":1:1: a recording of version 2; this program reads version 1",
        ),
        (
            "changed.breach",
            &of_another_level,
            "open.map is not the level that was recorded",
        ),
        ("folder.map", b"", ": is a folder"),
        ("missing.map", b"", ": no such file or folder"),
    ] {
        let path = folder.join(name);
        if !bytes.is_empty() {
            std::fs::write(&path, bytes).expect("written");
        }
        let said = told(&mut app, UiCommand::Open(path.clone().into()));
        check_refused(&said, &path.display().to_string(), why);
        assert_eq!((open_level(&app), state(&app)), before, "{name}");
        assert!(
            app.levels
                .iter()
                .all(|level| level.origin.path() != Some(&*path)),
            "{name}"
        );
    }
}

/// Runs this test again in a process without permissions and disk space, to provoke the system's errors.
#[cfg(target_os = "linux")]
#[test]
fn what_the_system_refuses_is_told_with_its_reason_and_nothing_is_lost() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let may = |name: &str, mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path(name), rights).expect("ours");
    };
    for closed in ["data", "settings", "closed", "full"] {
        std::fs::create_dir(path(closed)).expect("made");
    }
    for level in ["open.map", "secret.map"] {
        std::fs::write(path(level), LEVEL).expect("written");
    }
    for old in ["closed/old.map", "full/old.map"] {
        std::fs::write(path(old), b"what was there").expect("written");
        may(old, 0o666);
    }
    for (name, mode) in [
        ("", 0o755),
        ("data", 0o555),
        ("settings", 0o555),
        ("closed", 0o555),
        ("full", 0o777),
        ("secret.map", 0o000),
    ] {
        may(name, mode);
    }
    let program = std::env::current_exe().expect("this program");
    if std::fs::hard_link(&program, path("tests")).is_err() {
        std::fs::copy(&program, path("tests")).expect("copied");
    }
    // Files are limited to one block, so that longer writes fail as on a full disk.
    let line = "trap '' XFSZ; ulimit -f 1
        set -- ./tests --exact app::tests::refused::as_one_who_may_do_nothing --ignored --nocapture
        [ \"$(id -u)\" != 0 ] || set -- setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"
        exec \"$@\"";
    let output = std::process::Command::new("sh")
        .args(["-c", line])
        .current_dir(folder.path())
        .env("BREACH_REFUSED", folder.path())
        // Its cache would be cut off by the limit, too.
        .env("MESA_SHADER_CACHE_DISABLE", "true")
        .output()
        .expect("a shell");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let all = said(&output.stdout) + &said(&output.stderr);
    // How the process ends says nothing about the program: software Vulkan sometimes crashes once all is done.
    let status = output.status;
    assert!(all.contains("test result: ok. 1 passed"), "{status}: {all}");
    for old in ["closed/old.map", "full/old.map"] {
        assert_eq!(std::fs::read(path(old)).expect("there"), b"what was there");
    }
    assert_eq!(std::fs::read(path("open.map")).expect("there"), LEVEL);
    for closed in ["closed", "full"] {
        let files = std::fs::read_dir(path(closed)).expect("a folder");
        assert_eq!(files.count(), 1, "{closed}");
    }
    for closed in ["data", "settings", "closed"] {
        may(closed, 0o755);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "a part of the test above, which runs it with no rights and no room"]
fn as_one_who_may_do_nothing() {
    let Some(folder) = std::env::var_os("BREACH_REFUSED").map(PathBuf::from) else {
        return;
    };
    let mut app = opened(&folder);
    let not_recorded = |notice: &Notice| notice.text.starts_with("Not recorded: ");
    assert!(
        app.notices.iter().any(not_recorded),
        "no word of the recording"
    );
    let denied = "permission denied";
    let secret = folder.join("secret.map");
    let said = told(&mut app, UiCommand::Open(secret.clone().into()));
    check_refused(&said, &secret.display().to_string(), denied);

    shoot(&mut app);
    let before = (open_level(&app), state(&app));
    for (name, why) in [("closed/old.map", denied), ("full/old.map", "too large")] {
        let path = folder.join(name);
        // The file belongs to another level, so replacing it needs a confirmation.
        assert!(told(&mut app, UiCommand::SaveAs(path.clone())).is_empty());
        let said = told(&mut app, UiCommand::Confirm(Answer::Save));
        let start = format!("Not saved: {}: ", path.display());
        check_refused(&said, &start, why);
    }
    // If saving first fails, the other level is not opened.
    let other = folder.join("closed/old.map");
    assert!(told(&mut app, UiCommand::Open(other.into())).is_empty());
    assert!(app.confirmation.is_some());
    let said = told(&mut app, UiCommand::Confirm(Answer::Save));
    check_refused(&said, "Not saved: ", "");
    assert!(app.play.as_ref().is_some_and(|play| play.unsaved));
    app.act(UiCommand::Confirm(Answer::Cancel));
    assert_eq!((open_level(&app), state(&app)), before);

    app.act(UiCommand::RecordTimings(true));
    for (action, start) in [
        (UiCommand::RecordTimings(false), "Timings not saved: "),
        (UiCommand::ScreenshotTimings, "Timings not saved: "),
        (
            UiCommand::Timeline(TimelineCommand::Save),
            "Recording not saved: ",
        ),
        (UiCommand::ReportBug, "Recording not saved: "),
    ] {
        check_refused(&told(&mut app, action), start, denied);
    }
    let sides = [String::new(), "depth=8".into()];
    assert!(
        told(
            &mut app,
            UiCommand::Compare(CompareCommand::Start(sides, 1))
        )
        .is_empty()
    );
    for picture in [false, true] {
        let write = UiCommand::Compare(CompareCommand::Write { picture });
        check_refused(&told(&mut app, write), "Comparison not saved: ", denied);
    }
    app.autosave.last -= Duration::from_secs(3600);
    app.notices.clear();
    app.autosave();
    finish_work(&mut app);
    let said = app.notices.last().expect("told");
    assert!(said.text.starts_with("Not autosaved: ") && said.text.ends_with(denied));
    let why = app.keep_settings(true).expect_err("a closed folder");
    assert!(why.contains(denied), "{why}");
}
