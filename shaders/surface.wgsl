// Rooms: flat faces with baked materials. Rust side: src/render/room_meshes.rs (`RoomVertex`).

struct VertexIn {
    @location(0) world: vec3<f32>,
    @location(1) normal: vec4<f32>, // w hue of the face
    @location(2) soft: vec4<f32>,  // mean normal of adjacent broken faces; w depth of the hole / DEPTH_MOST_M
    @location(3) look: u32,        // bits 0-7 look, bit 8 inner, bit 15 cut, bits 16-23 layer
    @location(4) tint: vec4<f32>,  // rgb factor, or the number of the image's projection; a hue of the room
    // Influence mask of the room, src/render/influences.rs.
    @location(5) scorches: vec4<u32>,
    @location(6) lights: vec2<u32>,
}

const DEPTH_MOST_M: f32 = 1.6;

struct VertexOut {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) @interpolate(flat) normal: vec3<f32>,
    @location(2) soft: vec4<f32>,
    @location(3) @interpolate(flat) look: u32,
    @location(4) @interpolate(flat) tint: vec4<f32>,
    @location(5) edge: vec3<f32>,
    @location(6) @interpolate(flat) face_hue: f32,
    @location(7) @interpolate(flat) scorches: vec4<u32>,
    @location(8) @interpolate(flat) lights: vec2<u32>,
}

@vertex
fn vs_main(in: VertexIn, @builtin(vertex_index) index: u32) -> VertexOut {
    var out: VertexOut;
    out.at = in.world - frame.eye.xyz;
    out.position = frame.clip_from_eye * vec4(out.at, 1.0);
    out.normal = in.normal.xyz;
    out.face_hue = in.normal.w;
    out.soft = in.soft;
    out.look = in.look;
    out.tint = in.tint;
    out.scorches = in.scorches;
    out.lights = in.lights;
    let corner = index % 3u;
    out.edge = vec3(f32(corner == 0u), f32(corner == 1u), f32(corner == 2u));
    return out;
}

// The layer of a surface's inside. Image layers come after the made ones; their inside is that of the look.
fn inner_layer(look: u32, layer: u32) -> u32 {
    return select(select(look, LOOK_ROCK, look >= LOOK_LIQUID) * 2u + 1u, layer | 1u, layer < MADE_LAYERS);
}

// Evening light.
fn sky_without_clouds(dir: vec3<f32>) -> vec3<f32> {
    return mix(vec3(0.62, 0.36, 0.20), vec3(0.13, 0.22, 0.42), smoothstep(-0.05, 0.55, clamp(dir.y, -0.2, 1.0)));
}

// The made sky: evening light, slow clouds.
fn sky(dir: vec3<f32>) -> vec3<f32> {
    let high = clamp(dir.y, -0.2, 1.0);
    var colour = sky_without_clouds(dir);
    let plane = dir.xz / (abs(dir.y) + 0.25) * 2.2 + frame.eye.w * vec2(0.012, 0.005);
    var cloud = 0.0;
    var weight = 0.5;
    var scale = 1.0;
    for (var i = 0; i < 5; i++) {
        cloud += weight * noise3(vec3(plane * scale, f32(i) * 7.3));
        weight *= 0.5;
        scale *= 2.1;
    }
    let cover = smoothstep(0.42, 0.75, cloud);
    if frame.sun.w > 0.0 {
        let near = max(dot(dir, frame.sun.xyz), 0.0);
        let disc = smoothstep(0.9993, 0.9997, near) * 14.0 + pow(near, 600.0) * 2.0 + pow(near, 20.0) * 0.3;
        colour += frame.sun_colour.rgb * disc * (1.0 - 0.8 * cover);
    }
    return mix(colour, mix(vec3(0.85, 0.55, 0.36), vec3(0.42, 0.40, 0.44), high), cover * 0.8);
}

// Sky image coordinates as in Quake: on a distant dome that moves with the eye, stretched towards the horizon.
fn dome_uv(at: vec3<f32>) -> vec2<f32> {
    return normalize(at * vec3(1.0, 3.0, 1.0)).xz * (6.0 * 63.0 / 128.0);
}

fn image_sky(layer: u32, at: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>) -> vec3<f32> {
    let uv = dome_uv(at);
    let ddx = dome_uv(at + dx) - uv;
    let ddy = dome_uv(at + dy) - uv;
    return textureSampleGrad(albedo_layers, layer_sampler, uv, layer, ddx, ddy).rgb * 0.8;
}

fn room_colour(hue: f32) -> vec3<f32> {
    return 0.5 + 0.5 * cos(6.2831853 * (hue + vec3(0.0, 0.33, 0.67)));
}

// Metal round a hole: pushed in, folded along the rays from the blast, scoured bright near the hole, and farther out
// coloured by oxide films.
fn buckled(plate: Surface, normal: vec3<f32>, away: vec3<f32>, ragged: f32) -> Surface {
    var s = plate;
    let flat_away = away - normal * dot(away, normal);
    let dir = flat_away / max(length(flat_away), 1e-3);
    let r = length(away) + (ragged - 0.5) * 0.5;
    // Constant along a ray.
    let folds = noise3_slope(dir * 3.1 + away * 0.15 + 40.0);
    let scour = noise3(dir * 23.0 + away * 0.6) * 0.6 + noise3(dir * 61.0 + away * 1.7) * 0.4;
    let pushed = 1.0 - smoothstep(0.55, 1.15, r);
    let across = folds.xyz - normal * dot(folds.xyz, normal) - dir * dot(folds.xyz, dir);
    s.normal = normalize(s.normal - dir * (0.42 * pushed) - across * (0.75 * pushed));
    // Straw, brown, purple, blue: oxide films from 220 to 310 degrees.
    var film = vec3(1.0);
    film = mix(film, vec3(0.95, 0.80, 0.55), 1.0 - smoothstep(1.30, 1.50, r));
    film = mix(film, vec3(0.66, 0.46, 0.38), 1.0 - smoothstep(1.16, 1.28, r));
    film = mix(film, vec3(0.48, 0.40, 0.58), 1.0 - smoothstep(1.05, 1.15, r));
    film = mix(film, vec3(0.46, 0.53, 0.70), 1.0 - smoothstep(0.92, 1.04, r));
    let bare = 1.0 - smoothstep(0.62, 0.95, r + (scour - 0.5) * 0.35);
    s.albedo = mix(s.albedo * film, vec3(0.66, 0.65, 0.63) * (0.55 + 0.75 * scour), bare);
    s.rough = mix(s.rough, 0.34, bare);
    s.metal = mix(s.metal, 0.95, bare);
    return s;
}

// Depth with alpha test.
@fragment
fn fs_cut(in: VertexOut) {
    if is_hole(in.look, in.tint, in.at + frame.eye.xyz, dpdx(in.at), dpdy(in.at)) {
        discard;
    }
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    let dx = dpdx(in.at);
    let dy = dpdy(in.at);
    let edge_width = fwidth(in.edge);
    let normal = normalize(in.normal);
    let unoccluded = ambient_visibility(in.position.xy, in.at, normal);
    let world = in.at + frame.eye.xyz;
    let look = in.look & LOOK_MASK;
    let inner = (in.look & INNER_BIT) != 0u;
    let layer = (in.look >> 16u) & 255u;
    let distance = length(in.at);
    let with_image = has_image(in.look);
    if !flag(FLAG_WIRE_ALONE) && is_hole(in.look, in.tint, world, dx, dy) {
        discard;
    }
    var hdr: vec3<f32>;
    if look == LOOK_SKY && !inner {
        if with_image {
            hdr = image_sky(layer, in.at, dx, dy);
        } else {
            hdr = sky(in.at / max(distance, 1e-4));
        }
    } else {
        let soft = normalize(mix(normal, in.soft.xyz, 0.5) + normal * 1e-3);
        // Natural and broken surfaces have no courses: rock, soil, and all insides.
        let grown = !inner && !with_image && (look == LOOK_ROCK || look == LOOK_SOIL);
        let bend = select(normal, soft, inner);
        var position = world;
        if look == LOOK_LIQUID {
            position += vec3(sin(frame.eye.w * 0.31 + world.z), 0.0, cos(frame.eye.w * 0.27 + world.x)) * 0.12;
        }
        let depth_m = max(in.soft.w, 0.0) * DEPTH_MOST_M;
        var s: Surface;
        var crack = 0.0;
        if inner || grown {
            var shape = bend;
            // Fades with distance against aliasing.
            let near = 1.0 - smoothstep(8.0, 26.0, distance);
            if inner && near > 0.0 && look != LOOK_METAL {
                let rough = lumps(world);
                let along = rough.xyz - normal * dot(rough.xyz, normal);
                shape = normalize(bend - along * (0.85 * near));
                crack = rough.w * near;
            }
            s = triplanar(layer, position, dx, dy, bend, shape, select(0.5, 0.36, grown));
        } else if with_image {
            let wave = select(0.0, frame.eye.w + 1.0, look == LOOK_LIQUID);
            s = projected_image(layer, world, dx, dy, normal, projection_of(in.tint), wave);
        } else {
            s = planar(layer, position, dx, dy, normal, 0.5);
        }
        // Low-frequency stains hide the two-metre period of the layers.
        let stain = noise3(world * 0.45) * 0.6 + noise3(world * 1.7 + 9.0) * 0.4;
        let made = select(select(0.34, 0.18, look == LOOK_METAL), 0.6, grown || inner);
        let amount = select(made, 0.12, with_image);
        s.albedo *= select(in.tint.rgb * 2.0, vec3(1.0), with_image) * (1.0 - amount * 0.5 + amount * stain);
        s.albedo *= mix(vec3(1.04, 1.0, 0.95), vec3(0.96, 1.0, 1.05), noise3(world * 0.23 + 31.0));
        let mask = tile_mask(in.position.xy);
        let scar = ragged_scar(in.at, world, in.scorches & mask.scorches);
        var black = scar.soot;
        if !inner && look == LOOK_METAL && scar.soot > 0.0 {
            s = buckled(s, normal, scar.away, stain * 0.6 + noise3(world * 4.7) * 0.4);
            black *= 0.45 + 0.55 * smoothstep(0.7, 1.4, length(scar.away));
        } else if !inner && scar.edge < 0.16 && scar.soot > 0.0 {
            // Round a hole the surface is chipped off: a ragged rim of the inside hides the straight cut.
            let chipped = 1.0 - smoothstep(0.0, 0.025, scar.edge - 0.05);
            let lip = 1.0 - smoothstep(0.0, 0.05, abs(scar.edge - 0.075));
            let raw = triplanar(inner_layer(look, layer), position, dx, dy, normal, normal, 0.5);
            s.albedo = mix(s.albedo * (1.0 - 0.45 * lip), raw.albedo, chipped);
            s.normal = normalize(mix(s.normal, raw.normal, chipped));
            s.rough = mix(s.rough, raw.rough, chipped);
            s.metal = mix(s.metal, raw.metal, chipped);
        }
        if inner {
            // Fresh breaks are pale at the rim and burnt deep inside.
            let crevice = 1.0 - smoothstep(0.30, 0.62, s.height);
            s.albedo *= (1.0 - 0.45 * smoothstep(0.6, 1.0, crack)) * (1.0 + 0.35 * stain);
            let rim = 1.0 - smoothstep(0.0, 0.07, depth_m);
            let deep = smoothstep(0.05, 1.1, depth_m);
            let burnt = clamp(crevice * 0.35 + black * (0.12 + 0.45 * deep), 0.0, 0.85);
            s.albedo *= mix(vec3(1.0), vec3(0.24, 0.21, 0.20), burnt) * (1.0 + 0.45 * rim);
            s.metal *= 1.0 - 0.3 * black;
        } else {
            s.albedo *= mix(vec3(1.0), vec3(0.115, 0.10, 0.092), black * 0.86);
            s.metal *= 1.0 - 0.7 * black;
            s.rough = mix(s.rough, 0.95, black * 0.8);
        }
        // Light enters a hole through its opening only.
        let open = unoccluded * select(1.0, 1.0 - 0.34 * smoothstep(0.1, 1.4, depth_m), inner);
        hdr = shaded(in.at, s, normal, open, in.lights & mask.lights);
        if look == LOOK_LAMP && !inner {
            // Of an image the bright parts glow.
            hdr += s.albedo * select(vec3(1.0 - s.metal) * 2.6, s.albedo * 1.6, with_image);
        }
        hdr += glow(scar.heat);
        hdr = fog(hdr, distance);
    }
    return with_drawings(in, hdr, inner, distance, edge_width);
}

// Debug drawings on the surface: room colour, face colour, utilisation, triangle edges.
fn with_drawings(in: VertexOut, plain: vec3<f32>, inner: bool, distance: f32, edge_width: vec3<f32>) -> vec4<f32> {
    var hdr = plain;
    if flag(FLAG_ROOMS) {
        hdr = mix(hdr, room_colour(in.tint.a) * (0.12 + dot(hdr, vec3(0.3))), 0.65);
    }
    let near = in.edge / max(edge_width, vec3(1e-6));
    let line = 1.0 - smoothstep(0.25, 0.95, min(near.x, min(near.y, near.z)));
    if flag(FLAG_FACES) {
        let own = room_colour(in.face_hue) * (0.10 + dot(hdr, vec3(0.35)));
        hdr = mix(mix(hdr, own, 0.8), vec3(0.01), line * 0.55);
    }
    if flag(FLAG_STRESS) {
        // A little inside the face; by the square root, as in src/view/stress.rs.
        let utilisation = utilisation_at(in.at + frame.eye.xyz - normalize(in.normal) * 0.01);
        let grey = dot(hdr, vec3(0.3)) * vec3(0.55);
        let own = heat_colour(sqrt(clamp(utilisation, 0.0, 1.0))) * (0.3 + dot(hdr, vec3(0.3)));
        hdr = select(mix(own, hdr, 0.1), grey, utilisation < 0.0);
    }
    if flag(FLAG_WIRE_ALONE) {
        if line < 0.05 {
            discard;
        }
        let faint = line / (1.0 + distance * 0.06);
        let own = select(vec3(0.10, 0.62, 0.55), vec3(1.0, 0.42, 0.08), inner);
        return vec4(encoded(tone_mapped(own * faint * 0.9)), 1.0);
    }
    if flag(FLAG_WIRE) {
        hdr = mix(hdr * 0.8, select(vec3(0.15, 0.9, 0.7), vec3(1.2, 0.55, 0.1), inner), line * 0.7);
    }
    return display_colour(hdr, in.position.xy);
}

// The light buffer: see coarse.wgsl.
@fragment
fn fs_light(in: VertexOut) -> @location(0) vec4<f32> {
    let depth = -dot(in.at, frame.back.xyz);
    if is_hole(in.look, in.tint, in.at + frame.eye.xyz, dpdx(in.at), dpdy(in.at)) {
        discard;
    }
    let normal = normalize(in.normal);
    let inner = (in.look & INNER_BIT) != 0u;
    if (in.look & LOOK_MASK) == LOOK_SKY && !inner {
        return vec4(0.0, 0.0, 0.0, depth);
    }
    let bend = select(normal, normalize(mix(normal, in.soft.xyz, 0.5) + normal * 1e-3), inner);
    let lights = in.lights & coarse_tile_mask(in.position.xy).lights;
    return vec4(diffuse_light(in.at, bend, normal, lights), depth);
}

// Specialization of `fs_coarse`.
override HAS_SOOT: bool = true;     // soot may reach the room
override HAS_DRAWINGS: bool = true; // `with_drawings` has something to draw

// Colours under the light buffer. Software rendering executes both sides of branches: so there is one sample of one layer,
// and surfaces differ in its coordinates only.
@fragment
fn fs_coarse(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let world = in.at + frame.eye.xyz;
    let look = in.look & LOOK_MASK;
    let inner = (in.look & INNER_BIT) != 0u;
    let with_image = has_image(in.look);
    let is_sky = look == LOOK_SKY && !inner;
    let is_liquid = look == LOOK_LIQUID && !inner;
    let grown = !inner && !with_image && (look == LOOK_ROCK || look == LOOK_SOIL);
    let distance = length(in.at);
    var scar = Scar(0.0, 1e3, 0.0, 1.0, vec3(9.0));
    var ragged = 0.5;
    if HAS_SOOT {
        scar = smooth_scar(in.at, in.scorches & tile_mask(in.position.xy).scorches);
        let waves = wave3(world * 1.432 + wave3(world.yzx * 0.796) * 0.159);
        ragged = 0.5 + 0.3 * (waves.x * waves.y + waves.y * waves.z);
    }
    let soot = select(0.0, smoothstep(0.14, 0.95, scar.soot * 1.15 + (ragged - 0.5) * 0.45 * scar.noise), scar.soot > 0.0);
    // Round a hole the surface is chipped off.
    let chipped = !inner && look != LOOK_METAL && soot > 0.0 && scar.edge + (ragged - 0.5) * 0.5 < 0.075;
    let own_layer = (in.look >> 16u) & 255u;
    let layer = select(own_layer, inner_layer(look, own_layer), chipped);
    // Coordinates: the image's projection, planar with a level axis, or along the dominant axis of a natural surface.
    let lie = projection_of(in.tint);
    let across = across_of(normal) * 0.5;
    let along = cross(normal, across);
    let a = abs(select(normal, normalize(mix(normal, in.soft.xyz, 0.5) + normal * 1e-3), inner));
    let by_axis = select(select(world.xy, world.xz, a.y >= a.z), world.zy, a.x >= a.y && a.x >= a.z) * select(0.5, 0.36, grown);
    var uv = vec2(dot(world, across), dot(world, along));
    uv = select(uv, by_axis, inner || grown || chipped);
    uv = select(uv, image_uv(world, lie) + vec2(lie.u.w, lie.v.w), with_image && !chipped);
    uv = select(uv, dome_uv(in.at), is_sky);
    uv += select(vec2(0.0), 0.06 * sin(uv.yx * 6.2831853 + frame.eye.w), is_liquid);
    let texel = textureSampleBias(albedo_layers, layer_sampler, uv, layer, -0.6);
    if (in.look & CUT_BIT) != 0u && texel.a < 0.5 && !flag(FLAG_WIRE_ALONE) {
        discard;
    }
    var albedo = texel.rgb * select(in.tint.rgb * 2.0, vec3(1.0), with_image || chipped);
    let depth_m = max(in.soft.w, 0.0) * DEPTH_MOST_M;
    let deep = smoothstep(0.05, 1.1, depth_m);
    let broken = mix(vec3(1.17), vec3(0.28, 0.25, 0.24), clamp(soot * (0.12 + 0.45 * deep), 0.0, 0.85)) * (1.45 - 0.45 * smoothstep(0.0, 0.07, depth_m));
    let whole = mix(vec3(1.0), vec3(0.115, 0.10, 0.092), soot * 0.86);
    albedo *= select(whole, broken, inner);
    // Light enters a hole through its opening only; metal reflects part of the light specularly.
    let open = select(1.0, 1.0 - 0.34 * smoothstep(0.1, 1.4, depth_m), inner) * select(1.0, 0.75, look == LOOK_METAL);
    var hdr = albedo * upsampled_light(in.position.xy, in.at, normal) * open;
    let shines = look == LOOK_LAMP && !inner;
    hdr += select(vec3(0.0), albedo * select(vec3(2.6), albedo * 1.6, with_image), shines);
    hdr += glow(scar.heat * smoothstep(0.38, 0.72, ragged));
    hdr = fog(hdr, distance);
    hdr = select(hdr, select(sky_without_clouds(in.at / max(distance, 1e-4)), texel.rgb * 0.8, with_image), is_sky);
    if HAS_DRAWINGS {
        return with_drawings(in, hdr, inner, distance, fwidth(in.edge));
    }
    return display_colour(hdr, in.position.xy);
}
