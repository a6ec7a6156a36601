//! The meshes of rooms on the GPU, a vertex buffer each. After a change of revision only changed vertices are uploaded.
use super::styles::{INNER_BIT, Style, style_of_look};
use super::vertices::RoomVertex;
use crate::bvh::Triangle;
use crate::level::material::Look;
use crate::view::{RoomView, room_hue};
use crate::world::{Revision, RoomId};
use bytemuck::Zeroable;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A room's buffer is freed after this many frames without use.
const KEEP_FRAMES: u64 = 600;
/// Changed runs are merged across a gap of at most this many triangles: a write has a fixed cost.
const GAP: usize = 64;

/// Greatest depth of a broken surface, metres; `DEPTH_MOST_M` in shaders/surface.wgsl.
const DEPTH_MOST_M: f32 = 1.6;

/// A room on the GPU.
struct RoomBuffer {
    revision: Revision,
    buffer: wgpu::Buffer,
    /// Content of the buffer.
    vertices: Vec<RoomVertex>,
    /// It has sky faces.
    has_sky: bool,
    /// It has textures with holes.
    has_cut: bool,
    last_drawn: u64,
}

/// The buffers of all rooms.
#[derive(Default)]
pub(super) struct RoomMeshes {
    rooms: FxHashMap<RoomId, RoomBuffer>,
    frame: u64,
    scratch: Vec<RoomVertex>,
}

impl RoomMeshes {
    /// Uploads the changed rooms; returns their number.
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

    /// Writes the scratch vertices to the room's buffer, or to a larger one if they do not fit.
    fn store(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        room: &RoomView,
        styles: &[Style],
    ) {
        let size = size_of_val(self.scratch.as_slice()) as u64;
        let fits = |known: &RoomBuffer| size <= known.buffer.size();
        let (buffer, old) = match self.rooms.remove(&room.id).filter(fits) {
            Some(known) => (known.buffer, known.vertices),
            None => {
                let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("room"),
                    // Spare capacity: the next rocket likely hits the same room.
                    size: (size + size / 4).next_multiple_of(4096).max(4096),
                    usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                });
                (buffer, Vec::new())
            }
        };
        for run in changed(&old, &self.scratch) {
            let offset = (run.start * size_of::<RoomVertex>()) as u64;
            queue.write_buffer(&buffer, offset, bytemuck::cast_slice(&self.scratch[run]));
        }
        let has = |property: fn(&Style) -> bool| {
            let faces = room.faces.iter();
            let mut styles = faces.filter_map(|face| styles.get(face.material as usize));
            styles.any(property)
        };
        let stored = RoomBuffer {
            revision: room.revision,
            buffer,
            vertices: std::mem::replace(&mut self.scratch, old),
            has_sky: has(Style::is_sky),
            has_cut: has(Style::is_cut),
            last_drawn: self.frame,
        };
        self.rooms.insert(room.id, stored);
    }

    /// Whether the uploaded room has sky faces.
    pub fn has_sky(&self, room: RoomId) -> bool {
        self.rooms.get(&room).is_some_and(|room| room.has_sky)
    }

    /// Whether the uploaded room has textures with holes.
    pub fn has_cut(&self, room: RoomId) -> bool {
        self.rooms.get(&room).is_some_and(|room| room.has_cut)
    }

    /// Draws rooms in the given order (nearest first).
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, rooms: impl Iterator<Item = RoomId>) {
        for room in rooms {
            self.draw_one(pass, room, 0);
        }
    }

    /// Draws a room with the attributes of an instance; returns the number of triangles.
    pub fn draw_one(&self, pass: &mut wgpu::RenderPass<'_>, room: RoomId, instance: u32) -> usize {
        let known = self.rooms.get(&room);
        let Some(room) = known.filter(|room| !room.vertices.is_empty()) else {
            return 0;
        };
        pass.set_vertex_buffer(0, room.buffer.slice(..));
        pass.draw(0..room.vertices.len() as u32, instance..instance + 1);
        room.vertices.len() / 3
    }
}

/// Runs of vertices whose triangles have changed.
fn changed(old: &[RoomVertex], new: &[RoomVertex]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut add = |run: Range<usize>| match runs.last_mut() {
        Some(last) if run.start <= last.end + 3 * GAP => last.end = run.end,
        _ => runs.push(run),
    };
    let triangles = old.chunks_exact(3).zip(new.chunks_exact(3));
    for (number, (old, new)) in triangles.enumerate() {
        if bytemuck::cast_slice::<_, u8>(old) != bytemuck::cast_slice::<_, u8>(new) {
            add(3 * number..3 * number + 3);
        }
    }
    if old.len() < new.len() {
        add(old.len()..new.len());
    }
    runs
}

/// The attributes that all vertices of a face share.
#[derive(Clone, Copy)]
struct FaceLook {
    normal: [i16; 4],
    /// The soft normal, unless the face is broken.
    soft: [i8; 4],
    look: u32,
    tint: [u8; 4],
}

impl FaceLook {
    fn is_inner(&self) -> bool {
        self.look & INNER_BIT != 0
    }
}

fn face_looks(room: &RoomView, styles: &[Style]) -> Vec<FaceLook> {
    let unknown = style_of_look(Look::Concrete, false, [127; 3]);
    let hue = room_hue(room.id);
    let faces = (0..).zip(room.faces.iter());
    faces
        .map(|(number, face)| {
            let known = styles.get(face.material as usize).copied();
            let Style { look, tint } = known.unwrap_or(unknown);
            let [r, g, b] = tint;
            FaceLook {
                normal: snorm16(face.normal, number),
                soft: snorm8(face.normal, 0.0),
                look,
                tint: [r, g, b, hue],
            }
        })
        .collect()
}

/// The room's triangles as vertices, each triangle in its slot, so that most vertices do not move. Free slots and
/// degenerate triangles are zeros.
fn vertices_of(room: &RoomView, styles: &[Style], out: &mut Vec<RoomVertex>) {
    let mesh = &room.mesh;
    let looks = face_looks(room, styles);
    let softs: Vec<[i8; 4]> = broken_vertices(room, &looks)
        .iter()
        .map(|b| {
            snorm8(
                b.normal.normalize_or_zero().as_dvec3(),
                f64::from(b.depth / DEPTH_MOST_M),
            )
        })
        .collect();
    let positions = mesh.positions.iter();
    let positions: Vec<[f32; 3]> = positions.map(|p| p.as_vec3().to_array()).collect();
    out.clear();
    out.reserve(mesh.triangles.len() * 3);
    for triangle in &mesh.triangles {
        let corners = corners_of(triangle, &looks, &softs, &positions);
        out.extend_from_slice(&corners.unwrap_or([RoomVertex::zeroed(); 3]));
    }
}

/// The vertices of a triangle; None for an index out of range.
fn corners_of(
    triangle: &Triangle,
    looks: &[FaceLook],
    softs: &[[i8; 4]],
    positions: &[[f32; 3]],
) -> Option<[RoomVertex; 3]> {
    let face = looks.get(triangle.face as usize)?;
    let at = |corner: u32| positions.get(corner as usize).copied();
    let [a, b, c] = triangle.corners;
    let (p, q, r) = (at(a)?, at(b)?, at(c)?);
    // Corners may coincide in f32: the triangle is empty, and its neighbours meet.
    if p == q || q == r || r == p {
        return None;
    }
    let soft = |corner: u32| match softs.get(corner as usize) {
        Some(&[0, 0, 0, depth]) if face.is_inner() => {
            let [x, y, z, _] = face.soft;
            [x, y, z, depth]
        }
        Some(&soft) if face.is_inner() => soft,
        _ => face.soft,
    };
    let vertex = |position, corner| RoomVertex {
        position,
        normal: face.normal,
        soft: soft(corner),
        look: face.look,
        tint: face.tint,
    };
    Some([vertex(p, a), vertex(q, b), vertex(r, c)])
}

/// A vertex of a broken surface. The normal is the sum of the broken faces' area vectors: a crater is shaded as rubble, not
/// as a cut gem. The depth is the distance along the surface to whole faces, metres.
#[derive(Clone, Copy)]
struct Broken {
    normal: Vec3,
    depth: f32,
}

/// By position; empty if the room has no broken faces.
fn broken_vertices(room: &RoomView, looks: &[FaceLook]) -> Vec<Broken> {
    let mesh = &room.mesh;
    if !looks.iter().any(FaceLook::is_inner) {
        return Vec::new();
    }
    let deepest = Broken {
        normal: Vec3::ZERO,
        depth: DEPTH_MOST_M,
    };
    let mut broken = vec![deepest; mesh.positions.len()];
    let mut edges: Vec<(u32, u32, f32)> = Vec::new();
    for triangle in &mesh.triangles {
        let corners = triangle.corners.map(|corner| corner as usize);
        let [Some(&a), Some(&b), Some(&c)] = corners.map(|corner| mesh.positions.get(corner))
        else {
            continue;
        };
        match looks.get(triangle.face as usize).map(FaceLook::is_inner) {
            Some(true) => {
                let (ab, ac) = ((b - a).as_vec3(), (c - a).as_vec3());
                let area = ab.cross(ac);
                for corner in corners {
                    broken[corner].normal += area;
                }
                let [i, j, k] = triangle.corners;
                edges.extend([
                    (i, j, ab.length()),
                    (j, k, ab.distance(ac)),
                    (k, i, ac.length()),
                ]);
            }
            Some(false) => corners
                .into_iter()
                .for_each(|corner| broken[corner].depth = 0.0),
            None => {}
        }
    }
    // Approximate shortest paths along edges: a few forward and backward sweeps reach across a crater.
    let mut changed = false;
    let relax = |broken: &mut [Broken], changed: &mut bool, edge: &(u32, u32, f32)| {
        let (i, j, length) = (edge.0 as usize, edge.1 as usize, edge.2);
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

/// The normal as Snorm16, and a hue of the face.
fn snorm16(v: DVec3, face: u32) -> [i16; 4] {
    let [x, y, z] = v.to_array().map(|c| round_scaled(c, 32767.0) as i16);
    let hue = face.wrapping_mul(0x9E37_79B9) >> 17;
    [x, y, z, hue as i16]
}

fn snorm8(v: DVec3, w: f64) -> [i8; 4] {
    v.extend(w).to_array().map(|c| round_scaled(c, 127.0) as i8)
}

/// Rounds `most` times a number in -1..=1. By truncation: `round` is a function call on targets without such an instruction,
/// and a room needs a hundred thousand.
fn round_scaled(part: f64, most: f64) -> i32 {
    let scaled = part.clamp(-1.0, 1.0) * most;
    (scaled + 0.5f64.copysign(scaled)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Mesh;
    use crate::geom::Aabb;
    use crate::view::Window;
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
            revision: Revision::next(),
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
        let broken = broken_vertices(&room, &face_looks(&room, &styles));
        assert_eq!(broken[2].depth, 0.0);
        assert!(0.0 < broken[3].depth && broken[3].depth < broken[4].depth);
        assert_eq!(broken[4].depth, DEPTH_MOST_M);
        let whole = broken_vertices(&room, &face_looks(&room, &[styles[0]]));
        assert!(whole.is_empty());
    }

    #[test]
    fn only_triangles_that_changed_are_written_and_those_between_near_ones() {
        let old = vec![RoomVertex::zeroed(); 3 * 1000];
        let mut new = old.clone();
        assert!(changed(&old, &new).is_empty());
        for vertex in [0, 3 * GAP + 1, 3 * 900 + 2] {
            new[vertex].look = 7;
        }
        assert_eq!(changed(&old, &new), [0..3 * GAP + 3, 3 * 900..3 * 901]);
        new.extend_from_slice(&old[..3]);
        let last = 3 * 1000..3 * 1001;
        assert_eq!(changed(&old, &new)[2..], *std::slice::from_ref(&last));
        let all = 0..new.len();
        assert_eq!(changed(&[], &new), *std::slice::from_ref(&all));
        assert!(changed(&old, &old[..6]).is_empty());
    }

    #[test]
    fn a_triangle_becomes_three_corners_and_a_broken_index_zeros() {
        let triangle = |corners, face| Triangle {
            corners,
            face,
            key: 0,
        };
        let room = RoomView {
            id: 3,
            cell: Aabb::EMPTY,
            window: Window::ALL,
            revision: Revision::next(),
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
        assert_eq!(vertices.len(), 9);
        assert_eq!(vertices[3..], [RoomVertex::zeroed(); 6]);
        assert_eq!(vertices[1].position, [1.0, 0.0, 0.0]);
        assert_eq!(vertices[1].normal[..3], [0, 0, 32767]);
    }
}
