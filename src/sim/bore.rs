//! A drill's bore: its brushes, and its overlap with bodies.
use crate::carve::MaterialId;
use crate::carve::shape::{self, Placement, Shape, ShapeError};
use crate::collide::closest_point_segment;
use crate::debris::{Ball, Body, Chunk, Frame};
use crate::geom::Segment;
use crate::world::BrushDesc;
use glam::DVec3;

/// A straight round hole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bore {
    /// Start, metres.
    pub from: DVec3,
    /// Unit.
    pub dir: DVec3,
    /// Metres.
    pub radius: f64,
    /// Metres.
    pub depth: f64,
}

/// Greatest length of one of the cylinders that make up a bore, metres.
const CYLINDER_LENGTH: f64 = 2.0;

impl Bore {
    /// End, metres.
    pub(super) fn to(&self) -> DVec3 {
        self.from + self.dir * self.depth
    }

    /// A row of cylinders that overlap a little, so that no sliver is left between them.
    pub(super) fn brushes(&self, material: MaterialId) -> Result<Vec<BrushDesc>, ShapeError> {
        let pieces = (self.depth / CYLINDER_LENGTH).ceil().clamp(1.0, 64.0);
        let depth = (self.depth / pieces).max(shape::SIZE_M[0]);
        let axes = shape::axes(self.dir, [0.0; 3])?;
        let piece = |i: u32| {
            let placement = Placement {
                at: self.from + self.dir * (depth * f64::from(i)),
                axes,
                size: self.radius * 2.0,
                depth,
            };
            shape::brush(Shape::Cylinder, &placement, material)
        };
        (0..pieces as u32).map(piece).collect()
    }

    /// The same in the frame of a chunk's faces.
    pub(super) fn in_chunk_frame(&self, body: &Body, chunk: &Chunk) -> Bore {
        self.mapped(|p| chunk.home_from_world(body.pose(), p))
    }

    /// The same in the home frame of a mover.
    pub(super) fn in_frame(&self, frame: &Frame) -> Bore {
        self.mapped(|p| frame.to_home(p))
    }

    fn mapped(&self, home: impl Fn(DVec3) -> DVec3) -> Bore {
        Bore {
            from: home(self.from),
            dir: home(self.from + self.dir) - home(self.from),
            ..*self
        }
    }

    /// Whether it touches a ball.
    pub(super) fn reaches(&self, ball: Ball) -> bool {
        let axis = Segment {
            from: self.from,
            to: self.to(),
        };
        let (nearest, _) = closest_point_segment(ball.centre, &axis);
        nearest.distance(ball.centre) < ball.radius + self.radius
    }
}
