//! A `.map` as blocks of text: what is turned, changed and left out here stays readable and is written back as it was.
use breach::carve::hull::HullFacet;
use glam::{DVec3, I64Vec3};
use std::fmt::Write;

/// Grid steps in a unit of the file.
const STEPS: f64 = 512.0;

/// A level file: comments before the first entity, then the entities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// Comment lines; the first one may say what is to be done with the file, see [`Map::task`].
    pub head: Vec<String>,
    /// In file order.
    pub entities: Vec<Entity>,
}

/// One entity: the lines of its keys and its brushes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entity {
    /// `"name" "value"`, as written.
    pub keys: Vec<String>,
    /// In file order.
    pub brushes: Vec<Brush>,
}

/// The lines between a brush's braces: a side each, where nothing else is nested in it.
pub type Brush = Vec<String>;

/// What the head of a file asks the judge to do: a word, and numbers by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// "turned", "soak" or nothing.
    pub what: String,
    /// `name=value` in order.
    pub values: Vec<(String, f64)>,
}

impl Task {
    /// A value by name; 0 where it is not said.
    pub fn get(&self, name: &str) -> f64 {
        let found = self.values.iter().find(|(key, _)| key == name);
        found.map_or(0.0, |(_, value)| *value)
    }
}

impl Map {
    /// Reads the blocks; bytes are Latin-1. What does not fit the usual form is dropped: only whole levels come here.
    pub fn read(bytes: &[u8]) -> Self {
        let text: String = bytes.iter().map(|&b| char::from(b)).collect();
        let mut map = Self::default();
        let mut depth = 0;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match (line, depth) {
                ("{", 0) => map.entities.push(Entity::default()),
                ("{", 1) => last(&mut map.entities).brushes.push(Brush::new()),
                (_, 0) if line.starts_with("//") && map.entities.is_empty() => {
                    map.head.push(line.into());
                }
                ("}", 0..=2) | (_, 0) => {}
                _ if line.starts_with("//") => {}
                (_, 1) => last(&mut map.entities).keys.push(line.into()),
                _ => last(&mut last(&mut map.entities).brushes).push(line.into()),
            }
            depth += match line {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
        }
        map
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        for line in &self.head {
            text += &format!("{line}\n");
        }
        for entity in &self.entities {
            text += "{\n";
            entity
                .keys
                .iter()
                .for_each(|key| text += &format!("{key}\n"));
            for brush in &entity.brushes {
                text += "{\n";
                brush.iter().for_each(|side| text += &format!("{side}\n"));
                text += "}\n";
            }
            text += "}\n";
        }
        text.chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect()
    }

    /// What the head asks for.
    pub fn task(&self) -> Task {
        let line = self
            .head
            .iter()
            .find_map(|line| line.strip_prefix("// fuzz "));
        let mut words = line.unwrap_or_default().split_whitespace();
        let what = words.next().unwrap_or_default().into();
        let values = words.filter_map(|word| {
            let (name, value) = word.split_once('=')?;
            Some((name.to_string(), value.parse().ok()?))
        });
        Task {
            what,
            values: values.collect(),
        }
    }

    /// Puts the task into the head, as the first line.
    pub fn set_task(&mut self, what: &str, values: &[(&str, f64)]) {
        let mut line = format!("// fuzz {what}");
        for (name, value) in values {
            let _ = write!(line, " {name}={value}");
        }
        self.head.retain(|line| !line.starts_with("// fuzz "));
        self.head.insert(0, line);
    }

    /// Every brush of every entity.
    pub fn brushes(&self) -> impl Iterator<Item = &Brush> {
        self.entities.iter().flat_map(|entity| &entity.brushes)
    }

    /// How many brushes there are.
    pub fn brush_count(&self) -> usize {
        self.brushes().count()
    }
}

/// There is one: a line at this depth came after its brace.
fn last<T: Default>(list: &mut Vec<T>) -> &mut T {
    if list.is_empty() {
        list.push(T::default());
    }
    let end = list.len() - 1;
    &mut list[end]
}

impl Entity {
    /// With these keys.
    pub fn new(keys: &[(&str, &str)]) -> Self {
        let line = |(name, value): &(&str, &str)| format!("\"{name}\" \"{value}\"");
        Self {
            keys: keys.iter().map(line).collect(),
            brushes: Vec::new(),
        }
    }

    /// The value of a key.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.keys.iter().find_map(|line| {
            let mut parts = line.split('"');
            let key = parts.nth(1)?;
            (key == name).then(|| parts.nth(1)).flatten()
        })
    }

    /// Sets or adds a key.
    pub fn set(&mut self, name: &str, value: &str) {
        let start = format!("\"{name}\"");
        self.keys.retain(|line| !line.starts_with(&start));
        self.keys.push(format!("\"{name}\" \"{value}\""));
    }
}

/// The three points of a side's line and what follows them; None where it is written another way.
pub fn side_points(line: &str) -> Option<([DVec3; 3], &str)> {
    let mut rest = line;
    let mut points = [DVec3::ZERO; 3];
    for point in &mut points {
        let inside = rest.trim_start().strip_prefix('(')?;
        let (numbers, after) = inside.split_once(')')?;
        let mut words = numbers.split_whitespace().map(str::parse::<f64>);
        let mut next = || words.next()?.ok();
        *point = DVec3::new(next()?, next()?, next()?);
        rest = after;
    }
    Some((points, rest))
}

/// A side's line with these points, so many decimals (None: as many as it takes).
pub fn side_line(points: [DVec3; 3], rest: &str, decimals: Option<usize>) -> String {
    let number = |x: f64| match decimals {
        Some(places) => format!("{x:.places$}"),
        None => format!("{x}"),
    };
    let point = |p: DVec3| format!("( {} {} {} )", number(p.x), number(p.y), number(p.z));
    let [a, b, c] = points.map(point);
    format!("{a} {b} {c}{rest}")
}

/// A grid point (Y up) in units of the file (Z up): exact, as a step is 1/512 unit.
pub fn in_units(p: I64Vec3) -> DVec3 {
    DVec3::new(p.x as f64, -p.z as f64, p.y as f64) / STEPS
}

/// `x y z` of a grid point in units of the file.
pub fn point_text(p: I64Vec3) -> String {
    let DVec3 { x, y, z } = in_units(p);
    format!("{x} {y} {z}")
}

/// A hull as a brush of the file; all its corners are grid points, so it lies on the grid.
pub fn hull_brush(facets: &[HullFacet], texture: &str) -> Brush {
    let rest = format!(" {texture} 0 0 0 1 1");
    let line = |f: &HullFacet| {
        // The file's normal is (p0 - p1) × (p2 - p1), out of the solid.
        let [a, b, c] = f.points.map(in_units);
        side_line([b, a, c], &rest, None)
    };
    facets.iter().map(line).collect()
}
