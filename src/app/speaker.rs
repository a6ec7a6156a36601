//! Plays what is heard: a thread of its own mixes each tick and holds the device.
//!
//! Without a device, a driver, or after the device has gone away, everything else goes on, and the thread looks for one
//! again now and then.
use super::sound_output::{Device, SoundOutput};
use super::sound_pace::SoundPace;
use super::sound_queue::SoundQueue;
use crate::sim::Sim;
use crate::sound::{Bank, Block, Ear, FRAMES, HeardTick, Levels, Mixer, RATE, Replacements};
use crate::sound_folder;
use maudio::audio::sample_rate::SampleRate;
use maudio::backend::Backend;
use maudio::context::{Context, ContextBuilder};
use maudio::device::DeviceOps;
use maudio::device::device_builder::{DeviceBuilder, DeviceBuilderOps};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the thread waits for a tick before it looks after the device.
const LOOK: Duration = Duration::from_millis(250);
/// Without the one that plays nothing: it would hide that there is no device.
const BACKENDS: [Backend; 10] = [
    Backend::Wasapi,
    Backend::DSound,
    Backend::WinMm,
    Backend::CoreAudio,
    Backend::Sndio,
    Backend::Audio4,
    Backend::Oss,
    Backend::PulseAudio,
    Backend::Alsa,
    Backend::Jack,
];

/// The ear of the open level, and the thread that plays what it hears.
pub struct Speaker {
    ear: Ear,
    /// The folder whose files replace sounds; empty: none.
    folder: String,
    messages: Option<Sender<Message>>,
    news: Receiver<SpeakerNews>,
    queue: Arc<Mutex<SoundQueue>>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread is told.
enum Message {
    Tick(HeardTick),
    Levels(Levels),
    Folder(String),
}

/// What the thread tells.
pub enum SpeakerNews {
    /// There is no sound, and why; told once until there is sound again.
    Silent(String),
    /// A folder was read.
    Sounds {
        /// Its sounds.
        sounds: Replacements,
        /// What was skipped, with the file.
        skipped: Vec<String>,
    },
}

impl Speaker {
    /// Starts the thread, which opens a device by itself.
    pub fn new(levels: Levels) -> Speaker {
        let (messages, told) = mpsc::channel();
        let (tells, news) = mpsc::channel();
        let queue = Arc::new(Mutex::new(SoundQueue::default()));
        let shared = queue.clone();
        let thread = std::thread::Builder::new().name("sound".into());
        let thread = thread.spawn(move || play(&told, &tells, &shared, levels));
        Speaker {
            ear: Ear::default(),
            folder: String::new(),
            messages: Some(messages),
            news,
            queue,
            // Without a thread there is no sound, and nothing else is lost.
            thread: thread.ok(),
        }
    }

    /// Hears the tick that the simulation has just made.
    pub fn hear(&mut self, sim: &Sim) {
        let heard = self.ear.hear(sim);
        self.send(Message::Tick(heard));
    }

    /// What is heard, with its paths.
    pub fn ear(&self) -> &Ear {
        &self.ear
    }

    /// Changes the volumes.
    pub fn set_levels(&self, levels: Levels) {
        self.send(Message::Levels(levels));
    }

    /// Reads the folder of sounds, if it is another one.
    pub fn set_folder(&mut self, folder: &str) {
        if self.folder != folder {
            self.folder = folder.to_owned();
            self.send(Message::Folder(self.folder.clone()));
        }
    }

    /// Ticks a second by 60.
    pub fn set_speed(&self, speed: f64) {
        lock(&self.queue).speed = speed;
    }

    /// Another level is open: what sounded in the last one ends.
    pub fn forget(&mut self) {
        self.ear.forget();
    }

    /// What the thread has to tell.
    pub fn news(&mut self) -> Vec<SpeakerNews> {
        let news: Vec<SpeakerNews> = self.news.try_iter().collect();
        for one in &news {
            if let SpeakerNews::Sounds { sounds, .. } = one {
                self.ear = Ear::new(sounds.clone());
            }
        }
        news
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            // The thread ends only with this.
            let _ = messages.send(message);
        }
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn lock(queue: &Mutex<SoundQueue>) -> std::sync::MutexGuard<'_, SoundQueue> {
    // Samples are samples, whatever happened to who held them.
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread: until the speaker is dropped.
fn play(
    told: &Receiver<Message>,
    tells: &Sender<SpeakerNews>,
    queue: &Arc<Mutex<SoundQueue>>,
    mut levels: Levels,
) {
    let mut mixer = Mixer::new(Bank::default(), levels);
    let mut block: Box<Block> = Box::new([[0.0; 2]; FRAMES]);
    let mut output = SoundOutput::default();
    loop {
        let silent = output.look_after(Instant::now(), || open(queue.clone()));
        if let Some(why) = silent {
            let _ = tells.send(SpeakerNews::Silent(why));
        }
        match told.recv_timeout(LOOK) {
            Ok(Message::Tick(heard)) => {
                mixer.mix(&heard, &mut block);
                lock(queue).push(&block);
            }
            Ok(Message::Levels(new)) => {
                levels = new;
                mixer.set_levels(levels);
            }
            Ok(Message::Folder(folder)) => {
                let (sounds, skipped) = match folder.is_empty() {
                    true => Default::default(),
                    false => sound_folder::read(Path::new(&folder))
                        .unwrap_or_else(|why| (Replacements::default(), vec![why])),
                };
                mixer = Mixer::new(Bank::new(sounds.clone()), levels);
                let _ = tells.send(SpeakerNews::Sounds { sounds, skipped });
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// The system's device: before its context, which has to live longer.
struct SystemDevice(
    maudio::device::Device<f32>,
    #[allow(dead_code, reason = "held")] Context,
);

impl Device for SystemDevice {
    fn is_playing(&self) -> bool {
        self.0.is_started()
    }
}

/// Opens the system's device, and starts it. The error is in words.
fn open(queue: Arc<Mutex<SoundQueue>>) -> Result<SystemDevice, String> {
    let context = ContextBuilder::new()
        .preferred_backends(BACKENDS)
        .build()
        .map_err(|error| format!("no sound system was found ({error})"))?;
    let mut pace = SoundPace::default();
    let mut device = DeviceBuilder::playback()
        .f32()
        .playback_channels(2)
        .sample_rate(SAMPLE_RATE)
        .context(&context)
        .with_callback(move |_, output: &mut [f32]| {
            lock(&queue).fill(output);
            std::thread::sleep(pace.take(Instant::now(), output.len() / 2));
        })
        .map_err(|error| format!("no sound device can be opened ({error})"))?;
    let started = device.device_start();
    started.map_err(|error| format!("the sound device does not start ({error})"))?;
    Ok(SystemDevice(device, context))
}

/// The rate that is mixed at; the device's own may be another one.
const SAMPLE_RATE: SampleRate = SampleRate::Sr48000;
const _: () = assert!(RATE == 48_000);
