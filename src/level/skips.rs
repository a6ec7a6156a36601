//! What an import skips: counted by reason, with the line of the first of each.
use super::volumes::Volume;

/// A thing of the file that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    Brush,
    Patch,
}

/// Why a sound brush or patch is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkipReason {
    /// Its texture or contents.
    Volume(Volume),
    /// Its class.
    Mover,
    NonSolid,
    Carve,
    Unknown,
}

impl SkipReason {
    fn words(self) -> &'static str {
        match self {
            SkipReason::Volume(volume) => volume.name(),
            SkipReason::Mover => "doors, plats, buttons and trains",
            SkipReason::NonSolid => "triggers and illusionary walls",
            SkipReason::Carve => "only brushes carve",
            SkipReason::Unknown => "of an unknown class",
        }
    }
}

/// Brushes and patches skipped so far, in the order of the first of each reason.
#[derive(Clone, Debug, Default)]
pub(super) struct Skips {
    rows: Vec<(SkipReason, Skipped, usize, u32)>,
}

impl Skips {
    /// Counts one, at a line.
    pub fn add(&mut self, why: SkipReason, what: Skipped, line: u32) {
        let mut rows = self.rows.iter_mut();
        match rows.find(|row| (row.0, row.1) == (why, what)) {
            Some(row) => row.2 += 1,
            None => self.rows.push((why, what, 1, line)),
        }
    }

    /// A warning for each reason: the line of the first, and the words.
    pub fn warnings(&self) -> impl Iterator<Item = (u32, String)> + '_ {
        self.rows.iter().map(|&(why, what, count, line)| {
            let these = match (what, count) {
                (Skipped::Brush, 1) => "brush is",
                (Skipped::Brush, _) => "brushes are",
                (Skipped::Patch, 1) => "patch is",
                (Skipped::Patch, _) => "patches are",
            };
            (line, format!("{count} {these} skipped: {}", why.words()))
        })
    }
}
