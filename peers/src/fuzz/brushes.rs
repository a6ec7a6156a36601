//! Brushes at awkward places, and lists of them: in the planes of walls and cell borders, a grid step off, with corners of
//! what is there, thin, spun, larger than the level.
use super::levels::{M, Made, corners};
use super::map::{Entity, Map, hull_brush, point_text};
use breach::carve::hull::hull;
use breach::geom::rng::Rng;
use glam::{DQuat, DVec3, I64Vec3};

/// Few brushes, so that the air can be added up without Breach: see `judge::volume`.
pub fn few(rng: &mut Rng) -> Map {
    let mut made = Made::dug(rng, false);
    let carves_only = rng.below(2) == 0;
    for _ in 0..2 + rng.below(6) {
        let op = match carves_only || rng.below(3) > 0 {
            true => "func_carve",
            false => "func_fill",
        };
        put(&mut made, rng, op);
    }
    made.map
}

/// Many operations, blasts and repeats among them, in rock or between walls.
pub fn many(rng: &mut Rng) -> Map {
    let mut made = match rng.below(4) {
        0 => Made::dug(rng, false),
        1 => Made::dug(rng, true),
        _ => Made::built(rng),
    };
    let mut last: Vec<Entity> = Vec::new();
    for _ in 0..4 + rng.below(24) {
        match rng.below(8) {
            0..=2 => {
                let blast = blast(&made, rng);
                made.map.entities.push(blast);
            }
            3 if !last.is_empty() => {
                let again = last[rng.below(last.len() as u64) as usize].clone();
                made.map.entities.push(again);
            }
            4 => put(&mut made, rng, "func_fill"),
            _ => put(&mut made, rng, "func_carve"),
        }
        last.extend(made.map.entities.last().cloned());
    }
    made.map
}

/// One operation more.
fn put(made: &mut Made, rng: &mut Rng, op: &str) {
    let mut entity = Entity::new(&[("classname", op)]);
    for _ in 0..1 + rng.below(4) / 3 {
        let points = awkward(made, rng);
        let Some(facets) = hull(&points) else {
            continue;
        };
        entity.brushes.push(hull_brush(&facets, "rock"));
        made.corners.extend(points.iter().take(8));
        for axis in 0..3 {
            let along = points.iter().map(|p| p[axis]);
            made.planes[axis].extend(along.clone().min());
            made.planes[axis].extend(along.max());
        }
    }
    if !entity.brushes.is_empty() {
        made.map.entities.push(entity);
    }
}

/// A blast on or near something that is there: 0.02 to 8 m.
pub fn blast(made: &Made, rng: &mut Rng) -> Entity {
    let corner = made.corners[rng.below(made.corners.len() as u64) as usize];
    let spread = rng.range(0.0, 3.0);
    let centre = corner + (rng.unit_vector() * spread * M as f64).as_i64vec3();
    let centre = centre.map(|x| x.div_euclid(16) * 16);
    let radius = log_range(rng, 0.02, 8.0) * 32.0;
    let shape = ["rock", "concrete", "metal"][rng.below(3) as usize];
    Entity::new(&[
        ("classname", "breach_blast"),
        ("origin", &point_text(centre)),
        ("radius", &radius.to_string()),
        ("shape", shape),
        ("seed", &rng.next_u64().to_string()),
    ])
}

/// Uniform in the logarithm.
pub fn log_range(rng: &mut Rng, lo: f64, hi: f64) -> f64 {
    libm::exp(rng.range(libm::log(lo), libm::log(hi)))
}

/// Points whose hull lies awkwardly; it may be flat.
fn awkward(made: &Made, rng: &mut Rng) -> Vec<I64Vec3> {
    let corner = |rng: &mut Rng| made.corners[rng.below(made.corners.len() as u64) as usize];
    let half = |rng: &mut Rng| M / 2 * (1 + rng.below(6) as i64);
    let points = match rng.below(9) {
        // A box in the planes of what is there.
        0 | 1 => between_planes(made, rng),
        // From a corner of what is there, any tetrahedron or more.
        2 => {
            let at = corner(rng);
            let reach = half(rng) as f64;
            let mut points = vec![at];
            points.extend(
                (0..3 + rng.below(8)).map(|_| at + (rng.unit_vector() * reach).as_i64vec3()),
            );
            points
        }
        // A slab some steps thick.
        3 => {
            let at = corner(rng);
            let mut hi = at + I64Vec3::new(half(rng), half(rng), half(rng));
            let axis = rng.below(3) as usize;
            hi[axis] = at[axis] + 1 + rng.below(8) as i64;
            corners(at, hi)
        }
        // A needle that tapers to a step.
        4 => {
            let at = corner(rng);
            let tip = at + (rng.unit_vector() * half(rng) as f64 * 2.0).as_i64vec3();
            let near = |rng: &mut Rng| at + (rng.unit_vector() * 400.0).as_i64vec3();
            vec![tip, near(rng), near(rng), near(rng), tip + I64Vec3::X]
        }
        // A box of planes that are there, spun about its middle a little or a lot.
        5 | 6 => spun(&between_planes(made, rng), rng),
        // Larger than the level.
        7 => {
            let mut points = between_planes(made, rng);
            let axis = rng.below(3) as usize;
            let far = [20, 40, 1000][rng.below(3) as usize] * M;
            let middle = points.iter().map(|p| p[axis]).max().unwrap_or(0);
            for p in &mut points {
                p[axis] = if p[axis] < middle { -far } else { far };
            }
            points
        }
        // A lump.
        _ => {
            let at = corner(rng);
            let reach = log_range(rng, 0.05, 4.0) * M as f64;
            (0..6 + rng.below(8))
                .map(|_| at + (rng.unit_vector() * reach).as_i64vec3())
                .collect()
        }
    };
    let far = 1000 * M;
    points
        .into_iter()
        .map(|p| p.clamp(I64Vec3::splat(-far), I64Vec3::splat(far)))
        .collect()
}

/// A box or an octahedron whose sides lie in planes that are there, or a step beside them.
fn between_planes(made: &Made, rng: &mut Rng) -> Vec<I64Vec3> {
    let mut lo = I64Vec3::ZERO;
    let mut hi = I64Vec3::ZERO;
    for axis in 0..3 {
        let a = made.near(rng, axis);
        let b = match rng.below(2) {
            0 => made.near(rng, axis),
            _ => a + M / 2 * (1 + rng.below(6) as i64),
        };
        lo[axis] = a.min(b);
        hi[axis] = a.max(b).max(lo[axis] + 1);
    }
    match rng.below(4) {
        0 => {
            let middle = (lo + hi) / 2;
            let tips = (0..3).flat_map(|axis| {
                [lo, hi].map(|end| {
                    let mut tip = middle;
                    tip[axis] = end[axis];
                    tip
                })
            });
            tips.collect()
        }
        1 => {
            let mut wedge = corners(lo, hi);
            wedge.truncate(6);
            wedge
        }
        _ => corners(lo, hi),
    }
}

/// The same points turned about their middle and rounded to the grid.
fn spun(points: &[I64Vec3], rng: &mut Rng) -> Vec<I64Vec3> {
    let sum: I64Vec3 = points.iter().sum();
    let middle = sum / points.len().max(1) as i64;
    let axis = match rng.below(2) {
        0 => DVec3::Y,
        _ => rng.unit_vector(),
    };
    let angle = match rng.below(3) {
        0 => rng.range(-1e-4, 1e-4),
        1 => std::f64::consts::TAU / (3 + rng.below(10)) as f64,
        _ => rng.range(0.0, std::f64::consts::TAU),
    };
    let (sin, cos) = libm::sincos(angle / 2.0);
    let turn = DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
    let place = |p: &I64Vec3| middle + (turn * (*p - middle).as_dvec3()).round().as_i64vec3();
    points.iter().map(place).collect()
}

/// Heads or tails.
pub trait Coin {
    /// Half of the time.
    fn below_half(&mut self) -> bool;
}

impl Coin for Rng {
    fn below_half(&mut self) -> bool {
        self.below(2) == 0
    }
}
