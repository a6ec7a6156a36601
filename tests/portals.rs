//! Through a portal everything is as if the two rooms were one: the same level with more and more cuts gives the same
//! hits and misses, at the same fractions. Also through what borders leave behind: their edges and corners, where a face
//! is in two rooms or a portal has its rim.
//!
//! The same fraction is one within 1e-11, also where a border crosses a slanted face: its points are rounded to 2^-42 m.
use breach::bvh::{BuildParams, QueryStats};
use breach::geom::rng::Rng;
use breach::level::read_map;
use breach::timing::Silent;
use breach::world::{BrushDesc, CastHit, Op, Operation, SideDesc, World, WorldDesc};
use glam::{DVec3, I64Vec3};

fn level(name: &str) -> WorldDesc {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let level = read_map(&std::fs::read(&path).expect(&path));
    level.expect(&path).world.take()
}

/// The level with so many more cuts across each axis, evenly spaced, where a room is thick enough.
fn cut(level: &WorldDesc, cuts: i64) -> World {
    let mut desc = level.clone();
    let [low, high] = desc.bounds;
    for (axis, i) in (0..3).flat_map(|axis| (1..=cuts).map(move |i| (axis, i))) {
        let at = low[axis] + (high[axis] - low[axis]) * i / (cuts + 1);
        let (mut from, mut to) = (low, high);
        (from[axis], to[axis]) = (at - 1, at + 1);
        desc.areaportals.push([from, to]);
    }
    World::build(&desc, &BuildParams::default(), &mut Silent).expect("a world")
}

/// Two kinds of points: anywhere in the air; and on rims, corners and edges of portals and faces.
struct Places {
    low: DVec3,
    high: DVec3,
    marks: Vec<DVec3>,
}

impl Places {
    fn of(whole: &World, parted: &World) -> Self {
        let mut marks = Vec::new();
        for world in [whole, parted] {
            for rim in world.portals().iter().flat_map(|p| &p.loops) {
                let ends = rim.iter().zip(rim.iter().cycle().skip(1));
                marks.extend(ends.flat_map(|(&a, &b)| [a, (a + b) * 0.5]));
            }
            for room in 0..world.room_count() as u32 {
                let mesh = &world.room(room).mesh;
                for t in mesh.triangles.iter().filter(|t| t.is_live()) {
                    let [a, b, _] = t.corners.map(|c| mesh.positions[c as usize]);
                    marks.extend([a, (a + b) * 0.5]);
                }
            }
        }
        let bounds = whole.bounds();
        Self {
            low: bounds.min,
            high: bounds.max,
            marks,
        }
    }

    /// A start in the air, some in contact, and an end that may be aimed at a mark, or through it.
    fn path(&self, world: &World, rng: &mut Rng) -> [DVec3; 2] {
        let mark = self.marks[rng.below(self.marks.len() as u64) as usize];
        let from = loop {
            let p = if rng.below(2) == 0 {
                let share = DVec3::new(rng.unit_f64(), rng.unit_f64(), rng.unit_f64());
                self.low + (self.high - self.low) * share
            } else {
                mark + rng.unit_vector() * rng.range(0.5, 4.0)
            };
            if world.locate(p).is_some() {
                break p;
            }
        };
        let to = match rng.below(3) {
            0 => from + rng.unit_vector() * rng.range(0.1, 30.0),
            1 => mark,
            _ => from + (mark - from) * rng.range(1.0, 3.0),
        };
        [from, to]
    }
}

/// How two answers differ: in words, or metres along the way.
fn differ(a: Option<CastHit>, b: Option<CastHit>, length: f64) -> Result<f64, String> {
    match (a, b) {
        (None, None) => Ok(0.0),
        (Some(a), Some(b)) => Ok((a.fraction - b.fraction).abs() * length),
        // What is met at the very end may be met or not.
        (Some(hit), None) | (None, Some(hit)) if (1.0 - hit.fraction) * length < 1e-9 => Ok(0.0),
        (a, b) => Err(format!("{a:?}\n{b:?}")),
    }
}

fn ask(world: &World, [from, to]: [DVec3; 2], radius: f64) -> Option<CastHit> {
    let stats = &mut QueryStats::default();
    match radius {
        0.0 => world.cast_ray(from, to, stats),
        _ => world.sweep_sphere(from, to, radius, stats),
    }
}

/// Whether the answer stays as it is when the path is moved by a nanometre: else it grazes something, and which side of
/// it is a matter of rounding.
fn is_firm(world: &World, path: [DVec3; 2], radius: f64) -> bool {
    let answer = ask(world, path, radius);
    let length = path[0].distance(path[1]);
    let ways = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    ways.into_iter().all(|way| {
        let moved = ask(world, path.map(|p| p + way * 1e-9), radius);
        differ(answer, moved, length).is_ok_and(|apart| apart < 1e-6)
    })
}

/// Answers may be apart by this much of the way. Rays weigh a triangle's corners by areas, so on one that is half a step of the
/// grid wide and metres long rounding moves the point by some 1e-12 m along the ray; which such triangles there are depends on
/// how faces are cut.
const APART: f64 = 1e-11;

fn compare(name: &str, level: &WorldDesc, count: u64) {
    let whole = cut(level, 0);
    for cuts in [2, 5, 9] {
        let parted = cut(level, cuts);
        assert!(parted.room_count() > whole.room_count());
        let places = Places::of(&whole, &parted);
        let mut rng = Rng::new(cuts as u64);
        let (mut worst, mut hits, mut grazes) = (0.0f64, 0, 0);
        for i in 0..count {
            let radius = [0.0, 0.02, 0.3, 0.7][i as usize % 4];
            let path = places.path(&whole, &mut rng);
            let [one, two] = [&whole, &parted].map(|world| ask(world, path, radius));
            hits += u64::from(one.is_some());
            let length = path[0].distance(path[1]);
            let apart = differ(one, two, length);
            if let Ok(apart) = apart
                && apart <= APART * length
            {
                worst = worst.max(apart / length);
                continue;
            }
            if !is_firm(&whole, path, radius) || !is_firm(&parted, path, radius) {
                grazes += 1;
                continue;
            }
            panic!("{path:?}, {radius}: {apart:?}, {one:?} {two:?}");
        }
        println!(
            "{name}, {} rooms against {}: {hits} hits of {count}, {grazes} graze; apart by {worst:e} of the way",
            parted.room_count(),
            whole.room_count()
        );
        assert!(hits > count / 4 && grazes < count / 50);
    }
}

#[test]
fn more_rooms_give_the_same_answers_where_walls_are_straight() {
    let mut blocks = vec![];
    for (x, z) in [(-4, -3), (-1, 2), (2, -2), (4, 3), (0, -5)] {
        blocks.push(block([x, -2, z], [x + 1, 2 - x.abs() % 3, z + 2]));
    }
    let mut level = hall();
    level.base.push(Operation {
        op: Op::Fill,
        brushes: blocks,
    });
    compare("hall", &level, 20_000);
}

#[test]
fn more_rooms_give_the_same_answers_where_walls_are_slanted() {
    compare("pillars", &level("pillars"), 10_000);
    compare("bunker", &level("bunker"), 20_000);
}

/// No ray leaves a closed room through an edge, a corner or the rim of a portal.
#[test]
fn nothing_leaks_out_at_borders() {
    let level = level("bunker");
    let world = cut(&level, 7);
    let places = Places::of(&world, &world);
    let far = world.bounds().diagonal() * 2.0;
    let mut rng = Rng::new(4);
    for _ in 0..40_000 {
        let [from, to] = places.path(&world, &mut rng);
        let Some(way) = (to - from).try_normalize() else {
            continue;
        };
        let hit = world.cast_ray(from, from + way * far, &mut QueryStats::default());
        assert!(hit.is_some(), "{from:?} towards {to:?}");
    }
}

/// Borders of rooms are no seams: a ball that rolls over them meets nothing.
#[test]
fn a_ball_rolls_over_borders_without_a_bump() {
    let level = hall();
    let world = cut(&level, 5);
    assert!(world.room_count() > 100, "{} rooms", world.room_count());
    let mut rng = Rng::new(1);
    let stats = &mut QueryStats::default();
    for _ in 0..20_000 {
        let radius = rng.range(0.05, 0.5);
        let mut place = |height: f64| {
            DVec3::new(
                rng.range(-5.0, 5.0),
                -2.0 + radius + height,
                rng.range(-5.0, 5.0),
            )
        };
        let (from, to) = (place(0.0), place(0.0));
        assert_eq!(world.sweep_sphere(from, to, radius, stats), None, "along");
        let down = to - DVec3::Y * 0.1;
        let hit = world
            .sweep_sphere(from, down, radius, stats)
            .expect("inwards");
        // Where it stands is rounded.
        assert!(hit.fraction < 1e-12 && hit.normal == DVec3::Y, "{hit:?}");
        let high = from + DVec3::Y * 0.3;
        let hit = world
            .sweep_sphere(high, down, radius, stats)
            .expect("falls");
        assert_eq!(hit.normal, DVec3::Y);
    }
}

/// 12 × 4 × 12 m of air in rock.
fn hall() -> WorldDesc {
    let mut level = level("bunker");
    level.solids.clear();
    level.base = vec![Operation {
        op: Op::Carve,
        brushes: vec![block([-6, -2, -6], [6, 2, 6])],
    }];
    level.starts.clear();
    level.areaportals.clear();
    level.start_solid = true;
    level.bounds = [I64Vec3::splat(-8 * 16384), I64Vec3::splat(8 * 16384)];
    level
}

/// A box in metres.
fn block(low: [i64; 3], high: [i64; 3]) -> BrushDesc {
    let ends = [low, high].map(|end| end.map(|c| c * 16384));
    let p = |x: usize, y: usize, z: usize| I64Vec3::new(ends[x][0], ends[y][1], ends[z][2]);
    let side = |points| SideDesc {
        points,
        material: 0,
    };
    BrushDesc {
        sides: vec![
            side([p(0, 0, 0), p(0, 0, 1), p(0, 1, 0)]),
            side([p(1, 0, 0), p(1, 1, 0), p(1, 0, 1)]),
            side([p(0, 0, 0), p(1, 0, 0), p(0, 0, 1)]),
            side([p(0, 1, 0), p(0, 1, 1), p(1, 1, 0)]),
            side([p(0, 0, 0), p(0, 1, 0), p(1, 0, 0)]),
            side([p(0, 0, 1), p(1, 0, 1), p(0, 1, 1)]),
        ],
    }
}
