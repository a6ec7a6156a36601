//! The solid angle of a triangle.
use glam::DVec3;

/// The signed solid angle of a triangle seen from the origin, steradians; positive from behind its front (van Oosterom and
/// Strackee, "The Solid Angle of a Plane Triangle", 1983): tan(Ω/2) = a·(b×c) / (|a||b||c| + (a·b)|c| + (b·c)|a| +
/// (c·a)|b|).
///
/// ```
/// use breach_core::geom::solid_angle;
/// use glam::DVec3;
/// // The triangle fills an octant of the sphere around the origin.
/// let octant = solid_angle([DVec3::X, DVec3::Y, DVec3::Z]);
/// assert!((octant - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
/// assert_eq!(solid_angle([DVec3::Y, DVec3::X, DVec3::Z]), -octant);
/// ```
pub fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (x, y, z) = (a.length(), b.length(), c.length());
    let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
    2.0 * libm::atan2(a.dot(b.cross(c)), below)
}
