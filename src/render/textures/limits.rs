//! Limits of the images of a level.

/// Most images on the GPU, where each takes some 2.8 MB.
pub const MAX_IMAGES: usize = 160;
/// Largest side of an image, texels.
pub const MAX_SIDE: u32 = 4096;
/// Largest file of one image, bytes.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
/// Most texels of all images of a level: more would load too slowly.
pub const MAX_TEXELS: u64 = 256 << 20;
