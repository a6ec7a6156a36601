//! Narrow phase: the contacts of two bodies that touch, or may touch before the tick ends.
//!
//! Of a chunk only the balls near the other body's bounding box are tested, and the contacts are reduced to a manifold.
use super::active_body::MovingBall;
use super::ball::Ball;
use super::contact::{CONTACT_MARGIN, ContactConstraints};
use super::manifold::{ManifoldPoint, reduce};
use super::oriented_bounds::{OrientedBounds, overlaps_box_around};
use crate::collide::{SphereSweep, sweep_sphere_sphere};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

/// Two chunks are deep in each other if two of their balls overlap by more than this part of the smaller one's radius. The
/// normals of single balls then no longer tell which way is out.
const DEEP: f64 = 0.5;

/// A body with its balls in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub body: u32,
    pub position: DVec3,
    /// Of a chunk.
    pub bounds: Option<&'a OrientedBounds>,
    pub balls: &'a [MovingBall],
}

impl Shape<'_> {
    /// Calls `visit` with the position and the ball of each ball of `other` within `distance` metres of this crumb, or of
    /// this chunk's bounding box.
    fn each_near(&self, other: &Shape, distance: f64, mut visit: impl FnMut(u16, &Ball)) {
        let is_near = |theirs: &MovingBall| match (self.bounds, self.balls) {
            (Some(bounds), _) => bounds.is_within(&theirs.ball, distance),
            (None, own) => own.iter().any(|own| {
                let reach = own.ball.radius + theirs.ball.radius + distance;
                own.ball.centre.distance_squared(theirs.ball.centre) < reach * reach
            }),
        };
        for (i, theirs) in (0u16..).zip(other.balls) {
            if is_near(theirs) {
                visit(i, &theirs.ball);
            }
        }
    }
}

/// Adds the contacts of two bodies, whose balls move by at most `travel` metres relative to each other in the tick.
pub(super) fn add_body_contacts(
    a: &Shape,
    b: &Shape,
    travel: f64,
    contacts: &mut ContactConstraints,
) {
    if let (None, None, [one], [other]) = (a.bounds, b.bounds, a.balls, b.balls) {
        let bodies = [a.body, b.body];
        if let Some(contact) = ball_contact(one, other) {
            add(contacts, bodies, [one, other], contact);
        }
        return;
    }
    let distance = travel.max(CONTACT_MARGIN);
    if let (Some(bounds), Some(other)) = (a.bounds, b.bounds)
        && bounds.is_separated(other, distance)
    {
        return;
    }
    let mut mine: SmallVec<[u16; 64]> = SmallVec::new();
    // The box around those, grown by the distance.
    let mut around = Aabb::from_centre(a.position, DVec3::NEG_INFINITY);
    b.each_near(a, distance, |i, ball| {
        mine.push(i);
        around = around.union(&Aabb::from_centre(
            ball.centre,
            DVec3::splat(ball.radius + distance),
        ));
    });
    if mine.is_empty() {
        return;
    }
    let theirs = (0u16..)
        .zip(b.balls)
        .filter(|(_, theirs)| overlaps_box_around(&around, &theirs.ball));
    let theirs: SmallVec<[u16; 64]> = theirs.map(|(j, _)| j).collect();
    let mut found: SmallVec<[ManifoldPoint; 32]> = SmallVec::new();
    for &i in &mine {
        let one = &a.balls[usize::from(i)];
        for &j in &theirs {
            let other = &b.balls[usize::from(j)];
            let reach = one.ball.radius + other.ball.radius + distance;
            if one.ball.centre.distance_squared(other.ball.centre) < reach * reach
                && let Some((normal, gap)) = ball_contact(one, other)
            {
                let path = one.path - other.path;
                found.push(ManifoldPoint::new(one, [i, j], normal, gap, path));
            }
        }
    }
    let bodies = [a.body, b.body];
    let is_deep = |point: &ManifoldPoint| {
        let [i, j] = point.balls.map(usize::from);
        point.gap < -DEEP * a.balls[i].ball.radius.min(b.balls[j].ball.radius)
    };
    if let (Some(bounds), Some(other)) = (a.bounds, b.bounds)
        && found.iter().any(is_deep)
    {
        let normal = bounds.least_penetration_axis(other);
        for point in &mut found {
            let [i, j] = point.balls.map(usize::from);
            point.set_normal(normal, &a.balls[i], &b.balls[j]);
        }
    }
    for point in reduce(&found) {
        let [i, j] = point.balls.map(usize::from);
        let both = [&a.balls[i], &b.balls[j]];
        add(contacts, bodies, both, (point.normal, point.gap));
    }
}

/// Adds the contact of two balls: normal and gap.
#[inline]
fn add(
    contacts: &mut ContactConstraints,
    bodies: [u32; 2],
    [a, b]: [&MovingBall; 2],
    contact: (DVec3, f64),
) {
    let radii = [a.ball.radius, b.ball.radius];
    contacts.add(
        bodies,
        [a.index, b.index],
        contact,
        radii,
        [a.offset, b.offset],
    );
}

/// Normal and gap of two balls that are near each other or meet within the tick.
#[inline]
fn ball_contact(a: &MovingBall, b: &MovingBall) -> Option<(DVec3, f64)> {
    let apart = a.ball.centre - b.ball.centre;
    let distance = apart.length();
    let both = a.ball.radius + b.ball.radius;
    let gap = distance - both;
    let path = a.path - b.path;
    if gap > CONTACT_MARGIN && path.length_squared() <= gap * gap {
        return None;
    }
    if gap <= CONTACT_MARGIN {
        // Equal centres: any normal will do.
        let normal = if distance > 0.0 {
            apart / distance
        } else {
            DVec3::Y
        };
        Some((normal, gap))
    } else {
        let sweep = SphereSweep::new(a.ball.centre, a.ball.centre + a.path, a.ball.radius)?;
        let hit = sweep_sphere_sphere(&sweep, b.ball.centre, b.path, b.ball.radius)?;
        Some((hit.normal, -path.dot(hit.normal) * hit.fraction))
    }
}
