//! White noise and one-pole filters.
use super::RATE;
use crate::geom::rng::Rng;

/// A uniform sample of white noise, -1..1.
pub fn white(rng: &mut Rng) -> f64 {
    rng.range(-1.0, 1.0)
}

/// The coefficient of a one-pole low-pass: y += k (x - y), with k = 1 - exp(-2π f / rate).
pub fn pole(cutoff_hz: f64) -> f64 {
    1.0 - libm::exp(-std::f64::consts::TAU * cutoff_hz / f64::from(RATE))
}

/// A one-pole low-pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowPass {
    y: f64,
}

impl LowPass {
    /// The next sample, with a coefficient of [`pole`].
    pub fn next(&mut self, x: f64, k: f64) -> f64 {
        self.y += k * (x - self.y);
        self.y
    }
}

/// Noise between two cut-offs: the difference of two low-passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Band {
    low: LowPass,
    high: LowPass,
}

impl Band {
    /// The next sample, with coefficients of [`pole`] for the lower and the upper cut-off.
    pub fn next(&mut self, x: f64, lower: f64, upper: f64) -> f64 {
        let y = self.high.next(x, upper);
        y - self.low.next(y, lower)
    }
}

/// Multiplies by exp(-t / secs), one sample at a time.
#[derive(Clone, Copy, Debug)]
pub struct Decay {
    pub value: f64,
    factor: f64,
}

impl Decay {
    pub fn new(secs: f64) -> Decay {
        let factor = libm::exp(-1.0 / (secs * f64::from(RATE)));
        Decay { value: 1.0, factor }
    }

    /// The value before the step.
    pub fn next(&mut self) -> f64 {
        let value = self.value;
        self.value *= self.factor;
        value
    }
}
