// Ambient occlusion of crumbs on surfaces near them: without it stones seem to hover. Rust side: src/render/bodies.rs (`BodyInstance`).
//
// A sphere of radius r occludes r²/d² · cos of the hemisphere at a distance d from its centre (Quilez, Sphere ambient
// occlusion, 2010). Without the cosine no normal is needed; the result is slightly too dark.

struct VertexIn {
    @location(1) centre: vec4<f32>,    // xyz relative to the eye, w radius
}

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) centre: vec4<f32>,
}

// Reach in radii; smaller in software rendering.
override REACH: f32 = 3.0;
// Brightness at the point of contact.
const DARKEST: f32 = 0.3;

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    // A quad around the silhouette of a sphere of that reach.
    let half = REACH * in.centre.w * 1.2;
    let at = in.centre.xyz + (frame.right.xyz * corner.x + frame.up.xyz * corner.y) * half;
    var out: VertexOut;
    out.position = frame.clip_from_eye * vec4(at, 1.0);
    out.centre = in.centre;
    return out;
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    let pixel = floor(in.position.xy);
    let at = position_at(pixel + depth_sample_offset(), depth_at(pixel));
    // The drawn radius: see body.wgsl.
    let radius = in.centre.w * 1.1;
    let part = radius / max(distance(at, in.centre.xyz), radius);
    let least = 1.0 / (REACH * REACH);
    let hidden = max(part * part - least, 0.0) / (1.0 - least);
    let left = 1.0 - (1.0 - DARKEST) * hidden;
    // The target multiplies linear light, or sRGB: about its square root.
    return vec4(vec3(select(left * left, left, flag(FLAG_ENCODE))), 1.0);
}
