//! The window's surface: made, resized, lost, made again. Everything here can be rebuilt from the world at any time.
use crate::render::{self, DrawStats, Quality, Renderer, Textures};
use crate::timing::{Marker, Recorder, Stage};
use crate::ui::{Detail, Vsync};
use crate::view::Snapshot;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// What works where nothing can be drawn.
const WITHOUT: &str =
    "without one, `breach soak`, `replay`, `check`, `query` and `export` work all the same";

/// The surface, the device and both renderers.
pub struct Gpu {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    found: render::gpu::Gpu,
    config: wgpu::SurfaceConfiguration,
    /// The panels are drawn in gamma space where the surface allows it: that is what egui's colours mean.
    panel_format: wgpu::TextureFormat,
    panels: egui_wgpu::Renderer,
    renderer: Renderer,
    /// What the renderer was made for.
    detail: Detail,
    /// The world's picture, where it is not the whole window.
    inset: Inset,
    lost: Arc<AtomicBool>,
    surface_lost: bool,
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

/// What a driver may take away.
pub enum Loss {
    /// The window's surface.
    Surface,
    /// The device, and all that is on it.
    Device,
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
    pub fn new(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        detail: Detail,
    ) -> Result<Self, String> {
        let descriptor =
            wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display)).with_env();
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window.clone());
        let surface =
            surface.map_err(|e| format!("{}; {WITHOUT} ({e})", render::gpu::NO_ADAPTER))?;
        let found = render::gpu::request(&instance, Some(&surface))
            .map_err(|e| format!("{e}; {WITHOUT}"))?;
        let lost = Arc::new(AtomicBool::new(false));
        let flag = lost.clone();
        // Dropping this one on purpose says so as well, but then nobody looks any more.
        found
            .device
            .set_device_lost_callback(move |_, _| flag.store(true, Ordering::Relaxed));
        let adapter = &found.adapter;

        let size = window.inner_size();
        let mut config = surface
            .get_default_config(adapter, size.width.max(1), size.height.max(1))
            .ok_or("the graphics adapter cannot draw to this window")?;
        let formats = surface.get_capabilities(adapter).formats;
        if let Some(&format) = formats.iter().find(|f| f.is_srgb()) {
            config.format = format;
        }
        let linear_view = config.format.remove_srgb_suffix();
        let views = wgpu::DownlevelFlags::SURFACE_VIEW_FORMATS;
        let mut panel_format = config.format;
        if linear_view != config.format
            && adapter.get_downlevel_capabilities().flags.contains(views)
        {
            config.view_formats.push(linear_view);
            panel_format = linear_view;
        }
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let (device, queue) = (&found.device, &found.queue);
        let panels =
            egui_wgpu::Renderer::new(device, panel_format, egui_wgpu::RendererOptions::default());
        let quality = quality(detail, found.software);
        let renderer = Renderer::new(device, queue, config.format, quality);
        let mut gpu = Self {
            window,
            instance,
            surface,
            config,
            panel_format,
            panels,
            renderer,
            detail,
            inset: Inset::default(),
            lost,
            surface_lost: false,
            found,
            configured: false,
        };
        gpu.resize();
        Ok(gpu)
    }

    /// Largest side of a texture, for egui's fonts.
    pub fn max_texture_side(&self) -> usize {
        self.found.device.limits().max_texture_dimension_2d as usize
    }

    /// Name of the adapter and its driver.
    pub fn adapter(&self) -> String {
        let info = self.found.adapter.get_info();
        format!(
            "{} ({:?}, {} {})",
            info.name, info.backend, info.driver, info.driver_info
        )
    }

    /// Pixels of the world's picture as it was drawn last, before it was stretched.
    pub fn picture_size(&self) -> [u32; 2] {
        self.renderer.size()
    }

    /// A CPU plays the graphics card.
    pub fn software(&self) -> bool {
        self.found.software
    }

    /// The driver's words about the first drawing fault since the last call. A fault costs a picture, never the
    /// program.
    pub fn take_fault(&self) -> Option<String> {
        self.found.take_fault()
    }

    /// Takes changed shaders over; see [`Renderer::reload`].
    pub fn reload(&mut self) -> Result<(), String> {
        self.renderer.reload(&self.found.device)
    }

    /// How pictures wait for the screen from now on.
    pub fn set_vsync(&mut self, vsync: Vsync) {
        let modes = self
            .surface
            .get_capabilities(&self.found.adapter)
            .present_modes;
        let mode = present_mode(vsync, &modes);
        if mode != self.config.present_mode {
            self.config.present_mode = mode;
            // Before the next picture.
            self.configured = false;
        }
    }

    /// How much is drawn from now on. Another renderer knows no pictures of textures yet.
    pub fn set_detail(&mut self, detail: Detail) {
        if detail == self.detail {
            return;
        }
        let [old, new] = [self.detail, detail].map(|d| quality(d, self.found.software));
        if new != old {
            let (device, queue) = (&self.found.device, &self.found.queue);
            self.renderer = Renderer::new(device, queue, self.config.format, new);
        }
        self.detail = detail;
        self.measure_again();
    }

    /// What will be drawn is other than before: how many pixels that may have is found out anew.
    pub fn measure_again(&mut self) {
        self.inset = Inset::default();
    }

    /// Shows these pictures of textures from now on; costs nothing where it does already.
    pub fn show_textures(&mut self, textures: &Arc<Textures>) {
        self.renderer.show_textures(&self.found.device, textures);
    }

    /// How long the card took for each of [`render::PASSES`] in the newest frame that is known, milliseconds. None
    /// where it cannot tell.
    pub fn pass_ms(&mut self) -> Option<[f32; render::PASSES.len()]> {
        self.renderer.gpu_ms()
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
        let most = self.found.device.limits().max_texture_dimension_2d;
        self.config.width = size.width.min(most);
        self.config.height = size.height.min(most);
        self.surface.configure(&self.found.device, &self.config);
        self.configured = true;
    }

    /// Loses something on purpose, as a driver may at any time.
    pub fn lose(&mut self, loss: Loss) {
        match loss {
            Loss::Surface => self.surface_lost = true,
            Loss::Device => self.found.device.destroy(),
        }
    }

    /// The next picture to draw to. Mends what can be mended, once; never loops.
    pub fn acquire(&mut self) -> Acquired {
        // A device tells that it is lost when it is polled, and where no picture comes nothing else polls it.
        let is_polled = self.found.device.poll(wgpu::PollType::Poll).is_ok();
        if !is_polled || self.lost.load(Ordering::Relaxed) {
            return Acquired::Lost;
        }
        if !self.configured {
            self.resize();
            if !self.configured {
                return Acquired::Skip;
            }
        }
        use wgpu::CurrentSurfaceTexture as Current;
        let current = match std::mem::take(&mut self.surface_lost) {
            true => Current::Lost,
            false => self.surface.get_current_texture(),
        };
        match current {
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

    /// Draws the world into `part` of the window (left, top, width, height, pixels), then the panels, and shows the
    /// picture.
    pub fn draw(
        &mut self,
        texture: wgpu::SurfaceTexture,
        world: Option<(&Snapshot, [u32; 4])>,
        mut panels: PanelFrame,
        recorder: &mut Recorder,
    ) -> DrawStats {
        let size = [texture.texture.width(), texture.texture.height()];
        let target = texture
            .texture
            .create_view(&wgpu::TextureViewDescriptor::default());
        let panel_target = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.panel_format),
            ..Default::default()
        });
        let device = &self.found.device;
        let queue = &self.found.queue;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut stats = DrawStats::default();
        let world = world.map(|(snapshot, part)| (snapshot, within(part, size)));
        let world = world.filter(|(_, [.., width, height])| *width > 0 && *height > 0);
        let is_whole = world.is_some_and(|(_, part)| part == [0, 0, size[0], size[1]]);
        if let Some((snapshot, part)) = world {
            recorder.begin(Stage::Upload);
            let uploaded = self.renderer.upload(device, queue, snapshot);
            recorder.end(Stage::Upload);
            recorder.begin(Stage::Draw);
            stats = if is_whole && self.inset.divisor == 1 {
                let renderer = &mut self.renderer;
                renderer.draw(device, queue, &mut encoder, &target, size, snapshot)
            } else {
                let format = self.config.format;
                let (small, small_size) = self.inset.target(device, format, [part[2], part[3]]);
                let renderer = &mut self.renderer;
                let stats =
                    renderer.draw(device, queue, &mut encoder, &small, small_size, snapshot);
                self.inset
                    .stretch(device, &mut encoder, format, &small, &target, part);
                stats
            };
            stats.rooms_uploaded = uploaded.rooms_uploaded;
            recorder.end(Stage::Draw);
        }
        recorder.begin(Stage::Panel);
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: size,
            pixels_per_point: panels.pixels_per_point,
        };
        for (id, deltas) in panels.textures.set.drain() {
            for delta in deltas {
                self.panels
                    .update_texture(&self.found.device, &self.found.queue, id, &delta);
            }
        }
        let before = self.panels.update_buffers(
            &self.found.device,
            &self.found.queue,
            &mut encoder,
            &panels.primitives,
            &screen,
        );
        // Without a level nothing has cleared the picture yet.
        let load = if world.is_some() {
            wgpu::LoadOp::Load
        } else {
            wgpu::LoadOp::Clear(EMPTY)
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &panel_target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        let mut pass = pass.forget_lifetime();
        self.panels.render(&mut pass, &panels.primitives, &screen);
        drop(pass);
        if world.is_some() {
            self.renderer.finish(&mut encoder);
        }
        recorder.end(Stage::Panel);
        recorder.begin(Stage::Draw);
        self.found
            .queue
            .submit(before.into_iter().chain([encoder.finish()]));
        self.renderer.submitted();
        for id in panels.textures.free.drain() {
            self.panels.free_texture(&id);
        }
        self.window.pre_present_notify();
        self.found.queue.present(texture);
        recorder.end(Stage::Draw);
        if self.found.software && self.detail != Detail::Full && world.is_some() {
            self.inset.watch();
        }
        stats
    }
}

/// The surface's word for it, of those that it knows: a list that lacks one would make it fail.
fn present_mode(vsync: Vsync, known: &[wgpu::PresentMode]) -> wgpu::PresentMode {
    let newest = wgpu::PresentMode::Mailbox;
    match vsync {
        Vsync::Off => wgpu::PresentMode::AutoNoVsync,
        Vsync::Newest if known.contains(&newest) => newest,
        Vsync::Newest | Vsync::On => wgpu::PresentMode::AutoVsync,
    }
}

/// What the settings' word for it comes to.
fn quality(detail: Detail, is_software: bool) -> Quality {
    match detail {
        Detail::Full => Quality::PICTURE,
        Detail::Auto if !is_software => Quality::PICTURE,
        Detail::Auto | Detail::Fast => Quality::FAST,
    }
}

/// What of a part lies within the window.
fn within([left, top, width, height]: [u32; 4], size: [u32; 2]) -> [u32; 4] {
    let (left, top) = (left.min(size[0]), top.min(size[1]));
    [
        left,
        top,
        width.min(size[0] - left),
        height.min(size[1] - top),
    ]
}

/// The world's picture in a part of the window. On a CPU it is drawn smaller when it would take too long, and stretched,
/// unless every pixel is asked for.
struct Inset {
    /// Pixels of the window to one pixel drawn, along each axis.
    divisor: u32,
    frames: u32,
    since: Instant,
    copier: Option<Copier>,
    texture: Option<wgpu::Texture>,
}

impl Default for Inset {
    fn default() -> Self {
        Self {
            divisor: 1,
            frames: 0,
            since: Instant::now(),
            copier: None,
            texture: None,
        }
    }
}

impl Inset {
    /// Counts frames: where five of them take longer than this, fewer pixels are drawn from now on.
    fn watch(&mut self) {
        const FRAMES: u32 = 5;
        const SECS_MAX: [f64; 2] = [0.6, 2.0];
        self.frames += 1;
        // The first frame bakes materials: it says nothing about the next ones.
        if self.frames % FRAMES == 1 {
            let secs = self.since.elapsed().as_secs_f64();
            let most = SECS_MAX.get(self.divisor as usize - 1);
            if self.frames > FRAMES && most.is_some_and(|&most| secs > most) {
                self.divisor += 1;
                self.frames = 0;
            }
            self.since = Instant::now();
        }
    }

    /// The small picture and its size.
    fn target(
        &mut self,
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        size: [u32; 2],
    ) -> (wgpu::TextureView, [u32; 2]) {
        let small = size.map(|side| side.div_ceil(self.divisor).max(1));
        let texture = self
            .texture
            .take()
            .filter(|t| [t.width(), t.height()] == small);
        let texture = texture.unwrap_or_else(|| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("inset"),
                size: wgpu::Extent3d {
                    width: small[0],
                    height: small[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.texture = Some(texture);
        (view, small)
    }

    /// Stretches the small picture over a part of the window; what lies around it is cleared.
    fn stretch(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        format: wgpu::TextureFormat,
        small: &wgpu::TextureView,
        window: &wgpu::TextureView,
        part: [u32; 4],
    ) {
        let copier = self
            .copier
            .get_or_insert_with(|| Copier::new(device, format));
        copier.copy(device, encoder, small, window, part);
    }
}

/// Copies a picture into a part of another, stretched.
struct Copier {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
}

impl Copier {
    fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("inset"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../../shaders/inset.wgsl").into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("inset"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { pipeline, sampler }
    }

    fn copy(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        from: &wgpu::TextureView,
        to: &wgpu::TextureView,
        [left, top, width, height]: [u32; 4],
    ) {
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("inset"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(from),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&self.sampler),
                },
            ],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("inset"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: to,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(EMPTY),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        let [x, y, w, h] = [left, top, width, height].map(|side| side as f32);
        pass.set_viewport(x, y, w, h, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// The background before a level is open.
const EMPTY: wgpu::Color = wgpu::Color {
    r: 0.035,
    g: 0.039,
    b: 0.05,
    a: 1.0,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_of_waiting_that_the_surface_does_not_know_is_never_asked_for() {
        use wgpu::PresentMode::{AutoNoVsync, AutoVsync, Fifo, Mailbox};
        assert_eq!(present_mode(Vsync::On, &[Fifo, Mailbox]), AutoVsync);
        assert_eq!(present_mode(Vsync::Newest, &[Fifo, Mailbox]), Mailbox);
        assert_eq!(present_mode(Vsync::Newest, &[Fifo]), AutoVsync);
        assert_eq!(present_mode(Vsync::Off, &[Fifo]), AutoNoVsync);
    }

    #[test]
    fn everything_is_drawn_by_a_card_and_less_by_a_processor_but_who_chooses_decides() {
        for is_software in [false, true] {
            assert_eq!(quality(Detail::Full, is_software), Quality::PICTURE);
            assert_eq!(quality(Detail::Fast, is_software), Quality::FAST);
        }
        assert_eq!(quality(Detail::Auto, false), Quality::PICTURE);
        assert_eq!(quality(Detail::Auto, true), Quality::FAST);
    }

    #[test]
    fn a_part_that_sticks_out_of_the_window_is_cut_and_one_beside_it_is_empty() {
        assert_eq!(within([10, 20, 100, 100], [50, 60]), [10, 20, 40, 40]);
        assert_eq!(within([70, 0, 5, 5], [50, 60]), [50, 0, 0, 5]);
        assert_eq!(within([0, 0, 9, 9], [0, 0]), [0, 0, 0, 0]);
    }
}
