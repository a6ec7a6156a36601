//! The points where two hulls touch along the normal of a face: the other hull's face, clipped.
//!
//! Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974. Corners that lie nearly on a side count as on it, so that
//! what is flush stays the same feature. Then at most four points are kept.
use super::super::hull::{Hull, HullFace};
use super::points::Points;
use super::{FACE, FaceAxis, SIDE};
use crate::geom::unit_or_zero;
use glam::DVec3;
use smallvec::SmallVec;

/// A corner this near to the plane of a side lies on it, metres.
const ON_SIDE: f64 = 1e-4;
/// Points are equally deep up to this, metres.
pub(super) const EQUALLY_DEEP: f64 = 1e-4;
/// What is greater by no more than this part is equal.
const EQUAL_PART: f64 = 1e-6;
/// A point with a gap may not touch at all: it counts as less far away, by its gap times this.
const GAP_WEIGHT: f64 = 4.0;

/// A point of the clipped face, in the frame of the reference face's hull.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacePoint {
    /// On the other hull's face.
    pub point: DVec3,
    /// Above the reference face, metres.
    pub gap: f64,
    /// Of the reference hull, and of the other one.
    pub features: [u16; 2],
}

/// Where a side of the clipped polygon comes from, with its place in [`Hull::loops`].
#[derive(Clone, Copy, Debug)]
enum Side {
    Reference(u16),
    Incident(u16),
}

#[derive(Clone, Copy, Debug)]
struct Corner {
    point: DVec3,
    /// As those of [`FacePoint`].
    features: [u16; 2],
    /// The one that follows.
    side: Side,
}

type Polygon = SmallVec<[Corner; 64]>;

/// The points of the other hull's face that lie above or below the reference face, nearer than `distance`; four at most,
/// ordered by features. `points` are the other hull's corners in the reference frame, and `normal_there` is the reference
/// face's normal in the other hull's frame.
pub(super) fn clip_incident_face(
    (reference, axis): (&Hull, &FaceAxis),
    (incident, points): (&Hull, &Points),
    normal_there: DVec3,
    distance: f64,
) -> SmallVec<[FacePoint; 4]> {
    let face = &reference.faces[axis.face];
    let reference_face = FACE + axis.face as u16;
    let Some((index, other)) = incident_face(incident, axis.corner, normal_there) else {
        return SmallVec::new();
    };
    let (mut first, mut second) = (Polygon::new(), Polygon::new());
    let (mut polygon, mut clipped) = (&mut first, &mut second);
    for place in other.corners.clone() {
        let corner = incident.loops[usize::from(place)];
        polygon.push(Corner {
            point: points.at(usize::from(corner)),
            features: [reference_face, u16::from(corner)],
            side: Side::Incident(place),
        });
    }
    for place in face.corners.clone() {
        let [from, to] = side_of(reference, face, place);
        let outward = unit_or_zero((to - from).cross(face.normal));
        let features = |side: Side| match side {
            Side::Incident(edge) => [SIDE + place, SIDE + edge],
            Side::Reference(side) => [corner_between(reference, face, side, place), FACE + index],
        };
        if clip(
            polygon,
            (outward, outward.dot(from)),
            place,
            features,
            clipped,
        ) {
            std::mem::swap(&mut polygon, &mut clipped);
        }
    }
    let mut found: SmallVec<[FacePoint; 64]> = SmallVec::new();
    for corner in polygon.iter() {
        let gap = corner.point.dot(face.normal) - face.offset;
        if gap <= distance {
            found.push(FacePoint {
                point: corner.point,
                gap,
                features: corner.features,
            });
        }
    }
    // Hulls that overlap touch somewhere. The deepest corner may lie beside the face if another axis was slightly better.
    if axis.separation <= 0.0 && found.iter().all(|point| point.gap > 0.0) {
        found.push(FacePoint {
            point: points.at(axis.corner),
            gap: axis.separation,
            features: [reference_face, axis.corner as u16],
        });
    }
    found.sort_unstable_by_key(|point| point.features);
    let chosen = choose_four(&found, face.normal);
    chosen.into_iter().map(|i| found[i]).collect()
}

/// Of the faces around a corner, the one that is most against an axis: index and face.
fn incident_face(hull: &Hull, corner: usize, axis: DVec3) -> Option<(u16, &HullFace)> {
    let mut best: Option<(u16, &HullFace)> = None;
    let mut least = f64::INFINITY;
    for (index, face) in (0u16..).zip(&hull.faces) {
        let range = usize::from(face.corners.start)..usize::from(face.corners.end);
        let along = face.normal.dot(axis);
        if along < least && hull.loops[range].contains(&(corner as u8)) {
            least = along;
            best = Some((index, face));
        }
    }
    best
}

/// The ends of the side of a face that starts at a place of its loop.
pub(super) fn side_of(hull: &Hull, face: &HullFace, place: u16) -> [DVec3; 2] {
    let is_last = place + 1 == face.corners.end;
    let next = if is_last {
        face.corners.start
    } else {
        place + 1
    };
    [place, next].map(|place| hull.corners[usize::from(hull.loops[usize::from(place)])])
}

/// The feature where two sides of the reference face meet, `one` before `other` in its loop: their common corner.
fn corner_between(hull: &Hull, face: &HullFace, one: u16, other: u16) -> u16 {
    let corner = |place: u16| u16::from(hull.loops[usize::from(place)]);
    if one + 1 == other {
        corner(other)
    } else if one == face.corners.start && other + 1 == face.corners.end {
        corner(one)
    } else {
        // Sides that meet beyond others only by rounding.
        SIDE + other
    }
}

/// Clips a polygon by a plane, the points with outward·p <= offset, which is the side at `place` of the reference face.
/// `false` if nothing is outside: then `clipped` is not written. `features` tells those of the point where the plane cuts a
/// side.
#[inline]
fn clip(
    polygon: &Polygon,
    (outward, offset): (DVec3, f64),
    place: u16,
    features: impl Fn(Side) -> [u16; 2],
    clipped: &mut Polygon,
) -> bool {
    let heights = polygon.iter().map(|c| outward.dot(c.point) - offset);
    let heights: SmallVec<[f64; 64]> = heights.collect();
    if heights.iter().all(|&height| height <= ON_SIDE) {
        return false;
    }
    clipped.clear();
    for (i, corner) in polygon.iter().enumerate() {
        let next = if i + 1 == polygon.len() { 0 } else { i + 1 };
        let (height, next_height) = (heights[i], heights[next]);
        let cut = |side: Side| Corner {
            point: corner
                .point
                .lerp(polygon[next].point, height / (height - next_height)),
            features: features(corner.side),
            side,
        };
        match (height <= ON_SIDE, next_height <= ON_SIDE) {
            (true, true) => clipped.push(*corner),
            (true, false) if height >= -ON_SIDE => clipped.push(Corner {
                side: Side::Reference(place),
                ..*corner
            }),
            (true, false) => {
                clipped.push(*corner);
                clipped.push(cut(Side::Reference(place)));
            }
            (false, true) if next_height < -ON_SIDE => clipped.push(cut(corner.side)),
            (false, _) => {}
        }
    }
    true
}

/// Chooses at most four points: the deepest, the one farthest from it, and the two that add the most area. Their indices,
/// in order. Of nearly equal ones the first is taken, so that a body at rest keeps its points.
fn choose_four(points: &[FacePoint], normal: DVec3) -> SmallVec<[usize; 4]> {
    if points.len() <= 4 {
        return (0..points.len()).collect();
    }
    let depth = points.iter().fold(f64::INFINITY, |d, p| d.min(p.gap)) + EQUALLY_DEEP;
    let deepest = points.iter().position(|p| p.gap <= depth).unwrap_or(0);
    let start = &points[deepest];
    let loss = |p: &FacePoint| GAP_WEIGHT * (p.gap.max(0.0) - start.gap.max(0.0));
    let farthest = greatest(points, |p| start.point.distance(p.point) - loss(p));
    let reach = start.point.distance(points[farthest].point);
    // Twice the area of a triangle, above zero if it is counter-clockwise.
    let area = |a: usize, b: usize, p: &FacePoint| {
        let from = points[a].point;
        let side = points[b].point - from;
        side.cross(p.point - from).dot(normal)
    };
    let widest = greatest(points, |p| {
        area(deepest, farthest, p).abs() - loss(p) * reach
    });
    let (a, b, c) = if area(deepest, farthest, &points[widest]) < 0.0 {
        (farthest, deepest, widest)
    } else {
        (deepest, farthest, widest)
    };
    let last = greatest(points, |p| {
        let outside = (-area(a, b, p)).max(-area(b, c, p)).max(-area(c, a, p));
        outside - loss(p) * reach
    });
    let mut chosen = SmallVec::from([deepest, farthest, widest, last]);
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The index of the greatest value; the first of nearly equal ones.
fn greatest(points: &[FacePoint], value: impl Fn(&FacePoint) -> f64) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, point) in points.iter().enumerate() {
        let value = value(point);
        if i == 0 || value - best.1 > EQUAL_PART * best.1.abs() {
            best = (i, value);
        }
    }
    best.0
}
