//! WAD2 and WAD3: the texture archives of Quake and Half-Life.
//!
//! All numbers are little-endian. The file begins with `WAD2` or `WAD3`, the number of lumps and the offset of the
//! directory. A directory entry has 32 bytes: offset, size in the file, size in memory, type, compression, two bytes of
//! padding, a name of 16. An image (type 0x44 without a palette, 0x43 with one) begins with a name of 16 bytes, width,
//! height and the offsets of its four mips within the lump. A palette follows the last mip: the number of colours (u16),
//! then RGB.
//!
//! Source: the Quake specs 3.4 (Olivier Montanuy and others), section 8.4; for WAD3 the structures of Half-Life's
//! qlumpy, which packs them.
use super::bytes::u32_at;
use super::indexed_image::IndexedImage;
use super::limits::MAX_SIDE;
use super::palette::{COLOURS, Palette};
use crate::files;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Most lumps of a WAD.
const MAX_LUMPS: u32 = 65_536;
/// Largest lump, bytes: four mips of the largest image.
const MAX_LUMP_BYTES: u32 = MAX_SIDE * MAX_SIDE / 3 * 4 + 4096;
/// Bytes of a directory entry.
const ENTRY: usize = 32;
/// Bytes before an image's first mip.
const HEADER: usize = 40;

/// Lump type: an image with a palette after its mips.
const WITH_PALETTE: u8 = 0x43;
/// Lump type: an image without a palette.
const WITHOUT_PALETTE: u8 = 0x44;
/// Lump type: a palette of 256 colours for the other lumps.
const PALETTE: u8 = 0x40;

/// The position of a lump in its WAD.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lump {
    offset: u32,
    bytes: u32,
    kind: u8,
}

/// The directory of a WAD.
#[derive(Clone, Debug)]
pub struct Wad {
    /// The file.
    pub path: PathBuf,
    /// Images by lower-case name, in the order of the file.
    pub images: Vec<(String, Lump)>,
    palette: Option<Lump>,
}

impl Wad {
    /// Reads the directory; skips lumps that are no images.
    ///
    /// # Errors
    /// The reason, without the path.
    pub fn open(path: &Path) -> Result<Self, String> {
        let mut file = files::open(path).map_err(|e| files::reason(&e))?;
        let len = file.metadata().map_err(|e| files::reason(&e))?.len();
        let mut header = [0; 12];
        file.read_exact(&mut header)
            .map_err(|_| "it is too short for a WAD".to_string())?;
        let (count, offset) = read_header(&header, len)?;
        file.seek(SeekFrom::Start(offset))
            .map_err(|e| files::reason(&e))?;
        let mut directory = vec![0; count * ENTRY];
        file.read_exact(&mut directory)
            .map_err(|e| files::reason(&e))?;
        let mut wad = Self {
            path: path.to_path_buf(),
            images: Vec::new(),
            palette: None,
        };
        for entry in directory.chunks_exact(ENTRY) {
            let (name, lump, is_compressed) = read_entry(entry);
            let is_within = u64::from(lump.offset) + u64::from(lump.bytes) <= len;
            match lump.kind {
                _ if is_compressed || !is_within => {}
                WITH_PALETTE | WITHOUT_PALETTE => wad.images.push((name, lump)),
                PALETTE if lump.bytes as usize == 3 * COLOURS => wad.palette = Some(lump),
                _ => {}
            }
        }
        Ok(wad)
    }

    /// The image of a lump, with its palette or else the `shared` one.
    ///
    /// # Errors
    /// The reason, without the WAD's path.
    pub fn image(
        &self,
        lump: &Lump,
        shared: impl FnOnce() -> Palette,
    ) -> Result<(IndexedImage, Palette), String> {
        let bytes = self.read(lump)?;
        let image = read_miptex(&bytes)?;
        let palette = match lump.kind {
            WITH_PALETTE => read_palette(&bytes)?,
            _ => shared(),
        };
        Ok((image, palette))
    }

    /// The palette lump, if there is a readable one.
    pub fn palette(&self) -> Option<Palette> {
        Palette::from_rgb(&self.read(&self.palette?).ok()?)
    }

    fn read(&self, lump: &Lump) -> Result<Vec<u8>, String> {
        if lump.bytes > MAX_LUMP_BYTES {
            return Err(format!("it is larger than {} MiB", MAX_LUMP_BYTES >> 20));
        }
        let mut file = files::open(&self.path).map_err(|e| files::reason(&e))?;
        file.seek(SeekFrom::Start(lump.offset.into()))
            .map_err(|e| files::reason(&e))?;
        let mut bytes = vec![0; lump.bytes as usize];
        file.read_exact(&mut bytes).map_err(|e| files::reason(&e))?;
        Ok(bytes)
    }
}

/// Number of entries and offset of the directory; `len` is the length of the file.
fn read_header(header: &[u8; 12], len: u64) -> Result<(usize, u64), String> {
    if !matches!(&header[..4], b"WAD2" | b"WAD3") {
        return Err("it starts with neither WAD2 nor WAD3".into());
    }
    let (count, offset) = (u32_at(header, 4), u64::from(u32_at(header, 8)));
    if count > MAX_LUMPS {
        return Err(format!("it has more than {MAX_LUMPS} lumps"));
    }
    let count = count as usize;
    if offset + (count * ENTRY) as u64 > len {
        return Err("its directory runs past the end of the file".into());
    }
    Ok((count, offset))
}

/// Lower-case name, lump, and whether it is compressed, which no known tool writes.
fn read_entry(entry: &[u8]) -> (String, Lump, bool) {
    let lump = Lump {
        offset: u32_at(entry, 0),
        bytes: u32_at(entry, 4),
        kind: entry[12],
    };
    (read_name(&entry[16..32]), lump, entry[13] != 0)
}

/// The name in a fixed field, up to its zero; Latin-1, to lower case.
fn read_name(field: &[u8]) -> String {
    let name = field.iter().take_while(|byte| **byte != 0);
    name.map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}

/// The first mip of an image.
fn read_miptex(bytes: &[u8]) -> Result<IndexedImage, String> {
    if bytes.len() < HEADER {
        return Err("it is cut off within its header".into());
    }
    let size = [u32_at(bytes, 16), u32_at(bytes, 20)];
    IndexedImage::new(size, bytes, u32_at(bytes, 24))
}

/// The palette after the fourth mip.
fn read_palette(bytes: &[u8]) -> Result<Palette, String> {
    let none = || "it has no palette after its mipmaps".to_string();
    // The sides were checked with the image.
    let [width, height] = [16, 20].map(|at| u32_at(bytes, at) as usize / 8);
    let start = (u32_at(bytes, 36) as usize).saturating_add(width * height);
    let rest = bytes.get(start..).filter(|rest| rest.len() > 2);
    let rest = rest.ok_or_else(none)?;
    let count = usize::from(u16::from_le_bytes([rest[0], rest[1]])).min(COLOURS);
    let colours = rest.get(2..2 + 3 * count);
    // Missing colours are black.
    let mut rgb = colours
        .filter(|rgb| !rgb.is_empty())
        .ok_or_else(none)?
        .to_vec();
    rgb.resize(3 * COLOURS, 0);
    Palette::from_rgb(&rgb).ok_or_else(none)
}
