//! What panels and keys ask for, done: settings and tools go into the next tick, files to the threads.
use super::background::{Ask, Outcome};
use super::keys::{self, Bindings, Does, On};
use super::loader::Loading;
use super::unsaved::Pending;
use super::{App, Edition, SLOW, play::Play};
use crate::builtin::Origin;
use crate::journal::Journal;
use crate::level;
use crate::scenes::Scene;
use crate::sim::{Action, BLAST_RADII, Shot, ToolShape};
use crate::ui::{
    CameraMode, HANDS, Hand, NoticeKind, PANELS, PanelId, Preferences, TimelineAction, UiAction,
};
use winit::keyboard::KeyCode;

impl App {
    /// A key that acts once was pressed.
    pub(super) fn press(&mut self, does: Does) {
        // A question waits for its answer: nothing changes behind it.
        if self.question.is_some() || self.recover.is_some() {
            if does == Does::Quit {
                self.request(Pending::Quit);
            }
            return;
        }
        if let Some(row) = PANELS.iter().find(|row| row.key == Some(does)) {
            return self.panels.dock.toggle(row.id);
        }
        if let Some(row) = HANDS.iter().find(|row| row.does == does) {
            self.panels.tools.hand.hand = row.hand;
            return;
        }
        let action = match does {
            Does::Release => {
                if self.input.captured {
                    self.release();
                } else {
                    self.panels.dock.show(PanelId::Keys, false);
                }
                return;
            }
            Does::Panels => {
                self.panels.dock.hidden = !self.panels.dock.hidden;
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
            Does::Place => return self.place_brush(),
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
            Does::MarkSight => UiAction::MarkSight,
            Does::Rockets => return self.take_shot(Shot::Rocket),
            Does::Grenades => return self.take_shot(Shot::Grenade),
            Does::Drills => return self.take_shot(Shot::Drill),
            Does::Balls => return self.take_shot(Shot::Ball),
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
            Does::Quit => return self.request(Pending::Quit),
            Does::NextLevel => return self.neighbour(1),
            Does::PreviousLevel => return self.neighbour(-1),
            Does::Open => UiAction::OpenDialog,
            Does::Save => UiAction::Save,
            Does::SaveAs => UiAction::SaveAsDialog,
            Does::HandRocket
            | Does::HandBrush
            | Does::HandRay
            | Does::HandSweep
            | Does::HandSight
            | Does::HandPick
            | Does::HandGrab
            | Does::HandMeasure
            | Does::Help
            | Does::Lab
            | Does::Trees
            | Does::Rules
            | Does::Inspect
            | Does::Map
            | Does::Timings
            | Does::Timeline
            | Does::History
            | Does::Compare
            | Does::Mouse
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
        if self.fault.is_some() && action != UiAction::Press(Does::Quit) {
            // There is only the report left, and the end.
            return;
        }
        match action {
            UiAction::OpenDialog => self.ask(Ask::Open),
            UiAction::SaveAsDialog => {
                if self.play.is_some() {
                    self.ask(Ask::SaveAs(self.opened));
                }
            }
            UiAction::Open(origin) => self.request(Pending::Open(origin)),
            UiAction::Example(scene) => self.request(Pending::Example(scene)),
            UiAction::PutCardAway => self.put_card_away(),
            UiAction::Save => match self.play.as_ref().map(Play::saves_to) {
                Some(Some(path)) => self.save(path, false),
                Some(None) => self.ask(Ask::SaveAs(self.opened)),
                None => {}
            },
            UiAction::SaveAs(path) => self.save(path, false),
            UiAction::Reset => {
                let open = self.play.as_ref().map(|play| play.origin.clone());
                let again = self.scene().map(Pending::Example);
                if let Some(again) = again.or(open.map(Pending::Open)) {
                    self.request(again);
                }
            }
            UiAction::Set(settings) => {
                // A scene's are its own: the next level has those of before.
                if self.staged.is_none() {
                    self.preferences.world = (*settings).clone();
                }
                self.wanted = *settings;
            }
            UiAction::Carve => self.tool(false),
            UiAction::Fill => self.tool(true),
            UiAction::Mark => self.mark(),
            UiAction::Camera(mode) => {
                self.flight = None;
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
                // The panel with the tick shows the steps: none comes over it.
                self.walk = play.map(|play| (play.walk(), 0));
            }
            UiAction::WalkTo(to) => {
                if let Some((walk, step)) = &mut self.walk {
                    *step = to.min(walk.steps.len().saturating_sub(1));
                }
            }
            UiAction::RecordTimings(on) => self.record_timings(on),
            UiAction::Press(does) => self.press(does),
            UiAction::Panel(id, on) => self.panels.dock.show(id, on),
            UiAction::ResetPanels => self.panels.dock.reset(),
            UiAction::Rebind(does) => self.rebinding = does,
            UiAction::ResetKeys => self.bind(Bindings::default()),
            UiAction::Prefer(preferences) => self.prefer(*preferences),
            UiAction::FlyTo(eye) => {
                self.flight = None;
                // Into rock one flies through walls.
                let is_rock = |play: &Play| play.sim.world.locate(eye).is_none();
                if self.play.as_ref().is_some_and(is_rock) {
                    self.queued.push(Action::NoClip(true));
                }
                self.queued.push(Action::Teleport(eye.into()));
            }
            UiAction::FlyToLine(line) => self.fly_to_line(line),
            UiAction::FlyOut(on) => self.fly_out(on),
            UiAction::CountAgain => {
                if let Some(play) = &self.play {
                    let textures = &play.pictured.textures;
                    self.report = super::loader::report(&play.sim, textures);
                }
            }
            UiAction::MoveBrush(at) => self.move_brush(at),
            UiAction::ClearProbes => self.hand.clear(),
            UiAction::CancelLoading => {
                if self.loading.take().is_some() {
                    self.notify(NoticeKind::Info, "Opening cancelled.".into());
                }
            }
            UiAction::Unsaved(answer) => self.answer(answer),
            UiAction::MarkSight => self.mark_sight(),
            UiAction::Timeline(action) => self.tape(action),
            UiAction::GoToChange(count) => self.go_to_change(count),
            UiAction::Compare(action) => self.compare(action),
            UiAction::HoldWorst(on) => self.worst = (on, None),
            UiAction::PictureTimings => self.picture_timings(),
            UiAction::LookAt(place) => self.look_at(place),
            UiAction::ReportBug => self.save_recording("bug"),
            UiAction::Picture => self.picture_wanted = self.play.is_some(),
            UiAction::Recover(yes) => {
                if let Some(left) = self.recover.take() {
                    let path = left.repair();
                    if yes {
                        self.request(Pending::Open(path.into()));
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
        let is_seen = self.panels.dock.is_seen(PanelId::Inspect);
        self.panels.dock.show(PanelId::Inspect, true);
        let is_marked = match is_seen {
            true => self.inspector.mark(),
            // Nothing was picked by the panel yet.
            false => self.mark_crosshair(),
        };
        if !is_marked {
            self.notify(NoticeKind::Warning, "Nothing to mark here.".into());
        }
    }

    /// What is fired from now on; it comes into the hand.
    fn take_shot(&mut self, shot: Shot) {
        self.panels.tools.shot = shot;
        self.panels.tools.hand.hand = Hand::Rocket;
    }

    /// A key for what was asked, if it is free.
    pub(super) fn rebind(&mut self, does: Does, code: KeyCode, ctrl: bool) {
        if keys::leads_on(code, does) {
            return;
        }
        self.rebinding = None;
        if code == KeyCode::Escape && does != Does::Release {
            return;
        }
        let on = keys::chord(code, ctrl, ctrl && self.modifiers.shift_key());
        if !keys::can_be_chosen(code) || (does.held() && !matches!(on, On::Key(_))) {
            let text = format!("{} cannot be used for this.", on.name());
            return self.notify(NoticeKind::Warning, text);
        }
        let mut keys = self.keys.clone();
        match keys.bind(does, on) {
            Ok(()) => {
                self.bind(keys);
                let text = format!(
                    "{} is now \u{201c}{}\u{201d}.",
                    on.name(),
                    keys::words(does)
                );
                self.notify(NoticeKind::Info, text);
            }
            Err(taken) => {
                let text = format!(
                    "{} is already used for \u{201c}{taken}\u{201d}. Nothing was changed.",
                    on.name()
                );
                self.notify(NoticeKind::Warning, text);
            }
        }
    }

    /// These keys from now on.
    fn bind(&mut self, keys: Bindings) {
        self.key_lines = keys.lines();
        self.preferences.keys = keys.names();
        self.keys = keys;
    }

    /// New settings of the program.
    fn prefer(&mut self, wanted: Preferences) {
        if let Some(shell) = &self.shell {
            if wanted.palette != self.preferences.palette {
                crate::ui::apply_theme(shell.egui.egui_ctx(), wanted.palette);
            }
            shell.scale_panels(wanted.scale);
        }
        self.input.sensitivity = wanted.mouse;
        self.input.upside_down = wanted.upside_down;
        let is_reset = wanted.keys != self.preferences.keys;
        self.preferences = wanted;
        self.prefer_pictures();
        self.prefer_textures();
        if is_reset {
            self.bind(Bindings::from_names(&self.preferences.keys).0);
        }
    }

    /// What the settings say of pictures, to a new window or card too.
    pub(super) fn prefer_pictures(&mut self) {
        let Some(shell) = &mut self.shell else { return };
        shell.gpu.set_vsync(self.preferences.vsync);
        shell.gpu.set_detail(self.preferences.detail);
    }

    /// Writes the settings file, if something has changed.
    pub(super) fn keep_settings(&mut self, at_once: bool) -> Result<(), String> {
        if !self.config.is_due() && !at_once {
            return Ok(());
        }
        let text = self.preferences.text(&self.panels.dock.text());
        self.config.keep(text, at_once)
    }

    /// Puts the eye where a line of the level's file is.
    fn fly_to_line(&mut self, line: u32) {
        let Some(play) = &self.play else { return };
        match level::position_of_line(&play.sim.level.file, line) {
            Some(place) => {
                self.flight = None;
                // One looks from here: solid or not, so through walls.
                self.queued.push(Action::NoClip(true));
                self.queued.push(Action::Teleport(place.into()));
            }
            None => self.notify(
                NoticeKind::Warning,
                format!("Line {line} has no position in the level."),
            ),
        }
    }

    /// Larger or smaller rockets.
    pub(super) fn scale_blast(&mut self, by: f64) {
        let [least, most] = BLAST_RADII;
        let radius = (self.wanted.blast_radius * by).clamp(least, most);
        self.wanted.blast_radius = radius;
        if self.staged.is_none() {
            self.preferences.world.blast_radius = radius;
        }
    }

    /// Starts loading; the open level stays in play until the new one is whole.
    pub(super) fn open(&mut self, origin: Origin) {
        let wake = self.wake.clone();
        self.given_up = self.edition();
        let settings = self.preferences.world.clone();
        let folder = self.preferences.textures.clone();
        self.loading = Some(Loading::start(origin, settings, folder, move || wake()));
    }

    /// The same of a scene, with its own settings.
    pub(super) fn open_scene(&mut self, scene: &'static Scene) {
        let wake = self.wake.clone();
        self.given_up = self.edition();
        let folder = self.preferences.textures.clone();
        self.loading = Some(Loading::of_scene(scene, folder, move || wake()));
    }

    /// What is open now.
    pub(super) fn edition(&self) -> Option<Edition> {
        let play = self.play.as_ref()?;
        Some(Edition {
            level: self.opened,
            revision: play.sim.world.revision(),
            hash: play.sim.world.hash(),
        })
    }

    /// Takes in what the threads came back with.
    pub(super) fn hear(&mut self) {
        if let Some(result) = self.loading.as_mut().and_then(Loading::poll) {
            self.loading = None;
            match result {
                Ok(loaded) => {
                    let is_unsaved = self.play.as_ref().is_some_and(|play| play.unsaved);
                    match is_unsaved && self.edition() != self.given_up {
                        true => self.request(Pending::Begin(Box::new(loaded))),
                        false => self.begin(loaded),
                    }
                }
                Err(why) => self.notify(NoticeKind::Error, why),
            }
        }
        if let Err(why) = self.comparer.poll() {
            self.notify(NoticeKind::Error, format!("Comparison failed: {why}"));
        }
        if let Some(play) = &mut self.play {
            play.album.poll();
        }
        while let Some(outcome) = self.background.poll() {
            match outcome {
                Outcome::Chosen(Ask::Open, Some(path)) => {
                    self.request(Pending::Open(path.into()));
                }
                Outcome::Chosen(Ask::SaveAs(level), Some(path)) if level == self.opened => {
                    // The dialog has asked about the file of exactly this name.
                    let is_asked = path.extension().is_some();
                    self.save(path, is_asked);
                }
                Outcome::Chosen(Ask::SaveAs(_), Some(_)) => {
                    let text = "Not saved: that level is no longer open.";
                    self.notify(NoticeKind::Warning, text.into());
                }
                Outcome::Chosen(_, None) => self.not_saved(None),
                Outcome::Autosaved(Ok(path)) => {
                    self.notify(NoticeKind::Info, format!("Autosaved {}", path.display()));
                }
                Outcome::Autosaved(Err(why)) => {
                    self.notify(NoticeKind::Warning, format!("Not autosaved: {why}"));
                }
                Outcome::NoDialog => {
                    self.propose();
                    let text =
                        "No file dialog is available here: type the path into the box on the left.";
                    self.not_saved(Some(text.into()));
                    self.notify(NoticeKind::Warning, text.into());
                }
                Outcome::Saved(result) => self.saved(result),
                Outcome::Textures(level, found) => self.show_textures(level, found),
                Outcome::Picture(Ok(path)) => {
                    self.notify(NoticeKind::Info, format!("Screenshot: {}", path.display()))
                }
                Outcome::Picture(Err(why)) => {
                    self.notify(NoticeKind::Error, format!("No screenshot: {why}"))
                }
            }
        }
    }

    /// The open level is left: its recording ends, and no more pictures are drawn of its changes.
    pub(super) fn leave(&mut self) {
        self.unstage();
        let Some(mut play) = self.play.take() else {
            return;
        };
        play.finish();
        if let Some(thread) = play.album.close() {
            self.background.keep(thread);
        }
    }

    /// A level is whole: it replaces the old one.
    pub(super) fn begin(&mut self, loaded: super::loader::Loaded) {
        self.leave();
        let super::loader::Loaded {
            origin,
            scene,
            sim,
            timeline,
            warnings,
            shots,
            marks,
            ms,
            sizes,
            report,
            textures,
        } = loaded;
        self.report = report;
        for warning in warnings {
            self.notify(NoticeKind::Warning, warning);
        }
        let journal = Journal::begin(&self.places.recordings(), timeline.recording());
        let journal = journal
            .map_err(|why| self.notify(NoticeKind::Warning, format!("Not recorded: {why}")))
            .ok();
        let mut play = Play::new(origin.clone(), sim, sizes, timeline, journal);
        play.show_textures(textures);
        play.marks = marks;
        shots.into_iter().for_each(|shot| play.album.draw(shot));
        self.input.yaw = play.sim.player.yaw;
        self.input.pitch = play.sim.player.pitch;
        self.wanted = play.sim.settings.clone();
        self.opened += 1;
        self.queued.clear();
        self.going = None;
        self.flight = None;
        self.walk = None;
        self.seer = None;
        self.comparer.forget();
        self.panels.map = Default::default();
        self.panels.tools.marks.clear();
        self.panels.tools.tool.aimed = None;
        self.inspector = Default::default();
        self.hand = Default::default();
        self.clock.forget();
        self.worst.1 = None;
        if let Some(shell) = &mut self.shell {
            shell.gpu.measure_again();
        }
        self.recorder.forget_carves();
        self.overlays.leak = play.sim.world.sealed == Some(false);
        let warnings = &play.sim.level.warnings;
        let first = warnings.first().map(|w| match w.line {
            0 => format!("{}: {}", origin.file_name(), w.text),
            line => format!("{}:{line}: {}", origin.file_name(), w.text),
        });
        let more = warnings.len().saturating_sub(1);
        self.play = Some(play);
        self.came_from(&origin);
        self.notify(
            NoticeKind::Info,
            format!("Opened {} in {ms:.0} ms", origin.title()),
        );
        if let Some(first) = first {
            let rest = if more > 0 {
                format!(" (and {more} more warnings)")
            } else {
                String::new()
            };
            self.notify(NoticeKind::Warning, first + &rest);
        }
        self.say_textures();
        // Another folder may have been chosen meanwhile.
        self.prefer_textures();
        if let Some(scene) = scene {
            self.stage(scene);
        }
    }
}
