//! The panel of the Lab: the chooser, the canvas, the answer's numbers and the head of the query's file.
use super::canvas::{self, View};
use super::drawing::{Drawing, Ink};
use super::query::Query;
use super::{flat, nearest, overlaps, rays, sweeps};
use crate::geom::rng::Rng;
use crate::ui::theme::{self, Tipped};
use egui::RichText;
use glam::DVec3;

/// The table: every experiment of the Lab.
fn queries() -> impl Iterator<Item = &'static Query> {
    let all = [
        rays::QUERIES,
        sweeps::QUERIES,
        overlaps::QUERIES,
        nearest::QUERIES,
        flat::QUERIES,
    ];
    all.into_iter().flatten()
}

/// A degenerate case for any query: its name, and its change of the handles.
type EdgeCase = (&'static str, fn(&mut [DVec3]));

/// In this order, after a query's own special cases.
const EDGE_CASES: [EdgeCase; 6] = [
    ("all at one point", |h| h.fill(h[0])),
    ("second handle on the first", |h| h[1] = h[0]),
    ("all collinear", |h| {
        let (from, dir) = (h[0], (h[1] - h[0]).normalize_or(DVec3::X));
        h.iter_mut()
            .for_each(|p| *p = from + dir * (*p - from).dot(dir));
    }),
    ("on whole metres", |h| {
        h.iter_mut().for_each(|p| *p = p.round())
    }),
    ("ten kilometres away", |h| {
        h.iter_mut().for_each(|p| *p += DVec3::new(1e4, 1e4, 0.0));
    }),
    ("not a number", |h| h[0] = DVec3::NAN),
];

/// Sizes of the parts, points; the canvas takes what the numbers leave, within these limits.
const CANVAS_WIDTH: [f32; 2] = [240.0, 446.0];
const CANVAS_HEIGHT: [f32; 2] = [220.0, 398.0];
const NUMBERS_WIDTH: f32 = 230.0;
const HEAD_HEIGHT: f32 = 112.0;

/// The chosen query and the state of its shapes.
pub struct LabPanel {
    /// Index of the entry.
    chosen: usize,
    handles: Vec<DVec3>,
    view: View,
    time: f64,
    /// Seed of the random case, shown so that a case can be reproduced.
    seed: u64,
    /// Index of the next special or degenerate case.
    edge_case: usize,
    /// The name of the current case: default, dragged, random, or a special one.
    case: String,
    cache: crate::collide::SeparatingEdgeCache,
}

impl Default for LabPanel {
    fn default() -> Self {
        let mut lab = Self {
            chosen: 0,
            handles: Vec::new(),
            view: View::new(false),
            time: 0.5,
            seed: 0,
            edge_case: 0,
            case: String::new(),
            cache: Default::default(),
        };
        lab.choose(0);
        lab
    }
}

impl LabPanel {
    /// Draws the chooser, the shapes and the answer.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        self.chooser(ui);
        let query = self.query();
        let drawing = self.ask(query);
        let between = |[least, most]: [f32; 2], free: f32| free.clamp(least, most);
        let beside = NUMBERS_WIDTH + ui.spacing().item_spacing.x;
        let width = between(CANVAS_WIDTH, ui.available_width() - beside);
        let height = between(CANVAS_HEIGHT, ui.available_height() - HEAD_HEIGHT - 20.0);
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.set_width(width);
                let before = self.handles.clone();
                canvas::show(
                    ui,
                    height,
                    &mut self.view,
                    query.is_flat,
                    query.handles,
                    &mut self.handles,
                    &drawing,
                );
                // Compare bits: NaN is not equal to itself.
                let bits = |h: &[DVec3]| {
                    h.iter()
                        .map(|p| p.to_array().map(f64::to_bits))
                        .collect::<Vec<_>>()
                };
                if bits(&before) != bits(&self.handles) {
                    self.case = "dragged".into();
                }
            });
            ui.vertical(|ui| {
                ui.set_width(NUMBERS_WIDTH);
                self.numbers(ui, &drawing);
            });
        });
        head(ui, query);
        self.cache = drawing.cache;
    }

    fn query(&self) -> &'static Query {
        let first = &rays::QUERIES[0];
        queries().nth(self.chosen).unwrap_or(first)
    }

    fn choose(&mut self, chosen: usize) {
        self.chosen = chosen;
        let query = self.query();
        self.handles = query.handles.iter().map(|h| DVec3::from(h.1)).collect();
        self.view = View::new(query.is_flat);
        self.edge_case = 0;
        self.cache = Default::default();
        self.case = "default".into();
    }

    /// Runs the query with the current handles.
    fn ask(&self, query: &Query) -> Drawing {
        let mut drawing = Drawing {
            time: self.time,
            cache: self.cache,
            ..Drawing::default()
        };
        (query.answer)(&self.handles, &mut drawing);
        drawing
    }

    fn chooser(&mut self, ui: &mut egui::Ui) {
        let count = queries().count();
        let mut chosen = self.chosen;
        ui.horizontal_wrapped(|ui| {
            let tip = "The query. Each is a file in breach-core/src/collide.";
            egui::ComboBox::from_id_salt("query")
                .selected_text(RichText::new(self.query().name).monospace())
                .width(250.0)
                .height(420.0)
                .show_ui(ui, |ui| {
                    for (i, query) in queries().enumerate() {
                        let name = RichText::new(query.name).monospace();
                        ui.selectable_value(&mut chosen, i, name)
                            .with_tip(question(query.source()));
                    }
                })
                .response
                .with_tip(tip);
            if ui
                .button("Previous")
                .with_tip("The previous query.")
                .clicked()
            {
                chosen = (chosen + count - 1) % count;
            }
            if ui.button("Next").with_tip("The next query.").clicked() {
                chosen = (chosen + 1) % count;
            }
            ui.separator();
            if ui
                .button("Random")
                .with_tip("Place every handle at random; each press uses the next seed.")
                .clicked()
            {
                self.scatter();
            }
            if ui
                .button("Degenerate")
                .with_tip(
                    "The next degenerate case: zero length, touching, collinear, not a number.",
                )
                .clicked()
            {
                self.next_edge_case();
            }
            if ui
                .button("Start over")
                .with_tip("Reset the shapes and the view.")
                .clicked()
            {
                self.choose(self.chosen);
            }
        });
        if chosen != self.chosen {
            self.choose(chosen);
        }
    }

    fn scatter(&mut self) {
        self.seed += 1;
        let mut rng = Rng::new(self.seed);
        let is_flat = self.query().is_flat;
        for handle in &mut self.handles {
            let mut at = || (rng.range(-3.5, 3.5) * 100.0).round() * 0.01;
            let place = DVec3::new(at(), at(), at());
            *handle = if is_flat { place.with_z(0.0) } else { place };
        }
        self.view.centre = DVec3::ZERO;
        self.case = format!("random, seed {}", self.seed);
    }

    fn next_edge_case(&mut self) {
        let query = self.query();
        let chosen = self.chosen;
        let edge = self.edge_case % (query.specials.len() + EDGE_CASES.len());
        let next = edge + 1;
        self.choose(chosen);
        self.edge_case = next;
        match query.specials.get(edge) {
            Some((name, handles)) => {
                self.handles = handles.iter().map(|h| DVec3::from(*h)).collect();
                self.case = (*name).into();
            }
            None => {
                let (name, change) = EDGE_CASES[edge - query.specials.len()];
                change(&mut self.handles);
                self.case = name.into();
                let last = self.handles.last().copied().unwrap_or_default();
                if last.abs().max_element() > 1e3 {
                    self.view.centre = last;
                }
            }
        }
    }

    fn numbers(&mut self, ui: &mut egui::Ui, drawing: &Drawing) {
        theme::section(ui, "ANSWER");
        let row = |ui: &mut egui::Ui, name: &str, value: &str| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(name).color(theme::muted(ui)));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(value).monospace()).truncate());
                });
            });
        };
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for (name, value) in &drawing.rows {
                row(ui, name, value);
            }
        });
        theme::section(ui, "SHAPES");
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            row(ui, "case", &self.case);
            let tip =
                "Where along its path to draw the moving shape again: 0 is the start, 1 the end.";
            theme::row(ui, "time", tip, |ui| {
                theme::slider(ui, &mut self.time, 0.0..=1.0, |s| s.max_decimals(3)).with_tip(tip)
            });
        });
        ui.add_space(4.0);
        let inks = theme::inks(ui);
        for (ink, what) in [
            (Ink::Asking, "query shape"),
            (Ink::Asked, "target"),
            (Ink::Answer, "result"),
            (Ink::Normal, "normal or separating axis"),
            (Ink::Ghost, "at the time set above"),
        ] {
            ui.horizontal(|ui| {
                ui.spacing_mut().interact_size.y = 15.0;
                theme::dot(ui, theme::paint(ink.of(&inks)));
                ui.label(RichText::new(what).small().color(theme::muted(ui)));
            });
        }
        let hint = "Drag the rings. Drag elsewhere to orbit (in 2-D: pan), right-drag to pan, wheel to zoom.";
        ui.label(RichText::new(hint).small().color(theme::muted(ui)));
    }
}

/// Draws the head of the query's file.
fn head(ui: &mut egui::Ui, query: &Query) {
    ui.separator();
    egui::ScrollArea::vertical()
        .id_salt(query.name)
        .auto_shrink(false)
        .max_height(HEAD_HEIGHT)
        .min_scrolled_height(HEAD_HEIGHT)
        .show(ui, |ui| {
            ui.label(
                RichText::new(question(query.source()))
                    .strong()
                    .color(theme::accent(ui)),
            );
            for paragraph in paragraphs(query.source()).skip(1) {
                ui.label(RichText::new(paragraph).size(12.0));
            }
        });
}

/// The first paragraph of a file's head.
fn question(source: &str) -> String {
    paragraphs(source).next().unwrap_or_default()
}

/// The paragraphs and list items of a file's head, without markup.
fn paragraphs(source: &str) -> impl Iterator<Item = String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_new = true;
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.trim();
        if line.is_empty() || line.starts_with("- ") {
            is_new = true;
        }
        if line.is_empty() {
            continue;
        }
        let plain = line.replace("[`", "").replace("`]", "").replace('`', "");
        let plain = plain.replace("super::", "").replace("crate::collide::", "");
        match found.last_mut() {
            Some(last) if !is_new => {
                last.push(' ');
                last.push_str(&plain);
            }
            _ => found.push(plain),
        }
        is_new = false;
    }
    found.into_iter()
}

#[cfg(test)]
mod tests;
