//! When the next frame is due. If nothing visible can have changed, none is drawn; ticks go on.
use std::time::{Duration, Instant};

/// Frames go on for this long after a change: panels take some frames to lay themselves out.
pub(super) const LAYOUT: Duration = Duration::from_millis(400);
/// While no frame is due, this many ticks are run at a time; a key press wakes the program at once.
pub(super) const TICKS_AT_ONCE: f64 = 3.0;

/// Until when frames are drawn, and when the panels ask for one.
#[derive(Debug)]
pub(super) struct RedrawTimer {
    until: Instant,
    /// Something changed after the newest frame had started; the next stays due, however long that one takes.
    is_unseen: bool,
    /// Repaints that the panels asked for: a tip to show, a message to expire.
    wakes: Vec<Instant>,
    /// When the panels were drawn last.
    drawn: Instant,
}

impl RedrawTimer {
    pub fn new(now: Instant) -> Self {
        Self {
            until: now + LAYOUT,
            is_unseen: true,
            wakes: Vec::new(),
            drawn: now,
        }
    }

    /// Something visible may have changed.
    pub fn news(&mut self) {
        self.until = Instant::now() + LAYOUT;
        self.is_unseen = true;
    }

    /// A frame starts; it will show all changes.
    pub fn picture_begins(&mut self) {
        self.is_unseen = false;
    }

    /// The panels were drawn, and ask for a repaint after this time.
    pub fn panels_drawn(&mut self, again: Duration) {
        let now = Instant::now();
        self.drawn = now;
        let wakes = self.wakes.len();
        self.wakes.retain(|at| *at > now);
        if self.wakes.len() < wakes {
            // An animation may follow: a message slides out.
            self.until = self.until.max(now + LAYOUT / 4);
        }
        if again < Duration::from_secs(3600) {
            let at = now + again;
            let is_new = |other: &Instant| at.duration_since(*other) > Duration::from_millis(5);
            // One of many at about the same time is enough.
            if self.wakes.iter().all(|other| *other > at || is_new(other)) {
                self.wakes.push(at);
            }
        }
    }

    /// Seconds since the panels were drawn last.
    pub fn since_drawn_secs(&self) -> f32 {
        self.drawn.elapsed().as_secs_f32()
    }

    /// A repaint of the panels stays due until they are drawn; a frame with cached panels does not count.
    pub fn is_due(&self, now: Instant) -> bool {
        self.is_unseen || now < self.until || self.wakes.iter().any(|at| *at <= now)
    }

    /// The next future repaint that the panels asked for.
    pub fn next_wake(&self, now: Instant) -> Option<Instant> {
        self.wakes.iter().filter(|at| **at > now).min().copied()
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
        let mut due = RedrawTimer::new(start);
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
        let mut due = RedrawTimer::new(start);
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
