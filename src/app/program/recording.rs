//! The recording in the window: going to any tick, branches, the list of changes, saving.
use super::App;
use crate::app::loader::file_name;
use crate::app::recording::{acts, changes_to, write_recording};
use crate::sim::{Action, Command};
use crate::ui::{NoticeKind, TimelineCommand};
use std::time::{Duration, Instant};

/// Interval between checks of the recording's file.
const LOOK: Duration = Duration::from_secs(1);

impl App {
    /// Carries out a command of the timeline.
    pub(in crate::app) fn timeline_command(&mut self, command: TimelineCommand) {
        match command {
            TimelineCommand::Seek(tick) => self.seek(tick),
            TimelineCommand::StepBack => self.go_back(1),
            TimelineCommand::Save => self.save_recording("recording"),
        }
    }

    fn go_back(&mut self, ticks: u64) {
        self.clock.paused = true;
        let now = self.play.as_ref().map_or(0, |play| play.sim.tick);
        self.seek(now.saturating_sub(ticks));
    }

    /// Carries out the presses of the key for one tick back since the last frame, all in one seek: each seek repeats up to
    /// a keyframe's ticks, so one for each press of a held key would leave no time to draw.
    pub(in crate::app) fn take_steps_back(&mut self) {
        let ticks = std::mem::take(&mut self.steps_back);
        // Nothing changes behind a dialog.
        if ticks > 0
            && self.confirmation.is_none()
            && self.recover.is_none()
            && self.fault.is_none()
        {
            self.go_back(ticks);
        }
    }

    /// Goes to another tick of the recording.
    pub(in crate::app) fn seek(&mut self, tick: u64) {
        let Some(play) = &mut self.play else { return };
        play.seek(tick);
        self.queued.clear();
        self.held_tool.rest();
        self.target_change = None;
        self.flight = None;
        self.clock.forget();
        self.follow();
    }

    /// Takes view and settings from the current tick.
    pub(in crate::app) fn follow(&mut self) {
        let Some(play) = &self.play else { return };
        self.input.yaw = play.sim.player.yaw;
        self.input.pitch = play.sim.player.pitch;
        self.wanted = play.sim.settings.clone();
    }

    /// Replays a recorded tick, unless the player acts: then a branch begins. Returns whether it was replayed.
    pub(in crate::app) fn tick_again(&mut self, command: &Command) -> bool {
        let Some(play) = self.play.as_mut().filter(|play| play.is_past()) else {
            return false;
        };
        if !acts(command) {
            play.tick_again(&mut self.recorder);
            self.follow();
            return true;
        }
        // Acting resumes time; settings alone may be tried while paused.
        let sets_alone = command.walk == [0.0; 3]
            && !command.jump
            && command.actions.iter().all(|a| matches!(a, Action::Set(_)));
        if !sets_alone {
            self.clock.paused = false;
        }
        match play.branch(&self.folders.recordings()) {
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

    /// Rewrites a recording whose file was deleted, checked every second: writing to a deleted file gives no error.
    pub(in crate::app) fn look_after_recording(&mut self) {
        if self.recording_seen.elapsed() < LOOK {
            return;
        }
        self.recording_seen = Instant::now();
        let folder = self.folders.recordings();
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

    /// Writes the whole recording to a new file.
    pub(in crate::app) fn save_recording(&mut self, stem: &str) {
        let Some(play) = &self.play else { return };
        let recording = play.timeline.recording();
        match write_recording(recording, &self.folders.recordings(), stem) {
            Ok(path) => self.notify(NoticeKind::Info, format!("Recording: {}", path.display())),
            Err(why) => self.notify(NoticeKind::Error, format!("Recording not saved: {why}")),
        }
    }

    /// Undoes or redoes until this many changes are in force, some in each tick.
    pub(in crate::app) fn go_to_change(&mut self, count: usize) {
        self.target_change = self.play.is_some().then_some(count);
    }

    /// The next tick's undo or redo steps towards the target; other actions cancel it.
    pub(in crate::app) fn next_changes(&mut self, does_more: bool) -> Vec<Action> {
        let Some((count, play)) = self.target_change.zip(self.play.as_ref()) else {
            return Vec::new();
        };
        let (action, times) = changes_to(&play.sim, count);
        if times == 0 || does_more {
            self.target_change = None;
            return Vec::new();
        }
        vec![action; times]
    }
}
