//! Carries out the commands of keys and panels: settings and tools go into the next tick, files to the threads.
use super::App;
use crate::app::background::{FileDialog, Outcome};
use crate::app::confirmation::Request;
use crate::app::keys::{self, Binding, Bindings, KeyCommand};
use crate::app::level_version::LevelVersion;
use crate::app::loader::{KeptChanges, Loaded, Loading, report};
use crate::app::play::Play;
use crate::builtin::Origin;
use crate::journal::Journal;
use crate::level;
use crate::scenes::Scene;
use crate::sim::{Action, BLAST_RADII, Shot, ToolShape};
use crate::ui::{
    CameraMode, NoticeKind, PANELS, PanelId, Preferences, TOOLS, TimelineCommand, ToolKind,
    UiCommand,
};
use crate::view::Overlays;
use winit::keyboard::KeyCode;

/// Distance from a place that the camera flies near to, metres.
const NEAR_M: f64 = 3.0;
/// Slow motion's fraction of real time.
const SLOW: f64 = 0.2;

impl App {
    /// Carries out a key command that is pressed once.
    pub(in crate::app) fn press(&mut self, command: KeyCommand) {
        if self.is_asking() {
            if command == KeyCommand::Quit {
                self.request(Request::Quit);
            }
            return;
        }
        if let Some(row) = PANELS.iter().find(|row| row.key == Some(command)) {
            return self.panels.dock.toggle(row.id);
        }
        if let Some(row) = TOOLS.iter().find(|row| row.command == command) {
            self.panels.tools.held.kind = row.kind;
            return;
        }
        let ui_command = match command {
            KeyCommand::Release => {
                if self.input.captured {
                    self.release();
                } else {
                    self.panels.dock.show(PanelId::Keys, false);
                }
                return;
            }
            KeyCommand::HidePanels => {
                self.panels.dock.hidden = !self.panels.dock.hidden;
                return;
            }
            KeyCommand::NextShape => {
                self.panels.tools.next_shape();
                return;
            }
            KeyCommand::Preview => {
                let mode = &mut self.panels.tools.preview_mode;
                *mode = mode.next();
                return;
            }
            KeyCommand::PinShape => return self.pin_shape(),
            KeyCommand::RotateShape => return self.panels.tools.turn(0),
            KeyCommand::TiltShape => return self.panels.tools.turn(1),
            KeyCommand::RollShape => return self.panels.tools.turn(2),
            KeyCommand::SmallerShape => return self.panels.tools.scale(1.0 / 1.1, 1.0),
            KeyCommand::LargerShape => return self.panels.tools.scale(1.1, 1.0),
            KeyCommand::ShallowerShape => return self.panels.tools.scale(1.0, 1.0 / 1.1),
            KeyCommand::DeeperShape => return self.panels.tools.scale(1.0, 1.1),
            KeyCommand::MarkHullPoint => UiCommand::MarkHullPoint,
            KeyCommand::SmallerBlast => return self.scale_blast(1.0 / 1.1),
            KeyCommand::LargerBlast => return self.scale_blast(1.1),
            KeyCommand::Portals => self.toggled(|overlays| &mut overlays.portals),
            KeyCommand::Bins => self.toggled(|overlays| &mut overlays.bins),
            KeyCommand::Rays => self.toggled(|overlays| &mut overlays.rays),
            KeyCommand::Hits => self.toggled(|overlays| &mut overlays.hits),
            KeyCommand::Wire => self.toggled(|overlays| &mut overlays.wire),
            KeyCommand::WalkFly => UiCommand::SetCamera(match self.camera() {
                CameraMode::Walk => CameraMode::Fly,
                CameraMode::Fly | CameraMode::NoClip => CameraMode::Walk,
            }),
            KeyCommand::NoClip => UiCommand::SetCamera(match self.camera() {
                CameraMode::NoClip => CameraMode::Fly,
                CameraMode::Walk | CameraMode::Fly => CameraMode::NoClip,
            }),
            KeyCommand::MarkSight => UiCommand::MarkSight,
            KeyCommand::Rockets => return self.take_shot(Shot::Rocket),
            KeyCommand::Grenades => return self.take_shot(Shot::Grenade),
            KeyCommand::Drills => return self.take_shot(Shot::Drill),
            KeyCommand::Balls => return self.take_shot(Shot::Ball),
            KeyCommand::RecordTimings => UiCommand::RecordTimings(!self.recorder.is_recording()),
            KeyCommand::Screenshot => UiCommand::Screenshot,
            KeyCommand::SaveClip => UiCommand::SaveClip,
            KeyCommand::Carve => UiCommand::Carve,
            KeyCommand::Fill => UiCommand::Fill,
            KeyCommand::Undo => UiCommand::Undo,
            KeyCommand::Redo | KeyCommand::RedoToo => UiCommand::Redo,
            KeyCommand::Pause => UiCommand::Pause(!self.clock.paused),
            KeyCommand::Step => UiCommand::Step,
            KeyCommand::StepBack => UiCommand::Timeline(TimelineCommand::StepBack),
            KeyCommand::Slow => UiCommand::Slow(!self.slow),
            KeyCommand::Reset => UiCommand::Reset,
            KeyCommand::Quit => return self.request(Request::Quit),
            KeyCommand::NextLevel => return self.neighbour(1),
            KeyCommand::PreviousLevel => return self.neighbour(-1),
            KeyCommand::Open => UiCommand::OpenDialog,
            KeyCommand::Save => UiCommand::Save,
            KeyCommand::SaveAs => UiCommand::SaveAsDialog,
            KeyCommand::ToolRocket
            | KeyCommand::ToolBrush
            | KeyCommand::ToolRay
            | KeyCommand::ToolSweep
            | KeyCommand::ToolSight
            | KeyCommand::ToolPick
            | KeyCommand::ToolGrab
            | KeyCommand::ToolMeasure
            | KeyCommand::Help
            | KeyCommand::Lab
            | KeyCommand::Trees
            | KeyCommand::Rules
            | KeyCommand::Inspect
            | KeyCommand::Map
            | KeyCommand::Timings
            | KeyCommand::Timeline
            | KeyCommand::History
            | KeyCommand::Compare
            | KeyCommand::Mouse
            | KeyCommand::Forward
            | KeyCommand::Back
            | KeyCommand::Left
            | KeyCommand::Right
            | KeyCommand::Up
            | KeyCommand::Down
            | KeyCommand::Fast => return,
        };
        self.act(ui_command);
    }

    /// Carries out a command.
    pub(in crate::app) fn act(&mut self, command: UiCommand) {
        if self.fault.is_some() && command != UiCommand::Key(KeyCommand::Quit) {
            // After a fault only quitting is left.
            return;
        }
        match command {
            UiCommand::OpenDialog => self.ask(FileDialog::Open),
            UiCommand::SaveAsDialog => {
                if self.play.is_some() {
                    self.ask(FileDialog::SaveAs(self.opened));
                }
            }
            UiCommand::Open(origin) => self.request(Request::Open(origin)),
            UiCommand::Example(scene) => self.request(Request::Example(scene)),
            UiCommand::CloseCard => self.put_card_away(),
            UiCommand::Save => match self.play.as_ref().map(Play::saves_to) {
                Some(Some(path)) => self.save(path, false),
                Some(None) => self.ask(FileDialog::SaveAs(self.opened)),
                None => {}
            },
            UiCommand::SaveAs(path) => self.save(path, false),
            UiCommand::Reset => {
                let open = self.play.as_ref().map(|play| play.origin.clone());
                let again = self.scene().map(Request::Example);
                if let Some(again) = again.or(open.map(Request::Open)) {
                    self.request(again);
                }
            }
            UiCommand::SetSettings(settings) => {
                // A scene's settings are its own; the next level has those from before.
                if self.staged.is_none() {
                    self.preferences.world = (*settings).clone();
                }
                self.wanted = *settings;
            }
            UiCommand::Carve => self.tool(false),
            UiCommand::Fill => self.tool(true),
            UiCommand::MarkHullPoint => self.mark(),
            UiCommand::SetCamera(mode) => {
                self.flight = None;
                self.queued.push(Action::NoClip(mode == CameraMode::NoClip));
                self.queued.push(Action::Walk(mode == CameraMode::Walk));
            }
            UiCommand::Pause(on) => self.clock.paused = on,
            UiCommand::Step => {
                if self.clock.paused {
                    self.clock.step();
                }
            }
            UiCommand::Slow(on) => {
                self.slow = on;
                self.clock.speed = if on { SLOW } else { 1.0 };
            }
            UiCommand::ClearDebris => self.queued.push(Action::ClearDebris),
            UiCommand::Undo => self.queued.push(Action::Undo),
            UiCommand::Redo => self.queued.push(Action::Redo),
            UiCommand::SetOverlays(overlays) => self.overlays = overlays,
            UiCommand::TakeRay(take) => {
                let play = self.play.as_ref().filter(|_| take);
                // The panel with the checkbox shows the steps; no other covers it.
                self.walk = play.map(|play| (play.walk(), 0));
            }
            UiCommand::WalkTo(to) => {
                if let Some((walk, step)) = &mut self.walk {
                    *step = to.min(walk.steps.len().saturating_sub(1));
                }
            }
            UiCommand::RecordTimings(on) => self.record_timings(on),
            UiCommand::Key(command) => self.press(command),
            UiCommand::Panel(id, on) => self.panels.dock.show(id, on),
            UiCommand::ResetPanels => self.panels.dock.reset(),
            UiCommand::Rebind(command) => self.rebinding = command,
            UiCommand::ResetKeys => self.bind(Bindings::default()),
            UiCommand::SetPreferences(preferences) => self.prefer(*preferences),
            UiCommand::FlyTo(eye) => {
                self.flight = None;
                // A point in rock needs no-clip.
                let is_rock = |play: &Play| play.sim.world.locate(eye).is_none();
                if self.play.as_ref().is_some_and(is_rock) {
                    self.queued.push(Action::NoClip(true));
                }
                self.queued.push(Action::Teleport(eye.into()));
            }
            UiCommand::FlyNear(place) => self.fly_near(place),
            UiCommand::FlyToLine(line) => self.fly_to_line(line),
            UiCommand::FlyOut(on) => self.fly_out(on),
            UiCommand::CountAgain => {
                if let Some(play) = &self.play {
                    let textures = &play.level_textures.textures;
                    self.report = report(&play.sim, textures);
                }
            }
            UiCommand::MovePinnedShape(at) => self.move_pinned_shape(at),
            UiCommand::ClearProbes => self.held_tool.clear(),
            UiCommand::CancelLoading => {
                if self.loading.take().is_some() {
                    self.reload_ends();
                    self.notify(NoticeKind::Info, "Opening cancelled.".into());
                }
            }
            UiCommand::Confirm(answer) => self.answer(answer),
            UiCommand::Reload(wanted) => self.answer_reload(wanted),
            UiCommand::MarkSight => self.mark_sight(),
            UiCommand::Timeline(command) => self.timeline_command(command),
            UiCommand::GoToChange(count) => self.go_to_change(count),
            UiCommand::Compare(command) => self.compare(command),
            UiCommand::FreezeWorst(on) => self.worst = (on, None),
            UiCommand::ScreenshotTimings => self.picture_timings(),
            UiCommand::LookAt(place) => self.look_at(place),
            UiCommand::ReportBug => self.save_recording("bug"),
            UiCommand::Screenshot => self.picture_wanted = self.play.is_some(),
            UiCommand::SaveClip => self.ask_for_clip(),
            UiCommand::CancelClip => {
                if let Some(clip) = &self.clip {
                    clip.cancel();
                }
            }
            UiCommand::Recover(yes) => {
                if let Some(left) = self.recover.take() {
                    let path = left.repair();
                    if yes {
                        self.request(Request::Open(path.into()));
                    }
                }
            }
        }
    }

    /// The overlays with one of them switched on or off.
    fn toggled(&self, field: fn(&mut Overlays) -> &mut bool) -> UiCommand {
        let mut overlays = self.overlays;
        let on = field(&mut overlays);
        *on = !*on;
        UiCommand::SetOverlays(overlays)
    }

    /// Turns the camera to a point.
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

    /// Marks a corner of the hull where the crosshair meets a face.
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

    /// Marks the point under the pointer for the line of sight.
    fn mark_sight(&mut self) {
        let is_seen = self.panels.dock.is_seen(PanelId::Inspect);
        self.panels.dock.show(PanelId::Inspect, true);
        let is_marked = match is_seen {
            true => self.inspector.mark(),
            // The panel has picked nothing yet.
            false => self.mark_crosshair(),
        };
        if !is_marked {
            self.notify(NoticeKind::Warning, "Nothing to mark here.".into());
        }
    }

    /// Selects a kind of shot, and the rocket tool.
    fn take_shot(&mut self, shot: Shot) {
        self.panels.tools.shot = shot;
        self.panels.tools.held.kind = ToolKind::Rocket;
    }

    /// Binds a key to a command, if it is free.
    pub(in crate::app) fn rebind(&mut self, command: KeyCommand, code: KeyCode, ctrl: bool) {
        if keys::leads_on(code, command) {
            return;
        }
        self.rebinding = None;
        if code == KeyCode::Escape && command != KeyCommand::Release {
            return;
        }
        let on = keys::chord(code, ctrl, ctrl && self.modifiers.shift_key());
        if !keys::can_be_chosen(code) || (command.is_held() && !matches!(on, Binding::Key(_))) {
            let text = format!("{} cannot be used for this.", on.name());
            return self.notify(NoticeKind::Warning, text);
        }
        let mut keys = self.keys.clone();
        match keys.bind(command, on) {
            Ok(()) => {
                self.bind(keys);
                let text = format!(
                    "{} is now \u{201c}{}\u{201d}.",
                    on.name(),
                    keys::words(command)
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

    /// Sets the bindings.
    fn bind(&mut self, keys: Bindings) {
        self.key_lines = keys.lines();
        self.preferences.keys = keys.names();
        self.keys = keys;
    }

    /// Sets the program settings.
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
        self.prefer_sound();
        if is_reset {
            self.bind(Bindings::from_names(&self.preferences.keys).0);
        }
    }

    /// Applies the graphics settings, also to a new window or GPU.
    pub(in crate::app) fn prefer_pictures(&mut self) {
        let Some(shell) = &mut self.shell else { return };
        shell.gpu.set_vsync(self.preferences.vsync);
        shell.gpu.set_detail(self.preferences.detail);
    }

    /// Writes the settings file if something has changed.
    pub(in crate::app) fn keep_settings(&mut self, at_once: bool) -> Result<(), String> {
        if !self.config.is_due() && !at_once {
            return Ok(());
        }
        let text = self.preferences.text(&self.panels.dock.text());
        self.config.keep(text, at_once)
    }

    /// Moves the eye near a place, on the side where it is, and looks at it.
    fn fly_near(&mut self, place: glam::DVec3) {
        let Some(play) = &self.play else { return };
        let back = play.sim.player.eye - place;
        let back = back.try_normalize().unwrap_or(glam::DVec3::Z);
        let eye = place + back * NEAR_M;
        self.act(UiCommand::FlyTo(eye));
        self.input.yaw = libm::atan2(back.x, back.z);
        self.input.pitch = libm::atan2(-back.y, libm::hypot(back.x, back.z));
    }

    /// Moves the eye to the position of a line of the level's file.
    fn fly_to_line(&mut self, line: u32) {
        let Some(play) = &self.play else { return };
        match level::position_of_line(&play.sim.level.file, line) {
            Some(place) => {
                self.flight = None;
                // The position may be in rock.
                self.queued.push(Action::NoClip(true));
                self.queued.push(Action::Teleport(place.into()));
            }
            None => self.notify(
                NoticeKind::Warning,
                format!("Line {line} has no position in the level."),
            ),
        }
    }

    /// Scales the blast radius.
    pub(in crate::app) fn scale_blast(&mut self, by: f64) {
        let [least, most] = BLAST_RADII;
        let radius = (self.wanted.blast_radius * by).clamp(least, most);
        self.wanted.blast_radius = radius;
        if self.staged.is_none() {
            self.preferences.world.blast_radius = radius;
        }
    }

    /// Starts loading; the open level stays in play until the new one is complete.
    pub(in crate::app) fn open(&mut self, origin: Origin) {
        let wake = self.wake.clone();
        self.given_up = self.version();
        let settings = self.preferences.world.clone();
        let folder = self.preferences.textures.clone();
        self.loading = Some(Loading::start(origin, settings, folder, None, move || {
            wake()
        }));
    }

    /// Starts loading a scene, with its own settings.
    pub(in crate::app) fn open_scene(&mut self, scene: &'static Scene) {
        let wake = self.wake.clone();
        self.given_up = self.version();
        let folder = self.preferences.textures.clone();
        self.loading = Some(Loading::of_scene(scene, folder, move || wake()));
    }

    /// The version of the open level.
    pub(in crate::app) fn version(&self) -> Option<LevelVersion> {
        let play = self.play.as_ref()?;
        Some(LevelVersion {
            level: self.opened,
            revision: play.sim.world.revision(),
            hash: play.sim.world.hash(),
        })
    }

    /// Takes in the outcomes of the threads.
    pub(in crate::app) fn hear(&mut self) {
        if let Some(result) = self.loading.as_mut().and_then(Loading::poll) {
            self.loading = None;
            match result {
                Ok(loaded) if loaded.kept.is_some() => self.show_reloaded(loaded),
                Ok(loaded) => {
                    let is_unsaved = self.play.as_ref().is_some_and(|play| play.unsaved);
                    match is_unsaved && self.version() != self.given_up {
                        true => self.request(Request::Begin(Box::new(loaded))),
                        false => self.begin(loaded),
                    }
                }
                Err(why) => {
                    self.reload_ends();
                    self.notify(NoticeKind::Refused, why);
                }
            }
        }
        self.hear_file();
        if let Err(why) = self.comparer.poll() {
            self.notify(NoticeKind::Error, format!("Comparison failed: {why}"));
        }
        if let Some(play) = &mut self.play {
            play.thumbnails.poll();
        }
        while let Some(outcome) = self.background.poll() {
            match outcome {
                Outcome::Chosen(FileDialog::Open, Some(path)) => {
                    self.request(Request::Open(path.into()));
                }
                Outcome::Chosen(FileDialog::SaveAs(level), Some(path)) if level == self.opened => {
                    // The dialog has asked about replacing a file of exactly this name.
                    let is_asked = path.extension().is_some();
                    self.save(path, is_asked);
                }
                Outcome::Chosen(FileDialog::SaveAs(_), Some(_)) => {
                    let text = "Not saved: that level is no longer open.";
                    self.notify(NoticeKind::Warning, text.into());
                }
                Outcome::Chosen(FileDialog::SaveClip, Some(path)) => self.save_clip(Some(path)),
                Outcome::Chosen(FileDialog::SaveClip, None) => self.clip_wanted = None,
                Outcome::Chosen(_, None) => self.not_saved(None),
                Outcome::Autosaved(Ok(path)) => {
                    self.notify(NoticeKind::Info, format!("Autosaved {}", path.display()));
                }
                Outcome::Autosaved(Err(why)) => {
                    self.notify(NoticeKind::Warning, format!("Not autosaved: {why}"));
                }
                // Its folder is known, and it has a name of its own.
                Outcome::NoDialog if self.clip_wanted.is_some() => self.save_clip(None),
                Outcome::NoDialog => {
                    self.propose();
                    let text =
                        "No file dialog is available here: type the path into the box on the left.";
                    self.not_saved(Some(text.into()));
                    self.notify(NoticeKind::Warning, text.into());
                }
                Outcome::Saved(result) => self.saved(result),
                Outcome::Clip(news) => self.clip_made(news.made),
                Outcome::Textures(level, found) => self.show_textures(level, found),
                Outcome::Picture(Ok(path)) => {
                    self.notify(NoticeKind::Info, format!("Screenshot: {}", path.display()))
                }
                Outcome::Picture(Err(why)) => {
                    self.notify(NoticeKind::Error, format!("No screenshot: {why}"))
                }
            }
        }
        self.look_after_clip();
    }

    /// Leaves the open level: ends its recording and its thumbnails.
    pub(in crate::app) fn leave(&mut self) {
        self.unstage();
        let Some(mut play) = self.play.take() else {
            return;
        };
        play.finish();
        if let Some(speaker) = &mut self.speaker {
            speaker.forget();
        }
        if let Some(thread) = play.thumbnails.close() {
            self.background.keep(thread);
        }
    }

    /// Replaces the open level by a loaded one.
    pub(in crate::app) fn begin(&mut self, loaded: Loaded) {
        self.leave();
        let Loaded {
            origin,
            scene,
            contents,
            kept,
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
        let verb = if kept.is_some() { "Reloaded" } else { "Opened" };
        let with = kept.as_ref().map_or(String::new(), KeptChanges::words);
        let kept = kept.unwrap_or_default();
        self.report = report;
        for warning in warnings {
            self.notify(NoticeKind::Warning, warning);
        }
        let journal = Journal::begin(&self.folders.recordings(), timeline.recording());
        let journal = journal
            .map_err(|why| self.notify(NoticeKind::Warning, format!("Not recorded: {why}")))
            .ok();
        let mut play = Play::new(origin.clone(), sim, sizes, timeline, kept, journal);
        play.show_textures(textures);
        play.marks = marks;
        shots
            .into_iter()
            .for_each(|shot| play.thumbnails.draw(shot));
        self.input.yaw = play.sim.player.yaw;
        self.input.pitch = play.sim.player.pitch;
        self.wanted = play.sim.settings.clone();
        self.opened += 1;
        self.queued.clear();
        self.target_change = None;
        self.steps_back = 0;
        self.flight = None;
        self.walk = None;
        self.seer = None;
        self.comparer.forget();
        self.panels.map = Default::default();
        self.panels.timeline = Default::default();
        self.panels.tools.marks.clear();
        self.panels.tools.tool.aimed = None;
        self.inspector = Default::default();
        self.held_tool = Default::default();
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
        self.watch_file(contents);
        self.notify(
            NoticeKind::Opened,
            format!("{verb} {} in {ms:.0} ms{with}", origin.title()),
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
        // The texture folder may have changed meanwhile.
        self.prefer_textures();
        if let Some(scene) = scene {
            self.stage(scene);
        }
    }
}
