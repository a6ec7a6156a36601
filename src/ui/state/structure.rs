//! What the panels show of structures.
use crate::sim::{BrokenSection, CheckReport};

/// What is known of structures.
#[derive(Clone, Copy, Debug, Default)]
pub struct StructureState<'a> {
    /// The last check of strength, with its tick.
    pub check: Option<(u64, &'a CheckReport)>,
    /// Sections that broke, with their ticks, oldest first.
    pub broken: &'a [(u64, BrokenSection)],
    /// A check waits or is under way.
    pub is_checking: bool,
}
