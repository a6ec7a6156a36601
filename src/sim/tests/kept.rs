//! What the check of strength keeps from change to change is what it would make anew.
use super::*;
use crate::sim::command::{Tool, ToolShape};
use crate::sim::recording::LevelSource;

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

/// A run: its present, and the way to any tick.
struct Run {
    sim: Sim,
    timeline: Timeline,
}

impl Run {
    fn new(map: &[u8]) -> Run {
        let settings = Settings {
            strength: 1.0,
            debris: false,
            blast_radius: 1.2,
            ..Settings::default()
        };
        let desc = read_map(map).expect("a level");
        let sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        let timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
        let timeline = timeline.with_limits(8, usize::MAX);
        Run { sim, timeline }
    }

    fn act(&mut self, actions: Vec<Action>) {
        let command = Command {
            actions,
            ..self.sim.idle()
        };
        self.sim.step(&command, &mut Silent);
        self.timeline.stepped(&command, &self.sim);
    }

    /// Ticks until all is carved and checked; some are left in the middle of a check.
    fn finish(&mut self, rng: &mut Rng) {
        let most = [3, 1000][rng.below(4).min(1) as usize];
        for _ in 0..most {
            if self.sim.carving().is_none() && !self.sim.is_checking() {
                return;
            }
            self.act(vec![]);
        }
    }

    /// Nothing is kept that is not as if made anew. Returns the bytes of all.
    fn check_kept(&mut self, when: &str) -> usize {
        let Sim {
            strength, world, ..
        } = &mut self.sim;
        let strength = strength.as_mut().expect("the setting asks for it");
        let faults = strength.faults(world);
        let count = faults.len();
        assert_eq!(faults.first(), None, "{when}: {count} faults");
        strength.bytes()
    }
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

/// Carves, fills, undoes and redoes, and goes to other ticks and back; after each all that is kept is as if made anew.
fn check((name, map): (&str, &[u8]), changes: u32, seed: u64) {
    let mut run = Run::new(map);
    let mut rng = Rng::new(seed);
    let (mut done, mut most_bytes) = ([0; 4], 0);
    for change in 0..changes {
        let shot = soak_command(&run.sim, &mut rng);
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
        run.act(actions);
        run.finish(&mut rng);
        let when = format!("{name}, change {change}");
        most_bytes = most_bytes.max(run.check_kept(&when));
        let (now, hash) = (run.sim.tick, run.sim.state_hash());
        let past = rng.below(now + 1);
        for tick in [past, now] {
            run.timeline.seek(&mut run.sim, tick, &mut Silent);
            run.check_kept(&format!("{when}, at tick {tick} of {now}"));
        }
        assert_eq!(run.sim.state_hash(), hash, "{when}");
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
