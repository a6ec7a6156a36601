//! Trains: from corner to corner, each named by the one before.
use super::classes::Engine;
use super::doors::{Made, still};
use super::reader::{Reader, Warnings};
use super::shape::Shape;
use super::targets::Named;
use super::{Motion, MoverKind, Signals, StartedBy, Stop};
use crate::level::keys::{self, metres};
use crate::level::parsed::ParsedEntity;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// A train and the corner of each of its stops.
pub(super) struct Train<'a> {
    pub made: Made,
    pub corners: Vec<&'a ParsedEntity>,
}

/// A train of at most `room` stops.
pub(super) fn train<'a>(
    reader: &mut Reader<'a, '_>,
    shape: &Shape,
    named: &Named<'a>,
    room: usize,
) -> Train<'a> {
    const START_ON: u32 = 1;
    let speed = reader.speed(100.0);
    let itself = match reader.engine {
        Engine::Quake3 => true,
        Engine::Quake2 => !reader.is_named() || reader.flag(START_ON),
        Engine::Quake | Engine::HalfLife => !reader.is_named(),
    };
    let (corners, back_to) = corners(reader, named, room);
    let from = match reader.engine {
        // The lowest corner in the file's axes.
        Engine::Quake | Engine::Quake2 => shape.bounds.min.with_z(shape.bounds.max.z),
        Engine::HalfLife => shape.bounds.centre(),
        Engine::Quake3 if corners.is_empty() => shape.bounds.centre(),
        Engine::Quake3 => reader.pivot(shape),
    };
    let stops = corners.iter().map(|&(corner, origin)| {
        let shift = reader.within_grid(&shape.bounds, origin - from);
        let (engine, warnings) = (reader.engine, &mut *reader.warnings);
        stop(corner, engine, warnings, shift)
    });
    let stops: Vec<Stop> = stops.collect();
    let is_moving = stops.len() > 1;
    let motion = match stops.is_empty() {
        true => still(),
        false => Motion::Path {
            stops,
            back_to: back_to.filter(|_| is_moving),
            speed,
        },
    };
    let started_by = StartedBy {
        itself: itself && is_moving,
        ..StartedBy::default()
    };
    Train {
        made: Made::new(MoverKind::Train, motion, started_by),
        corners: corners.into_iter().map(|(corner, _)| corner).collect(),
    }
}

fn stop(corner: &ParsedEntity, engine: Engine, warnings: &mut Warnings, shift: DVec3) -> Stop {
    /// A bit of a corner's `spawnflags` in Half-Life: it waits for a signal.
    const WAITS: u32 = 1;
    let mut reader = Reader {
        entity: corner,
        engine,
        warnings,
    };
    let waits = engine == Engine::HalfLife && reader.flag(WAITS);
    Stop {
        shift,
        wait: reader.wait(0.0, false).filter(|_| !waits),
        speed: reader.speed_from_here(),
        signals: Signals::default(),
    }
}

/// A corner and its origin, metres.
type Corner<'a> = (&'a ParsedEntity, DVec3);

/// The corners of a train in order, and the index of the one that follows the last.
fn corners<'a>(
    reader: &mut Reader<'a, '_>,
    named: &Named<'a>,
    room: usize,
) -> (Vec<Corner<'a>>, Option<usize>) {
    let class = reader.entity.class_name();
    let mut found: Vec<Corner> = Vec::new();
    // By the place in the file, so that a circle of them ends.
    let mut known: FxHashMap<usize, usize> = FxHashMap::default();
    let mut back_to = None;
    let mut next = reader.text("target");
    if next.is_none() {
        reader.warn(format!("the {class} stays where it is: it has no `target`"));
    }
    while let Some(name) = next {
        let Some(corner) = named.corner(name) else {
            let short: String = name.chars().take(40).collect();
            reader.warn(format!("the {class} ends: there is no corner {short:?}"));
            break;
        };
        back_to = known.get(&corner.pos.offset).copied();
        if back_to.is_some() {
            break;
        }
        if found.len() >= room {
            reader.warn(format!(
                "the {class} ends: the level's trains have too many stops"
            ));
            break;
        }
        match keys::origin(corner) {
            Ok(origin) => found.push((corner, metres(origin))),
            Err((pos, text)) => {
                reader.warnings.add(corner, pos.line, text);
                break;
            }
        }
        known.insert(corner.pos.offset, known.len());
        next = corner.get("target").filter(|name| !name.is_empty());
    }
    if found.len() == 1 {
        reader.warn(format!("the {class} stays at its only corner"));
    }
    (found, back_to)
}
