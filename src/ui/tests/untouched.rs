//! What nobody touches stays as it is, whatever a settings file may hold: panels show it, and send nothing.
use super::*;
use crate::sim::Shot;

/// Allowed, but on no slider's step, with more digits than are shown, or far up.
fn odd_settings() -> Settings {
    let mut odd = Settings {
        blast_radius: 1.210_000_000_000_000_2,
        buffer_distance: 0.012_345_6,
        max_bodies: 12_345,
        gravity: 50.123_456,
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

/// A panel with odd numbers in all that it shows.
fn with_odd_numbers(id: PanelId) -> Stand {
    let mut stand = with_panel(id);
    stand.settings = odd_settings();
    let preferences = &mut stand.preferences;
    preferences.scale = 1.234_567;
    preferences.mouse = 0.145_67;
    preferences.view = 69.999_99;
    preferences.autosave = 0.001_01;
    stand.overlays.bin_levels = crate::view::BinLevels::One(20);
    let tools = &mut stand.panels.tools;
    tools.tool.size = 0.044;
    tools.tool.depth = 1.210_000_000_000_000_2;
    tools.tool.rotation = [0.012_3, -3.1, 6.2];
    tools.hand.sweep_radius = 0.012_3;
    stand
}

#[test]
fn panels_that_only_show_odd_numbers_send_nothing() {
    for row in PANELS {
        let mut stand = with_odd_numbers(row.id);
        let tool = stand.panels.tools.tool.clone();
        for hand in &HANDS {
            stand.panels.tools.hand.hand = hand.hand;
            for shot in Shot::ALL {
                stand.panels.tools.shot = shot;
                for _ in 0..2 {
                    let sent = stand.pass(Vec::new());
                    assert!(sent.is_empty(), "{}, {shot:?}: {sent:?}", row.title);
                }
                if hand.hand != Hand::Rocket {
                    break;
                }
            }
        }
        assert_eq!(stand.panels.tools.tool, tool);
        assert_eq!(stand.panels.tools.hand.sweep_radius, 0.012_3);
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
        PanelId::Settings,
    ] {
        let mut stand = with_odd_numbers(id);
        for other in PANELS
            .iter()
            .filter(|row| row.id != id && row.id != PanelId::Tools)
        {
            stand.panels.dock.show(other.id, false);
        }
        for _ in 0..2 * stand.controls.len() {
            let sent = stand.pass(vec![key(true), key(false)]);
            assert!(sent.is_empty(), "{id:?}: {sent:?}");
        }
    }
}
