//! The last carve, the next one, and the handles of a pinned shape.
use glam::{DVec2, DVec3};

/// The result of a carve or a fill, and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct CarveChip {
    /// "blast", "drill", "carve" or "fill".
    pub what: &'static str,
    /// Why the world refused it.
    pub refused: Option<String>,
    /// Why it changed nothing of the world, though it was carried out.
    pub no_effect: Option<String>,
    /// Every edge of the touched rooms is closed.
    pub watertight: bool,
    /// A point of an open edge, metres.
    pub open_at: Option<DVec3>,
    /// Faces touched.
    pub faces: u32,
    /// Rooms touched.
    pub rooms: usize,
    /// Portals opened.
    pub portals: usize,
    /// Pieces cut free.
    pub islands: usize,
    /// Cubic metres of solid that became air; negative: filled.
    pub volume_m3: f64,
    /// Number of movers that it carved, and cubic metres that it took out of them.
    pub movers: (u32, f64),
    /// Number of loose pieces that it broke.
    pub broken: u32,
    /// Hash of the whole world.
    pub hash: u64,
    /// The whole carve, milliseconds.
    pub ms: f32,
    /// The rebuild of the trees in it, milliseconds.
    pub rebuild_ms: f32,
}

/// The volume of removed solid (negative: added), cubic metres, as text: litres below a tenth of one.
pub fn volume_words(volume_m3: f64) -> String {
    let size = volume_m3.abs();
    let (number, unit) = if size < 0.1 {
        (size * 1000.0, "l")
    } else {
        (size, "m³")
    };
    let verb = if volume_m3 < 0.0 { "added" } else { "removed" };
    format!("{number:.2} {unit} {verb}")
}

/// The preview of a carve or fill at the crosshair, in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewChip {
    /// Why it would be refused.
    pub refused: Option<String>,
    /// Faces that it would touch.
    pub faces: u32,
    /// Portals that would open.
    pub portals: usize,
    /// Pieces that would fall.
    pub islands: usize,
    /// Their volume, cubic metres.
    pub falls_m3: f64,
    /// What would break under its load; None where strength is off, and before it is known.
    pub breaks: Option<PreviewBreaks>,
    /// Solid that would become air, cubic metres; negative: filled.
    pub volume_m3: f64,
    /// Median time of the last carves, milliseconds; None before the first.
    pub expected_ms: Option<f32>,
}

impl PreviewChip {
    /// What would fall for want of support, and for want of strength, for the crosshair; None if nothing falls.
    pub fn falls_words(&self) -> Option<String> {
        let pieces = |count: usize, m3: f64| match count {
            1 => format!("1 piece ({m3:.1} m³)"),
            _ => format!("{count} pieces ({m3:.1} m³)"),
        };
        let free = (self.islands > 0).then(|| {
            let words = pieces(self.islands, self.falls_m3);
            format!("cuts free {words}")
        });
        let breaks = self.breaks.filter(|breaks| breaks.pieces > 0);
        let broken = breaks.map(|breaks| {
            let words = pieces(breaks.pieces, breaks.falls_m3);
            match breaks.pieces {
                1 => format!("{words} falls under its load"),
                _ => format!("{words} fall under their load"),
            }
        });
        let all: Vec<String> = free.into_iter().chain(broken).collect();
        (!all.is_empty()).then(|| all.join(" · "))
    }
}

/// What a carve or fill would break under its load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PreviewBreaks {
    /// Sections that would break.
    pub sections: usize,
    /// Pieces that would fall then.
    pub pieces: usize,
    /// Their volume, cubic metres.
    pub falls_m3: f64,
    /// More may break: it is still being worked out.
    pub is_under_way: bool,
}

/// Handles of the pinned shape in the picture, in fractions of its width and height from the upper left corner. A point
/// behind the eye is NaN, and has no handle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHandles {
    /// The shape's centre on the face.
    pub centre: DVec2,
    /// The end of half its width.
    pub side: DVec2,
    /// The end of half its height.
    pub top: DVec2,
}
