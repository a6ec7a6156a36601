//! Triggers and relays: what sends signals, teleports or pushes.
use super::classes::{Engine, RelayRole, TriggerRole, destination};
use super::reader::Reader;
use super::shape::Shape;
use super::targets::Named;
use super::{RelayDesc, Signals, TriggerDesc, TriggerEffect};
use crate::level::keys::{self, UNITS, VIEW_HEIGHT, metres, yaw};
use crate::level::parsed::ParsedEntity;
use glam::DVec3;

/// Gravity of Quake 3, for which its jump pads are aimed, units a second squared.
const GRAVITY: f64 = 800.0;
/// Greatest speed of a push, metres a second.
const FASTEST_PUSH: f64 = 100.0;
/// The greatest speed of anything in Quake and Half-Life, units a second: pushes there often ask for more.
const FASTEST_IN_QUAKE: f64 = 2000.0;

/// A trigger; None, with a warning, of one that can do nothing. Its signals come later.
pub(super) fn trigger(
    reader: &mut Reader,
    role: TriggerRole,
    shape: Shape,
    named: &Named,
) -> Option<TriggerDesc> {
    let class = reader.entity.class_name();
    if shape.volumes.is_empty() && !reader.is_named() {
        reader.warn(format!("a {class} without a brush is skipped"));
        return None;
    }
    let effect = match role {
        TriggerRole::Once | TriggerRole::Multiple => TriggerEffect::Send(Signals::default()),
        TriggerRole::Teleport => teleport(reader, named)?,
        TriggerRole::Push => TriggerEffect::Push(push(reader, &shape, named)?),
    };
    Some(TriggerDesc {
        effect,
        line: reader.entity.pos.line,
        wait: wait(reader, role),
        signalled_only: shape.volumes.is_empty() || is_signalled_only(reader, role),
        volumes: shape.volumes,
    })
}

fn wait(reader: &mut Reader, role: TriggerRole) -> Option<f64> {
    /// A bit of `spawnflags` of a push.
    const ONCE: u32 = 1;
    match (role, reader.engine) {
        (TriggerRole::Once, _) => None,
        (TriggerRole::Multiple, Engine::Quake3) => reader.wait(0.5, false),
        (TriggerRole::Multiple, _) => reader.wait(0.2, true),
        (TriggerRole::Push, engine) if engine != Engine::Quake3 && reader.flag(ONCE) => None,
        (TriggerRole::Push | TriggerRole::Teleport, _) => Some(0.0),
    }
}

/// Whether the player being in it is nothing to it.
fn is_signalled_only(reader: &mut Reader, role: TriggerRole) -> bool {
    /// Bits of `spawnflags`.
    const NOT_TOUCHED: u32 = 1;
    const NOT_BY_PLAYERS: u32 = 2;
    const STARTS_OFF: u32 = 4;
    const PUSH_STARTS_OFF: u32 = 2;
    let sends = matches!(role, TriggerRole::Once | TriggerRole::Multiple);
    match reader.engine {
        Engine::Quake if sends => reader.flag(NOT_TOUCHED),
        Engine::Quake => role == TriggerRole::Teleport && reader.is_named(),
        Engine::HalfLife if sends => reader.flag(NOT_BY_PLAYERS),
        Engine::HalfLife => role == TriggerRole::Push && reader.flag(PUSH_STARTS_OFF),
        Engine::Quake2 => sends && (reader.flag(NOT_BY_PLAYERS) || reader.flag(STARTS_OFF)),
        Engine::Quake3 => false,
    }
}

/// Where it leads.
fn teleport(reader: &mut Reader, named: &Named) -> Option<TriggerEffect> {
    let (place, origin) = place(reader, named)?;
    let height = destination(reader.engine, place.class_name()).unwrap_or(0.0);
    Some(TriggerEffect::Teleport {
        eye: metres(origin + DVec3::Z * (height + VIEW_HEIGHT)),
        yaw: yaw(place),
    })
}

/// Its target's place, units.
fn place<'a>(reader: &mut Reader, named: &Named<'a>) -> Option<(&'a ParsedEntity, DVec3)> {
    let class = reader.entity.class_name();
    let name = reader.text("target");
    let Some(place) = name.and_then(|name| named.place(name)) else {
        let short: String = name.unwrap_or("").chars().take(40).collect();
        reader.warn(format!(
            "a {class} without a destination is skipped: {short:?}"
        ));
        return None;
    };
    match keys::origin(place) {
        Ok(origin) => Some((place, origin)),
        Err((pos, text)) => {
            reader.warnings.add(
                reader.entity,
                pos.line,
                format!("a {class} is skipped: {text}"),
            );
            None
        }
    }
}

/// The velocity that it gives, metres a second.
fn push(reader: &mut Reader, shape: &Shape, named: &Named) -> Option<DVec3> {
    if reader.engine == Engine::Quake3 {
        let (_, to) = place(reader, named)?;
        let velocity = (!shape.bounds.is_empty())
            .then(|| arc(metres(to) - shape.bounds.centre(), GRAVITY / UNITS))
            .flatten();
        let Some(velocity) = velocity else {
            let text = "a trigger_push is skipped: its target is not above it";
            reader.warn(text.into());
            return None;
        };
        return Some(velocity.clamp_length_max(FASTEST_PUSH));
    }
    let way = reader.direction();
    let usual = match reader.engine {
        Engine::HalfLife => 100.0,
        _ => 1000.0,
    };
    let found = reader.number("speed");
    if found.is_some_and(|speed| speed <= 0.0) {
        reader.warn("`speed` is not above 0".into());
    }
    let speed = found.filter(|&speed| speed > 0.0).unwrap_or(usual);
    let speed = match reader.engine {
        Engine::Quake => (speed * 10.0).min(FASTEST_IN_QUAKE),
        Engine::HalfLife => speed.min(FASTEST_IN_QUAKE),
        Engine::Quake2 | Engine::Quake3 => speed * 10.0,
    };
    Some(way * (speed / UNITS).min(FASTEST_PUSH))
}

/// The velocity with which something thrown has the top of its arc at a point: it rises for t = √(2 h / g).
fn arc(to: DVec3, gravity: f64) -> Option<DVec3> {
    let secs = (2.0 * to.y / gravity).sqrt();
    let velocity = DVec3::new(to.x / secs, secs * gravity, to.z / secs);
    (to.y > 0.0 && velocity.is_finite()).then_some(velocity)
}

/// A relay or a counter. Its signals come later.
pub(super) fn relay(reader: &mut Reader, role: RelayRole) -> RelayDesc {
    /// A bit of `spawnflags` of Half-Life's relays.
    const ONCE: u32 = 1;
    let is_counter = role == RelayRole::Counter;
    RelayDesc {
        line: reader.entity.pos.line,
        count: if is_counter { count(reader) } else { 1 },
        once: is_counter || reader.engine == Engine::HalfLife && reader.flag(ONCE),
        signals: Signals::default(),
    }
}

fn count(reader: &mut Reader) -> u32 {
    const USUAL: u32 = 2;
    const MOST: f64 = 1e9;
    let Some(count) = reader.nonzero("count") else {
        return USUAL;
    };
    if !(1.0..=MOST).contains(&count) {
        reader.warn(format!("`count` is no number of signals: {count}"));
        return USUAL;
    }
    count as u32
}
