//! `breach query LEVEL`: JSON lines in, JSON lines out, one answer for each question, in order.
//!
//! A bad line gets `{"id":..,"error":".."}` and the next one is read; blank lines are passed over.
use super::args::QueryArgs;
use super::files::{Failure, stdout_failure};
use super::run::Run;
use crate::bvh::QueryStats;
use crate::sim::{Settings, Sim};
use crate::timing::Recorder;
use crate::world::{CastHit, World};
use glam::DVec3;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

/// A longer line is a bad line; the rest of it is passed over.
const LONGEST_LINE: usize = 64 * 1024;
/// Coordinates beyond this (a thousand times the grid) are refused, metres: their squares still leave room.
const FARTHEST: f64 = 1e6;

pub(super) fn run(args: &QueryArgs) -> Result<(), Failure> {
    // Nothing moves: the level as loaded answers.
    let mut clock = Recorder::new();
    let Sim { world, .. } = Run::open(&args.level, 1, Settings::default(), &mut clock)?.sim;
    answer_all(&world, io::stdin().lock(), io::stdout().lock())
}

fn answer_all(world: &World, input: impl Read, output: impl Write) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(LONGEST_LINE, input);
    let mut output = BufWriter::new(output);
    while let Some(line) = next_line(&mut input)
        .map_err(|error| Failure::Other(format!("cannot read stdin: {error}")))?
    {
        let answer = match line {
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => continue,
            Line::Whole(bytes) => answer(world, &bytes),
            Line::TooLong => {
                json!({ "id": null, "error": format!("longer than {LONGEST_LINE} bytes") })
            }
        };
        let written = writeln!(output, "{answer}");
        // Whoever asks one at a time waits for the answer before the next question.
        let flushed = if input.buffer().is_empty() {
            output.flush()
        } else {
            Ok(())
        };
        written
            .and(flushed)
            .map_err(|error| stdout_failure(&error))?;
    }
    output.flush().map_err(|error| stdout_failure(&error))
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The next line without its end; None at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let read = input
        .by_ref()
        .take(LONGEST_LINE as u64)
        .read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && read == LONGEST_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(bytes)))
}

/// A question with its parts checked for shape, not yet for sense.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default)]
    #[allow(dead_code)] // Echoed from the raw value, so that even a bad line keeps its id.
    id: Value,
    ray: Option<Segment>,
    sweep: Option<Sweep>,
    sight: Option<Segment>,
    locate: Option<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Segment {
    from: [f64; 3],
    to: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    from: [f64; 3],
    to: [f64; 3],
    radius: f64,
}

/// One line's answer.
fn answer(world: &World, line: &[u8]) -> Value {
    let raw: Value = match serde_json::from_slice(line) {
        Ok(raw) => raw,
        Err(error) => return json!({ "id": null, "error": format!("not JSON: {error}") }),
    };
    let id = raw.get("id").cloned().unwrap_or(Value::Null);
    match serde_json::from_value(raw)
        .map_err(|error| error.to_string())
        .and_then(|question| ask(world, question))
    {
        Ok(mut answer) => {
            // The id comes first on the line.
            let mut line = serde_json::Map::new();
            line.insert("id".into(), id);
            if let Some(fields) = answer.as_object_mut() {
                line.append(fields);
            }
            Value::Object(line)
        }
        Err(error) => json!({ "id": id, "error": error }),
    }
}

/// Answers a question; the error is a sentence for the asker.
fn ask(world: &World, question: Question) -> Result<Value, String> {
    let mut stats = QueryStats::default();
    match (
        question.ray,
        question.sweep,
        question.sight,
        question.locate,
    ) {
        (Some(ray), None, None, None) => {
            let (from, to) = (start(world, ray.from)?, point(ray.to)?);
            Ok(hit(world.cast_ray(from, to, &mut stats)))
        }
        (None, Some(sweep), None, None) => {
            let (from, to) = (start(world, sweep.from)?, point(sweep.to)?);
            if !(0.0..=FARTHEST).contains(&sweep.radius) {
                return Err("radius must be 0 or more metres".into());
            }
            Ok(hit(match sweep.radius {
                0.0 => world.cast_ray(from, to, &mut stats),
                radius => world.sweep_sphere(from, to, radius, &mut stats),
            }))
        }
        (None, None, Some(sight), None) => {
            let (from, to) = (start(world, sight.from)?, point(sight.to)?);
            // A surface at the very end hides nothing: it is what is looked at.
            let blocked = world
                .cast_ray(from, to, &mut stats)
                .is_some_and(|hit| hit.fraction < 1.0);
            Ok(json!({ "visible": !blocked }))
        }
        (None, None, None, Some(place)) => {
            let room = world.locate(point(place)?);
            Ok(json!({ "air": room.is_some(), "room": room }))
        }
        _ => Err("one of ray, sweep, sight, locate is needed".into()),
    }
}

fn hit(hit: Option<CastHit>) -> Value {
    match hit {
        None => json!({ "hit": false }),
        Some(CastHit {
            fraction,
            point,
            normal,
            room,
            ..
        }) => json!({
            "hit": true,
            "fraction": fraction,
            "point": point.to_array(),
            "normal": normal.to_array(),
            "room": room,
        }),
    }
}

/// A point in the air.
fn start(world: &World, xyz: [f64; 3]) -> Result<DVec3, String> {
    let from = point(xyz)?;
    if world.locate(from).is_some() {
        Ok(from)
    } else {
        Err("the start lies in rock".into())
    }
}

fn point(xyz: [f64; 3]) -> Result<DVec3, String> {
    // NaN fails the comparison too.
    if xyz.iter().all(|c| c.abs() <= FARTHEST) {
        Ok(DVec3::from_array(xyz))
    } else {
        Err(format!("a coordinate is beyond {FARTHEST} m"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut input = BufReader::new(input);
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).expect("a slice reads") {
            lines.push(match line {
                Line::Whole(bytes) => Some(bytes.trim_ascii().to_vec()),
                Line::TooLong => None,
            });
        }
        lines
    }

    #[test]
    fn lines_may_be_empty_unended_and_too_long() {
        let mut input = b"one\r\n\ntwo\n".to_vec();
        input.extend(vec![b'x'; LONGEST_LINE + 5]);
        input.extend(b"\nthree");
        let some = |text: &[u8]| Some(text.to_vec());
        assert_eq!(
            lines(&input),
            [some(b"one"), some(b""), some(b"two"), None, some(b"three")]
        );
    }
}
