// Projectiles: instances of one ball. Crumbs: instances of a few meshes (src/render/crumb_forms.rs). Chunks have vertices of
// their own. Rust side: src/render/bodies.rs (`BodyInstance`).

struct VertexIn {
    @location(0) unit: vec4<f32>,      // vertex of the mesh, -1..1 along each axis
    @location(1) centre: vec4<f32>,    // xyz relative to the eye, w radius
    @location(2) rotation: vec4<f32>,  // quaternion
    @location(3) look: u32,            // bits in frame.wgsl; only chunks have images
    @location(4) half: vec4<f32>,      // half the box of a crumb, in radii
    @location(5) tint: vec4<f32>,
}

struct VertexOut {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) at: vec3<f32>,
    @location(1) own: vec3<f32>,  // in the body's frame, metres
    @location(2) @interpolate(flat) look: u32,
    @location(3) @interpolate(flat) tint: vec4<f32>,
    @location(4) @interpolate(flat) rotation: vec4<f32>,
}

fn rotated(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

@vertex
fn vs_main(in: VertexIn) -> VertexOut {
    var own = in.unit.xyz;
    if (in.look & ROCKET_BIT) != 0u {
        let taper = select(1.0, sqrt(max(1.0 - pow(max(-own.z, 0.0), 2.0), 0.0)) + 0.05, own.z < 0.0);
        own = vec3(normalize(own.xy + vec2(1e-5, 0.0)) * min(length(own.xy) * 1.4, 1.0) * min(taper, 1.0) * 0.8, own.z * 3.4);
    } else if (in.look & GRENADE_BIT) != 0u {
        // Slightly longer than wide.
        own.z *= 1.25;
    } else if (in.look & DRILL_BIT) != 0u {
        // A bit: a cone in front of a shaft.
        let wide = select(1.0, 1.0 - 0.9 * -own.z, own.z < 0.0);
        own = vec3(normalize(own.xy + vec2(1e-5, 0.0)) * min(length(own.xy) * 1.5, 1.0) * wide, own.z * 1.8);
    } else if (in.look & (CHUNK_BIT | IRON_BIT)) == 0u {
        own *= in.half.xyz;
    }
    own *= in.centre.w;
    var out: VertexOut;
    out.own = own;
    out.at = in.centre.xyz + rotated(in.rotation, own);
    out.position = frame.clip_from_eye * vec4(out.at, 1.0);
    out.look = in.look;
    out.tint = in.tint;
    out.rotation = in.rotation;
    return out;
}

// Angle about the body's long axis, radians.
fn own_angle(own: vec3<f32>) -> f32 {
    return atan2(own.y, own.x + 1e-6) + 3.14159265;
}

// Depth with alpha test.
@fragment
fn fs_cut(in: VertexOut) {
    if is_hole(in.look, in.tint, in.own, dpdx(in.own), dpdy(in.own)) {
        discard;
    }
}

// Flat shading: the normal of the triangle.
fn facet(at: vec3<f32>) -> vec3<f32> {
    let normal = normalize(cross(dpdy(at), dpdx(at)));
    return select(normal, -normal, dot(normal, at) > 0.0);
}

@fragment
fn fs_main(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = facet(in.at);
    let dx = dpdx(in.own);
    let dy = dpdy(in.own);
    let back = vec4(-in.rotation.xyz, in.rotation.w);
    let own_normal = rotated(back, normal);
    let layer = (in.look >> 16u) & 255u;
    var s: Surface;
    if has_image(in.look) {
        if is_hole(in.look, in.tint, in.own, dx, dy) {
            discard;
        }
        s = projected_image(layer, in.own, dx, dy, own_normal, projection_of(in.tint), 0.0);
    } else {
        s = triplanar(layer, in.own + in.tint.a * 37.0, dx, dy, own_normal, own_normal, 0.9);
        s.albedo *= in.tint.rgb * 2.0;
    }
    s.normal = rotated(in.rotation, s.normal);
    var hdr = vec3(0.0);
    if (in.look & ROCKET_BIT) != 0u {
        let nose = in.own.z < -0.12;
        s.albedo = select(vec3(0.32, 0.34, 0.33), vec3(0.65, 0.09, 0.04), nose);
        s.rough = 0.35;
        s.metal = select(0.8, 0.0, nose);
        s.normal = normal;
        hdr += select(vec3(0.0), vec3(9.0, 4.0, 1.1), in.own.z > 0.27);
    }
    if (in.look & GRENADE_BIT) != 0u {
        // Olive, with grooves and a bright cap.
        let groove = step(0.82, fract(own_angle(in.own) * 1.2732)) + step(0.8, fract(in.own.z * 38.0));
        s.albedo = mix(vec3(0.10, 0.13, 0.05), vec3(0.02), clamp(groove, 0.0, 1.0));
        s.albedo = select(s.albedo, vec3(0.55, 0.42, 0.05), in.own.z < -0.075);
        s.rough = 0.55;
        s.metal = 0.2;
        s.normal = rotated(in.rotation, normalize(in.own));
    } else if (in.look & IRON_BIT) != 0u {
        // Cast iron: dark, with a casting seam.
        let seam = smoothstep(0.004, 0.009, abs(in.own.y));
        s.albedo = vec3(0.13, 0.13, 0.14) * (0.6 + 0.4 * seam) * (0.8 + 0.4 * s.albedo.g);
        s.rough = 0.42;
        s.metal = 0.85;
        s.normal = rotated(in.rotation, normalize(in.own));
    } else if (in.look & DRILL_BIT) != 0u {
        let turn = fract(own_angle(in.own) * 0.159 + in.own.z * 9.0);
        s.albedo = select(vec3(0.30, 0.30, 0.31), vec3(0.60, 0.50, 0.22), turn < 0.35);
        s.rough = 0.3;
        s.metal = 0.9;
        s.normal = normal;
    }
    let open = ambient_visibility(in.position.xy, in.at, normal);
    hdr += shaded(in.at, s, normal, open, tile_mask(in.position.xy).lights);
    return display_colour(fog(hdr, length(in.at)), in.position.xy);
}

// The light buffer: see coarse.wgsl.
@fragment
fn fs_light(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = facet(in.at);
    if is_hole(in.look, in.tint, in.own, dpdx(in.own), dpdy(in.own)) {
        discard;
    }
    let lights = coarse_tile_mask(in.position.xy).lights;
    return vec4(diffuse_light(in.at, normal, normal, lights), -dot(in.at, frame.back.xyz));
}

// Colours under the light buffer; one sample, as in surface.wgsl.
@fragment
fn fs_coarse(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = facet(in.at);
    let with_image = has_image(in.look);
    let p = in.own + select(in.tint.a * 37.0, 0.0, with_image);
    let a = abs(rotated(vec4(-in.rotation.xyz, in.rotation.w), normal));
    let by_axis = select(select(p.xy, p.xz, a.y >= a.z), p.zy, a.x >= a.y && a.x >= a.z) * 0.9;
    let lie = projection_of(in.tint);
    let uv = select(by_axis, image_uv(p, lie) + vec2(lie.u.w, lie.v.w), with_image);
    let texel = textureSampleBias(albedo_layers, layer_sampler, uv, (in.look >> 16u) & 255u, -0.6);
    if (in.look & CUT_BIT) != 0u && texel.a < 0.5 {
        discard;
    }
    var albedo = texel.rgb * select(in.tint.rgb * 2.0, vec3(1.0), with_image);
    let is_rocket = (in.look & ROCKET_BIT) != 0u;
    albedo = select(albedo, select(vec3(0.30, 0.31, 0.31), vec3(0.65, 0.09, 0.04), in.own.z < -0.12), is_rocket);
    albedo = select(albedo, select(vec3(0.09, 0.12, 0.05), vec3(0.55, 0.42, 0.05), in.own.z < -0.075), (in.look & GRENADE_BIT) != 0u);
    albedo = select(albedo, vec3(0.10), (in.look & IRON_BIT) != 0u);
    albedo = select(albedo, vec3(0.30, 0.29, 0.27), (in.look & DRILL_BIT) != 0u);
    let own_light = select(vec3(0.0), vec3(9.0, 4.0, 1.1), is_rocket && in.own.z > 0.27);
    // Crumbs take the light of the surfaces around, which mostly comes from above: their sides get less.
    let falls = select(1.0, 0.62 + 0.38 * normal.y, (in.look & CHUNK_BIT) == 0u);
    let hdr = own_light + albedo * upsampled_light(in.position.xy, in.at, normal) * falls;
    return display_colour(fog(hdr, length(in.at)), in.position.xy);
}
