//! The shape of a body of several spheres: its real faces, what it weighs, and the spheres packed inside.
//!
//! Each sphere touches the surface from inside at a sampled point and is as large as it can be there: a medial ball,
//! found by shrinking (Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal
//! field", 2012, here with the exact nearest point of the triangles). Of these the greatest comes first, then again and
//! again one that covers the sample that lies farthest outside, until nothing lies farther out than [`UNCOVERED`] of
//! the size or there are [`MOST_BALLS`].
use super::{Ball, Body, DENSITY};
use crate::bvh::Mesh;
use crate::collide::closest_point_triangle;
use crate::geom::{Aabb, mass, unit_or_zero};
use crate::world::{FaceView, Island};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Spheres in a chunk.
pub const MOST_BALLS: usize = 64;
/// No sampled point of the surface lies farther outside the spheres than this part of the longest side, if
/// [`MOST_BALLS`] are enough; [`Chunk::uncovered`] says how far it is.
pub const UNCOVERED: f64 = 0.05;
/// Smallest sphere, metres: what has no room for one is no chunk.
pub const SMALLEST_BALL: f64 = 0.01;
/// A chunk holds at least this, cubic metres; less is a crumb.
pub const SMALLEST_VOLUME: f64 = 0.002;
/// Points of the surface that are looked at.
const SAMPLES: usize = 160;
/// Tests of a point against a triangle that packing may cost, about; large pieces get fewer samples.
const EFFORT: usize = 400_000;

/// A shape, about its centre of mass, its axes those of its moments of inertia.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// What it collides with.
    pub balls: Vec<Ball>,
    /// Kilograms.
    pub mass: f64,
    /// Moments of inertia about its axes, kg m².
    pub moments: DVec3,
    /// No ball reaches farther than this from the centre, metres.
    pub radius: f64,
    /// The box around its balls along its axes, metres from its centre.
    pub bounds: Aabb,
    /// Cubic metres.
    pub volume_m3: f64,
    /// How far its surface reaches out of the union of its balls at most, as it was sampled, metres.
    pub uncovered: f64,
    /// Its real faces, where they were when it broke off, metres.
    pub mesh: Arc<Mesh>,
    /// What `mesh.triangles[..].face` counts.
    pub faces: Arc<Vec<FaceView>>,
    /// The body's place and orientation when `mesh` was where it says.
    pub home: (DVec3, DQuat),
}

/// A body where a piece was cut out of the world; None for what is too small or too thin to be one.
pub fn body_of(island: &Island) -> Option<Body> {
    let (axes, moments) = mass::principal(&island.inertia);
    let is_sound = island.volume_m3 >= SMALLEST_VOLUME
        && island.volume_m3.is_finite()
        && island.centre.is_finite()
        && moments.min_element() > 0.0
        && moments.is_finite();
    if !is_sound {
        return None;
    }
    let back = axes.conjugate();
    let triangles: Vec<[DVec3; 3]> = island
        .mesh
        .triangles
        .iter()
        .map(|t| {
            let corner = |i: u32| back * (island.mesh.positions[i as usize] - island.centre);
            t.corners.map(corner)
        })
        .collect();
    let (balls, uncovered) = pack(&triangles);
    let radius = balls
        .iter()
        .map(|ball| ball.centre.length() + ball.radius)
        .reduce(f64::max)?;
    let bounds = bounds_of(&balls);
    let chunk = Chunk {
        balls,
        mass: island.volume_m3 * DENSITY,
        moments: moments * DENSITY,
        radius,
        bounds,
        volume_m3: island.volume_m3,
        uncovered,
        mesh: Arc::new(island.mesh.clone()),
        faces: Arc::new(faces_of(island)),
        home: (island.centre, axes),
    };
    let material = *island.materials.first().expect("it has faces");
    Some(Body::of_chunk(
        island.centre,
        axes,
        Arc::new(chunk),
        material,
    ))
}

/// The box around balls; of none, a point.
pub fn bounds_of(balls: &[Ball]) -> Aabb {
    let around = |ball: &Ball| Aabb::from_centre(ball.centre, DVec3::splat(ball.radius));
    let all = balls.iter().map(around).reduce(|a, b| a.union(&b));
    all.unwrap_or(Aabb::from_corners(DVec3::ZERO, DVec3::ZERO))
}

fn faces_of(island: &Island) -> Vec<FaceView> {
    let of = |&material| FaceView {
        material,
        normal: DVec3::Y,
        key: 0,
    };
    island.materials.iter().map(of).collect()
}

/// Spheres inside a closed surface, counter-clockwise seen from outside, and how far the surface reaches out of them.
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
        // The largest that brings this point nearly in; where none does, the one that leaves least.
        let left = |ball: &Ball| samples[worst].0.distance(ball.centre) - ball.radius;
        let better = |ball: &Ball| left(ball) < outside[worst] * 0.9;
        next = largest(&pool, |ball| left(ball) <= size * UNCOVERED * 0.5).or_else(|| {
            let better = pool.iter().filter(|ball| better(ball));
            better.min_by(|a, b| left(a).total_cmp(&left(b))).copied()
        });
        if next.is_none() {
            // A sharp corner that nothing reaches: leave it, and see to the others.
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

/// The first of the largest.
fn largest(pool: &[Ball], which: impl Fn(&Ball) -> bool) -> Option<Ball> {
    let fitting = pool.iter().filter(|ball| which(ball)).copied();
    fitting.reduce(|a, b| if b.radius > a.radius { b } else { a })
}

/// Points of the surface with its normals: of each triangle some inside, more of the larger ones.
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
        // A triangular lattice with about as many points, a little inside the border.
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

/// The largest ball that touches the surface from inside at a point: shrunk until nothing pokes into it.
fn medial_ball(triangles: &[[DVec3; 3]], point: DVec3, normal: DVec3, size: f64) -> Option<Ball> {
    let mut radius = size * 0.5;
    for _ in 0..12 {
        let centre = point - normal * radius;
        let (nearest, distance) = nearest_point(triangles, centre, radius);
        if distance >= radius * (1.0 - 1e-6) {
            break;
        }
        // Through the point and the nearest one, still tangent at the point.
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

/// The nearest point of the surface within `reach`, and how far it is; `reach` where there is none.
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

#[cfg(test)]
pub(in crate::debris) use tests::block;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Triangle;
    use crate::geom::mass::of_solid;

    /// A box as an island.
    pub(in crate::debris) fn block(centre: DVec3, half: DVec3) -> Island {
        let corner = |i: u32| {
            let sign = |k: u32| f64::from(i >> k & 1) * 2.0 - 1.0;
            centre + half * DVec3::new(sign(0), sign(1), sign(2))
        };
        let quads = [
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = quads.iter().zip(0u32..).flat_map(|(&[a, b, c, d], face)| {
            [[a, b, c], [a, c, d]].map(|corners| Triangle {
                corners,
                face,
                key: u64::from(face),
            })
        });
        let mesh = Mesh {
            positions: (0..8).map(corner).collect(),
            triangles: triangles.collect(),
        };
        let at = |t: &Triangle| t.corners.map(|i| mesh.positions[i as usize]);
        let mass = of_solid(centre, mesh.triangles.iter().map(at));
        Island {
            volume_m3: mass.volume,
            centre: mass.centre,
            inertia: mass.inertia,
            bounds: Aabb::from_centre(centre, half),
            mesh,
            materials: vec![0; 6],
        }
    }

    #[test]
    fn a_box_is_filled_with_balls_that_stay_inside_and_reach_its_surface() {
        for half in [
            DVec3::splat(0.5),
            DVec3::new(1.0, 0.3, 0.4),
            DVec3::new(0.15, 0.15, 2.0),
            DVec3::new(1.5, 0.1, 1.5),
        ] {
            let body = body_of(&block(DVec3::new(3.0, 1.0, -2.0), half)).expect("a chunk");
            let chunk = body.chunk.as_ref().expect("a shape");
            assert!(chunk.balls.len() > 3 && chunk.balls.len() <= MOST_BALLS);
            for ball in body.balls() {
                let off = (ball.centre - body.position).abs() + ball.radius;
                assert!(off.cmple(half + 1e-6).all(), "{off} in {half}");
            }
            let size = half.max_element() * 2.0;
            assert!(
                chunk.uncovered < 0.12 * size,
                "{} of {size}",
                chunk.uncovered
            );
            assert!(
                (chunk.mass - half.element_product() * 8.0 * DENSITY).abs() < 1e-6 * chunk.mass
            );
        }
    }

    #[test]
    fn slivers_and_dust_are_no_chunks() {
        for half in [
            DVec3::splat(0.02),
            DVec3::new(3.0, 1e-5, 3.0),
            DVec3::new(0.0, 1.0, 1.0),
        ] {
            assert!(body_of(&block(DVec3::ZERO, half)).is_none());
        }
    }
}
