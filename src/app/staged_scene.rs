//! The open scene of File > Examples, and the state to restore when it is left.
use crate::scenes::Scene;
use crate::sim::Shot;
use crate::ui::{PanelId, ToolKind};
use crate::view::Overlays;

/// The open scene.
pub struct StagedScene {
    pub scene: &'static Scene,
    /// Its card is shown.
    pub is_said: bool,
    /// The state to restore.
    pub before: Before,
}

/// The state before the scene was opened.
pub(super) struct Before {
    pub overlays: Overlays,
    pub shot: Shot,
    pub tool: ToolKind,
    /// Panels that the scene has opened.
    pub closed: Vec<PanelId>,
}
