//! Watches the file of the open level: what an editor saves is shown.
use super::wake::Waker;
use crate::geom::hash::Hash64;
use crate::level;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// Interval between looks at the file. Asking for its time and size costs microseconds, works on every disk, and finds files
/// that are replaced as well as those that are written in place.
const LOOK: Duration = Duration::from_millis(40);
/// How long a file may be gone or unreadable as a level while it is being saved.
const PATIENCE: Duration = Duration::from_secs(1);

/// What happened to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileNews {
    /// Its contents have changed and are at rest.
    Changed,
    /// Its contents have changed and cannot be read as a level.
    Broken,
    /// It was deleted or moved away.
    Gone,
    /// It is there again, with the contents that are open.
    Restored,
}

/// A watched file. The thread ends when this is dropped.
pub struct LevelWatch {
    path: PathBuf,
    known: Arc<AtomicU64>,
    news: Receiver<FileNews>,
    is_over: Arc<AtomicBool>,
}

/// Hash of a file's contents.
pub fn contents_hash(bytes: &[u8]) -> u64 {
    let mut hash = Hash64::new();
    hash.bytes(bytes);
    hash.finish()
}

impl LevelWatch {
    /// Watches a file whose contents of this hash are open; `wake` is called when there is news.
    pub fn start(path: PathBuf, contents: u64, wake: Waker) -> Self {
        let (sender, news) = channel();
        let known = Arc::new(AtomicU64::new(contents));
        let is_over = Arc::new(AtomicBool::new(false));
        let watcher = Watcher {
            path: path.clone(),
            known: known.clone(),
            is_over: is_over.clone(),
            sender,
            wake,
        };
        std::thread::spawn(move || watcher.run());
        Self {
            path,
            known,
            news,
            is_over,
        }
    }

    /// Whether it watches this file.
    pub fn is_of(&self, path: &Path) -> bool {
        self.path == path
    }

    /// The program itself is about to write contents of this hash.
    pub fn expect(&self, contents: u64) {
        self.known.store(contents, Ordering::Relaxed);
    }

    /// What has happened since it was asked last.
    pub fn poll(&self) -> Option<FileNews> {
        self.news.try_iter().last()
    }
}

impl Drop for LevelWatch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

struct Watcher {
    path: PathBuf,
    /// Hash of the contents that are open, or that the program writes.
    known: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    sender: Sender<FileNews>,
    wake: Waker,
}

impl Watcher {
    fn run(&self) {
        let mut seen = stamp(&self.path);
        // It may have changed between the reading of the level and here.
        let mut changed = Some(Instant::now());
        let mut is_broken = false;
        // Whether the last news was that the file is broken or gone.
        let mut differs = false;
        while !self.is_over.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
            let now = stamp(&self.path);
            if now != seen {
                (seen, changed, is_broken) = (now, Some(Instant::now()), false);
                continue;
            }
            let Some(since) = changed else { continue };
            let is_late = since.elapsed() >= PATIENCE;
            if now.is_none() || is_broken {
                // Some editors delete a file before they write it again; others write it piece by piece.
                if is_late {
                    changed = None;
                    differs = true;
                    self.tell(if now.is_none() {
                        FileNews::Gone
                    } else {
                        FileNews::Broken
                    });
                }
                continue;
            }
            let Ok(bytes) = std::fs::read(&self.path) else {
                is_broken = true;
                continue;
            };
            let contents = contents_hash(&bytes);
            if contents == self.known.load(Ordering::Relaxed) {
                changed = None;
                if std::mem::take(&mut differs) {
                    self.tell(FileNews::Restored);
                }
                continue;
            }
            is_broken = level::read_map(&bytes).is_err();
            if !is_broken {
                changed = None;
                differs = false;
                self.known.store(contents, Ordering::Relaxed);
                self.tell(FileNews::Changed);
            }
        }
    }

    fn tell(&self, news: FileNews) {
        // The receiver is gone once another level is open.
        if self.sender.send(news).is_ok() {
            (self.wake)();
        }
    }
}

/// Time of the last change, and size.
fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let file = std::fs::metadata(path).ok()?;
    Some((file.modified().ok()?, file.len()))
}
