//! What stands in the way of the sun: two depth maps seen from it, one of what is near the eye and one of all that it
//! lights. They lie on a raster and are drawn again only when the eye has left its field or a room before it changed.
use super::meshes::Meshes;
use super::shadows::{SideData, digest, side_layout, side_pipeline};
use crate::geom::Aabb;
use crate::view::{RoomView, SUN_DEPTH_M, SUN_REACH_M, Snapshot};
use glam::{DMat4, DVec3};

/// Depth, reversed as in the picture.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Half the width of what each map shows, metres.
const REACHES_M: [f64; MAPS] = [14.0, SUN_REACH_M];
const MAPS: usize = 2;
/// Fields of the raster across half a map.
const FIELDS: f64 = 5.0;
/// Bytes from one map's numbers to the next: the largest alignment that adapters ask for.
const STRIDE: u64 = 256;

/// Owner of the sun's maps.
pub(super) struct SunShadows {
    size: u32,
    pipeline: wgpu::RenderPipeline,
    all: wgpu::TextureView,
    one: [wgpu::TextureView; MAPS],
    sides: wgpu::Buffer,
    group: wgpu::BindGroup,
    /// What each map shows: where from, its middle, and what the rooms were.
    drawn: [Option<(DVec3, DVec3, u64)>; MAPS],
}

/// How the shader finds a point in the maps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SunMaps {
    /// Clip from a place relative to the eye.
    pub clip_from_eye: [DMat4; MAPS],
    /// Metres across a texel.
    pub texels_m: [f64; MAPS],
}

impl SunShadows {
    /// Maps of `size` texels each way.
    pub fn new(device: &wgpu::Device, size: u32) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("sun"),
            size: wgpu::Extent3d {
                width: size,
                height: size,
                depth_or_array_layers: MAPS as u32,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let view = |first, count, dimension| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(dimension),
                base_array_layer: first,
                array_layer_count: count,
                ..Default::default()
            })
        };
        let layout = side_layout(device);
        let sides = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("sun sides"),
            size: MAPS as u64 * STRIDE,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("sun side"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &sides,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<SideData>() as u64),
                }),
            }],
        });
        Self {
            size,
            // Ceilings shade as floors do: the sun shines in through the sky alone.
            pipeline: side_pipeline(device, &layout, None),
            all: view(0, None, wgpu::TextureViewDimension::D2Array),
            one: [0, 1].map(|layer| view(layer, Some(1), wgpu::TextureViewDimension::D2)),
            sides,
            group,
            drawn: [None; MAPS],
        }
    }

    /// The maps, for sampling.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.all
    }

    /// Draws what is missing or out of date; how many maps that were, and how to read them. None without a sun.
    pub fn draw(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        meshes: &Meshes,
        snapshot: &Snapshot,
    ) -> Option<(SunMaps, usize)> {
        let toward = snapshot.sun?.toward;
        let eye = snapshot.camera.eye;
        let mut maps = SunMaps::default();
        let mut count = 0;
        for (map, reach) in REACHES_M.into_iter().enumerate() {
            let field = reach / FIELDS;
            let middle = (eye / field).round() * field;
            let clip_from_middle = clip(toward, reach);
            maps.clip_from_eye[map] = clip_from_middle * DMat4::from_translation(eye - middle);
            maps.texels_m[map] = 2.0 * reach / f64::from(self.size);
            let rooms = snapshot.rooms.iter().chain(&snapshot.around);
            let rooms: Vec<&RoomView> = rooms
                .filter(|room| is_before(&room.cell, middle, &clip_from_middle))
                .collect();
            let now = (toward, middle, digest(&rooms));
            if self.drawn[map] == Some(now) {
                continue;
            }
            self.drawn[map] = Some(now);
            count += 1;
            let data = SideData {
                clip_from_light: clip_from_middle.as_mat4().to_cols_array_2d(),
                light: middle.as_vec3().extend(0.0).to_array(),
                light_from_eye: [0.0; 4],
            };
            let offset = map as u64 * STRIDE;
            queue.write_buffer(&self.sides, offset, bytemuck::bytes_of(&data));
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("sun"),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &self.one[map],
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(0.0),
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[offset as u32]);
            meshes.draw(&mut pass, rooms.iter().map(|room| room.id));
        }
        Some((maps, count))
    }
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
