//! One frame: ticks that are due, panels, picture.
use super::App;
use super::gpu::{Acquired, Gpu, PanelFrame};
use super::keys::Does;
use super::loader::file_name;
use super::play::Play;
use super::shell::{Shell, make_egui};
use super::unsaved::Question;
use crate::sim::{Action, Command};
use crate::timing::{Marker, Stage};
use crate::ui::{Aim, NoticeKind, PanelId, Shown};
use crate::view::{self, Camera, Overlays, Snapshot};
use glam::DVec2;
use std::time::Instant;
use winit::dpi::PhysicalPosition;
use winit::event_loop::ActiveEventLoop;

/// Panels that nobody touches stay as they are for so long where a processor draws.
const PANELS_REST_SECS: f32 = 0.07;
/// Pictures farther apart than this, seconds, are no stream of them.
const LONGEST_FRAME: f64 = 1.0;

impl App {
    /// Ticks, then draws.
    pub(super) fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let frame_secs = f64::from(self.due.since_drawn_secs());
        // After a rest there is no rate to speak of.
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

    /// Runs the ticks that wall time owes the world.
    pub(super) fn advance(&mut self) {
        self.hear();
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
        let changed =
            !self.queued.is_empty() || self.going.is_some() || self.wanted != play.sim.settings;
        let changed = changed || self.hand.fires();
        if self.clock.paused && changed {
            self.clock.step();
        }
        for _ in 0..self.clock.advance(wall_secs) {
            self.tick();
        }
    }

    /// Where a processor draws, the small pictures of changes wait until somebody looks at them or nothing moves.
    fn hold_album(&mut self) {
        let is_slow = self.shell.as_ref().is_some_and(|s| s.gpu.software());
        let is_seen = self.panels.dock.is_seen(PanelId::History);
        if let Some(play) = &mut self.play {
            let is_busy = !play.sim.is_still() && !self.clock.paused;
            play.album.hold(is_slow && is_busy && !is_seen);
        }
    }

    /// One tick with all that was asked for.
    pub(super) fn tick(&mut self) {
        let by_hand = self.hand_tick();
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
            fast: self.input.is_down(Does::Fast),
            crouch: self.input.is_down(Does::Down),
            actions,
        };
        self.input.ticked();
        if self.tick_again(&command) {
            return;
        }
        let Some(play) = &mut self.play else { return };
        let recorded = play.tick(&command, &mut self.recorder);
        // What the simulation made of it: numbers out of range come back in range.
        self.wanted = play.sim.settings.clone();
        for notice in play.notices().to_vec() {
            self.notify(NoticeKind::Warning, notice);
        }
        if let Err(why) = recorded {
            self.notify(
                NoticeKind::Warning,
                format!("Recording stopped: {}", crate::files::reason(&why)),
            );
        }
    }

    /// The pixel that is inspected: the middle while captured, else under the pointer, if that is on the picture.
    fn looked_at(&self, size: [u32; 2]) -> Option<DVec2> {
        if self.input.captured {
            return Some(DVec2::from(size.map(f64::from)) * 0.5);
        }
        let shell = self.shell.as_ref().filter(|_| !self.over_panel())?;
        let [left, top, ..] = self.picture_part()?;
        let corner = DVec2::new(f64::from(left), f64::from(top));
        Some(DVec2::new(shell.pointer.x, shell.pointer.y) - corner)
    }

    /// Where the picture is in the window: left, top, width, height, pixels. None while a panel covers it.
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
        let part = [left, top, (right - left).max(1.0), (bottom - top).max(1.0)];
        Some(part.map(|side| side as u32))
    }

    /// What a picture of this size shows now.
    pub(super) fn snapshot(&mut self, size: [u32; 2]) -> Option<Snapshot> {
        let aim = self.panels.tools.aim;
        let wanted = (aim != Aim::Off).then(|| {
            let fill = aim == Aim::Fill;
            (fill, self.panels.tools.wanted(fill))
        });
        if let Some(play) = &mut self.play {
            play.foresee(wanted, self.preferences.palette, &self.recorder);
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
            .set_materials(play.pictured.textures.has_holes());
        let palette = self.preferences.palette;
        let overlays = Overlays {
            palette,
            ..self.overlays
        };
        let mut snapshot =
            view::snapshot_seen_from(&play.sim, camera, seer, overlays, alpha, cache);
        snapshot.lines.extend_from_slice(play.foreseen_lines());
        snapshot.lines.extend(self.hand.lines(&palette.inks()));
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
        if self.panels.dock.is_seen(PanelId::Map) {
            let rooms = snapshot.rooms.iter().map(|room| room.id);
            self.map.look(&play.sim, &self.panels.map, rooms);
        }
        if self.panels.dock.is_seen(PanelId::Trees) {
            self.trees.measure(&play.sim, self.panels.trees.aside);
        }
        Some(snapshot)
    }

    /// Draws, if there is something to draw to. The error is one that the program cannot live with.
    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), String> {
        let Some(shell) = &mut self.shell else {
            return Ok(());
        };
        let texture = match shell.gpu.acquire() {
            Acquired::Frame(texture) => texture,
            Acquired::Skip => return Ok(()),
            Acquired::Lost => return self.renew_gpu(event_loop),
        };
        self.due.picture_begins();
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
            // A panel covers the picture: one of the window's size can be written all the same.
            (None, Some(shell)) if is_wanted => shell.gpu.size(),
            (None, _) => [1, 1],
        };
        let snapshot = self.snapshot(size);
        if is_wanted && let Some(snapshot) = &snapshot {
            let play = self.play.as_ref();
            let textures = play.map(|play| play.pictured.textures.clone());
            let textures = textures.unwrap_or_default();
            self.background
                .picture(snapshot.clone(), size, &self.places, textures);
        }
        self.recorder.begin(Stage::Panel);
        if !self.keeps_panels() {
            self.kept_panels = self.panels(snapshot.as_ref());
            self.panels_stale = false;
            // The picture has another place now: this one is of the old.
            if self.picture_part() != part {
                self.panels_stale = true;
                self.due.news();
            }
        }
        self.recorder.end(Stage::Panel);
        if let Some(shell) = &mut self.shell {
            // Those of the level that is drawn, whichever the card has.
            if let Some(play) = &self.play {
                shell.gpu.show_textures(&play.pictured.textures);
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
                // Where the pointer is only confined it must not stop at an edge.
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

    /// Everything on the device is gone; the world is not.
    fn renew_gpu(&mut self, event_loop: &ActiveEventLoop) -> Result<(), String> {
        let Some(shell) = self.shell.take() else {
            return Ok(());
        };
        // Before another one comes: some systems give a window one surface at a time.
        drop(shell.gpu);
        let display = event_loop.owned_display_handle();
        let gpu = Gpu::new(
            shell.window.clone(),
            display,
            self.preferences.detail,
            self.presented.clone(),
        )?;
        // Fonts must be sent again.
        let egui = make_egui(&shell.window, &gpu, &self.preferences);
        let shell = Shell { gpu, egui, ..shell };
        shell.scale_panels(self.preferences.scale);
        self.shell = Some(shell);
        self.panels_stale = true;
        self.prefer_pictures();
        Ok(())
    }

    /// The panels of the last picture will do: where a processor draws, and nobody touches anything, their numbers and graphs
    /// change some times a second only.
    fn keeps_panels(&self) -> bool {
        let is_slow = self.shell.as_ref().is_some_and(|s| s.gpu.software());
        is_slow && !self.panels_stale && self.due.since_drawn_secs() < PANELS_REST_SECS
    }

    /// Runs the panels and does what was pressed.
    fn panels(&mut self, snapshot: Option<&Snapshot>) -> PanelFrame {
        let brush = self.brush_shown();
        let scene = self.scene_said();
        let Some(shell) = &mut self.shell else {
            return PanelFrame::default();
        };
        let play = self.play.as_ref();
        self.counts = play.map(|p| p.counts(snapshot)).unwrap_or_default();
        let name = play.map(Play::name).unwrap_or_default();
        let recover = self.recover.as_ref();
        let recover = recover.map(|left| (file_name(left.path()), left.note()));
        let history = self.panels.dock.is_seen(PanelId::History);
        let changes = play.filter(|_| history).map(Play::changes);
        let shown = Shown {
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
            comparing: self.comparer.shown(),
            worst: (self.worst.0, self.worst.1.as_ref()),
            chip: play.and_then(|p| p.chip.as_ref()),
            preview: play.and_then(Play::foreseen),
            carving: play.and_then(|p| p.sim.carving()),
            captured: self.input.captured,
            charging: self.hand.charging(),
            recorder: &self.recorder,
            pass_ms: self
                .pass_ms
                .map(|ms| crate::render::PASSES.into_iter().zip(ms).collect()),
            trees: self.trees.table(),
            inspected: Some(&self.inspector.found),
            map: play.and_then(|p| self.map.shown(&p.sim)),
            keys: &self.key_lines,
            rebinding: self.rebinding,
            preferences: &self.preferences,
            settings_file: &self.settings_file,
            report: play.map(|_| &self.report),
            unsaved_question: self.question.as_ref().map(Question::shown),
            miss: play.and_then(Play::miss),
            brush,
            probes: &self.hand.said,
            notices: &self.notices,
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
        let mut input = shell.egui.take_egui_input(&shell.window);
        // Messages that are there count the time of a rest, too.
        if self.notices.is_empty() {
            input.predicted_dt = self.due.since_drawn_secs().clamp(1.0 / 240.0, 60.0);
        }
        let ctx = shell.egui.egui_ctx().clone();
        let (mut actions, mut picture) = (Vec::new(), None);
        let panels = &mut self.panels;
        let output = ctx.run_ui(input, |ui| {
            let (pressed, rect) = panels.ui(ui, &shown);
            actions.extend(pressed);
            picture = rect;
        });
        shell.picture = picture;
        let root = output.viewport_output.get(&egui::ViewportId::ROOT);
        self.due
            .panels_drawn(root.map_or(std::time::Duration::MAX, |root| root.repaint_delay));
        self.notices.clear();
        // While captured the pointer is ours: egui would show it again.
        if !self.input.captured {
            shell
                .egui
                .handle_platform_output(&shell.window, output.platform_output);
        }
        let frame = PanelFrame {
            primitives: ctx.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        };
        for action in actions {
            self.act(action);
        }
        if !self.panels.dock.is_seen(PanelId::Keys) {
            // Nobody sees any more that a key is awaited.
            self.rebinding = None;
        }
        if picture.is_none() && self.input.captured {
            // What cannot be seen cannot be aimed at.
            self.release();
        }
        frame
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
