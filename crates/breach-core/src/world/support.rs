//! A quick test for support: a path through solid from one of a front's faces out of the level's bounds.
//!
//! Two fronts of a flood over the same solid may meet only far away, as on both sides of a gap in a pillar. Beyond the
//! bounds all is rock, so a front is held if a line along an axis leaves one of its faces through the solid and meets
//! nothing before the bounds. If it meets something, a walk begins half way there, inside the solid. It heads for the
//! bounds along the axis on which the solid is longest there. Before each step it moves to the middle between the
//! surfaces on either side, so that it follows the core of a pillar, however damaged. The answer "held" is certain;
//! otherwise nothing is known.
use super::GRID;
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::visible::Visible;
use crate::bvh::QueryStats;
use crate::carve::face::Face;
use crate::carve::polytope::Polytope;
use crate::carve::triangulate::triangulate;
use crate::geom::Aabb;
use glam::{DVec2, DVec3};
use rustc_hash::FxHashSet;

/// A surface this close to a line may be met by it, metres.
const NEAR: f64 = 1e-6;
/// Flattest angle at which a line leaves a face, as a cosine.
const STEEPEST: f64 = 0.3;
/// Flattest angle at which the intersection with a triangle is calculated, as a cosine.
const FLATTEST: f64 = 0.01;
/// Distance that is searched first, metres.
const NEARBY: f64 = 2.0;
/// A walk with a shorter step ends, metres.
const LEAST_STEP: f64 = 0.02;
/// Fraction of the free way ahead that a step walks; the next step may pass beside the obstacle.
const STRIDE: f64 = 0.75;
/// Most faces of a front that are tried.
const MOST_TRIED: usize = 24;

/// Whether a path through solid leads out of the level from one of these faces, of which `tried` are tested, with at
/// most `lines` lines. The rooms' meshes are those from before the change, which removed the solids `cut` and made the
/// faces `added`.
pub(super) fn is_held(
    geometry: &Geometry,
    visible: &Visible,
    faces: &[FaceRef],
    tried: usize,
    lines: u32,
    cut: &[Polytope],
    added: &FxHashSet<FaceRef>,
) -> bool {
    if visible.rooms.len() != geometry.cells.len() {
        return false;
    }
    // The faces that the front reached last are the farthest from the change, where solid is more often intact.
    let some = faces
        .iter()
        .rev()
        .step_by(faces.len().div_ceil(tried.clamp(1, MOST_TRIED)).max(1));
    let mut starts = some.filter_map(|&id| {
        let f = geometry.face(id);
        // In the old meshes a new face's id means nothing or another face; the rest of an old face would hit itself.
        let is_facet = |p: &Polytope| p.facets.iter().any(|s| s.plane == f.plane.opposite());
        let is_new = added.contains(&id);
        (!is_new || cut.iter().any(is_facet)).then_some((f, (!is_new).then_some(id)))
    });
    let corners = cut.iter().flat_map(|p| &p.corners).map(|c| c.at);
    let (lo, hi) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), at| {
        (lo.min(at), hi.max(at))
    });
    let mut search = SupportSearch {
        geometry,
        visible,
        cut,
        middle: (lo + hi) * 0.5,
        left: lines,
    };
    starts.any(|(f, own)| search.left > 0 && search.leads_out(f, own))
}

/// An axis and a direction along it; `true` is up.
type AxisDirection = (usize, bool);

/// The search through the solid that is left after a change.
struct SupportSearch<'a> {
    geometry: &'a Geometry,
    visible: &'a Visible,
    cut: &'a [Polytope],
    /// Middle of the removed solids, steps.
    middle: DVec3,
    /// Lines that may still be traced.
    left: u32,
}

impl SupportSearch<'_> {
    fn leads_out(&mut self, face: &Face, own: Option<FaceRef>) -> bool {
        let Some(from) = middle(self.geometry, face) else {
            return false;
        };
        let into_air = self.geometry.planes.normal(face.plane).normalize();
        // The middle of the longest free line.
        let (mut longest, mut within) = (0.0, from);
        for (axis, normal) in into_air.to_array().into_iter().enumerate() {
            let up = normal < 0.0;
            if normal.abs() <= STEEPEST {
                continue;
            }
            let Some(reach) = self.clear(from, (axis, up), own) else {
                return true;
            };
            if reach > longest {
                (longest, within) = (reach, from);
                within[axis] += reach * 0.5 * sign(up);
            }
        }
        longest > 0.0 && self.core_leads_out(within)
    }

    /// Whether a walk from a point within solid, along the axis on which the solid is longest, leads out either way.
    fn core_leads_out(&mut self, at: DVec3) -> bool {
        let mut lengths = [0.0; 3];
        for (axis, length) in lengths.iter_mut().enumerate() {
            for up in [false, true] {
                let Some(reach) = self.clear(at, (axis, up), None) else {
                    return true;
                };
                *length += reach;
            }
        }
        let longest = (0..3).max_by(|&a, &b| f64::total_cmp(&lengths[a], &lengths[b]));
        // Away from the change first: towards it the solid ends.
        longest.is_some_and(|axis| {
            let up = at[axis] > self.middle[axis];
            [up, !up].into_iter().any(|up| self.walk(at, (axis, up)))
        })
    }

    /// Whether a walk along an axis from a point within solid leads out.
    fn walk(&mut self, mut at: DVec3, (axis, up): AxisDirection) -> bool {
        loop {
            for side in (0..3).filter(|&side| side != axis) {
                let [below, above] = [false, true].map(|up| self.clear(at, (side, up), None));
                let (Some(below), Some(above)) = (below, above) else {
                    return true;
                };
                at[side] += (above - below) * 0.5;
            }
            let Some(reach) = self.clear(at, (axis, up), None) else {
                return true;
            };
            if reach * STRIDE < LEAST_STEP * GRID {
                return false;
            }
            at[axis] += reach * STRIDE * sign(up);
        }
    }

    /// Free distance through solid from a point along an axis, steps; None if nothing is met up to the bounds.
    fn clear(
        &mut self,
        from: DVec3,
        (axis, up): AxisDirection,
        own: Option<FaceRef>,
    ) -> Option<f64> {
        if self.left == 0 {
            return Some(0.0);
        }
        self.left -= 1;
        let mut to = from;
        to[axis] = self.geometry.bounds[usize::from(up)][axis] as f64;
        let entered = self
            .cut
            .iter()
            .filter_map(|p| entered(self.geometry, p, from, to));
        let met = first_met(self.visible, from, to, (axis, up), own);
        entered.chain(met).reduce(f64::min)
    }
}

fn sign(up: bool) -> f64 {
    if up { 1.0 } else { -1.0 }
}

/// A point well within a face, steps.
fn middle(geometry: &Geometry, face: &Face) -> Option<DVec3> {
    let corners: Vec<DVec3> = super::cell::points(face).collect();
    let triangles = triangulate(&geometry.planes, face);
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| corners.get(i as usize).copied().unwrap_or_default());
        ((a + b + c) / 3.0, (b - a).cross(c - a).length_squared())
    };
    let largest = triangles.iter().map(of).max_by(|a, b| a.1.total_cmp(&b.1));
    largest.map(|l| l.0)
}

/// Distance, steps, along an axis to the first surface other than the start face's, never overestimated; None if
/// nothing is met. The neighbourhood is searched first: most lines end soon, and the whole line crosses the whole
/// level.
fn first_met(
    visible: &Visible,
    from: DVec3,
    to: DVec3,
    direction: AxisDirection,
    own: Option<FaceRef>,
) -> Option<f64> {
    let (from, to) = (from / GRID, to / GRID);
    let near = from + (to - from).clamp_length_max(NEARBY);
    let met = least_met(visible, from, near, direction, own).filter(|&met| met <= NEARBY);
    let met = met.or_else(|| least_met(visible, from, to, direction, own));
    met.map(|metres| metres * GRID)
}

/// The same in metres, for the triangles whose boxes touch the line between two points.
fn least_met(
    visible: &Visible,
    from: DVec3,
    to: DVec3,
    (axis, up): AxisDirection,
    own: Option<FaceRef>,
) -> Option<f64> {
    let line = Aabb {
        min: from.min(to),
        max: from.max(to),
    }
    .grow(NEAR);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut nearest: Option<f64> = None;
    let mut visit = |room: u32, triangle: u32| {
        let mesh = &visible.rooms[room as usize].mesh;
        let triangle = mesh.triangles[triangle as usize];
        if own == Some((room, triangle.face)) {
            return;
        }
        let corners = triangle.corners.map(|c| mesh.positions[c as usize] - from);
        let is_beside = is_beside(corners.map(|p| DVec2::new(p[u], p[v])));
        if let Some(away) = least_away(corners, axis, sign(up)).filter(|_| !is_beside) {
            nearest = Some(nearest.map_or(away, |n| n.min(away)));
        }
    };
    let mut stats = QueryStats::default();
    visible.each_triangle_in_box(&line, &mut stats, &mut visit);
    nearest
}

/// Lower bound of the distance, metres, at which a line from the origin along an axis meets a triangle; None if the
/// triangle is behind.
fn least_away([a, b, c]: [DVec3; 3], axis: usize, sign: f64) -> Option<f64> {
    let corner = (a[axis] * sign).min(b[axis] * sign).min(c[axis] * sign);
    let normal = (b - a).cross(c - a);
    let along = normal[axis] * sign;
    if along.abs() <= FLATTEST * normal.length() {
        return Some(corner.max(0.0));
    }
    // The surface near the line may be offset by this much in each of the other two directions.
    let slack = 2.0 * NEAR / FLATTEST;
    let away = normal.dot(a) / along;
    (away >= -slack).then(|| corner.max(away - slack).max(0.0))
}

/// Whether the origin lies well outside a triangle of either orientation: beyond one of its sides.
fn is_beside(triangle: [DVec2; 3]) -> bool {
    (0..3).any(|k| {
        let (a, b, c) = (triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]);
        let side = (b - a).perp();
        let (far, here) = (side.dot(c - a), side.dot(-a));
        let slack = NEAR * side.length();
        if far >= 0.0 {
            here < -slack
        } else {
            here > slack
        }
    })
}

/// Distance along a line, steps, to the entry into a solid, on whose surface it may start; None if it misses.
fn entered(geometry: &Geometry, p: &Polytope, from: DVec3, to: DVec3) -> Option<f64> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for facet in &p.facets {
        let plane = &geometry.planes[facet.plane.plane];
        let sign = facet.plane.sign() as f64;
        let normal = DVec3::from_array(plane.nf) * sign;
        let size = normal.length();
        let before = (normal.dot(from) - plane.df * sign) / size - NEAR * GRID;
        let after = (normal.dot(to) - plane.df * sign) / size - NEAR * GRID;
        if before > 0.0 && after > 0.0 {
            return None;
        }
        if before > 0.0 {
            enter = enter.max(before / (before - after));
        } else if after > 0.0 {
            leave = leave.min(before / (before - after));
        }
    }
    let length = (to - from).length();
    // Two slacks deep at the flattest angle.
    let reach = 4.0 * NEAR * GRID / STEEPEST;
    (enter < leave && leave * length > reach).then_some(enter * length)
}
