//! The surfaces of liquids in a picture, the liquid around the eye, and rings on the surfaces.
use super::camera::Camera;
use super::snapshot::{LiquidFaceView, MAX_RIPPLES, RIPPLE_SECS, RippleView};
use super::visible_set::VisibleSet;
use crate::geom::Aabb;
use crate::level::{LiquidFace, LiquidKind};
use crate::sim::{Sim, TICK_SECS};
use glam::DVec3;

/// The surfaces that may be seen, farthest first.
pub(super) fn faces(sim: &Sim, camera: &Camera, visible_set: &VisibleSet) -> Vec<LiquidFaceView> {
    let around = submerged(sim, camera);
    let mut seen: Vec<(f64, &LiquidFace)> = (sim.liquids.faces.iter())
        .filter(|face| shows(face, camera.eye, around))
        .filter_map(|face| {
            let around = Aabb::from_points(face.outline.iter().copied())?;
            let is_seen = visible_set.sees_box(&around);
            is_seen.then(|| (around.centre().distance(camera.eye), face))
        })
        .collect();
    seen.sort_by(|a, b| b.0.total_cmp(&a.0));
    let seen = seen.into_iter();
    seen.map(|(_, face)| LiquidFaceView {
        kind: face.kind,
        outline: face.outline.clone(),
        normal: face.normal,
    })
    .collect()
}

/// The liquid around the eye.
pub(super) fn submerged(sim: &Sim, camera: &Camera) -> Option<LiquidKind> {
    sim.liquids.at(camera.eye)
}

/// The newest rings, newest first; `alpha` 0..=1 is the part of the tick that has passed.
pub(super) fn ripples(sim: &Sim, alpha: f64) -> Vec<RippleView> {
    let now = sim.tick as f64 + alpha;
    let newest = sim.ripples.iter().rev();
    newest
        .map(|ripple| RippleView {
            position: ripple.position,
            age_secs: (now - ripple.tick as f64) * TICK_SECS,
            strength: ripple.strength,
        })
        .filter(|ripple| (0.0..RIPPLE_SECS).contains(&ripple.age_secs))
        .take(MAX_RIPPLES)
        .collect()
}

/// Whether the side that the eye sees is drawn. The far side of a volume is drawn only from within its liquid: seen from
/// outside, the near side already stands for all that is behind it.
fn shows(face: &LiquidFace, eye: DVec3, around: Option<LiquidKind>) -> bool {
    let is_outside = (face.outline.first()).is_some_and(|&p| face.normal.dot(eye - p) > 0.0);
    is_outside || around == Some(face.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_far_side_shows_only_from_within() {
        let square = [(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)];
        let face = LiquidFace {
            kind: LiquidKind::Water,
            outline: square.map(|(x, z)| DVec3::new(x, 1.0, z)).to_vec(),
            normal: DVec3::Y,
        };
        let (above, below) = (DVec3::Y * 3.0, DVec3::ZERO);
        assert!(shows(&face, above, None));
        assert!(!shows(&face, below, None));
        assert!(!shows(&face, below, Some(LiquidKind::Lava)));
        assert!(shows(&face, below, Some(LiquidKind::Water)));
    }
}
