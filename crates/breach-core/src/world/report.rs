//! Reports of changes, and of operations without effect.
use super::delta::Delta;
use super::room::RoomId;
use crate::bvh::Mesh;
use crate::carve::MaterialId;
use crate::geom::Aabb;
use glam::{DMat3, DVec3};

/// The effects of a change.
#[derive(Clone, Debug, Default)]
pub struct CarveReport {
    /// Rooms whose revision changed.
    pub rooms: Vec<RoomId>,
    /// Cubic metres of solid that became air (negative: filled), without loose pieces.
    pub volume_m3: f64,
    /// Faces touched.
    pub faces: u32,
    /// Portals opened (indices).
    pub portals_opened: Vec<u32>,
    /// Pieces cut free; they have left the world.
    pub islands: Vec<Island>,
    /// Every directed edge of the touched rooms has its opposite.
    pub watertight: bool,
    /// Material of the largest cut face, for crumbs and dust.
    pub material: Option<MaterialId>,
    /// Box of the operation's solids and of the pieces cut free, metres; None if nothing changed.
    pub bounds: Option<Aabb>,
    /// Why nothing changed; None if something did.
    pub no_effect: Option<NoEffect>,
    /// Undoes the change with [`super::World::revert`].
    pub delta: Delta,
}

/// Why an operation changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// The rock around the level begins here, and carves do not remove it.
    Bedrock,
    /// All solid within the carve is unbreakable.
    Unbreakable,
    /// The carve reaches only air.
    Air,
    /// The fill reaches only solid.
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
    /// Inertia tensor about the centre at density 1, in world axes: kg m² for 1 kg/m³.
    pub inertia: DMat3,
    /// Its box.
    pub bounds: Aabb,
    /// Its faces as triangles (counter-clockwise from outside), metres.
    pub mesh: Mesh,
    /// The material of each face that `mesh.triangles[..].face` counts.
    pub materials: Vec<MaterialId>,
}
