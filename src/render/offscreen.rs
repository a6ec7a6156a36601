//! Offscreen rendering: pictures without a window.
use super::gpu;
use super::gpu_timer::PASSES;
use super::quality::Quality;
use super::renderer::Renderer;
use super::textures::Textures;
use crate::timing::{Marker, Silent, Stage};
use crate::view::Snapshot;
use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use std::sync::Arc;

/// Largest side of a picture, pixels.
const MAX_SIDE: u32 = 8192;
/// Larger pictures are not multisampled: their edges are fine enough, and it would take gigabytes.
const MULTISAMPLED_PIXELS: u64 = 12_000_000;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// Draws one picture: RGBA8 sRGB rows from the top. Without an adapter the error says what to install.
pub fn picture(snapshot: &Snapshot, size: [u32; 2]) -> Result<Vec<u8>, String> {
    OffscreenRenderer::new(size)?.picture(snapshot)
}

/// RGBA rows as a PNG file's bytes.
///
/// # Errors
/// Rows that are not of this size.
pub fn png(pixels: &[u8], [width, height]: [u32; 2]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(pixels, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|error| format!("cannot be written as PNG: {error}"))?;
    Ok(bytes)
}

/// Draws pictures of one size; uploads are kept from one to the next.
pub struct OffscreenRenderer {
    gpu: gpu::Gpu,
    renderer: Renderer,
    size: [u32; 2],
    target: wgpu::Texture,
    rows: wgpu::Buffer,
    /// Bytes from one row to the next in `rows`.
    stride: u32,
}

impl OffscreenRenderer {
    /// Opens an adapter; `size` in pixels, 1 to 8192 each.
    pub fn new(size: [u32; 2]) -> Result<Self, String> {
        Self::with_quality(size, Quality::PICTURE)
    }

    /// Opens an adapter, for pictures of another quality.
    pub fn with_quality(size: [u32; 2], mut quality: Quality) -> Result<Self, String> {
        let [width, height] = size;
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(format!(
                "a picture must be 1 to {MAX_SIDE} pixels wide and high, not {width}x{height}"
            ));
        }
        let gpu = gpu::request(&gpu::instance(), None)?;
        let most = gpu.device.limits().max_texture_dimension_2d;
        if width.max(height) > most {
            return Err(format!(
                "this graphics adapter can draw at most {most} pixels a side, not {width}x{height}"
            ));
        }
        if u64::from(width) * u64::from(height) > MULTISAMPLED_PIXELS {
            quality.samples = 1;
        }
        let renderer = Renderer::new(&gpu.device, &gpu.queue, FORMAT, quality);
        let extent = wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        };
        let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: extent,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let rows = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(stride) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Ok(Self {
            gpu,
            renderer,
            size,
            target,
            rows,
            stride,
        })
    }

    /// Reloads the shaders; see [`Renderer::reload`].
    pub fn reload(&mut self) -> Result<(), String> {
        self.renderer.reload(&self.gpu.device)
    }

    /// Destroys the device, like a driver's reset: every later picture is an error, and a new renderer is needed.
    pub fn destroy_device(&self) {
        self.gpu.device.destroy();
    }

    /// Whether it renders in software.
    pub fn is_software(&self) -> bool {
        self.gpu.software
    }

    /// Sets the level's own textures; see [`Renderer::show_textures`].
    pub fn show_textures(&mut self, textures: &Arc<Textures>) {
        self.renderer.show_textures(&self.gpu.device, textures);
    }

    /// GPU time of each of [`PASSES`] of the last picture, milliseconds; None without timestamp queries.
    pub fn gpu_ms(&mut self) -> Option<[f32; PASSES.len()]> {
        self.renderer.gpu_ms()
    }

    /// Draws and reads back: RGBA8 sRGB rows from the top.
    pub fn picture(&mut self, snapshot: &Snapshot) -> Result<Vec<u8>, String> {
        self.timed(snapshot, &mut Silent)
    }

    /// [`OffscreenRenderer::picture`], with marks around the CPU stages of a frame: upload and recording.
    pub fn timed(
        &mut self,
        snapshot: &Snapshot,
        marker: &mut dyn Marker,
    ) -> Result<Vec<u8>, String> {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        marker.begin(Stage::Upload);
        self.renderer.upload(device, queue, snapshot);
        marker.end(Stage::Upload);
        let view = self.target.create_view(&Default::default());
        marker.begin(Stage::Draw);
        let mut encoder = device.create_command_encoder(&Default::default());
        self.renderer.draw(
            device,
            queue,
            &mut encoder,
            &view,
            (self.size, None),
            snapshot,
        );
        self.renderer.finish(&mut encoder);
        marker.end(Stage::Draw);
        let [width, height] = self.size;
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.rows,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.stride),
                    rows_per_image: Some(height),
                },
            },
            wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
        );
        queue.submit([encoder.finish()]);
        self.renderer.submitted();
        let (sender, mapped) = std::sync::mpsc::channel();
        self.rows.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only if the picture failed.
            let _ = sender.send(result);
        });
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|e| self.failed(&e))?;
        if let Some(fault) = self.gpu.take_fault() {
            return Err(format!("the graphics adapter reports: {fault}"));
        }
        mapped
            .recv()
            .map_err(|e| self.failed(&e))?
            .map_err(|e| self.failed(&e))?;
        let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
        {
            let rows = self
                .rows
                .get_mapped_range(..)
                .map_err(|e| self.failed(&e))?;
            for row in rows.chunks_exact(self.stride as usize) {
                pixels.extend_from_slice(&row[..width as usize * 4]);
            }
        }
        self.rows.unmap();
        Ok(pixels)
    }

    fn failed(&self, error: &dyn std::fmt::Display) -> String {
        match self.gpu.take_fault() {
            Some(fault) => format!("the picture could not be drawn: {error} ({fault})"),
            None => format!("the picture could not be drawn: {error}"),
        }
    }
}
