//! Random clicks, keys and shots: nothing panics, the world stays sound, and the recording repeats what was played.
use super::*;
use crate::app::play::Play;
use crate::bvh::{BuildParams, SplitRule};
use crate::geom::rng::Rng;
use crate::level;
use crate::sim::Sim;
use crate::timing::Silent;
use crate::ui::{TimelineCommand, apply_theme};
use crate::world::World;
use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};
use strum::VariantArray;

/// Levels that open in less than a second in a debug build.
const LEVELS: [&str; 8] = [
    "range", "pillars", "lifts", "arch", "cards", "pool", "pit", "stilts",
];
/// Text typed into fields.
const TYPED: [&str; 8] = ["1", "0", "-", ".", "e9", "é", "range", "nan"];

/// The program, a window without a screen, and the random numbers that decide what is pressed.
struct Monkey {
    folder: tempfile::TempDir,
    app: App,
    ctx: egui::Context,
    size: Vec2,
    rng: Rng,
    /// The controls of the last frame.
    controls: Vec<Rect>,
    time: f64,
    /// The last things done, for the report of a failure.
    done: Vec<String>,
}

impl Monkey {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let folder = tempfile::tempdir().expect("a folder");
        for name in LEVELS {
            let level = builtin::find_scene_level(name).expect("a built-in level");
            std::fs::write(folder.path().join(level.file_name()), level.bytes()).expect("written");
        }
        let name = LEVELS[rng.below(LEVELS.len() as u64) as usize];
        let level = folder.path().join(format!("{name}.map"));
        let app = begun(folder.path(), Some(level.into()));
        let ctx = egui::Context::default();
        ctx.enable_accesskit();
        apply_theme(&ctx, app.preferences.palette);
        let size = Vec2::new(
            rng.range(320.0, 1920.0) as f32,
            rng.range(200.0, 1080.0) as f32,
        );
        Self {
            folder,
            app,
            ctx,
            size: size.round(),
            rng,
            controls: Vec::new(),
            time: 0.0,
            done: Vec::new(),
        }
    }

    fn note(&mut self, what: String) {
        self.done.push(what);
        if self.done.len() > 40 {
            self.done.remove(0);
        }
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.rng.below(list.len() as u64) as usize]
    }

    /// A point in the window, mostly on a control.
    fn point(&mut self) -> Pos2 {
        if !self.controls.is_empty() && self.rng.below(4) > 0 {
            let controls = std::mem::take(&mut self.controls);
            let rect = self.pick(&controls);
            self.controls = controls;
            let at = [self.rng.unit_f64(), self.rng.unit_f64()].map(|x| x as f32);
            return rect.min + rect.size() * Vec2::from(at);
        }
        let at = [self.rng.unit_f64(), self.rng.unit_f64()].map(|x| x as f32);
        Pos2::ZERO + self.size * Vec2::from(at)
    }

    /// One frame of the panels with these events.
    fn frame(&mut self, events: Vec<Event>) {
        self.time += 0.05;
        let size = self.size.max(Vec2::splat(1.0));
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some(self.time),
            focused: true,
            events,
            ..RawInput::default()
        };
        let pixels = [size.x as u32, size.y as u32];
        let snapshot = self.app.snapshot(pixels);
        let (mut output, mut commands, picture) =
            self.app
                .run_panels(&self.ctx.clone(), input, snapshot.as_ref());
        output.textures_delta.clear();
        if let Some(update) = output.platform_output.accesskit_update {
            let place = |node: &egui::accesskit::Node| {
                let b = node.bounds()?;
                let [x0, y0, x1, y1] = [b.x0, b.y0, b.x1, b.y1].map(|x| x as f32);
                Some(Rect::from_min_max(Pos2::new(x0, y0), Pos2::new(x1, y1)))
            };
            self.controls = update.nodes.iter().filter_map(|n| place(&n.1)).collect();
        }
        commands.retain(|command| !self.leads_out(command));
        for command in &commands {
            self.note(format!("{command:?}").chars().take(200).collect());
        }
        self.app.follow_panels(commands, picture);
    }

    /// Whether a command leads to a file outside the folder, or ends the program.
    fn leads_out(&self, command: &UiCommand) -> bool {
        let is_outside = |path: &Path| !path.starts_with(self.folder.path());
        match command {
            UiCommand::OpenDialog
            | UiCommand::SaveAsDialog
            | UiCommand::SaveClip
            | UiCommand::Compare(_)
            | UiCommand::Key(
                KeyCommand::Quit | KeyCommand::Open | KeyCommand::SaveAs | KeyCommand::SaveClip,
            ) => true,
            UiCommand::SaveAs(path) => is_outside(path),
            UiCommand::Open(Origin::File(path)) => is_outside(path),
            UiCommand::Confirm(_) => self
                .app
                .confirmation
                .as_ref()
                .is_some_and(|asked| matches!(asked.request, Some(Request::Quit))),
            _ => false,
        }
    }

    fn click(&mut self) {
        let at = self.point();
        let button = match self.rng.below(8) {
            0 => PointerButton::Secondary,
            _ => PointerButton::Primary,
        };
        let press = |pos, pressed| Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let to = match self.rng.below(4) {
            0 => self.point(),
            _ => at,
        };
        self.note(format!("press {at:?}, release {to:?}"));
        self.frame(vec![Event::PointerMoved(at)]);
        self.frame(vec![press(at, true)]);
        self.frame(vec![Event::PointerMoved(to)]);
        self.frame(vec![press(to, false)]);
        self.frame(vec![]);
    }

    fn type_text(&mut self) {
        let text = self.pick(&TYPED);
        self.note(format!("type {text}"));
        let mut events = vec![Event::Text(text.into())];
        let key = self.pick(&[
            egui::Key::Enter,
            egui::Key::Tab,
            egui::Key::Backspace,
            egui::Key::Escape,
            egui::Key::ArrowUp,
            egui::Key::Delete,
        ]);
        events.extend([true, false].map(|pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        }));
        self.frame(events);
    }

    fn press_key(&mut self) {
        let command = self.pick(KeyCommand::VARIANTS);
        if self.leads_out(&UiCommand::Key(command)) {
            return;
        }
        self.note(format!("key {command:?}"));
        if command.is_held() {
            let is_down = self.rng.below(2) == 0;
            self.app.hold(command, is_down);
        } else {
            self.app.press(command);
        }
    }

    /// Looks somewhere and uses the tool for some ticks.
    fn play(&mut self) {
        let input = &mut self.app.input;
        input.yaw += self.rng.range(-1.5, 1.5);
        input.pitch = self.rng.range(-1.2, 1.2);
        let ticks = 1 + self.rng.below(20);
        self.note(format!("tool for {ticks} ticks"));
        // As in the window, where the mouse is captured.
        self.app.press_tool();
        self.ticks(ticks / 2);
        self.app.release_tool();
        self.ticks(ticks);
        if self.rng.below(8) == 0 {
            self.app.throw_carried();
        }
    }

    /// Goes back or forth in time, or over changes.
    fn travel(&mut self) {
        let Some(play) = &self.app.play else { return };
        let (ticks, changes) = (play.timeline.ticks(), play.sim.history.undo_steps() as u64);
        let command = match self.rng.below(6) {
            0 => UiCommand::Timeline(TimelineCommand::Seek(self.rng.below(ticks + 1))),
            1 => UiCommand::GoToChange(self.rng.below(changes + 3) as usize),
            2 => UiCommand::Timeline(TimelineCommand::StepBack),
            3 => UiCommand::Redo,
            _ => UiCommand::Undo,
        };
        self.note(format!("{command:?}"));
        self.app.act(command);
        let then = self.rng.below(4);
        self.ticks(then);
    }

    /// Frames without a click, each with a tick if time goes on. What threads bring waits for [`finish_work`], so that a seed
    /// always does the same.
    fn ticks(&mut self, count: u64) {
        for _ in 0..count {
            self.app.take_steps_back();
            if !self.app.clock.paused {
                self.app.tick();
            }
        }
    }

    fn step(&mut self) {
        match self.rng.below(16) {
            0..6 => self.click(),
            6 => self.type_text(),
            7..10 => self.press_key(),
            10..13 => self.play(),
            13 => self.travel(),
            14 => {
                self.size = Vec2::new(
                    self.rng.range(1.0, 1920.0) as f32,
                    self.rng.range(1.0, 1080.0) as f32,
                )
                .round();
                self.note(format!("window {:?}", self.size));
                self.frame(vec![]);
            }
            _ => {
                self.note("work ends".into());
                finish_work(&mut self.app);
            }
        }
        // Someone who looks again unpauses and shows the panels.
        if self.rng.below(20) == 0 {
            self.app.clock.paused = false;
            self.app.panels.dock.hidden = false;
            self.app.recover = None;
        }
    }

    /// The open world is sound, and everything leads to it: the recording from the start and from a keyframe, its file, and
    /// undoing and redoing all changes.
    fn check(&mut self) {
        finish_work(&mut self.app);
        assert!(self.app.fault.is_none(), "a fault closed the level");
        let Some(play) = &mut self.app.play else {
            return;
        };
        play.sim.world.validate().expect("a sound world");
        let (tick, state) = (play.sim.tick, play.sim.state_hash());
        let start = play.timeline.state_at_or_before(0, &play.sim);
        let mut again = start.clone();
        for t in 0..tick {
            again.step(&play.timeline.command(t), &mut Silent);
        }
        assert_eq!(again.state_hash(), state, "tick {tick} from the start");
        let ticks = play.timeline.ticks();
        let by_way_of = self.rng.below(ticks + 1);
        play.seek(by_way_of);
        play.seek(tick);
        let there = play.sim.state_hash();
        assert_eq!(there, state, "tick {tick} by way of {by_way_of} of {ticks}");
        let tree = BuildParams {
            split: self.pick(&SplitRule::ALL),
            max_depth: 1 + self.rng.below(24) as u32,
            faces_per_bin: 1 + self.rng.below(16) as u32,
            min_volume: 0.0,
        };
        let play = self.app.play.as_ref().expect("as before");
        check_tree(play, start.clone(), tree);
        check_file(&play.sim);
        check_changes(&play.sim, start.world.hash());
    }
}

/// The same commands with another box tree and one thread give the same state: settings of the tree are in no hash.
fn check_tree(play: &Play, start: Sim, tree: BuildParams) {
    let with_tree = |settings: &Settings| {
        let settings = settings.clone();
        Action::Set(Box::new(Settings { tree, ..settings }))
    };
    let (timeline, ticks) = (&play.timeline, play.sim.tick);
    let run = || {
        let mut sim = start;
        let first = with_tree(&sim.settings);
        for tick in 0..ticks {
            let mut command = timeline.command(tick);
            for action in &mut command.actions {
                if let Action::Set(settings) = action {
                    *action = with_tree(settings);
                }
            }
            if tick == 0 {
                command.actions.insert(0, first.clone());
            }
            sim.step(&command, &mut Silent);
        }
        sim.state_hash()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let state = pool.expect("a thread").install(run);
    assert_eq!(state, play.sim.state_hash(), "with {tree:?}");
}

/// The level as saved opens as the same world.
fn check_file(sim: &Sim) {
    let saved = level::read_map(&level::write_map(&sim.level)).expect("a level");
    let world = World::build(&saved.world, &sim.settings.tree, &mut Silent);
    let world = world.expect("what was saved opens");
    assert_eq!(world.hash(), sim.world.hash(), "as saved");
}

/// Undoing all changes leads to the world at the start, and redoing them back.
fn check_changes(sim: &Sim, at_start: u64) {
    let mut sim = sim.clone();
    let settings = Settings {
        strength: 0.0,
        ..sim.settings.clone()
    };
    // Nothing else may change the world meanwhile.
    let quiet = vec![Action::Set(Box::new(settings)), Action::ClearDebris];
    let act = |sim: &mut Sim, actions: Vec<Action>| {
        let command = Command {
            actions,
            ..sim.idle()
        };
        sim.step(&command, &mut Silent);
    };
    act(&mut sim, quiet);
    let is_busy = |sim: &Sim| {
        let flying = sim.rockets.len() + sim.grenades.len();
        sim.carving().is_some() || flying > 0 || !sim.bodies.bodies().is_empty()
    };
    for _ in 0..600 {
        if !is_busy(&sim) {
            break;
        }
        act(&mut sim, vec![Action::ClearDebris]);
    }
    let (before, steps) = (sim.world.hash(), sim.history.undo_steps());
    let undone = sim.history.redo_steps();
    // What a change led to is undone and redone with it, so a tick may take several steps.
    let mut go = |redo: bool, to: usize| {
        for _ in 0..2 * (steps + undone) {
            if sim.history.undo_steps() != to {
                let action = if redo { Action::Redo } else { Action::Undo };
                act(&mut sim, vec![action, Action::ClearDebris]);
            }
        }
        (
            sim.world.hash(),
            [sim.history.undo_steps(), sim.history.redo_steps()],
        )
    };
    assert_eq!(go(false, 0), (at_start, [0, steps + undone]), "all undone");
    assert_eq!(go(true, steps), (before, [steps, undone]), "all redone");
}

/// Plays with a seed, and checks after every so many steps.
fn play_with(seed: u64, checks: u32) {
    let mut monkey = Monkey::new(seed);
    let run = std::panic::AssertUnwindSafe(|| {
        for _ in 0..checks {
            (0..40).for_each(|_| monkey.step());
            monkey.check();
        }
    });
    let outcome = std::panic::catch_unwind(run);
    // Threads that draw must not outlive the process.
    monkey.app.end();
    if let Err(payload) = outcome {
        eprintln!("seed {seed}; the last things done:");
        monkey.done.iter().for_each(|what| eprintln!("  {what}"));
        std::panic::resume_unwind(payload);
    }
}

#[test]
fn nothing_breaks_under_random_hands() {
    (1..=4).for_each(|seed| play_with(seed, 2));
}

/// `MONKEYS=1-1000` plays with other seeds.
#[test]
#[ignore = "minutes"]
fn nothing_breaks_under_a_hundred_random_hands() {
    let seeds = std::env::var("MONKEYS").unwrap_or("5-104".into());
    let (first, last) = seeds.split_once('-').expect("MONKEYS=FIRST-LAST");
    let [first, last] = [first, last].map(|n| n.parse().expect("a number"));
    for seed in first..=last {
        play_with(seed, 6);
        println!("seed {seed}");
    }
}
