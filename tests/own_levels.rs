//! The six levels that Breach ships: they read without a word, are what the README says of them.
use breach::bvh::BuildParams;
use breach::level::{LevelDesc, read_map};
use breach::timing::Silent;
use breach::world::World;

const NAMES: [&str; 6] = ["bunker", "bridge", "pillars", "range", "caves", "tower"];

fn read(name: &str) -> LevelDesc {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    read_map(&std::fs::read(&path).expect(&path)).expect(&path)
}

#[test]
fn each_reads_without_a_warning_and_has_a_start_and_lights() {
    for name in NAMES {
        let level = read(name);
        assert_eq!(level.warnings, [], "{name}");
        assert_eq!(level.skipped, 0, "{name}");
        assert_eq!(level.starts.len(), 1, "{name}");
        assert!(
            level.lights.len() >= 10,
            "{name}: {} lights",
            level.lights.len()
        );
        assert!(
            (40..=620).contains(&level.brushes),
            "{name}: {} brushes",
            level.brushes
        );
        assert_eq!(level.world.start_solid, name == "caves");
    }
}

#[test]
fn each_texture_names_its_material() {
    let materials = [
        "concrete", "brick", "plaster", "tile", "metal", "wood", "rock", "soil",
    ];
    for name in NAMES {
        for material in &read(name).world.materials {
            let texture = material.texture.to_lowercase();
            // The reader's own materials, for rock that no brush paints, have no texture or one of these names too.
            assert!(
                texture.is_empty() || materials.iter().any(|m| texture.starts_with(m)),
                "{name}: {texture}"
            );
        }
    }
}

#[test]
fn the_bunker_has_rooms_and_the_tower_has_forty_and_both_starts_stand_in_the_air() {
    for (name, rooms) in [("bunker", 5), ("tower", 40)] {
        let level = read(name);
        let world = World::build(&level.world, &BuildParams::default(), &mut Silent).expect(name);
        assert!(
            world.locate(level.starts[0].0).is_some(),
            "{name}: the start lies in rock"
        );
        assert!(
            world.census().rooms >= rooms,
            "{name}: {:?}",
            world.census()
        );
    }
}
