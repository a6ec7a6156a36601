//! Recent changes of the surface, so that a cache of a part of it can tell whether it is still valid.
use super::revision::Revision;
use crate::geom::Aabb;
use std::collections::VecDeque;

/// Changes kept: about a second of play. An older cache must be refreshed.
const KEPT: usize = 64;

/// The last changes, the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentChanges {
    /// The revision that each change made, and the box of the triangles removed and added, metres.
    list: VecDeque<(Revision, Aabb)>,
    /// Changes up to this revision are forgotten.
    forgotten: Revision,
}

impl RecentChanges {
    /// Records the change that made this revision.
    pub fn note(&mut self, revision: Revision, bounds: &Aabb) {
        if bounds.is_empty() {
            return;
        }
        if self.list.len() == KEPT
            && let Some((oldest, _)) = self.list.pop_front()
        {
            self.forgotten = oldest;
        }
        self.list.push_back((revision, *bounds));
    }

    /// Whether the surface within a box may have changed since `revision`.
    pub fn has_changed_since(&self, revision: Revision, bounds: &Aabb) -> bool {
        let later = self.list.iter().rev().take_while(|c| c.0 > revision);
        revision < self.forgotten || later.into_iter().any(|c| c.1.overlaps(bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn at(x: f64) -> Aabb {
        Aabb::from_centre(DVec3::X * x, DVec3::ONE)
    }

    #[test]
    fn a_place_has_changed_since_the_revision_before_its_last_change() {
        let mut changes = RecentChanges::default();
        let [before, first, between, second] = [(); 4].map(|()| Revision::next());
        changes.note(first, &at(0.0));
        changes.note(second, &at(10.0));
        assert!(
            changes.has_changed_since(before, &at(0.5))
                && !changes.has_changed_since(first, &at(0.5))
        );
        assert!(
            changes.has_changed_since(between, &at(10.0))
                && !changes.has_changed_since(second, &at(10.0))
        );
        assert!(!changes.has_changed_since(before, &at(5.0)));
    }

    #[test]
    fn what_is_forgotten_may_have_changed_anywhere() {
        let mut changes = RecentChanges::default();
        let before = Revision::next();
        let first = Revision::next();
        changes.note(first, &at(0.0));
        (0..KEPT).for_each(|_| changes.note(Revision::next(), &at(0.0)));
        assert!(changes.has_changed_since(before, &at(50.0)));
        assert!(!changes.has_changed_since(first, &at(50.0)));
    }
}
