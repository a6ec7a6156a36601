//! The program without its window: what is asked for as panels and keys ask for it, and what it says then.
mod asked;
mod found;
mod pictures;
mod questions;
mod refused;
mod scenes;
mod tape;
mod textures;

use super::unsaved::Pending;
use super::*;
use crate::sim::Command;
use crate::ui::{Comparing, UiAction};
use std::path::Path;
use std::time::Duration;
use winit::keyboard::KeyCode;

/// A level that opens fast.
const LEVEL: &[u8] = include_bytes!("../../../levels/range.map");

/// The program with the level of a folder open, and all it keeps in that folder.
fn opened(folder: &Path) -> App {
    started(folder, folder.join("open.map"))
}

/// The program as it starts with a file, and all it keeps in a folder.
fn started(folder: &Path, level: PathBuf) -> App {
    let app = begun(folder, Some(level.clone().into()));
    assert_eq!(open_level(&app), level);
    app
}

/// The program as it starts, with what was named on the command line.
fn begun(folder: &Path, named: Option<Origin>) -> App {
    let places = places::Places {
        data: folder.join("data"),
        pictures: folder.join("pictures"),
        settings: folder.join("settings").join("settings.toml"),
        documents: folder.join("documents"),
        levels: vec![folder.join("levels")],
    };
    let mut app = App::new(Arc::new(|| ()), places, named, Faults::default());
    settle(&mut app);
    app
}

/// Until nothing is on its way any more.
fn settle(app: &mut App) {
    loop {
        app.background.finish();
        app.hear();
        if app.loading.is_none() && !matches!(app.comparer.shown(), Comparing::Running(_)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn open_level(app: &App) -> PathBuf {
    let play = app.play.as_ref();
    let path = play.and_then(|play| play.origin.path());
    path.map(Path::to_path_buf).unwrap_or_default()
}

fn state(app: &App) -> Option<u64> {
    app.play.as_ref().map(|play| play.sim.state_hash())
}

/// Does it, waits, and says what was told and how serious it is.
fn told(app: &mut App, action: UiAction) -> Vec<(NoticeKind, String)> {
    app.notices.clear();
    app.act(action);
    settle(app);
    app.notices
        .drain(..)
        .map(|notice| (notice.kind, notice.text))
        .collect()
}

/// Shoots a hole: from then on there is something to lose.
fn shoot(app: &mut App) {
    let App { play, recorder, .. } = app;
    let play = play.as_mut().expect("a level");
    for tick in 0..120 {
        let mut command = Command { ..play.sim.idle() };
        command.actions.extend((tick == 0).then_some(Action::Fire));
        // What cannot be written is told by the frame; here nobody asks.
        let _ = play.tick(&command, recorder);
    }
    assert!(play.unsaved);
}

/// A folder with a level in it, and the program with that level open.
fn app() -> (tempfile::TempDir, App) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("open.map"), LEVEL).expect("written");
    let app = opened(folder.path());
    (folder, app)
}

fn play(app: &mut App) -> &mut play::Play {
    app.play.as_mut().expect("a level")
}

fn hash(app: &mut App) -> u64 {
    play(app).sim.world.hash()
}

/// A recording of the open level, in a file of its own.
fn recorded(app: &mut App, path: &Path) {
    let mut bytes = Vec::new();
    let written = play(app).timeline.recording().write(&mut bytes);
    written.expect("memory takes it");
    std::fs::write(path, bytes).expect("written");
}
