//! Where the sun shines and where it does not.
use super::{Scene, bright_at, draw};
use breach::render::OffscreenRenderer;
use breach::view::{BodyShape, BodyView, ChunkView, Snapshot, SunView};
use glam::{DQuat, DVec3, dvec3};
use std::sync::Arc;

const SIZE: [u32; 2] = [320, 180];
/// Materials of the scene.
const CONCRETE: u32 = 0;
const SKY: u32 = 18;

/// It stands in the west.
fn sun() -> SunView {
    SunView {
        toward: dvec3(-0.6, 1.0, 0.0).normalize(),
        colour: [2.4; 3],
    }
}

/// A floor under the sky, closed in the west by a wall with nothing behind it.
fn yard(eye: DVec3, yaw: f64, pitch: f64) -> Snapshot {
    let mut scene = Scene::default();
    let corner = dvec3(0.0, 0.0, -12.0);
    let (x, y, z) = (DVec3::X * 12.0, DVec3::Y * 6.0, DVec3::Z * 12.0);
    scene.wall(corner, z, x, CONCRETE);
    scene.wall(corner, y, z, CONCRETE);
    scene.wall(corner + y, x, z, SKY);
    scene.snapshot(eye, yaw, pitch)
}

#[test]
fn the_sun_shines_through_the_sky_and_a_wall_throws_its_shadow() {
    let size = [320, 180];
    let yard = |roof: u32, sunny: bool| {
        let mut scene = Scene::default();
        let corner = dvec3(0.0, 0.0, -12.0);
        scene.wall(corner, DVec3::Z * 12.0, DVec3::X * 12.0, 12);
        scene.wall(
            corner + DVec3::Y * 6.0,
            DVec3::X * 12.0,
            DVec3::Z * 12.0,
            roof,
        );
        scene.wall(dvec3(6.0, 0.0, -9.0), DVec3::Y * 3.0, DVec3::Z * 6.0, 0);
        let mut snapshot = scene.snapshot(dvec3(7.0, 4.0, -0.2), 0.0, -0.5);
        // It stands in the west: the shadow lies 1.8 m to the east of the wall.
        snapshot.sun = sunny.then(|| SunView {
            toward: dvec3(-0.6, 1.0, 0.0).normalize(),
            colour: [2.4; 3],
        });
        let name = format!("yard_{roof}_{sunny}");
        let pixels = draw(&name, &snapshot, size);
        let at = |x: f64| bright_at(&pixels, size, &snapshot, dvec3(x, 0.0, -6.0));
        [at(6.9), at(8.6)]
    };
    let (sky, rock) = (18, 12);
    let [shadow, open] = yard(sky, true);
    assert!(open > 2.0 * shadow, "{open} in the sun, {shadow} beside it");
    let [night, beside] = yard(sky, false);
    assert!(
        (shadow - night).abs() < 3.0,
        "{shadow} in shadow, {night} without a sun"
    );
    assert!((beside - night).abs() < 12.0, "{beside} {night}");
    let [one, other] = yard(rock, true);
    assert!(
        one.max(other) < 0.6 * open,
        "it shines through rock: {one} {other}"
    );
}

#[test]
fn no_sun_comes_in_at_the_foot_of_a_wall() {
    let west = std::f64::consts::FRAC_PI_2;
    let mut snapshot = yard(dvec3(1.5, 1.2, -6.0), west, -0.7);
    let night = draw("foot_night", &snapshot, SIZE);
    snapshot.sun = Some(sun());
    let day = draw("foot_day", &snapshot, SIZE);
    // Every pixel of the strip in which a map's texels end.
    let [width, height] = SIZE;
    let mut looked = 0;
    for x in [0.002, 0.006, 0.012, 0.025, 0.05, 0.1, 0.3] {
        for step in -20..=20 {
            let p = dvec3(x, 0.0, -6.0 + 0.05 * f64::from(step));
            let clip = snapshot.clip_from_world * p.extend(1.0);
            let (u, v) = (clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5);
            if !(0.0..1.0).contains(&u) || !(0.0..1.0).contains(&v) {
                continue;
            }
            let (column, row) = (
                (u * f64::from(width)) as u32,
                (v * f64::from(height)) as u32,
            );
            let at = ((row * width + column) * 4) as usize;
            let (lit, dark) = (day[at], night[at]);
            assert!(
                lit.abs_diff(dark) < 6,
                "{lit} by day, {dark} by night at {p}"
            );
            looked += 1;
        }
    }
    assert!(looked > 100, "{looked} places in the picture");
}

/// How bright the floor is where a thing that hovers a metre above x = 8 throws its shadow, and beside it. In the second
/// picture: where only bodies move, the two maps take turns.
fn under(studio: &mut OffscreenRenderer, snapshot: &Snapshot) -> [f64; 2] {
    let pixels = studio
        .picture(snapshot)
        .and_then(|_| studio.picture(snapshot));
    let pixels = pixels.unwrap_or_else(|error| panic!("{error}"));
    super::keep("hovering", &pixels, SIZE);
    [8.6, 10.0].map(|x| bright_at(&pixels, SIZE, snapshot, dvec3(x, 0.0, -6.0)))
}

#[test]
fn stones_and_chunks_throw_shadows_that_go_with_them() {
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let mut snapshot = yard(dvec3(8.0, 3.5, 0.0), 0.0, -0.5);
    snapshot.sun = Some(sun());
    let [clear, beside] = under(&mut studio, &snapshot);
    assert!((clear - beside).abs() < 0.2 * beside, "{clear} {beside}");
    snapshot.bodies = vec![BodyView {
        position: dvec3(8.0, 1.0, -6.0),
        rotation: DQuat::IDENTITY,
        // Drawn smaller than that.
        radius: 0.45,
        scale: 1.0,
        shape: BodyShape::Crumb(1),
        seed: 1,
        rest: None,
        asleep: false,
    }];
    let [shade, sunny] = under(&mut studio, &snapshot);
    assert!(
        shade < 0.6 * clear && (sunny - beside).abs() < 4.0,
        "{shade} {sunny}"
    );
    snapshot.bodies[0].position.z = -9.0;
    let [gone, _] = under(&mut studio, &snapshot);
    assert!((gone - clear).abs() < 4.0, "{gone} {clear}");

    // A cube, its faces from outside.
    let mut cube = Scene::default();
    let (x, y, z) = (DVec3::X * 0.5, DVec3::Y * 0.5, DVec3::Z * 0.5);
    let low = DVec3::splat(-0.25);
    for (from, u, v) in [
        (low, y, x),
        (low, z, y),
        (low, x, z),
        (low + z, x, y),
        (low + x, y, z),
        (low + y, z, x),
    ] {
        cube.wall(from, u, v, 1);
    }
    snapshot.chunks = vec![ChunkView {
        centre: dvec3(8.0, 1.0, -6.0),
        radius: 0.45,
        position: dvec3(8.0, 1.0, -6.0),
        rotation: DQuat::IDENTITY,
        origin: DVec3::ZERO,
        mesh: Arc::new(cube.mesh),
        faces: Arc::new(cube.faces),
        asleep: false,
    }];
    let [shade, _] = under(&mut studio, &snapshot);
    assert!(shade < 0.6 * clear, "{shade} {clear}");
    let chunk = &mut snapshot.chunks[0];
    for place in [&mut chunk.centre, &mut chunk.position] {
        place.z = -9.0;
    }
    let [gone, _] = under(&mut studio, &snapshot);
    assert!((gone - clear).abs() < 4.0, "{gone} {clear}");
}
