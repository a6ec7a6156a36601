//! The colour that the window is cleared with.

/// Seen before a level is open.
pub const CLEAR_COLOUR: wgpu::Color = wgpu::Color {
    r: 0.035,
    g: 0.039,
    b: 0.05,
    a: 1.0,
};
