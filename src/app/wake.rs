//! How threads wake the window.
use std::sync::Arc;

/// An event from a thread.
pub enum Wake {
    /// There is news.
    News,
    /// A frame was presented; the next may be drawn.
    Presented,
}

/// Called by a thread to wake the window.
pub type Waker = Arc<dyn Fn() + Send + Sync>;
