//! Holds back a device that takes samples faster than they sound: one that plays nothing, as ALSA's `null`, would keep a
//! processor busy.
use crate::sound::RATE;
use std::time::{Duration, Instant};

/// A device may take so much more than has sounded, seconds: its buffers, and what it makes up for.
const AHEAD_SECS: f64 = 0.3;
/// Clocks of devices differ from the computer's by less.
const SLACK: f64 = 1.05;

/// How far a device is ahead.
#[derive(Clone, Debug, Default)]
pub struct SoundPace {
    ahead_secs: f64,
    last: Option<Instant>,
}

impl SoundPace {
    /// The device takes so many samples of each side: how long it is to wait for more.
    pub fn take(&mut self, now: Instant, frames: usize) -> Duration {
        let passed = self.last.replace(now);
        let passed = passed.map_or(0.0, |last| now.duration_since(last).as_secs_f64());
        let taken = frames as f64 / f64::from(RATE);
        self.ahead_secs = (self.ahead_secs - passed * SLACK).max(0.0) + taken;
        Duration::from_secs_f64((self.ahead_secs - AHEAD_SECS).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_takes_all_at_once_waits_as_long_as_that_sounds() {
        let (start, mut pace) = (Instant::now(), SoundPace::default());
        let mut now = start;
        for _ in 0..6000 {
            now += pace.take(now, 480);
        }
        // A minute of sound.
        let secs = now.duration_since(start).as_secs_f64();
        assert!((55.0..61.0).contains(&secs), "{secs} s");
    }

    #[test]
    fn a_device_with_a_clock_of_its_own_that_fills_its_buffers_in_bursts_never_waits() {
        let (start, mut pace) = (Instant::now(), SoundPace::default());
        for burst in 0..20_000 {
            // 100 ms at a time, half a per mille too fast.
            let now = start + Duration::from_secs_f64(f64::from(burst) * 0.1 / 1.0005);
            for _ in 0..10 {
                assert_eq!(pace.take(now, 480), Duration::ZERO);
            }
        }
    }
}
