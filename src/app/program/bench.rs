//! The window's benchmark: opened, measured frame by frame, closed.
use super::App;
use crate::app::bench::{Bench, Measured, RELOAD, SCENES, Sample, WARM_UP, Wanted};
use crate::app::folders::Folders;
use crate::builtin::Origin;
use crate::cli::fault::Faults;
use crate::sim::Action;
use crate::ui::{Preferences, Vsync};
use anyhow::Context;
use std::time::Instant;

impl App {
    /// Measures the frame that has ended, and fires the next rocket.
    pub(in crate::app) fn bench_frame(&mut self) {
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
        let Some(measured) = now.duration_since(began).checked_sub(WARM_UP) else {
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
        if bench.result.scenes.len() == 1 && measured >= RELOAD * bench.fired {
            // All around, at the walls and at the floor in front of them, the same in every run.
            let turn = f64::from(bench.fired) * 2.4;
            self.input.yaw += 0.35 * libm::sin(turn);
            self.input.pitch = -0.12 + 0.2 * libm::cos(turn * 1.7);
            self.queued.push(Action::Fire);
            bench.fired += 1;
        }
    }
}

/// Opens the window, runs the benchmark, and closes it.
pub(crate) fn run_bench(
    origin: Origin,
    wanted: Wanted,
    faults: Faults,
) -> anyhow::Result<Measured> {
    let home = tempfile::tempdir().context("no folder for the time of the measurement")?;
    let at = |name: &str| home.path().join(name);
    let folders = Folders {
        data: at("data"),
        pictures: at("pictures"),
        settings: at("settings.toml"),
        documents: at("documents"),
        levels: Vec::new(),
    };
    let app = super::run::run_with(folders, Some(origin), faults, |app| {
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
