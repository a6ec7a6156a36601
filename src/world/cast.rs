//! Questions: what holds a point, what does a ray or a moving sphere meet first.
use super::cell::steps;
use super::split::Node;
use super::{CastHit, GRID, RoomId, World};
use crate::bvh::{QueryStats, Touch};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// Boxes are grown by this much, metres, so that rounding never hides a cell.
const SLACK: f64 = 1e-6;

pub(super) fn cell_at(world: &World, p: DVec3) -> Option<RoomId> {
    if !world.bounds().contains(p) {
        return None;
    }
    let mut node = 0;
    loop {
        match *world.nodes.get(node)? {
            Node::Leaf(cell) => return Some(cell),
            Node::Split { axis, at, kids } => {
                node = kids[(p[axis] >= steps(at) / GRID) as usize] as usize
            }
        }
    }
}

/// Two of three rays decide: one may graze an edge.
pub(super) fn locate(world: &World, p: DVec3) -> Option<RoomId> {
    let cell = cell_at(world, p)?;
    let far = world.bounds().diagonal() + 1.0;
    const WAYS: [DVec3; 3] = [
        DVec3::new(0.1037, -0.9761, 0.1907),
        DVec3::new(0.9213, 0.2579, -0.2911),
        DVec3::new(-0.3319, 0.1873, 0.9245),
    ];
    let mut votes = 0;
    for (i, way) in WAYS.into_iter().enumerate() {
        votes += if sees_air(world, p, p + way * far) {
            1
        } else {
            -1
        };
        if i == 1 && votes != 0 {
            break;
        }
    }
    (votes > 0).then_some(cell)
}

/// From air, the first face met is met from its front; from rock a back comes before any front.
fn sees_air(world: &World, p: DVec3, to: DVec3) -> bool {
    let mut stats = QueryStats::default();
    let Some(hit) = cast(world, p, to, 0.0, &mut stats) else {
        return false;
    };
    cast(world, hit.point, p, 0.0, &mut stats).is_none()
}

/// Where the segment, grown by `grow`, enters the box: a part of 0..=1.
fn enters(b: &Aabb, from: DVec3, to: DVec3, grow: f64) -> Option<f64> {
    let (mut t0, mut t1) = (0.0f64, 1.0f64);
    for k in 0..3 {
        let (lo, hi, o, d) = (b.min[k] - grow, b.max[k] + grow, from[k], to[k] - from[k]);
        if d == 0.0 {
            if o < lo || o > hi {
                return None;
            }
            continue;
        }
        let (a, c) = ((lo - o) / d, (hi - o) / d);
        t0 = t0.max(a.min(c));
        t1 = t1.min(a.max(c));
    }
    (t0 <= t1).then_some(t0)
}

/// Cells along the way, in the order in which they are entered.
fn cells_on_way(world: &World, from: DVec3, to: DVec3, grow: f64) -> SmallVec<[(f64, RoomId); 8]> {
    let way = Aabb::from_corners(from, to).grow(grow);
    let mut list: SmallVec<[(f64, RoomId); 8]> = SmallVec::new();
    each_cell_in_box(world, &way, &mut |cell| {
        let room = &world.rooms[cell as usize];
        if room.triangle_count > 0
            && let Some(t) = enters(&room.cell, from, to, grow)
        {
            list.push((t, cell));
        }
    });
    list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    list
}

/// In kd order, which is fixed.
pub(super) fn each_cell_in_box(world: &World, bounds: &Aabb, visit: &mut dyn FnMut(RoomId)) {
    if world.nodes.is_empty() || bounds.is_empty() {
        return;
    }
    let mut stack: SmallVec<[u32; 32]> = smallvec![0];
    while let Some(node) = stack.pop() {
        match world.nodes[node as usize] {
            Node::Leaf(cell) => visit(cell),
            Node::Split { axis, at, kids } => {
                let at = steps(at) / GRID;
                if bounds.max[axis] >= at {
                    stack.push(kids[1]);
                }
                if bounds.min[axis] <= at {
                    stack.push(kids[0]);
                }
            }
        }
    }
}

pub(super) fn cast(
    world: &World,
    from: DVec3,
    to: DVec3,
    radius: f64,
    stats: &mut QueryStats,
) -> Option<CastHit> {
    let is_sound = from.is_finite() && to.is_finite() && radius.is_finite() && radius >= 0.0;
    if !is_sound {
        return None;
    }
    let mut best: Option<(u64, CastHit)> = None;
    for (enter, id) in cells_on_way(world, from, to, radius + SLACK) {
        if best.is_some_and(|(_, b)| enter > b.fraction + 1e-9) {
            break;
        }
        let room = &world.rooms[id as usize];
        let Some(hit) = room.tree.sweep_sphere(&room.mesh, from, to, radius, stats) else {
            continue;
        };
        let key = room.mesh.triangles[hit.triangle as usize].key;
        if best.is_none_or(|(k, b)| (hit.fraction, key) < (b.fraction, k)) {
            let (fraction, point, normal, triangle) =
                (hit.fraction, hit.point, hit.normal, hit.triangle);
            best = Some((
                key,
                CastHit {
                    fraction,
                    point,
                    normal,
                    room: id,
                    triangle,
                },
            ));
        }
    }
    best.map(|(_, hit)| hit)
}

pub(super) fn each_triangle_in_box(
    world: &World,
    bounds: &Aabb,
    stats: &mut QueryStats,
    visit: &mut dyn FnMut(RoomId, u32),
) {
    each_cell_in_box(world, &bounds.grow(SLACK), &mut |cell| {
        let room = &world.rooms[cell as usize];
        room.tree
            .each_in_box(&room.mesh, bounds, stats, &mut |t| visit(cell, t));
    });
}

pub(super) fn each_touch(
    world: &World,
    centre: DVec3,
    reach: f64,
    stats: &mut QueryStats,
    visit: &mut dyn FnMut(Touch),
) {
    let around = Aabb::from_centre(centre, DVec3::splat(reach + SLACK));
    each_cell_in_box(world, &around, &mut |cell| {
        let room = &world.rooms[cell as usize];
        if room.triangle_count > 0 {
            room.tree.each_touch(centre, reach, stats, &mut *visit);
        }
    });
}
