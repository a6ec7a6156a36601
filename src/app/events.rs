//! What the system tells the window: mouse, keys, sizes, and when to draw.
use super::gpu::Loss;
use super::keys::{self, Does};
use super::unsaved::Pending;
use super::{App, Wake};
use crate::ui::{NoticeKind, UiAction};
use winit::application::ApplicationHandler;
use winit::event::{
    DeviceEvent, DeviceId, ElementState, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{CursorGrabMode, WindowId};

impl App {
    /// Locks the pointer to the window where that works, else keeps it inside and brings it back each frame.
    pub(super) fn capture(&mut self) {
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

    /// Gives the pointer back. Always works.
    pub(super) fn release(&mut self) {
        self.input.captured = false;
        self.input.clear();
        self.hand.rest();
        if let Some(shell) = &self.shell {
            let _ = shell.window.set_cursor_grab(CursorGrabMode::None);
            shell.window.set_cursor_visible(true);
        }
    }

    fn is_asked_to_quit(&self) -> bool {
        let question = self.question.as_ref();
        question.is_some_and(|question| matches!(question.pending, Some(Pending::Quit)))
    }

    /// Is the pointer over a panel? Asked of where it is now, not of the last frame.
    pub(super) fn over_panel(&self) -> bool {
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

    pub(super) fn mouse_button(&mut self, button: MouseButton, state: ElementState) {
        let is_down = state == ElementState::Pressed;
        match button {
            MouseButton::Left if !is_down => return self.hand_up(),
            MouseButton::Right if is_down => return self.hand_throw(),
            MouseButton::Left if self.play.is_some() => {}
            _ => return,
        }
        if self.input.captured {
            self.hand_down();
        } else if !self.over_panel() && self.recover.is_none() && self.question.is_none() {
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

    fn key(&mut self, event: &winit::event::KeyEvent, typing: bool) {
        let PhysicalKey::Code(code) = event.physical_key else {
            return;
        };
        let ctrl = self.modifiers.control_key() || self.modifiers.super_key();
        if event.state == ElementState::Released {
            if let Some(does) = self.keys.held(code) {
                self.input.hold(does, false);
            }
            return;
        }
        if code == KeyCode::Escape && self.input.captured {
            return self.release();
        }
        if let Some(does) = self.rebinding {
            return self.rebind(does, code, ctrl);
        }
        // A driver loses things once a year; tests/window_states.sh does not wait for it.
        if cfg!(debug_assertions) && ctrl && self.modifiers.shift_key() {
            match (code, &mut self.shell) {
                (KeyCode::F11, Some(shell)) => shell.gpu.lose(Loss::Surface),
                (KeyCode::F12, Some(shell)) => shell.gpu.lose(Loss::Device),
                _ => {}
            }
        }
        let Some(does) = self.keys.find(code, ctrl, self.modifiers.shift_key()) else {
            return;
        };
        // A text box gets all that could be meant for it.
        if typing && !keys::passes_text(code) {
            return;
        }
        if does.held() {
            self.input.hold(does, true);
        } else if !event.repeat || matches!(does, Does::Step | Does::Smaller | Does::Larger) {
            self.press(does);
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
            // Asked a second time, nobody wants to be asked again.
            WindowEvent::CloseRequested if is_asked_to_quit => event_loop.exit(),
            WindowEvent::CloseRequested => self.request(Pending::Quit),
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
            WindowEvent::DroppedFile(path) => self.act(UiAction::Open(path.into())),
            WindowEvent::CursorMoved { position, .. } => shell.pointer = position,
            WindowEvent::MouseInput { button, state, .. } => self.mouse_button(button, state),
            WindowEvent::MouseWheel { delta, .. } => self.wheel(delta),
            // A press made up by the system when the window gets the focus is nobody's wish.
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

    /// [`App::guarded`]; the program ends where it has nothing left to offer.
    fn guard(&mut self, event_loop: &ActiveEventLoop, work: impl FnOnce(&mut Self)) {
        if !self.guarded(work) {
            event_loop.exit();
        }
    }

    pub(super) fn end(&mut self) {
        if self.recorder.is_recording() {
            self.act(UiAction::RecordTimings(false));
        }
        self.leave();
        // There is nobody left to tell.
        let _ = self.keep_settings(true);
        self.background.finish();
    }
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, |app| app.open_window(event_loop));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        // While the mouse looks it is the motion that counts: the pointer is put back to the middle all the time.
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
                self.due.news();
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
        // The GPU goes before the window that it draws to.
        self.shell = None;
    }
}
