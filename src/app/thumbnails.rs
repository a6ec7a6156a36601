//! Thumbnails of changes, drawn on a thread from snapshots taken right after each change.
use crate::render::{OffscreenRenderer, Textures};
use crate::sim::{Sim, StepReport};
use crate::ui::CHANGE_PICTURE;
use crate::view::{self, Camera, Overlays, Snapshot};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// Maximum number of waiting snapshots; the oldest are dropped.
const WAITING: usize = 48;
/// Vertical field of view, radians.
const FOV_Y: f64 = 1.2;

/// A change, and the snapshot to draw.
pub struct ThumbnailRequest {
    change: u64,
    snapshot: Box<Snapshot>,
}

#[cfg(test)]
impl ThumbnailRequest {
    /// The number of the change.
    pub fn change(&self) -> u64 {
        self.change
    }
}

/// A drawn thumbnail.
struct Drawn {
    change: u64,
    number: u64,
    picture: Arc<egui::ColorImage>,
}

/// The queue between the program and the thread.
#[derive(Default)]
struct Queue {
    /// Each with its number.
    waiting: VecDeque<(u64, ThumbnailRequest)>,
    /// The level's textures.
    textures: Arc<Textures>,
    /// Drawing waits: the list is hidden, and drawing would slow the view down.
    is_held: bool,
    is_closed: bool,
}

/// The thumbnails of the open level.
pub struct Thumbnails {
    /// By the number of the change. A branch reuses those, so the number of the request is kept beside it.
    pictures: BTreeMap<u64, (u64, Option<Arc<egui::ColorImage>>)>,
    /// Number of the last request.
    last: u64,
    drawn: Receiver<Drawn>,
    sender: Sender<Drawn>,
    queue: Arc<(Mutex<Queue>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Default for Thumbnails {
    fn default() -> Self {
        let (sender, drawn) = channel();
        Self {
            pictures: BTreeMap::new(),
            last: 0,
            drawn,
            sender,
            queue: Arc::default(),
            thread: None,
        }
    }
}

/// A request for the last change of a tick, seen from the player's eye; None without a change.
pub fn request(sim: &Sim, report: &StepReport) -> Option<ThumbnailRequest> {
    let event = report.carves.iter().rfind(|event| event.change != 0)?;
    let eye = sim.player.eye;
    let look = event.position - eye;
    let [width, height] = CHANGE_PICTURE.map(f64::from);
    let camera = Camera {
        eye,
        yaw: libm::atan2(-look.x, -look.z),
        pitch: libm::atan2(look.y, libm::hypot(look.x, look.z)),
        fov_y: FOV_Y,
        aspect: width / height,
    };
    let snapshot = view::snapshot(sim, camera, Overlays::default(), 1.0);
    Some(ThumbnailRequest {
        change: event.change,
        snapshot: Box::new(snapshot),
    })
}

impl Thumbnails {
    /// Queues a request.
    pub fn draw(&mut self, shot: ThumbnailRequest) {
        self.last += 1;
        self.pictures.insert(shot.change, (self.last, None));
        if self.thread.is_none() {
            let (queue, sender) = (self.queue.clone(), self.sender.clone());
            self.thread = Some(std::thread::spawn(move || work(&queue, &sender)));
        }
        let (queue, more) = &*self.queue;
        if let Ok(mut queue) = queue.lock() {
            let waiting = &mut queue.waiting;
            waiting.retain(|(_, waiting)| waiting.change != shot.change);
            waiting.push_back((self.last, shot));
            if queue.waiting.len() > WAITING {
                queue.waiting.pop_front();
            }
            more.notify_one();
        }
    }

    /// Pauses or resumes drawing.
    pub fn hold(&mut self, hold: bool) {
        let (queue, more) = &*self.queue;
        if let Ok(mut queue) = queue.lock() {
            queue.is_held = hold;
            if !hold && !queue.waiting.is_empty() {
                more.notify_one();
            }
        }
    }

    /// Sets the level's textures.
    pub fn show_textures(&mut self, textures: &Arc<Textures>) {
        if let Ok(mut queue) = self.queue.0.lock() {
            queue.textures = textures.clone();
        }
    }

    /// Takes in drawn thumbnails, except for outdated ones.
    pub fn poll(&mut self) {
        for drawn in self.drawn.try_iter() {
            if let Some((number, picture)) = self.pictures.get_mut(&drawn.change)
                && *number == drawn.number
            {
                *picture = Some(drawn.picture);
            }
        }
    }

    /// The thumbnail of a change, once drawn.
    pub fn picture(&self, change: u64) -> Option<Arc<egui::ColorImage>> {
        self.pictures.get(&change)?.1.clone()
    }

    /// Forgets changes after this one; a branch will reuse their numbers.
    pub fn forget_after(&mut self, change: u64) {
        self.pictures.retain(|number, _| *number <= change);
        if let Ok(mut queue) = self.queue.0.lock() {
            queue.waiting.retain(|(_, shot)| shot.change <= change);
        }
    }

    /// Stops drawing. The thread may still be drawing and must be joined at the end: software drivers crash if the
    /// program ends meanwhile.
    pub fn close(&mut self) -> Option<JoinHandle<()>> {
        let (queue, more) = &*self.queue;
        if let Ok(mut queue) = queue.lock() {
            queue.is_closed = true;
            more.notify_one();
        }
        self.thread.take()
    }
}

impl Drop for Thumbnails {
    fn drop(&mut self) {
        self.close();
    }
}

/// The thread: draws the newest request first, as the list shows that one. Without an adapter there are no thumbnails.
fn work(queue: &(Mutex<Queue>, Condvar), sender: &Sender<Drawn>) {
    let mut studio: Option<OffscreenRenderer> = None;
    while let Some(((number, shot), textures)) = next(queue) {
        if studio.is_none() {
            studio = OffscreenRenderer::new(CHANGE_PICTURE).ok();
        }
        let Some(studio) = &mut studio else { return };
        studio.show_textures(&textures);
        let drawn = studio.picture(&shot.snapshot).or_else(|_| {
            // Its device may have been lost.
            *studio = OffscreenRenderer::new(CHANGE_PICTURE)?;
            studio.show_textures(&textures);
            studio.picture(&shot.snapshot)
        });
        let Ok(rows) = drawn else { continue };
        let size = CHANGE_PICTURE.map(|x| x as usize);
        let picture = egui::ColorImage::from_rgba_unmultiplied(size, &rows);
        let drawn = Drawn {
            change: shot.change,
            number,
            picture: Arc::new(picture),
        };
        if sender.send(drawn).is_err() {
            return;
        }
    }
}

/// Waits for a request; returns it with the textures, None once closed.
fn next(
    (queue, more): &(Mutex<Queue>, Condvar),
) -> Option<((u64, ThumbnailRequest), Arc<Textures>)> {
    let mut queue = queue.lock().ok()?;
    loop {
        if queue.is_closed {
            return None;
        }
        if !queue.is_held
            && let Some(shot) = queue.waiting.pop_back()
        {
            return Some((shot, queue.textures.clone()));
        }
        queue = more.wait(queue).ok()?;
    }
}
