//! Kinds of clips, by the ending of the file's name.
use std::path::Path;

/// What a clip is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Kind {
    /// 20 pictures a second in 256 colours each, without sound, without end.
    #[cfg(feature = "render")]
    Gif,
    /// 60 pictures a second, one a tick, as an H.264 video with sound.
    #[cfg(feature = "video")]
    Mp4,
    /// Sound alone.
    Wav,
}

impl Kind {
    /// Ticks from one picture of a GIF to the next: GIF counts hundredths of a second, and 3/60 s are five of them.
    #[cfg(feature = "render")]
    pub(super) const GIF_TICKS: u64 = 3;

    /// By the ending of a file's name, in capitals or not.
    ///
    /// # Errors
    /// The endings that there are.
    pub fn of(path: &Path) -> Result<Self, String> {
        use strum::VariantArray;
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_meant = |kind: &&Kind| ending.is_some_and(|e| e.eq_ignore_ascii_case(kind.ending()));
        let meant = Self::VARIANTS.iter().find(is_meant).copied();
        meant.ok_or_else(|| {
            let known: Vec<String> = Self::VARIANTS
                .iter()
                .map(|kind| format!(".{}", kind.ending()))
                .collect();
            let built = match cfg!(feature = "render") {
                true => "",
                false => ": this build cannot draw (build it with the feature `render`)",
            };
            format!(
                "the name of a clip must end in {}{built}",
                known.join(" or ")
            )
        })
    }

    /// Of its file's name, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            #[cfg(feature = "render")]
            Kind::Gif => "gif",
            #[cfg(feature = "video")]
            Kind::Mp4 => "mp4",
            Kind::Wav => "wav",
        }
    }

    /// Whether it has sound.
    pub fn has_sound(self) -> bool {
        match self {
            #[cfg(feature = "render")]
            Kind::Gif => false,
            #[cfg(feature = "video")]
            Kind::Mp4 => true,
            Kind::Wav => true,
        }
    }

    /// Ticks from one picture to the next, if it has pictures.
    pub fn ticks(self) -> Option<u64> {
        match self {
            #[cfg(feature = "render")]
            Kind::Gif => Some(Self::GIF_TICKS),
            #[cfg(feature = "video")]
            Kind::Mp4 => Some(1),
            Kind::Wav => None,
        }
    }

    /// Width and height of its pictures, if it has any, unless others are asked for, pixels.
    #[cfg(feature = "render")]
    pub fn usual_size(self) -> Option<[u32; 2]> {
        match self {
            Kind::Gif => Some([480, 270]),
            #[cfg(feature = "video")]
            Kind::Mp4 => Some([1920, 1080]),
            Kind::Wav => None,
        }
    }

    /// The size that it has where this one is asked for: a video's sides are even.
    #[cfg(feature = "render")]
    pub fn possible_size(self, asked: [u32; 2]) -> [u32; 2] {
        match self {
            #[cfg(feature = "video")]
            Kind::Mp4 => crate::video::even(asked),
            Kind::Gif | Kind::Wav => asked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_and_an_unknown_one_is_told_those_that_are_known() {
        assert_eq!(Kind::of(Path::new("x/y.WAV")), Ok(Kind::Wav));
        #[cfg(feature = "render")]
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
            assert!(why.contains(".wav"), "{why}");
            assert_eq!(why.contains(".gif"), cfg!(feature = "render"), "{why}");
            assert_eq!(why.contains(".mp4"), cfg!(feature = "video"), "{why}");
        }
    }
}
