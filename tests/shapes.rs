//! Every shape of the tools through the whole program: taken out of solid rock exactly, saved and read back as the same
//! world, refused in words where it cannot be; and what is unbreakable stays whole.
use breach::carve::shape::{Placement, Shape, ShapeError, axes, brush, hull, verify};
use breach::carve::{BrushDesc, Op, SideDesc};
use breach::level::{LevelDesc, SavedOperation, read_map, write_map};
use breach::sim::{Action, Command, Settings, Sim, StepReport, Tool, ToolShape};
use breach::timing::Silent;
use breach::world::{Material, Operation, World, WorldDesc, WorldError};
use glam::{DVec3, I64Vec3};
use proptest::prelude::*;

const GRID: f64 = 16384.0;

fn rock() -> World {
    rock_around(vec![])
}

/// Rock with these brushes in it, unbreakable.
fn rock_around(solids: Vec<BrushDesc>) -> World {
    let desc = WorldDesc {
        bounds: [I64Vec3::splat(-64 * 16384), I64Vec3::splat(64 * 16384)],
        start_solid: true,
        rounded: false,
        solids,
        base: vec![],
        later: vec![],
        starts: vec![],
        areaportals: vec![],
        materials: [1.0, f64::INFINITY]
            .map(|hardness| Material {
                hardness,
                ..breach::level::inner("rock")
            })
            .to_vec(),
    };
    World::build(&desc, &Default::default(), &mut Silent).expect("rock")
}

/// Volume of a convex brush, cubic metres, in f64 and without the hull that made it: every corner is a meet of three
/// planes that lies inside all others, and each side is a fan of its corners.
fn volume(brush: &BrushDesc) -> f64 {
    let origin = brush.sides[0].points[0].as_dvec3();
    let plane = |side: &SideDesc| {
        let [a, b, c] = side.points.map(|p| (p.as_dvec3() - origin) / GRID);
        let n = (b - a).cross(c - a).normalize();
        (n, n.dot(a))
    };
    let planes: Vec<(DVec3, f64)> = brush.sides.iter().map(plane).collect();
    let mut corners: Vec<DVec3> = Vec::new();
    for side in &brush.sides {
        corners.extend(side.points.map(|p| (p.as_dvec3() - origin) / GRID));
    }
    for (i, a) in planes.iter().enumerate() {
        for (j, b) in planes.iter().enumerate().skip(i + 1) {
            let along = a.0.cross(b.0);
            if along.length() < 1e-9 {
                continue;
            }
            for c in &planes[j + 1..] {
                let w = along.dot(c.0);
                if w.abs() < 1e-9 {
                    continue;
                }
                let p = (b.0.cross(c.0) * a.1 + c.0.cross(a.0) * b.1 + along * c.1) / w;
                if planes.iter().all(|(n, d)| n.dot(p) <= d + 1e-9) {
                    corners.push(p);
                }
            }
        }
    }
    let mut sum = 0.0;
    for (n, d) in &planes {
        let mut on: Vec<DVec3> = Vec::new();
        for p in corners.iter().filter(|p| (n.dot(**p) - d).abs() < 1e-9) {
            if !on.iter().any(|q| q.distance(*p) < 1e-7) {
                on.push(*p);
            }
        }
        let middle = on.iter().sum::<DVec3>() / on.len() as f64;
        let x = n.any_orthonormal_vector();
        let y = n.cross(x);
        on.sort_by(|p, q| {
            let angle = |p: &DVec3| libm::atan2((p - middle).dot(y), (p - middle).dot(x));
            angle(p).total_cmp(&angle(q))
        });
        for k in 0..on.len() {
            let (p, q) = (on[k] - middle, on[(k + 1) % on.len()] - middle);
            sum += p.cross(q).dot(*n) * d / 6.0;
        }
    }
    sum
}

fn carve(brush: BrushDesc) -> Operation {
    Operation {
        op: Op::Carve,
        brushes: vec![brush],
    }
}

/// Carved out of rock the shape leaves exactly its volume; again, nothing changes; filled, the rock is whole again.
fn check_in_rock(brush: BrushDesc) {
    assert_eq!(verify(&brush), Ok(()));
    let expected = volume(&brush);
    let mut world = rock();
    let before = world.hash();
    let report = world
        .apply(&carve(brush.clone()), &mut Silent)
        .expect("accepted");
    let off = (report.volume_m3 - expected).abs();
    assert!(
        off <= 1e-9 * expected + 1e-12,
        "{} and not {expected}",
        report.volume_m3
    );
    assert_eq!(report.faces as usize, brush.sides.len());
    assert_eq!(world.validate(), Ok(()));
    let hash = world.hash();
    let again = world
        .apply(&carve(brush.clone()), &mut Silent)
        .expect("accepted");
    assert_eq!((again.faces, world.hash()), (0, hash));
    let fill = Operation {
        op: Op::Fill,
        brushes: vec![brush],
    };
    world.apply(&fill, &mut Silent).expect("accepted");
    assert_eq!(world.hash(), before);
}

/// In rock alone: what `hard` still takes after `soft` is what they do not share.
fn check_spared(hard: BrushDesc, soft: BrushDesc) {
    let mut plain = rock();
    let take =
        |world: &mut World, brush: &BrushDesc| world.apply(&carve(brush.clone()), &mut Silent);
    let whole = take(&mut plain, &soft).expect("accepted").volume_m3;
    let rest = take(&mut plain, &hard).expect("accepted").volume_m3;
    let expected = whole - (volume(&hard) - rest);
    let mut world = rock_around(vec![hard.clone()]);
    let hash = world.hash();
    match take(&mut world, &soft) {
        Err(WorldError::Unbreakable) => {
            assert!(expected.abs() < 1e-9, "{expected}");
            assert_eq!(world.hash(), hash);
        }
        done => {
            let taken = done.expect("accepted").volume_m3;
            assert!(
                (taken - expected).abs() < 1e-9 * (1.0 + whole),
                "{taken} and not {expected}"
            );
        }
    }
    assert_eq!(world.validate(), Ok(()));
    let hash = world.hash();
    // Again, and the hard one itself: nothing.
    if let Ok(again) = take(&mut world, &soft) {
        assert_eq!(again.volume_m3, 0.0);
    }
    assert_eq!(take(&mut world, &hard).err(), Some(WorldError::Unbreakable));
    assert_eq!(world.hash(), hash);
}

fn placement() -> impl Strategy<Value = Placement> {
    let direction = prop_oneof![
        prop::sample::select(vec![DVec3::X, DVec3::NEG_Y, DVec3::Z]),
        (-1.0..1.0, -1.0..1.0, -1.0..1.0)
            .prop_map(|(x, y, z)| DVec3::new(x, y, z))
            .prop_filter("a direction", |d| d.length() > 0.1),
    ];
    let angle = prop_oneof![
        (0..4).prop_map(|k| f64::from(k) * std::f64::consts::FRAC_PI_2),
        -4.0..4.0
    ];
    let size = prop_oneof![Just(0.02), Just(20.0), 0.02..0.2, 0.02..20.0];
    let at = (-20.0..20.0, -20.0..20.0, -20.0..20.0);
    (
        direction,
        [angle.clone(), angle.clone(), angle],
        size.clone(),
        size,
        at,
    )
        .prop_map(|(direction, rotation, size, depth, (x, y, z))| Placement {
            at: DVec3::new(x, y, z),
            axes: axes(direction, rotation).expect("a direction"),
            size,
            depth,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_shape_is_taken_out_of_rock_exactly(place in placement(), shape in prop::sample::select(&Shape::ALL)) {
        check_in_rock(brush(shape, &place, 0).expect("a shape"));
    }

    #[test]
    fn any_hull_is_taken_out_of_rock_exactly(points in prop::collection::vec([-40_000_i64..40_000, -40_000..40_000, -40_000..40_000], 4..20)) {
        let points: Vec<I64Vec3> = points.into_iter().map(I64Vec3::from_array).collect();
        if let Ok(brush) = hull(&points, 0) {
            check_in_rock(brush);
        }
    }

    #[test]
    fn a_carve_takes_its_volume_less_what_it_shares_with_the_unbreakable(
        hard in prop::collection::vec([-40_000_i64..40_000, -40_000..40_000, -40_000..40_000], 4..12),
        soft in prop::collection::vec([-40_000_i64..40_000, -40_000..40_000, -40_000..40_000], 4..12),
        steps in prop::sample::select(vec![1_i64, 16_384]),
    ) {
        // Whole metres make shared planes, edges and corners the rule.
        let points = |list: Vec<[i64; 3]>| -> Vec<I64Vec3> {
            list.into_iter().map(|p| I64Vec3::from_array(p.map(|x| x / steps * steps))).collect()
        };
        if let (Ok(hard), Ok(soft)) = (hull(&points(hard), 1), hull(&points(soft), 0)) {
            check_spared(hard, soft);
        }
    }

    #[test]
    fn any_hull_of_a_few_steps_is_taken_out_of_rock_exactly(points in prop::collection::vec([0_i64..4, 0_i64..4, 0_i64..4], 4..12)) {
        let points: Vec<I64Vec3> = points.into_iter().map(I64Vec3::from_array).collect();
        if let Ok(brush) = hull(&points, 0) {
            check_in_rock(brush);
        }
    }
}

#[test]
fn what_is_no_solid_is_refused_in_words_and_changes_nothing() {
    let mut world = rock();
    let p = |x: i64, y: i64, z: i64| I64Vec3::new(x, y, z) * 1024;
    let cube: Vec<I64Vec3> = (0..8).map(|i| p(i & 1, i >> 1 & 1, i >> 2)).collect();
    let cube = hull(&cube, 0).expect("a cube");
    world
        .apply(&carve(cube.clone()), &mut Silent)
        .expect("accepted");
    let far = I64Vec3::new(1 << 24, 0, 0);
    let moved = |by: I64Vec3| BrushDesc {
        sides: cube
            .sides
            .iter()
            .map(|side| SideDesc {
                points: side.points.map(|p| p + by),
                ..side.clone()
            })
            .collect(),
    };
    let mut flat = cube.clone();
    flat.sides[3].points[2] = flat.sides[3].points[1];
    // Inside out: each side has all corners of the others on its outside.
    let mut turned = cube.clone();
    turned
        .sides
        .iter_mut()
        .for_each(|side| side.points.swap(0, 1));
    let mut open = cube.clone();
    open.sides.truncate(3);
    let many = BrushDesc {
        sides: vec![cube.sides[0].clone(); 19_997],
    };
    let state = |w: &World| (w.hash(), w.revision(), w.census(), w.bytes());
    let before = state(&world);
    for (brush, why) in [
        (moved(far), "beyond the grid"),
        (moved(I64Vec3::splat(100 * 16384)), "outside the level"),
        (BrushDesc { sides: vec![] }, "empty"),
        (open, "empty"),
        (flat, "flat"),
        (turned, "not convex"),
        (many, "19997 sides"),
    ] {
        // Alone, and after one that is good: all or nothing. (What lies outside beside one that does not is no fault.)
        let mut lists = vec![vec![brush.clone()]];
        if why != "outside the level" {
            let step = I64Vec3::splat(512);
            let mut good = cube.clone();
            let points = good.sides.iter_mut().flat_map(|side| &mut side.points);
            points.for_each(|p| *p += step);
            lists.push(vec![good, brush]);
        }
        for (brushes, op) in lists
            .into_iter()
            .flat_map(|l| [(l.clone(), Op::Carve), (l, Op::Fill)])
        {
            let operation = Operation { op, brushes };
            let error = world.apply(&operation, &mut Silent).expect_err(why);
            assert!(error.to_string().contains(why), "{error}");
            assert_eq!(world.preview(&operation).err(), Some(error));
            assert_eq!(state(&world), before, "{why}");
        }
    }
    let none = Operation {
        op: Op::Carve,
        brushes: vec![],
    };
    assert_eq!(
        world.apply(&none, &mut Silent).err(),
        Some(WorldError::EmptyBrush)
    );
    assert_eq!(world.validate(), Ok(()));
}

/// A box of six faces in the file's units.
fn cuboid(lo: [i32; 3], hi: [i32; 3], texture: &str) -> String {
    let ([x, y, z], [u, v, w]) = (lo, hi);
    let face = |p: [[i32; 3]; 3]| {
        let [a, b, c] = p.map(|[x, y, z]| format!("( {x} {y} {z} )"));
        format!("{a} {b} {c} {texture} 0 0 0 1 1\n")
    };
    let faces = [
        [[x, y, z], [x, v, z], [x, y, w]],
        [[u, y, z], [u, y, w], [u, v, z]],
        [[x, y, z], [x, y, w], [u, y, z]],
        [[x, v, z], [u, v, z], [x, v, w]],
        [[x, y, z], [u, y, z], [x, v, z]],
        [[x, y, w], [x, v, w], [u, y, w]],
    ];
    format!("{{\n{}}}\n", faces.map(face).concat())
}

/// A hall of 16×16×8 m in thick walls of brick, a start in its middle that looks east, and what else stands in it.
fn hall(more: &str) -> String {
    let walls = [
        cuboid([-512, -512, -256], [512, 512, 0], "brick"),
        cuboid([-512, -512, 256], [512, 512, 512], "brick"),
        cuboid([-512, -512, 0], [-256, 512, 256], "brick"),
        cuboid([256, -512, 0], [512, 512, 256], "brick"),
        cuboid([-256, -512, 0], [256, -256, 256], "brick"),
        cuboid([-256, 256, 0], [256, 512, 256], "brick"),
    ];
    let start =
        "{\n\"classname\" \"info_player_start\"\n\"origin\" \"0 0 40\"\n\"angle\" \"0\"\n}\n";
    format!(
        "{{\n\"classname\" \"worldspawn\"\n{}}}\n{start}{more}",
        walls.concat()
    )
}

fn group(keys: &str, brushes: &[String]) -> String {
    format!(
        "{{\n\"classname\" \"func_group\"\n{keys}\n{}}}\n",
        brushes.concat()
    )
}

fn open(map: &str) -> Sim {
    let level: LevelDesc = read_map(map.as_bytes()).expect("a level");
    assert_eq!(level.warnings, []);
    Sim::new(level, 1, Settings::default(), &mut Silent).expect("a level")
}

fn act(sim: &mut Sim, action: Action) -> StepReport {
    let command = Command {
        actions: vec![action],
        ..sim.idle()
    };
    sim.step(&command, &mut Silent)
}

/// Saved and read again it is the same world.
fn check_save(sim: &Sim) {
    assert_eq!(sim.world.validate(), Ok(()));
    let bytes = write_map(&sim.level);
    let level = read_map(&bytes).expect("what was saved");
    assert_eq!(level.warnings, []);
    let again = World::build(&level.world, &Default::default(), &mut Silent).expect("the same");
    assert_eq!(
        format!("{:016x}", again.hash()),
        format!("{:016x}", sim.world.hash())
    );
    // And once more: what was read is written as it is.
    assert_eq!(write_map(&level), bytes);
}

#[test]
fn every_tool_carves_and_fills_and_is_saved() {
    for shape in ToolShape::ALL {
        for fill in [false, true] {
            for (size, depth, rotation) in [
                (1.0, 0.5, [0.0; 3]),
                (0.02, 0.02, [0.3, 0.0, 0.0]),
                (2.2, 1.4, [0.5, 0.4, -0.3]),
            ] {
                let mut sim = open(&hall(""));
                let points = [
                    [7.0, 1.0, -1.0],
                    [7.0, 3.0, 0.0],
                    [7.0, 1.0, 1.0],
                    [9.0, 2.0, 0.0],
                ];
                let tool = Tool {
                    shape,
                    size,
                    depth,
                    rotation,
                    points: if shape == ToolShape::Hull {
                        points.to_vec()
                    } else {
                        vec![]
                    },
                    aimed: None,
                };
                let report = act(&mut sim, Action::Tool { fill, tool });
                assert_eq!(report.notices, Vec::<String>::new());
                let done = report.carves[0].result.as_ref().expect("done");
                let (least, sign) = if fill { (-30.0, -1.0) } else { (1e-7, 1.0) };
                assert!(
                    done.volume_m3 >= least && done.volume_m3 * sign > 0.0,
                    "{shape:?} {}",
                    done.volume_m3
                );
                assert!(done.watertight);
                assert_eq!(sim.level.since.len(), 1);
                let saved = String::from_utf8(write_map(&sim.level)).expect("text");
                let class = match (fill, shape.blast()) {
                    (true, _) => "func_fill",
                    (false, None) => "func_carve",
                    (false, Some(_)) => "breach_blast",
                };
                assert!(saved.contains(class), "{shape:?}");
                check_save(&sim);
            }
        }
    }
}

/// A preview of every tool tells what its use does, and leaves no trace: the run with previews in it ends in the same
/// state as the one without.
#[test]
fn a_preview_tells_the_truth_and_changes_nothing() {
    let mut sims = [open(&hall("")), open(&hall(""))];
    for (n, shape) in (0..40).zip(ToolShape::ALL.into_iter().cycle()) {
        let yaw = f64::from(n) * 0.7;
        let fill = n % 4 == 3;
        let dir = DVec3::new(-libm::sin(yaw), 0.0, -libm::cos(yaw));
        let tool = Tool {
            shape,
            size: 1.0 + f64::from(n % 5) * 0.4,
            depth: 0.8,
            rotation: [f64::from(n), 0.2, 0.0],
            points: [
                [0.0, 1.0, 0.0],
                [0.0, 2.5, 0.0],
                [2.0, 2.0, 0.0],
                [0.0, 2.0, 3.0],
            ]
            .map(|p| (dir * 6.5 + DVec3::from(p)).to_array())
            .to_vec(),
            aimed: None,
        };
        for sim in &mut sims {
            let look = Command {
                yaw,
                pitch: -0.3,
                ..sim.idle()
            };
            sim.step(&look, &mut Silent);
        }
        let [with, without] = &mut sims;
        let before = with.state_hash();
        for size in [0.1, 0.7] {
            let other = Tool {
                size,
                ..tool.clone()
            };
            assert!(with.preview(!fill, &other).is_some());
        }
        let preview = with.preview(fill, &tool).expect("a face").expect("a shape");
        assert_eq!(with.state_hash(), before);
        let action = Action::Tool { fill, tool };
        let told = act(with, action.clone());
        act(without, action);
        let done = told.carves[0].result.as_ref().expect("done");
        assert!(
            (done.volume_m3 - preview.volume_m3).abs() < 1e-9,
            "{shape:?}"
        );
        assert_eq!(done.portals_opened.len(), preview.portals.len());
        let volumes: Vec<f64> = preview.islands.iter().map(|i| i.0).collect();
        let fallen: Vec<f64> = done.islands.iter().map(|i| i.volume_m3).collect();
        assert_eq!(volumes, fallen);
        assert!(
            done.rooms.is_empty() || !preview.outline.is_empty(),
            "{shape:?}"
        );
        assert_eq!(with.state_hash(), without.state_hash(), "{shape:?} {n}");
    }
    for sim in &sims {
        check_save(sim);
    }
}

#[test]
fn a_tool_that_cannot_be_says_why_and_changes_nothing() {
    let mut sim = open(&hall(""));
    let hash = sim.world.hash();
    let hull = |points: Vec<[f64; 3]>| Tool {
        shape: ToolShape::Hull,
        points,
        ..Tool::default()
    };
    for (tool, why) in [
        (hull(vec![]), ShapeError::Empty(0)),
        (hull(vec![[1.0, 2.0, 3.0]; 9]), ShapeError::Empty(1)),
        (
            hull(vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [1.0, 1.0, 0.0],
            ]),
            ShapeError::Flat,
        ),
        (
            hull(vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1025.0],
            ]),
            ShapeError::BeyondGrid,
        ),
        (
            hull(vec![[0.0; 3]; 10_001]),
            ShapeError::TooManyPoints(10_001),
        ),
    ] {
        let report = act(&mut sim, Action::Tool { fill: false, tool });
        assert_eq!(
            report.carves[0].result.as_ref().err(),
            Some(&WorldError::Shape(why))
        );
    }
    assert_eq!((sim.world.hash(), sim.level.since.len()), (hash, 0));
}

#[test]
fn old_recordings_of_tools_are_read() {
    let old = r#"{"actions":[{"tool":{"fill":true,"shape":"ball","size":1.5,"depth":0.25}}]}"#;
    let command: Command = serde_json::from_str(old).expect("a line of before");
    let tool = Tool {
        shape: ToolShape::Ball,
        size: 1.5,
        depth: 0.25,
        ..Tool::default()
    };
    assert_eq!(
        command.actions,
        [Action::Tool {
            fill: true,
            tool: tool.clone()
        }]
    );
    let turned = Tool {
        shape: ToolShape::Hull,
        rotation: [0.1, 0.2, 0.3],
        points: vec![[0.1 + 0.2, 1e-300, -7.0]],
        ..tool
    };
    let line = Command {
        actions: vec![Action::Tool {
            fill: false,
            tool: turned,
        }],
        ..Command::default()
    };
    let text = serde_json::to_string(&line).expect("a line");
    assert_eq!(
        serde_json::from_str::<Command>(&text).expect("a line"),
        line
    );
}

/// A rocket from the middle of the hall, east; how much it took.
fn rocket_east(sim: &mut Sim) -> Result<f64, WorldError> {
    let report = act(
        sim,
        Action::FireAlong {
            from: [0.0, 4.0, 0.0],
            dir: [1.0, 0.0, 0.0],
        },
    );
    report.carves[0].result.clone().map(|done| done.volume_m3)
}

#[test]
fn hardness_divides_the_radius_and_is_saved() {
    let block = |keys: &str| {
        hall(&group(
            keys,
            &[cuboid([128, -128, 0], [256, 128, 256], "stone")],
        ))
    };
    let soft = rocket_east(&mut open(&block(""))).expect("a crater");
    for (hardness, share) in [("2", 0.125), ("0.5", 8.0), ("10", 0.001)] {
        let mut sim = open(&block(&format!("\"breach_hardness\" \"{hardness}\"")));
        let taken = rocket_east(&mut sim).expect("a crater");
        // The crater's corners lie on 1/1024 m, hence the slack.
        let ratio = taken / soft / share;
        assert!(
            (0.93..1.07).contains(&ratio),
            "{hardness}: {taken} of {soft}"
        );
        check_save(&sim);
        // The inside of hard stuff is hard: the second crater is small too.
        if share < 1.0 {
            let second = rocket_east(&mut sim).expect("a crater");
            assert!(second < soft * share * 2.0, "{second}");
        }
        check_save(&sim);
    }
}

#[test]
fn faces_of_different_hardness_do_not_merge() {
    let walls = |keys: &str| {
        let below = cuboid([128, -256, 0], [256, 256, 128], "stone");
        let above = cuboid([128, -256, 128], [256, 256, 256], "stone");
        let map = hall(&(group("", &[below]) + &group(keys, &[above])));
        open(&map).world.census().faces
    };
    assert_eq!(walls("\"breach_hardness\" \"3\""), walls("") + 1);
    assert_eq!(walls("\"breach_hardness\" \"1\""), walls(""));
}

/// An unbreakable block of 2×2×2 m half sunk into the east wall, its front 1 m before it.
fn armoured() -> String {
    let block = [cuboid([224, -32, 96], [288, 32, 160], "armour")];
    hall(&group("\"breach_hardness\" \"unbreakable\"", &block))
}

/// Points inside the block, metres.
fn block_points() -> Vec<DVec3> {
    let mut points = Vec::new();
    for i in 0..10 {
        for j in 0..10 {
            for k in 0..10 {
                let along = |n: i32, lo: f64, hi: f64| lo + (hi - lo) * (f64::from(n) + 0.5) / 10.0;
                points.push(DVec3::new(
                    along(i, 7.0, 9.0),
                    along(j, 3.0, 5.0),
                    along(k, -1.0, 1.0),
                ));
            }
        }
    }
    points
}

#[test]
fn nothing_is_cut_out_of_an_unbreakable_block() {
    let mut sim = open(&armoured());
    let hash = sim.world.hash();
    assert_eq!(rocket_east(&mut sim), Err(WorldError::Unbreakable));
    assert_eq!(sim.explosions.len(), 1, "it explodes all the same");
    let dig = |sim: &mut Sim, lo: [i64; 3], hi: [i64; 3]| {
        let corner = |i: usize| {
            I64Vec3::new(
                [lo, hi][i & 1][0],
                [lo, hi][i >> 1 & 1][1],
                [lo, hi][i >> 2][2],
            ) * 16384
        };
        let brush = hull(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner), 0).expect("a box");
        sim.world
            .apply(&carve(brush), &mut Silent)
            .map(|done| done.volume_m3)
    };
    assert_eq!(
        dig(&mut sim, [7, 3, -1], [9, 5, 1]),
        Err(WorldError::Unbreakable)
    );
    assert_eq!(sim.world.hash(), hash);
    // Half of the block lies in the wall: a brush over block and wall takes the wall around it alone.
    let taken = dig(&mut sim, [6, 2, -2], [10, 6, 2]).expect("rock around it");
    assert!(
        (taken - (2.0 * 4.0 * 4.0 - 1.0 * 2.0 * 2.0)).abs() < 1e-9,
        "{taken}"
    );
    assert!(
        block_points()
            .iter()
            .all(|p| sim.world.locate(*p).is_none())
    );
    // It hangs in the air now, and stays.
    assert_eq!(sim.world.census().islands, 0);
    assert_eq!(sim.world.validate(), Ok(()));
    let around = sim.world.locate(DVec3::new(9.5, 4.0, 0.0));
    assert!(around.is_some(), "air behind it");
    // Within it, touching it, twice the same: nothing changes.
    let hash = sim.world.hash();
    assert_eq!(
        dig(&mut sim, [8, 4, 0], [9, 5, 1]),
        Err(WorldError::Unbreakable)
    );
    assert_eq!(dig(&mut sim, [6, 2, -2], [10, 6, 2]), Ok(0.0));
    assert_eq!(dig(&mut sim, [9, 3, -1], [10, 5, 1]), Ok(0.0));
    assert_eq!(sim.world.hash(), hash);
}

#[test]
fn blasts_from_softer_rock_beside_it_leave_the_block_whole() {
    let mut sim = open(&armoured());
    let mut rng = breach::geom::rng::Rng::new(9);
    let mut taken = 0.0;
    for n in 0..60 {
        sim.settings.blast_radius = rng.range(0.4, 2.5);
        let at = DVec3::new(8.0, 4.0 + rng.range(-2.5, 2.5), rng.range(-2.5, 2.5));
        let from = DVec3::new(6.0, 4.0, 0.0);
        if sim.world.locate(from).is_none() {
            continue;
        }
        let shot = Action::FireAlong {
            from: from.to_array(),
            dir: (at - from).to_array(),
        };
        for event in act(&mut sim, shot).carves {
            taken += event.result.map_or(0.0, |done| done.volume_m3);
        }
        if n % 10 == 9 {
            assert!(
                block_points()
                    .iter()
                    .all(|p| sim.world.locate(*p).is_none())
            );
            check_save(&sim);
        }
    }
    assert!(taken > 5.0, "{taken}");
    // What of it was laid open shows its armour, and is as hard as before.
    let hard = sim
        .world
        .materials
        .iter()
        .position(|m| m.hardness.is_infinite() && m.texture == "armour");
    assert!(hard.is_some());
}

#[test]
fn unbreakable_fills_and_base_carves_keep_to_the_volume_rule() {
    let carve_into = |lo, hi| {
        format!(
            "{{\n\"classname\" \"func_carve\"\n{}}}\n",
            cuboid(lo, hi, "armour")
        )
    };
    // The level's own carve opens the near half of the block before play.
    let mut sim = open(&(armoured() + &carve_into([224, -32, 96], [256, 32, 160])));
    let [front, back] = [DVec3::new(7.5, 4.0, 0.0), DVec3::new(8.5, 4.0, 0.0)];
    assert!(sim.world.locate(front).is_some());
    assert!(sim.world.locate(back).is_none());
    let corner =
        |i: i64| I64Vec3::new(7 + (i & 1) * 3, 3 + (i >> 1 & 1) * 2, -1 + (i >> 2) * 2) * 16384;
    let brush = hull(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner), 0).expect("a box");
    let fill = Operation {
        op: Op::Fill,
        brushes: vec![brush.clone()],
    };
    let filled = sim.world.apply(&fill, &mut Silent).expect("filled");
    assert!((filled.volume_m3 + 4.0).abs() < 1e-9);
    // A carve over all takes what lies behind the block's volume only: 1×2×2 m.
    let carved = sim.world.apply(&carve(brush), &mut Silent).expect("carved");
    assert!(
        (carved.volume_m3 - 4.0).abs() < 1e-9,
        "{}",
        carved.volume_m3
    );
    assert!(
        sim.world.locate(front).is_none(),
        "filled into the volume: as unbreakable"
    );
    assert_eq!(sim.world.validate(), Ok(()));

    let fill = format!(
        "{{\n\"classname\" \"func_fill\"\n\"breach_hardness\" \"unbreakable\"\n{}}}\n",
        cuboid([192, -64, 0], [256, 64, 256], "armour")
    );
    let mut sim = open(&hall(&fill));
    assert_eq!(rocket_east(&mut sim), Err(WorldError::Unbreakable));
    let shelf = Tool {
        size: 1.0,
        depth: 0.5,
        ..Tool::default()
    };
    act(
        &mut sim,
        Action::Tool {
            fill: true,
            tool: shelf,
        },
    );
    check_save(&sim);
    // What a tool puts onto it can be broken.
    let blast = Tool {
        shape: ToolShape::Ball,
        size: 3.0,
        depth: 1.5,
        ..Tool::default()
    };
    let report = act(
        &mut sim,
        Action::Tool {
            fill: false,
            tool: blast,
        },
    );
    let done = report.carves[0]
        .result
        .as_ref()
        .expect("a hole in the shelf");
    assert!(
        done.volume_m3 > 0.3 && done.volume_m3 < 0.53,
        "{}",
        done.volume_m3
    );
    check_save(&sim);
}

#[test]
fn hardness_that_is_none_is_refused() {
    for value in ["0", "-1", "nan", "inf", "hard", "", "1 2"] {
        let map = hall(&group(&format!("\"breach_hardness\" \"{value}\""), &[]));
        let error = read_map(map.as_bytes()).expect_err(value);
        assert!(
            error
                .text
                .contains("neither a number above 0 nor `unbreakable`"),
            "{error}"
        );
    }
}

#[test]
fn hardness_survives_in_saved_operations() {
    let mut sim = open(&hall(&group(
        "\"breach_hardness\" \"2.5\"",
        &[cuboid([128, -128, 0], [256, 128, 256], "stone")],
    )));
    rocket_east(&mut sim).expect("a crater");
    let SavedOperation::Blast {
        hardness, radius, ..
    } = &sim.level.since[0]
    else {
        panic!("a blast")
    };
    assert_eq!((*hardness, *radius), (2.5, 0.4));
    let saved = String::from_utf8(write_map(&sim.level)).expect("text");
    assert_eq!(saved.matches("\"breach_hardness\" \"2.5\"").count(), 2);
}
