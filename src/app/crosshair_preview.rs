//! The preview of a carve or fill at the crosshair, computed again when its input has changed.
use crate::sim::{Forecast, Sim, Tool};
use crate::timing::{Percentiles, Recorder};
use crate::ui::{PreviewBreaks, PreviewChip};
use crate::view::{Line, Palette, foreseen_lines, preview_lines};
use crate::world::Revision;
use glam::DVec3;
use std::time::{Duration, Instant};

/// The expected time is the median of the last this many carves.
const LAST_CARVES: usize = 9;

/// The crosshair has to rest for so long before what would break is worked out.
const REST: Duration = Duration::from_millis(150);
/// What would break is worked out for so long in a drawn frame.
const FORECAST: Duration = Duration::from_millis(6);

/// The last preview.
#[derive(Default)]
pub struct CrosshairPreview {
    /// The input that it was computed for.
    input: Option<Input>,
    chip: Option<PreviewChip>,
    lines: Vec<Line>,
    ahead: Ahead,
}

/// What would break under its load.
#[derive(Default)]
enum Ahead {
    #[default]
    None,
    /// It is worked out from this moment on, unless the input changes.
    Waiting(Instant),
    /// With the number of lines of the preview itself.
    UnderWay(Forecast, usize),
}

/// The input of a preview.
#[derive(Clone, Debug, PartialEq)]
struct Input {
    fill: bool,
    tool: Tool,
    eye: DVec3,
    dir: DVec3,
    revision: Revision,
    /// A carve is in progress; until it ends there is no preview.
    is_carving: bool,
    carves: usize,
    palette: Palette,
}

impl CrosshairPreview {
    /// Computes the preview of a tool, if its input has changed; drops it without a tool.
    pub fn update(
        &mut self,
        sim: &mut Sim,
        wanted: Option<(bool, Tool)>,
        palette: Palette,
        recorder: &Recorder,
    ) {
        let input = wanted.map(|(fill, tool)| Input {
            fill,
            tool,
            eye: sim.player.eye,
            dir: sim.look_dir(),
            revision: sim.world.revision(),
            is_carving: sim.carving().is_some(),
            carves: recorder.carves().len(),
            palette,
        });
        if self.input == input {
            self.look_ahead(sim);
            return;
        }
        let result = input
            .as_ref()
            .and_then(|input| sim.preview(input.fill, &input.tool));
        *self = match result {
            None => Self::default(),
            Some(Err(why)) => Self {
                chip: Some(PreviewChip {
                    refused: Some(why.to_string()),
                    ..PreviewChip::default()
                }),
                ..Self::default()
            },
            Some(Ok(preview)) => {
                let last = recorder.carves().iter().rev().take(LAST_CARVES);
                let last = Percentiles::from_samples(last.map(|sample| sample.ms));
                Self {
                    chip: Some(PreviewChip {
                        refused: None,
                        faces: preview.faces,
                        portals: preview.portals.len(),
                        islands: preview.islands.len(),
                        falls_m3: preview.islands.iter().map(|island| island.0).sum(),
                        breaks: (sim.settings.strength > 0.0).then_some(PreviewBreaks {
                            is_under_way: true,
                            ..PreviewBreaks::default()
                        }),
                        volume_m3: preview.volume_m3,
                        expected_ms: (!recorder.carves().is_empty()).then_some(last.p50_ms as f32),
                    }),
                    lines: preview_lines(&preview, palette),
                    ahead: Ahead::Waiting(Instant::now() + REST),
                    ..Self::default()
                }
            }
        };
        self.input = input;
    }

    /// Goes on working out what would break.
    fn look_ahead(&mut self, sim: &Sim) {
        let (Some(input), Some(chip)) = (&self.input, &mut self.chip) else {
            return;
        };
        let now = Instant::now();
        match &mut self.ahead {
            Ahead::None => {}
            // What is under way is not the preview's.
            Ahead::Waiting(from) if now < *from || sim.is_checking() => {}
            Ahead::Waiting(_) => {
                let begun = sim.forecast(input.fill, &input.tool);
                if begun.is_none() {
                    chip.breaks = None;
                }
                let count = self.lines.len();
                self.ahead = begun.map_or(Ahead::None, |begun| Ahead::UnderWay(begun, count));
            }
            Ahead::UnderWay(forecast, count) => {
                while now.elapsed() < FORECAST && !forecast.found().is_over {
                    forecast.advance();
                }
                let found = forecast.found();
                chip.breaks = Some(PreviewBreaks {
                    sections: found.sections.len(),
                    pieces: found.pieces,
                    falls_m3: found.falls_m3,
                    is_under_way: !found.is_over,
                });
                self.lines.truncate(*count);
                self.lines.extend(foreseen_lines(found, input.palette));
                if found.is_over {
                    self.ahead = Ahead::None;
                }
            }
        }
    }

    /// What would break is still to be worked out.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.ahead, Ahead::None)
    }

    /// In numbers; None without a face under the crosshair.
    pub fn chip(&self) -> Option<&PreviewChip> {
        self.chip.as_ref()
    }

    /// As lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}
