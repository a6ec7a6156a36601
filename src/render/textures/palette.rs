//! Palettes of 256 colours: `palette.lmp` of Quake, `colormap.pcx` of Quake 2, palettes in WADs, and our own for files
//! without any.
use crate::files;
use std::path::{Path, PathBuf};

/// Number of colours.
pub const COLOURS: usize = 256;
/// The name of our own palette in warnings.
pub const OWN: &str = "Breach's own palette";
/// Largest palette file, bytes: a PCX also has an image.
const MAX_BYTES: u64 = 4 << 20;

/// Colours by index.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// RGB, sRGB bytes.
    pub colours: Vec<[u8; 3]>,
    /// It is [`OWN`], since none was found.
    pub is_own: bool,
}

impl Palette {
    /// From 768 bytes of RGB; None if there are fewer.
    pub fn from_rgb(bytes: &[u8]) -> Option<Self> {
        let (colours, _) = bytes.get(..3 * COLOURS)?.as_chunks::<3>();
        Some(Self {
            colours: colours.to_vec(),
            is_own: false,
        })
    }

    /// The palette at the end of a PCX: a byte 12, then 768 of RGB. Source: ZSoft's PCX Technical Reference Manual,
    /// revision 5.
    pub fn from_pcx(bytes: &[u8]) -> Option<Self> {
        let start = bytes.len().checked_sub(3 * COLOURS + 1)?;
        let is_pcx = bytes[0] == 10 && bytes[start] == 12 && start >= 128;
        is_pcx.then(|| Self::from_rgb(&bytes[start + 1..]))?
    }

    /// Sixteen rows of sixteen shades, from dark to bright: a grey row, then hues in steps of the golden angle, alternating
    /// between pale and saturated. A formula of our own and no game's colours: shapes are right, colours are not.
    pub fn own() -> Self {
        let colour = |number: usize| {
            let (row, shade) = (number / 16, number % 16);
            let light = (shade as f32 + 0.5) / 16.0;
            let hue = row as f32 * 0.381_966;
            let rich = match row {
                0 => 0.0,
                row if row % 2 == 0 => 0.30,
                _ => 0.55,
            };
            [0.0, 1.0, 2.0].map(|channel| {
                // A triangle wave over the hue, shifted by a third for each channel.
                let part = (hue + channel / 3.0).fract();
                let wave = (1.0 - (2.0 * part - 1.0).abs()) * 2.0 - 1.0;
                (light * (1.0 + rich * wave) * 255.0).clamp(0.0, 255.0) as u8
            })
        };
        Self {
            colours: (0..COLOURS).map(colour).collect(),
            is_own: true,
        }
    }

    /// The palette of a file: in its folder, or one or two folders above, where a game's `gfx/` and `pics/` are. Skips broken
    /// ones.
    pub fn beside(file: &Path) -> Option<Self> {
        let folders = file.ancestors().skip(1).take(3);
        folders.flat_map(candidates).find_map(|path| read(&path))
    }

    /// The palette in a folder, or in its `gfx/` or `pics/`.
    pub fn in_folder(folder: &Path) -> Option<Self> {
        candidates(folder).iter().find_map(|path| read(path))
    }
}

/// Possible palette files in a folder.
fn candidates(folder: &Path) -> [PathBuf; 8] {
    [
        "palette.lmp",
        "PALETTE.LMP",
        "gfx/palette.lmp",
        "GFX/PALETTE.LMP",
        "colormap.pcx",
        "COLORMAP.PCX",
        "pics/colormap.pcx",
        "PICS/COLORMAP.PCX",
    ]
    .map(|name| folder.join(name))
}

fn read(path: &Path) -> Option<Palette> {
    let bytes = files::read_up_to(path, MAX_BYTES).ok()?;
    match path.extension() {
        Some(kind) if kind.eq_ignore_ascii_case("pcx") => Palette::from_pcx(&bytes),
        _ => Palette::from_rgb(&bytes),
    }
}
