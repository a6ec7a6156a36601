//! Groups of doors that open together, and the boxes in which the player opens them.
use super::MoverDesc;
use super::classes::{Engine, MoverRole};
use super::reader::{Reader, Warnings};
use crate::geom::Aabb;
use crate::level::keys::UNITS;
use crate::level::parsed::ParsedEntity;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Doors that are linked where they touch: more of them would take too long.
const MOST_LINKED: usize = 8192;

/// A mover that may be one of a group.
pub(super) struct Leaf<'a> {
    pub entity: &'a ParsedEntity,
    pub role: MoverRole,
    /// It opens for who is near.
    pub opens: bool,
}

/// Joins doors, and sets where the player opens them. `leaves` are the movers' own, in their order.
pub(super) fn link(
    movers: &mut [MoverDesc],
    leaves: &[Leaf],
    engine: Engine,
    warnings: &mut Warnings,
) {
    match engine {
        Engine::Quake => link_by_touch(movers, leaves, warnings),
        Engine::Quake2 | Engine::Quake3 => link_by_team(movers, leaves),
        Engine::HalfLife => {}
    }
    // The box of each group, by its first door; None where one of its doors opens in another way.
    let mut boxes: FxHashMap<usize, Option<Aabb>> = FxHashMap::default();
    for (mover, leaf) in movers.iter().zip(leaves) {
        let own = leaf.opens.then_some(mover.bounds);
        let of_group = boxes.entry(mover.group).or_insert(own);
        *of_group = of_group.zip(own).map(|(all, own)| all.union(&own));
    }
    for (mover, _) in movers.iter_mut().zip(leaves).filter(|(_, leaf)| leaf.opens) {
        let of_group = boxes.get(&mover.group).copied().flatten();
        mover.started_by.near = of_group.map(|bounds| near(engine, &bounds));
    }
}

/// The box in which the player opens a group of doors.
fn near(engine: Engine, bounds: &Aabb) -> Aabb {
    let margin = match engine {
        Engine::Quake | Engine::Quake2 => DVec3::new(60.0, 8.0, 60.0),
        Engine::HalfLife => DVec3::splat(8.0),
        Engine::Quake3 => {
            // Along the thinnest of the file's axes, the first of equals.
            let size = bounds.size();
            let (across, along) = ((size.x, DVec3::X), (size.z, DVec3::Z));
            let thinner = if along.0 < across.0 { along } else { across };
            let axis = if size.y < thinner.0 {
                DVec3::Y
            } else {
                thinner.1
            };
            axis * 120.0
        }
    } / UNITS;
    Aabb {
        min: bounds.min - margin,
        max: bounds.max + margin,
    }
}

fn is_door(leaf: &Leaf) -> bool {
    matches!(
        leaf.role,
        MoverRole::Door | MoverRole::SecretDoor | MoverRole::TurningDoor
    )
}

/// Quake: sliding doors that touch each other.
fn link_by_touch(movers: &mut [MoverDesc], leaves: &[Leaf], warnings: &mut Warnings) {
    /// A bit of `spawnflags`.
    const NOT_LINKED: u32 = 4;
    let mut doors = Vec::new();
    for (index, leaf) in leaves.iter().enumerate() {
        let mut reader = Reader {
            entity: leaf.entity,
            engine: Engine::Quake,
            warnings,
        };
        if leaf.role == MoverRole::Door && !reader.flag(NOT_LINKED) {
            doors.push(index);
        }
    }
    if let Some(&first) = doors.get(MOST_LINKED) {
        let text =
            format!("only the first {MOST_LINKED} doors are linked to those that they touch");
        let entity = leaves[first].entity;
        warnings.add(entity, entity.pos.line, text);
        doors.truncate(MOST_LINKED);
    }
    for (at, &index) in doors.iter().enumerate() {
        for &other in &doors[..at] {
            if movers[index].bounds.overlaps(&movers[other].bounds) {
                join(movers, index, other);
            }
        }
    }
    // The first of each group, not only the first known so far.
    for index in 0..movers.len() {
        movers[index].group = first_of(movers, index);
    }
}

/// The first of the group that a mover is in.
fn first_of(movers: &mut [MoverDesc], index: usize) -> usize {
    let mut at = index;
    while movers[at].group != at {
        // Half of the way each time keeps it short.
        movers[at].group = movers[movers[at].group].group;
        at = movers[at].group;
    }
    at
}

fn join(movers: &mut [MoverDesc], a: usize, b: usize) {
    let (a, b) = (first_of(movers, a), first_of(movers, b));
    movers[a.max(b)].group = a.min(b);
}

/// Quake 2 and 3: doors with the same `team`.
fn link_by_team(movers: &mut [MoverDesc], leaves: &[Leaf]) {
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| is_door(leaf)) {
        let team = leaf.entity.get("team").filter(|team| !team.is_empty());
        if let Some(team) = team {
            movers[index].group = *first.entry(team).or_insert(index);
        }
    }
}
