//! The numbers that every pass of a frame shares, and the shaders put together.
use super::materials::Materials;
use crate::view::{MAX_LIGHTS, MAX_SCORCHES, NEAR_M, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec3, DVec4};

/// Depth of a frame: reversed, so that f32 is as fine far away as near.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

const FLAG_ENCODE: u32 = 1;
const FLAG_WIRE: u32 = 2;
const FLAG_ROOMS: u32 = 4;
const FLAG_OCCLUSION: u32 = 8;

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
    scorch_count: u32,
    heat_columns: u32,
    heat_rows: u32,
    heat_most: f32,
    lights: [LightData; MAX_LIGHTS],
    scorches: [[f32; 4]; MAX_SCORCHES],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LightData {
    place: [f32; 4],
    colour: [f32; 4],
}

// The offsets that WGSL gives the same struct.
const _: () = assert!(std::mem::offset_of!(FrameData, size) == 144);
const _: () = assert!(std::mem::offset_of!(FrameData, lights) == 176);
const _: () = assert!(size_of::<FrameData>() == 176 + 64 * 32 + 48 * 16);

impl FrameData {
    /// From a snapshot; `size` in pixels.
    pub fn new(snapshot: &Snapshot, size: [u32; 2], encode: bool, occlusion: bool) -> Self {
        let eye = snapshot.camera.eye;
        let clip_from_eye = snapshot.clip_from_world * DMat4::from_translation(eye);
        // The axes are in the matrix's rows: x / half width, y / half height, -look.
        let axis = |row: DVec4| {
            (
                row.truncate().normalize_or(DVec3::X),
                1.0 / row.truncate().length().max(1e-9),
            )
        };
        let (right, half_x) = axis(clip_from_eye.row(0));
        let (up, half_y) = axis(clip_from_eye.row(1));
        let (look, _) = axis(clip_from_eye.row(3));
        let overlays = snapshot.overlays;
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        let mut data = Self::zeroed();
        data.clip_from_eye = clip_from_eye
            .to_cols_array_2d()
            .map(|column| column.map(|c| c as f32));
        data.eye = place(eye, snapshot.seconds);
        data.right = place(right, half_x);
        data.up = place(up, half_y);
        data.back = place(-look, NEAR_M);
        data.exposure = [snapshot.exposure; 4];
        data.size = size.map(|s| s as f32);
        data.flags = bit(encode, FLAG_ENCODE)
            | bit(overlays.wire, FLAG_WIRE)
            | bit(overlays.rooms, FLAG_ROOMS)
            | bit(occlusion, FLAG_OCCLUSION);
        for (slot, light) in data.lights.iter_mut().zip(&snapshot.lights) {
            let [r, g, b] = light.colour;
            *slot = LightData {
                place: place(light.position - eye, light.radius),
                colour: [r, g, b, 0.0],
            };
        }
        data.light_count = snapshot.lights.len().min(MAX_LIGHTS) as u32;
        for (slot, scorch) in data.scorches.iter_mut().zip(&snapshot.scorches) {
            *slot = place(scorch.position - eye, scorch.radius);
        }
        data.scorch_count = snapshot.scorches.len().min(MAX_SCORCHES) as u32;
        if let Some(heat) = &snapshot.heat {
            [data.heat_columns, data.heat_rows] = heat.size;
            data.heat_most = heat.bins.iter().copied().max().unwrap_or(0) as f32;
        }
        data
    }
}

/// A place and a number beside it.
pub(super) fn place(p: DVec3, w: f64) -> [f32; 4] {
    [p.x as f32, p.y as f32, p.z as f32, w as f32]
}

/// The layouts and the group that every pass binds first.
pub(super) struct Shared {
    pub frame_layout: wgpu::BindGroupLayout,
    pub depth_layout: wgpu::BindGroupLayout,
    pub heat_layout: wgpu::BindGroupLayout,
    pub frame: wgpu::Buffer,
    pub frame_group: wgpu::BindGroup,
}

impl Shared {
    pub fn new(device: &wgpu::Device, materials: &Materials, samples: u32) -> Self {
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
            ],
        );
        let depth = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: samples > 1,
        };
        let depth_layout = layout("depth", &[entry(0, fragment, depth)]);
        let heat = buffer(wgpu::BufferBindingType::Storage { read_only: true });
        let heat_layout = layout("heat", &[entry(0, fragment, heat)]);
        let frame = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameData>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view = |i: usize| wgpu::BindingResource::TextureView(&materials.views[i]);
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &frame_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: frame.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: view(0),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: view(1),
                },
                wgpu::BindGroupEntry {
                    binding: 3,
                    resource: wgpu::BindingResource::Sampler(&materials.sampler),
                },
            ],
        });
        Self {
            frame_layout,
            depth_layout,
            heat_layout,
            frame,
            frame_group,
        }
    }
}

/// The shaders of the passes, each with what it stands on.
pub fn shader_sources(samples: u32) -> [(&'static str, String); 5] {
    const FRAME: &str = include_str!("../../shaders/frame.wgsl");
    const DEPTH: &str = include_str!("../../shaders/depth.wgsl");
    let depth = if samples > 1 {
        DEPTH.to_string()
    } else {
        // Only the type differs: textureLoad's last argument is a sample there and a mip level here, 0 in both.
        DEPTH.replace("texture_depth_multisampled_2d;", "texture_depth_2d;")
    };
    let with_depth = |own: &str| format!("{FRAME}{depth}{own}");
    [
        (
            "surface",
            with_depth(include_str!("../../shaders/surface.wgsl")),
        ),
        ("body", with_depth(include_str!("../../shaders/body.wgsl"))),
        (
            "sprite",
            with_depth(include_str!("../../shaders/sprite.wgsl")),
        ),
        (
            "line",
            format!("{FRAME}{}", include_str!("../../shaders/line.wgsl")),
        ),
        (
            "heat",
            format!("{FRAME}{}", include_str!("../../shaders/heat.wgsl")),
        ),
    ]
}
