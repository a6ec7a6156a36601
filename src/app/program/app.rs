//! The state of the program: everything that lives as long as its window.
use crate::app::background::Background;
use crate::app::bench::Bench;
use crate::app::clipper::{RunningClip, WantedClip};
use crate::app::clock::Clock;
use crate::app::comparer::Comparer;
use crate::app::confirmation::PendingConfirmation;
use crate::app::fault::Fault;
use crate::app::flight::Flight;
use crate::app::folders::Folders;
#[cfg(feature = "gamepad")]
use crate::app::gamepad::Gamepads;
use crate::app::gpu::PanelFrame;
use crate::app::held_tool::HeldTool;
use crate::app::input::Input;
use crate::app::inspector::Inspector;
use crate::app::keys::Bindings;
use crate::app::level_version::LevelVersion;
use crate::app::level_watch::LevelWatch;
use crate::app::loader::Loading;
use crate::app::map_builder::MapBuilder;
use crate::app::pad::PadInput;
use crate::app::pending_reload::PendingReload;
use crate::app::play::Play;
use crate::app::redraw::RedrawTimer;
use crate::app::settings_file::{self, Config};
use crate::app::shader_watch::ShaderWatch;
use crate::app::shell::Shell;
use crate::app::speaker::Speaker;
use crate::app::staged_scene::StagedScene;
use crate::app::tree_benchmark::TreeBenchmark;
use crate::app::wake::Waker;
use crate::builtin::{self, Origin};
use crate::cli::fault::Faults;
use crate::journal;
use crate::render::PASSES;
use crate::sim::{Action, Settings};
use crate::timing::Recorder;
use crate::ui::{
    Counts, KeyCommand, KeyLine, LevelEntry, LevelReport, Notice, NoticeKind, Panels, Preferences,
    WorstFrame,
};
use crate::view::VisibilityCache;
use crate::view::{Camera, Overlays, RayWalk};
use crate::world::Revision;
use std::sync::Arc;
use std::time::Instant;
use winit::keyboard::ModifiersState;

/// The time and the revision of the last autosave.
pub(in crate::app) struct Autosave {
    pub(in crate::app) last: Instant,
    pub(in crate::app) revision: Revision,
}

/// What a save in progress writes.
#[derive(Clone, Copy, Default)]
pub(in crate::app) struct Saving {
    pub(in crate::app) tick: u64,
    /// Number of operations since the level was opened.
    pub(in crate::app) operations: usize,
    /// Hash of the file's contents.
    pub(in crate::app) contents: u64,
}

/// The program's state.
pub(in crate::app) struct App {
    pub(in crate::app) wake: Waker,
    pub(in crate::app) presented: Waker,
    pub(in crate::app) shell: Option<Shell>,
    /// A fatal error that ends the program.
    pub(in crate::app) fatal: Option<String>,
    /// The hook for failed assertions, and the one that closed the level.
    pub(in crate::app) faults: Faults,
    pub(in crate::app) fault: Option<Fault>,
    pub(in crate::app) folders: Folders,
    pub(in crate::app) levels: Vec<LevelEntry>,
    pub(in crate::app) play: Option<Play>,
    pub(in crate::app) staged: Option<StagedScene>,
    /// Number of levels opened so far, which is the open level's number.
    pub(in crate::app) opened: u64,
    pub(in crate::app) loading: Option<Loading>,
    /// The save in progress.
    pub(in crate::app) saving: Saving,
    /// Watches the file of the open level.
    pub(in crate::app) watch: Option<LevelWatch>,
    /// The file of the open level has changed and is not loaded again yet.
    pub(in crate::app) reload: Option<PendingReload>,
    /// The version when another level was requested: its changes were given up knowingly.
    pub(in crate::app) given_up: Option<LevelVersion>,
    pub(in crate::app) background: Background,
    /// A recording that a crash left.
    pub(in crate::app) recover: Option<journal::CrashedRecording>,
    /// When the recording's file was last checked.
    pub(in crate::app) recording_seen: Instant,
    pub(in crate::app) input: Input,
    pub(in crate::app) pad: PadInput,
    #[cfg(feature = "gamepad")]
    pub(in crate::app) gamepads: Option<Gamepads>,
    pub(in crate::app) modifiers: ModifiersState,
    /// What plays sound; None while muted, and without a window.
    pub(in crate::app) speaker: Option<Speaker>,
    pub(in crate::app) clock: Clock,
    pub(in crate::app) slow: bool,
    pub(in crate::app) panels: Panels,
    /// Program settings, and their file.
    pub(in crate::app) preferences: Preferences,
    pub(in crate::app) config: Config,
    pub(in crate::app) settings_file: String,
    /// The current bindings, and the same for the panels.
    pub(in crate::app) keys: Bindings,
    pub(in crate::app) key_lines: Vec<KeyLine>,
    /// The command waiting for a new key.
    pub(in crate::app) rebinding: Option<KeyCommand>,
    /// The pending confirmation.
    pub(in crate::app) confirmation: Option<PendingConfirmation>,
    pub(in crate::app) report: LevelReport,
    pub(in crate::app) autosave: Autosave,
    pub(in crate::app) overlays: Overlays,
    /// A ray's traversal, and the current step.
    pub(in crate::app) walk: Option<(RayWalk, usize)>,
    pub(in crate::app) shaders: ShaderWatch,
    /// The camera that decides visibility while [`Overlays::frozen`].
    pub(in crate::app) seer: Option<Camera>,
    /// The visibility search's cache between frames.
    pub(in crate::app) visibility_cache: VisibilityCache,
    pub(in crate::app) trees: TreeBenchmark,
    pub(in crate::app) inspector: Inspector,
    pub(in crate::app) map: MapBuilder,
    pub(in crate::app) held_tool: HeldTool,
    /// The camera of the last frame.
    pub(in crate::app) camera_drawn: Option<Camera>,
    pub(in crate::app) comparer: Comparer,
    /// The clip that waits for the name of its file, and the one that is being made.
    pub(in crate::app) clip_wanted: Option<WantedClip>,
    pub(in crate::app) clip: Option<RunningClip>,
    /// Whether the worst frame is kept, and the worst so far.
    pub(in crate::app) worst: (bool, Option<WorstFrame>),
    /// The panels of the last frame, and whether they may be outdated.
    pub(in crate::app) kept_panels: PanelFrame,
    pub(in crate::app) panels_stale: bool,
    /// The running benchmark.
    pub(in crate::app) bench: Option<Bench>,
    /// The counts that the panels show.
    pub(in crate::app) counts: Counts,
    /// GPU time of each pass of the newest measured frame, milliseconds.
    pub(in crate::app) pass_ms: Option<[f32; PASSES.len()]>,
    /// The end of a recording of timings.
    pub(in crate::app) timings_until: Option<Instant>,
    pub(in crate::app) notices: Vec<Notice>,
    pub(in crate::app) notices_made: u64,
    /// Actions of the next tick.
    pub(in crate::app) queued: Vec<Action>,
    /// The number of changes to be in force; ticks undo or redo until it is reached.
    pub(in crate::app) target_change: Option<usize>,
    /// Presses of the key for one tick back that are not carried out yet.
    pub(in crate::app) steps_back: u64,
    /// The flight along the leak path.
    pub(in crate::app) flight: Option<Flight>,
    /// World settings for the next tick to set, if they differ.
    pub(in crate::app) wanted: Settings,
    pub(in crate::app) picture_wanted: bool,
    /// Quit as soon as possible.
    pub(in crate::app) quit: bool,
    pub(in crate::app) recorder: Recorder,
    /// When wall time was last taken.
    pub(in crate::app) last_frame: Instant,
    pub(in crate::app) next_frame: Instant,
    /// The frame rate limit allows no frame before.
    pub(in crate::app) earliest_frame: Instant,
    pub(in crate::app) redraw: RedrawTimer,
    /// Smoothed frame time.
    pub(in crate::app) frame_secs: f64,
    pub(in crate::app) title: String,
}

impl App {
    pub(in crate::app) fn new(
        wake: Waker,
        folders: Folders,
        origin: Option<Origin>,
        faults: Faults,
    ) -> Self {
        let now = Instant::now();
        let settings_file::Found {
            config,
            preferences,
            dock,
            odd,
        } = settings_file::open(folders.settings.clone());
        let (keys, wrong_keys) = Bindings::from_names(&preferences.keys);
        let wanted = preferences.world.clone();
        let mut app = Self {
            levels: folders.levels(),
            recover: journal::find_crashed(&folders.recordings()),
            recording_seen: now,
            background: Background::new(wake.clone()),
            wake,
            presented: Arc::new(|| ()),
            shell: None,
            fatal: None,
            faults,
            fault: None,
            folders,
            play: None,
            staged: None,
            opened: 0,
            loading: None,
            saving: Saving::default(),
            watch: None,
            reload: None,
            given_up: None,
            input: Input::new(preferences.mouse, preferences.upside_down),
            pad: PadInput::default(),
            #[cfg(feature = "gamepad")]
            gamepads: None,
            modifiers: ModifiersState::empty(),
            speaker: None,
            clock: Clock::default(),
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
            confirmation: None,
            report: LevelReport::default(),
            autosave: Autosave {
                last: now,
                revision: Revision::default(),
            },
            overlays: Overlays::default(),
            seer: None,
            visibility_cache: VisibilityCache::default(),
            walk: None,
            shaders: ShaderWatch::default(),
            trees: Default::default(),
            inspector: Default::default(),
            map: Default::default(),
            held_tool: Default::default(),
            camera_drawn: None,
            comparer: Default::default(),
            clip_wanted: None,
            clip: None,
            worst: Default::default(),
            kept_panels: PanelFrame::default(),
            panels_stale: true,
            bench: None,
            counts: Default::default(),
            pass_ms: None,
            timings_until: None,
            notices: Vec::new(),
            notices_made: 0,
            queued: Vec::new(),
            target_change: None,
            steps_back: 0,
            flight: None,
            wanted,
            picture_wanted: false,
            quit: false,
            recorder: Recorder::new(),
            last_frame: now,
            next_frame: now,
            earliest_frame: now,
            redraw: RedrawTimer::new(now),
            frame_secs: 1.0 / 60.0,
            title: String::new(),
        };
        for what in odd.into_iter().chain(wrong_keys) {
            app.notify(NoticeKind::Warning, what);
        }
        #[cfg(feature = "gamepad")]
        match Gamepads::new() {
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
    pub(in crate::app) fn notify(&mut self, kind: NoticeKind, text: String) {
        /// At most this many wait for the next frame.
        const MOST: usize = 20;
        self.notices_made += 1;
        let id = self.notices_made;
        self.notices.push(Notice { id, kind, text });
        if self.notices.len() > MOST {
            self.notices.remove(0);
        }
    }
}
