//! Unbreakable volumes. Unbreakable brushes are kept as volumes beside the boundary, and are subtracted exactly from a
//! carve's solids first: a convex solid minus another is a few convex solids.
//!
//! The volume is the brush's, whatever happens later. Where the level's own first operations carved a part of it away,
//! that part stays air, and solid filled in there later is unbreakable too. Solid filled around it has the hardness of
//! its own material. A piece that contains an unbreakable volume does not fall when it is cut free.
use super::GRID;
use super::description::Material;
use super::error::WorldError;
use super::geometry::{Geometry, Volume};
use super::report::Island;
use crate::carve::BrushDesc;
use crate::carve::polytope::{Polytope, Surface};
use crate::exact::Planes;
use crate::geom::solid_angle;
use glam::DVec3;

/// Adds the brushes with an unbreakable material; those without an inside are skipped.
pub(super) fn protect(geometry: &mut Geometry, materials: &[Material], brushes: &[BrushDesc]) {
    for brush in brushes {
        let hard = brush.sides.iter().any(|side| {
            let material = materials.get(side.material as usize);
            material.is_some_and(|m| m.hardness.is_infinite())
        });
        if hard {
            let Some(solid) = Polytope::from_brush(&mut geometry.planes, brush) else {
                continue;
            };
            solid.planes().for_each(|p| geometry.planes.hold(p));
            geometry.unbreakable.push(Volume {
                bounds: solid.bounds(),
                solid,
            });
        }
    }
}

/// The solids minus the unbreakable volumes; an error where nothing is left of any.
pub(super) fn exclude(
    geometry: &Geometry,
    solids: Vec<Polytope>,
) -> Result<Vec<Polytope>, WorldError> {
    if geometry.unbreakable.is_empty() {
        return Ok(solids);
    }
    let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for solid in &solids {
        let (a, b) = solid.bounds();
        (lo, hi) = (lo.min(a), hi.max(b));
    }
    let mut left = solids;
    for volume in &geometry.unbreakable {
        if overlap(volume.bounds, (lo, hi)) {
            left = left
                .into_iter()
                .flat_map(|solid| without(&geometry.planes, solid, volume))
                .collect();
        }
    }
    if left.is_empty() {
        return Err(WorldError::Unbreakable);
    }
    Ok(left)
}

/// Whether an unbreakable volume touches a box, steps.
pub(super) fn is_near(geometry: &Geometry, lo: DVec3, hi: DVec3) -> bool {
    let volumes = geometry.unbreakable.iter();
    let around = (lo - 1.0, hi + 1.0);
    volumes.map(|v| v.bounds).any(|b| overlap(b, around))
}

/// A − B for convex A and B: for each side of B the part of A outside it, then the rest for the next side. Where a
/// piece meets B it has B's surface; between two pieces no surface is left.
fn without(planes: &Planes, a: Polytope, b: &Volume) -> Vec<Polytope> {
    if !overlap(a.bounds(), b.bounds) {
        return vec![a];
    }
    let within = a.facets.first().map_or(Surface::Wall, |f| f.surface);
    let mut pieces = Vec::new();
    let mut rest = a.clone();
    for facet in &b.solid.facets {
        pieces.extend(
            rest.clone()
                .clip(planes, facet.plane.opposite(), facet.surface),
        );
        match rest.clip(planes, facet.plane, within) {
            Some(inside) => rest = inside,
            // They only touch: A stays in one piece.
            None => return vec![a],
        }
    }
    pieces
}

/// Whether a piece that was cut free contains an unbreakable volume. Carves never cut such a volume, so one point of it
/// decides.
pub(super) fn holds(geometry: &Geometry, island: &Island) -> bool {
    let around = (island.bounds.min * GRID, island.bounds.max * GRID);
    geometry.unbreakable.iter().any(|volume| {
        let corners = &volume.solid.corners;
        let sum: DVec3 = corners.iter().map(|c| c.at).sum();
        overlap(volume.bounds, around) && encloses(island, sum / corners.len() as f64 / GRID)
    })
}

/// Whether a point lies inside the piece: the solid angles of its triangles, seen from the point, add up to a full turn
/// inside and to zero outside.
fn encloses(island: &Island, p: DVec3) -> bool {
    let corners = |corner: u32| island.mesh.positions[corner as usize] - p;
    let triangles = island.mesh.triangles.iter();
    let turn: f64 = triangles.map(|t| solid_angle(t.corners.map(corners))).sum();
    turn > 2.0 * std::f64::consts::PI
}

fn overlap(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> bool {
    a.0.cmplt(b.1).all() && b.0.cmplt(a.1).all()
}
