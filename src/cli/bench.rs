//! `breach bench`: frames a second of the window on this machine, and where a frame's time goes.
use super::args::BenchArgs;
use super::failure::Failure;
use super::fault::Faults;

#[cfg(feature = "app")]
pub(super) fn run(args: &BenchArgs, faults: Faults) -> Result<(), Failure> {
    use crate::app::bench::Wanted;
    use crate::app::run_bench;
    use crate::builtin::Origin;
    if !super::window::has_display() {
        return Err(Failure::Other(
            "no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set)".into(),
        ));
    }
    let origin = Origin::from_argument(&args.level);
    (origin.check()).map_err(|why| Failure::file(&args.level, why))?;
    let wanted = Wanted {
        size: args.size,
        seconds: f64::from(args.seconds),
    };
    let measured = run_bench(origin, wanted, faults);
    let measured = measured.map_err(|error| Failure::Other(format!("{error:#}")))?;
    super::files::say(&match args.json {
        true => serde_json::to_string(&measured).unwrap_or_default(),
        false => measured.text(),
    })
}

#[cfg(not(feature = "app"))]
pub(super) fn run(_: &BenchArgs, _: Faults) -> Result<(), Failure> {
    Err(Failure::Other(
        "this build has no window (build with the feature `app`)".into(),
    ))
}
