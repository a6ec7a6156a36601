//! `breach compare FILE.breach --a key=value,.. --b key=value,..`: compares one recording under two settings in a table.
use super::args::CompareArgs;
use super::failure::Failure;
use super::files;
use super::replay;
use super::run::refused;
use crate::compare::{Comparison, Overrides, compare};
use std::io::{IsTerminal, Write};

pub(super) fn run(args: &CompareArgs) -> Result<(), Failure> {
    for (flag, text) in [("--a", &args.a), ("--b", &args.b)] {
        Overrides::parse(text).map_err(|why| Failure::Usage(format!("{flag}: {why}")))?;
    }
    let picture = match args.output.as_ref().and_then(|path| path.extension()) {
        None if args.output.is_none() => false,
        Some(ending) if ending.eq_ignore_ascii_case("csv") => false,
        Some(ending) if ending.eq_ignore_ascii_case("png") => true,
        _ => return Err(Failure::Usage("-o must end in .png or .csv".into())),
    };
    let fail = |failure| refused(failure, &args.file, args.json);
    let recording = replay::read(&args.file).map_err(fail)?;
    let (name, level) = replay::level(&args.file, &recording.level).map_err(fail)?;
    let is_seen = std::io::stderr().is_terminal();
    let mut progress = |part: f64| {
        if is_seen {
            let _ = write!(std::io::stderr(), "\r\x1b[K{:.0} %", part * 100.0);
        }
        true
    };
    let typed = [args.a.as_str(), args.b.as_str()];
    let found = compare(&recording, &level, typed, args.passes, &mut progress);
    if is_seen {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let found = found.map_err(|why| fail(Failure::file(&name, why)))?;
    if let Some(path) = &args.output {
        let bytes = match picture {
            true => curves_png(&found).map_err(|why| Failure::file(path, why))?,
            false => found.csv().into_bytes(),
        };
        files::save(path, &bytes)?;
    }
    if args.json {
        let mut line = serde_json::json!({ "file": args.file.display().to_string() });
        let table = serde_json::to_value(&found).unwrap_or_default();
        if let (Some(line), serde_json::Value::Object(table)) = (line.as_object_mut(), table) {
            line.extend(table);
        }
        files::say(&line.to_string())
    } else {
        files::say(found.text().trim_end())
    }
}

#[cfg(feature = "render")]
fn curves_png(found: &Comparison) -> Result<Vec<u8>, String> {
    let (pixels, size) =
        crate::timing::graph::comparison(&found.curves, crate::sim::TICK_SECS, &found.text());
    crate::render::png(&pixels, size)
}

#[cfg(not(feature = "render"))]
fn curves_png(_: &Comparison) -> Result<Vec<u8>, String> {
    Err("this build cannot draw (build it with the feature `render`)".into())
}
