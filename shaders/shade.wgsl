// The shade of a crumb on what is near it: without it stones seem to hover. Rust side: src/render/bodies.rs (`BodyInstance`).
//
// A ball of radius r hides r²/d² · cos of the sky from a place d away from its middle (Quilez, Sphere ambient occlusion,
// 2010). The cosine is left out, so no normal is needed; in the air that is too dark, but by little.

struct VertexIn {
    @location(1) place: vec4<f32>,     // xyz relative to the eye, w radius
}

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) place: vec4<f32>,
}

// Farther off than this many radii nothing is shaded; less where a processor draws.
override REACH: f32 = 3.0;
// How bright it still looks where the ball touches.
const DARKEST: f32 = 0.3;

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    // Around the silhouette of a ball of that reach.
    let half = REACH * in.place.w * 1.2;
    let at = in.place.xyz + (frame.right.xyz * corner.x + frame.up.xyz * corner.y) * half;
    var out: VertexOut;
    out.position = frame.clip_from_eye * vec4(at, 1.0);
    out.place = in.place;
    return out;
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    let pixel = floor(in.position.xy);
    let at = place_at(pixel + taken_at(), depth_at(pixel));
    // As it is drawn: see body.wgsl.
    let radius = in.place.w * 1.1;
    let part = radius / max(distance(at, in.place.xyz), radius);
    let least = 1.0 / (REACH * REACH);
    let hidden = max(part * part - least, 0.0) / (1.0 - least);
    let left = 1.0 - (1.0 - DARKEST) * hidden;
    // The target multiplies light, or what is seen of it: about its square root.
    return vec4(vec3(select(left * left, left, flag(FLAG_ENCODE))), 1.0);
}
