//! Copy on write: a value that clones share until one of them changes it. It makes a keyframe of a whole level cheap.
use std::ops::{Deref, DerefMut};
use triomphe::Arc;

/// Cloning increments a counter. A write through it copies the value first if it is shared.
#[derive(Debug, Default)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// A value that is not shared yet.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// Whether both are the same value in memory.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Shared<T> {
    /// The value itself; a copy if it is shared.
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
