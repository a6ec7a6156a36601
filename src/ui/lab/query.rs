//! The entry of an experiment: the query's name, its file, the handles of its shapes, and the function that runs it and
//! draws the answer.
use super::drawing::Drawing;
use glam::DVec3;

/// A handle of a shape: its name and its initial position, metres.
pub(super) type Handle = (&'static str, [f64; 3]);
/// A special case of a query: its name and the positions of the handles.
pub(super) type Special = (&'static str, &'static [[f64; 3]]);

/// One experiment.
pub(super) struct Query {
    /// The function's name.
    pub name: &'static str,
    /// Its file in `breach_core::collide`, without the extension.
    pub file: &'static str,
    /// Everything is in the x-y plane.
    pub is_flat: bool,
    pub handles: &'static [Handle],
    pub specials: &'static [Special],
    /// Runs the query with these handles, and draws shapes and answer.
    pub answer: fn(&[DVec3], &mut Drawing),
}

/// An entry: name, file, flat or not, handles, special cases, function.
macro_rules! query {
    ($name:literal, $file:literal, $is_flat:expr, $handles:expr, $specials:expr, $answer:expr) => {
        crate::ui::lab::query::Query {
            name: $name,
            file: $file,
            is_flat: $is_flat,
            handles: $handles,
            specials: $specials,
            answer: $answer,
        }
    };
}
pub(super) use query;

impl Query {
    /// The source text of its file.
    pub fn source(&self) -> &'static str {
        breach_core::collide::source(self.file).unwrap_or_default()
    }
}
