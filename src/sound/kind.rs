//! What can sound: the names of all sounds, their categories, and their files' names.
use crate::structure::StructuralMaterial;
use strum::VariantArray;

/// A sound. Each has [`VARIANTS`] variants, so that two footsteps differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// A rocket is fired.
    Rocket,
    /// A grenade or a ball is thrown.
    Throw,
    /// A drill bores.
    Drill,
    /// A blast.
    Blast(Size),
    /// A body, or a grenade, hits something.
    Debris(StructuralMaterial, Size),
    /// Something goes into a liquid or comes out of it.
    Splash(Size),
    /// A part of the way of a door, a lift or the like, that is repeated every [`MOVER_SECS`] while it moves.
    Mover(Size),
    /// A section breaks under its load.
    Break(StructuralMaterial),
    /// A section that is about to break.
    Creak(StructuralMaterial),
    /// A step of the player on this.
    Step(StructuralMaterial),
}

/// How large what sounds is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
#[allow(missing_docs)]
pub enum Size {
    Small,
    Medium,
    Large,
}

/// What can be made louder or quieter by itself in the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
#[allow(missing_docs)]
pub enum Category {
    Shots,
    Blasts,
    Debris,
    Steps,
    Creaks,
    Room,
}

/// A mover that goes on sounds anew after so many seconds; the sound is a little longer, and fades in and out.
pub const MOVER_SECS: f64 = 0.8;
/// Variants of each sound.
pub const VARIANTS: u8 = 4;

impl Size {
    /// Its name in file names.
    pub fn name(self) -> &'static str {
        match self {
            Size::Small => "small",
            Size::Medium => "medium",
            Size::Large => "large",
        }
    }
}

impl Category {
    /// Its name in the settings file and on the panel.
    pub fn name(self) -> &'static str {
        match self {
            Category::Shots => "shots",
            Category::Blasts => "blasts",
            Category::Debris => "debris",
            Category::Steps => "steps",
            Category::Creaks => "creaks",
            Category::Room => "room",
        }
    }
}

impl Sound {
    /// Every sound.
    pub fn all() -> Vec<Sound> {
        let mut all = vec![Sound::Rocket, Sound::Throw, Sound::Drill];
        all.extend(Size::VARIANTS.iter().copied().map(Sound::Blast));
        for material in StructuralMaterial::ALL {
            let debris = |&size: &Size| Sound::Debris(material, size);
            all.extend(Size::VARIANTS.iter().map(debris));
            all.extend([
                Sound::Break(material),
                Sound::Creak(material),
                Sound::Step(material),
            ]);
        }
        all.extend(Size::VARIANTS.iter().copied().map(Sound::Splash));
        all.extend(Size::VARIANTS.iter().copied().map(Sound::Mover));
        all
    }

    /// Its name, which is that of its file without the extension. With `_1` to `_4` after it, a file replaces one variant.
    pub fn name(self) -> String {
        match self {
            Sound::Rocket => "shot_rocket".into(),
            Sound::Throw => "shot_throw".into(),
            Sound::Drill => "shot_drill".into(),
            Sound::Blast(size) => format!("blast_{}", size.name()),
            Sound::Debris(material, size) => format!("debris_{}_{}", material.name(), size.name()),
            Sound::Splash(size) => format!("splash_{}", size.name()),
            Sound::Mover(size) => format!("mover_{}", size.name()),
            Sound::Break(material) => format!("break_{}", material.name()),
            Sound::Creak(material) => format!("creak_{}", material.name()),
            Sound::Step(material) => format!("step_{}", material.name()),
        }
    }

    /// Its category.
    pub fn category(self) -> Category {
        match self {
            Sound::Rocket | Sound::Throw | Sound::Drill => Category::Shots,
            Sound::Blast(_) => Category::Blasts,
            Sound::Debris(..) | Sound::Splash(_) | Sound::Mover(_) => Category::Debris,
            Sound::Break(_) | Sound::Creak(_) => Category::Creaks,
            Sound::Step(_) => Category::Steps,
        }
    }
}
