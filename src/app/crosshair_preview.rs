//! The preview of a carve or fill at the crosshair, computed again when its input has changed.
use crate::sim::{Sim, Tool};
use crate::timing::{Percentiles, Recorder};
use crate::ui::PreviewChip;
use crate::view::{Line, Palette, preview_lines};
use crate::world::Revision;
use glam::DVec3;

/// The expected time is the median of the last this many carves.
const LAST_CARVES: usize = 9;

/// The last preview.
#[derive(Default)]
pub struct CrosshairPreview {
    /// The input that it was computed for.
    input: Option<Input>,
    chip: Option<PreviewChip>,
    lines: Vec<Line>,
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
                        volume_m3: preview.volume_m3,
                        expected_ms: (!recorder.carves().is_empty()).then_some(last.p50_ms as f32),
                    }),
                    lines: preview_lines(&preview, palette),
                    ..Self::default()
                }
            }
        };
        self.input = input;
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
