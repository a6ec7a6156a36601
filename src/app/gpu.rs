//! The window's surface: made, resized, lost, made again. Everything here can be rebuilt from the world at any time.
use super::clear_colour::CLEAR_COLOUR;
use super::dynamic_resolution::DynamicResolution;
use super::panel_cache::{self, CacheFormat, PanelCache};
use super::presenter::Presenter;
use super::wake::Waker;
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
const WITHOUT: &str = "`breach soak`, `replay`, `check`, `query` and `export` work without one";

/// The surface, the device and both renderers.
pub struct Gpu {
    /// With software rendering. Declared before the surface, so that it is dropped first.
    presenter: Option<Presenter>,
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    found: render::gpu::Gpu,
    config: wgpu::SurfaceConfiguration,
    /// The format of the panels: gamma space, as egui expects, if the surface allows it.
    panel_format: wgpu::TextureFormat,
    panels: egui_wgpu::Renderer,
    renderer: Renderer,
    /// The renderer's level of detail.
    detail: Detail,
    /// The 3-D view's target, if it is not the whole window.
    resolution: DynamicResolution,
    /// The cached panels: with software rendering, if the surface supports copies.
    layer: Option<PanelCache>,
    lost: Arc<AtomicBool>,
    surface_lost: bool,
    configured: bool,
}

/// The panels of one frame, as egui's output.
#[derive(Default)]
pub struct PanelFrame {
    /// Tessellated shapes.
    pub primitives: Vec<egui::ClippedPrimitive>,
    /// Changed textures: fonts and images.
    pub textures: egui::TexturesDelta,
    /// Pixels per point.
    pub pixels_per_point: f32,
}

/// What a driver may lose.
pub enum Loss {
    /// The window's surface.
    Surface,
    /// The device with everything on it.
    Device,
}

/// The result of acquiring a frame.
pub enum Acquired {
    /// Pass it to [`Gpu::draw`].
    Frame(wgpu::SurfaceTexture),
    /// Not now (minimised, covered, resized a moment ago): try at the next frame.
    Skip,
    /// The device is gone: make a new [`Gpu`].
    Lost,
}

impl Gpu {
    /// Finds an adapter for the window and creates everything. The error says what to install.
    pub fn new(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        detail: Detail,
        presented: Waker,
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
        // Dropping the device calls this, too, but then nothing reads the flag.
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
        let usages = surface.get_capabilities(adapter).usages;
        let takes_copies = usages.contains(wgpu::TextureUsages::COPY_DST);
        let layer = (found.software && takes_copies).then(PanelCache::default);
        if layer.is_some() {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        let (device, queue) = (&found.device, &found.queue);
        let panels =
            egui_wgpu::Renderer::new(device, panel_format, egui_wgpu::RendererOptions::default());
        let quality = quality(detail, found.software);
        let renderer = Renderer::new(device, queue, config.format, quality);
        // macOS presents on the main thread only.
        let has_presenter = found.software && !cfg!(target_os = "macos");
        let presenter = has_presenter.then(|| Presenter::new(queue.clone(), presented));
        let mut gpu = Self {
            presenter,
            window,
            instance,
            surface,
            config,
            panel_format,
            panels,
            renderer,
            detail,
            resolution: DynamicResolution::default(),
            layer,
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

    /// Resolution of the last 3-D view, before scaling, pixels.
    pub fn picture_size(&self) -> [u32; 2] {
        self.renderer.size()
    }

    /// Rendering is done in software.
    pub fn software(&self) -> bool {
        self.found.software
    }

    /// The driver's message of the first drawing error since the last call. An error costs a frame, never the program.
    pub fn take_fault(&self) -> Option<String> {
        self.found.take_fault()
    }

    /// Reloads changed shaders; see [`Renderer::reload`].
    pub fn reload(&mut self) -> Result<(), String> {
        self.renderer.reload(&self.found.device)
    }

    /// Sets vertical synchronization.
    pub fn set_vsync(&mut self, vsync: Vsync) {
        let modes = self
            .surface
            .get_capabilities(&self.found.adapter)
            .present_modes;
        let mode = present_mode(vsync, &modes);
        if mode != self.config.present_mode {
            self.config.present_mode = mode;
            // Applied before the next frame.
            self.configured = false;
        }
    }

    /// Sets the level of detail. A new renderer has no textures yet.
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

    /// Restarts the dynamic resolution, since something else will be drawn.
    pub fn measure_again(&mut self) {
        self.resolution.measure_again();
    }

    /// Sets the textures of the level; does nothing if they are set already.
    pub fn show_textures(&mut self, textures: &Arc<Textures>) {
        self.renderer.show_textures(&self.found.device, textures);
    }

    /// GPU time of each of [`render::PASSES`] in the newest measured frame, milliseconds; None without timestamps.
    pub fn pass_ms(&mut self) -> Option<[f32; render::PASSES.len()]> {
        self.renderer.gpu_ms()
    }

    /// Size of the surface, pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// The last frame is still being presented.
    pub fn is_presenting(&self) -> bool {
        self.presenter.as_ref().is_some_and(Presenter::is_busy)
    }

    /// Waits until the last frame is presented, so that its surface may change.
    fn wait_for_picture(&self) {
        if let Some(presenter) = &self.presenter {
            presenter.wait();
        }
    }

    /// Adapts to the window's size; ignores a minimised window, which has none.
    pub fn resize(&mut self) {
        self.wait_for_picture();
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

    /// Simulates a loss, which a driver may cause at any time.
    pub fn lose(&mut self, loss: Loss) {
        match loss {
            Loss::Surface => self.surface_lost = true,
            Loss::Device => self.found.device.destroy(),
        }
    }

    /// Acquires the next frame. Tries to recover once; never loops.
    pub fn acquire(&mut self) -> Acquired {
        self.wait_for_picture();
        // A lost device reports it when polled, and without frames nothing else polls it.
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
                // Still usable; the next frame reconfigures the surface.
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

    /// Draws the world into `part` of the window (left, top, width, height, pixels), then the panels, and presents the
    /// frame.
    pub fn draw(
        &mut self,
        texture: wgpu::SurfaceTexture,
        world: Option<(&Snapshot, [u32; 4])>,
        panels: &mut PanelFrame,
        recorder: &mut Recorder,
    ) -> DrawStats {
        let began = Instant::now();
        let size = [texture.texture.width(), texture.texture.height()];
        let target = texture
            .texture
            .create_view(&wgpu::TextureViewDescriptor::default());
        let mut stats = DrawStats::default();
        let world = world.map(|(snapshot, part)| (snapshot, within(part, size)));
        let world = world.filter(|(_, [.., width, height])| *width > 0 && *height > 0);
        let is_whole = world.is_some_and(|(_, part)| part == [0, 0, size[0], size[1]]);
        recorder.begin(Stage::Panel);
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: size,
            pixels_per_point: panels.pixels_per_point,
        };
        let fresh = self.take_textures(panels);
        let part = world.map(|(_, part)| part).filter(|_| !is_whole);
        let is_kept = part.is_some_and(|part| {
            let part = points(part, panels.pixels_per_point);
            self.keep_panels(&texture.texture, &panels.primitives, part, &screen, &fresh)
        });
        recorder.end(Stage::Panel);
        let device = &self.found.device;
        let queue = &self.found.queue;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let (true, Some(kept)) = (is_kept, self.layer.as_ref().and_then(PanelCache::texture)) {
            encoder.copy_texture_to_texture(
                kept.as_image_copy(),
                texture.texture.as_image_copy(),
                texture.texture.size(),
            );
        }
        if let Some((snapshot, part)) = world {
            recorder.begin(Stage::Upload);
            let uploaded = self.renderer.upload(device, queue, snapshot);
            recorder.end(Stage::Upload);
            recorder.begin(Stage::Draw);
            let place = [part[2], part[3]];
            let picture_size = match self.is_paced() {
                true => self.resolution.size(place),
                false => place,
            };
            stats = if is_whole && picture_size == place {
                let renderer = &mut self.renderer;
                renderer.draw(device, queue, &mut encoder, &target, (size, None), snapshot)
            } else {
                let format = self.config.format;
                let picture = self.resolution.target(device, format, picture_size);
                let renderer = &mut self.renderer;
                let over = (picture_size != place).then_some(place);
                let stats = renderer.draw(
                    device,
                    queue,
                    &mut encoder,
                    &picture,
                    (picture_size, over),
                    snapshot,
                );
                let views = [&picture, &target];
                self.resolution
                    .stretch(device, &mut encoder, format, views, part, is_kept);
                self.renderer.draw_over(&mut encoder, &target, part);
                stats
            };
            stats.rooms_uploaded = uploaded.rooms_uploaded;
            recorder.end(Stage::Draw);
        }
        recorder.begin(Stage::Panel);
        // Without a level nothing has cleared the frame yet.
        let load = if world.is_some() {
            wgpu::LoadOp::Load
        } else {
            wgpu::LoadOp::Clear(CLEAR_COLOUR)
        };
        // The cached panels lack only the shapes over the 3-D view.
        let over = part.filter(|_| is_kept).map(|part| {
            let part = points(part, panels.pixels_per_point);
            panel_cache::within(&panels.primitives, part)
        });
        let shapes = over.as_ref().unwrap_or(&panels.primitives);
        let before = self.draw_panels(&mut encoder, &texture.texture, load, shapes, &screen);
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
        let ms = match &self.presenter {
            Some(presenter) => {
                let before = presenter.take_ms();
                presenter.present(texture, began);
                before
            }
            None => {
                self.found.queue.present(texture);
                Some(began.elapsed().as_secs_f64() * 1e3)
            }
        };
        recorder.end(Stage::Draw);
        if let (Some(ms), Some((_, part))) = (ms, world.filter(|_| self.is_paced())) {
            self.resolution.watch(ms, [part[2], part[3]]);
        }
        stats
    }

    /// The resolution of the 3-D view is dynamic.
    fn is_paced(&self) -> bool {
        self.found.software && self.detail != Detail::Full
    }

    /// Uploads changed textures; returns those whose drawn parts changed.
    fn take_textures(&mut self, panels: &mut PanelFrame) -> Vec<egui::TextureId> {
        let mut fresh = Vec::new();
        for (id, deltas) in panels.textures.set.drain() {
            // New glyphs do not change the old ones.
            let adds = id == egui::TextureId::default();
            if !(adds && deltas.iter().all(|delta| delta.pos.is_some())) {
                fresh.push(id);
            }
            for delta in deltas {
                self.panels
                    .update_texture(&self.found.device, &self.found.queue, id, &delta);
            }
        }
        fresh
    }

    /// Updates the cached panels outside of the 3-D view, if there is a cache.
    fn keep_panels(
        &mut self,
        window: &wgpu::Texture,
        primitives: &[egui::ClippedPrimitive],
        picture: egui::Rect,
        screen: &egui_wgpu::ScreenDescriptor,
        fresh: &[egui::TextureId],
    ) -> bool {
        let Some(layer) = &mut self.layer else {
            return false;
        };
        let shape = CacheFormat {
            size: [window.width(), window.height()],
            format: self.config.format,
            view: self.panel_format,
        };
        let place = (picture, screen.pixels_per_point);
        let device = &self.found.device;
        let (texture, again) = layer.follow(device, shape, primitives, place, fresh);
        if !again.is_empty() {
            let mut encoder =
                device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let load = wgpu::LoadOp::Load;
            let before = self.draw_panels(&mut encoder, &texture, load, &again, screen);
            // Submitted separately: the shapes over the 3-D view reuse the buffers.
            self.found
                .queue
                .submit(before.into_iter().chain([encoder.finish()]));
        }
        true
    }

    fn draw_panels(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::Texture,
        load: wgpu::LoadOp<wgpu::Color>,
        shapes: &[egui::ClippedPrimitive],
        screen: &egui_wgpu::ScreenDescriptor,
    ) -> Vec<wgpu::CommandBuffer> {
        let view = target.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.panel_format),
            ..Default::default()
        });
        let (device, queue) = (&self.found.device, &self.found.queue);
        let before = self
            .panels
            .update_buffers(device, queue, encoder, shapes, screen);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
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
        self.panels.render(&mut pass, shapes, screen);
        drop(pass);
        before
    }
}

/// The present mode, among those that the surface supports; an unsupported one would fail.
fn present_mode(vsync: Vsync, known: &[wgpu::PresentMode]) -> wgpu::PresentMode {
    let newest = wgpu::PresentMode::Mailbox;
    match vsync {
        Vsync::Off => wgpu::PresentMode::AutoNoVsync,
        Vsync::Newest if known.contains(&newest) => newest,
        Vsync::Newest | Vsync::On => wgpu::PresentMode::AutoVsync,
    }
}

/// The renderer's quality for a level of detail.
fn quality(detail: Detail, is_software: bool) -> Quality {
    match detail {
        Detail::Full => Quality::PICTURE,
        Detail::Auto if !is_software => Quality::PICTURE,
        Detail::Auto | Detail::Fast => Quality::FAST,
    }
}

/// A part of the window, from pixels to points.
fn points([left, top, width, height]: [u32; 4], pixels_per_point: f32) -> egui::Rect {
    let [left, top, width, height] = [left, top, width, height].map(|side| side as f32);
    let (min, size) = (egui::pos2(left, top), egui::vec2(width, height));
    egui::Rect::from_min_size(min, size) / pixels_per_point
}

/// Clips a part to the window.
fn within([left, top, width, height]: [u32; 4], size: [u32; 2]) -> [u32; 4] {
    let (left, top) = (left.min(size[0]), top.min(size[1]));
    [
        left,
        top,
        width.min(size[0] - left),
        height.min(size[1] - top),
    ]
}

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
