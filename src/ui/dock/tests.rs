//! The layout of panels in windows of all sizes.
use super::*;

/// The picture's place in a window of this size, after as many passes as it takes.
fn picture(dock: &mut Dock, size: [f32; 2]) -> Option<Rect> {
    let ctx = egui::Context::default();
    let mut picture = None;
    for _ in 0..3 {
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, size.into())),
            ..Default::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            picture = dock.ui(ui, &|_| String::new(), &mut |_, _| ());
        });
        output.textures_delta.clear();
    }
    picture
}

#[test]
fn columns_keep_their_points_and_the_picture_gets_the_rest() {
    let mut dock = Dock::default();
    for width in [1280.0, 1920.0, 1280.0] {
        let picture = picture(&mut dock, [width, 720.0]).expect("a picture");
        let rest = width - PanelId::Level.row().across - GAP;
        assert!((picture.width() - rest).abs() < 2.0, "{picture}");
    }
    dock.show(PanelId::Trees, true);
    let narrow = picture(&mut dock, [1280.0, 720.0]).expect("a picture");
    let across = PanelId::Level.row().across + PanelId::Trees.row().across;
    assert!((narrow.width() - (1280.0 - across - 2.0 * GAP)).abs() < 2.0);
    dock.hidden = true;
    let all = picture(&mut dock, [1280.0, 720.0]).expect("a picture");
    assert_eq!(all.size(), Vec2::new(1280.0, 720.0));
}

#[test]
fn a_narrow_window_leaves_columns_out_and_shows_the_one_that_was_asked_for() {
    let mut dock = Dock::default();
    let narrow = [640.0, 360.0];
    let side = PanelId::Level.row().across;
    let first = picture(&mut dock, narrow).expect("a picture");
    assert!(
        (first.width() - (640.0 - side - GAP)).abs() < 2.0,
        "{first}"
    );
    assert!(dock.is_seen(PanelId::Level));
    dock.toggle(PanelId::History);
    picture(&mut dock, narrow);
    assert!(dock.is_seen(PanelId::History) && !dock.is_seen(PanelId::Level));
    assert!(dock.is_left_out(PanelId::Level) && dock.is_open(PanelId::Level));
    dock.show(PanelId::Lab, true);
    assert_eq!(picture(&mut dock, narrow), None);
    let lab = dock.taken(PanelId::Lab).expect("drawn");
    assert!(lab.place.width() > 600.0, "{lab:?}");
    dock.show(PanelId::Lab, false);
    // What had no room is there again where there is room.
    picture(&mut dock, [1280.0, 720.0]);
    assert!(dock.is_seen(PanelId::Level) && dock.is_seen(PanelId::History));
}

#[test]
fn scroll_bars_of_low_panels_can_be_pressed_everywhere() {
    let mut lowest = f32::INFINITY;
    for height in (40..200).step_by(4) {
        let mut dock = Dock::default();
        for id in [PanelId::Timeline, PanelId::Timings, PanelId::World] {
            dock.show(id, true);
        }
        let ctx = egui::Context::default();
        let mut pass = |events: Vec<egui::Event>| -> Vec<Rect> {
            let size = egui::vec2(640.0, height as f32);
            let input = egui::RawInput {
                screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, size)),
                events,
                ..Default::default()
            };
            let mut output = ctx.run_ui(input, |ui| {
                dock.ui(ui, &|_| String::new(), &mut |ui, _| {
                    ui.set_min_size(Vec2::splat(2000.0));
                });
            });
            output.textures_delta.clear();
            dock.taken.iter().map(|(_, area)| area.place).collect()
        };
        pass(vec![]);
        for place in pass(vec![]) {
            lowest = lowest.min(place.height());
            let beside = (0..8).map(|k| place.right() - 8.0 + 2.0 * k as f32);
            let rows = (0..=place.height().max(0.0) as u32).step_by(3);
            for (x, y) in beside.flat_map(|x| rows.clone().map(move |y| (x, y as f32))) {
                let pos = egui::pos2(x, place.top() + y);
                let press = |pressed| egui::Event::PointerButton {
                    pos,
                    button: egui::PointerButton::Primary,
                    pressed,
                    modifiers: egui::Modifiers::NONE,
                };
                pass(vec![egui::Event::PointerMoved(pos)]);
                pass(vec![press(true)]);
                pass(vec![press(false)]);
            }
        }
    }
    assert!(lowest < 12.0, "lower than a handle: {lowest}");
}

#[test]
fn a_layout_is_the_same_after_it_was_written_and_read() {
    let mut dock = Dock::default();
    dock.show(PanelId::Map, true);
    dock.show(PanelId::World, false);
    let before = picture(&mut dock, [1280.0, 720.0]);
    let mut again = Dock::from_text(&dock.text()).expect("a layout");
    assert_eq!(picture(&mut again, [1280.0, 720.0]), before);
    for row in PANELS {
        assert_eq!(again.is_open(row.id), dock.is_open(row.id), "{}", row.title);
    }
    let twice = r#"{"tabs":[[{"panel":["Picture",true]},{"panel":["Picture",true]}],0]}"#;
    for broken in [
        "",
        "{}",
        "null",
        "[1]",
        twice,
        r#"{"across":[]}"#,
        r#"{"panel":["Map",true]}"#,
    ] {
        assert!(Dock::from_text(broken).is_none());
    }
}

#[test]
fn a_panel_that_a_layout_does_not_know_stands_where_it_stands_at_first() {
    let mut dock = Dock::default();
    let map = dock.tile(PanelId::Map).expect("a map");
    let group = dock.tree.tiles.parent_of(map).expect("a group");
    if let Some(Tile::Container(container)) = dock.tree.tiles.get_mut(group) {
        container.retain(|tile| tile != map);
    }
    dock.tree.tiles.remove(map);
    let mut again = Dock::from_text(&dock.text()).expect("a layout");
    again.show(PanelId::Map, true);
    picture(&mut again, [1280.0, 720.0]);
    assert!(again.is_seen(PanelId::Map));
}

#[test]
fn each_panel_is_in_the_table_once_and_toggles() {
    let mut dock = Dock::default();
    for row in PANELS {
        assert_eq!(PANELS.iter().filter(|r| r.id == row.id).count(), 1);
        if row.id != PanelId::Picture {
            dock.show(row.id, true);
            picture(&mut dock, [1280.0, 720.0]);
            assert!(dock.is_seen(row.id), "{}", row.title);
            dock.toggle(row.id);
            assert!(!dock.is_open(row.id), "{}", row.title);
        }
    }
    assert!(picture(&mut dock, [1280.0, 720.0]).is_some());
}
