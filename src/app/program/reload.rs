//! Live reload: the open level follows its file. An editor saves it, and the window shows the new level with the player where
//! it was.
use super::App;
use crate::app::level_watch::{FileNews, LevelWatch};
use crate::app::loader::{Loaded, Loading};
use crate::app::pending_reload::PendingReload;
use crate::sim::Action;
use crate::ui::{CameraMode, NoticeKind, OnReload};

impl App {
    /// Watches the file of the open level, whose contents have this hash; recordings and built-in levels have none.
    pub(in crate::app) fn watch_file(&mut self, contents: u64) {
        let path = self.play.as_ref().and_then(|play| play.saves_to());
        let wake = self.wake.clone();
        self.watch = path.map(|path| LevelWatch::start(path, contents, wake));
        self.reload = None;
    }

    /// Takes in what happened to the file of the open level.
    pub(in crate::app) fn hear_file(&mut self) {
        let news = self.watch.as_ref().and_then(LevelWatch::poll);
        let name = || self.play.as_ref().map(|play| play.name());
        match news {
            Some(FileNews::Changed) => self.reload = Some(PendingReload::Due),
            Some(FileNews::Broken) => self.reload = Some(PendingReload::DueBroken),
            Some(FileNews::Restored) => {
                let text = format!("{} was restored.", name().unwrap_or_default());
                self.reload = None;
                self.notify(NoticeKind::Opened, text);
            }
            Some(FileNews::Gone) => {
                let name = name().unwrap_or_default();
                let text = format!(
                    "{name} was deleted or moved. The level stays open; saving it writes the file again."
                );
                self.notify(NoticeKind::Warning, text);
            }
            None => {}
        }
        let is_free = self.loading.is_none()
            && self.confirmation.is_none()
            && self.recover.is_none()
            && self.fault.is_none();
        if is_free && self.reload == Some(PendingReload::DueBroken) {
            self.start_reload(true);
        } else if is_free && self.reload == Some(PendingReload::Due) {
            let changes = self
                .play
                .as_ref()
                .map(|play| play.changes_since_file().count);
            match (changes, self.preferences.reload) {
                (None, _) => self.reload = None,
                (Some(0), _) | (_, OnReload::Drop) => self.start_reload(false),
                (_, OnReload::Keep) => self.start_reload(true),
                (Some(changes), OnReload::Ask) => self.reload = Some(PendingReload::Asked(changes)),
            }
        }
    }

    /// Carries out the answer of the card.
    pub(in crate::app) fn answer_reload(&mut self, answer: OnReload) {
        if !matches!(self.reload, Some(PendingReload::Asked(_))) {
            return;
        }
        if answer == OnReload::Ask {
            return self.reload = Some(PendingReload::Off);
        }
        self.preferences.reload = answer;
        self.reload = Some(PendingReload::Due);
        self.hear_file();
    }

    /// A reload was cancelled or refused.
    pub(super) fn reload_ends(&mut self) {
        if matches!(self.reload, Some(PendingReload::Loads(_))) {
            self.reload = Some(PendingReload::Off);
        }
    }

    fn start_reload(&mut self, keeps: bool) {
        let version = self.version().filter(|_| keeps);
        let Some(play) = &self.play else { return };
        let kept = match keeps {
            true => play.changes_since_file(),
            false => Default::default(),
        };
        let (origin, wake) = (play.origin.clone(), self.wake.clone());
        let settings = self.preferences.world.clone();
        let folder = self.preferences.textures.clone();
        self.reload = Some(PendingReload::Loads(version));
        self.loading = Some(Loading::start(
            origin,
            settings,
            folder,
            Some(kept),
            move || wake(),
        ));
    }

    /// Shows a level that was loaded again; the player keeps its place where that is in air.
    pub(super) fn show_reloaded(&mut self, loaded: Loaded) {
        // Changes made while it loaded are to be kept, too.
        if let Some(PendingReload::Loads(Some(version))) = self.reload
            && self.version() != Some(version)
        {
            return self.start_reload(true);
        }
        let player = self
            .play
            .as_ref()
            .map(|play| (play.sim.player.clone(), play.camera()));
        let look = [self.input.yaw, self.input.pitch];
        self.begin(loaded);
        let (Some((player, camera)), Some(play)) = (player, &self.play) else {
            return;
        };
        let is_air = play.sim.world.locate(player.eye).is_some();
        if is_air || camera == CameraMode::NoClip {
            [self.input.yaw, self.input.pitch] = look;
            self.queued
                .push(Action::NoClip(camera == CameraMode::NoClip));
            self.queued.push(Action::Walk(camera == CameraMode::Walk));
            self.queued.push(Action::Teleport(player.eye.into()));
        }
    }
}
