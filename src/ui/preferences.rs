//! Program settings, kept between starts. One table gives unit, range and texts of each number, for the settings file
//! and for the panel.
use crate::sim::Settings;
use crate::sound::{Category, Levels};
use crate::view::Palette;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use strum::VariantArray;

/// Everything kept between starts, except for the layout of the panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// Scale of the panels.
    pub scale: f64,
    /// Degrees of turn per pixel of mouse motion.
    pub mouse: f64,
    /// Vertical field of view, degrees.
    pub view: f64,
    /// Frame rate limit, frames a second.
    pub frames: f64,
    /// Frame rate limit while another window has the focus, frames a second.
    pub frames_aside: f64,
    /// Minutes between autosaves; 0: none.
    pub autosave: f64,
    /// Seconds of a clip where no span of the timeline is marked.
    pub clip: f64,
    /// Vertical synchronization.
    pub vsync: Vsync,
    /// Level of detail of the 3-D view.
    pub detail: Detail,
    /// An extra folder of textures (WADs, images), searched after a level's own; empty: none.
    pub textures: String,
    /// No sound, and no device for it.
    pub mute: bool,
    /// How loud everything is, and each category of sounds, per cent.
    pub volume: f64,
    #[allow(missing_docs)]
    pub volumes: [f64; Category::VARIANTS.len()],
    /// A folder of WAV and OGG files in the place of sounds; empty: none.
    pub sounds: String,
    /// Whether changes are kept when another program saves the level's file.
    pub reload: OnReload,
    /// Moving the mouse up looks down.
    pub upside_down: bool,
    /// The colour palette.
    pub palette: Palette,
    /// Changed keys: name of the command, name of the key.
    pub keys: BTreeMap<String, String>,
    /// World settings of newly opened levels.
    pub world: Settings,
}

/// Vertical synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Vsync {
    /// Every frame is shown, without tearing.
    On,
    /// The newest frame is shown, without tearing; others are dropped.
    Newest,
    /// Frames are shown at once and may tear.
    Off,
}

impl Vsync {
    /// Its name in the file and on the panel.
    pub fn name(self) -> &'static str {
        match self {
            Vsync::On => "on",
            Vsync::Newest => "newest",
            Vsync::Off => "off",
        }
    }

    /// What it does, for the panel.
    pub fn tip(self) -> &'static str {
        match self {
            Vsync::On => "Each frame waits for the display: no tearing.",
            Vsync::Newest => {
                "The display takes the newest frame: no tearing and lower latency, at more cost. Same as on where the driver does not support it."
            }
            Vsync::Off => "No waiting: lowest latency, but frames may tear.",
        }
    }
}

/// Level of detail of the 3-D view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum Detail {
    /// Full on a graphics card, fast with software rendering.
    #[default]
    Auto,
    /// Everything.
    Full,
    /// The cheapest.
    Fast,
}

impl Detail {
    /// Its name in the file and on the panel.
    pub fn name(self) -> &'static str {
        match self {
            Detail::Auto => "auto",
            Detail::Full => "full",
            Detail::Fast => "fast",
        }
    }

    /// What it does, for the panel.
    pub fn tip(self) -> &'static str {
        match self {
            Detail::Auto => "Full detail on a graphics card, less with software rendering.",
            Detail::Full => {
                "Full resolution, antialiasing, ambient occlusion, contact shadows and fine shadows from every light, as in screenshots."
            }
            Detail::Fast => {
                "Coarse shadows from the nearest lights only: many times the frame rate on a slow card."
            }
        }
    }
}

/// Whether carves and fills are kept when another program saves the file of the open level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, VariantArray)]
pub enum OnReload {
    /// A card asks.
    #[default]
    Ask,
    /// They are applied to the new file.
    Keep,
    /// They are dropped.
    Drop,
}

impl OnReload {
    /// Its name in the file and on the panel.
    pub fn name(self) -> &'static str {
        match self {
            OnReload::Ask => "ask",
            OnReload::Keep => "keep",
            OnReload::Drop => "drop",
        }
    }

    /// What it does, for the panel.
    pub fn tip(self) -> &'static str {
        match self {
            OnReload::Ask => {
                "Asks once whether to keep the changes made here, and remembers the answer."
            }
            OnReload::Keep => "Applies the changes made here to the new file.",
            OnReload::Drop => "Shows the new file without the changes made here.",
        }
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            scale: 1.0,
            mouse: 0.145,
            view: 69.0,
            frames: 144.0,
            frames_aside: 30.0,
            autosave: 5.0,
            clip: 10.0,
            vsync: Vsync::On,
            detail: Detail::Auto,
            textures: String::new(),
            mute: false,
            volume: 80.0,
            volumes: [100.0; Category::VARIANTS.len()],
            sounds: String::new(),
            reload: OnReload::Ask,
            upside_down: false,
            palette: Palette::Standard,
            keys: BTreeMap::new(),
            world: newly_opened(),
        }
    }
}

/// A setting that is a number.
pub struct NumberSetting {
    /// Its name in the file.
    pub name: &'static str,
    /// Its label on the panel.
    pub label: &'static str,
    /// Tooltip.
    pub tip: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its range.
    pub range: RangeInclusive<f64>,
    /// The field that holds it.
    pub field: fn(&mut Preferences) -> &mut f64,
}

/// Every number.
#[rustfmt::skip] // one row a line: it is read as a table
pub const NUMBERS: [NumberSetting; 7] = [
    NumberSetting { name: "scale", label: "UI scale", tip: "Size of the panels.", unit: "×", range: 0.5..=3.0, field: |p| &mut p.scale },
    NumberSetting { name: "mouse", label: "mouse speed", tip: "Degrees of turn per pixel of mouse motion.", unit: "degrees", range: 0.01..=1.0, field: |p| &mut p.mouse },
    NumberSetting { name: "view", label: "field of view", tip: "Vertical field of view of the camera.", unit: "degrees", range: 30.0..=110.0, field: |p| &mut p.view },
    NumberSetting { name: "frames", label: "frame rate", tip: "Frame rate limit.", unit: "fps", range: 10.0..=500.0, field: |p| &mut p.frames },
    NumberSetting { name: "frames_aside", label: "in background", tip: "Frame rate limit while another window has the focus.", unit: "fps", range: 1.0..=500.0, field: |p| &mut p.frames_aside },
    NumberSetting { name: "autosave", label: "autosave", tip: "Minutes between autosaves of a changed level; 0 turns them off.", unit: "minutes", range: 0.0..=60.0, field: |p| &mut p.autosave },
    NumberSetting { name: "clip", label: "clip length", tip: "Seconds of a clip, back from the tick shown, where no span of the timeline is marked.", unit: "seconds", range: 1.0..=600.0, field: |p| &mut p.clip },
];

/// Every volume.
#[rustfmt::skip] // one row a line: it is read as a table
pub const VOLUMES: [NumberSetting; 7] = [
    NumberSetting { name: "volume", label: "volume", tip: "How loud everything is.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volume },
    NumberSetting { name: "volume_shots", label: "shots", tip: "Rockets that leave, throws and drills.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volumes[Category::Shots as usize] },
    NumberSetting { name: "volume_blasts", label: "blasts", tip: "Blasts of rockets and grenades.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volumes[Category::Blasts as usize] },
    NumberSetting { name: "volume_debris", label: "debris", tip: "Chunks, crumbs and balls that hit something.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volumes[Category::Debris as usize] },
    NumberSetting { name: "volume_steps", label: "steps", tip: "Your own footsteps.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volumes[Category::Steps as usize] },
    NumberSetting { name: "volume_creaks", label: "creaks", tip: "Sections that creak under their load, and break.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volumes[Category::Creaks as usize] },
    NumberSetting { name: "volume_room", label: "room", tip: "The tone of the room you are in.", unit: "%", range: 0.0..=100.0, field: |p| &mut p.volumes[Category::Room as usize] },
];

pub(super) const MUTE_TIP: &str = "No sound at all; the sound device is left to others.";

pub(super) const SOUNDS_TIP: &str = "A folder of WAV or OGG files that replace the sounds they are named as, such as blast_large.wav. Empty for none.";

pub(super) const TEXTURES_TIP: &str = "An extra folder of textures, searched after the level's own: WADs, or PNG, TGA, JPG and WAL files by name. Empty for none.";

pub(super) const RELOAD_TIP: &str =
    "Whether changes made here are kept when another program saves the level's file.";

/// Comments of the world settings in the file: unit and range.
#[rustfmt::skip] // one row a line: it is read as a table
pub const WORLD: &[(&str, &str)] = &[
    ("blast_radius", "Radius of a rocket's blast, metres, 0.02 to 20."),
    ("blast_shape", "Crater style: \"rock\", \"concrete\" or \"metal\"."),
    ("tree", "How room trees are built: max_depth 1 to 32, faces_per_bin 1 to 64, min_volume in cubic metres from 0."),
    ("buffer_distance", "Gap kept from surfaces, metres, 0 to 0.2."),
    ("debris", "Crumbs thrown by carves."),
    ("max_bodies", "Maximum number of bodies, 0 to 20000."),
    ("gravity", "Downward acceleration, m/s², 0 to 100."),
    ("layers", "Collision layers: a number per layer, with a bit for each layer it collides with."),
    ("shots", "Fuse 0.1 to 20 s, bounce 0 to 0.95, drill radius 0.02 to 2 m and depth 0.1 to 40 m, ball 1 to 20000 kg."),
    ("strength", "Factor of the strength of all materials, 0 to 100; 0 lets nothing break under its load."),
    ("breaks", "Most bonds that break after one check of strength, 1 to 64."),
    ("creak", "Factor of the time that a section creaks before it breaks, 0 to 5; 0 lets everything break at once."),
    ("block", "Edge of the blocks that strength is checked in, metres: 0.25, 0.5, 1 or 2."),
    ("solver", "How rockets detect hits; subdivided halves the move 1 to 32 times."),
];

/// The settings of newly opened levels in the window: in play what is too weak breaks.
fn newly_opened() -> Settings {
    Settings {
        strength: 1.0,
        ..Settings::default()
    }
}

impl Preferences {
    /// Volume of everything and of each category.
    pub fn levels(&self) -> Levels {
        Levels {
            volume: (self.volume / 100.0) as f32,
            categories: self.volumes.map(|volume| (volume / 100.0) as f32),
        }
    }

    /// The settings file's text. `layout` is the layout of the panels ([`super::Dock::text`]).
    pub fn text(&self, layout: &str) -> String {
        // A field that is added breaks the build here: write it below.
        let Self {
            scale: _,
            mouse: _,
            view: _,
            frames: _,
            frames_aside: _,
            autosave: _,
            clip: _,
            vsync,
            detail,
            textures,
            mute,
            volume: _,
            volumes: _,
            sounds,
            reload,
            upside_down,
            palette,
            keys,
            world,
        } = self;
        let mut copy = self.clone();
        let mut text = String::from(
            "# Breach settings, written by the program. Lines left out take their defaults.\n",
        );
        for number in NUMBERS.iter().chain(&VOLUMES) {
            let (low, high) = (number.range.start(), number.range.end());
            text += &format!("\n# {} In {}, {low} to {high}.\n", number.tip, number.unit);
            text += &format!("{} = {:?}\n", number.name, (number.field)(&mut copy));
        }
        let names: Vec<&str> = Vsync::VARIANTS.iter().map(|each| each.name()).collect();
        let names = names.join(", ");
        text += &format!("\n# V-sync: {names}.\n");
        text += &format!("vsync = \"{}\"\n", vsync.name());
        let names: Vec<&str> = Detail::VARIANTS.iter().map(|each| each.name()).collect();
        let names = names.join(", ");
        text += &format!("\n# Level of detail: {names}.\n");
        text += &format!("detail = \"{}\"\n", detail.name());
        text += &format!("\n# {TEXTURES_TIP}\n");
        text += &format!("textures = {}\n", toml::Value::from(textures.as_str()));
        text += &format!("\n# {MUTE_TIP}\nmute = {mute}\n");
        text += &format!("\n# {SOUNDS_TIP}\n");
        text += &format!("sounds = {}\n", toml::Value::from(sounds.as_str()));
        let names: Vec<&str> = OnReload::VARIANTS.iter().map(|each| each.name()).collect();
        let names = names.join(", ");
        text += &format!("\n# {RELOAD_TIP} {names}.\n");
        text += &format!("reload = \"{}\"\n", reload.name());
        text += "\n# Invert mouse: moving the mouse up looks down.\n";
        text += &format!("upside_down = {upside_down}\n");
        let names: Vec<&str> = Palette::VARIANTS.iter().map(|each| each.name()).collect();
        let names = names.join(", ");
        text += &format!("\n# Colour palette: {names}.\n");
        text += &format!("palette = \"{}\"\n", palette.name());
        text += "\n# Panel layout.\n";
        text += &format!("layout = {}\n", toml::Value::from(layout));
        text += "\n# Changed keys.\n[keys]\n";
        for (command, key) in keys {
            text += &format!("{command} = {}\n", toml::Value::from(key.as_str()));
        }
        text += "\n# World settings of newly opened levels.\n[world]\n";
        if let Ok(toml::Value::Table(world)) = toml::Value::try_from(world) {
            for (name, value) in world {
                let tip = WORLD
                    .iter()
                    .find(|row| row.0 == name)
                    .map_or("", |row| row.1);
                text += &format!("# {tip}\n{name} = {value}\n");
            }
        }
        text
    }

    /// Parses the output of [`Preferences::text`]: the settings, the layout of the panels, and warnings about repaired
    /// values.
    ///
    /// # Errors
    /// Text that is not TOML, or a value of the wrong type, with the line if it is known.
    pub fn from_text(text: &str) -> Result<(Self, String, Vec<String>), String> {
        let mut table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
            let line = e
                .span()
                .map(|span| text[..span.start].matches('\n').count() + 1);
            let line = line.map_or(String::new(), |line| format!("line {line}: "));
            format!("{line}{}", e.message())
        })?;
        let mut read = Self::default();
        let mut odd = Vec::new();
        for number in NUMBERS.iter().chain(&VOLUMES) {
            let Some(value) = table.remove(number.name) else {
                continue;
            };
            let wanted = value.as_float().or(value.as_integer().map(|n| n as f64));
            let wanted = wanted.filter(|x| !x.is_nan());
            let wanted = wanted.ok_or_else(|| format!("{} is not a number", number.name))?;
            let (low, high) = (*number.range.start(), *number.range.end());
            let within = wanted.clamp(low, high);
            if within != wanted {
                odd.push(format!(
                    "{} was {wanted}: {low} to {high} {}",
                    number.name, number.unit
                ));
            }
            *(number.field)(&mut read) = within;
        }
        if let Some(value) = table.remove("mute") {
            read.mute = value.as_bool().ok_or("mute must be true or false")?;
        }
        if let Some(value) = table.remove("sounds") {
            let folder = value.as_str().ok_or("sounds must be a string")?;
            read.sounds = folder.to_owned();
        }
        if let Some(value) = table.remove("upside_down") {
            let value = value.as_bool();
            read.upside_down = value.ok_or("upside_down must be true or false")?;
        }
        if let Some(value) = table.remove("vsync") {
            let mut all = Vsync::VARIANTS.iter();
            let found = all.find(|each| value.as_str() == Some(each.name()));
            read.vsync = *found.ok_or_else(|| format!("unknown vsync {value}"))?;
        }
        if let Some(value) = table.remove("detail") {
            let mut all = Detail::VARIANTS.iter();
            let found = all.find(|each| value.as_str() == Some(each.name()));
            read.detail = *found.ok_or_else(|| format!("unknown detail {value}"))?;
        }
        if let Some(value) = table.remove("textures") {
            let folder = value.as_str().ok_or("textures must be a string")?;
            read.textures = folder.to_owned();
        }
        if let Some(value) = table.remove("reload") {
            let mut all = OnReload::VARIANTS.iter();
            let found = all.find(|each| value.as_str() == Some(each.name()));
            read.reload = *found.ok_or_else(|| format!("unknown reload {value}"))?;
        }
        if let Some(value) = table.remove("palette") {
            let mut all = Palette::VARIANTS.iter();
            let found = all.find(|each| value.as_str() == Some(each.name()));
            read.palette = *found.ok_or_else(|| format!("unknown palette {value}"))?;
        }
        let layout = match table.remove("layout") {
            Some(value) => value.as_str().ok_or("layout must be a string")?.to_owned(),
            None => String::new(),
        };
        if let Some(value) = table.remove("keys") {
            let keys: Result<_, toml::de::Error> = value.try_into();
            read.keys = keys.map_err(|e| format!("[keys]: {}", e.message()))?;
        }
        if let Some(value) = table.remove("world") {
            // A missing setting takes its default here; serde would give it the value that old recordings imply.
            let usual = toml::Value::try_from(&read.world).map_err(|e| e.to_string())?;
            let world: Result<Settings, toml::de::Error> = over(usual, value).try_into();
            let world = world.map_err(|e| format!("[world]: {}", e.message()))?;
            read.world = world.within_limits();
            if read.world != world {
                odd.push("[world] had values out of range".into());
            }
        }
        odd.extend(table.keys().map(|name| format!("unknown setting {name}")));
        Ok((read, layout, odd))
    }
}

/// Merges a table over another one, nested tables included.
fn over(mut table: toml::Value, said: toml::Value) -> toml::Value {
    match (&mut table, said) {
        (toml::Value::Table(table), toml::Value::Table(said)) => {
            for (name, value) in said {
                let value = match table.remove(&name) {
                    Some(usual) => over(usual, value),
                    None => value,
                };
                table.insert(name, value);
            }
        }
        (table, said) => *table = said,
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_was_written_is_read_again() {
        let mut wanted = Preferences {
            scale: 1.5,
            upside_down: true,
            palette: Palette::RedGreen,
            frames_aside: 12.0,
            vsync: Vsync::Newest,
            detail: Detail::Fast,
            reload: OnReload::Keep,
            textures: "C:\\pictures \"of\" walls".into(),
            mute: true,
            volume: 25.0,
            volumes: [0.0, 10.0, 20.0, 30.0, 40.0, 50.0],
            sounds: "D:\\bangs \"of\" mine".into(),
            ..Preferences::default()
        };
        wanted.keys.insert("carve".into(), "Ctrl+\"".into());
        wanted.world.blast_radius = 3.25;
        wanted.world.solver = crate::world::Solver::Subdivided(7);
        let text = wanted.text("{\"quoted\": 'both'}");
        let (read, layout, odd) = Preferences::from_text(&text).expect("just written");
        assert_eq!((read, odd), (wanted, Vec::new()), "{text}");
        assert_eq!(layout, "{\"quoted\": 'both'}");
    }

    #[test]
    fn a_file_of_before_a_setting_was_there_takes_its_default_tables_inside_included() {
        let read = |text: &str| toml::Value::Table(text.parse().expect("a table"));
        let usual = read("new = true\ngravity = 9.81\n[shots]\nfuse = 2.5\nnew = 3");
        let said = read("gravity = 1.0\n[shots]\nfuse = 1.0\nold = 7");
        let both = read("new = true\ngravity = 1.0\n[shots]\nfuse = 1.0\nnew = 3\nold = 7");
        assert_eq!(over(usual, said), both);
        let (read, ..) = Preferences::from_text("[world]\ngravity = 1.0").expect("a file");
        let gravity = Settings {
            gravity: 1.0,
            ..newly_opened()
        };
        assert_eq!(read.world, gravity);
    }

    #[test]
    fn every_setting_stands_in_the_file_with_its_range_and_unit() {
        let text = Preferences::default().text("");
        for number in NUMBERS.iter().chain(&VOLUMES) {
            assert!(text.contains(&format!("{} = ", number.name)), "{text}");
            assert!(text.contains(number.unit), "{text}");
            let usual = *(number.field)(&mut Preferences::default());
            assert!(number.range.contains(&usual), "{}", number.name);
        }
        let world = toml::Value::try_from(Settings::default()).expect("settings");
        for name in world.as_table().expect("a table").keys() {
            let row = WORLD.iter().find(|row| row.0 == name);
            assert!(
                row.is_some(),
                "{name} is not in WORLD: say its unit and range there"
            );
        }
    }

    #[test]
    fn what_is_out_of_range_is_mended_and_what_is_no_setting_is_refused() {
        let (read, _, odd) =
            Preferences::from_text("scale = 99\nview = 1e3\nspeed = 1").expect("mended");
        assert_eq!((read.scale, read.view, odd.len()), (3.0, 110.0, 3));
        for broken in [
            "scale = ",
            "scale = \"big\"",
            "scale = nan",
            "palette = 3",
            "keys = 1",
            "[world]\ngravity = true",
            "layout = 1",
            "upside_down = 1",
            "vsync = true",
            "vsync = \"sometimes\"",
            "detail = 2",
            "detail = \"some\"",
            "reload = true",
            "reload = \"never\"",
            "textures = 3",
            "mute = 1",
            "sounds = 3",
            "volume_steps = \"low\"",
            "[[",
            "[world]\nspeed = 1",
        ] {
            assert!(Preferences::from_text(broken).is_err(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}") {
            let _ = Preferences::from_text(&text);
        }
    }
}
