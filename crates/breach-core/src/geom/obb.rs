//! The oriented box.
use super::Aabb;
use glam::{DMat3, DVec3};

/// An oriented box, surface included. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// The centre.
    pub centre: DVec3,
    /// From the centre to each face along the box's own axes; not negative.
    pub half_size: DVec3,
    /// The box's axes as columns: a rotation.
    pub axes: DMat3,
}

impl Obb {
    /// The same box as an oriented one.
    pub fn from_aabb(bounds: &Aabb) -> Self {
        Self {
            centre: bounds.centre(),
            half_size: bounds.half_size(),
            axes: DMat3::IDENTITY,
        }
    }

    /// Transforms a point into the frame of the box, whose origin is the centre.
    pub fn to_box(&self, point: DVec3) -> DVec3 {
        self.axes.transpose() * (point - self.centre)
    }

    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: DVec3) -> bool {
        self.to_box(point).abs().cmple(self.half_size).all()
    }

    /// The eight corners; bit k of the index takes the greater side along axis k.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            let corner = DVec3::new(sign(1), sign(2), sign(4)) * self.half_size;
            self.centre + self.axes * corner
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_corners_are_in_it_and_nothing_beyond() {
        let axes = DMat3::from_quat(glam::DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5));
        let obb = Obb {
            centre: DVec3::X,
            half_size: DVec3::new(1.0, 2.0, 3.0),
            axes,
        };
        for corner in obb.corners() {
            assert!(obb.contains(corner));
            assert!(!obb.contains(obb.centre + (corner - obb.centre) * (1.0 + 1e-9)));
        }
        let plain = Aabb::from_corners(DVec3::ZERO, DVec3::ONE);
        assert_eq!(Obb::from_aabb(&plain).corners(), plain.corners());
    }
}
