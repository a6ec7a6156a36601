//! Puts our own levels into the program: every levels/*.map, and levels/scenes/*.map, compressed, and a table of each for
//! src/ours.rs to include.
//! Made anew whenever something in levels/ changes, so that what is in the program is what lies there.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// As hard as it goes: it is done once, and unpacking takes the same time.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=levels");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    pack("levels", &out, "ours.rs")?;
    pack("levels/scenes", &out, "of_scenes.rs")
}

/// The levels of a folder, and a table of them.
fn pack(folder: &str, out: &Path, named: &str) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "map"));
    paths.sort();
    let mut table = String::from("&[\n");
    for path in &paths {
        let name = name(path)?;
        let bytes = fs::read(path)?;
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, LEVEL);
        fs::write(out.join(format!("{name}.z")), packed)?;
        let line = format!(
            "OwnLevel {{ name: {name:?}, size: {}, packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.z\")) }},",
            bytes.len()
        );
        let _ = writeln!(table, "    {line}");
    }
    table += "]\n";
    fs::write(out.join(named), table)
}

/// `bunker` of `levels/bunker.map`.
fn name(path: &Path) -> io::Result<&str> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.ok_or_else(|| io::Error::other(format!("{}: not a name", path.display())))
}
