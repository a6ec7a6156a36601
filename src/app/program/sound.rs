//! Sound in the window: what is heard is played, and what goes wrong with it is told.
use super::App;
use crate::app::speaker::{Speaker, SpeakerNews};
use crate::ui::NoticeKind;

impl App {
    /// Applies the settings of sound. Only a window plays sound, and a benchmark's does not.
    pub(in crate::app) fn prefer_sound(&mut self) {
        let is_wanted = !self.preferences.mute && self.shell.is_some() && self.bench.is_none();
        if !is_wanted {
            self.speaker = None;
            return;
        }
        let levels = self.preferences.levels();
        let speaker = self.speaker.get_or_insert_with(|| Speaker::new(levels));
        speaker.set_levels(levels);
        speaker.set_folder(&self.preferences.sounds);
    }

    /// Hears the tick just made.
    pub(in crate::app) fn hear_tick(&mut self) {
        if let (Some(speaker), Some(play)) = (&mut self.speaker, &self.play) {
            speaker.hear(&play.sim);
        }
    }

    /// Tells what the speaker has to say, and how fast time runs.
    pub(in crate::app) fn look_after_sound(&mut self) {
        /// At most this many files that were skipped are named.
        const SHOWN: usize = 3;
        let Some(speaker) = &mut self.speaker else {
            return;
        };
        speaker.set_speed(self.clock.speed);
        for news in speaker.news() {
            match news {
                SpeakerNews::Silent(why) => {
                    let text = format!("No sound: {why}. It is tried again while you play.");
                    self.notify(NoticeKind::Warning, text);
                }
                SpeakerNews::Sounds { skipped, .. } => {
                    for text in skipped.iter().take(SHOWN) {
                        self.notify(NoticeKind::Warning, format!("Sounds: {text}"));
                    }
                    let more = skipped.len().saturating_sub(SHOWN);
                    if more > 0 {
                        let text = format!("Sounds: and {more} more files were skipped");
                        self.notify(NoticeKind::Warning, text);
                    }
                }
            }
        }
    }
}
