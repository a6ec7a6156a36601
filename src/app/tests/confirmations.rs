//! Opening and saving levels: nothing is lost without a confirmation.
use super::*;
use crate::ui::TimelineCommand;

#[test]
fn opening_is_cancelled_and_the_open_level_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("open.map"), LEVEL).expect("written");
    let mut app = opened(folder.path());
    let before = (open_level(&app), state(&app));
    let big = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/bunker.map");
    app.act(UiCommand::Open(big.into()));
    assert!(app.loading.is_some());
    let said = told(&mut app, UiCommand::CancelLoading);
    assert_eq!(said, [(NoticeKind::Info, "Opening cancelled.".into())]);
    assert_eq!((open_level(&app), state(&app)), before);
}

#[test]
fn what_was_saved_opens_again_as_the_same_world() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let dug = hash(&mut app);
    let path = folder.path().join("dug.map");
    let said = told(&mut app, UiCommand::SaveAs(path.clone()));
    let saved = format!("Saved {}", path.display());
    assert_eq!(said, [(NoticeKind::Info, saved)]);
    assert!(!play(&mut app).unsaved);
    told(
        &mut app,
        UiCommand::Open(folder.path().join("open.map").into()),
    );
    assert_ne!(hash(&mut app), dug);
    told(&mut app, UiCommand::Open(path.into()));
    assert_eq!(hash(&mut app), dug);
    assert!(
        app.levels
            .iter()
            .any(|level| level.origin.file_name() == "dug.map" && level.recent)
    );
}

fn is_asked_to_open(app: &App, path: &Path) -> bool {
    let confirmation = app.confirmation.as_ref();
    confirmation.is_some_and(
        |q| matches!(&q.request, Some(Request::Open(asked)) if asked.path() == Some(path)),
    )
}

#[test]
fn what_would_lose_changes_is_asked_first() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    shoot(&mut app);
    let dug = hash(&mut app);
    let away = || UiCommand::Open(path.clone().into());
    told(&mut app, away());
    assert!(is_asked_to_open(&app, &path));
    // While the confirmation is pending, keys change nothing.
    for command in [
        KeyCommand::Undo,
        KeyCommand::Reset,
        KeyCommand::NextLevel,
        KeyCommand::Carve,
    ] {
        told(&mut app, UiCommand::Key(command));
        assert!(app.queued.is_empty(), "{command:?}");
        assert!(is_asked_to_open(&app, &path));
        assert_eq!(hash(&mut app), dug);
    }
    told(&mut app, UiCommand::Confirm(Answer::Cancel));
    assert_eq!((hash(&mut app), app.confirmation.is_none()), (dug, true));
    // Saved first, the changes are there again.
    told(&mut app, away());
    told(&mut app, UiCommand::Confirm(Answer::Save));
    assert_eq!((hash(&mut app), play(&mut app).unsaved), (dug, false));
    shoot(&mut app);
    told(&mut app, away());
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(hash(&mut app), dug);
    shoot(&mut app);
    app.press(KeyCommand::Quit);
    assert!(!app.quit);
    app.act(UiCommand::Confirm(Answer::Discard));
    assert!(app.quit);
}

#[test]
fn a_changed_level_is_written_aside_once() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let written = |app: &mut App| {
        app.autosave.last -= Duration::from_secs(3600);
        app.notices.clear();
        app.autosave();
        finish_work(app);
        app.notices.len()
    };
    assert_eq!([written(&mut app), written(&mut app)], [1, 0]);
    // A past tick is not the user's work.
    app.autosave.revision = Default::default();
    app.act(UiCommand::Timeline(TimelineCommand::Seek(1)));
    assert_eq!(written(&mut app), 0);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(120)));
    assert_eq!(written(&mut app), 1);
    // Another level with the same number of changes is a different version.
    told(&mut app, UiCommand::Reset);
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    shoot(&mut app);
    assert_eq!(written(&mut app), 1);
    let origin = play(&mut app).origin.clone();
    let path = app.folders.autosave_of(&origin);
    assert!(path.starts_with(folder.path().join("data/autosaves")));
    let bytes = std::fs::read(path).expect("written");
    assert!(String::from_utf8_lossy(&bytes).contains("breach_blast"));
}

#[test]
fn a_recording_is_never_replaced_by_a_level() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let path = folder.path().join("game.breach");
    recorded(&mut app, &path);
    let before = std::fs::read(&path).expect("there");
    told(&mut app, UiCommand::Open(path.clone().into()));
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(open_level(&app), path);
    let said = told(&mut app, UiCommand::SaveAs(path.clone()));
    let expected = "Not saved: game.breach does not end in .map.";
    assert_eq!(said, [(NoticeKind::Error, expected.into())]);
    assert_eq!(std::fs::read(&path).expect("there"), before);
    // After saving under another name, the path box shows that.
    let dug = folder.path().join("dug.map");
    told(&mut app, UiCommand::SaveAs(dug.clone()));
    assert_eq!(app.panels.level.path, dug.display().to_string());
}

#[test]
fn changes_made_while_another_level_opens_are_asked_about() {
    let (folder, mut app) = app();
    let other = folder.path().join("other.map");
    std::fs::write(&other, LEVEL).expect("written");
    app.act(UiCommand::Open(other.clone().into()));
    shoot(&mut app);
    let dug = hash(&mut app);
    finish_work(&mut app);
    let confirmation = app.confirmation.as_ref().expect("asked");
    assert!(matches!(confirmation.request, Some(Request::Begin(_))));
    assert_eq!(hash(&mut app), dug);
    told(&mut app, UiCommand::Confirm(Answer::Cancel));
    assert_eq!((hash(&mut app), app.confirmation.is_none()), (dug, true));
    // Changes from before the request were given up knowingly.
    app.act(UiCommand::Open(other.clone().into()));
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(open_level(&app), other);
    shoot(&mut app);
    app.act(UiCommand::Open(folder.path().join("open.map").into()));
    app.act(UiCommand::Confirm(Answer::Discard));
    shoot(&mut app);
    finish_work(&mut app);
    told(&mut app, UiCommand::Confirm(Answer::Save));
    let text = std::fs::read_to_string(&other).expect("there");
    assert_eq!(text.matches("breach_blast").count(), 2, "saved first");
    assert_eq!(open_level(&app), folder.path().join("open.map"));
}

#[test]
fn what_comes_of_saving_one_level_is_not_taken_for_another() {
    let (folder, mut app) = app();
    let other = folder.path().join("other.map");
    std::fs::write(&other, LEVEL).expect("written");
    shoot(&mut app);
    let saved = app.version().expect("a level");
    told(&mut app, UiCommand::Open(other.clone().into()));
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    shoot(&mut app);
    app.background
        .save(folder.path().join("late.map"), LEVEL.to_vec(), saved);
    finish_work(&mut app);
    assert_eq!(open_level(&app), other);
    assert!(play(&mut app).unsaved);
}

#[test]
fn undoing_back_to_what_was_saved_leaves_nothing_to_save() {
    let (folder, mut app) = app();
    shoot(&mut app);
    assert!(play(&mut app).unsaved);
    app.act(UiCommand::Undo);
    app.tick();
    assert!(!play(&mut app).unsaved);
    // The same after a save: the saved state counts.
    shoot(&mut app);
    told(&mut app, UiCommand::SaveAs(folder.path().join("dug.map")));
    shoot(&mut app);
    for (action, unsaved) in [
        (UiCommand::Undo, false),
        (UiCommand::Undo, true),
        (UiCommand::Redo, false),
        (UiCommand::Redo, true),
    ] {
        app.act(action.clone());
        app.tick();
        assert_eq!(play(&mut app).unsaved, unsaved, "{action:?}");
    }
    // Looking at an earlier tick does not make later changes safe.
    app.act(UiCommand::Timeline(TimelineCommand::Seek(0)));
    app.tick();
    assert!(play(&mut app).is_past() && play(&mut app).unsaved);
}

#[test]
fn a_question_stays_while_its_changes_are_saved_and_goes_on_by_itself() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let other = folder.path().join("other.map");
    std::fs::write(&other, LEVEL).expect("written");
    told(&mut app, UiCommand::Open(other.clone().into()));
    app.act(UiCommand::Confirm(Answer::Save));
    assert!(app.confirmation.as_ref().is_some_and(|q| q.saving));
    finish_work(&mut app);
    assert!(app.confirmation.is_none());
    assert_eq!(open_level(&app), other);
    // After a refusal it is open again with the reason.
    shoot(&mut app);
    let gone = folder.path().join("gone");
    std::fs::create_dir(&gone).expect("a folder");
    play(&mut app).origin = gone.join("level.map").into();
    std::fs::remove_dir(&gone).expect("removed");
    told(
        &mut app,
        UiCommand::Open(folder.path().join("open.map").into()),
    );
    told(&mut app, UiCommand::Confirm(Answer::Save));
    let confirmation = app.confirmation.as_ref().expect("still open");
    assert!(!confirmation.saving);
    assert!(
        confirmation
            .problem
            .as_ref()
            .is_some_and(|why| why.starts_with("Not saved: "))
    );
    // Saving by other means resolves it.
    told(&mut app, UiCommand::SaveAs(folder.path().join("saved.map")));
    assert!(app.confirmation.is_none());
}
