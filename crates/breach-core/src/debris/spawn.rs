//! Sources of crumbs: fresh holes, pieces that are too small for a chunk, and pouring.
//!
//! A crumb is put only where there is air: at the end of a ray from a point in the air, or inside a piece that was cut out.
//! It is made small enough to fit there.
use super::body::Body;
use super::clearance::nearest_surface;
use super::state::Debris;
use crate::bvh::{Mesh, QueryStats};
use crate::geom::rng::Rng;
use crate::world::{Island, World};
use glam::DVec3;

/// Smallest crumb, metres.
const RADIUS_MIN: f64 = 0.02;
/// Largest crumb of a burst or a pour, metres.
const BURST_RADIUS_MAX: f64 = 0.3;
/// Largest crumb of a piece, metres.
const CRUMBLE_RADIUS_MAX: f64 = 0.5;
/// Part of a hole's volume that becomes crumbs; the rest is dust.
const BURST_SHARE: f64 = 0.06;
/// Part of a piece's volume that its crumbs fill; random packings of spheres are no denser.
const CRUMBLE_SHARE: f64 = 0.6;

/// A hole that a blast or a tool made in a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Burst {
    /// A point in the air in front of the hole, metres.
    pub from: DVec3,
    /// Out of the wall, unit.
    pub normal: DVec3,
    /// Radius of the hole, metres.
    pub radius: f64,
    /// Volume that was removed, cubic metres.
    pub volume_m3: f64,
    /// Material of the crumbs.
    pub material: u32,
}

/// Throws the crumbs of a hole out of it, and returns their number.
pub fn burst(
    bodies: &mut Vec<Body>,
    world: &World,
    rng: &mut Rng,
    burst: &Burst,
    stats: &mut QueryStats,
) -> u32 {
    if burst.volume_m3.is_nan() || burst.volume_m3 <= 0.0 || world.locate(burst.from).is_none() {
        return 0;
    }
    let count = (4.0 + 10.0 * libm::cbrt(burst.volume_m3)).clamp(1.0, 40.0) as u32;
    let mean = sphere_radius(burst.volume_m3 * BURST_SHARE / f64::from(count));
    let mut spawned = 0;
    for _ in 0..count {
        let scatter = rng.unit_vector();
        let radius = (mean * rng.range(0.4, 1.4)).clamp(RADIUS_MIN, BURST_RADIUS_MAX);
        let speed = rng.range(1.5, 6.0);
        let spin = rng.unit_vector() * rng.range(0.0, 12.0);
        let wish = burst.from
            + (burst.normal * rng.range(0.0, 0.4) + scatter * 0.5) * burst.radius.min(3.0);
        let to = reachable(world, burst.from, wish, stats);
        let Some(mut body) = crumb_that_fits(world, to, radius, burst.material, stats) else {
            continue;
        };
        body.velocity = (burst.normal + scatter * 0.7) * speed;
        body.spin = spin;
        bodies.push(body);
        spawned += 1;
    }
    spawned
}

/// Turns a piece that was cut free into crumbs of its volume, and returns their number. The piece must be out of the world
/// already.
pub fn crumble(
    bodies: &mut Vec<Body>,
    world: &World,
    rng: &mut Rng,
    island: &Island,
    stats: &mut QueryStats,
) -> u32 {
    if island.volume_m3.is_nan() || island.volume_m3 <= 0.0 {
        return 0;
    }
    let count = (3.0 + 12.0 * island.volume_m3).clamp(1.0, 64.0) as u32;
    let mean = sphere_radius(island.volume_m3 * CRUMBLE_SHARE / f64::from(count));
    let mut spawned = 0;
    for _ in 0..count {
        let radius = (mean * rng.range(0.7, 1.2)).clamp(RADIUS_MIN, CRUMBLE_RADIUS_MAX);
        let drift = rng.unit_vector() * rng.range(0.0, 0.4);
        let spin = rng.unit_vector() * rng.range(0.0, 2.0);
        let material = match island.materials.len() as u64 {
            0 => 0,
            kinds => island.materials[rng.below(kinds) as usize],
        };
        let Some(at) = point_inside(rng, island) else {
            continue;
        };
        let Some(mut body) = crumb_that_fits(world, at, radius, material, stats) else {
            continue;
        };
        body.velocity = drift;
        body.spin = spin;
        bodies.push(body);
        spawned += 1;
    }
    spawned
}

/// Crumbs to pour into the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pour {
    /// A point in the air, metres.
    pub at: DVec3,
    /// Largest distance from it, metres, 0..=20.
    pub spread: f64,
    /// Number of crumbs.
    pub count: u32,
    /// Mean radius, metres, 0.02..=0.3.
    pub radius: f64,
    /// Material of the crumbs.
    pub material: u32,
}

/// Pours crumbs into the air around a point, and returns their number.
pub fn pour(
    bodies: &mut Vec<Body>,
    world: &World,
    rng: &mut Rng,
    pour: &Pour,
    stats: &mut QueryStats,
) -> u32 {
    /// Metres a second, downwards, so that they make room for the next.
    const SPEED: f64 = 6.0;
    if world.locate(pour.at).is_none() {
        return 0;
    }
    let before = bodies.len();
    let spread = pour.spread.clamp(0.0, 20.0);
    for _ in 0..pour.count {
        // Uniform in the ball.
        let far = spread * libm::cbrt(rng.unit_f64());
        let wish = pour.at + rng.unit_vector() * far;
        let radius = (pour.radius * rng.range(0.7, 1.3)).clamp(RADIUS_MIN, BURST_RADIUS_MAX);
        let to = reachable(world, pour.at, wish, stats);
        let crumb = crumb_that_fits(world, to, radius, pour.material, stats);
        bodies.extend(crumb.map(|mut body| {
            body.velocity = DVec3::NEG_Y * SPEED;
            body
        }));
    }
    (bodies.len() - before) as u32
}

impl Debris {
    /// Throws the crumbs of a hole out of it, and returns their number. See [`burst`].
    pub fn spawn_burst(
        &mut self,
        hole: &Burst,
        world: &World,
        rng: &mut Rng,
        stats: &mut QueryStats,
    ) -> u32 {
        self.change(|bodies| burst(bodies, world, rng, hole, stats))
    }

    /// Turns a piece that was cut free into crumbs, and returns their number. See [`crumble`], and
    /// [`Body::from_island`], which makes one chunk of it.
    pub fn spawn_crumbs_of(
        &mut self,
        island: &Island,
        world: &World,
        rng: &mut Rng,
        stats: &mut QueryStats,
    ) -> u32 {
        self.change(|bodies| crumble(bodies, world, rng, island, stats))
    }

    /// Pours crumbs into the air, and returns their number. See [`pour`].
    pub fn spawn_pour(
        &mut self,
        crumbs: &Pour,
        world: &World,
        rng: &mut Rng,
        stats: &mut QueryStats,
    ) -> u32 {
        self.change(|bodies| pour(bodies, world, rng, crumbs, stats))
    }
}

/// The end of the straight path from `from` towards `to`, short of the first surface.
fn reachable(world: &World, from: DVec3, to: DVec3, stats: &mut QueryStats) -> DVec3 {
    match world.cast_ray(from, to, stats) {
        Some(hit) => from + (to - from) * (hit.fraction * 0.7),
        None => to,
    }
}

/// A crumb at a point in the air, no larger than the room there; `None` in rock, or where the smallest crumb does not fit.
fn crumb_that_fits(
    world: &World,
    at: DVec3,
    radius: f64,
    material: u32,
    stats: &mut QueryStats,
) -> Option<Body> {
    world.locate(at)?;
    let room = nearest_surface(world, at, radius, stats).map_or(radius, |near| near.distance);
    (room >= RADIUS_MIN).then(|| Body::new(at, radius.min(room), material))
}

/// A random point inside the piece; `None` after a few tries.
fn point_inside(rng: &mut Rng, island: &Island) -> Option<DVec3> {
    const TRIES: usize = 12;
    // Testing every triangle of a large piece costs too much; its bounding box will do.
    let exact = island.mesh.triangles.len() <= 4000;
    (0..TRIES)
        .map(|_| rng.in_box(&island.bounds))
        .find(|&p| !exact || is_inside(&island.mesh, p))
}

/// Whether a ray along +X crosses the surface an odd number of times. Wrong if the ray hits an edge, which does no harm
/// here.
fn is_inside(mesh: &Mesh, p: DVec3) -> bool {
    let crossings = mesh.triangles.iter().filter(|triangle| {
        let [a, b, c] = triangle.corners.map(|i| mesh.positions[i as usize] - p);
        let turn = |a: DVec3, b: DVec3| a.y * b.z - a.z * b.y;
        let (u, v, w) = (turn(b, c), turn(c, a), turn(a, b));
        let same_side = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
        same_side && (u * a.x + v * b.x + w * c.x) / (u + v + w) > 0.0
    });
    crossings.count() % 2 == 1
}

fn sphere_radius(volume_m3: f64) -> f64 {
    libm::cbrt(volume_m3 * 3.0 / (4.0 * std::f64::consts::PI))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Triangle;

    #[test]
    fn a_point_is_inside_a_tetrahedron_when_all_its_weights_are_positive() {
        let mesh = Mesh {
            positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
                .map(|corners| Triangle {
                    corners,
                    face: 0,
                    key: 0,
                })
                .to_vec(),
        };
        let mut rng = Rng::new(2);
        for _ in 0..2000 {
            let p = DVec3::new(
                rng.range(-0.2, 1.1),
                rng.range(-0.2, 1.1),
                rng.range(-0.2, 1.1),
            );
            let expected = p.min_element() > 0.0 && p.element_sum() < 1.0;
            assert_eq!(is_inside(&mesh, p), expected, "{p}");
        }
    }

    #[test]
    fn the_radius_of_a_volume_gives_the_volume_back() {
        let r = sphere_radius(2.0);
        assert!((4.0 / 3.0 * std::f64::consts::PI * r * r * r - 2.0).abs() < 1e-12);
    }
}
