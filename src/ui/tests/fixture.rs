//! An invented state for the panels, with texts and numbers as long as real ones get.
use super::*;
use crate::sim::{BrokenSection, CheckReport};
use crate::structure::{Mode, StructuralMaterial};
use crate::timing::{Recorder, Stage};
use crate::view::floor_plan::{Door, Hatch, Plan, PlanRoom};
use crate::view::room_graph::RoomGraph;
use crate::view::{BinResult, RayWalk, WalkStep};

/// The panels, and owned data for [`UiState`].
pub struct Fixture {
    pub example: Option<&'static crate::scenes::Scene>,
    pub panels: Panels,
    pub recorder: Recorder,
    pub settings: Settings,
    pub open: bool,
    pub paused: bool,
    pub history: [usize; 2],
    pub chip: Option<CarveChip>,
    pub preview: Option<PreviewChip>,
    pub carving: Option<f64>,
    pub clip: Option<(&'static Path, f64)>,
    pub charging: Option<f64>,
    pub levels: Vec<LevelEntry>,
    pub notices: Vec<Notice>,
    pub overlays: Overlays,
    pub preferences: Preferences,
    pub rebinding: Option<KeyCommand>,
    pub asked: Option<&'static str>,
    pub saving: bool,
    pub replace: Option<&'static Path>,
    pub problem: Option<&'static str>,
    pub miss: Option<&'static str>,
    pub loading: Option<&'static str>,
    pub report: LevelReport,
    pub probes: Vec<String>,
    pub brush: Option<ShapeHandles>,
    pub check: Option<CheckReport>,
    pub broken: Vec<(u64, BrokenSection)>,
    pub trees: TreeTable,
    pub inspected: Inspected,
    pub plan: Plan,
    pub graph: RoomGraph,
    pub recover: bool,
    pub recover_note: Option<&'static str>,
    pub fault: Option<(&'static str, Result<&'static Path, &'static str>)>,
    pub reload: Option<usize>,
    pub leaks: bool,
    pub recorded: Recorded,
    pub marks: Vec<TimelineMark>,
    pub changes: Vec<ChangeEntry>,
    pub comparison: Option<crate::compare::Comparison>,
    pub worst: Option<WorstFrame>,
    pub walk: Option<RayWalk>,
    pub keys: Vec<KeyLine>,
    /// The picture's rectangle in the last pass.
    pub picture: Option<Rect>,
    /// Commands since the last look.
    pub commands: Vec<UiCommand>,
}

fn table() -> TreeTable {
    let column = TreeColumn {
        params: Default::default(),
        build_ms: 1234.56,
        query_us: 123.45,
        worth: crate::bvh::quality::TreeQuality {
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

fn check() -> CheckReport {
    CheckReport {
        blocks: 12_345,
        bonds: 34_567,
        utilisation: 12.345,
        overloaded: 1234,
        is_too_large: false,
    }
}

/// Two sections more than are listed.
fn broken() -> Vec<(u64, BrokenSection)> {
    let modes = [Mode::Tension, Mode::Compression, Mode::Shear];
    let one = |n: u32| BrokenSection {
        centre: DVec3::new(-123.4, 56.7, f64::from(n)),
        area_m2: [0.0123, 123.456][n as usize % 2],
        material: StructuralMaterial::ALL.get(n as usize % 8).copied(),
        mode: modes[n as usize % 3],
        utilisation: 1.0 + f64::from(n),
    };
    (0..14).map(|n| (1000 + u64::from(n), one(n))).collect()
}

/// The bindings that panels and tests need, none of them the default.
fn keys() -> Vec<KeyLine> {
    let line = |command, key: &str, what, can_change| KeyLine {
        command,
        key: key.into(),
        what,
        can_change,
        is_changed: false,
    };
    vec![
        line(KeyCommand::Mouse, "Wheel", "blast radius", false),
        line(KeyCommand::Forward, "W", "forward", true),
        line(KeyCommand::Help, "F1", "keys: this list", true),
        line(KeyCommand::Save, "Ctrl+S", "save the level", true),
    ]
}

/// Frames of a session with a carve now and then.
fn recorder() -> Recorder {
    let frame = |n: u64| {
        let carves = u32::from(n % 40 == 7);
        let ms = |stage: Stage| match stage {
            Stage::Carve | Stage::Clip | Stage::Bins => carves as f32 * 3.5,
            Stage::Step => 0.4 + (n % 7) as f32 * 0.1,
            Stage::Debris => 0.5 + (n % 60) as f32 * 0.03,
            Stage::Visibility | Stage::Panel => 0.75,
            // One of them took a second.
            Stage::Draw if n == 150 => 1000.0,
            Stage::Draw => 2.5 + (n % 5) as f32 * 0.25,
            _ => 0.0,
        };
        let own_ms = Stage::ALL.map(ms);
        crate::timing::Frame {
            number: n,
            start_ms: n as f64 * 16.0,
            whole_ms: own_ms.iter().sum::<f32>() + 0.5,
            own_ms,
            total_ms: own_ms,
            carves,
            checked: [0; 3],
        }
    };
    Recorder::from_frames((0..240).map(frame))
}

impl Default for Fixture {
    fn default() -> Self {
        let chip = CarveChip {
            what: "rocket",
            refused: None,
            no_effect: None,
            watertight: true,
            open_at: None,
            faces: 1234,
            rooms: 2,
            portals: 1,
            islands: 3,
            volume_m3: 12.345,
            movers: (0, 0.0),
            broken: 0,
            hash: u64::MAX,
            ms: 123.45,
            rebuild_ms: 67.89,
        };
        let level = |name: &str| LevelEntry {
            origin: Origin::Builtin(crate::builtin::find(name).expect("ours")),
            recent: false,
        };
        let notice = |id, kind| Notice {
            id,
            kind,
            text: format!("notice {id} ").repeat(20),
        };
        Self {
            panels: Panels::default(),
            recorder: recorder(),
            settings: Settings::default(),
            open: true,
            paused: true,
            history: [1234, 99],
            chip: Some(chip),
            preview: None,
            carving: None,
            clip: None,
            charging: None,
            levels: vec![level("bunker"), level("caves")],
            notices: vec![notice(1, NoticeKind::Info), notice(2, NoticeKind::Error)],
            overlays: Overlays::default(),
            preferences: Preferences::default(),
            rebinding: None,
            asked: None,
            saving: false,
            replace: None,
            problem: None,
            miss: None,
            loading: Some("caves.map: cutting brushes"),
            report: LevelReport {
                rows: vec![("air", "12345.6 m³".into(), "Volume of all air."); 18],
                warnings: vec![
                    LevelWarning {
                        line: 12345,
                        text: "a face whose points are collinear is skipped".into(),
                    };
                    3
                ],
            },
            picture: None,
            brush: None,
            probes: vec!["ray: 12.345 m, fraction 0.061725\npoint 1.000 2.000 3.000".into()],
            check: Some(check()),
            broken: broken(),
            trees: table(),
            inspected: Inspected {
                title: "face of concrete_wall".into(),
                rows: vec![("distance", "123.456 m".into()); 9],
                structure: "Carries 1234 kN over 123 blocks to the ground; the weakest section is at 62 % in compression.".into(),
                sight: Some((
                    false,
                    "A face of brick_red in room 12 is in the way. ".repeat(3),
                )),
            },
            plan: Plan {
                height: 1.5,
                rooms: vec![PlanRoom {
                    id: 7,
                    corners: [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]].map(DVec2::from),
                    air: Some([[0.0, 0.0], [9.0, 0.0], [9.0, 6.0], [0.0, 6.0]].map(DVec2::from)),
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
            graph: RoomGraph {
                rooms: vec![(7, DVec3::ZERO), (8, DVec3::new(9.0, 0.0, 0.0))],
                portals: vec![([0, 1], true)],
                extent: [DVec2::ZERO, DVec2::splat(9.0)],
            },
            recover: false,
            recover_note: None,
            fault: None,
            reload: None,
            leaks: true,
            recorded: Recorded {
                tick: 1000,
                ticks: 36_000,
                is_written: true,
            },
            marks: Vec::new(),
            changes: Vec::new(),
            comparison: None,
            worst: None,
            walk: None,
            keys: keys(),
            example: None,
            commands: Vec::new(),
        }
    }
}

impl Fixture {
    /// One pass of all panels.
    pub fn draw(&mut self, ui: &mut egui::Ui) {
        let state = UiState {
            level: "bunker.map",
            scene: self.example,
            origin: self.levels.first().map(|level| &level.origin),
            unsaved: true,
            open: self.open,
            loading: self.loading,
            dialog_waits: true,
            levels: &self.levels,
            settings: &self.settings,
            camera: CameraMode::Fly,
            paused: self.paused,
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
            history: self.history,
            recorded: self.recorded,
            marks: &self.marks,
            changes: &self.changes,
            comparing: self
                .comparison
                .as_ref()
                .map_or(Comparing::No, Comparing::Done),
            worst: (self.worst.is_some(), self.worst.as_ref()),
            chip: self.chip.as_ref(),
            preview: self.preview.as_ref(),
            structure: StructureState {
                check: self.check.as_ref().map(|check| (1_234_567, check)),
                broken: &self.broken,
                is_checking: true,
            },
            carving: self.carving,
            clip: self.clip,
            captured: false,
            charging: self.charging,
            recorder: &self.recorder,
            pass_ms: Some(vec![("shadows", 1.25), ("depth", 0.5), ("colour", 12.5)]),
            rebinding: self.rebinding,
            preferences: &self.preferences,
            settings_file: "breach/settings.toml",
            report: Some(&self.report),
            confirmation: self.asked.map(|what| Confirmation {
                what,
                replace: self.replace,
                saving: self.saving,
                problem: self.problem,
            }),
            miss: self.miss,
            trees: Some(&self.trees),
            inspected: Some(&self.inspected),
            map: Some(MapState {
                plan: &self.plan,
                graph: &self.graph,
                storeys: &[0.0, 4.0],
                eye: DVec3::new(1.0, 1.5, 1.0),
                yaw: 0.3,
                visible: &[7],
                bodies: &[DVec2::new(2.0, 2.0)],
            }),
            keys: &self.keys,
            brush: self.brush,
            probes: &self.probes,
            notices: &self.notices,
            reload: self.reload,
            leaks: self.leaks,
            flying_out: false,
            flash: 0.5,
            walk: self.walk.as_ref().map(|walk| (walk, 1)),
            fault: self.fault,
            recover: self
                .recover
                .then_some(("play-0001.breach", self.recover_note)),
        };
        // The harness has a margin; a window has none.
        let whole = ui.ctx().content_rect();
        let builder = egui::UiBuilder::new().max_rect(whole);
        let panels = &mut self.panels;
        let drawn = ui.scope_builder(builder, |ui| {
            ui.set_clip_rect(whole);
            panels.ui(ui, &state)
        });
        let (pressed, picture) = drawn.inner;
        self.commands.extend(pressed);
        self.picture = picture;
    }
}

/// A ray that visited more bins than the list shows.
pub fn walk() -> RayWalk {
    let results = [
        BinResult::Missed,
        BinResult::Entered,
        BinResult::Tested,
        BinResult::Hit,
        BinResult::Behind,
    ];
    let step = |n: u32| WalkStep {
        room: 12_345,
        level: n % 20,
        bounds: crate::geom::Aabb {
            min: DVec3::ZERO,
            max: DVec3::ONE,
        },
        result: results[n as usize % results.len()],
    };
    RayWalk {
        from: DVec3::ZERO,
        to: DVec3::X * 9.0,
        revision: Default::default(),
        steps: (0..60).map(step).collect(),
        hit: None,
    }
}

/// Five changes with long names, two of them undone; every other one has a thumbnail.
pub fn changes() -> Vec<ChangeEntry> {
    let [width, height] = CHANGE_PICTURE.map(|x| x as usize);
    let picture = egui::ColorImage::filled([width, height], egui::Color32::RED);
    let change = |number: u64| ChangeEntry {
        number,
        name: format!("blast {number}.00 m, concrete_with_a_long_name"),
        tick: number * 1000,
        is_undone: number > 3,
        picture: number
            .is_multiple_of(2)
            .then(|| std::sync::Arc::new(picture.clone())),
    };
    (1..=5).map(change).collect()
}

/// Events of a recording of ten minutes: two that overlap at any size, a save, a branch.
pub fn marks() -> Vec<TimelineMark> {
    let mark = |tick, kind, what: &str| TimelineMark {
        tick,
        kind,
        what: what.into(),
    };
    let change = |tick| mark(tick, TimelineMarkKind::Change, "blast: 1.23 m³ removed");
    let branch = "new branch; the old recording is kept in play-0001.breach";
    vec![
        change(9_000),
        change(9_010),
        mark(18_000, TimelineMarkKind::Save, "saved dug.map"),
        mark(27_000, TimelineMarkKind::Branch, branch),
        change(33_000),
    ]
}

/// A comparison with the widest numbers.
pub fn comparison() -> crate::compare::Comparison {
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
    crate::compare::Comparison {
        settings: ["depth=8".into(), "depth=12".into()],
        ticks: 3,
        passes: 3,
        first_difference: Some(1),
        rows,
        curves: [vec![1.0, 2.0, 1.5], vec![0.5, 3.0, 1.0]],
    }
}
