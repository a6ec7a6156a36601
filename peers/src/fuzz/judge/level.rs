//! Levels: opened, turned, shot at, changed and changed back.
use super::super::carving::{Watch, hanging};
use super::super::map::{Map, Task};
use super::super::turned::turn;
use super::{Fault, fault, on_threads, sound, volume};
use breach::bvh::BuildParams;
use breach::carve::{BrushDesc, Op};
use breach::geom::rng::Rng;
use breach::level::{CoarseFace, LevelDesc, read_map, write_map};
use breach::sim::{Action, Command, Settings, Sim, soak_command};
use breach::timing::Silent;
use breach::world::{CarveReport, Island, Operation, WorkBudget, World, WorldDesc};

/// Cubic metres by which sums may differ, for each cubic metre of air and one more: the rounding of drawn positions.
const OFF: f64 = 1e-9;
/// A grid step, metres.
const STEP: f64 = 1.0 / 16384.0;
/// Units of a level in a metre.
const UNITS: f64 = 32.0;
/// Grid points that are watched in play.
const POINTS: usize = 500;
/// Units of a slice of a carve.
const SLICE: u64 = 5_000;

/// Judges a `.map`.
pub fn judge(bytes: &[u8]) -> Result<(), Fault> {
    let map = Map::read(bytes);
    let task = map.task();
    match task.what.as_str() {
        "turned" => turned(&map, &task),
        "soak" => soak(bytes, &task),
        what => plain(bytes, what == "made"),
    }
}

/// The level as a world; None where it is refused.
fn opened(bytes: &[u8]) -> Result<Option<(LevelDesc, World)>, String> {
    let level = match read_map(bytes) {
        Ok(level) => level,
        Err(error) if error.text.is_empty() || (error.line > 0) != (error.column > 0) => {
            return Err(format!("refused without a place or a word: {error:?}"));
        }
        Err(_) => return Ok(None),
    };
    let world = World::build(&level.world, &BuildParams::default(), &mut Silent);
    Ok(world.ok().map(|world| (level, world)))
}

/// Any level: `must_open` where it is known to be good.
fn plain(bytes: &[u8], must_open: bool) -> Result<(), Fault> {
    let found = opened(bytes).or_else(|text| fault("refusal", text))?;
    let Some((level, world)) = found else {
        return match must_open {
            true => fault("refusal", "a good level is refused"),
            false => Ok(()),
        };
    };
    sound(&world, "as opened")?;
    saved(&level, &world)?;
    let again = on_threads(|| World::build(&level.world, &BuildParams::default(), &mut Silent));
    if again.map(|world| world.hash()) != Ok(world.hash()) {
        return fault("threads", "another hash on another count of threads");
    }
    played(&level, &world)
}

/// Saved and loaded it is the same.
pub(super) fn saved(level: &LevelDesc, world: &World) -> Result<(), Fault> {
    let text = write_map(level);
    let again = match read_map(&text) {
        Ok(level) => World::build(&level.world, &BuildParams::default(), &mut Silent),
        Err(error) => return fault("save", format!("the save is refused: {error}")),
    };
    match again {
        Ok(again) if again.hash() == world.hash() => Ok(()),
        Ok(again) => fault(
            "save",
            format!(
                "the save loads as {:016x}, not {:016x}",
                again.hash(),
                world.hash()
            ),
        ),
        Err(error) => fault("save", format!("the save cannot be built: {error}")),
    }
}

/// Every operation of the file as in play, and back again.
fn played(level: &LevelDesc, loaded: &World) -> Result<(), Fault> {
    let mut desc: WorldDesc = (*level.world).clone();
    let operations = std::mem::take(&mut desc.later);
    let build = || World::build(&desc, &BuildParams::default(), &mut Silent);
    let Ok(mut world) = build() else {
        return fault(
            "play",
            "without its later operations the level cannot be built",
        );
    };
    if operations.is_empty() {
        return Sums::new(&desc, &world).compare(&world, "as opened");
    }
    let mut watch = Watch::new(&world, &mut Rng::new(1), POINTS);
    let mut sums = Sums::new(&desc, &world);
    let mut past = vec![world.hash()];
    let mut deltas = Vec::new();
    for (k, operation) in operations.iter().enumerate() {
        let when = format!("after operation {} of {}", k + 1, operations.len());
        let asked = world.preview(operation);
        let before = world.census().air_volume_m3;
        let report = match world.apply(operation, &mut Silent) {
            Ok(report) => report,
            Err(error) => {
                if world.hash() != past[past.len() - 1] || asked.is_ok() {
                    return fault(
                        "refusal",
                        format!("{when}: refused ({error}), and something changed"),
                    );
                }
                continue;
            }
        };
        sound(&world, &when)?;
        if !report.watertight {
            return fault("watertight", format!("{when}: the report says so"));
        }
        reported(&world, before, &report, &when)?;
        match asked {
            Ok(asked) if (asked.volume_m3 - report.volume_m3).abs() <= 1e-8 => {}
            asked => {
                let asked = asked.map(|preview| preview.volume_m3);
                return fault(
                    "preview",
                    format!("{when}: {asked:?}, done {}", report.volume_m3),
                );
            }
        }
        watch.note(operation, &report);
        if let Some((place, is_air)) = watch.faults(&world).first() {
            let should = if *is_air { "air" } else { "solid" };
            return fault("points", format!("{when}: {place} should be {should}"));
        }
        sums.note(operation, &report);
        sums.compare(&world, &when)?;
        past.push(world.hash());
        deltas.push(report.delta);
    }
    if world.hash() != loaded.hash() {
        return fault(
            "play",
            "played one by one the operations give another hash than loaded",
        );
    }
    let sliced = on_threads(|| build().map(|world| in_slices(world, &operations)));
    if sliced != Ok(world.hash()) {
        return fault(
            "slices",
            "in slices and on more threads the operations give another hash than at once",
        );
    }
    while let Some(delta) = deltas.pop() {
        world.revert(delta, &mut Silent);
        past.pop();
        if Some(&world.hash()) != past.last() {
            return fault(
                "undo",
                format!("operation {} taken back is not as before", past.len()),
            );
        }
    }
    sound(&world, "after undo")
}

/// What the report says, against the world's own air.
fn reported(world: &World, before: f64, report: &CarveReport, when: &str) -> Result<(), Fault> {
    let air = world.census().air_volume_m3;
    let fell: f64 = report.islands.iter().map(|island| island.volume_m3).sum();
    let gained = report.volume_m3 + fell;
    if (air - before - gained).abs() > OFF * (1.0 + air) {
        let text = format!(
            "{when}: the air grew by {}, reported {gained}",
            air - before
        );
        return fault("volume", text);
    }
    for island in &report.islands {
        let own = mesh_volume(island);
        if (own - island.volume_m3).abs() > OFF * (1.0 + own) {
            let text = format!(
                "{when}: a piece of {own} m³ is said to have {}",
                island.volume_m3
            );
            return fault("volume", text);
        }
    }
    Ok(())
}

/// Cubic metres that the faces of a piece enclose.
fn mesh_volume(island: &Island) -> f64 {
    let mesh = &island.mesh;
    let cone = |corners: [u32; 3]| {
        let [a, b, c] = corners.map(|i| mesh.positions[i as usize] - island.centre);
        a.dot(b.cross(c)) / 6.0
    };
    mesh.triangles.iter().map(|t| cone(t.corners)).sum()
}

/// The hash after all of them, each done a little at a time.
fn in_slices(mut world: World, operations: &[Operation]) -> u64 {
    for operation in operations {
        if world.begin(operation).is_err() {
            continue;
        }
        while world
            .advance(&mut WorkBudget::new(SLICE), &mut Silent)
            .is_none()
        {}
    }
    world.hash()
}

/// The air by the brushes alone, for as long as that can be told.
struct Sums<'a> {
    desc: &'a WorldDesc,
    /// Every brush so far.
    brushes: Vec<(Op, BrushDesc)>,
    fallen: Vec<Island>,
    /// The outside does not matter, and nothing fell that a later brush met.
    is_known: bool,
    only_carves: bool,
}

impl<'a> Sums<'a> {
    fn new(desc: &'a WorldDesc, world: &World) -> Self {
        let solids = desc.solids.iter().map(|brush| (Op::Fill, brush.clone()));
        let base = desc.base.iter().flat_map(|operation| {
            let brushes = operation.brushes.iter();
            brushes.map(|brush| (operation.op, brush.clone()))
        });
        let census = world.census();
        // Air that no player reaches becomes rock; what is unbreakable stays.
        let is_plain = desc.start_solid || desc.starts.is_empty();
        let breaks = desc
            .materials
            .iter()
            .all(|material| material.hardness.is_finite());
        let only_carves = desc.start_solid && desc.solids.is_empty() && breaks;
        Self {
            desc,
            brushes: solids.chain(base).collect(),
            fallen: Vec::new(),
            is_known: is_plain && breaks && census.islands == 0,
            only_carves: only_carves && desc.base.iter().all(|o| o.op == Op::Carve),
        }
    }

    fn note(&mut self, operation: &Operation, report: &CarveReport) {
        self.only_carves &= operation.op == Op::Carve;
        for brush in &operation.brushes {
            // A piece that fell is air; a brush that meets its place is told from it no more.
            let meets = |island: &Island| {
                let corners = brush.sides.iter().flat_map(|side| side.points);
                let corners = corners.map(|p| p.as_dvec3() / 16384.0);
                let [lo, hi] = corners
                    .fold([island.bounds.max, island.bounds.min], |[lo, hi], p| {
                        [lo.min(p), hi.max(p)]
                    });
                lo.cmple(island.bounds.max).all() && hi.cmpge(island.bounds.min).all()
            };
            self.is_known &= !self.fallen.iter().any(meets);
            self.brushes.push((operation.op, brush.clone()));
        }
        self.fallen.extend(report.islands.iter().cloned());
    }

    fn compare(&self, world: &World, when: &str) -> Result<(), Fault> {
        if self.only_carves {
            let left = hanging(world);
            if !left.is_empty() {
                return fault(
                    "hanging",
                    format!("{when}: pieces hang on nothing: {left:?} m³"),
                );
            }
        }
        if !self.is_known {
            return Ok(());
        }
        let list: Vec<(Op, &BrushDesc)> = self
            .brushes
            .iter()
            .map(|(op, brush)| (*op, brush))
            .collect();
        let Some([sum, off]) = volume::air(self.desc.bounds, self.desc.start_solid, &list) else {
            return Ok(());
        };
        let expected = sum + self.fallen.iter().map(mesh_volume).sum::<f64>();
        let air = world.census().air_volume_m3;
        match (air - expected).abs() <= OFF * (1.0 + expected.abs()) + off {
            true => Ok(()),
            false => fault(
                "sum",
                format!("{when}: {air} m³ of air, {expected} by the brushes' planes"),
            ),
        }
    }
}

/// A level beside the same level turned.
fn turned(map: &Map, task: &Task) -> Result<(), Fault> {
    let mut plain = map.clone();
    plain.head.clear();
    let Ok(Some((level, world))) = opened(&plain.bytes()) else {
        return Ok(());
    };
    // What leaks or is open as it stands says nothing about turning.
    if world.sealed != Some(true) || sound(&world, "").is_err() {
        return Ok(());
    }
    let text = turn(map, task).bytes();
    let (written, other) = match opened(&text) {
        Ok(Some(found)) => found,
        Ok(None) if is_beyond(&world, task.get("scale")) => return Ok(()),
        _ => return fault("refusal", "turned it is refused"),
    };
    sound(&other, "turned")?;
    let coarse = written.coarsest.map_or(0.0, |c| c.units);
    if other.sealed != Some(true) {
        // So few decimals say no more where the planes lie.
        if coarse > CoarseFace::NOISE {
            return Ok(());
        }
        return fault(
            "leak",
            format!("turned it leaks: {} m³", other.census().air_volume_m3),
        );
    }
    // Solid starts and blasts are not turned with the rest.
    if level.world.start_solid || !level.blasts.is_empty() {
        return Ok(());
    }
    let expected = world.census().air_volume_m3 * task.get("scale").powi(3);
    let air = other.census().air_volume_m3;
    let most = area(&other) * (2.0 * STEP).max(coarse / UNITS);
    match (air - expected).abs() <= most {
        true => Ok(()),
        false => fault(
            "air",
            format!("turned it has {air} m³, not {expected} within {most}"),
        ),
    }
}

fn is_beyond(world: &World, scale: f64) -> bool {
    let bounds = world.bounds();
    bounds.min.abs().max(bounds.max.abs()).length() * scale > 1000.0
}

/// Square metres of all faces.
fn area(world: &World) -> f64 {
    let rooms = (0..world.room_count() as u32).map(|room| world.room(room));
    let areas = rooms.flat_map(|room| {
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        live.map(|t| {
            let [a, b, c] = t.corners.map(|i| room.mesh.positions[i as usize]);
            (b - a).cross(c - a).length() / 2.0
        })
    });
    areas.sum()
}

/// Rockets, and all of them taken back.
fn soak(bytes: &[u8], task: &Task) -> Result<(), Fault> {
    let Ok(level) = read_map(bytes) else {
        return Ok(());
    };
    let settings = Settings {
        blast_radius: task.get("radius"),
        ..Settings::default()
    };
    let seed = task.get("seed") as u64;
    let Ok(mut sim) = Sim::new(level, seed, settings, &mut Silent) else {
        return Ok(());
    };
    if sound(&sim.world, "").is_err() {
        return Ok(());
    }
    let first = sim.world.hash();
    let mut rng = Rng::new(seed);
    let rockets = task.get("rockets") as u64;
    for rocket in 1..=rockets {
        let command = soak_command(&sim, &mut rng);
        let mut carves = sim.step(&command, &mut Silent).carves;
        while sim.carving().is_some() {
            let idle = sim.idle();
            carves.extend(sim.step(&idle, &mut Silent).carves);
        }
        let is_open =
            |event: &breach::sim::CarveEvent| event.result.as_ref().is_ok_and(|r| !r.watertight);
        if carves.iter().any(is_open) {
            return fault("watertight", format!("rocket {rocket} left it open"));
        }
        if sim.escaped() > 0 {
            return fault(
                "escaped",
                format!("after rocket {rocket}: {} bodies in rock", sim.escaped()),
            );
        }
    }
    let idle = sim.idle();
    for tick in 0..task.get("ticks") as u64 {
        sim.step(&idle, &mut Silent);
        if sim.escaped() > 0 {
            return fault(
                "escaped",
                format!("{tick} ticks after: {} bodies in rock", sim.escaped()),
            );
        }
    }
    sound(&sim.world, &format!("after {rockets} rockets"))?;
    saved(&sim.level, &sim.world)?;
    undone(&mut sim, first)
}

/// Everything taken back that can be.
pub(super) fn undone(sim: &mut Sim, first: u64) -> Result<(), Fault> {
    // A fuse may still end, and a hole be under way.
    let idle = sim.idle();
    for _ in 0..2000 {
        let is_quiet = sim.carving().is_none() && sim.grenades.is_empty() && sim.rockets.is_empty();
        if is_quiet {
            break;
        }
        sim.step(&idle, &mut Silent);
    }
    let steps = sim.history.undo_steps();
    let command = Command {
        actions: vec![Action::Undo; steps],
        ..sim.idle()
    };
    sim.step(&command, &mut Silent);
    if sim.history.undo_steps() > 0 || sim.world.hash() != first {
        return fault(
            "undo",
            format!("{steps} changes taken back are not the first state"),
        );
    }
    if sim.escaped() > 0 {
        return fault(
            "escaped",
            format!("after undo: {} bodies in rock", sim.escaped()),
        );
    }
    sound(&sim.world, "after undo")
}
