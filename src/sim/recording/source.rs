//! The level of a recording: its bytes, or a path and a hash.
use crate::geom::hash::Hash64;
use crate::level::{LevelDesc, LevelError, read_recorded_map};
use serde::{Deserialize, Serialize};

/// The level of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum LevelSource {
    /// The `.map` itself, each byte as a character.
    Text {
        /// See [`LevelSource::embed`].
        text: String,
        /// [`Curves::asked`](crate::level::Curves::asked). Missing, thus 0, in recordings from before curves were solid, and in
        /// those of levels without any.
        #[serde(default, skip_serializing_if = "is_zero")]
        curves: f64,
        /// The level's liquids are there. Missing, thus false, in recordings from before liquids, and in those of levels without
        /// any.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        liquids: bool,
        /// The level's movers are there. Missing, thus false, in recordings from before movers, and in those of levels without
        /// any.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        movers: bool,
    },
    /// A file.
    Path {
        /// As given on the command line, or relative to the recording.
        path: String,
        /// [`level_hash`] of its bytes as 16 hex digits.
        hash: String,
        /// As for a text.
        #[serde(default, skip_serializing_if = "is_zero")]
        curves: f64,
        /// As for a text.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        liquids: bool,
        /// As for a text.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        movers: bool,
    },
}

fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl LevelSource {
    /// Embeds the level's bytes in the recording.
    pub fn embed(map: &[u8]) -> Self {
        Self::Text {
            text: map.iter().map(|&byte| char::from(byte)).collect(),
            curves: 0.0,
            liquids: false,
            movers: false,
        }
    }

    /// Refers to a file with these bytes.
    pub fn refer(path: &str, map: &[u8]) -> Self {
        Self::Path {
            path: path.into(),
            hash: format!("{:016x}", level_hash(map)),
            curves: 0.0,
            liquids: false,
            movers: false,
        }
    }

    /// The same source, to be read as this level was.
    #[must_use]
    pub fn as_read(mut self, level: &LevelDesc) -> Self {
        let (Self::Text {
            curves,
            liquids,
            movers,
            ..
        }
        | Self::Path {
            curves,
            liquids,
            movers,
            ..
        }) = &mut self;
        *curves = level.curves.asked;
        *liquids = !level.liquids.is_empty();
        *movers = !level.movers.is_empty();
        self
    }

    /// Reads the level from its bytes as it was when the recording was made.
    pub fn read(&self, map: &[u8]) -> Result<LevelDesc, LevelError> {
        let (Self::Text {
            curves,
            liquids,
            movers,
            ..
        }
        | Self::Path {
            curves,
            liquids,
            movers,
            ..
        }) = self;
        read_recorded_map(map, *curves, *liquids, *movers)
    }

    /// The embedded bytes; None for a path.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text { text, .. } => Some(Self::decode(text)),
            Self::Path { .. } => None,
        }
    }

    /// The bytes of an embedded level; characters beyond U+00FF become question marks.
    pub fn decode(text: &str) -> Vec<u8> {
        let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
        text.chars().map(byte).collect()
    }

    /// Whether these bytes are those that were recorded.
    pub fn matches(&self, map: &[u8]) -> bool {
        match self {
            Self::Text { .. } => self.bytes().is_some_and(|bytes| bytes == map),
            Self::Path { hash, .. } => *hash == format!("{:016x}", level_hash(map)),
        }
    }
}

/// Hash of a level file.
pub fn level_hash(map: &[u8]) -> u64 {
    let mut hash = Hash64::new();
    hash.bytes(map);
    hash.finish()
}
