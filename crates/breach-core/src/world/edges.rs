//! The table of edges over the whole level: which faces meet at each, and how many edges lack their opposite.
//!
//! Edges are identified by the stored positions of their ends ([`crate::exact::Point::at`], rounded down to 2^-28 of a
//! step), not by the exact points. Equal ends always have equal positions, but different ends may coincide: two planes
//! with normals of n can cross an edge 1/n² of a step apart, so from n = 16,384 on they may round alike. Nothing
//! depends on telling them apart:
//! - Uses of edges that round alike add up under one key. If each edge has its opposite, each key has as many uses one
//!   way as the other. Conversely, if every key is matched, the surface is closed as it is drawn.
//! - An edge shorter than the rounding has the same end twice. It has no direction, so its uses are counted in pairs.
//! - A flood ([`super::islands`]) may step over a gap that is nowhere along an edge wider than the rounding, 2e-13 m:
//!   solid that hangs this close to other solid counts as held by it.
//!
//! The table keeps no coordinates but a hash of each end ([`mark`]): an entry takes 40 bytes instead of 88, and most of
//! an edge's cost is waiting for memory. Two edges in one place share both hashes once in 2^96 times.
use super::cell::{Cell, edges};
use super::room::RoomId;
use crate::carve::face::Face;
use crate::geom::shards::{ShardHash, Shards};
use crate::geom::shared::Shared;
use crate::geom::shared_vec::SharedVec;
use glam::DVec3;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// A face of a cell.
pub(super) type FaceRef = (RoomId, u32);

/// An undirected edge: the marks of its two ends, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeKey([u64; 2]);

/// One face at an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeUse {
    room: RoomId,
    /// Twice the face's number, plus one if the face's edge runs from the key's first end to its second.
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

/// Edges whose first ends lie in one box of this size, steps, are in one shard of the table: a carve of a metre touches
/// a few shards, and only these are copied if a keyframe shares them.
const BOX: f64 = 2.0 * super::GRID;

impl ShardHash for EdgeKey {
    fn shard_hash(&self) -> u64 {
        self.0[0] >> (64 - BOX_BITS)
    }
}

impl Hash for EdgeKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Marks are hashes already.
        state.write_u64(self.0[0] ^ self.0[1].rotate_left(BOX_BITS));
    }
}

/// Bits of a mark that identify the point's box.
const BOX_BITS: u32 = 16;

/// Adding it to a number below 2^51 leaves the rounded number in the lowest bits.
const ROUND: f64 = (3u64 << 51) as f64;

/// A hash of a point: the high bits hash its box, the others the point. Two points of a box collide once in 2^48 times.
fn mark(p: DVec3) -> u64 {
    // Digits of pi, so that every bit of a coordinate counts.
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
    // Maps -0.0 to 0.0.
    let [x, y, z] = (p + 0.0).to_array().map(f64::to_bits);
    let own = fold(fold(x ^ SEEDS[2], y ^ SEEDS[3]) ^ z, SEEDS[1]);
    place << (64 - BOX_BITS) | own >> BOX_BITS
}

/// The key of the edge between two marks, and whether it runs from the key's first end to its second.
fn between(a: u64, b: u64) -> (EdgeKey, bool) {
    (EdgeKey([a.min(b), a.max(b)]), a < b)
}

/// The keys of all edges of a face, in the order of [`edges`], each with whether it runs from its key's first end to
/// its second. Each corner is hashed once.
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

/// Uses of an edge without an opposite.
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

    /// Removes a face's edges; calls `stays` for those that other faces still use.
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

    /// A face got another id.
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

    /// The uses of all edges of a face, its own included.
    pub fn around(&self, face: &Face) -> impl Iterator<Item = &EdgeUse> {
        keys(face).flat_map(|(key, _)| self.uses(&key))
    }

    /// The faces at an edge.
    pub fn uses(&self, key: &EdgeKey) -> &[EdgeUse] {
        self.map.shard(key).get(key).map_or(&[], |u| u)
    }

    /// The faces at each edge, in no order.
    pub fn all_uses(&self) -> impl Iterator<Item = &[EdgeUse]> {
        self.map.iter().map(|(_, uses)| &uses[..])
    }

    /// Edges without an opposite, for reports: their ends and a face each, in a fixed order.
    pub fn open_edges(&self, cells: &SharedVec<Shared<Cell>>) -> Vec<(DVec3, DVec3, FaceRef)> {
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
