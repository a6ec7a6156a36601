//! Window events: mouse, keys, resizing, redraws.
use super::App;
use crate::app::confirmation::Request;
use crate::app::gpu::Loss;
use crate::app::keys::{self, KeyCommand};
use crate::app::wake::Wake;
use crate::ui::{NoticeKind, UiCommand};
use winit::application::ApplicationHandler;
use winit::event::{
    DeviceEvent, DeviceId, ElementState, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{CursorGrabMode, WindowId};

impl App {
    /// Captures the mouse: locks the pointer if possible, otherwise confines it and recentres it each frame.
    pub(in crate::app) fn capture(&mut self) {
        let Some(shell) = &mut self.shell else { return };
        let window = &shell.window;
        let locked = window.set_cursor_grab(CursorGrabMode::Locked);
        shell.recentre = locked.is_err();
        let grabbed = locked.or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined));
        window.set_cursor_visible(false);
        shell
            .egui
            .egui_input_mut()
            .events
            .push(egui::Event::PointerGone);
        shell.egui.egui_ctx().memory_mut(|m| {
            if let Some(id) = m.focused() {
                m.surrender_focus(id);
            }
        });
        self.input.captured = true;
        self.rebinding = None;
        if grabbed.is_err() {
            self.notify(
                NoticeKind::Warning,
                "The mouse cannot be captured here.".into(),
            );
        }
    }

    /// Releases the mouse. Always works.
    pub(in crate::app) fn release(&mut self) {
        self.input.captured = false;
        self.input.clear();
        self.held_tool.rest();
        if let Some(shell) = &self.shell {
            let _ = shell.window.set_cursor_grab(CursorGrabMode::None);
            shell.window.set_cursor_visible(true);
        }
    }

    fn is_asked_to_quit(&self) -> bool {
        let confirmation = self.confirmation.as_ref();
        confirmation.is_some_and(|confirmation| matches!(confirmation.request, Some(Request::Quit)))
    }

    /// Whether the pointer is over a panel, from its current position rather than the last frame's.
    pub(in crate::app) fn over_panel(&self) -> bool {
        let Some(shell) = &self.shell else {
            return false;
        };
        let ctx = shell.egui.egui_ctx();
        let points = shell
            .pointer
            .to_logical::<f32>(f64::from(ctx.pixels_per_point()));
        let at = egui::pos2(points.x, points.y);
        ctx.egui_is_using_pointer()
            || match ctx.layer_id_at(at) {
                Some(layer) if layer.order != egui::Order::Background => true,
                _ => shell.picture.is_none_or(|picture| !picture.contains(at)),
            }
    }

    pub(in crate::app) fn mouse_button(&mut self, button: MouseButton, state: ElementState) {
        let is_down = state == ElementState::Pressed;
        self.take_steps_back();
        match button {
            MouseButton::Left if !is_down => return self.release_tool(),
            MouseButton::Right if is_down => return self.throw_carried(),
            MouseButton::Left if self.play.is_some() => {}
            _ => return,
        }
        if self.input.captured {
            self.press_tool();
        } else if !self.over_panel() && !self.is_asking() {
            self.capture();
        }
    }

    fn wheel(&mut self, delta: MouseScrollDelta) {
        let lines = match delta {
            MouseScrollDelta::LineDelta(_, y) => f64::from(y),
            MouseScrollDelta::PixelDelta(p) => p.y / 40.0,
        };
        if self.input.captured && lines.is_finite() {
            self.scale_blast(libm::pow(1.1, lines.clamp(-10.0, 10.0)));
        }
    }

    /// A held command was pressed or released.
    pub(in crate::app) fn hold(&mut self, command: KeyCommand, is_down: bool) {
        self.input.hold(command, is_down && !self.is_asking());
    }

    fn key(&mut self, event: &winit::event::KeyEvent, typing: bool) {
        let PhysicalKey::Code(code) = event.physical_key else {
            return;
        };
        let ctrl = self.modifiers.control_key() || self.modifiers.super_key();
        if event.state == ElementState::Released {
            if let Some(command) = self.keys.held(code) {
                self.hold(command, false);
            }
            return;
        }
        if code == KeyCode::Escape && self.input.captured {
            return self.release();
        }
        if let Some(command) = self.rebinding {
            return self.rebind(command, code, ctrl);
        }
        // Simulated losses for tests/window_states.sh, since real ones are rare.
        if cfg!(debug_assertions) && ctrl && self.modifiers.shift_key() {
            match (code, &mut self.shell) {
                (KeyCode::F11, Some(shell)) => shell.gpu.lose(Loss::Surface),
                (KeyCode::F12, Some(shell)) => shell.gpu.lose(Loss::Device),
                _ => {}
            }
        }
        let Some(command) = self.keys.find(code, ctrl, self.modifiers.shift_key()) else {
            return;
        };
        // A focused text box gets all keys that could be typed.
        if typing && !keys::passes_text(code) {
            return;
        }
        if command == KeyCommand::StepBack && !self.is_asking() {
            self.steps_back += 1;
            return;
        }
        self.take_steps_back();
        if command.is_held() {
            self.hold(command, true);
        } else if !event.repeat
            || matches!(
                command,
                KeyCommand::Step | KeyCommand::SmallerBlast | KeyCommand::LargerBlast
            )
        {
            self.press(command);
        }
    }

    fn event(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        let is_asked_to_quit = self.is_asked_to_quit();
        let Some(shell) = &mut self.shell else { return };
        let typing = !self.input.captured && shell.egui.egui_ctx().text_edit_focused();
        let for_game = matches!(
            event,
            WindowEvent::KeyboardInput { .. }
                | WindowEvent::CursorMoved { .. }
                | WindowEvent::MouseInput { .. }
                | WindowEvent::MouseWheel { .. }
                | WindowEvent::Ime(_)
        );
        if !(self.input.captured && for_game) && event != WindowEvent::RedrawRequested {
            let _ = shell.egui.on_window_event(&shell.window, &event);
        }
        match event {
            // Closing again while the confirmation is pending quits.
            WindowEvent::CloseRequested if is_asked_to_quit => event_loop.exit(),
            WindowEvent::CloseRequested => self.request(Request::Quit),
            WindowEvent::Resized(_) => shell.gpu.resize(),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                shell.scale = scale_factor;
                shell.scale_panels(self.preferences.scale);
                shell.gpu.resize();
            }
            WindowEvent::Occluded(occluded) => shell.occluded = occluded,
            WindowEvent::Focused(false) => {
                self.rebinding = None;
                self.release();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::DroppedFile(path) => self.act(UiCommand::Open(path.into())),
            WindowEvent::CursorMoved { position, .. } => shell.pointer = position,
            WindowEvent::MouseInput { button, state, .. } => self.mouse_button(button, state),
            WindowEvent::MouseWheel { delta, .. } => self.wheel(delta),
            // Synthetic presses on focus are ignored.
            WindowEvent::KeyboardInput {
                event,
                is_synthetic,
                ..
            } if !is_synthetic || event.state == ElementState::Released => {
                self.key(&event, typing);
            }
            WindowEvent::RedrawRequested => self.frame(event_loop),
            _ => {}
        }
    }

    /// Runs [`App::guarded`], and quits if it fails.
    fn guard(&mut self, event_loop: &ActiveEventLoop, work: impl FnOnce(&mut Self)) {
        if !self.guarded(work) {
            event_loop.exit();
        }
    }

    pub(in crate::app) fn end(&mut self) {
        if self.recorder.is_recording() {
            self.act(UiCommand::RecordTimings(false));
        }
        self.leave();
        // Errors can no longer be shown.
        let _ = self.keep_settings(true);
        // A clip may take minutes.
        if let Some(clip) = &self.clip {
            clip.cancel();
        }
        self.background.finish();
    }
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, |app| app.open_window(event_loop));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        // While captured only raw motion counts: the pointer is recentred all the time.
        let is_echo = match event {
            WindowEvent::CursorMoved { .. } => self.input.captured,
            WindowEvent::AxisMotion { .. } | WindowEvent::RedrawRequested => true,
            _ => false,
        };
        if !is_echo {
            self.news();
        }
        self.guard(event_loop, |app| app.event(event_loop, event));
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (dx, dy) } = event {
            self.input.look(dx, dy);
            if self.input.captured && (dx, dy) != (0.0, 0.0) {
                self.redraw.news();
                self.come_soon();
            }
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        match wake {
            Wake::News => {
                self.news();
                self.guard(event_loop, Self::hear);
            }
            Wake::Presented => self.come_soon(),
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, |app| app.wait(event_loop));
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, Self::end);
        // The GPU is dropped before its window.
        self.shell = None;
    }
}
