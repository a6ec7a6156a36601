//! The bodies that move in a tick, and their balls.
use super::ball::Ball;
use super::body::Body;
use super::oriented_bounds::OrientedBounds;
use glam::DVec3;

/// A ball of a body in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBall {
    /// Index among the balls of its body.
    pub index: u16,
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
    /// Its balls among those of all active bodies: first, and one after the last.
    pub balls: [u32; 2],
    /// Displacement of its centre in the tick if nothing stopped it, metres.
    pub path: DVec3,
    /// How much farther than `path` a ball may move because the body turns, metres.
    pub turning: f64,
    /// Of a chunk.
    pub bounds: Option<Box<OrientedBounds>>,
}

impl ActiveBody {
    /// Its balls, of all.
    pub fn balls<'a>(&self, balls: &'a [MovingBall]) -> &'a [MovingBall] {
        &balls[self.balls[0] as usize..self.balls[1] as usize]
    }
}

/// In the place of an active index: the body does not move in this tick.
pub(super) const INACTIVE: u32 = u32::MAX;

/// Adds the balls of a body. `path` and `turn` are its displacement and its rotation vector in the tick.
pub(super) fn add_balls(
    balls: &mut impl Extend<MovingBall>,
    body: &Body,
    bounds: Option<&OrientedBounds>,
    (path, turn): (DVec3, DVec3),
) {
    let (Some(chunk), Some(bounds)) = (&body.chunk, bounds) else {
        balls.extend([MovingBall {
            index: 0,
            ball: Ball {
                centre: body.position,
                radius: body.radius,
            },
            offset: None,
            path,
            clearance: 0.0,
        }]);
        return;
    };
    balls.extend((0u16..).zip(&chunk.balls).map(|(index, ball)| {
        let offset = bounds.axes * ball.centre;
        MovingBall {
            index,
            ball: Ball {
                centre: body.position + offset,
                radius: ball.radius,
            },
            offset: Some(offset),
            path: path + turn.cross(offset),
            clearance: 0.0,
        }
    }));
}
