//! Reads the keys of one entity. A bad value gets a warning and the usual value in its place.
use super::classes::Engine;
use super::shape::Shape;
use crate::geom::Aabb;
use crate::level::grid::to_y_up;
use crate::level::keys::{self, UNITS, metres, numbers};
use crate::level::material::sin_cos_degrees;
use crate::level::parsed::{Key, ParsedEntity, REACH};
use glam::DVec3;
use rustc_hash::FxHashSet;

/// Least and greatest speed, metres or radians a second.
const SPEEDS: [f64; 2] = [1e-3, 100.0];
/// Longest wait and delay, seconds.
const LONGEST: f64 = 1e6;
/// Greatest angle of a turn, degrees.
const MOST_TURN: f64 = 36_000.0;
/// Longest message, characters.
const MOST_LETTERS: usize = 1000;

/// Warnings about movers, at most one for each entity.
#[derive(Default)]
pub(super) struct Warnings {
    /// Line and words.
    pub list: Vec<(u32, String)>,
    /// Entities that have one, by their places in the file.
    warned: FxHashSet<usize>,
}

impl Warnings {
    pub fn add(&mut self, entity: &ParsedEntity, line: u32, text: String) {
        if self.warned.insert(entity.pos.offset) {
            self.list.push((line, text));
        }
    }
}

/// The keys of an entity.
pub(super) struct Reader<'a, 'w> {
    pub entity: &'a ParsedEntity,
    pub engine: Engine,
    pub warnings: &'w mut Warnings,
}

impl<'a> Reader<'a, '_> {
    pub fn warn(&mut self, text: String) {
        let line = self.entity.pos.line;
        self.warnings.add(self.entity, line, text);
    }

    fn warn_of(&mut self, key: &Key, what: &str) {
        let short: String = key.value.chars().take(40).collect();
        let text = format!("`{}` is {what}: {short:?}", key.name);
        self.warnings.add(self.entity, key.pos.line, text);
    }

    /// The text of a key that is there and not empty.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.entity.get(name).filter(|text| !text.is_empty())
    }

    /// Whether it has a name for signals.
    pub fn is_named(&self) -> bool {
        self.text("targetname").is_some()
    }

    /// A message as it is shown.
    pub fn message(&self) -> Option<String> {
        let text = self.text("message")?.replace("\\n", "\n");
        Some(text.chars().take(MOST_LETTERS).collect())
    }

    /// The number of a key that is there.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        let key = self.entity.key(name)?;
        let found = numbers::<1>(&key.value).map(|[x]| x);
        if found.is_none() && !key.value.trim().is_empty() {
            self.warn_of(key, "not a finite number");
        }
        found
    }

    /// The number of a key that says 0 where it says nothing, as the games' code has it.
    pub fn nonzero(&mut self, name: &str) -> Option<f64> {
        self.number(name).filter(|&x| x != 0.0)
    }

    /// Whether `spawnflags` has a bit.
    pub fn flag(&mut self, bit: u32) -> bool {
        // As wide as any number in a file, and no wider.
        let flags = self.number("spawnflags").unwrap_or(0.0) as i64;
        flags & i64::from(bit) != 0
    }

    /// Whether shots start it.
    pub fn has_health(&mut self) -> bool {
        self.number("health").is_some_and(|health| health > 0.0)
    }

    /// `speed` as metres a second; the usual one in units.
    pub fn speed(&mut self, usual: f64) -> f64 {
        self.rate(usual, |units| units / UNITS)
    }

    /// `speed` as radians a second; the usual one in degrees.
    pub fn turning_speed(&mut self, usual: f64) -> f64 {
        self.rate(usual, f64::to_radians)
    }

    fn rate(&mut self, usual: f64, convert: fn(f64) -> f64) -> f64 {
        let found = self.number("speed");
        if found.is_some_and(|speed| speed <= 0.0)
            && let Some(key) = self.entity.key("speed")
        {
            self.warn_of(key, "not above 0");
        }
        let speed = convert(found.filter(|&speed| speed > 0.0).unwrap_or(usual));
        self.within_speeds(speed)
    }

    /// A speed as a stop has it, metres a second: None where it changes nothing.
    pub fn speed_from_here(&mut self) -> Option<f64> {
        let key = self.entity.key("speed")?;
        let speed = self.nonzero("speed")?;
        if speed < 0.0 {
            self.warn_of(key, "not above 0");
            return None;
        }
        Some(self.within_speeds(speed / UNITS))
    }

    /// A speed, metres or radians a second, within those that are possible.
    pub fn within_speeds(&mut self, speed: f64) -> f64 {
        let [least, most] = SPEEDS;
        let possible = speed.clamp(least, most);
        if possible != speed
            && let Some(key) = self.entity.key("speed")
        {
            self.warn_of(key, "no possible speed (1 mm/s to 100 m/s)");
        }
        possible
    }

    /// `wait` in seconds; None where it is below 0: for ever.
    pub fn wait(&mut self, usual: f64, zero_is_usual: bool) -> Option<f64> {
        let found = match zero_is_usual {
            true => self.nonzero("wait"),
            false => self.number("wait"),
        };
        let wait = found.unwrap_or(usual);
        (wait >= 0.0).then_some(wait.min(LONGEST))
    }

    /// Seconds of a key, not below 0.
    pub fn seconds(&mut self, name: &str) -> Option<f64> {
        self.number(name).map(|x| x.clamp(0.0, LONGEST))
    }

    /// `distance`, radians, downwards or backwards where it is below 0.
    pub fn turn(&mut self) -> f64 {
        const USUAL: f64 = 90.0;
        let found = self.nonzero("distance");
        let possible = found.filter(|degrees| degrees.abs() <= MOST_TURN);
        if found != possible
            && let Some(key) = self.entity.key("distance")
        {
            self.warn_of(key, "no possible angle");
        }
        possible.unwrap_or(USUAL).to_radians()
    }

    /// The unit way that `angle` or `angles` say, Y up; east without them. −1 is up and −2 down.
    pub fn direction(&mut self) -> DVec3 {
        let yaw = self.number("angle").map(|yaw| [0.0, yaw, 0.0]);
        let [pitch, yaw, roll] = yaw.or_else(|| self.angles()).unwrap_or_default();
        match [pitch, yaw, roll] {
            [0.0, -1.0, 0.0] => return DVec3::Y,
            [0.0, -2.0, 0.0] => return DVec3::NEG_Y,
            _ => {}
        }
        let (sin_yaw, cos_yaw) = sin_cos_degrees(yaw);
        let (sin, cos) = sin_cos_degrees(pitch);
        // The games' pitch is positive downwards. Adding zero turns −0 into 0.
        to_y_up(DVec3::new(cos * cos_yaw, cos * sin_yaw, -sin)) + DVec3::ZERO
    }

    /// Pitch, yaw and roll, degrees.
    fn angles(&mut self) -> Option<[f64; 3]> {
        let names = ["angles", "mangle", "movedir"];
        let key = names.into_iter().find_map(|name| self.entity.key(name))?;
        let found = numbers::<3>(&key.value);
        if found.is_none() && !key.value.trim().is_empty() {
            self.warn_of(key, "not three finite numbers");
        }
        found
    }

    /// The way from where the file has it, unless it leads out of the grid.
    pub fn within_grid(&mut self, bounds: &Aabb, shift: DVec3) -> DVec3 {
        const EDGE: f64 = REACH / UNITS;
        let fits = |corner: DVec3| (corner + shift).abs().max_element() <= EDGE;
        if fits(bounds.min) && fits(bounds.max) {
            return shift;
        }
        let class = self.entity.class_name();
        self.warn(format!(
            "the {class} stays where it is: it would move beyond the grid of 1024 m (32768 units)"
        ));
        DVec3::ZERO
    }

    /// The point that it turns about or that is moved from corner to corner, metres.
    pub fn pivot(&mut self, shape: &Shape) -> DVec3 {
        if let Some(origin) = shape.origin {
            return origin;
        }
        if self.entity.key("origin").is_some() {
            match keys::origin(self.entity) {
                Ok(origin) => return metres(origin),
                Err((pos, text)) => self.warnings.add(self.entity, pos.line, text),
            }
        }
        let class = self.entity.class_name();
        self.warn(format!(
            "the {class} has neither an origin brush nor an `origin`: its middle is taken"
        ));
        shape.bounds.centre()
    }
}
