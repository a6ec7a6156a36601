//! The program without its window: commands as from panels and keys, and the messages that follow.
mod clips;
mod commands;
mod confirmations;
mod levels;
mod monkey;
mod pictures;
mod recordings;
mod refused;
mod reload;
mod scenes;
mod textures;

use super::confirmation::Request;
use super::program::App;
use super::{folders, play, tree_benchmark};
use crate::builtin::{self, Origin};
use crate::cli::fault::Faults;
use crate::sim::{Action, Command, Settings};
use crate::ui::{Answer, Comparing, KeyCommand, LevelEntry, Notice, NoticeKind, UiCommand};
use crate::view::{Camera, Overlays};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::keyboard::{KeyCode, ModifiersState};

/// A level that loads fast.
const LEVEL: &[u8] = include_bytes!("../../../levels/range.map");

/// The program with a folder's level open; all its files are in that folder.
fn opened(folder: &Path) -> App {
    started(folder, folder.join("open.map"))
}

/// The program started with a file; all its files are in a folder.
fn started(folder: &Path, level: PathBuf) -> App {
    let app = begun(folder, Some(level.clone().into()));
    assert_eq!(open_level(&app), level);
    app
}

/// The program started with an origin from the command line.
fn begun(folder: &Path, named: Option<Origin>) -> App {
    let folders = folders::Folders {
        data: folder.join("data"),
        pictures: folder.join("pictures"),
        settings: folder.join("settings").join("settings.toml"),
        documents: folder.join("documents"),
        levels: vec![folder.join("levels")],
    };
    let mut app = App::new(Arc::new(|| ()), folders, named, Faults::default());
    finish_work(&mut app);
    app
}

/// Waits until all background work is done.
fn finish_work(app: &mut App) {
    loop {
        app.background.finish();
        app.hear();
        if app.loading.is_none() && !matches!(app.comparer.state(), Comparing::Running(_)) {
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

/// Carries out a command, waits, and returns the messages with their severity.
fn told(app: &mut App, action: UiCommand) -> Vec<(NoticeKind, String)> {
    app.notices.clear();
    app.act(action);
    finish_work(app);
    app.notices
        .drain(..)
        .map(|notice| (notice.kind, notice.text))
        .collect()
}

/// Shoots a hole, so that there are unsaved changes.
fn shoot(app: &mut App) {
    let App { play, recorder, .. } = app;
    let play = play.as_mut().expect("a level");
    for tick in 0..120 {
        let mut command = Command { ..play.sim.idle() };
        command.actions.extend((tick == 0).then_some(Action::Fire));
        // Write errors are shown by the frame, which does not run here.
        let _ = play.tick(&command, recorder);
    }
    assert!(play.unsaved);
}

/// A folder with a level, and the program with that level open.
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

/// Writes the open level's recording to a file.
fn recorded(app: &mut App, path: &Path) {
    let mut bytes = Vec::new();
    let written = play(app).timeline.recording().write(&mut bytes);
    written.expect("memory takes it");
    std::fs::write(path, bytes).expect("written");
}
