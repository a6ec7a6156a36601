//! From the listener through open portals: the least lossy chain of openings to each room, found once a tick for all
//! sources (Dijkstra 1959).
//!
//! The cost of a chain is its loss in decibels: spreading by its length, and what is lost at openings and round corners
//! ([`super::loss`]). It grows along a chain, but not by a sum, so another chain to the same opening may come out better
//! behind a later corner: such differences are below what corners lose.
use super::air::{AbsorptionTable, Leg, OpeningId, RoomAir};
use super::loss::{MOST_LOSS_DB, around, bend_db, door_db, opening_db, spreading_db};
use crate::geom::cost_queue::CostQueue;
use crate::sim::{ClosedPortals, Sim};
use crate::world::{RoomId, World};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Most openings that a search settles.
const MOST_SETTLED: usize = 512;

/// The rooms of a world as sound sees them, each described when it is asked for, and again after it has changed.
#[derive(Clone, Debug, Default)]
pub struct Rooms {
    /// Each with the number of `closings` that it knows.
    rooms: FxHashMap<RoomId, (RoomAir, u64)>,
    absorption: AbsorptionTable,
    closed: ClosedPortals,
    closings: u64,
}

impl Rooms {
    /// A room as it is now.
    pub fn room(&mut self, world: &World, id: RoomId) -> &RoomAir {
        let (room, closings) = self.rooms.entry(id).or_default();
        if room.revision != world.room(id).revision {
            *room = RoomAir::new(world, id, &mut self.absorption);
            *closings = 0;
        }
        if *closings != self.closings {
            for opening in &mut room.openings {
                opening.is_closed = self.closed.has(opening.id);
            }
            *closings = self.closings;
        }
        room
    }

    /// Takes in which openings doors close, as they stand now.
    pub fn close(&mut self, sim: &Sim) {
        // Nothing is closed at first.
        self.closings += u64::from(self.closed.update(sim, &|_| true));
    }

    /// How often other openings were closed than before.
    pub fn closings(&self) -> u64 {
        self.closings
    }

    /// Whether a door is in an opening between two points that nothing else is between.
    pub fn is_door_between(&self, a: DVec3, b: DVec3) -> bool {
        self.closed.blocks(a, b)
    }

    /// A room that was asked for in this tick.
    pub fn known(&self, id: RoomId) -> Option<&RoomAir> {
        self.rooms.get(&id).map(|(room, _)| room)
    }
}

/// A place on a chain: an opening that was reached.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// The opening.
    pub opening: OpeningId,
    /// The room that the chain comes from, and the opening's index there.
    pub from: (RoomId, usize),
    /// Where the chain goes through it.
    pub at: DVec3,
    /// The place before; None after the listener.
    pub before: Option<u32>,
    /// The way to it in that room.
    pub leg: Leg,
    /// Metres from the listener.
    pub length: f64,
    /// Decibels lost besides spreading.
    pub loss_db: f64,
}

/// All chains from one listener.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The listener.
    pub listener: DVec3,
    /// The listener's room; None in rock.
    pub room: Option<RoomId>,
    /// The part of the room's air that the listener is in.
    pub part: Option<u32>,
    /// The listener's ways to the openings of its room.
    legs: Vec<Leg>,
    /// Places, in the order in which they were reached; later ones may lead to the same opening.
    places: Vec<Reached>,
    /// The best place of each opening.
    settled: FxHashMap<OpeningId, u32>,
}

impl Search {
    /// Searches from a listener in a room; in rock nothing is reached.
    pub fn new(world: &World, rooms: &mut Rooms, listener: DVec3, room: Option<RoomId>) -> Search {
        let mut search = Search {
            listener,
            room,
            ..Search::default()
        };
        let Some(start) = room else { return search };
        let mut queue = CostQueue::default();
        let room = rooms.room(world, start);
        (search.legs, search.part) = room.legs_from(world, start, listener);
        search.extend(rooms.room(world, start), start, None, &mut queue);
        while let Some((cost, place)) = queue.pop() {
            if MOST_LOSS_DB < cost || MOST_SETTLED <= search.settled.len() {
                break;
            }
            let reached = search.places[place as usize];
            if search.settled.contains_key(&reached.opening) {
                continue;
            }
            search.settled.insert(reached.opening, place);
            let (from, index) = reached.from;
            let next = rooms.known(from).map(|room| room.openings[index].to);
            if let Some(next) = next {
                let room = rooms.room(world, next);
                search.extend(room, next, Some(place), &mut queue);
            }
        }
        search
    }

    /// The place at which an opening was reached, by number.
    pub fn settled(&self, opening: OpeningId) -> Option<u32> {
        self.settled.get(&opening).copied()
    }

    /// A place.
    pub fn place(&self, number: u32) -> &Reached {
        &self.places[number as usize]
    }

    /// How many openings were reached.
    pub fn reached(&self) -> usize {
        self.settled.len()
    }

    /// Adds what can be reached through a room, from the listener or from an opening into it.
    fn extend(&mut self, room: &RoomAir, id: RoomId, from: Option<u32>, queue: &mut CostQueue) {
        let entry = from.map(|place| self.places[place as usize]);
        let entered = entry.and_then(|place| {
            let mut openings = room.openings.iter();
            openings.position(|opening| opening.id == place.opening)
        });
        if entry.is_some() && entered.is_none() {
            return;
        }
        for (index, opening) in room.openings.iter().enumerate() {
            let leg = match entered {
                Some(entered) if entered == index => continue,
                Some(entered) => room.leg(entered, index),
                None => self.legs[index],
            };
            if leg == Leg::Shut || self.settled.contains_key(&opening.id) {
                continue;
            }
            let start = entry.map_or(self.listener, |place| place.at);
            let at = opening.aim(start, opening.centre);
            let (length, around_db) = around(leg, start.distance(at));
            let mut loss_db = around_db;
            if let (Some(place), Some(entered)) = (entry, entered) {
                let before = place
                    .before
                    .map_or(self.listener, |b| self.places[b as usize].at);
                loss_db += place.loss_db
                    + bend_db(before, place.at, at)
                    + opening_db(room.openings[entered].area_m2, before, place.at, at)
                    + door_db(&room.openings[entered]);
            }
            let length = entry.map_or(0.0, |place| place.length) + length;
            let number = self.places.len() as u32;
            self.places.push(Reached {
                opening: opening.id,
                from: (id, index),
                at,
                before: from,
                leg,
                length,
                loss_db,
            });
            queue.push(loss_db + spreading_db(length), number);
        }
    }
}
