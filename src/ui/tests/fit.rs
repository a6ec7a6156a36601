//! No control is clipped or covered, at 1280×720 pixels and at twice the scale; each panel matches its golden picture.
//! `BREACH_KEEP_PICTURES=folder` writes pictures of whole windows.
use super::*;

/// Every control is within the window's width and within its side panel; lower ones are reached by scrolling.
pub fn check_nothing_is_cut_off(window: &TestWindow) {
    let size = window.size();
    let picture = window.picture;
    let picture = picture.unwrap_or(Rect::from_min_size(Pos2::ZERO, size));
    let (left, right) = (picture.left(), picture.right());
    assert!(window.nodes.len() > 60);
    for (name, rect) in &window.nodes {
        assert!(
            0.0 <= rect.left() && rect.right() <= size.x,
            "{name}: {rect}"
        );
        assert!(0.0 <= rect.top(), "{name}: {rect}");
        // No control sticks out of its side panel.
        let inside_left = rect.left() < left && rect.width() < left;
        let inside_right = rect.left() > right;
        assert!(!inside_left || rect.right() <= left, "{name}: {rect}");
        assert!(!inside_right || rect.right() <= size.x, "{name}: {rect}");
    }
}

/// Faults of a panel: contents wider than it, or overlapping controls.
fn faults(window: &TestWindow, row: &PanelRow) -> Vec<String> {
    let Some(taken) = window.panels.dock.taken(row.id) else {
        return vec!["it is not drawn".into()];
    };
    let mut faults = Vec::new();
    let whole = Rect::from_min_size(Pos2::ZERO, window.size());
    if !whole.contains_rect(taken.place) {
        faults.push(format!("{} is out of the window", taken.place));
    }
    let (wanted, has) = (taken.wanted.x, taken.place.width());
    if wanted > has + 0.5 {
        faults.push(format!("it wants {wanted} points across, there are {has}"));
    }
    let across = taken.place.x_range();
    let is_mine = |rect: &Rect| taken.place.contains(rect.center());
    for (name, rect) in window.nodes.iter().filter(|(_, rect)| is_mine(rect)) {
        if rect.right() > across.max + 0.5 || rect.left() < across.min - 0.5 {
            faults.push(format!("{name} is cut off: {rect}"));
        }
    }
    let controls = window.controls.iter().filter(|(_, rect)| is_mine(rect));
    let mine: Vec<_> = controls.collect();
    for (i, (name, rect)) in mine.iter().enumerate() {
        for (other, under) in &mine[i + 1..] {
            let both = rect.intersect(*under);
            let is_apart = both.width() < 1.0 || both.height() < 1.0;
            let is_inside = rect.contains_rect(*under) || under.contains_rect(*rect);
            if !is_apart && !is_inside {
                faults.push(format!("{name} {rect} lies over {other} {under}"));
            }
        }
    }
    faults
}

/// A panel's rectangle, pixels.
fn pixels(window: &TestWindow, row: &PanelRow) -> Option<Rect> {
    let place = window.panels.dock.taken(row.id)?.place * (SIZE.x / window.size().x);
    Some(
        place
            .intersect(Rect::from_min_size(Pos2::ZERO, SIZE))
            .round(),
    )
}

/// Checks that a panel's part of a picture is not blank: it has several colours.
fn is_drawn(place: Rect, picture: &egui::ColorImage) -> bool {
    let (left, top) = (place.left() as usize, place.top() as usize);
    let ground = picture[(left + 1, top + 1)];
    let mut colours = std::collections::HashSet::new();
    let mut inked = 0;
    for y in top..place.bottom() as usize {
        for x in left..place.right() as usize {
            inked += usize::from(picture[(x, y)] != ground);
            colours.insert(picture[(x, y)]);
        }
    }
    inked > 1000 && colours.len() > 20
}

/// Checks a panel, compares it with its golden picture, and writes its picture if asked to.
fn look_at(window: &TestWindow, row: &PanelRow, name: &str, wrong: &mut Vec<String>) {
    let faults = faults(window, row);
    wrong.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
    let picture = window.painted();
    assert_eq!(picture.size, [SIZE.x as usize, SIZE.y as usize]);
    match pixels(window, row).filter(|place| is_drawn(*place, &picture)) {
        Some(place) => wrong.extend(golden::compare(name, &picture, place).err()),
        None => wrong.push(format!("{name}: nothing is drawn")),
    }
    if let Some(folder) = std::env::var_os("BREACH_KEEP_PICTURES") {
        let pixels: Vec<u8> = picture.pixels.iter().flat_map(|p| p.to_array()).collect();
        let png = crate::render::png(&pixels, picture.size.map(|n| n as u32)).expect("a picture");
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(path, png).expect("a file");
    }
}

/// Puts long contents into the panels.
fn fill(window: &mut TestWindow, id: PanelId) {
    window.changes = changes();
    window.marks = fixture::marks();
    window.comparison = Some(comparison());
    window.walk = (id == PanelId::Bins).then(fixture::walk);
    window.settings.strength = f64::from(u8::from(id == PanelId::Structure));
    window.lay_out();
}

#[test]
fn every_panel_is_whole_beside_those_of_a_first_start() {
    let mut wrong = Vec::new();
    for row in PANELS.iter().filter(|row| row.id != PanelId::Picture) {
        let mut window = with_panel(row.id);
        fill(&mut window, row.id);
        let name = format!("panel-{}-100", row.title.to_lowercase());
        look_at(&window, row, &name, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_panel_is_whole_when_all_is_twice_as_large() {
    let mut wrong = Vec::new();
    // In a window of 640×360 points the default column leaves room for the picture; wider panels stand alone.
    for row in PANELS.iter().filter(|row| row.id != PanelId::Picture) {
        let mut window = with_panel_scaled(row.id, 2.0);
        // Controls of Level below its end would count as controls of the panel under it.
        let is_alone = !row.open || matches!(row.id, PanelId::Timeline | PanelId::Bins);
        for other in PANELS.iter().filter(|other| other.id != row.id) {
            if is_alone || other.id == PanelId::Timeline {
                window.panels.dock.show(other.id, false);
            }
        }
        fill(&mut window, row.id);
        let name = format!("panel-{}-200", row.title.to_lowercase());
        look_at(&window, row, &name, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_tool_s_own_panel_is_whole_at_its_size_and_at_twice_that() {
    let mut wrong = Vec::new();
    for scale in [1.0, 2.0] {
        for tool in &TOOLS {
            let mut window = with_panel_scaled(PanelId::Tools, scale);
            window.panels.dock.show(PanelId::Timeline, scale == 1.0);
            window.hold(tool.kind);
            let name = format!("tool-{}-{}", tool.name.to_lowercase(), scale * 100.0);
            look_at(&window, PanelId::Tools.row(), &name, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_cut_off_at_1280_by_720() {
    let mut window = TestWindow::new();
    window.pass(Vec::new());
    check_nothing_is_cut_off(&window);
    window.panels.tools.held.kind = ToolKind::Brush;
    window.panels.tools.tool.shape = ToolShape::Concrete;
    window.panels.tools.tool.rotation = [-6.2, -6.2, -6.2];
    window.panels.tools.preview_mode = PreviewMode::Carve;
    for preview in [
        None,
        Some(PreviewChip {
            refused: Some("the shape has 99999 points; at most 10000 are allowed".into()),
            ..PreviewChip::default()
        }),
        Some(PreviewChip {
            refused: None,
            faces: 99_999,
            portals: 999,
            islands: 999,
            falls_m3: 9999.99,
            breaks: Some(PreviewBreaks {
                sections: 9999,
                pieces: 999,
                falls_m3: 9999.99,
                is_under_way: true,
            }),
            volume_m3: 9999.99,
            expected_ms: Some(999.99),
        }),
    ] {
        window.preview = preview;
        window.lay_out();
        check_nothing_is_cut_off(&window);
    }
    window.panels.tools.tool.shape = ToolShape::Hull;
    window.lay_out();
    check_nothing_is_cut_off(&window);
}

#[test]
fn the_panels_of_a_first_start_leave_most_of_the_window_to_the_picture() {
    let window = TestWindow::new();
    let picture = window.picture.expect("a picture");
    let part = picture.area() / (SIZE.x * SIZE.y);
    assert!(part >= 0.6, "{part}: {picture}");
    for id in [PanelId::Level, PanelId::Tools, PanelId::Timeline] {
        assert!(window.panels.dock.is_seen(id), "{id:?}");
    }
    // One click away, and no wider than what it covers.
    let mut window = with_panel(PanelId::Bins);
    window.lay_out();
    assert_eq!(window.picture, Some(picture));
}

#[test]
fn hidden_panels_leave_the_picture_alone() {
    let mut window = TestWindow::new();
    let all = window.shapes;
    window.panels.dock.hidden = true;
    window.lay_out();
    assert!(window.shapes < all / 2);
    assert!(window.nodes.iter().all(|(name, _)| name != "Carve"));
}
