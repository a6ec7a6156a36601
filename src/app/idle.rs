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
    /// As a tip that is about to show, or a message that goes.
    wakes: Vec<Instant>,
    /// When the panels were drawn last.
    drawn: Instant,
}

impl Due {
    pub fn new(now: Instant) -> Self {
        Self {
            until: now + SETTLES,
            wakes: Vec::new(),
            drawn: now,
        }
    }

    /// Something that is seen may have changed.
    pub fn news(&mut self) {
        self.until = Instant::now() + SETTLES;
    }

    /// The panels were drawn, and want to be drawn again after this time. Returns the seconds since the last time.
    pub fn panels_drawn(&mut self, again: Duration) {
        let now = Instant::now();
        self.drawn = now;
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

    fn is_due(&mut self, now: Instant) -> bool {
        let wakes = self.wakes.len();
        self.wakes.retain(|at| *at > now);
        if self.wakes.len() < wakes {
            // What it shows may move: a message slides out.
            self.until = self.until.max(now + SETTLES / 4);
        }
        now < self.until
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
