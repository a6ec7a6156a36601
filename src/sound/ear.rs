//! The ear: all that sounds in a tick, and how each sound reaches the player's eye. Plain data for the mixer.
use super::bank::Replacements;
use super::events::{Observer, SoundEvent};
use super::kind::Sound;
use super::limiter::LATENCY;
use super::path::{self, Path, Place};
use super::search::{Rooms, Search};
use super::space::Space;
use super::{FRAMES, RATE, SPEED};
use crate::geom::Aabb;
use crate::sim::Sim;
use crate::world::{Revision, RoomId, World};
use glam::DVec3;

/// Most sources at once: the loudest.
pub const MOST_SOURCES: usize = 256;
/// What is quieter at the ear is not heard.
const LEAST_GAIN: f64 = 6e-5;
/// The listener's way after which all paths are found anew, metres.
const MOVED: f64 = 0.01;
/// While the listener moves, each source's sight is tested again, and its path through openings found anew, after so many
/// ticks.
const TURN_TICKS: u64 = 8;
/// Latest that any sound comes, ticks: a quarter of a mile.
const LATEST_TICKS: u64 = 72;
/// A small bare room is louder than its walls can be built: no sound fills it with more than its amplitude at 1 m.
const MOST_DIFFUSE: f64 = 1.0;
/// How far aside the nearest side of the head hears, of 1.
const WIDTH: f64 = 0.82;

/// All that a tick sounds like.
#[derive(Clone, Debug, Default)]
pub struct HeardTick {
    /// What begins.
    pub started: Vec<Started>,
    /// All sources, by number, rising; one that is gone is no longer heard.
    pub receptions: Vec<(u64, Reception)>,
    /// Of the listener's space, seconds.
    pub reverberation_secs: f64,
    /// How loud the tone of the room is, 0 to 1.
    pub tone: f32,
}

/// A sound that begins.
#[derive(Clone, Copy, Debug)]
pub struct Started {
    /// Its number.
    pub id: u64,
    /// The sound.
    pub sound: Sound,
    /// Its variant.
    pub variant: u8,
    /// How it is heard at first.
    pub reception: Reception,
}

/// How a source is heard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reception {
    /// Amplitude.
    pub gain: f32,
    /// What of it is heard to the left and to the right.
    pub sides: [f32; 2],
    /// Amplitude that goes into the reverberation.
    pub send: f32,
    /// Cut-off of the low-pass, hertz.
    pub cutoff_hz: f32,
    /// Samples from its beginning until it is heard.
    pub delay: u32,
}

/// A source and its path.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its number.
    pub id: u64,
    /// What sounds.
    pub event: SoundEvent,
    /// Its way to the ear.
    pub path: Path,
    place: Place,
    /// The tick after which it is over.
    until: u64,
    sees: bool,
    /// Of the world and the ear when `sees` was tested.
    seen: (Revision, DVec3),
    is_new: bool,
}

impl Source {
    /// Amplitude at the ear.
    pub fn loudness(&self) -> f64 {
        self.event.gain * self.path.gain
    }
}

/// The ear and what it hears.
#[derive(Clone, Debug, Default)]
pub struct Ear {
    replacements: Replacements,
    observer: Observer,
    rooms: Rooms,
    search: Search,
    space: Space,
    sources: Vec<Source>,
    next: u64,
    /// The world that `search` and `space` are of, and what doors closed in it.
    revision: Revision,
    closings: u64,
}

impl Ear {
    /// The lengths of sounds are those of these files.
    pub fn new(replacements: Replacements) -> Ear {
        Ear {
            replacements,
            ..Ear::default()
        }
    }

    /// All that sounded ends, as before another level.
    pub fn forget(&mut self) {
        *self = Ear {
            next: self.next,
            ..Ear::new(std::mem::take(&mut self.replacements))
        };
    }

    /// Hears the tick that the simulation has just made. After a jump to another tick all that sounded ends.
    pub fn hear(&mut self, sim: &Sim) -> HeardTick {
        match self.observer.observe(sim) {
            Some(events) => self.begin(sim, &events),
            None => self.sources.clear(),
        }
        self.listen(sim)
    }

    /// How the player hears the sources.
    pub fn listen(&mut self, sim: &Sim) -> HeardTick {
        self.rooms.close(sim);
        self.propagate(&sim.world, sim.player.eye, sim.eye_room, sim.tick);
        let heard = self.receptions(sim.player.yaw);
        self.sources
            .iter_mut()
            .for_each(|source| source.is_new = false);
        heard
    }

    /// What sounds, with the paths.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The listener's space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Openings that the last search reached.
    pub fn reached(&self) -> usize {
        self.search.reached()
    }

    /// Adds sources for what began, and drops those that are over.
    pub fn begin(&mut self, sim: &Sim, events: &[SoundEvent]) {
        self.sources.retain(|source| sim.tick <= source.until);
        self.rooms.close(sim);
        let eye = sim.player.eye;
        for event in events {
            if event.gain / eye.distance(event.at).max(1.0) < LEAST_GAIN {
                continue;
            }
            let Some(room) = sim.world.cell_at(event.at) else {
                continue;
            };
            let length = self.replacements.ticks(event.sound, event.variant);
            self.sources.push(Source {
                id: self.next,
                event: *event,
                path: Path::nowhere(event.at),
                place: Place::new(&sim.world, &mut self.rooms, event.at, room),
                until: sim.tick + length + LATEST_TICKS,
                sees: false,
                seen: Default::default(),
                is_new: true,
            });
            self.next += 1;
        }
    }

    /// Finds the ways of all sources to a listener; doors stand as they did when it last heard.
    pub fn propagate(&mut self, world: &World, eye: DVec3, room: Option<RoomId>, tick: u64) {
        let is_other = self.closings != self.rooms.closings();
        let is_changed = is_other || self.revision != world.revision();
        let is_moved = self.search.listener.distance(eye) > MOVED || self.search.room != room;
        if is_changed || is_moved {
            self.search = Search::new(world, &mut self.rooms, eye, room);
            let still = !is_changed && room.is_some_and(|room| self.space.has(room));
            if !still {
                self.space = room.map_or_else(Space::default, |room| {
                    Space::new(world, &mut self.rooms, room)
                });
            }
        }
        for source in &mut self.sources {
            let at = source.event.at;
            if is_changed {
                // A cell may have been split.
                let room = world.cell_at(at).unwrap_or(source.place.room);
                let air = self.rooms.room(world, room);
                if room != source.place.room || air.revision != source.place.revision {
                    source.place = Place::new(world, &mut self.rooms, at, room);
                }
            }
            let is_turn = is_moved && (tick + source.id).is_multiple_of(TURN_TICKS);
            let (revision, from) = source.seen;
            let line = Aabb::from_corners(from, at).union(&Aabb::from_corners(eye, at));
            let is_open = || is_changed && world.has_changed_since(revision, &line.grow(0.1));
            if source.is_new || is_turn || is_other || is_open() {
                source.sees = room.is_some()
                    && path::sees(world, eye, at)
                    && !self.rooms.is_door_between(eye, at);
                source.seen = (world.revision(), eye);
            } else if is_changed {
                source.seen.0 = world.revision();
            }
            if source.is_new || is_changed || is_turn || (is_moved && source.sees) {
                source.path = path::path(
                    world,
                    &self.rooms,
                    &self.search,
                    &self.space,
                    &source.place,
                    source.sees,
                );
            }
        }
        if MOST_SOURCES < self.sources.len() {
            self.sources
                .sort_by(|a, b| b.loudness().total_cmp(&a.loudness()).then(a.id.cmp(&b.id)));
            self.sources.truncate(MOST_SOURCES);
            self.sources.sort_by_key(|source| source.id);
        }
        self.revision = world.revision();
        self.closings = self.rooms.closings();
    }

    fn receptions(&self, yaw: f64) -> HeardTick {
        let (sin, cos) = libm::sincos(yaw);
        let right = DVec3::new(cos, 0.0, -sin);
        let mut heard = HeardTick {
            reverberation_secs: self.space.reverberation_secs(),
            tone: tone(&self.space),
            ..HeardTick::default()
        };
        for source in &self.sources {
            let reception = receive(source, right);
            heard.receptions.push((source.id, reception));
            if source.is_new {
                heard.started.push(Started {
                    id: source.id,
                    sound: source.event.sound,
                    variant: source.event.variant,
                    reception,
                });
            }
        }
        heard
    }
}

fn receive(source: &Source, right: DVec3) -> Reception {
    let path = &source.path;
    // Near the ear a sound is in the middle.
    let aside = path.arrives_from().dot(right) * path.length.min(1.0) * WIDTH;
    let angle = (aside.clamp(-1.0, 1.0) + 1.0) * std::f64::consts::FRAC_PI_4;
    let (sin, cos) = libm::sincos(angle);
    let samples = path.length / SPEED * f64::from(RATE);
    // The limiter is late by itself.
    let delay =
        (samples.round() as i64 - LATENCY as i64).clamp(0, LATEST_TICKS as i64 * FRAMES as i64);
    Reception {
        gain: (source.event.gain * path.gain) as f32,
        sides: [cos as f32, sin as f32],
        send: (source.event.gain * path.diffuse.min(MOST_DIFFUSE)) as f32,
        cutoff_hz: path.cutoff_hz as f32,
        delay: delay as u32,
    }
}

/// Large rooms hum, a cupboard does not.
fn tone(space: &Space) -> f32 {
    let side = libm::cbrt(space.volume_m3);
    (side / 12.0).clamp(0.0, 1.0) as f32
}
