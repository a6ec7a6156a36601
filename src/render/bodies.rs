//! Instances of bodies. Crumbs and projectiles share one ball mesh, an instance each. Chunks have their own faces, an
//! instance for each material.
use super::looks;
use super::projections::Projections;
use super::styles::{
    CHUNK_BIT, DRILL_BIT, GRENADE_BIT, INNER_BIT, IRON_BIT, ROCKET_BIT, Style, style_of_look,
};
use super::vertices::{BodyInstance, xyz_w};
use crate::level::material::Look;
use crate::view::{BodyShape, BodyView, Snapshot};
use crate::world::MaterialId;
use std::ops::Range;

/// The bodies with an instance, in that order.
pub(super) fn finite_bodies(snapshot: &Snapshot) -> impl Iterator<Item = &BodyView> {
    let bodies = snapshot.bodies.iter();
    bodies.filter(|body| body.position.is_finite())
}

/// The instances of balls.
pub(super) fn instances_of(snapshot: &Snapshot, styles: &[Style], out: &mut Vec<BodyInstance>) {
    out.clear();
    let eye = snapshot.camera.eye;
    out.extend(finite_bodies(snapshot).map(|body: &BodyView| {
        let style = style_of_shape(body.shape, styles);
        let [r, g, b] = style.tint;
        // Radius and shape identify a body, so its lumps stay the same.
        let seed = (body.radius * 1e7) as u32 ^ shape_number(body.shape).wrapping_mul(0x9E37_79B9);
        BodyInstance {
            centre: xyz_w(body.position - eye, body.radius * body.scale),
            rotation: body.rotation.as_quat().to_array(),
            look: style.look,
            seed,
            tint: [r, g, b, (seed >> 3 & 255) as u8],
        }
    }));
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
                seed: 0,
                tint: [r, g, b, 0],
            });
        }
    }
    parts
}

/// A number for each shape, for seeds.
fn shape_number(shape: BodyShape) -> u32 {
    match shape {
        BodyShape::Crumb(material) => material,
        BodyShape::Rocket => u32::MAX,
        BodyShape::Grenade => u32::MAX - 1,
        BodyShape::IronBall => u32::MAX - 2,
        BodyShape::DrillBit => u32::MAX - 3,
    }
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
