//! The last pier of a structure, thinned by hand, gives way at the area that statics by hand predicts.
//!
//! Three of our levels, all of concrete: a material shows on a surface only, so what is inside a part of several has no
//! density that a hand could know. Exact boxes cut a part free of all but one pier, and then leave a square neck of that
//! pier, a hundredth of its area less each time. The part's volume and centre are those of the piece that falls in a copy
//! without strength when the pier is cut through.
use breach::level;
use breach::sim::{Action, CarvedBy, Settings, Sim, StepReport, Tool, ToolShape};
use breach::structure::StructuralMaterial;
use breach::timing::Silent;
use breach::world::Island;
use glam::{DVec3, dvec3};

/// A level, what is cut away first, and a pier.
struct Case {
    level: &'static str,
    /// Boxes that leave the part on its last pier, metres.
    cuts: &'static [[[f64; 3]; 2]],
    /// Centre of the neck, metres.
    neck: [f64; 3],
    /// Half the height of the neck, metres: one side of the lattice of blocks crosses it.
    half_height: f64,
    /// Half the width of what is cut away around it, metres.
    around: f64,
}

/// Share of the predicted area that the neck has when the thinning begins and when it must have given way.
const SHARES: [f64; 2] = [1.10, 0.90];
/// Share of the predicted area that each step takes.
const STEP: f64 = 0.01;
/// Ticks in which a check ends, that of the whole tower in larger blocks included.
const CHECK_TICKS: u32 = 600;
/// Ticks in which what has lost its strength falls.
const FALL_TICKS: u32 = 1200;

/// A level with everything in it of concrete.
fn open(name: &str, strength: f64) -> Sim {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let mut desc = level::read_map(&std::fs::read(path).expect(name)).expect(name);
    for material in &mut desc.world.materials {
        material.texture = "concrete".into();
    }
    let settings = Settings {
        strength,
        debris: false,
        ..Settings::default()
    };
    let mut sim = Sim::new(desc, 1, settings, &mut Silent).expect("a world");
    step(&mut sim, vec![Action::Walk(false)]);
    sim
}

fn step(sim: &mut Sim, actions: Vec<Action>) -> StepReport {
    let mut command = sim.idle();
    command.actions = actions;
    sim.step(&command, &mut Silent)
}

/// A carve of a box; where its ray hits does not matter.
fn cut(sim: &Sim, min: DVec3, max: DVec3) -> Action {
    let corner = |i: u32| [0, 1, 2].map(|axis| [min, max][(i >> axis & 1) as usize][axis]);
    let tool = Tool {
        shape: ToolShape::Hull,
        points: (0..8).map(corner).collect(),
        aimed: Some([sim.player.eye.to_array(), [0.0, -1.0, 0.0]]),
        ..Tool::default()
    };
    Action::Tool { fill: false, tool }
}

/// What a while brought.
#[derive(Default)]
struct Outcome {
    /// Where the worst section of the first check is that found one overloaded, metres.
    worst: Option<DVec3>,
    failures: usize,
    islands: Vec<Island>,
}

/// Acts and waits until a check has ended, or so many ticks.
fn act(sim: &mut Sim, actions: Vec<Action>, ticks: u32) -> Outcome {
    let mut outcome = Outcome::default();
    let mut actions = Some(actions);
    for _ in 0..ticks {
        let report = step(sim, actions.take().unwrap_or_default());
        let is_over = report.check.is_some() && sim.carving().is_none() && !sim.is_checking();
        outcome.add(report);
        if is_over {
            break;
        }
    }
    outcome
}

impl Outcome {
    fn add(&mut self, report: StepReport) {
        for event in report.carves {
            self.failures += usize::from(event.by == CarvedBy::Failure);
            let carved = event.result.expect("a carve");
            self.islands.extend(carved.islands);
        }
        self.worst = self.worst.or(report.broken.first().map(|one| one.centre));
    }

    /// The volume of the largest piece that came free, cubic metres.
    fn largest_m3(&self) -> f64 {
        let volumes = self.islands.iter().map(|island| island.volume_m3);
        volumes.fold(0.0, f64::max)
    }
}

impl Case {
    /// Carves that leave a square neck of this area, square metres.
    fn thin(&self, sim: &Sim, area: f64) -> Vec<Action> {
        let (at, half) = (DVec3::from(self.neck), area.sqrt() / 2.0);
        let reach = dvec3(self.around, self.half_height, self.around);
        let (low, high) = (at - reach, at + reach);
        [
            (low, dvec3(at.x - half, high.y, high.z)),
            (dvec3(at.x + half, low.y, low.z), high),
            (low, dvec3(high.x, high.y, at.z - half)),
            (dvec3(low.x, low.y, at.z + half), high),
        ]
        .map(|(min, max)| cut(sim, min, max))
        .to_vec()
    }

    /// The level with the first cuts made.
    fn stage(&self, strength: f64) -> Sim {
        let mut sim = open(self.level, strength);
        for &[min, max] in self.cuts {
            let action = cut(&sim, min.into(), max.into());
            let outcome = act(&mut sim, vec![action], CHECK_TICKS);
            assert_eq!(outcome.failures, 0, "{}: {:?}", self.level, outcome.worst);
        }
        sim
    }

    /// What stands on the neck: the piece that comes free when all of the neck is cut away.
    fn above(&self) -> Island {
        let mut sim = self.stage(0.0);
        let reach = dvec3(self.around, self.half_height, self.around);
        let at = DVec3::from(self.neck);
        let carve = cut(&sim, at - reach, at + reach);
        let outcome = act(&mut sim, vec![carve], CHECK_TICKS);
        let islands = outcome.islands.into_iter();
        let largest = islands.max_by(|a, b| a.volume_m3.total_cmp(&b.volume_m3));
        largest.expect("it comes free")
    }

    /// The area of a square neck whose load needs all of its strength.
    ///
    /// With N the load on its middle, e_x and e_z how far off that the load is, a its side: the stresses at its corners are
    /// N/a² ± 6 N (e_x + e_z)/a³, at most the compressive strength, and at least the tensile one.
    fn predicted(&self) -> f64 {
        let law = StructuralMaterial::Concrete.law();
        let above = self.above();
        let off = (above.centre - DVec3::from(self.neck)).abs();
        let gravity = Settings::default().gravity;
        let utilisation = |area: f64| {
            let weight = |volume: f64| law.density * gravity * volume;
            let mean = weight(above.volume_m3 + area * self.half_height) / area;
            let bent = 6.0 * weight(above.volume_m3) * (off.x + off.z) / (area * area.sqrt());
            ((mean + bent) / law.compression).max((bent - mean) / law.tension)
        };
        // It falls with the area.
        let (mut low, mut high) = (1e-4, 4.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match utilisation(middle) > 1.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        println!("{}: {:.3} m³, {off:.3} m off", self.level, above.volume_m3);
        low
    }
}

#[test]
fn the_last_pier_of_the_bridge_gives_way_at_the_predicted_area() {
    // The middle part stands on one pier, in the middle under it.
    gives_way_as_predicted(&Case {
        level: "bridge",
        cuts: &[],
        neck: [27.75, -2.5, 0.0],
        half_height: 0.375,
        around: 2.2,
    });
}

#[test]
fn the_last_pillar_of_a_balcony_gives_way_at_the_predicted_area() {
    // What is left of the balcony reaches a little farther to one side of its second pillar, and has a rail.
    gives_way_as_predicted(&Case {
        level: "pillars",
        cuts: &[
            [[22.0, 5.9, -5.5], [28.47, 8.0, -0.1]],
            [[28.4, 5.9, -2.25], [32.4, 8.0, -0.1]],
        ],
        neck: [30.25, 2.0, -3.75],
        half_height: 0.3,
        around: 0.9,
    });
}

#[test]
fn the_last_pillar_of_a_ceiling_of_the_tower_gives_way_at_the_predicted_area() {
    // A piece of the lowest ceiling is cut out around a pillar, off its middle. The wall beside the pillar is opened first, where
    // the piece would reach the tower, which is checked in larger blocks.
    gives_way_as_predicted(&Case {
        level: "tower",
        cuts: &[
            [[24.9, 0.9, -17.6], [25.6, 3.1, -14.9]],
            [[21.8, 3.95, -17.7], [22.125, 4.6, -14.8]],
            [[24.875, 3.95, -17.7], [25.2, 4.6, -14.8]],
            [[21.8, 3.95, -17.7], [25.2, 4.6, -17.375]],
            [[21.8, 3.95, -15.125], [25.2, 4.6, -14.8]],
        ],
        neck: [23.75, 2.0, -16.25],
        half_height: 0.3,
        around: 0.6,
    });
}

fn gives_way_as_predicted(case: &Case) {
    let predicted = case.predicted();
    let mut sim = case.stage(1.0);
    let [first, last] = SHARES;
    let mut share = first;
    let (mut fell, worst) = loop {
        let carves = case.thin(&sim, predicted * share);
        let outcome = act(&mut sim, carves, CHECK_TICKS);
        if let Some(worst) = outcome.worst {
            break (outcome, worst);
        }
        assert_eq!(outcome.failures, 0);
        share -= STEP;
        assert!(share > last, "{}: it stands", case.level);
    };
    println!(
        "{}: predicted {predicted:.4} m², gave way at {:.4}, {share:.2} of it, at {worst:.2}",
        case.level,
        predicted * share
    );
    assert!(
        (0.95..=1.05).contains(&share),
        "{}: {share:.2} of the predicted area",
        case.level
    );
    let off = worst - DVec3::from(case.neck);
    assert!(off.y.abs() < case.half_height, "{}: {worst}", case.level);
    for _ in 0..FALL_TICKS {
        fell.add(step(&mut sim, Vec::new()));
    }
    let (largest, above) = (fell.largest_m3(), case.above().volume_m3);
    assert!(
        largest > 0.9 * above,
        "{}: {largest} of {above}",
        case.level
    );
}
