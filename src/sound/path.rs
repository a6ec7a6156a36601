//! The way of a sound from its source to the listener, and what is lost on it: of what comes straight, and of what fills
//! the rooms and comes through their openings.
use super::air::{Leg, Opening, is_clear};
use super::loss::{
    DOOR_HZ, MOST_LOSS_DB, OPEN_HZ, WALL_HZ, around, around_detour, bend_db, cutoff_hz, detour,
    diffuse_gain, door_db, opening_db, passed_on, spreading_db, wall_db,
};
use super::search::{Rooms, Search};
use super::space::Space;
use crate::bvh::QueryStats;
use crate::sim::Sim;
use crate::world::{RoomId, World};
use glam::DVec3;

/// No wall loses less, decibels.
const LEAST_WALL_DB: f64 = 20.0;
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
    /// The same of what fills the listener's space.
    pub diffuse: f64,
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

/// The loudest way from a place to the search's listener, who is in this space. `sees`: nothing is between the two.
pub fn path(
    world: &World,
    rooms: &Rooms,
    search: &Search,
    space: &Space,
    place: &Place,
    sees: bool,
) -> Path {
    let listener = search.listener;
    let is_within = space.has(place.room);
    let chain = match sees && is_within {
        true => None,
        false => chain(rooms, search, place),
    };
    let source = rooms
        .known(place.room)
        .map_or(0.0, |room| diffuse_gain(room.absorbed_m2()));
    let mut best = match sees {
        true => Path::new(Way::Direct, vec![listener, place.at], 0.0, OPEN_HZ),
        false => {
            let through = chain
                .as_ref()
                .map(|c| c.pulled_straight(listener, place.at));
            let open = around_within(search, place).into_iter().chain(through);
            let open = open.max_by(|a, b| a.gain.total_cmp(&b.gain));
            let is_open = open
                .as_ref()
                .is_some_and(|open| open.loss_db < LEAST_WALL_DB);
            let wall = (!is_open).then(|| through_wall(world, listener, place.at));
            let both = open.into_iter().chain(wall);
            let best = both.max_by(|a, b| a.gain.total_cmp(&b.gain));
            best.unwrap_or_else(|| Path::nowhere(place.at))
        }
    };
    best.diffuse = match (best.way, &chain) {
        (Way::Wall, _) => source * libm::pow(10.0, -best.loss_db / 20.0),
        _ if is_within => diffuse_gain(space.absorption_m2),
        (_, Some(chain)) => source * chain.passed_on(rooms, space),
        (_, None) => best.gain,
    };
    best
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
            diffuse: 0.0,
        }
    }

    /// The path in words: how it comes, how far, and what is lost.
    pub fn words(&self) -> String {
        let way = match self.way {
            Way::Direct => "straight".to_owned(),
            Way::Around => "around obstacles".to_owned(),
            Way::Openings(1) => "through an opening".to_owned(),
            Way::Openings(count) => format!("through {count} openings"),
            Way::Wall => "only through the wall".to_owned(),
        };
        let more = match self.loss_db < 0.05 {
            true => String::new(),
            false => format!(" and {:.1} dB on the way", self.loss_db),
        };
        let muffled = match self.cutoff_hz < OPEN_HZ {
            true => format!(", muffled above {:.0} Hz", self.cutoff_hz),
            false => String::new(),
        };
        let length = self.length;
        format!(
            "{way}, {length:.1} m; it loses {:.1} dB over the distance{more}{muffled}",
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
    Path::new(Way::Wall, vec![listener, at], wall_db(thickness), WALL_HZ)
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

/// Openings from the listener to a source.
struct Chain<'a> {
    /// Each with the way that leads to it, and the room before it.
    openings: Vec<(&'a Opening, Leg, RoomId)>,
    /// The way from the last one.
    last: Leg,
}

/// Through the best of the openings of the source's room.
fn chain<'a>(rooms: &'a Rooms, search: &Search, place: &Place) -> Option<Chain<'a>> {
    let air = rooms.known(place.room)?;
    let mut best: Option<(f64, u32, Leg)> = None;
    for (opening, &leg) in air.openings.iter().zip(&place.legs) {
        let settled = search.settled(opening.id).filter(|_| leg != Leg::Shut);
        let Some(number) = settled else { continue };
        let reached = search.place(number);
        let before = reached
            .before
            .map_or(search.listener, |b| search.place(b).at);
        let (length, around_db) = around(leg, reached.at.distance(place.at));
        let cost = reached.loss_db
            + around_db
            + bend_db(before, reached.at, place.at)
            + opening_db(opening.area_m2, before, reached.at, place.at)
            + door_db(opening)
            + spreading_db(reached.length + length);
        if best.is_none_or(|(least, ..)| cost < least) {
            best = Some((cost, number, leg));
        }
    }
    let (_, number, last) = best?;
    let mut openings = Vec::new();
    let mut next = Some(number);
    while let Some(number) = next {
        let reached = search.place(number);
        let (room, index) = reached.from;
        openings.push((&rooms.known(room)?.openings[index], reached.leg, room));
        next = reached.before;
    }
    openings.reverse();
    Some(Chain { openings, last })
}

impl Chain<'_> {
    /// The shortest way through the openings in this order.
    fn pulled_straight(&self, listener: DVec3, source: DVec3) -> Path {
        let mut points = vec![listener];
        points.extend(self.openings.iter().map(|(opening, ..)| opening.centre));
        points.push(source);
        for _ in 0..ROUNDS {
            for (i, (opening, ..)) in self.openings.iter().enumerate() {
                points[i + 1] = opening.aim(points[i], points[i + 2]);
            }
        }
        let (mut loss_db, mut slow, mut extra) = (0.0, 0.0, 0.0);
        let mut dulls = |hz: f64| slow += 1.0 / (hz * hz);
        for (i, (opening, ..)) in self.openings.iter().enumerate() {
            let [before, at, after] = [points[i], points[i + 1], points[i + 2]];
            loss_db += bend_db(before, at, after) + opening_db(opening.area_m2, before, at, after);
            dulls(cutoff_hz(detour(before, at, after)));
            if opening.is_closed {
                loss_db += door_db(opening);
                dulls(DOOR_HZ);
            }
        }
        let legs = self
            .openings
            .iter()
            .map(|(_, leg, _)| *leg)
            .chain([self.last]);
        for (w, leg) in points.windows(2).zip(legs) {
            let distance = w[0].distance(w[1]);
            let (length, around_db) = around(leg, distance);
            if leg == Leg::Around {
                dulls(cutoff_hz(length - distance));
            }
            (loss_db, extra) = (loss_db + around_db, extra + length - distance);
        }
        let cutoff_hz = match slow > 0.0 {
            true => (1.0 / slow.sqrt()).min(OPEN_HZ),
            false => OPEN_HZ,
        };
        let way = Way::Openings(self.openings.len() as u32);
        let mut path = Path::new(way, points, loss_db, cutoff_hz);
        let longer = spreading_db(path.length + extra) - spreading_db(path.length);
        path.gain *= libm::pow(10.0, -longer / 20.0);
        path.length += extra;
        path
    }

    /// What of the diffuse sound of the source's room gets into the listener's space: from room to room as
    /// [`passed_on`] says.
    fn passed_on(&self, rooms: &Rooms, space: &Space) -> f64 {
        let mut passed = 1.0;
        for (opening, _, room) in self.openings.iter().rev() {
            passed *= libm::pow(10.0, -door_db(opening) / 20.0);
            if space.has(*room) {
                return passed * passed_on(opening.area_m2, space.absorption_m2);
            }
            let absorbed = rooms.known(*room).map_or(0.0, |room| room.absorbed_m2());
            passed *= passed_on(opening.area_m2, absorbed);
        }
        passed
    }
}

/// Answers how sound comes from one place to another, and remembers the rooms.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    rooms: Rooms,
}

impl Probe {
    /// The path from a place in the air to a listener; None where one of them is in rock.
    pub fn path(&mut self, sim: &Sim, listener: DVec3, at: DVec3) -> Option<Path> {
        let world = &sim.world;
        self.rooms.close(sim);
        let (ear, room) = (world.locate(listener)?, world.locate(at)?);
        let search = Search::new(world, &mut self.rooms, listener, Some(ear));
        let place = Place::new(world, &mut self.rooms, at, room);
        let space = Space::new(world, &mut self.rooms, ear);
        let sees = sees(world, listener, at) && !self.rooms.is_door_between(listener, at);
        Some(path(world, &self.rooms, &search, &space, &place, sees))
    }
}

/// Whether a listener and a place see each other, doors aside.
pub fn sees(world: &World, listener: DVec3, at: DVec3) -> bool {
    is_clear(world, listener, at)
}
