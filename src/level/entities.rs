//! What entities mean: classes, starts, lights, blasts, and the `breach_` keys.
use super::grid::to_grid;
use super::lex::{Pos, unescaped};
use super::parse::{Key, ParsedEntity, REACH};
use super::{LevelError, Light, SavedOperation, rules, starts, sun};
use crate::carve::blast::BlastShape;
use glam::{DVec3, I64Vec3};

/// From a player's origin to the eye, units: Quake's view height.
const EYE: f64 = 22.0;
/// `.map` units in a metre.
pub(super) const UNITS: f64 = 32.0;
/// Brightness of a light that names none.
const LIGHT: f64 = 300.0;

/// What the brushes of an entity are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Solid, and seals the level.
    Solid,
    /// Becomes air.
    Carve,
    /// Becomes solid once the outside is rock; textures decide nothing.
    Fill,
    /// As `Fill`, but not where the texture is not solid.
    Wall,
    /// A door and its like: left out unless asked for.
    Mover,
    /// A cut between cells that the author placed.
    Areaportal,
    /// Known, and no solid.
    Ghost,
    /// Not known to Breach; left out.
    Unknown,
}

pub(super) fn class(name: &str) -> Class {
    let starts = |prefix: &str| name.starts_with(prefix);
    match name {
        "worldspawn" | "func_group" => Class::Solid,
        "func_carve" => Class::Carve,
        "func_fill" => Class::Fill,
        "func_wall" => Class::Wall,
        "func_areaportal" => Class::Areaportal,
        "func_button" => Class::Mover,
        _ if name.ends_with("_illusionary") || starts("trigger_") => Class::Ghost,
        _ if starts("func_detail") => Class::Solid,
        _ if ["func_door", "func_plat", "func_train"]
            .into_iter()
            .any(starts) =>
        {
            Class::Mover
        }
        _ => Class::Unknown,
    }
}

impl ParsedEntity {
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|k| k.name == name)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.key(name).map(|k| k.value.as_str())
    }

    pub fn class_name(&self) -> &str {
        self.get("classname").unwrap_or("")
    }
}

/// `N` finite numbers and nothing else.
pub(super) fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut words = text.split_ascii_whitespace();
    let mut out = [0.0; N];
    for x in &mut out {
        *x = words.next()?.parse().ok().filter(|x: &f64| x.is_finite())?;
    }
    words.next().is_none().then_some(out)
}

fn refuse<T>(key: &Key, why: &str) -> Result<T, LevelError> {
    let value: String = key.value.chars().take(40).collect();
    Err(key.pos.error(format!("`{}` is {why}: {value:?}", key.name)))
}

/// The keys of worldspawn that shape the level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorldKeys {
    pub start_solid: bool,
    /// Grid steps, Y up.
    pub bounds: Option<[I64Vec3; 2]>,
    pub base: Option<usize>,
    /// Of the program that saved it; None where no save of these or later rules did.
    pub rules: Option<u32>,
    pub movers: bool,
}

impl WorldKeys {
    /// The rules that a save was made by; None for a level as an author wrote it. Saves of the first rules are known by the
    /// count of operations alone.
    pub fn saved_by(&self) -> Option<u32> {
        self.rules.or(self.base.map(|_| rules::FIRST))
    }
}

pub(super) fn world_keys(world: &ParsedEntity) -> Result<WorldKeys, LevelError> {
    let mut out = WorldKeys::default();
    if let Some(key) = world.key("breach_version")
        && key.value.trim() != "1"
    {
        return refuse(key, "not a version this program can read");
    }
    if let Some(key) = world.key("breach_rules") {
        match key.value.trim().parse() {
            Ok(rules) if rules >= rules::FIRST => out.rules = Some(rules),
            _ => return refuse(key, "not a known rules number"),
        }
    }
    if let Some(key) = world.key("breach_start") {
        out.start_solid = match key.value.trim() {
            "void" => false,
            "solid" => true,
            _ => return refuse(key, "neither void nor solid"),
        };
    }
    if let Some(key) = world.key("breach_movers") {
        out.movers = match key.value.trim() {
            "0" | "" => false,
            "1" => true,
            _ => return refuse(key, "neither 0 nor 1"),
        };
    }
    if let Some(key) = world.key("breach_base") {
        match key.value.trim().parse() {
            Ok(count) => out.base = Some(count),
            Err(_) => return refuse(key, "not a number of operations"),
        }
    }
    if let Some(key) = world.key("breach_bounds") {
        let Some([x0, y0, z0, x1, y1, z1]) = numbers::<6>(&key.value) else {
            return refuse(key, "not six finite numbers");
        };
        let corners = [DVec3::new(x0, y0, z0), DVec3::new(x1, y1, z1)];
        if corners.iter().any(|p| p.abs().max_element() > REACH) {
            return refuse(key, "beyond the grid of 1024 m (32768 units)");
        }
        let [a, b] = corners.map(to_grid);
        if (b - a) * I64Vec3::new(1, 1, -1) != (b - a).abs() || (b - a).abs().min_element() == 0 {
            return refuse(key, "not a box: lowest corner, then highest");
        }
        out.bounds = Some([a.min(b), a.max(b)]);
    }
    Ok(out)
}

/// A number above 0 (1 is normal), infinite for `unbreakable`. On an operation it is that of the stuff laid open or
/// filled in: a save writes it there.
pub(super) fn hardness(entity: &ParsedEntity) -> Result<f64, LevelError> {
    let Some(key) = entity.key("breach_hardness") else {
        return Ok(1.0);
    };
    match key.value.trim() {
        "unbreakable" => Ok(f64::INFINITY),
        text => match numbers::<1>(text) {
            Some([x]) if x > 0.0 => Ok(x),
            _ => refuse(key, "neither a number above 0 nor `unbreakable`"),
        },
    }
}

/// Whether a fill shows the inside of its stuff: a patch put onto a crater's wall, painted like it.
pub(super) fn inner(entity: &ParsedEntity) -> Result<bool, LevelError> {
    let Some(key) = entity.key("breach_inner") else {
        return Ok(false);
    };
    match key.value.trim() {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => refuse(key, "neither 0 nor 1"),
    }
}

/// The `origin`, units; an error text where it is missing or no point of the grid.
fn origin(entity: &ParsedEntity) -> Result<DVec3, (Pos, String)> {
    let Some(key) = entity.key("origin") else {
        return Err((entity.pos, format!("{} has no origin", entity.class_name())));
    };
    let Some(p) = numbers::<3>(&key.value).map(DVec3::from_array) else {
        return Err((key.pos, "`origin` is not three finite numbers".into()));
    };
    if p.abs().max_element() > REACH {
        return Err((
            key.pos,
            "`origin` lies beyond the grid of 1024 m (32768 units)".into(),
        ));
    }
    Ok(p)
}

/// A place in metres, Y up.
pub(super) fn metres(p: DVec3) -> DVec3 {
    DVec3::new(p.x, p.z, -p.y) / UNITS
}

/// Where a player may start, and in which order starts are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub rank: u8,
    /// The player's origin on the grid.
    pub point: I64Vec3,
    /// The eye, metres.
    pub eye: DVec3,
    /// Radians to the left from −Z.
    pub yaw: f64,
}

/// None when the entity is no player start; the inner error is a warning.
pub(super) fn start(entity: &ParsedEntity) -> Option<Result<Start, (Pos, String)>> {
    Some(start_of(entity, starts::rank(entity.class_name())?))
}

/// Of a level whose entities the table of starts does not know: those that sound like one, with an origin.
pub(super) fn start_by_pattern(entity: &ParsedEntity) -> Option<Start> {
    let rank = starts::rank_by_pattern(entity.class_name())?;
    let is_point = entity.brushes.is_empty();
    start_of(entity, rank).ok().filter(|_| is_point)
}

fn start_of(entity: &ParsedEntity, rank: u8) -> Result<Start, (Pos, String)> {
    origin(entity).map(|p| Start {
        rank,
        point: to_grid(p),
        eye: metres(p + DVec3::Z * EYE),
        yaw: yaw(entity),
    })
}

/// Quake's angle turns counter-clockwise from east (+X); −1 and −2 are up and down.
fn yaw(entity: &ParsedEntity) -> f64 {
    let one = entity.get("angle").and_then(numbers::<1>).map(|[a]| a);
    let three = || {
        let text = entity.get("angles").or_else(|| entity.get("mangle"));
        text.and_then(numbers::<3>).map(|[_, yaw, _]| yaw)
    };
    let degrees = match one.or_else(three).unwrap_or(0.0) {
        -1.0 | -2.0 => 0.0,
        a => a,
    };
    ((degrees - 90.0) % 360.0).to_radians()
}

/// None when the entity is no light, or one that darkens; the inner error is a warning.
pub(super) fn light(entity: &ParsedEntity) -> Option<Result<Light, (Pos, String)>> {
    let name = entity.class_name();
    if !name.starts_with("light") || sun::is_sun(entity) {
        return None;
    }
    let value = entity.get("light").or_else(|| entity.get("_light"));
    let value = value.unwrap_or("");
    // Half-Life writes colour and brightness into one key.
    let (colour, intensity) = if let Some([r, g, b, i]) = numbers::<4>(value) {
        (Some([r, g, b]), i)
    } else if let Some(rgb) = numbers::<3>(value) {
        (Some(rgb), LIGHT)
    } else {
        (None, numbers::<1>(value).map_or(LIGHT, |[i]| i))
    };
    if intensity <= 0.0 {
        return None;
    }
    let named = ["_color", "color", "_colour"];
    let key = named.into_iter().find_map(|k| entity.get(k));
    let flame = (name.contains("flame") || name.contains("torch")) && !name.contains("white");
    let plain = if flame { [1.0, 0.72, 0.42] } else { [1.0; 3] };
    let colour = key.and_then(numbers::<3>).or(colour).unwrap_or(plain);
    Some(origin(entity).map(|p| Light {
        position: metres(p),
        intensity,
        colour: rgb(colour),
    }))
}

/// A colour of 0..=1 or of 0..=255, by the largest.
pub(super) fn rgb(colour: [f64; 3]) -> [f32; 3] {
    let scale = if colour.iter().any(|&c| c > 1.0) {
        255.0
    } else {
        1.0
    };
    colour.map(|c| (c / scale).clamp(0.0, 1.0) as f32)
}

/// A `breach_blast`: bad numbers refuse the file, a strange shape or a centre off the raster only warns.
pub(super) fn blast(
    entity: &ParsedEntity,
    warn: &mut dyn FnMut(u32, String),
) -> Result<SavedOperation, LevelError> {
    let p = origin(entity).map_err(|(pos, text)| pos.error(text))?;
    let exact = to_grid(p);
    let centre = exact.map(|x| (x + 8).div_euclid(16) * 16);
    if centre.as_dvec3() != DVec3::new(p.x, p.z, -p.y) * super::grid::STEPS {
        warn(
            entity.pos.line,
            "the blast's origin was moved to the nearest 1/1024 m".into(),
        );
    }
    let Some(key) = entity.key("radius") else {
        return Err(entity.pos.error("breach_blast has no radius"));
    };
    let radius = match numbers::<1>(&key.value) {
        Some([r]) if r > 0.0 && r <= REACH => r / UNITS,
        _ => return refuse(key, "not a radius in units above 0"),
    };
    let seed = match entity.key("seed") {
        None => 1,
        Some(key) => match key.value.trim().parse() {
            Ok(seed) => seed,
            Err(_) => return refuse(key, "not a whole number"),
        },
    };
    let mut shape = entity.get("shape").unwrap_or("rock");
    if BlastShape::from_name(shape).is_none() {
        let short: String = shape.chars().take(40).collect();
        warn(
            entity.pos.line,
            format!("unknown blast shape {short:?}: using rock"),
        );
        shape = "rock";
    }
    // No blast lays open what it could not break.
    let hardness = Some(hardness(entity)?).filter(|h| h.is_finite());
    Ok(SavedOperation::Blast {
        centre,
        radius,
        shape: shape.into(),
        seed,
        material: entity.get("material").map_or("rock".into(), unescaped),
        hardness: hardness.unwrap_or(1.0),
    })
}
