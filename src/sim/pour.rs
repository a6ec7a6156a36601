//! Crumbs out of nowhere, to be watched as they pile up: what a heap is made of that no carve threw.
use super::state::StepReport;
use super::{Sim, carves};
use crate::debris::retire;
use crate::debris::spawn::{self, Pour};
use glam::DVec3;

/// At most so many in an action.
pub const MOST_POURED: u32 = 1000;
/// What they are made of is looked for so far below, metres.
const BELOW: f64 = 100.0;

/// Pours them into the air around a place; they are made of what lies below it.
pub(super) fn pour(sim: &mut Sim, pour: &Pour, report: &mut StepReport) {
    let floor = pour.at - DVec3::Y * BELOW;
    let floor = sim.world.cast_ray(pour.at, floor, &mut report.queries);
    let pour = Pour {
        count: pour.count.min(MOST_POURED),
        material: floor.map_or(0, |hit| carves::material_of(&sim.world, &hit)),
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
