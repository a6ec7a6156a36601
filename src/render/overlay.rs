//! What lies over the rooms: smoke and fire, debug lines, the heat map. None of it writes depth.
use super::frame::{Shared, place};
use crate::view::Snapshot;
use bytemuck::{Pod, Zeroable};

/// `VertexIn` in shaders/sprite.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct SpriteInstance {
    place: [f32; 4],
    colour: [f32; 4],
    glow: f32,
    seed: u32,
}

/// How `SpriteInstance` lies in its buffer.
pub(super) const SPRITE_INSTANCE: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32, 3 => Uint32];

/// `VertexIn` in shaders/line.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct LineInstance {
    start: [f32; 3],
    end: [f32; 3],
    colour: [f32; 4],
    /// 1: one pixel wide and fading with distance; 0: neither.
    fine: f32,
}

/// How `LineInstance` lies in its buffer.
pub(super) const LINE_INSTANCE: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32];

pub(super) fn sprites_of(snapshot: &Snapshot) -> Vec<SpriteInstance> {
    let eye = snapshot.camera.eye;
    let sprites = snapshot.sprites.iter();
    sprites
        .map(|s| SpriteInstance {
            place: place(s.position - eye, s.radius),
            colour: s.colour,
            glow: s.glow,
            seed: s.seed,
        })
        .collect()
}

pub(super) fn lines_of(snapshot: &Snapshot) -> Vec<LineInstance> {
    let eye = snapshot.camera.eye;
    let near_eye = |p: glam::DVec3| (p - eye).as_vec3().to_array();
    // The fine ones first: what is drawn over the other is what was asked for singly.
    let fine = snapshot.fine_lines.iter().map(|line| (line, 1.0));
    let lines = fine.chain(snapshot.lines.iter().map(|line| (line, 0.0)));
    lines
        .filter(|(line, _)| line.from.is_finite() && line.to.is_finite())
        .map(|(l, fine)| LineInstance {
            start: near_eye(l.from),
            end: near_eye(l.to),
            colour: l.colour,
            fine,
        })
        .collect()
}

/// A buffer that grows to what is written into it.
pub(super) struct Growing {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
    /// What was written last: what is the same is not written again.
    last: Vec<u8>,
    /// Elements in it.
    pub count: u32,
}

impl Growing {
    pub fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self {
            label,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            buffer: None,
            last: Vec::new(),
            count: 0,
        }
    }

    pub fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, elements: &[T]) {
        self.count = elements.len() as u32;
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        if bytes.is_empty() || bytes == self.last {
            return;
        }
        let fits = |buffer: &wgpu::Buffer| bytes.len() as u64 <= buffer.size();
        let buffer = self.buffer.take().filter(fits).unwrap_or_else(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: (bytes.len() as u64).next_power_of_two().max(1024),
                usage: self.usage,
                mapped_at_creation: false,
            })
        });
        queue.write_buffer(&buffer, 0, bytes);
        self.buffer = Some(buffer);
        self.last.clear();
        self.last.extend_from_slice(bytes);
    }

    /// The buffer, when there is something in it.
    pub fn filled(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref().filter(|_| self.count > 0)
    }
}

/// The heat map's group, while there is a map.
pub(super) fn heat_group(
    device: &wgpu::Device,
    shared: &Shared,
    heat: &Growing,
) -> Option<wgpu::BindGroup> {
    heat.filled().map(|buffer| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("heat"),
            layout: &shared.heat_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.as_entire_binding(),
            }],
        })
    })
}
