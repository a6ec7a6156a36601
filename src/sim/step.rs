//! One tick, phase by phase.
use super::carves;
use super::slide::Around;
use super::state::{Probe, StepReport};
use super::{
    Action, BLAST_RADII, Command, Settings, Shot, Sim, TICK_SECS, grab, grenade, history,
    kill_plane, meet, passing, player, pour, rocket, shot,
};
use crate::debris::{Forces, Law, retire, spawn};
use crate::timing::{Marker, Stage};
use crate::world::{CastHit, WorkBudget};
use glam::DVec3;

/// Explosions and probes are kept for two seconds.
const MEMORY_TICKS: u64 = 120;
/// Triangles looked at in a tick to build worn trees anew: some 0.2 ms.
const TREE_WORK: u64 = 8192;
/// At most this many probes are kept.
const PROBES: usize = 256;

impl Sim {
    /// Advances one tick.
    pub fn step(&mut self, command: &Command, marker: &mut dyn Marker) -> StepReport {
        marker.begin(Stage::Step);
        let command = command.tame();
        let mut report = StepReport::default();
        let mut units = WorkBudget::new(self.carve_units);
        self.look(&command);
        for action in &command.actions {
            self.act(action, &mut units, &mut report, marker);
        }
        self.advance_player(&command, &mut report);
        rocket::advance(self, &mut report);
        grenade::advance(self, &mut report);
        carves::go_on(self, &mut units, &mut report, marker);
        self.world.rebuild_worn_trees(TREE_WORK, marker);
        marker.begin(Stage::Debris);
        self.advance_debris(&mut report);
        marker.end(Stage::Debris);
        kill_plane::kill_below(self, &mut report);
        self.keep_books(&mut report);
        self.check();
        marker.end(Stage::Step);
        report
    }

    /// The look comes first: what is fired in this tick flies where this tick's command looks.
    fn look(&mut self, command: &Command) {
        self.player.yaw = command.yaw;
        self.player.pitch = command.pitch;
        self.player.previous_eye = self.player.eye;
    }

    fn act(
        &mut self,
        action: &Action,
        units: &mut WorkBudget,
        report: &mut StepReport,
        marker: &mut dyn Marker,
    ) {
        match action {
            Action::Fire => shot::shoot(self, Shot::Rocket, None, report),
            Action::Shoot(shot) => shot::shoot(self, *shot, None, report),
            Action::Charged { shot, radius } => {
                let [least, most] = BLAST_RADII;
                shot::shoot(self, *shot, Some(radius.clamp(least, most)), report);
            }
            Action::FireAlong { from, dir } => {
                rocket::fire_along(self, DVec3::from(*from), DVec3::from(*dir), report);
            }
            Action::Tool { fill, tool } => {
                if let Some(cut) = carves::tool(self, *fill, tool, units, report) {
                    self.cuts.push_back(cut);
                }
            }
            Action::Set(settings) => self.set(settings, report, marker),
            Action::Walk(walk) => player::set_walking(self, *walk, report),
            Action::NoClip(no_clip) => player::set_no_clip(self, *no_clip, report),
            Action::Teleport(to) => player::teleport(self, DVec3::from(*to), report),
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
                carves::go_on(self, units, report, marker);
                match self.cuts.len() {
                    0 => history::undo(self, report, marker),
                    // The last one asked for.
                    waiting => carves::take_back(self, waiting - 1, report, marker),
                }
            }
            Action::Redo => {
                carves::go_on(self, units, report, marker);
                match self.cuts.is_empty() {
                    true => history::redo(self, report, marker),
                    // What is under way is newer than all that was undone.
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
        let limit = self.settings.max_bodies as usize;
        if self.bodies.len() > limit {
            let viewer = self.viewer();
            self.bodies
                .change(|bodies| retire::retire(bodies, limit, &viewer));
        }
    }

    fn advance_player(&mut self, command: &Command, report: &mut StepReport) {
        let things = meet::around_player(&self.player, &self.bodies, &self.settings.layers);
        let obstacles = meet::obstacles(&things, &self.bodies);
        let around = Around {
            world: &self.world,
            things: &obstacles,
        };
        player::advance(
            &mut self.player,
            command,
            around,
            &self.settings,
            &mut report.queries,
        );
        let effort = player::effort(&self.player, command);
        let shoves = meet::shoves(&self.player, effort, &things, &self.bodies);
        if !shoves.is_empty() {
            self.bodies.change(|bodies| {
                for shove in shoves {
                    let body = &mut bodies[shove.body];
                    if shove.wakes {
                        body.wake();
                    }
                    body.velocity += shove.change;
                }
            });
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
        let flights = passing::flights(self);
        self.bodies.step(&self.world, &forces, &mut report.queries);
        report.tunnelled += passing::put(self, &flights, &mut report.queries);
    }

    fn keep_books(&mut self, report: &mut StepReport) {
        self.tick += 1;
        self.eye_room = self.world.locate(self.player.eye);
        let (tick, recent) = (self.tick, |then: u64, now: u64| now - then <= MEMORY_TICKS);
        self.explosions
            .retain(|explosion| recent(explosion.tick, tick));
        self.probes.retain(|probe| recent(probe.tick, tick));
        self.drilled.retain(|hole| recent(hole.tick, tick));
        self.probes
            .drain(..self.probes.len().saturating_sub(PROBES));
        report.awake = self.bodies.awake() as u32;
    }

    /// Remembers a ray or a sweep for the debug lines.
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
