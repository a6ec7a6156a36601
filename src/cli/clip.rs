//! `breach clip F.breach -o X.mp4`: a part of a recording as a video or an animated GIF, from its player's eye.
use super::args::ClipArgs;
use super::failure::Failure;
use super::files;
use super::run::{Progress, Run};
use super::{replay, shot};
use crate::clip::{self, Kind, Order, Refused};
use crate::files::reason;
use crate::render::Textures;
use crate::timing::Recorder;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn run(args: &ClipArgs) -> Result<(), Failure> {
    let kind = Kind::of(&args.output).map_err(|why| Failure::Usage(format!("-o: {why}")))?;
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
    let asked = args.size.unwrap_or_else(|| kind.usual_size());
    let size = kind.possible_size(asked);
    if size != asked {
        let [width, height] = size;
        files::complain(&format!("breach: videos have even sizes: {width}x{height}"));
    }
    let mut clock = Recorder::new();
    let settings = recording.settings.clone();
    let mut sim = Run::open_bytes(&name, &level, recording.seed, settings, &mut clock)?.sim;
    let materials = &sim.world.materials;
    let textures = Textures::find(materials, &sim.level.pictures, Some(&name), None);
    let order = Order {
        path: args.output.clone(),
        kind,
        ticks: args.from..=last,
        size,
        fov_y: shot::FOV_Y,
        timings: !args.overlay.is_empty(),
    };
    watch_for_interrupts();
    let mut progress = Progress::new();
    let mut watch = |tick, clock: &Recorder| {
        progress.show(clock, "tick", tick, last);
        !INTERRUPTED.load(Ordering::Relaxed)
    };
    let made = clip::make(
        &mut sim,
        &recording,
        &order,
        &Arc::new(textures),
        &mut clock,
        &mut watch,
    );
    drop(progress);
    made.map_err(|refused| match refused {
        Refused::Cancelled => Failure::Other("cancelled; no clip was saved".into()),
        Refused::File(error) => Failure::file(&args.output, reason(&error)),
        Refused::Drawing(why) => Failure::Other(why),
    })
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From here on Ctrl+C ends the clip at the next tick, so that no half of it is left behind; a second one ends the program.
fn watch_for_interrupts() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Where signals cannot be watched, they end the program as always.
    let _ = ctrlc::set_handler(handler);
}
