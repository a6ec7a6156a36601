//! The interface for hosts: worlds and brushes in metres, changes and queries without markers and counters.
//!
//! These functions wrap ([`World::build`], [`World::from_surface`], [`World::apply`],
//! [`World::cast_ray`]). Bad input is an [`EditError`] with the reason, never
//! a panic.
use super::cell::Cell;
use super::description::{GRID, Material, Operation, SurfaceDesc, WorldDesc};
use super::edit_error::EditError;
use super::error::{SurfaceError, WorldError};
use super::queries::CastHit;
use super::report::{CarveReport, Island};
use super::world::World;
use super::{mesh, portals, self_touch, stamp};
use crate::bvh::{BuildParams, QueryStats};
use crate::carve::polytope::Surface;
use crate::carve::shape::{self, Placement, Shape, ShapeError};
use crate::carve::{BrushDesc, MaterialId, Op, SideDesc};
use crate::exact::GRID_MAX;
use crate::geom::shared_vec::SharedVec;
use crate::stage::Silent;
use glam::{DVec3, I64Vec3};

/// Air around the block of [`World::solid_box`] and the mesh of [`World::from_mesh`] on every side, metres; at least the
/// longest side of what it surrounds.
pub const LEAST_MARGIN_M: f64 = 8.0;
/// No coordinate is larger, metres.
pub const REACH_M: f64 = GRID_MAX as f64 / GRID;

impl Default for Material {
    /// Stone of usual hardness, textured along x and y, 32 texels a metre.
    fn default() -> Material {
        Material {
            texture: "stone".into(),
            u: DVec3::X * 32.0,
            v: DVec3::NEG_Y * 32.0,
            offset: [0.0; 2],
            inner: false,
            hardness: 1.0,
        }
    }
}

/// Convex brushes in metres. Sides show material 0; see [`BrushDesc::with_material`].
impl BrushDesc {
    /// A box along the axes, exact to a grid step (1/16384 m).
    ///
    /// ```
    /// use breach_core::world::BrushDesc;
    /// use glam::DVec3;
    /// assert_eq!(BrushDesc::cuboid(DVec3::ZERO, DVec3::ONE)?.sides.len(), 6);
    /// assert!(BrushDesc::cuboid(DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0)).is_err());
    /// # Ok::<(), breach_core::world::EditError>(())
    /// ```
    pub fn cuboid(min: DVec3, max: DVec3) -> Result<BrushDesc, EditError> {
        let [lo, hi] = box_on_grid(min, max)?;
        let corner = |i: i64| lo + (hi - lo) * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2);
        Ok(shape::hull(&(0..8).map(corner).collect::<Vec<_>>(), 0)?)
    }

    /// A ball of 80 sides, 0.01 to 10 m in radius.
    ///
    /// ```
    /// use breach_core::world::BrushDesc;
    /// use glam::DVec3;
    /// assert_eq!(BrushDesc::ball(DVec3::Y, 0.5)?.sides.len(), 80);
    /// assert!(BrushDesc::ball(DVec3::Y, f64::NAN).is_err());
    /// # Ok::<(), breach_core::world::EditError>(())
    /// ```
    pub fn ball(centre: DVec3, radius: f64) -> Result<BrushDesc, EditError> {
        let place = Placement {
            at: centre - DVec3::Z * radius,
            axes: [DVec3::X, DVec3::Y, DVec3::Z],
            size: 2.0 * radius,
            depth: 2.0 * radius,
        };
        check_finite(centre)?;
        Ok(shape::brush(Shape::Ball, &place, 0)?)
    }

    /// A cylinder of 16 sides between the middles of its caps (8 sides up to a radius of 5 cm); 0.01 to 10 m in radius, at
    /// most 20 m long. It begins 1/64 m before `from`, so that a hole drilled from a surface has its mouth in the air.
    pub fn cylinder(from: DVec3, to: DVec3, radius: f64) -> Result<BrushDesc, EditError> {
        check_finite(from)?;
        check_finite(to)?;
        let place = Placement {
            at: from,
            axes: shape::axes(to - from, [0.0; 3])?,
            size: 2.0 * radius,
            depth: from.distance(to),
        };
        Ok(shape::brush(Shape::Cylinder, &place, 0)?)
    }

    /// The convex hull of four to ten thousand points, each rounded to 1/1024 m.
    pub fn hull(points: &[DVec3]) -> Result<BrushDesc, EditError> {
        if points.len() > shape::MOST_POINTS {
            return Err(ShapeError::TooManyPoints(points.len()).into());
        }
        for p in points {
            check_finite(*p)?;
            if p.abs().max_element() > REACH_M {
                return Err(ShapeError::BeyondGrid.into());
            }
        }
        let points: Result<Vec<I64Vec3>, ShapeError> =
            points.iter().map(|p| shape::point(*p)).collect();
        Ok(shape::hull(&points?, 0)?)
    }

    /// The same brush with this material on all sides: the walls of a hole, or of a solid, show it.
    pub fn with_material(mut self, material: MaterialId) -> BrushDesc {
        self.sides
            .iter_mut()
            .for_each(|side: &mut SideDesc| side.material = material);
        self
    }
}

/// A world in metres, brush by brush.
///
/// ```
/// use breach_core::world::{BrushDesc, WorldBuilder};
/// use glam::DVec3;
/// // A room of air, 10 m wide, with a wall across it that stands on the floor.
/// let wall = BrushDesc::cuboid(DVec3::new(4.0, 0.0, 0.0), DVec3::new(4.5, 3.0, 10.0))?;
/// let world = WorldBuilder::air(DVec3::ZERO, DVec3::splat(10.0)).fill(wall).build()?;
/// assert!(world.locate(DVec3::splat(1.0)).is_some());
/// assert!(world.locate(DVec3::new(4.25, 1.0, 5.0)).is_none());
/// # Ok::<(), breach_core::world::EditError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WorldBuilder {
    min: DVec3,
    max: DVec3,
    starts_solid: bool,
    operations: Vec<Operation>,
    materials: Vec<Material>,
    params: BuildParams,
}

impl WorldBuilder {
    /// Bounds full of air. Around them is bedrock: no change reaches it, it holds what touches it, and debris lands on it.
    pub fn air(min: DVec3, max: DVec3) -> WorldBuilder {
        WorldBuilder::new(min, max, false)
    }

    /// Bounds full of solid, to carve rooms into.
    pub fn solid(min: DVec3, max: DVec3) -> WorldBuilder {
        WorldBuilder::new(min, max, true)
    }

    fn new(min: DVec3, max: DVec3, starts_solid: bool) -> WorldBuilder {
        WorldBuilder {
            min,
            max,
            starts_solid,
            operations: Vec::new(),
            materials: vec![Material::default()],
            params: BuildParams::default(),
        }
    }

    /// Makes the brush's inside solid. A solid that touches nothing hangs in the air and stays there; cut in two, the
    /// larger part stays.
    pub fn fill(self, brush: BrushDesc) -> WorldBuilder {
        self.with(Op::Fill, brush)
    }

    /// Makes the brush's inside air. Pieces that this cuts free are left out of the world.
    pub fn carve(self, brush: BrushDesc) -> WorldBuilder {
        self.with(Op::Carve, brush)
    }

    fn with(mut self, op: Op, brush: BrushDesc) -> WorldBuilder {
        self.operations.push(Operation {
            op,
            brushes: vec![brush],
        });
        self
    }

    /// What materials mean, from 0 up; one plain material unless this is called. A solid added with a material of infinite
    /// hardness is unbreakable.
    pub fn materials(mut self, materials: Vec<Material>) -> WorldBuilder {
        self.materials = materials;
        self
    }

    /// What shapes the box trees.
    pub fn params(mut self, params: BuildParams) -> WorldBuilder {
        self.params = params;
        self
    }

    /// The world; an error for bounds that are no box, a brush without an inside, one outside the bounds, or one whose
    /// material is not there.
    pub fn build(self) -> Result<World, EditError> {
        let bounds = box_on_grid(self.min, self.max)?;
        let [lo, hi] = bounds;
        for brush in self.operations.iter().flat_map(|o| &o.brushes) {
            stamp::check_materials(std::slice::from_ref(brush), &self.materials)?;
            shape::verify(brush)?;
            let corners = || brush.sides.iter().flat_map(|side| side.points);
            let is_outside = (0..3)
                .any(|k| corners().all(|p| p[k] <= lo[k]) || corners().all(|p| p[k] >= hi[k]));
            if is_outside {
                return Err(WorldError::OutsideBounds.into());
            }
        }
        let desc = WorldDesc {
            bounds,
            start_solid: self.starts_solid,
            solids: Vec::new(),
            rounded: false,
            base: self.operations,
            later: Vec::new(),
            starts: Vec::new(),
            areaportals: Vec::new(),
            materials: self.materials,
        };
        Ok(World::build(&desc, &self.params, &mut Silent)?)
    }
}

/// A piece that a carve cut free.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its number: 0 for the first piece that fell in this world, then one more for each. Taking a carve back gives the
    /// numbers of its pieces back; making it again gives the pieces the same numbers.
    pub id: u64,
    /// Its faces, volume and moments of inertia.
    pub solid: Island,
}

/// What a change did: what [`World::carve`] and [`World::add_solid`] return.
#[derive(Clone, Debug)]
pub struct Carved {
    /// Pieces cut free. They have left the world; `debris` lets them fall.
    pub pieces: Vec<Piece>,
    /// The rest of the report; its list of islands is empty.
    pub report: CarveReport,
}

/// For a host: metres in, errors with a reason out.
impl World {
    /// A solid block that hangs in air. The air reaches [`LEAST_MARGIN_M`] beyond it on every side, or its longest side
    /// where that is more, and ends at bedrock, on which debris lands. The block stays up until it is cut; cut in two, the
    /// larger part stays and the other falls. [`WorldBuilder`] builds anything else, a wall that stands on a floor say.
    ///
    /// ```
    /// use breach_core::world::{BrushDesc, EditError, World};
    /// use glam::DVec3;
    /// let mut world = World::solid_box(DVec3::ZERO, DVec3::new(4.0, 3.0, 0.5))?;
    /// let hit = world.ray(DVec3::new(2.0, 1.5, 4.0), DVec3::new(2.0, 1.5, -4.0));
    /// assert_eq!(hit.map(|hit| hit.point.z), Some(0.5));
    /// // A hole right through it.
    /// world.carve(&BrushDesc::ball(DVec3::new(2.0, 1.5, 0.25), 0.5)?)?;
    /// let hit = world.ray(DVec3::new(2.0, 1.5, 4.0), DVec3::new(2.0, 1.5, -4.0));
    /// assert_eq!(hit, None);
    /// # Ok::<(), EditError>(())
    /// ```
    pub fn solid_box(min: DVec3, max: DVec3) -> Result<World, EditError> {
        let block = BrushDesc::cuboid(min, max)?;
        let [low, high] = with_margin(min, max);
        WorldBuilder::air(low, high).fill(block).build()
    }

    /// The solid within a closed mesh, hanging in air as [`World::solid_box`] says. Positions in metres are rounded to the
    /// grid (1/16384 m), and positions at one place are one; triangles run counter-clockwise seen from outside. Coplanar
    /// neighbours become one face, so the world does not remember how a flat side was cut into triangles. Each edge
    /// belongs to two triangles: an open mesh, one that touches itself, and one that is inside out are refused with the
    /// place.
    ///
    /// ```
    /// use breach_core::world::{EditError, SurfaceError, World, WorldError};
    /// use glam::DVec3;
    /// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let closed = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let world = World::from_mesh(&corners, &closed)?;
    /// assert!(world.locate(DVec3::splat(0.1)).is_none(), "solid");
    /// let open = World::from_mesh(&corners, &closed[..3]).map(|_| ()).unwrap_err();
    /// assert!(matches!(open, EditError::World(WorldError::Surface(SurfaceError::OpenEdge { .. }))));
    /// # Ok::<(), EditError>(())
    /// ```
    pub fn from_mesh(positions: &[DVec3], triangles: &[[u32; 3]]) -> Result<World, EditError> {
        let points: Vec<I64Vec3> = positions
            .iter()
            .map(|p| on_grid(*p))
            .collect::<Result<_, _>>()?;
        if points.iter().any(|p| p.abs().max_element() >= GRID_MAX) {
            return Err(WorldError::BeyondGrid.into());
        }
        let low = positions.iter().copied().reduce(DVec3::min);
        let high = positions.iter().copied().reduce(DVec3::max);
        let [low, high] = with_margin(low.unwrap_or_default(), high.unwrap_or_default());
        let bounds @ [lo, hi] = box_on_grid(low, high)?;
        // The mesh first, so that errors count its triangles as the host does; then the bounds, seen from within.
        let mut desc = SurfaceDesc {
            bounds,
            points,
            triangles: triangles.to_vec(),
            materials: vec![Material::default()],
            material: 0,
        };
        if triangles.is_empty() {
            return Err(WorldError::Surface(SurfaceError::Empty).into());
        }
        if let Some(t) = triangles
            .iter()
            .position(|t| t.iter().any(|&c| c as usize >= positions.len()))
        {
            return Err(WorldError::Surface(SurfaceError::NoSuchPoint { triangle: t }).into());
        }
        self_touch::check(&desc.points, triangles)?;
        let first = desc.points.len() as u32;
        desc.points
            .extend((0..8).map(|i| lo + (hi - lo) * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2)));
        desc.triangles.extend(
            INSIDE_OF_A_BOX
                .iter()
                .map(|t| t.map(|corner| first + corner)),
        );
        let mut world = World::from_surface(&desc, &BuildParams::default(), &mut Silent)?;
        show_bedrock(&mut world);
        Ok(world)
    }

    /// Makes the brush's inside air, at once. Dropping the result makes the change final; its `report.delta` takes it back
    /// with [`World::revert`].
    ///
    /// A carve that would change nothing is an error that says why.
    pub fn carve(&mut self, brush: &BrushDesc) -> Result<Carved, EditError> {
        self.change(Op::Carve, brush)
    }

    /// Makes the brush's inside solid, at once. A solid that touches nothing hangs in the air and stays there.
    pub fn add_solid(&mut self, brush: &BrushDesc) -> Result<Carved, EditError> {
        self.change(Op::Fill, brush)
    }

    fn change(&mut self, op: Op, brush: &BrushDesc) -> Result<Carved, EditError> {
        let first = self.geometry.fallen;
        let brushes = vec![brush.clone()];
        let mut report = self.apply(&Operation { op, brushes }, &mut Silent)?;
        if let Some(why) = report.no_effect {
            return Err(EditError::NoEffect(why));
        }
        let pieces = std::mem::take(&mut report.islands);
        let pieces = (first..).zip(pieces).map(|(id, solid)| Piece { id, solid });
        let delta = std::mem::take(&mut report.delta);
        report.delta = delta.with_home(&self.geometry);
        Ok(Carved {
            pieces: pieces.collect(),
            report,
        })
    }

    /// First surface on the segment; [`World::cast_ray`] without its counters.
    pub fn ray(&self, from: DVec3, to: DVec3) -> Option<CastHit> {
        self.cast_ray(from, to, &mut QueryStats::default())
    }

    /// First contact of a moving sphere; [`World::sweep_sphere`] without its counters.
    pub fn sweep(&self, from: DVec3, to: DVec3, radius: f64) -> Option<CastHit> {
        self.sweep_sphere(from, to, radius, &mut QueryStats::default())
    }

    /// Whether a material is that of the bounds, which most hosts do not draw.
    pub fn is_bedrock(&self, material: MaterialId) -> bool {
        self.geometry.bedrock.contains(&material)
    }
}

/// A box's triangles seen from the inside; corner i is high along x, y, z by its bits.
const INSIDE_OF_A_BOX: [[u32; 3]; 12] = [
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
];

/// Faces on the bounds show bedrock from now on.
fn show_bedrock(world: &mut World) {
    let (geometry, visible) = (&mut world.geometry, &mut world.visible);
    let (bedrock, [lo, hi]) = (geometry.bedrock, geometry.bounds.map(|p| p.as_dvec3()));
    for cell in geometry.cells.iter_mut() {
        let cell: &mut Cell = cell;
        for face in cell.faces.iter_mut().flatten() {
            let corners = || face.loops.iter().flatten().map(|corner| corner.point.at);
            let is_bound =
                |k: usize| corners().all(|p| p[k] == lo[k]) || corners().all(|p| p[k] == hi[k]);
            if let (Surface::Stuff(_), Some(k)) = (face.surface, (0..3).find(|&k| is_bound(k))) {
                face.surface = Surface::Stuff(bedrock[k]);
            }
        }
    }
    geometry.rebuild_edges_and_hash();
    visible.face_hash = geometry.face_hash;
    mesh::build_all(geometry, visible);
    visible.portals = SharedVec::default();
    visible.links = SharedVec::default();
    portals::build_all(geometry, visible);
}

fn check_finite(p: DVec3) -> Result<(), EditError> {
    match p.is_finite() {
        true => Ok(()),
        false => Err(EditError::NotFinite(p)),
    }
}

/// The nearest grid point.
fn on_grid(p: DVec3) -> Result<I64Vec3, EditError> {
    check_finite(p)?;
    if p.abs().max_element() > REACH_M {
        return Err(WorldError::BeyondGrid.into());
    }
    Ok((p * GRID).round().as_i64vec3())
}

fn box_on_grid(min: DVec3, max: DVec3) -> Result<[I64Vec3; 2], EditError> {
    let [lo, hi] = [on_grid(min)?, on_grid(max)?];
    match lo.cmplt(hi).all() {
        true => Ok([lo, hi]),
        false => Err(EditError::NoBox { min, max }),
    }
}

/// The bounds around a box, within the grid.
fn with_margin(min: DVec3, max: DVec3) -> [DVec3; 2] {
    let margin = (max - min).max_element().max(LEAST_MARGIN_M);
    [
        (min - margin).max(DVec3::splat(-REACH_M)),
        (max + margin).min(DVec3::splat(REACH_M)),
    ]
}
