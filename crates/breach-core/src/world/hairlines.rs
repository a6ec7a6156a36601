//! Closes hairlines between brushes before a level is built.
//!
//! Brushes that meet on one plane share it exactly. Where four planes or more run through an edge or a corner, as
//! between the stones of an arch, each is off by a fraction of a step, and a hairline may be left. Authors also leave
//! slits too thin to notice. Where a level leaks, or such a slit may lead into enclosed air (`gaps`), it is built once
//! with all brushes grown a little. Nothing thinner than twice the growth stays open, and the boundary of the air that
//! a player reaches in it is all that can ever be seen. Then each brush grows across its unseen sides, into its
//! neighbours, so that they overlap instead of touching. Visible sides stay in place, and no brush grows past a visible
//! side of a neighbour: no face is added and none moves. Where only a line separates reached from unreached air, no
//! unseen side lies beside it, and a bar covers it (`bars`).
use super::cell::points;
use super::description::{Operation, WorldDesc};
use super::facets::{BrushFacets, Facet, PARALLEL, height, normal};
use super::geometry::Geometry;
use super::reachability::Reachability;
use super::{bars, one_cell, split};
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
    /// All sides, to find the visible ones.
    pub all: f64,
    /// Then the unseen sides.
    pub unseen: f64,
}

/// The widths that are closed, smallest first: import's rounding, then slits that no author sees, 1/16 unit (2 mm).
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
/// A brush counts as behind a plane that it passes by no more than this, steps.
const BEHIND: f64 = 0.5;
/// A side whose normal's dot product with a growing side's is below this is not in its way.
const ALONG: f64 = 0.01;
/// The level's solids with the hairlines between them closed.
pub(super) struct ClosedHairlines {
    pub solids: Vec<BrushDesc>,
    /// Thin bars along lines where solids touch without a shared face, for lines that alone keep the air in.
    pub bars: Vec<BrushDesc>,
    /// The middles of the slits wider than rounding leaves; steps.
    pub slits: Vec<DVec3>,
    /// A point in each region of air that is unreached once hairlines are closed, steps.
    pub shut: Vec<DVec3>,
}

/// The level's solids with hairlines closed. None where grown brushes leak all the same, or no player start is in the
/// air.
pub(super) fn close(desc: &WorldDesc, growth: Growth) -> Option<ClosedHairlines> {
    let mut geometry = grown_world(desc, growth.all)?;
    let reachability = Reachability::new(&geometry, &desc.starts);
    if reachability.sealed != Some(true) {
        return None;
    }
    let unreached: FxHashSet<_> = reachability.unreached.into_iter().collect();
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
        shut: reachability.shut,
    })
}

/// The level's solids grown on all sides, seen or not: the last resort against a leak. None if faces would move by more
/// than import's rounding.
pub(super) fn all_grown(desc: &WorldDesc, growth: Growth) -> Option<Vec<BrushDesc>> {
    let all = |brush: &BrushDesc| grown_on_all_sides(brush, growth.all);
    (growth.all <= MOST).then(|| desc.solids.iter().map(all).collect())
}

/// One cell with all solids grown. A face's material is the number of its side, counted through all brushes.
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

/// The points of a side, moved outwards by this many steps.
fn moved(side: &SideDesc, by: f64) -> [I64Vec3; 3] {
    let by = (normal(side) * by).round().as_i64vec3();
    side.points.map(|p| p + by)
}

/// The boundary of the air that a player reaches.
#[derive(Default)]
struct Seen {
    /// Sides, counted through all brushes.
    sides: FxHashSet<u32>,
    /// By plane and facing: the visible triangles.
    shown: FxHashMap<Facing, Vec<[DVec3; 3]>>,
    /// The triangles that bound unreached air.
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
            // Of several sides in one plane only one is recorded: a side that overlaps a visible one counts as visible.
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

/// For each solid, those whose boxes come within `reach`.
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

/// A brush grown across all unseen sides. If a visible side of a neighbour could be in the way, the result is several
/// brushes: the brush itself; the grown brush clipped by all sides in the way; and one brush for each unseen side,
/// grown across that side alone.
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

/// The brush grown across these sides.
fn across(solid: &BrushFacets, sides: &[usize], by: f64) -> BrushDesc {
    let mut brush = solid.brush.clone();
    for &side in sides {
        brush.sides[side].points = moved(&brush.sides[side], by);
    }
    brush
}

/// Visible sides of neighbours, close to the brush, whose planes have the brush behind them.
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

/// Whether two sides lie in one plane and face the same way.
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

/// The middles of the slits between facing sides, wider than rounding leaves and up to `most`.
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
