//! Textures: their projection onto faces, and the look that their names suggest.
use super::keys::UNITS;
use super::parsed::Projection;
use crate::carve::MaterialId;
use crate::structure::StructuralMaterial;
use crate::world::Material;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Assumed width and height of textures, texels.
const TEXTURE_SIZE: f64 = 64.0;
/// Most texels a metre on a patch: beyond them its coordinates are noise.
const FINEST: f64 = 1e6;

/// The look of a texture, guessed from its name.
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

/// Keywords of looks; the first row with a word in the name decides. Words for materials come first, then words for their
/// usual shapes, then habits of the public texture sets.
#[rustfmt::skip]
const WORDS: &[(Look, &[&str])] = &[
    (Look::Sky, &["sky"]),
    (Look::Liquid, &["water", "lava", "slime", "liquid", "blood_f", "swamp"]),
    (Look::Light, &["light", "lamp", "lite", "_lit", "neon"]),
    (Look::Concrete, &["concr", "cement", "tech01", "tech04", "uwall"]),
    (Look::Brick, &["brick", "brk", "brck", "masonry"]),
    (Look::Wood, &["wood", "plank", "crate", "timber", "crae"]),
    (Look::Metal, &["metal", "steel", "iron", "copper", "rust", "_met", "met_", "cop"]),
    (Look::Tile, &["tile", "mosaic", "carpet"]),
    (Look::Plaster, &["plaster", "stucco", "paint", "glass", "grey", "white"]),
    (Look::Rock, &["rock", "stone", "cliff", "cave", "cobble", "slate", "marble", "granit"]),
    (Look::Soil, &["soil", "dirt", "drt", "grass", "mud", "sand", "ground", "grnd", "gravel", "earth", "moss", "vine",
        "leaf", "snow", "flesh", "meat"]),
    (Look::Metal, &["grat", "pipe", "pip", "slip", "met", "comp", "mach", "door", "plat_", "plats", "platt", "button", "btn", "butn", "switch",
        "rivet", "chain", "bolt", "trim", "vent", "elev", "rail", "cable", "exit", "caution", "key", "tech", "tek"]),
    (Look::Wood, &["box", "beam", "shelf", "book", "bark"]),
    (Look::Tile, &["floor", "flor", "flr", "ceil", "roof", "flat_"]),
    (Look::Plaster, &["wall", "church", "window"]),
    (Look::Rock, &["may_", "terra", "rck", "altar", "column", "pillar", "skull", "blok", "rune"]),
];

/// The look of a texture, by keywords in its name; concrete without one.
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
    // The name says more than its folder.
    find(last).or_else(|| find(&name)).unwrap_or(Look::Concrete)
}

/// Whether [`look`] is the sky; fast, since most names do not contain the word.
pub fn is_sky(texture: &str) -> bool {
    texture.to_ascii_lowercase().contains("sky") && look(texture) == Look::Sky
}

pub(crate) fn last_part(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// The structural material of a texture, by its look.
pub fn structural(texture: &str) -> StructuralMaterial {
    if texture.to_ascii_lowercase().contains("glass") {
        return StructuralMaterial::Glass;
    }
    match look(texture) {
        Look::Concrete | Look::Tile | Look::Light => StructuralMaterial::Concrete,
        Look::Brick | Look::Plaster => StructuralMaterial::Brick,
        Look::Metal => StructuralMaterial::Metal,
        Look::Wood => StructuralMaterial::Wood,
        Look::Rock | Look::Sky => StructuralMaterial::Rock,
        Look::Soil | Look::Liquid => StructuralMaterial::Soil,
    }
}

/// The inner material of a texture, which a carve exposes: one projection for all faces, so that they merge. Its hardness
/// is 1; see [`Material::hardness`].
pub fn inner(texture: &str) -> Material {
    Material {
        texture: texture.into(),
        u: DVec3::new(UNITS, 0.0, 0.0),
        v: DVec3::new(0.0, -UNITS, 0.0),
        offset: [0.0; 2],
        inner: true,
        hardness: 1.0,
    }
}

/// Whether all sides have inner materials.
pub(super) fn all_inner(brush: &crate::carve::BrushDesc, materials: &[Material]) -> bool {
    let inner = |id: MaterialId| materials.get(id as usize).is_some_and(|m| m.inner);
    brush.sides.iter().all(|side| inner(side.material))
}

/// The materials of a level, indexed by [`MaterialId`], each once.
#[derive(Debug, Default)]
pub(super) struct Materials {
    pub list: Vec<Material>,
    /// See [`super::Pictures::fitted`].
    pub fitted: Vec<MaterialId>,
    known: FxHashMap<(String, [u64; 9], bool), MaterialId>,
}

impl Materials {
    /// The id of a material, which is added if it is new. `is_fitted` counts for a new one only: materials that differ in
    /// nothing else are one.
    pub fn id(&mut self, material: Material, is_fitted: bool) -> MaterialId {
        let (u, v, o) = (material.u, material.v, material.offset);
        let hardness = material.hardness;
        let bits = [u.x, u.y, u.z, v.x, v.y, v.z, o[0], o[1], hardness].map(f64::to_bits);
        let key = (material.texture.clone(), bits, material.inner);
        *self.known.entry(key).or_insert_with(|| {
            let id = self.list.len() as MaterialId;
            self.list.push(material);
            if is_fitted {
                self.fitted.push(id);
            }
            id
        })
    }
}

/// The textured material of a face with this outward normal (`.map` axes).
pub(super) fn painted(texture: &str, projection: &Projection, normal: DVec3) -> Material {
    let [(u, u_offset), (v, v_offset)] = texel_axes(projection, normal);
    // Rounds off noise of editors such as 1.0000000000000002, which would split one wall into many faces.
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
        hardness: 1.0,
    }
}

/// The textured material of a flat piece of a patch: the affine map that fits s and t of its corners best (exact for three),
/// without a change along the normal. Corners are in metres, s and t in whole pictures. None where they span no picture.
pub(super) fn fitted(
    texture: &str,
    corners: &[(DVec3, [f64; 2])],
    normal: DVec3,
) -> Option<Material> {
    let count = corners.len() as f64;
    let middle: DVec3 = corners.iter().map(|c| c.0).sum::<DVec3>() / count;
    let mean = [0, 1].map(|i| corners.iter().map(|c| c.1[i]).sum::<f64>() / count);
    // Least squares in an orthonormal basis of the plane.
    let (x, y) = normal.any_orthonormal_pair();
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    let mut sums = [[0.0; 2]; 2];
    for (p, st) in corners {
        let (px, py) = ((p - middle).dot(x), (p - middle).dot(y));
        (xx, xy, yy) = (xx + px * px, xy + px * py, yy + py * py);
        for (sum, (value, mean)) in sums.iter_mut().zip(st.iter().zip(mean)) {
            sum[0] += px * (value - mean);
            sum[1] += py * (value - mean);
        }
    }
    let det = xx * yy - xy * xy;
    if det <= 1e-12 * (xx + yy) * (xx + yy) {
        return None;
    }
    let axis = |[sx, sy]: [f64; 2]| {
        let along = x * (yy * sx - xy * sy) + y * (xx * sy - xy * sx);
        along * (TEXTURE_SIZE / det)
    };
    let (u, v) = (axis(sums[0]), axis(sums[1]));
    if !spans(u, v) || u.abs().max(v.abs()).max_element() > FINEST {
        return None;
    }
    // Rounds off the noise of the fit: the pieces of a flat sheet have one material and merge. The offset follows from the
    // rounded axes.
    let steady = |a: DVec3| (a * 4096.0).round() / 4096.0 + 0.0;
    let (u, v) = (steady(u), steady(v));
    let offset = |a: DVec3, mean: f64| {
        let offset = mean * TEXTURE_SIZE - a.dot(middle);
        (offset * 64.0).round() / 64.0 + 0.0
    };
    Some(Material {
        texture: texture.into(),
        u,
        v,
        offset: [offset(u, mean[0]), offset(v, mean[1])],
        inner: false,
        hardness: 1.0,
    })
}

/// The axes, texels per unit, and their offsets, texels.
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

/// Whether both are finite, not zero, and not parallel.
fn spans(u: DVec3, v: DVec3) -> bool {
    u.is_finite() && v.is_finite() && u.cross(v).length() > 1e-6 * u.length() * v.length()
}

/// Quake's base axes: the axis nearest to the normal, first on ties, gives u and v.
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
    // The signs of QuakeEd: it rotates the coordinates along s = |u| and t = |v|, whichever way v points.
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

/// Exact for right angles; otherwise libm's, the same on every machine.
pub(super) fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// s and t of a point of the file under a projection.
    fn texel(projection: &Projection, normal: DVec3, p: DVec3) -> [f64; 2] {
        let m = painted("x", projection, normal);
        let metres = DVec3::new(p.x, p.z, -p.y) / UNITS;
        let s = m.u.dot(metres) + m.offset[0];
        let t = m.v.dot(metres) + m.offset[1];
        [s, t].map(|x| (x * 1e6).round() / 1e6)
    }

    #[test]
    fn standard_axes_follow_the_table() {
        let plain = Projection::Standard {
            offset: [3.0, 5.0],
            rotation: 0.0,
            scale: [2.0, 0.0],
        };
        let p = DVec3::new(10.0, 20.0, 40.0);
        // A scale of 0 means 1.
        assert_eq!(texel(&plain, DVec3::Z, p), [8.0, -15.0]);
        assert_eq!(texel(&plain, DVec3::NEG_Z, p), [8.0, -15.0]);
        assert_eq!(texel(&plain, DVec3::X, p), [13.0, -35.0]);
        assert_eq!(texel(&plain, DVec3::NEG_Y, p), [8.0, -35.0]);
        // On a tie the first axis of the table: floors, then east, then north.
        let slope = DVec3::new(1.0, 1.0, 1.0).normalize();
        assert_eq!(texel(&plain, slope, p), texel(&plain, DVec3::Z, p));
    }

    #[test]
    fn rotation_turns_within_the_plane() {
        let turned = |rotation| Projection::Standard {
            offset: [0.0; 2],
            rotation,
            scale: [1.0; 2],
        };
        let p = DVec3::new(10.0, 20.0, 0.0);
        assert_eq!(texel(&turned(90.0), DVec3::Z, p), [20.0, 10.0]);
        assert_eq!(texel(&turned(-270.0), DVec3::Z, p), [20.0, 10.0]);
        assert_eq!(texel(&turned(180.0), DVec3::Z, p), [-10.0, 20.0]);
        let length = |r: f64| painted("x", &turned(r), DVec3::Z).u.length();
        assert!((length(33.0) - UNITS).abs() < 1e-6);
    }

    #[test]
    fn bad_axes_fall_back_to_the_table() {
        let plain = Projection::Standard {
            offset: [1.0, 2.0],
            rotation: 0.0,
            scale: [1.0; 2],
        };
        let valve = |u: [f64; 3], v: [f64; 3]| Projection::Valve {
            axes: [[u[0], u[1], u[2], 1.0], [v[0], v[1], v[2], 2.0]],
            rotation: 0.0,
            scale: [1.0; 2],
        };
        let expected = painted("x", &plain, DVec3::Z);
        for (u, v) in [
            ([0.0; 3], [0.0, 1.0, 0.0]),
            ([1.0, 1.0, 0.0], [2.0, 2.0, 0.0]),
            ([1e300, 0.0, 0.0], [1e300; 3]),
        ] {
            assert_eq!(painted("x", &valve(u, v), DVec3::Z), expected);
        }
    }

    #[test]
    fn noise_of_editors_makes_no_second_material() {
        let valve = |x: f64, noise: f64| Projection::Valve {
            axes: [[x, noise, 0.0, -16.0], [-0.0, 0.0, -x, -32.0]],
            rotation: 0.0,
            scale: [1.0; 2],
        };
        let mut table = Materials::default();
        let a = table.id(painted("x", &valve(1.0, 0.0), DVec3::Y), false);
        let noisy = valve(1.0000000000000002, -2.2e-16);
        let b = table.id(painted("x", &noisy, DVec3::NEG_Y), false);
        assert_eq!((a, b, table.list.len()), (0, 0, 1));
    }

    #[test]
    fn looks_follow_the_words() {
        for (name, expected) in [
            ("concrete", Look::Concrete),
            ("brick_wall", Look::Brick),
            ("plaster_ceiling", Look::Plaster),
            ("tile_floor", Look::Tile),
            ("metal_floor", Look::Metal),
            ("wood_floor", Look::Wood),
            ("rock", Look::Rock),
            ("cave_wall", Look::Rock),
            ("soil", Look::Soil),
            ("*lava1", Look::Liquid),
            ("!water", Look::Liquid),
            ("sky5_blu", Look::Sky),
            ("TLIGHT11", Look::Light),
            ("textures/base_wall/metalfloor", Look::Metal),
            ("", Look::Concrete),
            ("zzz", Look::Concrete),
        ] {
            assert_eq!(look(name), expected, "{name}");
        }
    }
}
