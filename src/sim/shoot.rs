//! Firing: rockets, grenades, drills and heavy balls.
//!
//! A rocket (`rocket`) explodes at its first hit; a grenade (`grenade`) bounces until its fuse ends; a drill bores a
//! straight hole at once, carved as a row of cylinders; a ball is a body of iron that only pushes. Rockets, grenades and
//! drills belong to the rocket layer, balls to the debris layer.
use super::bore::Bore;
use super::carves;
use super::report::StepReport;
use super::shot::{BALL_RADIUS, BALL_SPEED, GRENADE_SPEED, Shot};
use super::simulation::Sim;
use super::state::{Drilled, Grenade};
use super::{movers, moving_sphere, rocket, sweep_moving};
use crate::collide::Layer;
use crate::debris::{Body, retire};

/// Range of a drill, metres.
const DRILL_REACH: f64 = 100.0;
/// Distance from the eye at which a ball starts, metres: outside the player's body.
const BALL_AHEAD: f64 = 0.75;

/// Fires from the eye along the look direction, unless the eye is in rock. `blast_radius`, metres, overrides that of the
/// settings.
pub(super) fn shoot(sim: &mut Sim, shot: Shot, blast_radius: Option<f64>, report: &mut StepReport) {
    if sim.world.locate(sim.player.eye).is_none() {
        report.misses.push("shots cannot fly inside rock");
        return;
    }
    match shot {
        Shot::Rocket => rocket::fire(sim, blast_radius),
        Shot::Grenade => throw_grenade(sim, blast_radius),
        Shot::Drill => drill(sim, report),
        Shot::Ball => throw_ball(sim, report),
    }
}

fn throw_grenade(sim: &mut Sim, blast_radius: Option<f64>) {
    let position = sim.player.eye;
    let velocity = sim.look_dir() * GRENADE_SPEED;
    sim.grenades.push(Grenade {
        position,
        previous: position,
        velocity,
        age: 0,
        path: 0.0,
        blast_radius,
    });
}

/// Starts the ball in front of the player, as far ahead as there is room.
fn throw_ball(sim: &mut Sim, report: &mut StepReport) {
    let (eye, dir) = (sim.player.eye, sim.look_dir());
    let ahead = dir * BALL_AHEAD;
    let hit = sim
        .world
        .sweep_sphere(eye, eye + ahead, BALL_RADIUS, &mut report.queries);
    let mut room = hit.map_or(1.0, |hit| hit.fraction);
    let way = [eye, eye + ahead];
    if let Some(mover) = movers::first_hit(sim, way, BALL_RADIUS, &mut report.queries) {
        room = room.min(mover.fraction);
    }
    let mut ball = Body::iron(
        eye + ahead * room,
        BALL_RADIUS,
        sim.settings.shots.ball_mass,
    );
    ball.velocity = dir * BALL_SPEED;
    let (limit, viewer) = (sim.settings.max_bodies as usize, sim.viewer());
    sim.bodies.change(|bodies| {
        bodies.push(ball);
        retire::retire(bodies, limit, &viewer);
    });
}

/// Bores from the first face or body hit. The bore starts early enough that its whole rim opens on a slanted face.
fn drill(sim: &mut Sim, report: &mut StepReport) {
    /// Radius with which the drill hits bodies, metres.
    const TIP: f64 = 0.01;
    let (eye, dir) = (sim.player.eye, sim.look_dir());
    let to = eye + dir * DRILL_REACH;
    let wall = sim.world.cast_ray(eye, to, &mut report.queries);
    sim.remember(eye, to, 0.0, wall);
    let spheres = moving_sphere::of_bodies(&sim.bodies);
    let layers = &sim.settings.layers;
    let body = sweep_moving::first_hit(Layer::Rocket, [eye, to], TIP, layers, spheres);
    let body = body.filter(|body| wall.is_none_or(|wall| body.fraction < wall.fraction));
    let first = body
        .map(|body| body.fraction)
        .or(wall.map(|wall| wall.fraction));
    let mover = movers::first_hit(sim, [eye, to], 0.0, &mut report.queries);
    let mover = mover.filter(|mover| first.is_none_or(|first| mover.fraction < first));
    let (point, normal, material) = match (&body, &wall) {
        _ if let Some(mover) = &mover => (
            mover.point,
            mover.normal,
            carves::material_of_mover(sim, mover),
        ),
        (Some(body), _) => (body.point, body.normal, carves::material_of_body(sim, body)),
        (None, Some(wall)) => {
            let material = Some(carves::material_of_face(&sim.world, wall));
            (wall.point, wall.normal, material)
        }
        (None, None) => {
            report.misses.push("nothing to drill within 100 m");
            return;
        }
    };
    let shots = sim.settings.shots;
    let radius = shots.drill_radius;
    let steep = -dir.dot(normal).clamp(-1.0, -0.1);
    let slant = radius * (1.0 - steep * steep).sqrt() / steep;
    let mouth = point - dir * 0.01_f64.min(point.distance(eye) * 0.5);
    let bore = Bore {
        from: point - dir * slant.min(point.distance(eye)),
        dir,
        radius,
        depth: shots.drill_depth,
    };
    let operation = carves::bore(sim, material, bore, mouth, &mut report.queries);
    sim.drilled.push(Drilled {
        eye,
        from: point,
        to: bore.to(),
        radius,
        material,
        tick: sim.tick,
    });
    sim.queue.push_back(operation);
}
