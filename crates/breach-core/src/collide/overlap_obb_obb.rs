//! Do two oriented boxes overlap?
//!
//! Separating axes: they are disjoint if and only if one of 3 + 3 + 9 axes separates them, the face normals of both and
//! the cross products of their edges: `|centres| > reach of a + reach of b` along it. Gottschalk, Lin and Manocha,
//! OBBTree (1996); Ericson, Real-Time Collision Detection, 4.4.1.
//!
//! Conventions. Touching counts. Two parallel edges give no axis: their cross product is rounding error. So the reaches
//! are grown by [`PARALLEL`] of the boxes' size, which can only turn a no into a yes; in that case a face normal
//! separates them if anything does.
use crate::geom::Obb;
use crate::geom::tolerance::PARALLEL;

/// Whether the closed boxes share a point.
pub fn overlap_obb_obb(a: &Obb, b: &Obb) -> bool {
    let centres = b.centre - a.centre;
    let size = a.half_size.max_element() + b.half_size.max_element();
    let parts = |axis: glam::DVec3, slack: f64| {
        let reach = |obb: &Obb| (obb.axes.transpose() * axis).abs().dot(obb.half_size);
        centres.dot(axis).abs() > reach(a) + reach(b) + slack
    };
    let (of_a, of_b) = (
        [a.axes.x_axis, a.axes.y_axis, a.axes.z_axis],
        [b.axes.x_axis, b.axes.y_axis, b.axes.z_axis],
    );
    let by_faces = of_a.iter().chain(&of_b).any(|&axis| parts(axis, 0.0));
    let mut edges = of_a.iter().flat_map(|&p| of_b.map(|q| p.cross(q)));
    !by_faces && !edges.any(|axis| parts(axis, PARALLEL * size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::{DMat3, DQuat, DVec3};

    fn random(rng: &mut Rng) -> Obb {
        let [x, y, z, w] = [0; 4].map(|_| rng.range(-1.0, 1.0));
        Obb {
            centre: rng.unit_vector() * rng.range(0.0, 2.0),
            half_size: DVec3::new(
                rng.range(0.1, 1.0),
                rng.range(0.1, 1.0),
                rng.range(0.1, 1.0),
            ),
            axes: DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize()),
        }
    }

    /// Distance by alternating projections between two closed convex sets (Cheney and Goldstein, 1959).
    fn distance(a: &Obb, b: &Obb) -> f64 {
        let onto = |obb: &Obb, p: DVec3| {
            let inner = obb.to_box(p).clamp(-obb.half_size, obb.half_size);
            obb.centre + obb.axes * inner
        };
        let mut p = a.centre;
        for _ in 0..4000 {
            p = onto(a, onto(b, p));
        }
        p.distance(onto(b, p))
    }

    #[test]
    fn faces_edges_and_corners_by_hand() {
        let cube = Obb {
            centre: DVec3::ZERO,
            half_size: DVec3::ONE,
            axes: DMat3::IDENTITY,
        };
        let at = |centre: DVec3, axes: DMat3| Obb {
            centre,
            axes,
            ..cube
        };
        let same = DMat3::IDENTITY;
        assert!(
            overlap_obb_obb(&cube, &at(DVec3::X * 2.0, same)),
            "touching"
        );
        assert!(!overlap_obb_obb(&cube, &at(DVec3::X * 2.001, same)));
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turned = DMat3::from_cols(
            DVec3::new(half, half, 0.0),
            DVec3::new(-half, half, 0.0),
            DVec3::Z,
        );
        let reach = 1.0 + 2f64.sqrt();
        assert!(overlap_obb_obb(
            &cube,
            &at(DVec3::X * (reach - 1e-9), turned)
        ));
        assert!(!overlap_obb_obb(
            &cube,
            &at(DVec3::X * (reach + 1e-9), turned)
        ));
        // Two crossed edges: one cube stands on its edge along z, the other lies on its edge along y.
        let other = DMat3::from_cols(
            DVec3::new(half, 0.0, half),
            DVec3::Y,
            DVec3::new(-half, 0.0, half),
        );
        let one = at(DVec3::ZERO, turned);
        let reach = 2.0 * 2f64.sqrt();
        assert!(overlap_obb_obb(&one, &at(DVec3::X * (reach - 1e-9), other)));
        assert!(!overlap_obb_obb(
            &one,
            &at(DVec3::X * (reach + 1e-9), other)
        ));
    }

    #[test]
    fn agrees_with_alternating_projections_both_ways() {
        let mut rng = Rng::new(9);
        let mut together = 0;
        for _ in 0..300 {
            let (a, b) = (random(&mut rng), random(&mut rng));
            let answer = overlap_obb_obb(&a, &b);
            assert_eq!(answer, overlap_obb_obb(&b, &a));
            let distance = distance(&a, &b);
            together += usize::from(answer);
            if answer {
                assert!(distance < 1e-2, "{a:?} {b:?} {distance}");
            } else {
                assert!(distance > 0.0, "{a:?} {b:?}");
            }
            if distance > 1e-2 {
                assert!(!answer, "{a:?} {b:?} {distance}");
            }
        }
        assert!(50 < together && together < 250, "{together}");
    }
}
