//! Recognises other kinds of files, which people open by mistake, by their first bytes. Consulted only after a file could not be
//! read as a level.
use super::error::{LevelError, Pos};

const COMPILED: &str = "this is a compiled level (BSP): open the .map file that it was made from";
const MESH: &str = "this is a mesh: a level is made of brushes, in a .map file";
const ARCHIVE: &str = "this is an archive: unpack it, and open a .map file that is in it";
const TEXTURES: &str =
    "this is a WAD file: open a .map file, which finds its textures in WAD files itself";
const UTF_16: &str = "this text is UTF-16: save it again as UTF-8";
const PICTURE: &str = "this is a picture, not a level";

/// The first bytes of each kind, and its error message.
const KINDS: &[(&[u8], &str)] = &[
    // Quake and Half-Life have a version there, later games letters.
    (b"\x1d\0\0\0", COMPILED),
    (b"\x1e\0\0\0", COMPILED),
    (b"BSP2", COMPILED),
    (b"2PSB", COMPILED),
    (b"IBSP", COMPILED),
    (b"RBSP", COMPILED),
    (b"FBSP", COMPILED),
    (b"VBSP", COMPILED),
    (b"FAKK", COMPILED),
    (b"EF2!", COMPILED),
    (b"PK\x03\x04", ARCHIVE),
    (b"PACK", ARCHIVE),
    (b"\x1f\x8b", ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", ARCHIVE),
    (b"Rar!", ARCHIVE),
    (b"WAD2", TEXTURES),
    (b"WAD3", TEXTURES),
    (
        b"IWAD",
        "this is a level of Doom (WAD), which has no brushes: open a .map file",
    ),
    (
        b"PWAD",
        "this is a level of Doom (WAD), which has no brushes: open a .map file",
    ),
    (
        b"versioninfo",
        "this is a level of Valve's Hammer (VMF), which Breach does not read: open a .map file",
    ),
    (
        b"iwmap",
        "this is a level of Call of Duty, which Breach does not read: open a .map file of another game",
    ),
    (
        b"mapProcFile",
        "this is a compiled level (PROC): open the .map file that it was made from",
    ),
    (b"glTF", MESH),
    (b"mtllib", MESH),
    (b"v ", MESH),
    (b"o ", MESH),
    (b"solid ", MESH),
    (b"ply\n", MESH),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
    (b"\x89PNG", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (
        br#"{"breach":"#,
        "this is a recording of Breach, not a level",
    ),
];

/// The error for a file of one of these kinds.
pub(super) fn refusal(bytes: &[u8]) -> Option<LevelError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = skip_comments(text);
    let known = KINDS
        .iter()
        .find(|(start, _)| bytes.starts_with(start) || text.starts_with(start));
    known.map(|(_, told)| Pos::NONE.error(*told))
}

/// The text after leading blank lines and comments (`//` or `#`).
fn skip_comments(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(b"//") || rest.starts_with(b"#") {
        let end = rest.iter().position(|&byte| byte == b'\n');
        rest = end.map_or(&[][..], |end| rest[end..].trim_ascii_start());
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_recognised_and_a_level_is_not() {
        for (start, told) in KINDS {
            let file = [start, &b"1 2 3\n"[..]].concat();
            assert_eq!(refusal(&file).expect(told).text, *told);
        }
        let mesh = b"# made by hand\n\n  v 0 0 0\n";
        assert_eq!(refusal(mesh).expect("a mesh").text, MESH);
        for level in [
            &b"// Game: Quake\n{\n\"classname\" \"worldspawn\"\n}\n"[..],
            b"Version 2\n{\n}\n",
            b"{",
            b"# ",
            b"",
        ] {
            assert_eq!(refusal(level), None);
        }
    }
}
