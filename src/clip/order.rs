//! What is asked of a clip.
use super::kind::Kind;
#[cfg(feature = "render")]
use super::pictures::Pictures;
use crate::sound::{Levels, Replacements};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Which clip is wanted.
pub struct Order {
    /// The file to write.
    pub path: PathBuf,
    /// What is written into it.
    pub kind: Kind,
    /// The first and the last tick.
    pub ticks: RangeInclusive<u64>,
    /// Files in the place of sounds.
    pub sounds: Replacements,
    /// Volume of everything and of each category.
    pub levels: Levels,
    /// How it is drawn; sound alone needs none.
    #[cfg(feature = "render")]
    pub pictures: Option<Pictures>,
}
