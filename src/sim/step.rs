//! One tick, phase by phase.
use super::command::{Action, Command};
use super::report::StepReport;
use super::settings::{BLAST_RADII, Settings};
use super::shot::Shot;
use super::simulation::Sim;
use super::slide::Obstacles;
use super::state::Probe;
use super::tick::TICK_SECS;
use super::{
    carves, grab, grenade, impacts, kill_plane, liquids, movement, movers, player_actions, pour,
    rocket, shoot, shove, swim, tunnelling, undo,
};
use crate::debris::{Forces, Law, retire, spawn};
use crate::level::LiquidKind;
use crate::timing::{Marker, Stage};
use crate::world::{CastHit, WorkBudget};
use glam::DVec3;

/// Ticks for which explosions, drilled holes and probes are kept: two seconds.
const MEMORY_TICKS: u64 = 120;
/// Triangles visited in a tick to rebuild worn trees: some 0.2 ms.
const TREE_WORK: u64 = 8192;
/// Greatest number of clouds of dust kept.
const DUST: usize = 64;
/// Greatest number of probes kept.
const PROBES: usize = 256;

impl Sim {
    /// Advances one tick.
    pub fn step(&mut self, command: &Command, marker: &mut dyn Marker) -> StepReport {
        marker.begin(Stage::Step);
        let command = command.tame();
        let mut report = StepReport::default();
        let mut budget = WorkBudget::new(self.carve_units);
        self.look(&command);
        for action in &command.actions {
            self.act(action, &mut budget, &mut report, marker);
        }
        movers::advance(self, &mut report, marker);
        self.advance_player(&command, &mut report);
        rocket::advance(self, &mut report);
        grenade::advance(self, &mut report);
        carves::advance(self, &mut budget, &mut report, marker);
        carves::check_strength(self, &mut report, marker);
        self.world.rebuild_worn_trees(TREE_WORK, marker);
        marker.begin(Stage::Debris);
        self.advance_debris(&mut report);
        marker.end(Stage::Debris);
        kill_plane::kill_below(self, &mut report);
        self.finish_tick(&mut report);
        self.check();
        marker.end(Stage::Step);
        report
    }

    /// The look comes first: projectiles of this tick fly where this tick's command looks.
    fn look(&mut self, command: &Command) {
        self.player.yaw = command.yaw;
        self.player.pitch = command.pitch;
        self.player.previous_eye = self.player.eye;
    }

    fn act(
        &mut self,
        action: &Action,
        budget: &mut WorkBudget,
        report: &mut StepReport,
        marker: &mut dyn Marker,
    ) {
        match action {
            Action::Fire => shoot::shoot(self, Shot::Rocket, None, report),
            Action::Shoot(shot) => shoot::shoot(self, *shot, None, report),
            Action::Charged { shot, radius } => {
                let [least, most] = BLAST_RADII;
                shoot::shoot(self, *shot, Some(radius.clamp(least, most)), report);
            }
            Action::FireAlong { from, dir } => {
                rocket::fire_along(self, DVec3::from(*from), DVec3::from(*dir), report);
            }
            Action::Tool { fill, tool } => {
                let operation = carves::tool(self, *fill, tool, budget, report);
                self.queue.extend(operation);
            }
            Action::Set(settings) => self.set(settings, report, marker),
            Action::Walk(walk) => player_actions::set_walking(self, *walk, report),
            Action::NoClip(no_clip) => player_actions::set_no_clip(self, *no_clip, report),
            Action::Teleport(to) => player_actions::teleport(self, DVec3::from(*to), report),
            Action::Carry { body, to } => grab::carry(self, *body, DVec3::from(*to)),
            Action::Throw { body, velocity } => grab::throw(self, *body, DVec3::from(*velocity)),
            Action::Pour {
                at,
                spread,
                crumbs,
                radius,
            } => {
                let wanted = spawn::Pour {
                    at: DVec3::from(*at),
                    spread: *spread,
                    count: *crumbs,
                    radius: *radius,
                    material: 0,
                };
                pour::pour(self, &wanted, report);
            }
            Action::ClearDebris => self.bodies.change(Vec::clear),
            Action::Undo => {
                carves::advance(self, budget, report, marker);
                carves::cancel_failures(self, report, marker);
                match self.queue.len() {
                    0 => undo::undo(self, report, marker),
                    // The last one queued.
                    waiting => carves::cancel(self, waiting - 1, report, marker),
                }
            }
            Action::Redo => {
                carves::advance(self, budget, report, marker);
                match self.queue.is_empty() {
                    true => undo::redo(self, report, marker),
                    // A change under way is newer than all undone ones.
                    false => report.notices.push("there is nothing to redo".into()),
                }
            }
        }
    }

    fn set(&mut self, settings: &Settings, report: &mut StepReport, marker: &mut dyn Marker) {
        report.notices.extend(settings.warnings());
        let settings = settings.within_limits();
        if settings.tree != self.settings.tree {
            marker.begin(Stage::Bins);
            self.world.rebuild_trees(&settings.tree, marker);
            marker.end(Stage::Bins);
        }
        self.settings = settings;
        self.begin_checks(marker);
        let limit = self.settings.max_bodies as usize;
        if self.bodies.len() > limit {
            let viewer = self.viewer();
            self.bodies
                .change(|bodies| retire::retire(bodies, limit, &viewer));
        }
    }

    fn advance_player(&mut self, command: &Command, report: &mut StepReport) {
        let spheres = shove::spheres_near_player(&self.player, &self.bodies, &self.settings.layers);
        let obstacles = shove::obstacles(&spheres, &self.bodies);
        let obstacles = Obstacles {
            world: &self.world,
            solids: self.movers.kinematics(),
            spheres: &obstacles,
        };
        let swam = swim::liquid(&self.player, &self.liquids);
        movement::advance(
            &mut self.player,
            command,
            obstacles,
            &self.liquids,
            &self.settings,
            &mut report.queries,
        );
        self.note_swimming(swam, report);
        let wish_velocity = movement::wish_velocity(&self.player, command);
        let shoves = shove::shoves(&self.player, wish_velocity, &spheres, &self.bodies);
        if !shoves.is_empty() {
            self.bodies.change(|bodies| {
                for shove in shoves {
                    let body = &mut bodies[shove.body];
                    if shove.wakes {
                        body.wake();
                    }
                    body.velocity += shove.delta_velocity;
                }
            });
        }
    }

    /// Ripples where the player goes into a liquid, and a word on what it would do.
    fn note_swimming(&mut self, swam: Option<LiquidKind>, report: &mut StepReport) {
        let swims = swim::liquid(&self.player, &self.liquids);
        if swims == swam {
            return;
        }
        let strength = (self.player.velocity.length() / 6.0).min(1.0);
        liquids::ripple(self, self.player.feet, 1.6, strength);
        if let Some(kind @ (LiquidKind::Slime | LiquidKind::Lava)) = swims {
            let text = format!("{}: it does no harm here", kind.name());
            report.notices.push(text);
        }
    }

    fn advance_debris(&mut self, report: &mut StepReport) {
        let forces = Forces {
            secs: TICK_SECS,
            gravity: self.settings.gravity,
            buffer: self.settings.buffer_distance,
            law: Law::default(),
            layers: self.settings.layers,
            allow_sleeping: true,
        };
        self.bodies.fade();
        liquids::carry_bodies(self);
        let moving = impacts::moving(self);
        let fast = tunnelling::fast_bodies(self);
        let solids = self.movers.kinematics();
        self.bodies
            .step_among(&self.world, solids, &forces, &mut report.queries);
        let stopped = impacts::note_step(self, &moving);
        report.tunnelled += tunnelling::apply_solver(self, &fast, &mut report.queries);
        carves::break_up(self, &stopped, report);
    }

    fn finish_tick(&mut self, report: &mut StepReport) {
        self.tick += 1;
        self.eye_room = self.world.locate(self.player.eye);
        let (tick, recent) = (self.tick, |then: u64, now: u64| now - then <= MEMORY_TICKS);
        self.explosions
            .retain(|explosion| recent(explosion.tick, tick));
        self.dust.retain(|dust| recent(dust.tick, tick));
        self.dust.drain(..self.dust.len().saturating_sub(DUST));
        self.ripples.retain(|ripple| recent(ripple.tick, tick));
        self.probes.retain(|probe| recent(probe.tick, tick));
        self.drilled.retain(|hole| recent(hole.tick, tick));
        self.probes
            .drain(..self.probes.len().saturating_sub(PROBES));
        report.awake = self.bodies.awake() as u32;
    }

    /// Keeps a ray or a sweep for the debug lines.
    pub(super) fn remember(&mut self, from: DVec3, to: DVec3, radius: f64, hit: Option<CastHit>) {
        self.probes.push(Probe {
            from,
            to,
            radius,
            hit,
            tick: self.tick,
        });
    }
}
