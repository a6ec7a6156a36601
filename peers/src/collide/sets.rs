//! The queries: seeded, in f32 so that all see the same numbers; every sphere starts free.
use super::room::SIZE;
use breach::bvh::{Bvh, Mesh, QueryStats};
use breach::collide::closest_point_triangle;
use breach::geom::Aabb;
use breach::geom::rng::Rng;
use glam::{DVec3, Vec3};

/// Metres.
pub const RADIUS: f32 = 0.1;

/// Sweeps in a set, unless others are asked for.
pub const SWEEPS_IN_A_SET: usize = 40_000;
/// Random rays, unless others are asked for.
pub const RANDOM_RAYS: usize = 200_000;

/// From where, by how much.
pub type Path = (Vec3, Vec3);

/// The sets of sweeps: name, how it is aimed, length.
pub const SWEEPS: [(&str, Aim, f64); 6] = [
    ("near a surface, 5 cm", Aim::Near, 0.05),
    ("anywhere, 5 cm", Aim::Anywhere, 0.05),
    ("near, 2 m", Aim::Near, 2.0),
    ("anywhere, 2 m", Aim::Anywhere, 2.0),
    ("aimed at edges, 1 cm", Aim::Edges, 0.01),
    ("aimed at edges, 8.3 m", Aim::Edges, 8.3333),
];

/// A set's name as one word: `near-a-surface-5-cm`.
pub fn word(name: &str) -> String {
    let parts = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

/// Where a sweep starts and goes.
#[derive(Clone, Copy, PartialEq)]
pub enum Aim {
    /// Up to its length from a random point of a random triangle, anywhere.
    Near,
    /// Anywhere in the room.
    Anywhere,
    /// Within reach of an edge or a vertex, towards it.
    Edges,
}

fn corners(mesh: &Mesh, t: u64) -> [DVec3; 3] {
    mesh.triangles[t as usize]
        .corners
        .map(|c| mesh.positions[c as usize])
}

fn is_free(mesh: &Mesh, tree: &Bvh, p: DVec3) -> bool {
    let gap = f64::from(RADIUS) + 2e-4;
    let bounds = Aabb::from_centre(p, DVec3::splat(gap));
    let mut is_free = true;
    tree.each_in_box(mesh, &bounds, &mut QueryStats::default(), &mut |t| {
        is_free &= closest_point_triangle(p, &corners(mesh, t.into())).distance(p) >= gap;
    });
    is_free
}

/// `count` sweeps of one set.
pub fn sweeps(mesh: &Mesh, tree: &Bvh, aim: Aim, length: f64, count: usize) -> Vec<Path> {
    let mut rng = Rng::new(99);
    let radius = f64::from(RADIUS);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let [a, b, c] = corners(mesh, rng.below(mesh.triangles.len() as u64));
        let (from, dir) = match aim {
            Aim::Near => {
                let (u, v) = (rng.unit_f64(), rng.unit_f64());
                let (u, v) = if u + v > 1.0 {
                    (1.0 - u, 1.0 - v)
                } else {
                    (u, v)
                };
                let normal = (b - a).cross(c - a).normalize();
                let on = a + (b - a) * u + (c - a) * v;
                let from = on + normal * (radius + rng.range(0.0005, length));
                (from, rng.unit_vector())
            }
            Aim::Anywhere => {
                let inner = Aabb {
                    min: DVec3::splat(0.15),
                    max: SIZE - 0.15,
                };
                (rng.in_box(&inner), rng.unit_vector())
            }
            Aim::Edges => {
                let (p, q) = [(a, b), (b, c), (c, a)][rng.below(3) as usize];
                let share = if rng.below(4) == 0 {
                    0.0
                } else {
                    rng.unit_f64()
                };
                let out = rng.unit_vector();
                let gap = rng.range(0.0003, length.min(2.0) * 0.9);
                let from = p + (q - p) * share + out * (radius + gap);
                (from, (rng.unit_vector() * 0.6 - out).normalize())
            }
        };
        let (from, way) = (from.as_vec3(), (dir * length).as_vec3());
        if is_free(mesh, tree, from.as_dvec3()) {
            found.push((from, way));
        }
    }
    found
}

/// Rays from anywhere to anywhere; `way` is a unit vector.
pub fn random_rays(count: usize) -> Vec<Path> {
    let mut rng = Rng::new(5);
    let inner = Aabb {
        min: DVec3::splat(0.2),
        max: SIZE - 0.2,
    };
    let mut ray = || (rng.in_box(&inner).as_vec3(), rng.unit_vector().as_vec3());
    (0..count).map(|_| ray()).collect()
}

/// The rays of a camera, 512 × 512, in tiles of 4 × 4.
pub fn camera_rays() -> Vec<Path> {
    let eye = Vec3::new(3.1, 7.3, 2.2);
    let mut rays = Vec::with_capacity(512 * 512);
    for tile in 0..128 * 128 {
        for k in 0..16 {
            let (x, y) = (tile % 128 * 4 + k % 4, tile / 128 * 4 + k / 4);
            let (x, y) = (x as f32 / 512.0 - 0.5, y as f32 / 512.0 - 0.5);
            let dir = Vec3::new(x * 1.6 + 0.35, y * -1.2 - 0.15, 0.8);
            rays.push((eye, dir.normalize()));
        }
    }
    rays
}
