//! What is heard, measured in small levels against closed forms.
use super::bank::{Bank, Replacements};
use super::ear::{Ear, MOST_SOURCES};
use super::events::SoundEvent;
use super::kind::Sound;
use super::loss::spreading_db;
use super::path::{Path, Way};
use super::*;
use crate::level::read_map;
use crate::sim::tests::{Block as Brick, hall};
use crate::sim::{Action, Command, Settings, Shot, Sim, Tool};
use crate::timing::Silent;
use glam::DVec3;
use std::f64::consts::TAU;

mod doors;
mod files;
mod measured;
mod ways;

/// A wall 1 m thick across the hall, from 19 m to 20 m: two rooms.
const WALL: Brick = [[608, -256, 0], [640, 256, 256]];

fn open(map: &str) -> Sim {
    let level = read_map(map.as_bytes()).expect("a sound level");
    let mut sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a sound world");
    // The player lands.
    let idle = sim.idle();
    (0..30).for_each(|_| drop(sim.step(&idle, &mut Silent)));
    sim
}

/// Two rooms behind each other, with nothing but the wall between them; the player is in the first.
fn two_rooms() -> Sim {
    let start = "{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"960 0 24\"\n}\n";
    open(&(hall(&[WALL]) + start))
}

/// A tick with these actions.
fn act(sim: &mut Sim, actions: Vec<Action>) {
    let command = Command {
        actions,
        ..sim.idle()
    };
    sim.step(&command, &mut Silent);
}

/// Carves (or fills) a box of this edge at what a ray meets, right through a wall of 1 m; done when this returns.
fn change(sim: &mut Sim, fill: bool, size: f64, from: DVec3, dir: DVec3) {
    let tool = Tool {
        size,
        depth: 1.5,
        aimed: Some([from.to_array(), dir.to_array()]),
        ..Tool::default()
    };
    act(sim, vec![Action::Tool { fill, tool }]);
    while sim.carving().is_some() {
        act(sim, vec![]);
    }
}

fn event(sound: Sound, at: DVec3, gain: f64) -> SoundEvent {
    SoundEvent {
        sound,
        variant: 0,
        at,
        gain,
    }
}

/// The way of a sound from a place to the player's eye.
fn way(sim: &Sim, at: DVec3) -> Path {
    let mut ear = Ear::default();
    ear.begin(sim, &[event(Sound::Drill, at, 1.0)]);
    ear.propagate(&sim.world, sim.player.eye, sim.eye_room, sim.tick);
    ear.sources()[0].path.clone()
}

/// A WAV file of one channel.
fn wav_of(samples: &[f32], rate: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: rate,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::new(&mut bytes, spec).expect("memory");
    samples
        .iter()
        .for_each(|&s| writer.write_sample(s).expect("memory"));
    writer.finalize().expect("memory");
    bytes.into_inner()
}

/// A tone of 2 s in the place of the sound of a drill.
fn tone(hz: f64) -> Replacements {
    let sample = |i: u32| libm::sin(TAU * hz * f64::from(i) / f64::from(RATE)) as f32;
    let samples: Vec<f32> = (0..2 * RATE).map(sample).collect();
    let mut sounds = Replacements::default();
    sounds
        .add("shot_drill.wav", &wav_of(&samples, RATE))
        .expect("a WAV file");
    sounds
}

/// No reverberation to measure through, and no tone of the room.
fn dry(mut heard: HeardTick) -> HeardTick {
    heard.tone = 0.0;
    for one in heard.receptions.iter_mut() {
        one.1.send = 0.0;
    }
    for one in heard.started.iter_mut() {
        one.reception.send = 0.0;
    }
    heard
}
