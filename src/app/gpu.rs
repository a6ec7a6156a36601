//! The window's surface: made, resized, lost, made again. Everything here can be rebuilt from the world at any time.
use crate::render::{DrawStats, Renderer};
use crate::timing::{Marker, Recorder, Stage};
use crate::view::Snapshot;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// What to install or run instead, for every error about a missing driver.
const NO_ADAPTER: &str = "no graphics adapter was found. On Debian and Ubuntu: apt install libvulkan1 \
mesa-vulkan-drivers (software Vulkan is enough); elsewhere install the driver of your graphics card. \
Without one, `breach soak`, `replay`, `check`, `query` and `export` work all the same";

/// The surface, the device and both renderers.
pub struct Gpu {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    device: wgpu::Device,
    queue: wgpu::Queue,
    config: wgpu::SurfaceConfiguration,
    /// The panels are drawn in gamma space where the surface allows it: that is what egui's colours mean.
    panel_format: wgpu::TextureFormat,
    panels: egui_wgpu::Renderer,
    renderer: Renderer,
    lost: Arc<AtomicBool>,
    /// A CPU plays the graphics card.
    pub software: bool,
    configured: bool,
}

/// One frame's panels, as egui made them.
#[derive(Default)]
pub struct PanelFrame {
    /// Tessellated shapes.
    pub primitives: Vec<egui::ClippedPrimitive>,
    /// Fonts and pictures that changed.
    pub textures: egui::TexturesDelta,
    /// Pixels in a point.
    pub pixels_per_point: f32,
}

/// Whether a picture can be drawn now.
pub enum Acquired {
    /// Draw to it and hand it to [`Gpu::draw`].
    Frame(wgpu::SurfaceTexture),
    /// Not now (minimised, covered, resized a moment ago): try at the next frame.
    Skip,
    /// The device is gone: make a new [`Gpu`].
    Lost,
}

impl Gpu {
    /// Finds an adapter for the window and makes everything. The error says what to install.
    pub fn new(window: Arc<Window>, display: OwnedDisplayHandle) -> Result<Self, String> {
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display)).with_env();
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window.clone()).map_err(|e| format!("{NO_ADAPTER} ({e})"))?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..Default::default()
        }))
        .map_err(|e| format!("{NO_ADAPTER} ({e})"))?;
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("breach"),
            required_limits: wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits()),
            ..Default::default()
        }))
        .map_err(|e| format!("the graphics adapter {} refused: {e}", info.name))?;
        let lost = Arc::new(AtomicBool::new(false));
        let flag = lost.clone();
        device.set_device_lost_callback(move |reason, _| {
            // A device that we drop ourselves is not lost.
            if reason != wgpu::DeviceLostReason::Destroyed {
                flag.store(true, Ordering::Relaxed);
            }
        });
        // A drawing fault costs a picture, never the program: the level and its recording live on.
        device.on_uncaptured_error(Arc::new(|error| eprintln!("graphics: {error}")));

        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or_else(|| format!("the graphics adapter {} cannot draw to this window", info.name))?;
        let formats = surface.get_capabilities(&adapter).formats;
        if let Some(&format) = formats.iter().find(|f| f.is_srgb()) {
            config.format = format;
        }
        let linear_view = config.format.remove_srgb_suffix();
        let views = wgpu::DownlevelFlags::SURFACE_VIEW_FORMATS;
        let mut panel_format = config.format;
        if linear_view != config.format && adapter.get_downlevel_capabilities().flags.contains(views) {
            config.view_formats.push(linear_view);
            panel_format = linear_view;
        }
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let panels = egui_wgpu::Renderer::new(&device, panel_format, egui_wgpu::RendererOptions::default());
        let renderer = Renderer::new(&device, &queue, config.format);
        let mut gpu = Self {
            window,
            instance,
            surface,
            config,
            panel_format,
            panels,
            renderer,
            lost,
            software: info.device_type == wgpu::DeviceType::Cpu,
            configured: false,
            device,
            queue,
        };
        gpu.resize();
        Ok(gpu)
    }

    /// Largest side of a texture, for egui's fonts.
    pub fn max_texture_side(&self) -> usize {
        self.device.limits().max_texture_dimension_2d as usize
    }

    /// The picture's size in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Follows the window's size. A minimised window has none and is left alone.
    pub fn resize(&mut self) {
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            self.configured = false;
            return;
        }
        let most = self.device.limits().max_texture_dimension_2d;
        self.config.width = size.width.min(most);
        self.config.height = size.height.min(most);
        self.surface.configure(&self.device, &self.config);
        self.configured = true;
    }

    /// The next picture to draw to. Mends what can be mended, once; never loops.
    pub fn acquire(&mut self) -> Acquired {
        if self.lost.load(Ordering::Relaxed) {
            return Acquired::Lost;
        }
        if !self.configured {
            self.resize();
            if !self.configured {
                return Acquired::Skip;
            }
        }
        use wgpu::CurrentSurfaceTexture as Current;
        match self.surface.get_current_texture() {
            Current::Success(texture) => Acquired::Frame(texture),
            Current::Suboptimal(texture) => {
                // Still good to draw to; the next frame starts with a fresh configuration.
                self.configured = false;
                Acquired::Frame(texture)
            }
            Current::Timeout | Current::Occluded | Current::Validation => Acquired::Skip,
            Current::Outdated => {
                self.resize();
                Acquired::Skip
            }
            Current::Lost => {
                match self.instance.create_surface(self.window.clone()) {
                    Ok(surface) => self.surface = surface,
                    Err(_) => return Acquired::Lost,
                }
                self.resize();
                Acquired::Skip
            }
        }
    }

    /// Draws the world, then the panels, and shows the picture.
    pub fn draw(
        &mut self,
        texture: wgpu::SurfaceTexture,
        snapshot: Option<&Snapshot>,
        mut panels: PanelFrame,
        recorder: &mut Recorder,
    ) -> DrawStats {
        let size = [texture.texture.width(), texture.texture.height()];
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let panel_target = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.panel_format),
            ..Default::default()
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut stats = DrawStats::default();
        if let Some(snapshot) = snapshot {
            recorder.begin(Stage::Upload);
            let uploaded = self.renderer.upload(&self.device, &self.queue, snapshot);
            recorder.end(Stage::Upload);
            recorder.begin(Stage::Draw);
            stats = self.renderer.draw(&self.device, &self.queue, &mut encoder, &target, size, snapshot);
            stats.rooms_uploaded = uploaded.rooms_uploaded;
            recorder.end(Stage::Draw);
        }
        recorder.begin(Stage::Panel);
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point: panels.pixels_per_point };
        for (id, deltas) in panels.textures.set.drain() {
            for delta in deltas {
                self.panels.update_texture(&self.device, &self.queue, id, &delta);
            }
        }
        let before =
            self.panels.update_buffers(&self.device, &self.queue, &mut encoder, &panels.primitives, &screen);
        // Without a level nothing has cleared the picture yet.
        let load = if snapshot.is_some() { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(EMPTY) };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &panel_target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        let mut pass = pass.forget_lifetime();
        self.panels.render(&mut pass, &panels.primitives, &screen);
        drop(pass);
        recorder.end(Stage::Panel);
        recorder.begin(Stage::Draw);
        self.queue.submit(before.into_iter().chain([encoder.finish()]));
        for id in panels.textures.free.drain() {
            self.panels.free_texture(&id);
        }
        self.window.pre_present_notify();
        self.queue.present(texture);
        recorder.end(Stage::Draw);
        stats
    }
}

/// The background before a level is open.
const EMPTY: wgpu::Color = wgpu::Color { r: 0.035, g: 0.039, b: 0.05, a: 1.0 };
