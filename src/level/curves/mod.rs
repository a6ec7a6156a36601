//! Patches and terrains as solids: convex pieces that together form a sheet with a thickness behind it.
//!
//! A patch is a net of quadratic Bezier surfaces of three by three control points (`segments`: how finely each is cut;
//! `tessellate`: its flat pieces; `terrain`: those of a terrain, which is no curve). The points of pieces lie on the grid.
//! `rims` moves those on the rim of a sheet that touches a brush into it; `thicken` gives each piece its thickness.
//!
//! Nothing here opens a crack. How an edge is cut follows from its three control points alone (and from what the authors
//! of all patches with that edge chose), so neighbours meet in the same grid points, whatever their own density. Points
//! behind the sheet belong to a point of its front, not to a piece; so the two pieces at an edge both contain the
//! tetrahedron of the edge's front and back points, and their union has no gap, though their sides are not one plane.
//!
//! Lengths are grid steps unless a name says otherwise.
mod piece;
mod rims;
mod segments;
mod terrain;
mod tessellate;
mod thicken;

use super::grid::STEPS;
use super::parsed::{Sheet, SheetForm};
pub(super) use piece::CurveSolid;
use piece::Piece;
pub(super) use rims::BoxedBrush;
use segments::EdgeSegments;
use tessellate::Nets;

/// Thickness of a sheet behind its front, units: an eighth of a metre.
pub(super) const THICKNESS: f64 = 4.0;
/// Greatest chord error of curves unless a level says otherwise, units.
pub const USUAL_ERROR: f64 = 1.0;
/// Limits of a level's own value, units.
pub(super) const ERRORS: [f64; 2] = [0.015625, 1024.0];
/// Most solids that the curves of a level may take. Beyond them the chord error is doubled; sheets that even then do not fit
/// are left out.
pub(super) const MOST_SOLIDS: usize = 1 << 16;

/// The solids of a level's sheets.
pub(super) struct CurveSolids {
    /// Of each sheet. None where they would be too many; empty where the sheet has no area.
    pub sheets: Vec<Option<Vec<CurveSolid>>>,
    /// The chord error in use, units: as asked, or as many times doubled as was needed.
    pub error: f64,
}

/// Makes the sheets solid. Where a rim touches one of `brushes` it ends in it.
pub(super) fn solids(sheets: &[&Sheet], error: f64, brushes: &[BoxedBrush]) -> CurveSolids {
    let nets: Vec<Nets> = sheets.iter().map(|sheet| Nets::new(sheet)).collect();
    let is_free = |sheet: &Sheet| sheet.form == SheetForm::Curve(None);
    let mut error = error;
    let mut pieces = flat_pieces(sheets, &nets, error);
    // Each doubling leaves about half of the pieces, down to one or two a block.
    while error < ERRORS[1]
        && sheets
            .iter()
            .zip(&pieces)
            .any(|(sheet, made)| made.is_none() && is_free(sheet))
    {
        error *= 2.0;
        pieces = flat_pieces(sheets, &nets, error);
    }
    let is_made: Vec<bool> = pieces.iter().map(Option::is_some).collect();
    let mut pieces: Vec<Vec<Piece>> = pieces.into_iter().flatten().collect();
    let drop_empty = |pieces: &mut [Vec<Piece>]| {
        for sheet in pieces {
            sheet.retain_mut(Piece::is_sound);
        }
    };
    drop_empty(&mut pieces);
    rims::move_into_brushes(&mut pieces, brushes);
    drop_empty(&mut pieces);
    let mut made = thicken::thicken(&pieces, THICKNESS * STEPS).into_iter();
    let sheets = is_made
        .into_iter()
        .map(|is_made| if is_made { made.next() } else { None });
    CurveSolids {
        sheets: sheets.collect(),
        error,
    }
}

/// The flat pieces of each sheet; None of one for which no room is left.
fn flat_pieces(sheets: &[&Sheet], nets: &[Nets], error: f64) -> Vec<Option<Vec<Piece>>> {
    let mut edges = EdgeSegments::default();
    for (sheet, net) in sheets.iter().zip(nets) {
        if let SheetForm::Curve(wanted) = sheet.form {
            net.note_edges(&mut edges, wanted, error * STEPS);
        }
    }
    let mut room = MOST_SOLIDS;
    let mut pieces = Vec::with_capacity(sheets.len());
    for (sheet, net) in sheets.iter().zip(nets) {
        let made = match sheet.form {
            SheetForm::Curve(wanted) => net.pieces(&edges, wanted, error * STEPS, room),
            SheetForm::Terrain => terrain::pieces(sheet, room),
        };
        room -= made.as_ref().map_or(0, Vec::len);
        pieces.push(made);
    }
    pieces
}

#[cfg(test)]
mod tests;
