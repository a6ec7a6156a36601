//! `breach clip F.breach -o X.mp4`: a part of a recording as a video, an animated GIF, or its sound alone, as its player saw
//! and heard it.
use super::args::ClipArgs;
use super::failure::Failure;
use super::files;
use super::replay;
use super::run::{Progress, Run};
use crate::clip::{self, Kind, Order, Refused};
use crate::files::reason;
use crate::sound::{Levels, Replacements};
use crate::sound_folder;
use crate::timing::Recorder;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn run(args: &ClipArgs) -> Result<(), Failure> {
    let kind = Kind::of(&args.output).map_err(|why| Failure::Usage(format!("-o: {why}")))?;
    check_options(args, kind)?;
    let recording = replay::read(&args.file)?;
    if recording.ticks == 0 {
        return Err(Failure::file(&args.file, "nothing was recorded"));
    }
    let (name, level) = replay::level(&args.file, &recording.level)?;
    let last = args.to.unwrap_or(recording.ticks).min(recording.ticks);
    if args.from > last {
        let text = format!("--from {} is after the last tick, {last}", args.from);
        return Err(Failure::Usage(text));
    }
    let sounds = sounds(args.sounds.as_deref())?;
    let mut clock = Recorder::new();
    let settings = recording.settings.clone();
    let mut sim = Run::open_recorded(&name, &level, &recording, settings, &mut clock)?.sim;
    let order = Order {
        path: args.output.clone(),
        kind,
        ticks: args.from..=last,
        sounds,
        levels: Levels::default(),
        #[cfg(feature = "render")]
        pictures: pictures(args, kind, &sim, &name),
    };
    let is_interrupted = watch_for_interrupts();
    let mut progress = Progress::new();
    let mut watch = |tick, clock: &Recorder| {
        progress.show(clock, "tick", tick, last);
        !is_interrupted.load(Ordering::Relaxed)
    };
    let made = clip::make(&mut sim, &recording, &order, &mut clock, &mut watch);
    drop(progress);
    made.map_err(|refused| match refused {
        Refused::Cancelled => Failure::Other("cancelled; no clip was saved".into()),
        Refused::File(error) => Failure::file(&args.output, reason(&error)),
        Refused::Drawing(why) => Failure::Other(why),
    })
}

/// Refuses what this kind of clip has no use for.
fn check_options(args: &ClipArgs, kind: Kind) -> Result<(), Failure> {
    let ending = kind.ending();
    let draws = [
        ("--size", args.size.is_some()),
        ("--overlay", !args.overlay.is_empty()),
    ];
    let unseen = draws.iter().find(|(_, is_given)| *is_given);
    match unseen.filter(|_| kind.ticks().is_none()) {
        Some((option, _)) => Err(Failure::Usage(format!(
            "{option}: a .{ending} clip has no pictures"
        ))),
        None if args.sounds.is_some() && !kind.has_sound() => Err(Failure::Usage(format!(
            "--sounds: a .{ending} clip has no sound"
        ))),
        None => Ok(()),
    }
}

/// The sounds of a folder; what is skipped is said.
fn sounds(folder: Option<&Path>) -> Result<Replacements, Failure> {
    let Some(folder) = folder else {
        return Ok(Replacements::default());
    };
    let (sounds, skipped) = sound_folder::read(folder).map_err(Failure::Other)?;
    skipped.iter().for_each(|line| files::complain(line));
    Ok(sounds)
}

#[cfg(feature = "render")]
fn pictures(
    args: &ClipArgs,
    kind: Kind,
    sim: &crate::sim::Sim,
    level: &Path,
) -> Option<clip::Pictures> {
    use crate::render::Textures;
    let usual = kind.usual_size()?;
    let asked = args.size.unwrap_or(usual);
    let size = kind.possible_size(asked);
    if size != asked {
        let [width, height] = size;
        files::complain(&format!("breach: videos have even sizes: {width}x{height}"));
    }
    let materials = &sim.world.materials;
    Some(clip::Pictures {
        size,
        fov_y: super::shot::FOV_Y,
        timings: !args.overlay.is_empty(),
        textures: Arc::new(Textures::find(
            materials,
            &sim.level.pictures,
            Some(level),
            None,
        )),
    })
}

/// From here on Ctrl+C ends the clip at the next tick, so that no half of it is left behind; a second one ends the program.
fn watch_for_interrupts() -> Arc<AtomicBool> {
    use signal_hook::consts;
    use signal_hook::flag;
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let signals = [
        consts::SIGINT,
        consts::SIGTERM,
        #[cfg(unix)]
        consts::SIGHUP,
    ];
    for signal in signals {
        // In this order: the first one finds the flag down. Where a signal cannot be watched, it ends the program as always.
        let _ = flag::register_conditional_shutdown(signal, 130, is_interrupted.clone())
            .and_then(|_| flag::register(signal, is_interrupted.clone()));
    }
    is_interrupted
}
