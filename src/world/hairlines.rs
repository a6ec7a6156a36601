//! What rounding leaves between brushes is closed before the level is built.
//!
//! Brushes that meet on one plane share it exactly. Where four planes or more run through an edge or a corner, as
//! between the stones of an arch, each errs by a part of a step, and a hairline may be left. So the level is first built
//! once with all brushes a little grown: nothing thinner than twice that is left in it, and the faces that bound the air
//! which a player reaches there are those that anybody ever sees. Then each brush grows across its sides that nobody
//! sees, into its neighbours, so that they overlap instead of touching. Sides that are seen stay where they are; where
//! such a side of a neighbour ends at the brush, the brush ends at it as well, so that nothing that has grown stands out.
use super::commit::{self, Touched};
use super::{Operation, World, WorldDesc, build, shells, split};
use crate::bvh::BuildParams;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::{BrushDesc, Op, SideDesc};
use crate::exact::{Facing, Planes};
use glam::{DVec3, I64Vec3};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// How far brushes grow to find who is seen, and then across sides that are not: steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    seen: f64,
    unseen: f64,
}

/// More than import's rounding leaves.
pub(super) const ROUNDING: Growth = Growth {
    seen: 1.5,
    unseen: 4.0,
};
/// What no author sees: slits up to 1/16 unit, 2 mm.
pub(super) const SLITS: Growth = Growth {
    seen: 16.0,
    unseen: 32.0,
};
/// A brush lies behind a plane that it passes by no more, steps.
const BEHIND: f64 = 0.5;

/// The level's solids with hairlines closed; None where the level leaks all the same, or nobody is in it.
pub(super) fn closed(
    desc: &WorldDesc,
    params: &BuildParams,
    growth: Growth,
) -> Option<Vec<BrushDesc>> {
    let e = |n: &str, d: f64| std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let growth = Growth { seen: e("SEEN", growth.seen), ..growth };
    let mut world = grown_world(desc, params, growth.seen)?;
    let reach = shells::reach(&world, &desc.starts);
    if std::env::var("DBG").is_ok() { eprintln!("grown {growth:?} sealed {:?}", reach.sealed); }
    if reach.sealed != Some(true) {
        return None;
    }
    let unreached: FxHashSet<_> = reach.unreached.into_iter().collect();
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    // By plane and facing: boxes of what is seen there.
    let mut seen_on: FxHashMap<Facing, Vec<[DVec3; 2]>> = FxHashMap::default();
    for (f, face) in world.cells[0].stuff() {
        if let Surface::Stuff(side) = face.surface
            && !unreached.contains(&(0, f))
        {
            seen.insert(side);
            let corners = || face.loops[0].iter().map(|c| c.point.at);
            seen_on.entry(face.plane).or_default().push(around(corners()));
        }
    }
    let solids = Solids::new(&mut world.planes, desc, growth.seen, &seen, &seen_on);
    let e = |n: &str, d: f64| std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
    let grown = solids.grown(e("UNSEEN", growth.unseen));
    if std::env::var("DBG").is_ok() { eprintln!("solids {} grown {} simple {}", desc.solids.len(), grown.len(), 0); }
    Some(grown)
}

/// One cell with all solids grown; what a face shows tells its side, counted through all brushes.
fn grown_world(desc: &WorldDesc, params: &BuildParams, by: f64) -> Option<World> {
    let sides: usize = desc.solids.iter().map(|b| b.sides.len()).sum();
    let stuff = desc.materials.first()?.clone();
    let mut world = build::void(desc.bounds, vec![stuff; sides], params).ok()?;
    let mut number = 0;
    for brush in &desc.solids {
        let sides = brush.sides.iter().map(|side| {
            number += 1;
            SideDesc {
                points: moved(side, by),
                material: number - 1,
            }
        });
        let brush = BrushDesc {
            sides: sides.collect(),
        };
        let operation = Operation {
            op: Op::Fill,
            brushes: vec![brush],
        };
        for p in commit::polytopes(&mut world, &operation).unwrap_or_default() {
            let stamp = commit::Stamp::new(&mut world, 0, &p);
            stamp.apply(&mut world, Op::Fill, &mut Touched::default());
        }
    }
    split::conform_all(&mut world);
    build::split_where_touched(&mut world);
    Some(world)
}

/// The points of a side, outwards by so many steps.
fn moved(side: &SideDesc, by: f64) -> [I64Vec3; 3] {
    let by = (normal(side) * by).round().as_i64vec3();
    side.points.map(|p| p + by)
}

fn normal(side: &SideDesc) -> DVec3 {
    let [a, b, c] = side.points.map(|p| p.as_dvec3());
    (b - a).cross(c - a).normalize_or_zero()
}

fn around(points: impl Iterator<Item = DVec3>) -> [DVec3; 2] {
    points.fold([DVec3::MAX, DVec3::MIN], |[low, high], p| {
        [low.min(p), high.max(p)]
    })
}

fn meet(a: &[DVec3; 2], b: &[DVec3; 2], within: f64) -> bool {
    (a[0] - within).cmple(b[1]).all() && b[0].cmple(a[1] + within).all()
}

/// A brush with what is seen of it.
struct Solid<'a> {
    brush: &'a BrushDesc,
    corners: Vec<DVec3>,
    bounds: [DVec3; 2],
    /// By side: the box of its facet; none where it has no facet.
    facets: Vec<Option<[DVec3; 2]>>,
    seen: Vec<bool>,
}

struct Solids<'a> {
    list: Vec<Solid<'a>>,
}

impl<'a> Solids<'a> {
    fn new(
        planes: &mut Planes,
        desc: &'a WorldDesc,
        by: f64,
        seen: &FxHashSet<u32>,
        seen_on: &FxHashMap<Facing, Vec<[DVec3; 2]>>,
    ) -> Solids<'a> {
        let mut first = 0;
        let list = desc.solids.iter().map(|brush| {
            let numbered: Vec<SideDesc> = (0..).zip(&brush.sides).map(|(i, s)| SideDesc {
                points: s.points,
                material: i,
            }).collect();
            let p = Polytope::from_brush(planes, &BrushDesc { sides: numbered }).unwrap_or_default();
            let corners: Vec<DVec3> = p.corners.iter().map(|c| c.at).collect();
            let mut facets = vec![None; brush.sides.len()];
            for facet in &p.facets {
                if let Surface::Stuff(side) = facet.surface {
                    let at = facet.corners.iter().map(|&c| corners[c as usize]);
                    facets[side as usize] = Some(around(at));
                }
            }
            let is_seen = |(side, bounds): (usize, &Option<[DVec3; 2]>)| {
                let Some(bounds) = bounds else { return false };
                let [a, b, c] = moved(&brush.sides[side], by);
                // Of sides in one plane only one shows: what lies where another is seen counts as seen.
                seen.contains(&(first + side as u32))
                    || planes.through(a, b, c).and_then(|f| seen_on.get(&f)).is_some_and(|list| {
                        list.iter().any(|other| meet(bounds, other, by))
                    })
            };
            let seen = facets.iter().enumerate().map(is_seen).collect();
            first += brush.sides.len() as u32;
            Solid {
                brush,
                bounds: around(corners.iter().copied()),
                corners,
                facets,
                seen,
            }
        });
        Solids {
            list: list.collect(),
        }
    }

    /// All brushes, grown where nobody sees it.
    fn grown(&self, by: f64) -> Vec<BrushDesc> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by(|&a, &b| {
            let at = |s: usize| self.list[s].bounds[0].x;
            at(a).total_cmp(&at(b)).then(a.cmp(&b))
        });
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.list.len()];
        for (at, &a) in order.iter().enumerate() {
            let reach = self.list[a].bounds[1].x + 2.0 * by;
            for &b in &order[at + 1..] {
                if self.list[b].bounds[0].x > reach {
                    break;
                }
                if meet(&self.list[a].bounds, &self.list[b].bounds, 2.0 * by) {
                    near[a].push(b);
                    near[b].push(a);
                }
            }
        }
        let each = self.list.par_iter().zip(&near);
        each.flat_map_iter(|(solid, near)| self.grown_one(solid, near, by)).collect()
    }

    /// The brush grown across all sides that are not seen; where a neighbour's side that is seen stands in the way, the
    /// brush itself, and once more for each such side with that side alone grown, clipped by what stands in its way.
    fn grown_one(&self, solid: &Solid, near: &[usize], by: f64) -> Vec<BrushDesc> {
        let unseen = || {
            let sides = solid.seen.iter().zip(&solid.facets).enumerate();
            sides.filter(|(_, (seen, facet))| !**seen && facet.is_some()).map(|(i, _)| i)
        };
        let me = self.list.iter().position(|s| std::ptr::eq(s, solid)).unwrap();
        if let Ok(v) = std::env::var("FULL") { let mut i = v.split('-'); let a: usize = i.next().unwrap().parse().unwrap(); let b: usize = i.next().unwrap().parse().unwrap();
            if (a..b).contains(&me) { let mut brush = solid.brush.clone(); for s in &mut brush.sides { s.points = moved(s, 1.5); }
              if b - a == 1 { eprintln!("ME {me} seen {:?} bounds {:?} normals {:?}", solid.seen, solid.bounds, solid.brush.sides.iter().map(normal).collect::<Vec<_>>()); }
              if let Ok(v) = std::env::var("ONE") { brush = solid.brush.clone(); let k: usize = v.parse().unwrap(); brush.sides[k].points = moved(&brush.sides[k], 1.5); return vec![brush]; }
              return vec![brush]; } }
        let behind = self.in_the_way(solid, near, by);
        if behind.is_empty() {
            let mut brush = solid.brush.clone();
            unseen().for_each(|i| brush.sides[i].points = moved(&brush.sides[i], by));
            return vec![brush];
        }
        let mut list = vec![solid.brush.clone()];
        let mut whole = solid.brush.clone();
        unseen().for_each(|i| whole.sides[i].points = moved(&whole.sides[i], by));
        whole.sides.extend(behind.iter().map(|&s| s.clone()));
        list.push(whole);
        for i in unseen() {
            let mut brush = solid.brush.clone();
            let own = &solid.brush.sides[i];
            let out = normal(own);
            brush.sides[i].points = moved(own, by);
            for side in &behind {
                let n = normal(side);
                let height = |p: DVec3| n.dot(p - side.points[0].as_dvec3());
                // A plane along the grown side itself is in the way only where it ends a thin neighbour.
                let beyond = match n.dot(out) > 0.999 {
                    true => height(own.points[0].as_dvec3()) < -BEHIND,
                    false => n.dot(out) > 0.01,
                };
                let most = solid.corners.iter().map(|&p| height(p + out * by));
                let most = most.fold(f64::MIN, f64::max);
                if std::env::var("DBGB").ok().and_then(|v| v.parse::<usize>().ok()) == Some(me) && most > 0.0 { eprintln!("J side {i} out {out:?} by n {n:?} dot {} own {} most {most} beyond {beyond}", n.dot(out), height(own.points[0].as_dvec3())); }
                if beyond && most > 0.0 {
                    brush.sides.push((*side).clone());
                }
            }
            list.push(brush);
        }
        for i in (0..solid.seen.len()).filter(|&i| solid.seen[i]) {
            list.extend(near.iter().filter_map(|&b| self.joint(solid, i, &self.list[b], by)));
        }
        list
    }

    /// A brush grown across a side that is seen in part, where a neighbour covers it: into that one and no further.
    fn joint(&self, solid: &Solid, side: usize, other: &Solid, by: f64) -> Option<BrushDesc> {
        let own = &solid.brush.sides[side];
        let facet = solid.facets[side].as_ref()?;
        let out = normal(own);
        let faces = |(s, at): (&SideDesc, &Option<[DVec3; 2]>)| {
            let at = at.as_ref()?;
            let lies_on = normal(s).dot(out) < -0.999 && meet(facet, at, by);
            let apart = out.dot(s.points[0].as_dvec3() - own.points[0].as_dvec3());
            Some(lies_on && apart.abs() <= by)
        };
        let sides = || other.brush.sides.iter().zip(&other.facets);
        let covers = sides().position(|s| faces(s) == Some(true))?;
        let mut brush = solid.brush.clone();
        brush.sides[side].points = moved(own, by);
        for (t, _) in sides().enumerate().filter(|(t, _)| *t != covers) {
            let t = &other.brush.sides[t];
            if !solid.brush.sides.iter().any(|s| same_plane(s, t)) {
                brush.sides.push(t.clone());
            }
        }
        Some(brush)
    }

    /// Sides of neighbours that are seen, with the brush behind them and close.
    fn in_the_way(&self, solid: &Solid, near: &[usize], by: f64) -> Vec<&'a SideDesc> {
        let mut list: Vec<&SideDesc> = Vec::new();
        for &b in near {
            let other = &self.list[b];
            let sides = other.brush.sides.iter().zip(&other.facets).zip(&other.seen);
            for ((side, facet), seen) in sides {
                let Some(facet) = facet else { continue };
                if !seen || !meet(facet, &solid.bounds, 2.0 * by) {
                    continue;
                }
                let n = normal(side);
                let height = |p: &DVec3| n.dot(*p - side.points[0].as_dvec3());
                let most = solid.corners.iter().map(height).fold(f64::MIN, f64::max);
                let is_own = |(s, seen): (&SideDesc, &bool)| *seen && same_plane(s, side);
                let own = solid.brush.sides.iter().zip(&solid.seen).any(is_own);
                let known = list.iter().any(|s| same_plane(s, side));
                if (-2.0 * by..=BEHIND).contains(&most) && !own && !known {
                    list.push(side);
                }
            }
        }
        list
    }
}

/// Whether two sides lie in one plane and look the same way.
fn same_plane(a: &SideDesc, b: &SideDesc) -> bool {
    a.points == b.points || {
        let wide = |v: I64Vec3| v.to_array().map(i128::from);
        let n = wide((a.points[1] - a.points[0]).cross(a.points[2] - a.points[0]));
        let is_on = |p: I64Vec3| {
            let d = wide(p - a.points[0]);
            (0..3).map(|i| n[i] * d[i]).sum::<i128>() == 0
        };
        b.points.iter().all(|&p| is_on(p)) && normal(a).dot(normal(b)) > 0.0
    }
}
