//! Which level a recording is of: its bytes, or where they are and their fingerprint.
use crate::geom::hash::Hash64;
use serde::{Deserialize, Serialize};

/// Where a recording's level is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum LevelSource {
    /// The `.map` itself, each byte as a character.
    Text {
        /// See [`LevelSource::embed`].
        text: String,
    },
    /// A file beside.
    Path {
        /// As given on the command line, or relative to the recording.
        path: String,
        /// [`level_hash`] of its bytes as 16 hex digits.
        hash: String,
    },
}

impl LevelSource {
    /// The level's bytes inside the recording.
    pub fn embed(map: &[u8]) -> Self {
        Self::Text {
            text: map.iter().map(|&byte| char::from(byte)).collect(),
        }
    }

    /// A reference to a file with these bytes.
    pub fn refer(path: &str, map: &[u8]) -> Self {
        Self::Path {
            path: path.into(),
            hash: format!("{:016x}", level_hash(map)),
        }
    }

    /// The embedded bytes; None for a path.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text { text } => Some(Self::bytes_of(text)),
            Self::Path { .. } => None,
        }
    }

    /// The bytes of an embedded level; a character that stands for none is a question mark.
    pub fn bytes_of(text: &str) -> Vec<u8> {
        let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
        text.chars().map(byte).collect()
    }

    /// Whether these bytes are the ones that were recorded.
    pub fn is(&self, map: &[u8]) -> bool {
        match self {
            Self::Text { .. } => self.bytes().is_some_and(|bytes| bytes == map),
            Self::Path { hash, .. } => *hash == format!("{:016x}", level_hash(map)),
        }
    }
}

/// Fingerprint of a level file.
pub fn level_hash(map: &[u8]) -> u64 {
    let mut hash = Hash64::new();
    hash.bytes(map);
    hash.finish()
}
