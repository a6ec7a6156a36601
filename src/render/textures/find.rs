//! Where a level's textures lie: which WADs and folders are looked into, and which file has the picture of a name.
use super::palette::{OWN, Palette};
use super::picture::Picture;
use super::wad::{Lump, Wad};
use crate::files;
use crate::level::material::last_part;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many files and folders are looked at in all.
const MOST_ENTRIES: usize = 100_000;
/// Folders within folders.
const MOST_DEPTH: usize = 6;
/// WADs that are opened.
const MOST_WADS: usize = 256;
/// Endings of pictures: where several files differ in nothing else the first one counts. A WAL comes first, as levels
/// count on its size.
const ENDINGS: [&str; 5] = ["wal", "png", "tga", "jpg", "jpeg"];

/// Where one may look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Where<'a> {
    /// The level's file: its folder is looked into, and `wads` and `textures` there. Where that is called `maps`, the
    /// folder above as well.
    pub map: Option<&'a Path>,
    /// A folder that somebody chose, with all folders in it.
    pub folder: Option<&'a Path>,
    /// File names of WADs that the level asks for.
    pub wads: &'a [String],
}

/// What was found there, by name; pictures are not read yet.
#[derive(Debug, Default)]
pub struct Library {
    wads: Vec<Arc<Wad>>,
    /// By path below the folder, or the name in a WAD: lower case, no ending.
    whole: FxHashMap<String, Source>,
    /// By the last part of what lies in folders of folders.
    bare: FxHashMap<String, Source>,
    palettes: FxHashMap<PathBuf, Palette>,
    /// Folders that are looked into: where no palette is beside a file, one may be there.
    folders: Vec<PathBuf>,
    /// WADs that the level asks for and that are nowhere.
    pub missing: Vec<String>,
    /// What was wrong, in words.
    pub warnings: Vec<String>,
    entries: usize,
    is_own_said: bool,
}

/// Where a picture is.
#[derive(Clone, Debug)]
enum Source {
    /// In the WAD of that number.
    Lump(usize, Lump),
    File(PathBuf),
}

/// What a folder holds.
#[derive(Debug, Default)]
struct Listing {
    wads: Vec<PathBuf>,
    /// Path below the folder, lower case, slashes, no ending; how good its ending is; the file.
    pictures: Vec<(String, usize, PathBuf)>,
}

impl Library {
    /// Looks around. What comes first wins: the WADs that the level asks for, folders beside it, then the chosen folder,
    /// its pictures before its WADs.
    pub fn new(at: &Where) -> Self {
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
            // Pictures in the map's own folder may be of anything: only those in a folder for textures are taken.
            own.pictures
                .extend(found.pictures.into_iter().filter(|_| is_deep));
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
        library.add_pictures(own.pictures);
        library.add_pictures(chosen.pictures);
        chosen.wads.iter().for_each(|path| library.add_wad(path));
        library
    }

    /// The picture of a texture. None where there is none, or where it is broken, which is a warning.
    pub fn picture(&mut self, texture: &str) -> Option<Picture> {
        let source = names_of(texture)
            .iter()
            .find_map(|name| self.source(name))?;
        let (path, read) = match source {
            Source::Lump(wad, lump) => {
                let wad = self.wads[wad].clone();
                let read = wad.picture(&lump, || self.palette_of_wad(&wad));
                let read = read
                    .map(|(picture, palette)| Picture::of_indexed(texture, picture, &palette))
                    .map_err(|why| format!("{texture}: {why}"));
                (wad.path.clone(), read)
            }
            Source::File(path) => {
                let read = Picture::read(texture, &path, || self.palette_beside(&path));
                (path, read)
            }
        };
        match read {
            Ok(picture) => Some(picture),
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
            true => self.bare.get(name),
            false => self.whole.get(last),
        };
        self.whole.get(name).or(other).cloned()
    }

    fn palette_of_wad(&mut self, wad: &Wad) -> Palette {
        wad.palette()
            .unwrap_or_else(|| self.palette_beside(&wad.path))
    }

    /// What a file without a palette is coloured by: one beside it, one in another WAD, one in a folder that is looked
    /// into, else our own.
    fn palette_beside(&mut self, path: &Path) -> Palette {
        let folder = path.parent().unwrap_or(path).to_path_buf();
        if let Some(known) = self.palettes.get(&folder) {
            return known.clone();
        }
        let found = Palette::beside(path)
            .or_else(|| self.wads.iter().find_map(|wad| wad.palette()))
            .or_else(|| self.folders.iter().find_map(|f| Palette::of_folder(f)))
            .unwrap_or_else(Palette::own);
        if found.is_own && !std::mem::replace(&mut self.is_own_said, true) {
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
        if is_known || self.wads.len() == MOST_WADS {
            return;
        }
        match Wad::open(path) {
            Ok(wad) => {
                let number = self.wads.len();
                for (name, lump) in &wad.pictures {
                    let source = || Source::Lump(number, *lump);
                    self.whole.entry(name.clone()).or_insert_with(source);
                }
                self.wads.push(Arc::new(wad));
            }
            Err(why) => {
                let text = format!("{}: {why}; it is skipped", path.display());
                self.warnings.push(text);
            }
        }
    }

    fn add_pictures(&mut self, mut pictures: Vec<(String, usize, PathBuf)>) {
        pictures.sort_by(|a, b| (&a.0, a.1, &a.2).cmp(&(&b.0, b.1, &b.2)));
        for (name, _, path) in pictures {
            let source = || Source::File(path.clone());
            let last = last_part(&name);
            if last != name {
                self.bare.entry(last.to_owned()).or_insert_with(source);
            }
            self.whole.entry(name.clone()).or_insert_with(source);
        }
    }

    /// Files of a folder and, if `is_deep`, of all in it. One that is not there is no news if it `may_lack`.
    fn list(&mut self, folder: &Path, is_deep: bool, may_lack: bool) -> Listing {
        let mut listing = Listing::default();
        let mut waiting = vec![(folder.to_path_buf(), String::new(), 0)];
        while let Some((folder, below, depth)) = waiting.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries.filter_map(Result::ok),
                Err(e) if may_lack && e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => {
                    self.warnings.push(files::refused(&folder, &e));
                    continue;
                }
            };
            let left = MOST_ENTRIES - self.entries;
            let mut entries: Vec<_> = entries.take(left + 1).collect();
            if entries.len() > left {
                let text = format!(
                    "{}: more than {MOST_ENTRIES} files; the rest are ignored",
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
                // A link to a folder may lead anywhere, also round in a circle.
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    if is_deep && depth < MOST_DEPTH {
                        waiting.push((path, format!("{below}{name}/"), depth + 1));
                    }
                } else if let Some((stem, ending)) = name.rsplit_once('.') {
                    let rank = ENDINGS.iter().position(|known| *known == ending);
                    match rank {
                        Some(rank) => {
                            let whole = format!("{below}{stem}");
                            // The folder may be that of a game.
                            let key = whole.strip_prefix("textures/").unwrap_or(&whole);
                            listing.pictures.push((key.to_owned(), rank, path));
                        }
                        None if ending == "wad" => listing.wads.push(path),
                        None => {}
                    }
                }
            }
        }
        listing
    }
}

/// Folders beside a level, each with whether the folders in it count too.
fn folders_beside(map: &Path) -> Vec<(PathBuf, bool)> {
    let folder = match map.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut around = vec![folder.to_path_buf()];
    // Also where the program was started in `maps`, and the path has no folder.
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

/// What a texture's picture may be called, in the order of preference: of an animation the first frame, and files bear
/// a `#` where the texture has a `*`, which some systems allow in no name.
fn names_of(texture: &str) -> Vec<String> {
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
