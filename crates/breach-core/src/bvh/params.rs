//! Settings of a build.

listed_enum! {
    /// How a node's triangles are divided.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
    pub enum SplitRule {
        /// Middle of the longest axis (the 2001 article).
        Midpoint,
        /// Equal counts in both halves.
        Median,
        /// Mean of the centres along the longest axis.
        Mean,
        /// Surface area heuristic, top down.
        #[default]
        Sah,
        /// Bottom up: neighbours with the smallest common box are merged.
        BottomUp,
    }
}

/// Settings of a build; can be changed while the program runs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BuildParams {
    /// How a node is split.
    pub split: SplitRule,
    /// Deepest level, 1..=32; the root is level 0.
    pub max_depth: u32,
    /// A bin with at most this many triangles is not split, 1..=64.
    pub faces_per_bin: u32,
    /// A bin smaller than this is not split, cubic metres.
    pub min_volume: f64,
}

impl Default for BuildParams {
    fn default() -> Self {
        Self {
            split: SplitRule::Sah,
            max_depth: 24,
            faces_per_bin: 8,
            min_volume: 0.0,
        }
    }
}
