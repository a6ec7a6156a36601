//! Overlays, which write no depth: sprites, lines, the heat map.
use super::frame_bindings::FrameBindings;
use super::growable_buffer::GrowableBuffer;
use super::vertices::{LineInstance, SpriteInstance, xyz_w};
use crate::view::Snapshot;

/// Sprites relative to the eye.
pub(super) fn sprites_of(snapshot: &Snapshot) -> Vec<SpriteInstance> {
    let eye = snapshot.camera.eye;
    let sprites = snapshot.sprites.iter();
    sprites
        .map(|s| SpriteInstance {
            centre: xyz_w(s.position - eye, s.radius),
            colour: s.colour,
            glow: s.glow,
            seed: s.seed,
        })
        .collect()
}

/// Lines relative to the eye.
pub(super) fn lines_of(snapshot: &Snapshot) -> Vec<LineInstance> {
    let eye = snapshot.camera.eye;
    let from_eye = |p: glam::DVec3| (p - eye).as_vec3().to_array();
    // Fine lines first, so that plain lines are drawn over them.
    let fine = snapshot.fine_lines.iter().map(|line| (line, 1.0));
    let lines = fine.chain(snapshot.lines.iter().map(|line| (line, 0.0)));
    lines
        .filter(|(line, _)| line.from.is_finite() && line.to.is_finite())
        .map(|(l, fine)| LineInstance {
            start: from_eye(l.from),
            end: from_eye(l.to),
            colour: l.colour,
            fine,
        })
        .collect()
}

/// The heat map's bind group, if there is a heat map.
pub(super) fn heat_group(
    device: &wgpu::Device,
    bindings: &FrameBindings,
    heat: &GrowableBuffer,
) -> Option<wgpu::BindGroup> {
    heat.filled().map(|buffer| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("heat"),
            layout: &bindings.heat_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            }],
        })
    })
}
