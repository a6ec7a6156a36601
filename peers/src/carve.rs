//! The table of carving: Breach and Manifold on the same rooms with the same brushes, beside the goals.
use crate::brushes::Brush;
use crate::clock::{Summary, summary, timed};
use crate::rooms::{self, Room};
use crate::{joined, ours, preview, theirs, undo};
use breach::timing::{Silent, Stage};
use breach::world::World;
use manifold_rust::manifold::Manifold;
use std::io::Write;

/// Carves in each room, unless others are asked for.
const CARVES: usize = 1000;
/// Runs of the same sequence, unless others are asked for.
pub const REPEATS: usize = 3;
const SEED: u64 = 1;

/// How much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Rooms, as flat_2k or flat_20k_x100; all six if not given.
    #[arg(long)]
    room: Vec<String>,
    /// Parts of the table; all if not given.
    #[arg(long, value_enum)]
    part: Vec<Part>,
    /// Carves in each room.
    #[arg(long, default_value_t = CARVES)]
    carves: usize,
    /// How often the same sequence runs: each carve's smallest time counts.
    #[arg(long, default_value_t = REPEATS)]
    repeat: usize,
    /// Seed of the brushes.
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Carves of the long sequence.
    #[arg(long, default_value_t = 10_000)]
    many: usize,
    /// Breach alone.
    #[arg(long)]
    ours: bool,
    /// Manifold too is measured at every carve of the largest rooms (minutes).
    #[arg(long)]
    every: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Part {
    /// The six rooms.
    Rooms,
    /// Taking carves back, and what looking for loose pieces costs.
    Undo,
    /// Previews beside their carves.
    Preview,
    /// Each brush a second time.
    Twice,
    /// Ten thousand carves in one room.
    Many,
    /// A room among a hundred.
    Tiled,
}

/// Manifold is measured at every carve of rooms with fewer triangles; else in `GROUPS` groups of `GROUP` carves.
const FEW: usize = 100_000;
const GROUPS: usize = 10;
const GROUP: usize = 5;

/// What manifold-rust took for a carve, mean ms, on the machine on which the goals in milliseconds were set.
const WHERE_GOALS_WERE_SET: [(&str, f64); 2] = [("flat_2k", 29.1), ("flat_200k", 106.0)];

/// Prints the table; false where a goal was missed or a fault was found.
pub fn run(args: &Args) -> bool {
    let has = |part| args.part.is_empty() || args.part.contains(&part);
    let names: Vec<String> = match args.room.is_empty() {
        true => rooms::names().map(String::from).collect(),
        false => args.room.clone(),
    };
    let flat = known("flat_2k");
    let brushes = ours::sequence(ours::world(&flat), args.carves, args.seed);
    println!(
        "{} brushes of 40 to 80 points, r = 1 m ± 12 %, seed {}; one thread, CPU time; Breach: the mean of {} runs, the rest of each carve's least",
        brushes.len(),
        args.seed,
        args.repeat
    );
    let mut verdict = Verdict::default();
    let needs_rooms = [Part::Rooms, Part::Undo, Part::Preview]
        .into_iter()
        .any(has);
    let rooms: Vec<Room> = match needs_rooms {
        true => names.iter().map(|n| known(n)).collect(),
        false => Vec::new(),
    };
    if has(Part::Rooms) {
        all_rooms(&rooms, &brushes, args, &mut verdict);
    }
    if has(Part::Undo) {
        undo::run(&rooms, &brushes, args.repeat, &mut verdict);
    }
    if has(Part::Preview) {
        preview::run(&rooms, &brushes, args.repeat, &mut verdict);
    }
    if has(Part::Twice) {
        for name in ["flat_2k", "rough_2k"] {
            twice(&known(name), &brushes, &mut verdict);
        }
    }
    if has(Part::Tiled) {
        tiled("flat_20k", &brushes, args.repeat, &mut verdict);
    }
    if has(Part::Many) {
        many(&flat, args, &mut verdict);
    }
    verdict.print()
}

/// The brushes that are carved unless others are asked for, the same in all rooms.
pub fn usual_brushes() -> Vec<Brush> {
    ours::sequence(ours::world(&known("flat_2k")), CARVES, SEED)
}

/// Breach's times: the mean of all runs, the rest of each carve's least.
pub fn our_time(run: &ours::Run) -> Summary {
    Summary {
        mean: run.mean_ms,
        ..summary(&run.ms)
    }
}

fn known(name: &str) -> Room {
    rooms::room(name).unwrap_or_else(|| {
        eprintln!("there is no room {name}");
        std::process::exit(2)
    })
}

/// What was promised and what came of it.
#[derive(Default)]
pub struct Verdict {
    lines: Vec<(bool, String)>,
}

impl Verdict {
    /// A number that should not be larger.
    pub fn at_most(&mut self, what: &str, value: f64, most: f64) {
        let text = format!("{what}: {value:.3} (at most {most})");
        self.lines.push((value <= most, text));
    }
    fn at_least(&mut self, what: &str, value: f64, least: f64) {
        let text = format!("{what}: {value:.1} (at least {least})");
        self.lines.push((value >= least, text));
    }
    /// What should be so.
    pub fn holds(&mut self, what: &str, holds: bool) {
        self.lines.push((holds, what.into()));
    }
    fn print(&self) -> bool {
        println!("\nGoals");
        for (is_met, text) in &self.lines {
            println!("{} {text}", if *is_met { "  met   " } else { "  MISSED" });
        }
        self.lines.iter().all(|l| l.0)
    }
}

/// What a kernel took and left in a room.
struct Side {
    time: Summary,
    measured: usize,
    triangles: usize,
    volume_m3: f64,
    note: String,
}

fn all_rooms(rooms: &[Room], brushes: &[Brush], args: &Args, verdict: &mut Verdict) {
    println!("\nms a carve, and what is left after the last one\n");
    println!(
        "| room | kernel | carves timed | mean | p50 | p99 | max | first tenth | last tenth | triangles | air, m³ | faults |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let (mut phases, mut speeds) = (Vec::new(), Vec::new());
    for room in rooms {
        let mut peer = (!args.ours).then(|| Theirs::new(room, brushes, args.every));
        let run = ours::measure_in_turns(room, brushes, args.repeat, |done| {
            peer.iter_mut().for_each(|peer| peer.carve_up_to(done));
        });
        let per_stage = run.phases;
        let our = our_side(room, &run, verdict);
        print_side(&room.name, "Breach", &our);
        phases.push((room.name.clone(), per_stage));
        let median = if is_large(room) { 1.0 } else { 0.7 };
        verdict.at_most(&format!("{} p50 ms", room.name), our.time.p50, median);
        verdict.at_most(&format!("{} p99 ms", room.name), our.time.p99, 2.0);
        verdict.at_most(&format!("{} max ms", room.name), our.time.max, 4.0);
        let Some(peer) = peer else { continue };
        let their = peer.side();
        print_side(&room.name, "manifold-rust 0.19", &their);
        let there = WHERE_GOALS_WERE_SET
            .iter()
            .find(|(name, _)| *name == room.name);
        if let Some((_, ms)) = there {
            let slower = their.time.mean / ms;
            let [p50, p99, max] = [our.time.p50, our.time.p99, our.time.max].map(|ms| ms / slower);
            speeds.push(format!(
                "{}: Manifold takes {slower:.2} times as long here as where the goals in ms were set; Breach there, by that: p50 {p50:.2}, p99 {p99:.2}, max {max:.2}",
                room.name
            ));
        }
        let faster = their.time.mean / our.time.mean;
        let least = if is_large(room) { 100.0 } else { 40.0 };
        verdict.at_least(&format!("{} times faster", room.name), faster, least);
        let more = our.triangles as f64 / their.triangles as f64;
        verdict.at_most(
            &format!("{} triangles to Manifold's", room.name),
            more,
            1.15,
        );
        let off = (our.volume_m3 - their.volume_m3).abs() / their.volume_m3;
        verdict.holds(
            &format!("{} volume differs by {off:.1e} (less than 1e-9)", room.name),
            off < 1e-9,
        );
    }
    println!("\n{}", speeds.join("\n"));
    println!("\nPhases of Breach's carve, mean ms\n");
    let names: Vec<&str> = Stage::PHASES.iter().map(|s| s.name()).collect();
    println!("| room | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    for (name, ms) in phases {
        let row: Vec<String> = Stage::PHASES
            .iter()
            .map(|s| format!("{:.3}", ms[s.index()]))
            .collect();
        println!("| {name} | {} |", row.join(" | "));
    }
}

fn is_large(room: &Room) -> bool {
    room.triangles.len() > FEW
}

fn print_side(room: &str, kernel: &str, s: &Side) {
    let t = &s.time;
    println!(
        "| {room} | {kernel} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {} | {:.9} | {} |",
        s.measured, t.mean, t.p50, t.p99, t.max, t.first, t.last, s.triangles, s.volume_m3, s.note
    );
    let _ = std::io::stdout().flush();
}

fn our_side(room: &Room, run: &ours::Run, verdict: &mut Verdict) -> Side {
    let census = run.census;
    let faults = faults(&run.world);
    verdict.holds(
        &format!("{} without a fault: {}", room.name, faults.join("; ")),
        faults.is_empty(),
    );
    let joined = joined::triangles(&run.world);
    let note = format!(
        "{} unmatched, {} T-junctions, {} fell, {} rooms, {} triangles drawn",
        census.unmatched_edges, census.t_junctions, census.islands, census.rooms, census.triangles
    );
    Side {
        time: our_time(run),
        measured: run.ms.len(),
        triangles: joined,
        volume_m3: census.air_volume_m3,
        note,
    }
}

/// What is wrong with a world, in words.
fn faults(world: &World) -> Vec<String> {
    let census = world.census();
    let mut list = world.validate().err().unwrap_or_default();
    if census.unmatched_edges + census.t_junctions + census.portal_mismatches > 0 {
        list.push(format!("{census:?}"));
    }
    list
}

/// Manifold's side of a room under way.
struct Theirs<'a> {
    body: Manifold,
    brushes: &'a [Brush],
    is_timed: Vec<bool>,
    done: usize,
    ms: Vec<f64>,
}

impl<'a> Theirs<'a> {
    fn new(room: &Room, brushes: &'a [Brush], every: bool) -> Self {
        let is_timed = |i| every || !is_large(room) || is_in_a_group(i, brushes.len());
        Self {
            body: theirs::body(room),
            brushes,
            is_timed: (0..brushes.len()).map(is_timed).collect(),
            done: 0,
            ms: Vec::new(),
        }
    }

    fn carve_up_to(&mut self, end: usize) {
        while self.done < end {
            let i = self.done;
            if self.is_timed[i] {
                let brush = theirs::brush(&self.brushes[i]);
                let (next, took) = timed(|| self.body.union(&brush));
                self.body = next;
                self.ms.push(took);
                self.done += 1;
            } else {
                let next = (i..end).find(|&k| self.is_timed[k]).unwrap_or(end);
                self.body = self.body.union(&theirs::union(&self.brushes[i..next]));
                self.done = next;
            }
        }
    }

    fn side(self) -> Side {
        let (body, pieces): (Manifold, usize) = theirs::without_loose(self.body);
        Side {
            time: summary(&self.ms),
            measured: self.ms.len(),
            triangles: body.num_tri(),
            volume_m3: body.volume(),
            note: format!("{pieces} loose pieces taken out"),
        }
    }
}

/// Whether a carve is one of those that stand for all: groups evenly spread, the first and the last among them.
fn is_in_a_group(i: usize, count: usize) -> bool {
    if count <= GROUPS * GROUP {
        return true;
    }
    (0..GROUPS).any(|g| {
        let first = (count - GROUP) * g / (GROUPS - 1);
        (first..first + GROUP).contains(&i)
    })
}

/// A second carve with the same brush changes nothing.
fn twice(room: &Room, brushes: &[Brush], verdict: &mut Verdict) {
    let mut world = ours::world(room);
    let mut unchanged = 0;
    for brush in brushes {
        let operation = ours::carve(brush);
        let first = world.apply(&operation, &mut Silent);
        let before = (world.hash(), world.revision());
        let again = world.apply(&operation, &mut Silent);
        let is_empty = again.is_ok_and(|r| r.rooms.is_empty() && r.volume_m3 == 0.0);
        unchanged +=
            usize::from(first.is_ok() && is_empty && (world.hash(), world.revision()) == before);
    }
    let text = format!(
        "{}: the same brush twice: nothing changed in {unchanged} of {}",
        room.name,
        brushes.len()
    );
    println!("\n{text}");
    verdict.holds(&text, unchanged == brushes.len());
}

/// The same carves in a room that stands alone and in one among a hundred.
fn tiled(name: &str, brushes: &[Brush], repeats: usize, verdict: &mut Verdict) {
    let [one, many] = [name.to_string(), format!("{name}_x100")].map(|name| {
        let run = ours::measure(&known(&name), brushes, repeats);
        let faults = faults(&run.world);
        verdict.holds(&format!("{name} without a fault"), faults.is_empty());
        summary(&run.ms)
    });
    println!(
        "\n{name}: mean {:.3} ms, p50 {:.3}; among a hundred: mean {:.3} ms, p50 {:.3}",
        one.mean, one.p50, many.mean, many.p50
    );
    let ratio = many.mean / one.mean;
    verdict.at_most(&format!("{name} a hundred times to once"), ratio, 1.5);
}

/// Many carves in one room: whether the last cost what the first did.
fn many(room: &Room, args: &Args, verdict: &mut Verdict) {
    let brushes = ours::sequence(ours::world(room), args.many, args.seed + 1);
    let run = ours::measure(room, &brushes, args.repeat);
    let s = summary(&run.ms);
    let c = run.census;
    println!(
        "\n{} carves in {}: mean {:.3} ms, p50 {:.3}, p99 {:.3}, max {:.3}, first tenth {:.3}, last tenth {:.3}; {} triangles, {} faces, {} rooms, {} fell, {:.3} m³",
        args.many,
        room.name,
        s.mean,
        s.p50,
        s.p99,
        s.max,
        s.first,
        s.last,
        c.triangles,
        c.faces,
        c.rooms,
        c.islands,
        c.air_volume_m3
    );
    let what = format!("{} carves, last tenth to first", args.many);
    verdict.at_most(&what, s.last / s.first, 3.0);
    let faults = faults(&run.world);
    verdict.holds(
        &format!(
            "{} carves without a fault: {}",
            args.many,
            faults.join("; ")
        ),
        faults.is_empty(),
    );
}
