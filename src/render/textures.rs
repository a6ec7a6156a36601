//! Pictures of one's own in place of made materials: a folder of PNGs named like the textures.
//!
//! A picture covers two metres, as the made materials do. It stands for the built surface alone: what a blast lays
//! open stays rubble. What cannot be read is named in a warning, and the made material stays.
use super::materials::SIZE;
use crate::files;
use crate::level::material::last_part;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// At most so many pictures are on the graphics card.
const MOST: usize = 64;
/// Largest side of a picture that is read, pixels.
const MOST_SIDE: u32 = 8192;

/// A folder of pictures, and those that the level has asked for.
#[derive(Debug, Default)]
pub struct Textures {
    /// By the texture's name in lower case.
    files: FxHashMap<String, PathBuf>,
    /// Names that were asked for; None where there is no picture or it is broken.
    known: FxHashMap<String, Option<u32>>,
    /// RGBA rows of `SIZE` × `SIZE`, by slot.
    pictures: Vec<Vec<u8>>,
    warnings: Vec<String>,
}

impl Textures {
    /// The PNGs of a folder, by name; they are read when a level shows them. The error is that of the folder.
    pub fn of_folder(folder: &Path) -> Result<Self, String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
        let mut files = FxHashMap::default();
        for entry in std::fs::read_dir(folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            let is_png = path
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("png"));
            if let Some(name) = path.file_stem().filter(|_| is_png) {
                files.insert(name.to_string_lossy().to_ascii_lowercase(), path);
            }
        }
        Ok(Self {
            files,
            ..Self::default()
        })
    }

    /// How many slots there may be.
    pub(super) fn most(&self) -> u32 {
        self.files.len().min(MOST) as u32
    }

    /// The slot with the picture of this texture.
    pub(super) fn slot(&mut self, texture: &str) -> Option<u32> {
        let name = last_part(texture).to_ascii_lowercase();
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        let slot = self.files.get(&name).cloned().and_then(|path| {
            if self.pictures.len() == MOST {
                let text = format!("{}: more than {MOST} pictures", path.display());
                self.warnings.push(text);
                return None;
            }
            match read(&path) {
                Ok(pixels) => {
                    self.pictures.push(pixels);
                    Some(self.pictures.len() as u32 - 1)
                }
                Err(error) => {
                    let why = error.trim_end_matches('.');
                    let text = format!("{}: {why}; the made material stays", path.display());
                    self.warnings.push(text);
                    None
                }
            }
        });
        self.known.insert(name, slot);
        slot
    }

    /// Another level is shown: all slots are free for what it asks for.
    pub(super) fn forget_pictures(&mut self) {
        self.known.clear();
        self.pictures.clear();
    }

    /// RGBA rows of a slot.
    pub(super) fn pixels(&self, slot: u32) -> Option<&[u8]> {
        self.pictures.get(slot as usize).map(Vec::as_slice)
    }

    /// What was wrong since the last call, in words.
    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

/// RGBA rows of `SIZE` × `SIZE`.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let wrong = |error: &dyn std::fmt::Display| error.to_string();
    let bytes = files::read(path).map_err(|e| files::reason(&e))?;
    let mut reader =
        image::ImageReader::with_format(std::io::Cursor::new(bytes), image::ImageFormat::Png);
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MOST_SIDE), Some(MOST_SIDE));
    reader.limits(limits);
    let picture = reader.decode().map_err(|e| wrong(&e))?.to_rgba8();
    let filter = image::imageops::FilterType::Triangle;
    Ok(image::imageops::resize(&picture, SIZE, SIZE, filter).into_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_go_by_the_last_part_of_a_textures_name_and_broken_ones_warn_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let red = image::RgbaImage::from_pixel(3, 5, image::Rgba([200, 0, 0, 255]));
        red.save(folder.path().join("WALL_1.PNG"))
            .expect("a picture");
        std::fs::write(folder.path().join("broken.png"), b"no picture").expect("a file");
        std::fs::write(folder.path().join("wall_2.txt"), b"").expect("a file");
        let mut textures = Textures::of_folder(folder.path()).expect("a folder");
        assert_eq!(textures.slot("base/Wall_1"), Some(0));
        assert_eq!(textures.slot("wall_1"), Some(0));
        assert_eq!(textures.slot("wall_2"), None);
        assert!(textures.take_warnings().is_empty());
        for _ in 0..2 {
            assert_eq!(textures.slot("broken"), None);
        }
        let warnings = textures.take_warnings();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("broken.png"), "{warnings:?}");
        let pixels = textures.pixels(0).expect("its pixels");
        assert_eq!(pixels.len(), (SIZE * SIZE * 4) as usize);
        assert!(pixels.chunks(4).all(|p| p == [200, 0, 0, 255]));
        let none = folder.path().join("none");
        assert!(Textures::of_folder(&none).is_err_and(|e| e.contains("none")));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_named_like_a_texture_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mkfifo = std::process::Command::new("mkfifo");
        let made = mkfifo.arg(folder.path().join("wall_1.png")).status();
        assert!(made.expect("mkfifo").success());
        let mut textures = Textures::of_folder(folder.path()).expect("a folder");
        assert_eq!(textures.slot("wall_1"), None);
        let warnings = textures.take_warnings();
        assert!(
            matches!(&warnings[..], [one] if one.contains("wall_1.png: is not a file")),
            "{warnings:?}"
        );
    }

    #[test]
    fn another_level_has_all_places_for_pictures_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = |i: usize| format!("wall_{i}");
        let dot = image::RgbaImage::from_pixel(1, 1, image::Rgba([9, 9, 9, 255]));
        for i in 0..=MOST {
            let path = folder.path().join(name(i) + ".png");
            dot.save(path).expect("a picture");
        }
        let mut textures = Textures::of_folder(folder.path()).expect("a folder");
        for i in 0..MOST {
            assert_eq!(textures.slot(&name(i)), Some(i as u32));
        }
        assert_eq!(textures.slot(&name(MOST)), None);
        assert_eq!(textures.take_warnings().len(), 1);
        textures.forget_pictures();
        assert_eq!(textures.pixels(0), None);
        assert_eq!(textures.slot(&name(MOST)), Some(0));
        assert!(textures.take_warnings().is_empty());
    }
}
