//! How far apart are two convex polygons of the plane?
//!
//! Along the outward normal of a side, the support point of the other polygon is at `min (corner - p) · normal`; the
//! maximum over all sides of both polygons is the separation, and a positive one makes that side a separating axis.
//! Lander, Crashing into the New Year (2000), caches the side and tests it first: mostly it still separates, and no
//! other side is tested.
//!
//! Conventions. Corners counter-clockwise. Negative: they overlap by at least this much along every side's normal.
//! Touching is 0. Between two corners the distance is greater than the separation. Sides without length have no normal
//! and are skipped; a polygon of such sides only has no separation.
use glam::DVec2;

/// The side of greatest separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Metres along the normal; negative is overlap.
    pub distance: f64,
    /// From the polygon of the side to the other. Unit.
    pub normal: DVec2,
    /// Index of the side's first corner, of `a`, then of `b`.
    pub side: usize,
}

/// The separating side of the last call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeparatingEdgeCache {
    /// As [`Separation::side`]; None if they overlapped.
    pub side: Option<usize>,
    /// Number of calls that the cached side decided.
    pub kept: u64,
}

/// The separation; with a cache, along any separating side instead of the best.
pub fn separation_convex_convex_2d(
    a: &[DVec2],
    b: &[DVec2],
    cache: Option<&mut SeparatingEdgeCache>,
) -> Option<Separation> {
    if let Some(cache) = cache {
        let still = cache.side.and_then(|side| along_side(a, b, side));
        if let Some(still) = still.filter(|s| s.distance > 0.0) {
            cache.kept += 1;
            return Some(still);
        }
        let best = best_side(a, b);
        cache.side = best.filter(|s| s.distance > 0.0).map(|s| s.side);
        return best;
    }
    best_side(a, b)
}

/// The side of greatest separation; the first of equals.
fn best_side(a: &[DVec2], b: &[DVec2]) -> Option<Separation> {
    let mut best: Option<Separation> = None;
    for side in 0..a.len() + b.len() {
        if let Some(new) = along_side(a, b, side)
            && best.is_none_or(|best| new.distance > best.distance)
        {
            best = Some(new);
        }
    }
    best
}

/// The separation along one side; None if it has no length, does not exist, or the other polygon is empty.
fn along_side(a: &[DVec2], b: &[DVec2], side: usize) -> Option<Separation> {
    let (own, other, i) = if side < a.len() {
        (a, b, side)
    } else {
        (b, a, side - a.len())
    };
    let (p, q) = (*own.get(i)?, own[(i + 1) % own.len()]);
    let along = q - p;
    let normal = DVec2::new(along.y, -along.x).try_normalize()?;
    let nearest = other.iter().map(|corner| (*corner - p).dot(normal));
    let distance = nearest.min_by(f64::total_cmp)?;
    Some(Separation {
        distance,
        normal,
        side,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    fn square_at(x: f64, y: f64) -> Vec<DVec2> {
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            .map(|c| DVec2::from(c) + DVec2::new(x, y))
            .to_vec()
    }

    fn regular(n: usize, radius: f64, centre: DVec2, turn: f64) -> Vec<DVec2> {
        let corner = |i: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / n as f64 + turn);
            centre + DVec2::new(cos, sin) * radius
        };
        (0..n).map(corner).collect()
    }

    #[test]
    fn squares_apart_touching_overlapping() {
        let at = |x: f64, y: f64| {
            separation_convex_convex_2d(&square_at(0.0, 0.0), &square_at(x, y), None).unwrap()
        };
        assert_eq!(
            (at(3.0, 0.0).distance, at(3.0, 0.0).normal),
            (2.0, DVec2::X)
        );
        assert_eq!((at(1.0, 0.5).distance, at(1.0, 0.5).side), (0.0, 1));
        assert_eq!(at(0.75, 0.0).distance, -0.25);
        assert_eq!(at(3.0, 2.5).distance, 2.0, "corner to corner it is more");
        let dot = [DVec2::ZERO; 3];
        assert_eq!(separation_convex_convex_2d(&dot, &dot, None), None);
        assert_eq!(separation_convex_convex_2d(&[], &[], None), None);
        let seen = separation_convex_convex_2d(&dot, &square_at(1.0, -0.5), None);
        assert_eq!(
            seen.map(|s| s.distance),
            Some(1.0),
            "a point is parted by the other's sides"
        );
    }

    #[test]
    fn the_sign_agrees_with_corners_and_crossing_sides() {
        use crate::collide::point_in_polygon_convex;
        let mut rng = Rng::new(1);
        let (mut apart, mut together) = (0, 0);
        for _ in 0..3000 {
            let mut some = |at: DVec2| {
                regular(
                    3 + rng.below(5) as usize,
                    rng.range(0.3, 1.5),
                    at,
                    rng.range(0.0, 6.0),
                )
            };
            let shift = DVec2::new(2.0, 0.3) * some(DVec2::ZERO)[0].x.abs();
            let (a, b) = (some(DVec2::ZERO), some(shift));
            let corner_in = a.iter().any(|&p| point_in_polygon_convex(&b, p))
                || b.iter().any(|&p| point_in_polygon_convex(&a, p));
            let crossing = (0..a.len()).any(|i| {
                let (p, q) = (a[i], a[(i + 1) % a.len()]);
                (0..b.len()).any(|j| {
                    let (r, s) = (b[j], b[(j + 1) % b.len()]);
                    let side = |p: DVec2, q: DVec2, x: DVec2| (q - p).perp_dot(x - p) > 0.0;
                    side(p, q, r) != side(p, q, s) && side(r, s, p) != side(r, s, q)
                })
            });
            let found = separation_convex_convex_2d(&a, &b, None).unwrap().distance;
            if found.abs() > 1e-9 {
                assert_eq!(found < 0.0, corner_in || crossing, "{a:?} {b:?}");
                if found < 0.0 {
                    together += 1
                } else {
                    apart += 1
                }
            }
        }
        assert!(apart > 300 && together > 300, "{apart} {together}");
    }

    #[test]
    fn the_cached_side_says_the_same_and_is_mostly_enough() {
        let a = regular(7, 1.0, DVec2::ZERO, 0.1);
        let mut cache = SeparatingEdgeCache::default();
        for i in 0..200 {
            let way = f64::from(i) * 0.01;
            let b = regular(5, 0.7, DVec2::new(3.0 - way, 0.4), 0.3 + way);
            let plain = separation_convex_convex_2d(&a, &b, None).unwrap();
            let cached = separation_convex_convex_2d(&a, &b, Some(&mut cache)).unwrap();
            assert_eq!(plain.distance > 0.0, cached.distance > 0.0);
            assert!(cached.distance <= plain.distance);
            assert_eq!(cache.side.is_some(), plain.distance > 0.0);
        }
        assert!(cache.kept > 100, "{cache:?}");
    }
}
