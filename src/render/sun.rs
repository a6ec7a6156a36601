//! What stands in the way of the sun: two depth maps seen from it, one of what is near the eye and one of all that it
//! lights. They lie on a raster and are drawn again only when the eye has left its field or a room before it changed;
//! where only bodies move, one map a frame.
//!
//! The sun shines in through the sky alone: where no sky is drawn a map is closed. So no light comes in beside a wall
//! that has nothing but rock behind it. What faces away from the sun lies in the map where it is, and what faces the
//! sun is pushed back (shaders/shadow.wgsl): a ray from a place in shadow leaves the air through a face that faces
//! away, so shadows begin at the wall and lit faces do not shade themselves.
use super::bodies::finite_bodies;
use super::depth_maps::{
    Caster, DepthMaps, Movers, SideData, digest, mover_pipeline, place_digest, room_pipeline,
    side_layout,
};
use super::meshes::Meshes;
use crate::geom::Aabb;
use crate::view::{RoomView, SUN_DEPTH_M, SUN_REACH_M, Snapshot};
use glam::{DMat4, DVec3};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Range;

/// Half the width of what each map shows, metres.
const REACHES_M: [f64; MAPS] = [14.0, SUN_REACH_M];
const MAPS: usize = 2;
/// Fields of the raster across half a map.
const FIELDS: f64 = 5.0;
/// Of the chunks and of the balls before a map these many of those nearest to the eye throw shadows.
const MOST_CHUNKS: usize = 128;
const MOST_BALLS: usize = 512;

/// Owner of the sun's maps.
pub(super) struct SunShadows {
    size: u32,
    sky: wgpu::RenderPipeline,
    rooms: wgpu::RenderPipeline,
    chunks: wgpu::RenderPipeline,
    balls: wgpu::RenderPipeline,
    maps: DepthMaps,
    drawn: [Option<Drawn>; MAPS],
    frame: u64,
}

/// What a map shows.
#[derive(Clone, Copy)]
struct Drawn {
    /// Where the sun stood, the map's middle, and what the rooms were.
    still: (DVec3, DVec3, u64),
    /// Where the bodies were.
    moving: u64,
    /// In which frame that was.
    frame: u64,
}

/// How the shader finds a point in the maps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SunMaps {
    /// Clip from a place relative to the eye.
    pub clip_from_eye: [DMat4; MAPS],
}

impl SunShadows {
    /// Maps of `size` texels each way.
    pub fn new(device: &wgpu::Device, size: u32) -> Self {
        let layout = side_layout(device);
        let caster = |entry, cull| Caster {
            entry,
            cull,
            over_all: entry == "vs_sky",
        };
        // Of what is closed the side in shadow is enough.
        let away = Some(wgpu::Face::Front);
        Self {
            size,
            sky: room_pipeline(device, &layout, caster("vs_sky", None)),
            rooms: room_pipeline(device, &layout, caster("vs_sun", None)),
            chunks: mover_pipeline(device, &layout, caster("vs_chunk", away)),
            balls: mover_pipeline(device, &layout, caster("vs_ball", away)),
            maps: DepthMaps::new(device, &layout, [size; 2], MAPS, 1),
            drawn: [None; MAPS],
            frame: 0,
        }
    }

    /// The maps, for sampling.
    pub fn view(&self) -> &wgpu::TextureView {
        self.maps.view()
    }

    /// Draws what is missing or out of date; how many maps that were, and how to read them. None without a sun.
    pub fn draw(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, movers): (&Meshes, &Movers),
        snapshot: &Snapshot,
    ) -> Option<(SunMaps, usize)> {
        let toward = snapshot.sun?.toward;
        let eye = snapshot.camera.eye;
        self.frame += 1;
        let mut maps = SunMaps::default();
        let mut due = Vec::new();
        let mut moved = None;
        for (map, reach) in REACHES_M.into_iter().enumerate() {
            let field = reach / FIELDS;
            let middle = (eye / field).round() * field;
            let clip_from_middle = clip(toward, reach);
            let texel_m = 2.0 * reach / f64::from(self.size);
            maps.clip_from_eye[map] = clip_from_middle * DMat4::from_translation(eye - middle);
            let before = Before {
                map,
                middle,
                clip: clip_from_middle,
                texel_m,
                rooms: rooms_before(snapshot, middle, &clip_from_middle),
                chunks: chunks_before(snapshot, middle, &clip_from_middle, texel_m),
                balls: balls_before(snapshot, middle, &clip_from_middle, texel_m),
            };
            let still = (toward, middle, digest(&before.rooms));
            let moving = before.moving(snapshot);
            match self.drawn[map] {
                Some(drawn) if drawn.still == still && drawn.moving == moving => continue,
                Some(drawn) if drawn.still == still => {
                    let older = |(frame, _): &(u64, _)| drawn.frame < *frame;
                    if moved.as_ref().is_none_or(older) {
                        moved = Some((drawn.frame, (before, still, moving)));
                    }
                }
                _ => due.push((before, still, moving)),
            }
        }
        due.extend(moved.map(|(_, before)| before));
        for (before, still, moving) in &due {
            self.drawn[before.map] = Some(Drawn {
                still: *still,
                moving: *moving,
                frame: self.frame,
            });
            let light_from_eye = (before.middle - eye).as_vec3().extend(0.0);
            let data = SideData {
                clip_from_light: before.clip.as_mat4().to_cols_array_2d(),
                light: before.middle.as_vec3().extend(0.0).to_array(),
                light_from_eye: light_from_eye.to_array(),
                toward: toward.as_vec3().extend(before.texel_m as f32).to_array(),
            };
            self.maps.write(queue, before.map, std::iter::once(data));
            self.draw_map(encoder, (meshes, movers), before);
        }
        Some((maps, due.len()))
    }

    fn draw_map(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, movers): (&Meshes, &Movers),
        before: &Before,
    ) {
        const CLOSED: f32 = 1.0;
        let mut pass = self.maps.begin(encoder, before.map, CLOSED);
        self.maps.bind(&mut pass, before.map, 0);
        let rooms = before.rooms.iter().map(|room| room.id);
        pass.set_pipeline(&self.sky);
        meshes.draw(
            &mut pass,
            rooms.clone().filter(|&room| meshes.has_sky(room)),
        );
        pass.set_pipeline(&self.rooms);
        meshes.draw(&mut pass, rooms);
        if !before.chunks.is_empty() {
            pass.set_pipeline(&self.chunks);
            movers.draw_chunks(&mut pass, before.chunks.iter().copied());
        }
        if !before.balls.is_empty() {
            pass.set_pipeline(&self.balls);
            movers.draw_balls(&mut pass, &before.balls);
        }
    }
}

/// What throws shadows in a map.
struct Before<'a> {
    map: usize,
    middle: DVec3,
    /// From places relative to the middle.
    clip: DMat4,
    /// Metres across a texel.
    texel_m: f64,
    rooms: Vec<&'a RoomView>,
    /// Numbers in the snapshot, ascending.
    chunks: Vec<usize>,
    /// Numbers of instances.
    balls: Vec<Range<u32>>,
}

impl Before<'_> {
    /// Equal as long as all that moves lies in the same places.
    fn moving(&self, snapshot: &Snapshot) -> u64 {
        let chunks = self
            .chunks
            .iter()
            .map(|&i| place_digest(&snapshot.chunks[i]));
        let bodies: Vec<_> = finite_bodies(snapshot).collect();
        let place = |i: u32| {
            let [x, y, z] = bodies[i as usize].position.to_array().map(f64::to_bits);
            FxBuildHasher.hash_one((x, y, z))
        };
        let balls = self.balls.iter().cloned().flatten().map(place);
        chunks.chain(balls).fold(0, u64::wrapping_add)
    }
}

fn rooms_before<'a>(snapshot: &'a Snapshot, middle: DVec3, clip: &DMat4) -> Vec<&'a RoomView> {
    let rooms = snapshot.rooms.iter().chain(&snapshot.around);
    rooms
        .filter(|room| is_before(&room.cell, middle, clip))
        .collect()
}

/// Of what is before a map and no smaller than its texels, that which is nearest to the eye: numbers, ascending.
fn nearest_before(
    things: impl Iterator<Item = (DVec3, f64)>,
    most: usize,
    (eye, middle, clip, texel_m): (DVec3, DVec3, &DMat4, f64),
) -> Vec<usize> {
    let mut near: Vec<(f64, usize)> = things
        .enumerate()
        .filter(|(_, (at, radius))| {
            let around = || Aabb::from_centre(*at, DVec3::splat(*radius));
            2.0 * radius >= texel_m && is_before(&around(), middle, clip)
        })
        .map(|(i, (at, _))| (at.distance_squared(eye), i))
        .collect();
    if near.len() > most {
        near.select_nth_unstable_by(most, |a, b| a.0.total_cmp(&b.0));
        near.truncate(most);
    }
    let mut numbers: Vec<usize> = near.into_iter().map(|(_, i)| i).collect();
    numbers.sort_unstable();
    numbers
}

fn chunks_before(snapshot: &Snapshot, middle: DVec3, clip: &DMat4, texel_m: f64) -> Vec<usize> {
    let chunks = snapshot.chunks.iter().map(|c| (c.centre, c.radius));
    let place = (snapshot.camera.eye, middle, clip, texel_m);
    nearest_before(chunks, MOST_CHUNKS, place)
}

/// Runs of instances of balls.
fn balls_before(snapshot: &Snapshot, middle: DVec3, clip: &DMat4, texel_m: f64) -> Vec<Range<u32>> {
    let balls = finite_bodies(snapshot).map(|body| (body.position, body.radius * body.scale));
    let place = (snapshot.camera.eye, middle, clip, texel_m);
    let mut runs: Vec<Range<u32>> = Vec::new();
    for number in nearest_before(balls, MOST_BALLS, place) {
        let number = number as u32;
        match runs.last_mut().filter(|run| run.end == number) {
            Some(run) => run.end += 1,
            None => runs.push(number..number + 1),
        }
    }
    runs
}

/// From places relative to the middle of a map: x and y -1..=1 across it, depth 1 nearest to the sun, 0 farthest.
fn clip(toward: DVec3, reach: f64) -> DMat4 {
    let right = toward.any_orthonormal_vector();
    let up = toward.cross(right);
    let row = |axis: DVec3, scale: f64| (axis / scale).extend(0.0);
    DMat4::from_cols(
        row(right, reach),
        row(up, reach),
        (toward / (2.0 * SUN_DEPTH_M)).extend(0.5),
        glam::DVec4::W,
    )
    .transpose()
}

/// Whether any of the box may be in the map.
fn is_before(cell: &Aabb, middle: DVec3, clip: &DMat4) -> bool {
    let (centre, half) = (cell.centre() - middle, cell.half_size());
    (0..2).all(|i| {
        let axis = clip.row(i).truncate();
        axis.dot(centre).abs() <= 1.0 + axis.abs().dot(half)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suns_picture_is_square_to_it_and_nearer_is_greater() {
        let toward = DVec3::new(0.3, 0.8, -0.2).normalize();
        let clip = clip(toward, 10.0);
        let at = |p: DVec3| clip.transform_point3(p);
        assert!(at(DVec3::ZERO).distance(DVec3::new(0.0, 0.0, 0.5)) < 1e-12);
        let along = at(toward * 7.0);
        assert!(along.truncate().length() < 1e-12 && along.z > 0.5);
        let aside = toward.any_orthonormal_vector() * 10.0;
        assert!((at(aside).truncate().length() - 1.0).abs() < 1e-12);
        let cell = |p: DVec3| Aabb::from_centre(p, DVec3::ONE);
        assert!(is_before(&cell(toward * 200.0), DVec3::ZERO, &clip));
        assert!(!is_before(&cell(aside * 1.5), DVec3::ZERO, &clip));
        assert!(is_before(&cell(aside * 1.5), aside, &clip));
    }
}
