//! What do people see and press? Panels over the picture: each is a struct with `Default` and `ui()`.
//!
//! A panel is handed [`Shown`], plain data of this frame, and pushes [`UiAction`]s; it never touches the world.
//! All controls have tooltips. Everything fits a window of 1280×720 points.
mod brush_handles;
mod chip;
mod compare_window;
mod dock;
mod does;
mod elide;
mod hand;
mod history_window;
mod hud;
mod inspect_window;
mod keys_panel;
mod lab;
mod level_panel;
mod map_window;
mod menus;
mod notices;
mod panel_list;
mod preferences;
mod questions;
mod report_panel;
mod rules_window;
mod theme;
mod timeline;
mod timing_panel;
mod tools_panel;
mod tree_panel;
mod trees_window;
mod walk_panel;

pub use brush_handles::BrushShown;
pub use chip::{CarveChip, volume_words};
pub use compare_window::{CompareAction, CompareWindow, Comparing};
pub use dock::{Dock, Taken};
pub use does::Does;
pub use hand::{HANDS, Hand, HandPanel};
pub use history_window::{ChangeEntry, HistoryWindow, PICTURE as CHANGE_PICTURE};
pub use inspect_window::{InspectWindow, Inspected};
pub use keys_panel::{KeyLine, KeysPanel};
pub use lab::LabPanel;
pub use level_panel::{LevelEntry, LevelPanel};
pub use map_window::{MapWindow, ShownMap};
pub use notices::{Notice, NoticeKind, Notices};
pub use panel_list::{PANELS, PanelId, PanelRow};
pub use preferences::{Detail, Preferences, SettingsPanel, Vsync};
pub use report_panel::{LevelReport, LevelWarning, ReportPanel};
pub use rules_window::RulesWindow;
pub use theme::apply as apply_theme;
pub use timeline::{Mark, MarkKind, Recorded, TimelineAction, TimelinePanel};
pub use timing_panel::{TimingPanel, Worst};
pub use tools_panel::{Aim, PreviewChip, ToolsPanel};
pub use tree_panel::TreePanel;
pub use trees_window::{TreeColumn, TreeTable, TreesWindow};
pub use walk_panel::WalkPanel;

use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::sim::Settings;
use crate::timing::Recorder;
use crate::view::{Overlays, RayWalk};
use crate::world::Quality;
use glam::{DVec2, DVec3};
use std::path::{Path, PathBuf};

/// How the camera moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// Gravity, steps, jumps.
    #[default]
    Walk,
    /// Free flight, stopped by walls.
    Fly,
    /// Fly freely through walls.
    NoClip,
}

/// What a panel asks the program to do.
#[derive(Clone, Debug, PartialEq)]
pub enum UiAction {
    /// Ask for a file to open.
    OpenDialog,
    /// Open this level or recording.
    Open(Origin),
    /// Open this scene.
    Example(&'static Scene),
    /// A scene's sentence was read.
    PutCardAway,
    /// Save where the level came from.
    Save,
    /// Ask for a file to save to.
    SaveAsDialog,
    /// Save here from now on.
    SaveAs(PathBuf),
    /// Reload the level from its file.
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
    /// Undo the last change.
    Undo,
    /// Redo the last undone change.
    Redo,
    /// Which debug drawings are on.
    Show(Overlays),
    /// Keep the ray under the crosshair to walk it bin by bin, or forget it.
    TakeRay(bool),
    /// Show the walk up to this step.
    WalkTo(usize),
    /// Start or stop keeping timings; stopping writes the files.
    RecordTimings(bool),
    /// What a key or a menu does.
    Press(Does),
    /// Open a panel and bring it to the front, or close it.
    Panel(PanelId, bool),
    /// Put every panel back in its default place.
    ResetPanels,
    /// The next key that is pressed shall do this from now on; None: not after all.
    Rebind(Option<Does>),
    /// All keys as at first.
    ResetKeys,
    /// New settings of the program.
    Prefer(Box<Preferences>),
    /// Put the eye here, metres.
    FlyTo(DVec3),
    /// Put the eye where this line of the level's file is.
    FlyToLine(u32),
    /// Fly along the way out of a level that leaks, from its start; or stop.
    FlyOut(bool),
    /// Count the level's statistics again.
    CountAgain,
    /// Put the form where the ray through this point of the picture meets a face (part of its width and height).
    MoveBrush(DVec2),
    /// Clear all probes, picks and measurements.
    ClearProbes,
    /// Stop loading.
    CancelLoading,
    /// Go on with what would lose unsaved changes: after saving (true), without (false), or not at all (None). Asked
    /// whether a file is replaced: yes (true), or nothing happens.
    Unsaved(Option<bool>),
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
    /// Write a picture.
    Picture,
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

/// The question about unsaved changes.
#[derive(Clone, Copy, Debug)]
pub struct UnsavedShown<'a> {
    /// What would lose them, in words after "to": "open caves.map".
    pub what: &'a str,
    /// A file that is there: whether it is replaced is asked first.
    pub replace: Option<&'a Path>,
    /// They are being saved.
    pub saving: bool,
    /// Why they were not saved.
    pub problem: Option<&'a str>,
}

/// Everything that the panels show in this frame.
pub struct Shown<'a> {
    /// The level's name; empty without one.
    pub level: &'a str,
    /// Where it comes from.
    pub origin: Option<&'a Origin>,
    /// The scene that is open, until its card is put away.
    pub scene: Option<&'static Scene>,
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
    /// How the camera moves.
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
    /// Its events, in the order of ticks.
    pub marks: &'a [Mark],
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
    /// Radius of the blast that is being charged, metres.
    pub charging: Option<f64>,
    /// The program's clock.
    pub recorder: &'a Recorder,
    /// What the graphics card took for each pass of the newest frame that is known, milliseconds; None where it cannot
    /// tell.
    pub pass_ms: Option<Vec<(&'static str, f32)>>,
    /// The room of the eye, measured under two settings.
    pub trees: Option<&'a TreeTable>,
    /// What is under the pointer.
    pub inspected: Option<&'a Inspected>,
    /// The level from above.
    pub map: Option<ShownMap<'a>>,
    /// The keys in force, in the order of the table.
    pub keys: &'a [KeyLine],
    /// The next key that is pressed shall do this.
    pub rebinding: Option<Does>,
    /// Settings of the program.
    pub preferences: &'a Preferences,
    /// Where they are kept.
    pub settings_file: &'a str,
    /// What the open level is made of and what is odd about it.
    pub report: Option<&'a LevelReport>,
    /// The question about unsaved changes, while it is open.
    pub unsaved_question: Option<UnsavedShown<'a>>,
    /// Why the last shot or tool did nothing, for a moment.
    pub miss: Option<&'a str>,
    /// Handles of the form that is kept in its place.
    pub brush: Option<BrushShown>,
    /// What was probed, kept and measured, in words; newest last.
    pub probes: &'a [String],
    /// Said since the last frame, newest last.
    pub notices: &'a [Notice],
    /// The level leaks.
    pub leaks: bool,
    /// The eye flies along the way out.
    pub flying_out: bool,
    /// Brightness of an explosion before the eyes, 0..=1.
    pub flash: f32,
    /// A ray that is walked, and the step shown.
    pub walk: Option<(&'a RayWalk, usize)>,
    /// A recording that a crash left, by name; that it was made by other rules, in words.
    pub recover: Option<(&'a str, Option<&'a str>)>,
    /// An assertion that failed, and the recording that shows it or why there is none.
    pub fault: Option<(&'a str, Result<&'a Path, &'a str>)>,
}

impl Shown<'_> {
    /// The key that does this, as people read it; empty without one.
    pub fn key(&self, does: Does) -> String {
        let line = self.keys.iter().find(|line| line.does == does);
        line.map(|line| line.key.clone()).unwrap_or_default()
    }

    /// A tip that ends in the keys that do the same, as they are bound now.
    pub fn tip(&self, text: &str, does: &[Does]) -> String {
        let keys = does.iter().map(|&does| self.key(does));
        let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
        if keys.is_empty() {
            return text.to_owned();
        }
        format!("{} ({}).", text.trim_end_matches('.'), keys.join(", "))
    }
}

/// All panels and what they remember between frames.
#[derive(Default)]
pub struct Panels {
    /// Where they stand and which are open.
    pub dock: Dock,
    /// Files and levels.
    pub level: LevelPanel,
    /// Statistics and warnings.
    pub report: ReportPanel,
    /// What the hands hold.
    pub tools: ToolsPanel,
    /// The box tree's sliders, debug drawings, counts.
    pub tree: TreePanel,
    /// A ray walked bin by bin.
    pub walk: WalkPanel,
    /// The stacked graph.
    pub timing: TimingPanel,
    /// Every query of the collision library, to try out.
    pub lab: LabPanel,
    /// Two settings of the box tree side by side.
    pub trees: TreesWindow,
    /// Which layers collide, and with which solver.
    pub rules: RulesWindow,
    /// What is under the pointer.
    pub inspect: InspectWindow,
    /// The level from above.
    pub map: MapWindow,
    /// The recording.
    pub timeline: TimelinePanel,
    /// Every change of the world.
    pub history: HistoryWindow,
    /// Compare the recording under two settings.
    pub compare: CompareWindow,
    /// The list of keys.
    pub keys: KeysPanel,
    /// Settings of the program.
    pub settings: SettingsPanel,
    /// Messages that are still there.
    pub notices: Notices,
}

impl Panels {
    /// Draws everything and says what was pressed, and where the picture is: None while a panel covers it.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown) -> (Vec<UiAction>, Option<egui::Rect>) {
        let Self {
            dock,
            level,
            report,
            tools,
            tree,
            walk,
            timing,
            lab,
            trees,
            rules,
            inspect,
            map,
            timeline,
            history,
            compare,
            keys,
            settings,
            notices,
        } = self;
        let mut actions = Vec::new();
        if !dock.hidden {
            let frame = egui::Frame::new()
                .fill(theme::SLATE)
                .inner_margin(egui::Margin::symmetric(8, 2));
            egui::Panel::top("menus")
                .frame(frame)
                .show(ui, |ui| menus::ui(ui, shown, dock, &mut actions));
        }
        let actions_of = &mut actions;
        let picture = dock.ui(ui, &|does| shown.key(does), &mut |ui, id| match id {
            PanelId::Picture => {}
            PanelId::Level => level.ui(ui, shown, actions_of),
            PanelId::Report => report.ui(ui, shown, actions_of),
            PanelId::Tools => tools.ui(ui, shown, actions_of),
            PanelId::World => tools_panel::world(ui, shown, actions_of),
            PanelId::Bins => tree.ui(ui, shown, walk, actions_of),
            PanelId::Trees => trees.ui(ui, shown, actions_of),
            PanelId::Rules => rules.ui(ui, shown, actions_of),
            PanelId::Inspect => inspect.ui(ui, shown, actions_of),
            PanelId::Map => map.ui(ui, shown, actions_of),
            PanelId::Timings => timing.ui(ui, shown, actions_of),
            PanelId::Timeline => timeline.ui(ui, shown, actions_of),
            PanelId::History => history.ui(ui, shown, actions_of),
            PanelId::Compare => compare.ui(ui, shown, actions_of),
            PanelId::Lab => lab.ui(ui),
            PanelId::Keys => keys.ui(ui, shown, actions_of),
            PanelId::Settings => settings.ui(ui, shown, actions_of),
        });
        let free = picture.unwrap_or(ui.ctx().content_rect());
        if picture.is_some() {
            hud::ui(ui, free, shown, tools.hand.hand, &mut actions);
            brush_handles::ui(ui, free, shown, &mut tools.tool, &mut actions);
        }
        questions::ui(ui, shown, &mut actions);
        notices.ui(ui, free, shown);
        (actions, picture)
    }
}

#[cfg(test)]
mod tests;
