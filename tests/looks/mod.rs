//! Golden pictures: every drawing and every material, kept in tests/golden. `UPDATE_SNAPSHOTS=1` takes what is drawn now
//! as right.
use super::comparer::{self, Control, SAME, Shown, Tolerance};
use super::{SIZE, crumb, hall, lamp};
use breach::render::OffscreenRenderer;
use breach::view::{HeatMap, Line, Scorch, Snapshot};
use glam::{DVec3, dvec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What drivers round differently.
const DRIVERS: Tolerance = Tolerance {
    mean: 1.5,
    far: 40,
    stray: 80,
    part: 0.15,
};

/// Its name, which is also that of the file; the one that shows all but what it is there for; and what is drawn. Controls
/// come first.
type Look = (&'static str, Option<&'static str>, Snapshot);

fn looks() -> Vec<Look> {
    let lights = vec![lamp(dvec3(3.0, 3.0, -1.5)), lamp(dvec3(9.0, 3.0, -1.5))];
    let view = |eye: DVec3, yaw: f64| {
        let mut snapshot = hall().snapshot(eye, yaw, 0.0);
        snapshot.lights = lights.clone();
        snapshot
    };
    let back = std::f64::consts::PI;
    let whole = || view(dvec3(6.0, 1.7, 2.4), 0.0);
    let with = |change: &dyn Fn(&mut Snapshot)| {
        let mut snapshot = whole();
        change(&mut snapshot);
        snapshot
    };
    let steel = || view(dvec3(1.5, 1.7, 0.6), back);
    let wall = |name, eye, yaw| (name, None, view(eye, yaw));
    let more = |name, change: &dyn Fn(&mut Snapshot)| (name, Some("hall"), with(change));
    vec![
        wall("concrete", dvec3(1.5, 1.7, -3.6), 0.0),
        wall("brick", dvec3(4.5, 1.7, -3.6), 0.0),
        wall("plaster", dvec3(7.5, 1.7, -3.6), 0.0),
        wall("tile", dvec3(10.5, 1.7, -3.6), 0.0),
        ("metal", None, steel()),
        wall("wood", dvec3(4.5, 1.7, 0.6), back),
        wall("rock", dvec3(7.5, 1.7, 0.6), back),
        wall("soil", dvec3(10.5, 1.7, 0.6), back),
        ("hall", None, whole()),
        more("rooms", &|s| s.overlays.rooms = true),
        more("wire", &|s| s.overlays.wire = true),
        more("wires", &|s| s.overlays.wire_alone = true),
        more("faces", &|s| s.overlays.faces = true),
        more("heat", &|s| {
            s.heat = Some(HeatMap {
                size: [4, 2],
                bins: vec![1, 5, 9, 30, 2, 8, 20, 60],
            })
        }),
        more("stress", &|s| {
            s.overlays.stress = true;
            // The back wall, more to the east; what is above is unknown.
            let blocks = (0..24).flat_map(|x| (-1..4).map(move |y| [x, y, -13]));
            let used = |block: [i32; 3]| (block, block[0] as f32 / 23.0);
            s.stress = Arc::new(blocks.map(used).collect());
        }),
        more("lines", &|s| {
            s.lines = [-5.0, -9.0]
                .map(|z| Line {
                    from: dvec3(0.0, 0.5, z),
                    to: dvec3(12.0, 3.0, z),
                    colour: [1.0, 0.4, 0.05, 1.0],
                })
                .to_vec()
        }),
        more("scorched", &|s| {
            s.scorches = (0..4u8)
                .map(|i| Scorch {
                    position: dvec3(1.5 + 3.0 * f64::from(i), 1.7, -6.0),
                    radius: 0.85,
                    heat: f32::from(i) / 3.0,
                    strength: 1.0,
                })
                .collect()
        }),
        more("stones", &|s| {
            // Seeds of crumbs that are drawn nearly as large as their spheres.
            const LARGE: [u32; 8] = [10, 12, 18, 19, 22, 26, 29, 43];
            let at = |i: u32| {
                dvec3(
                    4.5 + 0.45 * f64::from(i),
                    0.12,
                    -1.0 - 0.3 * f64::from(i % 3),
                )
            };
            s.bodies = (0..8)
                .map(|i| {
                    let radius = 0.16 + 0.04 * f64::from(i);
                    crumb(at(i).with_y(radius), radius, i * 2, LARGE[i as usize])
                })
                .collect();
        }),
        ("burnt_steel", Some("metal"), {
            let mut snapshot = steel();
            snapshot.scorches = vec![Scorch {
                position: dvec3(1.5, 1.7, 3.0),
                radius: 0.85,
                heat: 0.0,
                strength: 1.0,
            }];
            snapshot
        }),
    ]
}

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(format!("{name}.png"))
}

fn draw(studio: &mut OffscreenRenderer, snapshot: &Snapshot) -> Vec<u8> {
    let pixels = studio.picture(snapshot);
    pixels.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn pictures_look_as_they_did() {
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let mut drawn: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (name, without, snapshot) in looks() {
        let pixels = draw(&mut studio, &snapshot);
        let golden = without.map(file);
        let control = match (without, &golden) {
            (Some(without), Some(path)) => Control::Golden(path, &drawn[without]),
            _ => Control::Ground,
        };
        wrong.extend(comparer::check_golden(&file(name), &pixels, SIZE, control, &DRIVERS).err());
        drawn.insert(name, pixels);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Half of the lines, stains and stones of a picture: of those that stand side by side every second one, of a line one end.
fn half(snapshot: &Snapshot, second: bool) -> Snapshot {
    let mut half = snapshot.clone();
    for line in &mut half.lines {
        let middle = (line.from + line.to) * 0.5;
        *(if second { &mut line.from } else { &mut line.to }) = middle;
    }
    let every_second = |i: usize| (i % 2 == 1) == second;
    half.scorches = every(&snapshot.scorches, every_second);
    half.bodies = every(&snapshot.bodies, every_second);
    half
}

fn every<T: Clone>(all: &[T], keep: impl Fn(usize) -> bool) -> Vec<T> {
    let kept = all.iter().enumerate().filter(|(i, _)| keep(*i));
    kept.map(|(_, one)| one.clone()).collect()
}

#[test]
fn a_picture_with_half_of_its_lines_stains_or_stones_left_out_is_not_the_golden_one() {
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let all = looks();
    let of = |name: &str| &all.iter().find(|look| look.0 == name).expect("a look").2;
    let (hall, golden) = (draw(&mut studio, of("hall")), file("hall"));
    for name in ["lines", "scorched", "stones"] {
        for second in [false, true] {
            let pixels = draw(&mut studio, &half(of(name), second));
            let control = Control::Golden(&golden, &hall);
            let half = comparer::check_golden(&file(name), &pixels, SIZE, control, &DRIVERS);
            let why = half.expect_err(name);
            assert!(why.contains("of what it shows is wrong"), "{why}");
        }
    }
}

#[test]
fn a_golden_picture_with_half_of_what_it_shows_left_out_is_not_the_same() {
    for (name, without, _) in looks() {
        let (picture, [width, _]) = comparer::golden(&file(name)).expect("a picture");
        let control = match without {
            Some(without) => comparer::golden(&file(without)).expect("a picture").0,
            None => comparer::ground(&picture),
        };
        let wanted = Shown {
            picture: &picture,
            control: &control,
        };
        assert_eq!(comparer::compare(&wanted, &wanted, &SAME), Ok(()));
        let half = comparer::without_half(&wanted, width, 8);
        let found = Shown {
            picture: &half,
            control: &control,
        };
        comparer::compare(&found, &wanted, &DRIVERS).expect_err(name);
    }
}
