//! Items along a Z-order curve: what is near on the curve is near in space (Morton, 1966).
use super::build::{Bounds, Item};

/// Bits of a place on the curve for each axis.
const BITS: u32 = 10;
/// Buckets of a pass of sorting.
const BUCKETS: usize = 1 << BITS;
/// So large a float has no digits behind the point: its last bits are what is added, as a whole number.
const WHOLE: f32 = ((1 << 23) + BUCKETS) as f32;
/// Fewer than this are sorted by comparing.
const FEW: usize = 400;

/// A place on the curve, and above it nothing; below it the index of the item.
pub(super) type Place = u64;

/// The curve's part of a place.
pub(super) fn code(place: Place) -> u32 {
    (place >> 32) as u32
}

/// The items' indices in the order of the curve through their centres; equal places in the order of the items. Cells are
/// cubes, so that the highest bits follow the longest axis.
pub(super) fn order(items: &[Item], centres: &Bounds) -> Vec<Place> {
    let size = (centres.max - centres.min).max_element();
    let scale = if size > 0.0 && size.is_finite() {
        BUCKETS as f32 * (1.0 - 1e-6) / size
    } else {
        0.0
    };
    let place = |(i, item): (u32, &Item)| {
        // Less a half, so that it rounds down.
        let at = (item.middle() - centres.min) * scale - 0.5 + WHOLE;
        let [x, y, z] = at
            .to_array()
            .map(|c| SPREAD[c.to_bits() as usize % BUCKETS]);
        u64::from(x | y << 1 | z << 2) << 32 | u64::from(i)
    };
    let mut places: Vec<Place> = (0u32..).zip(items).map(place).collect();
    if places.len() < FEW {
        places.sort_unstable();
    } else {
        sort(&mut places);
    }
    places
}

/// Numbers with two zeros between their bits.
static SPREAD: [u32; BUCKETS] = {
    let mut table = [0; BUCKETS];
    let mut i = 0;
    while i < BUCKETS {
        let mut bit = 0;
        while bit < BITS {
            table[i] |= (i as u32 >> bit & 1) << (3 * bit);
            bit += 1;
        }
        i += 1;
    }
    table
};

/// By the curve's part alone, lowest bits first; keeps the order of equals.
fn sort(places: &mut Vec<Place>) {
    let digit = |place: Place, pass: u32| (code(place) >> (pass * BITS)) as usize % BUCKETS;
    let mut counts = [[0u32; BUCKETS]; 3];
    for &place in places.iter() {
        for pass in 0..3 {
            counts[pass as usize][digit(place, pass)] += 1;
        }
    }
    let mut other = vec![0; places.len()];
    for pass in 0..3 {
        let mut next = 0;
        let starts = &mut counts[pass as usize];
        for start in starts.iter_mut() {
            next += std::mem::replace(start, next);
        }
        for &place in places.iter() {
            let start = &mut starts[digit(place, pass)];
            other[*start as usize] = place;
            *start += 1;
        }
        std::mem::swap(places, &mut other);
    }
}

/// Most neighbours that a block takes.
pub(super) const RUN: usize = 8;

/// Cuts places on the curve at the highest bit in which they differ, until no more than `most` are left in each run; adds
/// where the runs end.
pub(super) fn cut(places: &[Place], most: usize, start: usize, ends: &mut Vec<u32>) {
    if places.len() <= most {
        ends.push((start + places.len()) as u32);
        return;
    }
    let (first, last) = (places[0], places[places.len() - 1]);
    let middle = match (code(first) ^ code(last)).checked_ilog2() {
        Some(bit) => places.partition_point(|&p| code(p) >> bit & 1 == 0),
        None => places.len() / 2,
    };
    cut(&places[..middle], most, start, ends);
    cut(&places[middle..], most, start + middle, ends);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    #[test]
    fn many_are_sorted_as_few_are() {
        let mut rng = Rng::new(2);
        let mut centres = Bounds::EMPTY;
        let items: Vec<Item> = (0..3000)
            .map(|i| {
                let p = rng.unit_vector() * [1.0, 0.1][i as usize % 2];
                let item = Item::around(i, &[p; 3]);
                centres.add_point(item.middle());
                item
            })
            .collect();
        let places = order(&items, &centres);
        let mut sorted = places.clone();
        sorted.sort_unstable();
        assert_eq!(places, sorted);
        assert!(places.iter().any(|&p| code(p) >> 29 == 1), "all bits used");
        let few = order(&items[..100], &centres);
        assert!(few.is_sorted());
        let point = Item::around(0, &[DVec3::ONE; 3]);
        let mut one = Bounds::EMPTY;
        one.add_point(point.middle());
        assert_eq!(order(&[point], &one), [0]);
    }
}
