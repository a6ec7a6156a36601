//! Numbers of one frame: what was drawn and what the queries cost.
use crate::timing::Frame;
use crate::world::Quality;

/// Counts of one frame.
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
    /// Mesh quality of the drawn surface.
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
    /// Blocks and bonds of the check of strength that ended in this tick, and bonds that broke.
    pub checked: [usize; 3],
}

/// The worst frame since the player asked for it, with its work.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstFrame {
    /// Its timings.
    pub frame: Frame,
    /// The tick that it showed.
    pub tick: u64,
    /// Its work.
    pub counts: Counts,
}
