//! Blast craters: a few seeded, overlapping convex brushes that look like a torn hole.
//!
//! The brushes of a shape and a seed are part of the level format: a saved level names shape and seed and expects the same
//! hole. So this file has its own random numbers and uses only `+ - * /` and the square root, which every machine rounds
//! alike; a test holds the hash of the brushes.
use super::hull::{GRID_LIMIT, hull_brush, is_on_grid};
use super::{BrushDesc, MaterialId};
use glam::{DVec3, I64Vec3};

/// Tool and blast points lie on multiples of this many grid steps (1/1024 m), so that reduced normals stay small.
const STEP: i64 = 16;
/// Grid steps in a metre.
pub(super) const GRID: f64 = 16384.0;

listed_enum! {
    /// How the material around a blast breaks. Levels, recordings and settings have it by [`BlastShape::name`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum BlastShape {
        /// A lumpy hole.
        #[default]
        Rock = "rock",
        /// An angular hole.
        Concrete = "concrete",
        /// A star of long tears.
        Metal = "metal",
    }
}

impl BlastShape {
    /// The shape of this name; None of any other.
    pub fn from_name(name: &str) -> Option<BlastShape> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

/// The brushes of a blast. `centre` is in grid steps, `radius` in metres (0.02..=20). Every corner lies on multiples of 16
/// grid steps (1/1024 m). Empty where the radius is not a positive number or a corner would lie beyond the grid.
///
/// ```
/// use breach_core::carve::blast::{BlastShape, blast};
/// use glam::I64Vec3;
///
/// let brushes = blast(I64Vec3::ZERO, 0.5, BlastShape::Concrete, 7, 0);
/// assert_eq!(brushes.len(), 3);
/// assert_eq!(brushes, blast(I64Vec3::ZERO, 0.5, BlastShape::Concrete, 7, 0));
/// ```
pub fn blast(
    centre: I64Vec3,
    radius: f64,
    shape: BlastShape,
    seed: u64,
    material: MaterialId,
) -> Vec<BrushDesc> {
    if !(is_on_grid(centre) && radius > 0.0 && radius < 2048.0) {
        return Vec::new();
    }
    let mut random = Random::new(seed);
    let lumps = match shape {
        BlastShape::Rock => rock(&mut random),
        BlastShape::Concrete => concrete(&mut random),
        BlastShape::Metal => metal(&mut random),
    };
    // Above one metre the lattice coarsens with the radius, so that an edge never takes more than 12 bits and the exact
    // tests on the blast's own planes fit in 128.
    let mut step = STEP;
    while step as f64 * 1024.0 < radius * GRID && step < GRID_LIMIT {
        step *= 2;
    }
    let middle = rounded_to(centre, STEP);
    let corner = |p: &DVec3| middle + lattice_point(*p * (radius * GRID / step as f64), step);
    let mut brushes = Vec::new();
    for lump in &lumps {
        let points: Vec<I64Vec3> = lump.iter().map(corner).collect();
        if points.iter().any(|p| !is_on_grid(*p)) {
            return Vec::new();
        }
        brushes.extend(hull_brush(&points, material));
    }
    // The lumps of a hole of a few steps may all round to flat ones.
    if brushes.is_empty() {
        let reach = ((radius * GRID / STEP as f64) as i64).max(1) * STEP;
        brushes.extend(hull_brush(&octahedron(middle, reach), material));
    }
    brushes
}

/// A lumpy hole: two dented lumps side by side and a lens through both. A wall in any direction that cuts the lens near
/// its middle is torn along a line, so the crater has corners without knowledge of the wall.
fn rock(random: &mut Random) -> Vec<Vec<DVec3>> {
    let apart = random.direction() * random.between(0.2, 0.3);
    let mut lumps = Vec::new();
    for middle in [apart, -apart] {
        let own = random.frame();
        let corner =
            |d: &DVec3| middle + turned(&own, *d) * random.between(0.74, 1.02) + random.jitter(0.1);
        lumps.push(antiprism().iter().map(corner).collect());
    }
    lumps.push(lens(random, [1.02, 1.25], [0.72, 1.0], [0.32, 0.46]));
    lumps
}

/// An angular hole: a skewed block and two slabs through it.
fn concrete(random: &mut Random) -> Vec<Vec<DVec3>> {
    let turn = random.frame();
    let block = cube()
        .iter()
        .map(|d| turned(&turn, *d) * random.between(0.82, 1.0) + random.jitter(0.09))
        .collect();
    let mut lumps = vec![block];
    for _ in 0..2 {
        let own = random.frame();
        let half = [
            random.between(0.78, 0.98),
            random.between(0.42, 0.62),
            random.between(0.16, 0.3),
        ];
        let middle = random.jitter(0.14);
        let corner = |d: &DVec3| middle + turned(&own, *d * 3f64.sqrt() * DVec3::from_array(half));
        lumps.push(cube().iter().map(corner).collect());
    }
    lumps
}

/// A star: three thin lenses through the middle, which leave long pointed tears in any wall.
fn metal(random: &mut Random) -> Vec<Vec<DVec3>> {
    [(); 3]
        .map(|()| lens(random, [0.95, 1.22], [0.78, 1.1], [0.24, 0.34]))
        .to_vec()
}

/// A flat octahedron around the middle; `long`, `broad` and `thin` are the least and greatest lengths of its half-axes.
fn lens(random: &mut Random, long: [f64; 2], broad: [f64; 2], thin: [f64; 2]) -> Vec<DVec3> {
    let own = random.frame();
    let reach = [long, broad, thin, long, broad, thin];
    let tip = |(d, [low, high]): (&DVec3, [f64; 2])| {
        turned(&own, *d) * random.between(low, high) + random.jitter(0.05)
    };
    axes().iter().zip(reach).map(tip).collect()
}

/// The twelve corners of an icosahedron as unit vectors.
pub(super) fn icosahedron() -> [DVec3; 12] {
    const A: f64 = 0.525_731_112_119_133_6;
    const B: f64 = 0.850_650_808_352_039_9;
    let around = |a: f64, b: f64| {
        [
            DVec3::new(0.0, a, b),
            DVec3::new(a, b, 0.0),
            DVec3::new(b, 0.0, a),
        ]
    };
    let [a, b, c] = around(A, B);
    let [d, e, f] = around(-A, B);
    [a, b, c, d, e, f, -a, -b, -c, -d, -e, -f]
}

/// The eight corners of a cube as unit vectors.
fn cube() -> [DVec3; 8] {
    let sign = |i: i32| if i & 1 == 0 { -1.0 } else { 1.0 };
    [0, 1, 2, 3, 4, 5, 6, 7].map(|i| DVec3::new(sign(i), sign(i >> 1), sign(i >> 2)) / 3f64.sqrt())
}

/// The eight corners of a square antiprism as unit vectors.
fn antiprism() -> [DVec3; 8] {
    const HIGH: f64 = 0.56;
    let out = (1.0 - HIGH * HIGH).sqrt();
    let skew = out * std::f64::consts::FRAC_1_SQRT_2;
    let ring = |x: f64, z: f64, y: f64| {
        let p = |x: f64, z: f64| DVec3::new(x, y, z);
        [p(x, z), p(-z, x), p(-x, -z), p(z, -x)]
    };
    let ([a, b, c, d], [e, f, g, h]) = (ring(out, 0.0, HIGH), ring(skew, skew, -HIGH));
    [a, b, c, d, e, f, g, h]
}

/// Both directions along the three axes.
fn axes() -> [DVec3; 6] {
    [
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        DVec3::NEG_X,
        DVec3::NEG_Y,
        DVec3::NEG_Z,
    ]
}

fn octahedron(middle: I64Vec3, reach: i64) -> [I64Vec3; 6] {
    axes().map(|d| middle + d.as_i64vec3() * reach)
}

/// The vector with components `v` along the frame's axes.
fn turned(frame: &[DVec3; 3], v: DVec3) -> DVec3 {
    frame[0] * v.x + frame[1] * v.y + frame[2] * v.z
}

/// `p` counts lattice steps of `step` grid steps; rounds to the nearest.
fn lattice_point(p: DVec3, step: i64) -> I64Vec3 {
    p.round().as_i64vec3() * step
}

fn rounded_to(p: I64Vec3, step: i64) -> I64Vec3 {
    I64Vec3::from_array(p.to_array().map(|c| (c + step / 2).div_euclid(step) * step))
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random {
    state: u64,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Each component within ±`most`.
    fn jitter(&mut self, most: f64) -> DVec3 {
        let x = self.between(-most, most);
        let y = self.between(-most, most);
        DVec3::new(x, y, self.between(-most, most))
    }

    /// A uniformly distributed unit vector, by rejection: points of the cube until one lies in the ball.
    fn direction(&mut self) -> DVec3 {
        for _ in 0..64 {
            let p = self.jitter(1.0);
            let length_squared = p.length_squared();
            if length_squared > 0.01 && length_squared <= 1.0 {
                return p / length_squared.sqrt();
            }
        }
        DVec3::Y
    }

    /// Three perpendicular unit vectors in a random rotation.
    fn frame(&mut self) -> [DVec3; 3] {
        let x = self.direction();
        let y = x
            .cross(self.direction())
            .try_normalize()
            .unwrap_or_else(|| x.any_orthonormal_vector());
        [x, y, x.cross(y)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::SideDesc;
    use super::super::hull::{dot, normal};
    use super::*;

    const CENTRE: I64Vec3 = I64Vec3::new(1_600_000, -320_000, 16);

    /// Corners of a brush: the points of its sides.
    fn corners(brush: &BrushDesc) -> Vec<I64Vec3> {
        let mut corners: Vec<I64Vec3> = brush.sides.iter().flat_map(|side| side.points).collect();
        corners.sort_unstable_by_key(|p| p.to_array());
        corners.dedup();
        corners
    }

    /// Convex, with a volume, on the lattice, no plane twice.
    fn check_brush(brush: &BrushDesc, lattice: i64) {
        let corners = corners(brush);
        assert!(
            corners
                .iter()
                .all(|p| is_on_grid(*p) && *p % lattice == I64Vec3::ZERO)
        );
        for (i, side) in brush.sides.iter().enumerate() {
            let [a, b, c] = side.points;
            let n = normal(a, b, c);
            assert_ne!(n, I64Vec3::ZERO);
            let heights: Vec<i128> = corners.iter().map(|p| dot(n, *p - a)).collect();
            assert!(heights.iter().all(|h| *h <= 0), "a corner outside");
            assert!(heights.iter().any(|h| *h < 0), "flat");
            let outside_all = |other: &SideDesc| other.points.iter().all(|p| dot(n, *p - a) == 0);
            assert!(!brush.sides[..i].iter().any(outside_all), "a plane twice");
        }
    }

    fn is_inside(brush: &BrushDesc, p: I64Vec3) -> bool {
        brush.sides.iter().all(|side| {
            dot(
                normal(side.points[0], side.points[1], side.points[2]),
                p - side.points[0],
            ) <= 0
        })
    }

    #[test]
    fn every_blast_is_convex_lumps_on_the_lattice_that_reach_about_the_radius() {
        for shape in BlastShape::ALL {
            for radius in [0.02, 0.1, 0.5, 1.0, 3.7, 20.0] {
                for seed in 0..60 {
                    let brushes = blast(CENTRE, radius, shape, seed, 5);
                    assert!(
                        (1..=3).contains(&brushes.len()),
                        "{shape:?} {radius} {seed}: {} lumps",
                        brushes.len()
                    );
                    assert!(radius < 0.1 || brushes.len() == 3);
                    let sides: usize = brushes.iter().map(|b| b.sides.len()).sum();
                    assert!(sides <= 40, "{shape:?} {radius} {seed}: {sides} sides");
                    let mut farthest = 0.0_f64;
                    for brush in &brushes {
                        check_brush(brush, 16);
                        assert!(brush.sides.iter().all(|s| s.material == 5));
                        let reach = |p: &I64Vec3| (*p - CENTRE).as_dvec3().length() / GRID / radius;
                        farthest = corners(brush).iter().map(reach).fold(farthest, f64::max);
                    }
                    assert!(
                        (0.85..=1.42).contains(&farthest),
                        "{shape:?} {radius} {seed}: reaches {farthest}"
                    );
                    assert!(
                        brushes.iter().any(|b| is_inside(b, CENTRE)),
                        "the centre is part of the hole"
                    );
                }
            }
        }
    }

    /// The fraction of a ball of one metre that the union fills, by counting lattice points.
    fn share_of_ball(brushes: &[BrushDesc]) -> f64 {
        let (mut ball, mut hole) = (0, 0);
        for i in 0..24 * 24 * 24 {
            let p = (I64Vec3::new(i % 24, i / 24 % 24, i / 576) * 2 - 23) * (16384 / 20);
            ball += i64::from(p.as_dvec3().length() <= GRID);
            hole += i64::from(brushes.iter().any(|b| is_inside(b, p)));
        }
        hole as f64 / ball as f64
    }

    #[test]
    fn a_blast_takes_a_good_part_of_its_ball() {
        for (shape, least) in [
            (BlastShape::Rock, 0.4),
            (BlastShape::Concrete, 0.3),
            (BlastShape::Metal, 0.1),
        ] {
            for seed in 0..8 {
                let share = share_of_ball(&blast(I64Vec3::ZERO, 1.0, shape, seed, 0));
                assert!(share > least && share < 1.0, "{shape:?} {seed}: {share}");
            }
        }
    }

    #[test]
    fn the_brushes_of_a_shape_and_a_seed_never_change() {
        let hash_of = |&shape: &BlastShape| {
            let mut hash = 0xCBF2_9CE4_8422_2325_u64;
            for (seed, radius) in [(1, 1.0), (2, 0.02), (3, 20.0), (u64::MAX, 0.3)] {
                for brush in blast(CENTRE, radius, shape, seed, 0) {
                    for c in brush
                        .sides
                        .iter()
                        .flat_map(|s| s.points)
                        .flat_map(|p| p.to_array())
                    {
                        hash = (hash ^ c as u64).wrapping_mul(0x100_0000_01B3);
                    }
                }
            }
            hash
        };
        assert_eq!(
            BlastShape::ALL.iter().map(hash_of).collect::<Vec<_>>(),
            [
                6122845187630291413,
                17678265732720373855,
                441744802033615237
            ]
        );
    }

    #[test]
    fn names_in_files_never_change() {
        let names = BlastShape::ALL.into_iter().map(|shape| shape.name());
        assert_eq!(names.collect::<Vec<_>>(), ["rock", "concrete", "metal"]);
        for shape in BlastShape::ALL {
            assert_eq!(BlastShape::from_name(shape.name()), Some(shape));
        }
    }

    #[test]
    fn blasts_beyond_the_grid_or_of_no_size_are_empty() {
        let edge = I64Vec3::new(GRID_LIMIT - 160, 0, 0);
        assert!(blast(edge, 1.0, BlastShape::Rock, 1, 0).is_empty());
        assert!(blast(I64Vec3::MAX, 1.0, BlastShape::Rock, 1, 0).is_empty());
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert!(blast(I64Vec3::ZERO, radius, BlastShape::Metal, 1, 0).is_empty());
        }
        assert!(!blast(I64Vec3::ZERO, 1e-9, BlastShape::Metal, 1, 0).is_empty());
    }
}
