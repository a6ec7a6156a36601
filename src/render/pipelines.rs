//! The pipelines: depth first, then what is solid at exactly that depth, then what lies over it.
use super::bodies::{BODY_INSTANCE, BODY_VERTEX, BodyInstance};
use super::frame::{DEPTH_FORMAT, FIRST_FORMAT, LIGHT_FORMAT, Shared, shader, shader_sources};
use super::full::full_screen;
use super::meshes::{ROOM_VERTEX, RoomVertex};
use super::overlay::{LINE_INSTANCE, LineInstance, SPRITE_INSTANCE, SpriteInstance};
use super::reaching::{REACHING, Reaching};

/// Everything a frame is drawn with.
pub(super) struct Pipelines {
    pub room_depth: wgpu::RenderPipeline,
    pub body_depth: wgpu::RenderPipeline,
    /// The same for what has holes in its picture: slower, as every pixel of it is asked.
    pub room_depth_cut: wgpu::RenderPipeline,
    pub body_depth_cut: wgpu::RenderPipeline,
    /// Rooms; where light is drawn by itself with something drawn into the surfaces (last) or without, and in each with soot
    /// (last) or without.
    pub room: [[wgpu::RenderPipeline; 2]; 2],
    pub body: wgpu::RenderPipeline,
    pub shade: wgpu::RenderPipeline,
    pub sprite: wgpu::RenderPipeline,
    pub line_seen: wgpu::RenderPipeline,
    pub line_hidden: wgpu::RenderPipeline,
    /// Over a stretched picture, where a pixel has one sample.
    pub line_over: Option<wgpu::RenderPipeline>,
    pub heat: wgpu::RenderPipeline,
    /// Where light is drawn by itself, at fewer pixels: rooms and bodies.
    pub light: Option<[wgpu::RenderPipeline; 2]>,
    /// Where pixels have several samples.
    pub first_sample: Option<wgpu::RenderPipeline>,
}

/// Colour over colour, the new one already multiplied by how much it covers.
const OVER: wgpu::BlendState = wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING;
/// Colour times colour.
const TIMES: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::Src,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Zero,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    },
};

impl Pipelines {
    pub fn new(
        device: &wgpu::Device,
        shared: &Shared,
        format: wgpu::TextureFormat,
        samples: u32,
        has_light: bool,
    ) -> Self {
        let [surface, body, sprite, line, heat, shade] = shader_sources().map(|(label, source)| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            })
        });
        let layout = |label, groups: &[Option<&wgpu::BindGroupLayout>]| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: groups,
                immediate_size: 0,
            })
        };
        let alone = layout("frame", &[Some(&shared.frame_layout)]);
        let with_depth = layout(
            "frame and depth",
            &[Some(&shared.frame_layout), Some(&shared.depth_layout)],
        );
        let with_heat = layout(
            "frame and heat",
            &[Some(&shared.frame_layout), Some(&shared.heat_layout)],
        );

        let vertex = wgpu::VertexStepMode::Vertex;
        let instance = wgpu::VertexStepMode::Instance;
        let rooms = [
            buffer::<RoomVertex>(vertex, &ROOM_VERTEX),
            buffer::<Reaching>(instance, &REACHING),
        ];
        let balls = [
            buffer::<[f32; 4]>(vertex, &BODY_VERTEX),
            buffer::<BodyInstance>(instance, &BODY_INSTANCE),
        ];
        let places = [buffer::<BodyInstance>(instance, &BODY_INSTANCE[..1])];
        let sprites = [buffer::<SpriteInstance>(instance, &SPRITE_INSTANCE)];
        let lines = [buffer::<LineInstance>(instance, &LINE_INSTANCE)];

        let solid = Parts {
            label: "",
            layout: &alone,
            module: &surface,
            fragment: None,
            no_colour: false,
            buffers: &[],
            strip: false,
            depth: Some((wgpu::CompareFunction::Greater, true)),
            blend: None,
            constants: &[],
        };
        // Reversed depth: nearer is greater; equal is what the depth pass left in front.
        let shaded = Parts {
            layout: &with_depth,
            fragment: Some(if has_light { "fs_coarse" } else { "fs_main" }),
            depth: Some((wgpu::CompareFunction::GreaterEqual, false)),
            ..solid
        };
        let over = Parts {
            fragment: Some("fs_main"),
            strip: true,
            blend: Some(OVER),
            ..shaded
        };
        let cut = Parts {
            fragment: Some("fs_cut"),
            no_colour: true,
            ..solid
        };
        let make = |parts: Parts| parts.pipeline(device, format, samples);
        let rooms_with = |constants: &[(&str, f64)]| {
            make(Parts {
                label: "rooms",
                buffers: &rooms,
                constants,
                ..shaded
            })
        };
        let room = match has_light {
            true => [0.0, 1.0].map(|drawn| {
                [0.0, 1.0].map(|scarred| rooms_with(&[("DRAWN", drawn), ("SCARRED", scarred)]))
            }),
            false => {
                let one = rooms_with(&[]);
                [0, 1].map(|_| [one.clone(), one.clone()])
            }
        };
        Self {
            room_depth_cut: make(Parts {
                label: "room depth, cut",
                buffers: &rooms,
                ..cut
            }),
            body_depth_cut: make(Parts {
                label: "body depth, cut",
                module: &body,
                buffers: &balls,
                ..cut
            }),
            room_depth: make(Parts {
                label: "room depth",
                buffers: &rooms,
                ..solid
            }),
            body_depth: make(Parts {
                label: "body depth",
                module: &body,
                buffers: &balls,
                ..solid
            }),
            room,
            body: make(Parts {
                label: "bodies",
                module: &body,
                buffers: &balls,
                ..shaded
            }),
            shade: make(Parts {
                label: "shade of crumbs",
                module: &shade,
                constants: if has_light { &[("REACH", 2.2)] } else { &[] },
                buffers: &places,
                depth: Some((wgpu::CompareFunction::Always, false)),
                blend: Some(TIMES),
                ..over
            }),
            sprite: make(Parts {
                label: "sprites",
                module: &sprite,
                fragment: shaded.fragment,
                buffers: &sprites,
                ..over
            }),
            line_seen: make(Parts {
                label: "lines",
                layout: &alone,
                module: &line,
                fragment: Some("fs_seen"),
                buffers: &lines,
                ..over
            }),
            line_hidden: make(Parts {
                label: "lines behind walls",
                layout: &alone,
                module: &line,
                fragment: Some("fs_hidden"),
                buffers: &lines,
                depth: Some((wgpu::CompareFunction::Less, false)),
                ..over
            }),
            line_over: (samples == 1).then(|| {
                make(Parts {
                    label: "lines over the picture",
                    module: &line,
                    fragment: Some("fs_over"),
                    buffers: &lines,
                    depth: None,
                    ..over
                })
            }),
            heat: make(Parts {
                label: "heat",
                layout: &with_heat,
                module: &heat,
                buffers: &[],
                strip: false,
                depth: Some((wgpu::CompareFunction::Always, false)),
                ..over
            }),
            light: has_light.then(|| {
                let light = Parts {
                    fragment: Some("fs_light"),
                    ..solid
                };
                let rooms = Parts {
                    label: "light on rooms",
                    buffers: &rooms,
                    ..light
                };
                let bodies = Parts {
                    label: "light on bodies",
                    module: &body,
                    buffers: &balls,
                    ..light
                };
                [rooms, bodies].map(|parts| parts.pipeline(device, LIGHT_FORMAT, 1))
            }),
            first_sample: (samples > 1).then(|| {
                let source = shader!("first_sample.wgsl");
                full_screen(device, "first sample", &source, &[FIRST_FORMAT])
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

/// What differs between the pipelines.
#[derive(Clone, Copy)]
struct Parts<'a> {
    label: &'a str,
    layout: &'a wgpu::PipelineLayout,
    module: &'a wgpu::ShaderModule,
    /// None draws depth alone.
    fragment: Option<&'a str>,
    /// The fragment shader only drops pixels.
    no_colour: bool,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    strip: bool,
    /// Test, and whether depth is written.
    depth: Option<(wgpu::CompareFunction, bool)>,
    blend: Option<wgpu::BlendState>,
    /// Of the fragment shader.
    constants: &'a [(&'a str, f64)],
}

impl Parts<'_> {
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
                entry_point: Some("vs_main"),
                compilation_options: Default::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology,
                // What is drawn over the rooms is flat and has no back.
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
