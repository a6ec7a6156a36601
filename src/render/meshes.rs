//! One vertex buffer for each room, made again only when the room's revision changes.
use super::materials::{Style, style_of_look};
use crate::level::material::Look;
use crate::view::{RoomView, room_hue};
use crate::world::RoomId;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Rooms not drawn for this many frames give their buffer back.
const KEEP_FRAMES: u64 = 600;

/// Farther than this from a whole face all is equally deep, metres; `DEPTH_MOST_M` in shaders/surface.wgsl.
const DEPTH_MOST_M: f64 = 1.6;

/// A corner of a triangle; `VertexIn` in shaders/surface.wgsl. Not indexed: faces are flat and share no normals, and
/// the number of the corner draws the wireframe.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct RoomVertex {
    pub position: [f32; 3],
    pub normal: [i16; 4],
    pub soft: [i8; 4],
    pub look: u32,
    pub tint: [u8; 4],
}

/// How `RoomVertex` lies in its buffer.
pub(super) const ROOM_VERTEX: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Snorm16x4, 2 => Snorm8x4, 3 => Uint32, 4 => Unorm8x4
];

/// A room on the GPU.
struct RoomBuffer {
    revision: u64,
    buffer: wgpu::Buffer,
    vertices: u32,
    /// Whether a part of the sky is in it.
    has_sky: bool,
    last_drawn: u64,
}

/// Owner of the rooms' buffers.
#[derive(Default)]
pub(super) struct Meshes {
    rooms: FxHashMap<u32, RoomBuffer>,
    frame: u64,
    scratch: Vec<RoomVertex>,
}

impl Meshes {
    /// Uploads what changed; how many rooms that were.
    pub fn upload<'a>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        rooms: impl Iterator<Item = &'a RoomView>,
        styles: &[Style],
    ) -> usize {
        self.frame += 1;
        let mut uploaded = 0;
        for room in rooms {
            let known = self.rooms.get_mut(&room.id);
            if let Some(known) = known.filter(|known| known.revision == room.revision) {
                known.last_drawn = self.frame;
                continue;
            }
            uploaded += 1;
            vertices_of(room, styles, &mut self.scratch);
            self.store(device, queue, room, styles);
        }
        let frame = self.frame;
        self.rooms
            .retain(|_, room| frame - room.last_drawn < KEEP_FRAMES);
        uploaded
    }

    /// Puts the scratch vertices into the room's buffer, a larger one where they do not fit.
    fn store(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        room: &RoomView,
        styles: &[Style],
    ) {
        let bytes: &[u8] = bytemuck::cast_slice(&self.scratch);
        let fits = |known: &RoomBuffer| bytes.len() as u64 <= known.buffer.size();
        let buffer = match self.rooms.remove(&room.id).filter(fits) {
            Some(known) => known.buffer,
            None => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("room"),
                // Room to grow: the next rocket hits the same room.
                size: (bytes.len() as u64 + bytes.len() as u64 / 4)
                    .next_multiple_of(4096)
                    .max(4096),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        queue.write_buffer(&buffer, 0, bytes);
        let vertices = self.scratch.len() as u32;
        let stored = RoomBuffer {
            revision: room.revision,
            buffer,
            vertices,
            has_sky: room.faces.iter().any(|face| {
                let style = styles.get(face.material as usize);
                style.is_some_and(Style::is_sky)
            }),
            last_drawn: self.frame,
        };
        self.rooms.insert(room.id, stored);
    }

    /// Whether a part of the sky is in the room, as it was uploaded.
    pub fn has_sky(&self, room: RoomId) -> bool {
        self.rooms.get(&room).is_some_and(|room| room.has_sky)
    }

    /// Draws rooms in the order given (nearest first).
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, rooms: impl Iterator<Item = RoomId>) {
        for room in rooms {
            self.draw_one(pass, room, 0);
        }
    }

    /// Draws a room with the numbers of an instance; triangles drawn.
    pub fn draw_one(&self, pass: &mut wgpu::RenderPass<'_>, room: RoomId, instance: u32) -> usize {
        let known = self.rooms.get(&room).filter(|room| room.vertices > 0);
        let Some(room) = known else { return 0 };
        pass.set_vertex_buffer(0, room.buffer.slice(..));
        pass.draw(0..room.vertices, instance..instance + 1);
        room.vertices as usize / 3
    }
}

/// The room's triangles as corners. Out-of-range indices are left out rather than trusted.
fn vertices_of(room: &RoomView, styles: &[Style], out: &mut Vec<RoomVertex>) {
    out.clear();
    let mesh = &room.mesh;
    let unknown = style_of_look(Look::Concrete, false, [127; 3]);
    let style_of_face = |face: u32| {
        let material = room
            .faces
            .get(face as usize)
            .map(|face| face.material as usize);
        material
            .and_then(|material| styles.get(material))
            .copied()
            .unwrap_or(unknown)
    };
    let broken: Vec<[i8; 4]> = broken_shape(room, style_of_face)
        .iter()
        .map(|b| snorm8(b.normal.normalize_or_zero(), b.depth / DEPTH_MOST_M))
        .collect();
    let hue = room_hue(room.id);
    out.reserve(mesh.triangles.len() * 3);
    for triangle in &mesh.triangles {
        let Some(face) = room.faces.get(triangle.face as usize) else {
            continue;
        };
        let style = style_of_face(triangle.face);
        let corners = triangle
            .corners
            .map(|corner| mesh.positions.get(corner as usize));
        let [Some(a), Some(b), Some(c)] = corners else {
            continue;
        };
        // Corners may be one in f32: nothing is left of the triangle, and its neighbours meet.
        let drawn = [a, b, c].map(|p| p.as_vec3().to_array());
        if drawn[0] == drawn[1] || drawn[1] == drawn[2] || drawn[2] == drawn[0] {
            continue;
        }
        let normal = snorm16(face.normal, triangle.face);
        let [r, g, b_tint] = style.tint;
        let flat = snorm8(face.normal, 0.0);
        for (position, corner) in drawn.into_iter().zip(triangle.corners) {
            let soft = match broken.get(corner as usize) {
                Some(&[x, y, z, depth]) if is_inner(style) => match [x, y, z] {
                    [0, 0, 0] => [flat[0], flat[1], flat[2], depth],
                    _ => [x, y, z, depth],
                },
                _ => flat,
            };
            out.push(RoomVertex {
                position,
                normal,
                soft,
                look: style.look,
                tint: [r, g, b_tint, hue],
            });
        }
    }
}

fn is_inner(style: Style) -> bool {
    style.look & 256 != 0
}

/// What a broken surface is like at a position: the mean normal, by area, of the broken faces that meet there (a
/// crater is shaded as rubble, not as a cut gem), and how far along the surface it lies from whole faces, metres.
#[derive(Clone, Copy)]
struct Broken {
    normal: DVec3,
    depth: f64,
}

/// One for each position; empty where nothing of the room is broken.
fn broken_shape(room: &RoomView, style_of_face: impl Fn(u32) -> Style) -> Vec<Broken> {
    let mesh = &room.mesh;
    let inner: Vec<bool> = (0..room.faces.len() as u32)
        .map(|face| is_inner(style_of_face(face)))
        .collect();
    if !inner.contains(&true) {
        return Vec::new();
    }
    let deepest = Broken {
        normal: DVec3::ZERO,
        depth: DEPTH_MOST_M,
    };
    let mut broken = vec![deepest; mesh.positions.len()];
    let mut edges: Vec<(usize, usize, f64)> = Vec::new();
    for triangle in &mesh.triangles {
        let corners = triangle.corners.map(|corner| corner as usize);
        let [Some(&a), Some(&b), Some(&c)] = corners.map(|corner| mesh.positions.get(corner))
        else {
            continue;
        };
        match inner.get(triangle.face as usize) {
            Some(true) => {
                let area = (b - a).cross(c - a);
                for corner in corners {
                    broken[corner].normal += area;
                }
                let [i, j, k] = corners;
                edges.extend([
                    (i, j, a.distance(b)),
                    (j, k, b.distance(c)),
                    (k, i, c.distance(a)),
                ]);
            }
            Some(false) => corners
                .into_iter()
                .for_each(|corner| broken[corner].depth = 0.0),
            None => {}
        }
    }
    // Distances along edges, loosely: a few sweeps there and back reach across a crater.
    let mut changed = false;
    let relax = |broken: &mut [Broken], changed: &mut bool, edge: &(usize, usize, f64)| {
        let &(i, j, length) = edge;
        let (a, b) = (broken[i].depth, broken[j].depth);
        if a > b + length {
            (broken[i].depth, *changed) = (b + length, true);
        } else if b > a + length {
            (broken[j].depth, *changed) = (a + length, true);
        }
    };
    for _ in 0..3 {
        for edge in &edges {
            relax(&mut broken, &mut changed, edge);
        }
        for edge in edges.iter().rev() {
            relax(&mut broken, &mut changed, edge);
        }
        if !std::mem::take(&mut changed) {
            break;
        }
    }
    broken
}

/// The normal, and a hue for the face.
fn snorm16(v: DVec3, face: u32) -> [i16; 4] {
    let [x, y, z] = v.to_array().map(|c| nearest(c, 32767.0) as i16);
    let hue = face.wrapping_mul(0x9E37_79B9) >> 17;
    [x, y, z, hue as i16]
}

fn snorm8(v: DVec3, w: f64) -> [i8; 4] {
    v.extend(w).to_array().map(|c| nearest(c, 127.0) as i8)
}

/// The whole number nearest to `most` times a part of -1..=1. By truncation: `round` is a call where the processor that
/// is compiled for has no instruction for it, and there are a hundred thousand of them in a room.
fn nearest(part: f64, most: f64) -> i32 {
    let scaled = part.clamp(-1.0, 1.0) * most;
    (scaled + 0.5f64.copysign(scaled)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{Mesh, Triangle};
    use crate::geom::Aabb;
    use crate::view::visibility::Window;
    use crate::world::FaceView;
    use std::sync::Arc;

    #[test]
    fn a_hole_is_deep_in_its_middle_and_not_at_its_rim() {
        let triangle = |corners, face| Triangle {
            corners,
            face,
            key: 0,
        };
        let face = |material| FaceView {
            material,
            normal: DVec3::Z,
            key: 0,
        };
        // A whole triangle, and two broken ones that lead away from its edge.
        let positions = [0.0, 0.2, 0.6, 1.0, 9.0].map(|x| DVec3::new(x, x * x, 0.0));
        let room = RoomView {
            id: 0,
            cell: Aabb::EMPTY,
            window: Window::ALL,
            revision: 1,
            mesh: Arc::new(Mesh {
                positions: positions.to_vec(),
                triangles: vec![
                    triangle([1, 0, 2], 0),
                    triangle([1, 2, 3], 1),
                    triangle([2, 3, 4], 1),
                ],
            }),
            faces: Arc::new(vec![face(0), face(1)]),
        };
        let styles = [false, true].map(|inner| style_of_look(Look::Brick, inner, [127; 3]));
        let broken = broken_shape(&room, |face| styles[face as usize]);
        assert_eq!(broken[2].depth, 0.0);
        assert!(0.0 < broken[3].depth && broken[3].depth < broken[4].depth);
        assert_eq!(broken[4].depth, DEPTH_MOST_M);
        let whole = broken_shape(&room, |_| styles[0]);
        assert!(whole.is_empty());
    }

    #[test]
    fn a_triangle_becomes_three_corners_and_a_broken_index_none() {
        let triangle = |corners, face| Triangle {
            corners,
            face,
            key: 0,
        };
        let room = RoomView {
            id: 3,
            cell: Aabb::EMPTY,
            window: Window::ALL,
            revision: 1,
            mesh: Arc::new(Mesh {
                positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y],
                triangles: vec![
                    triangle([0, 1, 2], 0),
                    triangle([0, 1, 9], 0),
                    triangle([0, 1, 2], 7),
                ],
            }),
            faces: Arc::new(vec![FaceView {
                material: 5,
                normal: DVec3::Z,
                key: 0,
            }]),
        };
        let mut vertices = Vec::new();
        vertices_of(&room, &[], &mut vertices);
        assert_eq!(vertices.len(), 3);
        assert_eq!(vertices[1].position, [1.0, 0.0, 0.0]);
        assert_eq!(vertices[1].normal[..3], [0, 0, 32767]);
    }
}
