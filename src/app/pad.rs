//! Gamepad input: dead zones, button thresholds, turn rates. The hardware is polled elsewhere (`gamepad`, behind the
//! feature of that name), which provides a [`Pad`] once a frame. [`super::keys::KEYS`] binds the buttons.
use strum::VariantArray;

/// Buttons and triggers, named as on an Xbox controller; what counts is their position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
#[allow(missing_docs)]
pub enum PadButton {
    LeftTrigger,
    RightTrigger,
    A,
    B,
    X,
    Y,
    LeftBumper,
    RightBumper,
    LeftThumb,
    RightThumb,
    Back,
    Start,
    Up,
    Right,
    Down,
    Left,
}

/// How many buttons there are.
pub const BUTTONS: usize = PadButton::VARIANTS.len();

/// The state of a gamepad; at rest if none is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pad {
    /// Left stick: right and forward are positive, -1..=1.
    pub left: [f64; 2],
    /// Right stick: right and up are positive, -1..=1.
    pub right: [f64; 2],
    /// How far each [`PadButton`] is pressed, 0..=1.
    pub pressed: [f64; BUTTONS],
}

/// Dead zone of the sticks, fraction of their range.
const DEAD: f64 = 0.18;
/// Thresholds of pressing and releasing; the hysteresis makes a trembling trigger click once.
const DOWN: f64 = 0.5;
const UP: f64 = 0.35;
/// Turn rate at full deflection, radians a second.
const TURN: f64 = 3.2;

/// Removes the dead zone: 0 within it, rising to 1 at full deflection, direction kept.
pub fn without_dead_zone(stick: [f64; 2]) -> [f64; 2] {
    let [x, y] = stick.map(|part| if part.is_finite() { part } else { 0.0 });
    let far = libm::hypot(x, y);
    if far <= DEAD {
        return [0.0; 2];
    }
    let part = ((far - DEAD) / (1.0 - DEAD)).min(1.0);
    [x / far * part, y / far * part]
}

/// A gamepad's input in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PadFrame {
    /// Movement: right and forward, each -1..=1.
    pub walk: [f64; 2],
    /// Turn in this frame: right and up, radians.
    pub turn: [f64; 2],
    /// Buttons pressed (true) or released since the last frame, in order.
    pub changes: Vec<(PadButton, bool)>,
}

/// Which buttons are down.
#[derive(Clone, Debug, Default)]
pub struct PadInput {
    down: [bool; BUTTONS],
}

impl PadInput {
    /// The next frame, `seconds` after the last.
    pub fn frame(&mut self, pad: &Pad, seconds: f64) -> PadFrame {
        let [x, y] = without_dead_zone(pad.right);
        // The rate is quadratic: small deflections aim finely.
        let rate = TURN * libm::hypot(x, y) * seconds.clamp(0.0, 0.1);
        let mut changes = Vec::new();
        for (i, &button) in PadButton::VARIANTS.iter().enumerate() {
            let limit = if self.down[i] { UP } else { DOWN };
            let is_down = pad.pressed[i] > limit;
            if is_down != self.down[i] {
                changes.push((button, is_down));
            }
            self.down[i] = is_down;
        }
        PadFrame {
            walk: without_dead_zone(pad.left),
            turn: [x * rate, y * rate],
            changes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pressed(button: PadButton, far: f64) -> Pad {
        let at = PadButton::VARIANTS.iter().position(|b| *b == button);
        let mut pad = Pad::default();
        pad.pressed[at.expect("a button")] = far;
        pad
    }

    #[test]
    fn a_stick_rests_in_its_dead_zone_and_starts_slowly_outside() {
        assert_eq!(without_dead_zone([0.1, -0.1]), [0.0; 2]);
        assert_eq!(without_dead_zone([1.0, 0.0]), [1.0, 0.0]);
        assert_eq!(without_dead_zone([0.0, -3.0]), [0.0, -1.0]);
        let [x, y] = without_dead_zone([DEAD + 0.01, 0.0]);
        assert!(0.0 < x && x < 0.02 && y == 0.0, "{x}");
        assert_eq!(without_dead_zone([f64::NAN, 0.0]), [0.0; 2]);
    }

    #[test]
    fn a_trigger_clicks_once_however_it_trembles() {
        let mut input = PadInput::default();
        let mut changes = Vec::new();
        for far in [0.2, 0.6, 0.45, 0.55, 0.4, 0.3, 0.45, 0.0] {
            let frame = input.frame(&pressed(PadButton::RightTrigger, far), 0.01);
            changes.extend(frame.changes);
        }
        let trigger = PadButton::RightTrigger;
        assert_eq!(changes, [(trigger, true), (trigger, false)]);
    }

    #[test]
    fn a_gamepad_that_is_pulled_out_lets_go_of_everything() {
        let mut input = PadInput::default();
        input.frame(&pressed(PadButton::A, 1.0), 0.01);
        let frame = input.frame(&Pad::default(), 0.01);
        assert_eq!(frame.changes, [(PadButton::A, false)]);
    }

    #[test]
    fn looking_takes_as_long_at_any_frame_rate() {
        let pad = Pad {
            right: [0.7, -0.4],
            ..Pad::default()
        };
        let turned = |frames: u32| {
            let mut input = PadInput::default();
            let steps = (0..frames).map(|_| input.frame(&pad, 1.0 / f64::from(frames)).turn);
            steps.fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
        };
        let (slow, fast) = (turned(20), turned(500));
        assert!((slow[0] - fast[0]).abs() < 1e-9 && (slow[1] - fast[1]).abs() < 1e-9);
        assert!(slow[0] > 0.0 && slow[1] < 0.0);
    }

    proptest! {
        #[test]
        fn no_push_is_more_than_whole(x in any::<f64>(), y in any::<f64>()) {
            let [a, b] = without_dead_zone([x, y]);
            prop_assert!(libm::hypot(a, b) <= 1.0 + 1e-9, "{a} {b}");
        }
    }
}
