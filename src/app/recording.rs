//! The recording: undo steps towards a change, the list of changes, saving.
use super::play::Play;
use crate::files;
use crate::level::SavedOperation;
use crate::sim::recording::Recording;
use crate::sim::{Action, Command, Sim};
use crate::ui::{ChangeEntry, Recorded};
use crate::world::Op;
use std::path::{Path, PathBuf};

/// The next step towards this many changes in force: an action and how often one tick does it. A carve in progress is
/// dropped first.
pub(super) fn changes_to(sim: &Sim, count: usize) -> (Action, usize) {
    let [done, undone] = [sim.history.undo_steps(), sim.history.redo_steps()];
    let count = sim.history.whole_steps(count.min(done + undone));
    let (action, left, next) = match count < done {
        true => {
            let fits = sim.history.steps_in_a_tick(false);
            (Action::Undo, count..done, done.saturating_sub(fits)..done)
        }
        false => {
            let fits = sim.history.steps_in_a_tick(true);
            (Action::Redo, done..count, done..done + fits)
        }
    };
    let left = sim.history.causes(left);
    let fits = sim.history.causes(next).max(1);
    match sim.carving().is_some() {
        true if left > 0 => (Action::Undo, 1),
        _ => (action, left.min(fits)),
    }
}

/// Whether a command does more than watch the recording. Looking around does not count.
pub(super) fn acts(command: &Command) -> bool {
    !command.actions.is_empty() || command.walk != [0.0; 3] || command.jump
}

/// Writes a recording to a file of its own.
pub(super) fn write_recording(
    recording: &Recording,
    folder: &Path,
    stem: &str,
) -> Result<PathBuf, String> {
    let path = files::unused(folder, stem, "breach")?;
    let failed = |e: std::io::Error| files::refused(&path, &e);
    let mut bytes = Vec::new();
    recording.write(&mut bytes).map_err(failed)?;
    files::write_atomic(&path, &bytes).map_err(failed)?;
    Ok(path)
}

impl Play {
    /// The state for the timeline.
    pub fn recorded(&self) -> Recorded {
        Recorded {
            tick: self.sim.tick,
            ticks: self.timeline.ticks(),
            is_written: self.is_written(),
        }
    }

    /// The list of changes.
    pub fn changes(&self) -> Vec<ChangeEntry> {
        let changes = self.sim.history.changes(&self.sim.level.since);
        changes
            .into_iter()
            .map(|change| ChangeEntry {
                number: change.number,
                name: name_of(change.saved),
                tick: change.tick,
                is_undone: change.is_undone,
                picture: self.thumbnails.picture(change.number),
            })
            .collect()
    }
}

fn name_of(saved: &SavedOperation) -> String {
    match saved {
        SavedOperation::Blast {
            radius, material, ..
        } => format!("blast {radius:.2} m, {material}"),
        SavedOperation::MoversOnly => "blast, movers only".into(),
        SavedOperation::Brushes(operation) => {
            let what = if operation.op == Op::Carve {
                "carve"
            } else {
                "fill"
            };
            match operation.brushes.len() {
                1 => what.into(),
                n => format!("{what}, {n} brushes"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use crate::sim::{Settings, soak_command};
    use crate::timing::Silent;

    #[test]
    fn many_changes_are_gone_back_over_in_many_ticks_and_forth_again() {
        let map = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(map).expect("our own level");
        let settings = Settings {
            debris: false,
            ..Settings::default()
        };
        let mut sim = Sim::new(level, 1, settings, &mut Silent).expect("a world");
        let mut rng = Rng::new(3);
        let mut hashes = vec![sim.world.hash()];
        while hashes.len() < 61 {
            sim.step(&soak_command(&sim, &mut rng), &mut Silent);
            if sim.history.undo_steps() == hashes.len() {
                hashes.push(sim.world.hash());
            }
        }
        for (to, from) in [(3, 60), (50, 3), (0, 50), (60, 0), (60, 60)] {
            let mut ticks = 0;
            loop {
                let (action, times) = changes_to(&sim, to);
                if times == 0 {
                    break;
                }
                let command = Command {
                    actions: vec![action; times],
                    ..sim.idle()
                };
                let report = sim.step(&command, &mut Silent);
                assert_eq!(report.notices, [""; 0]);
                ticks += 1;
            }
            let steps = from.max(to) - from.min(to);
            assert_eq!(sim.history.undo_steps(), to);
            assert_eq!(sim.world.hash(), hashes[to]);
            // Not all at once, and not one by one.
            assert!(
                ticks <= steps && (steps == 0 || ticks > steps / 40),
                "{steps} in {ticks}"
            );
            assert!(steps < 40 || ticks > 1, "{steps} in {ticks}");
        }
    }
}
