//! The textures of the open level, searched for when it opens and when the settings name another folder.
use crate::level::Pictures;
use crate::render::Textures;
use crate::world::Material;
use std::path::Path;
use std::sync::Arc;

/// The textures of a level, and the folder of the settings that was searched.
#[derive(Clone, Default)]
pub struct LevelTextures {
    /// The textures of this level only.
    pub textures: Arc<Textures>,
    /// Empty: none.
    pub folder: String,
}

impl LevelTextures {
    /// Reads them; `map` is the level's file.
    pub fn find(
        materials: &[Material],
        level: &Pictures,
        map: Option<&Path>,
        folder: String,
    ) -> Self {
        let chosen = (!folder.is_empty()).then(|| Path::new(&folder));
        Self {
            textures: Arc::new(Textures::find(materials, level, map, chosen)),
            folder,
        }
    }
}
