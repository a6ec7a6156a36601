//! Reads what a harness wrote. A file that is not as FORMAT.md says is refused whole: a typing error must not look like a
//! figure that was not measured.
use super::FIRST_LINE;
use super::sets::{Figure, Set};
use std::collections::BTreeMap;

/// One engine's figures.
#[derive(Debug)]
pub struct Results {
    /// Name and version.
    pub engine: String,
    /// The compiler and its flags.
    pub compiler: String,
    /// By set and figure, in the figure's unit.
    pub figures: BTreeMap<(Set, Figure), f64>,
}

impl Results {
    /// From a file's bytes; or its name, the line and what is wrong there.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Results, String> {
        let at = |line: usize, why: String| format!("{file}:{line}: {why}");
        let text = std::str::from_utf8(bytes).map_err(|e| {
            let before = &bytes[..e.valid_up_to()];
            let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
            at(line, "this is no UTF-8".into())
        })?;
        let numbered = (1..).zip(text.lines().map(str::trim));
        let mut lines = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let end = text.lines().count() + 1;
        let mut headed = |word: &str, shape: &str| {
            let (line, text) = lines.next().unwrap_or((end, ""));
            match text.strip_prefix(word) {
                Some(rest) if rest.is_empty() == (word == shape) => Ok(rest.trim().to_string()),
                _ => Err(at(line, format!("here should be: {shape}"))),
            }
        };
        headed(FIRST_LINE, FIRST_LINE)?;
        headed("results", "results")?;
        let engine = headed("engine ", "engine NAME VERSION")?;
        let compiler = headed("compiler ", "compiler NAME VERSION FLAGS")?;
        let mut figures = BTreeMap::new();
        for (line, text) in lines {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (set, figure, value) = row(&words).map_err(|why| at(line, why))?;
            if figures.insert((set, figure), value).is_some() {
                let why = format!("{set} has a {} already", figure.name());
                return Err(at(line, why));
            }
        }
        if figures.is_empty() {
            return Err(at(end, "there is no figure".into()));
        }
        Ok(Results {
            engine,
            compiler,
            figures,
        })
    }
}

/// `set figure value`, and the unit if it is given.
fn row(words: &[&str]) -> Result<(Set, Figure, f64), String> {
    let [set, name, value, unit @ ..] = words else {
        return Err("here should be: SET FIGURE VALUE".into());
    };
    let set = Set::named(set).ok_or_else(|| format!("no set is called {set}"))?;
    let figure = Figure::named(name).filter(|&figure| set.has(figure));
    let figure = figure.ok_or_else(|| format!("{set} has no figure {name}"))?;
    let number = value.parse::<f64>().ok();
    let number = number.filter(|n| n.is_finite() && *n > 0.0);
    let number = number.ok_or_else(|| format!("{value} is no number above 0"))?;
    match unit {
        [] => Ok((set, figure, number)),
        [unit] if *unit == figure.unit() => Ok((set, figure, number)),
        _ => Err(format!("{name} is in {}", figure.unit())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "breach-peers 1\nresults\nengine box3d 0.1\ncompiler clang 18 -O3\n";

    #[test]
    fn the_example_in_the_documentation_is_read() {
        let text = include_str!("../../FORMAT.md");
        let example = text.split("```results\n").nth(1).expect("an example");
        let example = example.split("```").next().expect("its end");
        let results = Results::parse("FORMAT.md", example.as_bytes()).expect("a good file");
        assert_eq!(results.engine, "box3d 0.1.0");
        assert_eq!(results.compiler, "clang 18.1 -O3 -march=native -flto=thin");
        let at = |set: &str, figure: Figure| {
            let set = Set::named(set).expect("a set");
            results.figures.get(&(set, figure)).copied()
        };
        assert_eq!(at("rays/random/20k", Figure::MillionsPerSecond), Some(7.9));
        assert_eq!(at("boxes/500", Figure::MedianMs), Some(0.49));
        assert_eq!(at("carve/rough20k", Figure::MeanMs), Some(1.9));
        assert_eq!(at("boxes/1000", Figure::MedianMs), None);
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line_and_the_reason() {
        let check = |text: &str, expected: &str| {
            let refused = Results::parse("a.results", text.as_bytes());
            assert_eq!(refused.expect_err("a broken file"), expected);
        };
        let row = |row: &str, expected: &str| {
            // The first row is good, and a comment counts as a line.
            let text = format!("{HEAD}boxes/500 median_ms 0.49\n# more\n{row}\n");
            check(&text, &format!("a.results:7: {expected}"));
        };
        row("boxes/501 median_ms 1", "no set is called boxes/501");
        row("boxes/500 fps 60", "boxes/500 has no figure fps");
        row(
            "rays/random/2k p99_ms 1",
            "rays/random/2k has no figure p99_ms",
        );
        row("boxes/500 p99_ms fast", "fast is no number above 0");
        row("boxes/500 p99_ms NaN", "NaN is no number above 0");
        row("boxes/500 p99_ms -1", "-1 is no number above 0");
        row("boxes/500 p99_ms 1 s", "p99_ms is in ms");
        row("boxes/500 p99_ms", "here should be: SET FIGURE VALUE");
        row(
            "boxes/500 median_ms 0.5 ms",
            "boxes/500 has a median_ms already",
        );
        check("", "a.results:1: here should be: breach-peers 1");
        check(
            "breach-peers 12\n",
            "a.results:1: here should be: breach-peers 1",
        );
        check(
            "breach-peers 1\n\nmesh 2k\n",
            "a.results:3: here should be: results",
        );
        let cut = "breach-peers 1\nresults\nengine \n";
        check(cut, "a.results:3: here should be: engine NAME VERSION");
        check(HEAD, "a.results:5: there is no figure");
        let bytes = [HEAD.as_bytes(), b"\xff"].concat();
        let refused = Results::parse("a.results", &bytes);
        let why = "a.results:5: this is no UTF-8";
        assert_eq!(refused.expect_err("a broken file"), why);
    }
}
