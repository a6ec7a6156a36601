//! Everything that the panels show in one frame.
use super::{
    CameraMode, CarveChip, ChangeEntry, Comparing, Confirmation, Counts, Inspected, KeyLine,
    LevelEntry, LevelReport, MapState, Notice, PreviewChip, Recorded, ShapeHandles, StructureState,
    TimelineMark, TreeTable, WorstFrame,
};
use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::sim::Settings;
use crate::timing::Recorder;
use crate::ui::{KeyCommand, Preferences};
use crate::view::{Overlays, RayWalk};
use std::path::Path;

/// Everything that the panels show in this frame.
pub struct UiState<'a> {
    /// The level's name; empty without one.
    pub level: &'a str,
    /// The level's origin.
    pub origin: Option<&'a Origin>,
    /// The open scene, until its card is closed.
    pub scene: Option<&'static Scene>,
    /// There are unsaved changes.
    pub unsaved: bool,
    /// A level is open.
    pub open: bool,
    /// The loader's current step.
    pub loading: Option<&'a str>,
    /// A file dialog has been open for some seconds.
    pub dialog_waits: bool,
    /// Levels to choose from.
    pub levels: &'a [LevelEntry],
    /// World settings, as of the next tick.
    pub settings: &'a Settings,
    /// How the camera moves.
    pub camera: CameraMode,
    /// Time is paused; single steps only.
    pub paused: bool,
    /// Slow motion.
    pub slow: bool,
    /// Ticks done.
    pub tick: u64,
    /// Wall time dropped because frames were too long, seconds.
    pub dropped_secs: f64,
    /// Frames a second, smoothed.
    pub frames_per_second: f64,
    /// Debug drawings.
    pub overlays: Overlays,
    /// Counts of this frame.
    pub counts: Counts,
    /// Number of undo and of redo steps.
    pub history: [usize; 2],
    /// The recording.
    pub recorded: Recorded,
    /// Its events, in the order of ticks.
    pub marks: &'a [TimelineMark],
    /// Every change of the world, while the History panel is visible.
    pub changes: &'a [ChangeEntry],
    /// The state of the comparison.
    pub comparing: Comparing<'a>,
    /// The clip that is being made: its file, and the fraction done, 0..=1.
    pub clip: Option<(&'a Path, f64)>,
    /// Whether the worst frame is kept, and the worst so far.
    pub worst: (bool, Option<&'a WorstFrame>),
    /// The last carve or fill.
    pub chip: Option<&'a CarveChip>,
    /// The preview at the crosshair; None without a face there.
    pub preview: Option<&'a PreviewChip>,
    /// What is known of structures.
    pub structure: StructureState<'a>,
    /// The fraction of a long carve that is done, 0..=1.
    pub carving: Option<f64>,
    /// The mouse is captured.
    pub captured: bool,
    /// Radius of the blast that is being charged, metres.
    pub charging: Option<f64>,
    /// Frame timings.
    pub recorder: &'a Recorder,
    /// GPU time of each pass of the newest measured frame, milliseconds; None without timestamps.
    pub pass_ms: Option<Vec<(&'static str, f32)>>,
    /// The eye's room, measured under two settings.
    pub trees: Option<&'a TreeTable>,
    /// The object under the pointer.
    pub inspected: Option<&'a Inspected>,
    /// The level from above.
    pub map: Option<MapState<'a>>,
    /// The current key bindings, in the order of the table.
    pub keys: &'a [KeyLine],
    /// The command waiting for a new key.
    pub rebinding: Option<KeyCommand>,
    /// Program settings.
    pub preferences: &'a Preferences,
    /// Path of the settings file.
    pub settings_file: &'a str,
    /// Statistics and warnings of the open level.
    pub report: Option<&'a LevelReport>,
    /// The pending confirmation.
    pub confirmation: Option<Confirmation<'a>>,
    /// Why the last shot or tool did nothing, for a moment.
    pub miss: Option<&'a str>,
    /// Handles of the pinned shape.
    pub brush: Option<ShapeHandles>,
    /// Results of probes, picks and measurements as text, newest last.
    pub probes: &'a [String],
    /// Messages since the last frame, newest last.
    pub notices: &'a [Notice],
    /// Another program has saved the level's file: number of changes made here that it does not have.
    pub reload: Option<usize>,
    /// The level leaks.
    pub leaks: bool,
    /// The camera flies along the leak path.
    pub flying_out: bool,
    /// Brightness of a near explosion, 0..=1.
    pub flash: f32,
    /// A ray's traversal, and the current step.
    pub walk: Option<(&'a RayWalk, usize)>,
    /// Name of a recording that a crash left, and a note if it was made by other rules.
    pub recover: Option<(&'a str, Option<&'a str>)>,
    /// A failed assertion, and the recording that reproduces it or why there is none.
    pub fault: Option<(&'a str, Result<&'a Path, &'a str>)>,
}

impl UiState<'_> {
    /// The name of the key bound to a command; empty without one.
    pub fn key(&self, command: KeyCommand) -> String {
        let line = self.keys.iter().find(|line| line.command == command);
        line.map(|line| line.key.clone()).unwrap_or_default()
    }

    /// A tip followed by the keys of some commands.
    pub fn tip(&self, text: &str, commands: &[KeyCommand]) -> String {
        let keys = commands.iter().map(|&command| self.key(command));
        let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
        if keys.is_empty() {
            return text.to_owned();
        }
        format!("{} ({}).", text.trim_end_matches('.'), keys.join(", "))
    }
}
