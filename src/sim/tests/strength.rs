//! Structures that break under their load.
use super::*;

#[test]
fn explore() {
    let map =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/levels/bridge.map")).expect("a level");
    let desc = crate::level::read_map(&map).expect("a level");
    let settings = Settings {
        strength: 1.0,
        ..Settings::default()
    };
    let mut sim = Sim::new(desc, 1, settings, &mut Silent).expect("a world");
    {
        let mut sim = sim.clone();
        sim.settings.strength = 0.0;
        let fire = Action::FireAlong {
            from: [9.4, -6.0, 8.0],
            dir: [0.0, 0.0, -1.0],
        };
        let report = act(&mut sim, vec![fire]);
        println!("{:?}", report.carves[0].result.as_ref().map(|c| c.bounds));
        let mut survey = crate::strength::Survey::new(crate::strength::Survey::seeds(
            &report.carves[0].result.as_ref().unwrap().bounds.unwrap(),
        ));
        let mut graph = crate::solid::SolidGraph::default();
        let materials: Vec<_> = sim
            .world
            .materials
            .iter()
            .map(|m| crate::level::material::structural(&m.texture))
            .collect();
        for i in 0..50 {
            let begun = std::time::Instant::now();
            let mut units = 20_000_000;
            let done = survey.advance(&mut graph, &sim.world, &materials, &mut units);
            println!(
                "{i}: {done} {:?} graph {}",
                begun.elapsed(),
                graph.block_count()
            );
            if done {
                break;
            }
        }
        let found = survey.finish();
        println!(
            "blocks {} bonds {} large {}",
            found.structure.blocks.len(),
            found.places.len(),
            found.is_too_large
        );
        let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for b in &found.structure.blocks {
            lo = lo.min(b.centre);
            hi = hi.max(b.centre);
        }
        println!("{lo} {hi} bounds {:?}", sim.world.bounds());
        for b in found
            .structure
            .blocks
            .iter()
            .step_by(found.structure.blocks.len() / 40 + 1)
        {
            println!("  {} {:.3}", b.centre, b.mass);
        }
    }
    let mut slowest = 0.0f64;
    for shot in 0..60 {
        let x = 10.25 + [-0.9, 0.0, 0.9][shot % 3];
        let side = if shot / 3 % 2 == 0 { 1.0 } else { -1.0 };
        let fire = Action::FireAlong {
            from: [x, -6.0, 8.0 * side],
            dir: [0.0, 0.0, -side],
        };
        let mut actions = vec![fire];
        for tick in 0..120 {
            let begun = std::time::Instant::now();
            let report = act(&mut sim, std::mem::take(&mut actions));
            let ms = begun.elapsed().as_secs_f64() * 1e3;
            slowest = slowest.max(ms);
            for event in &report.carves {
                let result = event.result.as_ref().map(|c| {
                    (
                        c.volume_m3,
                        c.islands.iter().map(|i| i.volume_m3).collect::<Vec<_>>(),
                        c.no_effect,
                    )
                });
                println!(
                    "shot {shot} tick {tick} {:?} at {} r {:.2}: {:?} ms {ms:.1}",
                    event.by, event.position, event.radius, result
                );
            }
            if let Some(v) = &report.verdict {
                println!(
                    "shot {shot} tick {tick} ms {ms:.1}: {} blocks {} bonds u {:.3} breaks {} {:?}",
                    v.blocks,
                    v.bonds,
                    v.utilisation,
                    v.breaks.len(),
                    v.breaks.first()
                );
            }
        }
    }
    println!("slowest {slowest:.1}");
}
