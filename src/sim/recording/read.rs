//! Reads recordings: tolerates a last line that a crash broke off, refuses everything else that does not fit.
use super::lines::{Head, Line, MOST_SILENT_TICKS};
use super::recorded::{NO_END, Recording};
use crate::level::rules;
use serde::Deserialize;

/// Why a recording was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {text}")]
pub struct RecordingError {
    /// 1-based.
    pub line: usize,
    /// 1-based.
    pub column: usize,
    /// The error in words.
    pub text: String,
}

impl Recording {
    /// Reads a recording. A broken last line (after a crash) is dropped with a warning; any other line that does not fit is
    /// an error.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordingError> {
        Self::read_whole(bytes).map(|(recording, _)| recording)
    }

    /// [`Recording::read`], with the length in bytes of the lines that were read.
    pub fn read_whole(bytes: &[u8]) -> Result<(Self, usize), RecordingError> {
        // Of each line: number, end, text.
        let mut end = 0;
        let mut lines: Vec<(usize, usize, &[u8])> = (1..)
            .zip(bytes.split(|&byte| byte == b'\n'))
            .map(|(number, line)| {
                end = (end + line.len() + 1).min(bytes.len());
                (number, end, line)
            })
            .collect();
        lines.retain(|(_, _, line)| !line.trim_ascii().is_empty());
        let Some((&(number, end, first), rest)) = lines.split_first() else {
            return Err(RecordingError {
                line: 1,
                column: 1,
                text: "the recording is empty".into(),
            });
        };
        let head: Head = parse(number, first)?;
        if head.breach != 1 {
            let text = format!(
                "a recording of version {}; this program reads version 1",
                head.breach
            );
            return Err(RecordingError {
                line: number,
                column: 1,
                text,
            });
        }
        if head.rules < rules::FIRST {
            return Err(RecordingError {
                line: number,
                column: 1,
                text: format!("there are no rules {}", head.rules),
            });
        }
        let mut recording = Self {
            rules: head.rules,
            level: head.level,
            seed: head.seed,
            warnings: rules::note(head.rules)
                .into_iter()
                .chain(head.settings.warnings())
                .collect(),
            settings: head.settings,
            commands: Vec::new(),
            hashes: Vec::new(),
            tick_hashes: Vec::new(),
            ticks: 0,
        };
        let (mut ended, mut whole) = (false, end);
        for (k, &(number, end, bytes)) in rest.iter().enumerate() {
            let line = match parse::<Line>(number, bytes) {
                Ok(line) => line,
                Err(error) if k + 1 == rest.len() && !ended => {
                    recording
                        .warnings
                        .push(format!("the last line is broken and was dropped: {error}"));
                    break;
                }
                Err(error) => return Err(error),
            };
            let wrong = |text: &str| RecordingError {
                line: number,
                column: 1,
                text: text.into(),
            };
            if ended {
                return Err(wrong("there is a line after the end"));
            }
            recording.apply(&line).map_err(wrong)?;
            ended = line.end;
            whole = end;
        }
        if !ended {
            recording.warnings.push(NO_END.into());
        }
        Ok((recording, whole))
    }

    fn apply(&mut self, line: &Line) -> Result<(), &'static str> {
        let last = |lines: Option<u64>| lines.unwrap_or(0);
        let seen = last(self.commands.last().map(|line| line.0))
            .max(last(self.hashes.last().map(|line| line.0)));
        if line.tick < seen {
            return Err("ticks go backwards");
        }
        if line.tick > self.ticks + MOST_SILENT_TICKS {
            return Err("more than an hour of ticks without a line");
        }
        if let Some(command) = &line.command {
            if self
                .commands
                .last()
                .is_some_and(|(tick, _)| *tick >= line.tick)
            {
                return Err("two commands for one tick");
            }
            self.commands.push((line.tick, command.tame()));
            self.ticks = self.ticks.max(line.tick + 1);
        }
        if let Some(text) = &line.state_hash {
            let hash =
                u64::from_str_radix(text, 16).map_err(|_| "a state hash must be 16 hex digits")?;
            if self
                .hashes
                .last()
                .is_some_and(|(tick, _)| *tick >= line.tick)
            {
                return Err("two state hashes for one tick");
            }
            self.hashes.push((line.tick, hash));
            self.ticks = self.ticks.max(line.tick);
        }
        if let Some(text) = &line.tick_hashes {
            let hashes = parse_tick_hashes(text).ok_or("a tick's hash must be 8 hex digits")?;
            let before = self.tick_hashes.last().map_or(0, |(at, _)| *at);
            let first = (line.tick + 1).checked_sub(hashes.len() as u64);
            let first = first.filter(|first| *first > before);
            let first = first.ok_or("more hashes than ticks since the last ones")?;
            self.tick_hashes.extend((first..).zip(hashes));
            self.ticks = self.ticks.max(line.tick);
        }
        if line.end {
            if line.tick < self.ticks {
                return Err("the end comes before the last tick");
            }
            self.ticks = line.tick;
        }
        Ok(())
    }
}

/// Tick hashes of eight hex digits each; None of any other text.
fn parse_tick_hashes(text: &str) -> Option<Vec<u32>> {
    if !(text.len().is_multiple_of(8) && text.bytes().all(|b| b.is_ascii_hexdigit())) {
        return None;
    }
    let words = (0..text.len()).step_by(8).map(|at| text.get(at..at + 8));
    words
        .map(|word| u32::from_str_radix(word?, 16).ok())
        .collect()
}

fn parse<'a, T: Deserialize<'a>>(number: usize, line: &'a [u8]) -> Result<T, RecordingError> {
    serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        // serde_json counts lines within the one line it was given; the position is told once.
        let text = text.split(" at line ").next().unwrap_or(&text).to_string();
        RecordingError {
            line: number,
            column: error.column().max(1),
            text,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::recording::{LevelSource, Recorder};
    use crate::sim::{Action, Command, Settings};

    const HEAD: &str =
        r#"{"breach":1,"level":{"path":"a.map","hash":"00"},"seed":7,"settings":{}}"#;

    fn written(commands: &[Command]) -> Vec<u8> {
        let mut out = Vec::new();
        let level = LevelSource::embed(b"{ caf\xe9 }");
        let mut recorder = Recorder::start(&mut out, &level, u64::MAX, &Settings::default())
            .expect("a Vec takes all");
        for (tick, command) in commands.iter().enumerate() {
            recorder
                .command(&mut out, tick as u64, command)
                .expect("a Vec takes all");
        }
        out
    }

    #[test]
    fn what_is_written_is_read_and_equal_ticks_take_one_line() {
        let walk = Command {
            walk: [0.0, 0.0, 1.0],
            yaw: 0.1 + 0.2,
            ..Command::default()
        };
        let fire = Command {
            actions: vec![Action::Fire],
            ..walk.clone()
        };
        let commands = [
            Command::default(),
            walk.clone(),
            walk.clone(),
            fire.clone(),
            fire.clone(),
            walk.clone(),
            walk.clone(),
        ];
        let bytes = written(&commands);
        let recording = Recording::read(&bytes).expect("just written");
        assert_eq!(recording.seed, u64::MAX);
        assert_eq!(
            recording.level.bytes().as_deref(),
            Some(&b"{ caf\xe9 }"[..])
        );
        assert_eq!(
            recording.commands,
            [(1, walk.clone()), (3, fire.clone()), (4, fire.clone())]
        );
        let played: Vec<Command> = crate::sim::replay::commands(&recording, 7).collect();
        assert_eq!(played, commands);
    }

    #[test]
    fn every_double_survives_the_text() {
        let mut rng = crate::geom::rng::Rng::new(3);
        let commands: Vec<Command> = (0..2000)
            .map(|_| Command {
                yaw: rng.range(-4.0, 4.0),
                pitch: rng.range(-1.5, 1.5),
                walk: [rng.range(-1.0, 1.0) as f32, 0.0, 0.0],
                ..Command::default()
            })
            .collect();
        let recording = Recording::read(&written(&commands)).expect("just written");
        assert!(
            recording
                .commands
                .iter()
                .map(|(_, command)| command)
                .eq(&commands)
        );
    }

    #[test]
    fn a_broken_last_line_is_left_out_with_a_warning() {
        let text = format!("{HEAD}\n{{\"tick\":3,\"command\":{{}}}}\n{{\"tick\":4,\"comm");
        let recording = Recording::read(text.as_bytes()).expect("a crash leaves such files");
        assert_eq!((recording.commands.len(), recording.ticks), (1, 4));
        // Of the first rules, a broken line, no end.
        assert_eq!(recording.warnings.len(), 3);
    }

    #[test]
    fn garbage_is_refused_with_its_line() {
        for (body, line) in [
            ("", 0),
            ("nonsense\n{\"tick\":1,\"end\":true}", 2),
            ("{\"tick\":1,\"what\":2}\n{\"tick\":1,\"end\":true}", 2),
            (
                "{\"tick\":5,\"command\":{}}\n{\"tick\":5,\"command\":{}}",
                3,
            ),
            (
                "{\"tick\":5,\"command\":{}}\n{\"tick\":2,\"command\":{}}",
                3,
            ),
            ("{\"tick\":9,\"command\":{}}\n{\"tick\":2,\"end\":true}", 3),
            ("{\"tick\":1,\"end\":true}\n{\"tick\":2,\"command\":{}}", 3),
            (
                "{\"tick\":1,\"state_hash\":\"xyz\"}\n{\"tick\":2,\"end\":true}",
                2,
            ),
            (
                "{\"tick\":3,\"tick_hashes\":\"0123456g\"}\n{\"tick\":3,\"end\":true}",
                2,
            ),
            (
                "{\"tick\":3,\"tick_hashes\":\"012345\"}\n{\"tick\":3,\"end\":true}",
                2,
            ),
            // Two ticks' hashes after one tick, or another one of the same tick.
            (
                "{\"tick\":1,\"tick_hashes\":\"0123456789abcdef\"}\n{\"tick\":3,\"end\":true}",
                2,
            ),
            (
                "{\"tick\":1,\"tick_hashes\":\"01234567\"}\n{\"tick\":1,\"tick_hashes\":\"01234567\",\"end\":true}",
                3,
            ),
        ] {
            let result = Recording::read(format!("{HEAD}\n{body}").as_bytes());
            assert_eq!(result.err().map_or(0, |error| error.line), line, "{body}");
        }
        assert_eq!(Recording::read(b"").map_err(|error| error.line), Err(1));
        assert_eq!(
            Recording::read(b"\xff\x00{").map_err(|error| error.line),
            Err(1)
        );
        let later = HEAD.replace("\"breach\":1", "\"breach\":2");
        assert!(Recording::read(later.as_bytes()).is_err());
    }

    #[test]
    fn ticks_follow_the_lines_of_the_file_and_none_is_far_behind_the_one_before_it() {
        let most = MOST_SILENT_TICKS;
        let line = |tick: u64, what: &str| format!("{{\"tick\":{tick},{what}}}\n");
        for what in [
            "\"end\":true",
            "\"command\":{\"yaw\":1}",
            "\"state_hash\":\"00000000000000ff\"",
            "\"tick_hashes\":\"01234567\"",
        ] {
            for before in [0, 1, 7000, most] {
                let first = line(before, "\"state_hash\":\"1\"");
                let read = |tick| {
                    let text = format!("{HEAD}\n{first}{}", line(tick, what));
                    // A broken last line would be left out.
                    Recording::read(format!("{text}{}", line(tick + 1, "\"end\":true")).as_bytes())
                };
                for far in [before + most + 1, 1 << 33, 1 << 40, u64::MAX - 2] {
                    let refused = read(far).expect_err(what);
                    assert_eq!(refused.line, 3, "{what}");
                    assert_eq!(refused.text, "more than an hour of ticks without a line");
                }
                if !what.contains("end") {
                    let near = read(before + most - 1).expect(what);
                    assert_eq!(near.ticks, before + most);
                }
            }
        }
        // Line by line it may be as long as anybody likes.
        let long: String = (1..=50)
            .map(|n| line(n * most, "\"state_hash\":\"1\""))
            .collect();
        let long = format!("{HEAD}\n{long}{}", line(50 * most, "\"end\":true"));
        let long = Recording::read(long.as_bytes()).expect("long");
        assert_eq!(long.ticks, 50 * most);
    }

    #[test]
    fn a_recording_cut_anywhere_is_read_or_refused() {
        let walk = Command {
            walk: [0.5, 0.0, 1.0],
            ..Command::default()
        };
        let bytes = written(&[
            walk,
            Command {
                actions: vec![Action::Fire],
                ..Command::default()
            },
        ]);
        for end in 0..bytes.len() {
            let _ = Recording::read(&bytes[..end]);
        }
    }

    #[test]
    fn a_level_beside_is_known_by_its_hash() {
        let source = LevelSource::refer("x.map", b"{}");
        assert!(source.matches(b"{}") && !source.matches(b"{ }"));
        assert!(LevelSource::embed(b"{}").matches(b"{}"));
    }
}
