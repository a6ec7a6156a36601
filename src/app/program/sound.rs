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
                    if let Some(text) = skipped_words(&skipped) {
                        self.notify(NoticeKind::Warning, text);
                    }
                }
            }
        }
    }
}

/// One notice of all that was skipped of a folder.
fn skipped_words(skipped: &[String]) -> Option<String> {
    /// At most this many files are named.
    const SHOWN: usize = 4;
    if skipped.is_empty() {
        return None;
    }
    let mut lines: Vec<String> = skipped.iter().take(SHOWN).cloned().collect();
    let more = skipped.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    Some(format!("Sounds: {}", lines.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_that_were_skipped_make_one_notice() {
        let files: Vec<String> = (0..7).map(|i| format!("{i}.wav: skipped: why")).collect();
        assert_eq!(skipped_words(&files[..0]), None);
        let two = skipped_words(&files[..2]).expect("a notice");
        assert_eq!(two, "Sounds: 0.wav: skipped: why; 1.wav: skipped: why");
        let all = skipped_words(&files).expect("a notice");
        assert!(
            all.contains("3.wav") && !all.contains("4.wav") && all.ends_with("and 3 more"),
            "{all}"
        );
    }
}
