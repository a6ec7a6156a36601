//! What the pages for readers say is so: the example prints what README.md shows, and CONTRIBUTING.md names files that exist.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn own(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a page")
}

#[test]
fn the_readme_shows_what_the_example_prints() {
    // Cargo builds examples with the tests, unless one test alone is asked for.
    let test = std::env::current_exe().expect("this test");
    let folder = test.ancestors().nth(2).expect("the build's folder");
    let program = folder
        .join("examples")
        .join(format!("embed{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        println!(
            "NOT RUN: the host's example, as {} is not built",
            program.display()
        );
        return;
    }
    let output = Command::new(program).output().expect("the example starts");
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout)
        .expect("text")
        .replace('\r', "");
    let shown = own("README.md");
    assert!(
        shown.contains(&format!("It prints:\n\n```text\n{said}```")),
        "{said}"
    );
}

#[test]
fn the_readme_and_the_library_have_one_picture_and_one_table_of_features() {
    let tour: String = own("src/lib.rs")
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    let readme = own("README.md");
    let picture = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| line.contains("-->") || line.contains("'-'"));
        lines
            .map(|line| line.trim().to_string())
            .collect::<Vec<_>>()
    };
    assert!(!picture(&tour).is_empty());
    assert_eq!(picture(&tour), picture(&readme));
    let manifest = own("Cargo.toml");
    let (_, features) = manifest.split_once("[features]\n").expect("features");
    let (features, _) = features
        .split_once("\n[dependencies]")
        .expect("dependencies");
    for line in features.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, _)) = line
            .split_once(" = ")
            .filter(|(name, _)| *name != "default")
        else {
            continue;
        };
        for text in [&tour, &readme] {
            assert!(
                text.contains(&format!("| `{name}` |")),
                "{name} is in no table"
            );
        }
    }
}

#[test]
fn what_contributing_names_is_there() {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(page) = fs::read_to_string(root.join("CONTRIBUTING.md")) else {
        println!("NOT RUN: CONTRIBUTING.md, as this package stands alone");
        return;
    };
    // What the page asks to be written.
    let made = ["crates/breach-core/src/collide/sweep_cone_plane.rs"];
    let mut named = 0;
    for word in page.split('`').skip(1).step_by(2) {
        let is_path =
            word.contains('/') && !word.contains([' ', '*']) && !word.starts_with(['.', '/']);
        let is_file = word.ends_with(".md") || word.ends_with(".rs");
        if (!is_path && !is_file) || made.contains(&word) {
            continue;
        }
        named += 1;
        let kernel = root.join("crates/breach-core/src");
        let places = [
            &root,
            &kernel,
            &root.join("crates/breach-c"),
            &root.join("src/render"),
        ];
        assert!(
            places.iter().any(|place| place.join(word).exists()),
            "{word}"
        );
    }
    assert!(named > 20, "{named}");
}
