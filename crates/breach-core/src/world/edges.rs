//! Which faces of stuff meet at an edge, over the whole level; knows at any time how many edges miss their opposite.
//!
//! Edges are told apart by where their ends are drawn ([`crate::exact::Point::at`], rounded down to 2^-28 of a step),
//! not exactly. Equal ends always meet so, but different ones may too: two planes with normals of n can cross an edge
//! 1/n² of a step apart, so from n = 16,384 on they may round alike. Nothing rests on telling them apart:
//! - Uses of edges that round alike add up at one key. Where each edge has its opposite, each key has as many uses one
//!   way as the other; the other way round, what is matched at every key is closed as it is drawn.
//! - An edge shorter than the rounding has the same end twice. It has no direction, so its uses are counted in pairs.
//! - A flood ([`super::islands`]) may step over a gap that is nowhere along an edge wider than the rounding, 2e-13 m:
//!   what hangs that close to others is held by them.
//!
//! The table keeps no coordinates but a hash of each end ([`mark`]): an entry takes 40 bytes instead of 88, and most of
//! the time that an edge takes is spent waiting for memory. Two edges in one place share both once in 2^96 times.
use super::cell::{Cell, edges};
use super::room::RoomId;
use crate::carve::face::Face;
use crate::geom::shards::{Shards, Spread};
use crate::geom::shared::Shared;
use glam::DVec3;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// A face of a cell.
pub(super) type FaceRef = (RoomId, u32);

/// An edge, whichever way it runs: the marks of its two ends, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeKey([u64; 2]);

/// One face at an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeUse {
    room: RoomId,
    /// Its number, doubled, and one more if it runs from the key's first end to its second.
    number: u32,
}

impl EdgeUse {
    fn new((room, face): FaceRef, forward: bool) -> EdgeUse {
        let number = face << 1 | u32::from(forward);
        EdgeUse { room, number }
    }

    pub fn face(&self) -> FaceRef {
        (self.room, self.number >> 1)
    }

    fn is_forward(&self) -> bool {
        self.number & 1 == 1
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct EdgeTable {
    map: Shards<EdgeKey, SmallVec<[EdgeUse; 2]>>,
    /// Directed edges without an opposite.
    pub unmatched: usize,
}

/// Edges whose first ends lie in one box of this size, steps, are in one part of the table: a carve of a metre looks into
/// a few parts, and those are what it takes out of a share with a keyframe.
const BOX: f64 = 2.0 * super::GRID;

impl Spread for EdgeKey {
    fn spread(&self) -> u64 {
        self.0[0] >> (64 - BOX_BITS)
    }
}

impl Hash for EdgeKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Marks are hashes already.
        state.write_u64(self.0[0] ^ self.0[1].rotate_left(BOX_BITS));
    }
}

/// How many bits of a mark say which box a point is in.
const BOX_BITS: u32 = 16;

/// Added to a number below 2^51, leaves it rounded, in the lowest bits.
const ROUND: f64 = (3u64 << 51) as f64;

/// A hash of a point: first of its box, then of itself. Two points of a box have the same one once in 2^48 times.
fn mark(p: DVec3) -> u64 {
    // Digits of pi, so that no bits of a coordinate are without weight.
    const SEEDS: [u64; 4] = [
        0x243F_6A88_85A3_08D3,
        0x1319_8A2E_0370_7344,
        0xA409_3822_299F_31D0,
        0x082E_FA98_EC4E_6C89,
    ];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let [x, y, z] = (p * (1.0 / BOX) + ROUND).to_array().map(f64::to_bits);
    let place = fold(
        x ^ y.rotate_left(21) ^ z.rotate_left(42) ^ SEEDS[0],
        SEEDS[1],
    );
    // A negative zero is the other one, too.
    let [x, y, z] = (p + 0.0).to_array().map(f64::to_bits);
    let own = fold(fold(x ^ SEEDS[2], y ^ SEEDS[3]) ^ z, SEEDS[1]);
    place << (64 - BOX_BITS) | own >> BOX_BITS
}

/// Of the edge between two marks; and whether it runs from the key's first end to its second.
fn between(a: u64, b: u64) -> (EdgeKey, bool) {
    (EdgeKey([a.min(b), a.max(b)]), a < b)
}

/// Of all edges of a face, in the order of [`edges`], with whether each runs from its key's first end to its second. Each
/// corner is marked once.
pub(super) fn keys(face: &Face) -> impl Iterator<Item = (EdgeKey, bool)> {
    face.loops.iter().flat_map(|corners| {
        let marks = corners.iter().map(|c| mark(c.point.at));
        let first = corners.first().map_or(0, |c| mark(c.point.at));
        let mut from = first;
        marks
            .skip(1)
            .chain([first])
            .map(move |to| between(std::mem::replace(&mut from, to), to))
    })
}

/// How many of the uses of an edge are without their opposite.
fn missing(key: &EdgeKey, uses: &[EdgeUse]) -> usize {
    let forward = uses.iter().filter(|u| u.is_forward()).count();
    match key.0[0] == key.0[1] {
        true => uses.len() % 2,
        false => forward.abs_diff(uses.len() - forward),
    }
}

impl EdgeTable {
    pub fn add(&mut self, face: &Face, id: FaceRef) {
        let unmatched = &mut self.unmatched;
        self.map.each_mut(keys(face), |part, key, forward| {
            let uses = part.entry(key).or_default();
            *unmatched -= missing(&key, uses);
            uses.push(EdgeUse::new(id, forward));
            *unmatched += missing(&key, uses);
        });
    }

    /// Takes a face's edges out; told are those at which other faces stay.
    pub fn remove(&mut self, face: &Face, id: FaceRef, mut stays: impl FnMut(EdgeKey)) {
        let unmatched = &mut self.unmatched;
        self.map.each_mut(keys(face), |part, key, forward| {
            let Entry::Occupied(mut entry) = part.entry(key) else {
                unreachable!("the edges of a face are listed")
            };
            let uses = entry.get_mut();
            *unmatched -= missing(&key, uses);
            let own = uses.iter().position(|&u| u == EdgeUse::new(id, forward));
            uses.swap_remove(own.expect("each face is listed at its edges"));
            *unmatched += missing(&key, uses);
            if uses.is_empty() {
                entry.remove();
            } else {
                stays(key);
            }
        });
    }

    /// A face has another place.
    pub fn rename(&mut self, face: &Face, id: FaceRef, now: FaceRef) {
        self.map.each_mut(keys(face), |part, key, forward| {
            let mut uses = part.get_mut(&key).into_iter().flatten();
            let own = uses.find(|u| **u == EdgeUse::new(id, forward));
            *own.expect("each face is listed at its edges") = EdgeUse::new(now, forward);
        });
    }

    /// The faces at the edge between two points.
    pub fn at(&self, a: DVec3, b: DVec3) -> &[EdgeUse] {
        self.uses(&between(mark(a), mark(b)).0)
    }

    /// The faces at all edges of a face, itself among them.
    pub fn around(&self, face: &Face) -> impl Iterator<Item = &EdgeUse> {
        keys(face).flat_map(|(key, _)| self.uses(&key))
    }

    /// The faces at an edge.
    pub fn uses(&self, key: &EdgeKey) -> &[EdgeUse] {
        self.map.part(key).get(key).map_or(&[], |u| u)
    }

    /// Edges without an opposite, for reports: ends and a face, in a fixed order.
    pub fn open_edges(&self, cells: &[Shared<Cell>]) -> Vec<(DVec3, DVec3, FaceRef)> {
        let open = self.map.iter().filter(|(key, uses)| missing(key, uses) > 0);
        let mut list: Vec<_> = open
            .filter_map(|(&at, uses)| {
                let (room, number) = uses[0].face();
                let face = cells[room as usize].faces[number as usize].as_ref()?;
                let ends = keys(face).zip(edges(face));
                let (a, b) = ends.into_iter().find(|(key, _)| key.0 == at)?.1;
                Some((a, b, (room, number)))
            })
            .collect();
        list.sort_by(|a, b| {
            (a.2, a.0.to_array())
                .partial_cmp(&(b.2, b.0.to_array()))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        list
    }
}
