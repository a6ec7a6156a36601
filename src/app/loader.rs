//! Loads a level on a thread; the old one stays in play until the new one is complete.
use super::level_textures::LevelTextures;
use super::level_watch::contents_hash;
use super::load_progress::{LoadPlan, LoadProgress};
use super::thumbnails::{self, ThumbnailRequest};
use super::timeline_marks::TimelineMarks;
use crate::builtin::Origin;
use crate::cli::fault;
use crate::journal::{self, Played};
use crate::level;
use crate::render::Textures;
use crate::scenes::Scene;
use crate::sim::recording::LevelSource;
use crate::sim::{Settings, Sim, StepReport, Timeline};
use crate::timing::{Marker, Stage};
use crate::ui::{LevelReport, LevelWarning};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The seed of levels opened in the window.
const SEED: u64 = 1;
/// Thumbnails drawn of a recording: those of its last changes.
const SHOTS: usize = 48;

/// Carves and fills that are applied to a level's file when it is loaded again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptChanges {
    /// As [`level::operations`] writes them.
    pub entities: String,
    /// Their number.
    pub count: usize,
}

impl KeptChanges {
    /// As words after the name of a level; empty without changes.
    pub fn words(&self) -> String {
        match self.count {
            0 => String::new(),
            1 => ", with the change made here".into(),
            count => format!(", with the {count} changes made here"),
        }
    }
}

/// A loaded level, ready to play.
pub struct Loaded {
    /// Its origin.
    pub origin: Origin,
    /// The scene that it belongs to.
    pub scene: Option<&'static Scene>,
    /// Hash of its file's contents.
    pub contents: u64,
    /// The changes that were applied to it, if the file of the open level was loaded again.
    pub kept: Option<KeptChanges>,
    /// The simulation, at its first tick or where the recording ended.
    pub sim: Box<Sim>,
    /// Every tick so far.
    pub timeline: Timeline,
    /// Warnings about a recording, such as that it played differently.
    pub warnings: Vec<String>,
    /// The last changes of a recording, for thumbnails.
    pub shots: Vec<ThumbnailRequest>,
    /// The timeline marks of a recording.
    pub marks: TimelineMarks,
    /// Milliseconds from pressing Open to here.
    pub ms: f64,
    /// Faces and triangles of each room.
    pub sizes: Vec<(u32, u32)>,
    /// Statistics and warnings.
    pub report: LevelReport,
    /// Its textures.
    pub textures: LevelTextures,
}

enum Message {
    Progress(String),
    Done(Box<Result<Loaded, String>>),
}

/// A level that is loading.
pub struct Loading {
    /// The current step, for the panel.
    pub progress: String,
    /// The scene that it belongs to.
    scene: Option<&'static Scene>,
    messages: Receiver<Message>,
    cancelled: Arc<AtomicBool>,
}

/// The payload that unwinds a cancelled loading thread.
struct Cancelled;

impl Drop for Loading {
    /// Cancels the thread at its next stage; the open level is untouched.
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Loading {
    /// Starts loading. `folder` is the texture folder of the settings; `kept` has the changes to apply if this is the open
    /// level again; `wake` is called when there is news.
    pub fn start(
        origin: Origin,
        settings: Settings,
        folder: String,
        kept: Option<KeptChanges>,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (sender, messages) = channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let asked = cancelled.clone();
        let progress = format!("Reading {}", origin.file_name());
        std::thread::spawn(move || {
            let say = |message| {
                // The receiver is gone if another level was requested meanwhile.
                let _ = sender.send(message);
                wake();
            };
            // A panic while loading must not take the open level with it.
            let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                open(&origin, settings, folder, kept, &sender, &wake, &asked)
            }));
            let opened = opened.unwrap_or_else(|payload| {
                let what = fault::words(&*payload);
                Err(format!("{origin}: internal error in Breach: {what}"))
            });
            say(Message::Done(Box::new(opened)));
        });
        Self {
            progress,
            scene: None,
            messages,
            cancelled,
        }
    }

    /// Starts loading a scene.
    pub fn of_scene(
        scene: &'static Scene,
        folder: String,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let origin = Origin::Builtin(scene.level());
        let mut loading = Self::start(origin, scene.settings(), folder, None, wake);
        loading.scene = Some(scene);
        loading
    }

    /// Takes in news; returns the level or why it was refused, once.
    pub fn poll(&mut self) -> Option<Result<Loaded, String>> {
        loop {
            match self.messages.try_recv() {
                Ok(Message::Progress(text)) => self.progress = text,
                Ok(Message::Done(result)) => {
                    let scene = self.scene;
                    return Some((*result).map(|loaded| Loaded { scene, ..loaded }));
                }
                Err(std::sync::mpsc::TryRecvError::Empty) => return None,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                    return Some(Err("loading cancelled".into()));
                }
            }
        }
    }
}

/// Unwinds if cancelled; the half-built level is dropped.
fn stop_if(cancelled: &AtomicBool) {
    if cancelled.load(Ordering::Relaxed) {
        std::panic::resume_unwind(Box::new(Cancelled));
    }
}

/// A marker that only checks for cancellation, for the level in a recording and its ticks.
struct Checked<'a>(&'a dyn Fn());

impl Marker for Checked<'_> {
    fn begin(&mut self, _: Stage) {
        (self.0)();
    }
    fn end(&mut self, _: Stage) {}
}

fn open(
    origin: &Origin,
    settings: Settings,
    folder: String,
    kept: Option<KeptChanges>,
    sender: &Sender<Message>,
    wake: &dyn Fn(),
    cancelled: &AtomicBool,
) -> Result<Loaded, String> {
    let started = std::time::Instant::now();
    let name = origin.file_name();
    // False once the receiver is gone.
    let say = |what: String| {
        wake();
        sender
            .send(Message::Progress(format!("{name}: {what}")))
            .is_ok()
    };
    let check = || stop_if(cancelled);
    say("reading".into());
    let bytes = origin.read().map_err(|why| format!("{origin}: {why}"))?;
    let contents = contents_hash(&bytes);
    let (mut shots, mut marks) = (VecDeque::new(), TimelineMarks::default());
    let is_recording = |path: &&Path| {
        let end = path.extension();
        end.is_some_and(|end| end.eq_ignore_ascii_case("breach"))
    };
    let played = if let Some(path) = origin.path().filter(is_recording) {
        say("reading the recording".into());
        let mut watch = |sim: &Sim, report: &StepReport, ticks: u64| {
            stop_if(cancelled);
            if shots.len() == SHOTS {
                shots.pop_front();
            }
            shots.extend(thumbnails::request(sim, report));
            marks.note_changes(sim.tick, report);
            if !sim.tick.is_multiple_of(64) {
                return true;
            }
            let part = sim.tick as f64 / ticks.max(1) as f64 * 100.0;
            say(format!("{part:.0} %, playing"))
        };
        journal::resume(path, &bytes, &mut Checked(&check), &mut watch)?
    } else {
        let read = |bytes: &[u8]| {
            level::read_map(bytes).map_err(|e| match e.line {
                0 => format!("{origin}: {}", e.text),
                _ => format!("{origin}:{e}"),
            })
        };
        let mut desc = read(&bytes)?;
        let mut bytes = bytes;
        if let Some(kept) = kept.as_ref().filter(|kept| kept.count > 0) {
            bytes = level::write_with(&desc, &kept.entities);
            desc = read(&bytes)?;
        }
        let mut tell = |what, percent| {
            say(format!("{percent} %, {what}"));
        };
        let mut stages = LoadProgress::new(LoadPlan::of(&desc.world), &mut tell, &check);
        let sim = Sim::new(desc, SEED, settings.clone(), &mut stages)
            .map_err(|e| format!("{origin}: {e}"))?;
        Played {
            timeline: Timeline::new(LevelSource::embed(&bytes), SEED, &settings, &sim),
            sim,
            warnings: Vec::new(),
        }
    };
    let Played {
        sim,
        timeline,
        warnings,
    } = played;
    let sizes = (0..sim.world.room_count())
        .map(|id| {
            let room = sim.world.room(id as u32);
            (room.face_count, room.triangle_count)
        })
        .collect();
    check();
    say("its textures".into());
    let textures = LevelTextures::find(
        &sim.world.materials,
        &sim.level.pictures,
        origin.path(),
        folder,
    );
    check();
    let report = report(&sim, &textures.textures);
    let ms = started.elapsed().as_secs_f64() * 1e3;
    Ok(Loaded {
        origin: origin.clone(),
        scene: None,
        contents,
        kept,
        sim: Box::new(sim),
        timeline,
        warnings,
        shots: shots.into(),
        marks,
        ms,
        sizes,
        report,
        textures,
    })
}

/// Statistics and warnings of a level.
pub fn report(sim: &Sim, textures: &Textures) -> LevelReport {
    let census = sim.world.census();
    let level = &sim.level;
    let count = |n: usize| n.to_string();
    let sealed = match sim.world.sealed {
        Some(true) => "sealed",
        Some(false) => "leaks",
        None => "no start",
    };
    let mut rows = vec![
        (
            "air",
            format!("{:.1} m³", census.air_volume_m3),
            "Volume of all air.",
        ),
        (
            "outside",
            sealed.into(),
            "Whether the air a player can reach is sealed off from the outside.",
        ),
        ("rooms", count(census.rooms), "Cells that contain air."),
        ("portals", count(census.portals), "Openings between rooms."),
        (
            "faces",
            count(census.faces),
            "Flat pieces of the boundary between solid and air.",
        ),
        (
            "triangles",
            count(census.triangles),
            "The triangles that faces are drawn with.",
        ),
        (
            "unmatched edges",
            count(census.unmatched_edges),
            "0 means watertight: every edge is matched by its opposite.",
        ),
        (
            "T-junctions",
            count(census.t_junctions),
            "Corners in the middle of another face's edge; should be 0.",
        ),
        (
            "portal mismatches",
            count(census.portal_mismatches),
            "Portals that do not match both their sides; should be 0.",
        ),
        (
            "pieces cut free",
            census.islands.to_string(),
            "Pieces that nothing holds any more.",
        ),
        ("entities", count(level.entities), "In the file."),
        ("brushes", count(level.brushes), "In the file."),
        (
            "skipped",
            count(level.skipped),
            "Brushes and patches that do not become solid.",
        ),
        ("lights", count(level.lights.len()), "Lights in the file."),
        (
            "starts",
            count(level.starts.len()),
            "Player starts in the file.",
        ),
        (
            "materials",
            count(sim.world.materials.len()),
            "Textures with their projections.",
        ),
        (
            "textures",
            textures.tally().words(),
            "How many textures of built surfaces have an image, in a WAD or a folder, and which WADs are missing.",
        ),
        (
            "changes",
            count(level.since.len()),
            "Carves and fills on top of the file.",
        ),
        (
            "hash",
            format!("{:016x}", sim.world.hash()),
            "Hash of the whole world: equal worlds have equal hashes.",
        ),
    ];
    let curves = level.curves;
    if curves.patches > 0 {
        rows.push((
            "patches",
            format!("{} of {} solid", curves.solid, curves.patches),
            "Curved surfaces and terrains in the file, and how many became solid.",
        ));
        rows.push((
            "curve solids",
            format!("{}, chord error {} units", curves.solids, curves.error),
            "Convex solids that patches became, and how far they lie off the curves at most.",
        ));
    }
    if !level.liquids.is_empty() {
        rows.push((
            "liquids",
            count(level.liquids.volumes.len()),
            "Brushes of water, slime or lava. A liquid stays where it is when its basin is broken open.",
        ));
    }
    let warnings = level.warnings.iter().map(|warning| LevelWarning {
        line: warning.line,
        text: warning.text.clone(),
    });
    LevelReport {
        rows,
        warnings: warnings.collect(),
    }
}

/// The last component of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::timing::Silent;

    fn load(path: &Path) -> Result<Loaded, String> {
        let mut loading = Loading::start(
            path.to_path_buf().into(),
            Settings::default(),
            String::new(),
            None,
            || {},
        );
        loop {
            if let Some(result) = loading.poll() {
                return result;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    #[test]
    fn what_cannot_be_opened_is_refused_with_its_name() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let noise = folder.path().join("noise.map");
        std::fs::write(&noise, b"{ \"classname").expect("write");
        for path in [
            folder.path().join("missing.map"),
            folder.path().to_path_buf(),
            noise,
        ] {
            let error = load(&path).err().expect("refused");
            assert!(error.starts_with(&path.display().to_string()), "{error}");
        }
    }

    #[test]
    fn what_nobody_wants_any_more_is_not_built() {
        let origin = builtin::start();
        let (sender, messages) = channel();
        let cancelled = AtomicBool::new(true);
        let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let folder = String::new();
            open(
                &origin,
                Settings::default(),
                folder,
                None,
                &sender,
                &|| {},
                &cancelled,
            )
        }));
        assert!(stopped.err().expect("unwinds").is::<Cancelled>());
        drop(sender);
        let told = messages.iter().count();
        // Not asked for, it is built, and tells more on the way.
        let (sender, messages) = channel();
        let cancelled = AtomicBool::new(false);
        let (settings, folder) = (Settings::default(), String::new());
        let opened = open(&origin, settings, folder, None, &sender, &|| {}, &cancelled)
            .expect("our own level");
        drop(sender);
        assert!(messages.iter().count() > told);
        assert!(
            opened
                .report
                .rows
                .iter()
                .any(|row| row.0 == "unmatched edges" && row.1 == "0")
        );
    }

    #[test]
    fn dropping_a_level_on_its_way_tells_its_thread() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/bunker.map");
        let loading = Loading::start(path.into(), Settings::default(), String::new(), None, || {});
        let flag = loading.cancelled.clone();
        assert!(!flag.load(Ordering::Relaxed));
        drop(loading);
        assert!(flag.load(Ordering::Relaxed));
    }

    #[test]
    fn a_file_of_another_kind_is_refused_by_name_and_place() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let map = include_bytes!("../../levels/bunker.map");
        let head = b"{\"breach\":2,\"level\":{\"text\":\"\"},\"seed\":1}\n";
        std::fs::create_dir(folder.path().join("folder.breach")).expect("made");
        for (name, bytes, why) in [
            ("level.breach", &map[..], ":1:"),
            ("later.breach", head, ":1:1: a recording of version 2"),
            (
                "recording.map",
                head,
                ": this is a recording of Breach, not a level",
            ),
            (
                "picture.map",
                b"\x89PNG\r\n\x1a\n",
                ": this is a picture, not a level",
            ),
            ("words.map", b"once upon a time", ":1:1: expected"),
            ("empty.breach", b"", ":1:1: the recording is empty"),
            ("folder.breach", b"", ": is a folder"),
        ] {
            let path = folder.path().join(name);
            if !path.is_dir() {
                std::fs::write(&path, bytes).expect("write");
            }
            let error = load(&path).err().expect("refused");
            let start = format!("{}{why}", path.display());
            assert!(error.starts_with(&start), "{error}");
        }
    }

    #[test]
    fn a_recording_opens_at_its_end_with_every_tick_and_change_in_reach() {
        use crate::sim::{Action, Command};
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("x.breach");
        let map = include_bytes!("../../levels/bunker.map");
        let settings = Settings::default();
        let desc = level::read_map(map).expect("a level");
        let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        let mut timeline = Timeline::new(LevelSource::embed(map), 1, &settings, &sim);
        let mut hashes = vec![sim.state_hash()];
        for tick in 0..130 {
            let actions = match tick {
                3 | 40 | 70 => vec![Action::Fire],
                120 => vec![Action::Undo],
                _ => Vec::new(),
            };
            let command = Command {
                actions,
                yaw: 0.01 * tick as f64,
                ..Command::default()
            };
            sim.step(&command, &mut Silent);
            timeline.stepped(&command, &sim);
            hashes.push(sim.state_hash());
        }
        let mut bytes = Vec::new();
        timeline
            .recording()
            .write(&mut bytes)
            .expect("a Vec takes all");
        std::fs::write(&path, bytes).expect("write");
        let mut loaded = load(&path).expect("it opens");
        assert_eq!(loaded.warnings, [""; 0]);
        assert_eq!(
            (loaded.sim.tick, loaded.sim.state_hash()),
            (130, hashes[130])
        );
        let numbers = |sim: &Sim| -> Vec<(u64, bool)> {
            let changes = sim.history.changes(&sim.level.since);
            changes.iter().map(|c| (c.number, c.is_undone)).collect()
        };
        assert_eq!(numbers(&loaded.sim), numbers(&sim));
        assert_eq!(numbers(&sim), [(1, false), (2, false), (3, true)]);
        let drawn: Vec<u64> = loaded.shots.iter().map(ThumbnailRequest::change).collect();
        assert_eq!(drawn, [1, 2, 3]);
        loaded.timeline.seek(&mut loaded.sim, 77, &mut Silent);
        assert_eq!(loaded.sim.state_hash(), hashes[77]);
    }
}
