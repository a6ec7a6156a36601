//! Narrow phase: the contacts of two bodies that touch, or may touch before the tick ends.
//!
//! Chunks that are nearly convex touch with their hulls, and what hits them fast, or is not convex, with its balls. Of those
//! only the balls near the other body's bounding box are tested, and the contacts are reduced to a manifold.
use super::active_body::{Motion, MovingBall, add_balls};
use super::ball::Ball;
use super::body::Body;
use super::contact::{CONTACT_MARGIN, ContactConstraints};
use super::hull_contacts::{PlacedHull, ball_hull_contact, hull_contacts};
use super::manifold::{ManifoldPoint, reduce};
use super::oriented_bounds::{OrientedBounds, overlaps_box_around};
use crate::collide::{SphereSweep, sweep_sphere_sphere};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

/// Two chunks are deep in each other if two of their balls overlap by more than this part of the smaller one's radius. The
/// normals of single balls then no longer tell which way is out.
const DEEP: f64 = 0.5;
/// Hulls that move farther than this part of their depth in a tick, relative to each other, may pass through each other: their
/// balls are swept.
const FAST: f64 = 0.5;

/// A body with its balls in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    index: u32,
    body: &'a Body,
    motion: Motion,
    /// Of a chunk.
    bounds: Option<&'a OrientedBounds>,
    /// Of a chunk that is nearly convex.
    hull: Option<PlacedHull<'a>>,
    /// May be missing if there is a hull: then [`Shape::with_balls`] makes them.
    balls: &'a [MovingBall],
}

impl<'a> Shape<'a> {
    /// `index` is that of the body.
    pub fn new(
        index: u32,
        body: &'a Body,
        bounds: Option<&'a OrientedBounds>,
        balls: &'a [MovingBall],
        motion: Motion,
    ) -> Shape<'a> {
        let placed = body.hull().zip(bounds).map(|(hull, bounds)| PlacedHull {
            hull,
            axes: bounds.axes,
            position: body.position,
        });
        Shape {
            index,
            body,
            motion,
            bounds,
            hull: placed,
            balls,
        }
    }

    /// Whether it may be within `distance` metres of a chunk's box, or within the contact margin.
    pub fn is_within(&self, bounds: &OrientedBounds, distance: f64) -> bool {
        let distance = distance.max(CONTACT_MARGIN);
        match self.bounds {
            Some(mine) if self.hull.is_some() => !mine.is_separated(bounds, distance),
            _ => self
                .balls
                .iter()
                .any(|b| bounds.is_within(&b.ball, distance)),
        }
    }

    /// The same shape with its balls, for which there is `room`.
    fn with_balls<'b>(&self, room: &'b mut Vec<MovingBall>) -> Shape<'b>
    where
        'a: 'b,
    {
        let mut shape: Shape<'b> = *self;
        if shape.balls.is_empty() {
            add_balls(room, self.body, self.bounds, self.motion, 0.0);
            shape.balls = room;
        }
        shape
    }

    /// How far the body may move in a tick for its hull to be tested, metres.
    fn slow(&self) -> f64 {
        match (&self.hull, self.balls) {
            (Some(placed), _) => placed.hull.depth() * FAST,
            (None, [ball]) => ball.ball.radius * FAST,
            (None, _) => f64::INFINITY,
        }
    }

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

/// Adds the contacts of two bodies, whose balls move by at most `travel` metres relative to each other in the tick. `last_normal`
/// tells the normal between them if they touched in the last step.
pub(super) fn add_body_contacts(
    a: &Shape,
    b: &Shape,
    travel: f64,
    last_normal: impl FnOnce() -> Option<DVec3>,
    contacts: &mut ContactConstraints,
) {
    if let (None, None, [one], [other]) = (a.bounds, b.bounds, a.balls, b.balls) {
        let bodies = [a.index, b.index];
        if let Some(contact) = ball_contact(one, other) {
            add(contacts, bodies, [one, other], contact);
        }
        return;
    }
    let distance = travel.max(CONTACT_MARGIN);
    let slow = a.slow().min(b.slow());
    let has_hull = a.hull.is_some() || b.hull.is_some();
    if has_hull {
        let near = distance.min(slow.max(CONTACT_MARGIN));
        if add_hull_contacts(a, b, near, last_normal, contacts) || travel <= slow {
            return;
        }
    }
    let mut made: [Vec<MovingBall>; 2] = Default::default();
    let [room, other_room] = &mut made;
    let (a, b) = (a.with_balls(room), b.with_balls(other_room));
    let mut mine: SmallVec<[u16; 64]> = SmallVec::new();
    // The box around those, grown by the distance.
    let mut around = Aabb::from_centre(a.body.position, DVec3::NEG_INFINITY);
    b.each_near(&a, distance, |i, ball| {
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
    let bodies = [a.index, b.index];
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

/// Adds the contacts of two bodies, one of which has a hull or both, that are nearer than `distance` metres or come as near as
/// the contact margin in the tick. False if there are none.
fn add_hull_contacts(
    a: &Shape,
    b: &Shape,
    distance: f64,
    last_normal: impl FnOnce() -> Option<DVec3>,
    contacts: &mut ContactConstraints,
) -> bool {
    let bodies = [a.index, b.index];
    let from = contacts.list.len();
    // Between bodies that pass each other there is no contact.
    let meets = |normal: DVec3, gap: f64, arms: [DVec3; 2]| {
        let path = a.motion.of_point(arms[0]) - b.motion.of_point(arms[1]);
        gap <= CONTACT_MARGIN || gap + path.dot(normal) <= CONTACT_MARGIN
    };
    match (&a.hull, &b.hull) {
        (Some(one), Some(other)) => {
            for point in hull_contacts(one, other, distance, last_normal()) {
                let (normal, gap) = (point.normal, point.gap);
                if meets(normal, gap, point.arms) {
                    let arms = point.arms.map(Some);
                    contacts.add(bodies, (normal, gap), [0.0; 2], arms);
                }
            }
        }
        (Some(hull), None) => add_balls_on_hull((b, a), hull, distance, true, contacts, meets),
        (None, Some(hull)) => add_balls_on_hull((a, b), hull, distance, false, contacts, meets),
        (None, None) => {}
    }
    contacts.list.len() > from
}

/// Adds the contacts of the balls of `one` with the hull of `other`, which is the first body of the contacts if
/// `is_hull_first`.
fn add_balls_on_hull(
    (one, other): (&Shape, &Shape),
    hull: &PlacedHull,
    distance: f64,
    is_hull_first: bool,
    contacts: &mut ContactConstraints,
    meets: impl Fn(DVec3, f64, [DVec3; 2]) -> bool,
) {
    let mut found: SmallVec<[ManifoldPoint; 32]> = SmallVec::new();
    // By point: the contact from the hull's centre of mass.
    let mut on_hull: SmallVec<[DVec3; 32]> = SmallVec::new();
    other.each_near(one, distance, |i, ball| {
        let Some(contact) = ball_hull_contact(ball.centre, ball.radius, hull, distance) else {
            return;
        };
        let moving = &one.balls[usize::from(i)];
        let arm = moving.offset.unwrap_or(DVec3::ZERO) - contact.normal * ball.radius;
        let (normal, arms) = match is_hull_first {
            true => (-contact.normal, [contact.arm, arm]),
            false => (contact.normal, [arm, contact.arm]),
        };
        if meets(normal, contact.gap, arms) {
            let path = moving.path - other.motion.of_point(contact.arm);
            let places = [i, on_hull.len() as u16];
            let point = ManifoldPoint::new(moving, places, contact.normal, contact.gap, path);
            found.push(point);
            on_hull.push(contact.arm);
        }
    });
    for point in reduce(&found) {
        let [i, k] = point.balls.map(usize::from);
        let ball = &one.balls[i];
        let mut bodies = [one.index, other.index];
        let (mut radii, mut offsets) = ([ball.ball.radius, 0.0], [ball.offset, Some(on_hull[k])]);
        let mut normal = point.normal;
        if is_hull_first {
            bodies.reverse();
            radii.reverse();
            offsets.reverse();
            normal = -normal;
        }
        contacts.add(bodies, (normal, point.gap), radii, offsets);
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
    contacts.add(bodies, contact, radii, [a.offset, b.offset]);
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
