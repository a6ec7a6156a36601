//! What the hands hold: each tool with its key, its crosshair and its own small panel.
use super::theme::Tipped;
use super::{Does, Shown, UiAction, theme};
use egui::{Painter, Pos2, RichText, Stroke, Vec2};

/// What a click does while the mouse is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hand {
    /// Fires.
    #[default]
    Rocket,
    /// Carves or fills a form.
    Brush,
    /// Casts a ray.
    Ray,
    /// Sweeps a sphere.
    Sweep,
    /// Marks a point for the line of sight.
    Sight,
    /// Keeps what is known of the thing under the crosshair.
    Pick,
    /// Carries a body.
    Grab,
    /// Measures from point to point.
    Measure,
}

/// A row of [`HANDS`].
#[derive(Clone, Copy, Debug)]
pub struct HandRow {
    /// Which.
    pub hand: Hand,
    /// On its button.
    pub name: &'static str,
    /// Its key.
    pub does: Does,
    /// What a click does with it.
    pub tip: &'static str,
}

const fn row(hand: Hand, name: &'static str, does: Does, tip: &'static str) -> HandRow {
    HandRow {
        hand,
        name,
        does,
        tip,
    }
}

/// Every tool.
#[rustfmt::skip] // one row a line: it is read as a table
pub const HANDS: [HandRow; 8] = [
    row(Hand::Rocket, "Rocket", Does::HandRocket, "Click to fire what is selected below: a rocket, grenade, drill or ball."),
    row(Hand::Brush, "Brush", Does::HandBrush, "Click to carve or fill the shape at the face under the crosshair."),
    row(Hand::Ray, "Ray", Does::HandRay, "Click to cast a ray. Its numbers and line stay until cleared."),
    row(Hand::Sweep, "Sweep", Does::HandSweep, "Click to sweep a sphere. Its numbers and lines stay until cleared."),
    row(Hand::Sight, "Sight", Does::HandSight, "Click to mark a point. Inspect then shows which face or closed portal blocks your view of it."),
    row(Hand::Pick, "Pick", Does::HandPick, "Click to list everything known about the object under the crosshair."),
    row(Hand::Grab, "Grab", Does::HandGrab, "Hold the button to carry a piece; release to drop it, right-click to throw it."),
    row(Hand::Measure, "Measure", Does::HandMeasure, "Click two faces to measure between them. The line stays until cleared."),
];

/// What the tools remember.
#[derive(Clone, Debug, PartialEq)]
pub struct HandPanel {
    /// In the hand.
    pub hand: Hand,
    /// Shots a click, 1..=10.
    pub burst: u32,
    /// Holding the button makes the blast larger; letting go fires.
    pub charge: bool,
    /// A click of the brush fills instead of carving.
    pub fill: bool,
    /// Radius of the sphere that is swept, metres, 0.01..=5.
    pub sweep_radius: f64,
}

impl Default for HandPanel {
    fn default() -> Self {
        Self {
            hand: Hand::Rocket,
            burst: 1,
            charge: false,
            fill: false,
            sweep_radius: 0.25,
        }
    }
}

impl HandPanel {
    /// Draws the row of tools and what the one in the hand has to set, but for the brush's form.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown) {
        let Self {
            hand,
            burst,
            charge,
            fill,
            sweep_radius,
        } = self;
        theme::section(ui, "TOOL");
        for rows in HANDS.chunks(5) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                for row in rows {
                    let tip = shown.tip(row.tip, &[row.does]);
                    ui.selectable_value(hand, row.hand, row.name).with_tip(tip);
                }
            });
        }
        match hand {
            Hand::Rocket => {
                let tip = "Shots per click, a tenth of a second apart.";
                theme::row(ui, "burst", tip, |ui| {
                    theme::slider(ui, burst, 1..=10, |s| s).with_tip(tip);
                });
                let tip = "Hold the button to grow the blast of a rocket or grenade from 0.3 m to 8 m; release to fire. The radius below does not change.";
                ui.checkbox(charge, "hold to charge").with_tip(tip);
            }
            Hand::Brush => {
                theme::row(ui, "click", "What a click does with the shape.", |ui| {
                    ui.selectable_value(fill, false, "carves")
                        .with_tip("Click to cut the shape out.");
                    ui.selectable_value(fill, true, "fills")
                        .with_tip("Click to add the shape as solid.");
                });
            }
            Hand::Sweep => {
                let tip = "Radius of the swept sphere, metres.";
                theme::row(ui, "radius", tip, |ui| {
                    theme::slider(ui, sweep_radius, 0.01..=5.0, |slider| {
                        slider.logarithmic(true).suffix(" m").max_decimals(2)
                    })
                    .with_tip(tip);
                });
            }
            Hand::Ray | Hand::Sight | Hand::Pick | Hand::Grab | Hand::Measure => {
                let row = HANDS.iter().find(|row| row.hand == *hand);
                let tip = row.map_or("", |row| row.tip);
                ui.add(egui::Label::new(RichText::new(tip).small().color(theme::muted(ui))).wrap());
            }
        }
    }
}

/// What was probed, kept and measured.
pub fn probes(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    if shown.probes.is_empty() {
        return;
    }
    theme::section(ui, "RESULTS");
    let clear = ui.button("Clear");
    if clear
        .with_tip("Clear all probes, picks and measurements.")
        .clicked()
    {
        actions.push(UiAction::ClearProbes);
    }
    for text in shown.probes.iter().rev() {
        ui.add(egui::Label::new(RichText::new(text).monospace().size(10.5)).wrap());
    }
}

/// The crosshair of a tool.
pub fn crosshair(painter: &Painter, at: Pos2, hand: Hand, captured: bool) {
    let light = egui::Color32::from_white_alpha(if captured { 220 } else { 120 });
    for (width, colour) in [(3.0, egui::Color32::from_black_alpha(110)), (1.5, light)] {
        let stroke = Stroke::new(width, colour);
        let line = |a: Vec2, b: Vec2| {
            painter.line_segment([at + a, at + b], stroke);
        };
        let v = Vec2::new;
        match hand {
            Hand::Rocket => {
                for d in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
                    line(d * 4.0, d * 10.0);
                }
            }
            Hand::Brush => {
                for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                    line(v(x * 8.0, y * 8.0), v(x * 3.0, y * 8.0));
                    line(v(x * 8.0, y * 8.0), v(x * 8.0, y * 3.0));
                }
            }
            Hand::Ray => {
                line(v(-9.0, 0.0), v(9.0, 0.0));
                line(v(0.0, -9.0), v(0.0, 9.0));
            }
            Hand::Sweep => {
                painter.circle_stroke(at, 8.0, stroke);
            }
            Hand::Sight => {
                painter.circle_stroke(at, 4.0, stroke);
                line(v(-11.0, 0.0), v(-4.0, 0.0));
                line(v(4.0, 0.0), v(11.0, 0.0));
            }
            Hand::Pick => {
                line(v(-8.0, -8.0), v(-3.0, -3.0));
                line(v(8.0, 8.0), v(3.0, 3.0));
                line(v(-8.0, 8.0), v(-3.0, 3.0));
                line(v(8.0, -8.0), v(3.0, -3.0));
            }
            Hand::Grab => {
                line(v(-8.0, -6.0), v(-8.0, 6.0));
                line(v(8.0, -6.0), v(8.0, 6.0));
                line(v(-8.0, 6.0), v(-4.0, 9.0));
                line(v(8.0, 6.0), v(4.0, 9.0));
            }
            Hand::Measure => {
                line(v(-10.0, 0.0), v(10.0, 0.0));
                line(v(-10.0, -5.0), v(-10.0, 5.0));
                line(v(10.0, -5.0), v(10.0, 5.0));
            }
        }
    }
    painter.circle_filled(at, 1.5, light);
}
