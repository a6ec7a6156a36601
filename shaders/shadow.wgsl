// What a light sees on one of its six sides: depth alone. Rust side: src/render/shadows.rs (`SideData`).

struct Side {
    clip_from_light: mat4x4<f32>,
    light: vec4<f32>, // place in the world
}

@group(0) @binding(0) var<uniform> side: Side;

@vertex
fn vs_main(@location(0) world: vec3<f32>) -> @builtin(position) vec4<f32> {
    return side.clip_from_light * vec4(world - side.light.xyz, 1.0);
}
