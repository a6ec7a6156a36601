//! Formats of the render targets.

/// Depth: reversed, so that f32 is as precise far away as near.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The light buffer: light and depth, see shaders/coarse.wgsl.
pub(super) const LIGHT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Depth of the first sample of each pixel.
pub(super) const FIRST_SAMPLE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;
