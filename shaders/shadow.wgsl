// What a light sees on one of its six sides, or the sun of all: depth alone. Rust side:
// src/render/depth_maps.rs (`SideData`).

struct Side {
    clip_from_light: mat4x4<f32>,
    light: vec4<f32>,          // place in the world; of the sun: the middle of its picture
    light_from_eye: vec4<f32>, // its place as seen from the eye
    toward: vec4<f32>,         // of the sun: where it stands, unit; w metres across a texel
}

@group(0) @binding(0) var<uniform> side: Side;

// Bits 0-7 of a look, and bit 8, which says that it is the inside.
const LOOK_AND_INNER: u32 = 511u;
const LOOK_SKY: u32 = 9u;

// All corners in one place outside of the picture.
const NOWHERE = vec4(2.0, 2.0, 0.5, 1.0);

fn is_sky(look: u32) -> bool {
    return (look & LOOK_AND_INNER) == LOOK_SKY;
}

@vertex
fn vs_main(@location(0) world: vec3<f32>, @location(3) look: u32) -> @builtin(position) vec4<f32> {
    // The sky throws no shadow.
    if is_sky(look) {
        return NOWHERE;
    }
    return side.clip_from_light * vec4(world - side.light.xyz, 1.0);
}

// The sun's way in: as far away as can be, whatever lies before it.
@vertex
fn vs_sky(@location(0) world: vec3<f32>, @location(3) look: u32) -> @builtin(position) vec4<f32> {
    if !is_sky(look) {
        return NOWHERE;
    }
    let at = side.clip_from_light * vec4(world - side.light.xyz, 1.0);
    return vec4(at.xy, 0.0, 1.0);
}

// What shades from the sun. What faces it is pushed back, by as much as its depth differs across the texels that are
// asked about a point, so that it does not shade itself; what faces away lies where it is.
@vertex
fn vs_sun(
    @location(0) world: vec3<f32>,
    @location(1) normal: vec4<f32>,
    @location(3) look: u32,
) -> @builtin(position) vec4<f32> {
    if is_sky(look) {
        return NOWHERE;
    }
    let facing = dot(normal.xyz, side.toward.xyz);
    var back = 0.0;
    if facing > 0.0 {
        let slope = min(sqrt(max(1.0 - facing * facing, 0.0)) / facing, 8.0);
        back = 0.01 + side.toward.w * 2.5 * slope;
    }
    return side.clip_from_light * vec4(world - side.light.xyz - side.toward.xyz * back, 1.0);
}

// A chunk: see shaders/body.wgsl.
@vertex
fn vs_chunk(
    @location(0) own: vec4<f32>,
    @location(1) place: vec4<f32>,    // xyz relative to the eye
    @location(2) rotation: vec4<f32>, // quaternion
) -> @builtin(position) vec4<f32> {
    return moved(own.xyz * place.w, place.xyz, rotation);
}

// A crumb: a little smaller than the ball around it, as it is drawn.
@vertex
fn vs_ball(
    @location(0) unit: vec4<f32>,
    @location(1) place: vec4<f32>,
) -> @builtin(position) vec4<f32> {
    return moved(unit.xyz * (place.w * 0.92), place.xyz, vec4(0.0, 0.0, 0.0, 1.0));
}

fn moved(v: vec3<f32>, place: vec3<f32>, q: vec4<f32>) -> vec4<f32> {
    let at = place + v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
    return side.clip_from_light * vec4(at - side.light_from_eye.xyz, 1.0);
}
