// What a light sees on one of its six sides, or the sun of all: depth alone. Rust side: src/render/shadows.rs
// (`SideData`).

struct Side {
    clip_from_light: mat4x4<f32>,
    light: vec4<f32>,          // place in the world; of the sun: the middle of its picture
    light_from_eye: vec4<f32>, // a light's place as seen from the eye
}

@group(0) @binding(0) var<uniform> side: Side;

// Bits 0-7 of a look, and bit 8, which says that it is the inside.
const LOOK_AND_INNER: u32 = 511u;
const LOOK_SKY: u32 = 9u;

@vertex
fn vs_main(@location(0) world: vec3<f32>, @location(3) look: u32) -> @builtin(position) vec4<f32> {
    // The sky throws no shadow: all its corners in one place outside of the picture.
    if (look & LOOK_AND_INNER) == LOOK_SKY {
        return vec4(2.0, 2.0, 0.5, 1.0);
    }
    return side.clip_from_light * vec4(world - side.light.xyz, 1.0);
}

// A chunk: see shaders/body.wgsl.
@vertex
fn vs_chunk(
    @location(0) own: vec4<f32>,
    @location(1) place: vec4<f32>,    // xyz relative to the eye
    @location(2) rotation: vec4<f32>, // quaternion
) -> @builtin(position) vec4<f32> {
    let q = rotation;
    let v = own.xyz * place.w;
    let at = place.xyz + v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
    return side.clip_from_light * vec4(at - side.light_from_eye.xyz, 1.0);
}
