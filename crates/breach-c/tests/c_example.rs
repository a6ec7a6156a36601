//! The C example, built by the system's C compiler against the header and the static library, and run.
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo puts the library beside the tests that link it, or one folder up, with or without a hash in its name.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let folders = test.ancestors().skip(1).take(2);
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libbreach_c") && name.ends_with(".a")
    };
    let libraries = files.flatten().map(|file| file.path()).filter(is_library);
    let made = |path: &PathBuf| path.metadata().and_then(|of| of.modified()).ok();
    let newest = libraries.max_by_key(made);
    newest.expect("libbreach_c.a beside the tests")
}

/// A C compiler of unix; says that the test does not run where there is none.
fn compiler() -> Option<String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let answers = Command::new(&compiler).arg("--version").output();
    if cfg!(unix) && answers.is_ok_and(|output| output.status.success()) {
        return Some(compiler);
    }
    println!("NOT RUN: the C example, as there is no C compiler ({compiler})");
    None
}

fn build(compiler: &str, source: &Path, flags: &[&str], name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = Command::new(compiler)
        .args(flags)
        .args(["-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root.join("include"))
        .arg(source)
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .expect("the compiler starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    program
}

#[test]
fn the_c_example_says_what_changed_and_refuses_bad_input() {
    let Some(compiler) = compiler() else { return };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/block.c");
    let program = build(&compiler, &source, &["-std=c11"], "block");
    let output = Command::new(program).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{failed}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "the block has 12 triangles");
    assert!(lines[1].starts_with("a hole of 0."), "{}", lines[1]);
    assert!(
        lines[2].starts_with("piece 0 fell: 2.625 m3"),
        "{}",
        lines[2]
    );
    assert!(
        lines[3].starts_with("a ray meets the block at z = 0.50"),
        "{}",
        lines[3]
    );
    assert_eq!(lines[4], "a sphere of 0.5 m stops after 4.00 m");
    assert!(lines[5].starts_with("refused: hit is of "), "{}", lines[5]);
}
