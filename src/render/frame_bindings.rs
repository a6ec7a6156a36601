//! Bind group layouts that the passes share, and the frame's bind group.
use super::frame_uniforms::FrameUniforms;
use super::influences::Tiles;
use super::material_layers::MaterialLayers;
use super::noise;

/// Bind group layouts, and the buffers and samplers of the frame.
pub(super) struct FrameBindings {
    pub frame_layout: wgpu::BindGroupLayout,
    pub depth_layout: wgpu::BindGroupLayout,
    pub heat_layout: wgpu::BindGroupLayout,
    /// [`FrameUniforms`].
    pub frame: wgpu::Buffer,
    /// [`FrameUniforms`] of lines over a stretched picture.
    pub frame_over: wgpu::Buffer,
    /// [`Tiles`].
    pub tiles: wgpu::Buffer,
    shadow_sampler: wgpu::Sampler,
    /// For depth; clamps to the edge.
    pub depth_sampler: wgpu::Sampler,
    noise: wgpu::TextureView,
}

impl FrameBindings {
    /// Layouts, empty buffers and samplers.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let fragment = wgpu::ShaderStages::FRAGMENT;
        let buffer = |ty| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        };
        let layers = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2Array,
            multisampled: false,
        };
        let shadows = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2Array,
            multisampled: false,
        };
        let storage = buffer(wgpu::BufferBindingType::Storage { read_only: true });
        let frame_layout = layout(
            "frame",
            &[
                entry(
                    0,
                    wgpu::ShaderStages::VERTEX_FRAGMENT,
                    buffer(wgpu::BufferBindingType::Uniform),
                ),
                entry(1, fragment, layers),
                entry(2, fragment, layers),
                entry(
                    3,
                    fragment,
                    wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                ),
                entry(4, fragment, shadows),
                entry(
                    5,
                    fragment,
                    wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
                ),
                entry(6, fragment, shadows),
                entry(
                    7,
                    fragment,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D3,
                        multisampled: false,
                    },
                ),
                entry(8, fragment, storage),
                entry(9, fragment, storage),
                entry(10, fragment, storage),
            ],
        );
        let depth = wgpu::BindingType::Texture {
            // The depth buffer, or a copy of its first samples.
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let nearest = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
        let depth_layout = layout(
            "depth",
            &[
                entry(0, fragment, depth),
                entry(1, fragment, nearest),
                entry(2, fragment, depth),
            ],
        );
        let heat_layout = layout("heat", &[entry(0, fragment, storage)]);
        let tiles = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("tiles"),
            size: size_of::<Tiles>() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let uniforms = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size_of::<FrameUniforms>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (frame, frame_over) = (uniforms("frame"), uniforms("frame over"));
        let shadow_sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadows"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            // Reversed depth: lit if not farther from the light than the map's depth.
            compare: Some(wgpu::CompareFunction::GreaterEqual),
            ..Default::default()
        });
        Self {
            frame_layout,
            depth_layout,
            heat_layout,
            frame,
            frame_over,
            tiles,
            shadow_sampler,
            depth_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("depth"),
                ..Default::default()
            }),
            noise: noise::volume(device, queue),
        }
    }

    /// Bind group 0 of the passes, and that of lines over a stretched picture; `tables` are projections and utilisation.
    pub fn groups(
        &self,
        device: &wgpu::Device,
        materials: &MaterialLayers,
        [shadows, sun]: [&wgpu::TextureView; 2],
        tables: [Option<&wgpu::Buffer>; 2],
    ) -> [wgpu::BindGroup; 2] {
        // A stand-in: the buffers exist after the first write.
        let [projections, stress] = tables.map(|table| table.unwrap_or(&self.tiles));
        let group = |frame: &wgpu::Buffer| {
            let resources = [
                frame.as_entire_binding(),
                wgpu::BindingResource::TextureView(&materials.views[0]),
                wgpu::BindingResource::TextureView(&materials.views[1]),
                wgpu::BindingResource::Sampler(&materials.sampler),
                wgpu::BindingResource::TextureView(shadows),
                wgpu::BindingResource::Sampler(&self.shadow_sampler),
                wgpu::BindingResource::TextureView(sun),
                wgpu::BindingResource::TextureView(&self.noise),
                self.tiles.as_entire_binding(),
                projections.as_entire_binding(),
                stress.as_entire_binding(),
            ];
            let entries: Vec<_> = (0..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("frame"),
                layout: &self.frame_layout,
                entries: &entries,
            })
        };
        [group(&self.frame), group(&self.frame_over)]
    }
}
