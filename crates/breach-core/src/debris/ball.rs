//! A sphere, the one shape that debris collides with.
use crate::geom::Aabb;
use glam::DVec3;

/// A sphere: of a body in the world, or of a chunk in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

/// The box around balls; a point at the origin if there are none.
pub fn bounds_of(balls: &[Ball]) -> Aabb {
    let around = |ball: &Ball| Aabb::from_centre(ball.centre, DVec3::splat(ball.radius));
    let all = balls.iter().map(around).reduce(|a, b| a.union(&b));
    all.unwrap_or(Aabb::from_corners(DVec3::ZERO, DVec3::ZERO))
}
