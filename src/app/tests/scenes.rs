//! File > Examples: each opens as its row says, and its state is restored when it is left.
use super::*;
use crate::scenes::{SCENES, Scene};
use crate::sim::Settings;
use crate::ui::{PANELS, PanelId, ToolKind};

fn scene(name: &str) -> &'static Scene {
    let found = SCENES.iter().find(|scene| scene.name.contains(name));
    found.expect("a scene")
}

fn panels(scene: &Scene) -> Vec<PanelId> {
    let named = |title: &&str| PANELS.iter().find(|row| row.title == *title);
    let rows = scene.panels.iter().map(|title| named(title).expect(title));
    rows.map(|row| row.id).collect()
}

#[test]
fn each_example_opens_says_its_sentence_and_the_level_after_it_is_as_usual() {
    let (folder, mut app) = app();
    app.preferences.world.gravity = 3.5;
    let mine = app.preferences.world.clone();
    app.overlays.wire = true;
    let usual = app.overlays;
    app.panels.tools.held.kind = ToolKind::Measure;
    let is_open = |app: &App| -> Vec<bool> {
        let rows = PANELS.iter();
        rows.map(|row| app.panels.dock.is_open(row.id)).collect()
    };
    let opened = is_open(&app);
    for scene in SCENES {
        let said = told(&mut app, UiCommand::Example(scene));
        let named = |(_, text): &(NoticeKind, String)| text.contains(&scene.level().file_name());
        assert!(said.iter().any(named), "{said:?}");
        assert_eq!(app.scene_said(), Some(scene));
        assert_eq!(app.overlays, scene.overlays(Overlays::default()));
        for id in panels(scene) {
            assert!(app.panels.dock.is_seen(id), "{scene:?}: {id:?}");
        }
        assert_eq!(app.walk.is_some(), scene.takes_ray);
        assert_eq!(app.panels.tools.held.kind, ToolKind::Rocket);
        let sim = &play(&mut app).sim;
        assert_eq!((sim.tick, &sim.settings), (1, &scene.settings()));
        let away = sim.player.eye - glam::DVec3::from(scene.eye);
        assert!(away.length() < 0.5, "{scene:?}: {away}");
        // Settings made in a scene stay in the scene.
        let tried = Settings {
            gravity: 1.0,
            ..scene.settings()
        };
        app.act(UiCommand::SetSettings(Box::new(tried.clone())));
        app.scale_blast(2.0);
        app.tick();
        assert_eq!(play(&mut app).sim.settings.gravity, 1.0);
        assert_eq!(app.preferences.world, mine);
        app.act(UiCommand::CloseCard);
        assert_eq!((app.scene_said(), app.scene()), (None, Some(scene)));
        // Reset opens the scene again, not its bare level.
        told(&mut app, UiCommand::Reset);
        assert_eq!(app.scene_said(), Some(scene));
        assert_eq!(play(&mut app).sim.settings, scene.settings());
        told(
            &mut app,
            UiCommand::Open(folder.path().join("open.map").into()),
        );
        assert_eq!((app.scene(), app.overlays), (None, usual), "{scene:?}");
        assert_eq!(app.panels.tools.held.kind, ToolKind::Measure);
        assert_eq!(is_open(&app), opened, "{scene:?}");
        assert_eq!(play(&mut app).sim.settings, mine);
    }
}

#[test]
fn an_example_asks_about_unsaved_changes_first() {
    let (_folder, mut app) = app();
    shoot(&mut app);
    let bridge = scene("bridge");
    told(&mut app, UiCommand::Example(bridge));
    let confirmation = app.confirmation.as_ref().expect("it is asked");
    assert!(confirmation.state().what.contains(bridge.name));
    told(&mut app, UiCommand::Confirm(Answer::Cancel));
    assert_eq!(app.scene(), None);
    told(&mut app, UiCommand::Example(bridge));
    told(&mut app, UiCommand::Confirm(Answer::Discard));
    assert_eq!(app.scene(), Some(bridge));
    // The scene's own actions are no user changes.
    assert!(!play(&mut app).unsaved);
}

#[test]
fn one_goes_from_example_to_example_with_a_click_until_one_is_saved() {
    let (folder, mut app) = app();
    told(&mut app, UiCommand::Example(scene("bridge")));
    for next in ["Pillars", "Pillars", "wall"] {
        shoot(&mut app);
        assert!(play(&mut app).unsaved);
        told(&mut app, UiCommand::Example(scene(next)));
        assert!(app.confirmation.is_none(), "{next}");
        assert_eq!(app.scene(), Some(scene(next)));
        assert!(!play(&mut app).unsaved);
    }
    shoot(&mut app);
    told(&mut app, UiCommand::Reset);
    assert!(app.confirmation.is_none() && !play(&mut app).unsaved);
    // Opening another level and quitting need a confirmation.
    shoot(&mut app);
    told(&mut app, UiCommand::Open(crate::builtin::start()));
    assert!(app.confirmation.is_some());
    told(&mut app, UiCommand::Confirm(Answer::Cancel));
    told(&mut app, UiCommand::SaveAs(folder.path().join("mine.map")));
    assert!(!play(&mut app).unsaved);
    shoot(&mut app);
    told(&mut app, UiCommand::Example(scene("bridge")));
    assert!(app.confirmation.is_some());
}

#[test]
fn a_recording_of_an_example_needs_no_example_to_be_played_again() {
    let (folder, mut app) = app();
    told(&mut app, UiCommand::Example(scene("crumbs")));
    for _ in 0..60 {
        app.tick();
    }
    let poured = play(&mut app).sim.bodies.len();
    assert!(poured > 500, "{poured}");
    // In the past the scene's actions come from the recording.
    let died = state(&app);
    app.act(UiCommand::Timeline(crate::ui::TimelineCommand::Seek(40)));
    for _ in 0..21 {
        app.tick();
    }
    assert_eq!(state(&app), died);
    let path = folder.path().join("heap.breach");
    recorded(&mut app, &path);
    told(&mut app, UiCommand::Open(path.into()));
    assert_eq!((app.scene(), state(&app)), (None, died));
}
