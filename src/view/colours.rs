//! Colours of rooms and of tree levels.
use super::palette::{Palette, with_alpha};
use crate::world::RoomId;

/// The colour of a room in all drawings; the same as `room_colour` in shaders/surface.wgsl.
pub(super) fn room_colour(id: RoomId) -> [f32; 4] {
    hue_colour(room_hue(id))
}

/// The colour of a hue; a turn is 256.
pub(super) fn hue_colour(hue: u8) -> [f32; 4] {
    let hue = f64::from(hue) / 255.0;
    let part = |shift: f64| (0.5 + 0.5 * libm::cos(std::f64::consts::TAU * (hue + shift))) as f32;
    [part(0.0), part(0.33), part(0.67), 0.9]
}

/// The hue of a room; consecutive ids get distant hues. A turn is 256.
pub fn room_hue(id: RoomId) -> u8 {
    (id.wrapping_mul(0x9E37_79B9) >> 24) as u8
}

/// The colour of a part 0..=1 of the most, linear RGB: dark blue little, red all; the same as `heat_colour` in
/// shaders/frame.wgsl.
pub fn heat_colour(part: f32) -> [f32; 3] {
    let smooth = |low: f32, high: f32| {
        let t = ((part - low) / (high - low)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let mix = |a: [f32; 3], b: [f32; 3], t: f32| [0, 1, 2].map(|i: usize| a[i] + (b[i] - a[i]) * t);
    let cold = mix([0.01, 0.02, 0.22], [0.0, 0.55, 0.45], smooth(0.0, 0.4));
    let warm = mix([0.95, 0.75, 0.05], [0.9, 0.05, 0.02], smooth(0.6, 1.0));
    mix(cold, warm, smooth(0.35, 0.65))
}

/// The colour of a tree level; neighbouring levels differ clearly.
pub fn depth_colour(depth: u32, palette: Palette) -> [f32; 4] {
    const HUES: [[f32; 3]; 8] = [
        [1.0, 0.15, 0.1],
        [1.0, 0.55, 0.05],
        [0.95, 0.95, 0.1],
        [0.25, 0.95, 0.15],
        [0.05, 0.9, 0.75],
        [0.1, 0.5, 1.0],
        [0.45, 0.25, 1.0],
        [1.0, 0.25, 0.85],
    ];
    let inks = palette.inks().all();
    let hues = match palette {
        Palette::Standard => &HUES[..],
        Palette::RedGreen | Palette::BlueYellow | Palette::Contrast => &inks[..],
    };
    with_alpha(hues[depth as usize % hues.len()], 1.0)
}
