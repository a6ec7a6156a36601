//! A scene of File > Examples in the window: opened fresh, put as its row says, and everything as before when it is left.
use super::App;
use crate::builtin::Origin;
use crate::scenes::Scene;
use crate::sim::{Action, Shot};
use crate::ui::{Hand, PANELS, PanelId};
use crate::view::Overlays;

/// The scene that is open.
pub struct Staged {
    scene: &'static Scene,
    /// Its card has not been put away yet.
    is_said: bool,
    /// What was in force before.
    before: Before,
}

struct Before {
    overlays: Overlays,
    shot: Shot,
    hand: Hand,
    /// Panels that the scene opened.
    closed: Vec<PanelId>,
}

impl App {
    /// Its level has just been opened with its settings: everything else that the row says.
    pub(super) fn stage(&mut self, scene: &'static Scene) {
        let wanted = PANELS
            .iter()
            .filter(|row| scene.panels.contains(&row.title));
        let wanted: Vec<PanelId> = wanted.map(|row| row.id).collect();
        let dock = &mut self.panels.dock;
        let closed = wanted.iter().filter(|id| !dock.is_open(**id));
        let before = Before {
            overlays: self.overlays,
            shot: self.panels.tools.shot,
            hand: self.panels.tools.hand.hand,
            closed: closed.copied().collect(),
        };
        for id in wanted {
            dock.show(id, true);
        }
        self.panels.tools.shot = scene.shot;
        self.panels.tools.hand.hand = Hand::Rocket;
        self.overlays = scene.overlays(self.overlays);
        [self.input.yaw, self.input.pitch] = scene.look();
        self.clock.paused = false;
        self.staged = Some(Staged {
            scene,
            is_said: true,
            before,
        });
        // The first picture shows it from where one stands.
        self.tick();
        if scene.takes_ray {
            self.walk = self.play.as_ref().map(|play| (play.walk(), 0));
        }
    }

    /// The scene is left with its level.
    pub(super) fn unstage(&mut self) {
        let Some(Staged { before, .. }) = self.staged.take() else {
            return;
        };
        self.overlays = before.overlays;
        self.panels.tools.shot = before.shot;
        self.panels.tools.hand.hand = before.hand;
        for id in before.closed {
            self.panels.dock.show(id, false);
        }
    }

    /// The scene that is open.
    pub(super) fn scene(&self) -> Option<&'static Scene> {
        self.staged.as_ref().map(|staged| staged.scene)
    }

    /// Whether a scene is open that nobody has saved as a level of their own.
    pub(super) fn is_as_staged(&self) -> bool {
        let origin = self.play.as_ref().map(|play| &play.origin);
        self.staged.is_some() && matches!(origin, Some(Origin::Builtin(_)))
    }

    /// The same while its card is to be seen.
    pub(super) fn scene_said(&self) -> Option<&'static Scene> {
        let said = self.staged.as_ref().filter(|staged| staged.is_said);
        said.map(|staged| staged.scene)
    }

    /// Its sentence was read.
    pub(super) fn put_card_away(&mut self) {
        if let Some(staged) = &mut self.staged {
            staged.is_said = false;
        }
    }

    /// What the scene does in the next tick. Those of an earlier tick that is shown are in the recording.
    pub(super) fn prepared(&self) -> Vec<Action> {
        let play = self.play.as_ref().filter(|play| !play.is_past());
        let (Some(scene), Some(play)) = (self.scene(), play) else {
            return Vec::new();
        };
        scene.actions(play.sim.tick)
    }
}
