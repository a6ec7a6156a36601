//! A tree that follows 200 craters: what an update costs, and what the tree is worth afterwards.
use super::{median, our_rays, our_sweeps, sets};
use crate::clock::timed;
use breach::bvh::{BuildParams, Bvh, Mesh, QueryStats, Triangle};
use breach::geom::rng::Rng;
use glam::DVec3;
use std::hint::black_box;

const CARVES: usize = 200;
/// Places looked at for them.
const TRIES: usize = 20 * CARVES;

/// One carve: what is put in which slots, and the points that come with it.
#[derive(Default)]
struct Carve {
    changed: Vec<u32>,
    triangles: Vec<Triangle>,
    points: Vec<DVec3>,
}

impl Carve {
    fn apply(&self, mesh: &mut Mesh) {
        mesh.positions.extend(&self.points);
        for (&slot, &triangle) in self.changed.iter().zip(&self.triangles) {
            match mesh.triangles.get_mut(slot as usize) {
                Some(old) => *old = triangle,
                None => mesh.triangles.push(triangle),
            }
        }
    }
}

/// Craters that follow each other. Each takes the triangles in a ball and cuts each in three by a point that is pressed
/// in: as many slots change as in a carve, and the surface stays closed.
fn carves(mesh: &Mesh) -> Vec<Carve> {
    let mut rng = Rng::new(3);
    let reach = reach(mesh);
    let mut mesh = mesh.clone();
    let mut all = Vec::new();
    // A small room has no such places left after a while.
    for _ in 0..TRIES {
        if all.len() == CARVES {
            break;
        }
        let t = rng.below(mesh.triangles.len() as u64) as usize;
        let at = mesh.positions[mesh.triangles[t].corners[0] as usize];
        let carve = crater(&mesh, at, reach, &mut rng);
        if (16..=512).contains(&carve.changed.len()) {
            carve.apply(&mut mesh);
            all.push(carve);
        }
    }
    all
}

/// Metres by which craters reach: as a rocket's, or in a coarser room as far as there are triangles enough.
fn reach(mesh: &Mesh) -> f64 {
    let area = |t: &Triangle| {
        let [a, b, c] = t.corners.map(|c| mesh.positions[c as usize]);
        (b - a).cross(c - a).length() * 0.5
    };
    let mean = mesh.triangles.iter().map(area).sum::<f64>() / mesh.triangles.len() as f64;
    (2.9 * mean.sqrt()).max(1.2)
}

fn crater(mesh: &Mesh, at: DVec3, reach: f64, rng: &mut Rng) -> Carve {
    let mut radius = rng.range(0.25 * reach, reach);
    let inside = loop {
        let is_in = |t: &Triangle| {
            let mut corners = t.corners.iter().map(|&c| mesh.positions[c as usize]);
            corners.all(|p| p.distance(at) < radius)
        };
        let slots = (0u32..).zip(&mesh.triangles);
        let inside: Vec<u32> = slots.filter(|(_, t)| is_in(t)).map(|(i, _)| i).collect();
        if inside.len() <= 150 {
            break inside;
        }
        radius *= 0.8;
    };
    let mut carve = Carve::default();
    let mut next = mesh.triangles.len() as u32;
    for slot in inside {
        let t = mesh.triangles[slot as usize];
        let [a, b, c] = t.corners;
        let [p, q, r] = t.corners.map(|c| mesh.positions[c as usize]);
        let normal = (q - p).cross(r - p).normalize_or_zero();
        let size = p.distance(q).min(q.distance(r)).min(r.distance(p));
        let middle = (p + q + r) / 3.0 - normal * size * rng.range(0.05, 0.3);
        let hub = (mesh.positions.len() + carve.points.len()) as u32;
        carve.points.push(middle.as_vec3().as_dvec3());
        let slots = [slot, next, next + 1];
        for (slot, corners) in slots
            .into_iter()
            .zip([[a, b, hub], [b, c, hub], [c, a, hub]])
        {
            carve.changed.push(slot);
            carve.triangles.push(Triangle {
                corners,
                face: slot,
                key: slot.into(),
            });
        }
        next += 2;
    }
    carve
}

/// Prints what updates cost, and the query rates of the edited tree as parts of a new one's; false for a goal missed.
pub fn run(mesh: &Mesh) -> bool {
    let params = BuildParams::default();
    let all = carves(mesh);
    if all.is_empty() {
        println!("  no place for a crater");
        return false;
    }
    let mut least = vec![f64::INFINITY; all.len()];
    let mut rebuilds = 0;
    let (mut edited, mut last) = (Bvh::default(), Mesh::default());
    for _ in 0..3 {
        edited = Bvh::build(mesh, &params);
        rebuilds = 0;
        last = mesh.clone();
        for (carve, least) in all.iter().zip(&mut least) {
            carve.apply(&mut last);
            let ((), ms) = timed(|| edited.update(&last, &carve.changed, &params));
            *least = least.min(ms);
            rebuilds += usize::from(edited.needs_rebuild());
        }
    }
    let changes: Vec<f64> = all.iter().map(|c| c.changed.len() as f64).collect();
    let most = changes.iter().copied().fold(0.0, f64::max);
    let mut sorted = least.clone();
    sorted.sort_by(f64::total_cmp);
    let at = |q: f64| sorted[((sorted.len() as f64 * q) as usize).min(sorted.len() - 1)] * 1e3;
    println!(
        "  update, {} carves of {:.0} changed slots (most {most}): p50 {:.1} us, p99 {:.1} us (goal 50), max {:.1} us; due for a rebuild after {rebuilds} of them",
        all.len(),
        median(changes),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    let fresh = Bvh::build(&last, &params);
    let mut worst = f64::INFINITY;
    for (name, aim, length) in sets::SWEEPS {
        let paths = sets::sweeps(&last, &fresh, aim, length, 10_000);
        let run = |tree: &Bvh| {
            timed(|| black_box(our_sweeps(&last, tree, &paths, &mut QueryStats::default()))).1
        };
        worst = f64::min(worst, compare(name, run, &fresh, &edited));
    }
    let rays = sets::random_rays(20_000);
    let run = |tree: &Bvh| {
        timed(|| black_box(our_rays(&last, tree, &rays, &mut QueryStats::default()))).1
    };
    worst = f64::min(worst, compare("random rays", run, &fresh, &edited));
    at(0.99) <= 50.0 && worst >= 0.85
}

/// The rate on the edited tree as a part of that on the new one.
fn compare(name: &str, run: impl Fn(&Bvh) -> f64, fresh: &Bvh, edited: &Bvh) -> f64 {
    let rounds: Vec<[f64; 2]> = (0..7).map(|_| [run(fresh), run(edited)]).collect();
    let part = median(rounds.iter().map(|r| r[0]).collect())
        / median(rounds.iter().map(|r| r[1]).collect());
    println!(
        "    {name:<30} {:.0} % of a new tree's rate (goal 85)",
        part * 100.0
    );
    part
}
