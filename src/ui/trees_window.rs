//! Two settings of the box tree side by side, measured on the eye's room with the same queries; and the culling
//! experiment of 2001 on that room.
use super::theme::Tipped;
use super::{TreeColumn, TreeTable, UiCommand, UiState, theme, tree_panel};
use crate::bvh::BuildParams;
use crate::bvh::culling::Culling;
use egui::RichText;

/// The setting to compare with the current one.
pub struct TreesWindow {
    /// The other setting.
    pub aside: BuildParams,
}

impl Default for TreesWindow {
    fn default() -> Self {
        let aside = BuildParams {
            split: crate::bvh::SplitRule::Midpoint,
            ..BuildParams::default()
        };
        Self { aside }
    }
}

/// Widths of the columns, points.
const NAME_WIDTH: f32 = 178.0;
const VALUE_WIDTH: f32 = 106.0;

impl TreesWindow {
    /// Draws the tables.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        self.setting_beside(ui, state, commands);
        match state.trees {
            Some(table) => numbers(ui, table),
            None => {
                ui.label(RichText::new("The camera is in no room.").color(theme::muted(ui)));
            }
        }
    }

    fn setting_beside(
        &mut self,
        ui: &mut egui::Ui,
        state: &UiState,
        commands: &mut Vec<UiCommand>,
    ) {
        theme::section(ui, "CANDIDATE TREE");
        tree_panel::tree_sliders(ui, "beside", &mut self.aside);
        ui.horizontal(|ui| {
            let now = state.settings.tree;
            if ui
                .button("Copy")
                .with_tip("Copy the current tree's settings to the candidate.")
                .clicked()
            {
                self.aside = now;
            }
            if ui
                .button("Swap")
                .with_tip("Make the candidate the current tree, and the current one the candidate.")
                .clicked()
            {
                let mut settings = state.settings.clone();
                settings.tree = std::mem::replace(&mut self.aside, now);
                commands.push(UiCommand::SetSettings(Box::new(settings)));
            }
        });
    }
}

/// Name, value of a column, tip.
type Row<'a> = (&'a str, &'a dyn Fn(&TreeColumn) -> String, &'a str);

fn numbers(ui: &mut egui::Ui, table: &TreeTable) {
    let TreeTable {
        room,
        queries,
        columns: [now, beside],
        culling,
    } = table;
    theme::section(ui, "CURRENT ROOM");
    let faces = tree_panel::grouped(now.worth.faces as u64);
    let what = format!("room {room}: {faces} triangles, the same {queries} queries");
    ui.label(RichText::new(what).color(theme::muted(ui)));
    row(
        ui,
        "",
        ["current", "candidate"].map(String::from),
        "The settings of the Bins panel, and the candidate above.",
    );
    let split = |c: &TreeColumn| tree_panel::split_name(c.params.split).to_owned();
    let whole = |n: usize| tree_panel::grouped(n as u64);
    let rows: [Row; 9] = [
        ("split rule", &split, "How a bin is split in two."),
        (
            "build",
            &|c| format!("{:.2} ms", c.build_ms),
            "Time to build the room's whole tree, median of three.",
        ),
        (
            "bins",
            &|c| whole(c.worth.bins),
            "Boxes in the tree, leaves included.",
        ),
        (
            "depth",
            &|c| c.worth.depth.to_string(),
            "Deepest level in use.",
        ),
        (
            "overlap",
            &|c| format!("{:.2} m³", c.worth.overlap_volume),
            "Total volume that the two halves of split bins share.",
        ),
        (
            "surface area cost",
            &|c| format!("{:.1}", c.worth.sah_cost),
            "Expected number of bins and triangles that a line through the room meets.",
        ),
        (
            "bins / query",
            &|c| format!("{:.2}", c.worth.bins_per_query),
            "Bins visited by a query, on average.",
        ),
        (
            "tris / query",
            &|c| format!("{:.2}", c.worth.faces_per_query),
            "Triangles tested by a query, on average.",
        ),
        (
            "time / query",
            &|c| format!("{:.2} µs", c.query_us),
            "Wall time of a query, on average.",
        ),
    ];
    for (name, value, tip) in rows {
        row(ui, name, [value(now), value(beside)], tip);
    }
    theme::section(ui, "CULLING, AS IN 2001");
    row(
        ui,
        "",
        ["faces left", "time"].map(String::from),
        "For each sphere swept by the same queries.",
    );
    for (way, (left, us)) in Culling::ALL.into_iter().zip(culling) {
        let tip = match way {
            Culling::Boxes => {
                "The bounding box of the path against that of every face in the room."
            }
            Culling::Segment => {
                "The path against the bounding box of every face grown by the radius, using outcodes."
            }
            Culling::Tree => "The current tree; its time includes the exact tests.",
        };
        row(
            ui,
            way.name(),
            [format!("{left:.1}"), format!("{us:.2} µs")],
            tip,
        );
    }
}

fn row(ui: &mut egui::Ui, name: &str, values: [String; 2], tip: &str) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let line = ui.horizontal(|ui| {
            ui.set_min_height(16.0);
            let label = RichText::new(name).color(theme::muted(ui));
            cell(ui, NAME_WIDTH, egui::Align::Min, label);
            for value in &values {
                cell(
                    ui,
                    VALUE_WIDTH,
                    egui::Align::Max,
                    RichText::new(value).monospace(),
                );
            }
        });
        line.response.with_tip(tip);
    });
}

fn cell(ui: &mut egui::Ui, width: f32, align: egui::Align, text: RichText) {
    let size = egui::vec2(width, 16.0);
    let layout = match align {
        egui::Align::Max => egui::Layout::right_to_left(egui::Align::Center),
        _ => egui::Layout::left_to_right(egui::Align::Center),
    };
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(width);
        ui.label(text);
    });
}
