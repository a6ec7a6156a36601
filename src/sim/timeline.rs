//! The timeline of a run: its recording, and keyframes from which any tick is reached.
//!
//! To seek a tick, take the nearest keyframe before it and replay the rest. Most keyframes are hollow: they hold all but
//! the world, which is restored from a later one by undoing the changes in between, with the deltas that the history keeps
//! anyway ([`World::fill`](crate::world::World::fill)), and the shapes of carved movers, of which they hold the [`Recipe`]. So keyframes can be close together; only some of them, and the
//! present, have a whole world, and clones of worlds share what neither has changed ([`crate::geom::shared`]). Keyframes
//! decide no results: without them the same ticks come out, later.
use super::command::Command;
use super::recording::{LevelSource, Recording};
use super::report::StepReport;
use super::settings::Settings;
use super::simulation::Sim;
use super::undo;
use crate::debris::{Body, Recipe};
use crate::level::rules::RULES;
use crate::strength::Strength;
use crate::timing::{Marker, Silent};

/// Ticks between keyframes at first: replaying so many ticks of 2 ms takes 0.24 s.
const EVERY: u64 = 120;
/// Changes between whole worlds at first: undoing so many takes some 30 ms.
const WHOLE_EVERY: usize = 32;
/// Greatest number of changes between whole worlds: undoing more would take longer than replaying the ticks between
/// keyframes. Beyond it, keyframes are dropped instead.
const WHOLE_EVERY_MOST: usize = 256;
/// Above this many bytes for all keyframes, whole worlds are hollowed first, and then every second keyframe is dropped.
const BYTES_MAX: usize = 1 << 30;

/// A run's recording and keyframes; see the module's docs.
#[derive(Clone, Debug)]
pub struct Timeline {
    recording: Recording,
    /// Held part of the last tick's command.
    held: Command,
    /// Ascending; the first is the start, and whole. The history of the next keyframe, or of the present, leads back to
    /// each hollow one.
    keyframes: Vec<Keyframe>,
    every: u64,
    whole_every: usize,
    bytes_max: usize,
}

#[derive(Clone, Debug)]
struct Keyframe {
    /// Where its world is hollow, its list of saved operations is empty.
    sim: Sim,
    /// Length of the full list.
    since: usize,
    /// Bytes in addition to the whole keyframe before it.
    bytes: usize,
    /// How to rebuild the shapes of carved movers, where they are hollow.
    movers: Vec<(usize, Recipe)>,
}

impl Keyframe {
    fn new(sim: Sim, whole_before: Option<&Sim>) -> Self {
        Self {
            since: sim.level.since.len(),
            bytes: whole_before.map_or(0, |other| extra_bytes(&sim, other)),
            movers: Vec::new(),
            sim,
        }
    }

    fn is_whole(&self) -> bool {
        !self.sim.world.is_hollow()
    }

    /// Whether it can be restored from a later state. Redo steps need planes that a later world may have freed, and a change
    /// under way is half in the world, so neither may be present.
    fn may_be_hollow(&self, later: &Sim) -> bool {
        let sim = &self.sim;
        sim.history.is_before(&later.history)
            && sim.history.redo_steps() == 0
            && sim.world.part_done().is_none()
    }

    fn make_hollow(&mut self) {
        let sim = &mut self.sim;
        sim.world = sim.world.hollow();
        sim.level.since = Vec::new();
        sim.bodies.drop_surface_caches();
        self.movers = sim.movers.make_hollow();
        self.bytes = body_bytes(sim);
    }

    /// The whole state, restored from a later one; None where undoing does not lead back from there.
    fn filled_from(&self, later: &Sim, marker: &mut dyn Marker) -> Option<Sim> {
        if !self.sim.history.is_before(&later.history) {
            return None;
        }
        let mut sim = self.sim.clone();
        let world = later.world.clone();
        let deltas = later.history.deltas_down_to(&sim.history);
        if !sim.world.fill(world, deltas, marker) {
            return None;
        }
        sim.movers.fill(&self.movers);
        sim.history.adopt_steps(&later.history);
        sim.level.since = later.level.since.get(..self.since)?.to_vec();
        Some(sim)
    }
}

impl Timeline {
    /// A run that starts now: `start` is the result of [`Sim::new`] for this level, seed and settings.
    pub fn new(level: LevelSource, seed: u64, settings: &Settings, start: &Sim) -> Self {
        Self {
            recording: Recording {
                rules: RULES,
                level: level.as_read(&start.level),
                seed,
                settings: settings.within_limits(),
                commands: Vec::new(),
                hashes: Vec::new(),
                tick_hashes: Vec::new(),
                ticks: 0,
                warnings: Vec::new(),
            },
            held: Command::default(),
            keyframes: vec![Keyframe::new(start.clone(), None)],
            every: EVERY,
            whole_every: WHOLE_EVERY,
            bytes_max: BYTES_MAX,
        }
    }

    /// Changes the bound on the bytes of keyframes and the ticks between them.
    #[must_use]
    pub fn with_limits(mut self, every: u64, bytes_max: usize) -> Self {
        (self.every, self.bytes_max) = (every.max(1), bytes_max);
        self
    }

    /// The recording so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Number of recorded ticks.
    pub fn ticks(&self) -> u64 {
        self.recording.ticks
    }

    /// Number of keyframes, and of those with a whole world.
    pub fn keyframes(&self) -> [usize; 2] {
        let whole = self.keyframes.iter().filter(|key| key.is_whole());
        [self.keyframes.len(), whole.count()]
    }

    /// Estimated memory of all keyframes, bytes.
    pub fn bytes(&self) -> usize {
        self.keyframes.iter().map(|key| key.bytes).sum()
    }

    /// Appends a tick that was stepped with this command.
    pub fn stepped(&mut self, command: &Command, sim: &Sim) {
        self.recording.append_tick(&mut self.held, command, sim);
        self.fill_last_before_undo(sim);
        if sim.tick.is_multiple_of(self.every) {
            self.add_keyframe(sim);
        }
    }

    fn add_keyframe(&mut self, sim: &Sim) {
        if self
            .keyframes
            .last()
            .is_some_and(|last| last.sim.tick >= sim.tick)
        {
            return;
        }
        let whole = self.keyframes.iter().rfind(|key| key.is_whole());
        let steps = whole.map_or(0, |whole| changes_between(&whole.sim, sim));
        let mut key = Keyframe::new(sim.clone(), whole.map(|whole| &whole.sim));
        if steps < self.whole_every && key.may_be_hollow(sim) {
            key.make_hollow();
        }
        self.keyframes.push(key);
        while self.bytes() > self.bytes_max && self.keyframes.len() > 2 {
            self.thin();
        }
    }

    /// After an undo, undoing no longer leads from the present back to the last keyframe: makes that one whole, from the
    /// state before the undo.
    fn fill_last_before_undo(&mut self, sim: &Sim) {
        let Some(last) = self.keyframes.last_mut() else {
            return;
        };
        if last.is_whole() || last.sim.history.is_before(&sim.history) {
            return;
        }
        let mut before = sim.clone();
        while before.history.redo_steps() > 0 && !last.sim.history.is_before(&before.history) {
            undo::redo(&mut before, &mut StepReport::default(), &mut Silent);
        }
        if let Some(whole) = last.filled_from(&before, &mut Silent) {
            last.sim = whole;
            self.measure_bytes();
        }
    }

    /// Halves the whole worlds; where few are left, halves the keyframes.
    fn thin(&mut self) {
        if self.whole_every < WHOLE_EVERY_MOST {
            self.whole_every *= 2;
            let mut kept = 0;
            for i in 1..self.keyframes.len().saturating_sub(1) {
                let [before, this, next] = [kept, i, i + 1].map(|k| &self.keyframes[k]);
                if !this.is_whole() {
                    continue;
                }
                let steps = changes_between(&before.sim, &this.sim);
                if steps < self.whole_every && this.may_be_hollow(&next.sim) {
                    self.keyframes[i].make_hollow();
                } else {
                    kept = i;
                }
            }
        } else {
            self.every *= 2;
            let mut index = 0;
            self.keyframes.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
        self.measure_bytes();
    }

    /// Measures the bytes of each whole keyframe in addition to the one before it.
    fn measure_bytes(&mut self) {
        let mut before: Option<usize> = None;
        for i in 0..self.keyframes.len() {
            if self.keyframes[i].is_whole() {
                let bytes = before.map_or(0, |k| {
                    extra_bytes(&self.keyframes[i].sim, &self.keyframes[k].sim)
                });
                self.keyframes[i].bytes = bytes;
                before = Some(i);
            }
        }
    }

    /// The command of a recorded tick.
    pub fn command(&self, tick: u64) -> Command {
        self.recording.command(tick)
    }

    /// Changes `sim`, a state of this run, to that of another tick, at most the last one.
    pub fn seek(&mut self, sim: &mut Sim, tick: u64, marker: &mut dyn Marker) {
        let tick = tick.min(self.ticks());
        let after = self.keyframes.partition_point(|key| key.sim.tick <= tick);
        let nearest = after.checked_sub(1).map(|i| self.keyframes[i].sim.tick);
        if nearest.is_some_and(|nearest| sim.tick > tick || sim.tick < nearest) {
            if sim.tick == self.ticks() {
                self.add_end_keyframe(sim);
            }
            let state = self.state_before(after, sim, marker);
            let left = std::mem::replace(sim, state);
            sim.adopt_known_solid(left);
        }
        while sim.tick < tick {
            sim.step(&self.command(sim.tick), marker);
        }
        assert_eq!(sim.tick, tick, "every tick is within reach");
        debug_assert_eq!(
            self.recording.tick_hash(tick).unwrap_or(sim.tick_hash()),
            sim.tick_hash(),
            "tick {tick} comes back as it was"
        );
    }

    /// A state at or before a tick, from which it is soon reached; `now` is a state of this run.
    pub fn state_at_or_before(&self, tick: u64, now: &Sim) -> Sim {
        let after = self.keyframes.partition_point(|key| key.sim.tick <= tick);
        self.state_before(after, now, &mut Silent)
    }

    /// Adds the present as a whole keyframe before leaving it: the hollow ones after the last whole one need it.
    fn add_end_keyframe(&mut self, sim: &Sim) {
        let whole = self.keyframes.iter().rfind(|key| key.is_whole());
        if self.keyframes.last().is_none_or(Keyframe::is_whole) {
            return;
        }
        let mut key = Keyframe::new(sim.clone(), whole.map(|whole| &whole.sim));
        key.sim.bodies.drop_surface_caches();
        // A keyframe of the same tick is hollow.
        self.keyframes.retain(|old| old.sim.tick < sim.tick);
        self.keyframes.push(key);
    }

    /// The state of the last of the first `count` keyframes that can be restored, from the later state that costs least.
    fn state_before(&self, count: usize, now: &Sim, marker: &mut dyn Marker) -> Sim {
        for (i, key) in self.keyframes[..count].iter().enumerate().rev() {
            if key.is_whole() {
                return key.sim.clone();
            }
            let whole = self.keyframes[i..].iter().find(|key| key.is_whole());
            let later = whole.map(|key| &key.sim).into_iter().chain([now]);
            let later = later.filter(|later| later.tick >= key.sim.tick);
            let later = later.filter(|later| key.sim.history.is_before(&later.history));
            let nearest = later.min_by_key(|later| key.sim.history.steps_to(&later.history));
            let state = nearest.and_then(|later| key.filled_from(later, marker));
            if let Some(state) = state {
                return state;
            }
        }
        unreachable!("the first keyframe is whole")
    }

    /// Forgets everything after `sim`, a state of this run, from which the run now goes on differently.
    pub fn branch(&mut self, sim: &Sim) {
        let tick = sim.tick;
        assert!(tick <= self.ticks(), "a state of this run");
        self.recording.truncate(tick);
        self.held = match tick.checked_sub(1) {
            Some(last) => self.recording.command(last).held(),
            None => Command::default(),
        };
        let first = self.keyframes.partition_point(|key| key.sim.tick <= tick);
        self.keyframes.truncate(first.max(1));
        // Drops the last hollow keyframes that undoing from here does not reach.
        while let Some(last) = self.keyframes.last()
            && !last.is_whole()
            && !last.sim.history.is_before(&sim.history)
        {
            self.keyframes.pop();
        }
    }
}

/// Number of changes between two states; an estimate where neither leads back to the other.
fn changes_between(a: &Sim, b: &Sim) -> usize {
    a.history.undo_steps().abs_diff(b.history.undo_steps())
}

/// Bytes of a whole keyframe in addition to another: cells and movers that differ, and all bodies.
fn extra_bytes(sim: &Sim, other: &Sim) -> usize {
    let movers = sim.movers.bytes_beside(&other.movers);
    sim.world.bytes_beside(&other.world) + movers + body_bytes(sim)
}

fn body_bytes(sim: &Sim) -> usize {
    let strength = sim.strength.as_ref().map_or(0, Strength::bytes_of_clone);
    sim.bodies.len() * size_of::<Body>() + strength
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use crate::sim::{Action, soak_command};
    use crate::timing::Silent;
    use std::collections::BTreeMap;

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
    fn any_tick_comes_back_as_it_was_and_no_two_states_of_a_room_share_a_revision() {
        let (mut sim, mut timeline, hashes) = run(200, 30, usize::MAX);
        let mut rng = Rng::new(1);
        let (mut worlds, mut rooms) = (BTreeMap::new(), BTreeMap::new());
        let random = (0..25).map(|_| rng.next_u64() % 201);
        for tick in random.chain([200, 199, 198, 0, 1, 200]).collect::<Vec<_>>() {
            timeline.seek(&mut sim, tick, &mut Silent);
            assert_eq!((sim.tick, sim.state_hash()), (tick, hashes[tick as usize]));
            let (revision, hash) = (sim.world.revision(), sim.world.hash());
            assert_eq!(*worlds.entry(revision).or_insert(hash), hash, "tick {tick}");
            for id in 0..sim.world.room_count() as u32 {
                let room = sim.world.room(id);
                let kept = rooms.entry((id, room.revision));
                let kept = kept.or_insert_with(|| room.mesh.clone());
                assert!(
                    kept.positions == room.mesh.positions && kept.triangles == room.mesh.triangles,
                    "room {id} at tick {tick}"
                );
            }
        }
        assert!(worlds.len() > 5 && rooms.len() > sim.world.room_count());
        assert_eq!(sim.world.validate(), Ok(()));
    }

    #[test]
    fn a_branch_forgets_what_came_after_and_goes_on_as_a_run_of_its_own() {
        let (mut sim, mut timeline, hashes) = run(120, 25, usize::MAX);
        timeline.seek(&mut sim, 70, &mut Silent);
        timeline.branch(&sim);
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
    fn a_keyframe_without_a_world_is_filled_to_the_bit() {
        // Debris flies and rests, tools fill and cut, changes are undone and done again.
        let (sim, mut timeline, hashes) = run(480, 12, usize::MAX);
        let mut end = sim.clone();
        timeline.add_end_keyframe(&sim);
        let mut filled = 0;
        for i in 0..timeline.keyframes.len() {
            let key = &timeline.keyframes[i];
            if key.is_whole() {
                continue;
            }
            let whole = timeline.keyframes[i..].iter().find(|key| key.is_whole());
            let whole = &whole.expect("the end is whole").sim;
            let mut state = key.filled_from(whole, &mut Silent).expect("a way back");
            assert_eq!(state.state_hash(), hashes[key.sim.tick as usize]);
            assert_eq!(state.world.validate(), Ok(()));
            assert_eq!(state.level.since.len(), key.since);
            // And it goes on as it did, undo included.
            for _ in 0..40.min(480 - state.tick) {
                state.step(&timeline.command(state.tick), &mut Silent);
                assert_eq!(
                    state.state_hash(),
                    hashes[state.tick as usize],
                    "{}",
                    key.sim.tick
                );
            }
            filled += 1;
        }
        assert!(filled > 15, "{filled}");
        // What was filled can be undone to the very start, as the present can.
        timeline.seek(&mut end, 300, &mut Silent);
        let undo = Command {
            actions: vec![Action::Undo; end.history.undo_steps()],
            ..end.idle()
        };
        let start = timeline.keyframes[0].sim.world.hash();
        end.step(&undo, &mut Silent);
        assert_eq!((end.world.hash(), end.world.validate()), (start, Ok(())));
    }

    #[test]
    fn keyframes_stay_within_their_bytes_and_every_tick_within_reach() {
        let (mut sim, mut timeline, hashes) = run(200, 4, 30_000_000);
        assert!(timeline.bytes() <= 30_000_000, "{}", timeline.bytes());
        let [all, whole] = timeline.keyframes();
        assert!((3..=51).contains(&all) && whole < all, "{whole} of {all}");
        for tick in [7, 150, 33] {
            timeline.seek(&mut sim, tick, &mut Silent);
            assert_eq!(sim.state_hash(), hashes[tick as usize]);
        }
    }
}
