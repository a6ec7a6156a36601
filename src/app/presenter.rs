//! Hands pictures to the screen on a thread of its own: where a processor plays the graphics card that waits until it has drawn
//! them, and meanwhile ticks and input go on.
use super::Waker;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// What is on the way to the screen.
#[derive(Default)]
struct State {
    is_busy: bool,
    /// From the beginning of the newest picture until it was shown, milliseconds.
    ms: Option<f64>,
}

/// One picture at a time.
pub struct Presenter {
    pictures: Option<Sender<(wgpu::SurfaceTexture, Instant)>>,
    state: Arc<(Mutex<State>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Presenter {
    /// `presented` is called after each picture.
    pub fn new(queue: wgpu::Queue, presented: Waker) -> Self {
        let (pictures, shown) = channel::<(wgpu::SurfaceTexture, Instant)>();
        let state: Arc<(Mutex<State>, Condvar)> = Arc::default();
        let own = state.clone();
        let work = move || {
            for (picture, began) in shown {
                queue.present(picture);
                let (state, done) = &*own;
                *locked(state) = State {
                    is_busy: false,
                    ms: Some(began.elapsed().as_secs_f64() * 1e3),
                };
                done.notify_all();
                presented();
            }
        };
        Self {
            pictures: Some(pictures),
            state,
            thread: Some(std::thread::spawn(work)),
        }
    }

    /// Shows a picture that was begun then. There is none on the way.
    pub fn present(&self, picture: wgpu::SurfaceTexture, began: Instant) {
        locked(&self.state.0).is_busy = true;
        let sent = (self.pictures.as_ref()).is_some_and(|p| p.send((picture, began)).is_ok());
        if !sent {
            locked(&self.state.0).is_busy = false;
        }
    }

    /// A picture is on the way.
    pub fn is_busy(&self) -> bool {
        locked(&self.state.0).is_busy
    }

    /// Until none is on the way.
    pub fn wait(&self) {
        let (state, done) = &*self.state;
        let waited = done.wait_while(locked(state), |state| state.is_busy);
        drop(waited);
    }

    /// How long the newest picture took, once.
    pub fn take_ms(&self) -> Option<f64> {
        locked(&self.state.0).ms.take()
    }
}

impl Drop for Presenter {
    fn drop(&mut self) {
        self.pictures = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has told so already.
            let _ = thread.join();
        }
    }
}
