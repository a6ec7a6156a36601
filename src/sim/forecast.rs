//! What would break after a carve or a fill: it is played ahead on a copy, in which nothing moves.
use super::command::{Action, Command, Tool};
use super::report::{BrokenSection, CarvedBy, StepReport};
use super::simulation::Sim;
use crate::timing::Silent;

/// Most ticks that are played ahead.
const MOST_TICKS: u32 = 1200;

/// A change played ahead, tick by tick.
#[derive(Debug)]
pub struct Forecast {
    sim: Box<Sim>,
    ticks_left: u32,
    found: Foreseen,
}

/// What a change would break.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreseen {
    /// Sections that would break, in order.
    pub sections: Vec<BrokenSection>,
    /// Pieces that would fall as sections break; those that the change itself cuts free are not among them.
    pub pieces: usize,
    /// Their volume, cubic metres.
    pub falls_m3: f64,
    /// All has been played that follows, or as much as is played at most.
    pub is_over: bool,
}

impl Sim {
    /// Begins to play ahead what a tool would do at the crosshair now. None where strength is off or a change is under way.
    pub fn forecast(&self, fill: bool, tool: &Tool) -> Option<Forecast> {
        if self.settings.strength == 0.0 || self.strength.is_none() || self.carving().is_some() {
            return None;
        }
        let mut sim = Box::new(self.clone());
        sim.rockets.clear();
        sim.grenades.clear();
        // What sleeps stays as a load.
        sim.bodies
            .change(|bodies| bodies.retain(|body| body.asleep));
        (sim.settings.debris, sim.settings.creak) = (false, 0.0);
        let mut forecast = Forecast {
            sim,
            ticks_left: MOST_TICKS,
            found: Foreseen::default(),
        };
        let tool = tool.clone();
        forecast.step(vec![Action::Tool { fill, tool }]);
        Some(forecast)
    }
}

impl Forecast {
    /// Plays one tick more, if there is more to play.
    pub fn advance(&mut self) {
        if !self.found.is_over {
            self.step(Vec::new());
        }
    }

    /// What has been found so far.
    pub fn found(&self) -> &Foreseen {
        &self.found
    }

    fn step(&mut self, actions: Vec<Action>) {
        let command = Command {
            actions,
            ..self.sim.idle()
        };
        let report = self.sim.step(&command, &mut Silent);
        self.take_in(&report);
        self.ticks_left -= 1;
        let goes_on = self.sim.carving().is_some() || self.sim.is_checking();
        self.found.is_over = !goes_on || self.ticks_left == 0;
    }

    fn take_in(&mut self, report: &StepReport) {
        for event in report.carves.iter().filter(|e| e.by == CarvedBy::Failure) {
            let islands = event.result.iter().flat_map(|carved| &carved.islands);
            for island in islands {
                self.found.pieces += 1;
                self.found.falls_m3 += island.volume_m3;
            }
        }
        self.found.sections.extend(&report.broken);
    }
}
