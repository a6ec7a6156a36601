//! Each panel draws inside the window; what is pressed arrives. Controls are found by their name, as a screen reader
//! finds them, and pressed with a pointer.
use super::*;
use crate::bvh::SplitRule;
use crate::sim::ToolShape;
use crate::timing::{Marker, Stage};
use crate::view::plan::PlanRoom;
use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};

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
    windows: Windows,
    trees: TreeTable,
    inspected: Inspected,
    plan: Plan,
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

impl Stand {
    fn new() -> Self {
        let ctx = egui::Context::default();
        apply_theme(&ctx);
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
            windows: Windows {
                timings: true,
                ..Windows::default()
            },
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
        let keys = [("W", "forward"), ("F1", "this help")];
        let shown = Shown {
            level: "bunker.map",
            unsaved: true,
            open: true,
            loading: Some("caves.map: cutting brushes"),
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
            windows: self.windows,
            trees: Some(&self.trees),
            inspected: Some(&self.inspected),
            map: Some((&self.plan, DVec2::new(1.0, 1.0), 0.3)),
            keys: &keys,
            notices: &self.notices,
            leaks: self.leaks,
            flash: 0.5,
            walk: None,
            recover: self.recover.then_some("play-0001.breach"),
        };
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            events,
            focused: true,
            ..RawInput::default()
        };
        let mut actions = Vec::new();
        let panels = &mut self.panels;
        let mut output = self
            .ctx
            .run_ui(input, |ui| actions.extend(panels.ui(ui, &shown)));
        output.textures_delta.clear();
        self.shapes = output.shapes.len();
        if let Some(update) = output.platform_output.accesskit_update {
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

    fn find(&self, name: &str) -> Rect {
        // A word that is both a control and a value further down means the control.
        let found = self
            .nodes
            .iter()
            .filter(|(n, _)| n == name)
            .min_by(|a, b| a.1.top().total_cmp(&b.1.top()));
        found.unwrap_or_else(|| panic!("no control {name:?}")).1
    }

    fn press(&mut self, name: &str) -> Vec<UiAction> {
        let rect = self.find(name);
        self.press_at(rect.center())
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
        ("Clear", UiAction::ClearDebris),
        ("portals", UiAction::Show(portals)),
        ("Timings", UiAction::ShowTimings(false)),
        ("Record", UiAction::RecordTimings(true)),
        ("Picture", UiAction::Picture),
        ("Keys", UiAction::ShowHelp(true)),
        ("Lab", UiAction::ShowLab(true)),
        ("Trees", UiAction::ShowTrees(true)),
        ("Rules", UiAction::ShowRules(true)),
        ("Inspect", UiAction::ShowInspect(true)),
        ("Map", UiAction::ShowMap(true)),
        ("Timeline", UiAction::ShowTimeline(true)),
        ("History", UiAction::ShowHistory(true)),
        ("Compare", UiAction::ShowCompare(true)),
    ] {
        assert_eq!(Stand::new().press(name), [action], "{name}");
    }
}

#[test]
fn a_form_is_chosen_and_a_hull_has_marks() {
    let mut stand = Stand::new();
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
        let mut stand = Stand::new();
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
        ("gravity", |s| s.gravity),
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
    stand.windows.help = true;
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    for text in ["W", "forward", "F1", "this help"] {
        stand.find(text);
    }
}

#[test]
fn nothing_is_cut_off_at_1280_by_720() {
    let mut stand = Stand::new();
    stand.windows.timings = false;
    stand.pass(Vec::new());
    check_nothing_is_cut_off(&stand);
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
    let (left, right) = (PANEL_WIDTH, SIZE.x - PANEL_WIDTH);
    assert!(stand.nodes.len() > 60);
    for (name, rect) in &stand.nodes {
        assert!(
            0.0 <= rect.left() && rect.right() <= SIZE.x,
            "{name}: {rect}"
        );
        assert!(
            0.0 <= rect.top() && rect.bottom() <= SIZE.y,
            "{name}: {rect}"
        );
        // Nothing in a side panel reaches out of it.
        let inside_left = rect.left() < left && rect.width() < left;
        let inside_right = rect.left() > right;
        assert!(
            !inside_left || rect.right() <= left - 9.0 || rect.top() > 500.0,
            "{name}: {rect}"
        );
        assert!(
            !inside_right || rect.right() <= SIZE.x - 9.0,
            "{name}: {rect}"
        );
    }
}

#[test]
fn hidden_panels_leave_the_picture_alone() {
    let mut stand = Stand::new();
    let all = stand.shapes;
    stand.panels.hidden = true;
    stand.windows.timings = false;
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    assert!(stand.shapes < all / 2);
    assert!(stand.nodes.iter().all(|(name, _)| name != "Carve"));
}

#[test]
fn the_lab_fits_every_question_and_its_rings_are_dragged() {
    let mut stand = Stand::new();
    stand.windows = Windows {
        lab: true,
        ..Windows::default()
    };
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
    let mut stand = with_one_window(|windows| windows.trees = true);
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

/// One window open and nothing else in its way; it fits.
fn with_one_window(open: impl Fn(&mut Windows)) -> Stand {
    let mut stand = Stand::new();
    stand.windows = Windows::default();
    open(&mut stand.windows);
    stand.leaks = false;
    stand.notices.clear();
    for _ in 0..3 {
        stand.pass(Vec::new());
    }
    check_nothing_is_cut_off(&stand);
    stand
}

#[test]
fn rules_are_settings_and_each_pair_of_layers_has_its_box() {
    use crate::collide::Layer;
    use crate::world::Solver;
    let mut stand = with_one_window(|windows| windows.rules = true);
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
    let mut stand = with_one_window(|windows| windows.inspect = true);
    stand.find("face of concrete_wall");
    assert_eq!(stand.press("Forget the mark"), [UiAction::MarkSight]);
}

#[test]
fn the_map_names_the_room_and_the_nearest_wall() {
    let mut stand = with_one_window(|windows| windows.map = true);
    let text = stand.find("player: room 7, 1.00 m to the nearest wall");
    // Three metres further along x on the picture above it.
    let middle = text.left_top() + Vec2::new(170.0 + 27.0, -154.0);
    stand.pass(vec![Event::PointerMoved(middle)]);
    stand.pass(Vec::new());
    assert!(
        stand
            .nodes
            .iter()
            .any(|(n, _)| n.starts_with("pointer: room 7, 4.0")),
        "{:?}",
        stand.nodes
    );
}

#[test]
fn the_timeline_plays_steps_back_and_goes_to_any_tick() {
    let mut stand = with_one_window(|windows| windows.timeline = true);
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
    let mut stand = with_one_window(|windows| windows.history = true);
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
    let mut stand = with_one_window(|windows| windows.compare = true);
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
    let mut stand = with_one_window(|windows| windows.timings = true);
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
fn a_frame_under_the_pointer_names_its_costs() {
    let mut stand = with_one_window(|windows| windows.timings = true);
    stand.find("LAST 300 FRAMES");
    // The last frame is at the right end of the graph, which ends where the table begins.
    let right = stand.find("    p50").left().min(stand.find("frame").left()) - 30.0;
    let at = Pos2::new(right, SIZE.y - 60.0);
    for _ in 0..60 {
        stand.pass(vec![Event::PointerMoved(at)]);
    }
    let told = |start: &str| stand.nodes.iter().any(|(name, _)| name.starts_with(start));
    assert!(told("frame 1"), "{:?}", stand.nodes);
    assert!(told("other "));
}

#[test]
fn a_chip_that_is_wrong_says_where_and_saves_a_report() {
    let mut stand = with_one_window(|_| {});
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
