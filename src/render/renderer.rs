//! The renderer: all GPU resources, and the upload of a snapshot.
use super::bodies::{self, BodyLayout, ChunkPart};
use super::body_meshes::BodyMeshes;
use super::frame_bindings::FrameBindings;
use super::gpu_timer::{GpuTimer, PASSES};
use super::growable_buffer::GrowableBuffer;
use super::influences::{self, Influence, InfluenceMask};
use super::material_layers::MaterialLayers;
use super::pipelines::Pipelines;
use super::point_shadows::PointShadows;
use super::projections::Projections;
use super::quality::Quality;
use super::room_meshes::RoomMeshes;
use super::stress::StressTable;
use super::styles::{Style, style_of};
use super::sun_shadows::SunShadows;
use super::targets::Targets;
use super::textures::Textures;
use super::vertices::BodyInstance;
use super::{liquids, overlay, shaders};
use crate::view::Snapshot;
use crate::world::Material;
use std::sync::Arc;

/// Statistics of a frame's upload and drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawStats {
    /// Rooms drawn.
    pub rooms_drawn: usize,
    /// Rooms with a mesh upload.
    pub rooms_uploaded: usize,
    /// Triangles of rooms drawn.
    pub triangles: usize,
    /// Shadow maps drawn; each of the sun's cascades counts.
    pub shadows_drawn: usize,
}

/// All GPU resources of a picture.
pub struct Renderer {
    pub(super) format: wgpu::TextureFormat,
    pub(super) quality: Quality,
    pub(super) materials: MaterialLayers,
    pub(super) styles: Vec<Style>,
    /// The materials of `styles`.
    pub(super) styled_materials: Arc<Vec<Material>>,
    pub(super) textures: Arc<Textures>,
    pub(super) projections: Projections,
    pub(super) stress: StressTable,
    pub(super) timer: Option<GpuTimer>,
    pub(super) bindings: FrameBindings,
    pub(super) shadows: PointShadows,
    pub(super) sun: SunShadows,
    /// Bind group 0 of the passes, and that of lines over a stretched picture.
    pub(super) frame_groups: [wgpu::BindGroup; 2],
    pub(super) pipelines: Pipelines,
    pub(super) meshes: RoomMeshes,
    pub(super) body_meshes: BodyMeshes,
    pub(super) bodies: GrowableBuffer,
    pub(super) body_scratch: Vec<BodyInstance>,
    /// The instances of crumbs and projectiles; chunk parts follow.
    pub(super) layout: BodyLayout,
    pub(super) chunk_corners: GrowableBuffer,
    pub(super) corner_scratch: Vec<[f32; 4]>,
    pub(super) chunk_parts: Vec<ChunkPart>,
    /// Lights and blasts of the uploaded snapshot.
    pub(super) influences: Vec<Influence>,
    /// By room drawn: its influence mask.
    pub(super) room_masks: GrowableBuffer,
    /// By room drawn: whether soot may reach it.
    pub(super) has_soot: Vec<bool>,
    pub(super) sprites: GrowableBuffer,
    /// Triangles of the surfaces of liquids.
    pub(super) liquids: GrowableBuffer,
    pub(super) lines: GrowableBuffer,
    pub(super) heat: GrowableBuffer,
    pub(super) targets: Option<Targets>,
    /// Size that the picture drawn last is stretched to, if its lines are drawn there.
    pub(super) over: Option<[u32; 2]>,
}

impl Renderer {
    /// Makes the resources for a target of this format; depth and multisampling are internal.
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
        let materials = MaterialLayers::new(device, 0);
        let bindings = FrameBindings::new(device, queue);
        let shadows = PointShadows::new(device, quality.shadows, quality.shadow_tile);
        let sun = SunShadows::new(device, quality.sun_size);
        let projections = Projections::new(device, queue);
        let views = [shadows.view(), sun.view()];
        let stress = StressTable::new(device, queue);
        let tables = [projections.buffer(), stress.buffer()];
        let frame_groups = bindings.groups(device, &materials, views, tables);
        let has_light = quality.light_divisor > 1;
        let pipelines = Pipelines::new(device, &bindings, format, quality.samples, has_light);
        Self {
            format,
            quality,
            materials,
            styles: Vec::new(),
            styled_materials: Arc::default(),
            textures: Arc::default(),
            projections,
            stress,
            timer: GpuTimer::new(device, queue),
            bindings,
            shadows,
            sun,
            frame_groups,
            pipelines,
            meshes: RoomMeshes::default(),
            body_meshes: BodyMeshes::new(device, queue, quality.light_divisor > 1),
            bodies: GrowableBuffer::new("bodies", wgpu::BufferUsages::VERTEX),
            body_scratch: Vec::new(),
            layout: BodyLayout::default(),
            chunk_corners: GrowableBuffer::new("chunks", wgpu::BufferUsages::VERTEX),
            corner_scratch: Vec::new(),
            chunk_parts: Vec::new(),
            influences: Vec::new(),
            has_soot: Vec::new(),
            room_masks: GrowableBuffer::new("room masks", wgpu::BufferUsages::VERTEX),
            sprites: GrowableBuffer::new("sprites", wgpu::BufferUsages::VERTEX),
            liquids: GrowableBuffer::new("liquids", wgpu::BufferUsages::VERTEX),
            lines: GrowableBuffer::new("lines", wgpu::BufferUsages::VERTEX),
            heat: GrowableBuffer::new("heat", wgpu::BufferUsages::STORAGE),
            targets: None,
            over: None,
        }
    }

    /// Reloads the shaders after a change in shaders/. If one is invalid nothing changes, and the error says why.
    pub fn reload(&mut self, device: &wgpu::Device) -> Result<(), String> {
        let samples = self.quality.samples;
        shaders::check_all()?;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let materials = MaterialLayers::new(device, self.textures.count());
        let has_light = self.quality.light_divisor > 1;
        let pipelines = Pipelines::new(device, &self.bindings, self.format, samples, has_light);
        let shadows = PointShadows::new(device, self.quality.shadows, self.quality.shadow_tile);
        let sun = SunShadows::new(device, self.quality.sun_size);
        let views = [shadows.view(), sun.view()];
        let tables = [self.projections.buffer(), self.stress.buffer()];
        let frame_groups = (self.bindings).groups(device, &materials, views, tables);
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(error.to_string());
        }
        self.materials = materials;
        self.pipelines = pipelines;
        self.shadows = shadows;
        self.sun = sun;
        self.frame_groups = frame_groups;
        Ok(())
    }

    /// Sets the level's own textures, which replace the made materials of their names. Set again for another level.
    pub fn show_textures(&mut self, device: &wgpu::Device, textures: &Arc<Textures>) {
        if Arc::ptr_eq(&self.textures, textures) {
            return;
        }
        if self.textures.count() > 0 || textures.count() > 0 {
            self.materials = MaterialLayers::new(device, textures.count());
            self.styles.clear();
            self.projections.truncate(0);
            self.styled_materials = Arc::default();
            self.meshes = RoomMeshes::default();
            self.renew_frame_groups(device);
        }
        self.textures = textures.clone();
    }

    /// Rebuilds the bind groups after one of their resources was replaced.
    fn renew_frame_groups(&mut self, device: &wgpu::Device) {
        let views = [self.shadows.view(), self.sun.view()];
        let tables = [self.projections.buffer(), self.stress.buffer()];
        self.frame_groups = (self.bindings).groups(device, &self.materials, views, tables);
    }

    /// Ends the GPU timing of the frame, after the panels over the picture.
    pub fn finish(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(timer) = &mut self.timer {
            timer.timestamp(encoder, PASSES.len() as u32);
            timer.finish(encoder);
        }
    }

    /// Size of the picture drawn last, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.targets.as_ref().map_or([0; 2], |targets| targets.size)
    }

    /// Call after the frame was submitted: its GPU time can be read later.
    pub fn submitted(&mut self) {
        if let Some(timer) = &mut self.timer {
            timer.submitted();
        }
    }

    /// GPU time of each of [`PASSES`] in the newest measured frame, milliseconds. None without timestamp queries.
    pub fn gpu_ms(&mut self) -> Option<[f32; PASSES.len()]> {
        self.timer.as_mut().and_then(GpuTimer::read)
    }

    /// Uploads a snapshot: rooms with a new revision, all bodies and overlays. Frees rooms unused for long.
    pub fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        snapshot: &Snapshot,
    ) -> DrawStats {
        self.update_styles(&snapshot.materials);
        let halves = self.body_meshes.halves();
        let instances = &mut self.body_scratch;
        self.layout = bodies::instances_of(snapshot, &self.styles, halves, instances);
        let corners = &mut self.corner_scratch;
        self.chunk_parts = bodies::chunks_of(
            snapshot,
            &self.styles,
            &mut self.projections,
            &mut self.body_scratch,
            corners,
        );
        let is_stress_new = self.stress.write(device, queue, &snapshot.stress);
        if self.projections.write(device, queue) || is_stress_new {
            self.renew_frame_groups(device);
        }
        let of_rooms = self.styles.iter().map(|style| style.layer());
        let of_bodies = self.body_scratch.iter().map(BodyInstance::layer);
        let wanted = of_rooms.chain(of_bodies);
        // One inside per frame is baked ahead, so that the first rocket does not wait for it.
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
        self.influences = influences::influences(snapshot);
        let room_masks = influences::room_masks(&self.influences, &snapshot.rooms);
        self.has_soot.clear();
        (self.has_soot).extend(room_masks.iter().map(InfluenceMask::has_scorches));
        self.room_masks.write(device, queue, &room_masks);
        self.sprites
            .write(device, queue, &overlay::sprites_of(snapshot));
        self.liquids
            .write(device, queue, &liquids::vertices_of(snapshot));
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

    /// Updates the styles to a list of materials. A level's list grows, and is shorter at an earlier tick. If neither list is
    /// a prefix of the other the level is another one, and all styles and meshes are dropped.
    fn update_styles(&mut self, materials: &Arc<Vec<Material>>) {
        if Arc::ptr_eq(&self.styled_materials, materials) {
            return;
        }
        let both = self.styled_materials.iter().zip(materials.iter());
        let same = both.take_while(|(old, new)| old == new).count();
        self.styles.truncate(same);
        if same < self.styled_materials.len().min(materials.len()) {
            self.styles.clear();
            self.meshes = RoomMeshes::default();
        }
        self.projections.truncate(self.styles.len());
        let new = (0..).zip(materials.iter()).skip(self.styles.len());
        self.styles.extend(new.map(|(id, material)| {
            let style = style_of(material);
            let image = self.textures.image_of(&material.texture);
            let image = image.filter(|_| !material.inner);
            let size = image.map(|(_, image)| match self.textures.is_fitted(id) {
                true => [64.0; 2],
                false => image.size.map(f64::from),
            });
            let tint = self.projections.push(material, size);
            image.map_or(style, |(number, image)| {
                style.with_image(number, image.is_cut, tint)
            })
        }));
        self.styled_materials = materials.clone();
    }
}
