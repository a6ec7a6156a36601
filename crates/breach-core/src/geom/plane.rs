//! An oriented plane in f64 (the exact planes of the carver are in [`crate::exact`]).
use glam::DVec3;

/// The points p with `normal · p == offset`; the side the normal points to is the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit, unless stated otherwise.
    pub normal: DVec3,
    /// Distance of the plane from the origin along the normal, metres.
    pub offset: f64,
}

impl Plane {
    /// Through `point`.
    pub fn from_point(normal: DVec3, point: DVec3) -> Self {
        Self {
            normal,
            offset: normal.dot(point),
        }
    }
    /// Through three points, counter-clockwise seen from the front; None when they lie on a line.
    pub fn from_triangle(a: DVec3, b: DVec3, c: DVec3) -> Option<Self> {
        let normal = super::unit_or_zero((b - a).cross(c - a));
        (normal != DVec3::ZERO).then(|| Self::from_point(normal, a))
    }
    /// Signed distance, metres; positive in front.
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
    /// Projects a point onto the plane.
    pub fn project(&self, point: DVec3) -> DVec3 {
        point - self.normal * self.distance(point)
    }
    /// The same plane with front and back swapped.
    pub fn flipped(&self) -> Self {
        Self {
            normal: -self.normal,
            offset: -self.offset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counter_clockwise_faces_the_viewer() {
        let plane = Plane::from_triangle(
            DVec3::Y,
            DVec3::new(0.0, 1.0, 1.0),
            DVec3::new(1.0, 1.0, 0.0),
        )
        .unwrap();
        assert_eq!(plane.normal, DVec3::Y);
        assert_eq!(plane.distance(DVec3::new(5.0, 3.0, 5.0)), 2.0);
        assert_eq!(plane.flipped().distance(DVec3::ZERO), 1.0);
        assert_eq!(
            plane.project(DVec3::new(5.0, 3.0, 5.0)),
            DVec3::new(5.0, 1.0, 5.0)
        );
        assert!(Plane::from_triangle(DVec3::X, DVec3::X, DVec3::Y).is_none());
    }
}
