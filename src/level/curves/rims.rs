//! Ends the rims of sheets in the brushes that they touch.
//!
//! An author lets a curve end in a wall. Where the wall's plane runs through grid points, so does the rim; elsewhere a
//! rounded point of the rim may miss the wall by half a step, and a hairline would be open. Such a point moves to the nearest
//! grid point in the brush. The straight pieces between two points of one brush lie in it, as it is convex.
use super::super::grid::{cross_i128, side};
use super::piece::Piece;
use crate::carve::BrushDesc;
use glam::I64Vec3;
use rustc_hash::FxHashMap;

/// Distance within which a point touches a brush, steps: what rounding takes off the point and off the brush's plane.
const TOUCH: i64 = 2;

/// A brush, and the box of its corners.
pub(in super::super) type BoxedBrush<'a> = (&'a BrushDesc, [I64Vec3; 2]);

/// The brushes that a point of a rim touches.
#[derive(Default)]
struct Contact {
    /// One of them contains it.
    is_inside: bool,
    /// Indices of brushes that it misses by at most [`TOUCH`].
    near: Vec<usize>,
}

/// Moves the rims' points into brushes; equal points stay equal.
pub(super) fn move_into_brushes(sheets: &mut [Vec<Piece>], brushes: &[BoxedBrush]) {
    let corners = || sheets.iter().flatten().flat_map(|piece| &piece.corners);
    let mut rims: Vec<[i64; 3]> = corners()
        .filter(|corner| corner.is_rim)
        .map(|corner| corner.at.to_array())
        .collect();
    rims.sort_unstable();
    rims.dedup();
    let mut contacts: Vec<Contact> = rims.iter().map(|_| Contact::default()).collect();
    for (number, (brush, [low, high])) in brushes.iter().enumerate() {
        let (low, high) = (*low - TOUCH, *high + TOUCH);
        let from = rims.partition_point(|p| p[0] < low.x);
        for (p, contact) in rims[from..].iter().zip(&mut contacts[from..]) {
            if high.x < p[0] {
                break;
            }
            let p = I64Vec3::from_array(*p);
            if p.cmplt(low).any() || p.cmpgt(high).any() || contact.is_inside {
                continue;
            }
            match height(brush, p) {
                h if h <= 0.0 => contact.is_inside = true,
                h if h <= TOUCH as f64 => contact.near.push(number),
                _ => {}
            }
        }
    }
    let mut moved: FxHashMap<I64Vec3, I64Vec3> = FxHashMap::default();
    for (p, contact) in rims.into_iter().zip(contacts) {
        if !contact.is_inside {
            let p = I64Vec3::from_array(p);
            let into = contact
                .near
                .iter()
                .find_map(|&i| nearest_in(brushes[i].0, p));
            moved.extend(into.map(|into| (p, into)));
        }
    }
    if moved.is_empty() {
        return;
    }
    for corner in sheets
        .iter_mut()
        .flatten()
        .flat_map(|piece| &mut piece.corners)
    {
        corner.at = moved.get(&corner.at).copied().unwrap_or(corner.at);
    }
}

/// How far a point lies above the highest of the brush's planes, steps: zero or less within the brush.
fn height(brush: &BrushDesc, p: I64Vec3) -> f64 {
    let above = brush.sides.iter().map(|s| {
        let above = side(s.points, p) as f64;
        // Most planes run through the point or far from it.
        if above == 0.0 {
            return 0.0;
        }
        above / cross_i128(s.points).as_dvec3().length()
    });
    above.fold(f64::NEG_INFINITY, f64::max)
}

/// The nearest grid point in the brush, the first of equally near ones; None where none is near.
fn nearest_in(brush: &BrushDesc, p: I64Vec3) -> Option<I64Vec3> {
    let reach = -TOUCH..=TOUCH;
    let mut steps: Vec<I64Vec3> = reach
        .clone()
        .flat_map(|x| {
            let reach = reach.clone();
            reach
                .clone()
                .flat_map(move |y| reach.clone().map(move |z| I64Vec3::new(x, y, z)))
        })
        .collect();
    steps.sort_by_key(|step| step.length_squared());
    let is_inside = |q: I64Vec3| brush.sides.iter().all(|s| side(s.points, q) <= 0);
    steps
        .into_iter()
        .map(|step| p + step)
        .find(|&q| is_inside(q))
}
