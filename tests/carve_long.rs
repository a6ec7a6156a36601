//! A thousand carves one after another, each on the surface that the ones before left. (`cargo run --release -p peers --
//! long` does a hundred thousand, with another kernel to compare volumes with.)
mod carving;

use breach::carve::Op;
use breach::geom::rng::Rng;
use breach::timing::Silent;
use breach::world::World;
use carving::{Watch, brush, check_carved, lump, one, rock};
use glam::DVec3;

const CARVES: usize = 1000;
const SEED: u64 = 1;

/// A place on the surface, in any room of those that have some.
fn place(world: &World, rng: &mut Rng) -> DVec3 {
    let rooms: Vec<_> = (0..world.room_count() as u32)
        .map(|r| world.room(r))
        .filter(|r| r.triangle_count > 0)
        .collect();
    let mesh = &rooms[rng.below(rooms.len() as u64) as usize].mesh;
    let live: Vec<_> = mesh.triangles.iter().filter(|t| t.is_live()).collect();
    let t = live[rng.below(live.len() as u64) as usize];
    let [a, b, c] = t.corners.map(|p| mesh.positions[p as usize]);
    let (u, v) = (rng.unit_f64(), rng.unit_f64());
    a + (b - a) * (u * (1.0 - v)) + (c - a) * v
}

#[test]
fn a_thousand_carves_leave_a_sound_world_with_the_air_of_their_brushes() {
    let half = 24;
    let mut world = rock(half, &[[[-3; 3], [3; 3]]]);
    let mut rng = Rng::new(SEED);
    let mut watch = Watch::new(&world, &mut Rng::new(SEED + 1), 20_000);
    let mut expected = world.census().air_volume_m3;
    for carve in 1..=CARVES {
        let centre = place(&world, &mut rng);
        let points = lump(&mut rng, centre, 1.0);
        let operation = one(Op::Carve, &brush(&points).expect("not flat"));
        let report = world.apply(&operation, &mut Silent).expect("in the block");
        let fell: f64 = report.islands.iter().map(|i| i.volume_m3).sum();
        assert!(report.watertight, "carve {carve} of seed {SEED}");
        assert!(
            0.0 < report.volume_m3 + fell,
            "carve {carve} of seed {SEED}"
        );
        expected += report.volume_m3 + fell;
        watch.note(&operation, &report);
        if carve % 100 == 0 {
            check_carved(&world);
            assert_eq!(watch.faults(&world), vec![], "carve {carve} of seed {SEED}");
        }
    }
    let air = world.census().air_volume_m3;
    assert!(
        (air - expected).abs() < 1e-9 * air,
        "{air} m3, {expected} by the reports"
    );
    // By the brushes' planes alone: as many random points lie in the air as its volume says, within five deviations.
    let block = (2.0 * half as f64).powi(3);
    let part = air / block;
    let deviation = (part * (1.0 - part) / 20_000.0).sqrt();
    assert!(
        (watch.air() - part).abs() < 5.0 * deviation,
        "{} of {part}",
        watch.air()
    );
}
