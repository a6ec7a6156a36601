//! The kd-split of a new level: cells are cut where the passage is narrow, or where there are too many faces.
//!
//! A cut makes two copies of the cell, each with the other half filled. The boolean treats walls as faces, so nothing
//! else is needed.
use super::cell::{Cell, points, steps};
use super::geometry::Geometry;
use super::kd_tree::{KdTree, Node};
use super::room::RoomId;
use super::touched::{Touched, conform};
use super::{GRID, subdivision};
use crate::carve::Op;
use crate::carve::boolean;
use crate::carve::conform::ConformBox;
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::exact::Planes;
use crate::geom::ring;
use crate::geom::shared::Shared;
use glam::{DVec3, I64Vec3};
use smallvec::SmallVec;

/// Cells are never thinner, half steps: 2 m.
const THINNEST: i64 = 2 * 64 * 512;
const DEEPEST: u32 = 24;
/// A cell with more than this fraction of the corners that it may have in play is cut, passage or not.
const START: f64 = 0.5;
/// A cut whose open area is less than this fraction of the smaller side's volume^(2/3) is a passage.
const PASSAGE: f64 = 0.3;
/// Cubic steps of air that both sides of a passage must have: 12 cubic metres.
const LEAST_AIR: f64 = 12.0 * 16384.0 * 16384.0 * 16384.0;
/// Most candidate cuts on an axis.
const MOST_CUTS: usize = 64;

/// Cuts the one cell of a new world into its final cells.
pub(super) fn split(geometry: &mut Geometry, areaportals: &[[I64Vec3; 2]]) -> KdTree {
    let first = geometry
        .cells
        .pop()
        .expect("the level is one cell at first");
    assert!(geometry.cells.is_empty(), "a level is split but once");
    let mut tree = KdTree::one_cell();
    let mut open = vec![(0u32, first.take(), 0u32)];
    while let Some((node, cell, depth)) = open.pop() {
        let Some((axis, at)) = choose(&cell, depth, areaportals) else {
            tree.nodes[node as usize] = Node::Leaf(geometry.cells.len() as RoomId);
            geometry.cells.push(Shared::new(cell));
            continue;
        };
        let kids = [tree.nodes.len() as u32, tree.nodes.len() as u32 + 1];
        let [low, high] = halves(&mut geometry.planes, cell, axis, at);
        tree.nodes[node as usize] = Node::Split { axis, at, kids };
        tree.nodes.extend([Node::Leaf(0); 2]);
        open.push((kids[1], high, depth + 1));
        open.push((kids[0], low, depth + 1));
    }
    tree
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
        let all: Vec<u32> = cell.all().map(|(id, _)| id).collect();
        if let Some(filled) = Polytope::from_box(planes, from, to, Surface::Wall) {
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

/// The middle of an areaportal across its thinnest axis, else the cheapest cut if it is good enough.
fn choose(cell: &Cell, depth: u32, areaportals: &[[I64Vec3; 2]]) -> Option<(usize, i64)> {
    if depth >= DEEPEST {
        return None;
    }
    let fits = |axis: usize, at: i64| {
        at - cell.lo[axis] >= THINNEST / 8 && cell.hi[axis] - at >= THINNEST / 8
    };
    for [lo, hi] in areaportals {
        let size = (*hi - *lo).to_array();
        let axis = (0..3).min_by_key(|&k| size[k]).expect("three axes");
        let at = (lo[axis] + hi[axis]) | 1;
        let is_here = (0..3).all(|k| 2 * lo[k] < cell.hi[k] && 2 * hi[k] > cell.lo[k]);
        if is_here && fits(axis, at) {
            return Some((axis, at));
        }
    }
    let is_crowded = cell.corners as f64 > START * subdivision::most_corners(cell);
    let mut best: Option<(f64, usize, i64)> = None;
    let whole = cell.volume() * GRID.powi(3);
    let least = if is_crowded {
        LEAST_AIR * 0.25
    } else {
        LEAST_AIR
    };
    for axis in 0..3 {
        let cuts = cuts(cell, axis);
        for (&at, CrossSection { area, below }) in
            cuts.iter().zip(cross_sections(cell, axis, &cuts))
        {
            let less = below.min(whole - below);
            let is_wide = at - cell.lo[axis] >= THINNEST && cell.hi[axis] - at >= THINNEST;
            if !is_wide || less < least {
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
        .or_else(|| is_crowded.then(|| halfway(cell))?)
}

/// The median of the corners along the axis of their greatest extent: for a cell with too little air for a passage,
/// such as rock with an uneven skin.
fn halfway(cell: &Cell) -> Option<(usize, i64)> {
    let all = || cell.stuff().flat_map(|(_, f)| points(f));
    let (lo, hi) = (all().reduce(DVec3::min)?, all().reduce(DVec3::max)?);
    let axis = (hi - lo).max_position();
    let mut along: Vec<f64> = all().map(|p| p[axis]).collect();
    let middle = along.len() / 2;
    let (_, &mut at, _) = along.select_nth_unstable_by(middle, f64::total_cmp);
    // A child may be as thin as a cell that is cut in play.
    let ends = (cell.lo[axis] + THINNEST / 2, cell.hi[axis] - THINNEST / 2);
    (ends.0 <= ends.1).then(|| (axis, ((at * 2.0) as i64 | 1).clamp(ends.0, ends.1)))
}

/// Odd half steps midway between the coordinates of corners, so that no grid point lies on a cut.
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

/// A plane across a cell.
struct CrossSection {
    /// Air on it, square steps.
    area: f64,
    /// Air below it, cubic steps.
    below: f64,
}

/// The cross-sections of a cell at ascending planes across an axis, half steps. By Gauss' theorem: a closed surface has
/// the same flux along the axis through its part below a plane as through the plane, and that flux times height,
/// summed, is the volume.
fn cross_sections(cell: &Cell, axis: usize, cuts: &[i64]) -> Vec<CrossSection> {
    let mut faces: Vec<&Face> = cell.all().map(|(_, face)| face).collect();
    faces.sort_by(|a, b| a.hi[axis].total_cmp(&b.hi[axis]));
    // Flux of the faces that lie below.
    let mut done = Flux::default();
    let mut first = 0;
    let from = steps(cell.lo[axis]);
    let mut cross_sections = Vec::with_capacity(cuts.len());
    for at in cuts.iter().map(|&at| steps(at)) {
        while let Some(face) = faces.get(first).filter(|face| face.hi[axis] < at) {
            done.add(face, axis, from, at);
            first += 1;
        }
        let mut all = Flux {
            through: done.through,
            height: done.height - done.through * (at - from),
        };
        let crossed = faces[first..].iter().filter(|face| face.lo[axis] < at);
        crossed.for_each(|face| all.add(face, axis, at, at));
        cross_sections.push(CrossSection {
            area: all.through.abs(),
            below: -all.height,
        });
    }
    cross_sections
}

/// The flux of faces along an axis.
#[derive(Clone, Copy, Default)]
struct Flux {
    /// The axis' component of their area vectors, square steps.
    through: f64,
    /// That component times the height above a plane, cubic steps.
    height: f64,
}

impl Flux {
    /// Adds the part of a face that lies below `at`; heights are above `zero`.
    fn add(&mut self, face: &Face, axis: usize, zero: f64, at: f64) {
        let mut below: SmallVec<[DVec3; 16]> = SmallVec::new();
        for l in &face.loops {
            below.clear();
            for (a, b) in ring::pairs(l) {
                let (a, b) = (a.point.at, b.point.at);
                if a[axis] < at {
                    below.push(a);
                }
                if (a[axis] < at) != (b[axis] < at) {
                    below.push(a + (b - a) * ((at - a[axis]) / (b[axis] - a[axis])));
                }
            }
            let Some((&first, rest)) = below.split_first() else {
                continue;
            };
            for pair in rest.windows(2) {
                let through = (pair[0] - first).cross(pair[1] - first)[axis] * 0.5;
                let middle = (first[axis] + pair[0][axis] + pair[1][axis]) / 3.0;
                self.through += through;
                self.height += through * (middle - zero);
            }
        }
    }
}

/// Makes faces of stuff share their corners across all cells.
pub(super) fn conform_all(geometry: &mut Geometry) {
    let everything = ConformBox {
        lo: DVec3::splat(-f64::MAX),
        hi: DVec3::splat(f64::MAX),
        plane: None,
    };
    let cells: Vec<RoomId> = (0..geometry.cells.len() as RoomId).collect();
    conform(geometry, &cells, &everything, &mut Touched::default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::BuildParams;
    use crate::geom::rng::Rng;
    use crate::stage::Silent;
    use crate::world::{Material, SurfaceDesc, World};
    use rustc_hash::FxHashMap;

    const M: i64 = 16384;

    /// A hall of 16 by 16 by 16 m, its walls in squares of 4 m, every corner moved by up to `rough` steps.
    fn hall(rough: i64) -> World {
        let mut desc = SurfaceDesc {
            bounds: [I64Vec3::splat(-200 * M), I64Vec3::splat(216 * M)],
            points: vec![],
            triangles: vec![],
            materials: vec![Material {
                texture: "stone".into(),
                u: DVec3::X,
                v: DVec3::Y,
                offset: [0.0; 2],
                inner: false,
                hardness: 1.0,
            }],
            material: 0,
        };
        let mut moved: FxHashMap<I64Vec3, I64Vec3> = FxHashMap::default();
        let mut rng = Rng::new(1);
        let mut by = || rng.range(-rough as f64, rough as f64) as i64;
        for side in 0..6 {
            let (axis, is_high) = (side / 2, side % 2 == 1);
            for i in 0..16 {
                let mut quad = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| {
                    let mut p = [0; 3];
                    p[axis] = if is_high { 16 * M } else { 0 };
                    p[(axis + 1) % 3] = (i % 4 + a) * 4 * M;
                    p[(axis + 2) % 3] = (i / 4 + b) * 4 * M;
                    let p = I64Vec3::from_array(p);
                    *moved
                        .entry(p)
                        .or_insert_with(|| p + I64Vec3::new(by(), by(), by()))
                });
                if is_high {
                    quad.reverse();
                }
                let first = desc.points.len() as u32;
                desc.points.extend(quad);
                let corners = [[0, 1, 2], [0, 2, 3]];
                desc.triangles.extend(corners.map(|t| t.map(|c| first + c)));
            }
        }
        World::from_surface(&desc, &BuildParams::default(), &mut Silent).expect("a hall")
    }

    #[test]
    fn sections_are_what_a_cut_leaves() {
        let mut world = hall(M / 2);
        let cell = world.geometry.cells[0].clone().take();
        for axis in 0..3 {
            let cuts = cuts(&cell, axis);
            for (&at, cross_section) in cuts.iter().zip(cross_sections(&cell, axis, &cuts)) {
                let [low, high] = halves(&mut world.geometry.planes, cell.clone(), axis, at);
                let below = cross_section.below / GRID.powi(3);
                assert!((below - low.volume()).abs() < 1e-6, "{axis} {at}: {below}");
                let of_wall = |cell: &Cell, side| {
                    let faces = cell.wall(side).map(|(_, face)| face.area_vector().length());
                    faces.sum::<f64>()
                };
                let (area, open) = (cross_section.area, of_wall(&low, 2 * axis + 1));
                assert!(
                    (area - open).abs() < 1e-9 * area.max(GRID * GRID),
                    "{axis} {at}"
                );
                assert!((open - of_wall(&high, 2 * axis)).abs() < 1e-9 * open.max(1.0));
            }
        }
    }

    #[test]
    fn an_uneven_wall_is_no_passage() {
        // The plane through the middle of an uneven wall crosses little air, but there is nothing behind it.
        assert_eq!(hall(M / 16).geometry.cells.len(), 1);
    }
}
