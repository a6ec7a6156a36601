//! Holds what ARCHITECTURE.md promises: who imports whom, what the simulation never names, that files say what they
//! are, that our levels open, and that the README tells the keys as they are.
mod circles;
mod code;

use code::code;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module with the modules that it may import. Each may import itself; `stage`, `timing` and `files` import nobody.
const IMPORTS: &[(&str, &[&str])] = &[
    ("stage", &[]),
    ("listed_enum", &[]),
    ("timing", &[]),
    ("files", &[]),
    ("builtin", &["files"]),
    ("journal", &["files", "builtin", "sim", "level", "timing"]),
    ("compare", &["sim", "level", "timing"]),
    ("geom", &[]),
    ("exact", &["geom"]),
    ("carve", &["exact", "geom", "stage"]),
    ("collide", &["geom"]),
    ("bvh", &["collide", "geom", "stage"]),
    (
        "world",
        &["carve", "bvh", "collide", "exact", "geom", "stage"],
    ),
    ("solid", &["world", "carve", "bvh", "geom"]),
    ("structure", &["solid", "geom", "bvh"]),
    (
        "strength",
        &[
            "solid",
            "structure",
            "world",
            "bvh",
            "carve",
            "geom",
            "stage",
        ],
    ),
    (
        "level",
        &[
            "structure",
            "world",
            "carve",
            "bvh",
            "collide",
            "exact",
            "geom",
            "timing",
        ],
    ),
    (
        "debris",
        &["world", "carve", "bvh", "collide", "exact", "geom", "stage"],
    ),
    (
        "sim",
        &[
            "strength",
            "structure",
            "solid",
            "level",
            "debris",
            "world",
            "carve",
            "bvh",
            "collide",
            "exact",
            "geom",
            "timing",
        ],
    ),
    (
        "sound",
        &[
            "sim",
            "structure",
            "level",
            "debris",
            "world",
            "bvh",
            "geom",
        ],
    ),
    ("sound_folder", &["files", "sound"]),
    (
        "view",
        &[
            "sound",
            "sim",
            "strength",
            "structure",
            "solid",
            "level",
            "debris",
            "world",
            "carve",
            "bvh",
            "collide",
            "exact",
            "geom",
            "timing",
        ],
    ),
    (
        "scenes",
        &[
            "builtin", "view", "sim", "level", "debris", "world", "carve", "bvh", "collide",
            "exact", "geom", "timing",
        ],
    ),
    (
        "render",
        &[
            "files", "view", "level", "solid", "bvh", "world", "geom", "timing",
        ],
    ),
    ("video", &["files"]),
    (
        "clip",
        &["files", "video", "render", "view", "sound", "sim", "timing"],
    ),
    (
        "ui",
        &[
            "compare", "builtin", "scenes", "view", "sound", "sim", "solid", "level", "debris",
            "world", "carve", "bvh", "collide", "exact", "geom", "timing",
        ],
    ),
];

/// Nothing in these may reach a screen, a clock, a disk, or numbers that differ between machines.
const SIMULATION: &[&str] = &[
    "stage",
    "geom",
    "exact",
    "carve",
    "collide",
    "bvh",
    "world",
    "solid",
    "structure",
    "strength",
    "level",
    "debris",
    "sim",
    "sound",
    "view",
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

/// The folders of the core and of the program.
const TREES: [&str; 2] = ["crates/breach-core/src", "src"];

fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for tree in TREES {
        let before = found.len();
        let mut folders = vec![root().join(tree)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of sources") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = fs::read_to_string(&path).expect("a source file");
                    let path = path.strip_prefix(root()).expect("inside");
                    found.push((path.to_path_buf(), text));
                }
            }
        }
        assert!(
            found.len() > before + 20,
            "the sources of {tree} were found"
        );
    }
    found.sort();
    found
}

/// A file's path within its tree.
fn inside(path: &Path) -> &Path {
    let inside = TREES.iter().find_map(|tree| path.strip_prefix(tree).ok());
    inside.expect("a source")
}

/// The top module of a file: crates/breach-core/src/world/cell.rs belongs to world.
fn module_of(path: &Path) -> String {
    let first = inside(path).iter().next().expect("a name");
    let first = first.to_string_lossy();
    first.trim_end_matches(".rs").to_string()
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
