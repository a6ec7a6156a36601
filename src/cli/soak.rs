//! `breach soak LEVEL --rockets N`: random rockets, one a tick, then ticks without input; the same seed gives the same hashes.
use super::args::SoakArgs;
use super::failure::Failure;
use super::run::{Run, recorder, refused, write_timings};
use crate::sim::Settings;

pub(super) fn run(args: &SoakArgs) -> Result<(), Failure> {
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .map_err(|error| Failure::Other(format!("cannot start {threads} threads: {error}")))?;
    }
    let settings = Settings {
        blast_radius: args.play.radius,
        debris: !args.no_debris,
        strength: args.strength,
        ..Settings::default()
    };
    let mut clock = recorder(&args.reports);
    let mut run = Run::open(&args.level, args.play.seed, settings, &mut clock)
        .map_err(|failure| refused(failure, &args.level, args.reports.json))?;
    run.soak(args.play.seed, args.rockets, args.play.ticks);
    let result = run.finish(run.played(), &args.reports);
    write_timings(&clock, &args.reports)?;
    result
}
