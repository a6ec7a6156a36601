//! Compares one recording under two settings: durations, and whether the outcome is the same.
//!
//! The recording is played several times under each setting, alternating (A B, B A, ...), so that other load on the machine
//! falls on both. The curve has the median of every tick over the passes. The table has percentiles of each pass: their
//! median over the passes, with the least and the greatest.
use crate::sim::recording::Recording;
use crate::sim::{Action, Command, Settings, Sim, StepReport, replay};
use crate::timing::{Recorder, Stage, percentile};

/// Settings that can be overridden: short name, path in the JSON of [`Settings`], description.
pub const KEYS: [(&str, &str, &str); 16] = [
    (
        "depth",
        "/tree/max_depth",
        "maximum depth of a box tree, 1 to 32",
    ),
    (
        "split",
        "/tree/split",
        "midpoint, median, mean, sah or bottom_up",
    ),
    ("bin", "/tree/faces_per_bin", "triangles per bin, 1 to 64"),
    (
        "volume",
        "/tree/min_volume",
        "smaller bins are not split, cubic metres",
    ),
    (
        "buffer",
        "/buffer_distance",
        "gap kept from surfaces, metres, 0 to 0.2",
    ),
    (
        "radius",
        "/blast_radius",
        "blast radius of rockets, metres, 0.02 to 20",
    ),
    ("shape", "/blast_shape", "rock, concrete or metal"),
    ("debris", "/debris", "true or false"),
    (
        "bodies",
        "/max_bodies",
        "maximum number of bodies, 0 to 20000",
    ),
    ("gravity", "/gravity", "m/s², 0 to 100"),
    (
        "strength",
        "/strength",
        "a factor of all strengths, 0 to 100; 0 is off",
    ),
    (
        "breaks",
        "/breaks",
        "most bonds that break after one check, 1 to 64",
    ),
    (
        "creak",
        "/creak",
        "a factor of the time before a break, 0 to 5; 0 is at once",
    ),
    (
        "block",
        "/block",
        "edge of the blocks that strength is checked in, metres: 0.25, 0.5, 1 or 2",
    ),
    ("layers", "/layers", "collision layers, as in a recording"),
    ("solver", "/solver", "how rockets move, as in a recording"),
];

/// Overrides of a recording's settings, `key=value` each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides(Vec<(&'static str, serde_json::Value)>);

impl Overrides {
    /// Parses `depth=8,split=midpoint`; an empty text overrides nothing.
    ///
    /// # Errors
    /// An unknown key, or a value of the wrong kind or out of range, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut overrides = Vec::new();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}` is not KEY=VALUE"))?;
            let (key, value) = (key.trim(), value.trim());
            let Some((_, path, what)) = KEYS
                .iter()
                .find(|(short, path, _)| key == *short || path[1..].replace('/', ".") == key)
            else {
                let all: Vec<&str> = KEYS.iter().map(|key| key.0).collect();
                return Err(format!(
                    "unknown setting `{key}`; known are {}",
                    all.join(", ")
                ));
            };
            let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
            overrides.push((*path, value));
            let tried = Self(overrides.clone()).tried_over(&Settings::default());
            // Settings files take an unknown name as the default; here it is an error.
            let is_kept = |s: &Settings| {
                let kept = serde_json::to_value(s).expect("settings are JSON");
                let (_, value) = overrides.last().expect("just pushed");
                !value.is_string() || kept.pointer(path) == Some(value)
            };
            if tried
                .as_ref()
                .is_none_or(|s| *s != s.within_limits() || !is_kept(s))
            {
                return Err(format!("`{part}`: {key} is {what}"));
            }
        }
        Ok(Self(overrides))
    }

    /// These settings with the overrides, which were validated by [`Overrides::parse`].
    fn over(&self, settings: &Settings) -> Settings {
        self.tried_over(settings).expect("settings that fit")
    }

    /// These settings with the overrides; None where a value does not fit.
    fn tried_over(&self, settings: &Settings) -> Option<Settings> {
        let mut json = serde_json::to_value(settings).ok()?;
        for (path, value) in &self.0 {
            *json.pointer_mut(path)? = value.clone();
        }
        serde_json::from_value(json).ok()
    }

    fn command(&self, mut command: Command) -> Command {
        for action in &mut command.actions {
            if let Action::Set(settings) = action {
                **settings = self.over(settings);
            }
        }
        command
    }
}

/// Statistics of a number over several passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Spread {
    /// The middle one.
    pub median: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    fn from_samples(mut samples: Vec<f64>) -> Self {
        assert!(!samples.is_empty(), "there is a pass");
        samples.sort_unstable_by(f64::total_cmp);
        Self {
            median: samples[samples.len() / 2],
            least: samples[0],
            most: samples[samples.len() - 1],
        }
    }
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Row {
    /// "tick", a stage's name, or what is counted.
    pub what: &'static str,
    /// "ms", or "" for counts.
    pub unit: &'static str,
    /// Number of ticks in which it happened; percentiles are over these.
    pub ticks: [usize; 2],
    /// Under A and under B.
    pub p50: [Spread; 2],
    #[allow(missing_docs)]
    pub p95: [Spread; 2],
    #[allow(missing_docs)]
    pub p99: [Spread; 2],
    #[allow(missing_docs)]
    pub max: [Spread; 2],
}

impl Row {
    /// B divided by A; None where A is 0.
    pub fn ratio(&self) -> Option<f64> {
        let [a, b] = &self.p50;
        (a.median > 0.0).then(|| b.median / a.median)
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// Overrides of A and B, as typed.
    pub settings: [String; 2],
    /// Ticks played.
    pub ticks: u64,
    /// Number of times that each side was played.
    pub passes: u32,
    /// The first tick after which the states differ (settings aside); None where the outcomes are the same.
    pub first_difference: Option<u64>,
    /// The table.
    pub rows: Vec<Row>,
    /// Milliseconds of every tick under A and B, the median over the passes.
    #[serde(skip)]
    pub curves: [Vec<f32>; 2],
}

/// What is counted of each tick: see [`counts`].
const COUNTS: [&str; 5] = [
    "bins visited",
    "faces tested",
    "blocks checked",
    "bonds checked",
    "breaks",
];
/// Columns of a sample: whole tick and each stage, milliseconds; [`COUNTS`].
const COLUMNS: usize = 1 + Stage::COUNT + COUNTS.len();
type Sample = [f32; COLUMNS];
/// Greatest number of samples of all passes together: 2 GiB.
const MOST_SAMPLES: u64 = (2 << 30) / size_of::<Sample>() as u64;

/// Plays `recording`, whose level is `map`, `passes` times under each of two settings. `progress` gets the part done, 0..=1,
/// and stops it by returning false.
///
/// # Errors
/// The level cannot be opened, the samples would need too much memory, or it was stopped.
pub fn compare(
    recording: &Recording,
    map: &[u8],
    typed: [&str; 2],
    passes: u32,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Comparison, String> {
    let overrides = [Overrides::parse(typed[0])?, Overrides::parse(typed[1])?];
    let passes = passes.max(1);
    let ticks = recording.ticks;
    if ticks.saturating_mul(2 * u64::from(passes)) > MOST_SAMPLES {
        let most = MOST_SAMPLES / ticks / 2;
        return Err(format!(
            "{ticks} ticks are too many for {passes} passes of each side: at most {most} are possible"
        ));
    }
    let mut samples: [Vec<Vec<Sample>>; 2] = Default::default();
    let mut outcomes: [Vec<u64>; 2] = Default::default();
    let mut done = 0;
    for pass in 0..passes {
        let order = if pass % 2 == 0 { [0, 1] } else { [1, 0] };
        for side in order {
            let outcome = (pass == 0).then_some(&mut outcomes[side]);
            let mut part = |part: f64| progress((f64::from(done) + part) / f64::from(2 * passes));
            samples[side].push(play(recording, map, &overrides[side], outcome, &mut part)?);
            done += 1;
        }
    }
    let [a, b] = &outcomes;
    assert_eq!(a.len(), b.len(), "both sides are played to the end");
    let first_difference = a.iter().zip(b).position(|(a, b)| a != b).map(|i| i as u64);
    Ok(Comparison {
        settings: typed.map(Into::into),
        ticks: recording.ticks,
        passes,
        first_difference,
        rows: (0..COLUMNS)
            .filter_map(|column| row(column, &samples))
            .collect(),
        curves: [0, 1].map(|side| curve(&samples[side])),
    })
}

fn play(
    recording: &Recording,
    map: &[u8],
    overrides: &Overrides,
    mut outcome: Option<&mut Vec<u64>>,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<Sample>, String> {
    let level = recording.level.read(map).map_err(|e| e.to_string())?;
    let settings = overrides.over(&recording.settings);
    let mut clock = Recorder::new();
    let mut sim =
        Sim::new(level, recording.seed, settings, &mut clock).map_err(|e| e.to_string())?;
    let mut note = |sim: &Sim| {
        if let Some(outcome) = &mut outcome {
            outcome.push(sim.outcome_hash());
        }
    };
    note(&sim);
    let mut samples = Vec::with_capacity(recording.ticks as usize);
    for command in replay::commands(recording, recording.ticks) {
        let command = overrides.command(command);
        clock.begin_frame();
        let report = sim.step(&command, &mut clock);
        clock.end_frame();
        note(&sim);
        let mut sample = [0.0; COLUMNS];
        let frame = clock.frames().back().expect("it has just ended");
        sample[0] = frame.whole_ms;
        sample[1..=Stage::COUNT].copy_from_slice(&frame.total_ms);
        sample[1 + Stage::COUNT..].copy_from_slice(&counts(&report));
        samples.push(sample);
        if sim.tick.is_multiple_of(64) && !progress(sim.tick as f64 / recording.ticks as f64) {
            return Err("stopped".into());
        }
    }
    Ok(samples)
}

/// The counts of a tick, in the order of [`COUNTS`].
fn counts(report: &StepReport) -> [f32; COUNTS.len()] {
    let [blocks, bonds, breaks] = report.structure_counts();
    [
        report.queries.bins as f32,
        report.queries.faces as f32,
        blocks as f32,
        bonds as f32,
        breaks as f32,
    ]
}

/// A row of the table; None where nothing happened.
fn row(column: usize, samples: &[Vec<Vec<Sample>>; 2]) -> Option<Row> {
    let percentiles = |q: f64| {
        [0, 1].map(|side: usize| {
            let passes = samples[side]
                .iter()
                .map(|pass| percentile(&present(pass, column), q));
            Spread::from_samples(passes.collect())
        })
    };
    let ticks = [0, 1].map(|side: usize| present(&samples[side][0], column).len());
    let (what, unit) = match column {
        0 => ("tick", "ms"),
        _ if column <= Stage::COUNT => (Stage::ALL[column - 1].name(), "ms"),
        _ => (COUNTS[column - 1 - Stage::COUNT], ""),
    };
    // The outermost stage duplicates the whole tick.
    (ticks != [0; 2] && what != Stage::Step.name()).then(|| Row {
        what,
        unit,
        ticks,
        p50: percentiles(0.50),
        p95: percentiles(0.95),
        p99: percentiles(0.99),
        max: percentiles(1.0),
    })
}

/// The positive samples of a column, sorted.
fn present(pass: &[Sample], column: usize) -> Vec<f32> {
    let mut values: Vec<f32> = pass
        .iter()
        .map(|s| s[column])
        .filter(|&x| x > 0.0)
        .collect();
    values.sort_unstable_by(f32::total_cmp);
    values
}

fn curve(passes: &[Vec<Sample>]) -> Vec<f32> {
    let ticks = passes[0].len();
    assert!(passes.iter().all(|pass| pass.len() == ticks));
    let middle = |tick: usize| {
        let mut all: Vec<f32> = passes.iter().map(|pass| pass[tick][0]).collect();
        all.sort_unstable_by(f32::total_cmp);
        all[all.len() / 2]
    };
    (0..ticks).map(middle).collect()
}

impl Comparison {
    /// The table as text.
    pub fn text(&self) -> String {
        let name = |side: usize| match self.settings[side].as_str() {
            "" => "as recorded",
            typed => typed,
        };
        let mut out = format!(
            "{} ticks, {} passes each\nA  {}\nB  {}\n",
            self.ticks,
            self.passes,
            name(0),
            name(1)
        );
        out += &match self.first_difference {
            None => "Both runs are identical, tick for tick.\n".to_string(),
            Some(tick) => {
                format!(
                    "The setting changes what happens: the runs first differ after tick {tick}.\n"
                )
            }
        };
        out += &format!(
            "\n{:<14}{:>7}{:>25}{:>25}{:>9}{:>9}{:>9}{:>9}{:>7}\n",
            "",
            "ticks",
            "A p50 (spread)",
            "B p50 (spread)",
            "A p99",
            "B p99",
            "A max",
            "B max",
            "B/A"
        );
        for row in &self.rows {
            let digits = if row.unit == "ms" { 3 } else { 0 };
            let middle = |s: Spread| {
                format!(
                    "{:.digits$} ({:.digits$}-{:.digits$})",
                    s.median, s.least, s.most
                )
            };
            let tail = |s: Spread| format!("{:.digits$}", s.median);
            let [a, b] = row.p50;
            let ratio = row.ratio().map_or("-".into(), |r| format!("{r:.2}"));
            out += &format!(
                "{:<14}{:>7}{:>25}{:>25}{:>9}{:>9}{:>9}{:>9}{:>7}\n",
                format!("{} {}", row.what, row.unit).trim_end(),
                row.ticks[0],
                middle(a),
                middle(b),
                tail(row.p99[0]),
                tail(row.p99[1]),
                tail(row.max[0]),
                tail(row.max[1]),
                ratio
            );
        }
        out
    }

    /// The curves as CSV: one line a tick, milliseconds of A and B.
    pub fn csv(&self) -> String {
        let mut out = "tick,a_ms,b_ms\n".to_string();
        for (tick, (a, b)) in self.curves[0].iter().zip(&self.curves[1]).enumerate() {
            out += &format!("{tick},{a:.4},{b:.4}\n");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::SplitRule;
    use crate::carve::blast::BlastShape;
    use crate::geom::rng::Rng;
    use crate::level;
    use crate::sim::Timeline;
    use crate::sim::recording::LevelSource;
    use crate::timing::Silent;

    fn recorded(ticks: u64) -> (Recording, &'static [u8]) {
        let map = include_bytes!("../levels/bunker.map");
        let level = level::read_map(map).expect("a level");
        let settings = Settings::default();
        let mut sim = Sim::new(level, 1, settings.clone(), &mut Silent).expect("a world");
        let mut timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
        let mut rng = Rng::new(1);
        for tick in 0..ticks {
            let mut command = match tick % 10 {
                0 => crate::sim::soak_command(&sim, &mut rng),
                _ => sim.idle(),
            };
            if tick == 15 {
                command.actions.push(Action::Set(Box::default()));
            }
            sim.step(&command, &mut Silent);
            timeline.stepped(&command, &sim);
        }
        (timeline.recording().clone(), map)
    }

    #[test]
    fn a_tree_setting_changes_what_is_visited_and_nothing_that_happens() {
        let (recording, map) = recorded(40);
        let typed = ["depth=2", "depth=16,split=sah"];
        let found = compare(&recording, map, typed, 2, &mut |_| true).expect("played");
        assert_eq!((found.ticks, found.first_difference), (40, None));
        let row = |what: &str| found.rows.iter().find(|r| r.what == what).expect("a row");
        // The Set in the middle of the recording does not undo what is compared.
        let bins = row("bins visited");
        assert_ne!(bins.max[0].median, bins.max[1].median, "{bins:?}");
        assert_eq!(bins.p50[0].least, bins.p50[0].most);
        assert!(row("tick").ticks == [40, 40] && row("carve").ticks[0] > 0);
        assert_eq!(found.curves.each_ref().map(Vec::len), [40, 40]);
        assert_eq!(found.csv().lines().count(), 41);
    }

    #[test]
    fn where_a_setting_changes_what_happens_the_first_tick_is_told() {
        let (recording, map) = recorded(30);
        // The hash after 0 ticks is the same: only the first rocket's hole differs.
        let found = compare(&recording, map, ["", "radius=2"], 1, &mut |_| true).expect("played");
        let tick = found.first_difference.expect("another hole");
        let carved = |radius: f64| {
            let level = level::read_map(map).expect("a level");
            let settings = Settings {
                blast_radius: radius,
                ..recording.settings.clone()
            };
            let mut sim = Sim::new(level, 1, settings, &mut Silent).expect("a world");
            for command in replay::commands(&recording, tick) {
                sim.step(&command, &mut Silent);
            }
            sim.world.hash()
        };
        assert_ne!(carved(1.0), carved(2.0));
        assert!(found.text().contains(&format!("after tick {tick}.")));
    }

    #[test]
    fn checks_of_strength_are_rows_of_the_side_that_makes_them() {
        let (recording, map) = recorded(60);
        let typed = ["strength=1,breaks=2", "strength=0"];
        let found = compare(&recording, map, typed, 1, &mut |_| true).expect("played");
        for what in ["structure", "blocks checked", "bonds checked"] {
            let row = found.rows.iter().find(|row| row.what == what);
            let [with, without] = row.expect(what).ticks;
            assert!(with > 0 && without == 0, "{what}: {with} {without}");
        }
        let text = found.text();
        let widths = text.lines().skip(5).map(|line| line.chars().count());
        assert!(
            widths.collect::<std::collections::BTreeSet<_>>().len() == 1,
            "{text}"
        );
    }

    #[test]
    fn settings_are_named_in_two_ways_and_what_does_not_fit_is_refused() {
        let parsed =
            Overrides::parse(" depth=8, buffer_distance=0,tree.split=midpoint").expect("fits");
        let settings = parsed.over(&Settings::default());
        assert_eq!(
            (settings.tree.max_depth, settings.buffer_distance),
            (8, 0.0)
        );
        assert_eq!(settings.tree.split, SplitRule::Midpoint);
        assert_eq!(Overrides::parse(""), Ok(Overrides::default()));
        for (text, why) in [
            ("deep=8", "unknown setting `deep`; known are depth, split,"),
            ("depth", "`depth` is not KEY=VALUE"),
            ("depth=many", "`depth=many`: depth is maximum depth"),
            ("depth=99", "1 to 32"),
            ("depth=-1", "1 to 32"),
            ("buffer=1", "0 to 0.2"),
            ("buffer=nan", "0 to 0.2"),
            ("split=best", "midpoint, median"),
            ("breaks=0", "1 to 64"),
            ("creak=-1", "0 to 5"),
            ("block=0.7", "0.25, 0.5, 1 or 2"),
        ] {
            let refused = Overrides::parse(text).expect_err(text);
            assert!(refused.contains(why), "{refused}");
        }
    }

    #[test]
    fn the_descriptions_name_every_variant() {
        let description = |key: &str| {
            let row = KEYS.iter().find(|row| row.0 == key);
            row.expect("a key").2
        };
        for shape in BlastShape::ALL {
            assert!(description("shape").contains(shape.name()), "{shape:?}");
        }
        let settings = |name: &str| {
            let parsed = Overrides::parse(&format!("split={name}")).expect(name);
            parsed.over(&Settings::default()).tree.split
        };
        for name in ["midpoint", "median", "mean", "sah", "bottom_up"] {
            // A new rule does not compile until it is here and in the description.
            let expected = match settings(name) {
                SplitRule::Midpoint => "midpoint",
                SplitRule::Median => "median",
                SplitRule::Mean => "mean",
                SplitRule::Sah => "sah",
                SplitRule::BottomUp => "bottom_up",
            };
            assert!(name == expected && description("split").contains(name));
        }
    }

    #[test]
    fn what_would_not_fit_into_memory_is_refused_before_it_is_played() {
        let (recording, map) = recorded(2);
        let long = Recording {
            ticks: 1 << 40,
            ..recording.clone()
        };
        for (recording, passes) in [(&long, 1), (&recording, u32::MAX)] {
            let mut played = |_: f64| -> bool { panic!("it is played") };
            let refused = compare(recording, map, ["", ""], passes, &mut played);
            let why = refused.expect_err("refused");
            let ticks = recording.ticks;
            assert!(
                why.starts_with(&format!("{ticks} ticks are too many ")),
                "{why}"
            );
        }
    }

    #[test]
    fn it_can_be_stopped() {
        let (recording, map) = recorded(130);
        let stopped = compare(&recording, map, ["", ""], 3, &mut |part| part < 0.2);
        assert_eq!(stopped, Err("stopped".into()));
    }
}
