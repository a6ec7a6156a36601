//! Answers do not depend on the tree: a linear scan gives the same bits, and so does scalar code; ties go to the lowest
//! key.
use super::*;

#[test]
fn every_tree_answers_as_a_linear_scan_bit_for_bit() {
    for (n, rough) in [(1, 0.0), (4, 0.0), (6, 0.08)] {
        let mesh = room(n, rough);
        let mut rng = Rng::new(n.into());
        let queries: Vec<_> = (0..400)
            .map(|i| {
                let from = rng.unit_vector() * rng.range(0.0, 5.0);
                let reach = [0.05, 0.5, 3.0, 20.0][i % 4];
                let to = if i % 3 == 0 {
                    from + (surface_point(&mesh, &mut rng) - from) * 1.5
                } else {
                    from + rng.unit_vector() * reach
                };
                (from, to, rng.range(0.01, 0.6))
            })
            .collect();
        for params in all_params() {
            let tree = Bvh::build(&mesh, &params);
            for &(from, to, radius) in &queries {
                assert_eq!(ray(&tree, &mesh, from, to), linear_ray(&tree, from, to));
                assert_eq!(
                    sweep(&tree, &mesh, from, to, radius),
                    linear_sweep(&tree, from, to, radius)
                );
                let bounds = Aabb::from_corners(from, to);
                assert_eq!(in_box(&tree, &mesh, &bounds), linear_box(&mesh, &bounds));
            }
        }
    }
}

#[test]
fn wide_and_plain_lanes_give_the_same_hits_and_look_at_the_same_bins() {
    let mesh = room(5, 0.1);
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let mut rng = Rng::new(3);
    for i in 0..4000 {
        let from = rng.unit_vector() * rng.range(0.0, 5.0);
        let to = from + rng.unit_vector() * [0.05, 0.5, 3.0, 1e4][i % 4];
        let radius = rng.range(0.01, 0.6);
        let mut stats = [QueryStats::default(); 2];
        let hits = [
            tree.cast_ray(&mesh, from, to, &mut stats[0]),
            tree.sweep_sphere(&mesh, from, to, radius, &mut stats[1]),
        ];
        assert_eq!(tree.scalar_answers(from, to, radius), (hits, stats));
    }
}

#[test]
fn equal_fractions_go_to_the_lowest_key() {
    let mut mesh = cut_floor(2);
    for t in &mut mesh.triangles {
        t.key = 100 - t.key;
    }
    let centre2 = mesh.positions[4];
    let lowest = (0..8u32)
        .rev()
        .find(|&t| mesh.triangles[t as usize].corners.contains(&4))
        .unwrap();
    for params in all_params() {
        let tree = Bvh::build(&mesh, &params);
        let hit = ray(&tree, &mesh, centre2 + DVec3::Y, centre2 - DVec3::Y).unwrap();
        assert_eq!((hit.fraction, hit.triangle), (0.5, lowest));
        let hit = sweep(&tree, &mesh, centre2 + DVec3::Y, centre2 - DVec3::Y, 0.5).unwrap();
        assert_eq!((hit.fraction, hit.triangle), (0.25, lowest));
    }
}

#[test]
fn nothing_panics_on_nonsense() {
    let far = DVec3::splat(f64::MAX);
    let positions = vec![
        DVec3::new(f64::NAN, 0.0, 0.0),
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        far,
        DVec3::X * 2.0,
        DVec3::X * 3.0,
    ];
    let wild = [
        [0, 1, 2],
        [1, 2, 99],
        [1, 2, 3],
        [1, 1, 1],
        [1, 5, 6],
        [2, 4, 3],
        [3, 2, 1],
        [1, 2, 3],
    ];
    let triangles = wild
        .map(|corners| Triangle {
            corners,
            face: 0,
            key: 7,
        })
        .to_vec();
    let mesh = Mesh {
        positions,
        triangles,
    };
    let odd = BuildParams {
        split: SplitRule::Mean,
        max_depth: 0,
        faces_per_bin: 0,
        min_volume: f64::NAN,
    };
    for params in all_params().into_iter().chain([odd]) {
        for mesh in [&mesh, &Mesh::default()] {
            let tree = Bvh::build(mesh, &params);
            let points = [
                DVec3::ZERO,
                DVec3::ONE,
                DVec3::NAN,
                DVec3::INFINITY,
                far,
                -far,
            ];
            for from in points {
                for to in points {
                    ray(&tree, mesh, from, to);
                    for radius in [0.0, 0.1, 1e300, f64::NAN, f64::INFINITY, -1.0] {
                        sweep(&tree, mesh, from, to, radius);
                    }
                    let bounds = Aabb { min: from, max: to };
                    tree.each_in_box(mesh, &bounds, &mut QueryStats::default(), &mut |_| {});
                }
            }
            // A tree must not panic with the wrong mesh.
            sweep(&tree, &Mesh::default(), DVec3::splat(0.4), DVec3::ZERO, 0.3);
        }
    }
    // The valid triangle is still there.
    let tree = Bvh::build(&mesh, &odd);
    assert!(ray(&tree, &mesh, DVec3::ONE, DVec3::ZERO).is_some());
}
