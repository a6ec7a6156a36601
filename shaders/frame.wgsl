// Shared by all passes of a frame: uniforms, materials, lighting, tone mapping.
// Positions are relative to the eye, so that f32 is precise near it. Rust side: src/render/frame_uniforms.rs.

struct Light {
    centre: vec4<f32>, // xyz relative to the eye, w reach in metres
    colour: vec4<f32>, // w layer of the shadow map, negative without
}

struct Scorch {
    centre: vec4<f32>, // xyz relative to the eye, w radius
    heat: vec4<f32>,   // x heat of the crater's edge, y opacity, 0..1
}

// A ring that runs outward on the surface of a liquid; shaders/liquid.wgsl.
struct Ripple {
    centre: vec4<f32>, // xyz relative to the eye, w radius of the ring in metres
    shape: vec4<f32>,  // x greatest slope
}

struct Frame {
    clip_from_eye: mat4x4<f32>,
    eye: vec4<f32>,     // xyz in the world, w seconds
    right: vec4<f32>,   // axes of the camera; w half the frustum's width at one metre
    up: vec4<f32>,      // w half the height
    back: vec4<f32>,    // w distance of the near plane
    // x exposure, y texels of a shadow map face, zw position of the depth sample in a pixel
    exposure: vec4<f32>,
    size: vec2<f32>,    // pixels
    flags: u32,
    light_count: u32,
    coarse: u32,        // pixels of the picture per pixel of the light buffer, along each axis
    heat_columns: u32,
    heat_rows: u32,
    heat_most: f32,
    lights: array<Light, 64>,
    scorches: array<Scorch, 128>,
    sun: vec4<f32>,        // towards the sun, unit; w 0 without a sun
    sun_colour: vec4<f32>,
    sun_maps: array<mat4x4<f32>, 2>, // of the cascades: clip space from positions relative to the eye
    hot: vec4<u32>,        // a bit for each scorch with a hot edge
    ripples: array<Ripple, 16>,
    ripple_count: u32,
    submerged: u32,        // 0 where the eye is in no liquid, else the kind of the liquid plus 1
    surface_m: f32,        // height of the liquid's surface above the eye
    spare: u32,
}

const FLAG_ENCODE: u32 = 1u; // the target does not convert linear to sRGB
const FLAG_WIRE: u32 = 2u;
const FLAG_ROOMS: u32 = 4u;
const FLAG_OCCLUSION: u32 = 8u;
const FLAG_WIRE_ALONE: u32 = 16u;
const FLAG_FACES: u32 = 32u;
const FLAG_STRESS: u32 = 64u;

// Numbers of looks with special shading.
const LOOK_METAL: u32 = 4u;
const LOOK_ROCK: u32 = 6u;
const LOOK_SOIL: u32 = 7u;
const LOOK_LIQUID: u32 = 8u;
const LOOK_SKY: u32 = 9u;
const LOOK_LAMP: u32 = 10u;

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var albedo_layers: texture_2d_array<f32>;
@group(0) @binding(2) var relief_layers: texture_2d_array<f32>;
@group(0) @binding(3) var layer_sampler: sampler;
@group(0) @binding(4) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(5) var shadow_sampler: sampler_comparison;
@group(0) @binding(6) var sun_depth: texture_depth_2d_array;
@group(0) @binding(7) var noise_volume: texture_3d<f32>; // src/render/noise.rs

// Tiled light culling: a bit for each scorch and each light that reaches a tile or a room. src/render/influences.rs
struct InfluenceMask {
    scorches: vec4<u32>,
    lights: vec2<u32>,
}

// By rows from the top.
@group(0) @binding(8) var<storage, read> tiles: array<InfluenceMask>;
const TILES = vec2(32u, 18u);

fn tile_mask(pixel: vec2<f32>) -> InfluenceMask {
    let tile = min(vec2<u32>(pixel / frame.size * vec2<f32>(TILES)), TILES - 1u);
    return tiles[tile.y * TILES.x + tile.x];
}

// The planar projection of an image: axes in images per metre, w the offset in images. src/render/projections.rs
struct Projection {
    u: vec4<f32>,
    v: vec4<f32>,
}

@group(0) @binding(9) var<storage, read> projections: array<Projection>;

// Utilisation by block of the lattice: first the number of blocks, and the corner of block 0 of their box in two entries
// (x y, z); then key and utilisation of each block, by key. src/render/stress.rs
@group(0) @binding(10) var<storage, read> stress: array<vec2<u32>>;
const STRESS_HEAD: u32 = 3u;
const BLOCK_M: f32 = 0.5;

// The utilisation of the block around a point; negative where nothing is known.
fn utilisation_at(world: vec3<f32>) -> f32 {
    let corner = vec3(bitcast<f32>(stress[1].x), bitcast<f32>(stress[1].y), bitcast<f32>(stress[2].x));
    let place = floor((world - corner) / BLOCK_M);
    if any(place < vec3(0.0)) || any(place >= vec3(2048.0, 1024.0, 2048.0)) {
        return -1.0;
    }
    let p = vec3<u32>(place);
    let key = (p.x << 21u) | (p.y << 11u) | p.z;
    var low = 0u;
    var high = stress[0].x;
    while low < high {
        let middle = (low + high) / 2u;
        if stress[STRESS_HEAD + middle].x < key {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    if low < stress[0].x && stress[STRESS_HEAD + low].x == key {
        return bitcast<f32>(stress[STRESS_HEAD + low].y);
    }
    return -1.0;
}

// The colour of a part 0..1 of the most: dark blue little, red all. Also in src/view/colours.rs.
fn heat_colour(t: f32) -> vec3<f32> {
    let cold = mix(vec3(0.01, 0.02, 0.22), vec3(0.0, 0.55, 0.45), smoothstep(0.0, 0.4, t));
    let warm = mix(vec3(0.95, 0.75, 0.05), vec3(0.9, 0.05, 0.02), smoothstep(0.6, 1.0, t));
    return mix(cold, warm, smoothstep(0.35, 0.65, t));
}

// Layers of made materials; those of images follow.
const MADE_LAYERS: u32 = 22u;
// Bits of a look; src/render/styles.rs.
const LOOK_MASK: u32 = 255u;
const INNER_BIT: u32 = 256u;   // the inside of the look
const ROCKET_BIT: u32 = 512u;
const CHUNK_BIT: u32 = 1024u;
const GRENADE_BIT: u32 = 2048u;
const IRON_BIT: u32 = 4096u;
const DRILL_BIT: u32 = 8192u;
const CUT_BIT: u32 = 32768u;   // the texture has holes

fn has_image(look: u32) -> bool {
    return ((look >> 16u) & 255u) >= MADE_LAYERS;
}

// With an image the tint is the number of its projection.
fn projection_of(tint: vec4<f32>) -> Projection {
    let bytes = vec3<u32>(tint.rgb * 255.0 + 0.5);
    let number = bytes.x | bytes.y << 8u | bytes.z << 16u;
    return projections[min(number, arrayLength(&projections) - 1u)];
}

fn flag(bit: u32) -> bool {
    return (frame.flags & bit) != 0u;
}

// Interleaved gradient noise, 0..1 (Jimenez 2014).
fn dither(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

const NOISE_CELLS: f32 = 64.0;

// 3D value noise, 0..1: the texture unit interpolates, here with smoothed coordinates.
fn noise3(p: vec3<f32>) -> f32 {
    let base = floor(p);
    let f = p - base;
    let s = f * f * (3.0 - 2.0 * f);
    return textureSampleLevel(noise_volume, layer_sampler, (base + s + 0.5) / NOISE_CELLS, 0.0).x;
}

// Odd factors of the cell hash.
const CELL_X: u32 = 0x8da6b343u;
const CELL_Y: u32 = 0xd8163841u;
const CELL_Z: u32 = 0xcb1ab31fu;

// Hashes of four lattice points: the cell, its neighbours along x, along y, along both.
fn corners_of(cell: u32) -> vec4<f32> {
    var h = vec4(cell) + vec4(0u, CELL_X, CELL_Y, CELL_X + CELL_Y);
    h = (h ^ (h >> vec4(13u))) * 0x5bd1e995u;
    h = h ^ (h >> vec4(15u));
    return vec4<f32>(h & vec4(0xffffu)) / 65535.0;
}

fn cell_of(base: vec3<f32>) -> u32 {
    let c = vec3<u32>(vec3<i32>(base));
    return c.x * CELL_X + c.y * CELL_Y + c.z * CELL_Z;
}

// Value noise with derivatives: xyz gradient, w value (Quilez, "Value noise derivatives"). From hashes: the texture unit
// interpolates in coarse steps, which would show in the gradient.
fn noise3_slope(p: vec3<f32>) -> vec4<f32> {
    let base = floor(p);
    let f = p - base;
    let s = f * f * (3.0 - 2.0 * f);
    let cell = cell_of(base);
    let low = corners_of(cell);
    let rise = corners_of(cell + CELL_Z) - low;
    let square = low + rise * s.z;
    let line = mix(square.xy, square.zw, s.y);
    let along_y = square.zw - square.xy;
    let along_z = mix(rise.xy, rise.zw, s.y);
    let slope = vec3(line.y - line.x, mix(along_y.x, along_y.y, s.x), mix(along_z.x, along_z.y, s.x));
    return vec4(slope * (6.0 * f * (1.0 - f)), mix(line.x, line.y, s.x));
}

// Bumps of broken stone, from half a metre down to a hand: xyz gradient of the height in metres, w crevice depth 0..1. They
// hide the large flat facets of a blast.
fn lumps(world: vec3<f32>) -> vec4<f32> {
    // Domain warping hides the lattice.
    let own = world * 1.9;
    let bend = vec3(noise3_slope(own).w, noise3_slope(own + 17.0).w, noise3_slope(own + 41.0).w);
    let bent = world + 0.22 * (bend - 0.5);
    var slope = vec3(0.0);
    var height = 0.0;
    var scale = 2.3;
    var weight = 0.16;
    for (var i = 0; i < 3; i++) {
        let n = noise3_slope(bent * scale + f32(i) * 13.7);
        // Folded noise: sharp valleys, as between stones.
        let part = 2.0 * n.w - 1.0;
        slope += n.xyz * (2.0 * sign(part) * weight * scale);
        height += abs(part) * weight;
        scale *= 2.17;
        weight *= 0.42;
    }
    return vec4(slope, 1.0 - clamp(height * 5.0, 0.0, 1.0));
}

fn fifth(x: f32) -> f32 {
    return x * x * (x * x) * x;
}

// Material properties of a surface point; `normal` in world space.
struct Surface {
    albedo: vec3<f32>,
    rough: f32,
    metal: f32,
    normal: vec3<f32>,
    height: f32,
}

// The horizontal texture axis of a surface: courses of brick are level on every wall.
fn across_of(normal: vec3<f32>) -> vec3<f32> {
    if abs(normal.y) > 0.85 {
        return normalize(vec3(normal.y, -normal.x, 0.0));
    }
    return normalize(vec3(normal.z, 0.0, -normal.x));
}

fn relief_normal(relief: vec4<f32>, strength: f32) -> vec3<f32> {
    let xy = (relief.xy * 2.0 - 1.0) * strength;
    return normalize(vec3(xy, sqrt(max(1.0 - dot(relief.xy * 2.0 - 1.0, relief.xy * 2.0 - 1.0), 0.05))));
}

// Planar projection, for built surfaces. `scale` is in layers per metre.
fn planar(layer: u32, world: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, normal: vec3<f32>, scale: f32) -> Surface {
    let across = across_of(normal);
    let along = cross(normal, across);
    let uv = vec2(dot(world, across), dot(world, along)) * scale;
    let ddx = vec2(dot(dx, across), dot(dx, along)) * scale;
    let ddy = vec2(dot(dy, across), dot(dy, along)) * scale;
    let albedo = textureSampleGrad(albedo_layers, layer_sampler, uv, layer, ddx, ddy);
    let relief = textureSampleGrad(relief_layers, layer_sampler, uv, layer, ddx, ddy);
    let bent = relief_normal(relief, 1.3);
    return Surface(albedo.rgb, relief.z, relief.w, normalize(across * bent.x + along * bent.y + normal * bent.z), albedo.a);
}

// Image coordinates without the offset.
fn image_uv(p: vec3<f32>, lie: Projection) -> vec2<f32> {
    return vec2(dot(p, lie.u.xyz), dot(p, lie.v.xyz));
}

// The map's projection of an image. `wave` is the time of the ripple of liquids, seconds; 0 is still.
fn projected_image(layer: u32, world: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, normal: vec3<f32>, lie: Projection, wave: f32) -> Surface {
    var uv = image_uv(world, lie) + vec2(lie.u.w, lie.v.w);
    if wave > 0.0 {
        uv += 0.06 * sin(uv.yx * 6.2831853 + wave);
    }
    let ddx = image_uv(dx, lie);
    let ddy = image_uv(dy, lie);
    let albedo = textureSampleGrad(albedo_layers, layer_sampler, uv, layer, ddx, ddy);
    let relief = textureSampleGrad(relief_layers, layer_sampler, uv, layer, ddx, ddy);
    let bent = relief_normal(relief, 1.3);
    let across = lie.u.xyz - normal * dot(lie.u.xyz, normal);
    let along = lie.v.xyz - normal * dot(lie.v.xyz, normal);
    // The relief ignores the stretch of the image.
    let slope = across / max(length(across), 1e-4) * bent.x + along / max(length(along), 1e-4) * bent.y;
    return Surface(albedo.rgb, relief.z, relief.w, normalize(slope + normal * bent.z), 0.5);
}

// Alpha test: whether the texture has a hole here.
fn is_hole(look: u32, tint: vec4<f32>, world: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>) -> bool {
    if (look & CUT_BIT) == 0u {
        return false;
    }
    let lie = projection_of(tint);
    let uv = image_uv(world, lie) + vec2(lie.u.w, lie.v.w);
    // A finer mip than for colours: thin bars would vanish in the mean of a few texels.
    let ddx = image_uv(dx, lie) * 0.4;
    let ddy = image_uv(dy, lie) * 0.4;
    let layer = (look >> 16u) & 255u;
    return textureSampleGrad(albedo_layers, layer_sampler, uv, layer, ddx, ddy).a < 0.5;
}

// Weighted colour and relief of a layer projected along an axis.
struct AxisSample {
    colour: vec4<f32>,
    relief: vec4<f32>,
}

fn axis_sample(layer: u32, uv: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>, weight: f32) -> AxisSample {
    if weight < 0.02 {
        return AxisSample(vec4(0.0), vec4(0.0));
    }
    return AxisSample(
        weight * textureSampleGrad(albedo_layers, layer_sampler, uv, layer, ddx, ddy),
        // Normals are centred at 0, so that a skipped axis does not bend the result.
        weight * (textureSampleGrad(relief_layers, layer_sampler, uv, layer, ddx, ddy) - vec4(0.5, 0.5, 0.0, 0.0)),
    );
}

// Triplanar projection, for natural and broken surfaces.
fn triplanar(layer: u32, world: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, soft: vec3<f32>, normal: vec3<f32>, scale: f32) -> Surface {
    let a = abs(soft);
    var weight = a * a * (a * a) * a;
    weight /= weight.x + weight.y + weight.z;
    let p = world * scale;
    let ddx = dx * scale;
    let ddy = dy * scale;
    let x = axis_sample(layer, p.zy, ddx.zy, ddy.zy, weight.x);
    let y = axis_sample(layer, p.xz, ddx.xz, ddy.xz, weight.y);
    let z = axis_sample(layer, p.xy, ddx.xy, ddy.xy, weight.z);
    let colour = x.colour + y.colour + z.colour;
    let rough_metal = x.relief.zw + y.relief.zw + z.relief.zw;
    let slope = vec3(y.relief.x + z.relief.x, x.relief.y + z.relief.y, x.relief.x + y.relief.y);
    return Surface(colour.rgb, rough_metal.x, rough_metal.y, normalize(normal + slope * 3.0), colour.a);
}

// Distance attenuation; smooth, zero at the light's reach.
fn attenuation(distance: f32, reach: f32) -> f32 {
    let part = distance / reach;
    let window = max(1.0 - part * part * part * part, 0.0);
    let near = distance / (0.2 * reach);
    return window * window / (1.0 + near * near);
}

const SHADOW_NEAR_M: f32 = 0.04;

// Visibility of a light, 0 in shadow .. 1. Cube map faces lie three in a row; see `face_axes` in src/render/point_shadows.rs.
fn light_visibility(light: Light, at: vec3<f32>, normal: vec3<f32>) -> f32 {
    if light.colour.w < 0.0 {
        return 1.0;
    }
    let tile = frame.exposure.y;
    let straight = at - light.centre.xyz;
    // Normal offset by the width of a texel, which grows with distance, against shadow acne.
    let far = max(max(abs(straight.x), abs(straight.y)), abs(straight.z));
    let v = straight + normal * (0.012 + far * 3.0 / tile);
    let a = abs(v);
    var side = 0.0;
    var across = vec2(v.z * sign(v.x), v.y);
    var depth = a.x;
    var down = v.x < 0.0;
    if a.y > a.x && a.y >= a.z {
        side = 2.0;
        across = vec2(v.x * sign(v.y), v.z);
        depth = a.y;
        down = v.y < 0.0;
    } else if a.z > a.x {
        side = 4.0;
        across = vec2(-v.x * sign(v.z), v.y);
        depth = a.z;
        down = v.z < 0.0;
    }
    side += select(0.0, 1.0, down);
    let ndc = across / depth * (1.0 - 4.0 / tile);
    let size = vec2(1.0 / 3.0, 0.5);
    let corner = select(vec2(side, 0.0), vec2(side - 3.0, 1.0), side > 2.5);
    let near = SHADOW_NEAR_M / depth * 1.003;
    let uv = (corner + ndc * vec2(0.5, -0.5) + 0.5) * size;
    return pcf(shadow_maps, uv, size * (0.75 / tile), i32(light.colour.w), near);
}

// Percentage-closer filtering with four taps: the fraction nearer to the light than the map's depth, 0..1.
fn pcf(map: texture_depth_2d_array, uv: vec2<f32>, off: vec2<f32>, layer: i32, near: f32) -> f32 {
    let there = vec4(uv - off, uv + off);
    return 0.25 * (textureSampleCompareLevel(map, shadow_sampler, there.xy, layer, near)
        + textureSampleCompareLevel(map, shadow_sampler, there.zy, layer, near)
        + textureSampleCompareLevel(map, shadow_sampler, there.xw, layer, near)
        + textureSampleCompareLevel(map, shadow_sampler, there.zw, layer, near));
}

// Visibility of the sun, 0 in shadow .. 1: from the finest cascade that contains the point, 0 outside all.
fn sun_visibility(at: vec3<f32>) -> f32 {
    for (var map = 0; map < 2; map++) {
        let p = (frame.sun_maps[map] * vec4(at, 1.0)).xyz;
        if max(abs(p.x), abs(p.y)) < 0.98 {
            let texel = vec2(0.75 / f32(textureDimensions(sun_depth).x));
            return pcf(sun_depth, p.xy * vec2(0.5, -0.5) + 0.5, texel, map, p.z);
        }
    }
    return 0.0;
}

// Hemispheric ambient light: bluish from above, warm from below. Low, so that the lights dominate.
fn ambient(direction: vec3<f32>) -> vec3<f32> {
    return mix(vec3(0.064, 0.056, 0.048), vec3(0.092, 0.104, 0.124), direction.y * 0.5 + 0.5);
}

// Fraction of the bounced light in shadow.
const BOUNCED: f32 = 0.36;

// BRDF times cosine: diffuse and GGX specular reflection of light from `dir` towards the eye; both directions are unit.
fn reflected(s: Surface, matte: vec3<f32>, base: vec3<f32>, alpha: f32, facing: f32, dir: vec3<f32>, toward_eye: vec3<f32>) -> vec3<f32> {
    let n_l = dot(s.normal, dir);
    if n_l <= 0.0 {
        return vec3(0.0);
    }
    let alpha2 = alpha * alpha;
    let halfway = normalize(dir + toward_eye);
    let n_h = clamp(dot(s.normal, halfway), 0.0, 1.0);
    let d = n_h * n_h * (alpha2 - 1.0) + 1.0;
    let k = alpha * 0.5;
    let shine = alpha2 / (3.1416 * d * d) / (4.0 * (n_l * (1.0 - k) + k) * (facing * (1.0 - k) + k));
    let fresnel = base + (1.0 - base) * fifth(clamp(1.0 - dot(halfway, dir), 0.0, 1.0));
    return n_l * (matte + fresnel * min(shine, 12.0));
}

// The lowest set bit of four words, and the words without it. In software rendering one loop over all bits is cheaper than
// nested loops, which also iterate over empty words.
struct LowestBit {
    number: u32,
    left: vec4<u32>,
}

fn lowest_bit(words: vec4<u32>) -> LowestBit {
    let has = words != vec4(0u);
    let word = select(select(select(3u, 2u, has.z), 1u, has.y), 0u, has.x);
    let bits = select(select(select(words.w, words.z, has.z), words.y, has.y), words.x, has.x);
    let left = select(words, vec4(bits & (bits - 1u)), vec4(0u, 1u, 2u, 3u) == vec4(word));
    return LowestBit(word * 32u + firstTrailingBit(bits), left);
}

fn any_bit(words: vec4<u32>) -> bool {
    return (words.x | words.y | words.z | words.w) != 0u;
}

// Light from one source at a surface point.
struct IncidentLight {
    dir: vec3<f32>,     // towards the light, unit
    direct: vec3<f32>,  // at normal incidence
    bounced: vec3<f32>, // indirect, from all directions
    fill: vec3<f32>,    // its diffuse reflection
}

// `at` is relative to the eye.
fn incident_light(number: u32, at: vec3<f32>, normal: vec3<f32>, flat_normal: vec3<f32>) -> IncidentLight {
    let light = frame.lights[number];
    let to_light = light.centre.xyz - at;
    let distance2 = dot(to_light, to_light);
    if distance2 >= light.centre.w * light.centre.w {
        return IncidentLight(normal, vec3(0.0), vec3(0.0), vec3(0.0));
    }
    let distance = sqrt(distance2);
    let dir = to_light / max(distance, 1e-4);
    let visible = light_visibility(light, at, flat_normal);
    let strength = light.colour.rgb * attenuation(distance, light.centre.w);
    // The flat normal decides whether direct light arrives; a soft edge hides the terminator.
    let faces = visible * smoothstep(-0.02, 0.12, dot(flat_normal, dir));
    // A guess at indirect light: surfaces near a light are never black, back sides are dim.
    let bounced = strength * mix(BOUNCED, 1.0, visible);
    let wrap = 0.5 + 0.5 * dot(dir, normal);
    return IncidentLight(dir, strength * faces, bounced, bounced * (0.03 + 0.11 * wrap * wrap));
}

// Outgoing light of a surface point. `at` is relative to the eye; `lights` is the mask of lights that may reach it.
fn shaded(at: vec3<f32>, s: Surface, flat_normal: vec3<f32>, open: f32, lights: vec2<u32>) -> vec3<f32> {
    let toward_eye = -normalize(at);
    let facing = clamp(dot(s.normal, toward_eye), 0.05, 1.0);
    let base = mix(vec3(0.04), s.albedo, s.metal);
    // Metal keeps some diffuse reflection: there are no reflections of the room.
    let matte = s.albedo * (1.0 - 0.78 * s.metal);
    let alpha = max(s.rough * s.rough, 0.02);
    var colour = vec3(0.0);
    var fill = vec3(0.0);
    var around = vec3(0.0);
    let mirrored = reflect(-toward_eye, s.normal);
    var left = vec4(lights, 0u, 0u);
    while any_bit(left) {
        let lowest = lowest_bit(left);
        left = lowest.left;
        let incident = incident_light(lowest.number, at, s.normal, flat_normal);
        fill += incident.fill;
        let mirrors = max(0.5 + 0.5 * dot(mirrored, incident.dir), 0.0);
        let cubed = mirrors * mirrors * mirrors;
        around += incident.bounced * (cubed * cubed);
        if any(incident.direct > vec3(0.0)) {
            colour += incident.direct * reflected(s, matte, base, alpha, facing, incident.dir, toward_eye);
        }
    }
    if frame.sun.w > 0.0 {
        let faces = smoothstep(-0.02, 0.12, dot(flat_normal, frame.sun.xyz));
        let visible = select(0.0, sun_visibility(at), faces > 0.0);
        colour += frame.sun_colour.rgb * (faces * visible) * reflected(s, matte, base, alpha, facing, frame.sun.xyz, toward_eye);
        fill += frame.sun_colour.rgb * (0.05 * visible);
    }
    let edge = base + (max(vec3(1.0 - s.rough), base) - base) * fifth(1.0 - facing);
    let mirror = (ambient(mirrored) + around * mix(0.5, 0.12, s.rough)) * edge;
    return colour * mix(1.0, open, 0.45) + ((ambient(s.normal) + fill) * matte + mirror) * open;
}

// Damage by blasts at a surface point.
struct Scar {
    soot: f32,   // 0 clean .. 1 black
    edge: f32,   // signed distance to the nearest blast's sphere, metres, negative inside; ragged
    heat: f32,   // heat of the crater's edge, 0..1
    noise: f32,  // how much of the noise applies: the soot of a large blast is no more ragged than that of a two-metre one, or a pattern would show
    away: vec3<f32>, // offset from the centre of the blast nearest in radii, in its radii
}

// The smooth scar, with soot not yet clamped; `scorches` is the mask of scorches that may reach the point. Software
// rendering executes both sides of branches, so the few hot scorches have a loop of their own.
fn smooth_scar(at: vec3<f32>, scorches: vec4<u32>) -> Scar {
    var scar = Scar(0.0, 1e3, 0.0, 1.0, vec3(9.0));
    var least = length(scar.away);
    var left = scorches;
    while any_bit(left) {
        let lowest = lowest_bit(left);
        left = lowest.left;
        let scorch = frame.scorches[lowest.number];
        let d = at - scorch.centre.xyz;
        let far = length(d);
        let reach = scorch.centre.w * 2.1;
        let is_near = far < reach;
        let soot = (1.0 - far / reach) * scorch.heat.y;
        scar.noise = select(scar.noise, min(1.0, 4.2 / reach), soot > scar.soot);
        scar.soot = max(scar.soot, soot);
        scar.edge = select(scar.edge, min(scar.edge, far - scorch.centre.w + 1.0 - scorch.heat.y), is_near);
        let part = far / scorch.centre.w;
        scar.away = select(scar.away, d / scorch.centre.w, is_near && part < least);
        least = select(least, min(least, part), is_near);
    }
    left = scorches & frame.hot;
    while any_bit(left) {
        let lowest = lowest_bit(left);
        left = lowest.left;
        let scorch = frame.scorches[lowest.number];
        let far = distance(at, scorch.centre.xyz);
        scar.heat = max(scar.heat, scorch.heat.x * (1.0 - smoothstep(0.0, 0.5, abs(far - scorch.centre.w * 0.85) / (scorch.centre.w * 0.6))));
    }
    return scar;
}

// The scar with edges made ragged by noise at `world`.
fn ragged_scar(at: vec3<f32>, world: vec3<f32>, scorches: vec4<u32>) -> Scar {
    var scar = smooth_scar(at, scorches);
    let most = scar.soot;
    if most <= 0.0 {
        scar.soot = 0.0;
        return scar;
    }
    let ragged = noise3(world * 5.0) * 0.5 + noise3(world * 13.0) * 0.3 + noise3(world * 31.0) * 0.2;
    scar.soot = smoothstep(0.14, 0.95, most * 1.15 + (ragged - 0.5) * 0.55 * scar.noise);
    scar.edge += (ragged - 0.5) * 0.55;
    scar.heat *= smoothstep(0.38, 0.72, ragged);
    return scar;
}

// Emission of a hot crater edge: cools from yellow to red.
fn glow(heat: f32) -> vec3<f32> {
    return vec3(2.6, 1.3 * heat, 0.4 * heat * heat) * heat * heat * heat;
}

fn fog(colour: vec3<f32>, distance: f32) -> vec3<f32> {
    let thin = exp(-distance * 0.010);
    return mix(vec3(0.020, 0.024, 0.030), colour, thin);
}

// ACES, as fitted by Narkowicz (2015).
fn tone_mapped(hdr: vec3<f32>) -> vec3<f32> {
    let x = max(hdr, vec3(0.0)) * frame.exposure.x;
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3(0.0), vec3(1.0));
}

// Encodes for the target: linear, or sRGB.
fn encoded(linear: vec3<f32>) -> vec3<f32> {
    if flag(FLAG_ENCODE) {
        let low = linear * 12.92;
        let high = 1.055 * pow(max(linear, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055;
        return select(high, low, linear <= vec3(0.0031308));
    }
    return linear;
}

// From HDR to the target: tone mapping, dithering, encoding.
fn display_colour(hdr: vec3<f32>, pixel: vec2<f32>) -> vec4<f32> {
    // Dithering hides 8-bit banding in the dark.
    let noise = (dither(pixel) - 0.5) / 255.0;
    return vec4(encoded(max(tone_mapped(hdr) + noise * 0.5, vec3(0.0))), 1.0);
}
