//! Trees against a linear scan and against brute force, in rooms of four blocks and on a cut floor.
use super::face::FaceTriangle;
use super::index::NONE;
use super::*;
use crate::collide::SphereSweep;
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use glam::DVec3;

mod edits;
mod patches;
mod rays;
mod scan;
mod shape;
mod sweeps;

/// A sweep without its statistics.
fn sweep(tree: &Bvh, mesh: &Mesh, from: DVec3, to: DVec3, radius: f64) -> Option<MeshHit> {
    tree.sweep_sphere(mesh, from, to, radius, &mut QueryStats::default())
}

fn ray(tree: &Bvh, mesh: &Mesh, from: DVec3, to: DVec3) -> Option<MeshHit> {
    tree.cast_ray(mesh, from, to, &mut QueryStats::default())
}

/// Tests every face, without a tree.
fn linear_sweep(tree: &Bvh, from: DVec3, to: DVec3, radius: f64) -> Option<MeshHit> {
    if radius == 0.0 {
        return linear_ray(tree, from, to);
    }
    let path = SphereSweep::new(from, to, radius)?;
    let mut closest = query::ClosestHit::new();
    for face in tree.surface.faces.iter().filter(|f| f.triangle != NONE) {
        query::sweep_on_face(&tree.surface, &path, face.triangle, &mut closest);
    }
    closest.hit
}

fn linear_ray(tree: &Bvh, from: DVec3, to: DVec3) -> Option<MeshHit> {
    let ray = crate::collide::ShearedRay::new(from, to - from)?;
    let mut closest = query::ClosestHit::new();
    for (face, corners) in tree.surface.live() {
        let corners = &corners;
        let placed = FaceTriangle { face, corners };
        if let Some(hit) = query::ray_on_face(&ray, from, to - from, &placed, 1.0) {
            closest.offer(face, hit);
        }
    }
    closest.hit
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
    for split in SplitRule::ALL {
        for (max_depth, faces_per_bin, min_volume) in [
            (24, 8, 0.0),
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

/// Adds a closed surface: the faces of a cube cut into `n × n` squares, each point moved by `place`. Inwards it is a
/// room, outwards a solid in the air. Points are shared.
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
                    // Keys not in the order of the triangles.
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

/// Whether a point is in the air, by solid angles (rays are tested elsewhere).
fn in_air(mesh: &Mesh, p: DVec3) -> bool {
    let winding: f64 = (0..mesh.triangles.len())
        .map(|t| {
            let [a, b, c] = corners(mesh, t).map(|q| (q - p).normalize());
            2.0 * libm::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a))
        })
        .sum();
    // Faces of a room count negative: a room alone is -4π, inside a block back to 0.
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
