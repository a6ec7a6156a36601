//! The whole tick on small levels written as `.map` text.
use super::player::STANDING;
use super::*;
use crate::bvh::{Mesh, QueryStats, Triangle};
use crate::debris::clearance::nearest_surface;
use crate::geom::rng::Rng;
use crate::level::read_map;
use crate::timing::Silent;
use crate::world::Island;
use brush::brush;
use glam::DVec3;

mod bodily;
mod break_up;
#[path = "../../../tests/brush/mod.rs"]
mod brush;
mod carves;
mod hanging;
mod kept;
mod limits;
mod loads;
mod replays;
mod rules;
mod seeks;
mod shots;
mod slices;
mod soak;
mod strength;
mod undo;
mod walking;

/// A box in `.map` units, lowest and highest corner, Z up.
pub(crate) type Block = [[i32; 3]; 2];

/// A hall 40 m long, 16 m wide and 8 m high inside walls 2 m thick, floor at z = 0, with these blocks in it.
/// The player starts at the western end of the middle, looking east (+X).
pub(crate) fn hall(blocks: &[Block]) -> String {
    let walls: [Block; 6] = [
        [[-64, -320, -64], [1344, 320, 0]],
        [[-64, -320, 256], [1344, 320, 320]],
        [[-64, -320, 0], [0, 320, 256]],
        [[1280, -320, 0], [1344, 320, 256]],
        [[0, -320, 0], [1280, -256, 256]],
        [[0, 256, 0], [1280, 320, 256]],
    ];
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for corners in walls.iter().chain(blocks) {
        let [low, high] = corners.map(|corner| corner.map(f64::from));
        text += &brush(low, high, "brick");
    }
    text + "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 0 24\"\n\"angle\" \"0\"\n}\n"
}

/// A wall 1 m thick across the hall, from 19 m to 20 m, with a doorway 2 m wide and 3 m high in its middle.
pub(crate) const DOORWAY: [Block; 3] = [
    [[608, -256, 0], [640, -32, 256]],
    [[608, 32, 0], [640, 256, 256]],
    [[608, -32, 96], [640, 32, 256]],
];
/// A door that fills it, 0.75 m thick.
pub(crate) const DOOR: Block = [[612, -32, 0], [636, 32, 96]];

/// An entity of one block, with these lines of keys.
pub(crate) fn brush_entity(class: &str, keys: &str, corners: Block) -> String {
    let [low, high] = corners.map(|corner| corner.map(f64::from));
    let block = brush(low, high, "brick");
    format!("{{\n\"classname\" \"{class}\"\n{keys}\n{block}}}\n")
}

/// The player comes near the door, which sets out.
pub(crate) fn set_out(sim: &mut Sim) {
    act(sim, vec![Action::Teleport([18.0, 1.5, 0.0])]);
    for _ in 0..60 {
        if sim.movers.kinematics().iter().any(|door| door.is_moving()) {
            return;
        }
        act(sim, vec![]);
    }
    panic!("the door stays shut");
}

/// A block of these edges, metres, about the origin, as a piece of one material that was cut free.
fn block_of(edges: DVec3, material: u32) -> Option<Island> {
    let corner = |i: u32| {
        let pick = |k: u32| f64::from(i >> k & 1) - 0.5;
        DVec3::new(pick(0), pick(1), pick(2)) * edges
    };
    let quads = [
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangle = |corners| Triangle {
        corners,
        face: 0,
        key: 0,
    };
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [triangle([a, b, c]), triangle([a, c, d])]);
    let mesh = Mesh {
        positions: (0..8).map(corner).collect(),
        triangles: triangles.collect(),
    };
    Island::from_mesh(mesh, vec![material])
}

fn open(map: &str) -> Sim {
    let level = read_map(map.as_bytes()).expect("a sound level");
    Sim::new(level, 1, Settings::default(), &mut Silent).expect("a sound world")
}

/// Steps `ticks` times; after each the player and all bodies are where they may be.
fn run(sim: &mut Sim, ticks: u32, command: &Command) -> Vec<DVec3> {
    (0..ticks)
        .map(|_| {
            sim.step(command, &mut Silent);
            assert!(
                sim.player.no_clip || sim.eye_room.is_some(),
                "eye in rock at {}",
                sim.player.eye
            );
            assert!(sim.player.eye.is_finite() && sim.player.velocity.is_finite());
            let lost = sim
                .bodies
                .iter()
                .find(|body| sim.world.locate(body.position).is_none());
            assert!(lost.is_none(), "tick {}: {lost:?}", sim.tick);
            assert!(
                sim.bodies.iter().all(|b| b.position.is_finite()
                    && b.rotation.is_finite()
                    && b.spin.is_finite())
            );
            if sim.player.walking {
                let shape = player::body(&sim.player).0;
                for height in shape.heights {
                    let centre = sim.player.feet + DVec3::Y * *height;
                    let near = nearest_surface(&sim.world, centre, 1.0, &mut QueryStats::default());
                    let gap = near.map_or(1.0, |near| near.distance) - shape.radius;
                    assert!(
                        gap > -1e-6,
                        "the body is {gap} m deep in a wall at {}",
                        sim.player.feet
                    );
                }
            }
            sim.player.eye
        })
        .collect()
}

/// Looking east, walking forward.
fn east(sim: &Sim) -> Command {
    Command {
        walk: [0.0, 0.0, 1.0],
        ..sim.idle()
    }
}

/// One tick with these actions.
fn act(sim: &mut Sim, actions: Vec<Action>) -> StepReport {
    let command = Command {
        actions,
        ..sim.idle()
    };
    sim.step(&command, &mut Silent)
}

/// Plays commands; clones of every so many ticks play some of them again and come to the same states. Returns the carves.
fn check_clones(
    sim: &mut Sim,
    commands: &[Command],
    every: usize,
    ticks: usize,
) -> Vec<CarveEvent> {
    let (mut clones, mut hashes, mut carves) = (Vec::new(), Vec::new(), Vec::new());
    for (tick, command) in commands.iter().enumerate() {
        if tick % every == every / 2 {
            clones.push(sim.clone());
        }
        carves.extend(sim.step(command, &mut Silent).carves);
        hashes.push(sim.state_hash());
    }
    for mut clone in clones {
        let first = clone.tick as usize;
        for tick in first..(first + ticks).min(commands.len()) {
            clone.step(&commands[tick], &mut Silent);
            let hash = clone.state_hash();
            assert_eq!(hash, hashes[tick], "from {first}, tick {tick}");
        }
    }
    carves
}
