//! The brushes of the Carve and Fill tools: box, ball, cylinder, cone, wedge, slab, and the hull of any points.
//!
//! Every shape but the ball is a lattice pattern, small integers times three edges of whole grid steps:
//! `corner = origin + i·across + j·up + k·inwards`. So a rotated shape has exactly as many sides as an upright one (the
//! caps of a cylinder stay flat, its walls parallel), it is convex whatever the edges, and its volume is that of the
//! pattern times the determinant of the edges. Edges keep at most a dozen bits, so plane normals stay short and the exact
//! tests on a shape's own planes fit in 128 bits; an edge along an axis is exact to the step where only its direction
//! enters the normals. The result for given parameters is fixed: recordings and tests rely on it.
use super::blast::{GRID, icosahedron};
use super::hull::{dot, hull_brush, is_on_grid, normal};
use super::{BrushDesc, MaterialId};
use glam::{DVec3, I64Vec3};

/// Smallest and largest size and depth, metres.
pub const SIZE_M: [f64; 2] = [0.02, 20.0];
/// Most points of a hull.
pub const MOST_POINTS: usize = 10_000;
/// Most sides of a convex solid with [`MOST_POINTS`] corners, all of them triangles (Euler).
pub const MOST_SIDES: usize = 2 * MOST_POINTS - 4;
/// How far a tool's shape extends out of the surface, metres, so that its mouth is not coplanar with the face that it cuts.
pub const ABOVE_M: f64 = 1.0 / 64.0;

/// Shapes up to this size, metres, are placed on the grid itself, larger ones on 1/1024 m; small round ones have half the
/// sides.
const SMALL_M: f64 = 0.1;
/// Ratio of a slab's width to its height.
const SLAB: f64 = 8.0;

listed_enum! {
    /// A shape with a size and a depth.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shape {
        /// `size` wide and high.
        Box,
        /// `size` across, reaching `depth` deep: 80 sides.
        Ball,
        /// `size` across; 16 sides and two caps (8 and two up to 10 cm).
        Cylinder,
        /// `size` across at the mouth, down to a tip.
        Cone,
        /// `size` wide and high at the mouth, down to an edge along `up`.
        Wedge,
        /// `size` wide, an eighth as high: a slit, or a shelf.
        Slab,
    }
}

/// Position, orientation and size of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Middle of the mouth, on the surface, metres.
    pub at: DVec3,
    /// Across, up and inwards, perpendicular unit vectors: see [`axes`].
    pub axes: [DVec3; 3],
    /// Metres, within [`SIZE_M`].
    pub size: f64,
    /// Extent inwards, metres, within [`SIZE_M`].
    pub depth: f64,
}

/// Why a brush cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// Fewer than four distinct points or sides.
    #[error("the shape is empty: a solid needs four points, not {0}")]
    Empty(usize),
    /// All points lie in one plane, or those of a side on a line.
    #[error("the shape is flat: its points lie in one plane")]
    Flat,
    /// A corner lies outside this side.
    #[error("the shape is not convex: a corner lies outside side {0}")]
    NotConvex(usize),
    /// A corner beyond ±1024 m.
    #[error("a corner of the shape lies beyond the grid of 1024 m")]
    BeyondGrid,
    /// More than [`MOST_POINTS`].
    #[error("the shape has {0} points; at most {MOST_POINTS} are allowed")]
    TooManyPoints(usize),
    /// More than [`MOST_SIDES`].
    #[error("the shape has {0} sides; at most {MOST_SIDES} are allowed")]
    TooManySides(usize),
    /// A size or depth that is NaN or out of range.
    #[error("the shape's size is {0} m; it must be 0.02 to 20 m")]
    Size(f64),
    /// A direction that is zero or NaN.
    #[error("the shape has no direction")]
    Direction,
}

/// The exact brush of a shape; all sides show `material`.
///
/// ```
/// use breach_core::carve::shape::{Placement, Shape, axes, brush};
/// use glam::DVec3;
///
/// let placement = Placement {
///     at: DVec3::ZERO,
///     axes: axes(DVec3::NEG_Z, [0.0; 3])?,
///     size: 1.0,
///     depth: 0.5,
/// };
/// assert_eq!(brush(Shape::Wedge, &placement, 0)?.sides.len(), 5);
/// # Ok::<(), breach_core::carve::shape::ShapeError>(())
/// ```
pub fn brush(
    shape: Shape,
    placement: &Placement,
    material: MaterialId,
) -> Result<BrushDesc, ShapeError> {
    let Placement {
        at,
        axes,
        size,
        depth,
    } = *placement;
    for length in [size, depth] {
        if !(SIZE_M[0]..=SIZE_M[1]).contains(&length) {
            return Err(ShapeError::Size(length));
        }
    }
    if !axes.iter().all(|axis| (axis.length() - 1.0).abs() < 1e-6) {
        return Err(ShapeError::Direction);
    }
    if !at.is_finite() || at.abs().max_element() > 1024.0 {
        return Err(ShapeError::BeyondGrid);
    }
    hull(&corners(shape, at, axes, size, depth), material)
}

/// The exact convex hull of grid points as a brush; points inside it are left out.
pub fn hull(points: &[I64Vec3], material: MaterialId) -> Result<BrushDesc, ShapeError> {
    if points.len() > MOST_POINTS {
        return Err(ShapeError::TooManyPoints(points.len()));
    }
    if !points.iter().all(|p| is_on_grid(*p)) {
        return Err(ShapeError::BeyondGrid);
    }
    if let Some(brush) = hull_brush(points, material) {
        debug_assert_eq!(verify(&brush), Ok(()));
        return Ok(brush);
    }
    let mut distinct = points.to_vec();
    distinct.sort_unstable_by_key(|p| p.to_array());
    distinct.dedup();
    match distinct.len() {
        0..4 => Err(ShapeError::Empty(distinct.len())),
        _ => Err(ShapeError::Flat),
    }
}

/// A position in metres, rounded to 1/1024 m, for [`hull`].
pub fn point(p: DVec3) -> Result<I64Vec3, ShapeError> {
    let is_near = p.is_finite() && p.abs().max_element() <= 1024.0;
    let point = is_near.then(|| rounded(p, 16));
    point
        .filter(|point| is_on_grid(*point))
        .ok_or(ShapeError::BeyondGrid)
}

/// Checks exactly a brush whose sides name its own corners: each side has an area, no corner lies outside any side, and
/// not all lie in one plane. (A side of a level's brush may name points that are not its corners.)
pub fn verify(brush: &BrushDesc) -> Result<(), ShapeError> {
    let mut corners: Vec<I64Vec3> = brush.sides.iter().flat_map(|side| side.points).collect();
    if !corners.iter().all(|p| is_on_grid(*p)) {
        return Err(ShapeError::BeyondGrid);
    }
    corners.sort_unstable_by_key(|p| p.to_array());
    corners.dedup();
    if corners.len() > MOST_POINTS {
        return Err(ShapeError::TooManyPoints(corners.len()));
    }
    if corners.len().min(brush.sides.len()) < 4 {
        return Err(ShapeError::Empty(corners.len().min(brush.sides.len())));
    }
    for (i, side) in brush.sides.iter().enumerate() {
        let [a, b, c] = side.points;
        let out = normal(a, b, c);
        let mut below = false;
        for p in &corners {
            let height = dot(out, *p - a);
            if height > 0 {
                return Err(ShapeError::NotConvex(i));
            }
            below |= height < 0;
        }
        if !below {
            return Err(ShapeError::Flat);
        }
    }
    Ok(())
}

/// Across, up and inwards at a face, for [`Placement::axes`]: upright on a wall, along the axes of the level on a floor or
/// ceiling; then rotated by three angles, radians: about the inward axis, about the new across (a tilt), about the new up.
pub fn axes(inwards: DVec3, rotation: [f64; 3]) -> Result<[DVec3; 3], ShapeError> {
    let inwards = inwards.try_normalize().ok_or(ShapeError::Direction)?;
    if !rotation.iter().all(|angle| angle.is_finite()) {
        return Err(ShapeError::Direction);
    }
    let side = inwards.cross(DVec3::Y);
    let across = if side.length() < 1e-3 {
        // As far as the slope of the face allows.
        (DVec3::X - inwards * inwards.x).normalize()
    } else {
        side.normalize()
    };
    let [mut x, mut y, mut z] = [across, across.cross(inwards), inwards];
    let turn = |a: &mut DVec3, b: &mut DVec3, angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        (*a, *b) = (*a * cos + *b * sin, *b * cos - *a * sin);
    };
    turn(&mut x, &mut y, rotation[0]);
    turn(&mut y, &mut z, rotation[1]);
    turn(&mut z, &mut x, rotation[2]);
    Ok([x, y, z].map(|axis| axis.normalize()))
}

/// The corners of a shape before the hull.
fn corners(shape: Shape, at: DVec3, axes: [DVec3; 3], size: f64, depth: f64) -> Vec<I64Vec3> {
    match shape {
        Shape::Ball => ball(at, axes, size, depth),
        Shape::Box | Shape::Cylinder | Shape::Cone | Shape::Wedge | Shape::Slab => {
            lattice_pattern(shape, at, axes, size, depth)
        }
    }
}

/// The corners of every shape but the ball: see the head of the file.
fn lattice_pattern(
    shape: Shape,
    at: DVec3,
    axes: [DVec3; 3],
    size: f64,
    depth: f64,
) -> Vec<I64Vec3> {
    let small = size <= SMALL_M;
    let half = size * 0.5 * GRID;
    let square = [[1, 1], [-1, 1], [-1, -1], [1, -1]].to_vec();
    // Of the mouth: its outline, its radius in lattice steps, and the bits of an edge.
    let (mouth, radius, bits) = match shape {
        Shape::Cylinder | Shape::Cone if small => (around(&[[5, 2], [2, 5]]), 29f64.sqrt(), 10),
        Shape::Cylinder | Shape::Cone => (around(&[[13, 0], [12, 5], [9, 9], [5, 12]]), 13.0, 8),
        Shape::Box | Shape::Wedge | Shape::Slab | Shape::Ball => (square, 1.0, 10),
    };
    let high = if shape == Shape::Slab {
        half / SLAB
    } else {
        half
    };
    // The flanks of a cone are not along an edge: whole steps would make their normals long.
    let keep = shape != Shape::Cone;
    let across = edge(axes[0] * (half / radius), bits, keep);
    let up = edge(axes[1] * (high / radius), bits, keep);
    let inwards = edge(axes[2] * ((depth + ABOVE_M) * GRID), 10, keep);
    let origin = rounded(at - axes[2] * ABOVE_M, if small { 1 } else { 16 });
    let corner = |[i, j]: [i64; 2], k: i64| origin + across * i + up * j + inwards * k;
    let mut points: Vec<I64Vec3> = mouth.iter().map(|ij| corner(*ij, 0)).collect();
    match shape {
        Shape::Cone => points.push(corner([0, 0], 1)),
        Shape::Wedge => points.extend([corner([0, 1], 1), corner([0, -1], 1)]),
        Shape::Box | Shape::Cylinder | Shape::Slab | Shape::Ball => {
            points.extend(mouth.iter().map(|ij| corner(*ij, 1)))
        }
    }
    points
}

/// An icosahedron subdivided once: 42 corners, each rounded on its own. It reaches `depth` deep and always touches the
/// surface.
fn ball(at: DVec3, axes: [DVec3; 3], size: f64, depth: f64) -> Vec<I64Vec3> {
    let corners = icosahedron();
    let mut directions = corners.to_vec();
    for (i, a) in corners.iter().enumerate() {
        // Neighbours are 63 degrees apart, all other corners 116 or more.
        let near = corners[..i].iter().filter(|b| a.dot(**b) > 0.0);
        directions.extend(near.map(|b| (*a + *b).normalize()));
    }
    let centre = at + axes[2] * (depth.min(size) - size * 0.5);
    let origin = rounded(centre, if size <= SMALL_M { 1 } else { 16 });
    let radius = size * 0.5 * GRID;
    let step = coarsest(radius, 10);
    let turned = |d: &DVec3| axes[0] * d.x + axes[1] * d.y + axes[2] * d.z;
    let offset = |d: &DVec3| (turned(d) * (radius / step as f64)).round().as_i64vec3() * step;
    directions.iter().map(|d| origin + offset(d)).collect()
}

/// An outline from a quarter of it, repeated four times.
fn around(quarter: &[[i64; 2]]) -> Vec<[i64; 2]> {
    let mut all = quarter.to_vec();
    for k in 0..3 * quarter.len() {
        let [i, j] = all[k];
        all.push([-j, i]);
    }
    all
}

/// `v`, in steps, rounded so that its largest component has `bits` bits; if `keep`, an edge along an axis is rounded to the
/// step instead.
fn edge(v: DVec3, bits: u32, keep: bool) -> I64Vec3 {
    let largest = v.abs().max_element();
    let noise = largest * 1e-9;
    let v = DVec3::from_array(v.to_array().map(|c| if c.abs() < noise { 0.0 } else { c }));
    let along_an_axis = v.to_array().iter().filter(|c| **c != 0.0).count() == 1;
    let step = if keep && along_an_axis {
        1
    } else {
        coarsest(largest, bits)
    };
    (v / step as f64).round().as_i64vec3() * step
}

/// The largest power of two that fits into `length` at least 2^(bits-1) times.
fn coarsest(length: f64, bits: u32) -> i64 {
    let least = (1_i64 << (bits - 1)) as f64;
    let mut step = 1;
    while length / (step * 2) as f64 >= least {
        step *= 2;
    }
    step
}

/// A position in metres, rounded to multiples of `step` grid steps.
fn rounded(p: DVec3, step: i64) -> I64Vec3 {
    (p * (GRID / step as f64)).round().as_i64vec3() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners_at(shape: Shape, placement: &Placement) -> Vec<I64Vec3> {
        let Placement {
            at,
            axes,
            size,
            depth,
        } = *placement;
        corners(shape, at, axes, size, depth)
    }

    /// The volume of a brush with these corners, cubic metres, computed in integers: each side is a fan around its first
    /// corner, with its corners sorted around its middle.
    fn volume(brush: &BrushDesc, points: &[I64Vec3]) -> f64 {
        let origin = points[0];
        let mut six = 0_i128;
        for side in &brush.sides {
            let [a, b, c] = side.points;
            let out = normal(a, b, c);
            let mut on: Vec<I64Vec3> = points
                .iter()
                .copied()
                .filter(|p| dot(out, *p - a) == 0)
                .collect();
            on.sort_unstable_by_key(|p| p.to_array());
            on.dedup();
            let middle = on.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / on.len() as f64;
            let x = (b - a).as_dvec3().normalize();
            let y = out.as_dvec3().normalize().cross(x);
            let angle = |p: &I64Vec3| {
                let d = p.as_dvec3() - middle;
                libm::atan2(d.dot(y), d.dot(x))
            };
            on.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
            for k in 1..on.len() - 1 {
                six += dot(normal(origin, on[0], on[k]), on[k + 1] - origin);
            }
        }
        six as f64 / 6.0 / (GRID * GRID * GRID)
    }

    fn rotations() -> Vec<[f64; 3]> {
        let quarter = std::f64::consts::FRAC_PI_2;
        let mut all = Vec::new();
        for i in 0..4 {
            for j in 0..4 {
                all.push([f64::from(i) * quarter, f64::from(j) * quarter, 0.0]);
                all.push([
                    f64::from(i) * 0.41 + 0.1,
                    f64::from(j) * 0.77 - 0.3,
                    0.3 * f64::from(i - j),
                ]);
            }
        }
        all
    }

    fn placements(size: f64, depth: f64) -> Vec<Placement> {
        let mut all = Vec::new();
        for inwards in [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
            DVec3::new(0.3, -0.4, 0.8),
            DVec3::new(1e-5, 1.0, 0.0),
        ] {
            for rotation in rotations() {
                let axes = axes(inwards, rotation).expect("a direction");
                let at = DVec3::new(3.01, -200.02, 7.03);
                all.push(Placement {
                    at,
                    axes,
                    size,
                    depth,
                });
            }
        }
        all
    }

    /// A shape's volume without rounding, including its part outside the surface.
    fn closed_form(shape: Shape, size: f64, depth: f64) -> f64 {
        let (pi, long, r) = (std::f64::consts::PI, depth + ABOVE_M, size / 2.0);
        match shape {
            Shape::Box => size * size * long,
            Shape::Ball => 4.0 / 3.0 * pi * r * r * r,
            Shape::Cylinder => pi * r * r * long,
            Shape::Cone => pi * r * r * long / 3.0,
            Shape::Wedge => size * size * long / 2.0,
            Shape::Slab => size * size / SLAB * long,
        }
    }

    #[test]
    fn every_shape_is_convex_and_has_its_volume_in_every_rotation_and_size() {
        // The fraction of the closed form that the facets enclose: 80 of a ball, 16 or 8 of a circle.
        let facets = |shape, size: f64| match shape {
            Shape::Ball => 0.8685,
            Shape::Cylinder | Shape::Cone if size <= SMALL_M => 82.0 / 29.0 / std::f64::consts::PI,
            Shape::Cylinder | Shape::Cone => 512.0 / 169.0 / std::f64::consts::PI,
            Shape::Box | Shape::Wedge | Shape::Slab => 1.0,
        };
        for (size, depth) in [
            (0.02, 0.02),
            (0.05, 0.3),
            (1.0, 0.5),
            (3.7, 11.3),
            (20.0, 20.0),
            (20.0, 0.02),
            (0.02, 20.0),
        ] {
            for place in placements(size, depth) {
                for shape in Shape::ALL {
                    let brush = brush(shape, &place, 7).expect("a shape");
                    assert_eq!(verify(&brush), Ok(()));
                    assert!(brush.sides.iter().all(|side| side.material == 7));
                    let sides = match shape {
                        Shape::Box | Shape::Slab => 6,
                        Shape::Wedge => 5,
                        Shape::Ball => 80,
                        Shape::Cylinder => {
                            if size <= SMALL_M {
                                10
                            } else {
                                18
                            }
                        }
                        Shape::Cone => {
                            if size <= SMALL_M {
                                9
                            } else {
                                17
                            }
                        }
                    };
                    assert!(
                        brush.sides.len() == sides,
                        "{shape:?} {size}: {} sides",
                        brush.sides.len()
                    );
                    let v = volume(&brush, &corners_at(shape, &place));
                    let share = v / closed_form(shape, size, depth) / facets(shape, size);
                    // An edge of 2 cm is rounded by at most one step of 164, a slab's of 2.5 mm by one of 20.
                    let slack = if size < SMALL_M { 0.06 } else { 0.012 };
                    assert!(
                        (share - 1.0).abs() < slack,
                        "{shape:?} {size} {depth}: {share}"
                    );
                }
            }
        }
    }

    #[test]
    fn upright_shapes_are_exact_and_normals_stay_short() {
        let place = Placement {
            at: DVec3::new(3.0, 2.0, -7.0),
            axes: axes(DVec3::NEG_Z, [0.0; 3]).expect("a direction"),
            size: 2.0,
            depth: 0.5,
        };
        for (shape, expected) in [
            (Shape::Box, 4.0 * (0.5 + ABOVE_M)),
            (Shape::Wedge, 2.0 * (0.5 + ABOVE_M)),
            (Shape::Slab, 0.5 * (0.5 + ABOVE_M)),
        ] {
            let brush = brush(shape, &place, 0).expect("a shape");
            assert_eq!(volume(&brush, &corners_at(shape, &place)), expected);
        }
        for place in placements(1.0, 1.0).iter().chain(&placements(20.0, 20.0)) {
            for shape in Shape::ALL {
                let brush = brush(shape, place, 0).expect("a shape");
                for side in &brush.sides {
                    let [a, b, c] = side.points;
                    let (plane, _) = crate::exact::Plane::reduced(
                        normal(a, b, c).to_array(),
                        dot(normal(a, b, c), a),
                    );
                    assert!(plane.n_bits <= 26, "{shape:?}: {} bits", plane.n_bits);
                }
            }
        }
    }

    #[test]
    fn errors_name_what_is_wrong_with_a_shape() {
        let good = Placement {
            at: DVec3::ZERO,
            axes: axes(DVec3::X, [0.0; 3]).expect("a direction"),
            size: 1.0,
            depth: 1.0,
        };
        for bad in [0.0, 0.0199, 20.01, -1.0, f64::INFINITY, 1e300] {
            let error = Err(ShapeError::Size(bad));
            assert_eq!(
                brush(Shape::Box, &Placement { size: bad, ..good }, 0),
                error
            );
            assert_eq!(
                brush(Shape::Cone, &Placement { depth: bad, ..good }, 0),
                error
            );
        }
        let nan = brush(
            Shape::Box,
            &Placement {
                size: f64::NAN,
                ..good
            },
            0,
        );
        assert!(matches!(nan, Err(ShapeError::Size(x)) if x.is_nan()));
        for at in [
            DVec3::splat(f64::NAN),
            DVec3::splat(1e300),
            DVec3::X * 1023.9,
            DVec3::Y * -1024.1,
        ] {
            for shape in Shape::ALL {
                assert_eq!(
                    brush(shape, &Placement { at, ..good }, 0),
                    Err(ShapeError::BeyondGrid)
                );
            }
        }
        assert_eq!(
            brush(
                Shape::Ball,
                &Placement {
                    axes: [DVec3::ZERO; 3],
                    ..good
                },
                0
            ),
            Err(ShapeError::Direction)
        );
        assert_eq!(axes(DVec3::ZERO, [0.0; 3]), Err(ShapeError::Direction));
        assert_eq!(
            axes(DVec3::X, [f64::NAN, 0.0, 0.0]),
            Err(ShapeError::Direction)
        );
        assert_eq!(
            axes(DVec3::splat(f64::NAN), [0.0; 3]),
            Err(ShapeError::Direction)
        );
        assert_eq!(point(DVec3::X * 1024.1), Err(ShapeError::BeyondGrid));
        assert_eq!(point(DVec3::splat(f64::NAN)), Err(ShapeError::BeyondGrid));
    }

    #[test]
    fn a_point_beyond_the_grid_is_refused_however_far() {
        for far in [1024.1, -1e6, 1e18, -1e300, f64::INFINITY, f64::NAN] {
            for axis in 0..3 {
                let mut p = DVec3::ONE;
                p[axis] = far;
                assert_eq!(point(p), Err(ShapeError::BeyondGrid), "{far}");
            }
        }
        assert_eq!(point(DVec3::splat(-2.0)), Ok(I64Vec3::splat(-2 * 16384)));
    }

    #[test]
    fn degenerate_points_have_no_hull_and_the_error_says_why() {
        let p = |x, y, z| I64Vec3::new(x, y, z);
        assert_eq!(hull(&[], 0), Err(ShapeError::Empty(0)));
        assert_eq!(hull(&[p(1, 2, 3); 50], 0), Err(ShapeError::Empty(1)));
        let line: Vec<I64Vec3> = (0..9).map(|i| p(i, 2 * i, -i)).collect();
        assert_eq!(hull(&line, 0), Err(ShapeError::Flat));
        let square = [p(0, 0, 0), p(1, 0, 1), p(0, 1, 1), p(1, 1, 2)];
        assert_eq!(hull(&square, 0), Err(ShapeError::Flat));
        let far = [p(0, 0, 0), p(1, 0, 0), p(0, 1, 0), p(0, 0, (1 << 24) + 1)];
        assert_eq!(hull(&far, 0), Err(ShapeError::BeyondGrid));
        assert_eq!(
            hull(&[I64Vec3::MIN, I64Vec3::MAX, p(1, 0, 0), p(0, 1, 0)], 0),
            Err(ShapeError::BeyondGrid)
        );
        assert_eq!(
            hull(&[I64Vec3::ZERO; 10_001], 0),
            Err(ShapeError::TooManyPoints(10_001))
        );
        // One step thick is thick enough.
        let thin = [p(0, 0, 0), p(1 << 24, 0, 0), p(0, 1 << 24, 0), p(5, 5, 1)];
        assert_eq!(hull(&thin, 0).map(|b| b.sides.len()), Ok(4));
    }

    #[test]
    fn ten_thousand_points_have_a_hull() {
        let mut state = 5_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        };
        let points: Vec<I64Vec3> = (0..MOST_POINTS)
            .map(|_| (DVec3::new(next(), next(), next()) * GRID * 4.0).as_i64vec3())
            .collect();
        let brush = hull(&points, 0).expect("a hull");
        assert_eq!(verify(&brush), Ok(()));
        assert!(brush.sides.len() > 50);
    }

    #[test]
    fn a_dented_solid_is_not_convex() {
        let p = |x: i64, y: i64, z: i64| I64Vec3::new(x, y, z) * 64;
        let cube: Vec<I64Vec3> = (0..8).map(|i| p(i & 1, i >> 1 & 1, i >> 2)).collect();
        let mut brush = hull(&cube, 0).expect("a cube");
        assert_eq!(verify(&brush), Ok(()));
        // A side that cuts a corner off while the others still name that corner.
        let mut dented = brush.clone();
        dented.sides.push(super::super::SideDesc {
            points: [p(1, 1, 0), p(0, 1, 1), p(1, 0, 1)],
            material: 0,
        });
        let turned = dented.sides[6].points;
        if dot(
            normal(turned[0], turned[1], turned[2]),
            p(1, 1, 1) - turned[0],
        ) < 0
        {
            dented.sides[6].points.swap(0, 1);
        }
        assert_eq!(verify(&dented), Err(ShapeError::NotConvex(6)));
        brush.sides[2].points[1] = brush.sides[2].points[0];
        assert_eq!(verify(&brush), Err(ShapeError::Flat));
        brush.sides.truncate(2);
        assert!(matches!(verify(&brush), Err(ShapeError::Empty(_))));
    }

    #[test]
    fn the_brushes_of_a_shape_never_change() {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for (size, depth) in [(0.02, 0.02), (1.0, 0.5), (20.0, 7.0)] {
            for place in placements(size, depth) {
                for shape in Shape::ALL {
                    let brush = brush(shape, &place, 0).expect("a shape");
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
        }
        assert_eq!(hash, 15564753407715879142);
    }
}
