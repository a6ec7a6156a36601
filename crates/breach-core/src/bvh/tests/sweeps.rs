//! Swept spheres against brute force, judged by depth, and the conventions by hand.
use super::*;
use crate::collide::sweep_sphere_triangle;

/// Describes what is wrong with a sweep's answer, by depth: no deeper than 1 µm and no wider than 10 µm at its end, no
/// contact missed on the way (found by testing every face, edge and vertex of every triangle).
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
    // Brute force hit something earlier: wrong if the sphere is deep anywhere in between.
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
            // Past it, touching or missing by a hair.
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
    // So deep in the top that the edge is in contact too, and the sphere moves against the edge.
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
