//! Does a sphere overlap a box?
//!
//! The squared distance from the centre to the box, summed axis by axis, against radius². Arvo, Graphics Gems (1990).
//!
//! Conventions. A centre inside overlaps. Touching counts. A sphere of radius 0 is its centre.
use crate::geom::Aabb;
use glam::DVec3;

/// Whether the closed sphere and the closed box share a point.
pub fn overlap_sphere_aabb(centre: DVec3, radius: f64, bounds: &Aabb) -> bool {
    let outside = (bounds.min - centre)
        .max(centre - bounds.max)
        .max(DVec3::ZERO);
    outside.length_squared() <= radius * radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_edge_corner_inside() {
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::ONE,
        };
        let at =
            |x: f64, y: f64, z: f64, r: f64| overlap_sphere_aabb(DVec3::new(x, y, z), r, &bounds);
        assert!(at(2.0, 0.5, 0.5, 1.0) && !at(2.01, 0.5, 0.5, 1.0));
        assert!(at(4.0, 5.0, 0.5, 5.0) && !at(4.0, 5.1, 0.5, 5.0));
        assert!(at(3.0, 3.0, 2.0, 3.0) && !at(3.0, 3.0, 2.0, 2.99));
        assert!(at(0.5, 0.5, 0.5, 0.0));
    }
}
