//! The mix of a tick: 800 samples on two sides, from the sources that the ear hears.
//!
//! Each voice is read late by its way's delay, low-passed, and panned, and a part goes into the reverberation. All that
//! changes from tick to tick goes there in a straight line over the tick, and a delay that jumps is crossfaded: nothing
//! clicks. Only additions in a fixed order: the same bits each time.
use super::bank::Bank;
use super::ear::{HeardTick, Reception};
use super::kind::Category;
use super::limiter::Limiter;
use super::loss::OPEN_HZ;
use super::reverb::Reverb;
use super::{Block, FRAMES, RATE};
use crate::geom::rng::Rng;
use std::sync::Arc;
use strum::VariantArray;

/// A delay that changes by no more in a tick is followed by reading faster or slower, as the ear does when it moves, by up
/// to a tenth (34 m/s); otherwise the voice is crossfaded from the old delay to the new one.
const MOST_GLIDE: i64 = 80;
/// Amplitude of the tone of a room.
const ROOM_TONE: f32 = 0.0022;
/// Cut-off of the tone of a room, hertz.
const ROOM_TONE_HZ: f64 = 160.0;

/// How loud what is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Of everything, 0 to 1.
    pub volume: f32,
    /// By [`Category`], 0 to 1.
    pub categories: [f32; Category::VARIANTS.len()],
}

impl Default for Levels {
    fn default() -> Self {
        Levels {
            volume: 1.0,
            categories: [1.0; Category::VARIANTS.len()],
        }
    }
}

impl Levels {
    /// The level of a category.
    pub fn of(&self, category: Category) -> f32 {
        self.categories[category as usize]
    }
}

/// A source while it sounds.
#[derive(Clone, Debug)]
struct Voice {
    id: u64,
    samples: Arc<[f32]>,
    category: Category,
    /// Samples since it began.
    clock: i64,
    now: Heard,
    low_pass: f32,
}

/// What a voice is at the end of a tick.
#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    left: f32,
    right: f32,
    send: f32,
    pole: f32,
    delay: i64,
}

impl Heard {
    fn new(reception: &Reception, level: f32) -> Heard {
        let gain = reception.gain * level;
        Heard {
            left: gain * reception.sides[0],
            right: gain * reception.sides[1],
            send: reception.send * level,
            pole: pole(f64::from(reception.cutoff_hz)),
            delay: i64::from(reception.delay),
        }
    }

    fn silent(self) -> Heard {
        Heard {
            left: 0.0,
            right: 0.0,
            send: 0.0,
            ..self
        }
    }
}

/// The coefficient of a one-pole low-pass; 1 lets everything through.
fn pole(cutoff_hz: f64) -> f32 {
    match OPEN_HZ <= cutoff_hz {
        true => 1.0,
        false => 1.0 - libm::exp(-std::f64::consts::TAU * cutoff_hz / f64::from(RATE)) as f32,
    }
}

/// The mixer and the state of all that sounds.
pub struct Mixer {
    bank: Bank,
    levels: Levels,
    /// The volume at the end of the last tick.
    volume: f32,
    voices: Vec<Voice>,
    reverb: Reverb,
    limiter: Limiter,
    tone: Tone,
}

impl Mixer {
    /// With a bank of sounds.
    pub fn new(bank: Bank, levels: Levels) -> Mixer {
        Mixer {
            tone: Tone::new(bank.room()),
            bank,
            levels,
            volume: levels.volume,
            voices: Vec::new(),
            reverb: Reverb::default(),
            limiter: Limiter::default(),
        }
    }

    /// Changes the levels; they are there at the end of the next tick.
    pub fn set_levels(&mut self, levels: Levels) {
        self.levels = levels;
    }

    /// Number of voices.
    pub fn voices(&self) -> usize {
        self.voices.len()
    }

    /// Mixes a tick.
    pub fn mix(&mut self, heard: &HeardTick, block: &mut Block) {
        *block = [[0.0; 2]; FRAMES];
        let mut send = [0.0; FRAMES];
        for start in &heard.started {
            self.voices.push(Voice {
                id: start.id,
                samples: self.bank.samples(start.sound, start.variant),
                category: start.sound.category(),
                clock: 0,
                now: Heard::new(&start.reception, self.levels.of(start.sound.category())),
                low_pass: 0.0,
            });
        }
        let levels = self.levels;
        self.voices.retain_mut(|voice| {
            let found = heard
                .receptions
                .binary_search_by_key(&voice.id, |one| one.0);
            let next = match found {
                Ok(i) => Heard::new(&heard.receptions[i].1, levels.of(voice.category)),
                // The ear has dropped it: it fades within the tick.
                Err(_) => voice.now.silent(),
            };
            voice.add(next, block, &mut send);
            found.is_ok() && voice.clock - next.delay < voice.samples.len() as i64
        });
        self.reverb.add(&send, heard.reverberation_secs, block);
        let tone = heard.tone * levels.of(Category::Room);
        self.tone.add(tone, block);
        let step = (levels.volume - self.volume) / FRAMES as f32;
        for sample in block.iter_mut() {
            self.volume += step;
            sample[0] *= self.volume;
            sample[1] *= self.volume;
        }
        self.volume = levels.volume;
        self.limiter.limit(block);
    }
}

impl Voice {
    /// Adds a tick; at its end the voice is as `next` says.
    fn add(&mut self, next: Heard, block: &mut Block, send: &mut [f32; FRAMES]) {
        let mut dry = [0.0; FRAMES];
        self.read(next.delay, &mut dry);
        let mut now = self.now;
        let step = 1.0 / FRAMES as f32;
        let left = (next.left - now.left) * step;
        let right = (next.right - now.right) * step;
        let sent = (next.send - now.send) * step;
        let pole = (next.pole - now.pole) * step;
        for i in 0..FRAMES {
            now.left += left;
            now.right += right;
            now.send += sent;
            now.pole += pole;
            self.low_pass += now.pole * (dry[i] - self.low_pass);
            let x = self.low_pass;
            block[i][0] += x * now.left;
            block[i][1] += x * now.right;
            send[i] += x * now.send;
        }
        self.now = next;
        self.clock += FRAMES as i64;
    }

    /// The samples of this tick, late by a delay that goes from the last one to `to`.
    fn read(&self, to: i64, dry: &mut [f32; FRAMES]) {
        let from = self.now.delay;
        if from == to {
            self.copy(to, dry);
        } else if (to - from).abs() <= MOST_GLIDE {
            for (i, sample) in dry.iter_mut().enumerate() {
                let part = i as f64 / FRAMES as f64;
                let place = (self.clock + i as i64 - from) as f64 - part * (to - from) as f64;
                let whole = place.floor();
                let [a, b] = [0, 1].map(|k| self.sample(whole as i64 + k));
                *sample = a + (b - a) * (place - whole) as f32;
            }
        } else {
            let mut old = [0.0; FRAMES];
            self.copy(from, &mut old);
            self.copy(to, dry);
            for (i, (sample, old)) in dry.iter_mut().zip(old).enumerate() {
                let part = i as f32 / FRAMES as f32;
                *sample = old + (*sample - old) * part;
            }
        }
    }

    fn copy(&self, delay: i64, dry: &mut [f32; FRAMES]) {
        let start = self.clock - delay;
        let skipped = (-start).clamp(0, FRAMES as i64) as usize;
        let from = start.max(0) as usize;
        let Some(rest) = self.samples.get(from..) else {
            return;
        };
        let count = rest.len().min(FRAMES - skipped);
        dry[skipped..skipped + count].copy_from_slice(&rest[..count]);
    }

    fn sample(&self, place: i64) -> f32 {
        let place = usize::try_from(place).ok();
        place
            .and_then(|place| self.samples.get(place))
            .copied()
            .unwrap_or(0.0)
    }
}

/// The tone of a room: air and far machines, as low noise that differs on both sides, or a file in a loop.
struct Tone {
    rng: Rng,
    state: [[f32; 2]; 2],
    gain: f32,
    file: Option<Arc<[f32]>>,
    place: usize,
}

impl Tone {
    fn new(file: Option<Arc<[f32]>>) -> Tone {
        Tone {
            rng: Rng::new(0x70_6e_65),
            state: [[0.0; 2]; 2],
            gain: 0.0,
            file,
            place: 0,
        }
    }

    fn add(&mut self, gain: f32, block: &mut Block) {
        if gain == 0.0 && self.gain == 0.0 {
            return;
        }
        let step = (gain - self.gain) / FRAMES as f32;
        let k = pole(ROOM_TONE_HZ);
        // Two poles leave so much of white noise's amplitude.
        let scale = ROOM_TONE * 12.0;
        for out in block.iter_mut() {
            self.gain += step;
            if let Some(file) = &self.file {
                let sample = file[self.place] * self.gain;
                self.place = (self.place + 1) % file.len();
                out.iter_mut().for_each(|out| *out += sample);
                continue;
            }
            for (out, state) in out.iter_mut().zip(&mut self.state) {
                let noise = (self.rng.next_u64() >> 40) as f32 / (1u64 << 23) as f32 - 1.0;
                state[0] += k * (noise - state[0]);
                state[1] += k * (state[0] - state[1]);
                *out += state[1] * self.gain * scale;
            }
        }
        self.gain = gain;
    }
}
