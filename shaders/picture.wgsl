// A layer from a picture file: its own colours, and the little relief that brightness tells. Appended to bake.wgsl by
// src/render/materials.rs.

@group(0) @binding(0) var own: texture_2d<f32>;

fn surface_of(uv: vec2<f32>) -> Surface {
    let size = vec2<i32>(textureDimensions(own));
    let at = clamp(vec2<i32>(uv * vec2<f32>(size)), vec2(0), size - 1);
    let colour = textureLoad(own, at, 0).rgb;
    let bright = dot(colour, vec3(0.30, 0.59, 0.11));
    return surface(colour, 0.012 * bright, 0.75, 0.0);
}
