//! Hulls of solids known in closed form and of integer points, whose planes all triples of points tell.
use super::*;
use crate::geom::rng::Rng;
use glam::{DMat3, DQuat, I64Vec3};
use std::f64::consts::{PI, TAU};

/// Any rotation.
fn any_turn(rng: &mut Rng) -> DMat3 {
    let turn = rng.unit_vector().extend(rng.range(-1.0, 1.0));
    DMat3::from_quat(DQuat::from_vec4(turn).normalize())
}

/// Turns the points and moves them a little.
fn placed(points: &[DVec3], rng: &mut Rng) -> Vec<DVec3> {
    let (turn, shift) = (any_turn(rng), rng.unit_vector());
    points.iter().map(|p| turn * *p + shift).collect()
}

/// The surface points of a box cut into n × n × n bricks; its corners only for one brick.
fn box_points(half: DVec3, n: i32) -> Vec<DVec3> {
    let mut points = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            for k in 0..=n {
                if [i, j, k].iter().any(|at| *at == 0 || *at == n) {
                    let at = DVec3::new(f64::from(i), f64::from(j), f64::from(k));
                    points.push(half * (at * (2.0 / f64::from(n)) - 1.0));
                }
            }
        }
    }
    points
}

/// A prism about the y axis with n sides.
fn prism_points(n: usize, radius: f64, half_height: f64) -> Vec<DVec3> {
    let corner = |k: usize| {
        let (sine, cosine) = libm::sincos(k as f64 / n as f64 * TAU);
        DVec3::new(radius * cosine, 0.0, radius * sine)
    };
    let up = DVec3::Y * half_height;
    (0..n)
        .flat_map(|k| [corner(k) - up, corner(k) + up])
        .collect()
}

/// Corners, faces and edges.
fn counts(hull: &Hull) -> [usize; 3] {
    [hull.corners.len(), hull.faces.len(), hull.edges.len()]
}

/// Most that a point may lie outside, by the slow answer: 0.5 % of the largest distance, or 1 mm.
fn tolerance(points: &[DVec3]) -> f64 {
    let from = |a: &DVec3| points.iter().map(|b| a.distance(*b)).fold(0.0, f64::max);
    let length = points.iter().map(from).fold(0.0, f64::max);
    (0.005 * length).max(0.001)
}

/// How far the farthest point lies above a face, metres.
fn excess(hull: &Hull, points: &[DVec3]) -> f64 {
    let over = |face: &HullFace| {
        let heights = points.iter().map(|p| face.normal.dot(*p) - face.offset);
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    hull.faces.iter().map(over).fold(0.0, f64::max)
}

/// The loop of a face, as indices.
fn loop_of(hull: &Hull, face: usize) -> &[u8] {
    let range = &hull.faces[face].corners;
    &hull.loops[usize::from(range.start)..usize::from(range.end)]
}

/// How often the loop of a face goes from `a` to `b`.
fn times(hull: &Hull, face: usize, [a, b]: [u8; 2]) -> usize {
    let corners = loop_of(hull, face);
    let next = |k: usize| corners[(k + 1) % corners.len()];
    (0..corners.len())
        .filter(|k| corners[*k] == a && next(*k) == b)
        .count()
}

/// Everything that the types promise, the faces flat within `flat` metres.
fn assert_sound(hull: &Hull, points: &[DVec3], flat: f64) {
    assert!(hull.corners.len() <= MOST_CORNERS);
    assert!(hull.corners.iter().all(|corner| points.contains(corner)));
    let [corners, faces, edges] = counts(hull);
    assert_eq!(corners + faces, edges + 2, "Euler");

    // The loops are the list of all corners of faces, one after the other.
    let mut end = 0;
    let mut six_volumes = 0.0;
    for (f, face) in hull.faces.iter().enumerate() {
        assert_eq!(face.corners.start, end);
        end = face.corners.end;
        let loop_corners: Vec<DVec3> = hull.corners_of(face).collect();
        let count = loop_corners.len();
        assert!(count >= 3);
        let distinct = |k: usize| !loop_of(hull, f)[..k].contains(&loop_of(hull, f)[k]);
        assert!((0..count).all(distinct));

        assert!((face.normal.length() - 1.0).abs() < 1e-12);
        for p in &hull.corners {
            assert!(face.normal.dot(*p) <= face.offset + 1e-12);
        }
        let mut area = DVec3::ZERO;
        for k in 0..count {
            let [a, b, c] = [0, 1, 2].map(|i| loop_corners[(k + i) % count]);
            assert!(face.normal.dot(a) >= face.offset - flat - 1e-12, "not flat");
            let bend = (b - a).cross(c - b).dot(face.normal);
            let sides = (b - a).length() * (c - b).length();
            assert!(bend >= -1e-8 * sides, "not convex");
            area += (a - loop_corners[0]).cross(b - loop_corners[0]);
        }
        let cosine = area.normalize().dot(face.normal);
        assert!(cosine > 1.0 - 1e-6, "the normal is not that of the loop");
        // Divergence: the volume is a third of the sum of area times height over a point.
        let height = loop_corners
            .iter()
            .map(|p| *p - hull.corners[0])
            .sum::<DVec3>()
            / count as f64;
        six_volumes += area.dot(height);
    }
    assert_eq!(usize::from(end), hull.loops.len());
    assert_eq!(hull.loops.len(), 2 * edges, "an edge has two faces");
    let used = |i: usize| hull.loops.iter().any(|corner| usize::from(*corner) == i);
    assert!((0..corners).all(used));
    for edge in &hull.edges {
        let [a, b] = edge.corners;
        let [one, other] = edge.faces.map(usize::from);
        assert!(one != other);
        for face in 0..faces {
            assert_eq!(times(hull, face, [a, b]), usize::from(face == one));
            assert_eq!(times(hull, face, [b, a]), usize::from(face == other));
        }
    }

    let surface: f64 = (0..faces).map(|f| spread(hull, f)).sum();
    assert!(hull.volume() > 0.0);
    let apart = (hull.volume() - six_volumes / 6.0).abs();
    assert!(apart <= flat * surface + 1e-12, "volumes {apart} m³ apart");
}

/// More than the area of a face, m².
fn spread(hull: &Hull, face: usize) -> f64 {
    let corners: Vec<DVec3> = hull.corners_of(&hull.faces[face]).collect();
    let length: f64 = corners.iter().map(|p| p.distance(corners[0])).sum();
    length * length
}

/// The hull has these counts and this volume, and no point lies outside.
fn check(points: &[DVec3], expected: [usize; 3], volume: f64) {
    let hull = Hull::around(points).expect("a solid");
    assert_eq!(counts(&hull), expected);
    assert_sound(&hull, points, 1e-12);
    assert!((hull.volume() / volume - 1.0).abs() < 1e-9);
    assert!(excess(&hull, points) < 1e-9);
}

#[test]
fn a_box_has_six_quads_and_its_own_corners() {
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let half = DVec3::from([(); 3].map(|()| 0.02 * libm::exp(rng.range(0.0, 4.6))));
        let corners = placed(&box_points(half, 1), &mut rng);
        check(&corners, [8, 6, 12], 8.0 * half.element_product());
        let straight = box_points(half, 1);
        check(&straight, [8, 6, 12], 8.0 * half.element_product());
    }
}

#[test]
fn points_on_the_faces_and_edges_of_a_box_are_no_corners() {
    let mut rng = Rng::new(2);
    for n in [2, 3, 5, 8] {
        for _ in 0..20 {
            let half = DVec3::from([(); 3].map(|()| 0.02 * libm::exp(rng.range(0.0, 4.6))));
            let points = placed(&box_points(half, n), &mut rng);
            check(&points, [8, 6, 12], 8.0 * half.element_product());
            let straight = box_points(half, n);
            check(&straight, [8, 6, 12], 8.0 * half.element_product());
        }
    }
}

#[test]
fn slabs_needles_plates_and_dice_keep_all_their_corners() {
    let mut rng = Rng::new(3);
    let slab = DVec3::new(1.5, 1.5, 0.025);
    let needle = DVec3::new(0.025, 0.025, 2.0);
    let plate = DVec3::new(0.5, 0.5, 0.00025);
    let die = DVec3::splat(0.008);
    for half in [slab, needle, plate, die] {
        for n in [1, 1, 1, 4] {
            let points = placed(&box_points(half, n), &mut rng);
            check(&points, [8, 6, 12], 8.0 * half.element_product());
        }
    }
}

#[test]
fn a_box_whose_points_are_a_tenth_of_a_millimetre_off_is_still_a_box() {
    let mut rng = Rng::new(4);
    let off = 1e-4;
    for _ in 0..100 {
        let half = DVec3::from([(); 3].map(|()| rng.range(0.1, 1.0)));
        let mut points = placed(&box_points(half, 4), &mut rng);
        for p in &mut points {
            *p += rng.unit_vector() * rng.range(0.0, off);
        }
        let hull = Hull::around(&points).expect("a box");
        assert_eq!(counts(&hull), [8, 6, 12]);
        assert_sound(&hull, &points, 4.0 * off);
        let volume = 8.0 * half.element_product();
        let most = 2.0 * off * half.recip().element_sum();
        assert!((hull.volume() / volume - 1.0).abs() < most);
        assert!(excess(&hull, &points) < tolerance(&points));
    }
}

#[test]
fn a_low_top_goes_into_the_face_and_a_roof_stays() {
    let mut rng = Rng::new(5);
    for n in [1, 2] {
        for _ in 0..50 {
            let half = DVec3::splat(0.5);
            let (x, z) = (rng.range(-0.4, 0.4), rng.range(-0.4, 0.4));
            let with = |more: &[DVec3], rng: &mut Rng| {
                let mut points = box_points(half, n);
                points.extend(more);
                placed(&points, rng)
            };
            let top = with(&[DVec3::new(x, 0.504, z)], &mut rng);
            let hull = Hull::around(&top).expect("a box");
            assert_eq!(counts(&hull), [8, 6, 12]);
            assert!(excess(&hull, &top) < tolerance(&top));
            let ridge = [-0.5, 0.5].map(|z| DVec3::new(x, 0.53, z));
            // The gable has an area of 1 m × 3 cm / 2.
            check(&with(&ridge, &mut rng), [10, 7, 15], 1.015);
        }
    }
}

#[test]
fn a_prism_has_its_sides() {
    let mut rng = Rng::new(6);
    for n in 3..=16 {
        for _ in 0..10 {
            let radius = rng.range(0.1, 1.0);
            let half_height = radius * rng.range(0.1, 2.0);
            let points = placed(&prism_points(n, radius, half_height), &mut rng);
            let area = 0.5 * n as f64 * radius * radius * libm::sin(TAU / n as f64);
            check(&points, [2 * n, n + 2, 3 * n], area * 2.0 * half_height);
        }
    }
}

#[test]
fn a_prism_of_too_many_sides_is_filled_from_within() {
    let mut rng = Rng::new(7);
    for n in 17..=40 {
        let radius = rng.range(0.1, 1.0);
        let half_height = radius * rng.range(0.1, 2.0);
        let points = placed(&prism_points(n, radius, half_height), &mut rng);
        let hull = Hull::around(&points).expect("a prism");
        assert_sound(&hull, &points, tolerance(&points));
        let area = 0.5 * n as f64 * radius * radius * libm::sin(TAU / n as f64);
        let part = hull.volume() / (area * 2.0 * half_height);
        assert!(0.9 < part, "{part}");
        assert!(part < 1.0 + 1e-9, "{part}");
    }
}

#[test]
fn regular_solids_have_the_volumes_of_the_textbook() {
    let root = 5f64.sqrt();
    let golden = (1.0 + root) / 2.0;
    // Three rectangles about the axes.
    let rectangles = |a: f64, b: f64| {
        let signs = [[a, b], [a, -b], [-a, b], [-a, -b]];
        signs.into_iter().flat_map(|[a, b]| {
            [
                DVec3::new(0.0, a, b),
                DVec3::new(a, b, 0.0),
                DVec3::new(b, 0.0, a),
            ]
        })
    };
    let octahedron: Vec<DVec3> = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .flat_map(|axis| [axis, -axis])
        .collect();
    // Of edge 2.
    let icosahedron: Vec<DVec3> = rectangles(1.0, golden).collect();
    // Of edge 2 / golden.
    let dodecahedron: Vec<DVec3> = rectangles(1.0 / golden, golden)
        .chain(box_points(DVec3::ONE, 1))
        .collect();
    let edge = 2.0 / golden;
    let mut rng = Rng::new(8);
    for _ in 0..20 {
        check(&placed(&octahedron, &mut rng), [6, 8, 12], 4.0 / 3.0);
        let volume = 5.0 * (3.0 + root) / 12.0 * 8.0;
        check(&placed(&icosahedron, &mut rng), [12, 20, 30], volume);
        let volume = (15.0 + 7.0 * root) / 4.0 * edge * edge * edge;
        check(&placed(&dodecahedron, &mut rng), [20, 12, 30], volume);
    }
}

#[test]
fn no_point_on_a_ball_is_left_out_by_more_than_the_tolerance() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let count = 5 + rng.below(28);
        let radius = rng.range(0.05, 2.0);
        let points: Vec<DVec3> = (0..count).map(|_| rng.unit_vector() * radius).collect();
        let tolerance = tolerance(&points);
        let Some(hull) = Hull::around(&points) else {
            panic!("seed {seed}");
        };
        assert_sound(&hull, &points, tolerance);
        let excess = excess(&hull, &points);
        // A face over several triangles leans between them.
        assert!(excess < 2.0 * tolerance, "seed {seed}: {excess} m");
    }
}

#[test]
fn a_ball_of_many_points_gets_the_most_corners_and_most_of_its_volume() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let points: Vec<DVec3> = (0..300).map(|_| rng.unit_vector()).collect();
        let hull = Hull::around(&points).expect("a ball");
        assert_eq!(hull.corners.len(), MOST_CORNERS);
        assert_sound(&hull, &points, tolerance(&points));
        let part = hull.volume() / (4.0 / 3.0 * PI);
        assert!(0.7 < part, "{part}");
        assert!(part < 1.0, "{part}");
    }
}

/// The planes of the hull of integer points, each once, by brute force over all triples: outward normal (not unit), n·x.
fn planes_of(points: &[I64Vec3]) -> Vec<(I64Vec3, i64)> {
    let mut planes: Vec<(I64Vec3, i64)> = Vec::new();
    for &a in points {
        for &b in points {
            for &c in points {
                let n = (b - a).cross(c - a);
                let is_known = |plane: &(I64Vec3, i64)| {
                    plane.0.cross(n) == I64Vec3::ZERO && plane.0.dot(n) > 0
                };
                if n != I64Vec3::ZERO
                    && points.iter().all(|p| n.dot(*p - a) <= 0)
                    && !planes.iter().any(is_known)
                {
                    planes.push((n, n.dot(a)));
                }
            }
        }
    }
    planes
}

/// Whether three of the planes meet in the point alone.
fn is_corner(p: I64Vec3, planes: &[(I64Vec3, i64)]) -> bool {
    let through = planes.iter().filter(|(n, d)| n.dot(p) == *d);
    let normals: Vec<I64Vec3> = through.map(|(n, _)| *n).collect();
    normals.iter().any(|a| {
        normals
            .iter()
            .any(|b| normals.iter().any(|c| a.cross(*b).dot(*c) != 0))
    })
}

#[test]
fn the_faces_of_integer_points_are_those_of_brute_force() {
    let mut solids = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let size = 2 + rng.below(2);
        let count = 4 + rng.below(13);
        let mut integers: Vec<I64Vec3> = (0..count)
            .map(|_| I64Vec3::from([(); 3].map(|()| rng.below(size) as i64)))
            .collect();
        let mut different: Vec<I64Vec3> = Vec::new();
        integers.retain(|p| {
            let is_new = !different.contains(p);
            different.push(*p);
            is_new
        });
        let planes = planes_of(&integers);
        let turn = any_turn(&mut rng);
        let points: Vec<DVec3> = integers.iter().map(|p| turn * p.as_dvec3()).collect();
        let Some(hull) = Hull::around(&points) else {
            assert!(planes.len() <= 2, "seed {seed} is not flat");
            continue;
        };
        solids += 1;
        assert_sound(&hull, &points, 1e-12);
        assert_eq!(hull.faces.len(), planes.len(), "seed {seed}");
        for (n, d) in &planes {
            let normal = turn * n.as_dvec3().normalize();
            let offset = *d as f64 / n.as_dvec3().length();
            let is_it = |face: &HullFace| {
                face.normal.distance(normal) < 1e-9 && (face.offset - offset).abs() < 1e-9
            };
            assert_eq!(hull.faces.iter().filter(|face| is_it(face)).count(), 1);
        }
        for (p, point) in integers.iter().zip(&points) {
            assert_eq!(is_corner(*p, &planes), hull.corners.contains(point));
        }
    }
    assert!(solids > 200, "{solids} solids");
}

#[test]
fn points_without_a_volume_have_no_hull() {
    assert_eq!(Hull::around(&[]), None);
    assert_eq!(Hull::around(&[DVec3::ONE; 9]), None);
    assert_eq!(Hull::around(&[DVec3::X, DVec3::Y, DVec3::Z]), None);
    let mut rng = Rng::new(9);
    for _ in 0..50 {
        let along = rng.unit_vector();
        let line: Vec<DVec3> = (0..20).map(|k| along * f64::from(k) + DVec3::ONE).collect();
        assert_eq!(Hull::around(&line), None);
        let (u, v) = (rng.unit_vector(), rng.unit_vector());
        let flat = (0..30).map(|_| u * rng.range(-1.0, 1.0) + v * rng.range(-1.0, 1.0));
        let flat: Vec<DVec3> = flat.collect();
        assert_eq!(Hull::around(&flat), None);
    }
}

#[test]
fn numbers_that_are_not_finite_or_far_too_large_or_small_have_no_hull() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..8 {
            for axis in 0..3 {
                let mut points = box_points(DVec3::ONE, 1);
                points[i][axis] = wrong;
                assert_eq!(Hull::around(&points), None);
            }
        }
    }
    for size in [1e300, 1e150, 1e-200, 0.0] {
        assert_eq!(Hull::around(&box_points(DVec3::splat(size), 1)), None);
    }
}

#[test]
fn the_same_points_give_the_same_bits_and_points_given_twice_change_nothing() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let points: Vec<DVec3> = (0..40).map(|_| rng.unit_vector()).collect();
        let hull = Hull::around(&points);
        assert_eq!(hull, Hull::around(&points));
        let twice: Vec<DVec3> = points.iter().chain(&points).copied().collect();
        assert_eq!(hull, Hull::around(&twice));
    }
}
