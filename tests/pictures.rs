//! Pictures of made-up rooms, drawn offscreen; software Vulkan will do. Without any adapter these tests fail and say
//! what to install. `BREACH_KEEP_PICTURES=folder` writes each picture there, to be looked at.
#![cfg(feature = "render")]
mod brush;
mod comparer;
mod looks;
mod sunlight;

use breach::bvh::{Mesh, Triangle};
use breach::geom::Aabb;
use breach::render::{
    OffscreenRenderer, Quality, Textures, bake_source, check_shader, picture, picture_source,
    shader_sources, shadow_source,
};
use breach::view::{
    BodyShape, BodyView, Camera, HeatMap, LightSource, LightView, Line, Overlays, Rest, RoomView,
    Scorch, Snapshot, SpriteView, Window, clip_from_world,
};
use breach::world::{FaceView, Material, Revision};
use brush::brush;
use comparer::Shown;
use glam::{DQuat, DVec3, dvec3};
use std::sync::Arc;

/// One texture of each look, in the order of the materials: surface at 2i, inside at 2i + 1.
const TEXTURES: [&str; 11] = [
    "concrete1",
    "brick1",
    "plaster1",
    "tile1",
    "metal1",
    "wood1",
    "rock1",
    "dirt1",
    "*water1",
    "sky1",
    "light1",
];

#[derive(Default)]
struct Scene {
    mesh: Mesh,
    faces: Vec<FaceView>,
}

impl Scene {
    /// A convex polygon, counter-clockwise from the air.
    fn face(&mut self, corners: &[DVec3], material: u32) {
        let normal = (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .normalize();
        let face = self.faces.len() as u32;
        self.faces.push(FaceView {
            material,
            normal,
            key: u64::from(face),
        });
        let mut index = |p: DVec3| {
            self.mesh
                .positions
                .iter()
                .position(|&q| q == p)
                .unwrap_or_else(|| {
                    self.mesh.positions.push(p);
                    self.mesh.positions.len() - 1
                }) as u32
        };
        let corners: Vec<u32> = corners.iter().map(|&p| index(p)).collect();
        for i in 1..corners.len() - 1 {
            let corners = [corners[0], corners[i], corners[i + 1]];
            self.mesh.triangles.push(Triangle {
                corners,
                face,
                key: u64::from(face),
            });
        }
    }

    /// A rectangle from a corner along two sides; the normal is `u` x `v`.
    fn wall(&mut self, from: DVec3, u: DVec3, v: DVec3, material: u32) {
        self.face(&[from, from + u, from + u + v, from + v], material);
    }

    /// A wall with a lumpy hole in its middle.
    fn shot_wall(&mut self, from: DVec3, u: DVec3, v: DVec3, texture: u32, radius: f64) {
        const N: usize = 16;
        let inwards = -u.cross(v).normalize();
        let middle = from + (u + v) * 0.5;
        let side = u.length().min(v.length());
        let mut seed = 12345u32 + texture;
        let mut lump = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            f64::from(seed >> 8) / f64::from(1u32 << 24)
        };
        let mut grid = vec![[DVec3::ZERO; N + 1]; N + 1];
        let mut deep = vec![[false; N + 1]; N + 1];
        for i in 0..=N {
            for j in 0..=N {
                let (a, b) = (i as f64 / N as f64, j as f64 / N as f64);
                let mut p = from + u * a + v * b;
                let r = p.distance(middle) / (radius * (0.8 + 0.25 * lump()));
                if r < 1.0 {
                    let jolt = (u.normalize() * (lump() - 0.5) + v.normalize() * (lump() - 0.5))
                        * side
                        / N as f64;
                    p += inwards * (radius * 0.8 * (1.0 - r * r).sqrt() * (0.7 + 0.4 * lump()))
                        + jolt * 0.7;
                    deep[i][j] = true;
                }
                grid[i][j] = p;
            }
        }
        for i in 0..N {
            for j in 0..N {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                let inner = corners.iter().any(|&(i, j)| deep[i][j]);
                let p = corners.map(|(i, j)| grid[i][j]);
                let material = texture * 2 + u32::from(inner);
                if inner {
                    self.face(&[p[0], p[1], p[2]], material);
                    self.face(&[p[0], p[2], p[3]], material);
                } else {
                    self.face(&p, material);
                }
            }
        }
    }

    fn snapshot(self, eye: DVec3, yaw: f64, pitch: f64) -> Snapshot {
        let camera = Camera {
            eye,
            yaw,
            pitch,
            fov_y: 1.1,
            aspect: 16.0 / 9.0,
        };
        let materials = TEXTURES.iter().flat_map(|texture| {
            [false, true].map(|inner| Material {
                texture: texture.to_string(),
                u: DVec3::X * 32.0,
                v: DVec3::Y * 32.0,
                offset: [0.0; 2],
                inner,
                hardness: 1.0,
            })
        });
        let points = &self.mesh.positions;
        let cell = Aabb {
            min: points.iter().copied().fold(DVec3::INFINITY, DVec3::min),
            max: points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max),
        };
        Snapshot {
            camera,
            clip_from_world: clip_from_world(&camera),
            rooms: vec![RoomView {
                id: 0,
                cell,
                window: Window::ALL,
                revision: Revision::next(),
                mesh: Arc::new(self.mesh),
                faces: Arc::new(self.faces),
            }],
            around: Vec::new(),
            rooms_total: 1,
            bodies: Vec::new(),
            chunks: Vec::new(),
            lights: Vec::new(),
            sun: None,
            exposure: 1.0,
            sprites: Vec::new(),
            liquids: Vec::new(),
            submerged: None,
            ripples: Vec::new(),
            scorches: Vec::new(),
            lines: Vec::new(),
            fine_lines: Vec::new(),
            materials: Arc::new(materials.collect()),
            stress: Default::default(),
            heat: None,
            overlays: Overlays::default(),
            seconds: 1.0,
        }
    }
}

fn lamp(position: DVec3) -> LightView {
    LightView {
        position,
        radius: 11.0,
        colour: [2.2, 2.0, 1.7],
        source: LightSource::Level,
    }
}

/// A hall with a wall of each look, each shot once.
fn hall() -> Scene {
    let mut scene = Scene::default();
    let (w, h) = (3.0, 3.4);
    for i in 0..8u32 {
        let back = i < 4;
        let x = f64::from(i % 4) * w;
        if back {
            scene.shot_wall(dvec3(x, 0.0, -6.0), DVec3::X * w, DVec3::Y * h, i, 0.85);
        } else {
            scene.shot_wall(
                dvec3(x + w, 0.0, 3.0),
                DVec3::NEG_X * w,
                DVec3::Y * h,
                i,
                0.85,
            );
        }
    }
    let (x, z) = (DVec3::X * 4.0 * w, DVec3::Z * 9.0);
    let corner = dvec3(0.0, 0.0, -6.0);
    scene.wall(corner, z, x, 6);
    scene.wall(corner + DVec3::Y * h, x, z, 4);
    scene.wall(corner, DVec3::Y * h, z, 10);
    scene.wall(corner + x, z, DVec3::Y * h, 8);
    scene.wall(
        dvec3(5.0, h - 0.01, -3.0),
        DVec3::X * 1.0,
        DVec3::Z * 1.0,
        20,
    );
    scene
}

fn draw(name: &str, snapshot: &Snapshot, size: [u32; 2]) -> Vec<u8> {
    let pixels = picture(snapshot, size).unwrap_or_else(|error| panic!("{error}"));
    keep(name, &pixels, size);
    pixels
}

fn keep(name: &str, pixels: &[u8], size: [u32; 2]) {
    assert_eq!(pixels.len(), (size[0] * size[1] * 4) as usize);
    if let Ok(folder) = std::env::var("BREACH_KEEP_PICTURES") {
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        image::save_buffer(&path, pixels, size[0], size[1], image::ColorType::Rgba8)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Of small pictures.
const SIZE: [u32; 2] = [256, 144];

/// Mean colour of a box of the picture, in parts of its size.
fn mean(pixels: &[u8], size: [u32; 2], x: [f64; 2], y: [f64; 2]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    let mut count = 0.0;
    for row in (y[0] * f64::from(size[1])) as u32..(y[1] * f64::from(size[1])) as u32 {
        for column in (x[0] * f64::from(size[0])) as u32..(x[1] * f64::from(size[0])) as u32 {
            let at = ((row * size[0] + column) * 4) as usize;
            (0..3).for_each(|i| sum[i] += f64::from(pixels[at + i]));
            count += 1.0;
        }
    }
    sum.map(|s| s / count)
}

#[test]
fn every_shader_is_valid() {
    for (name, source) in shader_sources() {
        validate(name, &source);
    }
    for (layer, source) in (0..).map_while(|layer| Some((layer, bake_source(layer)?))) {
        validate(&format!("bake layer {layer}"), &source);
    }
    validate("shadow", &shadow_source());
    validate("picture", &picture_source());
    validate("relief", include_str!("../shaders/relief.wgsl"));
    validate("mip", include_str!("../shaders/mip.wgsl"));
    validate("first sample", include_str!("../shaders/first_sample.wgsl"));
}

fn validate(name: &str, source: &str) {
    check_shader(name, source).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_wrong_shader_is_refused_with_its_place() {
    let wrong = "@fragment\nfn fs_main() -> @location(0) vec4<f32> { return vec3(1.0); }\n";
    let error = check_shader("own", wrong).expect_err("a wrong type");
    assert!(
        error.starts_with("own: ") && error.contains(":2:"),
        "{error}"
    );
    assert!(check_shader("own", "fn (").is_err());
}

#[test]
fn shaders_are_reloaded_and_a_picture_stays_the_same() {
    let mut studio = OffscreenRenderer::new([96, 54]).unwrap_or_else(|error| panic!("{error}"));
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    snapshot.lights = vec![lamp(dvec3(6.0, 3.0, -2.5))];
    let before = studio.picture(&snapshot);
    studio.reload().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(studio.picture(&snapshot), before);
}

#[test]
fn after_the_device_is_destroyed_another_one_draws_the_same_picture() {
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    snapshot.lights = vec![lamp(dvec3(6.0, 3.0, -2.5))];
    let mut studio = OffscreenRenderer::new([96, 54]).unwrap_or_else(|error| panic!("{error}"));
    let before = studio.picture(&snapshot).expect("a picture");
    studio.destroy_device();
    studio.picture(&snapshot).expect_err("no device is left");
    let mut studio = OffscreenRenderer::new([96, 54]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(studio.picture(&snapshot), Ok(before));
}

#[test]
fn a_hall_of_all_looks_is_lit_and_each_look_is_its_own() {
    let size = [480, 270];
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    snapshot.lights = vec![lamp(dvec3(3.0, 3.0, -2.5)), lamp(dvec3(9.0, 3.0, -2.5))];
    let pixels = draw("hall", &snapshot, size);
    let whole = mean(&pixels, size, [0.0, 1.0], [0.0, 1.0]);
    assert!(
        whole.iter().all(|&c| 25.0 < c && c < 200.0),
        "too dark or too bright: {whole:?}"
    );
    // Walls of concrete, brick, plaster, tile stand side by side; brick is the red one.
    let walls =
        [0.18, 0.345, 0.51, 0.67].map(|x| mean(&pixels, size, [x, x + 0.025], [0.35, 0.62]));
    assert!(
        walls[1][0] > 1.4 * walls[1][2],
        "brick is not red: {walls:?}"
    );
    assert!(
        walls[0][0] < 1.3 * walls[0][2],
        "concrete is not grey: {walls:?}"
    );
    snapshot.lights.clear();
    let dark = draw("hall_dark", &snapshot, size);
    let dark = mean(&dark, size, [0.0, 1.0], [0.0, 1.0]);
    assert!(
        dark[0] < 0.5 * whole[0],
        "the lights do not matter: {dark:?} against {whole:?}"
    );
}

#[test]
fn a_light_at_the_eye_leaves_no_black_dots() {
    // Looking along the light's own ray once took a power of a number a hair below zero.
    let size = [320, 180];
    let eye = dvec3(6.0, 1.7, 1.0);
    let mut snapshot = hall().snapshot(eye, 0.3, 0.0);
    snapshot.lights = vec![lamp(eye)];
    let pixels = draw("lamp", &snapshot, size);
    let black = pixels
        .chunks(4)
        .filter(|p| p[..3].iter().all(|&c| c < 4))
        .count();
    assert!(black < 20, "{black} black pixels");
}

/// The mean brightness around where the picture shows a point.
fn bright_at(pixels: &[u8], size: [u32; 2], snapshot: &Snapshot, p: DVec3) -> f64 {
    let clip = snapshot.clip_from_world * p.extend(1.0);
    let at = [clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5];
    let around = |x: f64| [x - 0.012, x + 0.012];
    mean(pixels, size, around(at[0]), around(at[1]))
        .iter()
        .sum::<f64>()
        / 3.0
}

/// A stone of a radius with its middle at a place.
fn stone(position: DVec3, radius: f64) -> BodyView {
    BodyView {
        position,
        rotation: DQuat::IDENTITY,
        radius,
        scale: 1.0,
        shape: BodyShape::Crumb(0),
        seed: 1,
        rest: None,
        asleep: true,
    }
}

#[test]
fn a_stone_shades_the_floor_that_it_lies_on_and_none_far_below_it() {
    let size = [480, 270];
    let mut studio = OffscreenRenderer::new(size).unwrap_or_else(|error| panic!("{error}"));
    let middle = dvec3(6.0, 0.0, -2.0);
    let mut floor = |height: f64, radius: f64| {
        let mut snapshot = hall().snapshot(dvec3(6.0, 1.9, 0.5), 0.0, -0.6);
        snapshot.lights = vec![lamp(dvec3(6.0, 3.0, -2.5))];
        let at = middle + DVec3::Y * height;
        snapshot.bodies = vec![match height == radius {
            // Drawn nearly as large as its sphere.
            true => crumb(at, radius, 12, 29),
            false => stone(at, radius),
        }];
        let pixels = studio.picture(&snapshot).expect("a picture");
        keep(&format!("stone-{height}"), &pixels, size);
        // Before it and well beside it.
        [dvec3(0.0, 0.0, 1.3), dvec3(4.5, 0.0, 1.3)]
            .map(|side| bright_at(&pixels, size, &snapshot, middle + side * 0.25))
    };
    let bare = floor(50.0, 0.35);
    let under = floor(0.35, 0.35);
    let above = floor(1.6, 0.35);
    assert!(under[0] < 0.8 * bare[0], "{under:?} {bare:?}");
    assert!(above[0] > 0.93 * bare[0], "{above:?} {bare:?}");
    assert!(under[1] > 0.98 * bare[1], "{under:?} {bare:?}");
}

#[test]
fn a_folder_of_pictures_is_shown_instead_of_what_is_made() {
    let size = [320, 180];
    let folder = tempfile::tempdir().expect("a folder");
    let green = image::RgbaImage::from_pixel(16, 16, image::Rgba([10, 200, 20, 255]));
    green
        .save(folder.path().join("brick1.png"))
        .expect("a picture");
    std::fs::write(folder.path().join("tile1.png"), b"none").expect("a file");
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    snapshot.lights = vec![lamp(dvec3(3.0, 3.0, -2.5)), lamp(dvec3(9.0, 3.0, -2.5))];
    let mut studio = OffscreenRenderer::new(size).unwrap_or_else(|error| panic!("{error}"));
    let walls = |pixels: &[u8]| {
        [0.18, 0.345, 0.51, 0.67].map(|x| mean(pixels, size, [x, x + 0.025], [0.35, 0.62]))
    };
    let made = walls(&studio.picture(&snapshot).expect("a picture"));
    let textures = Textures::from_folder(folder.path(), &snapshot.materials);
    let warnings = textures.warnings().to_vec();
    studio.show_textures(&Arc::new(textures));
    let pixels = studio.picture(&snapshot).expect("a picture");
    keep("textures", &pixels, size);
    assert!(
        warnings.len() == 1 && warnings[0].contains("tile1.png"),
        "{warnings:?}"
    );
    let shown = walls(&pixels);
    let [red, grass, blue] = shown[1];
    assert!(
        grass > 2.0 * red && grass > 2.0 * blue,
        "brick is not green: {shown:?}"
    );
    for wall in [0, 2, 3] {
        let changed = (0..3).map(|i| (made[wall][i] - shown[wall][i]).abs());
        assert!(changed.fold(0.0, f64::max) < 4.0, "{made:?} {shown:?}");
    }
}

#[test]
fn a_level_of_the_same_shape_with_other_materials_is_drawn_as_if_it_were_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, colour) in [
        ("brick1", [10, 200, 20, 255]),
        ("plaster1", [200, 10, 20, 255]),
    ] {
        let picture = image::RgbaImage::from_pixel(16, 16, image::Rgba(colour));
        let path = folder.path().join(format!("{name}.png"));
        picture.save(path).expect("a picture");
    }
    // With made materials, and with pictures of one's own.
    for folder in [None, Some(folder.path())] {
        let studio = || {
            let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
            if let Some(folder) = folder {
                let materials = hall().snapshot(DVec3::ZERO, 0.0, 0.0).materials;
                studio.show_textures(&Arc::new(Textures::from_folder(folder, &materials)));
            }
            studio
        };
        let level = |first: usize, second: usize| {
            let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
            snapshot.lights = vec![lamp(dvec3(3.0, 3.0, -2.5)), lamp(dvec3(9.0, 3.0, -2.5))];
            let mut materials = snapshot.materials.to_vec();
            materials.swap(2 * first, 2 * second);
            snapshot.materials = Arc::new(materials);
            snapshot
        };
        let mut one = studio();
        let mut before = one.picture(&level(1, 1)).expect("a picture");
        for (first, second) in [(1, 2), (0, 2)] {
            let level = level(first, second);
            let seen = one.picture(&level).expect("a picture");
            let fresh = studio().picture(&level).expect("a picture");
            let [seen_now, wanted] = [&seen, &fresh].map(|picture| Shown {
                picture,
                control: &before,
            });
            let same = comparer::compare(&seen_now, &wanted, &comparer::SAME);
            assert_eq!(same, Ok(()), "{first} and {second} are swapped");
            before = seen;
        }
    }
}

#[test]
fn bodies_smoke_lines_and_overlays_are_drawn() {
    let size = [480, 270];
    let scene = || hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, -0.1);
    let mut studio = OffscreenRenderer::new(size).unwrap_or_else(|error| panic!("{error}"));
    let mut shot = |name: &str, snapshot: &Snapshot| {
        let pixels = studio
            .picture(snapshot)
            .unwrap_or_else(|error| panic!("{error}"));
        keep(name, &pixels, size);
        pixels
    };
    let lit = |mut snapshot: Snapshot| {
        snapshot.lights = vec![lamp(dvec3(3.0, 3.0, -2.5)), lamp(dvec3(9.0, 3.0, -2.5))];
        snapshot
    };
    let plain = shot("plain", &lit(scene()));
    let changed = |pixels: &[u8]| {
        plain
            .iter()
            .zip(pixels)
            .filter(|(a, b)| a.abs_diff(**b) > 8)
            .count()
    };

    let mut bodies = lit(scene());
    bodies.bodies = (0..60)
        .map(|i| BodyView {
            position: dvec3(
                2.0 + f64::from(i % 12) * 0.7,
                0.2,
                -4.0 + f64::from(i / 12) * 0.8,
            ),
            rotation: DQuat::from_rotation_y(f64::from(i)),
            radius: 0.08 + 0.012 * f64::from(i % 9),
            scale: 1.0,
            shape: BodyShape::Crumb((i % 8) as u32 * 2),
            seed: i as u32,
            rest: Some(Rest {
                share: 1.0,
                normal: DVec3::Y,
                height: 0.2,
                on_level: true,
            }),
            asleep: false,
        })
        .collect();
    let rotation = DQuat::from_rotation_y(0.9);
    let rocket = BodyView {
        position: dvec3(6.5, 1.6, 0.9),
        rotation,
        radius: 0.09,
        scale: 1.0,
        shape: BodyShape::Rocket,
        seed: 0,
        rest: None,
        asleep: false,
    };
    bodies.bodies.push(rocket);
    assert!(changed(&shot("bodies", &bodies)) > 2000);

    let mut smoke = lit(scene());
    smoke.lights.push(LightView {
        position: dvec3(4.5, 1.7, -5.5),
        radius: 9.0,
        colour: [12.0, 7.0, 3.0],
        source: LightSource::Level,
    });
    smoke.sprites = (0..8)
        .map(|i| SpriteView {
            position: dvec3(
                4.5 + 0.3 * f64::from(i % 3),
                1.5 + 0.12 * f64::from(i),
                -5.2 + 0.1 * f64::from(i),
            ),
            radius: 0.7,
            colour: if i < 4 {
                [0.3, 0.28, 0.26, 0.35]
            } else {
                [7.0, 3.0, 0.9, 0.7]
            },
            glow: if i < 4 { 0.1 } else { 1.0 },
            seed: i as u32,
        })
        .collect();
    smoke.scorches = vec![Scorch {
        position: dvec3(4.5, 1.7, -6.0),
        radius: 0.85,
        heat: 0.0,
        strength: 1.0,
    }];
    assert!(changed(&shot("smoke", &smoke)) > 4000);

    let mut lines = lit(scene());
    let colour = [1.0, 0.4, 0.05, 1.0];
    lines.lines = vec![
        Line {
            from: dvec3(1.0, 0.1, -5.0),
            to: dvec3(11.0, 3.0, -5.0),
            colour,
        },
        // From behind the eye, and behind the wall.
        Line {
            from: dvec3(6.5, 1.0, 30.0),
            to: dvec3(6.5, 1.0, -5.0),
            colour,
        },
        Line {
            from: dvec3(0.0, 0.0, -9.0),
            to: dvec3(12.0, 3.0, -9.0),
            colour,
        },
        Line {
            from: dvec3(6.0, 1.0, 40.0),
            to: dvec3(6.0, 1.0, 30.0),
            colour,
        },
    ];
    assert!(changed(&shot("lines", &lines)) > 300);

    let mut wire = lit(scene());
    wire.overlays.wire = true;
    assert!(changed(&shot("wire", &wire)) > 4000);

    let mut heat = lit(scene());
    heat.overlays.heat = true;
    heat.heat = Some(HeatMap {
        size: [4, 2],
        bins: vec![1, 5, 9, 30, 2, 8, 20, 60],
    });
    assert!(changed(&shot("heat", &heat)) > 100_000);

    assert_eq!(
        shot("plain", &lit(scene())),
        plain,
        "the same snapshot is the same picture"
    );
}

/// A hall of brick, 10 m long, with a column of 37.5 cm by 37.5 cm by 4 m and a neck of 3 cm in it.
fn column_with_a_neck() -> breach::sim::Sim {
    let boxes: [[[i32; 3]; 2]; 9] = [
        [[-64, -320, -64], [384, 320, 0]],
        [[-64, -320, 192], [384, 320, 256]],
        [[-64, -320, 0], [0, 320, 192]],
        [[320, -320, 0], [384, 320, 192]],
        [[0, -320, 0], [320, -256, 192]],
        [[0, 256, 0], [320, 320, 192]],
        [[162, 2, 0], [174, 14, 40]],
        [[168, 8, 40], [169, 9, 56]],
        [[162, 2, 56], [174, 14, 128]],
    ];
    let mut map = String::from("{\n\"classname\" \"worldspawn\"\n");
    for corners in boxes {
        let [low, high] = corners.map(|corner| corner.map(f64::from));
        map += &brush(low, high, "brick");
    }
    map += "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 0 24\"\n}\n";
    map += "{\n\"classname\" \"light\"\n\"origin\" \"100 -64 80\"\n\"light\" \"400\"\n}\n";
    let level = breach::level::read_map(map.as_bytes()).expect("a level");
    let settings = breach::sim::Settings {
        strength: 1.0,
        ..Default::default()
    };
    breach::sim::Sim::new(level, 1, settings, &mut breach::timing::Silent).expect("a world")
}

#[test]
fn beside_a_neck_a_column_is_red_elsewhere_blue_and_the_ground_is_grey() {
    let sim = column_with_a_neck();
    let camera = Camera {
        eye: dvec3(2.5, 1.5, -0.25),
        yaw: -std::f64::consts::FRAC_PI_2,
        pitch: 0.0,
        fov_y: 1.2,
        aspect: 16.0 / 9.0,
    };
    let overlays = Overlays {
        stress: true,
        ..Overlays::default()
    };
    let mut snapshot = breach::view::snapshot(&sim, camera, overlays, 1.0);
    // Where nothing is known, nothing has a colour.
    let is_grey = |[r, g, b]: [f64; 3]| (r - g).abs() < 6.0 && (g - b).abs() < 6.0;
    let half_height = 2.5625 * libm::tan(0.6);
    let part = |low: f64, high: f64| {
        let rows = [high, low].map(|y| 0.5 - (y - 1.5) / half_height / 2.0);
        move |pixels: &[u8]| mean(pixels, SIZE, [0.48, 0.52], rows)
    };
    let beside_the_neck = [part(1.05, 1.2), part(1.8, 1.95)];
    let elsewhere = [part(0.55, 0.95), part(2.1, 2.4), part(2.6, 2.9)];
    let before = draw("stress-unknown", &snapshot, SIZE);
    for at in beside_the_neck.iter().chain(&elsewhere) {
        assert!(is_grey(at(&before)), "{:?}", at(&before));
    }
    let mut look = breach::view::StructureLook::default();
    look.look_through(&sim, (dvec3(5.0625, 3.0, -0.25), DVec3::NEG_X));
    snapshot.stress = look.stress(&sim);
    let after = draw("stress-neck", &snapshot, SIZE);
    for at in &beside_the_neck {
        let [r, g, b] = at(&after);
        assert!(r > 1.4 * g && r > 3.0 * b, "{r} {g} {b}");
    }
    for at in &elsewhere {
        let [r, g, b] = at(&after);
        assert!(b > 1.5 * r && b > g, "{r} {g} {b}");
    }
    let wall = mean(&after, SIZE, [0.75, 0.95], [0.2, 0.6]);
    assert!(is_grey(wall), "{wall:?}");
    // The lines of the bonds are seen through the column, in its colours.
    snapshot.overlays.stress = false;
    let plain = draw("bonds-none", &snapshot, SIZE);
    snapshot.lines = look.bond_lines(&sim, snapshot.camera.eye);
    let lines = draw("bonds-neck", &snapshot, SIZE);
    let redder = |y: [f64; 2]| {
        let rows = [y[1], y[0]].map(|y| 0.5 - (y - 1.5) / half_height / 2.0);
        let [a, b] = [&plain, &lines].map(|p| mean(p, SIZE, [0.45, 0.55], rows));
        (b[0] - b[2]) - (a[0] - a[2])
    };
    let [neck, rest] = [redder([1.25, 1.75]), redder([2.1, 2.9])];
    assert!(neck > 1.0 && rest < 0.0, "{neck} {rest}");
}

#[test]
fn fine_lines_are_a_pixel_wide_fainter_far_away_and_dimmer_behind_walls() {
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let mut draw = |fine_lines: Vec<Line>| {
        let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
        snapshot.fine_lines = fine_lines;
        let pixels = studio.picture(&snapshot);
        pixels.unwrap_or_else(|error| panic!("{error}"))
    };
    let plain = draw(Vec::new());
    // Level with the eye across the picture's middle column, so many metres ahead.
    let across = |ahead: f64| {
        let z = 2.4 - ahead;
        Line {
            from: dvec3(6.0 - ahead, 1.8, z),
            to: dvec3(6.0 + ahead, 1.8, z),
            colour: [1.0, 1.0, 0.0, 1.0],
        }
    };
    // How much each row of a column near the middle differs.
    let mut rows = |line: Line| -> Vec<u32> {
        let pixels = draw(vec![line]);
        let [width, height] = SIZE.map(|side| side as usize);
        let at = |y: usize| (y * width + width / 2) * 4;
        let differs = |y: usize| {
            let pair = pixels[at(y)..][..3].iter().zip(&plain[at(y)..][..3]);
            pair.map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
        };
        (0..height).map(differs).collect()
    };
    let mut strength = |ahead| {
        let rows = rows(across(ahead));
        let touched = rows.iter().filter(|differs| **differs > 8).count();
        assert!((1..=2).contains(&touched), "{ahead}: {touched} rows");
        rows.iter().sum::<u32>()
    };
    // The back wall is 8.4 metres ahead.
    let [near, far, behind] = [2.0, 8.0, 9.0].map(&mut strength);
    assert!(near > far + far / 4, "{near} {far}");
    assert!(far > 2 * behind && behind > 0, "{far} {behind}");
}

#[test]
fn every_puff_of_smoke_is_another_and_none_stands_still() {
    let mut studio = OffscreenRenderer::new(SIZE).unwrap_or_else(|error| panic!("{error}"));
    let mut draw = |seed, seconds| {
        let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
        snapshot.seconds = seconds;
        snapshot.sprites = vec![SpriteView {
            position: dvec3(6.0, 1.7, -1.0),
            radius: 1.2,
            colour: [6.0, 6.0, 6.0, 0.9],
            glow: 1.0,
            seed,
        }];
        let pixels = studio.picture(&snapshot);
        pixels.unwrap_or_else(|error| panic!("{error}"))
    };
    let differing =
        |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    let first = draw(100, 1.0);
    assert!(differing(&first, &draw(500, 1.0)) > 1000);
    assert!(differing(&first, &draw(100, 3.0)) > 1000);
    assert_eq!(differing(&first, &draw(100, 1.0)), 0);
}

#[test]
fn a_fast_picture_shows_the_same() {
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    snapshot.sprites = vec![SpriteView {
        position: dvec3(4.0, 0.4, -3.0),
        radius: 0.8,
        colour: [0.4, 0.4, 0.4, 0.8],
        glow: 0.0,
        seed: 3,
    }];
    let [fine, fast] = [Quality::PICTURE, Quality::FAST].map(|quality| {
        let studio = OffscreenRenderer::with_quality(SIZE, quality);
        let mut studio = studio.unwrap_or_else(|error| panic!("{error}"));
        let pixels = studio.picture(&snapshot);
        pixels.unwrap_or_else(|error| panic!("{error}"))
    });
    // A little brighter, as corners do not darken.
    for row in 0..4 {
        for column in 0..6 {
            let part = |i: i32, of: i32| f64::from(i) / f64::from(of);
            let (x, y) = (
                [part(column, 6), part(column + 1, 6)],
                [part(row, 4), part(row + 1, 4)],
            );
            let [a, b] = [&fine, &fast].map(|pixels| mean(pixels, SIZE, x, y));
            let off = (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
            assert!(off < 30.0, "{column}, {row}: {a:?} and {b:?}");
        }
    }
    assert_ne!(fine, fast);
}

#[test]
fn a_room_is_uploaded_again_only_when_its_revision_changes() {
    let gpu = breach::render::gpu::request(&breach::render::gpu::instance(), None);
    let gpu = gpu.unwrap_or_else(|error| panic!("{error}"));
    let format = wgpu::TextureFormat::Bgra8Unorm;
    let quality = Quality::FAST;
    let mut renderer = breach::render::Renderer::new(&gpu.device, &gpu.queue, format, quality);
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    let mut uploaded = |snapshot: &Snapshot| {
        renderer
            .upload(&gpu.device, &gpu.queue, snapshot)
            .rooms_uploaded
    };
    assert_eq!(uploaded(&snapshot), 1);
    assert_eq!(uploaded(&snapshot), 0);
    snapshot.rooms[0].revision = Revision::next();
    assert_eq!(uploaded(&snapshot), 1);
    assert_eq!(gpu.take_fault(), None);
}

#[test]
fn the_card_says_how_long_it_works_on_each_pass() {
    let snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    let mut studio = OffscreenRenderer::new([320, 180]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(studio.gpu_ms(), None, "nothing was drawn yet");
    let mut draw = || {
        let drawn = studio.picture(&snapshot);
        drawn.unwrap_or_else(|error| panic!("{error}"));
        studio.gpu_ms()
    };
    let Some(passes) = draw() else {
        println!("NOT RUN: this adapter has no timestamps");
        return;
    };
    let sound = |ms: &f32| (0.0..60_000.0).contains(ms);
    assert!(passes.iter().all(sound), "{passes:?}");
    assert!(passes.iter().sum::<f32>() > 0.0, "{passes:?}");
    assert_ne!(draw(), Some(passes), "each picture has its own times");
}

#[test]
fn far_more_blasts_leave_soot_than_any_room_has() {
    let size = [480, 270];
    let mut scene = Scene::default();
    scene.wall(dvec3(0.0, 0.0, -12.0), DVec3::Z * 12.0, DVec3::X * 12.0, 4);
    let mut snapshot = scene.snapshot(dvec3(6.0, 9.0, -6.0), 0.0, -1.5);
    snapshot.lights = vec![lamp(dvec3(6.0, 6.0, -6.0))];
    let clean = draw("clean", &snapshot, size);
    let place = |i: u32| {
        dvec3(
            2.0 + 0.8 * f64::from(i % 11),
            0.0,
            -10.0 + 0.8 * f64::from(i / 11),
        )
    };
    let count = 11 * 11;
    snapshot.scorches = (0..count)
        .map(|i| Scorch {
            position: place(i),
            radius: 0.26,
            heat: 0.0,
            // Every tenth is too far away.
            strength: if i % 10 == 0 { 0.0 } else { 1.0 },
        })
        .collect();
    let black = draw("sooty", &snapshot, size);
    for i in 0..count {
        let at = |pixels: &[u8]| bright_at(pixels, size, &snapshot, place(i));
        let (before, after) = (at(&clean), at(&black));
        match i % 10 {
            0 => assert!(after > 0.9 * before, "{i}: {before} {after}"),
            _ => assert!(after < 0.75 * before, "{i}: {before} {after}"),
        }
    }
}

#[test]
fn a_picture_of_no_size_or_beyond_8k_is_refused_and_an_odd_one_is_drawn() {
    let snapshot = hall().snapshot(dvec3(6.0, 1.7, 2.4), 0.0, 0.0);
    assert!(picture(&snapshot, [0, 100]).is_err());
    assert!(picture(&snapshot, [100, 8193]).is_err());
    let pixels = draw("odd", &snapshot, [101, 33]);
    assert_eq!(pixels.len(), 101 * 33 * 4);
}

/// A crumb of a material with its middle at a place, on the floor.
fn crumb(position: DVec3, radius: f64, material: u32, seed: u32) -> BodyView {
    let turn = f64::from(seed);
    BodyView {
        rotation: DQuat::from_euler(glam::EulerRot::YXZ, turn, turn * 0.7, turn * 1.3),
        shape: BodyShape::Crumb(material),
        seed,
        rest: Some(Rest {
            share: 1.0,
            normal: DVec3::Y,
            height: radius,
            on_level: true,
        }),
        ..stone(position, radius)
    }
}

#[test]
fn crumbs_look_the_same_in_whatever_order_they_come_and_with_others_gone() {
    let size = [480, 270];
    let mut studio = OffscreenRenderer::new(size).unwrap_or_else(|error| panic!("{error}"));
    let mut snapshot = hall().snapshot(dvec3(6.0, 1.7, 0.5), 0.0, -0.5);
    snapshot.lights = vec![lamp(dvec3(6.0, 3.0, -1.5))];
    let place = |i: u32| {
        dvec3(
            3.5 + 0.3 * f64::from(i % 18),
            0.14,
            -3.0 + f64::from(i / 18),
        )
    };
    snapshot.bodies = (0..36)
        .map(|i| crumb(place(i), 0.14, i % 8 * 2, i))
        .collect();
    let mut draw = |snapshot: &Snapshot| studio.picture(snapshot).expect("a picture");
    let first = draw(&snapshot);
    // Factors are rounded between two crumbs that shade one pixel.
    let differ = |one: &[u8], two: &[u8]| {
        let pairs = one.iter().zip(two);
        pairs.filter(|(a, b)| a.abs_diff(**b) > 4).count()
    };
    snapshot.bodies.reverse();
    let turned = draw(&snapshot);
    assert!(differ(&first, &turned) < 40, "{}", differ(&first, &turned));
    // Those in front go: the rows behind stay as they are.
    snapshot.bodies.retain(|body| body.seed < 18);
    let behind = draw(&snapshot);
    let rows = size[0] as usize * 4 * 100;
    assert!(differ(&first[..rows], &behind[..rows]) < 40);
    assert!(differ(&first, &behind) > 2000);
}

/// Crumbs of every look, a row each in front of its wall: `BREACH_KEEP_PICTURES=folder cargo test --test pictures -- --ignored`.
#[test]
#[ignore = "makes pictures to be looked at; nothing is checked"]
fn crumbs_of_every_look() {
    for (name, quality) in [("", Quality::PICTURE), ("-fast", Quality::FAST)] {
        let size = [1280, 720];
        let mut studio = OffscreenRenderer::with_quality(size, quality)
            .unwrap_or_else(|error| panic!("{error}"));
        for (back, x) in [(true, 3.0), (true, 9.0), (false, 3.0), (false, 9.0)] {
            let first = if back { 0 } else { 4 } + if x < 6.0 { 0 } else { 2 };
            let side = if back { -1.0 } else { 1.0 };
            let wall = if back { -6.0 } else { 3.0 };
            let mut snapshot = hall().snapshot(
                dvec3(x, 1.3, wall - side * 2.6),
                if back { 0.0 } else { std::f64::consts::PI },
                -0.42,
            );
            snapshot.lights = vec![lamp(dvec3(x, 3.0, wall - side * 2.0))];
            for i in 0..120u32 {
                let look = i % 2;
                let along = f64::from(i * 7919 % 1000) / 1000.0;
                let out = f64::from(i * 104_729 % 997) / 997.0;
                let radius = 0.03 + 0.13 * (f64::from(i * 31 % 100) / 100.0).powi(3);
                let at = dvec3(
                    x - 3.0 + 3.0 * f64::from(look) + 0.4 + 2.2 * along,
                    radius,
                    wall - side * (0.2 + 1.7 * out),
                );
                let material = (first + look) * 2;
                snapshot.bodies.push(crumb(at, radius, material, i));
            }
            let pixels = studio.picture(&snapshot).expect("a picture");
            keep(&format!("crumbs-{first}{name}"), &pixels, size);
        }
    }
}

/// Large pictures for the eye: `BREACH_KEEP_PICTURES=folder cargo test --test pictures -- --ignored`.
#[test]
#[ignore = "makes pictures to be looked at; nothing is checked"]
fn pictures_to_look_at() {
    let size = [1280, 720];
    let mut studio = OffscreenRenderer::new(size).unwrap_or_else(|error| panic!("{error}"));
    let views = [
        ("look_hall", dvec3(6.0, 1.7, 2.4), 0.0, 0.0),
        (
            "look_back",
            dvec3(6.0, 1.7, -5.4),
            std::f64::consts::PI,
            0.0,
        ),
        ("look_brick", dvec3(4.5, 1.7, -3.2), 0.2, 0.0),
        ("look_plaster_tile", dvec3(8.9, 1.8, -3.0), 0.0, 0.0),
        (
            "look_metal_wood",
            dvec3(3.0, 1.7, -0.2),
            std::f64::consts::PI,
            0.0,
        ),
        (
            "look_rock_soil",
            dvec3(9.0, 1.7, -0.2),
            std::f64::consts::PI,
            0.0,
        ),
    ];
    for (name, eye, yaw, pitch) in views {
        let mut snapshot = hall().snapshot(eye, yaw, pitch);
        snapshot.lights = vec![lamp(dvec3(3.0, 3.0, -1.5)), lamp(dvec3(9.0, 3.0, -1.5))];
        snapshot.scorches = (0..8)
            .map(|i| {
                let z = if i < 4 { -6.0 } else { 3.0 };
                Scorch {
                    position: dvec3(1.5 + 3.0 * f64::from(i % 4), 1.7, z),
                    radius: 0.85,
                    heat: 0.0,
                    strength: 1.0,
                }
            })
            .collect();
        let pixels = studio
            .picture(&snapshot)
            .unwrap_or_else(|error| panic!("{error}"));
        keep(name, &pixels, size);
    }
}
