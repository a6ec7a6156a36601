//! The kd-split: cells are cut where the passage is narrow, or where there are too many faces.
//!
//! A cut is two copies of the cell, each with the other half filled: the boolean knows walls as faces, so that is all.
use super::cell::{Cell, points, steps};
use super::commit::Touched;
use super::{RoomId, World, crowd};
use crate::carve::Op;
use crate::carve::boolean;
use crate::carve::conform::Place;
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::exact::Planes;
use crate::geom::shared::Shared;
use glam::{DVec3, I64Vec3};

/// The kd-tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// A cell.
    Leaf(RoomId),
    /// Below `at` (half steps, odd) is the first kid.
    Split {
        axis: usize,
        at: i64,
        kids: [u32; 2],
    },
}

/// Cells are never thinner, half steps: 2 m.
const THINNEST: i64 = 2 * 64 * 512;
const DEEPEST: u32 = 24;
/// A cell with more corners is cut, passage or not.
const MOST_CORNERS: usize = 700;
/// A cut whose open area is less than this part of the smaller side's volume^(2/3) is a passage.
const PASSAGE: f64 = 0.3;
/// Cubic steps of air that both sides of a passage must have: 12 cubic metres.
const LEAST_AIR: f64 = 12.0 * 16384.0 * 16384.0 * 16384.0;
/// Candidates on an axis.
const MOST_CUTS: usize = 64;

/// Cuts the one cell of a new world into the cells of its life.
pub(super) fn split(world: &mut World, areaportals: &[[I64Vec3; 2]]) {
    let Some(first) = world.cells.pop() else {
        return;
    };
    world.nodes = vec![Node::Leaf(0)];
    let mut open = vec![(0u32, first.take(), 0u32)];
    while let Some((node, cell, depth)) = open.pop() {
        let Some((axis, at)) = choose(&cell, depth, areaportals) else {
            world.nodes[node as usize] = Node::Leaf(world.cells.len() as RoomId);
            world.cells.push(Shared::new(cell));
            continue;
        };
        let kids = [world.nodes.len() as u32, world.nodes.len() as u32 + 1];
        let [low, high] = halves(&mut world.planes, cell, axis, at);
        world.nodes[node as usize] = Node::Split { axis, at, kids };
        world.nodes.extend([Node::Leaf(0); 2]);
        open.push((kids[1], high, depth + 1));
        open.push((kids[0], low, depth + 1));
    }
}

fn halves(planes: &mut Planes, cell: Cell, axis: usize, at: i64) -> [Cell; 2] {
    [0usize, 1].map(|half| {
        let (mut lo, mut hi, mut shared) = (cell.lo, cell.hi, cell.shared);
        // The filled box reaches well beyond the cell, so that only its facet on the cut meets anything.
        let (mut from, mut to) = (lo.map(|x| x - 8192), hi.map(|x| x + 8192));
        if half == 0 {
            (hi[axis], shared[2 * axis + 1], from[axis]) = (at, true, at);
        } else {
            (lo[axis], shared[2 * axis], to[axis]) = (at, true, at);
        }
        let mut part = Cell::new(planes, lo, hi, shared);
        let mut faces: Vec<Option<Face>> = cell.faces.clone();
        let all: Vec<u32> = (0..faces.len() as u32).collect();
        if let Some(filled) = Polytope::boxed(planes, from, to, Surface::Wall) {
            let change = boolean::apply(planes, &cell.sides, &faces, &all, &filled, Op::Fill);
            for id in change.removed {
                faces[id as usize] = None;
            }
            faces.extend(change.added.into_iter().map(Some));
        }
        for face in faces.into_iter().flatten() {
            part.insert(face);
        }
        part
    })
}

/// The middle of an areaportal across its thinnest axis, else the cheapest cut if it is worth it.
fn choose(cell: &Cell, depth: u32, areaportals: &[[I64Vec3; 2]]) -> Option<(usize, i64)> {
    if depth >= DEEPEST {
        return None;
    }
    let fits = |axis: usize, at: i64| {
        at - cell.lo[axis] >= THINNEST / 8 && cell.hi[axis] - at >= THINNEST / 8
    };
    for [lo, hi] in areaportals {
        let size = (*hi - *lo).to_array();
        let axis = (0..3).min_by_key(|&k| size[k]).unwrap_or(0);
        let at = (lo[axis] + hi[axis]) | 1;
        let is_here = (0..3).all(|k| 2 * lo[k] < cell.hi[k] && 2 * hi[k] > cell.lo[k]);
        if is_here && fits(axis, at) {
            return Some((axis, at));
        }
    }
    let is_crowded = cell.corners > MOST_CORNERS;
    let mut best: Option<(f64, usize, i64)> = None;
    for axis in 0..3 {
        let cuts = cuts(cell, axis);
        let areas: Vec<f64> = cuts
            .iter()
            .map(|&at| open_area(cell, axis, steps(at)))
            .collect();
        let mut below = 0.0;
        let mut last = steps(cell.lo[axis]);
        let mut before = 0.0;
        let mut volumes = Vec::with_capacity(cuts.len());
        for (&at, &area) in cuts.iter().zip(&areas) {
            below += (steps(at) - last) * (area + before) * 0.5;
            (last, before) = (steps(at), area);
            volumes.push(below);
        }
        let whole = below + (steps(cell.hi[axis]) - last) * before * 0.5;
        for ((&at, &area), &volume) in cuts.iter().zip(&areas).zip(&volumes) {
            let less = volume.min(whole - volume);
            let is_wide = at - cell.lo[axis] >= THINNEST && cell.hi[axis] - at >= THINNEST;
            if !is_wide
                || less
                    < if is_crowded {
                        LEAST_AIR * 0.25
                    } else {
                        LEAST_AIR
                    }
            {
                continue;
            }
            let cost = area / libm::pow(less, 2.0 / 3.0);
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, axis, at));
            }
        }
    }
    best.filter(|b| is_crowded || b.0 < PASSAGE)
        .map(|b| (b.1, b.2))
        .or_else(|| crowd::is_crowded(cell, 0).then(|| halfway(cell))?)
}

/// Where as many corners lie on one side as on the other, across the axis along which they lie widest apart: for a cell
/// with too little air for a passage, as of rock with an uneven skin.
fn halfway(cell: &Cell) -> Option<(usize, i64)> {
    let all = || cell.stuff().flat_map(|(_, f)| points(f));
    let (lo, hi) = (all().reduce(DVec3::min)?, all().reduce(DVec3::max)?);
    let axis = (hi - lo).max_position();
    let mut along: Vec<f64> = all().map(|p| p[axis]).collect();
    let middle = along.len() / 2;
    let (_, &mut at, _) = along.select_nth_unstable_by(middle, f64::total_cmp);
    // A kid may be as thin as a cell that is cut in play.
    let ends = (cell.lo[axis] + THINNEST / 2, cell.hi[axis] - THINNEST / 2);
    (ends.0 <= ends.1).then(|| (axis, ((at * 2.0) as i64 | 1).clamp(ends.0, ends.1)))
}

/// Odd half steps midway between the coordinates of the faces: no grid point lies on them.
fn cuts(cell: &Cell, axis: usize) -> Vec<i64> {
    let mut at: Vec<i64> = cell
        .all()
        .flat_map(|(_, f)| points(f))
        .map(|p| (p[axis] * 2.0) as i64)
        .collect();
    // Long stretches without a corner get cuts too.
    let size = cell.hi[axis] - cell.lo[axis];
    at.extend((0..=8).map(|i| cell.lo[axis] + size * i / 8));
    at.sort_unstable();
    at.dedup_by(|b, a| *b - *a < 64);
    let mut cuts: Vec<i64> = at
        .windows(2)
        .map(|w| (w[0] + w[1]).div_euclid(2) | 1)
        .collect();
    cuts.retain(|&c| c > cell.lo[axis] && c < cell.hi[axis]);
    let n = cuts.len();
    if n > MOST_CUTS {
        (0..MOST_CUTS).map(|i| cuts[i * n / MOST_CUTS]).collect()
    } else {
        cuts
    }
}

/// Air on the plane, square steps: each face leaves segments with air to one side; shoelace over them.
fn open_area(cell: &Cell, axis: usize, at: f64) -> f64 {
    let mut across = DVec3::ZERO;
    across[axis] = 1.0;
    let origin = DVec3::from_array(cell.lo.map(steps));
    let mut twice = 0.0;
    let mut met: Vec<DVec3> = Vec::new();
    for (_, face) in cell.all() {
        if face.lo[axis] > at || face.hi[axis] < at {
            continue;
        }
        let way = face.area_vector().cross(across);
        met.clear();
        for (a, b) in super::cell::edges(face) {
            if (a[axis] < at) != (b[axis] < at) {
                met.push(a + (b - a) * ((at - a[axis]) / (b[axis] - a[axis])));
            }
        }
        met.sort_by(|a, b| way.dot(*a).total_cmp(&way.dot(*b)));
        for pair in met.chunks_exact(2) {
            twice += (pair[0] - origin).cross(pair[1] - origin)[axis];
        }
    }
    (twice * 0.5).abs()
}

/// Faces of stuff share their corners across all cells.
pub(super) fn conform_all(world: &mut World) {
    let everything = Place {
        lo: DVec3::splat(-f64::MAX),
        hi: DVec3::splat(f64::MAX),
        plane: None,
    };
    let cells: Vec<RoomId> = (0..world.cells.len() as RoomId).collect();
    super::commit::conform(world, &cells, &everything, &mut Touched::default());
}
