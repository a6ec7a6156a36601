//! Revisions: one number identifies both the world and its state.
use std::sync::atomic::{AtomicU64, Ordering};

/// The state of a room or of a world, unique while the program runs: it differs from earlier and later states of the
/// same world, from those of its clones that took another course, and from those of every other level opened.
///
/// So data derived from a world and cached (buffers, shadow maps, plans, measurements) is cached with the revision that
/// it was derived from, and needs no other key: an equal revision means the same world in the same state. A clone has
/// the revisions of its original until one of the two changes.
///
/// Later states of a world have larger revisions. The difference depends on everything else that the program does, so
/// nothing simulated or hashed may depend on more than their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(u64);

impl Revision {
    /// A new revision. The default stands for no state at all.
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
