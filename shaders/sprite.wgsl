// Fire, smoke and dust: soft billboards. Rust side: src/render/overlay.rs (`SpriteInstance`).

struct VertexIn {
    @location(0) centre: vec4<f32>,  // xyz relative to the eye, w radius
    @location(1) colour: vec4<f32>,  // linear, a opacity
    @location(2) glow: f32,
    @location(3) seed: u32,
}

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) disc: vec2<f32>,
    @location(2) @interpolate(flat) colour: vec4<f32>,
    @location(3) @interpolate(flat) shape: vec2<f32>, // radius, glow
    @location(4) @interpolate(flat) seed: f32,
}

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    var out: VertexOut;
    out.at = in.centre.xyz + (frame.right.xyz * corner.x + frame.up.xyz * corner.y) * in.centre.w;
    out.position = frame.clip_from_eye * vec4(out.at, 1.0);
    out.disc = corner;
    var light = ambient(vec3(0.0, 1.0, 0.0));
    for (var i = 0u; i < frame.light_count; i++) {
        let d = length(frame.lights[i].centre.xyz - in.centre.xyz);
        light += frame.lights[i].colour.rgb * attenuation(d, frame.lights[i].centre.w) * 0.4;
    }
    out.colour = vec4(in.colour.rgb * mix(min(light, vec3(3.0)), vec3(1.0), in.glow), in.colour.a);
    out.shape = vec2(in.centre.w, in.glow);
    out.seed = f32(in.seed & 1023u) * 3.7;
    return out;
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    let r = length(in.disc);
    // Soft particles: smoke fades out near walls and near the eye.
    let depth = -dot(in.at, frame.back.xyz);
    let behind = depth_at(in.position.xy) - depth;
    let soft = clamp(behind / (in.shape.x * 0.6 + 0.02), 0.0, 1.0) * clamp((depth - 0.15) / (in.shape.x * 0.5 + 0.05), 0.0, 1.0);
    let rim = smoothstep(1.0, 0.75, r);
    // Most fragments are nearly transparent smoke.
    if in.colour.a * soft * rim < 0.001 {
        discard;
    }
    let p = vec3(in.disc * 1.6, in.seed + frame.eye.w * 0.6);
    let curl = noise3(p * 1.3) * 0.55 + noise3(p * 3.1) * 0.3 + noise3(p * 6.7) * 0.15;
    return puff(in, r, rim, soft, curl);
}

// For software rendering: without small curls.
@fragment
fn fs_coarse(in: VertexOut) -> @location(0) vec4<f32> {
    let r = length(in.disc);
    let depth = -dot(in.at, frame.back.xyz);
    let behind = depth_at(in.position.xy) - depth;
    let soft = clamp(behind / (in.shape.x * 0.6 + 0.02), 0.0, 1.0) * clamp((depth - 0.15) / (in.shape.x * 0.5 + 0.05), 0.0, 1.0);
    let rim = smoothstep(1.0, 0.75, r);
    let waves = sin(in.disc * 4.0 + vec2(in.seed, -in.seed) + sin(in.disc.yx * 3.0 + frame.eye.w * 1.2));
    let curl = 0.55 + 0.22 * (waves.x + waves.y);
    return puff(in, r, rim, soft, curl);
}

fn puff(in: VertexOut, r: f32, rim: f32, soft: f32, curl: f32) -> vec4<f32> {
    let body = clamp(1.25 - r * 1.05 - (1.0 - curl) * 0.75, 0.0, 1.0) * rim;
    let cover = in.colour.a * clamp(body * 2.2, 0.0, 1.0) * soft;
    // Flames are whiter in the centre.
    let heat = mix(1.0, 0.35 + 1.3 * body, in.shape.y);
    let hides = cover * mix(1.0, 0.55, in.shape.y);
    return vec4(encoded(tone_mapped(in.colour.rgb * heat)) * cover, hides);
}
