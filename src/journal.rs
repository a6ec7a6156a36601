//! The window's journal: its recording on disk, written tick by tick, complete after a crash, and offered at the next start.
//!
//! While `x.breach` is being written, `x.open` lies beside it, locked by the writing program. It holds the number of ticks
//! done, since a tick that only repeats its input takes no line. An `.open` without a lock belongs to a run that crashed.
//! Each tick is handed to the system at its end, so a crash loses only the tick it happened in.
//! `resume` plays a recording to its end.
use crate::files;
use crate::level::rules;
use crate::sim::recording::{MOST_SILENT_TICKS, Recorder, Recording};
use crate::sim::{Command, Sim};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

mod resume;

pub use resume::{Played, resume};

/// Number of ended recordings that are kept, the newest ones.
pub const RECORDINGS_KEPT: usize = 20;

/// A recording in progress. Dropped without [`Journal::finish`], it counts as crashed.
pub struct Journal {
    path: PathBuf,
    file: File,
    recorder: Recorder,
    /// Ticks written.
    ticks: u64,
    line: Vec<u8>,
    open: HeldOpen,
}

/// An `.open` that this program holds: locked until dropped, where the file system has locks.
#[derive(Debug)]
struct HeldOpen(File);

impl HeldOpen {
    /// Locks it, or returns nothing where another program holds it.
    fn take(open: File) -> Option<Self> {
        match open.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => None,
            // Without locks no program is known to hold it.
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => Some(Self(open)),
        }
    }
}

impl Drop for HeldOpen {
    fn drop(&mut self) {
        // Closing it is not enough: a program that another thread starts at this moment has the file, with its lock, until
        // it runs.
        let _ = self.0.unlock();
    }
}

impl Journal {
    /// Creates the file and writes the recording so far.
    ///
    /// # Errors
    /// The file system's error, with the path.
    pub fn begin(folder: &Path, recording: &Recording) -> Result<Self, String> {
        let path = files::unused(folder, "play", "breach")?;
        let failed = |e: io::Error| files::refused(&path, &e);
        let mut head = Vec::new();
        let recorder = recording.write_open(&mut head).map_err(failed)?;
        let (file, open) = make(&path, &head, recording.ticks).map_err(failed)?;
        remove_oldest(folder);
        remove_stale(folder);
        Ok(Self {
            path,
            file,
            recorder,
            ticks: recording.ticks,
            line: Vec::new(),
            open,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its files were removed or moved away. Writing to them goes on without an error, but the recording cannot be
    /// found again.
    pub fn is_gone(&self) -> bool {
        let open = self.path.with_extension("open");
        !is_at(&self.file, &self.path) || !is_at(&self.open.0, &open)
    }

    /// Writes a tick that was stepped.
    ///
    /// # Errors
    /// As the file system says (a full disk): the recording ends before this tick, whole.
    pub fn tick(&mut self, command: &Command, sim: &Sim) -> io::Result<()> {
        assert_eq!(sim.tick, self.ticks + 1, "ticks are written one by one");
        self.ticks = sim.tick;
        self.line.clear();
        self.recorder
            .command(&mut self.line, sim.tick - 1, command)?;
        self.recorder.stepped(&mut self.line, sim)?;
        // One write for the tick's lines: after a crash of the program the system still has them.
        if !self.line.is_empty() {
            self.file.write_all(&self.line)?;
        }
        write_ticks(&mut self.open.0, sim.tick)
    }

    /// Writes the end, after which nothing is offered at the next start. `ticks` is the number of ticks written.
    ///
    /// # Errors
    /// The file system's; then the recording is offered again.
    pub fn finish(mut self, ticks: u64) -> io::Result<()> {
        assert_eq!(ticks, self.ticks, "every tick was written");
        self.line.clear();
        self.recorder.end_at(&mut self.line, ticks)?;
        self.file.write_all(&self.line)?;
        self.file.sync_all()?;
        std::fs::remove_file(self.path.with_extension("open"))
    }
}

/// Creates the recording with its head, and its `.open`. Both get their names when they are complete: a crash leaves no
/// recording without a head, and no other program finds an `.open` that is not locked yet.
fn make(path: &Path, head: &[u8], ticks: u64) -> io::Result<(File, HeldOpen)> {
    let beside = path.with_extension("open");
    let [mut file, mut open] = [
        files::temporary_beside(path)?,
        files::temporary_beside(&beside)?,
    ];
    file.write_all(head)?;
    // Without locks (some network folders) a second window may offer this recording, which does no harm.
    let _ = open.as_file().try_lock();
    write_ticks(open.as_file_mut(), ticks)?;
    // Another window may have taken the name meanwhile.
    let file = file.persist_noclobber(path).map_err(|error| error.error)?;
    let open = open.persist(&beside).map_err(|error| {
        let _ = std::fs::remove_file(path);
        error.error
    })?;
    Ok((file, HeldOpen(open)))
}

/// Whether the path still names this open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let [own, there] = [file.metadata(), std::fs::metadata(path)].map(Result::ok);
    own.zip(there)
        .is_some_and(|(own, there)| (own.dev(), own.ino()) == (there.dev(), there.ino()))
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

fn write_ticks(open: &mut File, ticks: u64) -> io::Result<()> {
    open.rewind()?;
    open.write_all(format!("{ticks:020}").as_bytes())
}

/// A recording that was not ended because of a crash.
pub struct CrashedRecording {
    path: PathBuf,
    rules: u32,
    open: HeldOpen,
}

impl CrashedRecording {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The note about other rules, if it was made by others: it may play up to another state than that of the crash.
    pub fn note(&self) -> Option<String> {
        rules::note(self.rules)
    }

    /// Repairs it, whether or not it is resumed: afterwards it plays up to the last tick done and is not offered again.
    /// Returns its path.
    pub fn repair(mut self) -> PathBuf {
        // One that cannot be repaired plays up to its last complete line.
        if end_file(&self.path, &mut self.open.0).is_ok() {
            let _ = std::fs::remove_file(self.path.with_extension("open"));
        }
        self.path
    }
}

/// Cuts off an unreadable last line, and writes the end marker.
fn end_file(path: &Path, open: &mut File) -> io::Result<()> {
    let bytes = files::read(path)?;
    let Ok((recording, whole)) = Recording::read_whole(&bytes) else {
        return Ok(());
    };
    // The unreadable line would no longer be the last one.
    let mut file = File::options().write(true).open(path)?;
    file.set_len(whole as u64)?;
    file.seek(io::SeekFrom::End(0))?;
    // A complete last line may lack its line end.
    if bytes[..whole].last() != Some(&b'\n') {
        file.write_all(b"\n")?;
    }
    if !recording.is_ended() {
        let mut end = Vec::new();
        let recorder = Recorder::start(&mut io::sink(), &recording.level, 0, &recording.settings)?;
        recorder.end_at(&mut end, ticks_done(open, &recording))?;
        file.write_all(&end)?;
    }
    file.sync_all()
}

/// The number of ticks done by a recording without an end, from its `.open`. A number that a reader would refuse as the end
/// is ignored: then the recording ends with its last line.
fn ticks_done(open: &mut File, recording: &Recording) -> u64 {
    /// Longer than any number that [`write_ticks`] writes.
    const MOST_BYTES: u64 = 64;
    let mut bytes = Vec::new();
    let read = open.take(MOST_BYTES).read_to_end(&mut bytes);
    let text = read.ok().and_then(|_| std::str::from_utf8(&bytes).ok());
    let ticks = text.and_then(|text| text.trim().parse().ok());
    let least = recording.ticks;
    let ticks = ticks.filter(|ticks| (least..=least + MOST_SILENT_TICKS).contains(ticks));
    ticks.unwrap_or(least)
}

/// The newest crashed recording: one with an `.open` that no program holds.
pub fn find_crashed(folder: &Path) -> Option<CrashedRecording> {
    let mut paths = with_extension(folder, "open");
    while let Some(open) = paths.pop() {
        let path = open.with_extension("breach");
        let Some(held) = files::open(&open).ok().and_then(HeldOpen::take) else {
            continue;
        };
        let bytes = files::read(&path).unwrap_or_default();
        match Recording::read(&bytes) {
            // A recording without input is not worth resuming.
            Ok(recording) if !recording.commands.is_empty() => {
                let rules = recording.rules;
                return Some(CrashedRecording {
                    path,
                    rules,
                    open: held,
                });
            }
            Ok(_) | Err(_) => {
                let _ = std::fs::remove_file(&open);
            }
        }
    }
    None
}

/// Files with an extension, oldest first.
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

/// Removes all but the newest recordings; crashed ones count too.
fn remove_oldest(folder: &Path) {
    let mut done = with_extension(folder, "breach");
    let is_ours = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        let open = files::open(&p.with_extension("open"));
        name.starts_with("play-") && !open.is_ok_and(|open| HeldOpen::take(open).is_none())
    };
    done.retain(is_ours);
    for path in &done[..done.len().saturating_sub(RECORDINGS_KEPT)] {
        let _ = std::fs::remove_file(path);
        let _ = std::fs::remove_file(path.with_extension("open"));
    }
}

/// Removes temporary files of crashed programs. Newer ones may still be in use.
fn remove_stale(folder: &Path) {
    const AGE: Duration = Duration::from_secs(3600);
    let is_old = |p: &PathBuf| {
        let written = std::fs::metadata(p).and_then(|m| m.modified()).ok();
        written.is_some_and(|at| at.elapsed().is_ok_and(|age| age > AGE))
    };
    for stale in with_extension(folder, "new").iter().filter(|p| is_old(p)) {
        let _ = std::fs::remove_file(stale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level;
    use crate::sim::recording::LevelSource;
    use crate::sim::{Action, Settings, Timeline};
    use crate::timing::Silent;

    fn opened() -> (Sim, Timeline) {
        let map = include_bytes!("../levels/bunker.map");
        let level = level::read_map(map).expect("a level");
        let settings = Settings::default();
        let sim = Sim::new(level, 1, settings.clone(), &mut Silent).expect("a world");
        let timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
        (sim, timeline)
    }

    fn play(sim: &mut Sim, timeline: &mut Timeline, journal: &mut Journal, ticks: u64) {
        for _ in 0..ticks {
            let command = Command {
                walk: [0.0, 0.0, 1.0],
                yaw: 0.3,
                actions: match sim.tick {
                    5 => vec![Action::Fire],
                    _ => Vec::new(),
                },
                ..Command::default()
            };
            sim.step(&command, &mut Silent);
            timeline.stepped(&command, sim);
            journal.tick(&command, sim).expect("written");
        }
    }

    fn play_again(path: &Path) -> Played {
        let bytes = std::fs::read(path).expect("the recording");
        resume(path, &bytes, &mut Silent, &mut |_, _, _| true).expect("it plays")
    }

    #[test]
    fn a_recording_is_offered_only_when_nobody_writes_it() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        play(&mut sim, &mut timeline, &mut journal, 1);
        assert!(find_crashed(folder.path()).is_none());
        drop(journal);
        let left = find_crashed(folder.path()).expect("left by a crash");
        assert!(left.path().ends_with("play-0001.breach"));
        let path = left.repair();
        assert!(path.is_file());
        assert!(find_crashed(folder.path()).is_none());
    }

    #[test]
    fn a_start_without_a_tick_is_not_offered() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (_, timeline) = opened();
        drop(Journal::begin(folder.path(), timeline.recording()).expect("begun"));
        assert!(find_crashed(folder.path()).is_none());
        assert!(find_crashed(&folder.path().join("missing")).is_none());
    }

    #[test]
    fn the_last_twenty_recordings_are_kept_and_what_people_named_themselves() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (_, timeline) = opened();
        let own = folder.path().join("bug-0001.breach");
        std::fs::write(&own, b"{}").expect("written");
        for _ in 0..RECORDINGS_KEPT + 5 {
            let journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
            journal.finish(0).expect("written");
        }
        let kept = with_extension(folder.path(), "breach");
        // The last one was still open when the oldest were removed.
        assert_eq!(kept.len(), RECORDINGS_KEPT + 2);
        assert!(own.is_file());
    }

    #[test]
    fn recordings_that_nobody_went_on_from_count_towards_the_twenty() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let offered = {
            let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
            play(&mut sim, &mut timeline, &mut journal, 1);
            drop(journal);
            find_crashed(folder.path()).expect("left by a crash")
        };
        for n in 0..RECORDINGS_KEPT + 9 {
            let journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
            if n % 3 == 0 {
                journal.finish(1).expect("written");
            }
        }
        let last = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        let kept = with_extension(folder.path(), "breach");
        // Beside those twenty the one that is written, and the one whose offer stands: somebody holds both.
        assert_eq!(kept.len(), RECORDINGS_KEPT + 2);
        assert!(kept.iter().any(|path| path == offered.path()));
        assert!(kept.iter().any(|path| path == last.path()));
        for open in with_extension(folder.path(), "open") {
            assert!(open.with_extension("breach").is_file(), "{open:?}");
        }
    }

    #[test]
    fn a_mark_that_is_no_number_of_ticks_or_beyond_what_is_read_ends_the_recording_with_its_last_line()
     {
        let (mut sim, mut timeline) = opened();
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        play(&mut sim, &mut timeline, &mut journal, 97);
        let (path, open) = (
            journal.path().to_path_buf(),
            journal.path().with_extension("open"),
        );
        drop(journal);
        let bytes = std::fs::read(&path).expect("the recording");
        let most = 60 + MOST_SILENT_TICKS;
        for (mark, ticks) in [
            (&b"00000000000000000097"[..], 97),
            (b"97", 97),
            (most.to_string().as_bytes(), most),
            ((most + 1).to_string().as_bytes(), 60),
            (b"1099511627777", 60),
            (b"18446744073709551615", 60),
            (b"99999999999999999999", 60),
            (b"-97", 60),
            (b"97 ticks", 60),
            (b"59", 60),
            (b"\xff\xfe\x00", 60),
            (&[b'9'; 100_000], 60),
            (b"", 60),
        ] {
            std::fs::write(&path, &bytes).expect("written");
            std::fs::write(&open, mark).expect("written");
            let left = find_crashed(folder.path()).expect("left by a crash");
            let mended = std::fs::read(left.repair()).expect("there");
            let recording = Recording::read(&mended).expect("a good recording stays one");
            assert_eq!((recording.ticks, recording.is_ended()), (ticks, true));
            assert!(!open.exists() && find_crashed(folder.path()).is_none());
        }
    }

    #[test]
    fn a_last_line_that_cannot_be_read_goes_when_the_recording_is_mended() {
        let (mut sim, mut timeline) = opened();
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        play(&mut sim, &mut timeline, &mut journal, 97);
        let path = journal.path().to_path_buf();
        drop(journal);
        let whole = std::fs::read(&path).expect("the recording");
        let number = r#"{"tick":96,"command":{"walk":[1e308,0,0]}}"#;
        for line in [
            number,
            "{",
            "{\"tick\":96,\"command\":{\"walk\":7}}",
            "\u{1}",
        ] {
            let bytes = [&whole, line.as_bytes(), b"\n"].concat();
            std::fs::write(&path, bytes).expect("written");
            std::fs::write(path.with_extension("open"), b"97").expect("written");
            let left = find_crashed(folder.path()).expect("left by a crash");
            let mended = std::fs::read(left.repair()).expect("there");
            let recording = Recording::read(&mended).expect("a good recording stays one");
            assert_eq!(
                (recording.ticks, recording.is_ended()),
                (97, true),
                "{line}"
            );
        }
        // One that is whole but for its end stays.
        let cut = whole.trim_ascii_end();
        let commands = Recording::read(cut).expect("a recording").commands;
        assert!(!commands.is_empty());
        std::fs::write(&path, cut).expect("written");
        std::fs::write(path.with_extension("open"), b"97").expect("written");
        let left = find_crashed(folder.path()).expect("left by a crash");
        let mended = std::fs::read(left.repair()).expect("there");
        let recording = Recording::read(&mended).expect("a good recording stays one");
        assert_eq!(recording.commands, commands);
        assert_eq!((recording.ticks, recording.is_ended()), (97, true));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_named_like_what_a_crash_leaves_are_not_waited_for() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (_, timeline) = opened();
        std::fs::write(folder.path().join("play-0002.open"), b"1").expect("written");
        for name in ["play-0001.open", "play-0002.breach", "play-0003.breach"] {
            let mut mkfifo = std::process::Command::new("mkfifo");
            let made = mkfifo.arg(folder.path().join(name)).status();
            assert!(made.expect("mkfifo").success());
        }
        assert!(find_crashed(folder.path()).is_none());
        assert!(Journal::begin(folder.path(), timeline.recording()).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_recording_whose_files_are_removed_or_replaced_knows_it() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let begin = |timeline: &Timeline| {
            let journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
            assert!(!journal.is_gone());
            let files = [
                journal.path().to_path_buf(),
                journal.path().with_extension("open"),
            ];
            (journal, files)
        };
        for which in [0, 1] {
            let (mut journal, files) = begin(&timeline);
            std::fs::remove_file(&files[which]).expect("ours");
            assert!(journal.is_gone());
            std::fs::write(&files[which], b"of somebody else").expect("written");
            assert!(journal.is_gone());
            // Writing tells nothing.
            play(&mut sim, &mut timeline, &mut journal, 2);
        }
        let (journal, _) = begin(&timeline);
        std::fs::remove_dir_all(folder.path()).expect("ours");
        assert!(journal.is_gone());
    }

    #[test]
    fn a_crashed_recording_of_other_rules_says_so_and_goes_on_as_one_of_ours() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("play-0001.breach");
        let whole = include_str!("../tests/rules/1/last.breach");
        let crashed = &whole[..whole.rfind("{\"tick\":150").expect("an end")];
        std::fs::write(&path, crashed).expect("written");
        std::fs::write(path.with_extension("open"), b"150").expect("written");
        let left = find_crashed(folder.path()).expect("left by a crash");
        let note = rules::note(1).expect("other rules");
        assert_eq!(left.note().as_ref(), Some(&note));
        let played = play_again(&left.repair());
        // Neither its hashes nor what was mended is anything to say.
        assert_eq!(played.warnings, [note]);
        assert_eq!(played.sim.tick, 150);
        let recording = played.timeline.recording();
        assert_eq!(recording.rules, rules::RULES);
        let journal = Journal::begin(folder.path(), recording).expect("begun");
        let anew = journal.path().to_path_buf();
        journal.finish(150).expect("written");
        let again = play_again(&anew);
        assert_eq!(again.warnings, [""; 0]);
        assert_eq!(again.sim.state_hash(), played.sim.state_hash());
        // The old one stays what it was, with an end.
        let old = Recording::read(&std::fs::read(&path).expect("there")).expect("whole");
        assert_eq!((old.rules, old.ticks, old.is_ended()), (1, 150, true));
    }

    #[test]
    fn what_a_program_that_died_had_half_written_goes_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (_, timeline) = opened();
        let [old, new] = [".breach-a.new", ".breach-b.new"].map(|name| folder.path().join(name));
        let yesterday = std::time::SystemTime::now() - Duration::from_secs(86_400);
        let file = File::create(&old).expect("made");
        file.set_modified(yesterday).expect("ours");
        File::create(&new).expect("made");
        Journal::begin(folder.path(), timeline.recording()).expect("begun");
        assert_eq!((old.exists(), new.exists()), (false, true));
    }

    #[test]
    fn two_windows_that_begin_at_once_have_a_recording_each() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (_, timeline) = opened();
        let begin = || Journal::begin(folder.path(), timeline.recording());
        let first = begin().expect("begun");
        let (path, before) = (first.path(), std::fs::read(first.path()).expect("there"));
        // The other one took the name for free a moment ago.
        let taken = make(path, b"another head", 0).expect_err("taken");
        assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(path).expect("there"), before);
        assert!(path.with_extension("open").is_file());
        assert_ne!(begin().expect("begun").path(), path);
        assert_eq!(
            with_extension(folder.path(), "new"),
            [""; 0].map(PathBuf::from)
        );
    }

    #[test]
    fn after_a_crash_the_level_is_as_it_was_to_the_tick() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        // The last hash is that of tick 60, the last line of input long before: 97 ticks are there all the same.
        play(&mut sim, &mut timeline, &mut journal, 97);
        // It died within a line.
        journal
            .file
            .write_all(b"{\"tick\":97,\"comm")
            .expect("written");
        drop(journal);
        let left = find_crashed(folder.path()).expect("left by a crash");
        let again = play_again(&left.repair());
        assert_eq!(
            (again.sim.tick, again.sim.state_hash()),
            (97, sim.state_hash())
        );
        assert_eq!(again.warnings, [""; 0]);
        assert_eq!(again.timeline.recording(), timeline.recording());
    }

    #[test]
    fn a_recording_is_offered_although_a_started_program_still_has_its_files() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        play(&mut sim, &mut timeline, &mut journal, 1);
        // As one has that another thread is starting.
        let inherited = journal.open.0.try_clone().expect("a second handle");
        drop(journal);
        let left = find_crashed(folder.path()).expect("left by a crash");
        drop(inherited);
        let again = left.open.0.try_clone().expect("a second handle");
        drop(left);
        assert!(find_crashed(folder.path()).is_some());
        drop(again);
    }

    #[test]
    fn what_goes_on_from_a_recording_is_a_recording_of_both() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        play(&mut sim, &mut timeline, &mut journal, 50);
        journal.finish(sim.tick).expect("written");
        // Back to tick 20, and another way from there; the old file stays.
        timeline.seek(&mut sim, 20, &mut Silent);
        timeline.branch(&sim);
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        let path = journal.path().to_path_buf();
        play(&mut sim, &mut timeline, &mut journal, 10);
        journal.finish(sim.tick).expect("written");
        assert_eq!(play_again(&path).sim.state_hash(), sim.state_hash());
        let old = play_again(&folder.path().join("play-0001.breach"));
        assert_eq!((old.sim.tick, old.warnings.len()), (50, 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_the_recording_and_says_so() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (mut sim, mut timeline) = opened();
        let mut journal = Journal::begin(folder.path(), timeline.recording()).expect("begun");
        play(&mut sim, &mut timeline, &mut journal, 3);
        journal.file = File::options()
            .write(true)
            .open("/dev/full")
            .expect("a full disk");
        let fire = Command {
            actions: vec![Action::Fire],
            ..Command::default()
        };
        sim.step(&fire, &mut Silent);
        let refused = journal.tick(&fire, &sim).expect_err("the disk is full");
        assert_eq!(refused.kind(), io::ErrorKind::StorageFull);
        drop(journal);
        let left = find_crashed(folder.path()).expect("what was written is there");
        assert_eq!(play_again(&left.repair()).sim.tick, 3);
    }
}
