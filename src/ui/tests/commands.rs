//! Buttons, menus, keys, settings and questions: what is pressed arrives.
use super::*;
use std::path::Path;

#[test]
fn every_button_sends_its_action() {
    let portals = Overlays {
        portals: true,
        ..Overlays::default()
    };
    for (name, action) in [
        ("Open…", UiAction::OpenDialog),
        ("Save as…", UiAction::SaveAsDialog),
        ("Reset", UiAction::Reset),
        (
            "caves.map built in",
            UiAction::Open(Origin::from_argument("caves".as_ref())),
        ),
        ("Walk", UiAction::Camera(CameraMode::Walk)),
        ("No-clip", UiAction::Camera(CameraMode::NoClip)),
        ("Pause", UiAction::Pause(false)),
        ("Step", UiAction::Step),
        ("Slow", UiAction::Slow(true)),
        ("Carve", UiAction::Carve),
        ("Undo", UiAction::Undo),
        ("Redo", UiAction::Redo),
        ("Fill", UiAction::Fill),
        ("portals", UiAction::Show(portals)),
        ("Cancel", UiAction::CancelLoading),
        ("Fly along it", UiAction::FlyOut(true)),
    ] {
        let mut stand = Stand::new();
        if matches!(action, UiAction::Carve | UiAction::Fill) {
            stand.hold(Hand::Brush);
        }
        if matches!(action, UiAction::Show(_)) {
            stand.panels.dock.show(PanelId::Bins, true);
            stand.settle();
        }
        assert_eq!(stand.press(name), [action], "{name}");
    }
}

#[test]
fn every_control_of_every_panel_says_what_it_does() {
    for row in PANELS {
        let stand = with_panel(row.id);
        assert!(stand.panels.dock.is_seen(row.id), "{}", row.title);
        // The arrows beside tabs that do not fit are the dock's own.
        let bare: Vec<&String> = stand
            .bare
            .iter()
            .filter(|name| !name.contains('⏴') && !name.contains('⏵'))
            .collect();
        assert!(bare.is_empty(), "{}: {bare:?}", row.title);
    }
}

/// Nothing can be done: no level, nothing recorded, nothing changed.
fn disable(stand: &mut Stand) {
    (stand.open, stand.paused, stand.history) = (false, false, [0; 2]);
    stand.recorded = Recorded::default();
    stand.hurry_tips();
    stand.settle();
}

/// What cannot be used in a panel and shows no tip where the pointer rests on it; and how many of its controls were
/// looked at.
fn silent(stand: &mut Stand, id: PanelId) -> (Vec<String>, usize) {
    let place = stand.panels.dock.taken(id).map(|taken| taken.place);
    let mut disabled = stand.disabled.clone();
    disabled.retain(|(_, rect, _)| place.is_some_and(|place| place.contains_rect(*rect)));
    let looked = disabled.len();
    let away = Pos2::new(SIZE.x * 0.5, SIZE.y * 0.4);
    disabled.retain(|(name, rect, tip)| {
        // The number beside a slider is told by the slider's tip, and called so.
        let tip = if tip.is_empty() { name } else { tip };
        let before = stand.count_over(tip, away);
        stand.count_over(tip, rect.center()) <= before
    });
    let names = disabled
        .into_iter()
        .map(|(name, _, tip)| format!("{name}: {tip}"));
    (names.collect(), looked)
}

#[test]
fn what_cannot_be_used_says_what_it_does_as_well() {
    let mut looked = 0;
    for row in PANELS {
        let mut stand = with_panel(row.id);
        disable(&mut stand);
        let (silent, some) = silent(&mut stand, row.id);
        assert!(silent.is_empty(), "{}: {silent:?}", row.title);
        looked += some;
    }
    assert!(looked > 20, "only {looked} controls");
    for shape in [ToolShape::Hull, ToolShape::Rock] {
        let mut stand = with_panel(PanelId::Tools);
        stand.panels.tools.tool.shape = shape;
        stand.hold(Hand::Brush);
        disable(&mut stand);
        let (silent, some) = silent(&mut stand, PanelId::Tools);
        assert!(silent.is_empty(), "{shape:?}: {silent:?}");
        assert!(some > 2, "{shape:?}: only {some} controls");
    }
}

#[test]
fn the_menus_press_keys_and_open_panels() {
    for (menu, entry, does) in [
        ("File", "Save", Does::Save),
        ("File", "Next level", Does::NextLevel),
        ("File", "Quit", Does::Quit),
        ("Edit", "Redo", Does::Redo),
        ("Time", "Fly through walls", Does::NoClip),
        ("Show", "Wire", Does::Wire),
        ("Help", "Keys", Does::Help),
    ] {
        let mut stand = Stand::new();
        assert!(stand.press(menu).is_empty());
        stand.settle();
        assert!(stand.bare.is_empty(), "{menu}: {:?}", stand.bare);
        let rect = stand.find_start(entry);
        let pressed = stand.press_at(rect.center());
        assert_eq!(pressed, [UiAction::Press(does)], "{menu}, {entry}");
    }
    let mut stand = Stand::new();
    stand.press("View");
    stand.settle();
    let rect = stand.find_start("   Map");
    stand.press_at(rect.center());
    stand.pass(Vec::new());
    assert!(stand.panels.dock.is_open(PanelId::Map));
}

#[test]
fn keys_are_asked_for_and_settings_are_sent() {
    let mut stand = with_panel(PanelId::Keys);
    assert_eq!(stand.press("W"), [UiAction::Rebind(Some(Does::Forward))]);
    assert_eq!(stand.picture, None, "the list lies over the picture");
    stand.rebinding = Some(Does::Forward);
    stand.pass(Vec::new());
    assert_eq!(stand.press("…"), [UiAction::Rebind(None)]);
    let mut stand = with_panel(PanelId::Settings);
    let actions = stand.press("red-green");
    let [UiAction::Prefer(wanted)] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(wanted.palette, Palette::RedGreen);
    let actions = stand.press("newest");
    let [UiAction::Prefer(wanted)] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(wanted.vsync, Vsync::Newest);
    let actions = stand.press("fast");
    let [UiAction::Prefer(wanted)] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(wanted.detail, Detail::Fast);
    assert_eq!(stand.press("Reset layout"), [UiAction::ResetPanels]);
}

#[test]
fn the_panels_take_their_size_when_it_is_let_go() {
    let mut stand = with_panel(PanelId::Settings);
    let row = stand.find("UI scale");
    let from = Pos2::new(row.left() + theme::LABEL_WIDTH + 20.0, row.center().y);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    stand.pass(vec![Event::PointerMoved(from)]);
    stand.pass(vec![button(from, true)]);
    let mut at = from;
    for _ in 0..8 {
        at.x += 10.0;
        let sent = stand.pass(vec![Event::PointerMoved(at)]);
        assert!(sent.is_empty(), "{sent:?}");
    }
    let sent = stand.pass(vec![button(at, false)]);
    let [UiAction::Prefer(wanted)] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert!((wanted.scale - 1.5).abs() < 0.1, "{}", wanted.scale);
    stand.preferences = (**wanted).clone();
    assert!(stand.pass(Vec::new()).is_empty());
}

#[test]
fn no_key_of_egui_changes_the_size_of_the_panels() {
    let mut stand = Stand::new();
    let key = |pressed| Event::Key {
        key: egui::Key::Plus,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::COMMAND,
    };
    let before = stand.size();
    stand.pass(vec![key(true), key(false)]);
    stand.settle();
    assert_eq!(stand.size(), before);
}

#[test]
fn choosing_changes_the_settings() {
    for (name, change) in [
        (
            "metal",
            (|s: &mut Settings| s.blast_shape = "metal".into()) as fn(&mut Settings),
        ),
        ("thrown by carves", |s| s.debris = false),
    ] {
        let mut stand = match name {
            "metal" => Stand::new(),
            _ => with_panel(PanelId::World),
        };
        let mut wanted = stand.settings.clone();
        change(&mut wanted);
        assert_eq!(stand.press(name), [UiAction::Set(Box::new(wanted))]);
    }
    let mut stand = with_panel(PanelId::Bins);
    assert!(stand.press("How a bin is split in two.").is_empty());
    stand.pass(Vec::new());
    let mut wanted = stand.settings.clone();
    wanted.tree.split = SplitRule::Median;
    assert_eq!(stand.press("median"), [UiAction::Set(Box::new(wanted))]);
}

#[test]
fn sliders_send_settings_while_they_are_dragged() {
    for (label, get) in [
        (
            "radius",
            (|s: &Settings| s.blast_radius) as fn(&Settings) -> f64,
        ),
        ("depth", |s| f64::from(s.tree.max_depth)),
        ("tris / bin", |s| f64::from(s.tree.faces_per_bin)),
        ("min volume", |s| s.tree.min_volume),
        ("buffer", |s| s.buffer_distance),
    ] {
        let mut stand = match label {
            "radius" => Stand::new(),
            _ => with_panel(PanelId::Bins),
        };
        stand.panels.dock.show(PanelId::Level, label == "radius");
        stand.settle();
        let row = stand.find(label);
        let rail = Pos2::new(row.left() + theme::LABEL_WIDTH + 6.0 + 70.0, row.center().y);
        let actions = stand.press_at(rail);
        let Some(UiAction::Set(settings)) = actions.first() else {
            panic!("{label}: {actions:?}")
        };
        assert_ne!(get(settings), get(&stand.settings), "{label}");
    }
}

#[test]
fn the_path_box_opens_and_saves_what_was_typed() {
    let mut stand = Stand::new();
    let buttons = |stand: &Stand, name: &str| -> Vec<Rect> {
        stand
            .nodes
            .iter()
            .filter(|(n, _)| n == name)
            .map(|(_, r)| *r)
            .collect()
    };
    stand.panels.level.path = "  a/b.map ".into();
    stand.pass(Vec::new());
    let open = buttons(&stand, "Open")[0].center();
    assert_eq!(
        stand.press_at(open),
        [UiAction::Open(PathBuf::from("a/b.map").into())]
    );
    let save = buttons(&stand, "Save");
    let lower = save
        .iter()
        .max_by(|a, b| a.top().total_cmp(&b.top()))
        .expect("two Save buttons");
    assert_eq!(
        stand.press_at(lower.center()),
        [UiAction::SaveAs("a/b.map".into())]
    );
    let upper = save
        .iter()
        .min_by(|a, b| a.top().total_cmp(&b.top()))
        .expect("two Save buttons");
    assert_eq!(stand.press_at(upper.center()), [UiAction::Save]);
}

#[test]
fn a_recent_file_is_offered_with_its_folder_and_its_whole_path() {
    let path = "/disk/who/maps of a long name/a_long_name_of_a_level_4.map";
    let origin = Origin::File(path.into());
    let mut stand = Stand::new();
    stand.levels.push(LevelEntry {
        origin: origin.clone(),
        recent: true,
    });
    stand.settle();
    let is_row = |name: &str| name.starts_with("a_lon") && name.contains(".map maps");
    let row = stand.nodes.iter().find(|(name, _)| is_row(name));
    let at = row.expect("a row").1.center();
    assert_eq!(stand.press_at(at), [UiAction::Open(origin)]);
    assert!(
        stand.tips.iter().any(|tip| tip.contains(path)),
        "{:?}",
        stand.tips
    );
}

#[test]
fn of_a_long_path_the_end_shows_until_somebody_types() {
    let path = "/disk/who/maps/of/a/very/long/way/to/a_level_4.map";
    let mut stand = Stand::new();
    stand.panels.level.path = path.into();
    stand.settle();
    let values = stand.values();
    let seen = values
        .iter()
        .find(|(text, _)| text.ends_with("a_level_4.map"));
    let (seen, place) = seen.expect("the box").clone();
    assert!(seen.starts_with('…') && seen.len() < path.len(), "{seen}");
    stand.press_at(place.center());
    stand.settle();
    assert!(stand.values().iter().any(|(text, _)| text == path));
    assert_eq!(stand.panels.level.path, path);
}

#[test]
fn a_file_is_replaced_when_that_is_agreed_to() {
    for (name, answer) in [("Replace", Some(true)), ("Cancel", None)] {
        let mut stand = with_question();
        stand.replace = Some(Path::new("/disk/who/maps/dug.map"));
        stand.settle();
        stand.find("/disk/who/maps/dug.map already exists.");
        assert_eq!(stand.press_in_dialog(name), [UiAction::Unsaved(answer)]);
    }
}

#[test]
fn a_warning_flies_there_and_unsaved_changes_are_asked_about() {
    let mut stand = with_panel(PanelId::Report);
    let name = "line 12345: a face whose points are collinear is skipped";
    assert_eq!(stand.press(name), [UiAction::FlyToLine(12345)]);
    assert_eq!(stand.press("Count again"), [UiAction::CountAgain]);
    for (name, answer) in [
        ("Save", Some(true)),
        ("Don't save", Some(false)),
        ("Cancel", None),
    ] {
        let mut stand = with_question();
        assert_eq!(stand.press_in_dialog(name), [UiAction::Unsaved(answer)]);
    }
}

fn with_question() -> Stand {
    let mut stand = Stand::new();
    stand.asked = Some("open caves.map");
    stand.settle();
    stand
}

#[test]
fn enter_saves_escape_stays_and_while_it_saves_only_staying_is_left() {
    for (key, answer) in [(egui::Key::Enter, Some(true)), (egui::Key::Escape, None)] {
        let mut stand = with_question();
        assert_eq!(stand.key(key), [UiAction::Unsaved(answer)]);
    }
    let mut stand = with_question();
    stand.saving = true;
    stand.settle();
    assert!(stand.key(egui::Key::Enter).is_empty());
    assert_eq!(stand.key(egui::Key::Escape), [UiAction::Unsaved(None)]);
    // Why it failed stands in the dialog itself: messages wait behind it.
    (stand.saving, stand.problem) = (false, Some("Not saved: disk full"));
    stand.settle();
    stand.find("Not saved: disk full");
    assert_eq!(stand.key(egui::Key::Enter), [UiAction::Unsaved(Some(true))]);
}

#[test]
fn nothing_behind_a_question_can_be_clicked() {
    let mut stand = Stand::new();
    let places = ["Reset", "Undo"].map(|name| stand.find(name).center());
    for at in places {
        assert!(!stand.press_at(at).is_empty(), "{at:?}");
    }
    stand.asked = Some("quit");
    stand.settle();
    for at in places {
        assert!(stand.press_at(at).is_empty(), "{at:?}");
    }
}

#[test]
fn held_time_and_shots_without_effect_are_told_in_the_picture() {
    let mut stand = Stand::new();
    stand.paused = true;
    stand.miss = Some("blast: bedrock: the level ends here");
    stand.settle();
    stand.find("Paused at 0:16.6 of 10:00.0");
    assert_eq!(stand.press("Play"), [UiAction::Pause(false)]);
}

#[test]
fn an_example_is_chosen_in_the_menu_and_says_what_to_do_until_its_card_is_put_away() {
    let [first, second] = [0, 1].map(|i| &crate::scenes::SCENES[i]);
    let mut stand = Stand::new();
    stand.press("File");
    stand.settle();
    let rect = stand.find_start("Examples");
    stand.press_at(rect.center());
    stand.settle();
    let rect = stand.find_start(first.name);
    let pressed = stand.press_at(rect.center());
    assert_eq!(pressed, [UiAction::Example(first)]);
    for (button, action) in [
        ("Close", UiAction::PutCardAway),
        ("Start again", UiAction::Example(first)),
        ("Next example", UiAction::Example(second)),
    ] {
        let mut stand = Stand::new();
        stand.example = Some(first);
        stand.settle();
        stand.find(first.says);
        assert_eq!(stand.press(button), [action]);
        assert!(stand.bare.is_empty(), "{:?}", stand.bare);
    }
}

#[test]
fn the_offer_to_go_on_can_be_taken_or_left() {
    for (name, yes) in [("Continue", true), ("Start fresh", false)] {
        let mut stand = Stand::new();
        stand.recover = true;
        stand.settle();
        assert_eq!(stand.press(name), [UiAction::Recover(yes)]);
    }
}

#[test]
fn the_offer_to_go_on_says_that_the_recording_is_of_other_rules() {
    let mut stand = Stand::new();
    stand.recover = true;
    stand.recover_note = Some("made by rules 1");
    stand.settle();
    stand.find("It was made by rules 1.");
    assert_eq!(stand.press("Continue"), [UiAction::Recover(true)]);
}

#[test]
fn a_fault_is_told_with_the_recording_that_shows_it_and_there_is_only_the_end() {
    let mut stand = Stand::new();
    // Before any other question.
    (stand.recover, stand.asked) = (true, Some("open caves.map"));
    stand.fault = Some(("src/x.rs:3: a > b", Ok(Path::new("/data/bug-0001.breach"))));
    stand.settle();
    stand.find("src/x.rs:3: a > b");
    stand.find("/data/bug-0001.breach");
    assert!(stand.press("Copy path").is_empty());
    assert_eq!(stand.press("Quit"), [UiAction::Press(Does::Quit)]);
    stand.fault = Some(("src/x.rs:3: a > b", Err("no space left")));
    stand.settle();
    stand.find("The recording could not be saved: no space left.");
    assert_eq!(stand.press("Quit"), [UiAction::Press(Does::Quit)]);
}

#[test]
fn the_help_lists_the_keys_it_is_given() {
    let mut stand = Stand::new();
    stand.panels.dock.show(PanelId::Keys, true);
    stand.settle();
    for text in ["W", "forward", "F1", "keys: this list"] {
        stand.find(text);
    }
}

#[test]
fn a_chip_that_is_wrong_says_where_and_saves_a_report() {
    let mut stand = with_one_window(PanelId::Level);
    let place = glam::DVec3::new(1.0, 2.0, -3.0);
    let chip = stand.chip.as_mut().expect("a chip");
    (chip.watertight, chip.open_at) = (false, Some(place));
    stand.settle();
    check_nothing_is_cut_off(&stand);
    stand.find("not watertight");
    assert_eq!(stand.press("Look there"), [UiAction::LookAt(place)]);
    assert_eq!(stand.press("Save bug report"), [UiAction::ReportBug]);
}

/// Every key somewhere else than at first: `[0]`, `[1]` and so on.
fn all_rebound() -> Vec<KeyLine> {
    let lines = crate::app::keys::Bindings::default().lines();
    let rebound = lines.into_iter().enumerate().map(|(i, line)| KeyLine {
        key: match line.can_change {
            true => format!("[{i}]"),
            false => line.key,
        },
        ..line
    });
    rebound.collect()
}

/// The keys of a first start that a text names: between brackets, or as words that are nothing but a key.
fn named_keys(text: &str) -> Vec<String> {
    let lines = crate::app::keys::Bindings::default().lines();
    let keys: Vec<String> = lines
        .into_iter()
        .filter(|line| line.can_change)
        .map(|line| line.key)
        .collect();
    let in_brackets = text
        .split('(')
        .skip(1)
        .filter_map(|part| part.split(')').next());
    let listed = in_brackets
        .flat_map(|part| part.split([',', ' ']))
        .map(str::to_owned);
    let trimmed = |word: &str| word.trim_matches([',', ';', '.', ':', '(', ')']).to_owned();
    // A and B are the two sides of a comparison; letters that stand alone elsewhere are keys, figures are numbers.
    let words = text
        .split(' ')
        .map(trimmed)
        .filter(|word| match word.as_str() {
            "A" | "B" => false,
            word => word.len() > 1 || word.chars().all(|c| c.is_ascii_uppercase()),
        });
    listed
        .chain(words)
        .filter(|word| keys.contains(word))
        .collect()
}

#[test]
fn tips_name_the_keys_that_are_bound_now() {
    assert_eq!(named_keys("Cut it out (C)."), ["C", "C"]);
    assert_eq!(named_keys("F9 ends it, or Ctrl+Z"), ["F9", "Ctrl+Z"]);
    let mut stand = Stand::new();
    stand.keys = all_rebound();
    stand.hold(Hand::Brush);
    let carve = stand.keys.iter().find(|line| line.does == Does::Carve);
    let ending = format!("({}).", carve.expect("a key").key);
    assert!(
        stand.tips.iter().any(|tip| tip.ends_with(&ending)),
        "{:?}",
        stand.tips
    );
    // The list names them all, the lab has formulas.
    let without = [PanelId::Keys, PanelId::Lab];
    for row in PANELS.iter().filter(|row| !without.contains(&row.id)) {
        let mut stand = with_panel(row.id);
        stand.keys = all_rebound();
        for hand in &HANDS {
            stand.hold(hand.hand);
            let shown = stand.nodes.iter().map(|(name, _)| name).chain(&stand.tips);
            for text in shown {
                assert!(named_keys(text).is_empty(), "{}: {text}", row.title);
            }
        }
    }
}
