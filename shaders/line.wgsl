// Debug lines as screen-space quads. Rust side: src/render/overlay.rs (`LineInstance`).

struct VertexIn {
    @location(0) start: vec3<f32>,  // relative to the eye
    @location(1) end: vec3<f32>,
    @location(2) colour: vec4<f32>, // w opacity; above 1 also behind walls
    @location(3) fine: f32,         // 1: one pixel wide and fading with distance
}

// Fine lines are opaque up to this distance, metres; beyond they fade as 1 / distance, down to a minimum.
const FINE_NEAR: f32 = 4.0;
const FINE_LEAST: f32 = 0.12;

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) colour: vec4<f32>,
    @location(1) @interpolate(linear) across: f32,
    // 1 / depth, 1/m: linear in screen space.
    @location(2) @interpolate(linear) nearness: f32,
    @location(3) @interpolate(flat) fine: f32,
    // Texture coordinates in the picture, 0..1 from the upper left.
    @location(4) @interpolate(linear) uv: vec2<f32>,
}

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    var a = frame.clip_from_eye * vec4(in.start, 1.0);
    var b = frame.clip_from_eye * vec4(in.end, 1.0);
    // Clipped at the near plane here: a point behind the eye has no projection.
    let near = frame.back.w * 1.5;
    var out: VertexOut;
    out.colour = in.colour;
    out.fine = in.fine;
    out.nearness = 1.0;
    out.across = f32(index & 1u) * 2.0 - 1.0;
    if a.w < near && b.w < near {
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    if a.w < near {
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    } else if b.w < near {
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    }
    let half_size = frame.size * 0.5;
    let along = (b.xy / b.w - a.xy / a.w) * half_size;
    let dir = along / max(length(along), 1e-4);
    let half_width = select(max(frame.size.y / 900.0, 0.8), 0.5, in.fine > 0.5);
    let tip = select(b, a, (index & 2u) == 0u);
    out.nearness = 1.0 / tip.w;
    let offset = vec2(-dir.y, dir.x) * (out.across * half_width) / half_size;
    // Depth bias: lines lie on faces.
    out.position = vec4(tip.xy + offset * tip.w, min(tip.z * 1.003, tip.w), tip.w);
    out.uv = out.position.xy / tip.w * vec2(0.5, -0.5) + 0.5;
    return out;
}

// Opacity by distance.
fn opacity(in: VertexOut) -> f32 {
    let far = clamp(FINE_NEAR * in.nearness, FINE_LEAST, 1.0);
    return in.colour.a * mix(1.0, far, in.fine);
}

@fragment
fn fs_seen(in: VertexOut) -> @location(0) vec4<f32> {
    let alpha = min(opacity(in), 1.0);
    return vec4(encoded(in.colour.rgb) * alpha, alpha);
}

// Behind walls.
@fragment
fn fs_hidden(in: VertexOut) -> @location(0) vec4<f32> {
    let faint = min(opacity(in) * 0.22, 1.0);
    return vec4(encoded(in.colour.rgb) * faint, faint);
}

// Over a picture that is stretched in the window: depth is sampled from the picture. The farthest of four samples counts, as
// the line may lie on the surface.
@fragment
fn fs_over(in: VertexOut) -> @location(0) vec4<f32> {
    let half_texel = 0.5 / vec2<f32>(textureDimensions(depth_texture));
    let there = vec4(in.uv - half_texel, in.uv + half_texel);
    let around = vec4(
        textureSampleLevel(depth_texture, depth_sampler, there.xy, 0.0).x,
        textureSampleLevel(depth_texture, depth_sampler, there.zy, 0.0).x,
        textureSampleLevel(depth_texture, depth_sampler, there.xw, 0.0).x,
        textureSampleLevel(depth_texture, depth_sampler, there.zw, 0.0).x,
    );
    let farthest = min(min(around.x, around.y), min(around.z, around.w));
    let alpha = min(opacity(in) * select(0.22, 1.0, in.position.z >= farthest), 1.0);
    return vec4(encoded(in.colour.rgb) * alpha, alpha);
}
