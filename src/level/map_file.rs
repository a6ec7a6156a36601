//! A file as read, which a save writes back.
use std::ops::Range;
use std::sync::Arc;

/// A file as read.
#[derive(Clone, Debug, Default)]
pub struct MapFile {
    /// Entities in file order.
    pub entities: Vec<Entity>,
    /// The bytes as read; a save changes a few keys of worldspawn in them and appends.
    pub source: Arc<[u8]>,
    /// The first worldspawn, where a save writes its keys.
    pub world: Option<WorldPlace>,
}

/// Where an entity stands in the source.
#[derive(Clone, Debug, Default)]
pub struct WorldPlace {
    /// Just behind its opening brace, bytes from the start.
    pub inside: usize,
    /// Its keys of ours, and the bytes of their values without the quotes; these are numbers.
    pub values: Vec<(String, Range<usize>)>,
}

/// An entity as read.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Key and value, Latin-1 bytes as characters, in order.
    pub keys: Vec<(String, String)>,
}
