// Debug lines, some pixels wide. Rust side: src/render/overlay.rs (`LineInstance`).

struct VertexIn {
    @location(0) start: vec3<f32>,  // relative to the eye
    @location(1) end: vec3<f32>,
    @location(2) colour: vec4<f32>,
    @location(3) fine: f32,         // 1: one pixel wide and fading with distance
}

// As far from the eye as this a fine line is whole, metres; beyond, it fades as 1 / distance, down to the least part.
const FINE_NEAR: f32 = 4.0;
const FINE_LEAST: f32 = 0.12;

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) colour: vec4<f32>,
    @location(1) @interpolate(linear) across: f32,
    // 1 / depth, 1/m: that is linear on the screen.
    @location(2) @interpolate(linear) nearness: f32,
    @location(3) @interpolate(flat) fine: f32,
    // Where in the picture, 0..1 from the left above.
    @location(4) @interpolate(linear) place: vec2<f32>,
}

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    var a = frame.clip_from_eye * vec4(in.start, 1.0);
    var b = frame.clip_from_eye * vec4(in.end, 1.0);
    // Cut at the near plane by hand: a corner behind the eye has no place on the screen.
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
    // A little nearer than it is: lines lie on faces.
    out.position = vec4(tip.xy + offset * tip.w, min(tip.z * 1.003, tip.w), tip.w);
    out.place = out.position.xy / tip.w * vec2(0.5, -0.5) + 0.5;
    return out;
}

// How much of the line is seen for its distance.
fn strength(in: VertexOut) -> f32 {
    let far = clamp(FINE_NEAR * in.nearness, FINE_LEAST, 1.0);
    return in.colour.a * mix(1.0, far, in.fine);
}

@fragment
fn fs_seen(in: VertexOut) -> @location(0) vec4<f32> {
    let alpha = strength(in);
    return vec4(encoded(in.colour.rgb) * alpha, alpha);
}

// Behind walls.
@fragment
fn fs_hidden(in: VertexOut) -> @location(0) vec4<f32> {
    let faint = strength(in) * 0.22;
    return vec4(encoded(in.colour.rgb) * faint, faint);
}

// Over a picture with fewer pixels than its place in the window, whose depth is looked up: around a line the farthest counts, as
// it may lie on what is seen.
@fragment
fn fs_over(in: VertexOut) -> @location(0) vec4<f32> {
    let half_texel = 0.5 / vec2<f32>(textureDimensions(depth_drawn));
    let there = vec4(in.place - half_texel, in.place + half_texel);
    let around = vec4(
        textureSampleLevel(depth_drawn, depth_sampler, there.xy, 0.0).x,
        textureSampleLevel(depth_drawn, depth_sampler, there.zy, 0.0).x,
        textureSampleLevel(depth_drawn, depth_sampler, there.xw, 0.0).x,
        textureSampleLevel(depth_drawn, depth_sampler, there.zw, 0.0).x,
    );
    let farthest = min(min(around.x, around.y), min(around.z, around.w));
    let alpha = strength(in) * select(0.22, 1.0, in.position.z >= farthest);
    return vec4(encoded(in.colour.rgb) * alpha, alpha);
}
