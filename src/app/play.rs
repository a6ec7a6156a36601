//! The open level: the simulation, what the file knows of it, its recording, and counts kept without walking it.
use super::album::{self, Album};
use super::loader::file_name;
use super::marks::Marks;
use super::pictured::Pictured;
use crate::builtin::Origin;
use crate::bvh::QueryStats;
use crate::journal::Journal;
use crate::sim::{CarvedBy, Command, Sim, StepReport, Timeline, Tool};
use crate::timing::{Percentiles, Recorder, Silent, Stage};
use crate::ui::{CameraMode, CarveChip, Counts, PreviewChip};
use crate::view::{Line, Palette, RayWalk, Snapshot, preview_lines, walk_ray};
use crate::world::{CastHit, Quality, Revision, WorldError};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// The open level.
pub struct Play {
    /// The simulation.
    pub sim: Box<Sim>,
    /// What was opened, or where it was saved since.
    pub origin: Origin,
    /// There are changes that no file has.
    pub unsaved: bool,
    /// The world's hash as the level's file has it; None where no file has the level, as of a recording.
    saved: Option<u64>,
    /// The last carve or fill.
    pub chip: Option<CarveChip>,
    /// Every tick so far.
    pub timeline: Timeline,
    /// Events of the recording.
    pub marks: Marks,
    /// Pictures of the changes.
    pub album: Album,
    /// Pictures of the level's textures.
    pub pictured: Pictured,
    journal: Option<Journal>,
    /// The command of the tick that is being stepped; not recorded yet.
    pub under_way: Option<Command>,
    sizes: Vec<(u32, u32)>,
    /// Of each room when it was last counted.
    revisions: Vec<Revision>,
    faces: u64,
    triangles: u64,
    /// Of the surface as it is drawn: of all rooms, and of each.
    surface: Quality,
    surfaces: Vec<Quality>,
    open_portals: usize,
    last: StepReport,
    /// Moves that went through a wall so far.
    tunnelled: u64,
    /// Why the last shot or tool did nothing, and the tick.
    miss: Option<(String, u64)>,
    /// What the tool would do, and for what it was asked.
    preview: Option<(Aimed, Foreseen)>,
}

/// What a preview depends on.
#[derive(Clone, Debug, PartialEq)]
struct Aimed {
    fill: bool,
    tool: Tool,
    eye: DVec3,
    dir: DVec3,
    revision: Revision,
    /// A change is under way: until it is done or dropped nothing can be foreseen.
    is_carving: bool,
    carves: usize,
    palette: Palette,
}

/// What it came to.
struct Foreseen {
    chip: Option<PreviewChip>,
    lines: Vec<Line>,
}

/// The expected time is the median of this many carves.
const LAST_CARVES: usize = 9;
/// Why nothing happened is told for so many ticks.
const MISS_TICKS: u64 = 150;
/// How far tools reach, metres.
const REACH: f64 = 100.0;

/// Whether it is a level's name, not a recording's.
fn is_level(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("map"))
}

impl Play {
    /// Takes over what the loader made.
    pub fn new(
        origin: Origin,
        sim: Box<Sim>,
        sizes: Vec<(u32, u32)>,
        timeline: Timeline,
        journal: Option<Journal>,
    ) -> Self {
        let is_level = origin.path().is_none_or(is_level);
        let sum = |pick: fn(&(u32, u32)) -> u32| sizes.iter().map(|s| u64::from(pick(s))).sum();
        let mut play = Self {
            faces: sum(|s| s.0),
            triangles: sum(|s| s.1),
            surface: Quality::default(),
            surfaces: Vec::new(),
            sizes,
            origin,
            // A recording that was played has changes that no level file has.
            unsaved: !sim.level.since.is_empty(),
            saved: is_level.then(|| sim.world.hash()),
            sim,
            chip: None,
            timeline,
            marks: Marks::default(),
            album: Album::default(),
            pictured: Pictured::default(),
            journal,
            under_way: None,
            revisions: Vec::new(),
            open_portals: 0,
            last: StepReport::default(),
            tunnelled: 0,
            miss: None,
            preview: None,
        };
        play.count_portals();
        for room in 0..play.sim.world.room_count() as u32 {
            play.inspect(room);
        }
        play
    }

    /// Draws its textures with these pictures from now on.
    pub fn show_textures(&mut self, found: Pictured) {
        self.album.show_textures(&found.textures);
        self.pictured = found;
    }

    /// The level's name for people.
    pub fn name(&self) -> String {
        self.origin.file_name()
    }

    /// The file that Save replaces: the level's own. A recording is not one, and a level inside the program has none.
    pub fn saves_to(&self) -> Option<PathBuf> {
        let path = self.origin.path()?;
        is_level(path).then(|| path.to_path_buf())
    }

    /// The level's file has the world of this hash now.
    pub fn is_saved(&mut self, hash: u64) {
        self.saved = Some(hash);
        self.unsaved = self.differs();
    }

    /// The world is not as the level's file has it.
    fn differs(&self) -> bool {
        match self.saved {
            Some(saved) => self.sim.world.hash() != saved,
            None => !self.sim.level.since.is_empty(),
        }
    }

    /// After a change. What was recorded after an earlier tick that is shown is still unsaved there.
    fn note_changed(&mut self) {
        self.unsaved = self.differs() || (self.unsaved && self.is_past());
    }

    /// Why the last shot or tool did nothing, for a moment.
    pub fn miss(&self) -> Option<&str> {
        let (why, tick) = self.miss.as_ref()?;
        let is_fresh = (*tick..tick + MISS_TICKS).contains(&self.sim.tick);
        is_fresh.then_some(why)
    }

    /// One tick: step, write it down, keep the counts. The error is that of a recording that ends here (a full disk).
    pub fn tick(&mut self, command: &Command, recorder: &mut Recorder) -> std::io::Result<()> {
        self.under_way = Some(command.clone());
        let report = self.sim.step(command, recorder);
        self.timeline.stepped(command, &self.sim);
        self.marks.note_changes(self.sim.tick, &report);
        self.under_way = None;
        let written = match &mut self.journal {
            Some(journal) => journal.tick(command, &self.sim),
            None => Ok(()),
        };
        if written.is_err() {
            self.journal = None;
        }
        self.tunnelled += u64::from(report.tunnelled);
        self.take_in(report, recorder);
        written
    }

    /// A tick that was recorded, once more.
    pub fn tick_again(&mut self, recorder: &mut Recorder) {
        let command = self.timeline.command(self.sim.tick);
        let report = self.sim.step(&command, recorder);
        self.take_in(report, recorder);
    }

    /// Shows another tick.
    pub fn seek(&mut self, tick: u64) {
        self.timeline.seek(&mut self.sim, tick, &mut Silent);
        self.chip = None;
        self.preview = None;
        self.last = StepReport::default();
        self.miss = None;
        self.unsaved |= self.differs();
        self.count_again();
    }

    /// What was recorded after the tick shown lies before it.
    pub fn is_past(&self) -> bool {
        self.sim.tick < self.timeline.ticks()
    }

    /// The recording is written to a file as it grows.
    pub fn is_written(&self) -> bool {
        self.journal.is_some()
    }

    /// Where the recording's file was removed all that was recorded goes into a new one, which comes back; the error is why
    /// there is none. None where the file is there, or nothing is written anyway.
    pub fn record_anew(&mut self, folder: &Path) -> Option<Result<PathBuf, String>> {
        self.journal.take_if(|journal| journal.is_gone())?;
        let begun = Journal::begin(folder, self.timeline.recording());
        Some(begun.map(|journal| self.journal.insert(journal).path().to_path_buf()))
    }

    /// What is done from here on happens instead of what was recorded; that stays, in the file that comes back. The
    /// error is why the new one has no file.
    pub fn branch(&mut self, folder: &Path) -> Result<Option<PathBuf>, String> {
        let old = self.journal.take().map(|journal| {
            let path = journal.path().to_path_buf();
            // Failing here only means that the recording is offered again.
            let _ = journal.finish(self.timeline.ticks());
            path
        });
        self.timeline.branch(&self.sim);
        self.marks
            .note_branch(self.sim.tick, old.as_deref().map(file_name).as_deref());
        self.album.forget_after(self.sim.history.last_number());
        self.journal = Some(Journal::begin(folder, self.timeline.recording())?);
        Ok(old)
    }

    /// Keeps the counts.
    fn take_in(&mut self, report: StepReport, recorder: &Recorder) {
        if let Some(shot) = album::shot(&self.sim, &report) {
            self.album.draw(shot);
        }
        for event in &report.carves {
            let sample = recorder.carves().last().filter(|_| event.result.is_ok());
            let bins = Stage::PHASES
                .iter()
                .position(|&p| p == Stage::Bins)
                .expect("building bins is a phase");
            let mut chip = CarveChip {
                what: match event.by {
                    CarvedBy::Blast => "blast",
                    CarvedBy::Drill => "drill",
                    CarvedBy::Carve => "carve",
                    CarvedBy::Fill => "fill",
                },
                refused: None,
                no_effect: None,
                watertight: true,
                open_at: None,
                faces: 0,
                rooms: 0,
                portals: 0,
                islands: 0,
                volume_m3: 0.0,
                hash: self.sim.world.hash(),
                ms: sample.map_or(0.0, |s| s.ms),
                rebuild_ms: sample.map_or(0.0, |s| s.phases_ms[bins]),
            };
            match &event.result {
                Ok(done) => {
                    chip.watertight = done.watertight;
                    if !done.watertight {
                        chip.open_at = self.sim.world.open_edge();
                    }
                    chip.faces = done.faces;
                    chip.rooms = done.rooms.len();
                    chip.portals = done.portals_opened.len();
                    chip.islands = done.islands.len();
                    chip.volume_m3 = done.volume_m3;
                    chip.no_effect = done.no_effect.map(|why| why.to_string());
                    for &room in &done.rooms {
                        self.recount(room);
                    }
                }
                Err(why) => chip.refused = Some(format!("refused: {why}")),
            }
            let is_done = event.result.as_ref().is_ok_and(|d| d.no_effect.is_none());
            let dropped = matches!(event.result, Err(WorldError::Dropped));
            if !is_done && !dropped {
                let why = match &event.result {
                    Ok(_) => chip.no_effect.clone().unwrap_or_default(),
                    Err(why) => why.to_string(),
                };
                self.miss = Some((format!("{}: {why}", chip.what), self.sim.tick));
            }
            self.chip = Some(chip);
        }
        for reverted in &report.reverted {
            self.chip = None;
            self.forget_gone();
            for &room in &reverted.report.rooms {
                self.recount(room);
            }
        }
        if !(report.carves.is_empty() && report.reverted.is_empty()) {
            self.count_portals();
            self.note_changed();
        }
        if let Some(why) = report.misses.last() {
            self.miss = Some(((*why).into(), self.sim.tick));
        }
        self.last = report;
    }

    /// What the last tick could not do, in words.
    pub fn notices(&self) -> &[String] {
        &self.last.notices
    }

    /// A room that had been cut in two is one again.
    fn forget_gone(&mut self) {
        let rooms = self.sim.world.room_count();
        for size in self.sizes.split_off(self.sizes.len().min(rooms)) {
            self.faces -= u64::from(size.0);
            self.triangles -= u64::from(size.1);
        }
        for gone in self.surfaces.split_off(self.surfaces.len().min(rooms)) {
            self.surface.replace(gone, Quality::default());
        }
        self.revisions.truncate(rooms);
    }

    /// All rooms that are not as they were when they were last counted.
    fn count_again(&mut self) {
        self.forget_gone();
        for room in 0..self.sim.world.room_count() as u32 {
            let known = self.revisions.get(room as usize);
            if known != Some(&self.sim.world.room(room).revision) {
                self.recount(room);
            }
        }
        self.count_portals();
    }

    /// Looks at what the tool would do at the crosshair, or at nothing; asks again only when something has changed.
    pub fn foresee(&mut self, wanted: Option<(bool, Tool)>, palette: Palette, recorder: &Recorder) {
        let Some((fill, tool)) = wanted else {
            self.preview = None;
            return;
        };
        let aimed = Aimed {
            fill,
            tool,
            eye: self.sim.player.eye,
            dir: self.sim.look_dir(),
            revision: self.sim.world.revision(),
            is_carving: self.sim.carving().is_some(),
            carves: recorder.carves().len(),
            palette,
        };
        if self.preview.as_ref().is_some_and(|(now, _)| *now == aimed) {
            return;
        }
        let foreseen = match self.sim.preview(fill, &aimed.tool) {
            None => Foreseen {
                chip: None,
                lines: Vec::new(),
            },
            Some(Err(why)) => Foreseen {
                chip: Some(PreviewChip {
                    refused: Some(why.to_string()),
                    ..PreviewChip::default()
                }),
                lines: Vec::new(),
            },
            Some(Ok(preview)) => {
                let last = recorder.carves().iter().rev().take(LAST_CARVES);
                let last = Percentiles::from_samples(last.map(|sample| sample.ms));
                Foreseen {
                    chip: Some(PreviewChip {
                        refused: None,
                        faces: preview.faces,
                        portals: preview.portals.len(),
                        islands: preview.islands.len(),
                        falls_m3: preview.islands.iter().map(|island| island.0).sum(),
                        volume_m3: preview.volume_m3,
                        expected_ms: (aimed.carves > 0).then_some(last.p50_ms as f32),
                    }),
                    lines: preview_lines(&preview, palette),
                }
            }
        };
        self.preview = Some((aimed, foreseen));
    }

    /// What the tool would do, in numbers; None without a face under the crosshair.
    pub fn foreseen(&self) -> Option<&PreviewChip> {
        self.preview.as_ref()?.1.chip.as_ref()
    }

    /// The same, drawn.
    pub fn foreseen_lines(&self) -> &[Line] {
        self.preview.as_ref().map_or(&[], |(_, f)| &f.lines)
    }

    /// The crosshair's ray, bin by bin.
    pub fn walk(&self) -> RayWalk {
        let eye = self.sim.player.eye;
        // A little lower and to the side: along one's own line of sight a line is a point.
        let from = eye - DVec3::Y * 0.12;
        walk_ray(&self.sim.world, from, eye + self.sim.look_dir() * REACH)
    }

    /// The face under the crosshair.
    pub fn crosshair(&self) -> Option<CastHit> {
        let eye = self.sim.player.eye;
        self.sim.world.locate(eye)?;
        let to = eye + self.sim.look_dir() * REACH;
        self.sim.world.cast_ray(eye, to, &mut QueryStats::default())
    }

    fn recount(&mut self, room: u32) {
        // An undo of the same tick may have closed it.
        if room as usize >= self.sim.world.room_count() {
            return;
        }
        let now = self.sim.world.room(room);
        let now = (now.face_count, now.triangle_count);
        if self.sizes.len() <= room as usize {
            self.sizes.resize(room as usize + 1, (0, 0));
        }
        if let Some(size) = self.sizes.get_mut(room as usize) {
            self.faces = self.faces + u64::from(now.0) - u64::from(size.0);
            self.triangles = self.triangles + u64::from(now.1) - u64::from(size.1);
            *size = now;
        }
        self.inspect(room);
    }

    /// Counts a room's surface again.
    fn inspect(&mut self, room: u32) {
        let at = room as usize;
        if self.surfaces.len() <= at {
            self.surfaces.resize(at + 1, Quality::default());
        }
        if self.revisions.len() <= at {
            self.revisions.resize(at + 1, Revision::default());
        }
        self.revisions[at] = self.sim.world.room(room).revision;
        let now = self.sim.world.room_quality(room);
        let before = std::mem::replace(&mut self.surfaces[at], now);
        self.surface.replace(before, now);
    }

    fn count_portals(&mut self) {
        self.open_portals = self
            .sim
            .world
            .portals()
            .iter()
            .filter(|p| !p.loops.is_empty())
            .count();
    }

    /// Numbers for the panel.
    pub fn counts(&self, drawn: Option<&Snapshot>) -> Counts {
        let rooms = drawn.map_or(&[][..], |s| &s.rooms);
        Counts {
            rooms_drawn: rooms.len(),
            rooms_total: self.sim.world.room_count(),
            faces_drawn: rooms
                .iter()
                .filter_map(|r| self.sizes.get(r.id as usize))
                .map(|s| s.0 as usize)
                .sum(),
            faces_total: self.faces as usize,
            triangles_drawn: rooms
                .iter()
                .filter_map(|r| self.sizes.get(r.id as usize))
                .map(|s| s.1 as usize)
                .sum(),
            triangles_total: self.triangles as usize,
            surface: self.surface,
            portals: self.open_portals,
            bins_visited: self.last.queries.bins,
            faces_tested: self.last.queries.faces,
            bodies: self.sim.bodies.len(),
            bodies_awake: self.last.awake as usize,
            rockets: self.sim.rockets.len(),
            tunnelled: self.tunnelled,
        }
    }

    /// How the eye moves now.
    pub fn camera(&self) -> CameraMode {
        let player = &self.sim.player;
        match (player.no_clip, player.walking) {
            (true, _) => CameraMode::NoClip,
            (false, true) => CameraMode::Walk,
            (false, false) => CameraMode::Fly,
        }
    }

    /// The eye between the last two ticks.
    pub fn eye(&self, alpha: f64) -> DVec3 {
        self.sim
            .player
            .previous_eye
            .lerp(self.sim.player.eye, alpha)
    }

    /// How bright the youngest near explosion is before the eyes, 0..=1.
    pub fn flash(&self, alpha: f64) -> f32 {
        let bright = |e: &crate::sim::Explosion| {
            let age_ticks = self.sim.tick.saturating_sub(e.tick) as f64 + alpha;
            let reach = 4.0 + e.radius * 6.0;
            let near = 1.0 - e.position.distance(self.sim.player.eye) / reach;
            (1.0 - age_ticks / 9.0).clamp(0.0, 1.0) * near.clamp(0.0, 1.0)
        };
        self.sim.explosions.iter().map(bright).fold(0.0, f64::max) as f32
    }

    /// The recording ends as it should: nothing is offered at the next start.
    pub fn finish(&mut self) {
        if let Some(journal) = self.journal.take() {
            // Failing here only means that the recording is offered again.
            let _ = journal.finish(self.timeline.ticks());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::recording::LevelSource;
    use crate::sim::{Action, Settings};
    use crate::ui::MarkKind;

    fn opened(folder: &Path) -> Play {
        let map = include_bytes!("../../levels/bunker.map");
        let settings = Settings::default();
        let desc = crate::level::read_map(map).expect("a level");
        let sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        let timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
        let journal = Journal::begin(folder, timeline.recording()).expect("begun");
        wrapped(sim, timeline, Some(journal))
    }

    fn wrapped(sim: Sim, timeline: Timeline, journal: Option<Journal>) -> Play {
        let rooms = 0..sim.world.room_count() as u32;
        let sizes = rooms.map(|id| {
            (
                sim.world.room(id).face_count,
                sim.world.room(id).triangle_count,
            )
        });
        let sizes = sizes.collect();
        Play::new(
            crate::builtin::start(),
            Box::new(sim),
            sizes,
            timeline,
            journal,
        )
    }

    fn play_on(play: &mut Play, ticks: u64, recorder: &mut Recorder) {
        for _ in 0..ticks {
            let mut command = play.sim.idle();
            command.yaw += 0.3;
            if play.sim.tick.is_multiple_of(20) {
                command.actions.push(Action::Fire);
            }
            play.tick(&command, recorder).expect("written");
        }
    }

    #[test]
    fn counts_after_going_back_are_those_of_a_level_opened_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut play = opened(folder.path());
        play_on(&mut play, 90, &mut Recorder::new());
        for tick in [10, 75, 0, 90, 41] {
            play.seek(tick);
            let fresh = wrapped((*play.sim).clone(), play.timeline.clone(), None).counts(None);
            let counts = play.counts(None);
            assert_eq!(counts.faces_total, fresh.faces_total, "tick {tick}");
            assert_eq!(counts.triangles_total, fresh.triangles_total, "tick {tick}");
            assert_eq!(counts.portals, fresh.portals, "tick {tick}");
            assert_eq!(counts.surface, fresh.surface, "tick {tick}");
        }
    }

    #[test]
    fn acting_in_the_past_begins_a_new_file_and_keeps_the_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recorder = Recorder::new();
        let mut play = opened(folder.path());
        play_on(&mut play, 60, &mut recorder);
        let last = play.sim.state_hash();
        play.seek(30);
        // What was recorded plays on by itself, and back at its end it is recorded again.
        assert!(play.is_past());
        while play.is_past() {
            play.tick_again(&mut recorder);
        }
        assert_eq!((play.sim.tick, play.sim.state_hash()), (60, last));
        play.seek(30);
        let old = play.branch(folder.path()).expect("begun").expect("a file");
        assert!(!play.is_past() && play.is_written());
        play_on(&mut play, 10, &mut recorder);
        let now = play.sim.state_hash();
        play.finish();
        let again = |path: &Path| {
            let bytes = std::fs::read(path).expect("there");
            let played = crate::journal::resume(path, &bytes, &mut Silent, &mut |_, _, _| true);
            let played = played.expect("it plays");
            assert_eq!(played.warnings, [""; 0]);
            (played.sim.tick, played.sim.state_hash())
        };
        assert_eq!(again(&old), (60, last));
        let all = play.marks.all();
        let branch = all.iter().find(|mark| mark.kind == MarkKind::Branch);
        let branch = branch.expect("a branch");
        assert_eq!(branch.tick, 30);
        assert_eq!(
            branch.what,
            "new branch; the old recording is kept in play-0001.breach"
        );
        let ticks = all.iter().map(|mark| mark.tick);
        assert!(
            ticks.clone().is_sorted() && ticks.max() <= Some(40),
            "{all:?}"
        );
        assert_eq!(again(&folder.path().join("play-0002.breach")), (40, now));
        assert!(crate::journal::find_crashed(folder.path()).is_none());
    }

    #[test]
    fn changes_are_listed_with_what_they_were_and_what_is_undone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recorder = Recorder::new();
        let mut play = opened(folder.path());
        let mut command = play.sim.idle();
        let tool = Tool {
            size: 0.5,
            depth: 0.5,
            ..Tool::default()
        };
        command.actions = vec![Action::Tool { fill: false, tool }];
        play.tick(&command, &mut recorder).expect("written");
        command.actions = vec![Action::Fire];
        play.tick(&command, &mut recorder).expect("written");
        command.actions.clear();
        while play.changes().len() < 2 && play.sim.tick < 600 {
            play.tick(&command, &mut recorder).expect("written");
        }
        command.actions = vec![Action::Undo];
        play.tick(&command, &mut recorder).expect("written");
        let changes = play.changes();
        let list: Vec<(u64, bool)> = changes.iter().map(|c| (c.number, c.is_undone)).collect();
        assert_eq!(list, [(1, false), (2, true)]);
        assert_eq!(changes[0].name, "carve");
        assert!(
            changes[1].name.starts_with("blast 1.00 m, "),
            "{}",
            changes[1].name
        );
    }
}
