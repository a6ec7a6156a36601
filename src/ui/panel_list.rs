//! Which panels are there: their names, titles, tips, keys, and where they stand at first.
//!
//! To add a panel: a name in [`PanelId`], a row in [`PANELS`], an arm in [`super::Panels::ui`].
use super::Does;
use serde::{Deserialize, Serialize};

/// Each panel's name. It stands in the settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PanelId {
    /// The world; always there.
    Picture,
    /// Files and levels.
    Level,
    /// A level's statistics and warnings.
    Report,
    /// What the hands hold.
    Tools,
    /// Crumbs, gravity.
    World,
    /// The box tree's sliders, debug drawings, counts.
    Bins,
    /// Two settings of the box tree side by side.
    Trees,
    /// Which layers collide, and with which solver.
    Rules,
    /// What is under the pointer.
    Inspect,
    /// The level from above, and its rooms as a graph.
    Map,
    /// The recording: go to any tick.
    Timeline,
    /// Every change of the world.
    History,
    /// Compare the recording under two settings.
    Compare,
    /// Where the time goes.
    Timings,
    /// Every query of the collision library, to try out.
    Lab,
    /// The list of keys.
    Keys,
    /// Settings of the program.
    Settings,
}

/// Where a panel stands before it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the left, above.
    Left,
    /// On the left, below.
    LeftBelow,
    /// On the right.
    Right,
    /// Under the picture.
    Bottom,
    /// A strip under that.
    Strip,
    /// Over the picture, as a tab beside it.
    Middle,
}

/// One row of [`PANELS`].
#[derive(Clone, Copy, Debug)]
pub struct PanelRow {
    /// Which.
    pub id: PanelId,
    /// On its tab and in the menu.
    pub title: &'static str,
    /// What it shows.
    pub tip: &'static str,
    /// The key that opens and closes it.
    pub key: Option<Does>,
    /// Where it stands at first.
    pub place: Place,
    /// Points that it wants across: its column's width, or its strip's height.
    pub across: f32,
    /// Open at the first start.
    pub open: bool,
}

/// Every panel. Those of one place are tabs there, in this order.
#[rustfmt::skip] // one row a line: it is read as a table
pub const PANELS: &[PanelRow] = &[
    row(PanelId::Picture, "Viewport", "The 3-D view.", None, Place::Middle, 0.0, true),
    row(PanelId::Level, "Level", "Open, save, choose a level.", None, Place::Left, 280.0, true),
    row(PanelId::Report, "Report", "What the level contains, and warnings about it.", None, Place::Left, 280.0, true),
    row(PanelId::Tools, "Tools", "Camera, time and tools.", None, Place::LeftBelow, 280.0, true),
    row(PanelId::World, "World", "Crumbs and gravity.", None, Place::LeftBelow, 280.0, true),
    row(PanelId::Bins, "Bins", "How it works: box trees, debug drawings, counts.", None, Place::LeftBelow, 280.0, true),
    row(PanelId::Trees, "Trees", "Two settings of the box tree side by side.", Some(Does::Trees), Place::Right, 428.0, false),
    row(PanelId::Rules, "Rules", "Which layers collide, and with which solver.", Some(Does::Rules), Place::Right, 344.0, false),
    row(PanelId::Inspect, "Inspect", "Details of what is under the pointer or the crosshair.", Some(Does::Inspect), Place::Right, 330.0, false),
    row(PanelId::Map, "Map", "The level from above, storey by storey, and its rooms as a graph.", Some(Does::Map), Place::Right, 380.0, false),
    row(PanelId::Settings, "Settings", "Program settings, saved between sessions.", None, Place::Right, 344.0, false),
    row(PanelId::History, "History", "Every change, and a way back to each.", Some(Does::History), Place::Right, 290.0, false),
    row(PanelId::Timings, "Timings", "A graph of where the time goes.", Some(Does::Timings), Place::Bottom, 250.0, false),
    row(PanelId::Timeline, "Timeline", "The recording: go to any tick.", Some(Does::Timeline), Place::Strip, 64.0, true),
    row(PanelId::Compare, "Compare", "Compare the recording under two settings.", Some(Does::Compare), Place::Middle, 0.0, false),
    row(PanelId::Lab, "Lab", "Every query of the collision library, to try out.", Some(Does::Lab), Place::Middle, 0.0, false),
    row(PanelId::Keys, "Keys", "Every key; click one to change it.", Some(Does::Help), Place::Middle, 0.0, false),
];

const fn row(
    id: PanelId,
    title: &'static str,
    tip: &'static str,
    key: Option<Does>,
    place: Place,
    across: f32,
    open: bool,
) -> PanelRow {
    PanelRow {
        id,
        title,
        tip,
        key,
        place,
        across,
        open,
    }
}

impl PanelId {
    /// Its row.
    pub fn row(self) -> &'static PanelRow {
        let found = PANELS.iter().find(|row| row.id == self);
        found.unwrap_or(&PANELS[0])
    }
}
