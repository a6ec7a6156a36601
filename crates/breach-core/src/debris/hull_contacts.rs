//! Contacts of two hulls: the separating axis test, then clipping.
//!
//! The axes are the normals of all faces, and the cross products of those edges whose arcs on the Gauss map cross
//! (Gottschalk, Lin and Manocha 1996; Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013). Along a
//! face's axis the other hull's face is clipped by its sides ([`clipping`]); along an edges' axis there is one point. The
//! ball against a hull is in [`ball`].
//!
//! Differences to the sources: a face or an edge is looked at only if a point of the other hull allows its separation to be
//! greater than what is found already, which leaves few of them; and the axis of the last tick is kept while no other is
//! clearly better.
//!
//! Conventions. Separations are signed, below zero where the hulls overlap; an axis points out of the hull that it is of.
mod ball;
mod clipping;
mod edges;
mod points;
#[cfg(test)]
mod tests;

use super::hull::Hull;
use crate::geom::unit_or_zero;
use clipping::clip_incident_face;
use edges::{EdgeAxis, EdgeSearch, best_edges};
use glam::{DMat3, DVec3};
use points::Points;
use smallvec::SmallVec;

pub(super) use ball::ball_hull_contact;

/// An axis is clearly better than another one if it separates by this much more, metres, ...
const CLEARLY: f64 = 0.001;
/// ... and by this part of the separation.
const CLEARLY_PART: f64 = 0.02;
/// An axis is that of the last tick if the cosine between them is greater than this: a turn of 2.6 degrees.
const SAME_AXIS: f64 = 0.999;

/// Numbers of features. A corner has its index, a face this and its index.
const FACE: u16 = 1 << 8;
/// The side of a face: this and its place in [`Hull::loops`].
const SIDE: u16 = 1 << 9;
/// An edge: this and its index.
const EDGE: u16 = 1 << 10;

/// A hull at its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedHull<'a> {
    pub hull: &'a Hull,
    /// World from chunk.
    pub axes: DMat3,
    /// Centre of mass, metres.
    pub position: DVec3,
}

/// A point where two hulls touch, or may touch soon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HullPoint {
    /// What touches, of each hull. Tells the point apart from the others of the pair, and stays while the same features
    /// touch.
    pub features: [u16; 2],
    /// From the second hull to the first, unit.
    pub normal: DVec3,
    /// Signed distance along the normal, metres; below zero they overlap.
    pub gap: f64,
    /// From each position to the point on the hull's own surface, metres: (pₐ + armₐ) − (p_b + arm_b) = normal · gap.
    pub arms: [DVec3; 2],
}

impl HullPoint {
    /// The same point with the second hull as the first.
    fn swapped(self) -> HullPoint {
        let ([f, g], [own, other]) = (self.features, self.arms);
        HullPoint {
            features: [g, f],
            normal: -self.normal,
            gap: self.gap,
            arms: [other, own],
        }
    }
}

/// The points, four at most, where two hulls are nearer than `distance` metres along the axis that separates them most.
/// None if an axis separates them by more. `last_normal` is that of the last tick, if they touched. The order is fixed by
/// the features.
pub(super) fn hull_contacts(
    a: &PlacedHull,
    b: &PlacedHull,
    distance: f64,
    last_normal: Option<DVec3>,
) -> SmallVec<[HullPoint; 4]> {
    let apart = a.position - b.position;
    let likely = last_normal.unwrap_or_else(|| unit_or_zero(apart));
    if separation_along(likely, a, b) > distance {
        return SmallVec::new();
    }
    let into_a = a.axes.transpose();
    let a_from_b = into_a * b.axes;
    let b_from_a = a_from_b.transpose();
    let b_in_a = into_a * -apart;
    let corners_b = Points::new(&b.hull.corners, |p| a_from_b * p + b_in_a);
    let Some(best_a) = best_face(a.hull, &corners_b, distance) else {
        return SmallVec::new();
    };
    let corners_a = Points::new(&a.hull.corners, |p| b_from_a * (p - b_in_a));
    let Some(best_b) = best_face(b.hull, &corners_a, distance) else {
        return SmallVec::new();
    };
    let greater = best_a.separation.max(best_b.separation);
    let clearly = CLEARLY + CLEARLY_PART * greater.abs();

    // Half of that in favour of the face of the last tick, and all of it against the second hull and against edges: so
    // neither rounding nor the solver's small motions change the axis to and fro.
    let mut faces = [(best_a, best_a.separation), (best_b, best_b.separation)];
    // Out of the first hull, in its frame.
    let last = last_normal.map(|normal| into_a * -normal);
    if let Some(last) = last {
        let near_a = nearest_face(a.hull, last);
        let near_b = nearest_face(b.hull, b_from_a * -last);
        let (side, hull, other, (face, cosine)) = if near_b.1 > near_a.1 {
            (1, b.hull, &corners_a, near_b)
        } else {
            (0, a.hull, &corners_b, near_a)
        };
        if cosine > SAME_AXIS {
            let axis = FaceAxis::new(hull, face, other);
            let score = axis.separation + 0.5 * clearly;
            if score > faces[side].1 {
                faces[side] = (axis, score);
            }
        }
    }
    let is_second = faces[1].1 - clearly > faces[0].1;
    let (face, score) = faces[usize::from(is_second)];

    let search = EdgeSearch {
        least: (score + 0.5 * clearly).min(distance),
        distance,
        better_than: score + clearly,
        last,
        favour: 0.5 * clearly,
    };
    let edges = best_edges(
        (a.hull, best_a.deepest(a.hull, &corners_b, 0.25 * clearly)),
        (b.hull, best_b.deepest(b.hull, &corners_a, 0.25 * clearly)),
        (&a_from_b, b_in_a),
        &search,
    );
    if let Some(edges) = edges {
        if edges.separation > distance {
            return SmallVec::new();
        }
        return edges_point(a, &edges, apart, distance)
            .into_iter()
            .collect();
    }
    if is_second {
        let normal_in_a = a_from_b * b.hull.faces[face.face].normal;
        let points = face_points(
            (b, &face),
            (a.hull, &corners_a),
            normal_in_a,
            -apart,
            distance,
        );
        points.map(HullPoint::swapped).collect()
    } else {
        let normal_in_b = b_from_a * a.hull.faces[face.face].normal;
        face_points(
            (a, &face),
            (b.hull, &corners_b),
            normal_in_b,
            apart,
            distance,
        )
        .collect()
    }
}

/// By how much an axis from the second hull to the first separates them, metres.
fn separation_along(axis: DVec3, a: &PlacedHull, b: &PlacedHull) -> f64 {
    let least = |placed: &PlacedHull, axis: DVec3| {
        let axis = placed.axes.transpose() * axis;
        let corners = placed.hull.corners.iter();
        corners.fold(f64::INFINITY, |least, p| smaller(p.dot(axis), least))
    };
    axis.dot(a.position - b.position) + least(a, axis) + least(b, -axis)
}

/// The smaller one, in one instruction: `f64::min` takes three to look for NaN.
#[inline(always)]
fn smaller(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

/// The normal of a face as axis.
#[derive(Clone, Copy, Debug)]
struct FaceAxis {
    /// Its index.
    face: usize,
    /// Of the other hull from the face's plane, metres.
    separation: f64,
    /// The corner of the other hull that is deepest below the plane.
    corner: usize,
}

impl FaceAxis {
    /// `other` are the corners of the other hull, in the frame of this one.
    fn new(hull: &Hull, face: usize, other: &Points) -> FaceAxis {
        let plane = &hull.faces[face];
        let (least, corner) = other.least(plane.normal);
        FaceAxis {
            face,
            separation: least - plane.offset,
            corner,
        }
    }

    /// The mean of the other hull's corners that are at most `band` metres higher than the deepest one. Of a hull that lies
    /// on the face it is in the middle of what lies there, and tells more edges apart than a corner does.
    fn deepest(&self, hull: &Hull, other: &Points, band: f64) -> DVec3 {
        let plane = &hull.faces[self.face];
        other.mean_below(plane.normal, plane.offset + self.separation + band)
    }
}

/// The face that separates most from the other hull, whose corners are in the frame of this one; the first of equal ones.
/// `None` if a face separates by more than `distance` metres.
fn best_face(hull: &Hull, other: &Points, distance: f64) -> Option<FaceAxis> {
    // No face separates by more than the height of any point of the other hull above it. The face with the middle highest
    // above it is likely to be the best one; the middle and the deepest corner below that one rule out most others.
    let mut start = (0, f64::NEG_INFINITY);
    for (i, face) in hull.faces.iter().enumerate() {
        let height = face.normal.dot(other.middle) - face.offset;
        if height > start.1 {
            start = (i, height);
        }
    }
    hull.faces.get(start.0)?;
    let mut best = FaceAxis::new(hull, start.0, other);
    if best.separation > distance {
        return None;
    }
    let mut deepest = other.at(best.corner);
    for (i, face) in hull.faces.iter().enumerate() {
        let greatest = best.separation + face.offset;
        let is_worse = |point: DVec3| face.normal.dot(point) <= greatest;
        if is_worse(deepest) || is_worse(other.middle) || i == start.0 {
            continue;
        }
        let separation = other.least_along(face.normal) - face.offset;
        if separation > distance {
            return None;
        }
        if separation > best.separation {
            best = FaceAxis::new(hull, i, other);
            deepest = other.at(best.corner);
        }
    }
    Some(best)
}

/// The face whose normal is nearest to a unit axis, and the cosine between them; the first of equal ones.
fn nearest_face(hull: &Hull, axis: DVec3) -> (usize, f64) {
    let mut nearest = (0, f64::NEG_INFINITY);
    for (i, face) in hull.faces.iter().enumerate() {
        let cosine = face.normal.dot(axis);
        if cosine > nearest.1 {
            nearest = (i, cosine);
        }
    }
    nearest
}

/// The points of a face's axis, as if its hull were the first. The other hull's corners are in the frame of this one,
/// `normal_there` is the normal in the other hull's frame, and `apart` this position minus that one.
fn face_points(
    (placed, axis): (&PlacedHull, &FaceAxis),
    other: (&Hull, &Points),
    normal_there: DVec3,
    apart: DVec3,
    distance: f64,
) -> impl Iterator<Item = HullPoint> {
    let axes = placed.axes;
    let outward = axes * placed.hull.faces[axis.face].normal;
    let points = clip_incident_face((placed.hull, axis), other, normal_there, distance);
    points.into_iter().map(move |p| {
        let there = axes * p.point;
        HullPoint {
            features: p.features,
            normal: -outward,
            gap: p.gap,
            arms: [there - outward * p.gap, there + apart],
        }
    })
}

/// The point where two edges pass each other: the middle between the points of both that are nearest to the other's line.
/// None if the hulls are apart and the lines pass beyond the ends of the edges.
fn edges_point(a: &PlacedHull, axis: &EdgeAxis, apart: DVec3, distance: f64) -> Option<HullPoint> {
    let [one, other] = &axis.edges;
    // Solve: (other.start + t other.along) − (one.start + s one.along) parallel to across.
    let across = one.along.cross(other.along);
    let between = other.start - one.start;
    let length_squared = across.length_squared();
    let s = between.cross(other.along).dot(across) / length_squared;
    let t = between.cross(one.along).dot(across) / length_squared;
    let (on_one, on_other) = (s.clamp(0.0, 1.0), t.clamp(0.0, 1.0));
    let beyond =
        (s - on_one).abs() * one.along.length() + (t - on_other).abs() * other.along.length();
    if axis.separation > 0.0 && beyond > distance {
        return None;
    }
    let points = [one.at(on_one), other.at(on_other)];
    let middle = (points[0] + points[1]) * 0.5;
    let half = axis.normal * (0.5 * axis.separation);
    Some(HullPoint {
        features: [EDGE + one.index, EDGE + other.index],
        normal: -(a.axes * axis.normal),
        gap: axis.separation,
        arms: [a.axes * (middle - half), a.axes * (middle + half) + apart],
    })
}
