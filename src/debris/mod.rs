//! Crumbs: spheres that fall, bounce, spin and come to rest.
//!
//! What a carve takes out of the wall flies off as a few spheres whose number and size follow the volume
//! ([`spawn`]). Each tick ([`step`]): gravity, pushes between crumbs ([`pairs`]), then every waking crumb is swept
//! through the world and answers each contact with one impulse ([`contact`]). What rests falls asleep and costs
//! nothing until a carve or another crumb wakes it ([`sleep`]). Crumbs move by sweeps only, so a centre that starts in
//! the air stays in the air. Metres, seconds, kilograms (masses are relative: a crumb's mass is its radius cubed).
use glam::{DQuat, DVec3};

pub mod clearance;
pub mod contact;
pub mod pairs;
pub mod sleep;
pub mod spawn;
mod step;

pub use step::{Forces, buffered, step};

/// A crumb.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Centre, metres.
    pub position: DVec3,
    /// Centre a tick ago.
    pub previous: DVec3,
    /// Orientation.
    pub rotation: DQuat,
    /// Metres a second.
    pub velocity: DVec3,
    /// Radians a second.
    pub spin: DVec3,
    /// Metres.
    pub radius: f64,
    /// Rests and costs nothing.
    pub asleep: bool,
    /// What it is made of.
    pub material: u32,
    /// Number of the change that made it; 0 is none. Undo takes it away.
    pub operation: u64,
    /// Ticks for which it has stayed near `anchor`; see [`sleep`].
    pub still: u16,
    /// Where it was when it last moved on, metres.
    pub anchor: DVec3,
}

impl Body {
    /// A crumb at rest in the air, awake.
    pub fn new(position: DVec3, radius: f64, material: u32) -> Self {
        Self {
            position,
            previous: position,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            radius,
            asleep: false,
            material,
            operation: 0,
            still: 0,
            anchor: position,
        }
    }

    /// Kilograms, up to the factor that all crumbs share.
    pub fn mass(&self) -> f64 {
        self.radius * self.radius * self.radius
    }

    /// Wakes it, if it sleeps.
    pub fn wake(&mut self) {
        self.asleep = false;
        self.still = 0;
    }
}
