//! What the hands do: camera, time, rockets, Carve and Fill.
use super::{CameraMode, Shown, UiAction, theme};
use crate::sim::ToolShape;
use egui::RichText;

/// Camera, time, rockets, Carve and Fill.
pub struct ToolsPanel {
    /// What Carve and Fill use.
    pub shape: ToolShape,
    /// Edge length or diameter, metres.
    pub size: f64,
    /// How deep it reaches, metres.
    pub depth: f64,
}

impl Default for ToolsPanel {
    fn default() -> Self {
        Self {
            shape: ToolShape::Box,
            size: 1.0,
            depth: 0.5,
        }
    }
}

impl ToolsPanel {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        camera_and_time(ui, shown, actions);
        rockets(ui, shown, actions);
        self.carve_and_fill(ui, shown, actions);
        crumbs(ui, shown, actions);
    }

    fn carve_and_fill(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let Self { shape, size, depth } = self;
        theme::section(ui, "CARVE AND FILL");
        theme::row(ui, "shape", "What is cut out or put in (B).", |ui| {
            ui.selectable_value(shape, ToolShape::Box, "Box")
                .on_hover_text("A cube turned to the surface.");
            ui.selectable_value(shape, ToolShape::Ball, "Ball")
                .on_hover_text("A faceted ball.");
        });
        let tip = "Edge of the box or diameter of the ball, metres.";
        theme::row(ui, "size", tip, |ui| {
            ui.add(
                egui::Slider::new(size, 0.05..=10.0)
                    .logarithmic(true)
                    .suffix(" m")
                    .max_decimals(2),
            )
            .on_hover_text(tip);
        });
        let tip = "How deep it reaches into the surface, metres.";
        theme::row(ui, "depth", tip, |ui| {
            ui.add(
                egui::Slider::new(depth, 0.02..=10.0)
                    .logarithmic(true)
                    .suffix(" m")
                    .max_decimals(2),
            )
            .on_hover_text(tip);
        });
        ui.horizontal(|ui| {
            let wide = egui::vec2((ui.available_width() - 6.0) / 2.0, 22.0);
            let carve = ui.add_enabled(shown.open, egui::Button::new("Carve").min_size(wide));
            if carve
                .on_hover_text("Cut the shape out of the face under the crosshair (C).")
                .clicked()
            {
                actions.push(UiAction::Carve);
            }
            let fill = ui.add_enabled(shown.open, egui::Button::new("Fill").min_size(wide));
            if fill
                .on_hover_text("Put the shape onto the face under the crosshair as solid (V).")
                .clicked()
            {
                actions.push(UiAction::Fill);
            }
        });
        for (label, tip, ms) in [
            (
                "it took",
                "The last carve or fill, all of it.",
                shown.chip.map(|c| c.ms),
            ),
            (
                "of it trees",
                "The rebuild of the box trees in it.",
                shown.chip.map(|c| c.rebuild_ms),
            ),
        ] {
            theme::row(ui, label, tip, |ui| {
                let text = ms.map_or("–".into(), |ms| format!("{ms:.2} ms"));
                ui.label(RichText::new(text).monospace()).on_hover_text(tip);
            });
        }
    }
}

fn camera_and_time(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    theme::section(ui, "CAMERA AND TIME");
    theme::row(ui, "camera", "How the eye moves (F, N).", |ui| {
        for (mode, name, tip) in [
            (CameraMode::Walk, "Walk", "Gravity, steps and jumps (F)."),
            (CameraMode::Fly, "Fly", "Free flight; walls stop it (F)."),
            (
                CameraMode::NoClip,
                "No-clip",
                "Free flight through walls (N).",
            ),
        ] {
            if ui
                .selectable_label(shown.camera == mode, name)
                .on_hover_text(tip)
                .clicked()
            {
                actions.push(UiAction::Camera(mode));
            }
        }
    });
    theme::row(ui, "time", "Pause, single steps, slow motion.", |ui| {
        let pause = ui.selectable_label(shown.paused, "Pause");
        if pause
            .on_hover_text("Stop the world (P). A change made meanwhile takes one step.")
            .clicked()
        {
            actions.push(UiAction::Pause(!shown.paused));
        }
        let step = ui.add_enabled(shown.paused, egui::Button::new("Step"));
        if step
            .on_hover_text("One tick, 1/60 s, while paused (.).")
            .clicked()
        {
            actions.push(UiAction::Step);
        }
        if ui
            .selectable_label(shown.slow, "Slow")
            .on_hover_text("A fifth of the speed (L).")
            .clicked()
        {
            actions.push(UiAction::Slow(!shown.slow));
        }
    });
}

fn rockets(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    theme::section(ui, "ROCKET");
    let mut settings = shown.settings.clone();
    let tip = "Radius of the blast, metres (wheel, [ and ]). Hard walls give less.";
    theme::row(ui, "radius", tip, |ui| {
        let slider = egui::Slider::new(&mut settings.blast_radius, 0.02..=20.0)
            .logarithmic(true)
            .suffix(" m")
            .max_decimals(2);
        ui.add(slider).on_hover_text(tip);
    });
    theme::row(ui, "shape", "How the crater is torn.", |ui| {
        for shape in ["rock", "concrete", "metal"] {
            let tip = format!("A crater as {shape} breaks.");
            if ui
                .selectable_label(settings.blast_shape == shape, shape)
                .on_hover_text(tip)
                .clicked()
            {
                settings.blast_shape = shape.into();
            }
        }
    });
    if settings != *shown.settings {
        actions.push(UiAction::Set(Box::new(settings)));
    }
}

fn crumbs(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    theme::section(ui, "CRUMBS");
    let mut settings = shown.settings.clone();
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.debris, "thrown by carves")
            .on_hover_text("Each carve throws crumbs that fall, bounce and come to rest.");
        if ui
            .add_enabled(shown.open, egui::Button::new("Clear"))
            .on_hover_text("Remove all crumbs.")
            .clicked()
        {
            actions.push(UiAction::ClearDebris);
        }
    });
    let tip = "At most this many at once.";
    theme::row(ui, "at most", tip, |ui| {
        ui.add(egui::Slider::new(&mut settings.max_bodies, 0..=5000).step_by(50.0))
            .on_hover_text(tip);
    });
    let tip = "Metres a second squared, downwards; for crumbs and for walking.";
    theme::row(ui, "gravity", tip, |ui| {
        ui.add(egui::Slider::new(&mut settings.gravity, 0.0..=30.0).max_decimals(2))
            .on_hover_text(tip);
    });
    if settings != *shown.settings {
        actions.push(UiAction::Set(Box::new(settings)));
    }
}
