//! The insides: debug drawings, a ray's path through the trees, live settings of the box trees, counts.
use super::theme::Tipped;
use super::{Counts, KeyCommand, UiCommand, UiState, WalkPanel, theme};
use crate::bvh::{BuildParams, SplitRule};
use crate::view::{BinLevels, Overlays};
use egui::RichText;
use egui::text::LayoutJob;

/// The box tree's sliders, debug drawings, counts.
#[derive(Default)]
pub struct TreePanel {
    /// The level of the tree to draw, if a single one is drawn.
    pub level: u32,
}

impl TreePanel {
    /// Draws the sections.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        state: &UiState,
        walk: &mut WalkPanel,
        commands: &mut Vec<UiCommand>,
    ) {
        self.drawings(ui, state, commands);
        walk.ui(ui, state, commands);
        sliders(ui, state, commands);
        counts(ui, state);
        last_carve(ui, state);
    }

    fn drawings(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Self { level } = self;
        theme::section(ui, "SHOW");
        let mut overlays = state.overlays;
        let mut walks = state.walk.is_some();
        egui::Grid::new("overlays")
            .num_columns(3)
            .min_col_width(78.0)
            .spacing([4.0, 3.0])
            .show(ui, |ui| {
                let tick = |ui: &mut egui::Ui, on: &mut bool, name: &str, tip: &str| {
                    ui.checkbox(on, name).with_tip(tip);
                };
                let inked = |ui: &mut egui::Ui, on: &mut bool, name: &str, tip: LayoutJob| {
                    ui.checkbox(on, name).with_tip(tip);
                };
                let inks = theme::inks(ui);
                let o = &mut overlays;
                tick(ui, &mut o.portals, "portals", &state.tip("Openings between rooms; those opened by a blast stand out.", &[KeyCommand::Portals]));
                tick(ui, &mut o.rooms, "rooms", "Each room in its own colour.");
                tick(ui, &mut o.frozen, "freeze", "Freezes what is visible from here, and draws the windows that portals leave: fly away and look.");
                ui.end_row();
                tick(ui, &mut o.rays, "rays", &state.tip("Rays and sweeps of the last two seconds.", &[KeyCommand::Rays]));
                tick(ui, &mut o.hits, "hits", &state.tip("Where rays and sweeps hit, and the normals there.", &[KeyCommand::Hits]));
                tick(ui, &mut walks, "walk", "Keeps the ray under the crosshair and steps through every bin it visits.");
                ui.end_row();
                tick(ui, &mut o.wire, "wire", &state.tip("Edges of all triangles.", &[KeyCommand::Wire]));
                tick(ui, &mut o.wire_alone, "wires", "Edges of all triangles and nothing else: see through walls.");
                tick(ui, &mut o.normals, "normals", "The normal of each triangle near the camera.");
                ui.end_row();
                tick(ui, &mut o.bins, "bins", &state.tip("The boxes of the room's tree, coloured by depth, fainter farther away.", &[KeyCommand::Bins]));
                tick(ui, &mut o.heat, "heat", "How many bins and faces each pixel's ray visits.");
                tick(ui, &mut o.faces, "faces", "Each face in its own colour, over its triangles.");
                ui.end_row();
                let words = [("awake", inks.fresh), ("asleep", inks.open), ("fading away", inks.idle)];
                inked(ui, &mut o.spheres, "spheres", theme::in_inks("The spheres that bodies are made of: awake, asleep, fading away.", &words));
                let words = [("velocity", inks.moving), ("spin", inks.normal)];
                inked(ui, &mut o.motion, "motion", theme::in_inks("Each body's velocity (its path in a fifth of a second) and spin (about this axis).", &words));
                let words = [("touch", inks.hit), ("normal", inks.normal), ("impulse", inks.asked)];
                inked(ui, &mut o.contacts, "contacts", theme::in_inks("Where bodies touch, the normal and the impulse: 25 cm holds up a body's own weight.", &words));
                ui.end_row();
                let tip = "Touching bodies, one colour per heap and another for those alone.";
                inked(ui, &mut o.islands, "islands", theme::in_inks(tip, &[("alone", inks.idle)]));
                tick(ui, &mut o.stress, "stress", "How much of their strength structures use, in the colours of the Structure panel: around the last check, and where you look. Ground has none.");
                tick(ui, &mut o.bonds, "bonds", "The sections of structures, in the same colours, as lines between their blocks; arrows are the forces in them.");
                ui.end_row();
                tick(ui, &mut o.sound, "sound", "The ways of the loudest sounds to your ear, through open air in the colour of motion, through walls in that of hits; fainter the more is lost. None while muted.");
                ui.end_row();
            });
        if walks != state.walk.is_some() {
            commands.push(UiCommand::TakeRay(walks));
        }
        bins(ui, level, state.settings.tree.max_depth, &mut overlays);
        if overlays != state.overlays {
            commands.push(UiCommand::SetOverlays(overlays));
        }
    }
}

/// The rooms and levels whose bins are drawn.
fn bins(ui: &mut egui::Ui, level: &mut u32, deepest: u32, overlays: &mut Overlays) {
    theme::row(ui, "bins of", "Whose boxes are drawn.", |ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for (all, name, tip) in [
            (false, "this room", "Of the room that the eye is in."),
            (true, "all rooms", "Of the nearest rooms in sight, too."),
        ] {
            ui.selectable_value(&mut overlays.bins_of_all, all, name)
                .with_tip(tip);
        }
    });
    let tip = "Which levels of the trees the bins are drawn of; the root is 0.";
    theme::row(ui, "bin levels", tip, |ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        let levels = &mut overlays.bin_levels;
        if let BinLevels::One(one) = *levels {
            *level = one;
        }
        let deepest_two = "The smallest box of each branch, and the two deepest levels.";
        ui.selectable_value(levels, BinLevels::Deepest, "deepest")
            .with_tip(deepest_two);
        ui.selectable_value(levels, BinLevels::All, "all")
            .with_tip("All levels at once.");
        ui.selectable_value(levels, BinLevels::One(*level), "one")
            .with_tip("The level beside it alone.");
        let is_one = matches!(levels, BinLevels::One(_));
        let number = egui::DragValue::new(level)
            .speed(0.1)
            .range(0..=deepest)
            .clamp_existing_to_range(false);
        let number = ui.add_enabled(is_one, number);
        if number.with_tip("The level that is drawn.").changed() {
            *levels = BinLevels::One(*level);
        }
    });
}

/// The split rules with their names and tips: a list, and a match that a new rule breaks.
macro_rules! split_rules {
    ($($rule:ident: $name:literal, $tip:literal;)*) => {
        const RULES: &[(SplitRule, &str, &str)] = &[$((SplitRule::$rule, $name, $tip)),*];

        /// The name of a split rule.
        pub(super) fn split_name(rule: SplitRule) -> &'static str {
            match rule {
                $(SplitRule::$rule => $name),*
            }
        }
    };
}

split_rules! {
    Midpoint: "midpoint", "At the middle of the longest axis, as in the 2001 article.";
    Median: "median", "Equal numbers of triangles on both sides.";
    Mean: "mean", "At the mean of the triangles' centres.";
    Sah: "surface area", "Lowest expected cost by surface area (SAH).";
    BottomUp: "bottom up", "Built from the leaves up: the two bins with the smallest joint box are merged until one is left.";
}

/// Split rule and limits of a tree; `id` distinguishes two sets of sliders.
pub(super) fn tree_sliders(ui: &mut egui::Ui, id: &str, tree: &mut BuildParams) {
    let tip = "How a bin is split in two.";
    theme::row(ui, "split rule", tip, |ui| {
        let combo = egui::ComboBox::from_id_salt(("split", id))
            .selected_text(split_name(tree.split))
            .width(136.0)
            .show_ui(ui, |ui| {
                for (rule, name, tip) in RULES {
                    ui.selectable_value(&mut tree.split, *rule, *name)
                        .with_tip(*tip);
                }
            });
        combo.response.with_tip(tip);
    });
    let tip = "Maximum depth of a room's tree; the root is 0.";
    theme::row(ui, "depth", tip, |ui| {
        theme::slider(ui, &mut tree.max_depth, 1..=32, |s| s).with_tip(tip)
    });
    let tip = "A bin with this many triangles or fewer is not split.";
    theme::row(ui, "tris / bin", tip, |ui| {
        theme::slider(ui, &mut tree.faces_per_bin, 1..=64, |s| s).with_tip(tip)
    });
    let tip = "A bin smaller than this is not split, cubic metres.";
    theme::row(ui, "min volume", tip, |ui| {
        theme::slider(ui, &mut tree.min_volume, 0.0..=100.0, |slider| {
            let slider = slider.logarithmic(true).smallest_positive(0.001);
            slider.suffix(" m³").max_decimals(3)
        })
        .with_tip(tip)
    });
}

fn sliders(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    theme::section(ui, "BOX TREES (LIVE)");
    let mut settings = state.settings.clone();
    tree_sliders(ui, "live", &mut settings.tree);
    let tip = "Gap that moving objects keep from surfaces, metres.";
    theme::row(ui, "buffer", tip, |ui| {
        theme::slider(ui, &mut settings.buffer_distance, 0.0..=0.2, |slider| {
            slider.suffix(" m").max_decimals(3)
        })
        .with_tip(tip)
    });
    if settings != *state.settings {
        commands.push(UiCommand::SetSettings(Box::new(settings)));
    }
}

fn counts(ui: &mut egui::Ui, state: &UiState) {
    theme::section(ui, "COUNTS");
    let Counts {
        rooms_drawn,
        rooms_total,
        faces_drawn,
        faces_total,
        triangles_drawn,
        triangles_total,
        surface,
        portals,
        bins_visited,
        faces_tested,
        bodies,
        bodies_awake,
        rockets,
        tunnelled: _,
        checked: _,
    } = state.counts;
    let of = |a: usize, b: usize| format!("{} of {}", grouped(a as u64), grouped(b as u64));
    let rows = [
        (
            "rooms, portals",
            format!(
                "{}, {}",
                of(rooms_drawn, rooms_total),
                grouped(portals as u64)
            ),
            "Rooms visible through portals, out of all; openings between rooms.",
        ),
        (
            "faces",
            of(faces_drawn, faces_total),
            "Faces of the rooms drawn, out of all.",
        ),
        (
            "triangles",
            of(triangles_drawn, triangles_total),
            "Triangles of the rooms drawn, out of all.",
        ),
        (
            "degenerate",
            format!(
                "{}, {}, {}",
                grouped(surface.tiny_faces as u64),
                grouped(surface.welded as u64),
                grouped(surface.flat as u64)
            ),
            "Faces below 1 mm², triangles left out because their corners coincide in f32, and other triangles without \
             area. None of them opens a gap.",
        ),
        (
            "bins, triangles tested",
            format!("{}, {}", grouped(bins_visited), grouped(faces_tested)),
            "Bins visited and triangles tested by the rays and sweeps of the last tick.",
        ),
        (
            "rockets, awake",
            format!("{rockets}, {}", of(bodies_awake, bodies)),
            "Rockets in flight; bodies awake, out of all.",
        ),
        (
            "tick, frames / s",
            format!("{}, {:.0}", grouped(state.tick), state.frames_per_second),
            "Ticks since the level was opened, 1/60 s each; frames per second, smoothed.",
        ),
        (
            "time dropped",
            format!("{:.1} s", state.dropped_secs),
            "Real time the simulation skipped because frames took too long, not counting pauses.",
        ),
    ];
    value_grid(ui, "counts", &rows);
}

fn last_carve(ui: &mut egui::Ui, state: &UiState) {
    theme::section(ui, "LAST CARVE");
    let Some(chip) = state.chip else {
        ui.label(RichText::new(without_chip(state.history)).color(theme::muted(ui)));
        return;
    };
    if let Some(why) = &chip.refused {
        ui.colored_label(theme::warn(ui), why);
        return;
    }
    let rows = [
        (
            chip.what,
            chip.volume(),
            "The last change, and the volume of solid it removed or added.",
        ),
        (
            "faces touched",
            grouped(u64::from(chip.faces)),
            "Faces that were cut, removed or made.",
        ),
        (
            "rooms touched",
            grouped(chip.rooms as u64),
            "Rooms that changed.",
        ),
        (
            "portals opened",
            grouped(chip.portals as u64),
            "New openings between rooms.",
        ),
        (
            "pieces cut free",
            grouped(chip.islands as u64),
            "Pieces that nothing holds any more.",
        ),
        (
            "hash",
            format!("{:016x}", chip.hash),
            "Hash of the whole world: equal worlds have equal hashes.",
        ),
    ];
    value_grid(ui, "last carve", &rows);
}

/// The text before the first carve, and after an undo or a jump in time.
fn without_chip([stand, undone]: [usize; 2]) -> String {
    match (stand, undone) {
        (0, 0) => "nothing carved yet".into(),
        (0, _) => format!("{} undone", theme::counted(undone, "change")),
        _ => format!(
            "{} so far; the next one is shown here",
            theme::counted(stand, "change")
        ),
    }
}

pub(super) fn value_grid(
    ui: &mut egui::Ui,
    id: &str,
    rows: &[(&'static str, String, &'static str)],
) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().interact_size.y = 16.0;
        for (name, value, tip) in rows {
            let line = ui.horizontal(|ui| {
                ui.label(RichText::new(*name).color(theme::muted(ui)));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(RichText::new(value).monospace());
                });
            });
            ui.interact(
                line.response.rect,
                ui.scope_id().with((id, *name)),
                egui::Sense::hover(),
            )
            .with_tip(*tip);
        }
    });
}

/// A number with thin spaces between thousands.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(c);
    }
    out
}
