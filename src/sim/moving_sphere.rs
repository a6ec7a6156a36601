//! Moving spheres: bodies and the player as sweeps see them.
use super::player::{self, Player};
use crate::collide::Layer;
use crate::debris::{Ball, Body};
use glam::DVec3;

/// A sphere that moves: one of a body's, or of the player's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingSphere {
    /// Collision layer.
    pub layer: Layer,
    /// Index in the list that it comes from: of bodies, of rockets; 0 for the player.
    pub index: usize,
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
    /// Metres a second.
    pub velocity: DVec3,
}

impl MovingSphere {
    /// One sphere of the body with this index.
    pub(super) fn from_ball(index: usize, body: &Body, ball: Ball) -> Self {
        Self {
            layer: layer_of_body(body),
            index,
            centre: ball.centre,
            radius: ball.radius,
            velocity: body.velocity,
        }
    }
}

/// The collision layer of a body.
pub fn layer_of_body(body: &Body) -> Layer {
    match body.chunk {
        Some(_) => Layer::Chunk,
        None => Layer::Debris,
    }
}

/// The spheres of all bodies.
pub fn of_bodies(bodies: &[Body]) -> impl Iterator<Item = MovingSphere> {
    let all = bodies.iter().enumerate();
    all.flat_map(|(index, body)| {
        let balls = body.balls();
        balls.map(move |ball| MovingSphere::from_ball(index, body, ball))
    })
}

/// The spheres of the player; none with no-clip.
pub fn of_player(player: &Player) -> impl Iterator<Item = MovingSphere> {
    let (stack, origin) = player::body(player);
    let heights = stack.heights.iter().filter(|_| !player.no_clip);
    heights.map(move |height| MovingSphere {
        layer: Layer::Player,
        index: 0,
        centre: origin + DVec3::Y * *height,
        radius: stack.radius,
        velocity: player.velocity,
    })
}
