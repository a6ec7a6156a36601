//! Rays against closed surfaces: none leaks out, and each knows which side it meets.
use super::*;

fn leaks(mesh: &Mesh, seed: u64, count: u32) -> u32 {
    let tree = Bvh::build(mesh, &BuildParams::default());
    let mut rng = Rng::new(seed);
    (0..count)
        .filter(|_| {
            let from = rng.unit_vector() * rng.range(0.0, 0.5);
            let target = surface_point(mesh, &mut rng);
            ray(&tree, mesh, from, from + (target - from).normalize() * 40.0).is_none()
        })
        .count() as u32
}

#[test]
fn no_ray_leaks_out_of_a_closed_room_through_edges_or_vertices() {
    for (n, rough) in [(1, 0.0), (5, 0.0), (5, 0.2)] {
        assert_eq!(leaks(&room(n, rough), n.into(), 20_000), 0);
    }
    let mut ball = Mesh::default();
    add_block(&mut ball, 8, true, |p| p.normalize() * 2.0);
    assert_eq!(leaks(&ball, 3, 20_000), 0);
    // Axis-aligned rays run exactly along edges and through vertices.
    let mut cube = Mesh::default();
    add_block(&mut cube, 4, true, |p| p * 2.0);
    let tree = Bvh::build(&cube, &BuildParams::default());
    for i in 0..81 {
        let from = DVec3::new(
            f64::from(i % 9) * 0.5 - 2.0,
            f64::from(i / 9) * 0.5 - 2.0,
            0.0,
        ) * (1.0 - 1e-12);
        for dir in [DVec3::Z, -DVec3::Z] {
            assert!(
                ray(&tree, &cube, from, from + dir * 3.0).is_some(),
                "{from}"
            );
        }
    }
}

/// The same at length: `cargo test --release -- --ignored many_rays`.
#[test]
#[ignore = "minutes"]
fn many_rays_aimed_at_edges_do_not_leak() {
    for (seed, rough) in [(1, 0.0), (2, 0.05), (3, 0.3)] {
        assert_eq!(leaks(&room(6, rough), seed, 10_000_000), 0);
    }
}

#[test]
fn the_first_side_of_a_ray_is_the_nearest_front_or_back() {
    let mesh = room(4, 0.1);
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let mut turned = mesh.clone();
    turned
        .triangles
        .iter_mut()
        .for_each(|t| t.corners.swap(0, 1));
    let backs = Bvh::build(&turned, &BuildParams::default());
    let mut rng = Rng::new(31);
    let mut seen = [0; 2];
    for _ in 0..4000 {
        let from = rng.unit_vector() * rng.range(0.0, 9.0);
        let to = from + rng.unit_vector() * 12.0;
        let fraction = |hit: Option<MeshHit>| hit.map_or(f64::INFINITY, |h| h.fraction);
        let front = fraction(linear_ray(&tree, from, to));
        let back = fraction(linear_ray(&backs, from, to));
        let mut stats = QueryStats::default();
        let sides = tree.first_sides(from, to, 1.0, &mut stats);
        if front.min(back).is_infinite() {
            assert_eq!(sides, [f64::INFINITY; 2]);
            continue;
        }
        let is_front = front < back;
        seen[usize::from(is_front)] += 1;
        assert_eq!(sides[0] < sides[1], is_front);
        assert!((sides[0].min(sides[1]) - front.min(back)).abs() < 1e-12);
        let before = front.min(back) * 0.9;
        let short = tree.first_sides(from, to, before, &mut stats);
        assert_eq!(short, [f64::INFINITY; 2]);
    }
    assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
}

#[test]
fn radius_zero_is_a_ray_and_fractions_shrink_as_the_radius_grows() {
    let mesh = room(4, 0.1);
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let mut rng = Rng::new(6);
    for _ in 0..300 {
        let from = clear_start(&mesh, &mut rng, 0.3);
        let to = from + rng.unit_vector() * 20.0;
        let thin = ray(&tree, &mesh, from, to);
        assert_eq!(sweep(&tree, &mesh, from, to, 0.0), thin);
        let fractions = [0.3, 0.1, 0.01, 1e-4, 1e-7]
            .map(|r| sweep(&tree, &mesh, from, to, r).unwrap().fraction);
        assert!(fractions.is_sorted());
        let limit = thin.unwrap().fraction;
        assert!(fractions[4] <= limit + 1e-9 && limit - fractions[4] < 1e-3);
    }
}
