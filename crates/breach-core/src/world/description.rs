//! What a loader hands over, and what an operation asks for.
use crate::carve::{BrushDesc, MaterialId, Op};
use glam::{DVec3, I64Vec3};

/// Grid steps in a metre.
pub const GRID: f64 = 16384.0;

/// The texture of the faces where a level's bounds are.
pub const BEDROCK: &str = "bedrock";

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

/// A closed mesh and what it shows.
#[derive(Clone, Debug)]
pub struct SurfaceDesc {
    /// Bounds in grid steps; all points lie within, or on them.
    pub bounds: [I64Vec3; 2],
    /// Grid steps. Points at one place are one point.
    pub points: Vec<I64Vec3>,
    /// Counter-clockwise seen from the air. Each edge belongs to two triangles; they do not run through one another
    /// (which is not checked). A triangle that names a place twice is left out.
    pub triangles: Vec<[u32; 3]>,
    /// Everything that [`MaterialId`] means.
    pub materials: Vec<Material>,
    /// What all faces show.
    pub material: MaterialId,
}
