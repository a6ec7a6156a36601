//! Prints the final state of a recording, for the tests of the real window, which see only pictures: `moment FILE.breach`
//! replays it and prints one line, `tick 90 room 2 x 1.25 y 1.44 z -3.75 .. hash 16_hex`.
use breach::journal::resume;
use breach::timing::Silent;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let file = std::env::args().nth(1);
    let file = file.ok_or_else(|| anyhow::anyhow!("moment FILE.breach"))?;
    let bytes = std::fs::read(&file)?;
    let played = resume(Path::new(&file), &bytes, &mut Silent, &mut |_, _, _| true);
    let sim = played.map_err(anyhow::Error::msg)?.sim;
    let eye = sim.player.eye;
    let room = sim.world.locate(eye).map_or(-1, i64::from);
    // A hole beside a door enlarges its portal.
    let portals = sim.world.portals().iter();
    let portals_m2: f64 = portals.map(|portal| portal.area_m2).sum();
    println!(
        "tick {} room {room} x {:.3} y {:.3} z {:.3} portals_m2 {portals_m2:.3} rockets {} awake {} depth {} hash {:016x}",
        sim.tick,
        eye.x,
        eye.y,
        eye.z,
        sim.rockets.len(),
        sim.bodies.awake(),
        sim.settings.tree.max_depth,
        sim.world.hash(),
    );
    Ok(())
}
