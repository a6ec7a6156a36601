//! Nothing is cut off and nothing lies over another, at 1280×720 pixels and with panels twice as large; a picture of
//! each panel, painted without a GPU. `BREACH_KEEP_PICTURES=folder` writes them there, to be looked at.
use super::*;

/// Every control is whole: inside the window across, and inside its side panel. What is lower is reached by scrolling.
pub fn check_nothing_is_cut_off(stand: &Stand) {
    let size = stand.size();
    let picture = stand.picture;
    let picture = picture.unwrap_or(Rect::from_min_size(Pos2::ZERO, size));
    let (left, right) = (picture.left(), picture.right());
    assert!(stand.nodes.len() > 60);
    for (name, rect) in &stand.nodes {
        assert!(
            0.0 <= rect.left() && rect.right() <= size.x,
            "{name}: {rect}"
        );
        assert!(0.0 <= rect.top(), "{name}: {rect}");
        // Nothing in a side panel reaches out of it.
        let inside_left = rect.left() < left && rect.width() < left;
        let inside_right = rect.left() > right;
        assert!(!inside_left || rect.right() <= left, "{name}: {rect}");
        assert!(!inside_right || rect.right() <= size.x, "{name}: {rect}");
    }
}

/// A panel's contents take no more across than it has, and no control lies over another.
fn check_panel(stand: &Stand, row: &PanelRow) {
    let title = row.title;
    assert!(stand.panels.dock.is_seen(row.id), "{title}");
    let taken = stand.panels.dock.taken(row.id).expect("just drawn");
    let window = Rect::from_min_size(Pos2::ZERO, stand.size());
    assert!(
        window.contains_rect(taken.place),
        "{title}: {}",
        taken.place
    );
    let (wanted, has) = (taken.wanted.x, taken.place.width());
    assert!(
        wanted <= has + 0.5,
        "{title}: {wanted} points across, there are {has}"
    );
    let controls = stand.controls.iter();
    let mine: Vec<_> = controls
        .filter(|(_, rect)| taken.place.contains(rect.center()))
        .collect();
    for (i, (name, rect)) in mine.iter().enumerate() {
        let across = taken.place.x_range();
        assert!(
            across.contains(rect.left()) && across.contains(rect.right() - 0.5),
            "{title}, {name}: {rect}"
        );
        for (other, under) in &mine[i + 1..] {
            let both = rect.intersect(*under);
            let is_apart = both.width() < 1.0 || both.height() < 1.0;
            let is_inside = rect.contains_rect(*under) || under.contains_rect(*rect);
            assert!(
                is_apart || is_inside,
                "{title}: {name} {rect} over {other} {under}"
            );
        }
    }
}

/// The part of a picture that a panel takes says something: text or lines in some colours on a ground.
fn check_picture(stand: &Stand, row: &PanelRow, name: &str) {
    let picture = stand.painted();
    assert_eq!(picture.size, [SIZE.x as usize, SIZE.y as usize]);
    let scale = SIZE.x / stand.size().x;
    let place = stand.panels.dock.taken(row.id).expect("just drawn").place * scale;
    let mut colours = std::collections::HashSet::new();
    let mut inked = 0;
    let ground = picture[(place.left() as usize + 1, place.top() as usize + 1)];
    for y in place.top() as usize..place.bottom() as usize {
        for x in place.left() as usize..place.right() as usize {
            inked += usize::from(picture[(x, y)] != ground);
            colours.insert(picture[(x, y)]);
        }
    }
    assert!(
        inked > 1000 && colours.len() > 20,
        "{name}: {inked} pixels, {} colours",
        colours.len()
    );
    if let Some(folder) = std::env::var_os("BREACH_KEEP_PICTURES") {
        let pixels: Vec<u8> = picture.pixels.iter().flat_map(|p| p.to_array()).collect();
        let png = crate::render::png(&pixels, picture.size.map(|n| n as u32)).expect("a picture");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(std::path::Path::new(&folder).join(name), png).expect("a file");
    }
}

#[test]
fn every_panel_is_whole_at_its_size_and_at_twice_that() {
    for scale in [1.0, 2.0] {
        for row in PANELS.iter().filter(|row| row.id != PanelId::Picture) {
            let mut stand = with_panel_scaled(row.id, scale);
            stand.changes = changes();
            stand.comparison = Some(comparison());
            stand.walk = (row.id == PanelId::Inspect).then(scene::walk);
            stand.settle();
            check_panel(&stand, row);
            let name = format!("panel-{}-{}.png", row.title.to_lowercase(), scale * 100.0);
            check_picture(&stand, row, &name);
        }
    }
}

#[test]
fn each_tool_s_panel_is_whole_at_its_size_and_at_twice_that() {
    for scale in [1.0, 2.0] {
        for hand in &HANDS {
            let mut stand = with_panel_scaled(PanelId::Tools, scale);
            stand.hold(hand.hand);
            let row = PanelId::Tools.row();
            check_panel(&stand, row);
            let name = format!("tool-{}-{}.png", hand.name.to_lowercase(), scale * 100.0);
            check_picture(&stand, row, &name);
        }
    }
}

#[test]
fn nothing_is_cut_off_at_1280_by_720() {
    let mut stand = Stand::new();
    stand.pass(Vec::new());
    check_nothing_is_cut_off(&stand);
    stand.panels.tools.hand.hand = Hand::Brush;
    stand.panels.tools.tool.shape = ToolShape::Concrete;
    stand.panels.tools.tool.rotation = [-6.2, -6.2, -6.2];
    stand.panels.tools.aim = Aim::Carve;
    for preview in [
        None,
        Some(PreviewChip {
            refused: Some("the shape has 99999 points; 10000 are the most".into()),
            ..PreviewChip::default()
        }),
        Some(PreviewChip {
            refused: None,
            faces: 99_999,
            portals: 999,
            islands: 999,
            falls_m3: 9999.99,
            volume_m3: 9999.99,
            expected_ms: Some(999.99),
        }),
    ] {
        stand.preview = preview;
        stand.settle();
        check_nothing_is_cut_off(&stand);
    }
    stand.panels.tools.tool.shape = ToolShape::Hull;
    stand.settle();
    check_nothing_is_cut_off(&stand);
}

#[test]
fn hidden_panels_leave_the_picture_alone() {
    let mut stand = Stand::new();
    let all = stand.shapes;
    stand.panels.dock.hidden = true;
    stand.settle();
    assert!(stand.shapes < all / 2);
    assert!(stand.nodes.iter().all(|(name, _)| name != "Carve"));
}
