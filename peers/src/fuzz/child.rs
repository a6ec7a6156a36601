//! Processes with bounds: a judge for each input, and `breach` itself, which is this program under another name.
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Where this is set the program is `breach`, see `main`.
pub const AS_BREACH: &str = "PEERS_AS_BREACH";
/// Bytes of output that are kept.
const MOST_OUTPUT: u64 = 4 << 20;

/// What a process may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of all its threads.
    pub cpu_secs: u64,
    /// For one that waits and does nothing.
    pub wall_secs: u64,
    /// Address space.
    pub memory_kib: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// By itself.
    Code(i32),
    /// Its time was up, while it worked.
    OutOfTime,
    /// Its time was up, while it waited.
    Waiting,
    /// Killed, by this signal: 6 is an abort.
    Signal(i32),
    /// It never began.
    Never,
}

/// A process that ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it complained of.
    pub stderr: String,
}

impl Ended {
    /// The first line of what it complained of; where and why, if that was a panic.
    pub fn complaint(&self) -> String {
        let mut lines = self.stderr.lines().filter(|line| !line.trim().is_empty());
        let first = lines.find(|line| line.contains("panicked at"));
        match first {
            Some(first) => format!("{first} {}", lines.next().unwrap_or_default()),
            None => self.stderr.lines().next().unwrap_or_default().into(),
        }
    }
}

/// `breach` with these words and this input; None threads: as many as there are.
pub fn breach(words: &[&str], input: &[u8], threads: Option<usize>, limits: Limits) -> Ended {
    run(words, input, limits, |command| {
        command.env(AS_BREACH, "1");
        if let Some(threads) = threads {
            command.env("RAYON_NUM_THREADS", threads.to_string());
        }
    })
}

/// This program with these words.
pub fn run(
    words: &[&str],
    input: &[u8],
    limits: Limits,
    prepare: impl FnOnce(&mut Command),
) -> Ended {
    let nothing = Ended {
        ending: Ending::Never,
        stdout: Vec::new(),
        stderr: String::new(),
    };
    let Ok(program) = std::env::current_exe() else {
        return nothing;
    };
    // The shell sets the bounds of itself, and becomes the program.
    let Limits {
        cpu_secs,
        memory_kib,
        ..
    } = limits;
    let script = format!("ulimit -c 0; ulimit -t {cpu_secs}; ulimit -v {memory_kib}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(program).args(words);
    command.env("RUST_BACKTRACE", "0").env_remove(AS_BREACH);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    prepare(&mut command);
    let Ok(mut child) = command.spawn() else {
        return nothing;
    };
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Who does not read to the end has its reasons.
            let _ = stdin.map(|mut stdin| stdin.write_all(input));
        });
        let stdout = scope.spawn(move || all_of(stdout));
        let stderr = scope.spawn(move || all_of(stderr));
        let end = Instant::now() + Duration::from_secs(limits.wall_secs);
        let mut pause = Duration::from_millis(1);
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < end => std::thread::sleep(pause),
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break None;
                }
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        Ended {
            ending: status.map_or(Ending::Waiting, ending),
            stdout: stdout.join().unwrap_or_default(),
            stderr: String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into(),
        }
    })
}

fn all_of(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
        // What is too much is read all the same, so that the writer does not wait for ever.
        let _ = std::io::copy(&mut from, &mut std::io::sink());
    }
    bytes
}

#[cfg(unix)]
fn ending(status: std::process::ExitStatus) -> Ending {
    use std::os::unix::process::ExitStatusExt;
    /// The limit of time sends the first, and the second to who does not listen.
    const SIGXCPU: i32 = 24;
    const SIGKILL: i32 = 9;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Code(code),
        (_, Some(SIGXCPU | SIGKILL)) => Ending::OutOfTime,
        (_, signal) => Ending::Signal(signal.unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn ending(status: std::process::ExitStatus) -> Ending {
    Ending::Code(status.code().unwrap_or(-1))
}
