//! What a preview costs beside the carve that it foretells.
use crate::brushes::Brush;
use crate::carve::Verdict;
use crate::clock::{summary, timed};
use crate::ours;
use crate::rooms::Room;
use breach::timing::Silent;

/// Prints the table. A preview comes before its carve, and so meets what it needs outside of the caches; the carve does not.
pub fn run(rooms: &[Room], brushes: &[Brush], repeats: usize, verdict: &mut Verdict) {
    println!("\nA preview before each carve, ms\n");
    println!("| room | preview mean | p50 | p99 | carve mean | p50 | p99 |");
    println!("|---|---|---|---|---|---|---|");
    for room in rooms {
        let mut previews = vec![f64::INFINITY; brushes.len()];
        let mut carves = previews.clone();
        for _ in 0..repeats.max(1) {
            let mut world = ours::world(room);
            for (i, brush) in brushes.iter().enumerate() {
                let operation = ours::carve(brush);
                let (preview, ms) = timed(|| world.preview(&operation));
                previews[i] = previews[i].min(ms);
                let (report, ms) = timed(|| world.apply(&operation, &mut Silent));
                carves[i] = carves[i].min(ms);
                match (preview, report) {
                    (Ok(preview), Ok(report)) => {
                        let off = (preview.volume_m3 - report.volume_m3).abs();
                        assert!(off < 1e-9, "a preview was wrong by {off} m3");
                        world.forget(&report.delta);
                    }
                    (Err(e), _) | (_, Err(e)) => panic!("a brush was refused: {e}"),
                }
            }
        }
        let [preview, carve] = [&previews, &carves].map(|ms| summary(ms));
        println!(
            "| {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            room.name, preview.mean, preview.p50, preview.p99, carve.mean, carve.p50, carve.p99
        );
        let what = format!("{} previews to their carves, means", room.name);
        verdict.at_most(&what, preview.mean / carve.mean, 1.0);
    }
}
