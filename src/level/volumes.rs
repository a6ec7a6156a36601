//! The volume of a brush: solid, liquid, or a kind that only the game or its compiler uses. One table by game and texture,
//! one by game and contents.
//!
//! A brush is not solid only where all its faces agree: one tool texture among solid faces makes no hole in a floor.
use super::game::Game::{
    self, Breach, Daikatana, Doom3, HalfLife, Heretic2, Hexen2, Kingpin, Quake, Quake2, Quake3, Sin,
};
use super::game::in_folder;
use super::material::last_part;
use super::parsed::{Flags, Parsed, ParsedBrush};
use strum::VariantArray;

/// The use of a volume in its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Volume {
    Solid,
    /// Water, slime or lava; a patch of it bounds no volume and is air.
    Liquid,
    /// Invisible; stops players, monsters or shots.
    Clip,
    Trigger,
    /// Used by the compiler only: hints, origins, the box of a light grid.
    Hint,
    /// Separates two areas of the level, as a func_areaportal does.
    Areaportal,
    /// Fog, mist, ladders, surfaces without a volume.
    Empty,
}

impl Volume {
    /// Name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Volume::Solid => "solid",
            Volume::Liquid => "liquid",
            Volume::Clip => "clip",
            Volume::Trigger => "trigger",
            Volume::Hint => "for the game's compiler only",
            Volume::Areaportal => "areaportal",
            Volume::Empty => "not solid in the game",
        }
    }
}

/// Weight of a face's texture among the brush's others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// Counts only where all faces yield.
    Yields,
    Counts,
    /// One such face decides.
    Decides,
}

/// A pattern for texture paths, in lower case.
enum Name {
    /// The last part.
    Is(&'static str),
    /// The beginning of the last part.
    Starts(&'static str),
    /// In this folder, the last part.
    In(&'static str, &'static str),
    /// In this folder, the beginning of the last part; empty for the whole folder.
    InStarts(&'static str, &'static str),
    /// In this folder, the end of the last part.
    InEnds(&'static str, &'static str),
}
use Name::{In, InEnds, InStarts, Is, Starts};

const EVERY: &[Game] = Game::VARIANTS;
const QUAKES: &[Game] = &[Quake, Breach, Hexen2];
const QUAKE_2S: &[Game] = &[Quake2, Heretic2, Kingpin, Sin, Daikatana];

/// The first row of the game that matches the texture decides; without one it is solid. `common/` and `system/` are the
/// tool textures of Quake 3's and Doom 3's families, which levels of other games borrow.
#[rustfmt::skip]
const BY_TEXTURE: &[(&[Game], Volume, Weight, &[Name])] = &[
    (&[HalfLife], Volume::Liquid, Weight::Decides, &[Is("contentwater")]),
    (&[HalfLife], Volume::Empty, Weight::Decides, &[Is("contentempty")]),
    (&[HalfLife], Volume::Hint, Weight::Decides, &[Is("skip")]),
    (&[HalfLife], Volume::Solid, Weight::Yields, &[Is("null"), Is("bevel"), Starts("sky")]),
    (&[HalfLife], Volume::Clip, Weight::Counts, &[Starts("clipbevel"), Starts("cliphull")]),
    (&[HalfLife], Volume::Hint, Weight::Counts, &[Is("boundingbox"), Is("splitface")]),
    (&[HalfLife], Volume::Empty, Weight::Counts, &[Starts("@"), Starts("translucent")]),
    (QUAKES, Volume::Solid, Weight::Yields, &[Is("skip")]),
    (QUAKE_2S, Volume::Hint, Weight::Yields, &[Is("skip")]),
    (QUAKE_2S, Volume::Clip, Weight::Counts, &[Is("clip_mon")]),
    (&[Kingpin], Volume::Trigger, Weight::Counts, &[Is("0_trigger")]),
    (&[Quake3], Volume::Liquid, Weight::Counts, &[InStarts("liquids/", "")]),
    (&[Quake3], Volume::Empty, Weight::Counts, &[InEnds("sfx/", "fog"), InStarts("sfx/", "fog")]),
    (&[Doom3], Volume::Trigger, Weight::Counts, &[InStarts("common/", "trig")]),
    (&[Doom3], Volume::Empty, Weight::Counts, &[In("common/", "shadow"), In("common/", "shadow2")]),
    (&[Doom3], Volume::Clip, Weight::Counts, &[InStarts("editor/", "aas")]),
    (EVERY, Volume::Liquid, Weight::Counts, &[Starts("*"), Starts("!"),
        In("common/", "watercaulk"), In("common/", "slimecaulk"), In("common/", "lavacaulk"),
        In("system/", "caulk_water"), In("system/", "caulk_slime"), In("system/", "caulk_lava"),
        In("system/", "caulk_acid")]),
    (EVERY, Volume::Clip, Weight::Counts, &[Is("clip"), Is("playerclip"), Is("monsterclip"), Is("player_clip"),
        Is("monster_clip"),
        InEnds("common/", "clip"), InStarts("common/", "clip"), InStarts("common/", "ai_"),
        InEnds("system/", "clip"), InStarts("system/", "block")]),
    (EVERY, Volume::Trigger, Weight::Counts, &[Is("trigger"), Is("aaatrigger")]),
    (EVERY, Volume::Areaportal, Weight::Counts, &[Is("areaportal"), In("editor/", "visportal")]),
    (EVERY, Volume::Hint, Weight::Yields, &[In("common/", "skip"), In("system/", "skip")]),
    (EVERY, Volume::Hint, Weight::Counts, &[Is("hint"), Is("hintskip"), Is("origin"),
        In("common/", "hintlocal"), In("common/", "subtlehint"), In("common/", "antiportal"), In("system/", "antiportal"),
        In("common/", "clusterportal"), In("system/", "cluster_portal"),
        In("common/", "lightgrid"), In("system/", "lightgrid")]),
    (EVERY, Volume::Empty, Weight::Yields, &[In("common/", "nodraw"), In("system/", "nodraw")]),
    (EVERY, Volume::Empty, Weight::Counts, &[In("common/", "nodrop"), In("system/", "nodrop"),
        InStarts("common/", "fog"), InStarts("system/", "fog"),
        In("common/", "donotenter"), In("system/", "do_not_enter"),
        In("common/", "nodrawnonsolid"), In("system/", "caulk_nonsolid"),
        In("common/", "ladder"), In("system/", "ladder"), InStarts("common/", "alpha_"),
        In("system/", "inside"), In("system/", "outside"), In("system/", "weatherzone")]),
    (&[Doom3], Volume::Empty, Weight::Yields, &[InStarts("editor/", "")]),
];

/// Bits of a face's contents; the first row of the game that has one of them decides, so stronger ones come first. Other
/// bits say how a volume is drawn or sorted.
#[rustfmt::skip]
const BY_CONTENTS: &[(&[Game], u32, Volume)] = &[
    (QUAKE_2S, 1 | 2, Volume::Solid),                   // solid, window
    (QUAKE_2S, 8 | 16 | 32, Volume::Liquid),            // lava, slime, water
    (QUAKE_2S, 64, Volume::Empty),                      // mist
    (&[Daikatana], 1 << 7, Volume::Solid),              // clear
    (&[Daikatana], (1 << 8) | (1 << 10), Volume::Empty),    // not solid, fog
    (&[Daikatana], 1 << 11, Volume::Liquid),            // nitro
    (QUAKE_2S, 1 << 15, Volume::Areaportal),
    (QUAKE_2S, (1 << 16) | (1 << 17), Volume::Clip),        // of players, of monsters
    (QUAKE_2S, 1 << 24, Volume::Hint),                  // origin
];

/// Surface bits of a face that splits the tree and bounds no volume: hint, skip.
const QUAKE_2_HINT: u32 = 1 << 8;
const QUAKE_2_SKIP: u32 = 1 << 9;

/// The volumes of a level's textures.
pub(super) struct Volumes {
    game: Game,
    by_texture: Vec<(Volume, Weight)>,
}

/// A brush's volume, and the first face that contradicts it: a tool texture among solid faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub volume: Volume,
    /// Index into the brush's faces.
    pub odd: Option<usize>,
}

impl Volumes {
    pub fn new(game: Game, parsed: &Parsed) -> Self {
        let textures = parsed.textures.iter();
        Self {
            game,
            by_texture: textures.map(|name| by_texture(game, name)).collect(),
        }
    }

    /// Solid where one face that counts is, otherwise the volume of the first face that counts.
    pub fn of_brush(&self, brush: &ParsedBrush) -> Verdict {
        let faces = brush.faces.iter();
        let faces: Vec<_> = faces.map(|f| self.face(f.texture, f.flags)).collect();
        let first = |weight: Weight| {
            faces
                .iter()
                .find(|face| face.1 == weight)
                .map(|face| face.0)
        };
        let is_solid = faces.contains(&(Volume::Solid, Weight::Counts));
        let volume = first(Weight::Decides)
            .or(is_solid.then_some(Volume::Solid))
            .or_else(|| first(Weight::Counts))
            .or_else(|| first(Weight::Yields))
            .unwrap_or(Volume::Solid);
        let is_odd = |face: &(Volume, Weight)| face.0 != Volume::Solid && face.1 == Weight::Counts;
        let odd = faces.iter().position(is_odd);
        Verdict {
            volume,
            odd: odd.filter(|_| volume == Volume::Solid),
        }
    }

    /// The volume of a patch with this texture: all its sides have it.
    pub fn of_patch(&self, texture: &str, flags: Flags) -> Volume {
        self.side(flags, || by_texture(self.game, texture)).0
    }

    fn face(&self, texture: u32, flags: Flags) -> (Volume, Weight) {
        self.side(flags, || self.by_texture[texture as usize])
    }

    /// The volume of a side by its flags, otherwise by its texture.
    fn side(&self, flags: Flags, by_texture: impl Fn() -> (Volume, Weight)) -> (Volume, Weight) {
        let contents = BY_CONTENTS
            .iter()
            .find(|(games, bits, _)| games.contains(&self.game) && flags.contents & bits != 0);
        if let Some(&(_, _, volume)) = contents {
            return (volume, Weight::Counts);
        }
        if QUAKE_2S.contains(&self.game) {
            if flags.surface & QUAKE_2_HINT != 0 {
                return (Volume::Hint, Weight::Counts);
            } else if flags.surface & QUAKE_2_SKIP != 0 {
                return (Volume::Hint, Weight::Yields);
            }
        }
        by_texture()
    }
}

fn by_texture(game: Game, texture: &str) -> (Volume, Weight) {
    let path = texture.to_ascii_lowercase();
    let last = last_part(&path);
    let folder = &path[..path.len() - last.len()];
    let lies_in = |wanted: &str| in_folder(folder, wanted);
    let is_named = |name: &Name| match *name {
        Is(name) => last == name,
        Starts(start) => last.starts_with(start),
        In(folder, name) => last == name && lies_in(folder),
        InStarts(folder, start) => last.starts_with(start) && lies_in(folder),
        InEnds(folder, end) => last.ends_with(end) && lies_in(folder),
    };
    let mut rows = BY_TEXTURE.iter();
    rows.find(|(games, _, _, names)| games.contains(&game) && names.iter().any(is_named))
        .map_or((Volume::Solid, Weight::Counts), |row| (row.1, row.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(game: Game, volume: Volume, names: &[&str]) {
        for name in names {
            assert_eq!(by_texture(game, name).0, volume, "{name}");
            assert_eq!(by_texture(game, &name.to_uppercase()).0, volume, "{name}");
        }
    }

    #[test]
    fn tool_textures_of_every_game_are_what_it_makes_of_them() {
        for &game in EVERY {
            check(
                game,
                Volume::Clip,
                &["clip", "playerclip", "e1u1/monsterclip", "common/weapclip"],
            );
            check(
                game,
                Volume::Liquid,
                &["*water", "!slime", "textures/common/watercaulk"],
            );
            check(
                game,
                Volume::Trigger,
                &["trigger", "common/trigger", "AAATRIGGER"],
            );
            check(
                game,
                Volume::Hint,
                &["e1u1/hint", "hintskip", "origin", "common/lightgrid"],
            );
            check(
                game,
                Volume::Areaportal,
                &["common/areaportal", "textures/editor/visportal"],
            );
            check(
                game,
                Volume::Empty,
                &[
                    "common/nodrop",
                    "common/fog",
                    "textures/system/do_not_enter",
                ],
            );
            check(
                game,
                Volume::Solid,
                &[
                    "caulk",
                    "common/caulk",
                    "sky1",
                    "paperclip",
                    "a*b",
                    "origin2",
                    "fog",
                    "ladder",
                    "uncommon/fog",
                    "",
                ],
            );
        }
        check(
            Quake3,
            Volume::Liquid,
            &["liquids/lava", "textures/liquids/clear_ripple1"],
        );
        check(
            Quake3,
            Volume::Empty,
            &["sfx/hellfog", "textures/sfx/fog_red"],
        );
        check(
            Quake,
            Volume::Solid,
            &["liquids/lava", "skip", "clipbevel", "contentwater"],
        );
        check(HalfLife, Volume::Liquid, &["contentwater"]);
        check(
            HalfLife,
            Volume::Clip,
            &["clipbevel", "clipbevelbrush", "cliphull2"],
        );
        check(Doom3, Volume::Trigger, &["textures/common/trigonce"]);
        check(
            Doom3,
            Volume::Clip,
            &["textures/editor/aassolid", "textures/common/ik_clip"],
        );
        check(Kingpin, Volume::Trigger, &["0_trigger"]);
    }

    #[test]
    fn contents_say_what_a_face_is_before_its_texture_does() {
        let volumes = |game| Volumes {
            game,
            by_texture: vec![by_texture(game, "clip"), (Volume::Solid, Weight::Counts)],
        };
        let face = |game, texture, contents, surface| {
            volumes(game).face(texture, Flags { contents, surface })
        };
        let detail = 1 << 27;
        for &game in QUAKE_2S {
            for (contents, volume) in [
                (0, Volume::Solid),
                (1 | 32, Volume::Solid),
                (2, Volume::Solid),
                (detail, Volume::Solid),
                (8, Volume::Liquid),
                (16 | detail, Volume::Liquid),
                (32, Volume::Liquid),
                (64, Volume::Empty),
                (1 << 15, Volume::Areaportal),
                (1 << 16, Volume::Clip),
                (1 << 17, Volume::Clip),
                (1 << 24, Volume::Hint),
            ] {
                assert_eq!(
                    face(game, 1, contents, 0),
                    (volume, Weight::Counts),
                    "{game:?} {contents}"
                );
            }
            assert_eq!(
                face(game, 0, 1, 0).0,
                Volume::Solid,
                "a solid one, whatever it shows"
            );
            assert_eq!(face(game, 0, detail, 0).0, Volume::Clip);
            assert_eq!(face(game, 1, 0, 256), (Volume::Hint, Weight::Counts));
            assert_eq!(face(game, 1, 0, 512), (Volume::Hint, Weight::Yields));
        }
        assert_eq!(face(Daikatana, 1, 1 << 8, 0).0, Volume::Empty);
        assert_eq!(face(Quake2, 1, 1 << 8, 0).0, Volume::Solid);
        // The numbers of other games are no contents.
        assert_eq!(face(Quake3, 1, 32, 0).0, Volume::Solid);
        assert_eq!(face(Hexen2, 1, 64, 0).0, Volume::Solid);
    }
}
