//! From brushes to rooms: one cell first, then what nobody reaches becomes rock, then cells, portals, later operations.
use super::cell::{Cell, inside_out};
use super::commit::{self, Touched};
use super::split::{self, Node};
use super::{
    BEDROCK, GRID, Material, Operation, Revision, RoomId, World, WorldDesc, WorldError, gaps,
    hairlines, islands, leak, mesh, portals, shells, unbreakable, work,
};
use crate::bvh::BuildParams;
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::{BrushDesc, Op, touch};
use crate::exact::{GRID_MAX, Planes};
use crate::geom::shared::Shared;
use crate::stage::{Marker, Stage};
use glam::{DVec3, I64Vec3};

/// Texels a metre of bedrock.
const TEXELS: f64 = 32.0;

/// A mark of time for so many brushes or operations: whoever listens hears often enough to tell how it goes, or to stop.
const MARKED: usize = 64;

pub(super) fn build(
    desc: &WorldDesc,
    params: &BuildParams,
    marker: &mut dyn Marker,
) -> Result<World, WorldError> {
    let mut stamped = stamped(desc, &desc.solids, params, marker)?;
    if desc.rounded
        && let Some(closed) = closed(desc, &stamped, params, marker)?
    {
        stamped = closed;
    }
    let leaks = stamped.leaks();
    let Stamped { mut world, reach } = stamped;
    world.sealed = reach.sealed;
    if !leaks {
        for face in reach.unreached {
            commit::take(&mut world, face, |_| ());
        }
    }
    // What the brushes left floating stays, what the first operations put into the air too; what they cut free falls.
    shells::number_pieces(&mut world);
    for run in desc.base.chunk_by(|a, b| a.op == b.op) {
        for operations in run.chunks(MARKED) {
            marker.begin(Stage::Clip);
            for operation in operations {
                stamp_all(&mut world, operation);
                if operation.op == Op::Fill {
                    unbreakable::protect(&mut world, &operation.brushes);
                }
            }
            marker.end(Stage::Clip);
        }
        split::conform_all(&mut world);
        split_where_touched(&mut world);
        if run[0].op == Op::Carve {
            islands::fall(&mut world);
        }
        shells::number_pieces(&mut world);
    }
    // Cells of their own take the faces along; what is kept about faces is made anew.
    marker.begin(Stage::Portals);
    split::split(&mut world, &desc.areaportals);
    marker.end(Stage::Portals);
    marker.begin(Stage::Conform);
    register(&mut world);
    split::conform_all(&mut world);
    shells::number_pieces(&mut world);
    marker.end(Stage::Conform);
    marker.begin(Stage::Bins);
    mesh::build_all(&mut world);
    marker.end(Stage::Bins);
    portals::build_all(&mut world);
    hold_planes(&mut world);
    if leaks {
        world.leak = leak::way_out(&world, &desc.starts);
        if world.leak.is_empty() && !desc.base.is_empty() {
            // A fill stands in every way out. It seals nothing, so the way leads through it.
            let bare = WorldDesc {
                base: vec![],
                later: vec![],
                ..desc.clone()
            };
            world.leak = build(&bare, params, marker)?.leak;
        }
    }
    for operation in &desc.later {
        // An operation that the level has outgrown is no reason not to open it.
        let done = work::apply(&mut world, operation, marker);
        if done.is_ok() && operation.op == Op::Fill {
            unbreakable::protect(&mut world, &operation.brushes);
        }
    }
    Ok(world)
}

/// The level with hairlines between its solids closed; None where there are none that matter, or it leaks all the same.
fn closed(
    desc: &WorldDesc,
    plain: &Stamped,
    params: &BuildParams,
    marker: &mut dyn Marker,
) -> Result<Option<Stamped>, WorldError> {
    let is_cracked = plain.leaks() || gaps::are_seen(&plain.world, &plain.reach);
    let mut best: Option<Stamped> = None;
    for (number, growth) in hairlines::GROWTHS.into_iter().enumerate() {
        let now = best.as_ref().unwrap_or(plain);
        let must = is_cracked && best.is_none();
        if !must && !gaps::by_growth(&now.world, &now.reach)[number] {
            continue;
        }
        let Some(closed) = hairlines::closed(desc, params, growth) else {
            continue;
        };
        if !must && !now.reach.holds_any(&now.world, &closed.shut) {
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
            let mut found = stamped(desc, &solids, params, marker)?;
            if found.leaks() {
                continue;
            }
            found.world.slits = closed.slits.iter().map(|&p| p / GRID).collect();
            if !found.reach.holds_any(&found.world, &closed.shut) {
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
    world: World,
    reach: shells::Reach,
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
    params: &BuildParams,
    marker: &mut dyn Marker,
) -> Result<Stamped, WorldError> {
    let mut world = match desc.start_solid {
        true => blank(desc.bounds, desc.materials.clone(), params)?,
        false => void(desc.bounds, desc.materials.clone(), params)?,
    };
    unbreakable::protect(&mut world, &desc.solids);
    for brushes in solids.chunks(MARKED) {
        marker.begin(Stage::Clip);
        for brush in brushes {
            let one = Operation {
                op: Op::Fill,
                brushes: vec![brush.clone()],
            };
            stamp_all(&mut world, &one);
        }
        marker.end(Stage::Clip);
    }
    if desc.start_solid {
        let reach = shells::Reach {
            sealed: Some(true),
            unreached: vec![],
            shut: vec![],
        };
        return Ok(Stamped { world, reach });
    }
    marker.begin(Stage::Conform);
    split::conform_all(&mut world);
    split_where_touched(&mut world);
    marker.end(Stage::Conform);
    marker.begin(Stage::Islands);
    let reach = shells::reach(&world, &desc.starts);
    marker.end(Stage::Islands);
    Ok(Stamped { world, reach })
}

/// A world of one cell that is all air within bedrock, without rooms yet.
pub(super) fn void(
    bounds: [I64Vec3; 2],
    materials: Vec<Material>,
    params: &BuildParams,
) -> Result<World, WorldError> {
    let mut world = blank(bounds, materials, params)?;
    let [lo, hi] = bounds.map(|p| (p * 2).to_array());
    let whole = Polytope::boxed(&mut world.planes, lo, hi, Surface::Wall)
        .ok_or(WorldError::OutsideBounds)?;
    for mut face in inside_out(&world.planes, &whole) {
        let axis = (0..3)
            .find(|&k| world.planes[face.plane.plane].n[k] != 0)
            .expect("a plane has a normal");
        face.surface = Surface::Stuff(world.bedrock[axis]);
        commit::insert(&mut world, 0, face, &mut Touched::default());
    }
    Ok(world)
}

/// A world of one cell that is all rock, without rooms yet.
pub(super) fn blank(
    bounds: [I64Vec3; 2],
    mut materials: Vec<Material>,
    params: &BuildParams,
) -> Result<World, WorldError> {
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
    let mut world = World {
        materials: materials.into(),
        sealed: None,
        leak: vec![],
        slits: vec![],
        planes,
        bounds,
        bedrock,
        cells: vec![Shared::new(cell)],
        nodes: vec![],
        rooms: vec![],
        portals: vec![],
        links: vec![],
        slots: vec![],
        worn: vec![],
        edges: Default::default(),
        params: *params,
        revision: Revision::next(),
        face_hash: 0,
        material_hashes: vec![],
        pieces: 0,
        fallen: 0,
        rests: vec![],
        budget_bytes: super::BUDGET_BYTES,
        changes: Default::default(),
        unbreakable: vec![],
        work: None,
    };
    commit::refresh_materials(&mut world);
    Ok(world)
}

/// Before there are cells: clips, nothing else. What has no inside or lies outside is left out.
fn stamp_all(world: &mut World, operation: &Operation) {
    for brush in &operation.brushes {
        let one = Operation {
            op: operation.op,
            brushes: vec![brush.clone()],
        };
        for p in commit::polytopes(world, &one).unwrap_or_default() {
            let stamp = commit::Stamp::new(world, 0, &p);
            stamp.apply(world, operation.op, &mut Touched::default());
        }
    }
}

/// Cuts faces in two where the air at them is.
pub(super) fn split_where_touched(world: &mut World) {
    let (ids, faces): (Vec<u32>, Vec<Face>) = world.cells[0]
        .stuff()
        .map(|(id, f)| (id, f.clone()))
        .unzip();
    let split = touch::split(&world.planes, &faces);
    if split.is_empty() {
        return;
    }
    for (i, parts) in split {
        commit::take(world, (0, ids[i]), |_| ());
        for part in parts {
            commit::put(world, 0, part);
        }
    }
    split::conform_all(world);
}

/// Counts who holds which plane, from nothing, and forgets the planes that building has left over.
pub(super) fn hold_planes(world: &mut World) {
    let planes = &mut world.planes;
    planes.release_all();
    for cell in &world.cells {
        cell.sides.iter().for_each(|s| planes.hold(s.plane));
        for (_, face) in cell.all() {
            face.planes().for_each(|p| planes.hold(p));
        }
    }
    for volume in &world.unbreakable {
        volume.planes().for_each(|p| planes.hold(p));
    }
    planes.settle();
}

/// Edges and hash of all faces, from nothing.
pub(super) fn register(world: &mut World) {
    world.edges = Default::default();
    world.face_hash = 0;
    if world.nodes.is_empty() {
        world.nodes.push(Node::Leaf(0));
    }
    for c in 0..world.cells.len() {
        let cell = &world.cells[c];
        for (f, face) in cell.stuff() {
            world.edges.add(face, (c as RoomId, f));
            if let Surface::Stuff(m) = face.surface {
                world.face_hash = world
                    .face_hash
                    .wrapping_add(super::census::face_hash(world, face, m));
            }
        }
    }
}
