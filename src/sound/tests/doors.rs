//! Doors: what they keep off while they are shut, and what they sound like.
use super::*;
use crate::sim::Phase;
use crate::sim::tests::{DOOR, DOORWAY, brush_entity, set_out};
use crate::sound::kind::Size;

/// Two halls with a shut door between them; the player is in the first.
fn shut() -> Sim {
    open(&(hall(&DOORWAY) + &brush_entity("func_door", "\"angle\" \"-1\"", DOOR)))
}

#[test]
fn a_shut_door_takes_30_db_and_an_open_one_nothing() {
    let mut sim = shut();
    // In line with the doorway.
    let at = DVec3::new(30.0, 1.4, 0.0);
    let mut ear = Ear::default();
    ear.begin(&sim, &[event(Sound::Drill, at, 1.0)]);
    ear.listen(&sim);
    let behind = ear.sources()[0].path.clone();
    assert_eq!(behind.way, Way::Openings(1));
    assert!((behind.loss_db - 30.0).abs() < 0.1, "{}", behind.loss_db);
    assert!(
        (behind.cutoff_hz - 250.0).abs() < 1.0,
        "{}",
        behind.cutoff_hz
    );
    assert!(crate::sound::path::sees(&sim.world, sim.player.eye, at));
    let shut_m2 = ear.space().absorption_m2;
    set_out(&mut sim);
    ear.listen(&sim);
    assert_eq!(ear.sources()[0].path.way, Way::Direct);
    assert!(behind.diffuse < 0.1 * ear.sources()[0].path.diffuse);
    // What goes out through the doorway, 2 m by 3 m.
    let open_m2 = ear.space().absorption_m2;
    assert!(
        (open_m2 - shut_m2 - 6.0).abs() < 1e-6,
        "{open_m2} and {shut_m2}"
    );
    // It shuts behind who leaves.
    act(&mut sim, vec![Action::Teleport([4.0, 1.5, 0.0])]);
    for _ in 0..600 {
        act(&mut sim, vec![]);
    }
    assert_eq!(sim.movers.all()[0].phase, Phase::AtRest);
    ear.listen(&sim);
    let again = &ear.sources()[0].path;
    assert_eq!(again.way, Way::Openings(1));
    assert!((again.loss_db - 30.0).abs() < 0.1, "{}", again.loss_db);
}

#[test]
fn a_door_is_heard_when_it_sets_out_then_every_48_ticks_and_with_a_thud_when_it_stops() {
    let mut sim = shut();
    let mut observer = events::Observer::default();
    observer.observe(&sim);
    let (mut moves, mut grinds, mut thuds) = (Vec::new(), Vec::new(), Vec::new());
    act(&mut sim, vec![Action::Teleport([18.0, 1.5, 0.0])]);
    for tick in 0..240 {
        for event in observer.observe(&sim).expect("no jump") {
            match event.sound {
                Sound::Mover(Size::Large) => grinds.push(tick),
                Sound::Debris(_, Size::Large) => thuds.push(tick),
                _ => continue,
            }
            // In the doorway, at the height of the door or of what of it still looks out of the wall.
            assert!((event.at.x - 19.5).abs() < 0.4, "{}", event.at);
            assert!((0.0..=3.0).contains(&event.at.y), "{}", event.at);
        }
        moves.push(sim.movers.kinematics()[0].is_moving());
        act(&mut sim, vec![]);
    }
    let first = moves.iter().position(|&moves| moves).expect("it opens");
    let ticks = moves[first..].iter().take_while(|&&moves| moves).count();
    assert!(48 < ticks, "{ticks} ticks");
    let expected: Vec<usize> = (first..first + ticks).step_by(48).collect();
    assert_eq!(grinds, expected);
    assert_eq!(thuds, [first + ticks]);
}
