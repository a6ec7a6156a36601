//! What movers sound like: each is heard when it sets out, again and again while it moves, and with a thud when it stops.
use super::kind::{MOVER_SECS, Size, Sound};
use crate::debris::Kinematic;
use crate::sim::{Sim, TICK_SECS};
use crate::structure::StructuralMaterial;
use glam::DVec3;

/// Ticks until a mover that goes on is heard again.
const REPEAT_TICKS: u64 = (MOVER_SECS / TICK_SECS + 0.5) as u64;
/// What stops after fewer ticks, as a door that is pinned and tries to close, stops without a thud.
const SHORTEST_WAY: u64 = 6;
/// Most sounds of movers in a tick: the nearest.
const MOST: usize = 8;
/// Movers from this volume on sound medium, and large, cubic metres: a button is below, a heavy door or a lift above.
const MEDIUM_M3: f64 = 0.1;
const LARGE_M3: f64 = 2.0;

/// A sound of a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MoverSound {
    pub sound: Sound,
    /// Metres.
    pub at: DVec3,
    /// Amplitude at 1 m.
    pub gain: f64,
}

/// What each mover did until the last tick, by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct MoverSounds {
    known: Vec<Known>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    moves: bool,
    /// The tick in which it set out.
    since: u64,
    /// The tick from which it is heard again.
    again: u64,
}

impl MoverSounds {
    /// Forgets what moved: after a jump to another tick all that moves there sets out.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The sounds of the tick just made.
    pub fn hear(
        &mut self,
        sim: &Sim,
        material_of: &dyn Fn(u32) -> StructuralMaterial,
    ) -> Vec<MoverSound> {
        self.known.resize(sim.movers.all().len(), Known::default());
        let mut heard: Vec<MoverSound> = Vec::new();
        for (index, mover) in sim.movers.solids() {
            let known = &mut self.known[index];
            let set_out = mover.is_moving() && !known.moves;
            let stopped = !mover.is_moving() && known.moves;
            known.moves = mover.is_moving();
            if set_out {
                known.since = sim.tick;
            }
            if known.moves && known.again <= sim.tick {
                known.again = sim.tick + REPEAT_TICKS;
                heard.push(grinding(sim, mover));
            }
            if stopped && known.since + SHORTEST_WAY <= sim.tick {
                heard.push(thud(sim, mover, material_of));
            }
        }
        let eye = sim.player.eye;
        heard.sort_by(|a, b| a.at.distance(eye).total_cmp(&b.at.distance(eye)));
        heard.truncate(MOST);
        heard
    }
}

fn grinding(sim: &Sim, mover: &Kinematic) -> MoverSound {
    let size = size_of(mover);
    let gain = match size {
        Size::Small => 0.06,
        Size::Medium => 0.14,
        Size::Large => 0.26,
    };
    MoverSound {
        sound: Sound::Mover(size),
        at: place(sim, mover),
        gain,
    }
}

fn thud(
    sim: &Sim,
    mover: &Kinematic,
    material_of: &dyn Fn(u32) -> StructuralMaterial,
) -> MoverSound {
    let mut faces = mover.solid.faces.iter();
    let face = faces.find(|face| face.is_live());
    let material = face.map_or(StructuralMaterial::Concrete, |face| {
        material_of(face.material)
    });
    let (size, gain) = match size_of(mover) {
        Size::Small => (Size::Medium, 0.08),
        Size::Medium => (Size::Medium, 0.2),
        Size::Large => (Size::Large, 0.35),
    };
    MoverSound {
        sound: Sound::Debris(material, size),
        at: place(sim, mover),
        gain,
    }
}

fn size_of(mover: &Kinematic) -> Size {
    match mover.solid.volume_m3 {
        m3 if m3 < MEDIUM_M3 => Size::Small,
        m3 if m3 < LARGE_M3 => Size::Medium,
        _ => Size::Large,
    }
}

/// Its middle; where that has gone into the wall, the middle of the side that still looks out, the nearest to the eye.
fn place(sim: &Sim, mover: &Kinematic) -> DVec3 {
    const AXES: [DVec3; 6] = [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
    ];
    let (middle, half) = (mover.bounds().centre(), mover.bounds().half_size());
    let is_air = |p: &DVec3| sim.world.locate(*p).is_some();
    if is_air(&middle) {
        return middle;
    }
    // A little within, where the air of the doorway is.
    let sides = AXES.map(|axis| middle + axis * half * 0.98);
    let away = |p: &DVec3| p.distance(sim.player.eye);
    let in_air = sides.into_iter().filter(is_air);
    let nearest = in_air.min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.unwrap_or(middle)
}
