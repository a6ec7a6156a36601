//! Asks before something is lost, and acts on the answer.
use super::App;
use crate::app::background::FileDialog;
use crate::app::confirmation::{PendingConfirmation, Request};
use crate::app::level_version::LevelVersion;
use crate::app::loader;
use crate::builtin::Origin;
use crate::ui::{Answer, NoticeKind, UiCommand};
use std::path::PathBuf;

impl App {
    /// Whether a dialog waits for an answer: nothing changes behind it.
    pub(in crate::app) fn is_asking(&self) -> bool {
        self.confirmation.is_some() || self.recover.is_some()
    }

    /// Carries out a request that would lose unsaved changes, or asks first.
    pub(in crate::app) fn request(&mut self, request: Request) {
        let is_unsaved = self.play.as_ref().is_some_and(|play| play.unsaved);
        // Between examples nothing is asked: the changes are in the recording.
        let is_toy = matches!(request, Request::Example(_)) && self.is_as_staged();
        if is_unsaved && !is_toy {
            self.release();
            self.confirmation = Some(PendingConfirmation {
                words: request.words(),
                request: Some(request),
                replace: None,
                saving: false,
                problem: None,
            });
        } else {
            self.confirmation = None;
            self.carry_out(request);
        }
    }

    fn carry_out(&mut self, request: Request) {
        match request {
            Request::Open(path) => self.open(path),
            Request::Begin(loaded) => self.begin(*loaded),
            Request::Example(scene) => self.open_scene(scene),
            Request::Quit => self.quit = true,
        }
    }

    /// Asks whether to replace an existing file. A request that waits for the save goes on waiting.
    pub(in crate::app) fn ask_to_replace(&mut self, path: PathBuf) {
        self.release();
        let confirmation = self.confirmation.take().unwrap_or(PendingConfirmation {
            request: None,
            replace: None,
            saving: false,
            problem: None,
            words: String::new(),
        });
        self.confirmation = Some(PendingConfirmation {
            replace: Some(path),
            saving: false,
            ..confirmation
        });
    }

    /// Carries out the answer to the pending confirmation.
    pub(in crate::app) fn answer(&mut self, answer: Answer) {
        let Some(mut confirmation) = self.confirmation.take() else {
            return;
        };
        match (answer, confirmation.replace.take()) {
            (Answer::Save, Some(path)) => {
                confirmation.saving = true;
                self.confirmation = confirmation.request.is_some().then_some(confirmation);
                self.save(path, true);
            }
            // Back to the confirmation about the changes, if this one came from there.
            (Answer::Discard | Answer::Cancel, Some(_)) => {
                self.confirmation = confirmation.request.is_some().then_some(confirmation)
            }
            (Answer::Save, None) => {
                (confirmation.saving, confirmation.problem) = (true, None);
                self.confirmation = Some(confirmation);
                self.act(UiCommand::Save);
            }
            (Answer::Discard, None) => {
                if let Some(request) = confirmation.request {
                    self.carry_out(request);
                }
            }
            (Answer::Cancel, None) => {}
        }
    }

    /// Saving failed; a confirmation that waits for it is open again.
    pub(in crate::app) fn not_saved(&mut self, why: Option<String>) {
        if let Some(confirmation) = &mut self.confirmation {
            confirmation.saving = false;
            confirmation.problem = why;
        }
    }

    /// Takes in the result of saving a level.
    pub(in crate::app) fn saved(&mut self, result: Result<(PathBuf, LevelVersion), String>) {
        let (path, version) = match result {
            Ok(saved) => saved,
            Err(why) => {
                let text = format!("Not saved: {why}");
                self.not_saved(Some(text.clone()));
                return self.notify(NoticeKind::Error, text);
            }
        };
        self.folders.remember(&path);
        self.levels = self.folders.levels();
        if let Some(play) = self.play.as_mut().filter(|_| version.level == self.opened) {
            let origin = Origin::File(path.clone());
            play.is_saved(version.hash, self.saving.operations);
            // A branch may have begun before that tick meanwhile.
            let tick = self.saving.tick.min(play.timeline.ticks());
            play.marks.note_save(tick, &loader::file_name(&path));
            play.origin = origin.clone();
            self.came_from(&origin);
            if self.watch.as_ref().is_none_or(|watch| !watch.is_of(&path)) {
                self.watch_file(self.saving.contents);
            }
        }
        self.notify(NoticeKind::Info, format!("Saved {}", path.display()));
        let is_safe = self.play.as_ref().is_none_or(|play| !play.unsaved);
        if self
            .confirmation
            .as_ref()
            .is_some_and(|q| q.saving || is_safe)
            && let Some(request) = self
                .confirmation
                .take()
                .and_then(|confirmation| confirmation.request)
        {
            self.carry_out(request);
        }
    }

    /// Opens a file dialog; a pending confirmation waits for its answer.
    pub(in crate::app) fn ask(&mut self, ask: FileDialog) {
        self.release();
        let window = self.shell.as_ref().map(|s| &*s.window);
        let at = match ask {
            FileDialog::Open | FileDialog::SaveAs(_) => {
                self.play.as_ref().map(|p| self.folders.proposed(&p.origin))
            }
            FileDialog::SaveClip => self.clip_wanted.as_ref().map(|clip| clip.proposed.clone()),
        };
        if !self.background.ask(ask, window, at.as_deref()) {
            let text = "A file dialog is already open.";
            self.not_saved(Some(text.into()));
            self.notify(NoticeKind::Warning, text.into());
        }
    }
}
