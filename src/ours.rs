//! Which levels does the program carry, and where does a level that is opened come from? Our own are inside it, packed by
//! build.rs, so that an installed program has them in every folder; all others are files.
//!
//! Called by the command line, where LEVEL is a file or the name of one of ours (`bunker`), by the window, whose list
//! begins with ours, and by `journal` for recordings whose level lies beside them no more.
use crate::files;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::fmt;
use std::path::{Path, PathBuf};

/// A level inside the program.
pub struct OwnLevel {
    /// What it is called on the command line: `bunker`.
    pub name: &'static str,
    /// Bytes of the `.map`.
    pub size: usize,
    packed: &'static [u8],
}

/// Those of levels/scenes: not in the list of levels, [`crate::scenes`] opens them.
static OF_SCENES: &[OwnLevel] = include!(concat!(env!("OUT_DIR"), "/of_scenes.rs"));

/// By name.
static LEVELS: &[OwnLevel] = include!(concat!(env!("OUT_DIR"), "/ours.rs"));

/// The level that opens when none is named.
pub const START: &str = "bunker";

/// All of ours, by name.
pub fn levels() -> &'static [OwnLevel] {
    LEVELS
}

/// The one of this name, without `.map`.
pub fn find(name: &str) -> Option<&'static OwnLevel> {
    LEVELS.iter().find(|level| level.name == name)
}

/// The level of a scene: one of ours, or of those made for scenes alone.
pub fn find_of_scene(name: &str) -> Option<&'static OwnLevel> {
    find(name).or_else(|| OF_SCENES.iter().find(|level| level.name == name))
}

/// The one that has the name of this file, in whatever folder.
pub fn named_like(path: &Path) -> Option<&'static OwnLevel> {
    let name = path.file_name()?.to_str()?;
    find(name.strip_suffix(".map")?)
}

/// The level that opens when none is named.
///
/// # Panics
/// Without levels/bunker.map at the build; a test asks for it.
pub fn start() -> Origin {
    Origin::Ours(find(START).expect("the start level is in the program"))
}

impl OwnLevel {
    /// The `.map`, as it lies in levels/.
    ///
    /// # Panics
    /// Never: what was packed at the build is unpacked by a test.
    pub fn bytes(&self) -> Vec<u8> {
        decompress_to_vec_zlib_with_limit(self.packed, self.size).expect("packed by build.rs")
    }

    /// `bunker.map`.
    pub fn file_name(&self) -> String {
        format!("{}.map", self.name)
    }
}

impl fmt::Debug for OwnLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Names are given once.
impl PartialEq for OwnLevel {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Where a level or a recording comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// One of our own, inside the program. Nothing is ever saved there.
    Ours(&'static OwnLevel),
    /// A file.
    File(PathBuf),
}

impl Origin {
    /// What was typed: a file, or the name of one of ours where there is no file of that name.
    pub fn typed(path: &Path) -> Self {
        let ours = path.to_str().and_then(find);
        match ours.filter(|_| !path.is_file()) {
            Some(level) => Origin::Ours(level),
            None => Origin::File(path.to_path_buf()),
        }
    }

    /// The file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Origin::Ours(_) => None,
            Origin::File(path) => Some(path),
        }
    }

    /// The same file or level, whichever way its path is written.
    pub fn is(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::File(a), Origin::File(b)) => absolute(a) == absolute(b),
            _ => self == other,
        }
    }

    /// `bunker.map`, wherever it is.
    pub fn file_name(&self) -> String {
        match self {
            Origin::Ours(level) => level.file_name(),
            Origin::File(path) => path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// The folder's name, or that it is in the program.
    pub fn place(&self) -> String {
        let path = match self {
            Origin::Ours(_) => return "built in".into(),
            Origin::File(path) => absolute(path),
        };
        let folder = path.parent().unwrap_or(Path::new("/"));
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Both: `bunker.map (built in)`, `e1m1.map (maps)`.
    pub fn title(&self) -> String {
        format!("{} ({})", self.file_name(), self.place())
    }

    /// The whole path, or in words that there is none.
    pub fn whole(&self) -> String {
        match self {
            Origin::Ours(level) => format!("{}, a built-in level", level.file_name()),
            Origin::File(path) => absolute(path).display().to_string(),
        }
    }

    /// Its bytes; the error is the reason, without the file.
    ///
    /// # Errors
    /// What the file system says; of a missing file that has the name of one of ours, how to open that.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        match self {
            Origin::Ours(level) => Ok(level.bytes()),
            Origin::File(path) => files::read(path).map_err(|error| why_not(path, &error)),
        }
    }

    /// Whether there is something to open at all; the error as of [`Origin::read`].
    ///
    /// # Errors
    /// As [`Origin::read`].
    pub fn check(&self) -> Result<(), String> {
        match self {
            Origin::Ours(_) => Ok(()),
            Origin::File(path) => files::check_regular(path).map_err(|e| why_not(path, &e)),
        }
    }
}

/// As it was typed, for messages: a path, or `bunker`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Ours(level) => f.write_str(level.name),
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
    match named_like(path).filter(|_| error.kind() == std::io::ErrorKind::NotFound) {
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
        are_those_of("levels/scenes", OF_SCENES);
        assert_eq!(start().to_string(), START);
        // A name means one level.
        assert!(OF_SCENES.iter().all(|level| find(level.name).is_none()));
    }

    fn are_those_of(folder: &str, levels: &[OwnLevel]) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(&folder).expect("levels/").flatten();
        let mut names: Vec<String> = files
            .map(|file| file.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".map"))
            .collect();
        names.sort();
        let ours: Vec<String> = levels.iter().map(OwnLevel::file_name).collect();
        assert_eq!(ours, names);
        for level in levels {
            let file = std::fs::read(folder.join(level.file_name())).expect("a level");
            assert!(level.bytes() == file, "{}", level.name);
            assert!(level.packed.len() * 3 < level.size, "{}", level.name);
        }
    }

    #[test]
    fn a_name_is_one_of_ours_unless_there_is_a_file_of_that_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("bunker");
        assert_eq!(Origin::typed(Path::new("bunker")), start());
        // Only a bare name: a path is a path, and a wrong one is refused as ever.
        for path in ["levels/bunker", "bunker.map", "./bunker", "none", ""] {
            let origin = Origin::typed(Path::new(path));
            assert_eq!(origin, Origin::File(path.into()), "{path}");
        }
        std::fs::write(&inside, b"{}").expect("written");
        assert_eq!(Origin::typed(&inside), Origin::File(inside));
    }

    #[test]
    fn a_missing_file_with_the_name_of_one_of_ours_says_how_to_open_that() {
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
        assert!(file("x.map").whole().ends_with("/x.map"));
        assert!(file("x.map").is(&file("./x.map")));
        assert!(!file("bunker").is(&start()));
    }
}
