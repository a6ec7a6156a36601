//! Progress of loading a level, as text and percent, from the stages that the build marks.
use crate::timing::{Marker, Stage};
use crate::world::WorldDesc;

/// Brushes or operations between two marks, as in [`crate::world`].
const MARKED: usize = 64;
/// Build time per brush (all stages) and per replayed operation, measured on large levels, milliseconds.
const BRUSH_MS: f64 = 0.2;
const OPERATION_MS: f64 = 2.0;
/// About how often rooms are cut in two, one level of the tree after the other, in a large level.
const SPLITS: usize = 16;

/// The work ahead.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadPlan {
    /// Expected marks of clipping.
    clips: usize,
    /// Operations to replay.
    later: usize,
    /// Fraction of the whole before the replay, 0..=1.
    building: f64,
}

impl LoadPlan {
    /// Estimates the work of a level.
    pub fn of(desc: &WorldDesc) -> Self {
        let runs = desc.base.chunk_by(|a, b| a.op == b.op);
        let clips = runs.map(|run| run.len().div_ceil(MARKED)).sum::<usize>();
        let brushes = (desc.solids.len() + desc.base.len()).max(1) as f64 * BRUSH_MS;
        let later = desc.later.len() as f64 * OPERATION_MS;
        Self {
            clips: clips + desc.solids.len().div_ceil(MARKED),
            later: desc.later.len(),
            building: brushes / (brushes + later),
        }
    }
}

/// Counts the stages of [`crate::world::World::build`] as they begin.
pub struct LoadProgress<'a> {
    plan: LoadPlan,
    clips: usize,
    operations: usize,
    /// Levels of the tree of rooms that are begun: cells are clipped. The rest of the build follows, then the replay.
    splits: usize,
    is_built: bool,
    /// 0..=1; only grows.
    part: f64,
    /// The last report.
    said: Option<(&'static str, u32)>,
    /// Called with text and percent whenever one of them changes.
    say: &'a mut dyn FnMut(&'static str, u32),
    /// Called at each mark; unwinds to cancel the build.
    check: &'a dyn Fn(),
}

impl<'a> LoadProgress<'a> {
    /// Nothing has begun.
    pub fn new(
        plan: LoadPlan,
        say: &'a mut dyn FnMut(&'static str, u32),
        check: &'a dyn Fn(),
    ) -> Self {
        Self {
            plan,
            clips: 0,
            operations: 0,
            splits: 0,
            is_built: false,
            part: 0.0,
            said: None,
            say,
            check,
        }
    }

    /// The fraction done when a stage begins. The shares of the stages were measured on large levels.
    fn stand(&mut self, stage: Stage) -> f64 {
        let LoadPlan {
            clips,
            later,
            building,
        } = self.plan;
        if self.is_built {
            self.operations += usize::from(stage == Stage::Portals);
            let done = self.operations as f64 / later.max(1) as f64;
            return building + (1.0 - building) * done.min(1.0);
        }
        let of_building = match (stage, self.splits > 0) {
            (Stage::Clip, _) => {
                self.clips += 1;
                0.45 * (self.clips - 1) as f64 / clips.max(1) as f64
            }
            (Stage::Islands, false) => 0.55,
            (Stage::Portals, _) => {
                self.splits += 1;
                0.6 + 0.25 * (self.splits - 1).min(SPLITS) as f64 / SPLITS as f64
            }
            (Stage::Conform, true) => 0.85,
            (Stage::Bins, true) => {
                self.is_built = true;
                0.95
            }
            (Stage::Islands, true)
            | (Stage::Conform | Stage::Bins, false)
            | (
                Stage::Step
                | Stage::Carve
                | Stage::Merge
                | Stage::Structure
                | Stage::Debris
                | Stage::Movers
                | Stage::Visibility
                | Stage::Upload
                | Stage::Draw
                | Stage::Panel,
                _,
            ) => 0.45 * self.clips as f64 / clips.max(1) as f64,
        };
        building * of_building
    }
}

impl Marker for LoadProgress<'_> {
    fn begin(&mut self, stage: Stage) {
        (self.check)();
        let what = match stage {
            _ if self.is_built => "reapplying carves",
            Stage::Bins => "building box trees",
            Stage::Portals => "finding portals",
            Stage::Islands => "finding rock",
            Stage::Merge | Stage::Conform => "joining faces",
            Stage::Step
            | Stage::Carve
            | Stage::Clip
            | Stage::Structure
            | Stage::Debris
            | Stage::Movers
            | Stage::Visibility
            | Stage::Upload
            | Stage::Draw
            | Stage::Panel => "cutting brushes",
        };
        self.part = self.part.max(self.stand(stage).min(1.0));
        let now = (what, (self.part * 100.0) as u32);
        if self.said != Some(now) {
            self.said = Some(now);
            (self.say)(now.0, now.1);
        }
    }

    fn end(&mut self, _: Stage) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use crate::level;
    use crate::sim::{Settings, Sim, soak_command};
    use crate::timing::Silent;

    /// What is said while a level is built.
    fn told(map: &[u8]) -> Vec<(&'static str, u32)> {
        let desc = level::read_map(map).expect("a level");
        let mut told = Vec::new();
        let mut say = |what, percent| told.push((what, percent));
        let mut stages = LoadProgress::new(LoadPlan::of(&desc.world), &mut say, &|| ());
        Sim::new(desc, 1, Settings::default(), &mut stages).expect("a world");
        told
    }

    #[test]
    fn percent_grow_to_nearly_all_of_a_level_and_of_what_was_carved_in_it() {
        let map = include_bytes!("../../levels/tower.map");
        let plain = told(map);
        let grows = |told: &[(&str, u32)]| told.windows(2).all(|two| two[0].1 <= two[1].1);
        assert!(grows(&plain), "{plain:?}");
        assert_eq!(plain.first(), Some(&("cutting brushes", 0)));
        assert_eq!(plain.last(), Some(&("building box trees", 95)));
        // Saved after a hundred rockets, most of opening it is doing them again.
        let desc = level::read_map(map).expect("a level");
        let settings = Settings {
            debris: false,
            ..Settings::default()
        };
        let mut sim = Sim::new(desc, 1, settings, &mut Silent).expect("a world");
        let mut rng = Rng::new(2);
        for _ in 0..100 {
            sim.step(&soak_command(&sim, &mut rng), &mut Silent);
        }
        let carved = told(&level::write_map(&sim.level));
        assert!(grows(&carved), "{carved:?}");
        let again =
            |(what, percent): &(&str, u32)| what.starts_with("reapplying").then_some(*percent);
        let again: Vec<u32> = carved.iter().filter_map(again).collect();
        assert!(again.len() > 10 && again.last() >= Some(&98), "{carved:?}");
    }
}
