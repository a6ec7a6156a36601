//! The oriented bounding box of a chunk's balls.
use super::ball::Ball;
use super::body::Body;
use crate::geom::Aabb;
use glam::{DMat3, DVec3};

/// A chunk's axes and its bounding boxes.
#[derive(Clone, Debug)]
pub(super) struct OrientedBounds {
    /// World from chunk.
    pub axes: DMat3,
    /// Centre of mass, metres.
    position: DVec3,
    /// The box in the chunk's frame.
    local: Aabb,
    /// The box around that one in the world.
    world: Aabb,
}

impl OrientedBounds {
    /// `None` for a crumb.
    pub fn from_body(body: &Body) -> Option<OrientedBounds> {
        let local = body.chunk.as_ref()?.bounds;
        let axes = DMat3::from_quat(body.rotation);
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::abs);
        let half = (local.max - local.min) * 0.5;
        let middle = body.position + axes * local.centre();
        Some(OrientedBounds {
            axes,
            position: body.position,
            local,
            world: Aabb::from_centre(middle, x * half.x + y * half.y + z * half.z),
        })
    }

    /// Whether a face of one of the two boxes separates them by more than `distance` metres.
    pub fn is_separated(&self, other: &OrientedBounds, distance: f64) -> bool {
        // The world boxes are the cheaper test.
        if !self.world.grow(distance).overlaps(&other.world) {
            return true;
        }
        let halves = [self, other].map(|bounds| (bounds.local.max - bounds.local.min) * 0.5);
        let between = other.world.centre() - self.world.centre();
        let turned = self.axes.transpose() * other.axes;
        let sizes = DMat3::from_cols(
            turned.x_axis.abs(),
            turned.y_axis.abs(),
            turned.z_axis.abs(),
        );
        let mine = halves[0] + sizes * halves[1] + distance;
        let theirs = halves[1] + sizes.transpose() * halves[0] + distance;
        (self.axes.transpose() * between).abs().cmpgt(mine).any()
            || (other.axes.transpose() * between).abs().cmpgt(theirs).any()
    }

    /// The axis of least penetration among the face normals of both boxes. Unit, towards this box.
    pub fn least_penetration_axis(&self, other: &OrientedBounds) -> DVec3 {
        let halves = [self, other].map(|bounds| bounds.local.half_size());
        let between = self.world.centre() - other.world.centre();
        let mut best = (f64::INFINITY, DVec3::Y);
        for axes in [&self.axes, &other.axes] {
            for axis in [axes.x_axis, axes.y_axis, axes.z_axis] {
                let extent = |bounds: &OrientedBounds, half: DVec3| {
                    (bounds.axes.transpose() * axis).abs().dot(half)
                };
                let apart = between.dot(axis);
                let overlap = extent(self, halves[0]) + extent(other, halves[1]) - apart.abs();
                if overlap < best.0 {
                    best = (overlap, axis * 1f64.copysign(apart));
                }
            }
        }
        best.1
    }

    /// Whether a ball is within `distance` metres of the box.
    #[inline(always)]
    pub fn is_within(&self, ball: &Ball, distance: f64) -> bool {
        let grown = Ball {
            centre: ball.centre,
            radius: ball.radius + distance,
        };
        // The world box is the cheaper test, and rejects most.
        if !overlaps_box_around(&self.world, &grown) {
            return false;
        }
        let p = self.axes.transpose() * (grown.centre - self.position);
        p.clamp(self.local.min, self.local.max).distance_squared(p) < grown.radius * grown.radius
    }
}

/// Whether a box overlaps the box around a ball.
#[inline(always)]
pub(super) fn overlaps_box_around(bounds: &Aabb, ball: &Ball) -> bool {
    let (low, high) = (ball.centre - ball.radius, ball.centre + ball.radius);
    !(high.cmplt(bounds.min) | low.cmpgt(bounds.max)).any()
}
