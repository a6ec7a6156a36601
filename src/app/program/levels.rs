//! The next level of the list, and saving. No file but the open one is replaced without asking.
use super::App;
use super::app::Saving;
use crate::app::confirmation::Request;
use crate::app::level_watch::contents_hash;
use crate::builtin::Origin;
use crate::level;
use crate::ui::NoticeKind;
use std::path::PathBuf;

impl App {
    /// Opens the level this many entries further in the list, cyclically; recent files are skipped.
    pub(in crate::app) fn neighbour(&mut self, by: isize) {
        let levels = self.levels.iter().filter(|level| !level.recent);
        let levels: Vec<&Origin> = levels.map(|level| &level.origin).collect();
        if levels.is_empty() {
            return;
        }
        let open = self.play.as_ref().map(|play| &play.origin);
        let position = |same: fn(&Origin, &Origin) -> bool| {
            open.and_then(|open| levels.iter().position(|level| same(level, open)))
        };
        // A file from elsewhere counts as the listed level of the same name.
        let now =
            position(Origin::is_same).or_else(|| position(|a, b| a.file_name() == b.file_name()));
        let count = levels.len() as isize;
        let next = match now {
            Some(now) => (now as isize + by).rem_euclid(count),
            None if by < 0 => count - 1,
            None => 0,
        };
        let origin = levels[next as usize].clone();
        self.request(Request::Open(origin));
    }

    /// Tells where the last file is; it is not opened automatically.
    pub(in crate::app) fn offer_recent(&mut self) {
        if let Some(last) = self.levels.iter().find(|level| level.recent) {
            let title = last.origin.title();
            let text =
                format!("Recent file: {title}. Open it from the list or from File > Recent.");
            self.notify(NoticeKind::Info, text);
        }
    }

    /// Updates the path box, the level list and the recent files after opening or saving.
    pub(in crate::app) fn came_from(&mut self, origin: &Origin) {
        if let Some(path) = origin.path()
            && !path.starts_with(self.folders.recordings())
        {
            self.folders.remember(path);
        }
        self.levels = self.folders.levels();
        let path = origin.path().map(|path| path.display().to_string());
        self.panels.level.path = path.unwrap_or_default();
    }

    /// Without a file dialog, proposes a path in the path box if that is empty.
    pub(in crate::app) fn propose(&mut self) {
        if let Some(play) = &self.play
            && self.panels.level.path.is_empty()
        {
            let path = self.folders.proposed(&play.origin);
            self.panels.level.path = path.display().to_string();
        }
    }

    /// Saves the level to a path. An existing file is replaced only if `agreed`, unless it is the open one as it was opened.
    pub(in crate::app) fn save(&mut self, path: PathBuf, agreed: bool) {
        let Some((play, version)) = self.play.as_ref().zip(self.version()) else {
            return;
        };
        let path = match path.extension() {
            None => path.with_extension("map"),
            Some(end) if end.eq_ignore_ascii_case("map") => path,
            // It may be a recording, which a level must not replace.
            Some(_) => {
                let name = Origin::File(path).file_name();
                let text = format!("Not saved: {name} does not end in .map.");
                self.not_saved(Some(text.clone()));
                return self.notify(NoticeKind::Error, text);
            }
        };
        // An editor's work in the open file is another's, too.
        let is_own = play.origin.is_same(&Origin::File(path.clone())) && self.reload.is_none();
        if !agreed && !is_own && path.exists() {
            return self.ask_to_replace(path);
        }
        let bytes = level::write_map(&play.sim.level);
        self.saving = Saving {
            tick: play.sim.tick,
            operations: play.sim.level.since.len(),
            contents: contents_hash(&bytes),
        };
        if let Some(watch) = self.watch.as_ref().filter(|watch| watch.is_of(&path)) {
            watch.expect(self.saving.contents);
            self.reload = None;
        }
        self.background.save(path, bytes, version);
    }

    /// Autosaves a changed level when it is due.
    pub(in crate::app) fn autosave(&mut self) {
        let every_secs = self.preferences.autosave * 60.0;
        let Some(play) = &self.play else { return };
        let revision = play.sim.world.revision();
        let is_due = every_secs > 0.0 && self.autosave.last.elapsed().as_secs_f64() >= every_secs;
        let is_new = revision != self.autosave.revision;
        // A past tick is not the user's work.
        if !is_due || !play.unsaved || !is_new || play.is_past() {
            return;
        }
        self.autosave.last = std::time::Instant::now();
        self.autosave.revision = revision;
        let path = self.folders.autosave_of(&play.origin);
        self.background
            .autosave(path, level::write_map(&play.sim.level));
    }
}
