//! How long it takes to hand a host the triangles that a carve has changed: `cargo bench -p breach-core --bench hand_over`.
//!
//! A room of 20,000 and one of 200,000 triangles, none of them coplanar with its neighbours; 400 balls are carved out of
//! the walls of each. Timed is [`SurfaceTracker::update`] after each carve, and nothing else; the carve is timed apart.
use breach_core::bvh::BuildParams;
use breach_core::geom::rng::Rng;
use breach_core::stage::Silent;
use breach_core::world::{
    BrushDesc, EditError, GRID, Material, SurfaceDesc, SurfaceTracker, World, WorldError,
};
use glam::{DVec3, I64Vec3};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Metres from wall to wall.
const SIZE: f64 = 32.0;
const CARVES: usize = 400;

/// A room whose six walls are `n` by `n` quads, cut into two triangles each and dented by up to 12 cm.
fn room(n: i64) -> Result<World, WorldError> {
    let metre = GRID as i64;
    let size = (SIZE as i64) * metre;
    let mut desc = SurfaceDesc {
        bounds: [I64Vec3::splat(-4 * metre), I64Vec3::splat(size + 4 * metre)],
        points: vec![],
        triangles: vec![],
        materials: vec![Material::default()],
        material: 0,
    };
    let mut rng = Rng::new(1);
    let mut dents: BTreeMap<[i64; 3], I64Vec3> = BTreeMap::new();
    for side in 0..6 {
        let (axis, is_high) = (side / 2, side % 2 == 1);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for i in 0..n * n {
            let mut corner = |a: i64, b: i64| {
                let mut p = [0; 3];
                (p[axis], p[u], p[v]) = (if is_high { n } else { 0 }, i % n + a, i / n + b);
                let dent = *dents.entry(p).or_insert_with(|| {
                    I64Vec3::from_array([0; 3].map(|_| rng.below(2001) as i64 - 1000))
                });
                I64Vec3::from_array(p) * size / n + dent
            };
            let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            if is_high {
                quad.reverse();
            }
            let first = desc.points.len() as u32;
            desc.points.extend(quad);
            desc.triangles
                .extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|c| first + c)));
        }
    }
    World::from_surface(&desc, &BuildParams::default(), &mut Silent)
}

fn report(name: &str, times: &mut [Duration]) {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
    println!(
        "  {name:9} median {:8.1} µs, 99th percentile {:8.1} µs, most {:8.1} µs",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn main() -> Result<(), EditError> {
    for n in [41, 129] {
        let mut world = room(n)?;
        let mut surface = SurfaceTracker::default();
        let all = surface.update(&world).changed.len();
        println!("a room of {all} triangles in {} cells", world.room_count());
        let mut rng = Rng::new(2);
        let (mut carves, mut updates, mut handed, mut most) = (vec![], vec![], 0, 0);
        while updates.len() < CARVES {
            // Along one of the axes from the middle: at a wall.
            let mut at = DVec3::from_array([0; 3].map(|_| rng.range(1.0, SIZE - 1.0)));
            at[rng.below(3) as usize] = [0.0, SIZE][rng.below(2) as usize];
            let ball = BrushDesc::ball(at, rng.range(0.3, 1.0))?;
            let began = Instant::now();
            let done = world.carve(&ball);
            let took = began.elapsed();
            match done {
                // Earlier holes have taken the wall away there.
                Err(EditError::NoEffect(_)) => continue,
                done => drop(done?),
            }
            carves.push(took);
            let began = Instant::now();
            let changes = surface.update(&world);
            updates.push(began.elapsed());
            let count = changes.changed.len() + changes.removed.len();
            (handed, most) = (handed + count, most.max(count));
        }
        println!(
            "  {} changed triangles a carve, {most} at most",
            handed / CARVES
        );
        report("carve", &mut carves);
        report("hand over", &mut updates);
    }
    Ok(())
}
