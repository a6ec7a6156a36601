//! A case made smaller for as long as the same fault shows: operations, brushes, sides and keys of a level, commands and
//! actions of a recording, lines of questions. (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input,
//! 2002: halves are left out, then quarters, down to single ones.)
use super::Case;
use super::map::{Map, Task};
use breach::sim::Command;
use breach::sim::recording::{LevelSource, Recording};
use std::time::Instant;

/// Whether a case still shows the fault, until time is up.
pub struct Judge<'a> {
    still: &'a mut dyn FnMut(&Case) -> bool,
    until: Instant,
}

impl<'a> Judge<'a> {
    /// Asks `still`, until then.
    pub fn new(still: &'a mut dyn FnMut(&Case) -> bool, until: Instant) -> Self {
        Self { still, until }
    }

    fn shows(&mut self, case: &Case) -> bool {
        Instant::now() < self.until && (self.still)(case)
    }
}

/// The smallest case that was found in time.
pub fn minimised(case: &Case, judge: &mut Judge) -> Case {
    let mut best = case.clone();
    for at in 0..best.files.len() {
        match best.files[at].0 {
            "map" => map(&mut best, at, judge),
            "breach" => recording(&mut best, at, judge),
            "jsonl" => lines(&mut best, at, judge),
            _ => {}
        }
    }
    best
}

/// The list without what it does not need.
fn reduced<T: Clone>(list: Vec<T>, mut still: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut best = list;
    let mut part = best.len().div_ceil(2).max(1);
    while !best.is_empty() {
        let mut at = 0;
        let mut has_shrunk = false;
        while at < best.len() {
            let end = (at + part).min(best.len());
            let rest: Vec<T> = best[..at].iter().chain(&best[end..]).cloned().collect();
            match still(&rest) {
                true => {
                    best = rest;
                    has_shrunk = true;
                }
                false => at = end,
            }
        }
        match part {
            1 if !has_shrunk => break,
            1 => {}
            _ => part = part.div_ceil(2),
        }
    }
    best
}

/// With this file instead.
fn with(case: &Case, at: usize, bytes: Vec<u8>) -> Case {
    let mut case = case.clone();
    case.files[at].1 = bytes;
    case
}

fn map(case: &mut Case, at: usize, judge: &mut Judge) {
    let whole = Map::read(&case.files[at].1);
    // Bytes that are no level any more are left as they are.
    if !judge.shows(&with(case, at, whole.bytes())) {
        return;
    }
    let small = smaller_map(whole, &mut |map| judge.shows(&with(case, at, map.bytes())));
    case.files[at].1 = small.bytes();
}

fn smaller_map(mut best: Map, still: &mut dyn FnMut(&Map) -> bool) -> Map {
    fewer_rockets(&mut best, still);
    let entities = reduced(best.entities.clone(), |entities| {
        let has_world = entities.first() == best.entities.first();
        has_world
            && still(&Map {
                entities: entities.to_vec(),
                ..best.clone()
            })
    });
    best.entities = entities;
    for at in 0..best.entities.len() {
        let change = |brushes: &[_]| {
            let mut map = best.clone();
            map.entities[at].brushes = brushes.to_vec();
            map
        };
        let brushes = best.entities[at].brushes.clone();
        best.entities[at].brushes = reduced(brushes, |brushes| still(&change(brushes)));
        let change = |keys: &[_]| {
            let mut map = best.clone();
            map.entities[at].keys = keys.to_vec();
            map
        };
        let keys = best.entities[at].keys.clone();
        best.entities[at].keys = reduced(keys, |keys| still(&change(keys)));
    }
    // Without a side a made brush may have corners off the grid, which importing rounds: another case.
    if best.brush_count() > 16 || best.task().what == "made" {
        return best;
    }
    for at in 0..best.entities.len() {
        for brush in 0..best.entities[at].brushes.len() {
            let change = |sides: &[_]| {
                let mut map = best.clone();
                map.entities[at].brushes[brush] = sides.to_vec();
                map
            };
            let sides = best.entities[at].brushes[brush].clone();
            best.entities[at].brushes[brush] = reduced(sides, |sides| still(&change(sides)));
        }
    }
    best
}

/// What is fired, down to the rocket that shows it.
fn fewer_rockets(best: &mut Map, still: &mut dyn FnMut(&Map) -> bool) {
    let Task { what, values } = best.task();
    let change = |name: &str, to: f64| {
        let values: Vec<(&str, f64)> = values
            .iter()
            .map(|(key, value)| (key.as_str(), if key == name { to } else { *value }))
            .collect();
        let mut map = best.clone();
        map.set_task(&what, &values);
        map
    };
    let Some((_, rockets)) = values.iter().find(|(name, _)| name == "rockets") else {
        return;
    };
    let (mut none, mut some) = (0, *rockets as u64);
    while none + 1 < some {
        let middle = (none + some) / 2;
        match still(&change("rockets", middle as f64)) {
            true => some = middle,
            false => none = middle,
        }
    }
    let fewer = change("rockets", some as f64);
    if still(&fewer) {
        *best = fewer;
    }
}

fn recording(case: &mut Case, at: usize, judge: &mut Judge) {
    let Ok(mut best) = Recording::read(&case.files[at].1) else {
        return;
    };
    best.hashes.clear();
    best.tick_hashes.clear();
    let bytes = |recording: &Recording| {
        let mut out = Vec::new();
        let written = match case.files.len() {
            // What a crash left has no end.
            2 => recording.write_open(&mut out).map(drop),
            _ => recording.write(&mut out),
        };
        written.map(|()| out).unwrap_or_default()
    };
    let mut still = |recording: &Recording| judge.shows(&with(case, at, bytes(recording)));
    if !still(&best) {
        return;
    }
    // As few ticks after the last command as will do.
    let last = best.commands.last().map_or(0, |(tick, _)| tick + 1);
    for ticks in [last, last + 1, last + 10, last + 60] {
        let short = Recording {
            ticks,
            ..best.clone()
        };
        if ticks < best.ticks && still(&short) {
            best = short;
            break;
        }
    }
    let commands = reduced(best.commands.clone(), |commands| {
        still(&Recording {
            commands: commands.to_vec(),
            ..best.clone()
        })
    });
    best.commands = commands;
    for k in 0..best.commands.len() {
        let (tick, command) = best.commands[k].clone();
        let put = |command: Command| {
            let mut recording = best.clone();
            recording.commands[k] = (tick, command);
            recording
        };
        let actions = reduced(command.actions.clone(), |actions| {
            still(&put(Command {
                actions: actions.to_vec(),
                ..command.clone()
            }))
        });
        let stands = Command {
            actions: actions.clone(),
            ..Command::default()
        };
        let command = match still(&put(stands.clone())) {
            true => stands,
            false => Command { actions, ..command },
        };
        best.commands[k].1 = command;
    }
    if let Some(level) = best.level.bytes() {
        let small = smaller_map(Map::read(&level), &mut |map| {
            let level = LevelSource::embed(&map.bytes());
            still(&Recording {
                level,
                ..best.clone()
            })
        });
        let level = LevelSource::embed(&small.bytes());
        let small = Recording {
            level,
            ..best.clone()
        };
        if still(&small) {
            best = small;
        }
    }
    let bytes = bytes(&best);
    case.files[at].1 = bytes;
}

fn lines(case: &mut Case, at: usize, judge: &mut Judge) {
    let list: Vec<Vec<u8>> = case.files[at]
        .1
        .split(|&b| b == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let best = reduced(list, |lines| {
        judge.shows(&with(case, at, lines.join(&b'\n')))
    });
    case.files[at].1 = best.join(&b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_is_left_out_wherever_it_stands() {
        let list: Vec<u32> = (0..100).collect();
        let still = |list: &[u32]| [3, 50, 97].iter().all(|needed| list.contains(needed));
        assert_eq!(reduced(list, still), [3, 50, 97]);
        assert_eq!(reduced(vec![1, 2, 3], |_| true), Vec::<i32>::new());
        assert_eq!(reduced(vec![1, 2, 3], |_| false), [1, 2, 3]);
    }
}
