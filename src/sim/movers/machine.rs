//! What movers do: they start, go, wait, return, stop.
use super::outbox::{send, ticks};
use super::push;
use crate::debris::Kinematic;
use crate::level::{Motion, MoverDesc, MoverKind, Movers, Placement, StartedBy};
use crate::sim::mover_states::{Mover, Phase, Sender, frame};
use crate::sim::moving_sphere;
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;
use crate::sim::tick::TICK_SECS;
use std::f64::consts::TAU;

/// A gap up to this counts as a touch, metres: the player keeps the buffer.
const TOUCH: f64 = 0.05;
/// As long as the player is near, a mover stays away for this long at least, seconds.
const STAYS: f64 = 1.0;

/// Starts what the player is near or touches, and what a shot has hit.
pub(super) fn start_touched(sim: &mut Sim, level: &Movers) {
    for index in 0..level.movers.len() {
        let was_hit = std::mem::take(&mut sim.movers.list[index].is_hit);
        let StartedBy {
            near, touch, shots, ..
        } = level.movers[index].started_by;
        if sim.movers.list[index].solid.is_none() {
            continue;
        }
        let is_near = near.is_some_and(|near| {
            let mut spheres = moving_sphere::of_player(&sim.player);
            spheres.any(|sphere| near.grow(sphere.radius).contains(sphere.centre))
        });
        let is_touched = is_near || touch && is_touched(sim, index);
        if shots && was_hit || is_touched {
            touched(sim, level, index);
        }
    }
}

fn is_touched(sim: &Sim, index: usize) -> bool {
    let Some((_, solid)) = sim.movers.solids().find(|(owner, _)| *owner == index) else {
        return false;
    };
    let reach = |radius: f64| radius + sim.settings.buffer_distance + TOUCH;
    let mut spheres = moving_sphere::of_player(&sim.player);
    spheres.any(|sphere| {
        let reach = reach(sphere.radius);
        solid.bounds().grow(reach).contains(sphere.centre)
            && push::nearest(solid, 1.0, sphere.centre, reach).is_some()
    })
}

/// The player, or a shot, starts a mover and its group.
fn touched(sim: &mut Sim, level: &Movers, index: usize) {
    for one in group(level, level.movers[index].group) {
        let Motion::Between { wait, toggles, .. } = &level.movers[one].motion else {
            continue;
        };
        match sim.movers.list[one].phase {
            Phase::AtRest => go(sim, level, one),
            Phase::Returning if !toggles => go(sim, level, one),
            Phase::Away(Some(left)) => {
                let stays = wait.map_or(STAYS, |wait| wait.min(STAYS));
                sim.movers.list[one].phase = Phase::Away(Some(left.max(ticks(stays))));
            }
            _ => {}
        }
    }
}

/// A signal starts a mover and its group, or sends it back.
pub(super) fn signalled(sim: &mut Sim, level: &Movers, index: usize) {
    for one in group(level, level.movers[index].group) {
        let phase = sim.movers.list[one].phase;
        match &level.movers[one].motion {
            Motion::Between { wait, toggles, .. } => match phase {
                Phase::AtRest => go(sim, level, one),
                Phase::Going | Phase::Away(_) if *toggles => turn_back(sim, one),
                Phase::Returning => go(sim, level, one),
                Phase::Away(Some(_)) => {
                    sim.movers.list[one].phase = Phase::Away(wait.map(ticks));
                }
                Phase::Away(None) | Phase::Going => {}
                Phase::AtStop(..) | Phase::Travelling(_) | Phase::Spinning => {}
            },
            Motion::Path { .. } => {
                if let Phase::AtStop(stop, None) = phase {
                    sim.movers.list[one].phase = Phase::AtStop(stop, Some(0));
                }
            }
            Motion::Spin { .. } => {
                let spins = phase == Phase::Spinning;
                sim.movers.list[one].phase = match spins {
                    true => Phase::AtRest,
                    false => Phase::Spinning,
                };
            }
        }
    }
}

/// Sends a mover to its other place.
fn go(sim: &mut Sim, level: &Movers, index: usize) {
    let mover = &mut sim.movers.list[index];
    if mover.solid.is_none() {
        return;
    }
    let was_at_rest = mover.phase == Phase::AtRest;
    mover.phase = Phase::Going;
    if was_at_rest && level.movers[index].kind != MoverKind::Button {
        send(sim, level, Sender::Mover(index));
    }
}

fn turn_back(sim: &mut Sim, index: usize) {
    sim.movers.list[index].phase = Phase::Returning;
}

/// Counts the waits down; those that end send their movers on.
pub(super) fn end_waits(sim: &mut Sim, level: &Movers) {
    for (index, desc) in level.movers.iter().enumerate() {
        match sim.movers.list[index].phase {
            Phase::Away(Some(0)) => turn_back(sim, index),
            Phase::AtStop(stop, Some(0)) => depart(sim, (index, desc), stop),
            Phase::Away(Some(left)) => {
                sim.movers.list[index].phase = Phase::Away(Some(left - 1));
            }
            Phase::AtStop(stop, Some(left)) => {
                sim.movers.list[index].phase = Phase::AtStop(stop, Some(left - 1));
            }
            _ => {}
        }
    }
}

/// Sends a train on from a stop; from the last one it goes nowhere.
fn depart(sim: &mut Sim, (index, desc): (usize, &MoverDesc), stop: usize) {
    let Motion::Path { stops, back_to, .. } = &desc.motion else {
        return;
    };
    let next = match stop + 1 < stops.len() {
        true => Some(stop + 1),
        false => *back_to,
    };
    let mover = &mut sim.movers.list[index];
    let Some(next) = next.filter(|&next| next != stop && mover.solid.is_some()) else {
        mover.phase = Phase::AtStop(stop, None);
        return;
    };
    mover.speed = stops[stop].speed.unwrap_or(mover.speed);
    mover.way = 0.0;
    mover.phase = Phase::Travelling([stop, next]);
}

/// Moves all movers, group by group: a group moves as a whole, or something blocks it.
pub(super) fn move_all(sim: &mut Sim, level: &Movers, report: &mut StepReport) {
    sim.movers.stand(level);
    for first in 0..level.movers.len() {
        if level.movers[first].group != first {
            continue;
        }
        let moves: Vec<Move> = group(level, first)
            .filter_map(|index| wanted(&sim.movers.list[index], &level.movers[index], index))
            .collect();
        if moves.is_empty() {
            continue;
        }
        let solids: Vec<Kinematic> = moves.iter().map(|one| one.solid.clone()).collect();
        match push::make_way(sim, &solids, report) {
            true => {
                for one in moves {
                    arrive(sim, level, one);
                }
            }
            false => {
                for one in moves {
                    blocked(sim, level, one.index);
                }
            }
        }
    }
}

/// A move that a mover wants to make in this tick.
struct Move {
    index: usize,
    placement: Placement,
    /// Part of the way after it.
    way: f64,
    solid: Kinematic,
}

/// The next move of a mover; None if it stands still.
fn wanted(mover: &Mover, desc: &MoverDesc, index: usize) -> Option<Move> {
    let solid = mover.solid.clone()?;
    let (placement, way) = match (&desc.motion, mover.phase) {
        (Motion::Between { places, speed, .. }, Phase::Going | Phase::Returning) => {
            let sign = if mover.phase == Phase::Going {
                1.0
            } else {
                -1.0
            };
            let length = way_between(places);
            let way = advanced(mover.way, sign * speed * TICK_SECS, length);
            (mix(places, way), way)
        }
        (Motion::Path { stops, .. }, Phase::Travelling([from, to])) => {
            let [from, to] = [from, to].map(|stop| Placement {
                shift: stops[stop].shift,
                angle: 0.0,
            });
            let length = way_between(&[from, to]);
            let way = advanced(mover.way, mover.speed * TICK_SECS, length);
            (mix(&[from, to], way), way)
        }
        (Motion::Spin { speed, .. }, Phase::Spinning) => {
            let angle = mover.placement.angle + speed * TICK_SECS;
            let placement = Placement {
                angle,
                ..mover.placement
            };
            (placement, 0.0)
        }
        _ => return None,
    };
    let before = frame(desc, &mover.placement);
    let after = frame(desc, &placement);
    Some(Move {
        index,
        placement,
        way,
        solid: Kinematic::new(solid, before, after),
    })
}

/// The length of the way, metres, or radians where it turns.
fn way_between([from, to]: &[Placement; 2]) -> f64 {
    let angle = (to.angle - from.angle).abs();
    if angle > 0.0 {
        angle
    } else {
        to.shift.distance(from.shift)
    }
}

fn advanced(way: f64, by: f64, length: f64) -> f64 {
    if length > 0.0 {
        (way + by / length).clamp(0.0, 1.0)
    } else {
        f64::from(u8::from(by > 0.0))
    }
}

fn mix([from, to]: &[Placement; 2], way: f64) -> Placement {
    Placement {
        shift: from.shift.lerp(to.shift, way),
        angle: from.angle + (to.angle - from.angle) * way,
    }
}

/// Makes a move, and what follows where it ends a way.
fn arrive(sim: &mut Sim, level: &Movers, made: Move) {
    let Move {
        index,
        placement,
        way,
        solid,
    } = made;
    let at = sim.movers.owners.iter().position(|owner| *owner == index);
    if let Some(at) = at {
        sim.movers.solids[at] = solid;
    }
    let mover = &mut sim.movers.list[index];
    (mover.placement, mover.way) = (placement, way);
    match (&level.movers[index].motion, mover.phase) {
        (Motion::Between { wait, toggles, .. }, Phase::Going) if way >= 1.0 => {
            mover.phase = Phase::Away(wait.filter(|_| !toggles).map(ticks));
            if level.movers[index].kind == MoverKind::Button {
                send(sim, level, Sender::Mover(index));
            }
        }
        (_, Phase::Returning) if way <= 0.0 => {
            mover.phase = Phase::AtRest;
        }
        (Motion::Path { stops, .. }, Phase::Travelling([_, to])) if way >= 1.0 => {
            let wait = stops[to].wait.map(ticks);
            mover.phase = Phase::AtStop(to, wait);
            send(sim, level, Sender::Stop(index, to));
        }
        (_, Phase::Spinning) => mover.placement.angle = placement.angle.rem_euclid(TAU),
        _ => {}
    }
}

/// Something is in a mover's way: it turns back, or waits.
fn blocked(sim: &mut Sim, level: &Movers, index: usize) {
    let Motion::Between { reverses: true, .. } = level.movers[index].motion else {
        return;
    };
    match sim.movers.list[index].phase {
        Phase::Going => turn_back(sim, index),
        Phase::Returning => {
            sim.movers.list[index].phase = Phase::Going;
        }
        _ => {}
    }
}

/// The movers of a group, by index.
fn group(level: &Movers, first: usize) -> impl Iterator<Item = usize> + '_ {
    let all = level.movers.iter().enumerate().skip(first);
    all.filter(move |(_, desc)| desc.group == first)
        .map(|(index, _)| index)
}
