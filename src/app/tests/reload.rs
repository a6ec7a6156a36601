//! The open level follows its file: what an editor saves is shown.
use super::*;
use crate::app::pending_reload::PendingReload;
use crate::ui::OnReload;
use glam::DVec3;

/// The level with a box of rock added, units of its file.
fn with_box(low: [i32; 3], high: [i32; 3]) -> Vec<u8> {
    let text = std::str::from_utf8(LEVEL).expect("our own level");
    let [[x, y, z], [u, v, w]] = [low, high];
    let axes = [
        "[ 0 1 0 0 ] [ 0 0 -1 0 ]",
        "[ 1 0 0 0 ] [ 0 0 -1 0 ]",
        "[ 1 0 0 0 ] [ 0 -1 0 0 ]",
    ];
    let side = |across: usize, points: [[i32; 3]; 3]| {
        let [a, b, c] = points.map(|[x, y, z]| format!("( {x} {y} {z} )"));
        format!("{a} {b} {c} brick_red {} 0 1 1\n", axes[across])
    };
    let sides = [
        side(0, [[x, y, z], [x, y + 1, z], [x, y, z + 1]]),
        side(1, [[x, y, z], [x, y, z + 1], [x + 1, y, z]]),
        side(2, [[x, y, z], [x + 1, y, z], [x, y + 1, z]]),
        side(2, [[u, v, w], [u, v + 1, w], [u + 1, v, w]]),
        side(1, [[u, v, w], [u + 1, v, w], [u, v, w + 1]]),
        side(0, [[u, v, w], [u, v, w + 1], [u, v + 1, w]]),
    ];
    let added = format!(
        "{{\n\"classname\" \"func_wall\"\n{{\n{}}}\n}}\n",
        sides.concat()
    );
    (text.to_owned() + &added).into_bytes()
}

/// Goes on until something is so, and for at most a minute; says whether it became so.
fn wait(app: &mut App, mut is_so: impl FnMut(&mut App) -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        app.hear();
        if is_so(app) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Goes on for so long that a change of the file would have been found several times.
fn rest(app: &mut App) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(400) || app.loading.is_some() {
        app.hear();
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Hash of the world of a level, opened by itself.
fn alone(bytes: &[u8]) -> u64 {
    let desc = crate::level::read_map(bytes).expect("a level");
    let sim = crate::sim::Sim::new(desc, 1, Settings::default(), &mut crate::timing::Silent);
    sim.expect("a world").world.hash()
}

/// Saves the open level's file as an editor does, and waits until the window shows it.
fn edit(app: &mut App, path: &Path, level: &[u8]) {
    std::fs::write(path, level).expect("written");
    let wanted = alone(level);
    assert!(wait(app, |app| hash(app) == wanted));
}

fn texts(app: &App, kind: NoticeKind) -> Vec<String> {
    let of_kind = app.notices.iter().filter(|notice| notice.kind == kind);
    of_kind.map(|notice| notice.text.clone()).collect()
}

fn is_asked(app: &mut App) -> bool {
    matches!(app.reload, Some(PendingReload::Asked(_)))
}

/// Where the player's eye is, metres.
fn place(app: &mut App) -> DVec3 {
    play(app).sim.player.eye
}

#[test]
fn what_an_editor_saves_is_shown_and_the_player_stays() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    // It has walked and turned before.
    for tick in 0..40 {
        let mut command = play(&mut app).sim.idle();
        command.walk = [0.0, 0.0, 1.0];
        command.yaw = 0.02 * f64::from(tick);
        let App { play, recorder, .. } = &mut app;
        play.as_mut()
            .expect("a level")
            .tick(&command, recorder)
            .expect("written");
    }
    app.follow();
    let (eye, yaw) = (place(&mut app), app.input.yaw);
    for height in [16, 48, 80] {
        let level = with_box([1000, 1000, 0], [1064, 1064, height]);
        edit(&mut app, &path, &level);
        app.tick();
        assert!((place(&mut app) - eye).length() < 0.1, "{height}");
        assert_eq!(app.input.yaw, yaw);
        assert!(!play(&mut app).unsaved);
        assert!(
            texts(&app, NoticeKind::Opened)
                .iter()
                .any(|text| text.starts_with("Reloaded open"))
        );
        app.notices.clear();
    }
    // The same contents written again are no change.
    let opened = app.opened;
    let same = std::fs::read(&path).expect("there");
    std::fs::write(&path, same).expect("written");
    rest(&mut app);
    assert_eq!(app.opened, opened);
}

#[test]
fn changes_made_here_are_kept_or_dropped_as_the_first_answer_says() {
    for (answer, again) in [(OnReload::Keep, true), (OnReload::Drop, false)] {
        let (folder, mut app) = app();
        let path = folder.path().join("open.map");
        shoot(&mut app);
        let (dug, made) = (hash(&mut app), play(&mut app).changes_since_file());
        assert!(made.count > 0);
        let level = with_box([1000, 1000, 0], [1064, 1064, 60]);
        std::fs::write(&path, &level).expect("written");
        assert!(wait(&mut app, is_asked));
        // Nothing changes before the answer, and "not now" leaves it so.
        rest(&mut app);
        assert_eq!(hash(&mut app), dug);
        app.act(UiCommand::Reload(OnReload::Ask));
        rest(&mut app);
        assert_eq!(
            (hash(&mut app), app.preferences.reload),
            (dug, OnReload::Ask)
        );
        let higher = with_box([1000, 1000, 0], [1064, 1064, 90]);
        std::fs::write(&path, &higher).expect("written");
        assert!(wait(&mut app, is_asked));
        app.act(UiCommand::Reload(answer));
        let opened = app.opened;
        assert!(wait(&mut app, |app| app.opened > opened));
        let with_holes = |level: &[u8]| {
            let desc = crate::level::read_map(level).expect("a level");
            alone(&crate::level::write_with(&desc, &made.entities))
        };
        let wanted = |level: &[u8]| {
            if again {
                with_holes(level)
            } else {
                alone(level)
            }
        };
        assert_ne!(with_holes(&higher), alone(&higher));
        assert_eq!(hash(&mut app), wanted(&higher));
        assert_eq!(
            (play(&mut app).unsaved, app.preferences.reload),
            (again, answer)
        );
        // The next time nobody asks, and the same changes are there.
        std::fs::write(&path, &level).expect("written");
        assert!(wait(&mut app, |app| hash(app) == wanted(&level)));
        assert_eq!(play(&mut app).unsaved, again);
        assert_eq!(
            play(&mut app).changes_since_file().count,
            if again { made.count } else { 0 }
        );
    }
}

#[test]
fn what_the_program_saves_itself_is_no_news_and_is_not_applied_twice() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    app.preferences.reload = OnReload::Keep;
    shoot(&mut app);
    let opened = app.opened;
    told(&mut app, UiCommand::SaveAs(folder.path().join("other.map")));
    told(&mut app, UiCommand::Save);
    rest(&mut app);
    assert_eq!(app.opened, opened);
    // The file left behind is watched no more; the new one is.
    std::fs::write(&path, with_box([0, 0, 0], [8, 8, 8])).expect("written");
    rest(&mut app);
    assert_eq!(app.opened, opened);
    let other = folder.path().join("other.map");
    let mut edited = std::fs::read(&other).expect("saved");
    edited.extend_from_slice(b"// seen by an editor\n");
    std::fs::write(&other, &edited).expect("written");
    assert!(wait(&mut app, |app| app.opened > opened));
    assert_eq!(hash(&mut app), alone(&edited));
    assert_eq!(play(&mut app).changes_since_file().count, 0);
}

#[test]
fn a_half_written_file_is_waited_for_and_a_broken_one_is_said() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    let level = with_box([1000, 1000, 0], [1064, 1064, 60]);
    let before = hash(&mut app);
    app.notices.clear();
    for part in [level.len() / 3, level.len() / 2, level.len() - 9] {
        std::fs::write(&path, &level[..part]).expect("written");
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(200) {
            app.hear();
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(hash(&mut app), before);
    }
    edit(&mut app, &path, &level);
    assert_eq!(texts(&app, NoticeKind::Refused), [""; 0]);
    // One that stays broken is said once, with its line, and the open level stays.
    std::fs::write(&path, b"{\n\"classname\" \"worldspawn\"\n{\n").expect("written");
    assert!(wait(&mut app, |app| !texts(app, NoticeKind::Refused).is_empty()));
    let said = texts(&app, NoticeKind::Refused);
    let start = format!("{}:", path.display());
    assert!(said.len() == 1 && said[0].starts_with(&start), "{said:?}");
    assert_eq!(hash(&mut app), alone(&level));
    edit(&mut app, &path, LEVEL);
}

#[test]
fn nobody_is_asked_about_a_broken_file_and_one_that_is_right_again_is_said() {
    let level = with_box([1000, 1000, 0], [1064, 1064, 60]);
    for way in [OnReload::Ask, OnReload::Keep, OnReload::Drop] {
        let (folder, mut app) = app();
        let path = folder.path().join("open.map");
        shoot(&mut app);
        app.preferences.reload = way;
        let (before, opened) = (hash(&mut app), app.opened);
        let back = "open.map was restored.";
        for times in 1..3 {
            std::fs::write(&path, b"{\n\"classname\"").expect("written");
            assert!(wait(&mut app, |app| {
                assert!(!is_asked(app), "{way:?}");
                texts(app, NoticeKind::Refused).len() == times
            }));
            std::fs::write(&path, LEVEL).expect("written");
            let told = |app: &App| {
                texts(app, NoticeKind::Opened)
                    .iter()
                    .filter(|t| **t == back)
                    .count()
            };
            assert!(wait(&mut app, |app| told(app) == times), "{way:?}");
            assert_eq!(
                (app.reload, hash(&mut app), app.opened),
                (None, before, opened)
            );
        }
        // And gone and back.
        std::fs::remove_file(&path).expect("removed");
        assert!(wait(&mut app, |app| !texts(app, NoticeKind::Warning).is_empty()));
        std::fs::write(&path, LEVEL).expect("written");
        assert!(wait(&mut app, |app| texts(app, NoticeKind::Opened)
            .last()
            .is_some_and(|t| t == back)));
        // What follows is asked about as ever.
        std::fs::write(&path, &level).expect("written");
        match way {
            OnReload::Ask => assert!(wait(&mut app, is_asked)),
            _ => assert!(wait(&mut app, |app| app.opened > opened), "{way:?}"),
        }
    }
}

#[test]
fn a_file_that_disappears_is_said_and_is_watched_for() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    // Replaced by renaming, as careful editors save.
    let level = with_box([1000, 1000, 0], [1064, 1064, 60]);
    let aside = folder.path().join("open.map.tmp");
    std::fs::write(&aside, &level).expect("written");
    std::fs::remove_file(&path).expect("removed");
    std::fs::rename(&aside, &path).expect("renamed");
    let wanted = alone(&level);
    assert!(wait(&mut app, |app| hash(app) == wanted));
    assert_eq!(texts(&app, NoticeKind::Warning), [""; 0]);
    std::fs::remove_file(&path).expect("removed");
    let gone =
        "open.map was deleted or moved. The level stays open; saving it writes the file again.";
    assert!(wait(&mut app, |app| texts(app, NoticeKind::Warning) == [gone]));
    assert_eq!(hash(&mut app), wanted);
    edit(&mut app, &path, LEVEL);
}

#[test]
fn a_player_whose_place_is_rock_now_starts_anew() {
    let (folder, mut app) = app();
    let path = folder.path().join("open.map");
    let start = place(&mut app);
    let away = start + DVec3::new(0.0, 1.0, 0.0);
    app.act(UiCommand::FlyTo(away));
    app.act(UiCommand::SetCamera(crate::ui::CameraMode::Fly));
    app.tick();
    let eye = place(&mut app);
    // A unit is 1/32 m; the file's y runs against our z, and its z is up.
    let at = [eye.x, -eye.z, eye.y].map(|metres| (metres * 32.0).round() as i32);
    let level = with_box(at.map(|x| x - 8), at.map(|x| x + 8));
    edit(&mut app, &path, &level);
    app.tick();
    assert!((place(&mut app) - start).length() < 0.1);
}

#[test]
fn what_an_editor_saved_is_not_overwritten_without_asking() {
    let level = with_box([1000, 1000, 0], [1064, 1064, 60]);
    let broken = b"{ \"classname\"".to_vec();
    for (edited, is_put_off) in [(&level, true), (&level, false), (&broken, false)] {
        let (folder, mut app) = app();
        let path = folder.path().join("open.map");
        shoot(&mut app);
        if edited == &broken {
            app.preferences.reload = OnReload::Keep;
        }
        std::fs::write(&path, edited).expect("written");
        let off = |app: &mut App| app.reload == Some(PendingReload::Off);
        if edited == &broken {
            assert!(wait(&mut app, off));
        } else {
            assert!(wait(&mut app, is_asked));
        }
        if is_put_off {
            app.act(UiCommand::Reload(OnReload::Ask));
            assert!(off(&mut app));
        }
        told(&mut app, UiCommand::Save);
        let asked = app.confirmation.as_ref().and_then(|q| q.replace.as_ref());
        assert_eq!(asked, Some(&path));
        told(&mut app, UiCommand::Confirm(Answer::Cancel));
        assert_eq!(&std::fs::read(&path).expect("there"), edited);
        told(&mut app, UiCommand::Save);
        told(&mut app, UiCommand::Confirm(Answer::Save));
        let saved = std::fs::read(&path).expect("there");
        assert_eq!(alone(&saved), hash(&mut app));
        // It is the level's own file again.
        shoot(&mut app);
        told(&mut app, UiCommand::Save);
        assert!(app.confirmation.is_none() && !play(&mut app).unsaved);
    }
}
