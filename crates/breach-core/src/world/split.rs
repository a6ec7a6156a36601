//! The kd-split of a new level: cells are cut where the passage is narrow, or where there are too many faces.
//!
//! A cut makes two copies of the cell, each with the other half filled. The boolean treats walls as faces, so nothing
//! else is needed.
use super::cell::{Cell, ends, points, steps};
use super::cross_section::{CrossSection, cross_sections};
use super::geometry::Geometry;
use super::kd_tree::{KdTree, Node};
use super::room::RoomId;
use super::{GRID, subdivision};
use crate::carve::Op;
use crate::carve::boolean;
use crate::carve::conform::{ConformBox, conform};
use crate::carve::polytope::{Polytope, Surface};
use crate::exact::Planes;
use crate::geom::parallel;
use crate::stage::{Marker, Stage};
use glam::{DVec3, I64Vec3};

/// Cells are never thinner, half steps: 2 m.
const THINNEST: i64 = 2 * 64 * 512;
const DEEPEST: usize = 24;
/// A cell with more than this fraction of the corners that it may have in play is cut, passage or not.
const START: f64 = 0.5;
/// A cut whose open area is less than this fraction of the smaller side's volume^(2/3) is a passage.
const PASSAGE: f64 = 0.3;
/// Cubic steps of air that both sides of a passage must have: 12 cubic metres.
const LEAST_AIR: f64 = 12.0 * 16384.0 * 16384.0 * 16384.0;
/// Most candidate cuts on an axis.
const MOST_CUTS: usize = 64;

/// Cuts the one cell of a new world into its final cells, with a time mark for each level of the tree.
pub(super) fn split(
    geometry: &mut Geometry,
    areaportals: &[[I64Vec3; 2]],
    marker: &mut dyn Marker,
) -> KdTree {
    let first = geometry.pop_cell();
    let first = first.expect("the level is one cell at first");
    assert!(geometry.cells.is_empty(), "a level is split but once");
    let mut parts = vec![Part::Whole(Box::new(first))];
    // Level after level of the tree, so that all cells of one are cut at once.
    let mut level = vec![0];
    for _ in 0..DEEPEST {
        if level.is_empty() {
            break;
        }
        marker.begin(Stage::Portals);
        let chosen = parallel::map(level.len(), 1, |i| match &parts[level[i]] {
            Part::Whole(cell) => choose(cell, areaportals),
            Part::Cut { .. } => None,
        });
        let mut cut = vec![];
        let mut openings: Vec<Opening> = vec![];
        for (&part, chosen) in level.iter().zip(chosen) {
            let Some((axis, at)) = chosen else { continue };
            let kids = [parts.len() + 2 * cut.len(), parts.len() + 2 * cut.len() + 1];
            let whole = std::mem::replace(&mut parts[part], Part::Cut { axis, at, kids });
            let Part::Whole(cell) = whole else { continue };
            openings.push(Opening::new(&mut geometry.planes, *cell, axis, at));
            cut.push(part);
        }
        let planes = &geometry.planes;
        let halves = parallel::map_mut(&mut openings, |opening| opening.halves(planes));
        level = (parts.len()..parts.len() + 2 * cut.len()).collect();
        parts.extend(
            halves
                .into_iter()
                .flatten()
                .map(|half| Part::Whole(Box::new(half))),
        );
        marker.end(Stage::Portals);
    }
    number(geometry, parts)
}

/// A node of the tree in the making.
enum Part {
    Whole(Box<Cell>),
    Cut {
        axis: usize,
        at: i64,
        kids: [usize; 2],
    },
}

/// Numbers nodes and cells, low sides first.
fn number(geometry: &mut Geometry, mut parts: Vec<Part>) -> KdTree {
    let mut tree = KdTree::one_cell();
    let mut open = vec![(0u32, 0)];
    while let Some((node, part)) = open.pop() {
        let whole = Part::Cut {
            axis: 0,
            at: 0,
            kids: [0; 2],
        };
        match std::mem::replace(&mut parts[part], whole) {
            Part::Whole(cell) => {
                tree.nodes[node as usize] = Node::Leaf(geometry.cells.len() as RoomId);
                geometry.push_cell(*cell);
            }
            Part::Cut {
                axis,
                at,
                kids: [low, high],
            } => {
                let kids = [tree.nodes.len() as u32, tree.nodes.len() as u32 + 1];
                tree.nodes[node as usize] = Node::Split { axis, at, kids };
                tree.nodes.extend([Node::Leaf(0); 2]);
                open.push((kids[1], high));
                open.push((kids[0], low));
            }
        }
    }
    tree
}

/// A cell about to be cut: its two halves, empty yet, and for each the box that fills the other one.
struct Opening {
    cell: Cell,
    axis: usize,
    at: i64,
    halves: [Option<(Cell, Polytope)>; 2],
}

impl Opening {
    fn new(planes: &mut Planes, cell: Cell, axis: usize, at: i64) -> Opening {
        let halves = [0usize, 1].map(|half| {
            let (mut lo, mut hi, mut shared) = (cell.lo, cell.hi, cell.shared);
            // The filled box reaches well beyond the cell, so that only its facet on the cut meets anything.
            let (mut from, mut to) = (lo.map(|x| x - 8192), hi.map(|x| x + 8192));
            if half == 0 {
                (hi[axis], shared[2 * axis + 1], from[axis]) = (at, true, at);
            } else {
                (lo[axis], shared[2 * axis], to[axis]) = (at, true, at);
            }
            let filled = Polytope::from_box(planes, from, to, Surface::Wall);
            let filled = filled.expect("a cut runs within its cell");
            Some((Cell::new(planes, lo, hi, shared), filled))
        });
        Opening {
            cell,
            axis,
            at,
            halves,
        }
    }

    /// Fills the halves with the faces; the low half comes first.
    fn halves(&mut self, planes: &Planes) -> Vec<Cell> {
        let (cell, axis, at) = (&self.cell, self.axis, steps(self.at));
        let mut near: Vec<u32> = vec![];
        let mut away = [0, 0];
        for (id, face) in cell.all() {
            if face.lo[axis] <= at && at <= face.hi[axis] {
                near.push(id);
            } else {
                away[usize::from(at < face.lo[axis])] += 1;
            }
        }
        let mut sides = parallel::map_mut(&mut self.halves, |half| {
            let (part, filled) = half.take().expect("it is taken but once");
            let change = boolean::apply(planes, &cell.sides, &cell.faces, &near, &filled, Op::Fill);
            (part, change)
        });
        for ((part, change), away) in sides.iter_mut().zip(away) {
            part.reserve(away + near.len() + change.added.len());
        }
        for (id, face, measure) in self.cell.drain() {
            if near.binary_search(&id).is_err() {
                // A face away from the cut is moved, not copied.
                let (part, _) = &mut sides[usize::from(at < face.lo[axis])];
                part.insert_measured(face, measure);
                continue;
            }
            for (part, change) in &mut sides {
                if change.removed.binary_search(&id).is_err() {
                    part.insert_measured(face.clone(), measure);
                }
            }
        }
        let whole = sides.into_iter().map(|(mut part, change)| {
            for face in change.added {
                part.insert(face);
            }
            part
        });
        whole.collect()
    }
}

/// The middle of an areaportal across its thinnest axis, else the cheapest cut if it is good enough.
fn choose(cell: &Cell, areaportals: &[[I64Vec3; 2]]) -> Option<(usize, i64)> {
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
    let whole = cell.volume() * GRID.powi(3);
    let least = if is_crowded {
        LEAST_AIR * 0.25
    } else {
        LEAST_AIR
    };
    // The cheapest cut across an axis.
    let cheapest = |(axis, coordinates): &mut (usize, Vec<i64>)| {
        let axis = *axis;
        let mut best: Option<(f64, usize, i64)> = None;
        let cuts = cuts(cell, axis, coordinates);
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
        best
    };
    let mut axes: Vec<_> = (0..3).zip(coordinates(cell)).collect();
    let found = parallel::map_mut(&mut axes, cheapest).into_iter().flatten();
    let best = found.reduce(|a, b| if b.0 < a.0 { b } else { a });
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

/// The coordinates of all corners along each axis, half steps, in no order. A coordinate that is the one before it, as most
/// are, is left out.
fn coordinates(cell: &Cell) -> [Vec<i64>; 3] {
    let mut all = [vec![], vec![], vec![]];
    for (face, measure) in cell.measured() {
        for (axis, along) in all.iter_mut().enumerate() {
            let mut add = |x: i64| {
                if along.last() != Some(&x) {
                    along.push(x);
                }
            };
            // Most faces are rectangles, whose corners need not be looked up.
            if measure.at_box_corners {
                ends(face, axis).into_iter().for_each(&mut add);
            } else {
                points(face).for_each(|p| add((p[axis] * 2.0) as i64));
            }
        }
    }
    all
}

/// Odd half steps midway between the coordinates of corners, so that no grid point lies on a cut.
fn cuts(cell: &Cell, axis: usize, at: &mut Vec<i64>) -> Vec<i64> {
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

/// Makes faces of stuff share their corners across all cells.
pub(super) fn conform_all(geometry: &mut Geometry) {
    let everything = ConformBox {
        lo: DVec3::splat(-f64::MAX),
        hi: DVec3::splat(f64::MAX),
        plane: None,
    };
    let cells: Vec<RoomId> = (0..geometry.cells.len() as RoomId).collect();
    let (ids, faces) = geometry.stuff_at(&cells, everything.lo, everything.hi);
    for (i, face) in conform(&geometry.planes, &faces, &everything) {
        let (cell, id) = ids[i];
        geometry.remove_face((cell, id), |_| ());
        geometry.build_face(cell, face);
    }
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
        for (axis, mut coordinates) in (0..3).zip(coordinates(&cell)) {
            let cuts = cuts(&cell, axis, &mut coordinates);
            for (&at, cross_section) in cuts.iter().zip(cross_sections(&cell, axis, &cuts)) {
                let planes = &mut world.geometry.planes;
                let mut opening = Opening::new(planes, cell.clone(), axis, at);
                let [low, high] = &opening.halves(planes)[..] else {
                    panic!("two halves");
                };
                let below = cross_section.below / GRID.powi(3);
                assert!((below - low.volume()).abs() < 1e-6, "{axis} {at}: {below}");
                let of_wall = |cell: &Cell, side| {
                    let faces = cell.wall(side).map(|(_, face)| face.area_vector().length());
                    faces.sum::<f64>()
                };
                let (area, open) = (cross_section.area, of_wall(low, 2 * axis + 1));
                assert!(
                    (area - open).abs() < 1e-9 * area.max(GRID * GRID),
                    "{axis} {at}"
                );
                assert!((open - of_wall(high, 2 * axis)).abs() < 1e-9 * open.max(1.0));
            }
        }
    }

    #[test]
    fn coordinates_are_those_of_all_corners() {
        for uneven in [0, M / 2] {
            let mut world = hall(uneven);
            let cell = world.geometry.cells[0].clone().take();
            let at = ((cell.lo[0] + cell.hi[0]) / 2) | 1;
            let mut opening = Opening::new(&mut world.geometry.planes, cell.clone(), 0, at);
            let mut cells = opening.halves(&world.geometry.planes);
            cells.push(cell);
            for cell in &cells {
                for (axis, mut found) in (0..3).zip(coordinates(cell)) {
                    let corners = cell.all().flat_map(|(_, face)| points(face));
                    let mut all: Vec<i64> = corners.map(|p| (p[axis] * 2.0) as i64).collect();
                    for list in [&mut found, &mut all] {
                        list.sort_unstable();
                        list.dedup();
                    }
                    assert_eq!(found, all, "{uneven} {axis}");
                }
            }
        }
    }

    #[test]
    fn an_uneven_wall_is_no_passage() {
        // The plane through the middle of an uneven wall crosses little air, but there is nothing behind it.
        assert_eq!(hall(M / 16).geometry.cells.len(), 1);
    }
}
