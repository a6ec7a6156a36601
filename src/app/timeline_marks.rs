//! The marks of the timeline: changes of the world, saves, branches.
use crate::sim::StepReport;
use crate::ui::{TimelineMark, TimelineMarkKind, volume_words};

/// The events of one recording, sorted by tick.
#[derive(Debug, Default)]
pub struct TimelineMarks(Vec<TimelineMark>);

impl TimelineMarks {
    /// All marks.
    pub fn all(&self) -> &[TimelineMark] {
        &self.0
    }

    /// Adds the changes of a tick; `tick` is the one after it, the first to show them.
    pub fn note_changes(&mut self, tick: u64, report: &StepReport) {
        for event in &report.carves {
            let done = event.result.as_ref().ok();
            let volume_m3 = match done.filter(|done| done.no_effect.is_none()) {
                Some(done) => done.volume_m3,
                None if event.movers.0 > 0 => event.movers.1,
                None => continue,
            };
            let what = format!("{}: {}", event.by.word(), volume_words(volume_m3));
            self.note(tick, TimelineMarkKind::Change, what);
        }
    }

    /// Adds a save of the level as of a tick.
    pub fn note_save(&mut self, tick: u64, file: &str) {
        self.note(tick, TimelineMarkKind::Save, format!("saved {file}"));
    }

    /// Adds a branch at a tick; later marks belong to the old recording, which may have a file.
    pub fn note_branch(&mut self, tick: u64, old: Option<&str>) {
        self.0.retain(|mark| mark.tick <= tick);
        let what = match old {
            Some(file) => format!("new branch; the old recording is kept in {file}"),
            None => "new branch".into(),
        };
        self.note(tick, TimelineMarkKind::Branch, what);
    }

    fn note(&mut self, tick: u64, kind: TimelineMarkKind, what: String) {
        let after = self.0.partition_point(|mark| mark.tick <= tick);
        self.0.insert(after, TimelineMark { tick, kind, what });
    }
}
