//! Opens the window.
use super::App;
use crate::app::desktop;
use crate::app::gpu::Gpu;
use crate::app::shell::{Shell, make_egui};
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

/// The window's initial size, points.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 720.0);

impl App {
    /// Opens the window and draws the first frame.
    pub(in crate::app) fn open_window(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.is_some() {
            return;
        }
        match self.make_shell(event_loop) {
            Ok(shell) => {
                let window = shell.window.clone();
                self.shell = Some(shell);
                self.prefer_pictures();
                self.prefer_sound();
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
        // Hidden until the first frame is drawn, to avoid a white flash.
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
