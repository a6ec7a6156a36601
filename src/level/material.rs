//! Textures: where a face's picture lies, and what stuff its name speaks of.
use super::parse::Projection;
use crate::carve::MaterialId;
use crate::world::Material;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// `.map` units in a metre.
const UNITS: f64 = 32.0;
/// Texels across a texture whose size is unknown.
const TEXTURE_SIZE: f64 = 64.0;

/// What a texture's name speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Look {
    Concrete,
    Brick,
    Plaster,
    Tile,
    Metal,
    Wood,
    Rock,
    Soil,
    Liquid,
    Sky,
    Light,
}

/// Keywords by stuff; the first row with a word that the name holds decides.
#[rustfmt::skip]
const WORDS: &[(Look, &[&str])] = &[
    (Look::Sky, &["sky"]),
    (Look::Liquid, &["water", "lava", "slime", "liquid", "blood", "teleport", "swamp", "acid"]),
    (Look::Light, &["light", "lamp", "lite", "glow", "neon", "lit_", "tlight", "fire", "torch"]),
    (Look::Brick, &["brick", "brk", "brck", "citybr", "masonry"]),
    (Look::Wood, &["wood", "wd_", "plank", "crate", "box", "door_w", "wiz", "log", "bark", "timber", "shelf", "book", "beam"]),
    (Look::Metal, &[
        "metal", "met", "steel", "iron", "copper", "rust", "slip", "grat", "ggrat", "pipe", "plat", "door", "button",
        "switch", "rivet", "chain", "comp", "tech", "tek", "tec", "mach", "exit", "edoor", "bolt", "trim", "pump",
        "vent", "elev", "rail", "cable", "wire", "key", "basebutn", "medic", "ammo", "rock_et", "shot", "nail",
    ]),
    (Look::Tile, &["tile", "floor", "flr", "flor", "azfloor", "sfloor", "ceil", "ceiling", "carpet", "swtch", "mosaic", "ground_t"]),
    (Look::Soil, &["soil", "dirt", "grass", "mud", "sand", "ground", "gravel", "earth", "moss", "leaf", "hedge", "snow", "flesh", "vine"]),
    (Look::Rock, &["rock", "stone", "cliff", "cave", "cob", "terra", "slate", "marble", "granit", "wswamp", "may", "mayan", "altar", "column", "rune", "skull"]),
    (Look::Plaster, &["plaster", "stucco", "paint", "wall", "church", "wizard", "window", "glass", "grey", "white", "city", "dev_", "proto", "common", "caulk", "skip"]),
];

/// The stuff of a texture, by keywords of its name; what says nothing is concrete.
pub fn look(texture: &str) -> Look {
    let name = texture.to_ascii_lowercase();
    let last = last_part(&name);
    if last.starts_with('*') || last.starts_with('!') {
        return Look::Liquid;
    }
    let find = |text: &str| {
        WORDS
            .iter()
            .find(|(_, words)| words.iter().any(|w| text.contains(w)))
            .map(|row| row.0)
    };
    // The name itself says more than the folder it lies in.
    find(last).or_else(|| find(&name)).unwrap_or(Look::Concrete)
}

fn last_part(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Whether brushes with this texture are solid; one face that is not makes the whole brush not solid.
pub(super) fn is_solid(texture: &str) -> bool {
    let name = texture.to_ascii_lowercase();
    let last = last_part(&name);
    let tool = matches!(
        last,
        "trigger" | "clip" | "hint" | "hintskip" | "origin" | "areaportal"
    );
    let common_clip = last.ends_with("clip") && name.contains("common/");
    !(tool || common_clip || last.starts_with('*') || last.starts_with('!'))
}

/// The inside of stuff, which a carve lays open: one projection for all faces, so that they merge.
pub fn inner(texture: &str) -> Material {
    Material {
        texture: texture.into(),
        u: DVec3::new(UNITS, 0.0, 0.0),
        v: DVec3::new(0.0, -UNITS, 0.0),
        offset: [0.0; 2],
        inner: true,
    }
}

/// The table that [`MaterialId`] counts; equal materials are one.
#[derive(Debug, Default)]
pub(super) struct Materials {
    pub list: Vec<Material>,
    known: FxHashMap<(String, [u64; 8], bool), MaterialId>,
}

impl Materials {
    pub fn id(&mut self, material: Material) -> MaterialId {
        let (u, v, o) = (material.u, material.v, material.offset);
        let bits = [u.x, u.y, u.z, v.x, v.y, v.z, o[0], o[1]].map(f64::to_bits);
        let key = (material.texture.clone(), bits, material.inner);
        *self.known.entry(key).or_insert_with(|| {
            self.list.push(material);
            (self.list.len() - 1) as MaterialId
        })
    }
}

/// The painted surface of a face with this outward normal (`.map` axes).
pub(super) fn painted(texture: &str, projection: &Projection, normal: DVec3) -> Material {
    let [(u, u_offset), (v, v_offset)] = texel_axes(projection, normal);
    // Editors leave noise such as 1.0000000000000002: cut off, or one wall would be many faces.
    let steady = |x: f64| {
        const FINE: f64 = 67_108_864.0;
        // Adding zero turns −0 into 0.
        if x.abs() < FINE {
            (x * FINE).round() / FINE + 0.0
        } else {
            x
        }
    };
    let axis = |a: DVec3| DVec3::new(steady(a.x), steady(a.z), steady(-a.y)) * UNITS;
    Material {
        texture: texture.into(),
        u: axis(u),
        v: axis(v),
        offset: [steady(u_offset), steady(v_offset)],
        inner: false,
    }
}

/// Texels a unit along each axis, and the offset in texels.
fn texel_axes(projection: &Projection, normal: DVec3) -> [(DVec3, f64); 2] {
    match *projection {
        Projection::Standard {
            offset,
            rotation,
            scale,
        } => standard_axes(normal, offset, rotation, scale),
        Projection::Valve {
            axes: [a, b],
            rotation,
            scale,
        } => {
            let u = DVec3::new(a[0], a[1], a[2]) / one_if_zero(scale[0]);
            let v = DVec3::new(b[0], b[1], b[2]) / one_if_zero(scale[1]);
            if spans(u, v) {
                [(u, a[3]), (v, b[3])]
            } else {
                standard_axes(normal, [a[3], b[3]], rotation, scale)
            }
        }
        Projection::Matrix([a, b]) => {
            let (x, y) = primitive_axes(normal);
            let axis = |m: [f64; 3]| ((x * m[0] + y * m[1]) * TEXTURE_SIZE, m[2] * TEXTURE_SIZE);
            let (u, v) = (axis(a), axis(b));
            if spans(u.0, v.0) {
                [u, v]
            } else {
                standard_axes(normal, [0.0; 2], 0.0, [1.0; 2])
            }
        }
    }
}

fn one_if_zero(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x }
}

/// Finite, neither zero nor parallel.
fn spans(u: DVec3, v: DVec3) -> bool {
    u.is_finite() && v.is_finite() && u.cross(v).length() > 1e-6 * u.length() * v.length()
}

/// Quake's table: the first axis that the normal is nearest to gives u and v.
fn standard_axes(
    normal: DVec3,
    offset: [f64; 2],
    rotation: f64,
    scale: [f64; 2],
) -> [(DVec3, f64); 2] {
    const TABLE: [(DVec3, DVec3, DVec3); 6] = [
        (DVec3::Z, DVec3::X, DVec3::NEG_Y),
        (DVec3::NEG_Z, DVec3::X, DVec3::NEG_Y),
        (DVec3::X, DVec3::Y, DVec3::NEG_Z),
        (DVec3::NEG_X, DVec3::Y, DVec3::NEG_Z),
        (DVec3::Y, DVec3::X, DVec3::NEG_Z),
        (DVec3::NEG_Y, DVec3::X, DVec3::NEG_Z),
    ];
    let (mut best, mut most) = (0, 0.0);
    for (i, row) in TABLE.iter().enumerate() {
        if normal.dot(row.0) > most {
            (best, most) = (i, normal.dot(row.0));
        }
    }
    let (_, u, v) = TABLE[best];
    let (sin, cos) = sin_cos_degrees(rotation);
    // The signs of QuakeEd: it turns the coordinates along s = |u| and t = |v|, whichever way v points.
    let (s, t) = (u.abs(), v.abs());
    let turn = |a: DVec3| {
        let (x, y) = (a.dot(s), a.dot(t));
        s * (cos * x - sin * y) + t * (sin * x + cos * y)
    };
    let axes = [
        turn(u) / one_if_zero(scale[0]),
        turn(v) / one_if_zero(scale[1]),
    ];
    let finite = |a: DVec3, plain: DVec3| if a.is_finite() { a } else { plain };
    [
        (finite(axes[0], u), offset[0]),
        (finite(axes[1], v), offset[1]),
    ]
}

/// Right angles exactly; the rest by libm, alike on every machine.
fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
    let turn = degrees % 360.0;
    let turn = if turn < 0.0 { turn + 360.0 } else { turn };
    if turn == 0.0 {
        (0.0, 1.0)
    } else if turn == 90.0 {
        (1.0, 0.0)
    } else if turn == 180.0 {
        (0.0, -1.0)
    } else if turn == 270.0 {
        (-1.0, 0.0)
    } else {
        libm::sincos(turn.to_radians())
    }
}

/// Quake 3's axes for brush primitives: x along the horizon, y down the slope.
fn primitive_axes(n: DVec3) -> (DVec3, DVec3) {
    let level = (n.x * n.x + n.y * n.y).sqrt();
    let (sin_z, cos_z) = if level > 1e-6 {
        (n.y / level, n.x / level)
    } else {
        (0.0, 1.0)
    };
    (
        DVec3::new(-sin_z, cos_z, 0.0),
        DVec3::new(n.z * cos_z, n.z * sin_z, -level),
    )
}
