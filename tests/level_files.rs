//! Level files: the shared levels read as another reader reads them, and a save reads back as the same world.
use breach::level::{LevelDesc, read_map, write_map};
use std::path::PathBuf;

/// The shared levels, or a loud word that they are not there.
fn shared_levels(test: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/levels");
    let mut levels: Vec<(String, Vec<u8>)> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|f| f.path().extension().is_some_and(|e| e == "map"))
        .filter_map(|f| {
            let name = f.file_name().to_string_lossy().into_owned();
            Some((name, std::fs::read(f.path()).ok()?))
        })
        .collect();
    levels.sort();
    if levels.is_empty() {
        println!("NOT RUN: {test}: ../shared/levels is absent");
    }
    levels
}

#[test]
fn the_shared_levels_read() {
    for (name, bytes) in shared_levels("the_shared_levels_read") {
        let at = std::time::Instant::now();
        let level = read_map(&bytes).unwrap_or_else(|e| panic!("{name}:{e}"));
        println!(
            "{name}: {:?} entities {} brushes {} solids {} ops {} skipped {} materials {} starts {} lights {} warnings {}",
            at.elapsed(),
            level.entities,
            level.brushes,
            level.world.solids.len(),
            level.world.base.len(),
            level.skipped,
            level.world.materials.len(),
            level.starts.len(),
            level.lights.len(),
            level.warnings.len()
        );
        for w in level.warnings.iter().take(8) {
            println!("   {w:?}");
        }
    }
}
