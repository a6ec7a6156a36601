//! `breach clip` as people use it: videos and animated pictures of recordings, and what is refused.
#![cfg(feature = "video")]
#[allow(dead_code, reason = "other tests ask for the rest")]
mod ffmpeg;

use breach::level;
use breach::render::OffscreenRenderer;
use breach::sim::recording::{LevelSource, Recording};
use breach::sim::{Action, Command as Tick, Settings, Sim, Timeline, replay};
use breach::sound::{Soundtrack, sample_16};
use breach::timing::Silent;
use breach::view::{self, Overlays};
use ffmpeg::psnr;
use std::path::Path;
use std::process::{Command, Output};

const LEVEL: &[u8] = include_bytes!("../levels/range.map");
const TICKS: u64 = 90;

/// A run in the range: the player turns, walks and fires.
fn recorded() -> Recording {
    let desc = level::read_map(LEVEL).expect("our own level");
    let settings = Settings::default();
    let mut sim = Sim::new(desc, 3, settings.clone(), &mut Silent).expect("a world");
    let mut timeline = Timeline::new(LevelSource::embed(LEVEL), 3, &settings, &sim);
    for tick in 0..TICKS {
        let mut command = Tick {
            walk: [0.0, 0.0, 1.0],
            yaw: sim.player.yaw + 0.004,
            ..sim.idle()
        };
        command.actions.extend((tick == 5).then_some(Action::Fire));
        sim.step(&command, &mut Silent);
        timeline.stepped(&command, &sim);
    }
    timeline.recording().clone()
}

/// A folder with the recording `play.breach`.
fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = Vec::new();
    recorded().write(&mut bytes).expect("a Vec takes all");
    std::fs::write(folder.path().join("play.breach"), bytes).expect("written");
    folder
}

fn sh(folder: &Path, line: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(folder)
        .env("breach", env!("CARGO_BIN_EXE_breach"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    command
}

fn clip(folder: &Path, args: &str) -> Output {
    let line = format!("exec \"$breach\" clip {args}");
    sh(folder, &line).output().expect("a shell")
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_video_shows_what_the_player_saw_tick_by_tick() {
    if !ffmpeg::is_here("clips: a video shows what the player saw tick by tick") {
        return;
    }
    let folder = place();
    // An odd size loses a column and a row, and says so.
    let output = clip(
        folder.path(),
        "play.breach -o play.MP4 --from 20 --to 80 --size 321x181",
    );
    assert!(output.status.success(), "{}", said(&output));
    assert!(
        said(&output).contains("even sizes: 320x180"),
        "{}",
        said(&output)
    );
    let size = [320, 180];
    let video = ffmpeg::decode(&folder.path().join("play.MP4"), size);
    assert_eq!(video.pictures.len(), 61);
    // The same ticks drawn here, without a video in between.
    let recording = recorded();
    let desc = level::read_map(LEVEL).expect("our own level");
    let settings = recording.settings.clone();
    let mut sim = Sim::new(desc, recording.seed, settings, &mut Silent).expect("a world");
    let mut studio = OffscreenRenderer::new(size).expect("an adapter");
    for command in replay::commands(&recording, 80) {
        sim.step(&command, &mut Silent);
        if ![20, 35, 50, 80].contains(&sim.tick) {
            continue;
        }
        let camera = view::player_camera(&sim, 1.2, size);
        let snapshot = view::snapshot(&sim, camera, Overlays::default(), 1.0);
        let drawn = studio.picture(&snapshot).expect("drawn");
        let at = sim.tick as usize - 20;
        let close = psnr(&video.pictures[at], &drawn);
        assert!(close > 28.0, "tick {}: {close:.1} dB", sim.tick);
        // The picture of another tick is farther away.
        let other = psnr(&video.pictures[(at + 20) % 61], &drawn);
        assert!(other < close - 3.0, "tick {}: {other:.1} dB", sim.tick);
    }
    assert_eq!(names(folder.path()), ["play.MP4", "play.breach"]);
}

#[test]
fn a_video_sounds_as_its_ticks_do_and_as_a_clip_of_sound_alone() {
    if !ffmpeg::is_here("clips: a video sounds as its ticks do") {
        return;
    }
    let folder = place();
    let path = |name: &str| folder.path().join(name);
    for more in ["play.mp4 --size 64x36", "play.wav"] {
        let args = format!("play.breach --from 3 --to 80 -o {more}");
        let output = clip(folder.path(), &args);
        assert!(output.status.success(), "{}", said(&output));
    }
    // Heard here, with neither file in between: a picture and 800 samples a tick.
    let recording = recorded();
    let desc = level::read_map(LEVEL).expect("our own level");
    let settings = recording.settings.clone();
    let mut sim = Sim::new(desc, recording.seed, settings, &mut Silent).expect("a world");
    let mut soundtrack = Soundtrack::default();
    soundtrack.tick(&sim);
    let mut wanted: Vec<i16> = Vec::new();
    for command in replay::commands(&recording, 80) {
        sim.step(&command, &mut Silent);
        let block = soundtrack.tick(&sim);
        if 3 <= sim.tick {
            wanted.extend(block.iter().flatten().map(|s| sample_16(*s)));
        }
    }
    let loudest = wanted.iter().map(|s| s.unsigned_abs()).max();
    assert!(loudest > Some(1000), "{loudest:?}");
    let video = ffmpeg::decode(&path("play.mp4"), [64, 36]);
    assert_eq!(video.pictures.len(), 78);
    assert_eq!(video.sound.len(), 78 * 1600);
    assert!(video.sound == wanted, "the video sounds otherwise");
    // Both tracks begin at once, and end so.
    assert_eq!(video.values("start_time"), ["0.000000"; 3]);
    assert_eq!(video.values("duration"), ["1.300000"; 3]);
    let mut wav = hound::WavReader::open(path("play.wav")).expect("a WAV file");
    let alone: Vec<i16> = wav.samples().collect::<Result<_, _>>().expect("whole");
    assert!(alone == wanted, "the WAV sounds otherwise");
}

#[test]
fn the_first_picture_is_the_one_that_shot_draws() {
    if !ffmpeg::is_here("clips: the first picture is the one that shot draws") {
        return;
    }
    let folder = place();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("range.map"), LEVEL).expect("written");
    let output = clip(
        folder.path(),
        "play.breach -o play.mp4 --to 3 --size 256x144",
    );
    assert!(output.status.success(), "{}", said(&output));
    let line = "exec \"$breach\" shot range.map -o first.png --seed 3 --ticks 0 --size 256x144";
    let output = sh(folder.path(), line).output().expect("a shell");
    assert!(output.status.success(), "{}", said(&output));
    let shot = image::open(path("first.png"))
        .expect("a picture")
        .into_rgba8();
    let video = ffmpeg::decode(&path("play.mp4"), [256, 144]);
    assert_eq!(video.pictures.len(), 4);
    let close = psnr(&video.pictures[0], &shot);
    assert!(close > 28.0, "{close:.1} dB");
}

#[test]
fn an_unknown_ending_is_refused_with_those_that_are_known() {
    let folder = place();
    for name in [
        "play",
        "play.avi",
        "mp4",
        "play.mp4.part",
        "play.gifs",
        "play.",
    ] {
        let output = clip(folder.path(), &format!("play.breach -o {name}"));
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(
            [".gif", ".mp4", ".wav"]
                .iter()
                .all(|known| said.contains(known)),
            "{name}: {said}"
        );
    }
    assert_eq!(names(folder.path()), ["play.breach"]);
}

#[test]
fn a_clip_of_nothing_and_one_whose_level_is_gone_are_refused() {
    let folder = place();
    let head = |level: &str| {
        let rules = breach::level::rules::RULES;
        format!("{{\"breach\":1,\"rules\":{rules},\"level\":{level},\"seed\":1}}\n")
    };
    let hash = breach::sim::recording::level_hash(LEVEL);
    let named = format!("{{\"path\":\"range-that-was.map\",\"hash\":\"{hash:016x}\"}}");
    let gone = head(&named) + "{\"tick\":5,\"end\":true}\n";
    std::fs::write(folder.path().join("gone.breach"), gone).expect("written");
    std::fs::write(folder.path().join("range-that-is.map"), LEVEL).expect("written");
    let empty = head(&named.replace("that-was", "that-is")) + "{\"tick\":0,\"end\":true}\n";
    std::fs::write(folder.path().join("empty.breach"), empty).expect("written");
    let before = names(folder.path());
    for (args, code, why) in [
        ("gone.breach", 1, "range-that-was.map: no such file"),
        ("none.breach", 1, "none.breach: no such file"),
        ("empty.breach", 1, "empty.breach: nothing was recorded"),
        ("play.breach --from 91", 2, "after the last tick, 90"),
        (
            "play.breach --from 50 --to 40",
            2,
            "after the last tick, 40",
        ),
        ("play.breach --size 3842x2160", 1, "3840x2160 at most"),
        ("play.breach --size 10x10", 2, "16 to 8192 pixels"),
    ] {
        let output = clip(folder.path(), &format!("{args} -o x.mp4"));
        let said = said(&output);
        assert_eq!(output.status.code(), Some(code), "{args}: {said}");
        assert!(said.contains(why), "{args}: {said}");
    }
    let output = clip(folder.path(), "play.breach -o none/x.mp4");
    assert!(
        said(&output).starts_with("none/x.mp4: no such file"),
        "{}",
        said(&output)
    );
    assert_eq!(names(folder.path()), before);
}

/// A limit on the size of files stands for a disk that is full in the middle of a clip.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_leaves_the_old_file_and_nothing_else() {
    let folder = place();
    for (name, more) in [
        ("old.mp4", "--size 160x90"),
        ("old.gif", "--size 160x90"),
        ("old.wav", ""),
    ] {
        std::fs::write(folder.path().join(name), b"as it was").expect("written");
        // Eight blocks of a half or one kilobyte.
        let line = format!(
            "trap '' XFSZ; ulimit -f 8; exec \"$breach\" clip play.breach -o {name} {more}"
        );
        let output = sh(folder.path(), &line).output().expect("a shell");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&format!("{name}: ")), "{said}");
        assert!(said.contains("too large"), "{said}");
        let kept = std::fs::read(folder.path().join(name)).expect("there");
        assert_eq!(kept, b"as it was", "{name}");
    }
    let all = ["old.gif", "old.mp4", "old.wav", "play.breach"];
    assert_eq!(names(folder.path()), all);
}

#[cfg(unix)]
#[test]
fn an_interrupted_clip_leaves_nothing_behind() {
    use std::time::{Duration, Instant};
    let folder = place();
    for (signal, name) in [("INT", "x.mp4"), ("TERM", "x.gif")] {
        let line = format!("exec \"$breach\" clip play.breach -o {name} --size 640x360");
        let mut child = sh(folder.path(), &line).spawn().expect("a shell");
        let began = Instant::now();
        while names(folder.path()).len() < 2 {
            assert!(began.elapsed() < Duration::from_secs(120), "it never began");
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = format!("kill -{signal} {}", child.id());
        assert!(
            sh(folder.path(), &kill)
                .status()
                .expect("a shell")
                .success()
        );
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(1), "{signal}");
        assert_eq!(names(folder.path()), ["play.breach"], "{signal}");
    }
}
