//! Texture files of the games' formats, made by code: the tests here and those of src/render/textures.
#![allow(dead_code)] // not every test needs each of them

/// A lump of a WAD: name, type, bytes.
pub type Lump<'a> = (&'a str, u8, Vec<u8>);

/// A WAD of these lumps; `kind` is WAD2 or WAD3.
pub fn wad(kind: &[u8; 4], lumps: &[Lump]) -> Vec<u8> {
    let mut bytes = kind.to_vec();
    let body: usize = lumps.iter().map(|lump| lump.2.len()).sum();
    bytes.extend((lumps.len() as u32).to_le_bytes());
    bytes.extend((12 + body as u32).to_le_bytes());
    let mut places = Vec::new();
    for (_, _, lump) in lumps {
        places.push(bytes.len() as u32);
        bytes.extend(lump);
    }
    for ((name, kind, lump), place) in lumps.iter().zip(places) {
        bytes.extend(place.to_le_bytes());
        bytes.extend((lump.len() as u32).to_le_bytes());
        bytes.extend((lump.len() as u32).to_le_bytes());
        bytes.extend([*kind, 0, 0, 0]);
        bytes.extend(field::<16>(name));
    }
    bytes
}

/// A picture of a WAD: the numbers of its colours by place, its four mips, and the palette of a WAD3 behind them.
pub fn miptex(
    name: &str,
    size: [u32; 2],
    texel: impl Fn(u32, u32) -> u8,
    palette: Option<&[u8]>,
) -> Vec<u8> {
    let mut bytes = field::<16>(name).to_vec();
    mips(&mut bytes, size, 40, texel, |bytes, head| {
        bytes.extend(head)
    });
    if let Some(palette) = palette {
        bytes.extend(((palette.len() / 3) as u16).to_le_bytes());
        bytes.extend(palette);
    }
    bytes
}

/// A texture of Quake 2.
pub fn wal(name: &str, size: [u32; 2], texel: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let mut bytes = field::<32>(name).to_vec();
    mips(&mut bytes, size, 100, texel, |bytes, head| {
        bytes.extend(head);
        bytes.extend([0; 32 + 12]);
    });
    bytes
}

/// Size, places of the mips and what `rest` adds to them, then the mips.
fn mips(
    bytes: &mut Vec<u8>,
    [width, height]: [u32; 2],
    head: u32,
    texel: impl Fn(u32, u32) -> u8,
    rest: impl Fn(&mut Vec<u8>, Vec<u8>),
) {
    let mut numbers = vec![width, height];
    let mut place = head;
    for mip in 0..4 {
        numbers.push(place);
        place += (width >> mip) * (height >> mip);
    }
    rest(
        bytes,
        numbers.into_iter().flat_map(u32::to_le_bytes).collect(),
    );
    for mip in 0..4 {
        for y in 0..height >> mip {
            bytes.extend((0..width >> mip).map(|x| texel(x << mip, y << mip)));
        }
    }
}

/// A TGA of 32 bits without compression, rows from the top.
pub fn tga([width, height]: [u16; 2], texel: impl Fn(u16, u16) -> [u8; 4]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend([32, 0x28]);
    for y in 0..height {
        for x in 0..width {
            let [r, g, b, a] = texel(x, y);
            bytes.extend([b, g, r, a]);
        }
    }
    bytes
}

/// The end of a PCX of 256 colours, behind as much of a picture as a reader wants to see.
pub fn pcx(palette: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; 200];
    bytes[..4].copy_from_slice(&[10, 5, 1, 8]);
    bytes.push(12);
    bytes.extend(palette);
    bytes
}

/// 768 bytes: number n is (n, 255 − n, n / 2).
pub fn palette() -> Vec<u8> {
    (0..=255).flat_map(|n: u8| [n, 255 - n, n / 2]).collect()
}

fn field<const N: usize>(name: &str) -> [u8; N] {
    let mut out = [0; N];
    out[..name.len()].copy_from_slice(name.as_bytes());
    out
}
