//! Which colours mean what, in the panels and in the drawings over the picture: chosen once for both, so that those who
//! see fewer colours can tell them apart everywhere.

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Green, red, yellow, orange.
    #[default]
    Standard,
    /// Blue, vermilion, yellow, orange of Okabe and Ito (Color Universal Design, 2008): told apart with red-green
    /// blindness.
    RedGreen,
    /// Teal, red, rose: told apart with blue-yellow blindness.
    BlueYellow,
    /// White on black, told apart by brightness.
    Contrast,
}

/// What drawings are lined with, linear RGB. Named by what is drawn with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inks {
    /// Rays, pushes, measures. Yellow at first.
    pub asked: [f32; 3],
    /// Sweeps, velocities. Green at first.
    pub moving: [f32; 3],
    /// Portals, gaps, what is at rest. Blue at first.
    pub open: [f32; 3],
    /// What a blast made, and what is awake. Orange at first.
    pub fresh: [f32; 3],
    /// Hits, contacts, leaks, what falls. Red at first.
    pub hit: [f32; 3],
    /// Normals and axes. Magenta at first.
    pub normal: [f32; 3],
    /// What nothing came of. Grey at first.
    pub idle: [f32; 3],
}

impl Inks {
    /// All of them.
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
    /// All of them, with the name in the settings file and what it is for.
    pub const ALL: [(Palette, &'static str, &'static str); 4] = [
        (Palette::Standard, "standard", "Green is good, red is bad."),
        (
            Palette::RedGreen,
            "red-green",
            "For those who do not tell red from green: blue is good, vermilion is bad.",
        ),
        (
            Palette::BlueYellow,
            "blue-yellow",
            "For those who do not tell blue from yellow: teal is good, red is bad.",
        ),
        (
            Palette::Contrast,
            "contrast",
            "White on black; what is bad is darker than what is good.",
        ),
    ];

    /// Its name in the settings file.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|p| p.0 == self).map_or("", |p| p.1)
    }

    /// In the panels: good, bad, to be known, chosen, labels; sRGB.
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

    /// In the drawings. Those but the standard ones were searched for: as near to those as leaves any two of them apart
    /// for the eyes that they are for.
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

    type Matrix = [[f64; 3]; 3];

    /// What is seen of linear RGB. Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color
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

    /// Linear RGB in Oklab (Ottosson, A perceptual color space for image processing, 2020), where distances are as large
    /// as they look.
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

    /// How far apart the two most alike of some colours (linear RGB) look to the eyes of some people.
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
        // Which is why there are palettes.
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
