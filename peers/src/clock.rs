//! Time that this thread spent computing, by stage.
use breach::timing::{Marker, Stage};
use cpu_time::ThreadTime;

/// Adds up the stages of carves.
#[derive(Default)]
pub struct Phases {
    open: Vec<(Stage, Option<ThreadTime>)>,
    /// Milliseconds by [`Stage::index`].
    pub ms: [f64; Stage::COUNT],
}

impl Marker for Phases {
    fn begin(&mut self, stage: Stage) {
        self.open.push((stage, Some(ThreadTime::now())));
    }
    fn end(&mut self, stage: Stage) {
        if let Some((open, Some(since))) = self.open.pop()
            && open == stage
        {
            self.ms[stage.index()] += since.elapsed().as_secs_f64() * 1e3;
        }
    }
}

/// What `f` gives, and the milliseconds of this thread that it took.
pub fn timed<T>(f: impl FnOnce() -> T) -> (T, f64) {
    let since = ThreadTime::now();
    let result = f();
    (result, since.elapsed().as_secs_f64() * 1e3)
}

/// Milliseconds of many carves in one line.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Summary {
    pub mean: f64,
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
    /// Median of the first tenth.
    pub first: f64,
    /// Median of the last tenth.
    pub last: f64,
}

/// Of carves in the order in which they were made.
pub fn summary(ms: &[f64]) -> Summary {
    if ms.is_empty() {
        return Summary::default();
    }
    let at = |list: &[f64], q: f64| {
        let mut list = list.to_vec();
        list.sort_by(f64::total_cmp);
        let rank = (q * list.len() as f64).ceil() as usize;
        list[rank.clamp(1, list.len()) - 1]
    };
    let tenth = ms.len().div_ceil(10);
    Summary {
        mean: ms.iter().sum::<f64>() / ms.len() as f64,
        p50: at(ms, 0.5),
        p99: at(ms, 0.99),
        max: at(ms, 1.0),
        first: at(&ms[..tenth], 0.5),
        last: at(&ms[ms.len() - tenth..], 0.5),
    }
}
