//! A decoded image: RGBA rows, its size in the map, and whether it has holes.
use super::indexed_image::{IndexedImage, check_size};
use super::limits::{MAX_FILE_BYTES, MAX_SIDE};
use super::palette::Palette;
use super::wal;
use crate::files;
use crate::level::material::{Look, last_part, look};
use crate::render::styles::LAYER_SIZE;
use image::{ImageFormat, RgbaImage, imageops};
use std::path::Path;

/// The transparent palette index of images whose name begins with `{`.
const TRANSPARENT: u8 = 255;
/// Memory limit of decoding, bytes.
const MAX_MEMORY: u64 = 256 << 20;

/// A decoded image.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureImage {
    /// Texels across and down, as in the map.
    pub size: [u32; 2],
    /// Sides of `rgba`: reduced if the image is larger than a layer.
    pub sides: [u32; 2],
    /// Rows from the top, sRGB; alpha is 0 or 255 unless the image was reduced.
    pub rgba: Vec<u8>,
    /// It has holes.
    pub is_cut: bool,
}

impl TextureImage {
    /// From palette indices; `name` is the texture's.
    pub fn from_indexed(name: &str, image: IndexedImage, palette: &Palette) -> Self {
        let is_sky = look(name) == Look::Sky && image.size[0] == 2 * image.size[1];
        let image = if is_sky { image.sky() } else { image };
        let transparent = is_cut_out(name).then_some(TRANSPARENT);
        let texels = image.texels.iter().flat_map(|&number| {
            let [r, g, b] = palette.colours[usize::from(number)];
            [r, g, b, if transparent == Some(number) { 0 } else { 255 }]
        });
        Self::from_rgba(image.size, texels.collect())
    }

    /// Reads an image file: PNG, TGA, JPEG, or WAL with `palette`.
    ///
    /// # Errors
    /// The reason, without the path.
    pub fn read(
        name: &str,
        path: &Path,
        palette: impl FnOnce() -> Palette,
    ) -> Result<Self, String> {
        let bytes = files::read_up_to(path, MAX_FILE_BYTES).map_err(|e| files::reason(&e))?;
        let Some(format) = format_of(path) else {
            let image = wal::image(&bytes)?;
            return Ok(Self::from_indexed(name, image, &palette()));
        };
        let mut reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), format);
        let mut limits = image::Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
        limits.max_alloc = Some(MAX_MEMORY);
        reader.limits(limits);
        let image = reader.decode().map_err(|e| e.to_string())?.to_rgba8();
        let size = [image.width(), image.height()];
        check_size(size)?;
        let mut rgba = image.into_raw();
        let cuts = is_cut_out(name);
        for texel in rgba.chunks_exact_mut(4) {
            // In other images alpha may mean something else, such as gloss.
            texel[3] = if cuts && texel[3] < 128 { 0 } else { 255 };
        }
        Ok(Self::from_rgba(size, rgba))
    }

    /// From rows of RGBA; reduced to the size of a layer.
    fn from_rgba(size: [u32; 2], mut rgba: Vec<u8>) -> Self {
        let is_cut = fill_holes(&mut rgba);
        let sides = size.map(|side| side.min(LAYER_SIZE));
        if sides != size
            && let Some(whole) = RgbaImage::from_raw(size[0], size[1], std::mem::take(&mut rgba))
        {
            let filter = imageops::FilterType::Triangle;
            rgba = imageops::resize(&whole, sides[0], sides[1], filter).into_raw();
        }
        Self {
            size,
            sides,
            rgba,
            is_cut,
        }
    }
}

/// The file format by extension; None for a WAL.
fn format_of(path: &Path) -> Option<ImageFormat> {
    let kind = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match kind.as_str() {
        "png" => Some(ImageFormat::Png),
        "tga" => Some(ImageFormat::Tga),
        "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
        _ => None,
    }
}

/// The games' convention: textures with holes have names that begin with a brace.
fn is_cut_out(name: &str) -> bool {
    last_part(name).starts_with('{')
}

/// Fills holes with the mean colour of the rest, so that they do not tint their rims. Returns whether there are holes.
fn fill_holes(rgba: &mut [u8]) -> bool {
    let (mut sum, mut count) = ([0u64; 3], 0u64);
    for texel in rgba.chunks_exact(4).filter(|texel| texel[3] != 0) {
        count += 1;
        (0..3).for_each(|i| sum[i] += u64::from(texel[i]));
    }
    let mean = sum.map(|s| (s / count.max(1)) as u8);
    let holes = rgba.chunks_exact_mut(4).filter(|texel| texel[3] == 0);
    let filled = holes.map(|texel| texel[..3].copy_from_slice(&mean));
    filled.count() > 0
}
