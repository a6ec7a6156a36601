//! Writes a level as `.map` text: the source unchanged but for a few keys of worldspawn, then the operations since.
use super::desc::{LevelDesc, SavedOperation};
use super::grid::STEPS;
use super::keys::UNITS;
use super::lex::escaped;
use super::material::all_inner;
use super::rules::RULES;
use crate::carve::{BrushDesc, Op};
use crate::world::{Material, Operation};
use glam::{DVec3, I64Vec3};
use std::fmt::Write;
use std::ops::Range;

/// Writes the level with every operation since it was opened: reading it gives the same world.
pub fn write_map(level: &LevelDesc) -> Vec<u8> {
    write_with(level, &operations(level, 0))
}

/// Writes the file of a level with these [`operations`] after all that it has.
pub fn write_with(level: &LevelDesc, operations: &str) -> Vec<u8> {
    let newline = newline(&level.file.source);
    let mut out = with_keys(level, newline, operations.len());
    if !out.ends_with(newline.as_bytes()) {
        out.extend_from_slice(newline.as_bytes());
    }
    out.extend(operations.chars().map(latin1_byte));
    out
}

/// The operations since the level was opened but for the first so many, as entities of its file.
pub fn operations(level: &LevelDesc, first: usize) -> String {
    let mut text = Text {
        out: String::new(),
        newline: newline(&level.file.source),
    };
    for saved in level.since.iter().skip(first) {
        text.saved(saved, &level.world.materials);
    }
    text.out
}

fn newline(source: &[u8]) -> &'static str {
    // Most files have no carriage return, which is quickly seen.
    if !source.contains(&b'\r') {
        "\n"
    } else if source.windows(2).any(|w| w == b"\r\n") {
        "\r\n"
    } else if !source.contains(&b'\n') {
        "\r"
    } else {
        "\n"
    }
}

/// The keys that make loading rebuild the same level.
fn world_keys(level: &LevelDesc) -> Vec<(&'static str, String)> {
    // The lowest corner in the file's axes: y runs against our z.
    let [low, high] = level.world.bounds;
    let low_corner = I64Vec3::new(low.x, low.y, high.z);
    let high_corner = I64Vec3::new(high.x, high.y, low.z);
    let bounds = format!("{} {}", point(low_corner), point(high_corner));
    // The fills of patches are made from the file's own text.
    let base = level.world.base.len() - level.curves.operations;
    let mut keys = vec![
        ("breach_version", "1".into()),
        ("breach_rules", RULES.to_string()),
        ("breach_bounds", bounds),
        ("breach_base", base.to_string()),
    ];
    if level.curves.patches > 0 {
        keys.push(("breach_curves", level.curves.asked.to_string()));
    }
    keys
}

/// The source with the level's keys set on its first worldspawn, and space for `more` bytes.
fn with_keys(level: &LevelDesc, newline: &str, more: usize) -> Vec<u8> {
    let (source, keys) = (&level.file.source[..], &world_keys(level));
    let Some(world) = &level.file.world else {
        let mut out = format!("{{{newline}\"classname\" \"worldspawn\"{newline}");
        for (key, value) in keys {
            let _ = write!(out, "\"{key}\" \"{value}\"{newline}");
        }
        let _ = write!(out, "}}{newline}");
        let mut out = out.into_bytes();
        // A byte order mark must not end up in the middle of the file.
        out.extend_from_slice(source.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(source));
        return out;
    };
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut missing = String::new();
    for (name, value) in keys {
        if let Some((_, place)) = world.values.iter().find(|(key, _)| key == name) {
            edits.push((place.clone(), value.clone()));
        } else {
            let _ = write!(missing, "{newline}\"{name}\" \"{value}\"");
        }
    }
    edits.push((world.inside..world.inside, missing));
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = Vec::with_capacity(source.len() + 512 + more);
    let mut at = 0;
    for (range, text) in edits {
        out.extend_from_slice(&source[at..range.start]);
        out.extend_from_slice(text.as_bytes());
        at = range.end;
    }
    out.extend_from_slice(&source[at..]);
    out
}

struct Text {
    out: String,
    newline: &'static str,
}

impl Text {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push_str(self.newline);
    }

    fn saved(&mut self, saved: &SavedOperation, materials: &[Material]) {
        match saved {
            SavedOperation::Brushes(operation) => self.operation(operation, materials),
            SavedOperation::MoversOnly => {}
            SavedOperation::Blast {
                centre,
                radius,
                shape,
                seed,
                material,
                hardness,
            } => {
                self.line("{");
                self.key("classname", "breach_blast");
                self.key("origin", &point(*centre));
                self.key("radius", &(radius * UNITS).to_string());
                self.key("shape", shape);
                self.key("seed", &seed.to_string());
                self.key("material", material);
                self.hardness(*hardness);
                self.line("}");
            }
        }
    }

    fn operation(&mut self, operation: &Operation, materials: &[Material]) {
        self.line("{");
        self.key(
            "classname",
            match operation.op {
                Op::Carve => "func_carve",
                Op::Fill => "func_fill",
            },
        );
        let inner = |brush| all_inner(brush, materials);
        if operation.op == Op::Fill && operation.brushes.iter().all(inner) {
            self.key("breach_inner", "1");
        }
        let sides = operation.brushes.iter().flat_map(|brush| &brush.sides);
        let first = sides.map(|side| &materials[side.material as usize]).next();
        let first = first.expect("an operation has brushes, and those have sides");
        self.hardness(first.hardness);
        for brush in &operation.brushes {
            self.brush(brush, materials);
        }
        self.line("}");
    }

    /// Hardness of the exposed or filled material, unless it is 1.
    fn hardness(&mut self, hardness: f64) {
        if hardness != 1.0 {
            self.key("breach_hardness", &hardness.to_string());
        }
    }

    fn brush(&mut self, brush: &BrushDesc, materials: &[Material]) {
        self.line("{");
        for side in &brush.sides {
            let [a, b, c] = side.points.map(point);
            let material = &materials[side.material as usize];
            let texture = texture_name(&material.texture);
            let projection = projection(material);
            // The file's first point is our second: (p0 − p1) × (p2 − p1) points out.
            self.line(&format!(
                "( {b} ) ( {a} ) ( {c} ) {texture} {projection} 0 1 1"
            ));
        }
        self.line("}");
    }

    fn key(&mut self, key: &str, value: &str) {
        self.line(&format!("\"{key}\" \"{}\"", escaped(value)));
    }
}

/// `x y z` of the file, exact: a grid step is 1/512 unit, nine decimals at most.
fn point(p: I64Vec3) -> String {
    let [x, y, z] = [p.x, -p.z, p.y].map(|n| n as f64 / STEPS);
    format!("{x} {y} {z}")
}

/// Valve axes that read back as this material, bit for bit: scaling by 32 is exact.
fn projection(material: &Material) -> String {
    let axis = |a: DVec3, offset: f64| {
        let a = a / UNITS;
        let y = 0.0 - a.z;
        format!("[ {} {} {} {} ]", a.x, y, a.y, offset)
    };
    let [u, v] = [
        axis(material.u, material.offset[0]),
        axis(material.v, material.offset[1]),
    ];
    format!("{u} {v}")
}

/// Quotes a name that would otherwise end early or read as something else.
fn texture_name(name: &str) -> String {
    let plain = !name.is_empty()
        && !name.contains(|c: char| c <= ' ')
        && !["{", "}", "(", ")", "[", "]"].contains(&name)
        && !name.starts_with("//")
        && !name.starts_with('"');
    if plain {
        name.into()
    } else {
        format!("\"{}\"", escaped(name))
    }
}

/// The byte of a character U+0000..00FF.
fn latin1_byte(c: char) -> u8 {
    u8::try_from(u32::from(c)).unwrap_or(b'?')
}
