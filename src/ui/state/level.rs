//! Levels to choose from, and the report on the open one.
use crate::builtin::Origin;

/// An entry of the level list.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelEntry {
    /// The level to open.
    pub origin: Origin,
    /// A recently opened file outside the levels folders.
    pub recent: bool,
}

/// Statistics and warnings of the open level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelReport {
    /// Name, value, tip.
    pub rows: Vec<(&'static str, String, &'static str)>,
    /// In the file's order.
    pub warnings: Vec<LevelWarning>,
}

/// Something that was repaired or left out.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelWarning {
    /// Line of the file; 0: none.
    pub line: u32,
    /// A sentence.
    pub text: String,
}
