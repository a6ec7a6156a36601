//! The descriptions that a world is built from, and of the operations that change it.
use crate::carve::{BrushDesc, MaterialId, Op};
use glam::{DVec3, I64Vec3};

/// Grid steps in a metre.
pub const GRID: f64 = 16384.0;

/// The texture of faces on the level's bounds.
pub const BEDROCK: &str = "bedrock";

/// The surface of a face. Faces of one plane and one material merge into one.
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
    /// Made by a carve: the inside of the solid, not its painted surface.
    pub inner: bool,
    /// Divides a rocket's radius: above 0; 1 is usual, infinite is unbreakable.
    pub hardness: f64,
}

/// One change of the world: convex brushes, all or nothing.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Whether the brushes become solid or air.
    pub op: Op,
    /// Applied in order.
    pub brushes: Vec<BrushDesc>,
}

/// A level as a loader delivers it.
#[derive(Clone, Debug)]
pub struct WorldDesc {
    /// Bounds in grid steps.
    pub bounds: [I64Vec3; 2],
    /// Whether the level starts all solid; else all air.
    pub start_solid: bool,
    /// The solid brushes; they seal the level.
    pub solids: Vec<BrushDesc>,
    /// Some brush was off the grid: if the level leaks through hairlines, they are closed.
    pub rounded: bool,
    /// Applied before the level is split into cells.
    pub base: Vec<Operation>,
    /// Applied afterwards, one by one, as in play.
    pub later: Vec<Operation>,
    /// Player starts, grid steps: points in the air; eye height does not matter.
    pub starts: Vec<I64Vec3>,
    /// Boxes of func_areaportals, grid steps: each forces a cut through its middle.
    pub areaportals: Vec<[I64Vec3; 2]>,
    /// The materials that [`MaterialId`] indexes.
    pub materials: Vec<Material>,
}

/// A closed mesh with one material.
#[derive(Clone, Debug)]
pub struct SurfaceDesc {
    /// Bounds in grid steps; all points lie within, or on them.
    pub bounds: [I64Vec3; 2],
    /// Grid steps. Points at the same position are merged.
    pub points: Vec<I64Vec3>,
    /// Counter-clockwise seen from the air. Each edge belongs to two triangles, and triangles do not intersect (not
    /// checked). A triangle with two corners at the same point is ignored.
    pub triangles: Vec<[u32; 3]>,
    /// The materials that [`MaterialId`] indexes.
    pub materials: Vec<Material>,
    /// The material of all faces.
    pub material: MaterialId,
}
