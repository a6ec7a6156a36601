//! The projectiles that can be fired, and their settings: plain data.
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A projectile, fired from the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Shot {
    /// Explodes where it hits.
    #[default]
    Rocket,
    /// Bounces, and explodes when its fuse ends.
    Grenade,
    /// Bores a straight round hole at once.
    Drill,
    /// A heavy iron ball that only pushes.
    Ball,
}

impl Shot {
    /// Every variant.
    pub const ALL: [Self; Self::VARIANTS.len()] =
        *Self::VARIANTS.first_chunk().expect("its own length");

    /// Whether it explodes.
    pub fn explodes(self) -> bool {
        match self {
            Shot::Rocket | Shot::Grenade => true,
            Shot::Drill | Shot::Ball => false,
        }
    }
}

/// Flight and effect of projectiles; [`ShotSettings::within_limits`] enforces the ranges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "ShotSettings::implied", deny_unknown_fields)]
pub struct ShotSettings {
    /// Gravity acts on rockets; otherwise they fly straight.
    pub rocket_falls: bool,
    /// Time from the throw of a grenade to its explosion, seconds, 0.1..=20.
    pub fuse_secs: f64,
    /// Restitution of a grenade, 0..=0.95.
    pub bounce: f64,
    /// Radius of a drilled hole, metres, 0.02..=2.
    pub drill_radius: f64,
    /// Depth of a drilled hole in material of hardness 1, metres, 0.1..=40.
    pub drill_depth: f64,
    /// Mass of a ball, kilograms, 1..=20,000.
    pub ball_mass: f64,
}

impl Default for ShotSettings {
    fn default() -> Self {
        Self::implied()
    }
}

impl ShotSettings {
    /// See `Settings::implied`.
    pub(super) fn implied() -> Self {
        Self {
            rocket_falls: false,
            fuse_secs: 2.5,
            bounce: 0.5,
            drill_radius: 0.25,
            drill_depth: 4.0,
            ball_mass: 400.0,
        }
    }

    /// Clamps every number to the range in its field's doc; NaN becomes the default.
    #[must_use]
    pub fn within_limits(&self) -> Self {
        let usual = Self::default();
        let limit = |x: f64, lo: f64, hi: f64, otherwise: f64| match x.is_nan() {
            true => otherwise,
            false => x.clamp(lo, hi),
        };
        Self {
            rocket_falls: self.rocket_falls,
            fuse_secs: limit(self.fuse_secs, 0.1, 20.0, usual.fuse_secs),
            bounce: limit(self.bounce, 0.0, 0.95, usual.bounce),
            drill_radius: limit(self.drill_radius, 0.02, 2.0, usual.drill_radius),
            drill_depth: limit(self.drill_depth, 0.1, 40.0, usual.drill_depth),
            ball_mass: limit(self.ball_mass, 1.0, 20_000.0, usual.ball_mass),
        }
    }

    /// The numbers with their names.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        let Self {
            rocket_falls: _,
            fuse_secs,
            bounce,
            drill_radius,
            drill_depth,
            ball_mass,
        } = *self;
        [
            ("fuse", fuse_secs),
            ("bounce", bounce),
            ("drill radius", drill_radius),
            ("drill depth", drill_depth),
            ("ball mass", ball_mass),
        ]
    }

    /// The numbers.
    pub fn numbers(&self) -> [f64; 5] {
        self.named().map(|(_, number)| number)
    }
}

/// Speed of a thrown grenade, metres a second.
pub const GRENADE_SPEED: f64 = 16.0;
/// Speed of a ball, metres a second.
pub const BALL_SPEED: f64 = 30.0;
/// Radius of a ball, metres.
pub const BALL_RADIUS: f64 = 0.25;
