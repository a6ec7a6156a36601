//! The shown textures belong to the open level and to the current texture folder.
use super::*;

/// A folder with the level and single-colour images for all of its textures.
fn folder(colour: [u8; 3]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("open.map"), LEVEL).expect("written");
    let level = crate::level::read_map(LEVEL).expect("our own level");
    std::fs::create_dir(folder.path().join("textures")).expect("made");
    let picture = image::RgbImage::from_pixel(4, 4, image::Rgb(colour));
    for material in level.world.materials.iter().filter(|m| !m.inner) {
        let name = format!("textures/{}.png", material.texture);
        picture.save(folder.path().join(name)).expect("written");
    }
    folder
}

/// The first texel of the open level's first texture, and the number of textures.
fn shown(app: &App) -> (Option<[u8; 3]>, usize) {
    let textures = &app.play.as_ref().expect("a level").level_textures.textures;
    (textures.first_texel(), textures.tally().found)
}

fn row(app: &App) -> &str {
    let row = app.report.rows.iter().find(|row| row.0 == "textures");
    &row.expect("a row of the report").1
}

#[test]
fn another_level_has_its_own_textures_and_the_report_says_how_many() {
    let (red, blue) = (folder([200, 0, 0]), folder([0, 0, 200]));
    let bare = tempfile::tempdir().expect("a folder");
    let text = String::from_utf8_lossy(LEVEL);
    let asks = text.replacen("{\n", "{\n\"wad\" \"maps/none.wad\"\n", 1);
    std::fs::write(bare.path().join("open.map"), asks).expect("written");
    let mut app = opened(red.path());
    let count = app
        .play
        .as_ref()
        .map(|p| p.level_textures.textures.tally().asked);
    let count = count.expect("a level");
    assert_eq!(shown(&app), (Some([200, 0, 0]), count));
    assert_eq!(row(&app), format!("{count} of {count} with an image"));
    let open = |folder: &tempfile::TempDir| UiCommand::Open(folder.path().join("open.map").into());
    let said = told(&mut app, open(&blue));
    assert_eq!(shown(&app), (Some([0, 0, 200]), count));
    let words = format!("Textures: {count} of {count} with an image");
    assert!(said.contains(&(NoticeKind::Info, words)), "{said:?}");
    let said = told(&mut app, open(&bare));
    assert_eq!(shown(&app), (None, 0));
    let words = format!("0 of {count} with an image; not found: none.wad");
    assert_eq!(row(&app), words);
    let words = format!("Textures: {words}");
    assert!(said.contains(&(NoticeKind::Info, words)), "{said:?}");
    told(&mut app, UiCommand::CountAgain);
    assert!(row(&app).contains("none.wad"));
}

#[test]
fn a_folder_of_the_settings_is_looked_into_at_once_and_for_the_next_level_too() {
    let (red, green) = (folder([200, 0, 0]), folder([0, 200, 0]));
    let bare = tempfile::tempdir().expect("a folder");
    std::fs::write(bare.path().join("open.map"), LEVEL).expect("written");
    let mut app = opened(bare.path());
    let before = state(&app);
    assert_eq!(shown(&app).1, 0);
    let prefer = |app: &App, folder: &str| {
        let mut wanted = app.preferences.clone();
        wanted.textures = folder.to_owned();
        UiCommand::SetPreferences(Box::new(wanted))
    };
    let action = prefer(&app, &green.path().display().to_string());
    told(&mut app, action);
    assert_eq!(shown(&app).0, Some([0, 200, 0]));
    // The level's own textures come first.
    told(
        &mut app,
        UiCommand::Open(red.path().join("open.map").into()),
    );
    assert_eq!(shown(&app).0, Some([200, 0, 0]));
    told(
        &mut app,
        UiCommand::Open(bare.path().join("open.map").into()),
    );
    assert_eq!(shown(&app).0, Some([0, 200, 0]));
    // A missing folder is reported, and the procedural materials return.
    let action = prefer(&app, "no/such/folder");
    let said = told(&mut app, action);
    let names_it = |(kind, text): &(NoticeKind, String)| {
        *kind == NoticeKind::Warning && text.contains("no/such/folder")
    };
    assert!(said.iter().any(names_it), "{said:?}");
    assert_eq!(shown(&app).1, 0);
    assert_eq!(state(&app), before);
}
