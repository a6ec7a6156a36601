//! A comparison of two settings on a thread of its own.
use super::App;
use crate::compare::{Comparison, compare};
use crate::files::{self, write_atomic};
use crate::render;
use crate::sim::TICK_SECS;
use crate::timing::graph;
use crate::ui::{CompareAction, Comparing, NoticeKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

enum Message {
    Part(f64),
    Done(Box<Result<Comparison, String>>),
}

/// The comparison that runs, and the last that is done.
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
    /// For the panel.
    pub fn shown(&self) -> Comparing<'_> {
        match (&self.running, &self.done) {
            (Some(running), _) => Comparing::Running(running.part),
            (None, Some(done)) => Comparing::Done(done),
            (None, None) => Comparing::No,
        }
    }

    /// One is under way.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// What is done, and what runs, is of a recording that is no longer open.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// News; the error is why there is no comparison.
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

impl App {
    /// What the comparison's window asks for.
    pub(super) fn compare(&mut self, action: CompareAction) {
        match action {
            CompareAction::Start(typed, passes) => self.start_comparing(typed, passes),
            CompareAction::Stop => self.comparer.running = None,
            CompareAction::Write { picture } => {
                let Some(found) = &self.comparer.done else {
                    return;
                };
                match write(found, &self.places.data.join("timings"), picture) {
                    Ok(path) => {
                        self.notify(NoticeKind::Info, format!("Comparison: {}", path.display()))
                    }
                    Err(why) => {
                        self.notify(NoticeKind::Error, format!("Comparison not saved: {why}"))
                    }
                }
            }
        }
    }

    fn start_comparing(&mut self, typed: [String; 2], passes: u32) {
        let Some(play) = &self.play else { return };
        let recording = play.timeline.recording().clone();
        let (sender, messages) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (wake, stopped) = (self.wake.clone(), stop.clone());
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
        self.comparer.running = Some(Running {
            part: 0.0,
            messages,
            stop,
        });
    }
}

fn write(found: &Comparison, folder: &Path, picture: bool) -> Result<PathBuf, String> {
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
