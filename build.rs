//! Compresses the built-in levels, levels/*.map and levels/scenes/*.map, and writes a table of each folder for
//! src/builtin.rs to include. Runs again whenever something in levels/ changes.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The strongest compression: unpacking takes the same time.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=levels");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    pack("levels", &out, "builtin_levels.rs")?;
    pack("levels/scenes", &out, "scene_levels.rs")
}

/// Packs the levels of a folder, and writes a table of them.
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
            "BuiltinLevel {{ name: {name:?}, size: {}, packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.z\")) }},",
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
