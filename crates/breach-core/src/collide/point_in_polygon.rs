//! Is a point inside a polygon of the plane? Four methods, one convention.
//!
//! - `_convex`: on the same side of every side, by `(q - p) × (point - p)`.
//! - `_angles`: the angles that the sides subtend at the point sum up to a full turn.
//! - `_quadrants`: the same in quarter turns: counts the quadrants of the corners as seen from the point; a step over
//!   two quadrants is decided by the side of the edge. Weiler, Graphics Gems IV (1994).
//! - `_crossings`: number of sides that the half line along +x crosses. A side includes its lower end and excludes its
//!   upper end (half open), so that a corner on the half line counts once. Haines, Graphics Gems IV (1994).
//!
//! Conventions. The boundary belongs to the polygon for all four; it is tested first, by the sign of the same cross
//! product. Either winding. For a polygon that winds around the point more than once or crosses itself, inside means
//! that the winding number is not 0; for `_crossings`, that it is odd. Fewer than three corners: only the boundary.
use glam::DVec2;

/// Each side as (from, to).
fn sides(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(p, q)| (*p, *q))
}

/// Positive where `point` is left of the line from `p` to `q`.
fn side(p: DVec2, q: DVec2, point: DVec2) -> f64 {
    (q - p).perp_dot(point - p)
}

fn is_on_boundary(corners: &[DVec2], point: DVec2) -> bool {
    sides(corners).any(|(p, q)| {
        let is_between = p.min(q).cmple(point).all() && point.cmple(p.max(q)).all();
        is_between && side(p, q, point) == 0.0
    })
}

/// For a convex polygon.
pub fn point_in_polygon_convex(corners: &[DVec2], point: DVec2) -> bool {
    if is_on_boundary(corners, point) {
        return true;
    }
    let count = |is: fn(f64) -> bool| {
        sides(corners)
            .filter(|&(p, q)| is(side(p, q, point)))
            .count()
    };
    // A side without length separates nothing, nor does NaN.
    let [left, flat, right] = [|s: f64| s > 0.0, |s| s == 0.0, |s| s < 0.0].map(count);
    let all = corners.len();
    all > 2 && flat < all && (left + flat == all || right + flat == all)
}

/// By the sum of angles, the slow method.
pub fn point_in_polygon_angles(corners: &[DVec2], point: DVec2) -> bool {
    if is_on_boundary(corners, point) {
        return true;
    }
    let angle = |(p, q): (DVec2, DVec2)| {
        let (p, q) = (p - point, q - point);
        libm::atan2(p.perp_dot(q), p.dot(q))
    };
    let sum: f64 = sides(corners).map(angle).sum();
    sum.abs() > std::f64::consts::PI
}

/// By quarter turns.
pub fn point_in_polygon_quadrants(corners: &[DVec2], point: DVec2) -> bool {
    if is_on_boundary(corners, point) {
        return true;
    }
    // Counter-clockwise and half open, so that a corner straight beside the point is in exactly one quadrant.
    let quadrant = |p: DVec2| match (p.x > point.x, p.y > point.y) {
        (true, true) => 0,
        (false, true) => 1,
        (false, false) => 2,
        (true, false) => 3i32,
    };
    let turns = |(p, q): (DVec2, DVec2)| match (quadrant(q) - quadrant(p)).rem_euclid(4) {
        0 => 0,
        1 => 1,
        3 => -1,
        _ if side(p, q, point) > 0.0 => 2,
        _ => -2,
    };
    let sum: i32 = sides(corners).map(turns).sum();
    sum != 0
}

/// By crossings.
pub fn point_in_polygon_crossings(corners: &[DVec2], point: DVec2) -> bool {
    if is_on_boundary(corners, point) {
        return true;
    }
    let crosses = |&(p, q): &(DVec2, DVec2)| {
        let (low, high) = if p.y <= q.y { (p, q) } else { (q, p) };
        let is_level = low.y <= point.y && point.y < high.y;
        is_level && side(low, high, point) > 0.0
    };
    sides(corners).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    type Ask = fn(&[DVec2], DVec2) -> bool;
    const ANY: [Ask; 3] = [
        point_in_polygon_angles,
        point_in_polygon_quadrants,
        point_in_polygon_crossings,
    ];

    fn polygon<const N: usize>(corners: [[f64; 2]; N]) -> Vec<DVec2> {
        corners.map(DVec2::from).to_vec()
    }

    /// All methods, all first corners, both windings.
    fn check(corners: &[DVec2], point: [f64; 2], expected: bool, is_convex: bool) {
        let mut corners = corners.to_vec();
        for _ in 0..2 {
            for _ in 0..corners.len() {
                corners.rotate_left(1);
                for ask in ANY {
                    assert_eq!(
                        ask(&corners, point.into()),
                        expected,
                        "{corners:?} {point:?}"
                    );
                }
                if is_convex {
                    let answer = point_in_polygon_convex(&corners, point.into());
                    assert_eq!(answer, expected, "convex {corners:?} {point:?}");
                }
            }
            corners.reverse();
        }
    }

    #[test]
    fn a_square_and_its_boundary() {
        let square = polygon([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]);
        for inside in [[1.0, 1.0], [0.0, 0.0], [4.0, 2.0], [2.0, 4.0], [2.0, 0.0]] {
            check(&square, inside, true, true);
        }
        for outside in [
            [5.0, 4.0],
            [-1.0, 0.0],
            [2.0, -1e-9],
            [4.0, 4.1],
            [-1.0, 2.0],
        ] {
            check(&square, outside, false, true);
        }
    }

    #[test]
    fn corners_and_level_sides_on_the_half_line_count_once() {
        // A star with corners and a horizontal side at the height of the query points.
        let comb = polygon([
            [0.0, 0.0],
            [8.0, 0.0],
            [8.0, 2.0],
            [6.0, 2.0],
            [5.0, 1.0],
            [4.0, 2.0],
            [3.0, 1.0],
            [2.0, 3.0],
            [1.0, 1.0],
            [0.0, 2.0],
        ]);
        check(&comb, [0.5, 1.0], true, false);
        check(&comb, [2.0, 1.0], true, false);
        check(&comb, [-1.0, 1.0], false, false);
        check(&comb, [-1.0, 2.0], false, false);
        check(&comb, [3.0, 2.0], false, false);
        check(&comb, [7.0, 2.0], true, false);
        check(&comb, [5.0, 1.5], false, false);
    }

    #[test]
    fn too_few_corners_and_no_area() {
        for ask in ANY.into_iter().chain([point_in_polygon_convex as Ask]) {
            assert!(!ask(&[], DVec2::ZERO));
            assert!(ask(&[DVec2::X], DVec2::X));
            assert!(!ask(&[DVec2::X, DVec2::Y], DVec2::ZERO));
            assert!(!ask(
                &polygon([[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]]),
                DVec2::NAN
            ));
            let line = polygon([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0]]);
            assert!(ask(&line, DVec2::new(1.5, 0.0)));
            assert!(!ask(&line, DVec2::new(3.0, 0.0)) && !ask(&line, DVec2::new(1.0, 1.0)));
        }
    }

    #[test]
    fn all_ways_agree_on_a_grid() {
        let mut rng = Rng::new(2);
        let mut inside = 0;
        for _ in 0..3000 {
            // A star around the origin with integer corners, so that corners and boundaries are hit.
            let n = 3 + rng.below(6) as usize;
            let corners: Vec<DVec2> = (0..n)
                .map(|i| {
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / n as f64);
                    (DVec2::new(cos, sin) * rng.range(1.0, 6.0)).round()
                })
                .collect();
            let point = DVec2::new(rng.range(-6.0, 6.0), rng.range(-6.0, 6.0)).round();
            let answers = ANY.map(|ask| ask(&corners, point));
            // Rounding may fold a star over itself, where an odd and a nonzero winding number differ.
            let area: f64 = sides(&corners).map(|(p, q)| p.perp_dot(q)).sum();
            let is_simple = sides(&corners).all(|(p, q)| p.perp_dot(q) > 0.0);
            if is_simple && area > 0.0 {
                assert!(
                    answers.iter().all(|a| *a == answers[0]),
                    "{corners:?} {point:?}"
                );
                inside += usize::from(answers[0]);
            }
        }
        assert!(inside > 300);
    }
}
