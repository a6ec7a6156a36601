//! What the timeline marks: when the world was changed, the level saved, and where a branch began.
use crate::sim::{CarvedBy, StepReport};
use crate::ui::{Mark, MarkKind, volume_words};

/// The events of one recording, in the order of ticks.
#[derive(Debug, Default)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// All of them.
    pub fn all(&self) -> &[Mark] {
        &self.0
    }

    /// Notes the changes that a tick made; `tick` is the one after it, the first to show them.
    pub fn note_changes(&mut self, tick: u64, report: &StepReport) {
        for event in &report.carves {
            let done = event.result.as_ref().ok();
            let Some(done) = done.filter(|done| done.no_effect.is_none()) else {
                continue;
            };
            let what = match event.by {
                CarvedBy::Blast => "blast",
                CarvedBy::Drill => "drill",
                CarvedBy::Carve => "carve",
                CarvedBy::Fill => "fill",
            };
            let what = format!("{what}: {}", volume_words(done.volume_m3));
            self.note(tick, MarkKind::Change, what);
        }
    }

    /// The level was saved as it was at a tick.
    pub fn note_save(&mut self, tick: u64, file: &str) {
        self.note(tick, MarkKind::Save, format!("saved {file}"));
    }

    /// What was recorded after a tick is no longer of this recording; it stays in a file, if there is one.
    pub fn note_branch(&mut self, tick: u64, old: Option<&str>) {
        self.0.retain(|mark| mark.tick <= tick);
        let what = match old {
            Some(file) => format!("new branch; the old recording is kept in {file}"),
            None => "new branch".into(),
        };
        self.note(tick, MarkKind::Branch, what);
    }

    fn note(&mut self, tick: u64, kind: MarkKind, what: String) {
        let after = self.0.partition_point(|mark| mark.tick <= tick);
        self.0.insert(after, Mark { tick, kind, what });
    }
}
