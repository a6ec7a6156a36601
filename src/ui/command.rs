//! What a panel asks the program to do.
use super::preferences::{OnReload, Preferences};
use super::{Answer, CameraMode, KeyCommand, PanelId};
use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::sim::Settings;
use crate::view::Overlays;
use glam::{DVec2, DVec3};
use std::path::PathBuf;

/// What a panel asks the program to do.
#[derive(Clone, Debug, PartialEq)]
pub enum UiCommand {
    /// Ask for a file to open.
    OpenDialog,
    /// Open this level or recording.
    Open(Origin),
    /// Open this scene.
    Example(&'static Scene),
    /// Close the card of the open scene.
    CloseCard,
    /// Save where the level came from.
    Save,
    /// Ask for a file to save to.
    SaveAsDialog,
    /// Save here from now on.
    SaveAs(PathBuf),
    /// Reload the level from its file.
    Reset,
    /// New settings of the world, recorded like any input.
    SetSettings(Box<Settings>),
    /// Use the Carve tool at the crosshair.
    Carve,
    /// Use the Fill tool at the crosshair.
    Fill,
    /// Mark the point under the crosshair for a hull.
    MarkHullPoint,
    /// How the camera moves from now on.
    SetCamera(CameraMode),
    /// Pause or resume.
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
    SetOverlays(Overlays),
    /// Keep the ray under the crosshair to walk it bin by bin, or forget it.
    TakeRay(bool),
    /// Show the walk up to this step.
    WalkTo(usize),
    /// Start or stop keeping timings; stopping writes the files.
    RecordTimings(bool),
    /// A command that has a key, from a menu or a button.
    Key(KeyCommand),
    /// Open a panel and bring it to the front, or close it.
    Panel(PanelId, bool),
    /// Put every panel back in its default place.
    ResetPanels,
    /// Bind the next key that is pressed to this command; None: bind none.
    Rebind(Option<KeyCommand>),
    /// Restore the default of every key.
    ResetKeys,
    /// New settings of the program.
    SetPreferences(Box<Preferences>),
    /// Move the eye here, metres.
    FlyTo(DVec3),
    /// Move the eye near a point and look at it, metres.
    FlyNear(DVec3),
    /// Move the eye to the position of this line of the level's file.
    FlyToLine(u32),
    /// Fly along the way out of a level that leaks, from its start; or stop.
    FlyOut(bool),
    /// Reload the changed file of the open level; the answer becomes the setting. [`OnReload::Ask`]: not now.
    Reload(OnReload),
    /// Count the level's statistics again.
    CountAgain,
    /// Move the pinned shape to the face under this point of the picture (fractions of its width and height).
    MovePinnedShape(DVec2),
    /// Clear all probes, picks and measurements.
    ClearProbes,
    /// Stop loading.
    CancelLoading,
    /// Answer the pending confirmation.
    Confirm(Answer),
    /// Mark the point under the pointer to check the line of sight to it; with a mark, clear it.
    MarkSight,
    /// A command of the timeline.
    Timeline(TimelineCommand),
    /// Undo or redo until this many changes are in force.
    GoToChange(usize),
    /// A command of the comparison.
    Compare(CompareCommand),
    /// Keep the worst frame from now on, or stop.
    FreezeWorst(bool),
    /// Save the timing graph as an image.
    ScreenshotTimings,
    /// Turn the camera to this point, metres.
    LookAt(DVec3),
    /// Save the recording as a bug report.
    ReportBug,
    /// Save an image of the view.
    Screenshot,
    /// Save a clip of the marked span of the timeline, or of the last seconds.
    SaveClip,
    /// No clip after all.
    CancelClip,
    /// Continue the recording that a crash left, or leave it in its folder.
    Recover(bool),
}

/// What is asked of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineCommand {
    /// Show this tick.
    Seek(u64),
    /// One tick back.
    StepBack,
    /// Write the recording to a file of its own.
    Save,
}

/// What is asked of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareCommand {
    /// Play the recording under these two settings, so many times each.
    Start([String; 2], u32),
    /// No more.
    Stop,
    /// Write what came out: a picture, else the curves as CSV.
    Write {
        /// PNG, not CSV.
        picture: bool,
    },
}
