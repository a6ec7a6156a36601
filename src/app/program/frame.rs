//! One frame: due ticks, panels, drawing.
use super::App;
use crate::app::confirmation::PendingConfirmation;
use crate::app::gpu::{Acquired, Gpu, PanelFrame};
use crate::app::keys::KeyCommand;
use crate::app::loader::file_name;
use crate::app::pending_reload::PendingReload;
use crate::app::play::Play;
use crate::app::shell::{Shell, make_egui};
use crate::sim::{Action, Command};
use crate::timing::{Marker, Stage};
use crate::ui::{NoticeKind, PanelId, PreviewMode, UiCommand, UiState};
use crate::view::{self, Camera, Overlays, Snapshot};
use glam::DVec2;
use std::time::Instant;
use winit::dpi::PhysicalPosition;
use winit::event_loop::ActiveEventLoop;

/// With software rendering, untouched panels are redrawn at this interval.
const PANELS_REST_SECS: f32 = 0.07;
/// Panels are laid out in no less than this, points: in smaller windows egui's own sums become negative, and it panics.
const LEAST: egui::Vec2 = egui::vec2(320.0, 200.0);
/// Longer frame times are pauses and do not count for the frame rate, seconds.
const LONGEST_FRAME: f64 = 1.0;

impl App {
    /// Ticks, then draws.
    pub(in crate::app) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let frame_secs = f64::from(self.redraw.since_drawn_secs());
        // A pause says nothing about the frame rate.
        if frame_secs < LONGEST_FRAME {
            self.frame_secs += (frame_secs - self.frame_secs) * 0.05;
        }
        self.recorder.begin_frame();
        self.advance();
        if let Err(why) = self.draw(event_loop) {
            self.fatal = Some(why);
            event_loop.exit();
        }
        self.recorder.end_frame();
        self.look_at_frame();
        self.bench_frame();
        self.set_title();
    }

    /// Runs the ticks that are due by wall time.
    pub(in crate::app) fn advance(&mut self) {
        self.hear();
        self.take_steps_back();
        self.look_after_sound();
        self.hold_album();
        self.autosave();
        self.look_after_recording();
        if let Err(why) = self.keep_settings(false) {
            self.notify(NoticeKind::Warning, why);
        }
        let now = Instant::now();
        let wall_secs = now.duration_since(self.last_frame).as_secs_f64();
        self.last_frame = now;
        self.hear_pad(wall_secs);
        let Some(play) = &self.play else { return };
        let changed = !self.queued.is_empty()
            || self.target_change.is_some()
            || self.wanted != play.sim.settings;
        let changed = changed || self.held_tool.fires();
        if self.clock.paused && changed {
            self.clock.step();
        }
        for _ in 0..self.clock.advance(wall_secs) {
            self.tick();
            self.hear_tick();
        }
    }

    /// With software rendering, thumbnails wait until they are visible or nothing moves.
    fn hold_album(&mut self) {
        let is_slow = self.shell.as_ref().is_some_and(|s| s.gpu.software());
        let is_seen = self.panels.dock.is_seen(PanelId::History);
        if let Some(play) = &mut self.play {
            let is_busy = !play.sim.is_still() && !self.clock.paused;
            play.thumbnails.hold(is_slow && is_busy && !is_seen);
        }
    }

    /// Runs one tick with all queued actions.
    pub(in crate::app) fn tick(&mut self) {
        let by_hand = self.tool_actions();
        let flown = self.flown();
        let Some(play) = &self.play else { return };
        let mut actions = Vec::new();
        if self.wanted != play.sim.settings {
            actions.push(Action::Set(Box::new(self.wanted.clone())));
        }
        actions.extend(by_hand);
        actions.extend(self.prepared());
        actions.append(&mut self.queued);
        actions.extend(flown);
        let on_the_way = self.next_changes(!actions.is_empty());
        actions.extend(on_the_way);
        let command = Command {
            walk: self.input.walk(),
            yaw: self.input.yaw,
            pitch: self.input.pitch,
            jump: self.input.take_jump(),
            fast: self.input.is_down(KeyCommand::Fast),
            crouch: self.input.is_down(KeyCommand::Down),
            actions,
        };
        self.input.ticked();
        if self.tick_again(&command) {
            return;
        }
        let Some(play) = &mut self.play else { return };
        let recorded = play.tick(&command, &mut self.recorder);
        // A teleport turns the player.
        if play.sim.player.yaw != command.yaw {
            self.input.yaw = play.sim.player.yaw;
        }
        // The simulation clamps settings to their ranges.
        self.wanted = play.sim.settings.clone();
        let (notices, messages) = (play.notices().to_vec(), play.messages().to_vec());
        for notice in notices {
            self.notify(NoticeKind::Warning, notice);
        }
        for message in messages {
            self.notify(NoticeKind::Info, message);
        }
        if let Err(why) = recorded {
            self.notify(
                NoticeKind::Warning,
                format!("Recording stopped: {}", crate::files::reason(&why)),
            );
        }
    }

    /// The inspected pixel: the centre while captured, otherwise under the pointer, if that is on the 3-D view.
    fn looked_at(&self, size: [u32; 2]) -> Option<DVec2> {
        if self.input.captured {
            return Some(DVec2::from(size.map(f64::from)) * 0.5);
        }
        let shell = self.shell.as_ref().filter(|_| !self.over_panel())?;
        let [left, top, ..] = self.picture_part()?;
        let corner = DVec2::new(f64::from(left), f64::from(top));
        Some(DVec2::new(shell.pointer.x, shell.pointer.y) - corner)
    }

    /// The 3-D view in the window: left, top, width, height, pixels. None while a panel covers it.
    fn picture_part(&self) -> Option<[u32; 4]> {
        let shell = self.shell.as_ref()?;
        let scale = shell.egui.egui_ctx().pixels_per_point();
        let [width, height] = shell.gpu.size().map(|side| side as f32);
        let picture = shell.picture? * scale;
        let (left, right) = (
            picture.left().max(0.0).round(),
            picture.right().min(width).round(),
        );
        let (top, bottom) = (
            picture.top().max(0.0).round(),
            picture.bottom().min(height).round(),
        );
        let part = [left, top, right - left, bottom - top];
        // In a window smaller than its panels nothing of the view may be left.
        let is_seen = left < right && top < bottom;
        is_seen.then(|| part.map(|side| side as u32))
    }

    /// A snapshot for a picture of this size.
    pub(in crate::app) fn snapshot(&mut self, size: [u32; 2]) -> Option<Snapshot> {
        let mode = self.panels.tools.preview_mode;
        let wanted = (mode != PreviewMode::Off).then(|| {
            let fill = mode == PreviewMode::Fill;
            (fill, self.panels.tools.wanted(fill))
        });
        if let Some(play) = &mut self.play {
            play.preview.update(
                &mut play.sim,
                wanted,
                self.preferences.palette,
                &self.recorder,
            );
        }
        let pixel = self.looked_at(size);
        let play = self.play.as_ref()?;
        if let Some((walk, step)) = &mut self.walk {
            walk.update(&play.sim.world);
            *step = (*step).min(walk.steps.len().saturating_sub(1));
        }
        let alpha = self.clock.alpha();
        let eye = play.eye(alpha);
        let [yaw, pitch] = view::camera_shake(&play.sim, eye, alpha);
        let camera = Camera {
            eye,
            yaw: self.input.yaw + yaw,
            pitch: self.input.pitch + pitch,
            fov_y: self.preferences.view.to_radians(),
            aspect: f64::from(size[0]) / f64::from(size[1].max(1)),
        };
        self.camera_drawn = Some(camera);
        self.recorder.begin(Stage::Visibility);
        let seer = match self.overlays.frozen {
            true => *self.seer.get_or_insert(camera),
            false => {
                self.seer = None;
                camera
            }
        };
        let cache = &mut self.visibility_cache;
        cache
            .fences
            .set_materials(play.level_textures.textures.has_holes());
        let palette = self.preferences.palette;
        let overlays = Overlays {
            palette,
            ..self.overlays
        };
        let mut snapshot =
            view::snapshot_seen_from(&play.sim, camera, seer, overlays, alpha, cache);
        snapshot.lines.extend_from_slice(play.preview.lines());
        snapshot.lines.extend(self.held_tool.lines(&palette.inks()));
        if let Some((walk, step)) = &self.walk {
            snapshot.lines.extend(walk.lines(*step, palette));
        }
        self.recorder.end(Stage::Visibility);
        if self.panels.dock.is_seen(PanelId::Inspect) {
            let size = DVec2::from(size.map(f64::from));
            let inks = palette.inks();
            self.inspector.look(&play.sim, &camera, pixel, size, &inks);
            snapshot.lines.extend_from_slice(self.inspector.lines());
        }
        if let Some(speaker) = self.speaker.as_ref().filter(|_| overlays.sound) {
            let sources = speaker.ear().sources();
            snapshot.lines.extend(view::sound_lines(sources, palette));
        }
        self.look_at_structures(&mut snapshot);
        let play = self.play.as_ref()?;
        if self.panels.dock.is_seen(PanelId::Map) {
            let rooms = snapshot.rooms.iter().map(|room| room.id);
            self.map.look(&play.sim, &self.panels.map, rooms);
        }
        if self.panels.dock.is_seen(PanelId::Trees) {
            self.trees.measure(&play.sim, self.panels.trees.aside);
        }
        Some(snapshot)
    }

    /// Goes on with the look at the structure under the pointer or the crosshair, and draws what is known.
    fn look_at_structures(&mut self, snapshot: &mut Snapshot) {
        let inspects = self.panels.dock.is_seen(PanelId::Inspect);
        let Overlays { stress, bonds, .. } = self.overlays;
        let Some(play) = &mut self.play else { return };
        if !(inspects || stress || bonds) {
            return;
        }
        self.recorder.begin(Stage::Structure);
        let face = match inspects {
            true => self.inspector.face(),
            false => play.crosshair().map(|hit| (hit.point, hit.normal)),
        };
        play.structures.look(&play.sim, face, view::LOOK_UNITS);
        if inspects {
            self.inspector.look_at_load(&play.sim, &play.structures);
            snapshot.lines.extend(self.inspector.load_lines());
        }
        if bonds {
            let lines = play.structures.bond_lines(&play.sim, snapshot.camera.eye);
            snapshot.lines.extend(lines);
        }
        if stress {
            snapshot.stress = play.structures.stress(&play.sim);
        }
        self.recorder.end(Stage::Structure);
    }

    /// Draws the frame if there is a surface. An error is fatal.
    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), String> {
        let Some(shell) = &mut self.shell else {
            return Ok(());
        };
        let texture = match shell.gpu.acquire() {
            Acquired::Frame(texture) => texture,
            Acquired::Skip => return Ok(()),
            Acquired::Lost => return self.renew_gpu(event_loop),
        };
        self.redraw.picture_begins();
        let reloaded = self.shaders.changed().then(|| shell.gpu.reload());
        if let Some(reloaded) = reloaded {
            match reloaded {
                Ok(()) => self.notify(NoticeKind::Info, "Shaders reloaded.".into()),
                Err(why) => {
                    self.notify(NoticeKind::Error, format!("Keeping the old shaders: {why}"))
                }
            }
        }
        let part = self.picture_part();
        let is_wanted = std::mem::take(&mut self.picture_wanted);
        let size = match (part, &self.shell) {
            (Some([.., width, height]), _) => [width, height],
            // A panel covers the view: the screenshot has the window's size.
            (None, Some(shell)) if is_wanted => shell.gpu.size(),
            (None, _) => [1, 1],
        };
        let snapshot = self.snapshot(size);
        if is_wanted && let Some(snapshot) = &snapshot {
            let play = self.play.as_ref();
            let textures = play.map(|play| play.level_textures.textures.clone());
            let textures = textures.unwrap_or_default();
            self.background
                .picture(snapshot.clone(), size, &self.folders, textures);
        }
        self.recorder.begin(Stage::Panel);
        if !self.keeps_panels() {
            self.kept_panels = self.panels(snapshot.as_ref());
            self.panels_stale = false;
            // The view has moved: this frame shows the old position.
            if self.picture_part() != part {
                self.panels_stale = true;
                self.redraw.news();
            }
        }
        self.recorder.end(Stage::Panel);
        if let Some(shell) = &mut self.shell {
            // The textures of the drawn level.
            if let Some(play) = &self.play {
                shell.gpu.show_textures(&play.level_textures.textures);
            }
            shell.gpu.draw(
                texture,
                snapshot.as_ref().zip(part),
                &mut self.kept_panels,
                &mut self.recorder,
            );
            let fault = shell.gpu.take_fault();
            self.pass_ms = shell.gpu.pass_ms();
            let middle = shell.gpu.size();
            if self.input.captured && shell.recentre {
                // A confined pointer must not stop at an edge.
                let middle = middle.map(|side| f64::from(side / 2));
                let away = [shell.pointer.x - middle[0], shell.pointer.y - middle[1]];
                if away.iter().any(|off| off.abs() >= 1.0) {
                    let middle = PhysicalPosition::new(middle[0], middle[1]);
                    let _ = shell.window.set_cursor_position(middle);
                }
            }
            if let Some(fault) = fault {
                self.notify(NoticeKind::Error, format!("Graphics driver error: {fault}"));
            }
        }
        Ok(())
    }

    /// Rebuilds everything on a lost device.
    fn renew_gpu(&mut self, event_loop: &ActiveEventLoop) -> Result<(), String> {
        let Some(shell) = self.shell.take() else {
            return Ok(());
        };
        // Some systems allow one surface per window at a time.
        drop(shell.gpu);
        let display = event_loop.owned_display_handle();
        let gpu = Gpu::new(
            shell.window.clone(),
            display,
            self.preferences.detail,
            self.presented.clone(),
        )?;
        // Fonts must be uploaded again.
        let egui = make_egui(&shell.window, &gpu, &self.preferences);
        let shell = Shell { gpu, egui, ..shell };
        shell.scale_panels(self.preferences.scale);
        self.shell = Some(shell);
        self.panels_stale = true;
        self.prefer_pictures();
        Ok(())
    }

    /// The panels of the last frame will do: with software rendering, untouched panels update a few times a second.
    fn keeps_panels(&self) -> bool {
        let is_slow = self.shell.as_ref().is_some_and(|s| s.gpu.software());
        is_slow && !self.panels_stale && self.redraw.since_drawn_secs() < PANELS_REST_SECS
    }

    /// Runs the panels and carries out their commands.
    fn panels(&mut self, snapshot: Option<&Snapshot>) -> PanelFrame {
        let Some(shell) = &mut self.shell else {
            return PanelFrame::default();
        };
        let mut input = shell.egui.take_egui_input(&shell.window);
        // Messages age during pauses, too.
        if self.notices.is_empty() {
            input.predicted_dt = self.redraw.since_drawn_secs().clamp(1.0 / 240.0, 60.0);
        }
        let ctx = shell.egui.egui_ctx().clone();
        let (output, commands, picture) = self.run_panels(&ctx, input, snapshot);
        let root = output.viewport_output.get(&egui::ViewportId::ROOT);
        self.redraw
            .panels_drawn(root.map_or(std::time::Duration::MAX, |root| root.repaint_delay));
        if let Some(shell) = &mut self.shell {
            shell.picture = picture;
            // While captured egui must not show the pointer.
            if !self.input.captured {
                shell
                    .egui
                    .handle_platform_output(&shell.window, output.platform_output);
            }
        }
        let frame = PanelFrame {
            primitives: ctx.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        };
        self.follow_panels(commands, picture);
        frame
    }

    /// Carries out the commands of the panels, and ends what they hide.
    pub(in crate::app) fn follow_panels(
        &mut self,
        commands: Vec<UiCommand>,
        picture: Option<egui::Rect>,
    ) {
        for command in commands {
            self.act(command);
        }
        if !self.panels.dock.is_seen(PanelId::Keys) {
            // The prompt for a new key is no longer visible.
            self.rebinding = None;
        }
        if picture.is_none() && self.input.captured {
            // A covered view cannot be aimed at.
            self.release();
        }
    }

    /// Draws the panels of the current state. Returns their output, their commands, and the picture's rectangle, None while
    /// a panel covers it.
    pub(in crate::app) fn run_panels(
        &mut self,
        ctx: &egui::Context,
        mut input: egui::RawInput,
        snapshot: Option<&Snapshot>,
    ) -> (egui::FullOutput, Vec<UiCommand>, Option<egui::Rect>) {
        input.screen_rect = input
            .screen_rect
            .map(|rect| egui::Rect::from_min_size(rect.min, rect.size().max(LEAST)));
        let brush = self.shape_handles();
        let scene = self.scene_said();
        let play = self.play.as_ref();
        self.counts = play.map(|p| p.counts(snapshot)).unwrap_or_default();
        let name = play.map(Play::name).unwrap_or_default();
        let recover = self.recover.as_ref();
        let recover = recover.map(|left| (file_name(left.path()), left.note()));
        let history = self.panels.dock.is_seen(PanelId::History);
        let changes = play.filter(|_| history).map(Play::changes);
        let state = UiState {
            level: &name,
            scene,
            origin: play.map(|p| &p.origin),
            unsaved: play.is_some_and(|p| p.unsaved),
            open: play.is_some(),
            loading: self.loading.as_ref().map(|l| l.progress.as_str()),
            dialog_waits: self.background.dialog_waits(),
            levels: &self.levels,
            settings: &self.wanted,
            camera: play.map(Play::camera).unwrap_or_default(),
            paused: self.clock.paused,
            slow: self.slow,
            tick: play.map_or(0, |p| p.sim.tick),
            dropped_secs: self.clock.dropped_secs,
            frames_per_second: 1.0 / self.frame_secs.max(1e-4),
            overlays: self.overlays,
            counts: self.counts,
            history: play.map_or([0; 2], |p| {
                [p.sim.history.undo_steps(), p.sim.history.redo_steps()]
            }),
            recorded: play.map(Play::recorded).unwrap_or_default(),
            marks: play.map(|p| p.marks.all()).unwrap_or_default(),
            changes: changes.as_deref().unwrap_or_default(),
            comparing: self.comparer.state(),
            clip: self.clip.as_ref().map(|clip| (&*clip.path, clip.part())),
            worst: (self.worst.0, self.worst.1.as_ref()),
            chip: play.and_then(|p| p.chip.as_ref()),
            preview: play.and_then(|p| p.preview.chip()),
            structure: play.map(Play::structure).unwrap_or_default(),
            carving: play.and_then(|p| p.sim.carving()),
            captured: self.input.captured,
            charging: self.held_tool.charging(),
            recorder: &self.recorder,
            pass_ms: self
                .pass_ms
                .map(|ms| crate::render::PASSES.into_iter().zip(ms).collect()),
            trees: self.trees.table(),
            inspected: Some(&self.inspector.found),
            map: play.and_then(|p| self.map.state(&p.sim)),
            keys: &self.key_lines,
            rebinding: self.rebinding,
            preferences: &self.preferences,
            settings_file: &self.settings_file,
            report: play.map(|_| &self.report),
            confirmation: self.confirmation.as_ref().map(PendingConfirmation::state),
            miss: play.and_then(Play::miss),
            brush,
            probes: &self.held_tool.results,
            notices: &self.notices,
            reload: self.reload.and_then(PendingReload::asked_about),
            leaks: play.is_some_and(|p| p.sim.world.sealed == Some(false)),
            flying_out: self.flight.is_some(),
            walk: self.walk.as_ref().map(|(walk, step)| (walk, *step)),
            flash: play.map_or(0.0, |p| p.flash(self.clock.alpha())),
            fault: self.fault.as_ref().map(|fault| {
                let report = fault.report.as_deref().map_err(String::as_str);
                (fault.what.as_str(), report)
            }),
            recover: recover
                .as_ref()
                .map(|(name, note)| (name.as_str(), note.as_deref())),
        };
        let (mut commands, mut picture) = (Vec::new(), None);
        let panels = &mut self.panels;
        let output = ctx.run_ui(input, |ui| {
            let (pressed, rect) = panels.ui(ui, &state);
            commands.extend(pressed);
            picture = rect;
        });
        self.notices.clear();
        (output, commands, picture)
    }

    fn set_title(&mut self) {
        let Some(shell) = &self.shell else { return };
        let level = self.play.as_ref().map_or(String::new(), |p| {
            format!(
                "{}{} · ",
                if p.unsaved { "● " } else { "" },
                p.origin.title()
            )
        });
        let note = if shell.gpu.software() {
            " (software graphics)"
        } else {
            ""
        };
        let title = format!("{level}Breach{note}");
        if title != self.title {
            shell.window.set_title(&title);
            self.title = title;
        }
    }
}
