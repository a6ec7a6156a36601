//! Which level is next, and where is a level saved? Nothing is written over without being asked, but the file that is open.
use super::App;
use super::unsaved::Pending;
use crate::builtin::Origin;
use crate::level;
use crate::ui::NoticeKind;
use std::path::PathBuf;

impl App {
    /// Opens the level so many further in the list: ours, then those of a levels folder, then ours again.
    pub(super) fn neighbour(&mut self, by: isize) {
        let levels = self.levels.iter().filter(|level| !level.recent);
        let levels: Vec<&Origin> = levels.map(|level| &level.origin).collect();
        if levels.is_empty() {
            return;
        }
        let open = self.play.as_ref().map(|play| &play.origin);
        let position = |same: fn(&Origin, &Origin) -> bool| {
            open.and_then(|open| levels.iter().position(|level| same(level, open)))
        };
        // A file from elsewhere, perhaps a copy of one of ours, stands where the one of its name does.
        let now =
            position(Origin::is_same).or_else(|| position(|a, b| a.file_name() == b.file_name()));
        let count = levels.len() as isize;
        let next = match now {
            Some(now) => (now as isize + by).rem_euclid(count),
            None if by < 0 => count - 1,
            None => 0,
        };
        let origin = levels[next as usize].clone();
        self.request(Pending::Open(origin));
    }

    /// What was open last is not opened unasked: it is said where it is.
    pub(super) fn offer_recent(&mut self) {
        if let Some(last) = self.levels.iter().find(|level| level.recent) {
            let title = last.origin.title();
            let text =
                format!("Recent file: {title}. Open it from the list or from File > Recent.");
            self.notify(NoticeKind::Info, text);
        }
    }

    /// What is open comes from there, or was saved there: in the path box, in the list, among the recent ones.
    pub(super) fn came_from(&mut self, origin: &Origin) {
        if let Some(path) = origin.path()
            && !path.starts_with(self.places.recordings())
        {
            self.places.remember(path);
        }
        self.levels = self.places.levels();
        let path = origin.path().map(|path| path.display().to_string());
        self.panels.level.path = path.unwrap_or_default();
    }

    /// No dialog can ask where to save: the path box says where it would be, unless something stands there.
    pub(super) fn propose(&mut self) {
        if let Some(play) = &self.play
            && self.panels.level.path.is_empty()
        {
            let path = self.places.proposed(&play.origin);
            self.panels.level.path = path.display().to_string();
        }
    }

    /// Saves the level there. A file that is there, and is not the one that is open, is replaced when that was agreed to.
    pub(super) fn save(&mut self, path: PathBuf, agreed: bool) {
        let Some((play, edition)) = self.play.as_ref().zip(self.edition()) else {
            return;
        };
        let path = match path.extension() {
            None => path.with_extension("map"),
            Some(end) if end.eq_ignore_ascii_case("map") => path,
            // A recording, perhaps: it is no level's to replace.
            Some(_) => {
                let name = Origin::File(path).file_name();
                let text = format!("Not saved: {name} does not end in .map.");
                self.not_saved(Some(text.clone()));
                return self.notify(NoticeKind::Error, text);
            }
        };
        let is_own = play.origin.is_same(&Origin::File(path.clone()));
        if !agreed && !is_own && path.exists() {
            return self.ask_to_replace(path);
        }
        let bytes = level::write_map(&play.sim.level);
        self.background.save(path, bytes, edition);
        self.saving_tick = play.sim.tick;
    }

    /// Writes a copy of a changed level aside, when it is time.
    pub(super) fn autosave(&mut self) {
        let every_secs = self.preferences.autosave * 60.0;
        let Some(play) = &self.play else { return };
        let revision = play.sim.world.revision();
        let is_due = every_secs > 0.0 && self.autosave.last.elapsed().as_secs_f64() >= every_secs;
        let is_new = revision != self.autosave.revision;
        // An earlier tick that is looked at is nobody's work.
        if !is_due || !play.unsaved || !is_new || play.is_past() {
            return;
        }
        self.autosave.last = std::time::Instant::now();
        self.autosave.revision = revision;
        let path = self.places.autosave_of(&play.origin);
        self.background
            .autosave(path, level::write_map(&play.sim.level));
    }
}
