//! The file of the open level has changed: what is to come of it.
use super::level_version::LevelVersion;

/// A changed file that is not loaded again yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PendingReload {
    /// As soon as nothing else loads and no dialog is open.
    Due,
    /// When the card is answered; the number of changes that it names.
    Asked(usize),
    /// It loads, with the changes of this version of the open level or without any.
    Loads(Option<LevelVersion>),
}

impl PendingReload {
    /// The number of changes that the card names, if there is one.
    pub fn asked_about(self) -> Option<usize> {
        match self {
            PendingReload::Asked(changes) => Some(changes),
            PendingReload::Due | PendingReload::Loads(_) => None,
        }
    }
}
