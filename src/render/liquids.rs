//! Surfaces of liquids, which write no depth; and what the shader of liquids gets with the uniforms.
use crate::level::LiquidKind;
use crate::view::{RIPPLE_SECS, RippleView, Snapshot};
use bytemuck::{Pod, Zeroable};

/// Speed of a ring, metres per second.
const RING_SPEED: f64 = 1.5;
/// Greatest slope of a ring of full strength.
const RING_SLOPE: f64 = 0.45;
/// Height of a surface that is not there, metres.
const NO_SURFACE_M: f64 = 1e6;

/// `VertexIn` in shaders/liquid.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct LiquidVertex {
    /// Relative to the eye.
    pub position: [f32; 3],
    /// Unit, out of the liquid.
    pub normal: [f32; 3],
    /// [`number`] of the kind.
    pub kind: u32,
}

/// Attributes of [`LiquidVertex`].
pub(super) const LIQUID_VERTEX: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Uint32];

/// The number of a kind in shaders/liquid.wgsl.
pub(super) fn number(kind: LiquidKind) -> u32 {
    match kind {
        LiquidKind::Water => 0,
        LiquidKind::Slime => 1,
        LiquidKind::Lava => 2,
    }
}

/// Triangles of the surfaces, relative to the eye, in the order of the snapshot.
pub(super) fn vertices_of(snapshot: &Snapshot) -> Vec<LiquidVertex> {
    let eye = snapshot.camera.eye;
    let mut vertices = Vec::new();
    for face in &snapshot.liquids {
        let corner = |p: glam::DVec3| LiquidVertex {
            position: (p - eye).as_vec3().to_array(),
            normal: face.normal.as_vec3().to_array(),
            kind: number(face.kind),
        };
        let [first, rest @ ..] = face.outline.as_slice() else {
            continue;
        };
        for side in rest.windows(2) {
            vertices.extend([*first, side[0], side[1]].map(corner));
        }
    }
    vertices
}

/// Radius in metres and greatest slope of a ring.
pub(super) fn ring(ripple: &RippleView) -> (f64, f64) {
    let radius = ripple.age_secs * RING_SPEED;
    let left = (1.0 - ripple.age_secs / RIPPLE_SECS).clamp(0.0, 1.0);
    // The same wave goes round an ever longer ring.
    (
        radius,
        RING_SLOPE * ripple.strength * left * left / (1.0 + radius),
    )
}

/// Height above the eye of the surface of the liquid around it, metres: what is beyond lies in air. Surfaces outside the
/// picture do not count: no ray of the picture passes through them.
pub(super) fn surface_above(snapshot: &Snapshot, kind: LiquidKind) -> f64 {
    let eye = snapshot.camera.eye;
    let level = (snapshot.liquids.iter()).filter(|face| face.kind == kind && face.normal.y > 0.7);
    let heights = level.filter_map(|face| face.outline.first().map(|p| p.y - eye.y));
    let above = heights.filter(|&height| height > 0.0);
    above.fold(NO_SURFACE_M, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::shaders::shader;
    use glam::DVec3;

    #[test]
    fn the_shader_has_the_numbers_of_the_kinds() {
        let source = shader!("liquid.wgsl");
        for (name, kind) in [("SLIME", LiquidKind::Slime), ("LAVA", LiquidKind::Lava)] {
            let line = format!("const {name}: u32 = {}u;", number(kind));
            assert!(source.contains(&line), "{line}");
        }
    }

    #[test]
    fn rings_grow_and_fade() {
        let at = |age_secs| {
            ring(&RippleView {
                position: DVec3::ZERO,
                age_secs,
                strength: 1.0,
            })
        };
        let (young, old) = (at(0.1), at(1.5));
        assert!(young.0 < old.0 && young.1 > old.1);
        assert_eq!(at(RIPPLE_SECS).1, 0.0);
    }
}
