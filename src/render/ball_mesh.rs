//! The mesh of a ball, drawn for each projectile.
use glam::Vec3;

/// Vertices and indices of an icosphere: 42 vertices and 80 triangles after one subdivision. Shared vertices are
/// transformed only once. `coarse` is the icosahedron: 12 vertices and 20 triangles.
pub(super) fn ball(coarse: bool) -> (Vec<[f32; 4]>, Vec<u16>) {
    let t = (1.0 + 5f32.sqrt()) / 2.0;
    #[rustfmt::skip]
    let mut points: Vec<Vec3> = [
        [-1.0, t, 0.0], [1.0, t, 0.0], [-1.0, -t, 0.0], [1.0, -t, 0.0], [0.0, -1.0, t], [0.0, 1.0, t],
        [0.0, -1.0, -t], [0.0, 1.0, -t], [t, 0.0, -1.0], [t, 0.0, 1.0], [-t, 0.0, -1.0], [-t, 0.0, 1.0],
    ].map(|p| Vec3::from(p).normalize()).to_vec();
    #[rustfmt::skip]
    const FACES: [[usize; 3]; 20] = [
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6],
        [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10],
        [8, 6, 7], [9, 8, 1],
    ];
    let mut corners = Vec::with_capacity(240);
    for [a, b, c] in FACES {
        if coarse {
            corners.extend([a, b, c].map(|index| index as u16));
            continue;
        }
        let mut middle = |i: usize, j: usize| {
            let p = ((points[i] + points[j]) * 0.5).normalize();
            points
                .iter()
                .position(|q| q.distance_squared(p) < 1e-8)
                .unwrap_or_else(|| {
                    points.push(p);
                    points.len() - 1
                })
        };
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        corners.extend([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca].map(|index| index as u16));
    }
    let points = points.iter().map(|point| point.extend(0.0).to_array());
    (points.collect(), corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ball_is_closed_and_faces_outwards() {
        for (coarse, size) in [(false, (42, 240)), (true, (12, 60))] {
            let (points, corners) = ball(coarse);
            assert_eq!((points.len(), corners.len()), size);
            is_closed(&points, &corners);
        }
    }

    fn is_closed(points: &[[f32; 4]], corners: &[u16]) {
        let at = |i: usize| Vec3::from_slice(&points[corners[i] as usize]);
        let mut edges = Vec::new();
        for i in (0..corners.len()).step_by(3) {
            let normal = (at(i + 1) - at(i)).cross(at(i + 2) - at(i));
            assert!(normal.dot(at(i)) > 0.0);
            for (j, k) in [(0, 1), (1, 2), (2, 0)] {
                edges.push((corners[i + j], corners[i + k]));
            }
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))));
    }
}
