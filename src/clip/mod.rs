//! How does a part of a recording become a clip? Played again, drawn from its player's eye, and written as a GIF or a video.
//!
//! [`make`] takes a simulation at or before the clip's first tick. The pictures go into a [`Kind`] of file, one at a time, so
//! memory does not grow with the clip. Called by the command line and, on a thread, by the window.
mod kind;
mod sink;

pub use kind::Kind;

use crate::render::{OffscreenRenderer, Textures};
use crate::sim::Sim;
use crate::sim::recording::Recording;
use crate::sim::replay::commands;
use crate::timing::{Recorder, graph};
use crate::view::{self, Overlays, Palette, VisibilityCache};
use sink::Sink;
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// Which clip is wanted.
#[derive(Clone, Debug)]
pub struct Order {
    /// The file to write.
    pub path: PathBuf,
    /// What is written into it.
    pub kind: Kind,
    /// The first and the last tick.
    pub ticks: RangeInclusive<u64>,
    /// Of its pictures, pixels; one that is possible: see [`Kind::possible_size`].
    pub size: [u32; 2],
    /// Vertical field of view, radians.
    pub fov_y: f64,
    /// Milliseconds by stage are drawn into each picture.
    pub timings: bool,
}

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
    textures: &Arc<Textures>,
    recorder: &mut Recorder,
    watch: &mut dyn FnMut(u64, &Recorder) -> bool,
) -> Result<(), Refused> {
    let mut sink = Sink::begin(order).map_err(Refused::File)?;
    let mut studio = OffscreenRenderer::new(order.size).map_err(Refused::Drawing)?;
    studio.show_textures(textures);
    let mut cache = VisibilityCache::default();
    cache.fences.set_materials(textures.has_holes());
    let mut take = |sim: &Sim, recorder: &Recorder| -> Result<(), Refused> {
        let Some(since) = sim.tick.checked_sub(*order.ticks.start()) else {
            return Ok(());
        };
        if !since.is_multiple_of(order.kind.ticks()) {
            return Ok(());
        }
        let camera = view::player_camera(sim, order.fov_y, order.size);
        let plain = Overlays::default();
        let snapshot = view::snapshot_seen_from(sim, camera, camera, plain, 1.0, &mut cache);
        let mut pixels = studio.picture(&snapshot).map_err(Refused::Drawing)?;
        if order.timings {
            let colours = Palette::Standard.stages();
            graph::draw(&mut pixels, order.size, recorder, &colours);
        }
        sink.picture(pixels).map_err(Refused::File)
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
