//! Shadow maps of point lights: a cube map of six faces in one layer. A map is cached until a room in reach of the light
//! changes or a chunk there moves. Maps that are stale only through moving chunks are redrawn a few per frame, so that many
//! chunks cost no more than one. The cache key is position and reach of the light, so maps survive a turn of the camera.
use super::room_meshes::RoomMeshes;
use super::shadow_maps::{
    CasterSettings, DynamicCasters, FaceUniforms, ShadowMaps, body_pipeline, face_layout,
    pose_digest, room_digest, room_pipeline,
};
use crate::bvh::Triangle;
use crate::geom::Aabb;
use crate::view::{ChunkView, LightView, MAX_LIGHTS, RoomView, Snapshot};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Distance of a light's near plane, metres; `SHADOW_NEAR_M` in shaders/frame.wgsl.
const NEAR_M: f32 = 0.04;
/// Faces of a cube map, three in a row in the layer.
const FACES: usize = 6;
/// Texels by which a face is wider than 90 degrees, for filtering at its border; `light_visibility` in frame.wgsl.
const MARGIN: f32 = 4.0;
/// Layers at first; doubled for more lights.
const FIRST_LAYERS: usize = 8;

/// Most maps redrawn per frame because of moving chunks.
const STALE_MAPS: usize = 2;
/// Most chunks that cast a light's shadows, the nearest ones.
const MOST_CHUNKS: usize = 64;

/// The cache key of a light: position and reach.
type LightKey = [u64; 4];

fn key_of(light: &LightView) -> LightKey {
    let p = light.position;
    [p.x, p.y, p.z, light.radius].map(f64::to_bits)
}

/// The state of a layer.
#[derive(Clone, Copy, Default)]
struct Slot {
    light: LightKey,
    /// Digest of the rooms drawn; 0 before the first time.
    rooms: u64,
    /// Digest of the chunks drawn.
    chunks: u64,
    /// Frame of the last drawing.
    drawn: u64,
    /// Frame of the last use; 0 is never.
    last_used: u64,
}

/// The layer of each light of a snapshot.
pub(super) type ShadowLayers = [Option<u32>; MAX_LIGHTS];

/// The shadow maps of point lights.
pub(super) struct PointShadows {
    face_size: u32,
    max_lights: usize,
    room_pipeline: wgpu::RenderPipeline,
    chunk_pipeline: wgpu::RenderPipeline,
    face_layout: wgpu::BindGroupLayout,
    maps: ShadowMaps,
    slots: FxHashMap<LightKey, usize>,
    layers: Vec<Slot>,
    frame: u64,
}

impl PointShadows {
    /// Shadows for at most `max_lights` lights, with faces of `face_size` texels.
    pub fn new(device: &wgpu::Device, max_lights: usize, face_size: u32) -> Self {
        let face_layout = face_layout(device);
        let first = FIRST_LAYERS.min(max_lights).max(1);
        let caster = |entry| CasterSettings {
            entry,
            // So a light inside its own fixture shines out of it.
            cull: Some(wgpu::Face::Back),
            always: false,
        };
        Self {
            face_size,
            max_lights: max_lights.min(MAX_LIGHTS),
            room_pipeline: room_pipeline(device, &face_layout, caster("vs_main")),
            chunk_pipeline: body_pipeline(device, &face_layout, caster("vs_chunk")),
            maps: maps(device, &face_layout, first, face_size),
            face_layout,
            slots: FxHashMap::default(),
            layers: vec![Slot::default(); first],
            frame: 0,
        }
    }

    /// The maps, for sampling. Replaced if [`PointShadows::draw`] returns true.
    pub fn view(&self) -> &wgpu::TextureView {
        self.maps.view()
    }

    /// Texels across a face.
    pub fn face_size(&self) -> u32 {
        self.face_size
    }

    /// Draws missing and stale maps. Returns the layer of each light, whether the view was replaced, and the number of
    /// maps drawn.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, bodies): (&RoomMeshes, &DynamicCasters),
        snapshot: &Snapshot,
    ) -> (ShadowLayers, bool, usize) {
        self.frame += 1;
        let mut layers: ShadowLayers = [None; MAX_LIGHTS];
        let casting = snapshot.lights.iter().take(MAX_LIGHTS).enumerate();
        let casting: Vec<(usize, &LightView)> = casting
            .filter(|(_, light)| light.source.casts_shadows())
            .take(self.max_lights)
            .collect();
        let grown = self.grow(device, casting.len());
        let mut drawn = 0;
        let mut stale = Vec::new();
        for (index, light) in casting {
            let layer = self.layer_of(light);
            layers[index] = Some(layer as u32);
            let casters = Casters::new(light, snapshot);
            let [rooms, chunks] = casters.digests();
            let slot = self.layers[layer];
            if slot.rooms != rooms {
                self.draw_light(queue, encoder, (meshes, bodies), layer, &casters);
                drawn += 1;
            } else if slot.chunks != chunks {
                stale.push((slot.drawn, layer, casters));
            }
        }
        stale.sort_by_key(|(drawn, layer, _)| (*drawn, *layer));
        for (_, layer, casters) in stale.iter().take(STALE_MAPS) {
            self.draw_light(queue, encoder, (meshes, bodies), *layer, casters);
            drawn += 1;
        }
        (layers, grown, drawn)
    }

    /// Makes room for `wanted` lights; drops all maps. Returns whether it did.
    fn grow(&mut self, device: &wgpu::Device, wanted: usize) -> bool {
        if wanted <= self.layers.len() {
            return false;
        }
        let count = wanted.next_power_of_two().min(self.max_lights.max(wanted));
        self.maps = maps(device, &self.face_layout, count, self.face_size);
        self.slots.clear();
        self.layers = vec![Slot::default(); count];
        true
    }

    /// The layer of a light: the cached one, or the least recently used one.
    fn layer_of(&mut self, light: &LightView) -> usize {
        let key = key_of(light);
        let layer = match self.slots.get(&key) {
            Some(&layer) => layer,
            None => {
                let oldest = (0..self.layers.len()).min_by_key(|&i| self.layers[i].last_used);
                let layer = oldest.unwrap_or(0);
                let slot = &mut self.layers[layer];
                if slot.last_used > 0 {
                    self.slots.remove(&slot.light);
                }
                *slot = Slot {
                    light: key,
                    ..Slot::default()
                };
                self.slots.insert(key, layer);
                layer
            }
        };
        self.layers[layer].last_used = self.frame;
        layer
    }

    fn draw_light(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, bodies): (&RoomMeshes, &DynamicCasters),
        layer: usize,
        casters: &Casters,
    ) {
        let light = casters.light;
        let slot = &mut self.layers[layer];
        [slot.rooms, slot.chunks] = casters.digests();
        slot.drawn = self.frame;
        let uniforms = |face| face_uniforms(light.position, casters.eye, face, self.face_size);
        self.maps.write(queue, layer, (0..FACES).map(uniforms));
        let mut pass = self.maps.begin(encoder, layer, 0.0);
        let size = self.face_size as f32;
        for face in 0..FACES {
            let (x, y) = ((face % 3) as f32 * size, (face / 3) as f32 * size);
            pass.set_viewport(x, y, size, size, 0.0, 1.0);
            self.maps.bind(&mut pass, layer, face);
            pass.set_pipeline(&self.room_pipeline);
            let rooms = casters
                .rooms
                .iter()
                .filter(|room| box_in_face(&room.cell, light.position, face));
            meshes.draw(&mut pass, rooms.map(|room| room.id));
            pass.set_pipeline(&self.chunk_pipeline);
            let chunks = casters.chunks.iter().filter(|(_, chunk)| {
                let bounds = Aabb::from_centre(chunk.centre, DVec3::splat(chunk.radius));
                box_in_face(&bounds, light.position, face)
            });
            bodies.draw_chunks(&mut pass, chunks.map(|(index, _)| *index));
        }
    }
}

fn maps(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    layers: usize,
    face_size: u32,
) -> ShadowMaps {
    let atlas = [face_size * 3, face_size * 2];
    ShadowMaps::new(device, layout, atlas, layers, FACES)
}

/// The casters in reach of a light.
struct Casters<'a> {
    light: &'a LightView,
    eye: DVec3,
    rooms: Vec<&'a RoomView>,
    /// With their indices in the snapshot.
    chunks: Vec<(usize, &'a ChunkView)>,
}

impl<'a> Casters<'a> {
    fn new(light: &'a LightView, snapshot: &'a Snapshot) -> Self {
        let gap = |chunk: &ChunkView| chunk.centre.distance(light.position) - chunk.radius;
        let chunks = snapshot.chunks.iter().enumerate();
        // Without chunks that contain the light.
        let reached = |c: &&ChunkView| gap(c) < light.radius && gap(c) > 0.0;
        let mut chunks: Vec<_> = chunks.filter(|(_, c)| reached(c)).collect();
        chunks.sort_by(|a, b| gap(a.1).total_cmp(&gap(b.1)));
        chunks.truncate(MOST_CHUNKS);
        Self {
            light,
            eye: snapshot.camera.eye,
            rooms: rooms_in_reach(light, snapshot).collect(),
            chunks,
        }
    }

    /// Digests of the rooms and of the chunks.
    fn digests(&self) -> [u64; 2] {
        let pose = |(_, chunk): &(usize, &ChunkView)| pose_digest(chunk);
        let chunks = self.chunks.iter().map(pose);
        [room_digest(&self.rooms), chunks.fold(0, u64::wrapping_add)]
    }
}

/// The rooms in reach of a light.
fn rooms_in_reach<'a>(
    light: &'a LightView,
    snapshot: &'a Snapshot,
) -> impl Iterator<Item = &'a RoomView> {
    let (p, reach) = (light.position, light.radius);
    let rooms = snapshot.rooms.iter().chain(&snapshot.around);
    // An empty room casts nothing; in the digest it would only cause redraws.
    rooms.filter(move |room| {
        room.cell.closest_point(p).distance_squared(p) < reach * reach
            && room.mesh.triangles.iter().any(Triangle::is_live)
    })
}

/// Axes of a cube map face in the world: right, up, forward. `face` is twice the axis, plus one for the negative direction.
fn face_axes(face: usize) -> [DVec3; 3] {
    let sign = if face & 1 == 0 { 1.0 } else { -1.0 };
    match face / 2 {
        0 => [DVec3::Z * sign, DVec3::Y, DVec3::X * sign],
        1 => [DVec3::X * sign, DVec3::Z, DVec3::Y * sign],
        _ => [DVec3::NEG_X * sign, DVec3::Y, DVec3::Z * sign],
    }
}

fn face_uniforms(light: DVec3, eye: DVec3, face: usize, face_size: u32) -> FaceUniforms {
    let [right, up, forward] = face_axes(face).map(|axis| axis.as_vec3());
    let scale = 1.0 - MARGIN / face_size as f32;
    let column = |i: usize| [right[i] * scale, up[i] * scale, 0.0, forward[i]];
    let [x, y, z] = light.as_vec3().to_array();
    FaceUniforms {
        clip_from_light: [column(0), column(1), column(2), [0.0, 0.0, NEAR_M, 0.0]],
        light: [x, y, z, 0.0],
        light_from_eye: (light - eye).as_vec3().extend(0.0).to_array(),
        toward: [0.0; 4],
    }
}

/// Whether the box may meet the frustum of a face. Conservative.
fn box_in_face(bounds: &Aabb, light: DVec3, face: usize) -> bool {
    let [right, up, forward] = face_axes(face);
    // A little wider than 90 degrees, like the face.
    const WIDE: f64 = 1.1;
    [right, -right, up, -up].iter().all(|&across| {
        let normal = forward * WIDE + across;
        let farthest = DVec3::select(normal.cmpge(DVec3::ZERO), bounds.max, bounds.min) - light;
        normal.dot(farthest) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faces_of_a_cube_map_cover_all_directions_and_are_not_mirrored() {
        let sum: DVec3 = (0..FACES).map(|face| face_axes(face)[2]).sum();
        assert_eq!(sum, DVec3::ZERO);
        for face in 0..FACES {
            let [right, up, forward] = face_axes(face);
            assert_eq!(right.cross(up), -forward, "face {face}");
        }
    }

    #[test]
    fn a_box_is_drawn_on_the_faces_that_it_meets() {
        let cell = |p: DVec3| Aabb {
            min: p - 0.5,
            max: p + 0.5,
        };
        let sees = |p: DVec3| {
            (0..FACES)
                .filter(|&face| box_in_face(&cell(p), DVec3::ZERO, face))
                .collect::<Vec<_>>()
        };
        assert_eq!(sees(DVec3::X * 5.0), [0]);
        assert_eq!(sees(DVec3::NEG_Y * 5.0), [3]);
        assert_eq!(sees(DVec3::new(5.0, 5.0, 0.0)), [0, 2]);
        assert_eq!(sees(DVec3::ZERO).len(), FACES);
    }
}
