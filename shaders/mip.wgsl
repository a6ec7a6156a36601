// The next mip level: each texel is the mean of four.

@group(0) @binding(0) var finer: texture_2d<f32>;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy) * 2;
    return 0.25 * (textureLoad(finer, at, 0) + textureLoad(finer, at + vec2(1, 0), 0)
        + textureLoad(finer, at + vec2(0, 1), 0) + textureLoad(finer, at + vec2(1, 1), 0));
}
