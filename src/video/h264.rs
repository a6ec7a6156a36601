//! Pictures as H.264, and how an MP4 file describes them (ISO/IEC 14496-15, `avcC`).
use super::mp4::{put_box, video_entry};
use super::yuv::Planes;
use openh264::OpenH264API;
use openh264::encoder::{
    Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, Profile, QpRange,
    RateControlMode, UsageType, VuiConfig,
};
use openh264::formats::YUVSlices;
use std::io;

/// The largest picture that the library encodes, lying or standing, pixels.
pub(super) const LARGEST: [u32; 2] = [3840, 2160];
/// Seconds between pictures that are decoded without those before: how finely a player can jump.
const KEYS_EVERY_SECS: u32 = 2;

/// How coarsely pictures are quantized, 0 to 51: at 30 a walk along a brick wall takes 40 Mbit/s in 1920x1080 and is within 33 dB,
/// at 26 65 Mbit/s within 37 dB, at 34 27 Mbit/s within 30 dB.
const QUANTIZER: u8 = 30;

/// Kinds of the units of a stream, in the low five bits of their first byte.
const SEQUENCE: u8 = 7;
const PICTURE: u8 = 8;

/// Encodes pictures of one size.
pub(super) struct H264Encoder {
    encoder: Encoder,
    size: [usize; 2],
    /// The parameter sets: of the sequence, of its pictures. They stand once, in the description.
    sets: [Vec<u8>; 2],
    /// The encoded picture.
    sample: Vec<u8>,
}

impl H264Encoder {
    /// For pictures of an even size, so many a second.
    pub fn new(size: [usize; 2], fps: u32) -> io::Result<Self> {
        let config = EncoderConfig::new()
            .max_frame_rate(FrameRate::from_hz(fps as f32))
            // Constant quality, however many bytes that takes: the mode takes any quantizer in its range, which is one.
            .rate_control_mode(RateControlMode::Bufferbased)
            .qp(QpRange::new(QUANTIZER, QUANTIZER))
            .skip_frames(false)
            .adaptive_quantization(false)
            .background_detection(false)
            .scene_change_detect(false)
            .usage_type(UsageType::CameraVideoRealTime)
            .complexity(Complexity::Medium)
            .profile(Profile::High)
            .num_threads(1)
            .intra_frame_period(IntraFramePeriod::from_num_frames(fps * KEYS_EVERY_SECS))
            .vui(VuiConfig::bt709());
        let api = OpenH264API::from_source();
        Ok(Self {
            encoder: Encoder::with_api_config(api, config).map_err(failed)?,
            size,
            sets: [Vec::new(), Vec::new()],
            sample: Vec::new(),
        })
    }

    /// Encodes a picture: its sample, and whether it is decoded without those before.
    pub fn encode(&mut self, planes: &Planes) -> io::Result<(&[u8], bool)> {
        let [width, height] = self.size;
        let slices = YUVSlices::new(
            (&planes.y, &planes.cb, &planes.cr),
            (width, height),
            (width, width / 2, width / 2),
        );
        let stream = self.encoder.encode(&slices).map_err(failed)?;
        self.sample.clear();
        for layer in (0..stream.num_layers()).filter_map(|layer| stream.layer(layer)) {
            for unit in (0..layer.nal_count()).filter_map(|unit| layer.nal_unit(unit)) {
                let unit = without_start(unit);
                match unit.first().map(|head| head & 31) {
                    None => {}
                    Some(SEQUENCE) => self.sets[0] = unit.to_vec(),
                    Some(PICTURE) => self.sets[1] = unit.to_vec(),
                    Some(_) => {
                        self.sample.extend((unit.len() as u32).to_be_bytes());
                        self.sample.extend(unit);
                    }
                }
            }
        }
        match stream.frame_type() {
            FrameType::IDR => Ok((&self.sample, true)),
            FrameType::I | FrameType::P | FrameType::IPMixed => Ok((&self.sample, false)),
            FrameType::Skip | FrameType::Invalid => Err(failed("a picture was left out")),
        }
    }

    /// The sample entry, once a picture is encoded.
    pub fn entry(&self) -> Vec<u8> {
        let [sequence, picture] = &self.sets;
        let mut config = Vec::new();
        put_box(&mut config, b"avcC", |b| {
            b.push(1);
            // Profile, its constraints, level: as in the sequence's set.
            b.extend(sequence.get(1..4).unwrap_or(&[0; 3]));
            b.push(0xfc | 3); // lengths of four bytes
            b.push(0xe0 | 1);
            b.extend((sequence.len() as u16).to_be_bytes());
            b.extend(sequence);
            b.push(1);
            b.extend((picture.len() as u16).to_be_bytes());
            b.extend(picture);
            // Of a high profile: 4:2:0, 8 bits each, no more sets.
            if sequence.get(1) == Some(&100) {
                b.extend([0xfc | 1, 0xf8, 0xf8, 0]);
            }
        });
        video_entry(b"avc1", self.size.map(|side| side as u16), &config)
    }
}

/// A unit without the zeros and the one before it.
fn without_start(unit: &[u8]) -> &[u8] {
    let zeros = unit.iter().take_while(|byte| **byte == 0).count();
    match unit.get(zeros) {
        Some(1) if zeros >= 2 => &unit[zeros + 1..],
        _ => unit,
    }
}

fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("the pictures could not be encoded: {error}"))
}
