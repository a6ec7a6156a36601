//! The quality of a picture: samples, occlusion, shadows, light resolution.
use crate::view::MAX_LIGHTS;

/// The cost of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Samples per pixel, 1 or 4.
    pub samples: u32,
    /// Ambient occlusion.
    pub occlusion: bool,
    /// Number of lights that cast shadows, the nearest ones; the others shine through walls.
    pub shadows: usize,
    /// Texels across each of the six faces of a point light's shadow map.
    pub shadow_tile: u32,
    /// Texels across each of the sun's two shadow cascades.
    pub sun_size: u32,
    /// Pixels per pixel of the light buffer, along each axis; 1 lights each pixel by itself, with gloss and relief.
    pub light_divisor: u32,
}

impl Default for Quality {
    fn default() -> Self {
        Self::PICTURE
    }
}

impl Quality {
    /// For pictures in files (`shot`, `clip`, the golden pictures) on any adapter, and for the window on a real graphics
    /// card.
    pub const PICTURE: Quality = Quality {
        samples: 4,
        occlusion: true,
        shadows: MAX_LIGHTS,
        shadow_tile: 256,
        sun_size: 1536,
        light_divisor: 1,
    };
    /// For a window with software rendering.
    pub const FAST: Quality = Quality {
        samples: 1,
        occlusion: false,
        shadows: 12,
        shadow_tile: 96,
        sun_size: 512,
        light_divisor: 5,
    };
}
