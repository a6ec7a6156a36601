//! The materials: one layer of a texture array for each look, its surface and its inside, baked by the GPU from noise
//! the first time that a level shows it. No picture files, and no shimmer at a distance: layers have mipmaps.
use super::frame::shader;
use super::full::{draw_full, full_screen};
use super::textures::{Picture, Textures};
use crate::level::material::{Look, look};
use crate::world::Material;

/// Texels across a layer, which is two metres wide.
pub(super) const SIZE: u32 = 512;
/// Mip levels of a layer.
const MIPS: u32 = SIZE.ilog2() + 1;
/// Looks, in the order of `surface_of` in shaders/bake.wgsl; each has a surface and an inside.
const LOOKS: u32 = 11;
/// Layers of made materials; those of pictures follow. `MADE_LAYERS` in shaders/frame.wgsl.
pub(super) const LAYERS: u32 = LOOKS * 2;
/// A layer's number has eight bits in a look.
const _: () = assert!(LAYERS as usize + super::textures::MOST <= 256);
/// Colour and height; relief, roughness and metalness.
const FORMATS: [wgpu::TextureFormat; 2] = [
    wgpu::TextureFormat::Rgba8UnormSrgb,
    wgpu::TextureFormat::Rgba8Unorm,
];

/// How a material is drawn; goes into vertices as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Bits 0-7 look, bit 8 inner, bit 15 cut, bits 16-23 layer; see shaders/surface.wgsl.
    pub look: u32,
    /// Twice this is multiplied in: textures of one look differ a little. Linear RGB. Where it shows a picture, the number
    /// of its projection (`projections`).
    pub tint: [u8; 3],
}

impl Style {
    /// Which layer of the arrays it shows.
    pub fn layer(self) -> u32 {
        self.look >> 16 & 255
    }

    /// The layer of its inside.
    pub fn inner_layer(self) -> u32 {
        match self.layer() {
            made if made < LAYERS => made | 1,
            _ => inside_of(self.look & 255) * 2 + 1,
        }
    }

    /// It is the sky.
    pub fn is_sky(&self) -> bool {
        self.look & 511 == Look::Sky as u32
    }

    /// One sees through a part of it.
    pub fn is_cut(&self) -> bool {
        self.look & CUT_BIT != 0
    }

    /// It shows a picture.
    pub fn has_picture(&self) -> bool {
        self.layer() >= LAYERS
    }

    /// The same, showing the picture of a number; `tint` is that of its projection.
    pub fn with_picture(self, number: u32, is_cut: bool, tint: [u8; 3]) -> Self {
        let cut = if is_cut { CUT_BIT } else { 0 };
        Self {
            look: self.look & !(255 << 16) | (LAYERS + number) << 16 | cut,
            tint,
        }
    }
}

/// The number of the look that lies behind another: behind water, sky and lamps is rock.
pub(super) fn inside_of(number: u32) -> u32 {
    if number < Look::Liquid as u32 {
        number
    } else {
        Look::Rock as u32
    }
}

/// In a look: one sees through a part of the picture. `CUT_BIT` in shaders/frame.wgsl.
pub(super) const CUT_BIT: u32 = 1 << 15;
/// Bit 9 of a look: the body is a rocket.
pub(super) const ROCKET_BIT: u32 = 1 << 9;
/// The same of a grenade, an iron ball and a drill's bit; 1 << 10 is a chunk.
pub(super) const GRENADE_BIT: u32 = 1 << 11;
/// See [`GRENADE_BIT`].
pub(super) const IRON_BIT: u32 = 1 << 12;
/// See [`GRENADE_BIT`].
pub(super) const DRILL_BIT: u32 = 1 << 13;

/// The style of a look.
pub(super) fn style_of_look(look: Look, inner: bool, tint: [u8; 3]) -> Style {
    let number = look as u32;
    let inside = inside_of(number);
    let (number, layer) = if inner {
        (inside, inside * 2 + 1)
    } else {
        (number, number * 2)
    };
    Style {
        look: number | u32::from(inner) << 8 | layer << 16,
        tint,
    }
}

/// The style of a material, by its texture's name.
pub(super) fn style_of(material: &Material) -> Style {
    let kind = look(&material.texture);
    let hash = material
        .texture
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
        });
    // Brightness and a touch of warmth from the name, so that neighbours of one look can be told apart.
    let part = |shift: u32| (hash >> shift & 255) as f32 / 255.0 - 0.5;
    let bright = 1.0 + 0.34 * part(3);
    let warm = 0.16 * part(13);
    let green = 0.05 * part(21);
    let tint = [
        bright * (1.0 + warm),
        bright * (1.0 + green),
        bright * (1.0 - warm),
    ];
    style_of_look(
        kind,
        material.inner,
        tint.map(|c| (c * 127.5).clamp(0.0, 255.0) as u8),
    )
}

/// The functions of shaders/bake.wgsl, in the order of the layers.
const FUNCTIONS: [&str; LAYERS as usize] = [
    "concrete",
    "concrete_inner",
    "brick",
    "brick_inner",
    "plaster",
    "plaster_inner",
    "tile",
    "tile_inner",
    "metal",
    "metal_inner",
    "wood",
    "wood_inner",
    "rock",
    "rock_inner",
    "soil",
    "soil_inner",
    "liquid",
    "rock_inner",
    "rock",
    "rock_inner",
    "lamp",
    "rock_inner",
];
/// Between the two steps of baking: height in metres needs more than eight bits.
const SHAPE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The shader that bakes a layer: one look only, for a compiler takes minutes over all of them at once.
pub fn bake_source(layer: usize) -> Option<String> {
    let function = FUNCTIONS.get(layer)?;
    let (layer_shader, noise, looks) = (
        shader!("layer.wgsl"),
        shader!("noise.wgsl"),
        shader!("bake.wgsl"),
    );
    Some(format!(
        "{layer_shader}{noise}{looks}fn surface_of(uv: vec2<f32>) -> Surface {{ return {function}(uv); }}\n"
    ))
}

/// The shader that makes a layer of a picture.
pub fn picture_source() -> String {
    let (layer, picture) = (shader!("layer.wgsl"), shader!("picture.wgsl"));
    format!("{layer}{picture}")
}

/// Owner of the baked layers.
pub(super) struct Materials {
    textures: [wgpu::Texture; 2],
    /// All layers and mips, for sampling.
    pub views: [wgpu::TextureView; 2],
    pub sampler: wgpu::Sampler,
    relief: wgpu::RenderPipeline,
    halve: [wgpu::RenderPipeline; 2],
    /// By layer: those of the looks, then those of pictures.
    baked: Vec<bool>,
    from_picture: wgpu::RenderPipeline,
}

impl Materials {
    /// With room for so many pictures.
    pub fn new(device: &wgpu::Device, pictures: u32) -> Self {
        let layers = LAYERS + pictures;
        let textures = FORMATS.map(|format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("material layers"),
                size: wgpu::Extent3d {
                    width: SIZE,
                    height: SIZE,
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
        // A CPU would spend most of a picture on it.
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("material layers and noise"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            // Of noise, which is a volume.
            address_mode_w: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: if software { 1 } else { 8 },
            ..Default::default()
        });
        let relief = full_screen(device, "relief", &shader!("relief.wgsl"), &FORMATS[1..]);
        let mip = shader!("mip.wgsl");
        let formats = [FORMATS[0], SHAPE_FORMAT];
        let from_picture = full_screen(device, "picture", &picture_source(), &formats);
        let halve = FORMATS.map(|format| full_screen(device, "mip", &mip, &[format]));
        Self {
            textures,
            views,
            sampler,
            relief,
            halve,
            baked: vec![false; layers as usize],
            from_picture,
        }
    }

    /// Bakes the layers that are wanted and not there yet, and one of those that will be.
    pub fn bake(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        wanted: impl Iterator<Item = u32>,
        mut ahead: impl Iterator<Item = u32>,
        pictures: &Textures,
    ) {
        let mut new: Vec<u32> = wanted.filter(|&layer| self.claim(layer)).collect();
        new.extend(ahead.find(|&layer| self.claim(layer)));
        if new.is_empty() {
            return;
        }
        let mut encoder = device.create_command_encoder(&Default::default());
        for layer in new {
            let picture = layer.checked_sub(LAYERS).map(|slot| pictures.picture(slot));
            let picture = picture
                .flatten()
                .map(|picture| upload(device, queue, picture));
            self.bake_layer(device, &mut encoder, layer, picture.as_ref());
        }
        queue.submit([encoder.finish()]);
    }

    /// Marks a layer as baked; false when it was, or when there is none.
    fn claim(&mut self, layer: u32) -> bool {
        let slot = self.baked.get_mut(layer as usize);
        slot.is_some_and(|baked| !std::mem::replace(baked, true))
    }

    fn bake_layer(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        layer: u32,
        picture: Option<&wgpu::TextureView>,
    ) {
        let made = bake_source(layer as usize)
            .map(|source| full_screen(device, "bake", &source, &[FORMATS[0], SHAPE_FORMAT]));
        let bake = match &made {
            Some(made) => made,
            None if picture.is_some() => &self.from_picture,
            None => return,
        };
        let shape = device
            .create_texture(&wgpu::TextureDescriptor {
                label: Some("shape"),
                size: wgpu::Extent3d {
                    width: SIZE,
                    height: SIZE,
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
        draw_full(device, encoder, bake, picture, &[&one(0, 0), &shape]);
        draw_full(device, encoder, &self.relief, Some(&shape), &[&one(1, 0)]);
        for texture in 0..2 {
            for mip in 1..MIPS {
                let finer = one(texture, mip - 1);
                draw_full(
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

/// A picture, at its own size.
fn upload(device: &wgpu::Device, queue: &wgpu::Queue, picture: &Picture) -> wgpu::TextureView {
    let [width, height] = picture.sides;
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
    queue.write_texture(texture.as_image_copy(), &picture.rgba, layout, extent);
    texture.create_view(&Default::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn material(texture: &str, inner: bool) -> Material {
        Material {
            texture: texture.into(),
            u: DVec3::X,
            v: DVec3::Y,
            offset: [0.0; 2],
            inner,
            hardness: 1.0,
        }
    }

    #[test]
    fn every_look_has_a_layer_and_the_inside_of_sky_is_rock() {
        for (texture, inner) in [
            ("sky1", true),
            ("*water", true),
            ("brick", false),
            ("light3_5", false),
        ] {
            assert!(style_of(&material(texture, inner)).layer() < LAYERS);
        }
        assert_eq!(
            style_of(&material("sky1", true)).layer(),
            style_of(&material("rock1", true)).layer()
        );
        assert_ne!(
            style_of(&material("brick", true)).layer(),
            style_of(&material("brick", false)).layer()
        );
    }

    #[test]
    fn two_textures_of_one_look_differ_in_tint() {
        let (a, b) = (
            style_of(&material("brick_a", false)),
            style_of(&material("brick_b", false)),
        );
        assert_eq!(a.look, b.look);
        assert_ne!(a.tint, b.tint);
    }
}
