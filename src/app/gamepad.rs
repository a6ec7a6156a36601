//! The gamepads that are plugged in, asked once a frame; only in a program built with the feature `gamepad`.
use super::pad::{Pad, PadPart};
use gilrs::{Axis, Button, Gilrs};

/// Which of the library's buttons lies where.
const BUTTONS: [(PadPart, Button); 16] = [
    (PadPart::LeftTrigger, Button::LeftTrigger2),
    (PadPart::RightTrigger, Button::RightTrigger2),
    (PadPart::A, Button::South),
    (PadPart::B, Button::East),
    (PadPart::X, Button::West),
    (PadPart::Y, Button::North),
    (PadPart::LeftBumper, Button::LeftTrigger),
    (PadPart::RightBumper, Button::RightTrigger),
    (PadPart::LeftThumb, Button::LeftThumb),
    (PadPart::RightThumb, Button::RightThumb),
    (PadPart::Back, Button::Select),
    (PadPart::Start, Button::Start),
    (PadPart::Up, Button::DPadUp),
    (PadPart::Right, Button::DPadRight),
    (PadPart::Down, Button::DPadDown),
    (PadPart::Left, Button::DPadLeft),
];

/// The system's gamepads.
pub struct Gamepads {
    gilrs: Gilrs,
    /// Touched last: that one counts.
    last: Option<gilrs::GamepadId>,
}

impl Gamepads {
    /// Opens them.
    ///
    /// # Errors
    /// What the system says against it.
    pub fn new() -> Result<Self, String> {
        let gilrs = Gilrs::new().map_err(|why| why.to_string())?;
        Ok(Self { gilrs, last: None })
    }

    /// As the one touched last is held now.
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
        let pressed = PadPart::BUTTONS.map(|part| {
            let row = BUTTONS.iter().find(|row| row.0 == part);
            row.map_or(0.0, |row| far(row.1))
        });
        Pad {
            left: [axis(Axis::LeftStickX), axis(Axis::LeftStickY)],
            right: [axis(Axis::RightStickX), axis(Axis::RightStickY)],
            pressed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_its_place() {
        for part in PadPart::BUTTONS {
            assert_eq!(BUTTONS.iter().filter(|row| row.0 == part).count(), 1);
        }
    }
}
