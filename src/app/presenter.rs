//! Presents frames on a thread. With software rendering, presenting blocks until the frame is drawn; ticks and input go
//! on meanwhile.
use super::wake::Waker;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// The state of presenting.
#[derive(Default)]
struct State {
    is_busy: bool,
    /// Time from the start of the newest frame until it was presented, milliseconds.
    ms: Option<f64>,
}

/// Presents one frame at a time.
pub struct Presenter {
    pictures: Option<Sender<(wgpu::SurfaceTexture, Instant)>>,
    state: Arc<(Mutex<State>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Presenter {
    /// `presented` is called after each frame.
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

    /// Presents a frame that was started at `began`. No other may be in progress.
    pub fn present(&self, picture: wgpu::SurfaceTexture, began: Instant) {
        locked(&self.state.0).is_busy = true;
        let sent = (self.pictures.as_ref()).is_some_and(|p| p.send((picture, began)).is_ok());
        if !sent {
            locked(&self.state.0).is_busy = false;
        }
    }

    /// A frame is being presented.
    pub fn is_busy(&self) -> bool {
        locked(&self.state.0).is_busy
    }

    /// Waits until no frame is being presented.
    pub fn wait(&self) {
        let (state, done) = &*self.state;
        let waited = done.wait_while(locked(state), |state| state.is_busy);
        drop(waited);
    }

    /// The time of the newest frame, once.
    pub fn take_ms(&self) -> Option<f64> {
        locked(&self.state.0).ms.take()
    }
}

impl Drop for Presenter {
    fn drop(&mut self) {
        self.pictures = None;
        if let Some(thread) = self.thread.take() {
            // A panic was reported already.
            let _ = thread.join();
        }
    }
}
