// What a light sees on one of its six sides, or the sun of all: depth alone. Rust side: src/render/shadows.rs
// (`SideData`).

struct Side {
    clip_from_light: mat4x4<f32>,
    light: vec4<f32>, // place in the world; of the sun: the middle of its picture
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
