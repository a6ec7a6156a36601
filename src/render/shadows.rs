//! What stands in the way of the lights: a depth map for each of a light's six sides, kept until a room within its
//! reach changes or a chunk there moves. Of the lights that only moving chunks ask to be drawn again a few have their turn
//! in each frame, so that a rain of chunks costs no more than one. Maps belong to lights by place and reach, not by number, so they outlive a turn of the head.
use super::depth_maps::{
    Caster, DepthMaps, Movers, SideData, digest, mover_pipeline, place_digest, room_pipeline,
    side_layout,
};
use super::meshes::Meshes;
use crate::bvh::Triangle;
use crate::geom::Aabb;
use crate::view::{ChunkView, LightView, MAX_LIGHTS, RoomView, Snapshot};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Nothing nearer to a light than this throws a shadow, metres; `SHADOW_NEAR_M` in shaders/frame.wgsl.
const NEAR_M: f32 = 0.04;
/// Sides of a light, three in a row in its layer.
const SIDES: usize = 6;
/// Texels by which a side's picture is wider than its quarter turn, for smooth borders; `sides` in frame.wgsl.
const MARGIN: f32 = 4.0;
/// Layers to begin with; doubled when more lights are in sight.
const FIRST_LAYERS: usize = 8;

/// Lights that are drawn again in a frame because chunks move before them.
const MOVING_LIGHTS: usize = 2;
/// Of the chunks before a light these many of the nearest throw shadows.
const MOST_CHUNKS: usize = 64;

/// A light by what its shadows depend on: place and reach.
type LightKey = [u64; 4];

fn key_of(light: &LightView) -> LightKey {
    let p = light.position;
    [p.x, p.y, p.z, light.radius].map(f64::to_bits)
}

/// A layer of the map and whose it is.
#[derive(Clone, Copy, Default)]
struct Slot {
    light: LightKey,
    /// What the rooms in reach were when it was drawn.
    rooms: u64,
    /// Where the chunks in reach were then.
    chunks: u64,
    /// Frame in which it was drawn.
    drawn: u64,
    /// Frame in which its light was last in sight; 0 is never.
    last_used: u64,
}

/// For each light of a snapshot the layer with its shadows.
pub(super) type Layers = [Option<u32>; MAX_LIGHTS];

/// Owner of the shadow maps.
pub(super) struct Shadows {
    tile: u32,
    most: usize,
    room_pipeline: wgpu::RenderPipeline,
    chunk_pipeline: wgpu::RenderPipeline,
    sides_layout: wgpu::BindGroupLayout,
    maps: DepthMaps,
    slots: FxHashMap<LightKey, usize>,
    layers: Vec<Slot>,
    frame: u64,
}

impl Shadows {
    /// Shadows for at most `most` lights, `tile` texels for each side of each.
    pub fn new(device: &wgpu::Device, most: usize, tile: u32) -> Self {
        let sides_layout = side_layout(device);
        let first = FIRST_LAYERS.min(most).max(1);
        let caster = |entry| Caster {
            entry,
            // A lamp that a level puts into its own fixture shines out of it.
            cull: Some(wgpu::Face::Back),
            over_all: false,
        };
        Self {
            tile,
            most: most.min(MAX_LIGHTS),
            room_pipeline: room_pipeline(device, &sides_layout, caster("vs_main")),
            chunk_pipeline: mover_pipeline(device, &sides_layout, caster("vs_chunk")),
            maps: maps(device, &sides_layout, first, tile),
            sides_layout,
            slots: FxHashMap::default(),
            layers: vec![Slot::default(); first],
            frame: 0,
        }
    }

    /// The maps, for sampling. Another view after [`Shadows::draw`] said that there are more layers.
    pub fn view(&self) -> &wgpu::TextureView {
        self.maps.view()
    }

    /// Texels of a side.
    pub fn tile(&self) -> u32 {
        self.tile
    }

    /// Draws what is missing or out of date. Hands out each light's layer, whether the view is another one now, and
    /// how many lights were drawn.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, movers): (&Meshes, &Movers),
        snapshot: &Snapshot,
    ) -> (Layers, bool, usize) {
        self.frame += 1;
        let mut layers: Layers = [None; MAX_LIGHTS];
        let casting = snapshot.lights.iter().take(MAX_LIGHTS).enumerate();
        let casting: Vec<(usize, &LightView)> = casting
            .filter(|(_, light)| light.casts)
            .take(self.most)
            .collect();
        let grown = self.grow(device, casting.len());
        let mut drawn = 0;
        let mut moved = Vec::new();
        for (index, light) in casting {
            let layer = self.layer_of(light);
            layers[index] = Some(layer as u32);
            let casters = Casters::of(light, snapshot);
            let [rooms, chunks_seen] = casters.digests();
            let slot = self.layers[layer];
            if slot.rooms != rooms {
                self.draw_light(queue, encoder, (meshes, movers), layer, &casters);
                drawn += 1;
            } else if slot.chunks != chunks_seen {
                moved.push((slot.drawn, layer, casters));
            }
        }
        moved.sort_by_key(|(drawn, layer, _)| (*drawn, *layer));
        for (_, layer, casters) in moved.iter().take(MOVING_LIGHTS) {
            self.draw_light(queue, encoder, (meshes, movers), *layer, casters);
            drawn += 1;
        }
        (layers, grown, drawn)
    }

    /// Makes room for `wanted` lights; what was drawn is lost.
    fn grow(&mut self, device: &wgpu::Device, wanted: usize) -> bool {
        if wanted <= self.layers.len() {
            return false;
        }
        let count = wanted.next_power_of_two().min(self.most.max(wanted));
        self.maps = maps(device, &self.sides_layout, count, self.tile);
        self.slots.clear();
        self.layers = vec![Slot::default(); count];
        true
    }

    /// The light's layer: its own, or that of the light that is out of sight for longest.
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
        (meshes, movers): (&Meshes, &Movers),
        layer: usize,
        casters: &Casters,
    ) {
        let light = casters.light;
        let slot = &mut self.layers[layer];
        [slot.rooms, slot.chunks] = casters.digests();
        slot.drawn = self.frame;
        let data = |side| side_data(light.position, casters.eye, side, self.tile);
        self.maps.write(queue, layer, (0..SIDES).map(data));
        let mut pass = self.maps.begin(encoder, layer, 0.0);
        let tile = self.tile as f32;
        for side in 0..SIDES {
            let (x, y) = ((side % 3) as f32 * tile, (side / 3) as f32 * tile);
            pass.set_viewport(x, y, tile, tile, 0.0, 1.0);
            self.maps.bind(&mut pass, layer, side);
            pass.set_pipeline(&self.room_pipeline);
            let before = casters
                .rooms
                .iter()
                .filter(|room| before_side(&room.cell, light.position, side));
            meshes.draw(&mut pass, before.map(|room| room.id));
            pass.set_pipeline(&self.chunk_pipeline);
            let before = casters.chunks.iter().filter(|(_, chunk)| {
                let around = Aabb::from_centre(chunk.centre, DVec3::splat(chunk.radius));
                before_side(&around, light.position, side)
            });
            movers.draw_chunks(&mut pass, before.map(|(number, _)| *number));
        }
    }
}

fn maps(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    layers: usize,
    tile: u32,
) -> DepthMaps {
    DepthMaps::new(device, layout, [tile * 3, tile * 2], layers, SIDES)
}

/// What a light's shadows are made of.
struct Casters<'a> {
    light: &'a LightView,
    eye: DVec3,
    rooms: Vec<&'a RoomView>,
    /// With their numbers in the snapshot.
    chunks: Vec<(usize, &'a ChunkView)>,
}

impl<'a> Casters<'a> {
    fn of(light: &'a LightView, snapshot: &'a Snapshot) -> Self {
        let gap = |chunk: &ChunkView| chunk.centre.distance(light.position) - chunk.radius;
        let chunks = snapshot.chunks.iter().enumerate();
        // Not those that the lamp is inside of.
        let reached = |c: &&ChunkView| gap(c) < light.radius && gap(c) > 0.0;
        let mut chunks: Vec<_> = chunks.filter(|(_, c)| reached(c)).collect();
        chunks.sort_by(|a, b| gap(a.1).total_cmp(&gap(b.1)));
        chunks.truncate(MOST_CHUNKS);
        Self {
            light,
            eye: snapshot.camera.eye,
            rooms: in_reach(light, snapshot).collect(),
            chunks,
        }
    }

    /// Of the rooms, equal as long as the same ones at the same revisions stand around; and of the chunks, as long as the
    /// same ones lie in the same places. Their order follows the eye and does not count.
    fn digests(&self) -> [u64; 2] {
        let place = |(_, chunk): &(usize, &ChunkView)| place_digest(chunk);
        let chunks = self.chunks.iter().map(place);
        [digest(&self.rooms), chunks.fold(0, u64::wrapping_add)]
    }
}

/// The rooms that a light's shadows are made of.
fn in_reach<'a>(
    light: &'a LightView,
    snapshot: &'a Snapshot,
) -> impl Iterator<Item = &'a RoomView> {
    let (p, reach) = (light.position, light.radius);
    let rooms = snapshot.rooms.iter().chain(&snapshot.around);
    // One without triangles would only make the map be drawn again as it comes and goes.
    rooms.filter(move |room| {
        room.cell.closest_point(p).distance_squared(p) < reach * reach
            && room.mesh.triangles.iter().any(Triangle::is_live)
    })
}

/// Axes of a side's picture in the world: right, up, and where it looks. `side` is twice the axis, plus one if it
/// looks down the axis.
fn side_axes(side: usize) -> [DVec3; 3] {
    let sign = if side & 1 == 0 { 1.0 } else { -1.0 };
    match side / 2 {
        0 => [DVec3::Z * sign, DVec3::Y, DVec3::X * sign],
        1 => [DVec3::X * sign, DVec3::Z, DVec3::Y * sign],
        _ => [DVec3::NEG_X * sign, DVec3::Y, DVec3::Z * sign],
    }
}

fn side_data(light: DVec3, eye: DVec3, side: usize, tile: u32) -> SideData {
    let [right, up, look] = side_axes(side).map(|axis| axis.as_vec3());
    let narrow = 1.0 - MARGIN / tile as f32;
    let column = |i: usize| [right[i] * narrow, up[i] * narrow, 0.0, look[i]];
    let [x, y, z] = light.as_vec3().to_array();
    SideData {
        clip_from_light: [column(0), column(1), column(2), [0.0, 0.0, NEAR_M, 0.0]],
        light: [x, y, z, 0.0],
        light_from_eye: (light - eye).as_vec3().extend(0.0).to_array(),
        toward: [0.0; 4],
    }
}

/// Whether any of the box may be in the side's picture.
fn before_side(cell: &Aabb, light: DVec3, side: usize) -> bool {
    let [right, up, look] = side_axes(side);
    // A little wider than the quarter turn, as the picture is.
    const WIDE: f64 = 1.1;
    [right, -right, up, -up].iter().all(|&across| {
        let normal = look * WIDE + across;
        let farthest = DVec3::select(normal.cmpge(DVec3::ZERO), cell.max, cell.min) - light;
        normal.dot(farthest) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_of_a_light_look_everywhere_and_are_not_mirrored() {
        let sum: DVec3 = (0..SIDES).map(|side| side_axes(side)[2]).sum();
        assert_eq!(sum, DVec3::ZERO);
        for side in 0..SIDES {
            let [right, up, look] = side_axes(side);
            assert_eq!(right.cross(up), -look, "side {side}");
        }
    }

    #[test]
    fn a_box_is_drawn_on_the_sides_that_see_it() {
        let cell = |p: DVec3| Aabb {
            min: p - 0.5,
            max: p + 0.5,
        };
        let sees = |p: DVec3| {
            (0..SIDES)
                .filter(|&side| before_side(&cell(p), DVec3::ZERO, side))
                .collect::<Vec<_>>()
        };
        assert_eq!(sees(DVec3::X * 5.0), [0]);
        assert_eq!(sees(DVec3::NEG_Y * 5.0), [3]);
        assert_eq!(sees(DVec3::new(5.0, 5.0, 0.0)), [0, 2]);
        assert_eq!(sees(DVec3::ZERO).len(), SIDES);
    }
}
