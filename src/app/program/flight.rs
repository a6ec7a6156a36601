//! The flight along the leak path.
use super::App;
use crate::app::flight::Flight;
use crate::app::input::PITCH_MAX;
use crate::sim::Action;
use std::f64::consts::TAU;

impl App {
    /// Starts the flight along the leak path, or ends it.
    pub(in crate::app) fn fly_out(&mut self, on: bool) {
        let play = self.play.as_ref().filter(|_| on);
        self.flight = play.and_then(|play| Flight::new(&play.sim.world.leak));
        if self.flight.is_some() {
            // The path may be blocked by now.
            self.queued
                .extend([Action::NoClip(true), Action::Walk(false)]);
            self.clock.paused = false;
        }
    }

    /// The flight's action in the next tick; any movement ends it.
    pub(in crate::app) fn flown(&mut self) -> Option<Action> {
        if self.input.walk() != [0.0; 3] {
            self.flight = None;
        }
        let look = [self.input.yaw, self.input.pitch];
        let next = self.flight.as_mut()?.next(look);
        let Some((eye, [yaw, pitch])) = next else {
            self.flight = None;
            return None;
        };
        self.input.yaw = yaw.rem_euclid(TAU);
        self.input.pitch = pitch.clamp(-PITCH_MAX, PITCH_MAX);
        Some(Action::Teleport(eye.into()))
    }
}
