//! Clips of the recording.
use super::*;
use crate::app::background::{FileDialog, Outcome};
use image::AnimationDecoder;
use image::codecs::gif::GifDecoder;

/// Presses the key and answers the dialog; returns the path that it proposed.
fn ask(app: &mut App, answer: impl FnOnce(FileDialog) -> Outcome) -> PathBuf {
    app.notices.clear();
    app.act(UiCommand::Key(KeyCommand::SaveClip));
    let (asked, at) = app.background.answer(answer);
    assert_eq!(asked, FileDialog::SaveClip);
    app.hear();
    at.expect("a path is proposed")
}

fn chosen(path: PathBuf) -> impl FnOnce(FileDialog) -> Outcome {
    move |asked| Outcome::Chosen(asked, Some(path))
}

fn last_notice(app: &App) -> &str {
    app.notices.last().map_or("", |notice| notice.text.as_str())
}

fn pictures(path: &Path) -> usize {
    let bytes = std::fs::read(path).expect("a clip");
    let gif = GifDecoder::new(std::io::Cursor::new(bytes)).expect("a GIF");
    gif.into_frames().collect_frames().expect("whole").len()
}

#[test]
fn the_last_seconds_or_the_marked_span_are_saved_where_the_user_says() {
    let (folder, mut app) = app();
    let path = |name: &str| folder.path().join(name);
    assert!(
        told(&mut app, UiCommand::SaveClip)[0]
            .1
            .starts_with("No clip: nothing")
    );
    shoot(&mut app);
    let before = state(&app);
    app.preferences.clip = 0.5;
    let proposed = ask(&mut app, chosen(path("end.gif")));
    assert_eq!(proposed, path("pictures/clip-0001.mp4"));
    assert!(app.clip.is_some(), "{}", last_notice(&app));
    // Only one at a time.
    app.act(UiCommand::SaveClip);
    assert_eq!(last_notice(&app), "A clip is being saved already.");
    finish_work(&mut app);
    assert_eq!(
        last_notice(&app),
        format!("Clip: {}", path("end.gif").display())
    );
    // 30 ticks, every third: 90, 93 .. 120.
    assert_eq!(pictures(&path("end.gif")), 11);
    app.panels.timeline.mark(Some([10, 16]));
    ask(&mut app, chosen(path("span.gif")));
    finish_work(&mut app);
    assert_eq!(pictures(&path("span.gif")), 3);
    // The rocket left before the span, and is heard in it.
    ask(&mut app, chosen(path("span.wav")));
    finish_work(&mut app);
    let mut wav = hound::WavReader::open(path("span.wav")).expect("a WAV file");
    let sound: Vec<i16> = wav.samples().collect::<Result<_, _>>().expect("whole");
    assert_eq!(sound.len(), 7 * 1600);
    let loudest = sound.iter().map(|s| s.unsigned_abs()).max();
    assert!(loudest > Some(500), "{loudest:?}");
    assert_eq!(state(&app), before, "the game stands as it stood");
    // Of a moment in the past, too, from a state that is kept.
    app.panels.timeline.mark(None);
    app.seek(45);
    ask(&mut app, chosen(path("past.gif")));
    finish_work(&mut app);
    assert_eq!(pictures(&path("past.gif")), 11);
}

#[test]
fn a_clip_that_is_cancelled_refused_or_has_another_ending_leaves_nothing() {
    let (folder, mut app) = app();
    let path = |name: &str| folder.path().join(name);
    shoot(&mut app);
    let files = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let before = files();
    ask(&mut app, chosen(path("x.wmv")));
    assert!(
        last_notice(&app).contains(".gif or .mp4 or .wav"),
        "{}",
        last_notice(&app)
    );
    ask(&mut app, chosen(path("none/x.mp4")));
    finish_work(&mut app);
    assert!(
        last_notice(&app).ends_with("no such file or folder"),
        "{}",
        last_notice(&app)
    );
    ask(&mut app, |asked| Outcome::Chosen(asked, None));
    assert!(app.clip.is_none() && app.clip_wanted.is_none());
    ask(&mut app, chosen(path("x.mp4")));
    assert!(app.clip.is_some(), "{}", last_notice(&app));
    app.act(UiCommand::CancelClip);
    finish_work(&mut app);
    assert_eq!(last_notice(&app), "Clip cancelled.");
    // The end of the program cancels, too.
    ask(&mut app, chosen(path("x.mp4")));
    app.end();
    // The folders of the program itself come with it.
    let others = ["data", "pictures", "settings"].map(path);
    let others = others.iter().filter(|other| other.exists()).count();
    assert!(
        files() <= before + others,
        "nothing half written lies about"
    );
    assert!(!path("x.mp4").exists());
}

#[test]
fn without_a_dialog_a_clip_is_saved_where_it_was_proposed() {
    let (_folder, mut app) = app();
    shoot(&mut app);
    app.panels.timeline.mark(Some([0, 2]));
    let proposed = ask(&mut app, |_| Outcome::NoDialog);
    finish_work(&mut app);
    assert_eq!(last_notice(&app), format!("Clip: {}", proposed.display()));
    let bytes = std::fs::read(&proposed).expect("a clip");
    assert_eq!(&bytes[4..8], b"ftyp");
}
