//! A level while it is one cell: all rock or all air at first, then filled and carved by brushes.
use super::cell::{Cell, inside_out};
use super::description::{BEDROCK, Material, Operation};
use super::error::WorldError;
use super::geometry::Geometry;
use super::split;
use super::stamp::{self, Stamp};
use super::touched::Touched;
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::touch;
use crate::carve::{BrushDesc, Op};
use crate::exact::{GRID_MAX, Planes};
use glam::{DVec3, I64Vec3};

/// Texels of bedrock per metre.
const TEXELS: f64 = 32.0;

/// One cell that is all air within bedrock, and the materials with bedrock's added.
pub(super) fn void(
    bounds: [I64Vec3; 2],
    materials: Vec<Material>,
) -> Result<(Geometry, Vec<Material>), WorldError> {
    let (mut geometry, materials) = blank(bounds, materials)?;
    let [lo, hi] = bounds.map(|p| (p * 2).to_array());
    let whole = Polytope::from_box(&mut geometry.planes, lo, hi, Surface::Wall)
        .ok_or(WorldError::OutsideBounds)?;
    for mut face in inside_out(&geometry.planes, &whole) {
        let axis = (0..3)
            .find(|&k| geometry.planes[face.plane.plane].n[k] != 0)
            .expect("a plane has a normal");
        face.surface = Surface::Stuff(geometry.bedrock[axis]);
        geometry.build_face(0, face);
    }
    Ok((geometry, materials))
}

/// One cell that is all rock, and the materials with bedrock's added.
pub(super) fn blank(
    bounds: [I64Vec3; 2],
    mut materials: Vec<Material>,
) -> Result<(Geometry, Vec<Material>), WorldError> {
    let [lo, hi] = bounds.map(|p| p.to_array());
    if lo
        .iter()
        .chain(&hi)
        .any(|x| x.unsigned_abs() > GRID_MAX as u64)
    {
        return Err(WorldError::BeyondGrid);
    }
    let mut planes = Planes::default();
    let bedrock = [
        (DVec3::Z, DVec3::Y),
        (DVec3::X, DVec3::Z),
        (DVec3::X, DVec3::Y),
    ]
    .map(|(u, v)| {
        let (u, v) = (u * TEXELS, -v * TEXELS);
        let wanted = Material {
            texture: BEDROCK.into(),
            u,
            v,
            offset: [0.0; 2],
            inner: false,
            hardness: 1.0,
        };
        let known = materials.iter().position(|m| *m == wanted);
        known.unwrap_or_else(|| {
            materials.push(wanted);
            materials.len() - 1
        }) as u32
    });
    if (0..3).any(|k| lo[k] >= hi[k]) {
        return Err(WorldError::OutsideBounds);
    }
    let cell = Cell::new(
        &mut planes,
        lo.map(|x| x * 2),
        hi.map(|x| x * 2),
        [false; 6],
    );
    let mut geometry = Geometry::one_cell(planes, bounds, bedrock, cell);
    geometry.hash_materials(&materials);
    Ok((geometry, materials))
}

/// Clips the one cell by an operation's brushes, and nothing more.
pub(super) fn stamp_all(geometry: &mut Geometry, operation: &Operation) {
    let polytopes = polytopes(geometry, &operation.brushes);
    stamp_polytopes(geometry, operation.op, &polytopes);
}

/// The brushes as solids, without those that have no inside or lie outside the bounds.
pub(super) fn polytopes(geometry: &mut Geometry, brushes: &[BrushDesc]) -> Vec<Polytope> {
    let mut polytopes = Vec::with_capacity(brushes.len());
    for brush in brushes {
        let one = Operation {
            op: Op::Fill,
            brushes: vec![brush.clone()],
        };
        polytopes.extend(stamp::polytopes(geometry, &one).unwrap_or_default());
    }
    polytopes
}

/// Clips the one cell by solids, one after the other.
pub(super) fn stamp_polytopes(geometry: &mut Geometry, op: Op, polytopes: &[Polytope]) {
    for polytope in polytopes {
        let stamp = Stamp::new(geometry, 0, polytope);
        stamp.apply(geometry, op, &mut Touched::default());
    }
}

/// Splits faces whose air is divided, as where solids touch them along a line.
pub(super) fn split_where_touched(geometry: &mut Geometry) {
    let (ids, faces): (Vec<u32>, Vec<&Face>) = geometry.cells[0].stuff().unzip();
    let split = touch::split_faces(&geometry.planes, &faces);
    if split.is_empty() {
        return;
    }
    for (i, parts) in split {
        geometry.remove_face((0, ids[i]), |_| ());
        for part in parts {
            geometry.insert_face(0, part);
        }
    }
    split::conform_all(geometry);
}
