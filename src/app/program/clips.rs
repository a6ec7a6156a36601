//! Clips: the last seconds or a marked span of the recording, saved as a video with its sound.
use super::App;
use crate::app::background::FileDialog;
use crate::app::clipper::{self, Made, WantedClip};
use crate::clip::{HEARD_BEFORE, Kind, Order, Pictures};
use crate::files;
use crate::sim::TICK_SECS;
use crate::sound::{Levels, Replacements};
use crate::ui::NoticeKind;
use std::path::PathBuf;

impl App {
    /// Asks where to save a clip of the marked span, or of the last seconds.
    pub(in crate::app) fn ask_for_clip(&mut self) {
        let Some(play) = &self.play else { return };
        if self.clip.is_some() {
            let text = "A clip is being saved already.";
            return self.notify(NoticeKind::Warning, text.into());
        }
        let length = (self.preferences.clip / TICK_SECS).round() as u64;
        let now = play.sim.tick;
        let (first, last) = match self.panels.timeline.span(play.timeline.ticks()) {
            Some(span) => span,
            None => (now.saturating_sub(length), now),
        };
        if first >= last {
            let text = "No clip: nothing has been recorded yet.";
            return self.notify(NoticeKind::Warning, text.into());
        }
        let ending = Kind::Mp4.ending();
        let proposed = match files::unused(&self.folders.pictures, "clip", ending) {
            Ok(path) => path,
            Err(why) => return self.notify(NoticeKind::Error, format!("No clip: {why}")),
        };
        if self.background.is_asking() {
            let text = "A file dialog is already open.";
            return self.notify(NoticeKind::Warning, text.into());
        }
        let heard_from = first.saturating_sub(HEARD_BEFORE);
        self.clip_wanted = Some(WantedClip {
            start: Box::new(play.timeline.state_at_or_before(heard_from, &play.sim)),
            recording: play.timeline.recording().clone(),
            ticks: first..=last,
            textures: play.level_textures.textures.clone(),
            sounds: self.preferences.sounds.clone(),
            proposed,
        });
        self.ask(FileDialog::SaveClip);
    }

    /// Begins the clip that was asked for; without a path where it was proposed.
    pub(in crate::app) fn save_clip(&mut self, path: Option<PathBuf>) {
        let Some(wanted) = self.clip_wanted.take() else {
            return;
        };
        let mut path = path.unwrap_or_else(|| wanted.proposed.clone());
        if path.extension().is_none() {
            path.set_extension(Kind::Mp4.ending());
            // The dialog has asked about another name.
            if path.exists() {
                let text = format!("No clip: {} already exists.", path.display());
                return self.notify(NoticeKind::Error, text);
            }
        }
        let kind = match Kind::of(&path) {
            Ok(kind) => kind,
            Err(why) => return self.notify(NoticeKind::Error, format!("No clip: {why}.")),
        };
        let pictures = |size| Pictures {
            size,
            fov_y: self.preferences.view.to_radians(),
            timings: false,
            textures: wanted.textures.clone(),
        };
        let order = Order {
            path,
            kind,
            ticks: wanted.ticks.clone(),
            sounds: Replacements::default(),
            // The volume is that of this place and hour; who watches the clip has one, too.
            levels: Levels {
                volume: 1.0,
                ..self.preferences.levels()
            },
            pictures: kind.usual_size().map(pictures),
        };
        let (running, work) = clipper::begin(wanted, order);
        self.clip = Some(running);
        self.background.clip(work);
    }

    /// Takes in what came of a clip.
    pub(in crate::app) fn clip_made(&mut self, made: Made) {
        self.clip = None;
        match made {
            Some(Ok(path)) => self.notify(NoticeKind::Info, format!("Clip: {}", path.display())),
            Some(Err(why)) => self.notify(NoticeKind::Error, format!("No clip: {why}")),
            None => self.notify(NoticeKind::Info, "Clip cancelled.".into()),
        }
    }

    /// Gives up a clip whose thread has ended without a word.
    pub(in crate::app) fn look_after_clip(&mut self) {
        if self.clip.as_ref().is_some_and(|clip| clip.is_over()) {
            let why = "it stopped on an internal error in Breach";
            self.clip_made(Some(Err(why.into())));
        }
    }
}
