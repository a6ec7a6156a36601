//! What a level says about the picture files of its textures. Only drawing reads it: it is in no hash, face or recording.
use crate::carve::MaterialId;

/// Greatest number of WADs searched; the public levels name up to fifteen.
const MOST_WADS: usize = 128;
/// Longest file name, the limit of file systems.
const LONGEST: usize = 255;

/// Files with the pictures of a level's textures, and the texture size that its axes assume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pictures {
    /// File names in `wad` of worldspawn, without folders, each once, in the file's order.
    pub wads: Vec<String>,
    /// Materials whose axes take any picture as 64 texels wide and high, ascending: those of brush primitives (`brushDef`),
    /// whose matrix is in whole pictures. All others are in the picture's own texels.
    pub fitted: Vec<MaterialId>,
}

/// The file names in the value of `wad`: paths with either slash, separated by semicolons. Only the last part of a path is
/// used, so a level cannot lead to other folders.
pub(super) fn wads(value: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in value.split(';') {
        let name = super::material::last_part(path.trim()).trim();
        let is_name = !name.is_empty() && name.len() <= LONGEST && name != "." && name != "..";
        let is_known = names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is_name && !is_known && names.len() < MOST_WADS {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_paths_only_the_file_names_are_taken() {
        let value =
            r"/quake/id1/base.wad;C:\games\wads\Metal.WAD; ../../BASE.wad ;;gfx/..;odd name.wad;";
        assert_eq!(wads(value), ["base.wad", "Metal.WAD", "odd name.wad"]);
        assert_eq!(wads(""), [""; 0]);
        assert_eq!(wads(r"..\..;/;\;.;"), [""; 0]);
        let many: String = (0..1000).map(|i| format!("a/{i}.wad;")).collect();
        assert_eq!(wads(&many).len(), MOST_WADS);
        assert_eq!(wads(&"x".repeat(LONGEST + 1)), [""; 0]);
    }

    #[test]
    fn a_level_tells_its_wads_and_which_faces_speak_of_whole_pictures() {
        let side = |plane: &str| format!("{plane} brick [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1\n");
        let planes = [
            "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )",
            "( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 )",
            "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )",
            "( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 )",
            "( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )",
            "( 0 0 8 ) ( 0 1 8 ) ( 1 0 8 )",
        ];
        let plain: String = planes.map(side).concat();
        let matrix = "( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) tile 0 0 0\n";
        let moved = [
            "( 100 0 0 ) ( 100 1 0 ) ( 100 0 1 )",
            "( 108 0 0 ) ( 108 0 1 ) ( 108 1 0 )",
        ];
        let moved = moved.iter().chain(&planes[2..]);
        let moved: String = moved.map(|plane| format!("{plane} {matrix}")).collect();
        let level = |wad: &str| {
            let text = format!(
                "{{\n\"classname\" \"worldspawn\"\n{wad}{{\n{plain}}}\n{{\nbrushDef\n{{\n{}}}\n}}\n}}\n",
                moved
            );
            crate::level::read_map(text.as_bytes()).expect("a level")
        };
        let with = level("\"wad\" \"a/one.wad;b\\two.wad\"\n");
        assert_eq!(with.pictures.wads, ["one.wad", "two.wad"]);
        let fitted = &with.pictures.fitted;
        let names = |id: &MaterialId| with.world.materials[*id as usize].texture.as_str();
        assert!(!fitted.is_empty());
        assert!(fitted.iter().all(|id| names(id) == "tile"), "{fitted:?}");
        let tiles = with.world.materials.iter().filter(|m| m.texture == "tile");
        assert_eq!(fitted.len(), tiles.count());
        // The materials are the same with and without.
        let without = level("");
        assert_eq!(without.pictures.wads, [""; 0]);
        assert_eq!(with.world.materials, without.world.materials);
    }
}
