//! Beside engines that no package registry has (Box3D, Jolt, Embree, tinybvh): what is measured goes out as text, a harness
//! outside runs it, and its figures come back as text. FORMAT.md says how the files look and what a harness does.
pub mod export;
pub mod import;
mod results;
mod sets;

/// The first line of every file.
const FIRST_LINE: &str = "breach-peers 1";
