//! The window with its GPU and its egui state.
use super::gpu::Gpu;
use crate::ui::Preferences;
use std::sync::Arc;
use winit::window::Window;

/// Everything that exists only while the window does.
pub(super) struct Shell {
    pub(super) window: Arc<Window>,
    /// Scale factor of the screen, pixels per point.
    pub(super) scale: f64,
    pub(super) gpu: Gpu,
    pub(super) egui: egui_winit::State,
    /// Rectangle of the 3-D view, points; None while a panel covers it.
    pub(super) picture: Option<egui::Rect>,
    /// Position of the pointer, pixels.
    pub(super) pointer: winit::dpi::PhysicalPosition<f64>,
    pub(super) occluded: bool,
    /// The captured pointer is only confined, and must be moved back to the centre.
    pub(super) recentre: bool,
}

impl Shell {
    /// Scales the panels, relative to the screen's scale factor.
    pub(super) fn scale_panels(&self, wanted: f64) {
        // On X11 a window keeps its old scale factor until it is moved, and pointer events use it; the rest is zoom.
        let rest = self.scale / self.window.scale_factor();
        let zoom = (wanted * rest) as f32;
        self.egui.egui_ctx().set_zoom_factor(zoom);
    }
}

/// A new egui state with our theme.
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
