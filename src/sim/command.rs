//! What a tick is told: everything that the simulation reads besides its own state.
use super::{Settings, Shot};
use crate::carve::blast::BlastShape;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Everything the simulation reads in one tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Command {
    /// Wish to move: x right, y up (fly only), z forward; each -1..=1.
    pub walk: [f32; 3],
    /// Look direction: yaw to the left from -Z and pitch up, radians, absolute.
    pub yaw: f64,
    #[allow(missing_docs)]
    pub pitch: f64,
    /// Jump is held.
    pub jump: bool,
    /// Faster flight.
    pub fast: bool,
    /// Crouch is held: a walking player is lower and slower, and stands up again where there is room.
    pub crouch: bool,
    /// What else happens in this tick, in order.
    pub actions: Vec<Action>,
}

/// A brush of the Carve and Fill tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
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
    /// A blast as rock breaks, `size` across.
    Rock,
    /// A blast as concrete breaks.
    Concrete,
    /// A blast as metal tears.
    Metal,
}

impl ToolShape {
    /// All of them.
    pub const ALL: [ToolShape; 10] = [
        ToolShape::Box,
        ToolShape::Ball,
        ToolShape::Cylinder,
        ToolShape::Cone,
        ToolShape::Wedge,
        ToolShape::Slab,
        ToolShape::Hull,
        ToolShape::Rock,
        ToolShape::Concrete,
        ToolShape::Metal,
    ];

    /// The look of the blast that it is, if it is one: see [`Settings::blast_shape`].
    pub fn blast(self) -> Option<BlastShape> {
        match self {
            ToolShape::Rock => Some(BlastShape::Rock),
            ToolShape::Concrete => Some(BlastShape::Concrete),
            ToolShape::Metal => Some(BlastShape::Metal),
            _ => None,
        }
    }
}

/// What Carve and Fill use. Numbers out of range come within it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Which shape.
    pub shape: ToolShape,
    /// Edge length or diameter, metres, 0.02..=20.
    pub size: f64,
    /// How deep it reaches into the surface, metres, 0.02..=20.
    pub depth: f64,
    /// Turned about the inward axis, tilted, rolled, radians: see [`crate::carve::shape::axes`].
    #[serde(default, skip_serializing_if = "is_upright")]
    pub rotation: [f64; 3],
    /// Of a hull: its points, metres, anywhere; they are rounded to 1/1024 m.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<[f64; 3]>,
    /// Start and direction of the ray whose hit it is put at, metres; None: the crosshair's.
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

/// One thing done in a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A rocket from the eye along the look direction.
    Fire,
    /// Another shot, the same way.
    Shoot(Shot),
    /// A shot that explodes with a radius of its own, whatever the settings say.
    Charged {
        /// Which.
        shot: Shot,
        /// Metres, 0.02..=20.
        radius: f64,
    },
    /// A rocket from anywhere (soak): explodes at the first hit within this tick.
    FireAlong {
        /// Start, metres.
        from: [f64; 3],
        /// Unit direction.
        dir: [f64; 3],
    },
    /// Carve or fill a shape at the face under the crosshair.
    Tool {
        /// Fill instead of carve.
        fill: bool,
        /// Which shape, how large, how turned.
        #[serde(flatten)]
        tool: Tool,
    },
    /// New settings.
    Set(Box<Settings>),
    /// Walk (true) or fly.
    Walk(bool),
    /// Fly through walls.
    NoClip(bool),
    /// Put the player here, eye position in metres.
    Teleport([f64; 3]),
    /// Carries a body to a place; said anew in every tick that it is held.
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
    /// Crumbs out of nowhere, falling already.
    Pour {
        /// Around this place in the air, metres.
        at: [f64; 3],
        /// As far from it as this, metres, 0..=20.
        spread: f64,
        /// So many, at most 1000.
        crumbs: u32,
        /// About so large, metres, 0.02..=0.3.
        radius: f64,
    },
    /// Removes all bodies.
    ClearDebris,
    /// Takes the last change back. Tools and rays of the same tick that come before it are done first; rockets in flight
    /// fly on, and those that hit in this tick hit after it.
    Undo,
    /// Does the last change again that was undone; a new one in between and there is none.
    Redo,
}

impl Command {
    /// The same with what is not finite made zero and each wish within -1..=1, so that no input makes a NaN and a
    /// recording can hold every command. Actions check their own numbers.
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

    /// What goes on in the next tick if nobody says otherwise: the input that is held, without the actions.
    #[must_use]
    pub fn held(&self) -> Self {
        Self {
            actions: Vec::new(),
            ..self.clone()
        }
    }
}

impl Action {
    /// Whether all its numbers are finite; an action with others is left out.
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
            Action::Set(s) => [
                s.blast_radius,
                s.tree.min_volume,
                s.buffer_distance,
                s.gravity,
            ]
            .iter()
            .chain(&s.shots.numbers())
            .all(|x| x.is_finite()),
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

/// Unit vector along a look direction: yaw to the left from -Z, pitch up, radians.
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
