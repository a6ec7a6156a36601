//! Latched input: window events are kept here until the next tick takes them.
use super::keys::KeyCommand;
use std::collections::BTreeSet;

/// Pitch stops a little before straight up or down, radians.
pub(super) const PITCH_MAX: f64 = 1.55;
/// Held keys and the direction of view.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The mouse is captured: it looks and fires.
    pub captured: bool,
    /// Radians; see [`crate::sim::Command::yaw`].
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Degrees per pixel of mouse motion.
    pub sensitivity: f64,
    /// Moving the mouse up looks down.
    pub upside_down: bool,
    /// A stick's movement, added to the keys: right and forward, -1..=1 each.
    pub push: [f64; 2],
    held: BTreeSet<u8>,
    /// Keys pressed since the last tick: a tap counts for one tick, however short.
    tapped: BTreeSet<u8>,
    /// Jump was pressed since the last tick: a tap shorter than a tick still jumps.
    jump_latched: bool,
}

impl Input {
    /// No key held; degrees per pixel of mouse motion, and whether the mouse is inverted.
    pub fn new(sensitivity: f64, upside_down: bool) -> Self {
        Self {
            sensitivity,
            upside_down,
            ..Self::default()
        }
    }

    /// A held command was pressed or released.
    pub fn hold(&mut self, command: KeyCommand, down: bool) {
        if down {
            self.held.insert(command as u8);
            self.tapped.insert(command as u8);
            self.jump_latched |= command == KeyCommand::Up;
        } else {
            self.held.remove(&(command as u8));
        }
    }

    /// Releases all keys: the window lost the focus, so release events will not come.
    pub fn clear(&mut self) {
        self.held.clear();
        self.tapped.clear();
        self.push = [0.0; 2];
        self.jump_latched = false;
    }

    /// Raw mouse motion, pixels; right and down are positive.
    pub fn look(&mut self, dx: f64, dy: f64) {
        if !self.captured || !dx.is_finite() || !dy.is_finite() {
            return;
        }
        let radians = self.sensitivity.to_radians();
        self.turn([dx * radians, -dy * radians]);
    }

    /// Turns to the right and up, radians, while the mouse is captured.
    pub fn turn(&mut self, [right, up]: [f64; 2]) {
        if !self.captured || !right.is_finite() || !up.is_finite() {
            return;
        }
        let up = if self.upside_down { -up } else { up };
        self.yaw = (self.yaw - right).rem_euclid(std::f64::consts::TAU);
        self.pitch = (self.pitch + up).clamp(-PITCH_MAX, PITCH_MAX);
    }

    /// The movement for [`crate::sim::Command::walk`].
    pub fn walk(&self) -> [f32; 3] {
        let axis = |plus, minus| {
            f32::from(self.is_down(plus) as u8) - f32::from(self.is_down(minus) as u8)
        };
        let both = |keys: f32, push: f64| (keys + push as f32).clamp(-1.0, 1.0);
        [
            both(axis(KeyCommand::Right, KeyCommand::Left), self.push[0]),
            axis(KeyCommand::Up, KeyCommand::Down),
            both(axis(KeyCommand::Forward, KeyCommand::Back), self.push[1]),
        ]
    }

    /// Jump is held or was tapped since the last call.
    pub fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.jump_latched) || self.is_held(KeyCommand::Up)
    }

    /// Any key is held.
    pub fn holds_any(&self) -> bool {
        !self.held.is_empty()
    }

    /// The command is held.
    pub fn is_held(&self, command: KeyCommand) -> bool {
        self.held.contains(&(command as u8))
    }

    /// The command is held, or was tapped since the last tick.
    pub fn is_down(&self, command: KeyCommand) -> bool {
        self.is_held(command) || self.tapped.contains(&(command as u8))
    }

    /// A tick has taken the input.
    pub fn ticked(&mut self) {
        self.tapped.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_held_together_cancel_out_and_focus_loss_frees_them() {
        let mut input = Input::default();
        input.hold(KeyCommand::Forward, true);
        input.hold(KeyCommand::Left, true);
        assert_eq!(input.walk(), [-1.0, 0.0, 1.0]);
        input.hold(KeyCommand::Right, true);
        assert_eq!(input.walk(), [0.0, 0.0, 1.0]);
        input.clear();
        assert_eq!(input.walk(), [0.0; 3]);
    }

    #[test]
    fn a_stick_and_keys_add_up_to_no_more_than_a_run() {
        let mut input = Input {
            push: [0.25, -1.0],
            ..Input::default()
        };
        assert_eq!(input.walk(), [0.25, 0.0, -1.0]);
        input.hold(KeyCommand::Right, true);
        input.hold(KeyCommand::Forward, true);
        assert_eq!(input.walk(), [1.0, 0.0, 0.0]);
        input.clear();
        assert_eq!(input.walk(), [0.0; 3]);
    }

    #[test]
    fn a_tap_shorter_than_a_tick_still_jumps_once() {
        let mut input = Input::default();
        input.hold(KeyCommand::Up, true);
        input.hold(KeyCommand::Up, false);
        assert!(input.take_jump());
        assert!(!input.take_jump());
    }

    #[test]
    fn a_tap_between_two_ticks_walks_for_one() {
        let mut input = Input::default();
        input.hold(KeyCommand::Forward, true);
        input.hold(KeyCommand::Forward, false);
        assert_eq!(input.walk(), [0.0, 0.0, 1.0]);
        input.ticked();
        assert_eq!(input.walk(), [0.0; 3]);
        input.hold(KeyCommand::Forward, true);
        input.ticked();
        assert_eq!(input.walk(), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn looking_needs_a_captured_mouse_and_stops_at_the_poles() {
        let mut input = Input {
            sensitivity: 0.1,
            ..Input::default()
        };
        input.look(10.0, 10.0);
        assert_eq!((input.yaw, input.pitch), (0.0, 0.0));
        input.captured = true;
        input.look(f64::NAN, 1.0);
        input.look(0.0, 1e9);
        assert_eq!(input.pitch, -PITCH_MAX);
    }
}
