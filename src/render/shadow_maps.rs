//! Shadow maps in the layers of one texture, the pipelines that draw them, and the casters that move.
use super::bodies::{BodyLayout, ChunkPart};
use super::body_meshes::{BodyMeshes, MeshRun};
use super::formats::DEPTH_FORMAT;
use super::shaders::shadow_source;
use super::vertices::{BODY_INSTANCE, BODY_VERTEX, BodyInstance, ROOM_VERTEX, RoomVertex};
use crate::view::{ChunkView, RoomView};
use bytemuck::{Pod, Zeroable};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Range;

/// Bytes between the uniforms of two faces: the largest alignment that adapters require.
const STRIDE: u64 = 256;

/// The view of a shadow map face; `Face` in shaders/shadow.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct FaceUniforms {
    pub clip_from_light: [[f32; 4]; 4],
    pub light: [f32; 4],
    pub light_from_eye: [f32; 4],
    pub toward: [f32; 4],
}

/// The layers, and the uniforms of their faces.
pub(super) struct ShadowMaps {
    all: wgpu::TextureView,
    layers: Vec<wgpu::TextureView>,
    faces: wgpu::Buffer,
    group: wgpu::BindGroup,
    faces_per_layer: usize,
}

impl ShadowMaps {
    /// Layers of `width` by `height` texels, each an atlas of `faces_per_layer` faces.
    pub fn new(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        [width, height]: [u32; 2],
        layers: usize,
        faces_per_layer: usize,
    ) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadows"),
            size: wgpu::Extent3d {
                width,
                height,
                // Some drivers do not accept an array of one layer.
                depth_or_array_layers: layers.max(2) as u32,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
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
        let layer_view = |layer| view(layer as u32, Some(1), wgpu::TextureViewDimension::D2);
        let faces = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("shadow faces"),
            size: (layers * faces_per_layer) as u64 * STRIDE,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow face"),
            layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &faces,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<FaceUniforms>() as u64),
                }),
            }],
        });
        Self {
            all: view(0, None, wgpu::TextureViewDimension::D2Array),
            layers: (0..layers).map(layer_view).collect(),
            faces,
            group,
            faces_per_layer,
        }
    }

    /// All layers, for sampling.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.all
    }

    /// Writes the uniforms of a layer's faces.
    pub fn write(
        &self,
        queue: &wgpu::Queue,
        layer: usize,
        faces: impl Iterator<Item = FaceUniforms>,
    ) {
        let mut bytes = vec![0u8; self.faces_per_layer * STRIDE as usize];
        for (uniforms, slot) in faces.zip(bytes.chunks_exact_mut(STRIDE as usize)) {
            slot[..size_of::<FaceUniforms>()].copy_from_slice(bytemuck::bytes_of(&uniforms));
        }
        let first = (layer * self.faces_per_layer) as u64 * STRIDE;
        queue.write_buffer(&self.faces, first, &bytes);
    }

    /// Begins the pass of a layer, cleared to `depth`.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        layer: usize,
        depth: f32,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.layers[layer],
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(depth),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }

    /// Binds the uniforms of a face.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>, layer: usize, face: usize) {
        let offset = (layer * self.faces_per_layer + face) as u64 * STRIDE;
        pass.set_bind_group(0, &self.group, &[offset as u32]);
    }
}

/// Casters that move: the bodies of this frame, as uploaded.
pub(super) struct DynamicCasters<'a> {
    /// Parts of chunks, by chunk.
    pub parts: &'a [ChunkPart],
    /// Vertices of chunks, if there are any.
    pub corners: Option<&'a wgpu::Buffer>,
    /// Instances of other bodies, then of chunk parts, if there are any.
    pub instances: Option<&'a wgpu::Buffer>,
    pub meshes: &'a BodyMeshes,
    pub layout: &'a BodyLayout,
}

impl DynamicCasters<'_> {
    /// Draws chunks, by index in the snapshot. The pipeline must be set.
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

    /// Draws ranges of instances of bodies but chunks. The pipeline must be set.
    pub fn draw_bodies(&self, pass: &mut wgpu::RenderPass<'_>, ranges: &[Range<u32>]) {
        let Some(instances) = self.instances else {
            return;
        };
        pass.set_vertex_buffer(1, instances.slice(..));
        let parts = self.layout.runs.iter().flat_map(|run| {
            let within = |range: &Range<u32>| {
                range.start.max(run.instances.start)..range.end.min(run.instances.end)
            };
            let parts = ranges.iter().map(within);
            let parts = parts.filter(|instances| !instances.is_empty());
            let mesh = run.mesh;
            parts.map(move |instances| MeshRun { mesh, instances })
        });
        self.meshes.draw(pass, parts);
    }
}

/// A hash of the rooms and their revisions, independent of their order, which follows the eye.
pub(super) fn room_digest(rooms: &[&RoomView]) -> u64 {
    let one = |room: &&RoomView| FxBuildHasher.hash_one((u64::from(room.id), room.revision));
    // Never 0, which marks a map that was not drawn yet.
    rooms.iter().map(one).fold(1, u64::wrapping_add).max(1)
}

/// A hash of a chunk's position and rotation.
pub(super) fn pose_digest(chunk: &ChunkView) -> u64 {
    let [x, y, z] = chunk.centre.to_array().map(f64::to_bits);
    let rotation = chunk.rotation.to_array().map(f64::to_bits);
    FxBuildHasher.hash_one((x, y, z, rotation))
}

/// The layout of [`FaceUniforms`], with a dynamic offset.
pub(super) fn face_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("shadow face"),
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

/// The settings of a shadow pipeline.
pub(super) struct CasterSettings {
    /// The vertex function of shaders/shadow.wgsl.
    pub entry: &'static str,
    pub cull: Option<wgpu::Face>,
    /// Without depth test: overwrites nearer depths.
    pub always: bool,
}

/// A pipeline for rooms.
pub(super) fn room_pipeline(
    device: &wgpu::Device,
    faces: &wgpu::BindGroupLayout,
    caster: CasterSettings,
) -> wgpu::RenderPipeline {
    let rooms = [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<RoomVertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &ROOM_VERTEX,
    })];
    pipeline(device, faces, caster, &rooms)
}

/// A pipeline for bodies.
pub(super) fn body_pipeline(
    device: &wgpu::Device,
    faces: &wgpu::BindGroupLayout,
    caster: CasterSettings,
) -> wgpu::RenderPipeline {
    let bodies = [
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
    pipeline(device, faces, caster, &bodies)
}

fn pipeline(
    device: &wgpu::Device,
    faces: &wgpu::BindGroupLayout,
    caster: CasterSettings,
    buffers: &[Option<wgpu::VertexBufferLayout>],
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("shadow"),
        source: wgpu::ShaderSource::Wgsl(shadow_source()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("shadow"),
        bind_group_layouts: &[Some(faces)],
        immediate_size: 0,
    });
    let compare = match caster.always {
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
            format: DEPTH_FORMAT,
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
