//! The tree against a linear scan (same bits), the sweeps against brute force and against sampled distances, rays
//! against closed surfaces (no leak), and the conventions by hand.
use super::node::{LEAF, NONE, WIDTH};
use super::*;
use crate::collide::{closest_point_triangle, sweep_sphere_triangle};
use crate::geom::rng::Rng;

/// Tree, linear scan and statistics thrown away.
fn sweep(tree: &Bvh, mesh: &Mesh, from: DVec3, to: DVec3, radius: f64) -> Option<MeshHit> {
    tree.sweep_sphere(mesh, from, to, radius, &mut QueryStats::default())
}

fn ray(tree: &Bvh, mesh: &Mesh, from: DVec3, to: DVec3) -> Option<MeshHit> {
    tree.cast_ray(mesh, from, to, &mut QueryStats::default())
}

/// Every face asked, without a tree.
fn linear_sweep(tree: &Bvh, from: DVec3, to: DVec3, radius: f64) -> Option<MeshHit> {
    if radius == 0.0 {
        return linear_ray(tree, from, to);
    }
    let path = SphereSweep::new(from, to, radius)?;
    let mut first = query::First::new();
    for face in tree.surface.faces.iter().filter(|f| f.triangle != NONE) {
        query::sweep_on_face(&tree.surface, &path, face.triangle, &mut first);
    }
    first.hit
}

fn linear_ray(tree: &Bvh, from: DVec3, to: DVec3) -> Option<MeshHit> {
    let ray = crate::collide::ShearedRay::new(from, to - from)?;
    let mut first = query::First::new();
    for face in tree.surface.faces.iter().filter(|f| f.triangle != NONE) {
        if let Some(hit) = query::ray_on_face(&ray, from, to - from, face, 1.0) {
            first.offer(face, hit);
        }
    }
    first.hit
}

fn linear_box(mesh: &Mesh, bounds: &Aabb) -> Vec<u32> {
    let live = (0u32..).zip(&mesh.triangles).filter(|(_, t)| t.is_live());
    live.filter(|&(i, _)| {
        let corners = corners(mesh, i as usize);
        Aabb::from_points(corners).is_some_and(|b| b.overlaps(bounds))
    })
    .map(|(i, _)| i)
    .collect()
}

fn in_box(tree: &Bvh, mesh: &Mesh, bounds: &Aabb) -> Vec<u32> {
    let mut found = Vec::new();
    tree.each_in_box(mesh, bounds, &mut QueryStats::default(), &mut |t| {
        found.push(t)
    });
    found
}

fn all_params() -> Vec<BuildParams> {
    let mut all = Vec::new();
    for split in [
        SplitRule::Midpoint,
        SplitRule::Median,
        SplitRule::Mean,
        SplitRule::Sah,
        SplitRule::BottomUp,
    ] {
        for (max_depth, faces_per_bin, min_volume) in [
            (24, 4, 0.0),
            (32, 1, 0.0),
            (1, 1, 0.0),
            (6, 64, 0.0),
            (24, 2, 0.5),
        ] {
            all.push(BuildParams {
                split,
                max_depth,
                faces_per_bin,
                min_volume,
            });
        }
    }
    all
}

/// Adds a closed surface: the faces of a cube cut into `n × n` squares, each point moved by `place`. Turned inwards it
/// is a room, outwards a solid thing in the air. Points are shared.
fn add_block(mesh: &mut Mesh, n: u32, inwards: bool, place: impl Fn(DVec3) -> DVec3) {
    let mut seen = std::collections::BTreeMap::new();
    for side in 0..6 {
        let (axis, high) = (side / 2, side % 2 == 1);
        let mut at = |u: u32, v: u32| {
            let mut p = [0; 3];
            p[axis] = if high { n } else { 0 };
            p[(axis + 1) % 3] = u;
            p[(axis + 2) % 3] = v;
            *seen.entry(p).or_insert_with(|| {
                let unit = DVec3::from(p.map(f64::from)) / f64::from(n) * 2.0 - 1.0;
                mesh.positions.push(place(unit));
                mesh.positions.len() as u32 - 1
            })
        };
        for u in 0..n {
            for v in 0..n {
                let square = [at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)];
                for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
                    let (b, c) = if high ^ inwards { (b, c) } else { (c, b) };
                    let corners = [square[a], square[b], square[c]];
                    // Keys in another order than the triangles'.
                    let key =
                        (mesh.triangles.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
                    mesh.triangles.push(Triangle {
                        corners,
                        face: side as u32,
                        key,
                    });
                }
            }
        }
    }
}

/// A jitter that is a function of the place.
fn jitter(p: DVec3, size: f64) -> DVec3 {
    let mut hash = crate::geom::hash::Hash64::new();
    hash.vec3(p);
    Rng::new(hash.finish()).unit_vector() * size
}

/// A room of 12 × 6 × 12 m with rough or flat walls, a rough boulder, a turned block and a thin fin.
fn room(n: u32, rough: f64) -> Mesh {
    let mut mesh = Mesh::default();
    add_block(&mut mesh, n, true, |p| {
        p * DVec3::new(6.0, 3.0, 6.0) + jitter(p, rough)
    });
    add_block(&mut mesh, n, false, |p| {
        DVec3::new(-3.0, 0.0, -2.0) + p.normalize() * 1.3 + jitter(p, rough)
    });
    let turn = glam::DQuat::from_xyzw(0.3, 0.5, 0.1, 0.8).normalize();
    add_block(&mut mesh, 1 + n / 2, false, |p| {
        DVec3::new(3.0, -0.5, 2.0) + turn * (p * DVec3::new(1.0, 0.7, 1.4))
    });
    add_block(&mut mesh, n, false, |p| {
        DVec3::new(2.5, -1.0, -3.0) + p * DVec3::new(1.5, 1.2, 0.004)
    });
    mesh
}

/// A triangle's corners.
fn corners(mesh: &Mesh, triangle: usize) -> [DVec3; 3] {
    mesh.triangles[triangle]
        .corners
        .map(|i| mesh.positions[i as usize])
}

/// Distance to the surface, and whether the nearest point is seen from the front.
fn distance(mesh: &Mesh, p: DVec3) -> f64 {
    (0..mesh.triangles.len())
        .map(|t| closest_point_triangle(p, &corners(mesh, t)).distance(p))
        .fold(f64::INFINITY, f64::min)
}

/// In the air by the count of surfaces crossed on the way out (rays are tested on their own).
fn in_air(mesh: &Mesh, p: DVec3) -> bool {
    let winding: f64 = (0..mesh.triangles.len())
        .map(|t| {
            let [a, b, c] = corners(mesh, t).map(|q| (q - p).normalize());
            2.0 * libm::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a))
        })
        .sum();
    // Inward faces count negative solid angles: the room alone is -4π, within a block back to 0.
    winding < -std::f64::consts::TAU
}

/// A start in the air, clear of the surface by the radius.
fn clear_start(mesh: &Mesh, rng: &mut Rng, radius: f64) -> DVec3 {
    loop {
        let p = rng.in_box(&Aabb {
            min: DVec3::new(-6.0, -3.0, -6.0),
            max: DVec3::new(6.0, 3.0, 6.0),
        });
        if distance(mesh, p) > radius && in_air(mesh, p) {
            return p;
        }
    }
}

/// A point of the surface; often on an edge, sometimes a vertex.
fn surface_point(mesh: &Mesh, rng: &mut Rng) -> DVec3 {
    let [a, b, c] = corners(mesh, rng.below(mesh.triangles.len() as u64) as usize);
    match rng.below(4) {
        0 => a,
        1 | 2 => a + (b - a) * rng.unit_f64(),
        _ => a + ((b - a) * rng.unit_f64() + (c - a) * rng.unit_f64()) * 0.5,
    }
}

#[test]
fn the_test_rooms_are_closed_and_counter_clockwise() {
    let mesh = room(3, 0.1);
    let mut edges = std::collections::BTreeMap::new();
    for t in &mesh.triangles {
        for k in 0..3 {
            *edges
                .entry((t.corners[k], t.corners[(k + 1) % 3]))
                .or_insert(0) += 1;
        }
    }
    assert!(
        edges
            .iter()
            .all(|(&(a, b), &n)| n == 1 && edges.get(&(b, a)) == Some(&1))
    );
    assert!(in_air(&mesh, DVec3::ZERO));
    assert!(!in_air(&mesh, DVec3::new(-3.0, 0.0, -2.0)) && !in_air(&mesh, DVec3::splat(20.0)));
}

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
        assert_eq!(tree.plain_answers(from, to, radius), (hits, stats));
    }
}

#[test]
fn a_tree_keeps_its_limits_and_loses_no_triangle() {
    let mesh = room(5, 0.05);
    for params in all_params() {
        let tree = Bvh::build(&mesh, &params);
        check_tree(&tree, &mesh);
        assert!(tree.depth() <= params.max_depth);
        let bins = tree.bins();
        assert_eq!(bins.iter().map(|b| b.0).max(), Some(tree.depth()));
        let leaves = bins.iter().filter(|b| b.2).count();
        assert_eq!(bins.len(), 2 * leaves - 1, "binary");
        assert!(
            bins.iter()
                .all(|(_, bounds, _)| bins[0].1.contains_box(bounds))
        );
    }
    let deep = BuildParams {
        faces_per_bin: 1,
        max_depth: 32,
        ..Default::default()
    };
    let tree = Bvh::build(&mesh, &deep);
    let leaves = tree.bins().iter().filter(|b| b.2).count();
    assert_eq!(leaves, mesh.triangles.len());
}

/// What must hold of a tree at any time: every live face in one block, where it says it is, inside all the boxes above;
/// counts, parents, levels, cost and slabs in order.
fn check_tree(tree: &Bvh, mesh: &Mesh) {
    let (nodes, blocks) = (&tree.tree.nodes, &tree.tree.blocks);
    let mut listed = Vec::new();
    let mut leaves_at = [0u32; 33];
    let (mut cost, mut seen_nodes, mut seen_blocks) = (0.0, 0, 0);
    let mut todo = vec![(0u32, NONE, 0u8)];
    while let Some((at, parent, level)) = todo.pop() {
        let (node, role) = (&nodes[at as usize], &tree.tree.roles[at as usize]);
        seen_nodes += 1;
        assert_eq!((role.parent, role.level, role.dirty), (parent, level, 0));
        let levels = role.levels();
        for lane in 0..WIDTH {
            let (child, bounds) = (node.child[lane], node.boxes.get(lane));
            assert_eq!(child == NONE, node.count[lane] == 0);
            if child == NONE {
                assert!(bounds.is_empty());
                continue;
            }
            cost += f64::from(bounds.area());
            let me = at * WIDTH as u32 + lane as u32;
            let (inner, count) = if child & LEAF == 0 {
                todo.push((child, me, levels[lane]));
                let below = &nodes[child as usize];
                (below.boxes.union(), below.count.iter().sum())
            } else {
                leaves_at[usize::from(levels[lane])] += 1;
                let (mut all, mut count) = (build::Bounds::EMPTY, 0);
                let mut next = child & !LEAF;
                while next != NONE {
                    let block = &blocks[next as usize];
                    seen_blocks += 1;
                    assert_eq!(block.parent, me);
                    assert!(0 < block.count && block.count <= 8);
                    count += block.count;
                    all.add(&block.boxes.union());
                    for k in 0..WIDTH {
                        let face = block.face[k];
                        if k >= block.count as usize {
                            assert!(face == NONE && block.boxes.get(k).is_empty());
                            continue;
                        }
                        listed.push(face);
                        let face = &tree.surface.faces[face as usize];
                        assert_eq!(
                            tree.tree.places[face.triangle as usize],
                            next * 8 + k as u32
                        );
                        let own = block.boxes.get(k);
                        let exact = |v: glam::Vec3A| DVec3::from(v.to_array().map(f64::from));
                        for p in face.corners {
                            assert!(exact(own.min).cmple(p).all() && p.cmple(exact(own.max)).all());
                        }
                    }
                    next = block.next;
                }
                (all, count)
            };
            assert_eq!(count, node.count[lane]);
            assert_eq!((inner.min, inner.max), (bounds.min, bounds.max));
        }
    }
    listed.sort_unstable();
    let live = (0u32..).zip(&mesh.triangles).filter(|(_, t)| t.is_live());
    assert!(listed.iter().copied().eq(live.map(|(i, _)| i)));
    assert_eq!(tree.face_count(), listed.len());
    assert_eq!(leaves_at[..], tree.tree.leaves_at[..]);
    assert!((cost - tree.tree.cost).abs() <= 1e-9 * (1.0 + cost));
    let (free_nodes, free_blocks) = tree.tree.free_counts();
    assert_eq!(nodes.len(), seen_nodes + free_nodes);
    assert_eq!(blocks.len(), seen_blocks + free_blocks);
}

/// What is wrong with a sweep's answer, by depth: no deeper than 1 µm and no wider than 10 µm at its end, no contact
/// missed on the way (found by testing every face, edge and vertex of every triangle).
fn fault(mesh: &Mesh, from: DVec3, to: DVec3, radius: f64, hit: Option<MeshHit>) -> Option<String> {
    let path = SphereSweep::new(from, to, radius)?;
    let slow = (0..mesh.triangles.len())
        .filter_map(|t| sweep_sphere_triangle(&path, &corners(mesh, t)))
        .map(|h| h.fraction)
        .min_by(f64::total_cmp);
    let reached = hit.map_or(1.0, |h| h.fraction);
    let end = distance(mesh, path.at(reached));
    if end < radius - 1e-6 {
        return Some(format!("{:e} m too deep at its end", radius - end));
    }
    if hit.is_some() && end > radius + 1e-5 {
        return Some(format!("stops {:e} m short", end - radius));
    }
    if let Some(hit) = hit {
        let centre = path.at(hit.fraction);
        let off = (hit.point + hit.normal * radius - centre).length();
        if (hit.normal.length() - 1.0).abs() > 1e-9 || off > 2e-3 * radius.sqrt() {
            return Some(format!("point and normal miss the centre by {off:e} m"));
        }
    }
    let slow = slow.filter(|&f| f < reached)?;
    // Brute force met something earlier: wrong if the path gets deep anywhere between.
    let deepest = (1..200)
        .map(|i| {
            distance(
                mesh,
                path.at(slow + (reached - slow) * f64::from(i) / 200.0),
            )
        })
        .fold(f64::INFINITY, f64::min);
    (deepest < radius - 1e-6).then(|| format!("passes {:e} m deep", radius - deepest))
}

fn fuzz_sweeps(seed: u64, count: u32, n: u32, rough: f64) -> u32 {
    let mesh = room(n, rough);
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let mut rng = Rng::new(seed);
    let mut hits = 0;
    for i in 0..count {
        let radius = 0.02 * libm::pow(30.0, rng.unit_f64());
        let start = clear_start(&mesh, &mut rng, radius);
        let target = surface_point(&mesh, &mut rng);
        let length = 1e-4 * libm::pow(1e7, rng.unit_f64());
        let (from, to) = match i % 4 {
            // Anywhere.
            0 => (start, start + rng.unit_vector() * length),
            // Aimed at an edge, a vertex or a face, from far.
            1 => (start, start + (target - start).normalize() * length),
            // Past it, touching by a hair more or less.
            2 => {
                let dir = (target - start).normalize();
                let aside = dir.cross(rng.unit_vector()).normalize()
                    * radius
                    * (1.0 + rng.range(-1e-7, 1e-7));
                (start, start + (target + aside - start).normalize() * length)
            }
            // Slowly, from just before the contact.
            _ => {
                let Some(hit) = sweep(&tree, &mesh, start, start + (target - start) * 2.0, radius)
                else {
                    continue;
                };
                let near = start + (target - start) * 2.0 * hit.fraction;
                let back = near - (target - start).normalize() * length.min(0.05) * rng.unit_f64();
                if distance(&mesh, back) <= radius {
                    continue;
                }
                (
                    back,
                    back + (rng.unit_vector() * 0.3 + (target - start).normalize()) * length,
                )
            }
        };
        let hit = sweep(&tree, &mesh, from, to, radius);
        hits += u32::from(hit.is_some());
        if let Some(words) = fault(&mesh, from, to, radius, hit) {
            panic!("seed {seed}, sweep {i}: {words}\n{from:?} {to:?} {radius:?}\n{hit:?}");
        }
    }
    hits
}

#[test]
fn sweeps_end_where_brute_force_says() {
    let hits = fuzz_sweeps(1, 600, 2, 0.15) + fuzz_sweeps(2, 600, 3, 0.0);
    assert!(hits > 400, "{hits}");
}

/// The same at length: `cargo test --release -- --ignored long_sweeps`.
#[test]
#[ignore = "minutes"]
fn long_sweeps_end_where_brute_force_says() {
    for seed in 0..50 {
        fuzz_sweeps(
            seed,
            4000,
            1 + seed as u32 % 4,
            [0.0, 0.15][seed as usize % 2],
        );
    }
}

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

/// A floor of 4 × 4 m at y = 0, cut into jittered triangles.
fn cut_floor(n: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut rng = Rng::new(8);
    for i in 0..=n {
        for j in 0..=n {
            let step = 4.0 / f64::from(n);
            let moved = |k: u32, rng: &mut Rng| {
                f64::from(k) * step - 2.0
                    + if 0 < k && k < n {
                        rng.range(-0.2, 0.2) * step
                    } else {
                        0.0
                    }
            };
            let (x, z) = (moved(i, &mut rng), moved(j, &mut rng));
            mesh.positions.push(DVec3::new(x, 0.0, z));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let at = |di: u32, dj: u32| (i + di) * (n + 1) + j + dj;
            for corners in [
                [at(0, 0), at(0, 1), at(1, 1)],
                [at(0, 0), at(1, 1), at(1, 0)],
            ] {
                let key = mesh.triangles.len() as u64;
                mesh.triangles.push(Triangle {
                    corners,
                    face: 0,
                    key,
                });
            }
        }
    }
    mesh
}

#[test]
fn a_ball_rolls_over_a_cut_floor_without_a_bump() {
    let mesh = cut_floor(100);
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let mut rng = Rng::new(9);
    for _ in 0..5000 {
        let radius = rng.range(0.05, 0.5);
        // Resting in contact, deeper or shallower than rounding.
        let height = radius * (1.0 - [0.0, 1e-15, 1e-9, 1e-3][rng.below(4) as usize]);
        let place = |rng: &mut Rng| DVec3::new(rng.range(-1.4, 1.4), 0.0, rng.range(-1.4, 1.4));
        let (from, to) = (
            place(&mut rng) + DVec3::Y * height,
            place(&mut rng) + DVec3::Y * height,
        );
        assert_eq!(sweep(&tree, &mesh, from, to, radius), None, "along");
        assert_eq!(
            sweep(&tree, &mesh, from, to + DVec3::Y * 0.1, radius),
            None,
            "away"
        );
        let down = sweep(&tree, &mesh, from, to - DVec3::Y * 0.1, radius).expect("inwards");
        assert_eq!((down.fraction, down.normal), (0.0, DVec3::Y));
        let high = from + DVec3::Y * 0.3;
        let fall = sweep(&tree, &mesh, high, to - DVec3::Y * 0.2, radius).expect("falls onto it");
        assert_eq!(fall.normal, DVec3::Y);
        let left = (high + (to - DVec3::Y * 0.2 - high) * fall.fraction).y - radius;
        assert!(left.abs() < 1e-12);
    }
}

#[test]
fn faces_edges_and_vertices_of_a_block_are_met_from_outside_only() {
    let mut mesh = Mesh::default();
    add_block(&mut mesh, 1, false, |p| p);
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let cast = |from: [f64; 3], to: [f64; 3]| sweep(&tree, &mesh, from.into(), to.into(), 0.5);
    let face = cast([0.3, 3.0, 0.2], [0.3, -1.0, 0.2]).unwrap();
    assert_eq!(
        (face.fraction, face.normal, face.point),
        (0.375, DVec3::Y, DVec3::new(0.3, 1.0, 0.2))
    );
    let edge = cast([3.0, 3.0, 0.2], [1.0, 1.0, 0.2]).unwrap();
    let diagonal = DVec3::new(1.0, 1.0, 0.0).normalize();
    assert!((edge.fraction - (1.0 - 0.5 / 8f64.sqrt())).abs() < 1e-12);
    assert!(edge.normal.distance(diagonal) < 1e-12);
    let vertex = cast([3.0, 3.0, 3.0], [1.0, 1.0, 1.0]).unwrap();
    assert!((vertex.fraction - (1.0 - 0.5 / 12f64.sqrt())).abs() < 1e-12);
    assert_eq!(vertex.point, DVec3::ONE);
    assert_eq!(
        cast([0.0; 3], [0.0, 0.2, 0.0]),
        None,
        "from the inside no face stops it"
    );
    assert_eq!(cast([0.0, 3.0, 0.0], [0.0, 3.0, 0.0]), None, "zero length");
    // In contact with the edge: inwards, away, and past it over the top (which is along the face).
    assert_eq!(
        cast([1.2, 1.2, 0.0], [1.0, 1.0, 0.0]).map(|h| h.fraction),
        Some(0.0)
    );
    assert_eq!(cast([1.2, 1.2, 0.0], [2.0, 2.0, 0.0]), None);
    // So deep in the top that the edge is in contact too: that is what it moves in against.
    assert_eq!(
        cast([0.8, 1.4, 0.0], [3.0, 1.4, 0.0]).map(|h| h.fraction),
        Some(0.0)
    );
    assert_eq!(cast([0.8, 1.4, 0.0], [-0.2, 1.4, 0.0]), None);
}

#[test]
fn however_deep_it_starts_its_centre_never_passes_a_face() {
    for (n, rough) in [(2, 0.2), (3, 0.0)] {
        let mesh = room(n, rough);
        let tree = Bvh::build(&mesh, &BuildParams::default());
        let mut rng = Rng::new(n.into());
        for i in 0..3000 {
            let start = clear_start(&mesh, &mut rng, 1e-3);
            let radius = distance(&mesh, start) * rng.range(0.9, 3.0);
            let dir = if i % 2 == 0 {
                rng.unit_vector()
            } else {
                (surface_point(&mesh, &mut rng) - start).normalize()
            };
            let to = start + dir * rng.range(0.01, 15.0);
            if let Some(centre) = ray(&tree, &mesh, start, to) {
                let hit = sweep(&tree, &mesh, start, to, radius);
                assert!(
                    hit.is_some_and(|h| h.fraction <= centre.fraction + 1e-12),
                    "{start:?} {to:?} {radius:?} {hit:?} {centre:?}"
                );
            }
        }
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

#[test]
fn equal_fractions_go_to_the_lowest_key() {
    let mut mesh = cut_floor(2);
    for t in &mut mesh.triangles {
        t.key = 100 - t.key;
    }
    let middle = mesh.positions[4];
    let lowest = (0..8u32)
        .rev()
        .find(|&t| mesh.triangles[t as usize].corners.contains(&4))
        .unwrap();
    for params in all_params() {
        let tree = Bvh::build(&mesh, &params);
        let hit = ray(&tree, &mesh, middle + DVec3::Y, middle - DVec3::Y).unwrap();
        assert_eq!((hit.fraction, hit.triangle), (0.5, lowest));
        let hit = sweep(&tree, &mesh, middle + DVec3::Y, middle - DVec3::Y, 0.5).unwrap();
        assert_eq!((hit.fraction, hit.triangle), (0.25, lowest));
    }
}

/// A mesh as a carve edits it: slots are used again, position slots too.
struct Edited {
    mesh: Mesh,
    free_slots: Vec<u32>,
    free_points: Vec<u32>,
    changed: Vec<u32>,
    next_key: u64,
}

impl Edited {
    fn kill(&mut self, slot: u32) {
        if self.mesh.triangles[slot as usize].is_live() {
            self.mesh.triangles[slot as usize] = Triangle::DEAD;
            self.free_slots.push(slot);
            self.changed.push(slot);
        }
    }

    fn add(&mut self, corners: [u32; 3], key: u64) {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.mesh.triangles.push(Triangle::DEAD);
            self.mesh.triangles.len() as u32 - 1
        });
        self.mesh.triangles[slot as usize] = Triangle {
            corners,
            face: 0,
            key,
        };
        self.changed.push(slot);
    }

    fn point(&mut self, p: DVec3) -> u32 {
        let slot = self.free_points.pop().unwrap_or_else(|| {
            self.mesh.positions.push(p);
            self.mesh.positions.len() as u32 - 1
        });
        self.mesh.positions[slot as usize] = p;
        slot
    }

    /// Points that nothing uses any more may be used again.
    fn collect_points(&mut self) {
        let mut used = vec![false; self.mesh.positions.len()];
        for corner in self.mesh.triangles.iter().flat_map(|t| t.corners) {
            if let Some(used) = used.get_mut(corner as usize) {
                *used = true;
            }
        }
        let points = (0..used.len() as u32).rev();
        self.free_points = points.filter(|&p| !used[p as usize]).collect();
    }

    fn live(&self, rng: &mut Rng) -> Option<u32> {
        (0..64).find_map(|_| {
            let slot = rng.below(self.mesh.triangles.len() as u64) as u32;
            self.mesh.triangles[slot as usize].is_live().then_some(slot)
        })
    }

    /// One seeded change of some kind.
    fn change(&mut self, rng: &mut Rng) {
        let Some(slot) = self.live(rng) else {
            let ids = [DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| self.point(p));
            self.add(ids, 1);
            return;
        };
        let t = self.mesh.triangles[slot as usize];
        let [a, b, c] = corners(&self.mesh, slot as usize);
        match rng.below(8) {
            // Cut in three, pieces of one face or faces of their own.
            0..=2 => {
                let p = (a + b + c) / 3.0 + rng.unit_vector() * [0.0, 0.3][rng.below(2) as usize];
                self.kill(slot);
                let p = self.point(p);
                for k in 0..3 {
                    let key = if rng.below(2) == 0 {
                        t.key
                    } else {
                        self.next_key
                    };
                    self.next_key = self.next_key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    self.add([t.corners[k], t.corners[(k + 1) % 3], p], key);
                }
            }
            // A point moves: its triangles are replaced in their slots.
            3 => {
                let point = t.corners[rng.below(3) as usize];
                self.mesh.positions[point as usize] += rng.unit_vector() * 0.2;
                let around = (0u32..).zip(&self.mesh.triangles);
                let around = around.filter(|(_, t)| t.corners.contains(&point));
                self.changed.extend(around.map(|(i, _)| i));
            }
            // A hole.
            4 => {
                let radius = rng.range(0.2, 3.0);
                for slot in 0..self.mesh.triangles.len() as u32 {
                    let is_live = self.mesh.triangles[slot as usize].is_live();
                    if is_live && corners(&self.mesh, slot as usize)[0].distance(a) < radius {
                        self.kill(slot);
                    }
                }
            }
            // A fan of new faces, some without area or with two corners alike.
            5 => {
                let hub = self.point(a + rng.unit_vector() * 0.5);
                let rim = [0; 7].map(|_| self.point(a + rng.unit_vector()));
                for k in 0..6 {
                    let key = rng.next_u64() % 1000;
                    self.add([hub, rim[k], rim[k + 1]], key);
                }
                self.add([hub, rim[0], rim[0]], 3);
                self.add([rim[0], rim[1], hub], 3);
            }
            6 => self.kill(slot),
            // Turned over; named twice.
            _ => {
                self.mesh.triangles[slot as usize].corners.swap(0, 1);
                self.changed.extend([slot, slot]);
            }
        }
    }
}

fn edit_rounds(seed: u64, rounds: u32, params: &BuildParams) {
    let mut rng = Rng::new(seed);
    let mesh = room(2 + seed as u32 % 3, 0.1);
    let mut tree = Bvh::build(&mesh, params);
    let mut edited = Edited {
        mesh,
        free_slots: Vec::new(),
        free_points: Vec::new(),
        changed: Vec::new(),
        next_key: 77,
    };
    for round in 0..rounds {
        for _ in 0..1 + rng.below(4) {
            edited.change(&mut rng);
        }
        if rng.below(8) == 0 {
            edited.changed.push(u32::MAX - 5);
        }
        let mesh = &edited.mesh;
        tree.update(mesh, &edited.changed, params);
        edited.changed.clear();
        check_tree(&tree, mesh);
        let fresh = Bvh::build(mesh, params);
        for (i, new) in fresh.surface.faces.iter().enumerate() {
            let old = tree.surface.faces[i];
            assert_eq!(
                (old.corners, old.normal, old.owns, old.key, old.triangle),
                (new.corners, new.normal, new.owns, new.key, new.triangle),
                "round {round}, face {i}"
            );
        }
        for _ in 0..8 {
            let from = rng.unit_vector() * rng.range(0.0, 5.0);
            let to = from + rng.unit_vector() * [0.1, 1.0, 20.0][rng.below(3) as usize];
            let radius = rng.range(0.01, 0.6);
            let answer = sweep(&tree, mesh, from, to, radius);
            assert_eq!(answer, sweep(&fresh, mesh, from, to, radius));
            assert_eq!(answer, linear_sweep(&fresh, from, to, radius));
            let answer = ray(&tree, mesh, from, to);
            assert_eq!(answer, ray(&fresh, mesh, from, to));
            assert_eq!(answer, linear_ray(&fresh, from, to));
            let bounds = Aabb::from_corners(from, to);
            assert_eq!(in_box(&tree, mesh, &bounds), linear_box(mesh, &bounds));
        }
        edited.collect_points();
        if tree.needs_rebuild() {
            tree = fresh;
            assert!(!tree.needs_rebuild());
        }
    }
}

#[test]
fn a_tree_that_was_edited_answers_as_a_new_one_and_as_a_linear_scan() {
    for (i, params) in all_params().iter().enumerate() {
        edit_rounds(i as u64, 40, params);
    }
}

/// The same at length: `cargo test --release -- --ignored thousands_of_edits`.
#[test]
#[ignore = "a minute"]
fn thousands_of_edits_for_every_rule() {
    for (i, params) in all_params().iter().enumerate() {
        edit_rounds(100 + i as u64, 2000, params);
    }
}

#[test]
fn a_tree_built_in_slices_while_edits_go_on_answers_as_a_new_one() {
    let mut waits = 0;
    for (i, params) in all_params().iter().enumerate() {
        let mut rng = Rng::new(500 + i as u64);
        let mut edited = Edited {
            mesh: room(3, 0.1),
            free_slots: Vec::new(),
            free_points: Vec::new(),
            changed: Vec::new(),
            next_key: 77,
        };
        let mut tree = Bvh::build(&edited.mesh, params);
        let mut growing = Rebuild::begin(&tree, params);
        let mut swaps = 0;
        for _ in 0..60 {
            edited.change(&mut rng);
            tree.update(&edited.mesh, &edited.changed, params);
            growing.note(&edited.changed);
            edited.changed.clear();
            edited.collect_points();
            if !growing.advance(&tree, &mut 300) {
                waits += 1;
                continue;
            }
            swaps += 1;
            growing.replace(&mut tree);
            check_tree(&tree, &edited.mesh);
            for _ in 0..40 {
                let from = rng.unit_vector() * rng.range(0.0, 5.0);
                let to = from + rng.unit_vector() * [0.1, 1.0, 20.0][rng.below(3) as usize];
                let radius = rng.range(0.01, 0.6);
                let mesh = &edited.mesh;
                let answer = sweep(&tree, mesh, from, to, radius);
                assert_eq!(answer, linear_sweep(&tree, from, to, radius));
                let answer = ray(&tree, mesh, from, to);
                assert_eq!(answer, linear_ray(&tree, from, to));
            }
            growing = Rebuild::begin(&tree, params);
        }
        assert!(swaps > 0);
        // One that is not ready takes over all the same.
        growing.replace(&mut tree);
        check_tree(&tree, &edited.mesh);
        let mut nothing = Bvh::build(&Mesh::default(), params);
        Rebuild::begin(&nothing, params).replace(&mut nothing);
        assert_eq!(nothing.face_count(), 0);
    }
    assert!(waits > 100, "{waits}");
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
            // A tree handed another mesh answers something.
            sweep(&tree, &Mesh::default(), DVec3::splat(0.4), DVec3::ZERO, 0.3);
        }
    }
    // The valid triangle is still there.
    let tree = Bvh::build(&mesh, &odd);
    assert!(ray(&tree, &mesh, DVec3::ONE, DVec3::ZERO).is_some());
}
