//! Portals decide what is drawn: pictures with and without them are the same, pixel for pixel, from seeded places in
//! levels that were shot to pieces. Drawn offscreen; software Vulkan will do.
#![cfg(feature = "render")]
use breach::bvh::QueryStats;
use breach::geom::rng::Rng;
use breach::render::{OffscreenRenderer, png};
use breach::sim::{Action, Settings, Sim, soak_command};
use breach::timing::Silent;
use breach::view::{Camera, Overlays, all_rooms, snapshot};
use glam::DVec3;
use std::path::{Path, PathBuf};

const SIZE: [u32; 2] = [160, 90];
const ROCKETS: usize = 300;
/// Two pixels that differ by no more are one: the same triangle may be drawn into another place of the list.
const TOLERANCE: u8 = 2;

fn own_level(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(format!("{name}.map"))
}

fn shot_to_pieces(level: &Path, rockets: usize) -> Sim {
    let bytes = std::fs::read(level).unwrap_or_else(|e| panic!("{}: {e}", level.display()));
    let desc = breach::level::read_map(&bytes).expect("a level that opens");
    let mut sim = Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a world");
    let mut rng = Rng::new(5);
    for _ in 0..rockets {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        sim.forget_history();
    }
    sim
}

/// No camera stands nearer to a face, metres. What is nearer than the near distance is not drawn, and what rock in
/// front of the eye hides is then seen by one picture and by the other not; 0.047 m is as far as a corner of the near
/// rectangle gets.
const FROM_FACES_M: f64 = 0.05;

/// Whether a camera may stand here.
fn is_clear(sim: &Sim, eye: DVec3) -> bool {
    let mut clear = sim.world.locate(eye).is_some();
    let mut stats = QueryStats::default();
    sim.world
        .each_touch(eye, FROM_FACES_M, &mut stats, &mut |_| clear = false);
    clear
}

/// A camera in the air that looks anywhere; every fourth stands in a portal or a hair beside it.
fn camera(sim: &Sim, rng: &mut Rng) -> Camera {
    let mut between = |low: f64, high: f64| rng.range(low, high);
    let bounds = sim.world.bounds();
    let portals: Vec<_> = sim
        .world
        .portals()
        .iter()
        .filter(|portal| portal.area_m2 > 0.0)
        .collect();
    let near_portal = between(0.0, 1.0) < 0.25 && !portals.is_empty();
    let mut eye = bounds.min;
    for _ in 0..10_000 {
        eye = if near_portal {
            let portal = portals[between(0.0, portals.len() as f64) as usize % portals.len()];
            let corners = &portal.loops[0];
            let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
            let mut off = DVec3::ZERO;
            off[portal.axis] = [0.0, 1e-9, -1e-9, 0.015, -0.05][between(0.0, 5.0) as usize % 5];
            middle + off
        } else {
            DVec3::new(
                between(bounds.min.x, bounds.max.x),
                between(bounds.min.y, bounds.max.y),
                between(bounds.min.z, bounds.max.z),
            )
        };
        if is_clear(sim, eye) {
            break;
        }
    }
    Camera {
        eye,
        yaw: between(0.0, 6.3),
        pitch: between(-1.4, 1.4),
        fov_y: between(0.6, 1.6),
        aspect: f64::from(SIZE[0]) / f64::from(SIZE[1]),
    }
}

/// [`compare_at`] in a level that was shot to pieces.
fn compare(level: &Path, rockets: usize, cameras: usize, lit_of: usize) -> (usize, usize) {
    let sim = shot_to_pieces(level, rockets);
    compare_at(&sim, level, cameras, lit_of)
}

/// Rooms drawn, of all, over all cameras. One camera of so many sees by lamps and the sun, the others by what comes from
/// everywhere: shadow maps are most of the time where the processor draws.
fn compare_at(sim: &Sim, level: &Path, cameras: usize, lit_of: usize) -> (usize, usize) {
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let mut rng = Rng::new(11);
    let (mut drawn, mut all) = (0, 0);
    for number in 0..cameras {
        let camera = camera(sim, &mut rng);
        let mut culled = snapshot(sim, camera, Overlays::default(), 1.0);
        if number % lit_of != 0 {
            culled.lights.clear();
            culled.sun = None;
        }
        let mut whole = culled.clone();
        whole.rooms = all_rooms(sim);
        // They are among all rooms. Twice in a list they would have every shadow map drawn again, which is most of the
        // time: so a map is drawn again only where the culled picture would have left out one of its rooms.
        whole.around.clear();
        drawn += culled.rooms.len();
        all += whole.rooms.len();
        let mut draw = |snapshot| {
            studio
                .picture(snapshot)
                .unwrap_or_else(|error| panic!("{error}"))
        };
        let (seen, wanted) = (draw(&culled), draw(&whole));
        let differ = seen
            .chunks(4)
            .zip(wanted.chunks(4))
            .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > TOLERANCE))
            .count();
        if differ > 0 {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            for (name, pixels) in [("culled", &seen), ("whole", &wanted)] {
                let bytes = png(pixels, SIZE).expect("a picture");
                std::fs::write(folder.join(format!("visibility_{name}.png")), bytes)
                    .expect("a file");
            }
            panic!(
                "{}: camera {number} misses something in {differ} pixels, see visibility_*.png in {}: {camera:?}",
                level.display(),
                folder.display()
            );
        }
    }
    (drawn, all)
}

#[test]
fn nothing_visible_is_missing_in_the_bunker_after_300_rockets() {
    let (drawn, all) = compare(&own_level("bunker"), ROCKETS, 20, 1);
    assert!(
        drawn * 2 < all,
        "portals leave out too little: {drawn} of {all}"
    );
}

#[test]
fn nothing_visible_is_missing_in_the_tower_after_300_rockets() {
    let (drawn, all) = compare(&own_level("tower"), ROCKETS, 20, 1);
    assert!(drawn < all, "portals leave nothing out: {drawn} of {all}");
}

/// The example with a double door: shut, as it opens, open, shut again, shot through, and mended.
#[test]
fn nothing_visible_is_missing_while_a_door_opens_shuts_and_is_shot() {
    let level = own_level("scenes/lifts");
    let mut sim = shot_to_pieces(&level, 0);
    let stand = |sim: &mut Sim, x: f64, ticks: u32, mut first: Vec<Action>| {
        first.extend([Action::Teleport([x, 1.5, 0.0]), Action::Walk(true)]);
        for _ in 0..ticks {
            let command = breach::sim::Command {
                actions: std::mem::take(&mut first),
                ..sim.idle()
            };
            sim.step(&command, &mut Silent);
        }
    };
    let shot = Action::FireAlong {
        from: [16.0, 2.0, 1.0],
        dir: [1.0, 0.0, 0.0],
    };
    let drawn = [
        (4.0, 2, Vec::new()),
        (19.0, 20, Vec::new()),
        (19.0, 60, Vec::new()),
        (4.0, 400, Vec::new()),
        (4.0, 10, vec![shot]),
        (4.0, 2, vec![Action::Undo]),
    ]
    .map(|(x, ticks, first)| {
        stand(&mut sim, x, ticks, first);
        compare_at(&sim, &level, 12, 4).0
    });
    let [shut, opening, open, shut_again, shot, mended] = drawn;
    assert!(shut < opening && shut < open && shut < shot, "{drawn:?}");
    assert!(shut == shut_again && shut == mended, "{drawn:?}");
}

/// What the player sees of the door of the example, from a fixed place.
fn door_picture(sim: &Sim, studio: &mut OffscreenRenderer) -> Vec<u8> {
    let camera = Camera {
        eye: DVec3::new(15.0, 2.0, 0.0),
        yaw: -std::f64::consts::FRAC_PI_2,
        pitch: 0.0,
        fov_y: 0.9,
        aspect: f64::from(SIZE[0]) / f64::from(SIZE[1]),
    };
    let mut seen = snapshot(sim, camera, Overlays::default(), 1.0);
    seen.exposure = 1.0;
    seen.bodies.clear();
    seen.sprites.clear();
    let picture = studio.picture(&seen);
    picture.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_door_is_seen_shut_open_and_with_a_hole_and_looks_mended_after_an_undo() {
    let level = own_level("scenes/lifts");
    let mut sim = shot_to_pieces(&level, 0);
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let step = |sim: &mut Sim, actions: Vec<Action>, ticks: u32| {
        let mut actions = actions;
        for _ in 0..ticks {
            let command = breach::sim::Command {
                actions: std::mem::take(&mut actions),
                ..sim.idle()
            };
            sim.step(&command, &mut Silent);
        }
    };
    let apart = |a: &[u8], b: &[u8]| {
        let pixels = a.chunks(4).zip(b.chunks(4));
        let differ = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 24));
        differ.count()
    };
    step(&mut sim, Vec::new(), 1);
    let shut = door_picture(&sim, &mut studio);
    let small = Settings {
        blast_radius: 0.4,
        ..Settings::default()
    };
    let shot = Action::FireAlong {
        from: [16.0, 2.0, 1.0],
        dir: [1.0, 0.0, 0.0],
    };
    step(&mut sim, vec![Action::Set(Box::new(small)), shot], 3);
    // The soot, the smoke and the light of the blast go.
    step(&mut sim, Vec::new(), 200);
    let holed = door_picture(&sim, &mut studio);
    step(&mut sim, vec![Action::Undo], 3);
    let mended = door_picture(&sim, &mut studio);
    step(
        &mut sim,
        vec![Action::Teleport([19.0, 1.5, 0.0]), Action::Walk(true)],
        80,
    );
    let open = door_picture(&sim, &mut studio);
    let [hole, door] = [apart(&shut, &holed), apart(&shut, &open)];
    assert!((30..1500).contains(&hole), "{hole} pixels");
    assert!(door > 2 * hole, "{door} pixels");
    assert!(
        apart(&shut, &mended) < 5,
        "{} pixels",
        apart(&shut, &mended)
    );
}

/// Light that falls on the floor of the dark one of two rooms, mean of 255, with the explosion's smoke gone.
fn floor_light(sim: &mut Sim, studio: &mut OffscreenRenderer) -> f64 {
    let idle = sim.idle();
    (0..130).for_each(|_| drop(sim.step(&idle, &mut Silent)));
    let camera = Camera {
        eye: DVec3::new(8.5, 4.5, -7.0),
        yaw: 0.0,
        pitch: -1.4,
        fov_y: 1.0,
        aspect: f64::from(SIZE[0]) / f64::from(SIZE[1]),
    };
    let mut seen = snapshot(sim, camera, Overlays::default(), 1.0);
    // As bright as it is, not as bright as the eye takes it.
    seen.exposure = 1.0;
    seen.bodies.clear();
    let pixels = studio
        .picture(&seen)
        .unwrap_or_else(|error| panic!("{error}"));
    let red = pixels.chunks(4).map(|pixel| f64::from(pixel[0]));
    red.sum::<f64>() / f64::from(SIZE[0] * SIZE[1])
}

#[test]
fn a_hole_lets_light_into_the_next_room() {
    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots/two-rooms.map");
    let mut sim = shot_to_pieces(&level, 0);
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let before = floor_light(&mut sim, &mut studio);
    let mut command = sim.idle();
    let (from, target) = (DVec3::new(8.0, 3.0, -5.3), DVec3::new(12.0, 3.0, -5.3));
    command.actions.push(Action::FireAlong {
        from: from.to_array(),
        dir: (target - from).normalize().to_array(),
    });
    sim.step(&command, &mut Silent);
    let after = floor_light(&mut sim, &mut studio);
    assert!(
        after > before * 1.1,
        "{before} before the hole, {after} after"
    );
}

/// Of the many places of a level.
const LIT_OF: usize = 10;

/// All levels at hand, from 500 places each: `cargo test --release --test visibility -- --ignored --nocapture`.
/// `BREACH_CAMERAS` sets another number; `BREACH_LEVEL` keeps to levels with that in their names.
#[test]
#[ignore = "takes minutes; run it in release"]
fn nothing_visible_is_missing_in_any_level() {
    let cameras = std::env::var("BREACH_CAMERAS").ok();
    let cameras = cameras.and_then(|n| n.parse().ok()).unwrap_or(500);
    let named = std::env::var("BREACH_LEVEL").unwrap_or_default();
    let mut compared = 0;
    for folder in ["levels", "../shared/levels"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let Ok(files) = std::fs::read_dir(&folder) else {
            println!("NOT RUN: {} is absent", folder.display());
            continue;
        };
        let mut levels: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        levels.retain(|path| path.extension().is_some_and(|end| end == "map"));
        levels.retain(|path| {
            path.file_stem()
                .is_some_and(|name| name.to_string_lossy().contains(&named))
        });
        levels.sort();
        for level in levels {
            compared += 1;
            let (drawn, all) = compare(&level, ROCKETS, cameras, LIT_OF);
            let part = 100.0 * drawn as f64 / all.max(1) as f64;
            println!(
                "{}: {cameras} places, {part:.1} % of the rooms drawn",
                level.display()
            );
        }
    }
    assert!(compared > 0, "no level has {named:?} in its name");
}
