//! Parallel loops over independent items, on all cores with the feature `rayon`, else on one. Results are in the order
//! of the items either way.

/// Number of threads of a loop.
pub fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// `f` of 0, 1 … `count` − 1. A thread takes at least `batch` of them at a time.
#[cfg(feature = "rayon")]
pub fn map<R: Send>(count: usize, batch: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    (0..count)
        .into_par_iter()
        .with_min_len(batch)
        .map(f)
        .collect()
}
#[cfg(not(feature = "rayon"))]
#[allow(missing_docs)]
pub fn map<R: Send>(count: usize, _batch: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    (0..count).map(f).collect()
}

/// `f` of every item, by mutable reference.
#[cfg(feature = "rayon")]
pub fn map_mut<T: Send, R: Send>(items: &mut [T], f: impl Fn(&mut T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter_mut().map(f).collect()
}
#[cfg(not(feature = "rayon"))]
#[allow(missing_docs)]
pub fn map_mut<T: Send, R: Send>(items: &mut [T], f: impl Fn(&mut T) -> R + Sync + Send) -> Vec<R> {
    items.iter_mut().map(f).collect()
}

/// Whether `f` is true for any item; stops early once it is.
#[cfg(feature = "rayon")]
pub fn any<T: Sync>(items: &[T], f: impl Fn(&T) -> bool + Sync + Send) -> bool {
    use rayon::prelude::*;
    items.par_iter().any(f)
}
#[cfg(not(feature = "rayon"))]
#[allow(missing_docs)]
pub fn any<T: Sync>(items: &[T], f: impl Fn(&T) -> bool + Sync + Send) -> bool {
    items.iter().any(f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_items_order() {
        for count in [0, 1, 7, 1000] {
            let squares: Vec<usize> = (0..count).map(|n| n * n).collect();
            assert_eq!(map(count, 3, |n| n * n), squares);
            let mut items: Vec<usize> = (0..count).collect();
            let old = map_mut(&mut items, |n| std::mem::replace(n, *n * *n));
            assert_eq!(old, (0..count).collect::<Vec<_>>());
            assert_eq!(items, squares);
            assert_eq!(any(&items, |n| *n == 36), count > 6);
        }
    }
}
