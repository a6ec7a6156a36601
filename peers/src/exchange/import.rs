//! One table of Breach's figures, measured now, beside those that harnesses wrote; only the sets that they have.
use super::results::Results;
use super::sets::{Figure, Set, all};
use crate::brushes::Brush;
use crate::clock::{Summary, summary};
use crate::collide::{self, Query, room, sets};
use crate::{carve, debris, ours, rooms};
use breach::bvh::{BuildParams, Bvh, Mesh};
use breach::debris::Body;
use breach::world::World;
use std::fs;
use std::path::{Path, PathBuf};

/// What is read, and how much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// The folder with the files *.results
    dir: PathBuf,
    /// Rounds of queries; medians count
    #[arg(long, default_value_t = collide::ROUNDS)]
    rounds: usize,
}

/// Prints the table; false, and nothing is measured, where a file is refused.
pub fn run(args: &Args) -> bool {
    match read(&args.dir) {
        Ok(files) => {
            print(&files, args.rounds);
            true
        }
        Err(faults) => {
            faults.iter().for_each(|why| eprintln!("{why}"));
            false
        }
    }
}

/// All files of a folder, by name; or what is wrong with each that is refused.
fn read(dir: &Path) -> Result<Vec<Results>, Vec<String>> {
    let said = |why: std::io::Error| vec![format!("{}: {why}", dir.display())];
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(said)? {
        let path = entry.map_err(said)?.path();
        if path.extension().is_some_and(|e| e == "results") {
            paths.push(path);
        }
    }
    paths.sort();
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for path in &paths {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|why| format!("{name}: {why}"));
        match bytes.and_then(|bytes| Results::parse(&name, &bytes)) {
            Ok(file) => files.push(file),
            Err(why) => faults.push(why),
        }
    }
    if paths.is_empty() {
        faults.push(format!("{}: no file *.results", dir.display()));
    }
    match faults.is_empty() {
        true => Ok(files),
        false => Err(faults),
    }
}

fn print(files: &[Results], rounds: usize) {
    for file in files {
        println!("{} built by: {}", file.engine, file.compiler);
    }
    println!(
        "Beside each figure: how many times as fast as the engine Breach is; one thread, CPU time\n"
    );
    let engines: Vec<&str> = files.iter().map(|file| file.engine.as_str()).collect();
    println!("| set | figure | Breach | {} |", engines.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(files.len()));
    let mut ours = Ours::new(rounds);
    for set in all() {
        let is_in = |file: &Results| file.figures.keys().any(|key| key.0 == set);
        if !files.iter().any(is_in) {
            continue;
        }
        for (figure, our) in ours.figures(set) {
            let theirs = files.iter().map(|file| file.figures.get(&(set, figure)));
            let theirs: Vec<Option<f64>> = theirs.map(|value| value.copied()).collect();
            if theirs.iter().any(Option::is_some) {
                println!("{}", line(set, figure, our, &theirs));
            }
        }
    }
}

/// A row of the table.
fn line(set: Set, figure: Figure, our: f64, theirs: &[Option<f64>]) -> String {
    let cell = |value: &Option<f64>| match value {
        Some(value) => format!("{value:.3} ({:.2}x)", figure.times(our, *value)),
        None => "-".into(),
    };
    let cells: Vec<String> = theirs.iter().map(cell).collect();
    let name = figure.name();
    format!("| {set} | {name} | {our:.3} | {} |", cells.join(" | "))
}

/// A room of `collide` as Breach has it.
struct Queried {
    name: &'static str,
    mesh: Mesh,
    tree: Bvh,
}

/// Breach's side. What is needed again is kept: the last room of `collide`, that of `debris`, the brushes.
struct Ours {
    rounds: usize,
    queried: Option<Queried>,
    debris: Option<World>,
    brushes: Option<Vec<Brush>>,
}

impl Ours {
    fn new(rounds: usize) -> Self {
        Self {
            rounds,
            queried: None,
            debris: None,
            brushes: None,
        }
    }

    /// Measures a set as `collide`, `debris` or `carve` does.
    fn figures(&mut self, set: Set) -> Vec<(Figure, f64)> {
        match set {
            Set::RandomRays(room) => self.rate(room, collide::our_rays, |_| {
                sets::random_rays(sets::RANDOM_RAYS)
            }),
            Set::CoherentRays(room) => self.rate(room, collide::our_rays, |_| sets::camera_rays()),
            Set::Sweeps(number, room) => self.rate(room, collide::our_sweeps, |room| {
                let (_, aim, length) = sets::SWEEPS[number];
                let count = sets::SWEEPS_IN_A_SET;
                sets::sweeps(&room.mesh, &room.tree, aim, length, count)
            }),
            Set::Boxes(count, is_awake) => self.steps(debris::blocks(count), is_awake),
            Set::Balls(is_awake) => {
                let starts = debris::starts(debris::BALLS);
                self.steps(debris::balls(&starts), is_awake)
            }
            Set::Carve(name) => {
                let brushes = self.brushes.get_or_insert_with(carve::usual_brushes);
                let room = rooms::room(name).expect("one of the six");
                let run = ours::measure(&room, brushes, carve::REPEATS);
                times(&carve::our_time(&run))
            }
        }
    }

    fn rate(
        &mut self,
        name: &'static str,
        query: Query,
        paths: impl FnOnce(&Queried) -> Vec<sets::Path>,
    ) -> Vec<(Figure, f64)> {
        let kept = self.queried.take().filter(|kept| kept.name == name);
        let made = kept.unwrap_or_else(|| {
            let mesh = room::named(name).expect("a room of the list");
            let tree = Bvh::build(&mesh, &BuildParams::default());
            Queried { name, mesh, tree }
        });
        let room: &Queried = self.queried.insert(made);
        let paths = paths(room);
        let rate = collide::our_rate(query, &room.mesh, &room.tree, &paths, self.rounds);
        vec![(Figure::MillionsPerSecond, rate)]
    }

    fn steps(&mut self, bodies: Vec<Body>, is_awake: bool) -> Vec<(Figure, f64)> {
        let world = self.debris.get_or_insert_with(|| {
            let room = debris::upright(debris::ROOM).expect("one of the six");
            debris::world(&room)
        });
        times(&summary(&debris::our_ms(world, bodies, !is_awake)))
    }
}

fn times(of: &Summary) -> Vec<(Figure, f64)> {
    vec![
        (Figure::MeanMs, of.mean),
        (Figure::MedianMs, of.p50),
        (Figure::P99Ms, of.p99),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_both_sides_and_how_many_times_as_fast_breach_is() {
        let set = Set::named("boxes/500").expect("a set");
        let row = line(set, Figure::MedianMs, 0.5, &[Some(1.0), None]);
        let expected = "| boxes/500 | median_ms | 0.500 | 1.000 (2.00x) | - |";
        assert_eq!(row, expected);
        let set = Set::named("rays/random/20k").expect("a set");
        let row = line(set, Figure::MillionsPerSecond, 6.0, &[Some(8.0)]);
        let expected = "| rays/random/20k | millions_per_second | 6.000 | 8.000 (0.75x) |";
        assert_eq!(row, expected);
    }

    #[test]
    fn every_figure_that_a_set_may_have_is_measured() {
        let times: Vec<Figure> = times(&Summary::default()).iter().map(|t| t.0).collect();
        for set in all() {
            let known: Vec<Figure> = Figure::ALL.into_iter().filter(|&f| set.has(f)).collect();
            match set.has(Figure::MillionsPerSecond) {
                true => assert_eq!(known, [Figure::MillionsPerSecond], "{set}"),
                false => assert_eq!(known, times, "{set}"),
            }
        }
    }

    #[test]
    fn a_folder_with_one_broken_file_is_refused_whole() {
        let dir = std::env::temp_dir().join(format!("peers-import-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a folder");
        let head = "breach-peers 1\nresults\nengine e 1\ncompiler c\n";
        let write = |name: &str, rows: &str| {
            fs::write(dir.join(name), format!("{head}{rows}\n")).expect("a file");
        };
        let none = read(&dir).expect_err("no file");
        assert!(none[0].ends_with("no file *.results"), "{none:?}");
        write("a.results", "boxes/500 median_ms 0.5");
        write("notes.txt", "not for us");
        assert_eq!(read(&dir).expect("a good file").len(), 1);
        write("b.results", "boxes/500 median_ms 0,5");
        let faults = read(&dir).expect_err("a broken file");
        let why = "b.results:5: 0,5 is no number above 0";
        assert!(faults.len() == 1 && faults[0].ends_with(why), "{faults:?}");
        fs::remove_dir_all(&dir).expect("the folder goes");
    }
}
