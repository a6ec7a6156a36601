//! Projectiles in flight and recent events that are still drawn: plain data, owned by [`super::Sim`].
use crate::carve::MaterialId;
use crate::world::{CastHit, Revision};
use glam::DVec3;

/// A flying rocket.
#[derive(Clone, Debug, PartialEq)]
pub struct Rocket {
    /// Centre, metres.
    pub position: DVec3,
    /// Centre a tick ago, metres.
    pub previous: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Ticks since launch.
    pub age: u32,
    /// Radius of its blast, metres; None: that of the settings when it explodes.
    pub blast_radius: Option<f64>,
}

/// A thrown grenade.
#[derive(Clone, Debug, PartialEq)]
pub struct Grenade {
    /// Centre, metres.
    pub position: DVec3,
    /// Centre a tick ago, metres.
    pub previous: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Ticks since it was thrown.
    pub age: u32,
    /// Distance travelled, metres; the drawing tumbles by it.
    pub path: f64,
    /// Radius of its blast, metres; None: that of the settings when it explodes.
    pub blast_radius: Option<f64>,
}

/// A recently drilled hole, for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drilled {
    /// Eye of the player who fired the drill, metres.
    pub eye: DVec3,
    /// Start of the hole, metres.
    pub from: DVec3,
    /// End of the hole, metres.
    pub to: DVec3,
    /// Radius, metres.
    pub radius: f64,
    /// Material at the start, if known.
    pub material: Option<MaterialId>,
    /// Tick of the shot.
    pub tick: u64,
}

/// A recent explosion, for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Explosion {
    /// Centre, metres.
    pub position: DVec3,
    /// Radius, metres.
    pub radius: f64,
    /// Tick of the blast.
    pub tick: u64,
    /// Revision of the world after it.
    pub revision: Revision,
    /// Material that it carved; None where nothing was carved.
    pub material: Option<MaterialId>,
}

/// Dust of a recent break or impact, for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Dust {
    /// Centre, metres.
    pub position: DVec3,
    /// Radius of where it rises, metres.
    pub radius: f64,
    /// Tick of the break or the impact.
    pub tick: u64,
    /// Material that it is of, if known.
    pub material: Option<MaterialId>,
}

/// Where the surface of a liquid was disturbed, for drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Ripple {
    /// On the surface, metres.
    pub position: DVec3,
    /// 0..=1.
    pub strength: f64,
    /// Tick of the disturbance.
    pub tick: u64,
}

/// A recent ray or sweep, for the debug lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Start, metres.
    pub from: DVec3,
    /// End asked for, metres.
    pub to: DVec3,
    /// Radius of the swept sphere, metres; 0 for a ray.
    pub radius: f64,
    /// The first hit.
    pub hit: Option<CastHit>,
    /// Tick of the query.
    pub tick: u64,
}
