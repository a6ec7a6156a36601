//! The samples between the mixer, which makes a tick at a time, and the device, which takes them as it needs them.
use crate::sound::{Block, FRAMES};
use std::collections::VecDeque;

/// So many samples wait as a rule: 60 ms, as frames come at uneven times.
const USUAL: usize = 36 * FRAMES / 10;
/// More are dropped, the oldest first: after a pause of the device.
const MOST: usize = 9 * FRAMES;
/// The queue is emptied faster or slower by up to this part, so that it stays at its usual length: two clocks never agree.
const DRIFT: f64 = 0.004;
/// Samples of a fade, where the queue runs empty and where it goes on.
const FADE: f32 = 144.0;

/// The queue.
#[derive(Clone, Debug)]
pub struct SoundQueue {
    samples: VecDeque<[f32; 2]>,
    /// Part of the way from the first sample to the second.
    place: f64,
    /// Ticks' speed by wall time: in slow motion sound is slow, and low.
    pub speed: f64,
    is_playing: bool,
    level: f32,
    last: [f32; 2],
}

impl Default for SoundQueue {
    fn default() -> Self {
        SoundQueue {
            samples: VecDeque::new(),
            place: 0.0,
            speed: 1.0,
            is_playing: false,
            level: 0.0,
            last: [0.0; 2],
        }
    }
}

impl SoundQueue {
    /// Adds a tick.
    pub fn push(&mut self, block: &Block) {
        self.samples.extend(block);
        if MOST < self.samples.len() {
            self.samples.drain(..self.samples.len() - USUAL);
        }
    }

    /// Fills a device's buffer: left and right in turn. Without samples it fades out.
    pub fn fill(&mut self, output: &mut [f32]) {
        let usual = USUAL as f64;
        let off = ((self.samples.len() as f64 - usual) / usual).clamp(-1.0, 1.0);
        let step = (self.speed * (1.0 + DRIFT * off)).clamp(0.0, 4.0);
        for frame in output.chunks_mut(2) {
            self.is_playing = match self.is_playing {
                true => self.samples.len() >= 2,
                false => self.samples.len() >= USUAL,
            };
            if self.is_playing {
                let part = self.place as f32;
                let (a, b) = (self.samples[0], self.samples[1]);
                self.last = [0, 1].map(|side| a[side] + (b[side] - a[side]) * part);
                self.place += step;
                while 1.0 <= self.place && 2 <= self.samples.len() {
                    self.samples.pop_front();
                    self.place -= 1.0;
                }
            }
            let change = if self.is_playing { 1.0 } else { -1.0 } / FADE;
            self.level = (self.level + change).clamp(0.0, 1.0);
            for (out, sample) in frame.iter_mut().zip(self.last) {
                *out = sample * self.level;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tone, tick by tick.
    fn block(number: usize) -> Block {
        let sample = |i: usize| libm::sinf((number * FRAMES + i) as f32 * 0.02);
        std::array::from_fn(|i| [sample(i), -sample(i)])
    }

    /// Largest step from sample to sample on the left.
    fn steepest(played: &[f32]) -> f32 {
        let steps = played.windows(3).step_by(2).map(|w| (w[2] - w[0]).abs());
        steps.fold(0.0, f32::max)
    }

    #[test]
    fn ticks_in_bursts_come_out_evenly_and_a_hole_is_faded() {
        let mut queue = SoundQueue::default();
        let mut played = Vec::new();
        let mut made = 0;
        for call in 0..200 {
            // Two ticks every second time, and a pause of a third of a second.
            if call % 2 == 0 && !(100..120).contains(&call) {
                for _ in 0..2 {
                    queue.push(&block(made));
                    made += 1;
                }
            }
            let mut buffer = vec![f32::NAN; 2 * FRAMES];
            queue.fill(&mut buffer);
            played.extend(buffer);
        }
        assert!(played.iter().all(|s| s.is_finite() && s.abs() <= 1.0));
        assert!(steepest(&played) < 0.03, "{}", steepest(&played));
        let silent = |from: usize| played[from..from + 1600].iter().all(|s| *s == 0.0);
        assert!(silent(2 * FRAMES * 112));
        assert!(!silent(2 * FRAMES * 60) && !silent(2 * FRAMES * 180));
    }

    #[test]
    fn in_slow_motion_sound_is_slow() {
        let mut queue = SoundQueue {
            speed: 0.25,
            ..SoundQueue::default()
        };
        let mut played = Vec::new();
        for number in 0..20 {
            queue.push(&block(number));
            let mut buffer = vec![0.0; 8 * FRAMES];
            queue.fill(&mut buffer);
            played.extend(buffer.into_iter().step_by(2));
        }
        let late = &played[30_000..60_000];
        let turns = late
            .windows(2)
            .filter(|w| w[0] < 0.0 && 0.0 <= w[1])
            .count() as f64;
        let expected = 30_000.0 * 0.25 * 0.02 / std::f64::consts::TAU;
        assert!(
            (turns / expected - 1.0).abs() < 0.05,
            "{turns} and {expected}"
        );
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut queue = SoundQueue::default();
        (0..1000).for_each(|number| queue.push(&block(number)));
        assert!(queue.samples.len() <= MOST);
    }
}
