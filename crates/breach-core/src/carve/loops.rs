//! From directed edges to loops to faces, and the union of regions of one plane.
use super::face::{Corner, Face};
use super::polytope::Surface;
use crate::exact::{Facing, Line, PlaneId, Planes, Point, det_sign, equal, meet, side, turn};
use crate::geom::ring;
use glam::DVec3;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A directed boundary edge of a region in a plane: the region lies on its left, seen against the facing.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Start.
    pub from: Point,
    /// End.
    pub to: Point,
    /// The plane that makes the edge's line.
    pub line: PlaneId,
}

/// `at` as a hash key: equal points have equal `at`.
pub fn position_key(p: &Point) -> [u64; 3] {
    p.at.to_array().map(|v| (v + 0.0).to_bits())
}

/// Where the edge from `a` to `b` of a face in `plane` meets the plane `cut`; `sides` are theirs, not both the same.
pub fn edge_crossing(
    planes: &Planes,
    plane: PlaneId,
    a: &Corner,
    b: &Corner,
    sides: (i32, i32),
    cut: PlaneId,
) -> Option<Point> {
    match sides {
        (0, _) => Some(a.point),
        (_, 0) => Some(b.point),
        _ => meet(planes, [plane, a.line, cut]),
    }
}

/// The edges of a face.
pub fn face_edges(face: &Face) -> impl Iterator<Item = Edge> + '_ {
    face.loops.iter().flat_map(|l| {
        ring::pairs(l).map(|(from, to)| Edge {
            from: from.point,
            to: to.point,
            line: from.line,
        })
    })
}

/// The direction of an edge in a plane: its line, and whether it runs along (1) n_plane × n_line or against it (-1).
#[derive(Clone, Copy)]
struct Heading {
    line: PlaneId,
    sign: i32,
}

impl Heading {
    fn new(planes: &Planes, plane: PlaneId, e: &Edge) -> Heading {
        let line = Line::new(planes, (plane, e.line));
        let sign = match line.cmp(planes, &e.from, &e.to) {
            Ordering::Less => 1,
            _ => -1,
        };
        Heading { line: e.line, sign }
    }

    /// Positive where another heading turns left from this one, seen against the facing; zero where they are parallel.
    fn left_turn(&self, planes: &Planes, facing: Facing, to: &Heading) -> i32 {
        // (n × a) × (n × b) = n (n · a × b).
        let turn = det_sign(planes, facing.plane, self.line, to.line);
        turn * self.sign * to.sign * facing.sign()
    }

    /// The turn from this edge to one that leaves its end: 3 left, 2 straight on, 1 right, 0 back.
    fn quarter(&self, planes: &Planes, facing: Facing, to: &Heading) -> i32 {
        match self.left_turn(planes, facing, to) {
            1 => 3,
            0 => {
                let plane = facing.plane;
                let along = turn(planes, plane, self.line, (plane, to.line));
                1 + along * self.sign * to.sign
            }
            _ => 1,
        }
    }
}

/// Up to this many chains are searched one by one.
const MOST_CHAINS: usize = 32;

/// Links edges to loops where each starts at a position of its own. Most edges follow each other in the list as they do
/// around the region, so that only the ends of a few chains have to be matched. None where that is not so.
fn link_chains(planes: &Planes, edges: &[Edge]) -> Option<Vec<Vec<Corner>>> {
    // Ranges of edges.
    let mut chains: SmallVec<[(usize, usize); MOST_CHAINS]> = SmallVec::new();
    let mut first = 0;
    for i in 1..=edges.len() {
        if i == edges.len() || !equal(planes, &edges[i - 1].to, &edges[i].from) {
            if chains.len() == MOST_CHAINS {
                return None;
            }
            chains.push((first, i));
            first = i;
        }
    }
    let mut next: SmallVec<[u8; MOST_CHAINS]> = SmallVec::new();
    for &(_, end) in &chains {
        let at = edges[end - 1].to.at;
        // A bit mask without branches: nearly always one chain matches, and which one is unpredictable.
        let here = (0..).zip(&chains).fold(0u32, |all, (i, chain)| {
            let from = edges[chain.0].from.at;
            all | u32::from((from.x == at.x) & (from.y == at.y) & (from.z == at.z)) << i
        });
        if here.count_ones() != 1 {
            return None;
        }
        next.push(here.trailing_zeros() as u8);
    }
    let mut loops = Vec::with_capacity(1);
    let mut used = 0u32;
    for start in 0..chains.len() {
        let (mut at, mut size) = (start, 0);
        let mut round: SmallVec<[(usize, usize); MOST_CHAINS]> = SmallVec::new();
        while used >> at & 1 == 0 {
            used |= 1 << at;
            round.push(chains[at]);
            size += chains[at].1 - chains[at].0;
            at = next[at] as usize;
        }
        if at != start {
            return None;
        }
        if size >= 3 {
            let corner = |e: &Edge| Corner {
                point: e.from,
                line: e.line,
            };
            let mut l = Vec::with_capacity(size);
            for (first, end) in round {
                l.extend(edges[first..end].iter().map(corner));
            }
            loops.push(l);
        }
    }
    Some(loops)
}

/// Up to this many edges are searched rather than sorted.
const FEW: usize = 12;

/// Links edges to loops. Where several leave one point, the sharpest left turn keeps pieces apart that only touch there.
fn link(planes: &Planes, facing: Facing, edges: &[Edge]) -> Vec<Vec<Corner>> {
    // Edges sorted by start.
    let are_few = edges.len() <= FEW;
    let mut out: Vec<([u64; 3], u32)> = Vec::new();
    if !are_few {
        out.extend((0..).zip(edges).map(|(i, e)| (position_key(&e.from), i)));
        out.sort_unstable();
    }
    let leaving = |at: &Point| -> SmallVec<[u32; 4]> {
        if are_few {
            // A bit mask without branches: nearly always one chain matches, and which one is unpredictable.
            let is_here = |e: &Edge| {
                let (a, b) = (e.from.at, at.at);
                u32::from((a.x == b.x) & (a.y == b.y) & (a.z == b.z))
            };
            let here = (0..).zip(edges);
            let mut here = here.fold(0, |all, (i, e)| all | is_here(e) << i);
            let mut list = SmallVec::new();
            while here != 0 {
                list.push(here.trailing_zeros());
                here &= here - 1;
            }
            return list;
        }
        let at = position_key(at);
        let first = out.partition_point(|o| o.0 < at);
        let here = out[first..].iter().take_while(|o| o.0 == at);
        here.map(|o| o.1).collect()
    };
    let mut used: SmallVec<[bool; 64]> = SmallVec::from_elem(false, edges.len());
    let mut loops = Vec::with_capacity(1);
    let mut left = edges.len();
    for start in 0..edges.len() {
        if used[start] {
            continue;
        }
        // Most often one loop takes all remaining edges.
        let mut l = Vec::with_capacity(left.min(16));
        let mut at = start;
        loop {
            used[at] = true;
            left -= 1;
            l.push(Corner {
                point: edges[at].from,
                line: edges[at].line,
            });
            let next = leaving(&edges[at].to);
            // Positions are rounded: edges that leave the same one may start at two different points.
            let is_here =
                |i: usize| next.len() == 1 || equal(planes, &edges[at].to, &edges[i].from);
            let mut free = next
                .iter()
                .map(|&i| i as usize)
                .filter(|&i| (!used[i] || i == start) && is_here(i));
            let first = free.next();
            debug_assert!(
                first.is_some(),
                "a region with a hole in its rim: {edges:?}"
            );
            let Some(first) = first else { break };
            let mut best = first;
            if next.len() > 1 {
                let heading = |i: usize| Heading::new(planes, facing.plane, &edges[i]);
                let here = heading(at);
                // Straight back, along the other side of a slit, comes last.
                let ranked = |i: usize| {
                    let there = heading(i);
                    (here.quarter(planes, facing, &there), there)
                };
                let mut most = ranked(first);
                for i in free {
                    let other = ranked(i);
                    let is_sharper = other.0 > most.0
                        || other.0 == most.0 && most.1.left_turn(planes, facing, &other.1) > 0;
                    if is_sharper {
                        (most, best) = (other, i);
                    }
                }
            }
            if best == start {
                break;
            }
            at = best;
        }
        if l.len() >= 3 {
            loops.push(l);
        }
    }
    loops
}

fn signed_area(l: &[Corner], up: DVec3) -> f64 {
    let o = l[0].point.at;
    let sum: DVec3 = ring::pairs(l)
        .map(|(a, b)| (a.point.at - o).cross(b.point.at - o))
        .sum();
    sum.dot(up)
}

/// Above this area (doubled, for each corner; square steps) rounded positions decide a loop's orientation: they are at
/// most 2^26 steps apart, so the rounding of one by 2^-28, and that of its product in f64, add less than 8.
const CLEAR_AREA: f64 = 64.0;

/// Whether a loop runs counter-clockwise, seen against the facing: an outer loop, not a hole.
fn is_outer(planes: &Planes, facing: Facing, l: &[Corner], up: DVec3) -> bool {
    let area = signed_area(l, up);
    if area.abs() > CLEAR_AREA * l.len() as f64 {
        return area > 0.0;
    }
    surrounds(planes, facing, l, (&l[0], &l[1].point))
}

/// Whether a loop winds around the points just left of an edge, seen against the facing; the edge may be its own. Counts
/// crossings with the edge's line ahead, shifted infinitely little to the left.
fn surrounds(planes: &Planes, facing: Facing, l: &[Corner], (from, to): (&Corner, &Point)) -> bool {
    let line = Line::new(planes, (facing.plane, from.line));
    let ahead = line.cmp(planes, &from.point, to);
    // Left of n_facing × n_line is behind the line's plane.
    let left = match ahead {
        Ordering::Less => -facing.sign(),
        _ => facing.sign(),
    };
    let mut odd = false;
    for (a, b) in ring::pairs(l) {
        let sides = (
            side(planes, &a.point, from.line),
            side(planes, &b.point, from.line),
        );
        if (sides.0 == left) == (sides.1 == left) {
            continue;
        }
        let x = edge_crossing(planes, facing.plane, a, b, sides, from.line);
        if x.is_some_and(|x| line.cmp(planes, &from.point, &x) == ahead) {
            odd = !odd;
        }
    }
    odd
}

/// Up to this many edges, each is tested against every corner.
const MOST_EACH: usize = 24;

/// The corners of a region, sorted along the two axes of its largest extents, each with the other one to break ties: an edge
/// along one of them finds what lies on it in the list of the other.
struct SortedCorners {
    axes: [usize; 2],
    /// By each axis: its coordinate, the other one's, the edge that leaves.
    lists: [Vec<(f64, f64, u32)>; 2],
}

impl SortedCorners {
    fn new(edges: &[Edge]) -> Option<SortedCorners> {
        let first = edges.first()?.from.at;
        let (lo, hi) = edges.iter().fold((first, first), |(lo, hi), e| {
            (lo.min(e.from.at), hi.max(e.from.at))
        });
        let thinnest = (hi - lo).min_position();
        let axes = [(thinnest + 1) % 3, (thinnest + 2) % 3];
        let sorted = |[a, b]: [usize; 2]| {
            let corners = (0..).zip(edges);
            let mut list: Vec<(f64, f64, u32)> = corners
                .map(|(i, e)| (e.from.at[a] + 0.0, e.from.at[b] + 0.0, i))
                .collect();
            list.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
            list
        };
        Some(SortedCorners {
            axes,
            lists: [sorted(axes), sorted([axes[1], axes[0]])],
        })
    }

    /// Corners among which are all in a box.
    fn between(&self, lo: DVec3, hi: DVec3) -> &[(f64, f64, u32)] {
        let range = |k: usize| {
            let (a, b) = (self.axes[k], self.axes[1 - k]);
            let list = &self.lists[k];
            // All between the two ends, in the order of the list, of which only ties are sorted along the other axis.
            let from = list.partition_point(|p| p.0 < lo[a] || p.0 == lo[a] && p.1 < lo[b]);
            let to = list.partition_point(|p| p.0 < hi[a] || p.0 == hi[a] && p.1 <= hi[b]);
            &list[from..to]
        };
        let [first, second] = [range(0), range(1)];
        match first.len() <= second.len() {
            true => first,
            false => second,
        }
    }
}

/// Splits edges at corners of the same region that lie on them, so that a region that touches itself there falls into
/// pieces that only touch. None where there are no such corners.
fn cut_at_own_corners(planes: &Planes, plane: PlaneId, edges: &[Edge]) -> Option<Vec<Edge>> {
    let are_few = edges.len() <= MOST_EACH;
    let corners = match are_few {
        true => None,
        false => Some(SortedCorners::new(edges)?),
    };
    let mut out: Vec<Edge> = Vec::new();
    for (number, e) in edges.iter().enumerate() {
        let (lo, hi) = (e.from.at.min(e.to.at), e.from.at.max(e.to.at));
        // Rounding down keeps order, so points of the edge lie in its box; its ends do not count.
        let is_near = |p: &&Point| {
            let at = p.at;
            at.cmpge(lo).all() && at.cmple(hi).all() && at != e.from.at && at != e.to.at
        };
        let mut near: SmallVec<[Point; 4]> = SmallVec::new();
        match &corners {
            None => near.extend(edges.iter().map(|e| &e.from).filter(is_near).copied()),
            Some(corners) => {
                let slice = corners.between(lo, hi).iter();
                let points = slice.map(|p| &edges[p.2 as usize].from);
                near.extend(points.filter(is_near).copied());
            }
        }
        near.retain(|p| side(planes, p, e.line) == 0);
        if !near.is_empty() {
            let line = Line::new(planes, (plane, e.line));
            let order = line.cmp(planes, &e.from, &e.to);
            near.retain(|p| {
                line.cmp(planes, &e.from, p) == order && line.cmp(planes, p, &e.to) == order
            });
            near.sort_by(|a, b| {
                let o = line.cmp(planes, a, b);
                if order == Ordering::Less {
                    o
                } else {
                    o.reverse()
                }
            });
            near.dedup_by(|a, b| equal(planes, a, b));
        }
        if near.is_empty() {
            if !out.is_empty() {
                out.push(*e);
            }
            continue;
        }
        if out.is_empty() {
            out.extend_from_slice(&edges[..number]);
        }
        let mut from = e.from;
        for to in near.into_iter().chain([e.to]) {
            out.push(Edge { from, to, ..*e });
            from = to;
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Faces bounded by these edges: each outer loop with its holes. `touching`: the region may touch its own edges, because
/// something lay exactly on something else.
pub fn faces_from_edges(
    planes: &Planes,
    facing: Facing,
    surface: Surface,
    edges: &[Edge],
    touching: bool,
) -> Vec<Face> {
    // A region may touch itself even if nothing touched the polytope: where solid stands on an edge (or hangs by one),
    // the section has a corner on a line.
    let cut = cut_at_own_corners(planes, facing.plane, edges);
    let touching = touching || cut.is_some();
    let edges = cut.as_deref().unwrap_or(edges);
    let up = planes.normal(facing).normalize();
    let chained = match touching {
        true => None,
        false => link_chains(planes, edges),
    };
    let mut loops = chained.unwrap_or_else(|| link(planes, facing, edges));
    let mut holes: Vec<Vec<Corner>> = loops
        .extract_if(.., |l| !is_outer(planes, facing, l, up))
        .collect();
    if loops.len() == 1 {
        loops.append(&mut holes);
        return vec![Face::new(planes, facing, surface, loops)];
    }
    let mut outers: Vec<Vec<Vec<Corner>>> = loops.into_iter().map(|l| vec![l]).collect();
    for h in holes {
        let is_in = |inner: &[Corner], outer: &[Corner]| {
            surrounds(planes, facing, outer, (&inner[0], &inner[1].point))
        };
        // The innermost of the outer loops around it.
        let around = (0..outers.len()).filter(|&i| is_in(&h, &outers[i][0]));
        let home = around.reduce(|a, b| match is_in(&outers[b][0], &outers[a][0]) {
            true => b,
            false => a,
        });
        if let Some(i) = home {
            outers[i].push(h);
        }
    }
    outers
        .into_iter()
        .map(|loops| Face::new(planes, facing, surface, loops))
        .collect()
}

/// Cancels opposite edges along each line, so that neighbouring regions of one plane become one. The first `new` edges
/// bound new regions; all others are known not to meet each other.
pub fn cancel_opposite_edges(
    planes: &Planes,
    plane: PlaneId,
    edges: &[Edge],
    new: usize,
) -> Vec<Edge> {
    let corners = || edges[..new].iter().flat_map(|e| [e.from.at, e.to.at]);
    let (lo, hi) = (corners().reduce(DVec3::min), corners().reduce(DVec3::max));
    let (lo, hi) = (lo.unwrap_or_default(), hi.unwrap_or_default());
    let is_near =
        |e: &Edge| e.from.at.min(e.to.at).cmple(hi).all() && e.from.at.max(e.to.at).cmpge(lo).all();
    let mut out = Vec::with_capacity(edges.len());
    let (near, far): (Vec<Edge>, Vec<Edge>) = edges.iter().partition(|e| is_near(e));
    let edges = &near[..];
    out.extend(far);
    let mut done = vec![false; edges.len()];
    for i in 0..edges.len() {
        if done[i] {
            continue;
        }
        // The new edges have already found all that they meet.
        if i >= new {
            out.push(edges[i]);
            continue;
        }
        let line = edges[i].line;
        let on = |p: &Point| side(planes, p, line) == 0;
        let group: Vec<usize> = (i..edges.len())
            .filter(|&j| {
                !done[j] && (edges[j].line == line || (on(&edges[j].from) && on(&edges[j].to)))
            })
            .collect();
        for &j in &group {
            done[j] = true;
        }
        if group.len() == 1 {
            out.push(edges[i]);
            continue;
        }
        let along = Line::new(planes, (plane, line));
        let order = |a: &Point, b: &Point| along.cmp(planes, a, b);
        let mut ends: Vec<(Point, i32)> = Vec::with_capacity(group.len() * 2);
        // Sweep events: (point, change of the number of edges that run along the line, of those against it).
        let mut steps: Vec<(Point, i32, i32)> = Vec::with_capacity(group.len() * 2);
        for &j in &group {
            let e = &edges[j];
            if order(&e.from, &e.to) == Ordering::Less {
                steps.push((e.from, 1, 0));
                steps.push((e.to, -1, 0));
            } else {
                steps.push((e.to, 0, 1));
                steps.push((e.from, 0, -1));
            }
        }
        steps.sort_by(|a, b| order(&a.0, &b.0));
        let (mut along, mut against) = (0, 0);
        let mut k = 0;
        while k < steps.len() {
            let p = steps[k].0;
            while k < steps.len() && equal(planes, &steps[k].0, &p) {
                along += steps[k].1;
                against += steps[k].2;
                k += 1;
            }
            ends.push((p, (along - against).signum()));
        }
        for w in ends.windows(2) {
            match w[0].1 {
                1 => out.push(Edge {
                    from: w[0].0,
                    to: w[1].0,
                    line,
                }),
                -1 => out.push(Edge {
                    from: w[1].0,
                    to: w[0].0,
                    line,
                }),
                _ => {}
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    /// The plane z = 0.
    struct Flat {
        planes: Planes,
        floor: Facing,
    }

    impl Flat {
        fn new() -> Flat {
            let mut planes = Planes::default();
            let floor = planes.intern([0, 0, 1], 0);
            Flat { planes, floor }
        }

        /// The line through (x, y) in the direction (run, rise).
        fn line(&mut self, [x, y]: [i64; 2], [run, rise]: [i64; 2]) -> PlaneId {
            let d = i128::from(rise) * i128::from(x) - i128::from(run) * i128::from(y);
            self.planes.intern([rise, -run, 0], d).plane
        }

        /// The loop whose corners are the intersections of successive lines.
        fn ring(&self, lines: &[PlaneId]) -> Vec<Edge> {
            let n = lines.len();
            let at = |a, b| meet(&self.planes, [self.floor.plane, a, b]).expect("they cross");
            let edge = |k: usize| Edge {
                from: at(lines[ring::before(k, n)], lines[k]),
                to: at(lines[k], lines[ring::after(k, n)]),
                line: lines[k],
            };
            (0..n).map(edge).collect()
        }

        /// For each face the number of corners of its loops.
        fn outlines(&self, edges: &[Edge], touching: bool) -> Vec<Vec<usize>> {
            let made = faces_from_edges(&self.planes, self.floor, Surface::Wall, edges, touching);
            let mut list: Vec<Vec<usize>> = made
                .iter()
                .map(|f| f.loops.iter().map(Vec::len).collect())
                .collect();
            list.sort();
            list
        }
    }

    fn reversed(edges: &[Edge]) -> Vec<Edge> {
        let turned = |e: &Edge| Edge {
            from: e.to,
            to: e.from,
            line: e.line,
        };
        edges.iter().rev().map(turned).collect()
    }

    /// A triangle and a quadrangle with a common corner. The angles between their sides there are about run^-2 / 2.
    fn two_at_a_point(run: i64) -> (Flat, Vec<Edge>) {
        let mut flat = Flat::new();
        let fan = [0, 1, 2, 3].map(|k| flat.line([0, 0], [run + k, run + k - 1]));
        let [end, slant] = [
            flat.line([4096, 0], [0, 1]),
            flat.line([8192, 8192], [1, -1]),
        ];
        let mut edges = flat.ring(&[fan[0], end, fan[1]]);
        edges.extend(flat.ring(&[fan[2], slant, end, fan[3]]));
        (flat, edges)
    }

    #[test]
    fn what_touches_at_a_point_stays_apart_however_narrow_the_gap() {
        let mut rng = Rng::new(3);
        for run in [2, 100, 1 << 14, 1 << 25, 1 << 33, 1 << 48] {
            let (flat, mut edges) = two_at_a_point(run);
            for _ in 0..40 {
                let list = flat.outlines(&edges, true);
                assert_eq!(list, [vec![3], vec![4]], "{run}");
                for i in (1..edges.len()).rev() {
                    edges.swap(i, rng.below(i as u64 + 1) as usize);
                }
            }
        }
    }

    #[test]
    fn a_hole_is_told_from_an_outline_however_thin_both_are() {
        for steep in [1i64 << 8, 1 << 20, 1 << 36, 1 << 46] {
            for at in [0, 1 << 20, -(1 << 23)] {
                let mut flat = Flat::new();
                // Slivers along y, bent once so that they turn both ways: x = at + (|y| ± by) / steep.
                let bent = |flat: &mut Flat, by: i64| {
                    let mut side = |lean: i64, by: i64| {
                        let d = i128::from(steep) * i128::from(at) + i128::from(by);
                        flat.planes.intern([steep, -lean, 0], d).plane
                    };
                    let [right, left] = [by, -by].map(|by| [1, -1].map(|lean| side(lean, by)));
                    let [top, bottom] = [64 + by, -64 - by].map(|y| flat.line([0, y], [1, 0]));
                    [right[0], top, left[0], left[1], bottom, right[1]]
                };
                let outer = bent(&mut flat, 2);
                let inner = bent(&mut flat, 1);
                let (outer, inner) = (flat.ring(&outer), flat.ring(&inner));
                let both = |a: &[Edge], b: Vec<Edge>| [a, &b[..]].concat();
                assert_eq!(flat.outlines(&outer, false), [[6]]);
                let holed = both(&outer, reversed(&inner));
                for touching in [false, true] {
                    assert_eq!(flat.outlines(&holed, touching), [[6, 6]], "{steep} {at}");
                }
                // A hole alone bounds nothing.
                assert!(flat.outlines(&reversed(&inner), false).is_empty());
            }
        }
    }
}
