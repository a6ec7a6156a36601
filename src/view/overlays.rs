//! Switches of the debug drawings.
use super::palette::Palette;

/// Switches of the debug drawings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Outlines of portals; portals that a carve opened are highlighted.
    pub portals: bool,
    /// Boxes of the tree of the camera's room, coloured by level.
    pub bins: bool,
    /// Boxes of the other visible rooms as well.
    pub bins_of_all: bool,
    /// Tree levels drawn.
    pub bin_levels: BinLevels,
    /// Rays and sweeps of the last two seconds.
    pub rays: bool,
    /// Their hit points and normals.
    pub hits: bool,
    /// Triangle edges.
    pub wire: bool,
    /// Triangle edges alone, without surfaces.
    pub wire_alone: bool,
    /// A colour for each face, with the edges of its triangles.
    pub faces: bool,
    /// Normals of the triangles near the camera.
    pub normals: bool,
    /// The spheres of bodies, coloured by awake and asleep.
    pub spheres: bool,
    /// Velocity and spin of each body.
    pub motion: bool,
    /// Contacts of the last tick: point, normal, impulse.
    pub contacts: bool,
    /// Contact islands, a colour for each.
    pub islands: bool,
    /// Tree heat map: bins and faces visited by each pixel's ray.
    pub heat: bool,
    /// Utilisation of structures on their faces.
    pub stress: bool,
    /// Bonds of structures and the forces in them.
    pub bonds: bool,
    /// The ways of the loudest sounds to the ear.
    pub sound: bool,
    /// A tint for each room.
    pub rooms: bool,
    /// The leak: the path from a start to the outside.
    pub leak: bool,
    /// Visibility is frozen: rooms stay those of an earlier camera, whose frusta are drawn.
    pub frozen: bool,
    /// The colours of all these lines.
    pub palette: Palette,
}

/// Levels of a box tree that are drawn; the root is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinLevels {
    /// The leaves, and the two deepest levels with different boxes.
    #[default]
    Deepest,
    /// All levels.
    All,
    /// A single level.
    One(u32),
}
