//! The space around the listener: the rooms that wide openings join to one, their volume and what their surfaces absorb,
//! both exact, and the reverberation that follows from them.
use super::air::RoomAir;
use super::search::Rooms;
use crate::world::{RoomId, World};
use std::collections::VecDeque;

/// Rooms that an opening wider than this joins are one space: area by the ⅔ power of the smaller room's volume. A door is
/// 0.1 of its room, the cut through the middle of a cube 1.6.
const JOINED: f64 = 0.35;
/// Most rooms of a space.
const MOST_ROOMS: usize = 64;
/// Absorption by the air itself at 1 kHz, an amount for each metre (ISO 9613-1, 20 °C, 50 %).
const AIR: f64 = 0.001;

/// A space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// Its rooms, rising.
    pub rooms: Vec<RoomId>,
    /// Cubic metres.
    pub volume_m3: f64,
    /// Square metres of a perfect absorber that absorb as much as surfaces, air and openings to elsewhere.
    pub absorption_m2: f64,
}

impl Space {
    /// The space of a room.
    pub fn new(world: &World, rooms: &mut Rooms, start: RoomId) -> Space {
        let mut space = Space::default();
        let mut open = VecDeque::from([start]);
        let mut edges: Vec<(RoomId, f64)> = Vec::new();
        space.rooms.push(start);
        while let Some(id) = open.pop_front() {
            let volume = world.room(id).air_volume_m3;
            let room: &RoomAir = rooms.room(world, id);
            space.volume_m3 += volume;
            space.absorption_m2 += room.absorption_m2;
            for opening in room.openings.iter().filter(|opening| !opening.is_closed) {
                let smaller = volume.min(world.room(opening.to).air_volume_m3);
                let is_wide = JOINED * libm::cbrt(smaller * smaller) <= opening.area_m2;
                if !is_wide
                    || (space.rooms.len() == MOST_ROOMS && !space.rooms.contains(&opening.to))
                {
                    edges.push((opening.to, opening.own_m2));
                } else if !space.rooms.contains(&opening.to) {
                    space.rooms.push(opening.to);
                    open.push_back(opening.to);
                }
            }
        }
        space.rooms.sort_unstable();
        // What goes out through an opening to elsewhere does not come back.
        let out = edges
            .iter()
            .filter(|(to, _)| space.rooms.binary_search(to).is_err());
        space.absorption_m2 += out.map(|(_, area)| area).sum::<f64>();
        space.absorption_m2 += 4.0 * AIR * space.volume_m3;
        space
    }

    /// Whether a room belongs to it.
    pub fn has(&self, room: RoomId) -> bool {
        self.rooms.binary_search(&room).is_ok()
    }

    /// The time in which sound falls by 60 dB, seconds: 0.161 V / A (Sabine 1922).
    pub fn reverberation_secs(&self) -> f64 {
        match self.absorption_m2 > 0.0 {
            true => 0.161 * self.volume_m3 / self.absorption_m2,
            false => 0.0,
        }
    }
}
