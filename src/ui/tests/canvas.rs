//! A software rasterizer for the panels, the same on every machine.
use egui::epaint::textures::TexturesDelta;
use egui::epaint::{ImageData, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Pos2, Rect, TextureId};
use egui_kittest::TestRenderer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// egui's textures, shared between copies.
#[derive(Clone, Default)]
pub struct Canvas {
    textures: Arc<Mutex<HashMap<TextureId, ColorImage>>>,
}

impl TestRenderer for Canvas {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut textures = self.textures.lock().expect("no other thread");
        for (id, images) in delta.set.drain() {
            for delta in images {
                let ImageData::Color(image) = &delta.image;
                let Some([x, y]) = delta.pos else {
                    textures.insert(id, (**image).clone());
                    continue;
                };
                let whole = textures.get_mut(&id).expect("a texture before its parts");
                let (width, stride) = (image.width(), whole.width());
                for (row, pixels) in image.pixels.chunks(width).enumerate() {
                    let at = (y + row) * stride + x;
                    whole.pixels[at..at + width].copy_from_slice(pixels);
                }
            }
        }
        for id in delta.free.drain() {
            textures.remove(&id);
        }
    }
}

impl Canvas {
    /// Paints a pass; the background is dark blue.
    pub fn paint(&self, ctx: &egui::Context, output: &egui::FullOutput) -> ColorImage {
        let scale = ctx.pixels_per_point();
        let size = (ctx.content_rect().size() * scale).round();
        let background = Color32::from_rgb(30, 40, 60);
        let mut picture = ColorImage::filled([size.x as usize, size.y as usize], background);
        let textures = self.textures.lock().expect("no other thread");
        for part in ctx.tessellate(output.shapes.clone(), scale) {
            if let Primitive::Mesh(mesh) = part.primitive {
                let clip = part.clip_rect * scale;
                paint_mesh(
                    &mesh,
                    textures.get(&mesh.texture_id),
                    clip,
                    scale,
                    &mut picture,
                );
            }
        }
        picture
    }
}

fn paint_mesh(
    mesh: &Mesh,
    texture: Option<&ColorImage>,
    clip: Rect,
    scale: f32,
    to: &mut ColorImage,
) {
    for corners in mesh.indices.chunks_exact(3) {
        let mut corners = [0, 1, 2].map(|i| mesh.vertices[corners[i] as usize]);
        corners.iter_mut().for_each(|v| v.pos *= scale);
        paint_triangle(corners, texture, clip, to);
    }
}

/// Twice the signed area of a triangle.
fn area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Pixels whose centres lie in the triangle, with the top-left rule, so that adjacent triangles never paint one twice.
fn paint_triangle(
    mut v: [Vertex; 3],
    texture: Option<&ColorImage>,
    clip: Rect,
    to: &mut ColorImage,
) {
    let whole = area(v[0].pos, v[1].pos, v[2].pos);
    if whole == 0.0 || !whole.is_finite() {
        return;
    }
    if whole < 0.0 {
        v.swap(1, 2);
    }
    let whole = whole.abs();
    let bounds = Rect::from_points(&v.map(|v| v.pos)).intersect(clip);
    let range = |low: f32, high: f32, most: usize| {
        (low.floor().max(0.0) as usize)..(high.ceil().max(0.0) as usize).min(most)
    };
    let [a, b, c] = v.map(|v| v.pos);
    let edges = [(b, c), (c, a), (a, b)];
    let is_top_left = edges.map(|(a, b)| b.y < a.y || (b.y == a.y && b.x > a.x));
    // Most triangles have a single colour.
    let is_flat = v[0].uv == v[1].uv
        && v[1].uv == v[2].uv
        && v[0].color == v[1].color
        && v[1].color == v[2].color;
    let flat = is_flat.then(|| colour(&v, [1.0, 0.0, 0.0], texture));
    for y in range(bounds.top(), bounds.bottom(), to.height()) {
        for x in range(bounds.left(), bounds.right(), to.width()) {
            let p = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
            let parts = [area(b, c, p), area(c, a, p), area(a, b, p)];
            let is_out = |i: usize| parts[i] < 0.0 || (parts[i] == 0.0 && !is_top_left[i]);
            if is_out(0) || is_out(1) || is_out(2) || !clip.contains(p) {
                continue;
            }
            let source = match flat {
                Some(source) => source,
                None => colour(&v, parts.map(|part| part / whole), texture),
            };
            if source[3] >= 255.0 {
                let [r, g, b, _] = source.map(|part| part.round() as u8);
                to[(x, y)] = Color32::from_rgb(r, g, b);
                continue;
            }
            let under = to[(x, y)].to_array();
            let over = |i: usize| source[i] + f32::from(under[i]) * (1.0 - source[3] / 255.0);
            let [r, g, b] = [0, 1, 2].map(|i| over(i).round().clamp(0.0, 255.0) as u8);
            to[(x, y)] = Color32::from_rgb(r, g, b);
        }
    }
}

/// The colour at barycentric coordinates: 0..=255, premultiplied.
fn colour(v: &[Vertex; 3], parts: [f32; 3], texture: Option<&ColorImage>) -> [f32; 4] {
    let [a, b, c] = parts;
    let mix = |x: f32, y: f32, z: f32| x * a + y * b + z * c;
    let texel = texture.map_or(Color32::WHITE, |image| {
        let at = |part: f32, size: usize| ((part * size as f32) as usize).min(size - 1);
        let u = mix(v[0].uv.x, v[1].uv.x, v[2].uv.x);
        let w = mix(v[0].uv.y, v[1].uv.y, v[2].uv.y);
        image[(at(u, image.width()), at(w, image.height()))]
    });
    let [p, q, r] = v.map(|v| v.color.to_array().map(f32::from));
    let texel = texel.to_array().map(f32::from);
    std::array::from_fn(|i| mix(p[i], q[i], r[i]) * texel[i] / 255.0)
}
