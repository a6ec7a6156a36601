//! Contacts of a body with solids that move, now or before the tick ends.
//!
//! They are found as those with walls are, in the home frame of each solid as it lies when the tick begins, with the paths
//! of the balls relative to it: there the solid is at rest.
use super::active_body::{ActiveBody, MovingBall};
use super::ball::Ball;
use super::body::Body;
use super::contact::{CONTACT_MARGIN, Contact, ContactConstraints};
use super::forces::Forces;
use super::kinematic::Kinematic;
use super::manifold::ManifoldPoint;
use super::wall_contacts::{add_points, buffer, find_touches, reduce_by_side, remove_duplicates};
use crate::bvh::{QueryStats, Touch};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

/// Adds the contacts of a body with solids.
pub(super) fn add_solid_contacts(
    (active, body, balls): (&ActiveBody, &Body, &[MovingBall]),
    solids: &[Kinematic],
    forces: &Forces,
    (contacts, stats): (&mut ContactConstraints, &mut QueryStats),
) {
    if solids.is_empty() {
        return;
    }
    let reach = body.radius + active.turning + forces.buffer + CONTACT_MARGIN;
    let swept = Aabb::from_corners(body.position, body.position + active.motion.path).grow(reach);
    for (index, solid) in (0u32..).zip(solids) {
        if solid.bounds().overlaps(&swept) {
            let bodies = [active.body, Contact::solid(index)];
            add_contacts(bodies, balls, solid, forces, (contacts, stats));
        }
    }
}

/// Adds the contacts with one solid.
fn add_contacts(
    bodies: [u32; 2],
    balls: &[MovingBall],
    solid: &Kinematic,
    forces: &Forces,
    (contacts, stats): (&mut ContactConstraints, &mut QueryStats),
) {
    let at_home: SmallVec<[MovingBall; 1]> =
        balls.iter().map(|ball| relative(ball, solid)).collect();
    let mut touches: SmallVec<[Touch; 16]> = SmallVec::new();
    let mut found: SmallVec<[ManifoldPoint; 32]> = SmallVec::new();
    for (position, ball) in (0u16..).zip(&at_home) {
        let Ball { centre, radius } = ball.ball;
        let kept = buffer(ball, forces);
        let swept = Aabb::from_corners(centre, centre + ball.path);
        let swept = swept.grow(radius + kept + CONTACT_MARGIN);
        if !swept.overlaps(&solid.solid.bounds) {
            continue;
        }
        touches.clear();
        let each_touch = |centre: DVec3, reach: f64, visit: &mut dyn FnMut(Touch)| {
            solid.solid.each_touch(centre, reach, stats, visit);
        };
        let (_, must_sweep) = find_touches(ball, f64::INFINITY, forces, each_touch, &mut touches);
        remove_duplicates(&mut touches);
        let hit = must_sweep.then(|| {
            let to = centre + ball.path;
            solid.solid.sweep_sphere(centre, to, radius + kept, stats)
        });
        let hit = hit.flatten();
        let hit = hit.map(|hit| (hit.normal, -ball.path.dot(hit.normal) * hit.fraction));
        add_points((position, ball), kept, &touches, hit, &mut found);
    }
    let middle = solid.solid.bounds.centre();
    let turn = solid.before.turn;
    reduce_by_side(found, |point| {
        let position = usize::from(point.balls[0]);
        let (ball, home) = (&balls[position], &at_home[position]);
        // Only where the solid turns does it matter where it is touched.
        let arm = solid
            .is_turning()
            .then(|| turn * (contact_point(home, point, forces) - middle));
        contacts.add(
            bodies,
            (turn * point.normal, point.gap),
            [ball.ball.radius, 0.0],
            [ball.offset, arm],
        );
    });
}

/// A ball in the home frame of a solid when the tick begins, with its path relative to the solid.
fn relative(ball: &MovingBall, solid: &Kinematic) -> MovingBall {
    let Ball { centre, radius } = ball.ball;
    let from = solid.before.to_home(centre);
    MovingBall {
        ball: Ball {
            centre: from,
            radius,
        },
        offset: ball.offset.map(|o| solid.before.turn.conjugate() * o),
        path: solid.after.to_home(centre + ball.path) - from,
        ..*ball
    }
}

/// Where a ball touches the solid in its home frame, when the gap closes; now if it does not.
fn contact_point(home: &MovingBall, point: &ManifoldPoint, forces: &Forces) -> DVec3 {
    let Ball { centre, radius } = home.ball;
    let approach = -home.path.dot(point.normal);
    let (way, gap) = if 0.0 < point.gap && point.gap < approach {
        (home.path * (point.gap / approach), 0.0)
    } else {
        (DVec3::ZERO, point.gap)
    };
    centre + way - point.normal * (radius + buffer(home, forces) + gap)
}
