//! Latched input: what the window's events say is kept here until the next tick asks for it.
use super::keys::Does;
use std::collections::BTreeSet;

/// Pitch stops a little before straight up or down, radians.
pub(super) const PITCH_MAX: f64 = 1.55;
/// What the player holds and where they look.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The mouse is captured: it looks and fires.
    pub captured: bool,
    /// Radians; see [`crate::sim::Command::yaw`].
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Degrees for a pixel of mouse motion.
    pub sensitivity: f64,
    /// Moving the mouse up looks down.
    pub upside_down: bool,
    /// A stick's wish to move, beside the keys: right and forward, -1..=1 each.
    pub push: [f64; 2],
    held: BTreeSet<u8>,
    /// Keys that went down since the last tick: however short, a tap counts for one.
    tapped: BTreeSet<u8>,
    /// A jump key went down since the last tick: a tap shorter than a tick still jumps.
    jump_latched: bool,
}

impl Input {
    /// Nothing held; degrees for a pixel of mouse motion, and whether up looks down.
    pub fn new(sensitivity: f64, upside_down: bool) -> Self {
        Self {
            sensitivity,
            upside_down,
            ..Self::default()
        }
    }

    /// A movement key went down or up.
    pub fn hold(&mut self, does: Does, down: bool) {
        if down {
            self.held.insert(does as u8);
            self.tapped.insert(does as u8);
            self.jump_latched |= does == Does::Up;
        } else {
            self.held.remove(&(does as u8));
        }
    }

    /// All keys are up: the window lost the focus, so their releases will never be told.
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

    /// The wish to move as [`crate::sim::Command::walk`] has it.
    pub fn walk(&self) -> [f32; 3] {
        let axis = |plus, minus| {
            f32::from(self.is_down(plus) as u8) - f32::from(self.is_down(minus) as u8)
        };
        let both = |keys: f32, push: f64| (keys + push as f32).clamp(-1.0, 1.0);
        [
            both(axis(Does::Right, Does::Left), self.push[0]),
            axis(Does::Up, Does::Down),
            both(axis(Does::Forward, Does::Back), self.push[1]),
        ]
    }

    /// Jump is held or was tapped since the last call.
    pub fn take_jump(&mut self) -> bool {
        std::mem::take(&mut self.jump_latched) || self.is_held(Does::Up)
    }

    /// Any key is held.
    pub fn holds_any(&self) -> bool {
        !self.held.is_empty()
    }

    /// Is this movement key held?
    pub fn is_held(&self, does: Does) -> bool {
        self.held.contains(&(does as u8))
    }

    /// Is it held, or was it tapped since the last tick?
    pub fn is_down(&self, does: Does) -> bool {
        self.is_held(does) || self.tapped.contains(&(does as u8))
    }

    /// A tick has asked for everything.
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
        input.hold(Does::Forward, true);
        input.hold(Does::Left, true);
        assert_eq!(input.walk(), [-1.0, 0.0, 1.0]);
        input.hold(Does::Right, true);
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
        input.hold(Does::Right, true);
        input.hold(Does::Forward, true);
        assert_eq!(input.walk(), [1.0, 0.0, 0.0]);
        input.clear();
        assert_eq!(input.walk(), [0.0; 3]);
    }

    #[test]
    fn a_tap_shorter_than_a_tick_still_jumps_once() {
        let mut input = Input::default();
        input.hold(Does::Up, true);
        input.hold(Does::Up, false);
        assert!(input.take_jump());
        assert!(!input.take_jump());
    }

    #[test]
    fn a_tap_between_two_ticks_walks_for_one() {
        let mut input = Input::default();
        input.hold(Does::Forward, true);
        input.hold(Does::Forward, false);
        assert_eq!(input.walk(), [0.0, 0.0, 1.0]);
        input.ticked();
        assert_eq!(input.walk(), [0.0; 3]);
        input.hold(Does::Forward, true);
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
