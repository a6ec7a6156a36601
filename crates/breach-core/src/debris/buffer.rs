//! The gap that a moving body keeps before a surface.
use glam::DVec3;

/// The fraction of a path at which `buffer` metres are left to the contact plane. A sweep along `path` hits the plane with
/// this `normal` at `fraction`. Never below zero.
pub fn buffered(fraction: f64, path: DVec3, normal: DVec3, buffer: f64) -> f64 {
    let approach = -path.dot(normal);
    if approach <= 0.0 {
        return 0.0;
    }
    (fraction - buffer / approach).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_is_measured_from_the_contact_plane() {
        let path = DVec3::new(3.0, -4.0, 0.0);
        let fraction = buffered(0.5, path, DVec3::Y, 0.2);
        // At 0.5 the plane is touched; 0.2 above it the path is 0.05 earlier.
        assert!((fraction - 0.45).abs() < 1e-12);
        assert_eq!(buffered(0.01, path, DVec3::Y, 0.2), 0.0);
        assert_eq!(buffered(0.5, path, DVec3::NEG_Y, 0.2), 0.0);
    }
}
