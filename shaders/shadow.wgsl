// Shadow maps: depth as seen from a cube map face of a light, or from the sun. Rust side:
// src/render/shadow_maps.rs (`FaceUniforms`).

struct Face {
    clip_from_light: mat4x4<f32>,
    light: vec4<f32>,          // world position; for the sun the centre of the cascade
    light_from_eye: vec4<f32>, // position relative to the eye
    toward: vec4<f32>,         // sun only: towards it, unit; w metres across a texel
}

@group(0) @binding(0) var<uniform> face: Face;

// `LOOK_MASK` and `INNER_BIT` of frame.wgsl.
const LOOK_AND_INNER: u32 = 511u;
const LOOK_SKY: u32 = 9u;

// Outside the map: the triangle is culled.
const CULLED = vec4(2.0, 2.0, 0.5, 1.0);

fn is_sky(look: u32) -> bool {
    return (look & LOOK_AND_INNER) == LOOK_SKY;
}

@vertex
fn vs_main(@location(0) world: vec3<f32>, @location(3) look: u32) -> @builtin(position) vec4<f32> {
    // The sky casts no shadow.
    if is_sky(look) {
        return CULLED;
    }
    return face.clip_from_light * vec4(world - face.light.xyz, 1.0);
}

// Sky faces open the sun's map: they are drawn at the far plane, over everything.
@vertex
fn vs_sky(@location(0) world: vec3<f32>, @location(3) look: u32) -> @builtin(position) vec4<f32> {
    if !is_sky(look) {
        return CULLED;
    }
    let at = face.clip_from_light * vec4(world - face.light.xyz, 1.0);
    return vec4(at.xy, 0.0, 1.0);
}

// Casters of the sun. Faces towards the sun get a slope-scaled depth bias against shadow acne, by the depth range of the
// filter kernel; faces away from it get none.
@vertex
fn vs_sun(
    @location(0) world: vec3<f32>,
    @location(1) normal: vec4<f32>,
    @location(3) look: u32,
) -> @builtin(position) vec4<f32> {
    if is_sky(look) {
        return CULLED;
    }
    let facing = dot(normal.xyz, face.toward.xyz);
    var back = 0.0;
    if facing > 0.0 {
        let slope = min(sqrt(max(1.0 - facing * facing, 0.0)) / facing, 8.0);
        back = 0.01 + face.toward.w * 2.5 * slope;
    }
    return face.clip_from_light * vec4(world - face.light.xyz - face.toward.xyz * back, 1.0);
}

// Chunks: see shaders/body.wgsl.
@vertex
fn vs_chunk(
    @location(0) own: vec4<f32>,
    @location(1) centre: vec4<f32>,   // xyz relative to the eye
    @location(2) rotation: vec4<f32>, // quaternion
) -> @builtin(position) vec4<f32> {
    return clip_position(own.xyz * centre.w, centre.xyz, rotation);
}

// Crumbs and projectiles; the latter as balls.
@vertex
fn vs_ball(
    @location(0) unit: vec4<f32>,
    @location(1) centre: vec4<f32>,
    @location(2) rotation: vec4<f32>,
    @location(4) half: vec4<f32>,
) -> @builtin(position) vec4<f32> {
    return clip_position(unit.xyz * half.xyz * centre.w, centre.xyz, rotation);
}

fn clip_position(v: vec3<f32>, centre: vec3<f32>, q: vec4<f32>) -> vec4<f32> {
    let at = centre + v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
    return face.clip_from_light * vec4(at - face.light_from_eye.xyz, 1.0);
}
