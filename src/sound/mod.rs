//! What is heard: sounds of what happens in a tick, the ways on which they reach the listener, and their mix.
//!
//! Only observes: the simulation knows nothing of it, and what is heard follows from the recording alone, with the same
//! bits each time. Metres, seconds; 48,000 samples a second, 800 to a tick; a sample of 1 is full scale.
//!
//! - [`kind`]: the sounds and their names; `synth`: how each is made; [`bank`]: made ones, and files in their place.
//! - [`events`]: what sounded in a tick; `mover_sounds`: of doors and lifts.
//! - [`air`]: a room as sound sees it: openings, what connects them, surfaces. [`search`]: from the listener through open
//!   portals, once a tick for all sources. [`path`]: one source's way, [`loss`]: what is lost on it. [`space`]: reverberation.
//! - [`ear`]: all sources of a tick with their paths; `mixer`, `reverb`, `limiter`: samples.
//! - [`Soundtrack`]: all of it in one, for clips.
pub mod air;
pub mod bank;
pub mod ear;
pub mod events;
pub mod kind;
mod limiter;
pub mod loss;
mod material_table;
mod mixer;
mod mover_sounds;
pub mod path;
mod reverb;
pub mod search;
mod soundtrack;
pub mod space;
mod synth;

pub use bank::{Bank, Replacements};
pub use ear::{Ear, HeardTick};
pub use kind::{Category, Sound};
pub use limiter::LATENCY;
pub use mixer::{Levels, Mixer};
pub use soundtrack::Soundtrack;

/// Samples a second.
pub const RATE: u32 = 48_000;
/// Samples in a tick.
pub const FRAMES: usize = RATE as usize / 60;
/// Speed of sound in air at 20 °C, metres a second.
pub const SPEED: f64 = 343.0;

/// The left and the right samples of one tick.
pub type Block = [[f32; 2]; FRAMES];

/// A sample in 16 bits, rounded to the nearest; what is not a number is silence.
pub fn sample_16(sample: f32) -> i16 {
    (sample.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

#[cfg(test)]
mod tests;
