//! Small pictures of what changes did, drawn on a thread of their own from snapshots taken right after.
use crate::render::{OffscreenRenderer, Textures};
use crate::sim::{Sim, StepReport};
use crate::ui::CHANGE_PICTURE;
use crate::view::{self, Camera, Overlays, Snapshot};
use crate::world::Revision;
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// Snapshots that wait; of more the oldest are left out.
const WAITING: usize = 48;
/// Vertical opening, radians: as the window sees it.
const FOV_Y: f64 = 1.2;

/// A change, the state of the world that it made, and what that looks like.
pub struct Shot {
    change: u64,
    revision: Revision,
    snapshot: Box<Snapshot>,
}

#[cfg(test)]
impl Shot {
    /// The number of the change.
    pub fn change(&self) -> u64 {
        self.change
    }
}

/// What came of a shot.
struct Drawn {
    change: u64,
    revision: Revision,
    picture: Arc<egui::ColorImage>,
}

#[derive(Default)]
struct Desk {
    waiting: VecDeque<Shot>,
    /// Of the level's textures.
    textures: Arc<Textures>,
    /// Nobody looks, and drawing would take time from what is seen.
    is_held: bool,
    is_closed: bool,
}

/// The pictures of one open level.
pub struct Album {
    /// By the number of the change, which another way from an earlier tick gives again: so with the state that is, or is
    /// to be, in the picture.
    pictures: BTreeMap<u64, (Revision, Option<Arc<egui::ColorImage>>)>,
    drawn: Receiver<Drawn>,
    sender: Sender<Drawn>,
    desk: Arc<(Mutex<Desk>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Default for Album {
    fn default() -> Self {
        let (sender, drawn) = channel();
        Self {
            pictures: BTreeMap::new(),
            drawn,
            sender,
            desk: Arc::default(),
            thread: None,
        }
    }
}

/// What the last change of a tick looks like from the player's eye; None where nothing changed.
pub fn shot(sim: &Sim, report: &StepReport) -> Option<Shot> {
    let change = report
        .carves
        .iter()
        .rfind(|c| c.result.as_ref().is_ok_and(|done| !done.rooms.is_empty()))?;
    let eye = sim.player.eye;
    let look = change.position - eye;
    let [width, height] = CHANGE_PICTURE.map(f64::from);
    let camera = Camera {
        eye,
        yaw: libm::atan2(-look.x, -look.z),
        pitch: libm::atan2(look.y, libm::hypot(look.x, look.z)),
        fov_y: FOV_Y,
        aspect: width / height,
    };
    let snapshot = view::snapshot(sim, camera, Overlays::default(), 1.0);
    Some(Shot {
        change: sim.history.last_number(),
        revision: sim.world.revision(),
        snapshot: Box::new(snapshot),
    })
}

impl Album {
    /// Has it drawn.
    pub fn draw(&mut self, shot: Shot) {
        self.pictures.insert(shot.change, (shot.revision, None));
        if self.thread.is_none() {
            let (desk, sender) = (self.desk.clone(), self.sender.clone());
            self.thread = Some(std::thread::spawn(move || work(&desk, &sender)));
        }
        let (desk, more) = &*self.desk;
        if let Ok(mut desk) = desk.lock() {
            desk.waiting.retain(|waiting| waiting.change != shot.change);
            desk.waiting.push_back(shot);
            if desk.waiting.len() > WAITING {
                desk.waiting.pop_front();
            }
            more.notify_one();
        }
    }

    /// Draws nothing for the time being, or goes on.
    pub fn hold(&mut self, hold: bool) {
        let (desk, more) = &*self.desk;
        if let Ok(mut desk) = desk.lock() {
            desk.is_held = hold;
            if !hold && !desk.waiting.is_empty() {
                more.notify_one();
            }
        }
    }

    /// Draws the level's textures with these pictures from now on.
    pub fn show_textures(&mut self, textures: &Arc<Textures>) {
        if let Ok(mut desk) = self.desk.0.lock() {
            desk.textures = textures.clone();
        }
    }

    /// Takes in what was drawn, but for what nobody waits for any more.
    pub fn poll(&mut self) {
        for drawn in self.drawn.try_iter() {
            if let Some((revision, picture)) = self.pictures.get_mut(&drawn.change)
                && *revision == drawn.revision
            {
                *picture = Some(drawn.picture);
            }
        }
    }

    /// The picture of a change, once it is drawn.
    pub fn picture(&self, change: u64) -> Option<Arc<egui::ColorImage>> {
        self.pictures.get(&change)?.1.clone()
    }

    /// Changes after this one did not happen: their numbers will be those of others.
    pub fn forget_after(&mut self, change: u64) {
        self.pictures.retain(|number, _| *number <= change);
        if let Ok(mut desk) = self.desk.0.lock() {
            desk.waiting.retain(|shot| shot.change <= change);
        }
    }

    /// Draws no more. The thread may still be at a picture and is to be waited for at the end: a driver that draws on the
    /// processor crashes where the program ends meanwhile.
    pub fn close(&mut self) -> Option<JoinHandle<()>> {
        let (desk, more) = &*self.desk;
        if let Ok(mut desk) = desk.lock() {
            desk.is_closed = true;
            more.notify_one();
        }
        self.thread.take()
    }
}

impl Drop for Album {
    fn drop(&mut self) {
        self.close();
    }
}

/// The thread: the newest first, as that is what people see. Without an adapter there are no pictures.
fn work(desk: &(Mutex<Desk>, Condvar), sender: &Sender<Drawn>) {
    let mut studio: Option<OffscreenRenderer> = None;
    while let Some((shot, textures)) = next(desk) {
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
            revision: shot.revision,
            picture: Arc::new(picture),
        };
        if sender.send(drawn).is_err() {
            return;
        }
    }
}

/// Waits for one, and what it is to be drawn with; None when the album is gone.
fn next((desk, more): &(Mutex<Desk>, Condvar)) -> Option<(Shot, Arc<Textures>)> {
    let mut desk = desk.lock().ok()?;
    loop {
        if desk.is_closed {
            return None;
        }
        if !desk.is_held
            && let Some(shot) = desk.waiting.pop_back()
        {
            return Some((shot, desk.textures.clone()));
        }
        desk = more.wait(desk).ok()?;
    }
}
