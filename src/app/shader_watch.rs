//! Hot reload of shaders in debug builds.
use std::path::Path;
use std::time::SystemTime;

/// Frames between checks of the folder.
const EVERY: u32 = 30;

/// The modification time of the newest shader.
#[derive(Default)]
pub(super) struct ShaderWatch {
    newest: Option<SystemTime>,
    frames: u32,
}

impl ShaderWatch {
    /// Whether a shader changed since the last check; never in a release build.
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
