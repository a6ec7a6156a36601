//! A scene of File > Examples: opened fresh, set up as its row says; when it is left, everything is restored.
use super::App;
use crate::app::staged_scene::{Before, StagedScene};
use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::sim::Action;
use crate::ui::{PANELS, PanelId, ToolKind};

impl App {
    /// Sets up a scene whose level has just been opened with its settings.
    pub(in crate::app) fn stage(&mut self, scene: &'static Scene) {
        let wanted = PANELS
            .iter()
            .filter(|row| scene.panels.contains(&row.title));
        let wanted: Vec<PanelId> = wanted.map(|row| row.id).collect();
        let dock = &mut self.panels.dock;
        let closed = wanted.iter().filter(|id| !dock.is_open(**id));
        let before = Before {
            overlays: self.overlays,
            shot: self.panels.tools.shot,
            tool: self.panels.tools.held.kind,
            closed: closed.copied().collect(),
        };
        for id in wanted {
            dock.show(id, true);
        }
        self.panels.tools.shot = scene.shot;
        self.panels.tools.held.kind = ToolKind::Rocket;
        self.overlays = scene.overlays(self.overlays);
        [self.input.yaw, self.input.pitch] = scene.look();
        self.clock.paused = false;
        self.staged = Some(StagedScene {
            scene,
            is_said: true,
            before,
        });
        // The first frame shows the view from the start.
        self.tick();
        if scene.takes_ray {
            self.walk = self.play.as_ref().map(|play| (play.walk(), 0));
        }
    }

    /// Restores the state from before the scene.
    pub(in crate::app) fn unstage(&mut self) {
        let Some(StagedScene { before, .. }) = self.staged.take() else {
            return;
        };
        self.overlays = before.overlays;
        self.panels.tools.shot = before.shot;
        self.panels.tools.held.kind = before.tool;
        for id in before.closed {
            self.panels.dock.show(id, false);
        }
    }

    /// The open scene.
    pub(in crate::app) fn scene(&self) -> Option<&'static Scene> {
        self.staged.as_ref().map(|staged| staged.scene)
    }

    /// Whether a scene is open and was not saved as a level.
    pub(in crate::app) fn is_as_staged(&self) -> bool {
        let origin = self.play.as_ref().map(|play| &play.origin);
        self.staged.is_some() && matches!(origin, Some(Origin::Builtin(_)))
    }

    /// The open scene while its card is shown.
    pub(in crate::app) fn scene_said(&self) -> Option<&'static Scene> {
        let said = self.staged.as_ref().filter(|staged| staged.is_said);
        said.map(|staged| staged.scene)
    }

    /// Closes the scene's card.
    pub(in crate::app) fn put_card_away(&mut self) {
        if let Some(staged) = &mut self.staged {
            staged.is_said = false;
        }
    }

    /// The scene's actions of the next tick. In the past they are in the recording.
    pub(in crate::app) fn prepared(&self) -> Vec<Action> {
        let play = self.play.as_ref().filter(|play| !play.is_past());
        let (Some(scene), Some(play)) = (self.scene(), play) else {
            return Vec::new();
        };
        scene.actions(play.sim.tick)
    }
}
