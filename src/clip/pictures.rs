//! The pictures of a clip: what its player sees.
use crate::render::{OffscreenRenderer, Textures};
use crate::sim::Sim;
use crate::timing::{Recorder, graph};
use crate::view::{self, Overlays, Palette, VisibilityCache};
use std::sync::Arc;

/// How a clip is drawn.
#[derive(Clone)]
pub struct Pictures {
    /// Pixels; a size that is possible: see [`super::Kind::possible_size`].
    pub size: [u32; 2],
    /// Vertical field of view, radians.
    pub fov_y: f64,
    /// Milliseconds by stage are drawn into each picture.
    pub timings: bool,
    /// The level's textures.
    pub textures: Arc<Textures>,
}

/// Draws them.
pub(super) struct Studio<'a> {
    wanted: &'a Pictures,
    renderer: OffscreenRenderer,
    cache: VisibilityCache,
}

impl<'a> Studio<'a> {
    /// # Errors
    /// In words: there is no adapter.
    pub fn new(wanted: &'a Pictures) -> Result<Self, String> {
        let mut renderer = OffscreenRenderer::new(wanted.size)?;
        renderer.show_textures(&wanted.textures);
        let mut cache = VisibilityCache::default();
        cache.fences.set_materials(wanted.textures.has_holes());
        Ok(Self {
            wanted,
            renderer,
            cache,
        })
    }

    /// A picture as RGBA rows from the top.
    ///
    /// # Errors
    /// In words: the adapter is lost.
    pub fn picture(&mut self, sim: &Sim, recorder: &Recorder) -> Result<Vec<u8>, String> {
        let Pictures { size, fov_y, .. } = *self.wanted;
        let camera = view::player_camera(sim, fov_y, size);
        let (plain, cache) = (Overlays::default(), &mut self.cache);
        let snapshot = view::snapshot_seen_from(sim, camera, camera, plain, 1.0, cache);
        let mut pixels = self.renderer.picture(&snapshot)?;
        if self.wanted.timings {
            let colours = Palette::Standard.stages();
            graph::draw(&mut pixels, size, recorder, &colours);
        }
        Ok(pixels)
    }
}
