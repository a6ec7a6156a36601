//! 256 colours: `palette.lmp` of Quake, `colormap.pcx` of Quake 2, those within a WAD, and some of our own for files
//! that come without any.
use crate::files;
use std::path::{Path, PathBuf};

/// Colours of a palette.
pub const COLOURS: usize = 256;
/// What the colours of our own are called in warnings.
pub const OWN: &str = "Breach's own palette";
/// A file with a palette has no more bytes: a PCX holds a picture besides.
const MOST_BYTES: u64 = 4 << 20;

/// Colours by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// RGB, sRGB bytes.
    pub colours: Vec<[u8; 3]>,
    /// Nobody's: [`OWN`], since none was found.
    pub is_own: bool,
}

impl Palette {
    /// Of 768 bytes, RGB by RGB; None of fewer.
    pub fn of_rgb(bytes: &[u8]) -> Option<Self> {
        let (colours, _) = bytes.get(..3 * COLOURS)?.as_chunks::<3>();
        Some(Self {
            colours: colours.to_vec(),
            is_own: false,
        })
    }

    /// The one at the end of a PCX of 256 colours: a byte 12, then 768 of RGB. Source: ZSoft's PCX Technical Reference
    /// Manual, revision 5.
    pub fn of_pcx(bytes: &[u8]) -> Option<Self> {
        let start = bytes.len().checked_sub(3 * COLOURS + 1)?;
        let is_pcx = bytes[0] == 10 && bytes[start] == 12 && start >= 128;
        is_pcx.then(|| Self::of_rgb(&bytes[start + 1..]))?
    }

    /// Sixteen rows of sixteen shades, from dark to bright: the first is grey, the others go round the circle of hues in
    /// steps of the golden angle, paler and richer by turns. A formula of our own and no game's colours: what is drawn
    /// with it has the right shapes in wrong colours.
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
                // A triangle wave round the circle, one for each third of it.
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

    /// The palette that belongs to a file: in its folder, or in one or two above it, where a game's `gfx/` and `pics/` are.
    /// What is broken is passed over.
    pub fn beside(file: &Path) -> Option<Self> {
        let folders = file.ancestors().skip(1).take(3);
        folders.flat_map(in_folder).find_map(|path| read(&path))
    }

    /// The palette in a folder, or in its `gfx/` or `pics/`.
    pub fn of_folder(folder: &Path) -> Option<Self> {
        in_folder(folder).iter().find_map(|path| read(path))
    }
}

/// Files that may hold one.
fn in_folder(folder: &Path) -> [PathBuf; 8] {
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
    let bytes = files::read_up_to(path, MOST_BYTES).ok()?;
    match path.extension() {
        Some(kind) if kind.eq_ignore_ascii_case("pcx") => Palette::of_pcx(&bytes),
        _ => Palette::of_rgb(&bytes),
    }
}
