//! The window's recording: written tick by tick, whole after a crash, offered at the next start.
//!
//! Beside `x.breach` lies `x.open` for as long as it is being written, locked by the program that writes it. An
//! `.open` that nobody holds belongs to a run that did not end properly.
use super::places::Places;
use crate::level;
use crate::sim::recording::{LevelSource, Recorder, Recording};
use crate::sim::{Command, Settings, Sim, replay};
use crate::timing::Marker;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Older recordings are removed.
const RECORDINGS_KEPT: usize = 30;

/// How a level's recording starts.
pub struct Start {
    head: Vec<u8>,
    recorder: Recorder,
    /// What people should know, such as a recording that played differently.
    pub warnings: Vec<String>,
}

impl Start {
    /// A recording from the level's first tick. The level goes into it, so that the file stands alone.
    pub fn fresh(bytes: &[u8], seed: u64, settings: &Settings) -> Result<Self, String> {
        let mut head = Vec::new();
        let recorder = Recorder::start(&mut head, &LevelSource::embed(bytes), seed, settings);
        let recorder = recorder.map_err(|e| format!("the recording: {e}"))?;
        Ok(Self {
            head,
            recorder,
            warnings: Vec::new(),
        })
    }
}

/// Plays a recording up to its last tick; the recording of what follows starts with all of it. `progress` is told the
/// part done, 0..=1.
pub fn resume(
    path: &Path,
    bytes: &[u8],
    marker: &mut dyn Marker,
    progress: &mut dyn FnMut(f64),
) -> Result<(Sim, Start), String> {
    let recording = Recording::read(bytes).map_err(|e| format!("{}:{e}", path.display()))?;
    let map = match &recording.level {
        LevelSource::Path { path: beside, .. } => {
            let beside = path.parent().unwrap_or(Path::new("")).join(beside);
            let map = std::fs::read(&beside)
                .map_err(|e| format!("{}: its level {}: {e}", path.display(), beside.display()))?;
            if !recording.level.is(&map) {
                return Err(format!(
                    "{}: {} is not the level that was recorded",
                    path.display(),
                    beside.display()
                ));
            }
            map
        }
        embedded => embedded.bytes().unwrap_or_default(),
    };
    let level =
        level::read_map(&map).map_err(|e| format!("{}: its level at {e}", path.display()))?;
    let settings = recording.settings.clone();
    let mut start = Start::fresh(&map, recording.seed, &settings)?;
    let mut sim = Sim::new(level, recording.seed, settings, marker)
        .map_err(|e| format!("{}: {e}", path.display()))?;
    let mut hashes = recording.hashes.iter().peekable();
    for (tick, command) in (0..).zip(replay::commands(&recording, recording.ticks)) {
        if tick % 64 == 0 {
            progress(tick as f64 / recording.ticks.max(1) as f64);
        }
        let written = start.recorder.command(&mut start.head, tick, &command);
        written.map_err(|e| format!("the recording: {e}"))?;
        sim.step(&command, marker);
        start
            .recorder
            .stepped(&mut start.head, &sim)
            .map_err(|e| format!("the recording: {e}"))?;
        while let Some(&(at, hash)) = hashes.next_if(|(at, _)| *at <= sim.tick) {
            if at == sim.tick && hash != sim.state_hash() && start.warnings.is_empty() {
                start.warnings.push(format!(
                    "{}: plays differently from tick {at} on",
                    path.display()
                ));
            }
        }
    }
    start.warnings.extend(recording.warnings);
    Ok((sim, start))
}

/// A recording in progress. Dropped without [`Journal::finish`] it counts as left by a crash.
pub struct Journal {
    file: File,
    recorder: Recorder,
    line: Vec<u8>,
    open: PathBuf,
    _lock: File,
}

impl Journal {
    /// Makes the file and writes how it starts.
    pub fn begin(folder: &Path, start: Start) -> Result<Self, String> {
        let path = Places::unused(folder, "play", "breach")?;
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut file = File::create_new(&path).map_err(failed)?;
        let open = path.with_extension("open");
        let lock = File::create(&open).map_err(failed)?;
        // Without locks (some network folders) a second window may offer this recording; no harm is done.
        let _ = lock.try_lock();
        file.write_all(&start.head).map_err(failed)?;
        remove_oldest(folder);
        Ok(Self {
            file,
            recorder: start.recorder,
            line: Vec::new(),
            open,
            _lock: lock,
        })
    }

    /// Notes a tick that was stepped: `tick` is the simulation's before the step.
    pub fn tick(&mut self, tick: u64, command: &Command, sim: &Sim) -> std::io::Result<()> {
        self.line.clear();
        self.recorder.command(&mut self.line, tick, command)?;
        self.recorder.stepped(&mut self.line, sim)?;
        // One write a line: after a crash of the program the system still has it.
        if self.line.is_empty() {
            Ok(())
        } else {
            self.file.write_all(&self.line)
        }
    }

    /// Writes the end: nothing is offered at the next start.
    pub fn finish(self, sim: &Sim) -> std::io::Result<()> {
        let Self {
            mut file,
            recorder,
            line: _,
            open,
            _lock,
        } = self;
        recorder.end(&mut file, sim)?;
        file.sync_all()?;
        std::fs::remove_file(open)
    }
}

/// A recording that a crash left.
pub struct Left {
    path: PathBuf,
    _lock: File,
}

impl Left {
    /// The file's name for people.
    pub fn name(&self) -> String {
        super::loader::file_name(&self.path)
    }

    /// It was gone on from, or not: it is not offered again. The recording stays where it is.
    pub fn settle(self) -> PathBuf {
        let _ = std::fs::remove_file(self.path.with_extension("open"));
        self.path
    }
}

/// The newest recording that is open although nobody writes it.
pub fn left_by_a_crash(folder: &Path) -> Option<Left> {
    let mut paths = with_extension(folder, "open");
    while let Some(open) = paths.pop() {
        let path = open.with_extension("breach");
        let Ok(lock) = File::open(&open) else {
            continue;
        };
        match lock.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => continue,
            // A start without a tick is nothing to go on from.
            _ if has_ticks(&path) => return Some(Left { path, _lock: lock }),
            _ => {
                let _ = std::fs::remove_file(&open);
            }
        }
    }
    None
}

fn has_ticks(path: &Path) -> bool {
    std::fs::read(path)
        .is_ok_and(|bytes| Recording::read(&bytes).is_ok_and(|r| !r.commands.is_empty()))
}

/// Files of a kind, oldest first: their names count up.
fn with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files.flatten().map(|f| f.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort_by_key(|p| {
        (
            std::fs::metadata(p).and_then(|m| m.modified()).ok(),
            p.clone(),
        )
    });
    paths
}

fn remove_oldest(folder: &Path) {
    let mut done = with_extension(folder, "breach");
    done.retain(|p| !p.with_extension("open").exists());
    for path in &done[..done.len().saturating_sub(RECORDINGS_KEPT)] {
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Action;

    fn begin(folder: &Path) -> Journal {
        let start = Start::fresh(b"{}", 1, &Settings::default()).expect("a Vec takes all");
        Journal::begin(folder, start).expect("a temporary folder")
    }

    fn with_a_tick(folder: &Path) -> Journal {
        let mut journal = begin(folder);
        journal
            .file
            .write_all(b"{\"tick\":0,\"command\":{\"jump\":true}}\n")
            .expect("written");
        journal
    }

    #[test]
    fn a_recording_is_offered_only_when_nobody_writes_it() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let journal = with_a_tick(folder.path());
        assert!(left_by_a_crash(folder.path()).is_none());
        drop(journal);
        let left = left_by_a_crash(folder.path()).expect("left by a crash");
        assert_eq!(left.name(), "play-0001.breach");
        let path = left.settle();
        assert!(path.is_file());
        assert!(left_by_a_crash(folder.path()).is_none());
    }

    #[test]
    fn a_start_without_a_tick_is_not_offered() {
        let folder = tempfile::tempdir().expect("temporary folder");
        drop(begin(folder.path()));
        assert!(left_by_a_crash(folder.path()).is_none());
        assert!(left_by_a_crash(&folder.path().join("missing")).is_none());
    }

    #[test]
    fn only_the_newest_recordings_are_kept() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for _ in 0..RECORDINGS_KEPT + 5 {
            let journal = begin(folder.path());
            std::fs::remove_file(&journal.open).expect("as finish does");
        }
        assert_eq!(
            with_extension(folder.path(), "breach").len(),
            RECORDINGS_KEPT + 1
        );
    }

    #[test]
    fn what_is_no_recording_is_refused_with_its_place() {
        let path = Path::new("x.breach");
        let error = resume(
            path,
            b"{\"breach\":9}",
            &mut crate::timing::Silent,
            &mut |_| {},
        )
        .err();
        assert!(error.expect("refused").starts_with("x.breach:1:"));
    }

    #[test]
    fn after_a_crash_the_level_is_as_it_was() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/bunker.map");
        let map = std::fs::read(path).expect("the start level");
        let level = level::read_map(&map).expect("a level");
        let settings = Settings::default();
        let start = Start::fresh(&map, 1, &settings).expect("a Vec takes all");
        let mut sim = Sim::new(level, 1, settings, &mut crate::timing::Silent).expect("a world");
        let mut journal = Journal::begin(folder.path(), start).expect("a temporary folder");
        for tick in 0..90u64 {
            let command = Command {
                walk: [0.0, 0.0, 1.0],
                yaw: sim.player.yaw + 0.01,
                actions: if tick == 5 {
                    vec![Action::Fire]
                } else {
                    Vec::new()
                },
                ..Command::default()
            };
            let before = sim.tick;
            sim.step(&command, &mut crate::timing::Silent);
            journal.tick(before, &command, &sim).expect("written");
        }
        drop(journal);
        let left = left_by_a_crash(folder.path())
            .expect("left by a crash")
            .settle();
        let bytes = std::fs::read(&left).expect("the recording");
        let played = resume(&left, &bytes, &mut crate::timing::Silent, &mut |_| {});
        let (again, start) = played.expect("it plays");
        assert_eq!(again.tick, sim.tick);
        assert_eq!(again.state_hash(), sim.state_hash());
        // What goes on from there starts with the same lines.
        assert_eq!(start.head, bytes);
    }
}
