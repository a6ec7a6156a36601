//! The recording in the window: going to any tick, branches, the list of changes, saving.
use super::App;
use super::loader::file_name;
use super::play::Play;
use crate::files;
use crate::level::SavedOperation;
use crate::sim::{Action, Command};
use crate::ui::{ChangeEntry, NoticeKind, Recorded, TimelineAction};
use crate::world::Op;
use std::path::{Path, PathBuf};

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
        match play.branch(&self.places.recordings()) {
            Ok(Some(old)) => {
                let text = format!(
                    "A new recording begins here; the old one stays: {}",
                    file_name(&old)
                );
                self.notify(NoticeKind::Info, text);
            }
            Ok(None) => {}
            Err(why) => self.notify(NoticeKind::Warning, format!("Not recorded: {why}")),
        }
        false
    }

    /// Writes all that was recorded to a file of its own.
    pub(super) fn save_recording(&mut self, stem: &str) {
        let Some(play) = &self.play else { return };
        match write_recording(play, &self.places.recordings(), stem) {
            Ok(path) => self.notify(NoticeKind::Info, format!("Recording: {}", path.display())),
            Err(why) => self.notify(
                NoticeKind::Error,
                format!("The recording was not saved: {why}"),
            ),
        }
    }

    /// Undoes or does again until so many changes stand.
    pub(super) fn go_to_change(&mut self, count: usize) {
        let Some(play) = &self.play else { return };
        let [done, undone] = [play.sim.history.undo_steps(), play.sim.history.redo_steps()];
        let (action, times) = match count < done {
            true => (Action::Undo, done - count),
            false => (Action::Redo, (count - done).min(undone)),
        };
        self.queued.extend(std::iter::repeat_n(action, times));
    }
}

/// Whether it does anything but watch what was recorded. Looking around is no act.
fn acts(command: &Command) -> bool {
    !command.actions.is_empty() || command.walk != [0.0; 3] || command.jump
}

fn write_recording(play: &Play, folder: &Path, stem: &str) -> Result<PathBuf, String> {
    let path = files::unused(folder, stem, "breach")?;
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut bytes = Vec::new();
    play.timeline
        .recording()
        .write(&mut bytes)
        .map_err(failed)?;
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
