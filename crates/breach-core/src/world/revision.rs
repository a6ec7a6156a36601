//! Which state of which world is it? One number says both.
use std::sync::atomic::{AtomicU64, Ordering};

/// The state of a room or of a world, told apart from every other that there is while the program runs: earlier and later
/// ones of the same world, those of its clones that went another way, and those of every other level that was ever open.
///
/// So whatever is made of a world and kept (buffers, shadow maps, plans, measurements) is kept with the revision that it
/// was made of, and needs no other key: where that is the same, it is of the same world and still right. A clone has the
/// revisions of what it was cloned from until one of the two changes.
///
/// Later states of a world have larger revisions. How much larger depends on what else the program does, so nothing that
/// is simulated or hashed may depend on more than their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(u64);

impl Revision {
    /// One that nothing had before. The default is that of nothing at all.
    pub fn next() -> Revision {
        static GIVEN: AtomicU64 = AtomicU64::new(0);
        Revision(GIVEN.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_revision_is_given_twice_whatever_threads_ask() {
        let ask = || (0..1000).map(|_| Revision::next()).collect::<Vec<_>>();
        let asked = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|t| t.join()).collect::<Vec<_>>()
        });
        let mut all = BTreeSet::from([Revision::default()]);
        for revisions in asked {
            let revisions = revisions.expect("a thread that only counts");
            assert!(revisions.is_sorted());
            all.extend(revisions);
        }
        assert_eq!(all.len(), 4001);
    }
}
