//! The open level: the simulation, its saved state, its recording, and what the panels show of its last tick.
use super::check_log::CheckLog;
use super::crosshair_preview::CrosshairPreview;
use super::level_textures::LevelTextures;
use super::loader::{KeptChanges, file_name};
use super::room_counts::RoomCounts;
use super::thumbnails::{self, Thumbnails};
use super::timeline_marks::TimelineMarks;
use crate::builtin::Origin;
use crate::bvh::QueryStats;
use crate::journal::Journal;
use crate::level;
use crate::sim::{Command, Sim, StepReport, Timeline};
use crate::timing::{Recorder, Silent, Stage};
use crate::ui::{CameraMode, CarveChip, Counts, StructureState};
use crate::view::{RayWalk, Snapshot, StructureLook, walk_ray};
use crate::world::{CastHit, WorldError};
use glam::DVec3;
use std::path::{Path, PathBuf};

/// The open level.
pub struct Play {
    /// The simulation.
    pub sim: Box<Sim>,
    /// Where it was opened from, or last saved to.
    pub origin: Origin,
    /// There are unsaved changes.
    pub unsaved: bool,
    /// Hash of the world in the level's file; None if no file has the level, as for a recording.
    saved: Option<u64>,
    /// Changes that are part of the level as it was loaded, but not of its file.
    kept: KeptChanges,
    /// How many of the operations since the level was opened are in its file.
    in_file: usize,
    /// The last carve or fill.
    pub chip: Option<CarveChip>,
    /// Every tick so far.
    pub timeline: Timeline,
    /// Events of the recording.
    pub marks: TimelineMarks,
    /// Thumbnails of the changes.
    pub thumbnails: Thumbnails,
    /// The level's textures.
    pub level_textures: LevelTextures,
    journal: Option<Journal>,
    /// The command of the tick in progress, not recorded yet.
    pub under_way: Option<Command>,
    /// Faces, triangles and portals of the rooms.
    rooms: RoomCounts,
    last: StepReport,
    /// What checks of strength have found.
    checks: CheckLog,
    /// What structures carry.
    pub structures: StructureLook,
    /// Moves that went through a wall so far.
    tunnelled: u64,
    /// Why the last shot or tool did nothing, and the tick.
    miss: Option<(String, u64)>,
    /// The preview at the crosshair.
    pub preview: CrosshairPreview,
}

/// How long the reason of a miss is shown, ticks.
const MISS_TICKS: u64 = 150;
/// Reach of tools, metres.
const REACH: f64 = 100.0;

/// Whether the path names a level, not a recording.
fn is_level(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("map"))
}

impl Play {
    /// From the loader's results.
    pub fn new(
        origin: Origin,
        sim: Box<Sim>,
        sizes: Vec<(u32, u32)>,
        timeline: Timeline,
        kept: KeptChanges,
        journal: Option<Journal>,
    ) -> Self {
        let is_level = origin.path().is_none_or(is_level);
        Self {
            rooms: RoomCounts::new(&sim.world, sizes),
            origin,
            // A replayed recording may have changes that no level file has.
            unsaved: kept.count > 0 || !sim.level.since.is_empty(),
            saved: is_level.then(|| sim.world.hash()),
            kept,
            in_file: 0,
            sim,
            chip: None,
            timeline,
            marks: TimelineMarks::default(),
            thumbnails: Thumbnails::default(),
            level_textures: LevelTextures::default(),
            journal,
            under_way: None,
            last: StepReport::default(),
            checks: CheckLog::default(),
            structures: StructureLook::default(),
            tunnelled: 0,
            miss: None,
            preview: CrosshairPreview::default(),
        }
    }

    /// Sets the level's textures.
    pub fn show_textures(&mut self, found: LevelTextures) {
        self.thumbnails.show_textures(&found.textures);
        self.level_textures = found;
    }

    /// The level's display name.
    pub fn name(&self) -> String {
        self.origin.file_name()
    }

    /// The file that Save replaces: the level's own; None for recordings and built-in levels.
    pub fn saves_to(&self) -> Option<PathBuf> {
        let path = self.origin.path()?;
        is_level(path).then(|| path.to_path_buf())
    }

    /// The world of this hash was saved to the level's file, with so many operations since it was opened.
    pub fn is_saved(&mut self, hash: u64, operations: usize) {
        self.saved = Some(hash);
        self.kept = KeptChanges::default();
        self.in_file = operations;
        self.unsaved = self.differs();
    }

    /// The world differs from the level's file.
    fn differs(&self) -> bool {
        match self.saved {
            Some(saved) => self.kept.count > 0 || self.sim.world.hash() != saved,
            None => !self.sim.level.since.is_empty(),
        }
    }

    /// The changes that the level's file does not have.
    pub fn changes_since_file(&self) -> KeptChanges {
        let level = &self.sim.level;
        KeptChanges {
            entities: self.kept.entities.clone() + &level::operations(level, self.in_file),
            count: self.kept.count + level.since.len().saturating_sub(self.in_file),
        }
    }

    /// Updates `unsaved` after a change. In the past, later changes of the recording count as unsaved.
    fn note_changed(&mut self) {
        self.unsaved = self.differs() || (self.unsaved && self.is_past());
    }

    /// Why the last shot or tool did nothing, for a moment.
    pub fn miss(&self) -> Option<&str> {
        let (why, tick) = self.miss.as_ref()?;
        let is_fresh = (*tick..tick + MISS_TICKS).contains(&self.sim.tick);
        is_fresh.then_some(why)
    }

    /// Runs a tick: steps, records, updates the counts. On an error (a full disk) the recording's file ends.
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

    /// Replays a recorded tick.
    pub fn tick_again(&mut self, recorder: &mut Recorder) {
        let command = self.timeline.command(self.sim.tick);
        let report = self.sim.step(&command, recorder);
        self.take_in(report, recorder);
    }

    /// Goes to another tick.
    pub fn seek(&mut self, tick: u64) {
        self.timeline.seek(&mut self.sim, tick, &mut Silent);
        self.chip = None;
        self.preview = CrosshairPreview::default();
        self.last = StepReport::default();
        self.checks = CheckLog::default();
        self.structures = StructureLook::default();
        self.miss = None;
        self.unsaved |= self.differs();
        self.rooms.count_again(&self.sim.world);
    }

    /// The current tick is before the recording's end.
    pub fn is_past(&self) -> bool {
        self.sim.tick < self.timeline.ticks()
    }

    /// The recording is written to a file as it grows.
    pub fn is_written(&self) -> bool {
        self.journal.is_some()
    }

    /// If the recording's file was deleted, writes the whole recording to a new one: returns its path, or why it
    /// failed. Otherwise None.
    pub fn record_anew(&mut self, folder: &Path) -> Option<Result<PathBuf, String>> {
        self.journal.take_if(|journal| journal.is_gone())?;
        let begun = Journal::begin(folder, self.timeline.recording());
        Some(begun.map(|journal| self.journal.insert(journal).path().to_path_buf()))
    }

    /// Starts a branch at the current tick; the old recording stays in its file, whose path is returned. The error is
    /// why the branch has no file.
    pub fn branch(&mut self, folder: &Path) -> Result<Option<PathBuf>, String> {
        let old = self.journal.take().map(|journal| {
            let path = journal.path().to_path_buf();
            // On an error the recording is merely offered again.
            let _ = journal.finish(self.timeline.ticks());
            path
        });
        self.timeline.branch(&self.sim);
        self.marks
            .note_branch(self.sim.tick, old.as_deref().map(file_name).as_deref());
        self.thumbnails.forget_after(self.sim.history.last_number());
        self.journal = Some(Journal::begin(folder, self.timeline.recording())?);
        Ok(old)
    }

    /// What the panels show of structures.
    pub fn structure(&self) -> StructureState<'_> {
        self.checks.state(self.sim.is_checking())
    }

    /// Updates counts and displays after a tick.
    fn take_in(&mut self, report: StepReport, recorder: &mut Recorder) {
        recorder.count_structures(report.structure_counts());
        self.checks.note(self.sim.tick, &report);
        if let Some(shot) = thumbnails::request(&self.sim, &report) {
            self.thumbnails.draw(shot);
        }
        for event in report.carves.iter().filter(|e| !e.is_moot_failure()) {
            let sample = recorder.carves().last().filter(|_| event.result.is_ok());
            let bins = Stage::PHASES
                .iter()
                .position(|&p| p == Stage::Bins)
                .expect("building bins is a phase");
            let mut chip = CarveChip {
                what: event.by.word(),
                refused: None,
                no_effect: None,
                watertight: true,
                open_at: None,
                faces: 0,
                rooms: 0,
                portals: 0,
                islands: 0,
                volume_m3: 0.0,
                movers: event.movers,
                broken: event.broken,
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
                        self.rooms.recount(&self.sim.world, room);
                    }
                }
                Err(why) => chip.refused = Some(format!("refused: {why}")),
            }
            let dropped = matches!(event.result, Err(WorldError::Dropped));
            if !event.has_effect() && !dropped {
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
            self.checks = CheckLog::default();
            self.rooms.forget_gone(&self.sim.world);
            for &room in &reverted.report.rooms {
                self.rooms.recount(&self.sim.world, room);
            }
        }
        if !(report.carves.is_empty() && report.reverted.is_empty()) {
            self.rooms.count_portals(&self.sim.world);
            self.note_changed();
        }
        if let Some(why) = report.misses.last() {
            self.miss = Some(((*why).into(), self.sim.tick));
        }
        self.last = report;
    }

    /// What could not be carried out in the last tick.
    pub fn notices(&self) -> &[String] {
        &self.last.notices
    }

    /// What triggers said in the last tick.
    pub fn messages(&self) -> &[String] {
        &self.last.messages
    }

    /// The traversal of the crosshair's ray.
    pub fn walk(&self) -> RayWalk {
        let eye = self.sim.player.eye;
        // It starts a little lower: along the line of sight it would be a point.
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

    /// The counts for the panels.
    pub fn counts(&self, drawn: Option<&Snapshot>) -> Counts {
        let drawn = drawn.map_or(&[][..], |s| &s.rooms);
        let [faces_drawn, triangles_drawn] = self.rooms.of(drawn.iter().map(|room| room.id));
        let [faces_total, triangles_total] = self.rooms.totals();
        Counts {
            rooms_drawn: drawn.len(),
            rooms_total: self.sim.world.room_count(),
            faces_drawn,
            faces_total,
            triangles_drawn,
            triangles_total,
            surface: self.rooms.surface(),
            portals: self.rooms.open_portals(),
            bins_visited: self.last.queries.bins,
            faces_tested: self.last.queries.faces,
            bodies: self.sim.bodies.len(),
            bodies_awake: self.last.awake as usize,
            rockets: self.sim.rockets.len(),
            tunnelled: self.tunnelled,
            checked: self.last.structure_counts(),
        }
    }

    /// The camera mode.
    pub fn camera(&self) -> CameraMode {
        let player = &self.sim.player;
        match (player.no_clip, player.walking) {
            (true, _) => CameraMode::NoClip,
            (false, true) => CameraMode::Walk,
            (false, false) => CameraMode::Fly,
        }
    }

    /// The eye, interpolated between the last two ticks.
    pub fn eye(&self, alpha: f64) -> DVec3 {
        self.sim
            .player
            .previous_eye
            .lerp(self.sim.player.eye, alpha)
    }

    /// Brightness of the brightest near explosion, 0..=1.
    pub fn flash(&self, alpha: f64) -> f32 {
        let bright = |e: &crate::sim::Explosion| {
            let age_ticks = self.sim.tick.saturating_sub(e.tick) as f64 + alpha;
            let reach = 4.0 + e.radius * 6.0;
            let near = 1.0 - e.position.distance(self.sim.player.eye) / reach;
            (1.0 - age_ticks / 9.0).clamp(0.0, 1.0) * near.clamp(0.0, 1.0)
        };
        self.sim.explosions.iter().map(bright).fold(0.0, f64::max) as f32
    }

    /// Ends the recording properly, so that the next start does not offer it.
    pub fn finish(&mut self) {
        if let Some(journal) = self.journal.take() {
            // On an error the recording is merely offered again.
            let _ = journal.finish(self.timeline.ticks());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::recording::LevelSource;
    use crate::sim::{Action, CarveEvent, CarvedBy, Settings, Tool};
    use crate::ui::TimelineMarkKind;
    use crate::world::{CarveReport, NoEffect};

    fn opened(folder: &Path) -> Play {
        opened_level(folder, include_bytes!("../../levels/bunker.map"))
    }

    fn opened_level(folder: &Path, map: &[u8]) -> Play {
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
            KeptChanges::default(),
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
    fn a_failure_whose_section_has_fallen_away_is_no_miss_of_the_player() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut play = opened(folder.path());
        let nothing = |by: CarvedBy| StepReport {
            carves: vec![CarveEvent {
                by,
                position: DVec3::ZERO,
                radius: 1.0,
                result: Ok(CarveReport {
                    no_effect: Some(NoEffect::Air),
                    ..CarveReport::default()
                }),
                change: 0,
                movers: (0, 0.0),
                broken: 0,
            }],
            ..StepReport::default()
        };
        play.take_in(nothing(CarvedBy::Failure), &mut Recorder::new());
        assert!(play.chip.is_none() && play.miss().is_none());
        play.take_in(nothing(CarvedBy::Carve), &mut Recorder::new());
        assert_eq!(play.miss(), Some("carve: no solid within reach"));
        let chip = play.chip.as_ref().map(|chip| chip.what);
        // A later failure does not replace it.
        play.take_in(nothing(CarvedBy::Failure), &mut Recorder::new());
        assert_eq!(play.chip.as_ref().map(|chip| chip.what), chip);
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

    /// Shots that leave the world as it is are told by what they did to a door or a piece, and not as if they had missed.
    #[test]
    fn a_shot_at_a_door_or_a_piece_alone_is_told_and_a_shot_at_nothing_too() {
        let text = include_str!("../../levels/scenes/lifts.map");
        let hard = "\"worldspawn\"\n\"breach_hardness\" \"unbreakable\"";
        let hard = text.replacen("\"worldspawn\"", hard, 1);
        for (map, y, radius) in [(text, -32.0, 0.3), (&hard, -32.0, 0.3), (&hard, -72.0, 1.0)] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut recorder = Recorder::new();
            let mut play = opened_level(folder.path(), map.as_bytes());
            let mut settings = play.sim.settings.clone();
            settings.blast_radius = radius;
            let shot = |y: f64, actions: Vec<Action>, sim: &Sim| Command {
                actions: actions
                    .into_iter()
                    .chain([Action::FireAlong {
                        from: [17.5, 2.5, -y / 32.0],
                        dir: [1.0, 0.0, 0.0],
                    }])
                    .collect(),
                ..sim.idle()
            };
            let set = vec![Action::Set(Box::new(settings))];
            let fire = shot(y, set, &play.sim);
            play.tick(&fire, &mut recorder).expect("written");
            let words = play.chip.as_ref().and_then(|chip| chip.side_effects());
            let words = words.expect("a door was carved");
            assert!(words.contains("from movers"), "{words}");
            assert_eq!(play.miss(), None);
            assert_eq!(play.marks.all().len(), 1, "{y}");
            let [name] = &play
                .changes()
                .into_iter()
                .map(|c| c.name)
                .collect::<Vec<_>>()[..]
            else {
                panic!("one change");
            };
            assert!(name.starts_with("blast"), "{name}");
            let event = play.last.carves.last().expect("an event").clone();
            assert!(event.change == 1 && thumbnails::request(&play.sim, &play.last).is_some());
            assert!(event.movers.0 == 1 && event.movers.1 > 0.0 && event.broken == 0);
        }
        // High up the unbreakable wall nothing is near.
        let folder = tempfile::tempdir().expect("a folder");
        let mut recorder = Recorder::new();
        let mut play = opened_level(folder.path(), hard.as_bytes());
        let fire = Command {
            actions: vec![Action::FireAlong {
                from: [17.5, 6.5, -4.0],
                dir: [1.0, 0.0, 0.0],
            }],
            ..play.sim.idle()
        };
        play.tick(&fire, &mut recorder).expect("written");
        let chip = play.chip.as_ref().expect("a blast");
        assert!(chip.refused.is_some() && chip.side_effects().is_none());
        assert!(play.miss().is_some() && play.marks.all().is_empty());
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
        let branch = all
            .iter()
            .find(|mark| mark.kind == TimelineMarkKind::Branch);
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
