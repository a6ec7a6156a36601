//! Videos as another program reads them: ffmpeg, with its own decoders of H.264 and FLAC.
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What ffmpeg finds in a video.
pub struct Video {
    /// Pictures: RGB rows from the top.
    pub pictures: Vec<Vec<u8>>,
    /// Sound: left and right in turn.
    pub sound: Vec<i16>,
    /// What ffprobe says: `key=value` lines of the streams and of the file.
    pub said: String,
}

impl Video {
    /// The values of a key, of each stream that has it and of the file.
    pub fn values(&self, key: &str) -> Vec<&str> {
        let lines = self.said.lines().filter_map(|line| line.split_once('='));
        lines.filter(|(k, _)| *k == key).map(|(_, v)| v).collect()
    }
}

/// Whether ffmpeg is there; if not, a loud word that the test did not run (past the test harness, which hides prints).
pub fn is_here(test: &str) -> bool {
    let asked = Command::new("ffmpeg").arg("-version").output();
    let is_here = asked.is_ok_and(|output| output.status.success());
    if !is_here {
        let line = format!("NOT RUN: {test}: ffmpeg is absent\n");
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    is_here
}

/// Decodes a video of pictures of this size; whatever ffmpeg complains of is a failure.
pub fn decode(path: &Path, [width, height]: [u32; 2]) -> Video {
    let ask = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(["-v", "warning"]).args(args);
        let output = command.stdin(Stdio::null()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() && said.is_empty(),
            "{args:?}: {said}"
        );
        output.stdout
    };
    let file = path.to_str().expect("a plain name");
    let said = ask("ffprobe", &["-show_streams", "-show_format", file]);
    let said = String::from_utf8(said).expect("text");
    // The conversion follows what the video says of its colours.
    let rgb = "scale=flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24";
    let raw = [
        "-i",
        file,
        "-map",
        "0:v",
        "-fps_mode",
        "passthrough",
        "-vf",
        rgb,
    ];
    let pixels = ask("ffmpeg", &[&raw[..], &["-f", "rawvideo", "-"]].concat());
    let picture = (width * height * 3) as usize;
    assert!(pixels.len().is_multiple_of(picture));
    let mut sound = Vec::new();
    if said.contains("codec_type=audio") {
        let bytes = ask("ffmpeg", &["-i", file, "-map", "0:a", "-f", "s16le", "-"]);
        let samples = bytes.as_chunks::<2>().0.iter();
        sound = samples.map(|bytes| i16::from_le_bytes(*bytes)).collect();
    }
    Video {
        pictures: pixels.chunks_exact(picture).map(<[u8]>::to_vec).collect(),
        sound,
        said,
    }
}

/// Peak signal-to-noise ratio of RGB rows against RGBA rows, dB.
pub fn psnr(rgb: &[u8], rgba: &[u8]) -> f64 {
    assert_eq!(rgb.len() / 3, rgba.len() / 4);
    let pixels = rgb.as_chunks::<3>().0.iter().zip(rgba.as_chunks::<4>().0);
    let squares = pixels.flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| {
        let off = f64::from(*a) - f64::from(*b);
        off * off
    });
    let mean = squares.sum::<f64>() / rgb.len() as f64;
    10.0 * (255.0 * 255.0 / mean.max(1e-9)).log10()
}
