//! The panels of the insides: box trees, rules, Inspect, the map, the Lab.
use super::*;

#[test]
fn trees_stand_side_by_side_and_change_places() {
    let mut window = with_one_window(PanelId::Trees);
    for text in ["1234.56 ms", "123456.78 m³", "segment against grown box"] {
        window.find(text);
    }
    let mut wanted = window.settings.clone();
    wanted.tree.split = SplitRule::Midpoint;
    assert_eq!(
        window.press("Swap"),
        [UiCommand::SetSettings(Box::new(wanted))]
    );
    assert_eq!(window.panels.trees.aside, window.settings.tree);
    window.panels.trees.aside.max_depth = 3;
    assert!(window.press("Copy").is_empty());
    assert_eq!(window.panels.trees.aside, window.settings.tree);
}

#[test]
fn rules_are_settings_and_each_pair_of_layers_has_its_box() {
    use crate::collide::Layer;
    use crate::world::Solver;
    let mut window = with_one_window(PanelId::Rules);
    for (name, solver) in [
        ("discrete", Solver::Discrete),
        ("subdivided", Solver::Subdivided(4)),
    ] {
        let mut wanted = window.settings.clone();
        wanted.solver = solver;
        assert_eq!(
            window.press(name),
            [UiCommand::SetSettings(Box::new(wanted))],
            "{name}"
        );
    }
    let mut wanted = window.settings.clone();
    wanted.layers.set(Layer::Rocket, Layer::Debris, true);
    assert_eq!(
        window.press("debris-rocket"),
        [UiCommand::SetSettings(Box::new(wanted))]
    );
    let boxes = window.nodes.iter().filter(|(name, _)| {
        let parts: Vec<&str> = name.split('-').collect();
        parts.len() == 2
            && parts
                .iter()
                .all(|p| Layer::ALL.iter().any(|l| l.name() == *p))
    });
    assert_eq!(boxes.count(), 12);
}

#[test]
fn what_broke_is_listed_the_last_first_and_a_click_flies_there() {
    let mut window = with_one_window(PanelId::Structure);
    window.settings.strength = 1.0;
    window.lay_out();
    let words = "rock, 123 cm², shear";
    assert_eq!(window.broken.last().map(|one| one.1.centre.z), Some(13.0));
    for text in ["1234 %", "a check is under way", words] {
        window.find(text);
    }
    let buttons = window
        .nodes
        .iter()
        .filter(|(name, _)| name.contains(" cm², ") || name.contains(" m², "));
    assert_eq!(buttons.count(), 12);
    let [UiCommand::FlyNear(to)] = window.press("solid, 123.46 m², compression")[..] else {
        panic!("it flies nowhere")
    };
    assert!(window.broken.iter().any(|one| one.1.centre == to));
    (window.check, window.broken) = (None, Vec::new());
    window.settings.strength = 0.0;
    window.lay_out();
    window.find("strength is off");
    window.find("nothing");
}

#[test]
fn a_click_on_the_hint_is_one_on_the_picture() {
    let mut window = TestWindow::new();
    window.leaks = false;
    window.panels.notices = Notices::default();
    window.notices.clear();
    window.lay_out();
    let hint = window.find("Click to look around and fire · F1 for keys");
    assert!(!window.is_covered(hint.center()));
    let chip = window.find("watertight");
    assert!(window.is_covered(chip.center()), "it has tips and buttons");
}

#[test]
fn bins_of_other_rooms_and_levels_are_asked_for() {
    use crate::view::BinLevels;
    let mut window = with_panel(PanelId::Bins);
    let on = Overlays::default();
    let show = |overlays| [UiCommand::SetOverlays(overlays)];
    let bins_of_all = true;
    assert_eq!(
        window.press("all rooms"),
        show(Overlays { bins_of_all, ..on })
    );
    let levels = |bin_levels| show(Overlays { bin_levels, ..on });
    assert_eq!(window.press("all"), levels(BinLevels::All));
    assert_eq!(window.press("one"), levels(BinLevels::One(0)));
    assert!(
        window.press("deepest").is_empty(),
        "they are drawn at first"
    );
    window.overlays.bin_levels = BinLevels::One(5);
    window.lay_out();
    assert_eq!(window.press("deepest"), levels(BinLevels::Deepest));
}

#[test]
fn a_ray_is_walked_beside_the_tick_that_takes_it() {
    let mut window = with_panel(PanelId::Bins);
    assert_eq!(window.press("walk"), [UiCommand::TakeRay(true)]);
    window.walk = Some(fixture::walk());
    window.lay_out();
    let place = window
        .panels
        .dock
        .taken(PanelId::Bins)
        .expect("drawn")
        .place;
    for name in ["walk", "bins", "A RAY, BIN BY BIN", "2 of 60"] {
        let rect = window.find(name);
        assert!(place.contains_rect(rect), "{name}: {rect} of {place}");
    }
    assert_eq!(window.press(">"), [UiCommand::WalkTo(2)]);
    assert_eq!(window.press("walk"), [UiCommand::TakeRay(false)]);
}

#[test]
fn that_nothing_was_carved_is_said_before_the_first_carve_alone() {
    let mut window = with_panel(PanelId::Bins);
    window.panels.dock.show(PanelId::Level, false);
    window.chip = None;
    for (history, text) in [
        ([0, 0], "nothing carved yet"),
        ([1, 0], "1 change so far; the next one is shown here"),
        ([7, 3], "7 changes so far; the next one is shown here"),
        ([0, 2], "2 changes undone"),
    ] {
        window.history = history;
        window.lay_out();
        window.find(text);
        assert_eq!(window.has("nothing carved yet"), history == [0, 0]);
    }
}

#[test]
fn what_is_inspected_fits_its_window() {
    let mut window = with_one_window(PanelId::Inspect);
    window.find("face of concrete_wall");
    assert_eq!(window.press("Clear the mark"), [UiCommand::MarkSight]);
}

#[test]
fn the_map_names_the_room_and_the_nearest_wall() {
    let mut window = with_one_window(PanelId::Map);
    assert!(window.press("centre").is_empty());
    window.lay_out();
    let text = window.find("player: room 7, 1.00 m to the nearest wall");
    // The map is centred on the eye; the wall is four metres from a point three metres along x.
    let column = window.find("graph").left()..SIZE.x - 10.0;
    let above = window.find("graph").bottom()..text.top();
    let middle = Pos2::new(
        (column.start + column.end) * 0.5 + 27.0,
        (above.start + above.end) * 0.5,
    );
    window.pass(vec![Event::PointerMoved(middle)]);
    window.pass(Vec::new());
    let said =
        |window: &TestWindow, start: &str| window.nodes.iter().any(|(n, _)| n.starts_with(start));
    assert!(said(&window, "pointer: room 7, 4.0"), "{:?}", window.nodes);
    let commands = window.press_at(middle);
    let [UiCommand::FlyTo(to)] = commands[..] else {
        panic!("{commands:?}")
    };
    assert!((to - DVec3::new(4.0, 1.5, 1.0)).length() < 0.2, "{to}");
    assert!(window.press("4.0").is_empty());
    let map = &window.panels.map;
    for floors in [&[0.0, 4.0][..], &[-3.0, 0.0, 4.0], &[0.0, 3.0, 8.0]] {
        assert_eq!(map.height(floors, 1.5), 5.2, "{floors:?}");
    }
    for other_level in [&[][..], &[20.0, 24.0]] {
        assert_eq!(map.height(other_level, 1.5), 1.5);
    }
    window.press("graph");
    window.pass(Vec::new());
    assert!(
        said(&window, "2 rooms, 1 open portals"),
        "{:?}",
        window.nodes
    );
}

#[test]
fn the_map_opens_with_the_whole_level_until_it_is_moved_and_fit_brings_that_back() {
    let mut window = with_one_window(PanelId::Map);
    // The level is nine metres square; a click at the picture's centre flies to the level's centre.
    let flies = |window: &mut TestWindow| {
        let taken = window.panels.dock.taken(PanelId::Map).expect("drawn").place;
        let above = window.find("graph").bottom()
            ..window
                .find("Cut at 1.50 m. Wheel zooms, drag pans, click flies.")
                .top();
        let middle = Pos2::new(taken.center().x, (above.start + above.end) * 0.5 - 10.0);
        let commands = window.press_at(middle);
        let [UiCommand::FlyTo(to)] = commands[..] else {
            panic!("{commands:?}")
        };
        to
    };
    let middle = DVec3::new(4.5, 1.5, 4.5);
    let to = flies(&mut window);
    assert!((to - middle).length() < 0.6, "{to}");
    assert!(window.disabled.iter().any(|(name, ..)| name == "Fit"));
    window.press("centre");
    window.lay_out();
    let to = flies(&mut window);
    assert!((to - DVec3::new(1.0, 1.5, 1.0)).length() < 2.0, "{to}");
    window.press("Fit");
    window.lay_out();
    let to = flies(&mut window);
    assert!((to - middle).length() < 0.6, "{to}");
}

#[test]
fn the_lab_fits_every_question_and_its_rings_are_dragged() {
    let mut window = TestWindow::new();
    window.panels.dock.show(PanelId::Lab, true);
    window.leaks = false;
    window.notices.clear();
    for _ in 0..40 {
        window.lay_out();
        check_nothing_is_cut_off(&window);
        assert!(window.press("Next").is_empty());
    }
    for button in [
        "Random",
        "Degenerate",
        "Degenerate",
        "Previous",
        "Start over",
    ] {
        assert!(window.press(button).is_empty());
        window.pass(Vec::new());
        check_nothing_is_cut_off(&window);
    }
    window.pass(Vec::new());
    let by = Vec2::new(40.0, 25.0);
    let to = window.find("eye").center() + by;
    window.drag("eye", by);
    window.lay_out();
    assert!((window.find("eye").center() - to).length() < 2.0);
    window.find("dragged");
}
