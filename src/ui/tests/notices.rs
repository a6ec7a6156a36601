//! Notices: stacked, broken into lines, read by a screen reader, closed by their cross or by time.
use super::*;

fn quiet() -> Stand {
    with_panel(PanelId::Level)
}

fn say(stand: &mut Stand, id: u64, kind: NoticeKind, text: &str) {
    stand.notices = vec![Notice {
        id,
        kind,
        text: text.into(),
    }];
    stand.pass(Vec::new());
    stand.notices.clear();
    // They slide in.
    for _ in 0..10 {
        stand.pass(Vec::new());
    }
}

#[test]
fn they_lie_one_above_the_other_within_the_picture() {
    let mut stand = quiet();
    let path = "Saved levels/".to_owned() + &"a_long_name_without_spaces_".repeat(12) + ".map";
    say(&mut stand, 1, NoticeKind::Info, &path);
    say(
        &mut stand,
        2,
        NoticeKind::Error,
        "Not saved: the disk is full",
    );
    let (older, newer) = (stand.find(&path), stand.find("Not saved: the disk is full"));
    assert!(older.bottom() < newer.top(), "{older} {newer}");
    assert!(
        older.height() > 2.0 * newer.height(),
        "several lines: {older}"
    );
    let picture = stand.picture.expect("a picture");
    assert!(
        picture.contains_rect(older) && picture.contains_rect(newer),
        "{older} {newer}"
    );
}

#[test]
fn what_is_said_twice_is_there_once_and_only_the_newest_stay() {
    let mut stand = quiet();
    for id in 1..=3 {
        say(&mut stand, id, NoticeKind::Error, "the same");
    }
    assert_eq!(
        stand
            .nodes
            .iter()
            .filter(|(name, _)| name == "the same")
            .count(),
        1
    );
    for id in 4..=9 {
        say(&mut stand, id, NoticeKind::Error, &format!("notice {id}"));
    }
    assert!(!stand.has("the same") && !stand.has("notice 4"));
    assert!(
        (5..=9).all(|id| stand.has(&format!("notice {id}"))),
        "{:?}",
        stand.nodes
    );
}

#[test]
fn the_cross_takes_one_away_and_the_picture_behind_it_is_not_pressed() {
    let mut stand = quiet();
    say(&mut stand, 1, NoticeKind::Error, "stays");
    say(&mut stand, 2, NoticeKind::Error, "goes");
    let rect = stand.find("goes");
    let cross = Pos2::new(rect.right() - 17.0, rect.center().y);
    assert!(stand.press_at(cross).is_empty());
    assert!(stand.wants_pointer(), "else the click would fire a rocket");
    for _ in 0..10 {
        stand.pass(Vec::new());
    }
    assert!(stand.has("stays") && !stand.has("goes"));
}

#[test]
fn good_news_goes_by_itself_and_bad_news_waits() {
    let mut stand = quiet();
    say(&mut stand, 1, NoticeKind::Info, "saved");
    say(&mut stand, 2, NoticeKind::Error, "refused");
    // Eight seconds.
    for _ in 0..160 {
        stand.pass(Vec::new());
    }
    assert!(stand.has("refused") && !stand.has("saved"));
}
