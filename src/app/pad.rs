//! A gamepad as input: what its sticks and buttons ask for. No hardware is asked here: who does (`gamepad`, behind the
//! feature of that name) hands over a [`Pad`] once a frame. Which button does what stands in [`super::keys::KEYS`].
use super::App;
use super::keys::Bindings;
use winit::event::{ElementState, MouseButton};

/// What can be pushed or pressed. Buttons are called as on an Xbox controller; what counts is where they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PadPart {
    LeftStick,
    RightStick,
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

impl PadPart {
    /// What clicks: all but the sticks.
    pub const BUTTONS: [PadPart; 16] = {
        use PadPart::*;
        [
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
        ]
    };
}

/// How a gamepad is held at one moment. None plugged in: as one that nobody touches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pad {
    /// Left stick: right and forward are positive, -1..=1.
    pub left: [f64; 2],
    /// Right stick: right and up are positive, -1..=1.
    pub right: [f64; 2],
    /// How far each of [`PadPart::BUTTONS`] is pressed, 0..=1.
    pub pressed: [f64; PadPart::BUTTONS.len()],
}

/// Sticks nearer to their middle than this rest, part of their way.
const DEAD: f64 = 0.18;
/// A button goes down here, and up where less is left: a trigger that trembles clicks once.
const DOWN: f64 = 0.5;
const UP: f64 = 0.35;
/// A stick pushed all the way turns so fast, radians a second.
const TURN: f64 = 3.2;

/// A stick without its dead zone: 0 within it, and from there on all the way to 1, in the direction that it has.
pub fn without_dead_zone(stick: [f64; 2]) -> [f64; 2] {
    let [x, y] = stick.map(|part| if part.is_finite() { part } else { 0.0 });
    let far = libm::hypot(x, y);
    if far <= DEAD {
        return [0.0; 2];
    }
    let part = ((far - DEAD) / (1.0 - DEAD)).min(1.0);
    [x / far * part, y / far * part]
}

/// What a frame of a gamepad comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PadFrame {
    /// The wish to move: right and forward, each -1..=1.
    pub walk: [f64; 2],
    /// How far to turn in this frame: to the right and up, radians.
    pub turn: [f64; 2],
    /// Buttons that went down (true) or up since the frame before, in their order.
    pub changes: Vec<(PadPart, bool)>,
}

/// Which buttons are down.
#[derive(Clone, Debug, Default)]
pub struct PadInput {
    down: [bool; PadPart::BUTTONS.len()],
}

impl PadInput {
    /// The next frame, so many seconds after the one before.
    pub fn frame(&mut self, pad: &Pad, seconds: f64) -> PadFrame {
        let [x, y] = without_dead_zone(pad.right);
        // Small pushes aim finely.
        let rate = TURN * libm::hypot(x, y) * seconds.clamp(0.0, 0.1);
        let mut changes = Vec::new();
        for (i, part) in PadPart::BUTTONS.into_iter().enumerate() {
            let limit = if self.down[i] { UP } else { DOWN };
            let is_down = pad.pressed[i] > limit;
            if is_down != self.down[i] {
                changes.push((part, is_down));
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

impl App {
    /// How the gamepad is held; one in another window's hands is let go.
    fn pad(&mut self) -> Pad {
        #[cfg(feature = "gamepad")]
        {
            let has_focus = |shell: &super::Shell| shell.window.has_focus();
            let gamepads = self.gamepads.as_mut().map(super::gamepad::Gamepads::state);
            if self.shell.as_ref().is_some_and(has_focus) {
                return gamepads.unwrap_or_default();
            }
        }
        Pad::default()
    }

    /// Does what the gamepad asks, so many seconds after the last time.
    pub(super) fn hear_pad(&mut self, seconds: f64) {
        let pad = self.pad();
        let PadFrame {
            walk,
            turn,
            changes,
        } = self.pad.frame(&pad, seconds);
        self.input.push = walk;
        self.input.turn(turn);
        for (part, is_down) in changes {
            let state = match is_down {
                true => ElementState::Pressed,
                false => ElementState::Released,
            };
            match (part, Bindings::of_pad(part)) {
                (PadPart::RightTrigger, _) => self.mouse_button(MouseButton::Left, state),
                (PadPart::LeftTrigger, _) => self.mouse_button(MouseButton::Right, state),
                (_, Some(does)) if does.held() => self.input.hold(does, is_down),
                (_, Some(does)) if is_down => self.press(does),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pressed(part: PadPart, far: f64) -> Pad {
        let at = PadPart::BUTTONS.iter().position(|p| *p == part);
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
            let frame = input.frame(&pressed(PadPart::RightTrigger, far), 0.01);
            changes.extend(frame.changes);
        }
        let trigger = PadPart::RightTrigger;
        assert_eq!(changes, [(trigger, true), (trigger, false)]);
    }

    #[test]
    fn a_gamepad_that_is_pulled_out_lets_go_of_everything() {
        let mut input = PadInput::default();
        input.frame(&pressed(PadPart::A, 1.0), 0.01);
        let frame = input.frame(&Pad::default(), 0.01);
        assert_eq!(frame.changes, [(PadPart::A, false)]);
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
