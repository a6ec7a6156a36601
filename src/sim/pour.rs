//! Pouring crumbs, to watch them pile up.
use super::carves;
use super::report::StepReport;
use super::simulation::Sim;
use crate::debris::retire;
use crate::debris::spawn::{self, Pour};
use glam::DVec3;

/// Greatest number of crumbs in an action.
pub const MOST_POURED: u32 = 1000;
/// Distance below within which a floor gives them its material, metres.
const BELOW: f64 = 100.0;

/// Spawns crumbs in the air around a point; they take the material of the floor below it.
pub(super) fn pour(sim: &mut Sim, pour: &Pour, report: &mut StepReport) {
    let floor = pour.at - DVec3::Y * BELOW;
    let floor = sim.world.cast_ray(pour.at, floor, &mut report.queries);
    let pour = Pour {
        count: pour.count.min(MOST_POURED),
        material: floor.map_or(0, |hit| carves::material_of_face(&sim.world, &hit)),
        ..*pour
    };
    let (limit, viewer) = (sim.settings.max_bodies as usize, sim.viewer());
    let Sim {
        bodies, world, rng, ..
    } = sim;
    report.spawned += bodies.change(|bodies| {
        let poured = spawn::pour(bodies, world, rng, &pour, &mut report.queries);
        retire::retire(bodies, limit, &viewer);
        poured
    });
}
