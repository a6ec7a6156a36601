//! Questions: what holds a point, what does a ray or a moving sphere meet first.
use super::cell::steps;
use super::split::Node;
use super::{CastHit, GRID, RoomId, World};
use crate::bvh::{Patch, QueryStats, Touch};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// Boxes are grown by this much, metres, so that rounding never hides a cell.
pub(super) const SLACK: f64 = 1e-6;

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
    let [mut front, mut back] = [f64::INFINITY; 2];
    each_cell_on_way(world, p, to, SLACK, |id| {
        let room = &world.rooms[id as usize];
        let limit = front.min(back).min(1.0);
        if room.triangle_count > 0 {
            let sides = room.tree.first_sides(p, to, limit, &mut stats);
            (front, back) = (front.min(sides[0]), back.min(sides[1]));
        }
        front.min(back).min(1.0)
    });
    front < back
}

/// A segment on its way down the kd-tree.
struct Way {
    from: DVec3,
    displacement: DVec3,
    /// One over the displacement.
    inverse: DVec3,
    /// Boxes are grown by so much, metres.
    grow: f64,
}

impl Way {
    /// Where the segment crosses a plane across an axis, moved by `grow` against and along it: from where on it may be
    /// above, and until where below. A segment along the plane is on either side all the way or never.
    fn crosses(&self, axis: usize, at: f64) -> [(f64, f64); 2] {
        let (from, way, inverse) = (self.from[axis], self.displacement[axis], self.inverse[axis]);
        let [low, high] = [at - self.grow, at + self.grow];
        const NEVER: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
        const ALWAYS: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        if way == 0.0 {
            return [
                if from <= high { ALWAYS } else { NEVER },
                if from >= low { ALWAYS } else { NEVER },
            ];
        }
        // No number where both factors are at their ends: it limits nothing.
        let (to_high, to_low) = ((high - from) * inverse, (low - from) * inverse);
        if way > 0.0 {
            [(f64::NEG_INFINITY, to_high), (to_low, f64::INFINITY)]
        } else {
            [(to_high, f64::INFINITY), (f64::NEG_INFINITY, to_low)]
        }
    }
}

/// Visits cells along a segment grown by `grow`, the nearer half of the tree first; `visit` is told the cell and answers
/// the fraction beyond which nothing matters any more.
fn each_cell_on_way(
    world: &World,
    from: DVec3,
    to: DVec3,
    grow: f64,
    mut visit: impl FnMut(RoomId) -> f64,
) {
    if world.nodes.is_empty() {
        return;
    }
    let way = Way {
        from,
        displacement: to - from,
        inverse: (to - from).recip(),
        grow,
    };
    let mut limit = 1.0;
    let mut waiting: SmallVec<[(u32, f64, f64); 32]> = smallvec![(0, 0.0, 1.0)];
    while let Some((mut node, mut enter, mut leave)) = waiting.pop() {
        // Rounding must hide no cell; `grow` has room for that.
        while enter <= limit + 1e-9 && enter <= leave {
            match world.nodes[node as usize] {
                Node::Leaf(cell) => {
                    limit = visit(cell);
                    break;
                }
                Node::Split { axis, at, kids } => {
                    let parts = way.crosses(axis, steps(at) / GRID);
                    let [low, high] = [0, 1].map(|k| {
                        let (from, to) = parts[k];
                        (kids[k], enter.max(from), leave.min(to))
                    });
                    let (near, far) = if way.displacement[axis] < 0.0 {
                        (high, low)
                    } else {
                        (low, high)
                    };
                    if far.1 <= far.2 {
                        waiting.push(far);
                    }
                    (node, enter, leave) = near;
                }
            }
        }
    }
}

/// Front to back (Fuchs, Kedem and Naylor, "On visible surface generation by a priori tree structures", 1980): a bit for
/// each split above the room, set where the eye is on the other side. Splits below the 128th are left out.
pub(super) fn place_from(world: &World, eye: DVec3, room: RoomId) -> u128 {
    let Some(inside) = world
        .rooms
        .get(room as usize)
        .map(|room| room.cell.centre())
    else {
        return u128::MAX;
    };
    let (mut place, mut node) = (0, 0);
    for bit in (0..u128::BITS).rev() {
        match world.nodes.get(node as usize) {
            Some(&Node::Split { axis, at, kids }) => {
                let at = steps(at) / GRID;
                let is_high = inside[axis] >= at;
                place |= u128::from(is_high != (eye[axis] >= at)) << bit;
                node = kids[usize::from(is_high)];
            }
            Some(Node::Leaf(_)) | None => break,
        }
    }
    place
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
    each_cell_on_way(world, from, to, radius + SLACK, |id| {
        let room = &world.rooms[id as usize];
        if room.triangle_count > 0
            && let Some(hit) = room.tree.sweep_sphere(&room.mesh, from, to, radius, stats)
        {
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
        best.map_or(1.0, |(_, hit)| hit.fraction)
    });
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

pub(super) fn patch_in_box(world: &World, bounds: &Aabb, stats: &mut QueryStats) -> Patch {
    let mut patch = Patch::default();
    each_cell_in_box(world, &bounds.grow(SLACK), &mut |cell| {
        let room = &world.rooms[cell as usize];
        if room.triangle_count > 0 {
            room.tree.gather(bounds, stats, &mut patch);
        }
    });
    patch
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
