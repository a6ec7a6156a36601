//! The contact of a ball and a hull: the point of the hull that is nearest to the ball's centre.
use super::super::hull::{Hull, HullFace};
use super::PlacedHull;
use super::clipping::side_of;
use crate::collide::closest_point_segment;
use crate::geom::Segment;
use glam::DVec3;
use smallvec::SmallVec;

/// Where a ball and a hull touch, or may touch soon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::debris) struct BallHullContact {
    /// From the hull to the ball, unit.
    pub normal: DVec3,
    /// Signed distance along the normal, metres; below zero they overlap.
    pub gap: f64,
    /// From the hull's position to the point on its surface, metres.
    pub arm: DVec3,
}

/// The contact of a ball and a hull, `None` if they are farther apart than `distance` metres. A centre inside the hull goes
/// out through the nearest face.
pub(in crate::debris) fn ball_hull_contact(
    centre: DVec3,
    radius: f64,
    placed: &PlacedHull,
    distance: f64,
) -> Option<BallHullContact> {
    let hull = placed.hull;
    let p = placed.axes.transpose() * (centre - placed.position);
    let mut heights: SmallVec<[f64; 64]> = SmallVec::new();
    let mut highest = (0, f64::NEG_INFINITY);
    for (i, face) in hull.faces.iter().enumerate() {
        let height = face.normal.dot(p) - face.offset;
        if height > radius + distance {
            return None;
        }
        if height > highest.1 {
            highest = (i, height);
        }
        heights.push(height);
    }
    let (index, height) = highest;
    let face = hull.faces.get(index)?;
    let (normal, surface, away) = if height <= 0.0 || is_above(hull, face, p) {
        (face.normal, p - face.normal * height, height)
    } else {
        nearest_outside(hull, p, &heights, face.normal)?
    };
    let gap = away - radius;
    (gap <= distance).then(|| BallHullContact {
        normal: placed.axes * normal,
        gap,
        arm: placed.axes * surface,
    })
}

/// Normal, nearest point and distance of a point outside, which is `heights` above the faces' planes. The nearest point is
/// on a face that it is above, or on an edge of one whose plane it is above.
fn nearest_outside(
    hull: &Hull,
    p: DVec3,
    heights: &[f64],
    highest: DVec3,
) -> Option<(DVec3, DVec3, f64)> {
    for (face, &height) in hull.faces.iter().zip(heights) {
        if height > 0.0 && is_above(hull, face, p) {
            return Some((face.normal, p - face.normal * height, height));
        }
    }
    let mut nearest: Option<DVec3> = None;
    let mut least = f64::INFINITY;
    for edge in &hull.edges {
        if edge.faces.iter().all(|&i| heights[usize::from(i)] <= 0.0) {
            continue;
        }
        let [from, to] = edge.corners.map(|i| hull.corners[usize::from(i)]);
        let (point, _) = closest_point_segment(p, &Segment { from, to });
        let squared = point.distance_squared(p);
        if squared < least {
            least = squared;
            nearest = Some(point);
        }
    }
    let nearest = nearest?;
    let away = least.sqrt();
    // On the edge itself the nearest face tells which way is out.
    let normal = if away > 0.0 {
        (p - nearest) / away
    } else {
        highest
    };
    Some((normal, nearest, away))
}

/// Whether a point's projection onto the plane of a face is in the face.
fn is_above(hull: &Hull, face: &HullFace, p: DVec3) -> bool {
    face.corners.clone().all(|place| {
        let [from, to] = side_of(hull, face, place);
        (to - from).cross(p - from).dot(face.normal) >= 0.0
    })
}
