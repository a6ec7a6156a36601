//! MP4 files of two tracks (ISO/IEC 14496-12): samples are written as they come, their tables at the end.
//!
//! So a video of any length takes memory for a few numbers a sample only. The tables stand behind the samples; who plays a
//! video while it is downloaded needs a server that answers requests for parts, as all do.
use std::io::{self, Seek, SeekFrom, Write};

/// Units of time in a second, of the video as a whole.
const TIMESCALE: u32 = 48_000;

/// What a track shows.
pub(super) enum Media {
    /// Pictures of this width and height.
    Video([u16; 2]),
    /// Stereo.
    Audio,
}

/// One track: its samples are a picture or a block of sound each.
pub(super) struct Track {
    media: Media,
    /// Units of time in a second, and how many of them a sample lasts.
    timescale: u32,
    sample_lasts: u32,
    /// How long the last one lasts, if it is shorter.
    last_lasts: Option<u32>,
    /// The box that tells a decoder how to begin.
    entry: Vec<u8>,
    sizes: Vec<u32>,
    /// Which samples can be decoded without those before, from 1; empty where all can.
    keys: Vec<u32>,
    /// Runs of samples without another track's in between: where they begin in the file, and how many they are.
    chunks: Vec<(u64, u32)>,
}

impl Track {
    /// A track without samples; the entry is set once its decoder's data are known.
    pub fn new(media: Media, timescale: u32, sample_lasts: u32) -> Self {
        Self {
            media,
            timescale,
            sample_lasts,
            last_lasts: None,
            entry: Vec::new(),
            sizes: Vec::new(),
            keys: Vec::new(),
            chunks: Vec::new(),
        }
    }

    /// Sets the box that describes its samples.
    pub fn set_entry(&mut self, entry: Vec<u8>) {
        self.entry = entry;
    }

    /// The last sample is this much shorter than the others.
    pub fn set_last(&mut self, lasts: u32) {
        self.last_lasts = Some(lasts);
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.sizes.len()
    }

    /// In its own units of time.
    fn lasts(&self) -> u64 {
        let all = self.sizes.len() as u64 * u64::from(self.sample_lasts);
        let missing = self.last_lasts.map_or(0, |last| self.sample_lasts - last);
        all - u64::from(missing)
    }

    /// In the video's units of time.
    fn lasts_in_movie(&self) -> u64 {
        (self.lasts() * u64::from(TIMESCALE)).div_ceil(u64::from(self.timescale))
    }
}

/// A file that is being written.
pub(super) struct Muxer<W> {
    out: W,
    /// Where `out` stands.
    at: u64,
    /// Where the box of the samples begins.
    samples_at: u64,
    pub tracks: Vec<Track>,
    /// The track of the last sample.
    last: Option<usize>,
}

/// Before the samples of `mdat`: that its size follows, its name, its size.
const MDAT_HEAD: u64 = 16;

impl<W: Write + Seek> Muxer<W> {
    /// Begins a file with these tracks; `brand` is one more standard that it keeps to.
    ///
    /// # Errors
    /// The writer's.
    pub fn begin(mut out: W, brand: &[u8; 4], tracks: Vec<Track>) -> io::Result<Self> {
        let mut head = Vec::new();
        put_box(&mut head, b"ftyp", |b| {
            b.extend(b"isom");
            put32(b, 0x200);
            [b"isom", b"iso2", b"mp41", brand]
                .iter()
                .for_each(|name| b.extend(*name));
        });
        let samples_at = head.len() as u64;
        put32(&mut head, 1);
        head.extend(b"mdat");
        // Its size, at the end.
        put64(&mut head, 0);
        out.write_all(&head)?;
        Ok(Self {
            out,
            at: head.len() as u64,
            samples_at,
            tracks,
            last: None,
        })
    }

    /// Appends a sample to a track; `is_key` where it can be decoded without those before.
    ///
    /// # Errors
    /// The writer's.
    pub fn sample(&mut self, track: usize, bytes: &[u8], is_key: bool) -> io::Result<()> {
        self.out.write_all(bytes)?;
        let into = &mut self.tracks[track];
        into.sizes.push(bytes.len() as u32);
        if is_key {
            into.keys.push(into.sizes.len() as u32);
        }
        match into.chunks.last_mut() {
            Some((_, samples)) if self.last == Some(track) => *samples += 1,
            _ => into.chunks.push((self.at, 1)),
        }
        self.last = Some(track);
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes the tables and gives the writer back.
    ///
    /// # Errors
    /// The writer's.
    pub fn finish(mut self) -> io::Result<W> {
        let mut moov = Vec::new();
        put_box(&mut moov, b"moov", |b| movie(b, &self.tracks));
        self.out.write_all(&moov)?;
        self.out.seek(SeekFrom::Start(self.samples_at + 8))?;
        let size = self.at - self.samples_at;
        debug_assert!(size >= MDAT_HEAD);
        self.out.write_all(&size.to_be_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn movie(b: &mut Vec<u8>, tracks: &[Track]) {
    let lasts = tracks.iter().map(Track::lasts_in_movie).max().unwrap_or(0);
    put_full_box(b, b"mvhd", 1, 0, |b| {
        // Not dated: the same recording gives the same file.
        put64(b, 0);
        put64(b, 0);
        put32(b, TIMESCALE);
        put64(b, lasts);
        put32(b, 0x0001_0000); // speed: 1
        put16(b, 0x0100); // volume: 1
        b.extend([0; 10]);
        put_identity(b);
        b.extend([0; 24]);
        put32(b, tracks.len() as u32 + 1); // the number of the next track
    });
    for (track, number) in tracks.iter().zip(1..) {
        put_box(b, b"trak", |b| put_track(b, track, number));
    }
}

/// A picture that is shown as it is: the matrix without turning or moving.
fn put_identity(b: &mut Vec<u8>) {
    for cell in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] {
        put32(b, cell);
    }
}

fn put_track(b: &mut Vec<u8>, track: &Track, number: u32) {
    let is_audio = matches!(track.media, Media::Audio);
    // Flags: enabled, part of the video.
    put_full_box(b, b"tkhd", 1, 3, |b| {
        put64(b, 0);
        put64(b, 0);
        put32(b, number);
        put32(b, 0);
        put64(b, track.lasts_in_movie());
        b.extend([0; 8]);
        put32(b, 0); // layer, and no alternative
        put16(b, if is_audio { 0x0100 } else { 0 });
        put16(b, 0);
        put_identity(b);
        let [width, height] = match track.media {
            Media::Video(size) => size,
            Media::Audio => [0; 2],
        };
        put32(b, u32::from(width) << 16);
        put32(b, u32::from(height) << 16);
    });
    put_box(b, b"mdia", |b| {
        put_full_box(b, b"mdhd", 1, 0, |b| {
            put64(b, 0);
            put64(b, 0);
            put32(b, track.timescale);
            put64(b, track.lasts());
            put16(b, 0x55c4); // no language
            put16(b, 0);
        });
        put_full_box(b, b"hdlr", 0, 0, |b| {
            put32(b, 0);
            b.extend(if is_audio { b"soun" } else { b"vide" });
            b.extend([0; 12]);
            b.extend(if is_audio {
                &b"Sound\0"[..]
            } else {
                b"Video\0"
            });
        });
        put_box(b, b"minf", |b| {
            match is_audio {
                true => put_full_box(b, b"smhd", 0, 0, |b| put32(b, 0)),
                false => put_full_box(b, b"vmhd", 0, 1, |b| put64(b, 0)),
            }
            put_box(b, b"dinf", |b| {
                put_full_box(b, b"dref", 0, 0, |b| {
                    put32(b, 1);
                    // Flag: in this file.
                    put_full_box(b, b"url ", 0, 1, |_| ());
                });
            });
            put_box(b, b"stbl", |b| put_samples(b, track));
        });
    });
}

fn put_samples(b: &mut Vec<u8>, track: &Track) {
    put_full_box(b, b"stsd", 0, 0, |b| {
        put32(b, 1);
        b.extend(&track.entry);
    });
    let samples = track.sizes.len() as u32;
    put_full_box(b, b"stts", 0, 0, |b| {
        let last = track.last_lasts.map(|lasts| (1, lasts));
        let before = samples - last.map_or(0, |(count, _)| count);
        let runs = [Some((before, track.sample_lasts)), last];
        let runs: Vec<(u32, u32)> = runs.into_iter().flatten().filter(|run| run.0 > 0).collect();
        put32(b, runs.len() as u32);
        for (count, lasts) in runs {
            put32(b, count);
            put32(b, lasts);
        }
    });
    if !track.keys.is_empty() {
        put_full_box(b, b"stss", 0, 0, |b| {
            put32(b, track.keys.len() as u32);
            track.keys.iter().for_each(|key| put32(b, *key));
        });
    }
    put_full_box(b, b"stsc", 0, 0, |b| {
        // A line where the number of samples in a chunk changes.
        let mut lines: Vec<(u32, u32)> = Vec::new();
        for ((_, samples), chunk) in track.chunks.iter().zip(1..) {
            if lines.last().is_none_or(|(_, before)| before != samples) {
                lines.push((chunk, *samples));
            }
        }
        put32(b, lines.len() as u32);
        for (chunk, samples) in lines {
            put32(b, chunk);
            put32(b, samples);
            put32(b, 1); // the only entry of stsd
        }
    });
    put_full_box(b, b"stsz", 0, 0, |b| {
        put32(b, 0);
        put32(b, samples);
        track.sizes.iter().for_each(|size| put32(b, *size));
    });
    put_full_box(b, b"co64", 0, 0, |b| {
        put32(b, track.chunks.len() as u32);
        track.chunks.iter().for_each(|(at, _)| put64(b, *at));
    });
}

/// The entry of a video track: `name` says the codec, `config` is the codec's own box. Pixels are square, colours BT.709 in
/// limited range, as [`super::yuv`] makes them.
pub(super) fn video_entry(name: &[u8; 4], size: [u16; 2], config: &[u8]) -> Vec<u8> {
    let mut entry = Vec::new();
    put_box(&mut entry, name, |b| {
        b.extend([0; 6]);
        put16(b, 1); // the only dref
        b.extend([0; 16]);
        put16(b, size[0]);
        put16(b, size[1]);
        put32(b, 0x0048_0000); // 72 dots an inch, as the standard asks
        put32(b, 0x0048_0000);
        put32(b, 0);
        put16(b, 1); // one frame a sample
        b.extend([0; 32]); // no name of the compressor
        put16(b, 0x18); // colour without alpha
        put16(b, u16::MAX);
        b.extend(config);
        put_box(b, b"colr", |b| {
            b.extend(b"nclx");
            put16(b, 1);
            put16(b, 1);
            put16(b, 1);
            b.push(0);
        });
        put_box(b, b"pasp", |b| {
            put32(b, 1);
            put32(b, 1);
        });
    });
    entry
}

/// The entry of a track of stereo sound with 16 bits.
pub(super) fn audio_entry(name: &[u8; 4], rate: u32, config: &[u8]) -> Vec<u8> {
    let mut entry = Vec::new();
    put_box(&mut entry, name, |b| {
        b.extend([0; 6]);
        put16(b, 1); // the only dref
        b.extend([0; 8]);
        put16(b, 2);
        put16(b, 16);
        put32(b, 0);
        put32(b, rate << 16);
        b.extend(config);
    });
    entry
}

/// A box: its size, its name, what `fill` puts in.
pub(super) fn put_box(b: &mut Vec<u8>, name: &[u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = b.len();
    put32(b, 0);
    b.extend(name);
    fill(b);
    let size = (b.len() - start) as u32;
    b[start..start + 4].copy_from_slice(&size.to_be_bytes());
}

/// A box with a version and flags.
pub(super) fn put_full_box(
    b: &mut Vec<u8>,
    name: &[u8; 4],
    version: u8,
    flags: u32,
    fill: impl FnOnce(&mut Vec<u8>),
) {
    put_box(b, name, |b| {
        put32(b, u32::from(version) << 24 | flags);
        fill(b);
    });
}

fn put16(b: &mut Vec<u8>, value: u16) {
    b.extend(value.to_be_bytes());
}

fn put32(b: &mut Vec<u8>, value: u32) {
    b.extend(value.to_be_bytes());
}

fn put64(b: &mut Vec<u8>, value: u64) {
    b.extend(value.to_be_bytes());
}
