//! Dynamic resolution of the 3-D view. With software rendering its resolution follows the frame time, and the result is
//! scaled up to its part of the window.
use super::clear_colour::CLEAR_COLOUR;

/// Resolution scales to choose from, along each side.
const SCALES: [f64; 7] = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];
/// Index of the initial scale.
const FIRST: usize = 4;
/// Minimum number of pixels, unless the view itself has fewer.
const LEAST_PIXELS: f64 = 640.0 * 360.0;
/// Above this frame time the resolution drops, milliseconds.
const MOST_MS: f64 = 36.0;
/// The resolution rises if the frame would still take less than this, milliseconds.
const WANTED_MS: f64 = 27.0;
/// Frames measured before the resolution changes again; the first two are ignored, as they bake materials and make
/// targets.
const WATCHED: usize = 10;
const IGNORED: usize = 2;

/// The scale, and the GPU objects for it.
#[derive(Default)]
pub struct DynamicResolution {
    scale: Scale,
    copier: Option<Copier>,
    texture: Option<wgpu::Texture>,
}

/// The resolution scale, chosen from frame times.
#[derive(Debug)]
struct Scale {
    chosen: usize,
    /// Newest frame times, milliseconds.
    times: Vec<f64>,
    seen: usize,
}

impl Default for Scale {
    fn default() -> Self {
        Self {
            chosen: FIRST,
            times: Vec::new(),
            seen: 0,
        }
    }
}

impl Scale {
    /// The current scale for a view of this size, respecting the minimum.
    fn of(&self, place: [u32; 2]) -> f64 {
        let [width, height] = place.map(f64::from);
        let least = (LEAST_PIXELS / (width * height).max(1.0)).sqrt();
        SCALES[self.chosen].max(least).min(1.0)
    }

    /// Takes in a frame time for a view of this size.
    fn watch(&mut self, ms: f64, place: [u32; 2]) {
        self.seen += 1;
        if self.seen <= IGNORED {
            return;
        }
        self.times.push(ms);
        if self.times.len() < WATCHED {
            return;
        }
        self.times.sort_unstable_by(f64::total_cmp);
        let median = self.times[WATCHED / 2];
        self.times.clear();
        let now = self.of(place);
        let with = |chosen| Self {
            chosen,
            ..Self::default()
        };
        let larger = self.chosen.checked_sub(1);
        let larger = larger.filter(|&chosen| {
            let grows = with(chosen).of(place) / now;
            grows > 1.0 && median * grows * grows < WANTED_MS
        });
        let smaller = (median > MOST_MS).then_some(self.chosen + 1);
        let smaller =
            smaller.filter(|&chosen| chosen < SCALES.len() && with(chosen).of(place) < now);
        if let Some(chosen) = larger.or(smaller) {
            (self.chosen, self.seen) = (chosen, 0);
        }
    }
}

impl DynamicResolution {
    /// Starts over, since something else will be drawn.
    pub fn measure_again(&mut self) {
        self.scale = Scale::default();
    }

    /// Takes in a frame time.
    pub fn watch(&mut self, ms: f64, place: [u32; 2]) {
        self.scale.watch(ms, place);
    }

    /// The resolution for a view of this size.
    pub fn size(&self, place: [u32; 2]) -> [u32; 2] {
        let scale = self.scale.of(place);
        place.map(|side| ((f64::from(side) * scale).ceil() as u32).max(1))
    }

    /// The render target of this size.
    pub fn target(
        &mut self,
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        size: [u32; 2],
    ) -> wgpu::TextureView {
        let texture = self
            .texture
            .take()
            .filter(|t| [t.width(), t.height()] == size);
        let texture = texture.unwrap_or_else(|| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("inset"),
                size: wgpu::Extent3d {
                    width: size[0],
                    height: size[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.texture = Some(texture);
        view
    }

    /// Scales the picture up to a part of the window; the rest is cleared or kept.
    pub fn stretch(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        format: wgpu::TextureFormat,
        [picture, window]: [&wgpu::TextureView; 2],
        part: [u32; 4],
        is_kept: bool,
    ) {
        let copier = self
            .copier
            .get_or_insert_with(|| Copier::new(device, format));
        let load = match is_kept {
            true => wgpu::LoadOp::Load,
            false => wgpu::LoadOp::Clear(CLEAR_COLOUR),
        };
        copier.copy(device, encoder, [picture, window], part, load);
    }
}

/// Scales a picture into a part of another.
struct Copier {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
}

impl Copier {
    fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("inset"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../../shaders/inset.wgsl").into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("inset"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { pipeline, sampler }
    }

    fn copy(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        [from, to]: [&wgpu::TextureView; 2],
        [left, top, width, height]: [u32; 4],
        load: wgpu::LoadOp<wgpu::Color>,
    ) {
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("inset"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(from),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&self.sampler),
                },
            ],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("inset"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: to,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        let [x, y, w, h] = [left, top, width, height].map(|side| side as f32);
        pass.set_viewport(x, y, w, h, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of pixels after many frames with this cost per pixel (ns) and fixed cost (ms).
    fn converged(place: [u32; 2], ns: f64, beside_ms: f64) -> f64 {
        let mut resolution = DynamicResolution::default();
        let mut sizes = Vec::new();
        for _ in 0..400 {
            let size = resolution.size(place).map(f64::from);
            sizes.push(size[0] * size[1]);
            resolution.watch(size[0] * size[1] * ns * 1e-6 + beside_ms, place);
        }
        let last = sizes[399];
        assert!(sizes[200..].iter().all(|size| *size == last), "it swings");
        last
    }

    #[test]
    fn the_picture_has_as_many_pixels_as_are_drawn_in_time_and_never_too_few() {
        let place = [880, 630];
        let all = 880.0 * 630.0;
        assert_eq!(converged(place, 10.0, 3.0), all);
        let some = converged(place, 70.0, 3.0);
        assert!((LEAST_PIXELS..all).contains(&some), "{some}");
        assert!(some * 70.0 * 1e-6 + 3.0 < MOST_MS);
        for ns in [400.0, 4000.0] {
            let least = converged(place, ns, 3.0);
            assert!(
                (LEAST_PIXELS..LEAST_PIXELS * 1.02).contains(&least),
                "{least}"
            );
        }
        // A smaller view is drawn at full resolution.
        assert_eq!(converged([300, 200], 4000.0, 3.0), 60000.0);
    }

    #[test]
    fn after_a_slow_time_the_pixels_come_back() {
        let mut resolution = DynamicResolution::default();
        let place = [1280, 720];
        (0..100).for_each(|_| resolution.watch(90.0, place));
        let few = resolution.size(place);
        (0..200).for_each(|_| resolution.watch(5.0, place));
        assert_eq!(resolution.size(place), place);
        assert!(few[0] * few[1] < 640 * 361);
    }
}
