//! When is the next picture due? Where nothing that is seen can have changed none is drawn; ticks go on.
use super::{App, play::Play};
use crate::sim::TICK_SECS;
use std::time::{Duration, Instant};

/// Pictures go on for so long after the last news: panels take some frames until all stands in its place.
const SETTLES: Duration = Duration::from_millis(400);
/// While nothing is to be seen ticks are done so many at a time: whoever presses a key wakes the program at once.
const TICKS_AT_ONCE: f64 = 3.0;

/// Until when pictures are drawn, and when the panels want one of their own accord.
#[derive(Debug)]
pub(super) struct Due {
    until: Instant,
    /// There is news that no picture was begun after, however long the one before takes.
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

    fn next_wake(&self) -> Option<Instant> {
        self.wakes.iter().min().copied()
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
        self.due
            .next_wake()
            .map_or(rest, |at| at.min(rest).max(now))
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
        assert!(due.next_wake().is_some(), "in seven seconds");
        // Nothing is wanted of late: only the seven seconds are left, and they are not over.
        due.panels_drawn(Duration::MAX);
        assert!(!due.is_due(start + Duration::from_secs(5)));
        assert!(due.is_due(start + LATE));
    }
}
