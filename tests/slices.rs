//! Carves too large for a tick: in slices they are the carve at once, and until they are done nothing is seen of them.
use breach::bvh::{BuildParams, QueryStats, SplitRule};
use breach::carve::shape::{Placement, Shape, axes, brush};
use breach::carve::{Op, blast};
use breach::geom::rng::Rng;
use breach::level::read_map;
use breach::timing::Silent;
use breach::world::{
    CarveReport, CastHit, Operation, Revision, RoomId, WorkBudget, World, WorldError,
};
use glam::DVec3;

/// A level of ours, or one of the public ones where they are.
fn level(path: &str, rockets: u32) -> Option<World> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("{path} is not there");
        return None;
    };
    let desc = read_map(&bytes).expect("a sound level").world;
    let mut world = World::build(&desc, &BuildParams::default(), &mut Silent).expect("a world");
    let mut rng = Rng::new(5);
    for _ in 0..rockets {
        let from = air(&world, &mut rng);
        let to = from + rng.unit_vector() * 200.0;
        if let Some(hit) = world.cast_ray(from, to, &mut QueryStats::default()) {
            let at = (hit.point * 1024.0).round().as_i64vec3() * 16;
            let brushes = blast::blast(at, 1.5, blast::BlastShape::Rock, rng.next_u64(), 0);
            let _ = world.apply(&carve(brushes), &mut Silent);
        }
    }
    Some(world)
}

fn carve(brushes: Vec<breach::carve::BrushDesc>) -> Operation {
    Operation {
        op: Op::Carve,
        brushes,
    }
}

fn air(world: &World, rng: &mut Rng) -> DVec3 {
    let bounds = world.bounds();
    loop {
        let p = rng.in_box(&bounds);
        if world.locate(p).is_some() {
            return p;
        }
    }
}

/// 20 m across, turned.
fn large(shape: Shape, at: DVec3) -> Operation {
    let place = Placement {
        at: at - DVec3::Y * 10.0,
        axes: axes(DVec3::Y, [0.3, 0.2, 0.1]).expect("a direction"),
        size: 20.0,
        depth: 20.0,
    };
    carve(vec![brush(shape, &place, 0).expect("within the grid")])
}

/// What rays, sweeps and points tell; triangles' numbers are no part of it.
#[derive(Debug, PartialEq)]
struct Seen {
    hash: u64,
    revision: Revision,
    hits: Vec<Option<(DVec3, DVec3, RoomId)>>,
    rooms: Vec<Option<RoomId>>,
    portals: Vec<(f64, Option<Revision>)>,
    revisions: Vec<Revision>,
}

impl Seen {
    /// With every revision that is later than this one as one: two clones that change alike have revisions of their own.
    fn since(mut self, start: Revision, later: Revision) -> Seen {
        let born = self.portals.iter_mut().filter_map(|p| p.1.as_mut());
        let all = self.revisions.iter_mut().chain(born);
        for revision in all.chain([&mut self.revision]) {
            *revision = if *revision > start { later } else { *revision };
        }
        self
    }
}

fn look(world: &World, near: DVec3) -> Seen {
    let mut rng = Rng::new(11);
    let (mut hits, mut rooms) = (Vec::new(), Vec::new());
    let told = |h: Option<CastHit>| h.map(|h| (h.point, h.normal, h.room));
    for _ in 0..24 {
        let from = near + rng.unit_vector() * rng.range(0.0, 14.0);
        let to = from + rng.unit_vector() * 30.0;
        let stats = &mut QueryStats::default();
        hits.push(told(world.cast_ray(from, to, stats)));
        hits.push(told(world.sweep_sphere(from, to, 0.3, stats)));
        rooms.push(world.locate(from));
    }
    let ids = 0..world.room_count() as RoomId;
    Seen {
        hash: world.hash(),
        revision: world.revision(),
        hits,
        rooms,
        portals: world
            .portals()
            .iter()
            .map(|p| (p.area_m2, p.born))
            .collect(),
        revisions: ids.map(|r| world.room(r).revision).collect(),
    }
}

fn told(r: &CarveReport) -> impl PartialEq + std::fmt::Debug {
    let islands: Vec<f64> = r.islands.iter().map(|i| i.volume_m3).collect();
    (
        (r.rooms.clone(), r.volume_m3, r.faces, r.watertight),
        (r.portals_opened.clone(), islands, r.material),
    )
}

/// In slices of so many units: what is seen stays as it was, and then is what [`World::apply`] makes of it.
fn check_slices(world: &World, operation: &Operation, near: DVec3, units: u64) -> usize {
    let mut at_once = world.clone();
    let expected = at_once.apply(operation, &mut Silent).expect("in bounds");
    let mut world = world.clone();
    let (before, census) = (look(&world, near), world.census());
    world.begin(operation).expect("in bounds");
    let (mut slices, mut part) = (0, 0.0);
    let report = loop {
        if let Some(done) = world.advance(&mut WorkBudget::new(units), &mut Silent) {
            break done.expect("in bounds");
        }
        slices += 1;
        let now = world.part_done().expect("under way");
        assert!(part <= now && now <= 1.0, "{part} then {now}");
        part = now;
        assert_eq!(
            world.apply(operation, &mut Silent).err(),
            Some(WorldError::Busy)
        );
        assert_eq!(world.begin(operation).err(), Some(WorldError::Busy));
        assert_eq!(world.preview(operation).err(), Some(WorldError::Busy));
        if slices < 4 || slices % 16 == 0 {
            assert_eq!(look(&world, near), before);
        }
        if slices == 3 {
            assert_eq!((world.census(), world.validate()), (census, Ok(())));
        }
    };
    assert_eq!(world.part_done(), None);
    assert_eq!(told(&report), told(&expected));
    assert_eq!(world.census(), at_once.census());
    let later = Revision::next();
    let [sliced, whole] = [&world, &at_once].map(|w| look(w, near).since(before.revision, later));
    assert_eq!(sliced, whole);
    assert_eq!(world.validate(), Ok(()));
    let undone = world.revert(report.delta, &mut Silent);
    assert_eq!(world.hash(), before.hash);
    world.revert(undone.delta, &mut Silent);
    assert_eq!(world.hash(), at_once.hash());
    slices
}

#[test]
fn a_20_m_brush_in_slices_is_the_carve_at_once_and_unseen_until_then() {
    for (path, rockets) in [
        ("levels/bunker.map", 0),
        ("levels/bunker.map", 60),
        ("../shared/levels/lq_e2m4.map", 20),
    ] {
        let Some(world) = level(path, rockets) else {
            continue;
        };
        let mut rng = Rng::new(3);
        for (shape, units) in [(Shape::Ball, 1), (Shape::Box, 1), (Shape::Box, 9_000)] {
            let near = air(&world, &mut rng);
            let slices = check_slices(&world, &large(shape, near), near, units);
            let least = if units == 1 { 4 } else { 1 };
            assert!(slices >= least, "{path}: {slices} slices of {units}");
        }
    }
}

#[test]
fn a_carve_dropped_at_any_step_never_was() {
    let world = level("levels/bunker.map", 30).expect("ours");
    let near = air(&world, &mut Rng::new(8));
    let operation = large(Shape::Ball, near);
    let mut expected = world.clone();
    expected.apply(&operation, &mut Silent).expect("in bounds");
    let before = (look(&world, near), world.census());
    let mut world = world;
    for steps in [0, 1, 2, 5, 9, 14, 20, 30, 45, 70] {
        world.begin(&operation).expect("in bounds");
        let mut step = || {
            world
                .advance(&mut WorkBudget::new(1), &mut Silent)
                .is_none()
        };
        if !(0..steps).all(|_| step()) {
            break;
        }
        world.abandon();
        assert_eq!(
            (look(&world, near), world.census()),
            before,
            "after {steps} steps"
        );
    }
    world.abandon();
    let mut world = world;
    if world.hash() == before.0.hash {
        world.apply(&operation, &mut Silent).expect("in bounds");
    }
    assert_eq!((world.hash(), world.validate()), (expected.hash(), Ok(())));
}

#[test]
fn an_undo_drops_what_is_under_way_and_new_trees_leave_it() {
    let mut world = level("levels/bunker.map", 0).expect("ours");
    let mut rng = Rng::new(4);
    let (first, second) = (air(&world, &mut rng), air(&world, &mut rng));
    let start = world.hash();
    let done = world
        .apply(&large(Shape::Box, first), &mut Silent)
        .expect("in bounds");
    let after = world.clone();
    world.begin(&large(Shape::Ball, second)).expect("in bounds");
    assert!(
        world
            .advance(&mut WorkBudget::new(5_000), &mut Silent)
            .is_none()
    );
    let undone = world.revert(done.delta, &mut Silent);
    assert_eq!((world.hash(), world.part_done()), (start, None));
    world.revert(undone.delta, &mut Silent);
    assert_eq!(world.hash(), after.hash());

    let params = BuildParams {
        split: SplitRule::Median,
        ..BuildParams::default()
    };
    let mut expected = after.clone();
    expected
        .apply(&large(Shape::Ball, second), &mut Silent)
        .expect("in bounds");
    world.begin(&large(Shape::Ball, second)).expect("in bounds");
    let mut left = 3;
    while world
        .advance(&mut WorkBudget::new(1), &mut Silent)
        .is_none()
    {
        let rooms_drawn = world.part_done().is_some_and(|part| part > 0.8);
        if rooms_drawn && left > 0 {
            left -= 1;
            world.rebuild_trees(&params, &mut Silent);
        }
    }
    assert_eq!(look(&world, second).hits, look(&expected, second).hits);
    assert_eq!((world.hash(), world.validate()), (expected.hash(), Ok(())));
}

#[test]
fn too_little_memory_refuses_at_the_end_and_nothing_has_changed() {
    let mut world = level("levels/bunker.map", 0).expect("ours");
    let near = air(&world, &mut Rng::new(8));
    let before = (look(&world, near), world.census());
    world.budget_bytes = world.bytes();
    world.begin(&large(Shape::Ball, near)).expect("in bounds");
    let refused = loop {
        if let Some(done) = world.advance(&mut WorkBudget::new(2_000), &mut Silent) {
            break done.err();
        }
    };
    assert!(
        matches!(refused, Some(WorldError::Budget { .. })),
        "{refused:?}"
    );
    assert_eq!((look(&world, near), world.census()), before);
    let outside = large(Shape::Ball, DVec3::splat(900.0));
    assert_eq!(world.begin(&outside).err(), Some(WorldError::OutsideBounds));
    assert!(
        world
            .advance(&mut WorkBudget::new(9), &mut Silent)
            .is_none()
    );
}
