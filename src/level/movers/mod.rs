//! Movers: the brush entities that move, and what starts them, in metres and seconds with y up. What the keys of each game mean
//! is decided here; the simulation knows no games.
//!
//! They are no part of the world: they seal nothing, and no hash of the world knows them.
//!
//! `import` makes them of the file's entities: `classes` says what an entity is, `reader` reads its keys with
//! a warning for each bad one, `doors`, `plats`, `trains` and `triggers` know what the keys of each game mean, `links` joins
//! doors, and `targets` finds who gets a signal.
mod classes;
mod doors;
mod import;
mod links;
mod plats;
mod reader;
mod shape;
mod targets;
mod trains;
mod triggers;

pub(super) use classes::{Engine, Role, role};
pub(super) use import::{Source, import};
pub(super) use shape::{Shape, is_origin};
pub(super) use targets::Named;

use crate::carve::BrushDesc;
use crate::geom::Aabb;
use glam::DVec3;

/// The movers of a level, and what sends them signals.
#[derive(Clone, Debug, Default)]
pub struct Movers {
    /// In the order of the file.
    pub movers: Vec<MoverDesc>,
    /// Volumes that the player sets off, in the order of the file.
    pub triggers: Vec<TriggerDesc>,
    /// Relays and counters, in the order of the file.
    pub relays: Vec<RelayDesc>,
}

/// What a mover is, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoverKind {
    /// It slides or turns out of the way.
    Door,
    /// It carries up and down.
    Plat,
    /// It is pressed.
    Button,
    /// It follows corners.
    Train,
    /// It turns on and on.
    Rotating,
}

/// A solid that moves.
#[derive(Clone, Debug)]
pub struct MoverDesc {
    /// What it is.
    pub kind: MoverKind,
    /// Line of the entity in the file, 1-based.
    pub line: u32,
    /// Its brushes where the file has them; at least one.
    pub brushes: Vec<BrushDesc>,
    /// Box of the brushes, metres.
    pub bounds: Aabb,
    /// Where it moves.
    pub motion: Motion,
    /// What starts it, besides signals.
    pub started_by: StartedBy,
    /// Movers of one group start, stop and turn back together: the index of the group's first, its own where it is alone.
    pub group: usize,
    /// Sent when it starts from its place of rest; of a button, when it is pressed in.
    pub signals: Signals,
}

/// Where a mover is, from where the file has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement {
    /// Metres.
    pub shift: DVec3,
    /// Radians about the mover's hinge.
    pub angle: f64,
}

/// The line that a mover turns about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// A point of it, metres, where the file has the mover.
    pub point: DVec3,
    /// Unit; a positive angle turns counter-clockwise seen against it.
    pub axis: DVec3,
}

/// How a mover moves.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Between two places: doors, plats, buttons.
    Between {
        /// The place of rest, where it starts, and the other one.
        places: [Placement; 2],
        /// Needed where the angles differ.
        hinge: Option<Hinge>,
        /// Metres a second; radians a second where the angles differ. Above 0.
        speed: f64,
        /// Seconds at the other place; None: it stays there.
        wait: Option<f64>,
        /// A signal sends it to the place where it is not; it does not return by itself.
        toggles: bool,
        /// It turns back where something blocks it; otherwise it waits until the way is free.
        reverses: bool,
    },
    /// From stop to stop.
    Path {
        /// At least one; it starts at the first.
        stops: Vec<Stop>,
        /// The stop that follows the last one; None: it ends there.
        back_to: Option<usize>,
        /// Metres a second, where no stop says otherwise. Above 0.
        speed: f64,
    },
    /// Turning on.
    Spin {
        #[allow(missing_docs)]
        hinge: Hinge,
        /// Radians a second; below 0 it turns clockwise.
        speed: f64,
    },
}

/// A stop of a train.
#[derive(Clone, Debug)]
pub struct Stop {
    /// From where the file has the train, metres.
    pub shift: DVec3,
    /// Seconds; None: until a signal comes.
    pub wait: Option<f64>,
    /// Metres a second on the way to the next stop; None: as before.
    pub speed: Option<f64>,
    /// Sent on arrival.
    pub signals: Signals,
}

/// What starts a mover, besides signals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StartedBy {
    /// It moves from the start, without any cause.
    pub itself: bool,
    /// The player touches it.
    pub touch: bool,
    /// The player is within this box, metres.
    pub near: Option<Aabb>,
    /// A blast or a drill hits it.
    pub shots: bool,
}

/// What is sent when something happens.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// Seconds until it is sent.
    pub delay: f64,
    /// Who gets it.
    pub targets: Vec<Receiver>,
    /// What it removes: a mover vanishes, others get no signals any more.
    pub kills: Vec<Receiver>,
    /// Shown to the player.
    pub message: Option<String>,
}

/// What a signal can reach: an index into the lists of [`Movers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Receiver {
    Mover(usize),
    Trigger(usize),
    Relay(usize),
}

/// A convex volume.
#[derive(Clone, Debug)]
pub struct Convex {
    /// Unit normal, outwards, and n·p on the plane, metres.
    pub planes: Vec<(DVec3, f64)>,
    /// Box, metres.
    pub bounds: Aabb,
}

impl Convex {
    /// Whether a sphere reaches into it: near its edges it may say yes for a near miss.
    pub fn touches(&self, centre: DVec3, radius: f64) -> bool {
        let planes = self.planes.iter();
        self.bounds.grow(radius).contains(centre)
            && planes.into_iter().all(|(n, d)| n.dot(centre) <= d + radius)
    }
}

/// A volume that does something when the player is in it.
#[derive(Clone, Debug)]
pub struct TriggerDesc {
    /// What it does.
    pub effect: TriggerEffect,
    /// Line of the entity in the file, 1-based.
    pub line: u32,
    /// Its brushes.
    pub volumes: Vec<Convex>,
    /// Seconds before it works again; None: it works once.
    pub wait: Option<f64>,
    /// Nobody sets it off by being in it: only signals do.
    pub signalled_only: bool,
}

/// What a trigger does.
#[derive(Clone, Debug)]
pub enum TriggerEffect {
    /// Sends signals.
    Send(Signals),
    /// Puts the player's eye here, looking along this yaw.
    Teleport {
        /// Metres.
        eye: DVec3,
        /// Radians to the left from -Z.
        yaw: f64,
    },
    /// Gives the player this velocity as long as it is in it, metres a second.
    Push(DVec3),
}

/// Passes signals on.
#[derive(Clone, Debug)]
pub struct RelayDesc {
    /// Line of the entity in the file, 1-based.
    pub line: u32,
    /// Signals that it takes before it sends its own; 1 for a relay.
    pub count: u32,
    /// It sends only once.
    pub once: bool,
    /// What it sends.
    pub signals: Signals,
}

impl Movers {
    /// Whether the level has neither movers nor triggers.
    pub fn is_empty(&self) -> bool {
        self.movers.is_empty() && self.triggers.is_empty()
    }

    /// Number of movers of a kind.
    pub fn count(&self, kind: MoverKind) -> usize {
        self.movers
            .iter()
            .filter(|mover| mover.kind == kind)
            .count()
    }
}

#[cfg(test)]
mod tests;
