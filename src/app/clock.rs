//! Converts wall time to ticks. Long pauses (a breakpoint, a suspended laptop) are clamped, so that ticks never pile
//! up.
use crate::sim::TICK_SECS;

/// At most this much wall time becomes ticks in one frame, seconds.
const FRAME_SECS_MAX: f64 = 0.1;

/// The fixed-timestep accumulator.
#[derive(Clone, Debug)]
pub struct Clock {
    owed_secs: f64,
    /// Fraction of real time: 1, less in slow motion.
    pub speed: f64,
    /// Only ticks asked for with [`Clock::step`] run.
    pub paused: bool,
    steps: u32,
    /// Wall time that was dropped because frames were too long, seconds.
    pub dropped_secs: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            owed_secs: 0.0,
            speed: 1.0,
            paused: false,
            steps: 0,
            dropped_secs: 0.0,
        }
    }
}

impl Clock {
    /// Adds wall time; returns how many ticks to run now.
    pub fn advance(&mut self, wall_secs: f64) -> u32 {
        let clamped = if wall_secs.is_finite() {
            wall_secs.clamp(0.0, FRAME_SECS_MAX)
        } else {
            0.0
        };
        if self.paused {
            return std::mem::take(&mut self.steps);
        }
        self.dropped_secs += (wall_secs - clamped).max(0.0);
        self.owed_secs += clamped * self.speed;
        let ticks = (self.owed_secs / TICK_SECS).floor();
        self.owed_secs -= ticks * TICK_SECS;
        ticks as u32
    }

    /// One more tick while paused.
    pub fn step(&mut self) {
        self.steps += 1;
    }

    /// Drops the accumulated time, after a load.
    pub fn forget(&mut self) {
        self.owed_secs = 0.0;
        self.steps = 0;
    }

    /// The interpolation factor between the last two ticks, 0..=1.
    pub fn alpha(&self) -> f64 {
        if self.paused {
            1.0
        } else {
            (self.owed_secs / TICK_SECS).clamp(0.0, 1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_sixty_ticks_however_it_is_cut() {
        for frames in [17, 60, 61, 144, 1000] {
            let mut clock = Clock::default();
            let ticks: u32 = (0..frames * 10)
                .map(|_| clock.advance(1.0 / frames as f64))
                .sum();
            assert!((599..=600).contains(&ticks), "{frames}: {ticks}");
        }
    }

    #[test]
    fn a_long_frame_is_clamped_and_the_rest_counted() {
        let mut clock = Clock::default();
        assert!(clock.advance(30.0) <= 6);
        assert!(clock.dropped_secs > 29.0);
        assert_eq!(clock.advance(f64::NAN), 0);
        assert_eq!(clock.advance(-1.0), 0);
    }

    #[test]
    fn paused_runs_only_what_was_asked_for() {
        let mut clock = Clock {
            paused: true,
            ..Clock::default()
        };
        assert_eq!(clock.advance(0.1), 0);
        clock.step();
        assert_eq!(clock.advance(0.1), 1);
        assert_eq!(clock.advance(0.1), 0);
    }

    #[test]
    fn slow_motion_is_slower() {
        let mut clock = Clock {
            speed: 0.25,
            ..Clock::default()
        };
        let ticks: u32 = (0..60).map(|_| clock.advance(1.0 / 60.0)).sum();
        assert!((14..=15).contains(&ticks), "{ticks}");
    }
}
