//! The open level's file has changed and is not loaded again yet.
use super::level_version::LevelVersion;

/// How far the reload of a changed file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PendingReload {
    /// As soon as nothing else loads and no dialog is open.
    Due,
    /// The same of a file that cannot be read: the reload will say why, so nobody is asked about changes.
    DueBroken,
    /// When the card is answered; the number of changes that it names.
    Asked(usize),
    /// It loads, with the changes of this version of the open level or without any.
    Loads(Option<LevelVersion>),
    /// Put off, cancelled or refused: the open level is not what its file has.
    Off,
}

impl PendingReload {
    /// The number of changes that the card names, if there is one.
    pub fn asked_about(self) -> Option<usize> {
        match self {
            PendingReload::Asked(changes) => Some(changes),
            PendingReload::Due
            | PendingReload::DueBroken
            | PendingReload::Loads(_)
            | PendingReload::Off => None,
        }
    }
}
