//! What is asked for is done.
use super::*;
use crate::level::SavedOperation;
use crate::sim::Body;
use crate::ui::{Hand, PanelId, TimelineAction};
use glam::{DVec2, DVec3};

/// A folder with a level in it, and the program with that level open.
fn app() -> (tempfile::TempDir, App) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("open.map"), LEVEL).expect("written");
    let app = opened(folder.path());
    (folder, app)
}

fn play(app: &mut App) -> &mut play::Play {
    app.play.as_mut().expect("a level")
}

fn hash(app: &mut App) -> u64 {
    play(app).sim.world.hash()
}

#[test]
fn opening_is_cancelled_and_the_open_level_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("open.map"), LEVEL).expect("written");
    let mut app = opened(folder.path());
    let before = (open_level(&app), state(&app));
    let big = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/bunker.map");
    app.act(UiAction::Open(big.into()));
    assert!(app.loading.is_some());
    let said = told(&mut app, UiAction::CancelLoading);
    assert_eq!(said, [(NoticeKind::Info, "Opening was cancelled.".into())]);
    assert_eq!((open_level(&app), state(&app)), before);
}

#[test]
fn what_was_saved_opens_again_as_the_same_world() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let dug = hash(&mut app);
    let path = folder.path().join("dug.map");
    let said = told(&mut app, UiAction::SaveAs(path.clone()));
    let saved = format!("Saved {}", path.display());
    assert_eq!(said, [(NoticeKind::Info, saved)]);
    assert!(!play(&mut app).unsaved);
    told(
        &mut app,
        UiAction::Open(folder.path().join("open.map").into()),
    );
    assert_ne!(hash(&mut app), dug);
    told(&mut app, UiAction::Open(path.into()));
    assert_eq!(hash(&mut app), dug);
    assert!(
        app.levels
            .iter()
            .any(|level| level.origin.file_name() == "dug.map" && level.recent)
    );
}

fn is_asked_to_open(app: &App, path: &Path) -> bool {
    let question = app.question.as_ref();
    question.is_some_and(
        |q| matches!(&q.pending, Some(Pending::Open(asked)) if asked.path() == Some(path)),
    )
}

#[test]
fn what_would_lose_changes_is_asked_first() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    shoot(&mut app);
    let dug = hash(&mut app);
    let away = || UiAction::Open(path.clone().into());
    told(&mut app, away());
    assert!(is_asked_to_open(&app, &path));
    // Until it is answered no key changes what was asked about.
    for does in [Does::Undo, Does::Reset, Does::NextLevel, Does::Carve] {
        told(&mut app, UiAction::Press(does));
        assert!(app.queued.is_empty(), "{does:?}");
        assert!(is_asked_to_open(&app, &path));
        assert_eq!(hash(&mut app), dug);
    }
    told(&mut app, UiAction::Unsaved(None));
    assert_eq!((hash(&mut app), app.question.is_none()), (dug, true));
    // Saved first, it is there again.
    told(&mut app, away());
    told(&mut app, UiAction::Unsaved(Some(true)));
    assert_eq!((hash(&mut app), play(&mut app).unsaved), (dug, false));
    shoot(&mut app);
    told(&mut app, away());
    told(&mut app, UiAction::Unsaved(Some(false)));
    assert_eq!(hash(&mut app), dug);
    shoot(&mut app);
    app.press(Does::Quit);
    assert!(!app.quit);
    app.act(UiAction::Unsaved(Some(false)));
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
        settle(app);
        app.notices.len()
    };
    assert_eq!([written(&mut app), written(&mut app)], [1, 0]);
    // A tick that is looked at is nobody's work.
    app.autosave.revision = Default::default();
    app.act(UiAction::Timeline(TimelineAction::Seek(1)));
    assert_eq!(written(&mut app), 0);
    app.act(UiAction::Timeline(TimelineAction::Seek(120)));
    assert_eq!(written(&mut app), 1);
    // Another level with as many changes is another.
    told(&mut app, UiAction::Reset);
    told(&mut app, UiAction::Unsaved(Some(false)));
    shoot(&mut app);
    assert_eq!(written(&mut app), 1);
    let path = folder.path().join("data/autosaves/open.map");
    let bytes = std::fs::read(path).expect("written");
    assert!(String::from_utf8_lossy(&bytes).contains("breach_blast"));
}

/// A recording of the open level, in a file of its own.
fn recorded(app: &mut App, path: &Path) {
    let mut bytes = Vec::new();
    let written = play(app).timeline.recording().write(&mut bytes);
    written.expect("memory takes it");
    std::fs::write(path, bytes).expect("written");
}

#[test]
fn a_recording_is_never_replaced_by_a_level() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let path = folder.path().join("game.breach");
    recorded(&mut app, &path);
    let before = std::fs::read(&path).expect("there");
    told(&mut app, UiAction::Open(path.clone().into()));
    told(&mut app, UiAction::Unsaved(Some(false)));
    assert_eq!(open_level(&app), path);
    let said = told(&mut app, UiAction::SaveAs(path.clone()));
    let expected = "Not saved: game.breach is no level's name, which ends in .map.";
    assert_eq!(said, [(NoticeKind::Error, expected.into())]);
    assert_eq!(std::fs::read(&path).expect("there"), before);
    // Saved under another name, that is the one in the box from then on.
    let dug = folder.path().join("dug.map");
    told(&mut app, UiAction::SaveAs(dug.clone()));
    assert_eq!(app.panels.level.path, dug.display().to_string());
}

#[test]
fn changes_made_while_another_level_opens_are_asked_about() {
    let (folder, mut app) = app();
    let other = folder.path().join("other.map");
    std::fs::write(&other, LEVEL).expect("written");
    app.act(UiAction::Open(other.clone().into()));
    shoot(&mut app);
    let dug = hash(&mut app);
    settle(&mut app);
    let question = app.question.as_ref().expect("asked");
    assert!(matches!(question.pending, Some(Pending::Begin(_))));
    assert_eq!(hash(&mut app), dug);
    told(&mut app, UiAction::Unsaved(None));
    assert_eq!((hash(&mut app), app.question.is_none()), (dug, true));
    // Those that were there when it was asked are known to be lost.
    app.act(UiAction::Open(other.clone().into()));
    told(&mut app, UiAction::Unsaved(Some(false)));
    assert_eq!(open_level(&app), other);
    shoot(&mut app);
    app.act(UiAction::Open(folder.path().join("open.map").into()));
    app.act(UiAction::Unsaved(Some(false)));
    shoot(&mut app);
    settle(&mut app);
    told(&mut app, UiAction::Unsaved(Some(true)));
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
    let saved = app.edition().expect("a level");
    told(&mut app, UiAction::Open(other.clone().into()));
    told(&mut app, UiAction::Unsaved(Some(false)));
    shoot(&mut app);
    app.background
        .save(folder.path().join("late.map"), LEVEL.to_vec(), saved);
    settle(&mut app);
    assert_eq!(open_level(&app), other);
    assert!(play(&mut app).unsaved);
}

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
    told(&mut app, UiAction::Open(path.into()));
    assert_eq!(app.wanted.gravity, 3.0);
    told(
        &mut app,
        UiAction::Open(folder.path().join("open.map").into()),
    );
    assert_eq!(app.wanted.gravity, usual);
    let mut heavy = app.wanted.clone();
    heavy.gravity = 20.0;
    app.act(UiAction::Set(Box::new(heavy)));
    app.tick();
    told(&mut app, UiAction::Reset);
    assert_eq!(app.wanted.gravity, 20.0);
}

#[test]
fn a_key_is_chosen_with_those_held_beside_it_and_escape_is_left_alone() {
    let (_folder, mut app) = app();
    let press = |app: &mut App, does, code, ctrl| {
        app.notices.clear();
        app.rebinding = Some(does);
        app.rebind(does, code, ctrl);
        app.rebinding.is_none()
    };
    // On the way to a letter nothing is chosen yet.
    for code in [KeyCode::ControlLeft, KeyCode::ShiftLeft, KeyCode::AltLeft] {
        assert!(!press(&mut app, Does::SaveAs, code, false), "{code:?}");
    }
    app.modifiers = ModifiersState::SHIFT | ModifiersState::CONTROL;
    assert!(press(&mut app, Does::SaveAs, KeyCode::KeyE, true));
    assert_eq!(app.keys.find(KeyCode::KeyE, true, true), Some(Does::SaveAs));
    assert!(app.notices[0].text.contains("Ctrl+Shift+E"));
    app.modifiers = ModifiersState::empty();
    assert!(press(&mut app, Does::Carve, KeyCode::Escape, false));
    assert!(app.notices.is_empty());
    // What one runs with may be Alt.
    assert!(press(&mut app, Does::Fast, KeyCode::AltLeft, false));
    assert!(press(&mut app, Does::Release, KeyCode::F13, false));
    assert!(press(&mut app, Does::Release, KeyCode::Escape, false));
    let released = app.keys.find(KeyCode::Escape, false, false);
    assert_eq!(released, Some(Does::Release));
}

#[test]
fn going_back_in_time_and_letting_the_mouse_go_end_what_the_hand_was_at() {
    let (_folder, mut app) = app();
    app.panels.tools.hand.burst = 10;
    app.hand_down();
    app.hand_up();
    for _ in 0..15 {
        app.tick();
    }
    app.notices.clear();
    app.act(UiAction::Timeline(TimelineAction::Seek(1)));
    while play(&mut app).is_past() {
        app.tick();
    }
    assert!(app.notices.is_empty(), "what is left of a burst is no act");
    // While all is held a burst begins with one tick, and goes on with the others.
    app.clock.paused = true;
    app.hand_down();
    app.hand_up();
    let before = play(&mut app).sim.tick;
    (0..5).for_each(|_| app.advance());
    assert_eq!(play(&mut app).sim.tick, before + 1);
    app.clock.paused = false;
    app.panels.tools.hand.charge = true;
    app.hand_down();
    app.tick();
    assert!(app.hand.charging().is_some());
    app.release();
    assert_eq!((app.hand.charging(), app.hand.fires()), (None, false));
}

#[test]
fn a_run_that_died_is_offered_and_goes_on_where_it_stopped() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let (ticks, died) = (play(&mut app).sim.tick, state(&app));
    assert!(app.recover.is_none());
    // Dropped and not ended, its recording counts as left by a crash.
    drop(app);
    let mut app = opened(folder.path());
    assert!(app.recover.is_some());
    told(&mut app, UiAction::Recover(true));
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
    // Its hashes are of other results.
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
    let said = told(&mut app, UiAction::Recover(true));
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
    // What is recorded from here on is a recording of our rules, from its first tick.
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
        "The file of the recording was removed; all of it is written anew: {}",
        path.display()
    );
    let said: Vec<&str> = app.notices.iter().map(|n| n.text.as_str()).collect();
    assert_eq!(said, [text.as_str()]);
    assert!(play(&mut app).is_written());
    shoot(&mut app);
    let (ticks, died) = (play(&mut app).sim.tick, state(&app));
    drop(app);
    let mut app = opened(folder.path());
    told(&mut app, UiAction::Recover(true));
    assert_eq!((play(&mut app).sim.tick, state(&app)), (ticks, died));
    // Where it cannot be written again that is said, once, and the timeline no longer says that it is.
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
    // A state that cannot be: the tick after this one would not be the next.
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
    // Nothing else is done any more, and a second one ends the program.
    app.act(UiAction::Open(folder.path().join("open.map").into()));
    assert!(app.loading.is_none());
    assert!(!app.guarded(|_| panic!("again")));
    app.act(UiAction::Press(Does::Quit));
    assert!(app.quit && app.guarded(App::end));
    // The next start offers to go on from before it.
    drop(app);
    let mut app = opened(folder.path());
    told(&mut app, UiAction::Recover(true));
    assert_eq!((play(&mut app).sim.tick, state(&app)), done);
}

#[test]
fn acting_in_the_past_begins_a_recording_and_keeps_the_old_one() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let dug = hash(&mut app);
    app.act(UiAction::Timeline(TimelineAction::Seek(1)));
    let before = hash(&mut app);
    assert_ne!(before, dug);
    app.act(UiAction::Timeline(TimelineAction::StepBack));
    assert!(app.clock.paused && play(&mut app).sim.tick == 0);
    app.act(UiAction::Timeline(TimelineAction::Seek(120)));
    assert_eq!(hash(&mut app), dug);
    app.act(UiAction::Timeline(TimelineAction::Seek(1)));
    app.act(UiAction::Carve);
    app.tick();
    let is_told = |notice: &Notice| notice.text.starts_with("A new recording begins here");
    assert!(app.notices.iter().any(is_told));
    let recordings = std::fs::read_dir(folder.path().join("data/recordings")).expect("a folder");
    let names = recordings.flatten().map(|file| file.file_name());
    let kept = names.filter(|name| name.to_string_lossy().ends_with(".breach"));
    assert_eq!(kept.count(), 2);
}

#[test]
fn a_blast_grows_while_the_button_is_held_a_burst_follows_and_the_settings_stay() {
    let (folder, mut app) = app();
    let panel = &mut app.panels.tools.hand;
    (panel.hand, panel.charge, panel.burst) = (Hand::Rocket, true, 3);
    app.wanted.blast_radius = 1.25;
    app.hand_down();
    let mut radii = Vec::new();
    for _ in 0..60 {
        app.tick();
        radii.push(app.hand.charging().expect("it is held"));
    }
    // It doubles in half a second.
    assert!(radii.is_sorted() && radii[59] > 3.5 * radii[0], "{radii:?}");
    assert!(play(&mut app).sim.rockets.is_empty());
    app.hand_up();
    assert_eq!(app.hand.charging(), None);
    for _ in 0..90 {
        app.tick();
    }
    // What the panel says is as it was, before and after.
    assert_eq!(app.wanted.blast_radius, 1.25);
    assert_eq!(play(&mut app).sim.settings.blast_radius, 1.25);
    let blasts = |app: &mut App| -> Vec<f64> {
        let since = &play(app).sim.level.since;
        let radius = |saved: &SavedOperation| match saved {
            SavedOperation::Blast { radius, .. } => *radius,
            SavedOperation::Brushes(_) => 0.0,
        };
        since.iter().map(radius).collect()
    };
    assert_eq!(blasts(&mut app), [radii[59]; 3]);
    app.panels.tools.hand.charge = false;
    app.panels.tools.hand.burst = 1;
    app.hand_down();
    app.hand_up();
    for _ in 0..90 {
        app.tick();
    }
    assert_eq!(blasts(&mut app)[3..], [1.25]);
    // Played again the same holes come of it.
    let died = state(&app);
    let path = folder.path().join("charged.breach");
    recorded(&mut app, &path);
    let said = told(&mut app, UiAction::Open(path.into()));
    assert_eq!(app.question.is_some(), said.is_empty());
    told(&mut app, UiAction::Unsaved(Some(false)));
    assert_eq!(state(&app), died);
}

#[test]
fn a_click_of_the_sight_tool_marks_at_once_and_the_next_one_elsewhere() {
    let (_folder, mut app) = app();
    app.panels.tools.hand.hand = Hand::Sight;
    assert!(!app.panels.dock.is_seen(PanelId::Inspect));
    for turn in [0.0, 0.2] {
        app.input.yaw += turn;
        app.hand_down();
        app.hand_up();
        assert!(app.panels.dock.is_seen(PanelId::Inspect));
        let App {
            play, inspector, ..
        } = &mut app;
        let sim = &play.as_ref().expect("a level").sim;
        let camera = Camera::ahead(sim.player.eye);
        let inks = crate::view::Palette::Standard.inks();
        inspector.look(sim, &camera, None, DVec2::ONE, &inks);
        let is_clear = inspector.found.sight.as_ref().map(|sight| sight.0);
        assert_eq!(is_clear, Some(true), "what was clicked is in sight");
    }
}

#[test]
fn a_body_is_carried_before_the_eye_and_thrown() {
    let (_folder, mut app) = app();
    app.panels.tools.hand.hand = Hand::Grab;
    app.hand_down();
    assert_eq!(
        app.notices.last().map(|n| n.kind),
        Some(NoticeKind::Warning)
    );
    let sim = &mut play(&mut app).sim;
    let at = sim.player.eye + sim.look_dir() * 2.0;
    sim.bodies
        .change(|bodies| bodies.push(Body::new(at, 0.1, 0)));
    app.hand_down();
    for _ in 0..30 {
        app.tick();
    }
    let sim = &play(&mut app).sim;
    let held = sim.player.eye + sim.look_dir() * 2.0;
    assert!(sim.bodies[0].position.distance(held) < 0.3, "it fell");
    let look = sim.look_dir();
    app.hand_throw();
    app.tick();
    let thrown = play(&mut app).sim.bodies[0].velocity;
    assert!(thrown.dot(look) > 10.0, "{thrown}");
}

#[test]
fn one_flies_to_what_is_clicked() {
    let (_folder, mut app) = app();
    let eye = play(&mut app).sim.player.eye;
    let to = eye + DVec3::Y * 0.5;
    app.act(UiAction::FlyTo(to));
    app.tick();
    assert!(play(&mut app).sim.player.eye.distance(to) < 0.2);
    // The first brush of the file, which is solid: one looks from inside it.
    let text = String::from_utf8_lossy(LEVEL);
    let line = text
        .lines()
        .position(|line| line.starts_with('('))
        .expect("a brush") as u32
        + 1;
    app.act(UiAction::FlyToLine(line));
    app.tick();
    let place = crate::level::place_of_line(&play(&mut app).sim.level.file, line).expect("a place");
    assert!(play(&mut app).sim.player.eye.distance(place) < 0.5);
    app.notices.clear();
    app.act(UiAction::LookAt(place + DVec3::X));
    let look = crate::sim::command::look_dir(app.input.yaw, app.input.pitch);
    assert!(look.x > 0.8, "{look}");
}

#[test]
fn one_flies_along_the_way_out_until_one_wishes_to_move() {
    let (_folder, mut app) = app();
    app.act(UiAction::FlyOut(true));
    assert!(app.flight.is_none(), "nothing leaks");
    let eye = play(&mut app).sim.player.eye;
    let way = [eye, eye + DVec3::Y, eye + DVec3::new(4.0, 1.0, 0.0)];
    play(&mut app).sim.world.leak = way.to_vec();
    app.clock.paused = true;
    app.act(UiAction::FlyOut(true));
    assert!(!app.clock.paused);
    let mut nearest = f64::INFINITY;
    for _ in 0..300 {
        app.tick();
        nearest = nearest.min(play(&mut app).sim.player.eye.distance(way[1]));
    }
    assert!(app.flight.is_none() && nearest < 0.1, "{nearest}");
    let sim = &play(&mut app).sim;
    assert!(sim.player.eye.distance(way[2]) < 0.01, "{}", sim.player.eye);
    assert!(sim.look_dir().x > 0.9, "{}", sim.look_dir());
    // A recording of it plays as it was.
    app.act(UiAction::FlyOut(true));
    (0..10).for_each(|_| app.tick());
    assert!(app.flight.is_some());
    app.input.hold(Does::Forward, true);
    app.tick();
    assert!(app.flight.is_none());
    app.input.clear();
    let before = state(&app);
    let now = play(&mut app).sim.tick;
    app.act(UiAction::Timeline(TimelineAction::Seek(now - 5)));
    app.act(UiAction::Timeline(TimelineAction::Seek(now)));
    assert_eq!(state(&app), before);
}

#[test]
fn the_worst_frame_is_held_until_it_is_let_go() {
    let (_folder, mut app) = app();
    app.act(UiAction::HoldWorst(true));
    for ms in [1, 30, 1] {
        app.recorder.begin_frame();
        std::thread::sleep(Duration::from_millis(ms));
        app.recorder.end_frame();
        app.look_at_frame();
        app.tick();
    }
    let worst = app.worst.1.as_ref().expect("held");
    assert!(worst.frame.whole_ms >= 30.0 && worst.tick == 1, "{worst:?}");
    app.act(UiAction::HoldWorst(false));
    assert!(app.worst.1.is_none());
}

#[test]
fn undoing_back_to_what_was_saved_leaves_nothing_to_save() {
    let (folder, mut app) = app();
    shoot(&mut app);
    assert!(play(&mut app).unsaved);
    app.act(UiAction::Undo);
    app.tick();
    assert!(!play(&mut app).unsaved);
    // The same after a save: what was saved is what counts.
    shoot(&mut app);
    told(&mut app, UiAction::SaveAs(folder.path().join("dug.map")));
    shoot(&mut app);
    for (action, unsaved) in [
        (UiAction::Undo, false),
        (UiAction::Undo, true),
        (UiAction::Redo, false),
        (UiAction::Redo, true),
    ] {
        app.act(action.clone());
        app.tick();
        assert_eq!(play(&mut app).unsaved, unsaved, "{action:?}");
    }
    // An earlier tick that is looked at does not make the later changes safe.
    app.act(UiAction::Timeline(TimelineAction::Seek(0)));
    app.tick();
    assert!(play(&mut app).is_past() && play(&mut app).unsaved);
}

#[test]
fn a_question_stays_while_its_changes_are_saved_and_goes_on_by_itself() {
    let (folder, mut app) = app();
    shoot(&mut app);
    let other = folder.path().join("other.map");
    std::fs::write(&other, LEVEL).expect("written");
    told(&mut app, UiAction::Open(other.clone().into()));
    app.act(UiAction::Unsaved(Some(true)));
    assert!(app.question.as_ref().is_some_and(|q| q.saving));
    settle(&mut app);
    assert!(app.question.is_none());
    assert_eq!(open_level(&app), other);
    // Refused, it is open again and says why.
    shoot(&mut app);
    let gone = folder.path().join("gone");
    std::fs::create_dir(&gone).expect("a folder");
    play(&mut app).origin = gone.join("level.map").into();
    std::fs::remove_dir(&gone).expect("removed");
    told(
        &mut app,
        UiAction::Open(folder.path().join("open.map").into()),
    );
    told(&mut app, UiAction::Unsaved(Some(true)));
    let question = app.question.as_ref().expect("still open");
    assert!(!question.saving);
    assert!(
        question
            .problem
            .as_ref()
            .is_some_and(|why| why.starts_with("Not saved: "))
    );
    // Saved by other means, it is done with.
    told(&mut app, UiAction::SaveAs(folder.path().join("saved.map")));
    assert!(app.question.is_none());
}

#[test]
fn who_acts_in_the_past_sees_time_run_and_who_tunes_does_not() {
    let (_folder, mut app) = app();
    for _ in 0..20 {
        app.tick();
    }
    app.act(UiAction::Timeline(TimelineAction::StepBack));
    app.act(UiAction::Timeline(TimelineAction::Seek(5)));
    assert!(app.clock.paused);
    app.wanted.gravity = 5.0;
    app.tick();
    assert!(app.clock.paused && !play(&mut app).is_past());
    app.act(UiAction::Timeline(TimelineAction::Seek(3)));
    app.hand_down();
    app.hand_up();
    app.tick();
    assert!(!app.clock.paused && !play(&mut app).sim.rockets.is_empty());
}

#[test]
fn what_has_no_effect_names_its_reason_for_a_moment() {
    let (_folder, mut app) = app();
    // Bedrock is what lies under the floor of the range.
    let miss = |app: &mut App| play(app).miss().map(str::to_owned);
    assert_eq!(miss(&mut app), None);
    app.queued.push(Action::NoClip(true));
    app.queued.push(Action::Teleport([0.0, 500.0, 0.0]));
    app.tick();
    app.act(UiAction::Carve);
    app.tick();
    let why = miss(&mut app).expect("a reason");
    assert!(why.contains("inside rock"), "{why}");
    for _ in 0..150 {
        app.tick();
    }
    assert_eq!(miss(&mut app), None);
}

#[test]
fn no_picture_is_due_where_nothing_moves_and_each_thing_that_moves_brings_one() {
    let (_folder, mut app) = app();
    let long_after = || Instant::now() + Duration::from_secs(60);
    let rest = |app: &mut App| {
        for _ in 0..400 {
            app.tick();
        }
        app.notices.clear();
        assert!(!app.is_picture_due(long_after()), "at rest");
    };
    rest(&mut app);
    shoot(&mut app);
    assert!(app.is_picture_due(Instant::now()), "crumbs and smoke");
    rest(&mut app);
    // While time is held nothing moves, whatever flies.
    app.hand_down();
    app.hand_up();
    app.tick();
    assert!(app.is_picture_due(Instant::now()));
    app.clock.paused = true;
    assert!(!app.is_picture_due(long_after()));
    app.clock.paused = false;
    rest(&mut app);
    type Act = (&'static str, fn(&mut App));
    let does: [Act; 5] = [
        ("a key is held", |app| app.input.hold(Does::Forward, true)),
        ("a message", |app| app.notify(NoticeKind::Info, "x".into())),
        ("a level opens", |app| {
            app.open(PathBuf::from("gone.map").into())
        }),
        ("a picture is wanted", |app| app.picture_wanted = true),
        ("timings are recorded", |app| app.recorder.record(true)),
    ];
    for (what, act) in does {
        act(&mut app);
        assert!(app.is_picture_due(Instant::now()), "{what}");
        app.input.clear();
        app.picture_wanted = false;
        app.recorder.record(false);
        settle(&mut app);
        rest(&mut app);
    }
    // What the panels asked for comes when it is due, and once.
    app.due.panels_drawn(Duration::from_secs(5));
    let soon = Instant::now() + Duration::from_secs(4);
    assert!(!app.is_picture_due(soon));
    assert!(app.is_picture_due(soon + Duration::from_secs(2)));
    assert!(!app.is_picture_due(long_after()));
}
