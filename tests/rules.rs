//! Files of other rules: those in tests/rules/, by their rules, were made by programs of those rules. They open and play, say so, and are
//! never held against hashes that were made by other rules.
use breach::level::{self, rules::RULES};
use breach::sim::recording::Recording;
use breach::sim::{Settings, Sim, replay};
use breach::timing::Silent;
use std::path::{Path, PathBuf};
use std::process::Output;

/// As the first program wrote it; by hand, with all left out that may be; and as the last one of these rules wrote it.
const FIRST_RULES: [&str; 3] = ["first.breach", "bare.breach", "last.breach"];

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/1");
    folder.join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(file(name)).expect("a file of the tests")
}

fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).expect("text")
}

fn breach(args: &[&str]) -> Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_breach"))
        .args(args)
        .output()
        .expect("the program")
}

/// Its exit code, and what it said on stdout and stderr.
fn said(output: &Output) -> (Option<i32>, String, String) {
    let [out, err] = [&output.stdout, &output.stderr].map(|b| String::from_utf8_lossy(b).into());
    (output.status.code(), out, err)
}

/// A file beside, with other contents.
fn written(folder: &tempfile::TempDir, name: &str, contents: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, contents).expect("written");
    path.to_str().expect("a plain name").into()
}

#[test]
fn a_recording_of_other_rules_plays_to_its_end_and_says_so() {
    for name in FIRST_RULES {
        let path = file(name);
        let path = path.to_str().expect("a plain name");
        let (code, out, err) = said(&breach(&["replay", path, "--json"]));
        assert_eq!(code, Some(0), "{err}");
        assert_eq!(err.matches("made by rules 1; ").count(), 1, "{err}");
        assert!(out.contains("\"state_hash\":\""), "{out}");
        let (code, _, err) = said(&breach(&[
            "compare", path, "--b", "depth=3", "--passes", "1",
        ]));
        assert_eq!(code, Some(0), "{err}");
        assert!(err.contains("made by rules 1; "), "{err}");
    }
}

#[test]
fn files_of_the_rules_before_ours_play_open_and_are_not_verified() {
    for rules in 2..RULES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rules/{rules}"));
        let path = |name: &str| folder.join(name).display().to_string();
        let (code, _, err) = said(&breach(&["replay", &path("last.breach")]));
        assert_eq!(code, Some(0), "{err}");
        let note = format!("made by rules {rules}; ");
        assert_eq!(err.matches(&note).count(), 1, "{err}");
        let (code, _, err) = said(&breach(&["replay", &path("last.breach"), "--verify"]));
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains(&format!("made by rules {rules}: ")) && !err.contains("differs"));
        let (code, _, err) = said(&breach(&["check", &path("saved.map")]));
        assert_eq!(code, Some(0), "{err}");
        assert!(err.contains(&note), "{err}");
    }
}

#[test]
fn verifying_a_recording_of_other_rules_names_them_and_never_a_divergence() {
    let folder = tempfile::tempdir().expect("a folder");
    let forged = text("first.breach").replace("3453090e9e72ebe2", "3453090e9e72ebe3");
    let later = text("last.breach").replacen('{', &format!("{{\"rules\":{},", RULES + 1), 1);
    let mut files = FIRST_RULES
        .map(|name| (file(name).display().to_string(), 1))
        .to_vec();
    files.push((written(&folder, "forged.breach", &forged), 1));
    files.push((written(&folder, "later.breach", &later), RULES + 1));
    for (path, rules) in files {
        let (code, out, err) = said(&breach(&["replay", &path, "--verify", "--json"]));
        let why = format!("{path}: made by rules {rules}: ");
        assert_eq!(code, Some(1), "{err}");
        assert!(err.lines().any(|line| line.starts_with(&why)), "{err}");
        assert!(!err.contains("differs"), "{err}");
        assert!(
            out.contains(&format!("\"error\":\"made by rules {rules}: ")),
            "{out}"
        );
    }
}

#[test]
fn no_hash_of_other_rules_is_compared_whoever_plays() {
    for name in FIRST_RULES {
        let mut recording = Recording::read(&bytes(name)).expect("it is read");
        assert_eq!(recording.rules, 1, "{name}");
        for (_, hash) in &mut recording.hashes {
            *hash = !*hash;
        }
        let map = recording.level.bytes().expect("inside");
        let play = |recording: &Recording| {
            let desc = level::read_map(&map).expect("a level");
            let settings = recording.settings.clone();
            let mut sim = Sim::new(desc, recording.seed, settings, &mut Silent).expect("a world");
            replay::play(recording, &mut sim, &mut Silent, &mut |_, _| true)
        };
        assert_eq!(play(&recording), None, "{name}");
        // The same file by our rules is held against its hashes.
        recording.rules = RULES;
        assert!(play(&recording).is_some(), "{name}");
    }
}

#[test]
fn a_recording_keeps_its_rules_when_it_is_written_again() {
    for name in FIRST_RULES {
        let recording = Recording::read(&bytes(name)).expect("it is read");
        let mut again = Vec::new();
        recording.write(&mut again).expect("a Vec takes all");
        assert_eq!(Recording::read(&again).expect("just written"), recording);
    }
}

/// What was left out meant this when the files were made. Whatever a new level takes today, they still mean it.
#[test]
fn what_an_old_recording_leaves_out_has_its_old_meaning() {
    let meant = serde_json::json!({
        "blast_radius": 1.0,
        "blast_shape": "rock",
        "tree": {"split": "sah", "max_depth": 24, "faces_per_bin": 8, "min_volume": 0.0},
        "buffer_distance": 0.02,
        "debris": true,
        "max_bodies": 2000,
        "gravity": 9.81,
        "layers": [
            "player-debris", "player-chunk", "rocket-chunk", "debris-debris", "debris-chunk", "chunk-chunk",
            "rocket-probe", "debris-probe", "chunk-probe",
        ],
        "solver": "swept",
        "shots": {
            "rocket_falls": false, "fuse_secs": 2.5, "bounce": 0.5, "drill_radius": 0.25, "drill_depth": 4.0,
            "ball_mass": 400.0,
        },
        "strength": 0.0,
        "breaks": 8,
        "creak": 0.0,
        "block": 0.5,
    });
    let check = |settings: &Settings| {
        let settings = serde_json::to_value(settings).expect("plain data");
        // A later setting that is not here had no say at all: whoever adds it adds its old meaning here.
        assert_eq!(settings, meant);
    };
    for name in FIRST_RULES {
        check(&Recording::read(&bytes(name)).expect("it is read").settings);
    }
    // Settings that are set in the middle leave out the same.
    let set = "{\"tick\":5,\"command\":{\"actions\":[{\"set\":{\"shots\":{}}}]}}\n";
    let head = "{\"breach\":1,\"level\":{\"text\":\"\"},\"seed\":1}\n";
    let recording = Recording::read(format!("{head}{set}").as_bytes()).expect("it is read");
    let [(5, command)] = &recording.commands[..] else {
        panic!("{:?}", recording.commands);
    };
    let [breach::sim::Action::Set(settings)] = &command.actions[..] else {
        panic!("{command:?}");
    };
    check(settings);
}

#[test]
fn rules_of_a_recording_that_are_none_are_refused_with_their_line() {
    let head = |rules: &str| {
        format!("{{\"breach\":1,\"rules\":{rules},\"level\":{{\"text\":\"\"}},\"seed\":1}}\n")
    };
    for rules in ["0", "-1", "1.5", "\"1\"", "null", "4294967296"] {
        let refused = Recording::read(head(rules).as_bytes()).expect_err(rules);
        assert_eq!(refused.line, 1, "{rules}: {refused}");
    }
    let ours = Recording::read(head(&RULES.to_string()).as_bytes()).expect("ours");
    assert_eq!(
        ours.warnings,
        ["the recording has no end marker: it stops at its last line"]
    );
}

#[test]
fn a_save_of_older_rules_opens_by_ours_says_so_and_is_ours_when_it_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let ours = folder.path().join("ours.map");
    let ours = ours.to_str().expect("a plain name");
    let old = file("saved.map");
    let report = |path: &str, more: &[&str]| {
        let args = [&["check", "--json", path][..], more].concat();
        let (code, out, err) = said(&breach(&args));
        assert_eq!(code, Some(0), "{err}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("a report");
        (report["hash"].clone(), report["warnings"].clone(), err)
    };
    let (hash, warnings, err) = report(old.to_str().expect("plain"), &["--save", ours]);
    assert_eq!(warnings, 1, "{err}");
    assert!(err.contains("made by rules 1; "), "{err}");
    let saved = std::fs::read_to_string(ours).expect("saved");
    assert_eq!(saved.matches("\"breach_rules\"").count(), 1);
    assert!(
        saved.contains(&format!("\"breach_rules\" \"{RULES}\"\n")),
        "{saved}"
    );
    let (again, warnings, err) = report(ours, &["--save", ours]);
    assert_eq!((again, warnings), (hash, 0.into()), "{err}");
    assert_eq!(std::fs::read_to_string(ours).expect("saved"), saved);
}

#[test]
fn a_map_of_newer_rules_opens_with_a_warning_and_rules_that_are_none_are_refused() {
    let ours = text("saved.map");
    let with = |rules: &str| {
        let key = format!("\"breach_version\" \"1\"\n\"breach_rules\" \"{rules}\"");
        level::read_map(
            ours.replacen("\"breach_version\" \"1\"", &key, 1)
                .as_bytes(),
        )
    };
    let notes = |rules: &str| -> Vec<String> {
        let level = with(rules).expect("it opens");
        level
            .warnings
            .into_iter()
            .map(|warning| warning.text)
            .collect()
    };
    let newer = RULES + 7;
    let said = notes(&newer.to_string());
    assert!(
        matches!(&said[..], [text] if text.starts_with(&format!("made by rules {newer}, which are newer than "))),
        "{said:?}"
    );
    assert_eq!(notes(&RULES.to_string()), [""; 0]);
    for none in ["0", "-1", "two", "", "1.5", "4294967296"] {
        let refused = with(none).expect_err(none);
        assert_eq!(refused.line, 4, "{refused}");
        assert!(refused.text.starts_with("`breach_rules` is "), "{refused}");
    }
}

#[test]
fn a_level_that_was_never_saved_has_no_rules_to_speak_of() {
    let map = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/range.map"));
    let level = level::read_map(&map.expect("our own level")).expect("a level");
    assert!(level.warnings.is_empty(), "{:?}", level.warnings);
}
