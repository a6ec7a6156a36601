//! `breach query LEVEL`: JSON lines in, JSON lines out, one answer for each query, in order.
//!
//! A bad line is answered by `{"id":..,"error":".."}`; blank lines are skipped. All complete lines read so far are answered,
//! on all cores, before more is read: a file runs at full speed, and an interactive client gets each answer at once.
use super::args::QueryArgs;
use super::failure::Failure;
use super::files::stdout_failure;
use super::run::Run;
use crate::bvh::QueryStats;
use crate::sim::{Settings, Sim};
use crate::timing::Recorder;
use crate::world::{CastHit, RoomId, World};
use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;
use std::io::{self, BufRead, Read, Write};

mod line;

use line::{Query, QueryLine};

/// Lines this long or longer are refused, bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// Bytes per read.
const BLOCK: usize = 1024 * 1024;
/// Lines per task.
const SHARE: usize = 128;
/// Greatest coordinate (a thousand times the grid), metres: its square is far from overflow.
const FARTHEST: f64 = 1e6;

pub(super) fn run(args: &QueryArgs) -> Result<(), Failure> {
    // Nothing moves: queries are answered by the level as loaded.
    let mut clock = Recorder::new();
    let Sim { world, .. } = Run::open(&args.level, 1, Settings::default(), &mut clock)?.sim;
    let answers = |block: &[u8]| answers(&world, block);
    answer_all(answers, io::stdin().lock(), io::stdout().lock())
}

/// Passes complete lines to `answers`, as many as there are, and writes the result.
fn answer_all(
    answers: impl Fn(&[u8]) -> Vec<u8>,
    mut input: impl Read,
    mut output: impl Write,
) -> Result<(), Failure> {
    let mut buffer = vec![0; LONGEST_LINE + BLOCK];
    // Length of an incomplete line at the start of the buffer.
    let mut pending = 0;
    loop {
        let read = match input.read(&mut buffer[pending..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(|error| Failure::Other(format!("cannot read stdin: {error}")))?,
        };
        let filled = pending + read;
        let ended = buffer[pending..filled].iter().rposition(|&b| b == b'\n');
        let whole = match ended {
            _ if read == 0 => filled,
            Some(last) => pending + last + 1,
            None => 0,
        };
        let written = output.write_all(&answers(&buffer[..whole]));
        written
            .and_then(|()| output.flush())
            .map_err(|error| stdout_failure(&error))?;
        if read == 0 {
            return Ok(());
        }
        // Of a line that is too long, enough to detect that.
        pending = (filled - whole).min(LONGEST_LINE);
        if whole > 0 {
            buffer.copy_within(whole..whole + pending, 0);
        }
    }
}

/// The answers to some lines, in their order.
fn answers(world: &World, block: &[u8]) -> Vec<u8> {
    let lines = lines(block);
    let share = |lines: &[&[u8]]| {
        let mut out = Vec::with_capacity(lines.len() * 192);
        for line in lines {
            let asked = if line.len() < LONGEST_LINE {
                line::read(line)
            } else {
                QueryLine::bad(format!("longer than {LONGEST_LINE} bytes"))
            };
            let answer = asked.query.and_then(|query| ask(world, query));
            write_answer(&mut out, &asked.id, answer);
        }
        out
    };
    let shares: Vec<Vec<u8>> = lines.par_chunks(SHARE).map(share).collect();
    shares.concat()
}

/// The lines that are not blank, trimmed.
fn lines(block: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::with_capacity(block.len() / 64);
    let mut rest = block;
    while !rest.is_empty() {
        let mut after = rest;
        // Reading memory cannot fail.
        let len = after.skip_until(b'\n').unwrap_or(rest.len());
        let line = rest[..len].trim_ascii();
        if !line.is_empty() {
            lines.push(line);
        }
        rest = after;
    }
    lines
}

/// The answer to a query.
enum Answer {
    Hit(Option<CastHit>),
    Visible(bool),
    Located(Option<RoomId>),
}

/// Answers a query; the error is a sentence for the client.
fn ask(world: &World, query: Query) -> Result<Answer, String> {
    let mut stats = QueryStats::default();
    match query {
        Query::Ray { from, to } => {
            let (from, to) = (start(world, from)?, point(to)?);
            Ok(Answer::Hit(world.cast_ray(from, to, &mut stats)))
        }
        Query::Sweep { from, to, radius } => {
            let (from, to) = (start(world, from)?, point(to)?);
            if !(0.0..=FARTHEST).contains(&radius) {
                return Err(format!("radius must be 0 to {FARTHEST} metres"));
            }
            Ok(Answer::Hit(match radius {
                0.0 => world.cast_ray(from, to, &mut stats),
                radius => world.sweep_sphere(from, to, radius, &mut stats),
            }))
        }
        Query::Sight { from, to } => {
            let (from, to) = (start(world, from)?, point(to)?);
            // A surface at the very end hides nothing: it is the target.
            let hit = world.cast_ray(from, to, &mut stats);
            Ok(Answer::Visible(hit.is_none_or(|hit| hit.fraction >= 1.0)))
        }
        Query::Locate(at) => Ok(Answer::Located(world.locate(point(at)?))),
    }
}

/// The start of a query, which must be in the air.
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

/// Writes one line; `id` is echoed JSON, and comes first.
fn write_answer(out: &mut Vec<u8>, id: &[u8], answer: Result<Answer, String>) {
    out.extend_from_slice(b"{\"id\":");
    out.extend_from_slice(id);
    match answer {
        Ok(Answer::Hit(None)) => out.extend_from_slice(b",\"hit\":false"),
        Ok(Answer::Hit(Some(hit))) => {
            out.extend_from_slice(b",\"hit\":true,\"fraction\":");
            json(out, &hit.fraction);
            out.extend_from_slice(b",\"point\":");
            json(out, &hit.point.to_array());
            out.extend_from_slice(b",\"normal\":");
            json(out, &hit.normal.to_array());
            out.extend_from_slice(b",\"room\":");
            json(out, &hit.room);
        }
        Ok(Answer::Visible(visible)) => {
            out.extend_from_slice(b",\"visible\":");
            json(out, &visible);
        }
        Ok(Answer::Located(room)) => {
            out.extend_from_slice(b",\"air\":");
            json(out, &room.is_some());
            out.extend_from_slice(b",\"room\":");
            json(out, &room);
        }
        Err(error) => {
            out.extend_from_slice(b",\"error\":");
            json(out, &error);
        }
    }
    out.extend_from_slice(b"}\n");
}

fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    // Writing numbers and text to memory cannot fail.
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a few bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(to.len());
            to[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn lines_may_be_empty_unended_and_too_long_and_come_in_any_pieces() {
        let mut input = b"one\r\n\ntwo\n".to_vec();
        input.extend(vec![b'x'; LONGEST_LINE + 5]);
        input.extend(b"\nthree");
        // A line that is too long arrives as its start alone.
        let mut expected = b"one\r\n|\n|two\n|".to_vec();
        expected.extend(vec![b'x'; LONGEST_LINE]);
        expected.extend(b"..\n|three|");
        for piece in [1, 7, 1000, LONGEST_LINE, BLOCK * 2] {
            let marked = |block: &[u8]| {
                let mut out = Vec::new();
                for line in block.split_inclusive(|&b| b == b'\n') {
                    let kept = line.len().min(LONGEST_LINE);
                    out.extend(&line[..kept]);
                    out.extend(if kept < line.len() {
                        &b"..\n|"[..]
                    } else {
                        b"|"
                    });
                }
                out
            };
            let mut output = Vec::new();
            let drops = Drops(&input, piece);
            assert!(answer_all(marked, drops, &mut output).is_ok());
            assert!(output == expected, "pieces of {piece}");
        }
    }
}
