//! How materials look on the GPU: the style of a material, and the numbering of texture layers.
use super::looks::{LOOK_COUNT, inside_of};
use crate::level::material::{Look, look};
use crate::world::Material;

/// Texels across a layer, which is two metres wide.
pub(super) const LAYER_SIZE: u32 = 512;
/// Layers of made materials; those of images follow. `MADE_LAYERS` in shaders/frame.wgsl.
pub(super) const MADE_LAYERS: u32 = LOOK_COUNT * 2;

/// How a material is drawn, as it is stored in vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Bits 0-7 look, bit 8 inner, bits 9-13 shape of a body, bit 15 cut, bits 16-23 layer; see shaders/surface.wgsl.
    pub look: u32,
    /// A factor of the albedo, doubled, linear RGB: textures of one look differ a little. With an image, the number of its
    /// projection (`projections`).
    pub tint: [u8; 3],
}

impl Style {
    /// The layer in the texture arrays.
    pub fn layer(self) -> u32 {
        self.look >> 16 & 255
    }

    /// The layer of the inside.
    pub fn inner_layer(self) -> u32 {
        match self.layer() {
            made if made < MADE_LAYERS => made | 1,
            _ => inside_of(self.look & LOOK_MASK) * 2 + 1,
        }
    }

    /// Whether it is sky.
    pub fn is_sky(&self) -> bool {
        self.look & (LOOK_MASK | INNER_BIT) == Look::Sky as u32
    }

    /// Whether its texture has holes.
    pub fn is_cut(&self) -> bool {
        self.look & CUT_BIT != 0
    }

    /// Whether it shows an image of the level's own textures.
    pub fn has_image(&self) -> bool {
        self.layer() >= MADE_LAYERS
    }

    /// The same style with an image; `tint` names its projection.
    pub fn with_image(self, number: u32, is_cut: bool, tint: [u8; 3]) -> Self {
        let cut = if is_cut { CUT_BIT } else { 0 };
        Self {
            look: self.look & !(255 << 16) | (MADE_LAYERS + number) << 16 | cut,
            tint,
        }
    }
}

// Bits of `Style::look`; constants of the same names in shaders/frame.wgsl.
/// The number of the look.
pub(super) const LOOK_MASK: u32 = 255;
/// The inside of the look.
pub(super) const INNER_BIT: u32 = 1 << 8;
/// The body is a rocket.
pub(super) const ROCKET_BIT: u32 = 1 << 9;
/// The body is a chunk with vertices of its own, not a ball.
pub(super) const CHUNK_BIT: u32 = 1 << 10;
/// The body is a grenade.
pub(super) const GRENADE_BIT: u32 = 1 << 11;
/// The body is an iron ball.
pub(super) const IRON_BIT: u32 = 1 << 12;
/// The body is a drill's bit.
pub(super) const DRILL_BIT: u32 = 1 << 13;
/// The texture has holes.
pub(super) const CUT_BIT: u32 = 1 << 15;

/// The style of a look or of its inside.
pub(super) fn style_of_look(look: Look, inner: bool, tint: [u8; 3]) -> Style {
    let number = look as u32;
    let inside = inside_of(number);
    let (number, layer) = if inner {
        (inside, inside * 2 + 1)
    } else {
        (number, number * 2)
    };
    Style {
        look: number | (u32::from(inner) * INNER_BIT) | layer << 16,
        tint,
    }
}

/// The style of a material, by its texture's name.
pub(super) fn style_of(material: &Material) -> Style {
    let kind = look(&material.texture);
    let hash = material
        .texture
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
        });
    // Brightness and warmth from a hash of the name, so that neighbours of one look differ.
    let part = |shift: u32| (hash >> shift & 255) as f32 / 255.0 - 0.5;
    let bright = 1.0 + 0.34 * part(3);
    let warm = 0.16 * part(13);
    let green = 0.05 * part(21);
    let tint = [
        bright * (1.0 + warm),
        bright * (1.0 + green),
        bright * (1.0 - warm),
    ];
    style_of_look(
        kind,
        material.inner,
        tint.map(|c| (c * 127.5).clamp(0.0, 255.0) as u8),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn material(texture: &str, inner: bool) -> Material {
        Material {
            texture: texture.into(),
            u: DVec3::X,
            v: DVec3::Y,
            offset: [0.0; 2],
            inner,
            hardness: 1.0,
        }
    }

    #[test]
    fn every_look_has_a_layer_and_the_inside_of_sky_is_rock() {
        for (texture, inner) in [
            ("sky1", true),
            ("*water", true),
            ("brick", false),
            ("light3_5", false),
        ] {
            assert!(style_of(&material(texture, inner)).layer() < MADE_LAYERS);
        }
        assert_eq!(
            style_of(&material("sky1", true)).layer(),
            style_of(&material("rock1", true)).layer()
        );
        assert_ne!(
            style_of(&material("brick", true)).layer(),
            style_of(&material("brick", false)).layer()
        );
    }

    #[test]
    fn two_textures_of_one_look_differ_in_tint() {
        let (a, b) = (
            style_of(&material("brick_a", false)),
            style_of(&material("brick_b", false)),
        );
        assert_eq!(a.look, b.look);
        assert_ne!(a.tint, b.tint);
    }
}
