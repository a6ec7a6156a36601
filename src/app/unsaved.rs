//! Unsaved changes: nothing that would lose them is done before somebody has answered.
use super::background::Ask;
use super::{App, Edition, loader};
use crate::ui::{NoticeKind, UiAction, UnsavedShown};
use std::path::PathBuf;

/// What would lose unsaved changes.
pub enum Pending {
    /// Another level takes the place of the open one.
    Open(PathBuf),
    /// A level that is whole takes the place of one that was changed while it was opened.
    Begin(Box<loader::Loaded>),
    /// The program ends.
    Quit,
}

impl Pending {
    /// In words, after "to".
    fn words(&self) -> String {
        let path = match self {
            Pending::Open(path) => path,
            Pending::Begin(loaded) => &loaded.path,
            Pending::Quit => return "quit".into(),
        };
        format!("open {}", loader::file_name(path))
    }
}

/// The question about unsaved changes. It stays until they are saved, given up or kept.
pub struct Question {
    /// What was asked for.
    pub pending: Pending,
    /// They are being saved; what was asked for follows.
    pub saving: bool,
    /// Why they were not saved, in words.
    pub problem: Option<String>,
    /// [`Pending::words`].
    words: String,
}

impl Question {
    /// For the panels.
    pub fn shown(&self) -> UnsavedShown<'_> {
        UnsavedShown {
            what: &self.words,
            saving: self.saving,
            problem: self.problem.as_deref(),
        }
    }
}

impl App {
    /// Does what would lose unsaved changes, or asks first.
    pub(super) fn request(&mut self, pending: Pending) {
        if self.play.as_ref().is_some_and(|play| play.unsaved) {
            self.release();
            self.question = Some(Question {
                words: pending.words(),
                pending,
                saving: false,
                problem: None,
            });
        } else {
            self.question = None;
            self.carry_out(pending);
        }
    }

    fn carry_out(&mut self, pending: Pending) {
        match pending {
            Pending::Open(path) => self.open(path),
            Pending::Begin(loaded) => self.begin(*loaded),
            Pending::Quit => self.quit = true,
        }
    }

    /// Save first (true), go on without saving (false), or stay (None).
    pub(super) fn answer(&mut self, save: Option<bool>) {
        match (save, self.question.take()) {
            (Some(true), Some(question)) => {
                self.question = Some(Question {
                    saving: true,
                    problem: None,
                    ..question
                });
                self.act(UiAction::Save);
            }
            (Some(false), Some(question)) => self.carry_out(question.pending),
            _ => {}
        }
    }

    /// Saving came to nothing: the question, if it waits for that, is open again.
    pub(super) fn not_saved(&mut self, why: Option<String>) {
        if let Some(question) = &mut self.question {
            question.saving = false;
            question.problem = why;
        }
    }

    /// A level was written, or not.
    pub(super) fn saved(&mut self, result: Result<(PathBuf, Edition), String>) {
        let (path, edition) = match result {
            Ok(saved) => saved,
            Err(why) => {
                let text = format!("Not saved: {why}");
                self.not_saved(Some(text.clone()));
                return self.notify(NoticeKind::Error, text);
            }
        };
        self.places.remember(&path);
        self.levels = self.places.levels();
        if let Some(play) = self.play.as_mut().filter(|_| edition.level == self.opened) {
            play.is_saved(edition.hash);
            play.path = path.clone();
            self.panels.level.path = path.display().to_string();
        }
        self.notify(NoticeKind::Info, format!("Saved {}", path.display()));
        let is_safe = self.play.as_ref().is_none_or(|play| !play.unsaved);
        match self.question.take() {
            Some(question) if question.saving || is_safe => self.carry_out(question.pending),
            question => self.question = question,
        }
    }

    /// A file dialog for saving, or opening; the question waits for its answer.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.release();
        let window = self.shell.as_ref().map(|s| &*s.window);
        let at = self.play.as_ref().map(|p| p.path.as_path());
        if !self.background.ask(ask, window, at) {
            let text = "A file dialog is open already.";
            self.not_saved(Some(text.into()));
            self.notify(NoticeKind::Warning, text.into());
        }
    }
}
