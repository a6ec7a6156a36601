//! Each panel draws inside the window; what is pressed arrives. Controls are found by their name, as a screen reader
//! finds them, and pressed with a pointer.
use super::*;
use crate::bvh::SplitRule;
use crate::sim::ToolShape;
use crate::timing::{Marker, Stage};
use crate::view::plan::{Door, Graph, Hatch, Plan, PlanRoom};
use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use glam::{DVec2, DVec3};

const SIZE: Vec2 = Vec2::new(1280.0, 720.0);

/// The panels, what they are shown, and a window without a screen.
struct Stand {
    ctx: egui::Context,
    panels: Panels,
    recorder: Recorder,
    settings: Settings,
    chip: Option<CarveChip>,
    preview: Option<PreviewChip>,
    carving: Option<f64>,
    levels: Vec<LevelEntry>,
    notices: Vec<Notice>,
    overlays: Overlays,
    preferences: Preferences,
    rebinding: Option<Does>,
    asked: Option<&'static str>,
    loading: Option<&'static str>,
    report: LevelReport,
    picture: Option<Rect>,
    probes: Vec<String>,
    brush: Option<BrushShown>,
    /// Controls without a tip.
    bare: Vec<String>,
    size: Vec2,
    trees: TreeTable,
    inspected: Inspected,
    plan: Plan,
    graph: Graph,
    recover: bool,
    leaks: bool,
    recorded: Recorded,
    changes: Vec<ChangeEntry>,
    comparison: Option<crate::compare::Comparison>,
    worst: Option<Worst>,
    nodes: Vec<(String, Rect)>,
    shapes: usize,
}

fn table() -> TreeTable {
    let column = TreeColumn {
        params: Default::default(),
        build_ms: 1234.56,
        query_us: 123.45,
        worth: crate::bvh::stats::Worth {
            bins: 1_234_567,
            depth: 32,
            faces: 9_999_999,
            overlap_volume: 123_456.78,
            sah_cost: 99_999.9,
            bins_per_query: 1234.56,
            faces_per_query: 1234.56,
            ..Default::default()
        },
    };
    TreeTable {
        room: 12_345,
        queries: 1000,
        columns: [column; 2],
        culling: [(99_999.9, 9999.99); 3],
    }
}

/// Controls that say nothing of themselves when the pointer rests on them.
fn bare_controls(nodes: &[(egui::accesskit::NodeId, egui::accesskit::Node)]) -> Vec<String> {
    use egui::accesskit::{Node, Role};
    let is_control = |node: &Node| {
        matches!(
            node.role(),
            Role::Button
                | Role::CheckBox
                | Role::RadioButton
                | Role::Slider
                | Role::SpinButton
                | Role::ComboBox
                | Role::TextInput
                | Role::Link
                | Role::MenuItem
        )
    };
    // The number beside a slider is a part of it.
    let is_of_slider = |node: &Node| {
        let beside = |slider: &Node| match (slider.bounds(), node.bounds()) {
            (Some(a), Some(b)) => {
                (a.y0 - b.y0).abs() < 4.0 && (-1.0..14.0).contains(&(b.x0 - a.x1))
            }
            _ => false,
        };
        let mut sliders = nodes.iter().filter(|(_, n)| n.role() == Role::Slider);
        node.role() == Role::SpinButton && sliders.any(|(_, slider)| beside(slider))
    };
    nodes
        .iter()
        .map(|(_, node)| node)
        .filter(|node| is_control(node) && node.description().is_none_or(str::is_empty))
        .filter(|node| !is_of_slider(node))
        .map(|node| format!("{:?} {:?}", node.role(), node.label().or(node.value())))
        .collect()
}

impl Stand {
    fn new() -> Self {
        let ctx = egui::Context::default();
        apply_theme(&ctx, Palette::Standard);
        ctx.enable_accesskit();
        let mut recorder = Recorder::new();
        for n in 0..20 {
            recorder.begin_frame();
            recorder.begin(Stage::Step);
            if n % 7 == 0 {
                recorder.begin(Stage::Carve);
                recorder.end(Stage::Carve);
            }
            recorder.end(Stage::Step);
            recorder.end_frame();
        }
        let chip = CarveChip {
            what: "rocket",
            refused: None,
            watertight: true,
            open_at: None,
            faces: 1234,
            rooms: 2,
            portals: 1,
            islands: 3,
            volume_m3: 12.345,
            hash: u64::MAX,
            ms: 123.45,
            rebuild_ms: 67.89,
        };
        let level = |name: &str| LevelEntry {
            name: name.into(),
            path: name.into(),
            recent: false,
        };
        let notice = |id, kind| Notice {
            id,
            kind,
            text: format!("notice {id} ").repeat(20),
            seconds_left: 9.0,
        };
        let mut stand = Self {
            ctx,
            panels: Panels::default(),
            recorder,
            settings: Settings::default(),
            chip: Some(chip),
            preview: None,
            carving: None,
            levels: vec![level("bunker.map"), level("caves.map")],
            notices: vec![notice(1, NoticeKind::Info), notice(2, NoticeKind::Error)],
            overlays: Overlays::default(),
            preferences: Preferences::default(),
            rebinding: None,
            asked: None,
            loading: Some("caves.map: cutting brushes"),
            report: LevelReport {
                rows: vec![("air", "12345.6 m³".into(), "Volume of all air."); 18],
                warnings: vec![
                    LevelWarning {
                        line: 12345,
                        text: "a face whose points are in a line is left out".into(),
                    };
                    3
                ],
            },
            picture: None,
            brush: None,
            probes: vec!["ray: 12.345 m, fraction 0.061725\npoint 1.000 2.000 3.000".into()],
            bare: Vec::new(),
            size: SIZE,
            trees: table(),
            inspected: Inspected {
                title: "face of concrete_wall".into(),
                rows: vec![("distance", "123.456 m".into()); 9],
                sight: Some((
                    false,
                    "A face of brick_red in room 12 stands between. ".repeat(3),
                )),
            },
            plan: Plan {
                height: 1.5,
                rooms: vec![PlanRoom {
                    id: 7,
                    corners: [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]].map(DVec2::from),
                    walls: vec![[DVec2::ZERO, DVec2::Y * 9.0]],
                }],
                doors: vec![Door {
                    ends: [DVec2::X * 9.0, DVec2::new(9.0, 2.0)],
                    is_hole: true,
                }],
                hatches: vec![Hatch {
                    loops: vec![vec![DVec2::ONE, DVec2::new(2.0, 1.0), DVec2::splat(2.0)]],
                    is_hole: false,
                }],
            },
            graph: Graph {
                rooms: vec![(7, DVec3::ZERO), (8, DVec3::new(9.0, 0.0, 0.0))],
                portals: vec![([0, 1], true)],
            },
            recover: false,
            leaks: true,
            recorded: Recorded {
                tick: 1000,
                ticks: 36_000,
                is_written: true,
            },
            changes: Vec::new(),
            comparison: None,
            worst: None,
            nodes: Vec::new(),
            shapes: 0,
        };
        // The first passes only measure.
        for _ in 0..3 {
            stand.pass(Vec::new());
        }
        stand
    }

    fn pass(&mut self, events: Vec<Event>) -> Vec<UiAction> {
        let line = |does, key: &str, what, can_change| KeyLine {
            does,
            key: key.into(),
            what,
            can_change,
            is_changed: false,
        };
        let keys = [
            line(Does::Mouse, "Wheel", "blast radius", false),
            line(Does::Forward, "W", "forward", true),
            line(Does::Help, "F1", "keys: this list", true),
            line(Does::Save, "Ctrl+S", "save the level", true),
        ];
        let shown = Shown {
            level: "bunker.map",
            unsaved: true,
            open: true,
            loading: self.loading,
            dialog_waits: true,
            levels: &self.levels,
            settings: &self.settings,
            camera: CameraMode::Fly,
            paused: true,
            slow: false,
            tick: 1_234_567,
            dropped_secs: 12.3,
            frames_per_second: 60.0,
            overlays: self.overlays,
            counts: Counts {
                rooms_total: 12_345,
                faces_total: 1_234_567,
                triangles_total: 9_999_999,
                ..Counts::default()
            },
            history: [1234, 99],
            recorded: self.recorded,
            changes: &self.changes,
            comparing: self
                .comparison
                .as_ref()
                .map_or(Comparing::No, Comparing::Done),
            worst: (self.worst.is_some(), self.worst.as_ref()),
            chip: self.chip.as_ref(),
            preview: self.preview.as_ref(),
            carving: self.carving,
            captured: false,
            recorder: &self.recorder,
            pass_ms: Some(vec![("shadows", 1.25), ("depth", 0.5), ("colour", 12.5)]),
            rebinding: self.rebinding,
            preferences: &self.preferences,
            settings_file: "breach/settings.toml",
            report: Some(&self.report),
            asked: self.asked,
            trees: Some(&self.trees),
            inspected: Some(&self.inspected),
            map: Some(ShownMap {
                plan: &self.plan,
                graph: &self.graph,
                storeys: &[0.0, 4.0],
                eye: DVec3::new(1.0, 1.5, 1.0),
                yaw: 0.3,
                visible: &[7],
                bodies: &[DVec2::new(2.0, 2.0)],
            }),
            keys: &keys,
            brush: self.brush,
            probes: &self.probes,
            notices: &self.notices,
            leaks: self.leaks,
            flash: 0.5,
            walk: None,
            recover: self.recover.then_some("play-0001.breach"),
        };
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            events,
            focused: true,
            ..RawInput::default()
        };
        let mut actions = Vec::new();
        let panels = &mut self.panels;
        let mut output = self.ctx.run_ui(input, |ui| {
            let (pressed, picture) = panels.ui(ui, &shown);
            actions.extend(pressed);
            self.picture = picture;
        });
        output.textures_delta.clear();
        self.shapes = output.shapes.len();
        if let Some(update) = output.platform_output.accesskit_update {
            self.bare = bare_controls(&update.nodes);
            self.nodes = update
                .nodes
                .iter()
                .filter_map(|(_, node)| {
                    let name = node.label().or(node.value())?.to_owned();
                    let b = node.bounds()?;
                    let rect = Rect::from_min_max(
                        Pos2::new(b.x0 as f32, b.y0 as f32),
                        Pos2::new(b.x1 as f32, b.y1 as f32),
                    );
                    Some((name, rect))
                })
                .collect();
        }
        actions
    }

    /// Takes a tool into the hand.
    fn hold(&mut self, hand: Hand) {
        self.panels.tools.hand.hand = hand;
        for _ in 0..3 {
            self.pass(Vec::new());
        }
    }

    fn find(&self, name: &str) -> Rect {
        // A word that is both a control and a value further down means the control.
        let found = self
            .nodes
            .iter()
            .filter(|(n, _)| n == name)
            .min_by(|a, b| a.1.top().total_cmp(&b.1.top()));
        found.unwrap_or_else(|| panic!("no control {name:?}")).1
    }

    /// The uppermost control under the menu bar whose name begins so: in a menu the key follows.
    fn find_start(&self, name: &str) -> Rect {
        let found = self
            .nodes
            .iter()
            .filter(|(n, rect)| n.starts_with(name) && rect.top() > 20.0)
            .min_by(|a, b| a.1.top().total_cmp(&b.1.top()));
        found.unwrap_or_else(|| panic!("no control {name:?}")).1
    }

    fn press(&mut self, name: &str) -> Vec<UiAction> {
        let rect = self.find(name);
        self.press_at(rect.center())
    }

    /// Drags a control by its name.
    fn drag(&mut self, name: &str, by: Vec2) -> Vec<UiAction> {
        let from = self.find(name).center();
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.pass(vec![Event::PointerMoved(from)]);
        self.pass(vec![button(from, true)]);
        let actions = self.pass(vec![Event::PointerMoved(from + by)]);
        self.pass(vec![button(from + by, false)]);
        self.pass(vec![Event::PointerMoved(Pos2::new(640.0, 5.0))]);
        actions
    }

    fn press_at(&mut self, pos: Pos2) -> Vec<UiAction> {
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let mut actions = self.pass(vec![Event::PointerMoved(pos)]);
        actions.extend(self.pass(vec![button(true)]));
        actions.extend(self.pass(vec![button(false)]));
        actions
    }
}

#[test]
fn every_button_sends_its_action() {
    let portals = Overlays {
        portals: true,
        ..Overlays::default()
    };
    for (name, action) in [
        ("Open…", UiAction::OpenDialog),
        ("Save as…", UiAction::SaveAsDialog),
        ("Reset", UiAction::Reset),
        ("caves.map", UiAction::Open("caves.map".into())),
        ("Walk", UiAction::Camera(CameraMode::Walk)),
        ("No-clip", UiAction::Camera(CameraMode::NoClip)),
        ("Pause", UiAction::Pause(false)),
        ("Step", UiAction::Step),
        ("Slow", UiAction::Slow(true)),
        ("Carve", UiAction::Carve),
        ("Undo", UiAction::Undo),
        ("Redo", UiAction::Redo),
        ("Fill", UiAction::Fill),
        ("portals", UiAction::Show(portals)),
        ("Cancel", UiAction::CancelLoading),
    ] {
        let mut stand = Stand::new();
        if matches!(action, UiAction::Carve | UiAction::Fill) {
            stand.hold(Hand::Brush);
        }
        assert_eq!(stand.press(name), [action], "{name}");
    }
}

#[test]
fn each_tool_is_taken_by_its_button_and_has_its_own_panel() {
    for row in &HANDS {
        let mut stand = Stand::new();
        assert!(stand.press(row.name).is_empty(), "{}", row.name);
        assert_eq!(stand.panels.tools.hand.hand, row.hand);
        for _ in 0..2 {
            stand.pass(Vec::new());
        }
        assert!(stand.bare.is_empty(), "{}: {:?}", row.name, stand.bare);
        check_nothing_is_cut_off(&stand);
        // Below the brush one scrolls to what was kept.
        if row.hand != Hand::Brush {
            assert_eq!(stand.press("Clear"), [UiAction::ClearProbes]);
        }
    }
}

/// One panel open beside those that always are, and nothing else in its way.
fn with_panel(id: PanelId) -> Stand {
    let mut stand = Stand::new();
    stand.leaks = false;
    stand.notices.clear();
    stand.panels.dock.show(id, true);
    for _ in 0..4 {
        stand.pass(Vec::new());
    }
    stand
}

#[test]
fn every_control_of_every_panel_says_what_it_does() {
    for row in PANELS {
        let stand = with_panel(row.id);
        assert!(stand.panels.dock.is_seen(row.id), "{}", row.title);
        // The arrows beside tabs that do not fit are the dock's own.
        let bare: Vec<&String> = stand
            .bare
            .iter()
            .filter(|name| !name.contains('⏴') && !name.contains('⏵'))
            .collect();
        assert!(bare.is_empty(), "{}: {bare:?}", row.title);
    }
}

#[test]
fn the_menus_press_keys_and_open_panels() {
    for (menu, entry, does) in [
        ("File", "Save", Does::Save),
        ("File", "Next level", Does::NextLevel),
        ("File", "Quit", Does::Quit),
        ("Edit", "Redo", Does::Redo),
        ("Time", "Through walls", Does::NoClip),
        ("Show", "Wire", Does::Wire),
        ("Help", "Keys", Does::Help),
    ] {
        let mut stand = Stand::new();
        assert!(stand.press(menu).is_empty());
        for _ in 0..3 {
            stand.pass(Vec::new());
        }
        assert!(stand.bare.is_empty(), "{menu}: {:?}", stand.bare);
        let rect = stand.find_start(entry);
        let pressed = stand.press_at(rect.center());
        assert_eq!(pressed, [UiAction::Press(does)], "{menu}, {entry}");
    }
    let mut stand = Stand::new();
    stand.press("View");
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    let rect = stand.find_start("   Map");
    stand.press_at(rect.center());
    stand.pass(Vec::new());
    assert!(stand.panels.dock.is_open(PanelId::Map));
}

#[test]
fn keys_are_asked_for_and_settings_are_sent() {
    let mut stand = with_panel(PanelId::Keys);
    assert_eq!(stand.press("W"), [UiAction::Rebind(Some(Does::Forward))]);
    assert_eq!(stand.picture, None, "the list lies over the picture");
    stand.rebinding = Some(Does::Forward);
    stand.pass(Vec::new());
    assert_eq!(stand.press("…"), [UiAction::Rebind(None)]);
    let mut stand = with_panel(PanelId::Settings);
    let actions = stand.press("red-green");
    let [UiAction::Prefer(wanted)] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(wanted.palette, Palette::RedGreen);
    let actions = stand.press("newest");
    let [UiAction::Prefer(wanted)] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(wanted.vsync, Vsync::Newest);
    assert_eq!(stand.press("Panels as at first"), [UiAction::ResetPanels]);
}

#[test]
fn a_warning_flies_there_and_unsaved_changes_are_asked_about() {
    let mut stand = with_panel(PanelId::Report);
    let name = "line 12345: a face whose points are in a line is left out";
    assert_eq!(stand.press(name), [UiAction::FlyToLine(12345)]);
    assert_eq!(stand.press("Count again"), [UiAction::CountAgain]);
    for (name, answer) in [
        ("Save first", Some(true)),
        ("Go on without", Some(false)),
        ("Stay here", None),
    ] {
        let mut stand = Stand::new();
        stand.asked = Some("opening caves.map");
        for _ in 0..3 {
            stand.pass(Vec::new());
        }
        assert_eq!(stand.press(name), [UiAction::Unsaved(answer)]);
    }
}

#[test]
fn a_form_is_chosen_and_a_hull_has_marks() {
    let mut stand = Stand::new();
    stand.hold(Hand::Brush);
    assert!(stand.press("As wide as high.").is_empty());
    stand.pass(Vec::new());
    assert!(stand.press("Hull").is_empty());
    assert_eq!(stand.panels.tools.tool.shape, ToolShape::Hull);
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    assert_eq!(stand.press("Mark"), [UiAction::Mark]);
    let tools = &mut stand.panels.tools;
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
    assert!(stand.press("Forget").is_empty());
    assert!(stand.panels.tools.marks.is_empty());
    assert!(stand.press("of carve").is_empty());
    assert_eq!(stand.panels.tools.aim, Aim::Carve);
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
fn choosing_changes_the_settings() {
    for (name, change) in [
        (
            "metal",
            (|s: &mut Settings| s.blast_shape = "metal".into()) as fn(&mut Settings),
        ),
        ("thrown by carves", |s| s.debris = false),
    ] {
        let mut stand = match name {
            "metal" => Stand::new(),
            _ => with_panel(PanelId::World),
        };
        let mut wanted = stand.settings.clone();
        change(&mut wanted);
        assert_eq!(stand.press(name), [UiAction::Set(Box::new(wanted))]);
    }
    let mut stand = Stand::new();
    assert!(stand.press("How a bin is divided in two.").is_empty());
    stand.pass(Vec::new());
    let mut wanted = stand.settings.clone();
    wanted.tree.split = SplitRule::Median;
    assert_eq!(stand.press("median"), [UiAction::Set(Box::new(wanted))]);
}

#[test]
fn sliders_send_settings_while_they_are_dragged() {
    for (label, get) in [
        (
            "radius",
            (|s: &Settings| s.blast_radius) as fn(&Settings) -> f64,
        ),
        ("depth", |s| f64::from(s.tree.max_depth)),
        ("faces / bin", |s| f64::from(s.tree.faces_per_bin)),
        ("min volume", |s| s.tree.min_volume),
        ("buffer", |s| s.buffer_distance),
    ] {
        let mut stand = Stand::new();
        // "depth" names a row on each side; the tree's is the right one.
        let rows = stand.nodes.iter().filter(|(n, _)| n == label);
        let row = rows
            .map(|(_, r)| *r)
            .max_by(|a, b| a.left().total_cmp(&b.left()))
            .expect(label);
        let rail = Pos2::new(row.left() + theme::LABEL_WIDTH + 6.0 + 70.0, row.center().y);
        let actions = stand.press_at(rail);
        let Some(UiAction::Set(settings)) = actions.first() else {
            panic!("{label}: {actions:?}")
        };
        assert_ne!(get(settings), get(&stand.settings), "{label}");
    }
}

#[test]
fn the_path_box_opens_and_saves_what_was_typed() {
    let mut stand = Stand::new();
    let buttons = |stand: &Stand, name: &str| -> Vec<Rect> {
        stand
            .nodes
            .iter()
            .filter(|(n, _)| n == name)
            .map(|(_, r)| *r)
            .collect()
    };
    stand.panels.level.path = "  a/b.map ".into();
    stand.pass(Vec::new());
    let open = buttons(&stand, "Open")[0].center();
    assert_eq!(stand.press_at(open), [UiAction::Open("a/b.map".into())]);
    let save = buttons(&stand, "Save");
    let lower = save
        .iter()
        .max_by(|a, b| a.top().total_cmp(&b.top()))
        .expect("two Save buttons");
    assert_eq!(
        stand.press_at(lower.center()),
        [UiAction::SaveAs("a/b.map".into())]
    );
    let upper = save
        .iter()
        .min_by(|a, b| a.top().total_cmp(&b.top()))
        .expect("two Save buttons");
    assert_eq!(stand.press_at(upper.center()), [UiAction::Save]);
}

#[test]
fn the_offer_to_go_on_can_be_taken_or_left() {
    for (name, yes) in [("Go on", true), ("Start afresh", false)] {
        let mut stand = Stand::new();
        stand.recover = true;
        for _ in 0..3 {
            stand.pass(Vec::new());
        }
        assert_eq!(stand.press(name), [UiAction::Recover(yes)]);
    }
}

#[test]
fn the_help_lists_the_keys_it_is_given() {
    let mut stand = Stand::new();
    stand.panels.dock.show(PanelId::Keys, true);
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    for text in ["W", "forward", "F1", "keys: this list"] {
        stand.find(text);
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
        for _ in 0..3 {
            stand.pass(Vec::new());
        }
        check_nothing_is_cut_off(&stand);
    }
    stand.panels.tools.tool.shape = ToolShape::Hull;
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    check_nothing_is_cut_off(&stand);
}

#[test]
fn the_preview_says_what_would_be_touched_opened_and_cut_free_and_what_it_would_take() {
    let mut stand = Stand::new();
    stand.hold(Hand::Brush);
    stand.panels.tools.aim = Aim::Carve;
    stand.preview = Some(PreviewChip {
        refused: None,
        faces: 12,
        portals: 3,
        islands: 2,
        falls_m3: 1.5,
        volume_m3: 0.75,
        expected_ms: Some(1.25),
    });
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    stand.find("0.75 m³ in about 1.25 ms");
    stand.find("12 faces · 3 portals · 2 fall");
}

fn check_nothing_is_cut_off(stand: &Stand) {
    let picture = stand
        .picture
        .unwrap_or(Rect::from_min_size(Pos2::ZERO, SIZE));
    let (left, right) = (picture.left(), picture.right());
    assert!(stand.nodes.len() > 60);
    for (name, rect) in &stand.nodes {
        assert!(
            0.0 <= rect.left() && rect.right() <= SIZE.x,
            "{name}: {rect}"
        );
        // What is lower is reached by scrolling.
        assert!(0.0 <= rect.top(), "{name}: {rect}");
        // Nothing in a side panel reaches out of it.
        let inside_left = rect.left() < left && rect.width() < left;
        let inside_right = rect.left() > right;
        assert!(!inside_left || rect.right() <= left, "{name}: {rect}");
        assert!(!inside_right || rect.right() <= SIZE.x, "{name}: {rect}");
    }
}

#[test]
fn hidden_panels_leave_the_picture_alone() {
    let mut stand = Stand::new();
    let all = stand.shapes;
    stand.panels.dock.hidden = true;
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    assert!(stand.shapes < all / 2);
    assert!(stand.nodes.iter().all(|(name, _)| name != "Carve"));
}

#[test]
fn the_lab_fits_every_question_and_its_rings_are_dragged() {
    let mut stand = Stand::new();
    stand.panels.dock.show(PanelId::Lab, true);
    stand.leaks = false;
    stand.notices.clear();
    for _ in 0..40 {
        for _ in 0..2 {
            stand.pass(Vec::new());
        }
        check_nothing_is_cut_off(&stand);
        assert!(stand.press("Next").is_empty());
    }
    for button in [
        "Random",
        "Degenerate",
        "Degenerate",
        "Previous",
        "Start over",
    ] {
        assert!(stand.press(button).is_empty());
        stand.pass(Vec::new());
        check_nothing_is_cut_off(&stand);
    }
    stand.pass(Vec::new());
    let before = stand.find("eye").center();
    let to = before + Vec2::new(40.0, 25.0);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    stand.pass(vec![Event::PointerMoved(before)]);
    stand.pass(vec![button(before, true)]);
    stand.pass(vec![Event::PointerMoved(to)]);
    stand.pass(vec![button(to, false)]);
    for _ in 0..2 {
        stand.pass(Vec::new());
    }
    assert!((stand.find("eye").center() - to).length() < 2.0);
    stand.find("dragged");
}

#[test]
fn trees_stand_side_by_side_and_change_places() {
    let mut stand = with_one_window(PanelId::Trees);
    for text in ["1234.56 ms", "123456.78 m³", "segment against grown box"] {
        stand.find(text);
    }
    let mut wanted = stand.settings.clone();
    wanted.tree.split = SplitRule::Midpoint;
    assert_eq!(stand.press("Exchange"), [UiAction::Set(Box::new(wanted))]);
    assert_eq!(stand.panels.trees.aside, stand.settings.tree);
    stand.panels.trees.aside.max_depth = 3;
    assert!(stand.press("Copy").is_empty());
    assert_eq!(stand.panels.trees.aside, stand.settings.tree);
}

/// One panel open; it fits.
fn with_one_window(id: PanelId) -> Stand {
    let stand = with_panel(id);
    check_nothing_is_cut_off(&stand);
    stand
}

#[test]
fn rules_are_settings_and_each_pair_of_layers_has_its_box() {
    use crate::collide::Layer;
    use crate::world::Solver;
    let mut stand = with_one_window(PanelId::Rules);
    for (name, solver) in [
        ("discrete", Solver::Discrete),
        ("halved", Solver::Subdivided(4)),
    ] {
        let mut wanted = stand.settings.clone();
        wanted.solver = solver;
        assert_eq!(
            stand.press(name),
            [UiAction::Set(Box::new(wanted))],
            "{name}"
        );
    }
    let mut wanted = stand.settings.clone();
    wanted.layers.set(Layer::Rocket, Layer::Debris, true);
    assert_eq!(
        stand.press("debris-rocket"),
        [UiAction::Set(Box::new(wanted))]
    );
    let boxes = stand.nodes.iter().filter(|(name, _)| {
        let parts: Vec<&str> = name.split('-').collect();
        parts.len() == 2
            && parts
                .iter()
                .all(|p| Layer::ALL.iter().any(|l| l.name() == *p))
    });
    assert_eq!(boxes.count(), 12);
}

#[test]
fn what_is_inspected_fits_its_window() {
    let mut stand = with_one_window(PanelId::Inspect);
    stand.find("face of concrete_wall");
    assert_eq!(stand.press("Forget the mark"), [UiAction::MarkSight]);
}

#[test]
fn the_map_names_the_room_and_the_nearest_wall() {
    let mut stand = with_one_window(PanelId::Map);
    let text = stand.find("player: room 7, 1.00 m to the nearest wall");
    // The picture above it has the eye in its middle; three metres further along x the wall is four away.
    let column = stand.find("graph").left()..SIZE.x - 10.0;
    let above = stand.find("graph").bottom()..text.top();
    let middle = Pos2::new(
        (column.start + column.end) * 0.5 + 27.0,
        (above.start + above.end) * 0.5,
    );
    stand.pass(vec![Event::PointerMoved(middle)]);
    stand.pass(Vec::new());
    let said = |stand: &Stand, start: &str| stand.nodes.iter().any(|(n, _)| n.starts_with(start));
    assert!(said(&stand, "pointer: room 7, 4.0"), "{:?}", stand.nodes);
    let actions = stand.press_at(middle);
    let [UiAction::FlyTo(to)] = actions[..] else {
        panic!("{actions:?}")
    };
    assert!((to - DVec3::new(4.0, 1.5, 1.0)).length() < 0.2, "{to}");
    assert!(stand.press("4.0").is_empty());
    assert_eq!(stand.panels.map.height(&[0.0, 4.0], 1.5), 5.2);
    stand.press("graph");
    stand.pass(Vec::new());
    assert!(said(&stand, "2 rooms, 1 open portals"), "{:?}", stand.nodes);
}

#[test]
fn a_form_that_is_kept_is_moved_sized_and_turned_by_its_handles() {
    let mut stand = Stand::new();
    stand.brush = Some(BrushShown {
        centre: DVec2::splat(0.5),
        side: DVec2::new(0.7, 0.5),
        top: DVec2::new(0.5, 0.3),
    });
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    assert!(stand.bare.is_empty(), "{:?}", stand.bare);
    let picture = stand.picture.expect("a picture");
    let actions = stand.drag("move the form", Vec2::new(0.1 * picture.width(), 0.0));
    let Some(UiAction::MoveBrush(at)) = actions.last() else {
        panic!("{actions:?}")
    };
    assert!(
        (at.x - 0.6).abs() < 0.02 && (at.y - 0.5).abs() < 0.02,
        "{at}"
    );
    let before = stand.panels.tools.tool.clone();
    stand.drag("size the form", Vec2::new(0.1 * picture.width(), 0.0));
    let size = stand.panels.tools.tool.size / before.size;
    assert!((size - 1.5).abs() < 0.1, "{size}");
    stand.drag("turn the form", Vec2::new(-20.0, 0.0));
    let turned = stand.panels.tools.tool.rotation[0];
    assert!(
        0.0 < turned && turned < 0.3,
        "{turned}: to the left is counter-clockwise"
    );
}

#[test]
fn the_timeline_plays_steps_back_and_goes_to_any_tick() {
    let mut stand = with_one_window(PanelId::Timeline);
    let seek = |tick| UiAction::Timeline(TimelineAction::Seek(tick));
    for (name, action) in [
        ("start", seek(0)),
        ("back", UiAction::Timeline(TimelineAction::StepBack)),
        ("play", UiAction::Pause(false)),
        ("next", UiAction::Step),
        ("end", seek(36_000)),
        ("slow", UiAction::Slow(true)),
        ("Save recording", UiAction::Timeline(TimelineAction::Save)),
    ] {
        assert_eq!(stand.press(name), [action], "{name}");
    }
    // The middle of the slider is the middle of the recording.
    let slider = stand.find("tick shown");
    let asked = stand.press_at(slider.center());
    let Some(UiAction::Timeline(TimelineAction::Seek(tick))) = asked.last() else {
        panic!("a tick is asked for: {asked:?}");
    };
    assert!((17_000..19_000).contains(tick), "{tick}");
    stand.find("past");
    stand.recorded.tick = stand.recorded.ticks;
    for (is_written, word) in [(true, "rec"), (false, "not written")] {
        stand.recorded.is_written = is_written;
        stand.pass(Vec::new());
        stand.find(word);
    }
    check_nothing_is_cut_off(&stand);
}

#[test]
fn the_history_lists_every_change_and_a_click_goes_there() {
    let mut stand = with_one_window(PanelId::History);
    let [width, height] = CHANGE_PICTURE.map(|x| x as usize);
    let picture = egui::ColorImage::filled([width, height], egui::Color32::RED);
    stand.changes = (1..=5)
        .map(|number| ChangeEntry {
            number,
            name: format!("blast {number}.00 m, concrete_with_a_long_name"),
            tick: number * 1000,
            is_undone: number > 3,
            picture: (number % 2 == 0).then(|| std::sync::Arc::new(picture.clone())),
        })
        .collect();
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    check_nothing_is_cut_off(&stand);
    let name = |number: usize| format!("blast {number}.00 m, concrete_with_a_long_name");
    assert_eq!(stand.press("as it was opened"), [UiAction::GoToChange(0)]);
    assert_eq!(stand.press(&name(2)), [UiAction::GoToChange(2)]);
    assert_eq!(stand.press(&name(5)), [UiAction::GoToChange(5)]);
    assert!(stand.press(&name(3)).is_empty(), "it is like this now");
}

#[test]
fn two_settings_are_compared_and_what_does_not_fit_is_told() {
    let mut stand = with_one_window(PanelId::Compare);
    assert!(stand.press("midpoint or SAH?").is_empty());
    let typed = ["split=midpoint".to_string(), "split=sah".to_string()];
    assert_eq!(
        stand.press("Run"),
        [UiAction::Compare(CompareAction::Start(typed, 3))]
    );
    stand.panels.compare.typed[0] = "depth=99".into();
    stand.pass(Vec::new());
    assert!(stand.press("Run").is_empty());
    stand.find("`depth=99`: depth is deepest level of a box tree, 1 to 32");
    let spread = crate::compare::Spread {
        median: 12_345.678,
        least: 12_345.678,
        most: 12_345.678,
    };
    let row = |what, unit| crate::compare::Row {
        what,
        unit,
        ticks: [36_000; 2],
        p50: [spread; 2],
        p95: [spread; 2],
        p99: [spread; 2],
        max: [spread; 2],
    };
    let mut rows: Vec<_> = Stage::ALL.iter().map(|s| row(s.name(), "ms")).collect();
    rows.push(row("faces tested", ""));
    stand.comparison = Some(crate::compare::Comparison {
        settings: ["depth=8".into(), "depth=12".into()],
        ticks: 3,
        passes: 3,
        first_difference: Some(36_000),
        rows,
        curves: [vec![1.0, 2.0, 1.5], vec![0.5, 3.0, 1.0]],
    });
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    check_nothing_is_cut_off(&stand);
    for (name, picture) in [("PNG", true), ("CSV", false)] {
        let action = UiAction::Compare(CompareAction::Write { picture });
        assert_eq!(stand.press(name), [action]);
    }
}

#[test]
fn the_worst_frame_is_held_and_leads_to_its_tick() {
    let mut stand = with_one_window(PanelId::Timings);
    assert_eq!(stand.press("worst"), [UiAction::HoldWorst(true)]);
    assert_eq!(stand.press("PNG"), [UiAction::PictureTimings]);
    let mut frame = stand.recorder.frames()[0].clone();
    frame.whole_ms = 123.4;
    stand.worst = Some(Worst {
        frame,
        tick: 777,
        counts: Counts::default(),
    });
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    check_nothing_is_cut_off(&stand);
    let there = UiAction::Timeline(TimelineAction::Seek(777));
    assert_eq!(stand.press("123.4 ms"), [UiAction::Pause(true), there]);
    assert_eq!(stand.press("worst"), [UiAction::HoldWorst(false)]);
}

#[test]
fn the_card_s_time_by_pass_is_told() {
    let stand = with_one_window(PanelId::Timings);
    for (name, ms) in [("gpu shadows", "   1.25"), ("gpu colour", "  12.50")] {
        let row = stand.find(name).center().y;
        let beside = |(n, rect): &&(String, Rect)| n == ms && rect.y_range().contains(row);
        assert_eq!(
            stand.nodes.iter().filter(beside).count(),
            3,
            "{name}: p50, p95, max"
        );
    }
}

#[test]
fn the_timeline_lies_whole_in_its_strip() {
    let stand = Stand::new();
    for button in ["start", "back", "end"] {
        let rect = stand.find(button);
        assert!(rect.bottom() <= SIZE.y, "{button}: {rect:?}");
    }
}

#[test]
fn a_frame_under_the_pointer_names_its_costs() {
    let mut stand = with_one_window(PanelId::Timings);
    stand.find("LAST 300 FRAMES");
    // The last frames are at the right end of the graph, which ends before the table begins.
    let right = stand.find("    p50").left().min(stand.find("frame").left());
    let height = stand.find("    p50").bottom() + 60.0;
    let told = |stand: &Stand, start: &str| stand.nodes.iter().any(|(n, _)| n.starts_with(start));
    let found = (8..80).any(|k| {
        let at = Pos2::new(right - k as f32, height);
        for _ in 0..2 {
            stand.pass(vec![Event::PointerMoved(at)]);
        }
        told(&stand, "frame 1")
    });
    assert!(found, "{:?}", stand.nodes);
    assert!(told(&stand, "other "));
}

#[test]
fn a_chip_that_is_wrong_says_where_and_saves_a_report() {
    let mut stand = with_one_window(PanelId::Level);
    let place = glam::DVec3::new(1.0, 2.0, -3.0);
    let chip = stand.chip.as_mut().expect("a chip");
    (chip.watertight, chip.open_at) = (false, Some(place));
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    check_nothing_is_cut_off(&stand);
    stand.find("not watertight");
    assert_eq!(stand.press("Look there"), [UiAction::LookAt(place)]);
    assert_eq!(stand.press("Save bug report"), [UiAction::ReportBug]);
}
