//! Loads a level and steps it, with a clock.
use super::args::ReportArgs;
use super::failure::Failure;
use super::files;
use super::report::{Carves, Debris, Phases, Played, Report, peak_rss_mb, rounded};
use crate::builtin::Origin;
use crate::geom::rng::Rng;
use crate::level::{self, LevelDesc, LevelError};
use crate::sim::recording::Recording;
use crate::sim::{self, Command, Settings, Sim, StepReport};
use crate::sound::Ear;
use crate::timing::{Percentiles, Recorder, Stage};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Greatest number of warnings printed for a file; more are counted.
const WARNINGS_SHOWN: usize = 50;

/// An open level, its clock, and the totals of its ticks.
pub(super) struct Run<'a> {
    pub sim: Sim,
    /// Hears every tick, if somebody wants to know.
    pub ear: Option<Ear>,
    recorder: &'a mut Recorder,
    file: String,
    load_ms: f64,
    carves: usize,
    spawned: u64,
    chunks: u64,
    awake: u32,
    debris_ms: Vec<f32>,
}

impl<'a> Run<'a> {
    /// Opens a level, a file or a built-in one, and prints its warnings to stderr. Loading is the recorder's first frame.
    pub(super) fn open(
        path: &Path,
        seed: u64,
        settings: Settings,
        recorder: &'a mut Recorder,
    ) -> Result<Self, Failure> {
        let bytes = Origin::from_argument(path).read();
        let bytes = bytes.map_err(|why| Failure::file(path, why))?;
        Self::open_read(path, || level::read_map(&bytes), seed, settings, recorder)
    }

    /// [`Run::open`] for the level of a recording, from its bytes; `path` is for messages.
    pub(super) fn open_recorded(
        path: &Path,
        bytes: &[u8],
        recording: &Recording,
        settings: Settings,
        recorder: &'a mut Recorder,
    ) -> Result<Self, Failure> {
        let read = || recording.level.read(bytes);
        Self::open_read(path, read, recording.seed, settings, recorder)
    }

    fn open_read(
        path: &Path,
        read: impl FnOnce() -> Result<LevelDesc, LevelError>,
        seed: u64,
        settings: Settings,
        recorder: &'a mut Recorder,
    ) -> Result<Self, Failure> {
        let start_ms = recorder.now_ms();
        recorder.begin_frame();
        let desc = read().map_err(|error| match error.line {
            0 => Failure::file(path, error.text),
            _ => Failure::file(path, error),
        })?;
        let file = path.display().to_string();
        let sim =
            Sim::new(desc, seed, settings, recorder).map_err(|error| Failure::file(path, error))?;
        // Building adds warnings, too: a start may lie in solid.
        let warnings = &sim.level.warnings;
        for warning in warnings.iter().take(WARNINGS_SHOWN) {
            let line = if warning.line == 0 {
                String::new()
            } else {
                format!("{}:", warning.line)
            };
            files::complain(&format!("{file}:{line} warning: {}", warning.text));
        }
        if warnings.len() > WARNINGS_SHOWN {
            files::complain(&format!(
                "{file}: {} more warnings",
                warnings.len() - WARNINGS_SHOWN
            ));
        }
        recorder.end_frame();
        recorder.forget_carves();
        let load_ms = recorder.now_ms() - start_ms;
        Ok(Self {
            sim,
            ear: None,
            recorder,
            file,
            load_ms,
            carves: 0,
            spawned: 0,
            chunks: 0,
            awake: 0,
            debris_ms: Vec::new(),
        })
    }

    /// Steps one tick, which is one frame of the recorder.
    pub(super) fn step(&mut self, command: &Command) -> StepReport {
        self.recorder.begin_frame();
        let report = self.sim.step(command, self.recorder);
        self.recorder.count_structures(report.structure_counts());
        self.recorder.end_frame();
        if let Some(ear) = &mut self.ear {
            ear.hear(&self.sim);
        }
        self.carves += report
            .carves
            .iter()
            .filter(|carve| carve.result.is_ok())
            .count();
        self.spawned += u64::from(report.spawned);
        self.chunks += u64::from(report.chunks);
        self.awake = report.awake;
        if let Some(frame) = self.recorder.frames().back() {
            self.debris_ms.push(frame.total_ms[Stage::Debris.index()]);
        }
        report
    }

    /// Fires `rockets` random rockets, one a tick (waiting for carves that take several), then runs `ticks` ticks without input.
    pub(super) fn soak(&mut self, seed: u64, rockets: u32, ticks: u32) {
        let mut progress = Progress::new();
        // Not the simulation's own generator: debris draws from that one, and must not change the rockets.
        let mut rng = Rng::new(seed);
        for _ in 0..rockets {
            let command = sim::soak_command(&self.sim, &mut rng);
            self.step(&command);
            // The next rocket must find this one's hole, however many ticks that takes.
            let idle = self.sim.idle();
            while self.sim.carving().is_some() {
                self.step(&idle);
            }
            // Nothing is undone here, and 100,000 undo steps would be kept.
            self.sim.forget_history();
            self.show(&mut progress, "rocket", u64::from(rockets));
        }
        let idle = self.sim.idle();
        for _ in 0..ticks {
            self.step(&idle);
            self.show(&mut progress, "tick", u64::from(rockets) + u64::from(ticks));
        }
    }

    /// The clock.
    #[cfg(feature = "render")]
    pub(super) fn recorder(&self) -> &Recorder {
        self.recorder
    }

    /// Renders a frame without a window, timed by stage: visibility, upload, draw. Returns milliseconds by stage.
    #[cfg(feature = "render")]
    pub(super) fn frame(
        &mut self,
        studio: &mut crate::render::OffscreenRenderer,
        camera: crate::view::Camera,
        cache: &mut crate::view::VisibilityCache,
    ) -> Result<[f32; Stage::COUNT], Failure> {
        use crate::timing::Marker;
        let clock = &mut *self.recorder;
        clock.begin_frame();
        clock.begin(Stage::Visibility);
        let (sim, plain) = (&self.sim, Default::default());
        let snapshot = crate::view::snapshot_seen_from(sim, camera, camera, plain, 1.0, cache);
        clock.end(Stage::Visibility);
        let drawn = studio.timed(&snapshot, clock).map_err(Failure::Other);
        clock.end_frame();
        drawn?;
        Ok(clock
            .frames()
            .back()
            .map(|frame| frame.own_ms)
            .unwrap_or_default())
    }

    /// Shows progress on the terminal.
    pub(super) fn show(&self, progress: &mut Progress, what: &str, of: u64) {
        progress.show(self.recorder, what, self.sim.tick, of);
    }

    /// Makes the report name this file instead of the level's.
    pub(super) fn rename(&mut self, path: &Path) {
        self.file = path.display().to_string();
    }

    /// The report of the level as loaded, and the faults found, in words.
    pub(super) fn loaded(&self) -> (Report, Vec<String>) {
        Report::new(self.file.clone(), &self.sim, self.load_ms)
    }

    /// The report after ticks, and the faults found, in words.
    pub(super) fn played(&self) -> (Report, Vec<String>) {
        let (mut report, faults) = self.loaded();
        let samples = self.recorder.carves();
        let steps = Percentiles::from_samples(self.debris_ms.iter().copied());
        report.played = Some(Played {
            carves: Carves::new(self.carves, samples),
            phases_ms: Phases::new(samples),
            debris: Debris {
                spawned: self.spawned,
                chunks: self.chunks,
                escaped: self.sim.escaped(),
                awake: u64::from(self.awake),
                step_p50_ms: rounded(steps.p50_ms),
                step_max_ms: rounded(steps.max_ms),
            },
            peak_rss_mb: peak_rss_mb(),
            state_hash: format!("{:016x}", self.sim.state_hash()),
        });
        (report, faults)
    }

    /// Prints the report and writes the requested files; a level with faults is a failure.
    pub(super) fn finish(
        &self,
        (report, faults): (Report, Vec<String>),
        args: &ReportArgs,
    ) -> Result<(), Failure> {
        if let Some(path) = &args.save {
            files::save(path, &level::write_map(&self.sim.level))?;
        }
        files::say(&if args.json {
            report.json()
        } else {
            report.text()
        })?;
        for fault in &faults {
            files::complain(&format!("{}: {fault}", self.file));
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Failure::Said)
        }
    }
}

/// A clock that records spans and frames if files of them are requested.
pub(super) fn recorder(args: &ReportArgs) -> Recorder {
    let mut recorder = Recorder::new();
    recorder.record(args.timings.is_some() || args.trace.is_some());
    recorder
}

/// Writes the requested timing files.
pub(super) fn write_timings(recorder: &Recorder, args: &ReportArgs) -> Result<(), Failure> {
    if let Some(path) = &args.timings {
        files::save_with(path, |out| recorder.write_csv(out))?;
    }
    if let Some(path) = &args.trace {
        files::save_with(path, |out| recorder.write_trace(out))?;
    }
    if recorder.dropped() > 0 {
        files::complain(&format!(
            "breach: the run was too long to keep all of it; {} timings were dropped",
            recorder.dropped()
        ));
    }
    Ok(())
}

/// With `--json`, prints an object for a refused file too, so that a script sees one line for each file.
pub(super) fn refused(failure: Failure, path: &Path, json: bool) -> Failure {
    if let (true, Failure::File { what, .. }) = (json, &failure) {
        let line = serde_json::json!({ "file": path.display().to_string(), "error": what });
        if let Err(closed) = files::say(&line.to_string()) {
            return closed;
        }
    }
    failure
}

/// A progress line on stderr, overwritten at most ten times a second; only on a terminal.
pub(super) struct Progress {
    on: bool,
    shown: bool,
    next_ms: f64,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            on: std::io::stderr().is_terminal(),
            shown: false,
            next_ms: 0.0,
        }
    }

    /// Shows how far it is.
    pub(super) fn show(&mut self, recorder: &Recorder, what: &str, done: u64, of: u64) {
        if !self.on {
            return;
        }
        let now_ms = recorder.now_ms();
        if now_ms < self.next_ms {
            return;
        }
        self.next_ms = now_ms + 100.0;
        self.shown = true;
        let _ = write!(std::io::stderr(), "\r\x1b[K{what} {done} of {of}");
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
