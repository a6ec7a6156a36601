//! The numbers that every pass of a frame shares, and the shaders put together.
use super::materials::Materials;
use super::projections::Projections;
use super::reaching::Tiles;
use super::shadows::Layers;
use super::sun::SunMaps;
use super::{Quality, noise};
use crate::view::{MAX_LIGHTS, MAX_SCORCHES, NEAR_M, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3, DVec4};
use std::borrow::Cow;

/// Depth of a frame: reversed, so that f32 is as fine far away as near.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Of the light that falls on what is seen, with its depth: shaders/coarse.wgsl.
pub(super) const LIGHT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Of the first of a pixel's samples by itself.
pub(super) const FIRST_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;
/// Where in a pixel the first of its four samples is.
const FIRST_OF_FOUR: [f32; 2] = [0.375, 0.125];

const FLAG_ENCODE: u32 = 1;
const FLAG_WIRE: u32 = 2;
const FLAG_ROOMS: u32 = 4;
const FLAG_OCCLUSION: u32 = 8;
const FLAG_WIRE_ALONE: u32 = 16;
const FLAG_FACES: u32 = 32;

/// `Frame` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct FrameData {
    clip_from_eye: [[f32; 4]; 4],
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    back: [f32; 4],
    exposure: [f32; 4],
    size: [f32; 2],
    flags: u32,
    light_count: u32,
    coarse: u32,
    heat_columns: u32,
    heat_rows: u32,
    heat_most: f32,
    lights: [LightData; MAX_LIGHTS],
    scorches: [ScorchData; MAX_SCORCHES],
    sun: [f32; 4],
    sun_colour: [f32; 4],
    sun_maps: [[[f32; 4]; 4]; 2],
    hot: [u32; MAX_SCORCHES / 32],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LightData {
    place: [f32; 4],
    colour: [f32; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ScorchData {
    place: [f32; 4],
    heat: [f32; 4],
}

// The offsets that WGSL gives the same struct.
const _: () = assert!(std::mem::offset_of!(FrameData, size) == 144);
const _: () = assert!(std::mem::offset_of!(FrameData, lights) == 176);
const _: () = assert!(size_of::<FrameData>() == 176 + MAX_LIGHTS * 32 + MAX_SCORCHES * 32 + 176);

/// How a picture is seen.
pub(super) struct Eye {
    pub at: DVec3,
    /// Unit.
    pub right: DVec3,
    pub up: DVec3,
    pub ahead: DVec3,
    /// Half the picture's width and height at one metre.
    pub half: [f64; 2],
}

impl Eye {
    pub fn of(snapshot: &Snapshot) -> Self {
        let at = snapshot.camera.eye;
        let clip_from_eye = snapshot.clip_from_world * DMat4::from_translation(at);
        // The axes are in the matrix's rows: x / half width, y / half height, -look.
        let axis = |row: DVec4| {
            (
                row.truncate().normalize_or(DVec3::X),
                1.0 / row.truncate().length().max(1e-9),
            )
        };
        let (right, half_x) = axis(clip_from_eye.row(0));
        let (up, half_y) = axis(clip_from_eye.row(1));
        let (ahead, _) = axis(clip_from_eye.row(3));
        Self {
            at,
            right,
            up,
            ahead,
            half: [half_x, half_y],
        }
    }
}

impl FrameData {
    /// For what is drawn over the picture, stretched to this size.
    pub fn stretched(&self, size: [u32; 2]) -> Self {
        Self {
            size: size.map(|s| s as f32),
            ..*self
        }
    }

    /// From a snapshot; `size` in pixels.
    pub fn new(
        snapshot: &Snapshot,
        size: [u32; 2],
        encode: bool,
        quality: &Quality,
        eye: &Eye,
        (layers, shadow_tile): (&Layers, u32),
        sun_maps: Option<SunMaps>,
    ) -> Self {
        let clip_from_eye = snapshot.clip_from_world * DMat4::from_translation(eye.at);
        let overlays = snapshot.overlays;
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        let mut data = Self::zeroed();
        data.clip_from_eye = clip_from_eye
            .to_cols_array_2d()
            .map(|column| column.map(|c| c as f32));
        data.eye = place(eye.at, snapshot.seconds);
        data.right = place(eye.right, eye.half[0]);
        data.up = place(eye.up, eye.half[1]);
        data.back = place(-eye.ahead, NEAR_M);
        let [x, y] = if quality.samples > 1 {
            FIRST_OF_FOUR
        } else {
            [0.5; 2]
        };
        data.exposure = [snapshot.exposure, shadow_tile as f32, x, y];
        data.size = size.map(|s| s as f32);
        data.coarse = quality.light_divisor.max(1);
        data.flags = bit(encode, FLAG_ENCODE)
            | bit(overlays.wire, FLAG_WIRE)
            | bit(overlays.rooms, FLAG_ROOMS)
            | bit(quality.occlusion, FLAG_OCCLUSION)
            | bit(overlays.wire_alone, FLAG_WIRE_ALONE)
            | bit(overlays.faces, FLAG_FACES);
        let lights = snapshot.lights.iter().zip(layers);
        for (slot, (light, layer)) in data.lights.iter_mut().zip(lights) {
            let [r, g, b] = light.colour;
            *slot = LightData {
                place: place(light.position - eye.at, light.radius),
                colour: [r, g, b, layer.map_or(-1.0, |layer| layer as f32)],
            };
        }
        data.light_count = snapshot.lights.len().min(MAX_LIGHTS) as u32;
        let slots = data.scorches.iter_mut().zip(&snapshot.scorches);
        for (number, (slot, scorch)) in slots.enumerate() {
            *slot = ScorchData {
                place: place(scorch.position - eye.at, scorch.radius),
                heat: [scorch.heat, scorch.strength, 0.0, 0.0],
            };
            data.hot[number / 32] |= bit(scorch.heat > 0.0, 1 << (number % 32));
        }
        if let (Some(sun), Some(maps)) = (&snapshot.sun, sun_maps) {
            data.sun = place(sun.toward, 1.0);
            let [r, g, b] = sun.colour;
            data.sun_colour = [r, g, b, 0.0];
            data.sun_maps = maps.clip_from_eye.map(|m| m.as_mat4().to_cols_array_2d());
        }
        if let Some(heat) = &snapshot.heat {
            [data.heat_columns, data.heat_rows] = heat.size;
            // Two rays in a hundred are off the scale, or one that grazes a crater would leave the rest one blue.
            let mut bins: Vec<f32> = heat.bins.iter().map(|&n| n as f32).collect();
            bins.sort_unstable_by(f32::total_cmp);
            data.heat_most = crate::timing::percentile(&bins, 0.98) as f32;
        }
        data
    }
}

/// A place and a number beside it.
pub(super) fn place(p: DVec3, w: f64) -> [f32; 4] {
    [p.x as f32, p.y as f32, p.z as f32, w as f32]
}

/// The layouts that the passes share, and the buffer of the frame's numbers.
pub(super) struct Shared {
    pub frame_layout: wgpu::BindGroupLayout,
    pub depth_layout: wgpu::BindGroupLayout,
    pub heat_layout: wgpu::BindGroupLayout,
    pub frame: wgpu::Buffer,
    /// The same for what is drawn over a picture that was stretched.
    pub frame_over: wgpu::Buffer,
    /// [`Tiles`].
    pub tiles: wgpu::Buffer,
    shadow_sampler: wgpu::Sampler,
    /// For depth; beyond the picture's border is what is at it.
    pub depth_sampler: wgpu::Sampler,
    noise: wgpu::TextureView,
}

impl Shared {
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let buffer = |ty| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        };
        let layers = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2Array,
            multisampled: false,
        };
        let shadows = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2Array,
            multisampled: false,
        };
        let storage = buffer(wgpu::BufferBindingType::Storage { read_only: true });
        let frame_layout = layout(
            "frame",
            &[
                entry(
                    0,
                    wgpu::ShaderStages::VERTEX_FRAGMENT,
                    buffer(wgpu::BufferBindingType::Uniform),
                ),
                entry(1, fragment, layers),
                entry(2, fragment, layers),
                entry(
                    3,
                    fragment,
                    wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                ),
                entry(4, fragment, shadows),
                entry(
                    5,
                    fragment,
                    wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
                ),
                entry(6, fragment, shadows),
                entry(
                    7,
                    fragment,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D3,
                        multisampled: false,
                    },
                ),
                entry(8, fragment, storage),
                entry(9, fragment, storage),
            ],
        );
        let depth = wgpu::BindingType::Texture {
            // Depth, or a copy of it as numbers.
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let nearest = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
        let depth_layout = layout(
            "depth",
            &[
                entry(0, fragment, depth),
                entry(1, fragment, nearest),
                entry(2, fragment, depth),
            ],
        );
        let heat_layout = layout("heat", &[entry(0, fragment, storage)]);
        let tiles = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("tiles"),
            size: size_of::<Tiles>() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let numbers = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size_of::<FrameData>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (frame, frame_over) = (numbers("frame"), numbers("frame over"));
        let shadow_sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadows"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            // Reversed depth: what is as near to the light as what it sees is lit.
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..Default::default()
        });
        Self {
            frame_layout,
            depth_layout,
            heat_layout,
            frame,
            frame_over,
            tiles,
            shadow_sampler,
            depth_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("depth"),
                ..Default::default()
            }),
            noise: noise::volume(device, queue),
        }
    }

    /// What every pass of a picture binds first; and what those bind that draw over it.
    pub fn group(
        &self,
        device: &wgpu::Device,
        materials: &Materials,
        [shadows, sun]: [&wgpu::TextureView; 2],
        projections: &Projections,
    ) -> [wgpu::BindGroup; 2] {
        // The empty one stands in for a buffer that is never missing.
        let projections = projections.buffer().unwrap_or(&self.tiles);
        let of = |frame: &wgpu::Buffer| {
            let resources = [
                frame.as_entire_binding(),
                wgpu::BindingResource::TextureView(&materials.views[0]),
                wgpu::BindingResource::TextureView(&materials.views[1]),
                wgpu::BindingResource::Sampler(&materials.sampler),
                wgpu::BindingResource::TextureView(shadows),
                wgpu::BindingResource::Sampler(&self.shadow_sampler),
                wgpu::BindingResource::TextureView(sun),
                wgpu::BindingResource::TextureView(&self.noise),
                self.tiles.as_entire_binding(),
                projections.as_entire_binding(),
            ];
            let entries: Vec<_> = (0..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("frame"),
                layout: &self.frame_layout,
                entries: &entries,
            })
        };
        [of(&self.frame), of(&self.frame_over)]
    }
}

/// The text of a shader in shaders/. A debug build reads the file if it is there, so that it can be changed while the
/// program runs.
macro_rules! shader {
    ($file:literal) => {
        $crate::render::frame::text(
            concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $file),
            include_str!(concat!("../../shaders/", $file)),
        )
    };
}
pub(super) use shader;

pub(super) fn text(path: &str, embedded: &'static str) -> Cow<'static, str> {
    let edited = cfg!(debug_assertions).then(|| crate::files::read(path.as_ref()).ok());
    match edited
        .flatten()
        .and_then(|bytes| String::from_utf8(bytes).ok())
    {
        Some(text) => text.into(),
        None => embedded.into(),
    }
}

/// The shader that draws shadow maps.
pub fn shadow_source() -> Cow<'static, str> {
    shader!("shadow.wgsl")
}

/// The shaders of the passes, each with what it stands on.
pub fn shader_sources() -> [(&'static str, String); 6] {
    let (frame, depth) = (shader!("frame.wgsl"), shader!("depth.wgsl"));
    let coarse = shader!("coarse.wgsl");
    let with_depth = |own: Cow<str>| format!("{frame}{depth}{own}");
    let solid = |own: Cow<str>| format!("{frame}{depth}{coarse}{own}");
    let alone = |own: Cow<str>| format!("{frame}{own}");
    [
        ("surface", solid(shader!("surface.wgsl"))),
        ("body", solid(shader!("body.wgsl"))),
        ("sprite", with_depth(shader!("sprite.wgsl"))),
        ("line", with_depth(shader!("line.wgsl"))),
        ("heat", alone(shader!("heat.wgsl"))),
        ("shade", with_depth(shader!("shade.wgsl"))),
    ]
}

/// Whether every shader is sound; the error names the shader and the place in it.
pub(super) fn check_all() -> Result<(), String> {
    for (name, source) in shader_sources() {
        check(name, &source)?;
    }
    check("shadow", &shadow_source())?;
    check("first sample", &shader!("first_sample.wgsl"))?;
    check("relief", &shader!("relief.wgsl"))?;
    check("mip", &shader!("mip.wgsl"))?;
    check("picture", &super::picture_source())?;
    (0..)
        .map_while(super::bake_source)
        .try_for_each(|source| check("bake", &source))
}

/// Parses and validates a shader, without a graphics adapter.
pub fn check(name: &str, source: &str) -> Result<(), String> {
    use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
    let wrong = |text: String| format!("{name}: {text}");
    let module = wgpu::naga::front::wgsl::parse_str(source)
        .map_err(|error| wrong(error.emit_to_string(source)))?;
    Validator::new(ValidationFlags::all(), Capabilities::MULTISAMPLED_SHADING)
        .validate(&module)
        .map_err(|error| wrong(error.emit_to_string(source)))?;
    Ok(())
}
