//! The winding number of closed faces around a point: a ray's crossings, counted with their sign.
//!
//! The point is perturbed symbolically (Edelsbrunner and Mücke, "Simulation of Simplicity", 1990): it lies infinitely near
//! to an exact point, in front of two planes through it, closer to the first than to the second, and much farther along
//! their line than from either. So no face meets it, whatever touches the exact point, and no edge meets the ray. Every
//! decision is a sign, and no face is too thin.
use super::face::Face;
use super::loops::edge_crossing;
use crate::exact::{Facing, Line, Plane, Planes, Point, det_sign, meet, side};
use std::cmp::Ordering;

/// A point infinitely near to an exact one; see the module's head.
#[derive(Clone, Copy, Debug)]
pub struct PerturbedPoint {
    /// The exact point, on both planes of `before`.
    pub point: Point,
    /// The perturbed point lies in front of these planes, and ahead of the exact one along their [`Line`].
    pub before: [Facing; 2],
}

impl PerturbedPoint {
    /// Just behind a face, at its first edge: a face's normal points into the air, so this is the solid that it bounds.
    pub fn behind(planes: &Planes, face: &Face) -> PerturbedPoint {
        let (a, b) = (&face.loops[0][0], &face.loops[0][1]);
        let line = Line::new(planes, (face.plane.plane, a.line));
        let runs_along = line.cmp(planes, &a.point, &b.point) == Ordering::Less;
        // The face is left of n_facing × n_line: behind the line's plane.
        let flip = runs_along == (face.plane.sign() > 0);
        let plane = a.line;
        PerturbedPoint {
            point: if runs_along { a.point } else { b.point },
            before: [face.plane.opposite(), Facing { plane, flip }],
        }
    }
}

/// How many times closed faces surround a point: +1 for each solid around it that they bound, -1 for each pocket of air.
///
/// ```
/// use breach_core::carve::polytope::{Polytope, Surface};
/// use breach_core::carve::winding::{PerturbedPoint, winding_number};
/// use breach_core::carve::{Op, boolean};
/// use breach_core::exact::Planes;
///
/// let mut planes = Planes::default();
/// let room = Polytope::from_box(&mut planes, [0; 3], [16; 3], Surface::Stuff(0)).expect("a box");
/// let faces = boolean::apply(&planes, &[], &[], &[], &room, Op::Carve).added;
/// // The rock behind a wall of the room is outside the air that the walls surround.
/// let rock = PerturbedPoint::behind(&planes, &faces[0]);
/// assert_eq!(winding_number(&planes, faces.iter(), &rock), 0);
/// let [wall, side] = rock.before;
/// let air = PerturbedPoint { before: [wall.opposite(), side], ..rock };
/// assert_eq!(winding_number(&planes, faces.iter(), &air), -1);
/// ```
pub fn winding_number<'a>(
    planes: &Planes,
    faces: impl Iterator<Item = &'a Face>,
    at: &PerturbedPoint,
) -> i32 {
    let [first, second] = at.before;
    let (j, k) = (first.plane, second.plane);
    let is_in_front = |p: &Point, plane: Facing| side(planes, p, plane.plane) * plane.sign() > 0;
    let line = Line::new(planes, (j, k));
    let mut sum = 0;
    for face in faces {
        if !may_cut(&planes[j], face) || !may_cut(&planes[k], face) {
            continue;
        }
        let mut crossings = 0;
        for l in &face.loops {
            for (e, a) in l.iter().enumerate() {
                let b = &l[if e + 1 == l.len() { 0 } else { e + 1 }];
                let sides = [a, b].map(|c| side(planes, &c.point, j));
                let [here, next] = sides.map(|s| s * first.sign() > 0);
                if here == next {
                    continue;
                }
                let x = edge_crossing(planes, face.plane.plane, a, b, (sides[0], sides[1]), j);
                if x.is_some_and(|x| is_in_front(&x, second)) {
                    crossings += if next { 1 } else { -1 };
                }
            }
        }
        if crossings == 0 {
            continue;
        }
        let Some(hit) = meet(planes, [face.plane.plane, j, k]) else {
            continue;
        };
        if line.cmp(planes, &at.point, &hit) == Ordering::Less {
            sum += det_sign(planes, face.plane.plane, j, k) * face.plane.sign();
        }
    }
    sum
}

/// Whether connected closed faces bound a solid rather than a pocket of air.
pub fn encloses_solid<'a>(planes: &Planes, faces: impl Iterator<Item = &'a Face> + Clone) -> bool {
    let Some(face) = faces.clone().next() else {
        return false;
    };
    winding_number(planes, faces, &PerturbedPoint::behind(planes, face)) > 0
}

/// Whether a plane may cut a face's box.
fn may_cut(plane: &Plane, f: &Face) -> bool {
    let c = (f.lo + f.hi) * 0.5;
    let h = (f.hi - f.lo) * 0.5;
    let d = plane.nf[0] * c.x + plane.nf[1] * c.y + plane.nf[2] * c.z - plane.df;
    let r = plane.nf[0].abs() * h.x + plane.nf[1].abs() * h.y + plane.nf[2].abs() * h.z;
    d.abs() <= r + plane.err * 2.0
}

#[cfg(test)]
mod tests {
    use super::super::face::Corner;
    use super::super::polytope::{Polytope, Surface};
    use super::*;
    use crate::geom::rng::Rng;

    /// The faces of a polytope, or of the same pocket of air.
    fn around(planes: &Planes, p: &Polytope, is_air: bool) -> Vec<Face> {
        let face = |f: &super::super::polytope::Facet| {
            let n = f.corners.len();
            let corner = |k: usize| {
                // In reverse an edge starts where it ended.
                let (at, edge) = match is_air {
                    false => (k, k),
                    true => (n - 1 - k, (2 * n - 2 - k) % n),
                };
                Corner {
                    point: p.corners[f.corners[at] as usize],
                    line: p.facets[f.across[edge] as usize].plane.plane,
                }
            };
            let plane = if is_air { f.plane.opposite() } else { f.plane };
            Face::new(planes, plane, f.surface, vec![(0..n).map(corner).collect()])
        };
        p.facets.iter().map(face).collect()
    }

    fn boxed(planes: &mut Planes, lo: [i64; 3], hi: [i64; 3]) -> Polytope {
        Polytope::from_box(planes, lo, hi, Surface::Stuff(0)).expect("a box")
    }

    #[test]
    fn solid_is_told_from_air_however_thin_it_is() {
        let mut rng = Rng::new(4);
        let mut flat = 0;
        for round in 0..400 {
            let mut planes = Planes::default();
            let at = [0; 3].map(|_| rng.range(-1e7, 1e7) as i64);
            let size = [0; 3].map(|_| 2 + rng.below(64) as i64);
            let (lo, hi) = (at.map(|x| 2 * x), [0, 1, 2].map(|k| 2 * (at[k] + size[k])));
            let whole = boxed(&mut planes, lo, hi);
            // Between two planes through its middle whose directions differ by as little as 2^-47.
            let steep = 1i64 << (2 + rng.below(46));
            let middle = [0, 1, 2].map(|k| i128::from(at[k] + size[k] / 2));
            let through = |planes: &mut Planes, n: [i64; 3]| {
                let d = (0..3).map(|k| i128::from(n[k]) * middle[k]).sum();
                planes.intern(n, d)
            };
            let [a, b] = [[steep, 1, 0], [steep, 2, 1]].map(|n| through(&mut planes, n));
            let part = whole.clip(&planes, a, Surface::Stuff(0));
            let part = part.and_then(|p| p.clip(&planes, b.opposite(), Surface::Stuff(0)));
            let slab = part.expect("a wedge");
            let volume: f64 = around(&planes, &slab, false)
                .iter()
                .map(|f| f.area_vector().dot(f.loops[0][0].point.at))
                .sum();
            flat += usize::from(volume <= 0.0);
            for is_air in [false, true] {
                let faces = around(&planes, &slab, is_air);
                let mut list: Vec<&Face> = faces.iter().collect();
                for _ in 0..list.len() {
                    list.rotate_left(1);
                    let solid = encloses_solid(&planes, list.iter().copied());
                    assert_eq!(solid, !is_air, "{round}: {steep}");
                }
            }
        }
        assert!(flat > 20, "too few of no volume: {flat}");
    }

    #[test]
    fn what_lies_in_a_pocket_of_a_solid_is_in_a_solid_less_an_air() {
        let mut planes = Planes::default();
        let nested = [40, 30, 20, 10].map(|r| boxed(&mut planes, [-r; 3], [r; 3]));
        let faces: Vec<Face> = (0..4)
            .flat_map(|i| around(&planes, &nested[i], i % 2 == 1))
            .collect();
        let outside = boxed(&mut planes, [35, 45, 35], [37, 47, 37]);
        let touching = boxed(&mut planes, [30, 30, 30], [36, 36, 36]);
        let behind = |p: &Polytope, is_air| {
            let around = around(&planes, p, is_air);
            let points = around.iter().map(|f| PerturbedPoint::behind(&planes, f));
            let numbers = points.map(|place| winding_number(&planes, faces.iter(), &place));
            numbers.collect::<Vec<_>>()
        };
        let (solid, air) = ([1; 6], [0; 6]);
        for pair in nested.chunks(2) {
            // Behind a solid's faces lies its inside, behind a pocket's what surrounds it.
            assert_eq!(
                (behind(&pair[0], false), behind(&pair[0], true)),
                (solid.into(), air.into())
            );
            assert_eq!(
                (behind(&pair[1], false), behind(&pair[1], true)),
                (air.into(), solid.into())
            );
        }
        assert_eq!(behind(&outside, false), air);
        // It touches a corner of the outer pocket from the solid around.
        assert_eq!(behind(&touching, false), solid);
        let alone = around(&planes, &nested[0], false);
        let place = PerturbedPoint::behind(&planes, &around(&planes, &nested[3], false)[0]);
        assert_eq!(winding_number(&planes, alone.iter(), &place), 1);
    }
}
