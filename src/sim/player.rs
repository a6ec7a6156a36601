//! The player's state, and the spheres that its body consists of.
use glam::DVec3;

/// The player or the flying camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// Eye, metres.
    pub eye: DVec3,
    /// Eye a tick ago, for interpolation.
    pub previous_eye: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Radians to the left from -Z.
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Walks with gravity instead of flying.
    pub walking: bool,
    /// Flies through walls.
    pub no_clip: bool,
    /// Stands on something.
    pub on_ground: bool,
    /// Crouches, until there is room to stand up.
    pub crouched: bool,
    /// Soles of a walking player, metres; the eye is above them by the eye height plus [`Player::eye_lag`].
    pub feet: DVec3,
    /// Height of the eye above (negative: below) its rest position over the feet, metres: it smooths steps.
    pub eye_lag: f64,
    /// Last position of the eye in the air, metres: leaving no-clip inside rock returns here.
    pub last_air: DVec3,
}

/// A player's body: spheres of one radius above each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereStack {
    /// Heights of the centres above the body's origin, metres.
    pub heights: &'static [f64],
    /// Metres.
    pub radius: f64,
}

/// Of a walking player, metres a second.
pub(super) const WALK_SPEED: f64 = 6.0;
/// Metres in a `.map` unit.
pub(super) const UNIT: f64 = 1.0 / 32.0;
/// Eye above the soles of a standing player, metres.
pub const EYE_HEIGHT: f64 = 46.0 * UNIT;
/// A standing player, its origin at the soles: 56 units high.
pub const STANDING: SphereStack = SphereStack {
    heights: &[0.4, 0.875, 56.0 * UNIT - 0.4],
    radius: 0.4,
};
/// Eye above the soles of a crouching player, metres.
pub const CROUCHED_EYE_HEIGHT: f64 = 28.0 * UNIT;
/// A crouching player, its origin at the soles: 36 units high.
pub const CROUCHING: SphereStack = SphereStack {
    heights: &[0.4, 36.0 * UNIT - 0.4],
    radius: 0.4,
};
/// A flying player, its origin at the eye.
pub const FLYING: SphereStack = SphereStack {
    heights: &[0.0],
    radius: 0.3,
};

/// The eye stays within this of the origin along each axis, metres.
pub(super) const FARTHEST_EYE: f64 = 2048.0;

/// The current body, and the position of its origin, metres.
pub fn body(player: &Player) -> (SphereStack, DVec3) {
    match (player.walking, player.crouched) {
        (true, false) => (STANDING, player.feet),
        (true, true) => (CROUCHING, player.feet),
        (false, _) => (FLYING, player.eye),
    }
}

/// Eye above the soles, metres.
pub(super) fn eye_height(player: &Player) -> f64 {
    match player.crouched {
        true => CROUCHED_EYE_HEIGHT,
        false => EYE_HEIGHT,
    }
}
