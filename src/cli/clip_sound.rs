//! `breach clip F.breach -o X.wav`: what is heard in a recording, at its player's ear. Needs no device, and gives the same
//! bits each time.
use super::args::ClipArgs;
use super::failure::Failure;
use super::files;
use super::replay;
use super::run::{Progress, Run};
use crate::files::{reason, write_atomic_with};
use crate::sim::replay::commands;
use crate::sound::wav::{MOST_TICKS, WavWriter};
use crate::sound::{Levels, Replacements, Soundtrack};
use crate::sound_folder;
use crate::timing::Recorder;
use std::io::BufWriter;
use std::path::Path;

/// Whether a clip is one of sound alone.
pub(super) fn is_sound(output: &Path) -> bool {
    let extension = output.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("wav")
}

pub(super) fn run(args: &ClipArgs) -> Result<(), Failure> {
    let recording = replay::read(&args.file)?;
    let (name, level) = replay::level(&args.file, &recording.level)?;
    let last = args.to.unwrap_or(recording.ticks).min(recording.ticks);
    if args.from > last {
        let text = format!("--from {} is after the last tick, {last}", args.from);
        return Err(Failure::Usage(text));
    }
    if args.from == last {
        let text = format!(
            "there is nothing to hear from tick {} to tick {last}",
            args.from
        );
        return Err(Failure::file(&args.file, text));
    }
    if MOST_TICKS < last - args.from {
        let text =
            format!("a WAV file holds {MOST_TICKS} ticks: choose fewer with --from and --to");
        return Err(Failure::Usage(text));
    }
    let sounds = replacements(args.sounds.as_deref())?;
    let mut recorder = Recorder::new();
    let settings = recording.settings.clone();
    let mut run = Run::open_bytes(&name, &level, recording.seed, settings, &mut recorder)?;
    let mut sound = Soundtrack::new(sounds, Levels::default());
    let written = write_atomic_with(&args.output, |file| {
        let mut wav = WavWriter::new(BufWriter::new(file))?;
        let mut progress = Progress::new();
        // The ear hears from the beginning: what began before the clip still sounds in it.
        sound.tick(&run.sim);
        for command in commands(&recording, last) {
            run.step(&command);
            let block = sound.tick(&run.sim);
            if args.from < run.sim.tick {
                wav.write(block)?;
            }
            run.show(&mut progress, "tick", last);
        }
        wav.finish()
    });
    written.map_err(|error| Failure::file(&args.output, reason(&error)))
}

/// The sounds of a folder; what is skipped is said.
pub(super) fn replacements(folder: Option<&Path>) -> Result<Replacements, Failure> {
    let Some(folder) = folder else {
        return Ok(Replacements::default());
    };
    let (sounds, skipped) = sound_folder::read(folder).map_err(Failure::Other)?;
    skipped.iter().for_each(|line| files::complain(line));
    Ok(sounds)
}
