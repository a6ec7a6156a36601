//! Every format, every rule of the search, and broken files.
use super::*;
use crate::level::Pictures;
use crate::render::styles::LAYER_SIZE;
use crate::world::Material;
use glam::DVec3;
use limits::{MAX_IMAGES, MAX_SIDE};
use std::path::PathBuf;
use tempfile::TempDir;
use wads::{miptex, palette, pcx, tga, wad, wal};

#[path = "../../../tests/wads/mod.rs"]
mod wads;

fn materials(names: &[&str]) -> Vec<Material> {
    let material = |name: &&str| Material {
        texture: (*name).into(),
        u: DVec3::X,
        v: DVec3::Y,
        offset: [0.0; 2],
        inner: false,
        hardness: 1.0,
    };
    names.iter().map(material).collect()
}

/// A folder with these files; folders on the way are made.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, bytes).expect("written");
    }
    folder
}

/// The textures of a level at `map` in a folder that names `wads`.
fn find(folder: &TempDir, map: &str, wads: &[&str], names: &[&str]) -> Textures {
    let level = Pictures {
        wads: wads.iter().map(|&name| name.to_owned()).collect(),
        fitted: Vec::new(),
    };
    let map = folder.path().join(map);
    Textures::find(&materials(names), &level, Some(&map), None)
}

fn shown<'a>(textures: &'a Textures, name: &str) -> &'a TextureImage {
    let found = textures.image_of(name);
    found
        .unwrap_or_else(|| panic!("{name}: {:?}", textures.warnings()))
        .1
}

fn is_shown(textures: &Textures, name: &str) -> bool {
    textures.image_of(name).is_some()
}

/// Colour n of [`palette`].
fn colour(n: u8) -> [u8; 4] {
    [n, 255 - n, n / 2, 255]
}

/// A WAD2 with plain pictures of 16 × 16 of these names and numbers.
fn plain_wad(names: &[(&str, u8)]) -> Vec<u8> {
    let lumps: Vec<_> = names
        .iter()
        .map(|&(name, n)| (name, 0x44, miptex(name, [16, 16], |_, _| n, None)))
        .collect();
    wad(b"WAD2", &lumps)
}

#[test]
fn a_wad2_is_coloured_by_the_palette_beside_it() {
    let picture = miptex("Wall1", [32, 16], |x, y| (x + 32 * (y % 7)) as u8, None);
    let lumps = [
        ("text", 0x42, vec![1, 2, 3]),
        ("Wall1", 0x44, picture),
        ("late", 0x44, miptex("late", [16, 16], |_, _| 9, None)),
    ];
    let level = folder(&[
        ("base.wad", &wad(b"WAD2", &lumps)),
        ("palette.lmp", &palette()),
    ]);
    let textures = find(
        &level,
        "a.map",
        &["base.wad"],
        &["wall1", "WALL1", "text", "none"],
    );
    assert_eq!(textures.warnings(), [""; 0]);
    for name in ["wall1", "WALL1"] {
        let TextureImage {
            size,
            sides,
            rgba,
            is_cut,
        } = shown(&textures, name);
        assert_eq!((*size, *sides, *is_cut), ([32, 16], [32, 16], false));
        let wanted = (0..16).flat_map(|y| (0..32).flat_map(move |x| colour(x + 32 * (y % 7))));
        assert!(rgba.iter().copied().eq(wanted));
    }
    assert!(!is_shown(&textures, "text") && !is_shown(&textures, "none"));
    assert_eq!(
        textures.tally().words(),
        "2 of 4 with an image",
        "{:?}",
        textures.tally()
    );
}

#[test]
fn a_wad3_has_a_palette_for_each_picture_and_a_brace_cuts_holes() {
    let fence = |x: u32, _| if x < 8 { 255 } else { 40 };
    let lumps = [
        (
            "{fence",
            0x43,
            miptex("{fence", [16, 16], fence, Some(&palette())),
        ),
        (
            "solid",
            0x43,
            miptex("solid", [16, 16], fence, Some(&palette())),
        ),
        (
            "few",
            0x43,
            miptex("few", [16, 16], |x, _| x as u8, Some(&palette()[..6])),
        ),
    ];
    let level = folder(&[("half.wad", &wad(b"WAD3", &lumps))]);
    let textures = find(&level, "a.map", &["HALF.WAD"], &["{fence", "solid", "few"]);
    assert_eq!(textures.warnings(), [""; 0]);
    let cut = shown(&textures, "{fence");
    assert!(cut.is_cut);
    // Holes have the colour of the rest, so that their rims are not tinted.
    assert_eq!(cut.rgba[..4], [40, 215, 20, 0]);
    assert_eq!(cut.rgba[32..36], colour(40));
    let solid = shown(&textures, "solid");
    assert!(!solid.is_cut);
    assert_eq!(solid.rgba[..4], colour(255));
    let few = shown(&textures, "few");
    assert_eq!(few.rgba[4..12], [colour(1), [0, 0, 0, 255]].concat());
}

#[test]
fn a_sky_of_two_halves_is_laid_together_and_an_animation_shows_its_first_frame() {
    // Clouds (0: none) over the background.
    let sky = |x: u32, y: u32| match (x < 16, y < 8) {
        (true, true) => 0,
        (true, false) => 70,
        (false, _) => 30,
    };
    let lumps = [
        ("sky1", 0x44, miptex("sky1", [32, 16], sky, None)),
        ("+0torch", 0x44, miptex("+0torch", [16, 16], |_, _| 1, None)),
        ("+1torch", 0x44, miptex("+1torch", [16, 16], |_, _| 2, None)),
        ("+atorch", 0x44, miptex("+atorch", [16, 16], |_, _| 3, None)),
        ("+5alone", 0x44, miptex("+5alone", [16, 16], |_, _| 4, None)),
        ("*lava", 0x44, miptex("*lava", [16, 16], |_, _| 5, None)),
    ];
    let files: &[(&str, &[u8])] = &[
        ("a.wad", &wad(b"WAD2", &lumps)),
        ("gfx/palette.lmp", &palette()),
        ("textures/#slime.tga", &tga([4, 4], |_, _| [1, 2, 3, 255])),
    ];
    let names = ["sky1", "+1torch", "+atorch", "+5alone", "*lava", "*slime"];
    let textures = find(&folder(files), "a.map", &["a.wad"], &names);
    assert_eq!(textures.warnings(), [""; 0]);
    let sky = shown(&textures, "sky1");
    assert_eq!(sky.size, [16, 16]);
    assert_eq!(sky.rgba[..4], colour(30));
    assert_eq!(sky.rgba[16 * 16 * 4 - 4..], colour(70));
    for (name, number) in [("+1torch", 1), ("+atorch", 3), ("+5alone", 4), ("*lava", 5)] {
        assert_eq!(shown(&textures, name).rgba[..4], colour(number), "{name}");
    }
    assert_eq!(shown(&textures, "*slime").rgba[..4], [1, 2, 3, 255]);
}

#[test]
fn folders_of_quake_2_and_3_are_read_by_the_path_of_a_texture() {
    let png = |red: u8| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::RgbaImage::from_pixel(3, 5, image::Rgba([red, 0, 0, 9]));
        let format = image::ImageFormat::Png;
        picture.write_to(&mut bytes, format).expect("written");
        bytes.into_inner()
    };
    let mut jpeg = std::io::Cursor::new(Vec::new());
    let grey = image::RgbImage::from_pixel(16, 16, image::Rgb([90, 90, 90]));
    grey.write_to(&mut jpeg, image::ImageFormat::Jpeg)
        .expect("written");
    let files: &[(&str, &[u8])] = &[
        ("pics/colormap.pcx", &pcx(&palette())),
        (
            "textures/e1u1/Floor1.WAL",
            &wal("e1u1/floor1", [16, 32], |x, _| x as u8),
        ),
        // WAL first: levels rely on its size.
        ("textures/e1u1/floor1.png", &png(1)),
        (
            "textures/base_wall/metal.tga",
            &tga([8, 8], |x, _| [x as u8, 7, 7, 0]),
        ),
        ("textures/base_wall/concrete.jpg", jpeg.get_ref()),
        ("textures/base_floor/metal.png", &png(2)),
        ("textures/top.png", &png(3)),
    ];
    let level = folder(files);
    let names = [
        "e1u1/floor1",
        "base_wall/metal",
        "textures/base_wall/concrete",
        "base_floor\\METAL",
        "other/top",
        "concrete",
        "other/concrete",
    ];
    // Beside the map, and where the map lies in maps/.
    std::fs::create_dir(level.path().join("maps")).expect("made");
    for map in ["a.map", "maps/a.map"] {
        let textures = find(&level, map, &[], &names);
        assert_eq!(textures.warnings(), [""; 0]);
        let floor = shown(&textures, "e1u1/floor1");
        assert_eq!((floor.size, &floor.rgba[4..8]), ([16, 32], &colour(1)[..]));
        let metal = shown(&textures, "base_wall/metal");
        // Alpha is no hole without a brace.
        assert_eq!(
            (metal.is_cut, &metal.rgba[4..8]),
            (false, &[1, 7, 7, 255][..])
        );
        assert_eq!(
            shown(&textures, "base_floor\\METAL").rgba[..4],
            [2, 0, 0, 255]
        );
        assert_eq!(shown(&textures, "other/top").rgba[..4], [3, 0, 0, 255]);
        for name in ["textures/base_wall/concrete", "concrete"] {
            let grey = shown(&textures, name).rgba[0];
            assert!(grey.abs_diff(90) < 4, "{name}: {grey}");
        }
        assert!(!is_shown(&textures, "other/concrete"));
    }
}

#[test]
fn a_picture_that_is_larger_than_a_layer_keeps_its_size_on_the_map() {
    let big = tga([1024, 16], |x, _| {
        if x < 512 {
            [200, 0, 0, 255]
        } else {
            [0, 0, 200, 255]
        }
    });
    let hole = tga([16, 16], |x, _| [10, 20, 30, if x < 8 { 100 } else { 200 }]);
    let level = folder(&[("textures/big.tga", &big), ("textures/{hole.tga", &hole)]);
    let textures = find(&level, "a.map", &[], &["big", "{hole"]);
    let big = shown(&textures, "big");
    assert_eq!((big.size, big.sides), ([1024, 16], [LAYER_SIZE, 16]));
    assert_eq!(big.rgba.len(), (LAYER_SIZE * 16 * 4) as usize);
    assert_eq!(big.rgba[..4], [200, 0, 0, 255]);
    let hole = shown(&textures, "{hole");
    assert!(hole.is_cut);
    assert_eq!((hole.rgba[3], hole.rgba[35]), (0, 255));
}

#[test]
fn without_any_palette_the_colours_are_our_own_and_a_warning_names_them_once() {
    let level = folder(&[
        ("a.wad", &plain_wad(&[("one", 200), ("two", 100)])),
        ("textures/x/three.wal", &wal("x/three", [16, 16], |_, _| 3)),
    ]);
    let names = ["one", "two", "x/three"];
    let textures = find(&level, "a.map", &["a.wad"], &names);
    let own = palette::Palette::own();
    assert_eq!(own.colours.len(), palette::COLOURS);
    let [r, g, b] = own.colours[200];
    assert_eq!(shown(&textures, "one").rgba[..4], [r, g, b, 255]);
    let warnings = textures.warnings();
    assert!(
        matches!(warnings, [one] if one.contains("a.wad") && one.contains(OWN_PALETTE)),
        "{warnings:?}"
    );
    // Colours can be told apart.
    let mut sorted = own.colours.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert!(sorted.len() > 250, "{}", sorted.len());
    // A palette within a WAD of the level, and one in the chosen folder.
    let inside = wad(b"WAD2", &[("PALETTE", 0x40, palette())]);
    std::fs::write(level.path().join("b.wad"), inside).expect("written");
    let textures = find(&level, "a.map", &["a.wad", "b.wad"], &names);
    assert_eq!(textures.warnings(), [""; 0]);
    assert_eq!(shown(&textures, "two").rgba[..4], colour(100));
    let chosen = folder(&[
        ("a.wad", &plain_wad(&[("one", 7)])),
        ("palette.lmp", &palette()),
    ]);
    let textures = Textures::from_folder(chosen.path(), &materials(&["one"]));
    assert_eq!(shown(&textures, "one").rgba[..4], colour(7));
}

#[test]
fn wads_are_looked_for_in_known_folders_alone() {
    let files: &[(&str, &[u8])] = &[
        ("deep/maps/x.txt", b""),
        ("deep/maps/here.wad", &plain_wad(&[("here", 1)])),
        ("deep/maps/wads/Below.WAD", &plain_wad(&[("below", 2)])),
        (
            "deep/maps/textures/set/among.wad",
            &plain_wad(&[("among", 3)]),
        ),
        ("deep/above.wad", &plain_wad(&[("above", 4)])),
        ("outside.wad", &plain_wad(&[("outside", 5)])),
        ("deep/maps/other/aside.wad", &plain_wad(&[("aside", 6)])),
        ("deep/maps/unasked.wad", &plain_wad(&[("unasked", 7)])),
        ("deep/maps/beside.png", b"no texture"),
        ("deep/palette.lmp", &palette()),
    ];
    let level = folder(files);
    let names = [
        "here", "below", "among", "above", "outside", "aside", "unasked", "beside",
    ];
    let asked = [
        "here.wad",
        "below.wad",
        "among.wad",
        "above.wad",
        "outside.wad",
        "aside.wad",
    ];
    let textures = find(&level, "deep/maps/a.map", &asked, &names);
    assert_eq!(textures.warnings(), [""; 0]);
    let seen: Vec<_> = names
        .into_iter()
        .filter(|n| is_shown(&textures, n))
        .collect();
    assert_eq!(seen, ["here", "below", "among", "above"]);
    assert_eq!(
        textures.tally().words(),
        "4 of 8 with an image; not found: outside.wad, aside.wad"
    );
    // Elsewhere the folder above is not searched.
    std::fs::rename(
        level.path().join("deep/maps"),
        level.path().join("deep/levels"),
    )
    .expect("moved");
    let textures = find(&level, "deep/levels/a.map", &asked, &names);
    assert!(is_shown(&textures, "here") && !is_shown(&textures, "above"));
}

#[test]
fn the_levels_own_wads_come_before_what_lies_in_the_chosen_folder() {
    let level = folder(&[
        ("first.wad", &plain_wad(&[("a", 1), ("b", 1)])),
        ("second.wad", &plain_wad(&[("b", 2), ("c", 2)])),
        ("palette.lmp", &palette()),
    ]);
    let chosen = folder(&[
        ("d.tga", &tga([4, 4], |_, _| [4, 4, 4, 255])),
        ("c.tga", &tga([4, 4], |_, _| [4, 4, 4, 255])),
        ("any/any.wad", &plain_wad(&[("a", 3), ("d", 3), ("e", 3)])),
        ("any/palette.lmp", &palette()),
        ("third.wad", &plain_wad(&[("f", 9)])),
    ]);
    let asked = Pictures {
        wads: ["first.wad", "second.wad", "third.wad"]
            .map(str::to_owned)
            .to_vec(),
        fitted: Vec::new(),
    };
    let names = ["a", "b", "c", "d", "e", "f"];
    let map = level.path().join("a.map");
    let textures = Textures::find(&materials(&names), &asked, Some(&map), Some(chosen.path()));
    let red = names.map(|name| shown(&textures, name).rgba[0]);
    assert_eq!(red[..5], [1, 1, 2, 4, 3]);
    assert_eq!(textures.tally().missing_wads, [""; 0]);
    // A missing folder is a warning.
    let none = chosen.path().join("none");
    let textures = Textures::from_folder(&none, &materials(&names));
    assert!(matches!(textures.warnings(), [one] if one.contains("none")));
}

#[test]
fn what_is_broken_or_too_large_is_passed_over_with_a_warning() {
    let wide = |width: u32| {
        let mut bytes = miptex("x", [16, 16], |_, _| 1, None);
        bytes[16..20].copy_from_slice(&width.to_le_bytes());
        bytes
    };
    let lumps = [
        ("none", 0x44, wide(0)),
        ("wide", 0x44, wide(1 << 20)),
        ("short", 0x44, wide(64)),
        ("head", 0x44, vec![0; 20]),
        ("bare", 0x43, miptex("bare", [16, 16], |_, _| 1, None)),
        ("good", 0x44, miptex("good", [16, 16], |_, _| 1, None)),
    ];
    let mut broken = wad(b"WAD2", &lumps);
    let mut many = wad(b"WAD2", &[]);
    many[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    let files: &[(&str, &[u8])] = &[
        ("lumps.wad", &broken.clone()),
        ("magic.wad", b"PACK00000000"),
        ("tiny.wad", b"WAD2"),
        ("many.wad", &many),
        ("textures/noise.png", b"no picture"),
        ("textures/noise.tga", b"no picture"),
        ("textures/half.wal", &wal("half", [16, 16], |_, _| 1)[..200]),
        ("palette.lmp", &palette()),
    ];
    let level = folder(files);
    let wads = ["lumps.wad", "magic.wad", "tiny.wad", "many.wad"];
    let names = [
        "none", "wide", "short", "head", "bare", "good", "noise", "half",
    ];
    let textures = find(&level, "a.map", &wads, &names);
    assert!(is_shown(&textures, "good"));
    assert_eq!(textures.tally().found, 1);
    let warnings = textures.warnings().join("\n");
    for word in [
        "magic.wad",
        "tiny.wad",
        "many.wad",
        "none:",
        "wide:",
        "short:",
        "head:",
        "bare:",
        "noise.png",
        "half.wal",
    ] {
        assert!(warnings.contains(word), "{word} is not in {warnings}");
    }
    assert_eq!(textures.warnings().len(), 10, "{warnings}");
    // A directory beyond the end.
    broken.truncate(broken.len() - 1);
    std::fs::write(level.path().join("lumps.wad"), &broken).expect("written");
    let textures = find(&level, "a.map", &["lumps.wad"], &["good"]);
    assert!(textures.warnings()[0].contains("past the end of the file"));
    // A sparse file of 100 GB, and an image with a false header.
    let large = std::fs::File::create(level.path().join("textures/large.png"));
    large
        .and_then(|file| file.set_len(100 << 30))
        .expect("made");
    let mut head = tga([8, 8], |_, _| [0; 4]);
    head[12..16].fill(255);
    std::fs::write(level.path().join("textures/lies.tga"), head).expect("written");
    let textures = find(&level, "a.map", &[], &["large", "lies"]);
    let warnings = textures.warnings();
    assert!(
        matches!(warnings, [a, b] if a.contains("larger than 64 MiB") && b.contains("lies.tga")),
        "{warnings:?}"
    );
}

#[test]
fn of_more_pictures_than_there_are_places_the_rest_is_counted() {
    let names: Vec<String> = (0..MAX_IMAGES + 3)
        .map(|i| format!("wall_{i:04}"))
        .collect();
    let level = folder(&[("palette.lmp", &palette())]);
    std::fs::create_dir(level.path().join("textures")).expect("made");
    let dot = tga([1, 1], |_, _| [9, 9, 9, 255]);
    for name in &names {
        let path = level
            .path()
            .join("textures")
            .join(name)
            .with_extension("tga");
        std::fs::write(path, &dot).expect("written");
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let textures = find(&level, "a.map", &[], &names);
    assert_eq!(textures.tally().found, MAX_IMAGES);
    let warnings = textures.warnings();
    assert!(
        matches!(warnings, [one] if one.contains(names[MAX_IMAGES]) && one.contains("and 2 more")),
        "{warnings:?}"
    );
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read_and_nothing_is_waited_for() {
    use std::os::unix::fs::symlink;
    let level = folder(&[
        ("textures/keep.txt", b""),
        ("real/real.wad", &plain_wad(&[("linked", 1)])),
        ("palette.lmp", &palette()),
    ]);
    let path = |name: &str| level.path().join(name);
    for name in ["pipe.wad", "textures/pipe.png", "textures/pipe.wal"] {
        let mut mkfifo = std::process::Command::new("mkfifo");
        assert!(mkfifo.arg(path(name)).status().expect("mkfifo").success());
    }
    symlink("/dev/zero", path("zero.wad")).expect("linked");
    symlink("pipe.wad", path("topipe.wad")).expect("linked");
    symlink("real/real.wad", path("link.wad")).expect("linked");
    symlink(".", path("textures/round")).expect("linked");
    std::fs::create_dir(path("folder.wad")).expect("made");
    std::fs::create_dir(path("textures/folder.png")).expect("made");
    let wads = [
        "pipe.wad",
        "zero.wad",
        "topipe.wad",
        "link.wad",
        "folder.wad",
    ];
    let textures = find(&level, "a.map", &wads, &["pipe", "linked", "folder"]);
    assert!(is_shown(&textures, "linked"));
    assert_eq!(textures.tally().missing_wads, ["folder.wad"]);
    let warnings = textures.warnings();
    let of = |word: &str| warnings.iter().filter(|w| w.contains(word)).count();
    assert_eq!(of("is not a file"), warnings.len(), "{warnings:?}");
    assert_eq!((warnings.len(), of("zero.wad"), of("pipe.wal")), (4, 1, 1));
}

/// Seeded numbers without a crate: xorshift64*.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % most
    }
}

/// `SEEDS=n` runs so many.
#[test]
fn files_with_bytes_changed_never_panic_and_stay_within_their_limits() {
    let seeds = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok());
    let seeds = seeds.unwrap_or(300u64);
    let lumps = [
        (
            "{a",
            0x43,
            miptex("{a", [16, 16], |x, y| (x * y) as u8, Some(&palette())),
        ),
        (
            "sky1",
            0x44,
            miptex("sky1", [32, 16], |x, y| (x + y) as u8, None),
        ),
        ("palette", 0x40, palette()),
    ];
    let picture = |format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture =
            image::RgbImage::from_fn(9, 7, |x, y| image::Rgb([x as u8 * 20, y as u8 * 30, 7]));
        picture.write_to(&mut bytes, format).expect("written");
        bytes.into_inner()
    };
    let whole: Vec<(&str, Vec<u8>)> = vec![
        ("two.wad", wad(b"WAD2", &lumps)),
        ("three.wad", wad(b"WAD3", &lumps)),
        ("textures/x/wal.wal", wal("x/wal", [16, 16], |x, _| x as u8)),
        (
            "textures/tga.tga",
            tga([5, 4], |x, y| [x as u8, y as u8, 0, 255]),
        ),
        ("textures/png.png", picture(image::ImageFormat::Png)),
        ("textures/jpg.jpg", picture(image::ImageFormat::Jpeg)),
        ("textures/x/colormap.pcx", pcx(&palette())),
        ("palette.lmp", palette()),
    ];
    let names = ["{a", "sky1", "x/wal", "tga", "png", "jpg"];
    let level = folder(&[("textures/x/keep.txt", b"")]);
    let mut found = 0;
    for seed in 0..seeds {
        let mut chance = Chance(seed * 2 + 1);
        // The first numbers of small seeds are small.
        for _ in 0..8 {
            chance.below(2);
        }
        for (name, bytes) in &whole {
            let mut bytes = bytes.clone();
            for _ in 0..chance.below(6) {
                let at = chance.below(bytes.len());
                // Headers matter most: every second change is there.
                let at = if chance.below(2) == 0 {
                    at % 128.min(bytes.len())
                } else {
                    at
                };
                match chance.below(5) {
                    0 => bytes[at] = 255,
                    1 => bytes[at] = 0,
                    2 => bytes.truncate(at.max(1)),
                    3 => bytes.insert(at, chance.below(256) as u8),
                    _ => bytes[at] = chance.below(256) as u8,
                }
            }
            std::fs::write(level.path().join(name), bytes).expect("written");
        }
        let textures = find(&level, "a.map", &["two.wad", "three.wad"], &names);
        for picture in &textures.images {
            let [width, height] = picture.sides;
            assert!((1..=LAYER_SIZE).contains(&width) && (1..=LAYER_SIZE).contains(&height));
            assert_eq!(
                picture.rgba.len(),
                (width * height * 4) as usize,
                "seed {seed}"
            );
            assert!(picture.size.iter().all(|side| *side <= MAX_SIDE));
        }
        found += textures.images.len();
    }
    // Many changes leave an image intact.
    assert!(found as u64 > seeds, "{found}");
}

#[test]
fn a_level_without_a_folder_and_a_folder_without_a_level_find_nothing_and_warn_of_nothing() {
    let nowhere = PathBuf::from("no/such/folder/a.map");
    let asked = Pictures {
        wads: vec!["a.wad".into()],
        fitted: Vec::new(),
    };
    let names = materials(&["a"]);
    let textures = Textures::find(&names, &asked, Some(&nowhere), None);
    assert_eq!((textures.tally().found, textures.warnings().len()), (0, 0));
    assert!(textures.tally().is_news());
    let textures = Textures::find(&names, &Pictures::default(), None, None);
    assert!(!textures.tally().is_news());
}
