//! The shaders: their texts, how they are put together, and a check without a graphics adapter.
use super::looks::bake_function;
use std::borrow::Cow;

/// The text of a shader in shaders/. A debug build reads the file, if it exists, for changes while the program runs.
macro_rules! shader {
    ($file:literal) => {
        $crate::render::shaders::load(
            concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $file),
            include_str!(concat!("../../shaders/", $file)),
        )
    };
}
pub(super) use shader;

/// The shader file in a debug build, else the embedded text.
pub(super) fn load(path: &str, embedded: &'static str) -> Cow<'static, str> {
    let edited = cfg!(debug_assertions).then(|| crate::files::read(path.as_ref()).ok());
    match edited
        .flatten()
        .and_then(|bytes| String::from_utf8(bytes).ok())
    {
        Some(text) => text.into(),
        None => embedded.into(),
    }
}

/// The shader of shadow maps.
pub fn shadow_source() -> Cow<'static, str> {
    shader!("shadow.wgsl")
}

/// The shaders of the passes, each with the shaders that it includes.
pub fn shader_sources() -> [(&'static str, String); 7] {
    let (frame, depth) = (shader!("frame.wgsl"), shader!("depth.wgsl"));
    let coarse = shader!("coarse.wgsl");
    let with_depth = |own: Cow<str>| format!("{frame}{depth}{own}");
    let solid = |own: Cow<str>| format!("{frame}{depth}{coarse}{own}");
    let alone = |own: Cow<str>| format!("{frame}{own}");
    [
        ("surface", solid(shader!("surface.wgsl"))),
        ("body", solid(shader!("body.wgsl"))),
        ("sprite", with_depth(shader!("sprite.wgsl"))),
        ("liquid", with_depth(shader!("liquid.wgsl"))),
        ("line", with_depth(shader!("line.wgsl"))),
        ("heat", alone(shader!("heat.wgsl"))),
        ("shade", with_depth(shader!("shade.wgsl"))),
    ]
}

/// The shader that bakes a layer. It has one look only: compiling all of them at once takes minutes.
pub fn bake_source(layer: usize) -> Option<String> {
    let function = bake_function(layer)?;
    let (layer_shader, noise, looks) = (
        shader!("layer.wgsl"),
        shader!("noise.wgsl"),
        shader!("bake.wgsl"),
    );
    Some(format!(
        "{layer_shader}{noise}{looks}fn surface_of(uv: vec2<f32>) -> Surface {{ return {function}(uv); }}\n"
    ))
}

/// The shader that makes a layer of an image.
pub fn picture_source() -> String {
    let (layer, picture) = (shader!("layer.wgsl"), shader!("picture.wgsl"));
    format!("{layer}{picture}")
}

/// Validates every shader; the error names the shader and the position.
pub(super) fn check_all() -> Result<(), String> {
    for (name, source) in shader_sources() {
        check(name, &source)?;
    }
    check("shadow", &shadow_source())?;
    check("first sample", &shader!("first_sample.wgsl"))?;
    check("relief", &shader!("relief.wgsl"))?;
    check("mip", &shader!("mip.wgsl"))?;
    check("picture", &picture_source())?;
    (0..)
        .map_while(bake_source)
        .try_for_each(|source| check("bake", &source))
}

/// Parses and validates a shader, without a graphics adapter.
pub fn check(name: &str, source: &str) -> Result<(), String> {
    use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
    let wrong = |text: String| format!("{name}: {text}");
    let module = wgpu::naga::front::wgsl::parse_str(source)
        .map_err(|error| wrong(error.emit_to_string(source)))?;
    Validator::new(ValidationFlags::all(), Capabilities::MULTISAMPLED_SHADING)
        .validate(&module)
        .map_err(|error| wrong(error.emit_to_string(source)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::material::Look;
    use crate::render::styles::{
        CHUNK_BIT, CUT_BIT, DRILL_BIT, GRENADE_BIT, INNER_BIT, IRON_BIT, LOOK_MASK, MADE_LAYERS,
        ROCKET_BIT,
    };
    use crate::view::{MAX_LIGHTS, MAX_RIPPLES, MAX_SCORCHES};

    #[test]
    fn shaders_have_the_constants_of_the_rust_side() {
        let frame = shader!("frame.wgsl");
        let constants = [
            ("MADE_LAYERS", MADE_LAYERS),
            ("LOOK_MASK", LOOK_MASK),
            ("INNER_BIT", INNER_BIT),
            ("ROCKET_BIT", ROCKET_BIT),
            ("CHUNK_BIT", CHUNK_BIT),
            ("GRENADE_BIT", GRENADE_BIT),
            ("IRON_BIT", IRON_BIT),
            ("DRILL_BIT", DRILL_BIT),
            ("CUT_BIT", CUT_BIT),
            ("LOOK_METAL", Look::Metal as u32),
            ("LOOK_ROCK", Look::Rock as u32),
            ("LOOK_SOIL", Look::Soil as u32),
            ("LOOK_LIQUID", Look::Liquid as u32),
            ("LOOK_SKY", Look::Sky as u32),
            ("LOOK_LAMP", Look::Light as u32),
        ];
        for (name, value) in constants {
            let line = format!("const {name}: u32 = {value}u;");
            assert!(frame.contains(&line), "{line}");
        }
        let arrays = [
            ("Light", MAX_LIGHTS),
            ("Scorch", MAX_SCORCHES),
            ("Ripple", MAX_RIPPLES),
        ];
        for (name, count) in arrays {
            let member = format!("array<{name}, {count}>");
            assert!(frame.contains(&member), "{member}");
        }
        let shadow = shadow_source();
        let sky = format!("const LOOK_SKY: u32 = {}u;", Look::Sky as u32);
        let mask = format!("const LOOK_AND_INNER: u32 = {}u;", LOOK_MASK | INNER_BIT);
        assert!(shadow.contains(&sky) && shadow.contains(&mask));
    }
}
