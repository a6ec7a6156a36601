//! The thickness behind a sheet.
//!
//! Each point of the front has a point behind it, along the mean normal of the sheets that meet there and face the same way;
//! a piece's solid is the convex hull of its corners and the points behind them. Where the front curves in so tightly that
//! the points behind would cross, they end at the centre of curvature: a thin pipe is solid, and no thicker than it looks.
use super::piece::{CurveSolid, Piece};
use crate::carve::hull::GRID_LIMIT;
use glam::{DVec3, I64Vec3};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The thinnest part, as a fraction of the thickness.
const THINNEST: f64 = 1.0 / 16.0;
/// Least cosine between the normal of a piece and the way to the point behind its corner. A sharper fold goes along the
/// piece's own normal: its solid then overlaps its neighbour's.
const FLATTEST: f64 = 0.25;

/// What the pieces at one point of the front share.
struct FrontPoint {
    /// Sums of unit normals by sheet.
    normals: SmallVec<[(usize, DVec3); 2]>,
    /// Steps.
    depth: f64,
}

/// The solids of all pieces; thickness in steps.
pub(super) fn thicken(sheets: &[Vec<Piece>], thickness: f64) -> Vec<Vec<CurveSolid>> {
    let mut points: FxHashMap<I64Vec3, FrontPoint> = FxHashMap::default();
    for (number, piece) in numbered(sheets) {
        let own = piece.normal();
        for corner in &piece.corners {
            let point = points.entry(corner.at).or_insert_with(|| FrontPoint {
                normals: SmallVec::new(),
                depth: thickness,
            });
            let normal = match corner.normal {
                DVec3::ZERO => own,
                normal => normal,
            };
            match point.normals.iter_mut().find(|(sheet, _)| *sheet == number) {
                Some((_, sum)) => *sum += normal,
                None => point.normals.push((number, normal)),
            }
        }
    }
    for (number, piece) in numbered(sheets) {
        for (i, a) in piece.corners.iter().enumerate() {
            let b = &piece.corners[(i + 1) % piece.corners.len()];
            let along = (b.at - a.at).as_dvec3();
            let turn = points[&b.at].normal(number) - points[&a.at].normal(number);
            // The points behind are along − depth · turn apart.
            let closing = along.dot(turn);
            if closing > 0.0 {
                let most = (along.length_squared() / closing).max(thickness * THINNEST);
                for at in [a.at, b.at] {
                    if let Some(point) = points.get_mut(&at) {
                        point.depth = point.depth.min(most);
                    }
                }
            }
        }
    }
    let solid = |number: usize, piece: &Piece| {
        let own = piece.normal();
        let behind = piece.corners.iter().map(|corner| {
            let point = &points[&corner.at];
            let shared = point.normal(number);
            let normal = if shared.dot(own) < FLATTEST {
                own
            } else {
                shared
            };
            let back = corner.at - (normal * point.depth).round().as_i64vec3();
            back.clamp(I64Vec3::splat(-GRID_LIMIT), I64Vec3::splat(GRID_LIMIT))
        });
        let front = piece.corners.iter().map(|corner| corner.at);
        CurveSolid {
            corners: front.chain(behind).collect(),
            front: piece.corners.iter().map(|c| (c.at, c.st)).collect(),
            cell: piece.cell,
        }
    };
    let of_sheet = |(number, pieces): (usize, &Vec<Piece>)| {
        pieces.iter().map(|piece| solid(number, piece)).collect()
    };
    sheets.iter().enumerate().map(of_sheet).collect()
}

fn numbered(sheets: &[Vec<Piece>]) -> impl Iterator<Item = (usize, &Piece)> {
    let each = sheets.iter().enumerate();
    each.flat_map(|(number, pieces)| pieces.iter().map(move |piece| (number, piece)))
}

impl FrontPoint {
    /// The mean normal, for a sheet, of all sheets here that face the same way; zero where a sheet is folded flat.
    fn normal(&self, sheet: usize) -> DVec3 {
        let of = |(_, sum): &(usize, DVec3)| sum.normalize_or_zero();
        let own = self.normals.iter().find(|(number, _)| *number == sheet);
        let own = own.map_or(DVec3::ZERO, of);
        let all = self.normals.iter().map(of);
        let sum: DVec3 = all.filter(|normal| normal.dot(own) > 0.0).sum();
        sum.normalize_or_zero()
    }
}
