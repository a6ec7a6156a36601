//! Crumb against crumb: who overlaps whom by sweep and prune along x, and the impulse that parts them.
//!
//! Only velocities change here. Positions change by sweeps through the world, so no push can force a crumb into rock.
use super::Body;
use super::contact::{BOUNCE_SPEED, FRICTION};
use glam::DVec3;

/// A sleeping crumb that is hit faster than this, metres a second, wakes up.
const WAKING_SPEED: f64 = 0.5;
/// Overlap that is left alone, as a part of the smaller radius.
const SLOP: f64 = 0.05;
/// Crumbs that overlap part at no more than this, metres a second.
const PARTING_SPEED: f64 = 0.6;

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

/// Parts all overlapping crumbs; `touching` is set for those that met another.
pub fn separate(bodies: &mut [Body], touching: &mut [bool]) {
    let mut pairs = Vec::new();
    each_pair(bodies, 0.0, &mut |i, j| pairs.push((i, j)));
    for (i, j) in pairs {
        let (head, tail) = bodies.split_at_mut(j);
        part(&mut head[i], &mut tail[0]);
        touching[i] = true;
        touching[j] = true;
    }
}

/// One impulse along the line of centres, with friction across it.
fn part(a: &mut Body, b: &mut Body) {
    let apart = b.position - a.position;
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        DVec3::Y
    };
    let approach = (a.velocity - b.velocity).dot(normal);
    if approach > WAKING_SPEED {
        a.wake();
        b.wake();
    }
    // A sleeper stands like a wall.
    let inverse = |body: &Body| if body.asleep { 0.0 } else { 1.0 / body.mass() };
    let (light_a, light_b) = (inverse(a), inverse(b));
    let overlap = a.radius + b.radius - distance - SLOP * a.radius.min(b.radius);
    let parting = (overlap * 6.0).clamp(0.0, PARTING_SPEED);
    let bounced = if approach > BOUNCE_SPEED {
        0.2 * approach
    } else {
        0.0
    };
    let change = approach + parting.max(bounced);
    if change <= 0.0 || light_a + light_b <= 0.0 {
        return;
    }
    let push = change / (light_a + light_b);
    let slip = (b.velocity - a.velocity) + normal * approach;
    let slip_speed = slip.length();
    let mut impulse = normal * push;
    if slip_speed > 0.0 {
        impulse -= slip * ((FRICTION * push).min(slip_speed / (light_a + light_b)) / slip_speed);
    }
    a.velocity -= impulse * light_a;
    b.velocity += impulse * light_b;
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
        part(&mut a, &mut b);
        let after = a.velocity * a.mass() + b.velocity * b.mass();
        assert!((before - after).length() < 1e-12);
        assert!((b.velocity - a.velocity).dot(b.position - a.position) >= 0.0);
    }

    #[test]
    fn bodies_in_the_same_place_part_without_a_nan() {
        let mut a = Body::new(DVec3::ZERO, 0.2, 0);
        let mut b = a.clone();
        part(&mut a, &mut b);
        assert!(a.velocity.is_finite() && b.velocity.y > a.velocity.y);
    }
}
