//! The result of the search for images, in numbers and in words.

/// The result of the search for images.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Textures of the level's built faces.
    pub asked: usize,
    /// Textures with an image.
    pub found: usize,
    /// File names of WADs that the level names and that were not found.
    pub missing_wads: Vec<String>,
}

impl Tally {
    /// In words: `12 of 34 with an image; not found: base.wad`.
    pub fn words(&self) -> String {
        const SHOWN: usize = 4;
        let Tally {
            asked,
            found,
            missing_wads,
        } = self;
        let names: Vec<&str> = missing_wads
            .iter()
            .map(String::as_str)
            .take(SHOWN)
            .collect();
        let more = match missing_wads.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let missing = match names.is_empty() {
            true => String::new(),
            false => format!("; not found: {}{more}", names.join(", ")),
        };
        format!("{found} of {asked} with an image{missing}")
    }

    /// Whether it is worth a notice: a WAD is missing or an image was found.
    pub fn is_news(&self) -> bool {
        self.found > 0 || !self.missing_wads.is_empty()
    }
}
