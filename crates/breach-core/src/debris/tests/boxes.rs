//! Boxes lie as boxes lie: stacks, heaps, slabs, and what lies on them.
use super::*;

/// A box of stone that may be turned.
fn box_of_stone(centre: DVec3, half: DVec3, turn: DQuat) -> Body {
    let mut body = Body::from_island(&block(DVec3::ZERO, half)).expect("a chunk");
    assert!(
        body.chunk
            .as_ref()
            .is_some_and(|chunk| chunk.hull.is_some())
    );
    body.position = centre;
    body.rotation = turn * body.rotation;
    (body.previous, body.previous_rotation) = (body.position, body.rotation);
    body.anchor = centre;
    body
}

/// A turn about a unit axis, by twice the angle with this tangent.
fn turned(axis: DVec3, tangent: f64) -> DQuat {
    let v = axis * tangent;
    DQuat::from_xyzw(v.x, v.y, v.z, 1.0).normalize()
}

/// The corners of a box of stone as it lies.
fn corners(body: &Body) -> Vec<DVec3> {
    let chunk = body.chunk.as_ref().expect("a chunk");
    let (origin, turn) = chunk.world_from_home(body.pose());
    chunk
        .mesh
        .positions
        .iter()
        .map(|&p| origin + turn * p)
        .collect()
}

/// By how much two boxes overlap: the least over the fifteen axes that can separate them; below zero they are apart.
fn overlap(a: &[DVec3], b: &[DVec3]) -> f64 {
    let edges = |p: &[DVec3]| [1, 2, 4].map(|i| (p[i] - p[0]).normalize());
    let (mine, theirs) = (edges(a), edges(b));
    let crossed = mine
        .iter()
        .flat_map(|x| theirs.iter().map(move |y| x.cross(*y)));
    let axes = mine.iter().chain(&theirs).copied().chain(crossed);
    let axes = axes
        .filter(|axis| axis.length() > 1e-3)
        .map(DVec3::normalize);
    axes.map(|axis| {
        let range = |p: &[DVec3]| {
            let along = p.iter().map(|p| p.dot(axis));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            })
        };
        let ((low, high), (from, to)) = (range(a), range(b));
        (high - from).min(to - low)
    })
    .fold(f64::INFINITY, f64::min)
}

/// The deepest overlap of any two.
fn deepest(debris: &Debris) -> f64 {
    let all: Vec<Vec<DVec3>> = debris.iter().map(corners).collect();
    let pairs = (0..all.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| overlap(&all[i], &all[j]))
        .fold(0.0, f64::max)
}

#[test]
fn a_stack_of_boxes_stands_and_falls_asleep() {
    let world = room(0.0);
    let mut rng = Rng::new(5);
    for count in 2..6 {
        let turn = rng.range(0.0, 1.5);
        let mut height = 0.0;
        let bodies: Vec<Body> = (0..count)
            .map(|_| {
                let half = DVec3::new(
                    rng.range(0.3, 0.5),
                    rng.range(0.15, 0.3),
                    rng.range(0.3, 0.5),
                );
                height += 2.0 * half.y;
                let at = DVec3::new(20.0, height - half.y, 5.0);
                box_of_stone(at, half, turned(DVec3::Y, turn))
            })
            .collect();
        let starts: Vec<DVec3> = bodies.iter().map(|body| body.position).collect();
        let mut debris = debris(bodies);
        run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 300);
        assert_eq!(debris.awake(), 0, "{count}");
        for (body, start) in debris.iter().zip(starts) {
            let moved = body.position - start;
            // A stack that was never pressed together before settles by some millimetres a box.
            assert!(moved.length() < 0.03, "{count}: {moved}");
        }
        assert!(deepest(&debris) < 0.005, "{count}: {}", deepest(&debris));
    }
}

#[test]
fn a_box_that_tumbles_on_the_floor_gains_hardly_any_energy() {
    let world = room(0.0);
    let mut rng = Rng::new(77);
    let mut gains = Vec::new();
    for _ in 0..30 {
        let half = DVec3::new(
            rng.range(0.3, 0.8),
            rng.range(0.1, 0.3),
            rng.range(0.2, 0.6),
        );
        let at = DVec3::new(20.0, rng.range(1.0, 5.0), 5.0);
        let mut body = box_of_stone(at, half, DQuat::IDENTITY);
        body.spin = rng.unit_vector() * rng.range(0.0, 5.0);
        let mut debris = debris(vec![body]);
        let mut least = energy(&debris, 0.0);
        let mut gain = 0.0;
        for _ in 0..400 {
            run(&mut debris, &world, &forces(0.3, 0.5, 0.2), 1);
            let now = energy(&debris, 0.0);
            gain = f64::max(gain, now / least - 1.0);
            least = least.min(now);
        }
        gains.push(gain);
    }
    // The box turns a little where one contact takes the place of another.
    gains.sort_by(f64::total_cmp);
    assert!(gains[15] < 0.002 && gains[29] < 0.02, "{gains:?}");
}

#[test]
fn boxes_in_a_heap_hardly_overlap_once_they_lie() {
    let world = room(0.0);
    for seed in 1..4 {
        let mut rng = Rng::new(seed);
        let bodies = (0..40)
            .map(|i| {
                let half = DVec3::new(
                    rng.range(0.1, 0.2),
                    rng.range(0.1, 0.2),
                    rng.range(0.2, 0.4),
                );
                let at = DVec3::new(
                    19.0 + f64::from(i % 3),
                    1.0 + 0.25 * f64::from(i),
                    4.0 + f64::from(i / 3 % 3),
                );
                let turn = turned(rng.unit_vector(), rng.range(0.0, 3.0));
                box_of_stone(at.min(DVec3::new(30.0, 9.4, 9.0)), half, turn)
            })
            .collect();
        let mut debris = debris(bodies);
        run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 480);
        assert_eq!(debris.awake(), 0, "seed {seed}");
        assert!(deepest(&debris) < 0.01, "seed {seed}: {}", deepest(&debris));
    }
}

#[test]
fn a_crumb_lies_on_the_face_of_a_slab_wherever_it_falls() {
    let world = room(0.0);
    let mut rng = Rng::new(7);
    let half = DVec3::new(1.2, 0.15, 0.8);
    for _ in 0..20 {
        let slab = box_of_stone(DVec3::new(20.0, half.y, 5.0), half, DQuat::IDENTITY);
        let radius = rng.range(0.03, 0.12);
        let (x, z) = (rng.range(-1.0, 1.0), rng.range(-0.6, 0.6));
        let at = DVec3::new(20.0 + x, 0.3 + radius + rng.range(0.05, 0.6), 5.0 + z);
        let mut debris = debris(vec![slab, Body::new(at, radius, 0)]);
        run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 200);
        let lies = debris[1].position;
        assert!(
            (lies.y - 0.3 - radius).abs() < 0.003,
            "{lies} of radius {radius}"
        );
        assert_eq!(debris.awake(), 0);
    }
}

#[test]
fn a_box_on_the_edge_of_another_tips_over_only_if_its_middle_is_beyond_it() {
    let world = room(0.0);
    let half = DVec3::new(0.4, 0.2, 0.3);
    for (over, falls) in [(0.2, false), (0.36, false), (0.44, true), (0.6, true)] {
        let below = box_of_stone(DVec3::new(20.0, 0.2, 5.0), half, DQuat::IDENTITY);
        let above = box_of_stone(DVec3::new(20.0 + over, 0.6, 5.0), half, DQuat::IDENTITY);
        let mut debris = debris(vec![below, above]);
        run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 240);
        let height = debris[1].position.y;
        assert_eq!(height < 0.55, falls, "{over} m over: {height}");
    }
}

#[test]
fn what_lay_on_a_box_falls_when_the_box_is_removed() {
    let world = room(0.0);
    let half = DVec3::new(0.4, 0.2, 0.3);
    let below = box_of_stone(DVec3::new(20.0, 0.2, 5.0), half, DQuat::IDENTITY);
    // Turned, it lies on the lower one with corners that no ball fills.
    let turn = turned(DVec3::Y, 0.6);
    let above = box_of_stone(DVec3::new(20.1, 0.6, 5.0), half, turn);
    let mut debris = debris(vec![below, above]);
    run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 120);
    assert_eq!(debris.awake(), 0);
    let id = debris[0].id();
    assert!(debris.remove(id));
    assert_eq!((debris.len(), debris.awake()), (1, 1));
    run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 120);
    assert!(
        (debris[0].position.y - 0.2).abs() < 0.01,
        "{}",
        debris[0].position
    );
}

/// A prism over an L: two arms of 0.5 by 1.5 m, 0.5 m high.
fn corner_piece() -> Island {
    let outline = [
        [0.0, 0.0],
        [1.5, 0.0],
        [1.5, 0.5],
        [0.5, 0.5],
        [0.5, 1.5],
        [0.0, 1.5],
    ];
    let at = |i: usize| {
        DVec3::new(
            outline[i % 6][0],
            if i < 6 { 0.0 } else { 0.5 },
            outline[i % 6][1],
        )
    };
    // Of the top, seen from above; those of the bottom turned round; two for each side.
    let caps = [[0, 2, 1], [0, 3, 2], [0, 5, 4], [0, 4, 3]];
    let top = caps.map(|t| t.map(|i| i + 6));
    let bottom = caps.map(|[a, b, c]| [a, c, b]);
    let sides = (0..6).flat_map(|i| {
        let next = (i + 1) % 6;
        [[i, i + 6, next + 6], [i, next + 6, next]]
    });
    let all: Vec<[u32; 3]> = top.into_iter().chain(bottom).chain(sides).collect();
    let mesh = Mesh {
        positions: (0..12).map(at).collect(),
        triangles: (0..)
            .zip(&all)
            .map(|(face, &corners)| Triangle {
                corners,
                face,
                key: u64::from(face),
            })
            .collect(),
    };
    let corners = |t: &Triangle| t.corners.map(|i| mesh.positions[i as usize]);
    let mass = mass::mass_properties(DVec3::ZERO, mesh.triangles.iter().map(corners));
    Island {
        volume_m3: mass.volume,
        centre: mass.centre,
        inertia: mass.inertia,
        bounds: Aabb::from_points(mesh.positions.iter().copied()).expect("it has corners"),
        materials: vec![0; all.len()],
        mesh,
    }
}

#[test]
fn a_piece_that_is_not_convex_keeps_its_hollow() {
    let island = corner_piece();
    assert!(
        (island.volume_m3 - 0.625).abs() < 1e-9,
        "{}",
        island.volume_m3
    );
    let body = Body::from_island(&island).expect("a chunk");
    assert!(
        body.chunk
            .as_ref()
            .is_some_and(|chunk| chunk.hull.is_none())
    );
    // A box in the hollow touches nothing.
    let world = room(0.0);
    let mut piece = body;
    let shift = DVec3::new(20.0, 0.0, 5.0);
    piece.teleport(piece.position + shift);
    let inside = box_of_stone(
        shift + DVec3::new(0.9, 0.2, 0.9),
        DVec3::new(0.3, 0.2, 0.3),
        DQuat::IDENTITY,
    );
    let before = inside.position;
    let mut debris = debris(vec![piece, inside]);
    run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 60);
    assert!(
        debris[1].position.distance(before) < 0.01,
        "{}",
        debris[1].position
    );
}
