//! The user interface: panels around the picture, each a struct with `Default` and `ui()`.
//!
//! A panel reads [`UiState`], plain data of one frame, and pushes [`UiCommand`]s; it never touches the world.
//! All controls have tooltips. Everything fits a window of 1280×720 points.
mod brush_handles;
mod chip;
mod command;
mod compare_window;
mod dialogs;
mod dock;
mod elide;
mod history_window;
mod hud;
mod inspect_window;
mod key_command;
mod keys_panel;
mod lab;
mod level_panel;
mod map_window;
mod menus;
mod notices;
mod panel_list;
mod panels;
mod preferences;
mod report_panel;
mod rules_window;
mod settings_panel;
mod state;
mod structure_panel;
#[cfg(test)]
mod tests;
mod theme;
mod timeline_panel;
mod timing_panel;
mod tool_state;
mod tools_panel;
mod tree_panel;
mod trees_window;
mod walk_panel;

pub use command::{CompareCommand, TimelineCommand, UiCommand};
pub use compare_window::CompareWindow;
pub use dock::{Dock, PanelArea};
pub use history_window::HistoryWindow;
pub use inspect_window::InspectWindow;
pub use key_command::KeyCommand;
pub use keys_panel::KeysPanel;
pub use lab::LabPanel;
pub use level_panel::LevelPanel;
pub use map_window::MapWindow;
pub use notices::Notices;
pub use panel_list::{PANELS, PanelId, PanelRow};
pub use panels::Panels;
pub use preferences::{Detail, OnReload, Preferences, Vsync};
pub use report_panel::ReportPanel;
pub use rules_window::RulesWindow;
pub use settings_panel::SettingsPanel;
pub use state::{
    Answer, CHANGE_PICTURE, CameraMode, CarveChip, ChangeEntry, Comparing, Confirmation, Counts,
    Inspected, KeyLine, LevelEntry, LevelReport, LevelWarning, MapState, Notice, NoticeKind,
    PreviewBreaks, PreviewChip, Recorded, ShapeHandles, StructureState, TimelineMark,
    TimelineMarkKind, TreeColumn, TreeTable, UiState, WorstFrame, volume_words,
};
pub use structure_panel::StructurePanel;
pub use theme::apply as apply_theme;
pub use timeline_panel::TimelinePanel;
pub use timing_panel::TimingPanel;
pub use tool_state::{TOOLS, ToolKind, ToolState};
pub use tools_panel::{PreviewMode, ToolsPanel};
pub use tree_panel::TreePanel;
pub use trees_window::TreesWindow;
pub use walk_panel::WalkPanel;
