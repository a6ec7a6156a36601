//! How do pictures and sound become a video? H.264 and FLAC in an MP4 file, which browsers and other players read.
//!
//! [`Writer`] takes pictures (RGBA, sRGB) and, if the video has sound, stereo samples (48 kHz, 16 bits) in any order; they are
//! encoded on a thread of its own and written to a file beside the target, which is replaced at the end or not at all.
//! `yuv` converts colours, `h264` and `flac` encode, `mp4` writes the file. Called by [`crate::clip`].
mod flac;
mod h264;
mod mp4;
mod yuv;

use crate::files::Replacement;
use flac::FlacEncoder;
use h264::H264Encoder;
use mp4::{Media, Muxer, Track};
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use yuv::Planes;

/// What a video is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoFormat {
    /// Of its pictures, pixels; even: see [`even`].
    pub width: u32,
    /// The same.
    pub height: u32,
    /// Pictures a second.
    pub fps: u32,
    /// Whether it has a sound track.
    pub audio: bool,
}

/// The largest even size within a size: chroma has one sample for two by two pixels.
pub fn even(size: [u32; 2]) -> [u32; 2] {
    size.map(|side| side & !1)
}

/// Pictures and sounds that wait to be encoded: so many that neither side stands still, and few in memory.
const WAITING: usize = 4;

/// A video that is being written. Dropped before [`Writer::finish`], it leaves nothing behind.
pub struct Writer {
    format: VideoFormat,
    to: Option<SyncSender<Part>>,
    encoding: Option<JoinHandle<io::Result<()>>>,
}

enum Part {
    Picture(Planes),
    Sound(Vec<i16>),
    End,
}

impl Writer {
    /// Begins a video at `path`.
    ///
    /// # Errors
    /// The file system's, or a size that is odd or beyond what can be encoded.
    pub fn create(path: &Path, format: VideoFormat) -> io::Result<Self> {
        let size = [format.width, format.height];
        let lying = [size[0].max(size[1]), size[0].min(size[1])];
        let [width, height] = h264::LARGEST;
        if lying[0] > width || lying[1] > height {
            let why = format!("a video can be {width}x{height} at most, lying or standing");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        if even(size) != size || lying[1] == 0 || format.fps == 0 {
            let why = "a video needs an even size and pictures a second";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let file = Replacement::begin(path)?;
        let (to, from) = sync_channel(WAITING);
        let encoding = std::thread::Builder::new()
            .name("video".into())
            .spawn(move || encode(file, format, &from))?;
        Ok(Self {
            format,
            to: Some(to),
            encoding: Some(encoding),
        })
    }

    /// Appends a picture: RGBA rows from the top. Waits while too many are not encoded yet.
    ///
    /// # Errors
    /// Why the video cannot go on: a full disk, say.
    pub fn frame(&mut self, rgba: &[u8]) -> io::Result<()> {
        let mut planes = Planes::new(self.format.width as usize, self.format.height as usize);
        planes.convert(rgba);
        self.send(Part::Picture(planes))
    }

    /// Appends sound: samples at 48 kHz, left and right in turn.
    ///
    /// # Errors
    /// As [`Writer::frame`].
    pub fn audio(&mut self, samples: Vec<i16>) -> io::Result<()> {
        assert!(self.format.audio, "the video was begun without sound");
        self.send(Part::Sound(samples))
    }

    /// Ends the video and puts it in its place.
    ///
    /// # Errors
    /// Why it could not be written, or that it has no picture; then nothing is left of it.
    pub fn finish(mut self) -> io::Result<()> {
        self.send(Part::End)?;
        self.join()
    }

    fn send(&mut self, part: Part) -> io::Result<()> {
        let sent = self.to.as_ref().map(|to| to.send(part));
        match sent {
            Some(Ok(())) => Ok(()),
            // The encoder has ended early, and says why.
            _ => Err(self.join().err().unwrap_or_else(stopped)),
        }
    }

    fn join(&mut self) -> io::Result<()> {
        self.to = None;
        match self.encoding.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            _ => Err(stopped()),
        }
    }
}

impl Drop for Writer {
    /// Waits until the unfinished file is gone.
    fn drop(&mut self) {
        self.to = None;
        if let Some(encoding) = self.encoding.take() {
            let _ = encoding.join();
        }
    }
}

fn stopped() -> io::Error {
    io::Error::other("the encoder stopped on an internal error")
}

/// Numbers of the tracks.
const VIDEO: usize = 0;
const AUDIO: usize = 1;

/// Encodes and writes what comes, up to the end; where the sender goes before, the file goes too.
fn encode(file: Replacement, format: VideoFormat, from: &Receiver<Part>) -> io::Result<()> {
    let size = [format.width, format.height];
    let video = Media::Video(size.map(|side| side as u16));
    let mut tracks = vec![Track::new(video, format.fps, 1)];
    let mut flac = None;
    if format.audio {
        tracks.push(Track::new(Media::Audio, flac::RATE, flac::BLOCK as u32));
        flac = Some(FlacEncoder::new()?);
    }
    let mut h264 = H264Encoder::new(size.map(|side| side as usize), format.fps)?;
    let mut muxer = Muxer::begin(BufWriter::new(file), b"avc1", tracks)?;
    loop {
        match from.recv() {
            Err(_) => return Ok(()),
            Ok(Part::Picture(planes)) => {
                let (sample, is_key) = h264.encode(&planes)?;
                muxer.sample(VIDEO, sample, is_key)?;
            }
            Ok(Part::Sound(samples)) => {
                let blocks = flac.as_mut().map(|flac| flac.push(&samples)).transpose()?;
                for block in blocks.unwrap_or_default() {
                    muxer.sample(AUDIO, &block, false)?;
                }
            }
            Ok(Part::End) => break,
        }
    }
    if muxer.tracks[VIDEO].samples() == 0 {
        let why = "a video without pictures";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    muxer.tracks[VIDEO].set_entry(h264.entry());
    if let Some(flac) = flac {
        if let Some((block, samples)) = flac.finish()? {
            muxer.sample(AUDIO, &block, false)?;
            muxer.tracks[AUDIO].set_last(samples);
        }
        muxer.tracks[AUDIO].set_entry(flac::entry());
        // Some players refuse a track of nothing.
        muxer.tracks.retain(|track| track.samples() > 0);
    }
    let file = muxer.finish()?;
    file.into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .finish()
}
