//! The drawn state is the open one, whatever was open or done before: pictures equal those of a fresh start.
use super::*;
use crate::comparer::{self, SAME, Shown, Tolerance};
use crate::geom::rng::Rng;
use crate::render::{OffscreenRenderer, Quality};
use crate::sim::Tool;
use crate::ui::{CompareCommand, PanelId, TimelineCommand};
use crate::view::floor_plan::plan;

const SIZE: [u32; 2] = [160, 90];
/// Frames after which a picture has to rest.
const MOST_FRAMES: usize = 60;

/// Stands in for the window's renderer, which keeps its GPU objects between frames.
struct Screen(OffscreenRenderer);

impl Screen {
    fn new() -> Self {
        let studio = OffscreenRenderer::with_quality(SIZE, Quality::FAST);
        Self(studio.unwrap_or_else(|error| panic!("{error}")))
    }

    /// The next picture.
    fn shows(&mut self, app: &mut App) -> Vec<u8> {
        let snapshot = app.snapshot(SIZE).expect("a level");
        let play = app.play.as_ref().expect("a level");
        self.0.show_textures(&play.level_textures.textures);
        let picture = self.0.picture(&snapshot);
        picture.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The picture once it rests: shadows of lamps lit on moving chunks are updated a few per frame.
    fn settles(&mut self, app: &mut App) -> Vec<u8> {
        let (mut picture, mut same) = (self.shows(app), 1);
        for _ in 0..MOST_FRAMES {
            let next = self.shows(app);
            same = if next == picture { same + 1 } else { 1 };
            picture = next;
            if same == 3 {
                return picture;
            }
        }
        panic!("the picture does not rest");
    }
}

/// Checks that a picture equals the wanted one and differs from the one before.
fn check(what: &str, [found, wanted, before]: [&[u8]; 3], tolerance: &Tolerance) {
    let shown = |picture| Shown {
        picture,
        control: before,
    };
    let found = comparer::compare(&shown(found), &shown(wanted), tolerance);
    found.unwrap_or_else(|why| panic!("{what}: {why}"));
}

/// Built-in levels, and one that differs from another only in its materials.
fn levels(folder: &Path) -> Vec<PathBuf> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let names = ["bridge", "bunker", "caves", "pillars", "range", "tower"];
    let mut levels: Vec<PathBuf> = names
        .iter()
        .map(|name| ours.join(format!("{name}.map")))
        .collect();
    let other = String::from_utf8_lossy(LEVEL);
    let other = other
        .replace(") wood_", ") brick_")
        .replace(") concrete_", ") plaster_");
    let path = folder.join("other.map");
    std::fs::write(&path, other).expect("written");
    levels.push(path);
    levels
}

fn fresh(level: &Path) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    Screen::new().shows(&mut started(folder.path(), level.to_path_buf()))
}

/// Opens levels in this order, by number; each must look as after a fresh start at once.
fn check_way(levels: &[PathBuf], way: impl Iterator<Item = usize>) {
    let fresh: Vec<Vec<u8>> = levels.iter().map(|level| fresh(level)).collect();
    for (i, picture) in fresh.iter().enumerate() {
        assert!(!fresh[..i].contains(picture), "two levels look the same");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = started(folder.path(), levels[0].clone());
    let mut screen = Screen::new();
    let mut before = screen.shows(&mut app);
    let mut last = 0;
    for next in way {
        if next == last {
            shoot(&mut app);
            before = screen.shows(&mut app);
        }
        told(&mut app, UiCommand::Open(levels[next].clone().into()));
        told(&mut app, UiCommand::Confirm(Answer::Discard));
        assert_eq!(open_level(&app), levels[next]);
        let seen = screen.shows(&mut app);
        let what = format!(
            "{} after {}",
            levels[next].display(),
            levels[last].display()
        );
        check(&what, [&seen, &fresh[next], &before], &SAME);
        (before, last) = (seen, next);
    }
}

#[test]
fn a_level_opened_after_another_looks_as_after_a_fresh_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = levels(folder.path());
    let count = levels.len();
    // All in a cycle, one after itself, the one of the same shape, and ten pairs.
    let mut rng = Rng::new(34);
    let pairs = (0..10).map(|_| rng.next_u64() as usize % count);
    let same_shape = [4, count - 1, 4];
    check_way(
        &levels,
        (1..=count)
            .map(|i| i % count)
            .chain([0])
            .chain(same_shape)
            .chain(pairs),
    );
}

#[test]
#[ignore = "all pairs of levels take minutes: cargo test --lib all_pairs -- --ignored"]
fn all_pairs_of_levels_look_as_after_a_fresh_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let levels = levels(folder.path());
    let count = levels.len();
    let way = (0..count).flat_map(|a| (a..count).flat_map(move |b| [b, a]));
    check_way(&levels, way);
}

#[test]
fn the_keys_for_the_next_level_and_the_one_before_show_each_as_after_a_fresh_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = started(folder.path(), PathBuf::from("levels/pillars.map"));
    let mut screen = Screen::new();
    let mut before = screen.shows(&mut app);
    for (key, name) in [
        (KeyCommand::NextLevel, "range.map"),
        (KeyCommand::NextLevel, "tower.map"),
        (KeyCommand::PreviousLevel, "range.map"),
        (KeyCommand::PreviousLevel, "pillars.map"),
        (KeyCommand::PreviousLevel, "caves.map"),
    ] {
        app.press(key);
        finish_work(&mut app);
        let level = app.play.as_ref().map(|play| play.origin.clone());
        let level = level.expect("a level");
        assert_eq!(level.file_name(), name);
        let seen = screen.shows(&mut app);
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("levels")
            .join(name);
        check(name, [&seen, &fresh(&path), &before], &SAME);
        before = seen;
    }
}

/// The triangulation of a face depends on its history, and with it the shading of rubble.
const OTHER_TRIANGLES: Tolerance = Tolerance {
    mean: 0.5,
    far: 40,
    stray: 50,
    part: 0.1,
};

/// A program that is drawn repeatedly.
struct Watched {
    folder: tempfile::TempDir,
    app: App,
    screen: Screen,
    before: Vec<u8>,
}

impl Watched {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("open.map"), LEVEL).expect("written");
        let mut app = opened(folder.path());
        // Far objects must be visible.
        let mut settings = app.wanted.clone();
        settings.blast_radius = 4.0;
        app.act(UiCommand::SetSettings(Box::new(settings)));
        app.tick();
        let mut screen = Screen::new();
        let before = screen.settles(&mut app);
        Self {
            folder,
            app,
            screen,
            before,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Carries out a command, discarding changes.
    fn command(&mut self, action: UiCommand) {
        told(&mut self.app, action);
        told(&mut self.app, UiCommand::Confirm(Answer::Discard));
    }

    /// Checks that it looks different from before, and as the same state on a fresh renderer and in a fresh program.
    fn looks_fresh(&mut self, what: &str) {
        let seen = self.screen.settles(&mut self.app);
        let on_another = Screen::new().settles(&mut self.app);
        check(what, [&seen, &on_another, &self.before], &SAME);
        let drawn_anew = self.drawn_anew();
        check(what, [&seen, &drawn_anew, &self.before], &OTHER_TRIANGLES);
        self.before = seen;
    }

    fn record(&mut self, name: &str) -> PathBuf {
        let path = self.file(name);
        let mut bytes = Vec::new();
        let written = play(&mut self.app).timeline.recording().write(&mut bytes);
        written.expect("memory takes it");
        std::fs::write(&path, bytes).expect("written");
        path
    }

    /// The open state, replayed from its recording in a fresh program.
    fn drawn_anew(&mut self) -> Vec<u8> {
        let path = self.record("now.breach");
        let own = tempfile::tempdir().expect("a folder");
        let mut fresh = started(own.path(), path);
        let tick = play(&mut self.app).sim.tick;
        fresh.act(UiCommand::Timeline(TimelineCommand::Seek(tick)));
        // Paused, the last tick is shown; running, a state between two ticks.
        fresh.clock.paused = self.app.clock.paused;
        assert_eq!(state(&fresh), state(&self.app));
        Screen::new().settles(&mut fresh)
    }

    fn ticks(&mut self, count: usize) {
        (0..count).for_each(|_| self.app.tick());
    }
}

fn play(app: &mut App) -> &mut play::Play {
    app.play.as_mut().expect("a level")
}

fn seek(tick: u64) -> UiCommand {
    UiCommand::Timeline(TimelineCommand::Seek(tick))
}

#[test]
fn after_undo_redo_and_going_back_a_state_looks_as_after_a_fresh_start() {
    let mut watched = Watched::new();
    shoot(&mut watched.app);
    watched.looks_fresh("a shot");
    for (action, what) in [(UiCommand::Undo, "undo"), (UiCommand::Redo, "redo")] {
        watched.command(action);
        watched.ticks(1);
        watched.looks_fresh(what);
    }
    let end = play(&mut watched.app).sim.tick;
    watched.command(UiCommand::Timeline(TimelineCommand::StepBack));
    watched.looks_fresh("a step back");
    watched.command(seek(end));
    watched.looks_fresh("the last tick");
    watched.command(seek(1));
    watched.looks_fresh("the first tick");
    watched.command(seek(100));
    watched.looks_fresh("a tick in between");
    // Acting here starts a branch with other changes, materials and revisions.
    watched.command(seek(1));
    watched.command(UiCommand::Carve);
    watched.ticks(3);
    watched.looks_fresh("another way from the first tick");
    watched.command(UiCommand::Fill);
    watched.ticks(3);
    watched.looks_fresh("filled in front of it");
}

#[test]
fn after_saving_resetting_watching_and_settings_a_state_looks_as_after_a_fresh_start() {
    let mut watched = Watched::new();
    shoot(&mut watched.app);
    let dug = watched.file("dug.map");
    watched.command(UiCommand::SaveAs(dug.clone()));
    let recorded = watched.record("kept.breach");
    watched.command(UiCommand::Open(watched.file("open.map").into()));
    shoot(&mut watched.app);
    watched.looks_fresh("a shot");
    watched.command(UiCommand::Reset);
    watched.looks_fresh("reset");
    watched.command(UiCommand::Open(dug.into()));
    watched.looks_fresh("what was saved");
    watched.command(UiCommand::Open(recorded.into()));
    watched.command(seek(0));
    watched.looks_fresh("the recording's first tick");
    while play(&mut watched.app).is_past() {
        watched.ticks(1);
    }
    watched.looks_fresh("the recording was watched");
    let mut wanted = watched.app.wanted.clone();
    wanted.tree.max_depth = 4;
    wanted.gravity = 2.0;
    watched.command(UiCommand::SetSettings(Box::new(wanted)));
    shoot(&mut watched.app);
    watched.looks_fresh("a shot under other settings");
}

#[test]
fn a_comparison_beside_it_changes_nothing_that_is_shown_and_ends_with_its_recording() {
    let mut watched = Watched::new();
    shoot(&mut watched.app);
    let seen = watched.screen.settles(&mut watched.app);
    let start = |passes| {
        let sides = ["depth=2", "depth=16"].map(str::to_owned);
        UiCommand::Compare(CompareCommand::Start(sides, passes))
    };
    watched.app.act(start(1));
    assert!(watched.screen.settles(&mut watched.app) == seen);
    finish_work(&mut watched.app);
    assert!(matches!(watched.app.comparer.state(), Comparing::Done(_)));
    assert!(watched.screen.settles(&mut watched.app) == seen);
    // Longer than opening a level takes.
    watched.app.act(start(1000));
    watched.app.act(UiCommand::Reset);
    watched.app.act(UiCommand::Confirm(Answer::Discard));
    while watched.app.loading.is_some() {
        assert!(matches!(
            watched.app.comparer.state(),
            Comparing::Running(_)
        ));
        watched.app.hear();
    }
    assert!(matches!(watched.app.comparer.state(), Comparing::No));
}

#[test]
fn the_pictures_of_changes_are_those_of_this_way_and_not_of_one_given_up() {
    let mut watched = Watched::new();
    shoot(&mut watched.app);
    let picture = |watched: &mut Watched, of: usize| {
        for _ in 0..3000 {
            watched.app.hear();
            let changes = play(&mut watched.app).changes();
            if let Some(picture) = &changes[of].picture {
                return picture.clone();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("change {of} was never drawn");
    };
    let given_up = picture(&mut watched, 0);
    // One tick makes two changes, of which only the last is drawn, not the shot.
    watched.command(seek(1));
    for fill in [false, true] {
        let tool = Tool {
            size: 0.6,
            depth: 0.6,
            ..Tool::default()
        };
        watched.app.queued.push(Action::Tool { fill, tool });
    }
    watched.ticks(1);
    let drawn = picture(&mut watched, 1);
    assert_ne!(drawn.pixels, given_up.pixels);
    let changes = play(&mut watched.app).changes();
    assert_eq!((changes.len(), changes[0].picture.is_some()), (2, false));
}

#[test]
fn the_map_and_the_trees_are_those_of_the_world_that_is_shown() {
    let mut watched = Watched::new();
    let check = |watched: &mut Watched, what: &str| {
        // Trees are measured at most twice a second.
        std::thread::sleep(Duration::from_millis(450));
        for panel in [PanelId::Map, PanelId::Trees] {
            watched.app.panels.dock.show(panel, true);
            watched.screen.shows(&mut watched.app);
        }
        let aside = watched.app.panels.trees.aside;
        let App {
            play, map, trees, ..
        } = &watched.app;
        let sim = &play.as_ref().expect("a level").sim;
        let shown = map.state(sim).expect("a map").plan;
        assert_eq!(*shown, plan(&sim.world, shown.height), "{what}");
        let extent = map.state(sim).expect("a map").graph.extent;
        let walls = shown
            .rooms
            .iter()
            .flat_map(|room| room.walls.iter().flatten());
        assert!(
            shown.rooms.iter().any(|room| !room.walls.is_empty()),
            "{what}"
        );
        for wall in walls {
            let is_in = wall.cmpge(extent[0] - 1e-9).all() && wall.cmple(extent[1] + 1e-9).all();
            assert!(is_in, "{what}: {wall} of {extent:?}");
        }
        let mut fresh = tree_benchmark::TreeBenchmark::default();
        fresh.measure(sim, aside);
        let told = |meter: &tree_benchmark::TreeBenchmark| {
            let table = meter.table().expect("measured");
            let worth = table.columns.each_ref().map(|column| column.worth);
            (table.room, table.queries, worth)
        };
        assert_eq!(told(trees), told(&fresh), "{what}");
    };
    check(&mut watched, "the start");
    shoot(&mut watched.app);
    check(&mut watched, "a shot");
    watched.command(seek(0));
    check(&mut watched, "the first tick");
    watched.command(UiCommand::Open(PathBuf::from("levels/caves.map").into()));
    check(&mut watched, "another level");
    watched.command(UiCommand::Open(watched.file("open.map").into()));
    check(&mut watched, "the first level");
}
