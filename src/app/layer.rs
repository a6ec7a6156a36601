//! The panels as they were drawn last, kept in a texture. Where a processor plays the graphics card, drawing all of them costs
//! more than the world: only the boxes in which something changed are drawn again, and the rest is copied.
use egui::epaint::{ClippedPrimitive, Mesh, Primitive, TextureId, Vertex};
use egui::{Pos2, Rect};
use std::ops::Range;

/// The texture, and what it shows.
#[derive(Default)]
pub struct PanelLayer {
    texture: Option<wgpu::Texture>,
    shown: Vec<ClippedPrimitive>,
    pixels_per_point: f32,
}

/// What the texture has to be.
#[derive(Clone, Copy)]
pub struct LayerShape {
    /// Pixels.
    pub size: [u32; 2],
    /// Of the window.
    pub format: wgpu::TextureFormat,
    /// In which panels are drawn.
    pub view: wgpu::TextureFormat,
}

impl PanelLayer {
    /// The texture, where there is one.
    pub fn texture(&self) -> Option<&wgpu::Texture> {
        self.texture.as_ref()
    }

    /// The texture, as large as the window, and what of these panels has to be drawn into it so that it shows them outside of a
    /// box, points. `fresh` are pictures that look otherwise than before.
    pub fn follow(
        &mut self,
        device: &wgpu::Device,
        shape: LayerShape,
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
            // Soft edges reach a pixel further.
            let wide = b.intersect(window).expand(1.0 / pixels_per_point);
            let min = wide.min.to_vec2();
            let max = wide.max.to_vec2();
            let floor = egui::vec2(to_pixels(min.x, f32::floor), to_pixels(min.y, f32::floor));
            let ceil = egui::vec2(to_pixels(max.x, f32::ceil), to_pixels(max.y, f32::ceil));
            *b = Rect::from_min_max(floor.to_pos2(), ceil.to_pos2()).intersect(window);
        });
        let is_seen = |b: &&Rect| b.is_positive() && !picture.contains_rect(**b);
        let again = boxes.iter().filter(is_seen);
        let again = again.flat_map(|b| [vec![ground(*b)], within(panels, *b)].concat());
        let again = again.collect();
        self.texture = Some(texture.clone());
        self.shown.clear();
        self.shown.extend_from_slice(panels);
        self.pixels_per_point = pixels_per_point;
        (texture, again)
    }
}

/// What lies under the panels.
const GROUND: egui::Color32 = egui::Color32::from_rgb(9, 10, 13);

fn ground(b: Rect) -> ClippedPrimitive {
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(b, GROUND);
    ClippedPrimitive {
        clip_rect: b,
        primitive: Primitive::Mesh(mesh),
    }
}

/// The boxes in which these panels look otherwise than those, points.
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

/// Where a primitive is seen.
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
    let places = triangles.flat_map(|t| corners(mesh, t).map(|v| v.pos));
    places.fold(Rect::NOTHING, |mut all, place| {
        all.extend_with(place);
        all
    })
}

/// A box around the triangles that only one of two meshes has, between those that both begin and end with; where both have as
/// many, around each that differs.
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

/// The triangles of these panels that reach into a box, cut to it.
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
