//! One long run: carve after carve into a block of rock, watched by Manifold.
use crate::brushes::{Brush, Sampler, lump, of_points};
use crate::clock::{summary, timed};
use crate::{ours, rooms, theirs};
use breach::bvh::BuildParams;
use breach::geom::rng::Rng;
use breach::timing::Silent;
use breach::world::{GRID, World, WorldDesc};
use glam::I64Vec3;
use std::io::Write;

/// How long the run is.
#[derive(clap::Args)]
pub struct Args {
    /// Carves.
    #[arg(long, default_value_t = 100_000)]
    carves: usize,
    /// Seed of the brushes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Everything is checked after so many carves.
    #[arg(long, default_value_t = 1000)]
    every: usize,
    /// From this carve on everything is checked after each one: to find the first that went wrong.
    #[arg(long)]
    closely_from: Option<usize>,
    /// Without Manifold: validity and volume accounting alone.
    #[arg(long)]
    ours: bool,
}

/// Half the side of the block, metres: a hundred thousand carves make a cave of some 35 m around its middle.
const HALF_BLOCK: i64 = 80;
/// Half the side of the first hole, metres.
const HALF_HOLE: i64 = 4;
/// The most by which two kernels' volumes may differ, relative.
const MOST_OFF: f64 = 1e-9;

/// Carves and checks; false at the first fault, which is said.
pub fn run(args: &Args) -> bool {
    let hole = hole();
    let mut world = block(&hole);
    let mut body = (!args.ours).then(|| theirs::brush(&hole));
    let mut rng = Rng::new(args.seed);
    let mut sampler = Sampler::default();
    println!(
        "A block of rock of {} m a side, seed {}; brushes of 40 to 80 points, r = 1 m ± 12 %, on the surface as it is; one thread, CPU time\n",
        2 * HALF_BLOCK,
        args.seed
    );
    println!(
        "| carves | p50 ms | p99 ms | max ms | triangles | faces | rooms | fell | air, m³ | off Manifold's | loose in Manifold's | faults |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let (mut done, mut worst, mut all_ms) = (0, 0.0f64, Vec::new());
    let mut expected = world.census().air_volume_m3;
    while done < args.carves {
        let closely = args.closely_from.unwrap_or(args.carves);
        let count = match done < closely {
            true => args
                .every
                .max(1)
                .min(closely - done)
                .min(args.carves - done),
            false => 1,
        };
        let mut brushes: Vec<Brush> = Vec::with_capacity(count);
        let mut ms = Vec::with_capacity(count);
        let mut faults = Vec::new();
        for _ in 0..count {
            let centre = sampler.pick(&world, &mut rng);
            let brush = lump(&mut rng, centre);
            let operation = ours::carve(&brush);
            let (report, took) = timed(|| world.apply(&operation, &mut Silent));
            ms.push(took);
            done += 1;
            match report {
                Ok(r) => {
                    // What fell has become air too.
                    let gained = r.volume_m3 + r.islands.iter().map(|i| i.volume_m3).sum::<f64>();
                    expected += gained;
                    if gained <= 0.0 {
                        faults.push(format!("carve {done} removed nothing"));
                    }
                    if !r.watertight {
                        faults.push(format!("carve {done} left the world open"));
                    }
                    // Nobody takes it back.
                    world.forget(&r.delta);
                }
                Err(e) => faults.push(format!("carve {done}: {e}")),
            }
            brushes.push(brush);
        }
        let census = world.census();
        faults.extend(world.validate().err().unwrap_or_default());
        if census.unmatched_edges + census.t_junctions + census.portal_mismatches > 0 {
            faults.push(format!("{census:?}"));
        }
        let air = census.air_volume_m3;
        if (air - expected).abs() > MOST_OFF * air {
            faults.push(format!("{expected} m³ by the reports"));
        }
        let (mut off, mut pieces) = (0.0, 0);
        if let Some(whole) = body.take() {
            let (rest, loose) = theirs::without_loose(whole.union(&theirs::union(&brushes)));
            off = (air - rest.volume()) / rest.volume();
            pieces = loose;
            body = Some(rest);
            if off.abs() > MOST_OFF {
                faults.push("the volumes differ".into());
            }
        }
        worst = worst.max(off.abs());
        let s = summary(&ms);
        println!(
            "| {done} | {:.3} | {:.3} | {:.3} | {} | {} | {} | {} | {air:.6} | {off:.1e} | {pieces} | {} |",
            s.p50,
            s.p99,
            s.max,
            census.triangles,
            census.faces,
            census.rooms,
            census.islands,
            faults.join("; ")
        );
        let _ = std::io::stdout().flush();
        all_ms.append(&mut ms);
        if !faults.is_empty() {
            println!("\nA fault at or before carve {done} of seed {}", args.seed);
            if let [brush] = &brushes[..] {
                println!("Corners of its brush: {:?}", brush.points);
            }
            return false;
        }
    }
    let s = summary(&all_ms);
    println!(
        "\n{done} carves without a fault, volumes within {worst:.1e}; mean {:.3} ms, p50 {:.3}, p99 {:.3}, max {:.3}, first tenth {:.3}, last tenth {:.3}; {} planes; hash {:016x}",
        s.mean,
        s.p50,
        s.p99,
        s.max,
        s.first,
        s.last,
        world.plane_count(),
        world.hash()
    );
    true
}

/// A cube in the middle of the block.
fn hole() -> Brush {
    let corner = |i: i64| I64Vec3::new(i & 1, i >> 1 & 1, i >> 2 & 1) * 2 - 1;
    let corners: Vec<I64Vec3> = (0..8)
        .map(|i| corner(i) * HALF_HOLE * GRID as i64)
        .collect();
    of_points(&corners)
}

fn block(hole: &Brush) -> World {
    let far = I64Vec3::splat(HALF_BLOCK * GRID as i64);
    let desc = WorldDesc {
        bounds: [-far, far],
        start_solid: true,
        rounded: false,
        solids: vec![],
        base: vec![ours::carve(hole)],
        later: vec![],
        starts: vec![],
        areaportals: vec![],
        materials: rooms::materials(),
    };
    match World::build(&desc, &BuildParams::default(), &mut Silent) {
        Ok(world) => world,
        Err(e) => panic!("the block: {e}"),
    }
}
