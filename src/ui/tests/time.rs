//! Time: the timeline, the history, comparisons, timings.
use super::*;

#[test]
fn the_timeline_plays_steps_back_and_goes_to_any_tick() {
    let mut window = with_one_window(PanelId::Timeline);
    let seek = |tick| UiCommand::Timeline(TimelineCommand::Seek(tick));
    for (name, ui_command) in [
        ("start", seek(0)),
        ("back", UiCommand::Timeline(TimelineCommand::StepBack)),
        ("play", UiCommand::Pause(false)),
        ("next", UiCommand::Step),
        ("end", seek(36_000)),
        ("slow", UiCommand::Slow(true)),
        ("Save recording", UiCommand::Timeline(TimelineCommand::Save)),
    ] {
        assert_eq!(window.press(name), [ui_command], "{name}");
    }
    // The slider's centre is the middle of the recording.
    let slider = window.find("tick shown");
    let asked = window.press_at(slider.center());
    let Some(UiCommand::Timeline(TimelineCommand::Seek(tick))) = asked.last() else {
        panic!("a tick is asked for: {asked:?}");
    };
    assert!((17_000..19_000).contains(tick), "{tick}");
    window.find("past");
    window.recorded.tick = window.recorded.ticks;
    for (is_written, word) in [(true, "rec"), (false, "not saved")] {
        window.recorded.is_written = is_written;
        window.pass(Vec::new());
        window.find(word);
    }
    check_nothing_is_cut_off(&window);
}

#[test]
fn events_are_marked_told_and_gone_to() {
    let mut window = with_one_window(PanelId::Timeline);
    let bare = window.painted();
    window.marks = fixture::marks();
    window.hurry_tips();
    window.lay_out();
    let slider = window.find("tick shown");
    // Where a tick is, to a point: half the handle is free at both ends.
    let at = |tick: f32| {
        let rail = slider.x_range().shrink(slider.height() / 2.5 * 0.75);
        Pos2::new(rail.min + rail.span() * tick / 36_000.0, slider.center().y)
    };
    let marked = window.painted();
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
    let seek = |tick| UiCommand::Timeline(TimelineCommand::Seek(tick));
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
            assert_eq!(window.count_over(text, near), 1, "{off}: {:?}", window.tips);
        }
        // The nearest mark under the pointer.
        let near = at(tick as f32) + Vec2::new(-3.0, 0.0);
        assert_eq!(window.press_at(near).last(), Some(&seek(tick)));
    }
    let free = at(30_000.0);
    assert_eq!(
        window.count_over(
            "Drag to any tick. Shift+drag marks a span for a clip.",
            free
        ),
        1
    );
    let asked = window.press_at(free);
    let Some(UiCommand::Timeline(TimelineCommand::Seek(tick))) = asked.last() else {
        panic!("a tick is asked for: {asked:?}");
    };
    assert!(tick.abs_diff(30_000) < 200, "{tick}");
}

#[test]
fn who_drags_over_a_mark_is_not_held_by_it() {
    let mut window = with_one_window(PanelId::Timeline);
    window.marks = fixture::marks();
    window.lay_out();
    let slider = window.find("tick shown");
    let from = slider.center();
    let commands = window.drag("tick shown", Vec2::new(4.0, 0.0));
    let Some(UiCommand::Timeline(TimelineCommand::Seek(tick))) = commands.last() else {
        panic!("a tick is asked for: {commands:?}");
    };
    assert_ne!(*tick, 18_000, "{from} is the mark of the save");
}

#[test]
fn shift_and_a_drag_mark_a_span_and_go_nowhere() {
    let mut window = with_one_window(PanelId::Timeline);
    window.pass(vec![Event::ModifiersChanged(egui::Modifiers::SHIFT)]);
    let bare = window.painted();
    assert!(window.drag("tick shown", Vec2::new(60.0, 0.0)).is_empty());
    let span = window.panels.timeline.span(36_000);
    let (first, last) = span.expect("a span");
    assert!((17_000..19_000).contains(&first), "{first}");
    assert!((first + 500..30_000).contains(&last), "{last}");
    let slider = window.find("tick shown");
    let inside = slider.center() + Vec2::new(30.0, 0.0);
    let inside = (inside.x as usize, inside.y as usize);
    assert_ne!(window.painted()[inside], bare[inside], "it is seen");
    // Of a recording that has become shorter, what is left.
    let timeline = &window.panels.timeline;
    assert_eq!(timeline.span(first + 5), Some((first, first + 5)));
    assert_eq!(timeline.span(first), None);
    assert!(window.press_at(slider.center()).is_empty());
    assert_eq!(
        window.panels.timeline.span(36_000),
        None,
        "a click takes it away"
    );
}

#[test]
fn a_clip_tells_how_far_it_is_and_is_cancelled() {
    let mut window = TestWindow::new();
    // Its button has the same name.
    window.loading = None;
    window.clip = Some((
        Path::new("clips/a-clip-with-a-rather-long-name-0001.mp4"),
        0.42,
    ));
    window.lay_out();
    check_nothing_is_cut_off(&window);
    assert_eq!(window.press("Cancel").last(), Some(&UiCommand::CancelClip));
}

#[test]
fn the_timeline_lies_whole_in_its_strip() {
    let window = TestWindow::new();
    for button in ["start", "back", "end"] {
        let rect = window.find(button);
        assert!(rect.bottom() <= SIZE.y, "{button}: {rect:?}");
    }
}

#[test]
fn the_history_lists_every_change_and_a_click_goes_there() {
    let mut window = with_one_window(PanelId::History);
    window.changes = changes();
    window.lay_out();
    check_nothing_is_cut_off(&window);
    let name = |number: usize| format!("blast {number}.00 m, concrete_with_a_long_name");
    assert_eq!(window.press("as opened"), [UiCommand::GoToChange(0)]);
    assert_eq!(window.press(&name(2)), [UiCommand::GoToChange(2)]);
    assert_eq!(window.press(&name(5)), [UiCommand::GoToChange(5)]);
    assert!(window.press(&name(3)).is_empty(), "it is like this now");
}

#[test]
fn two_settings_are_compared_and_what_does_not_fit_is_told() {
    let mut window = with_one_window(PanelId::Compare);
    assert!(window.press("midpoint or SAH?").is_empty());
    let typed = ["split=midpoint".to_string(), "split=sah".to_string()];
    assert_eq!(
        window.press("Run"),
        [UiCommand::Compare(CompareCommand::Start(typed, 3))]
    );
    window.panels.compare.typed[0] = "depth=99".into();
    window.pass(Vec::new());
    assert!(window.press("Run").is_empty());
    window.find("`depth=99`: depth is maximum depth of a box tree, 1 to 32");
    window.comparison = Some(comparison());
    window.lay_out();
    check_nothing_is_cut_off(&window);
    let there = UiCommand::Timeline(TimelineCommand::Seek(1));
    assert_eq!(window.press("Go there"), [UiCommand::Pause(true), there]);
    let mut comparison = comparison();
    for row in &mut comparison.rows {
        row.p50[0].median = 0.0;
    }
    window.comparison = Some(comparison);
    window.lay_out();
    assert!(window.nodes.iter().any(|(name, _)| name.trim() == "–"));
    assert!(window.nodes.iter().all(|(name, _)| name.trim() != "0.00"));
    for (name, picture) in [("PNG", true), ("CSV", false)] {
        let ui_command = UiCommand::Compare(CompareCommand::Write { picture });
        assert_eq!(window.press(name), [ui_command]);
    }
}

#[test]
fn both_curves_have_labelled_axes_of_one_scale_and_neither_hides_the_other() {
    let mut window = with_panel(PanelId::Compare);
    let mut found = comparison();
    found.ticks = 3600;
    found.curves = [vec![0.031; 3600], vec![0.062; 3600]];
    found.first_difference = None;
    window.comparison = Some(found);
    window.lay_out();
    let texts = window.painted_texts();
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
    let picture = window.painted();
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
    let [name_a, name_b] = ["A: depth=8", "B: depth=12"].map(|name| window.find(name));
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
    let mut window = with_one_window(PanelId::Timings);
    assert_eq!(window.press("freeze worst"), [UiCommand::FreezeWorst(true)]);
    assert_eq!(window.press("PNG"), [UiCommand::ScreenshotTimings]);
    let mut frame = window.recorder.frames()[0].clone();
    frame.whole_ms = 123.4;
    window.worst = Some(WorstFrame {
        frame,
        tick: 777,
        counts: Counts::default(),
    });
    window.lay_out();
    check_nothing_is_cut_off(&window);
    let there = UiCommand::Timeline(TimelineCommand::Seek(777));
    assert_eq!(window.press("123.4 ms"), [UiCommand::Pause(true), there]);
    assert_eq!(
        window.press("freeze worst"),
        [UiCommand::FreezeWorst(false)]
    );
}

#[test]
fn a_frame_under_the_pointer_names_its_costs() {
    let mut window = with_one_window(PanelId::Timings);
    window.find("LAST 300 FRAMES");
    // The last frames are at the right end of the graph, which ends before the table begins.
    let right = window
        .find("    p50")
        .left()
        .min(window.find("frame").left());
    let height = window.find("    p50").bottom() + 60.0;
    let told =
        |window: &TestWindow, start: &str| window.nodes.iter().any(|(n, _)| n.starts_with(start));
    let found = (8..200).any(|k| {
        let at = Pos2::new(right - k as f32, height);
        for _ in 0..2 {
            window.pass(vec![Event::PointerMoved(at)]);
        }
        told(&window, "frame 1")
    });
    assert!(found, "{:?}", window.nodes);
    assert!(told(&window, "other "));
}

#[test]
fn the_card_s_time_by_pass_is_told() {
    let window = with_one_window(PanelId::Timings);
    for (name, ms) in [("gpu shadows", "   1.25"), ("gpu colour", "  12.50")] {
        let row = window.find(name).center().y;
        let beside = |(n, rect): &&(String, Rect)| n == ms && rect.y_range().contains(row);
        assert_eq!(
            window.nodes.iter().filter(beside).count(),
            3,
            "{name}: p50, p95, max"
        );
    }
}
