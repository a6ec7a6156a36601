//! The tools: each with its key, its crosshair, and its section of the panel.
use super::theme::Tipped;
use super::{KeyCommand, UiCommand, UiState, theme};
use egui::{Painter, Pos2, RichText, Stroke, Vec2};
use strum::VariantArray;

/// What a click does while the mouse is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum ToolKind {
    /// Fires.
    #[default]
    Rocket,
    /// Carves or fills a shape.
    Brush,
    /// Casts a ray.
    Ray,
    /// Sweeps a sphere.
    Sweep,
    /// Marks a point for the line of sight.
    Sight,
    /// Lists the properties of the object under the crosshair.
    Pick,
    /// Carries a body.
    Grab,
    /// Measures from point to point.
    Measure,
}

/// A row of [`TOOLS`].
#[derive(Clone, Copy, Debug)]
pub struct ToolRow {
    /// The tool.
    pub kind: ToolKind,
    /// On its button.
    pub name: &'static str,
    /// Its key.
    pub command: KeyCommand,
    /// What a click does with it.
    pub tip: &'static str,
}

const fn row(
    kind: ToolKind,
    name: &'static str,
    command: KeyCommand,
    tip: &'static str,
) -> ToolRow {
    ToolRow {
        kind,
        name,
        command,
        tip,
    }
}

/// Every tool.
pub const TOOLS: [ToolRow; ToolKind::VARIANTS.len()] = {
    let mut rows = [ToolKind::Rocket.row(); ToolKind::VARIANTS.len()];
    let mut i = 0;
    while i < rows.len() {
        rows[i] = ToolKind::VARIANTS[i].row();
        i += 1;
    }
    rows
};

impl ToolKind {
    /// Its row.
    #[rustfmt::skip] // one row a line: it is read as a table
    pub const fn row(self) -> ToolRow {
        match self {
            ToolKind::Rocket => row(self, "Rocket", KeyCommand::ToolRocket, "Click to fire what is selected below: a rocket, grenade, drill or ball."),
            ToolKind::Brush => row(self, "Brush", KeyCommand::ToolBrush, "Click to carve or fill the shape at the face under the crosshair."),
            ToolKind::Ray => row(self, "Ray", KeyCommand::ToolRay, "Click to cast a ray. Its numbers and line stay until cleared."),
            ToolKind::Sweep => row(self, "Sweep", KeyCommand::ToolSweep, "Click to sweep a sphere. Its numbers and lines stay until cleared."),
            ToolKind::Sight => row(self, "Sight", KeyCommand::ToolSight, "Click to mark a point. Inspect then shows which face or closed portal blocks your view of it."),
            ToolKind::Pick => row(self, "Pick", KeyCommand::ToolPick, "Click to list everything known about the object under the crosshair."),
            ToolKind::Grab => row(self, "Grab", KeyCommand::ToolGrab, "Hold the button to carry a piece; release to drop it, right-click to throw it."),
            ToolKind::Measure => row(self, "Measure", KeyCommand::ToolMeasure, "Click two faces to measure between them. The line stays until cleared."),
        }
    }
}

/// The selected tool, and the settings of the tools.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolState {
    /// The selected tool.
    pub kind: ToolKind,
    /// Shots a click, 1..=10.
    pub burst: u32,
    /// Holding the button grows the blast; releasing it fires.
    pub charge: bool,
    /// The brush fills; otherwise it carves.
    pub fill: bool,
    /// Radius of the swept sphere, metres, 0.01..=5.
    pub sweep_radius: f64,
}

impl Default for ToolState {
    fn default() -> Self {
        Self {
            kind: ToolKind::Rocket,
            burst: 1,
            charge: false,
            fill: false,
            sweep_radius: 0.25,
        }
    }
}

impl ToolState {
    /// Draws the row of tools and the settings of the selected one, but for the brush's shape.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState) {
        let Self {
            kind,
            burst,
            charge,
            fill,
            sweep_radius,
        } = self;
        theme::section(ui, "TOOL");
        for rows in TOOLS.chunks(5) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                for row in rows {
                    let tip = state.tip(row.tip, &[row.command]);
                    ui.selectable_value(kind, row.kind, row.name).with_tip(tip);
                }
            });
        }
        match kind {
            ToolKind::Rocket => {
                let tip = "Shots per click, a tenth of a second apart.";
                theme::row(ui, "burst", tip, |ui| {
                    theme::slider(ui, burst, 1..=10, |s| s).with_tip(tip);
                });
                let tip = "Hold the button to grow the blast of a rocket or grenade from 0.3 m to 8 m; release to fire. The radius below does not change.";
                ui.checkbox(charge, "hold to charge").with_tip(tip);
            }
            ToolKind::Brush => {
                theme::row(ui, "click", "What a click does with the shape.", |ui| {
                    ui.selectable_value(fill, false, "carves")
                        .with_tip("Click to cut the shape out.");
                    ui.selectable_value(fill, true, "fills")
                        .with_tip("Click to add the shape as solid.");
                });
            }
            ToolKind::Sweep => {
                let tip = "Radius of the swept sphere, metres.";
                theme::row(ui, "radius", tip, |ui| {
                    theme::slider(ui, sweep_radius, 0.01..=5.0, |slider| {
                        slider.logarithmic(true).suffix(" m").max_decimals(2)
                    })
                    .with_tip(tip);
                });
            }
            ToolKind::Ray
            | ToolKind::Sight
            | ToolKind::Pick
            | ToolKind::Grab
            | ToolKind::Measure => {
                let tip = kind.row().tip;
                ui.add(egui::Label::new(RichText::new(tip).small().color(theme::muted(ui))).wrap());
            }
        }
    }
}

/// The results of probes, picks and measurements.
pub fn results(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    if state.probes.is_empty() {
        return;
    }
    theme::section(ui, "RESULTS");
    let clear = ui.button("Clear");
    if clear
        .with_tip("Clear all probes, picks and measurements.")
        .clicked()
    {
        commands.push(UiCommand::ClearProbes);
    }
    for text in state.probes.iter().rev() {
        ui.add(egui::Label::new(RichText::new(text).monospace().size(10.5)).wrap());
    }
}

/// The crosshair of a tool.
pub fn crosshair(painter: &Painter, at: Pos2, kind: ToolKind, captured: bool) {
    let light = egui::Color32::from_white_alpha(if captured { 220 } else { 120 });
    for (width, colour) in [(3.0, egui::Color32::from_black_alpha(110)), (1.5, light)] {
        let stroke = Stroke::new(width, colour);
        let line = |a: Vec2, b: Vec2| {
            painter.line_segment([at + a, at + b], stroke);
        };
        let v = Vec2::new;
        match kind {
            ToolKind::Rocket => {
                for d in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
                    line(d * 4.0, d * 10.0);
                }
            }
            ToolKind::Brush => {
                for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                    line(v(x * 8.0, y * 8.0), v(x * 3.0, y * 8.0));
                    line(v(x * 8.0, y * 8.0), v(x * 8.0, y * 3.0));
                }
            }
            ToolKind::Ray => {
                line(v(-9.0, 0.0), v(9.0, 0.0));
                line(v(0.0, -9.0), v(0.0, 9.0));
            }
            ToolKind::Sweep => {
                painter.circle_stroke(at, 8.0, stroke);
            }
            ToolKind::Sight => {
                painter.circle_stroke(at, 4.0, stroke);
                line(v(-11.0, 0.0), v(-4.0, 0.0));
                line(v(4.0, 0.0), v(11.0, 0.0));
            }
            ToolKind::Pick => {
                line(v(-8.0, -8.0), v(-3.0, -3.0));
                line(v(8.0, 8.0), v(3.0, 3.0));
                line(v(-8.0, 8.0), v(-3.0, 3.0));
                line(v(8.0, -8.0), v(3.0, -3.0));
            }
            ToolKind::Grab => {
                line(v(-8.0, -6.0), v(-8.0, 6.0));
                line(v(8.0, -6.0), v(8.0, 6.0));
                line(v(-8.0, 6.0), v(-4.0, 9.0));
                line(v(8.0, 6.0), v(4.0, 9.0));
            }
            ToolKind::Measure => {
                line(v(-10.0, 0.0), v(10.0, 0.0));
                line(v(-10.0, -5.0), v(-10.0, 5.0));
                line(v(10.0, -5.0), v(10.0, 5.0));
            }
        }
    }
    painter.circle_filled(at, 1.5, light);
}
