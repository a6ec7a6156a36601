//! Carries out a frame of gamepad input.
use super::App;
use crate::app::keys::Bindings;
use crate::app::pad::{Pad, PadButton, PadFrame};
use winit::event::{ElementState, MouseButton};

impl App {
    /// The gamepad's state; at rest without the window's focus.
    fn pad(&mut self) -> Pad {
        #[cfg(feature = "gamepad")]
        {
            let has_focus = |shell: &crate::app::shell::Shell| shell.window.has_focus();
            let gamepads = self
                .gamepads
                .as_mut()
                .map(crate::app::gamepad::Gamepads::state);
            if self.shell.as_ref().is_some_and(has_focus) {
                return gamepads.unwrap_or_default();
            }
        }
        Pad::default()
    }

    /// Carries out gamepad input, `seconds` after the last time.
    pub(in crate::app) fn hear_pad(&mut self, seconds: f64) {
        let pad = self.pad();
        let PadFrame {
            walk,
            turn,
            changes,
        } = self.pad.frame(&pad, seconds);
        self.input.push = if self.is_asking() { [0.0; 2] } else { walk };
        self.input.turn(turn);
        for (button, is_down) in changes {
            let state = match is_down {
                true => ElementState::Pressed,
                false => ElementState::Released,
            };
            match (button, Bindings::of_button(button)) {
                (PadButton::RightTrigger, _) => self.mouse_button(MouseButton::Left, state),
                (PadButton::LeftTrigger, _) => self.mouse_button(MouseButton::Right, state),
                (_, Some(command)) if command.is_held() => self.hold(command, is_down),
                (_, Some(command)) if is_down => self.press(command),
                (_, Some(_) | None) => {}
            }
        }
    }
}
