//! Tools: selection, settings, preview, handles.
use super::*;

#[test]
fn each_tool_is_taken_by_its_button_and_has_its_own_panel() {
    for row in &TOOLS {
        let mut window = TestWindow::new();
        assert!(window.press(row.name).is_empty(), "{}", row.name);
        assert_eq!(window.panels.tools.held.kind, row.kind);
        window.lay_out();
        assert!(window.bare.is_empty(), "{}: {:?}", row.name, window.bare);
        check_nothing_is_cut_off(&window);
        // Below the brush's settings the results need scrolling.
        if row.kind != ToolKind::Brush {
            assert_eq!(window.press("Clear"), [UiCommand::ClearProbes]);
        }
    }
}

#[test]
fn a_form_is_chosen_and_a_hull_has_marks() {
    let mut window = TestWindow::new();
    window.hold(ToolKind::Brush);
    assert!(window.press("As wide as it is high.").is_empty());
    window.pass(Vec::new());
    assert!(window.press("Hull").is_empty());
    assert_eq!(window.panels.tools.tool.shape, ToolShape::Hull);
    window.lay_out();
    assert_eq!(window.press("Mark"), [UiCommand::MarkHullPoint]);
    let tools = &mut window.panels.tools;
    tools.tool.depth = 2.0;
    tools.marks = vec![[glam::DVec3::ZERO, glam::DVec3::X]];
    assert_eq!(
        tools.wanted(false).points,
        [[1.0 / 64.0, 0.0, 0.0], [-2.0, 0.0, 0.0]]
    );
    assert_eq!(
        tools.wanted(true).points,
        [[2.0, 0.0, 0.0], [-1.0 / 64.0, 0.0, 0.0]]
    );
    assert!(window.press("Clear").is_empty());
    assert!(window.panels.tools.marks.is_empty());
    assert!(window.press("carve").is_empty());
    assert_eq!(window.panels.tools.preview_mode, PreviewMode::Carve);
}

#[test]
fn keys_turn_and_scale_the_tool_within_its_range() {
    let mut tools = ToolsPanel::default();
    for _ in 0..24 {
        tools.turn(1);
    }
    assert_eq!(tools.tool.rotation, [0.0; 3]);
    for _ in 0..ToolShape::ALL.len() {
        tools.next_shape();
    }
    assert_eq!(tools.tool.shape, ToolShape::Box);
    for _ in 0..99 {
        tools.scale(1.1, 1.0 / 1.1);
    }
    assert_eq!((tools.tool.size, tools.tool.depth), (20.0, 0.02));
}

#[test]
fn the_preview_says_what_would_be_touched_opened_and_cut_free_and_what_it_would_take() {
    let mut window = TestWindow::new();
    window.hold(ToolKind::Brush);
    window.panels.tools.preview_mode = PreviewMode::Carve;
    window.preview = Some(PreviewChip {
        refused: None,
        faces: 12,
        portals: 3,
        islands: 2,
        falls_m3: 1.5,
        breaks: None,
        volume_m3: 0.75,
        expected_ms: Some(1.25),
    });
    window.lay_out();
    window.find("0.75 m³ in about 1.25 ms");
    window.find("12 faces · 3 portals · 2 fall");
    for (sections, pieces, is_under_way, words) in [
        (0, 0, true, "strength: working it out …"),
        (0, 0, false, "nothing breaks under its load"),
        (3, 0, false, "3 sections break, nothing falls"),
        (17, 2, true, "17 sections break, 2 fall …"),
    ] {
        let breaks = PreviewBreaks {
            sections,
            pieces,
            falls_m3: 70.0,
            is_under_way,
        };
        let preview = window.preview.as_mut().expect("a preview");
        preview.breaks = Some(breaks);
        window.lay_out();
        window.find(words);
        let falls = window.preview.as_ref().and_then(PreviewChip::falls_words);
        let at_crosshair = match pieces {
            0 => "cuts free 2 pieces (1.5 m³)",
            _ => "cuts free 2 pieces (1.5 m³) · 2 pieces (70.0 m³) fall under their load",
        };
        assert_eq!(falls.as_deref(), Some(at_crosshair));
    }
}

const KEPT: ShapeHandles = ShapeHandles {
    centre: DVec2::splat(0.5),
    side: DVec2::new(0.7, 0.5),
    top: DVec2::new(0.5, 0.3),
};

#[test]
fn a_handle_that_is_out_of_the_picture_is_left_out_alone() {
    let mut window = TestWindow::new();
    for (side, top) in [
        (DVec2::new(1.3, 0.5), KEPT.top),
        (DVec2::splat(f64::NAN), KEPT.top),
        (KEPT.side, DVec2::new(0.5, -0.2)),
    ] {
        window.brush = Some(ShapeHandles { side, top, ..KEPT });
        window.lay_out();
        assert!(window.has("move the shape"), "{side} {top}");
        assert_eq!(window.has("size the shape"), side == KEPT.side);
        assert_eq!(window.has("turn the shape"), top == KEPT.top);
    }
    let centre = DVec2::new(-0.1, 0.5);
    window.brush = Some(ShapeHandles { centre, ..KEPT });
    window.lay_out();
    assert!(!window.has("move the shape") && !window.has("size the shape"));
}

#[test]
fn what_a_form_has_no_use_for_cannot_be_changed_and_says_why() {
    let mut window = TestWindow::new();
    window.brush = Some(KEPT);
    window.hurry_tips();
    let away = Pos2::new(640.0, 5.0);
    for (shape, handle, why) in [
        (
            ToolShape::Rock,
            "turn the shape",
            "A blast is random and cannot be rotated.",
        ),
        (
            ToolShape::Hull,
            "size the shape",
            "The size of a hull follows from its points.",
        ),
        (
            ToolShape::Hull,
            "move the shape",
            "A hull stays where its points were marked.",
        ),
    ] {
        window.panels.tools.tool.shape = shape;
        window.lay_out();
        let before = window.panels.tools.tool.clone();
        assert!(window.drag(handle, Vec2::new(-20.0, 8.0)).is_empty());
        assert_eq!(window.panels.tools.tool, before, "{shape:?}, {handle}");
        let at = window.find(handle).center();
        assert_eq!(window.count_over(why, away), 0);
        assert_eq!(window.count_over(why, at), 1, "{shape:?}, {handle}");
    }
}

#[test]
fn a_form_that_is_kept_is_moved_sized_and_turned_by_its_handles() {
    let mut window = TestWindow::new();
    window.brush = Some(KEPT);
    window.lay_out();
    assert!(window.bare.is_empty(), "{:?}", window.bare);
    let picture = window.picture.expect("a picture");
    let commands = window.drag("move the shape", Vec2::new(0.1 * picture.width(), 0.0));
    let Some(UiCommand::MovePinnedShape(at)) = commands.last() else {
        panic!("{commands:?}")
    };
    assert!(
        (at.x - 0.6).abs() < 0.02 && (at.y - 0.5).abs() < 0.02,
        "{at}"
    );
    let before = window.panels.tools.tool.clone();
    window.drag("size the shape", Vec2::new(0.1 * picture.width(), 0.0));
    let size = window.panels.tools.tool.size / before.size;
    assert!((size - 1.5).abs() < 0.1, "{size}");
    window.drag("turn the shape", Vec2::new(-20.0, 0.0));
    let turned = window.panels.tools.tool.rotation[0];
    window.panels.tools.tool.shape = ToolShape::Rock;
    let before = window.panels.tools.tool.size;
    window.drag("size the shape", Vec2::new(0.1 * picture.width(), 0.0));
    assert!(
        window.panels.tools.tool.size > 1.2 * before,
        "a blast has a size"
    );
    assert!(
        0.0 < turned && turned < 0.3,
        "{turned}: to the left is counter-clockwise"
    );
}
