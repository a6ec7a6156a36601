//! What sound loses on its way, in decibels.
//!
//! - **Spreading**: amplitude goes as one over the length, from 1 m on.
//! - **Corners**: Kurze and Anderson, "Sound attenuation by barriers", Applied Acoustics 4 (1971), after Maekawa (1968):
//!   20 log₁₀(√(2πN) / tanh √(2πN)) with the Fresnel number N = 2δ/λ, δ the detour round the corner; without their constant
//!   5 dB, so that a corner that hardly bends the way loses nothing. Above N = 1 the loss grows with the frequency: a
//!   low-pass with the frequency of N = 1 as cut-off. Walls throw sound round the corner, too: no corner loses more than 8 dB,
//!   as an unlined square elbow of a duct does (ASHRAE Handbook, HVAC Applications, Noise and Vibration Control).
//! - **Openings**: Kirchhoff's diffraction. An opening of area A between legs d₁ and d₂ passes A (d₁ + d₂) / (λ d₁ d₂) of
//!   the amplitude of open air, at most all.
//! - **Doors**: one that closes an opening takes as much as a heavy one with seals does, and its high part.
//! - **Walls**, where no air leads round: the mass law, 20 log₁₀(f m″) - 47 dB (Kuttruff, Acoustics, 2007, 10.2).
//!
//! Losses are those at 500 Hz, through walls at 125 Hz, which is what is left to hear there.
use super::SPEED;
use super::air::{Leg, Opening};
use glam::DVec3;
use std::f64::consts::TAU;

/// Ways that lose more are silent, decibels.
pub const MOST_LOSS_DB: f64 = 90.0;
/// The wavelength for which losses are stated, metres.
const WAVELENGTH: f64 = SPEED / 500.0;
/// Cut-off of an open way, hertz.
pub const OPEN_HZ: f64 = 20_000.0;
/// Frequency at which walls are heard through, hertz.
pub const WALL_HZ: f64 = 125.0;
/// Frequency up to which a door is heard through, hertz.
pub const DOOR_HZ: f64 = 250.0;
/// Decibels that a door takes.
const DOOR_DB: f64 = 30.0;
/// Density of walls, kilograms a cubic metre.
const WALL_DENSITY: f64 = 2300.0;
/// No corner loses more, decibels.
const MOST_BEND_DB: f64 = 8.0;

/// Decibels by spreading over a length.
pub fn spreading_db(length: f64) -> f64 {
    20.0 * libm::log10(length.max(1.0))
}

/// Decibels lost where a way bends at `corner`.
pub fn bend_db(before: DVec3, corner: DVec3, after: DVec3) -> f64 {
    detour_db(detour(before, corner, after))
}

/// Decibels lost by an opening of this area between two legs.
pub fn opening_db(area_m2: f64, before: DVec3, at: DVec3, after: DVec3) -> f64 {
    let (d1, d2) = (before.distance(at), at.distance(after));
    let passed = area_m2 * (d1 + d2) / (WAVELENGTH * d1 * d2).max(1e-9);
    -20.0 * libm::log10(passed.clamp(1e-6, 1.0))
}

/// Decibels lost by the door in an opening, if one closes it.
pub fn door_db(opening: &Opening) -> f64 {
    if opening.is_closed { DOOR_DB } else { 0.0 }
}

/// Length and loss of a leg. Round something in a room the way is longer; how, nobody searches: by a quarter.
pub fn around(leg: Leg, distance: f64) -> (f64, f64) {
    match leg {
        Leg::Around => {
            let detour = around_detour(distance);
            (distance + detour, detour_db(detour))
        }
        Leg::Clear | Leg::Shut => (distance, 0.0),
    }
}

/// How much longer the way round something in a room is, metres.
pub fn around_detour(distance: f64) -> f64 {
    0.25 * distance.max(2.0)
}

/// How much longer the way by a corner is, metres.
pub fn detour(before: DVec3, corner: DVec3, after: DVec3) -> f64 {
    before.distance(corner) + corner.distance(after) - before.distance(after)
}

fn detour_db(detour: f64) -> f64 {
    let root = (TAU * 2.0 * detour.max(0.0) / WAVELENGTH).sqrt();
    match root < 1e-3 {
        true => 0.0,
        false => (20.0 * libm::log10(root / libm::tanh(root))).min(MOST_BEND_DB),
    }
}

/// Decibels lost through this much wall, metres.
pub fn wall_db(thickness: f64) -> f64 {
    let loss_db = 20.0 * libm::log10(WALL_HZ * thickness * WALL_DENSITY) - 47.0;
    loss_db.clamp(0.0, MOST_LOSS_DB)
}

/// Amplitude of the diffuse sound of a room by that of the direct one at 1 m, from what it absorbs, square metres: the
/// energy density is 4 P / (c A), that of a wave at 1 m P / (4π c) (Kuttruff, Room Acoustics, 2009, 5.1).
pub fn diffuse_gain(absorption_m2: f64) -> f64 {
    match absorption_m2 > 0.0 {
        true => (16.0 * std::f64::consts::PI / absorption_m2).sqrt(),
        false => 0.0,
    }
}

/// Amplitude of the diffuse sound behind an opening by that before it: an opening S passes p² S / (4 ρc), which in a room
/// that absorbs A makes p² S / A.
pub fn passed_on(area_m2: f64, absorption_m2: f64) -> f64 {
    (area_m2 / absorption_m2.max(area_m2).max(1e-6)).sqrt()
}

/// The frequency of N = 1: that of a wave twice as long as the detour.
pub fn cutoff_hz(detour: f64) -> f64 {
    (SPEED / (2.0 * detour.max(1e-4))).clamp(120.0, OPEN_HZ)
}
