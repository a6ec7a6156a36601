//! The convex hull of a few points, by trying every plane through three of them: slow, and made only once.
use glam::Vec3;

/// Points this near to a plane lie in it.
const IN_PLANE: f32 = 1e-4;

/// Triangles of the hull, counter-clockwise from outside. Points within the hull are in none.
pub(super) fn convex_hull(points: &[Vec3]) -> Vec<[usize; 3]> {
    let count = points.len();
    let mut normals: Vec<Vec3> = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let cross = (points[j] - points[i]).cross(points[k] - points[i]);
                let Some(normal) = cross.try_normalize() else {
                    continue;
                };
                let heights = || points.iter().map(|&p| normal.dot(p - points[i]));
                let outwards = if heights().all(|height| height < IN_PLANE) {
                    normal
                } else if heights().all(|height| height > -IN_PLANE) {
                    -normal
                } else {
                    continue;
                };
                // Each face is found by every three of its corners.
                if normals.iter().any(|n| n.dot(outwards) > 1.0 - 1e-6) {
                    continue;
                }
                normals.push(outwards);
                let numbered = heights().enumerate();
                let within = numbered.filter(|(_, height)| height.abs() < IN_PLANE);
                triangles.extend(fan(points, within.map(|(n, _)| n).collect(), outwards));
            }
        }
    }
    triangles
}

/// Triangles of a convex polygon with these corners, in any order.
fn fan(points: &[Vec3], mut corners: Vec<usize>, normal: Vec3) -> Vec<[usize; 3]> {
    let middle = corners.iter().map(|&i| points[i]).sum::<Vec3>() / corners.len() as f32;
    let (u, v) = normal.any_orthonormal_pair();
    let (u, v) = if u.cross(v).dot(normal) > 0.0 {
        (u, v)
    } else {
        (v, u)
    };
    let angle = |i: usize| {
        let arm = points[i] - middle;
        libm::atan2f(arm.dot(v), arm.dot(u))
    };
    corners.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
    let pairs = corners[1..].windows(2);
    pairs.map(|pair| [corners[0], pair[0], pair[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_cube_has_two_triangles_a_side_and_leaves_out_its_middle() {
        let corner = |i: u32| {
            let side = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            Vec3::new(side(0), side(1), side(2))
        };
        let points: Vec<Vec3> = (0..8).map(corner).chain([Vec3::ZERO]).collect();
        let triangles = convex_hull(&points);
        assert_eq!(triangles.len(), 12);
        let volume: f32 = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| points[i]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!((volume - 8.0).abs() < 1e-5, "{volume}");
        assert!(triangles.iter().flatten().all(|&i| i < 8));
    }
}
