//! The render pipelines: depth prepass, surfaces at exactly that depth, overlays.
use super::formats::{DEPTH_FORMAT, FIRST_SAMPLE_FORMAT, LIGHT_FORMAT};
use super::frame_bindings::FrameBindings;
use super::fullscreen::fullscreen_pipeline;
use super::influences::{INFLUENCE_MASK, InfluenceMask};
use super::liquids::{LIQUID_VERTEX, LiquidVertex};
use super::shaders::{shader, shader_sources};
use super::vertices::{
    BODY_INSTANCE, BODY_VERTEX, BodyInstance, LINE_INSTANCE, LineInstance, ROOM_VERTEX, RoomVertex,
    SPRITE_INSTANCE, SpriteInstance,
};

/// The pipelines of a frame.
pub(super) struct Pipelines {
    pub room_depth: wgpu::RenderPipeline,
    pub body_depth: wgpu::RenderPipeline,
    /// Depth of textures with holes: slower, with an alpha test per pixel.
    pub room_depth_cut: wgpu::RenderPipeline,
    pub body_depth_cut: wgpu::RenderPipeline,
    /// Rooms, by [debug drawings on surfaces][soot]; all four are the same pipeline without a light buffer.
    pub room: [[wgpu::RenderPipeline; 2]; 2],
    pub body: wgpu::RenderPipeline,
    pub shade: wgpu::RenderPipeline,
    pub sprite: wgpu::RenderPipeline,
    /// Surfaces of liquids: what they take away from the picture, and what they add.
    pub liquid: [wgpu::RenderPipeline; 2],
    /// The same of the liquid around the eye, over the whole picture.
    pub submerged: [wgpu::RenderPipeline; 2],
    pub line_seen: wgpu::RenderPipeline,
    pub line_hidden: wgpu::RenderPipeline,
    /// Lines over a stretched picture, without multisampling.
    pub line_over: Option<wgpu::RenderPipeline>,
    pub heat: wgpu::RenderPipeline,
    /// With a light buffer: light on rooms and on bodies.
    pub light: Option<[wgpu::RenderPipeline; 2]>,
    /// With multisampling: copies the first sample's depth.
    pub first_sample: Option<wgpu::RenderPipeline>,
}

/// Alpha blending, premultiplied.
const OVER: wgpu::BlendState = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;
/// Multiplies by colour plus alpha: a factor of 0..=2.
const MULTIPLY: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Dst,
        dst_factor: wgpu::BlendFactor::SrcAlpha,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

impl Pipelines {
    /// Pipelines for a target format; `has_light` is with a light buffer.
    pub fn new(
        device: &wgpu::Device,
        bindings: &FrameBindings,
        format: wgpu::TextureFormat,
        samples: u32,
        has_light: bool,
    ) -> Self {
        let modules = shader_sources().map(|(label, source)| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        });
        let [surface, body, sprite, liquid, line, heat, shade] = modules;
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let alone = layout("frame", &[Some(&bindings.frame_layout)]);
        let with_depth = layout(
            "frame and depth",
            &[Some(&bindings.frame_layout), Some(&bindings.depth_layout)],
        );
        let with_heat = layout(
            "frame and heat",
            &[Some(&bindings.frame_layout), Some(&bindings.heat_layout)],
        );

        let vertex = wgpu::VertexStepMode::Vertex;
        let instance = wgpu::VertexStepMode::Instance;
        let rooms = [
            buffer::<RoomVertex>(vertex, &ROOM_VERTEX),
            buffer::<InfluenceMask>(instance, &INFLUENCE_MASK),
        ];
        let balls = [
            buffer::<[f32; 4]>(vertex, &BODY_VERTEX),
            buffer::<BodyInstance>(instance, &BODY_INSTANCE),
        ];
        let places = [buffer::<BodyInstance>(instance, &BODY_INSTANCE)];
        let sprites = [buffer::<SpriteInstance>(instance, &SPRITE_INSTANCE)];
        let lines = [buffer::<LineInstance>(instance, &LINE_INSTANCE)];
        let liquids = [buffer::<LiquidVertex>(vertex, &LIQUID_VERTEX)];

        let solid = PipelineSettings {
            label: "",
            layout: &alone,
            module: &surface,
            vertex: "vs_main",
            fragment: None,
            no_colour: false,
            buffers: &[],
            strip: false,
            depth: Some((wgpu::CompareFunction::Greater, true)),
            blend: None,
            constants: &[],
        };
        // Reversed depth: nearer is greater; equal passes where the depth prepass was in front.
        let shaded = PipelineSettings {
            layout: &with_depth,
            fragment: Some(if has_light { "fs_coarse" } else { "fs_main" }),
            depth: Some((wgpu::CompareFunction::GreaterEqual, false)),
            ..solid
        };
        let over = PipelineSettings {
            fragment: Some("fs_main"),
            strip: true,
            blend: Some(OVER),
            ..shaded
        };
        let cut = PipelineSettings {
            fragment: Some("fs_cut"),
            no_colour: true,
            ..solid
        };
        let make = |parts: PipelineSettings| parts.pipeline(device, format, samples);
        let rooms_with = |constants: &[(&str, f64)]| {
            make(PipelineSettings {
                label: "rooms",
                buffers: &rooms,
                constants,
                ..shaded
            })
        };
        let room = match has_light {
            true => [0.0, 1.0].map(|drawings| {
                [0.0, 1.0].map(|soot| rooms_with(&[("HAS_DRAWINGS", drawings), ("HAS_SOOT", soot)]))
            }),
            false => {
                let one = rooms_with(&[]);
                [0, 1].map(|_| [one.clone(), one.clone()])
            }
        };
        Self {
            room_depth_cut: make(PipelineSettings {
                label: "room depth, cut",
                buffers: &rooms,
                ..cut
            }),
            body_depth_cut: make(PipelineSettings {
                label: "body depth, cut",
                module: &body,
                buffers: &balls,
                ..cut
            }),
            room_depth: make(PipelineSettings {
                label: "room depth",
                buffers: &rooms,
                ..solid
            }),
            body_depth: make(PipelineSettings {
                label: "body depth",
                module: &body,
                buffers: &balls,
                ..solid
            }),
            room,
            body: make(PipelineSettings {
                label: "bodies",
                module: &body,
                buffers: &balls,
                ..shaded
            }),
            shade: make(PipelineSettings {
                label: "shade of crumbs",
                module: &shade,
                constants: if has_light { &[("REACH", 2.2)] } else { &[] },
                buffers: &places,
                depth: Some((wgpu::CompareFunction::Always, false)),
                blend: Some(MULTIPLY),
                ..over
            }),
            sprite: make(PipelineSettings {
                label: "sprites",
                module: &sprite,
                fragment: shaded.fragment,
                buffers: &sprites,
                ..over
            }),
            // A single blend weighs all colours alike, and liquids take some colours more than others: so they are drawn twice.
            liquid: [
                make(PipelineSettings {
                    label: "tint of liquids",
                    module: &liquid,
                    fragment: Some("fs_tint"),
                    buffers: &liquids,
                    strip: false,
                    blend: Some(MULTIPLY),
                    ..over
                }),
                make(PipelineSettings {
                    label: "liquids",
                    module: &liquid,
                    fragment: shaded.fragment,
                    buffers: &liquids,
                    strip: false,
                    ..over
                }),
            ],
            submerged: [("fs_under_tint", MULTIPLY), ("fs_under", OVER)].map(
                |(fragment, blend)| {
                    make(PipelineSettings {
                        label: "within a liquid",
                        module: &liquid,
                        vertex: "vs_under",
                        fragment: Some(fragment),
                        buffers: &[],
                        strip: false,
                        depth: Some((wgpu::CompareFunction::Always, false)),
                        blend: Some(blend),
                        ..over
                    })
                },
            ),
            line_seen: make(PipelineSettings {
                label: "lines",
                layout: &alone,
                module: &line,
                fragment: Some("fs_seen"),
                buffers: &lines,
                ..over
            }),
            line_hidden: make(PipelineSettings {
                label: "lines behind walls",
                layout: &alone,
                module: &line,
                fragment: Some("fs_hidden"),
                buffers: &lines,
                depth: Some((wgpu::CompareFunction::Less, false)),
                ..over
            }),
            line_over: (samples == 1).then(|| {
                make(PipelineSettings {
                    label: "lines over the picture",
                    module: &line,
                    fragment: Some("fs_over"),
                    buffers: &lines,
                    depth: None,
                    ..over
                })
            }),
            heat: make(PipelineSettings {
                label: "heat",
                layout: &with_heat,
                module: &heat,
                buffers: &[],
                strip: false,
                depth: Some((wgpu::CompareFunction::Always, false)),
                ..over
            }),
            light: has_light.then(|| {
                let light = PipelineSettings {
                    fragment: Some("fs_light"),
                    ..solid
                };
                let rooms = PipelineSettings {
                    label: "light on rooms",
                    buffers: &rooms,
                    ..light
                };
                let bodies = PipelineSettings {
                    label: "light on bodies",
                    module: &body,
                    buffers: &balls,
                    ..light
                };
                [rooms, bodies].map(|parts| parts.pipeline(device, LIGHT_FORMAT, 1))
            }),
            first_sample: (samples > 1).then(|| {
                let source = shader!("first_sample.wgsl");
                fullscreen_pipeline(device, "first sample", &source, &[FIRST_SAMPLE_FORMAT])
            }),
        }
    }
}

fn buffer<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as u64,
        step_mode,
        attributes,
    })
}

/// The settings that differ between pipelines.
#[derive(Clone, Copy)]
struct PipelineSettings<'a> {
    label: &'a str,
    layout: &'a wgpu::PipelineLayout,
    module: &'a wgpu::ShaderModule,
    /// Entry point.
    vertex: &'a str,
    /// None: depth only.
    fragment: Option<&'a str>,
    /// The fragment shader only discards.
    no_colour: bool,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    strip: bool,
    /// Depth test, and whether depth is written.
    depth: Option<(wgpu::CompareFunction, bool)>,
    blend: Option<wgpu::BlendState>,
    /// Override constants of the fragment shader.
    constants: &'a [(&'a str, f64)],
}

impl PipelineSettings<'_> {
    fn pipeline(
        self,
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        samples: u32,
    ) -> wgpu::RenderPipeline {
        let topology = match self.strip {
            true => wgpu::PrimitiveTopology::TriangleStrip,
            false => wgpu::PrimitiveTopology::TriangleList,
        };
        let target = [Some(wgpu::ColorTargetState {
            format,
            blend: self.blend,
            write_mask: wgpu::ColorWrites::ALL,
        })];
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: Default::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology,
                // Overlays are flat and have no back faces.
                cull_mode: self.blend.is_none().then_some(wgpu::Face::Back),
                ..Default::default()
            },
            depth_stencil: self.depth.map(|(compare, write)| wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: samples,
                ..Default::default()
            },
            fragment: self.fragment.map(|entry| wgpu::FragmentState {
                module: self.module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: self.constants,
                    ..Default::default()
                },
                targets: if self.no_colour { &[] } else { &target },
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
