//! Background work that must not block a frame: file dialogs, disk writes, screenshots. Threads send their outcome
//! back.
use super::clipper::News;
use super::folders::Folders;
use super::level_textures::LevelTextures;
use super::level_version::LevelVersion;
use super::play::Play;
use super::wake::Waker;
use crate::files::{self, write_atomic};
use crate::render::{self, Textures};
use crate::view::Snapshot;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use winit::window::Window;

/// A dialog without an answer for this long may never have appeared.
const DIALOG_HINT_AFTER: Duration = Duration::from_secs(4);
/// A dialog cancelled this fast never appeared.
#[cfg(not(test))]
const DIALOG_UNSEEN: Duration = Duration::from_millis(400);

/// The purpose of a file dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileDialog {
    /// Choose a file to open.
    Open,
    /// Choose a file to save the level of this number to.
    SaveAs(u64),
    /// Choose a file to save the wanted clip to.
    SaveClip,
}

/// The outcome of a thread.
pub enum Outcome {
    /// The dialog's answer.
    Chosen(FileDialog, Option<PathBuf>),
    /// A level was saved, in this version.
    Saved(Result<(PathBuf, LevelVersion), String>),
    /// A changed level was autosaved.
    Autosaved(Result<PathBuf, String>),
    /// A screenshot was written.
    Picture(Result<PathBuf, String>),
    /// A clip was made or not.
    Clip(News),
    /// The textures of the level of this number were read.
    Textures(u64, LevelTextures),
    /// No dialog appeared.
    NoDialog,
}

/// The threads and their channel.
pub struct Background {
    sender: Sender<Outcome>,
    outcomes: Receiver<Outcome>,
    wake: Waker,
    dialog_since: Option<Instant>,
    /// The open dialog, for tests to answer.
    #[cfg(test)]
    shown: Option<(FileDialog, Option<PathBuf>)>,
    /// Threads that write or draw are joined at the end; dialogs are not.
    kept: Vec<JoinHandle<()>>,
}

impl Background {
    /// `wake` is called after each outcome.
    pub fn new(wake: Waker) -> Self {
        let (sender, outcomes) = channel();
        Self {
            sender,
            outcomes,
            wake,
            dialog_since: None,
            #[cfg(test)]
            shown: None,
            kept: Vec::new(),
        }
    }

    fn spawn(&self, work: impl FnOnce() -> Outcome + Send + 'static) -> JoinHandle<()> {
        let (sender, wake) = (self.sender.clone(), self.wake.clone());
        std::thread::spawn(move || {
            let _ = sender.send(work());
            wake();
        })
    }

    /// Opens a file dialog at a file's folder and name; false if one is open already.
    pub fn ask(&mut self, ask: FileDialog, window: Option<&Window>, at: Option<&Path>) -> bool {
        if self.dialog_since.is_some() {
            return false;
        }
        self.dialog_since = Some(Instant::now());
        self.show(ask, window, at);
        true
    }

    /// Creates the dialog on the main thread, as macOS requires; a thread waits for the answer.
    #[cfg(not(test))]
    fn show(&mut self, ask: FileDialog, window: Option<&Window>, at: Option<&Path>) {
        let mut dialog = rfd::AsyncFileDialog::new();
        dialog = match ask {
            FileDialog::Open => dialog
                .set_title("Open a level")
                .add_filter("levels and recordings", &["map", "breach"]),
            FileDialog::SaveAs(_) => dialog
                .set_title("Save the level")
                .add_filter("levels", &["map"]),
            FileDialog::SaveClip => dialog
                .set_title("Save the clip")
                .add_filter("videos", &["mp4"])
                .add_filter("animated GIFs", &["gif"])
                .add_filter("sounds", &["wav"]),
        };
        if let Some(folder) = at
            .and_then(Path::parent)
            .and_then(|p| std::path::absolute(p).ok())
        {
            dialog = dialog.set_directory(folder);
        }
        let name = match ask {
            FileDialog::Open => None,
            FileDialog::SaveAs(_) => at.map(|at| at.with_extension("map")),
            FileDialog::SaveClip => at.map(Path::to_path_buf),
        };
        if let Some(name) = name {
            dialog = dialog.set_file_name(super::loader::file_name(&name));
        }
        if let Some(window) = window {
            dialog = dialog.set_parent(window);
        }
        let since = Instant::now();
        let wait = move |answer: Option<rfd::FileHandle>| match answer {
            Some(file) => Outcome::Chosen(ask, Some(file.path().to_path_buf())),
            None if since.elapsed() < DIALOG_UNSEEN => Outcome::NoDialog,
            None => Outcome::Chosen(ask, None),
        };
        // If the dialog never answers, the thread ends with the program.
        drop(match ask {
            FileDialog::Open => {
                let answer = dialog.pick_file();
                self.spawn(move || wait(pollster::block_on(answer)))
            }
            FileDialog::SaveAs(_) | FileDialog::SaveClip => {
                let answer = dialog.save_file();
                self.spawn(move || wait(pollster::block_on(answer)))
            }
        });
    }

    /// Tests answer dialogs themselves: see [`Background::answer`].
    #[cfg(test)]
    fn show(&mut self, ask: FileDialog, _: Option<&Window>, at: Option<&Path>) {
        self.shown = Some((ask, at.map(Path::to_path_buf)));
    }

    /// Answers the open dialog; returns its purpose and its starting path.
    #[cfg(test)]
    pub fn answer(
        &mut self,
        answer: impl FnOnce(FileDialog) -> Outcome,
    ) -> (FileDialog, Option<PathBuf>) {
        let shown = self.shown.take().expect("a dialog is open");
        let _ = self.sender.send(answer(shown.0));
        shown
    }

    /// A dialog is open.
    pub fn is_asking(&self) -> bool {
        self.dialog_since.is_some()
    }

    /// A dialog has been open so long that it may be invisible.
    pub fn dialog_waits(&self) -> bool {
        self.dialog_since
            .is_some_and(|since| since.elapsed() > DIALOG_HINT_AFTER)
    }

    /// Writes a level; `version` comes back with the outcome.
    pub fn save(&mut self, path: PathBuf, bytes: Vec<u8>, version: LevelVersion) {
        let work = move || match write_atomic(&path, &bytes) {
            Ok(()) => Outcome::Saved(Ok((path, version))),
            Err(why) => Outcome::Saved(Err(files::refused(&path, &why))),
        };
        let writer = self.spawn(work);
        self.keep(writer);
    }

    /// Writes an autosave.
    pub fn autosave(&mut self, path: PathBuf, bytes: Vec<u8>) {
        let work = move || {
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let done = folder.and_then(|()| write_atomic(&path, &bytes));
            let failed = |e| files::refused(&path, &e);
            Outcome::Autosaved(done.map(|()| path.clone()).map_err(failed))
        };
        let writer = self.spawn(work);
        self.keep(writer);
    }

    /// Draws and writes a screenshot with these textures.
    pub fn picture(
        &mut self,
        snapshot: Snapshot,
        size: [u32; 2],
        folders: &Folders,
        textures: Arc<Textures>,
    ) {
        let folder = folders.pictures.clone();
        let writer = self
            .spawn(move || Outcome::Picture(write_picture(&snapshot, size, &folder, &textures)));
        self.keep(writer);
    }

    /// Makes a clip.
    pub fn clip(&mut self, work: impl FnOnce() -> News + Send + 'static) {
        let maker = self.spawn(move || Outcome::Clip(work()));
        self.keep(maker);
    }

    /// Reads the open level's textures from a folder and beside the level; its number comes back with them.
    pub fn find_textures(&mut self, level: u64, play: &Play, folder: &str) {
        let materials = play.sim.world.materials.clone();
        let pictures = play.sim.level.pictures.clone();
        let (origin, folder) = (play.origin.clone(), folder.to_owned());
        let reader = self.spawn(move || {
            let found = LevelTextures::find(&materials, &pictures, origin.path(), folder);
            Outcome::Textures(level, found)
        });
        self.keep(reader);
    }

    /// Joins a thread at the end.
    pub fn keep(&mut self, thread: JoinHandle<()>) {
        self.kept.retain(|kept| !kept.is_finished());
        self.kept.push(thread);
    }

    /// The next outcome, if there is one.
    pub fn poll(&mut self) -> Option<Outcome> {
        let outcome = self.outcomes.try_recv().ok()?;
        if matches!(outcome, Outcome::Chosen(..) | Outcome::NoDialog) {
            self.dialog_since = None;
        }
        Some(outcome)
    }

    /// Joins all threads that write or draw.
    pub fn finish(&mut self) {
        for thread in self.kept.drain(..) {
            let _ = thread.join();
        }
    }
}

fn write_picture(
    snapshot: &Snapshot,
    size: [u32; 2],
    folder: &Path,
    textures: &Arc<Textures>,
) -> Result<PathBuf, String> {
    let mut studio = render::OffscreenRenderer::new(size)?;
    studio.show_textures(textures);
    let rows = studio.picture(snapshot)?;
    let png = render::png(&rows, size)?;
    let path = files::unused(folder, "breach", "png")?;
    write_atomic(&path, &png).map_err(|e| files::refused(&path, &e))?;
    Ok(path)
}
