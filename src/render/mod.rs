//! Drawing a snapshot with wgpu. Imports `view`, never `sim` or `world` internals.
use crate::view::Snapshot;

/// Owner of all GPU meshes and pipelines.
pub struct Renderer {}

/// What a frame's upload and drawing came to.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct DrawStats {
    pub rooms_drawn: usize,
    pub rooms_uploaded: usize,
    pub triangles: usize,
}

#[allow(unused_variables)]
impl Renderer {
    /// Makes pipelines for a target of this format (with its own depth buffer, multisampling inside).
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, format: wgpu::TextureFormat) -> Self {
        Self {}
    }
    /// Uploads rooms whose (room, revision) is new, drops what is long unseen.
    pub fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, snapshot: &Snapshot) -> DrawStats {
        DrawStats::default()
    }
    /// Draws to `target` (its size in pixels).
    pub fn draw(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, size: [u32; 2], snapshot: &Snapshot) -> DrawStats {
        DrawStats::default()
    }
}

/// Draws one picture offscreen: RGBA8 sRGB rows. Errors name what to install when no adapter is there.
pub fn picture(_snapshot: &Snapshot, _size: [u32; 2]) -> Result<Vec<u8>, String> {
    Err("not drawn".into())
}
