// The picture as a processor draws it: light falls on a picture some times smaller, in which the depth is kept as well, and each
// pixel takes it from there (Kopf et al., "Joint Bilateral Upsampling", 2007, with the plane of the surface in place of colour).

// rgb light, a metres before the eye's plane, 0 where nothing was drawn.
@group(1) @binding(2) var light_drawn: texture_2d<f32>;

// Pixels of that picture; `light_size` in src/render/mod.rs.
fn coarse_size() -> vec2<f32> {
    return ceil(frame.size / f32(frame.coarse));
}

// What reaches a pixel of that picture.
fn reaching_coarse(pixel: vec2<f32>) -> Reaching {
    return reaching(pixel * frame.size / coarse_size());
}

// About the sine of so many turns.
fn wave3(turns: vec3<f32>) -> vec3<f32> {
    let part = fract(turns) * 2.0 - 1.0;
    return 4.0 * part * (abs(part) - 1.0);
}

// What a matte surface sends on of all light, per albedo; `at` is relative to the eye.
fn matte_light(at: vec3<f32>, normal: vec3<f32>, flat_normal: vec3<f32>, lights: vec2<u32>) -> vec3<f32> {
    var sum = ambient(normal);
    var left = vec4(lights, 0u, 0u);
    while has_more(left) {
        let taken = lowest(left);
        left = taken.left;
        let falling = falling_from(taken.number, at, normal, flat_normal);
        sum += falling.fill + falling.direct * max(dot(normal, falling.dir), 0.0);
    }
    if frame.sun.w > 0.0 {
        let n_l = dot(flat_normal, frame.sun.xyz);
        if n_l > -0.02 {
            let seen = sun_arrives(at);
            sum += frame.sun_colour.rgb * (seen * (smoothstep(-0.02, 0.12, n_l) * max(dot(normal, frame.sun.xyz), 0.0) + 0.05));
        }
    }
    return sum;
}

// The light at a place of a surface that this pixel shows.
fn light_here(pixel: vec2<f32>, at: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let size = coarse_size();
    let place = pixel * size / frame.size - 0.5;
    let low = floor(place);
    let part = place - low;
    let most = size - 1.0;
    let x = clamp(vec2(low.x, low.x + 1.0), vec2(0.0), most.xx);
    let y = clamp(vec2(low.y, low.y + 1.0), vec2(0.0), most.yy);
    let i = vec2<i32>(x);
    let j = vec2<i32>(y);
    let a = textureLoad(light_drawn, vec2(i.x, j.x), 0);
    let b = textureLoad(light_drawn, vec2(i.y, j.x), 0);
    let c = textureLoad(light_drawn, vec2(i.x, j.y), 0);
    let d = textureLoad(light_drawn, vec2(i.y, j.y), 0);
    // How far off this surface's plane the four places lie: a place is its depth times a line through its pixel.
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
