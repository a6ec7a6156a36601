//! What panels and keys ask for, done: settings and tools go into the next tick, files to the threads.
use super::background::{Ask, Outcome};
use super::keys::Does;
use super::loader::{Loading, file_name};
use super::{App, SLOW, Wake, play::Play};
use crate::journal::Journal;
use crate::level;
use crate::sim::{Action, Shot, ToolShape};
use crate::ui::{CameraMode, NoticeKind, TimelineAction, UiAction};
use std::path::PathBuf;

impl App {
    /// A key that acts once was pressed.
    pub(super) fn press(&mut self, does: Does) {
        let action = match does {
            Does::Release => {
                if self.input.captured {
                    self.release();
                } else {
                    self.windows.help = false;
                }
                return;
            }
            Does::Panels => {
                self.panels.hidden = !self.panels.hidden;
                return;
            }
            Does::Shape => {
                self.panels.tools.next_shape();
                return;
            }
            Does::Aim => {
                let aim = &mut self.panels.tools.aim;
                *aim = aim.next();
                return;
            }
            Does::Turn => return self.panels.tools.turn(0),
            Does::Tilt => return self.panels.tools.turn(1),
            Does::Roll => return self.panels.tools.turn(2),
            Does::ToolSmaller => return self.panels.tools.scale(1.0 / 1.1, 1.0),
            Does::ToolLarger => return self.panels.tools.scale(1.1, 1.0),
            Does::Shallower => return self.panels.tools.scale(1.0, 1.0 / 1.1),
            Does::Deeper => return self.panels.tools.scale(1.0, 1.1),
            Does::Mark => UiAction::Mark,
            Does::Smaller => return self.scale_blast(1.0 / 1.1),
            Does::Larger => return self.scale_blast(1.1),
            Does::Portals | Does::Bins | Does::Rays | Does::Hits | Does::Wire => {
                let mut overlays = self.overlays;
                let switch = match does {
                    Does::Portals => &mut overlays.portals,
                    Does::Bins => &mut overlays.bins,
                    Does::Rays => &mut overlays.rays,
                    Does::Hits => &mut overlays.hits,
                    _ => &mut overlays.wire,
                };
                *switch = !*switch;
                UiAction::Show(overlays)
            }
            Does::WalkFly => UiAction::Camera(match self.camera() {
                CameraMode::Walk => CameraMode::Fly,
                _ => CameraMode::Walk,
            }),
            Does::NoClip => UiAction::Camera(match self.camera() {
                CameraMode::NoClip => CameraMode::Fly,
                _ => CameraMode::NoClip,
            }),
            Does::Help => UiAction::ShowHelp(!self.windows.help),
            Does::Lab => UiAction::ShowLab(!self.windows.lab),
            Does::Trees => UiAction::ShowTrees(!self.windows.trees),
            Does::Rules => UiAction::ShowRules(!self.windows.rules),
            Does::Inspect => UiAction::ShowInspect(!self.windows.inspect),
            Does::Map => UiAction::ShowMap(!self.windows.map),
            Does::MarkSight => UiAction::MarkSight,
            Does::Timeline => UiAction::ShowTimeline(!self.windows.timeline),
            Does::History => UiAction::ShowHistory(!self.windows.history),
            Does::Compare => UiAction::ShowCompare(!self.windows.compare),
            Does::Rockets => return self.panels.tools.shot = Shot::Rocket,
            Does::Grenades => return self.panels.tools.shot = Shot::Grenade,
            Does::Drills => return self.panels.tools.shot = Shot::Drill,
            Does::Balls => return self.panels.tools.shot = Shot::Ball,
            Does::Timings => UiAction::ShowTimings(!self.windows.timings),
            Does::RecordTimings => UiAction::RecordTimings(!self.recorder.is_recording()),
            Does::Picture => UiAction::Picture,
            Does::Carve => UiAction::Carve,
            Does::Fill => UiAction::Fill,
            Does::Undo => UiAction::Undo,
            Does::Redo | Does::RedoToo => UiAction::Redo,
            Does::Pause => UiAction::Pause(!self.clock.paused),
            Does::Step => UiAction::Step,
            Does::StepBack => UiAction::Timeline(TimelineAction::StepBack),
            Does::Slow => UiAction::Slow(!self.slow),
            Does::Reset => UiAction::Reset,
            Does::Quit => {
                self.quit = true;
                return;
            }
            Does::Open => UiAction::OpenDialog,
            Does::Save => UiAction::Save,
            Does::SaveAs => UiAction::SaveAsDialog,
            Does::Mouse
            | Does::Forward
            | Does::Back
            | Does::Left
            | Does::Right
            | Does::Up
            | Does::Down
            | Does::Fast => return,
        };
        self.act(action);
    }

    /// Does what was asked for.
    pub(super) fn act(&mut self, action: UiAction) {
        match action {
            UiAction::OpenDialog => self.ask(Ask::Open),
            UiAction::SaveAsDialog => {
                if self.play.is_some() {
                    self.ask(Ask::SaveAs);
                }
            }
            UiAction::Open(path) => self.open(path),
            UiAction::Save => match &self.play {
                Some(play) if play.saves_in_place() => self.save(play.path.clone()),
                Some(_) => self.ask(Ask::SaveAs),
                None => {}
            },
            UiAction::SaveAs(path) => self.save(path),
            UiAction::Reset => {
                if let Some(play) = &self.play {
                    self.open(play.path.clone());
                }
            }
            UiAction::Set(settings) => self.wanted = *settings,
            UiAction::Carve => self.tool(false),
            UiAction::Fill => self.tool(true),
            UiAction::Mark => self.mark(),
            UiAction::Camera(mode) => {
                self.queued.push(Action::NoClip(mode == CameraMode::NoClip));
                self.queued.push(Action::Walk(mode == CameraMode::Walk));
            }
            UiAction::Pause(on) => self.clock.paused = on,
            UiAction::Step => {
                if self.clock.paused {
                    self.clock.step();
                }
            }
            UiAction::Slow(on) => {
                self.slow = on;
                self.clock.speed = if on { SLOW } else { 1.0 };
            }
            UiAction::ClearDebris => self.queued.push(Action::ClearDebris),
            UiAction::Undo => self.queued.push(Action::Undo),
            UiAction::Redo => self.queued.push(Action::Redo),
            UiAction::Show(overlays) => self.overlays = overlays,
            UiAction::TakeRay(take) => {
                let play = self.play.as_ref().filter(|_| take);
                self.walk = play.map(|play| (play.walk(), 0));
            }
            UiAction::WalkTo(to) => {
                if let Some((walk, step)) = &mut self.walk {
                    *step = to.min(walk.steps.len().saturating_sub(1));
                }
            }
            UiAction::RecordTimings(on) => self.record_timings(on),
            UiAction::ShowTimings(on) => self.windows.timings = on,
            UiAction::ShowHelp(on) => self.windows.help = on,
            UiAction::ShowLab(on) => self.windows.lab = on,
            UiAction::ShowTrees(on) => self.windows.trees = on,
            UiAction::ShowRules(on) => self.windows.rules = on,
            UiAction::ShowInspect(on) => self.windows.inspect = on,
            UiAction::ShowMap(on) => self.windows.map = on,
            UiAction::MarkSight => self.mark_sight(),
            UiAction::Timeline(action) => self.tape(action),
            UiAction::GoToChange(count) => self.go_to_change(count),
            UiAction::Compare(action) => self.compare(action),
            UiAction::HoldWorst(on) => self.worst = (on, None),
            UiAction::PictureTimings => self.picture_timings(),
            UiAction::LookAt(place) => self.look_at(place),
            UiAction::ReportBug => self.save_recording("bug"),
            UiAction::ShowTimeline(on) => self.windows.timeline = on,
            UiAction::ShowHistory(on) => self.windows.history = on,
            UiAction::ShowCompare(on) => self.windows.compare = on,
            UiAction::Picture => self.picture_wanted = self.play.is_some(),
            UiAction::Dismiss(id) => self.notices.retain(|n| n.id != id),
            UiAction::Recover(yes) => {
                if let Some(left) = self.recover.take() {
                    let path = left.settle();
                    if yes {
                        self.open(path);
                    }
                }
            }
        }
    }

    /// Turns the eye to a place.
    fn look_at(&mut self, place: glam::DVec3) {
        let Some(play) = &self.play else { return };
        let look = place - play.sim.player.eye;
        self.input.yaw = libm::atan2(-look.x, -look.z);
        self.input.pitch = libm::atan2(look.y, libm::hypot(look.x, look.z));
    }

    fn camera(&self) -> CameraMode {
        self.play.as_ref().map_or(CameraMode::Walk, Play::camera)
    }

    fn tool(&mut self, fill: bool) {
        let tool = self.panels.tools.wanted(fill);
        self.queued.push(Action::Tool { fill, tool });
    }

    /// One more corner of the hull, where the crosshair meets a face.
    fn mark(&mut self) {
        const MOST: usize = 256;
        let hit = self.play.as_ref().and_then(Play::crosshair);
        match hit {
            Some(hit) if self.panels.tools.marks.len() < MOST => {
                self.panels.tools.tool.shape = ToolShape::Hull;
                self.panels.tools.marks.push([hit.point, hit.normal]);
            }
            Some(_) => self.notify(NoticeKind::Warning, "No more points can be marked.".into()),
            None => self.notify(NoticeKind::Warning, "No face under the crosshair.".into()),
        }
    }

    /// From now on it is said whether the point under the pointer is in sight.
    fn mark_sight(&mut self) {
        if !self.windows.inspect {
            self.windows.inspect = true;
        } else if !self.inspector.mark() {
            self.notify(NoticeKind::Warning, "Nothing to mark here.".into());
        }
    }

    /// Larger or smaller rockets.
    pub(super) fn scale_blast(&mut self, by: f64) {
        self.wanted.blast_radius = (self.wanted.blast_radius * by).clamp(0.02, 20.0);
    }

    fn ask(&mut self, ask: Ask) {
        self.release();
        let window = self.shell.as_ref().map(|s| &*s.window);
        let at = self.play.as_ref().map(|p| p.path.as_path());
        self.background.ask(ask, window, at);
    }

    /// Starts loading; the open level stays in play until the new one is whole.
    pub(super) fn open(&mut self, path: PathBuf) {
        let proxy = self.proxy.clone();
        let wake = move || {
            let _ = proxy.send_event(Wake);
        };
        self.loading = Some(Loading::start(path, self.wanted.clone(), wake));
    }

    fn save(&mut self, path: PathBuf) {
        let Some(play) = &self.play else { return };
        let path = if path.extension().is_none() {
            path.with_extension("map")
        } else {
            path
        };
        self.background.save(
            path,
            level::write_map(&play.sim.level),
            play.sim.world.revision(),
        );
    }

    /// Takes in what the threads came back with.
    pub(super) fn hear(&mut self) {
        if let Some(result) = self.loading.as_mut().and_then(Loading::poll) {
            self.loading = None;
            match result {
                Ok(loaded) => self.begin(loaded),
                Err(why) => self.notify(NoticeKind::Error, why),
            }
        }
        if let Err(why) = self.comparer.poll() {
            self.notify(NoticeKind::Error, format!("No comparison: {why}"));
        }
        if let Some(play) = &mut self.play {
            play.album.poll();
        }
        while let Some(outcome) = self.background.poll() {
            match outcome {
                Outcome::Chosen(Ask::Open, Some(path)) => self.open(path),
                Outcome::Chosen(Ask::SaveAs, Some(path)) => self.save(path),
                Outcome::Chosen(_, None) => {}
                Outcome::NoDialog => {
                    let text = "No file dialog could be shown here: type the path into the box on the left.";
                    self.notify(NoticeKind::Warning, text.into());
                }
                Outcome::Saved(result) => self.saved(result),
                Outcome::Picture(Ok(path)) => {
                    self.notify(NoticeKind::Info, format!("Picture: {}", path.display()))
                }
                Outcome::Picture(Err(why)) => {
                    self.notify(NoticeKind::Error, format!("No picture: {why}"))
                }
            }
        }
    }

    fn saved(&mut self, result: Result<(PathBuf, u64), String>) {
        match result {
            Ok((path, revision)) => {
                self.places.remember(&path);
                self.levels = self.places.levels();
                if let Some(play) = &mut self.play {
                    play.unsaved &= play.sim.world.revision() != revision;
                    play.path = path.clone();
                }
                self.notify(NoticeKind::Info, format!("Saved {}", path.display()));
            }
            Err(why) => self.notify(NoticeKind::Error, format!("Not saved: {why}")),
        }
    }

    /// A level is whole: it replaces the old one.
    fn begin(&mut self, loaded: super::loader::Loaded) {
        if let Some(mut old) = self.play.take() {
            old.finish();
        }
        let super::loader::Loaded {
            path,
            sim,
            timeline,
            warnings,
            shots,
            ms,
            sizes,
        } = loaded;
        for warning in warnings {
            self.notify(NoticeKind::Warning, warning);
        }
        let journal = Journal::begin(&self.places.recordings(), timeline.recording());
        let journal = journal
            .map_err(|why| self.notify(NoticeKind::Warning, format!("Not recorded: {why}")))
            .ok();
        let mut play = Play::new(path.clone(), sim, sizes, timeline, journal);
        shots.into_iter().for_each(|shot| play.album.draw(shot));
        self.input.yaw = play.sim.player.yaw;
        self.input.pitch = play.sim.player.pitch;
        self.wanted = play.sim.settings.clone();
        self.queued.clear();
        self.panels.tools.marks.clear();
        self.inspector = Default::default();
        self.map = Default::default();
        self.trees = Default::default();
        self.clock.forget();
        self.worst.1 = None;
        self.recorder.forget_carves();
        self.overlays.leak = play.sim.world.sealed == Some(false);
        let warnings = &play.sim.level.warnings;
        let first = warnings.first().map(|w| match w.line {
            0 => format!("{}: {}", file_name(&path), w.text),
            line => format!("{}:{line}: {}", file_name(&path), w.text),
        });
        let more = warnings.len().saturating_sub(1);
        self.play = Some(play);
        if !path.starts_with(self.places.recordings()) {
            self.places.remember(&path);
        }
        self.levels = self.places.levels();
        self.panels.level.path = path.display().to_string();
        self.notify(
            NoticeKind::Info,
            format!("Opened {} in {ms:.0} ms", file_name(&path)),
        );
        if let Some(first) = first {
            let rest = if more > 0 {
                format!(" (and {more} more warnings)")
            } else {
                String::new()
            };
            self.notify(NoticeKind::Warning, first + &rest);
        }
    }
}
