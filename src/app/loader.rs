//! Opening a level on a thread of its own: the old one stays in play until the new one is whole.
use crate::level;
use crate::sim::{Settings, Sim};
use crate::timing::{Marker, Silent, Stage};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The seed of a level that is opened in the window.
const SEED: u64 = 1;
/// A file larger than this is no level; it is not read into memory.
const BYTES_MAX: u64 = 1 << 30;

/// A level that is whole and ready to play.
pub struct Loaded {
    /// What was opened.
    pub path: PathBuf,
    /// The simulation, at its first tick or where the recording ended.
    pub sim: Box<Sim>,
    /// How the level's recording starts; see [`super::journal`].
    pub start: super::journal::Start,
    /// Milliseconds from pressing Open to here.
    pub ms: f64,
    /// Faces and triangles of each room.
    pub sizes: Vec<(u32, u32)>,
}

enum Message {
    Progress(String),
    Done(Box<Result<Loaded, String>>),
}

/// A level on its way.
pub struct Loading {
    /// What it does now, for the panel.
    pub progress: String,
    messages: Receiver<Message>,
}

impl Loading {
    /// Starts reading. `wake` is called whenever there is news.
    pub fn start(path: PathBuf, settings: Settings, wake: impl Fn() + Send + 'static) -> Self {
        let (sender, messages) = channel();
        let progress = format!("Reading {}", file_name(&path));
        std::thread::spawn(move || {
            let say = |message| {
                // The receiver is gone when another level was asked for meanwhile.
                let _ = sender.send(message);
                wake();
            };
            // A fault in one level must not take the open one with it.
            let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                open(&path, settings, &sender, &wake)
            }));
            let opened = opened.unwrap_or_else(|_| {
                Err(format!(
                    "{}: loading failed (a fault in Breach)",
                    path.display()
                ))
            });
            say(Message::Done(Box::new(opened)));
        });
        Self { progress, messages }
    }

    /// News: the finished level or why it was refused, once.
    pub fn poll(&mut self) -> Option<Result<Loaded, String>> {
        loop {
            match self.messages.try_recv() {
                Ok(Message::Progress(text)) => self.progress = text,
                Ok(Message::Done(result)) => return Some(*result),
                Err(std::sync::mpsc::TryRecvError::Empty) => return None,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                    return Some(Err("loading stopped".into()));
                }
            }
        }
    }
}

/// A marker that turns the stages of building a level into progress.
struct Progress<'a> {
    name: String,
    stage: Option<Stage>,
    sender: &'a Sender<Message>,
    wake: &'a dyn Fn(),
}

impl Progress<'_> {
    fn say(&self, what: &str) {
        let _ = self
            .sender
            .send(Message::Progress(format!("{}: {what}", self.name)));
        (self.wake)();
    }
}

impl Marker for Progress<'_> {
    fn begin(&mut self, stage: Stage) {
        if self.stage != Some(stage) {
            self.stage = Some(stage);
            self.say(match stage {
                Stage::Bins => "building box trees",
                Stage::Portals => "finding portals",
                Stage::Islands => "finding rock",
                Stage::Merge | Stage::Conform => "joining faces",
                _ => "cutting brushes",
            });
        }
    }
    fn end(&mut self, _: Stage) {}
}

fn open(
    path: &Path,
    settings: Settings,
    sender: &Sender<Message>,
    wake: &dyn Fn(),
) -> Result<Loaded, String> {
    let started = std::time::Instant::now();
    let mut progress = Progress {
        name: file_name(path),
        stage: None,
        sender,
        wake,
    };
    progress.say("reading");
    let bytes = read(path)?;
    let (sim, start) = if path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("breach"))
    {
        progress.say("reading the recording");
        let (name, told) = (progress.name.clone(), sender.clone());
        let mut part = |done: f64| {
            let _ = told.send(Message::Progress(format!(
                "{name}: playing, {:.0} %",
                done * 100.0
            )));
            wake();
        };
        super::journal::resume(path, &bytes, &mut Silent, &mut part)?
    } else {
        let desc = level::read_map(&bytes).map_err(|e| match e.line {
            0 => format!("{}: {}", path.display(), e.text),
            _ => format!("{}:{e}", path.display()),
        })?;
        let start = super::journal::Start::fresh(&bytes, SEED, &settings)?;
        let sim = Sim::new(desc, SEED, settings, &mut progress)
            .map_err(|e| format!("{}: {e}", path.display()))?;
        (sim, start)
    };
    let sizes = (0..sim.world.room_count())
        .map(|id| {
            let room = sim.world.room(id as u32);
            (room.face_count, room.triangle_count)
        })
        .collect();
    let ms = started.elapsed().as_secs_f64() * 1e3;
    Ok(Loaded {
        path: path.to_path_buf(),
        sim: Box::new(sim),
        start,
        ms,
        sizes,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let meta = std::fs::metadata(path).map_err(failed)?;
    if !meta.is_file() {
        return Err(format!("{}: is not a file", path.display()));
    }
    if meta.len() > BYTES_MAX {
        return Err(format!("{}: is too large for a level", path.display()));
    }
    std::fs::read(path).map_err(failed)
}

/// The last part of a path, for people.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(path: &Path) -> Result<Loaded, String> {
        let mut loading = Loading::start(path.to_path_buf(), Settings::default(), || {});
        loop {
            if let Some(result) = loading.poll() {
                return result;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    #[test]
    fn what_cannot_be_opened_is_refused_with_its_name() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let noise = folder.path().join("noise.map");
        std::fs::write(&noise, b"{ \"classname").expect("write");
        for path in [
            folder.path().join("missing.map"),
            folder.path().to_path_buf(),
            noise,
        ] {
            let error = load(&path).err().expect("refused");
            assert!(error.starts_with(&path.display().to_string()), "{error}");
        }
    }
}
