//! The textures of the open level: searched for again when the settings change, shown, reported.
use super::App;
use crate::app::level_textures::LevelTextures;
use crate::ui::NoticeKind;

impl App {
    /// Searches for the open level's textures again if the settings name another folder.
    pub(in crate::app) fn prefer_textures(&mut self) {
        let folder = &self.preferences.textures;
        if let Some(play) = self
            .play
            .as_ref()
            .filter(|p| p.level_textures.folder != *folder)
        {
            self.background.find_textures(self.opened, play, folder);
        }
    }

    /// Shows textures that were read, if their level is still open and the folder is still the chosen one.
    pub(in crate::app) fn show_textures(&mut self, level: u64, found: LevelTextures) {
        let is_wanted = level == self.opened && found.folder == self.preferences.textures;
        if let Some(play) = self.play.as_mut().filter(|_| is_wanted) {
            play.show_textures(found);
            self.say_textures();
        }
    }

    /// Reports the result of the search for textures.
    pub(in crate::app) fn say_textures(&mut self) {
        /// At most this many warnings are shown; the rest is counted.
        const SHOWN: usize = 3;
        let Some(play) = &self.play else { return };
        let textures = play.level_textures.textures.clone();
        let words = textures.tally().words();
        let of_report = self.report.rows.iter_mut().find(|row| row.0 == "textures");
        if let Some(row) = of_report {
            row.1 = words.clone();
        }
        if textures.tally().is_news() {
            self.notify(NoticeKind::Info, format!("Textures: {words}"));
        }
        let warnings = textures.warnings();
        for warning in warnings.iter().take(SHOWN) {
            self.notify(NoticeKind::Warning, format!("Textures: {warning}"));
        }
        if let Some(more) = warnings.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let text = format!("Textures: and {more} more warnings");
            self.notify(NoticeKind::Warning, text);
        }
    }
}
