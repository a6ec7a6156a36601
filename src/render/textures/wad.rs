//! WAD2 and WAD3: the texture archives of Quake and Half-Life.
//!
//! All numbers are little-endian. The file begins with `WAD2` or `WAD3`, the number of lumps and where their directory
//! lies. An entry of it has 32 bytes: place, bytes in the file, bytes in memory, type, compression, two of padding, a name of 16.
//! A picture (type 0x44 without a palette, 0x43 with its own) begins with a name of 16, width, height and where its four
//! mips lie from its own start; a palette follows the last mip: the number of colours (u16), then RGB.
//! Source: the Quake specs 3.4 (Olivier Montanuy and others), section 8.4; for WAD3 the structures of Half-Life's
//! qlumpy, which packs them.
use super::palette::{COLOURS, Palette};
use super::{Indexed, MOST_SIDE};
use crate::files;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// More lumps than this are no textures of a level.
const MOST_LUMPS: u32 = 65_536;
/// Bytes of the largest lump that is read: four mips of a picture as large as may be.
const MOST_LUMP: u32 = MOST_SIDE * MOST_SIDE / 3 * 4 + 4096;
/// Bytes of a directory's entry.
const ENTRY: usize = 32;
/// Bytes before a picture's first mip.
const HEAD: usize = 40;

/// A picture with a palette behind its mips.
const WITH_PALETTE: u8 = 0x43;
/// A picture without.
const WITHOUT_PALETTE: u8 = 0x44;
/// 256 colours for what lies beside it.
const PALETTE: u8 = 0x40;

/// Where a lump lies in its WAD.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lump {
    place: u32,
    bytes: u32,
    kind: u8,
}

/// A WAD whose directory was read.
#[derive(Clone, Debug)]
pub struct Wad {
    /// The file.
    pub path: PathBuf,
    /// Pictures by name in lower case, in the file's order.
    pub pictures: Vec<(String, Lump)>,
    palette: Option<Lump>,
}

impl Wad {
    /// Reads the directory; lumps that are no pictures are passed over.
    ///
    /// # Errors
    /// Why it is none, without its path.
    pub fn open(path: &Path) -> Result<Self, String> {
        let mut file = files::open(path).map_err(|e| files::reason(&e))?;
        let len = file.metadata().map_err(|e| files::reason(&e))?.len();
        let mut head = [0; 12];
        file.read_exact(&mut head)
            .map_err(|_| "it is too short for a WAD".to_string())?;
        let (count, place) = head_of(&head, len)?;
        file.seek(SeekFrom::Start(place))
            .map_err(|e| files::reason(&e))?;
        let mut directory = vec![0; count * ENTRY];
        file.read_exact(&mut directory)
            .map_err(|e| files::reason(&e))?;
        let mut wad = Self {
            path: path.to_path_buf(),
            pictures: Vec::new(),
            palette: None,
        };
        for entry in directory.chunks_exact(ENTRY) {
            let (name, lump, is_packed) = entry_of(entry);
            let is_within = u64::from(lump.place) + u64::from(lump.bytes) <= len;
            match lump.kind {
                _ if is_packed || !is_within => {}
                WITH_PALETTE | WITHOUT_PALETTE => wad.pictures.push((name, lump)),
                PALETTE if lump.bytes as usize == 3 * COLOURS => wad.palette = Some(lump),
                _ => {}
            }
        }
        Ok(wad)
    }

    /// The picture of a lump. `shared` is asked where it has no palette.
    ///
    /// # Errors
    /// Why it is none, without the WAD's path.
    pub fn picture(
        &self,
        lump: &Lump,
        shared: impl FnOnce() -> Palette,
    ) -> Result<(Indexed, Palette), String> {
        let bytes = self.read(lump)?;
        let picture = miptex(&bytes)?;
        let palette = match lump.kind {
            WITH_PALETTE => palette_of(&bytes)?,
            _ => shared(),
        };
        Ok((picture, palette))
    }

    /// The palette among its lumps, where there is one that can be read.
    pub fn palette(&self) -> Option<Palette> {
        Palette::of_rgb(&self.read(&self.palette?).ok()?)
    }

    fn read(&self, lump: &Lump) -> Result<Vec<u8>, String> {
        if lump.bytes > MOST_LUMP {
            return Err(format!("it is larger than {} MiB", MOST_LUMP >> 20));
        }
        let mut file = files::open(&self.path).map_err(|e| files::reason(&e))?;
        file.seek(SeekFrom::Start(lump.place.into()))
            .map_err(|e| files::reason(&e))?;
        let mut bytes = vec![0; lump.bytes as usize];
        file.read_exact(&mut bytes).map_err(|e| files::reason(&e))?;
        Ok(bytes)
    }
}

/// How many entries the directory has, and where it lies; `len` is that of the file.
fn head_of(head: &[u8; 12], len: u64) -> Result<(usize, u64), String> {
    if !matches!(&head[..4], b"WAD2" | b"WAD3") {
        return Err("it starts with neither WAD2 nor WAD3".into());
    }
    let (count, place) = (u32_at(head, 4), u64::from(u32_at(head, 8)));
    if count > MOST_LUMPS {
        return Err(format!("it has more than {MOST_LUMPS} lumps"));
    }
    let count = count as usize;
    if place + (count * ENTRY) as u64 > len {
        return Err("its directory runs past the end of the file".into());
    }
    Ok((count, place))
}

/// Name in lower case, lump, and whether it is compressed, which no tool did.
fn entry_of(entry: &[u8]) -> (String, Lump, bool) {
    let lump = Lump {
        place: u32_at(entry, 0),
        bytes: u32_at(entry, 4),
        kind: entry[12],
    };
    (name_of(&entry[16..32]), lump, entry[13] != 0)
}

/// A name of a fixed field, up to its zero, Latin-1, in lower case.
pub(super) fn name_of(field: &[u8]) -> String {
    let name = field.iter().take_while(|byte| **byte != 0);
    name.map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect()
}

/// The first mip of a picture.
fn miptex(bytes: &[u8]) -> Result<Indexed, String> {
    if bytes.len() < HEAD {
        return Err("it is cut off within its header".into());
    }
    let size = [u32_at(bytes, 16), u32_at(bytes, 20)];
    Indexed::new(size, bytes, u32_at(bytes, 24))
}

/// The colours behind the fourth mip.
fn palette_of(bytes: &[u8]) -> Result<Palette, String> {
    let none = || "it has no palette after its mipmaps".to_string();
    // Sides were looked at with the picture.
    let [width, height] = [16, 20].map(|at| u32_at(bytes, at) as usize / 8);
    let start = (u32_at(bytes, 36) as usize).saturating_add(width * height);
    let rest = bytes.get(start..).filter(|rest| rest.len() > 2);
    let rest = rest.ok_or_else(none)?;
    let count = usize::from(u16::from_le_bytes([rest[0], rest[1]])).min(COLOURS);
    let colours = rest.get(2..2 + 3 * count);
    // Few have fewer colours than 256; what is missing is black.
    let mut rgb = colours
        .filter(|rgb| !rgb.is_empty())
        .ok_or_else(none)?
        .to_vec();
    rgb.resize(3 * COLOURS, 0);
    Palette::of_rgb(&rgb).ok_or_else(none)
}

/// Four bytes that are there.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
