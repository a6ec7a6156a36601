//! Liquids: convex volumes of water, slime or lava, which a level's brushes give by their textures or contents.
//!
//! They are no part of the world: they bound no air, block nothing, and stay where they are when a basin is broken open. Where
//! solid and liquid overlap, solid is what is there.
use super::brush::{Fault, planes_in_metres};
use super::material::last_part;
use super::parsed::ParsedBrush;
use crate::geom::Aabb;
use glam::DVec3;

/// What a liquid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiquidKind {
    /// Clear, and wood floats in it.
    Water,
    /// Thicker than water.
    Slime,
    /// Molten rock.
    Lava,
}

impl LiquidKind {
    /// Kilograms a cubic metre: water at 4 °C; a thick brine; basaltic lava (Murase and McBirney 1973).
    pub fn density(self) -> f64 {
        match self {
            Self::Water => 1000.0,
            Self::Slime => 1200.0,
            Self::Lava => 2600.0,
        }
    }

    /// Part of its speed that a swimmer or a grenade loses in a second where nothing drives it, 1/s.
    pub fn damping(self) -> f64 {
        match self {
            Self::Water => 2.0,
            Self::Slime => 5.0,
            Self::Lava => 12.0,
        }
    }

    /// The name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Slime => "slime",
            Self::Lava => "lava",
        }
    }

    /// By the words of a texture's name, as the games have them; water without one. None for the surfaces of Quake's
    /// teleporters, which are drawn as liquids are and hold none.
    fn of_texture(texture: &str) -> Option<Self> {
        let name = texture.to_ascii_lowercase();
        let last = last_part(&name);
        let has = |words: &[&str]| words.iter().any(|word| last.contains(word));
        if has(&["tele"]) {
            None
        } else if has(&["lava", "magma"]) {
            Some(Self::Lava)
        } else if has(&["slime", "acid", "sewage", "toxic", "nukage"]) {
            Some(Self::Slime)
        } else {
            Some(Self::Water)
        }
    }
}

/// A convex volume of liquid.
#[derive(Clone, Debug)]
pub struct LiquidVolume {
    /// What it is of.
    pub kind: LiquidKind,
    /// Unit normal, outwards, and n·p on the plane, metres.
    pub planes: Vec<(DVec3, f64)>,
    /// Box, metres.
    pub bounds: Aabb,
}

impl LiquidVolume {
    fn contains(&self, p: DVec3) -> bool {
        self.bounds.contains(p) && self.planes.iter().all(|(n, d)| n.dot(p) <= *d)
    }
}

/// A part of the boundary of the liquids of one kind: a convex polygon.
#[derive(Clone, Debug)]
pub struct LiquidFace {
    /// What lies behind it.
    pub kind: LiquidKind,
    /// Corners, metres, counter-clockwise seen from outside.
    pub outline: Vec<DVec3>,
    /// Unit, out of the liquid.
    pub normal: DVec3,
}

/// The liquids of a level.
#[derive(Clone, Debug, Default)]
pub struct Liquids {
    /// In the order of the file; where two overlap the first counts.
    pub volumes: Vec<LiquidVolume>,
    /// Their boundary: faces between volumes of one kind are left out.
    pub faces: Vec<LiquidFace>,
    bounds: Option<Aabb>,
}

/// Distance outside of a face in which another volume of its kind hides it, metres: more than brushes off the grid are apart.
const APART: f64 = 1e-3;
/// A part of a face that is narrower than this, metres, is left out.
const NARROW: f64 = 1e-4;

impl Liquids {
    /// The liquids of some volumes.
    pub fn new(volumes: Vec<LiquidVolume>) -> Self {
        let faces = volumes.iter().enumerate();
        let faces = faces
            .flat_map(|(i, _)| visible_faces(&volumes, i))
            .collect();
        let bounds = volumes.iter().map(|v| v.bounds).reduce(|a, b| a.union(&b));
        Self {
            volumes,
            faces,
            bounds,
        }
    }

    /// The liquid at a point.
    pub fn at(&self, p: DVec3) -> Option<LiquidKind> {
        self.bounds.filter(|bounds| bounds.contains(p))?;
        let mut volumes = self.volumes.iter();
        volumes.find(|volume| volume.contains(p)).map(|v| v.kind)
    }

    /// The liquid around a sphere, and the part of the sphere's volume that is under the surface, 0..=1; None where it touches
    /// none.
    pub fn around(&self, centre: DVec3, radius: f64) -> Option<(LiquidKind, f64)> {
        if !self.may_touch(centre, radius) {
            return None;
        }
        let reach = DVec3::Y * radius;
        let (kind, surface) = match self.at(centre + reach) {
            Some(kind) => (kind, radius),
            None => {
                let surface = self.surface_between(centre - reach, centre + reach)?;
                (self.at(surface)?, surface.y - centre.y)
            }
        };
        // The cap of a sphere: its volume is t² (3 - 2 t) of the whole, t its height in diameters.
        let t = ((surface + radius) / (2.0 * radius)).clamp(0.0, 1.0);
        Some((kind, t * t * (3.0 - 2.0 * t)))
    }

    /// Whether the box around a sphere meets that of a volume.
    pub fn may_touch(&self, centre: DVec3, radius: f64) -> bool {
        let own = Aabb::from_centre(centre, DVec3::splat(radius));
        let touches = |other: &Aabb| other.overlaps(&own);
        self.bounds.iter().any(touches) && self.volumes.iter().any(|v| touches(&v.bounds))
    }

    /// The highest point of the vertical line from `low` to `high` where liquid ends, to a thousandth of its length; None
    /// where the line has no liquid, or leads into it.
    pub fn surface_between(&self, low: DVec3, high: DVec3) -> Option<DVec3> {
        const STEPS: usize = 8;
        self.bounds?;
        let at = |step: usize| low.lerp(high, step as f64 / STEPS as f64);
        let dry = self.at(high).is_none();
        let wet = (0..STEPS).rev().find(|&step| self.at(at(step)).is_some());
        let wet = wet.filter(|_| dry)?;
        let [mut low, mut high] = [at(wet), at(wet + 1)];
        for _ in 0..7 {
            let middle = (low + high) * 0.5;
            match self.at(middle) {
                Some(_) => low = middle,
                None => high = middle,
            }
        }
        Some(low)
    }

    /// Whether the level has none.
    pub fn is_empty(&self) -> bool {
        self.volumes.is_empty()
    }
}

/// The volume of a brush whose faces are of a liquid; None where they are a teleporter's surface.
pub(super) fn volume(
    brush: &ParsedBrush,
    textures: &[String],
) -> Option<Result<LiquidVolume, Fault>> {
    let kind = kind(brush, textures)?;
    let volume = |(planes, bounds)| LiquidVolume {
        kind,
        planes,
        bounds,
    };
    Some(planes_in_metres(brush).map(volume))
}

/// The contents of Quake 2's games decide, otherwise the first texture that names a liquid: other sides may have a tool's.
fn kind(brush: &ParsedBrush, textures: &[String]) -> Option<LiquidKind> {
    const LAVA: u32 = 8;
    const SLIME: u32 = 16;
    let contents = brush.faces.iter().fold(0, |all, f| all | f.flags.contents);
    if contents & LAVA != 0 {
        return Some(LiquidKind::Lava);
    }
    if contents & SLIME != 0 {
        return Some(LiquidKind::Slime);
    }
    let kinds = brush.faces.iter();
    let kinds = kinds.map(|f| LiquidKind::of_texture(&textures[f.texture as usize]));
    let mut first = None;
    for kind in kinds {
        match kind {
            None => return None,
            Some(LiquidKind::Water) => first = first.or(kind),
            strong => return strong,
        }
    }
    first
}

/// The faces of a volume, without what other volumes of its kind hide.
fn visible_faces(volumes: &[LiquidVolume], index: usize) -> Vec<LiquidFace> {
    let own = &volumes[index];
    let mut faces = Vec::new();
    for (i, &(normal, _)) in own.planes.iter().enumerate() {
        let mut parts = vec![polygon(own, i)];
        let others = volumes.iter().enumerate();
        for (j, other) in others.filter(|(_, v)| v.kind == own.kind) {
            let touches = other.bounds.grow(APART).overlaps(&own.bounds);
            if j != index && touches {
                parts = parts
                    .into_iter()
                    .flat_map(|part| outside(part, other, normal))
                    .collect();
            }
        }
        faces.extend(
            parts
                .into_iter()
                .filter(|p| p.len() > 2)
                .map(|outline| LiquidFace {
                    kind: own.kind,
                    outline,
                    normal,
                }),
        );
    }
    faces
}

/// The polygon of one plane of a volume.
fn polygon(volume: &LiquidVolume, index: usize) -> Vec<DVec3> {
    let (normal, distance) = volume.planes[index];
    let u = normal.any_orthonormal_vector();
    let v = normal.cross(u);
    let centre = volume.bounds.centre();
    let centre = centre - normal * (normal.dot(centre) - distance);
    let far = volume.bounds.diagonal() * 2.0 + 1.0;
    let square = [-u - v, u - v, u + v, -u + v].map(|way| centre + way * far);
    let others = volume.planes.iter().enumerate();
    let mut others = others.filter(|(i, _)| *i != index);
    others
        .try_fold(square.to_vec(), |rest, (_, &(n, d))| {
            let [below, _] = split(&rest, n, d);
            (below.len() > 2).then_some(below)
        })
        .unwrap_or_default()
}

/// The parts of a face with a normal outside of a volume.
fn outside(face: Vec<DVec3>, volume: &LiquidVolume, normal: DVec3) -> Vec<Vec<DVec3>> {
    let mut parts = Vec::new();
    let mut rest = face.clone();
    for &(n, d) in &volume.planes {
        // As seen from just outside of the face.
        let [below, above] = split(&rest, n, d - n.dot(normal) * APART);
        parts.extend((above.len() > 2).then_some(above));
        rest = below;
        if rest.len() < 3 {
            // Nothing of it is hidden: it stays one polygon.
            return vec![face];
        }
    }
    parts
}

/// The parts of a convex polygon below and above a plane; fewer than three corners where there is none.
fn split(polygon: &[DVec3], normal: DVec3, distance: f64) -> [Vec<DVec3>; 2] {
    let heights: Vec<f64> = polygon.iter().map(|p| normal.dot(*p) - distance).collect();
    let [mut below, mut above] = [const { Vec::new() }; 2];
    if heights.iter().all(|&h| h <= NARROW) {
        return [polygon.to_vec(), above];
    }
    if heights.iter().all(|&h| h >= -NARROW) {
        return [below, polygon.to_vec()];
    }
    for (i, (&p, &h)) in polygon.iter().zip(&heights).enumerate() {
        let next = (i + 1) % polygon.len();
        if h <= 0.0 {
            below.push(p);
        }
        if h >= 0.0 {
            above.push(p);
        }
        if h * heights[next] < 0.0 {
            let at = p.lerp(polygon[next], h / (h - heights[next]));
            below.push(at);
            above.push(at);
        }
    }
    [below, above]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    fn block(kind: LiquidKind, min: [f64; 3], max: [f64; 3]) -> LiquidVolume {
        let (min, max) = (DVec3::from_array(min), DVec3::from_array(max));
        let axes = DVec3::AXES;
        let high = axes.map(|n| (n, n.dot(max)));
        let low = axes.map(|n| (-n, -n.dot(min)));
        LiquidVolume {
            kind,
            planes: [high, low].concat(),
            bounds: Aabb { min, max },
        }
    }

    fn area(face: &LiquidFace) -> f64 {
        let [first, rest @ ..] = face.outline.as_slice() else {
            return 0.0;
        };
        let pairs = rest.windows(2);
        let twice: f64 = pairs
            .map(|w| (w[0] - *first).cross(w[1] - *first).dot(face.normal))
            .sum();
        twice * 0.5
    }

    #[test]
    fn names_of_textures_tell_the_kind() {
        for (name, kind) in [
            ("*water0", Some(LiquidKind::Water)),
            ("*04mwat1", Some(LiquidKind::Water)),
            ("!TOXICGRN", Some(LiquidKind::Slime)),
            ("textures/liquids/lavahell", Some(LiquidKind::Lava)),
            ("common/slimecaulk", Some(LiquidKind::Slime)),
            ("*teleport", None),
        ] {
            assert_eq!(LiquidKind::of_texture(name), kind, "{name}");
        }
    }

    #[test]
    fn faces_between_volumes_of_one_kind_are_left_out() {
        use LiquidKind::{Lava, Water};
        let one = block(Water, [0.0; 3], [4.0, 2.0, 3.0]);
        let all = |volumes: &[LiquidVolume]| -> f64 {
            let liquids = Liquids::new(volumes.to_vec());
            liquids.faces.iter().map(area).sum()
        };
        let alone = 2.0 * (4.0 * 2.0 + 2.0 * 3.0 + 3.0 * 4.0);
        assert!((all(std::slice::from_ref(&one)) - alone).abs() < 1e-9);
        // Beside it, lower and shorter: the shared part goes from both.
        let low = block(Water, [4.0, 0.0, 1.0], [6.0, 1.0, 2.0]);
        let own = 2.0 * (2.0 + 1.0 + 2.0);
        let both = all(&[one.clone(), low.clone()]);
        assert!((both - (alone + own - 2.0)).abs() < 1e-2, "{both}");
        // Of another kind: all stays.
        let hot = LiquidVolume { kind: Lava, ..low };
        assert!((all(&[one, hot]) - (alone + own)).abs() < 1e-9);
    }

    #[test]
    fn the_area_of_overlapping_boxes_is_that_of_a_count_of_points() {
        let mut rng = Rng::new(7);
        for _ in 0..20 {
            let mut some = || {
                let min = [0; 3].map(|_| f64::from(rng.range(0.0, 6.0) as u32));
                let max = min.map(|x| x + 1.0 + f64::from(rng.range(0.0, 4.0) as u32));
                block(LiquidKind::Water, min, max)
            };
            let volumes: Vec<LiquidVolume> = (0..4).map(|_| some()).collect();
            let liquids = Liquids::new(volumes);
            // Cells of a metre: a side counts where the one beyond it is dry. Equal faces of two boxes lie on each other.
            let wet = |p: [i32; 3]| {
                liquids
                    .at(DVec3::from_array(p.map(f64::from)) + 0.5)
                    .is_some()
            };
            let mut sides = 0.0;
            for i in 0..11 * 11 * 11 {
                let p = [i % 11, i / 11 % 11, i / 121];
                for k in 0..3 {
                    for step in [-1, 1] {
                        let mut q = p;
                        q[k] += step;
                        sides += f64::from(u8::from(wet(p) && !wet(q)));
                    }
                }
            }
            let drawn: f64 = liquids.faces.iter().map(area).sum();
            assert!(drawn > sides - 0.1, "{drawn} {sides}");
            for face in &liquids.faces {
                let middle = face.outline.iter().sum::<DVec3>() / face.outline.len() as f64;
                assert!(liquids.at(middle - face.normal * 0.01).is_some());
                assert!(
                    liquids.at(middle + face.normal * 0.01).is_none(),
                    "{face:?}"
                );
            }
        }
    }

    #[test]
    fn the_part_of_a_sphere_under_the_surface_is_its_cap() {
        let liquids = Liquids::new(vec![block(LiquidKind::Slime, [0.0; 3], [4.0; 3])]);
        for (y, part) in [
            (1.0, 1.0),
            (4.0, 0.5),
            (5.1, 0.0),
            (4.5, 0.15625),
            (3.5, 0.84375),
        ] {
            let found = liquids.around(DVec3::new(2.0, y, 2.0), 1.0);
            let found = found.map_or(0.0, |f| f.1);
            assert!((found - part).abs() < 2e-3, "{y}: {found}");
        }
    }
}
