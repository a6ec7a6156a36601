//! A comparison of two settings on a thread of its own.
use super::wake::Waker;
use crate::compare::{Comparison, compare};
use crate::files::{self, write_atomic};
use crate::render;
use crate::sim::TICK_SECS;
use crate::sim::recording::Recording;
use crate::timing::graph;
use crate::ui::Comparing;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

enum Message {
    Part(f64),
    Done(Box<Result<Comparison, String>>),
}

/// The running comparison, and the last result.
#[derive(Default)]
pub struct Comparer {
    running: Option<Running>,
    done: Option<Comparison>,
}

struct Running {
    part: f64,
    messages: Receiver<Message>,
    stop: Arc<AtomicBool>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Comparer {
    /// Plays a recording under two settings, `passes` times each, on a thread; `wake` is called when there is news.
    pub fn start(&mut self, recording: Recording, typed: [String; 2], passes: u32, wake: Waker) {
        let (sender, messages) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        std::thread::spawn(move || {
            let say = |message| {
                let _ = sender.send(message);
                wake();
            };
            let map = recording
                .level
                .bytes()
                .expect("a timeline has its level inside");
            let mut progress = |part| {
                say(Message::Part(part));
                !stopped.load(Ordering::Relaxed)
            };
            let typed = [typed[0].as_str(), typed[1].as_str()];
            let found = compare(&recording, &map, typed, passes, &mut progress);
            say(Message::Done(Box::new(found)));
        });
        self.running = Some(Running {
            part: 0.0,
            messages,
            stop,
        });
    }

    /// Stops the running comparison; the last result stays.
    pub fn stop(&mut self) {
        self.running = None;
    }

    /// The last result.
    pub fn done(&self) -> Option<&Comparison> {
        self.done.as_ref()
    }

    /// The state for the panel.
    pub fn state(&self) -> Comparing<'_> {
        match (&self.running, &self.done) {
            (Some(running), _) => Comparing::Running(running.part),
            (None, Some(done)) => Comparing::Done(done),
            (None, None) => Comparing::No,
        }
    }

    /// A comparison is running.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Drops both: their recording is no longer open.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes in news from the thread; the error is why the comparison failed.
    pub fn poll(&mut self) -> Result<(), String> {
        while let Some(running) = &mut self.running {
            match running.messages.try_recv() {
                Ok(Message::Part(part)) => running.part = part,
                Ok(Message::Done(result)) => {
                    self.running = None;
                    self.done = Some((*result)?);
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.running = None;
                    return Err("it stopped on an internal error in Breach".into());
                }
            }
        }
        Ok(())
    }
}

pub(super) fn write(found: &Comparison, folder: &Path, picture: bool) -> Result<PathBuf, String> {
    let ending = if picture { "png" } else { "csv" };
    let path = files::unused(folder, "comparison", ending)?;
    let bytes = match picture {
        true => {
            let (pixels, size) = graph::comparison(&found.curves, TICK_SECS, &found.text());
            render::png(&pixels, size)?
        }
        false => found.csv().into_bytes(),
    };
    write_atomic(&path, &bytes).map_err(|e| files::refused(&path, &e))?;
    Ok(path)
}
