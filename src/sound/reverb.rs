//! Reverberation: a feedback delay network of eight lines (Jot and Chaigne 1991) with a Hadamard matrix, which loses no
//! energy, and in each line the loss that its length has in a room of this reverberation time.
use super::RATE;

/// Lengths of the lines, samples: primes from 21 to 83 ms, so that echoes do not coincide.
const LENGTHS: [usize; 8] = [1009, 1327, 1657, 1999, 2357, 2777, 3301, 3989];
/// High frequencies die away in half the time or less: cut-off of the low-pass in each line, hertz.
const DAMPING_HZ: f64 = 5200.0;
/// What the echoes of a line come in with, by line: to the left and to the right.
const SIDES: [[f32; 2]; 8] = [
    [1.0, 0.2],
    [0.2, -1.0],
    [-0.9, 0.4],
    [0.4, 0.9],
    [0.7, -0.7],
    [-0.7, -0.7],
    [0.3, 1.0],
    [1.0, -0.3],
];
/// Longest and shortest reverberation, seconds.
const SECS: [f64; 2] = [0.12, 9.0];

/// The network and its state.
#[derive(Clone, Debug)]
pub struct Reverb {
    lines: Vec<Vec<f32>>,
    places: [usize; 8],
    damped: [f32; 8],
    damping: f32,
    /// What each line passes on in one round.
    kept: [f32; 8],
    /// Scales what goes in, so that the echoes of an impulse have the energy 1.
    scale: f32,
}

impl Default for Reverb {
    fn default() -> Self {
        let pole = libm::exp(-std::f64::consts::TAU * DAMPING_HZ / f64::from(RATE));
        Reverb {
            lines: LENGTHS.iter().map(|&length| vec![0.0; length]).collect(),
            places: [0; 8],
            damped: [0.0; 8],
            damping: 1.0 - pole as f32,
            kept: [0.0; 8],
            scale: 0.0,
        }
    }
}

/// What each line keeps in a round for a reverberation time, and the scale of what goes in.
fn gains(secs: f64) -> ([f32; 8], f32) {
    let secs = secs.clamp(SECS[0], SECS[1]);
    let kept =
        LENGTHS.map(|length| libm::pow(10.0, -3.0 * length as f64 / (f64::from(RATE) * secs)));
    // Of energy e in the lines a round leaves k² e, so all rounds together put out 1 / (1 - k²) times what went in.
    let mean = kept.iter().map(|k| k * k).sum::<f64>() / 8.0;
    let side = SIDES
        .iter()
        .flatten()
        .map(|s| f64::from(s * s))
        .sum::<f64>()
        / 16.0;
    let scale = ((1.0 - mean) / side).sqrt();
    (kept.map(|k| k as f32), scale as f32)
}

impl Reverb {
    /// Adds the echoes of `input` to both sides of a block; the reverberation time goes to `secs` within it.
    pub fn add(&mut self, input: &[f32], secs: f64, output: &mut [[f32; 2]]) {
        let (kept, scale) = gains(secs);
        let step = 1.0 / input.len().max(1) as f32;
        let kept_steps: [f32; 8] = std::array::from_fn(|i| (kept[i] - self.kept[i]) * step);
        let scale_step = (scale - self.scale) * step;
        for (sample, out) in input.iter().zip(output) {
            self.scale += scale_step;
            for i in 0..8 {
                self.kept[i] += kept_steps[i];
                let heard = self.lines[i][self.places[i]];
                self.damped[i] += self.damping * (heard - self.damped[i]);
                out[0] += self.damped[i] * SIDES[i][0];
                out[1] += self.damped[i] * SIDES[i][1];
            }
            let mut echoes = self.damped;
            hadamard(&mut echoes);
            for i in 0..8 {
                let next = sample * self.scale * 0.353_553_4 + echoes[i] * self.kept[i];
                // Inaudible, and denormal numbers are slow.
                let next = if next.abs() < 1e-15 { 0.0 } else { next };
                self.lines[i][self.places[i]] = next;
                self.places[i] += 1;
                if self.places[i] == LENGTHS[i] {
                    self.places[i] = 0;
                }
            }
        }
        (self.kept, self.scale) = (kept, scale);
    }
}

/// Multiplies by the Hadamard matrix of order 8, over √8: it turns and mirrors, and keeps the length.
fn hadamard(x: &mut [f32; 8]) {
    for width in [1, 2, 4] {
        for start in (0..8).step_by(2 * width) {
            for i in start..start + width {
                (x[i], x[i + width]) = (x[i] + x[i + width], x[i] - x[i + width]);
            }
        }
    }
    x.iter_mut().for_each(|x| *x *= 0.353_553_4);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The echoes of an impulse.
    fn echoes(secs: f64, length_secs: f64) -> Vec<[f32; 2]> {
        let mut reverb = Reverb::default();
        // Settled gains.
        reverb.add(&[0.0; 800], secs, &mut [[0.0; 2]; 800]);
        let mut input = vec![0.0; (length_secs * f64::from(RATE)) as usize];
        input[0] = 1.0;
        let mut output = vec![[0.0; 2]; input.len()];
        reverb.add(&input, secs, &mut output);
        output
    }

    fn energy(samples: &[[f32; 2]]) -> f64 {
        let square = |s: &[f32; 2]| f64::from(s[0]).powi(2) + f64::from(s[1]).powi(2);
        samples.iter().map(square).sum()
    }

    /// Low frequencies, which the lines do not damp.
    fn low(samples: &mut [[f32; 2]]) {
        let k = 1.0 - libm::exp(-std::f64::consts::TAU * 500.0 / f64::from(RATE)) as f32;
        let mut y = [0.0f32; 2];
        for sample in samples {
            for (y, x) in y.iter_mut().zip(sample) {
                *y += k * (*x - *y);
                *x = *y;
            }
        }
    }

    #[test]
    fn low_sound_falls_by_60_db_in_the_reverberation_time() {
        for secs in [0.4, 1.0, 2.5] {
            let mut output = echoes(secs, secs);
            low(&mut output);
            // Schroeder's integral: the energy that is still to come; the slope between -5 and -25 dB.
            let mut left = 0.0;
            let sums = output.iter().rev().map(|sample| {
                left += energy(&[*sample]);
                left
            });
            let mut curve: Vec<f64> = sums.collect();
            curve.reverse();
            let whole = curve[0];
            let at = |db: f64| {
                let level = whole * libm::pow(10.0, db / 10.0);
                curve
                    .iter()
                    .position(|energy| *energy < level)
                    .expect("it falls")
            };
            let measured = (at(-25.0) - at(-5.0)) as f64 * 3.0 / f64::from(RATE);
            let off = (measured / secs - 1.0).abs();
            assert!(off < 0.12, "{measured} instead of {secs} s");
        }
    }

    #[test]
    fn the_echoes_of_an_impulse_have_its_energy() {
        let mut impulse = vec![[0.0; 2]; 48_000];
        impulse[0] = [1.0, 0.0];
        low(&mut impulse);
        for secs in [0.3, 1.0, 3.0] {
            let mut output = echoes(secs, 2.0 * secs);
            low(&mut output);
            let db = 10.0 * libm::log10(energy(&output) / 2.0 / energy(&impulse));
            assert!(db.abs() < 2.0, "{db} dB at {secs} s");
        }
    }

    #[test]
    fn nothing_comes_of_silence() {
        let mut output = vec![[0.0; 2]; 4000];
        Reverb::default().add(&[0.0; 4000], 2.0, &mut output);
        assert!(output.iter().all(|s| *s == [0.0; 2]));
    }
}
