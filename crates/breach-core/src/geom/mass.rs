//! Mass properties: volume, centre of mass and inertia of a solid from its surface triangles.
//!
//! Each triangle forms a tetrahedron with a point near the solid. The integrals of 1, x and x xᵀ over a tetrahedron are
//! polynomials of its corners, so their signed sums are exact up to rounding. The results agree with Mirtich, "Fast and
//! Accurate Computation of Polyhedral Mass Properties" (1996) and Eberly, "Polyhedral Mass Properties (Revisited)"
//! (2002); the covariance form is from Blow and Binstock, "How to find the inertia tensor of a 3D solid body" (2004).
use glam::{DMat3, DQuat, DVec3};

/// Mass properties of a solid of density 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Cubic metres; not positive if the triangles face inwards.
    pub volume: f64,
    /// Centre of mass, metres.
    pub centre: DVec3,
    /// Inertia tensor about the centre of mass, in world axes: kg m² for 1 kg/m³.
    pub inertia: DMat3,
}

/// Mass properties of a closed surface, counter-clockwise seen from outside. `near` is any point near it, for
/// precision.
pub fn mass_properties(near: DVec3, triangles: impl Iterator<Item = [DVec3; 3]>) -> MassProperties {
    let (mut six, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|p| p - near);
        let det = a.dot(b.cross(c));
        let sum = a + b + c;
        six += det;
        first += sum * det;
        // ∫ x xᵀ = det/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ), s = a + b + c, the fourth corner at 0.
        second += (outer(a) + outer(b) + outer(c) + outer(sum)) * det;
    }
    if six == 0.0 {
        return MassProperties {
            volume: 0.0,
            centre: near,
            inertia: DMat3::ZERO,
        };
    }
    let volume = six / 6.0;
    let centre = first / (4.0 * six);
    let covariance = second * (1.0 / 120.0) - outer(centre) * volume;
    let trace = covariance.x_axis.x + covariance.y_axis.y + covariance.z_axis.z;
    MassProperties {
        volume,
        centre: near + centre,
        inertia: DMat3::from_diagonal(DVec3::splat(trace)) - covariance,
    }
}

/// Principal axes, as a rotation to the world's axes, and the moments of inertia about them. Jacobi's method for
/// symmetric matrices, always on the largest off-diagonal element.
pub fn principal_axes(inertia: &DMat3) -> (DQuat, DVec3) {
    let (mut m, mut axes) = (*inertia, DMat3::IDENTITY);
    for _ in 0..30 {
        let mixed = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| (m.col(j)[i].abs(), i, j));
        let (most, i, j) = mixed
            .into_iter()
            .fold((0.0, 0, 1), |a, b| if b.0 > a.0 { b } else { a });
        let whole = m.x_axis.x.abs() + m.y_axis.y.abs() + m.z_axis.z.abs();
        if most.is_nan() || most <= whole * 1e-15 {
            break;
        }
        // tan 2φ = 2 m_ij / (m_jj - m_ii), by the smaller root of t² + 2θt - 1 = 0.
        let theta = (m.col(j)[j] - m.col(i)[i]) / (2.0 * m.col(j)[i]);
        let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let c = 1.0 / (t * t + 1.0).sqrt();
        let s = t * c;
        let mut turn = DMat3::IDENTITY;
        turn.col_mut(i)[i] = c;
        turn.col_mut(j)[j] = c;
        turn.col_mut(j)[i] = s;
        turn.col_mut(i)[j] = -s;
        m = turn.transpose() * m * turn;
        axes *= turn;
    }
    let moments = DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z);
    (DQuat::from_mat3(&axes).normalize(), moments)
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of the convex hull of a few points: of every three points those with all others behind.
    fn hull(points: &[DVec3]) -> Vec<[DVec3; 3]> {
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let mut faces = Vec::new();
        // A face with more than three corners becomes a fan around its first corner.
        let mut seen: Vec<DVec3> = Vec::new();
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                for k in j + 1..points.len() {
                    let n = (points[j] - points[i]).cross(points[k] - points[i]);
                    let n = n.normalize() * (points[i] - middle).dot(n).signum();
                    let height = |p: &DVec3| (*p - points[i]).dot(n);
                    if points.iter().any(|p| height(p) > 1e-9)
                        || seen.iter().any(|s| s.distance(n) < 1e-9)
                    {
                        continue;
                    }
                    seen.push(n);
                    let mut on: Vec<DVec3> = points
                        .iter()
                        .copied()
                        .filter(|p| height(p).abs() < 1e-9)
                        .collect();
                    let centre = on.iter().sum::<DVec3>() / on.len() as f64;
                    let u = (on[0] - centre).normalize();
                    let angle = |p: &DVec3| {
                        libm::atan2((*p - centre).dot(n.cross(u)), (*p - centre).dot(u))
                    };
                    on.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
                    faces.extend((1..on.len() - 1).map(|m| [on[0], on[m], on[m + 1]]));
                }
            }
        }
        faces
    }

    fn check(points: &[DVec3], volume: f64, centre: DVec3, inertia: DMat3) {
        for (shift, near) in [
            (DVec3::ZERO, DVec3::ZERO),
            (DVec3::new(100.0, -50.0, 7.0), DVec3::new(101.0, -49.0, 6.0)),
        ] {
            let moved: Vec<DVec3> = points.iter().map(|p| *p + shift).collect();
            let mass = mass_properties(near, hull(&moved).into_iter());
            assert!((mass.volume - volume).abs() < 1e-9 * volume, "{mass:?}");
            assert!((mass.centre - centre - shift).length() < 1e-9, "{mass:?}");
            assert!(mass.inertia.abs_diff_eq(inertia, 1e-9 * volume), "{mass:?}");
        }
    }

    #[test]
    fn a_box_has_the_moments_of_the_textbook() {
        let (a, b, c) = (2.0, 3.0, 5.0);
        let corners: Vec<DVec3> = (0..8)
            .map(|i| {
                DVec3::new(
                    a * f64::from(i & 1),
                    b * f64::from(i >> 1 & 1),
                    c * f64::from(i >> 2),
                )
            })
            .collect();
        let m = a * b * c;
        let diagonal = DVec3::new(b * b + c * c, a * a + c * c, a * a + b * b) * (m / 12.0);
        check(
            &corners,
            m,
            DVec3::new(a, b, c) * 0.5,
            DMat3::from_diagonal(diagonal),
        );
    }

    #[test]
    fn a_corner_tetrahedron_and_a_wedge_have_theirs() {
        // Corners 0, a, b, c on the axes: ∫x² = m a²/10, ∫xy = m ab/20, centre a/4.
        let (a, b, c) = (1.0, 2.0, 4.0);
        let m = a * b * c / 6.0;
        let size = DVec3::new(a, b, c);
        let moments = |square: f64, mixed: f64, centre: DVec3, m: f64| {
            let cov = |i: usize, j: usize| {
                let k = if i == j { square } else { mixed };
                m * (k * size[i] * size[j] - centre[i] * centre[j])
            };
            let i = |i: usize, j: usize| {
                let trace = cov(0, 0) + cov(1, 1) + cov(2, 2);
                if i == j {
                    trace - cov(i, i)
                } else {
                    -cov(i, j)
                }
            };
            DMat3::from_cols_array_2d(&[0, 1, 2].map(|r| [0, 1, 2].map(|s| i(r, s))))
        };
        let points = [DVec3::ZERO, DVec3::X * a, DVec3::Y * b, DVec3::Z * c];
        check(&points, m, size / 4.0, moments(0.1, 0.05, size / 4.0, m));
        // A wedge: the triangle 0, a, b swept along z by c.
        let wedge =
            [0.0, c].map(|z| [DVec3::ZERO, DVec3::X * a, DVec3::Y * b].map(|p| p + DVec3::Z * z));
        let m = a * b * c / 2.0;
        let centre = DVec3::new(a / 3.0, b / 3.0, c / 2.0);
        let (xx, yy, zz) = (m * a * a / 18.0, m * b * b / 18.0, m * c * c / 12.0);
        let xy = -m * a * b / 36.0;
        let inertia = DMat3::from_cols(
            DVec3::new(yy + zz, -xy, 0.0),
            DVec3::new(-xy, xx + zz, 0.0),
            DVec3::new(0.0, 0.0, xx + yy),
        );
        check(&wedge.concat(), m, centre, inertia);
    }

    #[test]
    fn a_hollow_box_is_the_difference_of_two() {
        let cube = |half: f64| {
            let corners: Vec<DVec3> = (0..8)
                .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
                .map(|p| (p - 0.5) * 2.0 * half)
                .collect();
            hull(&corners)
        };
        let inside = cube(1.0).into_iter().map(|[a, b, c]| [a, c, b]);
        let mass = mass_properties(DVec3::splat(3.0), cube(2.0).into_iter().chain(inside));
        assert!((mass.volume - 56.0).abs() < 1e-9);
        let moment = 64.0 * 16.0 / 6.0 - 8.0 * 4.0 / 6.0;
        assert!(
            mass.inertia
                .abs_diff_eq(DMat3::from_diagonal(DVec3::splat(moment)), 1e-9)
        );
    }

    #[test]
    fn principal_axes_give_the_matrix_back() {
        let q = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        for moments in [
            DVec3::new(1.0, 2.0, 2.5),
            DVec3::new(3.0, 3.0, 1.0),
            DVec3::splat(4.0),
            DVec3::new(1e-9, 1e-9, 2e-12),
        ] {
            let r = DMat3::from_quat(q);
            let inertia = r * DMat3::from_diagonal(moments) * r.transpose();
            let (axes, found) = principal_axes(&inertia);
            let r = DMat3::from_quat(axes);
            let back = r * DMat3::from_diagonal(found) * r.transpose();
            let scale = moments.max_element();
            assert!(back.abs_diff_eq(inertia, 1e-12 * scale), "{found}");
            let sorted = |v: DVec3| {
                let mut a = v.to_array();
                a.sort_by(f64::total_cmp);
                DVec3::from(a)
            };
            assert!((sorted(found) - sorted(moments)).length() < 1e-12 * scale);
        }
    }

    #[test]
    fn nothing_weighs_nothing() {
        let mass = mass_properties(DVec3::ONE, std::iter::empty());
        assert_eq!((mass.volume, mass.centre), (0.0, DVec3::ONE));
    }
}
