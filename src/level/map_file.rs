//! A file as read, which a save writes back.
use super::parsed::{Key, Parsed};
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

impl WorldPlace {
    /// The place of the first worldspawn.
    pub(super) fn of(parsed: &Parsed) -> Option<WorldPlace> {
        let mut entities = parsed.entities.iter();
        let world = entities.find(|e| e.class_name() == "worldspawn")?;
        let ours = world
            .keys
            .iter()
            .filter(|key| key.name.starts_with("breach_"));
        let value = |key: &Key| {
            let start = key.pos.offset + 1;
            (key.name.clone(), start..start + key.value.chars().count())
        };
        Some(WorldPlace {
            inside: world.pos.offset + 1,
            values: ours.map(value).collect(),
        })
    }
}

/// An entity as read.
#[derive(Clone, Debug, Default)]
pub struct Entity {
    /// Key and value, Latin-1 bytes as characters, in order.
    pub keys: Vec<(String, String)>,
}
