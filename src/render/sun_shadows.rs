//! Cascaded shadow maps of the sun: a fine cascade near the camera and a coarse one of the whole sunlit region. The
//! centres snap to a grid. A cascade is redrawn if its centre moves or a room in it changes; if only bodies move, one
//! cascade per frame.
//!
//! The sun shines in through sky faces only: a map is cleared to "in shadow" and sky faces open it. So no light leaks in
//! beside a wall with only rock behind it. Faces away from the sun are drawn at their depth, faces towards the sun are
//! biased (shaders/shadow.wgsl): a ray from a shadowed point leaves the air through a back face, so shadows start at the
//! wall and lit faces do not shadow themselves.
use super::bodies::{BodyLayout, finite_bodies};
use super::room_meshes::RoomMeshes;
use super::shadow_maps::{
    CasterSettings, DynamicCasters, FaceUniforms, ShadowMaps, body_pipeline, face_layout,
    pose_digest, room_digest, room_pipeline,
};
use crate::geom::Aabb;
use crate::view::{RoomView, SUN_DEPTH_M, SUN_REACH_M, Snapshot};
use glam::{DMat4, DVec3};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Range;

/// Half the width of each cascade, metres.
const REACHES_M: [f64; CASCADES] = [14.0, SUN_REACH_M];
const CASCADES: usize = 2;
/// Grid cells across half a cascade; its centre snaps to the grid.
const GRID_CELLS: f64 = 5.0;
/// Most chunks that cast shadows in a cascade, those nearest to the camera.
const MOST_CHUNKS: usize = 128;
/// Most balls likewise.
const MOST_BALLS: usize = 512;

/// The sun's cascades.
pub(super) struct SunShadows {
    size: u32,
    sky: wgpu::RenderPipeline,
    rooms: wgpu::RenderPipeline,
    chunks: wgpu::RenderPipeline,
    balls: wgpu::RenderPipeline,
    maps: ShadowMaps,
    drawn: [Option<Drawn>; CASCADES],
    frame: u64,
}

/// The state of a cascade when it was drawn.
#[derive(Clone, Copy)]
struct Drawn {
    /// Direction to the sun, centre of the cascade, digest of the rooms.
    still: (DVec3, DVec3, u64),
    /// Digest of the bodies.
    moving: u64,
    /// Frame of the drawing.
    frame: u64,
}

/// The matrices of the cascades.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SunCascades {
    /// Clip space from positions relative to the eye.
    pub clip_from_eye: [DMat4; CASCADES],
}

impl SunShadows {
    /// Maps of `size` texels each way.
    pub fn new(device: &wgpu::Device, size: u32) -> Self {
        let layout = face_layout(device);
        let caster = |entry, cull| CasterSettings {
            entry,
            cull,
            always: entry == "vs_sky",
        };
        // Back faces are enough for closed meshes.
        let away = Some(wgpu::Face::Front);
        Self {
            size,
            sky: room_pipeline(device, &layout, caster("vs_sky", None)),
            rooms: room_pipeline(device, &layout, caster("vs_sun", None)),
            chunks: body_pipeline(device, &layout, caster("vs_chunk", away)),
            balls: body_pipeline(device, &layout, caster("vs_ball", away)),
            maps: ShadowMaps::new(device, &layout, [size; 2], CASCADES, 1),
            drawn: [None; CASCADES],
            frame: 0,
        }
    }

    /// The maps, for sampling.
    pub fn view(&self) -> &wgpu::TextureView {
        self.maps.view()
    }

    /// Draws missing and stale cascades. Returns the matrices and the number of cascades drawn; None without a sun.
    pub fn draw(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, bodies): (&RoomMeshes, &DynamicCasters),
        snapshot: &Snapshot,
    ) -> Option<(SunCascades, usize)> {
        let toward = snapshot.sun?.toward;
        let eye = snapshot.camera.eye;
        self.frame += 1;
        let mut cascades = SunCascades::default();
        let mut due = Vec::new();
        let mut stale = None;
        for (cascade, reach) in REACHES_M.into_iter().enumerate() {
            let cell = reach / GRID_CELLS;
            let centre = (eye / cell).round() * cell;
            let clip_from_centre = clip(toward, reach);
            let texel_m = 2.0 * reach / f64::from(self.size);
            cascades.clip_from_eye[cascade] =
                clip_from_centre * DMat4::from_translation(eye - centre);
            let casters = CascadeCasters {
                cascade,
                centre,
                clip: clip_from_centre,
                texel_m,
                rooms: rooms_in(snapshot, centre, &clip_from_centre),
                chunks: chunks_in(snapshot, centre, &clip_from_centre, texel_m),
                balls: balls_in(snapshot, bodies.layout, centre, &clip_from_centre, texel_m),
            };
            let still = (toward, centre, room_digest(&casters.rooms));
            let moving = casters.body_digest(snapshot, bodies.layout);
            match self.drawn[cascade] {
                Some(drawn) if drawn.still == still && drawn.moving == moving => continue,
                Some(drawn) if drawn.still == still => {
                    let older = |(frame, _): &(u64, _)| drawn.frame < *frame;
                    if stale.as_ref().is_none_or(older) {
                        stale = Some((drawn.frame, (casters, still, moving)));
                    }
                }
                Some(_) | None => due.push((casters, still, moving)),
            }
        }
        due.extend(stale.map(|(_, casters)| casters));
        for (casters, still, moving) in &due {
            self.drawn[casters.cascade] = Some(Drawn {
                still: *still,
                moving: *moving,
                frame: self.frame,
            });
            let light_from_eye = (casters.centre - eye).as_vec3().extend(0.0);
            let uniforms = FaceUniforms {
                clip_from_light: casters.clip.as_mat4().to_cols_array_2d(),
                light: casters.centre.as_vec3().extend(0.0).to_array(),
                light_from_eye: light_from_eye.to_array(),
                toward: toward.as_vec3().extend(casters.texel_m as f32).to_array(),
            };
            self.maps
                .write(queue, casters.cascade, std::iter::once(uniforms));
            self.draw_cascade(encoder, (meshes, bodies), casters);
        }
        Some((cascades, due.len()))
    }

    fn draw_cascade(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (meshes, bodies): (&RoomMeshes, &DynamicCasters),
        casters: &CascadeCasters,
    ) {
        const IN_SHADOW: f32 = 1.0;
        let mut pass = self.maps.begin(encoder, casters.cascade, IN_SHADOW);
        self.maps.bind(&mut pass, casters.cascade, 0);
        let rooms = casters.rooms.iter().map(|room| room.id);
        pass.set_pipeline(&self.sky);
        meshes.draw(
            &mut pass,
            rooms.clone().filter(|&room| meshes.has_sky(room)),
        );
        pass.set_pipeline(&self.rooms);
        meshes.draw(&mut pass, rooms);
        if !casters.chunks.is_empty() {
            pass.set_pipeline(&self.chunks);
            bodies.draw_chunks(&mut pass, casters.chunks.iter().copied());
        }
        if !casters.balls.is_empty() {
            pass.set_pipeline(&self.balls);
            bodies.draw_bodies(&mut pass, &casters.balls);
        }
    }
}

/// The casters of a cascade.
struct CascadeCasters<'a> {
    cascade: usize,
    centre: DVec3,
    /// Clip space from positions relative to the centre.
    clip: DMat4,
    /// Metres across a texel.
    texel_m: f64,
    rooms: Vec<&'a RoomView>,
    /// Indices in the snapshot, ascending.
    chunks: Vec<usize>,
    /// Ranges of instances of crumbs and projectiles.
    balls: Vec<Range<u32>>,
}

impl CascadeCasters<'_> {
    /// A hash of the poses of chunks and balls.
    fn body_digest(&self, snapshot: &Snapshot, layout: &BodyLayout) -> u64 {
        let chunks = self
            .chunks
            .iter()
            .map(|&i| pose_digest(&snapshot.chunks[i]));
        let bodies: Vec<_> = finite_bodies(snapshot).collect();
        let pose = |i: u32| {
            let body = bodies[layout.order[i as usize] as usize];
            let [x, y, z] = body.position.to_array().map(f64::to_bits);
            let rotation = body.rotation.to_array().map(f64::to_bits);
            let rest = body.rest.map(|rest| rest.share.to_bits());
            FxBuildHasher.hash_one((x, y, z, rotation, rest))
        };
        let balls = self.balls.iter().cloned().flatten().map(pose);
        chunks.chain(balls).fold(0, u64::wrapping_add)
    }
}

fn rooms_in<'a>(snapshot: &'a Snapshot, centre: DVec3, clip: &DMat4) -> Vec<&'a RoomView> {
    let rooms = snapshot.rooms.iter().chain(&snapshot.around);
    rooms
        .filter(|room| box_in_cascade(&room.cell, centre, clip))
        .collect()
}

/// Indices of the spheres in a cascade that are no smaller than its texels, those nearest to the camera; ascending.
fn nearest_spheres(
    spheres: impl Iterator<Item = (DVec3, f64)>,
    most: usize,
    (eye, centre, clip, texel_m): (DVec3, DVec3, &DMat4, f64),
) -> Vec<usize> {
    let mut near: Vec<(f64, usize)> = spheres
        .enumerate()
        .filter(|(_, (at, radius))| {
            let bounds = || Aabb::from_centre(*at, DVec3::splat(*radius));
            2.0 * radius >= texel_m && box_in_cascade(&bounds(), centre, clip)
        })
        .map(|(i, (at, _))| (at.distance_squared(eye), i))
        .collect();
    if near.len() > most {
        near.select_nth_unstable_by(most, |a, b| a.0.total_cmp(&b.0));
        near.truncate(most);
    }
    let mut indices: Vec<usize> = near.into_iter().map(|(_, i)| i).collect();
    indices.sort_unstable();
    indices
}

fn chunks_in(snapshot: &Snapshot, centre: DVec3, clip: &DMat4, texel_m: f64) -> Vec<usize> {
    let chunks = snapshot.chunks.iter().map(|c| (c.centre, c.radius));
    let cascade = (snapshot.camera.eye, centre, clip, texel_m);
    nearest_spheres(chunks, MOST_CHUNKS, cascade)
}

/// Ranges of instances of crumbs and projectiles.
fn balls_in(
    snapshot: &Snapshot,
    layout: &BodyLayout,
    centre: DVec3,
    clip: &DMat4,
    texel_m: f64,
) -> Vec<Range<u32>> {
    let bodies: Vec<_> = finite_bodies(snapshot).collect();
    let by_instance = layout.order.iter().map(|&number| bodies[number as usize]);
    let balls = by_instance.map(|body| (body.position, body.radius * body.scale));
    let cascade = (snapshot.camera.eye, centre, clip, texel_m);
    let mut runs: Vec<Range<u32>> = Vec::new();
    for index in nearest_spheres(balls, MOST_BALLS, cascade) {
        let index = index as u32;
        match runs.last_mut().filter(|run| run.end == index) {
            Some(run) => run.end += 1,
            None => runs.push(index..index + 1),
        }
    }
    runs
}

/// Orthographic projection from positions relative to the centre: x and y -1..=1 across the cascade, depth 1 nearest to
/// the sun, 0 farthest.
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

/// Whether the box may meet the cascade. Conservative.
fn box_in_cascade(bounds: &Aabb, centre: DVec3, clip: &DMat4) -> bool {
    let (offset, half) = (bounds.centre() - centre, bounds.half_size());
    (0..2).all(|i| {
        let axis = clip.row(i).truncate();
        axis.dot(offset).abs() <= 1.0 + axis.abs().dot(half)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projection_is_orthographic_and_nearer_is_greater() {
        let toward = DVec3::new(0.3, 0.8, -0.2).normalize();
        let clip = clip(toward, 10.0);
        let at = |p: DVec3| clip.transform_point3(p);
        assert!(at(DVec3::ZERO).distance(DVec3::new(0.0, 0.0, 0.5)) < 1e-12);
        let along = at(toward * 7.0);
        assert!(along.truncate().length() < 1e-12 && along.z > 0.5);
        let aside = toward.any_orthonormal_vector() * 10.0;
        assert!((at(aside).truncate().length() - 1.0).abs() < 1e-12);
        let cell = |p: DVec3| Aabb::from_centre(p, DVec3::ONE);
        assert!(box_in_cascade(&cell(toward * 200.0), DVec3::ZERO, &clip));
        assert!(!box_in_cascade(&cell(aside * 1.5), DVec3::ZERO, &clip));
        assert!(box_in_cascade(&cell(aside * 1.5), aside, &clip));
    }
}
