//! Pictures of the open level's textures: looked for when it opens and when the settings name another folder, kept with it.
use super::App;
use crate::level::Pictures;
use crate::render::Textures;
use crate::ui::NoticeKind;
use crate::world::Material;
use std::path::Path;
use std::sync::Arc;

/// Pictures of a level's textures, and the folder of the settings that they were looked for in.
#[derive(Clone, Default)]
pub struct Pictured {
    /// Of this level alone.
    pub textures: Arc<Textures>,
    /// Empty: none.
    pub folder: String,
}

impl Pictured {
    /// Reads them; `map` is the level's file.
    pub fn find(
        materials: &[Material],
        level: &Pictures,
        map: Option<&Path>,
        folder: String,
    ) -> Self {
        let chosen = (!folder.is_empty()).then(|| Path::new(&folder));
        Self {
            textures: Arc::new(Textures::find(materials, level, map, chosen)),
            folder,
        }
    }
}

impl App {
    /// Looks for the open level's textures again where the settings name another folder than they were looked for in.
    pub(super) fn prefer_textures(&mut self) {
        let folder = &self.preferences.textures;
        if let Some(play) = self.play.as_ref().filter(|p| p.pictured.folder != *folder) {
            self.background.find_textures(self.opened, play, folder);
        }
    }

    /// Textures of a level were read: shown, if it is still open and nobody has chosen yet another folder.
    pub(super) fn show_textures(&mut self, level: u64, found: Pictured) {
        let is_wanted = level == self.opened && found.folder == self.preferences.textures;
        if let Some(play) = self.play.as_mut().filter(|_| is_wanted) {
            play.show_textures(found);
            self.say_textures();
        }
    }

    /// What came of looking for the open level's textures.
    pub(super) fn say_textures(&mut self) {
        /// So many warnings are shown, and the rest is counted.
        const SHOWN: usize = 3;
        let Some(play) = &self.play else { return };
        let textures = play.pictured.textures.clone();
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
