//! The grammar of the command line: subcommands, options, their ranges and defaults. Docs here are the help text.
use crate::sim::MOST_STRENGTH;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A sandbox with destructible levels: exact holes, rooms and portals, swept spheres.
#[derive(Debug, Parser)]
#[command(name = "breach", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "Exit codes: 0 done, 1 bad input or a failed check, 2 wrong usage.")]
pub(super) struct Cli {
    /// What to open in the window: a .map level, a .breach recording, or the name of a built-in level: bridge, bunker,
    /// caves, pillars, range, tower; bunker by default
    pub file: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// What `clip` makes, and how long that takes.
const CLIP_HELP: &str = "\
A video is H.264 of constant quality in an MP4 file, a picture a tick, and plays in browsers and other players. On a busy
machine of two cores encoding takes 75 ms a picture of 1920x1080 (30 ms if nasm was at hand when Breach was built), while the next
is drawn. Its sound is FLAC, the same samples as in a WAV: 48 kHz, stereo, 16 bits, at the player's ear. Ctrl+C ends it and leaves nothing behind.";

/// Everything that runs without a window.
#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    /// Draw one picture, without a window
    Shot(ShotArgs),
    /// Fire N seeded rockets, let the debris settle, and report
    Soak(SoakArgs),
    /// Replay a recording
    Replay(ReplayArgs),
    /// Make a video (.mp4), an animated GIF (.gif) or a sound (.wav) of a recording
    #[command(after_help = CLIP_HELP)]
    Clip(ClipArgs),
    /// Load and validate levels
    Check(CheckArgs),
    /// Replay one recording under two settings and compare them in a table
    Compare(CompareArgs),
    /// Answer queries (rays, sweeps, sight, locate): JSON lines in, JSON lines out
    Query(QueryArgs),
    /// Export the air's boundary as one welded mesh (.glb or .obj)
    Export(ExportArgs),
    /// Frames a second of the window on this machine, and where a frame's time goes
    Bench(BenchArgs),
}

impl CliCommand {
    /// The recording that it plays.
    pub fn recording(&self) -> Option<PathBuf> {
        match self {
            CliCommand::Replay(args) => Some(args.file.clone()),
            CliCommand::Clip(args) => Some(args.file.clone()),
            CliCommand::Compare(args) => Some(args.file.clone()),
            CliCommand::Shot(_)
            | CliCommand::Soak(_)
            | CliCommand::Check(_)
            | CliCommand::Query(_)
            | CliCommand::Export(_)
            | CliCommand::Bench(_) => None,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// The .map level, or the name of one inside the program
    #[arg(default_value = crate::builtin::START)]
    pub level: PathBuf,
    /// Of the window: width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
    /// Seconds of each of the two scenes
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub seconds: u32,
    /// One line of JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ShotArgs {
    /// The .map level, or the name of a built-in one (bunker)
    pub level: PathBuf,
    /// The PNG file to write
    #[arg(short, long, value_name = "P.png")]
    pub output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
    /// Position of the camera, metres; by default the player start
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub from: Option<[f64; 3]>,
    /// Point to look at, metres; by default the way the player start faces
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub look: Option<[f64; 3]>,
    /// Rockets fired before the picture, as `soak` fires them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub rockets: u32,
    #[command(flatten)]
    pub play: PlayArgs,
    /// Debug drawings, separated by commas
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    pub overlay: Vec<Overlay>,
    /// An extra folder of textures, searched with its subfolders after the level's own (WADs, or PNG, TGA, JPG and WAL
    /// files by name)
    #[arg(long, value_name = "DIR")]
    pub textures: Option<PathBuf>,
    /// Write milliseconds by stage as CSV, one line per tick
    #[arg(long, value_name = "T.csv")]
    pub timings: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ClipArgs {
    /// The .breach recording
    pub file: PathBuf,
    /// The file to write; its ending decides: a video of 60 pictures a second with sound, an animated GIF of 20 without,
    /// or the sound alone
    #[arg(short, long, value_name = "X.mp4|X.gif|X.wav")]
    pub output: PathBuf,
    /// First tick
    #[arg(long, value_name = "TICK", default_value_t = 0)]
    pub from: u64,
    /// Last tick; by default that of the recording
    #[arg(long, value_name = "TICK")]
    pub to: Option<u64>,
    /// Width and height in pixels; by default 1920x1080 for a video, whose sides are even, and 480x270 for a GIF
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<[u32; 2]>,
    /// Debug drawings in each frame
    #[arg(long, value_name = "LIST", value_parser = [clap::builder::PossibleValue::new("timings")], value_delimiter = ',')]
    pub overlay: Vec<String>,
    /// A folder of WAV or OGG files that take the place of the sounds that they are named as
    #[arg(long, value_name = "DIR")]
    pub sounds: Option<PathBuf>,
}

/// A debug drawing of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Overlay {
    /// Boxes of the room trees
    Bins,
    /// Outlines of the portals
    Portals,
    /// Rays and sweeps of the last two seconds
    Rays,
    /// Their hit points and normals
    Hits,
    /// Triangle edges
    Wire,
    /// Bins and faces visited by each pixel's ray
    Heat,
    /// Each room in its own colour
    Rooms,
    /// Each face in its own colour, over its triangles
    Faces,
    /// Triangle edges and nothing else
    Wires,
    /// Normals of the faces near the eye
    Normals,
    /// A ray beside the line of sight, and every bin it visits
    Walk,
    /// Spheres of the bodies: orange awake, blue asleep
    Spheres,
    /// Velocity and spin of each body
    Motion,
    /// Contacts of bodies: point, normal, impulse
    Contacts,
    /// Touching bodies, a colour per heap
    Islands,
    /// Utilisation of structures on their faces: blue little, red at the limit
    Stress,
    /// Bonds of structures and the forces in them
    Bonds,
    /// The ways of the loudest sounds to the ear
    Sound,
    /// The view frusta through which rooms are seen
    Frusta,
    /// Milliseconds by stage over the last 300 ticks
    Timings,
}

#[derive(Debug, Args)]
pub(super) struct SoakArgs {
    /// The .map level, or the name of a built-in one (bunker)
    pub level: PathBuf,
    /// How many rockets, one per tick
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub rockets: u32,
    #[command(flatten)]
    pub play: PlayArgs,
    /// No debris
    #[arg(long)]
    pub no_debris: bool,
    /// Factor of the strength of all materials, 0 to 100; at 0 nothing breaks under its load
    #[arg(long, value_name = "F", default_value_t = 0.0, allow_negative_numbers = true, value_parser = strength)]
    pub strength: f64,
    /// Worker threads; by default one per core
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub reports: ReportArgs,
}

/// What shot and soak play before they look.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Radius of a blast in metres, 0.02 to 20
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = radius, allow_negative_numbers = true)]
    pub radius: f64,
    /// Ticks to run after the last rocket, 1/60 s each
    #[arg(long, value_name = "T", default_value_t = 600, value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    pub ticks: u32,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// The .breach recording
    pub file: PathBuf,
    /// Check the recorded state hashes; stop at the first tick that differs and name it
    #[arg(long)]
    pub verify: bool,
    #[command(flatten)]
    pub reports: ReportArgs,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The .map levels, or names of built-in ones (bunker)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the leak path of the first level that leaks, for an editor to show (TrenchBroom: Load Point File)
    #[arg(long, value_name = "OUT.pts")]
    pub points: Option<PathBuf>,
    #[command(flatten)]
    pub reports: ReportArgs,
}

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// The .breach recording
    pub file: PathBuf,
    /// Settings that override the recording's: depth, split, bin, volume, buffer, radius, shape, debris, bodies,
    /// gravity, layers, solver; by default as recorded
    #[arg(long, value_name = "KEY=VALUE,..", default_value = "")]
    pub a: String,
    /// The same for the other side
    #[arg(long, value_name = "KEY=VALUE,..", default_value = "")]
    pub b: String,
    /// How many times to play each side
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub passes: u32,
    /// Write both curves as a picture (PNG), or milliseconds per tick (CSV)
    #[arg(short, long, value_name = "X.png|X.csv")]
    pub output: Option<PathBuf>,
    /// Print one JSON object to stdout
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct QueryArgs {
    /// The .map level, or the name of a built-in one (bunker)
    pub level: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// The .map level, or the name of a built-in one (bunker)
    pub level: PathBuf,
    /// The file to write; its extension decides the format
    #[arg(short, long, value_name = "X.glb|X.obj")]
    pub output: PathBuf,
}

/// Where results go besides the terminal.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Print one JSON report per line to stdout
    #[arg(long)]
    pub json: bool,
    /// Write milliseconds by stage as CSV, one line per tick
    #[arg(long, value_name = "T.csv")]
    pub timings: Option<PathBuf>,
    /// Write Chrome trace events
    #[arg(long, value_name = "T.json")]
    pub trace: Option<PathBuf>,
    /// Save the level with every change made to it
    #[arg(long, value_name = "L.map")]
    pub save: Option<PathBuf>,
}

fn radius(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (0.02..=20.0).contains(&value) {
        Ok(value)
    } else {
        Err("must be 0.02 to 20 metres".into())
    }
}

fn strength(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (0.0..=MOST_STRENGTH).contains(&value) {
        Ok(value)
    } else {
        Err(format!("must be 0 to {MOST_STRENGTH}"))
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text
        .split_once(['x', 'X'])
        .ok_or("must be WIDTHxHEIGHT, as in 1280x720")?;
    let side = |text: &str| match text.parse() {
        Ok(pixels) if (16..=8192).contains(&pixels) => Ok(pixels),
        _ => Err(format!("`{text}` must be 16 to 8192 pixels")),
    };
    Ok([side(width)?, side(height)?])
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let mut parts = text.split(',');
    let mut next = || -> Result<f64, String> {
        let part = parts
            .next()
            .ok_or("three numbers are needed, as in 1,2.5,-3")?;
        match part.trim().parse::<f64>() {
            Ok(value) if value.abs() <= 1e6 => Ok(value),
            Ok(_) => Err(format!("`{part}` is out of range")),
            Err(_) => Err(format!("`{part}` is not a number")),
        }
    };
    let xyz = [next()?, next()?, next()?];
    if parts.next().is_some() {
        Err("more than three numbers".into())
    } else {
        Ok(xyz)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_names_the_levels_inside_the_program() {
        let help = Cli::command().render_long_help().to_string();
        for level in crate::builtin::levels() {
            assert!(help.contains(level.name), "{}", level.name);
        }
    }

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn defaults_are_those_of_the_contract() {
        let cli = parse("breach soak a.map --rockets 5").expect("valid");
        let Some(CliCommand::Soak(soak)) = cli.command else {
            panic!("soak")
        };
        assert_eq!(
            (soak.play.seed, soak.play.radius, soak.play.ticks),
            (1, 1.0, 600)
        );
        assert_eq!(soak.threads, None);
    }

    #[test]
    fn a_lone_file_is_the_window() {
        assert_eq!(
            parse("breach a.map").expect("valid").file,
            Some("a.map".into())
        );
        assert!(parse("breach").expect("valid").file.is_none());
    }

    #[test]
    fn points_may_be_negative() {
        let cli = parse("breach shot a.map -o p.png --from -1,2,-3.5 --look 0,0,0").expect("valid");
        let Some(CliCommand::Shot(shot)) = cli.command else {
            panic!("shot")
        };
        assert_eq!(shot.from, Some([-1.0, 2.0, -3.5]));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for line in [
            "breach soak a.map --rockets 5 --radius 0.01",
            "breach soak a.map --rockets 5 --radius 20.1",
            "breach soak a.map --rockets 5 --radius nan",
            "breach soak a.map --rockets 5 --radius -1",
            "breach soak a.map --rockets -5",
            "breach soak a.map --rockets 5 --threads 0",
            "breach soak a.map --rockets 5 --seed 18446744073709551616",
            "breach soak a.map",
            "breach shot a.map -o p.png --size 0x100",
            "breach shot a.map -o p.png --size 100",
            "breach shot a.map -o p.png --from 1,2",
            "breach shot a.map -o p.png --from 1,2,3,4",
            "breach shot a.map -o p.png --from 1,2,inf",
            "breach shot a.map -o p.png --overlay fog",
            "breach check",
            "breach a.map b.map",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
