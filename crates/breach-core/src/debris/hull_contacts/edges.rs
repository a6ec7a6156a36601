//! The axes of two hulls that are perpendicular to an edge of each.
//!
//! On the Gauss map an edge is the arc between the normals of its faces. The cross product of two edges counts only where
//! the arc of the one crosses the arc of the other with its normals turned round: there the Minkowski difference of the
//! hulls has a face (Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013).
use super::super::hull::{Hull, HullEdge};
use super::SAME_AXIS;
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

/// Edges that are parallel up to the sine of which this is the square have no axis: faces separate them as well.
const PARALLEL_SQUARED: f64 = 1e-6;

/// What an axis must be to count.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeSearch {
    /// Axes that separate by no more than this do not matter, metres.
    pub least: f64,
    /// One that separates by more than this ends the search, metres.
    pub distance: f64,
    /// The score of the best face, and what an edge must be better by.
    pub better_than: f64,
    /// The axis of the last tick, out of the first hull.
    pub last: Option<DVec3>,
    /// Added to the score of the axis of the last tick, metres.
    pub favour: f64,
}

/// An edge with the normals of its faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// In [`Hull::edges`].
    pub index: u16,
    pub start: DVec3,
    /// From the start to the end; along the cross product of the normals.
    pub along: DVec3,
    pub normals: [DVec3; 2],
}

impl Edge {
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.start + self.along * fraction
    }
}

/// The axis of two edges, in the frame of the first hull.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeAxis {
    pub edges: [Edge; 2],
    /// Out of the first hull, unit.
    pub normal: DVec3,
    /// Metres.
    pub separation: f64,
}

/// The best axis of an edge of each hull, or one that ends the search. With each hull comes a point of the other one, in
/// its own frame; `a_from_b` are the turn and the shift that take the frame of `b` to that of `a`.
pub(super) fn best_edges(
    (a, point_of_b): (&Hull, DVec3),
    (b, point_of_a): (&Hull, DVec3),
    (turn, shift): (&DMat3, DVec3),
    search: &EdgeSearch,
) -> Option<EdgeAxis> {
    let mut mine: SmallVec<[Edge; 32]> = SmallVec::new();
    each_edge_that_may_separate(a, point_of_b, search.least, |edge| mine.push(edge));
    if mine.is_empty() {
        return None;
    }
    let mut theirs: SmallVec<[Edge; 32]> = SmallVec::new();
    each_edge_that_may_separate(b, point_of_a, search.least, |edge| {
        theirs.push(Edge {
            start: *turn * edge.start + shift,
            along: *turn * edge.along,
            normals: edge.normals.map(|normal| *turn * normal),
            ..edge
        });
    });
    let mut best = None;
    let mut score = search.better_than;
    for one in &mine {
        for other in &theirs {
            if !do_arcs_cross(one, other) {
                continue;
            }
            let Some((normal, separation)) = axis_of(one, other) else {
                continue;
            };
            if separation <= search.least {
                continue;
            }
            let axis = EdgeAxis {
                edges: [*one, *other],
                normal,
                separation,
            };
            if separation > search.distance {
                return Some(axis);
            }
            let is_last = search.last.is_some_and(|last| last.dot(normal) > SAME_AXIS);
            let own = separation + if is_last { search.favour } else { 0.0 };
            if own > score {
                score = own;
                best = Some(axis);
            }
        }
    }
    best
}

/// Visits the edges with an axis along which a point of the other hull is higher than `least` metres above them.
#[inline(always)]
fn each_edge_that_may_separate(hull: &Hull, point: DVec3, least: f64, mut visit: impl FnMut(Edge)) {
    for (index, edge) in (0u16..).zip(&hull.edges) {
        let (start, normals) = ends_and_normals(hull, edge);
        if is_ever_higher(normals, point - start[0], least) {
            visit(Edge {
                index,
                start: start[0],
                along: start[1] - start[0],
                normals,
            });
        }
    }
}

#[inline(always)]
fn ends_and_normals(hull: &Hull, edge: &HullEdge) -> ([DVec3; 2], [DVec3; 2]) {
    let ends = edge.corners.map(|i| hull.corners[usize::from(i)]);
    let normals = edge.faces.map(|i| hull.faces[usize::from(i)].normal);
    (ends, normals)
}

/// Whether n·v > `least` for any unit n on the shorter arc between two unit vectors.
#[inline(always)]
fn is_ever_higher(arc: [DVec3; 2], v: DVec3, least: f64) -> bool {
    let [x, y] = arc.map(|n| n.dot(v));
    let (low, high) = if x < y { (x, y) } else { (y, x) };
    if high > least {
        return true;
    }
    // Along the arc it is a cosine, whose greatest value lies at an end if it is below zero.
    if least <= 0.0 || high <= 0.0 {
        return false;
    }
    // Else it may lie between them: there it is the length of v's projection onto the plane of the arc.
    let cosine = arc[0].dot(arc[1]);
    let squared = x * x + y * y - 2.0 * cosine * x * y;
    low > cosine * high && squared > least * least * (1.0 - cosine * cosine)
}

/// Whether the arc of the one crosses the arc of the other with its normals turned round.
#[inline(always)]
fn do_arcs_cross(one: &Edge, other: &Edge) -> bool {
    // Each edge is perpendicular to the plane of its arc: the ends of the other arc must lie on both sides of it, ...
    let [c, d] = other.normals.map(|n| n.dot(one.along));
    if c * d >= 0.0 {
        return false;
    }
    let [a, b] = one.normals.map(|n| n.dot(other.along));
    // ... and the arcs on the same half of the sphere.
    a * b < 0.0 && c * a > 0.0
}

/// The axis out of the first hull and the separation; `None` for parallel edges.
#[inline(always)]
fn axis_of(one: &Edge, other: &Edge) -> Option<(DVec3, f64)> {
    let across = one.along.cross(other.along);
    let squared = across.length_squared();
    let lengths_squared = one.along.length_squared() * other.along.length_squared();
    if squared <= PARALLEL_SQUARED * lengths_squared {
        return None;
    }
    let length = squared.sqrt();
    let outward = across.dot(one.normals[0] + one.normals[1]);
    let normal = across / length.copysign(outward);
    Some((normal, normal.dot(other.start - one.start)))
}
