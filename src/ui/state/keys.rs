//! The current key bindings.
use crate::ui::KeyCommand;

/// A row of the current key bindings.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyLine {
    /// The command.
    pub command: KeyCommand,
    /// The key's name.
    pub key: String,
    /// The command in a few words.
    pub what: &'static str,
    /// Its key can be changed (the mouse's cannot).
    pub can_change: bool,
    /// Its key is not the default.
    pub is_changed: bool,
}
