//! `breach export LEVEL -o X.glb|X.obj`: exports the air's boundary as one welded mesh.
use super::args::ExportArgs;
use super::failure::Failure;
use super::files;
use super::run::Run;
use crate::level::export;
use crate::sim::Settings;
use crate::timing::Recorder;

pub(super) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let ending = args
        .output
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    let write: fn(&crate::world::World) -> Vec<u8> = match ending.as_str() {
        "glb" => export::glb,
        "obj" => export::obj,
        _ => return Err(Failure::Usage("-o must end in .glb or .obj".into())),
    };
    let mut clock = Recorder::new();
    let run = Run::open(&args.level, 1, Settings::default(), &mut clock)?;
    files::save(&args.output, &write(&run.sim.world))
}
