//! How fast is the window here? `breach bench`: the real window with the panels of a first start, standing still and then
//! firing rockets, drawn as fast as the machine can. Nothing of whoever runs it is read or written.
use super::{App, places::Places};
use crate::builtin::Origin;
use crate::cli::fault::Faults;
use crate::sim::Action;
use crate::timing::{Percentiles, Stage};
use crate::ui::{Preferences, Vsync};
use anyhow::Context;
use std::time::{Duration, Instant};

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Of the window, pixels.
    pub size: [u32; 2],
    /// Seconds of each scene.
    pub seconds: f64,
}

/// The scenes, one after the other.
const SCENES: [&str; 2] = ["standing still", "firing rockets"];
/// Before a scene is measured: materials are baked, the picture's resolution settles.
const SETTLES: Duration = Duration::from_secs(4);
/// Between two rockets.
const RELOADS: Duration = Duration::from_millis(500);

/// One scene's numbers. Times are medians, milliseconds.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Scene {
    /// Which.
    pub scene: &'static str,
    /// Frames that were measured.
    pub frames: usize,
    /// By the median frame.
    pub frames_per_second: f64,
    /// From one frame's end to the next.
    pub frame_ms: f64,
    /// Of a hundred frames the fifth slowest.
    pub frame_p95_ms: f64,
    /// Pixels of the world's picture at the end, before it is stretched.
    pub picture: [u32; 2],
    /// What the program's own stages take on the processor.
    pub stages_ms: Vec<(&'static str, f64)>,
    /// What the card, or the processor in its place, takes for each pass; empty where it cannot tell.
    pub passes_ms: Vec<(&'static str, f64)>,
}

/// All that came out.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Measured {
    /// The graphics adapter and its driver.
    pub adapter: String,
    /// Of the window, pixels.
    pub size: [u32; 2],
    /// One after the other.
    pub scenes: Vec<Scene>,
}

impl Measured {
    /// A table with a column a scene.
    pub fn text(&self) -> String {
        let [width, height] = self.size;
        let mut lines = vec![format!("{}, window {width}x{height}", self.adapter)];
        let mut row = |name: &str, of: &dyn Fn(&Scene) -> Option<String>| {
            let cells = self
                .scenes
                .iter()
                .map(|scene| of(scene).unwrap_or_default());
            let cells: String = cells.map(|cell| format!("{cell:>16}")).collect();
            lines.push(format!("{name:<24}{cells}"));
        };
        let ms = |ms: f64| Some(format!("{ms:.2}"));
        row("", &|scene| Some(scene.scene.into()));
        row("frames a second", &|scene| {
            Some(format!("{:.1}", scene.frames_per_second))
        });
        row("frame, median ms", &|scene| ms(scene.frame_ms));
        row("frame, 95 % ms", &|scene| ms(scene.frame_p95_ms));
        row("picture, pixels", &|scene| {
            let [width, height] = scene.picture;
            Some(format!("{width}x{height}"))
        });
        let names = |of: fn(&Scene) -> &Vec<(&'static str, f64)>| {
            let first = self.scenes.first().map(of).into_iter().flatten();
            first.map(|(name, _)| *name).collect::<Vec<_>>()
        };
        let find = |list: &[(&str, f64)], name: &str| {
            let found = list.iter().find(|(other, _)| *other == name);
            found.and_then(|(_, time)| ms(*time))
        };
        for name in names(|scene| &scene.stages_ms) {
            row(&format!("program: {name}, ms"), &|scene| {
                find(&scene.stages_ms, name)
            });
        }
        for name in names(|scene| &scene.passes_ms) {
            row(&format!("drawing: {name}, ms"), &|scene| {
                find(&scene.passes_ms, name)
            });
        }
        lines.join("\n")
    }
}

/// A measurement that goes on.
pub(super) struct Bench {
    wanted: Wanted,
    /// When the scene that is shown began; None before a level is open.
    began: Option<Instant>,
    /// The end of the last frame.
    last: Instant,
    fired: u32,
    samples: Vec<Sample>,
    result: Measured,
}

/// One frame, milliseconds.
struct Sample {
    whole: f32,
    stages: [f32; Stage::COUNT],
    passes: Option<[f32; crate::render::PASSES.len()]>,
}

/// Opens the window, measures, and closes it.
pub(crate) fn run(origin: Origin, wanted: Wanted, faults: Faults) -> anyhow::Result<Measured> {
    let home = tempfile::tempdir().context("no folder for the time of the measurement")?;
    let at = |name: &str| home.path().join(name);
    let places = Places {
        data: at("data"),
        pictures: at("pictures"),
        settings: at("settings.toml"),
        documents: at("documents"),
        levels: Vec::new(),
    };
    let app = super::run_with(places, Some(origin), faults, |app| {
        app.preferences = Preferences {
            vsync: Vsync::Off,
            frames: 1000.0,
            frames_aside: 1000.0,
            ..app.preferences.clone()
        };
        app.bench = Some(Bench {
            wanted,
            began: None,
            last: Instant::now(),
            fired: 0,
            samples: Vec::new(),
            result: Measured {
                adapter: String::new(),
                size: wanted.size,
                scenes: Vec::new(),
            },
        });
    })?;
    let bench = app.bench.map(|bench| bench.result);
    bench
        .filter(|result| result.scenes.len() == SCENES.len())
        .context("the window was closed before all was measured")
}

impl Bench {
    pub fn size(&self) -> [u32; 2] {
        self.wanted.size
    }

    /// The scene that was measured is over.
    fn close(&mut self, picture: [u32; 2]) {
        let of = |ms: &dyn Fn(&Sample) -> Option<f32>| {
            Percentiles::from_samples(self.samples.iter().filter_map(ms))
        };
        let whole = of(&|sample| Some(sample.whole));
        let stages = Stage::ALL.into_iter();
        let stages = stages.map(|stage| {
            let ms = of(&|sample| Some(sample.stages[stage.index()]));
            (stage.name(), ms.p50_ms)
        });
        let passes = crate::render::PASSES.into_iter().enumerate();
        let is_known = self.samples.iter().any(|sample| sample.passes.is_some());
        let passes = passes.filter(|_| is_known);
        let passes = passes.map(|(i, name)| {
            let ms = of(&|sample| sample.passes.map(|passes| passes[i]));
            (name, ms.p50_ms)
        });
        self.result.scenes.push(Scene {
            scene: SCENES[self.result.scenes.len()],
            frames: self.samples.len(),
            frames_per_second: 1e3 / whole.p50_ms.max(1e-3),
            frame_ms: whole.p50_ms,
            frame_p95_ms: whole.p95_ms,
            picture,
            stages_ms: stages.collect(),
            passes_ms: passes.collect(),
        });
        self.samples.clear();
        self.began = None;
    }
}

impl App {
    /// A frame has ended.
    pub(super) fn bench_frame(&mut self) {
        let (Some(bench), Some(shell)) = (&mut self.bench, &self.shell) else {
            return;
        };
        let now = Instant::now();
        let whole = now.duration_since(bench.last).as_secs_f32() * 1e3;
        bench.last = now;
        if self.loading.is_some() || self.play.is_none() {
            return;
        }
        let began = *bench.began.get_or_insert(now);
        let Some(measured) = now.duration_since(began).checked_sub(SETTLES) else {
            return;
        };
        if measured.as_secs_f64() >= bench.wanted.seconds && !bench.samples.is_empty() {
            bench.result.adapter = shell.gpu.adapter();
            bench.close(shell.gpu.picture_size());
            self.quit = bench.result.scenes.len() == SCENES.len();
            return;
        }
        if let Some(frame) = self.recorder.frames().back() {
            bench.samples.push(Sample {
                whole,
                stages: frame.own_ms,
                passes: self.pass_ms,
            });
        }
        if bench.result.scenes.len() == 1 && measured >= RELOADS * bench.fired {
            // Round about, at the walls and the floor before them: the same in every run.
            let turn = f64::from(bench.fired) * 2.4;
            self.input.yaw += 0.35 * libm::sin(turn);
            self.input.pitch = -0.12 + 0.2 * libm::cos(turn * 1.7);
            self.queued.push(Action::Fire);
            bench.fired += 1;
        }
    }
}
