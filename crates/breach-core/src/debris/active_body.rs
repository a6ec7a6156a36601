//! The bodies that move in a tick, and their balls.
use super::ball::Ball;
use super::body::Body;
use super::oriented_bounds::OrientedBounds;
use glam::DVec3;

/// A ball of a body in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBall {
    /// In the world.
    pub ball: Ball,
    /// Of its centre from the body's centre of mass; `None` for a crumb.
    pub offset: Option<DVec3>,
    /// Displacement in the tick if nothing stopped it, metres.
    pub path: DVec3,
    /// The distance from its centre to the surface is at least this, metres.
    pub clearance: f64,
}

/// A body that moves in this tick. Its active index is that of its solver body.
#[derive(Clone, Debug)]
pub(super) struct ActiveBody {
    pub body: u32,
    /// Its balls among those of all active bodies: first, and one after the last. None of a body with a hull that walls are
    /// too far from: what needs its balls after all makes them.
    pub balls: [u32; 2],
    /// The distance from its centre of mass to the surface is at least this, metres; 0 where balls are there.
    pub clearance: f64,
    /// What it does in the tick if nothing stops it.
    pub motion: Motion,
    /// How much farther than `path` a ball may move because the body turns, metres.
    pub turning: f64,
    /// Of a chunk.
    pub bounds: Option<Box<OrientedBounds>>,
}

/// How a body moves in a tick if nothing stops it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    /// Displacement of its centre of mass, metres.
    pub path: DVec3,
    /// Rotation vector, radians.
    pub turn: DVec3,
}

impl Motion {
    /// Displacement of a point of the body, by its place from the centre of mass, metres.
    pub fn of_point(&self, arm: DVec3) -> DVec3 {
        self.path + self.turn.cross(arm)
    }
}

impl ActiveBody {
    /// Its balls, of all.
    pub fn balls<'a>(&self, balls: &'a [MovingBall]) -> &'a [MovingBall] {
        &balls[self.balls[0] as usize..self.balls[1] as usize]
    }
}

/// In the place of an active index: the body does not move in this tick.
pub(super) const INACTIVE: u32 = u32::MAX;

/// Adds the balls of a body, whose centre of mass is at least `clearance` metres from the surface.
pub(super) fn add_balls(
    balls: &mut impl Extend<MovingBall>,
    body: &Body,
    bounds: Option<&OrientedBounds>,
    motion: Motion,
    clearance: f64,
) {
    let (Some(chunk), Some(bounds)) = (&body.chunk, bounds) else {
        balls.extend([MovingBall {
            ball: Ball {
                centre: body.position,
                radius: body.radius,
            },
            offset: None,
            path: motion.path,
            clearance,
        }]);
        return;
    };
    balls.extend(chunk.balls.iter().map(|ball| {
        let offset = bounds.axes * ball.centre;
        MovingBall {
            ball: Ball {
                centre: body.position + offset,
                radius: ball.radius,
            },
            offset: Some(offset),
            path: motion.of_point(offset),
            clearance: clearance - offset.length(),
        }
    }));
}
