//! One picture as it is drawn: RGBA rows, how many texels the map counts, and whether one sees through a part of it.
use super::palette::Palette;
use super::{MOST_BYTES, MOST_SIDE, wal};
use crate::files;
use crate::level::material::{Look, last_part, look};
use crate::render::materials::SIZE;
use image::{ImageFormat, RgbaImage, imageops};
use std::path::Path;

/// The number of the colour that one sees through, in a picture whose name begins with `{`.
const CLEAR: u8 = 255;
/// Bytes that decoding one picture may take.
const MOST_MEMORY: u64 = 256 << 20;

/// Numbers of a palette's colours, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Indexed {
    /// Width and height, texels.
    pub size: [u32; 2],
    /// One byte a texel.
    pub texels: Vec<u8>,
}

impl Indexed {
    /// The texels at a place in bytes.
    ///
    /// # Errors
    /// A side of nothing or of more than [`MOST_SIDE`], or texels beyond the end.
    pub fn new(size: [u32; 2], bytes: &[u8], place: u32) -> Result<Self, String> {
        check_size(size)?;
        let [width, height] = size;
        // A picture without texels of its own points to a place within its head.
        let end = (place as usize).checked_add(width as usize * height as usize);
        let texels = end.and_then(|end| bytes.get(place as usize..end));
        let texels = texels.filter(|_| place != 0);
        let texels = texels.ok_or("it is cut off within its texels")?.to_vec();
        Ok(Self { size, texels })
    }

    /// The sky of Quake is two pictures side by side, clouds over what lies behind them: laid over each other here.
    fn sky(self) -> Self {
        let [width, height] = self.size;
        let half = width as usize / 2;
        let rows = self.texels.chunks_exact(width as usize);
        let texels = rows.flat_map(|row| {
            let (clouds, behind) = row.split_at(half);
            let both = clouds.iter().zip(behind);
            both.map(|(&over, &under)| if over == 0 { under } else { over })
        });
        Self {
            texels: texels.collect(),
            size: [half as u32, height],
        }
    }
}

fn check_size([width, height]: [u32; 2]) -> Result<(), String> {
    let side = 1..=MOST_SIDE;
    if side.contains(&width) && side.contains(&height) {
        Ok(())
    } else {
        Err(format!(
            "it is {width}x{height}; each side must be 1 to {MOST_SIDE}"
        ))
    }
}

/// A picture that can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Texels across and down, as a map counts them.
    pub size: [u32; 2],
    /// Sides of `rgba`: smaller where the picture is larger than a layer.
    pub sides: [u32; 2],
    /// Rows from the top, sRGB; alpha is 0 or 255 but where the picture was made smaller.
    pub rgba: Vec<u8>,
    /// One sees through a part of it.
    pub is_cut: bool,
}

impl Picture {
    /// Of a palette's colours; `name` is the texture's.
    pub fn of_indexed(name: &str, picture: Indexed, palette: &Palette) -> Self {
        let is_sky = look(name) == Look::Sky && picture.size[0] == 2 * picture.size[1];
        let picture = if is_sky { picture.sky() } else { picture };
        let clear = is_cut_out(name).then_some(CLEAR);
        let texels = picture.texels.iter().flat_map(|&number| {
            let [r, g, b] = palette.colours[usize::from(number)];
            [r, g, b, if clear == Some(number) { 0 } else { 255 }]
        });
        Self::of_rgba(picture.size, texels.collect())
    }

    /// Reads a picture of its own file: PNG, TGA, JPEG, or WAL, for which `palette` is asked.
    ///
    /// # Errors
    /// Why there is none, without the path.
    pub fn read(
        name: &str,
        path: &Path,
        palette: impl FnOnce() -> Palette,
    ) -> Result<Self, String> {
        let bytes = files::read_up_to(path, MOST_BYTES).map_err(|e| files::reason(&e))?;
        let Some(format) = format_of(path) else {
            let picture = wal::picture(&bytes)?;
            return Ok(Self::of_indexed(name, picture, &palette()));
        };
        let mut reader = image::ImageReader::with_format(std::io::Cursor::new(bytes), format);
        let mut limits = image::Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(MOST_SIDE), Some(MOST_SIDE));
        limits.max_alloc = Some(MOST_MEMORY);
        reader.limits(limits);
        let picture = reader.decode().map_err(|e| e.to_string())?.to_rgba8();
        let size = [picture.width(), picture.height()];
        check_size(size)?;
        let mut rgba = picture.into_raw();
        let cuts = is_cut_out(name);
        for texel in rgba.chunks_exact_mut(4) {
            // Elsewhere a file's alpha says other things than what one sees through: how it shines, for one.
            texel[3] = if cuts && texel[3] < 128 { 0 } else { 255 };
        }
        Ok(Self::of_rgba(size, rgba))
    }

    /// `rgba` are as many rows as `size` says.
    fn of_rgba(size: [u32; 2], mut rgba: Vec<u8>) -> Self {
        let is_cut = fill_clear(&mut rgba);
        let sides = size.map(|side| side.min(SIZE));
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

/// The file's own format; None of a WAL.
fn format_of(path: &Path) -> Option<ImageFormat> {
    let kind = path.extension()?.to_string_lossy().to_ascii_lowercase();
    match kind.as_str() {
        "png" => Some(ImageFormat::Png),
        "tga" => Some(ImageFormat::Tga),
        "jpg" | "jpeg" => Some(ImageFormat::Jpeg),
        _ => None,
    }
}

/// The habit of the games: what one sees through in part has a name that begins with a brace.
fn is_cut_out(name: &str) -> bool {
    last_part(name).starts_with('{')
}

/// Gives what is clear the mean colour of the rest, which it would else tint at its rim; whether anything is clear.
fn fill_clear(rgba: &mut [u8]) -> bool {
    let (mut sum, mut count) = ([0u64; 3], 0u64);
    for texel in rgba.chunks_exact(4).filter(|texel| texel[3] != 0) {
        count += 1;
        (0..3).for_each(|i| sum[i] += u64::from(texel[i]));
    }
    let mean = sum.map(|s| (s / count.max(1)) as u8);
    let clear = rgba.chunks_exact_mut(4).filter(|texel| texel[3] == 0);
    let filled = clear.map(|texel| texel[..3].copy_from_slice(&mean));
    filled.count() > 0
}
