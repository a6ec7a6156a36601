//! Writing WAV: 48 kHz, stereo, 16 bits.
use super::{Block, FRAMES, RATE};
use std::io::{self, Seek, Write};

/// Greatest number of ticks that fit into a WAV file, whose length has 32 bits: some 6 hours.
pub const MOST_TICKS: u64 = (u32::MAX as u64 - 64) / (FRAMES as u64 * 4);

/// A file that grows by a block for each tick.
pub struct WavWriter<W: Write + Seek> {
    writer: hound::WavWriter<W>,
}

impl<W: Write + Seek> WavWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(output: W) -> io::Result<Self> {
        let spec = hound::WavSpec {
            channels: 2,
            sample_rate: RATE,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let writer = hound::WavWriter::new(output, spec).map_err(as_io)?;
        Ok(Self { writer })
    }

    /// Writes a tick.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&mut self, block: &Block) -> io::Result<()> {
        for sample in block.iter().flatten() {
            self.writer
                .write_sample(sample_16(*sample))
                .map_err(as_io)?;
        }
        Ok(())
    }

    /// Ends the file: its length is written.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finalize().map_err(as_io)
    }
}

/// A sample in 16 bits, rounded to the nearest.
pub fn sample_16(sample: f32) -> i16 {
    (sample.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

fn as_io(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
