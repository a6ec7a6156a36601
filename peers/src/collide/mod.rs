//! The table of collision: sweeps, rays, builds and edits of Breach's tree beside parry3d, obvhs and bvh, in one run.
//!
//! One thread, CPU time; each pair takes turns and the medians of the rounds count; trees are built each again and again,
//! too. Both sides are compiled with the same flags: what a machine has beyond them each finds out for itself when it runs.
use crate::clock::timed;
use breach::bvh::{BuildParams, Bvh, Mesh, QueryStats, SplitRule};
use sets::{Path, RADIUS};
use std::hint::black_box;

mod edits;
pub mod room;
pub mod sets;
mod theirs;

/// The rooms, by their size.
pub const ROOMS: [&str; 3] = ["2k", "20k", "200k"];
/// Rounds, unless others are asked for.
pub const ROUNDS: usize = 5;

/// How much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Rooms: 2k, 20k, 200k; all if not given.
    #[arg(long)]
    room: Vec<String>,
    /// Parts; all if not given.
    #[arg(long, value_enum)]
    part: Vec<Part>,
    /// Sets of sweeps whose name begins so; all if not given.
    #[arg(long, default_value = "")]
    set: String,
    /// Sweeps in a set.
    #[arg(long, default_value_t = sets::SWEEPS_IN_A_SET)]
    sweeps: usize,
    /// Random rays.
    #[arg(long, default_value_t = sets::RANDOM_RAYS)]
    rays: usize,
    /// Rounds; medians count.
    #[arg(long, default_value_t = ROUNDS)]
    rounds: usize,
    /// Breach alone.
    #[arg(long)]
    ours: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Part {
    /// Swept spheres.
    Sweeps,
    /// Rays, random and coherent.
    Rays,
    /// Whole trees.
    Build,
    /// Trees edited in place.
    Edit,
}

/// Prints the tables; false where a goal was missed.
pub fn run(args: &Args) -> bool {
    let has = |part| args.part.is_empty() || args.part.contains(&part);
    let mut is_good = true;
    for name in ROOMS {
        let is_asked = args.room.is_empty() || args.room.iter().any(|r| r == name);
        let Some(mesh) = is_asked.then(|| room::named(name)).flatten() else {
            continue;
        };
        println!("room {name}: {} triangles", mesh.triangles.len());
        // The goals are set for the room of 20k.
        let counts = name == "20k";
        if has(Part::Sweeps) {
            is_good &= sweeps(&mesh, args) || !counts;
        }
        if has(Part::Rays) {
            is_good &= rays(&mesh, args) || !counts;
        }
        if has(Part::Build) {
            is_good &= builds(&mesh, args) || !counts;
        }
        if has(Part::Edit) {
            is_good &= edits::run(&mesh) || !counts;
        }
    }
    is_good
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Median milliseconds of each job, which take turns.
fn by_turns(rounds: usize, jobs: &mut [Box<dyn FnMut() + '_>]) -> Vec<f64> {
    let mut ms = vec![Vec::new(); jobs.len()];
    for _ in 0..rounds {
        for (job, ms) in jobs.iter_mut().zip(&mut ms) {
            ms.push(timed(job).1);
        }
    }
    ms.into_iter().map(median).collect()
}

/// Median milliseconds of each job by itself, again and again: what it needs is at hand. `rounds` each, after one more.
fn in_rows(rounds: usize, jobs: &mut [Box<dyn FnMut() + '_>]) -> Vec<f64> {
    let median_of = |job: &mut Box<dyn FnMut() + '_>| {
        job();
        median((0..rounds).map(|_| timed(&mut *job).1).collect())
    };
    jobs.iter_mut().map(median_of).collect()
}

/// Millions a second.
fn rate(count: usize, ms: f64) -> f64 {
    count as f64 / ms * 1e-3
}

/// Asks Breach all of a set; the sum of the fractions.
pub type Query = fn(&Mesh, &Bvh, &[Path], &mut QueryStats) -> f64;

/// Breach's millions a second when it is measured alone: the median of the rounds, after one that does not count.
pub fn our_rate(query: Query, mesh: &Mesh, tree: &Bvh, paths: &[Path], rounds: usize) -> f64 {
    let ask = || {
        black_box(query(mesh, tree, paths, &mut QueryStats::default()));
    };
    ask();
    let mut jobs: Vec<Box<dyn FnMut()>> = vec![Box::new(ask)];
    rate(paths.len(), by_turns(rounds, &mut jobs)[0])
}

/// Breach's side of a set of sweeps.
pub fn our_sweeps(mesh: &Mesh, tree: &Bvh, paths: &[Path], stats: &mut QueryStats) -> f64 {
    let fractions = paths.iter().map(|&(from, way)| {
        let (from, way) = (from.as_dvec3(), way.as_dvec3());
        let hit = tree.sweep_sphere(mesh, from, from + way, RADIUS.into(), stats);
        hit.map_or(1.0, |h| h.fraction)
    });
    fractions.sum()
}

fn sweeps(mesh: &Mesh, args: &Args) -> bool {
    let tree = Bvh::build(mesh, &BuildParams::default());
    let parry = theirs::Parry::new(mesh, false);
    println!("  swept spheres r = 0.1 m        ours M/s  parry M/s  times   bins  faces  hits");
    let (mut product, mut least) = (1.0, f64::INFINITY);
    let asked = sets::SWEEPS
        .iter()
        .filter(|set| set.0.starts_with(&args.set));
    let count = asked.clone().count();
    for &(name, aim, length) in asked {
        let paths = sets::sweeps(mesh, &tree, aim, length, args.sweeps);
        // The peer's slow sets take seconds; a part will do.
        let part = &paths[..paths.len() / 4];
        let mut stats = QueryStats::default();
        our_sweeps(mesh, &tree, &paths, &mut stats);
        let mut jobs: Vec<Box<dyn FnMut()>> = vec![Box::new(|| {
            black_box(our_sweeps(mesh, &tree, &paths, &mut QueryStats::default()));
        })];
        if !args.ours {
            jobs.push(Box::new(|| {
                black_box(part.iter().filter_map(|p| parry.sweep(p)).sum::<f32>());
            }));
        }
        let ms = by_turns(args.rounds, &mut jobs);
        let ours = rate(paths.len(), ms[0]);
        let theirs = ms.get(1).map_or(f64::NAN, |&ms| rate(part.len(), ms));
        drop(jobs);
        let hits = paths.iter().filter(|&&(from, way)| {
            let (from, way) = (from.as_dvec3(), way.as_dvec3());
            let stats = &mut QueryStats::default();
            tree.sweep_sphere(mesh, from, from + way, RADIUS.into(), stats)
                .is_some()
        });
        let each = |n: u64| n as f64 / paths.len() as f64;
        println!(
            "  {name:<30} {ours:>8.3}  {theirs:>9.3} {:>6.2}x {:>6.1} {:>6.2} {:>4.0} %",
            ours / theirs,
            each(stats.bins),
            each(stats.faces),
            hits.count() as f64 * 100.0 / paths.len() as f64
        );
        product *= ours / theirs;
        least = f64::min(least, ours / theirs);
    }
    let mean = libm::pow(product, 1.0 / count as f64);
    println!("  geometric mean {mean:.2}x (goal 7), least {least:.2}x (goal 5)");
    args.ours || mean >= 7.0 && least >= 5.0
}

/// How far a ray looks, metres.
pub const FAR: f64 = 100.0;

/// Breach's side of a set of rays.
pub fn our_rays(mesh: &Mesh, tree: &Bvh, rays: &[Path], stats: &mut QueryStats) -> f64 {
    let fractions = rays.iter().map(|&(from, way)| {
        let (from, way) = (from.as_dvec3(), way.as_dvec3() * FAR);
        let hit = tree.cast_ray(mesh, from, from + way, stats);
        hit.map_or(1.0, |h| h.fraction)
    });
    fractions.sum()
}

fn rays(mesh: &Mesh, args: &Args) -> bool {
    let tree = Bvh::build(mesh, &BuildParams::default());
    let parry = theirs::Parry::new(mesh, false);
    let (obvhs, bvh) = (theirs::Obvhs::new(mesh), theirs::BvhCrate::new(mesh));
    println!(
        "  rays                           ours M/s  parry   obvhs cwbvh  bvh     /parry /obvhs   bins  faces"
    );
    let mut is_good = true;
    for (name, rays, goal) in [
        ("random", sets::random_rays(args.rays), 3.0),
        ("coherent", sets::camera_rays(), 1.8),
    ] {
        let mut stats = QueryStats::default();
        our_rays(mesh, &tree, &rays, &mut stats);
        let part = &rays[..rays.len() / 8];
        let mut jobs: Vec<Box<dyn FnMut()>> = vec![Box::new(|| {
            black_box(our_rays(mesh, &tree, &rays, &mut QueryStats::default()));
        })];
        if !args.ours {
            jobs.push(Box::new(|| {
                black_box(rays.iter().filter_map(|r| parry.ray(r)).sum::<f32>());
            }));
            jobs.push(Box::new(|| {
                black_box(rays.iter().filter_map(|r| obvhs.ray(r)).sum::<f32>());
            }));
            jobs.push(Box::new(|| {
                black_box(part.iter().filter_map(|r| bvh.ray(r)).sum::<f32>());
            }));
        }
        let ms = by_turns(args.rounds, &mut jobs);
        let count = [rays.len(), rays.len(), rays.len(), part.len()];
        let at = |i: usize| ms.get(i).map_or(f64::NAN, |&ms| rate(count[i], ms));
        let each = |n: u64| n as f64 / rays.len() as f64;
        println!(
            "  {name:<30} {:>8.3} {:>6.2} {:>12.2} {:>5.2}  {:>6.2}x {:>6.2}x {:>6.1} {:>6.2}",
            at(0),
            at(1),
            at(2),
            at(3),
            at(0) / at(1),
            at(0) / at(2),
            each(stats.bins),
            each(stats.faces)
        );
        is_good &= args.ours || at(0) >= goal * at(1) && at(0) > at(2);
    }
    is_good
}

fn builds(mesh: &Mesh, args: &Args) -> bool {
    let rules = [
        SplitRule::Sah,
        SplitRule::Midpoint,
        SplitRule::Median,
        SplitRule::Mean,
    ];
    let mut jobs: Vec<Box<dyn FnMut()>> = Vec::new();
    for split in rules {
        let params = BuildParams {
            split,
            ..BuildParams::default()
        };
        jobs.push(Box::new(move || {
            black_box(Bvh::build(black_box(mesh), &params));
        }));
    }
    if !args.ours {
        jobs.push(Box::new(|| drop(black_box(theirs::Parry::new(mesh, true)))));
        jobs.push(Box::new(|| {
            drop(black_box(theirs::Parry::new(mesh, false)))
        }));
        jobs.push(Box::new(|| drop(black_box(theirs::Obvhs::new(mesh)))));
        jobs.push(Box::new(|| drop(black_box(theirs::BvhCrate::new(mesh)))));
    }
    let names = [
        "ours, SAH",
        "ours, midpoint",
        "ours, median",
        "ours, mean",
        "parry, internal edges",
        "parry, plain",
        "obvhs cwbvh, medium",
        "bvh",
    ];
    let rounds = 2 * args.rounds + 1;
    let turns = by_turns(rounds, &mut jobs);
    let rows = in_rows(rounds, &mut jobs);
    println!("  builds, ms                 in a row  in turns");
    for ((name, row), turn) in names.iter().zip(&rows).zip(&turns) {
        println!("  {name:<24} {row:>10.3} {turn:>9.3}");
    }
    let (Some(row), Some(turn)) = (rows.get(4), turns.get(4)) else {
        return true;
    };
    let (row, turn) = (rows[0] / row, turns[0] / turn);
    println!("  with adjacency, of parry's: {row:.3} in a row (goal 0.17), {turn:.3} in turns");
    row <= 0.17
}
