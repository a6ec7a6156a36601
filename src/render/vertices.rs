//! Vertices and instances as they lie in GPU buffers.
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// A position and a number in one vector.
pub(super) fn xyz_w(p: DVec3, w: f64) -> [f32; 4] {
    [p.x as f32, p.y as f32, p.z as f32, w as f32]
}

/// A vertex of a room; `VertexIn` in shaders/surface.wgsl. Not indexed: faces are flat and share no normals, and the
/// wireframe needs the corner number.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct RoomVertex {
    pub position: [f32; 3],
    pub normal: [i16; 4],
    pub soft: [i8; 4],
    pub look: u32,
    pub tint: [u8; 4],
}

/// Attributes of [`RoomVertex`].
pub(super) const ROOM_VERTEX: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Snorm16x4, 2 => Snorm8x4, 3 => Uint32, 4 => Unorm8x4
];

/// `VertexIn` in shaders/body.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct BodyInstance {
    /// xyz relative to the eye, w radius.
    pub centre: [f32; 4],
    /// A quaternion.
    pub rotation: [f32; 4],
    pub look: u32,
    /// xyz half the box of a mesh, in radii; w how far a crumb lies at rest.
    pub half: [u8; 4],
    pub tint: [u8; 4],
}

impl BodyInstance {
    /// The texture layer.
    pub fn layer(&self) -> u32 {
        self.look >> 16 & 255
    }
}

/// Attributes of [`BodyInstance`], after the vertex at location 0.
pub(super) const BODY_INSTANCE: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    1 => Float32x4, 2 => Float32x4, 3 => Uint32, 4 => Unorm8x4, 5 => Unorm8x4
];
/// A vertex of a body's mesh or of a chunk.
pub(super) const BODY_VERTEX: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x4];

/// `VertexIn` in shaders/sprite.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct SpriteInstance {
    /// xyz relative to the eye, w radius.
    pub centre: [f32; 4],
    pub colour: [f32; 4],
    pub glow: f32,
    pub seed: u32,
}

/// Attributes of [`SpriteInstance`].
pub(super) const SPRITE_INSTANCE: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32, 3 => Uint32];

/// `VertexIn` in shaders/line.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct LineInstance {
    pub start: [f32; 3],
    pub end: [f32; 3],
    pub colour: [f32; 4],
    /// 1: one pixel wide and fading with distance; 0: plain.
    pub fine: f32,
}

/// Attributes of [`LineInstance`].
pub(super) const LINE_INSTANCE: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32];
