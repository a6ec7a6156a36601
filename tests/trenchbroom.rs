//! The editor's description of our entities (trenchbroom/Breach.fgd) against what the importer reads: the same classes,
//! the same keys; and the files beside it.
use breach::level::{LevelDesc, read_map};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A class of the .fgd: brushes or a point, and its keys with those of its bases.
#[derive(Clone, Debug, Default)]
struct Class {
    is_solid: bool,
    keys: BTreeSet<String>,
}

/// The classes that an editor offers. A line `@KindClass base(A, B) .. = name` opens one, `key(kind)` adds to it.
fn classes() -> BTreeMap<String, Class> {
    let mut all: BTreeMap<String, Class> = BTreeMap::new();
    let mut bases = BTreeSet::new();
    let mut now = String::new();
    for line in text("trenchbroom/Breach.fgd").lines() {
        let line = line.trim();
        if let Some(head) = line.strip_prefix('@') {
            let (before, after) = head.split_once(" = ").expect("a name");
            now = after
                .split([' ', ':', '['])
                .next()
                .expect("a name")
                .to_owned();
            if before.starts_with("BaseClass") {
                bases.insert(now.clone());
            }
            let mut class = Class {
                is_solid: before.starts_with("SolidClass"),
                ..Class::default()
            };
            if let Some((_, of)) = before.split_once("base(") {
                for base in of.split(')').next().expect("a list").split(',') {
                    class.keys.extend(all[base.trim()].keys.iter().cloned());
                }
            }
            assert!(all.insert(now.clone(), class).is_none(), "{now} twice");
        } else if let Some((key, _)) = line.split_once('(')
            && !key.is_empty()
            && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        {
            all.get_mut(&now)
                .expect("inside a class")
                .keys
                .insert(key.to_owned());
        }
    }
    all.retain(|name, _| !bases.contains(name));
    all
}

/// The string literals that follow `call` in the importer's own code.
fn literals(source: &str, call: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]").next().expect("a start");
    let parts = code.split(call).skip(1);
    let quoted = parts.filter_map(|part| part.strip_prefix('"')?.split('"').next());
    quoted.map(str::to_owned).collect()
}

/// All string literals in a file's own code, comments left out.
fn quoted(file: &str) -> BTreeSet<String> {
    let source = text(file);
    let code = source.split("#[cfg(test)]").next().expect("a start");
    let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
    let all = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    all.map(str::to_owned).collect()
}

/// The sources of what moves, without their tests.
fn movers() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/level/movers");
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name != "tests.rs").collect();
    names.sort();
    let own = |name: &String| {
        let text = text(&format!("src/level/movers/{name}"));
        let code = text.split("#[cfg(test)]").next();
        code.expect("a start").to_owned()
    };
    names.iter().map(own).collect()
}

#[test]
fn every_key_that_the_importer_reads_is_in_the_fgd_and_the_other_way_round() {
    let files = ["entities", "keys", "import"];
    let source = files
        .map(|file| text(&format!("src/level/{file}.rs")))
        .concat();
    let mut read = literals(&source, ".key(");
    read.extend(literals(&source, ".get("));
    let named = source
        .split("let named = [")
        .nth(1)
        .expect("the names of a colour");
    let named = named.split(']').next().expect("an end");
    read.extend(named.split('"').skip(1).step_by(2).map(str::to_owned));
    read.extend(quoted("src/level/sun.rs"));
    let movers = movers();
    for call in ["key", "get", "text", "number", "nonzero", "seconds"] {
        read.extend(literals(&movers, &format!(".{call}(")));
    }
    read.extend(["killtarget", "movedir", "pathtarget"].map(str::to_owned));
    for no_key in [
        "classname",
        "",
        "light_environment",
        "worldspawn",
        // Of Quake 2 and 3.
        "team",
    ] {
        read.remove(no_key);
    }
    assert!(read.len() > 15, "{read:?}");
    let offered: BTreeSet<String> = classes().into_values().flat_map(|c| c.keys).collect();
    assert_eq!(read, offered);
}

#[test]
fn every_class_that_the_importer_names_is_in_the_fgd() {
    let source = text("src/level/entities.rs");
    let offered = classes();
    let body = |head: &str| {
        let (_, rest) = source.split_once(head).expect(head);
        rest.split("\n}\n").next().expect("an end").to_owned()
    };
    // Of the table of starts, which knows other games' too, those that are Breach's own.
    let starts = text("src/level/starts.rs");
    let own = |line: &&str| {
        ["(0,", "(1,", "(2,"]
            .iter()
            .any(|rank| line.trim_start().starts_with(rank))
    };
    let starts: String = starts.lines().filter(own).collect();
    // Of the table of movers, those that are in every game or in Quake's.
    let movers = text("src/level/movers/classes.rs");
    let is_ours = |line: &&str| {
        ["(EVERY,", "(NOT_QUAKE_3,", "(Quake,"]
            .iter()
            .any(|games| line.trim_start().starts_with(games))
    };
    let movers: String = movers.lines().filter(is_ours).collect();
    let code = body("fn class(") + &starts + &body("fn light(") + &movers;
    let mut count = 0;
    for name in code.split('"').skip(1).step_by(2) {
        // A whole name, the start of one, or its end.
        let is_class = ["func_", "info_", "light", "trigger_", "world", "_illus"];
        if is_class.iter().any(|start| name.starts_with(start)) {
            count += 1;
            let known = offered
                .keys()
                .any(|c| c == name || c.starts_with(name) || c.ends_with(name));
            assert!(known, "{name} is not in the .fgd");
        }
    }
    assert!(count >= 15, "{count} names were found");
    assert!(text("src/level/import.rs").contains("name == \"breach_blast\""));
    assert!(offered.contains_key("breach_blast"));
}

/// A closed room with a start, and one entity more.
fn with(entity: &str) -> LevelDesc {
    let map = text("trenchbroom/initial.map") + entity;
    read_map(map.as_bytes()).unwrap_or_else(|e| panic!("{entity}: {e}"))
}

#[test]
fn every_class_of_the_fgd_means_something_to_the_importer() {
    let room = with("");
    let brush = text("trenchbroom/initial.map");
    let (start, end) = (
        brush.find("{\n(").expect("a brush"),
        brush.find("}\n{").expect("its end"),
    );
    let brush = &brush[start..end + 2];
    let unknown = with(&format!("{{\n\"classname\" \"func_nonsense\"\n{brush}}}\n"));
    assert_eq!(unknown.warnings.len(), 1, "what is unknown is said");
    // A way for a train, a place for a teleport.
    let target = |class: &str, name: &str, next: &str| {
        format!(
            "{{\n\"classname\" \"{class}\"\n\"targetname\" \"{name}\"\n\"target\" \"{next}\"\n\
             \"origin\" \"0 0 32\"\n}}\n"
        )
    };
    let targets = target("path_corner", "to", "then")
        + &target("path_corner", "then", "to")
        + &target("info_teleport_destination", "to", "");
    for (name, class) in classes() {
        if name == "worldspawn" {
            continue;
        }
        let inside = match class.is_solid {
            true => format!("\"origin\" \"0 0 64\"\n\"target\" \"to\"\n{brush}"),
            false => "\"origin\" \"0 0 64\"\n\"radius\" \"8\"\n".into(),
        };
        let level = with(&format!(
            "{{\n\"classname\" \"{name}\"\n{inside}}}\n{targets}"
        ));
        // What is no solid is left out, and said; it is not unknown.
        let said = level.warnings.iter().map(|w| w.text.as_str());
        let said: Vec<&str> = said.collect();
        assert_eq!(
            said.len(),
            usize::from(level.skipped > 0),
            "{name}: {said:?}"
        );
        assert!(
            said.iter().all(|text| !text.contains(name.as_str())),
            "{name}: {said:?}"
        );
        let count = |level: &LevelDesc| {
            let points = level.starts.len() + level.lights.len() + usize::from(level.sun.is_some());
            points + level.world.base.len()
        };
        let is_aim = class.keys.contains("targetname");
        assert!(
            class.is_solid || is_aim || count(&level) > count(&room),
            "{name} changes nothing"
        );
    }
    let sun = |target: &str| {
        let lamp =
            format!("\"classname\" \"light\"\n\"_sun\" \"1\"\n\"origin\" \"0 0 64\"\n{target}");
        let aim = "\"classname\" \"info_null\"\n\"targetname\" \"aim\"\n\"origin\" \"64 0 0\"\n";
        let level = with(&format!("{{\n{lamp}}}\n{{\n{aim}}}\n"));
        level.sun.expect("a sun").toward
    };
    assert_ne!(
        sun("\"target\" \"aim\"\n"),
        sun(""),
        "the sun is aimed at it"
    );
}

#[test]
fn the_first_map_of_the_editor_is_a_sealed_room() {
    let level = with("");
    assert!(level.warnings.is_empty(), "{:?}", level.warnings);
    let params = breach::bvh::BuildParams::default();
    let world = breach::world::World::build(&level.world, &params, &mut breach::timing::Silent)
        .expect("a world");
    assert_eq!(world.sealed, Some(true));
    // Ten by ten by four metres.
    assert!((world.census().air_volume_m3 - 400.0).abs() < 1e-6);
}

#[test]
fn the_game_configuration_names_files_that_are_there() {
    let config: serde_json::Value =
        serde_json::from_str(&text("trenchbroom/GameConfig.cfg")).expect("TrenchBroom reads JSON");
    assert_eq!(config["version"], 9);
    assert_eq!(config["entities"]["definitions"][0], "Breach.fgd");
    for format in config["fileformats"].as_array().expect("a list") {
        if let Some(name) = format["initialmap"].as_str() {
            assert!(!text(&format!("trenchbroom/{name}")).is_empty());
        }
    }
}
