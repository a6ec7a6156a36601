//! Crumb against crumb: who overlaps whom by sweep and prune along x, and the impulse that parts them.
//!
//! Only velocities change here. Positions change by sweeps through the world, so no push can force a crumb into rock.
use super::Body;
use super::contact::{BOUNCE_SPEED, ROLLING, friction, resist_rolling};
use glam::DVec3;

/// A sleeping crumb that is hit faster than this, metres a second, wakes up.
const WAKING_SPEED: f64 = 0.5;
/// Overlap that is left alone, as a part of the smaller radius.
const SLOP: f64 = 0.05;
/// Crumbs that overlap part at no more than this, metres a second.
const PARTING_SPEED: f64 = 0.6;
/// Part of the approach speed that a bounce between crumbs keeps.
const RESTITUTION: f64 = 0.2;
/// Rounds of impulses in a tick: a pile is held up from below.
const ROUNDS: usize = 4;

/// Calls `visit(i, j)` for every pair of bodies of which at least one is awake and whose spheres, grown by `margin`,
/// overlap; in a fixed order.
pub fn each_pair(bodies: &[Body], margin: f64, visit: &mut dyn FnMut(usize, usize)) {
    let mut order: Vec<(f64, usize)> = bodies
        .iter()
        .enumerate()
        .map(|(i, b)| (b.position.x - b.radius, i))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (k, &(_, i)) in order.iter().enumerate() {
        let a = &bodies[i];
        let end = a.position.x + a.radius + margin;
        for &(start, j) in &order[k + 1..] {
            if start > end {
                break;
            }
            let b = &bodies[j];
            let reach = a.radius + b.radius + margin;
            if !(a.asleep && b.asleep) && a.position.distance_squared(b.position) < reach * reach {
                visit(i.min(j), i.max(j));
            }
        }
    }
}

/// Parts all overlapping crumbs: impulses end every approach, and `nudge` receives the velocity, for this tick's move
/// only, at which overlaps shrink; it is no momentum, so a pile gains no energy from it. `touching` is set for those
/// that met another.
pub fn separate(bodies: &mut [Body], touching: &mut [bool], nudge: &mut [DVec3]) {
    let mut pairs = Vec::new();
    each_pair(bodies, 0.0, &mut |i, j| pairs.push((i, j)));
    for round in 0..ROUNDS {
        for &(i, j) in &pairs {
            let (head, tail) = bodies.split_at_mut(j);
            let pair = (&mut head[i], &mut tail[0]);
            if round == 0 {
                touching[i] = true;
                touching[j] = true;
                let (a, b) = parting(pair.0, pair.1);
                nudge[i] += a;
                nudge[j] += b;
            }
            end_approach(pair.0, pair.1);
        }
    }
    for nudge in nudge.iter_mut() {
        *nudge = nudge.clamp_length_max(PARTING_SPEED);
    }
}

/// From `a` to `b`, unit; up where both are in one place.
fn axis(a: &Body, b: &Body) -> DVec3 {
    let apart = b.position - a.position;
    apart.try_normalize().unwrap_or(DVec3::Y)
}

/// One over the mass; a sleeper stands like a wall.
fn lightness(body: &Body) -> f64 {
    if body.asleep { 0.0 } else { 1.0 / body.mass() }
}

/// Velocities at which two overlapping crumbs drift apart, shared by their masses.
fn parting(a: &Body, b: &Body) -> (DVec3, DVec3) {
    let overlap =
        a.radius + b.radius - a.position.distance(b.position) - SLOP * a.radius.min(b.radius);
    let (light_a, light_b) = (lightness(a), lightness(b));
    if overlap <= 0.0 || light_a + light_b <= 0.0 {
        return (DVec3::ZERO, DVec3::ZERO);
    }
    let push = axis(a, b) * ((overlap * 6.0).min(PARTING_SPEED) / (light_a + light_b));
    (push * -light_a, push * light_b)
}

/// One impulse along the line of centres, with friction across it.
fn end_approach(a: &mut Body, b: &mut Body) {
    let normal = axis(a, b);
    let approach = (a.velocity - b.velocity).dot(normal);
    if approach <= 0.0 {
        return;
    }
    if approach > WAKING_SPEED {
        a.wake();
        b.wake();
    }
    let (light_a, light_b) = (lightness(a), lightness(b));
    if light_a + light_b <= 0.0 {
        return;
    }
    let restitution = if approach > BOUNCE_SPEED {
        RESTITUTION
    } else {
        0.0
    };
    let push = (1.0 + restitution) * approach / (light_a + light_b);
    let (arm_a, arm_b) = (normal * a.radius, normal * -b.radius);
    let slip = (b.velocity + b.spin.cross(arm_b)) - (a.velocity + a.spin.cross(arm_a));
    let slip = slip - normal * slip.dot(normal);
    let slip_speed = slip.length();
    let mut drag = DVec3::ZERO;
    if slip_speed > 0.0 {
        // Both sides give: for a unit mass between them the impulse and the push are so many times as large.
        let light = light_a + light_b;
        drag = slip * (-friction(slip_speed, push * light, ROLLING) / (light * slip_speed));
    }
    let impulse = normal * push + drag;
    a.velocity -= impulse * light_a;
    b.velocity += impulse * light_b;
    spin_by(a, arm_a, -drag * light_a, push * light_a);
    spin_by(b, arm_b, drag * light_b, push * light_b);
}

/// Turns a crumb by a change of velocity at the end of `arm`, and slows its roll as `push` presses.
fn spin_by(body: &mut Body, arm: DVec3, change: DVec3, push: f64) {
    let inertia = 0.4 * body.radius * body.radius;
    body.spin = resist_rolling(
        body.spin + arm.cross(change) / inertia,
        body.radius,
        push,
        ROLLING,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn sweep_and_prune_finds_the_pairs_of_the_double_loop() {
        let mut rng = Rng::new(11);
        let bodies: Vec<Body> = (0..200)
            .map(|i| {
                let mut body = Body::new(
                    rng.unit_vector() * rng.range(0.0, 2.0),
                    rng.range(0.02, 0.3),
                    0,
                );
                body.asleep = i % 3 == 0;
                body
            })
            .collect();
        let mut found = Vec::new();
        each_pair(&bodies, 0.01, &mut |i, j| found.push((i, j)));
        found.sort_unstable();
        let mut expected = Vec::new();
        for i in 0..bodies.len() {
            for j in i + 1..bodies.len() {
                let (a, b) = (&bodies[i], &bodies[j]);
                let near = a.position.distance(b.position) < a.radius + b.radius + 0.01;
                if near && !(a.asleep && b.asleep) {
                    expected.push((i, j));
                }
            }
        }
        assert!(expected.len() > 100);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_push_keeps_the_momentum_and_ends_the_approach() {
        let mut a = Body::new(DVec3::ZERO, 0.2, 0);
        let mut b = Body::new(DVec3::new(0.25, 0.1, 0.0), 0.1, 0);
        a.velocity = DVec3::new(2.0, 0.0, 1.0);
        let before = a.velocity * a.mass() + b.velocity * b.mass();
        end_approach(&mut a, &mut b);
        let after = a.velocity * a.mass() + b.velocity * b.mass();
        assert!((before - after).length() < 1e-12);
        assert!((b.velocity - a.velocity).dot(b.position - a.position) >= 0.0);
    }

    #[test]
    fn bodies_in_the_same_place_part_without_a_nan() {
        let mut a = Body::new(DVec3::ZERO, 0.2, 0);
        let mut b = a.clone();
        let (down, up) = parting(&a, &b);
        assert!(down.is_finite() && up.y > down.y);
        a.velocity = DVec3::Y;
        end_approach(&mut a, &mut b);
        assert!(a.velocity.is_finite() && b.velocity.is_finite());
    }
}
