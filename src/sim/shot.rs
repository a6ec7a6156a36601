//! What can be shot: rockets, grenades, drills and heavy balls.
//!
//! A rocket (`rocket`) explodes at what it meets; a grenade (`grenade`) bounces until its fuse ends; a drill takes no
//! time and bores a straight hole, a row of cylinders cut as exactly as anything; a ball is a body of iron that only
//! pushes. Rockets, grenades and drills are of the layer of rockets, balls of that of debris.
use super::carves::{self, Bore};
use super::state::{Drilled, Grenade, StepReport};
use super::{Sim, meet, rocket};
use crate::collide::Layer;
use crate::debris::{Body, retire};
use serde::{Deserialize, Serialize};

/// What flies out of the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shot {
    /// Explodes where it hits.
    #[default]
    Rocket,
    /// Bounces, and explodes when its fuse ends.
    Grenade,
    /// A straight round hole, at once.
    Drill,
    /// A heavy iron ball that only pushes.
    Ball,
}

impl Shot {
    /// All of them.
    pub const ALL: [Shot; 4] = [Shot::Rocket, Shot::Grenade, Shot::Drill, Shot::Ball];

    /// Whether it explodes.
    pub fn explodes(self) -> bool {
        matches!(self, Shot::Rocket | Shot::Grenade)
    }
}

/// How shots fly and what they do. The limits are those of [`ShotSettings::within_limits`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "ShotSettings::unsaid", deny_unknown_fields)]
pub struct ShotSettings {
    /// Rockets fall as everything does, instead of flying straight.
    pub rocket_falls: bool,
    /// A grenade explodes so long after it was thrown, seconds, 0.1..=20.
    pub fuse_secs: f64,
    /// Part of its speed that a grenade keeps when it bounces, 0..=0.95.
    pub bounce: f64,
    /// Radius of a drilled hole, metres, 0.02..=2.
    pub drill_radius: f64,
    /// How far a drill goes into stuff of hardness 1, metres, 0.1..=40.
    pub drill_depth: f64,
    /// What a ball weighs, kilograms, 1..=20,000.
    pub ball_mass: f64,
}

impl Default for ShotSettings {
    fn default() -> Self {
        Self::unsaid()
    }
}

impl ShotSettings {
    /// See [`super::Settings::unsaid`].
    pub(super) fn unsaid() -> Self {
        Self {
            rocket_falls: false,
            fuse_secs: 2.5,
            bounce: 0.5,
            drill_radius: 0.25,
            drill_depth: 4.0,
            ball_mass: 400.0,
        }
    }

    /// The same within the limits that each field names; what is not a number becomes the default.
    #[must_use]
    pub fn within_limits(&self) -> Self {
        let usual = Self::default();
        let limit = |x: f64, lo: f64, hi: f64, otherwise: f64| match x.is_nan() {
            true => otherwise,
            false => x.clamp(lo, hi),
        };
        Self {
            rocket_falls: self.rocket_falls,
            fuse_secs: limit(self.fuse_secs, 0.1, 20.0, usual.fuse_secs),
            bounce: limit(self.bounce, 0.0, 0.95, usual.bounce),
            drill_radius: limit(self.drill_radius, 0.02, 2.0, usual.drill_radius),
            drill_depth: limit(self.drill_depth, 0.1, 40.0, usual.drill_depth),
            ball_mass: limit(self.ball_mass, 1.0, 20_000.0, usual.ball_mass),
        }
    }

    /// Its numbers with their names.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        [
            ("fuse", self.fuse_secs),
            ("bounce", self.bounce),
            ("drill radius", self.drill_radius),
            ("drill depth", self.drill_depth),
            ("ball mass", self.ball_mass),
        ]
    }

    /// Its numbers.
    pub fn numbers(&self) -> [f64; 5] {
        self.named().map(|(_, number)| number)
    }
}

/// Speed of a thrown grenade and of a ball, metres a second.
pub const GRENADE_SPEED: f64 = 16.0;
/// See [`GRENADE_SPEED`].
pub const BALL_SPEED: f64 = 30.0;
/// Radius of a ball, metres.
pub const BALL_RADIUS: f64 = 0.25;
/// How far a drill looks for something to drill, metres.
const DRILL_REACH: f64 = 100.0;
/// A ball begins so far from the eye, metres: out of the player's body.
const BALL_AHEAD: f64 = 0.75;

/// Shoots from the eye along the look direction; not from within rock. What explodes may have a radius of its own, metres.
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

/// The ball starts in front of the player, as far as there is room.
fn throw_ball(sim: &mut Sim, report: &mut StepReport) {
    let (eye, dir) = (sim.player.eye, sim.look_dir());
    let ahead = dir * BALL_AHEAD;
    let hit = sim
        .world
        .sweep_sphere(eye, eye + ahead, BALL_RADIUS, &mut report.queries);
    let room = hit.map_or(1.0, |hit| hit.fraction);
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

/// Bores from the first face or body that is met; a slanted mouth is opened all around.
fn drill(sim: &mut Sim, report: &mut StepReport) {
    /// A body is met as if the drill were this thick, metres.
    const TIP: f64 = 0.01;
    let (eye, dir) = (sim.player.eye, sim.look_dir());
    let to = eye + dir * DRILL_REACH;
    let wall = sim.world.cast_ray(eye, to, &mut report.queries);
    sim.remember(eye, to, 0.0, wall);
    let things = meet::bodies(&sim.bodies);
    let met = meet::first_met(Layer::Rocket, [eye, to], TIP, &sim.settings.layers, things);
    let met = met.filter(|met| wall.is_none_or(|wall| met.fraction < wall.fraction));
    let (point, normal, material) = match (&met, &wall) {
        (Some(met), _) => (met.point, met.normal, carves::material_met(sim, met)),
        (None, Some(wall)) => {
            let material = Some(carves::material_of(&sim.world, wall));
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
    let cut = carves::bore(sim, material, bore, mouth);
    sim.drilled.push(Drilled {
        eye,
        from: point,
        to: bore.to(),
        radius,
        material,
        tick: sim.tick,
    });
    sim.cuts.push_back(cut);
}
