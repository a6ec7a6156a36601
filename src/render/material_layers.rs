//! Material textures: array layers for the surface and the inside of each look, baked by the GPU from noise when a level
//! first shows them, and a layer for each image. All have mipmaps.
use super::fullscreen::{draw_fullscreen, fullscreen_pipeline};
use super::shaders::{bake_source, picture_source, shader};
use super::styles::{LAYER_SIZE, MADE_LAYERS};
use super::textures::{MAX_IMAGES, TextureImage, Textures};

/// Mip levels of a layer.
const MIPS: u32 = LAYER_SIZE.ilog2() + 1;
/// `Style::look` has eight bits for the layer.
const _: () = assert!(MADE_LAYERS as usize + MAX_IMAGES <= 256);
/// Albedo and height; normal, roughness and metalness.
const FORMATS: [wgpu::TextureFormat; 2] = [
    wgpu::TextureFormat::Rgba8UnormSrgb,
    wgpu::TextureFormat::Rgba8Unorm,
];

/// Intermediate target of baking: height in metres needs more than eight bits.
const SHAPE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The texture arrays and the pipelines that bake them.
pub(super) struct MaterialLayers {
    textures: [wgpu::Texture; 2],
    /// Views of all layers and mips.
    pub views: [wgpu::TextureView; 2],
    pub sampler: wgpu::Sampler,
    relief: wgpu::RenderPipeline,
    halve: [wgpu::RenderPipeline; 2],
    /// By layer.
    baked: Vec<bool>,
    from_image: wgpu::RenderPipeline,
}

impl MaterialLayers {
    /// With layers for a number of images.
    pub fn new(device: &wgpu::Device, images: u32) -> Self {
        let layers = MADE_LAYERS + images;
        let textures = FORMATS.map(|format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("material layers"),
                size: wgpu::Extent3d {
                    width: LAYER_SIZE,
                    height: LAYER_SIZE,
                    depth_or_array_layers: layers,
                },
                mip_level_count: MIPS,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        });
        let views = [0, 1].map(|i: usize| {
            textures[i].create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            })
        });
        // Anisotropic filtering would dominate software rendering.
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("material layers and noise"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            // For the noise volume.
            address_mode_w: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: if software { 1 } else { 8 },
            ..Default::default()
        });
        let relief = fullscreen_pipeline(device, "relief", &shader!("relief.wgsl"), &FORMATS[1..]);
        let mip = shader!("mip.wgsl");
        let formats = [FORMATS[0], SHAPE_FORMAT];
        let from_image = fullscreen_pipeline(device, "picture", &picture_source(), &formats);
        let halve = FORMATS.map(|format| fullscreen_pipeline(device, "mip", &mip, &[format]));
        Self {
            textures,
            views,
            sampler,
            relief,
            halve,
            baked: vec![false; layers as usize],
            from_image,
        }
    }

    /// Bakes the missing layers of `wanted`, and one missing layer of `ahead`.
    pub fn bake(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        wanted: impl Iterator<Item = u32>,
        mut ahead: impl Iterator<Item = u32>,
        textures: &Textures,
    ) {
        let mut new: Vec<u32> = wanted.filter(|&layer| self.claim(layer)).collect();
        new.extend(ahead.find(|&layer| self.claim(layer)));
        if new.is_empty() {
            return;
        }
        let mut encoder = device.create_command_encoder(&Default::default());
        for layer in new {
            let number = layer.checked_sub(MADE_LAYERS);
            let image = number.and_then(|number| textures.image(number));
            let image = image.map(|image| upload(device, queue, image));
            self.bake_layer(device, &mut encoder, layer, image.as_ref());
        }
        queue.submit([encoder.finish()]);
    }

    /// Marks a layer as baked; false if it was, or if there is no such layer.
    fn claim(&mut self, layer: u32) -> bool {
        let slot = self.baked.get_mut(layer as usize);
        slot.is_some_and(|baked| !std::mem::replace(baked, true))
    }

    fn bake_layer(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        layer: u32,
        image: Option<&wgpu::TextureView>,
    ) {
        let made = bake_source(layer as usize).map(|source| {
            fullscreen_pipeline(device, "bake", &source, &[FORMATS[0], SHAPE_FORMAT])
        });
        let bake = match &made {
            Some(made) => made,
            None if image.is_some() => &self.from_image,
            None => return,
        };
        let shape = device
            .create_texture(&wgpu::TextureDescriptor {
                label: Some("shape"),
                size: wgpu::Extent3d {
                    width: LAYER_SIZE,
                    height: LAYER_SIZE,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: SHAPE_FORMAT,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
            .create_view(&Default::default());
        let one = |texture: usize, mip: u32| {
            self.textures[texture].create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_mip_level: mip,
                mip_level_count: Some(1),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        draw_fullscreen(device, encoder, bake, image, &[&one(0, 0), &shape]);
        draw_fullscreen(device, encoder, &self.relief, Some(&shape), &[&one(1, 0)]);
        for texture in 0..2 {
            for mip in 1..MIPS {
                let finer = one(texture, mip - 1);
                draw_fullscreen(
                    device,
                    encoder,
                    &self.halve[texture],
                    Some(&finer),
                    &[&one(texture, mip)],
                );
            }
        }
    }
}

/// Uploads an image at its own size.
fn upload(device: &wgpu::Device, queue: &wgpu::Queue, image: &TextureImage) -> wgpu::TextureView {
    let [width, height] = image.sides;
    let extent = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMATS[0],
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(width * 4),
        rows_per_image: Some(height),
    };
    queue.write_texture(texture.as_image_copy(), &image.rgba, layout, extent);
    texture.create_view(&Default::default())
}
