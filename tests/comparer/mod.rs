//! Does a picture show what it should? One answer for every test that compares pictures: golden pictures of the renderer
//! and of the panels, and what is drawn after a way that should not matter.
//!
//! Small things are lost in a tolerance over a whole picture: a few lines are less than what drivers round differently.
//! So what a picture shows is its difference from a control picture, the same one without that. Of this difference only a
//! small part may be missing, wrong or too much. The control picture is drawn by the same driver, so what that rounds
//! differently all over is in neither difference.
use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A picture, and the same one without what it is to show: RGBA rows.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub picture: &'a [u8],
    pub control: &'a [u8],
}

/// What may differ.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Steps of 255 all over the picture, in the mean.
    pub mean: f64,
    /// A channel of a pixel that is off by more steps makes it a stray one.
    pub far: u8,
    /// Stray pixels in ten thousand: edges fall to one side or the other.
    pub stray: usize,
    /// Of the difference from the control picture.
    pub part: f64,
}

/// Nothing at all: the same program on the same driver.
pub const SAME: Tolerance = Tolerance {
    mean: 0.0,
    far: 0,
    stray: 0,
    part: 0.0,
};

/// Whether what was found shows what is wanted; the error says in numbers how far it is from that.
pub fn compare(found: &Shown, wanted: &Shown, tolerance: &Tolerance) -> Result<(), String> {
    let bytes = wanted.picture.len();
    let all = [found.picture, found.control, wanted.control];
    if all.iter().any(|rows| rows.len() != bytes) || bytes == 0 {
        return Err("pictures of different sizes".into());
    }
    let off = differences(found.picture, wanted.picture);
    let mean = sum(&off) as f64 / off.len() as f64;
    let is_stray = |pixel: &&[u8]| pixel.iter().any(|&step| step > tolerance.far);
    let stray = off.chunks(4).filter(is_stray).count();
    let shows = sum(&differences(wanted.picture, wanted.control));
    let change =
        |shown: &Shown, i: usize| i32::from(shown.picture[i]) - i32::from(shown.control[i]);
    let wrong = (0..bytes).map(|i| u64::from(change(found, i).abs_diff(change(wanted, i))));
    let wrong: u64 = wrong.sum();
    if shows == 0 {
        return Err("what is wanted is the control picture: nothing is shown".into());
    }
    let part = wrong as f64 / shows as f64;
    if mean <= tolerance.mean
        && stray * 10_000 <= bytes / 4 * tolerance.stray
        && part <= tolerance.part
    {
        return Ok(());
    }
    Err(format!(
        "{:.1} % of what it shows is wrong; mean difference {mean:.2}, {stray} pixels far off",
        part * 100.0
    ))
}

/// What a golden picture is compared with beside what was found.
#[derive(Clone, Copy)]
pub enum Control<'a> {
    /// Another golden picture, and that one as it was found.
    Golden(&'a Path, &'a [u8]),
    /// Of a picture that nothing can be left out of: its [`ground`].
    Ground,
}

/// [`compare`] with a golden picture, a PNG file. A difference is written to a folder that nobody keeps; the error says
/// where. `UPDATE_SNAPSHOTS=1` takes what was found as right.
pub fn check_golden(
    path: &Path,
    found: &[u8],
    size: [u32; 2],
    control: Control,
    tolerance: &Tolerance,
) -> Result<(), String> {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return save(path, found, size);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (picture, was) = golden(path)?;
    if was != size {
        return Err(format!("{name} was of {was:?} pixels and is of {size:?}"));
    }
    let without = match control {
        Control::Golden(path, _) => golden(path)?.0,
        Control::Ground => ground(&picture),
    };
    let wanted = Shown {
        picture: &picture,
        control: &without,
    };
    let found = Shown {
        picture: found,
        control: match control {
            Control::Golden(_, found) => found,
            Control::Ground => &without,
        },
    };
    compare(&found, &wanted, tolerance).map_err(|why| {
        let mut off = differences(found.picture, &picture);
        for (i, step) in off.iter_mut().enumerate() {
            *step = if i % 4 == 3 {
                255
            } else {
                step.saturating_mul(4)
            };
        }
        let kept = |what: &str, rows: &[u8]| {
            let path = scratch().join(format!("{name}-{what}.png"));
            save(&path, rows, size).map_or_else(|why| why, |()| path.display().to_string())
        };
        format!(
            "{name}: {why}; what was found is in {}, four times the difference in {}",
            kept("is", found.picture),
            kept("differs", &off)
        )
    })
}

/// A golden picture as RGBA rows, and its size.
pub fn golden(path: &Path) -> Result<(Vec<u8>, [u32; 2]), String> {
    let picture = image::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let picture = picture.into_rgba8();
    let size = picture.dimensions().into();
    Ok((picture.into_raw(), size))
}

/// The control of a picture that nothing can be left out of: its ground, which is the colour of most pixels, all over.
pub fn ground(picture: &[u8]) -> Vec<u8> {
    let mut colours = HashMap::new();
    for pixel in picture.chunks_exact(4) {
        *colours.entry(pixel).or_insert(0) += 1;
    }
    let most = colours
        .into_iter()
        .max_by_key(|&(colour, count)| (count, colour));
    let colour = most.map_or(&[0; 4][..], |(colour, _): (&[u8], usize)| colour);
    colour.repeat(picture.len() / 4)
}

/// The picture with every second square of so many pixels as in its control: half of what it shows is gone.
pub fn without_half(shown: &Shown, width: u32, square: usize) -> Vec<u8> {
    let pixels = shown.picture.chunks(4).zip(shown.control.chunks(4));
    let pixels = pixels.enumerate().map(|(i, (picture, control))| {
        let (column, row) = (i % width as usize, i / width as usize);
        match (column / square + row / square).is_multiple_of(2) {
            true => control,
            false => picture,
        }
    });
    pixels.flatten().copied().collect()
}

fn differences(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).collect()
}

fn sum(steps: &[u8]) -> u64 {
    steps.iter().map(|&step| u64::from(step)).sum()
}

/// The build's own folder of files that nobody keeps.
fn scratch() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3).unwrap_or(Path::new("."));
    target.join("tmp")
}

fn save(path: &Path, rows: &[u8], [width, height]: [u32; 2]) -> Result<(), String> {
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let rgb: Vec<u8> = rows
        .chunks(4)
        .flat_map(|pixel| &pixel[..3])
        .copied()
        .collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive)
        .write_image(&rgb, width, height, image::ExtendedColorType::Rgb8)
        .map_err(|error| failed(&error))?;
    std::fs::create_dir_all(path.parent().unwrap_or(path))
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| failed(&error))
}
