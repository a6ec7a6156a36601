//! Crumbs and rockets: one lumpy ball, drawn once for each body. Chunks: their own faces, once for each material.
use super::frame::place;
use super::materials::{self, DRILL_BIT, GRENADE_BIT, IRON_BIT, ROCKET_BIT, Style, style_of_look};
use super::projections::Projections;
use crate::level::material::Look;
use crate::view::{BodyView, DRILL, GRENADE, IRON, ROCKET, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use std::ops::Range;

/// Set in `look` of a chunk: its points are as they are, no lumps.
const CHUNK_BIT: u32 = 1024;

/// `VertexIn` in shaders/body.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct BodyInstance {
    place: [f32; 4],
    rotation: [f32; 4],
    look: u32,
    seed: u32,
    tint: [u8; 4],
}

impl BodyInstance {
    /// The layer it shows.
    pub fn layer(&self) -> u32 {
        self.look >> 16 & 255
    }
}

/// How `BodyInstance` lies in its buffer, after the ball's points at location 0.
pub(super) const BODY_INSTANCE: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    1 => Float32x4, 2 => Float32x4, 3 => Uint32, 4 => Uint32, 5 => Unorm8x4
];
/// A point of the ball: place and number.
pub(super) const BODY_VERTEX: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Float32x4];

/// The bodies that have an instance each, in their order.
pub(super) fn finite_bodies(snapshot: &Snapshot) -> impl Iterator<Item = &BodyView> {
    let bodies = snapshot.bodies.iter();
    bodies.filter(|body| body.position.is_finite())
}

/// The instances of a snapshot.
pub(super) fn instances_of(snapshot: &Snapshot, styles: &[Style], out: &mut Vec<BodyInstance>) {
    out.clear();
    let eye = snapshot.camera.eye;
    out.extend(finite_bodies(snapshot).map(|body: &BodyView| {
        let style = style_of_body(body, styles);
        let [r, g, b] = style.tint;
        // A body keeps its shape while it lives: radius and material are all that it is known by.
        let seed = (body.radius * 1e7) as u32 ^ body.material.wrapping_mul(0x9E37_79B9);
        BodyInstance {
            place: place(body.position - eye, body.radius * body.scale),
            rotation: body.rotation.as_quat().to_array(),
            look: style.look,
            seed,
            tint: [r, g, b, (seed >> 3 & 255) as u8],
        }
    }));
}

/// A part of a chunk that shows one material.
pub(super) struct ChunkPart {
    /// Its chunk's place in the snapshot.
    pub chunk: usize,
    /// Its points.
    pub corners: std::ops::Range<u32>,
    /// Its place among the instances.
    pub instance: u32,
    /// One sees through a part of its picture.
    pub is_cut: bool,
}

/// Adds the chunks' instances behind those of balls, and collects their points.
pub(super) fn chunks_of(
    snapshot: &Snapshot,
    styles: &[Style],
    projections: &mut Projections,
    instances: &mut Vec<BodyInstance>,
    corners: &mut Vec<[f32; 4]>,
) -> Vec<ChunkPart> {
    corners.clear();
    projections.forget_chunks();
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
            let [r, g, b] = match shown.filter(|_| style.has_picture()) {
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
                place: place(chunk.position - eye, 1.0),
                rotation: chunk.rotation.as_quat().to_array(),
                look: style.look | CHUNK_BIT,
                seed: 0,
                tint: [r, g, b, 0],
            });
        }
    }
    parts
}

fn style_of_body(body: &BodyView, styles: &[Style]) -> Style {
    let shot = match body.material {
        ROCKET => Some(ROCKET_BIT),
        GRENADE => Some(GRENADE_BIT),
        IRON => Some(IRON_BIT),
        DRILL => Some(DRILL_BIT),
        _ => None,
    };
    if let Some(bit) = shot {
        let metal = style_of_look(Look::Metal, false, [127; 3]);
        return Style {
            look: metal.look | bit,
            ..metal
        };
    }
    let outer = styles.get(body.material as usize).copied();
    let outer = outer.unwrap_or(style_of_look(Look::Concrete, true, [127; 3]));
    if outer.look & 256 != 0 {
        return outer;
    }
    // A crumb shows the inside of what it broke from: the next layer.
    Style {
        look: inside_of(outer.look),
        tint: match outer.has_picture() {
            true => [127; 3],
            false => outer.tint,
        },
    }
}

/// The look's inside; what has none is rock.
fn inside_of(look: u32) -> u32 {
    let number = materials::inside_of(look & 255);
    number | 256 | (number * 2 + 1) << 16
}

/// The ball that crumbs are made of, on the card.
pub(super) struct Ball {
    points: wgpu::Buffer,
    sides: wgpu::Buffer,
    /// Corners of all triangles.
    corners: u32,
}

impl Ball {
    /// With a quarter of the triangles if it is `coarse`.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, coarse: bool) -> Self {
        let (points, sides) = ball(coarse);
        let buffer = |label, bytes: &[u8], usage| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.len() as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        let bytes = bytemuck::cast_slice(&points);
        let numbers = bytemuck::cast_slice(&sides);
        Self {
            points: buffer("ball", bytes, wgpu::BufferUsages::VERTEX),
            sides: buffer("sides of the ball", numbers, wgpu::BufferUsages::INDEX),
            corners: sides.len() as u32,
        }
    }

    /// Draws it for each of these instances; the pipeline and their buffer are set.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, instances: Range<u32>) {
        pass.set_vertex_buffer(0, self.points.slice(..));
        pass.set_index_buffer(self.sides.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..self.corners, 0, instances);
    }
}

/// A ball of 42 points with their numbers, and the corners of its 80 triangles: points are shared, as a card moves each
/// but once then. Coarse, the 12 points and 20 triangles that it is made from.
fn ball(coarse: bool) -> (Vec<[f32; 4]>, Vec<u16>) {
    let t = (1.0 + 5f32.sqrt()) / 2.0;
    #[rustfmt::skip]
    let mut points: Vec<Vec3> = [
        [-1.0, t, 0.0], [1.0, t, 0.0], [-1.0, -t, 0.0], [1.0, -t, 0.0], [0.0, -1.0, t], [0.0, 1.0, t],
        [0.0, -1.0, -t], [0.0, 1.0, -t], [t, 0.0, -1.0], [t, 0.0, 1.0], [-t, 0.0, -1.0], [-t, 0.0, 1.0],
    ].map(|p| Vec3::from(p).normalize()).to_vec();
    #[rustfmt::skip]
    const FACES: [[usize; 3]; 20] = [
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6],
        [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10],
        [8, 6, 7], [9, 8, 1],
    ];
    let mut corners = Vec::with_capacity(240);
    for [a, b, c] in FACES {
        if coarse {
            corners.extend([a, b, c].map(|index| index as u16));
            continue;
        }
        let mut middle = |i: usize, j: usize| {
            let p = ((points[i] + points[j]) * 0.5).normalize();
            points
                .iter()
                .position(|q| q.distance_squared(p) < 1e-8)
                .unwrap_or_else(|| {
                    points.push(p);
                    points.len() - 1
                })
        };
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        corners.extend([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca].map(|index| index as u16));
    }
    let numbered = points.iter().zip(0u16..);
    let points = numbered.map(|(point, number)| point.extend(number.into()).to_array());
    (points.collect(), corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ball_is_closed_and_faces_outwards() {
        for (coarse, size) in [(false, (42, 240)), (true, (12, 60))] {
            let (points, corners) = ball(coarse);
            assert_eq!((points.len(), corners.len()), size);
            is_closed(&points, &corners);
        }
    }

    fn is_closed(points: &[[f32; 4]], corners: &[u16]) {
        let at = |i: usize| Vec3::from_slice(&points[corners[i] as usize]);
        let mut edges = Vec::new();
        for i in (0..corners.len()).step_by(3) {
            let normal = (at(i + 1) - at(i)).cross(at(i + 2) - at(i));
            assert!(normal.dot(at(i)) > 0.0);
            for (j, k) in [(0, 1), (1, 2), (2, 0)] {
                edges.push((corners[i + j], corners[i + k]));
            }
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))));
    }

    #[test]
    fn the_inside_of_a_lamp_is_rock() {
        let lamp = style_of_look(Look::Light, false, [0; 3]);
        assert_eq!(
            inside_of(lamp.look),
            style_of_look(Look::Rock, true, [0; 3]).look
        );
    }
}
