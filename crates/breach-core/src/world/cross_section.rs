//! Planes across a cell: how much air lies on each, and how much below it.
//!
//! By Gauss' theorem: a closed surface has the same flux along the axis through its part below a plane as through the
//! plane, and that flux times height, summed, is the volume. A loop that lies below a plane is the same for all planes
//! above it, so its triangles are made once.
use super::cell::{Cell, Measure, steps};
use crate::carve::face::{Corner, Face};
use crate::geom::ring;
use glam::DVec3;
use smallvec::SmallVec;

/// A plane across a cell.
#[derive(Clone, Copy)]
pub(super) struct CrossSection {
    /// Air on it, square steps.
    pub area: f64,
    /// Air below it, cubic steps.
    pub below: f64,
}

/// The cross-sections of a cell at ascending planes across an axis, half steps.
pub(super) fn cross_sections(cell: &Cell, axis: usize, cuts: &[i64]) -> Vec<CrossSection> {
    let at: Vec<f64> = cuts.iter().map(|&cut| steps(cut)).collect();
    let has_flux = cell
        .measured()
        .filter(|(_, measure)| may_have_flux(measure, axis));
    let mut faces: Vec<&Face> = has_flux.map(|(face, _)| face).collect();
    faces.sort_by(|a, b| a.hi[axis].total_cmp(&b.hi[axis]));
    let from = steps(cell.lo[axis]);
    let mut sums = below_each(&faces, axis, from, &at);
    let mut fan = Vec::new();
    for face in &faces {
        let crossed = at.partition_point(|&at| at <= face.lo[axis])
            ..at.partition_point(|&at| at <= face.hi[axis]);
        if !crossed.is_empty() {
            let sums = sums.range(crossed.clone());
            add_crossing(face, axis, &at[crossed], sums, &mut fan);
        }
    }
    let both = sums.through.iter().zip(&sums.height);
    both.map(|(through, height)| CrossSection {
        area: through.abs(),
        below: -height,
    })
    .collect()
}

/// Whether there may be flux through a face along an axis. There is none, to the last bit, where all corners have the same
/// coordinate on another axis, as on two of three walls in most levels.
fn may_have_flux(measure: &Measure, axis: usize) -> bool {
    (0..3).all(|k| k == axis || !measure.flat[k])
}

/// The flux through each plane of the faces that lie below it.
fn below_each(faces: &[&Face], axis: usize, from: f64, at: &[f64]) -> Sums {
    let mut done = Flux::default();
    let mut rest = faces.iter().peekable();
    let mut sums = Sums::default();
    for &at in at {
        while let Some(face) = rest.next_if(|face| face.hi[axis] < at) {
            for l in &face.loops {
                each_triangle(l.iter().map(|c| c.point.at), axis, |triangle| {
                    done.add(triangle, from);
                });
            }
        }
        sums.through.push(done.through);
        sums.height.push(done.height - done.through * (at - from));
    }
    sums
}

/// Adds what of a face lies below each plane that crosses it.
fn add_crossing(face: &Face, axis: usize, at: &[f64], mut sums: Range, fan: &mut Vec<Triangle>) {
    for l in &face.loops {
        let along = || l.iter().map(|c| c.point.at[axis]);
        let (lo, hi) = (along().reduce(f64::min), along().reduce(f64::max));
        let (Some(lo), Some(hi)) = (lo, hi) else {
            continue;
        };
        let first = at.partition_point(|&at| at <= lo);
        let whole = at.partition_point(|&at| at <= hi);
        for (k, &at) in (first..whole).zip(&at[first..whole]) {
            let mut flux = Flux {
                through: sums.through[k],
                height: sums.height[k],
            };
            let below = part_below(l, axis, at);
            each_triangle(below.into_iter(), axis, |triangle| {
                flux.add(triangle, at);
            });
            (sums.through[k], sums.height[k]) = (flux.through, flux.height);
        }
        if whole < at.len() {
            fan.clear();
            each_triangle(l.iter().map(|c| c.point.at), axis, |triangle| {
                fan.push(triangle);
            });
            sums.add_to_each(whole, &at[whole..], fan);
        }
    }
}

/// The part of a loop below a plane.
fn part_below(l: &[Corner], axis: usize, at: f64) -> SmallVec<[DVec3; 16]> {
    let mut below = SmallVec::new();
    for (a, b) in ring::pairs(l) {
        let (a, b) = (a.point.at, b.point.at);
        if a[axis] < at {
            below.push(a);
        }
        if (a[axis] < at) != (b[axis] < at) {
            below.push(a + (b - a) * ((at - a[axis]) / (b[axis] - a[axis])));
        }
    }
    below
}

/// A triangle seen along an axis.
#[derive(Clone, Copy)]
struct Triangle {
    /// The axis' component of its area vector, square steps.
    through: f64,
    /// Its middle along the axis, steps.
    middle: f64,
}

/// The triangles of a fan around the first corner of a polygon.
fn each_triangle(
    mut corners: impl Iterator<Item = DVec3>,
    axis: usize,
    mut visit: impl FnMut(Triangle),
) {
    let (Some(first), Some(mut before)) = (corners.next(), corners.next()) else {
        return;
    };
    for corner in corners {
        visit(Triangle {
            through: (before - first).cross(corner - first)[axis] * 0.5,
            middle: (first[axis] + before[axis] + corner[axis]) / 3.0,
        });
        before = corner;
    }
}

/// The flux of faces along an axis.
#[derive(Clone, Copy, Default)]
struct Flux {
    /// The axis' component of their area vectors, square steps.
    through: f64,
    /// That component times the height above a plane, cubic steps.
    height: f64,
}

impl Flux {
    /// Adds a triangle; heights are above `zero`.
    fn add(&mut self, triangle: Triangle, zero: f64) {
        self.through += triangle.through;
        self.height += triangle.through * (triangle.middle - zero);
    }
}

/// The flux through each plane, of what lies below it and above it as high as that.
#[derive(Default)]
struct Sums {
    through: Vec<f64>,
    height: Vec<f64>,
}

impl Sums {
    fn range(&mut self, range: std::ops::Range<usize>) -> Range<'_> {
        Range {
            through: &mut self.through[range.clone()],
            height: &mut self.height[range],
        }
    }
}

/// Those of successive planes.
struct Range<'a> {
    through: &'a mut [f64],
    height: &'a mut [f64],
}

impl Range<'_> {
    /// Adds triangles to the planes from one on, which are at `at`: all sums of a triangle before the next one, in vectors.
    fn add_to_each(&mut self, from: usize, at: &[f64], fan: &[Triangle]) {
        let (through, height) = (&mut self.through[from..], &mut self.height[from..]);
        for triangle in fan {
            for ((through, height), &at) in through.iter_mut().zip(height.iter_mut()).zip(at) {
                *through += triangle.through;
                *height += triangle.through * (triangle.middle - at);
            }
        }
    }
}
