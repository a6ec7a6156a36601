//! A short way to see that something is held: a line through solid from one of its faces out of the level's bounds.
//!
//! Two fronts of a flood that run over the same solid may meet only far away, as on both sides of a gap in a pillar.
//! What lies beyond the bounds is rock, so a front is held where a line along an axis leaves one of its faces through
//! the solid and meets nothing on its way out. The answer "held" is sure; "not seen to be held" is no answer.
use super::edges::FaceRef;
use super::islands::face;
use super::{GRID, World};
use crate::bvh::QueryStats;
use crate::carve::face::Face;
use crate::carve::polytope::Polytope;
use crate::carve::triangulate::triangulate;
use crate::geom::Aabb;
use glam::{DVec2, DVec3};
use rustc_hash::FxHashSet;

/// What a line passes within this distance it may meet, metres.
const NEAR: f64 = 1e-6;
/// A line leaves a face at no flatter an angle than this, as a cosine.
const STEEPEST: f64 = 0.3;
/// No more faces of a front are tried.
const MOST_TRIED: usize = 24;

/// Whether a line through solid leads out of the level from one of these faces, of which `tried` are looked at. The
/// rooms' meshes are those from before the change, which took these solids out and made the `added` faces.
pub(super) fn is_held(
    world: &World,
    faces: &[FaceRef],
    tried: usize,
    cut: &[Polytope],
    added: &FxHashSet<FaceRef>,
) -> bool {
    if world.rooms.len() != world.cells.len() {
        return false;
    }
    let some = faces
        .iter()
        .step_by(faces.len().div_ceil(tried.clamp(1, MOST_TRIED)).max(1));
    let mut starts = some.filter_map(|&id| {
        let f = face(world, id)?;
        // In the old meshes a new face's number is none or another's; what is left of an old face would meet itself.
        let is_facet = |p: &Polytope| p.facets.iter().any(|s| s.plane == f.plane.opposite());
        let is_new = added.contains(&id);
        (!is_new || cut.iter().any(is_facet)).then_some((f, (!is_new).then_some(id)))
    });
    starts.any(|(f, own)| leads_out(world, f, own, cut))
}

fn leads_out(world: &World, face: &Face, own: Option<FaceRef>, cut: &[Polytope]) -> bool {
    let Some(from) = middle(world, face) else {
        return false;
    };
    let into_air = world.planes.normal(face.plane).normalize();
    let (lo, hi) = (world.bounds[0].as_dvec3(), world.bounds[1].as_dvec3());
    (0..3)
        .flat_map(|k| [(k, lo[k]), (k, hi[k])])
        .any(|(axis, end)| {
            let mut to = from;
            to[axis] = end;
            let way = (to - from).normalize_or_zero();
            way.dot(into_air) < -STEEPEST && is_clear(world, [from, to], axis, own, cut)
        })
}

/// A point well within a face, steps.
fn middle(world: &World, face: &Face) -> Option<DVec3> {
    let corners: Vec<DVec3> = super::cell::points(face).collect();
    let triangles = triangulate(&world.planes, face);
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| corners.get(i as usize).copied().unwrap_or_default());
        ((a + b + c) / 3.0, (b - a).cross(c - a).length_squared())
    };
    let largest = triangles.iter().map(of).max_by(|a, b| a.1.total_cmp(&b.1));
    largest.map(|l| l.0)
}

/// Whether nothing lies at a line along an axis, steps, but the face and the solid that it starts on.
fn is_clear(
    world: &World,
    [from, to]: [DVec3; 2],
    axis: usize,
    own: Option<FaceRef>,
    cut: &[Polytope],
) -> bool {
    if !cut.iter().all(|p| is_left_at_once(world, p, from, to)) {
        return false;
    }
    let line = Aabb {
        min: from.min(to) / GRID,
        max: from.max(to) / GRID,
    }
    .grow(NEAR);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let at = DVec2::new(from[u], from[v]) / GRID;
    let mut is_clear = true;
    let mut visit = |room: u32, triangle: u32| {
        let mesh = &world.rooms[room as usize].mesh;
        let triangle = mesh.triangles[triangle as usize];
        if own == Some((room, triangle.face)) {
            return;
        }
        let corners = triangle.corners;
        let flat = corners.map(|c| {
            let p = mesh.positions[c as usize];
            DVec2::new(p[u], p[v]) - at
        });
        is_clear &= is_beside(flat);
    };
    let mut stats = QueryStats::default();
    super::cast::each_triangle_in_box(world, &line, &mut stats, &mut visit);
    is_clear
}

/// Whether the origin lies well outside a triangle, whichever way it turns: beyond one of its sides.
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

/// Whether a line that may start on a solid's surface does not go through it.
fn is_left_at_once(world: &World, p: &Polytope, from: DVec3, to: DVec3) -> bool {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for facet in &p.facets {
        let plane = &world.planes[facet.plane.plane];
        let sign = facet.plane.sign() as f64;
        let normal = DVec3::from_array(plane.nf) * sign;
        let size = normal.length();
        let before = (normal.dot(from) - plane.df * sign) / size - NEAR * GRID;
        let after = (normal.dot(to) - plane.df * sign) / size - NEAR * GRID;
        if before > 0.0 && after > 0.0 {
            return true;
        }
        if before > 0.0 {
            enter = enter.max(before / (before - after));
        } else if after > 0.0 {
            leave = leave.min(before / (before - after));
        }
    }
    // Two slacks deep at the flattest angle.
    let reach = 4.0 * NEAR * GRID / STEEPEST;
    enter >= leave || leave * (to - from).length() <= reach
}
