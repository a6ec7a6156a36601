//! Planes with integer coefficients, each stored once.
use super::SUB_BITS;
use crate::geom::shards::{ShardHash, Shards};
use crate::geom::shared::Shared;
use glam::I64Vec3;

/// Index of an unoriented plane in [`Planes`].
pub type PlaneId = u32;

/// An oriented plane: the stored plane with its normal or the opposite one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Facing {
    /// Which plane.
    pub plane: PlaneId,
    /// Whether the normal is the opposite of the stored one.
    pub flip: bool,
}

impl Facing {
    /// The same plane from its other side.
    pub fn opposite(self) -> Self {
        Self {
            plane: self.plane,
            flip: !self.flip,
        }
    }
    /// +1 with the stored normal, -1 with the opposite one.
    pub fn sign(self) -> i32 {
        if self.flip { -1 } else { 1 }
    }
}

/// n·x = d, divided by the gcd, first non-zero coefficient of n positive.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Integer normal, at most 51 bits and a sign.
    pub n: [i64; 3],
    /// Offset.
    pub d: i128,
    /// n as f64, exact.
    pub nf: [f64; 3],
    /// d as f64, rounded.
    pub df: f64,
    /// Error bound of n·at - d in f64, including that `at` is rounded down.
    pub err: f64,
    /// Bits of the largest |n|.
    pub n_bits: u32,
    /// Bits of |d|.
    pub d_bits: u32,
}

/// The binary gcd (Stein, 1967), which needs no division.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << shift
}

impl Plane {
    /// The reduced plane of n·x = d (n not zero), and whether its sign was flipped.
    pub fn reduced(n: [i64; 3], d: i128) -> (Plane, bool) {
        let small = n.iter().fold(0, |g, &x| gcd(g, x.unsigned_abs()));
        assert!(small != 0, "a plane has a normal");
        let g = if small == 1 {
            1
        } else {
            let rest = match u64::try_from(d.unsigned_abs()) {
                Ok(d) => d % small,
                Err(_) => (d.unsigned_abs() % small as u128) as u64,
            };
            gcd(rest, small) as i64
        };
        let flip = n.iter().find(|&&x| x != 0).is_some_and(|&x| x < 0);
        let s = if flip { -g } else { g };
        let d = match (s, i64::try_from(d)) {
            (1, _) => d,
            (_, Ok(d)) if d != i64::MIN => (d / s) as i128,
            _ => d / s as i128,
        };
        let n = n.map(|x| x / s);
        let nf = n.map(|x| x as f64);
        let sum = nf[0].abs() + nf[1].abs() + nf[2].abs();
        // `at` is less than 2^-28 below the point on each axis; products and sums of 25-bit coordinates add at most 2^-25
        // of |n| (coordinates stay below 2^26, d below |n| 2^26).
        let err = sum * (1.0 / (1u64 << SUB_BITS) as f64 + 1.0 / (1u64 << 23) as f64);
        let largest = n.iter().fold(0, |most, x| x.unsigned_abs().max(most));
        let n_bits = 64 - largest.leading_zeros();
        let d_bits = 128 - d.unsigned_abs().leading_zeros();
        debug_assert!(
            n_bits <= MOST_BITS.0 && d_bits <= MOST_BITS.1,
            "the plane {n:?} {d} is beyond what is proven exact"
        );
        (
            Plane {
                n,
                d,
                nf,
                // Most fit in 64 bits, where the conversion is one instruction.
                df: i64::try_from(d).map_or(d as f64, |d| d as f64),
                err,
                n_bits,
                d_bits,
            },
            flip,
        )
    }
}

/// Bits of the largest normal and offset of a plane through points up to [`super::GRID_MAX`].
const MOST_BITS: (u32, u32) = (52, 78);

/// Normal and offset.
type Key = ([i64; 3], i128);

impl ShardHash for Key {
    fn shard_hash(&self) -> u64 {
        let ([x, y, z], d) = self;
        (*x as u64) ^ (*y as u64).rotate_left(16) ^ (*z as u64).rotate_left(32) ^ *d as u64
    }
}

/// Interned planes with reference counts, each stored once. [`Planes::remove_unused`] frees those that are not held; their
/// ids are used again.
#[derive(Clone, Debug, Default)]
pub struct Planes {
    list: PlaneList,
    ids: Shards<Key, PlaneId>,
    /// For each plane, how often it is held; [`FREE`] where the id has no plane.
    uses: Vec<u32>,
    /// Planes that may not be held.
    idle: Vec<PlaneId>,
    /// Ids without a plane, the next one last.
    free: Vec<PlaneId>,
}

/// Use count of an id without a plane.
const FREE: u32 = u32::MAX;

impl Planes {
    /// The plane of n·x = d (n not zero), facing along n.
    pub fn intern(&mut self, n: [i64; 3], d: i128) -> Facing {
        let (plane, flip) = Plane::reduced(n, d);
        let Planes {
            list,
            uses,
            idle,
            free,
            ..
        } = self;
        let key = (plane.n, plane.d);
        let id = *self.ids.shard_mut(&key).entry(key).or_insert_with(|| {
            let id = free.pop().unwrap_or(list.len as PlaneId);
            match uses.get_mut(id as usize) {
                Some(uses) => {
                    *list.get_mut(id as usize) = plane;
                    *uses = 0;
                }
                None => {
                    list.push(plane);
                    uses.push(0);
                }
            }
            idle.push(id);
            id
        });
        Facing { plane: id, flip }
    }

    /// The plane through three grid points, facing along (b-a)×(c-a); None where they are collinear.
    ///
    /// ```
    /// use glam::I64Vec3;
    ///
    /// let mut planes = breach_core::exact::Planes::default();
    /// let (a, b, c) = (I64Vec3::ZERO, I64Vec3::X * 6, I64Vec3::Y * 4);
    /// let up = planes.through(a, b, c).expect("a plane");
    /// assert_eq!(planes[up.plane].n, [0, 0, 1]);
    /// // The same plane, seen from its other side.
    /// assert_eq!(planes.through(a, c, b), Some(up.opposite()));
    /// assert_eq!(planes.through(a, b, b), None);
    /// ```
    pub fn through(&mut self, a: I64Vec3, b: I64Vec3, c: I64Vec3) -> Option<Facing> {
        let (u, v) = (b - a, c - a);
        let n = u.cross(v);
        if n == I64Vec3::ZERO {
            return None;
        }
        let d = n.x as i128 * a.x as i128 + n.y as i128 * a.y as i128 + n.z as i128 * a.z as i128;
        Some(self.intern(n.to_array(), d))
    }

    /// The plane `axis` = `at` half steps, facing up the axis. Where `at` is odd, no grid point lies on it.
    pub fn axis(&mut self, axis: usize, at: i64) -> Facing {
        let mut n = [0; 3];
        n[axis] = 2;
        self.intern(n, at as i128)
    }

    /// Adds a reference to a plane.
    pub fn hold(&mut self, id: PlaneId) {
        let uses = &mut self.uses[id as usize];
        debug_assert_ne!(*uses, FREE, "plane {id} has been removed");
        *uses += 1;
    }

    /// Drops a reference to a plane.
    pub fn release(&mut self, id: PlaneId) {
        let uses = &mut self.uses[id as usize];
        assert!((1..FREE).contains(uses), "plane {id} is not held");
        *uses -= 1;
        if *uses == 0 {
            self.idle.push(id);
        }
    }

    /// Drops all references.
    pub fn release_all(&mut self) {
        self.idle.clear();
        for (id, uses) in (0..).zip(&mut self.uses).filter(|(_, uses)| **uses != FREE) {
            *uses = 0;
            self.idle.push(id);
        }
    }

    /// Removes the planes that are not held; nothing may refer to them any more. Time follows the number of planes made and
    /// released since the last call. The latest ids are freed first, so that the next planes get the ids that they would
    /// have got without the removed ones.
    ///
    /// ```
    /// let mut planes = breach_core::exact::Planes::default();
    /// let floor = planes.axis(1, 0).plane;
    /// let ceiling = planes.axis(1, 8).plane;
    /// planes.hold(floor);
    /// planes.remove_unused();
    /// assert_eq!(planes.len(), 1);
    /// // The next plane takes the free id.
    /// assert_eq!(planes.axis(0, 0).plane, ceiling);
    /// ```
    pub fn remove_unused(&mut self) {
        let Planes {
            list,
            ids,
            uses,
            idle,
            free,
        } = self;
        idle.retain(|&id| {
            let uses = &mut uses[id as usize];
            *uses == 0 && std::mem::replace(uses, FREE) == 0
        });
        for id in idle.drain(..).rev() {
            let plane = list.get(id as usize);
            let key = (plane.n, plane.d);
            ids.shard_mut(&key).remove(&key);
            free.push(id);
        }
    }

    /// The number of planes.
    pub fn len(&self) -> usize {
        self.list.len - self.free.len()
    }

    /// Whether there are no planes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The normal of an oriented plane, exact.
    pub fn normal(&self, f: Facing) -> glam::DVec3 {
        glam::DVec3::from_array(self[f.plane].nf) * f.sign() as f64
    }
}

impl std::ops::Index<PlaneId> for Planes {
    type Output = Plane;
    fn index(&self, id: PlaneId) -> &Plane {
        self.list.get(id as usize)
    }
}

/// Planes in a block of a [`PlaneList`].
const BLOCK: usize = 1024;

/// Planes by id, in blocks that stay where they are: a `Vec` of a million planes would take 40 ms to grow. Clones share
/// them until one of them changes.
#[derive(Clone, Debug, Default)]
struct PlaneList {
    blocks: Vec<Shared<[Plane; BLOCK]>>,
    len: usize,
}

impl PlaneList {
    fn get(&self, place: usize) -> &Plane {
        &self.blocks[place / BLOCK][place % BLOCK]
    }

    fn get_mut(&mut self, place: usize) -> &mut Plane {
        &mut self.blocks[place / BLOCK][place % BLOCK]
    }

    fn push(&mut self, plane: Plane) {
        if self.len.is_multiple_of(BLOCK) {
            self.blocks.push(Shared::new([plane; BLOCK]));
        }
        *self.get_mut(self.len) = plane;
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_planes_are_removed_and_their_ids_used_again() {
        let mut planes = Planes::default();
        let [a, b, c] = [2, 4, 6].map(|at| planes.axis(0, at).plane);
        planes.hold(a);
        planes.hold(b);
        planes.hold(b);
        planes.remove_unused();
        assert_eq!(planes.len(), 2);
        // An existing plane is found; a new one takes the free id.
        assert_eq!(planes.axis(0, 2).plane, a);
        assert_eq!(planes.axis(1, 2).plane, c);
        planes.release(b);
        planes.remove_unused();
        assert_eq!((planes.len(), planes.axis(0, 4).plane), (2, b));
        planes.release(b);
        planes.remove_unused();
        assert_eq!(planes.len(), 1);
        assert_eq!(planes.axis(2, 8).plane, b);
        planes.release_all();
        planes.remove_unused();
        assert!(planes.is_empty());
        assert_eq!(planes.axis(0, 2).plane, a);
    }

    #[test]
    fn temporary_planes_do_not_change_later_ids() {
        let numbers = |for_a_while: &[i64]| {
            let mut planes = Planes::default();
            let first: Vec<PlaneId> = (0..9).map(|at| planes.axis(0, at).plane).collect();
            first.iter().for_each(|&id| planes.hold(id));
            for i in [3, 7, 1] {
                planes.release(first[i]);
            }
            planes.remove_unused();
            let some: Vec<PlaneId> = for_a_while
                .iter()
                .map(|&at| planes.axis(1, at).plane)
                .collect();
            some.iter().for_each(|&id| planes.hold(id));
            some.iter().for_each(|&id| planes.release(id));
            planes.remove_unused();
            let next = (20..30).map(|at| planes.axis(2, at).plane);
            next.collect::<Vec<_>>()
        };
        let plain = numbers(&[]);
        for count in [1, 2, 3, 4, 9] {
            let list: Vec<i64> = (0..count).collect();
            assert_eq!(numbers(&list), plain, "{count}");
        }
    }
}
