//! Untouched values stay as they are, whatever a settings file holds: panels show them and give no commands.
use super::*;
use crate::sim::Shot;

/// Valid, but off any slider's steps, with more digits than shown, or very large.
fn odd_settings() -> Settings {
    let mut odd = Settings {
        blast_radius: 1.210_000_000_000_000_2,
        buffer_distance: 0.012_345_6,
        max_bodies: 12_345,
        gravity: 50.123_456,
        strength: 50.123_456,
        breaks: 63,
        ..Settings::default()
    };
    odd.tree.max_depth = 31;
    odd.tree.faces_per_bin = 63;
    odd.tree.min_volume = 12_345.678_901;
    odd.shots.fuse_secs = 2.503_3;
    odd.shots.bounce = 0.949_49;
    odd.shots.drill_radius = 0.044;
    odd.shots.drill_depth = 39.999_9;
    odd.shots.ball_mass = 19_999.999;
    odd.solver = crate::world::Solver::Subdivided(31);
    assert_eq!(odd, odd.within_limits(), "a file may hold them");
    odd
}

/// A panel with such numbers everywhere.
fn with_odd_numbers(id: PanelId) -> TestWindow {
    let mut window = with_panel(id);
    window.settings = odd_settings();
    let preferences = &mut window.preferences;
    preferences.scale = 1.234_567;
    preferences.mouse = 0.145_67;
    preferences.view = 69.999_99;
    preferences.autosave = 0.001_01;
    window.overlays.bin_levels = crate::view::BinLevels::One(20);
    let tools = &mut window.panels.tools;
    tools.tool.size = 0.044;
    tools.tool.depth = 1.210_000_000_000_000_2;
    tools.tool.rotation = [0.012_3, -3.1, 6.2];
    tools.held.sweep_radius = 0.012_3;
    window
}

#[test]
fn panels_that_only_show_odd_numbers_send_nothing() {
    for row in PANELS {
        let mut window = with_odd_numbers(row.id);
        let tool = window.panels.tools.tool.clone();
        for tool in &TOOLS {
            window.panels.tools.held.kind = tool.kind;
            for shot in Shot::ALL {
                window.panels.tools.shot = shot;
                for _ in 0..2 {
                    let sent = window.pass(Vec::new());
                    assert!(sent.is_empty(), "{}, {shot:?}: {sent:?}", row.title);
                }
                if tool.kind != ToolKind::Rocket {
                    break;
                }
            }
        }
        assert_eq!(window.panels.tools.tool, tool);
        assert_eq!(window.panels.tools.held.sweep_radius, 0.012_3);
    }
}

#[test]
fn going_through_the_fields_with_the_tab_key_changes_none() {
    let key = |pressed| Event::Key {
        key: egui::Key::Tab,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    for id in [
        PanelId::World,
        PanelId::Bins,
        PanelId::Rules,
        PanelId::Structure,
        PanelId::Settings,
    ] {
        let mut window = with_odd_numbers(id);
        for other in PANELS
            .iter()
            .filter(|row| row.id != id && row.id != PanelId::Tools)
        {
            window.panels.dock.show(other.id, false);
        }
        for _ in 0..2 * window.controls.len() {
            let sent = window.pass(vec![key(true), key(false)]);
            assert!(sent.is_empty(), "{id:?}: {sent:?}");
        }
    }
}
