// What crumbs do to the surfaces near them: ambient occlusion, without which they seem to hover, and round those at rest a
// thin cover of dust and grit. Rust side: src/render/bodies.rs (`BodyInstance`).
//
// A sphere of radius r occludes r²/d² · cos of the hemisphere at a distance d from its centre (Quilez, Sphere ambient
// occlusion, 2010). Without the cosine no normal is needed; the result is slightly too dark.

struct VertexIn {
    @location(1) centre: vec4<f32>,    // xyz relative to the eye, w radius
    @location(3) look: u32,
    @location(4) half: vec4<f32>,      // xyz half the box, in radii; w how far it lies at rest
    @location(5) tint: vec4<f32>,      // w a seed
}

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) centre: vec4<f32>,
    @location(1) @interpolate(flat) dust: vec4<f32>,  // rgb a factor of the surface, w how much there is
    @location(2) @interpolate(flat) seed: u32,
    @location(3) @interpolate(flat) dark: f32,        // how much light it takes at the point of contact
}

// Reach in radii; smaller in software rendering.
override REACH: f32 = 3.0;
// Brightness at the point of contact.
const DARKEST: f32 = 0.3;
// Cells of the grit, one grain in each at most, metres.
const GRAIN_M: f32 = 0.016;
// Cells with a grain, at the crumb.
const GRAINS: f32 = 0.55;

// What the dust of a look makes of a surface's colour.
fn dust_of(look: u32) -> vec3<f32> {
    switch look & LOOK_MASK {
        case 0u: { return vec3(1.22, 1.22, 1.20); }  // concrete
        case 1u: { return vec3(1.20, 0.88, 0.76); }  // brick
        case 2u: { return vec3(1.38, 1.37, 1.33); }  // plaster
        case 3u: { return vec3(1.25, 1.23, 1.18); }  // tile
        case LOOK_METAL: { return vec3(0.84, 0.76, 0.70); }
        case 5u: { return vec3(1.22, 1.02, 0.78); }  // wood
        case LOOK_SOIL: { return vec3(0.84, 0.72, 0.60); }
        default: { return vec3(1.08, 1.05, 1.0); }
    }
}

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    // The radius of a ball of the same volume, about.
    let size = 1.2 * pow(in.half.x * in.half.y * in.half.z, 1.0 / 3.0) * in.centre.w;
    // A quad around the silhouette of a sphere of that reach, which looks larger from near.
    let reach = REACH * size;
    let half = reach * min(inverseSqrt(max(1.0 - reach * reach / dot(in.centre.xyz, in.centre.xyz), 0.04)), 3.0);
    let at = in.centre.xyz + (frame.right.xyz * corner.x + frame.up.xyz * corner.y) * half;
    var out: VertexOut;
    out.position = frame.clip_from_eye * vec4(at, 1.0);
    out.centre = vec4(in.centre.xyz, size);
    out.dust = vec4(dust_of(in.look), in.half.w);
    // What is thin hides little.
    out.dark = (1.0 - DARKEST) * clamp(2.0 * min(in.half.y, in.half.z), 0.3, 1.0);
    out.seed = u32(in.tint.a * 255.0 + 0.5);
    return out;
}

// Factor of the surface at a point relative to the eye; `near` is 1 at the crumb, 0 at the reach.
fn grit(at: vec3<f32>, near: f32, dust: vec4<f32>, seed: u32) -> vec3<f32> {
    let film = mix(vec3(1.0), dust.rgb, 0.45 * near * near * dust.w);
    // Grains smaller than a pixel would flicker.
    let pixel_m = -dot(at, frame.back.xyz) * frame.up.w * 2.0 / frame.size.y;
    let clear = clamp(2.0 - 3.0 * pixel_m / GRAIN_M, 0.0, 1.0) * dust.w;
    if clear <= 0.0 {
        return film;
    }
    // Off the grid on which floors lie.
    let p = (at + frame.eye.xyz) / GRAIN_M + 0.37;
    let cell = floor(p);
    let key = bitcast<vec3<u32>>(vec3<i32>(cell)) * vec3(73856093u, 19349663u, 83492791u);
    var h = (key.x ^ key.y ^ key.z ^ seed * 2654435761u) * 747796405u + 2891336453u;
    h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u;
    h = (h >> 22u) ^ h;
    let parts = vec4<f32>((vec4(h) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u)) / 255.0;
    // Many small grains and few large ones.
    let size = 0.16 + 0.34 * parts.w * parts.w * parts.w;
    let is_grain = distance(p - cell, 0.5 + (parts.xyz - 0.5) * 0.4) < size && fract(parts.x * 7.3 + parts.w * 3.1) < GRAINS * near;
    let grain = dust.rgb * mix(0.5, 1.45, parts.y);
    return film * mix(vec3(1.0), grain, select(0.0, clear, is_grain));
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    let pixel = floor(in.position.xy);
    let at = position_at(pixel + depth_sample_offset(), depth_at(pixel));
    let radius = in.centre.w;
    let far = distance(at, in.centre.xyz);
    let part = radius / max(far, radius);
    let least = 1.0 / (REACH * REACH);
    let hidden = max(part * part - least, 0.0) / (1.0 - least);
    let near = clamp((REACH - far / radius) / (REACH - 1.0), 0.0, 1.0);
    let left = (1.0 - in.dark * hidden) * grit(at, near, in.dust, in.seed);
    // The target multiplies linear light, or sRGB: about its square root.
    let factor = select(left * left, left, flag(FLAG_ENCODE));
    // What the blending keeps besides: a factor may exceed 1.
    let more = clamp(max(factor.r, max(factor.g, factor.b)) - 1.0, 0.0, 1.0);
    return vec4(factor - more, more);
}
