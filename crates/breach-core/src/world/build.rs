//! From brushes to rooms: one cell first, then what nobody reaches becomes rock, then cells, portals, later operations.
use super::description::{GRID, Material, Operation, WorldDesc};
use super::error::WorldError;
use super::geometry::Geometry;
use super::visible::Visible;
use super::world::{BUDGET_BYTES, World};
use super::{
    gaps, hairlines, islands, leak, mesh, one_cell, portals, reachability, split, unbreakable,
};
use crate::bvh::BuildParams;
use crate::carve::{BrushDesc, Op};
use crate::geom::Aabb;
use crate::stage::{Marker, Stage};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

/// A mark of time for so many brushes or operations: whoever listens hears often enough to tell how it goes, or to stop.
const MARKED: usize = 64;

impl World {
    /// Builds the level: brushes, rock outside, cells, portals, later operations.
    pub fn build(
        desc: &WorldDesc,
        params: &BuildParams,
        marker: &mut dyn Marker,
    ) -> Result<World, WorldError> {
        let mut stamped = stamped(desc, &desc.solids, marker)?;
        if desc.rounded
            && let Some(closed) = closed(desc, &stamped, marker)?
        {
            stamped = closed;
        }
        let leaks = stamped.leaks();
        let Stamped {
            mut geometry,
            materials,
            slits,
            reach,
        } = stamped;
        if !leaks {
            for face in reach.unreached {
                geometry.remove_face(face, |_| ());
            }
        }
        // Solids that the brushes left floating stay, those that the first operations put into the air too; pieces that
        // they cut free fall.
        reachability::number_pieces(&mut geometry);
        for run in desc.base.chunk_by(|a, b| a.op == b.op) {
            for operations in run.chunks(MARKED) {
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
        world.sealed = reach.sealed;
        world.slits = slits;
        if leaks {
            world.leak = leak::find_path(&world, &desc.starts);
            if world.leak.is_empty() && !desc.base.is_empty() {
                // A fill stands in every way out. It seals nothing, so the way leads through it.
                let bare = WorldDesc {
                    base: vec![],
                    later: vec![],
                    ..desc.clone()
                };
                world.leak = World::build(&bare, params, marker)?.leak;
            }
        }
        for operation in &desc.later {
            // An operation that the level has outgrown is no reason not to open it.
            let done = world.apply(operation, marker);
            if done.is_ok() && operation.op == Op::Fill {
                let World {
                    geometry,
                    materials,
                    ..
                } = &mut world;
                unbreakable::protect(geometry, materials, &operation.brushes);
            }
        }
        Ok(world)
    }
}

/// Cuts a level that is one cell into the cells of its life, and draws their rooms and portals.
pub(super) fn cut_into_rooms(
    mut geometry: Geometry,
    materials: Vec<Material>,
    areaportals: &[[I64Vec3; 2]],
    params: &BuildParams,
    marker: &mut dyn Marker,
) -> World {
    // Cells of their own take the faces along; edges and hash are made anew.
    marker.begin(Stage::Portals);
    let tree = split::split(&mut geometry, areaportals);
    marker.end(Stage::Portals);
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

/// The level with hairlines between its solids closed; None where there are none that matter, or it leaks all the same.
fn closed(
    desc: &WorldDesc,
    plain: &Stamped,
    marker: &mut dyn Marker,
) -> Result<Option<Stamped>, WorldError> {
    let is_cracked = plain.leaks() || gaps::has_sliver_face(&plain.geometry, &plain.reach);
    let mut best: Option<Stamped> = None;
    for (number, growth) in hairlines::GROWTHS.into_iter().enumerate() {
        let now = best.as_ref().unwrap_or(plain);
        let must = is_cracked && best.is_none();
        if !must && !gaps::growths_needed(&now.geometry, &now.reach)[number] {
            continue;
        }
        let Some(closed) = hairlines::close(desc, growth) else {
            continue;
        };
        if !must && !now.reach.holds_any(&now.geometry, &closed.shut) {
            continue;
        }
        let all_grown = hairlines::all_grown(desc, growth);
        let has_bars = !closed.bars.is_empty();
        let barred = has_bars.then(|| [&closed.solids[..], &closed.bars].concat());
        // Each moves more than the one before it.
        let ways = [Some(closed.solids), barred, all_grown];
        // A hairline into air that is shut off is left rather than a level that leaks.
        let mut second_best = None;
        for solids in ways.into_iter().flatten() {
            let mut found = stamped(desc, &solids, marker)?;
            if found.leaks() {
                continue;
            }
            found.slits = closed.slits.iter().map(|&p| p / GRID).collect();
            if !found.reach.holds_any(&found.geometry, &closed.shut) {
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

/// One cell with a level's solids, and which of its air is reached.
struct Stamped {
    geometry: Geometry,
    materials: Vec<Material>,
    /// The middles of slits that were closed, metres.
    slits: Vec<DVec3>,
    reach: reachability::Reachability,
}

impl Stamped {
    fn leaks(&self) -> bool {
        self.reach.sealed == Some(false)
    }
}

/// The level's solids, or what stands for them, in one cell.
fn stamped(
    desc: &WorldDesc,
    solids: &[BrushDesc],
    marker: &mut dyn Marker,
) -> Result<Stamped, WorldError> {
    let (mut geometry, materials) = match desc.start_solid {
        true => one_cell::blank(desc.bounds, desc.materials.clone())?,
        false => one_cell::void(desc.bounds, desc.materials.clone())?,
    };
    unbreakable::protect(&mut geometry, &materials, &desc.solids);
    for brushes in solids.chunks(MARKED) {
        marker.begin(Stage::Clip);
        for brush in brushes {
            let one = Operation {
                op: Op::Fill,
                brushes: vec![brush.clone()],
            };
            one_cell::stamp_all(&mut geometry, &one);
        }
        marker.end(Stage::Clip);
    }
    if desc.start_solid {
        let reach = reachability::Reachability {
            sealed: Some(true),
            unreached: vec![],
            shut: vec![],
        };
        return Ok(Stamped {
            geometry,
            materials,
            slits: vec![],
            reach,
        });
    }
    marker.begin(Stage::Conform);
    split::conform_all(&mut geometry);
    one_cell::split_where_touched(&mut geometry);
    marker.end(Stage::Conform);
    marker.begin(Stage::Islands);
    let reach = reachability::reach(&geometry, &desc.starts);
    marker.end(Stage::Islands);
    Ok(Stamped {
        geometry,
        materials,
        slits: vec![],
        reach,
    })
}
