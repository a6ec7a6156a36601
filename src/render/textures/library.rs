//! The search for images: WADs and folders, and the file with the image of a texture name.
use super::palette::{OWN, Palette};
use super::texture_image::TextureImage;
use super::wad::{Lump, Wad};
use crate::files;
use crate::level::material::last_part;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most files and folders in all.
const MAX_ENTRIES: usize = 100_000;
/// Greatest depth of nested folders.
const MAX_DEPTH: usize = 6;
/// Most WADs opened.
const MAX_WADS: usize = 256;
/// File extensions of images, in order of preference. WAL comes first, as levels rely on its size.
const EXTENSIONS: [&str; 5] = ["wal", "png", "tga", "jpg", "jpeg"];

/// The places of the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchPaths<'a> {
    /// The level's file: its folder is searched, and `wads` and `textures` there; if it is named `maps` the folder above as
    /// well.
    pub map: Option<&'a Path>,
    /// A chosen folder, searched with its subfolders.
    pub folder: Option<&'a Path>,
    /// File names of WADs that the level names.
    pub wads: &'a [String],
}

/// The images found, by name, not decoded yet.
#[derive(Debug, Default)]
pub struct Library {
    wads: Vec<Arc<Wad>>,
    /// By path below the folder, or by name in a WAD: lower case, without extension.
    by_path: FxHashMap<String, Source>,
    /// By the last part of a path with folders.
    by_name: FxHashMap<String, Source>,
    palettes: FxHashMap<PathBuf, Palette>,
    /// Searched folders: a fallback for files without a palette beside them.
    folders: Vec<PathBuf>,
    /// WADs that the level names and that were not found.
    pub missing: Vec<String>,
    /// Warnings.
    pub warnings: Vec<String>,
    entries: usize,
    warned_of_own_palette: bool,
}

/// The location of an image.
#[derive(Clone, Debug)]
enum Source {
    /// In the WAD of this index.
    Lump(usize, Lump),
    File(PathBuf),
}

/// The content of a folder.
#[derive(Debug, Default)]
struct Listing {
    wads: Vec<PathBuf>,
    /// Path below the folder (lower case, slashes, no extension), rank of its extension, file.
    images: Vec<(String, usize, PathBuf)>,
}

impl Library {
    /// Searches. Order of preference: the WADs that the level names, folders beside it, then the chosen folder, its images
    /// before its WADs.
    pub fn new(at: &SearchPaths) -> Self {
        let beside = at.map.map_or_else(Vec::new, folders_beside);
        let around = beside.iter().map(|(folder, _)| folder.clone());
        let mut library = Self {
            folders: around.chain(at.folder.map(Path::to_path_buf)).collect(),
            ..Self::default()
        };
        let mut own = Listing::default();
        for (folder, is_deep) in beside {
            let found = library.list(&folder, is_deep, true);
            own.wads.extend(found.wads);
            // Images in the map's own folder may show anything: only those in a folder for textures are taken.
            own.images
                .extend(found.images.into_iter().filter(|_| is_deep));
        }
        let chosen = at.folder.map(|folder| library.list(folder, true, false));
        let chosen = chosen.unwrap_or_default();
        for name in at.wads {
            let is_it = |path: &&PathBuf| {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                file.eq_ignore_ascii_case(name)
            };
            match own.wads.iter().chain(&chosen.wads).find(is_it) {
                Some(path) => library.add_wad(path),
                None => library.missing.push(name.clone()),
            }
        }
        library.add_images(own.images);
        library.add_images(chosen.images);
        chosen.wads.iter().for_each(|path| library.add_wad(path));
        library
    }

    /// The image of a texture. None if there is none, or if it is broken, which adds a warning.
    pub fn image(&mut self, texture: &str) -> Option<TextureImage> {
        let source = image_names(texture)
            .iter()
            .find_map(|name| self.source(name))?;
        let (path, read) = match source {
            Source::Lump(wad, lump) => {
                let wad = self.wads[wad].clone();
                let read = wad.image(&lump, || self.palette_of_wad(&wad));
                let read = read
                    .map(|(image, palette)| TextureImage::from_indexed(texture, image, &palette))
                    .map_err(|why| format!("{texture}: {why}"));
                (wad.path.clone(), read)
            }
            Source::File(path) => {
                let read = TextureImage::read(texture, &path, || self.palette_beside(&path));
                (path, read)
            }
        };
        match read {
            Ok(image) => Some(image),
            Err(why) => {
                let why = why.trim_end_matches('.');
                let text = format!("{}: {why}; the procedural material is used", path.display());
                self.warnings.push(text);
                None
            }
        }
    }

    fn source(&self, name: &str) -> Option<Source> {
        let last = last_part(name);
        let other = match last == name {
            true => self.by_name.get(name),
            false => self.by_path.get(last),
        };
        self.by_path.get(name).or(other).cloned()
    }

    fn palette_of_wad(&mut self, wad: &Wad) -> Palette {
        wad.palette()
            .unwrap_or_else(|| self.palette_beside(&wad.path))
    }

    /// The palette of a file without one: one beside it, in a WAD, in a searched folder, else our own.
    fn palette_beside(&mut self, path: &Path) -> Palette {
        let folder = path.parent().unwrap_or(path).to_path_buf();
        if let Some(known) = self.palettes.get(&folder) {
            return known.clone();
        }
        let found = Palette::beside(path)
            .or_else(|| self.wads.iter().find_map(|wad| wad.palette()))
            .or_else(|| self.folders.iter().find_map(|f| Palette::in_folder(f)))
            .unwrap_or_else(Palette::own);
        if found.is_own && !std::mem::replace(&mut self.warned_of_own_palette, true) {
            let path = path.display();
            let text = format!(
                "{path}: there is no palette.lmp or colormap.pcx beside it; using the colours of {OWN}"
            );
            self.warnings.push(text);
        }
        self.palettes.insert(folder, found.clone());
        found
    }

    fn add_wad(&mut self, path: &Path) {
        let is_known = self.wads.iter().any(|wad| wad.path == path);
        if is_known || self.wads.len() == MAX_WADS {
            return;
        }
        match Wad::open(path) {
            Ok(wad) => {
                let number = self.wads.len();
                for (name, lump) in &wad.images {
                    let source = || Source::Lump(number, *lump);
                    self.by_path.entry(name.clone()).or_insert_with(source);
                }
                self.wads.push(Arc::new(wad));
            }
            Err(why) => {
                let text = format!("{}: {why}; it is skipped", path.display());
                self.warnings.push(text);
            }
        }
    }

    fn add_images(&mut self, mut images: Vec<(String, usize, PathBuf)>) {
        images.sort_by(|a, b| (&a.0, a.1, &a.2).cmp(&(&b.0, b.1, &b.2)));
        for (name, _, path) in images {
            let source = || Source::File(path.clone());
            let last = last_part(&name);
            if last != name {
                self.by_name.entry(last.to_owned()).or_insert_with(source);
            }
            self.by_path.entry(name.clone()).or_insert_with(source);
        }
    }

    /// Lists a folder, with subfolders if `is_deep`. A missing folder is a warning, unless it is `optional`.
    fn list(&mut self, folder: &Path, is_deep: bool, optional: bool) -> Listing {
        let mut listing = Listing::default();
        let mut stack = vec![(folder.to_path_buf(), String::new(), 0)];
        while let Some((folder, below, depth)) = stack.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries.filter_map(Result::ok),
                Err(e) if optional && e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => {
                    self.warnings.push(files::refused(&folder, &e));
                    continue;
                }
            };
            let left = MAX_ENTRIES - self.entries;
            let mut entries: Vec<_> = entries.take(left + 1).collect();
            if entries.len() > left {
                let text = format!(
                    "{}: more than {MAX_ENTRIES} files; the rest are ignored",
                    folder.display()
                );
                self.warnings.push(text);
                entries.truncate(left);
            }
            self.entries += entries.len();
            entries.sort_by_key(std::fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
                // Links to folders are not followed: they may form a cycle.
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    if is_deep && depth < MAX_DEPTH {
                        stack.push((path, format!("{below}{name}/"), depth + 1));
                    }
                } else if let Some((stem, extension)) = name.rsplit_once('.') {
                    let rank = EXTENSIONS.iter().position(|known| *known == extension);
                    match rank {
                        Some(rank) => {
                            let whole = format!("{below}{stem}");
                            // The folder may be a game's.
                            let key = whole.strip_prefix("textures/").unwrap_or(&whole);
                            listing.images.push((key.to_owned(), rank, path));
                        }
                        None if extension == "wad" => listing.wads.push(path),
                        None => {}
                    }
                }
            }
        }
        listing
    }
}

/// Folders beside a level, each with whether its subfolders are searched.
fn folders_beside(map: &Path) -> Vec<(PathBuf, bool)> {
    let folder = match map.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut around = vec![folder.to_path_buf()];
    // Made absolute: the program may have been started in `maps`.
    let whole = std::path::absolute(map).ok();
    let maps = whole.as_deref().and_then(Path::parent).filter(|folder| {
        let name = folder.file_name();
        name.is_some_and(|name| name.eq_ignore_ascii_case("maps"))
    });
    around.extend(maps.and_then(Path::parent).map(Path::to_path_buf));
    let around = around.into_iter().map(|folder| {
        let [wads, textures] = ["wads", "textures"].map(|name| folder.join(name));
        [(folder, false), (wads, false), (textures, true)]
    });
    around.flatten().collect()
}

/// Image names of a texture, in order of preference: the first frame of an animation, the name itself, and `#` for a `*`,
/// which some file systems forbid.
fn image_names(texture: &str) -> Vec<String> {
    let name = texture.to_ascii_lowercase().replace('\\', "/");
    let name = name.strip_prefix("textures/").unwrap_or(&name);
    let last = last_part(name);
    let folder = &name[..name.len() - last.len()];
    let mut names = Vec::new();
    let frame = last
        .strip_prefix('+')
        .and_then(|rest| rest.strip_prefix(|c: char| c.is_ascii_digit()));
    names.extend(frame.map(|rest| format!("{folder}+0{rest}")));
    names.push(name.to_owned());
    names.extend(
        last.strip_prefix('*')
            .map(|rest| format!("{folder}#{rest}")),
    );
    names
}
