//! Asks for frames when one is due; otherwise runs the ticks alone.
use super::App;
use crate::app::play::Play;
use crate::app::redraw::TICKS_AT_ONCE;
use crate::sim::TICK_SECS;
use std::time::{Duration, Instant};
use winit::event_loop::{ActiveEventLoop, ControlFlow};

impl App {
    /// Whether the next frame may differ from the last one.
    pub(in crate::app) fn is_picture_due(&mut self, now: Instant) -> bool {
        if self.is_moving() {
            self.redraw.news();
        }
        self.redraw.is_due(now)
    }

    /// Something visible moves, or frames are measured.
    fn is_moving(&self) -> bool {
        let moves = |play: &Play| {
            let shows_more = !play.sim.is_still() || play.is_past() || play.miss().is_some();
            shows_more && !self.clock.paused
        };
        self.play.as_ref().is_some_and(moves)
            || (self.play.as_ref())
                .is_some_and(|play| play.structures.is_under_way() || play.preview.is_under_way())
            || self.loading.is_some()
            || self.comparer.is_running()
            || self.clip.is_some()
            || self.recorder.is_recording()
            || self.worst.0
            || self.bench.is_some()
            || self.picture_wanted
            || self.input.holds_any()
            || !self.queued.is_empty()
            || self.target_change.is_some()
            || self.flight.is_some()
            || self.held_tool.fires()
            || self.held_tool.charging().is_some()
            || self.background.is_asking()
            || !self.notices.is_empty()
            || self
                .confirmation
                .as_ref()
                .is_some_and(|confirmation| confirmation.saving)
    }

    /// When to check again if no frame is due.
    pub(in crate::app) fn rest_until(&self, now: Instant) -> Instant {
        #[cfg(feature = "gamepad")]
        let ticks = if self.gamepads.is_some() {
            1.0
        } else {
            TICKS_AT_ONCE
        };
        #[cfg(not(feature = "gamepad"))]
        let ticks = TICKS_AT_ONCE;
        let rest = now + Duration::from_secs_f64(ticks * TICK_SECS);
        self.redraw.next_wake(now).map_or(rest, |at| at.min(rest))
    }

    /// Requests the next frame when it is time, or runs ticks alone.
    pub(in crate::app) fn wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.quit {
            return event_loop.exit();
        }
        let now = Instant::now();
        if now >= self.next_frame {
            self.next_frame = self.next_step(now);
        }
        event_loop.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
    }

    /// Requests a frame if one is due, otherwise runs the ticks; returns when to check again.
    fn next_step(&mut self, now: Instant) -> Instant {
        let Some(shell) = &self.shell else {
            return now + Duration::from_secs_f64(TICK_SECS);
        };
        // Covered or minimised: no drawing, but the world goes on.
        let is_hidden = shell.occluded || shell.window.inner_size().width == 0;
        let has_focus = shell.window.has_focus();
        let is_presenting = shell.gpu.is_presenting();
        if !is_hidden && !is_presenting && self.is_picture_due(now) {
            let most = match has_focus {
                true => self.preferences.frames,
                false => self.preferences.frames_aside,
            };
            self.earliest_frame = now + Duration::from_secs_f64(1.0 / most);
            if let Some(shell) = &self.shell {
                shell.window.request_redraw();
            }
            return self.earliest_frame;
        }
        self.advance();
        match !is_hidden && self.is_picture_due(now) {
            // Changes of the ticks are shown at the next step.
            true => now + Duration::from_secs_f64(TICK_SECS),
            false => self.rest_until(now),
        }
    }

    /// Something visible may have changed: requests a frame as soon as the frame rate allows.
    pub(in crate::app) fn news(&mut self) {
        self.panels_stale = true;
        self.redraw.news();
        self.come_soon();
    }

    /// Checks for a due frame as soon as the frame rate allows.
    pub(in crate::app) fn come_soon(&mut self) {
        let soonest = self.earliest_frame.max(Instant::now());
        self.next_frame = self.next_frame.min(soonest);
    }
}
