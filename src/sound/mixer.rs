//! The mix of a tick: 800 samples on two sides, from the sources that the ear hears.
//!
//! Each voice is read late by its way's delay, low-passed, and panned, and a part goes into the reverberation. All that
//! changes from tick to tick goes there in a straight line over the tick, and a delay that jumps is crossfaded: nothing
//! clicks. Only additions in a fixed order (eight voices side by side): the same bits each time.
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

/// Volume of everything and of each category.
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
    lanes: Box<Lanes>,
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
            lanes: Box::default(),
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
        let nexts: Vec<(Heard, bool)> = self
            .voices
            .iter()
            .map(|voice| voice.next(heard, &levels))
            .collect();
        self.lanes.clear();
        for (voices, nexts) in self.voices.chunks_mut(LANES).zip(nexts.chunks(LANES)) {
            self.lanes.add(voices, nexts);
        }
        self.lanes.sum(block, &mut send);
        let mut nexts = nexts.iter();
        self.voices.retain(|voice| {
            let is_heard = nexts.next().is_some_and(|(_, is_heard)| *is_heard);
            is_heard && voice.clock - voice.now.delay < voice.samples.len() as i64
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
    /// What it is at the end of this tick, and whether the ear still hears it; one that the ear has dropped fades within the tick.
    fn next(&self, heard: &HeardTick, levels: &Levels) -> (Heard, bool) {
        let found = heard.receptions.binary_search_by_key(&self.id, |one| one.0);
        match found {
            Ok(i) => (
                Heard::new(&heard.receptions[i].1, levels.of(self.category)),
                true,
            ),
            Err(_) => (self.now.silent(), false),
        }
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

/// Voices that are mixed side by side: the low-pass of one waits for its last sample, those of several do not wait for
/// each other.
const LANES: usize = 8;

/// A number for each of as many voices.
type Lane = [f32; LANES];

/// The sums of a tick, still apart by lane.
struct Lanes {
    left: [Lane; FRAMES],
    right: [Lane; FRAMES],
    send: [Lane; FRAMES],
    /// The voices' samples, late and not yet low-passed.
    dry: [Lane; FRAMES],
}

impl Default for Lanes {
    fn default() -> Self {
        let none = [[0.0; LANES]; FRAMES];
        Lanes {
            left: none,
            right: none,
            send: none,
            dry: none,
        }
    }
}

impl Lanes {
    fn clear(&mut self) {
        for sums in [&mut self.left, &mut self.right, &mut self.send] {
            sums.fill([0.0; LANES]);
        }
    }

    /// Adds a tick of up to [`LANES`] voices; at its end they are as `nexts` say.
    fn add(&mut self, voices: &mut [Voice], nexts: &[(Heard, bool)]) {
        self.dry.fill([0.0; LANES]);
        for (lane, (voice, (next, _))) in voices.iter().zip(nexts).enumerate() {
            let mut dry = [0.0; FRAMES];
            voice.read(next.delay, &mut dry);
            for (all, one) in self.dry.iter_mut().zip(dry) {
                all[lane] = one;
            }
        }
        let number = |of: fn(&Heard) -> f32| {
            let mut first = [0.0; LANES];
            let mut step = [0.0; LANES];
            for (lane, (voice, (next, _))) in voices.iter().zip(nexts).enumerate() {
                first[lane] = of(&voice.now);
                step[lane] = (of(next) - of(&voice.now)) / FRAMES as f32;
            }
            (first, step)
        };
        let (mut left, left_step) = number(|heard| heard.left);
        let (mut right, right_step) = number(|heard| heard.right);
        let (mut send, send_step) = number(|heard| heard.send);
        let (mut pole, pole_step) = number(|heard| heard.pole);
        let mut low_pass = [0.0; LANES];
        for (low_pass, voice) in low_pass.iter_mut().zip(voices.iter()) {
            *low_pass = voice.low_pass;
        }
        for i in 0..FRAMES {
            let (dry, out) = (
                &self.dry[i],
                (&mut self.left[i], &mut self.right[i], &mut self.send[i]),
            );
            for lane in 0..LANES {
                left[lane] += left_step[lane];
                right[lane] += right_step[lane];
                send[lane] += send_step[lane];
                pole[lane] += pole_step[lane];
                low_pass[lane] += pole[lane] * (dry[lane] - low_pass[lane]);
                out.0[lane] += low_pass[lane] * left[lane];
                out.1[lane] += low_pass[lane] * right[lane];
                out.2[lane] += low_pass[lane] * send[lane];
            }
        }
        for ((voice, (next, _)), low_pass) in voices.iter_mut().zip(nexts).zip(low_pass) {
            // Inaudible, and denormal numbers are slow.
            voice.low_pass = if low_pass.abs() < 1e-15 {
                0.0
            } else {
                low_pass
            };
            voice.now = *next;
            voice.clock += FRAMES as i64;
        }
    }

    /// The sums of all lanes.
    fn sum(&self, block: &mut Block, send: &mut [f32; FRAMES]) {
        for i in 0..FRAMES {
            block[i] = [self.left[i].iter().sum(), self.right[i].iter().sum()];
            send[i] = self.send[i].iter().sum();
        }
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
