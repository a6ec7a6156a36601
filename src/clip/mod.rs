//! How does a part of a recording become a clip? Played again, drawn and heard by its player, and written tick by tick.
//!
//! [`make`] takes a simulation at or before the clip's first tick. Pictures and sound go into a [`Kind`] of file as they are
//! made, so memory does not grow with the clip. A picture is shown while its tick is heard. Called by the command line and, on
//! a thread, by the window.
#[cfg(feature = "render")]
mod gif;
mod kind;
mod order;
#[cfg(feature = "render")]
mod pictures;
mod sink;
mod wav;

pub use kind::Kind;
pub use order::Order;
#[cfg(feature = "render")]
pub use pictures::Pictures;

use crate::sim::Sim;
use crate::sim::recording::Recording;
use crate::sim::replay::commands;
use crate::sound::{Soundtrack, sample_16};
use crate::timing::Recorder;
use sink::Sink;
use std::io;

/// So many ticks before its first one a clip's sound is complete if it is heard from there: what began earlier has died away.
pub const HEARD_BEFORE: u64 = 300;

/// Why there is no clip; nothing is left of it.
#[derive(Debug)]
pub enum Refused {
    /// It was cancelled.
    Cancelled,
    /// Its file could not be written.
    File(io::Error),
    /// It could not be drawn.
    Drawing(String),
}

/// Plays a recording on from `sim` and writes the clip. `watch` is called before every tick, with its
/// number and the clock; where it returns false, the clip is cancelled.
///
/// # Errors
/// See [`Refused`].
pub fn make(
    sim: &mut Sim,
    recording: &Recording,
    order: &Order,
    recorder: &mut Recorder,
    watch: &mut dyn FnMut(u64, &Recorder) -> bool,
) -> Result<(), Refused> {
    let mut sink = Sink::begin(order).map_err(Refused::File)?;
    let track = || Soundtrack::new(order.sounds.clone(), order.levels);
    let mut sound = order.kind.has_sound().then(track);
    #[cfg(feature = "render")]
    let mut studio = match order.kind.ticks().zip(order.pictures.as_ref()) {
        Some((every, pictures)) => {
            let studio = pictures::Studio::new(pictures).map_err(Refused::Drawing)?;
            Some((every, studio))
        }
        None => None,
    };
    let mut take = |sim: &Sim, _recorder: &Recorder| -> Result<(), Refused> {
        // Before the clip, too: what began there still sounds in it.
        let heard = sound.as_mut().map(|sound| sound.tick(sim));
        let Some(_since) = sim.tick.checked_sub(*order.ticks.start()) else {
            return Ok(());
        };
        #[cfg(feature = "render")]
        if let Some((every, studio)) = &mut studio
            && _since.is_multiple_of(*every)
        {
            let pixels = studio.picture(sim, _recorder).map_err(Refused::Drawing)?;
            sink.picture(pixels).map_err(Refused::File)?;
        }
        let samples = heard.map(|block| block.iter().flatten().map(|s| sample_16(*s)).collect());
        let written = samples.map(|samples| sink.sound(samples)).transpose();
        written.map(|_| ()).map_err(Refused::File)
    };
    take(sim, recorder)?;
    let done = sim.tick as usize;
    for command in commands(recording, *order.ticks.end()).skip(done) {
        if !watch(sim.tick, recorder) {
            return Err(Refused::Cancelled);
        }
        recorder.begin_frame();
        let report = sim.step(&command, recorder);
        recorder.count_structures(report.structure_counts());
        recorder.end_frame();
        take(sim, recorder)?;
    }
    sink.finish().map_err(Refused::File)
}
