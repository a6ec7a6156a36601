//! Names: which entities a target, a killtarget, a corner or a destination means.
use super::classes::{CORNER, Engine, destination};
use super::reader::Reader;
use super::{Receiver, Signals};
use crate::level::parsed::ParsedEntity;
use rustc_hash::{FxHashMap, FxHashSet};

/// Receivers of all signals of a level together: many entities of one name could be sent to by as many others.
const MOST_RECEIVERS: usize = 1 << 20;

/// The entities of a file by their names for signals.
pub(in crate::level) struct Named<'a> {
    /// Names of any entity of the file.
    known: FxHashSet<&'a str>,
    /// The first corner of each name.
    corners: FxHashMap<&'a str, &'a ParsedEntity>,
    /// The first destination of each name.
    destinations: FxHashMap<&'a str, &'a ParsedEntity>,
    /// The first entity of each name that has an origin.
    places: FxHashMap<&'a str, &'a ParsedEntity>,
}

/// The name of an entity for signals.
pub(super) fn name_of(entity: &ParsedEntity) -> Option<&str> {
    entity.get("targetname").filter(|name| !name.is_empty())
}

impl<'a> Named<'a> {
    /// Of all entities of a file, and of those that are not omitted.
    pub fn new(all: &'a [ParsedEntity], kept: &[&'a ParsedEntity], engine: Engine) -> Self {
        let mut named = Self {
            known: all.iter().filter_map(name_of).collect(),
            corners: FxHashMap::default(),
            destinations: FxHashMap::default(),
            places: FxHashMap::default(),
        };
        for &entity in kept {
            let Some(name) = name_of(entity) else {
                continue;
            };
            let class = entity.class_name();
            if class == CORNER {
                named.corners.entry(name).or_insert(entity);
            }
            if destination(engine, class).is_some() {
                named.destinations.entry(name).or_insert(entity);
            }
            if entity.key("origin").is_some() {
                named.places.entry(name).or_insert(entity);
            }
        }
        named
    }

    /// The corner of a train.
    pub(super) fn corner(&self, name: &str) -> Option<&'a ParsedEntity> {
        self.corners.get(name).copied()
    }

    /// The destination of a teleport or a jump: any entity with an origin where none is for that.
    pub(super) fn place(&self, name: &str) -> Option<&'a ParsedEntity> {
        let place = self.destinations.get(name).or(self.places.get(name));
        place.copied()
    }
}

/// What an entity sends besides its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sends {
    /// Its message too.
    Message,
    /// No message: a door's is for who touches it while it is locked.
    Silently,
}

/// Who receives signals.
pub(super) struct Receivers<'a, 'n> {
    named: &'n Named<'a>,
    by_name: FxHashMap<&'a str, Vec<Receiver>>,
    room: usize,
}

impl<'a, 'n> Receivers<'a, 'n> {
    pub fn new(named: &'n Named<'a>) -> Self {
        Self {
            named,
            by_name: FxHashMap::default(),
            room: MOST_RECEIVERS,
        }
    }

    pub fn add(&mut self, entity: &'a ParsedEntity, receiver: Receiver) {
        if let Some(name) = name_of(entity) {
            self.by_name.entry(name).or_default().push(receiver);
        }
    }

    /// What an entity sends to those that the key `target` names.
    pub fn signals(&mut self, reader: &mut Reader, target: &str, sends: Sends) -> Signals {
        Signals {
            delay: reader.seconds("delay").unwrap_or(0.0),
            targets: self.of_key(reader, target),
            kills: self.of_key(reader, "killtarget"),
            message: match sends {
                Sends::Message => reader.message(),
                Sends::Silently => None,
            },
        }
    }

    fn of_key(&mut self, reader: &mut Reader, key: &str) -> Vec<Receiver> {
        let Some(name) = reader.text(key) else {
            return Vec::new();
        };
        if !self.named.known.contains(name) {
            let short: String = name.chars().take(40).collect();
            reader.warn(format!("`{key}` names nothing: {short:?}"));
        }
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        if all.len() > self.room {
            reader.warn("the level's signals have too many receivers: the rest is left out".into());
        }
        let found = &all[..all.len().min(self.room)];
        self.room -= found.len();
        found.to_vec()
    }
}
