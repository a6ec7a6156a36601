//! Recordings: read and written, played on one thread and on several, saved and undone.
use super::super::child::{self, Ending, Limits};
use super::level::{saved, undone};
use super::{Fault, fault, on_threads, sound};
use breach::bvh::{BuildParams, SplitRule};
use breach::sim::recording::{Recorder, Recording};
use breach::sim::{Action, Settings, Sim, replay};
use breach::timing::Silent;
use std::path::Path;

/// A recording of more ticks is not played to its end.
const MOST_TICKS: u64 = 4000;
/// What `breach compare` may take beside a recording of some kilobytes; when its time ends it was still playing, which
/// is right.
const COMPARE: Limits = Limits {
    cpu_secs: 3,
    wall_secs: 30,
    memory_kib: 2 << 20,
};

/// Judges a `.breach`.
pub fn judge(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let Ok(recording) = Recording::read(bytes) else {
        return Ok(());
    };
    let mut text = Vec::new();
    let again = match recording.write(&mut text) {
        Ok(()) => Recording::read(&text),
        Err(error) => return fault("written", format!("it cannot be written: {error}")),
    };
    match again {
        Ok(again) if alike(&again, &recording) => {}
        Ok(_) => return fault("written", "written and read again it is another"),
        Err(error) => return fault("written", format!("written again it is refused: {error}")),
    }
    if recording.ticks > MOST_TICKS {
        return compared(path);
    }
    let Some(first) = open(&recording) else {
        return Ok(());
    };
    let hash = first.world.hash();
    let (mut sim, own) = play(&recording, first)?;
    sound(&sim.world, "at its end")?;
    // A hole under way is not in the save yet.
    if sim.carving().is_none() {
        saved(&sim.level, &sim.world)?;
    }
    verified(&recording, &own)?;
    under_another_tree(&recording, &sim)?;
    undone(&mut sim, hash)
}

/// What a file says; warnings about numbers out of range go when it is written.
fn alike(a: &Recording, b: &Recording) -> bool {
    let settings = a.settings.within_limits() == b.settings.within_limits();
    settings
        && a.level == b.level
        && a.seed == b.seed
        && a.commands == b.commands
        && a.ticks == b.ticks
}

fn open(recording: &Recording) -> Option<Sim> {
    let level = recording.level.read(&recording.level.bytes()?).ok()?;
    Sim::new(
        level,
        recording.seed,
        recording.settings.clone(),
        &mut Silent,
    )
    .ok()
}

/// Plays it, judged tick by tick, and recorded anew.
fn play(recording: &Recording, mut sim: Sim) -> Result<(Sim, Vec<u8>), Fault> {
    let mut out = Vec::new();
    let recorder = Recorder::start(
        &mut out,
        &recording.level,
        recording.seed,
        &recording.settings,
    );
    let Ok(mut recorder) = recorder else {
        return fault("written", "it cannot be recorded again");
    };
    for command in replay::commands(recording, recording.ticks) {
        let noted = recorder.command(&mut out, sim.tick, &command);
        let report = sim.step(&command, &mut Silent);
        if noted.and(recorder.stepped(&mut out, &sim)).is_err() {
            return fault("written", "a tick cannot be recorded");
        }
        let when = format!("tick {}", sim.tick);
        let is_open =
            |event: &breach::sim::CarveEvent| event.result.as_ref().is_ok_and(|r| !r.watertight);
        if report.carves.iter().any(is_open) {
            return fault(
                "watertight",
                format!("{when}: a change left the level open"),
            );
        }
        if sim.escaped() > 0 {
            return fault(
                "escaped",
                format!("{when}: {} bodies in rock", sim.escaped()),
            );
        }
        if !sim.player.eye.is_finite() || !sim.player.velocity.is_finite() {
            return fault("numbers", format!("{when}: the player is nowhere"));
        }
        if !sim.player.no_clip && sim.world.locate(sim.player.eye).is_none() {
            let has_air =
                (0..sim.world.room_count() as u32).any(|r| sim.world.room(r).air_volume_m3 > 0.0);
            if has_air {
                return fault("player", format!("{when}: the player's eye is in rock"));
            }
        }
    }
    if recorder.end(&mut out, &sim).is_err() {
        return fault("written", "its end cannot be recorded");
    }
    Ok((sim, out))
}

/// What was just recorded on one thread, on several.
fn verified(recording: &Recording, own: &[u8]) -> Result<(), Fault> {
    let again = match Recording::read(own) {
        Ok(again) => again,
        Err(error) => return fault("written", format!("recorded again it is refused: {error}")),
    };
    let Some(mut sim) = open(recording) else {
        return fault("verify", "it does not open twice");
    };
    let difference = on_threads(|| replay::play(&again, &mut sim, &mut Silent, &mut |_, _| true));
    match difference {
        None => Ok(()),
        Some(difference) => fault("verify", difference.to_string()),
    }
}

/// How trees are built changes nothing.
fn under_another_tree(recording: &Recording, played: &Sim) -> Result<(), Fault> {
    let tree = BuildParams {
        split: [SplitRule::Midpoint, SplitRule::Median, SplitRule::BottomUp]
            [(recording.seed % 3) as usize],
        max_depth: 1 + (recording.seed % 20) as u32,
        faces_per_bin: 1 + (recording.seed % 9) as u32,
        min_volume: 0.0,
    };
    let change = |settings: &mut Settings| settings.tree = tree;
    let mut other = recording.clone();
    change(&mut other.settings);
    for (_, command) in &mut other.commands {
        for action in &mut command.actions {
            if let Action::Set(settings) = action {
                change(settings);
            }
        }
    }
    let Some(mut sim) = open(&other) else {
        return fault("tree", "it does not open under other trees");
    };
    for command in replay::commands(&other, other.ticks) {
        sim.step(&command, &mut Silent);
    }
    match sim.outcome_hash() == played.outcome_hash() {
        true => Ok(()),
        false => fault("tree", "another outcome under other trees"),
    }
}

/// The program compares it with memory that follows what is in the file.
fn compared(path: &Path) -> Result<(), Fault> {
    let path = path.display().to_string();
    let ended = child::breach(&["compare", &path, "--passes", "1"], b"", None, COMPARE);
    match ended.ending {
        Ending::Code(0..=2) | Ending::OutOfTime | Ending::Waiting => Ok(()),
        _ => fault(
            "memory",
            format!(
                "compare ends with {:?}: {}",
                ended.ending,
                ended.complaint()
            ),
        ),
    }
}
