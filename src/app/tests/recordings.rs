//! The recording: seeking, recovery after a crash, branches.
use super::*;
use crate::ui::{TimelineCommand, TimelineMarkKind};

#[test]
fn settings_of_a_recording_are_not_those_of_the_next_level() {
    let (folder, mut app) = app();
    let mut settings = app.wanted.clone();
    settings.gravity = 3.0;
    app.wanted = settings;
    app.tick();
    let path = folder.path().join("light.breach");
    recorded(&mut app, &path);
    drop(app);
    let mut app = opened(folder.path());
    app.recover = None;
    let usual = app.wanted.gravity;
    told(&mut app, UiCommand::Open(path.into()));
    assert_eq!(app.wanted.gravity, 3.0);
    told(
        &mut app,
        UiCommand::Open(folder.path().join("open.map").into()),
    );
    assert_eq!(app.wanted.gravity, usual);
    let mut heavy = app.wanted.clone();
    heavy.gravity = 20.0;
    app.act(UiCommand::SetSettings(Box::new(heavy)));
    app.tick();
    told(&mut app, UiCommand::Reset);
    assert_eq!(app.wanted.gravity, 20.0);
}

#[test]
fn going_back_in_time_and_letting_the_mouse_go_end_what_the_hand_was_at() {
    let (_folder, mut app) = app();
    app.panels.tools.held.burst = 10;
    app.press_tool();
    app.release_tool();
    for _ in 0..15 {
        app.tick();
    }
    app.notices.clear();
    app.act(UiCommand::Timeline(TimelineCommand::Seek(1)));
    while play(&mut app).is_past() {
        app.tick();
    }
    assert!(app.notices.is_empty(), "what is left of a burst is no act");
    // While paused a burst starts with one tick and continues with the next ones.
    app.clock.paused = true;
    app.press_tool();
    app.release_tool();
    let before = play(&mut app).sim.tick;
    (0..5).for_each(|_| app.advance());
    assert_eq!(play(&mut app).sim.tick, before + 1);
    app.clock.paused = false;
    app.panels.tools.held.charge = true;
    app.press_tool();
    app.tick();
    assert!(app.held_tool.charging().is_some());
    app.release();
    assert_eq!(
        (app.held_tool.charging(), app.held_tool.fires()),
        (None, false)
    );
}

#[test]
fn a_run_that_died_is_offered_and_goes_on_where_it_stopped() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let (ticks, died) = (play(&mut app).sim.tick, state(&app));
    assert!(app.recover.is_none());
    // Dropped without an end, its recording counts as left by a crash.
    drop(app);
    let mut app = opened(folder.path());
    assert!(app.recover.is_some());
    // Keys do not move the player behind the dialog.
    app.hold(KeyCommand::Forward, true);
    assert_eq!(app.input.walk(), [0.0; 3]);
    told(&mut app, UiCommand::Recover(true));
    app.hold(KeyCommand::Forward, true);
    assert_eq!(app.input.walk(), [0.0, 0.0, 1.0]);
    app.hold(KeyCommand::Forward, false);
    assert!(app.recover.is_none());
    assert_eq!((play(&mut app).sim.tick, state(&app)), (ticks, died));
    assert_eq!(play(&mut app).sim.history.undo_steps(), 1);
}

#[test]
fn a_run_of_other_rules_that_died_says_so_goes_on_by_ours_and_stays_as_it_was() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let ticks = play(&mut app).sim.tick;
    drop(app);
    let left = folder.path().join("data/recordings/play-0001.breach");
    let text = std::fs::read_to_string(&left).expect("text");
    let rules = crate::level::rules::RULES;
    let old = text.replacen(&format!("\"rules\":{rules},"), "", 1);
    // Its hashes belong to other results.
    let digits = |text: &str| text.replace(|c: char| c.is_ascii_hexdigit(), "0");
    let lines = old
        .lines()
        .map(|line| match line.split_once("\"state_hash\"") {
            Some((tick, hashes)) => {
                let mut parts: Vec<String> = hashes.split('"').map(Into::into).collect();
                for value in parts.iter_mut().filter(|part| part.len() >= 16) {
                    *value = digits(value);
                }
                format!("{tick}\"state_hash\"{}\n", parts.join("\""))
            }
            None => format!("{line}\n"),
        });
    std::fs::write(&left, lines.collect::<String>()).expect("written");
    let mut app = opened(folder.path());
    let note = app.recover.as_ref().expect("offered").note();
    assert!(note.is_some_and(|note| note.starts_with("made by rules 1;")));
    let said = told(&mut app, UiCommand::Recover(true));
    let texts: Vec<&str> = said.iter().map(|(_, text)| text.as_str()).collect();
    assert!(
        texts
            .iter()
            .any(|text| text.starts_with("made by rules 1;")),
        "{texts:?}"
    );
    assert!(
        !texts.iter().any(|text| text.contains("differs")),
        "{texts:?}"
    );
    assert_eq!(play(&mut app).sim.tick, ticks);
    // From here on a new recording with our rules is written, from its first tick.
    shoot(&mut app);
    drop(app);
    let folder = folder.path().join("data/recordings");
    let anew = std::fs::read(folder.join("play-0003.breach")).expect("begun");
    let anew = crate::sim::recording::Recording::read(&anew).expect("whole");
    assert_eq!((anew.rules, anew.ticks), (rules, ticks + 120));
    let kept = std::fs::read_to_string(&left).expect("still there");
    assert!(!kept.contains("\"rules\"") && kept.ends_with("\"end\":true}\n"));
}

#[test]
fn a_data_folder_that_is_removed_in_play_is_noticed_and_the_recording_written_anew() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let data = folder.path().join("data");
    std::fs::remove_dir_all(&data).expect("removed");
    app.notices.clear();
    app.recording_seen -= Duration::from_secs(2);
    app.look_after_recording();
    let path = data.join("recordings/play-0001.breach");
    let text = format!(
        "The recording's file was deleted; it is saved again as {}",
        path.display()
    );
    let said: Vec<&str> = app.notices.iter().map(|n| n.text.as_str()).collect();
    assert_eq!(said, [text.as_str()]);
    assert!(play(&mut app).is_written());
    shoot(&mut app);
    let (ticks, died) = (play(&mut app).sim.tick, state(&app));
    drop(app);
    let mut app = opened(folder.path());
    told(&mut app, UiCommand::Recover(true));
    assert_eq!((play(&mut app).sim.tick, state(&app)), (ticks, died));
    // If it cannot be rewritten, one message says so, and the timeline no longer shows it as written.
    std::fs::remove_dir_all(&data).expect("removed");
    std::fs::write(&data, b"in the way").expect("written");
    app.notices.clear();
    for _ in 0..3 {
        app.recording_seen -= Duration::from_secs(2);
        app.look_after_recording();
    }
    let said: Vec<&str> = app.notices.iter().map(|n| n.text.as_str()).collect();
    assert!(
        matches!(said[..], [text] if text.contains("Not recorded: ")),
        "{said:?}"
    );
    assert!(!play(&mut app).is_written());
}

#[test]
fn a_failed_assertion_closes_the_level_and_keeps_a_report_that_leads_to_it() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let done = (play(&mut app).sim.tick, state(&app));
    // An impossible state: the next tick's number is off.
    play(&mut app).sim.tick += 7;
    app.queued.push(Action::Undo);
    assert!(
        !app.guarded(App::tick),
        "without a window there is nothing to offer it in"
    );
    assert!(app.play.is_none());
    let fault = app.fault.as_ref().expect("told");
    let path = fault.report.clone().expect("written");
    assert_eq!(path, folder.path().join("data/recordings/bug-0001.breach"));
    let report = std::fs::read(&path).expect("there");
    let report = crate::sim::recording::Recording::read(&report).expect("whole");
    assert_eq!((report.ticks, report.is_ended()), (done.0 + 1, true));
    assert_eq!(report.command(done.0).actions, [Action::Undo]);
    // Nothing else is done any more, and a second fault ends the program.
    app.act(UiCommand::Open(folder.path().join("open.map").into()));
    assert!(app.loading.is_none());
    assert!(!app.guarded(|_| panic!("again")));
    app.act(UiCommand::Key(KeyCommand::Quit));
    assert!(app.quit && app.guarded(App::end));
    // The next start offers to continue from before it.
    drop(app);
    let mut app = opened(folder.path());
    told(&mut app, UiCommand::Recover(true));
    assert_eq!((play(&mut app).sim.tick, state(&app)), done);
}

#[test]
fn acting_in_the_past_begins_a_recording_and_keeps_the_old_one() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let dug = hash(&mut app);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(1)));
    let before = hash(&mut app);
    assert_ne!(before, dug);
    app.act(UiCommand::Timeline(TimelineCommand::StepBack));
    assert!(app.clock.paused && play(&mut app).sim.tick == 0);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(120)));
    assert_eq!(hash(&mut app), dug);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(1)));
    app.act(UiCommand::Carve);
    app.tick();
    let is_told = |notice: &Notice| notice.text.starts_with("New recording from here");
    assert!(app.notices.iter().any(is_told));
    let recordings = std::fs::read_dir(folder.path().join("data/recordings")).expect("a folder");
    let names = recordings.flatten().map(|file| file.file_name());
    let kept = names.filter(|name| name.to_string_lossy().ends_with(".breach"));
    assert_eq!(kept.count(), 2);
}

#[test]
fn the_timeline_marks_changes_saves_and_branches_where_they_were() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let marks = |app: &mut App| -> Vec<(u64, TimelineMarkKind, String)> {
        let all = play(app).marks.all().iter();
        all.map(|mark| (mark.tick, mark.kind, mark.what.clone()))
            .collect()
    };
    let [(hit, TimelineMarkKind::Change, what)] = &marks(&mut app)[..] else {
        panic!("{:?}", marks(&mut app));
    };
    let hit = *hit;
    assert!(
        what.starts_with("blast: ") && what.ends_with(" removed"),
        "{what}"
    );
    // The first tick that shows the hole.
    let dug = hash(&mut app);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(hit - 1)));
    assert_ne!(hash(&mut app), dug);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(hit)));
    assert_eq!(hash(&mut app), dug);
    // Replaying it adds no second change.
    app.act(UiCommand::Timeline(TimelineCommand::Seek(0)));
    app.clock.paused = false;
    while play(&mut app).is_past() {
        app.tick();
    }
    assert_eq!(marks(&mut app).len(), 1);
    let end = play(&mut app).sim.tick;
    told(&mut app, UiCommand::SaveAs(folder.path().join("dug.map")));
    let saved = (end, TimelineMarkKind::Save, "saved dug.map".to_string());
    assert_eq!(marks(&mut app)[1..], [saved]);
    // An opened recording has its changes.
    let path = folder.path().join("tape.breach");
    recorded(&mut app, &path);
    app.act(UiCommand::Timeline(TimelineCommand::Seek(hit + 1)));
    app.act(UiCommand::Carve);
    app.tick();
    let kinds = |app: &mut App| -> Vec<(u64, TimelineMarkKind)> {
        marks(app).iter().map(|mark| (mark.0, mark.1)).collect()
    };
    let wanted = [
        (hit, TimelineMarkKind::Change),
        (hit + 1, TimelineMarkKind::Branch),
        (hit + 2, TimelineMarkKind::Change),
    ];
    assert_eq!(kinds(&mut app), wanted);
    told(&mut app, UiCommand::Open(path.into()));
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(kinds(&mut app), [(hit, TimelineMarkKind::Change)]);
}

#[test]
fn who_acts_in_the_past_sees_time_run_and_who_tunes_does_not() {
    let (_folder, mut app) = app();
    for _ in 0..20 {
        app.tick();
    }
    app.act(UiCommand::Timeline(TimelineCommand::StepBack));
    app.act(UiCommand::Timeline(TimelineCommand::Seek(5)));
    assert!(app.clock.paused);
    app.wanted.gravity = 5.0;
    app.tick();
    assert!(app.clock.paused && !play(&mut app).is_past());
    app.act(UiCommand::Timeline(TimelineCommand::Seek(3)));
    app.press_tool();
    app.release_tool();
    app.tick();
    assert!(!app.clock.paused && !play(&mut app).sim.rockets.is_empty());
}

#[test]
fn presses_of_the_key_for_one_tick_back_are_carried_out_together() {
    let (_folder, mut app) = app();
    for _ in 0..20 {
        app.tick();
    }
    app.steps_back = 7;
    app.advance();
    assert_eq!((play(&mut app).sim.tick, app.clock.paused), (13, true));
    app.advance();
    assert_eq!(play(&mut app).sim.tick, 13);
    // More than there are ticks.
    app.steps_back = 100;
    app.take_steps_back();
    assert_eq!(play(&mut app).sim.tick, 0);
}
