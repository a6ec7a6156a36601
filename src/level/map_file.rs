//! A file as read, which a save writes back.
use std::sync::Arc;

/// A file as read.
#[derive(Clone, Debug, Default)]
pub struct MapFile {
    /// Entities in file order.
    pub entities: Vec<Entity>,
    /// The bytes as read; a save changes a few keys of worldspawn in them and appends.
    pub source: Arc<[u8]>,
}

/// An entity as read.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Key and value, Latin-1 bytes as characters, in order.
    pub keys: Vec<(String, String)>,
}
