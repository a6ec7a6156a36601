//! Inputs of every kind, made up from seeds, each judged in a process of its own; what is wrong is made small and written
//! down. See [`judge`] for what is right.
//!
//! `--seconds` bounds the run, `--cases` makes a fixed number: case n of a run is of the kind that [`SCHEDULE`] names
//! and of the seed S + n. The same kind, seed and levels give the same case on every machine, however long it takes.
//!
//! A fault is written to the folder of `--out` as `<kind>-<seed>.map` (or what else its input is) with a `.txt` that
//! tells the command that shows it and the verdict. Of one kind and judge the first few are made small; the rest are
//! counted.
//!
//! Whether the fuzzer still finds what it should: break the coplanar rule on purpose, and look. In
//! `crates/breach-core/src/carve/boolean.rs`, of a face that lies on a facet of the brush, say that a fill always takes it
//! (`let taken = op == Op::Fill || face.plane == p.facets[f].plane`): `fuzz --kind few --kind many --cases 24` finds open
//! edges in six cases, in seconds, and makes them a level of two brushes. Then undo the change.
use breach::geom::rng::Rng;
use levels::Levels;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

mod brushes;
#[path = "../../../tests/carving/mod.rs"]
mod carving;
pub mod child;
mod judge;
mod levels;
mod map;
mod minimise;
mod mutated;
mod queries;
mod recordings;
mod soaks;
mod turned;

/// What is run, and for how long.
#[derive(clap::Args)]
pub struct Args {
    /// Seconds of looking; making faults small comes on top, bounded.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// So many cases instead, however long they take.
    #[arg(long, conflicts_with = "seconds")]
    cases: Option<u64>,
    /// Seed of the first case; the next one's is one more.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A folder of `.map` files to turn, change and shoot at; several may be named. Without it levels/ and
    /// ../shared/levels, where they are.
    #[arg(long)]
    levels: Vec<PathBuf>,
    /// Only cases of this kind; several may be named.
    #[arg(long, value_enum)]
    kind: Vec<Kind>,
    /// Processes at a time; without it as many as the machine has cores.
    #[arg(long)]
    jobs: Option<usize>,
    /// Where faults are written.
    #[arg(long, default_value = "target/fuzz")]
    out: PathBuf,
    /// Judges one file and says what is wrong with it.
    #[arg(long, value_name = "FILE")]
    judge: Option<PathBuf>,
}

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
enum Kind {
    /// Levels turned and scaled.
    Turned,
    /// Few brushes at awkward places.
    Few,
    /// Lists of operations.
    Many,
    /// Rockets into levels.
    Soak,
    /// Real levels with things changed.
    Mutated,
    /// Recordings.
    Recording,
    /// Recordings of settings.
    Settings,
    /// Lines of questions.
    Query,
    /// What a crash left.
    Left,
    /// Files that are none.
    Odd,
}

/// The kinds in turn: those that find most, or cost least, more often.
const SCHEDULE: [Kind; 20] = {
    use Kind::{Few, Left, Many, Mutated, Odd, Query, Recording, Settings, Soak, Turned};
    [
        Few, Recording, Soak, Turned, Many, Query, Few, Recording, Soak, Mutated, Many, Few,
        Settings, Soak, Turned, Left, Many, Recording, Soak, Odd,
    ]
};

/// What one judge may take: no case eats the others' time.
const LIMITS: child::Limits = child::Limits {
    cpu_secs: 60,
    wall_secs: 400,
    memory_kib: 6 << 20,
};
/// Of a kind and a judge so many faults are made small.
const MINIMISED: usize = 2;
/// And so many written.
const WRITTEN: usize = 5;
/// Seconds that making one fault small may take.
const MINIMISE_SECS: u64 = 60;

/// One input, as files with endings; the judge is handed the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    files: Vec<(&'static str, Vec<u8>)>,
}

/// The case of a kind and a seed.
fn case(kind: Kind, seed: u64, levels: &Levels) -> Case {
    let rng = &mut Rng::new(seed ^ (kind as u64) << 56);
    let made = |mut map: map::Map| {
        map.set_task("made", &[]);
        vec![("map", map.bytes())]
    };
    let files = match kind {
        Kind::Turned => vec![("map", turned::case(levels, rng).bytes())],
        Kind::Few => made(brushes::few(rng)),
        Kind::Many => made(brushes::many(rng)),
        Kind::Soak => vec![("map", soaks::case(levels, rng).bytes())],
        Kind::Mutated => vec![("map", mutated::case(levels, rng))],
        Kind::Recording => vec![("breach", recordings::case(rng, false))],
        Kind::Settings => vec![("breach", recordings::case(rng, true))],
        Kind::Query => {
            let (map, lines) = queries::case(rng);
            vec![("jsonl", lines), ("map", map.bytes())]
        }
        Kind::Left => {
            let (recording, marker) = queries::left(rng);
            vec![("open", marker), ("breach", recording)]
        }
        Kind::Odd => vec![("args", queries::odd_file(rng))],
    };
    Case { files }
}

/// What a judge found.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    Fine,
    /// It took too long, which is no fault of a large level.
    Slow,
    Fault {
        /// Faults with the same are taken for one.
        judge: String,
        text: String,
    },
}

/// Runs; false when a fault was found.
pub fn run(args: &Args) -> bool {
    if let Some(file) = &args.judge {
        return judge_one(file);
    }
    let levels = match args.levels.is_empty() {
        true => Levels::of(&["levels", "../shared/levels"].map(PathBuf::from)),
        false => Levels::of(&args.levels),
    };
    if let Err(error) = std::fs::create_dir_all(&args.out) {
        eprintln!("{}: {error}", args.out.display());
        return false;
    }
    let kinds: Vec<Kind> = match args.kind.is_empty() {
        true => SCHEDULE.to_vec(),
        false => args.kind.clone(),
    };
    let began = Instant::now();
    let end = began + Duration::from_secs(args.seconds);
    let next = AtomicU64::new(0);
    let found = Mutex::new(Found::default());
    let jobs = args
        .jobs
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    std::thread::scope(|scope| {
        for _ in 0..jobs.unwrap_or(1).max(1) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let is_over = match args.cases {
                        Some(cases) => n >= cases,
                        None => Instant::now() >= end,
                    };
                    if is_over {
                        break;
                    }
                    let kind = kinds[(n % kinds.len() as u64) as usize];
                    one(kind, args.seed + n, &levels, args, &found);
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_default();
    found.say(args, levels.len(), began.elapsed());
    found.faults.is_empty()
}

/// In the judge's own process.
fn judge_one(file: &Path) -> bool {
    match judge::judge(file) {
        Ok(()) => {
            println!("{}: fine", file.display());
            true
        }
        Err(fault) => {
            println!("FAULT {}: {}", fault.judge, fault.text);
            false
        }
    }
}

/// What came out so far.
#[derive(Default)]
struct Found {
    /// Cases by kind.
    cases: BTreeMap<Kind, usize>,
    slow: Vec<String>,
    /// Seeds and the first verdict, by kind and judge.
    faults: BTreeMap<(Kind, String), (Vec<u64>, String)>,
}

impl Found {
    fn say(&self, args: &Args, levels: usize, took: Duration) {
        let cases: usize = self.cases.values().sum();
        let kinds: Vec<String> = self
            .cases
            .iter()
            .map(|(kind, n)| format!("{n} {}", name(*kind)))
            .collect();
        println!(
            "{cases} cases in {:.0} s from seed {}, {levels} levels: {}",
            took.as_secs_f64(),
            args.seed,
            kinds.join(", ")
        );
        if !self.slow.is_empty() {
            println!(
                "{} took longer than {} s and were left: {}",
                self.slow.len(),
                LIMITS.cpu_secs,
                self.slow.join(", ")
            );
        }
        for ((kind, judge), (seeds, text)) in &self.faults {
            println!(
                "{} {judge}: {} cases, the first of seed {}: {text}",
                name(*kind),
                seeds.len(),
                seeds[0]
            );
        }
        match self.faults.is_empty() {
            true => println!("no fault"),
            false => println!(
                "{} kinds of faults, written to {}",
                self.faults.len(),
                args.out.display()
            ),
        }
    }
}

fn name(kind: Kind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// One case from its seed to its file.
fn one(kind: Kind, seed: u64, levels: &Levels, args: &Args, found: &Mutex<Found>) {
    let stem = args.out.join(format!("{}-{seed}", name(kind)));
    // A generator that panics is a fault of the fuzzer's own, and the run goes on.
    let made = std::panic::catch_unwind(|| case(kind, seed, levels));
    let verdict = match &made {
        Ok(case) => judged(case, &stem),
        Err(_) => Verdict::Fault {
            judge: "made".into(),
            text: "the case cannot be made".into(),
        },
    };
    let nth = {
        let Ok(mut found) = found.lock() else { return };
        *found.cases.entry(kind).or_default() += 1;
        match &verdict {
            Verdict::Fine => return,
            Verdict::Slow => {
                found.slow.push(format!("{}-{seed}", name(kind)));
                return;
            }
            Verdict::Fault { judge, text } => {
                let key = (kind, judge.clone());
                let (seeds, _) = found
                    .faults
                    .entry(key)
                    .or_insert_with(|| (Vec::new(), text.clone()));
                seeds.push(seed);
                seeds.len()
            }
        }
    };
    let (Ok(case), Verdict::Fault { judge, text }) = (made, verdict) else {
        return;
    };
    eprintln!("{}-{seed} {judge}: {text}", name(kind));
    if nth > WRITTEN {
        return;
    }
    let mut last = text;
    let mut small = case.clone();
    if nth <= MINIMISED {
        let mut still = |case: &Case| match judged(case, &stem.with_extension("small")) {
            Verdict::Fault { judge: other, text } if other == judge => {
                last = text;
                true
            }
            _ => false,
        };
        let until = Instant::now() + Duration::from_secs(MINIMISE_SECS);
        small = minimise::minimised(&case, &mut minimise::Judge::new(&mut still, until));
    }
    let verdict = format!("{judge}: {last}");
    if let Err(error) = written(kind, seed, &small, &stem, &verdict) {
        eprintln!("{}: {error}", stem.display());
    }
}

/// The path of a case's file.
fn at(stem: &Path, ending: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(format!(".{ending}"));
    name.into()
}

/// Asks the judge, in a process of its own.
fn judged(case: &Case, stem: &Path) -> Verdict {
    let fault = |judge: &str, text: String| Verdict::Fault {
        judge: judge.into(),
        text,
    };
    for (ending, bytes) in &case.files {
        if let Err(error) = std::fs::write(at(stem, ending), bytes) {
            return fault("files", error.to_string());
        }
    }
    let path = at(stem, case.files[0].0).display().to_string();
    let ended = child::run(&["fuzz", "--judge", &path], b"", LIMITS, |_| {});
    for (ending, _) in &case.files {
        let _ = std::fs::remove_file(at(stem, ending));
    }
    let out = String::from_utf8_lossy(&ended.stdout);
    let said = out.lines().find_map(|line| line.strip_prefix("FAULT "));
    match (ended.ending, said.and_then(|line| line.split_once(": "))) {
        (child::Ending::Code(0), _) => Verdict::Fine,
        (child::Ending::OutOfTime | child::Ending::Waiting, _) => Verdict::Slow,
        (child::Ending::Code(1), Some((judge, text))) => fault(judge, text.into()),
        (child::Ending::Code(101), _) => {
            // `thread .. panicked at FILE:LINE:COLUMN:`: two places are two faults.
            let complaint = ended.complaint();
            let place = complaint.split("panicked at ").nth(1).unwrap_or_default();
            let place = place.split(": ").next().unwrap_or_default();
            fault(&format!("panic at {place}"), complaint.clone())
        }
        (ending, _) => fault("abort", format!("{ending:?}: {}", ended.complaint())),
    }
}

/// Writes the case, and how to see its fault.
fn written(kind: Kind, seed: u64, case: &Case, stem: &Path, verdict: &str) -> std::io::Result<()> {
    for (ending, bytes) in &case.files {
        std::fs::write(at(stem, ending), bytes)?;
    }
    let path = at(stem, case.files[0].0);
    let file = path.display();
    let mut text = format!(
        "{verdict}\n\ncargo run --release -p peers -- fuzz --judge {file}\n{}\n\nAs it was made, not yet small:\ncargo run --release -p peers -- fuzz --cases 1 --kind {} --seed {seed}\n",
        program(case, stem, &path)?,
        name(kind)
    );
    if kind == Kind::Odd {
        text += &String::from_utf8_lossy(&case.files[0].1);
    }
    std::fs::write(at(stem, "txt"), text)
}

/// The command of the program itself that shows it, where there is one.
fn program(case: &Case, stem: &Path, path: &Path) -> std::io::Result<String> {
    let file = path.display();
    Ok(match case.files[0].0 {
        "map" => {
            let map = map::Map::read(&case.files[0].1);
            let task = map.task();
            let [rockets, radius, seed, ticks] =
                ["rockets", "radius", "seed", "ticks"].map(|name| task.get(name));
            match task.what.as_str() {
                "turned" => {
                    let path = at(stem, "turned.map");
                    std::fs::write(&path, turned::turn(&map, &task).bytes())?;
                    format!("breach check {file} {}", path.display())
                }
                "soak" => format!(
                    "breach soak {file} --rockets {rockets} --radius {radius} --seed {seed} --ticks {ticks} --json"
                ),
                _ => format!("breach check {file}"),
            }
        }
        "breach" => format!("breach replay {file} --json"),
        "jsonl" => format!("breach query {} < {file}", at(stem, "map").display()),
        _ => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_kind_and_seed_give_the_same_case_and_other_seeds_others() {
        let levels = Levels::of(&[PathBuf::from("../levels")]);
        for kind in SCHEDULE {
            let made = |seed| case(kind, seed, &levels);
            assert_eq!(made(7), made(7), "{kind:?}");
            assert!((8..12).any(|seed| made(seed) != made(7)), "{kind:?}");
        }
    }

    #[test]
    fn a_level_reads_back_as_it_was_written() {
        for seed in 0..40 {
            let made = brushes::many(&mut Rng::new(seed));
            assert_eq!(map::Map::read(&made.bytes()), made, "seed {seed}");
        }
    }

    #[test]
    fn a_level_turned_by_nothing_stays_and_a_quarter_turn_moves_its_points() {
        let mut level = levels::Made::built(&mut Rng::new(3)).map;
        let mut turned = |degrees: f64| {
            level.set_task(
                "turned",
                &[("degrees", degrees), ("scale", 1.0), ("decimals", 6.0)],
            );
            let turned = turned::turn(&level, &level.task());
            let points = turned
                .brushes()
                .flatten()
                .filter_map(|side| map::side_points(side));
            points.flat_map(|(points, _)| points).collect::<Vec<_>>()
        };
        let (as_it_was, quarter) = (turned(0.0), turned(90.0));
        assert!(!as_it_was.is_empty());
        for (p, q) in as_it_was.iter().zip(&quarter) {
            assert!(
                (q.x + p.y).abs() < 1e-5 && (q.y - p.x).abs() < 1e-5 && q.z == p.z,
                "{p} {q}"
            );
        }
    }
}
