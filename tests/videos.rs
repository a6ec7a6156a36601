//! Videos against what went into them, as ffmpeg decodes them.
#![cfg(feature = "video")]
#[allow(dead_code, reason = "other tests ask for the rest")]
mod ffmpeg;

use breach::geom::rng::Rng;
use breach::video::{VideoFormat, Writer, even};
use ffmpeg::psnr;
use std::path::Path;

/// Samples of each channel in a picture's time.
const SAMPLES: usize = 800;

/// A picture with a soft pattern that moves and a block that jumps: RGBA.
fn picture([width, height]: [u32; 2], number: u32) -> Vec<u8> {
    let t = f64::from(number) / 60.0;
    let wave = |x: f64| (127.5 + 110.0 * libm::sin(x)) as u8;
    let pixel = |i: u32| {
        let (x, y) = (f64::from(i % width), f64::from(i / width));
        let block = (number / 10 * 7) % width;
        match (i % width).abs_diff(block) < 8 && i / width < height / 2 {
            true => [230, 60, 40, 255],
            false => [
                wave(x * 0.05 + t * 3.0),
                wave(y * 0.04 - t * 2.0),
                wave((x + y) * 0.03 + t),
                255,
            ],
        }
    };
    (0..width * height).flat_map(pixel).collect()
}

/// Two tones, one a side, with some noise: left and right in turn.
fn sound(pictures: u32) -> Vec<i16> {
    let mut rng = Rng::new(4);
    let mut samples = Vec::new();
    for i in 0..pictures as usize * SAMPLES {
        let t = i as f64 / 48_000.0 * std::f64::consts::TAU;
        let noise = rng.range(-0.05, 0.05);
        samples.push(((0.5 * libm::sin(t * 440.0) + noise) * 32767.0) as i16);
        samples.push((libm::sin(t * 1000.0) * 32767.0) as i16);
    }
    samples
}

fn write(path: &Path, format: VideoFormat, pictures: u32) {
    let size = [format.width, format.height];
    let mut video = Writer::create(path, format).expect("begun");
    let sound = if format.audio {
        sound(pictures)
    } else {
        Vec::new()
    };
    let mut ticks = sound.chunks(SAMPLES * 2);
    for number in 0..pictures {
        video.frame(&picture(size, number)).expect("room");
        for tick in ticks.by_ref().take(1) {
            video.audio(tick.to_vec()).expect("room");
        }
    }
    video.finish().expect("written");
}

fn format(width: u32, height: u32, audio: bool) -> VideoFormat {
    VideoFormat {
        width,
        height,
        fps: 60,
        audio,
    }
}

#[test]
fn pictures_and_sound_come_back_as_they_went_in() {
    if !ffmpeg::is_here("videos: pictures and sound come back as they went in") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mp4");
    const PICTURES: u32 = 151;
    let size = [320, 180];
    write(&path, format(size[0], size[1], true), PICTURES);
    let video = ffmpeg::decode(&path, size);
    assert_eq!(video.pictures.len(), PICTURES as usize);
    for (number, rgb) in (0..).zip(&video.pictures) {
        let close = psnr(rgb, &picture(size, number));
        assert!(close > 30.0, "picture {number}: {close:.1} dB");
        // Of another time it is another picture: the order counts.
        let other = psnr(rgb, &picture(size, (number + 20) % PICTURES));
        assert!(other < 25.0, "picture {number}: {other:.1} dB");
    }
    // Sound is kept exactly.
    assert!(video.sound == sound(PICTURES), "samples differ");
    assert_eq!(video.values("codec_name"), ["h264", "flac"]);
    assert_eq!(video.values("avg_frame_rate"), ["60/1", "0/0"]);
    assert_eq!(video.values("sample_rate"), ["48000"]);
    assert_eq!(video.values("channels"), ["2"]);
    for duration in video.values("duration") {
        let secs: f64 = duration.parse().expect("a number");
        assert!((secs - f64::from(PICTURES) / 60.0).abs() < 1e-4, "{secs}");
    }
    for (key, value) in [
        ("color_space", "bt709"),
        ("color_primaries", "bt709"),
        ("color_transfer", "bt709"),
        ("color_range", "tv"),
    ] {
        assert_eq!(video.values(key), [value], "{key}");
    }
    // Nothing but the video is left.
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}

#[test]
fn videos_of_many_sizes_and_of_one_picture_are_read() {
    if !ffmpeg::is_here("videos: videos of many sizes and of one picture are read") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mp4");
    let mut rng = Rng::new(11);
    let mut side = || 16 + (rng.next_u64() % 400) as u32;
    let random: Vec<[u32; 2]> = (0..8).map(|_| [side(), side()]).collect();
    for size in [[16, 16], [18, 700], [1000, 16]].into_iter().chain(random) {
        let size = even(size);
        // The old video is replaced.
        write(&path, format(size[0], size[1], false), 3);
        let video = ffmpeg::decode(&path, size);
        assert_eq!(video.pictures.len(), 3, "{size:?}");
        for (number, rgb) in (0..).zip(&video.pictures) {
            let close = psnr(rgb, &picture(size, number));
            assert!(close > 26.0, "{size:?}, picture {number}: {close:.1} dB");
        }
    }
    write(&path, format(64, 64, true), 1);
    let video = ffmpeg::decode(&path, [64, 64]);
    assert_eq!((video.pictures.len(), video.sound.len()), (1, 2 * SAMPLES));
}

#[test]
fn what_cannot_be_a_video_is_refused_and_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mp4");
    std::fs::write(&path, b"as it was").expect("written");
    for (width, height) in [
        (63, 64),
        (64, 1),
        (0, 64),
        (3842, 64),
        (3000, 2162),
        (64, 3842),
    ] {
        let why = Writer::create(&path, format(width, height, false)).err();
        let why = why.unwrap_or_else(|| panic!("{width}x{height}"));
        assert_eq!(why.kind(), std::io::ErrorKind::InvalidInput);
    }
    let nowhere = folder.path().join("none/a.mp4");
    assert!(Writer::create(&nowhere, format(64, 64, false)).is_err());
    assert!(Writer::create(folder.path(), format(64, 64, false)).is_err());
    // Without pictures, and given up half way.
    let video = Writer::create(&path, format(64, 64, true)).expect("begun");
    assert!(video.finish().is_err());
    let mut video = Writer::create(&path, format(64, 64, true)).expect("begun");
    video.frame(&picture([64, 64], 0)).expect("room");
    drop(video);
    assert_eq!(std::fs::read(&path).expect("there"), b"as it was");
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}
