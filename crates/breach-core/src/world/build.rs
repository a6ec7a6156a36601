//! From brushes to rooms: the level starts as one cell; unreached air becomes rock; then the cell is split, portals are
//! found, and later operations are applied.
use super::description::{GRID, Material, WorldDesc};
use super::error::WorldError;
use super::geometry::Geometry;
use super::reachability::Reachability;
use super::visible::Visible;
use super::world::{BUDGET_BYTES, World};
use super::{
    gaps, hairlines, islands, leak, mesh, one_cell, portals, reachability, sorted_fill, split,
    stamp, unbreakable,
};
use crate::bvh::BuildParams;
use crate::carve::{BrushDesc, Op};
use crate::geom::Aabb;
use crate::stage::{Marker, Stage};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

/// Brushes or operations between two time marks: a listener hears often enough to show progress or to cancel.
const BATCH: usize = 64;

impl World {
    /// Builds the level: brushes, rock outside, cells, portals, later operations.
    pub fn build(
        desc: &WorldDesc,
        params: &BuildParams,
        marker: &mut dyn Marker,
    ) -> Result<World, WorldError> {
        let mut world = World::build_authored(desc, params, marker)?;
        world.apply_later(desc, marker);
        Ok(world)
    }

    /// Builds the level as authored, without [`WorldDesc::later`].
    pub fn build_authored(
        desc: &WorldDesc,
        params: &BuildParams,
        marker: &mut dyn Marker,
    ) -> Result<World, WorldError> {
        let operations = desc.base.iter().chain(&desc.later);
        let brushes = operations.map(|operation| &operation.brushes);
        for brushes in brushes.chain([&desc.solids]) {
            stamp::check_materials(brushes, &desc.materials)?;
        }
        let mut filled = fill_one_cell(desc, &desc.solids, marker)?;
        if desc.rounded
            && let Some(closed) = close_hairlines(desc, &filled, marker)?
        {
            filled = closed;
        }
        let leaks = filled.leaks();
        let FilledCell {
            mut geometry,
            materials,
            slits,
            reachability,
        } = filled;
        if !leaks {
            for face in reachability.unreached {
                geometry.remove_face(face, |_| ());
            }
        }
        // Solids that the brushes left floating stay up, and so do those that the first operations put into the air.
        // Pieces that these operations cut free fall. Without any, pieces are first numbered in rooms.
        if !desc.base.is_empty() {
            reachability::number_pieces(&mut geometry);
        }
        for run in desc.base.chunk_by(|a, b| a.op == b.op) {
            for operations in run.chunks(BATCH) {
                marker.begin(Stage::Clip);
                for operation in operations {
                    one_cell::stamp_all(&mut geometry, operation);
                    if operation.op == Op::Fill {
                        unbreakable::protect(&mut geometry, &materials, &operation.brushes);
                    }
                }
                marker.end(Stage::Clip);
            }
            split::conform_all(&mut geometry);
            one_cell::split_where_touched(&mut geometry);
            if run[0].op == Op::Carve {
                islands::drop_unsupported(&mut geometry);
            }
            reachability::number_pieces(&mut geometry);
        }
        let mut world = cut_into_rooms(geometry, materials, &desc.areaportals, params, marker);
        world.sealed = reachability.sealed;
        world.slits = slits;
        if leaks {
            world.leak = leak::find_path(&world, &desc.starts);
            if world.leak.is_empty() && !desc.base.is_empty() {
                // A fill blocks every way out. Fills do not count for sealing, so the path leads through it.
                let bare = WorldDesc {
                    base: vec![],
                    later: vec![],
                    ..desc.clone()
                };
                world.leak = World::build(&bare, params, marker)?.leak;
            }
        }
        Ok(world)
    }

    /// Applies [`WorldDesc::later`] to the level as authored.
    pub fn apply_later(&mut self, desc: &WorldDesc, marker: &mut dyn Marker) {
        for operation in &desc.later {
            // An operation that no longer fits the level must not keep it from opening.
            let done = self.apply(operation, marker);
            if done.is_ok() && operation.op == Op::Fill {
                unbreakable::protect(&mut self.geometry, &self.materials, &operation.brushes);
            }
        }
    }
}

/// Splits a level of one cell into its final cells, and makes their rooms and portals.
pub(super) fn cut_into_rooms(
    mut geometry: Geometry,
    materials: Vec<Material>,
    areaportals: &[[I64Vec3; 2]],
    params: &BuildParams,
    marker: &mut dyn Marker,
) -> World {
    // Splitting hands the faces to the new cells; edges and hash are rebuilt afterwards.
    let tree = split::split(&mut geometry, areaportals, marker);
    marker.begin(Stage::Conform);
    geometry.rebuild_edges_and_hash();
    split::conform_all(&mut geometry);
    reachability::number_pieces(&mut geometry);
    marker.end(Stage::Conform);
    let bounds = Aabb {
        min: geometry.bounds[0].as_dvec3() / GRID,
        max: geometry.bounds[1].as_dvec3() / GRID,
    };
    let mut visible = Visible::new(bounds, tree, params);
    marker.begin(Stage::Bins);
    mesh::build_all(&mut geometry, &mut visible);
    marker.end(Stage::Bins);
    portals::build_all(&geometry, &mut visible);
    geometry.recount_planes();
    visible.face_hash = geometry.face_hash;
    World {
        materials: Arc::new(materials),
        sealed: None,
        leak: vec![],
        slits: vec![],
        budget_bytes: BUDGET_BYTES,
        geometry,
        visible,
        pending: None,
    }
}

/// The level with the hairlines between its solids closed. None where no hairline matters, or where it leaks all the
/// same.
fn close_hairlines(
    desc: &WorldDesc,
    plain: &FilledCell,
    marker: &mut dyn Marker,
) -> Result<Option<FilledCell>, WorldError> {
    let is_cracked = plain.leaks() || gaps::has_sliver_face(&plain.geometry, &plain.reachability);
    let mut best: Option<FilledCell> = None;
    for (number, growth) in hairlines::GROWTHS.into_iter().enumerate() {
        let now = best.as_ref().unwrap_or(plain);
        let must = is_cracked && best.is_none();
        if !must && !gaps::growths_needed(&now.geometry, &now.reachability)[number] {
            continue;
        }
        let Some(closed) = hairlines::close(desc, growth) else {
            continue;
        };
        if !must && !now.reachability.holds_any(&now.geometry, &closed.shut) {
            continue;
        }
        let all_grown = hairlines::all_grown(desc, growth);
        let has_bars = !closed.bars.is_empty();
        let barred = has_bars.then(|| [&closed.solids[..], &closed.bars].concat());
        // In order of how much they move.
        let candidates = [Some(closed.solids), barred, all_grown];
        // Better a hairline left open into enclosed air than a level that leaks.
        let mut second_best = None;
        for solids in candidates.into_iter().flatten() {
            let mut found = fill_one_cell(desc, &solids, marker)?;
            if found.leaks() {
                continue;
            }
            found.slits = closed.slits.iter().map(|&p| p / GRID).collect();
            if !found.reachability.holds_any(&found.geometry, &closed.shut) {
                best = Some(found);
                break;
            }
            second_best.get_or_insert(found);
        }
        if must && best.is_none() {
            best = second_best;
        }
    }
    Ok(best)
}

/// One cell with a level's solids, and the reachability of its air.
struct FilledCell {
    geometry: Geometry,
    materials: Vec<Material>,
    /// The middles of slits that were closed, metres.
    slits: Vec<DVec3>,
    reachability: Reachability,
}

impl FilledCell {
    fn leaks(&self) -> bool {
        self.reachability.sealed == Some(false)
    }
}

/// One cell filled with the level's solids or a replacement of them.
fn fill_one_cell(
    desc: &WorldDesc,
    solids: &[BrushDesc],
    marker: &mut dyn Marker,
) -> Result<FilledCell, WorldError> {
    let (mut geometry, materials) = match desc.start_solid {
        true => one_cell::blank(desc.bounds, desc.materials.clone())?,
        false => one_cell::void(desc.bounds, desc.materials.clone())?,
    };
    unbreakable::protect(&mut geometry, &materials, &desc.solids);
    sorted_fill::fill(&mut geometry, solids, BATCH, marker);
    if desc.start_solid {
        let reachability = Reachability {
            sealed: Some(true),
            unreached: vec![],
            shut: vec![],
        };
        return Ok(FilledCell {
            geometry,
            materials,
            slits: vec![],
            reachability,
        });
    }
    marker.begin(Stage::Conform);
    split::conform_all(&mut geometry);
    one_cell::split_where_touched(&mut geometry);
    marker.end(Stage::Conform);
    marker.begin(Stage::Islands);
    let reachability = Reachability::new(&geometry, &desc.starts);
    marker.end(Stage::Islands);
    Ok(FilledCell {
        geometry,
        materials,
        slits: vec![],
        reachability,
    })
}
