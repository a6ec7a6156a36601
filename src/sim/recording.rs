//! Recordings, `.breach`: a run as JSON lines, written tick by tick so that after a crash the file is there.
//!
//! ```text
//! {"breach":1,"rules":3,"level":{"text":".."},"seed":1,"settings":{..}}      or "level":{"path":"..","hash":"16 hex"}
//! {"tick":0,"command":{..}}                                         the command of tick 0
//! {"tick":60,"state_hash":"16 hex","tick_hashes":"60 x 8 hex"}      after 60 ticks
//! {"tick":90,"end":true}                                            after 90 ticks
//! ```
//!
//! A tick without a line goes on with the command before it less its actions ([`Command::held`]), so a run of equal
//! ticks takes one line and plays back exactly. `tick_hashes` are the last ticks' [`Sim::tick_hash`]es up to this one, so
//! that a replay names the tick from which on it differs and not only the second; a file may lack them. Inside JSON each
//! byte of a level is the character U+0000 to U+00FF. A head without `rules` was made by the first ones
//! ([`crate::level::rules`]); hashes are held against a replay only under the rules they were made by.
//! Nothing here knows files: lines go to a writer, recordings come from bytes.
mod recorder;
mod source;

use super::{Command, Settings, Sim};
use crate::level::rules;
pub use recorder::Recorder;
use serde::{Deserialize, Serialize};
pub use source::{LevelSource, level_hash};
use std::io::{self, Write};

/// Ticks between two state hashes.
pub const HASH_TICKS: u64 = 60;
/// Ticks that may pass without a line, an hour: a recorder writes one every [`HASH_TICKS`]. So what playing a recording
/// takes follows what is in the file, not what its last line claims.
pub const MOST_SILENT_TICKS: u64 = 60 * 60 * 60;
/// The warning of a recording that a crash left.
const NO_END: &str = "the recording has no end marker: it stops at its last line";

/// A recording as read.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// By which [`rules`] it was made.
    pub rules: u32,
    /// Which level.
    pub level: LevelSource,
    /// Seed of [`Sim::new`].
    pub seed: u64,
    /// Settings of [`Sim::new`].
    pub settings: Settings,
    /// Ticks that had input, ascending.
    pub commands: Vec<(u64, Command)>,
    /// State hashes: ticks done and hash, ascending.
    pub hashes: Vec<(u64, u64)>,
    /// [`Sim::tick_hash`]es, where there are any: ticks done and hash, ascending.
    pub tick_hashes: Vec<(u64, u32)>,
    /// Ticks in all.
    pub ticks: u64,
    /// What was mended, such as a broken last line.
    pub warnings: Vec<String>,
}

/// Why a recording was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {text}")]
pub struct RecordingError {
    /// 1-based.
    pub line: usize,
    /// 1-based.
    pub column: usize,
    /// What is wrong.
    pub text: String,
}

impl Recording {
    /// The command of a tick: the line of the tick, or what the line before it holds.
    pub fn command(&self, tick: u64) -> Command {
        let after = self.commands.partition_point(|(at, _)| *at <= tick);
        match after.checked_sub(1).map(|i| &self.commands[i]) {
            Some((at, command)) if *at == tick => command.clone(),
            Some((_, command)) => command.held(),
            None => Command::default(),
        }
    }

    /// A tick was stepped with this command, as [`Recorder`] would write it. `held` is what the command before held.
    pub(super) fn note(&mut self, held: &mut Command, command: &Command, sim: &Sim) {
        assert_eq!(sim.tick, self.ticks + 1, "ticks are noted one by one");
        let command = command.tame();
        if command != *held {
            *held = command.held();
            self.commands.push((sim.tick - 1, command));
        }
        self.tick_hashes.push((sim.tick, sim.tick_hash()));
        if sim.tick.is_multiple_of(HASH_TICKS) {
            self.hashes.push((sim.tick, sim.state_hash()));
        }
        self.ticks = sim.tick;
    }

    /// The hash of a tick; None where there is none.
    pub(super) fn tick_hash(&self, tick: u64) -> Option<u32> {
        let at = self.tick_hashes.binary_search_by_key(&tick, |line| line.0);
        at.ok().map(|at| self.tick_hashes[at].1)
    }

    /// The same with one more tick, of which nothing is known but its command.
    #[must_use]
    pub fn with_tick(&self, command: &Command) -> Self {
        let mut recording = self.clone();
        let (tick, command) = (self.ticks, command.tame());
        if command != self.command(tick) {
            recording.commands.push((tick, command));
        }
        recording.ticks += 1;
        recording
    }

    /// Forgets the ticks from this one on.
    pub(super) fn cut(&mut self, tick: u64) {
        assert!(tick <= self.ticks, "there are no {tick} ticks yet");
        self.commands.retain(|(at, _)| *at < tick);
        self.hashes.retain(|(at, _)| *at <= tick);
        self.tick_hashes.retain(|(at, _)| *at <= tick);
        self.ticks = tick;
    }

    /// Writes the whole recording: what is read again is the same.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_open(out)?.end_at(out, self.ticks)
    }

    /// Whether it ends as it should, not within a crash.
    pub fn is_ended(&self) -> bool {
        !self.warnings.iter().any(|warning| warning == NO_END)
    }

    /// Writes all but the end: what comes next can be written behind it, by the recorder that comes back.
    pub fn write_open(&self, out: &mut dyn Write) -> io::Result<Recorder> {
        let head = Head {
            breach: 1,
            rules: self.rules,
            level: self.level.clone(),
            seed: self.seed,
            settings: self.settings.within_limits(),
        };
        let mut recorder = Recorder::start_with(out, &head)?;
        let mut hashes = self.hashes.iter().peekable();
        let mut of_ticks = self.tick_hashes.iter().peekable();
        let mut write_hashes = |recorder: &mut Recorder, out: &mut dyn Write, up_to: u64| {
            while let Some((tick, hash)) = hashes.next_if(|(at, _)| *at <= up_to) {
                while let Some((at, hash)) = of_ticks.next_if(|(at, _)| at <= tick) {
                    recorder.note(*at, *hash);
                }
                recorder.write_hash(out, *tick, *hash)?;
            }
            Ok::<(), io::Error>(())
        };
        for (tick, command) in &self.commands {
            write_hashes(&mut recorder, out, *tick)?;
            recorder.command(out, *tick, command)?;
        }
        write_hashes(&mut recorder, out, u64::MAX)?;
        for (at, hash) in of_ticks {
            recorder.note(*at, *hash);
        }
        Ok(recorder)
    }

    /// Reads a recording. A last line that is broken off (a crash) is left out with a warning; any other line that
    /// does not fit is an error.
    pub fn read(bytes: &[u8]) -> Result<Self, RecordingError> {
        Self::read_whole(bytes).map(|(recording, _)| recording)
    }

    /// [`Recording::read`], and the bytes up to the end of the last line that is not left out.
    pub fn read_whole(bytes: &[u8]) -> Result<(Self, usize), RecordingError> {
        // By line: its number, where the next one begins, and what it says.
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
            recording.take(&line).map_err(wrong)?;
            ended = line.end;
            whole = end;
        }
        if !ended {
            recording.warnings.push(NO_END.into());
        }
        Ok((recording, whole))
    }

    fn take(&mut self, line: &Line) -> Result<(), &'static str> {
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

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    breach: u32,
    #[serde(default = "first_rules")]
    rules: u32,
    level: LevelSource,
    seed: u64,
    #[serde(default = "Settings::unsaid")]
    settings: Settings,
}

fn first_rules() -> u32 {
    rules::FIRST
}

/// Every other line.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    tick: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<Command>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tick_hashes: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    end: bool,
}

/// Eight hex digits a tick, in order; None where it is not that.
fn parse_tick_hashes(text: &str) -> Option<Vec<u32>> {
    if !(text.len().is_multiple_of(8) && text.bytes().all(|b| b.is_ascii_hexdigit())) {
        return None;
    }
    let words = (0..text.len()).step_by(8).map(|at| text.get(at..at + 8));
    words
        .map(|word| u32::from_str_radix(word?, 16).ok())
        .collect()
}

fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_string(line).map_err(io::Error::other)?;
    text.push('\n');
    out.write_all(text.as_bytes())
}

fn parse<'a, T: Deserialize<'a>>(number: usize, line: &'a [u8]) -> Result<T, RecordingError> {
    serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        // serde_json counts within the one line it was given; its place is told once.
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
    use crate::sim::Action;

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
        assert!(source.is(b"{}") && !source.is(b"{ }"));
        assert!(LevelSource::embed(b"{}").is(b"{}"));
    }
}
