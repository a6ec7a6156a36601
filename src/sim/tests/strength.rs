//! Structures that break under their load.
use super::*;
use crate::level::write_map;
use crate::sim::recording::{LevelSource, Recorder, Recording};

/// A slab of 6 m by 6 m by 1 m, 3 m above the floor, on a pillar of 1 m by 1 m; it touches no wall.
fn table() -> Sim {
    open_with(1.0)
}

fn open_with(strength: f64) -> Sim {
    let desc = read_map(&table_map()).expect("a level");
    let settings = Settings {
        strength,
        debris: false,
        ..Settings::default()
    };
    Sim::new(desc, 1, settings, &mut Silent).expect("a world")
}

fn table_map() -> Vec<u8> {
    let slab = [[544, -96, 96], [736, 96, 128]];
    let pillar = [[624, -16, 0], [656, 16, 96]];
    hall(&[slab, pillar]).into_bytes()
}

/// A rocket from the west at the pillar, this high.
fn shot(height: f64, across: f64) -> Action {
    Action::FireAlong {
        from: [14.0, height, across],
        dir: [1.0, 0.0, 0.0],
    }
}

/// Shoots at the pillar with small rockets until something fails under its load, or is cut free by the shots alone.
fn shoot_until_it_falls(sim: &mut Sim) -> (Vec<CarveEvent>, u32) {
    sim.settings.blast_radius = 0.4;
    let mut events = Vec::new();
    for number in 0..200u32 {
        let across = f64::from(number * 5 % 13) * 0.1 - 0.6;
        events.extend(act(sim, vec![shot(1.5, across)]).carves);
        for _ in 0..60 {
            events.extend(act(sim, vec![]).carves);
        }
        let fallen = |event: &CarveEvent| {
            let carved = event.result.as_ref();
            carved.is_ok_and(|c| c.islands.iter().any(|island| island.volume_m3 > 30.0))
        };
        if events.iter().any(fallen) {
            return (events, number);
        }
    }
    panic!("the slab still stands");
}

fn failures(events: &[CarveEvent]) -> usize {
    let failed = events.iter().filter(|event| event.by == CarvedBy::Failure);
    failed.count()
}

#[test]
fn a_pillar_that_is_shot_thin_fails_before_it_is_cut_through() {
    let (events, with_strength) = shoot_until_it_falls(&mut table());
    assert!(failures(&events) > 0);
    let (events, without) = shoot_until_it_falls(&mut open_with(0.0));
    assert_eq!(failures(&events), 0);
    assert!(with_strength < without, "{with_strength} {without}");
    let (events, strong) = shoot_until_it_falls(&mut open_with(100.0));
    assert!(
        strong >= with_strength,
        "{strong} {with_strength}: {}",
        failures(&events)
    );
}

#[test]
fn failures_are_undone_and_redone_with_the_shot_that_caused_them() {
    let mut sim = table();
    let (events, _) = shoot_until_it_falls(&mut sim);
    for _ in 0..120 {
        act(&mut sim, vec![]);
    }
    let shots = events
        .iter()
        .filter(|event| event.by == CarvedBy::Blast)
        .count();
    let hash = sim.world.hash();
    let steps = sim.history.undo_steps();
    assert!(steps > shots);
    act(&mut sim, vec![Action::Undo; shots]);
    assert_eq!(sim.history.undo_steps(), 0);
    assert_eq!(sim.world.hash(), table().world.hash());
    act(&mut sim, vec![Action::Redo; shots]);
    assert_eq!((sim.history.undo_steps(), sim.world.hash()), (steps, hash));
    // What was redone stands as it stood.
    for _ in 0..120 {
        assert!(act(&mut sim, vec![]).carves.is_empty());
    }
}

#[test]
fn a_replay_fails_in_the_same_ticks_whatever_keyframe_it_starts_from() {
    let mut sim = table();
    sim.settings.blast_radius = 0.25;
    let commands: Vec<Command> = (0..1500)
        .map(|tick| Command {
            actions: match tick % 25 {
                0 => vec![shot(1.5, [0.0, 0.3, -0.3][tick / 25 % 3])],
                _ => Vec::new(),
            },
            ..sim.idle()
        })
        .collect();
    assert!(failures(&check_clones(&mut sim, &commands, 111, 200)) > 0);
}

#[test]
fn a_recording_of_a_collapse_verifies_and_a_saved_level_opens_as_it_was() {
    let map = table_map();
    let mut sim = table();
    sim.settings.blast_radius = 0.25;
    sim.settings.breaks = 3;
    let settings = sim.settings.clone();
    let desc = read_map(&map).expect("a level");
    let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
    let mut file = Vec::new();
    let source = LevelSource::embed(&map);
    let mut recorder = Recorder::start(&mut file, &source, 1, &settings).expect("a start");
    for tick in 0..1500usize {
        let mut command = sim.idle();
        if tick % 25 == 0 {
            command.actions = vec![shot(1.5, [0.0, 0.3, -0.3][tick / 25 % 3])];
        }
        let number = sim.tick;
        recorder
            .command(&mut file, number, &command)
            .expect("a line");
        sim.step(&command, &mut Silent);
        recorder.stepped(&mut file, &sim).expect("a line");
    }
    recorder.end(&mut file, &sim).expect("an end");
    let recording = Recording::read(&file).expect("a recording");
    let desc = read_map(&map).expect("a level");
    let mut replayed = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
    let difference = replay::play(&recording, &mut replayed, &mut Silent, &mut |_, _| true);
    assert_eq!(difference, None);
    let again = read_map(&write_map(&sim.level)).expect("a level");
    let again = Sim::new(again, 1, settings, &mut Silent).expect("a world");
    assert_eq!(again.world.hash(), sim.world.hash());
}

#[test]
fn no_more_sections_break_after_a_check_than_the_setting_says() {
    for breaks in [1, 64] {
        let mut sim = table();
        sim.settings.breaks = breaks;
        sim.settings.blast_radius = 0.6;
        let (mut most, mut broken, mut overloaded) = (0, 0, 0);
        for tick in 0..1200usize {
            let shots = match tick % 40 {
                0 => vec![shot(1.5, [0.0, 0.3, -0.3][tick / 40 % 3])],
                _ => Vec::new(),
            };
            let report = act(&mut sim, shots);
            // Of those behind each other one breaks.
            assert!(report.broken.len() <= breaks as usize);
            most = most.max(report.broken.len());
            broken += report.broken.len();
            if let Some(check) = report.check {
                assert!(check.blocks > 0 && check.bonds > 0);
                overloaded += check.overloaded;
            }
            for one in &report.broken {
                assert!(one.utilisation > 1.0 && one.area_m2 > 0.0);
                assert_eq!(one.material.map(|m| m.name()), Some("brick"));
            }
        }
        assert!(most > 0 && (breaks > 1 || most == 1), "{breaks}: {most}");
        assert!(broken <= overloaded, "{broken} {overloaded}");
    }
}

#[test]
fn settings_without_the_number_of_breaks_mean_eight_and_hash_as_before() {
    let text = serde_json::to_string(&table().settings).expect("settings");
    let old = text.replace(",\"breaks\":8", "");
    assert_ne!(old, text);
    let old: Settings = serde_json::from_str(&old).expect("old settings");
    assert_eq!(old, table().settings);
    let with = |breaks: u32| {
        let mut sim = table();
        sim.settings.breaks = breaks;
        let text = serde_json::to_string(&sim.settings).expect("settings");
        let again: Settings = serde_json::from_str(&text).expect("settings");
        assert_eq!(again, sim.settings);
        sim.state_hash()
    };
    assert_eq!(with(8), table().state_hash());
    assert_ne!(with(9), with(8));
}

#[test]
fn a_check_is_a_stage_of_its_own_where_there_is_one() {
    use crate::timing::{Marker, Stage};
    #[derive(Default)]
    struct Count([u32; 2]);
    impl Marker for Count {
        fn begin(&mut self, stage: Stage) {
            self.0[0] += u32::from(stage == Stage::Structure);
        }
        fn end(&mut self, stage: Stage) {
            self.0[1] += u32::from(stage == Stage::Structure);
        }
    }
    for (strength, checks) in [(0.0, false), (1.0, true)] {
        let mut sim = open_with(strength);
        let mut count = Count::default();
        sim.step(&sim.idle(), &mut count);
        assert_eq!(count.0, [0; 2]);
        let command = Command {
            actions: vec![shot(1.5, 0.0)],
            ..sim.idle()
        };
        sim.step(&command, &mut count);
        for _ in 0..60 {
            sim.step(&sim.idle(), &mut count);
        }
        assert_eq!(count.0[0] > 0, checks);
        assert_eq!(count.0[0], count.0[1]);
        assert_eq!(!sim.checked().is_empty(), checks);
    }
}

#[test]
fn a_forecast_finds_what_the_change_then_breaks_and_changes_nothing() {
    let tool = Tool {
        size: 0.62,
        depth: 0.9,
        ..Tool::default()
    };
    let mut foretold = 0;
    // Slots side by side at the foot of the pillar: at some point the rest is too weak.
    for slot in 0..4 {
        let mut sim = table();
        sim.settings.creak = 0.0;
        sim.player.eye = DVec3::new(16.0, 1.2, 0.0);
        let aim = |sim: &mut Sim, across: f64, ahead: bool| {
            let look = DVec3::new(19.5, 1.2, across) - sim.player.eye;
            sim.player.yaw = libm::atan2(-look.x, -look.z);
            sim.player.pitch = libm::atan2(look.y, libm::hypot(look.x, look.z));
            let forecast = ahead.then(|| {
                let hash = sim.state_hash();
                let mut forecast = sim.forecast(false, &tool).expect("strength is on");
                while !forecast.found().is_over {
                    forecast.advance();
                }
                assert_eq!(sim.state_hash(), hash);
                forecast.found().clone()
            });
            let tool = tool.clone();
            let mut reports = vec![act(sim, vec![Action::Tool { fill: false, tool }])];
            while sim.is_checking() || sim.carving().is_some() {
                reports.push(act(sim, vec![]));
            }
            (forecast, reports)
        };
        for before in 0..slot {
            aim(&mut sim, -0.45 + 0.3 * f64::from(before), false);
        }
        let (forecast, reports) = aim(&mut sim, -0.45 + 0.3 * f64::from(slot), true);
        let found = forecast.expect("it was asked for");
        let broken = reports.iter().flat_map(|report| report.broken.clone());
        let broken: Vec<BrokenSection> = broken.collect();
        assert_eq!(found.sections, broken, "slot {slot}");
        let failures = reports.iter().flat_map(|report| &report.carves);
        let failures = failures.filter(|event| event.by == CarvedBy::Failure);
        let islands = failures.flat_map(|e| e.result.as_ref().expect("a carve").islands.clone());
        let falls_m3: f64 = islands.map(|island| island.volume_m3).sum();
        assert_eq!(found.falls_m3, falls_m3, "slot {slot}");
        foretold += usize::from(falls_m3 > 30.0);
    }
    assert!(foretold > 0, "the slab falls by its weight after some slot");
}

#[test]
fn without_strength_there_is_no_forecast() {
    let sim = open_with(0.0);
    assert!(sim.forecast(false, &Tool::default()).is_none());
}
