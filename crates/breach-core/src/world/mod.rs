//! The level as rooms: cells of a kd-tree, their faces and trees, the portals between them, and what changes them.
//!
//! A cell's air is a closed polyhedron of faces: stuff, and walls on the planes that cut cells apart. `build` makes the
//! level, `shells` finds the air that players reach, `split` the cells; `work` applies an operation step by step: `commit`
//! to every cell it touches but for what is `unbreakable`, `islands` takes out what it cut free, `portals` and `mesh`
//! bring rooms up to date. `undo` takes it back, `preview` only asks; `cast` answers questions, `census` counts and
//! validates.
use crate::bvh::{BuildParams, Bvh, Mesh, Patch, QueryStats, Touch};
use crate::exact::Planes;
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::geom::shared::Shared;
use crate::stage::{Marker, Stage};
use glam::{DMat3, DVec3, I64Vec3};
use std::borrow::Cow;
use std::sync::Arc;

mod anchor;
mod bars;
mod build;
mod cast;
mod cell;
mod census;
mod changes;
mod commit;
mod crowd;
mod edges;
mod gaps;
mod hairlines;
mod hollow;
mod islands;
mod leak;
mod mesh;
mod moved;
mod openings;
mod pieces;
mod portals;
mod preview;
mod quality;
mod revision;
mod shells;
mod slots;
mod solver;
mod split;
mod surface;
mod taut;
#[cfg(test)]
mod tests;
mod trees;
mod unbreakable;
mod undo;
mod work;

/// Grid steps in a metre.
pub const GRID: f64 = 16384.0;

/// Bytes that a level may take, by [`World::bytes`]: 8 GiB, some 11 million corners of faces.
pub const BUDGET_BYTES: usize = 8 << 30;
/// Bytes that a corner of a face takes, with its share of edges, triangles, planes and box trees. Measured: the peak of
/// resident memory of `breach soak levels/bunker.map --no-debris` grows by 79 MB with 500 rockets (106,000 corners more:
/// 750 bytes each) and by 292 MB with 2,000 (413,000: 710).
const CORNER_BYTES: usize = 768;

/// The texture of the faces where a level's bounds are.
pub const BEDROCK: &str = "bedrock";

/// Index of a room (and its cell); stable while the world lives.
pub type RoomId = u32;

pub use preview::Preview;
pub use quality::Quality;
pub use revision::Revision;
pub use solver::{Moved, Solver};
pub use surface::{SurfaceDesc, SurfaceError};
pub use undo::Delta;
pub use work::Units;

pub use crate::carve::shape::ShapeError;
pub use crate::carve::{BrushDesc, MaterialId, Op, SideDesc};

/// What a face shows. Two faces of one plane and one material are one face.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Texture name as in the file (Latin-1 as U+0000..00FF).
    pub texture: String,
    /// s = u·p + u_offset, t = v·p + v_offset in texels; p in metres, axes in texels a metre.
    pub u: DVec3,
    #[allow(missing_docs)]
    pub v: DVec3,
    #[allow(missing_docs)]
    pub offset: [f64; 2],
    /// Made by a carve: the inside of the stuff, not its painted surface.
    pub inner: bool,
    /// A rocket's radius is divided by it: above 0, 1 is usual, infinite is unbreakable.
    pub hardness: f64,
}

/// One change of the world: convex brushes, all or nothing.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What the brushes' inside becomes.
    pub op: Op,
    /// Applied in order.
    pub brushes: Vec<BrushDesc>,
}

/// What a loader hands over.
#[derive(Clone, Debug)]
pub struct WorldDesc {
    /// Bounds in grid steps.
    pub bounds: [I64Vec3; 2],
    /// Starts all solid, else all air.
    pub start_solid: bool,
    /// The solid brushes that seal a level.
    pub solids: Vec<BrushDesc>,
    /// Some brush was off the grid: where the level leaks through hairlines, they are closed.
    pub rounded: bool,
    /// Applied before the cells are chosen.
    pub base: Vec<Operation>,
    /// Applied after, one by one, as in play.
    pub later: Vec<Operation>,
    /// Player starts, grid steps (eye height does not matter: a point in the air).
    pub starts: Vec<I64Vec3>,
    /// Boxes of func_areaportals, grid steps: a cut through the middle is forced.
    pub areaportals: Vec<[I64Vec3; 2]>,
    /// Everything that [`MaterialId`] means.
    pub materials: Vec<Material>,
}

/// A maximal planar piece of the boundary, for drawing and picking.
#[derive(Clone, Debug)]
pub struct FaceView {
    /// What it shows.
    pub material: MaterialId,
    /// Unit normal, into the air.
    pub normal: DVec3,
    /// Canonical key.
    pub key: u64,
}

impl FaceView {
    /// A place that no face has now.
    pub const DEAD: FaceView = FaceView {
        material: MaterialId::MAX,
        normal: DVec3::ZERO,
        key: 0,
    };

    /// Whether there is a face.
    pub fn is_live(&self) -> bool {
        self.normal != DVec3::ZERO
    }
}

/// A room: what one cell holds.
#[derive(Clone, Debug)]
pub struct Room {
    /// The cell, metres.
    pub cell: Aabb,
    /// Another one after each change of its faces.
    pub revision: Revision,
    /// Triangles of all faces, with places that are dead: numbers stay while a face lives.
    pub mesh: Arc<Mesh>,
    /// Faces, as [`crate::bvh::Triangle::face`] counts them; some places are dead.
    pub faces: Arc<Vec<FaceView>>,
    /// Faces that are there.
    pub face_count: u32,
    /// Triangles that are there.
    pub triangle_count: u32,
    /// The box tree over `mesh`.
    pub tree: Arc<Bvh>,
    /// Indices into [`World::portals`].
    pub portals: Vec<u32>,
    /// Cubic metres of air.
    pub air_volume_m3: f64,
}

impl Room {
    /// A cell all rock.
    fn empty(cell: Aabb, revision: Revision) -> Room {
        Room {
            cell,
            revision,
            mesh: Arc::default(),
            faces: Arc::default(),
            face_count: 0,
            triangle_count: 0,
            tree: Arc::default(),
            portals: vec![],
            air_volume_m3: 0.0,
        }
    }
}

/// The air on the face that two cells share.
#[derive(Clone, Debug)]
pub struct Portal {
    /// The two rooms; the plane's `axis` grows from the first to the second.
    pub rooms: [RoomId; 2],
    /// 0, 1 or 2: the axis that the portal's plane cuts.
    pub axis: usize,
    /// Outlines, metres, several and with holes; empty when closed.
    pub loops: Vec<Vec<DVec3>>,
    /// Area, square metres.
    pub area_m2: f64,
    /// [`World::revision`] when a change opened it; None from the start.
    pub born: Option<Revision>,
}

/// Where a ray or a sphere met the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// Part of the displacement, 0..=1. No buffer applied.
    pub fraction: f64,
    /// Point of contact.
    pub point: DVec3,
    /// From the surface to the centre; unit.
    pub normal: DVec3,
    /// Room of the face.
    pub room: RoomId,
    /// Triangle of the room's mesh.
    pub triangle: u32,
}

/// What a change did.
#[derive(Clone, Debug, Default)]
pub struct CarveReport {
    /// Rooms whose revision changed.
    pub rooms: Vec<RoomId>,
    /// Cubic metres of solid that became air (negative: filled), loose pieces left out.
    pub volume_m3: f64,
    /// Faces touched.
    pub faces: u32,
    /// Portals opened (indices).
    pub portals_opened: Vec<u32>,
    /// Pieces cut free; they have left the world.
    pub islands: Vec<Island>,
    /// Every directed edge of the touched rooms has its opposite.
    pub watertight: bool,
    /// Material of the largest face that was cut, for crumbs and dust.
    pub material: Option<MaterialId>,
    /// Why nothing changed; None where something did.
    pub no_effect: Option<NoEffect>,
    /// To take it back with [`World::revert`].
    pub delta: Delta,
}

/// Why an operation changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// The rock around the level begins here, and no carve takes it.
    Bedrock,
    /// All solid that the carve would take is unbreakable.
    Unbreakable,
    /// The carve reaches air alone.
    Air,
    /// The fill reaches solid alone.
    Solid,
}

impl std::fmt::Display for NoEffect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoEffect::Bedrock => "bedrock: the level ends here",
            NoEffect::Unbreakable => "unbreakable",
            NoEffect::Air => "no solid within reach",
            NoEffect::Solid => "solid already",
        })
    }
}

/// A piece cut free.
#[derive(Clone, Debug)]
pub struct Island {
    /// Cubic metres.
    pub volume_m3: f64,
    /// Centre of mass, metres.
    pub centre: DVec3,
    /// Moments of inertia about the centre at density 1, axes as the world's: kg m² for 1 kg/m³.
    pub inertia: DMat3,
    /// Its box.
    pub bounds: Aabb,
    /// Its faces as triangles (counter-clockwise from outside), metres.
    pub mesh: Mesh,
    /// A material of each face that `mesh.triangles[..].face` counts.
    pub materials: Vec<MaterialId>,
}

/// Counts over the whole world, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Census {
    pub rooms: usize,
    pub portals: usize,
    pub faces: usize,
    pub triangles: usize,
    pub air_volume_m3: f64,
    pub unmatched_edges: usize,
    pub t_junctions: usize,
    pub portal_mismatches: usize,
    pub islands: u64,
}

/// Why the world refused.
#[derive(Debug, thiserror::Error, PartialEq, Clone)]
pub enum WorldError {
    /// The brush has no inside, or is unbounded.
    #[error("the brush has no inside")]
    EmptyBrush,
    /// Nothing of the brush lies within the bounds.
    #[error("the brush lies outside the level")]
    OutsideBounds,
    /// A coordinate beyond the grid of ±1024 m.
    #[error("a point lies beyond the grid of 1024 m")]
    BeyondGrid,
    /// A mesh that bounds no air.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// All that the carve would take is unbreakable.
    #[error("it is unbreakable")]
    Unbreakable,
    /// The level would take more memory than it may.
    #[error("it would take {needed} bytes; the level may use at most {budget}")]
    Budget {
        /// Bytes that the level would take.
        needed: usize,
        /// [`World::budget_bytes`].
        budget: usize,
    },
    /// Another operation has begun and is not done.
    #[error("another carve is still in progress")]
    Busy,
    /// It was taken back before it was done.
    #[error("it was undone before it had finished")]
    Dropped,
    /// The brush is no solid: empty, flat, not convex, of too many points.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// The level.
#[derive(Clone, Debug)]
pub struct World {
    /// What [`MaterialId`] means; may grow. Shared with those who look, as a picture is taken every frame.
    pub materials: Arc<Vec<Material>>,
    /// True, false, or None without a player start.
    pub sealed: Option<bool>,
    /// A way from a player start through the hole to the bounds, when it leaks: points in the air, metres, and nothing but
    /// what came after the walls that seal (a func_wall, say) in any leg.
    pub leak: Vec<DVec3>,
    /// Where slits between the level's solids were closed, since it leaked through them: their middles, metres.
    pub slits: Vec<DVec3>,
    planes: Planes,
    /// Grid steps.
    bounds: [I64Vec3; 2],
    /// What the bounds show, for planes across x, y and z.
    bedrock: [MaterialId; 3],
    /// Shared with clones until they change, like all that is large: a keyframe costs what is done after it.
    cells: Vec<Shared<cell::Cell>>,
    /// The kd-tree; the root is node 0.
    nodes: Vec<split::Node>,
    rooms: Vec<Room>,
    portals: Vec<Portal>,
    /// As many as portals.
    links: Vec<portals::Link>,
    /// As many as rooms.
    slots: Vec<Shared<slots::Slots>>,
    /// Rooms whose trees are to be built anew, in this order.
    worn: Vec<RoomId>,
    edges: edges::Edges,
    params: BuildParams,
    revision: Revision,
    /// Sum over all faces of stuff.
    face_hash: u64,
    /// Hash of what each material says; ids differ from run to run.
    material_hashes: Vec<u64>,
    /// The last number of a piece that hangs in the air.
    pieces: u32,
    /// Pieces that fell so far.
    fallen: u64,
    /// Where solid rested on an edge within a face when it was looked at: boxes, steps.
    rests: Vec<(DVec3, DVec3)>,
    /// A change that would need more bytes is refused; [`BUDGET_BYTES`] until somebody sets another.
    pub budget_bytes: usize,
    /// Where the surface has changed of late.
    changes: changes::Changes,
    /// What no carve takes; see [`unbreakable`].
    unbreakable: Vec<unbreakable::Volume>,
    /// The operation that has begun and is not done.
    work: Option<Box<work::Work>>,
}

impl World {
    /// Builds the level: brushes, rock outside, cells, portals, later operations.
    pub fn build(
        desc: &WorldDesc,
        params: &BuildParams,
        marker: &mut dyn Marker,
    ) -> Result<World, WorldError> {
        build::build(desc, params, marker)
    }
    /// Applies one operation to every room it touches, or to none.
    pub fn apply(
        &mut self,
        operation: &Operation,
        marker: &mut dyn Marker,
    ) -> Result<CarveReport, WorldError> {
        work::apply(self, operation, marker)
    }
    /// Takes an operation on, to be done by [`World::advance`]. Until it is done, all that rays, sweeps, drawing and
    /// [`World::hash`] tell is as before; [`World::apply`] and [`World::preview`] refuse.
    pub fn begin(&mut self, operation: &Operation) -> Result<(), WorldError> {
        work::begin(self, operation)
    }
    /// Goes on with the operation that has begun until it is done, which is [`World::apply`] to the bit, or what is left of
    /// the units is too little for the next step. None while it is not done, or where none has begun.
    pub fn advance(
        &mut self,
        units: &mut Units,
        marker: &mut dyn Marker,
    ) -> Option<Result<CarveReport, WorldError>> {
        work::advance(self, units, marker)
    }
    /// Drops the operation that has begun: it never was.
    pub fn abandon(&mut self) {
        work::abandon(self)
    }
    /// How much of the operation that has begun is done, 0..=1, a guess that only grows; None where none has begun.
    pub fn part_done(&self) -> Option<f64> {
        self.work.as_ref().map(|work| work.part_done)
    }
    /// What an operation would do. Nothing changes that can be seen, the revision included.
    pub fn preview(&mut self, operation: &Operation) -> Result<Preview, WorldError> {
        preview::preview(self, operation)
    }
    /// 64-bit hash over what the operation that has begun has come to, which nobody sees yet.
    pub fn work_hash(&self) -> Option<u64> {
        let work = self.work.as_ref()?;
        let mut hash = Hash64::new();
        hash.u64(self.face_hash);
        hash.f64(work.part_done);
        Some(hash.finish())
    }
    /// Takes a change back: the last one that has not been taken back, or a taking back (which is: does it again).
    /// Deltas of one world are handed in in the reverse order of their making, or ids do not fit. An operation that has
    /// begun is dropped.
    pub fn revert(&mut self, delta: Delta, marker: &mut dyn Marker) -> CarveReport {
        undo::revert(self, delta, marker)
    }
    /// Units of work that taking this change back, or doing it again, will take; asked right after it.
    pub fn units_to_revert(&self, delta: &Delta) -> u64 {
        work::units_to_revert(self, delta)
    }
    /// A change is for good: what its delta kept goes, and with it the planes that nothing else lies on. A delta that is
    /// dropped instead leaves its planes behind.
    pub fn forget(&mut self, delta: &Delta) {
        undo::forget(self, delta);
    }
    /// Planes that faces, deltas and cells lie on, for reports.
    pub fn plane_count(&self) -> usize {
        self.planes.len()
    }
    /// Number of rooms; ids run from 0.
    pub fn room_count(&self) -> usize {
        self.rooms.len()
    }
    /// One room.
    pub fn room(&self, id: RoomId) -> &Room {
        &self.rooms[id as usize]
    }
    /// All portals; closed ones have no loops.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }
    /// Bounds, metres.
    pub fn bounds(&self) -> Aabb {
        Aabb {
            min: self.bounds[0].as_dvec3() / GRID,
            max: self.bounds[1].as_dvec3() / GRID,
        }
    }
    /// Another one after each change.
    pub fn revision(&self) -> Revision {
        self.revision
    }
    /// An edge that misses its opposite, metres: where to look when a change left the surface open. None in a sound level.
    pub fn open_edge(&self) -> Option<DVec3> {
        let edges = self.edges.open_edges(&self.cells);
        edges.first().map(|(a, b, _)| (*a + *b) / (2.0 * GRID))
    }
    /// The cell that holds `p` (air or rock); None outside the bounds.
    pub fn cell_at(&self, p: DVec3) -> Option<RoomId> {
        cast::cell_at(self, p)
    }
    /// The room in whose air `p` lies; None in rock or outside.
    pub fn locate(&self, p: DVec3) -> Option<RoomId> {
        cast::locate(self, p)
    }
    /// First surface on the segment, through rooms and portals.
    pub fn cast_ray(&self, from: DVec3, to: DVec3, stats: &mut QueryStats) -> Option<CastHit> {
        cast::cast(self, from, to, 0.0, stats)
    }
    /// First contact of a moving sphere, through rooms and portals; see [`Bvh::sweep_sphere`].
    pub fn sweep_sphere(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<CastHit> {
        cast::cast(self, from, to, radius, stats)
    }
    /// Every triangle whose box touches `bounds`: (room, triangle), in a fixed order.
    pub fn each_triangle_in_box(
        &self,
        bounds: &Aabb,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(RoomId, u32),
    ) {
        cast::each_triangle_in_box(self, bounds, stats, visit)
    }
    /// What of the surface is no farther than `reach` metres from a point in the air; see [`Bvh::each_touch`].
    pub fn each_touch(
        &self,
        centre: DVec3,
        reach: f64,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(Touch),
    ) {
        cast::each_touch(self, centre, reach, stats, visit)
    }
    /// Whether the surface within a box may be another than at `revision`, down to how it is cut into triangles.
    pub fn has_changed_since(&self, revision: Revision, bounds: &Aabb) -> bool {
        self.changes.since(revision, bounds)
    }
    /// The surface within a box, to be asked about as long as it has not changed since; see [`Patch`].
    pub fn patch_in_box(&self, bounds: &Aabb, stats: &mut QueryStats) -> Patch {
        cast::patch_in_box(self, bounds, stats)
    }
    /// Every room whose cell touches `bounds`, in a fixed order. Costs what it finds, not what the level holds.
    pub fn each_room_in_box(&self, bounds: &Aabb, visit: &mut dyn FnMut(RoomId)) {
        cast::each_cell_in_box(self, bounds, visit)
    }
    /// Where a room stands among all as seen from `eye`: no straight way from there passes a room and then one of a lower
    /// place, but for ways along a wall between cells. Costs the depth of the kd-tree.
    pub fn place_from(&self, eye: DVec3, room: RoomId) -> u128 {
        cast::place_from(self, eye, room)
    }
    /// Rebuilds every tree with new parameters.
    pub fn rebuild_trees(&mut self, params: &BuildParams, marker: &mut dyn Marker) {
        mesh::rebuild_trees(self, params, marker)
    }
    /// Builds trees anew that edits have worn: about so many triangles are looked at, and what is left waits for the next
    /// call. For once a tick.
    pub fn mend_trees(&mut self, work: u64, marker: &mut dyn Marker) {
        if !self.worn.is_empty() {
            marker.begin(Stage::Bins);
            trees::mend(self, work);
            marker.end(Stage::Bins);
        }
    }
    /// 64-bit hash over faces, portals, materials (incremental, cheap).
    pub fn hash(&self) -> u64 {
        census::hash(self)
    }
    /// Bytes of this level that another does not share with it, from the corners of the cells that differ.
    pub fn bytes_beside(&self, other: &World) -> usize {
        let shared = |i: usize| {
            other
                .cells
                .get(i)
                .is_some_and(|cell| cell.is(&self.cells[i]))
        };
        let own = (0..self.cells.len()).filter(|&i| !shared(i));
        own.map(|i| self.cells[i].corners).sum::<usize>() * CORNER_BYTES
    }
    /// Bytes that the level takes, from the corners of its faces: what [`World::budget_bytes`] bounds.
    pub fn bytes(&self) -> usize {
        self.cells.iter().map(|cell| cell.corners).sum::<usize>() * CORNER_BYTES
    }
    /// Counts; walks the whole level.
    pub fn census(&self) -> Census {
        census::census(&self.as_seen())
    }
    /// How good the surface is as it is drawn; walks the whole level.
    pub fn quality(&self) -> Quality {
        quality::quality(&self.as_seen())
    }
    /// The same for one room, without its edges: what changes with a carve.
    pub fn room_quality(&self, room: RoomId) -> Quality {
        quality::of_room(self, room)
    }
    /// Checks everything; the first faults in words.
    pub fn validate(&self) -> Result<(), Vec<String>> {
        census::validate(&self.as_seen())
    }
    /// Without the operation that has begun.
    fn as_seen(&self) -> Cow<'_, World> {
        match self.work {
            None => Cow::Borrowed(self),
            Some(_) => {
                let mut seen = self.clone();
                seen.abandon();
                Cow::Owned(seen)
            }
        }
    }
}
