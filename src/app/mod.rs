//! What happens between a key press and a picture? The window: events, ticks, panels, drawing.
//!
//! [`App`] owns everything that lives as long as the window does: the open level ([`play::Play`], with the
//! simulation), the clock, latched input, panels, and the GPU. Panels and keys push [`UiAction`]s; `actions` turns
//! them into the next tick's [`crate::sim::Command`] or into files. Nothing here changes the world but
//! [`crate::sim::Sim::step`].
mod actions;
mod album;
mod background;
pub(crate) mod bench;
mod clock;
mod comparing;
mod config;
mod desktop;
mod events;
mod fault;
mod flight;
mod frame;
#[cfg(feature = "gamepad")]
mod gamepad;
mod gpu;
mod hand;
mod idle;
pub mod input;
mod inset;
mod inspect;
pub mod keys;
mod layer;
mod levels;
mod loader;
mod map;
mod marks;
pub mod pad;
mod pictured;
mod places;
mod play;
mod presenter;
mod progress;
mod scene;
mod shaders;
mod shell;
mod tape;
#[cfg(test)]
mod tests;
mod timings;
mod trees;
mod unsaved;

use crate::builtin::{self, Origin};
use crate::cli::fault::Faults;
use crate::journal;
use crate::sim::{Action, Settings};
use crate::timing::Recorder;
use crate::ui::{
    Counts, Does, KeyLine, LevelEntry, LevelReport, Notice, NoticeKind, Panels, Preferences, Worst,
};
use crate::view::VisibilityCache;
use crate::view::{Camera, Overlays, RayWalk};
use crate::world::Revision;
use background::Background;
use input::Input;
use keys::Bindings;
use shaders::Watch;
use shell::Shell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use unsaved::Question;
use winit::keyboard::ModifiersState;

/// Slow motion's part of real time.
const SLOW: f64 = 0.2;

/// A thread has something to say.
enum Wake {
    News,
    /// A picture was shown: the next may be drawn.
    Presented,
}

/// What a thread calls that has news.
type Waker = Arc<dyn Fn() + Send + Sync>;

/// How the window came to its end.
pub enum Ending {
    /// It was closed.
    Closed,
    /// An assertion failed; this recording shows it, where it could be written.
    Fault(Option<PathBuf>),
}

/// Opens the window and stays until it is closed. Errors name what to install.
pub(crate) fn run(origin: Option<Origin>, faults: Faults) -> anyhow::Result<Ending> {
    let app = run_with(places::Places::default(), origin, faults, |_| ())?;
    Ok(match app.fault {
        Some(fault) => Ending::Fault(fault.report.ok()),
        None => Ending::Closed,
    })
}

/// The program from the opening of its window to the end, begun in another way than usual.
fn run_with(
    places: places::Places,
    origin: Option<Origin>,
    faults: Faults,
    begin: impl FnOnce(&mut App),
) -> anyhow::Result<App> {
    let event_loop = desktop::event_loop().map_err(anyhow::Error::msg)?;
    let waker = |wake: fn() -> Wake| -> Waker {
        let proxy = event_loop.create_proxy();
        Arc::new(move || {
            let _ = proxy.send_event(wake());
        })
    };
    let mut app = App::new(waker(|| Wake::News), places, origin, faults);
    app.presented = waker(|| Wake::Presented);
    begin(&mut app);
    event_loop.run_app(&mut app)?;
    match app.fatal.take() {
        Some(why) if app.fault.is_none() => Err(anyhow::Error::msg(why)),
        _ => Ok(app),
    }
}

/// Which of the levels opened so far, and what was changed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edition {
    level: u64,
    revision: Revision,
    /// Of the world.
    hash: u64,
}

/// When a level was last autosaved, and in which state.
struct Autosave {
    last: Instant,
    revision: Revision,
}

/// The program.
struct App {
    wake: Waker,
    presented: Waker,
    shell: Option<Shell>,
    /// Why the program had to end.
    fatal: Option<String>,
    /// Assertions that failed, and the one that closed the level.
    faults: Faults,
    fault: Option<fault::Fault>,
    places: places::Places,
    levels: Vec<LevelEntry>,
    play: Option<play::Play>,
    staged: Option<scene::Staged>,
    /// Levels opened so far: the open one's number.
    opened: u64,
    loading: Option<loader::Loading>,
    /// The tick that was last asked to be saved.
    saving_tick: u64,
    /// When another level was asked for: changes up to there are known to be lost.
    given_up: Option<Edition>,
    background: Background,
    /// A recording that a crash left.
    recover: Option<journal::CrashedRecording>,
    /// When the recording's file was last looked for.
    recording_seen: Instant,
    input: Input,
    pad: pad::PadInput,
    #[cfg(feature = "gamepad")]
    gamepads: Option<gamepad::Gamepads>,
    modifiers: ModifiersState,
    clock: clock::Clock,
    slow: bool,
    panels: Panels,
    /// Settings of the program, and their file.
    preferences: Preferences,
    config: config::Config,
    settings_file: String,
    /// The keys in force, and the same for the panels.
    keys: Bindings,
    key_lines: Vec<KeyLine>,
    /// The next key that is pressed shall do this.
    rebinding: Option<Does>,
    /// About unsaved changes, until it is answered.
    question: Option<Question>,
    report: LevelReport,
    autosave: Autosave,
    overlays: Overlays,
    /// A ray that is walked bin by bin, and the step shown.
    walk: Option<(RayWalk, usize)>,
    shaders: Watch,
    /// Whose view decides what is drawn while [`Overlays::frozen`].
    seer: Option<Camera>,
    /// What the search for visible rooms keeps from one picture to the next.
    visibility_cache: VisibilityCache,
    trees: trees::TreeMeter,
    inspector: inspect::Inspector,
    map: map::MapMaker,
    hand: hand::InHand,
    /// Of the last picture.
    camera_drawn: Option<Camera>,
    comparer: comparing::Comparer,
    /// The worst frame is to be held; it, once there is one.
    worst: (bool, Option<Worst>),
    /// As the panels were drawn last, and whether they may have to look otherwise by now.
    kept_panels: gpu::PanelFrame,
    panels_stale: bool,
    /// The window is measured.
    bench: Option<bench::Bench>,
    /// As the panels showed them last.
    counts: Counts,
    /// What the card took for each pass of the newest frame that is known, milliseconds.
    pass_ms: Option<[f32; crate::render::PASSES.len()]>,
    /// When a recording of timings ends on its own.
    timings_until: Option<Instant>,
    notices: Vec<Notice>,
    notices_made: u64,
    /// What the next tick does beside moving.
    queued: Vec<Action>,
    /// So many changes shall stand; ticks undo or do again until they do.
    going: Option<usize>,
    /// Along the way out of a level that leaks.
    flight: Option<flight::Flight>,
    /// Settings that the next tick sets, if they differ from those in force.
    wanted: Settings,
    picture_wanted: bool,
    /// Ends the program at the next chance.
    quit: bool,
    recorder: Recorder,
    /// When ticks were counted last.
    last_frame: Instant,
    next_frame: Instant,
    /// The frame rate allows no picture before.
    earliest_frame: Instant,
    due: idle::Due,
    /// Smoothed.
    frame_secs: f64,
    title: String,
}

impl App {
    fn new(wake: Waker, places: places::Places, origin: Option<Origin>, faults: Faults) -> Self {
        let now = Instant::now();
        let config::Found {
            config,
            preferences,
            dock,
            odd,
        } = config::open(places.settings.clone());
        let (keys, wrong_keys) = Bindings::from_names(&preferences.keys);
        let wanted = preferences.world.clone();
        let mut app = Self {
            levels: places.levels(),
            recover: journal::find_crashed(&places.recordings()),
            recording_seen: now,
            background: Background::new(wake.clone()),
            wake,
            presented: Arc::new(|| ()),
            shell: None,
            fatal: None,
            faults,
            fault: None,
            places,
            play: None,
            staged: None,
            opened: 0,
            loading: None,
            saving_tick: 0,
            given_up: None,
            input: Input::new(preferences.mouse, preferences.upside_down),
            pad: pad::PadInput::default(),
            #[cfg(feature = "gamepad")]
            gamepads: None,
            modifiers: ModifiersState::empty(),
            clock: clock::Clock::default(),
            slow: false,
            panels: Panels {
                dock,
                ..Panels::default()
            },
            key_lines: keys.lines(),
            keys,
            rebinding: None,
            preferences,
            settings_file: config.path.display().to_string(),
            config,
            question: None,
            report: LevelReport::default(),
            autosave: Autosave {
                last: now,
                revision: Revision::default(),
            },
            overlays: Overlays::default(),
            seer: None,
            visibility_cache: VisibilityCache::default(),
            walk: None,
            shaders: Watch::default(),
            trees: Default::default(),
            inspector: Default::default(),
            map: Default::default(),
            hand: Default::default(),
            camera_drawn: None,
            comparer: Default::default(),
            worst: Default::default(),
            kept_panels: gpu::PanelFrame::default(),
            panels_stale: true,
            bench: None,
            counts: Default::default(),
            pass_ms: None,
            timings_until: None,
            notices: Vec::new(),
            notices_made: 0,
            queued: Vec::new(),
            going: None,
            flight: None,
            wanted,
            picture_wanted: false,
            quit: false,
            recorder: Recorder::new(),
            last_frame: now,
            next_frame: now,
            earliest_frame: now,
            due: idle::Due::new(now),
            frame_secs: 1.0 / 60.0,
            title: String::new(),
        };
        for what in odd.into_iter().chain(wrong_keys) {
            app.notify(NoticeKind::Warning, what);
        }
        #[cfg(feature = "gamepad")]
        match gamepad::Gamepads::new() {
            Ok(gamepads) => app.gamepads = Some(gamepads),
            Err(why) => app.notify(NoticeKind::Warning, format!("No gamepad: {why}")),
        }
        if origin.is_none() {
            app.offer_recent();
        }
        app.open(origin.unwrap_or_else(builtin::start));
        app
    }

    /// Shows a message at the bottom.
    fn notify(&mut self, kind: NoticeKind, text: String) {
        /// So many wait at most for the next frame.
        const MOST: usize = 20;
        self.notices_made += 1;
        let id = self.notices_made;
        self.notices.push(Notice { id, kind, text });
        if self.notices.len() > MOST {
            self.notices.remove(0);
        }
    }
}
