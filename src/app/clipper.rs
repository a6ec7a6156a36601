//! A clip of the recording, made on a thread of its own from copies, so that play goes on meanwhile.
use crate::clip::{self, Order, Refused};
use crate::files;
use crate::render::Textures;
use crate::sim::Sim;
use crate::sim::recording::Recording;
use crate::sound_folder;
use crate::timing::Recorder;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A clip that was asked for and waits for the name of its file.
pub struct WantedClip {
    /// A state at or before the first tick.
    pub start: Box<Sim>,
    /// The recording as it was when the clip was asked for.
    pub recording: Recording,
    /// The first and the last tick.
    pub ticks: RangeInclusive<u64>,
    /// The level's textures.
    pub textures: Arc<Textures>,
    /// The folder of files in the place of sounds; empty: none.
    pub sounds: String,
    /// Where it is saved unless another name is chosen.
    pub proposed: PathBuf,
}

/// A clip that is being made.
pub struct RunningClip {
    /// Its file.
    pub path: PathBuf,
    ticks: RangeInclusive<u64>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    tick: AtomicU64,
    cancelled: AtomicBool,
}

impl RunningClip {
    /// The fraction done, 0..=1.
    pub fn part(&self) -> f64 {
        let [first, last] = [*self.ticks.start(), *self.ticks.end()];
        let done = self.shared.tick.load(Ordering::Relaxed).max(first) - first;
        done as f64 / (last - first).max(1) as f64
    }

    /// Ends it at the next tick, without a file.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Its thread has ended, by a fault if it has not said how.
    pub fn is_over(&self) -> bool {
        Arc::strong_count(&self.shared) == 1
    }
}

/// What came of it: the file, or why there is none; `None` where it was cancelled.
pub type Made = Option<Result<PathBuf, String>>;

/// What came of a clip, on its way from its thread. While it is, the clip is not over.
pub struct News {
    /// What is told.
    pub made: Made,
    _shared: Arc<Shared>,
}

/// The clip and the work that makes it, for a thread.
pub fn begin(wanted: WantedClip, mut order: Order) -> (RunningClip, impl FnOnce() -> News + Send) {
    let shared = Arc::new(Shared::default());
    let running = RunningClip {
        path: order.path.clone(),
        ticks: order.ticks.clone(),
        shared: shared.clone(),
    };
    let work = move || {
        let WantedClip {
            mut start,
            recording,
            sounds,
            ..
        } = wanted;
        // What cannot be used of the folder has been said already.
        if !sounds.is_empty()
            && let Ok((found, _)) = sound_folder::read(Path::new(&sounds))
        {
            order.sounds = found;
        }
        let made = clip::make(
            &mut start,
            &recording,
            &order,
            &mut Recorder::new(),
            &mut |tick, _| {
                shared.tick.store(tick, Ordering::Relaxed);
                !shared.cancelled.load(Ordering::Relaxed)
            },
        );
        let made = match made {
            Ok(()) => Some(Ok(order.path)),
            Err(Refused::Cancelled) => None,
            Err(Refused::File(error)) => Some(Err(files::refused(&order.path, &error))),
            Err(Refused::Drawing(why)) => Some(Err(why)),
        };
        News {
            made,
            _shared: shared,
        }
    };
    (running, work)
}
