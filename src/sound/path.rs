//! The way of a sound from its source to the listener, and what is lost on it.
//!
//! - **Spreading**: amplitude goes as one over the length, from 1 m on.
//! - **Corners**: Kurze and Anderson, "Sound attenuation by barriers", Applied Acoustics 4 (1971), after Maekawa (1968):
//!   20 log₁₀(√(2πN) / tanh √(2πN)) with the Fresnel number N = 2δ/λ, δ the detour round the corner; without their constant
//!   5 dB, so that a corner that hardly bends the way loses nothing. Above N = 1 the loss grows with the frequency: a
//!   low-pass with the frequency of N = 1 as cut-off. Walls throw sound round the corner, too: no corner loses more than 8 dB,
//!   as an unlined square elbow of a duct does (ASHRAE Handbook, HVAC Applications, Noise and Vibration Control).
//! - **Openings**: Kirchhoff's diffraction. An opening of area A between legs d₁ and d₂ passes A (d₁ + d₂) / (λ d₁ d₂) of
//!   the amplitude of open air, at most all.
//! - **Walls**, where no air leads round: the mass law, 20 log₁₀(f m″) - 47 dB (Kuttruff, Acoustics, 2007, 10.2).
//!
//! Losses are those at 500 Hz, through walls at 125 Hz, which is what is left to hear there.
use super::SPEED;
use super::air::{Leg, Opening, is_clear};
use super::search::{MOST_LOSS_DB, Rooms, Search};
use crate::bvh::QueryStats;
use crate::world::{RoomId, World};
use glam::DVec3;
use std::f64::consts::TAU;

/// The wavelength for which losses are stated, metres.
const WAVELENGTH: f64 = SPEED / 500.0;
/// Cut-off of an open way, hertz.
pub const OPEN_HZ: f64 = 20_000.0;
/// Frequency at which walls are heard through, hertz.
const WALL_HZ: f64 = 125.0;
/// Density of walls, kilograms a cubic metre.
const WALL_DENSITY: f64 = 2300.0;
/// No wall loses less, decibels.
const LEAST_WALL_DB: f64 = 20.0;
/// No corner loses more, decibels.
const MOST_BEND_DB: f64 = 8.0;
/// Rounds in which a path is pulled straight.
const ROUNDS: usize = 3;

/// How a sound comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nothing is in between.
    Direct,
    /// Round something within a room.
    Around,
    /// Through so many openings.
    Openings(u32),
    /// Through the wall.
    Wall,
}

/// The way of a sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// How it comes.
    pub way: Way,
    /// From the listener to the source, metres.
    pub points: Vec<DVec3>,
    /// Its length, metres.
    pub length: f64,
    /// What is lost besides spreading, decibels.
    pub loss_db: f64,
    /// Cut-off of the low-pass, hertz.
    pub cutoff_hz: f64,
    /// Amplitude by that at 1 m in open air.
    pub gain: f64,
}

/// A source's place, and its ways to the openings of its room.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// Metres.
    pub at: DVec3,
    /// Its room.
    pub room: RoomId,
    /// The room's revision that `legs` are of.
    pub revision: crate::world::Revision,
    /// In the order of the room's openings.
    pub legs: Vec<Leg>,
    /// The part of the room's air.
    pub part: Option<u32>,
}

impl Place {
    /// Where a source is. The cost is a ray for each opening of its room.
    pub fn new(world: &World, rooms: &mut Rooms, at: DVec3, room: RoomId) -> Place {
        let air = rooms.room(world, room);
        let (legs, part) = match world.locate(at) {
            Some(_) => air.legs_from(world, room, at),
            // In rock: only through walls.
            None => (vec![Leg::Shut; air.openings.len()], None),
        };
        Place {
            at,
            room,
            revision: air.revision,
            legs,
            part,
        }
    }
}

/// The loudest way from a place to the search's listener. `sees`: nothing is between the two.
pub fn path(world: &World, rooms: &Rooms, search: &Search, place: &Place, sees: bool) -> Path {
    let listener = search.listener;
    if sees {
        return Path::new(Way::Direct, vec![listener, place.at], 0.0, OPEN_HZ);
    }
    let ways = [
        around_within(search, place),
        through_openings(rooms, search, place),
    ];
    let ways = ways.into_iter().flatten();
    let open = ways.max_by(|a, b| a.gain.total_cmp(&b.gain));
    match open {
        // Walls lose more.
        Some(open) if open.loss_db < LEAST_WALL_DB => open,
        open => {
            let wall = through_wall(world, listener, place.at);
            open.filter(|open| wall.gain < open.gain).unwrap_or(wall)
        }
    }
}

/// Decibels by spreading over a length.
pub fn spreading_db(length: f64) -> f64 {
    20.0 * libm::log10(length.max(1.0))
}

/// Decibels lost where a way bends at `corner`.
pub fn bend_db(before: DVec3, corner: DVec3, after: DVec3) -> f64 {
    detour_db(detour(before, corner, after))
}

/// Decibels lost by an opening of this area between two legs.
pub fn opening_db(area_m2: f64, before: DVec3, at: DVec3, after: DVec3) -> f64 {
    let (d1, d2) = (before.distance(at), at.distance(after));
    let passed = area_m2 * (d1 + d2) / (WAVELENGTH * d1 * d2).max(1e-9);
    -20.0 * libm::log10(passed.clamp(1e-6, 1.0))
}

/// Length and loss of a leg. Round something in a room the way is longer; how, nobody searches: by a quarter.
pub fn around(leg: Leg, distance: f64) -> (f64, f64) {
    match leg {
        Leg::Around => {
            let detour = around_detour(distance);
            (distance + detour, detour_db(detour))
        }
        Leg::Clear | Leg::Shut => (distance, 0.0),
    }
}

fn around_detour(distance: f64) -> f64 {
    0.25 * distance.max(2.0)
}

fn detour(before: DVec3, corner: DVec3, after: DVec3) -> f64 {
    before.distance(corner) + corner.distance(after) - before.distance(after)
}

fn detour_db(detour: f64) -> f64 {
    let root = (TAU * 2.0 * detour.max(0.0) / WAVELENGTH).sqrt();
    match root < 1e-3 {
        true => 0.0,
        false => (20.0 * libm::log10(root / libm::tanh(root))).min(MOST_BEND_DB),
    }
}

impl Path {
    fn new(way: Way, points: Vec<DVec3>, loss_db: f64, cutoff_hz: f64) -> Path {
        let length: f64 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
        let loss = loss_db + spreading_db(length);
        Path {
            way,
            points,
            length,
            loss_db,
            cutoff_hz,
            gain: libm::pow(10.0, -loss / 20.0),
        }
    }

    /// The path in words: how it comes, how far, and what is lost.
    pub fn words(&self) -> String {
        let way = match self.way {
            Way::Direct => "straight".to_owned(),
            Way::Around => "round what is in the way".to_owned(),
            Way::Openings(1) => "through an opening".to_owned(),
            Way::Openings(count) => format!("through {count} openings"),
            Way::Wall => "only through the wall".to_owned(),
        };
        let lost = match self.loss_db < 0.05 {
            true => "nothing is lost".to_owned(),
            false => format!("{:.1} dB are lost", self.loss_db),
        };
        let dull = match self.cutoff_hz < OPEN_HZ {
            true => format!(", above {:.0} Hz more", self.cutoff_hz),
            false => String::new(),
        };
        let length = self.length;
        format!(
            "{way}, {length:.1} m; besides {:.1} dB by distance {lost}{dull}",
            spreading_db(length)
        )
    }

    /// The path of a source whose path is not known yet.
    pub(super) fn nowhere(at: DVec3) -> Path {
        Path {
            gain: 0.0,
            ..Path::new(Way::Wall, vec![at], MOST_LOSS_DB, WALL_HZ)
        }
    }

    /// Where it comes from, seen from the listener: a unit vector, or zero at the listener itself.
    pub fn arrives_from(&self) -> DVec3 {
        let next = self.points.get(1).zip(self.points.first());
        next.map_or(DVec3::ZERO, |(next, eye)| {
            (*next - *eye).normalize_or_zero()
        })
    }
}

/// Through what is between two points: thickness from where rays from both ends meet solid.
fn through_wall(world: &World, listener: DVec3, at: DVec3) -> Path {
    let stats = &mut QueryStats::default();
    let near = world
        .cast_ray(listener, at, stats)
        .map_or(0.0, |hit| hit.fraction);
    let far = world
        .cast_ray(at, listener, stats)
        .map_or(0.0, |hit| hit.fraction);
    let thickness = ((1.0 - near - far) * listener.distance(at)).max(0.02);
    let mass = thickness * WALL_DENSITY;
    let loss_db = 20.0 * libm::log10(WALL_HZ * mass) - 47.0;
    let loss_db = loss_db.clamp(0.0, MOST_LOSS_DB);
    Path::new(Way::Wall, vec![listener, at], loss_db, WALL_HZ)
}

/// Round something in the room of both.
fn around_within(search: &Search, place: &Place) -> Option<Path> {
    let is_same = search.room == Some(place.room) && search.part == place.part;
    if !is_same || place.part.is_none() {
        return None;
    }
    let distance = search.listener.distance(place.at);
    let (length, loss_db) = around(Leg::Around, distance);
    let cutoff_hz = cutoff_hz(around_detour(distance));
    let mut path = Path::new(
        Way::Around,
        vec![search.listener, place.at],
        loss_db + spreading_db(length) - spreading_db(distance),
        cutoff_hz,
    );
    path.length = length;
    Some(path)
}

/// Through the best of the openings of the source's room, pulled straight.
fn through_openings(rooms: &Rooms, search: &Search, place: &Place) -> Option<Path> {
    let air = rooms.known(place.room)?;
    let mut best: Option<(f64, u32, Leg)> = None;
    for (opening, &leg) in air.openings.iter().zip(&place.legs) {
        let Some(number) = search.settled(opening.id).filter(|_| leg != Leg::Shut) else {
            continue;
        };
        let reached = search.place(number);
        let before = reached
            .before
            .map_or(search.listener, |b| search.place(b).at);
        let (length, around_db) = around(leg, reached.at.distance(place.at));
        let cost = reached.loss_db
            + around_db
            + bend_db(before, reached.at, place.at)
            + opening_db(opening.area_m2, before, reached.at, place.at)
            + spreading_db(reached.length + length);
        if best.is_none_or(|(least, ..)| cost < least) {
            best = Some((cost, number, leg));
        }
    }
    let (_, last, leg) = best?;
    let mut chain = Vec::new();
    let mut next = Some(last);
    while let Some(number) = next {
        let reached = search.place(number);
        let (room, index) = reached.from;
        let opening = &rooms.known(room)?.openings[index];
        chain.push((opening, reached.leg));
        next = reached.before;
    }
    chain.reverse();
    Some(pulled_straight(search.listener, place.at, &chain, leg))
}

/// The shortest way through openings in this order; each with the leg that leads to it, and the last leg.
fn pulled_straight(listener: DVec3, source: DVec3, chain: &[(&Opening, Leg)], last: Leg) -> Path {
    let mut points = vec![listener];
    points.extend(chain.iter().map(|(opening, _)| opening.centre));
    points.push(source);
    for _ in 0..ROUNDS {
        for (i, (opening, _)) in chain.iter().enumerate() {
            points[i + 1] = opening.aim(points[i], points[i + 2]);
        }
    }
    let (mut loss_db, mut slow, mut extra) = (0.0, 0.0, 0.0);
    let mut bends = |detour: f64| {
        let hz = cutoff_hz(detour);
        slow += 1.0 / (hz * hz);
    };
    for (i, (opening, _)) in chain.iter().enumerate() {
        let [before, at, after] = [points[i], points[i + 1], points[i + 2]];
        loss_db += bend_db(before, at, after) + opening_db(opening.area_m2, before, at, after);
        bends(detour(before, at, after));
    }
    let legs = chain.iter().map(|(_, leg)| *leg).chain([last]);
    for (w, leg) in points.windows(2).zip(legs) {
        let distance = w[0].distance(w[1]);
        let (length, around_db) = around(leg, distance);
        if leg == Leg::Around {
            bends(length - distance);
        }
        (loss_db, extra) = (loss_db + around_db, extra + length - distance);
    }
    let cutoff_hz = match slow > 0.0 {
        true => (1.0 / slow.sqrt()).min(OPEN_HZ),
        false => OPEN_HZ,
    };
    let way = Way::Openings(chain.len() as u32);
    let mut path = Path::new(way, points, loss_db, cutoff_hz);
    let longer = spreading_db(path.length + extra) - spreading_db(path.length);
    path.gain *= libm::pow(10.0, -longer / 20.0);
    path.length += extra;
    path
}

/// The frequency of N = 1: that of a wave twice as long as the detour.
fn cutoff_hz(detour: f64) -> f64 {
    (SPEED / (2.0 * detour.max(1e-4))).clamp(120.0, OPEN_HZ)
}

/// Answers how sound comes from one place to another, and remembers the rooms.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    rooms: Rooms,
}

impl Probe {
    /// The path from a place in the air to a listener; None where one of them is in rock.
    pub fn path(&mut self, world: &World, listener: DVec3, at: DVec3) -> Option<Path> {
        let (ear, room) = (world.locate(listener)?, world.locate(at)?);
        let search = Search::new(world, &mut self.rooms, listener, Some(ear));
        let place = Place::new(world, &mut self.rooms, at, room);
        let sees = sees(world, listener, at);
        Some(path(world, &self.rooms, &search, &place, sees))
    }
}

/// Whether a listener and a place see each other.
pub fn sees(world: &World, listener: DVec3, at: DVec3) -> bool {
    is_clear(world, listener, at)
}
