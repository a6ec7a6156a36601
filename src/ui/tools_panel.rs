//! The panel of camera, time, shots, Carve and Fill.
use super::theme::Tipped;
use super::{
    CameraMode, KeyCommand, PreviewBreaks, PreviewChip, ToolKind, ToolState, UiCommand, UiState,
    theme,
};
use crate::carve::blast::BlastShape;
use crate::sim::{BLAST_RADII, Settings, Shot, Tool, ToolShape};
use egui::RichText;
use glam::DVec3;

/// The tool whose result is previewed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewMode {
    /// None.
    #[default]
    Off,
    /// Carve.
    Carve,
    /// Fill.
    Fill,
}

impl PreviewMode {
    /// The next mode, cyclically.
    pub fn next(self) -> Self {
        match self {
            PreviewMode::Off => PreviewMode::Carve,
            PreviewMode::Carve => PreviewMode::Fill,
            PreviewMode::Fill => PreviewMode::Off,
        }
    }
}

/// Smallest and largest size and depth on the sliders, metres.
const RANGE: std::ops::RangeInclusive<f64> = 0.02..=20.0;
/// Rotation per key press, degrees.
const TURN: f64 = 15.0;

/// Camera, time, shots, Carve and Fill.
#[derive(Default)]
pub struct ToolsPanel {
    /// The selected tool and its settings.
    pub held: ToolState,
    /// The brush of Carve and Fill; a hull's points come from `marks`.
    pub tool: Tool,
    /// The kind of shot that the rocket tool fires.
    pub shot: Shot,
    /// Whether a carve or a fill is previewed.
    pub preview_mode: PreviewMode,
    /// Points marked for a hull, each with the normal of its face, metres.
    pub marks: Vec<[DVec3; 2]>,
}

impl ToolsPanel {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        camera_and_time(ui, state, commands);
        self.held.ui(ui, state);
        match self.held.kind {
            ToolKind::Rocket => shots(ui, &mut self.shot, state, commands),
            ToolKind::Brush => self.carve_and_fill(ui, state, commands),
            ToolKind::Ray
            | ToolKind::Sweep
            | ToolKind::Sight
            | ToolKind::Pick
            | ToolKind::Grab
            | ToolKind::Measure => {}
        }
        super::tool_state::results(ui, state, commands);
    }

    /// The brush with its points: a carved hull goes from a little before the marked faces to `depth` behind them, a
    /// filled one the other way round.
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

    /// Selects the next shape.
    pub fn next_shape(&mut self) {
        let all = ToolShape::ALL;
        let now = all.iter().position(|s| *s == self.tool.shape).unwrap_or(0);
        self.tool.shape = all[(now + 1) % all.len()];
    }

    /// Rotates about one of the three axes by a step.
    pub fn turn(&mut self, axis: usize) {
        let degrees = self.tool.rotation[axis].to_degrees();
        let next = ((degrees / TURN).round() + 1.0) * TURN;
        self.tool.rotation[axis] = (next % 360.0).to_radians();
    }

    /// Scales size and depth by a factor.
    pub fn scale(&mut self, size: f64, depth: f64) {
        let within = |x: f64| x.clamp(*RANGE.start(), *RANGE.end());
        self.tool.size = within(self.tool.size * size);
        self.tool.depth = within(self.tool.depth * depth);
    }

    fn carve_and_fill(
        &mut self,
        ui: &mut egui::Ui,
        state: &UiState,
        commands: &mut Vec<UiCommand>,
    ) {
        let Self {
            held: _,
            tool,
            preview_mode,
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
        let tip = state.tip("The shape to carve or fill.", &[KeyCommand::NextShape]);
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
        let why_not = unavailable(*shape);
        let tip = "Edge or diameter, metres.";
        let tip = state.tip(tip, &[KeyCommand::SmallerShape, KeyCommand::LargerShape]);
        let tip = why_not.size.unwrap_or(&tip);
        theme::row(ui, "size", tip, |ui| {
            let slider = |ui: &mut egui::Ui| metres(ui, size);
            let row = ui.add_enabled_ui(why_not.size.is_none(), slider);
            row.inner.with_tip(tip);
        });
        let tip = "How deep it reaches into the surface, metres.";
        let tip = state.tip(tip, &[KeyCommand::ShallowerShape, KeyCommand::DeeperShape]);
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
                    let mark = ui.add_enabled(state.open, egui::Button::new("Mark"));
                    if mark
                        .with_tip(state.tip(
                            "Mark the point under the crosshair.",
                            &[KeyCommand::MarkHullPoint],
                        ))
                        .clicked()
                    {
                        commands.push(UiCommand::MarkHullPoint);
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
            let tip = state.tip(
                tip,
                &[
                    KeyCommand::RotateShape,
                    KeyCommand::TiltShape,
                    KeyCommand::RollShape,
                ],
            );
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
            let carve = ui.add_enabled(state.open, egui::Button::new("Carve").min_size(wide));
            let tip = "Cut the shape out of the face under the crosshair.";
            let tip = state.tip(tip, &[KeyCommand::Carve]);
            if carve.with_tip(tip).clicked() {
                commands.push(UiCommand::Carve);
            }
            let fill = ui.add_enabled(state.open, egui::Button::new("Fill").min_size(wide));
            let tip = "Add the shape as solid on the face under the crosshair.";
            let tip = state.tip(tip, &[KeyCommand::Fill]);
            if fill.with_tip(tip).clicked() {
                commands.push(UiCommand::Fill);
            }
        });
        theme::row(ui, "place", "Where the shape goes.", |ui| {
            let mut is_kept = aimed.is_some();
            let tip = "Pin the shape where it is aimed, with handles to move, rotate and resize it while the mouse is free.";
            let tip = state.tip(tip, &[KeyCommand::PinShape]);
            let tip = why_not.place.unwrap_or(&tip);
            // A pinned shape can always be released.
            let can = is_kept || why_not.place.is_none();
            let check = egui::Checkbox::new(&mut is_kept, "pinned");
            if ui.add_enabled(can, check).with_tip(tip).changed() {
                commands.push(UiCommand::Key(KeyCommand::PinShape));
            }
        });
        let tip = state.tip(
            "Show what the next carve or fill would do.",
            &[KeyCommand::Preview],
        );
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
                (PreviewMode::Off, "off", theme::in_inks("No preview.", &[])),
                (PreviewMode::Carve, "carve", theme::in_inks(carve, &words)),
                (
                    PreviewMode::Fill,
                    "fill",
                    theme::in_inks(fill, &[("fill", inks.asked)]),
                ),
            ] {
                ui.selectable_value(preview_mode, each, name).with_tip(tip);
            }
        });
        match (*preview_mode, state.preview) {
            (PreviewMode::Off, _) => took(ui, state),
            (_, None) => muted(ui, "no face under the crosshair"),
            (_, Some(preview)) => expected(ui, preview),
        }
    }
}

/// Why a shape ignores some of the brush's settings; None: it uses them.
#[derive(Default)]
pub(super) struct Unavailable {
    pub size: Option<&'static str>,
    pub depth: Option<&'static str>,
    pub turn: Option<&'static str>,
    pub place: Option<&'static str>,
}

/// The settings that a shape ignores.
pub(super) fn unavailable(shape: ToolShape) -> Unavailable {
    match shape {
        ToolShape::Hull => Unavailable {
            size: Some("The size of a hull follows from its points."),
            depth: None,
            turn: Some("The rotation of a hull follows from its points."),
            place: Some("A hull stays where its points were marked."),
        },
        ToolShape::Rock | ToolShape::Concrete | ToolShape::Metal => Unavailable {
            depth: Some("The depth of a blast follows from its size."),
            turn: Some("A blast is random and cannot be rotated."),
            ..Unavailable::default()
        },
        ToolShape::Box
        | ToolShape::Ball
        | ToolShape::Cylinder
        | ToolShape::Cone
        | ToolShape::Wedge
        | ToolShape::Slab => Unavailable::default(),
    }
}

/// A shape's name and tip.
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

/// The time of the last carve or fill.
fn took(ui: &mut egui::Ui, state: &UiState) {
    let tip = "The last carve or fill in total, and the part spent rebuilding box trees.";
    theme::row(ui, "time taken", tip, |ui| {
        let text = match state.chip {
            Some(chip) => format!("{:.1} ms, trees {:.1} ms", chip.ms, chip.rebuild_ms),
            None => "–".into(),
        };
        ui.label(RichText::new(text).monospace()).with_tip(tip);
    });
}

/// The preview in numbers.
fn expected(ui: &mut egui::Ui, preview: &PreviewChip) {
    let PreviewChip {
        refused,
        faces,
        portals,
        islands,
        falls_m3,
        breaks,
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
    if let Some(breaks) = breaks {
        let tip = format!(
            "Sections too weak for their load after it, and pieces that would fall as they break ({} in all).",
            litres(breaks.falls_m3)
        );
        ui.label(breaks_words(breaks)).with_tip(tip);
    }
}

/// What would break, in words.
fn breaks_words(breaks: &PreviewBreaks) -> String {
    let more = if breaks.is_under_way { " …" } else { "" };
    match (breaks.sections, breaks.pieces) {
        (0, _) if breaks.is_under_way => "strength: working it out …".into(),
        (0, _) => "nothing breaks under its load".into(),
        (sections, 0) => format!("{sections} sections break, nothing falls{more}"),
        (sections, pieces) => format!("{sections} sections break, {pieces} fall{more}"),
    }
}

/// A volume as text: litres below a tenth of a cubic metre.
fn litres(m3: f64) -> String {
    match m3 < 0.1 {
        true => format!("{:.2} l", m3 * 1000.0),
        false => format!("{m3:.2} m³"),
    }
}

fn camera_and_time(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    theme::section(ui, "CAMERA AND TIME");
    theme::row(ui, "camera", "How the camera moves.", |ui| {
        use CameraMode::{Fly, NoClip, Walk};
        for (mode, name, tip, command) in [
            (
                Walk,
                "Walk",
                "Gravity, steps and jumps.",
                KeyCommand::WalkFly,
            ),
            (
                Fly,
                "Fly",
                "Fly freely; walls stop you.",
                KeyCommand::WalkFly,
            ),
            (
                NoClip,
                "No-clip",
                "Fly freely through walls.",
                KeyCommand::NoClip,
            ),
        ] {
            let tip = state.tip(tip, &[command]);
            if ui
                .selectable_label(state.camera == mode, name)
                .with_tip(tip)
                .clicked()
            {
                commands.push(UiCommand::SetCamera(mode));
            }
        }
    });
    theme::row(ui, "time", "Pause, single-step, slow motion.", |ui| {
        let pause = ui.selectable_label(state.paused, "Pause");
        if pause
            .with_tip(state.tip(
                "Pause the simulation. A change made while paused advances it by one tick.",
                &[KeyCommand::Pause],
            ))
            .clicked()
        {
            commands.push(UiCommand::Pause(!state.paused));
        }
        let step = ui.add_enabled(state.paused, egui::Button::new("Step"));
        if step
            .with_tip(state.tip("One tick, 1/60 s, while paused.", &[KeyCommand::Step]))
            .clicked()
        {
            commands.push(UiCommand::Step);
        }
        if ui
            .selectable_label(state.slow, "Slow")
            .with_tip(state.tip("One fifth of normal speed.", &[KeyCommand::Slow]))
            .clicked()
        {
            commands.push(UiCommand::Slow(!state.slow));
        }
    });
}

/// A shot's name, tip, and command.
fn shot_name(shot: Shot) -> (&'static str, &'static str, KeyCommand) {
    match shot {
        Shot::Rocket => ("Rocket", "Explodes where it hits.", KeyCommand::Rockets),
        Shot::Grenade => (
            "Grenade",
            "Bounces and rolls until its fuse runs out, then explodes.",
            KeyCommand::Grenades,
        ),
        Shot::Drill => (
            "Drill",
            "Bores a straight round hole into what is under the crosshair.",
            KeyCommand::Drills,
        ),
        Shot::Ball => (
            "Ball",
            "A heavy iron ball that breaks nothing and pushes everything.",
            KeyCommand::Balls,
        ),
    }
}

/// A row with a logarithmic slider.
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

fn shots(ui: &mut egui::Ui, shot: &mut Shot, state: &UiState, commands: &mut Vec<UiCommand>) {
    theme::section(ui, "SHOOT");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for each in Shot::ALL {
            let (name, tip, command) = shot_name(each);
            ui.selectable_value(shot, each, name)
                .with_tip(state.tip(tip, &[command]));
        }
    });
    let mut settings = state.settings.clone();
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
        blasts(ui, state, &mut settings);
    }
    if settings != *state.settings {
        commands.push(UiCommand::SetSettings(Box::new(settings)));
    }
}

fn blasts(ui: &mut egui::Ui, state: &UiState, settings: &mut Settings) {
    let tip = "Radius of the blast, metres; smaller in hard walls. The mouse wheel changes it too.";
    let tip = state.tip(tip, &[KeyCommand::SmallerBlast, KeyCommand::LargerBlast]);
    theme::row(ui, "radius", &tip, |ui| {
        let [least, most] = BLAST_RADII;
        theme::slider(ui, &mut settings.blast_radius, least..=most, |slider| {
            slider.logarithmic(true).suffix(" m").max_decimals(2)
        })
        .with_tip(tip.as_str());
    });
    theme::row(ui, "crater", "How the crater looks.", |ui| {
        for shape in BlastShape::ALL {
            let tip = format!("A crater as {} breaks.", shape.name());
            ui.selectable_value(&mut settings.blast_shape, shape, shape.name())
                .with_tip(tip);
        }
    });
}

/// Crumbs and gravity.
pub(super) fn world(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    theme::section(ui, "CRUMBS");
    let mut settings = state.settings.clone();
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.debris, "thrown by carves")
            .with_tip("Each carve throws crumbs that fall, bounce and come to rest.");
        if ui
            .add_enabled(state.open, egui::Button::new("Clear"))
            .with_tip("Remove all crumbs.")
            .clicked()
        {
            commands.push(UiCommand::ClearDebris);
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
    if settings != *state.settings {
        commands.push(UiCommand::SetSettings(Box::new(settings)));
    }
}
