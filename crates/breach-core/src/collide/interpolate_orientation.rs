//! What is the orientation of a body between two orientations, such as at the time of contact?
//!
//! Along the shorter arc at constant speed: `q(f) = (sin((1-f) a) p + sin(f a) q) / sin a`, with `cos a = p · q`.
//! Shoemake, Animating Rotation with Quaternion Curves (1985); Gomez, "Simple Intersection Tests for Games" (1999),
//! asks for it at the fraction that his sweeps give.
//!
//! Conventions. A fraction outside 0..=1 is clamped. `q` and `-q` are the same rotation and give the same answer.
//! Nearly equal orientations: the chord instead of the arc, as `sin a` is rounding error there. Half a turn apart: one
//! of the shortest arcs. An input that is no rotation (zero, not finite) is replaced by the first, or by the identity.
use crate::geom::tolerance::FLAT_EDGE;
use glam::DQuat;

/// The orientation at `fraction` of the way; unit.
pub fn interpolate_orientation(from: DQuat, to: DQuat, fraction: f64) -> DQuat {
    let unit = |q: DQuat| {
        let length = q.length();
        (length > 0.0 && length.is_finite()).then(|| q / length)
    };
    let Some(from) = unit(from) else {
        return DQuat::IDENTITY;
    };
    let Some(to) = unit(to) else { return from };
    let f = if fraction > 0.0 {
        fraction.min(1.0)
    } else {
        0.0
    };
    let cos = from.dot(to);
    let (to, cos) = if cos < 0.0 { (-to, -cos) } else { (to, cos) };
    let angle = libm::acos(cos.min(1.0));
    let sin = libm::sin(angle);
    let mixed = if sin > FLAT_EDGE {
        (from * libm::sin((1.0 - f) * angle) + to * libm::sin(f * angle)) / sin
    } else {
        from * (1.0 - f) + to * f
    };
    unit(mixed).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    fn about_y(angle: f64) -> DQuat {
        let (sin, cos) = libm::sincos(angle * 0.5);
        DQuat::from_xyzw(0.0, sin, 0.0, cos)
    }

    fn same(a: DQuat, b: DQuat) -> bool {
        a.dot(b).abs() > 1.0 - 1e-12
    }

    #[test]
    fn ends_middle_and_the_shorter_way_round() {
        let (from, to) = (about_y(0.2), about_y(1.4));
        for (f, expected) in [(0.0, 0.2), (0.5, 0.8), (0.25, 0.5), (1.0, 1.4), (7.0, 1.4)] {
            for to in [to, -to] {
                assert!(same(
                    interpolate_orientation(from, to, f),
                    about_y(expected)
                ));
            }
        }
        assert!(same(interpolate_orientation(from, to, -1.0), from));
        assert!(same(interpolate_orientation(from, to, f64::NAN), from));
        let almost = about_y(0.2 + 1e-12);
        assert!(same(interpolate_orientation(from, almost, 0.5), from));
        let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(interpolate_orientation(zero, to, 0.5), DQuat::IDENTITY);
        assert_eq!(interpolate_orientation(from, zero, 0.5), from);
        assert!(
            interpolate_orientation(from, DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), 0.5)
                .is_finite()
        );
    }

    /// Composes a thousand equal small rotations instead of one formula.
    #[test]
    fn agrees_with_many_small_steps_of_equal_angle() {
        let mut rng = Rng::new(8);
        for _ in 0..200 {
            let mut some =
                || DQuat::from_vec4(rng.unit_vector().extend(rng.range(-1.0, 1.0))).normalize();
            let (from, to) = (some(), some());
            let way = to * from.conjugate();
            let way = if way.w < 0.0 { -way } else { way };
            let axis = way.xyz().normalize_or(DVec3::X);
            let angle = 2.0 * libm::atan2(way.xyz().length(), way.w);
            let (sin, cos) = libm::sincos(angle * 0.0005);
            let step = DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
            let mut at = from;
            for i in 0..=1000 {
                if i % 100 == 0 {
                    let found = interpolate_orientation(from, to, f64::from(i) * 1e-3);
                    assert!(found.dot(at).abs() > 1.0 - 1e-11, "{i}");
                }
                at = (step * at).normalize();
            }
        }
    }
}
