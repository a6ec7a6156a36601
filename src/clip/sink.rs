//! Where pictures go: a GIF, or a video. Both are written to a file beside the target, which is replaced at the end.
use super::{Kind, Order};
use crate::files::Replacement;
#[cfg(feature = "video")]
use crate::video::{VideoFormat, Writer};
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, ImageError, RgbaImage};
use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::rc::Rc;

/// Sampling step of GIF's colour quantizer, pixels; 1 is slowest.
const SPEED: i32 = 10;

/// A clip that is being written. Dropped before its end, it leaves nothing behind.
pub(super) enum Sink {
    Gif(Gif),
    #[cfg(feature = "video")]
    Mp4(Writer),
}

impl Sink {
    pub fn begin(order: &Order) -> io::Result<Self> {
        match order.kind {
            Kind::Gif => Gif::begin(order).map(Sink::Gif),
            #[cfg(feature = "video")]
            Kind::Mp4 => {
                let [width, height] = order.size;
                let format = VideoFormat {
                    width,
                    height,
                    fps: 60,
                    audio: false,
                };
                Writer::create(&order.path, format).map(Sink::Mp4)
            }
        }
    }

    /// Appends a picture: RGBA rows from the top.
    pub fn picture(&mut self, pixels: Vec<u8>) -> io::Result<()> {
        match self {
            Sink::Gif(gif) => gif.picture(pixels),
            #[cfg(feature = "video")]
            Sink::Mp4(video) => video.frame(&pixels),
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self {
            Sink::Gif(gif) => gif.finish(),
            #[cfg(feature = "video")]
            Sink::Mp4(video) => video.finish(),
        }
    }
}

pub(super) struct Gif {
    size: [u32; 2],
    /// Writes the end of the file when it is dropped, and does not say whether that succeeded.
    encoder: GifEncoder<Out>,
    out: Out,
}

/// The file, which is needed again once the encoder is done with it.
#[derive(Clone)]
struct Out(Rc<RefCell<BufWriter<Replacement>>>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl Gif {
    fn begin(order: &Order) -> io::Result<Self> {
        let file = BufWriter::new(Replacement::begin(&order.path)?);
        let out = Out(Rc::new(RefCell::new(file)));
        let mut encoder = GifEncoder::new_with_speed(out.clone(), SPEED);
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let size = order.size;
        Ok(Self { size, encoder, out })
    }

    fn picture(&mut self, pixels: Vec<u8>) -> io::Result<()> {
        let [width, height] = self.size;
        let picture = RgbaImage::from_raw(width, height, pixels)
            .ok_or_else(|| io::Error::other("the picture has the wrong size"))?;
        let delay = Delay::from_numer_denom_ms(Kind::Gif.ticks() as u32 * 1000, 60);
        let frame = Frame::from_parts(picture, 0, 0, delay);
        self.encoder.encode_frame(frame).map_err(failed)
    }

    fn finish(self) -> io::Result<()> {
        drop(self.encoder);
        let file = Rc::into_inner(self.out.0).expect("the encoder was the only other user");
        let file = file.into_inner().into_inner();
        file.map_err(io::IntoInnerError::into_error)?.finish()
    }
}

/// The file system's reason where that is why.
fn failed(error: ImageError) -> io::Error {
    match error {
        ImageError::IoError(error) => error,
        other => io::Error::other(format!("cannot be written as GIF: {other}")),
    }
}
