// Water, slime and lava: their surfaces, and the view from within. Rust side: src/render/liquids.rs (`LiquidVertex`).
//
// What is behind a surface is in the picture already. A liquid first takes its share of each colour (`fs_tint`), then adds its
// own light and the reflection (`fs_main`). The distances are along the straight ray: nothing is refracted.

const SLIME: u32 = 1u;
const LAVA: u32 = 2u;

// Surfaces are this part of their distance farther away for the depth test, so that the wall or floor of a basin wins where
// both lie in one plane. A part of the distance, since reversed depth has the same relative precision everywhere.
const BEHIND: f32 = 3e-4;

// Schlick (1994) at normal incidence, for water.
const FACING_REFLECTION: f32 = 0.02;

struct VertexIn {
    @location(0) position: vec3<f32>, // relative to the eye
    @location(1) normal: vec3<f32>,   // out of the liquid
    @location(2) kind: u32,
}

struct VertexOut {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) @interpolate(flat) normal: vec3<f32>,
    @location(2) @interpolate(flat) kind: u32,
}

@vertex
fn vs_main(in: VertexIn) -> VertexOut {
    var out: VertexOut;
    out.at = in.position;
    out.normal = in.normal;
    out.kind = in.kind;
    out.position = frame.clip_from_eye * vec4(in.position, 1.0);
    out.position.z *= 1.0 - BEHIND;
    return out;
}

// Absorbed per metre.
fn absorption(kind: u32) -> vec3<f32> {
    if kind == LAVA {
        return vec3(6.0, 7.0, 8.0);
    }
    return select(vec3(0.35, 0.09, 0.06), vec3(1.7, 1.1, 2.0), kind == SLIME);
}

// The colour of a deep liquid in light of strength 1: what it scatters back.
fn depth_colour(kind: u32) -> vec3<f32> {
    return select(vec3(0.02, 0.13, 0.16), vec3(0.10, 0.24, 0.03), kind == SLIME);
}

// What is left of the light after a way in metres (Beer-Lambert), as a factor in the encoding of the target.
fn left_after(kind: u32, way: f32) -> vec3<f32> {
    let left = exp(-absorption(kind) * min(way, 500.0));
    return select(left, pow(left, vec3(1.0 / 2.2)), flag(FLAG_ENCODE));
}

// Metres from a point of a surface to what is behind it.
fn way_behind(at: vec3<f32>, pixel: vec2<f32>) -> f32 {
    let depth = max(-dot(at, frame.back.xyz), 1e-3);
    return max(depth_at(pixel) - depth, 0.0) * length(at) / depth;
}

// Slope of the rings on a surface.
fn ring_slope(at: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    var slope = vec3(0.0);
    for (var i = 0u; i < min(frame.ripple_count, 16u); i++) {
        let ripple = frame.ripples[i];
        let away = at - ripple.centre.xyz;
        let height = dot(away, normal);
        let along = away - normal * height;
        let reach = length(along);
        let off = reach - ripple.centre.w;
        // The surfaces above and below have rings of their own.
        if abs(height) < 0.4 && abs(off) < 0.8 {
            slope += along / max(reach, 1e-3) * (ripple.shape.x * cos(off * 21.0) * exp(-8.0 * off * off));
        }
    }
    return slope;
}

// The normal with waves and rings. `is_fine` is false for software rendering, where sines are cheaper than noise.
fn waved_normal(at: vec3<f32>, normal: vec3<f32>, kind: u32, is_fine: bool) -> vec3<f32> {
    let world = at + frame.eye.xyz;
    let time = frame.eye.w * select(1.0, 0.3, kind == SLIME);
    var slope = vec3(0.0);
    if is_fine {
        // Two octaves that run against each other: the surface changes, and does not seem to slide away as a whole.
        let wide = noise3_slope(world * 1.1 + vec3(0.4, 0.3, 0.25) * time);
        let small = noise3_slope(world * 3.7 + vec3(-0.7, 0.6, -0.9) * time);
        slope = wide.xyz * 0.05 + small.xyz * 0.035;
    } else {
        let phase = vec2(world.x * 2.3 + world.z * 1.1 + time * 1.3, world.z * 2.7 - world.x * 0.9 - time * 1.1);
        slope = vec3(cos(phase.x), 0.0, cos(phase.y)) * 0.035;
    }
    // Far waves are smaller than a pixel and would sparkle.
    slope = slope / (1.0 + 0.05 * length(at)) + ring_slope(at, normal);
    return normalize(normal - (slope - normal * dot(slope, normal)));
}

// The light at a point of a surface.
struct SurfaceLight {
    lit: vec3<f32>,    // on a white matte surface
    glint: vec3<f32>,  // reflections of lights and the sun
    around: vec3<f32>, // light of the surroundings from the mirrored direction
}

// `normal` has waves, `even` has not.
fn surface_light(at: vec3<f32>, pixel: vec2<f32>, normal: vec3<f32>, even: vec3<f32>, is_fine: bool) -> SurfaceLight {
    let toward_eye = -normalize(at);
    let facing = clamp(dot(normal, toward_eye), 0.05, 1.0);
    let mirrored = reflect(-toward_eye, normal);
    let surface = Surface(vec3(0.0), 0.15, 0.0, normal, 0.5);
    let base = vec3(FACING_REFLECTION);
    var light = SurfaceLight(ambient(even), vec3(0.0), ambient(mirrored));
    let mask = tile_mask(pixel);
    var left = vec4(mask.lights, 0u, 0u);
    while any_bit(left) {
        let lowest = lowest_bit(left);
        left = lowest.left;
        if is_fine {
            let incident = incident_light(lowest.number, at, normal, even);
            light.lit += incident.fill + incident.direct * max(dot(even, incident.dir), 0.0);
            light.glint += incident.direct * reflected(surface, vec3(0.0), base, 0.0225, facing, incident.dir, toward_eye);
            let mirrors = max(0.5 + 0.5 * dot(mirrored, incident.dir), 0.0);
            let cubed = mirrors * mirrors * mirrors;
            light.around += incident.bounced * (0.4 * cubed * cubed);
        } else {
            let source = frame.lights[lowest.number];
            let far = length(source.centre.xyz - at);
            let strength = source.colour.rgb * (attenuation(far, source.centre.w) * step(far, source.centre.w));
            light.lit += strength * 0.4;
            light.around += strength * 0.1;
        }
    }
    if frame.sun.w > 0.0 {
        let faces = smoothstep(-0.02, 0.12, dot(even, frame.sun.xyz));
        var visible = 0.0;
        if faces > 0.0 {
            visible = faces * sun_visibility(at);
        }
        let sun = frame.sun_colour.rgb * visible;
        light.lit += sun * (0.05 + max(dot(even, frame.sun.xyz), 0.0));
        light.glint += sun * reflected(surface, vec3(0.0), base, 0.0225, facing, frame.sun.xyz, toward_eye);
        // There is no picture of the sky here: where the sun shines the sky is bright.
        light.around += sun * (vec3(0.10, 0.13, 0.18) * max(mirrored.y, 0.0));
    }
    return light;
}

// Glowing rock with a drifting crust.
fn lava_colour(world: vec3<f32>) -> vec3<f32> {
    let time = frame.eye.w;
    let p = world * 0.8 + vec3(0.03, 0.0, 0.02) * time;
    // Domain warping: plates with curved edges.
    let bend = noise3(p * 0.7 + vec3(0.0, 0.07 * time, 0.0)) * 1.6;
    let plates = noise3(p + bend) * 0.55 + noise3(p * 2.9 + bend - vec3(0.06, 0.04, 0.0) * time) * 0.3 + noise3(p * 7.3 + bend) * 0.15;
    let heat = 1.0 - smoothstep(0.28, 0.62, plates);
    return vec3(0.05, 0.008, 0.003) + glow(mix(0.2, 0.8, heat * heat)) * 0.5;
}

// The colour of a pixel of the target, without alpha.
fn shown(hdr: vec3<f32>) -> vec3<f32> {
    return encoded(tone_mapped(hdr));
}

// What a surface takes from the picture behind it.
@fragment
fn fs_tint(in: VertexOut) -> @location(0) vec4<f32> {
    // Lava hides it. From below the way in the liquid is on this side, and `fs_under_tint` takes its share.
    if in.kind == LAVA || dot(in.normal, in.at) > 0.0 {
        discard;
    }
    return vec4(left_after(in.kind, way_behind(in.at, in.position.xy)), 0.0);
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    return liquid_surface(in, true);
}

// For software rendering: simpler waves, and lights without shadows and glints.
@fragment
fn fs_coarse(in: VertexOut) -> @location(0) vec4<f32> {
    return liquid_surface(in, false);
}

fn liquid_surface(in: VertexOut, is_fine: bool) -> vec4<f32> {
    let far = length(in.at);
    if in.kind == LAVA {
        return vec4(shown(fog(lava_colour(in.at + frame.eye.xyz), far)), 1.0);
    }
    let waved = waved_normal(in.at, in.normal, in.kind, is_fine);
    let toward_eye = -in.at / max(far, 1e-4);
    let light = surface_light(in.at, in.position.xy, waved, in.normal, is_fine);
    let deep = depth_colour(in.kind) * light.lit;
    if dot(in.normal, in.at) > 0.0 {
        // From below. Beyond 48.6 degrees from the normal, a cosine of 0.66, all is reflected (Snell, 1.333); what is reflected
        // is the liquid itself, lit from above.
        let mirrors = 1.0 - smoothstep(0.58, 0.74, -dot(waved, toward_eye));
        let share = mix(0.06, 0.92, mirrors);
        return vec4(shown(deep * 1.6 + light.lit * 0.03) * share, share);
    }
    let way = way_behind(in.at, in.position.xy);
    let facing = clamp(dot(waved, toward_eye), 0.0, 1.0);
    let fresnel = FACING_REFLECTION + (1.0 - FACING_REFLECTION) * fifth(1.0 - facing);
    // The shore is a soft edge, not a line.
    let share = fresnel * clamp(way / 0.03, 0.0, 1.0);
    let own = shown(fog(deep, far)) * (1.0 - left_after(in.kind, way)) * (1.0 - share);
    return vec4(shown(fog(light.around, far)) * share + own + shown(light.glint), share);
}

struct UnderOut {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) colour: vec3<f32>, // of the liquid around the eye, HDR
}

// A triangle over the whole picture.
@vertex
fn vs_under(@builtin(vertex_index) index: u32) -> UnderOut {
    var out: UnderOut;
    out.position = vec4(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
    let kind = max(frame.submerged, 1u) - 1u;
    var light = ambient(vec3(0.0, 1.0, 0.0)) + frame.sun_colour.rgb * 0.1;
    for (var i = 0u; i < frame.light_count; i++) {
        let source = frame.lights[i];
        let far = length(source.centre.xyz);
        // Beyond its reach a light is 0, and `attenuation` is for distances within.
        light += source.colour.rgb * (attenuation(min(far, source.centre.w), source.centre.w) * 0.4);
    }
    out.colour = depth_colour(kind) * min(light, vec3(3.0));
    if kind == LAVA {
        out.colour = glow(0.75);
    }
    return out;
}

// What is left of the picture after the way in the liquid around the eye, by colour.
fn left_within(pixel: vec2<f32>) -> vec3<f32> {
    let ray = position_at(pixel, 1.0);
    var depth = depth_at(pixel);
    // Above the surface is air.
    if ray.y > 1e-5 {
        depth = min(depth, frame.surface_m / ray.y);
    }
    return left_after(max(frame.submerged, 1u) - 1u, depth * length(ray));
}

@fragment
fn fs_under_tint(in: UnderOut) -> @location(0) vec4<f32> {
    return vec4(left_within(in.position.xy), 0.0);
}

@fragment
fn fs_under(in: UnderOut) -> @location(0) vec4<f32> {
    // Nothing more is hidden: `fs_under_tint` took the share.
    return vec4(shown(in.colour) * (1.0 - left_within(in.position.xy)), 0.0);
}
