//! What do people see and press? Panels over the picture: each is a struct with `Default` and `ui()`.
//!
//! A panel is handed [`Shown`], plain data of this frame, and pushes [`UiAction`]s; it never touches the world.
//! All controls have tooltips. Everything fits a window of 1280×720 points.
mod chip;
mod compare_window;
mod help;
mod history_window;
mod hud;
mod inspect_window;
mod lab;
mod level_panel;
mod map_window;
mod notices;
mod rules_window;
mod theme;
mod timeline;
mod timing_panel;
mod tools_panel;
mod tree_panel;
mod trees_window;
mod walk_panel;

pub use chip::CarveChip;
pub use compare_window::{CompareAction, CompareWindow, Comparing};
pub use help::HelpPanel;
pub use history_window::{ChangeEntry, HistoryWindow, PICTURE as CHANGE_PICTURE};
pub use inspect_window::{InspectWindow, Inspected};
pub use lab::LabPanel;
pub use level_panel::{LevelEntry, LevelPanel};
pub use map_window::MapWindow;
pub use notices::{Notice, NoticeKind};
pub use rules_window::RulesWindow;
pub use theme::{PANEL_WIDTH, apply as apply_theme};
pub use timeline::{Recorded, TimelineAction, TimelinePanel};
pub use timing_panel::{TimingPanel, Worst};
pub use tools_panel::{Aim, PreviewChip, ToolsPanel};
pub use tree_panel::TreePanel;
pub use trees_window::{TreeColumn, TreeTable, TreesWindow};
pub use walk_panel::WalkPanel;

use crate::sim::Settings;
use crate::timing::Recorder;
use crate::view::plan::Plan;
use crate::view::{Overlays, RayWalk};
use crate::world::Quality;
use glam::{DVec2, DVec3};
use std::path::PathBuf;

/// How the eye moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// Gravity, steps, jumps.
    #[default]
    Walk,
    /// Free flight, stopped by walls.
    Fly,
    /// Free flight through walls.
    NoClip,
}

/// What a panel asks the program to do.
#[derive(Clone, Debug, PartialEq)]
pub enum UiAction {
    /// Ask for a file to open.
    OpenDialog,
    /// Open this level or recording.
    Open(PathBuf),
    /// Save where the level came from.
    Save,
    /// Ask for a file to save to.
    SaveAsDialog,
    /// Save here from now on.
    SaveAs(PathBuf),
    /// Open the level again as its file has it.
    Reset,
    /// New settings, recorded like any input.
    Set(Box<Settings>),
    /// Use the Carve tool at the crosshair.
    Carve,
    /// Use the Fill tool at the crosshair.
    Fill,
    /// Mark the point under the crosshair for a hull.
    Mark,
    /// How the eye moves from now on.
    Camera(CameraMode),
    /// Stop or go on.
    Pause(bool),
    /// One tick while paused.
    Step,
    /// Slow motion on or off.
    Slow(bool),
    /// Removes all crumbs.
    ClearDebris,
    /// Take the last change back.
    Undo,
    /// Do the last change again that was undone.
    Redo,
    /// Which debug drawings are on.
    Show(Overlays),
    /// Keep the ray under the crosshair to walk it bin by bin, or forget it.
    TakeRay(bool),
    /// Show the walk up to this step.
    WalkTo(usize),
    /// Start or stop keeping timings; stopping writes the files.
    RecordTimings(bool),
    /// Show or hide the timing graph.
    ShowTimings(bool),
    /// Show or hide the key help.
    ShowHelp(bool),
    /// Show or hide the Lab.
    ShowLab(bool),
    /// Show or hide the comparison of box trees.
    ShowTrees(bool),
    /// Show or hide the rules of motion.
    ShowRules(bool),
    /// Show or hide what is under the pointer.
    ShowInspect(bool),
    /// Show or hide the map.
    ShowMap(bool),
    /// Ask from now on whether the point under the pointer is in sight of the eye; without one, no more.
    MarkSight,
    /// What is asked of the recording.
    Timeline(TimelineAction),
    /// Undo or redo until so many changes stand.
    GoToChange(usize),
    /// What is asked of a comparison.
    Compare(CompareAction),
    /// Hold the worst frame from now on, or no more.
    HoldWorst(bool),
    /// Write the timing graph as a picture.
    PictureTimings,
    /// Look at this place, metres.
    LookAt(DVec3),
    /// Write the recording as a report of what went wrong.
    ReportBug,
    /// Show or hide the timeline.
    ShowTimeline(bool),
    /// Show or hide the list of changes.
    ShowHistory(bool),
    /// Show or hide the comparison of two settings.
    ShowCompare(bool),
    /// Write a picture.
    Picture,
    /// Take this notice away (by [`Notice::id`]).
    Dismiss(u64),
    /// Go on from the recording that a crash left, or not.
    Recover(bool),
}

/// Numbers of this moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Counts {
    pub rooms_drawn: usize,
    pub rooms_total: usize,
    /// Faces of the rooms drawn.
    pub faces_drawn: usize,
    pub faces_total: usize,
    pub triangles_drawn: usize,
    pub triangles_total: usize,
    /// How good the surface is as it is drawn.
    pub surface: Quality,
    pub portals: usize,
    /// Bins that this tick's queries looked into.
    pub bins_visited: u64,
    /// Triangles that this tick's queries tested.
    pub faces_tested: u64,
    pub bodies: usize,
    pub bodies_awake: usize,
    pub rockets: usize,
    /// Moves that went through a wall since the level was opened.
    pub tunnelled: u64,
}

/// Which windows are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// The timing graph.
    pub timings: bool,
    /// The key help.
    pub help: bool,
    /// The Lab.
    pub lab: bool,
    /// The comparison of box trees.
    pub trees: bool,
    /// The rules of motion.
    pub rules: bool,
    /// What is under the pointer.
    pub inspect: bool,
    /// The map.
    pub map: bool,
    /// The timeline.
    pub timeline: bool,
    /// The list of changes.
    pub history: bool,
    /// The comparison of two settings.
    pub compare: bool,
}

/// Everything that the panels show in this frame.
pub struct Shown<'a> {
    /// The level's name; empty without one.
    pub level: &'a str,
    /// There are changes that no file has.
    pub unsaved: bool,
    /// A level is open.
    pub open: bool,
    /// What the loader does now.
    pub loading: Option<&'a str>,
    /// A file dialog has been open for some seconds.
    pub dialog_waits: bool,
    /// Levels to choose from.
    pub levels: &'a [LevelEntry],
    /// In force, or about to be.
    pub settings: &'a Settings,
    /// How the eye moves.
    pub camera: CameraMode,
    /// No ticks but single steps.
    pub paused: bool,
    /// Slow motion.
    pub slow: bool,
    /// Ticks done.
    pub tick: u64,
    /// Wall time that never became ticks because frames were too long, seconds.
    pub dropped_secs: f64,
    /// Frames a second, smoothed.
    pub frames_per_second: f64,
    /// Debug drawings.
    pub overlays: Overlays,
    /// Numbers of this moment.
    pub counts: Counts,
    /// Changes that can be taken back, and done again.
    pub history: [usize; 2],
    /// The recording.
    pub recorded: Recorded,
    /// Every change of the world, while that window is open.
    pub changes: &'a [ChangeEntry],
    /// How far a comparison is.
    pub comparing: Comparing<'a>,
    /// The worst frame is to be held; it, once there is one.
    pub worst: (bool, Option<&'a Worst>),
    /// The last carve or fill.
    pub chip: Option<&'a CarveChip>,
    /// What the tool would do at the crosshair; None without a face there.
    pub preview: Option<&'a PreviewChip>,
    /// How much of a long carve is done, 0..=1.
    pub carving: Option<f64>,
    /// The mouse looks and fires.
    pub captured: bool,
    /// The program's clock.
    pub recorder: &'a Recorder,
    /// Which windows are open.
    pub windows: Windows,
    /// The room of the eye, measured under two settings.
    pub trees: Option<&'a TreeTable>,
    /// What is under the pointer.
    pub inspected: Option<&'a Inspected>,
    /// The level from above; where the eye is on it (x and z, metres) and where it looks (yaw).
    pub map: Option<(&'a Plan, DVec2, f64)>,
    /// Key and what it does.
    pub keys: &'a [(&'a str, &'a str)],
    /// Newest last.
    pub notices: &'a [Notice],
    /// The level leaks.
    pub leaks: bool,
    /// Brightness of an explosion before the eyes, 0..=1.
    pub flash: f32,
    /// A ray that is walked, and the step shown.
    pub walk: Option<(&'a RayWalk, usize)>,
    /// A recording that a crash left, by name.
    pub recover: Option<&'a str>,
}

/// All panels and what they remember between frames.
#[derive(Default)]
pub struct Panels {
    /// Hides the side panels (the notices and the crosshair stay).
    pub hidden: bool,
    /// Files and levels.
    pub level: LevelPanel,
    /// Camera, time, rockets, Carve and Fill.
    pub tools: ToolsPanel,
    /// The box tree's sliders, debug drawings, counts.
    pub tree: TreePanel,
    /// A ray walked bin by bin.
    pub walk: WalkPanel,
    /// The stacked graph.
    pub timing: TimingPanel,
    /// Every query of the collision library, to play with.
    pub lab: LabPanel,
    /// Two settings of the box tree side by side.
    pub trees: TreesWindow,
    /// What meets what, and by which solver.
    pub rules: RulesWindow,
    /// What is under the pointer.
    pub inspect: InspectWindow,
    /// The level from above.
    pub map: MapWindow,
    /// The recording.
    pub timeline: TimelinePanel,
    /// Every change of the world.
    pub history: HistoryWindow,
    /// The recording under two settings.
    pub compare: CompareWindow,
    /// The list of keys.
    pub help: HelpPanel,
}

impl Panels {
    /// Draws everything and says what was pressed.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown) -> Vec<UiAction> {
        let Self {
            hidden,
            level,
            tools,
            tree,
            walk,
            timing,
            lab,
            trees,
            rules,
            inspect,
            map,
            timeline: strip,
            history,
            compare,
            help,
        } = self;
        let mut actions = Vec::new();
        if !*hidden {
            side("left", true).show(ui, |ui| {
                egui::ScrollArea::vertical()
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        level.ui(ui, shown, &mut actions);
                        tools.ui(ui, shown, &mut actions);
                    });
            });
            side("right", false).show(ui, |ui| {
                egui::ScrollArea::vertical()
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        tree.ui(ui, shown, &mut actions);
                    });
            });
        }
        let windows = shown.windows;
        if windows.timeline {
            let frame = egui::Frame::new()
                .fill(theme::SLATE)
                .inner_margin(egui::Margin::symmetric(10, 6));
            egui::Panel::bottom("timeline")
                .resizable(false)
                .exact_size(timeline::HEIGHT)
                .frame(frame)
                .show(ui, |ui| strip.ui(ui, shown, &mut actions));
        }
        if windows.timings {
            timing.ui(ui, shown, &mut actions);
        }
        walk.ui(ui, shown, &mut actions);
        let free = ui.available_rect_before_wrap();
        hud::ui(ui, free, shown, &mut actions);
        notices::ui(ui, free, shown, &mut actions);
        if windows.lab {
            lab.ui(ui, free, &mut actions);
        }
        if windows.trees {
            trees.ui(ui, free, shown, &mut actions);
        }
        if windows.rules {
            rules.ui(ui, free, shown, &mut actions);
        }
        if windows.inspect {
            inspect.ui(ui, free, shown, walk, &mut actions);
        }
        if windows.map {
            map.ui(ui, free, shown, &mut actions);
        }
        if windows.history {
            let hide = UiAction::ShowHistory(false);
            floating(
                ui,
                free,
                "History",
                264.0,
                hide,
                &mut actions,
                |ui, actions| {
                    history.ui(ui, shown, actions);
                },
            );
        }
        if windows.compare {
            let hide = UiAction::ShowCompare(false);
            floating(
                ui,
                free,
                "Compare",
                640.0,
                hide,
                &mut actions,
                |ui, actions| {
                    compare.ui(ui, shown, actions);
                },
            );
        }
        if windows.help {
            help.ui(ui, shown, &mut actions);
        }
        actions
    }
}

/// A window of this width over the picture; `hide` is asked for when it is closed.
fn floating(
    ui: &egui::Ui,
    free: egui::Rect,
    title: &'static str,
    width: f32,
    hide: UiAction,
    actions: &mut Vec<UiAction>,
    add: impl FnOnce(&mut egui::Ui, &mut Vec<UiAction>),
) {
    let mut is_open = true;
    egui::Window::new(title)
        .id(egui::Id::unique(title))
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .default_pos(egui::pos2(free.left() + 16.0, free.top() + 44.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            add(ui, actions);
        });
    if !is_open {
        actions.push(hide);
    }
}

fn side(id: &'static str, left: bool) -> egui::Panel {
    let panel = if left {
        egui::Panel::left(id)
    } else {
        egui::Panel::right(id)
    };
    let frame = egui::Frame::new()
        .fill(theme::SLATE)
        .inner_margin(egui::Margin::symmetric(10, 6));
    panel.resizable(false).exact_size(PANEL_WIDTH).frame(frame)
}

#[cfg(test)]
mod tests;
