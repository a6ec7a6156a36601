//! What it costs to take carves back and to do them again, what is kept for it, and what looking for loose pieces costs
//! where nothing falls.
use crate::brushes::Brush;
use crate::carve::Verdict;
use crate::clock::{Phases, Summary, summary, timed};
use crate::ours;
use crate::rooms::Room;
use breach::timing::Stage;
use breach::world::{Delta, World};

/// Least times of one room, by carve.
struct Times {
    undo: Vec<f64>,
    redo: Vec<f64>,
    /// Looking for loose pieces; NaN where one fell.
    islands: Vec<f64>,
    /// Kept for each step.
    bytes: Vec<usize>,
}

/// Prints the table.
pub fn run(rooms: &[Room], brushes: &[Brush], repeats: usize, verdict: &mut Verdict) {
    println!("\nTaking all carves back and doing them again, and looking for loose pieces, ms\n");
    println!(
        "| room | undo p50 | undo p99 | undo max | redo p50 | redo p99 | kB a step | nothing falls p50 | nothing falls p99 |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for room in rooms {
        let world = ours::world(room);
        let mut times = Times {
            undo: vec![f64::INFINITY; brushes.len()],
            redo: vec![f64::INFINITY; brushes.len()],
            islands: vec![f64::INFINITY; brushes.len()],
            bytes: vec![],
        };
        let same = (0..repeats.max(1)).all(|_| once(world.clone(), brushes, &mut times));
        times.islands.retain(|ms| !ms.is_nan());
        let all = [&times.undo, &times.redo, &times.islands].map(|ms| summary(ms));
        let [undo, redo, islands]: [Summary; 3] = all;
        let kilobytes = times.bytes.iter().sum::<usize>() as f64 / 1e3;
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} | {:.3} | {:.3} |",
            room.name,
            undo.p50,
            undo.p99,
            undo.max,
            redo.p50,
            redo.p99,
            kilobytes / times.bytes.len().max(1) as f64,
            islands.p50,
            islands.p99
        );
        verdict.holds(
            &format!("{} undone and redone: same hashes", room.name),
            same,
        );
        verdict.at_most(&format!("{} undo p99 ms", room.name), undo.p99, 1.0);
        let name = format!("{} nothing falls p99 ms", room.name);
        verdict.at_most(&name, islands.p99, 0.2);
    }
}

/// All carves, all back, all again; whether each hash came again.
fn once(mut world: World, brushes: &[Brush], times: &mut Times) -> bool {
    let mut hashes = vec![world.hash()];
    let mut deltas: Vec<Delta> = Vec::new();
    times.bytes.clear();
    for (brush, islands) in brushes.iter().zip(&mut times.islands) {
        let mut phases = Phases::default();
        let report = match world.apply(&ours::carve(brush), &mut phases) {
            Ok(report) => report,
            Err(e) => panic!("a brush was refused: {e}"),
        };
        *islands = match report.islands.is_empty() {
            true => islands.min(phases.ms[Stage::Islands.index()]),
            false => f64::NAN,
        };
        times.bytes.push(report.delta.bytes());
        deltas.push(report.delta);
        hashes.push(world.hash());
    }
    let mut same = true;
    let mut again = Vec::new();
    for (i, delta) in deltas.into_iter().enumerate().rev() {
        let (report, ms) = timed(|| world.revert(delta, &mut breach::timing::Silent));
        times.undo[i] = times.undo[i].min(ms);
        same &= world.hash() == hashes[i];
        again.push(report.delta);
    }
    for (i, delta) in again.into_iter().rev().enumerate() {
        let (_, ms) = timed(|| world.revert(delta, &mut breach::timing::Silent));
        times.redo[i] = times.redo[i].min(ms);
        same &= world.hash() == hashes[i + 1];
    }
    same && world.validate().is_ok()
}
