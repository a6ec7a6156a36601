//! In a debug build: shaders that change on disk are taken over while the program runs.
use std::path::Path;
use std::time::SystemTime;

/// Frames from one look at the folder to the next.
const EVERY: u32 = 30;

/// Remembers how new the newest shader was.
#[derive(Default)]
pub(super) struct Watch {
    newest: Option<SystemTime>,
    frames: u32,
}

impl Watch {
    /// Whether a shader was written since the last look. Never, in a release build.
    pub fn changed(&mut self) -> bool {
        self.frames = self.frames.wrapping_add(1);
        if !cfg!(debug_assertions) || !self.frames.is_multiple_of(EVERY) {
            return false;
        }
        let newest = newest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders"));
        let before = std::mem::replace(&mut self.newest, newest);
        before.is_some() && before != newest
    }
}

fn newest(folder: &Path) -> Option<SystemTime> {
    let files = std::fs::read_dir(folder).ok()?.flatten();
    let written = files.filter_map(|file| file.metadata().ok()?.modified().ok());
    written.max()
}
