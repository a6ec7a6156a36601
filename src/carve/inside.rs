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
