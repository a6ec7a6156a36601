//! Closed surfaces for tests and benchmarks of trees.
use breach::bvh::{Mesh, Triangle};
use glam::DVec3;
use std::collections::BTreeMap;

/// Adds a cube of `n × n` squares a side, each point moved by `place`; turned inwards it is a room.
pub fn add_block(mesh: &mut Mesh, n: u32, inwards: bool, place: impl Fn(DVec3) -> DVec3) {
    let mut known = BTreeMap::new();
    for side in 0..6 {
        let (axis, high) = (side / 2, side % 2 == 1);
        let mut at = |u: u32, v: u32| {
            let mut p = [0; 3];
            p[axis] = if high { n } else { 0 };
            p[(axis + 1) % 3] = u;
            p[(axis + 2) % 3] = v;
            *known.entry(p).or_insert_with(|| {
                let unit = DVec3::from(p.map(f64::from)) / f64::from(n) * 2.0 - 1.0;
                mesh.positions.push(place(unit));
                mesh.positions.len() as u32 - 1
            })
        };
        for (u, v) in (0..n).flat_map(|u| (0..n).map(move |v| (u, v))) {
            let [a, b, c, d] = [at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)];
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                let corners = if high ^ inwards { [a, b, c] } else { [a, c, b] };
                let key = mesh.triangles.len() as u64;
                mesh.triangles.push(Triangle {
                    corners,
                    face: side as u32,
                    key,
                });
            }
        }
    }
}
