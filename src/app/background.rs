//! What must not hold up a frame: file dialogs, writing to the disk, pictures. Threads that send their outcome back.
use super::pictured::Pictured;
use super::places::Places;
use super::play::Play;
use super::{Edition, Waker};
use crate::files::{self, write_atomic};
use crate::render::{self, Textures};
use crate::view::Snapshot;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use winit::window::Window;

/// A dialog that has not answered for so long may never have appeared.
const DIALOG_HINT_AFTER: Duration = Duration::from_secs(4);
/// A dialog that says "nothing" this fast was never seen.
#[cfg(not(test))]
const DIALOG_UNSEEN: Duration = Duration::from_millis(400);

/// What a dialog is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A file to open.
    Open,
    /// A file to save the level of that number to.
    SaveAs(u64),
}

/// What a thread came back with.
pub enum Outcome {
    /// The dialog's answer.
    Chosen(Ask, Option<PathBuf>),
    /// A level was saved, as it was then.
    Saved(Result<(PathBuf, Edition), String>),
    /// A changed level was written aside.
    Autosaved(Result<PathBuf, String>),
    /// A picture was written.
    Picture(Result<PathBuf, String>),
    /// Pictures of the textures of the level of that number were read.
    Textures(u64, Pictured),
    /// No dialog appeared.
    NoDialog,
}

/// The threads and their channel.
pub struct Background {
    sender: Sender<Outcome>,
    outcomes: Receiver<Outcome>,
    wake: Waker,
    dialog_since: Option<Instant>,
    /// The dialog that a test shall answer.
    #[cfg(test)]
    shown: Option<(Ask, Option<PathBuf>)>,
    /// Who writes or draws is waited for at the end; a dialog is not.
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

    /// Opens a file dialog, at a file's folder and name; false where one is open.
    pub fn ask(&mut self, ask: Ask, window: Option<&Window>, at: Option<&Path>) -> bool {
        if self.dialog_since.is_some() {
            return false;
        }
        self.dialog_since = Some(Instant::now());
        self.show(ask, window, at);
        true
    }

    /// The dialog is made here, on the main thread, as macOS wants it, and waited for elsewhere.
    #[cfg(not(test))]
    fn show(&mut self, ask: Ask, window: Option<&Window>, at: Option<&Path>) {
        let mut dialog = rfd::AsyncFileDialog::new();
        dialog = match ask {
            Ask::Open => dialog
                .set_title("Open a level")
                .add_filter("levels and recordings", &["map", "breach"]),
            Ask::SaveAs(_) => dialog
                .set_title("Save the level")
                .add_filter("levels", &["map"]),
        };
        if let Some(folder) = at
            .and_then(Path::parent)
            .and_then(|p| std::path::absolute(p).ok())
        {
            dialog = dialog.set_directory(folder);
        }
        if let (Ask::SaveAs(_), Some(at)) = (ask, at) {
            dialog = dialog.set_file_name(super::loader::file_name(&at.with_extension("map")));
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
        // The thread ends with the program if the dialog never answers.
        drop(match ask {
            Ask::Open => {
                let answer = dialog.pick_file();
                self.spawn(move || wait(pollster::block_on(answer)))
            }
            Ask::SaveAs(_) => {
                let answer = dialog.save_file();
                self.spawn(move || wait(pollster::block_on(answer)))
            }
        });
    }

    /// Tests are their own dialogs: see [`Background::answer`].
    #[cfg(test)]
    fn show(&mut self, ask: Ask, _: Option<&Window>, at: Option<&Path>) {
        self.shown = Some((ask, at.map(Path::to_path_buf)));
    }

    /// What the dialog that is open is for, and where it began; this is its answer.
    #[cfg(test)]
    pub fn answer(&mut self, answer: impl FnOnce(Ask) -> Outcome) -> (Ask, Option<PathBuf>) {
        let shown = self.shown.take().expect("a dialog is open");
        let _ = self.sender.send(answer(shown.0));
        shown
    }

    /// A dialog is open.
    pub fn is_asking(&self) -> bool {
        self.dialog_since.is_some()
    }

    /// A dialog has been open for long enough that it may be invisible.
    pub fn dialog_waits(&self) -> bool {
        self.dialog_since
            .is_some_and(|since| since.elapsed() > DIALOG_HINT_AFTER)
    }

    /// Writes a level; `edition` comes back with the outcome.
    pub fn save(&mut self, path: PathBuf, bytes: Vec<u8>, edition: Edition) {
        let work = move || match write_atomic(&path, &bytes) {
            Ok(()) => Outcome::Saved(Ok((path, edition))),
            Err(why) => Outcome::Saved(Err(files::refused(&path, &why))),
        };
        let writer = self.spawn(work);
        self.keep(writer);
    }

    /// Writes a changed level aside.
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

    /// Draws and writes a picture of this moment, with these pictures of the level's textures.
    pub fn picture(
        &mut self,
        snapshot: Snapshot,
        size: [u32; 2],
        places: &Places,
        textures: Arc<Textures>,
    ) {
        let folder = places.pictures.clone();
        let writer = self
            .spawn(move || Outcome::Picture(write_picture(&snapshot, size, &folder, &textures)));
        self.keep(writer);
    }

    /// Looks for the textures of the open level, whose number comes back with them, in a folder and beside the level.
    pub fn find_textures(&mut self, level: u64, play: &Play, folder: &str) {
        let materials = play.sim.world.materials.clone();
        let pictures = play.sim.level.pictures.clone();
        let (origin, folder) = (play.origin.clone(), folder.to_owned());
        let reader = self.spawn(move || {
            let found = Pictured::find(&materials, &pictures, origin.path(), folder);
            Outcome::Textures(level, found)
        });
        self.keep(reader);
    }

    /// Has a thread waited for at the end.
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

    /// Waits for what is being written and drawn.
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
