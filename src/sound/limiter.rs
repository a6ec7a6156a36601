//! The last stage: nothing goes above full scale, and nothing clips. The gain goes down before what is too loud comes,
//! which is why everything comes 5 ms later.
use std::collections::VecDeque;

/// How much later everything comes, samples.
pub const LATENCY: usize = 240;
/// The greatest sample that leaves.
const CEILING: f32 = 0.97;
/// What of the way back to full gain is made with each sample: most of it in 0.15 s.
const RELEASE: f64 = 1.0 / 7200.0;

/// A limiter with look-ahead, for both sides alike.
#[derive(Clone, Debug)]
pub struct Limiter {
    waiting: VecDeque<[f32; 2]>,
    /// The least gain of the samples that wait: a rising queue of (sample number, gain).
    least: VecDeque<(u64, f64)>,
    /// The last gains, whose mean is applied: it goes down in a straight line, and is there in time.
    recent: VecDeque<f64>,
    sum: f64,
    held: f64,
    count: u64,
}

impl Default for Limiter {
    fn default() -> Self {
        Limiter {
            waiting: VecDeque::from(vec![[0.0; 2]; LATENCY]),
            least: VecDeque::new(),
            recent: VecDeque::from(vec![1.0; LATENCY]),
            sum: LATENCY as f64,
            held: 1.0,
            count: 0,
        }
    }
}

impl Limiter {
    /// Limits a block in place.
    pub fn limit(&mut self, block: &mut [[f32; 2]]) {
        for sample in block {
            *sample = self.next(*sample);
        }
    }

    fn next(&mut self, sample: [f32; 2]) -> [f32; 2] {
        let loudest = sample[0].abs().max(sample[1].abs());
        let needed = if loudest > CEILING {
            f64::from(CEILING / loudest)
        } else {
            1.0
        };
        while self.least.back().is_some_and(|(_, gain)| *gain >= needed) {
            self.least.pop_back();
        }
        self.least.push_back((self.count, needed));
        let oldest = self.count.saturating_sub(LATENCY as u64);
        while self
            .least
            .front()
            .is_some_and(|(number, _)| *number < oldest)
        {
            self.least.pop_front();
        }
        let least = self.least.front().map_or(1.0, |(_, gain)| *gain);
        self.held = least.min(self.held + (1.0 - self.held) * RELEASE);
        self.count += 1;
        self.sum += self.held - self.recent.pop_front().unwrap_or(1.0);
        self.recent.push_back(self.held);
        self.waiting.push_back(sample);
        let due = self.waiting.pop_front().unwrap_or_default();
        let gain = (self.sum / LATENCY as f64) as f32;
        due.map(|x| (x * gain).clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_within_full_scale_comes_out_as_it_went_in() {
        let mut limiter = Limiter::default();
        let mut block: Vec<[f32; 2]> = (0..1000).map(|i| [(i % 17) as f32 / 20.0, -0.5]).collect();
        let before = block.clone();
        limiter.limit(&mut block);
        assert_eq!(block[LATENCY..], before[..1000 - LATENCY]);
        assert!(block[..LATENCY].iter().all(|s| *s == [0.0; 2]));
    }

    #[test]
    fn a_sudden_burst_never_clips_and_the_gain_takes_no_step() {
        let mut limiter = Limiter::default();
        let tone = |i: usize| libm::sinf(i as f32 * 0.05);
        let loud = |i: usize| if (3000..6000).contains(&i) { 20.0 } else { 0.5 };
        let mut block: Vec<[f32; 2]> = (0..40_000).map(|i| [tone(i) * loud(i), 0.0]).collect();
        limiter.limit(&mut block);
        assert!(block.iter().all(|s| s[0].abs() <= CEILING + 1e-4));
        // The tone comes back to its level.
        let late = block[38_000..]
            .iter()
            .map(|s| s[0].abs())
            .fold(0.0, f32::max);
        assert!((late - 0.5).abs() < 0.02, "{late}");
    }
}
