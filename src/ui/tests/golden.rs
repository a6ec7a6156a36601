//! Pictures of panels as they are to be, kept in tests/golden/panels. `UPDATE_SNAPSHOTS=1` takes what is painted now as
//! right. They are painted without a GPU, so little but the machine's rounding differs.
use egui::{ColorImage, Rect};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageEncoder, RgbImage};
use std::path::{Path, PathBuf};

/// Steps of 255 by which a pixel may differ: the last digit of a colour.
const STEPS: u8 = 12;
/// Pixels in ten thousand that may differ by more: edges fall to one side or the other.
const STRAY: usize = 5;

/// Compares what is painted at a place, pixels, with its golden picture; a difference is kept to be looked at.
pub fn compare(name: &str, painted: &ColorImage, place: Rect) -> Result<(), String> {
    let found = cut(painted, place);
    let file = format!("{name}.png");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/panels");
    let path = folder.join(&file);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return save(&path, &found);
    }
    let golden = image::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let golden = golden.into_rgb8();
    if golden.dimensions() != found.dimensions() {
        let (was, is) = (golden.dimensions(), found.dimensions());
        return Err(format!("{name} was of {was:?} pixels and is of {is:?}"));
    }
    let apart = |(a, b): (&u8, &u8)| a.abs_diff(*b);
    let off: Vec<u8> = golden.iter().zip(found.iter()).map(apart).collect();
    let is_far = |pixel: &&[u8]| pixel.iter().any(|step| *step > STEPS);
    let stray = off.chunks(3).filter(is_far).count();
    if stray * 10_000 <= off.len() / 3 * STRAY {
        return Ok(());
    }
    let difference = off.iter().map(|step| step.saturating_mul(4)).collect();
    let difference = RgbImage::from_raw(found.width(), found.height(), difference);
    let [is, differs] = ["is", "differs"].map(|what| scratch().join(format!("{name}-{what}.png")));
    save(&is, &found)?;
    save(&differs, &difference.unwrap_or_default())?;
    Err(format!(
        "{name}: {stray} pixels are off; what is painted is in {}, four times the difference in {}",
        is.display(),
        differs.display()
    ))
}

/// A part of a picture.
fn cut(picture: &ColorImage, place: Rect) -> RgbImage {
    let (left, top) = (place.left() as usize, place.top() as usize);
    let (width, height) = (place.width() as u32, place.height() as u32);
    RgbImage::from_fn(width, height, |x, y| {
        let [r, g, b, _] = picture[(left + x as usize, top + y as usize)].to_array();
        image::Rgb([r, g, b])
    })
}

/// The build's own folder of files that nobody keeps.
fn scratch() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3).unwrap_or(Path::new("."));
    target.join("tmp")
}

fn save(path: &Path, picture: &RgbImage) -> Result<(), String> {
    let mut bytes = Vec::new();
    let (width, height) = picture.dimensions();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive)
        .write_image(picture, width, height, image::ExtendedColorType::Rgb8)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    std::fs::create_dir_all(path.parent().unwrap_or(path))
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| format!("{}: {error}", path.display()))
}
