//! The meshes that bodies are drawn with, an instance for each body: a ball for projectiles, and what materials break into.
use super::ball_mesh::ball;
use super::crumb_forms::{CrumbMesh, Form, VARIANTS};
use glam::Vec3;
use std::ops::Range;
use strum::VariantArray;

/// The number of the ball among the meshes; crumbs follow.
pub(super) const BALL: usize = 0;

/// The number of the mesh of a form's variant.
pub(super) fn mesh_number(form: Form, variant: usize) -> usize {
    1 + form as usize * VARIANTS + variant
}

/// Instances drawn with one mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MeshRun {
    pub mesh: usize,
    pub instances: Range<u32>,
}

/// All meshes on the GPU, in one buffer.
pub(super) struct BodyMeshes {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// By mesh: its indices, and its first vertex.
    parts: Vec<(Range<u32>, i32)>,
    /// By mesh: half its box, in radii of the collision sphere.
    halves: Vec<Vec3>,
}

impl BodyMeshes {
    /// A `coarse` ball has a quarter of the triangles.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, coarse: bool) -> Self {
        let (mut vertices, mut indices) = ball(coarse);
        let mut parts = vec![(0..indices.len() as u32, 0)];
        let mut halves = vec![Vec3::ONE];
        for &form in Form::VARIANTS {
            for variant in 0..VARIANTS {
                let mesh = CrumbMesh::new(form, variant);
                let first = indices.len() as u32;
                let corners = mesh.triangles.iter().flatten();
                indices.extend(corners.map(|&corner| corner as u16));
                parts.push((first..indices.len() as u32, vertices.len() as i32));
                vertices.extend(mesh.points.iter().map(|p| p.extend(0.0).to_array()));
                halves.push(mesh.half);
            }
        }
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
        // A copy takes whole words.
        indices.resize(indices.len().next_multiple_of(2), 0);
        let vertex_bytes = bytemuck::cast_slice(&vertices);
        let index_bytes = bytemuck::cast_slice(&indices);
        Self {
            vertices: buffer("bodies' vertices", vertex_bytes, wgpu::BufferUsages::VERTEX),
            indices: buffer("bodies' indices", index_bytes, wgpu::BufferUsages::INDEX),
            parts,
            halves,
        }
    }

    /// Half the box of each mesh, in radii of the collision sphere.
    pub fn halves(&self) -> &[Vec3] {
        &self.halves
    }

    /// Draws runs of instances. The pipeline and the instance buffer must be set.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, runs: impl Iterator<Item = MeshRun>) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        for run in runs {
            let (indices, first) = &self.parts[run.mesh];
            pass.draw_indexed(indices.clone(), *first, run.instances);
        }
    }
}
