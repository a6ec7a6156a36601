// The depth prepass, read for ambient occlusion and soft particles. With multisampling: the first sample's depth.

@group(1) @binding(0) var depth_texture: texture_2d<f32>;
@group(1) @binding(1) var depth_sampler: sampler;

// Position of the depth sample in a pixel: the first of four samples is not at the centre.
fn depth_sample_offset() -> vec2<f32> {
    return frame.exposure.zw;
}

// Depth of a pixel in metres; far where nothing was drawn. Sampled, so that coordinates are clamped.
fn depth_at(pixel: vec2<f32>) -> f32 {
    let there = (floor(pixel) + 0.5) / frame.size;
    return frame.back.w / max(textureSampleLevel(depth_texture, depth_sampler, there, 0.0).x, 1e-6);
}

// Position of a pixel at a depth, relative to the eye.
fn position_at(pixel: vec2<f32>, depth: f32) -> vec3<f32> {
    let ndc = pixel / frame.size * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    return (frame.right.xyz * (ndc.x * frame.right.w) + frame.up.xyz * (ndc.y * frame.up.w) - frame.back.xyz) * depth;
}

// Screen-space ambient occlusion, as visibility 0..1 (McGuire et al., "The Alchemy screen-space ambient obscurance algorithm",
// 2011).
fn ambient_visibility(pixel: vec2<f32>, at: vec3<f32>, normal: vec3<f32>) -> f32 {
    if !flag(FLAG_OCCLUSION) {
        return 1.0;
    }
    const SAMPLES = 12;
    const REACH_M = 0.7;
    let depth = max(-dot(at, frame.back.xyz), 0.05);
    let reach = min(REACH_M / depth / frame.up.w * frame.size.y * 0.5, frame.size.y * 0.25);
    // The four pixels of a quad take different samples and share the result: four times the samples.
    let odd = vec2<i32>(pixel) & vec2(1);
    let own = f32(odd.x + 2 * (odd.x ^ odd.y)) * 0.25;
    // In view space a pixel's position is its depth times a linear function of its coordinates.
    let wide = vec2(frame.right.w, frame.up.w);
    let step = wide * vec2(2.0, -2.0) / frame.size;
    let first = depth_sample_offset() * step - wide * vec2(1.0, -1.0);
    let here = vec3(dot(at, frame.right.xyz), dot(at, frame.up.xyz), dot(at, frame.back.xyz));
    let up = vec3(dot(normal, frame.right.xyz), dot(normal, frame.up.xyz), dot(normal, frame.back.xyz));
    // Four samples at a time, to hide texture latency; the golden angle between samples.
    const TURNED_X = vec4(1.0, -0.73736888, 0.08742567, 0.60843893);
    const TURNED_Y = vec4(0.0, 0.67549029, -0.99617105, 0.79360070);
    const FOUR_ON = vec2(-0.98471351, -0.17418183);
    let turn = vec2(cos(own * 2.3999632), sin(own * 2.3999632));
    var x = turn.x * TURNED_X - turn.y * TURNED_Y;
    var y = turn.y * TURNED_X + turn.x * TURNED_Y;
    var found = vec4(0.0);
    for (var i = 0; i < SAMPLES; i += 4) {
        let part = (vec4(0.15, 1.15, 2.15, 3.15) + f32(i) + own) / f32(SAMPLES);
        let far = reach * part * sqrt(part);
        let column = floor(pixel.x + x * far);
        let row = floor(pixel.y + y * far);
        let d = vec4(
            depth_at(vec2(column.x, row.x)),
            depth_at(vec2(column.y, row.y)),
            depth_at(vec2(column.z, row.z)),
            depth_at(vec2(column.w, row.w)),
        );
        let on = x * FOUR_ON.y + y * FOUR_ON.x;
        x = x * FOUR_ON.x - y * FOUR_ON.y;
        y = on;
        let v_x = (column * step.x + first.x) * d - here.x;
        let v_y = (row * step.y + first.y) * d - here.y;
        let v_z = -d - here.z;
        let length2 = v_x * v_x + v_y * v_y + v_z * v_z;
        let near = max(1.0 - length2 / (REACH_M * REACH_M * 1.5), vec4(0.0));
        let above = max(v_x * up.x + v_y * up.y + v_z * up.z - 0.004 - 0.004 * depth, vec4(0.0));
        found += near * above / (length2 + 0.006) * sqrt(length2 + 0.01);
    }
    var hidden = dot(found, vec4(1.0));
    let side = vec2(0.5) - vec2<f32>(odd);
    hidden += side.x * dpdx(hidden);
    hidden += side.y * dpdy(hidden);
    let open = clamp(1.0 - hidden * 2.1 / f32(SAMPLES), 0.0, 1.0);
    return open * open;
}
