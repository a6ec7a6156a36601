//! The pieces of a terrain: each cell of its net flat, or cut along the diagonal that q3map takes.
use super::super::grid::to_grid;
use super::super::parsed::{Painting, Sheet};
use super::piece::{Corner, Piece, push_quad};
use glam::{DVec3, I64Vec3};

/// None where there are more than `most`.
pub(super) fn pieces(sheet: &Sheet, most: usize) -> Option<Vec<Piece>> {
    let [rows, columns] = sheet.size;
    let points: Vec<I64Vec3> = sheet.points.iter().map(|&p| to_grid(p)).collect();
    let corner = |i: usize, j: usize| {
        let point = i * columns + j;
        Corner {
            at: points[point],
            st: match &sheet.painting {
                Painting::Coordinates { st, .. } => st[point],
                Painting::Projected(_) => [0.0; 2],
            },
            // Those of the pieces around it take its place.
            normal: DVec3::ZERO,
            is_rim: i == 0 || j == 0 || i + 1 == rows || j + 1 == columns,
        }
    };
    let mut pieces = Vec::new();
    for i in 0..rows - 1 {
        for j in 0..columns - 1 {
            let corners = [
                corner(i, j),
                corner(i + 1, j),
                corner(i + 1, j + 1),
                corner(i, j + 1),
            ];
            let diagonal = usize::from((i + j) % 2 == 0);
            push_quad(&mut pieces, corners, i * columns + j, Some(diagonal));
        }
        if pieces.len() > most {
            return None;
        }
    }
    Some(pieces)
}
