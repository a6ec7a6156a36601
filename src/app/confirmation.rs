//! The pending confirmation: unsaved changes would be lost, or a file would be replaced.
use super::loader;
use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::ui::Confirmation;
use std::path::PathBuf;

/// A request that would lose unsaved changes.
pub enum Request {
    /// Open another level.
    Open(Origin),
    /// Open a scene.
    Example(&'static Scene),
    /// Switch to a loaded level; the open one was changed meanwhile.
    Begin(Box<loader::Loaded>),
    /// Quit.
    Quit,
}

impl Request {
    /// As words after "to".
    pub fn words(&self) -> String {
        let origin = match self {
            Request::Open(origin) => origin,
            Request::Begin(loaded) => &loaded.origin,
            Request::Example(scene) => {
                return format!("open the example \u{201c}{}\u{201d}", scene.name);
            }
            Request::Quit => return "quit".into(),
        };
        format!("open {}", origin.title())
    }
}

/// The pending confirmation. One about unsaved changes stays until they are saved or discarded, or it is cancelled.
pub struct PendingConfirmation {
    /// The request that would lose unsaved changes; None if only a file would be replaced.
    pub request: Option<Request>,
    /// An existing file, other than the open one, that saving would replace. This is asked first.
    pub replace: Option<PathBuf>,
    /// The changes are being saved; the request follows.
    pub saving: bool,
    /// Why the changes were not saved.
    pub problem: Option<String>,
    /// [`Request::words`].
    pub words: String,
}

impl PendingConfirmation {
    /// The state for the panels.
    pub fn state(&self) -> Confirmation<'_> {
        Confirmation {
            what: &self.words,
            replace: self.replace.as_deref(),
            saving: self.saving,
            problem: self.problem.as_deref(),
        }
    }
}
