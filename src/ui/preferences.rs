//! Settings of the program, kept between starts: each with its unit, its range and its words, once. The settings file
//! and the panel are made of the same table.
use super::theme::Tipped;
use super::{Shown, UiAction, theme};
use crate::sim::Settings;
use crate::view::Palette;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use strum::VariantArray;

/// What is kept between starts, but for the panels' places.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// Size of the panels, times.
    pub scale: f64,
    /// Degrees that a pixel of mouse motion turns.
    pub mouse: f64,
    /// Vertical opening of the camera, degrees.
    pub view: f64,
    /// Most pictures a second.
    pub frames: f64,
    /// Most pictures a second while another window has the focus.
    pub frames_aside: f64,
    /// Minutes between autosaves; 0: none.
    pub autosave: f64,
    /// How pictures wait for the screen.
    pub vsync: Vsync,
    /// How much is drawn of them.
    pub detail: Detail,
    /// A folder of textures (WADs, pictures named like them), looked into besides a level's own; empty: none.
    pub textures: String,
    /// Moving the mouse up looks down.
    pub upside_down: bool,
    /// Which colours say good and bad.
    pub palette: Palette,
    /// Keys that are others than at first: name of what they do, name of the key.
    pub keys: BTreeMap<String, String>,
    /// What the world starts with.
    pub world: Settings,
}

/// How pictures wait for the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vsync {
    /// Each is shown whole, one after the other.
    On,
    /// The newest whole one is shown; others are dropped.
    Newest,
    /// Shown at once, torn where it has to be.
    Off,
}

impl Vsync {
    /// Each with its name in the file and on the panel, and what it means.
    pub const ALL: [(Vsync, &'static str, &'static str); 3] = [
        (
            Vsync::On,
            "on",
            "Each frame waits for the display: no tearing.",
        ),
        (
            Vsync::Newest,
            "newest",
            "The display takes the newest frame: no tearing and lower latency, at more cost. Same as on where the driver does not support it.",
        ),
        (
            Vsync::Off,
            "off",
            "No waiting: lowest latency, but frames may tear.",
        ),
    ];

    fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|row| row.0 == self);
        row.map_or("on", |row| row.1)
    }
}

/// How much is drawn of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything by a graphics card, less where a processor plays one.
    #[default]
    Auto,
    /// Everything.
    Full,
    /// What costs least.
    Fast,
}

impl Detail {
    /// Each with its name in the file and on the panel, and what it means.
    pub const ALL: [(Detail, &'static str, &'static str); 3] = [
        (
            Detail::Auto,
            "auto",
            "Full detail on a graphics card, less with software rendering.",
        ),
        (
            Detail::Full,
            "full",
            "Full resolution, antialiasing, ambient occlusion, contact shadows and fine shadows from every light, as in screenshots.",
        ),
        (
            Detail::Fast,
            "fast",
            "Coarse shadows from the nearest lights only: many times the frame rate on a slow card.",
        ),
    ];

    fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|row| row.0 == self);
        row.map_or("auto", |row| row.1)
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
            vsync: Vsync::On,
            detail: Detail::Auto,
            textures: String::new(),
            upside_down: false,
            palette: Palette::Standard,
            keys: BTreeMap::new(),
            world: Settings::default(),
        }
    }
}

/// A number among them.
pub struct Number {
    /// In the file.
    pub name: &'static str,
    /// On the panel.
    pub label: &'static str,
    /// Tooltip.
    pub tip: &'static str,
    /// What it is counted in.
    pub unit: &'static str,
    /// What it may be.
    pub range: RangeInclusive<f64>,
    /// Where it is kept.
    pub of: fn(&mut Preferences) -> &mut f64,
}

/// Every number.
#[rustfmt::skip] // one row a line: it is read as a table
pub const NUMBERS: [Number; 6] = [
    Number { name: "scale", label: "UI scale", tip: "Size of the panels.", unit: "×", range: 0.5..=3.0, of: |p| &mut p.scale },
    Number { name: "mouse", label: "mouse speed", tip: "Degrees of turn per pixel of mouse motion.", unit: "degrees", range: 0.01..=1.0, of: |p| &mut p.mouse },
    Number { name: "view", label: "field of view", tip: "Vertical field of view of the camera.", unit: "degrees", range: 30.0..=110.0, of: |p| &mut p.view },
    Number { name: "frames", label: "frame rate", tip: "Frame rate limit.", unit: "fps", range: 10.0..=500.0, of: |p| &mut p.frames },
    Number { name: "frames_aside", label: "in background", tip: "Frame rate limit while another window has the focus.", unit: "fps", range: 1.0..=500.0, of: |p| &mut p.frames_aside },
    Number { name: "autosave", label: "autosave", tip: "Minutes between autosaves of a changed level; 0 turns them off.", unit: "minutes", range: 0.0..=60.0, of: |p| &mut p.autosave },
];

/// Decimals of a number on the panel.
const DECIMALS: usize = 3;

const TEXTURES_TIP: &str = "An extra folder of textures, searched after the level's own: WADs, or PNG, TGA, JPG and WAL files by name. Empty for none.";

/// What the file says beside each setting of the world: unit and range.
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
    ("solver", "How rockets detect hits; subdivided halves the move 1 to 32 times."),
];

impl Preferences {
    /// The settings file's text. `layout` is the panels' places ([`super::Dock::text`]).
    pub fn text(&self, layout: &str) -> String {
        let mut copy = self.clone();
        let mut text = String::from(
            "# Breach settings, written by the program. Lines left out take their defaults.\n",
        );
        for number in &NUMBERS {
            let (low, high) = (number.range.start(), number.range.end());
            text += &format!("\n# {} In {}, {low} to {high}.\n", number.tip, number.unit);
            text += &format!("{} = {:?}\n", number.name, (number.of)(&mut copy));
        }
        let names = Vsync::ALL.map(|vsync| vsync.1).join(", ");
        text += &format!("\n# V-sync: {names}.\n");
        text += &format!("vsync = \"{}\"\n", self.vsync.name());
        let names = Detail::ALL.map(|detail| detail.1).join(", ");
        text += &format!("\n# Level of detail: {names}.\n");
        text += &format!("detail = \"{}\"\n", self.detail.name());
        text += &format!("\n# {TEXTURES_TIP}\n");
        text += &format!("textures = {}\n", toml::Value::from(self.textures.as_str()));
        text += "\n# Invert mouse: moving the mouse up looks down.\n";
        text += &format!("upside_down = {}\n", self.upside_down);
        let names: Vec<&str> = Palette::VARIANTS
            .iter()
            .map(|palette| palette.name())
            .collect();
        let names = names.join(", ");
        text += &format!("\n# Colour palette: {names}.\n");
        text += &format!("palette = \"{}\"\n", self.palette.name());
        text += "\n# Panel layout.\n";
        text += &format!("layout = {}\n", toml::Value::from(layout));
        text += "\n# Changed keys.\n[keys]\n";
        for (does, key) in &self.keys {
            text += &format!("{does} = {}\n", toml::Value::from(key.as_str()));
        }
        text += "\n# World settings of newly opened levels.\n[world]\n";
        if let Ok(toml::Value::Table(world)) = toml::Value::try_from(&self.world) {
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

    /// Reads what [`Preferences::text`] wrote: the settings, the panels' places, and what was odd but could be mended.
    ///
    /// # Errors
    /// A text that is no TOML, or a value of another kind than its setting: in a sentence, with the line where it is known.
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
        for number in &NUMBERS {
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
            *(number.of)(&mut read) = within;
        }
        if let Some(value) = table.remove("upside_down") {
            let value = value.as_bool();
            read.upside_down = value.ok_or("upside_down must be true or false")?;
        }
        if let Some(value) = table.remove("vsync") {
            let found = Vsync::ALL.iter().find(|v| value.as_str() == Some(v.1));
            read.vsync = found.ok_or_else(|| format!("unknown vsync {value}"))?.0;
        }
        if let Some(value) = table.remove("detail") {
            let found = Detail::ALL.iter().find(|d| value.as_str() == Some(d.1));
            read.detail = found.ok_or_else(|| format!("unknown detail {value}"))?.0;
        }
        if let Some(value) = table.remove("textures") {
            let folder = value.as_str().ok_or("textures must be a string")?;
            read.textures = folder.to_owned();
        }
        if let Some(value) = table.remove("palette") {
            let mut palettes = Palette::VARIANTS.iter();
            let found = palettes.find(|palette| value.as_str() == Some(palette.name()));
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
            // A setting that is left out has its default, not what old recordings mean by leaving it out.
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

/// A table with what another one says put over it, tables inside included.
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

/// The panel of settings.
#[derive(Default)]
pub struct SettingsPanel {
    /// The folder of textures while it is typed: it is looked into when it is complete.
    textures: Option<String>,
    /// The panels' size while it is dragged: they take it when it is let go.
    scale: Option<f64>,
}

impl SettingsPanel {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let mut wanted = shown.preferences.clone();
        theme::section(ui, "PROGRAM");
        for number in &NUMBERS {
            let (low, high) = (number.range.start(), number.range.end());
            let tip = format!("{} In {}, {low} to {high}.", number.tip, number.unit);
            theme::row(ui, number.label, &tip, |ui| {
                let setting = (number.of)(&mut wanted);
                let is_scale = number.name == "scale";
                let mut value = self.scale.filter(|_| is_scale).unwrap_or(*setting);
                let drag = egui::DragValue::new(&mut value).range(number.range.clone());
                let drag = drag.speed((high - low) / 400.0).max_decimals(DECIMALS);
                let drag = drag.suffix(format!(" {}", number.unit));
                let field = ui.add(drag.update_while_editing(false));
                let field = field.with_tip(tip.as_str());
                // Panels that grow at once would move the field away from under the pointer.
                let waits = is_scale && field.dragged();
                if is_scale {
                    self.scale = waits.then_some(value);
                }
                // Who only leaves the field writes what it shows, rounded.
                let is_other = (value - *setting).abs() >= 0.5 * 0.1_f64.powi(DECIMALS as i32);
                if is_other && !waits {
                    *setting = value;
                }
            });
        }
        let tip = "Moving the mouse up looks down.";
        theme::row(ui, "mouse", tip, |ui| {
            ui.checkbox(&mut wanted.upside_down, "invert").with_tip(tip);
        });
        theme::section(ui, "GRAPHICS");
        theme::row(ui, "v-sync", "How frames wait for the display.", |ui| {
            for (vsync, name, tip) in Vsync::ALL {
                ui.radio_value(&mut wanted.vsync, vsync, name).with_tip(tip);
            }
        });
        theme::row(ui, "detail", "Level of detail of the 3-D view.", |ui| {
            for (detail, name, tip) in Detail::ALL {
                ui.radio_value(&mut wanted.detail, detail, name)
                    .with_tip(tip);
            }
        });
        theme::row(ui, "textures", TEXTURES_TIP, |ui| {
            let text = self.textures.get_or_insert_with(|| wanted.textures.clone());
            let edit = egui::TextEdit::singleline(text).hint_text("folder of textures");
            let edit = ui.add(edit.desired_width(f32::INFINITY));
            if edit.lost_focus() {
                wanted.textures = text.trim().to_owned();
            }
            if !edit.has_focus() {
                self.textures = None;
            }
            edit.with_tip(TEXTURES_TIP);
        });
        theme::section(ui, "COLOURS");
        for &palette in Palette::VARIANTS {
            ui.horizontal(|ui| {
                ui.radio_value(&mut wanted.palette, palette, palette.name())
                    .with_tip(palette.purpose());
                for colour in theme::colours(palette) {
                    theme::dot(ui, colour);
                }
            });
        }
        theme::section(ui, "PANELS");
        ui.horizontal(|ui| {
            let places = ui.button("Reset layout");
            if places
                .with_tip("Put every panel back in its default place.")
                .clicked()
            {
                actions.push(UiAction::ResetPanels);
            }
            let all = ui.button("Reset settings");
            if all
                .with_tip("Restore the default of every setting above and of the keys.")
                .clicked()
            {
                wanted = Preferences {
                    world: wanted.world.clone(),
                    ..Preferences::default()
                };
            }
        });
        theme::section(ui, "FILE");
        let text = egui::Label::new(egui::RichText::new(shown.settings_file).small().monospace());
        ui.add(text.wrap())
            .with_tip("The settings file, with the unit and range of each line.");
        if wanted != *shown.preferences {
            actions.push(UiAction::Prefer(Box::new(wanted)));
        }
    }
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
            textures: "C:\\pictures \"of\" walls".into(),
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
            ..Settings::default()
        };
        assert_eq!(read.world, gravity);
    }

    #[test]
    fn every_setting_stands_in_the_file_with_its_range_and_unit() {
        let text = Preferences::default().text("");
        for number in &NUMBERS {
            assert!(text.contains(&format!("{} = ", number.name)), "{text}");
            assert!(text.contains(number.unit), "{text}");
            let usual = *(number.of)(&mut Preferences::default());
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
            "textures = 3",
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
