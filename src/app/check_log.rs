//! What checks of strength have found since the level was opened, or since time went back.
use crate::sim::{BrokenSection, CheckReport, StepReport};
use crate::ui::StructureState;

/// Most broken sections kept, the last ones.
const MOST_BROKEN: usize = 64;

/// The last check, and what broke.
#[derive(Default)]
pub(super) struct CheckLog {
    /// The last check, with its tick.
    last: Option<(u64, CheckReport)>,
    /// Sections that broke, with their ticks, oldest first.
    broken: Vec<(u64, BrokenSection)>,
}

impl CheckLog {
    /// Adds what broke in a tick, and the check that came to its end in it.
    pub fn note(&mut self, tick: u64, report: &StepReport) {
        let broken = report.broken.iter();
        self.broken.extend(broken.map(|&one| (tick, one)));
        let gone = self.broken.len().saturating_sub(MOST_BROKEN);
        self.broken.drain(..gone);
        if let Some(check) = &report.check {
            self.last = Some((tick, check.clone()));
        }
    }

    /// For the panel.
    pub fn state(&self, is_checking: bool) -> StructureState<'_> {
        StructureState {
            check: self.last.as_ref().map(|(tick, check)| (*tick, check)),
            broken: &self.broken,
            is_checking,
        }
    }
}
