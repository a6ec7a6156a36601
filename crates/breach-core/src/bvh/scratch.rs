//! Memory for intermediate results, kept from one update to the next.

/// Room to calculate in, kept from one update to the next; a clone begins without.
#[derive(Debug, Default)]
pub(super) struct Scratch<T>(pub T);

impl<T: Default> Clone for Scratch<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
