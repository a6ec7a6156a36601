//! The way out of a level that leaks: from a player start to the bounds, each leg in air, which here every triangle of the
//! level is asked about, and hardly longer than a thread pulled tight.
use breach::bvh::BuildParams;
use breach::carve::hull::hull_brush;
use breach::carve::{BrushDesc, Op, SideDesc};
use breach::geom::rng::Rng;
use breach::level::read_map;
use breach::timing::Silent;
use breach::world::{Material, Operation, World, WorldDesc};
use glam::{DVec3, I64Vec3};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Grid steps in a metre.
const GRID: f64 = 16384.0;
const M: i64 = 16384;

fn levels(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut list: Vec<PathBuf> = files
        .map(|f| f.path())
        .filter(|p| p.extension().is_some_and(|e| e == "map"))
        .collect();
    list.sort();
    list
}

fn desc(path: &Path) -> WorldDesc {
    let level = read_map(&std::fs::read(path).expect("a file")).expect("a level");
    (*level.world).clone()
}

fn built(desc: &WorldDesc) -> World {
    World::build(desc, &BuildParams::default(), &mut Silent).expect("a world")
}

/// A box between two corners, metres on the grid.
fn cuboid(lo: [f64; 3], hi: [f64; 3]) -> BrushDesc {
    let [lo, hi] = [lo, hi].map(|p| (DVec3::from(p) * GRID).as_i64vec3());
    let sides = [0, 1, 2].into_iter().flat_map(|k| {
        let (mut u, mut v) = (I64Vec3::ZERO, I64Vec3::ZERO);
        u[(k + 1) % 3] = M;
        v[(k + 2) % 3] = M;
        [[lo, lo + v, lo + u], [hi, hi + u, hi + v]]
    });
    let sides = sides.map(|points| SideDesc {
        points,
        material: 0,
    });
    BrushDesc {
        sides: sides.collect(),
    }
}

fn triangles(world: &World) -> Vec<[DVec3; 3]> {
    let rooms = (0..world.room_count() as u32).map(|id| &world.room(id).mesh);
    rooms
        .flat_map(|mesh| {
            let live = mesh.triangles.iter().filter(|t| t.is_live());
            live.map(|t| t.corners.map(|c| mesh.positions[c as usize]))
        })
        .collect()
}

/// Six times the volume of the tetrahedron.
fn volume(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    (b - a).cross(c - a).dot(d - a)
}

/// Whether a segment meets a triangle, from either side.
fn meets(p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let (from, to) = (volume(a, b, c, p), volume(a, b, c, q));
    if (from > 0.0) == (to > 0.0) {
        return false;
    }
    let around = [(a, b), (b, c), (c, a)].map(|(u, v)| volume(p, q, u, v));
    around.iter().all(|&x| x >= 0.0) || around.iter().all(|&x| x <= 0.0)
}

fn length(points: &[DVec3]) -> f64 {
    points.windows(2).map(|w| w[0].distance(w[1])).sum()
}

/// Holds the way out against all that it promises.
fn judge(name: &str, desc: &WorldDesc, world: &World) {
    let way = &world.leak;
    assert!(way.len() >= 2, "{name}: no way out");
    let is_start = |s: &I64Vec3| (s.as_dvec3() / GRID).distance(way[0]) < 1e-3;
    assert!(desc.starts.iter().any(is_start), "{name}: from {}", way[0]);
    let all = triangles(world);
    for leg in way.windows(2) {
        let crossed = all.iter().filter(|&&t| meets(leg[0], leg[1], t)).count();
        assert_eq!(crossed, 0, "{name}: {} to {}", leg[0], leg[1]);
    }
    let [lo, hi] = desc.bounds.map(|p| p.as_dvec3() / GRID);
    let end = way[way.len() - 1];
    let to_bounds = (end - lo).min(hi - end).min_element();
    assert!((0.0..1.0).contains(&to_bounds), "{name}: ends at {end}");
}

#[test]
fn real_levels_without_a_brush_show_a_way_out_through_air() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = levels(&root.join("../shared/levels"));
    if shared.is_empty() {
        let line = "NOT RUN: leak: ../shared/levels is absent\n";
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    // Eight brushes of each smaller level; more, and of all levels, with `SEEDS=100`.
    let seeds = std::env::var("SEEDS").ok().and_then(|s| s.parse().ok());
    let mut leaks = 0;
    for path in levels(&root.join("levels")).into_iter().chain(shared) {
        let whole = desc(&path);
        // Large levels take long to open in a debug build.
        if whole.start_solid || (seeds.is_none() && whole.solids.len() > 400) {
            continue;
        }
        for seed in 1..=seeds.unwrap_or(8) {
            let mut less = whole.clone();
            let left_out = Rng::new(seed).below(less.solids.len() as u64) as usize;
            less.solids.remove(left_out);
            let world = built(&less);
            if world.sealed == Some(false) {
                leaks += 1;
                let name = format!("{} without brush {left_out}", path.display());
                judge(&name, &less, &world);
            }
        }
    }
    println!("{leaks} leaks");
    assert!(leaks > 0, "nothing leaks");
}

/// A hole in a wall: from where to where along y and z, metres.
type Hole = [[f64; 2]; 2];

/// A room of 8 by 8 by 8 m; behind its wall towards +x more walls, a metre apart and half a metre thick, each with a
/// hole, a passage closed to the sides.
fn behind_walls(holes: &[Hole], start: DVec3) -> WorldDesc {
    let end = 8.0 + 1.5 * holes.len() as f64 - 1.0;
    let mut solids = vec![
        cuboid([-1.0, -1.0, -1.0], [end, 0.0, 9.0]),
        cuboid([-1.0, 8.0, -1.0], [end, 9.0, 9.0]),
        cuboid([-1.0, 0.0, -1.0], [end, 8.0, 0.0]),
        cuboid([-1.0, 0.0, 8.0], [end, 8.0, 9.0]),
        cuboid([-1.0, 0.0, 0.0], [0.0, 8.0, 8.0]),
    ];
    for (i, [y, z]) in holes.iter().enumerate() {
        let (near, far) = (8.0 + 1.5 * i as f64, 8.5 + 1.5 * i as f64);
        solids.extend([
            cuboid([near, 0.0, 0.0], [far, y[0], 8.0]),
            cuboid([near, y[1], 0.0], [far, 8.0, 8.0]),
            cuboid([near, y[0], 0.0], [far, y[1], z[0]]),
            cuboid([near, y[0], z[1]], [far, y[1], 8.0]),
        ]);
    }
    WorldDesc {
        rounded: false,
        bounds: [I64Vec3::splat(-17 * M), I64Vec3::splat(33 * M)],
        start_solid: false,
        solids,
        base: vec![],
        later: vec![],
        starts: vec![(start * GRID).as_i64vec3()],
        areaportals: vec![],
        materials: vec![Material {
            texture: "stone".into(),
            u: DVec3::X,
            v: DVec3::Y,
            offset: [0.0; 2],
            inner: false,
            hardness: 1.0,
        }],
    }
}

/// The length of the shortest way through such holes to the bounds: a thread through them is pulled tight.
fn thread(holes: &[Hole], start: DVec3) -> f64 {
    let mut points = vec![start];
    let mut limits = vec![[[start.y; 2], [start.z; 2]]];
    for (i, hole) in holes.iter().enumerate() {
        for side in [0.0, 0.5] {
            let [y, z] = hole.map(|[from, to]| (from + to) / 2.0);
            points.push(DVec3::new(8.0 + 1.5 * i as f64 + side, y, z));
            limits.push(*hole);
        }
    }
    points.push(DVec3::new(33.0, 4.0, 4.0));
    for _ in 0..2000 {
        for i in 1..points.len() {
            let before = points[i - 1];
            let Some((&after, [y, z])) = points.get(i + 1).zip(limits.get(i)) else {
                // Straight on to the bounds.
                points[i] = DVec3::new(33.0, before.y, before.z);
                continue;
            };
            let part = (points[i].x - before.x) / (after.x - before.x);
            let on_leg = before.lerp(after, part);
            points[i].y = on_leg.y.clamp(y[0], y[1]);
            points[i].z = on_leg.z.clamp(z[0], z[1]);
        }
    }
    length(&points)
}

#[test]
fn a_hole_of_any_size_anywhere_is_found_and_walked_through_around_corners() {
    let mut rng = Rng::new(3);
    for case in 0..40 {
        let walls = 1 + case % 4;
        let holes: Vec<Hole> = (0..walls)
            .map(|_| {
                // From a sixteenth of a unit to three metres, on the grid; slits and squares.
                let mut extent = || {
                    let size = libm::exp2(rng.range(-9.0, 1.6));
                    let from = rng.range(0.1, 7.9 - size);
                    [from, from + size].map(|x| (x * GRID).round() / GRID)
                };
                [extent(), extent()]
            })
            .collect();
        let start = DVec3::from_array([0, 1, 2].map(|_| rng.range(0.5, 7.5)));
        let desc = behind_walls(&holes, start);
        let world = built(&desc);
        let name = format!("case {case}, holes {holes:?}");
        assert_eq!(world.sealed, Some(false), "{name}");
        judge(&name, &desc, &world);
        let (found, least) = (length(&world.leak), thread(&holes, start));
        println!(
            "{case}: {found:.2} of {least:.2} m, {} points",
            world.leak.len()
        );
        assert!(found < 1.25 * least, "{name}: {found} m of {least} m");
        assert!(
            world.leak.len() <= 8 + 4 * walls,
            "{name}: {:?}",
            world.leak
        );
    }
}

#[test]
fn what_stands_on_the_floor_with_an_edge_is_gone_around() {
    // A wedge hangs from the ceiling down to its edge on the floor, from one wall to just before the other.
    let mut rng = Rng::new(5);
    for gap in [2.0, 0.3, 1.0 / 512.0] {
        let hole = [[2.0, 3.0], [0.5, 1.5]];
        let mut desc = behind_walls(&[hole], DVec3::new(1.0, 4.0, 1.0));
        let x = rng.range(2.5, 6.0);
        let ends = [0.0, 8.0 - gap].map(|z| {
            let corners = [[x, 0.0, z], [x - 1.0, 8.0, z], [x + 0.7, 8.0, z]];
            corners.map(|p| (DVec3::from(p) * GRID).round().as_i64vec3())
        });
        let wedge = hull_brush(ends.as_flattened(), 0).expect("a wedge");
        desc.solids.push(wedge);
        let world = built(&desc);
        judge(&format!("a gap of {gap} m"), &desc, &world);
        let passes = world.leak.iter().any(|p| p.z > 8.0 - gap);
        assert!(passes, "{:?}", world.leak);
    }
}

#[test]
fn a_hole_that_a_later_fill_plugs_leaks_all_the_same() {
    let hole = [[3.0, 3.5], [6.0, 6.25]];
    let mut desc = behind_walls(&[hole], DVec3::new(1.0, 4.0, 1.0));
    let open = built(&desc);
    let plug = cuboid([7.5, 2.0, 5.0], [9.0, 5.0, 7.5]);
    desc.base.push(Operation {
        op: Op::Fill,
        brushes: vec![plug],
    });
    let world = built(&desc);
    assert_eq!(world.sealed, Some(false));
    assert_eq!(world.leak, open.leak);
    // Beside the hole it is in nobody's way, but for the leg that went there.
    desc.base[0].brushes = vec![cuboid([4.0, 0.0, 0.0], [4.5, 8.0, 7.5])];
    let world = built(&desc);
    judge("a wall that seals nothing", &desc, &world);
}

#[test]
fn walls_painted_like_the_bounds_seal_a_level() {
    let mut desc = behind_walls(&[[[3.0, 3.5], [6.0, 6.25]]], DVec3::splat(4.0));
    desc.materials[0] = Material {
        texture: "bedrock".into(),
        u: DVec3::Z * 32.0,
        v: DVec3::Y * -32.0,
        ..desc.materials[0].clone()
    };
    assert_eq!(built(&desc).sealed, Some(false));
    desc.solids.push(cuboid([8.0, 3.0, 6.0], [8.5, 3.5, 6.25]));
    let world = built(&desc);
    assert_eq!((world.sealed, world.leak.len()), (Some(true), 0));
}

#[test]
fn a_level_is_left_from_the_start_that_is_nearest_to_its_hole() {
    let hole = [[3.0, 3.5], [6.0, 6.25]];
    let mut desc = behind_walls(&[hole], DVec3::new(1.0, 4.0, 1.0));
    let near = DVec3::new(7.0, 3.0, 6.0);
    desc.starts.push((near * GRID).as_i64vec3());
    desc.starts
        .push((DVec3::new(1.0, 1.0, 7.0) * GRID).as_i64vec3());
    let world = built(&desc);
    judge("three starts", &desc, &world);
    assert!(world.leak[0].distance(near) < 1e-3, "{}", world.leak[0]);
}
