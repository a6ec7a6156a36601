//! Drawing a snapshot with wgpu. Imports `view`, never the simulation: it is handed data and calls nobody back.
//!
//! A frame is two passes over one multisampled depth buffer: the depth of what is solid, then its colour, each pixel
//! shaded once. Between them each pixel's first depth is copied out: it is read for occlusion in corners and for smoke that
//! fades at walls. Of lights and soot a pixel asks those that reach its room and its part of the picture (`reaching`).
//! Debug lines, smoke and the heat map lie over it. Materials are baked once by the GPU (`materials`); tone mapping ends
//! each shader.
mod bodies;
mod clock;
mod depth_maps;
mod frame;
mod full;
pub mod gpu;
mod materials;
mod meshes;
mod noise;
mod overlay;
mod passes;
mod picture;
mod pipelines;
mod projections;
mod reaching;
mod shadows;
mod sun;
mod targets;
mod textures;

pub use clock::PASSES;
pub use frame::{check as check_shader, shader_sources, shadow_source};
pub use materials::{bake_source, picture_source};
pub use picture::{Studio, picture, png};
pub use textures::{OWN_PALETTE, Tally, Textures};

use crate::view::{MAX_LIGHTS, Snapshot};
use crate::world::Material;
use bodies::{Ball, BodyInstance, ChunkPart};
use clock::GpuClock;
use depth_maps::Movers;
use frame::{Eye, FrameData, Shared};
use materials::{Materials, Style, style_of};
use meshes::Meshes;
use overlay::Growing;
use pipelines::Pipelines;
use projections::Projections;
use reaching::{Reach, Reaching};
use shadows::Shadows;
use std::sync::Arc;
use sun::SunShadows;
use targets::Targets;

/// What a frame's upload and drawing came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    /// Rooms drawn.
    pub rooms_drawn: usize,
    /// Rooms whose mesh was uploaded.
    pub rooms_uploaded: usize,
    /// Triangles of rooms drawn.
    pub triangles: usize,
    /// Lights whose shadows were drawn again; the sun counts for each of its maps.
    pub shadows_drawn: usize,
}

/// What a picture may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Samples a pixel, 1 or 4.
    pub samples: u32,
    /// Darker corners and holes.
    pub occlusion: bool,
    /// Lights that throw shadows, the nearest ones; the others shine through walls.
    pub shadows: usize,
    /// Texels across each of the six sides of a light's shadow map.
    pub shadow_tile: u32,
    /// Texels across each of the sun's two shadow maps.
    pub sun_size: u32,
    /// Pixels to one of the light's, along each axis; 1 lights each pixel by itself, with gloss and relief.
    pub light_divisor: u32,
}

impl Default for Quality {
    fn default() -> Self {
        Self::PICTURE
    }
}

impl Quality {
    /// For pictures that are kept, whatever draws them: `shot`, `clip`, the golden pictures. A real graphics card draws
    /// its window so, too.
    pub const PICTURE: Quality = Quality {
        samples: 4,
        occlusion: true,
        shadows: MAX_LIGHTS,
        shadow_tile: 256,
        sun_size: 1536,
        light_divisor: 1,
    };
    /// For a window where a CPU plays the graphics card.
    pub const FAST: Quality = Quality {
        samples: 1,
        occlusion: false,
        shadows: 12,
        shadow_tile: 96,
        sun_size: 512,
        light_divisor: 5,
    };
}

/// Owner of all GPU meshes and pipelines.
pub struct Renderer {
    format: wgpu::TextureFormat,
    quality: Quality,
    materials: Materials,
    styles: Vec<Style>,
    /// What they are the styles of.
    materials_shown: Arc<Vec<Material>>,
    textures: Arc<Textures>,
    projections: Projections,
    clock: Option<GpuClock>,
    shared: Shared,
    shadows: Shadows,
    sun: SunShadows,
    /// What passes bind first, and those that draw over the picture.
    frame_group: [wgpu::BindGroup; 2],
    pipelines: Pipelines,
    meshes: Meshes,
    ball: Ball,
    bodies: Growing,
    body_scratch: Vec<BodyInstance>,
    /// Instances that are balls; the others are parts of chunks.
    balls: u32,
    chunk_corners: Growing,
    corner_scratch: Vec<[f32; 4]>,
    chunk_parts: Vec<ChunkPart>,
    /// What reaches somewhere in the picture that was uploaded.
    reaches: Vec<Reach>,
    /// Of the rooms drawn: what reaches them, and whether a blast does.
    reaching: Growing,
    scarred: Vec<bool>,
    sprites: Growing,
    lines: Growing,
    heat: Growing,
    targets: Option<Targets>,
    /// Size of the place that the picture drawn last is stretched over, where its lines are drawn there.
    over: Option<[u32; 2]>,
}

impl Renderer {
    /// Makes pipelines for a target of this format (with its own depth buffer, multisampling inside).
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        quality: Quality,
    ) -> Self {
        let quality = Quality {
            samples: if quality.samples > 1 { 4 } else { 1 },
            ..quality
        };
        let materials = Materials::new(device, 0);
        let shared = Shared::new(device, queue);
        let shadows = Shadows::new(device, quality.shadows, quality.shadow_tile);
        let sun = SunShadows::new(device, quality.sun_size);
        let projections = Projections::new(device, queue);
        let views = [shadows.view(), sun.view()];
        let frame_group = shared.group(device, &materials, views, &projections);
        let has_light = quality.light_divisor > 1;
        let pipelines = Pipelines::new(device, &shared, format, quality.samples, has_light);
        Self {
            format,
            quality,
            materials,
            styles: Vec::new(),
            materials_shown: Arc::default(),
            textures: Arc::default(),
            projections,
            clock: GpuClock::new(device, queue),
            shared,
            shadows,
            sun,
            frame_group,
            pipelines,
            meshes: Meshes::default(),
            ball: Ball::new(device, queue, quality.light_divisor > 1),
            bodies: Growing::new("bodies", wgpu::BufferUsages::VERTEX),
            body_scratch: Vec::new(),
            balls: 0,
            chunk_corners: Growing::new("chunks", wgpu::BufferUsages::VERTEX),
            corner_scratch: Vec::new(),
            chunk_parts: Vec::new(),
            reaches: Vec::new(),
            scarred: Vec::new(),
            reaching: Growing::new("reaching", wgpu::BufferUsages::VERTEX),
            sprites: Growing::new("sprites", wgpu::BufferUsages::VERTEX),
            lines: Growing::new("lines", wgpu::BufferUsages::VERTEX),
            heat: Growing::new("heat", wgpu::BufferUsages::STORAGE),
            targets: None,
            over: None,
        }
    }

    /// Makes everything that comes from shaders again, after a shader in shaders/ was changed. Where one of them is
    /// wrong nothing changes, and the error says what is wrong in it.
    pub fn reload(&mut self, device: &wgpu::Device) -> Result<(), String> {
        let samples = self.quality.samples;
        frame::check_all()?;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let materials = Materials::new(device, self.textures.count());
        let has_light = self.quality.light_divisor > 1;
        let pipelines = Pipelines::new(device, &self.shared, self.format, samples, has_light);
        let shadows = Shadows::new(device, self.quality.shadows, self.quality.shadow_tile);
        let sun = SunShadows::new(device, self.quality.sun_size);
        let views = [shadows.view(), sun.view()];
        let frame_group = (self.shared).group(device, &materials, views, &self.projections);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error.to_string());
        }
        self.materials = materials;
        self.pipelines = pipelines;
        self.shadows = shadows;
        self.sun = sun;
        self.frame_group = frame_group;
        Ok(())
    }

    /// Shows these pictures from now on, instead of made materials of their names. They are those of one level: whoever
    /// shows another one shows its pictures.
    pub fn show_textures(&mut self, device: &wgpu::Device, textures: &Arc<Textures>) {
        if Arc::ptr_eq(&self.textures, textures) {
            return;
        }
        if self.textures.count() > 0 || textures.count() > 0 {
            self.materials = Materials::new(device, textures.count());
            self.styles.clear();
            self.projections.truncate(0);
            self.materials_shown = Arc::default();
            self.meshes = Meshes::default();
            self.renew_group(device);
        }
        self.textures = textures.clone();
    }

    fn renew_group(&mut self, device: &wgpu::Device) {
        let views = [self.shadows.view(), self.sun.view()];
        let projections = &self.projections;
        self.frame_group = (self.shared).group(device, &self.materials, views, projections);
    }

    /// All that stands over the world is drawn as well: the frame's measurement ends here.
    pub fn finish(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(clock) = &mut self.clock {
            clock.mark(encoder, PASSES.len() as u32);
            clock.finish(encoder);
        }
    }

    /// Pixels of the picture that was drawn last.
    pub fn size(&self) -> [u32; 2] {
        self.targets.as_ref().map_or([0; 2], |targets| targets.size)
    }

    /// What was drawn last was handed to the card: its time can be asked for later.
    pub fn submitted(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.submitted();
        }
    }

    /// How long the card took for each of [`PASSES`] in the newest frame that is known, milliseconds. None where it
    /// cannot tell.
    pub fn gpu_ms(&mut self) -> Option<[f32; PASSES.len()]> {
        self.clock.as_mut().and_then(GpuClock::read)
    }

    /// Uploads rooms whose revision is new, drops what is long unseen.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        snapshot: &Snapshot,
    ) -> DrawStats {
        self.follow_materials(&snapshot.materials);
        bodies::instances_of(snapshot, &self.styles, &mut self.body_scratch);
        self.balls = self.body_scratch.len() as u32;
        let corners = &mut self.corner_scratch;
        self.chunk_parts = bodies::chunks_of(
            snapshot,
            &self.styles,
            &mut self.projections,
            &mut self.body_scratch,
            corners,
        );
        if self.projections.write(device, queue) {
            self.renew_group(device);
        }
        let of_rooms = self.styles.iter().map(|style| style.layer());
        let of_bodies = self.body_scratch.iter().map(BodyInstance::layer);
        let wanted = of_rooms.chain(of_bodies);
        // One inside a frame is baked ahead, so that the first rocket does not wait for it.
        let ahead = self.styles.iter().map(|style| style.inner_layer());
        self.materials
            .bake(device, queue, wanted, ahead, &self.textures);

        let rooms_uploaded = self.meshes.upload(
            device,
            queue,
            snapshot.rooms.iter().chain(&snapshot.around),
            &self.styles,
        );
        self.bodies.write(device, queue, &self.body_scratch);
        self.chunk_corners
            .write(device, queue, &self.corner_scratch);
        self.reaches = reaching::reaches(snapshot);
        let in_rooms = reaching::in_rooms(&self.reaches, &snapshot.rooms);
        self.scarred.clear();
        (self.scarred).extend(in_rooms.iter().map(Reaching::has_marks));
        self.reaching.write(device, queue, &in_rooms);
        self.sprites
            .write(device, queue, &overlay::sprites_of(snapshot));
        self.lines
            .write(device, queue, &overlay::lines_of(snapshot));
        let heat: Vec<f32> = snapshot
            .heat
            .iter()
            .flat_map(|heat| heat.bins.iter().map(|&n| n as f32))
            .collect();
        self.heat.write(device, queue, &heat);
        DrawStats {
            rooms_uploaded,
            ..DrawStats::default()
        }
    }

    /// Styles of the materials from here on. A level's list grows, and is shorter at an earlier tick; where neither list
    /// begins with the other it is that of another level, and nothing that the old one asked for is kept.
    fn follow_materials(&mut self, materials: &Arc<Vec<Material>>) {
        if Arc::ptr_eq(&self.materials_shown, materials) {
            return;
        }
        let both = self.materials_shown.iter().zip(materials.iter());
        let same = both.take_while(|(old, new)| old == new).count();
        self.styles.truncate(same);
        if same < self.materials_shown.len().min(materials.len()) {
            self.styles.clear();
            self.meshes = Meshes::default();
        }
        self.projections.truncate(self.styles.len());
        let new = (0..).zip(materials.iter()).skip(self.styles.len());
        self.styles.extend(new.map(|(id, material)| {
            let style = style_of(material);
            let shown = self.textures.of_texture(&material.texture);
            let shown = shown.filter(|_| !material.inner);
            let size = shown.map(|(_, picture)| match self.textures.is_fitted(id) {
                true => [64.0; 2],
                false => picture.size.map(f64::from),
            });
            let tint = self.projections.push(material, size);
            shown.map_or(style, |(number, picture)| {
                style.with_picture(number, picture.is_cut, tint)
            })
        }));
        self.materials_shown = materials.clone();
    }

    /// Draws to `target` (its size in pixels) what was uploaded last. Lines are left for [`Renderer::draw_over`] where the
    /// picture will be stretched over a place `over` so large.
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        (size, over): ([u32; 2], Option<[u32; 2]>),
        snapshot: &Snapshot,
    ) -> DrawStats {
        if size.contains(&0) {
            return DrawStats::default();
        }
        let mark = |clock: &Option<GpuClock>, encoder: &mut wgpu::CommandEncoder, index| {
            if let Some(clock) = clock {
                clock.mark(encoder, index);
            }
        };
        mark(&self.clock, encoder, 0);
        let movers = Movers {
            parts: &self.chunk_parts,
            corners: self.chunk_corners.filled(),
            instances: self.bodies.filled(),
            ball: &self.ball,
        };
        let (layers, moved, shadows_drawn) =
            self.shadows
                .draw(device, queue, encoder, (&self.meshes, &movers), snapshot);
        if moved {
            let views = [self.shadows.view(), self.sun.view()];
            let projections = &self.projections;
            self.frame_group = (self.shared).group(device, &self.materials, views, projections);
        }
        let sun = self
            .sun
            .draw(queue, encoder, (&self.meshes, &movers), snapshot);
        let eye = Eye::of(snapshot);
        let tiles = reaching::in_tiles(&self.reaches, &eye);
        queue.write_buffer(&self.shared.tiles, 0, bytemuck::bytes_of(&tiles));
        let data = FrameData::new(
            snapshot,
            size,
            !self.format.is_srgb(),
            &self.quality,
            &eye,
            (&layers, self.shadows.tile()),
            sun.map(|(maps, _)| maps),
        );
        queue.write_buffer(&self.shared.frame, 0, bytemuck::bytes_of(&data));
        let over = over.filter(|_| self.pipelines.line_over.is_some());
        self.over = over;
        if let Some(over) = over {
            let data = data.stretched(over);
            queue.write_buffer(&self.shared.frame_over, 0, bytemuck::bytes_of(&data));
        }
        if self
            .targets
            .as_ref()
            .is_none_or(|targets| targets.size != size)
        {
            self.targets = Some(self.make_targets(device, size));
        }
        let Some(targets) = &self.targets else {
            return DrawStats::default();
        };
        mark(&self.clock, encoder, 1);
        self.draw_depth(encoder, targets, snapshot);
        self.draw_light(encoder, targets, snapshot);
        // By occlusion and the shade of crumbs, and by smoke.
        let is_read = self.quality.occlusion || self.balls > 0 || self.sprites.count > 0;
        if let (Some(pipeline), Some(first)) = (&self.pipelines.first_sample, &targets.first)
            && is_read
        {
            let depth = Some(&targets.depth);
            full::draw_full(device, encoder, pipeline, depth, &[first]);
        }
        mark(&self.clock, encoder, 2);
        let heat = overlay::heat_group(device, &self.shared, &self.heat);
        let triangles = self.draw_colour(encoder, targets, target, heat.as_ref(), snapshot);
        mark(&self.clock, encoder, 3);
        DrawStats {
            rooms_drawn: snapshot.rooms.len(),
            rooms_uploaded: 0,
            triangles,
            shadows_drawn: shadows_drawn + sun.map_or(0, |(_, maps)| maps),
        }
    }
}
