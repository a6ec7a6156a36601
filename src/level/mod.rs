//! `.map` files: reading, writing, and what they mean as a world. Takes and gives bytes.
//!
//! A level IS a Quake map. Reading goes through `lex` (tokens), `parse` (entities, brushes, faces), `on_grid` (all brushes
//! brought to the grid, with `brush` for one of them and `planes` for what they share), `material` (textures, with `pictures` for what they look like) and `entities`
//! (classes and keys) to `import`, which puts the world's description together. What differs between games lies in three
//! tables: `game` (which one it is), `volumes` (what is solid), `starts` (where players begin). `layers` leaves out what an
//! editor would. Writing keeps the file's own text and adds what happened since.
//! Units of the file: 32 to the metre, Z up, so (x, y, z) of the file is (x, z, −y)/32 in metres.
use crate::geom::shared::Shared;
use crate::world::{Operation, WorldDesc};
use glam::DVec3;
use std::sync::Arc;

mod brush;
mod entities;
pub mod export;
mod game;
mod grid;
mod import;
mod layers;
mod lex;
pub mod material;
mod on_grid;
mod parse;
mod pictures;
mod planes;
mod points;
pub mod rules;
mod starts;
mod sun;
mod volumes;
mod write;

pub use game::Game;
pub use material::{Look, inner, look};
pub use pictures::Pictures;
pub use points::point_file;
pub use sun::Sun;

/// A level: the file's entities, kept for saving, and what they mean.
#[derive(Clone, Debug)]
pub struct LevelDesc {
    /// What [`crate::world::World::build`] is given.
    pub world: Shared<WorldDesc>,
    /// Of each brush in `world.solids`: a rocket's radius is divided by it; infinite is unbreakable.
    pub hardness: Vec<f64>,
    /// Player starts that may be tried, eye positions in metres, with yaw in radians (see `Command::yaw`).
    pub starts: Vec<(DVec3, f64)>,
    /// Lights, for drawing.
    pub lights: Vec<Light>,
    /// Blasts of the file, for their soot: centre and radius, metres, in order.
    pub blasts: Vec<(DVec3, f64)>,
    /// Light from far away, for drawing.
    pub sun: Option<Sun>,
    /// What the file says of its textures' pictures, for drawing.
    pub pictures: Shared<Pictures>,
    /// Warnings with their line.
    pub warnings: Vec<Warning>,
    /// The face that the file's decimals place least well, where some brush lies off the grid.
    pub coarsest: Option<Coarse>,
    /// The game whose rules say what is solid.
    pub game: Game,
    /// Entities in the file.
    pub entities: usize,
    /// Brushes in the file.
    pub brushes: usize,
    /// Brushes, patches and blocks of other kinds left out.
    pub skipped: usize,
    /// The file as read, for saving: entities with unknown keys, brush text as it was.
    pub file: Shared<MapFile>,
    /// Operations since it was opened, in order; saved as func_carve, func_fill or breach_blast.
    pub since: Vec<SavedOperation>,
}

/// An operation as a save writes it.
#[derive(Clone, Debug)]
pub enum SavedOperation {
    /// Written as breach_blast: centre on 1/1024 m (grid steps, multiples of 16), radius in metres (hardness applied),
    /// the texture and the hardness of the stuff that it lays open.
    Blast {
        #[allow(missing_docs)]
        centre: glam::I64Vec3,
        #[allow(missing_docs)]
        radius: f64,
        #[allow(missing_docs)]
        shape: String,
        #[allow(missing_docs)]
        seed: u64,
        #[allow(missing_docs)]
        material: String,
        #[allow(missing_docs)]
        hardness: f64,
    },
    /// Written as func_carve or func_fill brushes (exact grid points as decimals). Brushes whose corners lie on the
    /// grid read back the same; materials are looked up in the level's own list.
    Brushes(Operation),
}

/// A light, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Where.
    pub position: DVec3,
    /// Brightness as in the file (Quake: 300 by default; reaches about that many units).
    pub intensity: f64,
    /// Linear RGB, 0..=1.
    pub colour: [f32; 3],
}

/// Something that was mended or left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// 1-based; 0 where no line applies.
    pub line: u32,
    /// What.
    pub text: String,
}

/// A face's plane as the decimals of its points say it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coarse {
    /// Its line in the file, 1-based.
    pub line: u32,
    /// How far a corner of the face may lie off the plane that was meant, units.
    pub units: f64,
}

impl Coarse {
    /// More than this is more than an editor's noise: faces that were meant to lie in one plane may not share it.
    pub const NOISE: f64 = 1.0 / 100.0;
}

/// Why a file was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{line}:{column}: {text}")]
pub struct LevelError {
    /// 1-based; 0 where no line applies.
    pub line: u32,
    /// 1-based.
    pub column: u32,
    /// What is wrong.
    pub text: String,
}

/// The entities of a file, as read.
#[derive(Clone, Debug, Default)]
pub struct MapFile {
    /// In file order.
    pub entities: Vec<Entity>,
    /// The bytes as read; a save changes four keys of worldspawn in them and appends.
    pub source: Arc<[u8]>,
}

/// One entity as read.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Key and value, Latin-1 bytes as characters, in order.
    pub keys: Vec<(String, String)>,
}

/// Where the brush or the entity of a line of the file is, metres; None where the line is of neither.
pub fn place_of_line(file: &MapFile, line: u32) -> Option<DVec3> {
    let parsed = parse::parse(&file.source).ok()?;
    let entity = parsed.entities.iter().rfind(|e| e.pos.line <= line)?;
    let of_line = entity.brushes.iter().rfind(|b| b.line <= line);
    let brush = of_line.or(entity.brushes.first());
    let faces = brush.into_iter().flat_map(|b| &b.faces);
    let points = faces.filter_map(|face| match &face.plane {
        parse::FacePlane::Points(points) => Some(*points),
        parse::FacePlane::Bare(..) => None,
    });
    let points: Vec<DVec3> = points.flatten().collect();
    let middle = match points.is_empty() {
        false => points.iter().sum::<DVec3>() / points.len() as f64,
        true => DVec3::from(entities::numbers::<3>(entity.get("origin")?)?),
    };
    Some(entities::metres(middle)).filter(|p| p.is_finite())
}

/// Reads a `.map`; never panics. Doubtful brushes are dropped with a warning; what the file's contract refuses
/// comes back with line and column.
pub fn read_map(bytes: &[u8]) -> Result<LevelDesc, LevelError> {
    import::import(bytes)
}

/// Writes the level with everything that happened since: read again, it gives the same world.
pub fn write_map(level: &LevelDesc) -> Vec<u8> {
    write::write(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_file_has_the_place_of_its_brush_or_entity() {
        let text = include_bytes!("../../trenchbroom/initial.map");
        let level = read_map(text).expect("our own level");
        let lines: Vec<&str> = std::str::from_utf8(text).expect("text").lines().collect();
        let find = |what: &str| {
            lines
                .iter()
                .position(|line| line.contains(what))
                .expect(what) as u32
                + 1
        };
        // The floor is from -176 to 176 units and 16 deep: half a metre below the room's middle.
        let floor = place_of_line(&level.file, find("( -176 -176 -16 )")).expect("a brush");
        assert!(floor.y < 0.0 && floor.y > -0.5, "{floor}");
        let light = place_of_line(&level.file, find("\"light\" \"300\"")).expect("a light");
        assert_eq!(light, DVec3::new(0.0, 3.25, 0.0));
        assert_eq!(place_of_line(&level.file, 0), None);
    }
}
