//! WAL: a texture of Quake 2, a file each.
//!
//! A head of 100 bytes, little-endian: a name of 32, width, height, where the four mips lie, the name of the next frame
//! (32), flags, contents, value. Colours are numbers of a palette that lies elsewhere (pics/colormap.pcx).
//! Source: `miptex_t` in qfiles.h of the Quake 2 tools.
use super::Indexed;
use super::wad::u32_at;

/// Bytes before the first mip.
const HEAD: usize = 100;

/// The first mip.
///
/// # Errors
/// Why it is none.
pub fn picture(bytes: &[u8]) -> Result<Indexed, String> {
    if bytes.len() < HEAD {
        return Err("it is cut off within its header".into());
    }
    let size = [u32_at(bytes, 32), u32_at(bytes, 36)];
    Indexed::new(size, bytes, u32_at(bytes, 40))
}
