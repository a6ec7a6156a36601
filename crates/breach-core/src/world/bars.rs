//! Thin bars along lines where solids touch without a shared face.
//!
//! Two wedges that meet edge to edge, or a wedge that stands on its edge, separate the air on their two sides only
//! along a line. On the grid that is watertight. Off the grid four planes do not meet in one line, and since all of
//! them are seen, `hairlines` moves none of them. Where reached air lies on one side of such a line and unreached air
//! on the other, a bar three steps thick each way covers the line.
use super::facets::{BrushFacets, Facet, PARALLEL, height, normal};
use crate::carve::{BrushDesc, SideDesc};
use crate::geom::polygon::overlap;
use glam::DVec3;

/// An edge this close to a solid touches it, steps.
const AT: f64 = 4.0;
/// Half the width of a bar, steps: a rounded plane errs by less than one.
const BAR: f64 = 3.0;
/// Distance of the points of a bar's planes from each other across the bar, steps.
const WIDE: f64 = 4096.0;

/// The bars along the edges of solid `a` of a list; `near` are the indices of the solids around it.
pub(super) fn over_contact_lines(a: usize, list: &[BrushFacets], near: &[usize]) -> Vec<BrushDesc> {
    let mut bars = Vec::new();
    for edge in seen_edges(&list[a]) {
        let [from, to] = edge.ends;
        let along = (to - from).normalize_or_zero();
        let inwards = -(edge.normals[0] + edge.normals[1]);
        let (low, high) = (from.min(to) - AT, from.max(to) + AT);
        for &b in near {
            let other = &list[b];
            if other.bounds[0].cmpgt(high).any() || low.cmpgt(other.bounds[1]).any() {
                continue;
            }
            let Some([start, end]) = part_within(edge.ends, other) else {
                continue;
            };
            let middle = from + along * (start + end) / 2.0;
            let at: Vec<(DVec3, &Facet)> = other
                .facets()
                .filter(|(side, _)| height(side, middle) > -AT)
                .map(|(side, facet)| (normal(side), facet))
                .collect();
            // Two sides that lie on each other beside the line are a good enough seal.
            let rests = |&(n, facet): &(DVec3, &Facet)| {
                let mut own = edge.facets.iter().zip(edge.normals);
                own.any(|(f, m)| m.dot(n) < -PARALLEL && overlap(&f.corners, &facet.corners, n, AT))
            };
            let overlaps = at.iter().all(|(n, _)| n.dot(inwards) < 0.0);
            // Where two edges meet, only one of the solids gets the bar.
            let is_others = at.len() > 1 && b < a;
            let is_alone = !overlaps && !is_others && !at.iter().any(rests);
            if is_alone && edge.is_hidden([start, end]) {
                bars.extend(bar(&edge, [start, end]));
            }
        }
    }
    bars
}

/// An edge between two visible sides.
struct Edge<'a> {
    ends: [DVec3; 2],
    normals: [DVec3; 2],
    facets: [&'a Facet; 2],
    material: u32,
}

impl Edge<'_> {
    /// Whether unreached air touches this part of the edge; steps from its start.
    fn is_hidden(&self, [start, end]: [f64; 2]) -> bool {
        let [from, to] = self.ends;
        let along = (to - from).normalize_or_zero();
        let ends = [start, end].map(|t| from + along * t);
        self.facets.iter().zip(self.normals).any(|(facet, normal)| {
            let out = along.cross(normal) * (2.0 * AT);
            let strip = [ends[0] - out, ends[1] - out, ends[1] + out, ends[0] + out];
            let mut hidden = facet.hidden.iter();
            hidden.any(|t| overlap(&strip, t, normal, 0.5 * AT))
        })
    }
}

fn seen_edges<'a>(solid: &'a BrushFacets) -> Vec<Edge<'a>> {
    let seen: Vec<_> = solid.facets().filter(|(_, facet)| facet.seen).collect();
    let edges = |facet: &Facet| {
        let n = facet.corners.len();
        let ends = |k: usize| [facet.corners[k], facet.corners[(k + 1) % n]];
        (0..n).map(ends).collect::<Vec<_>>()
    };
    let mut list = Vec::new();
    for (k, (side, facet)) in seen.iter().enumerate() {
        for [from, to] in edges(facet) {
            for (other, twin) in &seen[k + 1..] {
                if edges(twin).contains(&[to, from]) {
                    list.push(Edge {
                        ends: [from, to],
                        normals: [normal(side), normal(other)],
                        facets: [*facet, *twin],
                        material: side.material,
                    });
                }
            }
        }
    }
    list
}

/// The part of a segment that lies in a solid or close to it, in steps from its start; None where it is short.
fn part_within([from, to]: [DVec3; 2], solid: &BrushFacets) -> Option<[f64; 2]> {
    let length = from.distance(to);
    let (mut start, mut end) = (0.0f64, length);
    for (side, _) in solid.facets() {
        let (h, next) = (height(side, from) - AT, height(side, to) - AT);
        if h > 0.0 && next > 0.0 {
            return None;
        }
        let cross = length * h / (h - next);
        match (h > 0.0, next > 0.0) {
            (true, false) => start = start.max(cross),
            (false, true) => end = end.min(cross),
            _ => {}
        }
    }
    (end - start > BAR * 4.0).then_some([start, end])
}

/// A bar of square section around a part of an edge; None where rounding to the grid leaves nothing of it.
fn bar(edge: &Edge, [start, end]: [f64; 2]) -> Option<BrushDesc> {
    let [from, to] = edge.ends;
    let along = (to - from).normalize_or_zero();
    let u = along.any_orthonormal_vector();
    let v = along.cross(u);
    let ends = [start, end].map(|t| from + along * t);
    let middle = (ends[0] + ends[1]) / 2.0;
    let half = (end - start) / 2.0;
    let out = [u, -u, v, -v].map(|out| (middle + out * BAR, out));
    let caps = [(ends[0], -along), (ends[1], along)];
    let sides = out.into_iter().chain(caps).map(|(on, out)| {
        // The three points are as far apart as the bar is long, so that the rounded plane errs by a step at most within
        // the bar.
        let is_cap = out.dot(along).abs() > 0.5;
        let u = if is_cap { u * WIDE } else { along * half };
        let v = out.cross(u).normalize() * WIDE;
        let points = [on - u, on + u, on + v].map(|p| p.round().as_i64vec3());
        SideDesc {
            points,
            material: edge.material,
        }
    });
    let brush = BrushDesc {
        sides: sides.collect(),
    };
    let is_around = |side: &SideDesc| height(side, middle) < 0.0;
    brush.sides.iter().all(is_around).then_some(brush)
}
