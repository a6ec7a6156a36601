// The relief of a baked layer from its height: normal xy, roughness, metalness.

@group(0) @binding(0) var shape: texture_2d<f32>;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let size = vec2<i32>(textureDimensions(shape));
    let here = textureLoad(shape, at, 0);
    // Layers repeat.
    let right = textureLoad(shape, vec2((at.x + 1) % size.x, at.y), 0).x;
    let next = textureLoad(shape, vec2(at.x, (at.y + 1) % size.y), 0).x;
    let texel_m = 2.0 / f32(size.x);
    let normal = normalize(vec3(here.x - right, here.x - next, texel_m));
    return vec4(normal.xy * 0.5 + 0.5, here.y, here.z);
}
