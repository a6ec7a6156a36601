//! The drawing of an experiment: shapes in metres, and rows of names and values.
use crate::collide::{SeparatingEdgeCache, SphereSweep, SweepHit};
use crate::geom::{Aabb, Obb, Plane};
use crate::view::Inks;
use glam::{DQuat, DVec2, DVec3};

/// The role of a shape, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The query shape, or the moving one.
    Asking,
    /// The target of the query.
    Asked,
    /// The answer.
    Answer,
    /// A normal, or a separating axis.
    Normal,
    /// The moving shape at the slider's time.
    Ghost,
    /// Auxiliary lines.
    Faint,
    /// The axes of an orientation.
    X,
    #[allow(missing_docs)]
    Y,
    #[allow(missing_docs)]
    Z,
}

impl Ink {
    /// Its colour, linear RGB. The axes share colours with other roles, but are longer.
    pub fn of(self, inks: &Inks) -> [f32; 3] {
        match self {
            Ink::Asking => inks.asked,
            Ink::Asked | Ink::Z => inks.open,
            Ink::Answer => inks.hit,
            Ink::Normal => inks.normal,
            Ink::Ghost | Ink::Y => inks.moving,
            Ink::Faint => inks.idle,
            Ink::X => inks.fresh,
        }
    }
}

/// One shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A straight line.
    Line(DVec3, DVec3, Ink),
    /// A line with an arrow head.
    Arrow(DVec3, DVec3, Ink),
    /// A dot.
    Point(DVec3, Ink),
    /// A filled convex polygon with its outline.
    Area(Vec<DVec3>, Ink),
}

/// The drawing of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// In the order of drawing.
    pub shapes: Vec<Shape>,
    /// Name and value.
    pub rows: Vec<(&'static str, String)>,
    /// The time of the slider, 0..=1.
    pub time: f64,
    /// The cache of the 2-D separation from the last frame.
    pub cache: SeparatingEdgeCache,
}

/// Sides of a drawn circle.
const CIRCLE: usize = 40;
/// Length of a drawn ray, metres.
const RAY: f64 = 40.0;

impl Drawing {
    /// Adds a row with a name and a value.
    pub fn say(&mut self, name: &'static str, value: impl ToString) {
        self.rows.push((name, value.to_string()));
    }

    /// Adds a row with a number of six digits, or "none".
    pub fn say_number(&mut self, name: &'static str, value: Option<f64>) {
        let text = value.map_or("none".into(), number);
        self.rows.push((name, text));
    }

    /// Adds a row with three coordinates.
    pub fn say_point(&mut self, name: &'static str, p: DVec3) {
        self.rows.push((name, coordinates(p)));
    }

    /// Adds a row with yes or no.
    pub fn say_whether(&mut self, name: &'static str, yes: bool) {
        self.say(name, if yes { "yes" } else { "no" });
    }

    pub fn point(&mut self, at: DVec3, ink: Ink) {
        self.shapes.push(Shape::Point(at, ink));
    }

    pub fn line(&mut self, from: DVec3, to: DVec3, ink: Ink) {
        self.shapes.push(Shape::Line(from, to, ink));
    }

    pub fn arrow(&mut self, from: DVec3, to: DVec3, ink: Ink) {
        self.shapes.push(Shape::Arrow(from, to, ink));
    }

    /// Draws a normal as an arrow of a metre, and adds its row.
    pub fn normal(&mut self, at: DVec3, normal: DVec3) {
        self.arrow(at, at + normal, Ink::Normal);
        self.say_point("normal", normal);
    }

    /// Draws a ray as an arrow, continued faintly.
    pub fn ray(&mut self, origin: DVec3, dir: DVec3) {
        self.arrow(origin, origin + dir, Ink::Asking);
        let far = dir.normalize_or_zero() * RAY;
        self.line(origin + dir, origin + dir + far, Ink::Faint);
    }

    /// Draws the hit of a ray, and adds its rows.
    pub fn ray_hit(&mut self, t: Option<f64>, origin: DVec3, dir: DVec3) {
        self.say_number("t", t);
        if let Some(t) = t {
            let at = origin + dir * t;
            self.line(origin, at, Ink::Answer);
            self.point(at, Ink::Answer);
            self.say_point("point", at);
        }
    }

    pub fn outline(&mut self, corners: &[DVec3], ink: Ink) {
        let next = corners.iter().cycle().skip(1);
        for (from, to) in corners.iter().zip(next) {
            self.line(*from, *to, ink);
        }
    }

    /// Draws a convex polygon.
    pub fn area(&mut self, corners: &[DVec3], ink: Ink) {
        self.shapes.push(Shape::Area(corners.to_vec(), ink));
    }

    /// Draws a plane as a square of 6 m.
    pub fn plane(&mut self, plane: &Plane, around: DVec3, ink: Ink) {
        let middle = plane.project(around);
        let side = plane.normal.any_orthonormal_vector();
        let other = plane.normal.cross(side);
        let corners = [(3.0, 3.0), (-3.0, 3.0), (-3.0, -3.0), (3.0, -3.0)]
            .map(|(u, v)| middle + side * u + other * v);
        self.area(&corners, ink);
        self.arrow(middle, middle + plane.normal, ink);
    }

    pub fn circle(&mut self, centre: DVec3, u: DVec3, v: DVec3, ink: Ink) {
        let at = |i: usize| {
            let (sin, cos) = libm::sincos(i as f64 / CIRCLE as f64 * std::f64::consts::TAU);
            centre + u * cos + v * sin
        };
        for i in 0..CIRCLE {
            self.line(at(i), at(i + 1), ink);
        }
    }

    /// Draws a sphere as three great circles.
    pub fn sphere(&mut self, centre: DVec3, radius: f64, ink: Ink) {
        let [x, y, z] = DVec3::AXES.map(|axis| axis * radius);
        for (u, v) in [(x, y), (y, z), (z, x)] {
            self.circle(centre, u, v, ink);
        }
    }

    pub fn aabb(&mut self, bounds: &Aabb, ink: Ink) {
        if !bounds.is_empty() {
            self.corners(&bounds.corners(), ink);
        }
    }

    pub fn obb(&mut self, obb: &Obb, ink: Ink) {
        self.corners(&obb.corners(), ink);
    }

    fn corners(&mut self, corners: &[DVec3; 8], ink: Ink) {
        for i in 0..8 {
            for bit in [1, 2, 4] {
                if i & bit == 0 {
                    self.line(corners[i], corners[i | bit], ink);
                }
            }
        }
    }

    /// Draws the axes of an orientation, a metre long.
    pub fn frame(&mut self, at: DVec3, turn: DQuat) {
        for (axis, ink) in DVec3::AXES.into_iter().zip([Ink::X, Ink::Y, Ink::Z]) {
            self.arrow(at, at + turn * axis, ink);
        }
    }

    /// Draws a moving sphere at its start, at its end, and at the slider's time.
    pub fn path(&mut self, from: DVec3, to: DVec3, radius: f64) {
        self.sphere(from, radius, Ink::Asking);
        self.sphere(to, radius, Ink::Faint);
        self.arrow(from, to, Ink::Asking);
        let now = from.lerp(to, self.time);
        self.sphere(now, radius, Ink::Ghost);
    }

    /// Draws the sphere at its contact with point and normal, and adds the rows.
    pub fn sweep_hit(&mut self, sweep: &SphereSweep, hit: Option<SweepHit>) {
        self.say_number("fraction", hit.map(|hit| hit.fraction));
        if let Some(hit) = hit {
            self.sphere(sweep.at(hit.fraction), sweep.radius, Ink::Answer);
            self.point(hit.point, Ink::Answer);
            self.say_point("point", hit.point);
            self.normal(hit.point, hit.normal);
        }
    }
}

/// A 2-D point in the x-y plane.
pub fn flat(p: DVec2) -> DVec3 {
    p.extend(0.0)
}

/// A number with six significant digits, without trailing zeros.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{}", x + 0.0);
    }
    if x.abs() < 1e-4 || x.abs() >= 1e7 {
        return format!("{x:.4e}");
    }
    let digits = (5 - x.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn coordinates(p: DVec3) -> String {
    let short = |x: f64| format!("{:.3}", x + 0.0);
    format!("{}, {}, {}", short(p.x), short(p.y), short(p.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_their_size() {
        for (x, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.5, "0.5"),
            (1.0 / 3.0, "0.333333"),
            (1234.5678, "1234.57"),
            (1e-9, "1.0000e-9"),
            (-2e9, "-2.0000e9"),
            (100.0, "100"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
