//! `breach [FILE]`: opens the window, or says why there is none and which commands work without.
use super::failure::Failure;
use super::fault::Faults;
#[cfg(feature = "app")]
use crate::app::Ending;
use crate::builtin::Origin;
use std::path::PathBuf;

/// The commands that need no window.
const WITHOUT: &str = "without a window: `breach shot LEVEL -o P.png` makes a picture, `breach soak LEVEL --rockets N` \
fires rockets, `breach replay FILE.breach` plays a recording, `breach check FILE...` loads and validates";

pub(super) fn run(file: Option<PathBuf>, faults: Faults) -> Result<(), Failure> {
    let origin = file.as_deref().map(Origin::from_argument);
    if let (Some(path), Some(origin)) = (&file, &origin) {
        // Checked here, a missing file is an error on the terminal; the window would only show a banner.
        origin.check().map_err(|why| Failure::file(path, why))?;
    }
    open(origin, faults)
}

#[cfg(feature = "app")]
fn open(file: Option<Origin>, faults: Faults) -> Result<(), Failure> {
    if !has_display() {
        return Err(Failure::Other(format!(
            "no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); {WITHOUT}"
        )));
    }
    match crate::app::run(file, faults) {
        Ok(Ending::Closed) => Ok(()),
        Ok(Ending::Fault(recording)) => Err(Failure::Fault(recording)),
        Err(error) => Err(Failure::Other(format!("{error:#}"))),
    }
}

#[cfg(not(feature = "app"))]
fn open(_file: Option<Origin>, _faults: Faults) -> Result<(), Failure> {
    Err(Failure::Other(format!(
        "this build has no window (build it with the feature `app`); {WITHOUT}"
    )))
}

/// Whether a display is configured; true where that cannot be known in advance (not X11 or Wayland).
#[cfg(feature = "app")]
pub(super) fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos")))
        || set("DISPLAY")
        || set("WAYLAND_DISPLAY")
        || set("WAYLAND_SOCKET")
}
