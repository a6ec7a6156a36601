//! Detects the game of a level: from its header, otherwise from its syntax, textures and entities.
//!
//! An editor's header (`// Game:`, `// Format:`) decides. Without one each kind of evidence votes once, weighted by how
//! unlikely it is by chance; without evidence the game is Quake.
use super::material::last_part;
use super::parsed::{Parsed, Syntax};
use strum::VariantArray;

/// The games that are told apart; others count as the one whose rules they share. Ties between votes go to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
#[allow(missing_docs)]
pub enum Game {
    #[default]
    Quake,
    Breach,
    HalfLife,
    Quake2,
    Quake3,
    Doom3,
    Hexen2,
    Heretic2,
    Kingpin,
    Sin,
    Daikatana,
}

impl Game {
    /// The name as its players write it.
    pub fn name(self) -> &'static str {
        match self {
            Game::Quake => "Quake",
            Game::Breach => "Breach",
            Game::Hexen2 => "Hexen 2",
            Game::HalfLife => "Half-Life",
            Game::Quake2 => "Quake 2",
            Game::Heretic2 => "Heretic 2",
            Game::Kingpin => "Kingpin",
            Game::Sin => "SiN",
            Game::Daikatana => "Daikatana",
            Game::Quake3 => "Quake 3",
            Game::Doom3 => "Doom 3",
        }
    }
}

/// Names of games and formats in headers, in lower case without spaces and hyphens; the first prefix of the header's name
/// decides. Games of one engine are listed with the game that it was made for.
#[rustfmt::skip]
const HEADERS: &[(Game, &[&str])] = &[
    (Game::Breach, &["breach"]),
    (Game::Hexen2, &["hexen"]),
    (Game::HalfLife, &["halflife", "counterstrike", "opposingforce", "blueshift", "teamfortress", "dayofdefeat",
        "gunmanchronicles", "svencoop", "xash"]),
    (Game::Kingpin, &["kingpin"]),
    (Game::Heretic2, &["heretic"]),
    (Game::Sin, &["sin"]),
    (Game::Daikatana, &["daikatana"]),
    (Game::Doom3, &["doom", "quake4", "prey", "darkmod", "thedarkmod"]),
    (Game::Quake3, &["quake3", "quakeiii", "quakelive", "quakearena", "urbanterror", "openarena", "warsow", "warfork",
        "nexuiz", "xonotic", "tremulous", "unvanquished", "jedi", "wolfenstein", "enemyterritory", "returntocastle",
        "starwars", "soldieroffortune2", "medalofhonor", "heavymetal", "startrek", "alien"]),
    (Game::Quake2, &["quake2", "quakeii", "anachronox", "soldieroffortune", "ddaynormandy", "paintball2", "qetoo"]),
    (Game::Quake, &["quake", "librequake"]),
];

/// Evidence in a texture's path, in lower case: the beginning of its last part, or its folder.
#[rustfmt::skip]
const TEXTURES: &[(Game, &[&str])] = &[
    (Game::Quake, &["*"]),
    (Game::HalfLife, &["!", "~", "aaatrigger", "content", "clipbevel", "cliphull"]),
    (Game::Quake2, &["e1u1/", "e1u2/", "e1u3/", "e1u4/", "e2u1/", "e2u2/", "e2u3/", "e3u1/", "e3u2/", "e3u3/"]),
    (Game::Quake3, &["common/", "system/", "liquids/", "sfx/"]),
    (Game::Doom3, &["editor/"]),
];

/// Prefixes of classes that only one game has, in lower case.
#[rustfmt::skip]
const CLASSES: &[(Game, &[&str])] = &[
    (Game::Breach, &["breach_", "func_carve", "func_fill"]),
    (Game::Quake, &["monster_army", "monster_dog", "monster_ogre", "monster_knight", "monster_shambler", "monster_wizard",
        "item_spikes", "item_shells", "item_artifact_", "light_flame_", "light_torch_small", "light_fluoro",
        "weapon_nailgun", "weapon_supernailgun", "info_intermission", "ambient_comp_hum", "ambient_dr"]),
    (Game::Hexen2, &["puzzle_", "art_", "item_mana", "item_spawner", "wp_weapon", "monster_archer", "monster_mummy",
        "monster_hydra", "monster_golem", "monster_imp", "light_torch_eos", "light_torch_castle", "breakable_brush"]),
    (Game::HalfLife, &["light_environment", "multi_manager", "func_breakable", "func_ladder", "func_pushable", "env_",
        "infodecal", "cycler", "ambient_generic", "monster_scientist", "monster_barney", "monstermaker", "info_node",
        "game_player_equip", "func_buyzone", "func_bomb_target", "hostage_entity", "info_hostage_rescue", "info_tf"]),
    (Game::Quake2, &["func_areaportal", "func_object", "func_killbox", "misc_deadsoldier", "misc_explobox2", "target_help",
        "target_secret", "target_goal", "target_blaster", "monster_soldier", "monster_gunner", "monster_infantry",
        "weapon_hyperblaster", "weapon_chaingun2", "item_power_s", "ammo_grenades"]),
    (Game::Heretic2, &["monster_gorgon", "monster_plagueelf", "monster_ssithra", "monster_tcheckrik",
        "monster_palace_guard"]),
    (Game::Kingpin, &["cast_", "elements_", "weapon_tommygun", "weapon_heavymachinegun", "ammo_308"]),
    (Game::Quake3, &["team_", "info_ut_", "misc_model", "misc_portal_", "holdable_", "weapon_gauntlet",
        "weapon_plasmagun", "target_position", "func_bobbing", "func_pendulum", "shooter_", "info_siege",
        "info_player_duel"]),
    (Game::Doom3, &["atdm:"]),
];

/// The game of a level.
pub(super) fn detect(bytes: &[u8], parsed: &Parsed) -> Game {
    if let Some(game) = header(bytes) {
        return game;
    }
    let lower = |text: &str| text.to_ascii_lowercase();
    let textures: Vec<String> = parsed.textures.iter().map(|t| lower(t)).collect();
    let classes: Vec<String> = parsed
        .entities
        .iter()
        .map(|e| lower(e.class_name()))
        .collect();
    let shows_texture = |word: &str| {
        textures.iter().any(|name| match word.ends_with('/') {
            true => in_folder(name, word),
            false => last_part(name).starts_with(word),
        })
    };
    let has_class = |word: &str| classes.iter().any(|name| name.starts_with(word));
    let mut best = (0, Game::default());
    for &game in Game::VARIANTS {
        let any = |table: &[(Game, &[&str])], holds: &dyn Fn(&str) -> bool| {
            let mut rows = table.iter().filter(|row| row.0 == game);
            u32::from(rows.any(|row| row.1.iter().any(|word| holds(word))))
        };
        let votes = by_syntax(game, &parsed.syntax)
            + 16 * u32::from(game == Game::Quake2 && has_quake_2_flags(parsed))
            + 8 * any(TEXTURES, &shows_texture)
            + 4 * any(CLASSES, &has_class);
        if votes > best.0 {
            best = (votes, game);
        }
    }
    best.1
}

/// Whether a path in lower case lies in a folder, written with its slash.
pub(super) fn in_folder(path: &str, folder: &str) -> bool {
    path.match_indices(folder)
        .any(|(at, _)| at == 0 || path[..at].ends_with(['/', '\\']))
}

/// The game named in the comments before the first entity.
fn header(bytes: &[u8]) -> Option<Game> {
    let lines = bytes.split(|b| matches!(b, b'\n' | b'\r'));
    let comments = lines
        .map(<[u8]>::trim_ascii)
        .take_while(|line| line.is_empty() || line.starts_with(b"//"));
    let texts: Vec<String> = comments
        .map(|line| {
            let letters = line.iter().filter(|b| !matches!(b, b'/' | b' ' | b'-'));
            let lower = letters.map(|b| char::from(b.to_ascii_lowercase()));
            lower.collect()
        })
        .collect();
    let said = |key: &str| {
        let name = texts.iter().find_map(|text| text.strip_prefix(key))?;
        let mut rows = HEADERS.iter();
        rows.find(|row| row.1.iter().any(|word| name.starts_with(word)))
            .map(|row| row.0)
    };
    said("game:").or_else(|| said("format:"))
}

/// Votes of the syntax.
fn by_syntax(game: Game, syntax: &Syntax) -> u32 {
    let is_its = match game {
        Game::Doom3 => syntax.bare_planes || syntax.version.is_some(),
        Game::Quake3 => syntax.primitives && !syntax.bare_planes,
        Game::Hexen2 => syntax.further == 1,
        Game::Daikatana => syntax.further == 6,
        // Three numbers are Quake 2's or Quake 3's: the textures tell.
        Game::Quake2 => return u32::from(syntax.further == 3),
        Game::Quake
        | Game::Breach
        | Game::HalfLife
        | Game::Heretic2
        | Game::Kingpin
        | Game::Sin => false,
    };
    16 * u32::from(is_its)
}

/// Whether the numbers after faces are Quake 2's: Quake 3's compiler reads only one bit of them, and its editors write no
/// other.
fn has_quake_2_flags(parsed: &Parsed) -> bool {
    const DETAIL: u32 = 1 << 27;
    let brushes = parsed.entities.iter().flat_map(|e| &e.brushes);
    parsed.syntax.further == 3
        && brushes
            .flat_map(|b| &b.faces)
            .any(|face| face.flags.contents & !DETAIL != 0 || face.flags.surface != 0)
}
