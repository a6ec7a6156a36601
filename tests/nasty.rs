//! The nasty cases: brushes that lie exactly on what is there, each with the volume that it must come to, known in closed
//! form. Every case runs turned and mirrored in all 48 ways, a few odd grid steps off, in the cells that the level would
//! choose and with the corner of eight cells in its most awkward place; those that only carve also inside out, filling.
mod carving;

use breach::carve::{BrushDesc, Op, SideDesc};
use breach::timing::Silent;
use breach::world::{Operation, World};
use carving::{GRID_STEP as S, M, brush, check, corners, level, one, outlines};
use glam::I64Vec3;

/// The room: 16 x 16 x 8 m of air with a corner at the origin, in rock.
const ROOM: [[f64; 3]; 2] = [[0.0; 3], [16.0, 16.0, 8.0]];
/// Its air.
const V: f64 = 2048.0;
/// The level reaches so far from the middle of the room, metres.
const HALF: i64 = 14;
/// Outlines of a box: its twelve edges, each seen by two faces.
const BOX: usize = 24;

type P = [f64; 3];

/// A brush, what becomes of it, and the air of the level afterwards.
struct Step {
    op: Op,
    points: Vec<P>,
    air: f64,
    /// Volumes of the pieces that fall, rising.
    fell: Vec<f64>,
}

/// A named case.
struct Case {
    /// What stands in the room before: brushes filled in, in turn.
    authored: Vec<Vec<P>>,
    steps: Vec<Step>,
    /// Where eight cells meet.
    focus: P,
    /// How many outlines all faces have in the end.
    outlines: Option<usize>,
}

fn step(op: Op, points: Vec<P>, air: f64) -> Step {
    let fell = vec![];
    Step {
        op,
        points,
        air,
        fell,
    }
}

fn carve(points: Vec<P>, air: f64) -> Step {
    step(Op::Carve, points, air)
}

fn fill(points: Vec<P>, air: f64) -> Step {
    step(Op::Fill, points, air)
}

impl Step {
    fn felling(self, fell: &[f64]) -> Step {
        let fell = fell.to_vec();
        Step { fell, ..self }
    }
}

fn case(focus: P, steps: Vec<Step>) -> Case {
    Case {
        authored: vec![],
        steps,
        focus,
        outlines: None,
    }
}

impl Case {
    fn leaving(self, outlines: usize) -> Case {
        let outlines = Some(outlines);
        Case { outlines, ..self }
    }
}

fn cuboid(lo: P, hi: P) -> Vec<P> {
    (0..8)
        .map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { lo[k] } else { hi[k] }))
        .collect()
}

/// One metre from the centre to each corner: 4/3 m3.
fn octahedron(centre: P) -> Vec<P> {
    (0..6)
        .map(|i| {
            let mut p = centre;
            p[i / 2] += if i % 2 == 0 { 1.0 } else { -1.0 };
            p
        })
        .collect()
}

/// Sixteen points on a circle of eighths of a metre, and a tip: 99/32 m2 at the base, a third of that as volume.
fn cone(centre: P, tip: P) -> Vec<P> {
    let mut points = vec![tip];
    for (a, b) in [(8.0, 1.0), (7.0, 4.0), (4.0, 7.0), (1.0, 8.0)] {
        for (x, y) in [(a, b), (-b, a), (-a, -b), (b, -a)] {
            points.push([centre[0] + x / 8.0, centre[1] + y / 8.0, centre[2]]);
        }
    }
    points
}

/// The six pyramids over a cube's sides whose tips meet in its middle.
fn pyramids(lo: P, hi: P) -> Vec<Vec<P>> {
    let middle = [0, 1, 2].map(|k| (lo[k] + hi[k]) / 2.0);
    let side = |i: usize| {
        let at = [lo, hi][i % 2][i / 2];
        let mut points = cuboid(lo, hi);
        points.retain(|p| p[i / 2] == at);
        points.push(middle);
        points
    };
    (0..6).map(side).collect()
}

/// Two prisms across the edge of the floor and a wall. Their slanted sides, 32770 x + 32769 y = 1 and 32769 x - 32770 y = 1
/// in steps from (8 m, 0), cross the edge 2^-30 of a step apart: places are rounded to 2^-28. What is left between them is
/// a wedge of rock with its tip just beyond the edge, and beyond the floor a thread a hair thick.
fn prisms_a_hair_apart() -> Vec<Step> {
    let prism = |outline: [[i32; 2]; 4]| -> Vec<P> {
        let ends =
            |[x, y]: [i32; 2]| [-0.5, 0.5].map(|z| [8.0 + f64::from(x) * S, f64::from(y) * S, z]);
        outline.into_iter().flat_map(ends).collect()
    };
    let left = [
        [-65536, -32771],
        [32770, -32771],
        [-32768, 32769],
        [-65536, 32769],
    ];
    let right = [
        [65536, -32770],
        [-32771, -32770],
        [32769, 32768],
        [65536, 32768],
    ];
    // Of a prism 1 m long the half beyond the wall lies in rock, and of the other half what is below the floor.
    let rock = |[below, above]: [f64; 2], [low, middle, high]: [f64; 3]| {
        (below * (low + middle) + 0.5 * above * (middle + high)) / 2.0 * S * S
    };
    let (m, n) = (32769.0, 32770.0);
    let a = rock([32771.0, 32769.0], [98306.0, 65536.0 + 1.0 / n, 32768.0]);
    let b = rock([32770.0, 32768.0], [98307.0, 65536.0 - 1.0 / m, 32767.0]);
    let (tip, low) = (-1.0 / (m * m + n * n), -32770.0);
    let width = (1.0 - m * low) / n - (1.0 + n * low) / m;
    let both = (tip - low) * width / 2.0 * S * S;
    vec![
        carve(prism(left), V + a),
        carve(prism(right), V + a + b - both),
    ]
}

/// A way to lay a case into the grid: axes swapped and turned round, then moved by grid steps.
#[derive(Clone, Copy, Debug)]
struct Pose {
    axes: [usize; 3],
    signs: [i64; 3],
    offset: [i64; 3],
}

impl Pose {
    fn grid(&self, p: P) -> I64Vec3 {
        let at = [p[0] - 8.0, p[1] - 8.0, p[2] - 4.0].map(|x| (x * M as f64) as i64);
        I64Vec3::from_array([0, 1, 2].map(|k| at[self.axes[k]] * self.signs[k] + self.offset[k]))
    }

    fn operation(&self, op: Op, points: &[P]) -> Operation {
        let points: Vec<I64Vec3> = points.iter().map(|&p| self.grid(p)).collect();
        one(op, &brush(&points).expect("a solid"))
    }
}

/// All 24 rotations and their mirror images; offsets in turn, each of primes.
fn poses() -> Vec<Pose> {
    let offsets = [[1, 7, 13], [-1, 8191, -127], [5, -3, 4093]];
    let orders = [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ];
    let mut list = Vec::new();
    for (i, axes) in orders.into_iter().enumerate() {
        for signs in 0..8 {
            list.push(Pose {
                axes,
                signs: [0, 1, 2].map(|k| 1 - 2 * (signs >> k & 1)),
                offset: offsets[(i + signs as usize) % 3],
            });
        }
    }
    list
}

/// The level of a case: cells as it would choose them, or eight that meet at the focus. Inside out: all air, and the room
/// a block of rock.
fn built(case: &Case, pose: &Pose, eight: bool, inside_out: bool) -> World {
    let (hole, block) = match inside_out {
        false => (Op::Carve, Op::Fill),
        true => (Op::Fill, Op::Carve),
    };
    let mut base = vec![pose.operation(hole, &cuboid(ROOM[0], ROOM[1]))];
    base.extend(case.authored.iter().map(|b| pose.operation(block, b)));
    let focus = pose.grid(case.focus).to_array();
    let cuts: Vec<(usize, i64)> = (0..3).map(|k| (k, focus[k])).collect();
    let cuts = if eight { &cuts[..] } else { &[] };
    let world = level(HALF, !inside_out, base, cuts);
    assert!(!eight || world.room_count() >= 8);
    world
}

/// Runs a case in one pose and one kind of cells, and takes it all back.
fn run(case: &Case, pose: &Pose, eight: bool, inside_out: bool) {
    let mut world = built(case, pose, eight, inside_out);
    let bounds = (2.0 * HALF as f64).powi(3);
    let expected = |air: f64| if inside_out { bounds - air } else { air };
    let said =
        |step: usize| format!("step {step}, {pose:?}, eight: {eight}, inside out: {inside_out}");
    let mut undo = Vec::new();
    let mut air = world.census().air_volume_m3;
    for (i, step) in case.steps.iter().enumerate() {
        let op = match (step.op, inside_out) {
            (Op::Carve, false) | (Op::Fill, true) => Op::Carve,
            _ => Op::Fill,
        };
        let operation = pose.operation(op, &step.points);
        let hash = world.hash();
        let report = world.apply(&operation, &mut Silent).expect("in the level");
        assert!(report.watertight, "{}: {:?}", said(i), world.validate());
        let mut fell: Vec<f64> = report.islands.iter().map(|i| i.volume_m3).collect();
        fell.sort_by(f64::total_cmp);
        air += report.volume_m3 + fell.iter().sum::<f64>();
        assert!(
            (air - expected(step.air)).abs() < 1e-8,
            "{air} m3 for {}: {}",
            step.air,
            said(i)
        );
        let alike = fell
            .iter()
            .zip(&step.fell)
            .all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(
            alike && fell.len() == step.fell.len(),
            "fell {fell:?}: {}",
            said(i)
        );
        undo.push((hash, report.delta));
        if i + 1 < case.steps.len() && i % 16 != 0 {
            continue;
        }
        check(&world);
        let counted = world.census().air_volume_m3;
        assert!((counted - air).abs() < 1e-8, "{counted} m3: {}", said(i));
        // The same brush twice: nothing changes.
        let hash = world.hash();
        let again = world.apply(&operation, &mut Silent).expect("again");
        assert!(
            again.rooms.is_empty() && again.islands.is_empty(),
            "{}",
            said(i)
        );
        assert_eq!(world.hash(), hash, "{}", said(i));
    }
    if let Some(lines) = case.outlines {
        let more = if inside_out { BOX } else { 0 };
        assert_eq!(
            outlines(&world).len(),
            lines + more,
            "{}",
            said(case.steps.len())
        );
    }
    for (hash, delta) in undo.into_iter().rev() {
        world.revert(delta, &mut Silent);
        assert_eq!(world.hash(), hash, "undo: {pose:?}, eight: {eight}");
    }
    check(&world);
}

/// Every pose, in both kinds of cells; inside out too where nothing is filled and nothing falls.
fn all_poses(case: &Case) {
    let carves_only = case
        .steps
        .iter()
        .all(|s| s.op == Op::Carve && s.fell.is_empty());
    for (i, pose) in poses().iter().enumerate() {
        run(case, pose, true, false);
        run(case, pose, false, false);
        if carves_only && case.authored.is_empty() {
            run(case, pose, i % 2 == 0, true);
        }
    }
}

/// A table of cases, each a test.
macro_rules! cases {
    ($($name:ident: $case:expr;)*) => {
        $(#[test] fn $name() { all_poses(&$case); })*
    };
}

/// The pillar of some cases: 32 m3.
fn pillar() -> Vec<P> {
    cuboid([7.0, 7.0, 0.0], [9.0, 9.0, 8.0])
}

cases! {
    a_cube_half_in_the_floor: case([7.0, 7.0, 0.0], vec![
        carve(cuboid([7.0, 7.0, -1.0], [9.0, 9.0, 1.0]), V + 4.0),
    ]).leaving(2 * BOX);

    a_cube_in_the_rock_with_its_face_on_the_floor: case([7.0, 9.0, 0.0], vec![
        carve(cuboid([7.0, 7.0, -2.0], [9.0, 9.0, 0.0]), V + 8.0),
    ]).leaving(2 * BOX);

    a_cube_in_the_air_with_its_face_on_the_floor: case([8.0, 8.0, 0.0], vec![
        carve(cuboid([7.0, 7.0, 0.0], [9.0, 9.0, 2.0]), V),
    ]).leaving(BOX);

    the_same_cube_twice: case([8.0, 8.0, -1.0], vec![
        carve(cuboid([7.0, 7.0, -1.0], [9.0, 9.0, 1.0]), V + 4.0),
        carve(cuboid([7.0, 7.0, -1.0], [9.0, 9.0, 1.0]), V + 4.0),
    ]).leaving(2 * BOX);

    a_cube_on_an_edge_of_the_room: case([0.0, 8.0, 0.0], vec![
        carve(cuboid([-1.0, 7.0, -1.0], [1.0, 9.0, 1.0]), V + 6.0),
    ]);

    a_cube_on_a_corner_of_the_room: case([0.0; 3], vec![
        carve(cuboid([-1.0; 3], [1.0; 3]), V + 7.0),
    ]);

    an_octahedron_fifty_times: case([8.0, 8.0, 0.0], (0..50)
        .map(|_| carve(octahedron([8.0, 8.0, 0.0]), V + 2.0 / 3.0))
        .collect()
    ).leaving(BOX + 16);

    an_octahedron_whose_corner_touches_the_floor_from_the_rock: case([8.0, 8.0, 0.0], vec![
        carve(octahedron([8.0, 8.0, -1.0]), V + 4.0 / 3.0),
    ]).leaving(2 * BOX);

    an_octahedron_around_a_corner_of_the_room: case([0.0; 3], vec![
        carve(octahedron([0.0; 3]), V + 7.0 / 6.0),
    ]);

    larger_than_the_room: case([8.0, 8.0, 4.0], vec![
        carve(cuboid([-1.0; 3], [17.0, 17.0, 9.0]), 18.0 * 18.0 * 10.0),
    ]).leaving(BOX);

    equal_to_the_room: case([16.0, 16.0, 8.0], vec![
        carve(cuboid(ROOM[0], ROOM[1]), V),
    ]).leaving(BOX);

    equal_to_a_pillar: case([7.0, 7.0, 4.0], vec![
        fill(pillar(), V - 32.0),
        carve(pillar(), V),
    ]).leaving(BOX);

    wider_than_a_pillar_on_two_sides: case([8.0, 8.0, 4.0], vec![
        fill(pillar(), V - 32.0),
        carve(cuboid([6.0, 7.0, 0.0], [10.0, 9.0, 8.0]), V),
    ]).leaving(BOX);

    wider_than_a_pillar_on_all_sides: case([9.0, 7.0, 8.0], vec![
        fill(pillar(), V - 32.0),
        carve(cuboid([6.0, 6.0, 0.0], [10.0, 10.0, 8.0]), V),
    ]).leaving(BOX);

    a_pillar_cut_at_both_ends_then_carved_flush: case([8.0, 8.0, 4.0], vec![
        fill(pillar(), V - 32.0),
        carve(cuboid([6.0, 6.0, 1.0], [10.0, 10.0, 2.0]), V - 28.0),
        carve(cuboid([6.0, 6.0, 6.0], [10.0, 10.0, 7.0]), V - 8.0).felling(&[16.0]),
        carve(cuboid([7.0, 7.0, 2.0], [9.0, 9.0, 6.0]), V - 8.0),
    ]).leaving(3 * BOX);

    an_authored_island_carved_flush: Case {
        authored: vec![cuboid([7.0, 7.0, 2.0], [9.0, 9.0, 6.0])],
        ..case([7.0, 7.0, 2.0], vec![
            carve(cuboid([7.0, 7.0, 2.0], [9.0, 9.0, 6.0]), V),
        ])
    }.leaving(BOX);

    a_tunnel_is_a_torus: case([-1.0, 4.0, 2.0], vec![
        carve(cuboid([-3.0, 2.0, 2.0], [0.0, 4.0, 4.0]), V + 12.0),
        carve(cuboid([-3.0, 8.0, 2.0], [0.0, 10.0, 4.0]), V + 24.0),
        carve(cuboid([-3.0, 4.0, 2.0], [-1.0, 8.0, 4.0]), V + 40.0),
    ]).leaving(3 * BOX);

    a_hundred_flush_cubes: case([8.0, 8.0, 0.0], (0..100)
        .map(|i| {
            let (x, y) = (3.0 + (i % 10) as f64, 3.0 + (i / 10) as f64);
            carve(cuboid([x, y, -1.0], [x + 1.0, y + 1.0, 0.0]), V + 1.0 + i as f64)
        })
        .collect()
    ).leaving(2 * BOX);

    a_gap_of_one_step_below_the_floor: case([4.0, 4.0, -S], vec![
        carve(cuboid([4.0, 4.0, -1.0 - S], [6.0, 6.0, -S]), V + 4.0),
        carve(cuboid([4.0, 4.0, -S], [6.0, 6.0, 0.0]), V + 4.0 + 4.0 * S),
    ]).leaving(2 * BOX);

    a_slit_of_one_step_through_a_pillar: case([8.0, 8.0, 4.0], vec![
        fill(pillar(), V - 32.0),
        carve(cuboid([6.0, 6.0, 4.0], [10.0, 10.0, 4.0 + S]), V - 32.0 + 4.0 * S),
    ]).leaving(3 * BOX);

    a_plate_of_one_step_falls: case([8.0, 8.0, 4.0], vec![
        fill(pillar(), V - 32.0),
        carve(cuboid([6.0, 6.0, 4.0], [10.0, 10.0, 4.0 + S]), V - 32.0 + 4.0 * S),
        carve(cuboid([6.0, 6.0, 4.0 + 2.0 * S], [10.0, 10.0, 5.0]), V - 28.0).felling(&[4.0 * S]),
    ]).leaving(3 * BOX);

    a_fin_of_one_step_between_two_pits: case([6.0, 4.0, 0.0], vec![
        carve(cuboid([4.0, 4.0, -1.0], [6.0, 6.0, 0.0]), V + 4.0),
        carve(cuboid([6.0 + S, 4.0, -1.0], [8.0, 6.0, 0.0]), V + 8.0 - 2.0 * S),
        carve(cuboid([6.0, 4.0, -1.0], [6.0 + S, 6.0, 0.0]), V + 8.0),
    ]).leaving(2 * BOX);

    a_checkerboard_of_cubes_touching_at_edges: case([6.0, 6.0, 0.0], (0..36)
        .filter(|i| (i % 6 + i / 6) % 2 == 0)
        .enumerate()
        .map(|(n, i)| {
            let (x, y) = (3.0 + (i % 6) as f64, 3.0 + (i / 6) as f64);
            carve(cuboid([x, y, -1.0], [x + 1.0, y + 1.0, 0.0]), V + 1.0 + n as f64)
        })
        .collect()
    );

    a_checkerboard_in_three_dimensions: case([8.0, 8.0, -2.0], (0..27)
        .filter(|i| (i % 3 + i / 3 % 3 + i / 9) % 2 == 0)
        .enumerate()
        .map(|(n, i)| {
            let at = [i % 3, i / 3 % 3, i / 9].map(|k| k as f64);
            let lo = [at[0] + 7.0, at[1] + 7.0, at[2] - 4.0];
            carve(cuboid(lo, lo.map(|x| x + 1.0)), V + 1.0 + n as f64)
        })
        .collect()
    ).leaving(BOX + 14 * BOX);

    a_cut_through_a_corner_of_the_brush: case([9.0, 8.0, -0.5], vec![
        carve(octahedron([8.0, 8.0, -0.5]), V + 4.0 / 3.0 - 1.0 / 12.0),
    ]);

    a_pocket_closed_then_opened: case([5.5, 5.5, -1.0], vec![
        carve(cuboid([4.0, 4.0, -3.0], [6.0, 6.0, -1.0]), V + 8.0),
        carve(cuboid([4.5, 4.5, -1.0], [5.5, 5.5, 0.0]), V + 9.0),
        fill(cuboid([4.5, 4.5, -1.0], [5.5, 5.5, 0.0]), V + 8.0),
        carve(cuboid([4.5, 4.5, -2.0], [5.5, 5.5, 1.0]), V + 9.0),
    ]);

    a_pocket_inside_an_island: case([8.0, 8.0, 4.0], vec![
        fill(pillar(), V - 32.0),
        carve(cuboid([7.5, 7.5, 3.5], [8.5, 8.5, 4.5]), V - 31.0),
        carve(cuboid([6.0, 6.0, 1.0], [10.0, 10.0, 2.0]), V - 27.0),
        carve(cuboid([6.0, 6.0, 6.0], [10.0, 10.0, 7.0]), V - 8.0).felling(&[15.0]),
    ]).leaving(3 * BOX);

    two_planes_that_cross_an_edge_closer_than_places_are_rounded:
        case([8.0, 0.0, 0.0], prisms_a_hair_apart());

    six_pyramids_whose_tips_meet: case([8.0, 8.0, -1.0], (1..)
        .zip(pyramids([7.0, 7.0, -2.0], [9.0, 9.0, 0.0]))
        .map(|(n, p)| carve(p, V + f64::from(n) * 4.0 / 3.0))
        .collect()
    ).leaving(2 * BOX);

    two_cones_tip_to_tip: case([8.0, 8.0, -1.0], vec![
        carve(cone([8.0, 8.0, 0.0], [8.0, 8.0, -1.0]), V + 33.0 / 32.0),
        carve(cone([8.0, 8.0, -2.0], [8.0, 8.0, -1.0]), V + 66.0 / 32.0),
    ]);

    a_cube_over_the_corner_where_eight_cells_meet: case([8.0, 8.0, -1.0], vec![
        carve(cuboid([7.0, 7.0, -2.0], [9.0, 9.0, 0.0]), V + 8.0),
    ]).leaving(2 * BOX);

    eight_cubes_around_the_corner_where_eight_cells_meet: case([8.0, 8.0, -1.0], (0..8)
        .map(|i| {
            let lo = [0, 1, 2].map(|k| [7.0, 7.0, -2.0][k] + f64::from(i >> k & 1));
            carve(cuboid(lo, lo.map(|x| x + 1.0)), V + 1.0 + f64::from(i))
        })
        .collect()
    ).leaving(2 * BOX);

    octahedra_at_the_corner_where_eight_cells_meet: case([8.0, 8.0, -2.0], vec![
        carve(octahedron([8.0, 8.0, -2.0]), V + 4.0 / 3.0),
        // Their corners lie on the corner of the cells.
        carve(octahedron([9.0, 8.0, -2.0]), V + 4.0 / 3.0 + 4.0 / 3.0 - 1.0 / 6.0),
    ]);
}

/// Four that overlap and lie flush: 4 + 6 + 1 + 2/3 m3 of rock, less what two pairs share.
#[test]
fn all_orders_of_the_same_carves() {
    let carves = [
        cuboid([7.0, 7.0, -1.0], [9.0, 9.0, 1.0]),
        cuboid([8.0, 8.0, -2.0], [10.0, 10.0, -0.5]),
        cuboid([9.0, 7.0, -1.0], [10.0, 8.0, 0.0]),
        octahedron([7.0, 7.0, 0.0]),
    ];
    let air = V + (4.0 + 6.0 + 1.0 + 2.0 / 3.0) - (0.5 + 1.0 / 6.0);
    let none = case([8.0, 8.0, -1.0], vec![]);
    for pose in poses() {
        let mut first = None;
        for order in 0..24 {
            let mut world = built(&none, &pose, order % 2 == 0, false);
            let mut left = vec![0, 1, 2, 3];
            for k in [order % 4, order / 4 % 3, order / 12 % 2, 0] {
                let operation = pose.operation(Op::Carve, &carves[left.remove(k)]);
                world.apply(&operation, &mut Silent).expect("in the level");
            }
            check(&world);
            let counted = world.census().air_volume_m3;
            assert!(
                (counted - air).abs() < 1e-8,
                "{counted} m3, order {order}, {pose:?}"
            );
            // Eight cells or those of the level's choice: the faces, joined across them, are the same.
            let faces = outlines(&world);
            assert!(
                *first.get_or_insert_with(|| faces.clone()) == faces,
                "order {order}, {pose:?}"
            );
        }
    }
}

/// Cells are cut half a step from the grid. This octahedron has its middle there, and each corner on two cuts; only its
/// planes run through grid points.
#[test]
fn a_cut_through_all_corners_of_the_brush() {
    // Half steps; odd, so that planes and centre fit each other.
    let radius = M - 1;
    for pose in poses() {
        let none = case([8.0, 8.0, -2.0], vec![]);
        let middle = pose.grid(none.focus);
        let mut sides = Vec::new();
        for i in 0..8 {
            let sign = I64Vec3::from_array([0, 1, 2].map(|k| 1 - 2 * (i >> k & 1)));
            // s·(p - middle - 1/2) = radius/2, a whole number for a point p with p - middle = (x, 0, 0) and its like.
            let reach = (radius + sign.element_sum()) / 2;
            let [a, b, c] = [I64Vec3::X, I64Vec3::Y, I64Vec3::Z].map(|e| middle + e * sign * reach);
            let faces_out = (b - a).cross(c - a).dot(sign) > 0;
            let points = if faces_out { [a, b, c] } else { [a, c, b] };
            sides.push(SideDesc {
                points,
                material: 1,
            });
        }
        let volume = 4.0 / 3.0 * (radius as f64 / 2.0 / M as f64).powi(3);
        let operation = one(Op::Carve, &BrushDesc { sides });
        for eight in [true, false] {
            let mut world = built(&none, &pose, eight, false);
            let hash = world.hash();
            let report = world.apply(&operation, &mut Silent).expect("in the level");
            check(&world);
            assert!(
                (report.volume_m3 - volume).abs() < 1e-9,
                "{pose:?}: {report:?}"
            );
            assert_eq!(outlines(&world).len(), 2 * BOX);
            let again = world.apply(&operation, &mut Silent).expect("again");
            assert!(again.rooms.is_empty());
            world.revert(report.delta, &mut Silent);
            assert_eq!(world.hash(), hash);
        }
    }
}

#[test]
fn poses_are_all_different() {
    let mut seen: Vec<_> = poses().iter().map(|p| (p.axes, p.signs)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 48);
    assert_eq!(corners(I64Vec3::ZERO, I64Vec3::ONE).len(), 8);
}
