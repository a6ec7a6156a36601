//! The window's surface: made, resized, lost, made again. Everything here can be rebuilt from the world at any time.
use super::Waker;
use super::inset::Inset;
use super::layer::{self, LayerShape, PanelLayer};
use super::presenter::Presenter;
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
    /// Where a processor draws. Before the surface, which goes after its last picture.
    presenter: Option<Presenter>,
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
    /// Where a processor draws and the window takes copies: what the panels looked like last.
    layer: Option<PanelLayer>,
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
        let usages = surface.get_capabilities(adapter).usages;
        let takes_copies = usages.contains(wgpu::TextureUsages::COPY_DST);
        let layer = (found.software && takes_copies).then(PanelLayer::default);
        if layer.is_some() {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        let (device, queue) = (&found.device, &found.queue);
        let panels =
            egui_wgpu::Renderer::new(device, panel_format, egui_wgpu::RendererOptions::default());
        let quality = quality(detail, found.software);
        let renderer = Renderer::new(device, queue, config.format, quality);
        // A Mac shows pictures from the main thread alone.
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
            inset: Inset::default(),
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
        self.inset.measure_again();
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

    /// The last picture is still being drawn: there is no other yet.
    pub fn is_presenting(&self) -> bool {
        self.presenter.as_ref().is_some_and(Presenter::is_busy)
    }

    /// Until no picture is on the way: what it is drawn to may be changed.
    fn wait_for_picture(&self) {
        if let Some(presenter) = &self.presenter {
            presenter.wait();
        }
    }

    /// Follows the window's size. A minimised window has none and is left alone.
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

    /// Loses something on purpose, as a driver may at any time.
    pub fn lose(&mut self, loss: Loss) {
        match loss {
            Loss::Surface => self.surface_lost = true,
            Loss::Device => self.found.device.destroy(),
        }
    }

    /// The next picture to draw to. Mends what can be mended, once; never loops.
    pub fn acquire(&mut self) -> Acquired {
        self.wait_for_picture();
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
        if let (true, Some(kept)) = (is_kept, self.layer.as_ref().and_then(PanelLayer::texture)) {
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
                true => self.inset.size(place),
                false => place,
            };
            stats = if is_whole && picture_size == place {
                let renderer = &mut self.renderer;
                renderer.draw(device, queue, &mut encoder, &target, (size, None), snapshot)
            } else {
                let format = self.config.format;
                let picture = self.inset.target(device, format, picture_size);
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
                self.inset
                    .stretch(device, &mut encoder, format, views, part, is_kept);
                self.renderer.draw_over(&mut encoder, &target, part);
                stats
            };
            stats.rooms_uploaded = uploaded.rooms_uploaded;
            recorder.end(Stage::Draw);
        }
        recorder.begin(Stage::Panel);
        // Without a level nothing has cleared the picture yet.
        let load = if world.is_some() {
            wgpu::LoadOp::Load
        } else {
            wgpu::LoadOp::Clear(EMPTY)
        };
        // What is kept shows all but what stands over the picture.
        let over = part.filter(|_| is_kept).map(|part| {
            let part = points(part, panels.pixels_per_point);
            layer::within(&panels.primitives, part)
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
            self.inset.watch(ms, [part[2], part[3]]);
        }
        stats
    }

    /// The number of pixels of the world's picture follows the time that it takes.
    fn is_paced(&self) -> bool {
        self.found.software && self.detail != Detail::Full
    }

    /// Takes the fonts and pictures that changed; those that look otherwise where they are drawn already come back.
    fn take_textures(&mut self, panels: &mut PanelFrame) -> Vec<egui::TextureId> {
        let mut fresh = Vec::new();
        for (id, deltas) in panels.textures.set.drain() {
            // Letters are added to those of before.
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

    /// Draws what changed of the panels outside of the world's picture, where they are kept.
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
        let shape = LayerShape {
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
            // By itself: the buffers of shapes are written again for those over the picture.
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

/// A part of the window, pixels, in points.
fn points([left, top, width, height]: [u32; 4], pixels_per_point: f32) -> egui::Rect {
    let [left, top, width, height] = [left, top, width, height].map(|side| side as f32);
    let (min, size) = (egui::pos2(left, top), egui::vec2(width, height));
    egui::Rect::from_min_size(min, size) / pixels_per_point
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

/// The background before a level is open.
pub(super) const EMPTY: wgpu::Color = wgpu::Color {
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
