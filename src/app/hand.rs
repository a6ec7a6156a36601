//! What a click does with the tool in the hand: fires, probes, picks, carries, measures.
use super::App;
use super::inspect::words;
use crate::bvh::QueryStats;
use crate::carve::shape::axes;
use crate::geom::Ray;
use crate::sim::{Action, Shot, Sim, tool_ray};
use crate::ui::{Aim, BrushShown, Hand, NoticeKind, PanelId, UiAction};
use crate::view::pick::{Target, pick, pick_lines, ray_from_pixel};
use crate::view::{Inks, Line, clip_from_world, with_alpha};
use crate::world::CastHit;
use glam::{DVec2, DVec3};

/// How far probes reach, metres.
const REACH: f64 = 200.0;
/// How far an arm reaches, metres.
const ARM: f64 = 6.0;
/// What was carried is lost when it is farther than this from where it was in the last tick, metres.
const LOST: f64 = 1.5;
/// A throw, metres a second.
const THROW: f64 = 14.0;
/// Ticks between the rockets of a burst.
const BURST_TICKS: u32 = 6;
/// A charged blast starts with this radius, doubles in so many seconds, and ends with this one, metres.
const CHARGE: [f64; 3] = [0.3, 0.5, 8.0];
/// At most so many results are kept.
const PROBES: usize = 32;

/// A result as lines: it stays until it is cleared, and the palette may change meanwhile.
type Drawing = Box<dyn Fn(&Inks) -> Vec<Line>>;

/// What the hand has done and is doing.
#[derive(Default)]
pub struct InHand {
    /// What was found, in words, newest last.
    pub said: Vec<String>,
    drawings: Vec<Drawing>,
    /// Where measuring began.
    from: Option<DVec3>,
    carried: Option<Carried>,
    /// Rockets still to be fired, and ticks until the next.
    burst: [u32; 2],
    shot: Shot,
    /// Of the burst's blasts, metres, if it was charged.
    blast_radius: Option<f64>,
    /// The same while the button is held.
    charging: Option<f64>,
}

/// A body that is carried.
struct Carried {
    body: usize,
    distance: f64,
    /// Where it was in the last tick.
    last: DVec3,
}

impl InHand {
    fn keep(&mut self, (text, drawing): (String, Drawing)) {
        if self.said.len() == PROBES {
            self.said.remove(0);
            drop(self.drawings.remove(0));
        }
        self.said.push(text);
        self.drawings.push(drawing);
    }

    /// Forgets all results.
    pub fn clear(&mut self) {
        self.said.clear();
        self.drawings.clear();
        self.from = None;
    }

    /// To be drawn in the world.
    pub fn lines(&self, inks: &Inks) -> impl Iterator<Item = Line> {
        self.drawings.iter().flat_map(move |drawing| drawing(inks))
    }

    /// Fires no more, throws nothing, lets go of what is carried.
    pub fn rest(&mut self) {
        self.burst = [0; 2];
        self.charging = None;
        self.carried = None;
    }

    /// Something is to be fired in the next tick.
    pub fn fires(&self) -> bool {
        let [left, wait] = self.burst;
        left > 0 && wait == 0
    }

    /// Radius of the blast that is being charged, metres.
    pub fn charging(&self) -> Option<f64> {
        self.charging
    }

    /// What it does in the next tick.
    pub fn tick(&mut self, sim: &Sim, look: DVec3) -> Vec<Action> {
        let mut actions = Vec::new();
        let [left, wait] = &mut self.burst;
        if *left > 0 && *wait == 0 {
            actions.push(match (self.shot, self.blast_radius) {
                (shot, Some(radius)) => Action::Charged { shot, radius },
                (Shot::Rocket, None) => Action::Fire,
                (shot, None) => Action::Shoot(shot),
            });
            (*left, *wait) = (*left - 1, BURST_TICKS);
        }
        *wait = wait.saturating_sub(1);
        if let Some(carried) = &mut self.carried {
            let body = sim.bodies.get(carried.body);
            match body.filter(|body| body.position.distance(carried.last) < LOST) {
                Some(body) => {
                    carried.last = body.position;
                    let to = sim.player.eye + look * carried.distance;
                    actions.push(Action::Carry {
                        body: carried.body as u32,
                        to: to.into(),
                    });
                }
                None => self.carried = None,
            }
        }
        actions
    }
}

fn metres(p: DVec3) -> String {
    // What rounds to nothing is no minus nothing.
    let p = (p * 1e3).round() / 1e3 + DVec3::ZERO;
    format!("{:.3} {:.3} {:.3}", p.x, p.y, p.z)
}

fn line(from: DVec3, to: DVec3, ink: [f32; 3]) -> Line {
    Line {
        from,
        to,
        colour: with_alpha(ink, 1.0),
    }
}

/// A ray, or a sphere of a radius, along a look: what it met, in words and lines.
fn probe(sim: &Sim, look: DVec3, radius: f64) -> (String, Drawing) {
    let from = sim.player.eye;
    let to = from + look * REACH;
    let mut stats = QueryStats::default();
    let hit = match radius > 0.0 {
        true => sim.world.sweep_sphere(from, to, radius, &mut stats),
        false => sim.world.cast_ray(from, to, &mut stats),
    };
    let kind = match radius > 0.0 {
        true => format!("sweep r {radius:.2}"),
        false => "ray".into(),
    };
    let cost = format!("{} bins, {} faces", stats.bins, stats.faces);
    // Along one's own line of sight a line is a point: it starts a little lower.
    let start = from - DVec3::Y * 0.12;
    let Some(CastHit {
        fraction,
        point,
        normal,
        room,
        triangle,
    }) = hit
    else {
        let text = format!("{kind}: nothing within {REACH:.0} m; {cost}");
        let drawing = move |inks: &Inks| vec![line(start, to, inks.asked)];
        return (text, Box::new(drawing));
    };
    let text = format!(
        "{kind}: {:.3} m, fraction {fraction:.6}\npoint {}\nnormal {}\nroom {room}, triangle {triangle}; {cost}",
        fraction * REACH,
        metres(point),
        metres(normal)
    );
    let centre = from + (to - from) * fraction;
    let drawing = move |inks: &Inks| {
        let mut lines = vec![
            line(start, centre, inks.asked),
            line(point, point + normal * 0.4, inks.normal),
        ];
        if radius > 0.0 {
            lines.extend(circles(centre, normal, radius, inks.moving));
        }
        lines
    };
    (text, Box::new(drawing))
}

/// A sphere as three circles, one of them across an axis.
fn circles(centre: DVec3, axis: DVec3, radius: f64, ink: [f32; 3]) -> Vec<Line> {
    const SIDES: u32 = 24;
    let (u, v) = axis.any_orthonormal_pair();
    let circle = |[a, b]: [DVec3; 2]| {
        let at = move |i: u32| {
            let turn = f64::from(i) * std::f64::consts::TAU / f64::from(SIDES);
            let (sin, cos) = libm::sincos(turn);
            centre + (a * cos + b * sin) * radius
        };
        (0..SIDES).map(move |i| line(at(i), at(i + 1), ink))
    };
    let planes = [[u, v], [u, axis], [v, axis]];
    planes.into_iter().flat_map(circle).collect()
}

/// From one point to another, in words and lines.
fn measure(from: DVec3, to: DVec3) -> (String, Drawing) {
    let way = to - from;
    let text = format!(
        "{:.4} m\nx {:+.4}  y {:+.4}  z {:+.4}\nhorizontal {:.4} m, slope {:.1}°",
        way.length(),
        way.x,
        way.y,
        way.z,
        way.with_y(0.0).length(),
        libm::atan2(way.y, way.with_y(0.0).length()).to_degrees()
    );
    let drawing = move |inks: &Inks| vec![line(from, to, inks.asked)];
    (text, Box::new(drawing))
}

impl App {
    /// Where the eye looks now.
    fn look(&self) -> DVec3 {
        crate::sim::command::look_dir(self.input.yaw, self.input.pitch)
    }

    /// Keeps the form where it is aimed, or lets it follow the crosshair again.
    pub(super) fn place_brush(&mut self) {
        let dir = self.look();
        let Some(play) = &self.play else { return };
        let tools = &mut self.panels.tools;
        tools.hand.hand = Hand::Brush;
        tools.tool.aimed = match tools.tool.aimed {
            Some(_) => None,
            None => Some([play.sim.player.eye.into(), dir.into()]),
        };
        if tools.tool.aimed.is_some() && tools.aim == Aim::Off {
            tools.aim = if tools.hand.fill {
                Aim::Fill
            } else {
                Aim::Carve
            };
        }
    }

    /// Aims the form through a point of the picture.
    pub(super) fn move_brush(&mut self, at: DVec2) {
        let Some(camera) = self.camera_drawn else {
            return;
        };
        let Some(ray) = ray_from_pixel(&camera, at, DVec2::ONE) else {
            return;
        };
        self.panels.tools.tool.aimed = Some([ray.origin.into(), ray.dir.into()]);
    }

    /// Where the form that is kept in its place is in the picture.
    pub(super) fn brush_shown(&self) -> Option<BrushShown> {
        let (play, camera) = (self.play.as_ref()?, self.camera_drawn?);
        let tool = &self.panels.tools.tool;
        tool.aimed?;
        let [from, to] = tool_ray(&play.sim, tool)?;
        let hit = play
            .sim
            .world
            .cast_ray(from, to, &mut QueryStats::default())?;
        let [across, up, _] = axes(-hit.normal, tool.rotation).ok()?;
        let clip = clip_from_world(&camera);
        let place = |p: DVec3| {
            let p = clip * p.extend(1.0);
            let at = DVec2::new(p.x / p.w + 1.0, 1.0 - p.y / p.w) * 0.5;
            (p.w > 0.0 && at.is_finite()).then_some(at)
        };
        Some(BrushShown {
            centre: place(hit.point)?,
            side: place(hit.point + across * (tool.size * 0.5)).unwrap_or(DVec2::NAN),
            top: place(hit.point + up * (tool.size * 0.5)).unwrap_or(DVec2::NAN),
        })
    }

    /// Marks what the crosshair is on, for the line of sight; false where that is nothing.
    pub(super) fn mark_crosshair(&mut self) -> bool {
        let dir = self.look();
        let Some(play) = &self.play else { return false };
        let origin = play.sim.player.eye;
        let picked = pick(&play.sim, &Ray { origin, dir });
        if let Some(picked) = &picked {
            self.inspector.mark_at(picked);
        }
        picked.is_some()
    }

    /// The button went down.
    pub(super) fn hand_down(&mut self) {
        let look = self.look();
        let panel = &self.panels.tools.hand;
        let (hand, burst, charge, fill) = (panel.hand, panel.burst, panel.charge, panel.fill);
        let radius = panel.sweep_radius;
        self.hand.shot = self.panels.tools.shot;
        let Some(play) = &self.play else { return };
        let sim = &play.sim;
        match hand {
            Hand::Rocket if charge && self.hand.shot.explodes() => {
                self.hand.charging = Some(CHARGE[0]);
            }
            Hand::Rocket => {
                self.hand.blast_radius = None;
                self.hand.burst = [burst, 0];
            }
            Hand::Brush => self.act(if fill {
                UiAction::Fill
            } else {
                UiAction::Carve
            }),
            Hand::Ray | Hand::Sweep => {
                let radius = if hand == Hand::Sweep { radius } else { 0.0 };
                self.hand.keep(probe(sim, look, radius));
            }
            Hand::Sight => match self.mark_crosshair() {
                true => self.panels.dock.show(PanelId::Inspect, true),
                false => self.notify(NoticeKind::Warning, "Nothing under the crosshair.".into()),
            },
            Hand::Pick | Hand::Grab => {
                let ray = Ray {
                    origin: sim.player.eye,
                    dir: look,
                };
                let picked = pick(sim, &ray);
                match (hand, picked) {
                    (Hand::Pick, Some(picked)) => {
                        let (title, rows) = words(sim, &picked);
                        let rows = rows.iter().map(|(name, value)| format!("\n{name} {value}"));
                        let text = title + &rows.collect::<String>();
                        let drawing = move |inks: &Inks| pick_lines(&picked, inks);
                        self.hand.keep((text, Box::new(drawing)));
                    }
                    (Hand::Grab, Some(picked))
                        if picked.distance <= ARM
                            && let Target::Body(body, _) = picked.target
                            && let Some(found) = sim.bodies.get(body) =>
                    {
                        self.hand.carried = Some(Carried {
                            body,
                            distance: found.position.distance(sim.player.eye).clamp(1.0, ARM),
                            last: found.position,
                        });
                    }
                    (Hand::Grab, _) => {
                        let text = format!("No body within {ARM:.0} m under the crosshair.");
                        self.notify(NoticeKind::Warning, text);
                    }
                    _ => self.notify(NoticeKind::Warning, "Nothing under the crosshair.".into()),
                }
            }
            Hand::Measure => {
                let Some(hit) = play.crosshair() else {
                    return self.notify(NoticeKind::Warning, "No face under the crosshair.".into());
                };
                match self.hand.from.take() {
                    Some(from) => self.hand.keep(measure(from, hit.point)),
                    None => {
                        self.hand.from = Some(hit.point);
                        let text = format!("from {}", metres(hit.point));
                        let to = hit.point + hit.normal * 0.2;
                        let drawing = move |inks: &Inks| vec![line(hit.point, to, inks.asked)];
                        self.hand.keep((text, Box::new(drawing)));
                    }
                }
            }
        }
    }

    /// The button went up.
    pub(super) fn hand_up(&mut self) {
        self.hand.carried = None;
        if let Some(radius) = self.hand.charging.take() {
            self.hand.blast_radius = Some(radius);
            self.hand.burst = [self.panels.tools.hand.burst, 0];
        }
    }

    /// The other button went down.
    pub(super) fn hand_throw(&mut self) {
        let velocity = self.look() * THROW;
        if let Some(carried) = self.hand.carried.take() {
            self.queued.push(Action::Throw {
                body: carried.body as u32,
                velocity: velocity.into(),
            });
        }
    }

    /// What the hand does in the next tick.
    pub(super) fn hand_tick(&mut self) -> Vec<Action> {
        let look = self.look();
        if let Some(radius) = &mut self.hand.charging {
            let [_, doubles_secs, most] = CHARGE;
            let by = libm::exp2(crate::sim::TICK_SECS / doubles_secs);
            *radius = (*radius * by).min(most);
        }
        let Some(play) = &self.play else {
            return Vec::new();
        };
        self.hand.tick(&play.sim, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Body, Settings};
    use crate::timing::Silent;
    use crate::view::Palette;
    use strum::VariantArray;

    fn bunker() -> Sim {
        let text = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(text).expect("our own level");
        Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world")
    }

    #[test]
    fn probes_say_what_the_world_says_and_stay_until_cleared() {
        let sim = bunker();
        let look = sim.look_dir();
        let to = sim.player.eye + look * REACH;
        let hit = sim
            .world
            .cast_ray(sim.player.eye, to, &mut QueryStats::default());
        let far = hit.expect("a wall").fraction * REACH;
        let inks = Palette::Standard.inks();
        let (text, drawing) = probe(&sim, look, 0.0);
        assert!(text.starts_with(&format!("ray: {far:.3} m")), "{text}");
        assert!((drawing(&inks)[0].to.distance(sim.player.eye) - far).abs() < 1e-9);
        let (text, drawing) = probe(&sim, look, 0.25);
        let swept = drawing(&inks);
        assert!(text.starts_with("sweep r 0.25: "), "{text}");
        assert!(swept[0].to.distance(sim.player.eye) < far);
        let mut hand = InHand::default();
        for _ in 0..2 * PROBES {
            hand.keep(probe(&sim, look, 0.25));
        }
        assert_eq!(
            (hand.said.len(), hand.lines(&inks).count()),
            (PROBES, PROBES * swept.len())
        );
        // Whichever palette is chosen later.
        for palette in Palette::VARIANTS {
            let inks = palette.inks();
            let mut lines = hand.lines(&inks);
            assert!(lines.all(|line| inks.all().contains(&[0, 1, 2].map(|i| line.colour[i]))));
        }
        hand.clear();
        assert_eq!((hand.said.len(), hand.lines(&inks).count()), (0, 0));
    }

    #[test]
    fn a_measure_names_length_and_parts() {
        let (text, _) = measure(DVec3::ZERO, DVec3::new(3.0, 0.0, -4.0));
        assert!(
            text.starts_with("5.0000 m\nx +3.0000  y +0.0000  z -4.0000"),
            "{text}"
        );
        assert!(text.ends_with("slope 0.0°"), "{text}");
    }

    #[test]
    fn a_burst_is_spread_over_ticks_and_what_is_carried_is_said_in_each() {
        let mut sim = bunker();
        let mut hand = InHand {
            burst: [3, 0],
            ..InHand::default()
        };
        let look = sim.look_dir();
        let fired: Vec<usize> = (0..20).map(|_| hand.tick(&sim, look).len()).collect();
        assert_eq!(fired.iter().sum::<usize>(), 3);
        assert_eq!((fired[0], fired[6], fired[12]), (1, 1, 1));
        let at = sim.player.eye + look * 2.0;
        sim.bodies
            .change(|bodies| bodies.push(Body::new(at, 0.1, 0)));
        hand.carried = Some(Carried {
            body: 0,
            distance: 2.0,
            last: at,
        });
        let to = at.into();
        assert_eq!(hand.tick(&sim, look), [Action::Carry { body: 0, to }]);
        // Another body has its number now: it is let go.
        sim.bodies
            .change(|bodies| bodies[0].position += DVec3::X * 3.0);
        assert!(hand.tick(&sim, look).is_empty());
        assert!(hand.carried.is_none());
    }
}
