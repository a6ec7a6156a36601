//! What the compiler knew of the processor. Peers choose their vector instructions when they are built, Breach when it runs.

/// The features beyond the plain processor that all code was compiled for: `avx2, fma`, or `plain x86-64`.
pub fn built_for() -> String {
    let known = [
        ("avx2", cfg!(target_feature = "avx2")),
        ("fma", cfg!(target_feature = "fma")),
        ("avx512f", cfg!(target_feature = "avx512f")),
    ];
    let had: Vec<&str> = known.iter().filter(|f| f.1).map(|f| f.0).collect();
    match had.is_empty() {
        true => format!("plain {}", std::env::consts::ARCH.replace('_', "-")),
        false => had.join(", "),
    }
}
