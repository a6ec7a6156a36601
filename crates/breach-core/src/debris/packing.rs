//! Packs balls into a closed surface.
//!
//! A ball touches the surface from inside at a sampled point and is as large as it can be there: a medial ball, found by
//! the shrinking-ball algorithm (Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the
//! normal field", 2012, here with the exact closest point of the triangles). The largest ball is taken first. Then, again
//! and again, a ball is taken that covers the sample farthest outside, until no sample is farther outside than
//! [`UNCOVERED`] of the size or there are [`MOST_BALLS`].
use super::ball::Ball;
use crate::collide::closest_point_triangle;
use crate::geom::{Aabb, unit_or_zero};
use glam::DVec3;

/// Most balls in a chunk.
pub const MOST_BALLS: usize = 64;
/// Largest distance of a surface sample outside the balls, as a part of the longest side. [`MOST_BALLS`] may prevent it;
/// [`Chunk::uncovered`](super::Chunk::uncovered) is the distance reached.
pub const UNCOVERED: f64 = 0.05;
/// Smallest ball, metres. A piece with no room for one is no chunk.
pub const SMALLEST_BALL: f64 = 0.01;
/// Most surface samples.
const SAMPLES: usize = 160;
/// About how many point-triangle tests packing may take; surfaces of many triangles get fewer samples.
const EFFORT: usize = 400_000;

/// Balls inside a closed surface of triangles, counter-clockwise seen from outside. Also returns the greatest distance of a
/// surface sample outside all balls, metres.
pub fn pack(triangles: &[[DVec3; 3]]) -> (Vec<Ball>, f64) {
    let corners = triangles.iter().flatten().copied();
    let Some(bounds) = Aabb::from_points(corners) else {
        return (vec![], 0.0);
    };
    let size = (bounds.max - bounds.min).max_element();
    let samples = samples(triangles);
    let pool: Vec<Ball> = samples
        .iter()
        .filter_map(|&(point, normal)| medial_ball(triangles, point, normal, size))
        .collect();
    let mut outside: Vec<f64> = vec![f64::INFINITY; samples.len()];
    let mut balls: Vec<Ball> = Vec::new();
    let mut next = largest(&pool, |_| true);
    while let Some(ball) = next {
        balls.push(ball);
        for (outside, sample) in outside.iter_mut().zip(&samples) {
            *outside = outside.min((sample.0.distance(ball.centre) - ball.radius).max(0.0));
        }
        let worst = (0..samples.len()).max_by(|&i, &j| outside[i].total_cmp(&outside[j]));
        let Some(worst) = worst.filter(|&i| outside[i] > size * UNCOVERED) else {
            break;
        };
        if balls.len() == MOST_BALLS {
            break;
        }
        // The largest ball that nearly covers this sample; without one, the ball that comes nearest to it.
        let left = |ball: &Ball| samples[worst].0.distance(ball.centre) - ball.radius;
        let better = |ball: &Ball| left(ball) < outside[worst] * 0.9;
        next = largest(&pool, |ball| left(ball) <= size * UNCOVERED * 0.5).or_else(|| {
            let better = pool.iter().filter(|ball| better(ball));
            better.min_by(|a, b| left(a).total_cmp(&left(b))).copied()
        });
        if next.is_none() {
            // No ball reaches this sharp corner: go on with the others.
            let reachable = |i: &usize| {
                let left = |b: &Ball| samples[*i].0.distance(b.centre) - b.radius;
                outside[*i] > size * UNCOVERED && pool.iter().any(|b| left(b) < outside[*i] * 0.9)
            };
            let other = (0..samples.len())
                .filter(reachable)
                .max_by(|&i, &j| outside[i].total_cmp(&outside[j]));
            next = other.and_then(|i| {
                let left = |b: &Ball| samples[i].0.distance(b.centre) - b.radius;
                pool.iter()
                    .min_by(|a, b| left(a).total_cmp(&left(b)))
                    .copied()
            });
        }
    }
    let uncovered = outside.iter().copied().fold(0.0, f64::max);
    (
        balls,
        if uncovered.is_finite() {
            uncovered
        } else {
            0.0
        },
    )
}

/// The largest ball; the first of equal ones.
fn largest(pool: &[Ball], which: impl Fn(&Ball) -> bool) -> Option<Ball> {
    let fitting = pool.iter().filter(|ball| which(ball)).copied();
    fitting.reduce(|a, b| if b.radius > a.radius { b } else { a })
}

/// Points on the surface with its normals: inside each triangle, in proportion to its area.
fn samples(triangles: &[[DVec3; 3]]) -> Vec<(DVec3, DVec3)> {
    let area = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).length() * 0.5;
    let whole: f64 = triangles.iter().map(area).sum();
    let wanted = SAMPLES.min(EFFORT / (triangles.len() * 5).max(1)).max(24);
    let mut samples = Vec::new();
    let mut due = 0.0;
    for t in triangles {
        let [a, b, c] = *t;
        let normal = unit_or_zero((b - a).cross(c - a));
        due += area(t) / whole * wanted as f64;
        if normal == DVec3::ZERO || due.is_nan() || due < 1.0 {
            continue;
        }
        // A triangular lattice of about as many points, off the edges.
        let rows = (((8.0 * due + 1.0).sqrt() - 1.0) / 2.0)
            .floor()
            .clamp(1.0, 12.0) as u32;
        due = (due - f64::from(rows * (rows + 1) / 2)).max(0.0);
        for i in 0..rows {
            for j in 0..rows - i {
                let weight = |k: u32| (f64::from(k) + 1.0 / 3.0) / f64::from(rows);
                let (u, v) = (weight(i), weight(j));
                samples.push((a + (b - a) * u + (c - a) * v, normal));
            }
        }
    }
    samples
}

/// The largest ball that touches the surface from inside at a point: shrunk until no surface is inside it.
fn medial_ball(triangles: &[[DVec3; 3]], point: DVec3, normal: DVec3, size: f64) -> Option<Ball> {
    let mut radius = size * 0.5;
    for _ in 0..12 {
        let centre = point - normal * radius;
        let (nearest, distance) = nearest_point(triangles, centre, radius);
        if distance >= radius * (1.0 - 1e-6) {
            break;
        }
        // The ball through the point and the nearest one, tangent at the point.
        let way = point - nearest;
        let depth = 2.0 * way.dot(normal);
        let smaller = way.length_squared() / depth;
        let is_smaller = depth > 0.0 && smaller < radius * (1.0 - 1e-9);
        if !is_smaller {
            radius = distance;
            break;
        }
        radius = smaller;
    }
    if radius < SMALLEST_BALL {
        return None;
    }
    let centre = point - normal * radius;
    let (_, distance) = nearest_point(triangles, centre, radius);
    let ball = Ball {
        centre,
        radius: distance,
    };
    (distance >= SMALLEST_BALL).then_some(ball)
}

/// The nearest point of the surface within `reach` and its distance; `p` and `reach` if there is none.
fn nearest_point(triangles: &[[DVec3; 3]], p: DVec3, reach: f64) -> (DVec3, f64) {
    let mut best = (p, reach * reach);
    for t in triangles {
        let [a, b, c] = *t;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        if p.clamp(low, high).distance_squared(p) >= best.1 {
            continue;
        }
        let near = closest_point_triangle(p, t);
        let squared = near.distance_squared(p);
        if squared < best.1 {
            best = (near, squared);
        }
    }
    (best.0, best.1.sqrt())
}
