//! What no strength could hold: solid that an author or a fill has left in the air hangs there, and nothing of it breaks.
use super::*;
use crate::sim::command::{Tool, ToolShape};

/// A block of 3 m by 1 m by 2 m that touches nothing, 3 m above the floor.
fn hanging() -> Sim {
    let block = [[608, -32, 96], [704, 32, 128]];
    let desc = read_map(hall(&[block]).as_bytes()).expect("a level");
    let settings = Settings {
        strength: 1.0,
        debris: false,
        blast_radius: 0.4,
        ..Settings::default()
    };
    Sim::new(desc, 1, settings, &mut Silent).expect("a world")
}

/// Ticks until all is carved and checked; what the checks have found, and all that was said.
fn settle(sim: &mut Sim, actions: Vec<Action>) -> (Vec<CheckReport>, Vec<CarveEvent>, Vec<String>) {
    let (mut checks, mut carves, mut notices) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = actions;
    for _ in 0..2000 {
        let report = act(sim, std::mem::take(&mut next));
        checks.extend(report.check);
        carves.extend(report.carves);
        notices.extend(report.notices);
        if sim.carving().is_none() && !sim.is_checking() {
            break;
        }
    }
    assert!(sim.carving().is_none() && !sim.is_checking());
    (checks, carves, notices)
}

fn shot(from: [f64; 3]) -> Action {
    Action::FireAlong {
        from,
        dir: [1.0, 0.0, 0.0],
    }
}

fn air(sim: &Sim) -> f64 {
    sim.world.census().air_volume_m3
}

#[test]
fn a_block_in_the_air_hangs_where_its_author_left_it_whatever_is_shot_off_it() {
    let mut sim = hanging();
    for across in [0.0, 0.5, -0.5, 0.25] {
        let before = air(&sim);
        let (checks, carves, notices) = settle(&mut sim, vec![shot([15.0, 3.5, across])]);
        assert_eq!(carves.len(), 1);
        assert_eq!(carves[0].by, CarvedBy::Blast);
        assert!(carves[0].result.is_ok());
        // Some was shot off; the rest did not fall, which would add its volume to the air.
        let more = air(&sim) - before;
        assert!(0.0 < more && more < 0.6, "{more} m³");
        assert!(!checks.is_empty());
        for check in checks {
            assert!(check.blocks > 0);
            assert_eq!(check.overloaded, 0, "{check:?}");
            // Infinite ones are left out: nothing holds it.
            assert_eq!(check.utilisation, 0.0);
        }
        // It is said once.
        let said = notices
            .iter()
            .filter(|notice| notice.contains("nothing holds the solid at"));
        assert_eq!(said.count(), usize::from(across == 0.0), "{notices:?}");
    }
    assert_eq!(sim.world.validate(), Ok(()));
    for _ in 0..120 {
        assert!(act(&mut sim, vec![]).carves.is_empty());
    }
}

#[test]
fn a_block_in_the_air_that_a_thread_joins_to_the_ground_does_not_break_the_thread() {
    // What it would have needed in the authored level is without end, and so is the strength that its bonds have.
    let mut sim = hanging();
    settle(&mut sim, vec![shot([15.0, 3.5, 0.0])]);
    // A post below it, 20 cm by 20 cm.
    let corner = |i: u32| {
        let pick = |k: u32, low: f64, high: f64| if i >> k & 1 == 0 { low } else { high };
        [pick(0, 20.9, 21.1), pick(1, -0.2, 3.2), pick(2, -0.1, 0.1)]
    };
    let tool = Tool {
        shape: ToolShape::Hull,
        points: (0..8).map(corner).collect(),
        ..Tool::default()
    };
    let (checks, carves, _) = settle(&mut sim, vec![Action::Tool { fill: true, tool }]);
    assert!(carves[0].result.is_ok(), "{:?}", carves[0].result);
    let check = checks.last().expect("a check");
    assert!(check.utilisation.is_finite());
    assert_eq!(sim.world.validate(), Ok(()));
}
