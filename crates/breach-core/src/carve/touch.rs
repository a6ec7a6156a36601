//! Splitting faces where solid touches them along an edge.
//!
//! Air connects through area only. Where the ridge of a wall touches a ceiling inside one of its faces, the air on the two
//! sides of the ridge is separate, although one face bounds both. Such a face is cut along the ridge, which then is an
//! edge of four faces like any other. A ridge that ends inside the face, with air around its end, cuts nothing. A face
//! whose outline passes through one point twice is cut there if nothing else connects it.
use super::edge_tree::EdgeTree;
use super::face::Face;
use super::loops::{Edge, face_edges, faces_from_edges, position_key};
use super::section::{EdgeClassification, classify_edge, intersection_line};
use crate::exact::{Facing, Line, Planes, Point, equal, side};
use crate::geom::parallel;
use crate::geom::ring;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// The faces that split: (index, parts), rising. `faces` bound all air and share their corners. Afterwards they may have to
/// be conformed again, where a touching edge extends beyond a face's outline.
pub fn split_faces(planes: &Planes, faces: &[&Face]) -> Vec<(usize, Vec<Face>)> {
    let everywhere = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    let list = edges_in_box(faces.iter().copied(), everywhere);
    let index = EdgeIndex::new(&list);
    let part = |i: usize| {
        let face = faces[i];
        let slits = slits(planes, face, &index);
        let may_split = !slits.is_empty() || touches_itself(face);
        let parts = may_split.then(|| cut_along_slits(planes, face, slits))?;
        (parts.len() > 1).then_some((i, parts))
    };
    let found = parallel::map(faces.len(), 1, part);
    found.into_iter().flatten().collect()
}

/// Where edges of a solid touch the interior of other faces, in a box: the ends of each contact.
pub fn edge_contacts(
    planes: &Planes,
    solid: &[&Face],
    others: &[&Face],
    within: (DVec3, DVec3),
) -> Vec<[DVec3; 2]> {
    let list = edges_in_box(solid.iter().copied(), within);
    let index = EdgeIndex::new(&list);
    let slits = others.iter().flat_map(|f| slits(planes, f, &index));
    slits.map(|e| [e.from.at, e.to.at]).collect()
}

/// An edge of a face, with the face's plane.
#[derive(Clone, Copy)]
struct FaceEdge<'a> {
    from: &'a Point,
    to: &'a Point,
    plane: Facing,
}

impl FaceEdge<'_> {
    /// Its box.
    fn bounds(&self) -> (DVec3, DVec3) {
        let (from, to) = (self.from.at, self.to.at);
        (from.min(to), from.max(to))
    }

    fn touches(&self, lo: DVec3, hi: DVec3) -> bool {
        let (a, b) = self.bounds();
        a.cmple(hi).all() && b.cmpge(lo).all()
    }
}

/// The edges of faces in a box, in one of their two directions: a solid that touches has two faces at each edge.
fn edges_in_box<'a>(
    faces: impl Iterator<Item = &'a Face>,
    (lo, hi): (DVec3, DVec3),
) -> Vec<FaceEdge<'a>> {
    let of_face = |face: &'a Face| {
        let ends = face.loops.iter().flat_map(|l| ring::pairs(l));
        ends.map(|(from, to)| FaceEdge {
            from: &from.point,
            to: &to.point,
            plane: face.plane,
        })
    };
    faces
        .flat_map(of_face)
        .filter(|s| position_key(s.from) < position_key(s.to) && s.touches(lo, hi))
        .collect()
}

/// Where edges of solid touch a face from the air: each interval as two opposite edges.
fn slits(planes: &Planes, face: &Face, index: &EdgeIndex) -> Vec<Edge> {
    let mut slits: Vec<Edge> = Vec::new();
    let outline = Outline::new(face);
    let is_on = |p: &Point| side(planes, p, face.plane.plane) == 0;
    let touches = |s: &FaceEdge| s.plane.plane != face.plane.plane && is_on(s.from) && is_on(s.to);
    for s in index.near(face.lo, face.hi, touches) {
        // In front of the face, the edge of a solid has its own face on the left.
        let stored = Line::new(planes, (face.plane.plane, s.plane.plane));
        let runs_along = stored.cmp(planes, s.from, s.to) == Ordering::Less;
        if runs_along != (face.plane.flip == s.plane.flip) || outline.is_rim(planes, s) {
            continue;
        }
        let line = intersection_line(planes, face.plane, s.plane);
        let EdgeClassification { outer, inner, .. } =
            classify_edge(planes, face, s.plane, s.from, s.to);
        for (a, b) in &outer {
            for (c, d) in &inner {
                let from = if line.cmp(planes, a, c).is_lt() { c } else { a };
                let to = if line.cmp(planes, b, d).is_lt() { b } else { d };
                let is_new = || {
                    let ends = |e: &Edge| (position_key(&e.from), position_key(&e.to));
                    slits
                        .iter()
                        .all(|e| ends(e) != (position_key(from), position_key(to)))
                };
                if line.cmp(planes, from, to).is_lt() && is_new() {
                    let edge = |from, to| Edge {
                        from,
                        to,
                        line: s.plane.plane,
                    };
                    slits.extend([edge(*from, *to), edge(*to, *from)]);
                }
            }
        }
    }
    slits
}

/// A face of at least so many corners has its edges sorted.
const MANY_CORNERS: usize = 48;

/// The edges of a large face, found by their ends: of those that a solid has on it, nearly all are its own.
struct Outline<'a> {
    edges: FxHashMap<EndKeys, SmallVec<[Ends<'a>; 1]>>,
}

type Ends<'a> = [&'a Point; 2];
type EndKeys = [[u64; 3]; 2];

impl<'a> Outline<'a> {
    fn new(face: &'a Face) -> Outline<'a> {
        let mut edges = FxHashMap::<EndKeys, SmallVec<[Ends<'a>; 1]>>::default();
        if face.loops.iter().map(Vec::len).sum::<usize>() >= MANY_CORNERS {
            for (from, to) in face.loops.iter().flat_map(|l| ring::pairs(l)) {
                let ends = [&from.point, &to.point];
                edges.entry(keys(ends)).or_default().push(ends);
            }
        }
        Outline { edges }
    }

    /// Whether an edge is known to be one of the outline that has the face on one side alone: in one direction and once.
    fn is_rim(&self, planes: &Planes, edge: &FaceEdge) -> bool {
        let ends = [edge.from, edge.to];
        let back = [edge.to, edge.from];
        let find = |ends: Ends| self.edges.get(&keys(ends)).map_or(&[][..], |found| found);
        let is = |found: &[Ends], ends: Ends| {
            found.len() == 1 && (0..2).all(|k| equal(planes, found[0][k], ends[k]))
        };
        let (along, against) = (find(ends), find(back));
        is(along, ends) && against.is_empty() || along.is_empty() && is(against, back)
    }
}

fn keys(ends: Ends) -> EndKeys {
    ends.map(position_key)
}

/// Whether the outline passes through one point twice.
fn touches_itself(face: &Face) -> bool {
    let mut seen = FxHashSet::default();
    !face_edges(face).all(|e| seen.insert(position_key(&e.from)))
}

/// The face, cut along the slits that have different parts on their two sides.
fn cut_along_slits(planes: &Planes, face: &Face, slits: Vec<Edge>) -> Vec<Face> {
    let made = |edges: &[Edge], touching| {
        let mut list = faces_from_edges(planes, face.plane, face.surface, edges, touching);
        list.iter_mut().for_each(|f| f.piece = face.piece);
        list
    };
    let all: Vec<Edge> = face_edges(face).chain(slits).collect();
    let whole = made(&all, true);
    let mut parts = Vec::with_capacity(whole.len());
    for part in whole {
        let rim = outline(planes, &part);
        if rim.len() == face_edges(&part).count() {
            parts.push(part);
        } else {
            parts.extend(made(&rim, false));
        }
    }
    parts
}

/// The edges of a face without pairs of opposite edges. Of an edge that occurs twice and once in reverse (a slit along the
/// outline makes such), one stays. Ends are compared exactly: both ends of a very short edge may have one position, and it
/// must not cancel itself.
fn outline(planes: &Planes, face: &Face) -> Vec<Edge> {
    let list: Vec<Edge> = face_edges(face).collect();
    let mut by_ends: FxHashMap<_, SmallVec<[usize; 2]>> = FxHashMap::default();
    for (i, e) in list.iter().enumerate() {
        let ends = (position_key(&e.from), position_key(&e.to));
        by_ends.entry(ends).or_default().push(i);
    }
    let mut is_gone = vec![false; list.len()];
    for (i, e) in list.iter().enumerate() {
        let Some(back) = by_ends.get(&(position_key(&e.to), position_key(&e.from))) else {
            continue;
        };
        let is_back = |&&j: &&usize| {
            let other = &list[j];
            !is_gone[i]
                && !is_gone[j]
                && equal(planes, &other.from, &e.to)
                && equal(planes, &other.to, &e.from)
        };
        if let Some(&j) = back.iter().find(is_back) {
            (is_gone[i], is_gone[j]) = (true, true);
        }
    }
    let left = list.into_iter().zip(is_gone);
    left.filter(|(_, is_gone)| !is_gone)
        .map(|(e, _)| e)
        .collect()
}

/// Most slabs across each axis.
const SLABS: usize = 1024;
/// Least edges for each slab.
const EDGES_A_SLAB: usize = 8;

/// The edges of a solid, found by place.
struct EdgeIndex<'a> {
    edges: &'a [FaceEdge<'a>],
    tree: EdgeTree,
    /// Number of slabs across each axis, by which edges found are ordered. A slab is no thinner than the average edge.
    counts: [usize; 3],
    lo: DVec3,
    /// Slabs per step.
    scale: DVec3,
}

impl<'a> EdgeIndex<'a> {
    fn new(edges: &'a [FaceEdge<'a>]) -> EdgeIndex<'a> {
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY, DVec3::ZERO);
        let (lo, hi, lengths) = edges.iter().fold(none, |(lo, hi, lengths), s| {
            let (a, b) = s.bounds();
            (lo.min(a), hi.max(b), lengths + (b - a))
        });
        let size = (hi - lo).max(DVec3::ONE);
        let most = (edges.len() / EDGES_A_SLAB).clamp(1, SLABS);
        let lengths_in_all = size * edges.len() as f64 / lengths.max(DVec3::ONE);
        let counts = [0, 1, 2].map(|axis| (lengths_in_all[axis] as usize).clamp(1, most));
        EdgeIndex {
            edges,
            tree: EdgeTree::new(edges.len(), |i| edges[i].bounds()),
            counts,
            lo,
            scale: DVec3::from_array(counts.map(|count| count as f64)) / size,
        }
    }

    /// The slabs across an axis that a box reaches into.
    fn slabs(&self, axis: usize, lo: DVec3, hi: DVec3) -> [usize; 2] {
        [lo, hi].map(|x| {
            let slab = ((x[axis] - self.lo[axis]) * self.scale[axis]).max(0.0) as usize;
            slab.min(self.counts[axis] - 1)
        })
    }

    /// Those of the edges whose boxes touch the box `lo..hi` for which `is_wanted`, each once: by slab across the axis along
    /// which the box is thinnest, and by number in each. The order of slits, and so that of faces, follows from it.
    fn near(
        &self,
        lo: DVec3,
        hi: DVec3,
        is_wanted: impl Fn(&FaceEdge) -> bool,
    ) -> impl Iterator<Item = &'a FaceEdge<'a>> {
        let ranges = [0, 1, 2].map(|axis| self.slabs(axis, lo, hi));
        // Fraction of all slabs.
        let part = |k: usize| (ranges[k][1] - ranges[k][0] + 1) as f64 / self.counts[k] as f64;
        let thinnest = (0..3).min_by(|&a, &b| part(a).total_cmp(&part(b)));
        let axis = thinnest.expect("three axes");
        let mut found: Vec<(usize, u32)> = vec![];
        self.tree.near(lo, hi, |i| {
            let edge = &self.edges[i as usize];
            if edge.touches(lo, hi) && is_wanted(edge) {
                let (a, b) = edge.bounds();
                let slab = self.slabs(axis, a, b)[0].max(ranges[axis][0]);
                found.push((slab, i));
            }
        });
        found.sort_unstable();
        found.into_iter().map(|(_, i)| &self.edges[i as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::conform::conform_in_place;
    use super::super::face::Corner;
    use super::super::hull::hull_brush;
    use super::super::polytope::Polytope;
    use super::*;
    use crate::exact::meet;
    use glam::I64Vec3;

    /// Faces of convex solids that only touch.
    fn solids(planes: &mut Planes, hulls: &[&[[i64; 3]]]) -> Vec<Face> {
        let mut faces = Vec::new();
        for points in hulls {
            let points: Vec<I64Vec3> = points.iter().map(|&p| I64Vec3::from_array(p)).collect();
            let brush = hull_brush(&points, 0).expect("a brush");
            let p = Polytope::from_brush(planes, &brush).expect("a polytope");
            for f in &p.facets {
                let corner = |k: usize| Corner {
                    point: p.corners[f.corners[k] as usize],
                    line: p.facets[f.across[k] as usize].plane.plane,
                };
                let l = (0..f.corners.len()).map(corner).collect();
                faces.push(Face::new(planes, f.plane, f.surface, vec![l]));
            }
        }
        conform_in_place(planes, &mut faces, DVec3::splat(-1e9), DVec3::splat(1e9));
        faces
    }

    const CEILING: [[i64; 3]; 8] = [
        [0, 80, 0],
        [160, 80, 0],
        [0, 80, 160],
        [160, 80, 160],
        [0, 90, 0],
        [160, 90, 0],
        [0, 90, 160],
        [160, 90, 160],
    ];

    /// A wall along z from `from` to `to` that ends in a ridge under the ceiling at x = 70.
    fn wall(from: i64, to: i64) -> Vec<[i64; 3]> {
        let end = |z| [[60, 0, z], [80, 0, z], [70, 80, z]];
        [end(from), end(to)].concat()
    }

    /// Areas of the parts of the faces that come apart.
    fn areas(planes: &Planes, faces: &[Face]) -> Vec<Vec<f64>> {
        let parts = |s: (usize, Vec<Face>)| {
            let mut areas: Vec<f64> = s.1.iter().map(|f| f.area_vector().length()).collect();
            areas.sort_by(f64::total_cmp);
            areas
        };
        let all: Vec<&Face> = faces.iter().collect();
        split_faces(planes, &all).into_iter().map(parts).collect()
    }

    #[test]
    fn a_ridge_across_a_ceiling_cuts_it_whether_it_ends_at_the_rim_or_beyond() {
        for (from, to) in [(0, 160), (-10, 160), (-10, 170)] {
            let mut planes = Planes::default();
            let faces = solids(&mut planes, &[&CEILING, &wall(from, to)]);
            assert_eq!(areas(&planes, &faces), [[70.0 * 160.0, 90.0 * 160.0]]);
        }
    }

    #[test]
    fn a_ridge_that_ends_under_a_ceiling_cuts_nothing() {
        for (from, to) in [(0, 150), (10, 160), (10, 150), (-10, 150)] {
            let mut planes = Planes::default();
            let faces = solids(&mut planes, &[&CEILING, &wall(from, to)]);
            assert!(areas(&planes, &faces).is_empty());
        }
    }

    #[test]
    fn a_ring_of_ridges_cuts_out_its_inside_and_nothing_of_what_hangs_on_it() {
        let mut planes = Planes::default();
        // Around 40..120 by 70..130; the first two ridges run on.
        let along_z = |x, from, to| {
            let end = |z| [[x - 5, 0, z], [x + 5, 0, z], [x, 80, z]];
            [end(from), end(to)].concat()
        };
        let along_x = |z| {
            let end = |x| [[x, 0, z - 5], [x, 0, z + 5], [x, 80, z]];
            [end(40), end(120)].concat()
        };
        let walls = [
            along_z(40, 20, 150),
            along_z(120, 70, 140),
            along_x(70),
            along_x(130),
        ];
        let faces = solids(
            &mut planes,
            &[&CEILING, &walls[0], &walls[1], &walls[2], &walls[3]],
        );
        let (inside, whole) = (80.0 * 60.0, 160.0 * 160.0);
        assert_eq!(areas(&planes, &faces), [[inside, whole - inside]]);
        let all: Vec<&Face> = faces.iter().collect();
        let parts = &split_faces(&planes, &all)[0].1;
        let mut corners: Vec<Vec<usize>> = parts
            .iter()
            .map(|f| f.loops.iter().map(Vec::len).collect())
            .collect();
        corners.sort();
        assert_eq!(corners, [vec![4], vec![4, 4]]);
    }

    #[test]
    fn a_face_that_hangs_together_at_a_point_alone_comes_apart() {
        let mut planes = Planes::default();
        let boxed = |x: i64, z: i64, size: i64| {
            [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
                let at = |bit: i64| size * (i >> bit & 1);
                [x + at(0), at(1), z + at(2)]
            })
        };
        // The tops of two boxes that share an upright edge, as one loop through its upper end.
        let mut faces = solids(&mut planes, &[&boxed(0, 0, 8), &boxed(8, 8, 8)]);
        let is_top = |f: &Face| planes.normal(f.plane).y > 0.0;
        let tops: Vec<usize> = (0..faces.len()).filter(|&i| is_top(&faces[i])).collect();
        let turned = |f: &Face| {
            let l = &f.loops[0];
            let shared = DVec3::splat(8.0);
            let k = l.iter().position(|c| c.point.at == shared);
            let k = k.expect("the shared corner");
            [&l[k..], &l[..k]].concat()
        };
        let both = [turned(&faces[tops[0]]), turned(&faces[tops[1]])].concat();
        let (plane, surface) = (faces[tops[0]].plane, faces[tops[0]].surface);
        faces.remove(tops[1]);
        faces[tops[0]] = Face::new(&planes, plane, surface, vec![both]);
        assert_eq!(areas(&planes, &faces), [[64.0, 64.0]]);
    }

    #[test]
    fn an_edge_behind_a_face_is_no_ridge() {
        let mut planes = Planes::default();
        let faces = solids(&mut planes, &[&CEILING, &wall(0, 160)]);
        let turned = |f: &Face| {
            let flip = |l: &Vec<Corner>| -> Vec<Corner> {
                let n = l.len();
                let corner = |k: usize| Corner {
                    point: l[n - 1 - k].point,
                    line: l[(2 * n - 2 - k) % n].line,
                };
                (0..n).map(corner).collect()
            };
            let loops = f.loops.iter().map(flip).collect();
            Face::new(&planes, f.plane.opposite(), f.surface, loops)
        };
        // Air where solid was: the wall's air touches the ceiling from its solid side.
        let faces: Vec<Face> = faces.iter().map(turned).collect();
        let all: Vec<&Face> = faces.iter().collect();
        assert!(split_faces(&planes, &all).is_empty());
    }

    /// A square with a corner cut off so close that both ends of the cut have one position. Found by the fuzzer in a turned
    /// level.
    #[test]
    fn an_edge_whose_ends_have_one_position_does_not_cancel_itself() {
        let mut planes = Planes::default();
        let up = planes.intern([0, 0, 1], 0);
        let [west, south] = [[1, 0, 0], [0, 1, 0]].map(|n| planes.intern(n, 0).plane);
        let [east, north] = [[1, 0, 0], [0, 1, 0]].map(|n| planes.intern(n, 160).plane);
        let short = planes.intern([1 << 30, (1 << 30) - 1, 0], 1).plane;
        let ring = [west, short, south, east, north];
        let corner = |k: usize| {
            let (before, line) = (ring[(k + 4) % 5], ring[k]);
            let point = meet(&planes, [up.plane, before, line]).expect("a corner");
            Corner { point, line }
        };
        let square: Vec<Corner> = (0..5).map(corner).collect();
        assert_eq!(
            position_key(&square[1].point),
            position_key(&square[2].point)
        );
        let surface = solids(&mut Planes::default(), &[&CEILING])[0].surface;
        let whole = Face::new(&planes, up, surface, vec![square]);
        assert_eq!(outline(&planes, &whole).len(), 5);
        // A slit from corner to corner and back cancels.
        let slit = planes.intern([1, -1, 0], 0).plane;
        let mut slitted = whole.clone();
        let end = meet(&planes, [up.plane, east, slit]).expect("a corner");
        let inner = meet(&planes, [up.plane, slit, east]).expect("a corner");
        let there = Corner {
            point: end,
            line: slit,
        };
        let middle = planes.intern([1, 1, 0], 160).plane;
        let back = meet(&planes, [up.plane, slit, middle]).expect("a point");
        let back = Corner {
            point: back,
            line: slit,
        };
        let at = slitted.loops[0]
            .iter()
            .position(|c| equal(&planes, &c.point, &inner));
        let at = at.expect("the corner");
        slitted.loops[0].splice(at..at, [there, back]);
        assert_eq!(outline(&planes, &slitted).len(), 5);
    }
}
