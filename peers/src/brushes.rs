//! The brushes: seeded lumps of 40 to 80 points around a place on the surface, as exact convex hulls.
use crate::rooms::STEP;
use breach::carve::hull::{self, dot, normal};
use breach::carve::{BrushDesc, SideDesc};
use breach::geom::rng::Rng;
use breach::world::{GRID, Revision, World};
use glam::{DVec3, I64Vec3};

/// A convex hull, as planes for one kernel and as triangles for the other.
#[derive(Clone, Debug)]
pub struct Brush {
    /// As an operation takes it; shows material 1.
    pub desc: BrushDesc,
    /// Corners, grid steps.
    pub points: Vec<I64Vec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A lump around `centre` (metres): 40 to 80 points at 1 m ± 12 %, rounded to 1/1024 m.
pub fn lump(rng: &mut Rng, centre: DVec3) -> Brush {
    let count = 40 + rng.below(41);
    let points: Vec<I64Vec3> = (0..count)
        .map(|_| {
            let p = centre + rng.unit_vector() * rng.range(0.88, 1.12);
            (p * (GRID / STEP as f64)).round().as_i64vec3() * STEP
        })
        .collect();
    of_points(&points)
}

/// The hull of points that are not flat.
pub fn of_points(points: &[I64Vec3]) -> Brush {
    let facets = hull::hull(points).expect("points on a sphere are not flat");
    let sides = facets.iter().map(|f| SideDesc {
        points: f.points,
        material: 1,
    });
    let desc = BrushDesc {
        sides: sides.collect(),
    };
    // A corner is where three facets meet: a point inside a facet or an edge lies on fewer.
    let is_on = |f: &hull::HullFacet, p: I64Vec3| dot(f.normal, p) == f.offset;
    let mut corners = points.to_vec();
    corners.sort_unstable_by_key(|p| p.to_array());
    corners.dedup();
    corners.retain(|&p| facets.iter().filter(|f| is_on(f, p)).count() >= 3);
    let mut triangles = Vec::new();
    for f in &facets {
        let mut rim: Vec<u32> = (0..corners.len() as u32)
            .filter(|&i| is_on(f, corners[i as usize]))
            .collect();
        let at = |i: u32| corners[i as usize];
        let first = rim[0];
        // Around a corner of a convex polygon the others lie in one half-plane: turns put them in order.
        rim[1..].sort_by(|&a, &b| {
            dot(normal(at(first), at(a), at(b)), f.normal)
                .cmp(&0)
                .reverse()
        });
        triangles.extend((2..rim.len()).map(|k| [first, rim[k - 1], rim[k]]));
    }
    Brush {
        desc,
        points: corners,
        triangles,
    }
}

/// Picks places on the surface of a world, uniformly by area.
#[derive(Default)]
pub struct Sampler {
    /// Revision and area of each room, as last seen.
    rooms: Vec<(Revision, f64)>,
}

impl Sampler {
    /// A place on the surface as it is now, metres.
    pub fn pick(&mut self, world: &World, rng: &mut Rng) -> DVec3 {
        self.rooms
            .resize(world.room_count(), (Revision::default(), 0.0));
        for (id, seen) in self.rooms.iter_mut().enumerate() {
            let room = world.room(id as u32);
            if seen.0 != room.revision {
                *seen = (room.revision, areas(world, id).sum());
            }
        }
        let whole: f64 = self.rooms.iter().map(|r| r.1).sum();
        let mut left = rng.range(0.0, whole);
        let last = self.rooms.iter().rposition(|r| r.1 > 0.0).unwrap_or(0);
        let mut id = 0;
        while id < last && left >= self.rooms[id].1 {
            left -= self.rooms[id].1;
            id += 1;
        }
        let mesh = &world.room(id as u32).mesh;
        let mut chosen = 0;
        for (i, area) in areas(world, id).enumerate() {
            if area > 0.0 {
                chosen = i;
            }
            if left < area {
                break;
            }
            left -= area;
        }
        let [a, b, c] = mesh.triangles[chosen]
            .corners
            .map(|p| mesh.positions[p as usize]);
        let (mut u, mut v) = (rng.unit_f64(), rng.unit_f64());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        a + (b - a) * u + (c - a) * v
    }
}

/// Areas of a room's triangles, m2; 0 where there is none.
fn areas(world: &World, room: usize) -> impl Iterator<Item = f64> {
    let mesh = &world.room(room as u32).mesh;
    mesh.triangles.iter().map(|t| {
        if !t.is_live() {
            return 0.0;
        }
        let [a, b, c] = t.corners.map(|p| mesh.positions[p as usize]);
        (b - a).cross(c - a).length() * 0.5
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_brush_is_a_closed_mesh_of_the_hull() {
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let b = lump(&mut rng, DVec3::new(3.0, -4.0, 5.0));
            let edges: HashSet<[u32; 2]> = b
                .triangles
                .iter()
                .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
                .collect();
            assert_eq!(
                edges.len(),
                3 * b.triangles.len(),
                "each directed edge once"
            );
            assert!(edges.iter().all(|&[p, q]| edges.contains(&[q, p])));
            assert_eq!(b.triangles.len(), 2 * b.points.len() - 4, "Euler");
        }
        // Sides of more than three corners.
        let cube: Vec<I64Vec3> = (0..27)
            .map(|i| I64Vec3::new(i % 3, i / 3 % 3, i / 9) * 32)
            .collect();
        let b = of_points(&cube);
        assert_eq!((b.points.len(), b.triangles.len()), (8, 12));
    }
}
