//! Golden pictures of panels in tests/golden/panels. `UPDATE_SNAPSHOTS=1` replaces them. They are painted without a
//! GPU, so that only rounding differs between machines.
use crate::comparer::{self, Control, Shown, Tolerance};
use egui::{ColorImage, Rect};
use std::path::{Path, PathBuf};

/// Colours may differ in the last digit, and a few edge pixels may flip.
const ROUNDING: Tolerance = Tolerance {
    mean: 12.0,
    far: 12,
    stray: 5,
    part: 0.1,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/panels")
}

/// Compares a rectangle (pixels) with its golden picture; a difference is written to a file.
pub fn compare(name: &str, painted: &ColorImage, place: Rect) -> Result<(), String> {
    let (rows, size) = cut(painted, place);
    let path = folder().join(format!("{name}.png"));
    comparer::check_golden(&path, &rows, size, Control::Ground, &ROUNDING)
}

/// A part of a picture as RGBA rows, with its size.
fn cut(picture: &ColorImage, place: Rect) -> (Vec<u8>, [u32; 2]) {
    let range = |from: f32, length: f32| from as usize..from as usize + length as usize;
    let (columns, lines) = (
        range(place.left(), place.width()),
        range(place.top(), place.height()),
    );
    let size = [columns.len() as u32, lines.len() as u32];
    let pixels = lines.flat_map(|y| columns.clone().map(move |x| picture[(x, y)].to_array()));
    (pixels.flatten().collect(), size)
}

#[test]
fn a_panel_with_half_of_it_left_out_is_not_its_golden_picture() {
    let mut looked = 0;
    for file in std::fs::read_dir(folder())
        .expect("golden pictures")
        .flatten()
    {
        let (picture, [width, _]) = comparer::golden(&file.path()).expect("a picture");
        let control = comparer::ground(&picture);
        let wanted = Shown {
            picture: &picture,
            control: &control,
        };
        assert_eq!(comparer::compare(&wanted, &wanted, &comparer::SAME), Ok(()));
        let half = comparer::without_half(&wanted, width, 16);
        let found = Shown {
            picture: &half,
            control: &control,
        };
        let name = file.file_name();
        comparer::compare(&found, &wanted, &ROUNDING).expect_err(&name.to_string_lossy());
        looked += 1;
    }
    assert!(looked > 40, "{looked} golden pictures");
}
