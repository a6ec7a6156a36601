//! What a picture is drawn to, beside its target: depth, light, samples.
use super::Renderer;
use super::frame::{DEPTH_FORMAT, FIRST_FORMAT, LIGHT_FORMAT};

/// What belongs to one size of picture.
pub(super) struct Targets {
    pub(super) size: [u32; 2],
    pub(super) depth: wgpu::TextureView,
    /// Where pixels have several samples, the depth of the first of them.
    pub(super) first: Option<wgpu::TextureView>,
    /// The light by itself, with a depth buffer of its own; one texel where each pixel is lit by itself.
    pub(super) light: [wgpu::TextureView; 2],
    pub(super) light_size: [u32; 2],
    /// To read one depth a pixel, and the light.
    pub(super) depth_group: wgpu::BindGroup,
    /// Where pixels have several samples, until they are resolved into the target.
    pub(super) colour: Option<wgpu::TextureView>,
}

impl Renderer {
    /// Those for pictures of this size.
    pub(super) fn make_targets(&self, device: &wgpu::Device, size: [u32; 2]) -> Targets {
        let samples = self.quality.samples;
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
        let first = (samples > 1).then(|| texture("first samples", size, FIRST_FORMAT, 1, read));
        let light_size = match self.quality.light_divisor {
            0 | 1 => [1; 2],
            divisor => size.map(|side| side.div_ceil(divisor)),
        };
        let light = [
            texture("light", light_size, LIGHT_FORMAT, 1, read),
            texture("depth of light", light_size, DEPTH_FORMAT, 1, attached),
        ];
        let depth_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("depth"),
            layout: &self.shared.depth_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(first.as_ref().unwrap_or(&depth)),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&self.shared.depth_sampler),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: wgpu::BindingResource::TextureView(&light[0]),
                },
            ],
        });
        let colour = (samples > 1).then(|| texture("colour", size, self.format, samples, attached));
        Targets {
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
