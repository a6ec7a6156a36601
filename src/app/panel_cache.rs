//! The panels cached in a texture. With software rendering, drawing all panels costs more than the world, so only
//! damaged rectangles are redrawn and the rest is copied.
use super::clear_colour::CLEAR_COLOUR;
use egui::epaint::{ClippedPrimitive, Mesh, Primitive, TextureId, Vertex};
use egui::{Pos2, Rect};
use std::ops::Range;

/// The texture, and the shapes that it shows.
#[derive(Default)]
pub struct PanelCache {
    texture: Option<wgpu::Texture>,
    shown: Vec<ClippedPrimitive>,
    pixels_per_point: f32,
}

/// Size and formats of the texture.
#[derive(Clone, Copy)]
pub struct CacheFormat {
    /// Pixels.
    pub size: [u32; 2],
    /// The window's format.
    pub format: wgpu::TextureFormat,
    /// The format that panels are drawn in.
    pub view: wgpu::TextureFormat,
}

impl PanelCache {
    /// The texture, if there is one.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.texture.as_ref()
    }

    /// Updates the cache to these panels: returns the texture and the shapes to draw into it. `picture` (points) is not
    /// cached; `fresh` are the textures that changed.
    pub fn follow(
        &mut self,
        device: &wgpu::Device,
        shape: CacheFormat,
        panels: &[ClippedPrimitive],
        (picture, pixels_per_point): (Rect, f32),
        fresh: &[TextureId],
    ) -> (wgpu::Texture, Vec<ClippedPrimitive>) {
        let [width, height] = shape.size;
        let fits = |t: &wgpu::Texture| [t.width(), t.height()] == shape.size;
        let is_kept = self.pixels_per_point == pixels_per_point;
        let kept = self.texture.take().filter(|t| fits(t) && is_kept);
        let mut boxes = match kept {
            Some(_) => changed(&self.shown, panels, fresh),
            None => vec![Rect::EVERYTHING],
        };
        let texture = kept.unwrap_or_else(|| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("panels"),
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: shape.format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[shape.view],
            })
        });
        let pixels = egui::vec2(width as f32, height as f32);
        let window = Rect::from_min_size(Pos2::ZERO, pixels / pixels_per_point);
        let to_pixels = |x: f32, way: fn(f32) -> f32| way(x * pixels_per_point) / pixels_per_point;
        boxes.iter_mut().for_each(|b| {
            // Antialiased edges reach a pixel further.
            let wide = b.intersect(window).expand(1.0 / pixels_per_point);
            let min = wide.min.to_vec2();
            let max = wide.max.to_vec2();
            let floor = egui::vec2(to_pixels(min.x, f32::floor), to_pixels(min.y, f32::floor));
            let ceil = egui::vec2(to_pixels(max.x, f32::ceil), to_pixels(max.y, f32::ceil));
            *b = Rect::from_min_max(floor.to_pos2(), ceil.to_pos2()).intersect(window);
        });
        let is_seen = |b: &&Rect| b.is_positive() && !picture.contains_rect(**b);
        let again = boxes.iter().filter(is_seen);
        let again =
            again.flat_map(|b| [vec![ground(*b, shape.format)], within(panels, *b)].concat());
        let again = again.collect();
        self.texture = Some(texture.clone());
        if !boxes.is_empty() {
            self.shown.clear();
            self.shown.extend_from_slice(panels);
        }
        self.pixels_per_point = pixels_per_point;
        (texture, again)
    }
}

/// A rectangle of the clear colour.
fn ground(b: Rect, format: wgpu::TextureFormat) -> ClippedPrimitive {
    let [red, green, blue] =
        [CLEAR_COLOUR.r, CLEAR_COLOUR.g, CLEAR_COLOUR.b].map(|x| match format.is_srgb() {
            true => egui::ecolor::gamma_u8_from_linear_f32(x as f32),
            false => (x * 255.0).round() as u8,
        });
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(b, egui::Color32::from_rgb(red, green, blue));
    ClippedPrimitive {
        clip_rect: b,
        primitive: Primitive::Mesh(mesh),
    }
}

/// The damaged rectangles between two frames of panels, points.
pub fn changed(
    old: &[ClippedPrimitive],
    new: &[ClippedPrimitive],
    fresh: &[TextureId],
) -> Vec<Rect> {
    let longest = old.len().max(new.len());
    let pairs = (0..longest).map(|i| (old.get(i), new.get(i)));
    let differs = |(old, new): (Option<&ClippedPrimitive>, Option<&ClippedPrimitive>)| {
        if let (Some(old), Some(new)) = (old, new)
            && let (Primitive::Mesh(a), Primitive::Mesh(b)) = (&old.primitive, &new.primitive)
            && old.clip_rect == new.clip_rect
            && a.texture_id == b.texture_id
            && !fresh.contains(&a.texture_id)
        {
            return mesh_differs(a, b).intersect(new.clip_rect);
        }
        let boxes = old.into_iter().chain(new).map(extent);
        boxes.fold(Rect::NOTHING, Rect::union)
    };
    pairs.map(differs).filter(Rect::is_positive).collect()
}

/// The visible bounds of a primitive.
fn extent(primitive: &ClippedPrimitive) -> Rect {
    match &primitive.primitive {
        Primitive::Mesh(mesh) => mesh.calc_bounds().intersect(primitive.clip_rect),
        Primitive::Callback(_) => primitive.clip_rect,
    }
}

fn corners(mesh: &Mesh, triangle: usize) -> [Vertex; 3] {
    let indices = &mesh.indices[triangle * 3..][..3];
    [0, 1, 2].map(|i| mesh.vertices[indices[i] as usize])
}

fn bounds(mesh: &Mesh, triangles: Range<usize>) -> Rect {
    let folders = triangles.flat_map(|t| corners(mesh, t).map(|v| v.pos));
    folders.fold(Rect::NOTHING, |mut all, place| {
        all.extend_with(place);
        all
    })
}

/// The damaged rectangle between two meshes: the bounds of all triangles that differ, or, with different counts, of
/// those between the common prefix and suffix.
fn mesh_differs(a: &Mesh, b: &Mesh) -> Rect {
    let counts = [a, b].map(|mesh| mesh.indices.len() / 3);
    if a.indices == b.indices && a.vertices == b.vertices {
        return Rect::NOTHING;
    }
    if counts[0] == counts[1] {
        let other = (0..counts[0]).filter(|&t| corners(a, t) != corners(b, t));
        let boxes = other.map(|t| bounds(a, t..t + 1).union(bounds(b, t..t + 1)));
        return boxes.fold(Rect::NOTHING, Rect::union);
    }
    let least = counts[0].min(counts[1]);
    let same = |t: &usize| corners(a, *t) == corners(b, *t);
    let first = (0..least).take_while(same).count();
    let same = |t: &usize| corners(a, counts[0] - 1 - t) == corners(b, counts[1] - 1 - t);
    let last = (0..least - first).take_while(same).count();
    bounds(a, first..counts[0] - last).union(bounds(b, first..counts[1] - last))
}

/// The triangles of these panels that intersect a rectangle, clipped to it.
pub fn within(panels: &[ClippedPrimitive], b: Rect) -> Vec<ClippedPrimitive> {
    let cut = |primitive: &ClippedPrimitive| {
        let clip_rect = primitive.clip_rect.intersect(b);
        if !clip_rect.is_positive() {
            return None;
        }
        let inside = match &primitive.primitive {
            Primitive::Mesh(mesh) => {
                let mut inside = Mesh::with_texture(mesh.texture_id);
                for t in 0..mesh.indices.len() / 3 {
                    let touches = bounds(mesh, t..t + 1).intersects(clip_rect);
                    if touches {
                        let next = inside.vertices.len() as u32;
                        inside.vertices.extend(corners(mesh, t));
                        inside.indices.extend(next..next + 3);
                    }
                }
                if inside.indices.is_empty() {
                    return None;
                }
                Primitive::Mesh(inside)
            }
            callback => callback.clone(),
        };
        Some(ClippedPrimitive {
            clip_rect,
            primitive: inside,
        })
    };
    panels.iter().filter_map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use crate::render::gpu;
    use egui_wgpu::{RendererOptions, ScreenDescriptor};

    const SIZE: [u32; 2] = [480, 320];
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// Panels around a picture, with what a seed says: texts, sliders, a window over all.
    struct Panels {
        rng: Rng,
        texts: [u32; 4],
        slider: f32,
        window: Option<Pos2>,
        columns: f32,
    }

    impl Panels {
        /// Something or other changes.
        fn change(&mut self) {
            let at = |rng: &mut Rng, most: f64| rng.range(0.0, most) as f32;
            match self.rng.below(6) {
                0 | 1 => self.texts[self.rng.below(4) as usize] = self.rng.below(100_000) as u32,
                2 => self.slider = at(&mut self.rng, 1.0),
                3 => self.columns = 90.0 + at(&mut self.rng, 60.0),
                4 => self.window = None,
                _ => {
                    let place = [at(&mut self.rng, 300.0), at(&mut self.rng, 200.0)];
                    self.window = Some(place.into());
                }
            }
        }

        fn ui(&mut self, ui: &mut egui::Ui) -> Rect {
            egui::Panel::left("left")
                .exact_size(self.columns)
                .show(ui, |ui| {
                    ui.label(format!("first {}", self.texts[0]));
                    ui.add(egui::Slider::new(&mut self.slider, 0.0..=1.0));
                    ui.label(format!("second {}", self.texts[1]));
                });
            egui::Panel::bottom("bottom")
                .exact_size(50.0)
                .show(ui, |ui| {
                    ui.label(format!("third {}", self.texts[2]));
                });
            let picture = ui.available_rect_before_wrap();
            if let Some(place) = self.window {
                let window = egui::Window::new("over")
                    .current_pos(place)
                    .resizable(false);
                window.show(ui.ctx(), |ui| ui.label(format!("fourth {}", self.texts[3])));
            }
            ui.painter().text(
                picture.center(),
                egui::Align2::CENTER_CENTER,
                self.texts[3].to_string(),
                egui::FontId::proportional(14.0),
                egui::Color32::WHITE,
            );
            picture
        }
    }

    /// A device, and egui's drawing on it.
    struct Card {
        gpu: gpu::Gpu,
        renderer: egui_wgpu::Renderer,
    }

    impl Card {
        fn draw(
            &mut self,
            target: &wgpu::Texture,
            shapes: &[ClippedPrimitive],
            load: wgpu::LoadOp<wgpu::Color>,
            scale: f32,
        ) {
            let screen = ScreenDescriptor {
                size_in_pixels: SIZE,
                pixels_per_point: scale,
            };
            let (device, queue) = (&self.gpu.device, &self.gpu.queue);
            let mut encoder = device.create_command_encoder(&Default::default());
            let before =
                (self.renderer).update_buffers(device, queue, &mut encoder, shapes, &screen);
            let view = target.create_view(&Default::default());
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load,
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            let mut pass = pass.forget_lifetime();
            self.renderer.render(&mut pass, shapes, &screen);
            drop(pass);
            queue.submit(before.into_iter().chain([encoder.finish()]));
        }

        fn texture(&self) -> wgpu::Texture {
            use wgpu::TextureUsages as Usage;
            self.gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d {
                    width: SIZE[0],
                    height: SIZE[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: Usage::RENDER_ATTACHMENT | Usage::COPY_SRC | Usage::COPY_DST,
                view_formats: &[],
            })
        }

        fn copy(&self, from: &wgpu::Texture, to: &wgpu::Texture) {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), to.size());
            self.gpu.queue.submit([encoder.finish()]);
        }

        fn read(&self, texture: &wgpu::Texture) -> Vec<u8> {
            let row = SIZE[0] * 4;
            assert_eq!(row % wgpu::COPY_BYTES_PER_ROW_ALIGNMENT, 128);
            let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
            let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: u64::from(padded * SIZE[1]),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(padded),
                        rows_per_image: None,
                    },
                },
                texture.size(),
            );
            self.gpu.queue.submit([encoder.finish()]);
            buffer.map_async(wgpu::MapMode::Read, .., |_| ());
            let waited = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
            waited.expect("the device answers");
            let bytes = buffer.get_mapped_range(..).expect("mapped");
            let rows = bytes.chunks_exact(padded as usize);
            rows.flat_map(|r| r[..row as usize].to_vec()).collect()
        }
    }

    /// What stands for the world's picture.
    fn picture(at: Rect) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(at, egui::Color32::from_rgb(90, 60, 30));
        ClippedPrimitive {
            clip_rect: at,
            primitive: Primitive::Mesh(mesh),
        }
    }

    #[test]
    fn panels_of_which_only_the_changed_are_drawn_look_as_if_all_were() {
        let gpu = gpu::request(&gpu::instance(), None).expect("an adapter");
        let renderer = egui_wgpu::Renderer::new(&gpu.device, FORMAT, RendererOptions::default());
        let mut card = Card { gpu, renderer };
        let shape = CacheFormat {
            size: SIZE,
            format: FORMAT,
            view: FORMAT,
        };
        let mut drawn_again = 0;
        for (seed, scale) in [(1, 1.0), (2, 1.0), (3, 1.5), (4, 2.0)] {
            let mut layer = PanelCache::default();
            let ctx = egui::Context::default();
            ctx.set_pixels_per_point(scale);
            let mut panels = Panels {
                rng: Rng::new(seed),
                texts: [0; 4],
                slider: 0.5,
                window: None,
                columns: 110.0,
            };
            for frame in 0..25 {
                panels.change();
                let screen = egui::vec2(SIZE[0] as f32, SIZE[1] as f32) / scale;
                let input = egui::RawInput {
                    screen_rect: Some(Rect::from_min_size(Pos2::ZERO, screen)),
                    time: Some(f64::from(frame)),
                    ..Default::default()
                };
                let mut place = Rect::NOTHING;
                let mut output = ctx.run_ui(input, |ui| place = panels.ui(ui));
                let whole = |x: f32| (x * scale).round() / scale;
                let corner = |p: Pos2| egui::pos2(whole(p.x), whole(p.y));
                let place = Rect::from_min_max(corner(place.min), corner(place.max));
                for (id, deltas) in output.textures_delta.set.drain() {
                    for delta in deltas {
                        let (device, queue) = (&card.gpu.device, &card.gpu.queue);
                        card.renderer.update_texture(device, queue, id, &delta);
                    }
                }
                let shapes = ctx.tessellate(output.shapes, scale);
                let all = card.texture();
                let clear = wgpu::LoadOp::Clear(CLEAR_COLOUR);
                card.draw(
                    &all,
                    &[vec![picture(place)], shapes.clone()].concat(),
                    clear,
                    scale,
                );
                let device = card.gpu.device.clone();
                let (kept, again) = layer.follow(&device, shape, &shapes, (place, scale), &[]);
                card.draw(&kept, &again, wgpu::LoadOp::Load, scale);
                drawn_again += again.len();
                let window = card.texture();
                card.copy(&kept, &window);
                let over = [vec![picture(place)], within(&shapes, place)].concat();
                card.draw(&window, &over, wgpu::LoadOp::Load, scale);
                let [all, window] = [&all, &window].map(|t| card.read(t));
                let odd = all.iter().zip(&window).filter(|(a, b)| a != b).count();
                assert_eq!(odd, 0, "seed {seed}, frame {frame}");
            }
        }
        assert!(drawn_again > 100);
    }

    #[test]
    fn what_did_not_change_is_not_drawn_again() {
        let mut mesh = Mesh::default();
        for x in 0..10 {
            let at = Pos2::new(x as f32 * 10.0, 0.0);
            mesh.add_colored_rect(
                Rect::from_min_size(at, egui::vec2(8.0, 8.0)),
                egui::Color32::RED,
            );
        }
        let of = |mesh: &Mesh| {
            vec![ClippedPrimitive {
                clip_rect: Rect::from_min_max(Pos2::ZERO, Pos2::new(200.0, 100.0)),
                primitive: Primitive::Mesh(mesh.clone()),
            }]
        };
        assert!(changed(&of(&mesh), &of(&mesh), &[]).is_empty());
        let mut other = mesh.clone();
        other.vertices[4 * 3].color = egui::Color32::BLUE;
        let square = Rect::from_min_size(Pos2::new(30.0, 0.0), egui::vec2(8.0, 8.0));
        assert_eq!(changed(&of(&mesh), &of(&other), &[]), [square]);
        // One more in the middle.
        let mut longer = Mesh::default();
        for x in [0, 1, 2, 12, 3, 4, 5, 6, 7, 8, 9] {
            let at = Pos2::new(x as f32 * 10.0, 0.0);
            longer.add_colored_rect(
                Rect::from_min_size(at, egui::vec2(8.0, 8.0)),
                egui::Color32::RED,
            );
        }
        let square = Rect::from_min_size(Pos2::new(120.0, 0.0), egui::vec2(8.0, 8.0));
        assert_eq!(changed(&of(&mesh), &of(&longer), &[]), [square]);
        // Its picture looks otherwise.
        let all = Rect::from_min_max(Pos2::ZERO, Pos2::new(98.0, 8.0));
        assert_eq!(
            changed(&of(&mesh), &of(&mesh), &[TextureId::default()]),
            [all]
        );
    }
}
