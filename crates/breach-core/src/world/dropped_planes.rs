//! Planes whose last holder among deltas was dropped: a mailbox from a [`super::Delta`] to the world that made it.
use crate::exact::{PlaneId, Planes};
use std::sync::{Arc, Mutex, Weak};

/// The world's end.
#[derive(Debug, Default)]
pub(super) struct DroppedPlanes(Arc<Mutex<Vec<PlaneId>>>);

/// A delta's end. It is empty in a clone, in a delta that a host keeps count of, and once the delta has been forgotten.
#[derive(Debug, Default)]
pub(super) struct Mailbox(Mutex<Weak<Mutex<Vec<PlaneId>>>>);

impl Clone for DroppedPlanes {
    /// Of a clone of the world, whose planes the same deltas held.
    fn clone(&self) -> Self {
        let planes = self.0.lock().map(|planes| planes.clone());
        Self(Arc::new(Mutex::new(planes.unwrap_or_default())))
    }
}

impl DroppedPlanes {
    /// For a delta of this world.
    pub fn mailbox(&self) -> Mailbox {
        Mailbox(Mutex::new(Arc::downgrade(&self.0)))
    }

    /// The delta of this mailbox gives its planes back itself.
    pub fn close(&self, mailbox: &Mailbox) {
        if let Ok(mut world) = mailbox.0.lock()
            && world.as_ptr() == Arc::as_ptr(&self.0)
        {
            *world = Weak::new();
        }
    }

    /// Releases what was dropped since the last time.
    pub fn release(&self, planes: &mut Planes) {
        let dropped = self.0.lock().map(|mut list| std::mem::take(&mut *list));
        let dropped = dropped.unwrap_or_default();
        dropped.into_iter().for_each(|plane| planes.release(plane));
    }
}

impl Mailbox {
    /// Whether the planes of a dropped delta arrive anywhere.
    pub fn is_open(&self) -> bool {
        let world = self.0.lock();
        world.is_ok_and(|world| world.strong_count() > 0)
    }

    /// Planes that a delta held no longer.
    pub fn post(&mut self, planes: impl Iterator<Item = PlaneId>) {
        let world = self.0.get_mut().ok().and_then(|world| world.upgrade());
        if let Some(mut list) = world.as_ref().and_then(|world| world.lock().ok()) {
            list.extend(planes);
        }
    }
}
