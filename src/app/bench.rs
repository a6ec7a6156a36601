//! `breach bench`: frame times of the real window with the default panels, standing still and then firing rockets,
//! without a frame rate limit. The user's files are neither read nor written.
use crate::timing::{Percentiles, Stage};
use std::time::{Duration, Instant};

/// The options of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Size of the window, pixels.
    pub size: [u32; 2],
    /// Length of each scene, seconds.
    pub seconds: f64,
}

/// The scenes, in order.
pub(super) const SCENES: [&str; 2] = ["standing still", "firing rockets"];
/// Warm-up before a scene is measured: materials are baked, the resolution adapts.
pub(super) const WARM_UP: Duration = Duration::from_secs(4);
/// Time between two rockets.
pub(super) const RELOAD: Duration = Duration::from_millis(500);

/// The result of a scene. Times are medians, milliseconds.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Scene {
    /// Its name.
    pub scene: &'static str,
    /// Number of measured frames.
    pub frames: usize,
    /// From the median frame time.
    pub frames_per_second: f64,
    /// From the end of a frame to the end of the next.
    pub frame_ms: f64,
    /// 95th percentile of the frame time.
    pub frame_p95_ms: f64,
    /// Size of the 3-D view at the end, before it is scaled up, pixels.
    pub picture: [u32; 2],
    /// CPU time of the program's stages.
    pub stages_ms: Vec<(&'static str, f64)>,
    /// GPU time of each pass (CPU time with software rendering); empty without timestamps.
    pub passes_ms: Vec<(&'static str, f64)>,
}

/// The result of a benchmark.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Measured {
    /// The graphics adapter and its driver.
    pub adapter: String,
    /// Size of the window, pixels.
    pub size: [u32; 2],
    /// The scenes, in order.
    pub scenes: Vec<Scene>,
}

impl Measured {
    /// The table, a column for each scene.
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

/// A running benchmark.
pub(super) struct Bench {
    pub wanted: Wanted,
    /// The start of the current scene; None before a level is open.
    pub began: Option<Instant>,
    /// The end of the last frame.
    pub last: Instant,
    pub fired: u32,
    pub samples: Vec<Sample>,
    pub result: Measured,
}

/// Times of one frame, milliseconds.
pub(super) struct Sample {
    pub whole: f32,
    pub stages: [f32; Stage::COUNT],
    pub passes: Option<[f32; crate::render::PASSES.len()]>,
}

impl Bench {
    pub fn size(&self) -> [u32; 2] {
        self.wanted.size
    }

    /// Ends the current scene.
    pub fn close(&mut self, picture: [u32; 2]) {
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
