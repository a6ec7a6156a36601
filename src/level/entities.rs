//! The meaning of entities: classes, starts, lights, blasts, and the `breach_` keys.
use super::desc::SavedOperation;
use super::error::{LevelError, Pos};
use super::grid::to_grid;
use super::keys::{UNITS, VIEW_HEIGHT, metres, numbers, origin, refuse, rgb, yaw};
use super::lex::unescaped;
use super::light::Light;
use super::parsed::{ParsedEntity, REACH};
use super::{curves, rules, starts, sun};
use crate::carve::blast::BlastShape;
use glam::{DVec3, I64Vec3};

/// Brightness of a light without one.
const DEFAULT_INTENSITY: f64 = 300.0;

/// The use of an entity's brushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Solid, and seals the level.
    Solid,
    /// Becomes air.
    Carve,
    /// Becomes solid after the outside is rock, whatever its textures.
    Fill,
    /// As `Fill`, except brushes whose texture is not solid.
    Wall,
    /// A door, plat, button or train: what becomes of it is a [`MoverRule`].
    Mover,
    /// A liquid that stays where it is.
    Liquid,
    /// A border between cells, placed by the author.
    Areaportal,
    /// Known not to be solid.
    NonSolid,
    /// Unknown to Breach; skipped.
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
        "func_water" => Class::Liquid,
        "func_button" => Class::Mover,
        _ if name.ends_with("_illusionary") || starts("trigger_") => Class::NonSolid,
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

/// What becomes of doors, plats, buttons, trains, and of what starts them: `breach_movers`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MoverRule {
    /// They move.
    #[default]
    Move,
    /// The doors, plats, buttons and trains are solids of the world, the rest is left out.
    Solid,
    /// All are left out.
    LeftOut,
}

/// The keys of worldspawn that shape the level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorldKeys {
    pub start_solid: bool,
    /// Grid steps, Y up.
    pub bounds: Option<[I64Vec3; 2]>,
    pub base: Option<usize>,
    /// Rules of the program that saved it; None in a level that no program with rules numbers saved.
    pub rules: Option<u32>,
    pub movers: MoverRule,
    /// Greatest chord error of curves, units; 0 leaves patches out.
    pub curves: Option<f64>,
}

impl WorldKeys {
    /// The rules that a save was made by; None for a level as an author wrote it. Saves of the first rules have only the
    /// count of operations.
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
            "0" | "" => MoverRule::LeftOut,
            "1" => MoverRule::Solid,
            _ => return refuse(key, "neither 0 nor 1"),
        };
    }
    if let Some(key) = world.key("breach_curves") {
        let [least, most] = curves::ERRORS;
        out.curves = match numbers::<1>(&key.value) {
            Some([0.0]) => Some(0.0),
            Some([error]) if least <= error && error <= most => Some(error),
            _ => return refuse(key, "neither 0 nor a chord error from 1/64 to 1024 units"),
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

/// A number above 0 (1 is normal), infinite for `unbreakable`. On an operation it is that of the exposed or filled
/// material: a save writes it there.
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

/// Whether a fill has the inner look of its material, like a crater's wall.
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

/// A player start, and the rank in which it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub rank: u8,
    /// The player's origin, grid steps.
    pub point: I64Vec3,
    /// The eye, metres.
    pub eye: DVec3,
    /// Radians to the left from −Z.
    pub yaw: f64,
}

/// None unless the entity is a player start; the inner error is a warning.
pub(super) fn start(entity: &ParsedEntity) -> Option<Result<Start, (Pos, String)>> {
    Some(start_with_rank(entity, starts::rank(entity.class_name())?))
}

/// A start by its name, for levels without classes in the table of starts: a point entity.
pub(super) fn start_by_pattern(entity: &ParsedEntity) -> Option<Start> {
    let rank = starts::rank_by_pattern(entity.class_name())?;
    let is_point = entity.brushes.is_empty();
    start_with_rank(entity, rank).ok().filter(|_| is_point)
}

fn start_with_rank(entity: &ParsedEntity, rank: u8) -> Result<Start, (Pos, String)> {
    origin(entity).map(|p| Start {
        rank,
        point: to_grid(p),
        eye: metres(p + DVec3::Z * VIEW_HEIGHT),
        yaw: yaw(entity),
    })
}

/// None unless the entity is a light that brightens; the inner error is a warning.
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
        (Some(rgb), DEFAULT_INTENSITY)
    } else {
        (None, numbers::<1>(value).map_or(DEFAULT_INTENSITY, |[i]| i))
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

/// A `breach_blast`: bad numbers refuse the file; an unknown shape or a centre off the 1/1024 m raster is a warning.
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
    let shape = match entity.get("shape") {
        None => BlastShape::default(),
        Some(name) => BlastShape::from_name(name).unwrap_or_else(|| {
            let short: String = name.chars().take(40).collect();
            warn(
                entity.pos.line,
                format!("unknown blast shape {short:?}: using rock"),
            );
            BlastShape::Rock
        }),
    };
    // A blast cannot expose unbreakable material.
    let hardness = Some(hardness(entity)?).filter(|h| h.is_finite());
    Ok(SavedOperation::Blast {
        centre,
        radius,
        shape: shape.name().into(),
        seed,
        material: entity.get("material").map_or("rock".into(), unescaped),
        hardness: hardness.unwrap_or(1.0),
    })
}
