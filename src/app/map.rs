//! The map, cut again when the level or the height of the eye has changed.
use crate::sim::Sim;
use crate::view::plan::{Plan, plan};
use glam::DVec2;

/// The eye may rise or sink so far before the map is cut anew, metres: steps and breath do not count.
const STEP: f64 = 0.25;

/// The last map, and what it was made for.
#[derive(Default)]
pub struct MapMaker {
    made: Option<(u64, Plan)>,
}

impl MapMaker {
    /// Cuts the level, if the last cut is of another.
    pub fn look(&mut self, sim: &Sim) {
        let (revision, height) = (sim.world.revision(), sim.player.eye.y);
        let is_fresh = self
            .made
            .as_ref()
            .is_some_and(|(of, plan)| *of == revision && (plan.height - height).abs() < STEP);
        if !is_fresh {
            self.made = Some((revision, plan(&sim.world, height)));
        }
    }

    /// For the window: the map, the eye's place on it and its yaw.
    pub fn shown(&self, sim: &Sim) -> Option<(&Plan, DVec2, f64)> {
        let eye = sim.player.eye;
        let (_, plan) = self.made.as_ref()?;
        Some((plan, DVec2::new(eye.x, eye.z), sim.player.yaw))
    }
}
