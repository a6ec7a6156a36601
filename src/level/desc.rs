//! A level: the content of its file, and the operations since.
use super::game::Game;
use super::light::{Light, Sun};
use super::liquid::Liquids;
use super::map_file::MapFile;
use super::movers::Movers;
use super::pictures::Pictures;
use crate::geom::shared::Shared;
use crate::world::{Operation, WorldDesc};
use glam::DVec3;
use std::sync::Arc;

/// A level as read: the world that its file describes, what else the program needs of it, and the file itself for saving.
#[derive(Clone, Debug)]
pub struct LevelDesc {
    /// The input of [`crate::world::World::build`].
    pub world: Shared<WorldDesc>,
    /// Hardness of each brush in `world.solids`: it divides the radius of blasts; infinite is unbreakable.
    pub hardness: Vec<f64>,
    /// Player starts in order of preference: eye position, metres, and yaw, radians (see `Command::yaw`).
    pub starts: Vec<(DVec3, f64)>,
    /// Point lights, for drawing.
    pub lights: Vec<Light>,
    /// Blasts in the file, for their soot: centre and radius, metres, in order.
    pub blasts: Vec<(DVec3, f64)>,
    /// Liquids: no part of the world.
    pub liquids: Arc<Liquids>,
    /// Movers: no part of the world.
    pub movers: Arc<Movers>,
    /// The sun, for drawing.
    pub sun: Option<Sun>,
    /// Picture files of the textures, for drawing.
    pub pictures: Shared<Pictures>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
    /// The face whose plane the file's decimals give least precisely, where a brush lies off the grid.
    pub coarsest: Option<CoarseFace>,
    /// The game whose rules say what is solid.
    pub game: Game,
    /// Number of entities in the file.
    pub entities: usize,
    /// Number of brushes in the file.
    pub brushes: usize,
    /// Number of skipped brushes, patches and other blocks.
    pub skipped: usize,
    /// The level's patches and terrains.
    pub curves: Curves,
    /// The file as read, for saving.
    pub file: Shared<MapFile>,
    /// Operations since the level was opened, in order; a save writes them as func_carve, func_fill or breach_blast.
    pub since: Vec<SavedOperation>,
}

/// The patches and terrains of a level: sheets, which become solids of a fixed thickness.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curves {
    /// Number in the file, skipped ones included.
    pub patches: usize,
    /// Number that became solid.
    pub solid: usize,
    /// Number of convex solids that they became.
    pub solids: usize,
    /// Greatest chord error asked for, units. 0 leaves patches out; 0, too, without patches. Recordings and saves keep it, so that
    /// they give the same world whatever is usual later.
    pub asked: f64,
    /// Chord error in use, units: doubled where the solids would be too many.
    pub error: f64,
    /// Number of operations at the beginning of `world.base` that fill them in; they are none of the file's own.
    pub operations: usize,
}

/// An operation as a save writes it.
#[derive(Clone, Debug)]
pub enum SavedOperation {
    /// Written as breach_blast.
    Blast {
        /// Centre, grid steps, multiples of 16 (1/1024 m).
        centre: glam::I64Vec3,
        /// Radius of the hole, metres: the hardness is applied already.
        radius: f64,
        /// Name of a [`crate::carve::blast::BlastShape`].
        shape: String,
        /// Seed of the shape.
        seed: u64,
        /// Texture of the exposed material.
        material: String,
        /// Hardness of the exposed material.
        hardness: f64,
    },
    /// Written as func_carve or func_fill, with exact grid points as decimals. Brushes whose corners lie on the grid read
    /// back the same; material ids refer to the level's own list.
    Brushes(Operation),
    /// A blast that the world refused and that carved movers: a save has those whole, and nothing of it.
    MoversOnly,
}

/// A part of the file that was repaired or skipped.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// 1-based; 0 where no line applies.
    pub line: u32,
    /// The warning in words.
    pub text: String,
}

/// A face whose plane is imprecise, as the decimals of its points are few.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoarseFace {
    /// Line in the file, 1-based.
    pub line: u32,
    /// Greatest distance of a corner of the face from the intended plane, units.
    pub units: f64,
}

impl CoarseFace {
    /// Limit of an editor's rounding noise: beyond it, faces that were meant to lie in one plane may not share it.
    pub const NOISE: f64 = 1.0 / 100.0;
}
