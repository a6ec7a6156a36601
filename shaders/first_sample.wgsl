// Copies the first sample's depth of each pixel: ambient occlusion reads it many times, and a quarter of the memory is
// faster.

@group(0) @binding(0) var samples: texture_depth_multisampled_2d;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return vec4(textureLoad(samples, vec2<i32>(position.xy), 0));
}
