//! Holds what ARCHITECTURE.md promises: who imports whom, what the simulation never names, that files say what they
//! are, that our levels open, and that the README tells the keys as they are.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module with the modules that it may import. Each may import itself; `timing` and `files` import nobody.
const IMPORTS: &[(&str, &[&str])] = &[
    ("timing", &[]),
    ("files", &[]),
    ("ours", &["files"]),
    ("journal", &["files", "ours", "sim", "level", "timing"]),
    ("compare", &["sim", "level", "timing"]),
    ("geom", &[]),
    ("exact", &["geom"]),
    ("carve", &["exact", "geom", "timing"]),
    ("collide", &["geom"]),
    ("bvh", &["collide", "geom", "timing"]),
    (
        "world",
        &["carve", "bvh", "collide", "exact", "geom", "timing"],
    ),
    (
        "level",
        &[
            "world", "carve", "bvh", "collide", "exact", "geom", "timing",
        ],
    ),
    (
        "debris",
        &[
            "world", "carve", "bvh", "collide", "exact", "geom", "timing",
        ],
    ),
    (
        "sim",
        &[
            "level", "debris", "world", "carve", "bvh", "collide", "exact", "geom", "timing",
        ],
    ),
    (
        "view",
        &[
            "sim", "level", "debris", "world", "carve", "bvh", "collide", "exact", "geom", "timing",
        ],
    ),
    (
        "scenes",
        &[
            "ours", "view", "sim", "level", "debris", "world", "carve", "bvh", "collide", "exact",
            "geom", "timing",
        ],
    ),
    (
        "render",
        &["files", "view", "level", "bvh", "world", "geom", "timing"],
    ),
    (
        "ui",
        &[
            "compare", "ours", "scenes", "view", "sim", "level", "debris", "world", "carve", "bvh",
            "collide", "exact", "geom", "timing",
        ],
    ),
];

/// Nothing in these may reach a screen, a clock, a disk, or numbers that differ between machines.
const SIMULATION: &[&str] = &[
    "geom", "exact", "carve", "collide", "bvh", "world", "level", "debris", "sim", "view",
];

/// What the simulation never names, and why.
const FORBIDDEN: &[(&str, &str)] = &[
    ("wgpu", "the GPU"),
    ("egui", "panels"),
    ("winit", "the window"),
    ("std::time", "the clock"),
    ("Instant", "the clock"),
    ("SystemTime", "the clock"),
    ("std::fs", "the file system"),
    ("std::env", "the environment"),
    ("std::net", "the network"),
    ("std::process", "other processes"),
    (
        "collections::HashMap",
        "an order that differs from run to run",
    ),
    (
        "collections::HashSet",
        "an order that differs from run to run",
    ),
    ("RandomState", "an order that differs from run to run"),
    (".sin()", "std's sine differs between machines: libm"),
    (".cos()", "std's cosine differs between machines: libm"),
    (".tan()", "std's tangent differs between machines: libm"),
    (".sin_cos()", "std's sine differs between machines: libm"),
    (".asin()", "std's arcsine differs between machines: libm"),
    (".acos()", "std's arccosine differs between machines: libm"),
    (".atan2(", "std's arctangent differs between machines: libm"),
    (".exp()", "std's exponential differs between machines: libm"),
    (".ln()", "std's logarithm differs between machines: libm"),
    (".powf(", "std's power differs between machines: libm"),
    (".cbrt()", "std's cube root differs between machines: libm"),
    (".hypot(", "std's hypot differs between machines: libm"),
    ("from_axis_angle(", "glam asks std for the sine: libm"),
    ("from_rotation_x(", "glam asks std for the sine: libm"),
    ("from_rotation_y(", "glam asks std for the sine: libm"),
    ("from_rotation_z(", "glam asks std for the sine: libm"),
    ("from_scaled_axis(", "glam asks std for the sine: libm"),
    ("from_euler(", "glam asks std for the sine: libm"),
    ("angle_between(", "glam asks std for the arccosine: libm"),
    (".slerp(", "glam asks std for the sine: libm"),
    ("unsafe ", "memory that nobody checks"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                found.push((
                    path.strip_prefix(root()).expect("inside").to_path_buf(),
                    text,
                ));
            }
        }
    }
    found.sort();
    assert!(found.len() > 20, "the sources were found");
    found
}

/// The top module of a file: src/world/cells.rs belongs to world.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix("src").expect("a source");
    let first = inside.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

/// The code without comments, without what stands in quotes, and without the items that are built for its unit tests
/// alone, which may ask anybody for an oracle. Lines keep their numbers.
fn code(text: &str) -> String {
    const TEST: &str = "#[cfg(test)]";
    let bare = without_comments_and_quotes(text);
    let mut code = String::new();
    let mut rest = bare.as_str();
    while let Some(at) = rest.find(TEST) {
        let (before, item) = rest.split_at(at);
        let end = TEST.len() + item_len(&item[TEST.len()..]);
        code += before;
        code.extend(item[..end].chars().filter(|c| *c == '\n'));
        rest = &item[end..];
    }
    code + rest
}

/// Up to where an item ends, its attributes included: behind its block or its semicolon; of a field or an arm, before the
/// comma, or before what closes around it.
fn item_len(item: &str) -> usize {
    const ITEMS: [&str; 7] = ["fn", "impl", "struct", "enum", "trait", "type", "use"];
    let is_item = |head: &str| head.split_whitespace().any(|word| ITEMS.contains(&word));
    let mut depth = 0;
    for (at, c) in item.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 && c == '}' {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            ',' if depth == 0 && !is_item(&item[..at]) => return at,
            _ => {}
        }
    }
    item.len()
}

/// Comments, and what stands in quotes, as spaces; lines stay.
fn without_comments_and_quotes(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize, what: &str| {
        what.chars()
            .eq(chars[at..].iter().copied().take(what.len()))
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |out: &mut String, from: usize, to: usize| {
        out.extend(
            chars[from..to]
                .iter()
                .map(|c| if *c == '\n' { '\n' } else { ' ' }),
        );
    };
    while at < chars.len() {
        let is_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
        let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
        let end = if starts(at, "//") {
            let line = chars[at..].iter().take_while(|c| **c != '\n').count();
            Some(at + line)
        } else if starts(at, "/*") {
            let mut depth = 1;
            let mut end = at + 2;
            while depth > 0 && end < chars.len() {
                match () {
                    () if starts(end, "/*") => (depth, end) = (depth + 1, end + 2),
                    () if starts(end, "*/") => (depth, end) = (depth - 1, end + 2),
                    () => end += 1,
                }
            }
            Some(end)
        } else if chars[at] == 'r' && !is_word && chars.get(at + 1 + hashes) == Some(&'"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let inside = at + 2 + hashes;
            let end = (inside..chars.len()).find(|end| starts(*end, &close));
            Some(end.map_or(chars.len(), |end| end + close.len()))
        } else if chars[at] == '"' || chars[at] == '\'' && is_character(&chars[at..]) {
            let mut end = at + 1;
            while end < chars.len() && chars[end] != chars[at] {
                end += if chars[end] == '\\' { 2 } else { 1 };
            }
            Some((end + 1).min(chars.len()))
        } else {
            None
        };
        match end {
            Some(end) => {
                blank(&mut out, at, end);
                at = end;
            }
            None => {
                out.push(chars[at]);
                at += 1;
            }
        }
    }
    out
}

/// Whether a quote begins a character and not the name of a lifetime.
fn is_character(from: &[char]) -> bool {
    from.get(1) == Some(&'\\') || from.get(2) == Some(&'\'')
}

/// Every module named as `crate::x` or inside `use crate::{..}`.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut name = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    _ if depth > 0 => continue,
                    _ => {}
                }
                name.push(if c == '}' { ',' } else { c });
            }
            found.extend(name.split(',').map(first_name));
        } else {
            found.push(first_name(rest));
        }
    }
    found.retain(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    found
}

fn first_name(path: &str) -> String {
    path.trim()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

#[test]
fn the_reader_of_imports_sees_single_and_grouped_ones() {
    let code = "use crate::geom::Aabb;\nuse crate::{bvh::{self, Mesh}, world::World, sim};\nfn f(x: crate::level::L) {}";
    assert_eq!(imports(code), ["geom", "bvh", "world", "sim", "level"]);
}

#[test]
fn the_reader_of_code_skips_the_items_of_tests_and_nothing_behind_them() {
    let code = code(
        r##"
use a; // #[cfg(test)]
#[cfg(test)]
#[allow(x, y)]
mod tests;
use b::{c};
#[cfg(test)]
fn f<'a, T>(_: [u8; 3]) -> char { if true { '}' } else { "}" /* } */ } }
const C: &str = "#[cfg(test)] crate::quoted";
const D: &str = r#"" crate::raw"#;
struct S {
    #[cfg(test)]
    only: Vec<(u8, u8)>,
    #[cfg(test)]
    last: u8
}
#[cfg(test)]
use crate::{d, e};
/* crate::f /* #[cfg(test)] */ */ use g;
#[cfg(test)]
mod tests {
    use crate::h;
}
use i;"##,
    );
    let left: Vec<&str> = code.split_whitespace().collect();
    let left = left.join(" ");
    assert_eq!(
        left,
        "use a; use b::{c}; const C: &str = ; const D: &str = ; struct S { , } ; use g; use i;"
    );
    // What is wrong is told with its line.
    let line = code.lines().position(|line| line.starts_with("use i;"));
    assert_eq!(line, Some(23));
}

#[test]
fn modules_import_only_downwards() {
    let allowed: BTreeMap<_, _> = IMPORTS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        // As `code` leaves out those at the end of a file.
        let is_test = path
            .iter()
            .any(|part| part == "tests" || part == "tests.rs");
        if is_test {
            continue;
        }
        let module = module_of(&path);
        // The top of the tree (the library's tour, the entry, the command line, the window) may import everybody.
        let Some(allowed) = allowed.get(module.as_str()) else {
            assert!(
                ["lib", "main", "cli", "app"].contains(&module.as_str()),
                "{module} has no line in IMPORTS"
            );
            continue;
        };
        for import in imports(&code(&text)) {
            if import != module && !allowed.contains(&import.as_str()) {
                wrong.push(format!(
                    "{}: {module} must not import {import}",
                    path.display()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_simulation_names_no_screen_no_clock_no_disk_and_no_number_that_differs() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if !SIMULATION.contains(&module_of(&path).as_str()) {
            continue;
        }
        for (number, line) in code(&text).lines().enumerate() {
            for (name, what) in FORBIDDEN {
                if line.contains(name) {
                    wrong.push(format!("{}:{}: {name}: {what}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_timing_and_the_window_read_the_clock() {
    for (path, text) in sources() {
        let module = module_of(&path);
        if !["timing", "app"].contains(&module.as_str()) {
            let code = code(&text);
            assert!(
                !code.contains("Instant::now") && !code.contains("SystemTime"),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    let silent: Vec<_> = sources()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//!"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(
        silent.is_empty(),
        "no //! at the head: {}",
        silent.join(", ")
    );
}

#[test]
fn errors_of_any_kind_leave_only_through_the_program() {
    for (path, text) in sources() {
        if !["main", "cli", "app", "render"].contains(&module_of(&path).as_str()) {
            assert!(
                !code(&text).contains("anyhow"),
                "{}: a thiserror enum instead",
                path.display()
            );
        }
    }
}

#[test]
fn every_level_of_ours_opens_sealed_and_sound() {
    let mut levels: Vec<PathBuf> = fs::read_dir(root().join("levels"))
        .expect("levels/")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "map"))
        .collect();
    levels.sort();
    assert!(!levels.is_empty());
    for path in levels {
        let name = path.display();
        let bytes = fs::read(&path).expect("a level");
        let level =
            breach::level::read_map(&bytes).unwrap_or_else(|error| panic!("{name}:{error}"));
        assert_eq!(level.skipped, 0, "{name}: skipped brushes");
        assert!(!level.starts.is_empty(), "{name}: no player start");
        let params = breach::bvh::BuildParams::default();
        let world = breach::world::World::build(&level.world, &params, &mut breach::timing::Silent)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(world.sealed, Some(true), "{name}");
        assert_eq!(world.validate(), Ok(()), "{name}");
    }
}

/// `key | what` of the README's key table.
fn readme_keys() -> Vec<(String, String)> {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let table = readme.split("## Keys").nth(1).expect("a chapter on keys");
    let table = table.split("\n## ").next().unwrap_or_default();
    table
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| ")?
                .strip_suffix(" |")?
                .split_once(" | ")
        })
        .filter(|(key, _)| *key != "Key" && !key.starts_with('-'))
        .map(|(key, what)| (key.trim_matches('`').to_string(), what.to_string()))
        .collect()
}

/// The rows of the window's own key table, read from its source so that no feature is needed.
fn window_keys() -> Vec<(String, String)> {
    let source = fs::read_to_string(root().join("src/app/keys.rs")).expect("the key table");
    source
        .match_indices("row(\"")
        .filter_map(|(at, _)| {
            let mut parts = source[at..].split('"');
            let key = parts.nth(1)?;
            let what = parts.nth(1)?;
            Some((key.to_string(), what.to_string()))
        })
        .collect()
}

#[test]
fn the_readme_lists_the_keys_of_the_window() {
    let window = window_keys();
    assert!(window.len() > 10, "the key table was found");
    assert_eq!(readme_keys(), window);
}

#[test]
fn the_readme_shows_pictures_that_are_there() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let mut pictures = 0;
    for part in readme.split("](screenshots/").skip(1) {
        let name = part.split(')').next().unwrap_or_default();
        assert!(
            root().join("screenshots").join(name).exists(),
            "screenshots/{name}"
        );
        pictures += 1;
    }
    assert!(pictures >= 6, "{pictures} pictures");
}

#[test]
fn the_architecture_names_every_module() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for (path, _) in sources() {
        let module = module_of(&path);
        assert!(
            text.contains(&format!("`{module}")),
            "{module} is not in ARCHITECTURE.md"
        );
    }
}
