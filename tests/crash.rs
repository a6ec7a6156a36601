//! A program that is killed at any moment loses the tick it was in and nothing else: a second process plays and writes
//! its recording as the window does, is killed without a warning, and what it left is played again.
use breach::geom::rng::Rng;
use breach::journal::{Journal, find_crashed, resume};
use breach::level;
use breach::sim::recording::LevelSource;
use breach::sim::{Action, Settings, Sim, Timeline, soak_command};
use breach::timing::Silent;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const FOLDER: &str = "BREACH_CRASH_FOLDER";
const SEED: &str = "BREACH_CRASH_SEED";

/// The second process: plays for ever and says each tick, with its hash, once it is written down.
#[test]
#[ignore = "the other process of the tests below"]
fn plays_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let seed = std::env::var(SEED).map_or(1, |text| text.parse().expect("a number"));
    let map = include_bytes!("../levels/bunker.map");
    let settings = Settings::default();
    let desc = level::read_map(map).expect("a level");
    let mut sim = Sim::new(desc, seed, settings.clone(), &mut Silent).expect("a world");
    let timeline = Timeline::new(LevelSource::embed(map), seed, &settings, &sim);
    let mut journal = Journal::begin(Path::new(&folder), timeline.recording()).expect("begun");
    let mut rng = Rng::new(seed);
    let mut out = std::io::stdout().lock();
    loop {
        // Rockets, undo, and long stretches in which nothing is pressed.
        let command = match sim.tick % 40 {
            0 | 6 | 12 => soak_command(&sim, &mut rng),
            15 => breach::sim::Command {
                actions: vec![Action::Undo],
                ..sim.idle()
            },
            _ => sim.idle(),
        };
        sim.step(&command, &mut Silent);
        journal.tick(&command, &sim).expect("written");
        writeln!(out, "tick {} {:016x}", sim.tick, sim.state_hash()).expect("somebody listens");
    }
}

/// The process of the test below: begins a recording.
#[cfg(unix)]
#[test]
#[ignore = "the other process of the test below"]
fn begins_a_recording() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let map = include_bytes!("../levels/range.map");
    let settings = Settings::default();
    let desc = level::read_map(map).expect("a level");
    let sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
    let timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
    let _ = Journal::begin(Path::new(&folder), timeline.recording());
}

/// A file may have no more than one block, and who goes on beyond it is killed by the system: in the middle of the head.
#[cfg(unix)]
#[test]
fn killed_while_it_begins_it_leaves_no_recording_without_a_head() {
    use std::os::unix::process::ExitStatusExt;
    let folder = tempfile::tempdir().expect("a folder");
    let line = "ulimit -c 0; ulimit -f 1; exec \"$0\" --exact begins_a_recording --ignored";
    let status = Command::new("sh")
        .args(["-c", line])
        .arg(std::env::current_exe().expect("this test"))
        .env(FOLDER, folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("a shell");
    assert!(status.signal().is_some(), "{status}");
    let files = std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten();
    let kinds: Vec<_> = files
        .map(|f| f.path().extension().map(Into::into))
        .collect();
    let half: Option<std::ffi::OsString> = Some("new".into());
    assert!(
        !kinds.is_empty() && kinds.iter().all(|kind| *kind == half),
        "{kinds:?}"
    );
    assert!(find_crashed(folder.path()).is_none());
}

fn kill_and_go_on(times: u64, seed: u64) {
    let mut rng = Rng::new(seed);
    for run in 0..times {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args([
                "plays_until_it_is_killed",
                "--exact",
                "--ignored",
                "--nocapture",
            ])
            .env(FOLDER, folder.path())
            .env(SEED, (seed + run).to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a second process");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        // It is read as it comes, so that the child never waits for us; the last whole line is the last tick it told.
        let (told, began) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            let mut last = None;
            for line in lines.map_while(Result::ok) {
                let mut words = line.split(' ');
                if let (Some("tick"), Some(tick), Some(hash)) =
                    (words.next(), words.next(), words.next())
                    && hash.len() == 16
                {
                    last = Some((tick.parse::<u64>().expect("a tick"), hash.to_string()));
                    let _ = told.send(());
                }
            }
            last.expect("it played")
        });
        began
            .recv_timeout(Duration::from_secs(120))
            .expect("a first tick");
        std::thread::sleep(Duration::from_micros(rng.next_u64() % 700_000));
        child.kill().expect("killed");
        child.wait().expect("gone");
        let (tick, hash) = reader.join().expect("read");

        let left = find_crashed(folder.path()).expect("it is offered");
        let path = left.repair();
        assert!(find_crashed(folder.path()).is_none(), "once");
        let bytes = std::fs::read(&path).expect("the recording");
        let played = resume(&path, &bytes, &mut Silent, &mut |_, _, _| true);
        let mut played = played.unwrap_or_else(|why| panic!("run {run}: {why}"));
        assert_eq!(played.warnings, [""; 0], "run {run}");
        // One tick may have been written down and not told.
        let extra = played.sim.tick.checked_sub(tick);
        assert!(
            extra <= Some(1) && extra.is_some(),
            "run {run}: {tick}, {}",
            played.sim.tick
        );
        played.timeline.seek(&mut played.sim, tick, &mut Silent);
        assert_eq!(
            format!("{:016x}", played.sim.state_hash()),
            hash,
            "run {run}, tick {tick}"
        );
    }
}

#[test]
fn killed_five_times_nothing_is_lost_but_the_last_tick() {
    kill_and_go_on(5, 1);
}

#[test]
#[ignore = "minutes: cargo test --release --no-default-features --test crash -- --ignored hundred"]
fn killed_a_hundred_times_nothing_is_lost_but_the_last_tick() {
    kill_and_go_on(100, 1000);
}
