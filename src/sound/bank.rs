//! Samples of sounds: made when they are first heard, unless a file has taken their place.
use super::RATE;
use super::kind::{Sound, VARIANTS};
use super::synth;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

/// The name of the file that replaces the tone of rooms.
pub const ROOM: &str = "room";
/// Longest sound that a file may have, seconds.
const LONGEST_SECS: usize = 120;

/// Sounds from files, by name.
#[derive(Clone, Debug, Default)]
pub struct Replacements {
    sounds: BTreeMap<String, Arc<[f32]>>,
}

/// Why a file of sound cannot be used.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SoundFileError {
    /// The name is that of no sound.
    #[error("no sound has this name")]
    UnknownName,
    /// Not WAV or OGG, or broken.
    #[error("cannot be read as {0}: {1}")]
    Broken(&'static str, String),
    /// Nothing in it.
    #[error("has no samples")]
    Empty,
    /// Longer than two minutes.
    #[error("is longer than {LONGEST_SECS} seconds")]
    TooLong,
}

impl Replacements {
    /// Puts a file in the place of the sound that it is named as: `name.wav` or `name.ogg`, or with `_1` to `_4` for one
    /// variant. Several channels become one, and other rates 48 kHz.
    ///
    /// # Errors
    /// The file is skipped: what is wrong with it.
    pub fn add(&mut self, file_name: &str, bytes: &[u8]) -> Result<(), SoundFileError> {
        let (stem, extension) = file_name.rsplit_once('.').unwrap_or((file_name, ""));
        let stem = stem.to_ascii_lowercase();
        if !is_known(&stem) {
            return Err(SoundFileError::UnknownName);
        }
        let (samples, rate) = match extension.eq_ignore_ascii_case("ogg") {
            true => read_ogg(bytes)?,
            false => read_wav(bytes)?,
        };
        let samples = resampled(&samples, rate);
        if samples.is_empty() {
            return Err(SoundFileError::Empty);
        }
        self.sounds.insert(stem, samples.into());
        Ok(())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sounds.is_empty()
    }

    /// The tone of rooms, if a file has it.
    pub fn room(&self) -> Option<Arc<[f32]>> {
        self.sounds.get(ROOM).cloned()
    }

    /// How long a variant of a sound is, ticks, rounded up.
    pub fn ticks(&self, sound: Sound, variant: u8) -> u64 {
        let secs = match self.of(sound, variant) {
            Some(samples) => samples.len() as f64 / f64::from(RATE),
            None => synth::secs(sound),
        };
        (secs * 60.0) as u64 + 1
    }

    fn of(&self, sound: Sound, variant: u8) -> Option<&Arc<[f32]>> {
        if self.sounds.is_empty() {
            return None;
        }
        let name = sound.name();
        let own = self.sounds.get(&format!("{name}_{}", variant + 1));
        own.or_else(|| self.sounds.get(&name))
    }
}

fn is_known(stem: &str) -> bool {
    let of = |sound: Sound| {
        let name = sound.name();
        stem == name || (1..=VARIANTS).any(|v| stem == format!("{name}_{v}"))
    };
    stem == ROOM || Sound::all().into_iter().any(of)
}

/// All sounds that were heard so far.
#[derive(Clone, Debug, Default)]
pub struct Bank {
    replacements: Replacements,
    made: BTreeMap<(String, u8), Arc<[f32]>>,
}

impl Bank {
    /// With files in the place of some sounds.
    pub fn new(replacements: Replacements) -> Bank {
        Bank {
            replacements,
            made: BTreeMap::new(),
        }
    }

    /// The tone of rooms, if a file has it.
    pub fn room(&self) -> Option<Arc<[f32]>> {
        self.replacements.room()
    }

    /// The samples of a variant of a sound.
    pub fn samples(&mut self, sound: Sound, variant: u8) -> Arc<[f32]> {
        if let Some(samples) = self.replacements.of(sound, variant) {
            return samples.clone();
        }
        let made = self.made.entry((sound.name(), variant));
        made.or_insert_with(|| synth::synthesize(sound, variant).into())
            .clone()
    }
}

fn read_wav(bytes: &[u8]) -> Result<(Vec<f32>, u32), SoundFileError> {
    let broken = |why: hound::Error| SoundFileError::Broken("WAV", why.to_string());
    let mut reader = hound::WavReader::new(Cursor::new(bytes)).map_err(broken)?;
    let spec = reader.spec();
    if spec.channels == 0 || spec.sample_rate == 0 || !(1..=32).contains(&spec.bits_per_sample) {
        return Err(SoundFileError::Broken("WAV", "an impossible format".into()));
    }
    check_length(reader.duration() as usize, spec.sample_rate)?;
    let samples: Result<Vec<f32>, hound::Error> = match spec.sample_format {
        hound::SampleFormat::Float => reader.samples::<f32>().collect(),
        hound::SampleFormat::Int => {
            let scale = 1.0 / (1u64 << (spec.bits_per_sample - 1)) as f32;
            let samples = reader.samples::<i32>();
            samples.map(|s| s.map(|s| s as f32 * scale)).collect()
        }
    };
    let samples = samples.map_err(broken)?;
    Ok((mono(&samples, spec.channels.into()), spec.sample_rate))
}

fn read_ogg(bytes: &[u8]) -> Result<(Vec<f32>, u32), SoundFileError> {
    let broken = |why: String| SoundFileError::Broken("OGG", why);
    let reader = lewton::inside_ogg::OggStreamReader::new(Cursor::new(bytes));
    let mut reader = reader.map_err(|why| broken(why.to_string()))?;
    let (channels, rate) = (
        usize::from(reader.ident_hdr.audio_channels),
        reader.ident_hdr.audio_sample_rate,
    );
    if channels == 0 || rate == 0 {
        return Err(broken("an impossible format".into()));
    }
    let mut samples = Vec::new();
    loop {
        let packet = reader.read_dec_packet_itl();
        let packet = packet.map_err(|why| broken(why.to_string()))?;
        let Some(packet) = packet else { break };
        samples.extend(packet.iter().map(|&s| f32::from(s) / 32768.0));
        check_length(samples.len() / channels, rate)?;
    }
    Ok((mono(&samples, channels), rate))
}

fn check_length(frames: usize, rate: u32) -> Result<(), SoundFileError> {
    match frames / rate as usize > LONGEST_SECS {
        true => Err(SoundFileError::TooLong),
        false => Ok(()),
    }
}

/// The mean of all channels. Samples that are no numbers are silent, and none is above 1.
fn mono(samples: &[f32], channels: usize) -> Vec<f32> {
    let mean = |frame: &[f32]| {
        let mean = frame.iter().sum::<f32>() / channels as f32;
        if mean.is_finite() {
            mean.clamp(-1.0, 1.0)
        } else {
            0.0
        }
    };
    samples.chunks_exact(channels).map(mean).collect()
}

/// At 48 kHz, by cubic interpolation (Catmull and Rom 1974).
fn resampled(samples: &[f32], rate: u32) -> Vec<f32> {
    if rate == RATE {
        return samples.to_vec();
    }
    let step = f64::from(rate) / f64::from(RATE);
    let count = (samples.len() as f64 / step) as usize;
    let at = |i: i64| samples.get(i.max(0) as usize).copied().unwrap_or(0.0);
    let sample = |i: usize| {
        let place = i as f64 * step;
        let whole = place as i64;
        let t = (place - whole as f64) as f32;
        let [a, b, c, d] = [at(whole - 1), at(whole), at(whole + 1), at(whole + 2)];
        b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
    };
    (0..count).map(sample).collect()
}
