//! Reports of commands: as JSON for scripts, with fields that are a contract, and as text.
use crate::level::{LiquidKind, MoverKind};
use crate::sim::Sim;
use crate::timing::{CarveSample, Percentiles, Stage};
use serde::Serialize;

/// The report of one file. The order of the fields is that of the JSON.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
    pub file: String,
    /// "void" or "solid": the level before its brushes.
    pub start: &'static str,
    /// None without a player start.
    pub sealed: Option<bool>,
    /// Path from a start to the outside, metres; None without a leak.
    pub leak: Option<Vec<[f64; 3]>>,
    pub rooms: usize,
    pub portals: usize,
    pub faces: usize,
    pub triangles: usize,
    pub air_volume_m3: f64,
    pub watertight: bool,
    pub unmatched_edges: usize,
    pub t_junctions: usize,
    pub portal_mismatches: usize,
    pub islands: u64,
    pub entities: usize,
    pub brushes: usize,
    pub skipped: usize,
    /// Number of warnings, which are on stderr.
    pub warnings: usize,
    pub hash: String,
    /// Duration of reading and building, milliseconds.
    pub load_ms: f64,
    /// The detected game.
    pub game: &'static str,
    /// Positions of slits that were closed because the level leaked through them, metres.
    pub slits: Vec<[f64; 3]>,
    /// Patches and terrains.
    pub curves: Curves,
    /// Liquids.
    pub liquids: Liquids,
    /// Doors, lifts and what starts them.
    pub movers: Movers,
    #[serde(flatten)]
    pub played: Option<Played>,
}

/// What became of patches and terrains.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Curves {
    /// In the file.
    pub patches: usize,
    /// Those that became solid.
    pub solid: usize,
    /// The convex solids of these.
    pub solids: usize,
    /// Greatest chord error, units; 0 without patches, and where the level leaves them out.
    pub error: f64,
}

/// The level's liquids.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Liquids {
    /// Brushes of each kind.
    pub water: usize,
    pub slime: usize,
    pub lava: usize,
    /// Whether a liquid flows where its basin is broken open: not yet.
    pub flows: bool,
}

/// The level's movers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Movers {
    /// Those of each kind.
    pub doors: usize,
    pub plats: usize,
    pub buttons: usize,
    pub trains: usize,
    pub rotating: usize,
    /// Volumes that the player sets off.
    pub triggers: usize,
}

/// The part of a report that needs ticks.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Played {
    pub carves: Carves,
    pub phases_ms: Phases,
    pub debris: Debris,
    /// Peak memory, MB; None where the system does not report it.
    pub peak_rss_mb: Option<f64>,
    pub state_hash: String,
}

/// Durations of carves; the deciles are means over the first and the last tenth.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Carves {
    pub count: usize,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    pub first_decile_ms: f64,
    pub last_decile_ms: f64,
}

/// Mean durations of phases per carve, milliseconds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Phases {
    pub clip: f64,
    pub merge: f64,
    pub conform: f64,
    pub islands: f64,
    pub portals: f64,
    pub bins: f64,
}

/// Bodies at the end, and durations of stepping them.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Debris {
    pub spawned: u64,
    /// Spawned bodies that are chunks.
    pub chunks: u64,
    /// Bodies whose centre is in rock or outside the bounds.
    pub escaped: u64,
    pub awake: u64,
    pub step_p50_ms: f64,
    pub step_max_ms: f64,
}

impl Report {
    /// Counts and validates the whole level; returns the faults in words.
    pub(super) fn new(file: String, sim: &Sim, load_ms: f64) -> (Self, Vec<String>) {
        let census = sim.world.census();
        let mut faults = sim.world.validate().err().unwrap_or_default();
        for (count, what) in [
            (census.unmatched_edges, "unmatched edges"),
            (census.t_junctions, "T-junctions"),
            (census.portal_mismatches, "portal mismatches"),
        ] {
            if count > 0 {
                faults.push(format!("{count} {what}"));
            }
        }
        let leak = &sim.world.leak;
        let volumes = &sim.level.liquids.volumes;
        let liquids = |kind| volumes.iter().filter(|volume| volume.kind == kind).count();
        let movers = &sim.level.movers;
        let report = Self {
            file,
            start: if sim.level.world.start_solid {
                "solid"
            } else {
                "void"
            },
            sealed: sim.world.sealed,
            leak: (!leak.is_empty()).then(|| leak.iter().map(|p| p.to_array()).collect()),
            rooms: census.rooms,
            portals: census.portals,
            faces: census.faces,
            triangles: census.triangles,
            air_volume_m3: census.air_volume_m3,
            watertight: faults.is_empty(),
            unmatched_edges: census.unmatched_edges,
            t_junctions: census.t_junctions,
            portal_mismatches: census.portal_mismatches,
            islands: census.islands,
            entities: sim.level.entities,
            brushes: sim.level.brushes,
            skipped: sim.level.skipped,
            warnings: sim.level.warnings.len(),
            hash: format!("{:016x}", sim.world.hash()),
            load_ms: rounded(load_ms),
            game: sim.level.game.name(),
            slits: sim.world.slits.iter().map(|p| p.to_array()).collect(),
            curves: Curves {
                patches: sim.level.curves.patches,
                solid: sim.level.curves.solid,
                solids: sim.level.curves.solids,
                error: sim.level.curves.error,
            },
            liquids: Liquids {
                water: liquids(LiquidKind::Water),
                slime: liquids(LiquidKind::Slime),
                lava: liquids(LiquidKind::Lava),
                flows: false,
            },
            movers: Movers {
                doors: movers.count(MoverKind::Door),
                plats: movers.count(MoverKind::Plat),
                buttons: movers.count(MoverKind::Button),
                trains: movers.count(MoverKind::Train),
                rotating: movers.count(MoverKind::Rotating),
                triggers: movers.triggers.len(),
            },
            played: None,
        };
        (report, faults)
    }

    /// The JSON object on one line.
    pub(super) fn json(&self) -> String {
        // Only maps with keys that are not text can fail, and there is none.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The report as text.
    pub(super) fn text(&self) -> String {
        let sealed = match self.sealed {
            Some(true) => "sealed",
            Some(false) => "LEAKS",
            None => "no player start",
        };
        let mut text = format!(
            "{}: {}, {} start, {}, a level of {}\n  {} rooms, {} portals, {} faces, {} triangles, {:.3} m³ of air\n",
            self.file,
            if self.watertight {
                "watertight"
            } else {
                "NOT watertight"
            },
            self.start,
            sealed,
            self.game,
            self.rooms,
            self.portals,
            self.faces,
            self.triangles,
            self.air_volume_m3,
        );
        text += &format!(
            "  {} entities, {} brushes, {} skipped, {} warnings, {} pieces cut free\n  hash {}, loaded in {:.0} ms",
            self.entities,
            self.brushes,
            self.skipped,
            self.warnings,
            self.islands,
            self.hash,
            self.load_ms,
        );
        let Curves {
            patches,
            solid,
            solids,
            error,
        } = self.curves;
        if patches > 0 {
            text += &format!(
                "\n  {solid} of {patches} patches solid, as {solids} solids with a chord error of {error} units"
            );
        }
        let Liquids {
            water, slime, lava, ..
        } = self.liquids;
        if water + slime + lava > 0 {
            text += &format!(
                "\n  brushes of liquid: {water} water, {slime} slime, {lava} lava; none flows where its basin is broken open"
            );
        }
        let Movers {
            doors,
            plats,
            buttons,
            trains,
            rotating,
            triggers,
        } = self.movers;
        if doors + plats + buttons + trains + rotating + triggers > 0 {
            text += &format!(
                "\n  movers: {doors} doors, {plats} plats, {buttons} buttons, {trains} trains, {rotating} rotating; {triggers} triggers"
            );
        }
        if let Some(path) = &self.leak
            && let (Some(from), Some(to)) = (path.first(), path.last())
        {
            text += &format!(
                "\n  leak from {} to {}, {} points",
                point(from),
                point(to),
                path.len()
            );
        }
        if let Some(Played {
            carves,
            phases_ms,
            debris,
            peak_rss_mb,
            state_hash,
        }) = &self.played
        {
            text += &format!(
                "\n  {} carves: p50 {:.3} ms, p99 {:.3} ms, max {:.3} ms; first tenth {:.3} ms, last tenth {:.3} ms",
                carves.count,
                carves.p50_ms,
                carves.p99_ms,
                carves.max_ms,
                carves.first_decile_ms,
                carves.last_decile_ms
            );
            let Phases {
                clip,
                merge,
                conform,
                islands,
                portals,
                bins,
            } = phases_ms;
            text += &format!(
                "\n  ms per carve: clip {clip:.3}, merge {merge:.3}, conform {conform:.3}, islands {islands:.3}, \
                 portals {portals:.3}, bins {bins:.3}"
            );
            text += &format!(
                "\n  {} bodies spawned, {} awake, {} escaped; stepping p50 {:.3} ms, max {:.3} ms",
                debris.spawned,
                debris.awake,
                debris.escaped,
                debris.step_p50_ms,
                debris.step_max_ms
            );
            text += &format!("\n  state hash {state_hash}");
            if let Some(mb) = peak_rss_mb {
                text += &format!(", peak memory {mb:.0} MB");
            }
        }
        text
    }
}

impl Carves {
    pub(super) fn new(count: usize, samples: &[CarveSample]) -> Self {
        let Percentiles {
            p50_ms,
            p99_ms,
            max_ms,
            ..
        } = Percentiles::from_samples(samples.iter().map(|s| s.ms));
        let tenth = samples.len().div_ceil(10);
        let mean = |part: &[CarveSample]| {
            part.iter().map(|s| f64::from(s.ms)).sum::<f64>() / part.len().max(1) as f64
        };
        Self {
            count,
            p50_ms: rounded(p50_ms),
            p99_ms: rounded(p99_ms),
            max_ms: rounded(max_ms),
            first_decile_ms: rounded(mean(&samples[..tenth])),
            last_decile_ms: rounded(mean(&samples[samples.len() - tenth..])),
        }
    }
}

impl Phases {
    pub(super) fn new(samples: &[CarveSample]) -> Self {
        let mut sum = [0.0; Stage::PHASES.len()];
        for sample in samples {
            for (sum, ms) in sum.iter_mut().zip(sample.phases_ms) {
                *sum += f64::from(ms);
            }
        }
        let [clip, merge, conform, islands, portals, bins] =
            sum.map(|s| rounded(s / samples.len().max(1) as f64));
        Self {
            clip,
            merge,
            conform,
            islands,
            portals,
            bins,
        }
    }
}

/// Peak resident memory of the process, MB (10⁶ bytes), on Linux.
pub(super) fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(rounded(kib * 1024.0 / 1e6))
}

/// Rounds to a microsecond (or a kilobyte): smaller parts are noise.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn point([x, y, z]: &[f64; 3]) -> String {
    format!("({x:.2}, {y:.2}, {z:.2})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(count: usize) -> Vec<CarveSample> {
        (1..=count)
            .map(|n| CarveSample {
                ms: n as f32,
                phases_ms: [1.0, 2.0, 3.0, 4.0, 5.0, n as f32],
            })
            .collect()
    }

    #[test]
    fn deciles_are_means_of_the_first_and_last_tenth() {
        let carves = Carves::new(100, &samples(100));
        assert_eq!((carves.first_decile_ms, carves.last_decile_ms), (5.5, 95.5));
        assert_eq!(
            (carves.p50_ms, carves.p99_ms, carves.max_ms),
            (50.0, 99.0, 100.0)
        );
        let few = Carves::new(3, &samples(3));
        assert_eq!((few.first_decile_ms, few.last_decile_ms), (1.0, 3.0));
    }

    #[test]
    fn no_carve_gives_zeros_not_nan() {
        let carves = Carves::new(0, &[]);
        assert_eq!(
            (carves.p50_ms, carves.first_decile_ms, carves.last_decile_ms),
            (0.0, 0.0, 0.0)
        );
        assert_eq!(Phases::new(&[]).bins, 0.0);
    }

    #[test]
    fn phases_are_means_per_carve_in_order() {
        let phases = Phases::new(&samples(3));
        assert_eq!((phases.clip, phases.portals, phases.bins), (1.0, 5.0, 2.0));
    }
}
