//! Reads the folder whose files take the place of sounds.
use crate::files;
use crate::sound::Replacements;
use std::path::Path;

/// Largest file of a sound, bytes: two minutes of stereo in 32 bits at 192 kHz.
const LARGEST: u64 = 192 << 20;
/// Most files that are looked at.
const MOST_FILES: usize = 4096;

/// The sounds of a folder: WAV and OGG files that are named as the sounds. What cannot be used is skipped, and said: one
/// line each, with the file.
///
/// # Errors
/// The folder cannot be read, in words.
pub fn read(folder: &Path) -> Result<(Replacements, Vec<String>), String> {
    let refused = |error| files::refused(folder, &error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let is_sound = ["wav", "ogg"]
            .iter()
            .any(|e| extension.eq_ignore_ascii_case(e));
        if is_sound && paths.len() < MOST_FILES {
            paths.push(path);
        }
    }
    // The order of a folder is the file system's.
    paths.sort();
    let (mut sounds, mut skipped) = (Replacements::default(), Vec::new());
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let added = match files::read_up_to(&path, LARGEST) {
            Ok(bytes) => sounds.add(&name, &bytes).map_err(|why| why.to_string()),
            Err(error) => Err(files::reason(&error)),
        };
        if let Err(why) = added {
            skipped.push(format!("{}: skipped: {why}", path.display()));
        }
    }
    Ok((sounds, skipped))
}
