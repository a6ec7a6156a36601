//! On which side of closed faces does a place lie? The faces that a line from there passes are counted, with their sense.
//!
//! A place lies infinitely near to a point: in front of two planes through it, less far from the first than from the
//! second, and by far farther along their line than from either. So no face meets it, whatever touches the point, and no
//! edge meets the line; every question is a sign, and no face is so thin that rounding could turn the answer.
use super::face::Face;
use super::loops::crossing;
use crate::exact::{Facing, Line, Plane, Planes, Point, det_sign, meet, side};
use std::cmp::Ordering;

/// See the module's head.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// A point that lies on both planes of `before`.
    pub beside: Point,
    /// It lies before these planes, and from the point along their line, as [`Line`] runs.
    pub before: [Facing; 2],
}

impl Place {
    /// Just behind a face, at the first of its edges: what the face bounds, seen from where its normal points away from.
    pub fn behind(planes: &Planes, face: &Face) -> Place {
        let (a, b) = (&face.loops[0][0], &face.loops[0][1]);
        let line = Line::new(planes, (face.plane.plane, a.line));
        let runs_along = line.cmp(planes, &a.point, &b.point) == Ordering::Less;
        // Left of n_facing × n_line, where the face is, lies what is behind the line's plane.
        let flip = runs_along == (face.plane.sign() > 0);
        let plane = a.line;
        Place {
            beside: if runs_along { a.point } else { b.point },
            before: [face.plane.opposite(), Facing { plane, flip }],
        }
    }
}

/// How many times closed faces surround a place: once for each solid around it that they bound, less once for each air.
pub fn depth<'a>(planes: &Planes, faces: impl Iterator<Item = &'a Face>, place: &Place) -> i32 {
    let [first, second] = place.before;
    let (j, k) = (first.plane, second.plane);
    let is_before = |p: &Point, plane: Facing| side(planes, p, plane.plane) * plane.sign() > 0;
    let line = Line::new(planes, (j, k));
    let mut depth = 0;
    for face in faces {
        if !may_cut(&planes[j], face) || !may_cut(&planes[k], face) {
            continue;
        }
        let mut pierced = 0;
        for l in &face.loops {
            for (e, a) in l.iter().enumerate() {
                let b = &l[if e + 1 == l.len() { 0 } else { e + 1 }];
                let sides = [a, b].map(|c| side(planes, &c.point, j));
                let [here, next] = sides.map(|s| s * first.sign() > 0);
                if here == next {
                    continue;
                }
                let at = crossing(planes, face.plane.plane, a, b, (sides[0], sides[1]), j);
                if at.is_some_and(|at| is_before(&at, second)) {
                    pierced += if next { 1 } else { -1 };
                }
            }
        }
        if pierced == 0 {
            continue;
        }
        let Some(at) = meet(planes, [face.plane.plane, j, k]) else {
            continue;
        };
        if line.cmp(planes, &place.beside, &at) == Ordering::Less {
            depth += det_sign(planes, face.plane.plane, j, k) * face.plane.sign();
        }
    }
    depth
}

/// Whether closed faces that hang together bound a solid, and not a pocket of air.
pub fn are_around_solid<'a>(
    planes: &Planes,
    faces: impl Iterator<Item = &'a Face> + Clone,
) -> bool {
    let Some(face) = faces.clone().next() else {
        return false;
    };
    depth(planes, faces, &Place::behind(planes, face)) > 0
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

    /// The faces around a polytope; turned inside out they bound as much air.
    fn around(planes: &Planes, p: &Polytope, is_air: bool) -> Vec<Face> {
        let face = |f: &super::super::polytope::Facet| {
            let n = f.corners.len();
            let corner = |k: usize| {
                // The other way round an edge leaves from where it arrived.
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
        Polytope::boxed(planes, lo, hi, Surface::Stuff(0)).expect("a box")
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
                    let solid = are_around_solid(&planes, list.iter().copied());
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
            let places = around.iter().map(|f| Place::behind(&planes, f));
            let depths = places.map(|place| depth(&planes, faces.iter(), &place));
            depths.collect::<Vec<_>>()
        };
        let (solid, air) = ([1; 6], [0; 6]);
        for pair in nested.chunks(2) {
            // Behind an outline is what it encloses, behind the same turned inside out what is around it.
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
        let place = Place::behind(&planes, &around(&planes, &nested[3], false)[0]);
        assert_eq!(depth(&planes, alone.iter(), &place), 1);
    }
}
