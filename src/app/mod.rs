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
mod tape;
#[cfg(test)]
mod tests;
mod timings;
mod trees;
mod unsaved;

use crate::cli::fault::Faults;
use crate::journal;
use crate::ours::{self, Origin};
use crate::sim::{Action, Settings};
use crate::timing::Recorder;
use crate::ui::{
    Counts, Does, KeyLine, LevelEntry, LevelReport, Notice, NoticeKind, Panels, Preferences,
    UiAction, Worst,
};
use crate::view::visibility::Edges;
use crate::view::{Camera, Overlays, RayWalk};
use crate::world::Revision;
use background::Background;
use gpu::{Gpu, Loss};
use input::Input;
use keys::Bindings;
use shaders::Watch;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unsaved::{Pending, Question};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize};
use winit::event::{
    DeviceEvent, DeviceId, ElementState, MouseButton, MouseScrollDelta, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};
use winit::window::{CursorGrabMode, Window, WindowId};

/// The window's size at the start, points.
const SIZE: LogicalSize<f64> = LogicalSize::new(1280.0, 720.0);
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

/// What exists once the window does.
struct Shell {
    window: Arc<Window>,
    /// Of the screen: pixels to a point.
    scale: f64,
    gpu: Gpu,
    egui: egui_winit::State,
    /// Where the picture is in the window, points; None while a panel covers it.
    picture: Option<egui::Rect>,
    /// Where the pointer is, pixels.
    pointer: winit::dpi::PhysicalPosition<f64>,
    occluded: bool,
    /// The pointer is only confined while captured, and has to be brought back to the middle.
    recentre: bool,
}

impl Shell {
    /// Makes panels so many times as large as is usual on the window's screen.
    fn scale_panels(&self, wanted: f64) {
        // On X11 a window has the scale of before until it is moved, and the pointer goes by that: the rest is zoom.
        let rest = self.scale / self.window.scale_factor();
        let zoom = (wanted * rest) as f32;
        self.egui.egui_ctx().set_zoom_factor(zoom);
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
    recover: Option<journal::Left>,
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
    edges: Edges,
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
            recover: journal::left_by_a_crash(&places.recordings()),
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
            edges: Edges::default(),
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
        app.open(origin.unwrap_or_else(ours::start));
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

    fn make_shell(&mut self, event_loop: &ActiveEventLoop) -> Result<Shell, String> {
        // Hidden until the first picture is drawn: no white flash.
        let attributes = Window::default_attributes()
            .with_title("Breach")
            .with_visible(false)
            .with_inner_size(SIZE)
            .with_min_inner_size(LogicalSize::new(640.0, 400.0));
        let attributes = match &self.bench {
            Some(bench) => attributes.with_inner_size(PhysicalSize::<u32>::from(bench.size())),
            None => attributes,
        };
        let attributes = desktop::named(attributes);
        let window = event_loop
            .create_window(attributes)
            .map_err(|e| format!("no window: {e}"))?;
        let window = Arc::new(window);
        let display = event_loop.owned_display_handle();
        let gpu = Gpu::new(
            window.clone(),
            display,
            self.preferences.detail,
            self.presented.clone(),
        )?;
        let egui = make_egui(&window, &gpu, &self.preferences);
        let shell = Shell {
            scale: window.scale_factor(),
            window,
            gpu,
            egui,
            picture: Some(egui::Rect::EVERYTHING),
            pointer: Default::default(),
            occluded: false,
            recentre: false,
        };
        shell.scale_panels(self.preferences.scale);
        Ok(shell)
    }

    /// Locks the pointer to the window where that works, else keeps it inside and brings it back each frame.
    fn capture(&mut self) {
        let Some(shell) = &mut self.shell else { return };
        let window = &shell.window;
        let locked = window.set_cursor_grab(CursorGrabMode::Locked);
        shell.recentre = locked.is_err();
        let grabbed = locked.or_else(|_| window.set_cursor_grab(CursorGrabMode::Confined));
        window.set_cursor_visible(false);
        shell
            .egui
            .egui_input_mut()
            .events
            .push(egui::Event::PointerGone);
        shell.egui.egui_ctx().memory_mut(|m| {
            if let Some(id) = m.focused() {
                m.surrender_focus(id);
            }
        });
        self.input.captured = true;
        self.rebinding = None;
        if grabbed.is_err() {
            self.notify(
                NoticeKind::Warning,
                "The mouse cannot be captured here.".into(),
            );
        }
    }

    /// Gives the pointer back. Always works.
    fn release(&mut self) {
        self.input.captured = false;
        self.input.clear();
        self.hand.rest();
        if let Some(shell) = &self.shell {
            let _ = shell.window.set_cursor_grab(CursorGrabMode::None);
            shell.window.set_cursor_visible(true);
        }
    }

    fn is_asked_to_quit(&self) -> bool {
        let question = self.question.as_ref();
        question.is_some_and(|question| matches!(question.pending, Some(Pending::Quit)))
    }

    /// Is the pointer over a panel? Asked of where it is now, not of the last frame.
    fn over_panel(&self) -> bool {
        let Some(shell) = &self.shell else {
            return false;
        };
        let ctx = shell.egui.egui_ctx();
        let points = shell
            .pointer
            .to_logical::<f32>(f64::from(ctx.pixels_per_point()));
        let at = egui::pos2(points.x, points.y);
        ctx.egui_is_using_pointer()
            || match ctx.layer_id_at(at) {
                Some(layer) if layer.order != egui::Order::Background => true,
                _ => shell.picture.is_none_or(|picture| !picture.contains(at)),
            }
    }

    fn mouse_button(&mut self, button: MouseButton, state: ElementState) {
        let is_down = state == ElementState::Pressed;
        match button {
            MouseButton::Left if !is_down => return self.hand_up(),
            MouseButton::Right if is_down => return self.hand_throw(),
            MouseButton::Left if self.play.is_some() => {}
            _ => return,
        }
        if self.input.captured {
            self.hand_down();
        } else if !self.over_panel() && self.recover.is_none() && self.question.is_none() {
            self.capture();
        }
    }

    fn wheel(&mut self, delta: MouseScrollDelta) {
        let lines = match delta {
            MouseScrollDelta::LineDelta(_, y) => f64::from(y),
            MouseScrollDelta::PixelDelta(p) => p.y / 40.0,
        };
        if self.input.captured && lines.is_finite() {
            self.scale_blast(libm::pow(1.1, lines.clamp(-10.0, 10.0)));
        }
    }

    fn key(&mut self, event: &winit::event::KeyEvent, typing: bool) {
        let PhysicalKey::Code(code) = event.physical_key else {
            return;
        };
        let ctrl = self.modifiers.control_key() || self.modifiers.super_key();
        if event.state == ElementState::Released {
            if let Some(does) = self.keys.held(code) {
                self.input.hold(does, false);
            }
            return;
        }
        if code == KeyCode::Escape && self.input.captured {
            return self.release();
        }
        if let Some(does) = self.rebinding {
            return self.rebind(does, code, ctrl);
        }
        // A driver loses things once a year; tests/window_states.sh does not wait for it.
        if cfg!(debug_assertions) && ctrl && self.modifiers.shift_key() {
            match (code, &mut self.shell) {
                (KeyCode::F11, Some(shell)) => shell.gpu.lose(Loss::Surface),
                (KeyCode::F12, Some(shell)) => shell.gpu.lose(Loss::Device),
                _ => {}
            }
        }
        let Some(does) = self.keys.find(code, ctrl, self.modifiers.shift_key()) else {
            return;
        };
        // A text box gets all that could be meant for it.
        if typing && !keys::passes_text(code) {
            return;
        }
        if does.held() {
            self.input.hold(does, true);
        } else if !event.repeat || matches!(does, Does::Step | Does::Smaller | Does::Larger) {
            self.press(does);
        }
    }

    fn event(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        let is_asked_to_quit = self.is_asked_to_quit();
        let Some(shell) = &mut self.shell else { return };
        let typing = !self.input.captured && shell.egui.egui_ctx().text_edit_focused();
        let for_game = matches!(
            event,
            WindowEvent::KeyboardInput { .. }
                | WindowEvent::CursorMoved { .. }
                | WindowEvent::MouseInput { .. }
                | WindowEvent::MouseWheel { .. }
                | WindowEvent::Ime(_)
        );
        if !(self.input.captured && for_game) && event != WindowEvent::RedrawRequested {
            let _ = shell.egui.on_window_event(&shell.window, &event);
        }
        match event {
            // Asked a second time, nobody wants to be asked again.
            WindowEvent::CloseRequested if is_asked_to_quit => event_loop.exit(),
            WindowEvent::CloseRequested => self.request(Pending::Quit),
            WindowEvent::Resized(_) => shell.gpu.resize(),
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => {
                shell.scale = scale_factor;
                shell.scale_panels(self.preferences.scale);
                shell.gpu.resize();
            }
            WindowEvent::Occluded(occluded) => shell.occluded = occluded,
            WindowEvent::Focused(false) => {
                self.rebinding = None;
                self.release();
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::DroppedFile(path) => self.act(UiAction::Open(path.into())),
            WindowEvent::CursorMoved { position, .. } => shell.pointer = position,
            WindowEvent::MouseInput { button, state, .. } => self.mouse_button(button, state),
            WindowEvent::MouseWheel { delta, .. } => self.wheel(delta),
            // A press made up by the system when the window gets the focus is nobody's wish.
            WindowEvent::KeyboardInput {
                event,
                is_synthetic,
                ..
            } if !is_synthetic || event.state == ElementState::Released => {
                self.key(&event, typing);
            }
            WindowEvent::RedrawRequested => self.frame(event_loop),
            _ => {}
        }
    }
}

/// A fresh egui with our looks, for a window and its GPU.
fn make_egui(window: &Window, gpu: &Gpu, preferences: &Preferences) -> egui_winit::State {
    let ctx = egui::Context::default();
    crate::ui::apply_theme(&ctx, preferences.palette);
    let scale = Some(window.scale_factor() as f32);
    let side = Some(gpu.max_texture_side());
    egui_winit::State::new(
        ctx,
        egui::ViewportId::ROOT,
        window,
        scale,
        window.theme(),
        side,
    )
}

impl App {
    /// [`App::guarded`]; the program ends where it has nothing left to offer.
    fn guard(&mut self, event_loop: &ActiveEventLoop, work: impl FnOnce(&mut Self)) {
        if !self.guarded(work) {
            event_loop.exit();
        }
    }

    /// Makes the window, and the first picture in it.
    fn open_window(&mut self, event_loop: &ActiveEventLoop) {
        if self.shell.is_some() {
            return;
        }
        match self.make_shell(event_loop) {
            Ok(shell) => {
                let window = shell.window.clone();
                self.shell = Some(shell);
                self.prefer_pictures();
                self.last_frame = Instant::now();
                self.frame(event_loop);
                window.set_visible(true);
            }
            Err(why) => {
                self.fatal = Some(why);
                event_loop.exit();
            }
        }
    }

    /// Asks for the next picture when it is time, or goes on without where nobody sees one.
    fn wait(&mut self, event_loop: &ActiveEventLoop) {
        if self.quit {
            return event_loop.exit();
        }
        let now = Instant::now();
        if now >= self.next_frame {
            self.next_frame = self.next_step(now);
        }
        event_loop.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
    }

    /// Asks for a picture where one is due, else does the ticks; returns when to come again.
    fn next_step(&mut self, now: Instant) -> Instant {
        let Some(shell) = &self.shell else {
            return now + Duration::from_secs_f64(crate::sim::TICK_SECS);
        };
        // Covered or minimised: no drawing, but the world goes on.
        let is_hidden = shell.occluded || shell.window.inner_size().width == 0;
        let has_focus = shell.window.has_focus();
        let is_presenting = shell.gpu.is_presenting();
        if !is_hidden && !is_presenting && self.is_picture_due(now) {
            let most = match has_focus {
                true => self.preferences.frames,
                false => self.preferences.frames_aside,
            };
            self.earliest_frame = now + Duration::from_secs_f64(1.0 / most);
            if let Some(shell) = &self.shell {
                shell.window.request_redraw();
            }
            return self.earliest_frame;
        }
        self.advance();
        match self.is_picture_due(now) {
            // What the ticks brought is shown, or goes on unseen, at the next one.
            true => now + Duration::from_secs_f64(crate::sim::TICK_SECS),
            false => self.rest_until(now),
        }
    }

    /// Something has happened that may be seen: the next picture comes as soon as the frame rate allows.
    fn news(&mut self) {
        self.panels_stale = true;
        self.due.news();
        self.come_soon();
    }

    /// Looks whether a picture is due as soon as the frame rate allows one.
    fn come_soon(&mut self) {
        let soonest = self.earliest_frame.max(Instant::now());
        self.next_frame = self.next_frame.min(soonest);
    }

    fn end(&mut self) {
        if self.recorder.is_recording() {
            self.act(UiAction::RecordTimings(false));
        }
        self.leave();
        // There is nobody left to tell.
        let _ = self.keep_settings(true);
        self.background.finish();
    }
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, |app| app.open_window(event_loop));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        // While the mouse looks it is the motion that counts: the pointer is put back to the middle all the time.
        let is_echo = match event {
            WindowEvent::CursorMoved { .. } => self.input.captured,
            WindowEvent::AxisMotion { .. } | WindowEvent::RedrawRequested => true,
            _ => false,
        };
        if !is_echo {
            self.news();
        }
        self.guard(event_loop, |app| app.event(event_loop, event));
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (dx, dy) } = event {
            self.input.look(dx, dy);
            if self.input.captured && (dx, dy) != (0.0, 0.0) {
                self.due.news();
                self.come_soon();
            }
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        match wake {
            Wake::News => {
                self.news();
                self.guard(event_loop, Self::hear);
            }
            Wake::Presented => self.come_soon(),
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, |app| app.wait(event_loop));
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.guard(event_loop, Self::end);
        // The GPU goes before the window that it draws to.
        self.shell = None;
    }
}
