//! Questions before something is lost: unsaved changes, or a file that a level would be saved over.
use super::background::Ask;
use super::{App, Edition, loader};
use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::ui::{NoticeKind, UiAction, UnsavedShown};
use std::path::PathBuf;

/// What would lose unsaved changes.
pub enum Pending {
    /// Another level takes the place of the open one.
    Open(Origin),
    /// A scene takes its place.
    Example(&'static Scene),
    /// A level that is whole takes the place of one that was changed while it was opened.
    Begin(Box<loader::Loaded>),
    /// The program ends.
    Quit,
}

impl Pending {
    /// In words, after "to".
    fn words(&self) -> String {
        let origin = match self {
            Pending::Open(origin) => origin,
            Pending::Begin(loaded) => &loaded.origin,
            Pending::Example(scene) => {
                return format!("open the example \u{201c}{}\u{201d}", scene.name);
            }
            Pending::Quit => return "quit".into(),
        };
        format!("open {}", origin.title())
    }
}

/// The question that is open. About unsaved changes it stays until they are saved, given up or kept.
pub struct Question {
    /// What would lose unsaved changes; None where nothing is asked about but the file.
    pub pending: Option<Pending>,
    /// A file that is there, and is not the one that is open: whether the level is to be saved over it. Asked first.
    pub replace: Option<PathBuf>,
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
            replace: self.replace.as_deref(),
            saving: self.saving,
            problem: self.problem.as_deref(),
        }
    }
}

impl App {
    /// Does what would lose unsaved changes, or asks first.
    pub(super) fn request(&mut self, pending: Pending) {
        let is_unsaved = self.play.as_ref().is_some_and(|play| play.unsaved);
        // From an example to the next one it takes a click: what was shot there is in its recording.
        let is_toy = matches!(pending, Pending::Example(_)) && self.is_as_staged();
        if is_unsaved && !is_toy {
            self.release();
            self.question = Some(Question {
                words: pending.words(),
                pending: Some(pending),
                replace: None,
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
            Pending::Example(scene) => self.open_scene(scene),
            Pending::Quit => self.quit = true,
        }
    }

    /// Whether a file is to be replaced that is there. What waits for the save goes on waiting.
    pub(super) fn ask_to_replace(&mut self, path: PathBuf) {
        self.release();
        let question = self.question.take().unwrap_or(Question {
            pending: None,
            replace: None,
            saving: false,
            problem: None,
            words: String::new(),
        });
        self.question = Some(Question {
            replace: Some(path),
            saving: false,
            ..question
        });
    }

    /// Save first (true), go on without saving (false), or stay (None). Of a file: replace it (true), or not.
    pub(super) fn answer(&mut self, save: Option<bool>) {
        let Some(mut question) = self.question.take() else {
            return;
        };
        match (save, question.replace.take()) {
            (Some(true), Some(path)) => {
                question.saving = true;
                self.question = question.pending.is_some().then_some(question);
                self.save(path, true);
            }
            // Back to the question about the changes, if that is where this one came from.
            (_, Some(_)) => self.question = question.pending.is_some().then_some(question),
            (Some(true), None) => {
                (question.saving, question.problem) = (true, None);
                self.question = Some(question);
                self.act(UiAction::Save);
            }
            (Some(false), None) => {
                if let Some(pending) = question.pending {
                    self.carry_out(pending);
                }
            }
            (None, None) => {}
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
            let origin = Origin::File(path.clone());
            play.is_saved(edition.hash);
            // A branch may have begun before it meanwhile.
            let tick = self.saving_tick.min(play.timeline.ticks());
            play.marks.note_save(tick, &loader::file_name(&path));
            play.origin = origin.clone();
            self.came_from(&origin);
        }
        self.notify(NoticeKind::Info, format!("Saved {}", path.display()));
        let is_safe = self.play.as_ref().is_none_or(|play| !play.unsaved);
        if self.question.as_ref().is_some_and(|q| q.saving || is_safe)
            && let Some(pending) = self.question.take().and_then(|question| question.pending)
        {
            self.carry_out(pending);
        }
    }

    /// A file dialog for saving, or opening; the question waits for its answer.
    pub(super) fn ask(&mut self, ask: Ask) {
        self.release();
        let window = self.shell.as_ref().map(|s| &*s.window);
        let at = self.play.as_ref().map(|p| self.places.proposed(&p.origin));
        if !self.background.ask(ask, window, at.as_deref()) {
            let text = "A file dialog is already open.";
            self.not_saved(Some(text.into()));
            self.notify(NoticeKind::Warning, text.into());
        }
    }
}
