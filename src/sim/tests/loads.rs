//! Structures that break under what lies on them and what hits them, and the time until they break.
use super::*;
use crate::sim::loads;
use crate::strength::PointLoad;

/// A plank of brick, 4 m long between two piers, 1 m wide and 25 cm thick, its top 3 m above the floor. Its own weight asks
/// for all of its strength but for the margin of what an author left standing: it bears half its weight more, evenly spread.
fn plank(settings: &Settings) -> Sim {
    let piers = [
        [[448, -16, 0], [512, 16, 96]],
        [[640, -16, 0], [704, 16, 96]],
    ];
    let plank = [[512, -16, 88], [640, 16, 96]];
    let map = hall(&[piers[0], piers[1], plank]);
    let level = read_map(map.as_bytes()).expect("a level");
    Sim::new(level, 1, settings.clone(), &mut Silent).expect("a world")
}

fn strong() -> Settings {
    Settings {
        strength: 1.0,
        creak: 0.0,
        debris: false,
        ..Settings::default()
    }
}

/// A cube over the middle of the plank, so high above it.
fn cube(edge: f64, height: f64) -> Body {
    let mut body =
        Body::from_island(&block_of(DVec3::splat(edge), 0).expect("a solid")).expect("a chunk");
    body.teleport(DVec3::new(18.0, 3.0 + edge / 2.0 + height, 0.0));
    body
}

fn breaks(sim: &mut Sim, ticks: u32) -> usize {
    let reports = (0..ticks).map(|_| act(sim, vec![]));
    let carves = reports.flat_map(|report| report.carves);
    carves.filter(|event| event.by == CarvedBy::Failure).count()
}

#[test]
fn a_heavy_block_that_is_laid_on_a_plank_breaks_it_and_a_light_one_does_not() {
    for (edge, is_heavy) in [(0.4, false), (0.9, true), (1.0, true)] {
        let mut sim = plank(&strong());
        sim.bodies.spawn(cube(edge, 0.001));
        let mut broke = breaks(&mut sim, 200);
        if !is_heavy {
            // It is too light to be checked by itself: a dent in a pier has it checked.
            sim.settings.blast_radius = 0.2;
            act(
                &mut sim,
                vec![Action::FireAlong {
                    from: [10.0, 1.5, 0.0],
                    dir: [1.0, 0.0, 0.0],
                }],
            );
        }
        broke += breaks(&mut sim, 200);
        assert_eq!(broke > 0, is_heavy, "{edge}");
        let fallen = sim.bodies.iter().any(|body| body.position.y < 2.5);
        assert_eq!(fallen, is_heavy, "{edge}");
    }
}

#[test]
fn a_light_block_breaks_a_plank_where_it_falls_from_high() {
    for (height, breaks_it) in [(0.02, false), (3.5, true)] {
        let mut sim = plank(&strong());
        sim.bodies.spawn(cube(0.4, height));
        assert_eq!(breaks(&mut sim, 300) > 0, breaks_it, "{height}");
    }
}

#[test]
fn what_lies_weighs_as_much_as_it_is_heavy_straight_below() {
    let mut sim = plank(&strong());
    sim.settings.strength = 0.0;
    sim.bodies.spawn(cube(0.8, 0.001));
    // A heap: its weight is carried down through what lies below.
    sim.bodies.spawn(cube(0.5, 0.802));
    (0..600).for_each(|_| drop(act(&mut sim, vec![])));
    assert!(sim.bodies.iter().all(|body| body.asleep));
    let gravity = DVec3::NEG_Y * 9.81;
    let near = crate::geom::Aabb::from_centre(DVec3::new(18.0, 3.0, 0.0), DVec3::ONE);
    let lying: Vec<PointLoad> = loads::lying(&sim.world, &sim.bodies, gravity, &near);
    let whole: DVec3 = lying.iter().map(|load| load.force).sum();
    let weight = 2500.0 * 9.81 * (0.8f64.powi(3) + 0.5f64.powi(3));
    assert!((whole.y + weight).abs() < 1e-6 * weight, "{whole}");
    assert!(lying.iter().all(|load| (load.point.y - 3.0).abs() < 1e-6));
    // Far away nothing counts.
    let far = crate::geom::Aabb::from_centre(DVec3::new(118.0, 3.0, 0.0), DVec3::ONE);
    assert_eq!(loads::lying(&sim.world, &sim.bodies, gravity, &far), []);
}

#[test]
fn a_section_creaks_before_it_breaks_longer_under_a_larger_load_and_by_the_setting() {
    // Ticks from the verdict to the break.
    let waits = |edge: f64, creak: f64| {
        let mut sim = plank(&Settings { creak, ..strong() });
        sim.bodies.spawn(cube(edge, 0.001));
        let mut verdict = None;
        for tick in 0..600u32 {
            let report = act(&mut sim, vec![]);
            if report.check.is_some_and(|check| check.overloaded > 0) {
                verdict.get_or_insert(tick);
            }
            let failed = report.carves.iter().any(|e| e.by == CarvedBy::Failure);
            if failed {
                return tick - verdict.expect("a verdict comes first");
            }
            // What is due is cut in the next tick.
            let creaks = !sim.creaking().sections.is_empty();
            let is_cut = sim.carving().is_some();
            assert_eq!(creaks || is_cut, verdict.is_some(), "{tick}");
            assert!(!creaks || !sim.is_still());
        }
        panic!("{edge} {creak}: nothing broke");
    };
    let [at_once, once, twice, larger] =
        [(0.9, 0.0), (0.9, 1.0), (0.9, 2.0), (1.4, 1.0)].map(|(edge, creak)| waits(edge, creak));
    assert!(at_once <= 1, "{at_once}");
    assert!((8..40).contains(&once), "{once}");
    assert!(twice.abs_diff(2 * once) <= 2, "{once} {twice}");
    assert!(larger > once, "{once} {larger}");
}

#[test]
fn shots_elsewhere_do_not_stop_the_time_of_what_creaks() {
    let mut sim = plank(&Settings {
        creak: 3.0,
        ..strong()
    });
    sim.settings.blast_radius = 0.3;
    sim.bodies.spawn(cube(0.9, 0.001));
    let (mut began, mut broke) = (None, None);
    for tick in 0..900u32 {
        let shots = match (tick % 7, began) {
            (0, Some(_)) => vec![Action::FireAlong {
                from: [30.0, 4.0, 0.0],
                dir: [1.0, 0.0, 0.1 * f64::from(tick % 5)],
            }],
            _ => vec![],
        };
        let report = act(&mut sim, shots);
        if report.check.is_some_and(|check| check.overloaded > 0) {
            began.get_or_insert(tick);
        }
        if report.carves.iter().any(|e| e.by == CarvedBy::Failure) {
            broke.get_or_insert(tick);
        }
    }
    let (began, broke) = (began.expect("a verdict"), broke.expect("a break"));
    assert!((30..160).contains(&(broke - began)), "{began} {broke}");
}

#[test]
fn a_replay_with_bodies_that_lie_and_fall_breaks_in_the_same_ticks_from_any_keyframe() {
    let settings = Settings {
        strength: 1.0,
        blast_radius: 0.5,
        ..Settings::default()
    };
    let mut sim = plank(&settings);
    let commands: Vec<Command> = (0..700u32)
        .map(|tick| {
            let actions = match tick {
                10 => vec![Action::Pour {
                    at: [18.0, 6.0, 0.0],
                    spread: 0.3,
                    crumbs: 40,
                    radius: 0.25,
                }],
                300 | 420 => vec![Action::FireAlong {
                    from: [10.0, 2.0, 0.0],
                    dir: [1.0, 0.0, 0.0],
                }],
                _ => vec![],
            };
            Command {
                actions,
                ..sim.idle()
            }
        })
        .collect();
    let carves = check_clones(&mut sim, &commands, 13, 90);
    assert!(carves.iter().any(|event| event.by == CarvedBy::Failure));
}

#[test]
fn undo_stops_what_creaks_and_takes_back_what_broke() {
    let settings = Settings {
        creak: 5.0,
        ..strong()
    };
    let mut sim = plank(&settings);
    let whole = sim.world.hash();
    // A small hole beside, so that there is something to undo.
    sim.settings.blast_radius = 0.2;
    act(
        &mut sim,
        vec![Action::FireAlong {
            from: [30.0, 4.0, 0.0],
            dir: [1.0, 0.0, 0.0],
        }],
    );
    (0..60).for_each(|_| drop(act(&mut sim, vec![])));
    sim.bodies.spawn(cube(0.9, 0.001));
    while sim.creaking().sections.is_empty() {
        assert!(sim.tick < 600, "it creaks");
        act(&mut sim, vec![]);
    }
    act(&mut sim, vec![Action::Undo]);
    assert!(sim.creaking().sections.is_empty());
    assert_eq!(sim.world.hash(), whole);
}
