//! The window with its graphics card and its panels.
use super::gpu::Gpu;
use super::{App, desktop};
use crate::ui::Preferences;
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

/// The window's size at the start, points.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 720.0);

/// What exists once the window does.
pub(super) struct Shell {
    pub(super) window: Arc<Window>,
    /// Of the screen: pixels to a point.
    pub(super) scale: f64,
    pub(super) gpu: Gpu,
    pub(super) egui: egui_winit::State,
    /// Where the picture is in the window, points; None while a panel covers it.
    pub(super) picture: Option<egui::Rect>,
    /// Where the pointer is, pixels.
    pub(super) pointer: winit::dpi::PhysicalPosition<f64>,
    pub(super) occluded: bool,
    /// The pointer is only confined while captured, and has to be brought back to the middle.
    pub(super) recentre: bool,
}

impl Shell {
    /// Makes panels so many times as large as is usual on the window's screen.
    pub(super) fn scale_panels(&self, wanted: f64) {
        // On X11 a window has the scale of before until it is moved, and the pointer goes by that: the rest is zoom.
        let rest = self.scale / self.window.scale_factor();
        let zoom = (wanted * rest) as f32;
        self.egui.egui_ctx().set_zoom_factor(zoom);
    }
}

/// A fresh egui with our looks, for a window and its GPU.
pub(super) fn make_egui(
    window: &Window,
    gpu: &Gpu,
    preferences: &Preferences,
) -> egui_winit::State {
    let ctx = egui::Context::default();
    crate::ui::apply_theme(&ctx, preferences.palette);
    let scale = Some(window.scale_factor() as f32);
    let side = Some(gpu.max_texture_side());
    egui_winit::State::new(
        ctx,
        egui::ViewportId::ROOT,
        window,
        scale,
        window.theme(),
        side,
    )
}

impl App {
    /// Makes the window, and the first picture in it.
    pub(super) fn open_window(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.is_some() {
            return;
        }
        match self.make_shell(event_loop) {
            Ok(shell) => {
                let window = shell.window.clone();
                self.shell = Some(shell);
                self.prefer_pictures();
                self.last_frame = Instant::now();
                self.frame(event_loop);
                window.set_visible(true);
            }
            Err(why) => {
                self.fatal = Some(why);
                event_loop.exit();
            }
        }
    }

    fn make_shell(&mut self, event_loop: &ActiveEventLoop) -> Result<Shell, String> {
        // Hidden until the first picture is drawn: no white flash.
        let attributes = Window::default_attributes()
            .with_title("Breach")
            .with_visible(false)
            .with_inner_size(SIZE)
            .with_min_inner_size(LogicalSize::new(640.0, 400.0));
        let attributes = match &self.bench {
            Some(bench) => attributes.with_inner_size(PhysicalSize::<u32>::from(bench.size())),
            None => attributes,
        };
        let attributes = desktop::named(attributes);
        let window = event_loop
            .create_window(attributes)
            .map_err(|e| format!("no window: {e}"))?;
        let window = Arc::new(window);
        let display = event_loop.owned_display_handle();
        let gpu = Gpu::new(
            window.clone(),
            display,
            self.preferences.detail,
            self.presented.clone(),
        )?;
        let egui = make_egui(&window, &gpu, &self.preferences);
        let shell = Shell {
            scale: window.scale_factor(),
            window,
            gpu,
            egui,
            picture: Some(egui::Rect::EVERYTHING),
            pointer: Default::default(),
            occluded: false,
            recentre: false,
        };
        shell.scale_panels(self.preferences.scale);
        Ok(shell)
    }
}
