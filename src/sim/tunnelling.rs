//! Fast bodies under the solvers that tunnel through walls ([`Solver`]), to demonstrate tunnelling.
//!
//! Bodies are always stepped with speculative contacts. A body that moves farther than its radius in a tick is afterwards
//! put where the chosen solver would have stopped it on a straight line: possibly behind a wall that only a sweep finds.
//! Slower bodies rest and roll the same under every solver.
use super::simulation::Sim;
use super::tick::TICK_SECS;
use crate::bvh::QueryStats;
use crate::debris::Ball;
use crate::world::Solver;
use glam::DVec3;

/// A fast body before the tick.
pub(super) struct FastBody {
    body: usize,
    from: DVec3,
    balls: Vec<Ball>,
    velocity: DVec3,
    displacement: DVec3,
}

/// The bodies that the chosen solver decides about; none under [`Solver::Swept`].
pub(super) fn fast_bodies(sim: &Sim) -> Vec<FastBody> {
    if sim.settings.solver == Solver::Swept {
        return Vec::new();
    }
    let fall = DVec3::NEG_Y * (sim.settings.gravity * TICK_SECS);
    let awake = sim.bodies.iter().enumerate().filter(|(_, b)| !b.asleep);
    let fast = awake.filter_map(|(index, body)| {
        let displacement = (body.velocity + fall * 0.5) * TICK_SECS;
        let least = body.balls().map(|ball| ball.radius);
        let is_fast = displacement.length() > least.fold(f64::INFINITY, f64::min);
        is_fast.then(|| FastBody {
            body: index,
            from: body.position,
            balls: body.balls().collect(),
            velocity: body.velocity + fall,
            displacement,
        })
    });
    fast.collect()
}

/// Puts them where the solver would have; returns how many went through a wall.
pub(super) fn apply_solver(sim: &mut Sim, fast: &[FastBody], stats: &mut QueryStats) -> u32 {
    let solver = sim.settings.solver;
    let mut passed = 0;
    let mut moves = Vec::new();
    for body in fast {
        let mut fraction: f64 = 1.0;
        for ball in &body.balls {
            let (from, to) = (ball.centre, ball.centre + body.displacement);
            let moved = sim.world.move_sphere(from, to, ball.radius, solver, stats);
            if let Some(hit) = moved.hit {
                fraction = fraction.min(hit.fraction);
            }
        }
        let displacement = body.displacement * fraction;
        let world = &sim.world;
        let in_rock = |ball: &Ball| world.locate(ball.centre + displacement).is_none();
        if body.balls.iter().any(in_rock) {
            // One sphere was stopped where another has no room: keep the step's position.
            continue;
        }
        let through = |ball: &Ball| {
            let end = ball.centre + displacement;
            let hit = world.cast_ray(ball.centre, end, &mut QueryStats::default());
            hit.is_some()
        };
        let tunnelled = body.balls.iter().any(through);
        passed += u32::from(tunnelled);
        moves.push((body, displacement, tunnelled));
    }
    if moves.is_empty() {
        return 0;
    }
    sim.bodies.change(|bodies| {
        for (before, displacement, tunnelled) in moves {
            let body = &mut bodies[before.body];
            body.position = before.from + displacement;
            if tunnelled {
                // It hit nothing that could have slowed it.
                body.velocity = before.velocity;
            }
        }
    });
    passed
}
