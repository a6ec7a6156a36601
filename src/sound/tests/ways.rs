//! Paths: what is lost by distance, walls, holes and corners.
use super::*;

#[test]
fn what_is_seen_loses_nothing_but_by_its_distance() {
    let sim = open(&hall(&[]));
    let eye = sim.player.eye;
    for metres in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
        let path = way(&sim, eye + DVec3::X * metres);
        assert_eq!(path.way, Way::Direct, "at {metres} m");
        assert!(
            (path.gain * metres - 1.0).abs() < 1e-9,
            "at {metres} m: {}",
            path.gain
        );
        assert!((path.length - metres).abs() < 1e-9);
    }
}

#[test]
fn a_wall_of_one_metre_takes_62_db_and_a_hole_of_one_metre_gives_back_40_of_them() {
    let mut sim = two_rooms();
    let eye = sim.player.eye;
    // Behind the wall, and not in line with the hole.
    let at = DVec3::new(30.0, eye.y, 5.0);
    let shut = way(&sim, at);
    assert_eq!(shut.way, Way::Wall);
    // The mass law by hand, for the slanted way of √(28² + 5²) / 28 m of wall.
    let distance = at.distance(eye);
    let thickness = distance / (at.x - eye.x);
    let by_hand = 20.0 * libm::log10(125.0 * 2300.0 * thickness) - 47.0;
    assert!(
        (shut.loss_db - by_hand).abs() < 1e-6,
        "{} and {by_hand}",
        shut.loss_db
    );
    assert!((61.5..63.0).contains(&shut.loss_db), "{}", shut.loss_db);
    change(&mut sim, false, 1.0, eye, DVec3::X);
    let open = way(&sim, at);
    assert_eq!(open.way, Way::Openings(1));
    let (x, hole) = (open.points[1].x, open.points[1]);
    assert!((19.0..=20.0).contains(&x), "through the wall at {x}");
    assert!((hole.y - eye.y).abs() < 0.51 && (hole.z - eye.z).abs() < 0.51);
    // By hand, with the place of the hole that was taken: Kirchhoff for 1 m², Kurze and Anderson for the detour.
    let (d1, d2, wave) = (eye.distance(hole), hole.distance(at), 343.0 / 500.0);
    let area = -20.0 * libm::log10((d1 + d2) / (wave * d1 * d2));
    let root = (TAU * 2.0 * (d1 + d2 - distance) / wave).sqrt();
    let bend = (20.0 * libm::log10(root / libm::tanh(root))).min(8.0);
    assert!(
        (open.loss_db - area - bend).abs() < 0.05,
        "{} and {area} + {bend}",
        open.loss_db
    );
    let gained = shut.loss_db - open.loss_db;
    assert!(40.0 < gained, "{gained} dB");
}

#[test]
fn a_hole_is_heard_through_in_the_tick_after_it_and_not_after_it_is_undone_or_filled() {
    let mut sim = two_rooms();
    let (eye, at) = (sim.player.eye, DVec3::new(30.0, 1.4, 5.0));
    let mut ear = Ear::default();
    ear.begin(&sim, &[event(Sound::Drill, at, 1.0)]);
    let mut listen = |sim: &Sim| {
        ear.propagate(&sim.world, eye, sim.eye_room, sim.tick);
        ear.sources()[0].path.way
    };
    assert_eq!(listen(&sim), Way::Wall);
    change(&mut sim, false, 1.0, eye, DVec3::X);
    assert_eq!(listen(&sim), Way::Openings(1));
    act(&mut sim, vec![Action::Undo]);
    assert_eq!(listen(&sim), Way::Wall);
    act(&mut sim, vec![Action::Redo]);
    assert_eq!(listen(&sim), Way::Openings(1));
    // From behind the wall, deeper than the hole is long: a plug.
    let aimed = Some([[20.5, eye.y + 1.5, 0.0], [-1.0, 0.0, 0.0]]);
    let tool = Tool {
        size: 4.0,
        depth: 1.0,
        aimed,
        ..Tool::default()
    };
    act(&mut sim, vec![Action::Tool { fill: true, tool }]);
    while sim.carving().is_some() {
        act(&mut sim, vec![]);
    }
    assert_eq!(listen(&sim), Way::Wall);
}

#[test]
fn the_diffuse_sound_of_one_room_fills_the_next_through_a_hole_as_its_area_by_the_absorption() {
    let mut sim = two_rooms();
    let (eye, at) = (sim.player.eye, DVec3::new(30.0, 1.4, 5.0));
    let shut = way(&sim, at);
    change(&mut sim, false, 1.0, eye, DVec3::X);
    let open = way(&sim, at);
    // By hand: brick of 4 %, 1 m² of opening for both, the air of the listener's room; the tunnel of the hole aside.
    let surface = |x: f64| 2.0 * (x * 16.0 + x * 8.0 + 16.0 * 8.0) * 0.04;
    let (theirs, ours) = (
        surface(20.0) + 1.0,
        surface(19.0) + 1.0 + 0.004 * 19.0 * 16.0 * 8.0,
    );
    let diffuse = (8.0 * TAU / theirs).sqrt() * (1.0 / ours).sqrt();
    assert!(
        (open.diffuse / diffuse - 1.0).abs() < 0.02,
        "{} and {diffuse}",
        open.diffuse
    );
    // A hundred times the amplitude that comes through the wall.
    assert!(100.0 * shut.diffuse < open.diffuse, "{}", shut.diffuse);
}

#[test]
fn round_a_pillar_of_the_hall_sound_comes_by_the_same_air() {
    // A screen across half of the hall, up to the ceiling.
    let screen: Brick = [[608, -256, 0], [640, 100, 256]];
    let sim = open(&hall(&[screen]));
    let path = way(&sim, DVec3::new(30.0, 1.4, 4.0));
    assert!(
        !matches!(path.way, Way::Wall | Way::Direct),
        "{:?}",
        path.way
    );
    assert!((0.1..30.0).contains(&path.loss_db), "{}", path.loss_db);
    // Farther into the shadow it is quieter, and duller.
    let deep = way(&sim, DVec3::new(21.0, 1.4, 7.5));
    assert!(
        path.loss_db < deep.loss_db,
        "{} and {}",
        path.loss_db,
        deep.loss_db
    );
    assert!(deep.cutoff_hz <= path.cutoff_hz);
}

#[test]
fn the_space_of_a_hall_has_its_volume_and_reverberates_by_sabine() {
    let sim = open(&hall(&[]));
    let mut ear = Ear::default();
    ear.hear(&sim);
    let space = ear.space();
    assert!(
        (space.volume_m3 - 5120.0).abs() < 1e-6,
        "{}",
        space.volume_m3
    );
    let surface = 2.0 * (40.0 * 16.0 + 40.0 * 8.0 + 16.0 * 8.0);
    let absorbed = surface * 0.04 + 4.0 * 0.001 * 5120.0;
    assert!((space.absorption_m2 - absorbed).abs() < 1e-6);
    let sabine = 0.161 * 5120.0 / absorbed;
    assert!((space.reverberation_secs() - sabine).abs() < 1e-6);
}

#[test]
fn every_place_of_our_levels_that_is_seen_is_heard_and_no_way_is_shorter_than_the_straight_one() {
    for (name, text) in [
        ("bunker", &include_bytes!("../../../levels/bunker.map")[..]),
        ("tower", include_bytes!("../../../levels/tower.map")),
        ("caves", include_bytes!("../../../levels/caves.map")),
    ] {
        let level = read_map(text).expect("our own level");
        let sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world");
        let eye = sim.player.eye;
        let mut rng = crate::geom::rng::Rng::new(7);
        let (mut heard, mut asked) = (0, 0);
        while asked < 60 {
            let at = rng.in_box(&sim.world.bounds());
            if sim.world.locate(at).is_none() {
                continue;
            }
            asked += 1;
            let path = way(&sim, at);
            let straight = eye.distance(at);
            assert!(
                straight - 1e-6 <= path.length,
                "{name} {at}: {} m",
                path.length
            );
            let open = libm::pow(10.0, -spreading_db(straight) / 20.0);
            assert!(path.gain <= open * (1.0 + 1e-9), "{name} {at}");
            assert!(path.gain.is_finite() && path.cutoff_hz.is_finite());
            heard += u32::from(path.way != Way::Wall);
            // All the air of our levels is one: a start reaches it.
            let sees = crate::sound::path::sees(&sim.world, eye, at);
            assert_eq!(path.way == Way::Direct, sees, "{name} {at}");
        }
        assert!(asked * 9 <= heard * 10, "{name}: {heard} of {asked} by air");
    }
}
