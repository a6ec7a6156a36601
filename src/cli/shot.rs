//! `breach shot LEVEL -o P.png`: draws one picture, without a window.
use super::args::{Overlay, ShotArgs};
use super::failure::Failure;
use super::files;
use super::run::Run;
use crate::bvh::QueryStats;
use crate::geom::rng::Rng;
use crate::render::{OffscreenRenderer, Textures};
use crate::sim::{Action, Settings, Sim};
use crate::sound::Ear;
use crate::timing::{Percentiles, Recorder, Stage, graph};
use crate::view::pick::ray_from_pixel;
use crate::view::{Camera, Overlays, Palette, Snapshot, StructureLook, VisibilityCache};
use crate::{render, view};
use glam::{DVec2, DVec3};
use std::sync::Arc;

pub(super) fn run(args: &ShotArgs) -> Result<(), Failure> {
    let settings = Settings {
        blast_radius: args.play.radius,
        ..Settings::default()
    };
    let mut recorder = Recorder::new();
    recorder.record(args.timings.is_some());
    let mut run = Run::open(&args.level, args.play.seed, settings, &mut recorder)?;
    let camera = camera(args, &run.sim)?;
    let start = view::player_camera(&run.sim, FOV_Y, args.size);
    let overlays = overlays(args);
    run.ear = overlays.sound.then(Ear::default);
    run.soak(args.play.seed, args.rockets, args.play.ticks);
    // Frusta are drawn from the player's eye: from the camera itself they would be invisible.
    let seer = if overlays.frozen { start } else { camera };
    let textures = textures(args, &run.sim)?;
    let mut cache = VisibilityCache::default();
    cache.fences.set_materials(textures.has_holes());
    let mut snapshot = view::snapshot_seen_from(&run.sim, camera, seer, overlays, 1.0, &mut cache);
    if args.overlay.contains(&Overlay::Walk) {
        let walk = view::walk_ray(&run.sim.world, beside(&camera, 0.0), beside(&camera, 200.0));
        snapshot
            .lines
            .extend(walk.lines(walk.steps.len(), view::Palette::Standard));
    }
    if let Some(ear) = &run.ear {
        let lines = view::sound_lines(ear.sources(), view::Palette::Standard);
        snapshot.lines.extend(lines);
    }
    if overlays.heat {
        snapshot.heat = Some(view::heat_map(
            &run.sim.world,
            &camera,
            args.size[1].min(HEAT_ROWS),
        ));
    }
    if overlays.stress || overlays.bonds {
        show_structures(&run.sim, &camera, &mut snapshot);
    }
    let mut studio = OffscreenRenderer::new(args.size).map_err(Failure::Other)?;
    studio.show_textures(&textures);
    let mut pixels = studio.picture(&snapshot).map_err(Failure::Other)?;
    drop(studio);
    if args.overlay.contains(&Overlay::Timings) {
        let colours = Palette::Standard.stages();
        graph::draw(&mut pixels, args.size, run.recorder(), &colours);
    }
    let png =
        render::png(&pixels, args.size).map_err(|error| Failure::file(&args.output, error))?;
    files::save(&args.output, &png)?;
    if let Some(path) = &args.timings {
        time_frames(&mut run, args, camera)?;
        files::save_with(path, |out| recorder.write_csv(out))?;
    }
    Ok(())
}

/// Adds what the structures in the picture carry: those that some rays meet.
fn show_structures(sim: &Sim, camera: &Camera, snapshot: &mut Snapshot) {
    let size = DVec2::from(RAYS.map(f64::from));
    let pixel = |i: u32| DVec2::from([i % RAYS[0], i / RAYS[0]].map(f64::from)) + 0.5;
    let faces = (0..RAYS[0] * RAYS[1]).map(pixel).filter_map(|pixel| {
        let to = ray_from_pixel(camera, pixel, size)?.at(REACH_M);
        let hit = (sim.world).cast_ray(camera.eye, to, &mut QueryStats::default())?;
        Some((hit.point, hit.normal))
    });
    let mut look = StructureLook::default();
    faces.for_each(|face| look.look_through(sim, face));
    if snapshot.overlays.bonds {
        snapshot.lines.extend(look.bond_lines(sim, camera.eye));
    }
    snapshot.stress = look.stress(sim);
}

/// Pictures of the level's textures; warnings and the tally go to stderr.
fn textures(args: &ShotArgs, sim: &Sim) -> Result<Arc<Textures>, Failure> {
    if let Some(folder) = &args.textures {
        std::fs::read_dir(folder).map_err(|error| Failure::file(folder, error))?;
    }
    let materials = &sim.world.materials;
    let (level, folder) = (&sim.level.pictures, args.textures.as_deref());
    let found = Textures::find(materials, level, Some(&args.level), folder);
    for warning in found.warnings() {
        files::complain(&format!("warning: {warning}"));
    }
    if found.tally().is_news() || folder.is_some() {
        files::complain(&format!("textures: {}", found.tally().words()));
    }
    Ok(Arc::new(found))
}

/// Number of timed frames, and number of frames between rockets that are fired into the picture.
const FRAMES: u32 = 60;
const SHOT_EVERY: u32 = 4;

/// Size of timed pictures with a software adapter: the resolution is the graphics card's cost.
const TIMED_SIZE: [u32; 2] = [64, 36];

/// Times the CPU cost of frames from here, without changes and right after carves, and the GPU cost by pass, where the
/// adapter has timestamps.
fn time_frames(run: &mut Run, args: &ShotArgs, camera: Camera) -> Result<(), Failure> {
    let mut size = TIMED_SIZE;
    let mut studio = OffscreenRenderer::new(size).map_err(Failure::Other)?;
    if !studio.is_software() {
        size = args.size;
        studio = OffscreenRenderer::new(size).map_err(Failure::Other)?;
    }
    let mut cache = VisibilityCache::default();
    let mut rng = Rng::new(args.play.seed);
    let clip = view::clip_from_world(&camera);
    let into_picture = clip.inverse();
    // The first frame uploads everything visible and bakes materials.
    run.frame(&mut studio, camera, &mut cache)?;
    let (mut still, mut carved) = (Vec::new(), Vec::new());
    let mut by_pass = Vec::new();
    for number in 0..FRAMES {
        let shoots = number % SHOT_EVERY == 0;
        let mut command = run.sim.idle();
        if shoots {
            let at = glam::DVec4::new(rng.range(-0.8, 0.8), rng.range(-0.8, 0.8), 0.5, 1.0);
            let there = into_picture * at;
            let dir = (there.truncate() / there.w - camera.eye).normalize_or(DVec3::NEG_Z);
            command.actions.push(Action::FireAlong {
                from: camera.eye.to_array(),
                dir: dir.to_array(),
            });
        }
        run.step(&command);
        let frame = run.frame(&mut studio, camera, &mut cache)?;
        if shoots { &mut carved } else { &mut still }.push(frame);
        by_pass.extend(studio.gpu_ms());
    }
    let stages = [Stage::Visibility, Stage::Upload, Stage::Draw];
    for (what, frames) in [
        ("CPU time of a frame", &still),
        ("CPU time of a frame after a carve", &carved),
    ] {
        let percentiles = |cost: &dyn Fn(&[f32; Stage::COUNT]) -> f32| {
            let p = Percentiles::from_samples(frames.iter().map(cost));
            format!("p50 {:.3} max {:.3}", p.p50_ms, p.max_ms)
        };
        let own = |stage: Stage| percentiles(&|frame| frame[stage.index()]);
        let all = percentiles(&|frame| stages.iter().map(|s| frame[s.index()]).sum());
        let parts = stages.map(|stage| format!("{} {}", stage.name(), own(stage)));
        files::say(&format!("{what}, ms: all {all}; {}", parts.join("; ")))?;
    }
    let [width, height] = size;
    // A picture has no panels, so their pass is left out.
    let passes = render::PASSES[..3].iter().enumerate().map(|(i, name)| {
        let of_frame = |ms: &[f32; render::PASSES.len()]| ms[i];
        let p = Percentiles::from_samples(by_pass.iter().map(of_frame));
        format!("{name} p50 {:.3} max {:.3}", p.p50_ms, p.max_ms)
    });
    let passes: Vec<String> = passes.collect();
    files::say(&match by_pass.is_empty() {
        true => "GPU time: not available, the graphics adapter has no timestamps".to_string(),
        false => format!(
            "GPU time of a {width}x{height} frame, ms: {}",
            passes.join("; ")
        ),
    })
}

/// Greatest height of the heat map: a picture may take longer than a frame.
const HEAT_ROWS: u32 = 270;
/// Columns and rows of the rays that find structures.
const RAYS: [u32; 2] = [16, 9];
/// Their reach, metres.
const REACH_M: f64 = 200.0;
/// Vertical opening of the picture, radians.
pub(super) const FOV_Y: f64 = 1.2;

/// A point this far along a line that starts beside the eye and crosses its line of sight after six metres: a ray out of
/// the eye would be a single point in the picture.
fn beside(camera: &Camera, metres: f64) -> DVec3 {
    let to = view::clip_from_world(camera).inverse();
    let at = |x: f64, depth: f64| {
        let p = to * glam::DVec4::new(x, 0.0, depth, 1.0);
        p.truncate() / p.w
    };
    let (ahead, aside) = (at(0.0, 0.5), at(1.0, 0.5));
    let look = (ahead - camera.eye).normalize_or(DVec3::NEG_Z);
    let right = (aside - ahead).normalize_or(DVec3::X);
    let from = camera.eye + right * 0.8 - right.cross(look) * 0.5;
    let dir = (camera.eye + look * 6.0 - from).normalize_or(look);
    from + dir * metres
}

/// The camera of the options, or of the player start.
fn camera(args: &ShotArgs, sim: &Sim) -> Result<Camera, Failure> {
    let eye = args.from.map_or(sim.player.eye, DVec3::from_array);
    let (yaw, pitch) = match args.look {
        None => (sim.player.yaw, sim.player.pitch),
        Some(target) => {
            let look = DVec3::from_array(target) - eye;
            if look.length_squared() == 0.0 {
                return Err(Failure::Usage("--look is the same point as --from".into()));
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
            Overlay::Spheres => on.spheres = true,
            Overlay::Motion => on.motion = true,
            Overlay::Contacts => on.contacts = true,
            Overlay::Islands => on.islands = true,
            Overlay::Stress => on.stress = true,
            Overlay::Bonds => on.bonds = true,
            Overlay::Sound => on.sound = true,
            // Drawn separately, over the finished picture.
            Overlay::Walk | Overlay::Timings => {}
        }
    }
    on
}
