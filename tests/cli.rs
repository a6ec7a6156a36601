//! The command line as scripts see it: the binary is run, its output and exit codes are read.
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn breach(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breach"));
    command
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    command
}

fn run(args: &[&str]) -> Output {
    breach(args).output().expect("the binary runs")
}

fn ask(args: &[&str], input: &[u8]) -> Output {
    let mut child = breach(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The binary may stop before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn code(output: &Output) -> i32 {
    stderr(output);
    output.status.code().expect("not killed")
}

fn json_lines(output: &Output) -> Vec<Value> {
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// A folder of levels for one test.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).expect("written");
        self.name(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("a plain name").to_string()
    }
}

/// A box as a brush, `.map` units.
fn brush([x0, y0, z0]: [i32; 3], [x1, y1, z1]: [i32; 3]) -> String {
    // Corner p1, and p0, p2 one step along two axes, so that (p0 - p1) × (p2 - p1) points out.
    let faces = [
        ([x1, y0, z0], 1, 2),
        ([x0, y0, z0], 2, 1),
        ([x0, y1, z0], 2, 0),
        ([x0, y0, z0], 0, 2),
        ([x0, y0, z1], 0, 1),
        ([x0, y0, z0], 1, 0),
    ];
    let mut text = String::from("{\n");
    for (p1, first, second) in faces {
        let step = |axis: usize| {
            let mut p = p1;
            p[axis] += 64;
            p
        };
        for [x, y, z] in [step(first), p1, step(second)] {
            text += &format!("( {x} {y} {z} ) ");
        }
        text += "brick 0 0 0 1 1\n";
    }
    text + "}\n"
}

/// Two rooms of 256×256×128 units (8×8×4 m) with a wall of 32 units (1 m) between, walls of 64 units around, the start
/// in the western one. The wall stands at x = 256..288.
fn two_rooms() -> String {
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for (min, max) in [
        ([-64, -64, -64], [608, 320, 0]),
        ([-64, -64, 128], [608, 320, 192]),
        ([-64, -64, 0], [0, 320, 128]),
        ([544, -64, 0], [608, 320, 128]),
        ([0, -64, 0], [544, 0, 128]),
        ([0, 256, 0], [544, 320, 128]),
        ([256, 0, 0], [288, 256, 128]),
    ] {
        text += &brush(min, max);
    }
    text + "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 128 24\"\n}\n"
}

const LOADED_FIELDS: [&str; 25] = [
    "file",
    "start",
    "sealed",
    "leak",
    "rooms",
    "portals",
    "faces",
    "triangles",
    "air_volume_m3",
    "watertight",
    "unmatched_edges",
    "t_junctions",
    "portal_mismatches",
    "islands",
    "entities",
    "brushes",
    "skipped",
    "warnings",
    "hash",
    "load_ms",
    "game",
    "slits",
    "curves",
    "liquids",
    "movers",
];

fn fields(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn wrong_usage_exits_with_2_and_help_with_0() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    for args in [
        &["soak"][..],
        &["soak", &level],
        &["soak", &level, "--rockets", "many"],
        &["soak", &level, "--rockets", "1", "--radius", "0.019"],
        &["soak", &level, "--rockets", "1", "--radius", "21"],
        &["soak", &level, "--rockets", "1", "--radius", "NaN"],
        &["soak", &level, "--rockets", "1", "--threads", "0"],
        &["shot", &level],
        &["shot", &level, "-o", "p.png", "--size", "1x1"],
        &["check"],
        &["check", &level, &level, "--save", "x.map"],
        &["export", &level, "-o", "x.stl"],
        &["--frobnicate"],
    ] {
        let output = run(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
        assert!(!stderr(&output).is_empty(), "{args:?}");
        assert!(stdout(&output).is_empty(), "{args:?}");
    }
    for args in [&["--help"][..], &["--version"], &["soak", "--help"]] {
        let output = run(args);
        assert_eq!(code(&output), 0, "{args:?}");
        assert!(!stdout(&output).is_empty(), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_the_window_says_what_to_do_instead() {
    let output = run(&[]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("breach shot"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_missing_file_and_a_folder_are_named() {
    for args in [
        &["check", "none.map"][..],
        &["soak", "none.map", "--rockets", "1"],
        &["none.map"],
    ] {
        let output = run(args);
        assert_eq!(code(&output), 1, "{args:?}");
        assert!(
            stderr(&output).contains("none.map: no such file"),
            "{args:?}: {}",
            stderr(&output)
        );
    }
    let place = Place::new();
    let folder = place.name("");
    assert_eq!(code(&run(&["check", &folder])), 1);
}

#[test]
fn our_own_levels_are_opened_by_name_in_every_folder() {
    let place = Place::new();
    let in_empty = |args: &[&str]| {
        let mut command = breach(args);
        command
            .current_dir(place.name(""))
            .output()
            .expect("it runs")
    };
    for name in ["bridge", "bunker", "caves", "pillars", "range", "tower"] {
        let output = in_empty(&["check", "--json", name]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        let report = &json_lines(&output)[0];
        assert_eq!(report["file"], name);
        assert_eq!(report["sealed"], true, "{name}");
    }
    // A path is a path, and says what is there instead.
    for args in [&["check", "levels/range.map"][..], &["range.map"]] {
        let output = in_empty(args);
        assert_eq!(code(&output), 1, "{args:?}");
        let why = "range.map: no such file or folder; the built-in level is called range";
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    // A file of that name is what was meant.
    place.file("range", two_rooms());
    let report = &json_lines(&in_empty(&["check", "--json", "range"]))[0];
    assert!(
        report["brushes"]
            .as_u64()
            .is_some_and(|brushes| brushes < 30),
        "{report}"
    );
}

#[test]
fn a_refused_file_is_told_with_line_and_column_and_the_next_one_is_checked() {
    let place = Place::new();
    let good = place.file("good.map", two_rooms());
    let bad = place.file("bad.map", "{\n\"classname\" \"worldspawn\"\n{\n( 0 0 x )\n");
    let output = run(&["check", "--json", &bad, &good]);
    assert_eq!(code(&output), 1);
    let [refused, report] = &json_lines(&output)[..] else {
        panic!("two lines: {}", stdout(&output))
    };
    assert_eq!(fields(refused), ["file", "error"]);
    assert_eq!(refused["file"], Value::from(bad.clone()));
    assert_eq!(fields(report), LOADED_FIELDS);
    let complaint = stderr(&output);
    let place = complaint
        .strip_prefix(&format!("{bad}:"))
        .expect("the file first");
    let numbers: Vec<_> = place.splitn(3, ':').collect();
    assert_eq!(numbers[0].parse::<u32>(), Ok(4), "{complaint}");
    assert!(
        numbers[1].parse::<u32>().is_ok_and(|column| column > 0),
        "{complaint}"
    );
    assert!(numbers[2].starts_with(' '), "{complaint}");
}

#[test]
fn a_checked_level_has_the_fields_of_the_contract_and_true_numbers() {
    let place = Place::new();
    let output = run(&["check", "--json", &place.file("a.map", two_rooms())]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report = &json_lines(&output)[0];
    assert_eq!(fields(report), LOADED_FIELDS);
    assert_eq!(report["start"], "void");
    assert_eq!(report["sealed"], true);
    assert_eq!(report["leak"], Value::Null);
    assert_eq!(report["watertight"], true);
    assert_eq!(report["brushes"], 7);
    assert_eq!(report["entities"], 2);
    // The eastern room is out of the player's reach: it is rock. 8 m × 8 m × 4 m are left.
    let volume = report["air_volume_m3"].as_f64().expect("a number");
    assert!((volume - 256.0).abs() < 1e-9, "{volume}");
    let hash = report["hash"].as_str().expect("text");
    assert!(
        hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()),
        "{hash}"
    );
}

#[test]
fn the_way_out_of_a_level_that_leaks_is_written_as_a_point_file() {
    let place = Place::new();
    let sealed = place.file("sealed.map", two_rooms());
    let points = place.name("out.pts");
    let output = run(&["check", &sealed, "--points", &points]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("nothing leaks"));
    assert!(!place.path("out.pts").exists());
    // Without its western wall; of two levels the one that leaks.
    let text = two_rooms().replace(&brush([-64, -64, 0], [0, 320, 128]), "");
    let open = place.file("open.map", text);
    let output = run(&["check", "--json", &sealed, &open, "--points", &points]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report = &json_lines(&output)[1];
    assert_eq!(report["sealed"], false);
    let way = report["leak"].as_array().expect("a way");
    let text = std::fs::read_to_string(place.path("out.pts")).expect("a file");
    let written: Vec<Vec<f64>> = text
        .lines()
        .map(|line| {
            line.split(' ')
                .map(|x| x.parse().expect("a number"))
                .collect()
        })
        .collect();
    assert!(written.len() > way.len());
    assert_eq!(written[0], [64.0, 128.0, 24.0]);
    // Every corner of the report, in the file's axes.
    for corner in way {
        let [x, y, z] = [0, 1, 2].map(|k| corner[k].as_f64().expect("metres") * 32.0);
        let is_there = |p: &Vec<f64>| {
            let there = [x, -z, y];
            (0..3).all(|k| (p[k] - there[k]).abs() < 1e-5)
        };
        assert!(written.iter().any(is_there), "{corner}");
    }
}

#[test]
fn a_soak_is_the_same_on_every_run_and_with_any_number_of_threads() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let soak = |threads: &str| {
        let output = run(&[
            "soak",
            &level,
            "--rockets",
            "12",
            "--ticks",
            "60",
            "--threads",
            threads,
            "--json",
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        json_lines(&output).remove(0)
    };
    let (first, second, alone) = (soak("2"), soak("2"), soak("1"));
    let mut wanted = LOADED_FIELDS.to_vec();
    wanted.extend(["carves", "phases_ms", "debris", "peak_rss_mb", "state_hash"]);
    assert_eq!(fields(&first), wanted);
    let carves = [
        "count",
        "p50_ms",
        "p99_ms",
        "max_ms",
        "first_decile_ms",
        "last_decile_ms",
    ];
    assert_eq!(fields(&first["carves"]), carves);
    assert_eq!(
        fields(&first["phases_ms"]),
        ["clip", "merge", "conform", "islands", "portals", "bins"]
    );
    let debris = [
        "spawned",
        "chunks",
        "escaped",
        "awake",
        "step_p50_ms",
        "step_max_ms",
    ];
    assert_eq!(fields(&first["debris"]), debris);
    assert_eq!(first["carves"]["count"], 12);
    assert_eq!(first["watertight"], true);
    for other in [second, alone] {
        assert_eq!(first["hash"], other["hash"]);
        assert_eq!(first["state_hash"], other["state_hash"]);
        assert_eq!(first["debris"]["spawned"], other["debris"]["spawned"]);
    }
}

#[test]
fn another_seed_gives_another_world() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let hash = |seed: &str| {
        let output = run(&[
            "soak",
            &level,
            "--rockets",
            "3",
            "--ticks",
            "0",
            "--seed",
            seed,
            "--json",
        ]);
        json_lines(&output)[0]["hash"].clone()
    };
    assert_ne!(hash("1"), hash("2"));
}

#[test]
fn a_saved_level_loads_to_the_same_hash() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let saved = place.name("saved.map");
    let soak = run(&[
        "soak",
        &level,
        "--rockets",
        "8",
        "--ticks",
        "0",
        "--json",
        "--save",
        &saved,
    ]);
    assert_eq!(code(&soak), 0, "{}", stderr(&soak));
    let check = run(&["check", &saved, "--json"]);
    assert_eq!(code(&check), 0, "{}", stderr(&check));
    assert_eq!(json_lines(&soak)[0]["hash"], json_lines(&check)[0]["hash"]);
    assert!(
        fs::read_to_string(saved)
            .expect("there")
            .contains("breach_blast")
    );
}

#[test]
fn a_save_that_fails_is_told_and_leaves_nothing() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let nowhere = place.name("no/such/folder.map");
    let output = run(&["check", &level, "--save", &nowhere]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("folder.map: "),
        "{}",
        stderr(&output)
    );
    assert!(!Path::new(&nowhere).exists());
}

/// A limit on the size of files stands for a disk that is full in the middle of a save.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_in_the_middle_of_a_save_leaves_the_old_file() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let recording = place.file("a.breach", recording(&two_rooms()));
    for (what, old) in [
        (
            format!("soak {level} --rockets 1 --ticks 0 --save"),
            "x.map",
        ),
        (
            format!("soak {level} --rockets 1 --ticks 9 --trace"),
            "x.json",
        ),
        (format!("compare {recording} --passes 1 -o"), "x.csv"),
    ] {
        let old = place.file(old, "as it was");
        let script = format!(
            "trap '' XFSZ; ulimit -f 0; exec {} {what} {old}",
            env!("CARGO_BIN_EXE_breach")
        );
        let output = Command::new("sh")
            .args(["-c", &script])
            .output()
            .expect("sh");
        assert_eq!(code(&output), 1, "{what}: {}", stderr(&output));
        assert!(
            stderr(&output).starts_with(&format!("{old}: ")),
            "{}",
            stderr(&output)
        );
        assert_eq!(fs::read_to_string(&old).expect("there"), "as it was");
    }
    let left = fs::read_dir(place.path("")).expect("a folder").count();
    assert_eq!(left, 5, "nothing half written lies about");
}

#[test]
fn timings_and_trace_are_written() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let (csv, trace) = (place.name("t.csv"), place.name("t.json"));
    let args = [
        "soak",
        &level,
        "--rockets",
        "3",
        "--ticks",
        "7",
        "--timings",
        &csv,
        "--trace",
        &trace,
    ];
    assert_eq!(code(&run(&args)), 0);
    let csv = fs::read_to_string(csv).expect("written");
    let mut lines = csv.lines();
    assert!(
        lines.next().is_some_and(
            |head| head.starts_with("frame,start_ms,frame_ms,step_ms,carve_ms,clip_ms")
        )
    );
    // Loading, then 3 rockets and 7 ticks.
    assert_eq!(lines.count(), 11);
    let trace: Value = serde_json::from_slice(&fs::read(trace).expect("written")).expect("JSON");
    check_trace_events(&trace);
    let events = trace["traceEvents"].as_array().expect("a list");
    let count = |name| events.iter().filter(|event| event["name"] == name).count();
    assert_eq!((count("step"), count("carve") > 2), (10, true));
}

/// The rules of Google's "Trace Event Format" (2016) for what is used of it: an object with a list of events and the unit
/// that is shown; metadata that names process and thread; complete events with a name, a begin and a length; and within
/// a thread each of these lies in another one or beside it, the outer one first.
fn check_trace_events(trace: &Value) {
    let fields = |event: &Value| -> Vec<String> {
        let mut names: Vec<String> = event
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        names.sort();
        names
    };
    assert_eq!(fields(trace), ["displayTimeUnit", "traceEvents"]);
    assert!(
        ["ms", "ns"]
            .iter()
            .any(|unit| trace["displayTimeUnit"] == *unit)
    );
    let mut named = Vec::new();
    // Of each thread: where the stages end that are open, nanoseconds, and where the last one began.
    let mut threads: Vec<((u64, u64), Vec<i64>, i64)> = Vec::new();
    for event in trace["traceEvents"].as_array().expect("a list") {
        let thread = (
            event["pid"].as_u64().expect("a process"),
            event["tid"].as_u64().expect("a thread"),
        );
        assert!(event["name"].as_str().is_some_and(|name| !name.is_empty()));
        match event["ph"].as_str() {
            Some("M") => {
                assert_eq!(fields(event), ["args", "name", "ph", "pid", "tid"]);
                assert_eq!(fields(&event["args"]), ["name"]);
                assert!(event["args"]["name"].is_string());
                assert!(threads.is_empty(), "names come first");
                named.push(event["name"].as_str().expect("checked").to_owned());
            }
            Some("X") => {
                assert_eq!(fields(event), ["dur", "name", "ph", "pid", "tid", "ts"]);
                // Microseconds with three digits are whole nanoseconds.
                let nanoseconds = |field: &str| {
                    let us = event[field].as_f64().expect("a number");
                    assert!(us >= 0.0, "{event}");
                    (us * 1e3).round() as i64
                };
                let (from, to) = (nanoseconds("ts"), nanoseconds("ts") + nanoseconds("dur"));
                let known = threads.iter().position(|(known, ..)| *known == thread);
                let at = known.unwrap_or_else(|| {
                    threads.push((thread, Vec::new(), 0));
                    threads.len() - 1
                });
                let (_, open, last) = &mut threads[at];
                assert!(*last <= from, "not in order: {event}");
                *last = from;
                while open.last().is_some_and(|end| *end <= from && *end < to) {
                    open.pop();
                }
                assert!(
                    open.last().is_none_or(|end| to <= *end),
                    "lies across an end: {event}"
                );
                open.push(to);
            }
            other => panic!("{other:?} is not used: {event}"),
        }
    }
    assert_eq!(named, ["process_name", "thread_name"]);
    assert_eq!(threads.len(), 1);
}

#[test]
fn questions_get_answers_in_order_and_bad_lines_an_error() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    // In metres the western room is x 0..8, y 0..4, z -8..0.
    let input = br#"
{"id":1,"ray":{"from":[4,2,-4],"to":[12,2,-4]}}
{"id":2,"sweep":{"from":[4,2,-4],"to":[12,2,-4],"radius":0.5}}
{"id":3,"sight":{"from":[4,2,-4],"to":[7,3,-1]}}
{"id":4,"sight":{"from":[4,2,-4],"to":[12,2,-4]}}
{"id":5,"locate":[4,2,-4]}
{"id":6,"locate":[8.5,2,-4]}
{"id":"seven","ray":{"from":[8.5,2,-4],"to":[12,2,-4]}}
{"id":8,"ray":{"from":[4,2,-4],"to":[4,2,-4]}}
{"id":9,"sweep":{"from":[4,2,-4],"to":[5,2,-4],"radius":-1}}
{"id":10,"ray":{"from":[4,2],"to":[4,2,-4]}}
{"id":11}
{"id":12,"ray":{"from":[1e300,2,-4],"to":[4,2,-4]}}
nonsense
[1,2]

{"id":13,"locate":[1e5,0,0]}"#;
    let output = ask(&["query", &level], input);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let answers = json_lines(&output);
    assert_eq!(answers.len(), 15, "{}", stdout(&output));
    let near =
        |value: &Value, wanted: f64| value.as_f64().is_some_and(|v| (v - wanted).abs() < 1e-9);
    assert_eq!(
        fields(&answers[0]),
        ["id", "hit", "fraction", "point", "normal", "room"]
    );
    assert!(near(&answers[0]["fraction"], 0.5), "{}", answers[0]);
    assert!(
        near(&answers[0]["point"][0], 8.0) && near(&answers[0]["normal"][0], -1.0),
        "{}",
        answers[0]
    );
    assert!(near(&answers[1]["fraction"], 3.5 / 8.0), "{}", answers[1]);
    assert!(near(&answers[1]["point"][0], 8.0), "{}", answers[1]);
    assert_eq!(answers[2]["visible"], true);
    assert_eq!(answers[3]["visible"], false);
    assert_eq!(answers[4]["air"], true);
    assert_eq!(answers[4]["room"], answers[0]["room"]);
    assert_eq!(
        (&answers[5]["air"], &answers[5]["room"]),
        (&Value::from(false), &Value::Null)
    );
    assert_eq!(fields(&answers[6]), ["id", "error"]);
    assert_eq!(answers[6]["id"], "seven");
    assert_eq!(answers[7]["hit"], false);
    for bad in &answers[8..14] {
        assert_eq!(fields(bad), ["id", "error"]);
    }
    let ids: Vec<_> = answers[8..14]
        .iter()
        .map(|answer| answer["id"].as_u64())
        .collect();
    assert_eq!(ids, [Some(9), Some(10), Some(11), Some(12), None, None]);
    assert_eq!(answers[14]["air"], false);
}

#[test]
fn a_radius_out_of_range_is_told_the_range() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let sweep = |radius: &str| {
        format!(
            "{{\"id\":1,\"sweep\":{{\"from\":[4,2,-4],\"to\":[5,2,-4],\"radius\":{radius}}}}}\n"
        )
    };
    let refused = ["1e308", "1000000.5", "-1", "-1e-300"].map(sweep).concat();
    let output = ask(&["query", &level], refused.as_bytes());
    let answers = json_lines(&output);
    assert_eq!(answers.len(), 4);
    for answer in answers {
        assert_eq!(answer["error"], "radius must be 0 to 1000000 metres");
    }
    // The limits themselves are answered.
    let output = ask(
        &["query", &level],
        ["0", "-0", "1e6"].map(sweep).concat().as_bytes(),
    );
    for answer in json_lines(&output) {
        assert!(answer["error"].is_null(), "{answer}");
    }
}

/// A recording of 150 ticks with one rocket, as the window writes it.
fn recording(level: &str) -> String {
    use breach::sim::recording::{LevelSource, Recorder};
    use breach::sim::{Action, Command, Settings, Sim};
    use breach::timing::Silent;
    let desc = breach::level::read_map(level.as_bytes()).expect("a level");
    let mut sim = Sim::new(desc, 5, Settings::default(), &mut Silent).expect("a world");
    let mut out = Vec::new();
    let source = LevelSource::embed(level.as_bytes());
    let mut recorder =
        Recorder::start(&mut out, &source, 5, &sim.settings).expect("a Vec takes all");
    for tick in 0..150 {
        let actions = if tick == 20 {
            vec![Action::Fire]
        } else {
            Vec::new()
        };
        let command = Command {
            walk: [0.0, 0.0, 0.5],
            actions,
            ..sim.idle()
        };
        recorder
            .command(&mut out, tick, &command)
            .expect("a Vec takes all");
        sim.step(&command, &mut Silent);
        recorder.stepped(&mut out, &sim).expect("a Vec takes all");
    }
    recorder.end(&mut out, &sim).expect("a Vec takes all");
    String::from_utf8(out).expect("JSON is text")
}

#[cfg(feature = "render")]
#[test]
fn a_clip_is_an_animated_picture_of_a_recording() {
    use image::AnimationDecoder;
    let place = Place::new();
    let file = place.file("play.breach", recording(&two_rooms()));
    let gif = place.name("play.gif");
    let clip =
        |more: &[&str]| run(&[&["clip", &file, "-o", &gif, "--size", "64x36"], more].concat());
    let output = clip(&["--from", "18", "--to", "60", "--overlay", "timings"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let bytes = std::fs::read(&gif).expect("a picture");
    let gif_frames =
        image::codecs::gif::GifDecoder::new(std::io::Cursor::new(bytes)).expect("a GIF");
    let frames = gif_frames
        .into_frames()
        .collect_frames()
        .expect("whole frames");
    // Ticks 18, 21 .. 60.
    assert_eq!(frames.len(), 15);
    assert_eq!(frames[0].buffer().dimensions(), (64, 36));
    assert_eq!(code(&clip(&["--from", "9000"])), 2);
}

#[test]
fn a_recording_is_verified_and_a_forged_one_names_the_tick() {
    let place = Place::new();
    let text = recording(&two_rooms());
    let good = place.file("good.breach", &text);
    let output = run(&["replay", &good, "--verify", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(json_lines(&output)[0]["state_hash"].is_string());

    let line = text
        .lines()
        .find(|line| line.starts_with("{\"tick\":120,\"state_hash\""))
        .expect("a hash at tick 120");
    let forged = place.file(
        "bad.breach",
        text.replace(line, "{\"tick\":120,\"state_hash\":\"0123456789abcdef\"}"),
    );
    let output = run(&["replay", &forged, "--verify"]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("tick 120"), "{}", stderr(&output));
    // The rocket of tick 20 that was never fired: the 21st tick is another, long before the second is over.
    let tame = text.replace("[\"fire\"]", "[]");
    assert_ne!(tame, text);
    let output = run(&["replay", &place.file("tame.breach", tame), "--verify"]);
    assert_eq!(code(&output), 1);
    let told = "tame.breach: differs at tick 21: recorded ";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    assert_eq!(
        code(&run(&["replay", &forged])),
        0,
        "played without looking"
    );
}

#[test]
fn a_recording_may_name_its_level_and_knows_another_one() {
    let place = Place::new();
    let level = two_rooms();
    let hash = breach::sim::recording::level_hash(level.as_bytes());
    let head = format!(
        "{{\"breach\":1,\"rules\":{},\"level\":{{\"path\":\"a.map\",\"hash\":\"{hash:016x}\"}},\"seed\":1}}\n{{\"tick\":5,\"end\":true}}\n",
        breach::level::rules::RULES
    );
    let recording = place.file("a.breach", head);
    assert_eq!(code(&run(&["replay", &recording])), 1, "no level yet");
    place.file("a.map", &level);
    assert_eq!(code(&run(&["replay", &recording, "--verify"])), 0);
    place.file("a.map", level + "// changed\n");
    let output = run(&["replay", &recording]);
    assert_eq!(code(&output), 1);
    assert!(
        stderr(&output).contains("is not the level"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn one_recording_is_compared_under_two_settings() {
    let place = Place::new();
    let file = place.file("play.breach", recording(&two_rooms()));
    let csv = place.name("curves.csv");
    let output = run(&[
        "compare", &file, "--a", "depth=2", "--b", "depth=12", "--passes", "2", "--json", "-o",
        &csv,
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found = &json_lines(&output)[0];
    assert_eq!(
        fields(found),
        [
            "file",
            "settings",
            "ticks",
            "passes",
            "first_difference",
            "rows"
        ]
    );
    assert_eq!(
        (&found["ticks"], &found["passes"]),
        (&150.into(), &2.into())
    );
    assert_eq!(found["first_difference"], Value::Null);
    let rows = found["rows"].as_array().expect("a table");
    let row = |what: &str| rows.iter().find(|row| row["what"] == what).expect("a row");
    for what in [
        "tick",
        "carve",
        "clip",
        "bins",
        "bins visited",
        "faces tested",
    ] {
        let [a, b] = [&row(what)["p50"][0], &row(what)["p50"][1]];
        assert!(a["least"].as_f64() <= a["median"].as_f64(), "{what}: {a}");
        assert!(b["median"].as_f64() <= b["most"].as_f64(), "{what}: {b}");
    }
    let curves = fs::read_to_string(&csv).expect("written");
    assert_eq!(curves.lines().count(), 151);
    assert!(curves.starts_with("tick,a_ms,b_ms\n0,"), "{curves}");

    // Another radius digs another hole: told, and no failure.
    let output = run(&["compare", &file, "--b", "radius=0.5", "--passes", "1"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("the runs first differ after tick "), "{text}");
    assert!(text.contains("A  as recorded\nB  radius=0.5\n"), "{text}");
    assert!(text.contains("\ntick ms"), "{text}");
}

/// Two lines that would play for 600 years.
#[test]
fn a_recording_whose_end_is_far_behind_its_last_line_is_refused_with_its_line() {
    let place = Place::new();
    let recorded = recording(&two_rooms());
    let head = recorded.lines().next().expect("a head");
    for end in [1u64 << 40, 1 << 33, 1 << 63] {
        let text = format!("{head}\n{{\"tick\":{end},\"end\":true}}\n");
        let file = place.file("giant.breach", text);
        for args in [
            &["replay", &file][..],
            &["replay", &file, "--verify"],
            &["compare", &file, "--passes", "1"],
        ] {
            let output = run(args);
            assert_eq!(code(&output), 1, "{args:?}");
            let why = format!("{file}:2:1: more than an hour of ticks without a line\n");
            assert_eq!(stderr(&output), why);
        }
    }
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_named_like_files_are_refused_at_once() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    for name in ["pipe.map", "pipe.breach"] {
        let mut mkfifo = Command::new("mkfifo");
        assert!(
            mkfifo
                .arg(place.path(name))
                .status()
                .expect("mkfifo")
                .success()
        );
    }
    std::os::unix::fs::symlink("/dev/zero", place.path("zero.map")).expect("linked");
    let [pipe, tape, zero] = ["pipe.map", "pipe.breach", "zero.map"].map(|name| place.name(name));
    // A recording whose level beside it is a pipe.
    let beside = "{\"breach\":1,\"level\":{\"path\":\"pipe.map\",\"hash\":\"00\"},\"seed\":1}\n";
    let beside = place.file("beside.breach", beside);
    for (args, named) in [
        (&["check", &pipe][..], &pipe),
        (&["check", &zero], &zero),
        (&["check", "/dev/zero"], &"/dev/zero".into()),
        (&["replay", &tape], &tape),
        (&["replay", &beside], &pipe),
        (&["compare", &tape], &tape),
        (&["soak", &pipe, "--rockets", "1"], &pipe),
        (&["query", &pipe], &pipe),
        (&["export", &pipe, "-o", "x.glb"], &pipe),
        (&[&pipe], &pipe),
        (
            &[
                "soak",
                &level,
                "--rockets",
                "0",
                "--ticks",
                "0",
                "--save",
                &pipe,
            ],
            &pipe,
        ),
    ] {
        let output = run(args);
        assert_eq!(code(&output), 1, "{args:?}");
        let said = stderr(&output);
        let why = format!("{named}: is not a file");
        assert!(said.lines().any(|line| line == why), "{args:?}: {said}");
    }
}

#[test]
fn a_comparison_that_cannot_be_made_says_why() {
    let place = Place::new();
    let file = place.file("play.breach", recording(&two_rooms()));
    for (args, why) in [
        (&["--a", "deep=8"][..], "--a: unknown setting `deep`"),
        (&["--b", "depth=99"], "--b: `depth=99`: depth is"),
        (&["--passes", "0"], "passes"),
        (&["-o", "x.gif"], "-o must end in .png or .csv"),
    ] {
        let output = run(&[&["compare", &file], args].concat());
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    let level = place.file("a.map", two_rooms());
    let folder = place.name("");
    let nowhere = place.name("none/x.csv");
    for (args, why) in [
        (&[level.as_str()][..], "a.map:1:"),
        (&[folder.as_str()], "is a folder"),
        (&["missing.breach"], "missing.breach: "),
        (&[file.as_str(), "--passes", "1", "-o", &nowhere], "x.csv: "),
    ] {
        let output = run(&[&["compare"], args].concat());
        assert_eq!(code(&output), 1, "{args:?}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[cfg(feature = "render")]
#[test]
fn a_comparison_is_a_picture_of_both_curves() {
    let place = Place::new();
    let file = place.file("play.breach", recording(&two_rooms()));
    let png = place.name("curves.png");
    let output = run(&[
        "compare",
        &file,
        "--b",
        "split=midpoint",
        "--passes",
        "1",
        "-o",
        &png,
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let picture = image::open(&png).expect("a picture").into_rgb8();
    assert!(picture.width() >= 640 && picture.height() > 300);
    for side in [[86, 180, 233], [230, 159, 0]] {
        assert!(picture.pixels().filter(|p| p.0 == side).count() > 100);
    }
}

#[test]
fn exports_are_written_in_both_formats() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let (glb, obj) = (place.name("a.glb"), place.name("a.obj"));
    assert_eq!(code(&run(&["export", &level, "-o", &glb])), 0);
    assert_eq!(code(&run(&["export", &level, "-o", &obj])), 0);
    assert!(fs::read(glb).expect("written").starts_with(b"glTF"));
    let obj = fs::read_to_string(obj).expect("written");
    assert!(obj.lines().any(|line| line.starts_with("f ")));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    let level = place.file("a.map", two_rooms());
    let mut child = breach(&["check", "--json", &level, &level, &level])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output), "");
}

#[test]
fn no_input_makes_it_panic_or_hang() {
    let place = Place::new();
    let level = two_rooms();
    let noise: Vec<u8> = (0..4096u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let first_number = |number: &str| level.replacen("608", number, 1);
    let mut inputs: Vec<(String, Vec<u8>)> = vec![
        ("empty".into(), Vec::new()),
        ("noise".into(), noise),
        ("nan".into(), first_number("nan").into()),
        ("huge".into(), first_number("1e300").into()),
        ("infinite".into(), first_number("inf").into()),
        ("braces".into(), "{".repeat(1 << 20).into()),
        ("pairs".into(), "{}".repeat(1 << 16).into()),
        (
            "no start".into(),
            level.replace("info_player_start", "info_nothing").into(),
        ),
        ("crlf".into(), level.replace('\n', "\r\n").into()),
        (
            "latin".into(),
            level
                .replace("worldspawn\"", "worldspawn\"\n\"author\" \"\u{1}REMARK\"")
                .into(),
        ),
        ("nul".into(), b"{\0\"classname\" \"worldspawn\"}".to_vec()),
        (
            "no brush".into(),
            b"{\n\"classname\" \"worldspawn\"\n}\n".to_vec(),
        ),
    ];
    for end in (0..level.len()).step_by(1024) {
        inputs.push((format!("cut-{end}"), level.as_bytes()[..end].to_vec()));
    }
    for (name, bytes) in inputs {
        let file = place.file("input.map", &bytes);
        for args in [&["check", "--json", file.as_str()][..], &["replay", &file]] {
            let output = run(args);
            assert!(code(&output) <= 1, "{name} {args:?}");
            if code(&output) == 1 {
                assert!(!stderr(&output).is_empty(), "{name} {args:?}");
            }
        }
    }
}

#[cfg(feature = "render")]
#[test]
fn without_an_adapter_a_picture_is_refused_with_what_to_install() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = breach(&["shot", "levels/range.map", "-o"])
        .arg(folder.path().join("p.png"))
        .args(["--ticks", "0"])
        // Vulkan alone, and none of its drivers.
        .env("WGPU_BACKEND", "vulkan")
        .env("VK_DRIVER_FILES", folder.path().join("none.json"))
        .env("VK_ICD_FILENAMES", folder.path().join("none.json"))
        .output()
        .expect("the binary runs");
    assert_eq!(code(&output), 1);
    let said = stderr(&output);
    assert!(said.contains("no graphics adapter was found"), "{said}");
    assert!(
        said.contains("apt-get install mesa-vulkan-drivers"),
        "{said}"
    );
    assert!(!folder.path().join("p.png").exists());
}
