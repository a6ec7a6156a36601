//! A level's own textures, drawn: pictures lie as the map says, holes are seen through, and nothing but the picture
//! changes. `BREACH_KEEP_PICTURES=folder` writes each picture there, to be looked at.
#![cfg(feature = "render")]
mod wads;

use breach::bvh::{Mesh, Triangle};
use breach::level::read_map;
use breach::render::{OffscreenRenderer, Textures, png};
use breach::sim::{Action, Command, Settings, Sim};
use breach::timing::Silent;
use breach::view::{
    Camera, ChunkView, LightSource, LightView, Overlays, Snapshot, VisibilityCache, snapshot,
    snapshot_seen_from,
};
use breach::world::FaceView;
use glam::{DQuat, DVec3, dvec3};
use std::path::Path;
use std::process::Command as Process;
use std::sync::Arc;
use wads::{miptex, tga, wad};

const SIZE: [u32; 2] = [640, 360];
/// Colours that a lit picture can be read back by: number, RGB, and which channels are strong.
const INKS: [([u8; 3], [bool; 3]); 7] = [
    ([220, 30, 30], [true, false, false]),
    ([30, 200, 30], [false, true, false]),
    ([40, 50, 230], [false, false, true]),
    ([220, 215, 20], [true, true, false]),
    ([210, 30, 215], [true, false, true]),
    ([20, 210, 215], [false, true, true]),
    ([225, 225, 225], [true, true, true]),
];

/// Numbers 0 to 6 are [`INKS`], the others black.
fn palette() -> Vec<u8> {
    let mut palette = vec![0; 768];
    for (number, (ink, _)) in INKS.iter().enumerate() {
        palette[3 * number..3 * number + 3].copy_from_slice(ink);
    }
    palette
}

/// A box of units; each side's texture and projection by its number: −x, +x, −y, +y, −z, +z.
fn block(low: [i32; 3], high: [i32; 3], side: impl Fn(usize) -> String) -> String {
    let ([x, y, z], [a, b, c]) = (low, high);
    let planes = [
        format!("( {x} 0 0 ) ( {x} 1 0 ) ( {x} 0 1 )"),
        format!("( {a} 0 0 ) ( {a} 0 1 ) ( {a} 1 0 )"),
        format!("( 0 {y} 0 ) ( 0 {y} 1 ) ( 1 {y} 0 )"),
        format!("( 0 {b} 0 ) ( 1 {b} 0 ) ( 0 {b} 1 )"),
        format!("( 0 0 {z} ) ( 1 0 {z} ) ( 0 1 {z} )"),
        format!("( 0 0 {c} ) ( 0 1 {c} ) ( 1 0 {c} )"),
    ];
    let sides = planes.iter().enumerate();
    let sides = sides.map(|(number, plane)| format!("{plane} {}\n", side(number)));
    format!("{{\n{}}}\n", sides.collect::<String>())
}

/// A texture along the axes of a side.
fn plain(texture: &str) -> impl Fn(usize) -> String {
    move |side| {
        let axes = match side {
            0 | 1 => "[ 0 1 0 0 ] [ 0 0 -1 0 ]",
            2 | 3 => "[ 1 0 0 0 ] [ 0 0 -1 0 ]",
            _ => "[ 1 0 0 0 ] [ 0 -1 0 0 ]",
        };
        format!("{texture} {axes} 0 1 1")
    }
}

/// Where the picture of the north wall lies: offset and scale of both axes.
const LIES: [(f64, f64); 2] = [(5.0, 2.0), (-3.0, 1.5)];
/// The same of the fence, whose picture is 16 texels wide.
const FENCE_SCALE: f64 = 4.0;

/// The north wall's texture.
fn north() -> String {
    let [(ox, sx), (oy, sy)] = LIES;
    format!("grid [ 1 0 0 {ox} ] [ 0 0 -1 {oy} ] 0 {sx} {sy}")
}

/// A room of 12 m by 8 m by 4 m, its south-west corner at the origin: `grid` on the north wall, before which stands a
/// fence; a pool, a panel, a sky.
fn hall(keys: &str) -> String {
    let fence = format!("{{fence [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 {FENCE_SCALE} {FENCE_SCALE}");
    let pool = |side: usize| plain(if side == 5 { "*lava" } else { "plain" })(side);
    let blocks = [
        block([-16, -16, -16], [400, 272, 0], plain("plain")),
        block([-16, -16, 128], [400, 272, 144], plain("sky1")),
        block([-16, -16, 0], [0, 272, 128], plain("plain")),
        block([384, -16, 0], [400, 272, 128], plain("plain")),
        block([0, -16, 0], [384, 0, 128], plain("plain")),
        block([0, 256, 0], [384, 272, 128], |_| north()),
        block([192, 200, 0], [320, 204, 64], |_| fence.clone()),
        block([48, 96, 0], [112, 160, 8], pool),
        block([352, 64, 32], [384, 128, 96], plain("+2lamp")),
    ];
    format!(
        "{{\n\"classname\" \"worldspawn\"\n{keys}{}}}\n{{\n\"classname\" \"info_player_start\"\n\
         \"origin\" \"160 48 32\"\n\"angle\" \"90\"\n}}\n",
        blocks.concat()
    )
}

/// What the WAD of the hall holds.
fn hall_wad(grid: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let clear_left = |x: u32, _| if x < 8 { 255 } else { 0 };
    let waves = |x: u32, y: u32| {
        if (x / 8 + y / 8).is_multiple_of(2) {
            0
        } else {
            3
        }
    };
    wad(
        b"WAD2",
        &[
            ("grid", 0x44, miptex("grid", [32, 16], grid, None)),
            ("plain", 0x44, miptex("plain", [16, 16], |_, _| 6, None)),
            ("{fence", 0x44, miptex("{fence", [16, 16], clear_left, None)),
            ("*lava", 0x44, miptex("*lava", [64, 64], waves, None)),
            ("sky1", 0x44, miptex("sky1", [32, 16], |_, _| 2, None)),
            ("+0lamp", 0x44, miptex("+0lamp", [16, 16], |_, _| 1, None)),
            ("+2lamp", 0x44, miptex("+2lamp", [16, 16], |_, _| 0, None)),
            ("palette", 0x40, palette()),
        ],
    )
}

/// Blocks of 8 × 8 texels, four across and two down, in the order of the inks; the last is the first again.
fn grid(x: u32, y: u32) -> u8 {
    ((x / 8 + 4 * (y / 8)) % 7) as u8
}

fn open(text: &str) -> Sim {
    let level = read_map(text.as_bytes()).expect("a level");
    Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world")
}

/// Of a point of the map, units: metres.
fn metres(x: f64, y: f64, z: f64) -> DVec3 {
    dvec3(x, z, -y) / 32.0
}

fn look(sim: &Sim, eye: DVec3, at: DVec3) -> Snapshot {
    let dir = at - eye;
    let camera = Camera {
        eye,
        yaw: libm::atan2(-dir.x, -dir.z),
        pitch: libm::atan2(dir.y, libm::hypot(dir.x, dir.z)),
        fov_y: 1.2,
        aspect: f64::from(SIZE[0]) / f64::from(SIZE[1]),
    };
    let mut snapshot = snapshot(sim, camera, Overlays::default(), 1.0);
    snapshot.exposure = 1.0;
    snapshot.lights = [80.0, 300.0]
        .map(|x| LightView {
            position: metres(x, 110.0, 100.0),
            radius: 12.0,
            colour: [1.6; 3],
            source: LightSource::Lamp,
        })
        .to_vec();
    snapshot
}

/// A folder with the hall and its WAD, and the textures found there.
fn found(folder: &Path, text: &str, wad: &[u8]) -> (Sim, Arc<Textures>) {
    std::fs::write(folder.join("hall.wad"), wad).expect("written");
    std::fs::write(folder.join("hall.map"), text).expect("written");
    let sim = open(text);
    let map = folder.join("hall.map");
    let (materials, level) = (&sim.world.materials, &sim.level.pictures);
    let textures = Textures::find(materials, level, Some(&map), None);
    assert_eq!(textures.warnings(), [""; 0]);
    (sim, Arc::new(textures))
}

fn drawn(studio: &mut OffscreenRenderer, name: &str, snapshot: &Snapshot) -> Vec<u8> {
    let pixels = studio.picture(snapshot).expect("a picture");
    if let Ok(folder) = std::env::var("BREACH_KEEP_PICTURES") {
        let bytes = png(&pixels, SIZE).expect("a picture");
        let path = Path::new(&folder).join(format!("textures-{name}.png"));
        std::fs::write(path, bytes).expect("written");
    }
    pixels
}

/// Where a point is in the picture; RGB there, the mean of 5 × 5 pixels.
fn seen_at(pixels: &[u8], snapshot: &Snapshot, p: DVec3) -> [f64; 3] {
    let clip = snapshot.clip_from_world * p.extend(1.0);
    assert!(clip.w > 0.0, "{p} is behind the eye");
    let at = |part: f64, side: u32| ((part * 0.5 + 0.5) * f64::from(side)) as i64;
    let (x, y) = (at(clip.x / clip.w, SIZE[0]), at(-clip.y / clip.w, SIZE[1]));
    let mut sum = [0.0; 3];
    for (dx, dy) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy))) {
        let [px, py] = [x + dx, y + dy].map(|c| usize::try_from(c).expect("in the picture"));
        assert!(px < SIZE[0] as usize, "{p} is beside the picture");
        let at = (py * SIZE[0] as usize + px) * 4;
        (0..3).for_each(|i| sum[i] += f64::from(pixels[at + i]) / 25.0);
    }
    sum
}

/// Which channels are strong.
fn strong(rgb: [f64; 3]) -> [bool; 3] {
    let most = rgb.into_iter().fold(0.0, f64::max);
    rgb.map(|c| c > 0.72 * most)
}

const WAD_KEY: &str = "\"wad\" \"C:\\somewhere\\hall.wad\"\n";

#[test]
fn pictures_lie_on_walls_exactly_as_the_map_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sim, textures) = found(folder.path(), &hall(WAD_KEY), &hall_wad(grid));
    assert_eq!(textures.tally().words(), "6 of 6 with an image");
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    studio.show_textures(&textures);
    let snapshot = look(&sim, metres(100.0, 150.0, 64.0), metres(100.0, 256.0, 64.0));
    let pixels = drawn(&mut studio, "grid", &snapshot);
    let [(ox, sx), (oy, sy)] = LIES;
    let (mut points, mut wrong) = (0, Vec::new());
    for s in 0..64 {
        for t in -48..16 {
            // The middle of a block of texels.
            let (s, t) = (f64::from(s) * 8.0 + 4.0, f64::from(t) * 8.0 + 4.0);
            let (x, z) = ((s - ox) * sx, (oy - t) * sy);
            if !(30.0..170.0).contains(&x) || !(24.0..104.0).contains(&z) {
                continue;
            }
            let texel = |at: f64, side: f64| at.rem_euclid(side) as u32;
            let ink = grid(texel(s, 32.0), texel(t, 16.0));
            let rgb = seen_at(&pixels, &snapshot, metres(x, 256.0, z));
            points += 1;
            if strong(rgb) != INKS[usize::from(ink)].1 {
                wrong.push((x, z, ink, rgb));
            }
        }
    }
    assert!(points > 40, "{points}");
    assert!(wrong.is_empty(), "{} of {points}: {wrong:?}", wrong.len());
}

#[test]
fn one_sees_through_a_fence_and_liquids_skies_and_animations_show_their_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sim, textures) = found(folder.path(), &hall(WAD_KEY), &hall_wad(|_, _| 1));
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    studio.show_textures(&textures);
    let snapshot = look(&sim, metres(250.0, 80.0, 40.0), metres(250.0, 256.0, 40.0));
    let pixels = drawn(&mut studio, "fence", &snapshot);
    let period = 16.0 * FENCE_SCALE;
    for (part, ink) in [(0.25, 1), (0.75, 0)] {
        // The wall behind is green, bars are red.
        let p = metres(192.0 + part * period, 200.0, 40.0);
        let rgb = seen_at(&pixels, &snapshot, p);
        assert_eq!(strong(rgb), INKS[ink].1, "{part}: {rgb:?}");
    }
    let up = look(&sim, metres(200.0, 60.0, 40.0), metres(200.0, 160.0, 128.0));
    let pixels = drawn(&mut studio, "sky", &up);
    let rgb = seen_at(&pixels, &up, metres(200.0, 160.0, 128.0));
    assert_eq!(strong(rgb), INKS[2].1, "{rgb:?}");
    let down = look(&sim, metres(80.0, 60.0, 60.0), metres(80.0, 128.0, 8.0));
    let pixels = drawn(&mut studio, "lava", &down);
    let rgb = seen_at(&pixels, &down, metres(80.0, 128.0, 8.0));
    assert!(rgb[0] > 2.0 * rgb[2], "{rgb:?}");
    // The first frame is green, the one that the map names red.
    let lamp = look(&sim, metres(240.0, 96.0, 64.0), metres(352.0, 96.0, 64.0));
    let pixels = drawn(&mut studio, "lamp", &lamp);
    let rgb = seen_at(&pixels, &lamp, metres(352.0, 96.0, 64.0));
    assert_eq!(strong(rgb), INKS[1].1, "{rgb:?}");
}

#[test]
fn a_fence_that_fills_an_opening_shows_the_room_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    // A window in the north wall, with a fence in the middle of the wall, and another room.
    let text = hall(WAD_KEY);
    let whole = block([0, 256, 0], [384, 272, 128], |_| north());
    assert!(text.contains(&whole));
    let fence = format!("{{fence [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 {FENCE_SCALE} {FENCE_SCALE}");
    let blocks = [
        block([0, 256, 0], [64, 272, 128], plain("plain")),
        block([192, 256, 0], [384, 272, 128], plain("plain")),
        block([64, 256, 0], [192, 272, 32], plain("plain")),
        block([64, 256, 96], [192, 272, 128], plain("plain")),
        block([64, 262, 32], [192, 266, 96], |_| fence.clone()),
        block([-16, 272, -16], [272, 400, 0], plain("plain")),
        block([-16, 272, 128], [272, 400, 144], plain("plain")),
        block([-16, 272, 0], [0, 400, 128], plain("plain")),
        block([256, 272, 0], [272, 400, 128], plain("plain")),
        block([0, 384, 0], [256, 400, 128], |_| north()),
    ];
    let start = "{\n\"classname\" \"info_player_start\"\n\"origin\" \"128 330 32\"\n}\n";
    let text = text.replace(&whole, &blocks.concat()) + start;
    let (sim, textures) = found(folder.path(), &text, &hall_wad(|_, _| 1));
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    studio.show_textures(&textures);
    let eye = metres(112.0, 180.0, 64.0);
    let mut cache = VisibilityCache::default();
    cache.fences.set_materials(textures.has_holes());
    let mut snapshot = look(&sim, eye, metres(112.0, 256.0, 64.0));
    let camera = snapshot.camera;
    let rooms = snapshot.rooms.len();
    let plain = Overlays::default();
    let through = snapshot_seen_from(&sim, camera, camera, plain, 1.0, &mut cache);
    assert!(
        through.rooms.len() > rooms,
        "{} {rooms}",
        through.rooms.len()
    );
    snapshot.rooms = through.rooms;
    snapshot.lights.push(LightView {
        position: metres(112.0, 330.0, 100.0),
        ..snapshot.lights[0]
    });
    let pixels = drawn(&mut studio, "window", &snapshot);
    // The middle of a hole: the far wall is green.
    let period = 16.0 * FENCE_SCALE;
    let hole = metres(2.25 * period, 262.0, 64.0);
    let rgb = seen_at(&pixels, &snapshot, hole);
    assert_eq!(strong(rgb), INKS[1].1, "{rgb:?}");
}

#[test]
fn a_matrix_of_whole_pictures_lays_a_picture_of_any_size_the_same() {
    // A picture to 64 units, whichever size it has.
    let side = "( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) north 0 0 0";
    let doom = block([0, 256, 0], [384, 272, 128], |_| side.into());
    let primitive = doom.replacen("{\n", "{\nbrushDef\n{\n", 1) + "}\n";
    let text = hall("");
    let old = block([0, 256, 0], [384, 272, 128], |_| north());
    assert!(text.contains(&old));
    let text = text.replace(&old, &primitive);
    let sim = open(&text);
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let snapshot = look(&sim, metres(100.0, 150.0, 64.0), metres(100.0, 256.0, 64.0));
    let mut seen = Vec::new();
    for side in [16, 128] {
        let folder = tempfile::tempdir().expect("a folder");
        let halves = tga([side; 2], |x, _| {
            let [r, g, b] = INKS[usize::from(x >= side / 2)].0;
            [r, g, b, 255]
        });
        std::fs::create_dir(folder.path().join("textures")).expect("made");
        std::fs::write(folder.path().join("textures/north.tga"), halves).expect("written");
        let map = folder.path().join("a.map");
        let level = &sim.level.pictures;
        let textures = Textures::find(&sim.world.materials, level, Some(&map), None);
        studio.show_textures(&Arc::new(textures));
        let pixels = drawn(&mut studio, &format!("matrix-{side}"), &snapshot);
        let row = (0..12).map(|i| metres(8.0 + 16.0 * f64::from(i), 256.0, 64.0));
        let row: Vec<_> = row
            .map(|p| strong(seen_at(&pixels, &snapshot, p)))
            .collect();
        seen.push(row);
    }
    assert_eq!(seen[0], seen[1]);
    let red = seen[0].iter().filter(|s| **s == INKS[0].1).count();
    let green = seen[0].iter().filter(|s| **s == INKS[1].1).count();
    assert!(red >= 5 && green >= 5, "{seen:?}");
}

#[test]
fn what_a_blast_lays_open_is_made_rubble() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut sim, textures) = found(folder.path(), &hall(WAD_KEY), &hall_wad(|_, _| 1));
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    studio.show_textures(&textures);
    let eye = metres(100.0, 120.0, 64.0);
    let to = metres(100.0, 256.0, 64.0);
    let fire = Action::FireAlong {
        from: eye.to_array(),
        dir: (to - eye).normalize().to_array(),
    };
    let shoots = Command {
        actions: vec![fire],
        ..sim.idle()
    };
    sim.step(&shoots, &mut Silent);
    for _ in 0..200 {
        sim.step(&sim.idle(), &mut Silent);
    }
    let snapshot = look(&sim, eye, to);
    let pixels = drawn(&mut studio, "blast", &snapshot);
    let hole = seen_at(&pixels, &snapshot, to);
    assert_ne!(strong(hole), INKS[1].1, "{hole:?}");
    let wall = seen_at(&pixels, &snapshot, metres(20.0, 256.0, 100.0));
    assert_eq!(strong(wall), INKS[1].1, "{wall:?}");
}

#[test]
fn a_chunk_takes_its_picture_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sim, textures) = found(folder.path(), &hall(WAD_KEY), &hall_wad(grid));
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    studio.show_textures(&textures);
    let (eye, to) = (metres(100.0, 150.0, 64.0), metres(100.0, 256.0, 64.0));
    let mut snapshot = look(&sim, eye, to);
    // A square of the north wall, as if it had broken off, moved and turned by a quarter about the line of sight.
    let corners = [(68.0, 32.0), (132.0, 32.0), (132.0, 96.0), (68.0, 96.0)];
    let triangle = |corners| Triangle {
        corners,
        face: 0,
        key: 0,
    };
    let mesh = Mesh {
        positions: corners.map(|(x, z)| metres(x, 256.0, z)).to_vec(),
        triangles: vec![triangle([0, 1, 2]), triangle([0, 2, 3])],
    };
    let mut materials = sim.world.materials.iter();
    let material = materials.position(|m| m.texture == "grid" && !m.inner);
    let face = FaceView {
        material: material.expect("a wall") as u32,
        normal: DVec3::Z,
        key: 0,
    };
    let rotation = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let origin = metres(90.0, 256.0, 50.0);
    let position = metres(96.0, 230.0, 60.0);
    snapshot.chunks = vec![ChunkView {
        centre: position,
        radius: 2.0,
        position,
        rotation,
        origin,
        mesh: Arc::new(mesh),
        faces: Arc::new(vec![face]),
        asleep: true,
    }];
    let pixels = drawn(&mut studio, "chunk", &snapshot);
    let [(ox, sx), (oy, sy)] = LIES;
    let mut points = 0;
    for (s, t) in (4..12).flat_map(|s| (-10..2).map(move |t| (s, t))) {
        let (s, t) = (f64::from(s) * 8.0 + 4.0, f64::from(t) * 8.0 + 4.0);
        let (x, z) = ((s - ox) * sx, (oy - t) * sy);
        if !(76.0..124.0).contains(&x) || !(38.0..90.0).contains(&z) {
            continue;
        }
        let ink = grid(s.rem_euclid(32.0) as u32, t.rem_euclid(16.0) as u32);
        let at = position + rotation * (metres(x, 256.0, z) - origin);
        let rgb = seen_at(&pixels, &snapshot, at);
        assert_eq!(strong(rgb), INKS[usize::from(ink)].1, "{x} {z}: {rgb:?}");
        points += 1;
    }
    assert!(points > 5, "{points}");
}

#[test]
fn another_level_shows_its_own_pictures() {
    let [one, other] = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    let text = hall(WAD_KEY);
    let (sim, first) = found(one.path(), &text, &hall_wad(|_, _| 0));
    let (_, second) = found(other.path(), &text, &hall_wad(|_, _| 2));
    let snapshot = look(&sim, metres(100.0, 150.0, 64.0), metres(100.0, 256.0, 64.0));
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let wall = metres(100.0, 256.0, 64.0);
    // Back and forth, and without any.
    let made = Arc::new(Textures::default());
    let made_look = {
        let pixels = studio.picture(&snapshot).expect("a picture");
        seen_at(&pixels, &snapshot, wall)
    };
    for (textures, ink) in [
        (&first, Some(0)),
        (&second, Some(2)),
        (&made, None),
        (&first, Some(0)),
    ] {
        studio.show_textures(textures);
        let pixels = studio.picture(&snapshot).expect("a picture");
        let rgb = seen_at(&pixels, &snapshot, wall);
        match ink {
            Some(ink) => assert_eq!(strong(rgb), INKS[ink].1, "{rgb:?}"),
            None => assert!(
                (0..3).all(|i| (rgb[i] - made_look[i]).abs() < 3.0),
                "{rgb:?} {made_look:?}"
            ),
        }
    }
}

#[test]
fn pictures_change_no_hash_no_face_and_no_tick() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut with, textures) = found(folder.path(), &hall(WAD_KEY), &hall_wad(grid));
    let mut without = open(&hall(""));
    assert_eq!(textures.tally().found, 6);
    let mut studio = OffscreenRenderer::new([64, 36]).unwrap_or_else(|error| panic!("{error}"));
    studio.show_textures(&textures);
    assert_eq!(with.world.materials, without.world.materials);
    let to = metres(100.0, 256.0, 64.0);
    for tick in 0..60 {
        let mut command = with.idle();
        if tick % 20 == 0 {
            let from = metres(100.0, 120.0, 64.0);
            let dir = (to - from + DVec3::X * f64::from(tick) * 0.02).normalize();
            command.actions.push(Action::FireAlong {
                from: from.to_array(),
                dir: dir.to_array(),
            });
        }
        for sim in [&mut with, &mut without] {
            sim.step(&command, &mut Silent);
        }
        if tick % 15 == 0 {
            let eye = metres(160.0, 48.0, 40.0);
            studio.picture(&look(&with, eye, to)).expect("a picture");
        }
        assert_eq!(with.world.hash(), without.world.hash(), "tick {tick}");
        assert_eq!(with.state_hash(), without.state_hash(), "tick {tick}");
    }
    assert_eq!(with.world.materials, without.world.materials);
    let [a, b] = [&with, &without].map(|sim| sim.world.census());
    assert_eq!((a.faces, a.triangles), (b.faces, b.triangles));
}

#[test]
fn shot_shows_them_and_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = hall("\"wad\" \"hall.wad;gone.wad\"\n");
    found(folder.path(), &text, &hall_wad(grid));
    let shot = |args: &[&str]| {
        let mut process = Process::new(env!("CARGO_BIN_EXE_breach"));
        let process = process
            .current_dir(folder.path())
            .arg("shot")
            .arg("hall.map");
        let done = process
            .args(["-o", "a.png", "--size", "64x36", "--ticks", "0"])
            .args(args);
        let done = done.output().expect("it runs");
        (
            done.status.code(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
    };
    let (code, said) = shot(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("textures: 6 of 6 with an image; not found: gone.wad"),
        "{said}"
    );
    let (code, said) = shot(&["--textures", "nowhere"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("nowhere"), "{said}");
}
