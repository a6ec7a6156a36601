//! Every query of the collision library against a slow answer by another way, turned and moved as a whole, and with
//! numbers that are none. The kernels' own tests hold the hand-computed cases and the conventions.
use breach::collide::*;
use breach::geom::rng::Rng;
use breach::geom::{Aabb, Obb, Plane, Ray, Segment};
use glam::{DMat3, DMat4, DQuat, DVec2, DVec3};

/// Smallest part of 0..=1 at which `gap` is not positive, by `steps` steps and bisection.
fn first_touch(gap: impl Fn(f64) -> f64, steps: u32) -> Option<f64> {
    let at = |i: u32| f64::from(i) / f64::from(steps);
    let inside = (0..=steps).map(at).find(|f| gap(*f) <= 0.0)?;
    let (mut low, mut high) = ((inside - 1.0 / f64::from(steps)).max(0.0), inside);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gap(middle) <= 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// Both agree where the slow one is sure: it may step over a graze, which the fast one finds.
fn same_touch(fast: Option<f64>, slow: Option<f64>, gap: impl Fn(f64) -> f64, what: &str) {
    match (fast, slow) {
        (Some(fast), Some(slow)) => assert!((fast - slow).abs() < 1e-5, "{what}: {fast} {slow}"),
        (Some(fast), None) => assert!(gap(fast).abs() < 1e-6, "{what}: only fast, {fast}"),
        (None, Some(slow)) => assert!(gap(slow) > -1e-9, "{what}: only slow, {slow}"),
        (None, None) => {}
    }
}

fn point(rng: &mut Rng, size: f64) -> DVec3 {
    DVec3::from([0; 3].map(|_| rng.range(-size, size)))
}

fn turn(rng: &mut Rng) -> DQuat {
    DQuat::from_vec4(rng.unit_vector().extend(rng.range(-1.0, 1.0))).normalize()
}

fn ray(rng: &mut Rng) -> Ray {
    Ray {
        origin: point(rng, 3.0),
        dir: rng.unit_vector() * 8.0,
    }
}

/// A line's smallest distance from a point by ternary search, as distances to a point are convex along it.
fn nearest_by_search(distance: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(p) <= distance(q) {
            high = q;
        } else {
            low = p;
        }
    }
    0.5 * (low + high)
}

#[test]
fn rays_meet_planes_and_spheres_where_small_steps_do() {
    let mut rng = Rng::new(1);
    for _ in 0..2000 {
        let ray = ray(&mut rng);
        let plane = Plane::from_point(rng.unit_vector(), point(&mut rng, 2.0));
        let side = plane.distance(ray.origin).signum();
        let gap = |t: f64| plane.distance(ray.at(t)) * side;
        let fast = intersect_ray_plane(&ray, &plane).filter(|t| *t <= 1.0);
        same_touch(fast, first_touch(gap, 200), gap, "plane");
        let (centre, radius) = (point(&mut rng, 2.0), rng.range(0.1, 2.0));
        let gap = |t: f64| ray.at(t).distance(centre) - radius;
        let fast = intersect_ray_sphere(&ray, centre, radius).filter(|t| *t <= 1.0);
        same_touch(fast, first_touch(gap, 2000), gap, "sphere");
    }
}

#[test]
fn swept_spheres_meet_planes_edges_points_and_spheres_where_small_steps_do() {
    let mut rng = Rng::new(2);
    let mut hits = [0; 4];
    for _ in 0..6000 {
        let (from, to) = (point(&mut rng, 3.0), point(&mut rng, 3.0));
        let sweep = SphereSweep::new(from, to, rng.range(0.05, 0.8)).expect("somewhere");
        let (a, b) = (point(&mut rng, 2.0), point(&mut rng, 2.0));
        let plane = Plane::from_point(rng.unit_vector(), a);
        let way = point(&mut rng, 2.0);
        let other = rng.range(0.05, 0.8);
        let to_line = |f: f64| {
            let centre = sweep.at(f);
            let along = (centre - a).dot(b - a) / (b - a).length_squared();
            // The edge has no caps: only its inside counts.
            let inside = (0.0..=1.0).contains(&along);
            let foot = a + (b - a) * along;
            if inside {
                centre.distance(foot) - sweep.radius
            } else {
                1.0
            }
        };
        let to_point = |f: f64| sweep.at(f).distance(a) - sweep.radius;
        let to_plane = |f: f64| plane.distance(sweep.at(f)) - sweep.radius;
        let to_sphere = |f: f64| sweep.at(f).distance(b + way * f) - sweep.radius - other;
        let starts = [to_plane(0.0), to_line(0.0), to_point(0.0), to_sphere(0.0)];
        if starts.iter().any(|gap| *gap <= 0.0) || plane.distance(from) < 0.0 {
            continue;
        }
        let fast = sweep_sphere_plane(&sweep, &plane).map(|h| h.fraction);
        same_touch(fast, first_touch(to_plane, 300), to_plane, "plane");
        hits[0] += usize::from(fast.is_some());
        let edge = sweep_sphere_edge(&sweep, a, b, 1.0).map(|h| h.fraction);
        let slow = first_touch(to_line, 1000);
        // Where the path comes in over an end, that is a vertex's contact.
        let over_an_end = slow.is_some_and(|f| to_line(f) < -1e-6);
        if !over_an_end {
            same_touch(edge, slow, to_line, "edge");
            hits[1] += usize::from(edge.is_some());
        }
        let vertex = sweep_sphere_vertex(&sweep, a, 1.0).map(|h| h.fraction);
        same_touch(vertex, first_touch(to_point, 1000), to_point, "vertex");
        hits[2] += usize::from(vertex.is_some());
        let sphere = sweep_sphere_sphere(&sweep, b, way, other).map(|h| h.fraction);
        same_touch(sphere, first_touch(to_sphere, 1000), to_sphere, "sphere");
        hits[3] += usize::from(sphere.is_some());
        // Whoever asks.
        if let Some(back) = SphereSweep::new(b, b + way, other) {
            let back = sweep_sphere_sphere(&back, from, to - from, sweep.radius);
            assert_eq!(back.is_some(), sphere.is_some());
        }
    }
    assert!(hits.iter().all(|hits| *hits > 25), "{hits:?}");
}

#[test]
fn arvo_and_the_nearest_points_agree_with_searching() {
    let mut rng = Rng::new(3);
    let mut touching = 0;
    for _ in 0..2000 {
        let bounds = Aabb::from_corners(point(&mut rng, 2.0), point(&mut rng, 2.0));
        let (centre, radius) = (point(&mut rng, 3.0), rng.range(0.0, 2.0));
        // Axis by axis, as the squares of distances add up.
        let axis = |k: usize| {
            let f = nearest_by_search(|f| (bounds.min[k] + bounds.size()[k] * f - centre[k]).abs());
            bounds.min[k] + bounds.size()[k] * f
        };
        let nearest = DVec3::new(axis(0), axis(1), axis(2));
        let gap = nearest.distance(centre) - radius;
        let overlaps = overlap_sphere_aabb(centre, radius, &bounds);
        if gap.abs() > 1e-9 {
            assert_eq!(overlaps, gap < 0.0);
        }
        touching += usize::from(overlaps);
        let segment = Segment {
            from: point(&mut rng, 2.0),
            to: point(&mut rng, 2.0),
        };
        let (found, fraction) = closest_point_segment(centre, &segment);
        let slow = nearest_by_search(|f| segment.at(f).distance(centre));
        assert!((found.distance(centre) - segment.at(slow).distance(centre)).abs() < 1e-9);
        assert!(segment.at(fraction).distance(found) < 1e-12);
        let back = Segment {
            from: segment.to,
            to: segment.from,
        };
        assert!(closest_point_segment(centre, &back).0.distance(found) < 1e-12);
    }
    assert!(200 < touching && touching < 1800, "{touching}");
}

#[test]
fn a_convex_polygon_holds_what_lies_on_the_same_side_of_all_its_sides() {
    let mut rng = Rng::new(4);
    let mut inside = 0;
    for _ in 0..2000 {
        let n = 3 + rng.below(6) as usize;
        let mut corners: Vec<DVec2> = (0..n)
            .map(|i| {
                let (sin, cos) = libm::sincos(i as f64 / n as f64 * std::f64::consts::TAU);
                DVec2::new(cos * 2.0, sin)
            })
            .collect();
        let p = point(&mut rng, 2.5).truncate();
        // A triangle's share for each pair of neighbours: the fan around the point has the polygon's area only inside.
        let fan = |c: &[DVec2]| -> f64 {
            let next = c.iter().cycle().skip(1);
            c.iter()
                .zip(next)
                .map(|(a, b)| (*a - p).perp_dot(*b - p).abs())
                .sum()
        };
        let area = |c: &[DVec2]| -> f64 {
            let next = c.iter().cycle().skip(1);
            c.iter()
                .zip(next)
                .map(|(a, b)| a.perp_dot(*b))
                .sum::<f64>()
                .abs()
        };
        let off = fan(&corners) - area(&corners);
        for _ in 0..n {
            corners.rotate_left(1);
            for _ in 0..2 {
                corners.reverse();
                let answers = [
                    point_in_polygon_convex(&corners, p),
                    point_in_polygon_angles(&corners, p),
                    point_in_polygon_quadrants(&corners, p),
                    point_in_polygon_crossings(&corners, p),
                ];
                if off.abs() > 1e-9 || off < 1e-12 {
                    assert_eq!(answers, [off < 1e-9; 4], "{corners:?} {p}");
                }
            }
        }
        inside += usize::from(off < 1e-9);
    }
    assert!(200 < inside && inside < 1800, "{inside}");
}

/// The same question about the same things, all of them turned and moved: the same answer, turned and moved.
#[test]
fn answers_turn_and_move_with_their_shapes() {
    let mut rng = Rng::new(5);
    for _ in 0..500 {
        let (rotation, shift) = (turn(&mut rng), point(&mut rng, 10.0));
        let moved = |p: DVec3| rotation * p + shift;
        let near = |a: Option<f64>, b: Option<f64>, what: &str| match (a, b) {
            (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{what}: {a} {b}"),
            (a, b) => assert_eq!(a.is_some(), b.is_some(), "{what}: {a:?} {b:?}"),
        };
        let one = ray(&mut rng);
        let two = Ray {
            origin: moved(one.origin),
            dir: rotation * one.dir,
        };
        let corners = [0; 3].map(|_| point(&mut rng, 2.0));
        let other = [0; 3].map(|_| point(&mut rng, 2.0));
        let (normal, on) = (rng.unit_vector(), point(&mut rng, 2.0));
        let planes = [
            Plane::from_point(normal, on),
            Plane::from_point(rotation * normal, moved(on)),
        ];
        near(
            intersect_ray_plane(&one, &planes[0]),
            intersect_ray_plane(&two, &planes[1]),
            "plane",
        );
        near(
            intersect_ray_sphere(&one, on, 1.0),
            intersect_ray_sphere(&two, moved(on), 1.0),
            "sphere",
        );
        near(
            intersect_ray_polygon(&one, &corners),
            intersect_ray_polygon(&two, &corners.map(moved)),
            "polygon",
        );
        let hit = |ray: &Ray, corners| {
            intersect_ray_triangle(&ShearedRay::new(ray.origin, ray.dir)?, &corners).map(|h| h.t)
        };
        near(
            hit(&one, corners),
            hit(&two, corners.map(moved)),
            "triangle",
        );
        let obb = Obb {
            centre: on,
            half_size: DVec3::new(0.5, 1.0, 0.3),
            axes: DMat3::from_quat(turn(&mut rng)),
        };
        let moved_obb = |obb: &Obb| Obb {
            centre: moved(obb.centre),
            axes: DMat3::from_quat(rotation) * obb.axes,
            ..*obb
        };
        near(
            intersect_ray_obb(&one, &obb),
            intersect_ray_obb(&two, &moved_obb(&obb)),
            "box",
        );
        let second = Obb {
            centre: point(&mut rng, 2.0),
            half_size: DVec3::new(0.2, 0.8, 0.6),
            axes: DMat3::from_quat(turn(&mut rng)),
        };
        let touch = overlap_obb_obb(&obb, &second);
        assert_eq!(
            touch,
            overlap_obb_obb(&moved_obb(&obb), &moved_obb(&second))
        );
        let touch = overlap_triangle_triangle(&corners, &other);
        assert_eq!(
            touch,
            overlap_triangle_triangle(&corners.map(moved), &other.map(moved))
        );
        let radius = rng.range(0.05, 0.5);
        let sweeps = [
            SphereSweep::new(one.origin, one.at(1.0), radius).expect("somewhere"),
            SphereSweep::new(two.origin, two.at(1.0), radius).expect("somewhere"),
        ];
        let fraction = |hit: Option<SweepHit>| hit.map(|hit| hit.fraction);
        near(
            fraction(sweep_sphere_plane(&sweeps[0], &planes[0])),
            fraction(sweep_sphere_plane(&sweeps[1], &planes[1])),
            "sweep at a plane",
        );
        for k in 0..3 {
            let turned = [0, 1, 2].map(|i| corners[(i + k) % 3]);
            near(
                fraction(sweep_sphere_triangle(&sweeps[0], &corners)),
                fraction(sweep_sphere_triangle(&sweeps[1], &turned.map(moved))),
                "sweep at a triangle",
            );
            near(
                fraction(sweep_sphere_polygon(&sweeps[0], &corners)),
                fraction(sweep_sphere_polygon(&sweeps[1], &turned.map(moved))),
                "sweep at a polygon",
            );
        }
        let points: Vec<DVec3> = (0..9).map(|_| point(&mut rng, 2.0)).collect();
        let around = bounding_sphere(&points).expect("points");
        let all: Vec<DVec3> = points.iter().rev().map(|p| moved(*p)).collect();
        let again = bounding_sphere(&all).expect("points");
        assert!(moved(around.0).distance(again.0) < 1e-9 && (around.1 - again.1).abs() < 1e-9);
        let extreme = |points: &[DVec3], way: DVec3| {
            extreme_points(points, way)
                .expect("points")
                .map(|i| points[i])
        };
        let found = extreme(&points, normal).map(moved);
        assert!(
            found
                .iter()
                .zip(extreme(&all, rotation * normal))
                .all(|(p, q)| p.distance(q) < 1e-9)
        );
        let nearest = closest_point_triangle(on, &corners);
        assert!(
            closest_point_triangle(moved(on), &corners.map(moved)).distance(moved(nearest)) < 1e-9
        );
    }
}

/// Not a number, infinite, nothing, negative, huge, tiny: each query answers, and what it answers is within its range.
#[test]
fn no_number_makes_a_query_panic_or_lie_about_its_range() {
    const WILD: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        1.0,
        -1.0,
        1e300,
        -1e300,
        1e-300,
        1e160,
        0.5,
    ];
    let mut rng = Rng::new(6);
    for _ in 0..200_000 {
        let number = |rng: &mut Rng| WILD[rng.below(WILD.len() as u64) as usize];
        let wild = |rng: &mut Rng| DVec3::from([0; 3].map(|_| number(rng)));
        let points: [DVec3; 8] = std::array::from_fn(|_| wild(&mut rng));
        let [a, b, c, d, e, f, g, h] = points;
        let (radius, limit) = (number(&mut rng), number(&mut rng));
        let positive = |t: Option<f64>, what: &str| {
            assert!(
                t.is_none_or(|t| t >= 0.0),
                "{what}: {t:?} {points:?} {radius}"
            );
        };
        let part = |t: Option<f64>, what: &str| {
            assert!(
                t.is_none_or(|t| (0.0..=1.0).contains(&t)),
                "{what}: {t:?} {points:?} {radius}"
            );
        };
        let ray = Ray { origin: a, dir: b };
        let plane = Plane {
            normal: c,
            offset: radius,
        };
        let bounds = Aabb { min: c, max: d };
        let other = Aabb { min: e, max: f };
        let corners = [c, d, e];
        let obb = Obb {
            centre: e,
            half_size: f,
            axes: DMat3::from_cols(g, h, a),
        };
        let segment = Segment { from: a, to: b };
        positive(intersect_ray_plane(&ray, &plane), "ray plane");
        positive(intersect_ray_sphere(&ray, c, radius), "ray sphere");
        positive(intersect_ray_aabb(&ray, &bounds), "ray box");
        positive(intersect_ray_obb(&ray, &obb), "ray oriented box");
        positive(intersect_ray_polygon(&ray, &points[2..7]), "ray polygon");
        if let Some(sheared) = ShearedRay::new(a, b) {
            // A line: t may be negative, but is a number.
            let hit = intersect_ray_triangle(&sheared, &corners);
            assert!(hit.is_none_or(|hit| hit.t.is_finite()), "{points:?}");
        }
        part(intersect_segment_aabb(&segment, &bounds), "segment box");
        part(
            intersect_segment_grown_aabb(&segment, &bounds, radius),
            "segment grown box",
        );
        part(sweep_aabb_aabb(&bounds, a, &other, b), "box box");
        let _ = (
            overlap_aabb_aabb(&bounds, &other),
            overlap_sphere_aabb(a, radius, &bounds),
            overlap_obb_obb(&obb, &Obb { centre: a, ..obb }),
            overlap_triangle_triangle(&corners, &[f, g, h]),
            closest_point_triangle(a, &corners),
            closest_point_segment(c, &segment),
            extreme_points(&points, a),
            interpolate_orientation(
                DQuat::from_vec4(a.extend(radius)),
                DQuat::from_vec4(b.extend(limit)),
                radius,
            ),
        );
        if let Some((_, radius)) = bounding_sphere(&points[..(rng.below(9) as usize)]) {
            assert!(radius >= 0.0, "{points:?}");
        }
        let flat = points.map(|p| p.truncate());
        let _ = (
            point_in_polygon_convex(&flat[1..6], flat[0]),
            point_in_polygon_angles(&flat[1..6], flat[0]),
            point_in_polygon_quadrants(&flat[1..6], flat[0]),
            point_in_polygon_crossings(&flat[1..6], flat[0]),
            separation_convex_convex_2d(
                &flat[..4],
                &flat[4..],
                Some(&mut SeparatingEdgeCache::default()),
            ),
        );
        let matrix = DMat4::from_cols(a.extend(0.0), b.extend(0.0), c.extend(0.0), d.extend(1.0));
        for ray in [
            ray_from_matrix(&matrix),
            ray_from_picture(
                flat[0],
                &matrix,
                &DMat4::from_cols(e.extend(0.0), f.extend(0.0), g.extend(-1.0), h.extend(0.0)),
            ),
        ]
        .into_iter()
        .flatten()
        {
            assert!((ray.dir.length() - 1.0).abs() < 1e-9, "{points:?}");
        }
        let Some(sweep) = SphereSweep::new(a, b, radius) else {
            continue;
        };
        let limit = if limit > 0.0 { limit.min(1.0) } else { 1.0 };
        for (hit, what) in [
            (sweep_sphere_plane(&sweep, &plane), "sweep plane"),
            (sweep_sphere_edge(&sweep, c, d, limit), "sweep edge"),
            (sweep_sphere_vertex(&sweep, c, limit), "sweep vertex"),
            (sweep_sphere_face(&sweep, &corners, f, limit), "sweep face"),
            (sweep_sphere_triangle(&sweep, &corners), "sweep triangle"),
            (sweep_sphere_polygon(&sweep, &points[2..7]), "sweep polygon"),
            (sweep_sphere_sphere(&sweep, c, d, radius), "sweep sphere"),
        ] {
            part(hit.map(|hit| hit.fraction), what);
        }
    }
}
