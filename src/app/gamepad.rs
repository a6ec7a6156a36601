//! Connected gamepads, polled once a frame; only with the feature `gamepad`.
use super::pad::{Pad, PadButton};
use gilrs::{Axis, Button, Gilrs};
use strum::VariantArray;

/// The library's name for a button.
fn library_button(button: PadButton) -> Button {
    match button {
        PadButton::LeftTrigger => Button::LeftTrigger2,
        PadButton::RightTrigger => Button::RightTrigger2,
        PadButton::A => Button::South,
        PadButton::B => Button::East,
        PadButton::X => Button::West,
        PadButton::Y => Button::North,
        PadButton::LeftBumper => Button::LeftTrigger,
        PadButton::RightBumper => Button::RightTrigger,
        PadButton::LeftThumb => Button::LeftThumb,
        PadButton::RightThumb => Button::RightThumb,
        PadButton::Back => Button::Select,
        PadButton::Start => Button::Start,
        PadButton::Up => Button::DPadUp,
        PadButton::Right => Button::DPadRight,
        PadButton::Down => Button::DPadDown,
        PadButton::Left => Button::DPadLeft,
    }
}

/// The system's gamepads.
pub struct Gamepads {
    gilrs: Gilrs,
    /// The gamepad used last; only that one counts.
    last: Option<gilrs::GamepadId>,
}

impl Gamepads {
    /// Opens them.
    ///
    /// # Errors
    /// The system's error.
    pub fn new() -> Result<Self, String> {
        let gilrs = Gilrs::new().map_err(|why| why.to_string())?;
        Ok(Self { gilrs, last: None })
    }

    /// The state of the gamepad used last.
    pub fn state(&mut self) -> Pad {
        while let Some(event) = self.gilrs.next_event() {
            self.last = Some(event.id);
        }
        let pad = self.last.and_then(|id| self.gilrs.connected_gamepad(id));
        let Some(pad) = pad else {
            return Pad::default();
        };
        let axis = |axis| f64::from(pad.value(axis));
        let far = |button| {
            let value = pad
                .button_data(button)
                .map(gilrs::ev::state::ButtonData::value);
            f64::from(value.unwrap_or(0.0))
        };
        let pressed = std::array::from_fn(|i| far(library_button(PadButton::VARIANTS[i])));
        Pad {
            left: [axis(Axis::LeftStickX), axis(Axis::LeftStickY)],
            right: [axis(Axis::RightStickX), axis(Axis::RightStickY)],
            pressed,
        }
    }
}
