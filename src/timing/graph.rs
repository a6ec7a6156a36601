//! Draws timings into plain pixels, without panels: the last frames stacked by stage with a legend, two runs as two curves.
//! Used by `shot`, by clips and for files.
use super::axis;
use super::frame::Frame;
use super::percentiles::{Percentiles, percentile};
use super::recorder::{FRAMES_KEPT, Recorder};
use breach_core::stage::Stage;

/// Gap between elements, pixels.
const GAP: i64 = 8;
/// Magnification of the 3×5 letters.
const SCALE: i64 = 2;
/// Height of a line of the legend, pixels.
const LINE: i64 = 6 * SCALE + 4;
/// Height of the bars above a table, pixels.
const BARS: i64 = 96;
/// Letters in a line of the table.
const LETTERS: i64 = 48;
/// Smallest height of a picture with a table; smaller ones get the bars, one line of numbers and the names of the slowest
/// stages.
const TABLE_ROWS: i64 = 500;
/// Number of those names.
const NAMES: usize = 5;
/// Frames that take longer than the 90th percentile times this do not raise the top of the graph.
const MOST_TIMES: f64 = 5.0;

/// A colour for each stage, sRGB; index with [`Stage::index`].
pub type StageColours = [[u8; 3]; Stage::COUNT];

/// Top of a graph of stacked frames, milliseconds, at least 1: the longest frame that takes at most five times the 90th
/// percentile. Longer ones would flatten all others, so they are cut off and marked.
pub fn top_ms<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> f64 {
    let mut sums: Vec<f32> = frames.into_iter().map(Frame::stacked_ms).collect();
    sums.sort_unstable_by(f32::total_cmp);
    let most = (percentile(&sums, 0.9) * MOST_TIMES).max(1.0);
    let fits = sums
        .iter()
        .map(|&ms| f64::from(ms))
        .filter(|ms| *ms <= most);
    fits.fold(1.0, f64::max)
}

/// An RGBA picture; drawing is clipped at its borders.
struct Canvas<'a> {
    pixels: &'a mut [u8],
    size: [i64; 2],
}

/// Draws the graph into the lower left corner of RGBA rows, clipped where the picture is too small.
pub fn draw(pixels: &mut [u8], size: [u32; 2], recorder: &Recorder, colours: &StageColours) {
    let is_small = i64::from(size[1]) < TABLE_ROWS;
    paint(pixels, size, recorder, colours, is_small);
}

fn paint(
    pixels: &mut [u8],
    size: [u32; 2],
    recorder: &Recorder,
    colours: &StageColours,
    is_small: bool,
) {
    let colour = |stage: Stage| colours[stage.index()];
    let size = size.map(i64::from);
    let mut canvas = Canvas { pixels, size };
    // Loading is a frame too, and would be the maximum.
    let ticks: Vec<&Frame> = recorder
        .frames()
        .iter()
        .filter(|f| f.number > 0 || f.total_ms[Stage::Step.index()] > 0.0)
        .collect();
    let sum = |stage: Stage| ticks.iter().map(|f| f.own_ms[stage.index()]).sum::<f32>();
    let mut used: Vec<Stage> = Stage::ALL.into_iter().filter(|&s| sum(s) > 0.0).collect();
    let bars = if is_small { size[1] / 6 } else { BARS };
    let lines = if is_small { 2 } else { used.len() as i64 + 1 };
    let width = match is_small {
        true => (FRAMES_KEPT as i64).min(size[0] - 4 * GAP),
        false => LINE + LETTERS * 4 * SCALE,
    };
    let height = bars + GAP + lines * LINE;
    let (left, top) = (2 * GAP, (size[1] - height - 2 * GAP).max(0));
    canvas.shade([left - GAP, top - GAP], [width + 2 * GAP, height + 2 * GAP]);

    let scale_ms = round_up(top_ms(ticks.iter().copied()));
    let base = top + bars;
    canvas.fill([left, base], [width, 1], [110, 110, 110]);
    // The newest at the right end.
    let shown = ticks.len().min(width.max(0) as usize);
    for (column, frame) in ticks[ticks.len() - shown..].iter().enumerate() {
        let x = left + width - (shown - column) as i64;
        let mut below = 0.0;
        for &stage in &used {
            let above = below + f64::from(frame.own_ms[stage.index()]);
            let row = |ms: f64| ((ms / scale_ms * bars as f64).round() as i64).min(bars);
            let extent = [1, row(above) - row(below)];
            canvas.fill([x, base - row(above)], extent, colour(stage));
            below = above;
        }
        if frame.carves > 0 {
            canvas.fill([x, top], [1, 3], [255, 255, 255]);
        }
        if f64::from(frame.stacked_ms()) > scale_ms {
            canvas.cut_off([x, top + 4]);
        }
    }
    canvas.text([left, top], &format!("{scale_ms} ms"), [200, 200, 200]);

    let mut y = base + GAP;
    let (grey, white) = ([220, 220, 220], [255, 255, 255]);
    let whole = Percentiles::from_samples(ticks.iter().map(|f| f.whole_ms));
    if is_small {
        let text = format!(
            "tick p50 {:.2}  p95 {:.2}  max {:.1} ms",
            whole.p50_ms, whole.p95_ms, whole.max_ms
        );
        canvas.text([left, y], &text, white);
        y += LINE;
        used.sort_by(|&a, &b| sum(b).total_cmp(&sum(a)));
        let mut x = left;
        for stage in used.into_iter().take(NAMES) {
            canvas.text([x, y], stage.name(), colour(stage));
            x += (stage.name().len() as i64 + 2) * 4 * SCALE;
        }
        return;
    }
    let line = |name: &str, p: Percentiles| {
        format!(
            "{name:<10} p50{:7.2}  p95{:7.2}  max{:8.2} ms",
            p.p50_ms, p.p95_ms, p.max_ms
        )
    };
    canvas.text([left + LINE, y], &line("tick", whole), white);
    for stage in used {
        y += LINE;
        canvas.fill([left, y], [5 * SCALE, 5 * SCALE], colour(stage));
        let own = Percentiles::from_samples(ticks.iter().map(|f| f.total_ms[stage.index()]));
        canvas.text([left + LINE, y], &line(stage.name(), own), grey);
    }
}

/// The graph of the last frames as a picture of its own: RGBA rows and size.
pub fn overlay(recorder: &Recorder, colours: &StageColours) -> (Vec<u8>, [u32; 2]) {
    let size = [
        LINE + LETTERS * 4 * SCALE + 4 * GAP,
        BARS + GAP + (Stage::COUNT as i64 + 1) * LINE + 4 * GAP,
    ]
    .map(|x| x as u32);
    let mut pixels = blank(size);
    paint(&mut pixels, size, recorder, colours, false);
    (pixels, size)
}

fn blank(size: [u32; 2]) -> Vec<u8> {
    [18, 20, 25, 255].repeat(size[0] as usize * size[1] as usize)
}

/// Colours of the two sides of a comparison.
pub const SIDES: [[u8; 3]; 2] = [[86, 180, 233], [230, 159, 0]];
/// Height of a curve, and least distance between the marks of its axes, x and y, pixels.
const CURVE: i64 = 120;
const MARKS: [f64; 2] = [90.0, 28.0];
/// Width of the numbers to its left, pixels.
const NUMBERS: i64 = 7 * 4 * SCALE;
/// Least top of the curves, milliseconds.
pub const LEAST_MS: f64 = 0.001;

/// Top of two curves with one scale, milliseconds: from the 99th percentile, so that outliers do not flatten the rest.
pub fn curves_top_ms(curves: &[Vec<f32>; 2]) -> f64 {
    let mut all: Vec<f32> = curves.iter().flatten().copied().collect();
    all.sort_unstable_by(f32::total_cmp);
    percentile(&all, 0.99) * 1.1
}

/// Curves of two runs of the same ticks, A above B with the same scales, and lines of text below: RGBA rows and size. Ticks
/// that share a column are drawn as their maximum.
pub fn comparison(curves: &[Vec<f32>; 2], tick_secs: f64, text: &str) -> (Vec<u8>, [u32; 2]) {
    let letters = text
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0) as i64;
    let width = (letters * 4 * SCALE).max(640);
    let height = 2 * (2 * LINE + CURVE + GAP) + text.lines().count() as i64 * LINE;
    let size = [width + 4 * GAP, height + 4 * GAP];
    let mut pixels = blank(size.map(|x| x as u32));
    let mut canvas = Canvas {
        pixels: &mut pixels,
        size,
    };
    let (left, mut top) = (2 * GAP, 2 * GAP);
    let scale_ms = curves_top_ms(curves).max(LEAST_MS);
    let ticks = curves[0].len().max(1);
    for (side, (curve, colour)) in curves.iter().zip(SIDES).enumerate() {
        canvas.fill([left, top], [5 * SCALE, 5 * SCALE], colour);
        let name = ["A, ms per tick", "B, ms per tick"][side];
        canvas.text([left + 8 * SCALE, top], name, [220, 220, 220]);
        top += LINE;
        let corner = [left + NUMBERS, top];
        canvas.axes(corner, width - NUMBERS, scale_ms, ticks as f64 * tick_secs);
        canvas.curve(corner, width - NUMBERS, curve, scale_ms, colour);
        top += CURVE + LINE + GAP;
    }
    for line in text.lines() {
        canvas.text([left, top], line, [220, 220, 220]);
        top += LINE;
    }
    (pixels, size.map(|x| x as u32))
}

impl Canvas<'_> {
    /// Draws the axes of a curve with this upper left corner, marked in milliseconds and seconds.
    fn axes(&mut self, [left, top]: [i64; 2], width: i64, scale_ms: f64, secs: f64) {
        let (grid, numbers) = ([44, 48, 56], [170, 170, 170]);
        let step = axis::round_step(scale_ms * MARKS[1] / CURVE as f64);
        for ms in axis::marks(scale_ms, step) {
            let y = top + CURVE - (ms / scale_ms * CURVE as f64).round() as i64;
            self.fill([left, y], [width, 1], grid);
            let text = axis::rounded(ms, step);
            let x = left - (text.len() as i64 * 4 + 2) * SCALE;
            self.text([x, (y - 5 * SCALE / 2).max(top)], &text, numbers);
        }
        let step = axis::secs_step(secs * MARKS[0] / width as f64);
        for at in axis::marks(secs, step) {
            let x = left + (at / secs * (width - 1) as f64).round() as i64;
            self.fill([x, top], [1, CURVE + 4], grid);
            let text = axis::clock(at, step);
            let half = text.len() as i64 * 2 * SCALE;
            let x = (x - half).min(left + width - 2 * half);
            self.text([x, top + CURVE + 6], &text, numbers);
        }
    }

    /// Draws a line through the maximum of each column.
    fn curve(
        &mut self,
        [left, top]: [i64; 2],
        width: i64,
        curve: &[f32],
        scale_ms: f64,
        colour: [u8; 3],
    ) {
        let ticks = curve.len().max(1);
        let at = |column: i64| (column as usize * ticks / width as usize).min(ticks);
        let mut last: Option<i64> = None;
        for x in 0..width {
            let first = at(x);
            let some = curve.iter().take(at(x + 1).max(first + 1)).skip(first);
            let ms = f64::from(some.copied().fold(0.0, f32::max));
            let row = ((ms / scale_ms * CURVE as f64).round() as i64).min(CURVE);
            let from = last.unwrap_or(row);
            let (low, high) = (row.min(from), row.max(from));
            let extent = [1, (high - low).max(1)];
            self.fill([left + x, top + CURVE - high], extent, colour);
            last = Some(row);
        }
    }

    fn fill(&mut self, at: [i64; 2], extent: [i64; 2], colour: [u8; 3]) {
        self.each(at, extent, |pixel| pixel.copy_from_slice(&colour));
    }

    /// Marks a bar taller than the graph with a triangle.
    fn cut_off(&mut self, [x, y]: [i64; 2]) {
        self.fill([x - 3, y - 1], [7, 5], [0, 0, 0]);
        for row in 0..3 {
            self.fill([x - row, y + row], [2 * row + 1, 1], [255, 255, 255]);
        }
    }

    /// Darkens the picture, so that the graph is legible on it.
    fn shade(&mut self, at: [i64; 2], extent: [i64; 2]) {
        self.each(at, extent, |pixel| {
            pixel.iter_mut().for_each(|c| *c = *c / 10 * 3)
        });
    }

    fn each(&mut self, at: [i64; 2], extent: [i64; 2], mut change: impl FnMut(&mut [u8])) {
        let [width, height] = self.size;
        for y in at[1].max(0)..(at[1] + extent[1]).min(height) {
            for x in at[0].max(0)..(at[0] + extent[0]).min(width) {
                let start = ((y * width + x) * 4) as usize;
                if let Some(pixel) = self.pixels.get_mut(start..start + 3) {
                    change(pixel);
                }
            }
        }
    }

    fn text(&mut self, [mut x, y]: [i64; 2], text: &str, colour: [u8; 3]) {
        for letter in text.chars() {
            for (row, bits) in glyph(letter).into_iter().enumerate() {
                for column in 0..3 {
                    if bits & (4 >> column) != 0 {
                        self.fill(
                            [x + column * SCALE, y + row as i64 * SCALE],
                            [SCALE, SCALE],
                            colour,
                        );
                    }
                }
            }
            x += 4 * SCALE;
        }
    }
}

/// The next of 0.1, 0.2, 0.5, 1, 2, 5, ... ms.
fn round_up(ms: f64) -> f64 {
    const STEPS: [f64; 13] = [
        0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0,
    ];
    STEPS.into_iter().find(|&step| ms <= step).unwrap_or(1000.0)
}

/// Five rows of three bits, the left column highest. Upper case only, since lower case needs more columns; other characters
/// are blank.
fn glyph(letter: char) -> [u8; 5] {
    match letter.to_ascii_uppercase() {
        'A' => [2, 5, 7, 5, 5],
        'B' => [6, 5, 6, 5, 6],
        'C' => [3, 4, 4, 4, 3],
        'D' => [6, 5, 5, 5, 6],
        'E' => [7, 4, 6, 4, 7],
        'F' => [7, 4, 6, 4, 4],
        'G' => [3, 4, 5, 5, 3],
        'H' => [5, 5, 7, 5, 5],
        'I' => [7, 2, 2, 2, 7],
        'J' => [1, 1, 1, 5, 2],
        'K' => [5, 5, 6, 5, 5],
        'L' => [4, 4, 4, 4, 7],
        'M' => [5, 7, 7, 5, 5],
        'N' => [6, 5, 5, 5, 5],
        'O' => [2, 5, 5, 5, 2],
        'P' => [6, 5, 6, 4, 4],
        'Q' => [2, 5, 5, 6, 3],
        'R' => [6, 5, 6, 5, 5],
        'S' => [3, 4, 2, 1, 6],
        'T' => [7, 2, 2, 2, 2],
        'U' => [5, 5, 5, 5, 7],
        'V' => [5, 5, 5, 5, 2],
        'W' => [5, 5, 7, 7, 5],
        'X' => [5, 5, 2, 5, 5],
        'Y' => [5, 5, 2, 2, 2],
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 3, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        'Z' => [7, 1, 2, 4, 7],
        '.' => [0, 0, 0, 0, 2],
        ',' => [0, 0, 0, 2, 4],
        ':' => [0, 2, 0, 2, 0],
        '=' => [0, 7, 0, 7, 0],
        '-' => [0, 0, 7, 0, 0],
        '_' => [0, 0, 0, 0, 7],
        '(' => [1, 2, 2, 2, 1],
        ')' => [4, 2, 2, 2, 4],
        '/' => [1, 1, 2, 4, 4],
        '#' => [5, 7, 5, 7, 5],
        _ => [0; 5],
    }
}

#[cfg(test)]
mod tests {
    use super::super::Marker;
    use super::*;

    #[test]
    fn every_stage_name_can_be_written() {
        for stage in Stage::ALL {
            assert!(
                stage.name().chars().all(|letter| glyph(letter) != [0; 5]),
                "{}",
                stage.name()
            );
        }
    }

    #[test]
    fn two_curves_stand_one_under_the_other_with_one_scale_and_a_ground_that_is_marked() {
        let curves = [vec![1.0; 100], vec![4.0; 100]];
        let (pixels, [width, height]) = comparison(&curves, 0.1, "A  depth=8");
        assert_eq!(pixels.len(), width as usize * height as usize * 4);
        // The rows of the middle column that have this colour.
        let rows = |colour: [u8; 3]| {
            let x = width as usize / 2 + 7;
            let at = |y: &usize| pixels[(y * width as usize + x) * 4..][..3] == colour;
            (0..height as usize).filter(at).collect::<Vec<_>>()
        };
        let [a, b] = SIDES.map(|colour| *rows(colour).last().expect("drawn"));
        // Each over its own ground, which is as far below A's as B's.
        let grid = rows([44, 48, 56]);
        let ground_a = *grid.iter().rfind(|y| **y < b - 20).expect("a ground");
        let ground_b = *grid.last().expect("a ground");
        assert!(
            a < ground_a && ground_a < b && b < ground_b,
            "{a} {b} {grid:?}"
        );
        let (low, high) = ((ground_a - a) as f64, (ground_b - b) as f64);
        assert!((high / low - 4.0).abs() < 0.2, "{low} {high}");
        // Nothing to draw does no harm.
        comparison(&Default::default(), 0.1, "");
    }

    const COLOURS: StageColours = [[10, 200, 30]; Stage::COUNT];

    /// Frames whose steps take so many milliseconds.
    fn steps(ms: impl IntoIterator<Item = f32>) -> Recorder {
        let frame = |(number, ms)| {
            let mut frame = Frame::empty(number);
            frame.own_ms[Stage::Step.index()] = ms;
            frame.total_ms[Stage::Step.index()] = ms;
            frame
        };
        Recorder::from_frames((0..).zip(ms).map(frame))
    }

    #[test]
    fn one_long_frame_is_cut_off_and_a_carve_s_peak_is_not() {
        let usual = || std::iter::repeat_n(2.0, 200);
        let top = |recorder: &Recorder| top_ms(recorder.frames());
        assert_eq!(top(&steps(usual())), 2.0);
        assert_eq!(top(&steps(usual().chain([9.0; 10]))), 9.0);
        assert_eq!(top(&steps(usual().chain([900.0, 9.5, 10.5]))), 9.5);
        // Next to nothing is not blown up, and what mostly does nothing has a scale.
        assert_eq!(top(&steps([0.001; 20])), 1.0);
        assert_eq!(top(&steps(std::iter::repeat_n(0.0, 99).chain([7.0]))), 1.0);
        assert_eq!(top(&steps([])), 1.0);
    }

    #[test]
    fn what_is_cut_off_is_marked_and_the_rest_can_be_read() {
        let bars = |long: f32| {
            let recorder = steps(std::iter::repeat_n(2.0, FRAMES_KEPT).chain([long]));
            let (pixels, [width, _]) = overlay(&recorder, &COLOURS);
            // The last frame is the last column of the graph.
            let right = (2 * GAP + LINE + LETTERS * 4 * SCALE - 1) as usize;
            let column = |x: usize| -> Vec<[u8; 3]> {
                let rows = pixels.chunks_exact(width as usize * 4);
                rows.map(|row| [row[x * 4], row[x * 4 + 1], row[x * 4 + 2]])
                    .collect()
            };
            let count = |x: usize, colour: [u8; 3]| {
                let all = column(x);
                all.iter().filter(|c| **c == colour).count()
            };
            (count(right, [255; 3]), count(right - 20, COLOURS[0]))
        };
        let (marked, usual) = bars(900.0);
        assert!(marked == 3 && usual >= 19, "{marked} {usual}");
        let (marked, usual) = bars(8.0);
        assert!(marked == 0 && usual >= 19, "{marked} {usual}");
    }

    #[test]
    fn a_picture_of_any_size_is_drawn_on_without_harm() {
        let mut recorder = Recorder::new();
        for _ in 0..400 {
            recorder.begin_frame();
            recorder.begin(Stage::Step);
            recorder.begin(Stage::Carve);
            recorder.end(Stage::Carve);
            recorder.end(Stage::Step);
            recorder.end_frame();
        }
        for size in [[16, 16], [100, 400], [640, 480]] {
            let mut pixels = vec![255; size[0] as usize * size[1] as usize * 4];
            draw(&mut pixels, size, &recorder, &COLOURS);
            // A picture smaller than the graph's frame has none.
            assert!(size[0] < 100 || pixels.iter().any(|&c| c != 255));
            assert!(pixels.chunks_exact(4).all(|p| p[3] == 255), "alpha stays");
        }
    }
}
