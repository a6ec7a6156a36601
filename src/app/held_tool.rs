//! The state of the tool in use: bursts, charges, a carried body, results of probes and measurements.
use crate::bvh::QueryStats;
use crate::sim::{Action, Shot, Sim};
use crate::view::{Inks, Line, with_alpha};
use crate::world::CastHit;
use glam::DVec3;

/// Reach of probes, metres.
const REACH: f64 = 200.0;
/// Reach of grabbing, metres.
pub(super) const ARM: f64 = 6.0;
/// A carried body that moved more than this in a tick is dropped, metres.
const LOST: f64 = 1.5;
/// Speed of a throw, metres a second.
pub(super) const THROW: f64 = 14.0;
/// Ticks between the rockets of a burst.
const BURST_TICKS: u32 = 6;
/// Charging a blast: initial radius (metres), doubling time (seconds), maximum radius (metres).
pub(super) const CHARGE: [f64; 3] = [0.3, 0.5, 8.0];
/// Maximum number of results.
const PROBES: usize = 32;

/// A result as lines, for any palette: it stays until cleared, and the palette may change.
type Drawing = Box<dyn Fn(&Inks) -> Vec<Line>>;

/// The results so far, and the action in progress.
#[derive(Default)]
pub struct HeldTool {
    /// Results as text, newest last.
    pub results: Vec<String>,
    drawings: Vec<Drawing>,
    /// Start of a measurement.
    pub from: Option<DVec3>,
    pub carried: Option<Carried>,
    /// Shots left in the burst, and ticks until the next.
    pub burst: [u32; 2],
    pub shot: Shot,
    /// Blast radius of the burst, metres, if it was charged.
    pub blast_radius: Option<f64>,
    /// Blast radius being charged while the button is held, metres.
    pub charging: Option<f64>,
}

/// A body that is carried.
pub(super) struct Carried {
    pub body: usize,
    pub distance: f64,
    /// Its position in the last tick.
    pub last: DVec3,
}

impl HeldTool {
    pub fn keep(&mut self, (text, drawing): (String, Drawing)) {
        if self.results.len() == PROBES {
            self.results.remove(0);
            drop(self.drawings.remove(0));
        }
        self.results.push(text);
        self.drawings.push(drawing);
    }

    /// Clears all results.
    pub fn clear(&mut self) {
        self.results.clear();
        self.drawings.clear();
        self.from = None;
    }

    /// The results as lines in the world.
    pub fn lines(&self, inks: &Inks) -> impl Iterator<Item = Line> {
        self.drawings.iter().flat_map(move |drawing| drawing(inks))
    }

    /// Stops firing and charging, and drops the carried body.
    pub fn rest(&mut self) {
        self.burst = [0; 2];
        self.charging = None;
        self.carried = None;
    }

    /// The next tick fires.
    pub fn fires(&self) -> bool {
        let [left, wait] = self.burst;
        left > 0 && wait == 0
    }

    /// Radius of the blast that is being charged, metres.
    pub fn charging(&self) -> Option<f64> {
        self.charging
    }

    /// The actions of the next tick.
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

pub(super) fn metres(p: DVec3) -> String {
    // Avoids negative zero.
    let p = (p * 1e3).round() / 1e3 + DVec3::ZERO;
    format!("{:.3} {:.3} {:.3}", p.x, p.y, p.z)
}

pub(super) fn line(from: DVec3, to: DVec3, ink: [f32; 3]) -> Line {
    Line {
        from,
        to,
        colour: with_alpha(ink, 1.0),
    }
}

/// Casts a ray, or sweeps a sphere, along the view: the hit as text and lines.
pub(super) fn probe(sim: &Sim, look: DVec3, radius: f64) -> (String, Drawing) {
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
    // The line starts a little lower: along the line of sight it would be a point.
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

/// A sphere as three circles, one of them perpendicular to an axis.
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

/// The distance between two points, as text and lines.
pub(super) fn measure(from: DVec3, to: DVec3) -> (String, Drawing) {
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
        let mut tool = HeldTool::default();
        for _ in 0..2 * PROBES {
            tool.keep(probe(&sim, look, 0.25));
        }
        assert_eq!(
            (tool.results.len(), tool.lines(&inks).count()),
            (PROBES, PROBES * swept.len())
        );
        // Whichever palette is chosen later.
        for palette in Palette::VARIANTS {
            let inks = palette.inks();
            let mut lines = tool.lines(&inks);
            assert!(lines.all(|line| inks.all().contains(&[0, 1, 2].map(|i| line.colour[i]))));
        }
        tool.clear();
        assert_eq!((tool.results.len(), tool.lines(&inks).count()), (0, 0));
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
        let mut tool = HeldTool {
            burst: [3, 0],
            ..HeldTool::default()
        };
        let look = sim.look_dir();
        let fired: Vec<usize> = (0..20).map(|_| tool.tick(&sim, look).len()).collect();
        assert_eq!(fired.iter().sum::<usize>(), 3);
        assert_eq!((fired[0], fired[6], fired[12]), (1, 1, 1));
        let at = sim.player.eye + look * 2.0;
        sim.bodies
            .change(|bodies| bodies.push(Body::new(at, 0.1, 0)));
        tool.carried = Some(Carried {
            body: 0,
            distance: 2.0,
            last: at,
        });
        let to = at.into();
        assert_eq!(tool.tick(&sim, look), [Action::Carry { body: 0, to }]);
        // Another body has its number now: it is let go.
        sim.bodies
            .change(|bodies| bodies[0].position += DVec3::X * 3.0);
        assert!(tool.tick(&sim, look).is_empty());
        assert!(tool.carried.is_none());
    }
}
