//! What a material breaks into: the form of a crumb by its look, with a few variants of each. All lie within the unit
//! sphere, which stands for the crumb's collision sphere, but for the corners of bulky ones. Drawing only: to the simulation a crumb is that sphere.
use super::hull::convex_hull;
use crate::level::material::Look;
use glam::Vec3;

/// The form of a crumb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub(super) enum Form {
    /// Angular, with flat sides.
    Lump,
    /// A flat piece as thick as a slab's skin.
    Plate,
    /// Whole, with broken corners.
    Brick,
    /// Broken across.
    HalfBrick,
    /// Thin, with few sharp corners.
    Shard,
    /// A bent sheet.
    Flake,
    /// Long, and thin at one end.
    Splinter,
    /// Sharp rock.
    Stone,
    /// Soil that holds together.
    Clod,
    /// Lies beside a crumb of any look: see [`chip`].
    Chip,
}

/// Variants of each form.
pub(super) const VARIANTS: usize = 3;
/// Larger crumbs of brickwork are lumps of several bricks, metres.
const LARGEST_BRICK_M: f64 = 0.17;
/// The smallest crumb is drawn at this part of its sphere's radius. See [`drawn_share`].
const SMALLEST_SHARE: f32 = 0.72;

impl Form {
    /// Whether it comes to rest on any of its sides; others lie flat.
    pub fn is_bulky(self) -> bool {
        match self {
            Self::Lump | Self::Stone | Self::Clod | Self::Chip => true,
            Self::Plate
            | Self::Brick
            | Self::HalfBrick
            | Self::Shard
            | Self::Flake
            | Self::Splinter => false,
        }
    }

    /// Distance of the farthest corner from the middle, in radii of the collision sphere. Corners of what is bulky look out
    /// of it a little, since the rest fills so much less.
    fn reach(self) -> f32 {
        match self {
            Self::Lump | Self::Stone | Self::Clod | Self::Chip => 1.15,
            Self::Plate | Self::Brick | Self::Shard | Self::Flake | Self::Splinter => 1.0,
            // As thick and wide as a whole one.
            Self::HalfBrick => 0.8,
        }
    }

    /// Corners of a variant, of any size. Y is the thin axis.
    fn corners(self, variant: usize) -> Vec<Vec3> {
        let seed = (self as usize * VARIANTS + variant) as u32;
        let part = |number: u32| part(seed, number);
        match self {
            Self::Lump => {
                let block = box_corners(Vec3::new(1.0, 0.72, 0.86));
                let worn = block.into_iter().zip(0..).map(|(corner, i)| {
                    let side = Vec3::new(part(2 * i), 0.0, part(2 * i + 1));
                    corner * (Vec3::ONE - 0.34 * side)
                });
                clipped(worn.collect(), &[variant], 0.45)
            }
            Self::Plate => prism(5 + variant % 2, [1.0, 0.8], 0.2, part),
            Self::Brick => {
                let clips = [&[1][..], &[3, 6], &[0, 5]][variant];
                clipped(box_corners(BRICK), clips, 0.16 + 0.08 * variant as f32)
            }
            Self::HalfBrick => {
                let broken = box_corners(BRICK).into_iter().zip(0..).map(|(corner, i)| {
                    let end = -0.05 + 0.34 * part(i);
                    corner.with_x(corner.x.min(end * BRICK.x))
                });
                clipped(broken.collect(), &[variant * 2], 0.2)
            }
            Self::Shard => prism(3 + variant % 2, [1.0, 0.62], 0.08, part),
            Self::Flake => sheet(0.14 + 0.07 * variant as f32, part),
            Self::Splinter => {
                let thin = |i: u32| 0.7 + 0.6 * part(i);
                let butt = |y: f32, z: f32, i: u32| Vec3::new(-0.9 + 0.25 * part(i), y, z);
                let (y, z) = (0.09 * thin(0), 0.2 * thin(1));
                let tip = Vec3::new(1.0, -y, z * (part(2) - 0.5));
                vec![
                    butt(-y, -z, 3),
                    butt(y, -z, 4),
                    butt(-y, z, 5),
                    butt(y, z, 6),
                    tip,
                    Vec3::new(0.1 + 0.3 * part(7), y * 0.8, tip.z - 0.05),
                ]
            }
            Self::Stone => round(9, Vec3::new(1.0, 0.8, 0.86), 0.62, part),
            Self::Clod => round(12, Vec3::new(1.0, 0.8, 0.95), 0.72, part),
            Self::Chip => round(5, Vec3::new(1.0, 0.6, 0.7), 0.6, part),
        }
    }
}

/// Half the sides of a brick, in half its diagonal: 215 by 65 by 102 millimetres.
const BRICK: Vec3 = Vec3::new(0.87, 0.26, 0.41);

/// The form that a crumb of a radius in metres has.
pub(super) fn form_of(look: Look, radius: f64, seed: u32) -> Form {
    let forms: &[Form] = match look {
        Look::Concrete => &[Form::Plate, Form::Lump, Form::Lump],
        Look::Brick if radius > LARGEST_BRICK_M => &[Form::Lump],
        Look::Brick => &[Form::Brick, Form::HalfBrick, Form::HalfBrick],
        Look::Plaster => &[Form::Plate, Form::Shard],
        Look::Tile => &[Form::Shard],
        Look::Metal => &[Form::Flake],
        Look::Wood => &[Form::Splinter],
        Look::Soil => &[Form::Clod],
        // The inside of what has none is rock: see `looks`.
        Look::Rock | Look::Liquid | Look::Sky | Look::Light => &[Form::Stone],
    };
    forms[pick(seed, 11, forms.len())]
}

/// The variant of a crumb.
pub(super) fn variant_of(seed: u32) -> usize {
    pick(seed, 12, VARIANTS)
}

/// The part of its collision sphere's radius that a crumb is drawn at: many small ones and few large ones, by a power law.
/// The number of those above a share falls with its square.
pub(super) fn drawn_share(seed: u32) -> f32 {
    let most = SMALLEST_SHARE.powi(-2);
    (most - part(seed, 13) * (most - 1.0)).sqrt().recip()
}

/// Factors of a crumb's sides.
pub(super) fn sides(seed: u32) -> Vec3 {
    let side = |number| 1.0 - 0.15 * part(seed, number);
    Vec3::new(side(14), side(15), side(16))
}

/// A factor of a crumb's brightness.
pub(super) fn brightness(seed: u32) -> f32 {
    0.86 + 0.28 * part(seed, 17)
}

/// A chip that came off a crumb and lies beside it, within the crumb's collision sphere seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chip {
    /// Size in radii of that sphere.
    pub size: f32,
    /// Distance from the crumb in radii, and direction in radians.
    pub out: f32,
    pub turn: f32,
}

/// The chip of a variant's mesh beside a crumb, if it has one.
pub(super) fn chip(seed: u32, variant: usize) -> Option<Chip> {
    let number = 20 + 4 * variant as u32;
    let of = |n: u32| part(seed, number + n);
    (of(0) < 0.7).then(|| Chip {
        // Small ones mostly.
        size: 0.07 + 0.18 * of(1) * of(1),
        out: 0.64 + 0.26 * of(2),
        turn: of(3) * std::f32::consts::TAU,
    })
}

/// Factors of red, green and blue for what is not of the colour that its look is baked with, and whether it is one stone
/// without joints.
pub(super) fn colour_of(form: Form, seed: u32) -> ([f32; 3], bool) {
    match form {
        // Fired clay.
        Form::Brick | Form::HalfBrick => {
            let hues = [[0.95, 0.33, 0.20], [1.05, 0.50, 0.26], [0.62, 0.23, 0.17]];
            (hues[pick(seed, 18, hues.len())], true)
        }
        // Its bare inside is bright.
        Form::Flake => ([0.6; 3], false),
        Form::Lump
        | Form::Plate
        | Form::Shard
        | Form::Splinter
        | Form::Stone
        | Form::Clod
        | Form::Chip => ([1.0; 3], false),
    }
}

/// A number 0..=1 by a seed.
fn part(seed: u32, number: u32) -> f32 {
    let mut hash = seed
        .wrapping_mul(747_796_405)
        .wrapping_add(number.wrapping_mul(2_891_336_453))
        .wrapping_add(0x9e37_79b9);
    hash = ((hash >> ((hash >> 28) + 4)) ^ hash).wrapping_mul(277_803_737);
    f32::from(((hash >> 22 ^ hash) & 0xffff) as u16) / 65535.0
}

fn pick(seed: u32, number: u32, count: usize) -> usize {
    ((part(seed, number) * count as f32) as usize).min(count - 1)
}

/// The mesh of a variant, closed. Its box reaches from -1 to 1 along each axis; times `half` it is in radii of the
/// collision sphere.
#[derive(Clone, Debug)]
pub(super) struct CrumbMesh {
    pub points: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[usize; 3]>,
    pub half: Vec3,
}

impl CrumbMesh {
    /// The mesh of a form's variant.
    pub fn new(form: Form, variant: usize) -> Self {
        let corners = form.corners(variant);
        let mut triangles = match form {
            Form::Flake => SHEET_TRIANGLES.to_vec(),
            Form::Lump
            | Form::Plate
            | Form::Brick
            | Form::HalfBrick
            | Form::Shard
            | Form::Splinter
            | Form::Stone
            | Form::Clod
            | Form::Chip => convex_hull(&corners),
        };
        // Corners inside the hull go.
        let mut points: Vec<Vec3> = Vec::new();
        for corner in triangles.iter_mut().flatten() {
            let point = corners[*corner];
            let known = points.iter().position(|&p| p == point);
            *corner = known.unwrap_or_else(|| {
                points.push(point);
                points.len() - 1
            });
        }
        let low = points.iter().copied().reduce(Vec3::min);
        let high = points.iter().copied().reduce(Vec3::max);
        let (low, high) = low.zip(high).expect("a form has corners");
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        points.iter_mut().for_each(|p| *p -= middle);
        let lengths = points.iter().map(|p| p.length());
        let longest = lengths.fold(0.0, f32::max);
        let reach = form.reach();
        points.iter_mut().for_each(|p| *p /= half);
        Self {
            points,
            triangles,
            half: half * (reach / longest),
        }
    }
}

fn box_corners(half: Vec3) -> Vec<Vec3> {
    let side = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |i| half * Vec3::new(side(i, 0), side(i, 1), side(i, 2));
    (0..8).map(corner).collect()
}

/// A box with some of its corners broken off, at this part of the three edges there.
fn clipped(corners: Vec<Vec3>, which: &[usize], depth: f32) -> Vec<Vec3> {
    let of_one = |(i, corner): (usize, &Vec3)| match which.contains(&i) {
        false => vec![*corner],
        true => [1, 2, 4]
            .map(|bit| corner.lerp(corners[i ^ bit], depth))
            .to_vec(),
    };
    corners.iter().enumerate().flat_map(of_one).collect()
}

/// A prism over an uneven outline, its upper side smaller.
fn prism(sides: usize, [long, wide]: [f32; 2], half: f32, part: impl Fn(u32) -> f32) -> Vec<Vec3> {
    let corner = |i: usize| {
        let number = 4 * i as u32;
        let turn = (i as f32 + 0.55 * part(number)) / sides as f32;
        let (sin, cos) = libm::sincosf(turn * std::f32::consts::TAU);
        let out = 0.78 + 0.22 * part(number + 1);
        let low = Vec3::new(cos * out * long, -half, sin * out * wide);
        let inset = 0.8 + 0.2 * part(number + 2);
        [low, Vec3::new(low.x * inset, half, low.z * inset)]
    };
    (0..sides).flat_map(corner).collect()
}

/// Points around a spiral on the sphere, flat below and above.
fn round(count: u32, half: Vec3, flat: f32, part: impl Fn(u32) -> f32) -> Vec<Vec3> {
    let point = |i: u32| {
        let y = 1.0 - 2.0 * (i as f32 + 0.5) / count as f32;
        let (sin, cos) = libm::sincosf(i as f32 * 2.399_963 + 1.1 * part(2 * i));
        let wide = (1.0 - y * y).sqrt() * (0.8 + 0.2 * part(2 * i + 1));
        half * Vec3::new(cos * wide, y.clamp(-flat, flat), sin * wide)
    };
    (0..count).map(point).collect()
}

/// A sheet bent along Z: two wings that end in an edge, thicker at the bend. Corners of the wings' ends, then the bend
/// above and below.
fn sheet(bend: f32, part: impl Fn(u32) -> f32) -> Vec<Vec3> {
    let uneven = |i: u32| 0.62 + 0.38 * part(i);
    let x = 0.3 * (part(0) - 0.5);
    vec![
        Vec3::new(-1.0, -bend, -0.72 * uneven(1)),
        Vec3::new(-0.8 - 0.2 * part(2), -bend, 0.72 * uneven(3)),
        Vec3::new(0.9, -bend * uneven(4), 0.72 * uneven(5)),
        Vec3::new(0.75 + 0.2 * part(6), -bend, -0.72 * uneven(7)),
        Vec3::new(x, bend, -0.72 * uneven(8)),
        Vec3::new(x + 0.2, bend, 0.72 * uneven(9)),
        Vec3::new(x, bend - 0.05, -0.72 * uneven(8)),
        Vec3::new(x + 0.2, bend - 0.05, 0.72 * uneven(9)),
    ]
}

#[rustfmt::skip]
const SHEET_TRIANGLES: [[usize; 3]; 12] = [
    [0, 1, 5], [0, 5, 4], [4, 5, 2], [4, 2, 3],
    [0, 7, 1], [0, 6, 7], [6, 2, 7], [6, 3, 2],
    [0, 4, 6], [4, 3, 6], [1, 7, 5], [5, 7, 2],
];

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray;

    fn meshes() -> impl Iterator<Item = (Form, usize, CrumbMesh)> {
        let variants = |&form: &Form| (0..VARIANTS).map(move |variant| (form, variant));
        let all = Form::VARIANTS.iter().flat_map(variants);
        all.map(|(form, variant)| (form, variant, CrumbMesh::new(form, variant)))
    }

    fn volume(mesh: &CrumbMesh) -> f32 {
        let triangles = mesh.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|i| mesh.points[i] * mesh.half);
            a.dot(b.cross(c)) / 6.0
        });
        triangles.sum()
    }

    #[test]
    fn every_mesh_is_closed_faces_outwards_and_lies_within_its_reach() {
        for (form, variant, mesh) in meshes() {
            let says = format!("{form:?} {variant}: {mesh:?}");
            assert!((4..=20).contains(&mesh.triangles.len()), "{says}");
            let edges = || {
                let sides = |&[a, b, c]: &[usize; 3]| [(a, b), (b, c), (c, a)];
                mesh.triangles.iter().flat_map(sides)
            };
            for (a, b) in edges() {
                assert_eq!(edges().filter(|&edge| edge == (a, b)).count(), 1, "{says}");
                assert_eq!(edges().filter(|&edge| edge == (b, a)).count(), 1, "{says}");
            }
            // V - E + F = 2 over the corners that are used.
            let mut used: Vec<usize> = mesh.triangles.iter().flatten().copied().collect();
            used.sort_unstable();
            used.dedup();
            assert_eq!(used.len(), mesh.points.len(), "{says}");
            assert_eq!(used.len() * 2, mesh.triangles.len() + 4, "{says}");
            let (low, high) = mesh
                .points
                .iter()
                .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| {
                    (low.min(p), high.max(p))
                });
            assert!(low.abs_diff_eq(Vec3::NEG_ONE, 1e-5), "{says}");
            assert!(high.abs_diff_eq(Vec3::ONE, 1e-5), "{says}");
            for &p in &mesh.points {
                assert!((p * mesh.half).length() <= form.reach() + 1e-5, "{says}");
            }
            // Outwards, and neither a needle nor a ball: a unit ball has 4.19.
            let volume = volume(&mesh);
            assert!((0.02..3.4).contains(&volume), "{volume} {says}");
            for t in &mesh.triangles {
                let [a, b, c] = t.map(|i| mesh.points[i] * mesh.half);
                assert!((b - a).cross(c - a).length() > 1e-4, "{says}");
            }
        }
    }

    #[test]
    fn convex_forms_have_every_point_behind_every_side() {
        for (form, variant, mesh) in meshes().filter(|(form, ..)| *form != Form::Flake) {
            for t in &mesh.triangles {
                let [a, b, c] = t.map(|i| mesh.points[i]);
                let normal = (b - a).cross(c - a).normalize();
                let highest = mesh.points.iter().map(|&p| normal.dot(p - a));
                let highest = highest.fold(f32::MIN, f32::max);
                assert!(highest < 1e-3, "{form:?} {variant}: {highest}");
            }
        }
    }

    #[test]
    fn thin_forms_are_thinnest_along_y_and_variants_differ() {
        let mut seen: Vec<(Form, CrumbMesh)> = Vec::new();
        for (form, variant, mesh) in meshes() {
            let Vec3 { x, y, z } = mesh.half;
            if !form.is_bulky() {
                assert!(y < 0.9 * z.min(x), "{form:?} {variant}: {:?}", mesh.half);
            }
            assert!(seen.iter().all(|(_, other)| other.points != mesh.points));
            seen.push((form, mesh));
        }
    }

    #[test]
    fn a_brick_breaks_into_bricks_and_halves_and_wood_into_splinters() {
        let forms = |look, radius| {
            let mut forms: Vec<Form> = Vec::new();
            for seed in 0..200 {
                let form = form_of(look, radius, seed);
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
            forms
        };
        let bricks = forms(Look::Brick, 0.1);
        assert!(bricks.contains(&Form::Brick) && bricks.contains(&Form::HalfBrick));
        assert_eq!(forms(Look::Brick, 0.3), [Form::Lump]);
        assert_eq!(forms(Look::Wood, 0.1), [Form::Splinter]);
        assert_eq!(forms(Look::Metal, 0.1), [Form::Flake]);
        assert_eq!(forms(Look::Concrete, 0.1).len(), 2);
        let variants: Vec<usize> = (0..50).map(variant_of).collect();
        assert!((0..VARIANTS).all(|variant| variants.contains(&variant)));
    }

    #[test]
    fn chips_lie_beside_their_crumb_and_no_farther_than_its_sphere() {
        let all = (0..300).flat_map(|seed| (0..VARIANTS).filter_map(move |v| chip(seed, v)));
        let chips: Vec<Chip> = all.collect();
        assert!((500..750).contains(&chips.len()), "{}", chips.len());
        for chip in &chips {
            assert!(chip.out + chip.size < 1.15, "{chip:?}");
            assert!(chip.out > 0.6 && chip.size > 0.05, "{chip:?}");
        }
    }

    #[test]
    fn most_crumbs_are_drawn_small_and_few_large() {
        let shares: Vec<f32> = (0..4000).map(drawn_share).collect();
        let in_range = |share: &&f32| (SMALLEST_SHARE - 1e-4..=1.0 + 1e-4).contains(*share);
        assert_eq!(shares.iter().filter(in_range).count(), shares.len());
        let above = |least: f32| shares.iter().filter(|&&share| share > least).count();
        // (0.8^-2 - 1) / (0.72^-2 - 1) of them: 0.605, and 0.253.
        assert!((2300..2550).contains(&above(0.8)), "{}", above(0.8));
        assert!((920..1100).contains(&above(0.9)), "{}", above(0.9));
    }
}
