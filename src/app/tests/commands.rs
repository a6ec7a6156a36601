//! Commands of keys and tools are carried out, and a frame is due if the result is visible.
use super::*;
use crate::level::SavedOperation;
use crate::sim::Body;
use crate::ui::{PanelId, TimelineCommand, ToolKind};
use glam::{DVec2, DVec3};

#[test]
fn a_key_is_chosen_with_those_held_beside_it_and_escape_is_left_alone() {
    let (_folder, mut app) = app();
    let press = |app: &mut App, command, code, ctrl| {
        app.notices.clear();
        app.rebinding = Some(command);
        app.rebind(command, code, ctrl);
        app.rebinding.is_none()
    };
    // A modifier alone chooses nothing yet.
    for code in [KeyCode::ControlLeft, KeyCode::ShiftLeft, KeyCode::AltLeft] {
        assert!(
            !press(&mut app, KeyCommand::SaveAs, code, false),
            "{code:?}"
        );
    }
    app.modifiers = ModifiersState::SHIFT | ModifiersState::CONTROL;
    assert!(press(&mut app, KeyCommand::SaveAs, KeyCode::KeyE, true));
    assert_eq!(
        app.keys.find(KeyCode::KeyE, true, true),
        Some(KeyCommand::SaveAs)
    );
    assert!(app.notices[0].text.contains("Ctrl+Shift+E"));
    app.modifiers = ModifiersState::empty();
    assert!(press(&mut app, KeyCommand::Carve, KeyCode::Escape, false));
    assert!(app.notices.is_empty());
    // Running may be bound to Alt.
    assert!(press(&mut app, KeyCommand::Fast, KeyCode::AltLeft, false));
    assert!(press(&mut app, KeyCommand::Release, KeyCode::F13, false));
    assert!(press(&mut app, KeyCommand::Release, KeyCode::Escape, false));
    let released = app.keys.find(KeyCode::Escape, false, false);
    assert_eq!(released, Some(KeyCommand::Release));
}

#[test]
fn a_blast_grows_while_the_button_is_held_a_burst_follows_and_the_settings_stay() {
    let (folder, mut app) = app();
    let panel = &mut app.panels.tools.held;
    (panel.kind, panel.charge, panel.burst) = (ToolKind::Rocket, true, 3);
    app.wanted.blast_radius = 1.25;
    app.press_tool();
    let mut radii = Vec::new();
    for _ in 0..60 {
        app.tick();
        radii.push(app.held_tool.charging().expect("it is held"));
    }
    // The radius doubles in half a second.
    assert!(radii.is_sorted() && radii[59] > 3.5 * radii[0], "{radii:?}");
    assert!(play(&mut app).sim.rockets.is_empty());
    app.release_tool();
    assert_eq!(app.held_tool.charging(), None);
    for _ in 0..90 {
        app.tick();
    }
    // The panel's setting is unchanged.
    assert_eq!(app.wanted.blast_radius, 1.25);
    assert_eq!(play(&mut app).sim.settings.blast_radius, 1.25);
    let blasts = |app: &mut App| -> Vec<f64> {
        let since = &play(app).sim.level.since;
        let radius = |saved: &SavedOperation| match saved {
            SavedOperation::Blast { radius, .. } => *radius,
            SavedOperation::Brushes(_) | SavedOperation::MoversOnly => 0.0,
        };
        since.iter().map(radius).collect()
    };
    assert_eq!(blasts(&mut app), [radii[59]; 3]);
    app.panels.tools.held.charge = false;
    app.panels.tools.held.burst = 1;
    app.press_tool();
    app.release_tool();
    for _ in 0..90 {
        app.tick();
    }
    assert_eq!(blasts(&mut app)[3..], [1.25]);
    // The replay makes the same holes.
    let died = state(&app);
    let path = folder.path().join("charged.breach");
    recorded(&mut app, &path);
    let said = told(&mut app, UiCommand::Open(path.into()));
    assert_eq!(app.confirmation.is_some(), said.is_empty());
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(state(&app), died);
}

#[test]
fn a_click_of_the_sight_tool_marks_at_once_and_the_next_one_elsewhere() {
    let (_folder, mut app) = app();
    app.panels.tools.held.kind = ToolKind::Sight;
    assert!(!app.panels.dock.is_seen(PanelId::Inspect));
    for turn in [0.0, 0.2] {
        app.input.yaw += turn;
        app.press_tool();
        app.release_tool();
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
    app.panels.tools.held.kind = ToolKind::Grab;
    app.press_tool();
    assert_eq!(
        app.notices.last().map(|n| n.kind),
        Some(NoticeKind::Warning)
    );
    let sim = &mut play(&mut app).sim;
    let at = sim.player.eye + sim.look_dir() * 2.0;
    sim.bodies
        .change(|bodies| bodies.push(Body::new(at, 0.1, 0)));
    app.press_tool();
    for _ in 0..30 {
        app.tick();
    }
    let sim = &play(&mut app).sim;
    let held = sim.player.eye + sim.look_dir() * 2.0;
    assert!(sim.bodies[0].position.distance(held) < 0.3, "it fell");
    let look = sim.look_dir();
    app.throw_carried();
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
    app.act(UiCommand::TakeRay(true));
    assert!(app.walk.is_some() && app.panels.dock.is_seen(PanelId::Bins));
    assert!(!app.panels.dock.is_open(PanelId::Inspect));
}

#[test]
fn one_flies_to_what_is_clicked() {
    let (_folder, mut app) = app();
    let eye = play(&mut app).sim.player.eye;
    let to = eye + DVec3::Y * 0.5;
    app.act(UiCommand::FlyTo(to));
    app.tick();
    assert!(play(&mut app).sim.player.eye.distance(to) < 0.2);
    // The first brush of the file is solid, so the eye is inside it.
    let text = String::from_utf8_lossy(LEVEL);
    let line = text
        .lines()
        .position(|line| line.starts_with('('))
        .expect("a brush") as u32
        + 1;
    app.act(UiCommand::FlyToLine(line));
    app.tick();
    let place =
        crate::level::position_of_line(&play(&mut app).sim.level.file, line).expect("a place");
    assert!(play(&mut app).sim.player.eye.distance(place) < 0.5);
    let there = eye + DVec3::new(2.0, 0.0, 0.5);
    app.act(UiCommand::FlyNear(there));
    app.tick();
    let look = crate::sim::command::look_dir(app.input.yaw, app.input.pitch);
    let away = there - play(&mut app).sim.player.eye;
    assert!((away.length() - 3.0).abs() < 0.2, "{away}");
    assert!(look.dot(away.normalize()) > 0.99, "{look} {away}");
    let place = play(&mut app).sim.player.eye;
    app.notices.clear();
    app.act(UiCommand::LookAt(place + DVec3::X));
    let look = crate::sim::command::look_dir(app.input.yaw, app.input.pitch);
    assert!(look.x > 0.8, "{look}");
}

#[test]
fn one_flies_along_the_way_out_until_one_wishes_to_move() {
    let (_folder, mut app) = app();
    app.act(UiCommand::FlyOut(true));
    assert!(app.flight.is_none(), "nothing leaks");
    let eye = play(&mut app).sim.player.eye;
    let way = [eye, eye + DVec3::Y, eye + DVec3::new(4.0, 1.0, 0.0)];
    play(&mut app).sim.world.leak = way.to_vec();
    app.clock.paused = true;
    app.act(UiCommand::FlyOut(true));
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
    // Its recording replays.
    app.act(UiCommand::FlyOut(true));
    (0..10).for_each(|_| app.tick());
    assert!(app.flight.is_some());
    app.input.hold(KeyCommand::Forward, true);
    app.tick();
    assert!(app.flight.is_none());
    app.input.clear();
    let before = state(&app);
    let now = play(&mut app).sim.tick;
    app.act(UiCommand::Timeline(TimelineCommand::Seek(now - 5)));
    app.act(UiCommand::Timeline(TimelineCommand::Seek(now)));
    assert_eq!(state(&app), before);
}

#[test]
fn the_worst_frame_is_held_until_it_is_let_go() {
    let (_folder, mut app) = app();
    app.act(UiCommand::FreezeWorst(true));
    for ms in [1, 30, 1] {
        app.recorder.begin_frame();
        std::thread::sleep(Duration::from_millis(ms));
        app.recorder.end_frame();
        app.look_at_frame();
        app.tick();
    }
    let worst = app.worst.1.as_ref().expect("held");
    assert!(worst.frame.whole_ms >= 30.0 && worst.tick == 1, "{worst:?}");
    app.act(UiCommand::FreezeWorst(false));
    assert!(app.worst.1.is_none());
}

#[test]
fn what_has_no_effect_names_its_reason_for_a_moment() {
    let (_folder, mut app) = app();
    // Bedrock lies under the floor of the range.
    let miss = |app: &mut App| play(app).miss().map(str::to_owned);
    assert_eq!(miss(&mut app), None);
    app.queued.push(Action::NoClip(true));
    app.queued.push(Action::Teleport([0.0, 500.0, 0.0]));
    app.tick();
    app.act(UiCommand::Carve);
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
        app.redraw.picture_begins();
        assert!(!app.is_picture_due(long_after()), "at rest");
    };
    rest(&mut app);
    shoot(&mut app);
    assert!(app.is_picture_due(Instant::now()), "crumbs and smoke");
    rest(&mut app);
    // While paused nothing moves.
    app.press_tool();
    app.release_tool();
    app.tick();
    assert!(app.is_picture_due(Instant::now()));
    app.clock.paused = true;
    app.redraw.picture_begins();
    assert!(!app.is_picture_due(long_after()));
    app.clock.paused = false;
    rest(&mut app);
    type Act = (&'static str, fn(&mut App));
    let command: [Act; 5] = [
        ("a key is held", |app| {
            app.input.hold(KeyCommand::Forward, true)
        }),
        ("a message", |app| app.notify(NoticeKind::Info, "x".into())),
        ("a level opens", |app| {
            app.open(PathBuf::from("gone.map").into())
        }),
        ("a picture is wanted", |app| app.picture_wanted = true),
        ("timings are recorded", |app| app.recorder.record(true)),
    ];
    for (what, act) in command {
        act(&mut app);
        assert!(app.is_picture_due(Instant::now()), "{what}");
        app.input.clear();
        app.picture_wanted = false;
        app.recorder.record(false);
        finish_work(&mut app);
        rest(&mut app);
    }
    // A repaint that the panels asked for is due until they get it.
    app.redraw.panels_drawn(Duration::from_secs(5));
    let soon = Instant::now() + Duration::from_secs(4);
    assert!(!app.is_picture_due(soon));
    assert!(app.is_picture_due(soon + Duration::from_secs(2)));
    app.redraw.picture_begins();
    assert!(app.is_picture_due(soon + Duration::from_secs(2)));
    assert!(app.is_picture_due(long_after()));
    let (_folder, mut app) = self::app();
    rest(&mut app);
    app.redraw.panels_drawn(Duration::ZERO);
    app.redraw.picture_begins();
    assert!(app.is_picture_due(long_after()));
    app.redraw.panels_drawn(Duration::MAX);
    assert!(!app.is_picture_due(long_after()));
}
