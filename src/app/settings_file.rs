//! The settings file: read at the start, written after changes. A broken one is renamed.
use crate::files::{self, write_atomic};
use crate::ui::{Dock, Preferences};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Changes are written after this pause, so that dragging a slider writes once.
const CALM: Duration = Duration::from_secs(1);
/// Interval between checks for changes.
const LOOK: Duration = Duration::from_millis(500);

/// The settings file and its contents.
pub struct Config {
    /// Its path.
    pub path: PathBuf,
    written: String,
    /// Text not written yet, and since when.
    wanted: Option<(String, Instant)>,
    /// The last check.
    looked: Instant,
}

/// The result of reading the file.
pub struct Found {
    /// The file.
    pub config: Config,
    /// Program settings.
    pub preferences: Preferences,
    /// The layout of the panels.
    pub dock: Dock,
    /// Warnings.
    pub odd: Vec<String>,
}

/// Reads the settings file. A broken one is renamed, and the defaults apply.
pub fn open(path: PathBuf) -> Found {
    let mut odd = Vec::new();
    let name = path.display().to_string();
    let text = match files::read(&path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => {
            odd.push(set_aside(&path, "it is not valid text"));
            String::new()
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => {
            let why = files::refused(&path, &e);
            odd.push(format!("{why}. Using the default settings."));
            String::new()
        }
    };
    let (preferences, layout) = match Preferences::from_text(&text) {
        Ok((preferences, layout, mended)) => {
            odd.extend(mended.into_iter().map(|what| format!("{name}: {what}")));
            (preferences, layout)
        }
        Err(why) => {
            odd.push(set_aside(&path, &why));
            Default::default()
        }
    };
    let dock = match layout.is_empty() {
        true => Dock::default(),
        false => Dock::from_text(&layout).unwrap_or_else(|| {
            odd.push(format!(
                "{name}: the layout is from another version; using the default layout"
            ));
            Dock::default()
        }),
    };
    let config = Config {
        path,
        written: text,
        wanted: None,
        looked: Instant::now(),
    };
    Found {
        config,
        preferences,
        dock,
        odd,
    }
}

fn set_aside(path: &Path, why: &str) -> String {
    let (name, shown) = (path.with_extension("broken.toml"), path.display());
    match std::fs::rename(path, &name) {
        Ok(()) => format!(
            "{shown}: {why}. It was renamed to {}; using the default settings.",
            name.display()
        ),
        Err(e) => {
            format!("{shown}: {why}. It could not be renamed ({e}); using the default settings.")
        }
    }
}

impl Config {
    /// Whether a check is due; building the text takes some time.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.looked.elapsed() >= LOOK;
        if is_due {
            self.looked = Instant::now();
        }
        is_due
    }

    /// Writes changed settings after the pause, or at once. An error is returned once per change.
    pub fn keep(&mut self, text: String, at_once: bool) -> Result<(), String> {
        if text == self.written {
            self.wanted = None;
            return Ok(());
        }
        match &self.wanted {
            Some((wanted, since)) if *wanted == text => {
                if since.elapsed() < CALM && !at_once {
                    return Ok(());
                }
            }
            _ if at_once => {}
            _ => {
                self.wanted = Some((text, Instant::now()));
                return Ok(());
            }
        }
        self.wanted = None;
        let folder = self.path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let done = folder.and_then(|()| write_atomic(&self.path, text.as_bytes()));
        // After an error the same text is not tried again.
        self.written = text;
        done.map_err(|e| format!("Settings not saved: {}", files::refused(&self.path, &e)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_is_set_aside_and_said() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("settings.toml");
        for broken in [&b"scale = \"big\""[..], b"[[[", b"\xff\xfe"] {
            std::fs::write(&path, broken).expect("write");
            let found = open(path.clone());
            assert_eq!(found.preferences, Preferences::default());
            assert_eq!(found.odd.len(), 1, "{:?}", found.odd);
            assert!(!path.exists());
            let kept = std::fs::read(path.with_extension("broken.toml")).expect("set aside");
            assert_eq!(kept, broken);
        }
    }

    #[test]
    fn what_has_changed_is_there_at_the_next_start() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("deep").join("settings.toml");
        let mut found = open(path.clone());
        assert!(found.odd.is_empty());
        found.preferences.scale = 2.0;
        found.dock.show(crate::ui::PanelId::Map, true);
        let text = found.preferences.text(&found.dock.text());
        found.config.keep(text.clone(), false).expect("waits");
        assert!(!path.exists());
        found.config.keep(text, true).expect("writes");
        let again = open(path);
        assert_eq!((again.preferences.scale, again.odd), (2.0, Vec::new()));
        assert!(again.dock.is_open(crate::ui::PanelId::Map));
    }

    #[test]
    fn a_folder_in_its_place_is_said_and_left_alone() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut found = open(folder.path().to_path_buf());
        assert_eq!(found.odd.len(), 1);
        assert!(found.config.keep("x".into(), true).is_err());
        assert!(folder.path().is_dir());
    }
}
