//! The input of a tick: everything that the simulation reads besides its own state.
use super::settings::Settings;
use super::shot::Shot;
use crate::carve::blast::BlastShape;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// The input of one tick (Quake's `usercmd_t`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Command {
    /// Movement keys: x right, y up (flying only), z forward; each -1..=1.
    pub walk: [f32; 3],
    /// Look direction: yaw to the left from -Z and pitch up, radians, absolute.
    pub yaw: f64,
    #[allow(missing_docs)]
    pub pitch: f64,
    /// The jump key is held.
    pub jump: bool,
    /// Faster flight.
    pub fast: bool,
    /// The crouch key is held: a walking player is lower and slower; released, it stands up where there is room.
    pub crouch: bool,
    /// Actions of this tick, in order.
    pub actions: Vec<Action>,
}

/// The shape of a Carve or Fill tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum ToolShape {
    /// `size` wide and high.
    #[default]
    Box,
    /// Faceted, `size` across.
    Ball,
    /// `size` across.
    Cylinder,
    /// `size` across at the surface, down to a tip.
    Cone,
    /// `size` wide and high at the surface, down to an edge.
    Wedge,
    /// `size` wide, an eighth as high: a slit or a shelf.
    Slab,
    /// The convex hull of [`Tool::points`].
    Hull,
    /// A crater as in rock, `size` across.
    Rock,
    /// A crater as in concrete.
    Concrete,
    /// Tears as in metal.
    Metal,
}

impl ToolShape {
    /// Every variant.
    pub const ALL: [Self; Self::VARIANTS.len()] =
        *Self::VARIANTS.first_chunk().expect("its own length");

    /// The blast that it is, if it is one.
    pub fn blast(self) -> Option<BlastShape> {
        match self {
            ToolShape::Rock => Some(BlastShape::Rock),
            ToolShape::Concrete => Some(BlastShape::Concrete),
            ToolShape::Metal => Some(BlastShape::Metal),
            ToolShape::Box
            | ToolShape::Ball
            | ToolShape::Cylinder
            | ToolShape::Cone
            | ToolShape::Wedge
            | ToolShape::Slab
            | ToolShape::Hull => None,
        }
    }
}

/// A Carve or Fill tool. Numbers are clamped to their range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Which shape.
    pub shape: ToolShape,
    /// Edge length or diameter, metres, 0.02..=20.
    pub size: f64,
    /// Depth into the surface, metres, 0.02..=20.
    pub depth: f64,
    /// Angles about the inward axis, of tilt and of roll, radians: see [`crate::carve::shape::axes`].
    #[serde(default, skip_serializing_if = "is_upright")]
    pub rotation: [f64; 3],
    /// Points of a hull, metres; rounded to 1/1024 m.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<[f64; 3]>,
    /// Start, metres, and direction of the ray that places it; None: the crosshair's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aimed: Option<[[f64; 3]; 2]>,
}

impl Default for Tool {
    fn default() -> Self {
        Self {
            shape: ToolShape::Box,
            size: 1.0,
            depth: 0.5,
            rotation: [0.0; 3],
            points: Vec::new(),
            aimed: None,
        }
    }
}

fn is_upright(rotation: &[f64; 3]) -> bool {
    *rotation == [0.0; 3]
}

/// One action of a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Fires a rocket from the eye along the look direction.
    Fire,
    /// Fires another projectile the same way.
    Shoot(Shot),
    /// Fires a projectile with its own blast radius instead of that of the settings.
    Charged {
        /// The projectile.
        shot: Shot,
        /// Metres, 0.02..=20.
        radius: f64,
    },
    /// Fires a rocket from anywhere (soak) that explodes at its first hit within this tick.
    FireAlong {
        /// Start, metres.
        from: [f64; 3],
        /// Unit direction.
        dir: [f64; 3],
    },
    /// Carves or fills a shape at the face under the crosshair.
    Tool {
        /// Fill instead of carve.
        fill: bool,
        /// Shape, size and rotation.
        #[serde(flatten)]
        tool: Tool,
    },
    /// Changes the settings.
    Set(Box<Settings>),
    /// Walks (true) or flies.
    Walk(bool),
    /// Turns no-clip on or off.
    NoClip(bool),
    /// Moves the player: eye position, metres.
    Teleport([f64; 3]),
    /// Carries a body towards a position; repeated in every tick that it is held.
    Carry {
        /// Index into the bodies.
        body: u32,
        /// Metres.
        to: [f64; 3],
    },
    /// Throws a body.
    Throw {
        /// Index into the bodies.
        body: u32,
        /// Metres a second.
        velocity: [f64; 3],
    },
    /// Spawns crumbs in the air.
    Pour {
        /// Centre, metres.
        at: [f64; 3],
        /// Greatest distance from the centre, metres, 0..=20.
        spread: f64,
        /// Number of crumbs, at most 1000.
        crumbs: u32,
        /// Mean radius, metres, 0.02..=0.3.
        radius: f64,
    },
    /// Removes all bodies.
    ClearDebris,
    /// Undoes the last change. Earlier tools and shots of the same tick come first; rockets that hit in this tick hit after
    /// it.
    Undo,
    /// Redoes the last undone change. A new change in between discards the undone ones.
    Redo,
}

impl Command {
    /// Zeroes numbers that are not finite, clamps movement to -1..=1, and drops actions with numbers that are not finite: no
    /// input makes a NaN, and a recording can hold every command.
    #[must_use]
    pub fn tame(&self) -> Self {
        let angle = |x: f64| if x.is_finite() { x } else { 0.0 };
        Self {
            walk: self
                .walk
                .map(|x| if x.is_nan() { 0.0 } else { x.clamp(-1.0, 1.0) }),
            yaw: angle(self.yaw),
            pitch: angle(self.pitch)
                .clamp(-std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2),
            jump: self.jump,
            fast: self.fast,
            crouch: self.crouch,
            actions: self
                .actions
                .iter()
                .filter(|action| action.is_finite())
                .cloned()
                .collect(),
        }
    }

    /// The command of the next tick while no input changes: the held keys, without the actions.
    #[must_use]
    pub fn held(&self) -> Self {
        Self {
            actions: Vec::new(),
            ..self.clone()
        }
    }
}

impl Action {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Action::FireAlong { from, dir } => from.iter().chain(dir).all(|x| x.is_finite()),
            Action::Tool { tool, .. } => {
                let numbers = [tool.size, tool.depth].into_iter().chain(tool.rotation);
                let aimed = tool.aimed.iter().flatten().flatten().copied();
                numbers
                    .chain(aimed)
                    .chain(tool.points.iter().flatten().copied())
                    .all(f64::is_finite)
            }
            Action::Charged { radius, .. } => radius.is_finite(),
            Action::Pour {
                at, spread, radius, ..
            } => at.iter().chain([spread, radius]).all(|x| x.is_finite()),
            Action::Teleport(to) | Action::Carry { to, .. } => to.iter().all(|x| x.is_finite()),
            Action::Throw { velocity, .. } => velocity.iter().all(|x| x.is_finite()),
            Action::Set(settings) => settings.is_finite(),
            Action::Fire
            | Action::Shoot(_)
            | Action::Walk(_)
            | Action::NoClip(_)
            | Action::ClearDebris
            | Action::Undo
            | Action::Redo => true,
        }
    }
}

/// The direction that the command asks for (Quake's `wishdir`), from x right, y up, z forward; length at most 1.
pub(super) fn wish_dir(command: &Command, forward: DVec3) -> DVec3 {
    let [x, y, z] = command.walk.map(f64::from);
    let (sin, cos) = libm::sincos(command.yaw);
    let right = DVec3::new(cos, 0.0, -sin);
    (right * x + DVec3::Y * y + forward * z).clamp_length_max(1.0)
}

/// Unit vector of a look direction: yaw to the left from -Z, pitch up, radians.
pub fn look_dir(yaw: f64, pitch: f64) -> DVec3 {
    let (sin_yaw, cos_yaw) = libm::sincos(yaw);
    let (sin_pitch, cos_pitch) = libm::sincos(pitch);
    DVec3::new(-sin_yaw * cos_pitch, sin_pitch, -cos_yaw * cos_pitch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaw_turns_left_from_minus_z_and_pitch_up() {
        let quarter = std::f64::consts::FRAC_PI_2;
        for (yaw, pitch, expected) in [
            (0.0, 0.0, DVec3::NEG_Z),
            (quarter, 0.0, DVec3::NEG_X),
            (0.0, quarter, DVec3::Y),
            (-quarter, 0.0, DVec3::X),
        ] {
            assert!((look_dir(yaw, pitch) - expected).length() < 1e-12);
        }
    }

    #[test]
    fn a_tame_command_is_finite_and_stays_as_it_is() {
        let wild = Command {
            walk: [f32::NAN, 9.0, -0.5],
            yaw: f64::INFINITY,
            pitch: 7.0,
            jump: true,
            fast: false,
            crouch: true,
            actions: vec![
                Action::Teleport([f64::NAN, 0.0, 0.0]),
                Action::Set(Box::new(Settings {
                    gravity: f64::NAN,
                    ..Settings::default()
                })),
                Action::Fire,
            ],
        };
        let tame = wild.tame();
        assert_eq!(tame.walk, [0.0, 1.0, -0.5]);
        assert_eq!(tame.actions, [Action::Fire]);
        assert_eq!(tame.tame(), tame);
        let text = serde_json::to_string(&tame).expect("finite numbers");
        assert_eq!(
            serde_json::from_str::<Command>(&text).expect("just written"),
            tame
        );
    }
}
