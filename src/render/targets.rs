//! Intermediate render targets: depth, light buffer, multisampled colour.
use super::formats::{DEPTH_FORMAT, FIRST_SAMPLE_FORMAT, LIGHT_FORMAT};
use super::frame_bindings::FrameBindings;
use super::quality::Quality;

/// The targets for one size of picture.
pub(super) struct Targets {
    pub(super) size: [u32; 2],
    pub(super) depth: wgpu::TextureView,
    /// With multisampling: the depth of each pixel's first sample.
    pub(super) first: Option<wgpu::TextureView>,
    /// The light buffer and its depth buffer; one texel if each pixel is lit by itself.
    pub(super) light: [wgpu::TextureView; 2],
    pub(super) light_size: [u32; 2],
    /// Reads one depth per pixel, and the light buffer.
    pub(super) depth_group: wgpu::BindGroup,
    /// With multisampling: the colour before the resolve.
    pub(super) colour: Option<wgpu::TextureView>,
}

impl Targets {
    /// Targets for a picture of this size and format.
    pub fn new(
        device: &wgpu::Device,
        bindings: &FrameBindings,
        quality: &Quality,
        format: wgpu::TextureFormat,
        size: [u32; 2],
    ) -> Self {
        let samples = quality.samples;
        let texture = |label, size: [u32; 2], format, samples, usage| {
            device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: wgpu::Extent3d {
                        width: size[0],
                        height: size[1],
                        depth_or_array_layers: 1,
                    },
                    mip_level_count: 1,
                    sample_count: samples,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage,
                    view_formats: &[],
                })
                .create_view(&Default::default())
        };
        let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = attached | wgpu::TextureUsages::TEXTURE_BINDING;
        let depth = texture("depth", size, DEPTH_FORMAT, samples, read);
        let first =
            (samples > 1).then(|| texture("first samples", size, FIRST_SAMPLE_FORMAT, 1, read));
        let light_size = match quality.light_divisor {
            0 | 1 => [1; 2],
            divisor => size.map(|side| side.div_ceil(divisor)),
        };
        let light = [
            texture("light", light_size, LIGHT_FORMAT, 1, read),
            texture("depth of light", light_size, DEPTH_FORMAT, 1, attached),
        ];
        let depth_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("depth"),
            layout: &bindings.depth_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(first.as_ref().unwrap_or(&depth)),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&bindings.depth_sampler),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: wgpu::BindingResource::TextureView(&light[0]),
                },
            ],
        });
        let colour = (samples > 1).then(|| texture("colour", size, format, samples, attached));
        Self {
            size,
            depth,
            first,
            light,
            light_size,
            depth_group,
            colour,
        }
    }
}
