//! Soot that blasts left, and how hot their craters still glow.
use super::camera::Camera;
use super::snapshot::{MAX_SCORCHES, SOOT_REACH, Scorch};
use super::visible_set::VisibleSet;
use crate::level::SavedOperation;
use crate::sim::{Sim, TICK_SECS};
use crate::world::GRID;

/// Only the newest blasts are searched.
const SCORCH_SEARCH: usize = 512;
/// A crater's edge glows for this long, seconds.
const COOLING_SECS: f64 = 2.0;
/// Where not all soot is drawn, it fades over this last part of the distance.
const FADING_PART: f64 = 0.2;

/// Soot of the newest blasts: the visible ones nearest to the camera; ties: the newest.
pub(super) fn scorches(
    sim: &Sim,
    camera: &Camera,
    visible_set: &VisibleSet,
    alpha: f64,
) -> Vec<Scorch> {
    let mut found: Vec<(f64, Scorch)> = Vec::new();
    let since = sim.level.since.iter().rev().take(SCORCH_SEARCH);
    let since = since.filter_map(|operation| match operation {
        SavedOperation::Blast { centre, radius, .. } => Some((centre.as_dvec3() / GRID, *radius)),
        SavedOperation::Brushes(_) | SavedOperation::MoversOnly => None,
    });
    let before = sim.level.blasts.iter().rev().copied();
    for (position, radius) in since.chain(before).take(SCORCH_SEARCH) {
        if !visible_set.sees_ball(position, radius * SOOT_REACH) {
            continue;
        }
        let scorch = Scorch {
            position,
            radius,
            heat: 0.0,
            strength: 1.0,
        };
        found.push((position.distance(camera.eye) - radius, scorch));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(&(limit, _)) = found.get(MAX_SCORCHES) {
        for (far, scorch) in &mut found {
            scorch.strength =
                ((limit - *far) / (FADING_PART * limit).max(1e-6)).clamp(0.0, 1.0) as f32;
        }
        found.truncate(MAX_SCORCHES);
    }
    let now = sim.tick as f64 + alpha;
    let hot = |scorch: Scorch| Scorch {
        heat: crater_heat(sim, &scorch, now),
        ..scorch
    };
    found.into_iter().map(|(_, scorch)| hot(scorch)).collect()
}

/// Heat of a crater's edge: that of the hottest explosion that cut here. Cools over [`COOLING_SECS`].
fn crater_heat(sim: &Sim, scorch: &Scorch, now: f64) -> f32 {
    let heats = sim.explosions.iter().filter(|explosion| {
        explosion.material.is_some()
            && explosion.position.distance(scorch.position) < explosion.radius.max(scorch.radius)
    });
    let left = |tick: u64| {
        let age = (now - tick as f64) * TICK_SECS;
        libm::exp(-1.7 * age.max(0.0)) - libm::exp(-1.7 * COOLING_SECS)
    };
    let heats = heats.map(|explosion| left(explosion.tick));
    heats.fold(0.0, f64::max) as f32
}
