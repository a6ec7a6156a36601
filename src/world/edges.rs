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
use super::RoomId;
use super::cell::edges;
use crate::carve::face::Face;
use crate::geom::floor;
use crate::geom::shards::{Shards, Spread};
use glam::DVec3;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;

/// A face of a cell.
pub(super) type FaceRef = (RoomId, u32);

/// The two ends, in a fixed order.
type Key = ([u64; 3], [u64; 3]);

/// One face at an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Use {
    pub face: FaceRef,
    /// Runs from the key's first end to its second.
    pub forward: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    map: Shards<Key, SmallVec<[Use; 2]>>,
    /// Directed edges without an opposite.
    pub unmatched: usize,
}

/// Edges whose first ends lie in one box of this size, steps, are in one part of the table: a carve of a metre looks into
/// a few parts, and those are what it takes out of a share with a keyframe.
const BOX: f64 = 2.0 * super::GRID;

impl Spread for Key {
    fn spread(&self) -> u64 {
        let [x, y, z] = self.0.map(|x| floor(f64::from_bits(x) / BOX) as u64);
        x ^ y.rotate_left(21) ^ z.rotate_left(42)
    }
}

fn key(a: DVec3, b: DVec3) -> (Key, bool) {
    let bits = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let (a, b) = (bits(a), bits(b));
    if a < b {
        ((a, b), true)
    } else {
        ((b, a), false)
    }
}

/// What [`key`] was made of, in its order; no zero is negative.
fn ends((a, b): &Key) -> (DVec3, DVec3) {
    let point = |p: &[u64; 3]| DVec3::from_array(p.map(f64::from_bits));
    (point(a), point(b))
}

/// Of all edges of a face.
fn keys(face: &Face) -> impl Iterator<Item = (Key, bool)> {
    edges(face).map(|(a, b)| key(a, b))
}

fn missing((a, b): &Key, uses: &[Use]) -> usize {
    if a == b {
        return uses.len() % 2;
    }
    let forward = uses.iter().filter(|u| u.forward).count();
    forward.abs_diff(uses.len() - forward)
}

impl Edges {
    pub fn add(&mut self, face: &Face, id: FaceRef) {
        let unmatched = &mut self.unmatched;
        self.map.each_mut(keys(face), |part, key, forward| {
            let uses = part.entry(key).or_default();
            *unmatched -= missing(&key, uses);
            uses.push(Use { face: id, forward });
            *unmatched += missing(&key, uses);
        });
    }

    /// Takes a face's edges out; told are those at which other faces stay.
    pub fn remove(&mut self, face: &Face, id: FaceRef, mut stays: impl FnMut(DVec3, DVec3)) {
        let unmatched = &mut self.unmatched;
        self.map.each_mut(keys(face), |part, key, forward| {
            let Entry::Occupied(mut entry) = part.entry(key) else {
                return;
            };
            let uses = entry.get_mut();
            *unmatched -= missing(&key, uses);
            if let Some(i) = uses.iter().position(|&u| u == Use { face: id, forward }) {
                uses.swap_remove(i);
            }
            *unmatched += missing(&key, uses);
            if uses.is_empty() {
                entry.remove();
            } else {
                let (a, b) = ends(&key);
                if forward { stays(a, b) } else { stays(b, a) }
            }
        });
    }

    /// A face has another place.
    pub fn rename(&mut self, face: &Face, id: FaceRef, now: FaceRef) {
        self.map.each_mut(keys(face), |part, key, forward| {
            let mut uses = part.get_mut(&key).into_iter().flatten();
            if let Some(u) = uses.find(|u| **u == Use { face: id, forward }) {
                u.face = now;
            }
        });
    }

    /// The faces at an edge.
    pub fn at(&self, a: DVec3, b: DVec3) -> &[Use] {
        let key = key(a, b).0;
        self.map.part(&key).get(&key).map_or(&[], |u| u)
    }

    /// Some edges without an opposite, for reports.
    pub fn open_edges(&self) -> Vec<(DVec3, DVec3, FaceRef)> {
        let open = self.map.iter().filter(|(k, u)| missing(k, u) > 0);
        let mut list: Vec<_> = open
            .map(|(k, u)| (ends(k).0, ends(k).1, u[0].face))
            .collect();
        list.sort_by(|a, b| {
            (a.2, a.0.to_array())
                .partial_cmp(&(b.2, b.0.to_array()))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        list
    }
}
