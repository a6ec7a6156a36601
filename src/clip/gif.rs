//! Pictures without sound: an animated GIF, each picture with colours of its own.
use super::kind::Kind;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::io::{self, Write};

/// Sampling step of the colour quantizer, pixels; 1 is slowest.
const SPEED: i32 = 10;

/// A file that grows with each picture.
pub(super) struct Gif<W: Write> {
    size: [u16; 2],
    encoder: Encoder<W>,
}

impl<W: Write> Gif<W> {
    /// Begins a file of pictures of this size, pixels.
    ///
    /// # Errors
    /// The output's, or that a side is too long.
    pub fn begin(out: W, size: [u32; 2]) -> io::Result<Self> {
        let [width, height] = size.map(|side| u16::try_from(side).unwrap_or(0));
        if width == 0 || height == 0 {
            let why = "a side of a GIF has 1 to 65535 pixels";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let mut encoder = Encoder::new(out, width, height, &[]).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let size = [width, height];
        Ok(Self { size, encoder })
    }

    /// Appends a picture: RGBA rows from the top.
    ///
    /// # Errors
    /// The output's.
    pub fn picture(&mut self, mut pixels: Vec<u8>) -> io::Result<()> {
        let [width, height] = self.size;
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, SPEED);
        // Hundredths of a second.
        frame.delay = (Kind::GIF_TICKS * 100 / 60) as u16;
        frame.dispose = DisposalMethod::Background;
        self.encoder.write_frame(&frame).map_err(failed)
    }

    /// Ends the file and gives the output back.
    ///
    /// # Errors
    /// The output's.
    pub fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(failed)
    }
}

/// The file system's reason where that is why.
fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(format!("cannot be written as GIF: {other}")),
    }
}
