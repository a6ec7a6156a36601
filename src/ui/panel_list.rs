//! The list of panels: names, titles, tips, keys, and the slots of the dock where they stand at first.
//!
//! To add a panel: a variant of [`PanelId`]; the compiler then asks for its row and for its arm in
//! [`super::Panels::ui`].
use super::KeyCommand;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// Each panel's name, which stands in the settings file; in the order of [`PANELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
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
    /// The strength of structures.
    Structure,
    /// What is under the pointer.
    Inspect,
    /// The level from above, and its rooms as a graph.
    Map,
    /// Settings of the program.
    Settings,
    /// Every change of the world.
    History,
    /// Where the time goes.
    Timings,
    /// The recording: go to any tick.
    Timeline,
    /// Compare the recording under two settings.
    Compare,
    /// Every query of the collision library, to try out.
    Lab,
    /// The list of keys.
    Keys,
}

/// The part of the dock where a panel stands until it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DockSlot {
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
    /// The panel.
    pub id: PanelId,
    /// On its tab and in the menu.
    pub title: &'static str,
    /// What it shows.
    pub tip: &'static str,
    /// The key that opens and closes it.
    pub key: Option<KeyCommand>,
    /// The slot where it stands at first.
    pub slot: DockSlot,
    /// Its size across, points: the width of its column, or the height of its strip.
    pub across: f32,
    /// Open at the first start.
    pub open: bool,
}

/// Every panel. Those of one slot are tabs there, in this order.
pub const PANELS: &[PanelRow] = &ROWS;

const ROWS: [PanelRow; PanelId::VARIANTS.len()] = {
    let mut rows = [row_of(PanelId::Picture); PanelId::VARIANTS.len()];
    let mut i = 0;
    while i < rows.len() {
        rows[i] = row_of(PanelId::VARIANTS[i]);
        i += 1;
    }
    rows
};

#[rustfmt::skip] // one row a line: it is read as a table
const fn row_of(id: PanelId) -> PanelRow {
    use DockSlot::{Bottom, Left, LeftBelow, Middle, Right, Strip};
    match id {
        PanelId::Picture => row(id, "Viewport", "The 3-D view.", None, Middle, 0.0, true),
        PanelId::Level => row(id, "Level", "Open, save, choose a level.", None, Left, 280.0, true),
        PanelId::Report => row(id, "Report", "What the level contains, and warnings about it.", None, Left, 280.0, true),
        PanelId::Tools => row(id, "Tools", "Camera, time and tools.", None, LeftBelow, 280.0, true),
        PanelId::World => row(id, "World", "Crumbs and gravity.", None, LeftBelow, 280.0, true),
        PanelId::Bins => row(id, "Bins", "How it works: box trees, debug drawings, counts.", None, LeftBelow, 280.0, true),
        PanelId::Trees => row(id, "Trees", "Two settings of the box tree side by side.", Some(KeyCommand::Trees), Right, 428.0, false),
        PanelId::Rules => row(id, "Rules", "Which layers collide, and with which solver.", Some(KeyCommand::Rules), Right, 344.0, false),
        PanelId::Structure => row(id, "Structure", "How strong solid is, what the last check found, and what broke.", None, Right, 330.0, false),
        PanelId::Inspect => row(id, "Inspect", "Details of what is under the pointer or the crosshair.", Some(KeyCommand::Inspect), Right, 330.0, false),
        PanelId::Map => row(id, "Map", "The level from above, storey by storey, and its rooms as a graph.", Some(KeyCommand::Map), Right, 380.0, false),
        PanelId::Settings => row(id, "Settings", "Program settings, saved between sessions.", None, Right, 344.0, false),
        PanelId::History => row(id, "History", "Every change, and a way back to each.", Some(KeyCommand::History), Right, 290.0, false),
        PanelId::Timings => row(id, "Timings", "A graph of where the time goes.", Some(KeyCommand::Timings), Bottom, 262.0, false),
        PanelId::Timeline => row(id, "Timeline", "The recording: go to any tick.", Some(KeyCommand::Timeline), Strip, 64.0, true),
        PanelId::Compare => row(id, "Compare", "Compare the recording under two settings.", Some(KeyCommand::Compare), Middle, 0.0, false),
        PanelId::Lab => row(id, "Lab", "Every query of the collision library, to try out.", Some(KeyCommand::Lab), Middle, 0.0, false),
        PanelId::Keys => row(id, "Keys", "Every key; click one to change it.", Some(KeyCommand::Help), Middle, 0.0, false),
    }
}

const fn row(
    id: PanelId,
    title: &'static str,
    tip: &'static str,
    key: Option<KeyCommand>,
    slot: DockSlot,
    across: f32,
    open: bool,
) -> PanelRow {
    PanelRow {
        id,
        title,
        tip,
        key,
        slot,
        across,
        open,
    }
}

impl PanelId {
    /// Its row.
    pub fn row(self) -> &'static PanelRow {
        &PANELS[self as usize]
    }
}
