//! Doors, buttons and rotating things: what slides along its angle or turns about a hinge.
use super::classes::Engine;
use super::reader::Reader;
use super::shape::Shape;
use super::{Hinge, Motion, MoverKind, Placement, StartedBy};
use crate::level::keys::UNITS;
use glam::DVec3;

/// What the keys of a mover come to.
pub(super) struct Made {
    pub kind: MoverKind,
    pub motion: Motion,
    pub started_by: StartedBy,
    /// It opens for who is near it or a door of its group.
    pub opens: bool,
}

impl Made {
    pub fn new(kind: MoverKind, motion: Motion, started_by: StartedBy) -> Self {
        Self {
            kind,
            motion,
            started_by,
            opens: false,
        }
    }
}

/// The motion of what stands still.
pub(super) fn still() -> Motion {
    Motion::Between {
        places: [Placement::default(); 2],
        hinge: None,
        speed: 1.0,
        wait: None,
        toggles: false,
        reverses: false,
    }
}

/// Bits of `spawnflags`.
const START_OPEN: u32 = 1;
const REVERSE: u32 = 2;
const CRUSHER: u32 = 4;
const TOGGLE: u32 = 32;
const X_AXIS: u32 = 64;
const Y_AXIS: u32 = 128;

/// A sliding door.
pub(super) fn door(reader: &mut Reader, shape: &Shape) -> Made {
    let usual = match reader.engine {
        Engine::Quake3 => 400.0,
        _ => 100.0,
    };
    let speed = reader.speed(usual);
    let lip = match reader.engine {
        Engine::HalfLife => reader.number("lip").unwrap_or(0.0),
        Engine::Quake3 => reader.number("lip").unwrap_or(8.0),
        Engine::Quake | Engine::Quake2 => reader.nonzero("lip").unwrap_or(8.0),
    };
    let open = slid(reader, shape, lip);
    opening(reader, open, None, speed)
}

/// A door that turns.
pub(super) fn turning_door(reader: &mut Reader, shape: &Shape) -> Made {
    let speed = reader.turning_speed(100.0);
    let (hinge, open) = turned(reader, shape);
    opening(reader, open, Some(hinge), speed)
}

/// A door of either kind.
fn opening(reader: &mut Reader, open: Placement, hinge: Option<Hinge>, speed: f64) -> Made {
    let usual = match reader.engine {
        Engine::Quake3 => 2.0,
        _ => 3.0,
    };
    let wait = reader.wait(usual, reader.engine != Engine::HalfLife);
    let has_crushers = matches!(reader.engine, Engine::Quake2 | Engine::Quake3);
    let crushes = has_crushers && reader.flag(CRUSHER);
    let toggles = reader.engine != Engine::Quake3 && reader.flag(TOGGLE);
    let mut places = [Placement::default(), open];
    if reader.flag(START_OPEN) {
        places.reverse();
    }
    let shots = reader.has_health();
    let opens = !shots && !reader.is_named();
    let motion = Motion::Between {
        places,
        hinge,
        speed,
        wait: wait.filter(|_| !toggles),
        toggles,
        reverses: wait.is_some() && !crushes,
    };
    let started_by = StartedBy {
        touch: opens && reader.engine == Engine::HalfLife,
        shots,
        ..StartedBy::default()
    };
    Made {
        opens,
        ..Made::new(MoverKind::Door, motion, started_by)
    }
}

/// A door that looks like a wall: in the games it slides back and then along its angle; here it only slides along. Shots open
/// it unless signals do.
pub(super) fn secret_door(reader: &mut Reader, shape: &Shape) -> Made {
    const OPEN_ONCE: u32 = 1;
    let always_shot = match reader.engine {
        Engine::Quake2 => 1,
        _ => 16,
    };
    let speed = reader.speed(50.0);
    let open = match reader.nonzero("t_length") {
        None => slid(reader, shape, 0.0),
        Some(units) => shifted(reader, shape, units),
    };
    let opens_once = reader.engine != Engine::Quake2 && reader.flag(OPEN_ONCE);
    let wait = reader.wait(5.0, true).filter(|_| !opens_once);
    let shots = !reader.is_named() || reader.flag(always_shot) || reader.has_health();
    let motion = Motion::Between {
        places: [Placement::default(), open],
        hinge: None,
        speed,
        wait,
        toggles: false,
        reverses: wait.is_some(),
    };
    let started_by = StartedBy {
        shots,
        ..StartedBy::default()
    };
    Made::new(MoverKind::Door, motion, started_by)
}

/// A button that slides in.
pub(super) fn button(reader: &mut Reader, shape: &Shape) -> Made {
    const DOES_NOT_MOVE: u32 = 1;
    let speed = reader.speed(40.0);
    let lip = match reader.engine {
        Engine::Quake3 => reader.number("lip"),
        _ => reader.nonzero("lip"),
    };
    let is_still = reader.engine == Engine::HalfLife && reader.flag(DOES_NOT_MOVE);
    let pressed = match is_still {
        true => Placement::default(),
        false => slid(reader, shape, lip.unwrap_or(4.0)),
    };
    pressing(reader, pressed, None, speed)
}

/// A button that turns.
pub(super) fn turning_button(reader: &mut Reader, shape: &Shape) -> Made {
    let speed = reader.turning_speed(40.0);
    let (hinge, pressed) = turned(reader, shape);
    pressing(reader, pressed, Some(hinge), speed)
}

fn pressing(reader: &mut Reader, pressed: Placement, hinge: Option<Hinge>, speed: f64) -> Made {
    let wait = reader.wait(1.0, true);
    let toggles = reader.engine == Engine::HalfLife && reader.flag(TOGGLE);
    let motion = Motion::Between {
        places: [Placement::default(), pressed],
        hinge,
        speed,
        wait: wait.filter(|_| !toggles),
        toggles,
        reverses: false,
    };
    let shots = reader.has_health();
    // Quake 2's buttons with a name are pressed by signals alone.
    let touch = !(shots || reader.engine == Engine::Quake2 && reader.is_named());
    let started_by = StartedBy {
        touch,
        shots,
        ..StartedBy::default()
    };
    Made::new(MoverKind::Button, motion, started_by)
}

/// What turns on and on.
pub(super) fn rotating(reader: &mut Reader, shape: &Shape) -> Made {
    const START_ON: u32 = 1;
    const X_AXIS: u32 = 4;
    const Y_AXIS: u32 = 8;
    // Below 0 it turns the other way.
    let found = reader.nonzero("speed");
    let speed = match found {
        Some(degrees) => reader.within_speeds(degrees.abs().to_radians()),
        None => reader.turning_speed(100.0),
    };
    let is_reversed = found.is_some_and(|degrees| degrees < 0.0) != reader.flag(REVERSE);
    let axis = axis(reader, X_AXIS, Y_AXIS);
    let point = reader.pivot(shape);
    let itself = match reader.engine {
        Engine::Quake3 => true,
        Engine::HalfLife | Engine::Quake2 => reader.flag(START_ON),
        // Quake has none of its own; those of its mods that nothing can start turn.
        Engine::Quake => reader.flag(START_ON) || !reader.is_named(),
    };
    let motion = Motion::Spin {
        hinge: Hinge { point, axis },
        speed: if is_reversed { -speed } else { speed },
    };
    let started_by = StartedBy {
        itself,
        ..StartedBy::default()
    };
    Made::new(MoverKind::Rotating, motion, started_by)
}

/// Where its angle takes it, all but the lip, units.
fn slid(reader: &mut Reader, shape: &Shape, lip: f64) -> Placement {
    let way = reader.direction();
    let size = shape.bounds.size() * UNITS;
    // Half-Life's code takes two units off a size that its engine has grown by two: it is the brushes' own here.
    let along = match reader.engine {
        // The product of the vectors, whose parts may cancel out.
        Engine::Quake => (way * DVec3::new(1.0, 1.0, -1.0)).dot(size).abs(),
        _ => way.abs().dot(size),
    };
    shifted(reader, shape, along - lip)
}

/// Where its angle takes it in some units.
fn shifted(reader: &mut Reader, shape: &Shape, units: f64) -> Placement {
    let shift = reader.direction() * (units / UNITS);
    Placement {
        shift: reader.within_grid(&shape.bounds, shift),
        angle: 0.0,
    }
}

/// The hinge, and the place to which it turns.
fn turned(reader: &mut Reader, shape: &Shape) -> (Hinge, Placement) {
    let axis = axis(reader, X_AXIS, Y_AXIS);
    let turn = reader.turn();
    let point = reader.pivot(shape);
    let placement = Placement {
        shift: DVec3::ZERO,
        angle: if reader.flag(REVERSE) { -turn } else { turn },
    };
    (Hinge { point, axis }, placement)
}

/// The axis in Y up: the file's Z unless a flag says otherwise.
fn axis(reader: &mut Reader, x: u32, y: u32) -> DVec3 {
    if reader.flag(x) {
        DVec3::X
    } else if reader.flag(y) {
        DVec3::NEG_Z
    } else {
        DVec3::Y
    }
}
