//! Collision layers and the solver: rules of motion to change and to see fail.
use super::theme::Tipped;
use super::{UiCommand, UiState, theme, tree_panel};
use crate::collide::{Layer, Layers};
use crate::world::Solver;
use egui::RichText;

/// The solver switch and the matrix of layers.
#[derive(Default)]
pub struct RulesWindow {
    /// Number of halvings, kept while another solver is chosen.
    steps: Option<u32>,
}

/// Default number of halvings.
const STEPS: u32 = 4;
/// Size of a cell of the matrix, points.
const CELL: egui::Vec2 = egui::Vec2::new(52.0, 20.0);

impl RulesWindow {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let mut settings = state.settings.clone();
        self.solver(ui, &mut settings.solver, state);
        matrix(ui, &mut settings.layers);
        if settings != *state.settings {
            commands.push(UiCommand::SetSettings(Box::new(settings)));
        }
    }

    fn solver(&mut self, ui: &mut egui::Ui, solver: &mut Solver, state: &UiState) {
        let Self { steps } = self;
        if let Solver::Subdivided(now) = solver {
            *steps = Some(*now);
        }
        let mut halvings = steps.unwrap_or(STEPS);
        theme::section(ui, "HOW ROCKETS AND DEBRIS MOVE");
        ui.horizontal(|ui| {
            for (value, name, tip) in [
                (
                    Solver::Swept,
                    "swept",
                    "Finds the first contact along the path. Nothing tunnels through walls.",
                ),
                (
                    Solver::Discrete,
                    "discrete",
                    "Tests only the end of each tick's move and undoes the move if it is blocked. Tunnels through walls thinner than the move.",
                ),
                (
                    Solver::Subdivided(halvings),
                    "subdivided",
                    "The same, but halves the move this many times to find the contact (binary subdivision). Still tunnels through thin walls.",
                ),
            ] {
                let is_on = std::mem::discriminant(solver) == std::mem::discriminant(&value);
                if ui.selectable_label(is_on, name).with_tip(tip).clicked() {
                    *solver = value;
                }
            }
        });
        let tip = "How many times the move is halved.";
        theme::row(ui, "halvings", tip, |ui| {
            let is_on = matches!(solver, Solver::Subdivided(_));
            let most = Solver::MOST_STEPS;
            let slider = |ui: &mut egui::Ui| theme::slider(ui, &mut halvings, 1..=most, |s| s);
            let moved = ui.add_enabled_ui(is_on, slider).inner;
            if moved.with_tip(tip).changed() {
                *steps = Some(halvings);
                *solver = Solver::Subdivided(halvings);
            }
        });
        let tip = "Moves that tunnelled through a wall since the level was opened. Try the thin walls of the level `range`.";
        theme::row(ui, "tunnelled", tip, |ui| {
            let count = state.counts.tunnelled;
            let colour = if count > 0 {
                theme::warn(ui)
            } else {
                theme::good(ui)
            };
            let text = RichText::new(tree_panel::grouped(count))
                .monospace()
                .color(colour);
            ui.label(text).with_tip(tip);
        });
    }
}

fn matrix(ui: &mut egui::Ui, layers: &mut Layers) {
    theme::section(ui, "COLLISION LAYERS");
    let name = |ui: &mut egui::Ui, layer: Layer| {
        ui.allocate_ui_with_layout(
            CELL,
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_min_size(CELL);
                ui.label(RichText::new(layer.name()).small().color(theme::muted(ui)))
                    .with_tip(what(layer));
            },
        );
    };
    // The matrix is symmetric, so half is drawn: columns without the last layer, rows without the first.
    let [columns, rows] = [&Layer::ALL[..4], &Layer::ALL[1..]];
    ui.horizontal(|ui| {
        ui.add_space(CELL.x + 6.0);
        columns.iter().for_each(|layer| name(ui, *layer));
    });
    for (i, row) in rows.iter().enumerate() {
        ui.horizontal(|ui| {
            name(ui, *row);
            for column in columns.iter().take(i + 2) {
                let layout = egui::Layout::left_to_right(egui::Align::Center);
                ui.allocate_ui_with_layout(CELL, layout, |ui| {
                    ui.set_min_size(CELL);
                    if Layers::can_meet(*row, *column) {
                        pair(ui, layers, *row, *column);
                    }
                });
            }
        });
    }
    let text = "Everything collides with walls. Changes made here are recorded like any input.";
    ui.label(RichText::new(text).small().color(theme::muted(ui)));
}

fn pair(ui: &mut egui::Ui, layers: &mut Layers, row: Layer, column: Layer) {
    let mut meet = layers.meet(row, column);
    let label = format!("{}-{}", row.name(), column.name());
    let check = ui.checkbox(&mut meet, "").with_tip(format!(
        "Whether {} and {} collide.",
        row.name(),
        column.name()
    ));
    check.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, meet, &label));
    layers.set(row, column, meet);
}

fn what(layer: Layer) -> &'static str {
    match layer {
        Layer::Player => "The player's body.",
        Layer::Rocket => "Rockets, grenades and drills. A shot ignores a body it starts inside.",
        Layer::Debris => {
            "Crumbs thrown by blasts, and iron balls. The player pushes light ones aside."
        }
        Layer::Chunk => "Pieces that were cut free.",
        Layer::Probe => "Rays of tools that only look: picking and line of sight.",
    }
}
