// Software rendering: light is computed in a light buffer of lower resolution, together with depth, and upsampled per pixel
// (Kopf et al., "Joint Bilateral Upsampling", 2007, with the distance to the surface's plane instead of colour).

// rgb light, a depth in metres, 0 where nothing was drawn.
@group(1) @binding(2) var light_texture: texture_2d<f32>;

// Size of the light buffer, pixels; `light_size` in src/render/targets.rs.
fn coarse_size() -> vec2<f32> {
    return ceil(frame.size / f32(frame.coarse));
}

// The tile mask of a pixel of the light buffer.
fn coarse_tile_mask(pixel: vec2<f32>) -> InfluenceMask {
    return tile_mask(pixel * frame.size / coarse_size());
}

// Approximate sine; the argument is in turns.
fn wave3(turns: vec3<f32>) -> vec3<f32> {
    let part = fract(turns) * 2.0 - 1.0;
    return 4.0 * part * (abs(part) - 1.0);
}

// Diffuse reflection of all light, per albedo; `at` is relative to the eye.
fn diffuse_light(at: vec3<f32>, normal: vec3<f32>, flat_normal: vec3<f32>, lights: vec2<u32>) -> vec3<f32> {
    var sum = ambient(normal);
    var left = vec4(lights, 0u, 0u);
    while any_bit(left) {
        let lowest = lowest_bit(left);
        left = lowest.left;
        let incident = incident_light(lowest.number, at, normal, flat_normal);
        sum += incident.fill + incident.direct * max(dot(normal, incident.dir), 0.0);
    }
    if frame.sun.w > 0.0 {
        let n_l = dot(flat_normal, frame.sun.xyz);
        if n_l > -0.02 {
            let visible = sun_visibility(at);
            sum += frame.sun_colour.rgb * (visible * (smoothstep(-0.02, 0.12, n_l) * max(dot(normal, frame.sun.xyz), 0.0) + 0.05));
        }
    }
    return sum;
}

// The light at a surface point, upsampled from the light buffer.
fn upsampled_light(pixel: vec2<f32>, at: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let size = coarse_size();
    let position = pixel * size / frame.size - 0.5;
    let low = floor(position);
    let part = position - low;
    let most = size - 1.0;
    let x = clamp(vec2(low.x, low.x + 1.0), vec2(0.0), most.xx);
    let y = clamp(vec2(low.y, low.y + 1.0), vec2(0.0), most.yy);
    let i = vec2<i32>(x);
    let j = vec2<i32>(y);
    let a = textureLoad(light_texture, vec2(i.x, j.x), 0);
    let b = textureLoad(light_texture, vec2(i.y, j.x), 0);
    let c = textureLoad(light_texture, vec2(i.x, j.y), 0);
    let d = textureLoad(light_texture, vec2(i.y, j.y), 0);
    // Distances of the four texels from the plane of the surface: a position is its depth times the ray through its pixel.
    let columns = (x + 0.5) / size.x * 2.0 - 1.0;
    let rows = 1.0 - (y + 0.5) / size.y * 2.0;
    let across = columns * (dot(normal, frame.right.xyz) * frame.right.w);
    let up = rows * (dot(normal, frame.up.xyz) * frame.up.w);
    let ahead = -dot(normal, frame.back.xyz);
    let depth = vec4(a.w, b.w, c.w, d.w);
    let lines = vec4(across.x + up.x, across.y + up.x, across.x + up.y, across.y + up.y) + ahead;
    let off = abs(lines * depth - dot(normal, at));
    let near = 0.03 - 0.01 * dot(at, frame.back.xyz);
    let alike = max(1.0 - off / near, vec4(0.0)) + 1e-3;
    let weight = alike * vec4((1.0 - part.x) * (1.0 - part.y), part.x * (1.0 - part.y), (1.0 - part.x) * part.y, part.x * part.y);
    let sum = a.rgb * weight.x + b.rgb * weight.y + c.rgb * weight.z + d.rgb * weight.w;
    return sum / (weight.x + weight.y + weight.z + weight.w);
}
