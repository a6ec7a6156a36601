//! A stranger's path: every command of the README's blocks is run as it is written there, by a shell, in a folder that
//! has the project's levels. What opens a window is left to tests/window.sh, and `./run` and `./test` to those who read.
#![cfg(unix)]
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::recording::LevelSource;
use breach::sim::{Settings, Sim, Timeline, soak_command};
use breach::timing::Silent;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

const README: &str = include_str!("../README.md");

/// The lines of all blocks of a kind.
fn lines(kind: &str) -> Vec<&'static str> {
    let start = format!("\n```{kind}\n");
    let blocks = README.split(start.as_str()).skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    blocks.flat_map(str::lines).collect()
}

/// Commands that end by themselves and that this build can do.
fn commands() -> Vec<&'static str> {
    let needs_picture =
        |line: &str| line.starts_with("breach shot") || line.starts_with("breach clip");
    let mut all = lines("sh");
    let opens_window =
        |line: &str| line.starts_with("breach bunker") || line.starts_with("breach bench");
    all.retain(|line| line.contains("breach ") && !opens_window(line));
    all.retain(|line| cfg!(feature = "render") || !needs_picture(line));
    all.retain(|line| cfg!(feature = "video") || !line.contains(".mp4"));
    all
}

/// A folder as the README sees it: `breach` is found, levels/ is there, and a game was recorded.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    symlink(root.join("levels"), place.path().join("levels")).expect("linked");
    std::fs::create_dir(place.path().join("bin")).expect("made");
    let program = place.path().join("bin/breach");
    symlink(env!("CARGO_BIN_EXE_breach"), program).expect("linked");
    std::fs::write(place.path().join("game.breach"), game(900)).expect("written");
    place
}

fn game(ticks: u64) -> Vec<u8> {
    let map = include_bytes!("../levels/bunker.map");
    let settings = Settings::default();
    let desc = level::read_map(map).expect("our own level");
    let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
    let mut timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
    let mut rng = Rng::new(1);
    for tick in 0..ticks {
        let command = match tick % 60 {
            0 => soak_command(&sim, &mut rng),
            _ => sim.idle(),
        };
        sim.step(&command, &mut Silent);
        timeline.stepped(&command, &sim);
    }
    let mut bytes = Vec::new();
    let written = timeline.recording().write(&mut bytes);
    written.expect("a Vec takes all");
    bytes
}

fn sh(place: &Path, line: &str) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(place)
        .env("PATH", format!("{}:{path}", place.join("bin").display()))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("a shell")
}

#[test]
fn every_command_does_what_the_readme_says() {
    let commands = commands();
    let least = if cfg!(feature = "render") { 11 } else { 7 };
    assert!(commands.len() >= least, "{commands:?}");
    let place = place();
    for line in commands {
        let output = sh(place.path(), line);
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(output.status.success(), "{line}\n{out}\n{err}");
        // What is to be written is there, and is something.
        let words: Vec<&str> = line
            .split('#')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        for pair in words.windows(2) {
            if ["-o", "--save", "--timings", "--trace"].contains(&pair[0]) {
                let file = place.path().join(pair[1]);
                let size = std::fs::metadata(&file).map_or(0, |meta| meta.len());
                assert!(size > 100, "{line}: {} has {size} bytes", file.display());
            }
        }
        if words.contains(&"--json") {
            assert!(
                out.lines().all(|line| line.starts_with('{')),
                "{line}\n{out}"
            );
        }
        if line.starts_with("echo") {
            assert!(out.starts_with("{\"id\":1,\"hit\":"), "{line}\n{out}");
        }
    }
}

/// Of a table of the comparison: what stands before the numbers, behind the head.
fn row_names<'a>(text: impl Iterator<Item = &'a str>) -> Vec<String> {
    let rows = text.skip_while(|line| !line.contains("p50")).skip(1);
    let names = rows.filter_map(|line| line.get(..16));
    names.map(|name| name.trim().to_string()).collect()
}

#[test]
fn the_table_of_the_readme_has_the_rows_of_the_program() {
    let shown = lines("text");
    let begins = "$ breach compare benches/minute.breach --a ";
    let at = shown.iter().position(|line| line.starts_with(begins));
    let at = at.expect("a comparison");
    let shown: Vec<&str> = shown[at..]
        .iter()
        .copied()
        .take_while(|line| !line.starts_with("$ breach soak"))
        .collect();
    let command = shown[0];
    // The same on a short game, as the minute takes minutes here.
    let place = place();
    let settings = command.split("minute.breach").nth(1).unwrap_or("");
    let settings = settings.split(" -o ").next().unwrap_or("");
    let output = sh(
        place.path(),
        &format!("breach compare game.breach --passes 1{settings}"),
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = row_names(shown.into_iter());
    assert!(rows.len() > 8, "{rows:?}");
    assert_eq!(rows, row_names(told.lines()));
}

#[test]
fn the_readme_lists_the_examples_in_their_order() {
    let rows = README.split("\n| Example |").nth(1).expect("a table");
    let rows = rows.lines().skip(2).take_while(|row| row.starts_with('|'));
    let names: Vec<&str> = rows.filter_map(|row| row.split('|').nth(1)).collect();
    let names: Vec<&str> = names.into_iter().map(str::trim).collect();
    let scenes: Vec<&str> = breach::scenes::SCENES.iter().map(|s| s.name).collect();
    assert_eq!(names, scenes);
}

#[test]
fn what_the_readme_shows_is_what_the_program_says() {
    let place = place();
    let shown = lines("text").join("\n");
    let mut told = 0;
    for block in shown
        .split("$ ")
        .skip(1)
        .filter(|block| !block.starts_with("breach compare"))
    {
        let (command, output) = block.split_once('\n').expect("a command and its output");
        let again = sh(place.path(), command);
        let again = String::from_utf8_lossy(&again.stdout).into_owned();
        // Milliseconds and megabytes are those of a machine; what stands before them is not.
        let fixed = |line: &str| -> String {
            let end = [
                ", loaded in",
                ": p50",
                "ms per carve",
                "; stepping",
                ", peak memory",
            ];
            let end = end.iter().filter_map(|end| line.find(end)).min();
            line[..end.unwrap_or(line.len())].trim_end().to_string()
        };
        let lines = |text: &str| text.trim_end().lines().map(fixed).collect::<Vec<_>>();
        assert_eq!(lines(output), lines(&again), "{command}");
        told += lines(output).len();
    }
    assert!(told > 8, "{told}");
}

/// It was made by hand, and is measured again after every change: what is compared must be what was recorded.
#[test]
fn the_minute_of_the_bunker_still_plays_as_it_was_recorded() {
    let at = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_breach"))
        .args(["replay", "benches/minute.breach", "--verify"])
        .current_dir(at)
        .output()
        .expect("the program");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
