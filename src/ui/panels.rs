//! All panels: their state between frames, and the drawing of one frame.
use super::compare_window::CompareWindow;
use super::dock::Dock;
use super::history_window::HistoryWindow;
use super::inspect_window::InspectWindow;
use super::keys_panel::KeysPanel;
use super::lab::LabPanel;
use super::level_panel::LevelPanel;
use super::map_window::MapWindow;
use super::notices::Notices;
use super::report_panel::ReportPanel;
use super::rules_window::RulesWindow;
use super::settings_panel::SettingsPanel;
use super::structure_panel::StructurePanel;
use super::timeline_panel::TimelinePanel;
use super::timing_panel::TimingPanel;
use super::tools_panel::ToolsPanel;
use super::tree_panel::TreePanel;
use super::trees_window::TreesWindow;
use super::walk_panel::WalkPanel;
use super::{PanelId, UiCommand, UiState};
use super::{brush_handles, dialogs, hud, menus, theme, tools_panel};

/// All panels with their state between frames.
#[derive(Default)]
pub struct Panels {
    /// The layout, and which are open.
    pub dock: Dock,
    /// Files and levels.
    pub level: LevelPanel,
    /// Statistics and warnings.
    pub report: ReportPanel,
    /// Camera, time and tools.
    pub tools: ToolsPanel,
    /// The box tree's sliders, debug drawings, counts.
    pub tree: TreePanel,
    /// A ray walked bin by bin.
    pub walk: WalkPanel,
    /// The stacked graph.
    pub timing: TimingPanel,
    /// Every query of the collision library, to try out.
    pub lab: LabPanel,
    /// Two settings of the box tree side by side.
    pub trees: TreesWindow,
    /// Which layers collide, and with which solver.
    pub rules: RulesWindow,
    /// The strength of structures.
    pub structure: StructurePanel,
    /// What is under the pointer.
    pub inspect: InspectWindow,
    /// The level from above.
    pub map: MapWindow,
    /// The recording.
    pub timeline: TimelinePanel,
    /// Every change of the world.
    pub history: HistoryWindow,
    /// Compare the recording under two settings.
    pub compare: CompareWindow,
    /// The list of keys.
    pub keys: KeysPanel,
    /// Settings of the program.
    pub settings: SettingsPanel,
    /// The messages in view.
    pub notices: Notices,
}

impl Panels {
    /// Draws everything; returns the commands and the picture's rectangle, None while a panel covers it.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        state: &UiState,
    ) -> (Vec<UiCommand>, Option<egui::Rect>) {
        let Self {
            dock,
            level,
            report,
            tools,
            tree,
            walk,
            timing,
            lab,
            trees,
            rules,
            structure,
            inspect,
            map,
            timeline,
            history,
            compare,
            keys,
            settings,
            notices,
        } = self;
        let mut commands = Vec::new();
        if !dock.hidden {
            let frame = egui::Frame::new()
                .fill(theme::SLATE)
                .inner_margin(egui::Margin::symmetric(8, 2));
            egui::Panel::top("menus")
                .frame(frame)
                .show(ui, |ui| menus::ui(ui, state, dock, &mut commands));
        }
        let key = |command| state.key(command);
        let picture = dock.ui(ui, &key, &mut |ui, id| match id {
            PanelId::Picture => {}
            PanelId::Level => level.ui(ui, state, &mut commands),
            PanelId::Report => report.ui(ui, state, &mut commands),
            PanelId::Tools => tools.ui(ui, state, &mut commands),
            PanelId::World => tools_panel::world(ui, state, &mut commands),
            PanelId::Bins => tree.ui(ui, state, walk, &mut commands),
            PanelId::Trees => trees.ui(ui, state, &mut commands),
            PanelId::Rules => rules.ui(ui, state, &mut commands),
            PanelId::Structure => structure.ui(ui, state, &mut commands),
            PanelId::Inspect => inspect.ui(ui, state, &mut commands),
            PanelId::Map => map.ui(ui, state, &mut commands),
            PanelId::Timings => timing.ui(ui, state, &mut commands),
            PanelId::Timeline => timeline.ui(ui, state, &mut commands),
            PanelId::History => history.ui(ui, state, &mut commands),
            PanelId::Compare => compare.ui(ui, state, &mut commands),
            PanelId::Lab => lab.ui(ui),
            PanelId::Keys => keys.ui(ui, state, &mut commands),
            PanelId::Settings => settings.ui(ui, state, &mut commands),
        });
        let free = picture.unwrap_or(ui.ctx().content_rect());
        if picture.is_some() {
            hud::ui(ui, free, state, tools.held.kind, &mut commands);
            brush_handles::ui(ui, free, state, &mut tools.tool, &mut commands);
        }
        dialogs::ui(ui, state, &mut commands);
        notices.ui(ui, free, state);
        (commands, picture)
    }
}
