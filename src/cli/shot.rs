//! `breach shot LEVEL -o P.png`: one picture, no window.
use super::args::{Overlay, ShotArgs};
use super::files::{self, Failure};
use super::graph;
use super::run::Run;
use crate::sim::{Settings, Sim};
use crate::timing::Recorder;
use crate::view::{Camera, Overlays};
use crate::{render, view};
use glam::DVec3;
use image::ImageEncoder;

pub(super) fn run(args: &ShotArgs) -> Result<(), Failure> {
    let settings = Settings {
        blast_radius: args.play.radius,
        ..Settings::default()
    };
    let mut recorder = Recorder::new();
    recorder.record(args.timings.is_some());
    let mut run = Run::open(&args.level, args.play.seed, settings, &mut recorder)?;
    let camera = camera(args, &run.sim)?;
    let start = of_player(&run.sim, args.size);
    run.soak(args.play.seed, args.rockets, args.play.ticks);
    let overlays = overlays(args);
    // Frusta are those of the player: through one's own windows one sees no frame.
    let seer = if overlays.frozen { start } else { camera };
    let mut snapshot = view::snapshot_seen_from(&run.sim, camera, seer, overlays, 1.0);
    if overlays.heat {
        snapshot.heat = Some(view::heat_map(&run.sim.world, &camera, args.size[1].min(HEAT_ROWS)));
    }
    let mut pixels = render::picture(&snapshot, args.size).map_err(Failure::Other)?;
    if args.overlay.contains(&Overlay::Timings) {
        graph::draw(&mut pixels, args.size, &recorder);
    }
    let png = png(&pixels, args.size).map_err(|error| Failure::file(&args.output, error))?;
    files::save(&args.output, &png)?;
    if let Some(path) = &args.timings {
        files::save_with(path, |out| recorder.write_csv(out))?;
    }
    Ok(())
}

/// Rows of rays of the heat map: a picture may take longer than a frame.
const HEAT_ROWS: u32 = 270;
/// Vertical opening of the picture, radians.
const FOV_Y: f64 = 1.2;

/// What the player sees, in a picture of this size.
pub(super) fn of_player(sim: &Sim, size: [u32; 2]) -> Camera {
    let [yaw, pitch] = view::kick(sim, sim.player.eye, 1.0);
    Camera {
        eye: sim.player.eye,
        yaw: sim.player.yaw + yaw,
        pitch: sim.player.pitch + pitch,
        fov_y: FOV_Y,
        aspect: f64::from(size[0]) / f64::from(size[1]),
    }
}

/// From where the command line says, else from the player start as the level opens.
fn camera(args: &ShotArgs, sim: &Sim) -> Result<Camera, Failure> {
    let eye = args.from.map_or(sim.player.eye, DVec3::from_array);
    let (yaw, pitch) = match args.look {
        None => (sim.player.yaw, sim.player.pitch),
        Some(target) => {
            let look = DVec3::from_array(target) - eye;
            if look.length_squared() == 0.0 {
                return Err(Failure::Usage("--look is where the eye is".into()));
            }
            // Yaw turns left from -Z, pitch up; straight up and down keep the start's yaw.
            let level = libm::hypot(look.x, look.z);
            let yaw = if level > 0.0 {
                libm::atan2(-look.x, -look.z)
            } else {
                sim.player.yaw
            };
            (yaw, libm::atan2(look.y, level))
        }
    };
    let aspect = f64::from(args.size[0]) / f64::from(args.size[1]);
    Ok(Camera {
        eye,
        yaw,
        pitch,
        fov_y: FOV_Y,
        aspect,
    })
}

fn overlays(args: &ShotArgs) -> Overlays {
    let mut on = Overlays {
        leak: true,
        ..Default::default()
    };
    for overlay in &args.overlay {
        match overlay {
            Overlay::Bins => on.bins = true,
            Overlay::Portals => on.portals = true,
            Overlay::Rays => on.rays = true,
            Overlay::Hits => on.hits = true,
            Overlay::Wire => on.wire = true,
            Overlay::Heat => on.heat = true,
            Overlay::Rooms => on.rooms = true,
            Overlay::Faces => on.faces = true,
            Overlay::Wires => on.wire_alone = true,
            Overlay::Normals => on.normals = true,
            Overlay::Frusta => on.frozen = true,
            // Drawn onto the finished picture.
            Overlay::Timings => {}
        }
    }
    on
}

/// RGBA rows as a PNG file's bytes.
fn png(pixels: &[u8], [width, height]: [u32; 2]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    image::codecs::png::PngEncoder::new(&mut bytes)
        .write_image(pixels, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|error| format!("cannot be written as PNG: {error}"))?;
    Ok(bytes)
}
