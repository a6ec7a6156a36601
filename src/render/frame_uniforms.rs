//! The uniforms of a frame, shared by all passes.
use super::liquids;
use super::point_shadows::ShadowLayers;
use super::quality::Quality;
use super::sun_shadows::SunCascades;
use super::vertices::xyz_w;
use super::view_axes::ViewAxes;
use crate::view::{MAX_LIGHTS, MAX_RIPPLES, MAX_SCORCHES, NEAR_M, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::DMat4;

/// Position of the first of four samples in a pixel.
const FIRST_OF_FOUR: [f32; 2] = [0.375, 0.125];

// Bits of `flags`.
const FLAG_ENCODE: u32 = 1;
const FLAG_WIRE: u32 = 2;
const FLAG_ROOMS: u32 = 4;
const FLAG_OCCLUSION: u32 = 8;
const FLAG_WIRE_ALONE: u32 = 16;
const FLAG_FACES: u32 = 32;
const FLAG_STRESS: u32 = 64;

/// `Frame` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct FrameUniforms {
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
    ripples: [RippleData; MAX_RIPPLES],
    ripple_count: u32,
    submerged: u32,
    surface_m: f32,
    spare: u32,
}

/// `Light` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LightData {
    centre: [f32; 4],
    colour: [f32; 4],
}

/// `Scorch` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ScorchData {
    centre: [f32; 4],
    heat: [f32; 4],
}

/// `Ripple` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct RippleData {
    centre: [f32; 4],
    shape: [f32; 4],
}

// The layout of the struct in WGSL.
const _: () = assert!(std::mem::offset_of!(FrameUniforms, size) == 144);
const _: () = assert!(std::mem::offset_of!(FrameUniforms, lights) == 176);
const _: () = assert!(
    std::mem::offset_of!(FrameUniforms, ripples) == 176 + MAX_LIGHTS * 32 + MAX_SCORCHES * 32 + 176
);
const _: () = assert!(
    size_of::<FrameUniforms>()
        == std::mem::offset_of!(FrameUniforms, ripples) + MAX_RIPPLES * 32 + 16
);

impl FrameUniforms {
    /// For lines over the picture stretched to this size.
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
        axes: &ViewAxes,
        (shadow_layers, shadow_tile): (&ShadowLayers, u32),
        cascades: Option<SunCascades>,
    ) -> Self {
        let clip_from_eye = snapshot.clip_from_world * DMat4::from_translation(axes.eye);
        let overlays = snapshot.overlays;
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        let mut data = Self::zeroed();
        data.clip_from_eye = clip_from_eye
            .to_cols_array_2d()
            .map(|column| column.map(|c| c as f32));
        data.eye = xyz_w(axes.eye, snapshot.seconds);
        data.right = xyz_w(axes.right, axes.half_extent[0]);
        data.up = xyz_w(axes.up, axes.half_extent[1]);
        data.back = xyz_w(-axes.forward, NEAR_M);
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
            | bit(overlays.faces, FLAG_FACES)
            | bit(overlays.stress, FLAG_STRESS);
        let lights = snapshot.lights.iter().zip(shadow_layers);
        for (slot, (light, layer)) in data.lights.iter_mut().zip(lights) {
            let [r, g, b] = light.colour;
            *slot = LightData {
                centre: xyz_w(light.position - axes.eye, light.radius),
                colour: [r, g, b, layer.map_or(-1.0, |layer| layer as f32)],
            };
        }
        data.light_count = snapshot.lights.len().min(MAX_LIGHTS) as u32;
        let slots = data.scorches.iter_mut().zip(&snapshot.scorches);
        for (number, (slot, scorch)) in slots.enumerate() {
            *slot = ScorchData {
                centre: xyz_w(scorch.position - axes.eye, scorch.radius),
                heat: [scorch.heat, scorch.strength, 0.0, 0.0],
            };
            data.hot[number / 32] |= bit(scorch.heat > 0.0, 1 << (number % 32));
        }
        if let (Some(sun), Some(cascades)) = (&snapshot.sun, cascades) {
            data.sun = xyz_w(sun.toward, 1.0);
            let [r, g, b] = sun.colour;
            data.sun_colour = [r, g, b, 0.0];
            data.sun_maps = cascades
                .clip_from_eye
                .map(|m| m.as_mat4().to_cols_array_2d());
        }
        for (slot, ripple) in data.ripples.iter_mut().zip(&snapshot.ripples) {
            let (radius, slope) = liquids::ring(ripple);
            *slot = RippleData {
                centre: xyz_w(ripple.position - axes.eye, radius),
                shape: [slope as f32, 0.0, 0.0, 0.0],
            };
        }
        data.ripple_count = snapshot.ripples.len().min(MAX_RIPPLES) as u32;
        if let Some(kind) = snapshot.submerged {
            data.submerged = liquids::number(kind) + 1;
            data.surface_m = liquids::surface_above(snapshot, kind) as f32;
        }
        if let Some(heat) = &snapshot.heat {
            [data.heat_columns, data.heat_rows] = heat.size;
            // The 98th percentile: a single ray that grazes a crater would make the rest uniformly blue.
            let mut bins: Vec<f32> = heat.bins.iter().map(|&n| n as f32).collect();
            bins.sort_unstable_by(f32::total_cmp);
            data.heat_most = crate::timing::percentile(&bins, 0.98) as f32;
        }
        data
    }
}
