//! Boxes at known places, and random hulls against all axes by brute force.
use super::super::hull::{HullEdge, HullFace};
use super::clipping::EQUALLY_DEEP;
use super::*;
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use glam::DQuat;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4, TAU};

/// A box around the origin. Bit k of a corner's index tells its side along axis k; faces -x, +x, -y, +y, -z, +z.
fn cuboid(half: DVec3) -> Hull {
    const QUADS: [[u8; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let faces = (0..6u16).map(|i| {
        let k = usize::from(i / 2);
        let mut normal = DVec3::ZERO;
        normal[k] = if i % 2 == 0 { -1.0 } else { 1.0 };
        HullFace {
            normal,
            offset: half[k],
            corners: i * 4..i * 4 + 4,
        }
    });
    // Each edge runs one way in the loop of one face and the other way in that of another.
    let sides = (0u16..).zip(&QUADS).flat_map(|(face, quad)| {
        let side = move |k: usize| (face, [quad[k], quad[(k + 1) % 4]]);
        (0..4).map(side)
    });
    let sides: Vec<(u16, [u8; 2])> = sides.collect();
    let edges = sides.iter().filter(|(_, [from, to])| from < to);
    let edges = edges.map(|&(face, [from, to])| {
        let back = sides.iter().find(|(_, side)| *side == [to, from]);
        HullEdge {
            corners: [from, to],
            faces: [face, back.expect("a closed box").0],
        }
    });
    let hull = Hull {
        corners: Aabb::from_centre(DVec3::ZERO, half).corners().to_vec(),
        faces: faces.collect(),
        loops: QUADS.concat(),
        edges: edges.collect(),
    };
    assert_eq!(hull.edges.len(), 12);
    hull
}

fn placed(hull: &Hull, position: DVec3, rotation: DQuat) -> PlacedHull<'_> {
    PlacedHull {
        hull,
        axes: DMat3::from_quat(rotation),
        position,
    }
}

fn turned(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(angle * 0.5);
    let v = axis * sine;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

fn random_turn(rng: &mut Rng) -> DQuat {
    turned(rng.unit_vector(), rng.range(0.0, TAU))
}

fn random_cuboid(rng: &mut Rng) -> Hull {
    let mut side = || rng.range(0.1, 1.0);
    cuboid(DVec3::new(side(), side(), side()))
}

/// A hull around random points, of at most 1.4 m.
fn random_hull(rng: &mut Rng) -> Hull {
    let count = 8 + rng.below(30);
    let points: Vec<DVec3> = (0..count)
        .map(|_| rng.unit_vector() * rng.range(0.4, 0.7))
        .collect();
    Hull::around(&points).expect("points in all directions")
}

/// How far the corners of `a` are beyond those of `b` along an axis: the definition.
fn separation(axis: DVec3, a: &PlacedHull, b: &PlacedHull) -> f64 {
    let along = |placed: &PlacedHull, i: usize| {
        let corner = placed.position + placed.axes * placed.hull.corners[i];
        corner.dot(axis)
    };
    let mine = (0..a.hull.corners.len()).map(|i| along(a, i));
    let theirs = (0..b.hull.corners.len()).map(|i| along(b, i));
    mine.fold(f64::INFINITY, f64::min) - theirs.fold(f64::NEG_INFINITY, f64::max)
}

fn face_axes(placed: &PlacedHull) -> Vec<DVec3> {
    let faces = placed.hull.faces.iter();
    faces.map(|face| placed.axes * face.normal).collect()
}

fn edge_directions(placed: &PlacedHull) -> Vec<DVec3> {
    let corners = &placed.hull.corners;
    let edges = placed.hull.edges.iter();
    let direction = |edge: &HullEdge| {
        let [from, to] = edge.corners.map(|i| corners[usize::from(i)]);
        placed.axes * (to - from).normalize()
    };
    edges.map(direction).collect()
}

/// All axes, each both ways.
fn all_axes(a: &PlacedHull, b: &PlacedHull) -> Vec<DVec3> {
    let mut axes = face_axes(a);
    axes.extend(face_axes(b));
    for one in edge_directions(a) {
        for other in edge_directions(b) {
            let across = one.cross(other);
            if across.length() > 1e-3 {
                axes.push(across.normalize());
            }
        }
    }
    let back: Vec<DVec3> = axes.iter().map(|axis| -axis).collect();
    axes.extend(back);
    axes
}

/// Which of the axes separates most, and by how much.
fn most_separating(axes: &[DVec3], a: &PlacedHull, b: &PlacedHull) -> (DVec3, f64) {
    let separations = axes.iter().map(|&axis| (axis, separation(axis, a, b)));
    separations
        .max_by(|x, y| x.1.total_cmp(&y.1))
        .expect("axes")
}

/// What another axis may be better by: twice what counts as clearly better.
fn allowed(separation: f64) -> f64 {
    2.0 * (CLEARLY + CLEARLY_PART * separation.abs())
}

/// Height above the surface of a hull along its faces, below zero inside; of a point from the hull's position.
fn height(placed: &PlacedHull, arm: DVec3) -> f64 {
    let p = placed.axes.transpose() * arm;
    let faces = placed.hull.faces.iter();
    let heights = faces.map(|face| face.normal.dot(p) - face.offset);
    heights.fold(f64::NEG_INFINITY, f64::max)
}

/// The contacts, after what holds for all of them was asserted. The faces are flat up to `flat` metres.
fn contacts(
    a: &PlacedHull,
    b: &PlacedHull,
    distance: f64,
    last_normal: Option<DVec3>,
    flat: f64,
) -> SmallVec<[HullPoint; 4]> {
    let points = hull_contacts(a, b, distance, last_normal);
    assert!(points.len() <= 4);
    for (i, point) in points.iter().enumerate() {
        assert!((point.normal.length() - 1.0).abs() < 1e-9);
        assert!((point.normal - points[0].normal).length() < 1e-12);
        let [one, other] = point.arms;
        let between = (a.position + one) - (b.position + other);
        assert!((between - point.normal * point.gap).length() < 1e-9);
        assert!(point.gap <= distance);
        assert!(point.gap >= separation(point.normal, a, b) - flat);
        if point.features[0] < EDGE {
            // One of the two is on the face that was clipped.
            let off = height(a, one).abs().min(height(b, other).abs());
            assert!(off <= flat, "{off} m off the surface");
        }
        assert!(points[..i].iter().all(|p| p.features != point.features));
    }
    points
}

fn depth(points: &[HullPoint]) -> f64 {
    let gaps = points.iter().map(|point| point.gap);
    gaps.fold(f64::INFINITY, f64::min)
}

/// Both lists have the same points, up to their order.
fn assert_same_points(points: impl Iterator<Item = DVec3>, expected: &[DVec3]) {
    let points: Vec<DVec3> = points.collect();
    assert_eq!(points.len(), expected.len());
    for p in expected {
        let is_there = points.iter().any(|q| q.distance(*p) < 1e-9);
        assert!(is_there, "{p} is missing in {points:?}");
    }
}

#[test]
fn a_box_on_a_slab_touches_it_with_its_four_corners() {
    let (hull, slab) = (cuboid(DVec3::splat(0.5)), cuboid(DVec3::new(4.0, 0.5, 4.0)));
    let below = placed(&slab, DVec3::new(-1.0, 2.0, 0.5), DQuat::IDENTITY);
    let feet = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)];
    let feet = feet.map(|(x, z)| DVec3::new(x, -0.5, z));
    // Overlapping, touching and apart.
    for gap in [-0.002, 0.0, 0.008] {
        let above = placed(&hull, DVec3::new(0.25, 3.0 + gap, 0.75), DQuat::IDENTITY);
        let points = contacts(&above, &below, 0.012, None, 1e-9);
        assert_same_points(points.iter().map(|p| p.arms[0]), &feet);
        for p in &points {
            assert!((p.normal - DVec3::Y).length() < 1e-12);
            assert!((p.gap - gap).abs() < 1e-12);
        }
        let points = contacts(&below, &above, 0.012, None, 1e-9);
        assert_same_points(points.iter().map(|p| p.arms[1]), &feet);
        for p in &points {
            assert!((p.normal + DVec3::Y).length() < 1e-12);
            assert!((p.gap - gap).abs() < 1e-12);
        }
        // The last normal is right, wrong, or that of a tick in which the box lay beside the slab.
        for last in [DVec3::Y, DVec3::NEG_Y, DVec3::X] {
            let again = contacts(&above, &below, 0.012, Some(last), 1e-9);
            assert_same_points(again.iter().map(|p| p.arms[0]), &feet);
        }
    }
}

#[test]
fn boxes_farther_apart_than_asked_do_not_touch() {
    let hull = cuboid(DVec3::splat(0.5));
    let still = placed(&hull, DVec3::ZERO, DQuat::IDENTITY);
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for side in [1.008, -1.008] {
            let other = placed(&hull, axis * side, DQuat::IDENTITY);
            assert_eq!(contacts(&still, &other, 0.012, None, 1e-9).len(), 4);
            for last in [None, Some(axis), Some(-axis)] {
                assert!(contacts(&still, &other, 0.005, last, 1e-9).is_empty());
            }
        }
    }
    // Two edges that pass each other: their cross product separates them and no face does.
    let [x, z] = [DVec3::X, DVec3::Z].map(|axis| turned(axis, FRAC_PI_4));
    let lower = placed(&hull, DVec3::ZERO, z);
    let upper = placed(&hull, DVec3::Y * (2.0 * FRAC_1_SQRT_2 + 0.008), x);
    let faces: Vec<DVec3> = face_axes(&lower).into_iter().map(|axis| -axis).collect();
    assert!(most_separating(&faces, &lower, &upper).1 < 0.0);
    assert_eq!(contacts(&upper, &lower, 0.012, None, 1e-9).len(), 1);
    assert!(contacts(&upper, &lower, 0.005, None, 1e-9).is_empty());
}

#[test]
fn crossed_edges_touch_in_one_point() {
    let hull = cuboid(DVec3::splat(0.5));
    let lower = placed(
        &hull,
        DVec3::new(3.0, 0.0, 1.0),
        turned(DVec3::Z, FRAC_PI_4),
    );
    let up = 2.0 * FRAC_1_SQRT_2 - 0.01;
    // Not above the middles.
    let shift = DVec3::new(0.125, up, -0.25);
    let upper = placed(&hull, lower.position + shift, turned(DVec3::X, FRAC_PI_4));
    let [point] = contacts(&upper, &lower, 0.012, None, 1e-9)[..] else {
        panic!("one point");
    };
    assert!((point.normal - DVec3::Y).length() < 1e-9);
    assert!((point.gap + 0.01).abs() < 1e-12);
    let expected = [
        DVec3::new(-0.125, -FRAC_1_SQRT_2, 0.0),
        DVec3::new(0.0, FRAC_1_SQRT_2, -0.25),
    ];
    for (arm, expected) in point.arms.iter().zip(expected) {
        assert!((*arm - expected).length() < 1e-9);
    }
    let [back] = contacts(&lower, &upper, 0.012, None, 1e-9)[..] else {
        panic!("one point");
    };
    assert!((back.normal + DVec3::Y).length() < 1e-9);
    assert_eq!(back.features, [point.features[1], point.features[0]]);
}

#[test]
fn a_box_on_its_corner_touches_with_that_corner() {
    let (hull, slab) = (cuboid(DVec3::splat(0.5)), cuboid(DVec3::new(4.0, 0.5, 4.0)));
    let below = placed(&slab, DVec3::ZERO, DQuat::IDENTITY);
    // Corner 7, (1, 1, 1) / 2, is the lowest one.
    let turn = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Y);
    let half_diagonal = 0.75f64.sqrt();
    let up = DVec3::new(0.5, 0.5 + half_diagonal - 0.01, -1.0);
    let above = placed(&hull, up, turn);
    let [point] = contacts(&above, &below, 0.012, None, 1e-9)[..] else {
        panic!("one point");
    };
    assert!((point.normal - DVec3::Y).length() < 1e-9);
    assert!((point.gap + 0.01).abs() < 1e-9);
    assert!((point.arms[0] - DVec3::NEG_Y * half_diagonal).length() < 1e-9);
    assert_eq!(point.features, [7, FACE + 3]);
}

#[test]
fn of_an_octagon_four_points_are_kept_that_span_a_square() {
    let hull = cuboid(DVec3::splat(0.5));
    let below = placed(&hull, DVec3::ZERO, DQuat::IDENTITY);
    let turn = turned(DVec3::Y, FRAC_PI_4);
    let above = placed(&hull, DVec3::Y * 0.999, turn);
    let points = contacts(&above, &below, 0.012, None, 1e-9);
    assert_eq!(points.len(), 4);
    // A unit square and the same one turned by 45 degrees have a regular octagon in common, of 2(√2 - 1) m²: its corners
    // lie this far from the middle.
    let radius = (FRAC_1_SQRT_2 * (2f64.sqrt() - 1.0)).sqrt();
    for (i, p) in points.iter().enumerate() {
        let flat = |p: &HullPoint| DVec3::new(p.arms[0].x, 0.0, p.arms[0].z);
        assert!((flat(p).length() - radius).abs() < 1e-9);
        for q in &points[i + 1..] {
            // Side or diagonal of a square.
            let squared = flat(p).distance_squared(flat(q)) / (radius * radius);
            assert!((squared - 2.0).abs() < 1e-6 || (squared - 4.0).abs() < 1e-6);
        }
    }
}

#[test]
fn a_hull_in_its_own_place_goes_out_the_shortest_way() {
    let hull = cuboid(DVec3::new(0.3, 0.1, 0.15));
    let own = placed(&hull, DVec3::ONE, turned(DVec3::X, 0.5));
    let points = contacts(&own, &own, 0.012, None, 1e-9);
    assert_eq!(points.len(), 4);
    for p in &points {
        assert!((p.gap + 0.2).abs() < 1e-12);
        assert!((p.normal.dot(own.axes.y_axis).abs() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_axis_of_the_last_tick_is_kept_while_no_other_is_clearly_better() {
    let hull = cuboid(DVec3::splat(0.5));
    let still = placed(&hull, DVec3::ZERO, DQuat::IDENTITY);
    let normal = |position: DVec3, last: Option<DVec3>| {
        let other = placed(&hull, position, DQuat::IDENTITY);
        contacts(&other, &still, 0.012, last, 1e-9)[0].normal
    };
    // Overlaps by 100 mm and 99.8 mm.
    let near = DVec3::new(0.9, 0.9002, 0.0);
    assert_eq!(normal(near, None), DVec3::Y);
    assert_eq!(normal(near, Some(DVec3::Y)), DVec3::Y);
    assert_eq!(normal(near, Some(DVec3::X)), DVec3::X);
    // By 150 mm and 100 mm.
    let clear = DVec3::new(0.85, 0.9, 0.0);
    assert_eq!(normal(clear, Some(DVec3::X)), DVec3::Y);
}

#[test]
fn bodies_at_rest_keep_their_points_while_they_tremble() {
    let plank = cuboid(DVec3::new(0.3, 0.1, 0.15));
    let (cube, slab) = (cuboid(DVec3::splat(0.5)), cuboid(DVec3::new(4.0, 0.5, 4.0)));
    let eighth = turned(DVec3::Y, FRAC_PI_4);
    // Above, below, how the upper one is turned, how far it is shifted, and half of both heights.
    let along = DVec3::X * 0.2;
    let cases = [
        (&plank, &plank, DQuat::IDENTITY, DVec3::ZERO, 0.2),
        (&plank, &plank, DQuat::IDENTITY, along, 0.2),
        (&cube, &slab, turned(DVec3::Y, 0.3), along, 1.0),
        (&cube, &cube, eighth, DVec3::ZERO, 1.0),
    ];
    let mut rng = Rng::new(1);
    for (i, (upper, lower, turn, shift, height)) in cases.into_iter().enumerate() {
        let below = placed(lower, DVec3::ZERO, DQuat::IDENTITY);
        let mut first: Option<Vec<[u16; 2]>> = None;
        let mut last_normal = None;
        for _ in 0..200 {
            let tremble = rng.unit_vector() * 1e-6;
            let position = shift + DVec3::Y * (height - 0.001) + tremble;
            let rotation = turned(rng.unit_vector(), 1e-6) * turn;
            let above = placed(upper, position, rotation);
            let points = contacts(&above, &below, 0.012, last_normal, 1e-9);
            assert_eq!(points.len(), 4, "case {i}");
            last_normal = Some(points[0].normal);
            let features: Vec<[u16; 2]> = points.iter().map(|p| p.features).collect();
            let first = first.get_or_insert_with(|| features.clone());
            assert_eq!(*first, features, "case {i}");
        }
    }
}

#[test]
fn random_boxes_touch_along_the_axis_that_brute_force_finds() {
    const DISTANCE: f64 = 0.02;
    let (mut unique, mut by_edges) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let hulls = [random_cuboid(&mut rng), random_cuboid(&mut rng)];
        let at = rng.unit_vector() * rng.range(0.0, 1.5);
        let a = placed(&hulls[0], DVec3::ONE, random_turn(&mut rng));
        let b = placed(&hulls[1], DVec3::ONE + at, random_turn(&mut rng));
        let points = contacts(&a, &b, DISTANCE, None, 1e-9);
        let axes = all_axes(&a, &b);
        let (axis, greatest) = most_separating(&axes, &a, &b);
        if greatest > 0.0 {
            // A face that separates them by more is never overlooked.
            let mut faces: Vec<DVec3> = face_axes(&a).into_iter().map(|axis| -axis).collect();
            faces.extend(face_axes(&b));
            let by_faces = most_separating(&faces, &a, &b).1;
            assert!(by_faces <= DISTANCE || points.is_empty(), "seed {seed}");
            continue;
        }
        assert!(!points.is_empty(), "seed {seed}");
        let normal = points[0].normal;
        let along = separation(normal, &a, &b);
        assert!(along >= greatest - allowed(greatest) - 1e-9, "seed {seed}");
        assert!(depth(&points) <= EQUALLY_DEEP, "seed {seed}");
        // The normal that it chose is still chosen in the next tick.
        let again = contacts(&a, &b, DISTANCE, Some(normal), 1e-9);
        assert_eq!(again, points, "seed {seed}");

        let others: Vec<DVec3> = axes
            .into_iter()
            .filter(|other| other.dot(axis) < 1.0 - 1e-9)
            .collect();
        let second = most_separating(&others, &a, &b).1;
        if greatest - second < 1.5 * allowed(greatest) {
            continue;
        }
        unique += 1;
        by_edges += usize::from(points[0].features[0] >= EDGE);
        assert!(normal.dot(axis) > 1.0 - 1e-9, "seed {seed}");
        assert!(
            (depth(&points) - greatest).abs() < 1.001 * EQUALLY_DEEP,
            "seed {seed}"
        );
        let swapped = contacts(&b, &a, DISTANCE, None, 1e-9);
        assert!(swapped[0].normal.dot(axis) < 1e-9 - 1.0, "seed {seed}");
        assert!(
            (depth(&swapped) - greatest).abs() < 1.001 * EQUALLY_DEEP,
            "seed {seed}"
        );
    }
    assert!(unique > 50, "{unique} with one best axis");
    assert!(by_edges > 0, "none by edges");
}

#[test]
fn random_hulls_touch_along_an_axis_as_good_as_any_that_brute_force_finds() {
    const DISTANCE: f64 = 0.02;
    // What merging triangles to faces may cost, for hulls of this size.
    const FLAT: f64 = 0.02;
    let mut touching = 0;
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let hulls = [random_hull(&mut rng), random_hull(&mut rng)];
        let at = rng.unit_vector() * rng.range(0.5, 1.3);
        let a = placed(&hulls[0], DVec3::ZERO, random_turn(&mut rng));
        let b = placed(&hulls[1], at, random_turn(&mut rng));
        let points = contacts(&a, &b, DISTANCE, None, FLAT);
        let (_, greatest) = most_separating(&all_axes(&a, &b), &a, &b);
        if greatest > 0.0 {
            continue;
        }
        touching += 1;
        assert!(!points.is_empty(), "seed {seed}");
        let along = separation(points[0].normal, &a, &b);
        assert!(along >= greatest - allowed(greatest) - FLAT, "seed {seed}");
        assert!(depth(&points) <= FLAT, "seed {seed}");
    }
    assert!(touching > 20, "{touching} touch");
}

#[test]
fn a_ball_touches_a_box_where_the_clamped_centre_is() {
    const DISTANCE: f64 = 0.3;
    let (mut outside, mut inside, mut far) = (0, 0, 0);
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let hull = random_cuboid(&mut rng);
        let half = hull.corners[7];
        let turn = random_turn(&mut rng);
        let hull = placed(&hull, DVec3::new(2.0, -1.0, 0.5), turn);
        let p = rng.unit_vector() * rng.range(0.0, 1.6);
        let centre = hull.position + hull.axes * p;
        let radius = rng.range(0.01, 0.2);
        let contact = ball_hull_contact(centre, radius, &hull, DISTANCE);
        let nearest = p.clamp(-half, half);
        let away = p.distance(nearest);
        // Inside: down to the nearest face.
        let deep = (half - p.abs()).min_element();
        let above = if away > 0.0 { away } else { -deep };
        let gap = above - radius;
        if gap > DISTANCE {
            assert_eq!(contact, None, "seed {seed}");
            far += 1;
            continue;
        }
        let contact = contact.expect("near");
        assert!((contact.gap - gap).abs() < 1e-9, "seed {seed}");
        let surface = hull.position + contact.arm;
        let back = surface + contact.normal * (contact.gap + radius);
        assert!(back.distance(centre) < 1e-9, "seed {seed}");
        assert!((contact.normal.length() - 1.0).abs() < 1e-9, "seed {seed}");
        assert!(height(&hull, contact.arm).abs() < 1e-9, "seed {seed}");
        if away > 0.0 {
            outside += 1;
            let expected = hull.axes * nearest;
            assert!(contact.arm.distance(expected) < 1e-9, "seed {seed}");
        } else {
            inside += 1;
        }
    }
    for count in [outside, inside, far] {
        assert!(count > 50, "{outside} outside, {inside} inside, {far} far");
    }
}

#[test]
fn a_ball_on_a_face_an_edge_and_a_corner_of_a_cube() {
    let hull = cuboid(DVec3::splat(0.5));
    let cube = placed(&hull, DVec3::ZERO, DQuat::IDENTITY);
    let touch = |centre: DVec3| ball_hull_contact(centre, 0.1, &cube, 0.012);
    let face = touch(DVec3::new(0.2, 0.595, -0.3)).expect("a face");
    assert!((face.normal - DVec3::Y).length() < 1e-12);
    assert!((face.gap + 0.005).abs() < 1e-12);
    // Off the edge and the corner by 0.1 m in the diagonal.
    let edge = DVec3::new(1.0, 1.0, 0.0).normalize();
    let by_edge = touch(DVec3::new(0.5, 0.5, 0.25) + edge * 0.1).expect("an edge");
    assert!((by_edge.normal - edge).length() < 1e-9);
    assert!(by_edge.gap.abs() < 1e-9);
    let corner = DVec3::ONE.normalize();
    let by_corner = touch(DVec3::splat(0.5) + corner * 0.1).expect("a corner");
    assert!((by_corner.normal - corner).length() < 1e-9);
    assert!((by_corner.arm - DVec3::splat(0.5)).length() < 1e-9);
    // Nearer to the planes of two faces than to the edge between them.
    assert_eq!(touch(DVec3::new(0.6, 0.6, 0.0)), None);
    // On the corner itself there is still a way out.
    let on = touch(DVec3::splat(0.5)).expect("on the corner");
    assert!((on.normal.length() - 1.0).abs() < 1e-12);
    assert!((on.gap + 0.1).abs() < 1e-12);
}

#[test]
fn no_sampled_point_of_a_random_hull_is_nearer_to_a_ball_than_its_contact() {
    // What merging triangles to faces may cost.
    const FLAT: f64 = 0.02;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let hull = random_hull(&mut rng);
        let hull = placed(&hull, DVec3::X, random_turn(&mut rng));
        let centre = hull.position + rng.unit_vector() * rng.range(0.75, 1.5);
        let radius = 0.1;
        let contact = ball_hull_contact(centre, radius, &hull, 10.0).expect("near");
        let away = contact.gap + radius;
        let surface = hull.position + contact.arm;
        assert!((surface.distance(centre) - away).abs() < 1e-9);
        assert!(height(&hull, contact.arm).abs() < FLAT);
        for _ in 0..500 {
            // Heavy on few corners, so that samples come near the surface.
            let weights: Vec<f64> = hull
                .hull
                .corners
                .iter()
                .map(|_| rng.unit_f64().powi(12))
                .collect();
            let sum: f64 = weights.iter().sum();
            let corners = hull.hull.corners.iter().zip(&weights);
            let sample: DVec3 = corners.map(|(corner, weight)| *corner * *weight).sum();
            let sample = hull.position + hull.axes * (sample / sum);
            assert!(sample.distance(centre) > away - FLAT, "seed {seed}");
        }
    }
}
