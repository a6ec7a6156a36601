//! `breach clip F.breach -o X.gif`: an animated picture of a recording, from its player's eye.
use super::args::ClipArgs;
use super::failure::Failure;
use super::files;
use super::run::{Progress, Run};
use super::{replay, shot};
use crate::render::OffscreenRenderer;
use crate::sim::replay::commands;
use crate::timing::Recorder;
use crate::timing::graph;
use crate::view::{self, Overlays, Palette};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

/// Ticks between pictures: GIF counts hundredths of a second, and 3/60 s are five of them.
const TICKS: u64 = 3;
/// Sampling step of the colour quantizer, pixels; 1 is slowest.
const SPEED: i32 = 10;

pub(super) fn run(args: &ClipArgs) -> Result<(), Failure> {
    let recording = replay::read(&args.file)?;
    let (name, level) = replay::level(&args.file, &recording.level)?;
    let last = args.to.unwrap_or(recording.ticks).min(recording.ticks);
    if args.from > last {
        let text = format!("--from {} is after the last tick, {last}", args.from);
        return Err(Failure::Usage(text));
    }
    let mut recorder = Recorder::new();
    let settings = recording.settings.clone();
    let mut run = Run::open_recorded(&name, &level, &recording, settings, &mut recorder)?;
    let mut studio = OffscreenRenderer::new(args.size).map_err(Failure::Other)?;
    let mut bytes = Vec::new();
    let refuse = |error| Failure::file(&args.output, format!("cannot be written as GIF: {error}"));
    {
        let mut gif = GifEncoder::new_with_speed(&mut bytes, SPEED);
        gif.set_repeat(Repeat::Infinite).map_err(refuse)?;
        let mut progress = Progress::new();
        let mut take = |run: &Run| -> Result<(), Failure> {
            let tick = run.sim.tick;
            if tick < args.from || !(tick - args.from).is_multiple_of(TICKS) {
                return Ok(());
            }
            let camera = shot::player_camera(&run.sim, args.size);
            let snapshot = view::snapshot(&run.sim, camera, Overlays::default(), 1.0);
            let mut pixels = studio.picture(&snapshot).map_err(Failure::Other)?;
            if !args.overlay.is_empty() {
                let colours = Palette::Standard.stages();
                graph::draw(&mut pixels, args.size, run.recorder(), &colours);
            }
            let [width, height] = args.size;
            let picture = RgbaImage::from_raw(width, height, pixels)
                .ok_or_else(|| Failure::Other("the picture has the wrong size".into()))?;
            let delay = Delay::from_numer_denom_ms(TICKS as u32 * 1000, 60);
            let frame = Frame::from_parts(picture, 0, 0, delay);
            gif.encode_frame(frame).map_err(refuse)
        };
        take(&run)?;
        for command in commands(&recording, last) {
            run.step(&command);
            take(&run)?;
            run.show(&mut progress, "tick", last);
        }
    }
    files::save(&args.output, &bytes)
}
