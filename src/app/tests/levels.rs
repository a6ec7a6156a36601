//! Built-in levels are available in any folder, recent files are offered, and nothing is overwritten unasked.
use super::*;
use crate::app::background::{FileDialog, Outcome};

/// The program started in an empty folder without arguments.
fn app() -> (tempfile::TempDir, App) {
    let folder = tempfile::tempdir().expect("a folder");
    let app = begun(folder.path(), None);
    (folder, app)
}

fn title(app: &App) -> String {
    let play = app.play.as_ref();
    play.map(|play| play.origin.title()).unwrap_or_default()
}

/// Answers the open dialog, waits, and returns the dialog's purpose and starting path.
fn answered(
    app: &mut App,
    outcome: impl FnOnce(FileDialog) -> Outcome,
) -> (FileDialog, Option<PathBuf>) {
    let shown = app.background.answer(outcome);
    // First take in the answer, then wait for the writes that follow.
    finish_work(app);
    finish_work(app);
    shown
}

/// Every level file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false if path.extension().is_some_and(|end| end == "map") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

#[test]
fn a_start_opens_the_bunker_and_only_offers_what_was_open_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = folder.path().join("maps/bunker.map");
    std::fs::create_dir(folder.path().join("maps")).expect("made");
    std::fs::write(&mine, LEVEL).expect("written");
    let app = started(folder.path(), mine.clone());
    assert_eq!(title(&app), "bunker.map (maps)");
    drop(app);
    let mut app = begun(folder.path(), None);
    assert_eq!(title(&app), "bunker.map (built in)");
    assert_eq!(app.panels.level.path, "");
    let offer = "Recent file: bunker.map (maps). ";
    assert!(
        app.notices
            .iter()
            .any(|notice| notice.text.starts_with(offer))
    );
    let recent: Vec<&LevelEntry> = app.levels.iter().filter(|level| level.recent).collect();
    assert_eq!(recent.len(), 1);
    assert_eq!(recent[0].origin.path(), Some(&*mine));
    shoot(&mut app);
    told(&mut app, UiCommand::Save);
    assert_eq!(std::fs::read(&mine).expect("there"), LEVEL);
}

#[test]
fn saving_a_level_of_the_program_asks_where_and_saves_there_from_then_on() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let nothing: [(NoticeKind, String); 0] = [];
    assert_eq!(told(&mut app, UiCommand::Save), nothing);
    // Without an answer nothing is written.
    let (ask, at) = answered(&mut app, |ask| Outcome::Chosen(ask, None));
    assert_eq!(ask, FileDialog::SaveAs(app.opened));
    assert_eq!(at, Some(folder.path().join("documents/bunker.map")));
    assert!(files(folder.path()).is_empty());
    assert!(app.play.as_ref().is_some_and(|play| play.unsaved));
    // Without a dialog, the path box proposes a path.
    app.act(UiCommand::Save);
    answered(&mut app, |_| Outcome::NoDialog);
    let proposed = folder.path().join("documents/bunker.map");
    assert_eq!(app.panels.level.path, proposed.display().to_string());
    // After the answer it is a file like any other.
    let dug = folder.path().join("dug.map");
    app.act(UiCommand::Save);
    answered(&mut app, |ask| Outcome::Chosen(ask, Some(dug.clone())));
    assert_eq!(open_level(&app), dug);
    assert!(app.play.as_ref().is_some_and(|play| !play.unsaved));
    shoot(&mut app);
    let said = told(&mut app, UiCommand::Save);
    assert_eq!(
        said,
        [(NoticeKind::Info, format!("Saved {}", dug.display()))]
    );
    let text = std::fs::read_to_string(&dug).expect("there");
    assert_eq!(text.matches("breach_blast").count(), 2);
    assert_eq!(files(folder.path()), [dug]);
}

#[test]
fn what_is_asked_about_before_another_level_opens_is_saved_where_one_says() {
    let (folder, mut app) = app();
    shoot(&mut app);
    app.press(KeyCommand::NextLevel);
    told(&mut app, UiCommand::Confirm(Answer::Save));
    let dug = folder.path().join("dug.map");
    answered(&mut app, |ask| Outcome::Chosen(ask, Some(dug.clone())));
    assert!(dug.is_file());
    assert_eq!(title(&app), "caves.map (built in)");
}

#[test]
fn another_file_is_replaced_when_that_is_agreed_to_and_not_before() {
    let (folder, mut app) = app();
    let other = folder.path().join("other.map");
    std::fs::write(&other, LEVEL).expect("written");
    shoot(&mut app);
    let asked = |app: &App| {
        let confirmation = app.confirmation.as_ref();
        confirmation.is_some_and(|q| q.replace.as_ref() == Some(&other))
    };
    told(&mut app, UiCommand::SaveAs(other.clone()));
    assert!(asked(&app));
    told(&mut app, UiCommand::Confirm(Answer::Cancel));
    assert_eq!(std::fs::read(&other).expect("there"), LEVEL);
    assert_eq!(title(&app), "bunker.map (built in)");
    // The dialog has asked about the typed name; adding the extension makes it another file.
    let typed = other.with_extension("");
    app.act(UiCommand::Save);
    answered(&mut app, |ask| Outcome::Chosen(ask, Some(typed)));
    assert!(asked(&app));
    told(&mut app, UiCommand::Confirm(Answer::Save));
    assert_ne!(std::fs::read(&other).expect("there"), LEVEL);
    assert_eq!(open_level(&app), other);
    // Now it is the open file.
    shoot(&mut app);
    told(&mut app, UiCommand::SaveAs(other.clone()));
    assert!(app.confirmation.is_none() && app.play.as_ref().is_some_and(|play| !play.unsaved));
}

#[test]
fn page_down_walks_our_levels_and_those_of_a_folder_and_no_level_twice() {
    let (folder, mut app) = app();
    let own = folder.path().join("levels");
    std::fs::create_dir(&own).expect("made");
    std::fs::write(own.join("range.map"), LEVEL).expect("written");
    std::fs::write(own.join("small.map"), LEVEL).expect("written");
    app.levels = app.folders.levels();
    let walk = |command, app: &mut App| {
        app.press(command);
        finish_work(app);
        title(app)
    };
    let built_in = |name: &str| format!("{name}.map (built in)");
    let small = "small.map (levels)".to_owned();
    let ours = ["caves", "pillars", "range", "tower"].map(built_in);
    for next in ours.iter().chain([&small]) {
        assert_eq!(walk(KeyCommand::NextLevel, &mut app), *next);
    }
    assert_eq!(walk(KeyCommand::NextLevel, &mut app), built_in("bridge"));
    assert_eq!(walk(KeyCommand::PreviousLevel, &mut app), small);
    assert_eq!(walk(KeyCommand::PreviousLevel, &mut app), built_in("tower"));
    // A copy opened by its path counts as the built-in level.
    told(&mut app, UiCommand::Open(own.join("range.map").into()));
    assert_eq!(title(&app), "range.map (levels)");
    assert_eq!(walk(KeyCommand::NextLevel, &mut app), built_in("tower"));
}

#[test]
fn a_recording_of_a_level_of_the_program_has_the_level_in_it() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let died = state(&app);
    let recording = app.play.as_ref().map(|play| play.timeline.recording());
    let level = &recording.expect("a level").level;
    let own = builtin::find(builtin::START).expect("ours").bytes();
    assert_eq!(level.bytes(), Some(own));
    // After a crash it continues, too, and is no file to save to.
    drop(app);
    let mut app = begun(folder.path(), None);
    told(&mut app, UiCommand::Recover(true));
    assert_eq!(state(&app), died);
    assert_eq!(title(&app), "play-0001.breach (recordings)");
    app.act(UiCommand::Save);
    answered(&mut app, |ask| Outcome::Chosen(ask, None));
    assert!(files(folder.path()).is_empty());
}

#[test]
fn reset_and_autosave_know_a_level_of_the_program() {
    let (folder, mut app) = app();
    let whole = state(&app);
    shoot(&mut app);
    app.autosave.last -= Duration::from_secs(3600);
    app.autosave();
    finish_work(&mut app);
    let aside = folder.path().join("data/autosaves/bunker.map");
    assert_eq!(files(folder.path()), [aside]);
    told(&mut app, UiCommand::Reset);
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(
        (title(&app).as_str(), state(&app)),
        ("bunker.map (built in)", whole)
    );
}
