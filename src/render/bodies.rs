//! Instances of bodies. Projectiles share one ball mesh and crumbs a few meshes by what they broke off, an instance each.
//! Chunks have their own faces, an instance for each material.
use super::body_meshes::{BALL, MeshRun, mesh_number};
use super::crumb_forms::{self, Form, VARIANTS};
use super::looks;
use super::lying::lie;
use super::projections::Projections;
use super::styles::{
    CHUNK_BIT, DRILL_BIT, GRENADE_BIT, INNER_BIT, IRON_BIT, LOOK_MASK, ROCKET_BIT, Style,
    style_of_look,
};
use super::vertices::{BodyInstance, xyz_w};
use crate::level::material::Look;
use crate::view::{BodyShape, BodyView, Snapshot};
use crate::world::MaterialId;
use bytemuck::Zeroable;
use glam::{DQuat, DVec3, Vec3};
use std::ops::Range;

/// Half the box of a ball as a shadow and a shade take it, in radii.
const BALL_HALF: f32 = 0.92;

/// The bodies with an instance.
pub(super) fn finite_bodies(snapshot: &Snapshot) -> impl Iterator<Item = &BodyView> {
    let bodies = snapshot.bodies.iter();
    bodies.filter(|body| body.position.is_finite())
}

/// Chips are drawn up to this distance from the eye, and shrink before it, metres.
const CHIPS_M: f64 = 9.0;
const WHOLE_CHIPS_M: f64 = 6.0;
/// Most crumbs with chips in a picture.
const MOST_CHIPPED: usize = 600;

/// How the instances of bodies are laid out: by mesh, then chips.
#[derive(Default)]
pub(super) struct BodyLayout {
    /// By instance: the number of its body among [`finite_bodies`]. Chips have none.
    pub order: Vec<u32>,
    /// All instances, by mesh.
    pub runs: Vec<MeshRun>,
}

/// The instances of bodies but chunks. `halves`: half the box of each mesh.
pub(super) fn instances_of(
    snapshot: &Snapshot,
    styles: &[Style],
    halves: &[Vec3],
    out: &mut Vec<BodyInstance>,
) -> BodyLayout {
    let bodies: Vec<&BodyView> = finite_bodies(snapshot).collect();
    let styled = bodies.iter().map(|body| styled(body, styles));
    let styled: Vec<(Style, Option<Form>, usize)> = styled.collect();
    // Counting sort.
    let mut next = vec![0u32; halves.len()];
    styled.iter().for_each(|&(_, _, mesh)| next[mesh] += 1);
    let mut runs = Vec::new();
    let mut first = 0;
    for (mesh, count) in next.iter_mut().enumerate() {
        let instances = first..first + *count;
        *count = first;
        first = instances.end;
        if !instances.is_empty() {
            runs.push(MeshRun { mesh, instances });
        }
    }
    out.clear();
    out.resize(styled.len(), BodyInstance::zeroed());
    let mut order = vec![0; styled.len()];
    let mut chipped = Vec::new();
    let numbered = (0..).zip(&bodies).zip(&styled);
    for ((number, body), &(style, form, mesh)) in numbered {
        if form.is_some() && has_chips(snapshot, body) && chipped.len() < MOST_CHIPPED {
            chipped.push(number as usize);
        }
        let slot = next[mesh] as usize;
        next[mesh] += 1;
        order[slot] = number;
        out[slot] = match form {
            Some(form) => crumb(snapshot, body, style, form, halves[mesh]),
            None => ball(snapshot, body, style),
        };
    }
    for variant in 0..VARIANTS {
        let mesh = mesh_number(Form::Chip, variant);
        let first = out.len() as u32;
        let bodies = chipped
            .iter()
            .map(|&number| (bodies[number], &styled[number]));
        out.extend(bodies.filter_map(|(body, (style, form, _))| {
            chip(snapshot, body, *style, (*form)?, (variant, halves[mesh]))
        }));
        let instances = first..out.len() as u32;
        if !instances.is_empty() {
            runs.push(MeshRun { mesh, instances });
        }
    }
    BodyLayout { order, runs }
}

/// Whether chips lie beside a body: of a crumb on the level, near the eye.
fn has_chips(snapshot: &Snapshot, body: &BodyView) -> bool {
    body.rest.is_some_and(|rest| rest.on_level)
        && body.position.distance_squared(snapshot.camera.eye) < CHIPS_M * CHIPS_M
}

/// The chip of a variant beside a crumb, if it has one.
fn chip(
    snapshot: &Snapshot,
    body: &BodyView,
    style: Style,
    form: Form,
    (variant, half): (usize, Vec3),
) -> Option<BodyInstance> {
    let chip = crumb_forms::chip(body.seed, variant)?;
    let rest = body.rest?;
    let far = body.position.distance(snapshot.camera.eye);
    let near = ((CHIPS_M - far) / (CHIPS_M - WHOLE_CHIPS_M)).clamp(0.0, 1.0);
    let size = f64::from(chip.size) * body.radius * body.scale * rest.share * near;
    let (u, v) = rest.normal.any_orthonormal_pair();
    let (sin, cos) = libm::sincos(f64::from(chip.turn));
    let out = (u * cos + v * sin) * (f64::from(chip.out) * body.radius);
    let up = f64::from(half.y) * size - rest.height;
    let position = body.position + out + rest.normal * up;
    let upright = DQuat::from_rotation_arc(DVec3::Y, rest.normal);
    let turned = upright * DQuat::from_rotation_y(f64::from(chip.turn) * 3.0);
    Some(BodyInstance {
        centre: xyz_w(position - snapshot.camera.eye, size),
        rotation: turned.as_quat().to_array(),
        half: half.extend(0.0).to_array().map(unorm),
        ..coloured(style, form, body.seed)
    })
}

/// A crumb's colours.
fn coloured(style: Style, form: Form, seed: u32) -> BodyInstance {
    let (factors, is_one_stone) = crumb_forms::colour_of(form, seed);
    let bright = crumb_forms::brightness(seed);
    let [r, g, b] = [0, 1, 2].map(|i| (f32::from(style.tint[i]) * factors[i] * bright) as u8);
    let look = match is_one_stone {
        true => style_of_look(Look::Rock, true, style.tint).layer() << 16 | style.look & 0xffff,
        false => style.look,
    };
    BodyInstance {
        look,
        tint: [r, g, b, (seed >> 3) as u8],
        ..BodyInstance::zeroed()
    }
}

/// The style, the form of a crumb, and the number of the mesh.
fn styled(body: &BodyView, styles: &[Style]) -> (Style, Option<Form>, usize) {
    let style = style_of_shape(body.shape, styles);
    match body.shape {
        BodyShape::Crumb(_) => {
            let look = looks::look_of(style.look & LOOK_MASK);
            let form = crumb_forms::form_of(look, body.radius, body.seed);
            let mesh = mesh_number(form, crumb_forms::variant_of(body.seed));
            (style, Some(form), mesh)
        }
        BodyShape::Rocket | BodyShape::Grenade | BodyShape::IronBall | BodyShape::DrillBit => {
            (style, None, BALL)
        }
    }
}

fn ball(snapshot: &Snapshot, body: &BodyView, style: Style) -> BodyInstance {
    let at = body.position - snapshot.camera.eye;
    let [r, g, b] = style.tint;
    BodyInstance {
        centre: xyz_w(at, body.radius * body.scale),
        rotation: body.rotation.as_quat().to_array(),
        look: style.look,
        half: [BALL_HALF, BALL_HALF, BALL_HALF, 0.0].map(unorm),
        tint: [r, g, b, 0],
    }
}

fn crumb(
    snapshot: &Snapshot,
    body: &BodyView,
    style: Style,
    form: Form,
    half: Vec3,
) -> BodyInstance {
    let half = half * crumb_forms::sides(body.seed) * crumb_forms::drawn_share(body.seed);
    let radius = body.radius * body.scale;
    let pose = (body.position, body.rotation);
    let (position, rotation) = body.rest.as_ref().map_or(pose, |rest| {
        lie(pose, rest, half.as_dvec3() * radius, form.is_bulky())
    });
    let share = body.rest.map_or(0.0, |rest| rest.share as f32);
    BodyInstance {
        centre: xyz_w(position - snapshot.camera.eye, radius),
        rotation: rotation.as_quat().to_array(),
        half: half.extend(share).to_array().map(unorm),
        ..coloured(style, form, body.seed)
    }
}

/// 0..=1 as a byte.
fn unorm(part: f32) -> u8 {
    (part * 255.0 + 0.5) as u8
}

/// The part of a chunk with one material.
pub(super) struct ChunkPart {
    /// Index of the chunk in the snapshot.
    pub chunk: usize,
    /// Range of its vertices.
    pub corners: Range<u32>,
    /// Index of its instance.
    pub instance: u32,
    /// Its texture has holes.
    pub is_cut: bool,
}

/// Appends the instances of chunks to those of balls, and collects their vertices.
pub(super) fn chunks_of(
    snapshot: &Snapshot,
    styles: &[Style],
    projections: &mut Projections,
    instances: &mut Vec<BodyInstance>,
    corners: &mut Vec<[f32; 4]>,
) -> Vec<ChunkPart> {
    corners.clear();
    projections.clear_chunks();
    let mut parts = Vec::new();
    let eye = snapshot.camera.eye;
    let chunks = snapshot.chunks.iter().enumerate();
    for (number, chunk) in chunks.filter(|(_, c)| c.position.is_finite()) {
        let material = |face: u32| chunk.faces.get(face as usize).map_or(0, |f| f.material);
        let mut triangles: Vec<(u32, [u32; 3])> = chunk
            .mesh
            .triangles
            .iter()
            .filter(|t| t.is_live())
            .map(|t| (material(t.face), t.corners))
            .collect();
        triangles.sort_by_key(|t| t.0);
        for group in triangles.chunk_by(|a, b| a.0 == b.0) {
            let first = corners.len() as u32;
            for index in group.iter().flat_map(|t| t.1) {
                let p = chunk.mesh.positions.get(index as usize);
                let own = (p.copied().unwrap_or(chunk.origin) - chunk.origin).as_vec3();
                corners.push(own.extend(0.0).to_array());
            }
            let known = styles.get(group[0].0 as usize).copied();
            let style = known.unwrap_or(style_of_look(Look::Concrete, true, [127; 3]));
            let shown = snapshot.materials.get(group[0].0 as usize);
            let [r, g, b] = match shown.filter(|_| style.has_image()) {
                Some(shown) => projections.push_chunk(shown, group[0].0, chunk.origin),
                None => style.tint,
            };
            parts.push(ChunkPart {
                is_cut: style.is_cut(),
                chunk: number,
                corners: first..corners.len() as u32,
                instance: instances.len() as u32,
            });
            instances.push(BodyInstance {
                centre: xyz_w(chunk.position - eye, 1.0),
                rotation: chunk.rotation.as_quat().to_array(),
                look: style.look | CHUNK_BIT,
                half: [255, 255, 255, 0],
                tint: [r, g, b, 0],
            });
        }
    }
    parts
}

fn style_of_shape(shape: BodyShape, styles: &[Style]) -> Style {
    let metal_with = |bit: u32| {
        let metal = style_of_look(Look::Metal, false, [127; 3]);
        Style {
            look: metal.look | bit,
            ..metal
        }
    };
    match shape {
        BodyShape::Crumb(material) => style_of_crumb(material, styles),
        BodyShape::Rocket => metal_with(ROCKET_BIT),
        BodyShape::Grenade => metal_with(GRENADE_BIT),
        BodyShape::IronBall => metal_with(IRON_BIT),
        BodyShape::DrillBit => metal_with(DRILL_BIT),
    }
}

/// A crumb shows the inside of its material.
fn style_of_crumb(material: MaterialId, styles: &[Style]) -> Style {
    let outer = styles.get(material as usize).copied();
    let outer = outer.unwrap_or(style_of_look(Look::Concrete, true, [127; 3]));
    if outer.look & INNER_BIT != 0 {
        return outer;
    }
    Style {
        look: inside_of(outer.look),
        tint: match outer.has_image() {
            true => [127; 3],
            false => outer.tint,
        },
    }
}

/// The inside of a look; rock for a look without inside.
fn inside_of(look: u32) -> u32 {
    let number = looks::inside_of(look & 255);
    number | INNER_BIT | (number * 2 + 1) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_of_a_lamp_is_rock() {
        let lamp = style_of_look(Look::Light, false, [0; 3]);
        assert_eq!(
            inside_of(lamp.look),
            style_of_look(Look::Rock, true, [0; 3]).look
        );
    }
}
