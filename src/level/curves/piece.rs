//! A flat piece of a sheet: a triangle, or a quadrilateral whose corners lie in one plane.
use super::super::grid::{cross_i128, side};
use glam::{DVec3, I64Vec3};
use smallvec::SmallVec;

/// A corner of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub at: I64Vec3,
    /// In whole pictures.
    pub st: [f64; 2],
    /// Unit normal of the surface at its front; zero where the surface has none, as at the tip of a cone.
    pub normal: DVec3,
    /// On the rim of its sheet.
    pub is_rim: bool,
}

/// Counter-clockwise seen from the front.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub corners: SmallVec<[Corner; 4]>,
    /// Index of the sheet's point at which its cell begins.
    pub cell: usize,
}

/// A convex solid of a sheet.
pub(in super::super) struct CurveSolid {
    /// Its corners, front and back.
    pub corners: Vec<I64Vec3>,
    /// The front: three or four corners with s and t, counter-clockwise.
    pub front: Vec<(I64Vec3, [f64; 2])>,
    /// Index of the sheet's point at which the front's cell begins.
    pub cell: usize,
}

impl Piece {
    /// Unit normal; zero of a piece without area.
    pub fn normal(&self) -> DVec3 {
        area_vector(&self.corners).normalize_or_zero()
    }

    /// Drops corners at the place of the one before. Whether a piece with area is left.
    pub fn is_sound(&mut self) -> bool {
        self.corners.dedup_by_key(|corner| corner.at);
        while self.corners.len() > 1
            && self.corners[0].at == self.corners[self.corners.len() - 1].at
        {
            self.corners.pop();
        }
        self.corners.len() >= 3 && area_vector(&self.corners) != DVec3::ZERO
    }
}

/// Twice the area times the normal; exactly zero of three corners on a line.
fn area_vector(corners: &[Corner]) -> DVec3 {
    let fan = corners.windows(2).skip(1);
    fan.map(|pair| cross_i128([corners[0].at, pair[0].at, pair[1].at]).as_dvec3())
        .sum()
}

/// Appends a quadrilateral: whole where it is flat and convex, otherwise as two triangles along a diagonal: `diagonal` where it
/// is given (0 from the first corner, 1 from the second), else the shorter one, the first on ties.
pub(super) fn push_quad(
    pieces: &mut Vec<Piece>,
    corners: [Corner; 4],
    cell: usize,
    diagonal: Option<usize>,
) {
    let at = corners.map(|corner| corner.at);
    let piece = |corners: &[Corner]| Piece {
        corners: SmallVec::from_slice(corners),
        cell,
    };
    if is_flat_and_convex(at) {
        pieces.push(piece(&corners));
        return;
    }
    let length = |i: usize| (at[i + 2] - at[i]).length_squared();
    let [a, b, c, d] = corners;
    match diagonal.unwrap_or(usize::from(length(1) < length(0))) {
        0 => pieces.extend([piece(&[a, b, c]), piece(&[a, c, d])]),
        _ => pieces.extend([piece(&[a, b, d]), piece(&[b, c, d])]),
    }
}

fn is_flat_and_convex(at: [I64Vec3; 4]) -> bool {
    let [a, b, c, d] = at;
    // With two corners at one place, or three on a line, it is a triangle: two triangles are never wrong.
    if side([a, b, c], d) != 0 {
        return false;
    }
    let turns = [[a, b, c], [b, c, d], [c, d, a], [d, a, b]].map(|t| cross_i128(t).as_dvec3());
    let same_way = |i: usize| turns[i].dot(turns[(i + 1) % 4]) > 0.0;
    (0..4).all(same_way)
}

/// A triangle.
pub(super) fn push_triangle(pieces: &mut Vec<Piece>, corners: [Corner; 3], cell: usize) {
    pieces.push(Piece {
        corners: SmallVec::from_slice(&corners),
        cell,
    });
}
