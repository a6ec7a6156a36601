//! What the hands do: camera, time, shots, Carve and Fill.
use super::theme::Tipped;
use super::{CameraMode, Does, Hand, HandPanel, Shown, UiAction, theme};
use crate::sim::{BLAST_RADII, Settings, Shot, Tool, ToolShape};
use egui::RichText;
use glam::DVec3;

/// Which tool shows beforehand what it would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// None.
    #[default]
    Off,
    /// Carve.
    Carve,
    /// Fill.
    Fill,
}

impl Aim {
    /// The next one around.
    pub fn next(self) -> Self {
        match self {
            Aim::Off => Aim::Carve,
            Aim::Carve => Aim::Fill,
            Aim::Fill => Aim::Off,
        }
    }
}

/// What a tool would do at the crosshair, in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewChip {
    /// Why it would do nothing.
    pub refused: Option<String>,
    /// Faces that it would touch.
    pub faces: u32,
    /// Portals that would open.
    pub portals: usize,
    /// Pieces that would fall.
    pub islands: usize,
    /// Their volume, cubic metres.
    pub falls_m3: f64,
    /// Solid that would become air, cubic metres; negative: the other way round.
    pub volume_m3: f64,
    /// What the last carves took, milliseconds; None before the first.
    pub expected_ms: Option<f32>,
}

/// Smallest and largest size and depth on the sliders, metres.
const RANGE: std::ops::RangeInclusive<f64> = 0.02..=20.0;
/// A key's turn, degrees.
const TURN: f64 = 15.0;

/// Camera, time, shots, Carve and Fill.
#[derive(Default)]
pub struct ToolsPanel {
    /// What a click uses.
    pub hand: HandPanel,
    /// What Carve and Fill use; a hull's points come from `marks`.
    pub tool: Tool,
    /// What the left button fires.
    pub shot: Shot,
    /// Which of them shows what it would do.
    pub aim: Aim,
    /// Points that were marked for a hull, each on its face with the face's normal, metres.
    pub marks: Vec<[DVec3; 2]>,
}

impl ToolsPanel {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        camera_and_time(ui, shown, actions);
        self.hand.ui(ui, shown);
        match self.hand.hand {
            Hand::Rocket => shots(ui, &mut self.shot, shown, actions),
            Hand::Brush => self.carve_and_fill(ui, shown, actions),
            _ => {}
        }
        super::hand::probes(ui, shown, actions);
    }

    /// The tool with its points: a hull goes from a little before the marked faces to `depth` behind them, or the other
    /// way round to be filled.
    pub fn wanted(&self, fill: bool) -> Tool {
        let mut tool = self.tool.clone();
        if tool.shape == ToolShape::Hull {
            let (out, inwards) = match fill {
                false => (crate::carve::shape::ABOVE_M, tool.depth),
                true => (tool.depth, crate::carve::shape::ABOVE_M),
            };
            let ends = |[p, n]: &[DVec3; 2]| [*p + *n * out, *p - *n * inwards];
            tool.points = self.marks.iter().flat_map(ends).map(Into::into).collect();
        }
        tool
    }

    /// The next shape.
    pub fn next_shape(&mut self) {
        let all = ToolShape::ALL;
        let now = all.iter().position(|s| *s == self.tool.shape).unwrap_or(0);
        self.tool.shape = all[(now + 1) % all.len()];
    }

    /// Turns about one of the three axes, a step on.
    pub fn turn(&mut self, axis: usize) {
        let degrees = self.tool.rotation[axis].to_degrees();
        let next = ((degrees / TURN).round() + 1.0) * TURN;
        self.tool.rotation[axis] = (next % 360.0).to_radians();
    }

    /// Larger or smaller, deeper or shallower, by a factor.
    pub fn scale(&mut self, size: f64, depth: f64) {
        let within = |x: f64| x.clamp(*RANGE.start(), *RANGE.end());
        self.tool.size = within(self.tool.size * size);
        self.tool.depth = within(self.tool.depth * depth);
    }

    fn carve_and_fill(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let Self {
            hand: _,
            tool,
            aim,
            marks,
            shot: _,
        } = self;
        let Tool {
            shape,
            size,
            depth,
            rotation,
            points: _,
            aimed,
        } = tool;
        theme::section(ui, "CARVE AND FILL");
        let tip = shown.tip("The shape to carve or fill.", &[Does::Shape]);
        theme::row(ui, "shape", &tip, |ui| {
            let chosen = egui::ComboBox::from_id_salt("shape").selected_text(name(*shape).0);
            let opened = chosen.show_ui(ui, |ui| {
                for each in ToolShape::ALL {
                    let (name, tip) = name(each);
                    ui.selectable_value(shape, each, name).with_tip(tip);
                }
            });
            opened.response.with_tip(name(*shape).1);
        });
        let metres = |ui: &mut egui::Ui, value: &mut f64| {
            theme::slider(ui, value, RANGE, |slider| {
                slider.logarithmic(true).suffix(" m").max_decimals(2)
            })
        };
        let why_not = idle(*shape);
        let tip = "Edge or diameter, metres.";
        let tip = shown.tip(tip, &[Does::ToolSmaller, Does::ToolLarger]);
        let tip = why_not.size.unwrap_or(&tip);
        theme::row(ui, "size", tip, |ui| {
            let slider = |ui: &mut egui::Ui| metres(ui, size);
            let row = ui.add_enabled_ui(why_not.size.is_none(), slider);
            row.inner.with_tip(tip);
        });
        let tip = "How deep it reaches into the surface, metres.";
        let tip = shown.tip(tip, &[Does::Shallower, Does::Deeper]);
        let tip = why_not.depth.unwrap_or(&tip);
        theme::row(ui, "depth", tip, |ui| {
            let slider = |ui: &mut egui::Ui| metres(ui, depth);
            let row = ui.add_enabled_ui(why_not.depth.is_none(), slider);
            row.inner.with_tip(tip);
        });
        if *shape == ToolShape::Hull {
            theme::row(
                ui,
                "points",
                "Corners of the hull, marked on walls.",
                |ui| {
                    ui.label(RichText::new(marks.len().to_string()).monospace());
                    let mark = ui.add_enabled(shown.open, egui::Button::new("Mark"));
                    if mark
                        .with_tip(shown.tip("Mark the point under the crosshair.", &[Does::Mark]))
                        .clicked()
                    {
                        actions.push(UiAction::Mark);
                    }
                    if ui
                        .button("Clear")
                        .with_tip("Clear all marked points.")
                        .clicked()
                    {
                        marks.clear();
                    }
                },
            );
        } else {
            let tip = "Rotation about the surface normal, tilt and roll, degrees.";
            let tip = shown.tip(tip, &[Does::Turn, Does::Tilt, Does::Roll]);
            let tip = why_not.turn.unwrap_or(&tip);
            theme::row(ui, "rotation", tip, |ui| {
                for angle in rotation.iter_mut() {
                    let mut degrees =
                        ((angle.to_degrees() + 180.0).rem_euclid(360.0) - 180.0).round();
                    let drag = egui::DragValue::new(&mut degrees)
                        .speed(1.0)
                        .range(-180.0..=180.0)
                        .max_decimals(0)
                        .suffix("°");
                    let field = ui.add_enabled(why_not.turn.is_none(), drag);
                    if field.with_tip(tip).changed() {
                        *angle = degrees.to_radians();
                    }
                }
            });
        }
        ui.horizontal(|ui| {
            let wide = egui::vec2((ui.available_width() - 6.0) / 2.0, 22.0);
            let carve = ui.add_enabled(shown.open, egui::Button::new("Carve").min_size(wide));
            let tip = "Cut the shape out of the face under the crosshair.";
            let tip = shown.tip(tip, &[Does::Carve]);
            if carve.with_tip(tip).clicked() {
                actions.push(UiAction::Carve);
            }
            let fill = ui.add_enabled(shown.open, egui::Button::new("Fill").min_size(wide));
            let tip = "Add the shape as solid on the face under the crosshair.";
            let tip = shown.tip(tip, &[Does::Fill]);
            if fill.with_tip(tip).clicked() {
                actions.push(UiAction::Fill);
            }
        });
        theme::row(ui, "place", "Where the shape goes.", |ui| {
            let mut is_kept = aimed.is_some();
            let tip = "Pin the shape where it is aimed, with handles to move, rotate and resize it while the mouse is free.";
            let tip = shown.tip(tip, &[Does::Place]);
            let tip = why_not.place.unwrap_or(&tip);
            // One that is kept can be let go, whatever has become of it.
            let can = is_kept || why_not.place.is_none();
            let check = egui::Checkbox::new(&mut is_kept, "pinned");
            if ui.add_enabled(can, check).with_tip(tip).changed() {
                actions.push(UiAction::Press(Does::Place));
            }
        });
        let tip = shown.tip("Show what the next carve or fill would do.", &[Does::Aim]);
        theme::row(ui, "preview", &tip, |ui| {
            let inks = theme::inks(ui);
            let carve = "Shows the cut, the portals it would open and what falls.";
            let fill = "Shows where the fill would go.";
            let words = [
                ("cut", inks.asked),
                ("portals", inks.open),
                ("falls", inks.hit),
            ];
            for (each, name, tip) in [
                (Aim::Off, "off", theme::in_inks("No preview.", &[])),
                (Aim::Carve, "carve", theme::in_inks(carve, &words)),
                (
                    Aim::Fill,
                    "fill",
                    theme::in_inks(fill, &[("fill", inks.asked)]),
                ),
            ] {
                ui.selectable_value(aim, each, name).with_tip(tip);
            }
        });
        match (*aim, shown.preview) {
            (Aim::Off, _) => took(ui, shown),
            (_, None) => muted(ui, "no face under the crosshair"),
            (_, Some(preview)) => expected(ui, preview),
        }
    }
}

/// Why a form has no use for some of what a tool has; None: it has.
#[derive(Default)]
pub(super) struct Idle {
    pub size: Option<&'static str>,
    pub depth: Option<&'static str>,
    pub turn: Option<&'static str>,
    pub place: Option<&'static str>,
}

/// What a form has no use for.
pub(super) fn idle(shape: ToolShape) -> Idle {
    match shape {
        ToolShape::Hull => Idle {
            size: Some("The size of a hull follows from its points."),
            depth: None,
            turn: Some("The rotation of a hull follows from its points."),
            place: Some("A hull stays where its points were marked."),
        },
        ToolShape::Rock | ToolShape::Concrete | ToolShape::Metal => Idle {
            depth: Some("The depth of a blast follows from its size."),
            turn: Some("A blast is random and cannot be rotated."),
            ..Idle::default()
        },
        ToolShape::Box
        | ToolShape::Ball
        | ToolShape::Cylinder
        | ToolShape::Cone
        | ToolShape::Wedge
        | ToolShape::Slab => Idle::default(),
    }
}

/// A shape's name and what it is.
fn name(shape: ToolShape) -> (&'static str, &'static str) {
    match shape {
        ToolShape::Box => ("Box", "As wide as it is high."),
        ToolShape::Ball => ("Ball", "80 sides."),
        ToolShape::Cylinder => ("Cylinder", "16 sides and two caps."),
        ToolShape::Cone => ("Cone", "Tapers to a point."),
        ToolShape::Wedge => ("Wedge", "Tapers to an edge."),
        ToolShape::Slab => (
            "Slab",
            "One eighth as high as it is wide, for slits and shelves.",
        ),
        ToolShape::Hull => ("Hull", "The convex hull of points marked on walls."),
        ToolShape::Rock => ("Rock blast", "A crater as rock breaks."),
        ToolShape::Concrete => ("Concrete blast", "A crater as concrete breaks."),
        ToolShape::Metal => ("Metal blast", "A crater as metal tears."),
    }
}

fn muted(ui: &mut egui::Ui, text: &str) {
    ui.label(RichText::new(text).color(theme::muted(ui)));
}

/// What the last carve or fill took.
fn took(ui: &mut egui::Ui, shown: &Shown) {
    let tip = "The last carve or fill in total, and the part spent rebuilding box trees.";
    theme::row(ui, "time taken", tip, |ui| {
        let text = match shown.chip {
            Some(chip) => format!("{:.1} ms, trees {:.1} ms", chip.ms, chip.rebuild_ms),
            None => "–".into(),
        };
        ui.label(RichText::new(text).monospace()).with_tip(tip);
    });
}

/// What the next one would do.
fn expected(ui: &mut egui::Ui, preview: &PreviewChip) {
    let PreviewChip {
        refused,
        faces,
        portals,
        islands,
        falls_m3,
        volume_m3,
        expected_ms,
    } = preview;
    if let Some(why) = refused {
        ui.colored_label(theme::warn(ui), why);
        return;
    }
    let ms = expected_ms.map_or("–".into(), |ms| format!("{ms:.2} ms"));
    let falls = match islands {
        0 => "nothing falls".into(),
        n => format!("{n} fall"),
    };
    for (text, tip) in [
        (
            format!("{} in about {ms}", litres(volume_m3.abs())),
            "Volume that would be removed or added, and how long recent carves took.".into(),
        ),
        (
            format!("{faces} faces · {portals} portals · {falls}"),
            format!(
                "Faces it would touch, portals it would open, and pieces that would fall ({} in all).",
                litres(*falls_m3)
            ),
        ),
    ] {
        ui.label(text).with_tip(tip);
    }
}

/// A volume in words: litres below a tenth of a cubic metre.
fn litres(m3: f64) -> String {
    match m3 < 0.1 {
        true => format!("{:.2} l", m3 * 1000.0),
        false => format!("{m3:.2} m³"),
    }
}

fn camera_and_time(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    theme::section(ui, "CAMERA AND TIME");
    theme::row(ui, "camera", "How the camera moves.", |ui| {
        use CameraMode::{Fly, NoClip, Walk};
        for (mode, name, tip, does) in [
            (Walk, "Walk", "Gravity, steps and jumps.", Does::WalkFly),
            (Fly, "Fly", "Fly freely; walls stop you.", Does::WalkFly),
            (NoClip, "No-clip", "Fly freely through walls.", Does::NoClip),
        ] {
            let tip = shown.tip(tip, &[does]);
            if ui
                .selectable_label(shown.camera == mode, name)
                .with_tip(tip)
                .clicked()
            {
                actions.push(UiAction::Camera(mode));
            }
        }
    });
    theme::row(ui, "time", "Pause, single-step, slow motion.", |ui| {
        let pause = ui.selectable_label(shown.paused, "Pause");
        if pause
            .with_tip(shown.tip(
                "Pause the simulation. A change made while paused advances it by one tick.",
                &[Does::Pause],
            ))
            .clicked()
        {
            actions.push(UiAction::Pause(!shown.paused));
        }
        let step = ui.add_enabled(shown.paused, egui::Button::new("Step"));
        if step
            .with_tip(shown.tip("One tick, 1/60 s, while paused.", &[Does::Step]))
            .clicked()
        {
            actions.push(UiAction::Step);
        }
        if ui
            .selectable_label(shown.slow, "Slow")
            .with_tip(shown.tip("One fifth of normal speed.", &[Does::Slow]))
            .clicked()
        {
            actions.push(UiAction::Slow(!shown.slow));
        }
    });
}

/// A shot's name, what it does, and what takes it into the hand.
fn shot_name(shot: Shot) -> (&'static str, &'static str, Does) {
    match shot {
        Shot::Rocket => ("Rocket", "Explodes where it hits.", Does::Rockets),
        Shot::Grenade => (
            "Grenade",
            "Bounces and rolls until its fuse runs out, then explodes.",
            Does::Grenades,
        ),
        Shot::Drill => (
            "Drill",
            "Bores a straight round hole into what is under the crosshair.",
            Does::Drills,
        ),
        Shot::Ball => (
            "Ball",
            "A heavy iron ball that breaks nothing and pushes everything.",
            Does::Balls,
        ),
    }
}

/// A number with a slider, logarithmic.
fn number(
    ui: &mut egui::Ui,
    (name, tip): (&str, &str),
    value: &mut f64,
    range: std::ops::RangeInclusive<f64>,
    unit: &str,
) {
    theme::row(ui, name, tip, |ui| {
        theme::slider(ui, value, range, |slider| {
            slider.logarithmic(true).suffix(unit).max_decimals(2)
        })
        .with_tip(tip);
    });
}

fn shots(ui: &mut egui::Ui, shot: &mut Shot, shown: &Shown, actions: &mut Vec<UiAction>) {
    theme::section(ui, "SHOOT");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for each in Shot::ALL {
            let (name, tip, does) = shot_name(each);
            ui.selectable_value(shot, each, name)
                .with_tip(shown.tip(tip, &[does]));
        }
    });
    let mut settings = shown.settings.clone();
    let own = &mut settings.shots;
    match shot {
        Shot::Rocket => {
            let tip = "Flies straight, or falls under gravity.";
            theme::row(ui, "flight", tip, |ui| {
                ui.checkbox(&mut own.rocket_falls, "falls").with_tip(tip);
            });
        }
        Shot::Grenade => {
            let tip = "Seconds from throw to blast.";
            number(ui, ("fuse", tip), &mut own.fuse_secs, 0.1..=20.0, " s");
            let tip = "Fraction of its speed kept at a bounce. The fraction of height kept is the square of it.";
            theme::row(ui, "bounce", tip, |ui| {
                theme::slider(ui, &mut own.bounce, 0.0..=0.95, |s| s.max_decimals(2)).with_tip(tip);
            });
        }
        Shot::Drill => {
            let tip = "Radius of the hole, metres.";
            number(ui, ("radius", tip), &mut own.drill_radius, 0.02..=2.0, " m");
            let tip = "How deep it drills, metres; less in hard walls.";
            number(ui, ("depth", tip), &mut own.drill_depth, 0.1..=40.0, " m");
        }
        Shot::Ball => {
            let tip = "Mass of the ball, kilograms; it is half a metre across.";
            number(ui, ("mass", tip), &mut own.ball_mass, 1.0..=20_000.0, " kg");
        }
    }
    if shot.explodes() {
        blasts(ui, shown, &mut settings);
    }
    if settings != *shown.settings {
        actions.push(UiAction::Set(Box::new(settings)));
    }
}

fn blasts(ui: &mut egui::Ui, shown: &Shown, settings: &mut Settings) {
    let tip = "Radius of the blast, metres; smaller in hard walls. The mouse wheel changes it too.";
    let tip = shown.tip(tip, &[Does::Smaller, Does::Larger]);
    theme::row(ui, "radius", &tip, |ui| {
        let [least, most] = BLAST_RADII;
        theme::slider(ui, &mut settings.blast_radius, least..=most, |slider| {
            slider.logarithmic(true).suffix(" m").max_decimals(2)
        })
        .with_tip(tip.as_str());
    });
    theme::row(ui, "crater", "How the crater looks.", |ui| {
        for shape in ["rock", "concrete", "metal"] {
            let tip = format!("A crater as {shape} breaks.");
            if ui
                .selectable_label(settings.blast_shape == shape, shape)
                .with_tip(tip)
                .clicked()
            {
                settings.blast_shape = shape.into();
            }
        }
    });
}

/// Crumbs and gravity.
pub(super) fn world(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    theme::section(ui, "CRUMBS");
    let mut settings = shown.settings.clone();
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.debris, "thrown by carves")
            .with_tip("Each carve throws crumbs that fall, bounce and come to rest.");
        if ui
            .add_enabled(shown.open, egui::Button::new("Clear"))
            .with_tip("Remove all crumbs.")
            .clicked()
        {
            actions.push(UiAction::ClearDebris);
        }
    });
    let tip = "The most there can be at once.";
    theme::row(ui, "max bodies", tip, |ui| {
        theme::slider(ui, &mut settings.max_bodies, 0..=20_000, |s| s).with_tip(tip);
    });
    let tip = "Downward acceleration, m/s²; for debris and for walking.";
    theme::row(ui, "gravity", tip, |ui| {
        theme::slider(ui, &mut settings.gravity, 0.0..=100.0, |s| {
            s.max_decimals(2)
        })
        .with_tip(tip);
    });
    if settings != *shown.settings {
        actions.push(UiAction::Set(Box::new(settings)));
    }
}
