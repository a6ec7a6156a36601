//! Cyclic lists, such as the corners of a loop. Indices wrap without a remainder, which takes a processor longer than
//! the work on a corner.

/// Each item with its successor, in order; the last with the first.
#[inline]
pub fn pairs<T>(ring: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let rest = ring.get(1..).unwrap_or_default();
    ring.iter().zip(rest.iter().chain(ring.first()))
}

/// The index after `place` in a ring of `count`.
#[inline]
pub fn after(place: usize, count: usize) -> usize {
    if place + 1 < count { place + 1 } else { 0 }
}

/// The index before `place` in a ring of `count`.
#[inline]
pub fn before(place: usize, count: usize) -> usize {
    if place > 0 {
        place - 1
    } else {
        count.max(1) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_followed_by_the_first() {
        let all = |ring: &[u8]| pairs(ring).map(|(&a, &b)| (a, b)).collect::<Vec<_>>();
        assert_eq!(all(&[1, 2, 3]), [(1, 2), (2, 3), (3, 1)]);
        assert_eq!(all(&[1]), [(1, 1)]);
        assert_eq!(all(&[]), []);
        for count in 1..5 {
            for place in 0..count {
                assert_eq!(after(place, count), (place + 1) % count);
                assert_eq!(before(place, count), (place + count - 1) % count);
            }
        }
    }
}
