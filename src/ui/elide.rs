//! Elides names and paths that are too long, keeping the part that matters.
use egui::{Color32, FontId};

/// The mark of an elision.
const MARK: char = '…';

/// The part of a text to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Of a path: the file's name and the folders next to it.
    End,
    /// Of a name: how it begins, and its number and ending.
    Both,
}

/// Elides a text to a width in points.
pub fn to(ui: &egui::Ui, text: &str, font: FontId, width: f32, keep: Keep) -> String {
    let fits = |text: &str| {
        let text = text.to_owned();
        let galley = ui.fonts_mut(|f| f.layout_no_wrap(text, font.clone(), Color32::WHITE));
        galley.size().x <= width
    };
    shortened(text, keep, fits)
}

/// The longest part of a text that fits.
fn shortened(text: &str, keep: Keep, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let cut = |kept: usize| -> String {
        let head = match keep {
            Keep::End => 0,
            Keep::Both => kept / 2,
        };
        let tail = &chars[chars.len() - (kept - head)..];
        chars[..head].iter().chain([&MARK]).chain(tail).collect()
    };
    // Binary search: everything shorter than a fit fits, too.
    let (mut least, mut most) = (0, chars.len().saturating_sub(1));
    while least < most {
        let half = (least + most).div_ceil(2);
        match fits(&cut(half)) {
            true => least = half,
            false => most = half - 1,
        }
    }
    cut(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_path_the_end_is_kept_and_of_a_name_both_ends() {
        let in_chars =
            |text: &str, keep, most| shortened(text, keep, |t| t.chars().count() <= most);
        let path = "/disk/who/maps/e1m1.map";
        assert_eq!(in_chars(path, Keep::End, 23), path);
        assert_eq!(in_chars(path, Keep::End, 14), "…maps/e1m1.map");
        assert_eq!(
            in_chars("a_long_name_04.map", Keep::Both, 11),
            "a_lon…4.map"
        );
        assert_eq!(in_chars("größer", Keep::Both, 3), "g…r");
        // However narrow.
        for most in 0..2 {
            assert_eq!(in_chars("abc", Keep::Both, most), "…");
            assert_eq!(in_chars("", Keep::End, most), "");
        }
    }
}
