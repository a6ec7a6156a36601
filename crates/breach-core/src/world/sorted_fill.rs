//! Fills the one cell of a new level with its brushes.
//!
//! The brushes of a large level are sorted into plots, small cells of a kd-tree. Each plot is filled by itself, and then
//! faces are joined across the planes between plots. So a plane that runs through the whole level is no single face while
//! brush after brush cuts it, and the time grows with the number of brushes, not with its square. The faces are those of
//! filling the one cell brush by brush, since a face is a maximal piece of a plane with one surface either way; only their
//! order differs.
use super::cell::{Cell, inside_out, steps};
use super::geometry::Geometry;
use super::one_cell;
use crate::carve::boolean;
use crate::carve::face::Face;
use crate::carve::loops::{Edge, cancel_opposite_edges, face_edges, faces_from_edges};
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::{BrushDesc, MaterialId, Op};
use crate::exact::{Facing, PlaneId, Planes, side};
use crate::geom::disjoint_sets::DisjointSets;
use crate::geom::parallel;
use crate::stage::{Marker, Stage};
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Levels of more brushes are sorted, and those in which more brushes have a side in one plane. Smaller ones are filled brush by
/// brush: the order of their faces, on which the last digits of what falls in them depend, is as it has always been.
const MOST_BRUSHES: usize = 8_000;
const MOST_ON_A_PLANE: usize = 500;

/// A plot of so many brushes is not cut.
const FEW: usize = 16;

/// A cut must leave each side at most this fraction of the brushes.
const MOST_OF_ALL: f64 = 0.8;

/// Fills the one cell with solids. `batch` of them are filled between two time marks.
pub(super) fn fill(
    geometry: &mut Geometry,
    solids: &[BrushDesc],
    batch: usize,
    marker: &mut dyn Marker,
) {
    let polytopes = one_cell::polytopes(geometry, solids);
    if is_large(&polytopes) {
        fill_in_plots(geometry, &polytopes, FEW, batch, marker);
        return;
    }
    for polytopes in polytopes.chunks(batch) {
        marker.begin(Stage::Clip);
        one_cell::stamp_polytopes(geometry, Op::Fill, polytopes);
        marker.end(Stage::Clip);
    }
}

fn is_large(polytopes: &[Polytope]) -> bool {
    let mut on_planes: FxHashMap<PlaneId, usize> = FxHashMap::default();
    for facet in polytopes.iter().flat_map(|polytope| &polytope.facets) {
        *on_planes.entry(facet.plane.plane).or_default() += 1;
    }
    let most = on_planes.into_values().max().unwrap_or(0);
    polytopes.len() > MOST_BRUSHES || most > MOST_ON_A_PLANE
}

/// Fills the one cell in plots of `few` brushes.
fn fill_in_plots(
    geometry: &mut Geometry,
    polytopes: &[Polytope],
    few: usize,
    batch: usize,
    marker: &mut dyn Marker,
) {
    let plots = sort(geometry, polytopes, few);
    let marks = polytopes.len().div_ceil(batch).max(1);
    let mut cells: Vec<Cell> = Vec::with_capacity(plots.len());
    for mark in 0..marks {
        marker.begin(Stage::Clip);
        let (from, to) = (cells.len(), plots.len() * (mark + 1) / marks);
        let filled = parallel::map(to - from, 1, |i| {
            let plot = &plots[from + i];
            plot.fill(&geometry.planes, geometry.bedrock, polytopes)
        });
        cells.extend(filled);
        marker.end(Stage::Clip);
    }
    join(geometry, cells);
}

/// A plot to be filled: its box, half steps, and its brushes.
struct Plot {
    lo: [i64; 3],
    hi: [i64; 3],
    /// Whether a side is shared with another plot; the others lie on the bounds.
    shared: [bool; 6],
    sides: [Facing; 6],
    /// The air in it; none where the level begins as solid.
    air: Option<Polytope>,
    /// Indices of the brushes that touch it, rising.
    brushes: Vec<u32>,
}

/// Sorts the brushes into plots. Planes between plots are at odd half steps, so that no grid point lies on one.
fn sort(geometry: &mut Geometry, polytopes: &[Polytope], few: usize) -> Vec<Plot> {
    let boxes: Vec<(DVec3, DVec3)> = polytopes.iter().map(Polytope::bounds).collect();
    let cell = &geometry.cells[0];
    let is_air = cell.all().next().is_some();
    let all: Vec<u32> = (0..polytopes.len() as u32).collect();
    let mut open = vec![(cell.lo, cell.hi, [false; 6], all)];
    let mut plots = vec![];
    while let Some((lo, hi, shared, brushes)) = open.pop() {
        if let Some((axis, at)) = choose(lo, hi, &boxes, &brushes, few) {
            let x = steps(at);
            let of = |is_in: &dyn Fn(&(DVec3, DVec3)) -> bool| {
                let here = brushes.iter().copied();
                here.filter(|&i| is_in(&boxes[i as usize])).collect()
            };
            let (low, high) = (of(&|b| b.0[axis] <= x), of(&|b| b.1[axis] >= x));
            let (mut low_hi, mut low_shared) = (hi, shared);
            (low_hi[axis], low_shared[2 * axis + 1]) = (at, true);
            let (mut high_lo, mut high_shared) = (lo, shared);
            (high_lo[axis], high_shared[2 * axis]) = (at, true);
            open.push((high_lo, hi, high_shared, high));
            open.push((lo, low_hi, low_shared, low));
            continue;
        }
        let planes = &mut geometry.planes;
        let air = match is_air {
            true => Polytope::from_box(planes, lo, hi, Surface::Wall),
            false => None,
        };
        let sides = std::array::from_fn(|side| match side % 2 {
            0 => planes.axis(side / 2, lo[side / 2]).opposite(),
            _ => planes.axis(side / 2, hi[side / 2]),
        });
        plots.push(Plot {
            lo,
            hi,
            shared,
            sides,
            air,
            brushes,
        });
    }
    plots
}

/// The plane that leaves the fewest brushes on its fuller side, if it is worth a cut.
fn choose(
    lo: [i64; 3],
    hi: [i64; 3],
    boxes: &[(DVec3, DVec3)],
    brushes: &[u32],
    few: usize,
) -> Option<(usize, i64)> {
    if brushes.len() <= few {
        return None;
    }
    let mut best: Option<(usize, usize, usize, i64)> = None;
    for axis in 0..3 {
        let ends = |end: fn(&(DVec3, DVec3)) -> DVec3| {
            let mut list: Vec<f64> = brushes
                .iter()
                .map(|&i| end(&boxes[i as usize])[axis])
                .collect();
            list.sort_unstable_by(f64::total_cmp);
            list
        };
        let (lows, highs) = (ends(|b| b.0), ends(|b| b.1));
        for eighth in 3..=5 {
            let at = (2.0 * lows[lows.len() * eighth / 8]) as i64;
            // Just below where a brush begins, so that the plane does not cut this one.
            let at = (at - 1) | 1;
            if at <= lo[axis] || hi[axis] <= at {
                continue;
            }
            let low = lows.partition_point(|&x| x <= steps(at));
            let high = highs.len() - highs.partition_point(|&x| x < steps(at));
            let rank = (low.max(high), low + high, axis, at);
            best = Some(best.map_or(rank, |best| best.min(rank)));
        }
    }
    let (fuller, _, axis, at) = best?;
    (fuller as f64 <= MOST_OF_ALL * brushes.len() as f64).then_some((axis, at))
}

impl Plot {
    /// The plot as a cell with its brushes filled.
    fn fill(&self, planes: &Planes, bedrock: [MaterialId; 3], polytopes: &[Polytope]) -> Cell {
        let mut cell = Cell::with_sides(self.lo, self.hi, self.sides, self.shared);
        for mut face in self.air.iter().flat_map(|air| inside_out(planes, air)) {
            let side = self.sides.iter().position(|s| s.plane == face.plane.plane);
            let side = side.expect("a face of the box lies on one of its sides");
            if !self.shared[side] {
                face.surface = Surface::Stuff(bedrock[side / 2]);
            }
            cell.insert(face);
        }
        for &i in &self.brushes {
            let Some(part) = cell.clip(planes, &polytopes[i as usize], bedrock) else {
                continue;
            };
            let (lo, hi) = part.bounds();
            let near: Vec<u32> = cell.near(lo, hi).map(|(id, _)| id).collect();
            let change = boolean::apply(planes, &cell.sides, &cell.faces, &near, &part, Op::Fill);
            for id in change.removed {
                cell.remove(id);
            }
            for face in change.added {
                cell.insert(face);
            }
        }
        cell
    }
}

/// Puts the faces of filled plots into the one cell, those that a plane between plots cut as one again.
fn join(geometry: &mut Geometry, plots: Vec<Cell>) {
    let cell = &mut geometry.cells[0];
    let old: Vec<u32> = cell.all().map(|(id, _)| id).collect();
    for id in old {
        geometry.remove_face((0, id), |_| ());
    }
    let mut cut: BTreeMap<(PlaneId, bool, MaterialId), Vec<CutFace>> = BTreeMap::new();
    let mut whole = vec![];
    for mut plot in plots {
        let faces = std::mem::take(&mut plot.faces);
        for face in faces.into_iter().flatten() {
            let Surface::Stuff(material) = face.surface else {
                continue;
            };
            let borders: Vec<PlaneId> = (0..6)
                .filter(|&side| plot.shared[side] && is_at(&face, &plot, side))
                .map(|side| plot.sides[side].plane)
                .collect();
            if borders.is_empty() {
                whole.push(face);
                continue;
            }
            let group = cut.entry((face.plane.plane, face.plane.flip, material));
            group.or_default().push(CutFace { face, borders });
        }
    }
    let groups: Vec<Vec<CutFace>> = cut.into_values().collect();
    let joined = parallel::map(groups.len(), 1, |i| {
        join_plane(&geometry.planes, &groups[i])
    });
    for face in whole.into_iter().chain(joined.into_iter().flatten()) {
        geometry.build_face(0, face);
    }
}

/// A face that may have an edge on the planes between plots.
struct CutFace {
    face: Face,
    borders: Vec<PlaneId>,
}

/// Whether a face reaches a side of its cell.
fn is_at(face: &Face, cell: &Cell, side: usize) -> bool {
    let axis = side / 2;
    match side % 2 {
        0 => face.lo[axis] <= steps(cell.lo[axis]),
        _ => face.hi[axis] >= steps(cell.hi[axis]),
    }
}

/// Joins faces of one plane and surface where they meet at planes between plots.
fn join_plane(planes: &Planes, faces: &[CutFace]) -> Vec<Face> {
    let (plane, surface) = (faces[0].face.plane, faces[0].face.surface);
    let mut borders: Vec<PlaneId> = faces.iter().flat_map(|cut| cut.borders.clone()).collect();
    borders.sort_unstable();
    borders.dedup();
    // Borders that meet the plane in one line.
    let mut lines = DisjointSets::new(borders.len());
    let mut on_borders: Vec<(u32, Edge, u32)> = vec![];
    let mut groups = DisjointSets::new(faces.len());
    let mut rest: Vec<(Edge, u32)> = vec![];
    for (i, CutFace { face, borders: own }) in (0..).zip(faces) {
        for edge in face_edges(face) {
            let is_on = |&&border: &&PlaneId| {
                side(planes, &edge.from, border) == 0 && side(planes, &edge.to, border) == 0
            };
            let number = |border| borders.binary_search(border).expect("it is listed") as u32;
            let mut on = own.iter().filter(is_on).map(number);
            let Some(first) = on.next() else {
                rest.push((edge, i));
                continue;
            };
            on.for_each(|other| lines.join(first, other));
            on_borders.push((first, edge, i));
        }
    }
    let mut by_line: BTreeMap<u32, Vec<(Edge, u32)>> = BTreeMap::new();
    for (border, edge, i) in on_borders {
        let edges = by_line.entry(lines.find(border)).or_default();
        edges.push((edge, i));
    }
    for mut edges in by_line.into_values() {
        // All on one line. Runs that overlap or touch on it belong together.
        let extent = |edge: &Edge| (edge.from.at - edge.to.at).abs();
        let axis = edges
            .iter()
            .map(|(edge, _)| extent(edge))
            .fold(DVec3::ZERO, DVec3::max)
            .max_position();
        let low = |edge: &Edge| edge.from.at[axis].min(edge.to.at[axis]);
        let high = |edge: &Edge| edge.from.at[axis].max(edge.to.at[axis]);
        edges.sort_by(|a, b| low(&a.0).total_cmp(&low(&b.0)));
        let mut from = 0;
        while from < edges.len() {
            let (mut to, mut end) = (from + 1, high(&edges[from].0));
            while let Some((edge, i)) = edges.get(to)
                && low(edge) <= end
            {
                groups.join(edges[from].1, *i);
                end = end.max(high(edge));
                to += 1;
            }
            let run: Vec<Edge> = edges[from..to].iter().map(|(edge, _)| *edge).collect();
            let left = cancel_opposite_edges(planes, plane.plane, &run, run.len());
            rest.extend(left.into_iter().map(|edge| (edge, edges[from].1)));
            from = to;
        }
    }
    let mut by_group: BTreeMap<u32, Vec<Edge>> = BTreeMap::new();
    for (edge, i) in rest {
        by_group.entry(groups.find(i)).or_default().push(edge);
    }
    let made = by_group
        .into_values()
        .flat_map(|edges| faces_from_edges(planes, plane, surface, &edges, true));
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::super::description::Operation;
    use super::super::split;
    use super::*;
    use crate::carve::shape;
    use crate::geom::rng::Rng;
    use crate::stage::Silent;
    use crate::world::Material;
    use glam::I64Vec3;

    const M: i64 = 16384;

    /// Boxes on a coarse raster, so that many share planes, edges and corners; hulls of some of their corners; and wedges
    /// of 45°, whose slopes pass through the lines in which planes between plots meet.
    fn solids(rng: &mut Rng, count: usize) -> Vec<BrushDesc> {
        let at = |rng: &mut Rng, most: f64| {
            let mut axis = || rng.range(0.0, most) as i64 * M / 2;
            I64Vec3::new(axis(), axis(), axis())
        };
        let mut list = vec![];
        while list.len() < count {
            let (from, size) = (at(rng, 36.0), at(rng, 9.0) + I64Vec3::splat(M / 2));
            let material = rng.below(2) as u32;
            let corner = |i: i64| from + size * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2);
            let mut points: Vec<I64Vec3> = (0..8).map(corner).collect();
            match rng.below(3) {
                0 => points.retain(|_| rng.below(4) > 0),
                1 => {
                    let size = I64Vec3::splat(size.max_element());
                    let is_in = |i: &i64| i & 0b101 != 0b001;
                    let corner = |i: i64| from + size * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2);
                    points = (0..8).filter(is_in).map(corner).collect();
                }
                _ => (),
            }
            // Too few corners, or all in one plane, are no solid.
            list.extend(shape::hull(&points, material));
        }
        list
    }

    fn blank() -> Geometry {
        let material = |texture: &str| Material {
            texture: texture.into(),
            ..Material::default()
        };
        let bounds = [I64Vec3::ZERO, I64Vec3::splat(20 * M)];
        let (geometry, _) = one_cell::void(bounds, vec![material("a"), material("b")])
            .expect("bounds that are a box");
        geometry
    }

    /// The faces as hashes of their corners and materials, sorted.
    fn faces(mut geometry: Geometry) -> Vec<(u64, String)> {
        split::conform_all(&mut geometry);
        one_cell::split_where_touched(&mut geometry);
        let faces = geometry.cells[0].stuff();
        let mut list: Vec<_> = faces
            .map(|(_, face)| (face.key, format!("{:?}", face.surface)))
            .collect();
        list.sort_unstable();
        list
    }

    #[test]
    fn faces_are_those_of_filling_one_cell_brush_by_brush() {
        let mut most_plots = 0;
        for seed in 0..100 {
            let mut rng = Rng::new(seed);
            let count = 3 + rng.below(60) as usize;
            let solids = solids(&mut rng, count);
            let mut one = blank();
            let fill = Operation {
                op: Op::Fill,
                brushes: solids.clone(),
            };
            one_cell::stamp_all(&mut one, &fill);
            let one = faces(one);
            for few in [1, 3, 16] {
                let mut sorted = blank();
                let polytopes = one_cell::polytopes(&mut sorted, &solids);
                fill_in_plots(&mut sorted, &polytopes, few, 7, &mut Silent);
                most_plots = most_plots.max(sort(&mut blank(), &polytopes, few).len());
                assert!(faces(sorted) == one, "seed {seed}, plots of {few}");
            }
        }
        assert!(most_plots > 20, "{most_plots} plots at most");
    }
}
