//! Built-in levels, packed into the program by build.rs, and [`Origin`]: a built-in level or a file.
//!
//! Used by the command line, where LEVEL is a file or the name of a built-in level (`bunker`), by the window, whose list
//! begins with the built-in levels, and by `journal` for recordings whose level file is gone.
use crate::files;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::fmt;
use std::path::{Path, PathBuf};

/// A built-in level.
pub struct BuiltinLevel {
    /// Name on the command line: `bunker`.
    pub name: &'static str,
    /// Size of the `.map`, bytes.
    pub size: usize,
    packed: &'static [u8],
}

/// Levels of levels/scenes, by name: not in the list of levels, only for [`crate::scenes`].
static SCENE_LEVELS: &[BuiltinLevel] = include!(concat!(env!("OUT_DIR"), "/scene_levels.rs"));

/// Levels of levels/, by name.
static LEVELS: &[BuiltinLevel] = include!(concat!(env!("OUT_DIR"), "/builtin_levels.rs"));

/// Name of the level that opens by default.
pub const START: &str = "bunker";

/// The built-in levels, by name.
pub fn levels() -> &'static [BuiltinLevel] {
    LEVELS
}

/// The built-in level of this name, without `.map`.
pub fn find(name: &str) -> Option<&'static BuiltinLevel> {
    LEVELS.iter().find(|level| level.name == name)
}

/// The level of a scene: a built-in level, or one for scenes only.
pub fn find_scene_level(name: &str) -> Option<&'static BuiltinLevel> {
    find(name).or_else(|| SCENE_LEVELS.iter().find(|level| level.name == name))
}

/// The built-in level with the name of this file, in any folder.
pub fn with_file_name_of(path: &Path) -> Option<&'static BuiltinLevel> {
    let name = path.file_name()?.to_str()?;
    find(name.strip_suffix(".map")?)
}

/// The level that opens by default.
///
/// # Panics
/// Without levels/bunker.map at the build, which a test checks.
pub fn start() -> Origin {
    Origin::Builtin(find(START).expect("the start level is in the program"))
}

impl BuiltinLevel {
    /// The bytes of the `.map`.
    ///
    /// # Panics
    /// Never: a test unpacks each level.
    pub fn bytes(&self) -> Vec<u8> {
        decompress_to_vec_zlib_with_limit(self.packed, self.size).expect("packed by build.rs")
    }

    /// `bunker.map`.
    pub fn file_name(&self) -> String {
        format!("{}.map", self.name)
    }
}

impl fmt::Debug for BuiltinLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Names are unique.
impl PartialEq for BuiltinLevel {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The origin of a level or a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A built-in level; never saved to.
    Builtin(&'static BuiltinLevel),
    /// A file.
    File(PathBuf),
}

impl Origin {
    /// From a command-line argument: a file, or the name of a built-in level where there is no file of that name.
    pub fn from_argument(path: &Path) -> Self {
        let builtin = path.to_str().and_then(find);
        match builtin.filter(|_| !path.is_file()) {
            Some(level) => Origin::Builtin(level),
            None => Origin::File(path.to_path_buf()),
        }
    }

    /// The path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Origin::Builtin(_) => None,
            Origin::File(path) => Some(path),
        }
    }

    /// Whether both are the same file or level, whatever form the paths have.
    pub fn is_same(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::File(a), Origin::File(b)) => absolute(a) == absolute(b),
            (Origin::Builtin(_), _) | (_, Origin::Builtin(_)) => self == other,
        }
    }

    /// File name: `bunker.map`.
    pub fn file_name(&self) -> String {
        match self {
            Origin::Builtin(level) => level.file_name(),
            Origin::File(path) => path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// Name of the folder, or "built in".
    pub fn folder_name(&self) -> String {
        let path = match self {
            Origin::Builtin(_) => return "built in".into(),
            Origin::File(path) => absolute(path),
        };
        let folder = path.parent().unwrap_or(Path::new("/"));
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// File name and folder: `bunker.map (built in)`, `e1m1.map (maps)`.
    pub fn title(&self) -> String {
        format!("{} ({})", self.file_name(), self.folder_name())
    }

    /// The absolute path, or in words that it is a built-in level.
    pub fn full_path(&self) -> String {
        match self {
            Origin::Builtin(level) => format!("{}, a built-in level", level.file_name()),
            Origin::File(path) => absolute(path).display().to_string(),
        }
    }

    /// Reads its bytes; the error is the reason, without the path.
    ///
    /// # Errors
    /// The file system's; for a missing file with the name of a built-in level also how to open that.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        match self {
            Origin::Builtin(level) => Ok(level.bytes()),
            Origin::File(path) => files::read(path).map_err(|error| why_not(path, &error)),
        }
    }

    /// Checks that it can be opened.
    ///
    /// # Errors
    /// As [`Origin::read`].
    pub fn check(&self) -> Result<(), String> {
        match self {
            Origin::Builtin(_) => Ok(()),
            Origin::File(path) => files::check_regular(path).map_err(|e| why_not(path, &e)),
        }
    }
}

/// For messages: a path, or `bunker`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Builtin(level) => f.write_str(level.name),
            Origin::File(path) => path.display().fmt(f),
        }
    }
}

impl From<PathBuf> for Origin {
    fn from(path: PathBuf) -> Self {
        Origin::File(path)
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

fn why_not(path: &Path, error: &std::io::Error) -> String {
    let reason = files::reason(error);
    match with_file_name_of(path).filter(|_| error.kind() == std::io::ErrorKind::NotFound) {
        Some(level) => format!("{reason}; the built-in level is called {}", level.name),
        None => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_in_the_program_are_those_of_the_folders_byte_for_byte() {
        are_those_of("levels", levels());
        are_those_of("levels/scenes", SCENE_LEVELS);
        assert_eq!(start().to_string(), START);
        // A name means one level.
        assert!(SCENE_LEVELS.iter().all(|level| find(level.name).is_none()));
    }

    fn are_those_of(folder: &str, levels: &[BuiltinLevel]) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(&folder).expect("levels/").flatten();
        let mut names: Vec<String> = files
            .map(|file| file.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".map"))
            .collect();
        names.sort();
        let builtin: Vec<String> = levels.iter().map(BuiltinLevel::file_name).collect();
        assert_eq!(builtin, names);
        for level in levels {
            let file = std::fs::read(folder.join(level.file_name())).expect("a level");
            assert!(level.bytes() == file, "{}", level.name);
            assert!(level.packed.len() * 3 < level.size, "{}", level.name);
        }
    }

    #[test]
    fn a_name_is_a_built_in_level_unless_there_is_a_file_of_that_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("bunker");
        assert_eq!(Origin::from_argument(Path::new("bunker")), start());
        // Only a bare name: a path is a path, and a wrong one is refused as ever.
        for path in ["levels/bunker", "bunker.map", "./bunker", "none", ""] {
            let origin = Origin::from_argument(Path::new(path));
            assert_eq!(origin, Origin::File(path.into()), "{path}");
        }
        std::fs::write(&inside, b"{}").expect("written");
        assert_eq!(Origin::from_argument(&inside), Origin::File(inside));
    }

    #[test]
    fn a_missing_file_with_the_name_of_a_built_in_level_says_how_to_open_that() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |name: &str| Origin::File(folder.path().join(name)).read();
        let missing = "no such file or folder";
        assert_eq!(
            read("levels/tower.map"),
            Err(format!("{missing}; the built-in level is called tower"))
        );
        assert_eq!(read("levels/none.map"), Err(missing.into()));
        assert_eq!(read(""), Err("is a folder".into()));
    }

    #[test]
    fn titles_have_the_file_s_name_and_its_folder() {
        let file = |path: &str| Origin::File(path.into());
        assert_eq!(start().title(), "bunker.map (built in)");
        assert_eq!(file("/a/maps/e1m1.map").title(), "e1m1.map (maps)");
        assert_eq!(file("/top.map").title(), "top.map (/)");
        let here = std::env::current_dir().expect("a folder");
        let here = here.file_name().expect("a name").to_string_lossy();
        assert_eq!(file("x.map").title(), format!("x.map ({here})"));
        assert!(file("x.map").full_path().ends_with("/x.map"));
        assert!(file("x.map").is_same(&file("./x.map")));
        assert!(!file("bunker").is_same(&start()));
    }
}
