//! The command line as scripts see it, and what a crash left on disk.
use super::super::child::{self, Ended, Ending, Limits};
use super::{Fault, fault};
use breach::journal;
use breach::sim::recording::Recording;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of a level of a few rooms and some lines.
const QUICK: Limits = Limits {
    cpu_secs: 10,
    wall_secs: 60,
    memory_kib: 4 << 20,
};
/// A refusal takes no time and no memory; the machine may be busy with other things.
const AT_ONCE: Limits = Limits {
    cpu_secs: 1,
    wall_secs: 20,
    memory_kib: 2 << 20,
};

/// `breach query` of the level beside: an answer a line, on any count of threads the same.
pub fn query(path: &Path) -> Result<(), Fault> {
    let level = path.with_extension("map").display().to_string();
    let lines = std::fs::read(path).unwrap_or_default();
    let [one, four] =
        [1, 4].map(|threads| child::breach(&["query", &level], &lines, Some(threads), QUICK));
    for ended in [&one, &four] {
        if ended.ending != Ending::Code(0) {
            return fault("exit", format!("{:?}: {}", ended.ending, ended.complaint()));
        }
    }
    if one.stdout != four.stdout {
        return fault("threads", "other answers on another count of threads");
    }
    let asked: Vec<String> = lines
        .split(|&b| b == b'\n')
        .map(|line| String::from_utf8_lossy(line).trim().to_string())
        .filter(|line| !line.is_empty())
        .collect();
    let answers = String::from_utf8_lossy(&one.stdout);
    let answers: Vec<&str> = answers.lines().collect();
    if asked.len() != answers.len() {
        return fault(
            "answers",
            format!("{} lines, {} answers", asked.len(), answers.len()),
        );
    }
    let pairs: Vec<(&str, &str)> = asked.iter().map(String::as_str).zip(answers).collect();
    for (line, answer) in &pairs {
        let is_object = answer.starts_with("{\"id\":") && answer.ends_with('}');
        let is_number = |word: &str| !answer.contains(word);
        let is_sound = ["NaN", "inf", "fraction\":null"].into_iter().all(is_number);
        if !is_object || !(is_sound || answer.contains("\"error\":")) {
            return fault("answers", format!("{line}: {answer}"));
        }
        if let Some(text) = contradiction(line, answer) {
            return fault("words", text);
        }
    }
    pairs
        .windows(2)
        .try_for_each(|pair| beside(pair[0], pair[1]))
}

/// A refusal whose own words allow what was asked.
fn contradiction(line: &str, answer: &str) -> Option<String> {
    let (_, after) = line.split_once("\"radius\":")?;
    let number: f64 = after.trim_end_matches('}').trim().parse().ok()?;
    let (_, limits) = answer.split_once("radius must ")?;
    let words = limits.split(|c: char| !(c.is_ascii_digit() || ".-+e".contains(c)));
    let limits: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let is_allowed = match limits[..] {
        [least] => least <= number,
        [.., least, most] => (least..=most).contains(&number),
        [] => true,
    };
    is_allowed.then(|| format!("a radius of {number:e} is refused: {answer}"))
}

/// What a line asks.
fn part<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = line.split_once(&format!("\"{name}\":"))?;
    Some(after.trim_end_matches('}'))
}

/// Two questions that follow each other and ask of the same way: their answers fit.
fn beside((first, answer): (&str, &str), (second, other): (&str, &str)) -> Result<(), Fault> {
    let says = |text: &str, word: &str| text.contains(word);
    let odd = |what: &str| {
        fault(
            "answers",
            format!("{what}: {first} {answer} {second} {other}"),
        )
    };
    if let (Some(ray), Some(sweep)) = (part(first, "ray"), part(second, "sweep"))
        && sweep.strip_suffix(",\"radius\":0") == Some(ray)
        && answer != other
    {
        return odd("a sweep of radius 0 is no ray");
    }
    if let (Some(sweep), Some(sight)) = (part(first, "sweep"), part(second, "sight"))
        && sweep.strip_suffix(",\"radius\":0") == Some(sight)
    {
        let is_free = says(answer, "\"hit\":false") || says(answer, "\"fraction\":1.0,");
        let is_hit = says(answer, "\"hit\":true") && !is_free;
        if (is_free && says(other, "\"visible\":false"))
            || (is_hit && says(other, "\"visible\":true"))
        {
            return odd("sight and ray do not agree");
        }
    }
    if let (Some(sight), Some(place)) = (part(first, "sight"), part(second, "locate"))
        && sight.contains(&format!("\"from\":{place},"))
        && says(answer, "lies in rock") != says(other, "\"air\":false")
        && !says(other, "error")
        && !says(answer, "beyond")
    {
        return odd("a start is air and rock");
    }
    Ok(())
}

/// A folder that goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("breach-fuzz-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::create_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A recording and its marker as a crash left them: mended, it opens as before, and is not offered again.
pub fn left(path: &Path) -> Result<(), Fault> {
    let folder = Folder::new();
    let file = folder.0.join("play-1.breach");
    let copied = std::fs::copy(path.with_extension("breach"), &file)
        .and(std::fs::copy(path, folder.0.join("play-1.open")));
    if copied.is_err() {
        return fault("usage", "a .breach is needed beside the .open");
    }
    let read = || Recording::read(&std::fs::read(&file).unwrap_or_default());
    let before = read();
    let Some(left) = journal::find_crashed(&folder.0) else {
        return Ok(());
    };
    left.repair();
    let after = match (&before, read()) {
        (Ok(_), Err(error)) => return fault("left", format!("mended it is refused: {error}")),
        (_, after) => after,
    };
    if let (Ok(before), Ok(after)) = (before, after)
        && before.commands != after.commands
    {
        return fault("left", "mended it has other commands");
    }
    match journal::find_crashed(&folder.0) {
        Some(_) => fault("left", "it is offered again"),
        None => Ok(()),
    }
}

/// A file that is none: refused, at once.
pub fn odd_file(bytes: &[u8]) -> Result<(), Fault> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let (kind, words) = (
        lines.next().unwrap_or_default(),
        lines.next().unwrap_or_default(),
    );
    let folder = Folder::new();
    let path = folder.0.join("level");
    if !make(kind, &path) {
        return Ok(());
    }
    let at = path.display().to_string();
    let out = folder.0.join("out.obj").display().to_string();
    let words: Vec<&str> = words
        .split(' ')
        .map(|word| match word {
            "@" => &at,
            "out.obj" => &out,
            word => word,
        })
        .collect();
    let Ended { ending, stderr, .. } = child::breach(&words, b"", None, AT_ONCE);
    match ending {
        Ending::Code(1) if !stderr.is_empty() => Ok(()),
        _ => fault(
            "odd",
            format!("{kind}: {} ends with {ending:?}", words.join(" ")),
        ),
    }
}

fn make(kind: &str, path: &Path) -> bool {
    match kind {
        "fifo" => Command::new("mkfifo")
            .arg(path)
            .status()
            .is_ok_and(|status| status.success()),
        "folder" => std::fs::create_dir(path).is_ok(),
        "empty" => std::fs::write(path, "").is_ok(),
        "missing" => true,
        _ => make_on_unix(kind, path),
    }
}

#[cfg(unix)]
fn make_on_unix(kind: &str, path: &Path) -> bool {
    use std::os::unix::fs::symlink;
    match kind {
        "socket" => std::os::unix::net::UnixListener::bind(path).is_ok(),
        "loop" => symlink(path, path).is_ok(),
        device => symlink(device, path).is_ok(),
    }
}

#[cfg(not(unix))]
fn make_on_unix(_: &str, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_contradicts_itself_where_its_limits_hold_what_was_asked() {
        let says = |radius: &str, text: &str| {
            let line = format!(
                "{{\"id\":1,\"sweep\":{{\"from\":[0,0,0],\"to\":[1,0,0],\"radius\":{radius}}}}}"
            );
            let answer = format!("{{\"id\":1,\"error\":\"{text}\"}}");
            contradiction(&line, &answer).is_some()
        };
        assert!(says("1e308", "radius must be 0 or more metres"));
        assert!(!says("-1", "radius must be 0 or more metres"));
        assert!(!says("1e308", "radius must be 0 to 1000000 metres"));
        assert!(says("20", "radius must be 0 to 1e6 metres"));
        assert!(!says("20", "missing field `radius` at line 1 column 70"));
    }

    #[test]
    fn questions_of_one_way_are_held_against_each_other() {
        let way = "{\"from\":[0.0, 1.0, 2.0],\"to\":[1.0, 1.0, 2.0]";
        let ray = format!("{{\"id\":1,\"ray\":{way}}}}}");
        let sweep = format!("{{\"id\":1,\"sweep\":{way},\"radius\":0}}}}");
        let sight = format!("{{\"id\":1,\"sight\":{way}}}}}");
        let place = "{\"id\":1,\"locate\":[0.0, 1.0, 2.0]}";
        let (hit, free) = (
            "{\"id\":1,\"hit\":true,\"fraction\":0.5,}",
            "{\"id\":1,\"hit\":false}",
        );
        let (seen, hidden) = (
            "{\"id\":1,\"visible\":true}",
            "{\"id\":1,\"visible\":false}",
        );
        let (air, rock) = (
            "{\"id\":1,\"air\":true,\"room\":0}",
            "{\"id\":1,\"air\":false,\"room\":null}",
        );
        let lies = "{\"id\":1,\"error\":\"the start lies in rock\"}";
        assert!(beside((&ray, hit), (&sweep, hit)).is_ok());
        assert!(beside((&ray, hit), (&sweep, free)).is_err());
        assert!(beside((&sweep, hit), (&sight, hidden)).is_ok());
        assert!(beside((&sweep, hit), (&sight, seen)).is_err());
        assert!(beside((&sweep, free), (&sight, hidden)).is_err());
        assert!(beside((&sight, seen), (place, air)).is_ok());
        assert!(beside((&sight, seen), (place, rock)).is_err());
        assert!(beside((&sight, lies), (place, rock)).is_ok());
        assert!(beside((&sight, lies), (place, air)).is_err());
    }
}
