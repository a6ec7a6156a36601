//! What is right of any input, asked of one file at a time, in a process of its own: a panic, an abort or an endless loop
//! ends that process and no more.
//!
//! | file | judged by |
//! |---|---|
//! | `.map` | `level`: sound, the same after save and load and on any count of threads, each operation of play alone and in slices, its volume against `volume`, points against the brushes' planes, undo to the first state; a head of `// fuzz turned` or `// fuzz soak` adds what it says |
//! | `.breach` | `recording`: read and written alike, no body in rock, sound, saved, undone, verified on other threads and under other trees; `compare` with bounded memory |
//! | `.jsonl` beside a `.map` | `program`: `breach query` answers each line, alike on any threads, and says nothing that contradicts itself |
//! | `.open` beside a `.breach` | `program`: what a crash left is mended |
//! | `.args` | `program`: files that are none are refused at once |
use breach::world::World;
use std::path::Path;

mod level;
mod program;
mod recording;
mod volume;

/// What is wrong, and who says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Two faults of one kind of input and one judge count as the same.
    pub judge: &'static str,
    /// In words.
    pub text: String,
}

/// A [`Fault`] as an error.
fn fault<T>(judge: &'static str, text: impl Into<String>) -> Result<T, Fault> {
    let text = text.into();
    Err(Fault { judge, text })
}

/// Judges the file, by its ending.
pub fn judge(path: &Path) -> Result<(), Fault> {
    let read = |path: &Path| std::fs::read(path).unwrap_or_default();
    match path.extension().and_then(|e| e.to_str()) {
        Some("map") => level::judge(&read(path)),
        Some("breach") => recording::judge(path, &read(path)),
        Some("jsonl") => program::query(path),
        Some("open") => program::left(path),
        Some("args") => program::odd_file(&read(path)),
        _ => fault(
            "usage",
            "a .map, .breach, .jsonl, .open or .args file is needed",
        ),
    }
}

/// Threads beside which one thread is judged.
const THREADS: usize = 4;

/// On so many threads; the process itself has one.
fn on_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build();
    match pool {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Closed, planar, portals equal from both sides.
fn sound(world: &World, when: &str) -> Result<(), Fault> {
    let census = world.census();
    let counts = [
        census.unmatched_edges,
        census.t_junctions,
        census.portal_mismatches,
    ];
    if counts != [0; 3] {
        let [edges, junctions, portals] = counts;
        let text = format!(
            "{when}: {edges} unmatched edges, {junctions} T-junctions, {portals} portal mismatches"
        );
        return fault("watertight", text);
    }
    match world.validate() {
        Ok(()) => Ok(()),
        Err(faults) => fault("watertight", format!("{when}: {}", faults.join("; "))),
    }
}
