//! An image of palette indices.
use super::limits::MAX_SIDE;

/// Palette indices, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexedImage {
    /// Width and height, texels.
    pub size: [u32; 2],
    /// One byte per texel.
    pub texels: Vec<u8>,
}

impl IndexedImage {
    /// The texels at an offset.
    ///
    /// # Errors
    /// A side of 0 or of more than [`MAX_SIDE`], or texels beyond the end.
    pub fn new(size: [u32; 2], bytes: &[u8], offset: u32) -> Result<Self, String> {
        check_size(size)?;
        let [width, height] = size;
        // Offset 0 lies within the header: an image without texels of its own.
        let end = (offset as usize).checked_add(width as usize * height as usize);
        let texels = end.and_then(|end| bytes.get(offset as usize..end));
        let texels = texels.filter(|_| offset != 0);
        let texels = texels.ok_or("it is cut off within its texels")?.to_vec();
        Ok(Self { size, texels })
    }

    /// Quake's sky has two images side by side, clouds and background: blends them.
    pub fn sky(self) -> Self {
        let [width, height] = self.size;
        let half = width as usize / 2;
        let rows = self.texels.chunks_exact(width as usize);
        let texels = rows.flat_map(|row| {
            let (clouds, background) = row.split_at(half);
            let both = clouds.iter().zip(background);
            both.map(|(&over, &under)| if over == 0 { under } else { over })
        });
        Self {
            texels: texels.collect(),
            size: [half as u32, height],
        }
    }
}

/// Checks the sides of an image.
pub fn check_size([width, height]: [u32; 2]) -> Result<(), String> {
    let side = 1..=MAX_SIDE;
    if side.contains(&width) && side.contains(&height) {
        Ok(())
    } else {
        Err(format!(
            "it is {width}x{height}; each side must be 1 to {MAX_SIDE}"
        ))
    }
}
