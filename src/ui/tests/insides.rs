//! How it works inside: box trees, rules, what is inspected, the map, the lab.
use super::*;

#[test]
fn trees_stand_side_by_side_and_change_places() {
    let mut stand = with_one_window(PanelId::Trees);
    for text in ["1234.56 ms", "123456.78 m³", "segment against grown box"] {
        stand.find(text);
    }
    let mut wanted = stand.settings.clone();
    wanted.tree.split = SplitRule::Midpoint;
    assert_eq!(stand.press("Swap"), [UiAction::Set(Box::new(wanted))]);
    assert_eq!(stand.panels.trees.aside, stand.settings.tree);
    stand.panels.trees.aside.max_depth = 3;
    assert!(stand.press("Copy").is_empty());
    assert_eq!(stand.panels.trees.aside, stand.settings.tree);
}

#[test]
fn rules_are_settings_and_each_pair_of_layers_has_its_box() {
    use crate::collide::Layer;
    use crate::world::Solver;
    let mut stand = with_one_window(PanelId::Rules);
    for (name, solver) in [
        ("discrete", Solver::Discrete),
        ("subdivided", Solver::Subdivided(4)),
    ] {
        let mut wanted = stand.settings.clone();
        wanted.solver = solver;
        assert_eq!(
            stand.press(name),
            [UiAction::Set(Box::new(wanted))],
            "{name}"
        );
    }
    let mut wanted = stand.settings.clone();
    wanted.layers.set(Layer::Rocket, Layer::Debris, true);
    assert_eq!(
        stand.press("debris-rocket"),
        [UiAction::Set(Box::new(wanted))]
    );
    let boxes = stand.nodes.iter().filter(|(name, _)| {
        let parts: Vec<&str> = name.split('-').collect();
        parts.len() == 2
            && parts
                .iter()
                .all(|p| Layer::ALL.iter().any(|l| l.name() == *p))
    });
    assert_eq!(boxes.count(), 12);
}

#[test]
fn a_click_on_the_hint_is_one_on_the_picture() {
    let mut stand = Stand::new();
    stand.leaks = false;
    stand.panels.notices = Notices::default();
    stand.notices.clear();
    stand.settle();
    let hint = stand.find("Click to look around and fire · F1 for keys");
    assert!(!stand.is_covered(hint.center()));
    let chip = stand.find("watertight");
    assert!(stand.is_covered(chip.center()), "it has tips and buttons");
}

#[test]
fn bins_of_other_rooms_and_levels_are_asked_for() {
    use crate::view::BinLevels;
    let mut stand = with_panel(PanelId::Bins);
    let on = Overlays::default();
    let show = |overlays| [UiAction::Show(overlays)];
    let bins_of_all = true;
    assert_eq!(
        stand.press("all rooms"),
        show(Overlays { bins_of_all, ..on })
    );
    let levels = |bin_levels| show(Overlays { bin_levels, ..on });
    assert_eq!(stand.press("all"), levels(BinLevels::All));
    assert_eq!(stand.press("one"), levels(BinLevels::One(0)));
    assert!(stand.press("deepest").is_empty(), "they are drawn at first");
    stand.overlays.bin_levels = BinLevels::One(5);
    stand.settle();
    assert_eq!(stand.press("deepest"), levels(BinLevels::Deepest));
}

#[test]
fn a_ray_is_walked_beside_the_tick_that_takes_it() {
    let mut stand = with_panel(PanelId::Bins);
    assert_eq!(stand.press("walk"), [UiAction::TakeRay(true)]);
    stand.walk = Some(scene::walk());
    stand.settle();
    let place = stand.panels.dock.taken(PanelId::Bins).expect("drawn").place;
    for name in ["walk", "bins", "A RAY, BIN BY BIN", "2 of 60"] {
        let rect = stand.find(name);
        assert!(place.contains_rect(rect), "{name}: {rect} of {place}");
    }
    assert_eq!(stand.press(">"), [UiAction::WalkTo(2)]);
    assert_eq!(stand.press("walk"), [UiAction::TakeRay(false)]);
}

#[test]
fn that_nothing_was_carved_is_said_before_the_first_carve_alone() {
    let mut stand = with_panel(PanelId::Bins);
    stand.panels.dock.show(PanelId::Level, false);
    stand.chip = None;
    for (history, text) in [
        ([0, 0], "nothing carved yet"),
        ([1, 0], "1 change so far; the next one is shown here"),
        ([7, 3], "7 changes so far; the next one is shown here"),
        ([0, 2], "2 changes undone"),
    ] {
        stand.history = history;
        stand.settle();
        stand.find(text);
        assert_eq!(stand.has("nothing carved yet"), history == [0, 0]);
    }
}

#[test]
fn what_is_inspected_fits_its_window() {
    let mut stand = with_one_window(PanelId::Inspect);
    stand.find("face of concrete_wall");
    assert_eq!(stand.press("Clear the mark"), [UiAction::MarkSight]);
}

#[test]
fn the_map_names_the_room_and_the_nearest_wall() {
    let mut stand = with_one_window(PanelId::Map);
    assert!(stand.press("centre").is_empty());
    stand.settle();
    let text = stand.find("player: room 7, 1.00 m to the nearest wall");
    // The picture above it has the eye in its middle; three metres further along x the wall is four away.
    let column = stand.find("graph").left()..SIZE.x - 10.0;
    let above = stand.find("graph").bottom()..text.top();
    let middle = Pos2::new(
        (column.start + column.end) * 0.5 + 27.0,
        (above.start + above.end) * 0.5,
    );
    stand.pass(vec![Event::PointerMoved(middle)]);
    stand.pass(Vec::new());
    let said = |stand: &Stand, start: &str| stand.nodes.iter().any(|(n, _)| n.starts_with(start));
    assert!(said(&stand, "pointer: room 7, 4.0"), "{:?}", stand.nodes);
    let actions = stand.press_at(middle);
    let [UiAction::FlyTo(to)] = actions[..] else {
        panic!("{actions:?}")
    };
    assert!((to - DVec3::new(4.0, 1.5, 1.0)).length() < 0.2, "{to}");
    assert!(stand.press("4.0").is_empty());
    let map = &stand.panels.map;
    for floors in [&[0.0, 4.0][..], &[-3.0, 0.0, 4.0], &[0.0, 3.0, 8.0]] {
        assert_eq!(map.height(floors, 1.5), 5.2, "{floors:?}");
    }
    for other_level in [&[][..], &[20.0, 24.0]] {
        assert_eq!(map.height(other_level, 1.5), 1.5);
    }
    stand.press("graph");
    stand.pass(Vec::new());
    assert!(said(&stand, "2 rooms, 1 open portals"), "{:?}", stand.nodes);
}

#[test]
fn the_map_opens_with_the_whole_level_until_it_is_moved_and_fit_brings_that_back() {
    let mut stand = with_one_window(PanelId::Map);
    // The level is nine metres square: its middle flies there from the picture's middle.
    let flies = |stand: &mut Stand| {
        let taken = stand.panels.dock.taken(PanelId::Map).expect("drawn").place;
        let above = stand.find("graph").bottom()
            ..stand
                .find("Cut at 1.50 m. Wheel zooms, drag pans, click flies.")
                .top();
        let middle = Pos2::new(taken.center().x, (above.start + above.end) * 0.5 - 10.0);
        let actions = stand.press_at(middle);
        let [UiAction::FlyTo(to)] = actions[..] else {
            panic!("{actions:?}")
        };
        to
    };
    let middle = DVec3::new(4.5, 1.5, 4.5);
    let to = flies(&mut stand);
    assert!((to - middle).length() < 0.6, "{to}");
    assert!(stand.disabled.iter().any(|(name, ..)| name == "Fit"));
    stand.press("centre");
    stand.settle();
    let to = flies(&mut stand);
    assert!((to - DVec3::new(1.0, 1.5, 1.0)).length() < 2.0, "{to}");
    stand.press("Fit");
    stand.settle();
    let to = flies(&mut stand);
    assert!((to - middle).length() < 0.6, "{to}");
}

#[test]
fn the_lab_fits_every_question_and_its_rings_are_dragged() {
    let mut stand = Stand::new();
    stand.panels.dock.show(PanelId::Lab, true);
    stand.leaks = false;
    stand.notices.clear();
    for _ in 0..40 {
        stand.settle();
        check_nothing_is_cut_off(&stand);
        assert!(stand.press("Next").is_empty());
    }
    for button in [
        "Random",
        "Degenerate",
        "Degenerate",
        "Previous",
        "Start over",
    ] {
        assert!(stand.press(button).is_empty());
        stand.pass(Vec::new());
        check_nothing_is_cut_off(&stand);
    }
    stand.pass(Vec::new());
    let by = Vec2::new(40.0, 25.0);
    let to = stand.find("eye").center() + by;
    stand.drag("eye", by);
    stand.settle();
    assert!((stand.find("eye").center() - to).length() < 2.0);
    stand.find("dragged");
}
