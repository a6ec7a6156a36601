//! Working memory that survives from one update to the next.

/// Working memory for updates. A clone starts with empty memory.
#[derive(Debug, Default)]
pub(super) struct Scratch<T>(pub T);

impl<T: Default> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
