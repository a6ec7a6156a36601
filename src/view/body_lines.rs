//! Debug drawings of bodies as lines: spheres, velocities, contacts, contact islands.
use super::camera::Camera;
use super::colours::{hue_colour, room_hue};
use super::line::Line;
use super::overlays::Overlays;
use super::palette::{Inks, with_alpha};
use crate::debris::grid::{BoundingSphere, Grid};
use crate::debris::{Ball, Body};
use crate::sim::{Sim, TICK_SECS};
use glam::DVec3;

/// Greatest distance from the camera, metres.
const FAR_M: f64 = 60.0;
// Limits; the nearest are drawn.
const MOST_BALLS: usize = 2500;
const MOST_BODIES: usize = 4000;
const MOST_CONTACTS: usize = 6000;
/// Segments of a circle.
const STEPS: usize = 20;
/// Scale of velocity arrows, seconds.
const VELOCITY_SECS: f64 = 0.2;
/// Scale of spin arrows, metres for a radian a second.
const SPIN_M: f64 = 0.08;
const LONGEST_ARROW_M: f64 = 3.0;
/// Length of the arrow of an impulse that carries a body's weight for one tick, metres.
const WEIGHT_M: f64 = 0.25;
const LONGEST_PUSH_M: f64 = 2.0;
/// Arm of a contact's cross, metres.
const CROSS_M: f64 = 0.025;
/// Length of a contact's normal, metres.
const NORMAL_M: f64 = 0.1;
/// Spheres with a smaller gap touch, metres; the solver's contact distance.
const TOUCH_M: f64 = 0.012;

// Opacities of spheres.
const AWAKE_ALPHA: f32 = 0.95;
const ASLEEP_ALPHA: f32 = 0.8;
const FADING_ALPHA: f32 = 0.5;

/// Adds the drawings of bodies that are switched on.
pub(super) fn lines(sim: &Sim, camera: &Camera, overlays: Overlays, lines: &mut Vec<Line>) {
    if !(overlays.spheres || overlays.motion || overlays.contacts || overlays.islands) {
        return;
    }
    let bodies = &*sim.bodies;
    let inks = overlays.palette.inks();
    let near = nearest(bodies, camera);
    if overlays.spheres {
        spheres(bodies, &near, camera, &inks, lines);
    }
    if overlays.motion {
        near.iter().for_each(|&i| motion(&bodies[i], &inks, lines));
    }
    if overlays.contacts {
        contacts(sim, camera, &inks, lines);
    }
    if overlays.islands {
        islands(bodies, &near, camera, &inks, lines);
    }
}

/// Indices of the nearest bodies, nearest first.
fn nearest(bodies: &[Body], camera: &Camera) -> Vec<usize> {
    let gap = |i: usize| bodies[i].position.distance(camera.eye) - bodies[i].radius;
    let mut near: Vec<usize> = (0..bodies.len()).filter(|&i| gap(i) < FAR_M).collect();
    near.sort_by(|&a, &b| gap(a).total_cmp(&gap(b)));
    near.truncate(MOST_BODIES);
    near
}

/// The silhouette of each sphere, and an equator that turns with the body; and the edges of a hull.
fn spheres(bodies: &[Body], near: &[usize], camera: &Camera, inks: &Inks, lines: &mut Vec<Line>) {
    let mut left = MOST_BALLS;
    for body in near.iter().map(|&i| &bodies[i]) {
        let colour = match (body.fading, body.asleep) {
            (0, false) => with_alpha(inks.fresh, AWAKE_ALPHA),
            (0, true) => with_alpha(inks.open, ASLEEP_ALPHA),
            _ => with_alpha(inks.idle, FADING_ALPHA),
        };
        let [r, g, b, a] = colour;
        let (across, up) = (body.rotation * DVec3::X, body.rotation * DVec3::Y);
        if let Some(hull) = body.hull() {
            let at = |i: u8| body.position + body.rotation * hull.corners[usize::from(i)];
            lines.extend(hull.edges.iter().map(|edge| Line {
                from: at(edge.corners[0]),
                to: at(edge.corners[1]),
                colour: [r, g, b, 1.0],
            }));
        }
        for ball in body.balls() {
            if left == 0 {
                return;
            }
            left -= 1;
            silhouette(&ball, camera, colour, lines);
            circle(&ball, across, up, [r, g, b, a * 0.45], lines);
        }
    }
}

/// A great circle of a ball, in the plane of two unit vectors.
fn circle(ball: &Ball, u: DVec3, v: DVec3, colour: [f32; 4], lines: &mut Vec<Line>) {
    let at = |i: usize| {
        let (sin, cos) = libm::sincos(i as f64 / STEPS as f64 * std::f64::consts::TAU);
        ball.centre + (u * cos + v * sin) * ball.radius
    };
    lines.extend((0..STEPS).map(|i| Line {
        from: at(i),
        to: at(i + 1),
        colour,
    }));
}

/// A circle that faces the camera.
fn silhouette(ball: &Ball, camera: &Camera, colour: [f32; 4], lines: &mut Vec<Line>) {
    let to = (ball.centre - camera.eye).normalize_or(DVec3::NEG_Z);
    let (u, v) = to.any_orthonormal_pair();
    circle(ball, u, v, colour, lines);
}

/// Arrows of velocity and spin; none for a sleeping body.
fn motion(body: &Body, inks: &Inks, lines: &mut Vec<Line>) {
    if body.asleep {
        return;
    }
    arrow(
        body.position,
        body.velocity * VELOCITY_SECS,
        with_alpha(inks.moving, 1.0),
        lines,
    );
    let spin = with_alpha(inks.normal, 1.0);
    arrow(body.position, body.spin * SPIN_M, spin, lines);
}

/// A line with a head; nothing if shorter than a centimetre.
fn arrow(from: DVec3, along: DVec3, colour: [f32; 4], lines: &mut Vec<Line>) {
    let along = along.clamp_length_max(LONGEST_ARROW_M);
    let length = along.length();
    if !(0.01..).contains(&length) {
        return;
    }
    let to = from + along;
    lines.push(Line { from, to, colour });
    let (u, v) = (along / length).any_orthonormal_pair();
    let head = (length * 0.3).min(0.12);
    for side in [u, -u, v, -v] {
        lines.push(Line {
            from: to,
            to: to - along / length * head + side * (head * 0.45),
            colour,
        });
    }
}

/// Each contact: a cross, the normal, and an arrow of the impulse with friction, scaled by the lighter body's weight.
fn contacts(sim: &Sim, camera: &Camera, inks: &Inks, lines: &mut Vec<Line>) {
    let bodies = &*sim.bodies;
    let tick_of_weight = sim.settings.gravity.max(1.0) * TICK_SECS;
    let mut drawn = 0;
    for contact in sim.bodies.contacts() {
        let size = contact.impulse.length();
        if size <= 0.0 || contact.point.distance(camera.eye) > FAR_M {
            continue;
        }
        let Some(body) = bodies.get(contact.bodies[0] as usize) else {
            continue;
        };
        drawn += 1;
        if drawn > MOST_CONTACTS {
            return;
        }
        let other = bodies.get(contact.bodies[1] as usize);
        let mass = other.map_or(body.mass(), |other| other.mass().min(body.mass()));
        let at = contact.point;
        for axis in DVec3::AXES {
            lines.push(Line {
                from: at - axis * CROSS_M,
                to: at + axis * CROSS_M,
                colour: with_alpha(inks.hit, 1.0),
            });
        }
        lines.push(Line {
            from: at,
            to: at + contact.normal * NORMAL_M,
            colour: with_alpha(inks.normal, 1.0),
        });
        let length = (WEIGHT_M * size / (mass * tick_of_weight)).min(LONGEST_PUSH_M);
        let push = with_alpha(inks.asked, 1.0);
        arrow(at, contact.impulse / size * length, push, lines);
    }
}

/// Contact islands: a colour for each, with lines between the centres of touching bodies; single bodies are grey.
fn islands(bodies: &[Body], near: &[usize], camera: &Camera, inks: &Inks, lines: &mut Vec<Line>) {
    let (pairs, root) = touching(bodies, near);
    let mut size = vec![0u32; bodies.len()];
    near.iter().for_each(|&i| size[root[i]] += 1);
    let colour = |i: usize| match size[root[i]] {
        1 => with_alpha(inks.idle, FADING_ALPHA),
        _ => hue_colour(room_hue(root[i] as u32)),
    };
    let mut left = MOST_BALLS;
    for &i in near {
        for ball in bodies[i].balls() {
            if left == 0 {
                break;
            }
            left -= 1;
            silhouette(&ball, camera, colour(i), lines);
        }
    }
    for [i, j] in pairs {
        lines.push(Line {
            from: bodies[i].position,
            to: bodies[j].position,
            colour: colour(i),
        });
    }
}

/// Pairs of touching bodies, and for each body the lowest index of its island (union-find).
fn touching(bodies: &[Body], near: &[usize]) -> (Vec<[usize; 2]>, Vec<usize>) {
    let balls = near
        .iter()
        .flat_map(|&i| bodies[i].balls().map(move |ball| (i, ball)));
    let balls: Vec<(usize, BoundingSphere)> = balls
        .map(|(i, ball)| {
            let reach = BoundingSphere {
                centre: ball.centre,
                radius: ball.radius + TOUCH_M * 0.5,
            };
            (i, reach)
        })
        .collect();
    let grid = Grid::new(balls.iter().map(|(_, ball)| *ball));
    let mut pairs = Vec::new();
    for (k, (i, ball)) in balls.iter().enumerate() {
        grid.each_overlapping(ball, |other| {
            let j = balls[other as usize].0;
            if other as usize > k && j != *i {
                pairs.push([*i.min(&j), *i.max(&j)]);
            }
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut root: Vec<usize> = (0..bodies.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for &[i, j] in &pairs {
        let (a, b) = (find(&mut root, i), find(&mut root, j));
        root[a.max(b)] = a.min(b);
    }
    for i in 0..root.len() {
        root[i] = find(&mut root, i);
    }
    (pairs, root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crumb(x: f64) -> Body {
        Body::new(DVec3::X * x, 0.1, 0)
    }

    #[test]
    fn islands_are_separate_and_named_by_their_lowest_body() {
        let bodies = [0.0, 5.0, 0.2, 5.2, 9.0, 0.4].map(crumb);
        let near: Vec<usize> = (0..bodies.len()).collect();
        let (pairs, root) = touching(&bodies, &near);
        assert_eq!(pairs, [[0, 2], [1, 3], [2, 5]]);
        assert_eq!(root, [0, 1, 0, 1, 4, 0]);
        // Bodies that are not drawn join no island.
        let (pairs, root) = touching(&bodies, &[0, 5]);
        assert!(pairs.is_empty());
        assert_eq!(root[2], 2);
    }

    #[test]
    fn an_arrow_is_as_long_as_what_it_shows_and_bounded() {
        let mut lines = Vec::new();
        arrow(DVec3::ZERO, DVec3::X * 0.5, [1.0; 4], &mut lines);
        assert_eq!((lines.len(), lines[0].to), (5, DVec3::X * 0.5));
        lines.clear();
        arrow(DVec3::ZERO, DVec3::Y * 99.0, [1.0; 4], &mut lines);
        assert_eq!(lines[0].to, DVec3::Y * LONGEST_ARROW_M);
        lines.clear();
        arrow(DVec3::ZERO, DVec3::NAN, [1.0; 4], &mut lines);
        arrow(DVec3::ZERO, DVec3::ZERO, [1.0; 4], &mut lines);
        assert!(lines.is_empty());
    }
}
