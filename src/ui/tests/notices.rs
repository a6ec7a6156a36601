//! Notices: stacked, wrapped, accessible, closed by their cross or by time.
use super::*;

fn quiet() -> TestWindow {
    with_panel(PanelId::Level)
}

fn say(window: &mut TestWindow, id: u64, kind: NoticeKind, text: &str) {
    window.notices = vec![Notice {
        id,
        kind,
        text: text.into(),
    }];
    window.pass(Vec::new());
    window.notices.clear();
    // They slide in.
    for _ in 0..10 {
        window.pass(Vec::new());
    }
}

#[test]
fn they_lie_one_above_the_other_within_the_picture() {
    let mut window = quiet();
    let path = "Saved levels/".to_owned() + &"a_long_name_without_spaces_".repeat(12) + ".map";
    say(&mut window, 1, NoticeKind::Info, &path);
    say(
        &mut window,
        2,
        NoticeKind::Error,
        "Not saved: the disk is full",
    );
    let (older, newer) = (
        window.find(&path),
        window.find("Not saved: the disk is full"),
    );
    assert!(older.bottom() < newer.top(), "{older} {newer}");
    assert!(
        older.height() > 2.0 * newer.height(),
        "several lines: {older}"
    );
    let picture = window.picture.expect("a picture");
    assert!(
        picture.contains_rect(older) && picture.contains_rect(newer),
        "{older} {newer}"
    );
}

#[test]
fn what_is_said_twice_is_there_once_and_only_the_newest_stay() {
    let mut window = quiet();
    for id in 1..=3 {
        say(&mut window, id, NoticeKind::Error, "the same");
    }
    assert_eq!(
        window
            .nodes
            .iter()
            .filter(|(name, _)| name == "the same")
            .count(),
        1
    );
    for id in 4..=9 {
        say(&mut window, id, NoticeKind::Error, &format!("notice {id}"));
    }
    assert!(!window.has("the same") && !window.has("notice 4"));
    assert!(
        (5..=9).all(|id| window.has(&format!("notice {id}"))),
        "{:?}",
        window.nodes
    );
}

#[test]
fn the_cross_takes_one_away_and_the_picture_behind_it_is_not_pressed() {
    let mut window = quiet();
    say(&mut window, 1, NoticeKind::Error, "stays");
    say(&mut window, 2, NoticeKind::Error, "goes");
    let rect = window.find("goes");
    let cross = Pos2::new(rect.right() - 17.0, rect.center().y);
    assert!(window.press_at(cross).is_empty());
    assert!(window.wants_pointer(), "else the click would fire a rocket");
    for _ in 0..10 {
        window.pass(Vec::new());
    }
    assert!(window.has("stays") && !window.has("goes"));
}

#[test]
fn good_news_goes_by_itself_and_bad_news_waits() {
    let mut window = quiet();
    say(&mut window, 1, NoticeKind::Info, "saved");
    say(&mut window, 2, NoticeKind::Error, "refused");
    // Eight seconds.
    for _ in 0..160 {
        window.pass(Vec::new());
    }
    assert!(window.has("refused") && !window.has("saved"));
}

#[test]
fn what_was_not_opened_is_told_until_another_level_is() {
    let mut window = quiet();
    say(&mut window, 1, NoticeKind::Refused, "first.map: no brushes");
    say(
        &mut window,
        2,
        NoticeKind::Error,
        "Not saved: the disk is full",
    );
    say(&mut window, 3, NoticeKind::Refused, "second.bsp: compiled");
    assert!(window.has("first.map: no brushes") && window.has("second.bsp: compiled"));
    say(&mut window, 4, NoticeKind::Opened, "Opened third.map");
    let is_there = |text: &str| window.has(text);
    assert!(is_there("Opened third.map") && is_there("Not saved: the disk is full"));
    assert!(!is_there("first.map: no brushes") && !is_there("second.bsp: compiled"));
    // One that comes after it stays.
    say(&mut window, 5, NoticeKind::Refused, "first.map: no brushes");
    for _ in 0..160 {
        window.pass(Vec::new());
    }
    assert!(window.has("first.map: no brushes") && window.has("Not saved: the disk is full"));
    assert!(!window.has("Opened third.map"));
}
