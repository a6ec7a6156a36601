//! The air of a list of brushes, without Breach: the level's box is cut along the brushes' planes into convex pieces, the
//! last brush first, and each piece is air or solid by the last brush that holds it.
//!
//! Plane equations are whole numbers; corners are f64, grid steps. What rounding does where planes are almost parallel
//! shows in how much the sum changes with what counts as on a plane, so that comes along: of a level of 24 m it is below
//! 1e-9 m³, while a grid step on a square decimetre is 6e-7.
use breach::carve::{BrushDesc, Op};
use breach::world::GRID;
use glam::{DVec3, I64Vec3};

/// Corners nearer to a plane than this lie on it, steps: above the rounding of corners, and ten times as much.
const ON: [f64; 2] = [1e-9, 1e-8];
/// More pieces than this are not added up.
const MOST_PIECES: usize = 200_000;

/// A half-space: normal·p <= offset, the normal of unit length.
#[derive(Clone, Copy, Debug)]
struct Half {
    normal: DVec3,
    offset: f64,
}

/// One brush and what it makes of its inside.
struct Cut {
    is_carve: bool,
    halves: Vec<Half>,
    bounds: [DVec3; 2],
}

/// A convex piece: its sides, each with the normal out of it.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// See [`ON`].
    on: f64,
    sides: Vec<(DVec3, Vec<DVec3>)>,
}

/// Cubic metres of air within `bounds` after these brushes in order, and by how much that may be off; None where there are
/// too many pieces to add up.
pub fn air(
    bounds: [I64Vec3; 2],
    start_solid: bool,
    brushes: &[(Op, &BrushDesc)],
) -> Option<[f64; 2]> {
    let [fine, coarse] = ON.map(|on| air_with(bounds, start_solid, brushes, on, false));
    // Where planes are nearly parallel the corners of a cut depend on the order of the cuts.
    let other = air_with(bounds, start_solid, brushes, ON[0], true);
    let (fine, coarse, other) = (fine?, coarse?, other?);
    let doubt = (fine - coarse).abs().max((fine - other).abs());
    Some([fine, 10.0 * doubt])
}

fn air_with(
    bounds: [I64Vec3; 2],
    start_solid: bool,
    brushes: &[(Op, &BrushDesc)],
    on: f64,
    backwards: bool,
) -> Option<f64> {
    let mut whole = Piece::boxed(bounds.map(|p| p.as_dvec3()));
    whole.on = on;
    let cuts: Option<Vec<Cut>> = brushes
        .iter()
        .map(|(op, brush)| Cut::of(*op == Op::Carve, brush, &whole))
        .collect();
    let mut cuts = cuts?;
    if backwards {
        cuts.iter_mut().for_each(|cut| cut.halves.reverse());
    }
    let mut budget = MOST_PIECES;
    let steps = air_in(whole, &cuts, start_solid, &mut budget)?;
    Some(steps / GRID.powi(3))
}

fn air_in(piece: Piece, cuts: &[Cut], start_solid: bool, budget: &mut usize) -> Option<f64> {
    let Some((cut, before)) = cuts.split_last() else {
        return Some(if start_solid { 0.0 } else { piece.volume() });
    };
    *budget = budget.checked_sub(1)?;
    let [lo, hi] = piece.bounds();
    if lo.cmpgt(cut.bounds[1]).any() || cut.bounds[0].cmpgt(hi).any() {
        return air_in(piece, before, start_solid, budget);
    }
    let mut sum = 0.0;
    let mut rest = piece;
    for half in &cut.halves {
        let (inside, outside) = rest.split(half);
        if let Some(outside) = outside {
            sum += air_in(outside, before, start_solid, budget)?;
        }
        match inside {
            Some(inside) => rest = inside,
            None => return Some(sum),
        }
    }
    Some(sum + if cut.is_carve { rest.volume() } else { 0.0 })
}

impl Cut {
    fn of(is_carve: bool, brush: &BrushDesc, whole: &Piece) -> Option<Self> {
        let mut halves = Vec::with_capacity(brush.sides.len());
        for side in &brush.sides {
            let [a, b, c] = side.points;
            let normal = (b - a).cross(c - a).as_dvec3();
            let length = normal.length();
            if length == 0.0 {
                return None;
            }
            let normal = normal / length;
            halves.push(Half {
                normal,
                offset: normal.dot(a.as_dvec3()),
            });
        }
        // What of it lies in the level.
        let mut inside = whole.clone();
        for half in &halves {
            inside = inside.split(half).0.unwrap_or_default();
        }
        let bounds = inside.bounds();
        Some(Self {
            is_carve,
            halves,
            bounds,
        })
    }
}

impl Piece {
    fn boxed([lo, hi]: [DVec3; 2]) -> Self {
        let side = |k: usize| {
            let axis = k / 2;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut normal = DVec3::ZERO;
            normal[axis] = if k.is_multiple_of(2) { -1.0 } else { 1.0 };
            let corner = |i: usize| {
                let mut p = [lo, hi][k % 2];
                p[u] = [lo, hi, hi, lo][i][u];
                p[v] = [lo, lo, hi, hi][i][v];
                p
            };
            (normal, (0..4).map(corner).collect())
        };
        Self {
            on: 0.0,
            sides: (0..6).map(side).collect(),
        }
    }

    fn bounds(&self) -> [DVec3; 2] {
        let corners = self.sides.iter().flat_map(|(_, corners)| corners);
        let start = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        corners.fold(start, |[lo, hi], p| [lo.min(*p), hi.max(*p)])
    }

    /// What lies inside a half-space, and what outside.
    fn split(self, half: &Half) -> (Option<Self>, Option<Self>) {
        let on = self.on;
        let height = |p: &DVec3| half.normal.dot(*p) - half.offset;
        let all = self.sides.iter().flat_map(|(_, corners)| corners);
        let [lo, hi] = all
            .map(height)
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], h| {
                [lo.min(h), hi.max(h)]
            });
        if hi <= on {
            return (Some(self), None);
        }
        if lo >= -on {
            return (None, Some(self));
        }
        let part = || Self {
            on,
            sides: Vec::new(),
        };
        let mut parts = [part(), part()];
        let mut rim = Vec::new();
        for (normal, corners) in &self.sides {
            let mut cut: [Vec<DVec3>; 2] = Default::default();
            for (k, p) in corners.iter().enumerate() {
                let q = &corners[(k + 1) % corners.len()];
                let (hp, hq) = (height(p), height(q));
                if hp <= on {
                    cut[0].push(*p);
                }
                if hp >= -on {
                    cut[1].push(*p);
                }
                if hp.abs() <= on {
                    rim.push(*p);
                } else if (hp < -on && hq > on) || (hp > on && hq < -on) {
                    let at = *p + (*q - *p) * (hp / (hp - hq));
                    cut.iter_mut().for_each(|side| side.push(at));
                    rim.push(at);
                }
            }
            // A side that lies in the plane is what the rim goes around: counted once, there.
            let heights = corners.iter().map(height);
            let [lo, hi] = heights.fold([0.0f64; 2], |[lo, hi], h| [lo.min(h), hi.max(h)]);
            for ((part, corners), is_there) in parts.iter_mut().zip(cut).zip([lo < -on, hi > on]) {
                if is_there && corners.len() > 2 {
                    part.sides.push((*normal, corners));
                }
            }
        }
        in_order(&mut rim, half.normal);
        let [mut inside, mut outside] = parts;
        inside.sides.push((half.normal, rim.clone()));
        outside.sides.push((-half.normal, rim));
        (Some(inside), Some(outside))
    }

    /// Cubic steps: a cone over each side from a point inside.
    fn volume(&self) -> f64 {
        let [lo, hi] = self.bounds();
        if !lo.is_finite() || !hi.is_finite() {
            return 0.0;
        }
        let middle = (lo + hi) / 2.0;
        let cone = |(normal, corners): &(DVec3, Vec<DVec3>)| {
            let first = corners.first().copied().unwrap_or(middle);
            let crosses = corners
                .windows(2)
                .map(|w| (w[0] - first).cross(w[1] - first));
            let area = crosses.sum::<DVec3>().length() / 2.0;
            area * normal.dot(first - middle) / 3.0
        };
        self.sides.iter().map(cone).sum()
    }
}

/// Corners of a convex polygon, which come in any order and more than once, around it.
fn in_order(rim: &mut [DVec3], normal: DVec3) {
    let middle = rim.iter().sum::<DVec3>() / rim.len().max(1) as f64;
    let u = normal.any_orthonormal_vector();
    let v = normal.cross(u);
    let angle = |p: &DVec3| libm::atan2((*p - middle).dot(v), (*p - middle).dot(u));
    rim.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::carve::SideDesc;
    use breach::carve::hull::hull;

    const M: i64 = 16384;

    fn brush(points: &[I64Vec3]) -> BrushDesc {
        let sides = hull(points)
            .expect("a solid")
            .into_iter()
            .map(|f| SideDesc {
                points: f.points,
                material: 0,
            });
        BrushDesc {
            sides: sides.collect(),
        }
    }

    fn cube(lo: i64, hi: i64) -> BrushDesc {
        let corner = |i: i64| I64Vec3::new(i & 1, i >> 1 & 1, i >> 2 & 1) * (hi - lo) + lo;
        brush(&(0..8).map(corner).collect::<Vec<_>>())
    }

    #[test]
    fn boxes_that_overlap_add_up_in_order() {
        let bounds = [I64Vec3::splat(-8 * M), I64Vec3::splat(8 * M)];
        let (large, small) = (cube(0, 2 * M), cube(M, 3 * M));
        let sum = |list: &[(Op, &BrushDesc)]| air(bounds, true, list).expect("few pieces")[0];
        assert!((sum(&[(Op::Carve, &large), (Op::Carve, &small)]) - 15.0).abs() < 1e-10);
        assert!((sum(&[(Op::Carve, &large), (Op::Fill, &small)]) - 7.0).abs() < 1e-10);
        assert!((sum(&[(Op::Fill, &small), (Op::Carve, &large)]) - 8.0).abs() < 1e-10);
        let [room, off] = air(bounds, false, &[(Op::Fill, &large)]).expect("few pieces");
        assert!(off < 1e-10);
        assert!((room - (4096.0 - 8.0)).abs() < 1e-9);
    }

    #[test]
    fn what_reaches_out_of_the_level_is_not_counted_and_a_tetrahedron_is_a_sixth() {
        let bounds = [I64Vec3::ZERO, I64Vec3::splat(4 * M)];
        let large = cube(-M, 2 * M);
        let [sum, _] = air(bounds, true, &[(Op::Carve, &large)]).expect("few pieces");
        assert!((sum - 8.0).abs() < 1e-10);
        let tips = [
            I64Vec3::ZERO,
            I64Vec3::X * 3 * M,
            I64Vec3::Y * 3 * M,
            I64Vec3::Z * 3 * M,
        ];
        let [sum, _] = air(bounds, true, &[(Op::Carve, &brush(&tips))]).expect("few pieces");
        assert!((sum - 4.5).abs() < 1e-10);
    }
}
