//! The brushes of a patch: the convex solids that [`super::curves`] makes of its sheet, with their materials.
use super::curves::CurveSolid;
use super::grid::{file_normal, to_y_up};
use super::material::{self, Materials};
use super::parsed::{Painting, Projection, Sheet};
use crate::carve::BrushDesc;
use crate::carve::hull::hull_brush;
use crate::world::{GRID, Material};
use glam::{DVec3, I64Vec3};

/// The brush of a solid; None without an inside, as where the file's points lie nearly on a line.
pub(super) fn brush(
    sheet: &Sheet,
    hardness: f64,
    solid: &CurveSolid,
    materials: &mut Materials,
) -> Option<BrushDesc> {
    let mut brush = hull_brush(&solid.corners, 0)?;
    let (material, is_fitted) = material_of(sheet, solid);
    let id = materials.id(
        Material {
            hardness,
            ..material
        },
        is_fitted,
    );
    brush.sides.iter_mut().for_each(|side| side.material = id);
    Some(brush)
}

/// The material of a solid, and whether its coordinates are in whole pictures.
fn material_of(sheet: &Sheet, solid: &CurveSolid) -> (Material, bool) {
    let texture = match &sheet.painting {
        Painting::Projected(cells) => {
            let (texture, projection) = &cells[solid.cell];
            return (material::painted(texture, projection, DVec3::Z), false);
        }
        Painting::Coordinates { texture, .. } => texture,
    };
    let [a, b, c] = [0, 1, 2].map(|i| solid.front[i].0);
    let normal = file_normal(&[a, b, c]);
    let metres = |(p, st): &(I64Vec3, [f64; 2])| (p.as_dvec3() / GRID, *st);
    let metres: Vec<(DVec3, [f64; 2])> = solid.front.iter().map(metres).collect();
    match material::fitted(texture, &metres, to_y_up(normal)) {
        Some(material) => (material, true),
        None => (
            material::painted(texture, &Projection::PLAIN, normal),
            false,
        ),
    }
}
