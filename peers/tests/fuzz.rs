//! The fuzzer as people run it. `cargo test --release -p peers` runs a fixed number of seeded cases (without
//! optimisation they take many times as long); `cargo test --release -p peers -- --ignored ten_minutes` runs ten minutes
//! of others, `SEED=n` says from which seed on.
use std::path::Path;
use std::process::Command;

/// Whether it found nothing, and what it said.
fn fuzz(words: &[&str]) -> (bool, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let ran = Command::new(env!("CARGO_BIN_EXE_peers"))
        .current_dir(root)
        .arg("fuzz")
        .arg("--out")
        .arg(out)
        .args(words)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    (ran.status.success(), said)
}

#[test]
fn a_fixed_number_of_seeded_cases_of_every_kind_shows_no_fault() {
    // Our own levels alone: the same cases wherever this is run.
    let words = ["--cases", "120", "--seed", "1", "--levels", "levels"];
    let (is_good, said) = fuzz(&words);
    assert!(said.starts_with("120 cases"), "{said}");
    assert!(is_good, "{said}");
}

#[test]
#[ignore = "ten minutes: cargo test --release -p peers -- --ignored ten_minutes"]
fn ten_minutes_of_other_cases_show_no_fault() {
    // The day's own, unless somebody asks for one again.
    let days = std::time::UNIX_EPOCH
        .elapsed()
        .map_or(0, |t| t.as_secs() / 86_400);
    let seed = std::env::var("SEED").unwrap_or_else(|_| (days * 1_000_000).to_string());
    let (is_good, said) = fuzz(&["--seconds", "600", "--seed", &seed]);
    assert!(is_good, "{said}");
}

#[test]
fn a_file_that_is_no_input_is_refused_with_a_word() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("none.txt");
    let (is_good, said) = fuzz(&["--judge", &file.display().to_string()]);
    assert!(!is_good && said.starts_with("FAULT usage"), "{said}");
}
