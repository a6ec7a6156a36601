//! Manifold's side: the air is a body, a brush is a body, a carve is their union.
//!
//! It knows no rock that falls: [`without_loose`] takes out what Breach lets fall.
use crate::brushes::Brush;
use crate::rooms::Room;
use breach::world::GRID;
use glam::{DVec3, I64Vec3};
use manifold_rust::manifold::Manifold;
use manifold_rust::types::{Error, MeshGL64};

/// The air of a room.
pub fn body(room: &Room) -> Manifold {
    // Outside of this body is the rock.
    let turned: Vec<[u32; 3]> = room.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    of_mesh(&metres(&room.points), &turned)
}

/// A brush.
pub fn brush(brush: &Brush) -> Manifold {
    of_mesh(&metres(&brush.points), &brush.triangles)
}

/// Many brushes as one: halves first, so that most unions are small.
pub fn union(brushes: &[Brush]) -> Manifold {
    match brushes {
        [] => Manifold::empty(),
        [one] => brush(one),
        _ => {
            let (a, b) = brushes.split_at(brushes.len() / 2);
            union(a).union(&union(b))
        }
    }
}

/// Steps as metres: exact.
fn metres(points: &[I64Vec3]) -> Vec<DVec3> {
    points.iter().map(|p| p.as_dvec3() / GRID).collect()
}

fn of_mesh(points: &[DVec3], triangles: &[[u32; 3]]) -> Manifold {
    let mesh = MeshGL64 {
        num_prop: 3,
        vert_properties: points.iter().flat_map(|p| p.to_array()).collect(),
        tri_verts: triangles.iter().flatten().map(|&c| u64::from(c)).collect(),
        ..Default::default()
    };
    let body = Manifold::from_mesh_gl64(&mesh);
    assert!(body.status() == Error::NoError, "{:?}", body.status());
    body
}

/// A body's surface.
struct Shells {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// The shell of each triangle.
    shell: Vec<usize>,
    /// Cubic metres within each shell; below zero where it encloses what is not of the body.
    volumes: Vec<f64>,
}

fn shells(body: &Manifold) -> Shells {
    let mesh = body.get_mesh_gl64(-1);
    let stride = mesh.num_prop as usize;
    let mut same: Vec<u32> = (0..mesh.num_vert() as u32).collect();
    for (&from, &to) in mesh.merge_from_vert.iter().zip(&mesh.merge_to_vert) {
        same[from as usize] = to as u32;
    }
    let points: Vec<DVec3> = mesh
        .vert_properties
        .chunks_exact(stride)
        .map(|p| DVec3::new(p[0], p[1], p[2]))
        .collect();
    let triangles: Vec<[u32; 3]> = mesh
        .tri_verts
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]].map(|c| same[c as usize]))
        .collect();
    let mut root: Vec<u32> = (0..points.len() as u32).collect();
    fn find(root: &mut [u32], mut i: u32) -> u32 {
        while root[i as usize] != i {
            root[i as usize] = root[root[i as usize] as usize];
            i = root[i as usize];
        }
        i
    }
    for t in &triangles {
        for k in 0..2 {
            let (a, b) = (find(&mut root, t[k]), find(&mut root, t[k + 1]));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    let mut number = vec![usize::MAX; points.len()];
    let (mut shell, mut volumes) = (Vec::with_capacity(triangles.len()), Vec::new());
    let mut origins: Vec<DVec3> = Vec::new();
    for t in &triangles {
        let r = find(&mut root, t[0]) as usize;
        if number[r] == usize::MAX {
            number[r] = volumes.len();
            volumes.push(0.0);
            origins.push(points[r]);
        }
        let n = number[r];
        let [a, b, c] = t.map(|p| points[p as usize] - origins[n]);
        volumes[n] += a.cross(b).dot(c) / 6.0;
        shell.push(n);
    }
    Shells {
        points,
        triangles,
        shell,
        volumes,
    }
}

impl Shells {
    /// Whether a point lies within a shell: crossings of a line from the point on. It runs askew, as all that faces of a
    /// room and of pieces have in common are planes along axes, and a line within one crosses nothing or everything.
    fn is_within(&self, p: DVec3, shell: usize) -> bool {
        // Sheared so that the line runs along x.
        let sheared = |q: DVec3| DVec3::new(q.x, q.y - 0.2719 * q.x, q.z - 0.3173 * q.x);
        let mut odd = false;
        for (t, &s) in self.triangles.iter().zip(&self.shell) {
            if s != shell {
                continue;
            }
            let [a, b, c] = t.map(|q| sheared(self.points[q as usize] - p));
            let side = |p: DVec3, q: DVec3| p.y * q.z - p.z * q.y;
            let (u, v, w) = (side(b, c), side(c, a), side(a, b));
            if (u >= 0.0) == (v >= 0.0) && (v >= 0.0) == (w >= 0.0) {
                odd ^= (a.x * u + b.x * v + c.x * w) / (u + v + w) > 0.0;
            }
        }
        odd
    }
}

/// The body after the rock that hangs in it has fallen, and how many pieces that were.
///
/// A shell that encloses rock (inside out: its volume is below zero) goes, with everything in it.
pub fn without_loose(body: Manifold) -> (Manifold, usize) {
    let all = shells(&body);
    let loose: Vec<usize> = (0..all.volumes.len())
        .filter(|&s| all.volumes[s] < 0.0)
        .collect();
    if loose.is_empty() {
        return (body, 0);
    }
    let mut first = vec![None; all.volumes.len()];
    for (t, &s) in all.triangles.iter().zip(&all.shell) {
        let [a, b, c] = t.map(|c| all.points[c as usize]);
        // A point of no symmetry: lines through it seldom meet an edge.
        first[s].get_or_insert(a * 0.3127 + b * 0.3391 + c * 0.3482);
    }
    let is_gone = |s: usize| {
        loose.contains(&s) || first[s].is_some_and(|p| loose.iter().any(|&l| all.is_within(p, l)))
    };
    let gone: Vec<bool> = (0..all.volumes.len()).map(is_gone).collect();
    let pieces = loose.len();
    let mut new = vec![u32::MAX; all.points.len()];
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (t, &s) in all.triangles.iter().zip(&all.shell) {
        if gone[s] {
            continue;
        }
        triangles.push(t.map(|c| {
            if new[c as usize] == u32::MAX {
                new[c as usize] = points.len() as u32;
                points.push(all.points[c as usize]);
            }
            new[c as usize]
        }));
    }
    let rest = of_mesh(&points, &triangles);
    // Nothing but the loose pieces may be lost on the way.
    let expected: f64 = (0..gone.len())
        .filter(|&s| !gone[s])
        .map(|s| all.volumes[s])
        .sum();
    let lost = (rest.volume() - expected).abs();
    assert!(lost < 1e-10 * expected, "{lost} m3 lost in Manifold");
    (rest, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brushes::of_points;

    fn cube(lo: i64, hi: i64) -> Brush {
        let at = |i: i64, k: i64| if i >> k & 1 == 1 { hi } else { lo };
        let corners: Vec<I64Vec3> = (0..8)
            .map(|i| I64Vec3::new(at(i, 0), at(i, 1), at(i, 2)) * GRID as i64)
            .collect();
        of_points(&corners)
    }

    #[test]
    fn rock_in_the_air_goes_with_what_is_in_it() {
        let room = brush(&cube(-8, 8));
        // A stone with a hollow in it, and a stone in that.
        let stone =
            brush(&cube(-4, 4)).difference(&brush(&cube(-3, 3)).difference(&brush(&cube(-1, 1))));
        let far = brush(&cube(20, 22));
        let body = room.difference(&stone).union(&far);
        assert!((body.volume() - (4096.0 - 512.0 + 216.0 - 8.0 + 8.0)).abs() < 1e-9);
        let (rest, pieces) = without_loose(body);
        assert_eq!(pieces, 2);
        assert!(
            (rest.volume() - (4096.0 + 8.0)).abs() < 1e-9,
            "{}",
            rest.volume()
        );
    }

    #[test]
    fn a_point_in_the_plane_of_a_stones_side_is_not_within_it() {
        let stone = shells(&brush(&cube(-1, 1)));
        assert!(stone.is_within(DVec3::new(0.3, 0.2, -0.1), 0));
        for (axis, end) in [(1, -1.0), (1, 1.0), (2, -1.0), (2, 1.0)] {
            // A line along x from here runs in that side.
            let mut p = DVec3::new(-5.0, 0.2, 0.2);
            p[axis] = end;
            assert!(!stone.is_within(p, 0), "{p}");
        }
    }

    #[test]
    fn a_room_is_the_same_body() {
        let room = crate::rooms::room("rough_2k").expect("a room");
        assert!((body(&room).volume() - room.volume_m3()).abs() < 1e-9);
    }
}
