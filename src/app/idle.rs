//! When is the next picture due? Where nothing that is seen can have changed none is drawn; ticks go on.
use super::{App, play::Play};
use crate::sim::TICK_SECS;
use std::time::{Duration, Instant};
use winit::event_loop::{ActiveEventLoop, ControlFlow};

/// Pictures go on for so long after the last news: panels take some frames until all stands in its place.
const SETTLES: Duration = Duration::from_millis(400);
/// While nothing is to be seen ticks are done so many at a time: whoever presses a key wakes the program at once.
const TICKS_AT_ONCE: f64 = 3.0;

/// Until when pictures are drawn, and when the panels want one of their own accord.
#[derive(Debug)]
pub(super) struct Due {
    until: Instant,
    /// News came after the newest picture had begun. It stays due, however long that one takes.
    is_unseen: bool,
    /// As a tip that is about to show, or a message that goes.
    wakes: Vec<Instant>,
    /// When the panels were drawn last.
    drawn: Instant,
}

impl Due {
    pub fn new(now: Instant) -> Self {
        Self {
            until: now + SETTLES,
            is_unseen: true,
            wakes: Vec::new(),
            drawn: now,
        }
    }

    /// Something that is seen may have changed.
    pub fn news(&mut self) {
        self.until = Instant::now() + SETTLES;
        self.is_unseen = true;
    }

    /// A picture begins, and will show all news.
    pub fn picture_begins(&mut self) {
        self.is_unseen = false;
    }

    /// The panels were drawn, and want to be drawn again after this time.
    pub fn panels_drawn(&mut self, again: Duration) {
        let now = Instant::now();
        self.drawn = now;
        let wakes = self.wakes.len();
        self.wakes.retain(|at| *at > now);
        if self.wakes.len() < wakes {
            // What they wanted to show may move: a message slides out.
            self.until = self.until.max(now + SETTLES / 4);
        }
        if again < Duration::from_secs(3600) {
            let at = now + again;
            let is_new = |other: &Instant| at.duration_since(*other) > Duration::from_millis(5);
            // Of many that come to the same one is enough.
            if self.wakes.iter().all(|other| *other > at || is_new(other)) {
                self.wakes.push(at);
            }
        }
    }

    /// Seconds since the panels were drawn last.
    pub fn since_drawn_secs(&self) -> f32 {
        self.drawn.elapsed().as_secs_f32()
    }

    /// What the panels wanted stays due until they are drawn: a picture that keeps those of the last one is not enough.
    fn is_due(&self, now: Instant) -> bool {
        self.is_unseen || now < self.until || self.wakes.iter().any(|at| *at <= now)
    }

    /// The next time that is still to come at which the panels want to be drawn.
    fn next_wake(&self, now: Instant) -> Option<Instant> {
        self.wakes.iter().filter(|at| **at > now).min().copied()
    }
}

impl App {
    /// Whether the next picture may differ from the last one.
    pub(super) fn is_picture_due(&mut self, now: Instant) -> bool {
        if self.is_moving() {
            self.due.news();
        }
        self.due.is_due(now)
    }

    /// Something that is seen moves, or somebody measures pictures.
    fn is_moving(&self) -> bool {
        let moves = |play: &Play| {
            let shows_more = !play.sim.is_still() || play.is_past() || play.miss().is_some();
            shows_more && !self.clock.paused
        };
        self.play.as_ref().is_some_and(moves)
            || self.loading.is_some()
            || self.comparer.is_running()
            || self.recorder.is_recording()
            || self.worst.0
            || self.bench.is_some()
            || self.picture_wanted
            || self.input.holds_any()
            || !self.queued.is_empty()
            || self.going.is_some()
            || self.flight.is_some()
            || self.hand.fires()
            || self.hand.charging().is_some()
            || self.background.is_asking()
            || !self.notices.is_empty()
            || self
                .question
                .as_ref()
                .is_some_and(|question| question.saving)
    }

    /// When to look again, where no picture is due.
    pub(super) fn rest_until(&self, now: Instant) -> Instant {
        #[cfg(feature = "gamepad")]
        let ticks = if self.gamepads.is_some() {
            1.0
        } else {
            TICKS_AT_ONCE
        };
        #[cfg(not(feature = "gamepad"))]
        let ticks = TICKS_AT_ONCE;
        let rest = now + Duration::from_secs_f64(ticks * TICK_SECS);
        self.due.next_wake(now).map_or(rest, |at| at.min(rest))
    }

    /// Asks for the next picture when it is time, or goes on without where nobody sees one.
    pub(super) fn wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.quit {
            return event_loop.exit();
        }
        let now = Instant::now();
        if now >= self.next_frame {
            self.next_frame = self.next_step(now);
        }
        event_loop.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
    }

    /// Asks for a picture where one is due, else does the ticks; returns when to come again.
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
            // What the ticks brought is shown at the next one.
            true => now + Duration::from_secs_f64(TICK_SECS),
            false => self.rest_until(now),
        }
    }

    /// Something has happened that may be seen: the next picture comes as soon as the frame rate allows.
    pub(super) fn news(&mut self) {
        self.panels_stale = true;
        self.due.news();
        self.come_soon();
    }

    /// Looks whether a picture is due as soon as the frame rate allows one.
    pub(super) fn come_soon(&mut self) {
        let soonest = self.earliest_frame.max(Instant::now());
        self.next_frame = self.next_frame.min(soonest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long after all of it: the machine was busy with something else.
    const LATE: Duration = Duration::from_secs(60);

    #[test]
    fn news_is_due_until_a_picture_begins_however_late_that_is() {
        let start = Instant::now();
        let mut due = Due::new(start);
        assert!(due.is_due(start + LATE), "the first picture");
        due.picture_begins();
        assert!(due.is_due(start), "panels settle");
        assert!(!due.is_due(start + LATE));
        due.news();
        assert!(
            due.is_due(start + LATE) && due.is_due(start + LATE),
            "asking does not end it"
        );
        due.picture_begins();
        assert!(!due.is_due(start + LATE));
    }

    #[test]
    fn what_panels_want_is_due_until_they_are_drawn() {
        let start = Instant::now();
        let mut due = Due::new(start);
        due.picture_begins();
        for again in [Duration::ZERO, Duration::from_secs(7)] {
            due.panels_drawn(again);
            assert!(due.is_due(start + LATE));
            // One that keeps the panels.
            due.picture_begins();
            assert!(due.is_due(start + LATE) && due.is_due(start + LATE));
        }
        assert!(due.next_wake(start).is_some(), "in seven seconds");
        // Nothing is wanted of late: only the seven seconds are left, and they are not over.
        due.panels_drawn(Duration::MAX);
        assert!(!due.is_due(start + Duration::from_secs(5)));
        assert!(due.is_due(start + LATE));
    }
}
