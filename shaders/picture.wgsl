// A layer from an image: its colours and alpha, and a slight relief from brightness. Run by
// src/render/material_layers.rs.

@group(0) @binding(0) var image: texture_2d<f32>;

struct Layer {
    @location(0) albedo: vec4<f32>, // rgb, alpha
    @location(1) shape: vec4<f32>,  // height in metres, roughness, metalness
}

// Images repeat.
fn texel(at: vec2<i32>, size: vec2<i32>) -> vec4<f32> {
    return textureLoad(image, (at + size) % size, 0);
}

// Images of any size are scaled to the layer.
@fragment
fn fs_main(in: VertexOut) -> Layer {
    let size = vec2<i32>(textureDimensions(image));
    let at = in.uv * vec2<f32>(size) - 0.5;
    let base = vec2<i32>(floor(at));
    let part = at - floor(at);
    let upper = mix(texel(base, size), texel(base + vec2(1, 0), size), part.x);
    let lower = mix(texel(base + vec2(0, 1), size), texel(base + vec2(1, 1), size), part.x);
    let colour = mix(upper, lower, part.y);
    let bright = dot(colour.rgb, vec3(0.30, 0.59, 0.11));
    var out: Layer;
    out.albedo = colour;
    out.shape = vec4(0.012 * bright, 0.75, 0.0, 0.0);
    return out;
}
