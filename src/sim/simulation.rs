//! The simulation's state: the world and all that moves in it.
use super::command::{self, Command};
use super::giving_way::{Creaking, GivingWay};
use super::history::History;
use super::loads::Loads;
use super::mover_states::MoverStates;
use super::player::Player;
use super::queued_operation::QueuedOperation;
use super::settings::Settings;
use super::start;
use super::state::{Drilled, Dust, Explosion, Grenade, Probe, Ripple, Rocket};
use super::tick::CARVE_UNITS;
use crate::debris::retire::Viewer;
use crate::debris::{Ball, Debris};
use crate::geom::rng::Rng;
use crate::level::{self, LevelDesc, Liquids};
use crate::strength::Strength;
use crate::timing::Marker;
use crate::world::{RoomId, World, WorldError};
use glam::DVec3;
use std::collections::VecDeque;
use std::sync::Arc;

/// The simulation: owner of the world and of all that moves.
#[derive(Clone, Debug)]
pub struct Sim {
    /// The level as loaded, with every operation since (what a save writes).
    pub level: LevelDesc,
    /// Rooms, faces, portals and trees.
    pub world: World,
    /// Settings in force.
    pub settings: Settings,
    /// The player.
    pub player: Player,
    /// Rockets in flight.
    pub rockets: Vec<Rocket>,
    /// Grenades whose fuses have not ended.
    pub grenades: Vec<Grenade>,
    /// Holes drilled in the last two seconds.
    pub drilled: Vec<Drilled>,
    /// Chunks and crumbs, the oldest first.
    pub bodies: Debris,
    /// Explosions of the last two seconds.
    pub explosions: Vec<Explosion>,
    /// Dust of the last two seconds, the oldest first.
    pub dust: Vec<Dust>,
    /// Doors, lifts and what starts them.
    pub movers: MoverStates,
    /// The level's liquids.
    pub liquids: Arc<Liquids>,
    /// Where surfaces of liquids were disturbed in the last two seconds, the oldest first.
    pub ripples: Vec<Ripple>,
    /// Rays and sweeps of the last two seconds, newest last, at most 256.
    pub probes: Vec<Probe>,
    /// Undo and redo steps.
    pub history: History,
    /// Changes to make, in order; the world may be at work on the first.
    pub(super) queue: VecDeque<QueuedOperation>,
    /// The check of what changes have left without enough strength; None as long as the setting was 0.
    pub(super) strength: Option<Strength>,
    /// What bodies have done to structures since the last check.
    pub(super) loads: Loads,
    /// What the last check found to break.
    pub(super) giving_way: GivingWay,
    /// A notice has said that some solid hangs in the air. Changes nothing else.
    pub(super) has_said_unheld: bool,
    /// [`CARVE_UNITS`], except in tests.
    pub(super) carve_units: u64,
    /// Ticks done.
    pub tick: u64,
    /// Room of the eye; None in rock.
    pub eye_room: Option<RoomId>,
    /// The only source of random numbers.
    pub(super) rng: Rng,
}

impl Sim {
    /// Opens a level. Warnings and errors of the level come from [`crate::level`]; a start in solid adds a warning.
    pub fn new(
        mut level: LevelDesc,
        seed: u64,
        settings: Settings,
        marker: &mut dyn Marker,
    ) -> Result<Sim, WorldError> {
        let settings = settings.within_limits();
        let mut world = World::build_authored(&level.world, &settings.tree, marker)?;
        let strength = (settings.strength > 0.0).then(|| strength_of(world.clone()));
        world.apply_later(&level.world, marker);
        let player = start::place_player(&world, &mut level, settings.buffer_distance);
        let eye_room = world.locate(player.eye);
        Ok(Sim {
            world,
            settings,
            player,
            rockets: Vec::new(),
            grenades: Vec::new(),
            drilled: Vec::new(),
            bodies: Debris::default(),
            explosions: Vec::new(),
            dust: Vec::new(),
            movers: MoverStates::new(&level.movers),
            liquids: level.liquids.clone(),
            ripples: Vec::new(),
            probes: Vec::new(),
            level,
            history: History::default(),
            queue: VecDeque::new(),
            strength,
            loads: Loads::default(),
            giving_way: GivingWay::default(),
            has_said_unheld: false,
            carve_units: CARVE_UNITS,
            tick: 0,
            eye_room,
            rng: Rng::new(seed),
        })
    }

    /// Makes the check of strength if the setting asks for one for the first time: it needs the level as authored.
    pub(super) fn begin_checks(&mut self, marker: &mut dyn Marker) {
        if self.settings.strength > 0.0 && self.strength.is_none() {
            let (level, tree) = (&self.level.world, &self.settings.tree);
            let authored = World::build_authored(level, tree, marker);
            self.strength = authored.ok().map(strength_of);
        }
    }

    /// Takes over what another state of the same run knows of the solid, so that a check here need not find it again.
    pub(super) fn adopt_known_solid(&mut self, left: Sim) {
        if let (Some(own), Some(other)) = (&mut self.strength, left.strength) {
            own.adopt(other, self.history.boxes_between(&left.history));
        }
    }

    /// Whether a check of strength waits or is under way, or something is about to break.
    pub fn is_checking(&self) -> bool {
        let waits = self.strength.iter().any(|s| !s.changed().is_empty());
        waits || self.loads.is_waiting() || !self.creaking().sections.is_empty()
    }

    /// The sections that creak, since they are about to break.
    pub fn creaking(&self) -> Creaking<'_> {
        self.giving_way.creaking()
    }

    /// Number of bodies with the centre of a sphere in rock or outside the bounds.
    pub fn escaped(&self) -> u64 {
        let is_lost = |ball: Ball| self.world.locate(ball.centre).is_none();
        let lost = self.bodies.iter().filter(|body| body.balls().any(is_lost));
        lost.count() as u64
    }

    /// Estimated progress of the carve under way, 0..=1; None when the queue is empty.
    pub fn carving(&self) -> Option<f64> {
        let waits = (!self.queue.is_empty()).then_some(0.0);
        self.world.part_done().or(waits)
    }

    /// The command that does nothing and keeps the look direction.
    pub fn idle(&self) -> Command {
        Command {
            yaw: self.player.yaw,
            pitch: self.player.pitch,
            ..Command::default()
        }
    }

    /// Whether a tick with the idle command would change nothing visible.
    pub fn is_still(&self) -> bool {
        let player = &self.player;
        self.rockets.is_empty()
            && self.grenades.is_empty()
            && self.explosions.is_empty()
            && self.dust.is_empty()
            && self.ripples.is_empty()
            && self.drilled.is_empty()
            && self.probes.is_empty()
            && self.bodies.is_still()
            && self.movers.is_still()
            && self.carving().is_none()
            && !self.is_checking()
            && player.eye == player.previous_eye
            && player.eye_lag == 0.0
    }

    /// The eye in whose view no chunk may vanish.
    pub(super) fn viewer(&self) -> Viewer {
        Viewer {
            eye: self.player.eye,
            look: self.look_dir(),
        }
    }

    /// Unit vector the player looks along.
    pub fn look_dir(&self) -> DVec3 {
        command::look_dir(self.player.yaw, self.player.pitch)
    }
}

/// Checks strength in a level as authored.
pub(super) fn strength_of(authored: World) -> Strength {
    let materials = authored.materials.iter();
    let materials = materials.map(|material| level::material::structural(&material.texture));
    let materials = materials.collect();
    Strength::new(Arc::new(authored), materials)
}
