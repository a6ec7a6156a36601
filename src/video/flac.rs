//! Sound as FLAC, and how an MP4 file describes it (RFC 9639; "Encapsulation of FLAC in ISO Base Media File Format", Xiph).
use super::mp4::{audio_entry, put_full_box};
use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, StreamInfo};
use flacenc::config;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Fill, FrameBuf};
use std::io;

/// Samples a second of each channel.
pub(super) const RATE: u32 = 48_000;
/// Samples of each channel in a block: five ticks of 800.
pub(super) const BLOCK: usize = 4000;
const CHANNELS: usize = 2;
const BITS: usize = 16;
/// Samples in the shortest block that the encoder makes; shorter ends are filled up with silence.
const SHORTEST: usize = 32;

/// Encodes stereo, block by block.
pub(super) struct FlacEncoder {
    config: Verified<config::Encoder>,
    info: StreamInfo,
    /// Samples that do not fill a block yet, left and right in turn.
    waiting: Vec<i32>,
    blocks: usize,
}

impl FlacEncoder {
    /// # Errors
    /// The library's.
    pub fn new() -> io::Result<Self> {
        let config = config::Encoder::default()
            .into_verified()
            .map_err(|(_, error)| failed(&error))?;
        let info = StreamInfo::new(RATE as usize, CHANNELS, BITS).map_err(|e| failed(&e))?;
        Ok(Self {
            config,
            info,
            waiting: Vec::new(),
            blocks: 0,
        })
    }

    /// Takes samples, left and right in turn. Returns full blocks.
    pub fn push(&mut self, samples: &[i16]) -> io::Result<Vec<Vec<u8>>> {
        self.waiting.extend(samples.iter().map(|s| i32::from(*s)));
        let mut done = Vec::new();
        let full = BLOCK * CHANNELS;
        let blocks = self.waiting.len() / full;
        for block in 0..blocks {
            let samples = block * full..(block + 1) * full;
            done.push(self.block(&self.waiting[samples], self.blocks + block)?);
        }
        self.waiting.drain(..blocks * full);
        self.blocks += blocks;
        Ok(done)
    }

    /// The last block, and how many samples of each channel it has; None where the sound ends with a full block.
    pub fn finish(mut self) -> io::Result<Option<(Vec<u8>, u32)>> {
        if self.waiting.is_empty() {
            return Ok(None);
        }
        let most = self.waiting.len().max(SHORTEST * CHANNELS);
        self.waiting.resize(most.next_multiple_of(CHANNELS), 0);
        let samples = self.waiting.len() / CHANNELS;
        let bytes = self.block(&self.waiting, self.blocks)?;
        Ok(Some((bytes, samples as u32)))
    }

    fn block(&self, samples: &[i32], number: usize) -> io::Result<Vec<u8>> {
        let mut buffer =
            FrameBuf::with_size(CHANNELS, samples.len() / CHANNELS).map_err(|e| failed(&e))?;
        buffer.fill_interleaved(samples).map_err(|e| failed(&e))?;
        let frame = flacenc::encode_fixed_size_frame(&self.config, &buffer, number, &self.info)
            .map_err(|e| failed(&e))?;
        let mut sink = ByteSink::new();
        frame.write(&mut sink).map_err(|e| failed(&e))?;
        Ok(sink.into_inner())
    }
}

/// The sample entry of the sound track.
pub(super) fn entry() -> Vec<u8> {
    let mut config = Vec::new();
    put_full_box(&mut config, b"dfLa", 0, 0, |b| {
        // The last and only block of metadata: STREAMINFO, 34 bytes. Frame sizes, length and checksum may be left out.
        b.extend([0x80, 0, 0, 34]);
        b.extend((BLOCK as u16).to_be_bytes());
        b.extend((BLOCK as u16).to_be_bytes());
        b.extend([0; 6]);
        let head = u64::from(RATE) << 44 | (CHANNELS as u64 - 1) << 41 | (BITS as u64 - 1) << 36;
        b.extend(head.to_be_bytes());
        b.extend([0; 16]);
    });
    audio_entry(b"fLaC", RATE, &config)
}

fn failed(error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("the sound could not be encoded: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_when_they_are_full_and_the_end_is_at_least_the_shortest() {
        for (samples, blocks, last) in [
            (0, 0, None),
            (1, 0, Some(32)),
            (800, 0, Some(800)),
            (4000, 1, None),
            (4001, 1, Some(32)),
            (12_800, 3, Some(800)),
        ] {
            let mut encoder = FlacEncoder::new().expect("an encoder");
            let mut found = 0;
            let sound = vec![8000; samples * 2];
            for part in sound.chunks(1600) {
                found += encoder.push(part).expect("encoded").len();
            }
            let end = encoder.finish().expect("encoded");
            assert_eq!((found, end.map(|end| end.1)), (blocks, last), "{samples}");
        }
    }
}
