//! The images of one level, by texture name.
use super::library::{Library, SearchPaths};
use super::limits::{MAX_IMAGES, MAX_TEXELS};
use super::tally::Tally;
use super::texture_image::TextureImage;
use crate::level::Pictures;
use crate::world::{BEDROCK, Material, MaterialId};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// The images of one level's textures, decoded.
#[derive(Debug, Default)]
pub struct Textures {
    pub(super) images: Vec<TextureImage>,
    /// Index into `images`, by the texture name in the level.
    numbers: FxHashMap<String, u32>,
    /// See [`crate::level::Pictures::fitted`].
    fitted: Vec<MaterialId>,
    /// By material: whether its image has holes.
    has_holes: Arc<Vec<bool>>,
    tally: Tally,
    warnings: Vec<String>,
}

impl Textures {
    /// Finds and decodes the images of a level's materials: those that `level` names, beside its file `map` and in `folder`,
    /// and all in `folder`. Reads files, so it may be slow. Problems are in [`Textures::warnings`].
    pub fn find(
        materials: &[Material],
        level: &Pictures,
        map: Option<&Path>,
        folder: Option<&Path>,
    ) -> Self {
        let mut library = Library::new(&SearchPaths {
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
            if textures.images.len() == MAX_IMAGES || texels > MAX_TEXELS {
                too_many.push(texture);
                continue;
            }
            if let Some(image) = library.image(texture) {
                let [width, height] = image.size.map(u64::from);
                texels += width * height;
                let number = textures.images.len() as u32;
                textures.numbers.insert(texture.to_owned(), number);
                textures.images.push(image);
            }
        }
        let has_holes = |material: &Material| {
            let image = textures.image_of(&material.texture);
            !material.inner && image.is_some_and(|(_, image)| image.is_cut)
        };
        textures.has_holes = Arc::new(materials.iter().map(has_holes).collect());
        // The level's boundary is no texture of its file.
        let is_ours = |name: &&str| *name == BEDROCK && !textures.numbers.contains_key(*name);
        textures.tally.asked = seen.iter().filter(|name| !is_ours(name)).count();
        textures.tally.found = textures.images.len();
        textures.tally.missing_wads = std::mem::take(&mut library.missing);
        textures.warnings = library.warnings;
        if let Some(first) = too_many.first() {
            let (count, mebi) = (too_many.len(), MAX_TEXELS >> 20);
            let text = format!(
                "more than {MAX_IMAGES} images, or more than {mebi} Mi texels: {first} and {} more keep their procedural materials",
                count - 1
            );
            textures.warnings.push(text);
        }
        textures
    }

    /// The images of a folder, for these materials.
    pub fn from_folder(folder: &Path, materials: &[Material]) -> Self {
        Self::find(materials, &Pictures::default(), None, Some(folder))
    }

    /// The result of the search.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Warnings.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The colour of the first image's first texel.
    #[cfg(test)]
    pub fn first_texel(&self) -> Option<[u8; 3]> {
        let rgba = &self.images.first()?.rgba;
        Some([rgba[0], rgba[1], rgba[2]])
    }

    /// By material: whether its image has holes. For [`crate::view::Fences`].
    pub fn has_holes(&self) -> &Arc<Vec<bool>> {
        &self.has_holes
    }

    /// Number of images.
    pub(in crate::render) fn count(&self) -> u32 {
        self.images.len() as u32
    }

    /// The image of a texture, with its number.
    pub(in crate::render) fn image_of(&self, texture: &str) -> Option<(u32, &TextureImage)> {
        let number = *self.numbers.get(texture)?;
        Some((number, self.image(number)?))
    }

    /// An image by its number.
    pub(in crate::render) fn image(&self, number: u32) -> Option<&TextureImage> {
        self.images.get(number as usize)
    }

    /// Whether a material maps its image as 64 texels a side.
    pub(in crate::render) fn is_fitted(&self, material: MaterialId) -> bool {
        self.fitted.binary_search(&material).is_ok()
    }
}
