//! WAL: the texture files of Quake 2.
//!
//! A header of 100 bytes, little-endian: name (32 bytes), width, height, offsets of the four mips, name of the next frame
//! (32), flags, contents, value. Texels are indices into a palette in another file (pics/colormap.pcx).
//! Source: `miptex_t` in qfiles.h of the Quake 2 tools.
use super::bytes::u32_at;
use super::indexed_image::IndexedImage;

/// Bytes of the header.
const HEADER: usize = 100;

/// The first mip.
///
/// # Errors
/// The reason.
pub fn image(bytes: &[u8]) -> Result<IndexedImage, String> {
    if bytes.len() < HEADER {
        return Err("it is cut off within its header".into());
    }
    let size = [u32_at(bytes, 32), u32_at(bytes, 36)];
    IndexedImage::new(size, bytes, u32_at(bytes, 40))
}
