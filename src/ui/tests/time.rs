//! Time: the timeline, the history, comparisons, timings.
use super::*;

#[test]
fn the_timeline_plays_steps_back_and_goes_to_any_tick() {
    let mut stand = with_one_window(PanelId::Timeline);
    let seek = |tick| UiAction::Timeline(TimelineAction::Seek(tick));
    for (name, action) in [
        ("start", seek(0)),
        ("back", UiAction::Timeline(TimelineAction::StepBack)),
        ("play", UiAction::Pause(false)),
        ("next", UiAction::Step),
        ("end", seek(36_000)),
        ("slow", UiAction::Slow(true)),
        ("Save recording", UiAction::Timeline(TimelineAction::Save)),
    ] {
        assert_eq!(stand.press(name), [action], "{name}");
    }
    // The middle of the slider is the middle of the recording.
    let slider = stand.find("tick shown");
    let asked = stand.press_at(slider.center());
    let Some(UiAction::Timeline(TimelineAction::Seek(tick))) = asked.last() else {
        panic!("a tick is asked for: {asked:?}");
    };
    assert!((17_000..19_000).contains(tick), "{tick}");
    stand.find("past");
    stand.recorded.tick = stand.recorded.ticks;
    for (is_written, word) in [(true, "rec"), (false, "not saved")] {
        stand.recorded.is_written = is_written;
        stand.pass(Vec::new());
        stand.find(word);
    }
    check_nothing_is_cut_off(&stand);
}

#[test]
fn events_are_marked_told_and_gone_to() {
    let mut stand = with_one_window(PanelId::Timeline);
    let bare = stand.painted();
    stand.marks = scene::marks();
    stand.hurry_tips();
    stand.settle();
    let slider = stand.find("tick shown");
    // Where a tick is, to a point: half the handle is free at both ends.
    let at = |tick: f32| {
        let rail = slider.x_range().shrink(slider.height() / 2.5 * 0.75);
        Pos2::new(rail.min + rail.span() * tick / 36_000.0, slider.center().y)
    };
    let marked = stand.painted();
    for (tick, is_marked) in [
        (9_000.0, true),
        (18_000.0, true),
        (27_000.0, true),
        (30_000.0, false),
    ] {
        let x = at(tick).x.round() as usize;
        let rows = slider.top() as usize..slider.top() as usize + 5;
        let differs = rows
            .flat_map(|y| (x - 2..x + 3).map(move |x| (x, y)))
            .any(|pixel| bare[pixel] != marked[pixel]);
        assert_eq!(differs, is_marked, "{tick}");
    }
    let seek = |tick| UiAction::Timeline(TimelineAction::Seek(tick));
    for (tick, text) in [
        (
            9_000,
            "2:30.0, tick 9000: blast: 1.23 m³ removed\n2:30.1, tick 9010: blast: 1.23 m³ removed",
        ),
        (18_000, "5:00.0, tick 18000: saved dug.map"),
        (
            27_000,
            "7:30.0, tick 27000: new branch; the old recording is kept in play-0001.breach",
        ),
    ] {
        for off in [-3.0, 0.0, 3.0] {
            let near = at(tick as f32) + Vec2::new(off, 0.0);
            assert_eq!(stand.count_over(text, near), 1, "{off}: {:?}", stand.tips);
        }
        // The nearest of those under the pointer.
        let near = at(tick as f32) + Vec2::new(-3.0, 0.0);
        assert_eq!(stand.press_at(near).last(), Some(&seek(tick)));
    }
    let free = at(30_000.0);
    assert_eq!(stand.count_over("Drag to any tick.", free), 1);
    let asked = stand.press_at(free);
    let Some(UiAction::Timeline(TimelineAction::Seek(tick))) = asked.last() else {
        panic!("a tick is asked for: {asked:?}");
    };
    assert!(tick.abs_diff(30_000) < 200, "{tick}");
}

#[test]
fn who_drags_over_a_mark_is_not_held_by_it() {
    let mut stand = with_one_window(PanelId::Timeline);
    stand.marks = scene::marks();
    stand.settle();
    let slider = stand.find("tick shown");
    let from = slider.center();
    let actions = stand.drag("tick shown", Vec2::new(4.0, 0.0));
    let Some(UiAction::Timeline(TimelineAction::Seek(tick))) = actions.last() else {
        panic!("a tick is asked for: {actions:?}");
    };
    assert_ne!(*tick, 18_000, "{from} is the mark of the save");
}

#[test]
fn the_timeline_lies_whole_in_its_strip() {
    let stand = Stand::new();
    for button in ["start", "back", "end"] {
        let rect = stand.find(button);
        assert!(rect.bottom() <= SIZE.y, "{button}: {rect:?}");
    }
}

#[test]
fn the_history_lists_every_change_and_a_click_goes_there() {
    let mut stand = with_one_window(PanelId::History);
    stand.changes = changes();
    stand.settle();
    check_nothing_is_cut_off(&stand);
    let name = |number: usize| format!("blast {number}.00 m, concrete_with_a_long_name");
    assert_eq!(stand.press("as opened"), [UiAction::GoToChange(0)]);
    assert_eq!(stand.press(&name(2)), [UiAction::GoToChange(2)]);
    assert_eq!(stand.press(&name(5)), [UiAction::GoToChange(5)]);
    assert!(stand.press(&name(3)).is_empty(), "it is like this now");
}

#[test]
fn two_settings_are_compared_and_what_does_not_fit_is_told() {
    let mut stand = with_one_window(PanelId::Compare);
    assert!(stand.press("midpoint or SAH?").is_empty());
    let typed = ["split=midpoint".to_string(), "split=sah".to_string()];
    assert_eq!(
        stand.press("Run"),
        [UiAction::Compare(CompareAction::Start(typed, 3))]
    );
    stand.panels.compare.typed[0] = "depth=99".into();
    stand.pass(Vec::new());
    assert!(stand.press("Run").is_empty());
    stand.find("`depth=99`: depth is maximum depth of a box tree, 1 to 32");
    stand.comparison = Some(comparison());
    stand.settle();
    check_nothing_is_cut_off(&stand);
    let there = UiAction::Timeline(TimelineAction::Seek(1));
    assert_eq!(stand.press("Go there"), [UiAction::Pause(true), there]);
    let mut comparison = comparison();
    for row in &mut comparison.rows {
        row.p50[0].median = 0.0;
    }
    stand.comparison = Some(comparison);
    stand.settle();
    assert!(stand.nodes.iter().any(|(name, _)| name.trim() == "–"));
    assert!(stand.nodes.iter().all(|(name, _)| name.trim() != "0.00"));
    for (name, picture) in [("PNG", true), ("CSV", false)] {
        let action = UiAction::Compare(CompareAction::Write { picture });
        assert_eq!(stand.press(name), [action]);
    }
}

#[test]
fn both_curves_have_labelled_axes_of_one_scale_and_neither_hides_the_other() {
    let mut stand = with_panel(PanelId::Compare);
    let mut found = comparison();
    found.ticks = 3600;
    found.curves = [vec![0.031; 3600], vec![0.062; 3600]];
    found.first_difference = None;
    stand.comparison = Some(found);
    stand.settle();
    let texts = stand.painted_texts();
    let count = |text: &str| texts.iter().filter(|painted| *painted == text).count();
    for text in [
        "ms per tick",
        "0.00",
        "0.02",
        "0.04",
        "0.06",
        "0:00",
        "0:30",
        "1:00",
    ] {
        assert_eq!(count(text), 2, "{text}: {texts:?}");
    }
    assert!(texts.iter().all(|text| text != "0.0 ms"));
    // Their lines: where most of a row is of a colour.
    let picture = stand.painted();
    let rows = |[r, g, b]: [u8; 3]| -> Vec<usize> {
        // A line between two rows of pixels has half its colour in each.
        let is_near = |pixel: &egui::Color32| {
            let off = [
                pixel.r().abs_diff(r),
                pixel.g().abs_diff(g),
                pixel.b().abs_diff(b),
            ];
            off.iter().all(|off| *off < 130)
        };
        let is_line = |y: &usize| {
            let row = (0..picture.size[0]).map(|x| picture[(x, *y)]);
            row.filter(is_near).count() > 300
        };
        (0..picture.size[1]).filter(is_line).collect()
    };
    let [a, b] = crate::timing::SIDES.map(rows);
    let [name_a, name_b] = ["A: depth=8", "B: depth=12"].map(|name| stand.find(name));
    let [a, b] = [a, b].map(|rows| *rows.first().expect("a curve") as f32);
    assert!(
        name_a.bottom() < a && a < name_b.top(),
        "{name_a} {a} {name_b}"
    );
    assert!(name_b.bottom() < b, "{name_b} {b}");
    // Twice as high over its own ground, which is as far below its own name.
    assert!(b - name_b.bottom() < a - name_a.bottom(), "{a} {b}");
}

#[test]
fn the_worst_frame_is_held_and_leads_to_its_tick() {
    let mut stand = with_one_window(PanelId::Timings);
    assert_eq!(stand.press("freeze worst"), [UiAction::HoldWorst(true)]);
    assert_eq!(stand.press("PNG"), [UiAction::PictureTimings]);
    let mut frame = stand.recorder.frames()[0].clone();
    frame.whole_ms = 123.4;
    stand.worst = Some(Worst {
        frame,
        tick: 777,
        counts: Counts::default(),
    });
    stand.settle();
    check_nothing_is_cut_off(&stand);
    let there = UiAction::Timeline(TimelineAction::Seek(777));
    assert_eq!(stand.press("123.4 ms"), [UiAction::Pause(true), there]);
    assert_eq!(stand.press("freeze worst"), [UiAction::HoldWorst(false)]);
}

#[test]
fn a_frame_under_the_pointer_names_its_costs() {
    let mut stand = with_one_window(PanelId::Timings);
    stand.find("LAST 300 FRAMES");
    // The last frames are at the right end of the graph, which ends before the table begins.
    let right = stand.find("    p50").left().min(stand.find("frame").left());
    let height = stand.find("    p50").bottom() + 60.0;
    let told = |stand: &Stand, start: &str| stand.nodes.iter().any(|(n, _)| n.starts_with(start));
    let found = (8..200).any(|k| {
        let at = Pos2::new(right - k as f32, height);
        for _ in 0..2 {
            stand.pass(vec![Event::PointerMoved(at)]);
        }
        told(&stand, "frame 1")
    });
    assert!(found, "{:?}", stand.nodes);
    assert!(told(&stand, "other "));
}

#[test]
fn the_card_s_time_by_pass_is_told() {
    let stand = with_one_window(PanelId::Timings);
    for (name, ms) in [("gpu shadows", "   1.25"), ("gpu colour", "  12.50")] {
        let row = stand.find(name).center().y;
        let beside = |(n, rect): &&(String, Rect)| n == ms && rect.y_range().contains(row);
        assert_eq!(
            stand.nodes.iter().filter(beside).count(),
            3,
            "{name}: p50, p95, max"
        );
    }
}
