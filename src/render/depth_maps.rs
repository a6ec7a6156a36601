//! Depth maps as lights see them: layers of one texture, what is drawn into them, and how.
use super::bodies::{BODY_INSTANCE, BODY_VERTEX, Ball, BodyInstance, ChunkPart};
use super::meshes::{ROOM_VERTEX, RoomVertex};
use crate::view::{ChunkView, RoomView};
use bytemuck::{Pod, Zeroable};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Range;

/// Depth, reversed as in the picture.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Bytes from one side's numbers to the next: the largest alignment that adapters ask for.
const STRIDE: u64 = 256;

/// `Side` in shaders/shadow.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct SideData {
    pub clip_from_light: [[f32; 4]; 4],
    pub light: [f32; 4],
    pub light_from_eye: [f32; 4],
    pub toward: [f32; 4],
}

/// The layers, and the numbers with which each of their sides is drawn.
pub(super) struct DepthMaps {
    all: wgpu::TextureView,
    one: Vec<wgpu::TextureView>,
    sides: wgpu::Buffer,
    group: wgpu::BindGroup,
    sides_each: usize,
}

impl DepthMaps {
    /// So many layers of so many texels, each with `sides_each` pictures.
    pub fn new(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        [width, height]: [u32; 2],
        layers: usize,
        sides_each: usize,
    ) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadows"),
            size: wgpu::Extent3d {
                width,
                height,
                // A single layer would be no array to some drivers.
                depth_or_array_layers: layers.max(2) as u32,
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
        let one = |layer| view(layer as u32, Some(1), wgpu::TextureViewDimension::D2);
        let sides = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("shadow sides"),
            size: (layers * sides_each) as u64 * STRIDE,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow side"),
            layout,
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
            all: view(0, None, wgpu::TextureViewDimension::D2Array),
            one: (0..layers).map(one).collect(),
            sides,
            group,
            sides_each,
        }
    }

    /// All layers, for sampling.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.all
    }

    /// The numbers of a layer's sides, from the first one on.
    pub fn write(&self, queue: &wgpu::Queue, layer: usize, sides: impl Iterator<Item = SideData>) {
        let mut bytes = vec![0u8; self.sides_each * STRIDE as usize];
        for (data, room) in sides.zip(bytes.chunks_exact_mut(STRIDE as usize)) {
            room[..size_of::<SideData>()].copy_from_slice(bytemuck::bytes_of(&data));
        }
        let first = (layer * self.sides_each) as u64 * STRIDE;
        queue.write_buffer(&self.sides, first, &bytes);
    }

    /// Begins to draw a layer, of which nothing stays: everywhere is `depth`.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        layer: usize,
        depth: f32,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.one[layer],
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(depth),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }

    /// What is drawn from now on is drawn with this side's numbers.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>, layer: usize, side: usize) {
        let offset = (layer * self.sides_each + side) as u64 * STRIDE;
        pass.set_bind_group(0, &self.group, &[offset as u32]);
    }
}

/// What moves, as it was uploaded for the picture of this frame.
pub(super) struct Movers<'a> {
    /// What is drawn of which chunk.
    pub parts: &'a [ChunkPart],
    /// Points of chunks; None where there are none.
    pub corners: Option<&'a wgpu::Buffer>,
    /// Instances of balls, then those of parts of chunks; None where there are none.
    pub instances: Option<&'a wgpu::Buffer>,
    pub ball: &'a Ball,
}

impl Movers<'_> {
    /// Draws chunks by their numbers in the snapshot; the pipeline is set.
    pub fn draw_chunks(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        numbers: impl Iterator<Item = usize>,
    ) {
        let Some((corners, instances)) = self.corners.zip(self.instances) else {
            return;
        };
        pass.set_vertex_buffer(0, corners.slice(..));
        pass.set_vertex_buffer(1, instances.slice(..));
        for number in numbers {
            let first = self.parts.partition_point(|part| part.chunk < number);
            let own = self.parts[first..].iter();
            for part in own.take_while(|part| part.chunk == number) {
                pass.draw(part.corners.clone(), part.instance..part.instance + 1);
            }
        }
    }

    /// Draws these instances as balls; the pipeline is set.
    pub fn draw_balls(&self, pass: &mut wgpu::RenderPass<'_>, runs: &[Range<u32>]) {
        if let Some(instances) = self.instances {
            pass.set_vertex_buffer(1, instances.slice(..));
            for run in runs {
                self.ball.draw(pass, run.clone());
            }
        }
    }
}

/// Equal as long as the same rooms at the same revisions stand around. Their order follows the eye and does not count.
pub(super) fn digest(rooms: &[&RoomView]) -> u64 {
    let one = |room: &&RoomView| FxBuildHasher.hash_one((u64::from(room.id), room.revision));
    // Never 0, which is a map that was not drawn yet.
    rooms.iter().map(one).fold(1, u64::wrapping_add).max(1)
}

/// Equal as long as a chunk lies in the same place.
pub(super) fn place_digest(chunk: &ChunkView) -> u64 {
    let [x, y, z] = chunk.centre.to_array().map(f64::to_bits);
    let turn = chunk.rotation.to_array().map(f64::to_bits);
    FxBuildHasher.hash_one((x, y, z, turn))
}

/// The layout of [`SideData`], one of several in a buffer.
pub(super) fn side_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("shadow side"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

/// What a pipeline draws into a map: which function of shaders/shadow.wgsl, which faces not, and whether it covers what
/// is nearer to the light.
pub(super) struct Caster {
    pub entry: &'static str,
    pub cull: Option<wgpu::Face>,
    pub over_all: bool,
}

/// Draws rooms.
pub(super) fn room_pipeline(
    device: &wgpu::Device,
    sides: &wgpu::BindGroupLayout,
    caster: Caster,
) -> wgpu::RenderPipeline {
    let rooms = [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<RoomVertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &ROOM_VERTEX,
    })];
    pipeline(device, sides, caster, &rooms)
}

/// Draws chunks or balls.
pub(super) fn mover_pipeline(
    device: &wgpu::Device,
    sides: &wgpu::BindGroupLayout,
    caster: Caster,
) -> wgpu::RenderPipeline {
    let movers = [
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<[f32; 4]>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &BODY_VERTEX,
        }),
        Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<BodyInstance>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &BODY_INSTANCE,
        }),
    ];
    pipeline(device, sides, caster, &movers)
}

fn pipeline(
    device: &wgpu::Device,
    sides: &wgpu::BindGroupLayout,
    caster: Caster,
    buffers: &[Option<wgpu::VertexBufferLayout>],
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("shadow"),
        source: wgpu::ShaderSource::Wgsl(super::frame::shadow_source()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("shadow"),
        bind_group_layouts: &[Some(sides)],
        immediate_size: 0,
    });
    let compare = match caster.over_all {
        true => wgpu::CompareFunction::Always,
        false => wgpu::CompareFunction::Greater,
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("shadow"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(caster.entry),
            compilation_options: Default::default(),
            buffers,
        },
        primitive: wgpu::PrimitiveState {
            cull_mode: caster.cull,
            ..Default::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: FORMAT,
            depth_write_enabled: Some(true),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    })
}
