//! Clips of sound as scripts see them: the same bytes each time, files in the place of sounds, refusals.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A recording of a rocket or two, of 600 ticks at most.
const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules/6/last.breach");

fn breach(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breach"));
    command.args(args).current_dir(folder);
    command.output().expect("the program")
}

fn clip(folder: &Path, output: &str, more: &[&str]) -> Output {
    breach(folder, &[&["clip", RECORDING, "-o", output], more].concat())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    files.map(|file| file.path()).collect()
}

/// Samples of both sides.
fn samples(path: &Path) -> Vec<i16> {
    let mut reader = hound::WavReader::open(path).expect("a WAV file");
    let spec = reader.spec();
    assert_eq!(
        (spec.channels, spec.sample_rate, spec.bits_per_sample),
        (2, 48_000, 16)
    );
    reader.samples().collect::<Result<_, _>>().expect("whole")
}

#[test]
fn a_clip_of_sound_is_800_samples_a_tick_and_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["one.wav", "two.WAV"] {
        let done = clip(folder.path(), name, &[]);
        assert!(done.status.success(), "{}", said(&done));
    }
    let read = |name| std::fs::read(folder.path().join(name)).expect("written");
    assert!(
        read("one.wav") == read("two.WAV"),
        "two clips of one recording differ"
    );
    let whole = samples(&folder.path().join("one.wav"));
    assert_eq!(whole.len() % 1600, 0);
    let loudest = whole.iter().map(|s| s.unsigned_abs()).max();
    assert!(
        loudest.is_some_and(|loudest| (1000..32767).contains(&loudest)),
        "{loudest:?}"
    );
    // A part of it is that part.
    let done = clip(folder.path(), "part.wav", &["--from", "5", "--to", "9"]);
    assert!(done.status.success(), "{}", said(&done));
    let part = samples(&folder.path().join("part.wav"));
    assert_eq!(part.len(), 5 * 1600);
    assert_eq!(part[..], whole[5 * 1600..10 * 1600]);
}

#[test]
fn files_take_the_place_of_sounds_and_broken_ones_are_named_and_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let sounds = folder.path().join("sounds");
    std::fs::create_dir(&sounds).expect("made");
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 44_100,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    for size in ["small", "medium", "large"] {
        let path = sounds.join(format!("blast_{size}.wav"));
        let mut writer = hound::WavWriter::create(path, spec).expect("created");
        (0..44_100).for_each(|i| writer.write_sample(i as i16).expect("written"));
        writer.finalize().expect("written");
    }
    std::fs::write(sounds.join("room.wav"), b"RIFF").expect("written");
    std::fs::write(sounds.join("step_metal.ogg"), b"no music").expect("written");
    std::fs::write(sounds.join("trumpet.wav"), b"").expect("written");
    std::fs::write(sounds.join("notes.txt"), b"not looked at").expect("written");
    let plain = clip(folder.path(), "plain.wav", &[]);
    let done = clip(folder.path(), "other.wav", &["--sounds", "sounds"]);
    assert!(
        plain.status.success() && done.status.success(),
        "{}",
        said(&done)
    );
    let text = said(&done);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("skipped: "))
        .collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (line, name) in lines
        .iter()
        .zip(["room.wav", "step_metal.ogg", "trumpet.wav"])
    {
        assert!(line.contains(name), "{line}");
    }
    let read = |name| std::fs::read(folder.path().join(name)).expect("written");
    assert!(
        read("plain.wav") != read("other.wav"),
        "the blast sounds the same"
    );
    let missing = clip(folder.path(), "x.wav", &["--sounds", "nowhere"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        said(&missing).contains("nowhere: no such file or folder"),
        "{}",
        said(&missing)
    );
}

#[test]
fn a_clip_of_nothing_and_one_without_its_level_are_refused_and_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let late = clip(folder.path(), "x.wav", &["--from", "99999999"]);
    assert_eq!(late.status.code(), Some(2), "{}", said(&late));
    let head = "{\"breach\":1,\"level\":{\"path\":\"gone.map\",\"hash\":\"0000000000000000\"},\"seed\":1}\n";
    for (name, ticks) in [("lost", 60), ("empty", 0)] {
        let lines = format!("{head}{{\"tick\":{ticks},\"end\":true}}\n");
        std::fs::write(folder.path().join(format!("{name}.breach")), lines).expect("written");
    }
    let empty = breach(folder.path(), &["clip", "empty.breach", "-o", "x.wav"]);
    assert_eq!(empty.status.code(), Some(1), "{}", said(&empty));
    assert!(
        said(&empty).contains("nothing was recorded"),
        "{}",
        said(&empty)
    );
    let lost = breach(folder.path(), &["clip", "lost.breach", "-o", "x.wav"]);
    assert_eq!(lost.status.code(), Some(1), "{}", said(&lost));
    assert!(said(&lost).contains("gone.map"), "{}", said(&lost));
    assert_eq!(names(folder.path()).len(), 2);
}

#[test]
fn what_a_kind_of_clip_has_no_use_for_and_names_of_no_kind_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, more, why) in [
        (
            "x.wav",
            &["--size", "640x360"][..],
            "--size: a .wav clip has no pictures",
        ),
        (
            "x.wav",
            &["--overlay", "timings"],
            "--overlay: a .wav clip has no pictures",
        ),
        ("x.ogg", &[], "must end in"),
        ("wav", &[], ".wav"),
        #[cfg(feature = "render")]
        (
            "x.gif",
            &["--sounds", "."],
            "--sounds: a .gif clip has no sound",
        ),
        #[cfg(not(feature = "render"))]
        ("x.gif", &[], "this build cannot draw"),
    ] {
        let refused = clip(folder.path(), name, more);
        assert_eq!(refused.status.code(), Some(2), "{name}: {}", said(&refused));
        assert!(said(&refused).contains(why), "{name}: {}", said(&refused));
    }
    assert!(names(folder.path()).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_without_room_is_said_and_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("old.wav");
    std::fs::write(&old, b"what was there").expect("written");
    // A file may have no more than a few blocks: a later write fails, as on a full disk.
    let line = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} clip {RECORDING} -o old.wav",
        env!("CARGO_BIN_EXE_breach")
    );
    let mut shell = Command::new("sh");
    let done = shell
        .args(["-c", &line])
        .current_dir(folder.path())
        .output();
    let done = done.expect("a shell");
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    assert!(said(&done).contains("old.wav: "), "{}", said(&done));
    assert_eq!(std::fs::read(&old).expect("there"), b"what was there");
    assert_eq!(names(folder.path()), [old]);
}
