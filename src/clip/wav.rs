//! Sound alone: a WAV file of 48 kHz, stereo, 16 bits (Microsoft, Multimedia Programming Interface and Data Specifications
//! 1.0, 1991).
use crate::sound::{FRAMES, RATE};
use std::io::{self, Seek, SeekFrom, Write};

/// Most ticks of a file, whose length has 32 bits: some 6 hours.
pub(super) const MOST_TICKS: u64 = (u32::MAX as u64 - HEAD as u64) / (FRAMES * BLOCK) as u64;
/// Bytes of a sample of both sides.
const BLOCK: usize = 4;
/// Bytes before the samples.
const HEAD: usize = 44;

/// A file that grows with each tick.
pub(super) struct Wav<W> {
    out: W,
    /// Bytes of samples so far.
    length: u32,
}

impl<W: Write + Seek> Wav<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The output's.
    pub fn begin(mut out: W) -> io::Result<Self> {
        // The lengths are set at the end.
        out.write_all(&head(0))?;
        Ok(Self { out, length: 0 })
    }

    /// Appends samples: left and right in turn.
    ///
    /// # Errors
    /// The output's, or that the file is full.
    pub fn write(&mut self, samples: &[i16]) -> io::Result<()> {
        let bytes: Vec<u8> = samples.iter().flat_map(|s| s.to_le_bytes()).collect();
        let length = self.length as usize + bytes.len();
        match u32::try_from(length + HEAD) {
            Ok(_) => self.length = length as u32,
            Err(_) => return Err(too_long()),
        }
        self.out.write_all(&bytes)
    }

    /// Ends the file and gives the output back.
    ///
    /// # Errors
    /// The output's.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head(self.length))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// More ticks than [`MOST_TICKS`].
pub(super) fn too_long() -> io::Error {
    let why = format!("a WAV file holds {MOST_TICKS} ticks at most");
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// What stands before so many bytes of samples.
fn head(length: u32) -> [u8; HEAD] {
    let [channels, bits] = [2u16, 16];
    let mut head = Vec::with_capacity(HEAD);
    head.extend(b"RIFF");
    head.extend((length + HEAD as u32 - 8).to_le_bytes());
    head.extend(b"WAVEfmt ");
    head.extend(16u32.to_le_bytes());
    // Format 1: integers.
    head.extend(1u16.to_le_bytes());
    head.extend(channels.to_le_bytes());
    head.extend(RATE.to_le_bytes());
    head.extend((RATE * BLOCK as u32).to_le_bytes());
    head.extend((BLOCK as u16).to_le_bytes());
    head.extend(bits.to_le_bytes());
    head.extend(b"data");
    head.extend(length.to_le_bytes());
    head.try_into().expect("44 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn another_reader_finds_the_samples_that_were_written() {
        let samples: Vec<i16> = (0..6400)
            .map(|i| (i * 37 % 60_000 - 30_000) as i16)
            .collect();
        for ticks in [0, 1, 4] {
            let mut wav = Wav::begin(Cursor::new(Vec::new())).expect("memory");
            let wanted = &samples[..ticks * 1600];
            wanted
                .chunks(1600)
                .for_each(|tick| wav.write(tick).expect("memory"));
            let bytes = wav.finish().expect("memory").into_inner();
            assert_eq!(bytes.len(), HEAD + ticks * 3200);
            let mut reader = hound::WavReader::new(Cursor::new(bytes)).expect("a WAV file");
            let spec = reader.spec();
            assert_eq!(
                (spec.channels, spec.sample_rate, spec.bits_per_sample),
                (2, 48_000, 16)
            );
            let found: Vec<i16> = reader.samples().collect::<Result<_, _>>().expect("whole");
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn a_file_that_is_full_refuses_more() {
        let mut wav = Wav {
            out: Cursor::new(Vec::new()),
            length: u32::MAX - HEAD as u32 - 3,
        };
        let why = wav.write(&[0, 0]).expect_err("full");
        assert!(why.to_string().contains("at most"), "{why}");
        assert!(wav.out.into_inner().is_empty());
    }
}
