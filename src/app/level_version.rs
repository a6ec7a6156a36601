//! Which level is open, and which version of it.
use crate::world::Revision;

/// A version of an opened level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelVersion {
    pub level: u64,
    pub revision: Revision,
    /// Hash of the world.
    pub hash: u64,
}
