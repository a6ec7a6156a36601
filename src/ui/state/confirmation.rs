//! The confirmation that is pending, and its answers.
use std::path::Path;

/// An answer to the pending confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save, or replace the file that is there.
    Save,
    /// Continue without saving.
    Discard,
    /// Do nothing.
    Cancel,
}

/// The pending confirmation: unsaved changes would be lost, or a file would be replaced.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation<'a> {
    /// The operation that would lose the changes, as words after "to": "open caves.map".
    pub what: &'a str,
    /// An existing file that would be replaced; this is asked first.
    pub replace: Option<&'a Path>,
    /// The changes are being saved.
    pub saving: bool,
    /// Why the changes were not saved.
    pub problem: Option<&'a str>,
}
