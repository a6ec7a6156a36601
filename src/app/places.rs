//! Where things are: levels to choose from, recordings, pictures, timings, the recent list.
use super::loader::file_name;
use crate::ui::LevelEntry;
use std::path::{Path, PathBuf};

/// At most this many recent levels are kept.
const RECENT_MAX: usize = 8;
/// The level that opens when none is named.
const START_LEVEL: &str = "bunker.map";

/// The platform's folders for Breach. Without a home, the folder it was started in.
#[derive(Clone, Debug)]
pub struct Places {
    /// Recordings, timings, the recent list.
    pub data: PathBuf,
    /// Pictures.
    pub pictures: PathBuf,
    /// The settings file.
    pub settings: PathBuf,
}

impl Default for Places {
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
        Self {
            data,
            pictures,
            settings,
        }
    }
}

impl Places {
    /// The folder of the window's recordings.
    pub fn recordings(&self) -> PathBuf {
        self.data.join("recordings")
    }

    /// The folder of autosaves.
    pub fn autosaves(&self) -> PathBuf {
        self.data.join("autosaves")
    }

    fn recent_file(&self) -> PathBuf {
        self.data.join("recent.txt")
    }

    /// Paths opened before, newest first.
    pub fn recent(&self) -> Vec<PathBuf> {
        // The list is a comfort: one that cannot be read is empty.
        let bytes = crate::files::read(&self.recent_file()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        text.lines()
            .filter(|l| !l.is_empty())
            .take(RECENT_MAX)
            .map(PathBuf::from)
            .collect()
    }

    /// Puts a path at the head of the recent list. The list is a comfort: failing to write it is no news.
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

    /// What the level list shows: the levels folders, then recent files from elsewhere.
    pub fn levels(&self) -> Vec<LevelEntry> {
        let mut entries: Vec<LevelEntry> = Vec::new();
        for folder in level_folders() {
            let Ok(files) = std::fs::read_dir(&folder) else {
                continue;
            };
            let mut paths: Vec<PathBuf> = files
                .flatten()
                .map(|f| f.path())
                .filter(|p| is_level(p))
                .collect();
            paths.sort();
            for path in paths {
                let name = file_name(&path);
                if entries.iter().all(|e| e.name != name) {
                    entries.push(LevelEntry {
                        name,
                        path,
                        recent: false,
                    });
                }
            }
        }
        for path in self.recent() {
            let known = entries
                .iter()
                .any(|e| std::path::absolute(&e.path).is_ok_and(|p| p == path));
            if !known && path.is_file() {
                entries.push(LevelEntry {
                    name: file_name(&path),
                    path,
                    recent: true,
                });
            }
        }
        entries
    }

    /// The level that opens when none is named.
    pub fn start_level(&self) -> Option<PathBuf> {
        let levels = self.levels();
        let start = levels
            .iter()
            .find(|l| l.name == START_LEVEL)
            .or_else(|| levels.iter().find(|l| !l.recent));
        start.map(|l| l.path.clone())
    }
}

/// `levels/` where the program was started and beside (or, from a build folder, above) the program itself.
fn level_folders() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("levels")];
    if let Ok(program) = std::env::current_exe() {
        folders.extend(
            program
                .ancestors()
                .skip(1)
                .take(4)
                .map(|folder| folder.join("levels")),
        );
    }
    folders
}

fn is_level(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("map"))
        && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recent_list_keeps_the_newest_first_and_no_doubles() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let places = Places {
            data: folder.path().join("data"),
            pictures: folder.path().join("pictures"),
            settings: folder.path().join("settings.toml"),
        };
        assert!(places.recent().is_empty());
        for n in 0..12 {
            places.remember(Path::new(&format!("/levels/{n}.map")));
        }
        places.remember(Path::new("/levels/7.map"));
        let recent = places.recent();
        assert_eq!(recent.len(), RECENT_MAX);
        assert_eq!(recent[0], PathBuf::from("/levels/7.map"));
        assert_eq!(recent.iter().filter(|p| p.ends_with("7.map")).count(), 1);
    }
}
