//! Every tick of a run within reach: its recording, and keyframes to go on from.
//!
//! A keyframe is a clone of the simulation, and clones share what neither has changed ([`crate::geom::shared`]), so it
//! takes what was carved since the one before. To see a tick, the nearest keyframe before it is taken and the rest is
//! played again. Nothing here decides what happens: without keyframes the same ticks come out, later.
use super::recording::{LevelSource, Recording};
use super::{Body, Command, Settings, Sim};
use crate::timing::Marker;

/// Ticks between two keyframes at first: so many ticks of 2 ms are 0.24 s.
const EVERY: u64 = 120;
/// When all keyframes together take more bytes, every second one goes.
const BYTES_MAX: usize = 1 << 30;

/// See the module's head.
#[derive(Clone, Debug)]
pub struct Timeline {
    recording: Recording,
    /// What the last tick's command holds on to.
    held: Command,
    /// The first one is the start; ascending.
    keyframes: Vec<Keyframe>,
    every: u64,
    bytes_max: usize,
}

#[derive(Clone, Debug)]
struct Keyframe {
    sim: Sim,
    /// Beside the keyframe before it.
    bytes: usize,
}

impl Timeline {
    /// Of a run that starts now: `start` is what [`Sim::new`] made of this level, seed and settings.
    pub fn new(level: LevelSource, seed: u64, settings: &Settings, start: &Sim) -> Self {
        Self {
            recording: Recording {
                level,
                seed,
                settings: settings.within_limits(),
                commands: Vec::new(),
                hashes: Vec::new(),
                tick_hashes: Vec::new(),
                ticks: 0,
                warnings: Vec::new(),
            },
            held: Command::default(),
            keyframes: vec![Keyframe {
                sim: start.clone(),
                bytes: 0,
            }],
            every: EVERY,
            bytes_max: BYTES_MAX,
        }
    }

    /// The same, with another bound on the bytes that keyframes take, and a keyframe every so many ticks.
    #[must_use]
    pub fn with_limits(mut self, every: u64, bytes_max: usize) -> Self {
        (self.every, self.bytes_max) = (every.max(1), bytes_max);
        self
    }

    /// All that was recorded.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Ticks recorded.
    pub fn ticks(&self) -> u64 {
        self.recording.ticks
    }

    /// Keyframes kept.
    pub fn keyframes(&self) -> usize {
        self.keyframes.len()
    }

    /// Bytes that the keyframes take beside each other, roughly.
    pub fn bytes(&self) -> usize {
        self.keyframes.iter().map(|key| key.bytes).sum()
    }

    /// The last tick was stepped with this command.
    pub fn stepped(&mut self, command: &Command, sim: &Sim) {
        self.recording.note(&mut self.held, command, sim);
        if sim.tick.is_multiple_of(self.every) {
            self.keep(sim);
        }
    }

    fn keep(&mut self, sim: &Sim) {
        let bytes = match self.keyframes.last() {
            Some(last) if last.sim.tick >= sim.tick => return,
            last => last.map_or(0, |last| beside(sim, &last.sim)),
        };
        let sim = sim.clone();
        self.keyframes.push(Keyframe { sim, bytes });
        while self.bytes() > self.bytes_max && self.keyframes.len() > 2 {
            self.thin();
        }
    }

    /// Half as many keyframes: what takes no room stays.
    fn thin(&mut self) {
        self.every *= 2;
        let mut index = 0;
        self.keyframes.retain(|_| {
            index += 1;
            index % 2 == 1
        });
        for i in 1..self.keyframes.len() {
            self.keyframes[i].bytes = beside(&self.keyframes[i].sim, &self.keyframes[i - 1].sim);
        }
    }

    /// The command of a recorded tick.
    pub fn command(&self, tick: u64) -> Command {
        self.recording.command(tick)
    }

    /// Makes `sim`, a state of this run, that of another tick of it (the last one, if there are not so many). Revisions
    /// go on from those of `sim`: none is given twice.
    pub fn seek(&self, sim: &mut Sim, tick: u64, marker: &mut dyn Marker) {
        let tick = tick.min(self.ticks());
        let after = self.keyframes.partition_point(|key| key.sim.tick <= tick);
        let key = after.checked_sub(1).map(|i| &self.keyframes[i].sim);
        if let Some(key) = key.filter(|key| sim.tick > tick || sim.tick < key.tick) {
            let revision = sim.world.revision();
            *sim = key.clone();
            sim.world.go_on_after(revision);
        }
        while sim.tick < tick {
            sim.step(&self.command(sim.tick), marker);
        }
    }

    /// Forgets all that comes after a tick: what is done now happens instead.
    pub fn branch(&mut self, tick: u64) {
        self.recording.cut(tick);
        self.held = match tick.checked_sub(1) {
            Some(last) => self.recording.command(last).held(),
            None => Command::default(),
        };
        let first = self.keyframes.partition_point(|key| key.sim.tick <= tick);
        self.keyframes.truncate(first.max(1));
    }
}

/// What a keyframe takes beside another: cells that differ, and all bodies.
fn beside(sim: &Sim, other: &Sim) -> usize {
    sim.world.bytes_beside(&other.world) + sim.bodies.len() * size_of::<Body>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use crate::sim::{Action, soak_command};
    use crate::timing::Silent;

    /// A run of this many ticks in the bunker, with rockets, undo, redo and settings; its hash after each tick.
    fn run(ticks: u64, every: u64, bytes_max: usize) -> (Sim, Timeline, Vec<u64>) {
        let map = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(map).expect("a level");
        let settings = Settings::default();
        let mut sim = Sim::new(level, 5, settings.clone(), &mut Silent).expect("a world");
        let source = LevelSource::embed(map);
        let timeline = Timeline::new(source, 5, &settings, &sim);
        let mut timeline = timeline.with_limits(every, bytes_max);
        let mut rng = Rng::new(9);
        let mut hashes = vec![sim.state_hash()];
        for tick in 0..ticks {
            let mut command = match tick % 4 {
                0 => soak_command(&sim, &mut rng),
                _ => Command {
                    walk: [0.0, 0.0, 1.0],
                    yaw: tick as f64 * 0.01,
                    ..sim.idle()
                },
            };
            match tick % 50 {
                31 | 32 => command.actions.push(Action::Undo),
                40 => command.actions.push(Action::Redo),
                45 => {
                    let mut other = sim.settings.clone();
                    other.tree.max_depth = 8 + (tick % 8) as u32;
                    command.actions.push(Action::Set(Box::new(other)));
                }
                _ => {}
            }
            sim.step(&command, &mut Silent);
            timeline.stepped(&command, &sim);
            hashes.push(sim.state_hash());
        }
        (sim, timeline, hashes)
    }

    #[test]
    fn any_tick_comes_back_as_it_was_and_no_revision_twice() {
        let (mut sim, timeline, hashes) = run(200, 30, usize::MAX);
        let mut rng = Rng::new(1);
        let mut last = sim.world.revision();
        let random = (0..25).map(|_| rng.next_u64() % 201);
        for tick in random.chain([200, 199, 198, 0, 1, 200]).collect::<Vec<_>>() {
            timeline.seek(&mut sim, tick, &mut Silent);
            assert_eq!((sim.tick, sim.state_hash()), (tick, hashes[tick as usize]));
            assert!(sim.world.revision() >= last);
            last = sim.world.revision();
        }
        assert_eq!(sim.world.validate(), Ok(()));
    }

    #[test]
    fn a_branch_forgets_what_came_after_and_goes_on_as_a_run_of_its_own() {
        let (mut sim, mut timeline, hashes) = run(120, 25, usize::MAX);
        timeline.seek(&mut sim, 70, &mut Silent);
        timeline.branch(70);
        assert_eq!(timeline.ticks(), 70);
        let fire = Command {
            actions: vec![Action::Fire],
            ..sim.idle()
        };
        let mut after = Vec::new();
        for tick in 0..40 {
            let command = if tick % 10 == 0 {
                fire.clone()
            } else {
                sim.idle()
            };
            sim.step(&command, &mut Silent);
            timeline.stepped(&command, &sim);
            after.push(sim.state_hash());
        }
        assert_ne!(after[39], hashes[110]);
        timeline.seek(&mut sim, 60, &mut Silent);
        assert_eq!(sim.state_hash(), hashes[60]);
        timeline.seek(&mut sim, 95, &mut Silent);
        assert_eq!(sim.state_hash(), after[24]);
        // What is saved plays the same from nothing.
        let mut bytes = Vec::new();
        timeline
            .recording()
            .write(&mut bytes)
            .expect("a Vec takes all");
        let again = Recording::read(&bytes).expect("just written");
        assert_eq!(&again, timeline.recording());
        let map = again.level.bytes().expect("inside");
        let level = crate::level::read_map(&map).expect("a level");
        let mut fresh =
            Sim::new(level, again.seed, again.settings.clone(), &mut Silent).expect("a world");
        let differs = crate::sim::replay::play(&again, &mut fresh, &mut Silent, &mut |_, _| true);
        assert_eq!((differs, fresh.state_hash()), (None, after[39]));
    }

    #[test]
    fn keyframes_stay_within_their_bytes_and_every_tick_within_reach() {
        let (mut sim, timeline, hashes) = run(200, 4, 30_000_000);
        assert!(timeline.bytes() <= 30_000_000, "{}", timeline.bytes());
        assert!(
            (3..50).contains(&timeline.keyframes()),
            "{}",
            timeline.keyframes()
        );
        for tick in [7, 150, 33] {
            timeline.seek(&mut sim, tick, &mut Silent);
            assert_eq!(sim.state_hash(), hashes[tick as usize]);
        }
    }
}
