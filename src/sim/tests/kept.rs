//! What the check of strength keeps from change to change is what it would make anew.
use super::*;
use crate::sim::command::{Tool, ToolShape};

macro_rules! levels {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../../levels/", $name, ".map")).as_slice())),*]
    };
}

/// Our levels, with their names.
const LEVELS: [(&str, &[u8]); 13] = levels! {
    "pillars" "bunker" "bridge" "caves" "range" "tower" "scenes/pit" "scenes/sheet" "scenes/arch" "scenes/beam"
    "scenes/cards" "scenes/stilts" "scenes/viaduct"
};

fn opened(map: &[u8]) -> Sim {
    let settings = Settings {
        strength: 1.0,
        debris: false,
        blast_radius: 1.2,
        ..Settings::default()
    };
    let desc = read_map(map).expect("a level");
    Sim::new(desc, 1, settings, &mut Silent).expect("a world")
}

/// A lump of solid around a point.
fn lump(at: DVec3, rng: &mut Rng) -> Action {
    let corner = |_| (at + rng.unit_vector() * 0.8).to_array();
    let points = (0..12).map(corner).collect();
    let tool = Tool {
        shape: ToolShape::Hull,
        points,
        ..Tool::default()
    };
    Action::Tool { fill: true, tool }
}

/// Ticks until all is carved and checked; some are left in the middle of a check.
fn finish(sim: &mut Sim, rng: &mut Rng) {
    let most = [3, 1000][rng.below(4).min(1) as usize];
    for _ in 0..most {
        if sim.carving().is_none() && !sim.is_checking() {
            return;
        }
        act(sim, vec![]);
    }
}

/// Carves, fills, undoes and redoes; after each all that is kept is as if made anew.
fn check((name, map): (&str, &[u8]), changes: u32, seed: u64) {
    let mut sim = opened(map);
    let mut rng = Rng::new(seed);
    let (mut done, mut most_bytes) = ([0; 4], 0);
    for change in 0..changes {
        let shot = soak_command(&sim, &mut rng);
        let from = shot.actions.first().and_then(|action| match action {
            Action::FireAlong { from, .. } => Some(DVec3::from(*from)),
            _ => None,
        });
        let kind = [0, 0, 0, 1, 2, 3][rng.below(6) as usize];
        let actions = match (kind, from) {
            (1, Some(from)) => vec![lump(from, &mut rng)],
            (2, _) => vec![Action::Undo; 1 + rng.below(2) as usize],
            (3, _) => vec![Action::Redo],
            _ => shot.actions,
        };
        done[kind] += 1;
        act(&mut sim, actions);
        finish(&mut sim, &mut rng);
        let Sim {
            strength, world, ..
        } = &mut sim;
        let strength = strength.as_mut().expect("the setting asks for it");
        let faults = strength.faults(world);
        let first = faults.first();
        let count = faults.len();
        assert_eq!(first, None, "{name}, change {change}: {count} faults");
        most_bytes = most_bytes.max(strength.bytes());
    }
    println!("{name}: {done:?} carves, fills, undos, redos; at most {most_bytes} bytes kept");
}

#[test]
fn what_is_kept_after_carves_fills_and_undo_is_as_made_anew() {
    check(LEVELS[0], 12, 1);
}

#[test]
#[ignore = "minutes: every level"]
fn what_is_kept_in_every_level_is_as_made_anew() {
    for level in LEVELS {
        check(level, 20, 2);
    }
}
