//! Whether a chunk that hits something breaks: the stress of a beam that is stopped at its ends, or in its middle.
use super::chunk::Chunk;
use crate::geom::Aabb;
use glam::DVec3;

/// Least length of a beam, of its depth.
const SLENDER: f64 = 1.5;

/// Where a chunk bends most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bending {
    /// The axis of the home frame along which it is a beam: 0 is x. It breaks across that.
    pub axis: usize,
    /// Tensile stress in the middle of the beam, Pa.
    pub stress: f64,
}

/// The greatest bending of a chunk with the box `bounds` in its home frame, metres, that slows down by `deceleration`, m/s² in
/// the same frame, with `density` in kg/m³.
///
/// A beam of length L and depth h carries its own inertia, w = ρ a b h for each metre. On two supports at its ends, or one in
/// its middle, the moment is w L² / 8, and the stress at its side 6 M / (b h²) = 3/4 ρ a L² / h. A chunk counts as full
/// box: hollow ones have less mass and less section, by about the same factor. What is hardly longer than deep is no beam,
/// and does not bend.
pub fn bending(bounds: &Aabb, deceleration: DVec3, density: f64) -> Option<Bending> {
    let size = bounds.max - bounds.min;
    let mut most: Option<Bending> = None;
    for axis in 0..3 {
        for depth in (0..3).filter(|&depth| SLENDER * size[depth] <= size[axis] && depth != axis) {
            let slow = deceleration[depth].abs();
            let stress = 0.75 * density * slow * size[axis] * size[axis] / size[depth];
            let is_more = most.is_none_or(|most| most.stress < stress);
            if stress.is_finite() && is_more {
                most = Some(Bending { axis, stress });
            }
        }
    }
    most
}

/// The box of a chunk's faces in its home frame, metres.
pub fn home_bounds(chunk: &Chunk) -> Option<Aabb> {
    Aabb::from_points(chunk.mesh.positions.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stress_is_that_of_a_beam_under_its_own_inertia() {
        // From a handbook: 10 kN/m on 4 m gives 20 kNm; a section of 0.3 x 0.5 m has a modulus of 0.0125 m³, so 1.6 MPa.
        let beam = Aabb {
            min: DVec3::ZERO,
            max: DVec3::new(0.3, 0.5, 4.0),
        };
        let density = 2000.0;
        let slow = 10_000.0 / (0.3 * 0.5 * density);
        for sign in [-1.0, 1.0] {
            let bending = bending(&beam, DVec3::Y * slow * sign, density).expect("a stress");
            assert_eq!(bending.axis, 2);
            assert!((bending.stress - 1.6e6).abs() < 1.0, "{bending:?}");
        }
        // Stopped at its end it does not bend.
        assert_eq!(
            bending(&beam, DVec3::Z * slow, density).map(|b| b.stress),
            Some(0.0)
        );
        let cube = Aabb::from_centre(DVec3::ZERO, DVec3::splat(2.0));
        assert_eq!(bending(&cube, DVec3::Y * slow, density), None);
        let flat = Aabb::from_centre(DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0));
        assert_eq!(bending(&flat, DVec3::ZERO, density), None);
    }
}
