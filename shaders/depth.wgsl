// The depth of what is solid, laid down before shading: read for occlusion and soft smoke.
// Where there are several samples a pixel it is that of the first.

@group(1) @binding(0) var depth_drawn: texture_2d<f32>;
@group(1) @binding(1) var depth_sampler: sampler;

// Where in a pixel its depth was taken: the first of four samples is not in the middle.
fn taken_at() -> vec2<f32> {
    return frame.exposure.zw;
}

// Metres in front of the eye's plane at this pixel; far where nothing was drawn. Sampled, as a sampler keeps within the
// picture by itself.
fn depth_at(pixel: vec2<f32>) -> f32 {
    let there = (floor(pixel) + 0.5) / frame.size;
    return frame.back.w / max(textureSampleLevel(depth_drawn, depth_sampler, there, 0.0).x, 1e-6);
}

// Relative to the eye.
fn place_at(pixel: vec2<f32>, depth: f32) -> vec3<f32> {
    let ndc = pixel / frame.size * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    return (frame.right.xyz * (ndc.x * frame.right.w) + frame.up.xyz * (ndc.y * frame.up.w) - frame.back.xyz) * depth;
}

// How open the surroundings are, 0..1: corners and the depth of holes darken (McGuire et al., "The Alchemy screen-space
// ambient obscurance algorithm", 2011).
fn openness(pixel: vec2<f32>, at: vec3<f32>, normal: vec3<f32>) -> f32 {
    if !flag(FLAG_OCCLUSION) {
        return 1.0;
    }
    const SAMPLES = 10;
    const REACH_M = 0.7;
    let depth = max(-dot(at, frame.back.xyz), 0.05);
    let reach = min(REACH_M / depth / frame.up.w * frame.size.y * 0.5, frame.size.y * 0.25);
    // The four pixels of a quad look at places of their own and share what they found: four times the samples.
    let odd = vec2<i32>(pixel) & vec2(1);
    let own = f32(odd.x + 2 * (odd.x ^ odd.y)) * 0.25;
    // In the camera's own axes, in which a pixel's place is its depth times a line.
    let wide = vec2(frame.right.w, frame.up.w);
    let step = wide * vec2(2.0, -2.0) / frame.size;
    let first = taken_at() * step - wide * vec2(1.0, -1.0);
    let here = vec3(dot(at, frame.right.xyz), dot(at, frame.up.xyz), dot(at, frame.back.xyz));
    let up = vec3(dot(normal, frame.right.xyz), dot(normal, frame.up.xyz), dot(normal, frame.back.xyz));
    // From one sample to the next by the golden angle.
    const TURN = mat2x2<f32>(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
    var dir = vec2(cos(own * 2.3999632), sin(own * 2.3999632));
    var hidden = 0.0;
    for (var i = 0; i < SAMPLES; i++) {
        let part = (f32(i) + 0.15 + own) / f32(SAMPLES);
        let there = floor(pixel + dir * (reach * part * sqrt(part)));
        dir = TURN * dir;
        let v = vec3(there * step + first, -1.0) * depth_at(there) - here;
        let length2 = dot(v, v);
        let near = max(1.0 - length2 / (REACH_M * REACH_M * 1.5), 0.0);
        hidden += near * max(dot(v, up) - 0.004 - 0.004 * depth, 0.0) / (length2 + 0.006) * sqrt(length2 + 0.01);
    }
    let side = vec2(0.5) - vec2<f32>(odd);
    hidden += side.x * dpdx(hidden);
    hidden += side.y * dpdy(hidden);
    let open = clamp(1.0 - hidden * 2.1 / f32(SAMPLES), 0.0, 1.0);
    return open * open;
}
