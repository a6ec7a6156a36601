//! A value that clones share until one of them changes it: what makes a keyframe of a whole level cheap.
use std::ops::{Deref, DerefMut};
use triomphe::Arc;

/// Cloning costs a counter. Writing through it makes a copy first if anybody else has it (copy on write).
#[derive(Debug, Default)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// A value that nobody shares yet.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// Whether both are one and the same value in memory, so that the one costs nothing beside the other.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Shared<T> {
    /// The value itself; a copy where others have it too.
    pub fn take(self) -> T {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_made_when_one_of_two_changes_and_not_before() {
        let mut one = Shared::new(vec![1, 2]);
        let other = one.clone();
        assert!(one.is(&other));
        one.push(3);
        assert!(!one.is(&other));
        assert_eq!((one.take(), other.take()), (vec![1, 2, 3], vec![1, 2]));
    }
}
