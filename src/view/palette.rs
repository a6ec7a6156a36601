//! Colour palettes of the panels and the debug drawings: one choice for both, also for colour-blind users.
use crate::timing::StageColours;
use strum::VariantArray;

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum Palette {
    /// Green, red, yellow, orange.
    #[default]
    Standard,
    /// Blue, vermilion, yellow, orange of Okabe and Ito (Color Universal Design, 2008), for red-green blindness.
    RedGreen,
    /// Teal, red, rose, for blue-yellow blindness.
    BlueYellow,
    /// White on black; colours differ in brightness.
    Contrast,
}

/// Line colours of the drawings, linear RGB, named by their use; the standard colour of each is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inks {
    /// Rays, impulses, measures. Yellow.
    pub asked: [f32; 3],
    /// Sweeps, velocities. Green.
    pub moving: [f32; 3],
    /// Portals, gaps, sleeping bodies. Blue.
    pub open: [f32; 3],
    /// Portals made by blasts, awake bodies. Orange.
    pub fresh: [f32; 3],
    /// Hits, contacts, leaks, falling islands. Red.
    pub hit: [f32; 3],
    /// Normals and axes. Magenta.
    pub normal: [f32; 3],
    /// Misses. Grey.
    pub idle: [f32; 3],
}

impl Inks {
    /// All inks.
    pub fn all(&self) -> [[f32; 3]; 7] {
        let Self {
            asked,
            moving,
            open,
            fresh,
            hit,
            normal,
            idle,
        } = *self;
        [hit, fresh, asked, moving, open, normal, idle]
    }
}

/// An ink with an opacity.
pub fn with_alpha([r, g, b]: [f32; 3], alpha: f32) -> [f32; 4] {
    [r, g, b, alpha]
}

impl Palette {
    /// The name in the settings file.
    pub fn name(self) -> &'static str {
        match self {
            Palette::Standard => "standard",
            Palette::RedGreen => "red-green",
            Palette::BlueYellow => "blue-yellow",
            Palette::Contrast => "contrast",
        }
    }

    /// The purpose, for a tooltip.
    pub fn purpose(self) -> &'static str {
        match self {
            Palette::Standard => "Green is good, red is bad.",
            Palette::RedGreen => "For red-green colour blindness: blue is good, vermilion is bad.",
            Palette::BlueYellow => "For blue-yellow colour blindness: teal is good, red is bad.",
            Palette::Contrast => "White on black; bad is darker than good.",
        }
    }

    /// Panel colours: good, bad, warning, chosen, labels; sRGB.
    pub fn panels(self) -> [[u8; 3]; 5] {
        let muted = [148, 156, 170];
        match self {
            Palette::Standard => [
                [112, 201, 128],
                [255, 104, 96],
                [244, 200, 92],
                [255, 138, 61],
                muted,
            ],
            Palette::RedGreen => [
                [86, 180, 233],
                [213, 94, 0],
                [240, 228, 66],
                [230, 159, 0],
                muted,
            ],
            Palette::BlueYellow => [
                [60, 200, 190],
                [230, 60, 60],
                [255, 170, 190],
                [255, 120, 120],
                muted,
            ],
            Palette::Contrast => [
                [255, 255, 255],
                [255, 110, 90],
                [255, 220, 120],
                [255, 170, 80],
                [200, 205, 215],
            ],
        }
    }

    /// Stage colours of the timing graph, sRGB. Found by search: stages that can touch in the graph differ most, all
    /// differ from the background, and any two differ a little; as far as that permits, a carve and its phases are warm and
    /// the rest cool.
    pub fn stages(self) -> StageColours {
        match self {
            Palette::Standard => [
                [78, 133, 203],
                [217, 39, 31],
                [234, 106, 60],
                [236, 159, 113],
                [252, 191, 37],
                [147, 238, 120],
                [207, 121, 163],
                [172, 90, 192],
                [254, 253, 178],
                [117, 197, 109],
                [14, 113, 224],
                [129, 155, 101],
                [109, 213, 239],
                [96, 156, 181],
                [69, 96, 127],
            ],
            Palette::RedGreen => [
                [102, 160, 130],
                [145, 89, 132],
                [218, 73, 241],
                [209, 166, 166],
                [173, 232, 217],
                [179, 217, 109],
                [145, 179, 220],
                [189, 65, 56],
                [249, 255, 139],
                [40, 146, 193],
                [39, 8, 215],
                [87, 199, 89],
                [204, 233, 166],
                [98, 134, 109],
                [62, 81, 143],
            ],
            Palette::BlueYellow => [
                [117, 115, 157],
                [213, 69, 64],
                [217, 128, 95],
                [119, 171, 114],
                [244, 189, 119],
                [223, 237, 89],
                [161, 127, 176],
                [188, 49, 219],
                [182, 253, 238],
                [175, 182, 100],
                [119, 1, 178],
                [119, 185, 216],
                [92, 229, 249],
                [73, 139, 163],
                [72, 87, 111],
            ],
            Palette::Contrast => [
                [156, 147, 177],
                [159, 92, 121],
                [204, 75, 20],
                [241, 208, 125],
                [180, 156, 95],
                [126, 248, 222],
                [220, 192, 130],
                [106, 118, 214],
                [252, 255, 97],
                [130, 117, 85],
                [91, 3, 229],
                [178, 195, 168],
                [86, 215, 251],
                [183, 140, 29],
                [74, 90, 98],
            ],
        }
    }

    /// Line colours of the drawings. All but the standard ones were found by search: as near to the standard ones as
    /// keeps any two apart for the eyes in question.
    pub fn inks(self) -> Inks {
        match self {
            Palette::Standard => Inks {
                asked: [1.0, 0.85, 0.2],
                moving: [0.35, 1.0, 0.35],
                open: [0.1, 0.7, 1.0],
                fresh: [1.0, 0.5, 0.05],
                hit: [1.0, 0.1, 0.1],
                normal: [0.95, 0.3, 1.0],
                idle: [0.5, 0.55, 0.65],
            },
            Palette::RedGreen => Inks {
                asked: [0.84, 0.99, 0.81],
                moving: [0.92, 1.0, 0.0],
                open: [0.2, 0.53, 1.0],
                fresh: [0.71, 0.5, 0.21],
                hit: [0.83, 0.05, 0.0],
                normal: [0.42, 0.1, 1.0],
                idle: [0.3, 0.08, 0.25],
            },
            Palette::BlueYellow => Inks {
                asked: [1.0, 1.0, 0.73],
                moving: [0.09, 0.98, 0.35],
                open: [0.1, 0.41, 0.63],
                fresh: [1.0, 0.5, 0.05],
                hit: [1.0, 0.1, 0.1],
                normal: [0.45, 0.1, 0.96],
                idle: [0.05, 0.16, 0.22],
            },
            Palette::Contrast => Inks {
                asked: [1.0, 0.9, 0.04],
                moving: [0.34, 1.0, 0.56],
                open: [0.07, 0.35, 1.0],
                fresh: [0.89, 0.44, 0.05],
                hit: [0.95, 0.07, 0.06],
                normal: [0.55, 0.17, 0.39],
                idle: [0.48, 0.53, 0.68],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Stage;

    type Matrix = [[f64; 3]; 3];

    /// Linear RGB as perceived. Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color
    /// Vision Deficiency (2009), severity 1.
    const ALL_COLOURS: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const PROTANOPIA: Matrix = [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ];
    const DEUTERANOPIA: Matrix = [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ];
    const TRITANOPIA: Matrix = [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ];

    fn times(m: &Matrix, v: [f64; 3]) -> [f64; 3] {
        m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    /// From linear RGB to Oklab (Ottosson, A perceptual color space for image processing, 2020), where distances are
    /// perceptual.
    fn oklab(rgb: [f64; 3]) -> [f64; 3] {
        let cones = [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ];
        let lab = [
            [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
        ];
        let within = rgb.map(|x| x.clamp(0.0, 1.0));
        times(&lab, times(&cones, within).map(|x| libm::cbrt(x.max(0.0))))
    }

    /// The least perceived distance between two of the colours (linear RGB), over several kinds of eyes.
    fn nearest(colours: &[[f64; 3]], eyes: &[Matrix]) -> f64 {
        let mut least = f64::INFINITY;
        for eye in eyes {
            let seen: Vec<[f64; 3]> = colours.iter().map(|&c| oklab(times(eye, c))).collect();
            for (i, a) in seen.iter().enumerate() {
                for b in &seen[i + 1..] {
                    let square: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
                    least = least.min(square.sqrt());
                }
            }
        }
        least
    }

    fn linear(srgb: [u8; 3]) -> [f64; 3] {
        srgb.map(|x| match f64::from(x) / 255.0 {
            x if x <= 0.04045 => x / 12.92,
            x => libm::pow((x + 0.055) / 1.055, 2.4),
        })
    }

    const EYES: [(Palette, &[Matrix]); 4] = [
        (Palette::Standard, &[ALL_COLOURS]),
        (Palette::RedGreen, &[ALL_COLOURS, PROTANOPIA, DEUTERANOPIA]),
        (Palette::BlueYellow, &[ALL_COLOURS, TRITANOPIA]),
        (
            Palette::Contrast,
            &[ALL_COLOURS, PROTANOPIA, DEUTERANOPIA, TRITANOPIA],
        ),
    ];

    fn inks(palette: Palette) -> [[f64; 3]; 7] {
        palette.inks().all().map(|ink| ink.map(f64::from))
    }

    #[test]
    fn drawings_are_told_apart_by_the_eyes_that_a_palette_is_for() {
        for (palette, eyes) in EYES {
            let apart = nearest(&inks(palette), eyes);
            let least = if palette == Palette::Standard {
                0.1
            } else {
                0.13
            };
            assert!(apart > least, "{}: {apart}", palette.name());
        }
        // The reason for palettes.
        assert!(nearest(&inks(Palette::Standard), &[DEUTERANOPIA]) < 0.03);
        assert!(nearest(&inks(Palette::Standard), &[PROTANOPIA]) < 0.05);
    }

    #[test]
    fn two_curves_beside_each_other_are_told_apart_by_all_eyes() {
        let eyes = [ALL_COLOURS, PROTANOPIA, DEUTERANOPIA, TRITANOPIA];
        let apart = nearest(&crate::timing::SIDES.map(linear), &eyes);
        assert!(apart > 0.12, "{apart}");
    }

    #[test]
    fn stages_that_lie_on_one_another_are_told_apart_by_the_eyes_that_a_palette_is_for() {
        let calm = |with_bins: bool| -> Vec<Stage> {
            let is_of_carves = |s: &Stage| *s == Stage::Carve || Stage::PHASES.contains(s);
            let is_there = |s: &Stage| !is_of_carves(s) || (with_bins && *s == Stage::Bins);
            Stage::ALL.into_iter().filter(is_there).collect()
        };
        // A frame with a carve, one without, and one with a tree rebuild.
        let stacks = [Stage::ALL.to_vec(), calm(false), calm(true)];
        for (palette, eyes) in EYES {
            let colours = palette.stages().map(linear);
            let colour_of = |stage: Stage| colours[stage.index()];
            // Any stage may be empty: then its two neighbours touch.
            for (stack, apart) in stacks.iter().flat_map(|stack| [(stack, 1), (stack, 2)]) {
                for (a, b) in stack.iter().zip(&stack[apart..]) {
                    let apart = nearest(&[colour_of(*a), colour_of(*b)], eyes);
                    let name = palette.name();
                    assert!(apart > 0.11, "{name}: {a:?} on {b:?}, {apart}");
                }
            }
            let apart = nearest(&colours, eyes);
            assert!(apart > 0.045, "{}: any two, {apart}", palette.name());
            // The backgrounds of the panel and of its picture.
            for ground in [[11, 12, 15], [18, 20, 25]] {
                for colour in colours {
                    let apart = nearest(&[linear(ground), colour], eyes);
                    assert!(apart > 0.25, "{}: {apart}", palette.name());
                }
            }
        }
        // The reason for stage colours in palettes.
        let usual = Palette::Standard.stages().map(linear);
        assert!(nearest(&usual, &[DEUTERANOPIA]) < 0.03);
    }

    #[test]
    fn good_bad_and_to_be_known_are_told_apart_in_the_panels() {
        for (palette, eyes) in EYES {
            let [good, bad, warn, ..] = palette.panels().map(linear);
            let apart = nearest(&[good, bad, warn], eyes);
            assert!(apart > 0.12, "{}: {apart}", palette.name());
        }
        let [good, bad, ..] = Palette::Standard.panels().map(linear);
        assert!(nearest(&[good, bad], &[DEUTERANOPIA]) < 0.06);
    }
}
