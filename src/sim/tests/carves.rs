//! What a rocket or a tool does to the level in a tick.
use super::*;

#[test]
fn a_rocket_becomes_a_blast_crumbs_and_an_operation_to_save() {
    let mut sim = open(&hall(&[]));
    let fire = Command {
        actions: vec![Action::Fire],
        ..sim.idle()
    };
    sim.step(&fire, &mut Silent);
    assert_eq!(sim.rockets.len(), 1);
    let mut carves = Vec::new();
    for _ in 0..120 {
        let idle = sim.idle();
        carves.extend(sim.step(&idle, &mut Silent).carves);
        assert_eq!(sim.escaped(), 0);
    }
    assert_eq!(
        (carves.len(), sim.rockets.len(), sim.level.since.len()),
        (1, 0, 1)
    );
    let carve = carves[0].result.as_ref().expect("the wall is there");
    assert!(carve.volume_m3 > 0.5 && carve.watertight);
    assert!(
        (carves[0].position.x - 40.0).abs() < 0.2,
        "{}",
        carves[0].position
    );
    assert!(!sim.bodies.is_empty());
    let idle = sim.idle();
    run(&mut sim, 900, &idle);
    let awake = sim.bodies.iter().filter(|body| !body.asleep).count();
    assert_eq!(
        awake,
        0,
        "{:?}",
        sim.bodies.iter().find(|body| !body.asleep)
    );
    let waking = sim.step(&idle, &mut Silent);
    assert_eq!(waking.awake, 0);
}

#[test]
fn no_fill_buries_the_player() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let tool = Action::Tool {
        fill: true,
        tool: Tool {
            size: 2.0,
            depth: 2.0,
            ..Tool::default()
        },
    };
    let floor = Command {
        pitch: -1.5,
        actions: vec![tool.clone()],
        ..sim.idle()
    };
    let report = sim.step(&floor, &mut Silent);
    assert!(
        report.carves.is_empty() && report.notices.len() == 1,
        "{:?}",
        report.notices
    );
    let ahead = Command {
        actions: vec![tool],
        ..idle
    };
    let report = sim.step(&ahead, &mut Silent);
    assert_eq!(report.carves.len(), 1);
    assert_eq!(sim.level.since.len(), 1);
}
