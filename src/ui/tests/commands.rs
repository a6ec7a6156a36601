//! Buttons, menus, keys, settings and dialogs give their commands.
use super::*;
use crate::carve::blast::BlastShape;

#[test]
fn every_button_sends_its_action() {
    let portals = Overlays {
        portals: true,
        ..Overlays::default()
    };
    for (name, ui_command) in [
        ("Open…", UiCommand::OpenDialog),
        ("Save as…", UiCommand::SaveAsDialog),
        ("Reset", UiCommand::Reset),
        (
            "caves.map built in",
            UiCommand::Open(Origin::from_argument("caves".as_ref())),
        ),
        ("Walk", UiCommand::SetCamera(CameraMode::Walk)),
        ("No-clip", UiCommand::SetCamera(CameraMode::NoClip)),
        ("Pause", UiCommand::Pause(false)),
        ("Step", UiCommand::Step),
        ("Slow", UiCommand::Slow(true)),
        ("Carve", UiCommand::Carve),
        ("Undo", UiCommand::Undo),
        ("Redo", UiCommand::Redo),
        ("Fill", UiCommand::Fill),
        ("portals", UiCommand::SetOverlays(portals)),
        ("Cancel", UiCommand::CancelLoading),
        ("Fly along it", UiCommand::FlyOut(true)),
    ] {
        let mut window = TestWindow::new();
        if matches!(ui_command, UiCommand::Carve | UiCommand::Fill) {
            window.hold(ToolKind::Brush);
        }
        if matches!(ui_command, UiCommand::SetOverlays(_)) {
            window.panels.dock.show(PanelId::Bins, true);
            window.lay_out();
        }
        assert_eq!(window.press(name), [ui_command], "{name}");
    }
}

#[test]
fn every_control_of_every_panel_says_what_it_does() {
    for row in PANELS {
        let window = with_panel(row.id);
        assert!(window.panels.dock.is_seen(row.id), "{}", row.title);
        // The arrows beside tabs that do not fit are the dock's own.
        let bare: Vec<&String> = window
            .bare
            .iter()
            .filter(|name| !name.contains('⏴') && !name.contains('⏵'))
            .collect();
        assert!(bare.is_empty(), "{}: {bare:?}", row.title);
    }
}

/// A state in which nothing can be done: no level, no recording, no changes.
fn disable(window: &mut TestWindow) {
    (window.open, window.paused, window.history) = (false, false, [0; 2]);
    window.recorded = Recorded::default();
    window.hurry_tips();
    window.lay_out();
}

/// Disabled controls of a panel that show no tip under the pointer; and how many controls were checked.
fn silent(window: &mut TestWindow, id: PanelId) -> (Vec<String>, usize) {
    let place = window.panels.dock.taken(id).map(|taken| taken.place);
    let mut disabled = window.disabled.clone();
    disabled.retain(|(_, rect, _)| place.is_some_and(|place| place.contains_rect(*rect)));
    let looked = disabled.len();
    let away = Pos2::new(SIZE.x * 0.5, SIZE.y * 0.4);
    disabled.retain(|(name, rect, tip)| {
        // The number beside a slider shares its name and tip.
        let tip = if tip.is_empty() { name } else { tip };
        let before = window.count_over(tip, away);
        window.count_over(tip, rect.center()) <= before
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
        let mut window = with_panel(row.id);
        disable(&mut window);
        let (silent, some) = silent(&mut window, row.id);
        assert!(silent.is_empty(), "{}: {silent:?}", row.title);
        looked += some;
    }
    assert!(looked > 20, "only {looked} controls");
    for shape in [ToolShape::Hull, ToolShape::Rock] {
        let mut window = with_panel(PanelId::Tools);
        window.panels.tools.tool.shape = shape;
        window.hold(ToolKind::Brush);
        disable(&mut window);
        let (silent, some) = silent(&mut window, PanelId::Tools);
        assert!(silent.is_empty(), "{shape:?}: {silent:?}");
        assert!(some > 2, "{shape:?}: only {some} controls");
    }
}

#[test]
fn the_menus_press_keys_and_open_panels() {
    for (menu, entry, command) in [
        ("File", "Save", KeyCommand::Save),
        ("File", "Next level", KeyCommand::NextLevel),
        ("File", "Quit", KeyCommand::Quit),
        ("Edit", "Redo", KeyCommand::Redo),
        ("Time", "Fly through walls", KeyCommand::NoClip),
        ("Show", "Wire", KeyCommand::Wire),
        ("Help", "Keys", KeyCommand::Help),
    ] {
        let mut window = TestWindow::new();
        assert!(window.press(menu).is_empty());
        window.lay_out();
        assert!(window.bare.is_empty(), "{menu}: {:?}", window.bare);
        let rect = window.find_start(entry);
        let pressed = window.press_at(rect.center());
        assert_eq!(pressed, [UiCommand::Key(command)], "{menu}, {entry}");
    }
    let mut window = TestWindow::new();
    window.press("View");
    window.lay_out();
    let rect = window.find_start("   Map");
    window.press_at(rect.center());
    window.pass(Vec::new());
    assert!(window.panels.dock.is_open(PanelId::Map));
}

#[test]
fn keys_are_asked_for_and_settings_are_sent() {
    let mut window = with_panel(PanelId::Keys);
    assert_eq!(
        window.press("W"),
        [UiCommand::Rebind(Some(KeyCommand::Forward))]
    );
    assert_eq!(window.picture, None, "the list lies over the picture");
    window.rebinding = Some(KeyCommand::Forward);
    window.pass(Vec::new());
    assert_eq!(window.press("…"), [UiCommand::Rebind(None)]);
    let mut window = with_panel(PanelId::Settings);
    let commands = window.press("red-green");
    let [UiCommand::SetPreferences(wanted)] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!(wanted.palette, Palette::RedGreen);
    let commands = window.press("newest");
    let [UiCommand::SetPreferences(wanted)] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!(wanted.vsync, Vsync::Newest);
    let commands = window.press("fast");
    let [UiCommand::SetPreferences(wanted)] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert_eq!(wanted.detail, Detail::Fast);
    assert_eq!(window.press("Reset layout"), [UiCommand::ResetPanels]);
    let commands = window.press("mute");
    let [UiCommand::SetPreferences(wanted)] = &commands[..] else {
        panic!("{commands:?}")
    };
    assert!(wanted.mute);
    assert!(window.press("categories").is_empty());
    for _ in 0..30 {
        window.pass(Vec::new());
    }
    for name in ["shots", "blasts", "debris", "steps", "creaks", "room"] {
        window.find(name);
    }
}

#[test]
fn the_panels_take_their_size_when_it_is_let_go() {
    let mut window = with_panel(PanelId::Settings);
    let row = window.find("UI scale");
    let from = Pos2::new(row.left() + theme::LABEL_WIDTH + 20.0, row.center().y);
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    window.pass(vec![Event::PointerMoved(from)]);
    window.pass(vec![button(from, true)]);
    let mut at = from;
    for _ in 0..8 {
        at.x += 10.0;
        let sent = window.pass(vec![Event::PointerMoved(at)]);
        assert!(sent.is_empty(), "{sent:?}");
    }
    let sent = window.pass(vec![button(at, false)]);
    let [UiCommand::SetPreferences(wanted)] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert!((wanted.scale - 1.5).abs() < 0.1, "{}", wanted.scale);
    window.preferences = (**wanted).clone();
    assert!(window.pass(Vec::new()).is_empty());
}

#[test]
fn no_key_of_egui_changes_the_size_of_the_panels() {
    let mut window = TestWindow::new();
    let key = |pressed| Event::Key {
        key: egui::Key::Plus,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::COMMAND,
    };
    let before = window.size();
    window.pass(vec![key(true), key(false)]);
    window.lay_out();
    assert_eq!(window.size(), before);
}

#[test]
fn choosing_changes_the_settings() {
    for (name, change) in [
        (
            "metal",
            (|s: &mut Settings| s.blast_shape = BlastShape::Metal) as fn(&mut Settings),
        ),
        ("thrown by carves", |s| s.debris = false),
    ] {
        let mut window = match name {
            "metal" => TestWindow::new(),
            _ => with_panel(PanelId::World),
        };
        let mut wanted = window.settings.clone();
        change(&mut wanted);
        assert_eq!(
            window.press(name),
            [UiCommand::SetSettings(Box::new(wanted))]
        );
    }
    let mut window = with_panel(PanelId::Bins);
    assert!(window.press("How a bin is split in two.").is_empty());
    window.pass(Vec::new());
    let mut wanted = window.settings.clone();
    wanted.tree.split = SplitRule::Median;
    assert_eq!(
        window.press("median"),
        [UiCommand::SetSettings(Box::new(wanted))]
    );
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
        ("strength", |s| s.strength),
        ("breaks", |s| f64::from(s.breaks)),
    ] {
        let mut window = match label {
            "radius" => TestWindow::new(),
            "strength" | "breaks" => with_panel(PanelId::Structure),
            _ => with_panel(PanelId::Bins),
        };
        window.panels.dock.show(PanelId::Level, label == "radius");
        window.lay_out();
        let row = window.find(label);
        let rail = Pos2::new(row.left() + theme::LABEL_WIDTH + 6.0 + 70.0, row.center().y);
        let commands = window.press_at(rail);
        let Some(UiCommand::SetSettings(settings)) = commands.first() else {
            panic!("{label}: {commands:?}")
        };
        assert_ne!(get(settings), get(&window.settings), "{label}");
    }
}

#[test]
fn the_path_box_opens_and_saves_what_was_typed() {
    let mut window = TestWindow::new();
    let buttons = |window: &TestWindow, name: &str| -> Vec<Rect> {
        window
            .nodes
            .iter()
            .filter(|(n, _)| n == name)
            .map(|(_, r)| *r)
            .collect()
    };
    window.panels.level.path = "  a/b.map ".into();
    window.pass(Vec::new());
    let open = buttons(&window, "Open")[0].center();
    assert_eq!(
        window.press_at(open),
        [UiCommand::Open(PathBuf::from("a/b.map").into())]
    );
    let save = buttons(&window, "Save");
    let lower = save
        .iter()
        .max_by(|a, b| a.top().total_cmp(&b.top()))
        .expect("two Save buttons");
    assert_eq!(
        window.press_at(lower.center()),
        [UiCommand::SaveAs("a/b.map".into())]
    );
    let upper = save
        .iter()
        .min_by(|a, b| a.top().total_cmp(&b.top()))
        .expect("two Save buttons");
    assert_eq!(window.press_at(upper.center()), [UiCommand::Save]);
}

#[test]
fn a_recent_file_is_offered_with_its_folder_and_its_whole_path() {
    let path = "/disk/who/maps of a long name/a_long_name_of_a_level_4.map";
    let origin = Origin::File(path.into());
    let mut window = TestWindow::new();
    window.levels.push(LevelEntry {
        origin: origin.clone(),
        recent: true,
    });
    window.lay_out();
    let is_row = |name: &str| name.starts_with("a_lon") && name.contains(".map maps");
    let row = window.nodes.iter().find(|(name, _)| is_row(name));
    let at = row.expect("a row").1.center();
    assert_eq!(window.press_at(at), [UiCommand::Open(origin)]);
    assert!(
        window.tips.iter().any(|tip| tip.contains(path)),
        "{:?}",
        window.tips
    );
}

#[test]
fn of_a_long_path_the_end_shows_until_somebody_types() {
    let path = "/disk/who/maps/of/a/very/long/way/to/a_level_4.map";
    let mut window = TestWindow::new();
    window.panels.level.path = path.into();
    window.lay_out();
    let values = window.values();
    let seen = values
        .iter()
        .find(|(text, _)| text.ends_with("a_level_4.map"));
    let (seen, place) = seen.expect("the box").clone();
    assert!(seen.starts_with('…') && seen.len() < path.len(), "{seen}");
    window.press_at(place.center());
    window.lay_out();
    assert!(window.values().iter().any(|(text, _)| text == path));
    assert_eq!(window.panels.level.path, path);
}

#[test]
fn a_file_is_replaced_when_that_is_agreed_to() {
    for (name, answer) in [("Replace", Answer::Save), ("Cancel", Answer::Cancel)] {
        let mut window = with_question();
        window.replace = Some(Path::new("/disk/who/maps/dug.map"));
        window.lay_out();
        window.find("/disk/who/maps/dug.map already exists.");
        assert_eq!(window.press_in_dialog(name), [UiCommand::Confirm(answer)]);
    }
}

#[test]
fn a_warning_flies_there_and_unsaved_changes_are_asked_about() {
    let mut window = with_panel(PanelId::Report);
    let name = "line 12345: a face whose points are collinear is skipped";
    assert_eq!(window.press(name), [UiCommand::FlyToLine(12345)]);
    assert_eq!(window.press("Count again"), [UiCommand::CountAgain]);
    for (name, answer) in [
        ("Save", Answer::Save),
        ("Don't save", Answer::Discard),
        ("Cancel", Answer::Cancel),
    ] {
        let mut window = with_question();
        assert_eq!(window.press_in_dialog(name), [UiCommand::Confirm(answer)]);
    }
}

fn with_question() -> TestWindow {
    let mut window = TestWindow::new();
    window.asked = Some("open caves.map");
    window.lay_out();
    window
}

#[test]
fn enter_saves_escape_stays_and_while_it_saves_only_staying_is_left() {
    for (key, answer) in [
        (egui::Key::Enter, Answer::Save),
        (egui::Key::Escape, Answer::Cancel),
    ] {
        let mut window = with_question();
        assert_eq!(window.key(key), [UiCommand::Confirm(answer)]);
    }
    let mut window = with_question();
    window.saving = true;
    window.lay_out();
    assert!(window.key(egui::Key::Enter).is_empty());
    assert_eq!(
        window.key(egui::Key::Escape),
        [UiCommand::Confirm(Answer::Cancel)]
    );
    // The dialog shows why saving failed, since messages wait behind it.
    (window.saving, window.problem) = (false, Some("Not saved: disk full"));
    window.lay_out();
    window.find("Not saved: disk full");
    assert_eq!(
        window.key(egui::Key::Enter),
        [UiCommand::Confirm(Answer::Save)]
    );
}

#[test]
fn nothing_behind_a_question_can_be_clicked() {
    let mut window = TestWindow::new();
    let places = ["Reset", "Undo"].map(|name| window.find(name).center());
    for at in places {
        assert!(!window.press_at(at).is_empty(), "{at:?}");
    }
    window.asked = Some("quit");
    window.lay_out();
    for at in places {
        assert!(window.press_at(at).is_empty(), "{at:?}");
    }
}

#[test]
fn held_time_and_shots_without_effect_are_told_in_the_picture() {
    let mut window = TestWindow::new();
    window.paused = true;
    window.miss = Some("blast: bedrock: the level ends here");
    window.lay_out();
    window.find("Paused at 0:16.6 of 10:00.0");
    assert_eq!(window.press("Play"), [UiCommand::Pause(false)]);
}

#[test]
fn an_example_is_chosen_in_the_menu_and_says_what_to_do_until_its_card_is_put_away() {
    let [first, second] = [0, 1].map(|i| &crate::scenes::SCENES[i]);
    let mut window = TestWindow::new();
    window.press("File");
    window.lay_out();
    let rect = window.find_start("Examples");
    window.press_at(rect.center());
    window.lay_out();
    let rect = window.find_start(first.name);
    let pressed = window.press_at(rect.center());
    assert_eq!(pressed, [UiCommand::Example(first)]);
    for (button, ui_command) in [
        ("Close", UiCommand::CloseCard),
        ("Start again", UiCommand::Example(first)),
        ("Next example", UiCommand::Example(second)),
    ] {
        let mut window = TestWindow::new();
        window.example = Some(first);
        window.lay_out();
        window.find(first.says);
        assert_eq!(window.press(button), [ui_command]);
        assert!(window.bare.is_empty(), "{:?}", window.bare);
    }
}

#[test]
fn the_offer_to_go_on_can_be_taken_or_left() {
    for (name, yes) in [("Continue", true), ("Start fresh", false)] {
        let mut window = TestWindow::new();
        window.recover = true;
        window.lay_out();
        assert_eq!(window.press(name), [UiCommand::Recover(yes)]);
    }
}

#[test]
fn the_offer_to_go_on_says_that_the_recording_is_of_other_rules() {
    let mut window = TestWindow::new();
    window.recover = true;
    window.recover_note = Some("made by rules 1");
    window.lay_out();
    window.find("It was made by rules 1.");
    assert_eq!(window.press("Continue"), [UiCommand::Recover(true)]);
}

#[test]
fn a_fault_is_told_with_the_recording_that_shows_it_and_there_is_only_the_end() {
    let mut window = TestWindow::new();
    // It comes before any other dialog.
    (window.recover, window.asked) = (true, Some("open caves.map"));
    window.fault = Some(("src/x.rs:3: a > b", Ok(Path::new("/data/bug-0001.breach"))));
    window.lay_out();
    window.find("src/x.rs:3: a > b");
    window.find("/data/bug-0001.breach");
    assert!(window.press("Copy path").is_empty());
    assert_eq!(window.press("Quit"), [UiCommand::Key(KeyCommand::Quit)]);
    window.fault = Some(("src/x.rs:3: a > b", Err("no space left")));
    window.lay_out();
    window.find("The recording could not be saved: no space left.");
    assert_eq!(window.press("Quit"), [UiCommand::Key(KeyCommand::Quit)]);
}

#[test]
fn the_help_lists_the_keys_it_is_given() {
    let mut window = TestWindow::new();
    window.panels.dock.show(PanelId::Keys, true);
    window.lay_out();
    for text in ["W", "forward", "F1", "keys: this list"] {
        window.find(text);
    }
}

#[test]
fn a_chip_that_is_wrong_says_where_and_saves_a_report() {
    let mut window = with_one_window(PanelId::Level);
    let place = glam::DVec3::new(1.0, 2.0, -3.0);
    let chip = window.chip.as_mut().expect("a chip");
    (chip.watertight, chip.open_at) = (false, Some(place));
    window.lay_out();
    check_nothing_is_cut_off(&window);
    window.find("not watertight");
    assert_eq!(window.press("Look there"), [UiCommand::LookAt(place)]);
    assert_eq!(window.press("Save bug report"), [UiCommand::ReportBug]);
}

/// Bindings without any default key: `[0]`, `[1]` and so on.
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

/// Default keys that a text names: in parentheses, or as words that can only be keys.
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
    // A and B are the sides of a comparison; other single letters are keys, digits are numbers.
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
    let mut window = TestWindow::new();
    window.keys = all_rebound();
    window.hold(ToolKind::Brush);
    let carve = window
        .keys
        .iter()
        .find(|line| line.command == KeyCommand::Carve);
    let ending = format!("({}).", carve.expect("a key").key);
    assert!(
        window.tips.iter().any(|tip| tip.ends_with(&ending)),
        "{:?}",
        window.tips
    );
    // The list of keys names them all, and the Lab has formulas.
    let without = [PanelId::Keys, PanelId::Lab];
    for row in PANELS.iter().filter(|row| !without.contains(&row.id)) {
        let mut window = with_panel(row.id);
        window.keys = all_rebound();
        for tool in &TOOLS {
            window.hold(tool.kind);
            let state = window
                .nodes
                .iter()
                .map(|(name, _)| name)
                .chain(&window.tips);
            for text in state {
                assert!(named_keys(text).is_empty(), "{}: {text}", row.title);
            }
        }
    }
}

#[test]
fn a_card_asks_what_happens_to_changes_when_the_file_has_changed() {
    for (changes, keep, drop) in [
        (1, "Reload and keep it", "Reload and drop it"),
        (12, "Reload and keep them", "Reload and drop them"),
    ] {
        let mut window = TestWindow::new();
        assert!(!window.has(keep) && !window.has("Not now"));
        window.reload = Some(changes);
        window.lay_out();
        assert_eq!(window.press(keep), [UiCommand::Reload(OnReload::Keep)]);
        assert_eq!(window.press(drop), [UiCommand::Reload(OnReload::Drop)]);
        assert_eq!(window.press("Not now"), [UiCommand::Reload(OnReload::Ask)]);
    }
}
