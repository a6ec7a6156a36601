// The made materials: two square metres of each look. Baked by src/render/material_layers.rs.

// Material properties of a surface point. Height in metres.
struct Surface {
    albedo: vec3<f32>,
    height: f32,
    rough: f32,
    metal: f32,
}

fn surface(albedo: vec3<f32>, height: f32, rough: f32, metal: f32) -> Surface {
    var s: Surface;
    s.albedo = albedo;
    s.height = height;
    s.rough = rough;
    s.metal = metal;
    return s;
}

// Angular broken stones of two metres / period, with small ones in between. 0..1.
fn rubble(uv: vec2<f32>, period: i32, seed: u32) -> vec4<f32> {
    let warp = vec2(fbm(uv, vec2(6), 3, seed + 5u), fbm(uv, vec2(6), 3, seed + 9u)) * 0.02;
    let big = cells(uv + warp, vec2(period), seed);
    let small = cells(uv + warp * 0.7, vec2(period * 3), seed + 1u);
    let stone = smoothstep(0.02, 0.22, big.edge);
    // Each stone is a tilted facet, not a dome.
    let tilt = vec2(unit(hash_u(big.id)), unit(hash_u(big.id + 1u))) - 0.5;
    let facet = 0.55 + 0.45 * unit(hash_u(big.id + 2u)) + dot(tilt, big.toward) * 0.9;
    let grit = smoothstep(0.0, 0.3, small.edge) * (0.3 + 0.3 * unit(small.id));
    return vec4(mix(grit * 0.6, facet, stone), stone, unit(hash_u(big.id + 3u)), unit(small.id));
}

fn concrete(uv: vec2<f32>) -> Surface {
    let cloud = fbm(uv, vec2(3), 5, 1u);
    let grain = fbm(uv, vec2(48), 3, 2u);
    let streak = fbm(uv, vec2(14, 2), 4, 3u);
    let pores = cells(uv, vec2(26), 4u);
    let pore = (1.0 - smoothstep(0.06, 0.16, pores.nearest)) * step(0.62, unit(pores.id));
    // Formwork: boards of a metre, grooves between them, four tie holes per board.
    let board = fract(uv * 2.0);
    let rim = min(min(board.x, 1.0 - board.x), min(board.y, 1.0 - board.y));
    let groove = 1.0 - smoothstep(0.004, 0.012, rim);
    let corner = abs(abs(board - 0.5) - 0.3);
    let hole_at = length(corner);
    let hole = 1.0 - smoothstep(0.018, 0.024, hole_at);
    let tone = hash_cell(vec2<i32>(floor(uv * 2.0)), vec2(2), 6u);
    var grey = 0.40 + 0.10 * cloud + 0.05 * grain + 0.05 * (unit(tone) - 0.5) - 0.05 * max(streak, 0.0);
    grey *= 1.0 - 0.45 * pore - 0.40 * groove - 0.65 * hole;
    let warm = mix(vec3(0.95, 0.98, 1.02), vec3(1.05, 1.0, 0.92), 0.5 + 0.5 * cloud);
    let height = 0.0014 * grain + 0.006 * cloud - 0.006 * pore - 0.012 * groove - 0.016 * hole;
    return surface(vec3(grey) * warm, height, 0.82 - 0.1 * cloud, 0.0);
}

fn concrete_inner(uv: vec2<f32>) -> Surface {
    // Gravel in cement: broken in steps, some stones whole, some torn out.
    let stones = rubble(uv, 30, 40u);
    let steps = rubble(uv, 7, 42u);
    let lumps = fbm(uv, vec2(8), 5, 43u);
    let grain = fbm(uv, vec2(44), 3, 41u);
    let is_stone = stones.y * step(0.45, stones.z);
    let gravel = mix(vec3(0.25, 0.245, 0.235), vec3(0.50, 0.43, 0.34), fract(stones.z * 7.0));
    let cement = vec3(0.43, 0.42, 0.40) * (0.86 + 0.25 * lumps);
    let albedo = mix(cement, gravel, is_stone * 0.8) * (0.78 + 0.3 * steps.x) * (1.0 + 0.28 * grain);
    return surface(albedo, 0.040 * steps.x + 0.030 * lumps + 0.014 * stones.x * is_stone + 0.004 * grain, 0.95, 0.0);
}

// Bricks of 25 x 8.3 cm in running bond: position within the brick, 0..1; distance to the joint in metres.
struct Brick {
    at: vec2<f32>,
    joint: f32,
    id: u32,
}

fn brick_at(uv: vec2<f32>, seed: u32) -> Brick {
    let count = vec2(8.0, 24.0);
    var p = uv * count;
    p.x += 0.5 * (floor(p.y) % 2.0);
    let cell = floor(p);
    let at = p - cell;
    let size = 2.0 / count;
    let from_rim = (0.5 - abs(at - 0.5)) * size;
    return Brick(at, min(from_rim.x, from_rim.y), hash_cell(vec2<i32>(cell), vec2(8, 24), seed));
}

fn brick(uv: vec2<f32>) -> Surface {
    let warp = vec2(fbm(uv, vec2(20), 3, 11u), fbm(uv, vec2(20), 3, 12u)) * 0.0016;
    let b = brick_at(uv + warp, 13u);
    let grain = fbm(uv, vec2(56), 3, 14u);
    let blotch = fbm(uv, vec2(7), 4, 15u);
    let chip = max(fbm(uv, vec2(16), 3, 16u) - 0.28, 0.0);
    let joint = 1.0 - smoothstep(0.004, 0.010 + 0.02 * chip, b.joint);
    let pick = unit(b.id);
    var clay = mix(vec3(0.42, 0.12, 0.065), vec3(0.30, 0.075, 0.05), pick);
    clay = mix(clay, vec3(0.50, 0.20, 0.10), step(0.78, unit(hash_u(b.id))));
    clay = mix(clay, vec3(0.16, 0.07, 0.06), 0.7 * step(0.9, unit(hash_u(b.id + 5u))));
    clay *= 0.92 + 0.35 * grain + 0.22 * blotch;
    let mortar = vec3(0.44, 0.41, 0.36) * (0.85 + 0.4 * grain + 0.15 * blotch);
    let bulge = smoothstep(0.0, 0.02, b.joint);
    let own = 0.004 * (unit(hash_u(b.id + 9u)) - 0.5);
    let height = mix(0.012 * bulge + own + 0.003 * grain, -0.003 + 0.003 * grain, joint);
    return surface(mix(clay, mortar, joint), height, mix(0.8, 0.95, joint), 0.0);
}

fn brick_inner(uv: vec2<f32>) -> Surface {
    let warp = vec2(fbm(uv, vec2(10), 4, 50u), fbm(uv, vec2(10), 4, 51u)) * 0.016;
    let b = brick_at(uv + warp, 52u);
    let stones = rubble(uv, 16, 53u);
    let grain = fbm(uv, vec2(44), 3, 54u);
    let joint = 1.0 - smoothstep(0.006, 0.013, b.joint);
    // Some bricks are torn out and leave a dark hole.
    let gone = step(0.72, unit(hash_u(b.id + 3u)));
    let core = mix(vec3(0.56, 0.20, 0.095), vec3(0.44, 0.13, 0.07), unit(b.id)) * (0.7 + 0.45 * stones.x);
    let mortar = vec3(0.50, 0.46, 0.40) * (0.7 + 0.4 * stones.x);
    let albedo = mix(core * (1.0 - 0.55 * gone), mortar, joint * 0.9) * (1.0 + 0.3 * grain);
    let height = 0.022 * stones.x - 0.030 * gone * (1.0 - joint) + 0.012 * joint + 0.006 * grain;
    return surface(albedo, height, 0.95, 0.0);
}

fn plaster(uv: vec2<f32>) -> Surface {
    let cloud = fbm(uv, vec2(2), 5, 21u);
    let peel = fbm(uv, vec2(60), 2, 22u);
    let trowel = fbm(uv + 0.05 * vec2(cloud, -cloud), vec2(5, 12), 3, 23u);
    let warp = vec2(fbm(uv, vec2(9), 4, 24u), fbm(uv, vec2(9), 4, 25u)) * 0.05;
    let web = cells(uv + warp, vec2(4), 26u);
    let where_cracked = smoothstep(0.05, 0.35, fbm(uv, vec2(3), 2, 27u));
    let crack = (1.0 - smoothstep(0.004, 0.014, web.edge)) * where_cracked;
    let tone = 0.60 + 0.07 * cloud + 0.03 * trowel;
    let albedo = vec3(1.0, 0.92, 0.76) * tone * (1.0 - 0.55 * crack);
    return surface(albedo, 0.0004 * peel + 0.004 * trowel - 0.005 * crack, 0.9, 0.0);
}

fn plaster_inner(uv: vec2<f32>) -> Surface {
    // Plaster broken off in coats: chalk, sand below it, and bare brick in places.
    let warp = vec2(fbm(uv, vec2(7), 4, 63u), fbm(uv, vec2(7), 4, 64u)) * 0.05;
    let stones = rubble(uv + warp, 23, 60u);
    let coat = fbm(uv + warp, vec2(4), 5, 62u);
    let grain = fbm(uv, vec2(50), 3, 61u);
    let lumps = fbm(uv, vec2(15), 4, 65u);
    let chalk = vec3(0.64, 0.60, 0.53) * (0.78 + 0.22 * stones.x + 0.25 * lumps);
    let sand = vec3(0.44, 0.385, 0.30) * (0.75 + 0.25 * stones.x + 0.3 * lumps);
    let b = brick_at(uv + warp * 0.25, 66u);
    let joint = 1.0 - smoothstep(0.006, 0.013, b.joint);
    let brick = mix(mix(vec3(0.42, 0.17, 0.10), vec3(0.33, 0.115, 0.07), unit(b.id)), vec3(0.42, 0.39, 0.34), joint);
    let below = smoothstep(0.06, 0.12, coat);
    let bare = smoothstep(0.27, 0.33, coat + 0.1 * lumps);
    let albedo = mix(mix(chalk, sand, below), brick * (0.85 + 0.4 * lumps), bare);
    let height = -0.014 * below - 0.016 * bare - 0.006 * joint * bare + 0.014 * stones.x * (1.0 - 0.6 * bare) + 0.010 * lumps + 0.004 * grain;
    return surface(albedo * (1.0 + 0.2 * grain), height, 0.97, 0.0);
}

fn tile(uv: vec2<f32>) -> Surface {
    let p = uv * 8.0;
    let cell = vec2<i32>(floor(p));
    let at = fract(p);
    let rim = min(min(at.x, 1.0 - at.x), min(at.y, 1.0 - at.y)) * 0.25;
    let grout = 1.0 - smoothstep(0.003, 0.006, rim);
    let bevel = smoothstep(0.004, 0.016, rim);
    let id = hash_cell(cell, vec2(8), 31u);
    let cloud = fbm(uv, vec2(8), 4, 32u);
    let grain = fbm(uv, vec2(60), 2, 33u);
    let check = f32((cell.x + cell.y) & 1);
    var glaze = mix(vec3(0.43, 0.435, 0.40), vec3(0.20, 0.245, 0.245), check);
    glaze *= 0.9 + 0.2 * unit(id) + 0.10 * cloud;
    let tilt = dot(at - 0.5, vec2(unit(hash_u(id)), unit(hash_u(id + 1u))) - 0.5);
    // A few are cracked across.
    let line = abs(dot(at - 0.5, normalize(vec2(unit(hash_u(id + 2u)) - 0.5, 0.4))) + 0.05 * cloud);
    let crack = (1.0 - smoothstep(0.006, 0.014, line)) * step(0.9, unit(hash_u(id + 3u)));
    let dirt = vec3(0.16, 0.145, 0.12) * (1.0 + 0.5 * grain);
    let height = 0.006 * bevel + 0.003 * tilt - 0.006 * grout - 0.003 * crack;
    return surface(mix(glaze, dirt, max(grout, 0.8 * crack)), height, mix(0.16 + 0.08 * cloud, 0.9, max(grout, crack)), 0.0);
}

fn tile_inner(uv: vec2<f32>) -> Surface {
    let shards = cells(uv + 0.01 * vec2(fbm(uv, vec2(9), 3, 70u)), vec2(13), 71u);
    let stones = rubble(uv, 19, 72u);
    let is_shard = step(0.62, unit(shards.id)) * smoothstep(0.02, 0.1, shards.edge);
    let bed = vec3(0.36, 0.34, 0.31) * (0.6 + 0.5 * stones.x);
    let biscuit = mix(vec3(0.58, 0.42, 0.30), vec3(0.62, 0.60, 0.55), unit(hash_u(shards.id)));
    let height = mix(0.02 * stones.x, 0.03 + 0.02 * dot(shards.toward, vec2(0.6, -0.4)), is_shard);
    return surface(mix(bed, biscuit, is_shard * 0.85), height, mix(0.95, 0.6, is_shard), 0.0);
}

fn metal(uv: vec2<f32>) -> Surface {
    let p = uv * 2.0;
    let cell = vec2<i32>(floor(p));
    let at = fract(p);
    let from_rim = 0.5 - abs(at - 0.5);
    let rim = min(from_rim.x, from_rim.y);
    let seam = 1.0 - smoothstep(0.005, 0.012, rim);
    let frame = 1.0 - smoothstep(0.100, 0.112, rim);
    // Rivets on the frame, twelve and a half centimetres apart.
    let spot = fract(at * 8.0) - 0.5;
    let on_frame = step(from_rim.x, 0.115) + step(from_rim.y, 0.115);
    let centre_row = vec2(abs(from_rim.x - 0.0625), abs(from_rim.y - 0.0625));
    let in_row = step(min(centre_row.x, centre_row.y), 0.05) * min(on_frame, 1.0);
    let rivet = in_row * (1.0 - smoothstep(0.17, 0.26, length(spot)));
    let id = hash_cell(cell, vec2(2), 81u);
    let brushed = fbm(uv, vec2(6, 120), 3, 82u);
    let scratch_at = cells(vec2(uv.x + uv.y / 3.0, uv.y), vec2(3, 40), 83u);
    let scratch = (1.0 - smoothstep(0.0, 0.05, scratch_at.nearest)) * 0.5;
    let cloud = fbm(uv, vec2(3), 5, 84u);
    let rust = smoothstep(0.21, 0.52, fbm(uv, vec2(6), 6, 85u) + 0.16 * seam + 0.10 * rivet + 0.05 * frame);
    var steel = vec3(0.47, 0.495, 0.53) * (0.85 + 0.3 * (unit(id) - 0.5) + 0.18 * brushed + 0.22 * cloud + 0.4 * scratch);
    steel *= mix(1.0, 0.82, frame);
    let ochre = mix(vec3(0.22, 0.095, 0.045), vec3(0.10, 0.05, 0.032), 0.5 + 0.5 * brushed);
    let albedo = mix(steel, ochre, rust) * (1.0 - 0.75 * seam);
    let height = 0.005 * frame + 0.012 * rivet - 0.014 * seam + 0.0006 * brushed + 0.003 * rust * cloud + 0.003 * cloud;
    return surface(albedo, height, mix(0.36 + 0.12 * cloud, 0.9, rust), mix(0.9, 0.1, rust));
}

fn metal_inner(uv: vec2<f32>) -> Surface {
    // Torn sheets: long bright tears, blued by heat.
    let warp = vec2(fbm(uv, vec2(4), 4, 90u), fbm(uv, vec2(4), 4, 91u)) * 0.09;
    let tear = ridges(uv + warp, vec2(3, 14), 4, 92u);
    let flake = cells(uv + warp, vec2(9, 22), 93u);
    let facet = unit(hash_u(flake.id)) + dot(flake.toward, vec2(0.5, 0.9));
    let heat = fbm(uv, vec2(3), 4, 94u);
    let bright = vec3(0.78, 0.77, 0.75) * (0.5 + 0.6 * tear);
    var blued = mix(bright, vec3(0.30, 0.36, 0.58), smoothstep(0.1, 0.5, heat));
    blued = mix(blued, vec3(0.62, 0.40, 0.16), smoothstep(-0.1, -0.45, heat));
    let edge = smoothstep(0.0, 0.12, flake.edge);
    return surface(blued * (0.72 + 0.28 * edge), 0.034 * tear + 0.008 * facet * edge, 0.32, 0.95);
}

fn wood(uv: vec2<f32>) -> Surface {
    // Planks of 25 cm by one metre.
    let across = uv.x * 8.0;
    let plank = floor(across);
    let shift = unit(hash_cell(vec2<i32>(i32(plank), 0), vec2(8, 1), 101u));
    let along = fract(uv.y + shift);
    let half_board = floor(along * 2.0);
    let id = hash_cell(vec2<i32>(i32(plank), i32(half_board)), vec2(8, 2), 102u);
    let x = fract(across);
    let gap_x = min(x, 1.0 - x) * 0.25;
    let end = abs(fract(along * 2.0 + 0.5) - 0.5);
    let gap = 1.0 - smoothstep(0.0025, 0.0075, min(gap_x, end));
    let knots = cells(uv, vec2(8, 3), 103u);
    let knot = (1.0 - smoothstep(0.0, 0.33, length(knots.toward * vec2(1.0, 1.6)))) * step(0.72, unit(knots.id));
    let bend = fbm(uv, vec2(8, 2), 3, 104u + (id & 15u));
    let rings = sin((x * 5.0 + bend * 3.0 + knot * 4.0 + unit(id) * 20.0) * 6.2831853 * 0.8);
    let fibre = fbm(uv, vec2(160, 5), 3, 105u);
    var tone = mix(vec3(0.33, 0.165, 0.065), vec3(0.22, 0.10, 0.04), unit(hash_u(id)));
    tone *= 0.92 + 0.16 * rings + 0.38 * fibre;
    tone = mix(tone, vec3(0.085, 0.038, 0.018), knot * 0.75);
    let nail_at = length(vec2((abs(x - 0.5) - 0.3) * 0.25, end - 0.03));
    let nail = 1.0 - smoothstep(0.005, 0.008, nail_at);
    let albedo = mix(tone * (1.0 - 0.85 * gap), vec3(0.09), nail);
    let own = 0.004 * (unit(hash_u(id + 4u)) - 0.5) + 0.006 * (unit(hash_u(id + 5u)) - 0.5) * (x - 0.5);
    return surface(albedo, own + 0.0016 * rings + 0.0025 * fibre - 0.014 * gap, 0.68 - 0.1 * rings, 0.0);
}

fn wood_inner(uv: vec2<f32>) -> Surface {
    // Splinters: fibres torn lengthwise, pale and deep.
    let warp = fbm(uv, vec2(5, 2), 3, 110u) * 0.03;
    let coarse = cells(uv + vec2(warp, 0.0), vec2(30, 3), 111u);
    let fine = fbm(uv + vec2(warp, 0.0), vec2(120, 4), 3, 112u);
    let splinter = unit(hash_u(coarse.id)) * smoothstep(0.0, 0.25, coarse.edge);
    let pale = mix(vec3(0.62, 0.41, 0.20), vec3(0.42, 0.235, 0.10), unit(coarse.id));
    let albedo = pale * (0.35 + 0.65 * splinter) * (1.0 + 0.6 * fine);
    return surface(albedo, 0.036 * splinter + 0.010 * fine, 0.9, 0.0);
}

fn rock(uv: vec2<f32>) -> Surface {
    let warp = vec2(fbm(uv, vec2(4), 5, 121u), fbm(uv, vec2(4), 5, 122u)) * 0.17;
    let slabs = cells(uv + warp, vec2(4, 6), 123u);
    let tilt = vec2(unit(hash_u(slabs.id)), unit(hash_u(slabs.id + 1u))) - 0.5;
    let facet = unit(slabs.id) * 0.6 + dot(tilt, slabs.toward) * 0.9;
    let cleft = 1.0 - smoothstep(0.0, 0.12, slabs.edge);
    let crest = ridges(uv + warp * 0.6, vec2(5), 5, 124u);
    let grain = fbm(uv, vec2(36), 4, 125u);
    let hue = fbm(uv, vec2(2), 4, 126u);
    var albedo = mix(vec3(0.24, 0.205, 0.17), vec3(0.33, 0.285, 0.225), 0.5 + 0.8 * hue);
    albedo *= 0.55 + 0.55 * crest + 0.35 * grain + 0.12 * facet;
    albedo *= 1.0 - 0.3 * cleft;
    let height = 0.05 * facet + 0.07 * crest + 0.010 * grain - 0.016 * cleft;
    return surface(albedo, height, 0.92, 0.0);
}

fn rock_inner(uv: vec2<f32>) -> Surface {
    // Fresh fracture: conchoidal steps and chips, paler and colder than the weathered surface, veined.
    let warp = vec2(fbm(uv, vec2(5), 4, 130u), fbm(uv, vec2(5), 4, 131u)) * 0.07;
    let big = cells(uv + warp, vec2(6), 132u);
    let small = cells(uv + warp * 1.4, vec2(17), 133u);
    let tilt = vec2(unit(hash_u(big.id)), unit(hash_u(big.id + 1u))) - 0.5;
    let tilt2 = vec2(unit(hash_u(small.id)), unit(hash_u(small.id + 1u))) - 0.5;
    let facet = unit(hash_u(big.id + 2u)) * 0.35 + dot(tilt, big.toward) * 1.3;
    let chip = dot(tilt2, small.toward) * 0.55 + unit(small.id) * 0.12;
    let lumps = fbm(uv, vec2(4), 5, 135u);
    let crest = ridges(uv + warp * 0.7, vec2(9), 4, 136u);
    let grain = fbm(uv, vec2(48), 3, 134u);
    let vein_at = abs(fbm(uv + warp, vec2(3), 4, 137u) - 0.08);
    let vein = (1.0 - smoothstep(0.004, 0.016, vein_at)) * smoothstep(-0.1, 0.25, lumps);
    let tone = mix(vec3(0.255, 0.245, 0.235), vec3(0.345, 0.315, 0.28), 0.5 + 0.7 * lumps);
    var albedo = tone * (0.72 + 0.16 * facet + 0.22 * chip + 0.24 * crest + 0.35 * grain);
    albedo = mix(albedo, vec3(0.50, 0.47, 0.43), vein * 0.6);
    return surface(albedo, 0.050 * facet + 0.030 * chip + 0.030 * crest + 0.026 * lumps + 0.006 * grain, 0.86, 0.0);
}

fn soil(uv: vec2<f32>) -> Surface {
    let clod = fbm(uv, vec2(10), 6, 141u);
    let warp = vec2(fbm(uv, vec2(24), 3, 144u), fbm(uv, vec2(24), 3, 145u)) * 0.018;
    let pebbles = cells(uv + warp, vec2(13), 142u);
    let size = 0.10 + 0.24 * unit(hash_u(pebbles.id)) * unit(hash_u(pebbles.id + 7u));
    let pebble = (1.0 - smoothstep(size * 0.75, size, pebbles.nearest)) * step(0.55, unit(pebbles.id));
    let dry = fbm(uv, vec2(2), 4, 143u);
    let earth = mix(vec3(0.105, 0.068, 0.040), vec3(0.19, 0.130, 0.078), 0.5 + 0.6 * dry) * (0.85 + 0.6 * clod);
    let stone = mix(vec3(0.21, 0.18, 0.15), vec3(0.13, 0.115, 0.10), unit(hash_u(pebbles.id + 1u))) * (1.0 + 0.4 * clod);
    let dome = sqrt(max(1.0 - pebbles.nearest / size, 0.0));
    return surface(mix(earth, stone, pebble), 0.034 * clod + 0.014 * pebble * dome, mix(0.97, 0.8, pebble), 0.0);
}

fn soil_inner(uv: vec2<f32>) -> Surface {
    // Clods of earth, held by roots, with small stones.
    let warp = vec2(fbm(uv, vec2(12), 4, 152u), fbm(uv, vec2(12), 4, 153u)) * 0.03;
    let stones = cells(uv + warp, vec2(15), 150u);
    let clod = fbm(uv, vec2(7), 6, 151u);
    let crumbs = fbm(uv, vec2(34), 4, 154u);
    let size = 0.12 + 0.22 * unit(hash_u(stones.id));
    let is_stone = (1.0 - smoothstep(size * 0.8, size, stones.nearest)) * step(0.7, unit(stones.id));
    let root_at = abs(fbm(uv + warp, vec2(5, 4), 3, 155u));
    let root = (1.0 - smoothstep(0.005, 0.014, root_at)) * smoothstep(0.0, 0.25, clod);
    let damp = 0.5 + 0.7 * fbm(uv, vec2(2), 4, 156u);
    var albedo = mix(vec3(0.070, 0.046, 0.030), vec3(0.135, 0.092, 0.058), damp) * (0.9 + 0.7 * clod + 0.6 * crumbs);
    albedo = mix(albedo, vec3(0.155, 0.125, 0.095) * (0.8 + 0.5 * unit(hash_u(stones.id + 3u))), is_stone);
    albedo = mix(albedo, vec3(0.19, 0.125, 0.07), root * 0.7);
    let dome = sqrt(max(1.0 - stones.nearest / size, 0.0));
    return surface(albedo, 0.045 * clod + 0.012 * crumbs + 0.020 * is_stone * dome + 0.008 * root, 0.96, 0.0);
}

fn liquid(uv: vec2<f32>) -> Surface {
    let wave = fbm(uv, vec2(4), 4, 161u);
    return surface(vec3(0.03, 0.09, 0.10) * (1.0 + 0.5 * wave), 0.02 * wave, 0.08, 0.0);
}

// A lamp: ribbed glass in a frame. Metalness marks the frame, which does not glow.
fn lamp(uv: vec2<f32>) -> Surface {
    let at = fract(uv * 4.0);
    let from_rim = 0.5 - abs(at - 0.5);
    let frame = 1.0 - smoothstep(0.03, 0.045, min(from_rim.x, from_rim.y));
    let rib = 0.5 + 0.5 * cos(at.x * 6.2831853 * 6.0);
    return surface(mix(vec3(0.95, 0.88, 0.72), vec3(0.10), frame), 0.006 * rib * (1.0 - frame) + 0.015 * frame,
        mix(0.3, 0.5, frame), frame);
}

struct Layer {
    @location(0) albedo: vec4<f32>, // rgb, height as a factor
    @location(1) shape: vec4<f32>,  // height in metres, roughness, metalness
}

// `surface_of` calls the look's function; src/render/shaders.rs appends it, so that each pipeline has one look.
@fragment
fn fs_main(in: VertexOut) -> Layer {
    let here = surface_of(in.uv);
    var out: Layer;
    out.albedo = vec4(clamp(here.albedo, vec3(0.0), vec3(1.0)), clamp(here.height * 8.0 + 0.5, 0.0, 1.0));
    out.shape = vec4(here.height, clamp(here.rough, 0.05, 1.0), clamp(here.metal, 0.0, 1.0), 0.0);
    return out;
}
