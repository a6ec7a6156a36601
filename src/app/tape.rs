//! The recording in the window: going to any tick, branches, the list of changes, saving.
use super::App;
use super::loader::file_name;
use super::play::Play;
use crate::files;
use crate::level::SavedOperation;
use crate::sim::recording::Recording;
use crate::sim::{Action, Command, Sim};
use crate::ui::{ChangeEntry, NoticeKind, Recorded, TimelineAction};
use crate::world::Op;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The recording's file is looked for this often.
const LOOK: Duration = Duration::from_secs(1);

impl App {
    /// What the timeline asks for.
    pub(super) fn tape(&mut self, action: TimelineAction) {
        match action {
            TimelineAction::Seek(tick) => self.seek(tick),
            TimelineAction::StepBack => {
                self.clock.paused = true;
                let now = self.play.as_ref().map_or(0, |play| play.sim.tick);
                self.seek(now.saturating_sub(1));
            }
            TimelineAction::Save => self.save_recording("recording"),
        }
    }

    /// Shows another tick of the recording.
    pub(super) fn seek(&mut self, tick: u64) {
        let Some(play) = &mut self.play else { return };
        play.seek(tick);
        self.queued.clear();
        self.hand.rest();
        self.going = None;
        self.flight = None;
        self.clock.forget();
        self.follow();
    }

    /// Look and settings are those of the tick shown.
    pub(super) fn follow(&mut self) {
        let Some(play) = &self.play else { return };
        self.input.yaw = play.sim.player.yaw;
        self.input.pitch = play.sim.player.pitch;
        self.wanted = play.sim.settings.clone();
    }

    /// A tick that was recorded, unless somebody acts: then what comes after it is another recording. Whether it was one.
    pub(super) fn tick_again(&mut self, command: &Command) -> bool {
        let Some(play) = self.play.as_mut().filter(|play| play.is_past()) else {
            return false;
        };
        if !acts(command) {
            play.tick_again(&mut self.recorder);
            self.follow();
            return true;
        }
        // Who acts wants to see what comes of it; settings may be tried while time is held.
        let sets_alone = command.walk == [0.0; 3]
            && !command.jump
            && command.actions.iter().all(|a| matches!(a, Action::Set(_)));
        if !sets_alone {
            self.clock.paused = false;
        }
        match play.branch(&self.places.recordings()) {
            Ok(Some(old)) => {
                let text = format!(
                    "New recording from here; the old one is kept: {}",
                    file_name(&old)
                );
                self.notify(NoticeKind::Info, text);
            }
            Ok(None) => {}
            Err(why) => self.notify(NoticeKind::Warning, format!("Not recorded: {why}")),
        }
        false
    }

    /// Every second: a recording whose file was removed is written anew. Writing to it brings no error.
    pub(super) fn look_after_recording(&mut self) {
        if self.recording_seen.elapsed() < LOOK {
            return;
        }
        self.recording_seen = Instant::now();
        let folder = self.places.recordings();
        let anew = self.play.as_mut().and_then(|p| p.record_anew(&folder));
        let text = match anew {
            None => return,
            Some(Ok(path)) => format!(
                "The recording's file was deleted; it is saved again as {}",
                path.display()
            ),
            Some(Err(why)) => format!("The recording's file was deleted. Not recorded: {why}"),
        };
        self.notify(NoticeKind::Warning, text);
    }

    /// Writes all that was recorded to a file of its own.
    pub(super) fn save_recording(&mut self, stem: &str) {
        let Some(play) = &self.play else { return };
        let recording = play.timeline.recording();
        match write_recording(recording, &self.places.recordings(), stem) {
            Ok(path) => self.notify(NoticeKind::Info, format!("Recording: {}", path.display())),
            Err(why) => self.notify(NoticeKind::Error, format!("Recording not saved: {why}")),
        }
    }

    /// Undoes or does again until so many changes stand, some in each tick.
    pub(super) fn go_to_change(&mut self, count: usize) {
        self.going = self.play.is_some().then_some(count);
    }

    /// What the next tick undoes or does again on the way there. Who does something else meanwhile stays where he is.
    pub(super) fn next_changes(&mut self, does_more: bool) -> Vec<Action> {
        let Some((count, play)) = self.going.zip(self.play.as_ref()) else {
            return Vec::new();
        };
        let (action, times) = changes_to(&play.sim, count);
        if times == 0 || does_more {
            self.going = None;
            return Vec::new();
        }
        vec![action; times]
    }
}

/// The way to where so many changes stand, as far as one tick goes. What is still under way is dropped first.
fn changes_to(sim: &Sim, count: usize) -> (Action, usize) {
    let [done, undone] = [sim.history.undo_steps(), sim.history.redo_steps()];
    let (action, left) = match count < done {
        true => (Action::Undo, done - count),
        false => (Action::Redo, (count - done).min(undone)),
    };
    let fits = sim.history.steps_in_a_tick(action == Action::Redo);
    match sim.carving().is_some() {
        true if left > 0 => (Action::Undo, 1),
        _ => (action, left.min(fits)),
    }
}

/// Whether it does anything but watch what was recorded. Looking around is no act.
fn acts(command: &Command) -> bool {
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
    /// For the timeline.
    pub fn recorded(&self) -> Recorded {
        Recorded {
            tick: self.sim.tick,
            ticks: self.timeline.ticks(),
            is_written: self.is_written(),
        }
    }

    /// For the list of changes.
    pub fn changes(&self) -> Vec<ChangeEntry> {
        let changes = self.sim.history.changes(&self.sim.level.since);
        changes
            .into_iter()
            .map(|change| ChangeEntry {
                number: change.number,
                name: name_of(change.saved),
                tick: change.tick,
                is_undone: change.is_undone,
                picture: self.album.picture(change.number),
            })
            .collect()
    }
}

fn name_of(saved: &SavedOperation) -> String {
    match saved {
        SavedOperation::Blast {
            radius, material, ..
        } => format!("blast {radius:.2} m, {material}"),
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
