//! How the player walks, climbs, jumps and slides.
use super::*;
use crate::sim::movement::{JUMP_HEIGHT, STEP_HEIGHT};
use crate::sim::player::EYE_HEIGHT;

#[test]
fn the_player_stands_at_the_start_and_stays() {
    let mut sim = open(&hall(&[]));
    assert!(sim.player.walking);
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    assert!(sim.player.on_ground);
    let stood = sim.player.eye;
    run(&mut sim, 120, &idle);
    assert_eq!(sim.player.eye, stood);
    assert!((stood.y - EYE_HEIGHT).abs() < 0.05, "{stood}");
    assert!((sim.look_dir() - DVec3::X).length() < 1e-9);
}

#[test]
fn a_jump_is_45_units_high() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let ground = sim.player.feet.y;
    let jump = Command {
        jump: true,
        ..sim.idle()
    };
    let mut top: f64 = 0.0;
    run(&mut sim, 1, &jump);
    for _ in 0..120 {
        run(&mut sim, 1, &idle);
        top = top.max(sim.player.feet.y - ground);
    }
    assert!((top - JUMP_HEIGHT).abs() < 0.002, "{top}");
    assert!(sim.player.on_ground);
}

#[test]
fn walking_climbs_sixteen_and_eighteen_units_but_not_twenty() {
    for (rise, climbs) in [
        (4, true),
        (8, true),
        (16, true),
        (18, true),
        (20, false),
        (32, false),
    ] {
        for speed in [1.0, 0.3] {
            let mut sim = open(&hall(&[[[256, -256, 0], [1280, 256, rise]]]));
            let walk = Command {
                walk: [0.0, 0.0, speed],
                ..east(&sim)
            };
            run(&mut sim, (240.0 / speed) as u32, &walk);
            let up = sim.player.feet.y > f64::from(rise) / 32.0 - 1e-6;
            assert_eq!(
                up, climbs,
                "{rise} units at speed {speed}: {}",
                sim.player.feet
            );
        }
    }
    assert_eq!(STEP_HEIGHT, 0.5625);
}

#[test]
fn a_stair_is_climbed_and_gone_down_with_a_smooth_eye() {
    let stair: Vec<Block> = (0..12)
        .map(|i| [[256 + 16 * i, -256, 0], [1280, 256, 16 * (i + 1)]])
        .collect();
    let mut sim = open(&hall(&stair[..8]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let walk = east(&sim);
    let eyes = run(&mut sim, 200, &walk);
    assert!((sim.player.feet.y - 4.0).abs() < 0.1, "{}", sim.player.feet);
    for pair in eyes.windows(2) {
        assert!((pair[1].y - pair[0].y).abs() < 0.25, "{pair:?}");
    }
    let down = Command {
        walk: [0.0, 0.0, -1.0],
        ..sim.idle()
    };
    let mut grounded = 0;
    for _ in 0..260 {
        run(&mut sim, 1, &down);
        grounded += u32::from(sim.player.on_ground);
    }
    assert!(sim.player.feet.y < 0.1, "{}", sim.player.feet);
    assert!(grounded > 250, "{grounded}");
}

/// The hall with a ramp that rises from x = 256 to `x1` by 128 units.
fn hall_with_ramp(x1: i32) -> String {
    let ramp = format!(
        "{{\n( {x1} 0 0 ) ( {x1} 0 1 ) ( {x1} 1 0 ) brick 0 0 0 1 1\n( 0 -256 0 ) ( 0 -256 1 ) ( 1 -256 0 ) brick 0 0 0 1 1\n\
         ( 0 256 0 ) ( 1 256 0 ) ( 0 256 1 ) brick 0 0 0 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) brick 0 0 0 1 1\n\
         ( 256 0 0 ) ( {x1} 0 128 ) ( 256 -1 0 ) brick 0 0 0 1 1\n}}\n}}\n"
    );
    hall(&[[[x1, -256, 0], [1280, 256, 128]]]).replacen("}\n}\n", &format!("}}\n{ramp}"), 1)
}

#[test]
fn a_ramp_of_40_degrees_is_climbed_and_stood_on_and_one_of_60_is_not() {
    // Rises of 128 units over 152 and over 74.
    let mut sim = open(&hall_with_ramp(256 + 152));
    let walk = east(&sim);
    run(&mut sim, 95, &walk);
    let halfway = sim.player.feet;
    assert!((0.5..3.5).contains(&halfway.y), "{halfway}");
    let idle = sim.idle();
    run(&mut sim, 60, &idle);
    let stopped = sim.player.feet;
    run(&mut sim, 120, &idle);
    assert!(sim.player.on_ground);
    assert!(
        sim.player.feet.distance(stopped) < 1e-6,
        "{stopped} {}",
        sim.player.feet
    );
    run(&mut sim, 200, &walk);
    assert!(sim.player.feet.y > 3.9, "{}", sim.player.feet);

    let mut sim = open(&hall_with_ramp(256 + 74));
    run(&mut sim, 300, &walk);
    assert!(sim.player.feet.y < 0.8, "{}", sim.player.feet);
}

#[test]
fn a_player_in_a_gully_too_steep_to_stand_in_can_jump_out_of_it() {
    // Two wedges whose slopes of 55 degrees meet under the start.
    let wedge = |x: i32, side: i32| {
        let far = x + 96 * side;
        let (a, b) = if side > 0 {
            ("0 0 1", "0 1 0")
        } else {
            ("0 1 0", "0 0 1")
        };
        let at = |x: i32, d: &str| {
            let d: Vec<i32> = d.split(' ').map(|n| n.parse().expect("a digit")).collect();
            format!("( {} {} {} )", x + d[0], d[1], d[2])
        };
        let slope = if side > 0 {
            format!("( {x} 0 0 ) ( {far} 0 137 ) ( {x} -1 0 )")
        } else {
            format!("( {x} 0 0 ) ( {x} -1 0 ) ( {far} 0 137 )")
        };
        format!(
            "{{\n{} {} {} brick 0 0 0 1 1\n{slope} brick 0 0 0 1 1\n( 0 -256 0 ) ( 0 -256 1 ) ( 1 -256 0 ) brick 0 0 0 1 1\n\
             ( 0 256 0 ) ( 1 256 0 ) ( 0 256 1 ) brick 0 0 0 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) brick 0 0 0 1 1\n}}\n",
            at(far, "0 0 0"),
            at(far, a),
            at(far, b),
        )
    };
    let gully = format!("}}\n{}{}}}\n", wedge(300, 1), wedge(300, -1));
    let map = hall(&[])
        .replacen("}\n}\n", &gully, 1)
        .replace("64 0 24", "300 0 100");
    let mut sim = open(&map);
    let idle = sim.idle();
    run(&mut sim, 120, &idle);
    let bottom = sim.player.feet.y;
    let jump = Command {
        jump: true,
        ..idle.clone()
    };
    run(&mut sim, 2, &jump);
    let mut top = bottom;
    for _ in 0..60 {
        run(&mut sim, 1, &idle);
        top = top.max(sim.player.feet.y);
    }
    assert!(top > bottom + 1.0, "{bottom} to {top}");
}

#[test]
fn a_wall_is_slid_along_with_the_buffer_kept() {
    let mut sim = open(&hall(&[]));
    let slanted = Command {
        yaw: -2.3,
        walk: [0.0, 0.0, 1.0],
        ..Command::default()
    };
    run(&mut sim, 600, &slanted);
    let wall = 8.0;
    let gap = wall - sim.player.feet.z.abs() - STANDING.radius;
    assert!((0.0..0.05).contains(&gap), "{gap}");
    assert!(sim.player.feet.x > 20.0, "{}", sim.player.feet);
}

#[test]
fn a_corner_holds_the_player_still() {
    let mut sim = open(&hall(&[[[640, -256, 0], [704, 256, 256]]]));
    let walk = Command {
        yaw: -2.2,
        walk: [0.0, 0.0, 1.0],
        fast: true,
        ..Command::default()
    };
    run(&mut sim, 900, &walk);
    let held = sim.player.eye;
    run(&mut sim, 60, &walk);
    assert!(sim.player.eye.distance(held) < 1e-3);
}

#[test]
fn flying_stops_at_walls_and_no_clip_comes_back_into_the_air() {
    let mut sim = open(&hall(&[]));
    let ahead = Command {
        walk: [0.0, 0.0, 1.0],
        yaw: -1.5,
        pitch: 0.3,
        fast: true,
        ..Command::default()
    };
    run(
        &mut sim,
        1,
        &Command {
            actions: vec![Action::Walk(false)],
            ..ahead.clone()
        },
    );
    run(&mut sim, 300, &ahead);
    run(
        &mut sim,
        1,
        &Command {
            actions: vec![Action::NoClip(true)],
            ..ahead.clone()
        },
    );
    run(&mut sim, 200, &ahead);
    assert!(sim.eye_room.is_none());
    let back = Command {
        actions: vec![Action::NoClip(false)],
        ..sim.idle()
    };
    run(&mut sim, 1, &back);
    assert!(sim.eye_room.is_some());
}

#[test]
fn a_solid_start_is_skipped_with_a_warning_and_no_start_hovers_where_there_is_room() {
    let map = hall(&[]);
    let buried = map.replace("64 0 24", "64 0 -32");
    let sim = open(&buried);
    assert!(!sim.player.walking);
    assert!(
        sim.level
            .warnings
            .iter()
            .any(|warning| warning.text.contains("inside solid"))
    );
    let sim = open(
        map.split("{\n\"classname\" \"info_player_start\"")
            .next()
            .expect("the world"),
    );
    let near = nearest_surface(&sim.world, sim.player.eye, 20.0, &mut QueryStats::default());
    assert!(
        near.is_some_and(|near| near.distance > 3.0),
        "{}",
        sim.player.eye
    );
}
