//! The three solvers in two halls with a wall between.
use super::*;
use crate::geom::rng::Rng;

/// Two rooms of 8 x 6 x 8 m in rock, their wall from x = 0 to `thickness` metres.
fn halls(thickness: f64) -> World {
    let mut d = desc(true);
    d.base = vec![carve(vec![
        metres([-8.0, 0.0, -4.0], [0.0, 6.0, 4.0]),
        metres([thickness, 0.0, -4.0], [8.0, 6.0, 4.0]),
    ])];
    built(&d)
}

const SOLVERS: [Solver; 5] = [
    Solver::Swept,
    Solver::Discrete,
    Solver::Subdivided(1),
    Solver::Subdivided(8),
    Solver::Subdivided(u32::MAX),
];

/// A move along x at a height far from any edge.
fn along_x(world: &World, from: f64, to: f64, solver: Solver) -> SphereMove {
    let at = |x: f64| DVec3::new(x, 3.1, 0.2);
    world.move_sphere(at(from), at(to), 0.25, solver, &mut QueryStats::default())
}

#[test]
fn a_wall_thinner_than_the_step_is_passed_by_all_but_the_swept_solver() {
    let world = halls(0.0625);
    for solver in SOLVERS {
        let moved = along_x(&world, -1.0, 1.0, solver);
        let is_swept = solver == Solver::Swept;
        assert_eq!(moved.hit.is_some(), is_swept, "{solver:?}");
        assert_eq!(moved.tunnelled, !is_swept, "{solver:?}");
        let slow = along_x(&world, -1.0, -0.125, solver);
        assert!(slow.hit.is_some() && !slow.tunnelled, "{solver:?}");
        let inside = along_x(&world, -1.0, 0.03125, solver).hit.expect("rock");
        assert!(inside.normal.distance(-DVec3::X) < 1e-12, "{solver:?}");
    }
}

#[test]
fn halving_comes_nearer_to_the_sweep() {
    let world = halls(1.0);
    let swept = along_x(&world, -1.0, 0.5, Solver::Swept).hit.expect("wall");
    assert!((swept.fraction - 0.5).abs() < 1e-12);
    let discrete = along_x(&world, -1.0, 0.5, Solver::Discrete).hit;
    assert_eq!(discrete.expect("wall").fraction, 0.0, "all taken back");
    for steps in 1..=20 {
        let moved = along_x(&world, -1.0, 0.5, Solver::Subdivided(steps));
        let late = swept.fraction - moved.hit.expect("wall").fraction;
        assert!(
            0.0 <= late && late <= 1.0 / f64::from(1 << steps),
            "{steps}"
        );
    }
}

#[test]
fn a_start_in_contact_may_leave_but_not_go_deeper() {
    let world = halls(1.0);
    for solver in SOLVERS {
        assert_eq!(along_x(&world, -0.125, -1.0, solver), SphereMove::default());
        let hit = along_x(&world, -0.125, -0.0625, solver).hit.expect("wall");
        assert_eq!(hit.fraction, 0.0, "{solver:?}");
        assert_eq!(along_x(&world, -1.0, -1.0, solver), SphereMove::default());
        assert_eq!(
            along_x(&world, -1.0, f64::NAN, solver),
            SphereMove::default()
        );
    }
}

/// Also the counter: a move is said to have tunnelled exactly if a wall lies between its ends.
#[test]
fn no_solver_leaves_a_centre_in_rock() {
    let world = halls(0.25);
    let mut rng = Rng::new(5);
    let air = |p: DVec3| world.locate(p).is_some();
    let (mut hits, mut tunnelled) = (0, 0);
    for i in 0..3000 {
        let mut place = || {
            DVec3::new(
                rng.range(-9.0, 9.0),
                rng.range(-1.0, 7.0),
                rng.range(-5.0, 5.0),
            )
        };
        let (from, to) = (place(), place());
        if !air(from) {
            continue;
        }
        let solver = SOLVERS[i % SOLVERS.len()];
        let stats = &mut QueryStats::default();
        let moved = world.move_sphere(from, to, 0.2, solver, stats);
        let end = from.lerp(to, moved.hit.map_or(1.0, |hit| hit.fraction));
        assert!(air(end), "{solver:?} {from} {to}");
        assert_eq!(
            moved.tunnelled,
            (from.x < 0.0) != (end.x < 0.0),
            "{solver:?} {from} {to}"
        );
        hits += usize::from(moved.hit.is_some());
        tunnelled += usize::from(moved.tunnelled);
        if let Some(hit) = moved.hit {
            assert!(hit.normal.dot(to - from) <= 0.0);
            assert!((hit.normal.length() - 1.0).abs() < 1e-9);
        }
    }
    assert!(hits > 500 && tunnelled > 100, "{hits} {tunnelled}");
}
