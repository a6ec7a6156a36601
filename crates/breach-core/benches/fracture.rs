//! How long one more shot at a door takes, by its triangles: `cargo bench -p breach-core --bench fracture`.
//!
//! A slab of 8 m by 4 m, half a metre thick, is hit at seeded places of its front. Timed is [`Solid::carve`].
use breach_core::carve::blast::{BlastShape, blast};
use breach_core::carve::shape;
use breach_core::debris::{Solid, fracture};
use breach_core::geom::rng::Rng;
use breach_core::world::GRID;
use glam::{DVec3, I64Vec3};
use std::time::Instant;

const SIZE: DVec3 = DVec3::new(8.0, 4.0, 0.5);
const SHOTS: u32 = 120;

fn main() {
    for (name, is_exact) in [("a door", true), ("a piece, hit for the first time", false)] {
        println!("{name}");
        print(&shots(is_exact));
    }
}

/// Triangles and milliseconds of each shot at a slab that is kept exactly, or taken in anew for each.
fn shots(is_exact: bool) -> Vec<(usize, f64)> {
    let corner = |i: i64| I64Vec3::new(i & 1, i >> 1 & 1, i >> 2) * (SIZE * GRID).as_i64vec3();
    let corners: Vec<I64Vec3> = (0..8).map(corner).collect();
    let slab = shape::hull(&corners, 0).expect("a box");
    let mut solid = Solid::from_brushes(&[slab]).expect("a solid");
    let mut rng = Rng::new(1);
    let mut done: Vec<(usize, f64)> = Vec::new();
    for shot in 0..SHOTS {
        let at = DVec3::new(rng.unit_f64(), rng.unit_f64(), 1.0) * SIZE;
        let centre = (at * GRID).round().as_i64vec3();
        let seed = u64::from(shot);
        let brushes = blast(centre, 0.35, BlastShape::Concrete, seed, fracture::OPENED);
        let triangles = solid.mesh.triangles.len();
        let since = Instant::now();
        let Some(left) = solid.carve(brushes, 0) else {
            continue;
        };
        done.push((triangles, since.elapsed().as_secs_f64() * 1e3));
        let rest = match is_exact {
            true => left.rest,
            false => left
                .rest
                .and_then(|rest| Solid::from_island(&rest.island()?)),
        };
        match rest {
            Some(rest) => solid = rest,
            None => break,
        }
    }
    done
}

fn print(done: &[(usize, f64)]) {
    println!("triangles  shots  median ms  longest ms");
    for range in [
        0..250,
        250..500,
        500..1000,
        1000..2000,
        2000..4000,
        4000..8000,
        8000..32_000,
    ] {
        let within = done.iter().filter(|(count, _)| range.contains(count));
        let mut ms: Vec<f64> = within.map(|&(_, ms)| ms).collect();
        ms.sort_by(f64::total_cmp);
        if let (Some(median), Some(most)) = (ms.get(ms.len() / 2), ms.last()) {
            let range = format!("{}-{}", range.start, range.end);
            println!("{range:>10}  {:5}  {median:9.1}  {most:10.1}", ms.len());
        }
    }
}
