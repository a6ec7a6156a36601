//! Where pictures and sound go. All files are written beside their target, which is replaced at the end.
use super::kind::Kind;
use super::order::Order;
use super::wav::{self, Wav};
use crate::files::Replacement;
#[cfg(feature = "video")]
use crate::video::{VideoFormat, Writer};
use std::io::{self, BufWriter};

/// A clip that is being written. Dropped before its end, it leaves nothing behind.
pub(super) enum Sink {
    #[cfg(feature = "render")]
    Gif(super::gif::Gif<BufWriter<Replacement>>),
    #[cfg(feature = "video")]
    Mp4(Writer),
    Wav(Wav<BufWriter<Replacement>>),
}

impl Sink {
    pub fn begin(order: &Order) -> io::Result<Self> {
        let file = || Replacement::begin(&order.path).map(BufWriter::new);
        // Pictures of no size are refused.
        #[cfg(feature = "render")]
        let size = order.pictures.as_ref().map_or([0; 2], |p| p.size);
        match order.kind {
            #[cfg(feature = "render")]
            Kind::Gif => super::gif::Gif::begin(file()?, size).map(Sink::Gif),
            #[cfg(feature = "video")]
            Kind::Mp4 => {
                let [width, height] = size;
                let format = VideoFormat {
                    width,
                    height,
                    fps: 60,
                    audio: true,
                };
                Writer::create(&order.path, format).map(Sink::Mp4)
            }
            Kind::Wav if wav::MOST_TICKS <= order.ticks.end() - order.ticks.start() => {
                Err(wav::too_long())
            }
            Kind::Wav => Wav::begin(file()?).map(Sink::Wav),
        }
    }

    /// Appends a picture: RGBA rows from the top. Sound alone has none.
    #[cfg(feature = "render")]
    pub fn picture(&mut self, pixels: Vec<u8>) -> io::Result<()> {
        match self {
            Sink::Gif(gif) => gif.picture(pixels),
            #[cfg(feature = "video")]
            Sink::Mp4(video) => video.frame(&pixels),
            Sink::Wav(_) => Ok(()),
        }
    }

    /// Appends samples: left and right in turn. A GIF has none.
    pub fn sound(&mut self, samples: Vec<i16>) -> io::Result<()> {
        match self {
            #[cfg(feature = "render")]
            Sink::Gif(_) => Ok(()),
            #[cfg(feature = "video")]
            Sink::Mp4(video) => video.audio(samples),
            Sink::Wav(wav) => wav.write(&samples),
        }
    }

    pub fn finish(self) -> io::Result<()> {
        let file = match self {
            #[cfg(feature = "render")]
            Sink::Gif(gif) => gif.finish()?,
            #[cfg(feature = "video")]
            Sink::Mp4(video) => return video.finish(),
            Sink::Wav(wav) => wav.finish()?,
        };
        let file = file.into_inner();
        file.map_err(io::IntoInnerError::into_error)?.finish()
    }
}
