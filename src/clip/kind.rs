//! Kinds of clips, by the ending of the file's name.
use std::path::Path;

/// What a clip is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Kind {
    /// 20 pictures a second in 256 colours each, without sound, without end.
    Gif,
    /// 60 pictures a second, one a tick, as an H.264 video.
    #[cfg(feature = "video")]
    Mp4,
}

impl Kind {
    /// By the ending of a file's name, in capitals or not.
    ///
    /// # Errors
    /// The endings that there are.
    pub fn of(path: &Path) -> Result<Self, String> {
        use strum::VariantArray;
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_meant = |kind: &&Kind| ending.is_some_and(|e| e.eq_ignore_ascii_case(kind.ending()));
        Self::VARIANTS
            .iter()
            .find(is_meant)
            .copied()
            .ok_or_else(|| {
                let known: Vec<String> = Self::VARIANTS
                    .iter()
                    .map(|kind| format!(".{}", kind.ending()))
                    .collect();
                format!("the name of a clip must end in {}", known.join(" or "))
            })
    }

    /// Of its file's name, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Gif => "gif",
            #[cfg(feature = "video")]
            Kind::Mp4 => "mp4",
        }
    }

    /// Ticks from one picture to the next.
    pub fn ticks(self) -> u64 {
        match self {
            // GIF counts hundredths of a second, and 3/60 s are five of them.
            Kind::Gif => 3,
            #[cfg(feature = "video")]
            Kind::Mp4 => 1,
        }
    }

    /// Width and height unless others are asked for, pixels.
    pub fn usual_size(self) -> [u32; 2] {
        match self {
            Kind::Gif => [480, 270],
            #[cfg(feature = "video")]
            Kind::Mp4 => [1920, 1080],
        }
    }

    /// The size that it has where this one is asked for: a video's sides are even.
    pub fn possible_size(self, asked: [u32; 2]) -> [u32; 2] {
        match self {
            Kind::Gif => asked,
            #[cfg(feature = "video")]
            Kind::Mp4 => crate::video::even(asked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_and_an_unknown_one_is_told_those_that_are_known() {
        assert_eq!(Kind::of(Path::new("a/b.GIF")), Ok(Kind::Gif));
        #[cfg(feature = "video")]
        assert_eq!(Kind::of(Path::new("b.c.Mp4")), Ok(Kind::Mp4));
        for name in [
            "clip",
            "clip.",
            ".mp4",
            "clip.wbem",
            "clip.mp4.txt",
            "gif",
            "",
        ] {
            let why = Kind::of(Path::new(name)).expect_err(name);
            assert!(why.contains(".gif"), "{why}");
            assert_eq!(why.contains(".mp4"), cfg!(feature = "video"), "{why}");
        }
    }
}
