//! The program's folders: levels, recordings, screenshots, timings, the recent list.
use crate::builtin::{self, Origin};
use crate::geom::hash::Hash64;
use crate::ui::LevelEntry;
use std::path::{Path, PathBuf};

/// At most this many recent levels are kept.
const RECENT_MAX: usize = 8;

/// The platform's folders for Breach; without a home folder, the working directory.
#[derive(Clone, Debug)]
pub struct Folders {
    /// Recordings, timings, the recent list.
    pub data: PathBuf,
    /// Screenshots.
    pub pictures: PathBuf,
    /// The settings file.
    pub settings: PathBuf,
    /// The user's documents.
    pub documents: PathBuf,
    /// Folders whose levels are listed after the built-in ones: `levels/` in the working directory, and beside the
    /// program.
    pub levels: Vec<PathBuf>,
}

impl Default for Folders {
    fn default() -> Self {
        let data = directories::ProjectDirs::from("", "", "breach").map_or_else(
            || PathBuf::from("breach-data"),
            |dirs| dirs.data_dir().to_path_buf(),
        );
        let pictures = directories::UserDirs::new()
            .and_then(|dirs| dirs.picture_dir().map(|p| p.join("breach")))
            .unwrap_or_else(|| data.join("pictures"));
        let settings = directories::ProjectDirs::from("", "", "breach").map_or_else(
            || data.join("settings.toml"),
            |dirs| dirs.config_dir().join("settings.toml"),
        );
        let documents = directories::UserDirs::new().map(|dirs| {
            let documents = dirs.document_dir().filter(|folder| folder.is_dir());
            documents.unwrap_or(dirs.home_dir()).to_path_buf()
        });
        let mut levels = vec![PathBuf::from("levels")];
        if let Ok(program) = std::env::current_exe() {
            levels.push(program.with_file_name("levels"));
        }
        Self {
            data,
            pictures,
            settings,
            documents: documents.unwrap_or_default(),
            levels,
        }
    }
}

impl Folders {
    /// The folder of the window's recordings.
    pub fn recordings(&self) -> PathBuf {
        self.data.join("recordings")
    }

    /// The folder of autosaves.
    pub fn autosaves(&self) -> PathBuf {
        self.data.join("autosaves")
    }

    /// The autosave of a level. Files of the same name in different folders have different autosaves.
    pub fn autosave_of(&self, origin: &Origin) -> PathBuf {
        let name = origin.file_name();
        let stem = Path::new(&name).with_extension("");
        // File names have a maximum length, and a suffix follows.
        let stem: String = stem.to_string_lossy().chars().take(60).collect();
        let name = match origin {
            Origin::Builtin(_) => format!("{stem}.map"),
            Origin::File(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                let mut hash = Hash64::new();
                hash.bytes(path.as_os_str().as_encoded_bytes());
                format!("{stem}-{:08x}.map", hash.finish() as u32)
            }
        };
        self.autosaves().join(name)
    }

    fn recent_file(&self) -> PathBuf {
        self.data.join("recent.txt")
    }

    /// Paths opened before, newest first.
    pub fn recent(&self) -> Vec<PathBuf> {
        // An unreadable list counts as empty.
        let bytes = crate::files::read(&self.recent_file()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        text.lines()
            .filter(|l| !l.is_empty())
            .take(RECENT_MAX)
            .map(PathBuf::from)
            .collect()
    }

    /// Moves a path to the head of the recent list. Failing to write the list is ignored.
    pub fn remember(&self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let mut recent = self.recent();
        recent.retain(|p| *p != path);
        recent.insert(0, path);
        recent.truncate(RECENT_MAX);
        let text: String = recent
            .iter()
            .map(|p| format!("{}\n", p.display()))
            .collect();
        if std::fs::create_dir_all(&self.data).is_ok() {
            let _ = crate::files::write_atomic(&self.recent_file(), text.as_bytes());
        }
    }

    /// The starting path of a file dialog: the level's own file, or its name in the documents folder.
    pub fn proposed(&self, origin: &Origin) -> PathBuf {
        match origin {
            Origin::Builtin(level) => self.documents.join(level.file_name()),
            Origin::File(path) => path.clone(),
        }
    }

    /// The level list: built-in levels, then those of the levels folders, then recent files from elsewhere. Copies of
    /// listed levels are left out.
    pub fn levels(&self) -> Vec<LevelEntry> {
        let ours = builtin::levels().iter().map(Origin::Builtin);
        let mut entries: Vec<LevelEntry> = ours
            .map(|origin| LevelEntry {
                origin,
                recent: false,
            })
            .collect();
        for folder in &self.levels {
            for origin in levels_in(folder) {
                if entries.iter().all(|e| !is_copy(&e.origin, &origin)) {
                    entries.push(LevelEntry {
                        origin,
                        recent: false,
                    });
                }
            }
        }
        for path in self.recent() {
            let is_there = path.is_file();
            let origin = Origin::File(path);
            if is_there && entries.iter().all(|e| !e.origin.is_same(&origin)) {
                entries.push(LevelEntry {
                    origin,
                    recent: true,
                });
            }
        }
        entries
    }
}

/// The levels of a folder, sorted by name.
fn levels_in(folder: &Path) -> Vec<Origin> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|f| f.path()).filter(|p| is_level(p)).collect();
    paths.sort();
    paths.into_iter().map(Origin::File).collect()
}

/// Same name and same contents; contents are compared only if the sizes match.
fn is_copy(a: &Origin, b: &Origin) -> bool {
    let size = |origin: &Origin| match origin {
        Origin::Builtin(level) => Some(level.size as u64),
        Origin::File(path) => path.metadata().ok().map(|file| file.len()),
    };
    a.file_name() == b.file_name()
        && size(a) == size(b)
        && matches!((a.read(), b.read()), (Ok(a), Ok(b)) if a == b)
}

fn is_level(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("map"))
        && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(folder: &Path) -> Folders {
        Folders {
            data: folder.join("data"),
            pictures: folder.join("pictures"),
            settings: folder.join("settings.toml"),
            documents: folder.to_path_buf(),
            levels: vec![folder.join("levels"), folder.join("more")],
        }
    }

    #[test]
    fn the_recent_list_keeps_the_newest_first_and_no_doubles() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let folders = folders(folder.path());
        assert!(folders.recent().is_empty());
        for n in 0..12 {
            folders.remember(Path::new(&format!("/levels/{n}.map")));
        }
        folders.remember(Path::new("/levels/7.map"));
        let recent = folders.recent();
        assert_eq!(recent.len(), RECENT_MAX);
        assert_eq!(recent[0], PathBuf::from("/levels/7.map"));
        assert_eq!(recent.iter().filter(|p| p.ends_with("7.map")).count(), 1);
    }

    #[test]
    fn the_list_begins_with_ours_and_ends_with_recent_files_that_are_still_there() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let folders = folders(folder.path());
        let dug = folder.path().join("bunker.map");
        std::fs::write(&dug, b"{}").expect("written");
        folders.remember(&folder.path().join("gone.map"));
        folders.remember(&dug);
        let list = folders.levels();
        let ours: Vec<Origin> = builtin::levels().iter().map(Origin::Builtin).collect();
        let first = list[..ours.len()].iter();
        assert!(first.clone().all(|entry| !entry.recent));
        assert!(first.map(|entry| &entry.origin).eq(&ours));
        let recent: Vec<&LevelEntry> = list.iter().filter(|entry| entry.recent).collect();
        // Of the name of one of ours, and another level all the same.
        assert_eq!(recent.len(), 1);
        assert_eq!(recent[0].origin, Origin::File(dug));
    }

    #[test]
    fn no_level_stands_in_the_list_twice() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let folders = folders(folder.path());
        let own = builtin::find("range").expect("ours");
        let mut changed = own.bytes();
        *changed.last_mut().expect("a byte") ^= 1;
        for folder in &folders.levels {
            std::fs::create_dir(folder).expect("made");
            // A copy of one of ours, another level of the same name, one that is in both folders, and no level.
            std::fs::write(
                folder.join("bunker.map"),
                builtin::find("bunker").expect("ours").bytes(),
            )
            .expect("written");
            std::fs::write(folder.join("range.map"), &changed).expect("written");
            std::fs::write(folder.join("a.map"), own.bytes()).expect("written");
            std::fs::write(folder.join("notes.txt"), b"no level").expect("written");
        }
        let list = folders.levels();
        let titles: Vec<String> = list.iter().map(|entry| entry.origin.title()).collect();
        let ours = builtin::levels()
            .iter()
            .map(|level| Origin::Builtin(level).title());
        let theirs = ["a.map (levels)".into(), "range.map (levels)".into()];
        assert_eq!(titles, ours.chain(theirs).collect::<Vec<_>>());
    }

    #[test]
    fn each_level_has_an_autosave_of_its_own() {
        let folders = folders(Path::new("/disk/who"));
        let of = |path: &str| folders.autosave_of(&PathBuf::from(path).into());
        let [one, other] = ["/maps/a/bunker.map", "/maps/b/bunker.map"].map(of);
        let ours = folders.autosave_of(&builtin::start());
        assert_eq!(ours, Path::new("/disk/who/data/autosaves/bunker.map"));
        assert!(
            one != other && one != ours && other != ours,
            "{one:?} {other:?}"
        );
        assert_eq!(one, of("/maps/a/bunker.map"));
        // A recording is autosaved as a level, and no name is too long for a file.
        assert!(
            [
                one,
                of("/maps/a/run.breach"),
                of(&format!("/maps/{}.map", "é".repeat(120)))
            ]
            .iter()
            .all(|path| is_a_level_name(path))
        );
    }

    fn is_a_level_name(path: &Path) -> bool {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.ends_with(".map") && name.len() <= 255
    }

    #[test]
    fn what_has_no_file_is_saved_among_the_documents_unless_told_otherwise() {
        let folders = folders(Path::new("/disk/who"));
        let proposed = folders.proposed(&builtin::start());
        assert_eq!(proposed, Path::new("/disk/who/bunker.map"));
        let file = PathBuf::from("/maps/x.map");
        assert_eq!(folders.proposed(&file.clone().into()), file);
    }
}
