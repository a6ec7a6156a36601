//! What keys and hands ask for is done, and a picture is due where that is seen.
use super::*;
use crate::level::SavedOperation;
use crate::sim::Body;
use crate::ui::{Hand, PanelId, TimelineAction};
use glam::{DVec2, DVec3};

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
fn no_panel_comes_over_the_ticks_when_a_ray_is_walked() {
    let (_folder, mut app) = app();
    app.panels.dock.show(PanelId::Bins, true);
    for id in [PanelId::Level, PanelId::Bins] {
        assert!(app.panels.dock.is_seen(id), "{id:?}");
    }
    app.act(UiAction::TakeRay(true));
    assert!(app.walk.is_some() && app.panels.dock.is_seen(PanelId::Bins));
    assert!(!app.panels.dock.is_open(PanelId::Inspect));
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
    let place =
        crate::level::position_of_line(&play(&mut app).sim.level.file, line).expect("a place");
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
        app.due.picture_begins();
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
    app.due.picture_begins();
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
    // What the panels asked for comes when it is due, and until they have it.
    app.due.panels_drawn(Duration::from_secs(5));
    let soon = Instant::now() + Duration::from_secs(4);
    assert!(!app.is_picture_due(soon));
    assert!(app.is_picture_due(soon + Duration::from_secs(2)));
    app.due.picture_begins();
    assert!(app.is_picture_due(soon + Duration::from_secs(2)));
    assert!(app.is_picture_due(long_after()));
    let (_folder, mut app) = self::app();
    rest(&mut app);
    app.due.panels_drawn(Duration::ZERO);
    app.due.picture_begins();
    assert!(app.is_picture_due(long_after()));
    app.due.panels_drawn(Duration::MAX);
    assert!(!app.is_picture_due(long_after()));
}
