//! What do a level's own textures look like? Pictures out of WADs and folders, instead of made materials.
//!
//! A level names its textures; `find` knows where their pictures may lie and in which order that counts, `wad`, `wal` and
//! `picture` read them, `palette` has colours for what holds only their numbers. A picture lies as the map says: its texels
//! are the map's. It stands for the built surface alone: what a blast lays open stays rubble. What cannot be read is named in
//! a warning, and the made material stays.
//!
//! Nothing but drawing knows of it: the world, its hash and recordings are the same with and without.
mod find;
mod palette;
mod picture;
#[cfg(test)]
mod tests;
mod wad;
mod wal;

use crate::level::Pictures;
use crate::world::{BEDROCK, Material, MaterialId};
use find::{Library, Where};
pub use palette::OWN as OWN_PALETTE;
use picture::Indexed;
pub(super) use picture::Picture;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// At most so many pictures are on the graphics card, where each takes some 2.8 MB.
pub(super) const MOST: usize = 160;
/// Largest side of a picture, texels.
const MOST_SIDE: u32 = 4096;
/// Bytes of the largest file with one picture.
const MOST_BYTES: u64 = 64 << 20;
/// Texels of all pictures of a level: what decodes to more takes too long.
const MOST_TEXELS: u64 = 256 << 20;

/// Pictures for the textures of one level, read and ready to be drawn.
#[derive(Debug, Default)]
pub struct Textures {
    pictures: Vec<Picture>,
    /// By the name of the texture as the level has it.
    numbers: FxHashMap<String, u32>,
    /// See [`crate::level::Pictures::fitted`].
    fitted: Vec<MaterialId>,
    /// Of each material: one sees through a part of its picture.
    clear: Arc<Vec<bool>>,
    tally: Tally,
    warnings: Vec<String>,
}

/// What came of looking for pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Textures of the level's built surfaces.
    pub asked: usize,
    /// Those of them that have a picture.
    pub found: usize,
    /// File names of WADs that the level asks for and that are nowhere.
    pub missing_wads: Vec<String>,
}

impl Tally {
    /// In words: `12 of 34 with an image; not found: base.wad`.
    pub fn words(&self) -> String {
        const SHOWN: usize = 4;
        let Tally {
            asked,
            found,
            missing_wads,
        } = self;
        let names: Vec<&str> = missing_wads
            .iter()
            .map(String::as_str)
            .take(SHOWN)
            .collect();
        let more = match missing_wads.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let missing = match names.is_empty() {
            true => String::new(),
            false => format!("; not found: {}{more}", names.join(", ")),
        };
        format!("{found} of {asked} with an image{missing}")
    }

    /// Whether there is anything to say: a WAD was asked for or a picture found.
    pub fn is_news(&self) -> bool {
        self.found > 0 || !self.missing_wads.is_empty()
    }
}

impl Textures {
    /// Finds and reads the pictures of a level's materials: what `level` asks for beside its file `map` and in `folder`,
    /// and all that is in `folder`. Takes as long as reading files takes. What is wrong is in [`Textures::warnings`].
    pub fn find(
        materials: &[Material],
        level: &Pictures,
        map: Option<&Path>,
        folder: Option<&Path>,
    ) -> Self {
        let mut library = Library::new(&Where {
            map,
            folder,
            wads: &level.wads,
        });
        let mut textures = Self {
            fitted: level.fitted.clone(),
            ..Self::default()
        };
        let mut texels = 0;
        let mut too_many = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for material in materials.iter().filter(|material| !material.inner) {
            seen.push(&material.texture);
        }
        seen.sort_unstable();
        seen.dedup();
        for &texture in &seen {
            if textures.pictures.len() == MOST || texels > MOST_TEXELS {
                too_many.push(texture);
                continue;
            }
            if let Some(picture) = library.picture(texture) {
                let [width, height] = picture.size.map(u64::from);
                texels += width * height;
                let number = textures.pictures.len() as u32;
                textures.numbers.insert(texture.to_owned(), number);
                textures.pictures.push(picture);
            }
        }
        let is_clear = |material: &Material| {
            let shown = textures.of_texture(&material.texture);
            !material.inner && shown.is_some_and(|(_, picture)| picture.is_cut)
        };
        textures.clear = Arc::new(materials.iter().map(is_clear).collect());
        // Where the level ends is no texture of its file.
        let is_ours = |name: &&str| *name == BEDROCK && !textures.numbers.contains_key(*name);
        textures.tally.asked = seen.iter().filter(|name| !is_ours(name)).count();
        textures.tally.found = textures.pictures.len();
        textures.tally.missing_wads = std::mem::take(&mut library.missing);
        textures.warnings = library.warnings;
        if let Some(first) = too_many.first() {
            let (count, mebi) = (too_many.len(), MOST_TEXELS >> 20);
            let text = format!(
                "more than {MOST} images, or more than {mebi} Mi texels: {first} and {} more keep their procedural materials",
                count - 1
            );
            textures.warnings.push(text);
        }
        textures
    }

    /// The pictures of a folder alone, for these materials.
    pub fn of_folder(folder: &Path, materials: &[Material]) -> Self {
        Self::find(materials, &Pictures::default(), None, Some(folder))
    }

    /// What came of it.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What was wrong, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The colour of the first picture's first texel.
    #[cfg(test)]
    pub fn first_texel(&self) -> Option<[u8; 3]> {
        let rgba = &self.pictures.first()?.rgba;
        Some([rgba[0], rgba[1], rgba[2]])
    }

    /// Of each material, by number: one sees through a part of its picture. For [`crate::view::Fences`].
    pub fn clear(&self) -> &Arc<Vec<bool>> {
        &self.clear
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.pictures.len() as u32
    }

    /// The number of the picture that a texture shows, and the picture.
    pub(super) fn of_texture(&self, texture: &str) -> Option<(u32, &Picture)> {
        let number = *self.numbers.get(texture)?;
        Some((number, self.picture(number)?))
    }

    /// A picture by its number.
    pub(super) fn picture(&self, number: u32) -> Option<&Picture> {
        self.pictures.get(number as usize)
    }

    /// Whether a material counts any picture as 64 texels a side.
    pub(super) fn is_fitted(&self, material: MaterialId) -> bool {
        self.fitted.binary_search(&material).is_ok()
    }
}
