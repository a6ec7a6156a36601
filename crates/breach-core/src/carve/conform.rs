//! Conforming faces: removes T-junctions by inserting corners into the edges on which they lie.
//!
//! Every decision is exact. Candidates on an edge are found by `at`: rounding down keeps order, so a point between the ends
//! has its `at` between theirs. Edges walk the cells of a uniform grid, which is filled by counting (Lagae and Dutré,
//! "Compact, Fast and Robust Grids for Ray Tracing", 2008).
use super::face::{Corner, Face};
use crate::exact::{Line, PlaneId, Planes, Point, equal, side};
use crate::geom::floor;
use crate::geom::parallel;
use crate::geom::ring;
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

const NONE: u32 = u32::MAX;

/// The box in which faces are conformed, steps, or its slice in one axis plane.
#[derive(Clone, Copy, Debug)]
pub struct ConformBox {
    /// Lowest corner.
    pub lo: DVec3,
    /// Highest corner.
    pub hi: DVec3,
    /// Restricts the box to a plane: its axis and coordinate, which `at` represents exactly.
    pub plane: Option<(usize, f64)>,
}

impl ConformBox {
    /// The slice of a box in the plane `axis` = `at`.
    pub fn slice(mut lo: DVec3, mut hi: DVec3, axis: usize, at: f64) -> ConformBox {
        (lo[axis], hi[axis]) = (at, at);
        let plane = Some((axis, at));
        ConformBox { lo, hi, plane }
    }

    /// Whether a point lies in it.
    fn contains(&self, at: DVec3) -> bool {
        self.plane.is_none_or(|(axis, x)| at[axis] == x)
            && at.cmpge(self.lo).all()
            && at.cmple(self.hi).all()
    }

    /// Whether points in it may lie on an edge, strictly between its ends.
    fn may_touch_inside(&self, a: DVec3, b: DVec3) -> bool {
        let is_at_plane = self.plane.is_none_or(|(axis, x)| {
            (a[axis] - x) * (b[axis] - x) < 0.0 || a[axis] == x && b[axis] == x
        });
        is_at_plane && a.min(b).cmple(self.hi).all() && a.max(b).cmpge(self.lo).all()
    }
}

/// Makes faces share their corners within a box. `faces` must contain all faces that touch the box. Drops corners at which
/// no face turns, and inserts into each edge the remaining corners that lie on it. Returns the changed faces by rising
/// index.
pub fn conform(planes: &Planes, faces: &[&Face], within: &ConformBox) -> Vec<(usize, Face)> {
    let near: Vec<usize> = (0..faces.len())
        .filter(|&i| faces[i].touches(within.lo, within.hi))
        .collect();
    let mut points = PointTable::default();
    // The point of every corner of the near faces, loop after loop; NONE outside the box.
    let mut point_ids = Vec::new();
    for &i in &near {
        for l in &faces[i].loops {
            for k in 0..l.len() {
                let at = l[k].point.at;
                if !within.contains(at) {
                    point_ids.push(NONE);
                    continue;
                }
                let id = points.id(planes, &l[k].point);
                points.is_turn[id as usize] |= turns(planes, l, k);
                point_ids.push(id);
            }
        }
    }
    let turns_at = (0u32..).zip(&points.is_turn).filter(|p| *p.1).map(|p| p.0);
    let grid = PointGrid::new(&points.points, turns_at.collect());
    let mut firsts = Vec::with_capacity(near.len());
    let mut first = 0;
    for &i in &near {
        firsts.push(first);
        first += faces[i].loops.iter().map(Vec::len).sum::<usize>();
    }
    let conformed = |n: usize, found: &mut Vec<u32>| {
        let (i, mut first) = (near[n], firsts[n]);
        let plane = faces[i].plane.plane;
        let mut new: Option<Face> = None;
        for (k, l) in faces[i].loops.iter().enumerate() {
            let ids = &point_ids[first..first + l.len()];
            first += l.len();
            let is_kept = |id: u32| id == NONE || points.is_turn[id as usize];
            let kept = ids.iter().filter(|&&id| is_kept(id)).count();
            let mut own: Option<(Vec<Corner>, Vec<u32>)> = None;
            if kept >= 3 && kept < l.len() {
                let both = l.iter().copied().zip(ids.iter().copied());
                own = Some(both.filter(|b| is_kept(b.1)).unzip());
            }
            let (l, ids) = own.as_ref().map_or((&l[..], ids), |own| (&own.0, &own.1));
            let more = insert(planes, plane, (l, ids), &grid, found, within);
            let own = more.or(own.map(|own| own.0));
            if let Some(own) = own {
                new.get_or_insert_with(|| faces[i].clone()).loops[k] = own;
            }
        }
        let mut face = new?;
        face.refresh(planes);
        Some((i, face))
    };
    if near.len() < MANY_FACES {
        let mut found = Vec::new();
        return (0..near.len())
            .filter_map(|n| conformed(n, &mut found))
            .collect();
    }
    let runs = near.len().div_ceil(MANY_FACES);
    let conformed = parallel::map(runs, 1, |run| {
        let last = near.len().min((run + 1) * MANY_FACES);
        let mut found = Vec::new();
        (run * MANY_FACES..last)
            .filter_map(|n| conformed(n, &mut found))
            .collect::<Vec<_>>()
    });
    conformed.into_iter().flatten().collect()
}

/// So many faces are work for a thread.
const MANY_FACES: usize = 1024;

/// Whether the loop turns at corner `k`, so that its two edges are not on one line.
fn turns(planes: &Planes, l: &[Corner], k: usize) -> bool {
    let before = l[ring::before(k, l.len())].line;
    before != l[k].line && side(planes, &l[ring::after(k, l.len())].point, before) != 0
}

/// The loop with the grid's points inserted that lie strictly inside its edges; None where there are none. `ids` are the
/// points of its corners.
fn insert(
    planes: &Planes,
    plane: PlaneId,
    (l, ids): (&[Corner], &[u32]),
    grid: &PointGrid,
    found: &mut Vec<u32>,
    within: &ConformBox,
) -> Option<Vec<Corner>> {
    let mut out: Option<Vec<Corner>> = None;
    for k in 0..l.len() {
        let next = ring::after(k, l.len());
        let (a, b) = (&l[k], &l[next].point);
        found.clear();
        if within.may_touch_inside(a.point.at, b.at) {
            grid.near(a.point.at, b.at, [ids[k], ids[next]], found);
        }
        if found.is_empty() {
            if let Some(out) = &mut out {
                out.push(*a);
            }
            continue;
        }
        let line = Line::new(planes, (plane, a.line));
        found.retain(|&id| {
            let p = &grid.points[id as usize];
            if side(planes, p, plane) != 0 || side(planes, p, a.line) != 0 {
                return false;
            }
            let order = line.cmp(planes, &a.point, p);
            order != Ordering::Equal && order == line.cmp(planes, p, b)
        });
        if found.is_empty() {
            if let Some(out) = &mut out {
                out.push(*a);
            }
            continue;
        }
        let rises = line.cmp(planes, &a.point, b) == Ordering::Less;
        found.sort_unstable_by(|&p, &q| {
            let order = line.cmp(planes, &grid.points[p as usize], &grid.points[q as usize]);
            if rises { order } else { order.reverse() }
        });
        let out = out.get_or_insert_with(|| l[..k].to_vec());
        out.push(*a);
        out.extend(found.iter().map(|&id| Corner {
            point: grid.points[id as usize],
            line: a.line,
        }));
    }
    out
}

/// Points by position, each once.
#[derive(Default)]
struct PointTable {
    points: Vec<Point>,
    /// Whether some face turns there.
    is_turn: Vec<bool>,
    /// The next point with the same `at`.
    next: Vec<u32>,
    by_at: FxHashMap<[u64; 3], u32>,
}

impl PointTable {
    fn id(&mut self, planes: &Planes, p: &Point) -> u32 {
        let new = self.points.len() as u32;
        let first = *self
            .by_at
            .entry(p.at.to_array().map(f64::to_bits))
            .or_insert(new);
        let mut at = first;
        while at != new {
            if equal(planes, &self.points[at as usize], p) {
                return at;
            }
            let next = self.next[at as usize];
            if next == NONE {
                self.next[at as usize] = new;
                break;
            }
            at = next;
        }
        self.points.push(*p);
        self.is_turn.push(false);
        self.next.push(NONE);
        new
    }
}

/// The density of a grid of cubes, some four for each point, in a box of this extent: also where that is flat, so
/// that it is one cube high.
fn cells_per_step(extent: DVec3, points: usize) -> f64 {
    let mut sizes = extent.to_array();
    sizes.sort_by(|a, b| b.total_cmp(a));
    let [long, middle, short] = sizes;
    let cells = CELLS_A_POINT * points.max(1) as f64;
    let solid = libm::cbrt(cells / (long * middle * short));
    if solid * short >= 1.0 {
        return solid;
    }
    let flat = libm::sqrt(cells / (long * middle));
    if flat * middle >= 1.0 {
        return flat;
    }
    cells / long
}

/// Cells of a grid for each of its points.
const CELLS_A_POINT: f64 = 4.0;

/// A uniform grid of points: finds those whose `at` lies between two ends, and perhaps a few more.
struct PointGrid<'a> {
    points: &'a [Point],
    lo: DVec3,
    /// Cells per step.
    scale: f64,
    /// Cells along each axis.
    size: [i64; 3],
    /// For each cell, where its points begin in `order`; one more for the end.
    starts: Vec<u32>,
    /// The points, cell after cell.
    order: Vec<u32>,
}

impl<'a> PointGrid<'a> {
    /// A grid of the points with these indices.
    fn new(points: &'a [Point], chosen: Vec<u32>) -> PointGrid<'a> {
        let at = |id: u32| points[id as usize].at;
        let lo = chosen.iter().fold(DVec3::INFINITY, |m, &id| m.min(at(id)));
        let hi = chosen
            .iter()
            .fold(DVec3::NEG_INFINITY, |m, &id| m.max(at(id)));
        let extent = match chosen.is_empty() {
            true => DVec3::ONE,
            false => (hi - lo).max(DVec3::ONE),
        };
        let scale = cells_per_step(extent, chosen.len());
        let mut grid = PointGrid {
            points,
            lo,
            scale,
            size: [0; 3],
            starts: Vec::new(),
            order: Vec::new(),
        };
        if !chosen.is_empty() {
            grid.size = [0, 1, 2].map(|k| grid.coordinate(hi[k], k) + 1);
        }
        let cells = grid.size.iter().product::<i64>() as usize;
        let cell_of = |&id: &u32| grid.index([0, 1, 2].map(|k| grid.coordinate(at(id)[k], k)));
        let cell: Vec<u32> = chosen.iter().map(|id| cell_of(id) as u32).collect();
        // Counting sort: counts, prefix sums, then each cell is filled from its end.
        let mut starts = vec![0; cells + 1];
        for &cell in &cell {
            starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut order = vec![0; cell.len()];
        for (&id, &cell) in chosen.iter().zip(&cell) {
            let at = &mut starts[cell as usize];
            *at -= 1;
            order[*at as usize] = id;
        }
        (grid.starts, grid.order) = (starts, order);
        grid
    }

    /// Of a cell along one axis.
    fn coordinate(&self, x: f64, axis: usize) -> i64 {
        floor((x - self.lo[axis]) * self.scale)
    }

    /// Index of a cell.
    fn index(&self, c: [i64; 3]) -> usize {
        ((c[0] * self.size[1] + c[1]) * self.size[2] + c[2]) as usize
    }

    /// Walks the slabs of cells across the edge's longest axis, and in each the cells near the edge. The edge's own ends are
    /// left out.
    fn near(&self, a: DVec3, b: DVec3, ends: [u32; 2], found: &mut Vec<u32>) {
        let (lo, hi) = (a.min(b), a.max(b));
        let d = (b - a).abs();
        let axis = if d.x >= d.y && d.x >= d.z {
            0
        } else if d.y >= d.z {
            1
        } else {
            2
        };
        let (a, b) = if a[axis] <= b[axis] { (a, b) } else { (b, a) };
        let length = b[axis] - a[axis];
        // Both ends of an edge shorter than the rounding have one position.
        let slope = if length > 0.0 {
            (b - a) / length
        } else {
            DVec3::ZERO
        };
        // `at` is rounded, so ends and points may be slightly off the line.
        let margin = 1e-3;
        let first = self.coordinate(a[axis], axis).max(0);
        let last = self.coordinate(b[axis], axis).min(self.size[axis] - 1);
        for slab in first..=last {
            let from = (self.lo[axis] + slab as f64 / self.scale - margin).max(a[axis]);
            let to = (self.lo[axis] + (slab + 1) as f64 / self.scale + margin).min(b[axis]);
            let (p, q) = (a + slope * (from - a[axis]), a + slope * (to - a[axis]));
            let mut range = [(slab, slab); 3];
            for k in (0..3).filter(|&k| k != axis) {
                let least = self.coordinate(p[k].min(q[k]) - margin, k).max(0);
                range[k] = (
                    least,
                    self.coordinate(p[k].max(q[k]) + margin, k)
                        .min(self.size[k] - 1),
                );
            }
            if range[2].0 > range[2].1 {
                continue;
            }
            for x in range[0].0..=range[0].1 {
                for y in range[1].0..=range[1].1 {
                    // Cells along z are contiguous.
                    let [first, last] = [range[2].0, range[2].1].map(|z| self.index([x, y, z]));
                    let [from, to] = [first, last + 1].map(|cell| self.starts[cell] as usize);
                    found.extend(self.order[from..to].iter().copied().filter(|&id| {
                        let at = self.points[id as usize].at;
                        at.cmpge(lo).all() && at.cmple(hi).all() && !ends.contains(&id)
                    }));
                }
            }
        }
    }
}

/// Conforms a list of faces in place.
#[cfg(test)]
pub fn conform_in_place(planes: &Planes, faces: &mut [Face], lo: DVec3, hi: DVec3) -> Vec<usize> {
    let within = ConformBox {
        lo,
        hi,
        plane: None,
    };
    let changed = conform(planes, &faces.iter().collect::<Vec<_>>(), &within);
    let at = changed.iter().map(|c| c.0).collect();
    for (i, face) in changed {
        faces[i] = face;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carve::polytope::{Polytope, Surface};
    use crate::carve::{BrushDesc, SideDesc};
    use crate::exact::Facing;
    use glam::I64Vec3;

    fn faces_of(p: &Polytope) -> impl Iterator<Item = (Facing, Vec<Corner>)> {
        p.facets.iter().map(|f| {
            let corner = |(c, a): (&u32, &u32)| Corner {
                point: p.corners[*c as usize],
                line: p.facets[*a as usize].plane.plane,
            };
            (
                f.plane,
                f.corners.iter().zip(&f.across).map(corner).collect(),
            )
        })
    }

    fn add(planes: &Planes, faces: &mut Vec<Face>, p: &Polytope) {
        faces.extend(
            faces_of(p).map(|(plane, l)| Face::new(planes, plane, Surface::Stuff(0), vec![l])),
        );
    }

    fn boxed(planes: &mut Planes, faces: &mut Vec<Face>, min: [i64; 3], max: [i64; 3]) {
        let p = Polytope::from_box(
            planes,
            min.map(|x| 2 * x),
            max.map(|x| 2 * x),
            Surface::Stuff(0),
        )
        .expect("a box");
        add(planes, faces, &p);
    }

    const EVERYWHERE: (DVec3, DVec3) = (DVec3::splat(-1e9), DVec3::splat(1e9));

    /// The expected result, from all pairs of a corner and an edge.
    fn by_brute_force(planes: &Planes, faces: &[Face]) -> Vec<Vec<Vec<DVec3>>> {
        let mut points: Vec<Point> = Vec::new();
        for f in faces {
            for l in &f.loops {
                for k in 0..l.len() {
                    if turns(planes, l, k) && !points.iter().any(|p| equal(planes, p, &l[k].point))
                    {
                        points.push(l[k].point);
                    }
                }
            }
        }
        let edge = |f: &Face, a: &Corner, b: &Point| {
            let mut on: Vec<(f64, DVec3)> = points
                .iter()
                .filter(|p| side(planes, p, f.plane.plane) == 0 && side(planes, p, a.line) == 0)
                .map(|p| ((p.at - a.point.at).dot(b.at - a.point.at), p.at))
                .filter(|p| p.0 > 1e-3 && p.0 < (b.at - a.point.at).length_squared() - 1e-3)
                .collect();
            on.sort_by(|a, b| a.0.total_cmp(&b.0));
            on.into_iter().map(|p| p.1)
        };
        let is_kept = |c: &Corner| points.iter().any(|p| equal(planes, p, &c.point));
        faces
            .iter()
            .map(|f| {
                f.loops
                    .iter()
                    .map(|l| {
                        let l: Vec<Corner> = l.iter().copied().filter(is_kept).collect();
                        (0..l.len())
                            .flat_map(|k| {
                                std::iter::once(l[k].point.at).chain(edge(
                                    f,
                                    &l[k],
                                    &l[(k + 1) % l.len()].point,
                                ))
                            })
                            .collect()
                    })
                    .collect()
            })
            .collect()
    }

    fn places(faces: &[Face]) -> Vec<Vec<Vec<DVec3>>> {
        faces
            .iter()
            .map(|f| {
                f.loops
                    .iter()
                    .map(|l| l.iter().map(|c| c.point.at).collect())
                    .collect()
            })
            .collect()
    }

    #[test]
    fn cubes_side_by_side_share_the_points_between_them() {
        let (mut planes, mut faces) = (Planes::default(), Vec::new());
        boxed(&mut planes, &mut faces, [0, 0, 0], [8, 8, 8]);
        boxed(&mut planes, &mut faces, [8, 0, 0], [12, 4, 4]);
        boxed(&mut planes, &mut faces, [8, 4, 0], [12, 8, 2]);
        let expected = by_brute_force(&planes, &faces);
        let changed = conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1);
        assert_eq!(places(&faces), expected);
        assert!(!changed.is_empty() && changed.is_sorted());
        assert!(
            conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1).is_empty(),
            "done is done"
        );
    }

    #[test]
    fn corners_where_nothing_turns_go_and_those_beyond_the_box_stay() {
        let (mut planes, mut faces) = (Planes::default(), Vec::new());
        boxed(&mut planes, &mut faces, [0, 0, 0], [8, 8, 8]);
        let before = places(&faces);
        boxed(&mut planes, &mut faces, [8, 2, 0], [12, 4, 4]);
        conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1);
        faces.truncate(6);
        assert_ne!(places(&faces), before);
        assert!(
            conform_in_place(&planes, &mut faces, DVec3::splat(-9.0), DVec3::splat(-5.0))
                .is_empty()
        );
        assert!(!conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1).is_empty());
        assert_eq!(places(&faces), before);
    }

    #[test]
    fn slanted_edges_equal_brute_force() {
        let mut state = 3_u64;
        let mut next = |n: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) % n) as i64
        };
        let mut inserted = 0;
        for _ in 0..30 {
            let (mut planes, mut faces) = (Planes::default(), Vec::new());
            // Clipped by slanted planes of few directions, neighbours share many lines.
            for _ in 0..12 {
                let min = [next(4) * 16, next(4) * 16, next(4) * 16];
                let max = min.map(|c| c + 16 + next(3) * 16);
                let Some(mut p) = Polytope::from_box(&mut planes, min, max, Surface::Stuff(0))
                else {
                    continue;
                };
                let n = [[1, 1, 0], [1, 0, 1], [1, 1, 1], [1, 2, 3]][next(4) as usize];
                let cut = planes.intern(n, (24 + next(6) * 8) as i128);
                if let Some(cut) = p.clone().clip(&planes, cut, Surface::Stuff(0)) {
                    p = cut;
                }
                add(&planes, &mut faces, &p);
            }
            let expected = by_brute_force(&planes, &faces);
            inserted += conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1).len();
            assert_eq!(places(&faces), expected);
        }
        assert!(inserted > 100);
    }

    #[test]
    fn a_point_a_little_off_a_long_slanted_edge_is_not_on_it() {
        let (mut planes, mut faces) = (Planes::default(), Vec::new());
        let v = I64Vec3::new;
        let side = |a, b, c| SideDesc {
            points: [a, b, c],
            material: 0,
        };
        let (o, x, y, z) = (
            v(0, 0, 0),
            v(1_000_003, 0, 0),
            v(0, 1_000_033, 0),
            v(0, 0, 1_000_037),
        );
        let brush = BrushDesc {
            sides: vec![side(o, y, x), side(o, z, y), side(o, x, z), side(x, y, z)],
        };
        let p = Polytope::from_brush(&mut planes, &brush).expect("a tetrahedron");
        add(&planes, &mut faces, &p);
        // Its edge x..y passes 500000 at about 500016.5.
        boxed(
            &mut planes,
            &mut faces,
            [500_000, 500_016, -5],
            [500_010, 500_020, 0],
        );
        assert!(
            conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1)
                .iter()
                .all(|&i| i >= 4)
        );
    }

    #[test]
    fn thousands_of_boxes_conform_once() {
        let (mut planes, mut faces) = (Planes::default(), Vec::new());
        for i in 0..2000 {
            let min = [i % 20 * 64, i / 20 % 10 * 64, i / 200 * 64];
            boxed(
                &mut planes,
                &mut faces,
                min,
                min.map(|c| c + 32 + 32 * (i % 2)),
            );
        }
        conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1);
        assert!(conform_in_place(&planes, &mut faces, EVERYWHERE.0, EVERYWHERE.1).is_empty());
    }
}
