//! The state of all movers, triggers and relays.
use crate::debris::{Frame, Kinematic, Recipe, Solid};
use crate::geom::hash::Hash64;
use crate::geom::parallel;
use crate::level::{Hinge, Motion, MoverDesc, Movers, Placement};
use glam::DQuat;
use std::collections::VecDeque;
use std::sync::Arc;

/// What movers, triggers and relays are at. The lists have the order of those of [`Movers`].
#[derive(Clone, Debug, Default)]
pub struct MoverStates {
    pub(super) list: Vec<Mover>,
    /// The movers that are there, on their way through the last tick.
    pub(super) solids: Vec<Kinematic>,
    /// The mover of each of them.
    pub(super) owners: Vec<usize>,
    pub(super) pending: VecDeque<Pending>,
    /// By trigger: the tick from which it works.
    pub(super) triggers: Vec<u64>,
    pub(super) relays: Vec<RelayState>,
}

/// A mover.
#[derive(Clone, Debug)]
pub struct Mover {
    /// Its shape where the file has it; None: it is gone.
    pub solid: Option<Arc<Solid>>,
    /// Volume before anything was carved, cubic metres.
    pub(super) whole_m3: f64,
    /// Where it is.
    pub placement: Placement,
    /// What it does.
    pub phase: Phase,
    /// Part of the way from one place or stop to the other, 0..=1.
    pub(super) way: f64,
    /// Of a train: metres a second.
    pub(super) speed: f64,
    /// A shot has hit it since its last tick.
    pub(super) is_hit: bool,
    /// Number of times that it was carved.
    pub(super) carves: u32,
}

/// What a mover does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// At its first place, or not turning.
    AtRest,
    /// On the way to its other place.
    Going,
    /// At its other place, for so many ticks; None: until something sends it back.
    Away(Option<u32>),
    /// On the way back.
    Returning,
    /// At a stop, for so many ticks; None: until a signal comes.
    AtStop(usize, Option<u32>),
    /// Between two stops.
    Travelling([usize; 2]),
    /// Turning on and on.
    Spinning,
}

/// A signal that waits for its tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub tick: u64,
    pub from: Sender,
}

/// The owner of some [`Signals`](crate::level::Signals).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    Mover(usize),
    Stop(usize, usize),
    Trigger(usize),
    Relay(usize),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelayState {
    /// Signals taken since it last sent.
    pub taken: u32,
    /// It sends no more.
    pub is_dead: bool,
}

/// A mover that a change carved, and its shape on the other side of the change: undo and redo swap it.
#[derive(Clone, Debug)]
pub(super) struct DamagedMover {
    pub index: usize,
    /// None: it is gone there.
    pub solid: Option<Recipe>,
}

/// A trigger that never works again.
pub(super) const NEVER: u64 = u64::MAX;

impl MoverStates {
    /// The state when a level opens.
    pub(super) fn new(level: &Movers) -> Self {
        let made = parallel::map(level.movers.len(), 1, |i| Mover::new(&level.movers[i]));
        let mut states = Self {
            list: made,
            triggers: vec![0; level.triggers.len()],
            relays: vec![RelayState::default(); level.relays.len()],
            ..Self::default()
        };
        states.stand(level);
        states
    }

    /// All movers, in the order of the level's.
    pub fn all(&self) -> &[Mover] {
        &self.list
    }

    /// The movers that are there, on their way through the last tick, each with its index.
    pub fn solids(&self) -> impl Iterator<Item = (usize, &Kinematic)> {
        self.owners.iter().copied().zip(&self.solids)
    }

    /// The same, without the indices.
    pub fn kinematics(&self) -> &[Kinematic] {
        &self.solids
    }

    /// Makes the list of solids anew: all stand still.
    pub(super) fn stand(&mut self, level: &Movers) {
        self.owners.clear();
        self.solids.clear();
        for (index, (mover, desc)) in self.list.iter().zip(&level.movers).enumerate() {
            if let Some(solid) = &mover.solid {
                let frame = frame(desc, &mover.placement);
                self.owners.push(index);
                self.solids
                    .push(Kinematic::new(solid.clone(), frame, frame));
            }
        }
    }

    /// Swaps the shapes of movers with those from the other side of a change.
    pub(super) fn swap(&mut self, damaged: &mut [DamagedMover], level: &Movers) {
        for one in damaged.iter_mut() {
            let mover = &mut self.list[one.index];
            let other = one
                .solid
                .take()
                .and_then(|recipe| Solid::from_recipe(&recipe));
            let this = std::mem::replace(&mut mover.solid, other.map(Arc::new));
            one.solid = this.and_then(|solid| solid.recipe());
            mover.carves += 1;
        }
        if !damaged.is_empty() {
            self.refresh(level);
        }
    }

    /// Makes the list of solids anew after shapes have changed; those that move go on.
    pub(super) fn refresh(&mut self, level: &Movers) {
        let ways = self.owners.iter().zip(&self.solids);
        let ways: Vec<_> = ways
            .map(|(&i, solid)| (i, solid.before, solid.after))
            .collect();
        self.stand(level);
        for (solid, owner) in self.solids.iter_mut().zip(&self.owners) {
            if let Ok(at) = ways.binary_search_by_key(owner, |way| way.0) {
                *solid = Kinematic::new(solid.solid.clone(), ways[at].1, ways[at].2);
            }
        }
    }

    /// Drops the shapes that were carved; returns how to rebuild each, for [`MoverStates::fill`].
    pub(super) fn make_hollow(&mut self) -> Vec<(usize, Recipe)> {
        let mut dropped = Vec::new();
        for (&index, kinematic) in self.owners.iter().zip(&mut self.solids) {
            let mover = &mut self.list[index];
            let carved = mover.solid.as_ref().filter(|_| mover.carves > 0);
            let Some((solid, recipe)) = carved.and_then(|s| Some((s.hollow(), s.recipe()?))) else {
                continue;
            };
            let solid = Arc::new(solid);
            mover.solid = Some(solid.clone());
            *kinematic = Kinematic::new(solid, kinematic.before, kinematic.after);
            dropped.push((index, recipe));
        }
        dropped
    }

    /// Rebuilds the shapes that were dropped.
    pub(super) fn fill(&mut self, dropped: &[(usize, Recipe)]) {
        for (index, recipe) in dropped {
            let Ok(at) = self.owners.binary_search(index) else {
                continue;
            };
            let Some(solid) = Solid::from_recipe(recipe).map(Arc::new) else {
                continue;
            };
            self.list[*index].solid = Some(solid.clone());
            let kinematic = &mut self.solids[at];
            *kinematic = Kinematic::new(solid, kinematic.before, kinematic.after);
        }
    }

    /// Memory of the shapes that another state does not share, bytes.
    pub(super) fn bytes_beside(&self, other: &MoverStates) -> usize {
        let shared = |one: &Arc<Solid>, other: &Mover| {
            let other = other.solid.as_ref();
            other.is_some_and(|other| Arc::ptr_eq(one, other))
        };
        let pairs = self.list.iter().zip(&other.list);
        let own = pairs.filter_map(|(this, other)| {
            let solid = this.solid.as_ref()?;
            (!shared(solid, other)).then(|| solid.bytes())
        });
        own.sum()
    }

    /// Whether the next ticks change nothing if nobody does anything.
    pub(super) fn is_still(&self) -> bool {
        let waits = |mover: &Mover| match mover.phase {
            Phase::AtRest | Phase::Away(None) | Phase::AtStop(_, None) => !mover.is_hit,
            _ => mover.solid.is_none(),
        };
        self.pending.is_empty()
            && self.list.iter().all(waits)
            && self.solids.iter().all(|solid| !solid.is_moving())
    }

    /// Hashes all that the next ticks depend on; nothing in a level without movers.
    pub(super) fn hash(&self, hash: &mut Hash64) {
        for mover in &self.list {
            hash.vec3(mover.placement.shift);
            [mover.placement.angle, mover.way, mover.speed]
                .into_iter()
                .for_each(|x| hash.f64(x));
            let (code, number, ticks) = mover.phase.numbers();
            hash.u64(code << 48 | (number as u64) << 32 | u64::from(ticks));
            hash.u64(u64::from(mover.carves) << 1 | u64::from(mover.is_hit));
            hash.f64(mover.solid.as_ref().map_or(-1.0, |solid| solid.volume_m3));
        }
        for pending in &self.pending {
            hash.u64(pending.tick);
            let (kind, number) = match pending.from {
                Sender::Mover(i) => (0, i),
                Sender::Trigger(i) => (1, i),
                Sender::Relay(i) => (2, i),
                Sender::Stop(i, stop) => (3 + stop, i),
            };
            hash.u64((kind as u64) << 32 | number as u64);
        }
        self.triggers.iter().for_each(|&tick| hash.u64(tick));
        for relay in &self.relays {
            hash.u64(u64::from(relay.taken) << 1 | u64::from(relay.is_dead));
        }
    }
}

impl Mover {
    fn new(desc: &MoverDesc) -> Self {
        let solid = Solid::from_brushes(&desc.brushes).map(Arc::new);
        let starts = desc.started_by.itself;
        let (placement, phase, speed) = match &desc.motion {
            Motion::Between { places, .. } => (places[0], Phase::AtRest, 0.0),
            Motion::Path { stops, speed, .. } => {
                let shift = stops
                    .first()
                    .map_or_else(Default::default, |stop| stop.shift);
                let ticks = starts.then_some(0);
                let placement = Placement { shift, angle: 0.0 };
                (placement, Phase::AtStop(0, ticks), *speed)
            }
            Motion::Spin { .. } if starts => (Placement::default(), Phase::Spinning, 0.0),
            Motion::Spin { .. } => (Placement::default(), Phase::AtRest, 0.0),
        };
        Self {
            whole_m3: solid.as_ref().map_or(0.0, |solid| solid.volume_m3),
            solid,
            placement,
            phase,
            way: 0.0,
            speed,
            is_hit: false,
            carves: 0,
        }
    }
}

impl Phase {
    fn numbers(self) -> (u64, usize, u32) {
        let ticks = |ticks: Option<u32>| ticks.unwrap_or(u32::MAX);
        match self {
            Phase::AtRest => (0, 0, 0),
            Phase::Going => (1, 0, 0),
            Phase::Away(left) => (2, 0, ticks(left)),
            Phase::Returning => (3, 0, 0),
            Phase::AtStop(stop, left) => (4, stop, ticks(left)),
            Phase::Travelling([from, to]) => (5, from, to as u32),
            Phase::Spinning => (6, 0, 0),
        }
    }
}

/// Where a mover's home frame, that of the file, lies in the world.
pub(super) fn frame(desc: &MoverDesc, placement: &Placement) -> Frame {
    let hinge = match &desc.motion {
        Motion::Between { hinge, .. } => *hinge,
        Motion::Spin { hinge, .. } => Some(*hinge),
        Motion::Path { .. } => None,
    };
    match hinge.filter(|_| placement.angle != 0.0) {
        Some(Hinge { point, axis }) => {
            let (sin, cos) = libm::sincos(placement.angle * 0.5);
            let turn = DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
            Frame {
                origin: placement.shift + point - turn * point,
                turn,
            }
        }
        None => Frame {
            origin: placement.shift,
            turn: DQuat::IDENTITY,
        },
    }
}
