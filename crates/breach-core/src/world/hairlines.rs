//! Hairlines between brushes are closed before a level is built.
//!
//! Brushes that meet on one plane share it exactly. Where four planes or more run through an edge or a corner, as
//! between the stones of an arch, each errs by a part of a step, and a hairline may be left; so may a slit that an
//! author does not see. Where a level leaks, or such a slit may lead into air that is shut off (`gaps`), it is built once
//! with all brushes a little grown: nothing thinner than twice that is left in it, and what bounds the air that a player
//! reaches there is all that anybody ever sees. Then each brush grows across its sides that nobody sees, into its
//! neighbours, so that they overlap instead of touching. Sides that are seen stay where they are, and no brush grows past
//! one of a neighbour: so no face is added and none moves. Where only a line parts reached air from unreached, nothing
//! unseen lies beside it: there a bar goes (`bars`).
use super::cell::points;
use super::description::{Operation, WorldDesc};
use super::facets::{BrushFacets, Facet, PARALLEL, height, normal};
use super::geometry::Geometry;
use super::{bars, one_cell, reachability, split};
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::triangulate::triangulate;
use crate::carve::{BrushDesc, Op, SideDesc};
use crate::exact::{Facing, Planes};
use crate::geom::parallel;
use crate::geom::polygon::overlap;
use glam::{DVec3, I64Vec3};
use rustc_hash::{FxHashMap, FxHashSet};

/// How far brushes grow, steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// All of them, to find which sides are seen.
    pub all: f64,
    /// Then across the sides that are not.
    pub unseen: f64,
}

/// What is closed, the least first: more than import's rounding leaves; and slits that no author sees, 1/16 unit (2 mm).
pub(super) const GROWTHS: [Growth; 2] = [
    Growth {
        all: 1.5,
        unseen: 4.0,
    },
    Growth {
        all: 16.0,
        unseen: 32.0,
    },
];
/// Import moves no face by more: 1/64 unit, steps.
const MOST: f64 = 8.0;
/// A brush lies behind a plane that it passes by no more, steps.
const BEHIND: f64 = 0.5;
/// A side that turns less than this towards another one does not come before it as it grows (cosine).
const ALONG: f64 = 0.01;
/// Solids with what was between them closed.
pub(super) struct ClosedHairlines {
    pub solids: Vec<BrushDesc>,
    /// Thin bars along the lines at which solids touch without a face to rest on, for where such a line is all that keeps
    /// the air in.
    pub bars: Vec<BrushDesc>,
    /// The middles of the slits, wider than what rounding leaves; steps.
    pub slits: Vec<DVec3>,
    /// A place in each air that nobody reaches once hairlines are closed, steps.
    pub shut: Vec<DVec3>,
}

/// The level's solids with hairlines closed; None where grown brushes leak all the same, or nobody is in the level.
pub(super) fn close(desc: &WorldDesc, growth: Growth) -> Option<ClosedHairlines> {
    let mut geometry = grown_world(desc, growth.all)?;
    let reach = reachability::reach(&geometry, &desc.starts);
    if reach.sealed != Some(true) {
        return None;
    }
    let unreached: FxHashSet<_> = reach.unreached.into_iter().collect();
    let mut seen = Seen::default();
    for (f, face) in geometry.cells[0].stuff() {
        let Surface::Stuff(side) = face.surface else {
            continue;
        };
        let points: Vec<DVec3> = points(face).collect();
        let triangles = triangulate(&geometry.planes, face).into_iter();
        let triangles = triangles.map(|t| t.map(|c| points[c as usize]));
        let list = if unreached.contains(&(0, f)) {
            &mut seen.hidden
        } else {
            seen.sides.insert(side);
            &mut seen.shown
        };
        list.entry(face.plane).or_default().extend(triangles);
    }
    let list = solids(&mut geometry.planes, desc, growth.all, &seen);
    let near = neighbours(&list, 2.0 * growth.unseen);
    let bars = parallel::map(list.len(), 1, |a| {
        bars::over_contact_lines(a, &list, &near[a])
    });
    let solids = parallel::map(list.len(), 1, |a| {
        grown(&list[a], &list, &near[a], growth.unseen)
    });
    Some(ClosedHairlines {
        solids: solids.into_iter().flatten().collect(),
        bars: bars.into_iter().flatten().collect(),
        slits: slits(&list, &near, growth.unseen),
        shut: reach.shut,
    })
}

/// The level's solids grown on all sides, seen or not, where that moves no face by more than import may: what is left if
/// all else leaks.
pub(super) fn all_grown(desc: &WorldDesc, growth: Growth) -> Option<Vec<BrushDesc>> {
    let all = |brush: &BrushDesc| grown_on_all_sides(brush, growth.all);
    (growth.all <= MOST).then(|| desc.solids.iter().map(all).collect())
}

/// One cell with all solids grown; what a face shows tells its side, counted through all brushes.
fn grown_world(desc: &WorldDesc, by: f64) -> Option<Geometry> {
    let sides: usize = desc.solids.iter().map(|b| b.sides.len()).sum();
    let stuff = desc.materials.first()?.clone();
    let (mut geometry, _) = one_cell::void(desc.bounds, vec![stuff; sides]).ok()?;
    let mut numbers = 0..;
    for brush in &desc.solids {
        let mut brush = grown_on_all_sides(brush, by);
        for (side, number) in brush.sides.iter_mut().zip(numbers.by_ref()) {
            side.material = number;
        }
        let fill = Operation {
            op: Op::Fill,
            brushes: vec![brush],
        };
        one_cell::stamp_all(&mut geometry, &fill);
    }
    split::conform_all(&mut geometry);
    one_cell::split_where_touched(&mut geometry);
    Some(geometry)
}

fn grown_on_all_sides(brush: &BrushDesc, by: f64) -> BrushDesc {
    let sides = brush.sides.iter().map(|side| SideDesc {
        points: moved(side, by),
        material: side.material,
    });
    BrushDesc {
        sides: sides.collect(),
    }
}

/// The points of a side, outwards by so many steps.
fn moved(side: &SideDesc, by: f64) -> [I64Vec3; 3] {
    let by = (normal(side) * by).round().as_i64vec3();
    side.points.map(|p| p + by)
}

/// What bounds the air that a player reaches.
#[derive(Default)]
struct Seen {
    /// Sides, counted through all brushes.
    sides: FxHashSet<u32>,
    /// By plane and facing: the triangles of what shows there.
    shown: FxHashMap<Facing, Vec<[DVec3; 3]>>,
    /// And of what bounds air that nobody reaches.
    hidden: FxHashMap<Facing, Vec<[DVec3; 3]>>,
}

fn solids<'a>(
    planes: &mut Planes,
    desc: &'a WorldDesc,
    grown_by: f64,
    seen: &Seen,
) -> Vec<BrushFacets<'a>> {
    let mut number = 0;
    let mut list = Vec::with_capacity(desc.solids.len());
    for brush in &desc.solids {
        let numbered = (0..).zip(&brush.sides).map(|(material, side)| SideDesc {
            points: side.points,
            material,
        });
        let numbered = BrushDesc {
            sides: numbered.collect(),
        };
        let polytope = Polytope::from_brush(planes, &numbered).unwrap_or_default();
        let corners: Vec<DVec3> = polytope.corners.iter().map(|c| c.at).collect();
        let mut facets: Vec<Facet> = Vec::new();
        facets.resize_with(brush.sides.len(), Facet::default);
        for facet in &polytope.facets {
            if let Surface::Stuff(side) = facet.surface {
                let at = facet.corners.iter().map(|&c| corners[c as usize]);
                facets[side as usize].corners = at.collect();
            }
        }
        for (side, facet) in brush.sides.iter().zip(&mut facets) {
            // Of sides in one plane only one shows: what lies where another one is seen counts as seen.
            let [a, b, c] = moved(side, grown_by);
            let plane = planes.through(a, b, c);
            let shown = plane.and_then(|f| seen.shown.get(&f));
            let hidden = plane.and_then(|f| seen.hidden.get(&f));
            let overlaps =
                |t: &[DVec3; 3]| overlap(&facet.corners, t, normal(side), 2.0 * grown_by);
            facet.seen = !facet.corners.is_empty()
                && (seen.sides.contains(&number)
                    || shown.is_some_and(|list| list.iter().any(overlaps)));
            if facet.seen {
                let hidden = hidden.into_iter().flatten().copied();
                facet.hidden = hidden.filter(|t| overlaps(t)).collect();
            }
            number += 1;
        }
        let low = corners.iter().copied().fold(DVec3::MAX, DVec3::min);
        let high = corners.iter().copied().fold(DVec3::MIN, DVec3::max);
        list.push(BrushFacets {
            brush,
            corners,
            bounds: [low, high],
            facets,
        });
    }
    list
}

/// By solid: those whose boxes come within `reach`.
fn neighbours(list: &[BrushFacets], reach: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    let low = |s: usize| list[s].bounds[0].x;
    order.sort_by(|&a, &b| low(a).total_cmp(&low(b)).then(a.cmp(&b)));
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); list.len()];
    for (at, &a) in order.iter().enumerate() {
        let [low, high] = list[a].bounds;
        let (low, high) = (low - reach, high + reach);
        let following = order[at + 1..].iter().copied();
        for b in following.take_while(|&b| list[b].bounds[0].x <= high.x) {
            let [other_low, other_high] = list[b].bounds;
            if other_low.cmple(high).all() && low.cmple(other_high).all() {
                near[a].push(b);
                near[b].push(a);
            }
        }
    }
    near
}

/// A brush grown across all sides that are not seen. Where a neighbour's side that is seen could be in the way: the brush
/// itself; once grown but for what is in the way; and once for each unseen side, grown across that one alone.
fn grown(solid: &BrushFacets, list: &[BrushFacets], near: &[usize], by: f64) -> Vec<BrushDesc> {
    let unseen = unseen(solid);
    let in_the_way = in_the_way(solid, list, near, by);
    let mut whole = across(solid, &unseen, by);
    if in_the_way.is_empty() {
        return vec![whole];
    }
    whole.sides.extend(in_the_way.iter().map(|&s| s.clone()));
    let mut brushes = vec![solid.brush.clone(), whole];
    for side in unseen {
        let own = &solid.brush.sides[side];
        let out = normal(own);
        let stops = |other: &&&SideDesc| {
            let turn = normal(other).dot(out);
            let ahead = match turn > PARALLEL {
                // The far side of a thin neighbour, or one beside it.
                true => height(other, own.points[0].as_dvec3()) < -BEHIND,
                false => turn > ALONG,
            };
            let reaches = |&p: &DVec3| height(other, p + out * by) > 0.0;
            ahead && solid.corners.iter().any(reaches)
        };
        let mut brush = across(solid, &[side], by);
        brush
            .sides
            .extend(in_the_way.iter().filter(stops).map(|&s| s.clone()));
        brushes.push(brush);
    }
    brushes
}

fn unseen(solid: &BrushFacets) -> Vec<usize> {
    let facets = solid.facets.iter().enumerate();
    let unseen = facets.filter(|(_, facet)| !facet.seen && !facet.corners.is_empty());
    unseen.map(|(side, _)| side).collect()
}

/// The brush grown across some of its sides.
fn across(solid: &BrushFacets, sides: &[usize], by: f64) -> BrushDesc {
    let mut brush = solid.brush.clone();
    for &side in sides {
        brush.sides[side].points = moved(&brush.sides[side], by);
    }
    brush
}

/// Sides of neighbours that are seen, close to the brush, with the brush behind them.
fn in_the_way<'a>(
    solid: &BrushFacets,
    list: &[BrushFacets<'a>],
    near: &[usize],
    by: f64,
) -> Vec<&'a SideDesc> {
    let mut found: Vec<&SideDesc> = Vec::new();
    let facets = near.iter().flat_map(|&b| list[b].facets());
    for (side, facet) in facets.filter(|(_, facet)| facet.seen) {
        let highest = solid.corners.iter().map(|&p| height(side, p));
        let highest = highest.fold(f64::MIN, f64::max);
        let is_own = || solid.facets().any(|(s, f)| f.seen && same_plane(s, side));
        if (-2.0 * by..=BEHIND).contains(&highest)
            && !solid.is_apart(facet, 2.0 * by)
            && !is_own()
            && !found.iter().any(|s| same_plane(s, side))
        {
            found.push(side);
        }
    }
    found
}

/// Whether two sides lie in one plane and look the same way.
fn same_plane(a: &SideDesc, b: &SideDesc) -> bool {
    let wide = |v: I64Vec3| v.to_array().map(i128::from);
    let [p, q, r] = a.points;
    let n = wide((q - p).cross(r - p));
    let is_on = |&at: &I64Vec3| {
        let d = wide(at - p);
        (0..3).map(|i| n[i] * d[i]).sum::<i128>() == 0
    };
    b.points.iter().all(is_on) && normal(a).dot(normal(b)) > 0.0
}

/// The middles of the slits between sides that face each other, wider than rounding leaves and up to `most`.
fn slits(list: &[BrushFacets], near: &[Vec<usize>], most: f64) -> Vec<DVec3> {
    let rounding = GROWTHS[0].unseen;
    let mut slits = Vec::new();
    for (a, near) in near.iter().enumerate() {
        let others = || near.iter().filter(|&&b| b > a).map(|&b| &list[b]);
        for (side, facet) in list[a].facets() {
            let out = normal(side);
            for (_, other) in others()
                .flat_map(BrushFacets::facets)
                .filter(|(s, _)| normal(s).dot(out) < -PARALLEL)
            {
                let middle = other.corners.iter().sum::<DVec3>() / other.corners.len() as f64;
                let gap = height(side, middle);
                if rounding < gap
                    && gap <= most
                    && overlap(&facet.corners, &other.corners, out, most)
                {
                    slits.push(middle - out * gap / 2.0);
                }
            }
        }
    }
    slits
}
