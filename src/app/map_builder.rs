//! Builds the map: the plan, rebuilt when the level or the height of the cut changes, and the graph, rebuilt with the
//! level.
use crate::sim::Sim;
use crate::ui::{MapState, MapWindow};
use crate::view::floor_plan::{Plan, plan, storeys};
use crate::view::room_graph::{RoomGraph, room_graph};
use crate::world::{Revision, RoomId};
use glam::DVec2;

/// Maximum distance of bodies on the map from the cut, metres.
const NEAR: f64 = 2.0;

/// The last map, and what it was built for.
#[derive(Default)]
pub struct MapBuilder {
    of_level: Option<(Revision, Vec<f64>, RoomGraph)>,
    of_height: Option<(Revision, Plan)>,
    visible: Vec<RoomId>,
    bodies: Vec<DVec2>,
}

impl MapBuilder {
    /// Brings the map up to date; `visible` are the rooms that are drawn.
    pub fn look(&mut self, sim: &Sim, window: &MapWindow, visible: impl Iterator<Item = RoomId>) {
        let revision = sim.world.revision();
        if self
            .of_level
            .as_ref()
            .is_none_or(|(of, ..)| *of != revision)
        {
            self.of_level = Some((revision, storeys(&sim.world), room_graph(&sim.world)));
        }
        let storeys = self
            .of_level
            .as_ref()
            .map_or(&[][..], |(_, storeys, _)| storeys);
        let height = window.height(storeys, sim.player.eye.y);
        let is_fresh = self
            .of_height
            .as_ref()
            .is_some_and(|(of, plan)| *of == revision && plan.height == height);
        if !is_fresh {
            self.of_height = Some((revision, plan(&sim.world, height)));
        }
        self.visible = visible.collect();
        let near = |y: f64| (y - height).abs() < NEAR;
        let bodies = sim.bodies.iter().filter(|body| near(body.position.y));
        self.bodies = bodies
            .map(|body| DVec2::new(body.position.x, body.position.z))
            .collect();
    }

    /// The state for the panel.
    pub fn state(&self, sim: &Sim) -> Option<MapState<'_>> {
        let (_, storeys, graph) = self.of_level.as_ref()?;
        let (_, plan) = self.of_height.as_ref()?;
        Some(MapState {
            plan,
            graph,
            storeys,
            eye: sim.player.eye,
            yaw: sim.player.yaw,
            visible: &self.visible,
            bodies: &self.bodies,
        })
    }
}
